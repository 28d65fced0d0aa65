//! Occlusion queries: counts, overlap, passes and submissions in between.

mod common;

use common::{draw, quad};
use ninefold_renderer::{CommonState, DepthStencilKey, Query, Renderer, RhwState};

fn count(r: &mut Renderer, query: Query) -> u64 {
    r.wait_idle().unwrap();
    r.query_result(query, false)
        .unwrap()
        .expect("the GPU is done")
}

#[test]
fn samples_that_pass_are_counted() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(8, 8).unwrap();
    let query = r.create_query().unwrap();
    let state = RhwState {
        common: CommonState {
            depth_stencil: DepthStencilKey {
                depth_test: true,
                depth_write: true,
                depth_func: 2,
                ..DepthStencilKey::default()
            },
            ..CommonState::default()
        },
        ..RhwState::default()
    };
    draw(
        &mut r,
        &context,
        &state,
        &quad(0.0, 0.0, 4.0, 8.0, 0.25, !0),
    );
    r.begin_query(query).unwrap();
    assert!(r.query_result(query, false).is_err(), "it is counting");
    // Half of the quad is behind.
    draw(&mut r, &context, &state, &quad(0.0, 0.0, 8.0, 2.0, 0.5, !0));
    r.end_query(query).unwrap();
    draw(&mut r, &context, &state, &quad(0.0, 0.0, 8.0, 8.0, 0.1, !0));
    assert_eq!(
        r.query_result(query, false).unwrap(),
        None,
        "not submitted yet"
    );
    assert_eq!(count(&mut r, query), 8);
    // Nothing drawn counts 0, also when begun again.
    r.begin_query(query).unwrap();
    r.end_query(query).unwrap();
    assert_eq!(count(&mut r, query), 0);
}

#[test]
fn queries_overlap_and_span_passes_and_submissions() {
    let mut r = gpu_or_skip!();
    let a = r.create_context(4, 4).unwrap();
    let b = r.create_context(4, 4).unwrap();
    let state = RhwState::default();
    let [outer, inner] = [r.create_query().unwrap(), r.create_query().unwrap()];
    r.begin_query(outer).unwrap();
    draw(&mut r, &a, &state, &quad(0.0, 0.0, 1.0, 1.0, 0.5, !0));
    r.begin_query(inner).unwrap();
    draw(&mut r, &a, &state, &quad(0.0, 0.0, 2.0, 1.0, 0.5, !0));
    draw(&mut r, &b, &state, &quad(0.0, 0.0, 4.0, 1.0, 0.5, !0));
    r.flush().unwrap();
    draw(&mut r, &b, &state, &quad(0.0, 0.0, 4.0, 2.0, 0.5, !0));
    r.end_query(inner).unwrap();
    // Clears are not counted.
    let rect = ninefold_renderer::Rect {
        x: 0,
        y: 0,
        w: 2,
        h: 2,
    };
    r.clear(b.targets(), &[rect], Some([1.0; 4]), None, None)
        .unwrap();
    draw(&mut r, &b, &state, &quad(0.0, 0.0, 4.0, 4.0, 0.5, !0));
    r.end_query(outer).unwrap();
    assert_eq!(count(&mut r, inner), 2 + 4 + 8);
    assert_eq!(count(&mut r, outer), 1 + 2 + 4 + 8 + 16);
}

#[test]
fn beginning_again_drops_what_was_counted() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(4, 4).unwrap();
    let query = r.create_query().unwrap();
    for height in [4.0, 1.0] {
        r.begin_query(query).unwrap();
        let vertices = quad(0.0, 0.0, 4.0, height, 0.5, !0);
        draw(&mut r, &context, &RhwState::default(), &vertices);
    }
    r.end_query(query).unwrap();
    assert_eq!(count(&mut r, query), 4);
    r.destroy_query(query);
    assert!(r.begin_query(query).is_err());
    assert!(r.query_result(query, true).is_err());
}

#[test]
fn more_queries_than_one_set_holds() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(2, 2).unwrap();
    let queries: Vec<Query> = (0..1500).map(|_| r.create_query().unwrap()).collect();
    for (n, &query) in queries.iter().enumerate() {
        r.begin_query(query).unwrap();
        let width = (n % 2 + 1) as f32;
        let vertices = quad(0.0, 0.0, width, 1.0, 0.5, !0);
        draw(&mut r, &context, &RhwState::default(), &vertices);
        r.end_query(query).unwrap();
    }
    r.wait_idle().unwrap();
    for (n, &query) in queries.iter().enumerate() {
        assert_eq!(
            r.query_result(query, false).unwrap(),
            Some(n as u64 % 2 + 1),
            "query {n}"
        );
    }
}

#[test]
fn an_event_waits_for_the_work_before_it() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(8, 8).unwrap();
    let event = r.create_query().unwrap();
    r.wait_idle().unwrap();
    r.signal_query(event).unwrap();
    draw(
        &mut r,
        &context,
        &RhwState::default(),
        &quad(0.0, 0.0, 8.0, 8.0, 0.5, !0),
    );
    assert_eq!(r.query_result(event, false).unwrap(), None, "not submitted");
    assert_eq!(count(&mut r, event), 1);
    // Again, with nothing recorded since the last submission.
    r.signal_query(event).unwrap();
    assert_eq!(r.query_result(event, true).unwrap(), Some(1));
    // The answer of an earlier signal does not count for a later one.
    draw(
        &mut r,
        &context,
        &RhwState::default(),
        &quad(0.0, 0.0, 8.0, 8.0, 0.5, !0),
    );
    r.signal_query(event).unwrap();
    r.flush().unwrap();
    r.signal_query(event).unwrap();
    assert_eq!(count(&mut r, event), 1);
}

#[test]
fn timestamps_follow_one_another() {
    let mut r = gpu_or_skip!();
    let context = r.create_context(64, 64).unwrap();
    let stamps: Vec<Query> = (0..3).map(|_| r.create_query().unwrap()).collect();
    for &stamp in &stamps {
        match r.stamp_query(stamp) {
            Err(error) => {
                assert_eq!(error.kind(), ninefold_renderer::ErrorKind::Unsupported);
                return;
            }
            Ok(()) => draw(
                &mut r,
                &context,
                &RhwState::default(),
                &quad(0.0, 0.0, 64.0, 64.0, 0.5, !0),
            ),
        }
    }
    assert_eq!(r.query_result(stamps[0], false).unwrap(), None);
    let times: Vec<u64> = stamps.iter().map(|&stamp| count(&mut r, stamp)).collect();
    assert!(times[0] > 0 && times.is_sorted(), "{times:?}");
    // Far more of them than one set holds.
    for _ in 0..1500 {
        r.stamp_query(stamps[0]).unwrap();
    }
    assert!(count(&mut r, stamps[0]) >= times[2]);
}
