//! The draws, whatever API takes them.

use std::time::Duration;

use ninefold_d3d9::consts::*;

/// The few calls that the scene makes. Numbers of textures are 0 and 1.
pub(crate) trait Api {
    fn begin(&mut self);
    fn render_state(&mut self, state: u32, value: u32);
    fn stage_state(&mut self, state: u32, value: u32);
    fn texture(&mut self, number: usize);
    fn world(&mut self, matrix: &[[f32; 4]; 4]);
    fn constants(&mut self, values: &[[f32; 4]; 8]);
    fn shaders(&mut self, on: bool);
    fn draw(&mut self, start: u32);
    /// EndScene and Present.
    fn end(&mut self);
    /// The pixel in the middle of the last frame, blue, green, red.
    fn middle(&mut self) -> [u8; 3];
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shading {
    Fixed,
    Model2,
}

impl Shading {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed function, 4 state changes a draw",
            Self::Model2 => "vs_2_0 and ps_2_0, 8 constants a draw",
        }
    }
}

/// Edge of the target in pixels.
pub(crate) const EDGE: u32 = 64;
/// Bytes of a vertex: position, colour, texture coordinates.
pub(crate) const STRIDE: u32 = 24;
/// Its format.
pub(crate) const FVF: u32 = D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1;

/// A hundred small triangles around the middle.
pub(crate) fn vertices() -> Vec<u8> {
    let mut bytes = Vec::new();
    for n in 0..300u32 {
        let turn = n as f32 * 2.1;
        for v in [turn.cos() * 0.05, turn.sin() * 0.05, 0.5] {
            bytes.extend(v.to_le_bytes());
        }
        bytes.extend(0xFFC0_8040u32.to_le_bytes());
        for v in [0.5f32, 0.5] {
            bytes.extend(v.to_le_bytes());
        }
    }
    bytes
}

/// `vs_2_0`: position by c0 to c3, colour by c4, coordinates as they come.
pub(crate) const VERTEX_SHADER: &[u32] = &[
    0xFFFE_0200,
    0x0200_001F,
    0x8000_0000,
    0x900F_0000,
    0x0200_001F,
    0x8000_000A,
    0x900F_0001,
    0x0200_001F,
    0x8000_0005,
    0x900F_0002,
    0x0300_0014,
    0xC00F_0000,
    0x90E4_0000,
    0xA0E4_0000,
    0x0300_0005,
    0xD00F_0000,
    0x90E4_0001,
    0xA0E4_0004,
    0x0200_0001,
    0xE00F_0000,
    0x90E4_0002,
    0x0000_FFFF,
];

/// `ps_2_0`: texture by colour.
pub(crate) const PIXEL_SHADER: &[u32] = &[
    0xFFFF_0200,
    0x0200_001F,
    0x8000_0000,
    0x900F_0000,
    0x0200_001F,
    0x8000_0000,
    0xB003_0000,
    0x0200_001F,
    0x9000_0000,
    0xA00F_0800,
    0x0300_0042,
    0x800F_0000,
    0xB0E4_0000,
    0xA0E4_0800,
    0x0300_0005,
    0x800F_0000,
    0x80E4_0000,
    0x90E4_0000,
    0x0200_0001,
    0x800F_0800,
    0x80E4_0000,
    0x0000_FFFF,
];

/// CPU time of this thread.
fn cpu_time() -> Duration {
    let mut t = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `t` is there to be written to.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut t) };
    Duration::new(t.tv_sec as u64, t.tv_nsec as u32)
}

/// One frame; microseconds a draw.
pub(crate) fn frame(api: &mut impl Api, draws: u32, shading: Shading) -> f64 {
    let started = cpu_time();
    api.begin();
    api.shaders(shading == Shading::Model2);
    for n in 0..draws {
        let shift = (n % 16) as f32 / 64.0 - 0.125;
        api.texture(n as usize % 2);
        match shading {
            Shading::Fixed => {
                let blend = u32::from(n % 4 == 3);
                api.render_state(D3DRS_ALPHABLENDENABLE, blend);
                let op = [D3DTOP_MODULATE, D3DTOP_ADD][n as usize / 2 % 2];
                api.stage_state(D3DTSS_COLOROP, op);
                let mut world = ninefold_d3d9::IDENTITY;
                world[3][0] = shift;
                api.world(&world);
            }
            Shading::Model2 => {
                let mut values = [[0.0; 4]; 8];
                values[..4].copy_from_slice(&ninefold_d3d9::IDENTITY);
                values[0][3] = shift;
                values[4] = [1.0, 0.5 + shift, 1.0, 1.0];
                api.constants(&values);
            }
        }
        api.draw(n % 100 * 3);
    }
    api.end();
    (cpu_time() - started).as_secs_f64() * 1e6 / f64::from(draws)
}
