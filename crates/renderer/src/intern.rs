use core::hash::Hash;

use rustc_hash::FxHashMap;

use crate::error::{Error, Result};

/// Numbers distinct values 0, 1, 2, ... in the order they come; a number is never reused.
pub(crate) struct Interner<T> {
    ids: FxHashMap<T, u32>,
    values: Vec<T>,
    what: &'static str,
}

/// Values of one kind that are kept at most. Programs use tens; a program that makes states
/// without end must not take memory without end.
const LIMIT: usize = 65_536;

impl<T: Hash + Eq + Clone> Interner<T> {
    pub(crate) fn new(what: &'static str) -> Self {
        Self {
            ids: FxHashMap::default(),
            values: Vec::new(),
            what,
        }
    }

    pub(crate) fn intern(&mut self, value: &T) -> Result<u32> {
        if let Some(&id) = self.ids.get(value) {
            return Ok(id);
        }
        if self.values.len() >= LIMIT {
            return Err(Error::state(format!(
                "more than {LIMIT} distinct {}",
                self.what
            )));
        }
        let id = self.values.len() as u32;
        self.values.push(value.clone());
        self.ids.insert(value.clone(), id);
        Ok(id)
    }

    pub(crate) fn get(&self, id: u32) -> Result<&T> {
        self.values.get(id as usize).ok_or_else(|| {
            Error::args(format!(
                "id {id} is not one of this renderer's {}",
                self.what
            ))
        })
    }
}
