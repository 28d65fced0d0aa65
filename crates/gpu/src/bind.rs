//! Bind group layouts, pipeline layouts and bind groups.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use wgpu_hal as hal;
use wgpu_types as wgt;

use crate::buffer::Buffer;
use crate::desc::{BindEntry, BindResource, PipelineLayoutDesc};
use crate::device::Gpu;
use crate::error::{Result, invalid};
use crate::raw::{RawBindGroup, RawBindGroupLayout, RawPipelineLayout};
use crate::sampler::Sampler;
use crate::texture::TextureView;

/// Which bindings a group has. Clones share it.
///
/// Two layouts made from equal entries are different layouts: groups,
/// pipelines and draws must use the same one.
#[derive(Clone)]
pub struct BindGroupLayout(pub(crate) Arc<BindGroupLayoutInner>);

pub(crate) struct BindGroupLayoutInner {
    raw: RawBindGroupLayout,
    pub(crate) id: u64,
    /// Sorted by binding number.
    pub(crate) entries: Vec<wgt::BindGroupLayoutEntry>,
}

/// Bind group layouts by group number and a size of immediates. Clones share it.
#[derive(Clone)]
pub struct PipelineLayout(pub(crate) Arc<PipelineLayoutInner>);

pub(crate) struct PipelineLayoutInner {
    pub(crate) raw: RawPipelineLayout,
    pub(crate) id: u64,
    pub(crate) groups: Vec<BindGroupLayout>,
    /// Layout ids by group, 0 for none.
    pub(crate) ids: [u64; hal::MAX_BIND_GROUPS],
    pub(crate) immediates: u32,
}

/// Resources for a layout's bindings. Clones share it; it keeps them alive.
#[derive(Clone)]
pub struct BindGroup(pub(crate) Arc<BindGroupInner>);

pub(crate) struct BindGroupInner {
    // Dropped before what it refers to.
    pub(crate) raw: RawBindGroup,
    pub(crate) layout_id: u64,
    /// For each dynamic binding, by number, the largest valid offset.
    pub(crate) dynamic: Box<[u64]>,
    pub(crate) views: Box<[TextureView]>,
    pub(crate) buffers: Box<[Buffer]>,
    _samplers: Box<[Sampler]>,
    _layout: BindGroupLayout,
    /// As in [`crate::buffer::BufferInner`].
    pub(crate) kept: AtomicU64,
    /// The last pass that this was checked against.
    pub(crate) pass: AtomicU64,
}

macro_rules! opaque_debug {
    ($($name:ident),*) => {$(
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    )*};
}
opaque_debug!(BindGroupLayout, PipelineLayout, BindGroup);

impl Gpu {
    /// Creates a layout of uniform buffers, read-only storage buffers, sampled textures and
    /// samplers.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] for a binding number used twice or over the
    /// device's limit, arrays, and kinds of binding that D3D9 has no use for
    /// (writable storage, multisampled textures of colours).
    pub fn create_bind_group_layout(
        &self,
        entries: &[wgt::BindGroupLayoutEntry],
    ) -> Result<BindGroupLayout> {
        let shared = self.shared();
        shared.alive()?;
        let mut entries = entries.to_vec();
        entries.sort_by_key(|entry| entry.binding);
        for entry in &entries {
            let known = match entry.ty {
                wgt::BindingType::Buffer {
                    ty,
                    has_dynamic_offset,
                    ..
                } => match ty {
                    wgt::BufferBindingType::Uniform => true,
                    wgt::BufferBindingType::Storage { read_only } => {
                        read_only && !has_dynamic_offset
                    }
                },
                wgt::BindingType::Sampler(_) => true,
                wgt::BindingType::Texture {
                    sample_type,
                    multisampled,
                    view_dimension,
                } => {
                    use wgt::TextureViewDimension as D;
                    match multisampled {
                        true => {
                            view_dimension == D::D2 && sample_type == wgt::TextureSampleType::Depth
                        }
                        false => matches!(view_dimension, D::D2 | D::D2Array | D::Cube | D::D3),
                    }
                }
                _ => false,
            };
            if !known || entry.count.is_some() {
                return Err(invalid(format!(
                    "binding {} is {:?}, not a uniform buffer, read-only storage buffer, \
                     sampled texture or sampler",
                    entry.binding, entry.ty
                )));
            }
            if entry.visibility.is_empty()
                || !wgt::ShaderStages::VERTEX_FRAGMENT.contains(entry.visibility)
            {
                return Err(invalid(format!(
                    "binding {} is visible to {:?}, not to the vertex or fragment stage",
                    entry.binding, entry.visibility
                )));
            }
        }
        if let Some(pair) = entries
            .windows(2)
            .find(|pair| pair[0].binding == pair[1].binding)
        {
            return Err(invalid(format!(
                "binding {} is given twice",
                pair[0].binding
            )));
        }
        if entries.last().is_some_and(|entry| entry.binding >= 1000) {
            return Err(invalid("binding numbers must be under 1000"));
        }
        let hal_desc = hal::BindGroupLayoutDescriptor {
            label: None,
            flags: hal::BindGroupLayoutFlags::empty(),
            entries: &entries,
        };
        // SAFETY: the entries are sorted, distinct and of known kinds.
        let object = unsafe { shared.device.create_bind_group_layout(&hal_desc) };
        Ok(BindGroupLayout(Arc::new(BindGroupLayoutInner {
            raw: RawBindGroupLayout::new(shared, shared.check(object)?),
            id: shared.new_id(),
            entries,
        })))
    }

    /// Creates a pipeline layout.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] for more groups, dynamic uniform buffers or
    /// immediates than the device has.
    pub fn create_pipeline_layout(&self, desc: &PipelineLayoutDesc<'_>) -> Result<PipelineLayout> {
        let shared = self.shared();
        shared.alive()?;
        let caps = self.caps();
        let most = (caps.max_bind_groups as usize).min(hal::MAX_BIND_GROUPS);
        if desc.groups.len() > most {
            return Err(invalid(format!(
                "{} bind groups, the device has {most}",
                desc.groups.len()
            )));
        }
        if desc
            .groups
            .iter()
            .any(|group| !Arc::ptr_eq(group.0.raw.shared(), shared))
        {
            return Err(invalid("a bind group layout of another device"));
        }
        if desc.immediates > caps.max_immediates || !desc.immediates.is_multiple_of(4) {
            return Err(invalid(format!(
                "{} bytes of immediates must be a multiple of 4 up to {}",
                desc.immediates, caps.max_immediates
            )));
        }
        let dynamic = desc
            .groups
            .iter()
            .flat_map(|group| &group.0.entries)
            .filter(|entry| is_dynamic(entry))
            .count();
        if dynamic > caps.max_dynamic_uniforms as usize {
            return Err(invalid(format!(
                "{dynamic} dynamic uniform buffers, the device has {}",
                caps.max_dynamic_uniforms
            )));
        }
        let raws: Vec<Option<&dyn hal::DynBindGroupLayout>> = desc
            .groups
            .iter()
            .map(|group| Some(group.0.raw.get()))
            .collect();
        let hal_desc = hal::PipelineLayoutDescriptor {
            label: Some(desc.label),
            flags: hal::PipelineLayoutFlags::empty(),
            bind_group_layouts: &raws,
            immediate_size: desc.immediates,
        };
        // SAFETY: the layouts are this device's and alive, and the counts are in its limits.
        let object = unsafe { shared.device.create_pipeline_layout(&hal_desc) };
        let mut ids = [0; hal::MAX_BIND_GROUPS];
        for (id, group) in ids.iter_mut().zip(desc.groups) {
            *id = group.0.id;
        }
        Ok(PipelineLayout(Arc::new(PipelineLayoutInner {
            raw: RawPipelineLayout::new(shared, shared.check(object)?),
            id: shared.new_id(),
            groups: desc.groups.iter().map(|&group| group.clone()).collect(),
            ids,
            immediates: desc.immediates,
        })))
    }

    /// Creates a bind group with exactly the layout's bindings.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] naming the binding that is missing, of the wrong
    /// kind, shape or sample type, out of its buffer or badly aligned.
    pub fn create_bind_group(
        &self,
        layout: &BindGroupLayout,
        entries: &[BindEntry<'_>],
    ) -> Result<BindGroup> {
        let shared = self.shared();
        shared.alive()?;
        if !Arc::ptr_eq(layout.0.raw.shared(), shared) {
            return Err(invalid("a bind group layout of another device"));
        }
        if entries.len() != layout.0.entries.len() {
            return Err(invalid(format!(
                "{} bindings for a layout of {}",
                entries.len(),
                layout.0.entries.len()
            )));
        }
        let (mut buffers, mut views, mut samplers) = (Vec::new(), Vec::new(), Vec::new());
        let (mut windows, mut dynamic, mut slots) = (Vec::new(), Vec::new(), Vec::new());
        for want in &layout.0.entries {
            let Some(entry) = entries.iter().find(|entry| entry.binding == want.binding) else {
                return Err(invalid(format!("binding {} is missing", want.binding)));
            };
            let index = match self.check_binding(want, entry)? {
                BindResource::Uniform {
                    buffer,
                    offset,
                    size,
                } => {
                    if is_dynamic(want) {
                        dynamic.push(buffer.size() - offset - size);
                    }
                    windows.push((offset, size));
                    buffers.push(buffer.clone());
                    buffers.len() - 1
                }
                BindResource::Storage {
                    buffer,
                    offset,
                    size,
                } => {
                    windows.push((offset, size));
                    buffers.push(buffer.clone());
                    buffers.len() - 1
                }
                BindResource::Texture(view) => {
                    views.push(view.clone());
                    views.len() - 1
                }
                BindResource::Sampler(sampler) => {
                    samplers.push(sampler.clone());
                    samplers.len() - 1
                }
            };
            slots.push(hal::BindGroupEntry {
                binding: want.binding,
                resource_index: index as u32,
                count: 1,
            });
        }
        let raw_buffers: Vec<_> = buffers
            .iter()
            .zip(&windows)
            .map(|(buffer, &(offset, size))| {
                hal::BufferBinding::new_unchecked(buffer.0.raw.get(), offset, NonZeroU64::new(size))
            })
            .collect();
        let raw_views: Vec<_> = views
            .iter()
            .map(|view| hal::TextureBinding {
                view: view.0.raw.get(),
                usage: wgt::TextureUses::RESOURCE,
            })
            .collect();
        let raw_samplers: Vec<_> = samplers.iter().map(|sampler| sampler.0.raw.get()).collect();
        let hal_desc = hal::BindGroupDescriptor {
            label: None,
            layout: layout.0.raw.get(),
            buffers: &raw_buffers,
            samplers: &raw_samplers,
            textures: &raw_views,
            entries: &slots,
            acceleration_structures: &[],
            external_textures: &[],
        };
        // SAFETY: entries are sorted and match the layout one to one, every
        // resource is this device's and fits its binding (`check_binding`), and
        // the group keeps them all alive.
        let object = unsafe { shared.device.create_bind_group(&hal_desc) };
        let raw = RawBindGroup::new(shared, shared.check(object)?);
        Ok(BindGroup(Arc::new(BindGroupInner {
            raw,
            layout_id: layout.0.id,
            dynamic: dynamic.into(),
            views: views.into(),
            buffers: buffers.into(),
            _samplers: samplers.into(),
            _layout: layout.clone(),
            kept: AtomicU64::new(0),
            pass: AtomicU64::new(0),
        })))
    }

    /// Compares one binding with what the layout wants there.
    fn check_binding<'a>(
        &self,
        want: &wgt::BindGroupLayoutEntry,
        entry: &BindEntry<'a>,
    ) -> Result<BindResource<'a>> {
        let shared = self.shared();
        let number = want.binding;
        let wrong = |what: &str| invalid(format!("binding {number} is {what}, not {:?}", want.ty));
        match (want.ty, entry.resource) {
            (
                wgt::BindingType::Buffer {
                    ty: wgt::BufferBindingType::Storage { .. },
                    min_binding_size,
                    ..
                },
                BindResource::Storage {
                    buffer,
                    offset,
                    size,
                },
            ) => {
                if !Arc::ptr_eq(buffer.0.raw.shared(), shared)
                    || !buffer.usage().contains(wgt::BufferUsages::STORAGE)
                {
                    return Err(wrong("a buffer of another device or without STORAGE"));
                }
                let least = min_binding_size.map_or(1, NonZeroU64::get);
                let most = self.caps().max_storage_binding;
                let align = self.caps().storage_alignment;
                let end = offset.checked_add(size);
                if size < least
                    || size > most
                    || !size.is_multiple_of(4)
                    || end.is_none_or(|end| end > buffer.size())
                    || !offset.is_multiple_of(u64::from(align))
                {
                    return Err(invalid(format!(
                        "binding {number}: {size} bytes at {offset} must be {least} to {most} \
                         bytes, whole words, aligned to {align}, inside a buffer of {} bytes",
                        buffer.size()
                    )));
                }
            }
            (
                wgt::BindingType::Buffer {
                    ty: wgt::BufferBindingType::Uniform,
                    min_binding_size,
                    ..
                },
                BindResource::Uniform {
                    buffer,
                    offset,
                    size,
                },
            ) => {
                if !Arc::ptr_eq(buffer.0.raw.shared(), shared)
                    || !buffer.usage().contains(wgt::BufferUsages::UNIFORM)
                {
                    return Err(wrong("a buffer of another device or without UNIFORM"));
                }
                let least = min_binding_size.map_or(1, NonZeroU64::get);
                let end = offset.checked_add(size);
                if size < least
                    || size > self.caps().max_uniform_binding
                    || end.is_none_or(|end| end > buffer.size())
                    || !offset.is_multiple_of(u64::from(self.caps().uniform_alignment))
                {
                    return Err(invalid(format!(
                        "binding {number}: {size} bytes at {offset} must be {least} to {} bytes, \
                         aligned to {}, inside a buffer of {} bytes",
                        self.caps().max_uniform_binding,
                        self.caps().uniform_alignment,
                        buffer.size()
                    )));
                }
            }
            (
                wgt::BindingType::Texture {
                    sample_type,
                    view_dimension,
                    multisampled,
                },
                BindResource::Texture(view),
            ) => {
                let t = &view.0.texture.0;
                if !Arc::ptr_eq(t.raw.shared(), shared)
                    || !view.0.sampled
                    || (t.samples > 1) != multisampled
                {
                    return Err(wrong("a view that cannot be sampled"));
                }
                let have = view
                    .0
                    .format
                    .sample_type(Some(view.0.desc.aspect), Some(shared.features));
                use wgt::TextureSampleType as S;
                let fits = match (sample_type, have) {
                    // Depth reads as a float, too. That a sampler does not filter what the device
                    // cannot is the caller's care: it would get other numbers, nothing worse.
                    (S::Float { .. }, Some(S::Float { .. } | S::Depth)) => true,
                    (want, Some(have)) => want == have,
                    (_, None) => false,
                };
                if view.dimension() != view_dimension || !fits {
                    return Err(wrong(&format!(
                        "a {:?} view of {:?}",
                        view.dimension(),
                        view.format()
                    )));
                }
            }
            (wgt::BindingType::Sampler(kind), BindResource::Sampler(sampler)) => {
                use wgt::SamplerBindingType as S;
                let fits = match kind {
                    S::Comparison => sampler.0.compare,
                    S::Filtering => !sampler.0.compare,
                    S::NonFiltering => !sampler.0.compare && !sampler.0.linear,
                };
                if !Arc::ptr_eq(sampler.0.raw.shared(), shared) || !fits {
                    return Err(wrong("a sampler of another kind or device"));
                }
            }
            (_, BindResource::Uniform { .. }) => return Err(wrong("a uniform buffer")),
            (_, BindResource::Storage { .. }) => return Err(wrong("a storage buffer")),
            (_, BindResource::Texture(_)) => return Err(wrong("a texture")),
            (_, BindResource::Sampler(_)) => return Err(wrong("a sampler")),
        }
        Ok(entry.resource)
    }
}

pub(crate) fn is_dynamic(entry: &wgt::BindGroupLayoutEntry) -> bool {
    matches!(
        entry.ty,
        wgt::BindingType::Buffer {
            has_dynamic_offset: true,
            ..
        }
    )
}
