//! Structs. Those of 32-bit fields alone have the fields of ours in `ninefold_d3d9`, in D3D9's order.

use core::ffi::c_void;

use ninefold_d3d9 as nf;

use crate::pointer::Out;

macro_rules! structs {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $ty:ty,)* })*) => {$(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name {
            $(pub(crate) $field: $ty,)*
        }
    )*};
}

/// Conversions between a struct here and one there with the same field names.
macro_rules! same_fields {
    ($($here:ident => $there:path { $($field:ident,)* })*) => {$(
        impl From<$there> for $here {
            fn from(v: $there) -> Self {
                Self { $($field: v.$field,)* }
            }
        }

        impl From<$here> for $there {
            fn from(v: $here) -> Self {
                Self { $($field: v.$field,)* }
            }
        }
    )*};
}

structs! {
    /// `RECT` and `D3DRECT`.
    Rect { left: i32, top: i32, right: i32, bottom: i32, }
    /// `POINT`.
    Point { x: i32, y: i32, }
    /// `D3DBOX`.
    Box3 { left: u32, top: u32, right: u32, bottom: u32, front: u32, back: u32, }
    /// `D3DVIEWPORT9`.
    Viewport { x: u32, y: u32, width: u32, height: u32, min_z: f32, max_z: f32, }
    /// `D3DMATERIAL9`.
    Material {
        diffuse: [f32; 4], ambient: [f32; 4], specular: [f32; 4], emissive: [f32; 4], power: f32,
    }
    /// `D3DLIGHT9`.
    Light {
        kind: u32, diffuse: [f32; 4], specular: [f32; 4], ambient: [f32; 4],
        position: [f32; 3], direction: [f32; 3],
        range: f32, falloff: f32, attenuation0: f32, attenuation1: f32, attenuation2: f32,
        theta: f32, phi: f32,
    }
    /// `D3DVERTEXELEMENT9`.
    VertexElement { stream: u16, offset: u16, ty: u8, method: u8, usage: u8, usage_index: u8, }
    /// `D3DSURFACE_DESC`.
    SurfaceDesc {
        format: u32, resource_type: u32, usage: u32, pool: u32,
        multi_sample_type: u32, multi_sample_quality: u32, width: u32, height: u32,
    }
    /// `D3DVOLUME_DESC`.
    VolumeDesc {
        format: u32, resource_type: u32, usage: u32, pool: u32, width: u32, height: u32, depth: u32,
    }
    /// `D3DVERTEXBUFFER_DESC`.
    VertexBufferDesc { format: u32, resource_type: u32, usage: u32, pool: u32, size: u32, fvf: u32, }
    /// `D3DINDEXBUFFER_DESC`.
    IndexBufferDesc { format: u32, resource_type: u32, usage: u32, pool: u32, size: u32, }
    /// `D3DDISPLAYMODE`.
    DisplayMode { width: u32, height: u32, refresh_rate: u32, format: u32, }
    /// `D3DDISPLAYMODEEX`.
    DisplayModeEx {
        size: u32, width: u32, height: u32, refresh_rate: u32, format: u32, scan_line_ordering: u32,
    }
    /// `D3DDISPLAYMODEFILTER`.
    DisplayModeFilter { size: u32, format: u32, scan_line_ordering: u32, }
    /// `D3DPRESENT_PARAMETERS`.
    PresentParameters {
        back_buffer_width: u32, back_buffer_height: u32, back_buffer_format: u32,
        back_buffer_count: u32, multi_sample_type: u32, multi_sample_quality: u32,
        swap_effect: u32, device_window: *mut c_void, windowed: i32,
        enable_auto_depth_stencil: i32, auto_depth_stencil_format: u32, flags: u32,
        fullscreen_refresh_rate: u32, presentation_interval: u32,
    }
    /// `D3DDEVICE_CREATION_PARAMETERS`.
    CreationParameters {
        adapter: u32, device_type: u32, focus_window: *mut c_void, behavior_flags: u32,
    }
    /// `D3DLOCKED_RECT`.
    LockedRect { pitch: i32, bits: *mut u8, }
    /// `D3DLOCKED_BOX`.
    LockedBox { row_pitch: i32, slice_pitch: i32, bits: *mut u8, }
    /// `D3DRASTER_STATUS`.
    RasterStatus { in_vblank: i32, scan_line: u32, }
    /// `D3DCLIPSTATUS9`.
    ClipStatus { union: u32, intersection: u32, }
    /// `D3DGAMMARAMP`.
    GammaRamp { red: [u16; 256], green: [u16; 256], blue: [u16; 256], }
    /// `D3DADAPTER_IDENTIFIER9`.
    AdapterIdentifier {
        driver: [u8; 512], description: [u8; 512], device_name: [u8; 32], driver_version: i64,
        vendor_id: u32, device_id: u32, subsys_id: u32, revision: u32,
        device_identifier: crate::abi::Guid, whql_level: u32,
    }
    /// `D3DPRESENTSTATS`.
    PresentStats {
        present_count: u32, present_refresh_count: u32, sync_refresh_count: u32,
        sync_qpc_time: i64, sync_gpu_time: i64,
    }
}

same_fields! {
    Rect => nf::Rect { left, top, right, bottom, }
    Point => nf::Point { x, y, }
    Box3 => nf::Box3 { left, top, right, bottom, front, back, }
    Viewport => nf::Viewport { x, y, width, height, min_z, max_z, }
    Material => nf::Material { diffuse, ambient, specular, emissive, power, }
    Light => nf::Light {
        kind, diffuse, specular, ambient, position, direction, range, falloff,
        attenuation0, attenuation1, attenuation2, theta, phi,
    }
    VertexElement => nf::VertexElement { stream, offset, ty, method, usage, usage_index, }
    SurfaceDesc => nf::SurfaceDesc {
        format, resource_type, usage, pool, multi_sample_type, multi_sample_quality, width, height,
    }
    VolumeDesc => nf::VolumeDesc { format, resource_type, usage, pool, width, height, depth, }
    DisplayMode => nf::DisplayMode { width, height, refresh_rate, format, }
}

impl From<PresentParameters> for nf::PresentParameters {
    fn from(p: PresentParameters) -> Self {
        Self {
            back_buffer_width: p.back_buffer_width,
            back_buffer_height: p.back_buffer_height,
            back_buffer_format: p.back_buffer_format,
            back_buffer_count: p.back_buffer_count,
            multi_sample_type: p.multi_sample_type,
            multi_sample_quality: p.multi_sample_quality,
            swap_effect: p.swap_effect,
            windowed: p.windowed != 0,
            enable_auto_depth_stencil: p.enable_auto_depth_stencil != 0,
            auto_depth_stencil_format: p.auto_depth_stencil_format,
            flags: p.flags,
            fullscreen_refresh_rate: p.fullscreen_refresh_rate,
            presentation_interval: p.presentation_interval,
        }
    }
}

impl PresentParameters {
    /// What the runtime refuses before a device looks at it: swap effects that are none or of
    /// extended devices alone, too many back buffers, and intervals of whole screens alone.
    pub(crate) fn check(&self, extended: bool) -> nf::Result<()> {
        use nf::consts::*;
        let (last_effect, back_buffers) = match extended {
            true => (D3DSWAPEFFECT_FLIPEX, 30),
            false => (D3DSWAPEFFECT_COPY, 3),
        };
        let effect = (D3DSWAPEFFECT_DISCARD..=last_effect).contains(&self.swap_effect);
        let count = match self.swap_effect {
            D3DSWAPEFFECT_COPY => self.back_buffer_count <= 1,
            _ => self.back_buffer_count <= back_buffers,
        };
        let interval = matches!(
            self.presentation_interval,
            D3DPRESENT_INTERVAL_DEFAULT
                | D3DPRESENT_INTERVAL_ONE
                | D3DPRESENT_INTERVAL_TWO
                | D3DPRESENT_INTERVAL_THREE
                | D3DPRESENT_INTERVAL_FOUR
                | D3DPRESENT_INTERVAL_IMMEDIATE
        );
        match effect && count && interval {
            true => Ok(()),
            false => Err(nf::HResult::INVALIDCALL),
        }
    }

    /// Whether a device for the whole screen asks for a mode that the screen has. A real window's
    /// screen is not ours to judge.
    pub(crate) fn mode_exists(&self) -> bool {
        let size = (self.back_buffer_width, self.back_buffer_height);
        self.windowed != 0
            || !crate::wsi::headless()
            || size.0 == 0
            || size.1 == 0
            || crate::screen::MODES.contains(&size)
    }

    /// What a device or swap chain has, and the window it was made for.
    pub(crate) fn new(p: &nf::PresentParameters, device_window: *mut c_void) -> Self {
        Self {
            back_buffer_width: p.back_buffer_width,
            back_buffer_height: p.back_buffer_height,
            back_buffer_format: p.back_buffer_format,
            back_buffer_count: p.back_buffer_count,
            multi_sample_type: p.multi_sample_type,
            multi_sample_quality: p.multi_sample_quality,
            swap_effect: p.swap_effect,
            device_window,
            windowed: p.windowed.into(),
            enable_auto_depth_stencil: p.enable_auto_depth_stencil.into(),
            auto_depth_stencil_format: p.auto_depth_stencil_format,
            flags: p.flags,
            fullscreen_refresh_rate: p.fullscreen_refresh_rate,
            presentation_interval: p.presentation_interval,
        }
    }
}

impl From<nf::DisplayMode> for DisplayModeEx {
    fn from(m: nf::DisplayMode) -> Self {
        Self {
            size: size_of::<Self>() as u32,
            width: m.width,
            height: m.height,
            refresh_rate: m.refresh_rate,
            format: m.format,
            scan_line_ordering: PROGRESSIVE,
        }
    }
}

impl Out<DisplayModeEx> {
    /// Writes the mode where there is room: `D3DERR_INVALIDCALL` for a size that is not the
    /// struct's. Null is left alone.
    pub(crate) fn set_sized(&self, mode: DisplayModeEx) -> nf::Result<()> {
        if self.is_null() {
            return Ok(());
        }
        if self.get()?.size != mode.size {
            return Err(nf::HResult::INVALIDCALL);
        }
        self.set(mode)
    }
}

/// `D3DSCANLINEORDERING_PROGRESSIVE`.
pub(crate) const PROGRESSIVE: u32 = 1;
/// `D3DDISPLAYROTATION_IDENTITY`.
pub(crate) const ROTATION_IDENTITY: u32 = 1;
