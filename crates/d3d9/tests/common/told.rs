//! What the device tells of itself: the events of one target.
#![allow(dead_code, unreachable_pub)]

use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// One event.
#[derive(Clone, Debug)]
pub struct Said {
    pub name: &'static str,
    pub level: Level,
    /// In their order.
    pub fields: Vec<(&'static str, String)>,
}

impl Said {
    /// Its fields in a line, each as `name=value;`.
    pub fn line(&self) -> String {
        let field = |(name, value): &(&str, String)| format!("{name}={value};");
        self.fields.iter().map(field).collect()
    }
}

impl Visit for Said {
    fn record_debug(&mut self, field: &Field, value: &dyn core::fmt::Debug) {
        self.fields.push((field.name(), format!("{value:?}")));
    }
}

/// Keeps the events of a target while it is the thread's subscriber.
#[derive(Clone)]
pub struct Told {
    target: &'static str,
    events: Arc<Mutex<Vec<Said>>>,
}

impl Told {
    pub fn of(target: &'static str) -> Self {
        Self {
            target,
            events: Arc::default(),
        }
    }

    /// What was told since the last time.
    pub fn take(&self) -> Vec<Said> {
        core::mem::take(&mut self.events.lock().unwrap())
    }
}

impl Subscriber for Told {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == self.target
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut said = Said {
            name: event.metadata().name(),
            level: *event.metadata().level(),
            fields: Vec::new(),
        };
        event.record(&mut said);
        self.events.lock().unwrap().push(said);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
