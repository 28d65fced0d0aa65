//! States and barriers.
//!
//! Between uses every subresource is in its texture's rest state (see
//! [`crate::texture::TextureInner::rest`]) and every buffer in its reading state,
//! at the beginning and at the end of each command buffer. What is out of it is
//! listed here: attachments of the last pass and both ends of copies, a handful
//! at most, so that nothing has to be looked up for resources at rest.

use std::ops::Range;

use wgpu_hal as hal;
use wgpu_types as wgt;

use crate::buffer::{Buffer, BufferInner};
use crate::texture::Texture;

/// A part of a texture that is not at rest.
struct Out {
    texture: Texture,
    mips: Range<u32>,
    layers: Range<u32>,
    state: wgt::TextureUses,
}

/// A set of subresources.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) mips: Range<u32>,
    pub(super) layers: Range<u32>,
}

impl Part {
    pub(super) fn one(mip: u32, layer: u32) -> Self {
        Self {
            mips: mip..mip + 1,
            layers: layer..layer + 1,
        }
    }

    pub(super) fn overlaps(&self, mips: &Range<u32>, layers: &Range<u32>) -> bool {
        let cross = |a: &Range<u32>, b: &Range<u32>| a.start < b.end && b.start < a.end;
        cross(&self.mips, mips) && cross(&self.layers, layers)
    }
}

#[derive(Default)]
pub(super) struct States {
    textures: Vec<Out>,
    /// Buffers that copies write to.
    buffers: Vec<Buffer>,
}

impl States {
    /// Brings `part` of `texture` into `state`. Also orders the use after
    /// earlier ones of the same state, unless both only read.
    pub(super) fn acquire(
        &mut self,
        encoder: &mut dyn hal::DynCommandEncoder,
        texture: &Texture,
        part: &Part,
        state: wgt::TextureUses,
    ) {
        let mut from = texture.0.rest();
        let mut listed = false;
        let mut at = 0;
        while let Some(out) = self.textures.get_mut(at) {
            if !out.texture.same(texture) || !part.overlaps(&out.mips, &out.layers) {
                at += 1;
            } else if out.mips == part.mips && out.layers == part.layers {
                from = std::mem::replace(&mut out.state, state);
                listed = true;
                at += 1;
            } else {
                let out = self.textures.swap_remove(at);
                barrier(encoder, &[texture_barrier(&out, texture.0.rest())]);
            }
        }
        if from == state && wgt::TextureUses::INCLUSIVE.contains(state) {
            return;
        }
        let out = Out {
            texture: texture.clone(),
            mips: part.mips.clone(),
            layers: part.layers.clone(),
            state: from,
        };
        barrier(encoder, &[texture_barrier(&out, state)]);
        if !listed {
            self.textures.push(Out { state, ..out });
        }
    }

    /// Notes that all of `texture` is in `state` already, by a barrier of the caller.
    pub(super) fn note_whole(&mut self, texture: &Texture, state: wgt::TextureUses) {
        self.textures.push(Out {
            texture: texture.clone(),
            mips: 0..texture.0.mips,
            layers: 0..texture.0.layers,
            state,
        });
    }

    /// Makes `buffer` ready to be written by a copy, after earlier uses.
    pub(super) fn write_buffer(
        &mut self,
        encoder: &mut dyn hal::DynCommandEncoder,
        buffer: &Buffer,
    ) {
        let written = self.buffers.iter().any(|have| have.same(buffer));
        let rest = buffer_rest(&buffer.0);
        let from = if written {
            wgt::BufferUses::COPY_DST
        } else {
            rest
        };
        buffer_barriers(
            encoder,
            &[buffer_barrier(buffer, from, wgt::BufferUses::COPY_DST)],
        );
        if !written {
            self.buffers.push(buffer.clone());
        }
    }

    /// Makes `buffer` ready to be read, after copies into it.
    pub(super) fn read_buffer(
        &mut self,
        encoder: &mut dyn hal::DynCommandEncoder,
        buffer: &Buffer,
    ) {
        if let Some(at) = self.buffers.iter().position(|have| have.same(buffer)) {
            let buffer = self.buffers.swap_remove(at);
            let to = buffer_rest(&buffer.0);
            buffer_barriers(
                encoder,
                &[buffer_barrier(&buffer, wgt::BufferUses::COPY_DST, to)],
            );
        }
    }

    /// Brings everything back to rest except the parts that `stays` wants, with
    /// one barrier call for textures and one for buffers.
    pub(super) fn rest(
        &mut self,
        encoder: &mut dyn hal::DynCommandEncoder,
        stays: impl Fn(&Texture, &Part) -> bool,
    ) {
        if !self.textures.is_empty() {
            let stay = |out: &Out| {
                let part = Part {
                    mips: out.mips.clone(),
                    layers: out.layers.clone(),
                };
                stays(&out.texture, &part)
            };
            let barriers: Vec<_> = self
                .textures
                .iter()
                .filter(|out| !stay(out) && out.state != out.texture.0.rest())
                .map(|out| texture_barrier(out, out.texture.0.rest()))
                .collect();
            barrier(encoder, &barriers);
            drop(barriers);
            self.textures.retain(stay);
        }
        if !self.buffers.is_empty() {
            let barriers: Vec<_> = self
                .buffers
                .iter()
                .map(|b| buffer_barrier(b, wgt::BufferUses::COPY_DST, buffer_rest(&b.0)))
                .collect();
            buffer_barriers(encoder, &barriers);
            drop(barriers);
            self.buffers.clear();
        }
    }
}

fn buffer_rest(buffer: &BufferInner) -> wgt::BufferUses {
    let rest = buffer.rest();
    if rest.is_empty() {
        wgt::BufferUses::COPY_DST
    } else {
        rest
    }
}

fn buffer_barrier(
    buffer: &Buffer,
    from: wgt::BufferUses,
    to: wgt::BufferUses,
) -> hal::BufferBarrier<'_, dyn hal::DynBuffer> {
    hal::BufferBarrier {
        buffer: buffer.0.raw.get(),
        usage: hal::StateTransition { from, to },
    }
}

fn buffer_barriers(
    encoder: &mut dyn hal::DynCommandEncoder,
    barriers: &[hal::BufferBarrier<'_, dyn hal::DynBuffer>],
) {
    // SAFETY: the encoder records outside a pass and the caller keeps the buffers.
    unsafe { encoder.transition_buffers(barriers) };
}

fn texture_barrier(
    out: &Out,
    to: wgt::TextureUses,
) -> hal::TextureBarrier<'_, dyn hal::DynTexture> {
    hal::TextureBarrier {
        texture: out.texture.0.raw.get(),
        range: wgt::ImageSubresourceRange {
            aspect: wgt::TextureAspect::All,
            base_mip_level: out.mips.start,
            mip_level_count: Some(out.mips.len() as u32),
            base_array_layer: out.layers.start,
            array_layer_count: Some(out.layers.len() as u32),
        },
        usage: hal::StateTransition {
            from: out.state,
            to,
        },
    }
}

fn barrier(
    encoder: &mut dyn hal::DynCommandEncoder,
    barriers: &[hal::TextureBarrier<'_, dyn hal::DynTexture>],
) {
    // SAFETY: the encoder records outside a pass, the ranges are inside their
    // textures, the `from` states are those that this module tracks, and the
    // caller keeps the textures.
    unsafe { encoder.transition_textures(barriers) };
}

/// Brings a texture that was never used here from the state it was made in into `to`, all of it.
pub(super) fn first_state(
    encoder: &mut dyn hal::DynCommandEncoder,
    texture: &Texture,
    to: wgt::TextureUses,
) {
    let out = Out {
        texture: texture.clone(),
        mips: 0..texture.0.mips,
        layers: 0..texture.0.layers,
        state: texture.0.origin,
    };
    barrier(encoder, &[texture_barrier(&out, to)]);
}

impl super::Commands {
    /// Brings everything of the main command buffer back to rest.
    pub(super) fn rest_everything(&mut self) {
        let Some(main) = &mut self.main else { return };
        self.states.rest(&mut **main, |_, _| false);
    }
}
