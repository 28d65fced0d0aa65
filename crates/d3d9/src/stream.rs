//! Vertex streams and indices.

use crate::device::Device;
use crate::handle::{IndexBufferHandle, VertexBufferHandle};
use crate::hresult::Result;
use crate::types::StreamSource;

impl Device {
    /// `SetStreamSource`: streams 0 to 15, `stride` in bytes.
    pub fn set_stream_source(
        &mut self,
        stream: u32,
        buffer: Option<VertexBufferHandle>,
        offset: u32,
        stride: u32,
    ) -> Result<()> {
        todo!()
    }

    /// `GetStreamSource`: adds a reference.
    pub fn get_stream_source(&mut self, stream: u32) -> Result<StreamSource> {
        todo!()
    }

    /// `SetStreamSourceFreq`.
    pub fn set_stream_source_freq(&mut self, stream: u32, setting: u32) -> Result<()> {
        todo!()
    }

    /// `GetStreamSourceFreq`.
    pub fn get_stream_source_freq(&mut self, stream: u32) -> Result<u32> {
        todo!()
    }

    /// `SetIndices`.
    pub fn set_indices(&mut self, buffer: Option<IndexBufferHandle>) -> Result<()> {
        todo!()
    }

    /// `GetIndices`: adds a reference.
    pub fn get_indices(&mut self) -> Result<Option<IndexBufferHandle>> {
        todo!()
    }
}
