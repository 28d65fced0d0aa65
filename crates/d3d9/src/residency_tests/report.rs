//! The report of every 600th frame.

use super::told::Told;
use super::{RED, Scene, quad};

#[test]
fn every_600_frames_say_what_was_moved() {
    let Some(mut s) = Scene::with(|_| {}) else {
        return;
    };
    let mut bytes = quad(RED);
    bytes.resize(1 << 19, 0);
    let buffer = s.buffer(0, &bytes);
    s.bind(buffer);
    let told = Told::of("ninefold::draw_traffic");
    tracing::subscriber::with_default(told.clone(), || {
        for frame in 0..1300 {
            if frame < 3 {
                assert!(s.draws(0, RED));
            }
            s.d.present().unwrap();
        }
    });
    let reports = told.take();
    let [first, second] = &reports[..] else {
        panic!("{reports:?}")
    };
    assert_eq!([first.name, second.name], ["draw-traffic"; 2]);
    let (first, second) = (&first.fields, &second.fields);
    // 3 draws of 4 vertices of 20 bytes; half a megabyte has a copy.
    let folded = s.d.traffic().folded_clears.to_string();
    let expected = [
        ("frame", "600"),
        ("residentDraws", "3"),
        ("residentMB", "0.0"),
        ("arenaVertexMB", "0.0"),
        ("copies", "1"),
        ("mismatches", "0"),
        ("foldedClears", &folded),
        ("fast", "1"),
        ("cacheMB", "0.5"),
        ("peakCacheMB", "0.5"),
        ("budgetFallbacks", "0"),
    ];
    let expected = expected.map(|(name, value)| (name, value.to_owned()));
    assert_eq!(*first, expected);
    assert_eq!(second[0], ("frame", "1200".to_owned()));
    assert_eq!(first[1..], second[1..]);
}
