//! Plays recorded calls on our device.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use ninefold_d3d9::consts::{
    D3DMULTISAMPLE_4_SAMPLES, D3DMULTISAMPLE_NONE, D3DMULTISAMPLE_NONMASKABLE,
};
use ninefold_d3d9::trace::{Call, Value};
use ninefold_d3d9::{
    Device, DeviceSettings, Direct3D9, Error, HResult, IndexBufferHandle, LevelTarget, Picture,
    PipelineStats, PresentParameters, RendererStats, SwapChainHandle, Traffic, VertexBufferHandle,
};

use super::args::Args;
use super::error::CallError;
use super::locks::Locks;
use super::objects::{DeviceId, Objects};
use super::{device_calls, object_calls};

/// What is locked by a recorded lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Locked {
    Level(LevelTarget),
    Vertices(VertexBufferHandle),
    Indices(IndexBufferHandle),
}

/// What playing a call did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// The call was played, or asks for something and needs no playing.
    Played,
    /// Something was drawn.
    Drawn,
    /// A frame was presented by the implicit swap chain or an additional one.
    Presented(DeviceId, Option<SwapChainHandle>),
    /// The replay does not know the call.
    Unknown,
}

/// A call that could not be played, and whether nothing else can be either.
#[derive(Debug)]
pub(super) enum PlayError {
    Call(CallError),
    /// No GPU could be opened; the text says what to do.
    NoGpu(String),
}

impl From<CallError> for PlayError {
    fn from(error: CallError) -> Self {
        PlayError::Call(error)
    }
}

/// Counters of devices that are gone.
#[derive(Debug, Clone, Default)]
pub(super) struct Totals {
    pub(super) renderer: RendererStats,
    pub(super) stats: PipelineStats,
    pub(super) traffic: Traffic,
    pub(super) adapter: String,
}

/// One call and everything that playing it on one device needs.
pub(super) struct Scene<'a> {
    pub(super) id: DeviceId,
    pub(super) device: &'a mut Device,
    pub(super) objects: &'a mut Objects,
    pub(super) locks: &'a mut Locks<(DeviceId, Locked)>,
    pub(super) args: Args<'a>,
    /// The recorded result.
    pub(super) recorded: Option<&'a Value>,
}

impl Scene<'_> {
    /// Turns a refusal into an error that says why.
    pub(super) fn played(&self, result: Result<(), HResult>) -> Result<Effect, CallError> {
        self.value(result).map(|()| Effect::Played)
    }

    pub(super) fn value<T>(&self, result: Result<T, HResult>) -> Result<T, CallError> {
        result.map_err(|code| CallError::Refused {
            code,
            why: self.device.last_error().to_owned(),
        })
    }
}

/// The state of a replay.
pub(super) struct Player {
    settings: DeviceSettings,
    direct3d: Option<Direct3D9>,
    devices: BTreeMap<DeviceId, Device>,
    keep_last: bool,
    /// The device released last, whose picture a window may still show.
    released: Option<(DeviceId, Device)>,
    next_device: u32,
    objects: Objects,
    locks: Locks<(DeviceId, Locked)>,
    totals: Totals,
    prewarm: bool,
    /// Shaders were created since there was last a wait for their pipelines.
    new_shaders: bool,
    /// Time spent in such waits.
    waited: Duration,
}

impl Player {
    /// `keep_last`: what the device released last presented can be shown until there is another.
    /// `prewarm`: draws wait for the pipelines that earlier runs used with the shaders that exist.
    pub(super) fn new(settings: DeviceSettings, keep_last: bool, prewarm: bool) -> Self {
        Player {
            settings,
            direct3d: None,
            devices: BTreeMap::new(),
            keep_last,
            released: None,
            next_device: 0,
            objects: Objects::default(),
            locks: Locks::default(),
            totals: Totals::default(),
            prewarm,
            new_shaders: true,
            waited: Duration::ZERO,
        }
    }

    /// Waits before the first draw after shaders were created, as a loading screen would.
    fn wait_for_pipelines(&mut self, id: DeviceId, method: &str) {
        self.new_shaders |= matches!(method, "CreateVertexShader" | "CreatePixelShader");
        if !self.prewarm || !self.new_shaders || !method.starts_with("Draw") {
            return;
        }
        self.new_shaders = false;
        if let Some(device) = self.devices.get(&id) {
            let start = Instant::now();
            device.wait_for_pipelines();
            self.waited += start.elapsed();
        }
    }

    /// Time that calls since the last question spent waiting for pipelines.
    pub(super) fn take_waited(&mut self) -> Duration {
        std::mem::take(&mut self.waited)
    }

    /// Plays one call.
    pub(super) fn play(&mut self, call: &Call) -> Result<Effect, PlayError> {
        let args = Args::new(call);
        let Some((interface, method)) = call.name().split_once("::") else {
            return Ok(self.function(call.name(), args)?);
        };
        // The methods of the Ex interfaces are those of the plain ones and more.
        match interface.strip_suffix("Ex").unwrap_or(interface) {
            "IDirect3D9" => self.direct3d9(method, args),
            "IDirect3DDevice9" => {
                let address = args.pointer("this")?;
                let id = self.objects.device(address)?;
                if let Some(effect) = self.reference(call, id, method) {
                    return Ok(effect);
                }
                self.wait_for_pipelines(id, method);
                let mut scene = self.scene(id, call)?;
                Ok(device_calls::play(&mut scene, method)?)
            }
            interface => {
                let address = args.pointer("this")?;
                let (id, object) = match self.objects.object(address, "this") {
                    Ok(found) => found,
                    // Interfaces that we know nothing of have no objects either.
                    Err(_) if !object_calls::knows(interface) => return Ok(Effect::Unknown),
                    Err(error) => return Err(error.into()),
                };
                let mut scene = self.scene(id, call)?;
                Ok(object_calls::play(&mut scene, address, object, method)?)
            }
        }
    }

    fn scene<'a>(&'a mut self, id: DeviceId, call: &'a Call) -> Result<Scene<'a>, CallError> {
        let device = self
            .devices
            .get_mut(&id)
            .ok_or(CallError::Misplaced("the device is released"))?;
        Ok(Scene {
            id,
            device,
            objects: &mut self.objects,
            locks: &mut self.locks,
            args: Args::new(call),
            recorded: call.ret.as_ref(),
        })
    }

    /// Functions outside of interfaces.
    fn function(&mut self, name: &str, args: Args<'_>) -> Result<Effect, CallError> {
        match name {
            // Each call names another Direct3D object; one of ours serves them all.
            "Direct3DCreate9" | "Direct3DCreate9Ex" | "Direct3DShaderValidatorCreate9" => {}
            "memcpy" => self.memory(args)?,
            _ if name.starts_with("D3DPERF_") => {}
            _ => return Ok(Effect::Unknown),
        }
        Ok(Effect::Played)
    }

    /// The traced program wrote to locked memory.
    fn memory(&mut self, args: Args<'_>) -> Result<(), CallError> {
        let address = args.pointer("dest")?;
        let source = args.memory("src")?;
        let needed = "locked range";
        let (lock, offset) = self.locks.find(address).ok_or(CallError::Object {
            name: "dest",
            address,
            needed,
        })?;
        let (id, target) = lock.target;
        let device = self
            .devices
            .get_mut(&id)
            .ok_or(CallError::Misplaced("the device is released"))?;
        let bytes = match target {
            Locked::Level(level) => device.locked_bytes_mut(level),
            Locked::Vertices(buffer) => device.vertex_buffer_bytes_mut(buffer),
            Locked::Indices(buffer) => device.index_buffer_bytes_mut(buffer),
        };
        let bytes = bytes.map_err(|code| CallError::Refused {
            code,
            why: String::new(),
        })?;
        for run in lock.runs(offset, source.len()) {
            let start = lock.shift + run.to;
            let (from, to) = (run.from..run.from + run.len, start..start + run.len);
            if let (Some(from), Some(to)) = (source.get(from), bytes.get_mut(to)) {
                to.copy_from_slice(from);
            }
        }
        Ok(())
    }

    fn direct3d9(&mut self, method: &str, args: Args<'_>) -> Result<Effect, PlayError> {
        match method {
            "CreateDevice" | "CreateDeviceEx" => {
                let parameters = args.present_parameters("pPresentationParameters")?;
                let address = args.stored_pointer("ppReturnedDeviceInterface")?;
                let extended = method == "CreateDeviceEx";
                if self.direct3d.is_none() || self.settings.extended != extended {
                    self.settings.extended = extended;
                    self.direct3d = Some(open(&self.settings)?);
                }
                let Some(direct3d) = &self.direct3d else {
                    return Err(CallError::Misplaced("no adapter is open").into());
                };
                let behavior = args.u32("BehaviorFlags")?;
                let made = with_samples(parameters.multi_sample_type, |multi_sample_type| {
                    let parameters = PresentParameters {
                        multi_sample_type,
                        ..parameters
                    };
                    direct3d.create_device_with(&parameters, behavior)
                });
                let device = made.map_err(|code| CallError::Refused {
                    code,
                    why: "the device was not created".into(),
                })?;
                self.totals.adapter = direct3d.get_adapter_identifier().description.clone();
                let id = DeviceId(self.next_device);
                self.next_device += 1;
                self.released = None;
                self.devices.insert(id, device);
                self.objects.add_device(address, id);
                Ok(Effect::Played)
            }
            "AddRef"
            | "Release"
            | "QueryInterface"
            | "RegisterSoftwareDevice"
            | "GetAdapterCount"
            | "GetAdapterIdentifier"
            | "GetAdapterModeCount"
            | "GetAdapterModeCountEx"
            | "EnumAdapterModes"
            | "EnumAdapterModesEx"
            | "GetAdapterDisplayMode"
            | "GetAdapterDisplayModeEx"
            | "CheckDeviceType"
            | "CheckDeviceFormat"
            | "CheckDeviceMultiSampleType"
            | "CheckDepthStencilMatch"
            | "CheckDeviceFormatConversion"
            | "GetDeviceCaps"
            | "GetAdapterMonitor"
            | "GetAdapterLUID" => Ok(Effect::Played),
            _ => Ok(Effect::Unknown),
        }
    }

    /// References to the device itself; the last one ends it.
    fn reference(&mut self, call: &Call, id: DeviceId, method: &str) -> Option<Effect> {
        match method {
            "AddRef" => {}
            "Release" => {
                if call.ret.as_ref().and_then(Value::bits) == Some(0) {
                    self.end_device(id);
                }
            }
            _ => return None,
        }
        Some(Effect::Played)
    }

    fn end_device(&mut self, id: DeviceId) {
        if let Some(device) = self.devices.remove(&id) {
            self.totals.renderer += device.renderer_stats();
            self.totals.stats += device.pipeline_stats();
            self.totals.traffic += &device.traffic();
            if self.keep_last {
                self.released = Some((id, device));
            }
        }
        self.objects.remove_device(id);
    }

    /// Whether playing `call` throws away what the device last presented.
    pub(super) fn ends_picture(&self, call: &Call) -> bool {
        match call.name() {
            "IDirect3DDevice9::Release" | "IDirect3DDevice9Ex::Release" => {
                call.ret.as_ref().and_then(Value::bits) == Some(0)
            }
            "IDirect3DDevice9::Reset" | "IDirect3DDevice9Ex::Reset" => true,
            "IDirect3DDevice9Ex::ResetEx" => true,
            _ => false,
        }
    }

    /// What a swap chain last presented.
    pub(super) fn front_buffer(
        &mut self,
        id: DeviceId,
        chain: Option<SwapChainHandle>,
    ) -> Result<Picture, CallError> {
        let device = self
            .devices
            .get_mut(&id)
            .ok_or(CallError::Misplaced("the device is released"))?;
        let picture = match chain {
            Some(chain) => device.swap_chain_front_buffer(chain),
            None => device.front_buffer(),
        };
        picture.map_err(|code| CallError::Refused {
            code,
            why: device.last_error().to_owned(),
        })
    }

    /// A device that is alive, or released last and kept.
    pub(super) fn device(&mut self, id: DeviceId) -> Option<&mut Device> {
        let released = self.released.as_mut().filter(|(of, _)| *of == id);
        let released = released.map(|(_, device)| device);
        self.devices.get_mut(&id).or(released)
    }

    /// The back buffer of some live device, for captures that draw and never present.
    pub(super) fn back_buffer(&mut self) -> Option<Picture> {
        let device = self.devices.values_mut().next_back()?;
        let surface = device.get_back_buffer(0, 0).ok()?;
        let picture = device.read_surface(surface).ok();
        let _ = device.release(surface);
        picture
    }

    /// Counters of all devices, gone or not.
    pub(super) fn totals(&self) -> Totals {
        let mut totals = self.totals.clone();
        for device in self.devices.values() {
            totals.renderer += device.renderer_stats();
            totals.stats += device.pipeline_stats();
            totals.traffic += &device.traffic();
        }
        totals
    }
}

/// Makes something with `samples` samples a pixel (a `D3DMULTISAMPLE_TYPE`), or
/// with the nearest count that the device has: the picture matters more than
/// the smoothness of its edges.
pub(super) fn with_samples<T>(
    samples: u32,
    mut make: impl FnMut(u32) -> Result<T, HResult>,
) -> Result<T, HResult> {
    let mut result = make(samples);
    for instead in [D3DMULTISAMPLE_4_SAMPLES, D3DMULTISAMPLE_NONE] {
        match result {
            Err(HResult::NOTAVAILABLE) if samples > D3DMULTISAMPLE_NONMASKABLE => {
                result = make(instead);
                if result.is_ok() {
                    tracing::warn!(
                        "multisample type {samples} is not available: {instead} is used"
                    );
                }
            }
            _ => break,
        }
    }
    result
}

fn open(settings: &DeviceSettings) -> Result<Direct3D9, PlayError> {
    Direct3D9::new(settings.clone()).map_err(|error| match error {
        Error::NoAdapter(text) => PlayError::NoGpu(text),
        other => PlayError::NoGpu(other.to_string()),
    })
}
