//! The safe API.

use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

use crate::scene::*;

pub(crate) struct Safe {
    device: Device,
    textures: [TextureHandle; 2],
    vertex_shader: VertexShaderHandle,
    pixel_shader: PixelShaderHandle,
    adapter: String,
}

const MADE: &str = "the scene's calls are valid";

impl Safe {
    pub(crate) fn new() -> core::result::Result<Self, Error> {
        let direct3d = Direct3D9::new(DeviceSettings {
            adapter: std::env::var("NINEFOLD_ADAPTER").ok(),
            ..DeviceSettings::default()
        })?;
        let mut device = direct3d
            .create_device(&PresentParameters::windowed(EDGE, EDGE))
            .expect(MADE);
        let buffer = device
            .create_vertex_buffer(300 * STRIDE, 0, FVF, D3DPOOL_MANAGED)
            .expect(MADE);
        device.vertex_buffer_lock(buffer, 0, 0, 0).expect(MADE);
        let bytes = device.vertex_buffer_bytes_mut(buffer).expect(MADE);
        bytes.copy_from_slice(&vertices());
        device.vertex_buffer_unlock(buffer).expect(MADE);
        device
            .set_stream_source(0, Some(buffer), 0, STRIDE)
            .expect(MADE);
        device.set_fvf(FVF).expect(MADE);
        device.set_render_state(D3DRS_LIGHTING, 0).expect(MADE);
        device.set_render_state(D3DRS_CULLMODE, 1).expect(MADE);
        let textures = [0xFFFF_FFFFu32, 0xFF80_8080].map(|texel| {
            let texture = device
                .create_texture(1, 1, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED)
                .expect(MADE);
            device.lock_rect((texture, 0), None, 0).expect(MADE);
            let bytes = device.locked_bytes_mut((texture, 0)).expect(MADE);
            bytes[..4].copy_from_slice(&texel.to_le_bytes());
            device.unlock_rect((texture, 0)).expect(MADE);
            texture
        });
        Ok(Self {
            vertex_shader: device.create_vertex_shader(VERTEX_SHADER).expect(MADE),
            pixel_shader: device.create_pixel_shader(PIXEL_SHADER).expect(MADE),
            adapter: direct3d.get_adapter_identifier().description.clone(),
            device,
            textures,
        })
    }

    pub(crate) fn adapter(&self) -> &str {
        &self.adapter
    }
}

impl Api for Safe {
    fn begin(&mut self) {
        let flags = D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER;
        self.device
            .clear(&[], flags, 0xFF00_0000, 1.0, 0)
            .expect(MADE);
        self.device.begin_scene().expect(MADE);
    }

    fn render_state(&mut self, state: u32, value: u32) {
        self.device.set_render_state(state, value).expect(MADE);
    }

    fn stage_state(&mut self, state: u32, value: u32) {
        self.device
            .set_texture_stage_state(0, state, value)
            .expect(MADE);
    }

    fn texture(&mut self, number: usize) {
        let texture = self.textures[number];
        self.device
            .set_texture(0, Some(texture.into()))
            .expect(MADE);
    }

    fn world(&mut self, matrix: &[[f32; 4]; 4]) {
        self.device.set_transform(D3DTS_WORLD, matrix).expect(MADE);
    }

    fn constants(&mut self, values: &[[f32; 4]; 8]) {
        self.device
            .set_vertex_shader_constant_f(0, values)
            .expect(MADE);
    }

    fn shaders(&mut self, on: bool) {
        self.device
            .set_vertex_shader(on.then_some(self.vertex_shader))
            .expect(MADE);
        self.device
            .set_pixel_shader(on.then_some(self.pixel_shader))
            .expect(MADE);
    }

    fn draw(&mut self, start: u32) {
        self.device
            .draw_primitive(D3DPT_TRIANGLELIST, start, 1)
            .expect(MADE);
    }

    fn end(&mut self) {
        self.device.end_scene().expect(MADE);
        self.device.present().expect(MADE);
    }

    fn middle(&mut self) -> [u8; 3] {
        let picture = self.device.front_buffer().expect(MADE);
        let at = (EDGE / 2 * EDGE + EDGE / 2) as usize * 4;
        [picture.bgra[at], picture.bgra[at + 1], picture.bgra[at + 2]]
    }
}
