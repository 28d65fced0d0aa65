//! The methods of `IDirect3DDevice9`, in the order of its documentation's groups.

use ninefold_d3d9::trace::Value;
use ninefold_d3d9::{
    BaseTexture, HResult, LevelTarget, PresentParameters, SurfaceHandle, VertexBufferHandle,
    VertexDeclarationHandle,
};

use super::error::CallError;
use super::objects::Object;
use super::player::{Effect, Scene, with_samples};
use super::state_calls;

type Result<T> = std::result::Result<T, CallError>;

impl Scene<'_> {
    fn optional_surface(&self, name: &'static str) -> Result<Option<SurfaceHandle>> {
        let address = self.args.pointer(name)?;
        self.objects
            .find(self.id, address, name, "surface", |object| match object {
                Object::Surface(handle) => Some(handle),
                _ => None,
            })
    }

    fn surface(&self, name: &'static str) -> Result<SurfaceHandle> {
        self.optional_surface(name)?
            .ok_or_else(|| CallError::argument(name, "it is null"))
    }

    fn texture(&self, name: &'static str) -> Result<BaseTexture> {
        let address = self.args.pointer(name)?;
        self.objects
            .find(self.id, address, name, "texture", Object::base_texture)?
            .ok_or_else(|| CallError::argument(name, "it is null"))
    }

    pub(super) fn vertex_buffer(&self, name: &'static str) -> Result<Option<VertexBufferHandle>> {
        let address = self.args.pointer(name)?;
        self.objects.find(
            self.id,
            address,
            name,
            "vertex buffer",
            |object| match object {
                Object::VertexBuffer(handle) => Some(handle),
                _ => None,
            },
        )
    }

    pub(super) fn vertex_declaration(
        &self,
        name: &'static str,
    ) -> Result<Option<VertexDeclarationHandle>> {
        let address = self.args.pointer(name)?;
        let kind = "vertex declaration";
        self.objects
            .find(self.id, address, name, kind, |object| match object {
                Object::VertexDeclaration(handle) => Some(handle),
                _ => None,
            })
    }

    /// Notes the object that the call stored through the pointer argument `name`.
    pub(super) fn created(&mut self, name: &'static str, object: Object) -> Result<Effect> {
        self.objects
            .add(self.args.stored_pointer(name)?, self.id, object);
        Ok(Effect::Played)
    }

    /// Notes an object that a getter returned; gives our reference back when
    /// the traced program got none.
    pub(super) fn got(&mut self, name: &'static str, object: Object) -> Result<Effect> {
        if self.args.stored_pointer(name)? == 0 {
            let result = self.device.release(object.handle()).map(|_| ());
            return self.played(result);
        }
        self.created(name, object)
    }
}

/// Plays one method.
pub(super) fn play(scene: &mut Scene<'_>, method: &str) -> Result<Effect> {
    let effect = resources(scene, method)?;
    if effect != Effect::Unknown {
        return Ok(effect);
    }
    let effect = state_calls::play(scene, method)?;
    if effect != Effect::Unknown {
        return Ok(effect);
    }
    drawing(scene, method)
}

fn resources(scene: &mut Scene<'_>, method: &str) -> Result<Effect> {
    let args = scene.args;
    match method {
        "CreateTexture" => {
            let result = scene.device.create_texture(
                args.u32("Width")?,
                args.u32("Height")?,
                args.u32("Levels")?,
                args.u32("Usage")?,
                args.u32("Format")?,
                args.u32("Pool")?,
            );
            let texture = scene.value(result)?;
            scene.created("ppTexture", Object::Texture(texture))?;
            shared_memory(scene, LevelTarget::Texture(texture, 0))
        }
        "CreateCubeTexture" => {
            let result = scene.device.create_cube_texture(
                args.u32("EdgeLength")?,
                args.u32("Levels")?,
                args.u32("Usage")?,
                args.u32("Format")?,
                args.u32("Pool")?,
            );
            let texture = scene.value(result)?;
            scene.created("ppCubeTexture", Object::CubeTexture(texture))
        }
        "CreateVolumeTexture" => {
            let result = scene.device.create_volume_texture(
                args.u32("Width")?,
                args.u32("Height")?,
                args.u32("Depth")?,
                args.u32("Levels")?,
                args.u32("Usage")?,
                args.u32("Format")?,
                args.u32("Pool")?,
            );
            let texture = scene.value(result)?;
            scene.created("ppVolumeTexture", Object::VolumeTexture(texture))
        }
        "CreateVertexBuffer" => {
            let result = scene.device.create_vertex_buffer(
                args.u32("Length")?,
                args.u32("Usage")?,
                args.u32("FVF")?,
                args.u32("Pool")?,
            );
            let buffer = scene.value(result)?;
            scene.created("ppVertexBuffer", Object::VertexBuffer(buffer))
        }
        "CreateIndexBuffer" => {
            let result = scene.device.create_index_buffer(
                args.u32("Length")?,
                args.u32("Usage")?,
                args.u32("Format")?,
                args.u32("Pool")?,
            );
            let buffer = scene.value(result)?;
            scene.created("ppIndexBuffer", Object::IndexBuffer(buffer))
        }
        "CreateRenderTarget" | "CreateRenderTargetEx" => {
            let (width, height) = (args.u32("Width")?, args.u32("Height")?);
            let (format, quality) = (args.u32("Format")?, args.u32("MultisampleQuality")?);
            let flag = args.bool("Lockable")?;
            let result = with_samples(args.u32("MultiSample")?, |samples| {
                let device = &mut scene.device;
                device.create_render_target(width, height, format, samples, quality, flag)
            });
            let surface = scene.value(result)?;
            scene.created("ppSurface", Object::Surface(surface))
        }
        "CreateDepthStencilSurface" | "CreateDepthStencilSurfaceEx" => {
            let (width, height) = (args.u32("Width")?, args.u32("Height")?);
            let (format, quality) = (args.u32("Format")?, args.u32("MultisampleQuality")?);
            let flag = args.bool("Discard")?;
            let result = with_samples(args.u32("MultiSample")?, |samples| {
                let device = &mut scene.device;
                device.create_depth_stencil_surface(width, height, format, samples, quality, flag)
            });
            let surface = scene.value(result)?;
            scene.created("ppSurface", Object::Surface(surface))
        }
        "CreateOffscreenPlainSurface" | "CreateOffscreenPlainSurfaceEx" => {
            let result = scene.device.create_offscreen_plain_surface(
                args.u32("Width")?,
                args.u32("Height")?,
                args.u32("Format")?,
                args.u32("Pool")?,
            );
            let surface = scene.value(result)?;
            scene.created("ppSurface", Object::Surface(surface))?;
            shared_memory(scene, LevelTarget::Surface(surface))
        }
        "CreateVertexDeclaration" => {
            let elements = args.vertex_elements("pVertexElements")?;
            let result = scene.device.create_vertex_declaration(&elements);
            let declaration = scene.value(result)?;
            scene.created("ppDecl", Object::VertexDeclaration(declaration))
        }
        "CreateVertexShader" => {
            let result = scene
                .device
                .create_vertex_shader(&args.tokens("pFunction")?);
            let shader = scene.value(result)?;
            scene.created("ppShader", Object::VertexShader(shader))
        }
        "CreatePixelShader" => {
            let result = scene.device.create_pixel_shader(&args.tokens("pFunction")?);
            let shader = scene.value(result)?;
            scene.created("ppShader", Object::PixelShader(shader))
        }
        "CreateQuery" => {
            if args.stored_pointer("ppQuery")? == 0 {
                let result = scene.device.check_query(args.u32("Type")?);
                return scene.played(result);
            }
            let result = scene.device.create_query(args.u32("Type")?);
            let query = scene.value(result)?;
            scene.created("ppQuery", Object::Query(query))
        }
        "CreateStateBlock" => {
            let result = scene.device.create_state_block(args.u32("Type")?);
            let block = scene.value(result)?;
            scene.created("ppSB", Object::StateBlock(block))
        }
        "BeginStateBlock" => {
            let result = scene.device.begin_state_block();
            scene.played(result)
        }
        "EndStateBlock" => {
            let result = scene.device.end_state_block();
            let block = scene.value(result)?;
            scene.created("ppSB", Object::StateBlock(block))
        }
        "UpdateTexture" => {
            let source = scene.texture("pSourceTexture")?;
            let destination = scene.texture("pDestinationTexture")?;
            let result = scene.device.update_texture(source, destination);
            scene.played(result)
        }
        "UpdateSurface" => {
            let source = scene.surface("pSourceSurface")?;
            let destination = scene.surface("pDestinationSurface")?;
            let result = scene.device.update_surface(
                source,
                args.rect("pSourceRect")?,
                destination,
                args.point("pDestPoint")?,
            );
            scene.played(result)
        }
        "StretchRect" => {
            let source = scene.surface("pSourceSurface")?;
            let destination = scene.surface("pDestSurface")?;
            let result = scene.device.stretch_rect(
                source,
                args.rect("pSourceRect")?,
                destination,
                args.rect("pDestRect")?,
                args.u32("Filter")?,
            );
            scene.played(result)
        }
        "ColorFill" => {
            let surface = scene.surface("pSurface")?;
            let rect = args.rect("pRect")?;
            let result = scene.device.color_fill(surface, rect, args.u32("color")?);
            scene.played(result)
        }
        "GetRenderTargetData" => {
            let source = scene.surface("pRenderTarget")?;
            let destination = scene.surface("pDestSurface")?;
            let result = scene.device.get_render_target_data(source, destination);
            scene.played(result)
        }
        "GetFrontBufferData" => {
            let chain = args.u32("iSwapChain")?;
            let destination = scene.surface("pDestSurface")?;
            let result = scene.device.get_front_buffer_data(chain, destination);
            scene.played(result)
        }
        "EvictManagedResources" => {
            let result = scene.device.evict_managed_resources();
            scene.played(result)
        }
        _ => Ok(Effect::Unknown),
    }
}

/// A D3D9Ex program may give a system-memory resource its own memory; the
/// capture has its contents, rows without gaps.
fn shared_memory(scene: &mut Scene<'_>, level: LevelTarget) -> Result<Effect> {
    let Some(Value::Array(items)) = scene.args.value("pSharedHandle") else {
        return Ok(Effect::Played);
    };
    let Some(Value::Blob(bytes)) = items.first() else {
        return Ok(Effect::Played);
    };
    let result = scene.device.lock_rect(level, None, 0);
    let locked = scene.value(result)?;
    let copied = scene.device.locked_bytes_mut(level).map(|memory| {
        let pitch = locked.pitch.unsigned_abs() as usize;
        let rows = if pitch == 0 {
            1
        } else {
            locked.len.div_ceil(pitch)
        };
        let row = bytes.len() / rows.max(1);
        for (to, from) in memory
            .chunks_mut(pitch.max(1))
            .zip(bytes.chunks(row.max(1)))
        {
            let len = to.len().min(from.len());
            to[..len].copy_from_slice(&from[..len]);
        }
    });
    let unlocked = scene.device.unlock_rect(level);
    scene.value(copied)?;
    scene.played(unlocked)
}

fn drawing(scene: &mut Scene<'_>, method: &str) -> Result<Effect> {
    let args = scene.args;
    match method {
        "Clear" => {
            let rects = args.rects("pRects")?;
            let result = scene.device.clear(
                &rects,
                args.u32("Flags")?,
                args.u32("Color")?,
                args.f32("Z")?,
                args.u32("Stencil")?,
            );
            scene.played(result)
        }
        "BeginScene" => {
            let result = scene.device.begin_scene();
            scene.played(result)
        }
        "EndScene" => {
            let result = scene.device.end_scene();
            scene.played(result)
        }
        "ProcessVertices" => {
            let buffer = scene
                .vertex_buffer("pDestBuffer")?
                .ok_or_else(|| CallError::argument("pDestBuffer", "it is null"))?;
            let declaration = scene.vertex_declaration("pVertexDecl")?;
            let result = scene.device.process_vertices(
                args.u32("SrcStartIndex")?,
                args.u32("DestIndex")?,
                args.u32("VertexCount")?,
                buffer,
                declaration,
                args.u32("Flags")?,
            );
            scene.played(result)
        }
        "DrawPrimitive" => {
            let result = scene.device.draw_primitive(
                args.u32("PrimitiveType")?,
                args.u32("StartVertex")?,
                args.u32("PrimitiveCount")?,
            );
            drawn(scene, result)
        }
        "DrawIndexedPrimitive" => {
            let result = scene.device.draw_indexed_primitive(
                args.u32("PrimitiveType")?,
                args.i32("BaseVertexIndex")?,
                args.u32("MinVertexIndex")?,
                args.u32("NumVertices")?,
                args.u32("startIndex")?,
                args.u32("primCount")?,
            );
            drawn(scene, result)
        }
        "DrawPrimitiveUP" => {
            let result = scene.device.draw_primitive_up(
                args.u32("PrimitiveType")?,
                args.u32("PrimitiveCount")?,
                args.memory("pVertexStreamZeroData")?,
                args.u32("VertexStreamZeroStride")?,
            );
            drawn(scene, result)
        }
        "DrawIndexedPrimitiveUP" => {
            let result = scene.device.draw_indexed_primitive_up(
                args.u32("PrimitiveType")?,
                args.u32("MinVertexIndex")?,
                args.u32("NumVertices")?,
                args.u32("PrimitiveCount")?,
                args.memory("pIndexData")?,
                args.u32("IndexDataFormat")?,
                args.memory("pVertexStreamZeroData")?,
                args.u32("VertexStreamZeroStride")?,
            );
            drawn(scene, result)
        }
        "Present" | "PresentEx" => {
            let result = scene.device.present();
            scene.value(result)?;
            Ok(Effect::Presented(scene.id, None))
        }
        "Reset" | "ResetEx" => {
            let parameters = args.present_parameters("pPresentationParameters")?;
            let result = with_samples(parameters.multi_sample_type, |multi_sample_type| {
                let parameters = PresentParameters {
                    multi_sample_type,
                    ..parameters
                };
                scene.device.reset(&parameters)
            });
            scene.played(result)
        }
        "CreateAdditionalSwapChain" => {
            let parameters = args.present_parameters("pPresentationParameters")?;
            let result = with_samples(parameters.multi_sample_type, |multi_sample_type| {
                let parameters = PresentParameters {
                    multi_sample_type,
                    ..parameters
                };
                scene.device.create_additional_swap_chain(&parameters)
            });
            let chain = scene.value(result)?;
            scene.created("pSwapChain", Object::SwapChain(chain))
        }
        "GetSwapChain" => {
            let result = scene.device.get_swap_chain(args.u32("iSwapChain")?);
            let chain = scene.value(result)?;
            scene.got("pSwapChain", Object::SwapChain(chain))
        }
        "GetBackBuffer" => {
            let (chain, buffer) = (args.u32("iSwapChain")?, args.u32("iBackBuffer")?);
            let result = scene.device.get_back_buffer(chain, buffer);
            let surface = scene.value(result)?;
            scene.got("ppBackBuffer", Object::Surface(surface))
        }
        "SetRenderTarget" => {
            let index = args.u32("RenderTargetIndex")?;
            let surface = scene.optional_surface("pRenderTarget")?;
            let result = scene.device.set_render_target(index, surface);
            scene.played(result)
        }
        "GetRenderTarget" => {
            let result = scene
                .device
                .get_render_target(args.u32("RenderTargetIndex")?);
            let surface = scene.value(result)?;
            scene.got("ppRenderTarget", Object::Surface(surface))
        }
        "SetDepthStencilSurface" => {
            let surface = scene.optional_surface("pNewZStencil")?;
            let result = scene.device.set_depth_stencil_surface(surface);
            scene.played(result)
        }
        "GetDepthStencilSurface" => {
            let result = scene.device.get_depth_stencil_surface();
            let surface = scene.value(result)?;
            scene.got("ppZStencilSurface", Object::Surface(surface))
        }
        "QueryInterface" => {
            let address = args.stored_pointer("ppvObj")?;
            if address != 0 {
                scene.objects.add_device(address, scene.id);
            }
            Ok(Effect::Played)
        }
        // Nothing here changes what is drawn: there is no screen, window or cursor.
        "TestCooperativeLevel"
        | "CheckDeviceState"
        | "GetAvailableTextureMem"
        | "GetDirect3D"
        | "GetDeviceCaps"
        | "GetDisplayMode"
        | "GetDisplayModeEx"
        | "GetCreationParameters"
        | "GetNumberOfSwapChains"
        | "GetRasterStatus"
        | "SetCursorProperties"
        | "SetCursorPosition"
        | "ShowCursor"
        | "SetDialogBoxMode"
        | "GetGammaRamp"
        | "SetGammaRamp"
        | "SetClipStatus"
        | "DeletePatch"
        | "ValidateDevice"
        | "GetMaximumFrameLatency"
        | "SetMaximumFrameLatency"
        | "GetGPUThreadPriority"
        | "SetGPUThreadPriority"
        | "WaitForVBlank"
        | "CheckResourceResidency" => Ok(Effect::Played),
        _ => Ok(Effect::Unknown),
    }
}

fn drawn(scene: &Scene<'_>, result: std::result::Result<(), HResult>) -> Result<Effect> {
    scene.value(result).map(|()| Effect::Drawn)
}
