//! What a pipeline build reads, as plain bytes: the currency between the draw thread, the workers
//! and the manifest. Shaders are named by content; nothing of one session's numbering is inside.

use bytemuck::{Pod, Zeroable};
use ninefold_bytecode::radial_fog::Mode;
use ninefold_shader::{OPTION_BYTES, Options, SamplerRules, fixed, texels};

use crate::draw::{Primitive, STAGES};
use crate::error::{Error, Result};
use crate::image::ImageFormat;
use crate::keys::{BlendId, DepthStencilId, RasterKey, VertexElement};
use crate::pack;
use crate::pipeline::{PIPELINE_KEY_VERSION, TargetFormats};
use crate::vertex::element_type;
use crate::vertex_input::Layout;

/// Elements of a declaration, `MAXD3DDECLLENGTH`.
pub(crate) const MAX_ELEMENTS: usize = 64;
/// Largest stride, in bytes.
pub(crate) const MAX_STRIDE: u16 = 2048;

/// [`Recipe::kind`]: a vertex shader.
const PROGRAM: u8 = 1;
/// [`Recipe::kind`]: fixed-function or pretransformed vertices.
const FIXED: u8 = 2;

/// Bits of [`Recipe::flags`].
mod flag {
    pub(super) const DEPTH_BIAS: u8 = 1;
    pub(super) const UNCLIPPED: u8 = 2;
    pub(super) const ALPHA_TO_COVERAGE: u8 = 4;
    pub(super) const ALL: u8 = 7;
}

const VERTEX_HALF: usize = 64;
const PIXEL_HALF: usize = 176;
const _: () = assert!(size_of::<fixed::VertexKey>() <= VERTEX_HALF && OPTION_BYTES <= VERTEX_HALF);
const _: () = assert!(size_of::<fixed::FragmentKey>() <= PIXEL_HALF);

/// A `D3DVERTEXELEMENT9`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
struct Element {
    stream: u16,
    offset: u16,
    ty: u8,
    method: u8,
    usage: u8,
    index: u8,
}

/// `D3DDECL_END`.
const END: Element = Element {
    stream: 0xFF,
    offset: 0,
    ty: 17,
    method: 0,
    usage: 0,
    index: 0,
};

/// A pipeline's recipe: 1,080 bytes that manifests of version 1 have too, and the mode of radial
/// fog. The same bytes mean the same pipeline on the same adapter.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
pub(crate) struct Recipe {
    /// [`PipelineKey::hash`](crate::pipeline::PipelineKey::hash) of the pipeline; 0 until known.
    pub(crate) key: u64,
    /// Content key of the vertex shader, 0 for the fixed function.
    pub(crate) vertex: u64,
    /// Content key of the pixel shader, 0 for the texture-stage cascade.
    pub(crate) pixel: u64,
    pub(crate) blend: u64,
    pub(crate) depth_stencil: u64,
    pub(crate) formats: TargetFormats,
    pub(crate) sample_mask: u32,
    pub(crate) slope_bias: u32,
    kind: u8,
    primitive: u8,
    cull: u8,
    fill: u8,
    flags: u8,
    elements: u8,
    pub(crate) bound_streams: u16,
    strides: [u16; 16],
    declaration: [Element; MAX_ELEMENTS + 1],
    /// [`Options`] of the vertex shader or a [`fixed::VertexKey`], then zeros.
    vertex_half: [u8; VERTEX_HALF],
    /// [`Options`] of the pixel shader or a [`fixed::FragmentKey`], then zeros.
    pixel_half: [u8; PIXEL_HALF],
    samplers: [SamplerRules; STAGES],
    /// [`RasterKey::wraps`].
    wraps: u32,
    reserved: [u8; 60],
    /// [`Mode`] of radial fog, 0 for none.
    pub(crate) radial_fog: u32,
    /// [`PIPELINE_KEY_VERSION`] of the build that recorded it: the key of another means nothing
    /// here, and its record takes the room of one that does.
    pub(crate) version: u32,
}

/// Bytes of a recipe.
pub(crate) const RECIPE_BYTES: usize = 1088;
/// Bytes of a recipe in manifests of version 1.
pub(crate) const RECIPE_V1_BYTES: usize = 1080;
const _: () = assert!(size_of::<Recipe>() == RECIPE_BYTES);
const _: () = assert!(core::mem::offset_of!(Recipe, radial_fog) == RECIPE_V1_BYTES);

/// One of the two functions of a recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum VertexHalf {
    /// A shader by its name, with the options of the state.
    Program(u64, Options),
    /// The same with fog measured from the eye.
    Radial(u64, Options, Mode),
    /// The fixed function.
    Fixed(fixed::VertexKey),
}

impl VertexHalf {
    /// Whether a vertex shader runs.
    pub(crate) fn is_program(&self) -> bool {
        !matches!(self, VertexHalf::Fixed(_))
    }
}

/// The other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PixelHalf {
    /// A shader by its name, with the options of the state.
    Program(u64, Options),
    /// The texture-stage cascade.
    Fixed(fixed::FragmentKey),
}

/// A recipe in the types that a build works with.
#[derive(Clone, Debug)]
pub(crate) struct Ingredients {
    pub(crate) vertex: VertexHalf,
    pub(crate) pixel: PixelHalf,
    pub(crate) layout: Layout,
    pub(crate) bound_streams: u16,
    /// The constant bias is 1 for any that is not 0.
    pub(crate) raster: RasterKey,
    pub(crate) blend: BlendId,
    pub(crate) depth_stencil: DepthStencilId,
    pub(crate) formats: TargetFormats,
    pub(crate) samplers: [SamplerRules; STAGES],
    pub(crate) primitive: Primitive,
}

impl Ingredients {
    /// The recipe, without its key.
    pub(crate) fn recipe(&self) -> Result<Recipe> {
        let elements = &self.layout.elements;
        if elements.len() > MAX_ELEMENTS {
            return Err(Error::decl(format!(
                "{} vertex elements, at most {MAX_ELEMENTS} are possible",
                elements.len()
            )));
        }
        let mut recipe = Recipe::zeroed();
        match &self.vertex {
            VertexHalf::Program(name, options) => {
                (recipe.kind, recipe.vertex) = (PROGRAM, *name);
                recipe.vertex_half[..OPTION_BYTES].copy_from_slice(&options.to_bytes());
            }
            VertexHalf::Radial(name, options, mode) => {
                (recipe.kind, recipe.vertex) = (PROGRAM, *name);
                recipe.vertex_half[..OPTION_BYTES].copy_from_slice(&options.to_bytes());
                recipe.radial_fog = *mode as u32;
            }
            VertexHalf::Fixed(key) => {
                let bytes = bytemuck::bytes_of(key);
                recipe.kind = FIXED;
                recipe.vertex_half[..bytes.len()].copy_from_slice(bytes);
            }
        }
        match &self.pixel {
            PixelHalf::Program(name, options) => {
                recipe.pixel = *name;
                recipe.pixel_half[..OPTION_BYTES].copy_from_slice(&options.to_bytes());
            }
            PixelHalf::Fixed(key) => {
                let bytes = bytemuck::bytes_of(key);
                recipe.pixel_half[..bytes.len()].copy_from_slice(bytes);
            }
        }
        recipe.blend = self.blend.0;
        recipe.depth_stencil = self.depth_stencil.0;
        recipe.formats = self.formats;
        recipe.sample_mask = self.raster.sample_mask;
        recipe.slope_bias = self.raster.slope_bias.to_bits();
        recipe.primitive = self.primitive as u8;
        (recipe.cull, recipe.fill) = (self.raster.cull, self.raster.fill);
        for (bit, set) in [
            (flag::DEPTH_BIAS, self.raster.depth_bias != 0.0),
            (flag::UNCLIPPED, self.raster.unclipped),
            (flag::ALPHA_TO_COVERAGE, self.raster.alpha_to_coverage),
        ] {
            recipe.flags |= if set { bit } else { 0 };
        }
        recipe.bound_streams = self.bound_streams;
        recipe.strides = self.layout.strides;
        recipe.elements = elements.len() as u8;
        for (out, element) in recipe.declaration.iter_mut().zip(elements) {
            *out = Element {
                stream: element.stream.into(),
                offset: element.offset,
                ty: element.ty,
                method: 0,
                usage: element.usage,
                index: element.index,
            };
        }
        recipe.declaration[elements.len()] = END;
        recipe.samplers = self.samplers;
        recipe.wraps = self.raster.wraps;
        recipe.version = PIPELINE_KEY_VERSION;
        Ok(recipe)
    }
}

impl Recipe {
    /// Whether a vertex shader runs: which of the two pipeline caches the pipeline counts in.
    pub(crate) fn is_program(&self) -> bool {
        self.kind == PROGRAM
    }

    /// The names of the shaders that must exist for a build.
    pub(crate) fn shaders(&self) -> impl Iterator<Item = u64> {
        [self.vertex, self.pixel]
            .into_iter()
            .filter(|&name| name != 0)
    }

    /// The recipe in working types. `None` when it is none that
    /// [`Ingredients::recipe`] makes: files hold what they like.
    pub(crate) fn ingredients(&self) -> Option<Ingredients> {
        let vertex = match (self.kind, self.vertex, self.radial_fog) {
            (PROGRAM, name @ 1.., 0) => VertexHalf::Program(name, options(&self.vertex_half)?),
            (PROGRAM, name @ 1.., mode) => {
                let options = options(&self.vertex_half)?;
                VertexHalf::Radial(name, options, Mode::from_raw(mode)?)
            }
            // Of the fixed function the distance is part of the key.
            (FIXED, 0, 0) => VertexHalf::Fixed(vertex_key(&self.vertex_half)?),
            _ => return None,
        };
        let pixel = match self.pixel {
            0 => PixelHalf::Fixed(fragment_key(&self.pixel_half)?),
            name => PixelHalf::Program(name, options(&self.pixel_half)?),
        };
        let count = usize::from(self.elements);
        if count > MAX_ELEMENTS || self.declaration[count] != END {
            return None;
        }
        let blank = self.declaration[count + 1..]
            .iter()
            .all(|e| *e == Element::zeroed());
        let elements = self.declaration[..count]
            .iter()
            .map(|element| {
                let known = element.stream < 16
                    && element.method == 0
                    && element_type(element.ty).is_some();
                known.then_some(VertexElement {
                    stream: element.stream as u8,
                    offset: element.offset,
                    ty: element.ty,
                    usage: element.usage,
                    index: element.index,
                })
            })
            .collect::<Option<Vec<_>>>()?;
        let slope_bias = f32::from_bits(self.slope_bias);
        let formats = &self.formats;
        let known_format = |n: u8| n == 0 || ImageFormat::from_number(n).is_some();
        let good = blank
            && self.strides.iter().all(|&stride| stride <= MAX_STRIDE)
            && (1..=3).contains(&self.cull)
            && (1..=3).contains(&self.fill)
            && self.flags & !flag::ALL == 0
            && slope_bias.is_finite()
            && formats
                .colors
                .into_iter()
                .chain([formats.depth])
                .all(known_format)
            && formats.samples.is_power_of_two()
            && formats.samples <= 16
            && (formats.srgb | formats.opaque) < 16
            && self
                .samplers
                .iter()
                .all(|rules| rules.texels <= texels::DEPTH)
            && self.reserved == [0; 60]
            && self.version == PIPELINE_KEY_VERSION;
        if !good {
            return None;
        }
        Some(Ingredients {
            vertex,
            pixel,
            layout: Layout {
                elements,
                strides: self.strides,
            },
            bound_streams: self.bound_streams,
            raster: RasterKey {
                cull: self.cull,
                fill: self.fill,
                depth_bias: (self.flags & flag::DEPTH_BIAS != 0).into(),
                slope_bias,
                unclipped: self.flags & flag::UNCLIPPED != 0,
                sample_mask: self.sample_mask,
                // Draws without are made of draws with.
                multisample: true,
                alpha_to_coverage: self.flags & flag::ALPHA_TO_COVERAGE != 0,
                wraps: self.wraps,
            },
            blend: pack::known_blend(self.blend)?,
            depth_stencil: pack::known_depth_stencil(self.depth_stencil)?,
            formats: *formats,
            samplers: self.samplers,
            primitive: Primitive::from_d3d(self.primitive.into())?,
        })
    }
}

fn options(half: &[u8]) -> Option<Options> {
    let (options, rest) = half.split_first_chunk::<OPTION_BYTES>()?;
    rest.iter().all(|&byte| byte == 0).then_some(())?;
    Options::from_bytes(options)
}

/// A key that this build generates functions from.
fn vertex_key(half: &[u8]) -> Option<fixed::VertexKey> {
    fixed_key(half).filter(|key: &fixed::VertexKey| key.version == fixed::KEY_VERSION)
}

fn fragment_key(half: &[u8]) -> Option<fixed::FragmentKey> {
    fixed_key(half).filter(|key: &fixed::FragmentKey| key.version == fixed::KEY_VERSION)
}

fn fixed_key<K: Pod>(half: &[u8]) -> Option<K> {
    let (key, rest) = half.split_at_checked(size_of::<K>())?;
    rest.iter().all(|&byte| byte == 0).then_some(())?;
    bytemuck::try_pod_read_unaligned(key).ok()
}
