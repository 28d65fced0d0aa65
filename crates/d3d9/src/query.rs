//! Queries.

use std::time::Instant;

use ninefold_renderer::{ErrorKind, Renderer};

use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::{Fault, Outcome};
use crate::handle::{QueryHandle, Weigh};
use crate::hresult::{HResult, Result};
use crate::types::QueryData;

/// Where a query stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    New,
    Counting,
    Ended,
}

/// An `IDirect3DQuery9`.
#[derive(Debug)]
pub(crate) struct Query {
    kind: u32,
    phase: Phase,
    /// What the GPU answers: events, occlusion, timestamps.
    native: Option<ninefold_renderer::Query>,
    /// The CPU's time, for adapters without timestamps.
    at: Option<Instant>,
    answer: Option<QueryData>,
}

impl Query {
    /// Gives back what the renderer keeps for it.
    pub(crate) fn destroy(self, renderer: &mut Renderer) {
        if let Some(query) = self.native {
            renderer.destroy_query(query);
        }
    }
}

impl Weigh for Query {
    fn bytes(&self) -> u64 {
        0
    }
}

const TICKS_PER_SECOND: u64 = 1_000_000_000;

impl Device {
    /// Whether `CreateQuery` would make a query of this `D3DQUERYTYPE_*` (its null form).
    ///
    /// # Errors
    /// `D3DERR_NOTAVAILABLE` for kinds this device lacks.
    pub fn check_query(&mut self, kind: u32) -> Result<()> {
        self.call(|_| available(kind))
    }

    /// `CreateQuery`: event, occlusion, timestamp, timestamp frequency and disjoint.
    ///
    /// # Errors
    /// `D3DERR_NOTAVAILABLE` for the other kinds.
    pub fn create_query(&mut self, kind: u32) -> Result<QueryHandle> {
        self.recorded(
            |r, x| r.create_query(x, kind),
            |d| {
                available(kind)?;
                let native = match kind {
                    D3DQUERYTYPE_EVENT | D3DQUERYTYPE_OCCLUSION | D3DQUERYTYPE_TIMESTAMP => {
                        Some(d.renderer.create_query()?)
                    }
                    _ => None,
                };
                let query = Query {
                    kind,
                    phase: Phase::New,
                    native,
                    at: None,
                    answer: None,
                };
                Ok(QueryHandle(d.queries.insert(query, 1, 0)))
            },
        )
    }

    /// `IDirect3DQuery9::GetType`.
    pub fn query_get_type(&mut self, query: QueryHandle) -> Result<u32> {
        self.call(|d| Ok(d.queries.get(query.0).ok_or_else(|| stale("query"))?.kind))
    }

    /// `IDirect3DQuery9::Issue`: with `D3DISSUE_BEGIN` the query begins, without it ends. An answer
    /// that is there stays when a query ends that did not begin again.
    pub fn query_issue(&mut self, query: QueryHandle, flags: u32) -> Result<()> {
        self.recorded(
            |r, x| r.query_issue(x, query, flags),
            |d| {
                let Self {
                    queries, renderer, ..
                } = d;
                let q = queries.get_mut(query.0).ok_or_else(|| stale("query"))?;
                if flags & D3DISSUE_BEGIN != 0 {
                    if let (D3DQUERYTYPE_OCCLUSION, Some(native)) = (q.kind, q.native) {
                        renderer.begin_query(native)?;
                    }
                    q.phase = Phase::Counting;
                    q.answer = None;
                    return Ok(());
                }
                q.at = None;
                match (q.kind, q.native) {
                    (D3DQUERYTYPE_OCCLUSION, Some(native)) => match q.phase {
                        Phase::Ended => return Ok(()),
                        Phase::Counting => renderer.end_query(native)?,
                        // An end without a beginning counts nothing.
                        Phase::New => {
                            renderer.begin_query(native)?;
                            renderer.end_query(native)?;
                        }
                    },
                    (D3DQUERYTYPE_EVENT, Some(native)) => renderer.signal_query(native)?,
                    (D3DQUERYTYPE_TIMESTAMP, Some(native)) => match renderer.stamp_query(native) {
                        Err(error) if error.kind() == ErrorKind::Unsupported => {
                            q.at = Some(Instant::now());
                        }
                        other => other?,
                    },
                    _ => {}
                }
                q.phase = Phase::Ended;
                q.answer = None;
                Ok(())
            },
        )
    }

    /// `IDirect3DQuery9::GetData`: `None` (`S_FALSE`) while the GPU is not there yet,
    /// `QueryData::Unissued` before the first `query_issue`. What is recorded is submitted with
    /// `D3DGETDATA_FLUSH` and without: programs wait in loops that record nothing.
    pub fn query_get_data(&mut self, query: QueryHandle, flags: u32) -> Result<Option<QueryData>> {
        self.recorded(
            |r, x| r.query_get_data(x, query, flags),
            |d| {
                let started = d.started;
                let Self {
                    queries, renderer, ..
                } = d;
                let q = queries.get_mut(query.0).ok_or_else(|| stale("query"))?;
                match q.phase {
                    Phase::New => return Ok(Some(QueryData::Unissued)),
                    Phase::Counting => return Ok(None),
                    Phase::Ended => {}
                }
                if q.answer.is_some() {
                    return Ok(q.answer);
                }
                q.answer = match q.kind {
                    D3DQUERYTYPE_OCCLUSION => match q.native {
                        Some(native) if q.phase == Phase::Ended => renderer
                            .query_result(native, true)?
                            .map(QueryData::Occlusion),
                        _ => Some(QueryData::Occlusion(0)),
                    },
                    D3DQUERYTYPE_TIMESTAMP => match (q.at, q.native) {
                        (None, Some(native)) if q.phase == Phase::Ended => renderer
                            .query_result(native, true)?
                            .map(QueryData::Timestamp),
                        (at, _) => {
                            let at = at.unwrap_or_else(Instant::now);
                            let since = at.duration_since(started).as_nanos();
                            Some(QueryData::Timestamp(since as u64))
                        }
                    },
                    D3DQUERYTYPE_TIMESTAMPFREQ => {
                        Some(QueryData::TimestampFrequency(TICKS_PER_SECOND))
                    }
                    D3DQUERYTYPE_TIMESTAMPDISJOINT => Some(QueryData::TimestampDisjoint(false)),
                    _ => match q.native {
                        Some(native) if q.phase == Phase::Ended => renderer
                            .query_result(native, true)?
                            .map(|_| QueryData::Event(true)),
                        _ => Some(QueryData::Event(true)),
                    },
                };
                Ok(q.answer)
            },
        )
    }
}

fn available(kind: u32) -> Outcome<()> {
    match kind {
        D3DQUERYTYPE_EVENT
        | D3DQUERYTYPE_OCCLUSION
        | D3DQUERYTYPE_TIMESTAMP
        | D3DQUERYTYPE_TIMESTAMPFREQ
        | D3DQUERYTYPE_TIMESTAMPDISJOINT => Ok(()),
        _ => Err(Fault::new(
            HResult::NOTAVAILABLE,
            format!("kind: no queries of type {kind}"),
        )),
    }
}
