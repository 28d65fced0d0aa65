//! The register file while lowering: which expression each component of each
//! register holds. Registers live in expressions; only where control flow joins
//! do they go through local variables.

use crate::build::{Builder, Expr, Known};
use naga::{Expression, Handle, Scalar, Type};
use ninefold_bytecode::{Register, RegisterKind, Stage, Version};

/// Number of a register in the file.
pub(super) type Slot = usize;

pub(super) const TEXTURE: Slot = 32;
const OUTPUT: Slot = 40;
/// `a0`, four integers.
pub(super) const ADDRESS: Slot = 56;
/// `p0`, four booleans.
pub(super) const PREDICATE: Slot = 57;
/// Whether `texkill` has killed the pixel: one boolean.
pub(super) const KILLED: Slot = 58;
const COUNT: usize = 59;

/// oPos of vs_1_x and vs_2_x.
pub(super) const POSITION: Slot = OUTPUT;
/// oFog of vs_1_x and vs_2_x.
pub(super) const FOG: Slot = OUTPUT + 1;
/// oPts of vs_1_x and vs_2_x.
pub(super) const POINT_SIZE: Slot = OUTPUT + 2;
/// oD0 of vs_1_x and vs_2_x; oD1 follows.
pub(super) const COLOR: Slot = OUTPUT + 3;
/// oT0 of vs_1_x and vs_2_x; oT1-oT7 follow.
pub(super) const TEXCOORD: Slot = OUTPUT + 5;
/// o0 of vs_3_0, oC0 of pixel shaders; the others follow.
pub(super) const FIRST_OUTPUT: Slot = OUTPUT;
/// oDepth of pixel shaders.
pub(super) const DEPTH: Slot = OUTPUT + 4;

/// The slot of a register that is read and written, `None` for all others.
pub(super) fn slot(version: Version, register: Register) -> Option<Slot> {
    let index = usize::from(register.index);
    let (base, count) = match register.kind {
        RegisterKind::Temp => (0, 32),
        RegisterKind::Texture if version.major == 1 && version.minor < 4 => (TEXTURE, 8),
        RegisterKind::RastOut => (POSITION, 3),
        RegisterKind::AttrOut => (COLOR, 2),
        RegisterKind::TexCoordOut => (TEXCOORD, 8),
        RegisterKind::Output => (FIRST_OUTPUT, 16),
        RegisterKind::ColorOut => (FIRST_OUTPUT, 4),
        RegisterKind::DepthOut => (DEPTH, 1),
        RegisterKind::Address if version.stage == Stage::Vertex => (ADDRESS, 1),
        RegisterKind::Predicate => (PREDICATE, 1),
        _ => return None,
    };
    (index < count).then_some(base + index)
}

/// What values of a slot are called in text.
pub(super) fn name(slot: Slot) -> &'static str {
    const TEMPS: [&str; TEXTURE] = [
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13",
        "r14", "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26",
        "r27", "r28", "r29", "r30", "r31",
    ];
    match slot {
        0..TEXTURE => TEMPS[slot],
        TEXTURE..OUTPUT => "t",
        OUTPUT..ADDRESS => "o",
        ADDRESS => "a0",
        PREDICATE => "p0",
        _ => "killed",
    }
}

/// One component: component `index` of the `width`-component value `expr`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lane {
    pub(super) expr: Expr,
    pub(super) index: u8,
    /// 1-4; 0 when the value lies in the register's local variable.
    width: u8,
    pub(super) known: Known,
}

impl Lane {
    pub(super) fn scalar(expr: Expr, known: Known) -> Self {
        Self {
            expr,
            index: 0,
            width: 1,
            known,
        }
    }

    pub(super) fn of(expr: Expr, index: u8, width: u8, known: Known) -> Self {
        Self {
            expr,
            index,
            width,
            known,
        }
    }

    /// The four components of a vector.
    pub(super) fn vector(expr: Expr, known: Known) -> [Self; 4] {
        [0, 1, 2, 3].map(|index| Self {
            expr,
            index,
            width: 4,
            known,
        })
    }
}

/// A value of 1-4 components.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) expr: Expr,
    pub(super) n: usize,
    pub(super) known: Known,
}

impl Value {
    pub(super) fn new(expr: Expr, n: usize) -> Self {
        Self {
            expr,
            n,
            known: Known::Nothing,
        }
    }

    pub(super) fn finite(expr: Expr, n: usize) -> Self {
        Self {
            expr,
            n,
            known: Known::Finite,
        }
    }

    /// With what is known, for [`Builder::mul`] and its kin.
    pub(super) fn pair(self) -> (Expr, Known) {
        (self.expr, self.known)
    }

    /// Component `i` as a lane; a scalar is all its components.
    pub(super) fn lane(self, i: usize) -> Lane {
        match self.n {
            1 => Lane::scalar(self.expr, self.known),
            n => Lane::of(self.expr, i as u8, n as u8, self.known),
        }
    }
}

/// The scalar type of a slot's components.
fn scalar_of(slot: Slot) -> Scalar {
    match slot {
        ADDRESS => Scalar::I32,
        PREDICATE | KILLED => Scalar::BOOL,
        _ => Scalar::F32,
    }
}

#[derive(Clone, Copy)]
struct Entry {
    lanes: [Lane; 4],
    /// Bit n: component n is newer than the local variable.
    dirty: u8,
}

/// Values of all registers at one point of the program.
#[derive(Clone)]
pub(super) struct Registers {
    file: Box<[Entry; COUNT]>,
}

/// Local variables of registers that crossed a join.
pub(super) struct Locals([Option<Expr>; COUNT]);

impl Locals {
    pub(super) fn new() -> Self {
        Self([None; COUNT])
    }

    fn pointer(&mut self, b: &mut Builder, slot: Slot) -> Expr {
        if let Some(pointer) = self.0[slot] {
            return pointer;
        }
        let width = if slot == KILLED { 1 } else { 4 };
        let ty = b.vector_ty(scalar_of(slot), width);
        let pointer = b.local(local_name(slot), ty);
        self.0[slot] = Some(pointer);
        pointer
    }
}

fn local_name(slot: Slot) -> String {
    match slot {
        ADDRESS => "a0".into(),
        PREDICATE => "p0".into(),
        KILLED => "killed".into(),
        OUTPUT.. => format!("o{}", slot - OUTPUT),
        TEXTURE.. => format!("t{}", slot - TEXTURE),
        _ => format!("r{slot}"),
    }
}

impl Registers {
    /// Every register zero.
    pub(super) fn new(b: &mut Builder) -> Self {
        let zero = Lane::scalar(b.lit(0.0), Known::Finite);
        let mut file = Box::new(
            [Entry {
                lanes: [zero; 4],
                dirty: 0,
            }; COUNT],
        );
        for slot in [ADDRESS, PREDICATE, KILLED] {
            let zero = match slot {
                ADDRESS => b.lit_i32(0),
                _ => b.lit_bool(false),
            };
            file[slot].lanes = [Lane::scalar(zero, Known::Finite); 4];
        }
        Self { file }
    }

    /// Gives a register 1 in all components at the start: what parts of `oD0` hold that
    /// a shader leaves unwritten.
    pub(super) fn start_white(&mut self, b: &mut Builder, slot: Slot) {
        let one = Lane::scalar(b.lit(1.0), Known::NonZero);
        self.file[slot] = Entry {
            lanes: [one; 4],
            dirty: 0xF,
        };
    }

    /// The components of a register, loaded from its local where they must be.
    pub(super) fn lanes(&mut self, b: &mut Builder, locals: &mut Locals, slot: Slot) -> [Lane; 4] {
        let entry = &mut self.file[slot];
        if entry.lanes.iter().any(|lane| lane.width == 0) {
            let pointer = locals.pointer(b, slot);
            let value = b.load(pointer);
            let width = if slot == KILLED { 1 } else { 4 };
            for (i, lane) in entry.lanes.iter_mut().enumerate() {
                if lane.width == 0 {
                    let index = if width == 1 { 0 } else { i as u8 };
                    *lane = Lane::of(value, index, width, Known::Nothing);
                }
            }
        }
        entry.lanes
    }

    /// Whether every component of a register is a literal.
    pub(super) fn is_literal(&self, b: &Builder, slot: Slot) -> bool {
        let lanes = &self.file[slot].lanes;
        lanes
            .iter()
            .all(|lane| lane.width == 1 && b.literal_value(lane.expr).is_some())
    }

    /// Replaces components of a register.
    pub(super) fn set(&mut self, slot: Slot, component: usize, lane: Lane) {
        let entry = &mut self.file[slot];
        entry.lanes[component] = lane;
        entry.dirty |= 1 << component;
    }

    /// Notes that the first `n` components of a register are also those of `value`.
    pub(super) fn regroup(&mut self, slot: Slot, value: Value) {
        for i in 0..value.n {
            let lane = &mut self.file[slot].lanes[i];
            *lane = Lane {
                known: lane.known,
                ..value.lane(i)
            };
        }
    }

    /// Writes what changed in the registers of `mask` to their locals.
    pub(super) fn flush(&mut self, b: &mut Builder, locals: &mut Locals, mask: u64) {
        for slot in slots(mask) {
            let Entry { lanes, dirty } = self.file[slot];
            if dirty == 0 {
                continue;
            }
            self.file[slot].dirty = 0;
            let pointer = locals.pointer(b, slot);
            if slot == KILLED {
                b.store(pointer, lanes[0].expr);
            } else if lanes.iter().any(|lane| lane.width == 0) {
                for i in (0..4).filter(|i| dirty >> i & 1 != 0) {
                    let value = gather(b, scalar_of(slot), &lanes[i..=i]);
                    let target = b.at(pointer, i as u32);
                    b.store(target, value);
                }
            } else {
                let value = gather(b, scalar_of(slot), &lanes);
                b.store(pointer, value);
            }
        }
    }

    /// Forgets the values of the registers of `mask`: they lie in their locals.
    pub(super) fn forget(&mut self, mask: u64) {
        for slot in slots(mask) {
            let entry = &mut self.file[slot];
            entry.dirty = 0;
            for lane in &mut entry.lanes {
                lane.width = 0;
            }
        }
    }
}

fn slots(mask: u64) -> impl Iterator<Item = Slot> {
    (0..COUNT).filter(move |slot| mask >> slot & 1 != 0)
}

/// Lanes as one value of `lanes.len()` components of type `scalar`.
pub(super) fn gather(b: &mut Builder, scalar: Scalar, lanes: &[Lane]) -> Expr {
    let first = lanes[0];
    let n = lanes.len();
    if n == 1 {
        return one(b, first);
    }
    if lanes
        .iter()
        .all(|lane| (lane.expr, lane.index) == (first.expr, first.index))
    {
        let value = one(b, first);
        return b.splat(value, n);
    }
    if first.width > 1 && lanes.iter().all(|lane| lane.expr == first.expr) {
        return part(b, lanes);
    }
    let mut components = Vec::with_capacity(n);
    let mut rest = lanes;
    while let Some(&head) = rest.first() {
        let run = match head.width {
            1 => 1,
            _ => rest
                .iter()
                .take_while(|lane| lane.expr == head.expr)
                .count(),
        };
        let (now, later) = rest.split_at(run);
        components.push(match run {
            1 => one(b, head),
            _ => part(b, now),
        });
        rest = later;
    }
    let ty: Handle<Type> = b.vector_ty(scalar, n);
    b.e(Expression::Compose { ty, components })
}

/// Two to four lanes of one vector.
fn part(b: &mut Builder, lanes: &[Lane]) -> Expr {
    let first = lanes[0];
    let in_order = lanes
        .iter()
        .enumerate()
        .all(|(i, lane)| usize::from(lane.index) == i);
    if in_order && usize::from(first.width) == lanes.len() {
        return first.expr;
    }
    let mut pattern = [0; 4];
    for (slot, lane) in pattern.iter_mut().zip(lanes) {
        *slot = lane.index;
    }
    b.swizzle(first.expr, &pattern[..lanes.len()])
}

/// One lane as a scalar.
pub(super) fn one(b: &mut Builder, lane: Lane) -> Expr {
    match lane.width {
        1 => lane.expr,
        _ => b.at(lane.expr, lane.index.into()),
    }
}
