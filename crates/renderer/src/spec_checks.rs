//! What the specification's draw entry points refuse before anything is recorded.

use std::sync::Arc;

use ninefold_shader::{CompareFunc, abi, fixed};

use crate::compiler::{Function, VertexHalf};
use crate::context::Context;
use crate::draw::StreamData;
use crate::error::{Error, Result};
use crate::image::{Image, ImageKind};
use crate::keys::{LayoutId, ShaderId, VertexElement, VertexFunction};
use crate::renderer::Renderer;
use crate::spec_state::{CommonState, ResidentCopy, SecondaryStream};
use crate::vertex_input::feeds;

/// Vertices of one draw.
const MAX_VERTICES: u32 = 65_536;
/// Indices of one draw.
const MAX_INDICES: usize = 196_608;
/// Bytes of one vertex in one stream.
const MAX_STRIDE: usize = 256;
/// Vertices or indices that a draw must have to draw anything, whatever its primitives are.
const LEAST: usize = 3;
/// `D3DDECLTYPE_UDEC3` and `D3DDECLTYPE_DEC3N`, which the CPU expands.
const EXPANDED: core::ops::RangeInclusive<u8> = 13..=14;

/// A vertex shader, its declaration, the streams that are there, and the stages that sample.
pub(crate) type Declared = (ShaderId, LayoutId, u16, u8);
/// [`Declared`]s that are known to be right.
const DECLARED: usize = 4096;

/// The vertices and indices of a draw.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) vertices: &'a [u8],
    pub(crate) stride: usize,
    pub(crate) count: u32,
    pub(crate) indices: Option<&'a [u16]>,
}

impl<'a> Input<'a> {
    /// Vertices of a type of ours.
    pub(crate) fn of<T: bytemuck::NoUninit>(
        vertices: &'a [T],
        indices: Option<&'a [u16]>,
    ) -> Result<Self> {
        let count = u32::try_from(vertices.len())
            .map_err(|_| Error::args(format!("more than {MAX_VERTICES} vertices")))?;
        Ok(Self {
            vertices: bytemuck::cast_slice(vertices),
            stride: size_of::<T>(),
            count,
            indices,
        })
    }

    /// Indices, or vertices without any.
    pub(crate) fn total(&self) -> u32 {
        self.indices
            .map_or(self.count, |indices| indices.len() as u32)
    }
}

/// Checks what every entry point takes, and says whether there is anything to draw: fewer than
/// three vertices or indices, or an empty viewport, are not.
pub(crate) fn check(context: &Context, common: &CommonState, input: &Input<'_>) -> Result<bool> {
    if common.write_mask > 15 {
        return Err(Error::args(format!(
            "the write mask is {:#x}, expected at most 0xf",
            common.write_mask
        )));
    }
    if !(1..=3).contains(&common.cull) {
        return Err(Error::args(format!(
            "D3DRS_CULLMODE is {}, expected 1 to 3",
            common.cull
        )));
    }
    alpha_func(common)?;
    let Input {
        vertices,
        stride,
        count,
        indices,
    } = *input;
    if !(1..=MAX_VERTICES).contains(&count) {
        return Err(Error::args(format!(
            "{count} vertices, expected 1 to {MAX_VERTICES}"
        )));
    }
    if !(1..=MAX_STRIDE).contains(&stride) {
        return Err(Error::args(format!(
            "stride {stride}, expected 1 to {MAX_STRIDE}"
        )));
    }
    let need = (count as usize).saturating_mul(stride);
    if vertices.len() < need {
        return Err(Error::bounds(format!(
            "{count} vertices of {stride} bytes in {} bytes",
            vertices.len()
        )));
    }
    if let Some(indices) = indices {
        if indices.len() > MAX_INDICES {
            return Err(Error::args(format!(
                "{} indices, expected at most {MAX_INDICES}",
                indices.len()
            )));
        }
        let highest = indices.iter().copied().max().unwrap_or(0);
        if u32::from(highest) >= count {
            return Err(Error::bounds(format!(
                "index {highest} of {count} vertices"
            )));
        }
    }
    let area = context.viewport();
    Ok(input.total() as usize >= LEAST && area.w > 0 && area.h > 0)
}

/// The comparison of the alpha test.
pub(crate) fn alpha_func(common: &CommonState) -> Result<CompareFunc> {
    let Some((func, _)) = common.alpha_test else {
        return Ok(CompareFunc::Always);
    };
    CompareFunc::from_d3d(func.into())
        .ok_or_else(|| Error::args(format!("D3DRS_ALPHAFUNC is {func}, expected 1 to 8")))
}

/// The number and stride of a secondary stream.
pub(crate) fn check_stream(stream: &SecondaryStream<'_>) -> Result<usize> {
    let number = usize::from(stream.stream);
    if !(1..=15).contains(&number) || !(1..=MAX_STRIDE).contains(&stream.stride) {
        return Err(Error::args(format!(
            "stream {number} with stride {}, expected stream 1 to 15 and stride 1 to {MAX_STRIDE}",
            stream.stride
        )));
    }
    Ok(number)
}

/// Where a draw reads a stream: its persistent copy when that will do.
pub(crate) fn stream_data<'a>(
    number: usize,
    bytes: &'a [u8],
    resident: Option<ResidentCopy<'a>>,
    elements: &[VertexElement],
    fast: bool,
) -> StreamData<'a> {
    let expanded = elements
        .iter()
        .any(|e| usize::from(e.stream) == number && EXPANDED.contains(&e.ty));
    let size = bytes.len() as u64;
    let fits = |copy: &ResidentCopy<'_>| {
        let end = copy.offset.checked_add(size);
        copy.offset.is_multiple_of(4) && end.is_some_and(|end| end <= copy.buffer.size())
    };
    match resident.filter(|copy| fast && !expanded && fits(copy)) {
        Some(ResidentCopy { buffer, offset }) => StreamData::Resident {
            buffer,
            offset,
            size,
        },
        None => StreamData::Bytes(bytes),
    }
}

/// The operations that the specification has for a cascade of so many stages. The device's own draws
/// have the others as well; they need state that the entry points do not take.
pub(crate) fn check_cascade(stages: &[fixed::FragmentStage], live: usize) -> Result<()> {
    use fixed::op;
    for (number, stage) in stages.iter().enumerate().take(live) {
        let bad_color = matches!(
            stage.color_op,
            op::PREMODULATE | op::BUMPENVMAP | op::BUMPENVMAPLUMINANCE | 27..
        );
        // DOTPRODUCT3 writes alpha itself.
        let bad_alpha = stage.color_op != op::DOTPRODUCT3
            && matches!(stage.alpha_op, op::PREMODULATE..=op::BUMPENVMAPLUMINANCE | 27..);
        if bad_color || bad_alpha {
            return Err(Error::shader(format!(
                "fixed stage {number} uses unsupported color/alpha operation ({}, {})",
                stage.color_op, stage.alpha_op
            )));
        }
    }
    Ok(())
}

/// The kind of a stage's texture in a [`fixed::FragmentStage`].
pub(crate) fn stage_kind(number: usize, image: Option<&Image>) -> Result<u8> {
    Ok(match image.map(|image| image.desc().kind) {
        None => fixed::stage_texture::NONE,
        Some(ImageKind::D2) => fixed::stage_texture::D2,
        Some(ImageKind::Cube) => fixed::stage_texture::CUBE,
        Some(ImageKind::Volume) => {
            return Err(Error::texture(format!(
                "fixed stage {number} has a volume texture"
            )));
        }
    })
}

impl Renderer {
    /// Checks that a declaration has every element that a vertex shader reads, and that the shader
    /// writes the coordinates that the `sampled` stages of a cascade read.
    pub(crate) fn check_declaration(
        &mut self,
        declared: Declared,
        elements: &[VertexElement],
    ) -> Result<()> {
        if self.declared.contains(&declared) {
            return Ok(());
        }
        let (vertex, _, bound, sampled) = declared;
        let function = self.vertex_program(vertex)?;
        for attribute in &function.reflection.attributes {
            if !feeds(elements, attribute, bound) {
                return Err(Error::decl(format!(
                    "the vertex shader reads {:?} {} (v{}), which no stream has",
                    attribute.usage, attribute.index, attribute.register
                )));
            }
        }
        let outputs = function.reflection.outputs_mask;
        for stage in (0..fixed::STAGES as u32).filter(|stage| sampled >> stage & 1 != 0) {
            if outputs >> (abi::TEXCOORD_LOCATION + stage) & 1 == 0 {
                return Err(Error::shader(format!(
                    "fixed stage {stage} samples at texture coordinates {stage}, which the \
                     vertex shader does not write"
                )));
            }
        }
        if self.declared.len() >= DECLARED {
            self.declared.clear();
        }
        self.declared.insert(declared);
        Ok(())
    }

    fn vertex_program(&mut self, shader: ShaderId) -> Result<Arc<Function>> {
        let options = self.shader_options(&ninefold_shader::Options::default())?;
        let function = VertexFunction::Program(shader, options);
        let (half, _): (VertexHalf, bool) = self.functions.vertex(function)?;
        self.compiler.vertex_function(&half)
    }
}
