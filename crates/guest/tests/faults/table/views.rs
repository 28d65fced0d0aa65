//! The visible surfaces and their box test.

use super::Place;
use ninefold_guest::profile::Routine::*;

pub(super) const PLACES: &[Place] = &[
    Place {
        file: "frustum.rs",
        block: "fn run_alone",
        noticed_by: &[FrustumBox],
        faults: &[
            ("entry::accepts(machine, «2»)", "1"),
            ("entry::stack(machine, «DEPTH», 4)", "DEPTH - 4"),
            ("entry::stack(machine, DEPTH, «4»)", "0"),
            ("machine.memory.read_u32(e.wrapping_add(4))? != 1", "false"),
        ],
    },
    Place {
        file: "frustum.rs",
        block: "pub(super) fn run(",
        noticed_by: &[FrustumBox],
        faults: &[
            ("[0, 2, 4]", "[0, 4, 2]"),
            ("[0, 2, 4]", "[0, 2, 2]"),
            (
                "[[side(axis), of_world(axis + 1)], [of_world(axis), side(axis + 1)],]",
                "[[of_world(axis), side(axis + 1)], [side(axis), of_world(axis + 1)]]",
            ),
            (
                "[side(axis), of_world(axis + 1)]",
                "[side(axis), of_world(axis)]",
            ),
            (
                "[of_world(axis), side(axis + 1)]",
                "[of_world(axis), side(axis)]",
            ),
            (
                "return reject(machine, e, x, y);",
                "return reject(machine, e, y, x);",
            ),
            ("if above(x, y) { return reject(machine, e, x, y); }", ""),
            (
                "return run_in_order(machine, e, frustum, box_at);",
                "return reject(machine, e, 0, 0);",
            ),
            (
                "return run_in_order(machine, e, frustum, box_at);",
                "return Err(MemoryError::Unmapped { address: box_at });",
            ),
            ("is_apart(e, frustum, box_at)", "true"),
            ("[side(1), side(3), side(5)]", "[side(0), side(2), side(4)]"),
            ("[side(1), side(3), side(5)]", "[side(1), side(5), side(3)]"),
            ("[x, y, z, 8, ebp, esi, ebx]", "[x, y, z, 7, ebp, esi, ebx]"),
            ("[x, y, z, 8, ebp, esi, ebx]", "[z, y, x, 8, ebp, esi, ebx]"),
            ("[x, y, z, 8, ebp, esi, ebx]", "[x, y, z, 8, esi, ebp, ebx]"),
            ("[x, y, z, 8, ebp, esi, ebx]", "[x, y, z, 8, ebx, esi, ebp]"),
            ("machine.memory.write_array::<28>(e - DEPTH, frame)?;", ""),
            ("leave_sum(machine, corners.last);", ""),
        ],
    },
    Place {
        file: "frustum.rs",
        block: "pub(super) fn run(",
        noticed_by: &[VisibleSurfaces],
        faults: &[
            ("[0, 2, 4]", "[2, 0, 4]"),
            (
                "if above(x, y) { return reject(machine, e, x, y); }",
                "if above(x, y) { break; }",
            ),
            ("is_apart(e, frustum, box_at)", "e != 0"),
        ],
    },
    Place {
        file: "frustum.rs",
        block: "fn reject(",
        noticed_by: &[FrustumBox],
        faults: &[
            ("entry::leave_comparison(&mut machine.cpu, x, y);", ""),
            (
                "entry::leave_comparison(&mut machine.cpu, x, y);",
                "entry::leave_comparison(&mut machine.cpu, y, x);",
            ),
            ("machine.cpu[Reg::Eax] = 0;", ""),
            ("entry::leave_test(&mut machine.cpu);", ""),
            (
                "entry::leave_test(&mut machine.cpu);",
                "entry::leave_sum(&mut machine.cpu, e.wrapping_sub(DEPTH), 0x10);",
            ),
        ],
    },
    Place {
        file: "frustum.rs",
        block: "fn run_in_order",
        noticed_by: &[FrustumBox],
        faults: &[
            ("of.wrapping_add(number * 4)", "of.wrapping_add(number)"),
            (
                "[(box_at, world_at), (world_at, box_at)]",
                "[(world_at, box_at), (box_at, world_at)]",
            ),
            ("side(low, axis)?", "side(low, axis + 1)?"),
            ("above(x, y)", "false"),
            (
                "return reject(machine, e, x, y);",
                "return reject(machine, e, y, x);",
            ),
        ],
    },
    Place {
        file: "frustum.rs",
        block: "fn accept(",
        noticed_by: &[FrustumBox, VisibleSurfaces],
        faults: &[("machine.cpu[Reg::Eax] = «result»", "1")],
    },
    Place {
        file: "frustum.rs",
        block: "fn accept(",
        noticed_by: &[FrustumBox],
        faults: &[
            ("machine.cpu[Reg::Eax] = result;", ""),
            (
                "leave_sum(&mut machine.cpu, e.wrapping_sub(DEPTH), «0x10»)",
                "0x1C",
            ),
            (
                "leave_sum(&mut machine.cpu, «e.wrapping_sub(DEPTH)», 0x10)",
                "e.wrapping_sub(0x10)",
            ),
        ],
    },
    Place {
        file: "frustum.rs",
        block: "fn leave(",
        noticed_by: &[FrustumBox],
        faults: &[(
            "entry::leave(&mut machine.cpu, e, back);",
            "entry::leave(&mut machine.cpu, e.wrapping_add(4), back);",
        )],
    },
    Place {
        file: "frustum.rs",
        block: "fn is_apart",
        noticed_by: &[FrustumBox],
        faults: &[
            ("!frame.overlaps(planes)", "true"),
            ("!frame.overlaps(bounds)", "true"),
            ("Span::new(frustum.checked_add(PLANES)?, «0x40»)", "0x30"),
            ("Span::new(box_at, «BOX as u64»)", "20"),
            ("Span::new(e.checked_sub(DEPTH)?, «DEPTH.into()»)", "0x18"),
        ],
    },
    Place {
        file: "frustum.rs",
        block: "fn classify",
        noticed_by: &[FrustumBox],
        faults: &[
            ("(every, any)", "(any, every)"),
            ("(every, any)", "(0, any)"),
            ("(every, any)", "(every, 1)"),
            ("(every, any)", "(every & 7, any)"),
        ],
    },
    Place {
        file: "frustum.rs",
        block: "fn sum<",
        noticed_by: &[FrustumBox],
        faults: &[
            (
                "N::load(corner[axis]).mul(N::operand(plane[axis]))",
                "N::load(plane[axis]).mul(N::operand(corner[axis]))",
            ),
            (
                "N::load(plane[c]).mul(N::operand(corner[c]))",
                "N::load(corner[c]).mul(N::operand(plane[c]))",
            ),
            (
                "N::load(plane[c]).mul(N::operand(corner[c]))",
                "N::load(N::load(plane[c]).mul(N::operand(corner[c])).store())",
            ),
            (
                "product(a).add(product(b)).add(last)",
                "product(a).add(last).add(product(b))",
            ),
            (
                "product(a).add(product(b)).add(last)",
                "last.add(product(b)).add(product(a))",
            ),
            (".sub(«N::operand(plane[3])»)", "N::operand(0)"),
            (".sub(«N::operand(plane[3])»)", "N::load(plane[3])"),
        ],
    },
    Place {
        file: "frustum.rs",
        block: "fn leave_sum",
        noticed_by: &[FrustumBox],
        faults: &[
            ("machine.cpu.fpu.compare(0, sum);", ""),
            (
                "machine.cpu.fpu.compare(0, sum);",
                "machine.cpu.fpu.compare(sum, 0);",
            ),
            ("entry::leave_stale(&mut machine.cpu, 1, sum);", ""),
            ("entry::leave_stale(&mut machine.cpu, 1, «sum»)", "0"),
            ("entry::leave_stale(&mut machine.cpu, 2, 0);", ""),
            ("entry::leave_stale(&mut machine.cpu, 2, «0»)", "sum"),
        ],
    },
    Place {
        file: "frustum.rs",
        block: "fn plane_at",
        noticed_by: &[FrustumBox],
        faults: &[
            ("word(offset + 3)", "word(offset + 2)"),
            ("word(offset + 1)", "word(offset)"),
        ],
    },
    Place {
        file: "frustum.rs",
        block: "fn corners_at_once",
        noticed_by: &[FrustumBox],
        faults: &[
            (
                "is_plain(bounds, &sides) && number::are_finite(planes)",
                "true",
            ),
            (
                "is_plain(bounds, &sides) && number::are_finite(planes)",
                "number::are_finite(planes)",
            ),
            (
                "for (offset, axes) in «SUMS»",
                "[SUMS[0], SUMS[1], SUMS[2], SUMS[2]]",
            ),
            (
                "for (offset, axes) in «SUMS»",
                "[SUMS[0], SUMS[1], SUMS[1], SUMS[3]]",
            ),
            (
                "for (offset, axes) in «SUMS»",
                "[SUMS[1], SUMS[1], SUMS[2], SUMS[3]]",
            ),
            (
                "for (offset, axes) in «SUMS»",
                "[SUMS[0], SUMS[0], SUMS[2], SUMS[3]]",
            ),
            (
                "for (offset, axes) in «SUMS»",
                "[(0, [0, 2, 1]), SUMS[1], SUMS[2], SUMS[3]]",
            ),
            (
                "for (offset, axes) in «SUMS»",
                "[SUMS[0], (4, [0, 1, 2]), SUMS[2], SUMS[3]]",
            ),
            (
                "for (offset, axes) in «SUMS»",
                "[SUMS[0], SUMS[1], (12, [0, 1, 2]), SUMS[3]]",
            ),
            (
                "for (offset, axes) in «SUMS»",
                "[SUMS[0], SUMS[1], SUMS[2], (8, [0, 1, 2])]",
            ),
            ("every |= u32::from(all);", "every = u32::from(all);"),
            ("any |= u32::from(some);", "any = u32::from(some);"),
            ("any |= u32::from(some);", "any |= u32::from(all);"),
            ("[side(1), side(3), side(5)]", "[side(0), side(2), side(4)]"),
            ("SUMS[3]", "SUMS[2]"),
            ("SUMS[3]", "(8, [0, 1, 2])"),
            ("f64::from_bits(last).is_nan()", "false"),
        ],
    },
    Place {
        file: "frustum.rs",
        block: "fn plain_corners_outside",
        noticed_by: &[FrustumBox],
        faults: &[
            (
                "[ends(axes[0]), ends(axes[1]), ends(axes[2])]",
                "[ends(axes[0]), ends(axes[1]), ends(axes[1])]",
            ),
            (
                "a[end] + b[end] + c[end] - distance < 0.0",
                "a[end] + (b[end] + c[end]) - distance < 0.0",
            ),
            (
                "a[end] + b[end] + c[end] - distance < 0.0",
                "f64::from((a[end] + b[end] + c[end]) as f32) - distance < 0.0",
            ),
            (
                "a[end] + b[end] + c[end] - distance < 0.0",
                "a[end] + b[end] + c[end] - distance <= 0.0",
            ),
            (
                "[is_outside(1), is_outside(0)]",
                "[is_outside(0), is_outside(1)]",
            ),
            (
                "[is_outside(1), is_outside(0)]",
                "[is_outside(1), is_outside(1)]",
            ),
        ],
    },
    Place {
        file: "frustum.rs",
        block: "fn corners_outside",
        noticed_by: &[FrustumBox],
        faults: &[
            ("for ab in b.map(|b| «a + b»)", "b"),
            ("ab + c - distance", "c - distance + ab"),
            (
                "outside += u32::from(sum < 0.0);",
                "outside += u32::from(sum <= 0.0);",
            ),
            (
                "outside += u32::from(sum < 0.0);",
                "outside += u32::from(!(sum >= 0.0));",
            ),
            ("outside == 8", "outside >= 7"),
            ("outside != 0", "outside > 1"),
        ],
    },
    Place {
        file: "frustum.rs",
        block: "fn corners_in_order",
        noticed_by: &[FrustumBox],
        faults: &[
            (
                "[(4, Reg::Ebx), (8, Reg::Esi), (0xC, Reg::Ebp)]",
                "[(4, Reg::Ebx), (8, Reg::Ebp), (0xC, Reg::Esi)]",
            ),
            ("machine.memory.write_u32(local(below), value)?;", ""),
            ("memory.write_u32(local(0x10), 0)?;", ""),
            ("(0xF, 0)", "(0, 0)"),
            ("(0xF, 0)", "(7, 0)"),
            ("corner >> axis & 1", "corner >> (2 - axis) & 1"),
            ("axis * 8 + side * 4", "axis * 8 + 4"),
            (
                "memory.write_u32(local(0x1C - axis * 4), value)?;",
                "memory.write_u32(local(0x14 + axis * 4), value)?;",
            ),
            ("PLANES + offset as u32 * 4", "PLANES + offset as u32"),
            ("axes.into_iter().chain([3])", "axes.into_iter().chain([2])"),
            (
                "at.wrapping_add(word as u32 * 4)",
                "at.wrapping_add(word as u32)",
            ),
            (
                "exact_sum(axes, plane, point)",
                "exact_sum([0, 1, 2], plane, point)",
            ),
            ("0.0 > f64::from_bits(last)", "0.0 >= f64::from_bits(last)"),
            ("<< «number»;", "0"),
            ("every &= code;", "every = code;"),
            ("any |= code;", "any = code;"),
            ("leave_sum(machine, last);", ""),
        ],
    },
    Place {
        file: "visible.rs",
        block: "fn bit_of",
        noticed_by: &[VisibleSurfaces, LeafGather, ClusterGather],
        faults: &[
            ("((surface as i32) >> 5) as u32", "surface >> 5"),
            ("word.wrapping_mul(4)", "word"),
            ("1 << (surface & 31)", "1 << (surface & 15)"),
        ],
    },
    Place {
        file: "visible.rs",
        block: "fn is_full",
        noticed_by: &[VisibleSurfaces],
        faults: &[
            (
                "memory.read_u16(global::SURFACE_COUNT)? as i16 >= SURFACE_LIMIT",
                "memory.read_u16(global::SURFACE_COUNT)? as i16 > SURFACE_LIMIT",
            ),
            (
                "memory.read_u16(global::SURFACE_COUNT)? as i16 >= SURFACE_LIMIT",
                "memory.read_u16(global::SURFACE_COUNT)? >= SURFACE_LIMIT as u16",
            ),
            (
                "memory.read_u16(global::SURFACE_COUNT)? as i16 >= SURFACE_LIMIT",
                "memory.read_u16(global::SURFACE_COUNT)? as i16 == SURFACE_LIMIT",
            ),
        ],
    },
    Place {
        file: "visible.rs",
        block: "pub(super) fn run",
        noticed_by: &[VisibleSurfaces],
        faults: &[
            ("entry::accepts(machine, «2»)", "1"),
            ("entry::accepts(machine, «2»)", "3"),
            ("entry::stack(machine, «DEPTH», 4)", "0x28"),
            ("entry::stack(machine, DEPTH, «4»)", "0"),
            ("[edi, esi, ebp, ebx]", "[edi, ebp, esi, ebx]"),
            ("machine.memory.write_array::<16>(e - 0x10, frame)?;", ""),
            ("read_u32(«e - 0x14»)", "e - 0x18"),
            ("read_u32(«e + 4»)", "e + 8"),
            (
                "machine.memory.read_u32(at)?",
                "match reg { Reg::Ebx => saved[0], Reg::Ebp => saved[1], Reg::Esi => saved[2], _ => saved[3] }",
            ),
            (
                "machine.cpu[Reg::Eax] = «i32::from(count) as u32»",
                "u32::from(count as u16)",
            ),
            ("machine.cpu[Reg::Ecx] = record;", ""),
            ("machine.cpu[Reg::Edx] = bsp;", ""),
            ("machine.cpu[Reg::Edx] = «bsp»", "record"),
            ("leave_sum(&mut machine.cpu, «e - 0x20», 0x10)", "e - 0x24"),
            (
                "entry::leave(&mut machine.cpu, e, back);",
                "entry::leave(&mut machine.cpu, e + 4, back);",
            ),
            ("let back = «memory.read_u32(back)?»", "0x0BAD_0BAC"),
        ],
    },
    Place {
        file: "visible.rs",
        block: "fn mark_records",
        noticed_by: &[VisibleSurfaces],
        faults: &[
            ("machine.memory.write_u32(locals.record, 0)?;", ""),
            (
                "number as i32 >= memory.read_u32(global::RECORD_COUNT)? as i32",
                "number >= memory.read_u32(global::RECORD_COUNT)?",
            ),
            (
                "number as i32 >= memory.read_u32(global::RECORD_COUNT)? as i32",
                "number as i32 > memory.read_u32(global::RECORD_COUNT)? as i32",
            ),
            ("|| «is_full(memory)?»", "false"),
            (
                "number.wrapping_mul(global::RECORD_SIZE)",
                "number.wrapping_mul(0x18C)",
            ),
            ("memory.read_u8(global::PVS_FLAG)? != 0", "false"),
            (
                "memory.read_u8(global::PVS_FLAG)? != 0",
                "memory.read_u32(global::PVS_FLAG)? != 0",
            ),
            (
                "memory.read_u32(global::CAMERA_CLUSTER)? == u32::MAX",
                "false",
            ),
            (
                "memory.read_u32(global::CAMERA_CLUSTER)? == u32::MAX",
                "memory.read_u16(global::CAMERA_CLUSTER)? == u16::MAX",
            ),
            (
                "memory.read_u32(global::CAMERA_CLUSTER)? == u32::MAX",
                "(memory.read_u32(global::CAMERA_CLUSTER)? as i32) < 0",
            ),
            ("record.wrapping_add(0x14)", "record.wrapping_add(4)"),
            ("memory.write_u32(locals.frustum, frustum)?;", ""),
            ("bsp.wrapping_add(0x138)", "bsp.wrapping_add(0x134)"),
            (
                "i32::from(memory.read_u16(record)? as i16) as u32",
                "memory.read_u32(record)?",
            ),
            (
                "i32::from(memory.read_u16(record)? as i16) as u32",
                "u32::from(memory.read_u16(record)?)",
            ),
            ("index.wrapping_mul(CLUSTER)", "index.wrapping_mul(0x64)"),
            ("memory.write_u32(locals.subcluster, 0)?;", ""),
            ("machine.cpu[Reg::Esi] = record;", ""),
            ("machine.cpu[Reg::Ebp] = cluster;", ""),
            (
                "if !mark_cluster(machine, &locals, cluster, site)? { return Ok(()); }",
                "mark_cluster(machine, &locals, cluster, site)?;",
            ),
            (
                "memory.write_u32(locals.record, number.wrapping_add(1))?;",
                "memory.write_u32(locals.record, number.wrapping_add(2))?;",
            ),
            ("memory.read_u32(locals.bsp)?", "locals.bsp"),
        ],
    },
    Place {
        file: "visible.rs",
        block: "fn mark_cluster",
        noticed_by: &[VisibleSurfaces],
        faults: &[
            ("cluster.wrapping_add(0x34)", "cluster.wrapping_add(0x44)"),
            (
                "number as i32 >= memory.read_u32(cluster.wrapping_add(0x34))? as i32",
                "number as i32 + 1 >= memory.read_u32(cluster.wrapping_add(0x34))? as i32",
            ),
            ("if is_full(memory)? { return Ok(false); }", ""),
            (
                "if is_full(memory)? { return Ok(false); }",
                "if is_full(memory)? { return Ok(true); }",
            ),
            ("cluster.wrapping_add(0x38)", "cluster.wrapping_add(0x48)"),
            (
                "number.wrapping_mul(SUBCLUSTER)",
                "number.wrapping_mul(0x20)",
            ),
            ("memory.write_u32(locals.frustum - 8, 1)?;", ""),
            ("memory.write_u32(locals.frustum - 12, site)?;", ""),
            ("write_u32(locals.frustum - 12, «site»)", "site + 3"),
            ("machine.cpu[Reg::Ebx] = 0;", ""),
            ("machine.cpu[Reg::Ecx] = «frustum»", "global::VIEW_FRUSTUM"),
            (
                "machine.cpu[Reg::Esp] = «locals.frustum - 12»",
                "locals.frustum - 8",
            ),
            ("machine.cpu[Reg::Eax] != 0", "machine.cpu[Reg::Eax] == 1"),
            ("machine.cpu[Reg::Eax] != 0", "machine.cpu[Reg::Eax] == 2"),
            ("machine.cpu[Reg::Eax] != 0", "true"),
            (
                "memory.write_u32(locals.subcluster, number.wrapping_add(1))?;",
                "",
            ),
        ],
    },
    Place {
        file: "visible.rs",
        block: "fn mark_chunk",
        noticed_by: &[VisibleSurfaces],
        faults: &[
            ("left.min(CHUNK).min(room)", "left.min(CHUNK)"),
            (
                "i32::from(SURFACE_LIMIT) - i32::from(before)",
                "i32::from(SURFACE_LIMIT) - i32::from(before) + 1",
            ),
            ("(seen | mask).to_le_bytes()", "(seen & mask).to_le_bytes()"),
            ("(seen | mask).to_le_bytes()", "seen.to_le_bytes()"),
            ("i16::from(seen & mask == 0)", "1"),
            ("i16::from(seen & mask == 0)", "i16::from(seen == 0)"),
            ("marked != 0", "marked > 1"),
            ("before.wrapping_add(marked) as u16", "marked as u16"),
            ("memory.write_u16(global::SURFACE_COUNT, count).ok()?;", ""),
            ("Some(length)", "Some(length + 1)"),
            ("index.checked_mul(4)?", "index.checked_mul(2)?"),
            ("!written.overlaps(Span::new(header, 8)?)", "true"),
            (
                "!written.overlaps(Span::new(from, u64::from(length) * 4)?)",
                "true",
            ),
            ("high >= global::SURFACE_BITS_SIZE / 4", "false"),
            ("((number >> 5) - low) as usize", "0"),
            ("let mask = «1 << (number & 31)»", "2_u32 << (number & 30)"),
        ],
    },
    Place {
        file: "visible.rs",
        block: "fn mark_surfaces",
        noticed_by: &[VisibleSurfaces],
        faults: &[
            ("index += done;", ""),
            (
                "subcluster.wrapping_add(0x18)",
                "subcluster.wrapping_add(0x14)",
            ),
            (
                "(index as i32) < memory.read_u32(subcluster.wrapping_add(0x18))? as i32",
                "index < memory.read_u32(subcluster.wrapping_add(0x18))?",
            ),
            ("if is_full(memory)? { return Ok(false); }", ""),
            (
                "if is_full(memory)? { return Ok(false); }",
                "if is_full(memory)? { return Ok(true); }",
            ),
            (
                "subcluster.wrapping_add(0x1C)",
                "subcluster.wrapping_add(0x20)",
            ),
            ("index.wrapping_mul(4)", "index.wrapping_mul(2)"),
            ("bits & mask == 0", "true"),
            ("memory.write_u32(place, bits | mask)?;", ""),
            (
                "memory.write_u32(place, bits | mask)?;",
                "memory.write_u32(place, mask)?;",
            ),
            (
                "memory.write_u16(global::SURFACE_COUNT, count.wrapping_add(1))?;",
                "",
            ),
            (
                "memory.write_u16(global::SURFACE_COUNT, count.wrapping_add(1))?;",
                "memory.write_u32(global::SURFACE_COUNT, u32::from(count) + 1)?;",
            ),
        ],
    },
];
