//! Scenes, clears, draws and presenting.

use super::super::names;
use super::objects::{Traced, or_null};
use super::{Recorder, method, values};
use crate::handle::{SurfaceHandle, SwapChainHandle, VertexBufferHandle, VertexDeclarationHandle};
use crate::hresult::Result;
use crate::types::{PresentParameters, Rect};

impl Recorder {
    pub(crate) fn begin_scene(&mut self, result: &Result<()>) {
        self.device(result, method!("IDirect3DDevice9::BeginScene"), |_| {});
    }

    pub(crate) fn end_scene(&mut self, result: &Result<()>) {
        self.device(result, method!("IDirect3DDevice9::EndScene"), |_| {});
    }

    pub(crate) fn clear(
        &mut self,
        result: &Result<()>,
        rects: &[Rect],
        flags: u32,
        color: u32,
        z: f32,
        stencil: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::Clear",
            "Count",
            "pRects",
            "Flags",
            "Color",
            "Z",
            "Stencil"
        );
        self.device(result, function, |v| {
            v.uint(rects.len() as u64);
            if rects.is_empty() {
                v.null();
            } else {
                v.array(rects.iter(), values::d3d_rect);
            }
            v.flags(&names::CLEAR, flags.into());
            v.uint(color.into());
            v.float(z);
            v.uint(stencil.into());
        });
    }

    pub(crate) fn draw_primitive(
        &mut self,
        result: &Result<()>,
        primitive: u32,
        start: u32,
        count: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::DrawPrimitive",
            "PrimitiveType",
            "StartVertex",
            "PrimitiveCount"
        );
        self.device(result, function, |v| {
            values::named(v, &names::PRIMITIVETYPE, primitive);
            v.uint(start.into());
            v.uint(count.into());
        });
    }

    #[expect(clippy::too_many_arguments, reason = "the arguments of D3D9's method")]
    pub(crate) fn draw_indexed_primitive(
        &mut self,
        result: &Result<()>,
        primitive: u32,
        base_vertex: i32,
        min_index: u32,
        vertex_count: u32,
        start_index: u32,
        count: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::DrawIndexedPrimitive",
            "PrimitiveType",
            "BaseVertexIndex",
            "MinVertexIndex",
            "NumVertices",
            "startIndex",
            "primCount"
        );
        self.device(result, function, |v| {
            values::named(v, &names::PRIMITIVETYPE, primitive);
            v.int(base_vertex.into());
            for n in [min_index, vertex_count, start_index, count] {
                v.uint(n.into());
            }
        });
    }

    pub(crate) fn draw_primitive_up(
        &mut self,
        result: &Result<()>,
        primitive: u32,
        count: u32,
        vertices: &[u8],
        stride: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::DrawPrimitiveUP",
            "PrimitiveType",
            "PrimitiveCount",
            "pVertexStreamZeroData",
            "VertexStreamZeroStride"
        );
        self.device(result, function, |v| {
            values::named(v, &names::PRIMITIVETYPE, primitive);
            v.uint(count.into());
            v.blob(vertices);
            v.uint(stride.into());
        });
    }

    #[expect(clippy::too_many_arguments, reason = "the arguments of D3D9's method")]
    pub(crate) fn draw_indexed_primitive_up(
        &mut self,
        result: &Result<()>,
        primitive: u32,
        min_index: u32,
        vertex_count: u32,
        count: u32,
        indices: &[u8],
        format: u32,
        vertices: &[u8],
        stride: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::DrawIndexedPrimitiveUP",
            "PrimitiveType",
            "MinVertexIndex",
            "NumVertices",
            "PrimitiveCount",
            "pIndexData",
            "IndexDataFormat",
            "pVertexStreamZeroData",
            "VertexStreamZeroStride"
        );
        self.device(result, function, |v| {
            values::named(v, &names::PRIMITIVETYPE, primitive);
            for n in [min_index, vertex_count, count] {
                v.uint(n.into());
            }
            v.blob(indices);
            values::named(v, &names::FORMAT, format);
            v.blob(vertices);
            v.uint(stride.into());
        });
    }

    #[expect(clippy::too_many_arguments, reason = "the arguments of D3D9's method")]
    pub(crate) fn process_vertices(
        &mut self,
        result: &Result<()>,
        source: u32,
        index: u32,
        count: u32,
        destination: VertexBufferHandle,
        declaration: Option<VertexDeclarationHandle>,
        flags: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::ProcessVertices",
            "SrcStartIndex",
            "DestIndex",
            "VertexCount",
            "pDestBuffer",
            "pVertexDecl",
            "Flags"
        );
        self.device(result, function, |v| {
            for n in [source, index, count] {
                v.uint(n.into());
            }
            v.pointer(destination.address());
            v.pointer(or_null(declaration));
            v.flags(&names::PROCESS_VERTICES, flags.into());
        });
    }

    pub(crate) fn present(&mut self, result: &Result<()>) {
        let function = method!(
            "IDirect3DDevice9::Present",
            "pSourceRect",
            "pDestRect",
            "hDestWindowOverride",
            "pDirtyRegion"
        );
        self.device(result, function, |v| (0..4).for_each(|_| v.null()));
    }

    pub(crate) fn swap_chain_present(&mut self, result: &Result<()>, chain: SwapChainHandle) {
        let function = method!(
            "IDirect3DSwapChain9::Present",
            "pSourceRect",
            "pDestRect",
            "hDestWindowOverride",
            "pDirtyRegion",
            "dwFlags"
        );
        self.object(chain.address(), result, function, |v| {
            (0..4).for_each(|_| v.null());
            v.flags(&names::PRESENT, 0);
        });
    }

    pub(crate) fn reset(&mut self, result: &Result<()>, parameters: &PresentParameters) {
        let function = method!("IDirect3DDevice9::Reset", "pPresentationParameters");
        self.device(result, function, |v| {
            v.pointer_to(|v| values::present_parameters(v, parameters));
        });
    }

    pub(crate) fn create_additional_swap_chain(
        &mut self,
        result: &Result<SwapChainHandle>,
        parameters: &PresentParameters,
    ) {
        let function = method!(
            "IDirect3DDevice9::CreateAdditionalSwapChain",
            "pPresentationParameters",
            "pSwapChain"
        );
        self.creation(result.map(Traced::address), function, 2, |v| {
            v.pointer_to(|v| values::present_parameters(v, parameters));
        });
    }

    pub(crate) fn get_swap_chain(&mut self, result: &Result<SwapChainHandle>, index: u32) {
        let function = method!("IDirect3DDevice9::GetSwapChain", "iSwapChain", "pSwapChain");
        self.creation(result.map(Traced::address), function, 2, |v| {
            v.uint(index.into())
        });
    }

    pub(crate) fn get_back_buffer(
        &mut self,
        result: &Result<SurfaceHandle>,
        chain: u32,
        buffer: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::GetBackBuffer",
            "iSwapChain",
            "iBackBuffer",
            "Type",
            "ppBackBuffer"
        );
        self.creation(result.map(Traced::address), function, 4, |v| {
            v.uint(chain.into());
            v.uint(buffer.into());
            v.enumerated(&names::BACKBUFFER_TYPE, 0);
        });
    }

    pub(crate) fn swap_chain_get_back_buffer(
        &mut self,
        result: &Result<SurfaceHandle>,
        chain: SwapChainHandle,
        buffer: u32,
    ) {
        let function = method!(
            "IDirect3DSwapChain9::GetBackBuffer",
            "iBackBuffer",
            "Type",
            "ppBackBuffer"
        );
        self.creation_by(
            chain.address(),
            result.map(Traced::address),
            function,
            3,
            |v| {
                v.uint(buffer.into());
                v.enumerated(&names::BACKBUFFER_TYPE, 0);
            },
        );
    }

    pub(crate) fn set_render_target(
        &mut self,
        result: &Result<()>,
        index: u32,
        surface: Option<SurfaceHandle>,
    ) {
        let function = method!(
            "IDirect3DDevice9::SetRenderTarget",
            "RenderTargetIndex",
            "pRenderTarget"
        );
        self.device(result, function, |v| {
            v.uint(index.into());
            v.pointer(or_null(surface));
        });
    }

    pub(crate) fn get_render_target(&mut self, result: &Result<SurfaceHandle>, index: u32) {
        let function = method!(
            "IDirect3DDevice9::GetRenderTarget",
            "RenderTargetIndex",
            "ppRenderTarget"
        );
        self.creation(result.map(Traced::address), function, 2, |v| {
            v.uint(index.into())
        });
    }

    pub(crate) fn set_depth_stencil_surface(
        &mut self,
        result: &Result<()>,
        surface: Option<SurfaceHandle>,
    ) {
        let function = method!("IDirect3DDevice9::SetDepthStencilSurface", "pNewZStencil");
        self.device(result, function, |v| v.pointer(or_null(surface)));
    }

    pub(crate) fn get_depth_stencil_surface(&mut self, result: &Result<SurfaceHandle>) {
        let function = method!(
            "IDirect3DDevice9::GetDepthStencilSurface",
            "ppZStencilSurface"
        );
        self.creation(result.map(Traced::address), function, 1, |_| {});
    }
}
