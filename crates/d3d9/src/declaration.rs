//! Vertex declarations and FVF codes.

use crate::device::Device;
use crate::handle::VertexDeclarationHandle;
use crate::hresult::Result;
use crate::types::VertexElement;

impl Device {
    /// `CreateVertexDeclaration`: the elements without the end marker.
    pub fn create_vertex_declaration(
        &mut self,
        elements: &[VertexElement],
    ) -> Result<VertexDeclarationHandle> {
        todo!()
    }

    /// `SetVertexDeclaration`.
    pub fn set_vertex_declaration(
        &mut self,
        declaration: Option<VertexDeclarationHandle>,
    ) -> Result<()> {
        todo!()
    }

    /// `GetVertexDeclaration`: adds a reference.
    pub fn get_vertex_declaration(&mut self) -> Result<Option<VertexDeclarationHandle>> {
        todo!()
    }

    /// `IDirect3DVertexDeclaration9::GetDeclaration`: the elements without the end marker.
    pub fn vertex_declaration_get_declaration(
        &mut self,
        declaration: VertexDeclarationHandle,
    ) -> Result<&[VertexElement]> {
        todo!()
    }

    /// `SetFVF`: replaces the declaration.
    pub fn set_fvf(&mut self, fvf: u32) -> Result<()> {
        todo!()
    }

    /// `GetFVF`: 0 when a declaration was set.
    pub fn get_fvf(&self) -> u32 {
        todo!()
    }
}
