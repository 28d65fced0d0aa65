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
            ("profile::BOUNDS_DIVISOR.to_bits()", "0"),
            ("entry::put(frame, RETURN, calls.sites[0]);", ""),
            ("entry::put(frame, RETURN, calls.sites[1]);", ""),
            ("calls.sites[0]", "calls.sites[1]"),
            ("calls.sites[1]", "calls.sites[0]"),
            ("let saved = [«calls.query», calls.bounds", "calls.bounds"),
            ("[calls.query, «calls.bounds», calls.planes", "calls.query"),
            ("«calls.planes», calls.count]", "calls.count"),
            ("calls.planes, «calls.count»]", "count"),
            ("boxes::leave_planes_frame(frame, saved, &side.last);", ""),
            ("(frame, saved, «&side.last»)", "&None"),
            ("compared = [distance, sums[2]];", ""),
            ("compared = «[distance, sums[2]]»", "[sums[2], distance]"),
            ("[distance, «sums[2]»]", "sums[1]"),
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
