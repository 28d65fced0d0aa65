//! Reading sources and writing results.

use super::{LaneMask, Lanes, Scene, Vector};
use crate::float::{self, number};
use crate::op::{Address, Dst, MAX_OPERANDS, Op, Place, Src, Target};
use crate::options::Denormals;
use crate::program::Program;
use crate::real::Real;
use ninefold_bytecode::SrcModifier;

/// The mask of all of `N` lanes.
pub(super) const fn all_lanes<const N: usize>() -> LaneMask {
    ((1u64 << N) - 1) as LaneMask
}

#[inline(always)]
pub(super) fn map<const N: usize, T: Real>(mut a: [T; N], f: impl Fn(T) -> T) -> [T; N] {
    for x in &mut a {
        *x = f(*x);
    }
    a
}

#[inline(always)]
pub(super) fn map2<const N: usize, T: Real>(
    mut a: [T; N],
    b: [T; N],
    f: impl Fn(T, T) -> T,
) -> [T; N] {
    for (x, y) in a.iter_mut().zip(b) {
        *x = f(*x, y);
    }
    a
}

/// The components of a source, each of all lanes: where they are, or made in memory of the
/// lanes' own.
pub(super) type Operand<'a, const N: usize, T> = [&'a [T; N]; 4];

/// What sources read.
#[derive(Clone, Copy)]
pub(super) struct Reads<'a, const N: usize, T> {
    registers: &'a [Vector<N, T>],
    address: &'a [[i32; N]; 4],
    loop_counter: i32,
    program: &'a Program,
    floats: &'a [[f32; 4]],
}

impl<'a, const N: usize, T: Real> Reads<'a, N, T> {
    /// A source; `held` is where one that is no plain register is made.
    #[inline(always)]
    pub(super) fn operand(&self, src: &Src, held: &'a mut Vector<N, T>) -> Operand<'a, N, T> {
        let [x, y, z, w] = src.swizzle;
        let lanes = [x & 3, y & 3, z & 3, w & 3];
        if let Place::Register(index) = src.place
            && src.modifier == SrcModifier::None
            && self.program.options.denormals == Denormals::Keep
        {
            let register = &self.registers[usize::from(index)];
            return picked(register, lanes);
        }
        match src.place {
            Place::Register(index) => *held = self.registers[usize::from(index)],
            Place::Constant(index) => splat(self.constant(index), held),
            Place::ClampedConstant(index) => {
                splat(self.constant(index).map(float::clamp_constant), held);
            }
            Place::Literal(place) => {
                let literal = self.program.literals.get(usize::from(place));
                splat(literal.map_or([0.0; 4], |(_, value)| *value), held);
            }
            Place::RelativeRegister {
                first,
                count,
                index,
                by,
            } => self.relative_register(first, count, index, by, held),
            Place::RelativeConstant { index, by } => self.relative_constant(index, by, held),
        }
        if src.modifier == SrcModifier::None && self.program.options.denormals == Denormals::Keep {
            return picked(held, lanes);
        }
        if self.program.options.denormals == Denormals::Flush {
            for component in held.iter_mut() {
                *component = map(*component, float::flush);
            }
        }
        match src.modifier {
            SrcModifier::None => {}
            SrcModifier::Neg => {
                for component in held.iter_mut() {
                    *component = map(*component, |x| -x);
                }
            }
            modifier => {
                *held = modify(lanes.map(|lane| held[usize::from(lane)]), modifier);
                return picked(held, [0, 1, 2, 3]);
            }
        }
        picked(held, lanes)
    }

    #[inline(always)]
    fn constant(&self, index: u16) -> [f32; 4] {
        let value = self.floats.get(usize::from(index));
        value.copied().unwrap_or_default()
    }

    fn relative_register(
        &self,
        first: u16,
        count: u16,
        index: u16,
        by: Address,
        held: &mut Vector<N, T>,
    ) {
        *held = [[T::of(0.0); N]; 4];
        for lane in 0..N {
            let offset = match by {
                Address::A0(component) => self.address[usize::from(component & 3)][lane],
                Address::Loop => self.loop_counter,
            };
            let at = i64::from(index) + i64::from(offset);
            let Some(at) = u16::try_from(at).ok().filter(|n| *n < count) else {
                continue;
            };
            if let Some(register) = self.registers.get(usize::from(first + at)) {
                for (to, from) in held.iter_mut().zip(register) {
                    to[lane] = from[lane];
                }
            }
        }
    }

    #[inline(always)]
    fn relative_constant(&self, index: u16, by: Address, held: &mut Vector<N, T>) {
        let literals = &self.program.literals;
        let constant = |offset: i32| {
            let at = i64::from(index) + i64::from(offset);
            // What lies below the file is far above it as an index.
            let at = at as usize;
            if !literals.is_empty()
                && let Ok(place) = literals.binary_search_by_key(&at, |(n, _)| usize::from(*n))
            {
                return literals[place].1;
            }
            self.floats.get(at).copied().unwrap_or_default()
        };
        match by {
            Address::A0(component) => {
                let offsets = &self.address[usize::from(component & 3)];
                for (lane, offset) in offsets.iter().enumerate() {
                    let constant = constant(*offset);
                    for (to, x) in held.iter_mut().zip(constant) {
                        to[lane] = T::of(x);
                    }
                }
            }
            Address::Loop => splat(constant(self.loop_counter), held),
        }
    }
}

#[inline(always)]
fn picked<const N: usize, T>(from: &Vector<N, T>, lanes: [u8; 4]) -> Operand<'_, N, T> {
    let [x, y, z, w] = lanes.map(usize::from);
    [&from[x & 3], &from[y & 3], &from[z & 3], &from[w & 3]]
}

#[inline(always)]
fn splat<const N: usize, T: Real>(value: [f32; 4], to: &mut Vector<N, T>) {
    for (to, x) in to.iter_mut().zip(value) {
        *to = [T::of(x); N];
    }
}

impl<const N: usize, T: Real> Lanes<N, T> {
    /// What sources read, where those that have to be made are, and the place of the result.
    #[inline(always)]
    pub(super) fn parts<'a>(
        &'a mut self,
        scene: &'a Scene<'_>,
    ) -> (
        Reads<'a, N, T>,
        &'a mut [Vector<N, T>; MAX_OPERANDS],
        &'a mut Vector<N, T>,
    ) {
        let reads = Reads {
            registers: &self.registers,
            address: &self.address,
            loop_counter: self.loop_counter,
            program: scene.program,
            floats: scene.constants.floats,
        };
        (reads, &mut self.held, &mut self.result)
    }

    /// Source `n` by value, for what runs seldom.
    pub(super) fn source(&mut self, op: &Op, n: usize, scene: &Scene<'_>) -> Vector<N, T> {
        let (reads, held, _) = self.parts(scene);
        reads.operand(&op.srcs[n], &mut held[n]).map(|x| *x)
    }

    /// The last lane of a source: what instructions that take a scalar read.
    pub(super) fn scalar(&mut self, op: &Op, n: usize, scene: &Scene<'_>) -> [T; N] {
        self.source(op, n, scene)[3]
    }

    /// How far lane `lane` moves a relative address.
    fn offset(&self, by: Address, lane: usize) -> i32 {
        match by {
            Address::A0(component) => self.address[usize::from(component & 3)][lane],
            Address::Loop => self.loop_counter,
        }
    }

    /// The first register that a lane that runs addresses outside of the float constants.
    #[inline(always)]
    pub(super) fn stray_address(&self, op: &Op, scene: &Scene<'_>) -> Option<i64> {
        let count = scene.constants.floats.len() as i64;
        let whole = self.mask == all_lanes::<N>();
        op.srcs.iter().find_map(|src| match src.place {
            Place::RelativeConstant {
                index,
                by: Address::A0(component),
            } if whole => {
                // Mostly all lanes stay inside, which is soon seen.
                let offsets = &self.address[usize::from(component & 3)];
                let (mut low, mut high) = (i32::MAX, i32::MIN);
                for offset in offsets {
                    low = low.min(*offset);
                    high = high.max(*offset);
                }
                let [low, high] = [low, high].map(|n| i64::from(index) + i64::from(n));
                if low >= 0 && high < count {
                    return None;
                }
                self.first_stray(src, count)
            }
            Place::RelativeConstant { .. } => self.first_stray(src, count),
            _ => None,
        })
    }

    #[cold]
    fn first_stray(&self, src: &Src, count: i64) -> Option<i64> {
        let Place::RelativeConstant { index, by } = src.place else {
            return None;
        };
        (0..N)
            .filter(|lane| self.mask >> lane & 1 != 0)
            .map(|lane| i64::from(index) + i64::from(self.offset(by, lane)))
            .find(|at| !(0..count).contains(at))
    }

    /// Writes the result, or keeps it until its pair has read.
    #[inline(always)]
    pub(super) fn finish(&mut self, op: &Op, program: &Program) {
        let plain = op.predicate.is_none()
            && op.dst.scale == 1.0
            && !(op.dst.saturate || op.paired || self.pending.is_some())
            && program.options.denormals == Denormals::Keep;
        if let Target::Register(register) = op.dst.target
            && plain
        {
            let register = &mut self.registers[usize::from(register)];
            for component in components(op.dst.mask) {
                select(&mut register[component], &self.result[component], self.mask);
            }
        } else if let Target::Address { floor, nan } = op.dst.target
            && plain
            && self.mask == all_lanes::<N>()
        {
            for component in components(op.dst.mask) {
                let value = &self.result[component];
                for (to, x) in self.address[component].iter_mut().zip(value) {
                    *to = address(*x, floor, nan);
                }
            }
        } else if plain {
            let value = self.result;
            self.write(&op.dst, &value, [self.mask; 4]);
        } else {
            self.finish_modified(op, program);
        }
    }

    fn finish_modified(&mut self, op: &Op, program: &Program) {
        let mut dst = op.dst;
        let mut value = self.result;
        for component in components(dst.mask) {
            let value = &mut value[component];
            if dst.scale != 1.0 {
                *value = map(*value, |x| number(x * T::of(dst.scale)));
            }
            if dst.saturate {
                *value = map(*value, float::saturate);
            }
            if program.options.denormals == Denormals::Flush {
                *value = map(*value, float::flush);
            }
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
    fn write(&mut self, dst: &Dst, value: &Vector<N, T>, lanes: [LaneMask; 4]) {
        match dst.target {
            Target::None | Target::Predicate => {}
            Target::Register(register) => {
                let register = &mut self.registers[usize::from(register)];
                for component in components(dst.mask) {
                    select(
                        &mut register[component],
                        &value[component],
                        lanes[component],
                    );
                }
            }
            Target::Address { floor, nan } => {
                for component in components(dst.mask) {
                    let addresses = self.address[component].iter_mut();
                    for (lane, (to, x)) in addresses.zip(value[component]).enumerate() {
                        if lanes[component] >> lane & 1 != 0 {
                            *to = address(x, floor, nan);
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

#[inline(always)]
pub(super) fn components(mask: u8) -> impl Iterator<Item = usize> {
    (0..4).filter(move |component| mask >> component & 1 != 0)
}

#[inline(always)]
fn select<const N: usize, T: Real>(to: &mut [T; N], value: &[T; N], lanes: LaneMask) {
    if lanes == all_lanes::<N>() {
        *to = *value;
        return;
    }
    for lane in 0..N {
        if lanes >> lane & 1 != 0 {
            to[lane] = value[lane];
        }
    }
}

/// What a number is as an address.
#[inline(always)]
fn address<T: Real>(x: T, floor: bool, nan: i32) -> i32 {
    let address = match floor {
        true => float::floor_address(x.get()),
        false => float::round_address(x.get()),
    };
    if x.is_nan() { nan } else { address }
}

fn modify<const N: usize, T: Real>(value: Vector<N, T>, modifier: SrcModifier) -> Vector<N, T> {
    let (half, one, two) = (T::of(0.5), T::of(1.0), T::of(2.0));
    let divide = |by: usize| {
        let mut divided = value;
        for component in 0..2 {
            divided[component] = map2(value[component], value[by], float::divide_or_one);
        }
        divided
    };
    match modifier {
        SrcModifier::None | SrcModifier::Not => value,
        SrcModifier::Neg => each(value, |x| -x),
        SrcModifier::Bias => each(value, |x| number(x - half)),
        SrcModifier::BiasNeg => each(value, |x| -number(x - half)),
        SrcModifier::Sign => each(value, |x| number(two * (x - half))),
        SrcModifier::SignNeg => each(value, |x| -number(two * (x - half))),
        SrcModifier::Comp => each(value, |x| number(one - x)),
        SrcModifier::X2 => each(value, |x| number(two * x)),
        SrcModifier::X2Neg => each(value, |x| -number(two * x)),
        SrcModifier::Dz => divide(2),
        SrcModifier::Dw => divide(3),
        SrcModifier::Abs => each(value, T::abs),
        SrcModifier::AbsNeg => each(value, |x| -x.abs()),
    }
}

fn each<const N: usize, T: Real>(value: Vector<N, T>, f: impl Fn(T) -> T) -> Vector<N, T> {
    value.map(|x| map(x, &f))
}
