//! Vertices per second of ProcessVertices on one core: a skinning shader of two bones over a million
//! vertices, one vertex at a time (scalar), in groups (lanes), by the skinning executor (skin), next
//! to a plain copy that reads and writes as many bytes in all (floor); the same on all cores; and the
//! lit fixed function.

use std::hint::black_box;
use std::time::Duration;

use ninefold_bytecode::{ShaderCode, assemble};
use ninefold_d3d9::consts::*;
use ninefold_d3d9::{
    Device, DeviceSettings, Direct3D9, Light, PresentParameters, VertexBufferHandle, VertexElement,
    VertexSettings, skin,
};
use ninefold_exec::{Constants, Machine, NoTextures, Options, Program};

const COUNT: u32 = 1 << 20;
/// Position, normal, coordinates, four bytes of indices, two weights.
const SOURCE: usize = 44;
/// Position, normal, coordinates.
const DESTINATION: usize = 32;
const BONES: usize = 20;

fn main() {
    let vertices = vertices();
    let floats = constants();
    let code = assemble(skin::SHADER).expect("a shader");

    println!(
        "{COUNT} vertices of {SOURCE} bytes to {DESTINATION}; CPU times are the best of several"
    );
    let mut copies = vec![0u8; COUNT as usize * DESTINATION];
    // Reads and writes move the same 76 bytes a vertex.
    let moved = COUNT as usize * (SOURCE + DESTINATION) / 2;
    let mut to = vec![0u8; moved];
    let floor = best(9, || to.copy_from_slice(black_box(&vertices[..moved])));
    row("floor: a copy that moves as many bytes", floor, floor);
    drop(to);
    let mut read = vec![0u8; vertices.len()];
    let both = best(9, || {
        read.copy_from_slice(black_box(&vertices));
        let (some, _) = read.split_at(copies.len());
        copies.copy_from_slice(black_box(some));
    });
    row("copies of both buffers, twice the bytes", both, floor);
    drop(read);
    let scalar = best(3, || one_at_a_time(&code, &floats, &vertices, &mut copies));
    row("scalar: one vertex at a time", scalar, floor);
    let settings = |skin_fast, threads| VertexSettings {
        skin_fast,
        threads,
        ..VertexSettings::default()
    };
    let (mut ratios, mut last) = (Vec::new(), floor);
    for (what, vertex_settings) in [
        ("lanes: ProcessVertices, generic", settings(false, 1)),
        (
            "skin: ProcessVertices, skinning executor",
            settings(true, 1),
        ),
    ] {
        let Some(mut device) = device(vertex_settings) else {
            return;
        };
        let (_, to) = prepare(&mut device, &vertices, &code, &floats);
        let time = best(9, || process(&mut device, to));
        row(what, time, floor);
        ratios.push(scalar.as_secs_f64() / time.as_secs_f64());
        last = time;
    }
    println!(
        "lanes are {:.1} times as fast as scalar (at least 4 wanted), skin {:.1} times (8), at {:.2} times \
         the floor (4 at most)",
        ratios[0],
        ratios[1],
        last.as_secs_f64() / floor.as_secs_f64()
    );
    let Some(mut device) = device(settings(false, 0)) else {
        return;
    };
    let (from, to) = prepare(&mut device, &vertices, &code, &floats);
    let time = passed(9, || process(&mut device, to));
    row("lanes on all cores, by the clock", time, floor);
    light(&mut device, from);
    let lit = passed(3, || process(&mut device, to));
    row("fixed function, lit, on all cores", lit, floor);
}

fn device(vertices: VertexSettings) -> Option<Device> {
    let settings = DeviceSettings {
        vertices,
        ..DeviceSettings::default()
    };
    match Direct3D9::new(settings) {
        Ok(direct3d) => {
            let parameters = PresentParameters::windowed(16, 16);
            Some(direct3d.create_device(&parameters).expect("a device"))
        }
        Err(error) => {
            eprintln!("skipped: {error}");
            None
        }
    }
}

/// The best of several, by the clock.
fn passed(rounds: u32, mut pass: impl FnMut()) -> Duration {
    let time = |_| {
        let start = std::time::Instant::now();
        pass();
        start.elapsed()
    };
    (0..rounds).map(time).min().unwrap_or_default()
}

fn row(what: &str, time: Duration, floor: Duration) {
    let seconds = time.as_secs_f64();
    println!(
        "{what:40} {:7.1} ns {:7.2} M/s {:6.1} x the floor",
        seconds * 1e9 / f64::from(COUNT),
        f64::from(COUNT) / seconds * 1e-6,
        seconds / floor.as_secs_f64()
    );
}

/// Time that this thread has run: other work on the machine does not count.
#[cfg(unix)]
fn now() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a timespec that lives through the call.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn now() -> Duration {
    std::time::UNIX_EPOCH.elapsed().unwrap_or_default()
}

fn best(rounds: u32, mut pass: impl FnMut()) -> Duration {
    let time = |_| {
        let start = now();
        pass();
        now() - start
    };
    (0..rounds).map(time).min().unwrap_or_default()
}

fn vertices() -> Vec<u8> {
    let mut out = Vec::with_capacity(COUNT as usize * SOURCE);
    for n in 0..COUNT as usize {
        let weight = (n % 5) as f32 * 0.25;
        let bones = [n % BONES, (n * 7 + 3) % BONES].map(|bone| 3 * bone as u8);
        for x in [
            (n % 91) as f32,
            (n % 7) as f32,
            1.0,
            0.0,
            0.6,
            -0.8,
            0.25,
            0.5,
        ] {
            out.extend(x.to_le_bytes());
        }
        out.extend([bones[0], bones[1], 0, 0]);
        for x in [weight, 1.0 - weight] {
            out.extend(x.to_le_bytes());
        }
    }
    out
}

fn constants() -> Vec<[f32; 4]> {
    let mut floats = vec![[0.0; 4]; 256];
    floats[5][3] = 0.25;
    floats[9][3] = 255.0;
    for (n, row) in floats[29..29 + 3 * BONES].iter_mut().enumerate() {
        *row = [0.5, 0.25, n as f32 * 0.01, 1.0];
    }
    floats
}

fn elements() -> [VertexElement; 5] {
    [
        (0, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION),
        (12, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_NORMAL),
        (24, D3DDECLTYPE_FLOAT2, D3DDECLUSAGE_TEXCOORD),
        (32, D3DDECLTYPE_UBYTE4N, D3DDECLUSAGE_BLENDINDICES),
        (36, D3DDECLTYPE_FLOAT2, D3DDECLUSAGE_BLENDWEIGHT),
    ]
    .map(|(offset, ty, usage)| VertexElement::new(0, offset, ty, usage, 0))
}

fn prepare(
    d: &mut Device,
    vertices: &[u8],
    code: &ShaderCode,
    floats: &[[f32; 4]],
) -> (VertexBufferHandle, VertexBufferHandle) {
    let declaration = d.create_vertex_declaration(&elements()).expect("declared");
    d.set_vertex_declaration(Some(declaration)).expect("set");
    let from = d
        .create_vertex_buffer(vertices.len() as u32, 0, 0, D3DPOOL_SYSTEMMEM)
        .expect("a source");
    d.vertex_buffer_lock(from, 0, 0, 0).expect("locked");
    d.vertex_buffer_bytes_mut(from)
        .expect("bytes")
        .copy_from_slice(vertices);
    d.vertex_buffer_unlock(from).expect("unlocked");
    d.set_stream_source(0, Some(from), 0, SOURCE as u32)
        .expect("bound");
    let size = COUNT * DESTINATION as u32;
    let fvf = D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1;
    let to = d
        .create_vertex_buffer(size, 0, fvf, D3DPOOL_SYSTEMMEM)
        .expect("a destination");
    let shader = d.create_vertex_shader(code.tokens()).expect("a shader");
    d.set_vertex_shader(Some(shader)).expect("set");
    d.set_vertex_shader_constant_f(0, floats)
        .expect("constants");
    (from, to)
}

fn process(d: &mut Device, to: VertexBufferHandle) {
    d.process_vertices(0, 0, COUNT, to, None, D3DPV_DONOTCOPYDATA)
        .expect("processed");
}

fn light(d: &mut Device, from: VertexBufferHandle) {
    d.set_vertex_shader(None).expect("set");
    d.set_fvf(D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1)
        .expect("set");
    d.set_stream_source(0, Some(from), 0, SOURCE as u32)
        .expect("bound");
    for n in 0..2 {
        let light = Light {
            kind: D3DLIGHT_POINT,
            diffuse: [0.5; 4],
            range: 1000.0,
            attenuation0: 1.0,
            ..Light::default()
        };
        d.set_light(n, &light).expect("set");
        d.light_enable(n, true).expect("on");
    }
}

/// What ProcessVertices does, with `run_vertex`.
fn one_at_a_time(code: &ShaderCode, floats: &[[f32; 4]], vertices: &[u8], out: &mut [u8]) {
    let program = Program::compile(code, &Options::default());
    let constants = Constants {
        floats,
        ..Constants::default()
    };
    let mut machine = Machine::new();
    let mut input = [[0.0, 0.0, 0.0, 1.0]; 16];
    for (vertex, out) in vertices
        .chunks_exact(SOURCE)
        .zip(out.chunks_exact_mut(DESTINATION))
    {
        let float = |at: usize| {
            let bytes = [vertex[at], vertex[at + 1], vertex[at + 2], vertex[at + 3]];
            f32::from_le_bytes(bytes)
        };
        input[0] = [float(0), float(4), float(8), 1.0];
        input[2] = [float(36), float(40), 0.0, 1.0];
        input[3] = core::array::from_fn(|n| f32::from(vertex[32 + n]) / 255.0);
        input[4] = [float(24), float(28), 0.0, 1.0];
        let made = program
            .run_vertex(&mut machine, &input, &constants, &mut NoTextures)
            .expect("run");
        for (to, x) in out.chunks_exact_mut(4).zip(&made.registers[0][..3]) {
            to.copy_from_slice(&x.to_le_bytes());
        }
        for (to, x) in out[24..].chunks_exact_mut(4).zip(&made.registers[5][..2]) {
            to.copy_from_slice(&x.to_le_bytes());
        }
    }
}
