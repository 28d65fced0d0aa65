//! Resolving the groups that are plain state: targets, blend, depth, raster,
//! textures and samplers.

use ninefold_renderer::{
    Attachment, BlendKey, DepthStencilKey, Image, RasterKey, STAGES, SamplerKey, StencilFace,
    Texels, TextureBinding,
};

use crate::consts::*;
use crate::device::{Device, stale};
use crate::driver_codes::alpha_to_coverage;
use crate::fault::{Fault, Outcome};
use crate::handle::RawHandle;
use crate::hresult::HResult;
use crate::resolve::group;
use crate::resource::Resource;
use crate::state::State;
use crate::wrap::wraps;

/// `value` where it is one of 1 to `max`, else `default`: D3D9 takes any number and drivers draw
/// as by default.
fn valid(value: u32, max: u32, default: u8) -> u8 {
    if (1..=max).contains(&value) {
        value as u8
    } else {
        default
    }
}

fn blend_key(s: &State) -> BlendKey {
    let separate = s.rs(D3DRS_SEPARATEALPHABLENDENABLE) != 0;
    // What is not a factor of Direct3D 9 blends by zero; both-alpha factors are sources only.
    let source = |state| valid(s.rs(state), 15, 1);
    let destination = |state| match s.rs(state) {
        D3DBLEND_BOTHSRCALPHA | D3DBLEND_BOTHINVSRCALPHA => 1,
        other => valid(other, 15, 1),
    };
    let src = source(D3DRS_SRCBLEND);
    let dst = destination(D3DRS_DESTBLEND);
    let op = valid(s.rs(D3DRS_BLENDOP), 5, 1);
    let (src_alpha, dst_alpha, op_alpha) = if separate {
        (
            source(D3DRS_SRCBLENDALPHA),
            destination(D3DRS_DESTBLENDALPHA),
            valid(s.rs(D3DRS_BLENDOPALPHA), 5, 1),
        )
    } else {
        (src, dst, op)
    };
    BlendKey {
        enabled: s.rs(D3DRS_ALPHABLENDENABLE) != 0,
        src,
        dst,
        op,
        src_alpha,
        dst_alpha,
        op_alpha,
        write_mask: [
            D3DRS_COLORWRITEENABLE,
            D3DRS_COLORWRITEENABLE1,
            D3DRS_COLORWRITEENABLE2,
            D3DRS_COLORWRITEENABLE3,
        ]
        .map(|state| (s.rs(state) & 15) as u8),
        overlay: false,
    }
}

fn depth_key(s: &State, has_depth: bool, has_stencil: bool) -> DepthStencilKey {
    let op = |state| valid(s.rs(state), 8, 1);
    let func = |state| valid(s.rs(state), 8, 8);
    DepthStencilKey {
        depth_test: has_depth && s.rs(D3DRS_ZENABLE) != D3DZB_FALSE,
        depth_write: has_depth
            && s.rs(D3DRS_ZENABLE) != D3DZB_FALSE
            && s.rs(D3DRS_ZWRITEENABLE) != 0,
        depth_func: func(D3DRS_ZFUNC),
        stencil: has_stencil && s.rs(D3DRS_STENCILENABLE) != 0,
        two_sided: s.rs(D3DRS_TWOSIDEDSTENCILMODE) != 0,
        front: StencilFace {
            fail: op(D3DRS_STENCILFAIL),
            depth_fail: op(D3DRS_STENCILZFAIL),
            pass: op(D3DRS_STENCILPASS),
            func: func(D3DRS_STENCILFUNC),
        },
        back: StencilFace {
            fail: op(D3DRS_CCW_STENCILFAIL),
            depth_fail: op(D3DRS_CCW_STENCILZFAIL),
            pass: op(D3DRS_CCW_STENCILPASS),
            func: func(D3DRS_CCW_STENCILFUNC),
        },
        read_mask: s.rs(D3DRS_STENCILMASK) as u8,
        write_mask: s.rs(D3DRS_STENCILWRITEMASK) as u8,
    }
}

fn raster_key(s: &State, unclipped: bool) -> RasterKey {
    let number = |state| {
        let v = s.rs_float(state);
        if v.is_finite() { v } else { 0.0 }
    };
    RasterKey {
        cull: valid(s.rs(D3DRS_CULLMODE), 3, 3),
        fill: valid(s.rs(D3DRS_FILLMODE), 3, 3),
        depth_bias: number(D3DRS_DEPTHBIAS),
        slope_bias: number(D3DRS_SLOPESCALEDEPTHBIAS),
        unclipped,
        sample_mask: s.rs(D3DRS_MULTISAMPLEMASK),
        multisample: s.rs(D3DRS_MULTISAMPLEANTIALIAS) != 0,
        alpha_to_coverage: alpha_to_coverage(s),
        wraps: 0,
    }
}

/// What of a bound texture is part of its sampler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reads {
    /// The level of detail (`SetLOD`).
    lod: u32,
    texels: Texels,
}

fn sampler_key(sampler: &[u32], reads: Reads) -> SamplerKey {
    let get = |state: u32| sampler[state as usize];
    let filter = |state: u32, default: u8| match get(state) {
        v @ (D3DTEXF_POINT..=D3DTEXF_ANISOTROPIC) => v as u8,
        D3DTEXF_PYRAMIDALQUAD | D3DTEXF_GAUSSIANQUAD => D3DTEXF_LINEAR as u8,
        _ => default,
    };
    SamplerKey {
        address_u: valid(get(D3DSAMP_ADDRESSU), 5, 1),
        address_v: valid(get(D3DSAMP_ADDRESSV), 5, 1),
        address_w: valid(get(D3DSAMP_ADDRESSW), 5, 1),
        min_filter: filter(D3DSAMP_MINFILTER, 1),
        mag_filter: filter(D3DSAMP_MAGFILTER, 1),
        mip_filter: get(D3DSAMP_MIPFILTER).min(D3DTEXF_LINEAR) as u8,
        max_anisotropy: get(D3DSAMP_MAXANISOTROPY).clamp(1, 16) as u8,
        // Without mipmapping the state does not count, the texture's own limit does.
        max_mip_level: match get(D3DSAMP_MIPFILTER) {
            D3DTEXF_NONE => reads.lod,
            _ => get(D3DSAMP_MAXMIPLEVEL).max(reads.lod),
        }
        .min(15) as u8,
        border_color: get(D3DSAMP_BORDERCOLOR),
        lod_bias: f32::from_bits(get(D3DSAMP_MIPMAPLODBIAS)),
        texels: reads.texels,
    }
}

impl Device {
    /// Resolves the targets and brings what was written into their memory to the GPU.
    pub(crate) fn resolve_targets(&mut self) -> Outcome<()> {
        if self.resolved.dirty & group::TARGETS == 0 && !self.resolved.uploads_pending {
            return Ok(());
        }
        let srgb = self.state.rs(D3DRS_SRGBWRITEENABLE) != 0;
        let mut autogen = false;
        for index in 0..4 {
            let bound = self.bindings.colors[index];
            // A surface that is bound twice is drawn into as the first.
            let attachment = match bound.filter(|_| !self.bindings.colors[..index].contains(&bound))
            {
                None => None,
                Some((handle, sub)) => {
                    let resource = self.resource(handle, "render target")?;
                    let (level, layer) = resource.place(sub);
                    let opaque_alpha = resource.info.opaque();
                    let srgb = srgb && resource.info.srgb();
                    autogen |= resource.autogen();
                    let image = self.target_image(handle, "render target")?;
                    Some(Attachment {
                        image,
                        level,
                        layer,
                        srgb,
                        opaque_alpha,
                    })
                }
            };
            self.resolved.targets.colors[index] = attachment;
        }
        self.resolved.targets.depth = match self.bindings.depth {
            None => None,
            Some((handle, sub)) => {
                let (level, layer) = self.resource(handle, "depth surface")?.place(sub);
                let image = self.target_image(handle, "depth surface")?;
                Some(Attachment {
                    image,
                    level,
                    layer,
                    srgb: false,
                    opaque_alpha: false,
                })
            }
        };
        self.resolved.autogen_target = autogen;
        self.resolved.dirty &= !group::TARGETS;
        Ok(())
    }

    /// The image of a target, with what a lock wrote.
    fn target_image(&mut self, handle: RawHandle, argument: &str) -> Outcome<Image> {
        if self.resource(handle, argument)?.dirty {
            return self.ready_image(handle, argument);
        }
        let resource = self.resource_mut(handle, argument)?;
        if let Some(image) = &resource.image {
            return Ok(image.clone());
        }
        self.ready_image(handle, argument)
    }

    /// Notes that the colour targets were drawn into.
    pub(crate) fn targets_written(&mut self) {
        if !self.resolved.autogen_target {
            return;
        }
        for (handle, _) in self.bindings.colors.into_iter().flatten() {
            if let Some(resource) = self.resources.get_mut(handle)
                && resource.autogen()
            {
                resource.mips_stale = true;
                self.resolved.uploads_pending = true;
            }
        }
    }

    /// Resolves blend, depth-stencil and rasteriser state.
    pub(crate) fn resolve_output(&mut self) -> Outcome<()> {
        if self.resolved.dirty & group::BLEND != 0 {
            self.resolved.blend = self.renderer.blend(&blend_key(&self.state))?;
        }
        if self.resolved.dirty & group::DEPTH != 0 {
            let info = match self.bindings.depth {
                Some((handle, _)) => Some(self.resource(handle, "depth surface")?.info),
                None => None,
            };
            let key = depth_key(
                &self.state,
                info.is_some(),
                info.is_some_and(|i| i.stencil()),
            );
            self.resolved.depth_stencil = self.renderer.depth_stencil(&key)?;
        }
        if self.resolved.dirty & (group::RASTER | group::DEPTH | group::VERTEX) != 0 {
            let program = self.state.vertex_shader.is_some() && !self.pretransformed();
            self.resolved.wraps = wraps(&self.state, program);
            // Pretransformed vertices may have any depth where none is tested.
            let untested =
                self.bindings.depth.is_none() || self.state.rs(D3DRS_ZENABLE) == D3DZB_FALSE;
            let unclipped = untested && self.pretransformed();
            let mut key = raster_key(&self.state, unclipped);
            key.wraps = self.resolved.wraps;
            self.resolved.raster = self.renderer.raster(&key)?;
        }
        self.resolved.dirty &= !(group::BLEND | group::DEPTH | group::RASTER);
        Ok(())
    }

    /// Resolves textures and samplers, and brings bound textures up to date on the GPU.
    pub(crate) fn resolve_textures(&mut self) -> Outcome<()> {
        let pending = core::mem::take(&mut self.resolved.uploads_pending);
        let mut todo = self.resolved.dirty_textures & ((1 << STAGES) - 1);
        if pending {
            todo = (1 << STAGES) - 1;
        }
        let result = self.resolve_bindings(todo);
        if let Err(fault) = result {
            self.resolved.uploads_pending = pending;
            return Err(fault);
        }
        self.resolved.dirty_textures = 0;
        let mut todo = self.resolved.dirty_samplers & ((1 << STAGES) - 1);
        while todo != 0 {
            let slot = todo.trailing_zeros() as usize;
            todo &= todo - 1;
            let reads = self.resolved.reads[slot];
            let key = sampler_key(&self.state.samplers[slot], reads);
            self.resolved.samplers[slot] = self.renderer.sampler(&key)?;
            self.resolved.dirty_samplers &= !(1 << slot);
        }
        self.resolved.dirty_samplers = 0;
        Ok(())
    }

    fn resolve_bindings(&mut self, mut todo: u32) -> Outcome<()> {
        while todo != 0 {
            let slot = todo.trailing_zeros() as usize;
            todo &= todo - 1;
            let Some(texture) = self.state.textures[slot] else {
                self.unbind_slot(slot);
                self.resolved.set_reads(slot, Reads::default());
                continue;
            };
            let handle = texture.raw();
            let resource = self
                .resources
                .get_mut(handle)
                .ok_or_else(|| stale("texture"))?;
            if resource.drawn_from_memory(self.renderer.caps()) {
                self.show_from_memory(handle)?;
            } else if !resource.on_gpu() {
                self.unbind_slot(slot);
                self.resolved.set_reads(slot, Reads::default());
                continue;
            }
            let resource = self
                .resources
                .get_mut(handle)
                .ok_or_else(|| stale("texture"))?;
            resource.upload(&mut self.renderer, &mut self.texels)?;
            let srgb = resource.info.srgb()
                && self.state.samplers[slot][D3DSAMP_SRGBTEXTURE as usize] & 1 != 0;
            resource.image(&mut self.renderer)?;
            let Some(image) = &resource.image else {
                continue;
            };
            let reads = Reads {
                lod: resource.lod,
                texels: match resource.info.reads_raw_depth() {
                    true => Texels::Depth,
                    false => image.desc().format.texels(),
                },
            };
            self.resolved.set_reads(slot, reads);
            if let Some(bound) = &mut self.resolved.textures[slot]
                && bound.image == *image
            {
                bound.srgb = srgb;
                continue;
            }
            let image = match resource.spare.take() {
                Some(spare) if spare == *image => spare,
                _ => image.clone(),
            };
            self.unbind_slot(slot);
            self.resolved.textures[slot] = Some(TextureBinding { image, srgb });
            self.resolved.owners[slot] = Some(handle);
        }
        Ok(())
    }

    /// Readies a texture in system memory for a draw. The image that it needs is counted.
    fn show_from_memory(&mut self, handle: RawHandle) -> Outcome<()> {
        let resource = self.resource(handle, "texture")?;
        if resource.image.is_none() {
            let (used, wanted) = (self.memory_used(), resource.image_bytes());
            if used + wanted > self.memory_budget {
                return Err(Fault::new(
                    HResult::OUTOFVIDEOMEMORY,
                    format!("{wanted} bytes to draw with a texture go past the memory budget"),
                ));
            }
            self.resources.reweigh(handle, Resource::weigh_image);
        }
        let resource = self
            .resources
            .get_mut(handle)
            .ok_or_else(|| stale("texture"))?;
        resource.show(&mut self.renderer, &mut self.texels)
    }

    /// Empties a slot. Its handle to the image goes back to the texture for the next binding:
    /// counting references up and down for each would stall behind the writes of the draw before.
    fn unbind_slot(&mut self, slot: usize) {
        let bound = self.resolved.textures[slot].take();
        let owner = self.resolved.owners[slot].take();
        if let (Some(bound), Some(owner)) = (bound, owner)
            && let Some(resource) = self.resources.get_mut(owner)
            && resource.spare.is_none()
        {
            resource.spare = Some(bound.image);
        }
    }
}
