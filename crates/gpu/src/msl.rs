//! Functions as text of Metal's own language.
//!
//! Given a naga module, `wgpu-hal` writes and compiles the text of a function again for each
//! pipeline that uses it, and has it fetch vertices itself. Given text, it compiles a library once
//! for each shader module and leaves vertices to Metal's vertex descriptors. So on Metal a function
//! that many pipelines share comes as text ([`Gpu::create_shader_with_msl`]).
//!
//! The text is its writer's, who must know where `wgpu-hal` will bind what: that is
//! [`PipelineLayout::msl_slots`]. Nothing here depends on the platform: slots are counted, kept and
//! compared wherever tests run.
//!
//! [`Gpu::create_shader_with_msl`]: crate::Gpu::create_shader_with_msl

use naga::ResourceBinding;
use naga::back::msl::{BindSamplerTarget, BindTarget, EntryPointResources};
use wgpu_types as wgt;

use crate::bind::PipelineLayout;
use crate::error::{Error, Result};

/// A module's function as MSL.
///
/// The text must be what a writer made of that very module, with every index kept inside what it
/// indexes: no driver checks it, and the GPU runs it as it is.
///
/// Vertices come through `[[stage_in]]`: vertex buffer `i` lies in buffer slot 30 - `i`, and
/// attributes have their numbers. The text may ask for no sizes of buffers, for `wgpu-hal`
/// passes none to functions that come as text. What draws points must give a point size, and nothing
/// else may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Msl {
    /// The text, in which the function has the name of the module's entry point.
    pub text: String,
    /// Where the text finds its resources: [`PipelineLayout::msl_slots`] of the stage, in every
    /// layout that the function is used with.
    pub slots: EntryPointResources,
}

/// The slots of what `stage`, a single stage, sees: immediates first, then the bindings of each group
/// in the order of their numbers, counted apart for buffers, textures and samplers, and last a
/// buffer with the sizes of others, which the vertex stage and stages with storage buffers have.
///
/// These are the slots that [`PipelineLayout::msl_slots`] gives for a layout of `groups`, whose
/// entries are sorted by binding, and `immediates` bytes. Slots past 255 read 255; no device has as
/// many.
#[must_use]
pub fn msl_slots(
    groups: &[&[wgt::BindGroupLayoutEntry]],
    immediates: u32,
    stage: wgt::ShaderStages,
) -> EntryPointResources {
    let mut found = EntryPointResources::default();
    let [mut buffers, mut textures, mut samplers] = [0_u8; 3];
    let next = |counter: &mut u8| {
        let slot = *counter;
        *counter = slot.saturating_add(1);
        Some(slot)
    };
    if immediates > 0 {
        found.immediates_buffer = next(&mut buffers);
    }
    let mut sized = stage == wgt::ShaderStages::VERTEX;
    for (group, entries) in (0..).zip(groups) {
        for entry in *entries {
            if !entry.visibility.contains(stage) {
                continue;
            }
            let mut target = BindTarget::default();
            match entry.ty {
                wgt::BindingType::Buffer { ty, .. } => {
                    target.buffer = next(&mut buffers);
                    if let wgt::BufferBindingType::Storage { read_only } = ty {
                        target.mutable = !read_only;
                        sized = true;
                    }
                }
                wgt::BindingType::Sampler(_) => {
                    target.sampler = next(&mut samplers).map(BindSamplerTarget::Resource);
                }
                // Layouts have no other kinds.
                _ => target.texture = next(&mut textures),
            }
            let binding = ResourceBinding {
                group,
                binding: entry.binding,
            };
            found.resources.insert(binding, target);
        }
    }
    if sized {
        found.sizes_buffer = next(&mut buffers);
    }
    found
}

impl PipelineLayout {
    /// Where Metal's functions of `stage` find the resources of this layout, as `wgpu-hal` binds
    /// them.
    ///
    /// # Errors
    /// [`Error::Invalid`] unless `stage` is the vertex or the fragment stage.
    pub fn msl_slots(&self, stage: wgt::ShaderStages) -> Result<EntryPointResources> {
        if stage != wgt::ShaderStages::VERTEX && stage != wgt::ShaderStages::FRAGMENT {
            return Err(Error::Invalid(
                format!("the slots of {stage:?}, not of the vertex or the fragment stage").into(),
            ));
        }
        let layout = &self.0;
        let groups: Vec<&[wgt::BindGroupLayoutEntry]> = layout
            .groups
            .iter()
            .map(|group| &*group.0.entries)
            .collect();
        Ok(msl_slots(&groups, layout.immediates, stage))
    }
}

/// What keeps a function from coming as text: a resource that the text has no slot for, or whose
/// size only `wgpu-hal` knows.
pub(crate) fn check(module: &naga::Module, slots: &EntryPointResources) -> Result<()> {
    for (_, global) in module.global_variables.iter() {
        let Some(place) = &global.binding else {
            if global.space == naga::AddressSpace::Immediate && slots.immediates_buffer.is_none() {
                return Err(Error::Shader("MSL without a slot for immediates".into()));
            }
            continue;
        };
        let at = format!("group {} binding {}", place.group, place.binding);
        if !slots.resources.contains_key(place) {
            return Err(Error::Shader(format!("MSL without a slot for {at}").into()));
        }
        let inner = &module.types[global.ty].inner;
        if inner.needs_host_buffer_byte_size(&module.types) {
            return Err(Error::Shader(
                format!("MSL that asks for the size of {at}").into(),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgt::{BindGroupLayoutEntry, BindingType, BufferBindingType, ShaderStages};

    const VERTEX: ShaderStages = ShaderStages::VERTEX;
    const FRAGMENT: ShaderStages = ShaderStages::FRAGMENT;
    const BOTH: ShaderStages = ShaderStages::VERTEX_FRAGMENT;

    fn entry(binding: u32, visibility: ShaderStages, ty: BindingType) -> BindGroupLayoutEntry {
        BindGroupLayoutEntry {
            binding,
            visibility,
            ty,
            count: None,
        }
    }

    fn buffer(
        binding: u32,
        visibility: ShaderStages,
        ty: BufferBindingType,
    ) -> BindGroupLayoutEntry {
        let ty = BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        entry(binding, visibility, ty)
    }

    fn uniform(binding: u32, visibility: ShaderStages) -> BindGroupLayoutEntry {
        buffer(binding, visibility, BufferBindingType::Uniform)
    }

    fn storage(binding: u32, visibility: ShaderStages) -> BindGroupLayoutEntry {
        let ty = BufferBindingType::Storage { read_only: true };
        buffer(binding, visibility, ty)
    }

    fn texture(binding: u32, visibility: ShaderStages) -> BindGroupLayoutEntry {
        let ty = BindingType::Texture {
            sample_type: wgt::TextureSampleType::Float { filterable: true },
            view_dimension: wgt::TextureViewDimension::D2,
            multisampled: false,
        };
        entry(binding, visibility, ty)
    }

    fn sampler(binding: u32, visibility: ShaderStages) -> BindGroupLayoutEntry {
        let ty = BindingType::Sampler(wgt::SamplerBindingType::Filtering);
        entry(binding, visibility, ty)
    }

    /// Group, binding, and `b`, `t` or `s` with the slot, of each resource in order.
    fn told(slots: &EntryPointResources) -> Vec<(u32, u32, char, u8)> {
        let one = |(place, target): (&ResourceBinding, &BindTarget)| {
            let (kind, slot) = match target {
                BindTarget {
                    buffer: Some(slot), ..
                } => ('b', *slot),
                BindTarget {
                    texture: Some(slot),
                    ..
                } => ('t', *slot),
                BindTarget {
                    sampler: Some(BindSamplerTarget::Resource(slot)),
                    ..
                } => ('s', *slot),
                other => panic!("{other:?}"),
            };
            (place.group, place.binding, kind, slot)
        };
        slots.resources.iter().map(one).collect()
    }

    /// Immediates take the first buffer of both stages; each stage counts what it sees, each kind
    /// apart, across the groups; sizes come last.
    #[test]
    fn slots_are_counted_as_the_driver_layer_counts_them() {
        let first = [uniform(0, VERTEX), uniform(1, FRAGMENT), uniform(2, BOTH)];
        let second = [
            texture(4, FRAGMENT),
            sampler(5, FRAGMENT),
            texture(32, VERTEX),
            sampler(33, VERTEX),
            texture(34, BOTH),
            sampler(35, BOTH),
        ];
        let third = [storage(0, VERTEX), storage(7, FRAGMENT)];
        let groups: [&[_]; 3] = [&first, &second, &third];

        let vertex = msl_slots(&groups, 0, VERTEX);
        assert_eq!(
            told(&vertex),
            [
                (0, 0, 'b', 0),
                (0, 2, 'b', 1),
                (1, 32, 't', 0),
                (1, 33, 's', 0),
                (1, 34, 't', 1),
                (1, 35, 's', 1),
                (2, 0, 'b', 2),
            ]
        );
        assert_eq!(
            (vertex.immediates_buffer, vertex.sizes_buffer),
            (None, Some(3))
        );

        let fragment = msl_slots(&groups, 16, FRAGMENT);
        assert_eq!(
            told(&fragment),
            [
                (0, 1, 'b', 1),
                (0, 2, 'b', 2),
                (1, 4, 't', 0),
                (1, 5, 's', 0),
                (1, 34, 't', 1),
                (1, 35, 's', 1),
                (2, 7, 'b', 3),
            ]
        );
        assert_eq!(
            (fragment.immediates_buffer, fragment.sizes_buffer),
            (Some(0), Some(4))
        );
    }

    /// A fragment stage without storage buffers gets no sizes, a vertex stage always does: hal's own
    /// text fetches vertices by them.
    #[test]
    fn only_who_may_need_sizes_has_a_slot_for_them() {
        let group = [uniform(0, BOTH), storage(1, VERTEX)];
        let groups: [&[_]; 2] = [&[], &group];
        assert_eq!(msl_slots(&groups, 0, FRAGMENT).sizes_buffer, None);
        assert_eq!(msl_slots(&groups, 0, VERTEX).sizes_buffer, Some(2));
        assert_eq!(msl_slots(&[], 0, VERTEX).sizes_buffer, Some(0));
        assert_eq!(msl_slots(&[], 4, VERTEX).sizes_buffer, Some(1));
        assert_eq!(msl_slots(&[], 0, FRAGMENT), EntryPointResources::default());
    }

    #[test]
    fn storage_that_is_written_is_mutable() {
        let written = buffer(0, FRAGMENT, BufferBindingType::Storage { read_only: false });
        let group = [written, storage(1, FRAGMENT)];
        let slots = msl_slots(&[&group], 0, FRAGMENT);
        let mutable: Vec<bool> = slots
            .resources
            .values()
            .map(|target| target.mutable)
            .collect();
        assert_eq!(mutable, [true, false]);
    }

    #[test]
    fn more_than_a_slot_can_number_is_no_overflow() {
        let group: Vec<_> = (0..400).map(|binding| uniform(binding, BOTH)).collect();
        let slots = msl_slots(&[&group], 4, VERTEX);
        assert_eq!(slots.sizes_buffer, Some(255));
        assert_eq!(told(&slots)[399], (0, 399, 'b', 255));
    }

    fn module(wgsl: &str) -> naga::Module {
        naga::front::wgsl::parse_str(wgsl).unwrap()
    }

    #[test]
    fn text_that_the_driver_layer_cannot_serve_is_refused() {
        let fixed = module(
            "@group(0) @binding(0) var<storage, read> rows: array<vec4<u32>, 3>;
             @fragment fn f() -> @location(0) vec4<f32> { return vec4<f32>(rows[1]); }",
        );
        let sized = module(
            "@group(0) @binding(0) var<storage, read> rows: array<vec4<u32>>;
             @fragment fn f() -> @location(0) vec4<f32> { return vec4<f32>(rows[1]); }",
        );
        let group = [storage(0, FRAGMENT)];
        let known = msl_slots(&[&group], 0, FRAGMENT);
        assert_eq!(check(&fixed, &known), Ok(()));
        let refused = |module: &naga::Module, slots: &EntryPointResources| {
            check(module, slots).unwrap_err().to_string()
        };
        assert!(refused(&sized, &known).contains("size of group 0 binding 0"));
        let nothing = EntryPointResources::default();
        assert!(refused(&fixed, &nothing).contains("slot for group 0 binding 0"));
    }

    /// The rule of [`msl_slots`] is private to `wgpu-hal` (`metal/device.rs`, `create_pipeline_layout`
    /// and `create_render_pipeline`). Before this number changes, read it again.
    #[test]
    fn the_rule_was_read_in_this_version_of_the_driver_layer() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock");
        let Ok(lock) = std::fs::read_to_string(path) else {
            return;
        };
        let version = lock
            .split("name = \"wgpu-hal\"\nversion = \"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        assert_eq!(version, Some("30.0.2"));
    }
}
