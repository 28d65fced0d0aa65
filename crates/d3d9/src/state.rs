//! The state a draw reads: render, texture-stage and sampler states, textures.

use crate::consts::*;
use crate::defaults::{self, IS_SAMPLER, IS_STAGE, RENDER_STATES, SAMPLER_STATES, STAGE_STATES};
use crate::device::{Device, stale};
use crate::fault::invalid;
use crate::handle::{BaseTexture, RawHandle};
use crate::hresult::Result;
use crate::registers::{ConstantCounts, Registers};
use crate::resolve::{render_groups, stage_groups};
use crate::stream::Stream;
use crate::transform::{Lights, Transforms};
use crate::types::{ColorValue, Material, Rect, Viewport};

/// Sampler slots: 0 to 15 the pixel stages, 16 to 19 the vertex samplers, 20 the displacement map.
pub(crate) const SLOTS: usize = 21;

/// Everything that state blocks can capture.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) render: [u32; RENDER_STATES],
    pub(crate) stages: [[u32; STAGE_STATES]; 8],
    pub(crate) samplers: [[u32; SAMPLER_STATES]; SLOTS],
    pub(crate) textures: [Option<BaseTexture>; SLOTS],
    pub(crate) transforms: Transforms,
    pub(crate) material: Material,
    pub(crate) lights: Lights,
    pub(crate) clip_planes: [[f32; 4]; 6],
    pub(crate) viewport: Viewport,
    pub(crate) scissor: Rect,
    pub(crate) streams: [Stream; 16],
    pub(crate) indices: Option<RawHandle>,
    pub(crate) declaration: Option<RawHandle>,
    pub(crate) fvf: u32,
    pub(crate) vertex_shader: Option<RawHandle>,
    pub(crate) pixel_shader: Option<RawHandle>,
    pub(crate) vs: Registers,
    pub(crate) ps: Registers,
    pub(crate) npatch: f32,
    /// AMD's switch of [`driver_codes`](crate::driver_codes); no state block holds it.
    pub(crate) alpha_to_coverage: bool,
}

impl State {
    /// The documented defaults.
    pub(crate) fn new(auto_depth: bool, vertex_constants: ConstantCounts) -> Self {
        Self {
            render: defaults::render(auto_depth),
            stages: defaults::stages(),
            samplers: [defaults::sampler(); SLOTS],
            textures: [None; SLOTS],
            transforms: Transforms::default(),
            material: Material::default(),
            lights: Lights::default(),
            clip_planes: [[0.0; 4]; 6],
            viewport: Viewport::default(),
            scissor: Rect::default(),
            streams: [Stream::default(); 16],
            indices: None,
            declaration: None,
            fvf: 0,
            vertex_shader: None,
            pixel_shader: None,
            vs: Registers::new(vertex_constants),
            ps: Registers::new(ConstantCounts::PIXEL),
            npatch: 0.0,
            alpha_to_coverage: false,
        }
    }

    pub(crate) fn rs(&self, state: u32) -> u32 {
        self.render[state as usize]
    }

    pub(crate) fn rs_float(&self, state: u32) -> f32 {
        f32::from_bits(self.render[state as usize])
    }
}

/// A `D3DCOLOR` (0xAARRGGBB) as red, green, blue, alpha in 0 to 1.
pub(crate) fn color_value(color: u32) -> ColorValue {
    let channel = |shift: u32| (color >> shift & 0xFF) as f32 / 255.0;
    [channel(16), channel(8), channel(0), channel(24)]
}

/// The slot of a sampler number of the API: 0 to 15, 256 to 260.
pub(crate) fn slot_of(sampler: u32) -> Option<usize> {
    match sampler {
        0..=15 => Some(sampler as usize),
        D3DVERTEXTEXTURESAMPLER0..=D3DVERTEXTEXTURESAMPLER3 => {
            Some((sampler - D3DVERTEXTEXTURESAMPLER0) as usize + 16)
        }
        D3DDMAPSAMPLER => Some(20),
        _ => None,
    }
}

/// The place of a render state. Numbers without a name between the first and the last are kept too.
fn render_place(state: u32) -> Option<usize> {
    (D3DRS_ZENABLE..=D3DRS_BLENDOPALPHA)
        .contains(&state)
        .then_some(state as usize)
}

/// The place of a texture stage's state.
fn stage_place(stage: u32, state: u32) -> Option<(usize, usize)> {
    let known = IS_STAGE.get(state as usize).copied().unwrap_or(false);
    (stage < 8 && known).then_some((stage as usize, state as usize))
}

/// The place of a sampler's state.
fn sampler_place(sampler: u32, state: u32) -> Option<(usize, usize)> {
    let known = IS_SAMPLER.get(state as usize).copied().unwrap_or(false);
    slot_of(sampler)
        .filter(|_| known)
        .map(|slot| (slot, state as usize))
}

impl Device {
    /// `SetRenderState`. Neither values nor numbers are judged, as in D3D9's release runtime: a
    /// number that is not a `D3DRENDERSTATETYPE` changes nothing that is drawn.
    pub fn set_render_state(&mut self, state: u32, value: u32) -> Result<()> {
        self.recorded(
            |r, x| r.set_render_state(x, state, value),
            |d| {
                let Some(place) = render_place(state) else {
                    return Ok(());
                };
                match &mut d.recording {
                    Some(block) => {
                        block.mask.render.set(state);
                        block.values.render[place] = value;
                    }
                    None => {
                        let slot = &mut d.state.render[place];
                        if *slot != value {
                            *slot = value;
                            d.resolved.touch(render_groups(state));
                        }
                        if state == D3DRS_POINTSIZE {
                            d.point_size_code(value)?;
                        }
                    }
                }
                Ok(())
            },
        )
    }

    /// `GetRenderState`: 0 for a number past the last render state.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for 1 to 6 and numbers past 255.
    pub fn get_render_state(&mut self, state: u32) -> Result<u32> {
        self.call(|d| match render_place(state) {
            Some(place) => Ok(d.state.render[place]),
            None if state == 0 || (D3DRS_ZENABLE..=255).contains(&state) => Ok(0),
            None => invalid!("state: {state} is not a D3DRENDERSTATETYPE"),
        })
    }

    /// `SetTextureStageState`: stages 0 to 7. Another stage, and a number that is not a
    /// `D3DTEXTURESTAGESTATETYPE`, are ignored.
    pub fn set_texture_stage_state(&mut self, stage: u32, state: u32, value: u32) -> Result<()> {
        self.recorded(
            |r, x| r.set_texture_stage_state(x, stage, state, value),
            |d| {
                let Some((stage, place)) = stage_place(stage, state) else {
                    return Ok(());
                };
                match &mut d.recording {
                    Some(block) => {
                        block.mask.stages[stage] |= 1 << state;
                        block.values.stages[stage][place] = value;
                    }
                    None => {
                        let slot = &mut d.state.stages[stage][place];
                        if *slot != value {
                            *slot = value;
                            d.resolved.touch(stage_groups(state));
                        }
                    }
                }
                Ok(())
            },
        )
    }

    /// `GetTextureStageState`: 0 for a stage or number that [`set_texture_stage_state`] ignores.
    ///
    /// [`set_texture_stage_state`]: Self::set_texture_stage_state
    pub fn get_texture_stage_state(&mut self, stage: u32, state: u32) -> Result<u32> {
        let place = stage_place(stage, state);
        Ok(place.map_or(0, |(stage, place)| self.state.stages[stage][place]))
    }

    /// `SetSamplerState`: samplers 0 to 15, `D3DDMAPSAMPLER`, `D3DVERTEXTEXTURESAMPLER0` to `3`.
    /// Another sampler, and a number that is not a `D3DSAMPLERSTATETYPE`, are ignored.
    pub fn set_sampler_state(&mut self, sampler: u32, state: u32, value: u32) -> Result<()> {
        self.recorded(
            |r, x| r.set_sampler_state(x, sampler, state, value),
            |d| {
                let Some((slot, place)) = sampler_place(sampler, state) else {
                    return Ok(());
                };
                match &mut d.recording {
                    Some(block) => {
                        block.mask.samplers[slot] |= 1 << state;
                        block.values.samplers[slot][place] = value;
                    }
                    None => {
                        let current = &mut d.state.samplers[slot][place];
                        if *current != value {
                            *current = value;
                            d.resolved.touch_sampler(slot, state);
                        }
                    }
                }
                Ok(())
            },
        )
    }

    /// `GetSamplerState`: 0 for a sampler or number that [`set_sampler_state`] ignores.
    ///
    /// [`set_sampler_state`]: Self::set_sampler_state
    pub fn get_sampler_state(&mut self, sampler: u32, state: u32) -> Result<u32> {
        let place = sampler_place(sampler, state);
        Ok(place.map_or(0, |(slot, place)| self.state.samplers[slot][place]))
    }

    /// `SetTexture`: the device holds a reference while bound. A sampler that there is not is
    /// ignored. Of textures in `D3DPOOL_SCRATCH` draws sample those whose format the GPU has.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for a texture that is gone.
    pub fn set_texture(&mut self, sampler: u32, texture: Option<BaseTexture>) -> Result<()> {
        self.recorded(
            |r, x| r.set_texture(x, sampler, texture),
            |d| {
                let Some(slot) = slot_of(sampler) else {
                    return Ok(());
                };
                if let Some(texture) = texture {
                    d.resources
                        .get(texture.raw())
                        .ok_or_else(|| stale("texture"))?;
                }
                let place = match &mut d.recording {
                    Some(block) => {
                        block.mask.textures |= 1 << slot;
                        &mut block.values.textures[slot]
                    }
                    None => &mut d.state.textures[slot],
                };
                if *place == texture {
                    return Ok(());
                }
                let old = core::mem::replace(place, texture);
                if d.recording.is_none() {
                    d.resolved
                        .touch_texture(slot, kind_of(old) != kind_of(texture));
                }
                if let Some(new) = texture {
                    d.resources.hold(new.raw());
                }
                if let Some(old) = old {
                    d.resources.unhold(old.raw());
                }
                Ok(())
            },
        )
    }

    /// `GetTexture`: adds a reference. `None` for a sampler that there is not.
    pub fn get_texture(&mut self, sampler: u32) -> Result<Option<BaseTexture>> {
        self.recorded(
            |r, x| r.get_texture(x, sampler),
            |d| {
                let texture = slot_of(sampler).and_then(|slot| d.state.textures[slot]);
                if let Some(texture) = texture {
                    d.resources.add_ref(texture.raw());
                }
                Ok(texture)
            },
        )
    }

    /// `SetNPatchMode`: kept; nothing is tessellated.
    pub fn set_npatch_mode(&mut self, segments: f32) -> Result<()> {
        self.recorded(
            |r, x| r.set_npatch_mode(x, segments),
            |d| {
                match &mut d.recording {
                    Some(block) => {
                        block.mask.npatch = true;
                        block.values.npatch = segments;
                    }
                    None => d.state.npatch = segments,
                }
                Ok(())
            },
        )
    }

    /// `GetNPatchMode`.
    pub fn get_npatch_mode(&self) -> f32 {
        self.state.npatch
    }
}

/// 0 for none, else a number for each kind of texture.
pub(crate) fn kind_of(texture: Option<BaseTexture>) -> u8 {
    match texture {
        None => 0,
        Some(BaseTexture::Texture(_)) => 1,
        Some(BaseTexture::Cube(_)) => 2,
        Some(BaseTexture::Volume(_)) => 3,
    }
}
