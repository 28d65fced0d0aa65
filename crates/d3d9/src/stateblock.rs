//! State blocks.

use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::{Outcome, invalid};
use crate::handle::{RawHandle, StateBlockHandle, Weigh};
use crate::hresult::Result;
use crate::registers::ConstantCounts;
use crate::state::{SLOTS, State};
use crate::stateblock_mask::Mask;
use crate::types::Light;

/// What a block counts against the memory budget: transforms and constants are most of it.
const STATE_BLOCK_BYTES: u64 = 48 << 10;

/// A mask with the values under it.
#[derive(Clone, Debug)]
pub(crate) struct StateBlock {
    pub(crate) mask: Mask,
    pub(crate) values: State,
}

impl Weigh for Box<StateBlock> {
    fn bytes(&self) -> u64 {
        let constants = self.values.vs.counts();
        STATE_BLOCK_BYTES + 16 * u64::from(constants.floats + constants.ints)
    }
}

impl StateBlock {
    fn new(mask: Mask, vertex_constants: ConstantCounts) -> Self {
        Self {
            mask,
            values: State::new(false, vertex_constants),
        }
    }

    /// Records a declaration; the one it displaces, whose reference the caller gives back.
    pub(crate) fn record_declaration(
        &mut self,
        declaration: Option<RawHandle>,
        fvf: u32,
    ) -> Option<RawHandle> {
        self.mask.declaration = true;
        self.values.fvf = fvf;
        core::mem::replace(&mut self.values.declaration, declaration)
    }

    pub(crate) fn record_light(&mut self, index: u32, light: &Light) {
        self.mask_light(index);
        self.values.lights.set(index, light);
    }

    pub(crate) fn record_light_enable(&mut self, index: u32, on: bool) {
        self.mask_light(index);
        self.values.lights.enable(index, on);
    }

    /// A light and whether it is on are one item: a block that records one of them holds the other as
    /// a new device has it.
    fn mask_light(&mut self, index: u32) {
        if !self.mask.lights.contains(&index) {
            self.mask.lights.push(index);
        }
    }

    /// Copies everything under the mask from `state`.
    fn take(&mut self, state: &State) {
        let Self { mask, values } = self;
        for s in mask.render.iter() {
            values.render[s as usize] = state.render[s as usize];
        }
        for (n, bits) in mask.stages.iter().enumerate() {
            copy_bits(*bits, &state.stages[n], &mut values.stages[n]);
        }
        for (n, bits) in mask.samplers.iter().enumerate() {
            copy_bits((*bits).into(), &state.samplers[n], &mut values.samplers[n]);
        }
        copy_bits(mask.textures.into(), &state.textures, &mut values.textures);
        for t in mask.transforms.iter() {
            values.transforms.0[t as usize] = state.transforms.0[t as usize];
        }
        if mask.material {
            values.material = state.material;
        }
        for index in &mask.lights {
            let light = state.lights.get(*index).copied().unwrap_or_default();
            values.lights.set(*index, &light);
            let on = state.lights.enabled(*index).unwrap_or(false);
            values.lights.enable(*index, on);
        }
        copy_bits(
            mask.clip_planes.into(),
            &state.clip_planes,
            &mut values.clip_planes,
        );
        if mask.viewport {
            values.viewport = state.viewport;
        }
        if mask.scissor {
            values.scissor = state.scissor;
        }
        for n in 0..16 {
            let frequency = values.streams[n].frequency;
            if mask.streams >> n & 1 != 0 {
                values.streams[n] = state.streams[n];
                values.streams[n].frequency = frequency;
            }
            if mask.frequencies >> n & 1 != 0 {
                values.streams[n].frequency = state.streams[n].frequency;
            }
        }
        if mask.indices {
            values.indices = state.indices;
        }
        if mask.declaration {
            values.declaration = state.declaration;
            values.fvf = state.fvf;
        }
        if mask.vertex_shader {
            values.vertex_shader = state.vertex_shader;
        }
        if mask.pixel_shader {
            values.pixel_shader = state.pixel_shader;
        }
        values.vs.copy_masked(&mask.vs, &state.vs);
        values.ps.copy_masked(&mask.ps, &state.ps);
        if mask.npatch {
            values.npatch = state.npatch;
        }
    }
}

fn copy_bits<T: Copy>(bits: u64, from: &[T], to: &mut [T]) {
    for (n, (from, to)) in from.iter().zip(to).enumerate() {
        if bits >> n & 1 != 0 {
            *to = *from;
        }
    }
}

impl Device {
    /// `CreateStateBlock`: `D3DSBT_*`, holding the current values.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for another kind and while a block is recorded.
    pub fn create_state_block(&mut self, kind: u32) -> Result<StateBlockHandle> {
        self.recorded(
            |r, x| r.create_state_block(x, kind),
            |d| {
                if !(D3DSBT_ALL..=D3DSBT_VERTEXSTATE).contains(&kind) {
                    invalid!("kind: {kind} is not a D3DSTATEBLOCKTYPE");
                }
                d.not_recording()?;
                let mut block = Box::new(StateBlock::new(
                    Mask::of(kind, &d.state),
                    d.processing.constants(),
                ));
                d.check_budget(&block, false)?;
                block.take(&d.state);
                d.hold_values(&block.values);
                Ok(StateBlockHandle(d.state_blocks.insert(block, 1, 0)))
            },
        )
    }

    /// `BeginStateBlock`: setters go to the block until `end_state_block`.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` while a block is already recorded.
    pub fn begin_state_block(&mut self) -> Result<()> {
        self.recorded(
            |r, x| r.begin_state_block(x),
            |d| {
                d.not_recording()?;
                let block = Box::new(StateBlock::new(Mask::default(), d.processing.constants()));
                d.check_budget(&block, false)?;
                d.recording = Some(block);
                Ok(())
            },
        )
    }

    /// `EndStateBlock`.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` when no block is recorded.
    pub fn end_state_block(&mut self) -> Result<StateBlockHandle> {
        self.recorded(
            |r, x| r.end_state_block(x),
            |d| match d.recording.take() {
                Some(block) => Ok(StateBlockHandle(d.state_blocks.insert(block, 1, 0))),
                None => invalid!("no state block is being recorded"),
            },
        )
    }

    /// `IDirect3DStateBlock9::Capture`: takes the current values of everything in the block.
    pub fn state_block_capture(&mut self, block: StateBlockHandle) -> Result<()> {
        self.recorded(
            |r, x| r.state_block_capture(x, block),
            |d| {
                d.not_recording()?;
                let mut taken = d.state_blocks.take(block.0).ok_or_else(|| stale("block"))?;
                d.unhold_values(&taken.values);
                taken.take(&d.state);
                d.hold_values(&taken.values);
                d.state_blocks.put(block.0, taken);
                Ok(())
            },
        )
    }

    /// `IDirect3DStateBlock9::Apply`: sets everything in the block.
    pub fn state_block_apply(&mut self, block: StateBlockHandle) -> Result<()> {
        self.recorded(
            |r, x| r.state_block_apply(x, block),
            |d| {
                d.not_recording()?;
                let taken = d.state_blocks.take(block.0).ok_or_else(|| stale("block"))?;
                d.apply(&taken);
                d.state_blocks.put(block.0, taken);
                Ok(())
            },
        )
    }

    fn not_recording(&self) -> Outcome<()> {
        if self.recording.is_some() {
            invalid!("a state block is being recorded");
        }
        Ok(())
    }

    /// Sets what a block holds. Everything in it was valid when it was recorded; an object that is
    /// refused now leaves what is bound.
    fn apply(&mut self, block: &StateBlock) {
        let StateBlock { mask, values } = block;
        for s in mask.render.iter() {
            let _ = self.set_render_state(s, values.render[s as usize]);
        }
        for (n, bits) in mask.stages.iter().enumerate() {
            for s in bits_of(*bits) {
                let _ = self.set_texture_stage_state(n as u32, s, values.stages[n][s as usize]);
            }
        }
        for n in 0..SLOTS {
            let sampler = sampler_number(n);
            for s in bits_of(mask.samplers[n].into()) {
                let _ = self.set_sampler_state(sampler, s, values.samplers[n][s as usize]);
            }
            if mask.textures >> n & 1 != 0 {
                let _ = self.set_texture(sampler, values.textures[n]);
            }
        }
        for t in mask.transforms.iter() {
            self.put_transform(t as usize, &values.transforms.0[t as usize]);
        }
        if mask.material {
            let _ = self.set_material(&values.material);
        }
        for index in &mask.lights {
            if let Some(light) = values.lights.get(*index) {
                let _ = self.set_light(*index, light);
            }
            let _ = self.light_enable(*index, values.lights.enabled(*index).unwrap_or(false));
        }
        for n in bits_of(mask.clip_planes.into()) {
            let _ = self.set_clip_plane(n, values.clip_planes[n as usize]);
        }
        if mask.viewport {
            let _ = self.set_viewport(&values.viewport);
        }
        if mask.scissor {
            let _ = self.set_scissor_rect(values.scissor);
        }
        for n in 0..16 {
            let s = &values.streams[n as usize];
            if mask.streams >> n & 1 != 0 {
                self.put_stream(n as usize, *s);
            }
            if mask.frequencies >> n & 1 != 0 {
                let _ = self.set_stream_source_freq(n, s.frequency);
            }
        }
        if mask.indices {
            let _ = self.set_indices(values.indices.map(crate::handle::IndexBufferHandle));
        }
        // A block that holds no declaration leaves the one that is set.
        if mask.declaration && values.declaration.is_some() {
            let _ = self.call(|d| d.bind_declaration(values.declaration, values.fvf));
        }
        if mask.vertex_shader {
            let _ =
                self.set_vertex_shader(values.vertex_shader.map(crate::handle::VertexShaderHandle));
        }
        if mask.pixel_shader {
            let _ =
                self.set_pixel_shader(values.pixel_shader.map(crate::handle::PixelShaderHandle));
        }
        self.apply_registers(block);
        if mask.npatch {
            self.state.npatch = values.npatch;
        }
    }

    /// Gives back the references of a block that died.
    pub(crate) fn drop_block(&mut self, block: &StateBlock) {
        self.unhold_values(&block.values);
    }

    fn hold_values(&mut self, values: &State) {
        values
            .textures
            .iter()
            .flatten()
            .for_each(|t| self.resources.hold(t.raw()));
        values
            .streams
            .iter()
            .filter_map(|s| s.buffer)
            .for_each(|h| self.vertex_buffers.hold(h));
        values
            .indices
            .into_iter()
            .for_each(|h| self.index_buffers.hold(h));
        values
            .declaration
            .into_iter()
            .for_each(|h| self.declarations.hold(h));
        values
            .vertex_shader
            .into_iter()
            .for_each(|h| self.vertex_shaders.hold(h));
        values
            .pixel_shader
            .into_iter()
            .for_each(|h| self.pixel_shaders.hold(h));
    }

    /// Gives back the references that a state holds.
    pub(crate) fn unhold_values(&mut self, values: &State) {
        values
            .textures
            .iter()
            .flatten()
            .for_each(|t| drop(self.resources.unhold(t.raw())));
        values
            .streams
            .iter()
            .filter_map(|s| s.buffer)
            .for_each(|h| drop(self.vertex_buffers.unhold(h)));
        values
            .indices
            .into_iter()
            .for_each(|h| drop(self.index_buffers.unhold(h)));
        values
            .declaration
            .into_iter()
            .for_each(|h| drop(self.declarations.unhold(h)));
        values
            .vertex_shader
            .into_iter()
            .for_each(|h| drop(self.vertex_shaders.unhold(h)));
        values
            .pixel_shader
            .into_iter()
            .for_each(|h| drop(self.pixel_shaders.unhold(h)));
    }
}

fn bits_of(bits: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |n| bits >> n & 1 != 0)
}

/// The API's number of a sampler slot.
fn sampler_number(slot: usize) -> u32 {
    match slot {
        0..=15 => slot as u32,
        16..=19 => D3DVERTEXTEXTURESAMPLER0 + slot as u32 - 16,
        _ => D3DDMAPSAMPLER,
    }
}
