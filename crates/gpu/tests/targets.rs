//! Textures that are rendered to, copied to and sampled in turn.

mod common;

use common::*;
use ninefold_gpu::types as wgt;
use ninefold_gpu::*;

#[test]
fn a_target_is_sampled_and_rendered_to_again() {
    let Some(gpu) = gpu() else { return };
    // Three levels; each is rendered from the one before, then level 0 again.
    let desc = TextureDesc {
        mips: 3,
        ..TextureDesc::d2(4, 4, BGRA, TARGET)
    };
    let texture = gpu.create_texture(&desc).unwrap();
    let group_layout = sampled_layout(&gpu, wgt::TextureViewDimension::D2);
    let layout = gpu
        .create_pipeline_layout(&PipelineLayoutDesc {
            label: "",
            groups: &[&group_layout],
            immediates: 16,
        })
        .unwrap();
    // Adds 16/255 to what it samples.
    let wgsl = sampling("2d", "vec2f(0.5)").replace("i.at.w);", "0.0) + vec4f(16.0 / 255.0);");
    let pipeline = Simple {
        wgsl: &wgsl,
        layout: &layout,
        format: BGRA,
        blend: None,
        depth_stencil: None,
        samples: 1,
    }
    .build(&gpu);
    let buffer = vertices(&gpu, &quad(-1.0, -1.0, 1.0, 1.0, 0.0));
    let level = |mip: u32| {
        texture
            .view(&ViewDesc {
                format: None,
                dimension: wgt::TextureViewDimension::D2,
                mips: mip..mip + 1,
                layers: 0..1,
                aspect: wgt::TextureAspect::All,
            })
            .unwrap()
    };
    let groups: Vec<_> = (0..3)
        .map(|mip| sampled_group(&gpu, &group_layout, &level(mip)))
        .collect();
    let mut commands = gpu.begin().unwrap();
    for (from, to) in [(2, 0), (0, 1), (1, 2), (2, 0)] {
        let view = texture.target_view(to, 0).unwrap();
        let colors = [color(&view, Load::Load)];
        commands
            .begin_pass(&PassDesc {
                colors: &colors,
                ..PassDesc::default()
            })
            .unwrap();
        commands.set_pipeline(&pipeline).unwrap();
        let feedback = commands.set_bind_group(0, &groups[to as usize], &[]);
        assert_eq!(feedback, Err(Error::Feedback));
        commands.set_bind_group(0, &groups[from], &[]).unwrap();
        commands
            .set_vertex_buffer(0, &buffer, 0, buffer.size())
            .unwrap();
        commands.draw(0..6, 0..1).unwrap();
        commands.end_pass().unwrap();
    }
    commands.submit().unwrap();
    for (mip, want) in [(0, 64), (1, 32), (2, 48)] {
        let bytes = gpu.read_texture(&texture, mip, 0).unwrap();
        assert!(
            bytes.iter().all(|&byte| byte == want),
            "level {mip}: {bytes:?}, not {want}"
        );
    }
}

#[test]
fn copies_inside_a_pass_run_before_it() {
    let Some(gpu) = gpu() else { return };
    let mut arena = arena(&gpu);
    let first = gpu
        .create_texture(&TextureDesc::d2(2, 2, BGRA, SAMPLED))
        .unwrap();
    let mut commands = gpu.begin().unwrap();
    write_all(&mut commands, &mut arena, &first, 0, 0, &[10; 16]);
    let one = sample_into(
        &gpu,
        &mut commands,
        D2,
        &first.full_view().unwrap(),
        &[[0.5; 4]],
    );
    // `first` is used now: a copy into it must wait for the pass to end.
    let other = gpu
        .create_texture(&TextureDesc::d2(1, 1, BGRA, TARGET))
        .unwrap();
    let other_view = other.target_view(0, 0).unwrap();
    let colors = [color(&other_view, Load::Clear([1.0; 4]))];
    commands
        .begin_pass(&PassDesc {
            colors: &colors,
            ..PassDesc::default()
        })
        .unwrap();
    let region = Region::whole(&first, 0, 0);
    let refused = commands.write_texture(&mut arena, &first, &region, &[20; 16], 8, 2);
    assert!(matches!(refused, Err(Error::State(_))), "{refused:?}");
    // A texture made and filled inside the pass is fine.
    let second = gpu
        .create_texture(&TextureDesc::d2(2, 2, BGRA, SAMPLED))
        .unwrap();
    write_all(&mut commands, &mut arena, &second, 0, 0, &[30; 16]);
    // So is one that was never filled.
    let third = gpu
        .create_texture(&TextureDesc::d2(2, 2, BGRA, SAMPLED))
        .unwrap();
    commands.end_pass().unwrap();
    let two = sample_into(
        &gpu,
        &mut commands,
        D2,
        &second.full_view().unwrap(),
        &[[0.5; 4]],
    );
    let three = sample_into(
        &gpu,
        &mut commands,
        D2,
        &third.full_view().unwrap(),
        &[[0.5; 4]],
    );
    write_all(&mut commands, &mut arena, &first, 0, 0, &[20; 16]);
    let four = sample_into(
        &gpu,
        &mut commands,
        D2,
        &first.full_view().unwrap(),
        &[[0.5; 4]],
    );
    commands.submit().unwrap();
    for (target, want) in [(one, 10), (two, 30), (three, 0), (four, 20)] {
        assert_eq!(gpu.read_texture(&target, 0, 0).unwrap(), [want; 4]);
    }
}

#[test]
fn faces_are_rendered_to_and_depth_stencil_is_copied_whole() {
    let Some(gpu) = gpu() else { return };
    let cube = TextureDesc {
        kind: TextureKind::Cube,
        mips: 2,
        ..TextureDesc::d2(4, 4, BGRA, TARGET)
    };
    let cube = gpu.create_texture(&cube).unwrap();
    let mut commands = gpu.begin().unwrap();
    for (mip, face) in [(0, 2), (1, 5)] {
        let view = cube.target_view(mip, face).unwrap();
        let colors = [color(&view, Load::Clear([1.0, 0.0, 0.0, 0.0]))];
        let desc = PassDesc {
            colors: &colors,
            ..PassDesc::default()
        };
        commands.begin_pass(&desc).unwrap();
        commands.end_pass().unwrap();
    }
    commands.submit().unwrap();
    for (mip, face) in (0..2).flat_map(|mip| (0..6).map(move |face| (mip, face))) {
        let red = if matches!((mip, face), (0, 2) | (1, 5)) {
            255
        } else {
            0
        };
        let bytes = gpu.read_texture(&cube, mip, face).unwrap();
        assert!(
            bytes.chunks(4).all(|texel| texel == [0, 0, red, 0]),
            "{mip} {face}"
        );
    }

    if !gpu.caps().depth32_stencil8 {
        return;
    }
    let usage = wgt::TextureUsages::RENDER_ATTACHMENT
        | wgt::TextureUsages::COPY_SRC
        | wgt::TextureUsages::COPY_DST;
    let format = wgt::TextureFormat::Depth32FloatStencil8;
    let [from, to] = [(); 2].map(|()| {
        gpu.create_texture(&TextureDesc::d2(3, 2, format, usage))
            .unwrap()
    });
    let view = from.target_view(0, 0).unwrap();
    let mut commands = gpu.begin().unwrap();
    let depth_stencil = Some(DepthAttachment {
        view: &view,
        depth: Load::Clear(0.75),
        stencil: Load::Clear(0x1a5),
        store: true,
    });
    commands
        .begin_pass(&PassDesc {
            depth_stencil,
            ..PassDesc::default()
        })
        .unwrap();
    commands.end_pass().unwrap();
    let both = Region {
        aspect: wgt::TextureAspect::All,
        ..Region::whole(&from, 0, 0)
    };
    commands
        .copy_texture_to_texture(&from, &both, &to, 0, 0, [0; 3])
        .unwrap();
    let depths = commands
        .read_texture(&to, &Region::whole(&to, 0, 0))
        .unwrap();
    let stencil = Region {
        aspect: wgt::TextureAspect::StencilOnly,
        ..both
    };
    let stencils = commands.read_texture(&to, &stencil).unwrap();
    commands.submit().unwrap();
    assert_eq!(
        depths.wait().unwrap(),
        [0.75f32; 6].map(f32::to_le_bytes).concat()
    );
    assert_eq!(stencils.wait().unwrap(), [0xa5; 6]);
}

#[test]
fn depth_is_rendered_then_sampled() {
    let Some(gpu) = gpu() else { return };
    let format = wgt::TextureFormat::Depth32FloatStencil8;
    if !gpu.caps().depth32_stencil8 {
        return;
    }
    let usage = wgt::TextureUsages::RENDER_ATTACHMENT | wgt::TextureUsages::TEXTURE_BINDING;
    let depth = gpu
        .create_texture(&TextureDesc::d2(2, 2, format, usage))
        .unwrap();
    let depth_view = depth.target_view(0, 0).unwrap();
    let target = gpu
        .create_texture(&TextureDesc::d2(2, 2, BGRA, TARGET))
        .unwrap();
    let target_view = target.target_view(0, 0).unwrap();
    let entry = |binding, ty| wgt::BindGroupLayoutEntry {
        binding,
        visibility: wgt::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let layout = gpu
        .create_bind_group_layout(&[
            entry(
                0,
                wgt::BindingType::Texture {
                    sample_type: wgt::TextureSampleType::Depth,
                    view_dimension: wgt::TextureViewDimension::D2,
                    multisampled: false,
                },
            ),
            entry(
                1,
                wgt::BindingType::Sampler(wgt::SamplerBindingType::Comparison),
            ),
        ])
        .unwrap();
    let pipeline_layout = gpu
        .create_pipeline_layout(&PipelineLayoutDesc {
            label: "",
            groups: &[&layout],
            immediates: 16,
        })
        .unwrap();
    // 1 where the immediate is at most the stored depth.
    let pipeline = Simple {
        wgsl: "
var<immediate> i: vec4f;
@group(0) @binding(0) var t: texture_depth_2d;
@group(0) @binding(1) var s: sampler_comparison;
@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }
@fragment fn fs() -> @location(0) vec4f {
  return vec4f(textureSampleCompareLevel(t, s, vec2f(0.5), i.x));
}",
        layout: &pipeline_layout,
        format: BGRA,
        blend: None,
        depth_stencil: None,
        samples: 1,
    }
    .build(&gpu);
    let sampler = gpu
        .create_sampler(&SamplerDesc {
            compare: Some(wgt::CompareFunction::LessEqual),
            ..SamplerDesc::default()
        })
        .unwrap();
    let view = depth.full_view().unwrap();
    let entries = [
        BindEntry {
            binding: 0,
            resource: BindResource::Texture(&view),
        },
        BindEntry {
            binding: 1,
            resource: BindResource::Sampler(&sampler),
        },
    ];
    let group = gpu.create_bind_group(&layout, &entries).unwrap();
    let quad = vertices(&gpu, &quad(-1.0, -1.0, 1.0, 1.0, 0.0));
    for (stored, lit) in [(0.25, false), (0.75, true), (0.5, true)] {
        let mut commands = gpu.begin().unwrap();
        let depth_stencil = Some(DepthAttachment {
            view: &depth_view,
            depth: Load::Clear(stored),
            stencil: Load::Clear(0),
            store: true,
        });
        commands
            .begin_pass(&PassDesc {
                depth_stencil,
                ..PassDesc::default()
            })
            .unwrap();
        commands.end_pass().unwrap();
        let colors = [color(&target_view, Load::Clear([0.0; 4]))];
        commands
            .begin_pass(&PassDesc {
                colors: &colors,
                ..PassDesc::default()
            })
            .unwrap();
        commands.set_pipeline(&pipeline).unwrap();
        commands.set_bind_group(0, &group, &[]).unwrap();
        commands.set_immediates(0, &bits([0.5; 4])).unwrap();
        commands.set_vertex_buffer(0, &quad, 0, 96).unwrap();
        commands.draw(0..6, 0..1).unwrap();
        commands.submit().unwrap();
        let want = if lit { 255 } else { 0 };
        assert_eq!(
            gpu.read_texture(&target, 0, 0).unwrap(),
            [want; 16],
            "stored {stored}"
        );
    }
}
