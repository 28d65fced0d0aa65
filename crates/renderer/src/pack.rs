//! Normalises state keys and packs them into their 64-bit ids, and unpacks ids into the GPU's
//! descriptions when a pipeline or a sampler is built.

use ninefold_gpu::types::{
    BlendComponent, BlendFactor, BlendOperation, BlendState, ColorWrites, CompareFunction,
    StencilFaceState, StencilOperation, StencilState,
};

use crate::error::{Error, Result};
use crate::keys::{BlendId, BlendKey, DepthStencilId, DepthStencilKey, StencilFace};

/// Appends bit fields to a word, lowest first.
pub(crate) struct Packer {
    pub(crate) word: u64,
    at: u32,
}

impl Packer {
    pub(crate) fn new() -> Self {
        Self { word: 0, at: 0 }
    }

    pub(crate) fn put(&mut self, value: u64, bits: u32) {
        debug_assert!(value < 1 << bits && self.at + bits <= 64);
        self.word |= value << self.at;
        self.at += bits;
    }
}

/// Takes bit fields from a word in the order they were appended.
pub(crate) struct Unpacker(pub(crate) u64);

impl Unpacker {
    pub(crate) fn take(&mut self, bits: u32) -> u8 {
        let value = (self.0 & ((1 << bits) - 1)) as u8;
        self.0 >>= bits;
        value
    }
}

/// Fails unless `value` is in `range`; `what` names the state, in parts.
#[inline]
pub(crate) fn in_range(
    value: u8,
    range: core::ops::RangeInclusive<u8>,
    what: [&str; 2],
) -> Result<()> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(out_of_range(value, range, what))
}

#[cold]
fn out_of_range(value: u8, range: core::ops::RangeInclusive<u8>, what: [&str; 2]) -> Error {
    let [prefix, name] = what;
    Error::args(format!(
        "{prefix}{name} is {value}, expected {} to {}",
        range.start(),
        range.end()
    ))
}

const ZERO: u8 = 1;
const ONE: u8 = 2;
const MIN: u8 = 4;

pub(crate) fn blend(key: &BlendKey) -> Result<BlendId> {
    let mut key = *key;
    if key.enabled {
        for (value, what) in [
            (key.src, "D3DRS_SRCBLEND"),
            (key.dst, "D3DRS_DESTBLEND"),
            (key.src_alpha, "D3DRS_SRCBLENDALPHA"),
            (key.dst_alpha, "D3DRS_DESTBLENDALPHA"),
        ] {
            in_range(value, 1..=17, [what, ""])?;
            if value >= 16 {
                return Err(Error::unsupported(format!(
                    "{what} is {value}: dual-source blend factors are not supported"
                )));
            }
        }
        in_range(key.op, 1..=5, ["D3DRS_BLENDOP", ""])?;
        in_range(key.op_alpha, 1..=5, ["D3DRS_BLENDOPALPHA", ""])?;
        (key.src, key.dst) = expand_both(key.src, key.dst);
        (key.src_alpha, key.dst_alpha) = expand_both(key.src_alpha, key.dst_alpha);
        key.src_alpha = alpha_form(key.src_alpha);
        key.dst_alpha = alpha_form(key.dst_alpha);
        // Minimum and maximum ignore the factors.
        if key.op >= MIN {
            (key.src, key.dst) = (ONE, ONE);
        }
        if key.op_alpha >= MIN {
            (key.src_alpha, key.dst_alpha) = (ONE, ONE);
        }
        let replace = (ONE, ZERO, 1);
        if (key.src, key.dst, key.op) == replace
            && (key.src_alpha, key.dst_alpha, key.op_alpha) == replace
        {
            key.enabled = false;
        }
    }
    let mut p = Packer::new();
    p.put(key.enabled.into(), 1);
    p.put(key.overlay.into(), 1);
    for mask in key.write_mask {
        p.put((mask & 15).into(), 4);
    }
    if key.enabled {
        for factor in [key.src, key.dst, key.src_alpha, key.dst_alpha] {
            p.put(factor.into(), 5);
        }
        for op in [key.op, key.op_alpha] {
            p.put(op.into(), 3);
        }
    }
    Ok(BlendId(p.word))
}

/// `BOTHSRCALPHA` and `BOTHINVSRCALPHA` as a source factor name both factors.
fn expand_both(src: u8, dst: u8) -> (u8, u8) {
    match (src, dst) {
        (12, _) => (5, 6),
        (13, _) => (6, 5),
        // As destination factors they mean nothing; the plain forms are the nearest.
        (src, 12) => (src, 6),
        (src, 13) => (src, 5),
        pair => pair,
    }
}

/// Colour factors act on alpha as their alpha forms; the saturated one is 1 there.
fn alpha_form(factor: u8) -> u8 {
    match factor {
        3 => 5,
        4 => 6,
        9 => 7,
        10 => 8,
        11 => ONE,
        other => other,
    }
}

/// Blending and write mask of target `slot`. `opaque_alpha` targets have no alpha: it is not
/// written and counts as 1.
pub(crate) fn unpack_blend(
    id: BlendId,
    slot: usize,
    opaque_alpha: bool,
) -> (Option<BlendState>, ColorWrites) {
    let mut u = Unpacker(id.0);
    let enabled = u.take(1) != 0;
    let _overlay = u.take(1);
    let masks = [u.take(4), u.take(4), u.take(4), u.take(4)];
    let mask = masks[slot] & if opaque_alpha { 7 } else { 15 };
    let writes = ColorWrites::from_bits_truncate(mask.into());
    if !enabled {
        return (None, writes);
    }
    let factors = [u.take(5), u.take(5), u.take(5), u.take(5)];
    let ops = [u.take(3), u.take(3)];
    let component = |src: u8, dst: u8, op: u8| BlendComponent {
        src_factor: blend_factor(src, opaque_alpha),
        dst_factor: blend_factor(dst, opaque_alpha),
        operation: match op {
            2 => BlendOperation::Subtract,
            3 => BlendOperation::ReverseSubtract,
            4 => BlendOperation::Min,
            5 => BlendOperation::Max,
            _ => BlendOperation::Add,
        },
    };
    let state = BlendState {
        color: component(factors[0], factors[1], ops[0]),
        alpha: component(factors[2], factors[3], ops[1]),
    };
    (Some(state), writes)
}

fn blend_factor(factor: u8, opaque_alpha: bool) -> BlendFactor {
    match (factor, opaque_alpha) {
        (1, _) => BlendFactor::Zero,
        (3, _) => BlendFactor::Src,
        (4, _) => BlendFactor::OneMinusSrc,
        (5, _) => BlendFactor::SrcAlpha,
        (6, _) => BlendFactor::OneMinusSrcAlpha,
        (7, false) => BlendFactor::DstAlpha,
        (8, false) => BlendFactor::OneMinusDstAlpha,
        (7, true) => BlendFactor::One,
        (8, true) => BlendFactor::Zero,
        (9, _) => BlendFactor::Dst,
        (10, _) => BlendFactor::OneMinusDst,
        (11, false) => BlendFactor::SrcAlphaSaturated,
        (11, true) => BlendFactor::Zero,
        (14, _) => BlendFactor::Constant,
        (15, _) => BlendFactor::OneMinusConstant,
        _ => BlendFactor::One,
    }
}

/// `word` as a blend id when it is one that [`blend`] makes.
pub(crate) fn known_blend(word: u64) -> Option<BlendId> {
    let mut u = Unpacker(word);
    let (enabled, overlay) = (u.take(1) != 0, u.take(1) != 0);
    let mut key = BlendKey {
        enabled,
        overlay,
        write_mask: [u.take(4), u.take(4), u.take(4), u.take(4)],
        ..BlendKey::default()
    };
    if enabled {
        [key.src, key.dst, key.src_alpha, key.dst_alpha] =
            [u.take(5), u.take(5), u.take(5), u.take(5)];
        [key.op, key.op_alpha] = [u.take(3), u.take(3)];
    }
    blend(&key).ok().filter(|id| id.0 == word)
}

/// `word` as a depth-stencil id when it is one that [`depth_stencil`] makes.
pub(crate) fn known_depth_stencil(word: u64) -> Option<DepthStencilId> {
    let mut u = Unpacker(word);
    let depth_write = u.take(1) != 0;
    let depth_func = u.take(3) + 1;
    let stencil = u.take(1) != 0;
    let mut key = DepthStencilKey {
        depth_test: true,
        depth_write,
        depth_func,
        stencil,
        two_sided: true,
        ..DepthStencilKey::default()
    };
    if stencil {
        let mut face = || StencilFace {
            fail: u.take(3) + 1,
            depth_fail: u.take(3) + 1,
            pass: u.take(3) + 1,
            func: u.take(3) + 1,
        };
        key.front = face();
        key.back = face();
        [key.read_mask, key.write_mask] = [u.take(8), u.take(8)];
    }
    depth_stencil(&key).ok().filter(|id| id.0 == word)
}

const NEVER: u8 = 1;
const ALWAYS: u8 = 8;
const KEEP: u8 = 1;

pub(crate) fn depth_stencil(key: &DepthStencilKey) -> Result<DepthStencilId> {
    let mut key = *key;
    if key.depth_test {
        in_range(key.depth_func, 1..=8, ["D3DRS_ZFUNC", ""])?;
    } else {
        // Without a depth test Direct3D writes no depth either.
        key.depth_func = ALWAYS;
        key.depth_write = false;
    }
    if key.depth_func == NEVER {
        key.depth_write = false;
    }
    if key.stencil {
        check_face(&key.front, "D3DRS_STENCIL")?;
        if key.two_sided {
            check_face(&key.back, "D3DRS_CCW_STENCIL")?;
        } else {
            key.back = key.front;
        }
        normalise_face(&mut key.front, key.depth_func);
        normalise_face(&mut key.back, key.depth_func);
        let faces = [key.front, key.back];
        if faces.iter().all(|f| f.func == ALWAYS || f.func == NEVER) {
            key.read_mask = 0xFF;
        }
        let keeps = faces
            .iter()
            .all(|f| [f.fail, f.depth_fail, f.pass] == [KEEP; 3]);
        if keeps {
            key.write_mask = 0;
        }
        if key.write_mask == 0 {
            for face in [&mut key.front, &mut key.back] {
                (face.fail, face.depth_fail, face.pass) = (KEEP, KEEP, KEEP);
            }
            key.stencil = faces.iter().any(|f| f.func != ALWAYS);
        }
    }
    let mut p = Packer::new();
    p.put(key.depth_write.into(), 1);
    p.put((key.depth_func - 1).into(), 3);
    p.put(key.stencil.into(), 1);
    if key.stencil {
        for face in [key.front, key.back] {
            for value in [face.fail, face.depth_fail, face.pass, face.func] {
                p.put((value - 1).into(), 3);
            }
        }
        p.put(key.read_mask.into(), 8);
        p.put(key.write_mask.into(), 8);
    }
    Ok(DepthStencilId(p.word))
}

fn check_face(face: &StencilFace, prefix: &str) -> Result<()> {
    for (value, what) in [
        (face.fail, "FAIL"),
        (face.depth_fail, "ZFAIL"),
        (face.pass, "PASS"),
        (face.func, "FUNC"),
    ] {
        in_range(value, 1..=8, [prefix, what])?;
    }
    Ok(())
}

/// Operations that cannot happen become `KEEP`.
fn normalise_face(face: &mut StencilFace, depth_func: u8) {
    if face.func == ALWAYS {
        face.fail = KEEP;
    }
    if face.func == NEVER {
        face.pass = KEEP;
        face.depth_fail = KEEP;
    }
    if depth_func == ALWAYS {
        face.depth_fail = KEEP;
    }
    if depth_func == NEVER {
        face.pass = KEEP;
    }
}

/// Depth and stencil state as the GPU wants it, without format and bias.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NativeDepthStencil {
    pub(crate) write: bool,
    pub(crate) compare: CompareFunction,
    pub(crate) stencil: StencilState,
}

pub(crate) fn unpack_depth_stencil(id: DepthStencilId) -> NativeDepthStencil {
    let mut u = Unpacker(id.0);
    let write = u.take(1) != 0;
    let compare = compare_function(u.take(3) + 1);
    let mut stencil = StencilState::default();
    if u.take(1) != 0 {
        let mut face = || {
            let (fail, depth_fail, pass, func) =
                (u.take(3) + 1, u.take(3) + 1, u.take(3) + 1, u.take(3) + 1);
            StencilFaceState {
                compare: compare_function(func),
                fail_op: stencil_operation(fail),
                depth_fail_op: stencil_operation(depth_fail),
                pass_op: stencil_operation(pass),
            }
        };
        stencil.front = face();
        stencil.back = face();
        stencil.read_mask = u.take(8).into();
        stencil.write_mask = u.take(8).into();
    }
    NativeDepthStencil {
        write,
        compare,
        stencil,
    }
}

pub(crate) fn compare_function(d3d: u8) -> CompareFunction {
    match d3d {
        1 => CompareFunction::Never,
        2 => CompareFunction::Less,
        3 => CompareFunction::Equal,
        4 => CompareFunction::LessEqual,
        5 => CompareFunction::Greater,
        6 => CompareFunction::NotEqual,
        7 => CompareFunction::GreaterEqual,
        _ => CompareFunction::Always,
    }
}

fn stencil_operation(d3d: u8) -> StencilOperation {
    match d3d {
        2 => StencilOperation::Zero,
        3 => StencilOperation::Replace,
        4 => StencilOperation::IncrementClamp,
        5 => StencilOperation::DecrementClamp,
        6 => StencilOperation::Invert,
        7 => StencilOperation::IncrementWrap,
        8 => StencilOperation::DecrementWrap,
        _ => StencilOperation::Keep,
    }
}
