//! The matrix product and the tests of boxes.

use super::Place;
use ninefold_guest::profile::Routine::*;

pub(super) const PLACES: &[Place] = &[
    Place {
        file: "matrix.rs",
        block: "fn product<",
        noticed_by: &[MatrixProduct],
        faults: &[
            ("totals[axis] += f64::from_bits(sum.bits());", ""),
            (
                "total += total_of + f64::from_bits(sum.bits());",
                "total += total_of;",
            ),
            (
                "N::load(a(0)).mul(N::operand(b(0)))",
                "N::load(b(0)).mul(N::operand(a(0)))",
            ),
            ("N::load(a(0)).mul(«N::operand(b(0))»)", "N::operand(a(0))"),
            (
                "words[0] = N::load(a(0)).mul(N::operand(b(0))).store();",
                "",
            ),
            ("[FORWARD, LEFT, UP]", "[FORWARD, LEFT, LEFT]"),
            (
                "[b(vector), b(vector + 1), b(vector + 2)]",
                "[b(vector), b(vector + 2), b(vector + 1)]",
            ),
            (
                "[b(vector), b(vector + 1), b(vector + 2)]",
                "[a(vector), b(vector + 1), b(vector + 2)]",
            ),
            ("words[«vector + axis»] = sum.store()", "vector + axis / 2"),
            (
                "[b(POSITION), b(POSITION + 1), b(POSITION + 2)]",
                "[b(POSITION + 1), b(POSITION), b(POSITION + 2)]",
            ),
            (
                "sum.mul(N::operand(a(0))).add(N::operand(a(POSITION + axis)))",
                "sum.mul(N::operand(a(0)))",
            ),
            (
                "sum.mul(N::operand(a(0))).add(N::operand(a(POSITION + axis)))",
                "sum.add(N::operand(a(POSITION + axis)))",
            ),
            (
                "sum.mul(N::operand(a(0))).add(N::operand(a(POSITION + axis)))",
                "sum.add(N::operand(a(POSITION + axis))).mul(N::operand(a(0)))",
            ),
            ("sum.mul(N::operand(«a(0)»))", "b(0)"),
            ("sum.mul(«N::operand(a(0))»)", "N::load(a(0))"),
            ("a(POSITION + axis)", "b(POSITION + axis)"),
            (
                "words[POSITION + axis] = sum.store();",
                "if axis != 1 { words[POSITION + axis] = sum.store(); }",
            ),
            (
                "stale: «[sums[2].bits(), last.bits()]»",
                "[last.bits(), sums[2].bits()]",
            ),
            (
                "[«sums[2].bits()», last.bits()]",
                "N::load(sums[2].store()).bits()",
            ),
            ("[«sums[2]».bits(), last.bits()]", "sums[1]"),
            (
                "[sums[2].bits(), «last.bits()»]",
                "N::load(last.store()).bits()",
            ),
        ],
    },
    Place {
        file: "matrix.rs",
        block: "fn vector_of<",
        noticed_by: &[MatrixProduct],
        faults: &[
            (
                "both.add(last(axis))",
                "x.mul(of(FORWARD, axis)).add(y.mul(of(LEFT, axis)).add(last(axis)))",
            ),
            (
                "both.add(last(axis))",
                "last(axis).add(x.mul(of(FORWARD, axis))).add(y.mul(of(LEFT, axis)))",
            ),
            ("both.add(last(axis))", "both"),
            (
                "*sum = both.add(last(axis));",
                "*sum = sum.add(last(axis));",
            ),
            (
                "[N::load(x), N::load(y), N::load(z)]",
                "[N::load(y), N::load(x), N::load(z)]",
            ),
            ("[«N::load(x)», N::load(y), N::load(z)]", "N::operand(x)"),
            ("[N::load(x), N::load(y), «N::load(z)»]", "N::operand(z)"),
            (
                "N::operand(matrix(row + axis))",
                "N::load(matrix(row + axis))",
            ),
            ("matrix(«row + axis»)", "row + axis / 2"),
            (
                "z.mul(of(UP, axis))",
                "N::load(z.mul(of(UP, axis)).store())",
            ),
            ("z.mul(of(«UP», axis))", "LEFT"),
            ("x.mul(of(«FORWARD», axis))", "UP"),
            ("y.mul(of(«LEFT», axis))", "FORWARD"),
            (
                "x.mul(of(FORWARD, axis)).add(«y.mul(of(LEFT, axis))»)",
                "N::operand(y.mul(of(LEFT, axis)).store())",
            ),
            ("last(2)", "last(1)"),
        ],
    },
    Place {
        file: "matrix.rs",
        block: "pub(super) fn run",
        noticed_by: &[MatrixProduct],
        faults: &[
            ("total.is_nan()", "false"),
            ("product::<f64>(left, right)", "product::<f64>(right, left)"),
            ("entry::put(bytes, number * 4, word);", ""),
            (
                "entry::put(bytes, «number * 4», word);",
                "number * 4 / 8 * 8",
            ),
            (
                "memory.write_array::<SIZE>(out, entry::bytes(words)).ok()?",
                "()",
            ),
            ("entry::accepts(machine, «2»)", "1"),
            ("entry::accepts(machine, «2»)", "3"),
            ("entry::stack(machine, DEPTH, «12»)", "16"),
            (
                "[argument(0), argument(4), argument(8), argument(12)]",
                "[argument(0), argument(8), argument(4), argument(12)]",
            ),
            ("!(out == a || apart(out, a))", "!apart(out, a)"),
            ("!(out == b || apart(out, b))", "!apart(out, b)"),
            ("!(out == a || apart(out, a))", "false"),
            ("!(out == b || apart(out, b))", "false"),
            ("stack.overlaps(out, LENGTH)", "false"),
            ("stack.overlaps(a, LENGTH)", "false"),
            ("stack.overlaps(b, LENGTH)", "false"),
            ("stack.overlaps(b, «LENGTH»)", "4"),
            ("!memory.is_writable(out, SIZE)", "false"),
            ("memory.is_writable(out, «SIZE»)", "4"),
            ("exact(left, right)", "exact(right, left)"),
            (
                "if out == a { from_a = e - 0x70; let copy = memory.read_array::<SIZE>(a).ok()?; *memory.at_mut(stack.place, 0) = copy; }",
                "",
            ),
            (
                "if out == b { from_b = e - 0x3C; let copy = memory.read_array::<SIZE>(b).ok()?; *memory.at_mut(stack.place, LENGTH) = copy; }",
                "",
            ),
            ("from_a = «e - 0x70»", "e - 0x3C"),
            ("from_b = «e - 0x3C»", "e - 0x70"),
            (
                "*memory.at_mut(stack.place, 0) = copy;",
                "let _: [u8; SIZE] = copy;",
            ),
            (
                "*memory.at_mut(stack.place, LENGTH) = copy;",
                "let _: [u8; SIZE] = copy;",
            ),
            (
                "*memory.at_mut(stack.place, LENGTH) = copy;",
                "*memory.at_mut(stack.place, 0) = copy;",
            ),
            ("entry::put(frame, RETURN - 8, cpu[Reg::Edi]);", ""),
            ("entry::put(frame, RETURN - 4, cpu[Reg::Esi]);", ""),
            (
                "entry::put(frame, RETURN - 8, cpu[«Reg::Edi»]);",
                "Reg::Esi",
            ),
            (
                "entry::put(frame, RETURN - 4, cpu[«Reg::Esi»]);",
                "Reg::Ebx",
            ),
            ("cpu[Reg::Eax] = out;", ""),
            ("cpu[Reg::Ecx] = «from_a»", "a"),
            ("cpu[Reg::Edx] = «from_b»", "b"),
            ("entry::leave_stale(cpu, 1, stale[0]);", ""),
            ("entry::leave_stale(cpu, 2, stale[1]);", ""),
            ("leave_stale(cpu, 1, «stale[0]»)", "stale[1]"),
            ("leave_stale(cpu, «2», stale[1])", "1"),
            ("leave_sum(cpu, e - DEPTH, «0x68»)", "0x70"),
            ("leave_sum(cpu, «e - DEPTH», 0x68)", "e"),
            (
                "entry::leave(cpu, e, back);",
                "entry::leave(cpu, e + 12, back);",
            ),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn node_bounds",
        noticed_by: &[NodeBounds],
        faults: &[
            ("entry::accepts(machine, «2»)", "1"),
            ("entry::accepts(machine, «2»)", "3"),
            ("entry::stack(machine, DEPTH, «0»)", "4"),
            (
                "[cpu[Reg::Ecx], cpu[Reg::Edx], cpu[Reg::Esi]]",
                "[cpu[Reg::Ecx], cpu[Reg::Edx], cpu[Reg::Edi]]",
            ),
            ("entry::overlap(out, LENGTH, parent_at, LENGTH)", "false"),
            ("entry::overlap(out, LENGTH, parent_at, «LENGTH»)", "20"),
            ("entry::overlap(out, LENGTH, bytes_at, 6)", "false"),
            ("entry::overlap(out, LENGTH, bytes_at, «6»)", "5"),
            ("stack.overlaps(out, LENGTH)", "false"),
            ("stack.overlaps(out, «LENGTH»)", "20"),
            ("stack.overlaps(parent_at, LENGTH)", "false"),
            ("stack.overlaps(bytes_at, 6)", "false"),
            ("!memory.is_writable(out, BOX)", "false"),
            ("memory.is_writable(out, «BOX»)", "20"),
            ("match «bytes[5]»", "bytes[4]"),
            ("PARENTS => «entry::word(parent, 20)»", "0xFF"),
            ("entry::word(parent, «20»)", "16"),
            (
                "entry::put(frame, 4, profile::BOUNDS_DIVISOR.to_bits());",
                "",
            ),
            (
                "entry::put(frame, «4», profile::BOUNDS_DIVISOR.to_bits());",
                "0",
            ),
            ("profile::BOUNDS_DIVISOR.to_bits()", "255.0_f32.to_bits()"),
            ("entry::put(frame, 0, byte);", ""),
            (
                "entry::put(frame, 0, byte);",
                "let above = entry::word(frame, 0) & !0xFF; entry::put(frame, 0, byte | above);",
            ),
            ("entry::leave_stale(cpu, 1, value);", ""),
            ("entry::leave_stale(cpu, 2, extent);", ""),
            ("leave_stale(cpu, 1, «value»)", "extent"),
            ("leave_stale(cpu, 2, «extent»)", "value"),
            (
                "memory.write_array(out, entry::bytes::<6, BOX>(decoded.bounds)).ok()?;",
                "",
            ),
            ("cpu[Reg::Eax] = eax;", ""),
            ("leave_sum(cpu, «stack.start», DEPTH)", "stack.start + 4"),
            ("leave_sum(cpu, stack.start, «DEPTH»)", "4"),
            (
                "leave(cpu, «stack.start + DEPTH», back)",
                "stack.start + DEPTH + 4",
            ),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn decoded(",
        noticed_by: &[NodeBounds],
        faults: &[("number::are_finite(parent)", "true")],
    },
    Place {
        file: "boxes.rs",
        block: "fn last_part",
        noticed_by: &[NodeBounds],
        faults: &[
            ("let is_any = «self.0 != u64::MAX»", "true"),
            ("let is_any = «self.0 != u64::MAX»", "false"),
            ("leading_zeros() as usize / «8»", "16"),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn decode<",
        noticed_by: &[NodeBounds],
        faults: &[
            ("[0, 2, 4]", "[0, 4, 4]"),
            ("[axis, axis + 1]", "[axis, axis]"),
            ("let is_parents = «bytes.of(index) == PARENTS»", "false"),
            (
                "let is_parents = «bytes.of(index) == PARENTS»",
                "bytes.of(index) >= PARENTS - 1",
            ),
            ("if is_parents { «side(axis + 1)» } else", "side(axis)"),
            (
                "if is_parents { «side(axis + 1)» } else",
                "N::load(side(axis + 1)).store()",
            ),
            (
                "if is_parents { side(axis + 1) } else { «value» }",
                "bounds[axis]",
            ),
            ("axis_of::<N>(parent, «index & !1»)", "index.min(4)"),
            (
                "last = Some((bytes.of(index).into(), [value.bits(), extent.bits()]));",
                "",
            ),
            (
                "(«bytes.of(index).into()», [value.bits(), extent.bits()])",
                "u32::from(bytes.of(index & !1))",
            ),
            (
                "[«value.bits()», extent.bits()]",
                "N::load(value.store()).bits()",
            ),
            ("[value.bits(), «extent.bits()»]", "low.bits()"),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn axis_of",
        noticed_by: &[NodeBounds],
        faults: &[
            ("N::operand(side(axis))", "N::load(side(axis))"),
            (
                "N::load(side(axis + 1)).sub(low)",
                "low.sub(N::load(side(axis + 1)))",
            ),
            (
                "«N::load(side(axis + 1))».sub(low)",
                "N::operand(side(axis + 1))",
            ),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn part_of",
        noticed_by: &[NodeBounds],
        faults: &[
            ("PARTS[usize::from(byte)]", "f64::from(byte) / 255.0"),
            (
                "PARTS[usize::from(byte)]",
                "f64::from(PARTS[usize::from(byte)] as f32)",
            ),
            (
                "N::number(PARTS[usize::from(byte)]).mul(extent).add(low)",
                "N::number(PARTS[usize::from(byte)]).mul(extent)",
            ),
            (
                "N::number(PARTS[usize::from(byte)]).mul(extent).add(low)",
                "N::number(PARTS[usize::from(byte)]).mul(extent.add(low))",
            ),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "pub(super) fn overlap",
        noticed_by: &[BoxOverlap],
        faults: &[
            ("entry::accepts(machine, «1»)", "0"),
            ("entry::accepts(machine, «1»)", "2"),
            ("entry::stack(machine, «0», 0)", "4"),
            ("compare(a, b)", "compare(b, a)"),
            ("cpu[Reg::Eax] = result;", ""),
            ("entry::leave_comparison(cpu, x, y);", ""),
            (
                "entry::leave_comparison(cpu, x, y);",
                "entry::leave_comparison(cpu, y, x);",
            ),
            ("entry::leave_test(cpu);", ""),
            (
                "entry::leave_comparison(cpu, x, y); entry::leave_test(cpu);",
                "entry::leave_test(cpu); entry::leave_comparison(cpu, x, y);",
            ),
            ("cpu, «stack.start», entry::word", "stack.start + 4"),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn compare",
        noticed_by: &[BoxOverlap],
        faults: &[
            (
                "[[a(axis), b(axis + 1)], [b(axis), a(axis + 1)]]",
                "[[b(axis), a(axis + 1)], [a(axis), b(axis + 1)]]",
            ),
            ("[a(axis), b(axis + 1)]", "[a(axis), b(axis)]"),
            ("[b(axis), a(axis + 1)]", "[b(axis + 1), a(axis + 1)]"),
            (
                "[[a(axis), b(axis)], [b(axis + 1), a(axis + 1)]]",
                "[[b(axis + 1), a(axis + 1)], [a(axis), b(axis)]]",
            ),
            ("[a(axis), b(axis)]", "[b(axis), a(axis)]"),
            (
                "[[a(axis), b(axis)], «[b(axis + 1), a(axis + 1)]»]",
                "[a(axis), b(axis)]",
            ),
            ("return (0, pair);", "return (1, pair);"),
            ("return (1, pair);", "return (2, pair);"),
            ("return (1, pair);", "return (1, last);"),
            ("last = pair;", ""),
            ("last = pair;", "if axis == 0 { last = pair; }"),
            ("(2, last)", "(1, last)"),
            ("(2, last)", "(2, [last[1], last[0]])"),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "pub(super) fn planes",
        noticed_by: &[BoxPlanes],
        faults: &[
            (
                "view.as_chunks().0",
                "view.as_chunks().0.get(1..).unwrap_or_default()",
            ),
            ("entry::accepts(machine, «1»)", "0"),
            ("entry::accepts(machine, «1»)", "2"),
            ("entry::stack(machine, DEPTH, «0»)", "4"),
            (
                "[cpu[Reg::Eax], cpu[Reg::Ebx]]",
                "[cpu[Reg::Ebx], cpu[Reg::Eax]]",
            ),
            (
                "(cpu[Reg::Edi] as i16).max(0) as u32",
                "u32::from(cpu[Reg::Edi] as u16)",
            ),
            (
                "(cpu[Reg::Edi] as i16).max(0) as u32",
                "(cpu[Reg::Edi] as i32).max(0) as u32",
            ),
            (
                "stack.span().overlaps(Span::new(box_at, BOX as u64)?)",
                "false",
            ),
            (
                "stack.span().overlaps(Span::new(box_at, «BOX as u64»)?)",
                "12",
            ),
            ("stack.span().overlaps(planes_span)", "false"),
            (
                "count != 0 && stack.span().overlaps(planes_span)",
                "stack.span().overlaps(planes_span)",
            ),
            ("if «count != 0»", "true"),
            ("planes_at + number * 16", "planes_at + number * 12"),
            (
                "[Reg::Ecx, Reg::Edx, Reg::Ebx, Reg::Edi]",
                "[Reg::Edx, Reg::Ecx, Reg::Ebx, Reg::Edi]",
            ),
            (
                "[Reg::Ecx, Reg::Edx, Reg::Ebx, Reg::Edi]",
                "[Reg::Ecx, Reg::Edx, Reg::Edi, Reg::Ebx]",
            ),
            ("entry::leave_comparison(cpu, distance, sums[2]);", ""),
            (
                "entry::leave_comparison(cpu, distance, sums[2]);",
                "entry::leave_comparison(cpu, sums[2], distance);",
            ),
            (
                "entry::leave_comparison(cpu, distance, «sums[2]»)",
                "sums[1]",
            ),
            ("cpu[Reg::Eax] = result;", ""),
            ("leave_sum(cpu, stack.start, «0x0C»)", "0x1C"),
            (
                "leave(cpu, «stack.start + DEPTH», back)",
                "stack.start + DEPTH + 4",
            ),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn leave_planes_frame",
        noticed_by: &[BoxPlanes, LeafGather, TreeGather],
        faults: &[
            ("entry::put(frame, RETURN - below, value);", ""),
            ("[4, 8, 0xC, 0x10]", "[4, 8, 0x10, 0xC]"),
            ("[4, 8, 0xC, 0x10]", "[8, 4, 0xC, 0x10]"),
            ("[0x14, 0x18, 0x1C]", "[0x1C, 0x18, 0x14]"),
            ("[0x14, 0x18, 0x1C]", "[0x18, 0x14, 0x1C]"),
            ("entry::put(frame, RETURN - below, sum);", ""),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn against",
        noticed_by: &[BoxPlanes],
        faults: &[
            ("plain && number::are_finite(&plane)", "true"),
            (
                "plain && number::are_finite(&plane)",
                "number::are_finite(&plane)",
            ),
            ("last = Some(plane);", "last = last.or(Some(plane));"),
            (
                "(entry::word(&plane, «12»), last_corner(bounds, &plane))",
                "8",
            ),
            (
                "if all { side.result = 0; break; }",
                "if all { side.result = 0; }",
            ),
            ("if all { side.result = 0; break; }", "if all { break; }"),
            ("if all { side.result = 0; break; }", ""),
            ("if some { side.result = 1; }", ""),
            (
                "if some { side.result = 1; }",
                "if some { side.result = 1; break; }",
            ),
            (
                "if some { side.result = 1; }",
                "if some { side.result = 1; } else { side.result = 2; }",
            ),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn last_corner",
        noticed_by: &[BoxPlanes],
        faults: &[
            ("sums.iter().any(|&sum| number::is_nan(sum))", "false"),
            (
                "sums.iter().any(|&sum| number::is_nan(sum))",
                "number::is_nan(sums[0])",
            ),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn sums<",
        noticed_by: &[BoxPlanes],
        faults: &[
            (
                "N::load(normal(axis)).mul(N::operand(side(axis * 2 + 1)))",
                "N::load(side(axis * 2 + 1)).mul(N::operand(normal(axis)))",
            ),
            ("side(«axis * 2 + 1»)", "axis * 2"),
            ("product(1).add(«N::operand(s0)»)", "product(0)"),
            (
                "product(2).add(«N::operand(s1)»)",
                "product(1).add(product(0))",
            ),
            ("product(2).add(«N::operand(s1)»)", "N::operand(s0)"),
            ("product(0).store()", "product(1).store()"),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn products",
        noticed_by: &[BoxPlanes, FrustumBox],
        faults: &[
            (
                "[normal * sides[axis * 2], normal * sides[axis * 2 + 1]]",
                "[normal * sides[axis * 2]; 2]",
            ),
            (
                "[normal * sides[axis * 2], normal * sides[axis * 2 + 1]]",
                "[normal * sides[axis * 2 + 1]; 2]",
            ),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn is_plain",
        noticed_by: &[BoxPlanes, FrustumBox],
        faults: &[
            ("number::are_finite(bounds)", "true"),
            ("(x0 <= x1)", "(x0 != x1 || x0 == x1)"),
            ("(y0 <= y1)", "(y0 != y1 || y0 == y1)"),
            ("(z0 <= z1)", "(z0 != z1 || z0 == z1)"),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn of([x0",
        noticed_by: &[BoxPlanes, FrustumBox],
        faults: &[
            ("[[low, high], [high, low]]", "[[low, high]; 2]"),
            ("[[low, high], [high, low]]", "[[high, low], [low, high]]"),
            (
                "[[*x0, *x1], [*y0, *y1], [*z0, *z1]]",
                "[[*x0, *x1], [*y0, *y1], [*y0, *y1]]",
            ),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn ends(",
        noticed_by: &[BoxPlanes, FrustumBox],
        faults: &[
            ("(normal >> 31) as usize", "0"),
            ("(normal >> 31) as usize", "1 - (normal >> 31) as usize"),
            ("sides.map(|side| normal * side)", "[normal * sides[0]; 2]"),
            ("sides.map(|side| normal * side)", "[normal * sides[1]; 2]"),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn rounded(",
        noticed_by: &[BoxPlanes],
        faults: &[
            (
                "[a as f32, b as f32].map(f64::from)",
                "[f64::from(a as f32), b]",
            ),
            (
                "[a as f32, b as f32].map(f64::from)",
                "[a, f64::from(b as f32)]",
            ),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn plain_corners_behind",
        noticed_by: &[BoxPlanes],
        faults: &[
            ("[ends(0), ends(1), ends(2)]", "[ends(0), ends(1), ends(1)]"),
            ("let s0 = «rounded(x)»", "x"),
            (
                "rounded([y[0] + s0[0], y[1] + s0[1]])",
                "[y[0] + s0[0], y[1] + s0[1]]",
            ),
            ("(z[0] + s1[0]) as f32", "(z[0] + y[0] + s0[0]) as f32"),
            ("(z[1] + s1[1]) as f32", "(z[1] + y[1] + s0[1]) as f32"),
            (
                "[distance > s2[1], distance > s2[0]]",
                "[distance > s2[0], distance > s2[1]]",
            ),
            (
                "[«distance > s2[1]», distance > s2[0]]",
                "distance >= s2[1]",
            ),
            (
                "[distance > s2[1], «distance > s2[0]»]",
                "distance >= s2[0]",
            ),
        ],
    },
    Place {
        file: "boxes.rs",
        block: "fn corners_behind",
        noticed_by: &[BoxPlanes],
        faults: &[
            ("for s0 in x.map(|x| «x as f32»)", "-(x as f32)"),
            ("(y + f64::from(s0)) as f32", "y as f32 + s0"),
            ("(z + f64::from(s1)) as f32", "z as f32 + s1"),
            (
                "behind += u32::from(distance > s2);",
                "behind += u32::from(distance >= s2);",
            ),
            (
                "behind += u32::from(distance > s2);",
                "behind += u32::from(!(distance <= s2));",
            ),
            ("behind == 8", "behind >= 7"),
            ("behind != 0", "behind > 1"),
        ],
    },
];
