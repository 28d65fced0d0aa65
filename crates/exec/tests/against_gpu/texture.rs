//! The textures of the random programs, on both sides: one level, points, clamped.
//! Sampler 3 has a volume, every other a 2D texture. Texels are multiples of 1/8 from
//! -1 to 1.

use ninefold_bytecode::SamplerKind;
use ninefold_exec::Fetch;
use ninefold_gpu::types as wgt;
use ninefold_gpu::{Arena, Gpu, Region, Result, Texture, TextureDesc, TextureKind};

const SIDE: usize = 16;
const DEPTH: usize = 4;

pub(crate) fn kind(sampler: u8) -> SamplerKind {
    match sampler {
        3 => SamplerKind::Volume,
        _ => SamplerKind::D2,
    }
}

pub(crate) fn dimension(sampler: u8) -> wgt::TextureViewDimension {
    match kind(sampler) {
        SamplerKind::Volume => wgt::TextureViewDimension::D3,
        _ => wgt::TextureViewDimension::D2,
    }
}

fn texel(x: usize, y: usize, z: usize) -> [f32; 4] {
    [5, 3, 11, 7].map(|n| ((x * n + y * (n + 1) + z * 13) % 17) as f32 / 8.0 - 1.0)
}

/// What a fetch gives.
pub(crate) fn sample(fetch: &Fetch) -> [f32; 4] {
    let at = |x: f32, side: usize| (x * side as f32).clamp(0.0, side as f32 - 1.0) as usize;
    let [x, y, z, _] = fetch.coordinate;
    let z = match kind(fetch.sampler) {
        SamplerKind::Volume => at(z, DEPTH),
        _ => 0,
    };
    texel(at(x, SIDE), at(y, SIDE), z)
}

/// The same on a GPU.
pub(crate) struct Textures {
    flat: Texture,
    volume: Texture,
}

impl Textures {
    pub(crate) fn new(gpu: &Gpu, arena: &mut Arena) -> Result<Self> {
        let usage = wgt::TextureUsages::TEXTURE_BINDING | wgt::TextureUsages::COPY_DST;
        let side = SIDE as u32;
        let desc = TextureDesc::d2(side, side, wgt::TextureFormat::Rgba32Float, usage);
        let flat = gpu.create_texture(&desc)?;
        let volume = gpu.create_texture(&TextureDesc {
            kind: TextureKind::D3,
            depth: DEPTH as u32,
            ..desc
        })?;
        let mut commands = gpu.begin()?;
        for (texture, depth) in [(&flat, 1), (&volume, DEPTH)] {
            let texels: Vec<_> = (0..depth)
                .flat_map(|z| (0..SIDE * SIDE).map(move |n| texel(n % SIDE, n / SIDE, z)))
                .collect();
            let region = Region::whole(texture, 0, 0);
            let bytes = bytemuck::cast_slice(&texels);
            commands.write_texture(arena, texture, &region, bytes, 16 * SIDE, SIDE)?;
        }
        commands.submit()?;
        Ok(Textures { flat, volume })
    }

    pub(crate) fn of(&self, sampler: u8) -> &Texture {
        match kind(sampler) {
            SamplerKind::Volume => &self.volume,
            _ => &self.flat,
        }
    }
}
