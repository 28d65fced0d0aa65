//! `IDirect3DVertexDeclaration9`.

use ninefold_d3d9::VertexDeclarationHandle;

use crate::abi::VertexElement;
use crate::object::*;
use crate::pointer::*;
use crate::vtable::vtable;

/// `D3DDECL_END()`.
pub(crate) const END: VertexElement = VertexElement {
    stream: 0xFF,
    offset: 0,
    ty: 17,
    method: 0,
    usage: 0,
    usage_index: 0,
};

/// The count includes the end marker.
extern "C" fn get_declaration(
    this: This<VertexDeclarationHandle>,
    elements: Out<VertexElement>,
    count: Out<u32>,
) -> Hr {
    this.call(|s, declaration| {
        count.check()?;
        let ours = s.device.vertex_declaration_get_declaration(declaration)?;
        count.set(ours.len() as u32 + 1)?;
        if elements.is_null() {
            return Ok(());
        }
        let mut list: Vec<VertexElement> = ours.iter().map(|e| (*e).into()).collect();
        list.push(END);
        elements.copy_from(&list)
    })
}

vtable! {
    /// `IDirect3DVertexDeclaration9Vtbl`.
    DECLARATION: DeclarationTable {
        QueryInterface: query_interface::<VertexDeclarationHandle>,
        AddRef: add_ref::<VertexDeclarationHandle>,
        Release: release::<VertexDeclarationHandle>,
        GetDevice: get_device::<VertexDeclarationHandle>,
        GetDeclaration: get_declaration,
    }
}
