//! Choosing adapters, fences, device loss.

mod common;

use std::time::Duration;

use common::*;
use ninefold_gpu::types as wgt;
use ninefold_gpu::*;

#[test]
fn an_adapter_is_chosen_by_a_part_of_its_name() {
    let Some(gpu) = gpu() else { return };
    let all = Gpu::adapters(&GpuOptions::default());
    assert!(!all.is_empty());
    let kinds: Vec<_> = all.iter().map(|adapter| adapter.kind).collect();
    assert!(kinds.is_sorted(), "real GPUs come first: {kinds:?}");
    let name = gpu.adapter_info().name.to_uppercase();
    let part: String = name.chars().take(6).collect();
    let again = Gpu::new(&GpuOptions {
        adapter: Some(part),
        validation: false,
    })
    .unwrap();
    assert_eq!(again.adapter_info().name.to_uppercase(), name);
}

/// NVIDIA's driver crashed here once the last device's end had unloaded it.
#[test]
fn a_thread_may_end_after_the_device_it_used() {
    for _ in 0..3 {
        let had = std::thread::spawn(|| gpu().is_some());
        if !had.join().unwrap() {
            return;
        }
    }
}

#[test]
fn an_adapter_that_is_not_there_is_an_error_that_lists_those_that_are() {
    let Some(gpu) = gpu() else { return };
    let options = GpuOptions {
        adapter: Some("no such thing".into()),
        validation: false,
    };
    let error = Gpu::new(&options).unwrap_err();
    assert!(matches!(error, Error::NoAdapter(_)));
    let text = error.to_string();
    assert!(
        text.contains("no such thing") && text.contains(&gpu.adapter_info().name),
        "{text}"
    );
}

/// Run as a process of its own, since the Vulkan loader reads its environment once.
#[test]
fn without_a_driver_the_error_names_the_packages() {
    if std::env::var_os("NINEFOLD_TEST_NO_DRIVER").is_some() {
        let error = Gpu::new(&GpuOptions::default()).unwrap_err();
        assert!(matches!(error, Error::NoAdapter(_)));
        let text = error.to_string();
        assert!(
            text.contains("mesa-vulkan-drivers") && text.contains("libvulkan1"),
            "{text}"
        );
        return;
    }
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "without_a_driver_the_error_names_the_packages"])
        .env("NINEFOLD_TEST_NO_DRIVER", "1")
        .env("VK_ICD_FILENAMES", "/nonexistent.json")
        .env("VK_DRIVER_FILES", "/nonexistent.json")
        .env_remove("VK_INSTANCE_LAYERS")
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
fn lavapipe_has_what_d3d9_needs() {
    let Some(gpu) = gpu() else { return };
    let caps = gpu.caps();
    assert!(
        caps.max_texture_2d >= 8192 && caps.max_bind_groups >= 4,
        "{caps:?}"
    );
    assert!(
        caps.uniform_alignment <= 256 && caps.max_uniform_binding >= 16384,
        "{caps:?}"
    );
    if gpu.adapter_info().name.contains("llvmpipe") {
        assert!(
            caps.texture_bc && caps.depth32_stencil8 && caps.border_clamp,
            "{caps:?}"
        );
        assert!(
            caps.polygon_line && caps.polygon_point && caps.dual_source,
            "{caps:?}"
        );
        assert!(
            caps.clip_distances && caps.norm16 && caps.max_immediates >= 128,
            "{caps:?}"
        );
        assert!(
            caps.max_inter_stage >= 31 && caps.max_dynamic_uniforms >= 15,
            "{caps:?}"
        );
    }
    let bgra = gpu.format_caps(BGRA);
    assert!(
        bgra.sampled && bgra.filterable && bgra.target && bgra.blendable,
        "{bgra:?}"
    );
    assert_eq!(
        gpu.format_caps(wgt::TextureFormat::NV12),
        FormatCaps::default()
    );
}

#[test]
fn fences_pass_in_order() {
    let Some(gpu) = gpu() else { return };
    let commands = gpu.begin().unwrap();
    let early = commands.fence();
    assert!(matches!(
        gpu.wait(early, Some(Duration::ZERO)),
        Err(Error::State(_))
    ));
    assert!(!gpu.is_complete(early).unwrap());
    assert!(matches!(gpu.begin(), Err(Error::State(_))), "one at a time");
    assert!(matches!(
        gpu.read_texture(
            &gpu.create_texture(&TextureDesc::d2(1, 1, BGRA, SAMPLED))
                .unwrap(),
            0,
            0
        ),
        Err(Error::State(_))
    ));
    let first = commands.submit().unwrap();
    assert_eq!(first, early);
    let dropped = gpu.begin().unwrap().fence();
    let second = gpu.begin().unwrap().submit().unwrap();
    assert!(first < dropped && dropped < second);
    gpu.wait(second, Some(Duration::from_secs(10))).unwrap();
    for value in [first, dropped, second] {
        assert!(gpu.is_complete(value).unwrap());
    }
    assert_eq!(gpu.completed().unwrap(), second);
    // More submissions than may wait at once.
    for _ in 0..50 {
        gpu.begin().unwrap().submit().unwrap();
    }
    gpu.wait_idle().unwrap();
}

#[test]
fn a_lost_device_answers_and_lets_go() {
    let Some(gpu) = gpu() else { return };
    let texture = gpu
        .create_texture(&TextureDesc::d2(4, 4, BGRA, TARGET))
        .unwrap();
    let view = texture.target_view(0, 0).unwrap();
    let mut arena = Arena::new(&gpu, ArenaDesc::default()).unwrap();
    let mut commands = gpu.begin().unwrap();
    let colors = [color(&view, Load::Clear([0.0; 4]))];
    commands
        .begin_pass(&PassDesc {
            colors: &colors,
            ..PassDesc::default()
        })
        .unwrap();
    gpu.lose();
    assert!(gpu.is_lost());
    let _ = commands.set_scissor([0, 0, 1, 1]);
    assert_eq!(commands.submit(), Err(Error::DeviceLost));
    let lost = |result: Result<()>| assert_eq!(result, Err(Error::DeviceLost));
    lost(gpu.begin().map(drop));
    lost(gpu.poll());
    lost(gpu.wait_idle());
    lost(gpu.read_texture(&texture, 0, 0).map(drop));
    lost(
        gpu.create_texture(&TextureDesc::d2(1, 1, BGRA, TARGET))
            .map(drop),
    );
    lost(arena.alloc(16, 16).map(drop));
    lost(texture.target_view(0, 0).map(drop));
    drop((texture, view, arena));
    assert_eq!(gpu.live_objects().total(), 0);
}

/// Commands that hold nothing new need nothing of the device but to run, and must not: what they use
/// is freed as soon as it is dropped.
#[test]
fn a_lost_device_runs_nothing_more() {
    let Some(gpu) = gpu() else { return };
    let texture = gpu
        .create_texture(&TextureDesc::d2(256, 256, BGRA, TARGET))
        .unwrap();
    let view = texture.target_view(0, 0).unwrap();
    let clear = |gpu: &Gpu| -> Result<Commands> {
        let mut commands = gpu.begin()?;
        commands.begin_pass(&PassDesc {
            colors: &[color(&view, Load::Clear([1.0; 4]))],
            ..PassDesc::default()
        })?;
        Ok(commands)
    };
    let first = clear(&gpu).unwrap().submit().unwrap();
    gpu.wait(first, None).unwrap();
    let commands = clear(&gpu).unwrap();
    gpu.lose();
    assert_eq!(commands.submit(), Err(Error::DeviceLost));
    drop((texture, view));
    assert_eq!(gpu.live_objects().total(), 0);
}

/// One thread submits and drops as fast as it can while another loses the device.
#[test]
fn losing_the_device_between_submissions() {
    for round in 0..40 {
        let Some(gpu) = gpu() else { return };
        let other = gpu.clone();
        let submits = std::thread::spawn(move || {
            loop {
                let texture = other.create_texture(&TextureDesc::d2(64, 64, BGRA, TARGET))?;
                let view = texture.target_view(0, 0)?;
                let mut commands = other.begin()?;
                commands.begin_pass(&PassDesc {
                    colors: &[color(&view, Load::Clear([1.0; 4]))],
                    ..PassDesc::default()
                })?;
                commands.submit()?;
            }
        });
        std::thread::sleep(std::time::Duration::from_micros(100 * round));
        gpu.lose();
        let ended: Result<()> = submits.join().unwrap();
        assert_eq!(ended, Err(Error::DeviceLost));
    }
}

#[test]
fn pipeline_cache_data_of_others_is_ignored() {
    let Some(gpu) = gpu() else { return };
    if !gpu.caps().pipeline_cache {
        assert!(matches!(
            gpu.create_pipeline_cache(None),
            Err(Error::Invalid(_))
        ));
        return;
    }
    let cache = gpu.create_pipeline_cache(Some(b"not a cache")).unwrap();
    let data = cache.data(&gpu).unwrap();
    for at in [0, 8, 16, data.len() - 1] {
        let mut damaged = data.clone();
        damaged[at] ^= 1;
        gpu.create_pipeline_cache(Some(&damaged)).unwrap();
    }
    gpu.create_pipeline_cache(Some(&data)).unwrap();
}

#[test]
fn handles_go_to_other_threads() {
    fn shared<T: Send + Sync>() {}
    fn sent<T: Send>() {}
    shared::<(Gpu, Buffer, Texture, TextureView, Sampler, QuerySet)>();
    shared::<(BindGroupLayout, PipelineLayout, BindGroup, ShaderModule)>();
    shared::<(RenderPipeline, PipelineCache, Error)>();
    sent::<(Commands, Arena, Readback)>();
    assert!(size_of::<Result<()>>() <= 24, "errors are cheap to return");
}
