//! Creating surfaces that belong to no texture.

use crate::consts::*;
use crate::device::Device;
use crate::fault::{Outcome, invalid};
use crate::format::{FormatInfo, kind};
use crate::handle::{RawHandle, SurfaceHandle};
use crate::hresult::Result;
use crate::multisample;
use crate::resource::{Kind, Resource, ResourceDesc};
use crate::texture::check_blocks;

/// The arguments that all surfaces share.
pub(crate) struct SurfaceRequest {
    pub(crate) kind: Kind,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) format: u32,
    pub(crate) pool: u32,
    pub(crate) multi_sample: u32,
    pub(crate) quality: u32,
    pub(crate) lockable: bool,
}

impl Device {
    /// `CreateRenderTarget`.
    pub fn create_render_target(
        &mut self,
        width: u32,
        height: u32,
        format: u32,
        multi_sample: u32,
        quality: u32,
        lockable: bool,
    ) -> Result<SurfaceHandle> {
        let request = SurfaceRequest {
            kind: Kind::RenderTarget,
            width,
            height,
            format,
            pool: D3DPOOL_DEFAULT,
            multi_sample,
            quality,
            lockable,
        };
        self.recorded(
            |r, x| {
                r.create_render_target(x, width, height, format, multi_sample, quality, lockable)
            },
            |d| d.make_surface(&request).map(surface),
        )
    }

    /// `CreateDepthStencilSurface`.
    pub fn create_depth_stencil_surface(
        &mut self,
        width: u32,
        height: u32,
        format: u32,
        multi_sample: u32,
        quality: u32,
        discard: bool,
    ) -> Result<SurfaceHandle> {
        let request = SurfaceRequest {
            kind: Kind::DepthStencil,
            width,
            height,
            format,
            pool: D3DPOOL_DEFAULT,
            multi_sample,
            quality,
            lockable: false,
        };
        self.recorded(
            |r, x| {
                r.create_depth_stencil_surface(
                    x,
                    width,
                    height,
                    format,
                    multi_sample,
                    quality,
                    discard,
                )
            },
            |d| d.make_surface(&request).map(surface),
        )
    }

    /// `CreateOffscreenPlainSurface`.
    pub fn create_offscreen_plain_surface(
        &mut self,
        width: u32,
        height: u32,
        format: u32,
        pool: u32,
    ) -> Result<SurfaceHandle> {
        let request = SurfaceRequest {
            kind: Kind::OffscreenPlain,
            width,
            height,
            format,
            pool,
            multi_sample: D3DMULTISAMPLE_NONE,
            quality: 0,
            lockable: true,
        };
        self.recorded(|r, x| r.create_offscreen_plain_surface(x, width, height, format, pool), |d| {
            if pool == D3DPOOL_MANAGED || pool > D3DPOOL_SCRATCH {
                invalid!(
                    "pool: {pool}; offscreen plain surfaces are default, system memory or scratch"
                );
            }
            d.make_surface(&request).map(surface)
        })
    }

    /// Makes a surface resource with one public reference.
    pub(crate) fn make_surface(&mut self, r: &SurfaceRequest) -> Outcome<RawHandle> {
        let mut resource = self.new_surface(r)?;
        if resource.on_gpu() {
            resource.image(&mut self.renderer)?;
        }
        Ok(self.resources.insert(resource, 1, 0))
    }

    /// Checks a request without making anything.
    pub(crate) fn new_surface(&self, r: &SurfaceRequest) -> Outcome<Resource> {
        let scratch = r.pool == D3DPOOL_SCRATCH;
        // System memory is not bound to what the adapter can do.
        let limit = match r.pool {
            D3DPOOL_DEFAULT | D3DPOOL_MANAGED => self.caps.max_texture_size,
            _ => u32::MAX >> 1,
        };
        if r.width == 0 || r.height == 0 || r.width > limit || r.height > limit {
            invalid!(
                "size: {} x {}, each must be 1 to {limit}",
                r.width,
                r.height
            );
        }
        let Some(info) = FormatInfo::of(r.format) else {
            invalid!("format: {:#x} is not a format this device knows", r.format);
        };
        let caps = self.renderer.caps();
        let fits = match r.kind {
            Kind::RenderTarget => info.target() && info.on_adapter(caps),
            Kind::DepthStencil => info.is_depth(),
            _ => scratch || info.plain(caps),
        };
        if !fits {
            invalid!("format: {:#x} cannot be that kind of surface", r.format);
        }
        check_blocks(info, r.width, r.height)?;
        let counts = self.renderer.caps().sample_counts(info.gpu);
        let Some(samples) = multisample::samples(counts, r.multi_sample, r.quality) else {
            invalid!(
                "multi_sample: type {} of quality {} is not available",
                r.multi_sample,
                r.quality
            );
        };
        let usage = match r.kind {
            Kind::RenderTarget => D3DUSAGE_RENDERTARGET,
            Kind::DepthStencil => D3DUSAGE_DEPTHSTENCIL,
            _ => 0,
        };
        let resource = Resource::new(&ResourceDesc {
            kind: r.kind,
            info,
            width: r.width,
            height: r.height,
            depth: 1,
            levels: 1,
            gpu_levels: 1,
            usage,
            pool: r.pool,
            multi_sample: r.multi_sample,
            quality: r.quality,
            samples,
            // Multisampled targets may be asked for as lockable, and cannot be locked.
            lockable: r.lockable && samples == 1
                || r.kind == Kind::DepthStencil && info.has(kind::LOCKABLE),
        })?;
        self.check_budget(&resource, resource.on_gpu())?;
        Ok(resource)
    }
}

pub(crate) fn surface(resource: RawHandle) -> SurfaceHandle {
    SurfaceHandle { resource, sub: 0 }
}
