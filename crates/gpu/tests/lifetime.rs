//! Resources live as long as the GPU needs them, and no longer.

mod common;

use std::sync::Arc;

use common::*;
use ninefold_gpu::types as wgt;
use ninefold_gpu::*;

/// Everything a draw needs, dropped as soon as it is recorded.
fn record(gpu: &Gpu, commands: &mut Commands, target: &Texture, shade: f32) {
    let layout = sampled_layout(gpu, wgt::TextureViewDimension::D2);
    let pipeline_layout = gpu
        .create_pipeline_layout(&PipelineLayoutDesc {
            label: "",
            groups: &[&layout],
            immediates: 16,
        })
        .unwrap();
    let wgsl = sampling("2d", "vec2f(0.5)");
    let pipeline = Simple {
        wgsl: &wgsl,
        layout: &pipeline_layout,
        format: BGRA,
        blend: None,
        depth_stencil: None,
        samples: 1,
    }
    .build(gpu);
    let source = gpu
        .create_texture(&TextureDesc::d2(2, 2, BGRA, SAMPLED))
        .unwrap();
    let mut arena = Arena::new(
        gpu,
        ArenaDesc {
            size: 4096,
            pool: 1,
            window: 16,
        },
    )
    .unwrap();
    let byte = (shade * 255.0) as u8;
    let region = Region::whole(&source, 0, 0);
    commands
        .write_texture(&mut arena, &source, &region, &[byte; 16], 8, 2)
        .unwrap();
    let group = sampled_group(gpu, &layout, &source.full_view().unwrap());
    let corners = quad(-1.0, -1.0, 1.0, 1.0, 0.0);
    let piece = arena.alloc(96, 256).unwrap();
    piece.data.copy_from_slice(bytemuck::cast_slice(&corners));
    let (buffer, offset) = (piece.buffer, piece.offset);
    let view = target.target_view(0, 0).unwrap();
    let colors = [color(&view, Load::Clear([0.0; 4]))];
    commands
        .begin_pass(&PassDesc {
            colors: &colors,
            ..PassDesc::default()
        })
        .unwrap();
    commands.set_pipeline(&pipeline).unwrap();
    commands.set_bind_group(0, &group, &[]).unwrap();
    commands.set_vertex_buffer(0, &buffer, offset, 96).unwrap();
    commands.draw(0..6, 0..1).unwrap();
    commands.end_pass().unwrap();
}

#[test]
fn handles_may_be_dropped_before_the_submission() {
    let Some(gpu) = gpu() else { return };
    let target = gpu
        .create_texture(&TextureDesc::d2(64, 64, BGRA, TARGET))
        .unwrap();
    for n in 1..=20 {
        let mut commands = gpu.begin().unwrap();
        record(&gpu, &mut commands, &target, n as f32 / 20.0);
        commands.submit().unwrap();
    }
    let bytes = gpu.read_texture(&target, 0, 0).unwrap();
    assert!(bytes.iter().all(|&byte| byte == 255));
    assert_eq!(
        gpu.live_objects().total(),
        1,
        "the target: {:?}",
        gpu.live_objects()
    );
    drop(target);
    assert_eq!(gpu.live_objects(), LiveObjects::default());
}

#[test]
fn commands_that_are_dropped_do_nothing() {
    let Some(gpu) = gpu() else { return };
    let target = gpu
        .create_texture(&TextureDesc::d2(2, 2, BGRA, TARGET))
        .unwrap();
    let mut commands = gpu.begin().unwrap();
    record(&gpu, &mut commands, &target, 1.0);
    // Dropped with a pass open, too.
    let view = target.target_view(0, 0).unwrap();
    let colors = [color(&view, Load::Clear([1.0; 4]))];
    commands
        .begin_pass(&PassDesc {
            colors: &colors,
            ..PassDesc::default()
        })
        .unwrap();
    drop((commands, view));
    assert_eq!(gpu.live_objects().total(), 1);
    let mut commands = gpu.begin().unwrap();
    let readback = commands
        .read_texture(&target, &Region::whole(&target, 0, 0))
        .unwrap();
    drop(commands);
    gpu.begin().unwrap().submit().unwrap();
    assert!(!readback.is_ready().unwrap());
    assert!(matches!(readback.wait(), Err(Error::State(_))));
    // The target is new still, and so zero.
    assert_eq!(gpu.read_texture(&target, 0, 0).unwrap(), [0; 16]);
}

#[test]
fn queries_of_dropped_commands_must_be_reset_again() {
    let Some(gpu) = gpu() else { return };
    let set = gpu.create_query_set(1).unwrap();
    let target = gpu
        .create_texture(&TextureDesc::d2(2, 2, BGRA, TARGET))
        .unwrap();
    let view = target.target_view(0, 0).unwrap();
    let mut commands = gpu.begin().unwrap();
    commands.reset_queries(&set, 0..1).unwrap();
    drop(commands);
    let mut commands = gpu.begin().unwrap();
    let colors = [color(&view, Load::Clear([1.0; 4]))];
    let desc = PassDesc {
        colors: &colors,
        occlusion: Some(&set),
        ..PassDesc::default()
    };
    commands.begin_pass(&desc).unwrap();
    assert!(matches!(
        commands.begin_occlusion_query(0),
        Err(Error::State(_))
    ));
}

#[test]
fn the_gpu_may_be_dropped_first() {
    let Some(gpu) = gpu() else { return };
    let target = gpu
        .create_texture(&TextureDesc::d2(256, 256, BGRA, TARGET))
        .unwrap();
    let mut commands = gpu.begin().unwrap();
    record(&gpu, &mut commands, &target, 1.0);
    commands.submit().unwrap();
    drop(gpu);
    drop(target);
}

#[test]
fn pipelines_are_built_on_other_threads_while_one_records() {
    let Some(gpu) = gpu() else { return };
    let layout = Arc::new(plain_layout(&gpu, 16));
    let build = |gpu: Gpu, layout: Arc<PipelineLayout>, shade: u32| {
        std::thread::spawn(move || {
            let wgsl = FLAT.replace(
                "return color;",
                &format!("return color * {shade}.0 / 10.0;"),
            );
            Simple {
                wgsl: &wgsl,
                layout: &layout,
                format: BGRA,
                blend: None,
                depth_stencil: None,
                samples: 1,
            }
            .build(&gpu)
        })
    };
    let threads: Vec<_> = (1..=8)
        .map(|n| build(gpu.clone(), layout.clone(), n))
        .collect();
    let target = gpu
        .create_texture(&TextureDesc::d2(8, 1, BGRA, TARGET))
        .unwrap();
    let view = target.target_view(0, 0).unwrap();
    let buffer = vertices(&gpu, &quad(-1.0, -1.0, 1.0, 1.0, 0.0));
    let mut commands = gpu.begin().unwrap();
    let colors = [color(&view, Load::Clear([0.0; 4]))];
    commands
        .begin_pass(&PassDesc {
            colors: &colors,
            ..PassDesc::default()
        })
        .unwrap();
    for (x, thread) in threads.into_iter().enumerate() {
        commands.set_pipeline(&thread.join().unwrap()).unwrap();
        commands.set_immediates(0, &bits([1.0; 4])).unwrap();
        commands
            .set_vertex_buffer(0, &buffer, 0, buffer.size())
            .unwrap();
        commands.set_scissor([x as u32, 0, 1, 1]).unwrap();
        commands.draw(0..6, 0..1).unwrap();
    }
    commands.submit().unwrap();
    let bytes = gpu.read_texture(&target, 0, 0).unwrap();
    for x in 0..8 {
        let want = (x + 1) as f32 / 10.0 * 255.0;
        let got = f32::from(texel(&bytes, 8, x, 0)[0]);
        assert!((got - want).abs() <= 1.0, "pipeline {x}: {got}, not {want}");
    }
}
