//! Occlusion queries and timestamps.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use parking_lot::Mutex;
use wgpu_types as wgt;

use crate::device::Gpu;
use crate::error::{Result, invalid};
use crate::raw::RawQuerySet;

/// Largest number of queries in a set.
const MAX_QUERIES: u32 = 4096;

/// A set of occlusion queries (`D3DQUERYTYPE_OCCLUSION`) or of timestamps
/// (`D3DQUERYTYPE_TIMESTAMP`). Clones share it.
///
/// Each query is reset ([`crate::Commands::reset_queries`], outside passes),
/// then begun and ended once inside one pass, or written
/// ([`crate::Commands::write_timestamp`]), then read
/// ([`crate::Commands::read_queries`]).
///
/// Vulkan counts exactly only when asked to, which `wgpu-hal` does not do: a
/// driver may answer any number but 0 for a query in which samples passed.
/// Those of desktop GPUs and lavapipe count.
#[derive(Clone)]
pub struct QuerySet(pub(crate) Arc<QuerySetInner>);

pub(crate) struct QuerySetInner {
    pub(crate) raw: RawQuerySet,
    pub(crate) timestamps: bool,
    pub(crate) states: Mutex<Box<[QueryState]>>,
    pub(crate) kept: AtomicU64,
}

/// Where a query is between reset and read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum QueryState {
    Unknown,
    Reset,
    Done,
}

impl std::fmt::Debug for QuerySet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QuerySet")
            .field("len", &self.len())
            .finish()
    }
}

impl Gpu {
    /// Creates a set of `count` occlusion queries, 1 to 4096.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] for another count;
    /// [`crate::Error::OutOfMemory`]; [`crate::Error::DeviceLost`].
    pub fn create_query_set(&self, count: u32) -> Result<QuerySet> {
        self.create_set(count, false)
    }

    /// Creates a set of `count` timestamps, 1 to 4096.
    ///
    /// # Errors
    /// As [`Gpu::create_query_set`]; [`crate::Error::Invalid`] without
    /// [`crate::Caps::timestamps`].
    pub fn create_timestamp_set(&self, count: u32) -> Result<QuerySet> {
        if !self.caps().timestamps {
            return Err(invalid("the device has no timestamps"));
        }
        self.create_set(count, true)
    }

    /// Nanoseconds from one tick of timestamps to the next.
    #[must_use]
    pub fn timestamp_period(&self) -> f32 {
        self.shared().timestamp_period()
    }

    fn create_set(&self, count: u32, timestamps: bool) -> Result<QuerySet> {
        let shared = self.shared();
        shared.alive()?;
        if count == 0 || count > MAX_QUERIES {
            return Err(invalid(format!(
                "{count} queries, must be 1 to {MAX_QUERIES}"
            )));
        }
        let ty = match timestamps {
            true => wgt::QueryType::Timestamp,
            false => wgt::QueryType::Occlusion,
        };
        let desc = wgt::QuerySetDescriptor {
            label: None,
            ty,
            count,
        };
        // SAFETY: the caller checked that there are timestamps, occlusion queries need no
        // feature, and the count is not 0.
        let object = shared.check(unsafe { shared.device.create_query_set(&desc) })?;
        Ok(QuerySet(Arc::new(QuerySetInner {
            raw: RawQuerySet::new(shared, object),
            timestamps,
            states: Mutex::new(vec![QueryState::Unknown; count as usize].into()),
            kept: AtomicU64::new(0),
        })))
    }
}

impl QuerySet {
    /// Number of queries.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.0.states.lock().len() as u32
    }

    /// Never: a set has at least one query.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }
}
