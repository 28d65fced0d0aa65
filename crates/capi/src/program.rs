//! Draws with shaders.

use core::ffi::c_void;

use ninefold_bytecode::Stage;
use ninefold_renderer::{
    Cascade, Context, GeometryBuffer, Image, ProgramState, RadialFogMode, Renderer, ResidentCopy,
    SamplerKey, SecondaryStream, ShaderId, VertexElement,
};

use crate::convert::{self, ELEMENTS};
use crate::draw::{MAX_STRIDE, draw_state, drawn, fixed_mesh, mesh, stages};
use crate::fault::{Fault, Result, call};
use crate::handle::{Kind, Table};
use crate::objects::Objects;
use crate::pointer::{list, sized, slice};
use crate::registry::stale;
use crate::types::*;

/// Streams of one draw.
const STREAMS: usize = 16;
/// Stages of textures and samplers: 16 of the pixel shader, 4 of the vertex shader.
const STAGES: usize = ninefold_renderer::STAGES;
/// Registers of a file of float constants.
const MAX_FLOATS: u32 = 8192;
/// The same of integer constants.
const MAX_INTS: u32 = 16;

/// Draws with a vertex shader, and with a pixel shader or the texture-stage cascade. The vertices are
/// stream 0 of the declaration.
///
/// state: from nf_program_state_init.
///
/// vertices: at least vertex_count times stride bytes; copied, unless state->resident has them.
///
/// stride: 1 to 256.
///
/// The other arguments and the result are those of nf_draw_rhw, and NF_ERR_SHADER when a shader cannot
/// be translated or is of the other stage; NF_ERR_DECL when the declaration has no end mark, an element
/// that is none, or lacks what the vertex shader reads; NF_ERR_TEXTURE when a stage of the cascade reads
/// a texture that it has not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_draw_program(
    context: nf_context,
    state: *const nf_program_state,
    primitive: u32,
    vertices: *const c_void,
    stride: usize,
    vertex_count: u32,
    indices: *const u16,
    index_count: u32,
) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `state`, `vertices` and `indices`.
        let (state, mesh) = unsafe {
            let state = sized(state, "state")?;
            let mesh = mesh(
                primitive,
                vertices,
                stride,
                vertex_count,
                indices,
                index_count,
            )?;
            (state, mesh)
        };
        drawn(context, |objects| {
            let draw = |renderer: &mut Renderer, target: &Context, state: &ProgramState<'_>| {
                renderer.draw_program(
                    target,
                    state,
                    mesh.primitive,
                    mesh.bytes,
                    mesh.stride,
                    mesh.count,
                    mesh.indices,
                )
            };
            // SAFETY: as above.
            unsafe { program(objects, context, state, true, draw) }
        })
    })
}

/// Draws pretransformed vertices with a pixel shader. Of state the vertex shader, the declaration, the
/// streams, their resident buffers and the vertex constants are not used. With fog on, the alpha of the
/// specular colour is the fog factor.
///
/// The arguments and the result are those of nf_draw_program, and NF_ERR_ARGS without a pixel shader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_draw_program_rhw(
    context: nf_context,
    state: *const nf_program_state,
    primitive: u32,
    vertices: *const nf_vertex_fixed_rhw,
    vertex_count: u32,
    indices: *const u16,
    index_count: u32,
) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `state`, `vertices` and `indices`.
        let (state, (mesh, vertices)) = unsafe {
            let state = sized(state, "state")?;
            let mesh = fixed_mesh(primitive, vertices, vertex_count, indices, index_count)?;
            (state, mesh)
        };
        if state.pixel_shader.id == 0 {
            return Err(Fault::args(
                "state->pixel_shader is no shader (its id is 0)",
            ));
        }
        drawn(context, |objects| {
            let draw = |renderer: &mut Renderer, target: &Context, state: &ProgramState<'_>| {
                renderer.draw_program_rhw(target, state, mesh.primitive, vertices, mesh.indices)
            };
            // SAFETY: as above.
            unsafe { program(objects, context, state, false, draw) }
        })
    })
}

/// Four numbers each.
///
/// # Safety
/// `pointer` is NULL or points to four times `count` values.
unsafe fn registers<'a, T>(
    pointer: *const T,
    count: u32,
    most: u32,
    name: &str,
) -> Result<&'a [[T; 4]]> {
    // SAFETY: as the caller says; an array has its elements' alignment.
    unsafe { list(pointer.cast::<[T; 4]>(), count, most, name) }
}

/// Textures and samplers by stage, and the cascade where there is no pixel shader.
struct Pixels {
    textures: [Option<Image>; STAGES],
    samplers: [SamplerKey; STAGES],
    cascade: Option<Cascade>,
}

impl Pixels {
    /// # Safety
    /// The pointers in `state` are NULL or point to as much as their counts say.
    unsafe fn read(objects: &mut Objects, state: &nf_program_state) -> Result<Self> {
        let most = STAGES as u32;
        // SAFETY: as the caller says.
        let (given, keys) = unsafe {
            (
                list(state.textures, state.texture_count, most, "state->textures")?,
                list(state.samplers, state.sampler_count, most, "state->samplers")?,
            )
        };
        let mut found = Self {
            textures: [const { None }; STAGES],
            samplers: [SamplerKey::default(); STAGES],
            cascade: None,
        };
        // Without a pixel shader the stages of the cascade have their own.
        let first = if state.pixel_shader.id == 0 { 8 } else { 0 };
        for (stage, texture) in given.iter().enumerate().skip(first) {
            found.textures[stage] =
                objects.optional_image(*texture, "a texture of state->textures")?;
        }
        for (stage, sampler) in keys.iter().enumerate().skip(first) {
            let name = format_args!("state->samplers[{stage}]");
            found.samplers[stage] = convert::sampler(sampler, &name)?;
        }
        if first != 0 && !state.fixed.is_null() {
            // SAFETY: as the caller says.
            let fixed = stages(objects, unsafe { sized(state.fixed, "state->fixed") }?)?;
            found.textures[..8].clone_from_slice(&fixed.textures);
            found.samplers[..8].copy_from_slice(&fixed.samplers);
            found.cascade = Some(fixed.cascade);
        }
        Ok(found)
    }
}

/// What the vertex shader of a draw reads.
struct Vertices<'a> {
    elements: [VertexElement; ELEMENTS],
    element_count: usize,
    resident: Option<ResidentCopy<'a>>,
    streams: [SecondaryStream<'a>; STREAMS],
    stream_count: usize,
    floats: &'a [[f32; 4]],
    ints: &'a [[i32; 4]],
}

impl<'a> Vertices<'a> {
    /// Of draws without a vertex shader.
    fn none() -> Self {
        let element = VertexElement {
            stream: 0,
            offset: 0,
            ty: 0,
            usage: 0,
            index: 0,
        };
        let stream = SecondaryStream {
            stream: 0,
            data: &[],
            stride: 0,
            resident: None,
        };
        Self {
            elements: [element; ELEMENTS],
            element_count: 0,
            resident: None,
            streams: [stream; STREAMS],
            stream_count: 0,
            floats: &[],
            ints: &[],
        }
    }

    /// # Safety
    /// The pointers in `state` are NULL or point to as much as their counts say.
    unsafe fn read(buffers: &'a Table<GeometryBuffer>, state: &nf_program_state) -> Result<Self> {
        let mut found = Self::none();
        // SAFETY: as the caller says.
        let (declared, given) = unsafe {
            let count = state.vertex_float_count;
            found.floats = registers(
                state.vertex_floats,
                count,
                MAX_FLOATS,
                "state->vertex_floats",
            )?;
            let count = state.vertex_int_count;
            found.ints = registers(state.vertex_ints, count, MAX_INTS, "state->vertex_ints")?;
            let most = ELEMENTS as u32 + 1;
            let declared = list(state.elements, state.element_count, most, "state->elements")?;
            let most = STREAMS as u32 - 1;
            let streams = list(state.streams, state.stream_count, most, "state->streams")?;
            (declared, streams)
        };
        found.element_count = convert::declaration(declared, &mut found.elements)?;
        found.resident = resident(buffers, state.resident, state.resident_offset)?;
        found.stream_count = given.len();
        for (number, stream) in given.iter().enumerate() {
            if !(1..STREAMS as u32).contains(&stream.stream)
                || !(1..=MAX_STRIDE as u32).contains(&stream.stride)
            {
                return Err(Fault::args(format!(
                    "state->streams[{number}] is stream {} with stride {}, expected 1 to 15 and 1 to \
                     {MAX_STRIDE}",
                    stream.stream, stream.stride
                )));
            }
            found.streams[number] = SecondaryStream {
                stream: stream.stream as u8,
                // SAFETY: as the caller says.
                data: unsafe { slice(stream.data.cast(), stream.size, "data of a stream") }?,
                stride: stream.stride as usize,
                resident: resident(buffers, stream.resident, stream.resident_offset)?,
            };
        }
        Ok(found)
    }
}

fn resident(
    buffers: &Table<GeometryBuffer>,
    buffer: nf_buffer,
    offset: u64,
) -> Result<Option<ResidentCopy<'_>>> {
    if buffer.id == 0 {
        return Ok(None);
    }
    match buffers.get(buffer.id) {
        Some(buffer) => Ok(Some(ResidentCopy { buffer, offset })),
        None => Err(stale(buffer.id, Kind::Buffer, "resident")),
    }
}

/// Reads `state` and has `draw` draw with it. `transforms` says whether there is a vertex shader.
///
/// # Safety
/// The pointers in `state` are NULL or point to as much as their counts say.
unsafe fn program(
    objects: &mut Objects,
    context: nf_context,
    state: &nf_program_state,
    transforms: bool,
    draw: impl FnOnce(&mut Renderer, &Context, &ProgramState<'_>) -> ninefold_renderer::Result<()>,
) -> Result<()> {
    let shader = |shader, stage, name| objects.shader(shader, stage, name);
    let pixel = match state.pixel_shader.id {
        0 => None,
        _ => Some(shader(
            state.pixel_shader,
            Stage::Pixel,
            "state->pixel_shader",
        )?),
    };
    let vertex: ShaderId = match (transforms, pixel) {
        (false, Some(pixel)) => pixel,
        (false, None) => {
            return Err(Fault::args(
                "state->pixel_shader is no shader (its id is 0)",
            ));
        }
        (true, _) => {
            let plain = shader(state.vertex_shader, Stage::Vertex, "state->vertex_shader")?;
            match (state.radial_fog, RadialFogMode::from_raw(state.radial_fog)) {
                (0, _) => plain,
                (_, Some(mode)) => objects.renderer.radial_shader(plain, mode)?,
                (mode, None) => {
                    return Err(Fault::args(format!(
                        "state->radial_fog is {mode}, expected 0 to 2"
                    )));
                }
            }
        }
    };
    // SAFETY: as the caller says.
    let ((common, fog_color), pixels, pixel_constants, pixel_ints) = unsafe {
        let common = draw_state(state.draw, "state->draw")?;
        let pixels = Pixels::read(objects, state)?;
        let count = state.pixel_float_count;
        let floats = registers(state.pixel_floats, count, MAX_FLOATS, "state->pixel_floats")?;
        let count = state.pixel_int_count;
        let ints = registers(state.pixel_ints, count, MAX_INTS, "state->pixel_ints")?;
        (common, pixels, floats, ints)
    };
    let vertices = match transforms {
        // SAFETY: as the caller says.
        true => unsafe { Vertices::read(&objects.buffers, state) }?,
        false => Vertices::none(),
    };
    let Some(target) = objects.contexts.get(context.id) else {
        return Err(stale(context.id, Kind::Context, "context"));
    };
    let elements = &vertices.elements[..vertices.element_count];
    let state = ProgramState {
        cascade: pixels.cascade.as_ref(),
        resident: vertices.resident,
        streams: &vertices.streams[..vertices.stream_count],
        vertex_constants: vertices.floats,
        pixel_constants,
        vertex_ints: vertices.ints,
        pixel_ints,
        // There are sixteen.
        vertex_bools: state.vertex_bools as u16,
        pixel_bools: state.pixel_bools as u16,
        textures: &pixels.textures,
        samplers: &pixels.samplers,
        fog_color,
        ..ProgramState::new(&common, vertex, pixel, elements)
    };
    Ok(draw(&mut objects.renderer, &target.context, &state)?)
}
