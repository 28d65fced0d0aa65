//! The textures of vertex shaders, read as the GPU reads them.

use half::f16;
use ninefold_bytecode::SamplerKind;
use ninefold_exec::{Fetch, Lod, Sampler};
use ninefold_renderer::{ImageFormat, Texels};

use crate::consts::*;
use crate::convert::{Convert, Palette};
use crate::device::{Device, stale};
use crate::fault::{Fault, Outcome};
use crate::handle::RawHandle;
use crate::hresult::HResult;
use crate::lock::needs_read_back;
use crate::resource::{Kind, Resource};
use crate::state::color_value;

/// `D3DVERTEXTEXTURESAMPLER0` to `3`.
const SLOTS: usize = 4;
/// Place of the first of them among a state's textures and samplers.
const FIRST: usize = 16;

/// What a vertex shader samples.
#[derive(Default)]
pub(super) struct Textures([Option<Texture>; SLOTS]);

/// A texture in the GPU's format, with its sampler.
struct Texture {
    kind: Kind,
    format: ImageFormat,
    srgb: bool,
    /// Face by face, each from its largest level on.
    levels: Vec<Level>,
    /// Levels of a face.
    count: usize,
    address: [u32; 3],
    linear: [bool; 2],
    mip: u32,
    /// The most detailed level that may be read.
    first: usize,
    bias: f32,
    border: [f32; 4],
}

struct Level {
    size: [u32; 3],
    bytes: Vec<u8>,
}

impl Textures {
    /// The textures that `samplers` read, copied.
    ///
    /// # Errors
    /// `D3DERR_NOTAVAILABLE` for depth textures.
    pub(super) fn read(device: &mut Device, samplers: &[(u8, SamplerKind)]) -> Outcome<Self> {
        let mut textures = Self::default();
        for &(register, _) in samplers {
            let slot = usize::from(register & 3);
            if let Some(texture) = device.state.textures[FIRST + slot] {
                textures.0[slot] = Some(Texture::read(device, texture.raw(), FIRST + slot)?);
            }
        }
        Ok(textures)
    }
}

impl Sampler for &Textures {
    fn sample(&mut self, fetch: &Fetch) -> [f32; 4] {
        let texture = self.0[usize::from(fetch.sampler & 3)].as_ref();
        match texture.filter(|texture| texture.is(fetch.kind)) {
            Some(texture) => texture.sample(fetch),
            None => [0.0, 0.0, 0.0, 1.0],
        }
    }
}

impl Texture {
    fn read(device: &mut Device, handle: RawHandle, slot: usize) -> Outcome<Self> {
        let Device {
            resources,
            renderer,
            texels,
            state,
            ..
        } = device;
        let resource = resources
            .get_mut(handle)
            .ok_or_else(|| stale("vertex texture"))?;
        if resource.is_depth() {
            let text = "vertex texture: of a depth format";
            return Err(Fault::new(HResult::NOTAVAILABLE, text));
        }
        for sub in 0..resource.subs.len() as u32 {
            if needs_read_back(resource, sub) {
                resource.read_back(renderer, sub)?;
            }
        }
        // Blocks are decoded here, whatever the adapter can.
        let mut caps = renderer.caps().clone();
        caps.bc_textures = false;
        let volume = resource.kind == Kind::Volume;
        let (format, convert) = resource.info.on_gpu(&caps, volume);
        let levels = (0..resource.subs.len() as u32)
            .map(|sub| Level::read(resource, sub, format, convert, &texels.palette))
            .collect();
        let sampler = &state.samplers[slot];
        let get = |name: u32| sampler[name as usize];
        let mip = get(D3DSAMP_MIPFILTER).min(D3DTEXF_LINEAR);
        let first = match mip {
            D3DTEXF_NONE => resource.lod,
            _ => get(D3DSAMP_MAXMIPLEVEL).max(resource.lod),
        };
        let bias = f32::from_bits(get(D3DSAMP_MIPMAPLODBIAS));
        Ok(Self {
            kind: resource.kind,
            format,
            srgb: resource.info.srgb() && get(D3DSAMP_SRGBTEXTURE) & 1 != 0,
            levels,
            count: resource.levels as usize,
            address: [D3DSAMP_ADDRESSU, D3DSAMP_ADDRESSV, D3DSAMP_ADDRESSW].map(get),
            linear: [D3DSAMP_MAGFILTER, D3DSAMP_MINFILTER].map(|name| get(name) >= D3DTEXF_LINEAR),
            mip,
            first: first.min(resource.levels - 1) as usize,
            bias: if bias.is_finite() { bias } else { 0.0 },
            border: color_value(get(D3DSAMP_BORDERCOLOR)),
        })
    }

    fn is(&self, kind: SamplerKind) -> bool {
        match kind {
            SamplerKind::Cube => self.kind == Kind::Cube,
            SamplerKind::Volume => self.kind == Kind::Volume,
            SamplerKind::D2 | SamplerKind::Unknown => {
                !matches!(self.kind, Kind::Cube | Kind::Volume)
            }
        }
    }

    fn sample(&self, fetch: &Fetch) -> [f32; 4] {
        let [x, y, z, _] = fetch.coordinate;
        let (place, face) = match self.kind {
            Kind::Cube => on_face([x, y, z]),
            _ => ([x, y, z], 0),
        };
        // A vertex has no neighbours to tell a level by.
        let lod = match fetch.lod {
            Lod::Level(level) if self.mip != D3DTEXF_NONE => level + self.bias,
            _ => 0.0,
        };
        let last = self.count - 1;
        let lod = lod.clamp(self.first as f32, last as f32);
        let linear = self.linear[usize::from(lod > 0.0)];
        let at = |level: usize| {
            let level = &self.levels[face * self.count + level.min(last)];
            self.filtered(level, place, linear)
        };
        match self.mip {
            D3DTEXF_NONE => at(self.first),
            D3DTEXF_POINT => at((lod + 0.5).floor() as usize),
            _ => {
                let low = lod.floor();
                let (a, b) = (at(low as usize), at(low as usize + 1));
                mix(a, b, lod - low)
            }
        }
    }

    fn filtered(&self, level: &Level, place: [f32; 3], linear: bool) -> [f32; 4] {
        let axes = match self.kind {
            Kind::Volume => 3,
            _ => 2,
        };
        // The two texels on each axis, and the share of the second.
        let mut near = [[Some(0); 2]; 3];
        let mut share = [0.0; 3];
        for axis in 0..axes {
            let size = level.size[axis];
            let mode = match self.kind {
                Kind::Cube => D3DTADDRESS_CLAMP,
                _ => self.address[axis],
            };
            let mut at = place[axis] * size as f32;
            if mode == D3DTADDRESS_MIRRORONCE {
                at = at.abs();
            }
            if linear {
                at -= 0.5;
                let rest = at - at.floor();
                share[axis] = if rest.is_nan() { 0.0 } else { rest };
            }
            let first = at.floor() as i64;
            near[axis] = [first, first.saturating_add(1)].map(|texel| addressed(texel, size, mode));
        }
        let texel = |corner: usize| {
            let [x, y, z] = [0, 1, 2].map(|axis| near[axis][corner >> axis & 1]);
            match (x, y, z) {
                (Some(x), Some(y), Some(z)) => self.texel(level, [x, y, z]),
                _ => self.border,
            }
        };
        if !linear {
            return texel(0);
        }
        let row = |corner| mix(texel(corner), texel(corner + 1), share[0]);
        let slice = |corner| mix(row(corner), row(corner + 2), share[1]);
        match axes {
            3 => mix(slice(0), slice(4), share[2]),
            _ => slice(0),
        }
    }

    fn texel(&self, level: &Level, [x, y, z]: [u32; 3]) -> [f32; 4] {
        let [width, height, _] = level.size;
        let size = self.format.block_bytes() as usize;
        let index = (z as usize * height as usize + y as usize) * width as usize + x as usize;
        let Some(raw) = level.bytes.get(index * size..(index + 1) * size) else {
            return [0.0; 4];
        };
        let mut value = decode(self.format, raw);
        if self.srgb {
            for channel in &mut value[..3] {
                *channel = match *channel {
                    c if c <= 0.04045 => c / 12.92,
                    c => ((c + 0.055) / 1.055).powf(2.4),
                };
            }
        }
        let have = match self.format.texels() {
            Texels::Red => 1,
            Texels::RedGreen => 2,
            _ => 4,
        };
        value[have..].fill(1.0);
        value
    }
}

impl Level {
    fn read(
        resource: &Resource,
        sub: u32,
        format: ImageFormat,
        convert: Convert,
        palette: &Palette,
    ) -> Self {
        let level = &resource.subs[sub as usize];
        let data = resource.bytes(sub);
        let (width, height) = (level.width as usize, level.height as usize);
        let pitch = level.row_pitch as usize;
        let mut bytes = Vec::with_capacity(format.row_bytes(level.width) * height);
        for z in 0..level.depth as usize {
            let slice = data.get(z * level.slice_pitch as usize..).unwrap_or(&[]);
            if convert != Convert::Copy {
                convert.to_gpu(slice, pitch, width, height, palette, &mut bytes);
                continue;
            }
            let row = format.row_bytes(level.width);
            for y in 0..height {
                let from = slice.get(y * pitch..).unwrap_or(&[]);
                let end = bytes.len() + row;
                bytes.extend_from_slice(&from[..row.min(from.len())]);
                bytes.resize(end, 0);
            }
        }
        Self {
            size: [level.width, level.height, level.depth],
            bytes,
        }
    }
}

fn mix(a: [f32; 4], b: [f32; 4], share: f32) -> [f32; 4] {
    core::array::from_fn(|i| a[i] + (b[i] - a[i]) * share)
}

/// The texel of an axis that a number stands for; `None` is the border.
fn addressed(texel: i64, size: u32, mode: u32) -> Option<u32> {
    let size = i64::from(size);
    let inside = match mode {
        D3DTADDRESS_MIRROR => {
            let at = texel.rem_euclid(2 * size);
            at.min(2 * size - 1 - at)
        }
        D3DTADDRESS_CLAMP | D3DTADDRESS_MIRRORONCE => texel.clamp(0, size - 1),
        D3DTADDRESS_BORDER if !(0..size).contains(&texel) => return None,
        D3DTADDRESS_BORDER => texel,
        _ => texel.rem_euclid(size),
    };
    Some(inside as u32)
}

/// Where a direction meets a cube: two coordinates and the face.
fn on_face([x, y, z]: [f32; 3]) -> ([f32; 3], usize) {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let (axis, major) = if az >= ax && az >= ay {
        (2, z)
    } else if ay >= ax {
        (1, y)
    } else {
        (0, x)
    };
    let back = major < 0.0;
    let sign = if back { -1.0 } else { 1.0 };
    let (s, t) = match axis {
        0 => (-sign * z, -y),
        1 => (x, sign * z),
        _ => (sign * x, -y),
    };
    let length = major.abs().max(f32::MIN_POSITIVE);
    let place = [s, t].map(|value| 0.5 * value / length + 0.5);
    ([place[0], place[1], 0.0], 2 * axis + usize::from(back))
}

/// A texel of a format that is not in blocks. Channels that it lacks are 0.
fn decode(format: ImageFormat, raw: &[u8]) -> [f32; 4] {
    use ImageFormat as F;
    let mut out = [0.0; 4];
    let short = |i: usize| u16::from_le_bytes([raw[2 * i], raw[2 * i + 1]]);
    let long = |i: usize| u32::from_le_bytes([0, 1, 2, 3].map(|b| raw[4 * i + b]));
    let channels = match format {
        F::R8 | F::R16 | F::R16Float | F::R32Float => 1,
        F::Rg8 | F::Rg8Snorm | F::Rg16 | F::Rg16Float | F::Rg32Float => 2,
        _ => 4,
    };
    for (i, value) in out.iter_mut().take(channels).enumerate() {
        *value = match format {
            F::Bgra8 => f32::from(raw[[2, 1, 0, 3][i]]) / 255.0,
            F::R8 | F::Rg8 | F::Rgba8 => f32::from(raw[i]) / 255.0,
            F::Rg8Snorm | F::Rgba8Snorm => (f32::from(raw[i] as i8) / 127.0).max(-1.0),
            F::Rgb10A2 => match i {
                3 => (long(0) >> 30) as f32 / 3.0,
                _ => (long(0) >> (10 * i) & 1023) as f32 / 1023.0,
            },
            F::R16 | F::Rg16 | F::Rgba16 => f32::from(short(i)) / 65_535.0,
            F::Rgba16Snorm => (f32::from(short(i) as i16) / 32_767.0).max(-1.0),
            F::R16Float | F::Rg16Float | F::Rgba16Float => f16::from_bits(short(i)).to_f32(),
            F::R32Float | F::Rg32Float | F::Rgba32Float => f32::from_bits(long(i)),
            _ => 0.0,
        };
    }
    out
}
