//! The gathers' tests of bounds in one go.

use super::Place;
use ninefold_guest::profile::Routine::*;

pub(super) const PLACES: &[Place] = &[
    Place {
        file: "node.rs",
        block: "fn test(",
        noticed_by: &[LeafGather, TreeGather],
        faults: &[
            ("let length = «at + BOX as u32»", "at"),
            (
                "(calls.count as i16).max(0) as u32",
                "(calls.count as i32).max(0) as u32",
            ),
            ("is_written(calls.parent, BOX as u32)", "false"),
            ("is_written(calls.bytes, 6)", "false"),
            ("is_written(calls.query, BOX as u32)", "false"),
            ("is_written(calls.planes, count * 16)", "false"),
            ("is_written(calls.planes, «count * 16»)", "16"),
            ("boxes::decoded(«parent», bytes)", "query"),
            (
                "boxes::compare(query, &bounds)",
                "boxes::compare(&bounds, query)",
            ),
            ("(overlap != 0)", "true"),
            (
                "planes.as_chunks().0",
                "planes.as_chunks().0.get(1..).unwrap_or_default()",
            ),
            ("*memory.at_mut(place, at) = bounds;", ""),
            ("entry::put(frame, RETURN - 8, byte);", ""),
            ("entry::leave_stale(cpu, 2, extent);", ""),
            ("entry::leave_stale(cpu, «2», extent)", "3"),
            ("cpu[Reg::Ecx] = calls.query;", ""),
            ("let mut compared = «pair»", "[pair[1], pair[0]]"),
            ("crate::profile::BOUNDS_DIVISOR.to_bits()", "0"),
            ("entry::put(frame, RETURN, calls.sites[0]);", ""),
            ("entry::put(frame, RETURN, calls.sites[1]);", ""),
            ("calls.sites[0]", "calls.sites[1]"),
            ("calls.sites[1]", "calls.sites[0]"),
            ("entry::put(frame, RETURN - 4, calls.query);", ""),
            ("entry::put(frame, RETURN - 8, calls.bounds);", ""),
            ("entry::put(frame, RETURN - 0xC, calls.planes);", ""),
            ("entry::put(frame, RETURN - 0x10, calls.count);", ""),
            ("entry::put(frame, RETURN - 0x14, s0);", ""),
            ("entry::put(frame, RETURN - 0x18, s1);", ""),
            ("entry::put(frame, RETURN - 0x1C, s2);", ""),
            ("compared = [distance, s2];", ""),
            ("compared = «[distance, s2]»", "[s2, distance]"),
            ("} «side.result» }", "2"),
            ("entry::leave_comparison(cpu, x, y);", ""),
            ("Some([overlap, result])", "Some([result, overlap])"),
        ],
    },
    Place {
        file: "node.rs",
        block: "fn test(",
        noticed_by: &[TreeGather],
        faults: &[("Some([«overlap», result])", "2")],
    },
];
