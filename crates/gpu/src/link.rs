//! Comparing a pipeline's shaders with its layout, vertex attributes, targets
//! and each other. What disagrees here would be undefined behaviour in a driver.

use naga::{AddressSpace, Binding, ScalarKind, ShaderStage, TypeInner};
use wgpu_types as wgt;

use crate::desc::{RenderPipelineDesc, Stage};
use crate::error::{Error, Result};

/// A variable with a location.
struct Variable<'a> {
    location: u32,
    second_source: bool,
    inner: &'a TypeInner,
}

#[cold]
fn mismatch(text: String) -> Error {
    Error::Shader(text.into())
}

fn entry_of<'a>(stage: &Stage<'a>, want: ShaderStage) -> Result<(usize, &'a naga::EntryPoint)> {
    stage
        .module
        .0
        .module
        .entry_points
        .iter()
        .enumerate()
        .find(|(_, entry)| entry.stage == want && entry.name == stage.entry)
        .ok_or_else(|| mismatch(format!("no {want:?} entry point named {:?}", stage.entry)))
}

pub(crate) fn check(desc: &RenderPipelineDesc<'_>) -> Result<()> {
    let (vertex_index, vertex) = entry_of(&desc.vertex, ShaderStage::Vertex)?;
    let vertex_module = &desc.vertex.module.0.module;
    check_globals(desc, &desc.vertex, vertex_index, wgt::ShaderStages::VERTEX)?;
    check_attributes(desc, vertex_module, vertex)?;
    let outputs = results(vertex_module, &vertex.function);
    let Some(stage) = &desc.fragment else {
        return Ok(());
    };
    let (fragment_index, fragment) = entry_of(stage, ShaderStage::Fragment)?;
    check_globals(desc, stage, fragment_index, wgt::ShaderStages::FRAGMENT)?;
    let module = &stage.module.0.module;
    for input in arguments(module, &fragment.function) {
        let output = outputs
            .iter()
            .find(|output| output.location == input.location);
        if output.is_none_or(|output| *output.inner != *input.inner) {
            return Err(mismatch(format!(
                "fragment input {} of type {:?} is {} the vertex stage",
                input.location,
                input.inner,
                if output.is_some() {
                    "another type in"
                } else {
                    "not written by"
                }
            )));
        }
    }
    let written = results(module, &fragment.function);
    for (n, target) in desc.colors.iter().enumerate() {
        let Some(target) = target else { continue };
        let output = written
            .iter()
            .find(|output| output.location == n as u32 && !output.second_source);
        let Some(output) = output else {
            if target.write_mask.is_empty() {
                continue;
            }
            return Err(mismatch(format!(
                "the fragment stage does not write colour target {n}"
            )));
        };
        let wanted = match target.format.sample_type(None, None) {
            Some(wgt::TextureSampleType::Uint) => ScalarKind::Uint,
            Some(wgt::TextureSampleType::Sint) => ScalarKind::Sint,
            _ => ScalarKind::Float,
        };
        if output.inner.scalar_kind() != Some(wanted) {
            return Err(mismatch(format!(
                "colour target {n} of {:?} is written as {:?}",
                target.format, output.inner
            )));
        }
        let dual = target
            .blend
            .is_some_and(|blend| crate::pipeline::uses_second_source(&blend));
        if dual && !written.iter().any(|output| output.second_source) {
            return Err(mismatch(
                "blending uses a second source that the shader does not write".into(),
            ));
        }
    }
    Ok(())
}

/// Every resource that the entry point uses is in the layout, as what it is.
fn check_globals(
    desc: &RenderPipelineDesc<'_>,
    stage: &Stage<'_>,
    entry: usize,
    visible: wgt::ShaderStages,
) -> Result<()> {
    let shader = &stage.module.0;
    let uses = shader.info.get_entry_point(entry);
    let slots = match &shader.slots {
        Some(written) => Some((written, desc.layout.msl_slots(visible)?)),
        None => None,
    };
    let mut layouter = naga::proc::Layouter::default();
    layouter
        .update(shader.module.to_ctx())
        .map_err(|error| mismatch(format!("type layout: {error}")))?;
    for (handle, global) in shader.module.global_variables.iter() {
        if uses[handle].is_empty() {
            continue;
        }
        let inner = &shader.module.types[global.ty].inner;
        let size = layouter[global.ty].size;
        if global.space == AddressSpace::Immediate {
            if size > desc.layout.0.immediates {
                return Err(mismatch(format!(
                    "{size} bytes of immediates, the layout has {}",
                    desc.layout.0.immediates
                )));
            }
            if let Some((written, bound)) = &slots
                && written.immediates_buffer != bound.immediates_buffer
            {
                return Err(other_slot(
                    "immediates",
                    &written.immediates_buffer,
                    &bound.immediates_buffer,
                ));
            }
            continue;
        }
        let Some(place) = &global.binding else {
            continue;
        };
        let at = format!("group {} binding {}", place.group, place.binding);
        let layout_entry = desc
            .layout
            .0
            .groups
            .get(place.group as usize)
            .and_then(|group| {
                group
                    .0
                    .entries
                    .iter()
                    .find(|entry| entry.binding == place.binding)
            })
            .ok_or_else(|| mismatch(format!("{at} is not in the pipeline layout")))?;
        if !layout_entry.visibility.contains(visible) {
            return Err(mismatch(format!("{at} is not visible to {visible:?}")));
        }
        let fits = match (inner, layout_entry.ty) {
            (TypeInner::Sampler { comparison }, wgt::BindingType::Sampler(kind)) => {
                *comparison == (kind == wgt::SamplerBindingType::Comparison)
            }
            (
                TypeInner::Image {
                    dim,
                    arrayed,
                    class,
                },
                wgt::BindingType::Texture {
                    sample_type,
                    view_dimension,
                    multisampled,
                },
            ) => image_fits(
                *dim,
                *arrayed,
                *class,
                (sample_type, multisampled),
                view_dimension,
            ),
            (
                _,
                wgt::BindingType::Buffer {
                    ty,
                    min_binding_size,
                    ..
                },
            ) if buffer_fits(global.space, ty) => {
                // Robust access covers groups that bind less than the shader
                // declares where the layout promises no size.
                min_binding_size.is_none_or(|least| least.get() >= u64::from(size))
            }
            _ => false,
        };
        if !fits {
            return Err(mismatch(format!(
                "{at} is {inner:?} in the shader, {:?} in the layout",
                layout_entry.ty
            )));
        }
        if let Some((written, bound)) = &slots {
            let (written, bound) = (written.resources.get(place), bound.resources.get(place));
            if written != bound {
                return Err(other_slot(&at, &written, &bound));
            }
        }
    }
    Ok(())
}

#[cold]
fn other_slot(at: &str, written: &dyn std::fmt::Debug, bound: &dyn std::fmt::Debug) -> Error {
    mismatch(format!(
        "{at} is {written:?} in the shader's MSL, {bound:?} in the layout"
    ))
}

/// Whether a variable of `space` may be the buffer that a layout has.
fn buffer_fits(space: AddressSpace, ty: wgt::BufferBindingType) -> bool {
    match (space, ty) {
        (AddressSpace::Uniform, wgt::BufferBindingType::Uniform) => true,
        (AddressSpace::Storage { access }, wgt::BufferBindingType::Storage { read_only }) => {
            !read_only || access == naga::StorageAccess::LOAD
        }
        _ => false,
    }
}

fn image_fits(
    dim: naga::ImageDimension,
    arrayed: bool,
    class: naga::ImageClass,
    (sample_type, multisampled): (wgt::TextureSampleType, bool),
    view: wgt::TextureViewDimension,
) -> bool {
    use wgt::TextureSampleType as S;
    use wgt::TextureViewDimension as D;
    let shape = match (dim, arrayed) {
        (naga::ImageDimension::D2, false) => view == D::D2,
        (naga::ImageDimension::D2, true) => view == D::D2Array,
        (naga::ImageDimension::D3, false) => view == D::D3,
        (naga::ImageDimension::Cube, false) => view == D::Cube,
        _ => false,
    };
    let kind = match class {
        naga::ImageClass::Sampled {
            kind: ScalarKind::Float,
            multi: false,
        } => {
            matches!(sample_type, S::Float { .. })
        }
        naga::ImageClass::Sampled {
            kind: ScalarKind::Uint,
            multi: false,
        } => sample_type == S::Uint,
        naga::ImageClass::Sampled {
            kind: ScalarKind::Sint,
            multi: false,
        } => sample_type == S::Sint,
        naga::ImageClass::Depth { .. } => sample_type == S::Depth,
        _ => false,
    };
    let multi = match class {
        naga::ImageClass::Sampled { multi, .. } | naga::ImageClass::Depth { multi } => multi,
        _ => false,
    };
    shape && kind && multi == multisampled
}

/// Every vertex input has an attribute of its kind of number.
fn check_attributes(
    desc: &RenderPipelineDesc<'_>,
    module: &naga::Module,
    entry: &naga::EntryPoint,
) -> Result<()> {
    for input in arguments(module, &entry.function) {
        let attribute = desc
            .vertex_buffers
            .iter()
            .flatten()
            .flat_map(|slot| slot.attributes)
            .find(|attribute| attribute.shader_location == input.location)
            .ok_or_else(|| mismatch(format!("vertex input {} has no attribute", input.location)))?;
        if input.inner.scalar_kind() != Some(kind_of(attribute.format)) {
            return Err(mismatch(format!(
                "vertex input {} is {:?} in the shader, {:?} in the buffer",
                input.location, input.inner, attribute.format
            )));
        }
    }
    Ok(())
}

fn kind_of(format: wgt::VertexFormat) -> ScalarKind {
    use wgt::VertexFormat as V;
    match format {
        V::Uint8
        | V::Uint8x2
        | V::Uint8x4
        | V::Uint16
        | V::Uint16x2
        | V::Uint16x4
        | V::Uint32
        | V::Uint32x2
        | V::Uint32x3
        | V::Uint32x4 => ScalarKind::Uint,
        V::Sint8
        | V::Sint8x2
        | V::Sint8x4
        | V::Sint16
        | V::Sint16x2
        | V::Sint16x4
        | V::Sint32
        | V::Sint32x2
        | V::Sint32x3
        | V::Sint32x4 => ScalarKind::Sint,
        _ => ScalarKind::Float,
    }
}

fn arguments<'a>(module: &'a naga::Module, function: &'a naga::Function) -> Vec<Variable<'a>> {
    let mut found = Vec::new();
    for argument in &function.arguments {
        collect(module, argument.ty, argument.binding.as_ref(), &mut found);
    }
    found
}

fn results<'a>(module: &'a naga::Module, function: &'a naga::Function) -> Vec<Variable<'a>> {
    let mut found = Vec::new();
    if let Some(result) = &function.result {
        collect(module, result.ty, result.binding.as_ref(), &mut found);
    }
    found
}

/// The located variables of a type: itself, or a structure's members.
fn collect<'a>(
    module: &'a naga::Module,
    ty: naga::Handle<naga::Type>,
    binding: Option<&Binding>,
    found: &mut Vec<Variable<'a>>,
) {
    let inner = &module.types[ty].inner;
    match (binding, inner) {
        (
            Some(Binding::Location {
                location,
                blend_src,
                ..
            }),
            _,
        ) => found.push(Variable {
            location: *location,
            second_source: *blend_src == Some(1),
            inner,
        }),
        (None, TypeInner::Struct { members, .. }) => {
            for member in members {
                collect(module, member.ty, member.binding.as_ref(), found);
            }
        }
        _ => {}
    }
}
