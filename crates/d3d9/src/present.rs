//! Swap chains, Present, Reset.

use ninefold_renderer::{Attachment, Box3 as Region, Image, ImageDesc, ImageKind, ImageUsage};

use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::{Fault, Outcome, invalid};
use crate::format::FormatInfo;
use crate::handle::{RawHandle, SurfaceHandle, SwapChainHandle, Weigh};
use crate::hresult::{HResult, Result};
use crate::multisample;
use crate::resolve::Resolved;
use crate::resource::Kind;
use crate::state::State;
use crate::surface::{SurfaceRequest, surface};
use crate::types::{DisplayMode, PresentParameters};

/// The display mode that stands for the screen there is not.
pub(crate) const DISPLAY: DisplayMode = DisplayMode {
    width: 1920,
    height: 1080,
    refresh_rate: 60,
    format: D3DFMT_X8R8G8B8,
};

/// Sides of back buffers that are left to a window whose size nobody knows.
const WINDOW: (u32, u32) = (640, 480);

/// Back buffers and the picture last presented.
#[derive(Debug)]
pub(crate) struct SwapChain {
    pub(crate) parameters: PresentParameters,
    pub(crate) back_buffers: Vec<RawHandle>,
    front: Option<Image>,
    presented: bool,
    pub(crate) opaque: bool,
}

impl SwapChain {
    /// The picture last presented.
    pub(crate) fn front(&self) -> Option<&Image> {
        self.front.as_ref().filter(|_| self.presented)
    }
}

impl Weigh for SwapChain {
    fn bytes(&self) -> u64 {
        0
    }
}

/// Back buffers that a chain may have: `D3DPRESENT_BACK_BUFFERS_MAX`, and `.._MAX_EX`.
const BACK_BUFFERS: u32 = 3;
const BACK_BUFFERS_EX: u32 = 30;

/// The `D3DPRESENTFLAG_*` there are; others are dropped.
const PRESENT_FLAGS: u32 = 0xFFF;

/// Checks presentation parameters and fills in what they leave open.
pub(crate) fn checked(
    parameters: &PresentParameters,
    extended: bool,
) -> Outcome<PresentParameters> {
    let mut p = *parameters;
    let most = if extended {
        BACK_BUFFERS_EX
    } else {
        BACK_BUFFERS
    };
    if !(D3DSWAPEFFECT_DISCARD..=D3DSWAPEFFECT_FLIPEX).contains(&p.swap_effect) {
        invalid!("swap_effect: {} is not a D3DSWAPEFFECT", p.swap_effect);
    }
    if p.back_buffer_count > most || p.swap_effect == D3DSWAPEFFECT_COPY && p.back_buffer_count > 1
    {
        invalid!(
            "back_buffer_count: {} is too many for the swap effect",
            p.back_buffer_count
        );
    }
    p.back_buffer_count = p.back_buffer_count.max(1);
    if p.back_buffer_width == 0 || p.back_buffer_height == 0 {
        if !p.windowed {
            invalid!("back_buffer_width and height must be given for the whole screen");
        }
        let side = |given: u32, window: u32| if given == 0 { window } else { given };
        p.back_buffer_width = side(p.back_buffer_width, WINDOW.0);
        p.back_buffer_height = side(p.back_buffer_height, WINDOW.1);
    }
    if p.back_buffer_format == D3DFMT_UNKNOWN {
        if !p.windowed {
            invalid!("back_buffer_format must be given for the whole screen");
        }
        p.back_buffer_format = DISPLAY.format;
    }
    p.flags &= PRESENT_FLAGS;
    Ok(p)
}

/// A device or chain with samples that the adapter lacks is not available; `Reset` calls them
/// invalid.
pub(crate) fn check_samples(caps: &ninefold_renderer::Caps, p: &PresentParameters) -> Outcome<()> {
    let (kind, quality) = (p.multi_sample_type, p.multi_sample_quality);
    let Some(info) = FormatInfo::of(p.back_buffer_format) else {
        return Ok(());
    };
    if multisample::samples(caps.sample_counts(info.gpu), kind, quality).is_none() {
        return Err(Fault::new(
            HResult::NOTAVAILABLE,
            format!("multi_sample_type: type {kind} of quality {quality} is not available"),
        ));
    }
    Ok(())
}

impl Device {
    /// Makes a swap chain's back buffers; nothing is left behind on failure.
    fn make_chain(&mut self, p: &PresentParameters) -> Outcome<SwapChain> {
        let request = SurfaceRequest {
            kind: Kind::RenderTarget,
            width: p.back_buffer_width,
            height: p.back_buffer_height,
            format: p.back_buffer_format,
            pool: D3DPOOL_DEFAULT,
            multi_sample: p.multi_sample_type,
            quality: p.multi_sample_quality,
            // Samples cannot be locked: the flag says nothing then.
            lockable: p.flags & D3DPRESENTFLAG_LOCKABLE_BACKBUFFER != 0
                && p.multi_sample_type == D3DMULTISAMPLE_NONE,
        };
        let mut made = Vec::new();
        let mut opaque = false;
        for _ in 0..p.back_buffer_count {
            let mut resource = self.new_surface(&request)?;
            resource.internal = true;
            resource.image(&mut self.renderer)?;
            opaque = resource.info.opaque();
            made.push(resource);
        }
        let back_buffers = made
            .into_iter()
            .map(|r| self.resources.insert(r, 0, 1))
            .collect();
        Ok(SwapChain {
            parameters: *p,
            back_buffers,
            front: None,
            presented: false,
            opaque,
        })
    }

    /// Makes the implicit swap chain and the automatic depth surface and binds them.
    pub(crate) fn start(&mut self, p: &PresentParameters) -> Outcome<()> {
        let depth = if p.enable_auto_depth_stencil {
            let mut resource = self.new_surface(&SurfaceRequest {
                kind: Kind::DepthStencil,
                width: p.back_buffer_width,
                height: p.back_buffer_height,
                format: p.auto_depth_stencil_format,
                pool: D3DPOOL_DEFAULT,
                multi_sample: p.multi_sample_type,
                quality: p.multi_sample_quality,
                lockable: false,
            })?;
            resource.internal = true;
            resource.image(&mut self.renderer)?;
            Some(resource)
        } else {
            None
        };
        let chain = self.make_chain(p)?;
        let first = chain.back_buffers[0];
        self.auto_depth = depth.map(|r| self.resources.insert(r, 0, 1));
        match self.swap_chains.get_mut(self.implicit_chain) {
            Some(slot) => *slot = chain,
            None => self.implicit_chain = self.swap_chains.insert(chain, 0, 1),
        }
        self.bind_color(0, Some((first, 0)));
        self.bind_depth(self.auto_depth.map(|h| (h, 0)));
        self.whole_viewport(p.back_buffer_width, p.back_buffer_height);
        self.parameters = *p;
        Ok(())
    }

    /// Gives back what a swap chain holds.
    pub(crate) fn drop_chain(&mut self, chain: &SwapChain) {
        for handle in &chain.back_buffers {
            self.resources.unhold(*handle);
        }
    }

    /// `TestCooperativeLevel`: `Ok` while the device can draw.
    pub fn test_cooperative_level(&mut self) -> Result<()> {
        Ok(())
    }

    /// `GetAvailableTextureMem`: bytes, rounded to MiB. 2 GiB, less what textures and surfaces of
    /// `D3DPOOL_DEFAULT` and others on the GPU take.
    pub fn get_available_texture_mem(&self) -> u32 {
        const ALL: u64 = 2048 << 20;
        const MIB: u64 = 1 << 20;
        let on_gpu = self
            .resources
            .iter()
            .filter(|(_, r)| r.image.is_some() || r.pool == D3DPOOL_DEFAULT);
        let used: u64 = on_gpu
            .flat_map(|(_, r)| {
                r.subs
                    .iter()
                    .map(|level| level.size() as u64 * u64::from(r.samples()))
            })
            .sum();
        (ALL.saturating_sub(used) / MIB * MIB) as u32
    }

    /// `EvictManagedResources`: drops GPU copies of managed resources; they come back at their next
    /// use.
    pub fn evict_managed_resources(&mut self) -> Result<()> {
        for resource in self.resources.iter_mut() {
            if resource.pool == D3DPOOL_MANAGED && resource.image.take().is_some() {
                resource.spare = None;
                resource.mark_all_dirty();
            }
        }
        self.resolved.touch_all_textures();
        self.resolved.uploads_pending = true;
        Ok(())
    }

    /// `GetDisplayMode` of a swap chain.
    pub fn get_display_mode(&mut self, swap_chain: u32) -> Result<DisplayMode> {
        self.call(|d| {
            d.only_chain(swap_chain)?;
            Ok(DISPLAY)
        })
    }

    pub(crate) fn only_chain(&self, index: u32) -> Outcome<RawHandle> {
        if index != 0 {
            invalid!("swap_chain: {index}; only number 0 is the device's own");
        }
        Ok(self.implicit_chain)
    }

    /// `Reset`: all state returns to its defaults, and what is bound is let go. An extended device
    /// keeps its state but for render targets, viewport and scissor rectangle.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for parameters that are not valid, and, unless the device is extended,
    /// while the program holds resources of `D3DPOOL_DEFAULT`, additional swap chains, state
    /// blocks, back buffers or the depth surface. The device is then as it was.
    pub fn reset(&mut self, parameters: &PresentParameters) -> Result<()> {
        self.recorded(
            |r, x| r.reset(x, parameters),
            |d| {
                let p = checked(parameters, d.extended)?;
                if !d.extended {
                    d.nothing_default_alive()?;
                }
                let (old_depth, old_chain) = (d.auto_depth, d.implicit_chain);
                let old_buffers = match d.swap_chains.get(old_chain) {
                    Some(chain) => chain.back_buffers.clone(),
                    None => Vec::new(),
                };
                d.start(&p)?;
                for index in 1..4 {
                    d.bind_color(index, None);
                }
                old_buffers
                    .into_iter()
                    .chain(old_depth)
                    .for_each(|h| drop(d.resources.unhold(h)));
                if !d.extended {
                    d.forget_state()?;
                }
                d.in_scene = false;
                Ok(())
            },
        )
    }

    /// State as it is in the beginning, but for what depends on render target 0.
    fn forget_state(&mut self) -> Outcome<()> {
        let (viewport, scissor) = (self.state.viewport, self.state.scissor);
        let mut fresh = Box::new(State::new(
            self.parameters.enable_auto_depth_stencil,
            self.processing.constants(),
        ));
        fresh.viewport = viewport;
        fresh.scissor = scissor;
        let old = core::mem::replace(&mut self.state, fresh);
        self.unhold_values(&old);
        if let Some(block) = self.recording.take() {
            self.drop_block(&block);
        }
        let generation = self.resolved.last_generation();
        *self.resolved = Resolved::new(&mut self.renderer, generation)?;
        Ok(())
    }

    /// What only the device itself holds goes with its state.
    fn nothing_default_alive(&self) -> Outcome<()> {
        for (handle, resource) in self.resources.iter() {
            if resource.pool == D3DPOOL_DEFAULT && self.resources.public_count(handle) != 0 {
                invalid!(
                    "a {:?} of D3DPOOL_DEFAULT ({handle:?}) is still alive",
                    resource.kind
                );
            }
        }
        for buffers in [&self.vertex_buffers, &self.index_buffers] {
            for (handle, buffer) in buffers.iter() {
                if buffer.desc.pool == D3DPOOL_DEFAULT && buffers.public_count(handle) != 0 {
                    invalid!("a buffer of D3DPOOL_DEFAULT ({handle:?}) is still alive");
                }
            }
        }
        if self.state_blocks.len() != 0 {
            invalid!("{} state blocks are still alive", self.state_blocks.len());
        }
        if self.swap_chains.len() != 1 {
            invalid!(
                "{} additional swap chains are still alive",
                self.swap_chains.len() - 1
            );
        }
        Ok(())
    }

    /// `CreateAdditionalSwapChain`.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for parameters that are not valid or a chain for the whole screen,
    /// `D3DERR_NOTAVAILABLE` for samples that the adapter lacks.
    pub fn create_additional_swap_chain(
        &mut self,
        parameters: &PresentParameters,
    ) -> Result<SwapChainHandle> {
        self.recorded(
            |r, x| r.create_additional_swap_chain(x, parameters),
            |d| {
                let p = checked(parameters, d.extended)?;
                if !p.windowed {
                    invalid!("windowed: additional swap chains must be");
                }
                check_samples(d.renderer.caps(), &p)?;
                let chain = d.make_chain(&p)?;
                Ok(SwapChainHandle(d.swap_chains.insert(chain, 1, 0)))
            },
        )
    }

    /// `GetSwapChain`: adds a reference.
    pub fn get_swap_chain(&mut self, index: u32) -> Result<SwapChainHandle> {
        self.recorded(
            |r, x| r.get_swap_chain(x, index),
            |d| {
                let handle = d.only_chain(index)?;
                d.swap_chains.add_ref(handle);
                Ok(SwapChainHandle(handle))
            },
        )
    }

    /// `GetNumberOfSwapChains`: 1, however many additional ones there are.
    pub fn get_number_of_swap_chains(&self) -> u32 {
        1
    }

    /// `GetBackBuffer`: adds a reference.
    pub fn get_back_buffer(&mut self, swap_chain: u32, back_buffer: u32) -> Result<SurfaceHandle> {
        self.recorded(
            |r, x| r.get_back_buffer(x, swap_chain, back_buffer),
            |d| {
                let chain = d.only_chain(swap_chain)?;
                d.back_buffer_of(chain, back_buffer)
            },
        )
    }

    fn back_buffer_of(&mut self, chain: RawHandle, index: u32) -> Outcome<SurfaceHandle> {
        let chain = self
            .swap_chains
            .get(chain)
            .ok_or_else(|| stale("swap_chain"))?;
        let Some(handle) = chain.back_buffers.get(index as usize).copied() else {
            invalid!(
                "back_buffer: {index}, the chain has {}",
                chain.back_buffers.len()
            );
        };
        self.add_resource_ref(handle);
        Ok(surface(handle))
    }

    /// `Present`: the whole back buffer of the implicit swap chain.
    pub fn present(&mut self) -> Result<()> {
        self.recorded(|r, x| r.present(x), |d| d.present_chain(d.implicit_chain))
    }

    /// `IDirect3DSwapChain9::Present`.
    pub fn swap_chain_present(&mut self, swap_chain: SwapChainHandle) -> Result<()> {
        self.recorded(
            |r, x| r.swap_chain_present(x, swap_chain),
            |d| d.present_chain(swap_chain.0),
        )
    }

    /// Copies the first back buffer to the front; several change places.
    fn present_chain(&mut self, handle: RawHandle) -> Outcome<()> {
        let chain = self
            .swap_chains
            .get(handle)
            .ok_or_else(|| stale("swap_chain"))?;
        let first = chain.back_buffers[0];
        let back = self.ready_image(first, "back buffer")?;
        let Self {
            swap_chains,
            renderer,
            resources,
            ..
        } = self;
        let chain = swap_chains
            .get_mut(handle)
            .ok_or_else(|| stale("swap_chain"))?;
        let desc = *back.desc();
        let front = match &chain.front {
            Some(front) => front.clone(),
            None => {
                let front = renderer.create_image(&ImageDesc {
                    kind: ImageKind::D2,
                    levels: 1,
                    samples: 1,
                    usage: ImageUsage::SAMPLED | ImageUsage::COLOR,
                    ..desc
                })?;
                chain.front = Some(front.clone());
                front
            }
        };
        if desc.samples > 1 {
            renderer.resolve(&Attachment::new(back), &Attachment::new(front))?;
        } else {
            let area = Region {
                x: 0,
                y: 0,
                z: 0,
                w: desc.width,
                h: desc.height,
                d: 1,
            };
            renderer.copy_image((&back, 0, 0), area, (&front, 0, 0), [0; 3])?;
        }
        renderer.flush()?;
        chain.presented = true;
        self.processor.presented();
        if chain.back_buffers.len() > 1 {
            // The contents move on while the surfaces keep their places: the images change hands.
            let mut images: Vec<_> = chain
                .back_buffers
                .iter()
                .map(|h| resources.get_mut(*h).and_then(|r| r.image.take()))
                .collect();
            images.rotate_left(1);
            for (handle, image) in chain.back_buffers.iter().zip(images) {
                if let Some(resource) = resources.get_mut(*handle) {
                    resource.image = image;
                }
            }
            self.resolved.touch(crate::resolve::group::TARGETS);
        }
        self.count_frame();
        Ok(())
    }

    /// `IDirect3DSwapChain9::GetBackBuffer`: adds a reference.
    pub fn swap_chain_get_back_buffer(
        &mut self,
        swap_chain: SwapChainHandle,
        back_buffer: u32,
    ) -> Result<SurfaceHandle> {
        self.recorded(
            |r, x| r.swap_chain_get_back_buffer(x, swap_chain, back_buffer),
            |d| d.back_buffer_of(swap_chain.0, back_buffer),
        )
    }

    /// `IDirect3DSwapChain9::GetPresentParameters`.
    pub fn swap_chain_get_present_parameters(
        &mut self,
        swap_chain: SwapChainHandle,
    ) -> Result<PresentParameters> {
        self.call(|d| {
            Ok(d.swap_chains
                .get(swap_chain.0)
                .ok_or_else(|| stale("swap_chain"))?
                .parameters)
        })
    }
}
