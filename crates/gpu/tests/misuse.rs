//! Calls that would be undefined in a driver are errors that say what is wrong.

mod common;

use common::*;
use ninefold_gpu::types as wgt;
use ninefold_gpu::*;

fn invalid<T: std::fmt::Debug>(result: Result<T>, part: &str) {
    match result {
        Err(Error::Invalid(text)) => assert!(text.contains(part), "{text:?} lacks {part:?}"),
        other => panic!("{other:?} is not an invalid argument"),
    }
}

fn refused<T: std::fmt::Debug>(result: Result<T>, part: &str) {
    match result {
        Err(Error::Shader(text)) => assert!(text.contains(part), "{text:?} lacks {part:?}"),
        other => panic!("{other:?} is not a shader error"),
    }
}

fn state<T: std::fmt::Debug>(result: Result<T>) {
    assert!(
        matches!(result, Err(Error::State(_))),
        "{result:?} is not a call out of order"
    );
}

#[test]
fn resources() {
    let Some(gpu) = gpu() else { return };
    use wgt::BufferUsages as U;
    let buffer = |size, usage| {
        gpu.create_buffer(&BufferDesc {
            label: "",
            size,
            usage,
        })
    };
    invalid(buffer(0, U::VERTEX), "size 0");
    invalid(buffer(u64::MAX, U::VERTEX), "size");
    invalid(buffer(4, U::INDIRECT), "usage");
    let plain = buffer(16, U::VERTEX).unwrap();
    state(plain.write(0, &[1]));
    let mapped = buffer(16, U::VERTEX | U::MAP_WRITE).unwrap();
    invalid(mapped.write(15, &[1, 2]), "leaves the buffer");
    invalid(mapped.write(u64::MAX, &[1, 2]), "leaves the buffer");
    mapped.write(16, &[]).unwrap();

    let texture = |change: fn(&mut TextureDesc<'_>)| {
        let mut desc = TextureDesc::d2(8, 8, BGRA, SAMPLED);
        change(&mut desc);
        gpu.create_texture(&desc)
    };
    invalid(texture(|d| d.width = 0), "size");
    invalid(texture(|d| d.height = 1 << 20), "size");
    invalid(texture(|d| d.depth = 2), "depth");
    invalid(texture(|d| d.mips = 5), "5 mip levels");
    invalid(texture(|d| d.samples = 4), "4 samples");
    invalid(texture(|d| d.samples = 3), "3 samples");
    invalid(
        texture(|d| d.usage = wgt::TextureUsages::STORAGE_BINDING),
        "usage",
    );
    invalid(texture(|d| d.format = wgt::TextureFormat::NV12), "format");
    invalid(
        texture(|d| d.format = wgt::TextureFormat::Depth32Float),
        "attachments only",
    );
    invalid(
        texture(|d| {
            d.kind = TextureKind::Cube;
            d.height = 4;
        }),
        "square",
    );
    let good = texture(|_| ()).unwrap();
    let copied = texture(|d| d.usage = wgt::TextureUsages::COPY_SRC).unwrap();
    invalid(copied.target_view(0, 0), "neither");
    invalid(good.target_view(1, 0), "levels");
    invalid(good.target_view(u32::MAX, u32::MAX), "levels");
    let sampler = |change: fn(&mut SamplerDesc)| {
        let mut desc = SamplerDesc::default();
        change(&mut desc);
        gpu.create_sampler(&desc)
    };
    invalid(sampler(|d| d.anisotropy = 2), "anisotropy");
    invalid(sampler(|d| d.lod = 2.0..1.0), "level");
    invalid(
        sampler(|d| d.address[1] = wgt::AddressMode::ClampToBorder),
        "border",
    );
    invalid(gpu.create_query_set(0), "0 queries");
}

#[test]
fn shaders_that_do_not_fit() {
    let Some(gpu) = gpu() else { return };
    let layout = plain_layout(&gpu, 16);
    let group = sampled_layout(&gpu, wgt::TextureViewDimension::D2);
    let sampled = gpu
        .create_pipeline_layout(&PipelineLayoutDesc {
            label: "",
            groups: &[&group],
            immediates: 0,
        })
        .unwrap();
    let build = |layout: &PipelineLayout, wgsl: &str, stride: u64| {
        let module = shader(&gpu, wgsl);
        let buffers = [Some(VertexBufferLayout {
            stride,
            step: wgt::VertexStepMode::Vertex,
            attributes: &POSITION,
        })];
        gpu.create_render_pipeline(&RenderPipelineDesc {
            label: "",
            layout,
            vertex: Stage {
                module: &module,
                entry: "vs",
            },
            fragment: Some(Stage {
                module: &module,
                entry: "fs",
            }),
            vertex_buffers: &buffers,
            primitive: wgt::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgt::MultisampleState::default(),
            colors: &[Some(BGRA.into())],
            cache: None,
        })
    };
    const VS: &str =
        "@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }";
    const FS: &str = "@fragment fn fs() -> @location(0) vec4f { return vec4f(1.0); }";
    build(&layout, &format!("{VS}{FS}"), 16).unwrap();
    invalid(build(&layout, &format!("{VS}{FS}"), 12), "stride");
    refused(
        build(&layout, VS, 16),
        "no Fragment entry point named \"fs\"",
    );
    let second = VS.replace("location(0)", "location(1)");
    refused(
        build(&layout, &format!("{second}{FS}"), 16),
        "vertex input 1 has no attribute",
    );
    let whole = VS
        .replace("p: vec4f", "p: vec4u")
        .replace("return p", "return vec4f(p)");
    refused(
        build(&layout, &format!("{whole}{FS}"), 16),
        "vertex input 0",
    );
    let input = FS
        .replace("fs()", "fs(@location(3) x: vec4f)")
        .replace("vec4f(1.0)", "x");
    refused(
        build(&layout, &format!("{VS}{input}"), 16),
        "fragment input 3",
    );
    let output = FS
        .replace("vec4f { return vec4f", "vec4u { return vec4u")
        .replace("1.0", "1u");
    refused(
        build(&layout, &format!("{VS}{output}"), 16),
        "colour target 0",
    );
    let immediates = format!(
        "struct I {{ c: array<vec4f, 2> }} var<immediate> i: I; {VS}{}",
        FS.replace("vec4f(1.0)", "i.c[1]")
    );
    refused(build(&layout, &immediates, 16), "32 bytes of immediates");
    let texture = |kind: &str, at: &str, binding: u32| {
        format!(
            "@group(0) @binding({binding}) var t: texture_{kind}<f32>;
             @group(0) @binding(1) var s: sampler; {VS}{}",
            FS.replace(
                "vec4f(1.0)",
                &format!("textureSampleLevel(t, s, {at}, 0.0)")
            )
        )
    };
    build(&sampled, &texture("2d", "vec2f(0.0)", 0), 16).unwrap();
    refused(
        build(&layout, &texture("2d", "vec2f(0.0)", 0), 16),
        "is not in the pipeline layout",
    );
    refused(
        build(&sampled, &texture("2d", "vec2f(0.0)", 5), 16),
        "binding 5",
    );
    refused(
        build(&sampled, &texture("cube", "vec3f(0.0)", 0), 16),
        "group 0 binding 0",
    );
    let uniform = format!(
        "@group(0) @binding(0) var<uniform> u: vec4f; {VS}{}",
        FS.replace("vec4f(1.0)", "u")
    );
    refused(build(&sampled, &uniform, 16), "group 0 binding 0");
    // A module that the validator refuses.
    let mut module = naga::front::wgsl::parse_str(&format!("{VS}{FS}")).unwrap();
    module.entry_points[0].function.result = None;
    refused(gpu.create_shader(module), "");
}

#[test]
fn bindings_that_do_not_fit() {
    let Some(gpu) = gpu() else { return };
    let layout = sampled_layout(&gpu, wgt::TextureViewDimension::D2);
    let texture = gpu
        .create_texture(&TextureDesc::d2(2, 2, BGRA, SAMPLED))
        .unwrap();
    let cube = TextureDesc {
        kind: TextureKind::Cube,
        ..TextureDesc::d2(2, 2, BGRA, SAMPLED)
    };
    let cube = gpu.create_texture(&cube).unwrap().full_view().unwrap();
    let view = texture.full_view().unwrap();
    let sampler = gpu.create_sampler(&SamplerDesc::default()).unwrap();
    let shadow = SamplerDesc {
        compare: Some(wgt::CompareFunction::Less),
        ..SamplerDesc::default()
    };
    let shadow = gpu.create_sampler(&shadow).unwrap();
    let make = |a: BindResource<'_>, b: BindResource<'_>| {
        gpu.create_bind_group(
            &layout,
            &[
                BindEntry {
                    binding: 0,
                    resource: a,
                },
                BindEntry {
                    binding: 1,
                    resource: b,
                },
            ],
        )
    };
    let (t, s) = (
        BindResource::Texture(&view),
        BindResource::Sampler(&sampler),
    );
    make(t, s).unwrap();
    invalid(make(s, t), "binding 0");
    invalid(
        make(BindResource::Texture(&cube), s),
        "binding 0 is a Cube view",
    );
    invalid(make(t, BindResource::Sampler(&shadow)), "binding 1");
    invalid(
        gpu.create_bind_group(
            &layout,
            &[BindEntry {
                binding: 0,
                resource: t,
            }],
        ),
        "1 bindings",
    );
    let twice = [BindEntry {
        binding: 0,
        resource: t,
    }; 2];
    invalid(
        gpu.create_bind_group(&layout, &twice),
        "binding 1 is missing",
    );
    let other = common::gpu().unwrap();
    invalid(other.create_bind_group(&layout, &twice), "another device");
    let foreign = other.create_sampler(&SamplerDesc::default()).unwrap();
    invalid(make(t, BindResource::Sampler(&foreign)), "device");
}

#[test]
fn storage_bindings_that_do_not_fit() {
    let Some(gpu) = gpu() else { return };
    let layout = |read_only, has_dynamic_offset| {
        gpu.create_bind_group_layout(&[wgt::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgt::ShaderStages::VERTEX,
            ty: wgt::BindingType::Buffer {
                ty: wgt::BufferBindingType::Storage { read_only },
                has_dynamic_offset,
                min_binding_size: core::num::NonZeroU64::new(64),
            },
            count: None,
        }])
    };
    invalid(layout(false, false), "read-only");
    invalid(layout(true, true), "read-only");
    let layout = layout(true, false).unwrap();
    let buffer = |usage| {
        gpu.create_buffer(&BufferDesc {
            label: "rows",
            size: 1024,
            usage,
        })
        .unwrap()
    };
    let good = buffer(wgt::BufferUsages::STORAGE | wgt::BufferUsages::MAP_WRITE);
    let other = buffer(wgt::BufferUsages::UNIFORM | wgt::BufferUsages::MAP_WRITE);
    let make = |resource| {
        gpu.create_bind_group(
            &layout,
            &[BindEntry {
                binding: 0,
                resource,
            }],
        )
    };
    let rows = |buffer, offset, size| BindResource::Storage {
        buffer,
        offset,
        size,
    };
    make(rows(&good, 256, 768)).unwrap();
    invalid(make(rows(&other, 0, 64)), "without STORAGE");
    invalid(make(rows(&good, 0, 48)), "binding 0: 48 bytes");
    invalid(make(rows(&good, 2, 64)), "aligned");
    invalid(make(rows(&good, 512, 516)), "inside a buffer");
    invalid(make(rows(&good, 0, 66)), "whole words");
    let uniform = BindResource::Uniform {
        buffer: &other,
        offset: 0,
        size: 64,
    };
    invalid(make(uniform), "a uniform buffer");
}

#[test]
fn recording_out_of_order() {
    let Some(gpu) = gpu() else { return };
    let other = common::gpu().unwrap();
    let texture = gpu
        .create_texture(&TextureDesc::d2(4, 4, BGRA, TARGET))
        .unwrap();
    let view = texture.target_view(0, 0).unwrap();
    let layout = plain_layout(&gpu, 16);
    let mut simple = Simple {
        wgsl: FLAT,
        layout: &layout,
        format: BGRA,
        blend: None,
        depth_stencil: None,
        samples: 1,
    };
    let pipeline = simple.build(&gpu);
    simple.format = wgt::TextureFormat::Rgba8Unorm;
    let wrong = simple.build(&gpu);
    let buffer = vertices(&gpu, &quad(-1.0, -1.0, 1.0, 1.0, 0.0));
    let mut commands = gpu.begin().unwrap();
    state(commands.end_pass());
    state(commands.draw(0..3, 0..1));
    state(commands.set_pipeline(&pipeline));
    state(commands.set_vertex_buffer(0, &buffer, 0, 16));
    state(commands.set_scissor([0; 4]));
    invalid(
        commands.begin_pass(&PassDesc::default()),
        "at least one attachment",
    );
    let twice = [color(&view, Load::Load), color(&view, Load::Load)];
    invalid(
        commands.begin_pass(&PassDesc {
            colors: &twice,
            ..PassDesc::default()
        }),
        "twice",
    );
    let as_depth = DepthAttachment {
        view: &view,
        depth: Load::Load,
        stencil: Load::Load,
        store: true,
    };
    let desc = PassDesc {
        depth_stencil: Some(as_depth),
        ..PassDesc::default()
    };
    invalid(commands.begin_pass(&desc), "depth-stencil attachment");
    let colors = [color(&view, Load::Clear([0.0; 4]))];
    let desc = PassDesc {
        colors: &colors,
        ..PassDesc::default()
    };
    let mut elsewhere = other.begin().unwrap();
    invalid(elsewhere.begin_pass(&desc), "attachment");
    commands.begin_pass(&desc).unwrap();
    state(commands.begin_pass(&desc));
    state(commands.draw(0..3, 0..1));
    state(commands.set_immediates(0, &[0]));
    invalid(commands.set_pipeline(&wrong), "formats");
    commands.set_pipeline(&pipeline).unwrap();
    state(commands.draw(0..3, 0..1));
    invalid(commands.set_immediates(4, &[0; 4]), "immediates");
    invalid(commands.set_vertex_buffer(0, &buffer, 0, 97), "outside");
    invalid(commands.set_vertex_buffer(0, &buffer, 2, 16), "aligned");
    invalid(
        commands.set_vertex_buffer(16, &buffer, 0, 16),
        "vertex buffer 16",
    );
    invalid(
        commands.set_index_buffer(&buffer, wgt::IndexFormat::Uint16, 0, 16),
        "index",
    );
    invalid(
        commands.set_viewport([0.0, 0.0, 0.0, 4.0], 0.0..1.0),
        "viewport",
    );
    invalid(
        commands.set_viewport([0.0, f32::NAN, 4.0, 4.0], 0.0..1.0),
        "viewport",
    );
    invalid(
        commands.set_viewport([0.0, 0.0, 4.0, 4.0], 0.0..1.5),
        "viewport",
    );
    commands.set_scissor([u32::MAX; 4]).unwrap();
    commands.set_vertex_buffer(0, &buffer, 0, 96).unwrap();
    state(commands.draw_indexed(0..3, 0, 0..1));
    let foreign = vertices(&other, &[[0.0; 4]]);
    invalid(
        commands.set_vertex_buffer(0, &foreign, 0, 16),
        "another device",
    );
    commands.draw(0..6, 0..1).unwrap();
    state(commands.read_texture(&texture, &Region::whole(&texture, 0, 0)));
    commands.end_pass().unwrap();
    let region = Region::whole(&texture, 0, 0);
    let outside = Region {
        origin: [1, 0, 0],
        ..region
    };
    invalid(
        commands.read_texture(&texture, &outside),
        "leaves the level",
    );
    invalid(
        commands.read_texture(&texture, &Region { mip: 1, ..region }),
        "no such level",
    );
    let depth = Region {
        aspect: wgt::TextureAspect::DepthOnly,
        ..region
    };
    invalid(commands.read_texture(&texture, &depth), "aspect");
    invalid(
        commands.copy_texture_to_texture(&texture, &region, &texture, 0, 0, [0; 3]),
        "one level",
    );
    let mut arena = Arena::new(&gpu, ArenaDesc::default()).unwrap();
    invalid(
        commands.write_texture(&mut arena, &texture, &region, &[0; 63], 16, 4),
        "63 bytes",
    );
    invalid(
        commands.write_texture(&mut arena, &texture, &region, &[0; 64], 8, 4),
        "do not hold",
    );
    commands.submit().unwrap();
}

/// Text for Metal finds its resources in fixed slots, so that a layout which puts them elsewhere is
/// refused, on every device.
#[test]
fn text_that_was_written_for_other_slots() {
    let Some(gpu) = gpu() else { return };
    let sampled = sampled_layout(&gpu, wgt::TextureViewDimension::D2);
    let layout = |groups: &[&BindGroupLayout], immediates| {
        gpu.create_pipeline_layout(&PipelineLayoutDesc {
            label: "",
            groups,
            immediates,
        })
        .unwrap()
    };
    let (one, two) = (layout(&[&sampled], 0), layout(&[&sampled, &sampled], 16));
    let plain = plain_layout(&gpu, 0);
    let vs = "@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }";
    let fs = "@group(1) @binding(0) var tex: texture_2d<f32>;
        @group(1) @binding(1) var smp: sampler;
        var<immediate> at: vec4f;
        @fragment fn fs() -> @location(0) vec4f { return textureSampleLevel(tex, smp, at.xy, 0.0); }";
    let create = |wgsl: &str, slots| {
        let text = "for Metal alone".into();
        let module = naga::front::wgsl::parse_str(wgsl).unwrap();
        gpu.create_shader_with_msl(module, &Msl { text, slots })
    };
    let (vertex, fragment) = (wgt::ShaderStages::VERTEX, wgt::ShaderStages::FRAGMENT);
    let vertex_slots = plain.msl_slots(vertex).unwrap();
    let slots = two.msl_slots(fragment).unwrap();
    invalid(one.msl_slots(vertex | fragment), "VERTEX | FRAGMENT");
    invalid(one.msl_slots(wgt::ShaderStages::COMPUTE), "COMPUTE");
    refused(
        create(fs, one.msl_slots(fragment).unwrap()),
        "without a slot for group 1 binding 0",
    );
    refused(
        create(&format!("{vs}{fs}"), slots.clone()),
        "2 entry points",
    );
    if gpu.caps().takes_msl {
        return;
    }
    let vs = create(vs, vertex_slots).unwrap();
    let build = |slots: &naga::back::msl::EntryPointResources, layout: &PipelineLayout| {
        let fs = create(fs, slots.clone()).unwrap();
        gpu.create_render_pipeline(&RenderPipelineDesc {
            label: "",
            layout,
            vertex: Stage {
                module: &vs,
                entry: "vs",
            },
            fragment: Some(Stage {
                module: &fs,
                entry: "fs",
            }),
            vertex_buffers: &[position_layout()],
            primitive: wgt::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgt::MultisampleState::default(),
            colors: &[Some(BGRA.into())],
            cache: None,
        })
    };
    build(&slots, &two).unwrap();
    // What lies behind changes nothing.
    build(&slots, &layout(&[&sampled, &sampled, &sampled], 16)).unwrap();
    // What lies before does: there is no texture of group 0 here.
    let empty = gpu.create_bind_group_layout(&[]).unwrap();
    let moved = layout(&[&empty, &sampled], 16);
    refused(
        build(&slots, &moved),
        "group 1 binding 0 is Some(BindTarget",
    );
    build(&moved.msl_slots(fragment).unwrap(), &moved).unwrap();
    // The same with immediates that the text looks for elsewhere.
    let mut late = slots.clone();
    late.immediates_buffer = Some(7);
    refused(build(&late, &two), "immediates is Some(7)");
}
