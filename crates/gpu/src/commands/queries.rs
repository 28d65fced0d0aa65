//! Occlusion queries and timestamps.

use std::num::NonZeroU64;
use std::ops::Range;

use wgpu_hal as hal;

use super::Commands;
use super::draw::no_pass;
use crate::error::{Error, Result, invalid};
use crate::query::{QuerySet, QueryState};
use crate::readback::Readback;

impl Commands {
    /// Begins to count samples that pass in query `index` of the pass's set.
    ///
    /// # Errors
    /// [`Error::State`] without a pass with a set, inside a query, or for a query
    /// that was not reset since its last use; [`Error::Invalid`] for an index
    /// that the set does not have.
    pub fn begin_occlusion_query(&mut self, index: u32) -> Result<()> {
        let Some(pass) = &mut self.pass else {
            return Err(no_pass());
        };
        let Some(set) = &pass.occlusion else {
            return Err(Error::State("the pass has no query set"));
        };
        if pass.query.is_some() {
            return Err(Error::State("an occlusion query is open already"));
        }
        match set.0.states.lock().get_mut(index as usize) {
            None => return Err(invalid(format!("query {index} is not in the set"))),
            Some(state) if *state == QueryState::Reset => *state = QueryState::Unknown,
            Some(_) => return Err(Error::State("the query was not reset")),
        }
        pass.query = Some(index);
        let set = set.clone();
        // SAFETY: the pass was begun with this set; the query was reset.
        unsafe { self.encoder().begin_query(set.0.raw.get(), index) };
        self.note_queries(&set);
        Ok(())
    }

    /// Ends the open occlusion query.
    ///
    /// # Errors
    /// [`Error::State`] when none is open.
    pub fn end_occlusion_query(&mut self) -> Result<()> {
        let Some(pass) = &mut self.pass else {
            return Err(no_pass());
        };
        let (Some(index), Some(set)) = (pass.query.take(), pass.occlusion.clone()) else {
            return Err(Error::State("no occlusion query is open"));
        };
        if let Some(state) = set.0.states.lock().get_mut(index as usize) {
            *state = QueryState::Done;
        }
        // SAFETY: this query of this set is open.
        unsafe { self.encoder().end_query(set.0.raw.get(), index) };
        Ok(())
    }

    /// Writes the time when everything recorded before is done into query
    /// `index` of a set of timestamps.
    ///
    /// # Errors
    /// [`Error::State`] inside a pass, or for a query that was not reset since
    /// its last use; [`Error::Invalid`] for an index that the set does not have
    /// and for a set of occlusion queries.
    pub fn write_timestamp(&mut self, set: &QuerySet, index: u32) -> Result<()> {
        self.outside_pass("write_timestamp")?;
        if !set.0.timestamps || !self.owns(set.0.raw.shared()) {
            return Err(invalid(format!(
                "{set:?} holds no timestamps of this device"
            )));
        }
        match set.0.states.lock().get_mut(index as usize) {
            None => return Err(invalid(format!("query {index} is not in the set"))),
            Some(state) if *state == QueryState::Reset => *state = QueryState::Done,
            Some(_) => return Err(Error::State("the query was not reset")),
        }
        self.keep(&set.0);
        self.note_queries(set);
        // SAFETY: outside a pass; the query is in the set, which is kept, holds
        // timestamps and was reset.
        unsafe { self.encoder().write_timestamp(set.0.raw.get(), index) };
        Ok(())
    }

    /// Makes queries `range` of `set` ready to be begun or written.
    ///
    /// # Errors
    /// [`Error::State`] inside a pass; [`Error::Invalid`] when the range leaves
    /// the set.
    pub fn reset_queries(&mut self, set: &QuerySet, range: Range<u32>) -> Result<()> {
        self.outside_pass("reset_queries")?;
        self.set_queries(set, &range, QueryState::Reset)?;
        self.keep(&set.0);
        self.note_queries(set);
        // SAFETY: outside a pass, and the range is in the set, which is kept.
        unsafe { self.encoder().reset_queries(set.0.raw.get(), range) };
        Ok(())
    }

    /// Copies the counts or times of queries `range` of `set`, each begun and ended or
    /// written since its last reset, into memory that the program can read once these commands
    /// are done ([`Readback::wait_counts`]).
    ///
    /// # Errors
    /// [`Error::State`] inside a pass, or when one of the queries has no count;
    /// [`Error::Invalid`] when the range is empty or leaves the set.
    pub fn read_queries(&mut self, set: &QuerySet, range: Range<u32>) -> Result<Readback> {
        self.outside_pass("read_queries")?;
        let in_set = !range.is_empty() && range.end <= set.len() && self.owns(set.0.raw.shared());
        if !in_set {
            return Err(invalid(format!("queries {range:?} of {set:?}")));
        }
        let done = set.0.states.lock()[range.start as usize..range.end as usize]
            .iter()
            .all(|state| *state == QueryState::Done);
        if !done {
            return Err(Error::State("reading a query that was not begun and ended"));
        }
        let each = hal::QUERY_SIZE;
        let bytes = each * range.len() as u64;
        let buffer = self.read_buffer(bytes)?;
        self.keep(&set.0);
        self.touch_buffer(&buffer.0);
        self.keep_buffer(&buffer);
        let Some((encoder, states)) = self.side(false) else {
            return Err(Error::DeviceLost);
        };
        states.write_buffer(encoder, &buffer);
        let stride = NonZeroU64::new(each).expect("eight");
        let (raw_set, raw_buffer) = (set.0.raw.get(), buffer.0.raw.get());
        // SAFETY: outside a pass; every query in the range has a result; the
        // buffer has room for them and is ready for copies; both are kept.
        unsafe { encoder.copy_query_results(raw_set, range, raw_buffer, 0, stride) };
        Ok(self.readback(buffer, bytes as usize, bytes as usize, 1))
    }

    /// Remembers that these commands change states of `set`.
    pub(super) fn note_queries(&mut self, set: &QuerySet) {
        if !self
            .queries
            .iter()
            .any(|have| std::sync::Arc::ptr_eq(&have.0, &set.0))
        {
            self.queries.push(set.clone());
        }
    }

    fn set_queries(&self, set: &QuerySet, range: &Range<u32>, to: QueryState) -> Result<()> {
        let mut states = set.0.states.lock();
        match states.get_mut(range.start as usize..range.end as usize) {
            Some(states) if !states.is_empty() && self.owns(set.0.raw.shared()) => {
                states.fill(to);
                Ok(())
            }
            _ => Err(invalid(format!(
                "queries {range:?} of a set of {}",
                states.len()
            ))),
        }
    }
}
