//! Finding adapters, choosing one, and what it can do.

use wgpu_hal as hal;
use wgpu_types as wgt;

use crate::error::{Error, Result};

/// Words of immediates that this crate uses at most: what every desktop has.
pub(crate) const MAX_IMMEDIATES: usize = 64;

/// How to choose and open a GPU.
#[derive(Debug, Clone, Default)]
pub struct GpuOptions {
    /// Take the first adapter whose name, driver or back end contains this
    /// text (letters of either case). `None`: the first real GPU, a software
    /// one when there is none.
    pub adapter: Option<String>,
    /// Load the back end's validation layer where it is installed. Slow.
    pub validation: bool,
}

/// What kind of device an adapter is, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AdapterKind {
    /// A GPU with its own memory.
    Discrete,
    /// A GPU that shares the CPU's memory.
    Integrated,
    /// A GPU of a virtual machine's host.
    Virtual,
    /// The driver does not say.
    Other,
    /// A software rasteriser such as lavapipe.
    Cpu,
}

/// Who the adapter is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AdapterInfo {
    /// The adapter's name.
    pub name: String,
    /// The driver's name and version.
    pub driver: String,
    /// The back end: `vulkan`, `metal`, `dx12` or `gl`.
    pub backend: &'static str,
    /// Real or software.
    pub kind: AdapterKind,
    /// PCI vendor, or a number like it.
    pub vendor: u32,
    /// PCI device, or a number like it.
    pub device: u32,
}

impl std::fmt::Display for AdapterInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({}, {})", self.name, self.backend, self.driver)
    }
}

/// What the open device can do, as far as D3D9 cares.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Caps {
    /// `Bc1` to `Bc3` textures (DXT1 to DXT5).
    pub texture_bc: bool,
    /// Compressed volumes.
    pub texture_bc_3d: bool,
    /// `Depth32FloatStencil8`.
    pub depth32_stencil8: bool,
    /// `AddressMode::ClampToBorder` with the preset colours.
    pub border_clamp: bool,
    /// Largest sampler anisotropy, 1 when there is none.
    pub max_anisotropy: u16,
    /// `PolygonMode::Line` (`D3DFILL_WIREFRAME`).
    pub polygon_line: bool,
    /// `PolygonMode::Point` (`D3DFILL_POINT`).
    pub polygon_point: bool,
    /// Second blend source.
    pub dual_source: bool,
    /// Clip distances (`D3DRS_CLIPPLANEENABLE`).
    pub clip_distances: bool,
    /// Depth clamping instead of clipping (`PrimitiveState::unclipped_depth`).
    pub depth_clip_control: bool,
    /// `R16Unorm` and its kin.
    pub norm16: bool,
    /// Linear filters on 32-bit float textures.
    pub float32_filterable: bool,
    /// Timestamps ([`crate::Commands::write_timestamp`]).
    pub timestamps: bool,
    /// Whether a [`crate::PipelineCache`] keeps anything.
    pub pipeline_cache: bool,
    /// Largest width and height of 2D and cube textures.
    pub max_texture_2d: u32,
    /// Largest width, height and depth of volumes.
    pub max_texture_3d: u32,
    /// Largest number of bind groups in a pipeline layout.
    pub max_bind_groups: u32,
    /// Largest number of uniform bindings with dynamic offsets in a layout.
    pub max_dynamic_uniforms: u32,
    /// Largest uniform binding in bytes.
    pub max_uniform_binding: u64,
    /// Largest number of colour attachments.
    pub max_color_attachments: u32,
    /// Largest number of vertex buffer slots.
    pub max_vertex_buffers: u32,
    /// Largest number of vertex attributes.
    pub max_vertex_attributes: u32,
    /// Largest number of variables between vertex and fragment stage.
    pub max_inter_stage: u32,
    /// Bytes of immediates (push constants).
    pub max_immediates: u32,
    /// Largest buffer in bytes.
    pub max_buffer: u64,
    /// Alignment of uniform offsets in bytes.
    pub uniform_alignment: u32,
    /// Largest storage binding in bytes, 0 where a vertex or fragment stage has none.
    pub max_storage_binding: u64,
    /// Alignment of offsets of storage bindings.
    pub storage_alignment: u32,
    /// The driver runs short pixel functions on 8 bits a channel instead of floats (llvmpipe).
    pub short_pixel_paths: bool,
    /// Functions that several pipelines share should come as text
    /// ([`crate::Gpu::create_shader_with_msl`]): Metal compiles a module again for each pipeline.
    pub takes_msl: bool,
    /// Alignment of [`crate::Rows::bytes_per_row`] in bytes.
    pub copy_pitch_alignment: u32,
}

/// What the device can do with a texture format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct FormatCaps {
    /// Can be sampled.
    pub sampled: bool,
    /// Can be sampled with linear filters.
    pub filterable: bool,
    /// Can be a colour attachment.
    pub target: bool,
    /// Can be a blended colour attachment.
    pub blendable: bool,
    /// Can be a depth-stencil attachment.
    pub depth_stencil: bool,
    /// Bit n set: 2^n samples work for attachments (bit 0 always with
    /// `target` or `depth_stencil`).
    pub sample_counts: u8,
}

/// An adapter before it is opened.
pub(crate) struct Found {
    pub(crate) exposed: hal::DynExposedAdapter,
    pub(crate) info: AdapterInfo,
    pub(crate) instance: std::sync::Arc<Box<dyn hal::DynInstance>>,
}

fn info_of(info: &wgt::AdapterInfo) -> AdapterInfo {
    let kind = match info.device_type {
        wgt::DeviceType::DiscreteGpu => AdapterKind::Discrete,
        wgt::DeviceType::IntegratedGpu => AdapterKind::Integrated,
        wgt::DeviceType::VirtualGpu => AdapterKind::Virtual,
        wgt::DeviceType::Cpu => AdapterKind::Cpu,
        wgt::DeviceType::Other => AdapterKind::Other,
    };
    let driver = match (info.driver.as_str(), info.driver_info.as_str()) {
        ("", details) => details.to_owned(),
        (name, "") => name.to_owned(),
        (name, details) => format!("{name} {details}"),
    };
    AdapterInfo {
        name: info.name.clone(),
        driver,
        backend: info.backend.to_str(),
        kind,
        vendor: info.vendor,
        device: info.device,
    }
}

/// Starts back end `A` and lists its adapters; a back end that does not start
/// (no loader, no driver) contributes none and says why in `why`.
fn enumerate<A: hal::Api>(options: &GpuOptions, found: &mut Vec<Found>, why: &mut Vec<String>)
where
    A::Instance: hal::DynInstance,
{
    let mut flags = wgt::InstanceFlags::empty();
    if options.validation {
        flags |= wgt::InstanceFlags::debugging();
    }
    let descriptor = hal::InstanceDescriptor {
        name: "ninefold",
        flags,
        memory_budget_thresholds: wgt::MemoryBudgetThresholds::default(),
        backend_options: wgt::BackendOptions::default(),
        telemetry: None,
        display: None,
    };
    // SAFETY: the descriptor borrows nothing that must outlive the instance (no
    // display handle), and its name has no interior NUL.
    let instance = match unsafe { <A::Instance as hal::Instance>::init(&descriptor) } {
        Ok(instance) => instance,
        Err(error) => {
            why.push(format!("{}: {error}", A::VARIANT.to_str()));
            return;
        }
    };
    let instance: std::sync::Arc<Box<dyn hal::DynInstance>> =
        std::sync::Arc::new(Box::new(instance));
    // SAFETY: no surface hint; the adapters are kept together with the
    // instance, which therefore outlives them.
    let adapters = unsafe { instance.enumerate_adapters(None) };
    if adapters.is_empty() {
        why.push(format!("{}: it lists no adapter", A::VARIANT.to_str()));
    }
    if !adapters.is_empty() {
        keep_driver(A::VARIANT, &instance);
    }
    found.extend(adapters.into_iter().map(|exposed| Found {
        info: info_of(&exposed.info),
        exposed,
        instance: instance.clone(),
    }));
}

/// Keeps one instance of each back end as long as the process lives, and with it the driver's code.
///
/// The last instance's end unloads a Vulkan driver, and NVIDIA's (580) leaves its destructors of
/// thread-local values behind: a thread that made the last device go, or only used one, crashed when
/// it ended after that.
fn keep_driver(backend: wgt::Backend, instance: &std::sync::Arc<Box<dyn hal::DynInstance>>) {
    type Kept = (wgt::Backend, std::sync::Arc<Box<dyn hal::DynInstance>>);
    static KEPT: parking_lot::Mutex<Vec<Kept>> = parking_lot::Mutex::new(Vec::new());
    let mut kept = KEPT.lock();
    if kept.iter().all(|have| have.0 != backend) {
        kept.push((backend, instance.clone()));
    }
}

/// Every adapter of every back end, real GPUs first and software last.
pub(crate) fn list(options: &GpuOptions) -> (Vec<Found>, Vec<String>) {
    let (mut found, mut why) = (Vec::new(), Vec::new());
    #[cfg(target_vendor = "apple")]
    enumerate::<hal::api::Metal>(options, &mut found, &mut why);
    #[cfg(not(any(target_vendor = "apple", target_family = "wasm")))]
    enumerate::<hal::api::Vulkan>(options, &mut found, &mut why);
    #[cfg(target_os = "windows")]
    enumerate::<hal::api::Dx12>(options, &mut found, &mut why);
    found.sort_by_key(|adapter| adapter.info.kind);
    (found, why)
}

/// Chooses one adapter as [`GpuOptions::adapter`] says.
pub(crate) fn choose(options: &GpuOptions) -> Result<Found> {
    let (found, why) = list(options);
    if found.is_empty() {
        return Err(no_adapter(&why));
    }
    let Some(wanted) = options.adapter.as_deref().filter(|text| !text.is_empty()) else {
        return Ok(found.into_iter().next().expect("checked above"));
    };
    let names: Vec<String> = found.iter().map(|f| f.info.to_string()).collect();
    let wanted_lower = wanted.to_lowercase();
    found
        .into_iter()
        .find(|f| f.info.to_string().to_lowercase().contains(&wanted_lower))
        .ok_or_else(|| {
            Error::NoAdapter(
                format!(
                    "no adapter matches {wanted:?}; this machine has: {}",
                    names.join("; ")
                )
                .into(),
            )
        })
}

#[cold]
fn no_adapter(why: &[String]) -> Error {
    Error::NoAdapter(
        format!(
            "no graphics driver was found ({}). On Debian and Ubuntu install the packages \
             mesa-vulkan-drivers and libvulkan1",
            why.join("; ")
        )
        .into(),
    )
}

/// The features to ask for: those of the adapter that D3D9 has a use for.
pub(crate) fn wanted_features(adapter: wgt::Features) -> wgt::Features {
    use wgt::Features as F;
    adapter
        & (F::DEPTH32FLOAT_STENCIL8
            | F::TEXTURE_COMPRESSION_BC
            | F::TEXTURE_COMPRESSION_BC_SLICED_3D
            | F::ADDRESS_MODE_CLAMP_TO_BORDER
            | F::ADDRESS_MODE_CLAMP_TO_ZERO
            | F::POLYGON_MODE_LINE
            | F::POLYGON_MODE_POINT
            | F::CLIP_DISTANCES
            | F::DEPTH_CLIP_CONTROL
            | F::DUAL_SOURCE_BLENDING
            | F::TEXTURE_FORMAT_16BIT_NORM
            | F::FLOAT32_FILTERABLE
            | F::FLOAT32_BLENDABLE
            | F::PIPELINE_CACHE
            | F::MAPPABLE_PRIMARY_BUFFERS
            | F::TIMESTAMP_QUERY
            | F::TIMESTAMP_QUERY_INSIDE_ENCODERS
            | F::IMMEDIATES
            | F::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES)
}

pub(crate) fn caps(exposed: &hal::DynExposedAdapter, features: wgt::Features) -> Caps {
    use wgt::Features as F;
    let limits = &exposed.capabilities.limits;
    let anisotropic = exposed
        .capabilities
        .downlevel
        .flags
        .contains(wgt::DownlevelFlags::ANISOTROPIC_FILTERING);
    Caps {
        texture_bc: features.contains(F::TEXTURE_COMPRESSION_BC),
        texture_bc_3d: features.contains(F::TEXTURE_COMPRESSION_BC_SLICED_3D),
        depth32_stencil8: features.contains(F::DEPTH32FLOAT_STENCIL8),
        border_clamp: features.contains(F::ADDRESS_MODE_CLAMP_TO_BORDER),
        max_anisotropy: if anisotropic { 16 } else { 1 },
        polygon_line: features.contains(F::POLYGON_MODE_LINE),
        polygon_point: features.contains(F::POLYGON_MODE_POINT),
        dual_source: features.contains(F::DUAL_SOURCE_BLENDING),
        clip_distances: features.contains(F::CLIP_DISTANCES),
        depth_clip_control: features.contains(F::DEPTH_CLIP_CONTROL),
        norm16: features.contains(F::TEXTURE_FORMAT_16BIT_NORM),
        float32_filterable: features.contains(F::FLOAT32_FILTERABLE),
        timestamps: features.contains(F::TIMESTAMP_QUERY | F::TIMESTAMP_QUERY_INSIDE_ENCODERS),
        pipeline_cache: features.contains(F::PIPELINE_CACHE),
        max_texture_2d: limits.max_texture_dimension_2d,
        max_texture_3d: limits.max_texture_dimension_3d,
        max_bind_groups: limits.max_bind_groups,
        max_dynamic_uniforms: limits.max_dynamic_uniform_buffers_per_pipeline_layout,
        max_uniform_binding: limits.max_uniform_buffer_binding_size,
        max_color_attachments: limits.max_color_attachments,
        max_vertex_buffers: limits.max_vertex_buffers,
        max_vertex_attributes: limits.max_vertex_attributes,
        max_inter_stage: limits.max_inter_stage_shader_variables,
        max_immediates: if features.contains(F::IMMEDIATES) {
            limits.max_immediate_size.min(MAX_IMMEDIATES as u32 * 4)
        } else {
            0
        },
        max_buffer: limits.max_buffer_size,
        uniform_alignment: limits.min_uniform_buffer_offset_alignment,
        max_storage_binding: match limits.max_storage_buffers_per_shader_stage {
            0 => 0,
            _ => limits.max_storage_buffer_binding_size,
        },
        storage_alignment: limits.min_storage_buffer_offset_alignment,
        takes_msl: exposed.info.backend == wgt::Backend::Metal,
        short_pixel_paths: exposed.info.name.starts_with("llvmpipe"),
        copy_pitch_alignment: exposed.capabilities.alignments.buffer_copy_pitch.get() as u32,
    }
}

pub(crate) fn format_caps(caps: hal::TextureFormatCapabilities) -> FormatCaps {
    use hal::TextureFormatCapabilities as C;
    let attachment = C::COLOR_ATTACHMENT | C::DEPTH_STENCIL_ATTACHMENT;
    let mut sample_counts = u8::from(caps.intersects(attachment));
    for (bit, flag) in [
        (1, C::MULTISAMPLE_X2),
        (2, C::MULTISAMPLE_X4),
        (3, C::MULTISAMPLE_X8),
        (4, C::MULTISAMPLE_X16),
    ] {
        sample_counts |= u8::from(caps.contains(flag)) << bit;
    }
    FormatCaps {
        sampled: caps.contains(C::SAMPLED),
        filterable: caps.contains(C::SAMPLED_LINEAR),
        target: caps.contains(C::COLOR_ATTACHMENT),
        blendable: caps.contains(C::COLOR_ATTACHMENT_BLEND),
        depth_stencil: caps.contains(C::DEPTH_STENCIL_ATTACHMENT),
        sample_counts,
    }
}
