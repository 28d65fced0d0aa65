#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use ninefold_d3d9::{Device, DeviceSettings, Direct3D9, PresentParameters, VertexSettings};

#[path = "../src/process_vertices.rs"]
mod call;

fn device(vertices: VertexSettings) -> Device {
    let settings = DeviceSettings {
        vertices,
        ..DeviceSettings::default()
    };
    Direct3D9::new(settings)
        .expect("an adapter")
        .create_device(&PresentParameters::windowed(16, 16))
        .expect("a device")
}

thread_local! {
    static DEVICES: RefCell<Vec<Device>> =
        RefCell::new(call::ways().into_iter().map(device).collect());
}

fuzz_target!(|data: &[u8]| {
    DEVICES.with_borrow_mut(|devices| call::same(devices, data));
});
