//! Occlusion queries. Direct3D's may overlap and span passes and submissions; the GPU counts one
//! at a time inside one pass. So counting is cut into segments, each belonging to all queries
//! that were counting then.

use std::collections::VecDeque;

use ninefold_gpu::{Commands, Gpu, QuerySet, Readback};
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};

/// An occlusion query (`D3DQUERYTYPE_OCCLUSION`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Query(u32);

/// Segments of one command buffer before a new set is taken.
const SEGMENTS: u32 = 1024;
/// Queries alive at once.
const QUERIES: usize = 65_536;

#[derive(Default)]
struct QueryState {
    total: u64,
    /// Segments that the GPU has not counted yet.
    outstanding: u32,
    counting: bool,
    /// Grows with every begin: counts for an earlier begin are dropped.
    round: u32,
}

struct Segment {
    index: u32,
    owners: Vec<(Query, u32)>,
}

struct Submitted {
    readback: Readback,
    segments: Vec<Segment>,
}

/// What is read back with one command buffer.
pub(crate) struct Reads(Vec<Submitted>);

pub(crate) struct Queries {
    states: FxHashMap<Query, QueryState>,
    next: u32,
    counting: Vec<Query>,
    set: Option<QuerySet>,
    used: u32,
    /// Whether the open pass was begun with `set`.
    attached: bool,
    open: bool,
    segments: Vec<Segment>,
    full: Vec<(QuerySet, Vec<Segment>)>,
    submitted: VecDeque<Submitted>,
}

impl Queries {
    pub(crate) fn new() -> Self {
        Self {
            states: FxHashMap::default(),
            next: 0,
            counting: Vec::new(),
            set: None,
            used: 0,
            attached: false,
            open: false,
            segments: Vec::new(),
            full: Vec::new(),
            submitted: VecDeque::new(),
        }
    }

    pub(crate) fn create(&mut self) -> Result<Query> {
        if self.states.len() >= QUERIES {
            return Err(Error::state(format!("more than {QUERIES} queries")));
        }
        let query = Query(self.next);
        self.next += 1;
        self.states.insert(query, QueryState::default());
        Ok(query)
    }

    pub(crate) fn destroy(&mut self, query: Query) {
        self.states.remove(&query);
        self.counting.retain(|q| *q != query);
    }

    /// Whether some query is counting.
    #[inline]
    pub(crate) fn wants_set(&self) -> bool {
        !self.counting.is_empty()
    }

    /// Whether the open pass can count one more segment.
    pub(crate) fn has_set(&self) -> bool {
        self.attached && (self.open || self.used < SEGMENTS)
    }

    /// The set for the pass that is about to begin, if some query is counting.
    pub(crate) fn prepare_set(
        &mut self,
        gpu: &Gpu,
        commands: &mut Commands,
    ) -> Result<Option<QuerySet>> {
        self.attached = false;
        if self.counting.is_empty() {
            return Ok(None);
        }
        if self.used >= SEGMENTS
            && let Some(set) = self.set.take()
        {
            self.full.push((set, core::mem::take(&mut self.segments)));
        }
        if self.set.is_none() {
            let set = gpu.create_query_set(SEGMENTS)?;
            commands.reset_queries(&set, 0..SEGMENTS)?;
            self.used = 0;
            self.set = Some(set);
        }
        self.attached = true;
        Ok(self.set.clone())
    }

    /// Counts what follows, for all queries that are counting.
    #[inline]
    pub(crate) fn begin_segment(&mut self, commands: &mut Commands) -> Result<()> {
        if self.open || !self.attached || self.used >= SEGMENTS {
            return Ok(());
        }
        commands.begin_occlusion_query(self.used)?;
        self.open = true;
        let mut owners = Vec::with_capacity(self.counting.len());
        for query in &self.counting {
            if let Some(state) = self.states.get_mut(query) {
                state.outstanding += 1;
                owners.push((*query, state.round));
            }
        }
        self.segments.push(Segment {
            index: self.used,
            owners,
        });
        self.used += 1;
        Ok(())
    }

    pub(crate) fn end_segment(&mut self, commands: &mut Commands) -> Result<()> {
        if core::mem::take(&mut self.open) {
            commands.end_occlusion_query()?;
        }
        Ok(())
    }

    fn state(&mut self, query: Query) -> Result<&mut QueryState> {
        self.states
            .get_mut(&query)
            .ok_or_else(|| Error::args("the query does not exist"))
    }

    /// Starts counting from 0. The open segment must have been ended.
    pub(crate) fn begin(&mut self, query: Query) -> Result<()> {
        let state = self.state(query)?;
        state.total = 0;
        state.outstanding = 0;
        state.round = state.round.wrapping_add(1);
        if !core::mem::replace(&mut state.counting, true) {
            self.counting.push(query);
        }
        Ok(())
    }

    /// Stops counting. The open segment must have been ended.
    pub(crate) fn end(&mut self, query: Query) -> Result<()> {
        self.state(query)?.counting = false;
        self.counting.retain(|q| *q != query);
        Ok(())
    }

    /// Asks for the counts of the segments that were recorded.
    pub(crate) fn before_submit(&mut self, commands: &mut Commands) -> Result<Reads> {
        if let Some(set) = self.set.take() {
            self.full.push((set, core::mem::take(&mut self.segments)));
        }
        self.used = 0;
        self.attached = false;
        let mut reads = Vec::new();
        for (set, segments) in self.full.drain(..) {
            if !segments.is_empty() {
                let readback = commands.read_queries(&set, 0..segments.len() as u32)?;
                reads.push(Submitted { readback, segments });
            }
        }
        Ok(Reads(reads))
    }

    pub(crate) fn after_submit(&mut self, reads: Reads) {
        self.submitted.extend(reads.0);
    }

    /// The total of a query that has ended and whose segments are all counted.
    pub(crate) fn result(&mut self, query: Query) -> Result<Option<u64>> {
        self.poll()?;
        let state = self.state(query)?;
        if state.counting {
            return Err(Error::state("the query is still counting"));
        }
        Ok((state.outstanding == 0).then_some(state.total))
    }

    fn poll(&mut self) -> Result<()> {
        while let Some(front) = self.submitted.front() {
            if !front.readback.is_ready()? {
                break;
            }
            let Some(Submitted { readback, segments }) = self.submitted.pop_front() else {
                break;
            };
            let counts = readback.wait_counts()?;
            for segment in segments {
                let count = counts.get(segment.index as usize).copied().unwrap_or(0);
                for (query, round) in segment.owners {
                    if let Some(state) = self.states.get_mut(&query)
                        && state.round == round
                    {
                        state.total += count;
                        state.outstanding -= 1;
                    }
                }
            }
        }
        Ok(())
    }
}
