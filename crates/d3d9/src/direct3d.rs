//! `IDirect3D9`: adapters, capabilities and making a device.

use std::sync::Arc;

use ninefold_bytecode::ShaderPack;
use ninefold_renderer::gpu::{Gpu, GpuOptions};
use ninefold_renderer::{ErrorKind, Renderer};

use crate::consts::D3DCREATE_HARDWARE_VERTEXPROCESSING;
use crate::device::Device;
use crate::fault::{Fault, Outcome};
use crate::handle::{RawHandle, Slots};
use crate::hresult::{HResult, Result};
use crate::present::{DISPLAY, check_samples, checked};
use crate::process_vertices::{Processor, VertexSettings};
use crate::processing::VertexProcessing;
use crate::residency::Ledger;
use crate::resolve::Resolved;
use crate::shader_pack::Replacements;
use crate::state::State;
use crate::types::{DisplayMode, PresentParameters};

/// Highest index of a world matrix that hardware blends by.
pub(crate) const LAST_BLEND_MATRIX: u32 = ninefold_shader::fixed::MAX_PALETTE as u32 - 1;

/// Primitives that one draw may have.
pub(crate) const MAX_PRIMITIVES: u32 = 0x55_5555;

/// How devices are made. Libraries read no environment: front doors fill this in.
#[derive(Clone, Debug)]
pub struct DeviceSettings {
    /// Takes the adapter whose name contains this text; `None` takes a real GPU first.
    pub adapter: Option<String>,
    /// Turns the graphics API's validation layers on.
    pub validation: bool,
    /// `Direct3DCreate9Ex` rules: no managed pool, `Reset` keeps resources.
    pub extended: bool,
    /// Bytes that all objects of a device may take together, system copies and GPU images counted.
    /// What goes past is refused with `D3DERR_OUTOFVIDEOMEMORY` or `E_OUTOFMEMORY`. 4 GiB by
    /// default.
    pub memory_budget: u64,
    /// Bytes of static buffers that may have a copy on the GPU at one time, 128 MiB by default. The
    /// vertices and indices of others are copied for each draw. Each copy has its like in system
    /// memory, to tell when it is of the past.
    pub resident_budget: u64,
    /// Pixel shaders that take the place of a program's own, by exact match when it creates them.
    /// [`load_shader_pack`](crate::load_shader_pack) reads a file.
    pub shader_pack: Option<Arc<ShaderPack>>,
    /// How `ProcessVertices` works.
    pub vertices: VertexSettings,
    /// Passed to the renderer.
    pub renderer: ninefold_renderer::Settings,
}

impl Default for DeviceSettings {
    fn default() -> Self {
        Self {
            adapter: None,
            validation: false,
            extended: false,
            memory_budget: 4 << 30,
            resident_budget: crate::residency::BUDGET,
            shader_pack: None,
            vertices: VertexSettings::default(),
            renderer: ninefold_renderer::Settings::default(),
        }
    }
}

/// Why no `Direct3D9` could be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No usable GPU; the text names the packages to install.
    #[error("{0}")]
    NoAdapter(String),
    /// The GPU could not be opened.
    #[error("opening the GPU failed: {0}")]
    Gpu(String),
}

/// `D3DADAPTER_IDENTIFIER9`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterIdentifier {
    /// The driver's name and version.
    pub driver: String,
    /// The adapter's name.
    pub description: String,
    /// PCI vendor, or a number like it.
    pub vendor: u32,
    /// PCI device, or a number like it.
    pub device: u32,
}

/// `D3DCAPS9`: the fields a program can act on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Caps {
    /// Texels per side of the largest texture.
    pub max_texture_size: u32,
    /// Texels per side of the largest volume.
    pub max_volume_extent: u32,
    /// Largest anisotropy.
    pub max_anisotropy: u32,
    /// Fixed-function stages.
    pub max_texture_blend_stages: u32,
    /// Textures at once in the fixed function.
    pub max_simultaneous_textures: u32,
    /// Lights enabled at once.
    pub max_active_lights: u32,
    /// User clip planes.
    pub max_user_clip_planes: u32,
    /// Matrices of vertex blending.
    pub max_vertex_blend_matrices: u32,
    /// Highest index of an indexed blending matrix.
    pub max_vertex_blend_matrix_index: u32,
    /// Primitives in a draw.
    pub max_primitive_count: u32,
    /// Largest vertex index.
    pub max_vertex_index: u32,
    /// Vertex streams.
    pub max_streams: u32,
    /// Bytes of the largest stream stride.
    pub max_stream_stride: u32,
    /// `D3DVS_VERSION(major, minor)`: 0xFFFE0300.
    pub vertex_shader_version: u32,
    /// Vertex float constants.
    pub max_vertex_shader_const: u32,
    /// `D3DPS_VERSION(major, minor)`: 0xFFFF0300.
    pub pixel_shader_version: u32,
    /// Largest magnitude in ps_1_x registers.
    pub pixel_shader_1x_max_value: f32,
    /// Render targets at once.
    pub num_simultaneous_rts: u32,
}

impl Caps {
    fn new(renderer: &ninefold_renderer::Caps) -> Self {
        Self {
            max_texture_size: renderer.max_texture_size.min(16384),
            max_volume_extent: renderer.max_volume_size.min(2048),
            max_anisotropy: renderer.max_anisotropy.into(),
            max_texture_blend_stages: 8,
            max_simultaneous_textures: 8,
            max_active_lights: ninefold_shader::fixed::MAX_LIGHTS as u32,
            max_user_clip_planes: 6,
            max_vertex_blend_matrices: 4,
            max_vertex_blend_matrix_index: LAST_BLEND_MATRIX,
            max_primitive_count: MAX_PRIMITIVES,
            max_vertex_index: 0xFF_FFFF,
            max_streams: 16,
            max_stream_stride: 508,
            vertex_shader_version: 0xFFFE_0300,
            max_vertex_shader_const: 256,
            pixel_shader_version: 0xFFFF_0300,
            pixel_shader_1x_max_value: f32::MAX,
            num_simultaneous_rts: 4,
        }
    }
}

/// `IDirect3D9`: one adapter, opened.
pub struct Direct3D9 {
    gpu: Gpu,
    /// Held by the device that records on `gpu`: a second device opens the adapter for itself.
    lease: Arc<()>,
    settings: DeviceSettings,
    identifier: AdapterIdentifier,
    pub(crate) renderer_caps: ninefold_renderer::Caps,
    caps: Caps,
}

impl Direct3D9 {
    /// `Direct3DCreate9`: opens the adapter.
    ///
    /// # Errors
    /// [`Error::NoAdapter`] when no usable driver is installed, [`Error::Gpu`] when the driver
    /// fails.
    pub fn new(settings: DeviceSettings) -> core::result::Result<Self, Error> {
        let gpu = open(&settings)?;
        let renderer = Renderer::new(gpu.clone(), settings.renderer.clone())
            .map_err(|e| Error::Gpu(e.to_string()))?;
        let renderer_caps = renderer.caps().clone();
        let info = gpu.adapter_info();
        let identifier = AdapterIdentifier {
            driver: info.driver.clone(),
            description: info.name.clone(),
            vendor: info.vendor,
            device: info.device,
        };
        let caps = Caps::new(&renderer_caps);
        Ok(Self {
            gpu,
            lease: Arc::new(()),
            settings,
            identifier,
            renderer_caps,
            caps,
        })
    }

    /// `GetAdapterCount`: 1.
    pub fn get_adapter_count(&self) -> u32 {
        1
    }

    /// `GetAdapterIdentifier`.
    pub fn get_adapter_identifier(&self) -> &AdapterIdentifier {
        &self.identifier
    }

    /// `GetAdapterDisplayMode`: there is no screen; 1920 x 1080 X8R8G8B8 at 60 Hz stands for one.
    pub fn get_adapter_display_mode(&self) -> DisplayMode {
        DISPLAY
    }

    /// `GetDeviceCaps`.
    pub fn get_device_caps(&self) -> &Caps {
        &self.caps
    }

    /// `CreateDevice`, processing vertices in hardware.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for parameters that are not valid, `D3DERR_OUTOFVIDEOMEMORY` when the
    /// GPU has no room.
    pub fn create_device(&self, parameters: &PresentParameters) -> Result<Device> {
        self.create_device_with(parameters, D3DCREATE_HARDWARE_VERTEXPROCESSING)
    }

    /// `CreateDevice` with `D3DCREATE_*` flags. The way vertices are processed is looked at; the
    /// others change nothing here.
    ///
    /// # Errors
    /// As [`create_device`](Self::create_device).
    pub fn create_device_with(
        &self,
        parameters: &PresentParameters,
        behavior: u32,
    ) -> Result<Device> {
        self.make_device(parameters, behavior).map_err(|fault| {
            let (code, text) = fault.into_parts();
            tracing::debug!(target: "ninefold::d3d9", code = %code, "CreateDevice: {text}");
            code
        })
    }

    fn make_device(&self, parameters: &PresentParameters, behavior: u32) -> Outcome<Device> {
        let processing = VertexProcessing::of(behavior);
        let parameters = checked(parameters, self.settings.extended)?;
        check_samples(&self.renderer_caps, &parameters)?;
        let (gpu, lease) = if Arc::strong_count(&self.lease) == 1 {
            (self.gpu.clone(), self.lease.clone())
        } else {
            let gpu = open(&self.settings)
                .map_err(|error| Fault::new(HResult::NOTAVAILABLE, error.to_string()))?;
            (gpu, Arc::new(()))
        };
        let mut renderer = Renderer::new(gpu, self.settings.renderer.clone()).map_err(|error| {
            match error.kind() {
                ErrorKind::Device => Fault::new(HResult::OUTOFVIDEOMEMORY, error.text()),
                _ => Fault::from(error),
            }
        })?;
        let resolved = Box::new(Resolved::new(&mut renderer, 0)?);
        let mut device = Device {
            renderer,
            caps: self.caps.clone(),
            extended: self.settings.extended,
            memory_budget: self.settings.memory_budget,
            residency: Ledger::new(self.settings.resident_budget),
            frames: 0,
            replacements: Replacements::new(self.settings.shader_pack.clone()),
            parameters,
            resources: Slots::default(),
            vertex_buffers: Slots::default(),
            index_buffers: Slots::default(),
            vertex_shaders: Slots::default(),
            pixel_shaders: Slots::default(),
            declarations: Slots::default(),
            queries: Slots::default(),
            state_blocks: Slots::default(),
            swap_chains: Slots::default(),
            fvf_declarations: rustc_hash::FxHashMap::default(),
            implicit_chain: RawHandle::NONE,
            auto_depth: None,
            bindings: crate::target::Bindings::default(),
            state: Box::new(State::new(
                parameters.enable_auto_depth_stencil,
                processing.constants(),
            )),
            recording: None,
            resolved,
            scratch: crate::scratch::Scratch::default(),
            processor: Box::new(Processor::new(self.settings.vertices.clone())),
            clip_status: crate::clip_status::ClipStatus::default(),
            palettes: crate::palette::Palettes::default(),
            texels: crate::texels::Texels::default(),
            radial_fog: crate::radial_fog::RadialFog::new(self.settings.renderer.radial_fog),
            in_scene: false,
            behavior,
            processing,
            software_vertices: false,
            asked_software: processing == VertexProcessing::Software,
            started: std::time::Instant::now(),
            last_error: String::new(),
            recorder: None,
            _lease: lease,
        };
        device.process_in_software(processing == VertexProcessing::Software);
        device.start(&parameters)?;
        Ok(device)
    }
}

fn open(settings: &DeviceSettings) -> core::result::Result<Gpu, Error> {
    let options = GpuOptions {
        adapter: settings.adapter.clone(),
        validation: settings.validation,
    };
    Gpu::new(&options).map_err(|error| match error {
        ninefold_renderer::gpu::Error::NoAdapter(_) => Error::NoAdapter(error.to_string()),
        other => Error::Gpu(other.to_string()),
    })
}

impl core::fmt::Debug for Direct3D9 {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Direct3D9")
            .field("adapter", &self.identifier.description)
            .finish_non_exhaustive()
    }
}
