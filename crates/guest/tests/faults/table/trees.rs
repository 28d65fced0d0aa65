//! What the tree gather does on its own.

use super::Place;
use ninefold_guest::profile::Routine::*;

pub(super) const PLACES: &[Place] = &[
    Place {
        file: "gather.rs",
        block: "fn tree(",
        noticed_by: &[TreeGather],
        faults: &[
            ("self.set_argument(0x2C, INSIDE.into());", ""),
            (
                "self.set_argument(0x2C, INSIDE.into());",
                "let above = self.argument(0x2C) & !0xFFFF; self.set_argument(0x2C, u32::from(INSIDE) | above);",
            ),
            ("self.short(0x2C) as u16 != INSIDE", "true"),
            (
                "self.short(0x2C) as u16 != INSIDE",
                "self.argument(0x2C) != INSIDE.into()",
            ),
            ("self.argument(8)", "self.argument(4)"),
            ("self.of_bsp(«NODES»)?", "NODES - 12"),
            (
                "self.argument(4).wrapping_mul(6)",
                "self.argument(4).wrapping_mul(8)",
            ),
            (
                "self.bounds_pass(parent, bytes, «0x20», 0x28, 0x24)",
                "0x28",
            ),
            (
                "self.bounds_pass(parent, bytes, 0x20, 0x28, «0x24»)",
                "0x20",
            ),
            (
                "Ok([0, self.machine.cpu[Reg::Ecx], self.e - 0x28])",
                "Ok([0, self.machine.cpu[Reg::Edx], self.e - 0x28])",
            ),
            (
                "Ok([0, self.machine.cpu[Reg::Ecx], self.e - 0x28])",
                "Ok([0, self.machine.cpu[Reg::Ecx], bytes])",
            ),
            (
                "Some(_) => «{}»",
                "{ let at = self.e + 0x2C; self.memory().write_u32(at, INSIDE.into())?; }",
            ),
            ("self.set_local(0x2C, 0);", ""),
            ("self.argument(0x18)", "self.argument(0x1C)"),
            ("self.of_bsp(«COLLISION»)?", "COLLISION + 12"),
            ("node.wrapping_mul(0xC)", "node.wrapping_mul(8)"),
            (
                "collision.wrapping_add(0x10)",
                "collision.wrapping_add(0x1C)",
            ),
            ("number.wrapping_mul(0x10)", "number.wrapping_mul(0xC)"),
            (
                "self.machine.cpu[reg] = value;",
                "if reg != Reg::Ebp { self.machine.cpu[reg] = value; }",
            ),
            (
                "self.machine.cpu[reg] = value;",
                "if reg != Reg::Edi { self.machine.cpu[reg] = value; }",
            ),
            ("self.measure(plane, point)?;", ""),
            (
                "self.machine.cpu[Reg::Ebx] = FRONT;",
                "self.machine.cpu[Reg::Ebx] = BACK;",
            ),
            ("let mut enter = «!self.is_behind()?»", "true"),
            (
                "let mut enter = «!self.is_behind()?»",
                "{ self.is_behind()?; true }",
            ),
            ("if enter { self.child()?; }", "self.child()?;"),
            (
                "self.machine.cpu[Reg::Ebx] == BACK",
                "self.machine.cpu[Reg::Ebx] != FRONT",
            ),
            ("self.is_in_front()?", "false"),
            (
                "self.is_in_front()? || self.local(0x2C) as i32 >= self.short(0x14)",
                "self.local(0x2C) as i32 >= self.short(0x14) || self.is_in_front()?",
            ),
            ("self.local(0x2C) as i32 >= self.short(0x14)", "false"),
            (
                "self.local(0x2C) as i32 >= self.short(0x14)",
                "self.local(0x2C) as i32 > self.short(0x14)",
            ),
            (
                "self.local(0x2C) as i32 >= self.short(0x14)",
                "self.local(0x2C) as i32 >= self.argument(0x14) as i32",
            ),
            (
                "[self.local(0x2C), self.argument(0x14), self.local(0x30)]",
                "[self.local(0x2C), self.short(0x14) as u32, self.local(0x30)]",
            ),
            (
                "[self.local(0x2C), self.argument(0x14), self.local(0x30)]",
                "[self.local(0x2C), self.argument(0x14), self.argument(0x1C)]",
            ),
        ],
    },
    Place {
        file: "gather.rs",
        block: "fn measure",
        noticed_by: &[TreeGather],
        faults: &[
            ("self.set_local(0x30, measured.distance);", ""),
            (
                "entry::leave_stale(&mut self.machine.cpu, 2, measured.stale[1]);",
                "",
            ),
            (
                "leave_stale(&mut self.machine.cpu, 2, «measured.stale[1]»)",
                "measured.stale[0]",
            ),
        ],
    },
    Place {
        file: "gather.rs",
        block: "fn is_behind",
        noticed_by: &[TreeGather],
        faults: &[
            (
                "number::loaded(self.argument(0x1C)) ^ 1 << 63",
                "number::loaded(self.argument(0x1C))",
            ),
            (
                "number::loaded(self.argument(0x1C)) ^ 1 << 63",
                "number::loaded(self.argument(0x1C)) | 1 << 63",
            ),
            (
                "number::loaded(self.argument(0x1C)) ^ 1 << 63",
                "(-f64::from(f32::from_bits(self.argument(0x1C)))).to_bits() | u64::from(self.argument(0x1C) & 1)",
            ),
            (
                "f64::from_bits(radius) > f64::from_bits(distance)",
                "f64::from_bits(radius) >= f64::from_bits(distance)",
            ),
            (
                "f64::from_bits(radius) > f64::from_bits(distance)",
                "!(f64::from_bits(radius) <= f64::from_bits(distance))",
            ),
        ],
    },
    Place {
        file: "gather.rs",
        block: "fn is_in_front",
        noticed_by: &[TreeGather],
        faults: &[
            (
                "entry::leave_comparison(&mut self.machine.cpu, distance, radius);",
                "",
            ),
            (
                "entry::leave_comparison(&mut self.machine.cpu, distance, radius);",
                "entry::leave_comparison(&mut self.machine.cpu, radius, distance);",
            ),
            (
                "number::above(distance, radius)",
                "!number::above(radius, distance)",
            ),
        ],
    },
    Place {
        file: "gather.rs",
        block: "fn child(",
        noticed_by: &[TreeGather],
        faults: &[
            ("let gathered = «word(1)»", "0"),
            ("let gathered = «word(1)»", "word(0)"),
            (
                "[0x28, 0x24, 0x20].map(argument)",
                "[0x24, 0x28, 0x20].map(argument)",
            ),
            (
                "[0x28, 0x24, 0x20].map(argument)",
                "[0x28, 0x24, 0x1C].map(argument)",
            ),
            (
                "(i32::from(argument(0x14) as i16) as u32).wrapping_sub(gathered)",
                "i32::from(argument(0x14) as i16) as u32",
            ),
            (
                "(i32::from(argument(0x14) as i16) as u32).wrapping_sub(gathered)",
                "argument(0x14).wrapping_sub(gathered)",
            ),
            (
                "argument(0x10).wrapping_add(gathered.wrapping_mul(4))",
                "argument(0x10)",
            ),
            (
                "argument(0x10).wrapping_add(gathered.wrapping_mul(4))",
                "argument(0x10).wrapping_add(gathered.wrapping_mul(2))",
            ),
            ("let visited = «argument(0xC)»", "argument(0x10)"),
            (
                "[0x1C, 0x18, 0x2C].map(argument)",
                "[0x18, 0x1C, 0x2C].map(argument)",
            ),
            (
                "[0x1C, 0x18, 0x2C].map(argument)",
                "[argument(0x1C), argument(0x18), 1]",
            ),
            (
                "[0x1C, 0x18, 0x2C].map(argument)",
                "[argument(0x1C), argument(0x18), i32::from(argument(0x2C) as i16) as u32]",
            ),
            ("let decoded = «self.e - 0x28»", "argument(8)"),
            (
                "[decoded, visited, out, room, bounds, count, planes]",
                "[decoded, visited, room, out, bounds, count, planes]",
            ),
            (
                "[decoded, visited, out, room, bounds, count, planes]",
                "[decoded, visited, out, room, bounds, planes, count]",
            ),
            (
                "[child, decoded, visited, out, room, point, radius, bounds, count, planes, class,]",
                "[child, decoded, visited, out, room, radius, point, bounds, count, planes, class]",
            ),
            (
                "[child, decoded, visited, out, room, point, radius, bounds, count, planes, class,]",
                "[child, visited, decoded, out, room, point, radius, bounds, count, planes, class]",
            ),
            ("self.machine.cpu[Reg::Ecx] = class;", ""),
            (
                "children.wrapping_add(offset)",
                "children.wrapping_add(FRONT)",
            ),
            ("child == u32::MAX", "false"),
            ("child == u32::MAX", "child >> 31 != 0"),
            ("self.call(Routine::LeafGather, «4»)?", "5"),
            ("self.call(Routine::TreeGather, «5»)?", "4"),
            ("self.local(0x2C).wrapping_add(gathered)", "gathered"),
            ("self.set_local(0x2C, total);", ""),
        ],
    },
    Place {
        file: "distance.rs",
        block: "fn distance<",
        noticed_by: &[TreeGather],
        faults: &[
            (
                "N::load(plane[axis]).mul(N::operand(point[axis]))",
                "N::load(point[axis]).mul(N::operand(plane[axis]))",
            ),
            (
                "product(0).add(product(1)).add(last)",
                "product(0).add(product(1).add(last))",
            ),
            (
                "product(0).add(product(1)).add(last)",
                "last.add(product(1)).add(product(0))",
            ),
            (
                "product(0).add(product(1)).add(last).sub(N::operand(plane[3]))",
                "product(0).sub(N::operand(plane[3])).add(product(1)).add(last)",
            ),
            (".sub(«N::operand(plane[3])»)", "N::load(plane[3])"),
            (
                "stale: «[sum.bits(), last.bits()]»",
                "[last.bits(), sum.bits()]",
            ),
        ],
    },
    Place {
        file: "gather.rs",
        block: "fn push<",
        noticed_by: &[TreeGather],
        faults: &[
            (
                "*self.frame_mut(below) = entry::bytes::<N, B>(arguments);",
                "",
            ),
            (
                "*self.frame_mut(«below») = entry::bytes::<N, B>(arguments)",
                "below + 4",
            ),
            (
                "self.machine.cpu[Reg::Esp] = «self.e - below»",
                "self.e - below - 4",
            ),
        ],
    },
    Place {
        file: "distance.rs",
        block: "fn measure(",
        noticed_by: &[TreeGather],
        faults: &[("f64::from_bits(measured.stale[0]).is_nan()", "false")],
    },
    Place {
        file: "distance.rs",
        block: "fn operands_in_order",
        noticed_by: &[TreeGather],
        faults: &[
            ("number as u32 * 4", "number as u32"),
            (
                "operands.0[axis] = «word(plane, axis)?»",
                "{ word(point, axis)?; word(plane, axis)? }",
            ),
            (
                "operands.1[axis] = «word(point, axis)?»",
                "{ if axis == 2 { word(plane, 3)?; } word(point, axis)? }",
            ),
            (
                "operands.1[axis] = «word(point, axis)?»",
                "{ if axis < 2 { word(plane, axis + 1)?; } word(point, axis)? }",
            ),
        ],
    },
];
