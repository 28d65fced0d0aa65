//! Queries.

use crate::device::Device;
use crate::handle::QueryHandle;
use crate::hresult::Result;
use crate::types::QueryData;

impl Device {
    /// Whether `CreateQuery` would make a query of this `D3DQUERYTYPE_*` (its null form).
    pub fn check_query(&mut self, kind: u32) -> Result<()> {
        todo!()
    }

    /// `CreateQuery`: event, occlusion, timestamp, timestamp frequency and disjoint.
    pub fn create_query(&mut self, kind: u32) -> Result<QueryHandle> {
        todo!()
    }

    /// `IDirect3DQuery9::GetType`.
    pub fn query_get_type(&mut self, query: QueryHandle) -> Result<u32> {
        todo!()
    }

    /// `IDirect3DQuery9::Issue`: `D3DISSUE_BEGIN` or `D3DISSUE_END`.
    pub fn query_issue(&mut self, query: QueryHandle, flags: u32) -> Result<()> {
        todo!()
    }

    /// `IDirect3DQuery9::GetData`: `None` (`S_FALSE`) while the GPU is not there yet. `D3DGETDATA_FLUSH`
    /// submits what is recorded.
    pub fn query_get_data(&mut self, query: QueryHandle, flags: u32) -> Result<Option<QueryData>> {
        todo!()
    }
}
