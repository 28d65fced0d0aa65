//! The surface list and the material walk.

use super::Place;
use ninefold_guest::profile::Routine::*;

pub(super) const PLACES: &[Place] = &[
    Place {
        file: "surface_list.rs",
        block: "fn word",
        noticed_by: &[SurfaceList],
        faults: &[
            ("self.bits + number * 4", "self.bits + number"),
            ("self.count - number * 32", "self.count"),
            ("left < 32", "left < 31"),
            ("left < 32", "left <= 32"),
            ("word & ((1 << left) - 1)", "word"),
            ("word & ((1 << left) - 1)", "word & ((1 << left) - 1) >> 1"),
        ],
    },
    Place {
        file: "surface_list.rs",
        block: "fn measure",
        noticed_by: &[SurfaceList],
        faults: &[
            ("0..self.count.div_ceil(32)", "0..self.count / 32"),
            ("listed + ones >= LIST_LIMIT", "listed + ones > LIST_LIMIT"),
            ("listed + ones >= LIST_LIMIT", "false"),
            ("1..LIST_LIMIT - listed", "0..LIST_LIMIT - listed"),
            (
                "number * 32 + word.trailing_zeros() + 1",
                "number * 32 + word.trailing_zeros()",
            ),
            ("number * 32 + word.trailing_zeros() + 1", "self.count"),
            ("return Some((«LIST_LIMIT», number", "LIST_LIMIT + 1"),
            ("listed += ones;", "listed = ones;"),
            ("Some((listed, «self.count»))", "listed"),
        ],
    },
    Place {
        file: "surface_list.rs",
        block: "fn fill",
        noticed_by: &[SurfaceList],
        faults: &[
            ("let first = «*number * 32»", "*number * 31"),
            ("*number += 1;", "*number += 2;"),
            (
                "memory.view(«table + first * 6», in_word)",
                "table + first * 4",
            ),
            ("memory.read_bytes(«table + first * 6», &mut copy", "table"),
            ("while word != 0 && «length < most as usize»", "true"),
            ("word &= word - 1;", "word = 0;"),
            ("indices[length] = «(first + bit)».to_le_bytes()", "first"),
            ("of_word[«bit as usize»]", "0"),
        ],
    },
    Place {
        file: "surface_list.rs",
        block: "pub(super) fn run",
        noticed_by: &[SurfaceList],
        faults: &[
            ("entry::accepts(machine, «0»)", "1"),
            ("entry::stack(machine, «DEPTH», 12)", "DEPTH - 4"),
            ("entry::stack(machine, DEPTH, «12»)", "8"),
            ("bsp.checked_add(«0xF8»)", "0xEC"),
            ("(raw_count as i32).max(0) as u32", "raw_count"),
            (
                "Span::new(global::STRUCTURE_BSP, 4)?",
                "Span::new(bits, 0)?",
            ),
            ("Span::new(block, 8)?", "Span::new(bits, 0)?"),
            ("Span::new(block, «8»)?", "4"),
            (
                "Span::new(bits, u64::from(surfaces.count.div_ceil(32)) * 4)?",
                "Span::new(bits, 0)?",
            ),
            (
                "Span::new(table, u64::from(surfaces.count) * 6)?",
                "Span::new(table, 0)?",
            ),
            ("u64::from(surfaces.count) * «6»", "2"),
            (
                "inputs.iter().any(|input| !input.is_readable(machine))",
                "false",
            ),
            (
                "Span::new(indices, u64::from(listed) * 4)?",
                "Span::new(indices, 0)?",
            ),
            (
                "Span::new(faces, u64::from(listed) * 6)?",
                "Span::new(faces, 0)?",
            ),
            ("output.overlaps(stack)", "false"),
            (
                "inputs.iter().any(|input| input.overlaps(*output))",
                "false",
            ),
            ("inputs.iter().any(|input| input.overlaps(stack))", "false"),
            ("outputs[0].overlaps(outputs[1])", "false"),
            (
                "outputs.iter().any(|output| !output.is_writable(machine))",
                "false",
            ),
            (
                "outputs.iter().any(|output| !output.is_writable(machine))",
                "!outputs[0].is_writable(machine)",
            ),
            (
                "outputs.iter().any(|output| !output.is_writable(machine))",
                "!outputs[1].is_writable(machine)",
            ),
            (
                "[raw_count, edi, esi, ebp, ebx]",
                "[surfaces.count, edi, esi, ebp, ebx]",
            ),
            (
                "[raw_count, edi, esi, ebp, ebx]",
                "[raw_count, edi, ebp, esi, ebx]",
            ),
            (
                "[raw_count, edi, esi, ebp, ebx]",
                "[raw_count, ebx, esi, ebp, edi]",
            ),
            ("indices + at * 4", "indices + at"),
            ("faces + at * 6", "faces + at * 4"),
            (
                "done += length as u32;",
                "done = length as u32 + done.min(0);",
            ),
            ("machine.cpu[Reg::Eax] = listed;", ""),
            ("machine.cpu[Reg::Ecx] = «looked_at»", "listed"),
            ("machine.cpu[Reg::Ecx] = «looked_at»", "raw_count"),
            ("machine.cpu[Reg::Edx] = «table»", "bsp"),
            ("leave_sum(&mut machine.cpu, e - DEPTH, «4»)", "0x14"),
            (
                "entry::leave(&mut machine.cpu, e, back);",
                "entry::leave(&mut machine.cpu, e + 12, back);",
            ),
        ],
    },
    Place {
        file: "walk.rs",
        block: "fn put",
        noticed_by: &[MaterialWalk],
        faults: &[("WORDS - below as usize / 4", "below as usize / 4 - 1")],
    },
    Place {
        file: "walk.rs",
        block: "fn call(",
        noticed_by: &[MaterialWalk],
        faults: &[
            ("let mut below = «0x28»", "0x24"),
            (
                "for &argument in arguments.iter().rev().chain([&site]) { below += 4; self.put(below, argument); }",
                "for &argument in arguments.iter().chain([&site]) { below += 4; self.put(below, argument); }",
            ),
            ("chain([«&site»])", "&0"),
        ],
    },
    Place {
        file: "walk.rs",
        block: "fn words<",
        noticed_by: &[MaterialWalk],
        faults: &[
            (
                "Span::new(address, N as u64)?.overlaps(self.stack)",
                "false",
            ),
            ("Span::new(address, «N as u64»)?", "4"),
        ],
    },
    Place {
        file: "walk.rs",
        block: "pub(super) fn run",
        noticed_by: &[MaterialWalk],
        faults: &[
            ("entry::accepts(machine, «0»)", "1"),
            ("entry::stack(machine, «DEPTH», 20)", "DEPTH - 4"),
            ("entry::stack(machine, DEPTH, «20»)", "16"),
            ("callback == 0 || callback == BARE_RETURN", "true"),
            ("callback == 0 || callback == BARE_RETURN", "callback == 0"),
            (
                "callback == 0 || callback == BARE_RETURN",
                "callback == BARE_RETURN",
            ),
            (
                "[on_lightmap, on_material, on_surfaces, on_done]",
                "[on_lightmap, on_surfaces, on_material, on_done]",
            ),
            (
                "[on_lightmap, on_material, on_surfaces, on_done]",
                "[on_done, on_material, on_surfaces, on_lightmap]",
            ),
            (
                "listening && memory.read_u8(BARE_RETURN) != Ok(0xC3)",
                "false",
            ),
            (
                "listening && memory.read_u8(BARE_RETURN) != Ok(0xC3)",
                "memory.read_u8(BARE_RETURN) != Ok(0xC3)",
            ),
            (
                "callbacks.iter().any(|&callback| callback != 0)",
                "callbacks.iter().all(|&callback| callback != 0)",
            ),
            (
                "i32::from(machine.cpu[Reg::Eax] as i16)",
                "i32::from(machine.cpu[Reg::Eax] as u16)",
            ),
            (
                "i32::from(machine.cpu[Reg::Eax] as i16)",
                "machine.cpu[Reg::Eax] as i32",
            ),
            ("count > 0 && list_span.overlaps(stack)", "false"),
            (
                "[(4, Reg::Ebx), (8, Reg::Ebp), (0xC, Reg::Esi), (0x10, Reg::Edi),]",
                "[(4, Reg::Ebx), (8, Reg::Esi), (0xC, Reg::Ebp), (0x10, Reg::Edi)]",
            ),
            (
                "[(4, Reg::Ebx), (8, Reg::Ebp), (0xC, Reg::Esi), (0x10, Reg::Edi),]",
                "[(4, Reg::Edi), (8, Reg::Ebp), (0xC, Reg::Esi), (0x10, Reg::Ebx)]",
            ),
            ("frame.put(0x14, count as u32);", ""),
            ("frame.put(0x14, «count as u32»)", "machine.cpu[Reg::Eax]"),
            (
                "machine.memory.write_array::<{ DEPTH as usize }>(e - DEPTH, entry::bytes(frame.0)).ok()?;",
                "",
            ),
            ("machine.cpu[Reg::Eax] = «position as u32»", "count as u32"),
            ("machine.cpu[Reg::Ecx] = «count as u32»", "position as u32"),
            ("machine.cpu[Reg::Edx] = context;", ""),
            ("leave_sum(&mut machine.cpu, e - 0x28, «0x18»)", "0x28"),
            ("leave_sum(&mut machine.cpu, «e - 0x28», 0x18)", "e - 0x38"),
            (
                "entry::leave(&mut machine.cpu, e, back);",
                "entry::leave(&mut machine.cpu, e + 20, back);",
            ),
        ],
    },
    Place {
        file: "walk.rs",
        block: "fn run(&self",
        noticed_by: &[MaterialWalk],
        faults: &[
            ("bsp.wrapping_add(«0x104»)", "0x110"),
            (
                "(lightmaps as i32).max(0) as u32",
                "(lightmaps as i32).max(1) as u32",
            ),
            ("number.wrapping_mul(0x20)", "number.wrapping_mul(0x1C)"),
            ("lightmap.wrapping_add(«0x14»)", "0x10"),
            (
                "(materials as i32).max(0) as u32",
                "(materials as i32).max(1) as u32",
            ),
            ("index.wrapping_mul(0x100)", "index.wrapping_mul(0xB0)"),
            ("material.wrapping_add(«0x14»)", "0x10"),
            ("frame.put(0x28, start as u32);", ""),
            (
                "frame.put(0x28, start as u32);",
                "if lit { frame.put(0x28, start as u32); }",
            ),
            (
                "position = self.pass(position, first, length)?;",
                "position = self.pass(position, first, length.wrapping_add(1))?;",
            ),
            (
                "self.pass(position, «first», length)",
                "first.wrapping_sub(1)",
            ),
            ("if position == start { continue; }", ""),
            ("«lit = true;» if on_lightmap", ""),
            (
                "if on_lightmap != 0 { frame.call(&[self.context, lightmap], self.sites[0]); }",
                "",
            ),
            ("«on_lightmap != 0»", "true"),
            ("«on_material != 0»", "true"),
            ("«on_surfaces != 0»", "true"),
            ("lit && on_done != 0", "lit"),
            ("lit && on_done != 0", "on_done != 0"),
            (
                "if on_lightmap != 0 { frame.call(&[self.context, «lightmap»]",
                "first_lightmap",
            ),
            ("&«[self.context, material]»", "[material, self.context]"),
            ("&[self.context, «material»], self.sites[1]", "lightmap"),
            ("self.sites[1]", "self.sites[2]"),
            ("start as u32 * 4", "position as u32 * 4"),
            ("(position - start) as u32", "position as u32"),
            (
                "&«[self.context, from, passed]»",
                "[self.context, passed, from]",
            ),
            ("self.sites[2]", "self.sites[1]"),
            ("self.sites[0]", "self.sites[3]"),
            ("self.sites[3]", "self.sites[0]"),
            ("frame.put(0x24, materials);", ""),
            (
                "frame.put(0x24, «materials»)",
                "materials.saturating_sub(1)",
            ),
            ("frame.put(0x1C, lit.into());", ""),
            ("frame.put(0x20, lightmaps);", ""),
            (
                "frame.put(0x20, «lightmaps»)",
                "lightmaps.saturating_sub(1)",
            ),
            ("frame.put(0x18, position as u32);", ""),
        ],
    },
    Place {
        file: "walk.rs",
        block: "fn pass",
        noticed_by: &[MaterialWalk],
        faults: &[
            (
                "surface.wrapping_sub(first) < length",
                "surface.wrapping_sub(first) <= length",
            ),
            (
                "surface.wrapping_sub(first) < length",
                "surface >= first && surface < first.wrapping_add(length)",
            ),
            (
                "surface.wrapping_sub(first) < length",
                "(surface.wrapping_sub(first) as i32) < length as i32",
            ),
            ("position < self.count", "position <= self.count"),
            ("self.list + position as u32 * 4", "self.list"),
            (
                "if !inside(self.reader.memory.read_u32(at).ok()?) { break; }",
                "",
            ),
            (
                "if !inside(self.reader.memory.read_u32(at).ok()?) { break; }",
                "break;",
            ),
            (
                "position += passed.unwrap_or(words.len()) as i32;",
                "position += words.len() as i32;",
            ),
            ("if passed.is_some() { break; }", "break;"),
        ],
    },
];
