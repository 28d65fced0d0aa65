//! A device to draw with, and pixels to look at.
#![allow(dead_code, unreachable_pub)]

use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

/// Opens the adapter that `NINEFOLD_ADAPTER` names, or the first. `None` where there is none,
/// unless `NINEFOLD_REQUIRE_GPU` is set.
pub fn direct3d() -> Option<Direct3D9> {
    direct3d_with(|_| {})
}

/// The same with other settings.
pub fn direct3d_with(change: impl FnOnce(&mut DeviceSettings)) -> Option<Direct3D9> {
    let mut settings = DeviceSettings {
        adapter: std::env::var("NINEFOLD_ADAPTER").ok(),
        validation: std::env::var_os("NINEFOLD_VALIDATION").is_some(),
        ..DeviceSettings::default()
    };
    change(&mut settings);
    match Direct3D9::new(settings) {
        Ok(direct3d) => {
            eprintln!("adapter: {}", direct3d.get_adapter_identifier().description);
            Some(direct3d)
        }
        Err(error) if std::env::var_os("NINEFOLD_REQUIRE_GPU").is_some() => panic!("{error}"),
        Err(error) => {
            eprintln!("skipped: {error}");
            None
        }
    }
}

/// A device with a black X8R8G8B8 back buffer of this size and a D24S8 depth surface.
pub fn device(width: u32, height: u32) -> Option<Device> {
    device_with(&PresentParameters::windowed(width, height))
}

pub fn device_with(parameters: &PresentParameters) -> Option<Device> {
    let mut device = direct3d()?.create_device(parameters).expect("a device");
    let all = if parameters.enable_auto_depth_stencil {
        D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL
    } else {
        D3DCLEAR_TARGET
    };
    device
        .clear(&[], all, 0xFF00_0000, 1.0, 0)
        .expect("cleared");
    Some(device)
}

/// A picture whose pixels are asked for as 0xRRGGBB.
pub struct Pixels(pub Picture);

impl Pixels {
    pub fn at(&self, x: u32, y: u32) -> u32 {
        let i = (y * self.0.width + x) as usize * 4;
        let p = &self.0.bgra[i..i + 4];
        u32::from(p[2]) << 16 | u32::from(p[1]) << 8 | u32::from(p[0])
    }

    pub fn alpha(&self, x: u32, y: u32) -> u8 {
        self.0.bgra[(y * self.0.width + x) as usize * 4 + 3]
    }

    /// The set of columns and rows where the pixel has this colour, as left, top, right, bottom.
    pub fn bounds(&self, color: u32) -> Option<(u32, u32, u32, u32)> {
        let mut found: Option<(u32, u32, u32, u32)> = None;
        for y in 0..self.0.height {
            for x in 0..self.0.width {
                if self.at(x, y) == color {
                    let b = found.get_or_insert((x, y, x + 1, y + 1));
                    *b = (b.0.min(x), b.1.min(y), b.2.max(x + 1), b.3.max(y + 1));
                }
            }
        }
        found
    }

    pub fn count(&self, color: u32) -> usize {
        let w = self.0.width;
        (0..w * self.0.height)
            .filter(|i| self.at(i % w, i / w) == color)
            .count()
    }
}

/// The pixels of the back buffer.
pub fn pixels(device: &mut Device) -> Pixels {
    let back = device.get_back_buffer(0, 0).expect("a back buffer");
    let picture = device.read_surface(back).expect("its pixels");
    device.release(back).expect("released");
    Pixels(picture)
}

/// Asserts a pixel within `tolerance` levels in each channel.
#[track_caller]
pub fn assert_near(actual: u32, expected: u32, tolerance: i32, what: &str) {
    for shift in [16, 8, 0] {
        let (a, e) = (
            (actual >> shift & 255) as i32,
            (expected >> shift & 255) as i32,
        );
        assert!(
            (a - e).abs() <= tolerance,
            "{what}: {actual:06X}, expected {expected:06X} within {tolerance}"
        );
    }
}

/// x, y, z, rhw, diffuse: `D3DFVF_XYZRHW | D3DFVF_DIFFUSE`.
pub fn rhw(x: f32, y: f32, z: f32, color: u32) -> Vec<u8> {
    let mut out = Vec::new();
    for v in [x, y, z, 1.0] {
        out.extend_from_slice(&v.to_le_bytes());
    }
    out.extend_from_slice(&color.to_le_bytes());
    out
}

/// A rectangle of two triangles in a strip: `D3DFVF_XYZRHW | D3DFVF_DIFFUSE`, stride 20.
pub fn quad(left: f32, top: f32, right: f32, bottom: f32, z: f32, color: u32) -> Vec<u8> {
    [(left, top), (right, top), (left, bottom), (right, bottom)]
        .into_iter()
        .flat_map(|(x, y)| rhw(x, y, z, color))
        .collect()
}

/// The same with one set of texture coordinates from (0, 0) to (1, 1): `| D3DFVF_TEX1`, stride 28.
pub fn textured_quad(left: f32, top: f32, right: f32, bottom: f32, color: u32) -> Vec<u8> {
    let mut out = Vec::new();
    for (x, y, u, v) in [
        (left, top, 0.0, 0.0),
        (right, top, 1.0, 0.0),
        (left, bottom, 0.0, 1.0),
        (right, bottom, 1.0, 1.0),
    ] {
        out.extend(rhw(x, y, 0.5, color));
        out.extend_from_slice(&f32::to_le_bytes(u));
        out.extend_from_slice(&f32::to_le_bytes(v));
    }
    out
}

pub fn draw_quad(
    device: &mut Device,
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
    z: f32,
    color: u32,
) {
    device.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE).unwrap();
    let vertices = quad(left, top, right, bottom, z, color);
    if let Err(code) = device.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &vertices, 20) {
        panic!("{code}: {}", device.last_error());
    }
}

/// Draws texels 1:1: the rectangle is shifted by half a pixel, as D3D9 programs do.
pub fn draw_textured(
    device: &mut Device,
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
    color: u32,
) {
    device
        .set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)
        .unwrap();
    let vertices = textured_quad(left - 0.5, top - 0.5, right - 0.5, bottom - 0.5, color);
    if let Err(code) = device.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &vertices, 28) {
        panic!("{code}: {}", device.last_error());
    }
}

/// Fills level 0 of a texture with bytes that have no padding.
pub fn fill(device: &mut Device, level: impl Into<LevelTarget>, row_bytes: usize, data: &[u8]) {
    let level = level.into();
    let lock = device.lock_rect(level, None, 0).expect("locked");
    let pitch = lock.pitch as usize;
    let bytes = device.locked_bytes_mut(level).expect("bytes");
    for (row, source) in bytes.chunks_mut(pitch).zip(data.chunks(row_bytes)) {
        row[..source.len()].copy_from_slice(source);
    }
    device.unlock_rect(level).expect("unlocked");
}

/// Vertices as bytes.
pub fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}
