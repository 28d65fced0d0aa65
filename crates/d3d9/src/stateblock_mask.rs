//! What of the state a block holds, and what each kind of block begins with.

use crate::consts::*;
use crate::defaults::{IS_SAMPLER, IS_STAGE};
use crate::registers::RegisterMask;
use crate::state::{SLOTS, State};

/// A set of small numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Default for Bits<WORDS> {
    fn default() -> Self {
        Self([0; WORDS])
    }
}

impl<const WORDS: usize> Bits<WORDS> {
    pub(crate) fn set(&mut self, bit: u32) {
        self.0[bit as usize / 64] |= 1 << (bit % 64);
    }

    pub(crate) fn set_range(&mut self, range: core::ops::Range<u32>) {
        for bit in range {
            self.set(bit);
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + use<WORDS> {
        let words = self.0.into_iter().zip((0u32..).step_by(64));
        words
            .filter(|(word, _)| *word != 0)
            .flat_map(|(word, first)| {
                let bits = (0..64).filter(move |bit| word >> bit & 1 != 0);
                bits.map(move |bit| first + bit)
            })
    }
}

/// What of the state a block holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mask {
    pub(crate) render: Bits<4>,
    pub(crate) stages: [u64; 8],
    pub(crate) samplers: [u16; SLOTS],
    pub(crate) textures: u32,
    pub(crate) transforms: Bits<5>,
    pub(crate) material: bool,
    pub(crate) lights: Vec<u32>,
    pub(crate) clip_planes: u8,
    pub(crate) viewport: bool,
    pub(crate) scissor: bool,
    pub(crate) streams: u16,
    pub(crate) frequencies: u16,
    pub(crate) indices: bool,
    pub(crate) declaration: bool,
    pub(crate) vertex_shader: bool,
    pub(crate) pixel_shader: bool,
    pub(crate) vs: RegisterMask,
    pub(crate) ps: RegisterMask,
    pub(crate) npatch: bool,
}

const PIXEL_RENDER: &[u32] = &[
    D3DRS_ZENABLE,
    D3DRS_FILLMODE,
    D3DRS_SHADEMODE,
    D3DRS_ZWRITEENABLE,
    D3DRS_ALPHATESTENABLE,
    D3DRS_LASTPIXEL,
    D3DRS_SRCBLEND,
    D3DRS_DESTBLEND,
    D3DRS_ZFUNC,
    D3DRS_ALPHAREF,
    D3DRS_ALPHAFUNC,
    D3DRS_DITHERENABLE,
    D3DRS_FOGSTART,
    D3DRS_FOGEND,
    D3DRS_FOGDENSITY,
    D3DRS_ALPHABLENDENABLE,
    D3DRS_DEPTHBIAS,
    D3DRS_STENCILENABLE,
    D3DRS_STENCILFAIL,
    D3DRS_STENCILZFAIL,
    D3DRS_STENCILPASS,
    D3DRS_STENCILFUNC,
    D3DRS_STENCILREF,
    D3DRS_STENCILMASK,
    D3DRS_STENCILWRITEMASK,
    D3DRS_TEXTUREFACTOR,
    D3DRS_COLORWRITEENABLE,
    D3DRS_BLENDOP,
    D3DRS_SCISSORTESTENABLE,
    D3DRS_SLOPESCALEDEPTHBIAS,
    D3DRS_ANTIALIASEDLINEENABLE,
    D3DRS_TWOSIDEDSTENCILMODE,
    D3DRS_CCW_STENCILFAIL,
    D3DRS_CCW_STENCILZFAIL,
    D3DRS_CCW_STENCILPASS,
    D3DRS_COLORWRITEENABLE1,
    D3DRS_COLORWRITEENABLE2,
    D3DRS_COLORWRITEENABLE3,
    D3DRS_BLENDFACTOR,
    D3DRS_SRGBWRITEENABLE,
    D3DRS_SEPARATEALPHABLENDENABLE,
    D3DRS_SRCBLENDALPHA,
    D3DRS_DESTBLENDALPHA,
    D3DRS_BLENDOPALPHA,
];

const VERTEX_RENDER: &[u32] = &[
    D3DRS_CULLMODE,
    D3DRS_FOGENABLE,
    D3DRS_FOGCOLOR,
    D3DRS_FOGTABLEMODE,
    D3DRS_FOGSTART,
    D3DRS_FOGEND,
    D3DRS_FOGDENSITY,
    D3DRS_RANGEFOGENABLE,
    D3DRS_AMBIENT,
    D3DRS_COLORVERTEX,
    D3DRS_FOGVERTEXMODE,
    D3DRS_CLIPPING,
    D3DRS_LIGHTING,
    D3DRS_LOCALVIEWER,
    D3DRS_EMISSIVEMATERIALSOURCE,
    D3DRS_AMBIENTMATERIALSOURCE,
    D3DRS_DIFFUSEMATERIALSOURCE,
    D3DRS_SPECULARMATERIALSOURCE,
    D3DRS_VERTEXBLEND,
    D3DRS_CLIPPLANEENABLE,
    D3DRS_POINTSIZE,
    D3DRS_POINTSIZE_MIN,
    D3DRS_POINTSPRITEENABLE,
    D3DRS_POINTSCALEENABLE,
    D3DRS_POINTSCALE_A,
    D3DRS_POINTSCALE_B,
    D3DRS_POINTSCALE_C,
    D3DRS_MULTISAMPLEANTIALIAS,
    D3DRS_MULTISAMPLEMASK,
    D3DRS_PATCHEDGESTYLE,
    D3DRS_POINTSIZE_MAX,
    D3DRS_INDEXEDVERTEXBLENDENABLE,
    D3DRS_TWEENFACTOR,
    D3DRS_POSITIONDEGREE,
    D3DRS_NORMALDEGREE,
    D3DRS_MINTESSELLATIONLEVEL,
    D3DRS_MAXTESSELLATIONLEVEL,
    D3DRS_ADAPTIVETESS_X,
    D3DRS_ADAPTIVETESS_Y,
    D3DRS_ADAPTIVETESS_Z,
    D3DRS_ADAPTIVETESS_W,
    D3DRS_ENABLEADAPTIVETESSELLATION,
    D3DRS_NORMALIZENORMALS,
    D3DRS_SPECULARENABLE,
    D3DRS_SHADEMODE,
];

fn listed(table: &[bool]) -> u64 {
    table
        .iter()
        .enumerate()
        .filter(|(_, on)| **on)
        .fold(0, |mask, (bit, _)| mask | 1 << bit)
}

impl Mask {
    /// The mask of a `D3DSBT_*` block, for the lights that `state` has.
    pub(crate) fn of(kind: u32, state: &State) -> Self {
        let mut mask = Self::default();
        let (vertex, pixel, all) = (
            kind != D3DSBT_PIXELSTATE,
            kind != D3DSBT_VERTEXSTATE,
            kind == D3DSBT_ALL,
        );
        if pixel {
            PIXEL_RENDER.iter().for_each(|s| mask.render.set(*s));
            (128..136)
                .chain(198..206)
                .for_each(|wrap| mask.render.set(wrap));
            // Stage constants are in neither of the two lists of the documentation.
            mask.stages = [listed(&IS_STAGE) & !(1 << D3DTSS_CONSTANT); 8];
            mask.samplers = [listed(&IS_SAMPLER) as u16 & !(1 << D3DSAMP_DMAPOFFSET); SLOTS];
            mask.pixel_shader = true;
            mask.ps.all(state.ps.counts());
        }
        if vertex {
            VERTEX_RENDER.iter().for_each(|s| mask.render.set(*s));
            for stage in &mut mask.stages {
                *stage |= 1 << D3DTSS_TEXCOORDINDEX | 1 << D3DTSS_TEXTURETRANSFORMFLAGS;
            }
            for sampler in &mut mask.samplers {
                *sampler |= 1 << D3DSAMP_DMAPOFFSET;
            }
            mask.lights = state.lights.iter().map(|(index, ..)| index).collect();
            mask.declaration = true;
            mask.vertex_shader = true;
            mask.vs.all(state.vs.counts());
            mask.npatch = true;
        }
        if all {
            mask.render.set_range(D3DRS_ZENABLE..D3DRS_BLENDOPALPHA + 1);
            mask.stages = [listed(&IS_STAGE); 8];
            mask.textures = (1 << SLOTS) - 1;
            mask.transforms
                .set_range(0..state.transforms.0.len() as u32);
            mask.material = true;
            mask.clip_planes = 63;
            mask.viewport = true;
            mask.scissor = true;
            mask.streams = u16::MAX;
            mask.frequencies = u16::MAX;
            mask.indices = true;
        }
        mask
    }
}
