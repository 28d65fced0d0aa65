//! Queries. Direct3D's occlusion queries may overlap and span passes and submissions; the GPU counts
//! one at a time inside one pass. So counting is cut into segments, each belonging to all queries
//! that were counting then. Timestamps are segments of one query in a set of their own, and events
//! wait for the fence of the submission they are in.

use std::collections::VecDeque;

use ninefold_gpu::{Commands, FenceValue, Gpu, QuerySet, Readback};
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};

/// An occlusion query, a timestamp or an event (`D3DQUERYTYPE_OCCLUSION`, `D3DQUERYTYPE_TIMESTAMP`,
/// `D3DQUERYTYPE_EVENT`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Query(u32);

/// Segments of one command buffer before a new set is taken.
const SEGMENTS: u32 = 1024;
/// Queries alive at once.
const QUERIES: usize = 65_536;

#[derive(Default)]
struct QueryState {
    total: u64,
    /// Segments, or the event, that the GPU has not come to yet.
    outstanding: u32,
    counting: bool,
    /// The total is a time in ticks.
    stamp: bool,
    /// Grows with every begin: counts for an earlier begin are dropped.
    round: u32,
}

struct Segment {
    index: u32,
    owners: Vec<(Query, u32)>,
}

/// What was submitted and is waited for.
enum Submitted {
    Counts {
        readback: Readback,
        segments: Vec<Segment>,
    },
    Events {
        fence: FenceValue,
        owners: Vec<(Query, u32)>,
    },
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
    /// What is drawn is not counted.
    paused: bool,
    segments: Vec<Segment>,
    stamp_set: Option<QuerySet>,
    stamps: Vec<Segment>,
    full: Vec<(QuerySet, Vec<Segment>)>,
    events: Vec<(Query, u32)>,
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
            paused: false,
            segments: Vec::new(),
            stamp_set: None,
            stamps: Vec::new(),
            full: Vec::new(),
            events: Vec::new(),
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
        if self.open || self.paused || !self.attached || self.used >= SEGMENTS {
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

    /// Counts nothing until [`resume`](Self::resume). The open segment must have been ended.
    pub(crate) fn pause(&mut self) {
        self.paused = true;
    }

    pub(crate) fn resume(&mut self) {
        self.paused = false;
    }

    fn state(&mut self, query: Query) -> Result<&mut QueryState> {
        self.states
            .get_mut(&query)
            .ok_or_else(|| Error::args("the query does not exist"))
    }

    /// Starts counting from 0. The open segment must have been ended.
    pub(crate) fn begin(&mut self, query: Query) -> Result<()> {
        let state = self.restart(query)?;
        if !core::mem::replace(&mut state.counting, true) {
            self.counting.push(query);
        }
        Ok(())
    }

    /// Forgets what a query found.
    fn restart(&mut self, query: Query) -> Result<&mut QueryState> {
        let state = self.state(query)?;
        state.total = 0;
        state.outstanding = 0;
        state.stamp = false;
        state.round = state.round.wrapping_add(1);
        Ok(state)
    }

    /// Notes the time when everything recorded before is done. Outside a pass.
    pub(crate) fn stamp(&mut self, gpu: &Gpu, commands: &mut Commands, query: Query) -> Result<()> {
        if self.stamps.len() >= SEGMENTS as usize
            && let Some(set) = self.stamp_set.take()
        {
            self.full.push((set, core::mem::take(&mut self.stamps)));
        }
        let set = match &self.stamp_set {
            Some(set) => set.clone(),
            None => {
                let set = gpu.create_timestamp_set(SEGMENTS)?;
                commands.reset_queries(&set, 0..SEGMENTS)?;
                self.stamp_set = Some(set.clone());
                set
            }
        };
        let index = self.stamps.len() as u32;
        let state = self.restart(query)?;
        (state.outstanding, state.stamp) = (1, true);
        let owners = vec![(query, state.round)];
        commands.write_timestamp(&set, index)?;
        self.stamps.push(Segment { index, owners });
        Ok(())
    }

    /// The query's total becomes 1 when everything recorded before is done.
    pub(crate) fn signal(&mut self, query: Query) -> Result<()> {
        let state = self.restart(query)?;
        state.outstanding = 1;
        let owner = (query, state.round);
        self.events.push(owner);
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
        if let Some(set) = self.stamp_set.take() {
            self.full.push((set, core::mem::take(&mut self.stamps)));
        }
        let mut reads = Vec::new();
        for (set, segments) in self.full.drain(..) {
            if !segments.is_empty() {
                let readback = commands.read_queries(&set, 0..segments.len() as u32)?;
                reads.push(Submitted::Counts { readback, segments });
            }
        }
        Ok(Reads(reads))
    }

    pub(crate) fn after_submit(&mut self, reads: Reads, fence: FenceValue) {
        self.submitted.extend(reads.0);
        self.wait_for(Some(fence));
    }

    /// Lets the events wait for a submission; `None` when there never was one.
    pub(crate) fn wait_for(&mut self, fence: Option<FenceValue>) {
        if self.events.is_empty() {
            return;
        }
        let owners = core::mem::take(&mut self.events);
        match fence {
            Some(fence) => self
                .submitted
                .push_back(Submitted::Events { fence, owners }),
            None => self.add(owners, 1),
        }
    }

    /// The total of a query that has ended and whose segments are all counted.
    pub(crate) fn result(&mut self, gpu: &Gpu, query: Query) -> Result<Option<u64>> {
        self.poll(gpu)?;
        let state = self.state(query)?;
        if state.counting {
            return Err(Error::state("the query is still counting"));
        }
        if state.outstanding != 0 {
            return Ok(None);
        }
        Ok(Some(match state.stamp {
            true => (state.total as f64 * f64::from(gpu.timestamp_period())) as u64,
            false => state.total,
        }))
    }

    fn poll(&mut self, gpu: &Gpu) -> Result<()> {
        while let Some(front) = self.submitted.front() {
            let ready = match front {
                Submitted::Counts { readback, .. } => readback.is_ready()?,
                Submitted::Events { fence, .. } => gpu.is_complete(*fence)?,
            };
            if !ready {
                break;
            }
            match self.submitted.pop_front() {
                Some(Submitted::Counts { readback, segments }) => {
                    let counts = readback.wait_counts()?;
                    for segment in segments {
                        let count = counts.get(segment.index as usize).copied();
                        self.add(segment.owners, count.unwrap_or(0));
                    }
                }
                Some(Submitted::Events { owners, .. }) => self.add(owners, 1),
                None => break,
            }
        }
        Ok(())
    }

    /// Adds what one segment found to its queries.
    fn add(&mut self, owners: Vec<(Query, u32)>, found: u64) {
        for (query, round) in owners {
            if let Some(state) = self.states.get_mut(&query)
                && state.round == round
            {
                state.total += found;
                state.outstanding -= 1;
            }
        }
    }
}
