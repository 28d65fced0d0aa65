//! What all routines share, and the arithmetic.

use super::Place;
use ninefold_guest::profile::Routine::{self, *};

/// All but the whole gather, which has no native version.
const ALL: &[Routine] = match &Routine::ALL {
    [natives @ .., WholeGather] => natives,
    _ => panic!("the whole gather is the last one"),
};

const WITH_ARGUMENTS: &[Routine] = &[
    MatrixProduct,
    SurfaceList,
    MaterialWalk,
    VisibleSurfaces,
    LeafGather,
    ClusterGather,
    TreeGather,
    FrustumBox,
];

/// Box against box has none.
const WITH_FRAMES: &[Routine] = &[
    MatrixProduct,
    NodeBounds,
    BoxPlanes,
    SurfaceList,
    MaterialWalk,
    VisibleSurfaces,
    LeafGather,
    ClusterGather,
    TreeGather,
    FrustumBox,
];

const WITH_SLOTS: &[Routine] = &[
    MatrixProduct,
    NodeBounds,
    BoxPlanes,
    BoxOverlap,
    VisibleSurfaces,
    LeafGather,
    ClusterGather,
    TreeGather,
    FrustumBox,
];

pub(super) const PLACES: &[Place] = &[
    Place {
        file: "entry.rs",
        block: "fn accepts",
        noticed_by: ALL,
        faults: &[
            ("machine.instruction_limit.is_none()", "true"),
            ("fpu.rounding() == Rounding::Nearest", "true"),
            (
                "fpu.rounding() == Rounding::Nearest",
                "fpu.rounding() != Rounding::Zero",
            ),
            ("!machine.cpu.flag(DF)", "true"),
        ],
    },
    Place {
        file: "entry.rs",
        block: "fn accepts",
        noticed_by: WITH_SLOTS,
        faults: &[
            ("taken == 0", "true"),
            ("0xFF_u8 >> slots", "0xFF_u8 >> (slots - 1)"),
            ("0xFF_u8 >> slots", "0xFF_u8 >> (slots + 1)"),
            ("!(0xFF_u8 >> slots)", "!(0xFF_u8 << slots)"),
            ("fpu.occupied.rotate_right(fpu.top.into())", "fpu.occupied"),
            (
                "fpu.occupied.rotate_right(fpu.top.into())",
                "fpu.occupied.rotate_left(fpu.top.into())",
            ),
        ],
    },
    Place {
        file: "entry.rs",
        block: "pub(super) fn new",
        noticed_by: &[BoxPlanes, SurfaceList],
        faults: &[("end <= 1 << 32", "end < 1 << 32")],
    },
    Place {
        file: "entry.rs",
        block: "fn overlaps(self, other",
        noticed_by: &[SurfaceList, BoxPlanes],
        faults: &[
            ("self.start < other.end && other.start < self.end", "false"),
            ("self.start < other.end", "self.end < other.end"),
            ("other.start < self.end", "other.end < self.end"),
        ],
    },
    Place {
        file: "entry.rs",
        block: "fn overlaps(self, other",
        noticed_by: &[SurfaceList],
        faults: &[
            ("self.start < other.end", "self.start <= other.end"),
            ("other.start < self.end", "other.start <= self.end"),
        ],
    },
    Place {
        file: "entry.rs",
        block: "fn is_writable",
        noticed_by: &[SurfaceList],
        faults: &[
            (
                "machine.memory.is_writable(self.start as u32, length)",
                "true",
            ),
            ("is_writable(self.start as u32, «length»)", "1"),
        ],
    },
    Place {
        file: "entry.rs",
        block: "fn is_readable",
        noticed_by: &[SurfaceList],
        faults: &[("is_readable(self.start as u32, «length»)", "1")],
    },
    Place {
        file: "entry.rs",
        block: "fn overlap(",
        noticed_by: &[MatrixProduct, NodeBounds],
        faults: &[
            (
                "b.wrapping_sub(a).wrapping_add(b_length - 1) < a_length + b_length - 1",
                "false",
            ),
            (
                "b.wrapping_sub(a).wrapping_add(b_length - 1) < a_length + b_length - 1",
                "b.wrapping_sub(a) < a_length",
            ),
            (
                "b.wrapping_sub(a).wrapping_add(b_length - 1) < a_length + b_length - 1",
                "a.wrapping_sub(b) < b_length",
            ),
            ("wrapping_add(«b_length - 1»)", "b_length"),
            ("< «a_length + b_length - 1»", "a_length + b_length"),
            ("< «a_length + b_length - 1»", "a_length + b_length - 2"),
        ],
    },
    Place {
        file: "entry.rs",
        block: "pub(super) fn stack(",
        noticed_by: WITH_FRAMES,
        faults: &[
            ("let length = «depth + 4 + arguments»", "4 + arguments"),
            ("machine.cpu[Reg::Esp].wrapping_sub(«depth»)", "depth - 4"),
        ],
    },
    Place {
        file: "entry.rs",
        block: "pub(super) fn stack(",
        noticed_by: WITH_ARGUMENTS,
        faults: &[
            ("let length = «depth + 4 + arguments»", "depth + 4"),
            ("let length = «depth + 4 + arguments»", "depth + arguments"),
        ],
    },
    Place {
        file: "entry.rs",
        block: "fn leave_sum",
        noticed_by: WITH_FRAMES,
        faults: &[
            ("cpu.set_flags(alu::ARITHMETIC, flags);", ""),
            (
                "set_flags(«alu::ARITHMETIC», flags)",
                "alu::ARITHMETIC & !crate::cpu::AF",
            ),
            (
                "set_flags(«alu::ARITHMETIC», flags)",
                "alu::ARITHMETIC & !crate::cpu::PF",
            ),
            (
                "set_flags(«alu::ARITHMETIC», flags)",
                "alu::ARITHMETIC & !crate::cpu::OF",
            ),
        ],
    },
    Place {
        file: "entry.rs",
        block: "fn leave_test",
        noticed_by: &[BoxOverlap, FrustumBox],
        faults: &[
            (
                "set_flags(«alu::ARITHMETIC», alu::logic",
                "alu::ARITHMETIC & !crate::cpu::CF",
            ),
            ("cpu.fpu.status() >> 8", "cpu.fpu.status() >> 7"),
        ],
    },
    Place {
        file: "entry.rs",
        block: "fn leave_test",
        noticed_by: &[BoxOverlap],
        faults: &[
            ("ah & 0x41", "ah & 0x45"),
            ("ah & 0x41", "ah & 0x40"),
            ("ah & 0x41", "ah & 0x01"),
        ],
    },
    Place {
        file: "entry.rs",
        block: "fn leave_comparison",
        noticed_by: &[BoxPlanes, BoxOverlap, TreeGather],
        faults: &[
            ("Some(Ordering::Less) => «C0»", "C3"),
            ("Some(Ordering::Equal) => «C3»", "0"),
            ("None => «C0 | C2 | C3»", "C0"),
            ("None => «C0 | C2 | C3»", "0"),
        ],
    },
    Place {
        file: "entry.rs",
        block: "fn leave_comparison",
        noticed_by: &[BoxPlanes, BoxOverlap, TreeGather, FrustumBox],
        faults: &[
            ("Some(Ordering::Greater) => «0»", "C0"),
            (
                "[f32::from_bits(x), f32::from_bits(y)]",
                "[f32::from_bits(y), f32::from_bits(x)]",
            ),
            ("leave_stale(cpu, 1, number::loaded(x));", ""),
            ("leave_stale(cpu, 1, number::loaded(«x»));", "y"),
            ("leave_stale(cpu, «1», number::loaded(x));", "2"),
        ],
    },
    Place {
        file: "entry.rs",
        block: "fn leave_stale",
        noticed_by: WITH_SLOTS,
        faults: &[
            ("cpu.fpu.slots[slot] = value;", ""),
            (
                "cpu.fpu.slots[slot] = value;",
                "cpu.fpu.set(8 - depth, value);",
            ),
            ("slot(«8 - depth»)", "depth - 1"),
            ("slots[«slot»]", "8 - usize::from(depth)"),
        ],
    },
    Place {
        file: "entry.rs",
        block: "fn leave(",
        noticed_by: ALL,
        faults: &[
            ("entry.wrapping_add(4)", "entry"),
            ("cpu.eip = address;", ""),
        ],
    },
    Place {
        file: "number.rs",
        block: "impl Number for f64",
        noticed_by: &[NodeBounds, TreeGather],
        faults: &[("self - other", "other - self")],
    },
    Place {
        file: "number.rs",
        block: "impl Number for f64",
        // Box against planes rounds each sum to a float anyway.
        noticed_by: &[MatrixProduct, NodeBounds, TreeGather],
        faults: &[("self + other", "f64::from((self + other) as f32)")],
    },
    Place {
        file: "number.rs",
        block: "impl Number for f64",
        noticed_by: &[MatrixProduct, NodeBounds, BoxPlanes, TreeGather],
        faults: &[
            ("self * other", "f64::from((self * other) as f32)"),
            ("self * other", "self * -other"),
            ("(self as f32).to_bits()", "(self as f32).to_bits() & !1"),
        ],
    },
    Place {
        file: "number.rs",
        block: "impl Number for Exact",
        noticed_by: &[MatrixProduct, NodeBounds, TreeGather],
        faults: &[
            ("x87::quiet(x87::f32_to_f64(bits))", "x87::f32_to_f64(bits)"),
            (
                "x87::add(self.0, other.0, Rounding::Nearest)",
                "(f64::from_bits(self.0) + f64::from_bits(other.0)).to_bits()",
            ),
        ],
    },
    Place {
        file: "number.rs",
        block: "impl Number for Exact",
        // The tree gather adds exactly for NaNs only.
        noticed_by: &[MatrixProduct, NodeBounds],
        faults: &[(
            "x87::add(self.0, other.0, Rounding::Nearest)",
            "x87::add(self.0, other.0, Rounding::Down)",
        )],
    },
    Place {
        file: "number.rs",
        block: "impl Number for Exact",
        noticed_by: &[MatrixProduct, BoxPlanes, TreeGather, FrustumBox],
        faults: &[
            (
                "fn operand(bits: u32) -> Self { Exact(«x87::f32_to_f64(bits)»)",
                "x87::quiet(x87::f32_to_f64(bits))",
            ),
            (
                "x87::mul(self.0, other.0, Rounding::Nearest)",
                "(f64::from_bits(self.0) * f64::from_bits(other.0)).to_bits()",
            ),
        ],
    },
    Place {
        file: "number.rs",
        block: "impl Number for Exact",
        noticed_by: &[NodeBounds],
        faults: &[(
            "x87::sub(self.0, other.0, Rounding::Nearest)",
            "x87::sub(other.0, self.0, Rounding::Nearest)",
        )],
    },
    Place {
        file: "number.rs",
        block: "impl Number for Exact",
        noticed_by: &[MatrixProduct, NodeBounds, BoxPlanes, TreeGather],
        faults: &[(
            "x87::f64_to_f32(self.0, Rounding::Nearest)",
            "(f64::from_bits(self.0) as f32).to_bits() | 1",
        )],
    },
    Place {
        file: "number.rs",
        block: "fn loaded_nan",
        // Others compare what is above something, which is no NaN, before they return.
        noticed_by: &[BoxPlanes, BoxOverlap],
        faults: &[("Exact::load(bits)", "Exact::operand(bits)")],
    },
    Place {
        file: "number.rs",
        block: "fn above",
        noticed_by: &[BoxOverlap, TreeGather, FrustumBox],
        faults: &[
            (
                "f32::from_bits(x) > f32::from_bits(y)",
                "f32::from_bits(x) >= f32::from_bits(y)",
            ),
            (
                "f32::from_bits(x) > f32::from_bits(y)",
                "!(f32::from_bits(x) <= f32::from_bits(y))",
            ),
            (
                "f32::from_bits(x) > f32::from_bits(y)",
                "f32::from_bits(y) > f32::from_bits(x)",
            ),
            (
                "f32::from_bits(x) > f32::from_bits(y)",
                "x as i32 > y as i32",
            ),
        ],
    },
    Place {
        file: "number.rs",
        block: "fn is_nan",
        noticed_by: &[BoxPlanes],
        faults: &[
            ("f32::from_bits(bits).is_nan()", "false"),
            (
                "f32::from_bits(bits).is_nan()",
                "f32::from_bits(bits).is_nan() && bits >> 31 == 0",
            ),
        ],
    },
    Place {
        file: "number.rs",
        block: "fn are_finite",
        noticed_by: &[NodeBounds, BoxPlanes, FrustumBox],
        faults: &[
            ("carries & SIGNS == 0", "true"),
            (
                "carries |= (u64::from_le_bytes(*pair) & EXPONENTS) + ONES;",
                "carries = (u64::from_le_bytes(*pair) & EXPONENTS) + ONES;",
            ),
        ],
    },
    Place {
        file: "number.rs",
        block: "fn are_finite",
        // A NaN where an axis begins is the only one there.
        noticed_by: &[BoxPlanes, FrustumBox],
        faults: &[
            ("carries & SIGNS == 0", "carries >> 63 == 0"),
            (
                "(u64::from_le_bytes(*pair) & EXPONENTS) + ONES",
                "(u64::from_le_bytes(*pair) & EXPONENTS) + (ONES >> 32)",
            ),
        ],
    },
];
