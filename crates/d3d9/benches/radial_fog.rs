//! What radial fog costs: CPU time per draw and the GPU's time per vertex of a shader with fog, with the
//! setting off, with it on in the flat view, and with it on in a panorama pass. The baseline is the
//! setting off in the flat view, which is the path without the feature: the same shader, pipeline
//! and bytes.

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
#[path = "../../gpu/benches/record/scene.rs"]
#[allow(dead_code)]
mod scene;

#[cfg(unix)]
fn main() {
    let test = std::env::args().any(|argument| argument == "--test");
    let (draws, vertices, frames) = if test {
        (100, 1 << 10, 2)
    } else {
        (10_000, 1 << 17, 41)
    };
    let Some(mut kinds) = bench::kinds(vertices) else {
        return;
    };
    let mut times = vec![[Vec::new(), Vec::new()]; kinds.len()];
    for frame in 0..frames + 3 {
        for (kind, times) in kinds.iter_mut().zip(&mut times) {
            let of = [kind.draws(draws), kind.vertices(16)];
            if frame >= 3 {
                times[0].push(of[0] / draws as f64);
                times[1].push(of[1] / (16 * vertices) as f64 * 1e3);
            }
        }
    }
    println!(
        "{frames} frames of {draws} draws, and of 16 with {vertices} vertices each; min / median:"
    );
    let mut baseline = [[0.0; 2]; 2];
    for (kind, times) in kinds.iter().zip(&mut times) {
        let found = [0, 1].map(|n| {
            times[n].sort_by(f64::total_cmp);
            [times[n][0], times[n][times[n].len() / 2]]
        });
        if baseline[0][0] == 0.0 {
            baseline = found;
        }
        let ratio = |n: usize, i: usize| found[n][i] / baseline[n][i];
        let [[draw_min, draw], [vertex_min, vertex]] = found;
        println!(
            "  {:<20} a draw {draw_min:.3} / {draw:.3} us, ratio {:.3} / {:.3}; \
             a vertex {vertex_min:.3} / {vertex:.3} ns, ratio {:.3} / {:.3}",
            kind.name,
            ratio(0, 0),
            ratio(0, 1),
            ratio(1, 0),
            ratio(1, 1)
        );
    }
}

#[cfg(unix)]
mod bench {
    use ninefold_bytecode::assemble;
    use ninefold_d3d9::consts::*;
    use ninefold_d3d9::{
        Bearing, Device, DeviceSettings, Direct3D9, PresentParameters, QueryData, QueryHandle,
        VertexBufferHandle, VertexElement,
    };

    use super::scene::cpu_time;

    /// A position, a light and two fogs: 13 instructions, 31 with both terms rewritten.
    const VERTEX: &str = "vs_1_1\n dcl_position v0\n dp4 oPos.x, v0, c0\n dp4 oPos.y, v0, c1\n\
                          dp4 oPos.z, v0, c2\n dp4 oPos.w, v0, c3\n dp3 r0.x, v0, c10\n\
                          max r0.x, r0.x, c9.z\n mul oD0, r0.x, c11\n dp4 r1.x, v0, c6\n\
                          dp4 r1.y, v0, c8\n mul r1.xy, r1, c9\n max r1.x, r1.x, r1.y\n\
                          min r1.x, r1.x, c9.w\n add oFog, c9.w, -r1.x\n";

    /// A way to draw.
    pub(super) struct Kind {
        pub(super) name: &'static str,
        device: Device,
        small: VertexBufferHandle,
        large: VertexBufferHandle,
        stamps: [QueryHandle; 2],
        /// Ticks of the GPU's clock in a second.
        frequency: f64,
        count: usize,
        next: f32,
    }

    pub(super) fn kinds(vertices: usize) -> Option<Vec<Kind>> {
        let open = |radial_fog| {
            let mut settings = DeviceSettings {
                adapter: std::env::var("NINEFOLD_ADAPTER").ok(),
                ..Default::default()
            };
            settings.renderer.radial_fog = radial_fog;
            Direct3D9::new(settings)
        };
        let mut all = Vec::new();
        for (name, radial_fog, pass) in [
            ("off, flat view", false, None),
            ("off, panorama pass", false, Some(Bearing::UP)),
            ("on, flat view", true, None),
            ("on, panorama pass", true, Some(Bearing::UP)),
        ] {
            let direct3d = match open(radial_fog) {
                Ok(direct3d) => direct3d,
                Err(error) => {
                    eprintln!("skipped: {error}");
                    return None;
                }
            };
            if all.is_empty() {
                let adapter = direct3d.get_adapter_identifier();
                println!("adapter: {}", adapter.description);
            }
            let mut device = direct3d
                .create_device(&PresentParameters::windowed(16, 16))
                .expect("a device");
            device.set_panorama_pass(pass);
            all.push(Kind::new(name, device, vertices));
        }
        Some(all)
    }

    fn buffer(device: &mut Device, vertices: usize) -> VertexBufferHandle {
        let size = vertices as u32 * 16;
        let buffer = device
            .create_vertex_buffer(size, D3DUSAGE_WRITEONLY, 0, D3DPOOL_DEFAULT)
            .expect("a buffer");
        device.vertex_buffer_lock(buffer, 0, 0, 0).expect("locked");
        // Far to the right of all that is seen: only vertices cost.
        for (n, vertex) in device
            .vertex_buffer_bytes_mut(buffer)
            .expect("bytes")
            .chunks_mut(16)
            .enumerate()
        {
            let values = [4.0 + n as f32 * 1e-5, 0.5, 0.5, 1.0];
            vertex.copy_from_slice(&values.map(f32::to_le_bytes).concat());
        }
        device.vertex_buffer_unlock(buffer).expect("unlocked");
        buffer
    }

    impl Kind {
        fn new(name: &'static str, mut device: Device, count: usize) -> Self {
            let d = &mut device;
            let vertex = assemble(VERTEX).expect("it assembles");
            let vertex = d.create_vertex_shader(vertex.tokens()).expect("a shader");
            let pixel = assemble("ps_1_1\n mov r0, v0\n").expect("it assembles");
            let pixel = d.create_pixel_shader(pixel.tokens()).expect("a shader");
            let element = VertexElement::new(0, 0, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITION, 0);
            let declaration = d.create_vertex_declaration(&[element]).expect("declared");
            d.set_vertex_declaration(Some(declaration)).expect("set");
            d.set_vertex_shader(Some(vertex)).expect("set");
            d.set_pixel_shader(Some(pixel)).expect("set");
            d.set_render_state(D3DRS_FOGENABLE, 1).expect("set");
            let identity = ninefold_d3d9::IDENTITY;
            d.set_vertex_shader_constant_f(0, &identity).expect("set");
            d.set_vertex_shader_constant_f(4, &[[1.0, 2.0, 3.0, 2.0]])
                .expect("set");
            let rows = [
                [0.0, 0.0, 0.1, -0.1],
                [0.0; 4],
                [0.1, 0.0, 0.0, -0.1],
                [1.0, 1.0, 0.0, 1.0],
                [0.0, 1.0, 0.0, 0.0],
                [1.0; 4],
            ];
            d.set_vertex_shader_constant_f(6, &rows).expect("set");
            let (small, large) = (buffer(d, 3), buffer(d, count / 3 * 3));
            let stamps = [0, 1].map(|_| d.create_query(D3DQUERYTYPE_TIMESTAMP).expect("a query"));
            let clock = d.create_query(D3DQUERYTYPE_TIMESTAMPFREQ).expect("a query");
            d.query_issue(clock, D3DISSUE_END).expect("asked");
            let Ok(Some(QueryData::TimestampFrequency(frequency))) =
                d.query_get_data(clock, D3DGETDATA_FLUSH)
            else {
                panic!("a clock without a frequency");
            };
            Self {
                name,
                device,
                small,
                large,
                stamps,
                frequency: frequency as f64,
                count: count / 3,
                next: 0.0,
            }
        }

        /// Thread CPU time of a frame of small draws whose fog changes, in microseconds.
        pub(super) fn draws(&mut self, count: usize) -> f64 {
            let d = &mut self.device;
            d.set_stream_source(0, Some(self.small), 0, 16)
                .expect("set");
            d.begin_scene().expect("begun");
            let start = cpu_time();
            for _ in 0..count {
                self.next += 1e-6;
                d.set_vertex_shader_constant_f(6, &[[0.0, self.next, 0.1, -0.1]])
                    .expect("set");
                d.draw_primitive(D3DPT_TRIANGLELIST, 0, 1).expect("drawn");
            }
            d.flush().expect("submitted");
            let time = cpu_time() - start;
            d.end_scene().expect("ended");
            self.finish();
            time
        }

        /// The GPU's time for some large draws, in microseconds.
        pub(super) fn vertices(&mut self, draws: usize) -> f64 {
            let d = &mut self.device;
            d.set_stream_source(0, Some(self.large), 0, 16)
                .expect("set");
            d.begin_scene().expect("begun");
            d.query_issue(self.stamps[0], D3DISSUE_END).expect("asked");
            for _ in 0..draws {
                d.draw_primitive(D3DPT_TRIANGLELIST, 0, self.count as u32)
                    .expect("drawn");
            }
            d.query_issue(self.stamps[1], D3DISSUE_END).expect("asked");
            d.end_scene().expect("ended");
            self.finish();
            let [from, to] = self.stamps.map(|stamp| {
                loop {
                    match self.device.query_get_data(stamp, D3DGETDATA_FLUSH) {
                        Ok(Some(QueryData::Timestamp(ticks))) => break ticks as f64,
                        Ok(None) => {}
                        other => panic!("{other:?}"),
                    }
                }
            });
            (to - from) / self.frequency * 1e6
        }

        fn finish(&mut self) {
            let d = &mut self.device;
            let back = d.get_back_buffer(0, 0).expect("a back buffer");
            d.read_surface(back).expect("read");
            d.release(back).expect("released");
        }
    }
}
