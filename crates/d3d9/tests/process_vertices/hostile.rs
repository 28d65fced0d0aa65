//! Anything at all: no panic, a call that fails writes nothing, and every way gives the same.

use super::*;

#[path = "../../../../fuzz/src/process_vertices.rs"]
mod fuzzed;

#[test]
fn random_calls_fail_whole_or_write_their_range_only() {
    let devices = fuzzed::ways().into_iter().map(ways::processing);
    let Some(mut devices) = devices.collect::<Option<Vec<Device>>>() else {
        return;
    };
    let rounds = match std::env::var("NINEFOLD_SEEDS") {
        Ok(n) => n.parse().unwrap_or(1500),
        Err(_) => 1500,
    };
    let mut seed = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 24) as u8
    };
    let mut succeeded = 0;
    for _ in 0..rounds {
        let data: Vec<u8> = (0..400).map(|_| random()).collect();
        succeeded += u32::from(fuzzed::same(&mut devices, &data));
    }
    assert!(
        succeeded * 20 > rounds,
        "only {succeeded} of {rounds} calls ran"
    );
    fuzzed::same(&mut devices, &[]);
}
