//! Play Direct3D 9 captures and inspect Direct3D 9 shaders without Windows
fn main() {}
