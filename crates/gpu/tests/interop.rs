//! Another library on the same device: images that it made with raw Vulkan, drawn and copied into
//! here, and read by it.
#![cfg(not(any(target_vendor = "apple", target_os = "windows")))]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ash::vk;
use common::*;
use ninefold_gpu::hal::vulkan;
use ninefold_gpu::types as wgt;
use ninefold_gpu::*;

type Vulkan = hal::api::Vulkan;

const EDGE: u32 = 8;

/// The other library: a linear image in memory that it has mapped.
struct Presenter {
    device: ash::Device,
    image: vk::Image,
    memory: vk::DeviceMemory,
    mapped: *const u8,
    layout: vk::SubresourceLayout,
}

impl Presenter {
    fn new(gpu: &Gpu) -> Option<Self> {
        // SAFETY: nothing of the device is destroyed; the presenter ends before the device does.
        let device = unsafe { gpu.hal_device::<Vulkan>() }?;
        let (raw, physical) = (device.raw_device().clone(), device.raw_physical_device());
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(vk::Format::B8G8R8A8_UNORM)
            .extent(vk::Extent3D {
                width: EDGE,
                height: EDGE,
                depth: 1,
            })
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .tiling(vk::ImageTiling::LINEAR)
            .usage(vk::ImageUsageFlags::TRANSFER_DST)
            .initial_layout(vk::ImageLayout::UNDEFINED);
        let instance = device.shared_instance().raw_instance();
        // SAFETY: plain creation of an image with memory of its own, that the host sees.
        unsafe {
            let image = raw.create_image(&info, None).unwrap();
            let needs = raw.get_image_memory_requirements(image);
            let kinds = instance.get_physical_device_memory_properties(physical);
            let wanted =
                vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
            let kind = (0..kinds.memory_type_count).find(|&n| {
                needs.memory_type_bits >> n & 1 != 0
                    && kinds.memory_types[n as usize]
                        .property_flags
                        .contains(wanted)
            });
            let Some(kind) = kind else {
                raw.destroy_image(image, None);
                return None;
            };
            let allocate = vk::MemoryAllocateInfo::default()
                .allocation_size(needs.size)
                .memory_type_index(kind);
            let memory = raw.allocate_memory(&allocate, None).unwrap();
            raw.bind_image_memory(image, memory, 0).unwrap();
            let part = vk::ImageSubresource::default().aspect_mask(vk::ImageAspectFlags::COLOR);
            let layout = raw.get_image_subresource_layout(image, part);
            let mapped = raw
                .map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())
                .unwrap();
            Some(Self {
                device: raw,
                image,
                memory,
                mapped: mapped.cast(),
                layout,
            })
        }
    }

    /// What the host sees at (x, y) once the GPU is done, as BGRA.
    fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let at = self.layout.offset + u64::from(y) * self.layout.row_pitch + u64::from(x) * 4;
        // SAFETY: the memory is mapped as a whole, and the texel lies inside it.
        unsafe { self.mapped.add(at as usize).cast::<[u8; 4]>().read() }
    }

    fn lend(&self, gpu: &Gpu, back: &Arc<AtomicUsize>) -> Texture {
        let desc = TextureDesc::d2(EDGE, EDGE, BGRA, wgt::TextureUsages::COPY_DST);
        let hal_desc = hal::TextureDescriptor {
            label: None,
            size: wgt::Extent3d {
                width: EDGE,
                height: EDGE,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgt::TextureDimension::D2,
            format: BGRA,
            usage: wgt::TextureUses::COPY_DST,
            memory_flags: hal::MemoryFlags::empty(),
            view_formats: Vec::new(),
        };
        let back = back.clone();
        let given_back: hal::DropCallback = Box::new(move || {
            back.fetch_add(1, Ordering::SeqCst);
        });
        // SAFETY: the image is of this device and as described, in no layout yet, and the
        // presenter looks at it only after waiting.
        unsafe {
            let device = gpu.hal_device::<Vulkan>().unwrap();
            let memory = vulkan::TextureMemory::External;
            let texture = device.texture_from_raw(self.image, &hal_desc, Some(given_back), memory);
            gpu.import_texture::<Vulkan>(texture, &desc, wgt::TextureUses::UNINITIALIZED)
                .unwrap()
        }
    }
}

impl Drop for Presenter {
    fn drop(&mut self) {
        // SAFETY: the texture made of the image was given back, and the GPU is done.
        unsafe {
            self.device.destroy_image(self.image, None);
            self.device.free_memory(self.memory, None);
        }
    }
}

fn cleared(gpu: &Gpu, commands: &mut Commands, rgba: [f32; 4]) -> Texture {
    let texture = gpu
        .create_texture(&TextureDesc::d2(EDGE, EDGE, BGRA, TARGET))
        .unwrap();
    let view = texture.target_view(0, 0).unwrap();
    let colors = [color(&view, Load::Clear(rgba))];
    commands
        .begin_pass(&PassDesc {
            colors: &colors,
            ..PassDesc::default()
        })
        .unwrap();
    commands.end_pass().unwrap();
    texture
}

fn region(x: u32, w: u32) -> Region {
    Region {
        mip: 0,
        layer: 0,
        origin: [x, 0, 0],
        size: [w, EDGE, 1],
        aspect: wgt::TextureAspect::All,
    }
}

#[test]
fn a_raw_vulkan_image_is_copied_into_and_given_back_once() {
    let Some(gpu) = gpu() else { return };
    let Some(presenter) = Presenter::new(&gpu) else {
        eprintln!("skipped: no Vulkan, or no linear images that the host sees");
        return;
    };
    let back = Arc::new(AtomicUsize::new(0));
    let lent = presenter.lend(&gpu, &back);
    assert!(lent.is_of(&gpu));
    assert_eq!(lent.rest_state(), wgt::TextureUses::COPY_DST);
    // Two submissions: the first from no layout at all, the second from the resting state.
    for (rgba, x, want) in [
        ([1.0, 128.0 / 255.0, 0.0, 1.0], 0, [0, 128, 255, 255]),
        ([0.0, 0.0, 1.0, 0.0], 4, [255, 0, 0, 0]),
    ] {
        let mut commands = gpu.begin().unwrap();
        let from = cleared(&gpu, &mut commands, rgba);
        commands
            .copy_texture_to_texture(&from, &region(x, EDGE - x), &lent, 0, 0, [x, 0, 0])
            .unwrap();
        let fence = commands.submit().unwrap();
        gpu.wait(fence, None).unwrap();
        for y in 0..EDGE {
            assert_eq!(presenter.pixel(EDGE - 1, y), want);
            assert_eq!(presenter.pixel(0, y), [0, 128, 255, 255]);
        }
    }
    // It is given back when the GPU is done with the last submission that uses it.
    let mut commands = gpu.begin().unwrap();
    let from = cleared(&gpu, &mut commands, [0.0; 4]);
    commands
        .copy_texture_to_texture(&from, &region(0, EDGE), &lent, 0, 0, [0; 3])
        .unwrap();
    drop((from, lent));
    assert_eq!(back.load(Ordering::SeqCst), 0, "still recorded");
    let fence = commands.submit().unwrap();
    gpu.wait(fence, None).unwrap();
    assert_eq!(back.load(Ordering::SeqCst), 1);
    assert_eq!(presenter.pixel(3, 3), [0; 4]);
    // What is recorded and thrown away gives back as well.
    let again = presenter.lend(&gpu, &back);
    let mut commands = gpu.begin().unwrap();
    let from = cleared(&gpu, &mut commands, [1.0; 4]);
    commands
        .copy_texture_to_texture(&from, &region(0, EDGE), &again, 0, 0, [0; 3])
        .unwrap();
    drop((again, from, commands));
    assert_eq!(back.load(Ordering::SeqCst), 2);
}

/// An image of wgpu-hal's own making is drawn into and sampled like any other.
#[test]
fn an_image_of_the_same_device_is_a_target() {
    let Some(gpu) = gpu() else { return };
    let uses = wgt::TextureUses::COLOR_TARGET
        | wgt::TextureUses::RESOURCE
        | wgt::TextureUses::COPY_SRC
        | wgt::TextureUses::COPY_DST;
    // SAFETY: nothing of the device is destroyed.
    let Some(device) = (unsafe { gpu.hal_device::<Vulkan>() }) else {
        return;
    };
    let make = || {
        let desc = hal::TextureDescriptor {
            label: Some("theirs"),
            size: wgt::Extent3d {
                width: EDGE,
                height: EDGE,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgt::TextureDimension::D2,
            format: BGRA,
            usage: uses,
            memory_flags: hal::MemoryFlags::empty(),
            view_formats: Vec::new(),
        };
        // SAFETY: a plain description.
        unsafe { hal::Device::create_texture(device, &desc) }.unwrap()
    };
    let desc = TextureDesc::d2(EDGE, EDGE, BGRA, TARGET);
    let live = gpu.live_objects();
    // SAFETY: made by this device just now, as described, never used.
    let texture =
        unsafe { gpu.import_texture::<Vulkan>(make(), &desc, wgt::TextureUses::UNINITIALIZED) }
            .unwrap();
    let view = texture.target_view(0, 0).unwrap();
    let mut commands = gpu.begin().unwrap();
    let colors = [color(&view, Load::Clear([0.0, 1.0, 0.0, 1.0]))];
    commands
        .begin_pass(&PassDesc {
            colors: &colors,
            ..PassDesc::default()
        })
        .unwrap();
    commands.submit().unwrap();
    let read = gpu.read_texture(&texture, 0, 0).unwrap();
    assert!(read.chunks(4).all(|p| p == [0, 255, 0, 255]));
    // SAFETY: the object is looked at only.
    assert!(unsafe { texture.hal_texture::<Vulkan>() }.is_some());
    // SAFETY: the queue is looked at only.
    let raw = unsafe { gpu.with_hal_queue::<Vulkan, _>(|queue| queue.raw_device().handle()) };
    assert_eq!(raw, Some(device.raw_device().handle()));
    // What the device cannot do is refused, and the texture goes.
    let wrong = TextureDesc::d2(0, EDGE, BGRA, TARGET);
    // SAFETY: as above; the description is refused before it is believed.
    let refused =
        unsafe { gpu.import_texture::<Vulkan>(make(), &wrong, wgt::TextureUses::UNINITIALIZED) };
    assert!(matches!(refused, Err(Error::Invalid(_))));
    drop((texture, view));
    gpu.wait_idle().unwrap();
    assert_eq!(gpu.live_objects(), live);
    gpu.lose();
    // SAFETY: as above.
    let lost =
        unsafe { gpu.import_texture::<Vulkan>(make(), &desc, wgt::TextureUses::UNINITIALIZED) };
    assert!(matches!(lost, Err(Error::DeviceLost)));
}
