//! Reading sources and writing results.

use super::{LaneMask, Lanes, Scene, Vector};
use crate::float;
use crate::op::{Address, Dst, Op, Place, Src, Target};
use crate::options::Denormals;
use crate::program::Program;
use ninefold_bytecode::SrcModifier;

/// The mask of all of `N` lanes.
pub(super) const fn all_lanes<const N: usize>() -> LaneMask {
    ((1u32 << N) - 1) as LaneMask
}

pub(super) fn splat<const N: usize>(value: [f32; 4]) -> Vector<N> {
    value.map(|component| [component; N])
}

#[inline(always)]
pub(super) fn map<const N: usize>(mut a: [f32; N], f: impl Fn(f32) -> f32) -> [f32; N] {
    for x in &mut a {
        *x = f(*x);
    }
    a
}

#[inline(always)]
pub(super) fn map2<const N: usize>(
    mut a: [f32; N],
    b: [f32; N],
    f: impl Fn(f32, f32) -> f32,
) -> [f32; N] {
    for (x, y) in a.iter_mut().zip(b) {
        *x = f(*x, y);
    }
    a
}

#[inline(always)]
pub(super) fn map3<const N: usize>(
    mut a: [f32; N],
    b: [f32; N],
    c: [f32; N],
    f: impl Fn(f32, f32, f32) -> f32,
) -> [f32; N] {
    for ((x, y), z) in a.iter_mut().zip(b).zip(c) {
        *x = f(*x, y, z);
    }
    a
}

impl<const N: usize> Lanes<N> {
    #[inline(always)]
    pub(super) fn source(&self, op: &Op, n: usize, scene: &Scene<'_>) -> Vector<N> {
        let src = &op.srcs[n];
        if src.modifier != SrcModifier::None || flushes(scene) {
            return self.read(src, scene);
        }
        match src.place {
            Place::Register(index) => {
                let register = &self.registers[usize::from(index)];
                src.swizzle.map(|lane| register[usize::from(lane & 3)])
            }
            Place::RelativeConstant { index, by } if src.swizzle == [0, 1, 2, 3] => {
                self.relative_constant(index, by, scene)
            }
            _ => self.read(src, scene),
        }
    }

    /// The last lane of a source: what instructions that take a scalar read.
    #[inline(always)]
    pub(super) fn scalar(&self, op: &Op, n: usize, scene: &Scene<'_>) -> [f32; N] {
        self.source(op, n, scene)[3]
    }

    fn read(&self, src: &Src, scene: &Scene<'_>) -> Vector<N> {
        let lanes = src.swizzle.map(|lane| usize::from(lane & 3));
        let pick = |from: &Vector<N>| lanes.map(|lane| from[lane]);
        let uniform = |from: [f32; 4]| splat(lanes.map(|lane| from[lane]));
        let constant = |index: u16| {
            let value = scene.constants.floats.get(usize::from(index));
            value.copied().unwrap_or_default()
        };
        let mut value = match src.place {
            Place::Register(index) => pick(&self.registers[usize::from(index)]),
            Place::Constant(index) => uniform(constant(index)),
            Place::ClampedConstant(index) => uniform(constant(index).map(float::clamp_constant)),
            Place::Literal(place) => {
                let literal = scene.program.literals.get(usize::from(place));
                uniform(literal.map_or([0.0; 4], |(_, value)| *value))
            }
            Place::RelativeRegister {
                first,
                count,
                index,
                by,
            } => pick(&self.gather(by, index, |n| match u16::try_from(n) {
                Ok(n) if n < count => Some(usize::from(first + n)),
                _ => None,
            })),
            Place::RelativeConstant { index, by } => {
                pick(&self.relative_constant(index, by, scene))
            }
        };
        if flushes(scene) {
            value = value.map(|x| map(x, float::flush));
        }
        match src.modifier {
            SrcModifier::None => value,
            SrcModifier::Neg => value.map(|x| map(x, |x| -x)),
            modifier => modify(value, modifier),
        }
    }

    /// How far lane `lane` moves a relative address.
    fn offset(&self, by: Address, lane: usize) -> i32 {
        match by {
            Address::A0(component) => self.address[usize::from(component & 3)][lane],
            Address::Loop => self.loop_counter,
        }
    }

    /// Reads one register for each lane, 0 where `find` has none.
    fn gather(&self, by: Address, index: u16, find: impl Fn(i64) -> Option<usize>) -> Vector<N> {
        let mut value = [[0.0; N]; 4];
        for lane in 0..N {
            let at = i64::from(index) + i64::from(self.offset(by, lane));
            let Some(register) = find(at).and_then(|n| self.registers.get(n)) else {
                continue;
            };
            for (to, from) in value.iter_mut().zip(register) {
                to[lane] = from[lane];
            }
        }
        value
    }

    /// The first register that a lane that runs addresses outside of the float constants.
    pub(super) fn stray_address(&self, op: &Op, scene: &Scene<'_>) -> Option<i64> {
        let count = scene.constants.floats.len() as i64;
        op.srcs.iter().find_map(|src| match src.place {
            Place::RelativeConstant { index, by } => (0..N)
                .filter(|lane| self.mask >> lane & 1 != 0)
                .map(|lane| i64::from(index) + i64::from(self.offset(by, lane)))
                .find(|at| !(0..count).contains(at)),
            _ => None,
        })
    }

    fn relative_constant(&self, index: u16, by: Address, scene: &Scene<'_>) -> Vector<N> {
        let constant = |offset: i32| {
            let at = i64::from(index) + i64::from(offset);
            // What lies below the file is far above it as an index.
            let at = at as usize;
            let literals = &scene.program.literals;
            if !literals.is_empty()
                && let Ok(place) = literals.binary_search_by_key(&at, |(n, _)| usize::from(*n))
            {
                return literals[place].1;
            }
            scene.constants.floats.get(at).copied().unwrap_or_default()
        };
        let offsets = match by {
            Address::A0(component) => &self.address[usize::from(component & 3)],
            Address::Loop => return splat(constant(self.loop_counter)),
        };
        let mut value = [[0.0; N]; 4];
        for (lane, offset) in offsets.iter().enumerate() {
            let constant = constant(*offset);
            for (to, x) in value.iter_mut().zip(constant) {
                to[lane] = x;
            }
        }
        value
    }

    /// Writes a result, or keeps it until its pair has read.
    #[inline]
    pub(super) fn finish(&mut self, op: &Op, value: &Vector<N>, program: &Program) {
        let plain = op.predicate.is_none()
            && op.dst.scale == 1.0
            && !(op.dst.saturate || op.paired || self.pending.is_some())
            && program.options.denormals == Denormals::Keep;
        if plain {
            self.write(&op.dst, value, [self.mask; 4]);
        } else {
            self.finish_modified(op, *value, program);
        }
    }

    fn finish_modified(&mut self, op: &Op, mut value: Vector<N>, program: &Program) {
        let mut dst = op.dst;
        if dst.scale != 1.0 {
            value = value.map(|x| map(x, |x| x * dst.scale));
        }
        if dst.saturate {
            value = value.map(|x| map(x, float::saturate));
        }
        if program.options.denormals == Denormals::Flush {
            value = value.map(|x| map(x, float::flush));
        }
        if op.paired {
            self.pending = Some((dst, value));
            return;
        }
        if let Some((first, early)) = self.pending.take() {
            self.write(&first, &early, [self.mask; 4]);
        }
        let mut lanes = [self.mask; 4];
        if let Some(predicate) = op.predicate {
            for (component, lanes) in lanes.iter_mut().enumerate() {
                let set = self.predicate[usize::from(predicate.swizzle[component] & 3)];
                *lanes &= if predicate.not { !set } else { set };
                if *lanes == 0 {
                    dst.mask &= !(1 << component);
                }
            }
        }
        self.write(&dst, &value, lanes);
    }

    /// Writes the components of a destination's mask, each in its own lanes.
    fn write(&mut self, dst: &Dst, value: &Vector<N>, lanes: [LaneMask; 4]) {
        match dst.target {
            Target::None | Target::Predicate => {}
            Target::Register(register) => {
                let register = &mut self.registers[usize::from(register)];
                for component in components(dst.mask) {
                    select(&mut register[component], value[component], lanes[component]);
                }
            }
            Target::Address { floor, nan } => {
                for component in components(dst.mask) {
                    let addresses = self.address[component].iter_mut();
                    for (lane, (to, x)) in addresses.zip(value[component]).enumerate() {
                        if lanes[component] >> lane & 1 != 0 {
                            *to = match floor {
                                _ if x.is_nan() => nan,
                                true => float::floor_address(x),
                                false => float::round_address(x),
                            };
                        }
                    }
                }
            }
            Target::RelativeRegister {
                first,
                count,
                index,
                by,
            } => {
                for lane in 0..N {
                    let at = i64::from(index) + i64::from(self.offset(by, lane));
                    let Some(at) = u16::try_from(at).ok().filter(|n| *n < count) else {
                        continue;
                    };
                    let register = &mut self.registers[usize::from(first + at)];
                    for component in components(dst.mask) {
                        if lanes[component] >> lane & 1 != 0 {
                            register[component][lane] = value[component][lane];
                        }
                    }
                }
            }
        }
    }

    /// The lanes in which a predicate allows component `component` of an operation.
    pub(super) fn allowed(&self, op: &Op, component: usize) -> LaneMask {
        match op.predicate {
            None => self.mask,
            Some(predicate) => {
                let set = self.predicate[usize::from(predicate.swizzle[component & 3] & 3)];
                self.mask & if predicate.not { !set } else { set }
            }
        }
    }
}

fn flushes(scene: &Scene<'_>) -> bool {
    scene.program.options.denormals == Denormals::Flush
}

pub(super) fn components(mask: u8) -> impl Iterator<Item = usize> {
    (0..4).filter(move |component| mask >> component & 1 != 0)
}

#[inline(always)]
fn select<const N: usize>(to: &mut [f32; N], value: [f32; N], lanes: LaneMask) {
    if lanes == all_lanes::<N>() {
        *to = value;
        return;
    }
    for lane in 0..N {
        if lanes >> lane & 1 != 0 {
            to[lane] = value[lane];
        }
    }
}

fn modify<const N: usize>(value: Vector<N>, modifier: SrcModifier) -> Vector<N> {
    let each = |f: fn(f32) -> f32| value.map(|x| map(x, f));
    let divide = |by: usize| {
        let mut divided = value;
        for component in 0..2 {
            divided[component] = map2(value[component], value[by], float::divide_or_one);
        }
        divided
    };
    match modifier {
        SrcModifier::None | SrcModifier::Not => value,
        SrcModifier::Neg => each(|x| -x),
        SrcModifier::Bias => each(|x| x - 0.5),
        SrcModifier::BiasNeg => each(|x| -(x - 0.5)),
        SrcModifier::Sign => each(|x| 2.0 * (x - 0.5)),
        SrcModifier::SignNeg => each(|x| -2.0 * (x - 0.5)),
        SrcModifier::Comp => each(|x| 1.0 - x),
        SrcModifier::X2 => each(|x| 2.0 * x),
        SrcModifier::X2Neg => each(|x| -2.0 * x),
        SrcModifier::Dz => divide(2),
        SrcModifier::Dw => divide(3),
        SrcModifier::Abs => each(f32::abs),
        SrcModifier::AbsNeg => each(|x| -x.abs()),
    }
}
