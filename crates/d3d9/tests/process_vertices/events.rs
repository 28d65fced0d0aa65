//! What is told of the first calls.

use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::*;

/// Fields of the events, as text.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<String>>>);

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0 += &format!("{}={value:?} ", field.name());
    }
}

impl Subscriber for Told {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "ninefold::process_vertices"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields(String::new());
        event.record(&mut fields);
        self.0.lock().unwrap().push(fields.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[test]
fn twenty_calls_and_eight_successes_are_traced() {
    for trace in [false, true] {
        let settings = VertexSettings {
            trace,
            ..VertexSettings::default()
        };
        let Some(mut d) = ways::processing(settings) else {
            return;
        };
        d.set_fvf(D3DFVF_XYZ).unwrap();
        let from = buffer(&mut d, 0, &[0; 24]);
        d.set_stream_source(0, Some(from), 0, 12).unwrap();
        let to = blank(&mut d, D3DFVF_XYZ, 24);
        let told = Told::default();
        tracing::subscriber::with_default(told.clone(), || {
            for n in 0..30 {
                let ok = d.process_vertices(n % 3, 0, 1, to, None, 0).is_ok();
                assert_eq!(ok, n % 3 != 2);
            }
        });
        let events = told.0.lock().unwrap();
        let count = |done| events.iter().filter(|e| e.contains(done)).count();
        let (calls, successes) = if trace { (20, 8) } else { (0, 0) };
        assert_eq!(
            (count("done=false"), count("done=true")),
            (calls, successes)
        );
        assert!(!trace || events[0] == "source=0 index=0 count=1 flags=0 done=false ");
    }
}
