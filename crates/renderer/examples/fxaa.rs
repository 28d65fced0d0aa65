//! Draws `docs/fxaa.png`: slanted edges as they are, through the filter, and as they would be if
//! each pixel showed what the shapes cover of it; and prints how far the first two are from the
//! third.
//!
//! `cargo run -p ninefold-renderer --example fxaa -- docs/fxaa.png`

use std::fs::File;

use ninefold_renderer::gpu::{Gpu, GpuOptions};
use ninefold_renderer::{
    Box3, Image, ImageDesc, ImageFormat, ImageUsage, Renderer, Settings, color_floats,
};

const WIDTH: u32 = 96;
const HEIGHT: u32 = 72;
/// Points of a pixel that its coverage is counted at, each way.
const PARTS: u32 = 16;
/// How much larger pixels are in the picture.
const ZOOM: u32 = 4;

/// The colour at a point: bands between lines of slopes from near level to steep.
fn scene(x: f64, y: f64) -> u32 {
    let below = |at: f64, slope: f64| y > at + x * slope;
    match () {
        () if below(58.0, -0.6) && below(40.0, 0.0) => 0xFF20_3050,
        () if below(34.0, 0.12) => 0xFFE0_C060,
        () if below(20.0, 0.06) => 0xFF40_6080,
        () if below(12.0, 0.025) && !below(14.0, 0.025) => 0xFF10_1010,
        () => 0xFFB0_D0F0,
    }
}

fn picture(of: impl Fn(u32, u32) -> [f32; 4]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let [r, g, b, a] = of(x, y).map(|v| (v * 255.0).round() as u8);
            bytes.extend([b, g, r, a]);
        }
    }
    bytes
}

/// What a pixel shows of the shapes, in gamma-encoded values as the filter takes them.
fn covered(x: u32, y: u32) -> [f32; 4] {
    let mut sum = [0.0; 4];
    for n in 0..PARTS * PARTS {
        let [u, v] = [n % PARTS, n / PARTS].map(|v| (f64::from(v) + 0.5) / f64::from(PARTS));
        let color = color_floats(scene(f64::from(x) + u, f64::from(y) + v));
        for (sum, part) in sum.iter_mut().zip(color) {
            *sum += part / (PARTS * PARTS) as f32;
        }
    }
    sum
}

/// Mean difference of the channels that are not alpha, of 255.
fn distance(a: &[u8], b: &[u8]) -> f64 {
    let pairs = a.iter().zip(b).enumerate();
    let sum: u64 = pairs
        .filter(|(n, _)| n % 4 != 3)
        .map(|(_, (a, b))| u64::from(a.abs_diff(*b)))
        .sum();
    sum as f64 / f64::from(WIDTH * HEIGHT * 3)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("the picture's path")?;
    let mut renderer = Renderer::new(Gpu::new(&GpuOptions::default())?, Settings::default())?;
    let jagged = picture(|x, y| color_floats(scene(f64::from(x) + 0.5, f64::from(y) + 0.5)));
    let wanted = picture(covered);
    let make = |renderer: &mut Renderer| -> ninefold_renderer::Result<Image> {
        renderer.create_image(&ImageDesc {
            usage: ImageUsage::COLOR | ImageUsage::SAMPLED,
            ..ImageDesc::d2(WIDTH, HEIGHT, ImageFormat::Bgra8)
        })
    };
    let (from, to) = (make(&mut renderer)?, make(&mut renderer)?);
    let area = Box3 {
        x: 0,
        y: 0,
        z: 0,
        w: WIDTH,
        h: HEIGHT,
        d: 1,
    };
    renderer.upload(&from, 0, 0, area, &jagged, WIDTH as usize * 4, 0)?;
    let attach = |image: &Image| ninefold_renderer::Attachment::new(image.clone());
    let filtered = renderer.fxaa(&attach(&from), &attach(&to), 0.75)?;
    println!("adapter: {}, filtered: {filtered}", renderer.caps().adapter);
    let smooth = renderer.read_image(&to, 0, 0)?;
    println!(
        "mean distance from what the shapes cover, of 255: {:.2} before, {:.2} after",
        distance(&jagged, &wanted),
        distance(&smooth, &wanted)
    );

    let columns = [&jagged, &smooth, &wanted];
    let gap = 8;
    let (width, height) = (3 * WIDTH * ZOOM + 2 * gap, HEIGHT * ZOOM);
    let mut rgb = vec![0xFFu8; (width * height * 3) as usize];
    for (column, bytes) in columns.into_iter().enumerate() {
        for y in 0..height {
            for x in 0..WIDTH * ZOOM {
                let from = ((y / ZOOM * WIDTH + x / ZOOM) * 4) as usize;
                let left = column as u32 * (WIDTH * ZOOM + gap);
                let to = ((y * width + left + x) * 3) as usize;
                let [b, g, r] = [bytes[from], bytes[from + 1], bytes[from + 2]];
                rgb[to..to + 3].copy_from_slice(&[r, g, b]);
            }
        }
    }
    let mut encoder = png::Encoder::new(File::create(path)?, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.write_header()?.write_image_data(&rgb)?;
    Ok(())
}
