//! Draw calls.

use crate::device::Device;
use crate::hresult::Result;

impl Device {
    /// `DrawPrimitive`.
    pub fn draw_primitive(&mut self, primitive: u32, start_vertex: u32, count: u32) -> Result<()> {
        todo!()
    }

    /// `DrawIndexedPrimitive`.
    pub fn draw_indexed_primitive(
        &mut self,
        primitive: u32,
        base_vertex: i32,
        min_index: u32,
        vertex_count: u32,
        start_index: u32,
        count: u32,
    ) -> Result<()> {
        todo!()
    }

    /// `DrawPrimitiveUP`: unbinds stream 0 afterwards.
    pub fn draw_primitive_up(
        &mut self,
        primitive: u32,
        count: u32,
        vertices: &[u8],
        stride: u32,
    ) -> Result<()> {
        todo!()
    }

    /// `DrawIndexedPrimitiveUP`: `vertices` begins with vertex 0, `indices` are bytes of `format`
    /// (`D3DFMT_INDEX16` or `D3DFMT_INDEX32`). Unbinds stream 0 and the indices afterwards.
    pub fn draw_indexed_primitive_up(
        &mut self,
        primitive: u32,
        min_index: u32,
        vertex_count: u32,
        count: u32,
        indices: &[u8],
        format: u32,
        vertices: &[u8],
        stride: u32,
    ) -> Result<()> {
        todo!()
    }
}
