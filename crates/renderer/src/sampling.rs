//! Normalises sampler keys and packs them into their 64-bit ids, and divides the work between the
//! GPU's samplers and the shaders.

use ninefold_shader::{SamplerRules, texels};

use crate::draw::STAGES;
use crate::error::Result;
use crate::keys::{SamplerId, SamplerKey, Texels};
use crate::pack::{Packer, Unpacker, in_range};

const CLAMP: u8 = 3;
const BORDER: u8 = 4;
const MIRROR_ONCE: u8 = 5;
const ANISOTROPIC: u8 = 3;

/// Steps of the level-of-detail bias in a [`SamplerId`] per level.
const BIAS_STEPS: f32 = 16.0;
const BIAS_BITS: u32 = 9;

/// Sampler state after normalisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SamplerState {
    pub(crate) address: [u8; 3],
    pub(crate) min_linear: bool,
    pub(crate) mag_linear: bool,
    pub(crate) mip: u8,
    pub(crate) anisotropy: u8,
    pub(crate) max_mip_level: u8,
    pub(crate) texels: Texels,
    /// In steps of 1/16 level, -255 to 255.
    pub(crate) lod_bias: i16,
    pub(crate) border_color: u32,
}

impl SamplerState {
    fn uses_border(&self) -> bool {
        self.address.contains(&BORDER)
    }

    fn pack(&self) -> SamplerId {
        let mut p = Packer::new();
        for value in self.address {
            p.put(value.into(), 3);
        }
        let (texels, bias) = match self.texels {
            Texels::Depth => (Texels::Red, DEPTH_BIAS),
            texels => (texels, self.lod_bias),
        };
        p.put((texels as u8).into(), 2);
        p.put(bias as u64 & ((1 << BIAS_BITS) - 1), BIAS_BITS);
        p.put(self.min_linear.into(), 1);
        p.put(self.mag_linear.into(), 1);
        p.put(self.mip.into(), 2);
        p.put((self.anisotropy - 1).into(), 4);
        p.put(self.max_mip_level.into(), 4);
        p.put(self.border_color.into(), 32);
        SamplerId(p.word)
    }
}

/// Stands for [`Texels::Depth`], with [`Texels::Red`] beside it: there is no such bias, and none is
/// needed, because such textures are read at one level of detail.
const DEPTH_BIAS: i16 = -256;

/// Bits of a [`SamplerId`] that are 0 when the shader has nothing to add: the high bits of the
/// address modes (`BORDER` and `MIRRORONCE`), the texel rule and the bias.
const SHADER_BITS: u64 = 0b100_100_100 | ((1 << (2 + BIAS_BITS)) - 1) << 9;

/// Border colours beside the GPU's own that shaders are made for.
const BORDERS: usize = 64;

/// `color`, or when `known` is full and has it not, the nearest that shaders are made for.
fn border_color(color: u32, known: &mut Vec<u32>) -> u32 {
    if native_border(color) || known.contains(&color) {
        return color;
    }
    if known.len() < BORDERS {
        known.push(color);
        return color;
    }
    let distance = |other: u32| -> u32 {
        let parts = color.to_be_bytes().into_iter().zip(other.to_be_bytes());
        parts.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let native = [0, 0xFF00_0000, u32::MAX];
    let all = known.iter().copied().chain(native);
    all.min_by_key(|&other| distance(other)).unwrap_or(color)
}

pub(crate) fn sampler(
    key: &SamplerKey,
    quality_aniso: bool,
    borders: &mut Vec<u32>,
) -> Result<SamplerId> {
    let mut address = [key.address_u, key.address_v, key.address_w];
    for (value, what) in address.iter_mut().zip(["U", "V", "W"]) {
        if *value == 0 {
            *value = 1;
        }
        in_range(*value, 1..=5, ["D3DSAMP_ADDRESS", what])?;
    }
    // Pyramidal and gaussian quad filters are as good as linear here, as they are for drivers
    // that lack them.
    in_range(key.min_filter, 0..=8, ["D3DSAMP_MINFILTER", ""])?;
    in_range(key.mag_filter, 0..=8, ["D3DSAMP_MAGFILTER", ""])?;
    in_range(key.mip_filter, 0..=8, ["D3DSAMP_MIPFILTER", ""])?;
    let mut min_linear = key.min_filter >= 2;
    let mag_linear = key.mag_filter >= 2;
    let mut mip = key.mip_filter.min(2);
    let mut anisotropy = 1;
    if key.min_filter == ANISOTROPIC || key.mag_filter == ANISOTROPIC {
        anisotropy = key.max_anisotropy.clamp(1, 16);
    }
    if quality_aniso && mip != 0 && key.min_filter >= 2 {
        (anisotropy, mip) = (8, 2);
    }
    // Magnification by points stays what it is.
    min_linear |= anisotropy > 1;
    let border_color = if address.contains(&BORDER) {
        let color = match key.texels {
            // The border's depth is its red, which every channel reads.
            Texels::Compare | Texels::Depth => {
                let [_, red, _, _] = key.border_color.to_be_bytes();
                u32::from_be_bytes([red; 4])
            }
            _ => key.border_color,
        };
        border_color(color, borders)
    } else {
        0
    };
    let steps = (key.lod_bias * BIAS_STEPS).round();
    Ok(SamplerState {
        address,
        min_linear,
        mag_linear,
        mip,
        anisotropy,
        max_mip_level: key.max_mip_level.min(15),
        texels: key.texels,
        // A NaN becomes 0. One level alone has no other to go to.
        lod_bias: if mip == 0 {
            0
        } else {
            steps.clamp(-255.0, 255.0) as i16
        },
        border_color,
    }
    .pack())
}

pub(crate) fn unpack_sampler(id: SamplerId) -> SamplerState {
    let mut u = Unpacker(id.0);
    let address = [u.take(3), u.take(3), u.take(3)];
    let texels = match u.take(2) {
        1 => Texels::Red,
        2 => Texels::RedGreen,
        3 => Texels::Compare,
        _ => Texels::Plain,
    };
    let low = u16::from(u.take(8));
    let bias = low | u16::from(u.take(BIAS_BITS - 8)) << 8;
    let (texels, lod_bias) = match (bias << (16 - BIAS_BITS)) as i16 >> (16 - BIAS_BITS) {
        DEPTH_BIAS => (Texels::Depth, 0),
        bias => (texels, bias),
    };
    SamplerState {
        address,
        texels,
        lod_bias,
        min_linear: u.take(1) != 0,
        mag_linear: u.take(1) != 0,
        mip: u.take(2),
        anisotropy: u.take(4) + 1,
        max_mip_level: u.take(4),
        border_color: u.0 as u32,
    }
}

/// Whether the shader has something to add to what the sampler does.
#[inline]
fn is_plain(id: SamplerId) -> bool {
    id.0 & SHADER_BITS == 0
}

/// Whether the GPU's samplers have a border of this colour.
fn native_border(color: u32) -> bool {
    matches!(color, 0 | 0xFF00_0000 | u32::MAX)
}

/// The sampler states that shaders have a part in, reduced to that part: equal values mean equal
/// shaders. `None` when there are none.
#[inline]
pub(crate) fn sampling(samplers: &[SamplerId; STAGES], borders: bool) -> Option<Sampling> {
    if samplers.iter().all(|&id| is_plain(id)) {
        return None;
    }
    Some(Sampling(samplers.map(|id| rules(id, borders))))
}

/// How the shader reads each stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sampling(pub(crate) [SamplerRules; STAGES]);

impl Sampling {
    /// Nothing for the shaders to do.
    pub(crate) const PLAIN: Self = Self(
        [SamplerRules {
            border_color: 0,
            lod_bias: 0,
            address: 0,
            texels: texels::ALL,
        }; STAGES],
    );
}

/// What the shader does for a sampler. `borders`: the GPU has borders of some colours.
fn rules(id: SamplerId, borders: bool) -> SamplerRules {
    let mut rules = SamplerRules::default();
    if is_plain(id) {
        return rules;
    }
    let state = unpack_sampler(id);
    let folds_border = folds_border(&state, borders);
    for (axis, &mode) in state.address.iter().enumerate() {
        if mode == MIRROR_ONCE {
            rules.address |= SamplerRules::MIRROR_U << axis;
        }
        if mode == BORDER && folds_border {
            rules.address |= SamplerRules::BORDER_U << axis;
        }
    }
    if folds_border {
        rules.border_color = state.border_color;
        if state.min_linear || state.mag_linear {
            rules.address |= SamplerRules::BORDER_LINEAR;
        }
    }
    rules.lod_bias = state.lod_bias * (256 / BIAS_STEPS as i16);
    rules.texels = match state.texels {
        Texels::Plain => texels::ALL,
        Texels::Red => texels::RED,
        Texels::RedGreen => texels::RED_GREEN,
        Texels::Compare => texels::COMPARE,
        Texels::Depth => texels::DEPTH,
    };
    rules
}

/// Whether borders are the shader's work.
fn folds_border(state: &SamplerState, borders: bool) -> bool {
    state.uses_border() && (!borders || !native_border(state.border_color))
}

/// The id of the native sampler: `id` without what the shader does.
pub(crate) fn native_sampler(id: SamplerId, borders: bool, compares: bool) -> SamplerId {
    if is_plain(id) && !compares {
        return id;
    }
    let mut state = unpack_sampler(id);
    let folded = folds_border(&state, borders) || !borders;
    for mode in &mut state.address {
        if *mode == MIRROR_ONCE || *mode == BORDER && folded {
            *mode = CLAMP;
        }
    }
    if !state.uses_border() {
        state.border_color = 0;
    }
    if !native_border(state.border_color) {
        state.border_color = nearest_native_border(state.border_color);
    }
    state.lod_bias = 0;
    state.texels = if compares {
        Texels::Compare
    } else {
        Texels::Plain
    };
    state.pack()
}

/// `id` as it reads a cube's face: address modes and borders do not count.
#[inline]
pub(crate) fn clamped(id: SamplerId) -> SamplerId {
    const ADDRESSES: u64 = 0o777;
    const CLAMPS: u64 = 0o333;
    SamplerId(id.0 & u64::from(u32::MAX) & !ADDRESSES | CLAMPS)
}

/// A native sampler's id with point filters, for formats that cannot be filtered.
pub(crate) fn unfiltered(id: SamplerId) -> SamplerId {
    let state = unpack_sampler(id);
    SamplerState {
        min_linear: false,
        mag_linear: false,
        mip: state.mip.min(1),
        anisotropy: 1,
        ..state
    }
    .pack()
}

fn nearest_native_border(color: u32) -> u32 {
    let [a, r, g, b] = color.to_be_bytes();
    let light = u32::from(r) + u32::from(g) + u32::from(b) > 3 * 127;
    match (a > 127, light) {
        (false, _) => 0,
        (true, false) => 0xFF00_0000,
        (true, true) => u32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules_of(key: &SamplerKey) -> SamplerRules {
        rules(sampler(key, false, &mut Vec::new()).unwrap(), true)
    }

    #[test]
    fn cubes_are_clamped_whatever_else() {
        let key = SamplerKey {
            address_u: 4,
            address_v: 5,
            address_w: 2,
            min_filter: 2,
            mip_filter: 1,
            max_mip_level: 3,
            border_color: 0x8040_2010,
            lod_bias: -1.5,
            ..SamplerKey::default()
        };
        let id = sampler(&key, false, &mut Vec::new()).unwrap();
        let expected = SamplerState {
            address: [CLAMP; 3],
            border_color: 0,
            ..unpack_sampler(id)
        };
        assert_eq!(unpack_sampler(clamped(id)), expected);
    }

    #[test]
    fn the_shader_does_what_native_samplers_lack() {
        let plain = SamplerKey::default();
        assert_eq!(rules_of(&plain), SamplerRules::default());
        let native = SamplerKey {
            address_u: 4,
            border_color: 0xFF00_0000,
            ..plain
        };
        assert_eq!(rules_of(&native), SamplerRules::default());
        let folded = SamplerKey {
            address_u: 4,
            address_v: 5,
            min_filter: 2,
            mip_filter: 2,
            border_color: 0x8040_2010,
            lod_bias: -1.5,
            texels: Texels::RedGreen,
            ..plain
        };
        let expected = SamplerRules {
            border_color: 0x8040_2010,
            lod_bias: -384,
            address: SamplerRules::BORDER_U
                | SamplerRules::MIRROR_U << 1
                | SamplerRules::BORDER_LINEAR,
            texels: texels::RED_GREEN,
        };
        assert_eq!(rules_of(&folded), expected);
        let id = sampler(&folded, false, &mut Vec::new()).unwrap();
        let native = native_sampler(id, true, false);
        assert!(is_plain(native));
        assert_eq!(unpack_sampler(native).address, [3, 3, 1]);
        let all = sampling(&[id; STAGES], true).unwrap();
        assert_eq!(all.0[19], expected);
        let nothing = sampler(&plain, false, &mut Vec::new()).unwrap();
        assert_eq!(sampling(&[nothing; STAGES], true), None);
    }

    #[test]
    fn a_bias_is_kept_in_sixteenths() {
        let bias = |lod_bias| {
            let key = SamplerKey {
                mip_filter: 1,
                lod_bias,
                ..SamplerKey::default()
            };
            unpack_sampler(sampler(&key, false, &mut Vec::new()).unwrap()).lod_bias
        };
        assert_eq!(bias(-0.5), -8);
        assert_eq!(bias(100.0), 255);
        assert_eq!(bias(-100.0), -255);
        assert_eq!(bias(f32::NAN), 0);
    }

    #[test]
    fn sampler_states_survive_packing() {
        let key = SamplerKey {
            address_u: 2,
            address_v: 4,
            address_w: 3,
            min_filter: 3,
            mag_filter: 1,
            mip_filter: 2,
            max_anisotropy: 16,
            max_mip_level: 7,
            border_color: 0xFFFF_FFFF,
            lod_bias: 2.25,
            texels: Texels::Compare,
        };
        let state = unpack_sampler(sampler(&key, false, &mut Vec::new()).unwrap());
        assert_eq!(
            state,
            SamplerState {
                address: [2, 4, 3],
                min_linear: true,
                mag_linear: false,
                mip: 2,
                anisotropy: 16,
                max_mip_level: 7,
                texels: Texels::Compare,
                lod_bias: 36,
                border_color: 0xFFFF_FFFF,
            }
        );
        // The border colour does not matter without a border, anisotropy without its filter.
        let a = SamplerKey {
            border_color: 5,
            max_anisotropy: 9,
            ..SamplerKey::default()
        };
        assert_eq!(
            sampler(&a, false, &mut Vec::new()).unwrap(),
            sampler(&SamplerKey::default(), false, &mut Vec::new()).unwrap()
        );
    }

    #[test]
    fn border_colours_are_bounded() {
        let mut known = Vec::new();
        for color in 0..64 {
            assert_eq!(
                border_color(0x8000_0000 | color, &mut known),
                0x8000_0000 | color
            );
        }
        assert_eq!(border_color(0x8000_0005, &mut known), 0x8000_0005);
        assert_eq!(border_color(0x8000_0050, &mut known), 0x8000_003F);
        assert_eq!(border_color(0xFFFF_FFFF, &mut known), 0xFFFF_FFFF);
        assert_eq!(border_color(0xFFFF_FFFE, &mut known), 0xFFFF_FFFF);
        assert_eq!(known.len(), 64);
    }
}
