//! `IDirect3D9`: adapters, capabilities and making a device.

use crate::device::Device;
use crate::hresult::Result;
use crate::types::{DisplayMode, PresentParameters};

/// How devices are made. Libraries read no environment: front doors fill this in.
#[derive(Clone, Debug, Default)]
pub struct DeviceSettings {
    /// Takes the adapter whose name contains this text; `None` takes a real GPU first.
    pub adapter: Option<String>,
    /// Turns the graphics API's validation layers on.
    pub validation: bool,
    /// `Direct3DCreate9Ex` rules: no managed pool, `Reset` keeps resources.
    pub extended: bool,
    /// Passed to the renderer.
    pub renderer: ninefold_renderer::Settings,
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

/// `IDirect3D9`: one adapter, opened.
pub struct Direct3D9 {
    _private: (),
}

impl Direct3D9 {
    /// `Direct3DCreate9`: opens the adapter.
    ///
    /// # Errors
    /// [`Error::NoAdapter`] when no usable driver is installed.
    pub fn new(settings: DeviceSettings) -> core::result::Result<Self, Error> {
        let _ = settings;
        todo!()
    }

    /// `GetAdapterCount`: 1.
    pub fn get_adapter_count(&self) -> u32 {
        todo!()
    }

    /// `GetAdapterIdentifier`.
    pub fn get_adapter_identifier(&self) -> &AdapterIdentifier {
        todo!()
    }

    /// `GetAdapterDisplayMode`: there is no screen; 1920 x 1080 X8R8G8B8 at 60 Hz stands for one.
    pub fn get_adapter_display_mode(&self) -> DisplayMode {
        todo!()
    }

    /// `CheckDeviceFormat`: whether a resource of this `D3DRTYPE_*` may have the usage and format.
    pub fn check_device_format(
        &self,
        adapter_format: u32,
        usage: u32,
        resource_type: u32,
        format: u32,
    ) -> Result<()> {
        todo!()
    }

    /// `CheckDepthStencilMatch`.
    pub fn check_depth_stencil_match(
        &self,
        adapter_format: u32,
        target_format: u32,
        depth_format: u32,
    ) -> Result<()> {
        todo!()
    }

    /// `CheckDeviceMultiSampleType`: the number of quality levels.
    pub fn check_device_multi_sample_type(
        &self,
        format: u32,
        windowed: bool,
        multi_sample: u32,
    ) -> Result<u32> {
        todo!()
    }

    /// `GetDeviceCaps`.
    pub fn get_device_caps(&self) -> &Caps {
        todo!()
    }

    /// `CreateDevice`.
    pub fn create_device(&self, parameters: &PresentParameters) -> Result<Device> {
        let _ = parameters;
        todo!()
    }
}
