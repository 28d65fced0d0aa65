//! Where things lie in memory, for the test that compares with `d3d9.h`.

use crate::abi::*;
use crate::vtable::Slot;

/// Interfaces of `d3d9.h`, each with its methods' names and offsets in the vtable.
pub fn vtables() -> Vec<(&'static str, &'static [Slot])> {
    vec![
        ("IDirect3D9Ex", crate::direct3d::Direct3DTable::SLOTS),
        ("IDirect3DDevice9Ex", crate::device::DeviceTable::SLOTS),
        (
            "IDirect3DSwapChain9Ex",
            crate::swap_chain::SwapChainTable::SLOTS,
        ),
        ("IDirect3DTexture9", crate::texture::TextureTable::SLOTS),
        ("IDirect3DCubeTexture9", crate::texture::CubeTable::SLOTS),
        (
            "IDirect3DVolumeTexture9",
            crate::texture::VolumeTextureTable::SLOTS,
        ),
        ("IDirect3DSurface9", crate::surface::SurfaceTable::SLOTS),
        ("IDirect3DVolume9", crate::volume::VolumeTable::SLOTS),
        (
            "IDirect3DVertexBuffer9",
            crate::buffer::VertexBufferTable::SLOTS,
        ),
        (
            "IDirect3DIndexBuffer9",
            crate::buffer::IndexBufferTable::SLOTS,
        ),
        (
            "IDirect3DVertexDeclaration9",
            crate::declaration::DeclarationTable::SLOTS,
        ),
        (
            "IDirect3DVertexShader9",
            crate::shader::VertexShaderTable::SLOTS,
        ),
        (
            "IDirect3DPixelShader9",
            crate::shader::PixelShaderTable::SLOTS,
        ),
        (
            "IDirect3DStateBlock9",
            crate::state_block::StateBlockTable::SLOTS,
        ),
        ("IDirect3DQuery9", crate::query::QueryTable::SLOTS),
    ]
}

/// Structs of `d3d9.h`, each with its size in bytes.
pub fn sizes() -> Vec<(&'static str, usize)> {
    vec![
        ("RECT", size_of::<Rect>()),
        ("D3DRECT", size_of::<Rect>()),
        ("POINT", size_of::<Point>()),
        ("GUID", size_of::<Guid>()),
        ("D3DBOX", size_of::<Box3>()),
        ("D3DVIEWPORT9", size_of::<Viewport>()),
        ("D3DMATERIAL9", size_of::<Material>()),
        ("D3DLIGHT9", size_of::<Light>()),
        ("D3DMATRIX", size_of::<ninefold_d3d9::Matrix>()),
        ("D3DVERTEXELEMENT9", size_of::<VertexElement>()),
        ("D3DSURFACE_DESC", size_of::<SurfaceDesc>()),
        ("D3DVOLUME_DESC", size_of::<VolumeDesc>()),
        ("D3DVERTEXBUFFER_DESC", size_of::<VertexBufferDesc>()),
        ("D3DINDEXBUFFER_DESC", size_of::<IndexBufferDesc>()),
        ("D3DDISPLAYMODE", size_of::<DisplayMode>()),
        ("D3DDISPLAYMODEEX", size_of::<DisplayModeEx>()),
        ("D3DDISPLAYMODEFILTER", size_of::<DisplayModeFilter>()),
        ("D3DPRESENT_PARAMETERS", size_of::<PresentParameters>()),
        (
            "D3DDEVICE_CREATION_PARAMETERS",
            size_of::<CreationParameters>(),
        ),
        ("D3DLOCKED_RECT", size_of::<LockedRect>()),
        ("D3DLOCKED_BOX", size_of::<LockedBox>()),
        ("D3DRASTER_STATUS", size_of::<RasterStatus>()),
        ("D3DCLIPSTATUS9", size_of::<ClipStatus>()),
        ("D3DGAMMARAMP", size_of::<GammaRamp>()),
        ("D3DADAPTER_IDENTIFIER9", size_of::<AdapterIdentifier>()),
        ("D3DPRESENTSTATS", size_of::<PresentStats>()),
        ("D3DCAPS9", size_of::<crate::caps::D3DCAPS9>()),
    ]
}
