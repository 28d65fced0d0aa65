//! A small safe layer over wgpu-hal: device, fenced queue, retained resources, arenas, one open pass
