//! Pictures go into textures of another library on the same device, by copy and through the filter,
//! in order with everything else.
#![cfg(not(any(target_vendor = "apple", target_os = "windows")))]

mod common;

use common::{Alone, pixels, quad};
use ninefold_gpu::types::{Extent3d, TextureDimension, TextureFormat, TextureUsages, TextureUses};
use ninefold_gpu::{Gpu, GpuOptions, Texture, TextureDesc, hal};
use ninefold_renderer::{Error, ErrorKind, ImageFormat, ImageUsage, RhwState};

type Vulkan = hal::api::Vulkan;

const EDGE: u32 = 32;

/// A texture that another library makes on the device of `gpu`.
fn theirs(gpu: &Gpu, format: TextureFormat, usage: TextureUsages, edge: u32) -> Option<Texture> {
    let target = usage.contains(TextureUsages::RENDER_ATTACHMENT);
    let mut uses = TextureUses::COPY_DST | TextureUses::COPY_SRC;
    uses.set(TextureUses::COLOR_TARGET, target);
    uses.set(
        TextureUses::RESOURCE,
        usage.contains(TextureUsages::TEXTURE_BINDING),
    );
    let desc = hal::TextureDescriptor {
        label: Some("theirs"),
        size: Extent3d {
            width: edge,
            height: edge,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: TextureDimension::D2,
        format,
        usage: uses,
        memory_flags: hal::MemoryFlags::empty(),
        view_formats: Vec::new(),
    };
    let ours = TextureDesc::d2(edge, edge, format, usage);
    // SAFETY: the texture is made by this device, as both descriptions say, and never used before.
    unsafe {
        let device = gpu.hal_device::<Vulkan>()?;
        let texture = hal::Device::create_texture(device, &desc).unwrap();
        let state = TextureUses::UNINITIALIZED;
        Some(gpu.import_texture::<Vulkan>(texture, &ours, state).unwrap())
    }
}

/// Green under a slanted edge, black above: something for the filter.
fn draw_edge(r: &mut Alone, context: &ninefold_renderer::Context) {
    let mut vertices = quad(0.0, 0.0, EDGE as f32, EDGE as f32, 0.5, 0xFF00_FF00);
    vertices[1].y = 9.0;
    let state = RhwState::default();
    r.clear_context(context, 0xFF00_0000).unwrap();
    common::draw(r, context, &state, &vertices[..3]);
}

const COPIES: TextureUsages = TextureUsages::COPY_SRC.union(TextureUsages::COPY_DST);

#[test]
fn pictures_go_into_textures_of_others() {
    let options = GpuOptions {
        adapter: std::env::var("NINEFOLD_ADAPTER").ok(),
        ..GpuOptions::default()
    };
    let Some((mut r, gpu)) = common::renderer_and_gpu(&options) else {
        return;
    };
    let context = r.create_context(EDGE, EDGE).unwrap();
    let all = COPIES | TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING;
    let Some(target) = theirs(&gpu, TextureFormat::Bgra8Unorm, all, EDGE) else {
        eprintln!("skipped: not Vulkan");
        return;
    };
    let plain = theirs(&gpu, TextureFormat::Bgra8Unorm, COPIES, EDGE).unwrap();
    let [target, plain] = [target, plain].map(|texture| r.adopt_image(&texture).unwrap());
    assert_eq!(target.desc().format, ImageFormat::Bgra8);
    assert!(target.desc().usage.contains(ImageUsage::COLOR));
    assert_eq!(plain.desc().usage, ImageUsage::default());

    draw_edge(&mut r, &context);
    // In order: the copies hold what was there before the clear, whenever it is submitted.
    r.blit_context(&context, &target).unwrap();
    r.blit_context(&context, &plain).unwrap();
    r.clear_context(&context, 0xFFFF_FFFF).unwrap();
    let first = pixels(&r.read_image(&target, 0, 0).unwrap());
    assert_eq!(first[4 * EDGE as usize + 1], 0xFF00_FF00, "under the edge");
    assert_eq!(first[EDGE as usize - 1], 0xFF00_0000);
    assert_eq!(pixels(&r.read_image(&plain, 0, 0).unwrap()), first);
    let after = pixels(&r.read_framebuffer(&context).unwrap());
    assert!(after.iter().all(|&p| p == 0xFFFF_FFFF));

    // Through the filter where it can be drawn to, as into an image of ours; else copied.
    draw_edge(&mut r, &context);
    let own = common::target(&mut r, EDGE, EDGE, ImageFormat::Bgra8, 1);
    assert!(r.fxaa_context(&context, &own, 0.75).unwrap());
    assert!(r.fxaa_context(&context, &target, 0.75).unwrap());
    assert!(!r.fxaa_context(&context, &plain, 0.75).unwrap());
    let own = r.read_image(&own, 0, 0).unwrap();
    let filtered = r.read_image(&target, 0, 0).unwrap();
    assert!(filtered == own && pixels(&filtered) != first);
    assert_eq!(pixels(&r.read_image(&plain, 0, 0).unwrap()), first);
    // And it is a texture like any other.
    let state = RhwState {
        texture: Some(target.clone()),
        ..RhwState::default()
    };
    let vertices = quad(0.0, 0.0, EDGE as f32, EDGE as f32, 0.5, 0xFFFF_FFFF);
    common::draw(&mut r, &context, &state, &vertices);
    let shown = r.read_framebuffer(&context).unwrap();
    assert_eq!(shown, filtered);

    // What does not fit.
    let kind = |result: Result<(), Error>| result.unwrap_err().kind();
    let small = theirs(&gpu, TextureFormat::Bgra8Unorm, all, 8).unwrap();
    let small = r.adopt_image(&small).unwrap();
    assert_eq!(kind(r.blit_context(&context, &small)), ErrorKind::Bounds);
    let red = theirs(&gpu, TextureFormat::R8Unorm, COPIES, EDGE).unwrap();
    let red = r.adopt_image(&red).unwrap();
    assert_eq!(kind(r.blit_context(&context, &red)), ErrorKind::Args);
    let integers = theirs(&gpu, TextureFormat::R32Uint, COPIES, EDGE).unwrap();
    let refused = r.adopt_image(&integers).map(drop);
    assert_eq!(kind(refused), ErrorKind::Unsupported);
    let own = context.image().clone();
    assert!(r.blit_context(&context, &own).is_err());
    let other = Gpu::new(&options).unwrap();
    let foreign = theirs(&other, TextureFormat::Bgra8Unorm, all, EDGE).unwrap();
    assert_eq!(kind(r.adopt_image(&foreign).map(drop)), ErrorKind::Args);
}
