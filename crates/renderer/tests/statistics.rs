//! Counters are plain structs, and the same by name as events.

mod common;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use common::{quad, texture};
use ninefold_renderer::{CachedTexture, ImageKind, RhwState};
use tracing::field::{Field, Visit};
use tracing::span;
use tracing::{Event, Metadata, Subscriber};

type Fields = BTreeMap<String, f64>;

/// Notes the numbers of events by name.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<(String, Fields)>>>);

struct Numbers(Fields);

impl Visit for Numbers {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        let number = format!("{value:?}").parse();
        self.0
            .insert(field.name().to_owned(), number.unwrap_or(f64::NAN));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.insert(field.name().to_owned(), value);
    }
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("ninefold") && metadata.target().ends_with("_stats")
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut numbers = Numbers(Fields::new());
        event.record(&mut numbers);
        let name = event.metadata().name().to_owned();
        self.0.lock().unwrap().push((name, numbers.0));
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// The fields of a struct by the text that `Debug` gives.
fn fields_of(debug: &str) -> Vec<(String, String)> {
    let inside = debug.split_once('{').unwrap().1.trim_end_matches('}');
    inside
        .split(", ")
        .map(|field| {
            let (name, value) = field.split_once(':').unwrap();
            (name.trim().to_owned(), value.trim().to_owned())
        })
        .collect()
}

#[test]
fn events_have_the_fields_of_the_structs() {
    let Some(mut r) = common::renderer() else {
        return;
    };
    let context = r.create_context(4, 4).unwrap();
    let image = texture(&mut r, 1, 1, &[!0]);
    let cached = CachedTexture {
        kind: ImageKind::D2,
        width: 8,
        height: 8,
        depth: 1,
        texels: &[0; 256],
        mips: false,
    };
    r.create_cached_texture(7, &cached).unwrap();
    r.clear_context(&context, 1).unwrap();
    let vertices = quad(0.0, 0.0, 4.0, 4.0, 0.5, !0);
    for texture in [None, Some(image)] {
        let state = RhwState {
            texture,
            ..RhwState::default()
        };
        common::draw(&mut r, &context, &state, &vertices);
    }
    r.flush().unwrap();
    let (stats, pipelines) = (r.stats(), r.pipeline_stats());
    assert_eq!((stats.draws, stats.submissions), (2, 1));
    assert_eq!(
        (stats.cached_textures, stats.cached_texture_bytes),
        (1, 256)
    );
    assert_eq!(pipelines.draw_builds, 2);
    let listener = Listener::default();
    tracing::subscriber::with_default(listener.clone(), || {
        r.tell_stats();
        drop(r);
    });
    let told = listener.0.lock().unwrap();
    let names: Vec<&str> = told.iter().map(|(name, _)| &name[..]).collect();
    let both = ["pipeline-stats", "renderer-stats"];
    assert_eq!(names, [both, both].concat(), "asked, and when it goes");
    for ((_, told), debug) in told
        .iter()
        .zip([format!("{pipelines:?}"), format!("{stats:?}")])
    {
        let fields = fields_of(&debug);
        assert_eq!(told.len(), fields.len(), "{told:?} {debug}");
        for (name, value) in fields {
            let got = told.get(&name).unwrap_or_else(|| panic!("{name}"));
            // Times are milliseconds there and durations here.
            match value.parse::<f64>() {
                Ok(number) => assert_eq!(*got, number, "{name}"),
                Err(_) => assert!(got.is_finite(), "{name} is {value}"),
            }
        }
    }
    assert!(told[0].1["draw_build_time"] > 0.0);
}
