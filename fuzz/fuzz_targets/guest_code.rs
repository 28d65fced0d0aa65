#![no_main]

#[path = "../src/guest.rs"]
#[allow(dead_code)]
mod guest;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    guest::guest_code(data);
});
