//! The three gathers.

use super::Place;
use ninefold_guest::profile::Routine::{self, *};

const GATHERS: &[Routine] = &[LeafGather, ClusterGather, TreeGather];
/// Those that mark surfaces of their own.
const MARKING: &[Routine] = &[LeafGather, ClusterGather];

pub(super) const PLACES: &[Place] = &[
    Place {
        file: "gather.rs",
        block: "fn of(",
        noticed_by: &[TreeGather],
        faults: &[(
            "all[number - 1]",
            "all[number - 1 - usize::from(number == 5)]",
        )],
    },
    Place {
        file: "gather.rs",
        block: "pub(super) fn run(",
        noticed_by: GATHERS,
        faults: &[
            ("entry::accepts(machine, «SLOTS»)", "3"),
            ("entry::accepts(machine, «SLOTS»)", "5"),
            (
                "«SAVED».map(|reg| gather.machine.cpu[reg])",
                "[Reg::Edi, Reg::Ebp, Reg::Esi, Reg::Ebx]",
            ),
            (
                "«SAVED».map(|reg| gather.machine.cpu[reg])",
                "[Reg::Ebx, Reg::Esi, Reg::Ebp, Reg::Edi]",
            ),
            (
                "*gather.frame_mut(SAVED_SIZE) = entry::bytes::<4, { SAVED_SIZE as usize }>(saved);",
                "",
            ),
            ("let bottom = «e - 0x10 - locals»", "e - locals"),
            ("gather.machine.cpu[reg] = word(number);", ""),
            ("cpu[Reg::Eax] = eax;", ""),
            ("cpu[Reg::Eax] = «eax»", "ecx"),
            ("cpu[Reg::Ecx] = ecx;", ""),
            ("cpu[Reg::Edx] = edx;", ""),
            ("leave_sum(cpu, bottom, «locals»)", "locals + 0x10"),
            ("leave_sum(cpu, «bottom», locals)", "e"),
            (
                "entry::leave(cpu, e, back);",
                "entry::leave(cpu, e + arguments, back);",
            ),
        ],
    },
    Place {
        file: "gather.rs",
        block: "pub(super) fn run(",
        noticed_by: &[ClusterGather, LeafGather],
        faults: &[("let back = «word(SAVED.len())»", "0x0BAD_0BAC")],
    },
    Place {
        file: "gather.rs",
        block: "pub(super) fn run(",
        noticed_by: &[LeafGather],
        faults: &[
            ("(0x18, 4, 28)", "(0x18, 0, 28)"),
            ("(0x18, 4, 28)", "(0x18, 4, 24)"),
            (
                "[gather.machine.cpu[Reg::Eax], gather.machine.cpu[Reg::Ecx]]",
                "[gather.machine.cpu[Reg::Ecx], gather.machine.cpu[Reg::Eax]]",
            ),
        ],
    },
    Place {
        file: "gather.rs",
        block: "pub(super) fn run(",
        noticed_by: &[ClusterGather],
        faults: &[
            ("(0x10, 4, 32)", "(0x10, 0, 32)"),
            ("(0x10, 4, 32)", "(0x10, 4, 28)"),
        ],
    },
    Place {
        file: "gather.rs",
        block: "pub(super) fn run(",
        noticed_by: &[TreeGather],
        faults: &[
            ("(0x20, 0x30, 44)", "(0x20, 0x2C, 44)"),
            ("(0x20, 0x30, 44)", "(0x20, 0x30, 40)"),
        ],
    },
    Place {
        file: "gather.rs",
        block: "fn short",
        noticed_by: GATHERS,
        faults: &[
            (
                "i32::from(self.argument(offset) as i16)",
                "i32::from(self.argument(offset) as u16)",
            ),
            (
                "i32::from(self.argument(offset) as i16)",
                "self.argument(offset) as i32",
            ),
        ],
    },
    Place {
        file: "gather.rs",
        block: "fn call(",
        // The children of the others write nothing but their frames.
        noticed_by: &[TreeGather],
        faults: &[("eip != back", "false")],
    },
    Place {
        file: "gather.rs",
        block: "fn bounds_pass",
        noticed_by: &[LeafGather, TreeGather],
        faults: &[
            ("self.e - 0x28", "self.e - 0x24"),
            ("query: «self.argument(box_slot)»", "parent"),
            (
                "planes: «self.argument(planes_slot)»",
                "self.argument(count_slot)",
            ),
            (
                "count: «self.argument(count_slot)»",
                "self.short(count_slot) as u32",
            ),
            ("«[2, 3]».map(|number| self.sites.of(number))", "[3, 2]"),
            ("(both[1] != 0).then_some(both)", "Some(both)"),
            (
                "(both[1] != 0).then_some(both)",
                "(both[1] == 2).then_some(both)",
            ),
            ("cpu[Reg::Ecx] = parent;", "cpu[Reg::Ecx] = bytes;"),
            ("cpu[Reg::Edx] = bytes;", ""),
            ("cpu[Reg::Esi] = bounds;", ""),
            ("self.call(Routine::NodeBounds, 1)?;", ""),
            (
                "self.box_passes(bounds, box_slot, planes_slot, count_slot, «2»)",
                "1",
            ),
        ],
    },
    Place {
        file: "gather.rs",
        block: "fn box_passes",
        noticed_by: GATHERS,
        faults: &[
            (
                "self.machine.cpu[Reg::Ecx] = «self.argument(box_slot)»",
                "bounds",
            ),
            (
                "self.machine.cpu[Reg::Edx] = bounds;",
                "self.machine.cpu[Reg::Edx] = self.machine.cpu[Reg::Ecx];",
            ),
            ("if overlap == 0 { return Ok(None); }", ""),
            (
                "self.machine.cpu[Reg::Eax] = bounds;",
                "self.machine.cpu[Reg::Eax] = self.machine.cpu[Reg::Ecx];",
            ),
            ("self.argument(planes_slot)", "self.argument(box_slot)"),
            ("self.argument(count_slot)", "self.short(count_slot) as u32"),
            ("self.call(Routine::BoxPlanes, «site + 1»)", "site"),
            ("side != 0", "side == 2"),
            ("side != 0", "true"),
        ],
    },
    Place {
        file: "gather.rs",
        block: "fn mark(",
        noticed_by: MARKING,
        faults: &[
            (
                "memory.read_u32(global::SURFACE_BITS.wrapping_add(word))? & mask == 0",
                "false",
            ),
            ("if visited & mask != 0 { return Ok(false); }", ""),
            ("self.memory().write_u32(place, visited | mask)?;", ""),
            ("write_u32(place, «visited | mask»)", "mask"),
            (
                "self.memory().write_u32(place, visited | mask)?; let out = self.argument(out_slot); self.memory().write_u32(out.wrapping_add(gathered.wrapping_mul(4)), surface)?;",
                "let out = self.argument(out_slot); self.memory().write_u32(out.wrapping_add(gathered.wrapping_mul(4)), surface)?; self.memory().write_u32(place, visited | mask)?;",
            ),
            (
                "self.memory().write_u32(place, visited | mask)?; let out = self.argument(out_slot); self.memory().write_u32(out.wrapping_add(gathered.wrapping_mul(4)), surface)?;",
                "let out = self.argument(out_slot); self.memory().write_u32(place, visited | mask)?; self.memory().write_u32(out.wrapping_add(gathered.wrapping_mul(4)), surface)?;",
            ),
            ("gathered.wrapping_mul(4)", "gathered"),
            ("wrapping_mul(4)), «surface»)", "surface & 31"),
            (
                "self.memory().write_u32(out.wrapping_add(gathered.wrapping_mul(4)), surface)?;",
                "",
            ),
        ],
    },
    Place {
        file: "gather.rs",
        block: "fn mark_chunk",
        noticed_by: MARKING,
        faults: &[
            (
                "list.left.min(CHUNK).min(target.room)",
                "list.left.min(CHUNK)",
            ),
            (
                "list.left.min(CHUNK).min(target.room)",
                "list.left.min(CHUNK).min(target.room + 1)",
            ),
            ("low = low.min(word);", "low = word;"),
            ("high = high.max(word);", "high = word;"),
            (
                "let words = «(high - low + 1) as usize»",
                "(high - low) as usize",
            ),
            ("target.visited.wrapping_add(low * 4)", "target.visited"),
            ("global::SURFACE_BITS + low * 4", "global::SURFACE_BITS"),
            ("target.gathered.wrapping_mul(4)", "target.gathered"),
            (
                "[(visited, words as u32 * 4), (out, length * 4)]",
                "[(out, length * 4); 2]",
            ),
            (
                "[(visited, words as u32 * 4), (out, length * 4)]",
                "[(visited, words as u32 * 4); 2]",
            ),
            ("entry::overlap(at, bytes, header, HEADER)", "false"),
            ("|&(at, bytes)| «stack.overlaps(at, bytes)»", "false"),
            (
                "u32::from_le_bytes(bits[index]) & !seen & mask != 0",
                "u32::from_le_bytes(bits[index]) & mask != 0",
            ),
            (
                "u32::from_le_bytes(bits[index]) & !seen & mask != 0",
                "!seen & mask != 0",
            ),
            ("let mask = «1 << (number & 31)»", "1_u32 << (number & 15)"),
            ("visited[index] = (seen | mask).to_le_bytes();", ""),
            ("visited[index] = «(seen | mask)».to_le_bytes();", "mask"),
            (
                "*place = number.to_le_bytes();",
                "*place = (number & 0x1F).to_le_bytes();",
            ),
            ("Some((«length», (room - out.len()) as u32))", "length + 1"),
            ("Some((length, «(room - out.len()) as u32»))", "length"),
        ],
    },
    Place {
        file: "gather.rs",
        block: "fn skip_rejected",
        noticed_by: &[ClusterGather],
        faults: &[
            (
                "subclusters.wrapping_sub(number).wrapping_sub(1).min(CHUNK)",
                "subclusters.wrapping_sub(number).min(CHUNK)",
            ),
            ("first.wrapping_add(«number.wrapping_mul(SUBCLUSTER)»)", "0"),
            ("self.argument(0xC)", "self.argument(0x14)"),
            ("self.stack.overlaps(at, bytes)", "false"),
            ("(cluster.wrapping_add(0x34), 8)", "(box_at, BOX as u32)"),
            ("«(box_at, BOX as u32)», (from,", "(cluster, 4)"),
            ("(from, most * SUBCLUSTER)", "(box_at, BOX as u32)"),
            (
                "boxes::are_apart(bounds, subcluster)",
                "!boxes::are_apart(bounds, subcluster)",
            ),
            ("rejected.count() as u32", "rejected.count() as u32 + 1"),
            ("self.set_local(0x18, number);", ""),
        ],
    },
    Place {
        file: "gather.rs",
        block: "fn leaf(",
        noticed_by: &[LeafGather],
        faults: &[
            (".wrapping_add(«LEAF_SURFACES»)", "LEAF_SURFACES - 12"),
            (
                "entries.wrapping_add(number.wrapping_mul(8))",
                "entries.wrapping_add(number.wrapping_mul(4))",
            ),
            ("visited: «self.argument(8)»", "self.argument(4)"),
            ("out: «self.argument(0xC)»", "self.argument(8)"),
            ("gathered: «gathered as u32»", "0"),
            (
                "room: «(self.short(0x10) - gathered) as u32»",
                "self.short(0x10) as u32",
            ),
            (
                "[leaf, global::STRUCTURE_BSP, block]",
                "[block, global::STRUCTURE_BSP, block]",
            ),
            (
                "[leaf, global::STRUCTURE_BSP, block]",
                "[leaf, leaf, block]",
            ),
            (
                "[leaf, global::STRUCTURE_BSP, block]",
                "[leaf, global::STRUCTURE_BSP, leaf]",
            ),
            ("self.memory().read_u32(«from»)", "entries"),
            ("child & 0x7FFF_FFFF", "child & 0x1F"),
            ("self.of_bsp(«LEAVES»)?", "LEAVES - 12"),
            ("index.wrapping_mul(0x10)", "index.wrapping_mul(0xC)"),
            ("class != INSIDE", "true"),
            ("class != INSIDE", "class & 1 != 0"),
            ("self.argument(4)", "self.argument(8)"),
            ("self.bounds_pass(parent, leaf, «0x14», 0x1C, 0x18)", "0x1C"),
            ("self.bounds_pass(parent, leaf, 0x14, «0x1C», 0x18)", "0x14"),
            ("self.bounds_pass(parent, leaf, 0x14, 0x1C, «0x18»)", "0x10"),
            (
                "return Ok([0, self.machine.cpu[Reg::Ecx], self.e - 0x28]);",
                "return Ok([0, self.machine.cpu[Reg::Edx], self.e - 0x28]);",
            ),
            (
                "return Ok([0, self.machine.cpu[Reg::Ecx], self.e - 0x28]);",
                "return Ok([0, self.machine.cpu[Reg::Ecx], leaf]);",
            ),
            ("leaf.wrapping_add(0xA)", "leaf.wrapping_add(0x8)"),
            (
                "reference >= «i32::from(references as i16)»",
                "i32::from(references)",
            ),
            (
                "reference >= i32::from(references as i16)",
                "reference + 1 >= i32::from(references as i16)",
            ),
            (
                "gathered >= self.short(0x10)",
                "gathered > self.short(0x10)",
            ),
            ("gathered >= self.short(0x10)", "false"),
            (
                "return Ok([gathered as u32, reference as u32, leaf]);",
                "return Ok([gathered as u32, gathered as u32, leaf]);",
            ),
            (
                "return Ok([gathered as u32, reference as u32, leaf]);",
                "return Ok([gathered as u32, reference as u32, index]);",
            ),
            ("leaf.wrapping_add(0xC)", "leaf.wrapping_add(0x8)"),
            ("first.wrapping_add(reference as u32)", "first"),
            (
                "left: «(i32::from(references as i16) - reference) as u32»",
                "references.into()",
            ),
            ("reference += looked_at as i32;", "reference += 1;"),
            ("gathered += new as i32;", ""),
            (
                "gathered += i32::from(self.mark(surface, gathered as u32, 8, 0xC)?);",
                "gathered += 1; self.mark(surface, gathered as u32, 8, 0xC)?;",
            ),
            ("self.mark(surface, gathered as u32, «8», 0xC)", "4"),
        ],
    },
    Place {
        file: "gather.rs",
        block: "fn clusters",
        noticed_by: &[ClusterGather],
        faults: &[
            ("self.set_local(0x1C, 0);", ""),
            ("self.set_local(0x14, 0);", ""),
            (
                "number as i32 >= self.short(0x1C)",
                "number >= self.short(0x1C) as u32",
            ),
            (
                "number as i32 >= self.short(0x1C)",
                "number as i32 > self.short(0x1C)",
            ),
            (
                "number as i32 >= self.short(0x1C)",
                "number as i32 >= self.argument(0x1C) as i32",
            ),
            ("self.argument(0x20)", "self.argument(0x1C)"),
            ("number.wrapping_mul(2)", "number.wrapping_mul(4)"),
            (
                "i32::from(self.memory().read_u16(at)? as i16) as u32",
                "u32::from(self.memory().read_u16(at)?)",
            ),
            (
                "i32::from(self.memory().read_u16(at)? as i16) as u32",
                "self.memory().read_u32(at)?",
            ),
            ("self.of_bsp(«CLUSTERS»)?", "CLUSTERS - 12"),
            ("index.wrapping_mul(0x68)", "index.wrapping_mul(0x64)"),
            ("self.set_local(0x20, cluster);", ""),
            ("self.set_local(0x18, 0);", ""),
            ("if !self.cluster()? { break; }", "self.cluster()?;"),
            (
                "self.set_local(0x14, number.wrapping_add(1));",
                "self.set_local(0x14, number.wrapping_add(2));",
            ),
            (
                "[self.local(0x1C), self.local(0x14)]",
                "[self.local(0x1C), self.local(0x18)]",
            ),
            ("self.short(8) as u32", "self.argument(8)"),
        ],
    },
    Place {
        file: "gather.rs",
        block: "fn cluster(",
        noticed_by: &[ClusterGather],
        faults: &[
            (
                "number.wrapping_mul(SUBCLUSTER)",
                "number.wrapping_mul(0x20)",
            ),
            (
                "self.skip_rejected(cluster, first, number, subclusters)",
                "{ self.skip_rejected(cluster, first, number, subclusters); number }",
            ),
            ("cluster.wrapping_add(0x34)", "cluster.wrapping_add(0x44)"),
            (
                "number as i32 >= subclusters as i32",
                "number as i32 + 1 >= subclusters as i32",
            ),
            ("return Ok(true);", "return Ok(false);"),
            ("cluster.wrapping_add(0x38)", "cluster.wrapping_add(0x3C)"),
            ("self.box_passes(subcluster, «0xC», 0x14, 0x10, 1)", "0x14"),
            ("self.box_passes(subcluster, 0xC, «0x14», 0x10, 1)", "0xC"),
            ("self.box_passes(subcluster, 0xC, 0x14, «0x10», 1)", "8"),
            (
                "self.box_passes(subcluster, 0xC, 0x14, 0x10, «1»)",
                "2 - 1 + usize::from(number == 1)",
            ),
            ("passes.is_some()", "true"),
            ("passes.is_some()", "passes == Some([1, 1])"),
            ("return Ok(false);", "return Ok(true);"),
            (
                "let number = self.local(0x18); «self.set_local(0x18, number.wrapping_add(1));»",
                "self.set_local(0x18, number.wrapping_add(2));",
            ),
        ],
    },
    Place {
        file: "gather.rs",
        block: "fn subcluster(",
        noticed_by: &[ClusterGather],
        faults: &[
            (
                "list.wrapping_add(index.wrapping_mul(4))",
                "list.wrapping_add(index.wrapping_mul(8))",
            ),
            ("visited: «self.argument(0x18)»", "self.argument(4)"),
            ("out: «self.argument(4)»", "self.argument(0x18)"),
            ("[subcluster; 3]", "[0; 3]"),
            (
                "room: «(self.short(8) - gathered as i32) as u32»",
                "u32::MAX",
            ),
            ("self.memory().read_u32(«from»)", "from & !31"),
            (
                "subcluster.wrapping_add(0x18)",
                "subcluster.wrapping_add(0x14)",
            ),
            (
                "index as i32 >= surfaces as i32",
                "index as i32 + 1 >= surfaces as i32",
            ),
            (
                "gathered as i32 >= self.short(8)",
                "gathered as i32 > self.short(8)",
            ),
            (
                "gathered as i32 >= self.short(8)",
                "gathered as i32 >= self.argument(8) as i32",
            ),
            ("gathered as i32 >= self.short(8)", "false"),
            ("return Ok(false);", "return Ok(true);"),
            (
                "subcluster.wrapping_add(0x1C)",
                "subcluster.wrapping_add(0x20)",
            ),
            ("left: «surfaces.wrapping_sub(index)»", "surfaces"),
            ("index = index.wrapping_add(looked_at);", ""),
            (
                "if new != 0 { self.set_local(0x1C, gathered.wrapping_add(new)); }",
                "self.set_local(0x1C, new);",
            ),
            ("self.mark(surface, «gathered», 0x18, 4)?", "gathered + 1"),
            (
                "if self.mark(surface, gathered, 0x18, 4)? { self.set_local(0x1C, gathered.wrapping_add(1)); }",
                "self.mark(surface, gathered, 0x18, 4)?; self.set_local(0x1C, gathered.wrapping_add(1));",
            ),
            (
                "if self.mark(surface, gathered, 0x18, 4)? { «self.set_local(0x1C, gathered.wrapping_add(1));» }",
                "let now = self.local(0x1C); self.set_local(0x1C, now.wrapping_add(1));",
            ),
        ],
    },
];
