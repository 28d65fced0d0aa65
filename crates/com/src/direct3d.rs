//! `IDirect3D9` and `IDirect3D9Ex`.

use core::ffi::c_void;
use core::ops::Deref;
use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering};

use ninefold_d3d9::consts::*;
use ninefold_d3d9::{Direct3D9, HResult, Result};

use crate::abi::*;
use crate::caps::{D3DCAPS9, caps_of};
use crate::device::DeviceObject;
use crate::pointer::*;
use crate::settings;
use crate::vtable::vtable;

/// `D3DOK_NOAUTOGEN`: the format is fine but has no automatic mip levels.
const NO_AUTOGEN: Hr = 0x0876_086F;
/// `D3DDEVTYPE_HAL`: the only kind of device.
const HAL: u32 = 1;
/// `D3DDEVTYPE_NULLREF`, the last of the kinds there are names for.
const NULL_REFERENCE: u32 = 4;
/// `MONITOR` of the screen there is not: any value but null.
const MONITOR: usize = 1;

/// Sizes that the screen pretends to have, at its own 60 Hz.
const MODES: [(u32, u32); 10] = [
    (640, 480),
    (800, 600),
    (1024, 768),
    (1152, 864),
    (1280, 720),
    (1280, 1024),
    (1366, 768),
    (1600, 900),
    (1600, 1200),
    (1920, 1080),
];

/// An `IDirect3D9`, and `IDirect3D9Ex` where `Direct3DCreate9Ex` made it.
#[repr(C)]
pub(crate) struct Direct3DObject {
    vtable: *const Direct3DTable,
    references: AtomicU32,
    extended: bool,
    api: Direct3D9,
}

/// An `IDirect3D9` that somebody holds a reference to.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Direct3DPtr(*const Direct3DObject);

impl Deref for Direct3DPtr {
    type Target = Direct3DObject;

    fn deref(&self) -> &Direct3DObject {
        // SAFETY: made from a live object that a reference is held to.
        unsafe { &*self.0 }
    }
}

impl Direct3DPtr {
    pub(crate) fn address(self) -> *const c_void {
        self.0.cast()
    }

    pub(crate) fn release(self) -> u32 {
        let previous = self
            .references
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |n| n.checked_sub(1));
        match previous {
            Ok(1) => {
                let object = ptr::with_exposed_provenance_mut(self.0.addr());
                // SAFETY: the address is of the box that `Direct3DObject::make` made and exposed,
                // and the last reference to it is gone.
                let object: Box<Direct3DObject> = unsafe { Box::from_raw(object) };
                drop(object);
                0
            }
            Ok(n) => n - 1,
            Err(_) => 0,
        }
    }
}

impl Direct3DObject {
    /// Opens the adapter; standard error says why it could not be.
    pub(crate) fn make(extended: bool) -> Result<*const Self> {
        let api = Direct3D9::new(settings::device_settings(extended)).map_err(|error| {
            eprintln!("ninefold: {error}");
            HResult::NOTAVAILABLE
        })?;
        let object = Box::into_raw(Box::new(Self {
            vtable: &DIRECT3D,
            references: AtomicU32::new(1),
            extended,
            api,
        }));
        object.expose_provenance();
        Ok(object)
    }

    pub(crate) fn add_ref(&self) -> u32 {
        self.references
            .fetch_add(1, Ordering::Relaxed)
            .wrapping_add(1)
    }
}

/// `this`.
#[repr(transparent)]
struct This(*const Direct3DObject);

impl This {
    fn get(&self) -> Result<&Direct3DObject> {
        if self.0.is_null() {
            return Err(HResult::INVALIDCALL);
        }
        // SAFETY: not null, and C got here through the object's own vtable.
        Ok(unsafe { &*self.0 })
    }

    fn call(&self, f: impl FnOnce(&Direct3DObject) -> Result<()>) -> Hr {
        call(|| f(self.get()?).map(|()| OK))
    }
}

extern "C" fn query_interface(this: This, iid: In<Guid>, out: Out<*const c_void>) -> Hr {
    call(|| {
        out.set(ptr::null()).map_err(|_| POINTER)?;
        let object = this.get()?;
        match iid.get().ok_or(POINTER)? {
            IID_UNKNOWN | IID_DIRECT3D9 => {}
            IID_DIRECT3D9EX if object.extended => {}
            _ => return Err(NO_INTERFACE),
        }
        object.add_ref();
        out.set(this.0.cast())?;
        Ok(OK)
    })
}

extern "C" fn add_ref(this: This) -> u32 {
    guard(0, || this.get().map_or(0, Direct3DObject::add_ref))
}

extern "C" fn release(this: This) -> u32 {
    if this.0.is_null() {
        return 0;
    }
    guard(0, || Direct3DPtr(this.0).release())
}

extern "C" fn register_software_device(_this: This, init: In<u8>) -> Hr {
    call(|| {
        init.required()?;
        Err(HResult::NOTAVAILABLE)
    })
}

extern "C" fn get_adapter_count(this: This) -> u32 {
    guard(0, || this.get().map_or(0, |o| o.api.get_adapter_count()))
}

/// There is one adapter, number 0.
fn check_adapter(adapter: u32) -> Result<()> {
    match adapter {
        0 => Ok(()),
        _ => Err(HResult::INVALIDCALL),
    }
}

fn check_device_kind(adapter: u32, kind: u32) -> Result<()> {
    check_adapter(adapter)?;
    match kind {
        HAL => Ok(()),
        0 => Err(HResult::INVALIDCALL),
        2..=NULL_REFERENCE => Err(HResult::NOTAVAILABLE),
        _ => Err(HResult::INVALIDCALL),
    }
}

/// Copies text with a final zero into a field of fixed size.
fn text<const N: usize>(from: &str) -> [u8; N] {
    let mut field = [0; N];
    let len = from.len().min(N - 1);
    field[..len].copy_from_slice(&from.as_bytes()[..len]);
    field
}

extern "C" fn get_adapter_identifier(
    this: This,
    adapter: u32,
    _flags: u32,
    out: Out<AdapterIdentifier>,
) -> Hr {
    this.call(|object| {
        check_adapter(adapter)?;
        let identifier = object.api.get_adapter_identifier();
        out.set(AdapterIdentifier {
            driver: text(&identifier.driver),
            description: text(&identifier.description),
            device_name: text(r"\\.\DISPLAY1"),
            driver_version: 0x0009_0000_0000_0001,
            vendor_id: 0,
            device_id: 0,
            subsys_id: 0,
            revision: 0,
            device_identifier: ADAPTER,
            whql_level: 1,
        })
    })
}

/// Screens show these formats.
fn display_format(format: u32) -> bool {
    matches!(format, D3DFMT_X8R8G8B8 | D3DFMT_R5G6B5)
}

fn mode_count(format: u32) -> u32 {
    if display_format(format) {
        MODES.len() as u32
    } else {
        0
    }
}

fn mode(format: u32, index: u32) -> Result<DisplayMode> {
    match MODES.get(index as usize) {
        Some(&(width, height)) if display_format(format) => Ok(DisplayMode {
            width,
            height,
            refresh_rate: 60,
            format,
        }),
        _ => Err(HResult::INVALIDCALL),
    }
}

extern "C" fn get_adapter_mode_count(_this: This, adapter: u32, format: u32) -> u32 {
    if adapter == 0 { mode_count(format) } else { 0 }
}

extern "C" fn enum_adapter_modes(
    _this: This,
    adapter: u32,
    format: u32,
    index: u32,
    out: Out<DisplayMode>,
) -> Hr {
    call(|| {
        out.check()?;
        check_adapter(adapter)?;
        out.set(mode(format, index)?)?;
        Ok(OK)
    })
}

extern "C" fn get_adapter_display_mode(this: This, adapter: u32, out: Out<DisplayMode>) -> Hr {
    this.call(|object| {
        check_adapter(adapter)?;
        out.set(object.api.get_adapter_display_mode().into())
    })
}

extern "C" fn check_device_type(
    this: This,
    adapter: u32,
    kind: u32,
    display: u32,
    back_buffer: u32,
    windowed: i32,
) -> Hr {
    this.call(|object| {
        check_device_kind(adapter, kind)?;
        if display == D3DFMT_UNKNOWN {
            return Err(HResult::INVALIDCALL);
        }
        if !display_format(display) {
            return Err(HResult::NOTAVAILABLE);
        }
        let back_buffer = match back_buffer {
            D3DFMT_UNKNOWN if windowed != 0 => display,
            D3DFMT_UNKNOWN => return Err(HResult::INVALIDCALL),
            format => format,
        };
        let same = matches!(
            (display, back_buffer),
            (D3DFMT_X8R8G8B8, D3DFMT_X8R8G8B8 | D3DFMT_A8R8G8B8) | (D3DFMT_R5G6B5, D3DFMT_R5G6B5)
        );
        if !same && windowed == 0 {
            return Err(HResult::NOTAVAILABLE);
        }
        let target = object.api.check_device_format(
            display,
            D3DUSAGE_RENDERTARGET,
            D3DRTYPE_SURFACE,
            back_buffer,
        );
        target.map_err(|_| HResult::NOTAVAILABLE)
    })
}

extern "C" fn check_device_format(
    this: This,
    adapter: u32,
    kind: u32,
    display: u32,
    usage: u32,
    resource_type: u32,
    format: u32,
) -> Hr {
    call(|| {
        let api = &this.get()?.api;
        check_device_kind(adapter, kind)?;
        let check = |usage| api.check_device_format(display, usage, resource_type, format);
        match check(usage) {
            Err(HResult::NOTAVAILABLE) if usage & D3DUSAGE_AUTOGENMIPMAP != 0 => {
                check(usage & !D3DUSAGE_AUTOGENMIPMAP)?;
                Ok(NO_AUTOGEN)
            }
            result => result.map(|()| OK),
        }
    })
}

extern "C" fn check_device_multi_sample_type(
    this: This,
    adapter: u32,
    kind: u32,
    format: u32,
    windowed: i32,
    multi_sample: u32,
    levels: Out<u32>,
) -> Hr {
    this.call(|object| {
        check_device_kind(adapter, kind)?;
        if multi_sample > D3DMULTISAMPLE_16_SAMPLES {
            return Err(HResult::INVALIDCALL);
        }
        let count =
            object
                .api
                .check_device_multi_sample_type(format, windowed != 0, multi_sample)?;
        if !levels.is_null() {
            levels.set(count)?;
        }
        Ok(())
    })
}

extern "C" fn check_depth_stencil_match(
    this: This,
    adapter: u32,
    kind: u32,
    display: u32,
    target: u32,
    depth: u32,
) -> Hr {
    this.call(|object| {
        check_device_kind(adapter, kind)?;
        object.api.check_depth_stencil_match(display, target, depth)
    })
}

extern "C" fn check_device_format_conversion(
    this: This,
    adapter: u32,
    kind: u32,
    source: u32,
    target: u32,
) -> Hr {
    this.call(|object| {
        check_device_kind(adapter, kind)?;
        let check = |usage, format| {
            object
                .api
                .check_device_format(D3DFMT_X8R8G8B8, usage, D3DRTYPE_SURFACE, format)
        };
        if source != target {
            check(0, source)?;
            check(D3DUSAGE_RENDERTARGET, target)?;
        }
        Ok(())
    })
}

extern "C" fn get_device_caps(this: This, adapter: u32, kind: u32, out: Out<D3DCAPS9>) -> Hr {
    this.call(|object| {
        check_device_kind(adapter, kind)?;
        out.set(caps_of(object.api.get_device_caps()))
    })
}

extern "C" fn get_adapter_monitor(_this: This, adapter: u32) -> *const c_void {
    if adapter == 0 {
        ptr::without_provenance(MONITOR)
    } else {
        ptr::null()
    }
}

#[allow(clippy::too_many_arguments)]
extern "C" fn create_device(
    this: This,
    adapter: u32,
    kind: u32,
    focus_window: *mut c_void,
    behavior_flags: u32,
    parameters: Out<PresentParameters>,
    out: Out<*const DeviceObject>,
) -> Hr {
    this.call(|object| {
        out.set(ptr::null())?;
        let mut given = parameters.get()?;
        check_device_kind(adapter, kind)?;
        check_behavior(behavior_flags)?;
        let device = object.api.create_device(&given.into())?;
        let window = if given.device_window.is_null() {
            focus_window
        } else {
            given.device_window
        };
        given = PresentParameters::new(device.present_parameters(), given.device_window);
        parameters.set(given)?;
        let creation = CreationParameters {
            adapter,
            device_type: kind,
            focus_window,
            behavior_flags,
        };
        let parent = Direct3DPtr(this.0);
        out.set(DeviceObject::make(
            device,
            parent,
            object.extended,
            creation,
            window,
        ))
    })
}

/// One of the three ways to process vertices must be asked for.
fn check_behavior(flags: u32) -> Result<()> {
    const PURE: u32 = 0x10;
    const SOFTWARE: u32 = 0x20;
    const HARDWARE: u32 = 0x40;
    const MIXED: u32 = 0x80;
    match flags & (SOFTWARE | HARDWARE | MIXED) {
        HARDWARE => Ok(()),
        SOFTWARE | MIXED if flags & PURE == 0 => Ok(()),
        _ => Err(HResult::INVALIDCALL),
    }
}

fn filtered(filter: &In<DisplayModeFilter>) -> Result<u32> {
    let filter = filter.required()?;
    match filter.scan_line_ordering {
        0 | PROGRESSIVE => Ok(filter.format),
        _ => Err(HResult::NOTAVAILABLE),
    }
}

extern "C" fn get_adapter_mode_count_ex(
    _this: This,
    adapter: u32,
    filter: In<DisplayModeFilter>,
) -> u32 {
    guard(0, || match (adapter, filtered(&filter)) {
        (0, Ok(format)) => mode_count(format),
        _ => 0,
    })
}

extern "C" fn enum_adapter_modes_ex(
    _this: This,
    adapter: u32,
    filter: In<DisplayModeFilter>,
    index: u32,
    out: Out<DisplayModeEx>,
) -> Hr {
    call(|| {
        check_adapter(adapter)?;
        let found = mode(filtered(&filter)?, index)?;
        out.set(ninefold_d3d9::DisplayMode::from(found).into())?;
        Ok(OK)
    })
}

extern "C" fn get_adapter_display_mode_ex(
    this: This,
    adapter: u32,
    mode: Out<DisplayModeEx>,
    rotation: Out<u32>,
) -> Hr {
    this.call(|object| {
        check_adapter(adapter)?;
        mode.set(object.api.get_adapter_display_mode().into())?;
        if !rotation.is_null() {
            rotation.set(ROTATION_IDENTITY)?;
        }
        Ok(())
    })
}

#[allow(clippy::too_many_arguments)]
extern "C" fn create_device_ex(
    this: This,
    adapter: u32,
    kind: u32,
    focus_window: *mut c_void,
    behavior_flags: u32,
    parameters: Out<PresentParameters>,
    mode: In<DisplayModeEx>,
    out: Out<*const DeviceObject>,
) -> Hr {
    let windowed = parameters.get().is_ok_and(|p| p.windowed != 0);
    // A mode goes with the whole screen, and only with it.
    if parameters.is_null() || windowed != mode.is_null() {
        return HResult::INVALIDCALL.0 as i32;
    }
    create_device(
        this,
        adapter,
        kind,
        focus_window,
        behavior_flags,
        parameters,
        out,
    )
}

extern "C" fn get_adapter_luid(_this: This, adapter: u32, out: Out<u64>) -> Hr {
    call(|| {
        check_adapter(adapter)?;
        out.set(1)?;
        Ok(OK)
    })
}

vtable! {
    /// `IDirect3D9ExVtbl`; `IDirect3D9Vtbl` is its beginning.
    DIRECT3D: Direct3DTable {
        QueryInterface: query_interface,
        AddRef: add_ref,
        Release: release,
        RegisterSoftwareDevice: register_software_device,
        GetAdapterCount: get_adapter_count,
        GetAdapterIdentifier: get_adapter_identifier,
        GetAdapterModeCount: get_adapter_mode_count,
        EnumAdapterModes: enum_adapter_modes,
        GetAdapterDisplayMode: get_adapter_display_mode,
        CheckDeviceType: check_device_type,
        CheckDeviceFormat: check_device_format,
        CheckDeviceMultiSampleType: check_device_multi_sample_type,
        CheckDepthStencilMatch: check_depth_stencil_match,
        CheckDeviceFormatConversion: check_device_format_conversion,
        GetDeviceCaps: get_device_caps,
        GetAdapterMonitor: get_adapter_monitor,
        CreateDevice: create_device,
        GetAdapterModeCountEx: get_adapter_mode_count_ex,
        EnumAdapterModesEx: enum_adapter_modes_ex,
        GetAdapterDisplayModeEx: get_adapter_display_mode_ex,
        CreateDeviceEx: create_device_ex,
        GetAdapterLUID: get_adapter_luid,
    }
}
