//! The device: what every part of it shares.

use ninefold_renderer::{Image, PipelineStats, Renderer};
use rustc_hash::FxHashMap;

use crate::buffer::Buffer;
use crate::clip_status::ClipStatus;
use crate::declaration::Declaration;
use crate::direct3d::Caps;
use crate::fault::{Fault, Outcome};
use crate::handle::{ObjectHandle, RawHandle, Slots, Weigh};
use crate::hresult::{HResult, Result};
use crate::palette::Palettes;
use crate::present::SwapChain;
use crate::process_vertices::Processor;
use crate::processing::VertexProcessing;
use crate::query::Query;
use crate::residency::Ledger;
use crate::resolve::Resolved;
use crate::resource::Resource;
use crate::scratch::Scratch;
use crate::shader::Shader;
use crate::shader_pack::Replacements;
use crate::state::State;
use crate::stateblock::StateBlock;
use crate::target::Bindings;
use crate::texels::Texels;
use crate::trace::Recorder;
use crate::types::PresentParameters;

/// `IDirect3DDevice9`. Methods carry D3D9's names; each part of the device is a
/// file of its own (`texture`, `lock`, `state`, `draw`, ...).
///
/// A method that fails returns D3D9's code, changes nothing, and leaves a
/// sentence in [`last_error`](Self::last_error).
pub struct Device {
    pub(crate) renderer: Renderer,
    pub(crate) caps: Caps,
    pub(crate) extended: bool,
    pub(crate) memory_budget: u64,
    pub(crate) residency: Ledger,
    /// Frames presented.
    pub(crate) frames: u64,
    pub(crate) replacements: Replacements,
    pub(crate) parameters: PresentParameters,
    pub(crate) resources: Slots<Resource>,
    pub(crate) vertex_buffers: Slots<Buffer>,
    pub(crate) index_buffers: Slots<Buffer>,
    pub(crate) vertex_shaders: Slots<Shader>,
    pub(crate) pixel_shaders: Slots<Shader>,
    pub(crate) declarations: Slots<Declaration>,
    pub(crate) queries: Slots<Query>,
    pub(crate) state_blocks: Slots<Box<StateBlock>>,
    pub(crate) swap_chains: Slots<SwapChain>,
    /// Declarations made from FVF codes; the device holds a reference to each.
    pub(crate) fvf_declarations: FxHashMap<u32, RawHandle>,
    pub(crate) implicit_chain: RawHandle,
    pub(crate) auto_depth: Option<RawHandle>,
    pub(crate) bindings: Bindings,
    pub(crate) state: Box<State>,
    /// The block between `BeginStateBlock` and `EndStateBlock`.
    pub(crate) recording: Option<Box<StateBlock>>,
    pub(crate) resolved: Box<Resolved>,
    pub(crate) scratch: Scratch,
    pub(crate) processor: Box<Processor>,
    pub(crate) clip_status: ClipStatus,
    pub(crate) palettes: Palettes,
    pub(crate) texels: Texels,
    pub(crate) radial_fog: crate::radial_fog::RadialFog,
    pub(crate) in_scene: bool,
    /// The `D3DCREATE_*` flags.
    pub(crate) behavior: u32,
    pub(crate) processing: VertexProcessing,
    /// Vertices are processed in software now.
    pub(crate) software_vertices: bool,
    /// What `SetSoftwareVertexProcessing` was told last.
    pub(crate) asked_software: bool,
    /// Zero of timestamp queries.
    pub(crate) started: std::time::Instant,
    pub(crate) last_error: String,
    /// Writes the calls to a capture while `record_to` is in force.
    pub(crate) recorder: Option<Box<Recorder>>,
    /// Says that the device uses the adapter as `Direct3D9` opened it.
    pub(crate) _lease: std::sync::Arc<()>,
}

impl Device {
    /// Runs an inner function: a fault becomes its code, its sentence becomes `last_error`.
    pub(crate) fn call<T>(&mut self, f: impl FnOnce(&mut Self) -> Outcome<T>) -> Result<T> {
        match f(self) {
            Ok(value) => Ok(value),
            Err(fault) => Err(self.failed(fault)),
        }
    }

    /// As [`call`](Self::call), and tells the recorder what was called and what came of it.
    pub(crate) fn recorded<T>(
        &mut self,
        hook: impl FnOnce(&mut Recorder, &Result<T>),
        f: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Result<T> {
        // Taken out, so that calls made by this one are not recorded as the program's.
        let recorder = self.recorder.take();
        let result = self.call(f);
        if let Some(mut recorder) = recorder {
            hook(&mut recorder, &result);
            self.recorder = Some(recorder);
        }
        result
    }

    #[cold]
    pub(crate) fn failed(&mut self, fault: Fault) -> HResult {
        let (code, text) = fault.into_parts();
        tracing::debug!(target: "ninefold::d3d9", code = %code, "{text}");
        self.last_error = text;
        code
    }

    /// What was wrong with the last call that failed, naming the argument.
    pub fn last_error(&self) -> &str {
        &self.last_error
    }

    /// `IUnknown::AddRef`: the new count of public references. `D3DERR_INVALIDCALL` for a handle
    /// whose object is gone.
    pub fn add_ref(&mut self, object: impl Into<ObjectHandle>) -> Result<u32> {
        let object = object.into();
        let name = self.recorded_name(object);
        self.recorded(
            |r, x| r.reference(x, name, true),
            |d| {
                let count = match object {
                    ObjectHandle::Resource(h) => d.add_resource_ref(h),
                    ObjectHandle::VertexBuffer(h) => d.vertex_buffers.add_ref(h),
                    ObjectHandle::IndexBuffer(h) => d.index_buffers.add_ref(h),
                    ObjectHandle::VertexShader(h) => d.vertex_shaders.add_ref(h),
                    ObjectHandle::PixelShader(h) => d.pixel_shaders.add_ref(h),
                    ObjectHandle::VertexDeclaration(h) => d.declarations.add_ref(h),
                    ObjectHandle::Query(h) => d.queries.add_ref(h),
                    ObjectHandle::StateBlock(h) => d.state_blocks.add_ref(h),
                    ObjectHandle::SwapChain(h) => d.swap_chains.add_ref(h),
                };
                count.ok_or_else(|| gone(object))
            },
        )
    }

    /// `IUnknown::Release`: the new count of public references. The object goes when the device
    /// does not use it either.
    pub fn release(&mut self, object: impl Into<ObjectHandle>) -> Result<u32> {
        let object = object.into();
        let name = self.recorded_name(object);
        self.recorded(
            |r, x| r.reference(x, name, false),
            |d| {
                let count = match object {
                    ObjectHandle::Resource(h) => d.release_resource(h),
                    ObjectHandle::VertexBuffer(h) => d.vertex_buffers.release(h).map(|(n, _)| n),
                    ObjectHandle::IndexBuffer(h) => d.index_buffers.release(h).map(|(n, _)| n),
                    ObjectHandle::VertexShader(h) => d.vertex_shaders.release(h).map(|(n, _)| n),
                    ObjectHandle::PixelShader(h) => d.pixel_shaders.release(h).map(|(n, _)| n),
                    ObjectHandle::VertexDeclaration(h) => d.declarations.release(h).map(|(n, _)| n),
                    ObjectHandle::Query(h) => d.queries.release(h).map(|(n, dead)| {
                        if let Some(query) = dead {
                            query.destroy(&mut d.renderer);
                        }
                        n
                    }),
                    ObjectHandle::StateBlock(h) => d.state_blocks.release(h).map(|(n, dead)| {
                        if let Some(block) = dead {
                            d.drop_block(&block);
                        }
                        n
                    }),
                    ObjectHandle::SwapChain(h) => d.swap_chains.release(h).map(|(n, dead)| {
                        if let Some(chain) = dead {
                            d.drop_chain(&chain);
                        }
                        n
                    }),
                };
                count.ok_or_else(|| gone(object))
            },
        )
    }

    /// Objects alive, whoever holds them: textures, surfaces, buffers, shaders, declarations,
    /// queries, state blocks and swap chains. The device's own back buffers, depth surface, swap
    /// chain and declarations of FVF codes do not count.
    pub fn object_count(&self) -> usize {
        let own = self.resources.iter().filter(|(_, r)| r.internal).count();
        let fvf = self.fvf_declarations.len();
        self.resources.len() - own
            + self.vertex_buffers.len()
            + self.index_buffers.len()
            + self.vertex_shaders.len()
            + self.pixel_shaders.len()
            + (self.declarations.len() - fvf)
            + self.queries.len()
            + self.state_blocks.len()
            + (self.swap_chains.len() - 1)
    }

    /// `GetDeviceCaps`.
    pub fn get_device_caps(&self) -> &Caps {
        &self.caps
    }

    /// The presentation parameters in use, with everything left open filled in.
    pub fn present_parameters(&self) -> &PresentParameters {
        &self.parameters
    }

    /// Counters of the pipeline compiler service.
    pub fn pipeline_stats(&self) -> PipelineStats {
        self.renderer.pipeline_stats()
    }

    /// Waits until every shader that exists is translated, and every pipeline that earlier runs
    /// used with these shaders is built. For a loading screen.
    pub fn wait_for_pipelines(&self) {
        self.renderer.wait_for_pipelines();
    }

    /// Writes what the pipeline cache on disk lacks and waits until it is there: for a program
    /// about to be suspended.
    ///
    /// # Errors
    /// `D3DERR_DRIVERINTERNALERROR` when the files cannot be written; `last_error` says why.
    pub fn sync_pipelines(&mut self) -> Result<()> {
        self.call(|d| {
            let error = |e: ninefold_renderer::Error| {
                Fault::new(HResult::DRIVERINTERNALERROR, e.text().to_owned())
            };
            d.renderer.sync_pipelines().map_err(error)
        })
    }

    /// The renderer's counters.
    pub fn renderer_stats(&self) -> ninefold_renderer::Stats {
        self.renderer.stats()
    }

    /// Submits what is recorded without waiting.
    pub fn flush(&mut self) -> Result<()> {
        self.call(|d| Ok(d.renderer.flush()?))
    }

    /// Bytes of every object alive, in memory and on the GPU.
    pub fn memory_used(&self) -> u64 {
        self.resources.bytes()
            + self.vertex_buffers.bytes()
            + self.index_buffers.bytes()
            + self.vertex_shaders.bytes()
            + self.pixel_shaders.bytes()
            + self.state_blocks.bytes()
    }

    /// Refuses `object` where it goes past the memory budget: `D3DERR_OUTOFVIDEOMEMORY` for
    /// objects on the GPU, `E_OUTOFMEMORY` for others.
    pub(crate) fn check_budget(&self, object: &impl Weigh, on_gpu: bool) -> Outcome<()> {
        let (used, wanted) = (self.memory_used(), object.bytes());
        if used + wanted <= self.memory_budget {
            return Ok(());
        }
        let code = if on_gpu {
            HResult::OUTOFVIDEOMEMORY
        } else {
            HResult::OUTOFMEMORY
        };
        let text = format!(
            "{wanted} bytes more than the {used} in use go past the budget of {}",
            self.memory_budget
        );
        Err(Fault::new(code, text))
    }

    /// The resource behind a handle, or the fault that names `argument`.
    pub(crate) fn resource(&self, handle: RawHandle, argument: &str) -> Outcome<&Resource> {
        self.resources.get(handle).ok_or_else(|| stale(argument))
    }

    pub(crate) fn resource_mut(
        &mut self,
        handle: RawHandle,
        argument: &str,
    ) -> Outcome<&mut Resource> {
        self.resources
            .get_mut(handle)
            .ok_or_else(|| stale(argument))
    }

    /// The image of a resource with everything in memory copied to it.
    pub(crate) fn ready_image(&mut self, handle: RawHandle, argument: &str) -> Outcome<Image> {
        let resource = self
            .resources
            .get_mut(handle)
            .ok_or_else(|| stale(argument))?;
        resource.upload(&mut self.renderer, &mut self.texels)?;
        Ok(resource.image(&mut self.renderer)?.clone())
    }
}

#[cold]
fn gone(object: ObjectHandle) -> Fault {
    Fault::invalid(format!(
        "{object:?}: the object is gone or holds no public reference"
    ))
}

/// The fault of a handle whose object is gone.
#[cold]
pub(crate) fn stale(argument: &str) -> Fault {
    Fault::invalid(format!("{argument}: the object is gone"))
}

impl core::fmt::Debug for Device {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Device")
            .field("objects", &self.object_count())
            .finish_non_exhaustive()
    }
}
