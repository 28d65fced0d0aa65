//! Render pipelines and the driver's cache of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64};

use wgpu_hal as hal;
use wgpu_types as wgt;

use crate::bind::PipelineLayout;
use crate::commands::PassSignature;
use crate::desc::{RenderPipelineDesc, Stage};
use crate::device::Gpu;
use crate::error::{Error, Result, invalid};
use crate::link;
use crate::raw::{RawPipeline, RawPipelineCache};

/// Shaders with all fixed state of a draw. Clones share it.
#[derive(Clone)]
pub struct RenderPipeline(pub(crate) Arc<PipelineInner>);

pub(crate) struct PipelineInner {
    pub(crate) raw: RawPipeline,
    pub(crate) layout: PipelineLayout,
    /// Of the passes it may be used in.
    pub(crate) signature: u32,
    /// Bit n: vertex buffer slot n must be bound.
    pub(crate) vertex_slots: u32,
    pub(crate) strip_index: Option<wgt::IndexFormat>,
    pub(crate) kept: AtomicU64,
    /// Where the commands that keep this list it.
    pub(crate) slot: AtomicU32,
}

impl std::fmt::Debug for RenderPipeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RenderPipeline").finish_non_exhaustive()
    }
}

impl Gpu {
    /// Compiles a pipeline. May be called from any thread, also while another
    /// one records; it takes milliseconds.
    ///
    /// # Errors
    /// [`Error::Shader`] when an entry point is missing, a stage's binding is not
    /// in the layout, a vertex attribute or an input from the vertex stage is
    /// missing, or the driver refuses the shaders; [`Error::Invalid`] for fixed
    /// state that the device cannot do; [`Error::OutOfMemory`];
    /// [`Error::DeviceLost`].
    pub fn create_render_pipeline(&self, desc: &RenderPipelineDesc<'_>) -> Result<RenderPipeline> {
        let shared = self.shared();
        shared.alive()?;
        self.check_pipeline(desc)?;
        link::check(desc)?;
        let constants = naga::back::PipelineConstants::default();
        let vertex_buffers: Vec<Option<hal::VertexBufferLayout<'_>>> = desc
            .vertex_buffers
            .iter()
            .map(|slot| {
                slot.map(|slot| hal::VertexBufferLayout {
                    array_stride: slot.stride,
                    step_mode: slot.step,
                    attributes: slot.attributes,
                })
            })
            .collect();
        let hal_desc = hal::RenderPipelineDescriptor {
            label: Some(desc.label),
            layout: desc.layout.0.raw.get(),
            vertex_processor: hal::VertexProcessor::Standard {
                vertex_buffers: &vertex_buffers,
                vertex_stage: raw_stage(&desc.vertex, &constants),
            },
            primitive: desc.primitive,
            depth_stencil: desc.depth_stencil.clone(),
            multisample: desc.multisample,
            fragment_stage: desc
                .fragment
                .as_ref()
                .map(|stage| raw_stage(stage, &constants)),
            color_targets: desc.colors,
            multiview_mask: None,
            cache: desc.cache.map(|cache| cache.0.raw.get()),
        };
        // SAFETY: layout, modules and cache are this device's and alive; fixed
        // state is in the device's features and the stages match the layout,
        // the attributes and each other (`check_pipeline`, `link::check`).
        let object = unsafe { shared.device.create_render_pipeline(&hal_desc) };
        let object = object.map_err(|error| match error {
            hal::PipelineError::Device(error) => shared.failed(error),
            error => Error::Shader(error.to_string().into()),
        })?;
        let signature = PassSignature::of_pipeline(desc);
        Ok(RenderPipeline(Arc::new(PipelineInner {
            raw: RawPipeline::new(shared, object),
            layout: desc.layout.clone(),
            signature: shared.signature_id(&signature),
            vertex_slots: desc
                .vertex_buffers
                .iter()
                .enumerate()
                .fold(0, |slots, (n, slot)| slots | u32::from(slot.is_some()) << n),
            strip_index: desc.primitive.strip_index_format,
            kept: AtomicU64::new(0),
            slot: AtomicU32::new(0),
        })))
    }

    fn check_pipeline(&self, desc: &RenderPipelineDesc<'_>) -> Result<()> {
        let shared = self.shared();
        let caps = self.caps();
        let of_this = Arc::ptr_eq(desc.layout.0.raw.shared(), shared)
            && Arc::ptr_eq(desc.vertex.module.0.raw.shared(), shared)
            && desc
                .fragment
                .is_none_or(|s| Arc::ptr_eq(s.module.0.raw.shared(), shared))
            && desc
                .cache
                .is_none_or(|c| Arc::ptr_eq(c.0.raw.shared(), shared));
        if !of_this {
            return Err(invalid(
                "the pipeline's layout, shaders or cache are of another device",
            ));
        }
        if desc.vertex_buffers.len()
            > (caps.max_vertex_buffers as usize).min(hal::MAX_VERTEX_BUFFERS)
        {
            return Err(invalid(format!(
                "{} vertex buffer slots",
                desc.vertex_buffers.len()
            )));
        }
        let attributes = desc
            .vertex_buffers
            .iter()
            .flatten()
            .flat_map(|slot| slot.attributes);
        if attributes.clone().count() > caps.max_vertex_attributes as usize {
            return Err(invalid(format!(
                "over {} vertex attributes",
                caps.max_vertex_attributes
            )));
        }
        let mut locations = 0u64;
        for attribute in attributes {
            let bit = 1u64.checked_shl(attribute.shader_location).unwrap_or(0);
            if attribute.shader_location >= caps.max_vertex_attributes || locations & bit != 0 {
                return Err(invalid(format!(
                    "vertex attribute location {} is out of range or given twice",
                    attribute.shader_location
                )));
            }
            locations |= bit;
        }
        for (n, slot) in desc.vertex_buffers.iter().enumerate() {
            let Some(slot) = slot else { continue };
            if slot.stride > 2048 {
                return Err(invalid(format!(
                    "vertex slot {n}: stride {} is over 2048",
                    slot.stride
                )));
            }
            for attribute in slot.attributes {
                let end = attribute.offset.saturating_add(attribute.format.size());
                if end > if slot.stride == 0 { 2048 } else { slot.stride } {
                    return Err(invalid(format!(
                        "vertex slot {n}: attribute {} ends at {end}, past the stride {}",
                        attribute.shader_location, slot.stride
                    )));
                }
                let align = attribute.format.size().min(4);
                if !attribute.offset.is_multiple_of(align) || !slot.stride.is_multiple_of(align) {
                    return Err(invalid(format!(
                        "vertex slot {n}: attribute {} at offset {} of stride {} is not aligned to \
                         {align}",
                        attribute.shader_location, attribute.offset, slot.stride
                    )));
                }
            }
        }
        let primitive = &desc.primitive;
        let can_fill = match primitive.polygon_mode {
            wgt::PolygonMode::Fill => true,
            wgt::PolygonMode::Line => caps.polygon_line,
            wgt::PolygonMode::Point => caps.polygon_point,
        };
        if !can_fill
            || primitive.conservative
            || (primitive.unclipped_depth && !caps.depth_clip_control)
        {
            return Err(invalid(format!("the device cannot do {primitive:?}")));
        }
        if primitive.strip_index_format.is_some() && !primitive.topology.is_strip() {
            return Err(invalid("a strip index format without a strip topology"));
        }
        if desc.colors.len() > (caps.max_color_attachments as usize).min(hal::MAX_COLOR_ATTACHMENTS)
        {
            return Err(invalid(format!("{} colour targets", desc.colors.len())));
        }
        let samples = desc.multisample.count;
        let samples_ok = |format: wgt::TextureFormat| {
            samples.is_power_of_two()
                && samples <= 16
                && self.format_caps(format).sample_counts & (1 << samples.trailing_zeros()) != 0
        };
        for target in desc.colors.iter().flatten() {
            let format = self.format_caps(target.format);
            if !format.target
                || (target.blend.is_some() && !format.blendable)
                || !samples_ok(target.format)
            {
                return Err(invalid(format!(
                    "{:?} as {} colour target of {samples} samples",
                    target.format,
                    if target.blend.is_some() {
                        "a blended"
                    } else {
                        "a"
                    }
                )));
            }
            if target.blend.is_some_and(|blend| uses_second_source(&blend))
                && (!caps.dual_source || desc.colors.iter().flatten().count() > 1)
            {
                return Err(invalid(
                    "a second blend source, which needs the device's dual_source and one target",
                ));
            }
        }
        if let Some(ds) = &desc.depth_stencil {
            if !self.format_caps(ds.format).depth_stencil || !samples_ok(ds.format) {
                return Err(invalid(format!(
                    "{:?} as a depth-stencil format",
                    ds.format
                )));
            }
        } else if desc.colors.iter().flatten().next().is_none() {
            return Err(invalid(
                "a pipeline without colour and depth-stencil targets",
            ));
        }
        Ok(())
    }
}

fn raw_stage<'a>(
    stage: &Stage<'a>,
    constants: &'a naga::back::PipelineConstants,
) -> hal::ProgrammableStage<'a, dyn hal::DynShaderModule> {
    hal::ProgrammableStage {
        module: stage.module.0.raw.get(),
        entry_point: stage.entry,
        constants,
        zero_initialize_workgroup_memory: false,
    }
}

pub(crate) fn uses_second_source(blend: &wgt::BlendState) -> bool {
    [&blend.color, &blend.alpha].into_iter().any(|part| {
        [part.src_factor, part.dst_factor]
            .into_iter()
            .any(|factor| factor.ref_second_blend_source())
    })
}

impl RenderPipeline {
    /// The layout that it was made with.
    #[must_use]
    pub fn layout(&self) -> &PipelineLayout {
        &self.0.layout
    }

    /// Whether both handles are of one pipeline.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The driver's store of compiled pipelines. Clones share it.
#[derive(Clone)]
pub struct PipelineCache(pub(crate) Arc<CacheInner>);

pub(crate) struct CacheInner {
    pub(crate) raw: RawPipelineCache,
}

impl std::fmt::Debug for PipelineCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PipelineCache")
    }
}

/// Marks our cache data; the number grows when this layout changes.
const CACHE_MAGIC: [u8; 8] = *b"9fpcach1";
/// Magic, adapter key, checksum.
const CACHE_HEADER: usize = 8 + 8 + 8;

impl Gpu {
    /// Creates a pipeline cache, filled from what [`PipelineCache::data`]
    /// returned earlier. Data of another adapter, driver or version of this
    /// crate, or damaged data, is ignored.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the device has no cache
    /// ([`crate::Caps::pipeline_cache`]); [`Error::OutOfMemory`].
    pub fn create_pipeline_cache(&self, data: Option<&[u8]>) -> Result<PipelineCache> {
        let shared = self.shared();
        shared.alive()?;
        if !self.caps().pipeline_cache {
            return Err(invalid("the device has no pipeline cache"));
        }
        let payload = data.and_then(|data| self.cache_payload(data));
        let desc = hal::PipelineCacheDescriptor {
            label: None,
            data: payload,
        };
        // SAFETY: the payload came from this adapter and driver and its
        // checksum is right; drivers check their own header besides.
        let object = unsafe { shared.device.create_pipeline_cache(&desc) };
        let object =
            object.map_err(|hal::PipelineCacheError::Device(error)| shared.failed(error))?;
        Ok(PipelineCache(Arc::new(CacheInner {
            raw: RawPipelineCache::new(shared, object),
        })))
    }

    fn cache_payload<'a>(&self, data: &'a [u8]) -> Option<&'a [u8]> {
        let (header, payload) = data.split_at_checked(CACHE_HEADER)?;
        let word = |at: usize| header[at..at + 8].try_into().map(u64::from_le_bytes).ok();
        (header[..8] == CACHE_MAGIC
            && word(8)? == self.pipeline_cache_key()
            && word(16)? == fnv1a(FNV_START, payload))
        .then_some(payload)
    }

    /// Names the adapter, its driver and this crate's version: what the data of a
    /// [`PipelineCache`] is good for.
    #[must_use]
    pub fn pipeline_cache_key(&self) -> u64 {
        let info = self.adapter_info();
        let mut key = fnv1a(FNV_START, env!("CARGO_PKG_VERSION").as_bytes());
        for text in [info.backend, &info.name, &info.driver] {
            key = fnv1a(key, text.as_bytes());
            key = fnv1a(key, &[0]);
        }
        key = fnv1a(key, &info.vendor.to_le_bytes());
        key = fnv1a(key, &info.device.to_le_bytes());
        let own = self.shared().device.pipeline_cache_validation_key();
        fnv1a(key, &own.unwrap_or_default())
    }
}

impl PipelineCache {
    /// Bytes for [`Gpu::create_pipeline_cache`] in a later session, `None` when
    /// the driver keeps nothing.
    #[must_use]
    pub fn data(&self, gpu: &Gpu) -> Option<Vec<u8>> {
        let shared = gpu.shared();
        if shared.is_lost() || !Arc::ptr_eq(shared, self.0.raw.shared()) {
            return None;
        }
        // SAFETY: the cache is this device's and alive.
        let payload = unsafe { shared.device.pipeline_cache_get_data(self.0.raw.get()) }?;
        let mut data = Vec::with_capacity(CACHE_HEADER + payload.len());
        data.extend_from_slice(&CACHE_MAGIC);
        data.extend_from_slice(&gpu.pipeline_cache_key().to_le_bytes());
        data.extend_from_slice(&fnv1a(FNV_START, &payload).to_le_bytes());
        data.extend_from_slice(&payload);
        Some(data)
    }
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv1a(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
