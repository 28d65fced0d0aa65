//! The draw entry points.

use core::ffi::c_void;

use ninefold_renderer::{
    Cascade, CommonState, Context, FixedState, FixedVertex, Image, Primitive, Renderer, RhwState,
    SamplerKey,
};

use crate::convert;
use crate::fault::{Fault, NF_ERR_PRIMITIVE, Result, call};
use crate::handle::Kind;
use crate::objects::Objects;
use crate::pointer::{optional, sized, slice};
use crate::registry::{stale, with};
use crate::types::*;

/// Vertices of one draw.
const MAX_VERTICES: u32 = 65_536;
/// Indices of one draw.
const MAX_INDICES: u32 = 196_608;
/// Bytes of one vertex in one stream.
pub(crate) const MAX_STRIDE: usize = 256;

/// The primitives of a draw.
pub(crate) struct Mesh<'a> {
    pub(crate) primitive: Primitive,
    /// Bytes of stream 0.
    pub(crate) bytes: &'a [u8],
    pub(crate) stride: usize,
    pub(crate) count: u32,
    pub(crate) indices: Option<&'a [u16]>,
}

/// # Safety
/// `vertices` and `indices` are NULL or as many as the counts say.
pub(crate) unsafe fn mesh<'a>(
    primitive: u32,
    vertices: *const c_void,
    stride: usize,
    vertex_count: u32,
    indices: *const u16,
    index_count: u32,
) -> Result<Mesh<'a>> {
    let Some(primitive) = Primitive::from_d3d(primitive) else {
        return Err(Fault::new(
            NF_ERR_PRIMITIVE,
            format!("primitive is {primitive}, expected NF_PRIMITIVE_*"),
        ));
    };
    if !(1..=MAX_VERTICES).contains(&vertex_count) {
        return Err(Fault::args(format!(
            "vertex_count is {vertex_count}, expected 1 to {MAX_VERTICES}"
        )));
    }
    if !(1..=MAX_STRIDE).contains(&stride) {
        return Err(Fault::args(format!(
            "stride is {stride}, expected 1 to {MAX_STRIDE}"
        )));
    }
    if index_count > MAX_INDICES {
        return Err(Fault::args(format!(
            "index_count is {index_count}, expected at most {MAX_INDICES}"
        )));
    }
    if indices.is_null() && index_count != 0 {
        return Err(Fault::args(format!(
            "indices is NULL and index_count {index_count}"
        )));
    }
    // SAFETY: as the caller says; the counts are in range.
    unsafe {
        Ok(Mesh {
            primitive,
            bytes: slice(vertices.cast(), vertex_count as usize * stride, "vertices")?,
            stride,
            count: vertex_count,
            indices: match indices.is_null() {
                true => None,
                false => Some(slice(indices, index_count as usize, "indices")?),
            },
        })
    }
}

/// [`mesh`] of vertices of 112 bytes, which both structs of them are.
///
/// # Safety
/// As [`mesh`].
pub(crate) unsafe fn fixed_mesh<'a, T>(
    primitive: u32,
    vertices: *const T,
    vertex_count: u32,
    indices: *const u16,
    index_count: u32,
) -> Result<(Mesh<'a>, &'a [FixedVertex])> {
    const { assert!(size_of::<T>() == size_of::<FixedVertex>()) };
    // SAFETY: as the caller says; both are floats alone, in one order.
    unsafe {
        let mesh = mesh(
            primitive,
            vertices.cast(),
            size_of::<T>(),
            vertex_count,
            indices,
            index_count,
        )?;
        let vertices = slice(
            vertices.cast::<FixedVertex>(),
            vertex_count as usize,
            "vertices",
        )?;
        Ok((mesh, vertices))
    }
}

/// The cascade of a draw: stages, and the textures that they read.
pub(crate) struct Stages {
    pub(crate) cascade: Cascade,
    pub(crate) coordinates: [u8; 8],
    pub(crate) textures: [Option<Image>; 8],
    pub(crate) samplers: [SamplerKey; 8],
}

pub(crate) fn stages(objects: &mut Objects, state: &nf_fixed_state) -> Result<Stages> {
    let mut found = Stages {
        cascade: Cascade {
            texture_factor: state.texture_factor,
            ..Cascade::default()
        },
        coordinates: [0, 1, 2, 3, 4, 5, 6, 7],
        textures: [const { None }; 8],
        samplers: [SamplerKey::default(); 8],
    };
    for (number, stage) in state.stages.iter().enumerate() {
        let Some((key, reads)) = convert::stage(stage, number)? else {
            break;
        };
        found.cascade.stages[number] = key;
        found.cascade.stage_constants[number] = stage.constant;
        found.coordinates[number] = stage.texcoord_index as u8;
        if reads {
            let name = format_args!("fixed stage {number}: sampler");
            found.samplers[number] = convert::sampler(&stage.sampler, &name)?;
            found.textures[number] = objects.optional_image(stage.texture, "stage texture")?;
        }
    }
    Ok(found)
}

/// Draws pretransformed vertices with the diffuse colour, multiplied with state->texture if there is
/// one.
///
/// vertices: at least vertex_count times stride bytes, each beginning with an nf_vertex_rhw; copied.
///
/// stride: 28 to 256.
///
/// vertex_count: 1 to 65,536.
///
/// indices, index_count: at most 196,608, each below vertex_count; NULL and 0 draw the vertices in
/// order.
///
/// Returns NF_OK, also for fewer than three vertices or indices and for an empty viewport, where
/// nothing is drawn; NF_ERR_ARGS; NF_ERR_BOUNDS for an index that is too large; NF_ERR_PRIMITIVE;
/// NF_ERR_TEXTURE for a texture that is gone; NF_ERR_UNSUPPORTED; NF_ERR_STATE when no more pipelines
/// fit; NF_ERR_DEVICE. On failure nothing is drawn.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_draw_rhw(
    context: nf_context,
    state: *const nf_draw_state,
    primitive: u32,
    vertices: *const c_void,
    stride: usize,
    vertex_count: u32,
    indices: *const u16,
    index_count: u32,
) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `state`, `vertices` and `indices`.
        let (state, sampler, mesh) = unsafe {
            let state = sized(state, "state")?;
            (
                state,
                optional(state.sampler, "state->sampler")?,
                mesh(
                    primitive,
                    vertices,
                    stride,
                    vertex_count,
                    indices,
                    index_count,
                )?,
            )
        };
        let (common, fog_color) = convert::common(Some(state))?;
        if fog_color.is_some() {
            return Err(Fault::args("state->fog is on, which nf_draw_rhw has not"));
        }
        let sampler = match sampler {
            Some(sampler) => convert::sampler(sampler, &"state->sampler")?,
            None => SamplerKey::simple(state.linear_filter != 0, state.address_clamp != 0),
        };
        drawn(context, |objects| {
            let state = RhwState {
                common,
                texture: objects.optional_image(state.texture, "state->texture")?,
                texture_color_only: state.texture_color_only != 0,
                sampler,
            };
            let (renderer, target) = objects.renderer_and_context(context)?;
            Ok(renderer.draw_rhw(
                target,
                &state,
                mesh.primitive,
                mesh.bytes,
                mesh.stride,
                mesh.count,
                mesh.indices,
            )?)
        })
    })
}

/// Draws pretransformed vertices through the texture-stage cascade. With fog on, the alpha of the
/// specular colour is the fog factor.
///
/// state: from nf_fixed_state_init.
///
/// The other arguments and the result are those of nf_draw_rhw, and NF_ERR_TEXTURE when a stage reads
/// a texture that it has not; NF_ERR_SHADER for an operation that is not there for colour or alpha.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_draw_fixed_rhw(
    context: nf_context,
    state: *const nf_fixed_state,
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
        drawn(context, |objects| {
            // SAFETY: as above.
            let state = unsafe { fixed_state(objects, state) }?;
            let (renderer, target) = objects.renderer_and_context(context)?;
            Ok(renderer.draw_fixed_rhw(target, &state, mesh.primitive, vertices, mesh.indices)?)
        })
    })
}

/// Draws vertices in homogeneous clip space through the texture-stage cascade. The context's viewport
/// is their viewport. With fog on, the alpha of the specular colour is the fog factor.
///
/// The arguments and the result are those of nf_draw_fixed_rhw.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_draw_fixed_clip(
    context: nf_context,
    state: *const nf_fixed_state,
    primitive: u32,
    vertices: *const nf_vertex_fixed_clip,
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
        drawn(context, |objects| {
            // SAFETY: as above.
            let state = unsafe { fixed_state(objects, state) }?;
            let (renderer, target) = objects.renderer_and_context(context)?;
            Ok(renderer.draw_fixed_clip(target, &state, mesh.primitive, vertices, mesh.indices)?)
        })
    })
}

/// # Safety
/// The pointers in `state` are NULL or point to what their types say.
unsafe fn fixed_state(objects: &mut Objects, state: &nf_fixed_state) -> Result<FixedState> {
    // SAFETY: as the caller says.
    let (common, fog_color) = unsafe { draw_state(state.draw, "state->draw") }?;
    let Stages {
        cascade,
        coordinates,
        textures,
        samplers,
    } = stages(objects, state)?;
    Ok(FixedState {
        common,
        stages: cascade.stages,
        stage_constants: cascade.stage_constants,
        textures,
        samplers,
        coordinates,
        texture_factor: cascade.texture_factor,
        fog_color,
    })
}

/// # Safety
/// `state` is NULL or points to a state.
pub(crate) unsafe fn draw_state(
    state: *const nf_draw_state,
    name: &str,
) -> Result<(CommonState, Option<u32>)> {
    if state.is_null() {
        return convert::common(None);
    }
    // SAFETY: as the caller says.
    convert::common(Some(unsafe { sized(state, name) }?))
}

/// [`with`] the objects of a context's renderer.
pub(crate) fn drawn(context: nf_context, f: impl FnOnce(&mut Objects) -> Result<()>) -> Result<()> {
    with(context.id, Kind::Context, "context", f)
}

impl Objects {
    /// The renderer, and the context that it draws into.
    fn renderer_and_context(&mut self, context: nf_context) -> Result<(&mut Renderer, &Context)> {
        match self.contexts.get(context.id) {
            Some(target) => Ok((&mut self.renderer, &target.context)),
            None => Err(stale(context.id, Kind::Context, "context")),
        }
    }
}
