//! The report of every 600th frame.

use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::{RED, Scene, quad};

/// Fields of an event, in their order.
type Report = Vec<(&'static str, String)>;

/// The events of one target.
#[derive(Clone, Default)]
struct Reports(Arc<Mutex<Vec<Report>>>);

struct Fields(Report);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn core::fmt::Debug) {
        self.0.push((field.name(), format!("{value:?}")));
    }
}

impl Subscriber for Reports {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "ninefold::draw_traffic"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        assert_eq!(event.metadata().name(), "draw-traffic");
        let mut fields = Fields(Vec::new());
        event.record(&mut fields);
        self.0.lock().unwrap().push(fields.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[test]
fn every_600_frames_say_what_was_moved() {
    let Some(mut s) = Scene::with(|_| {}) else {
        return;
    };
    let mut bytes = quad(RED);
    bytes.resize(1 << 19, 0);
    let buffer = s.buffer(0, &bytes);
    s.bind(buffer);
    let reports = Reports::default();
    tracing::subscriber::with_default(reports.clone(), || {
        for frame in 0..1300 {
            if frame < 3 {
                assert!(s.draws(0, RED));
            }
            s.d.present().unwrap();
        }
    });
    let reports = reports.0.lock().unwrap();
    let [first, second] = &reports[..] else {
        panic!("{reports:?}")
    };
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
