#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use ninefold_d3d9::{Device, DeviceSettings, Direct3D9, PresentParameters};

#[path = "../src/process_vertices.rs"]
mod call;

thread_local! {
    static DEVICE: RefCell<Device> = RefCell::new(
        Direct3D9::new(DeviceSettings::default())
            .expect("an adapter")
            .create_device(&PresentParameters::windowed(16, 16))
            .expect("a device"),
    );
}

fuzz_target!(|data: &[u8]| {
    DEVICE.with_borrow_mut(|device| call::process_vertices(device, data));
});
