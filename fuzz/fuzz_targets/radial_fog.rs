#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    ninefold_fuzz::radial_fog(data);
});
