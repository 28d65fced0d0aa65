//! Radial fog in panorama passes: which draws have it, and that all bearings agree.

mod common;

use common::{direct3d, direct3d_with};
use glam::Vec3;
use ninefold_bytecode::assemble;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

const SIZE: u32 = 65;
const EYE: Vec3 = Vec3::new(3.0, -2.0, 7.0);

fn device(radial: bool) -> Option<Device> {
    let direct3d = direct3d_with(|settings| settings.renderer.radial_fog = radial)?;
    Some(
        direct3d
            .create_device(&PresentParameters::windowed(8, 8))
            .expect("a device"),
    )
}

fn panorama(d: &mut Device) -> Panorama {
    let desc = PanoramaDesc {
        size: SIZE,
        near: 0.5,
        far: 500.0,
        ..PanoramaDesc::default()
    };
    let mut panorama = Panorama::new(d, &desc).expect("a panorama");
    panorama
        .set_free([0.5, 0.6, -0.7], [0.0, 1.0, 0.0])
        .expect("turned");
    panorama
}

/// Fixed-function fog, black, linear from 10 to 50, over unlit vertices.
fn fog(d: &mut Device, mode: u32) {
    for (state, value) in [
        (D3DRS_LIGHTING, 0),
        (D3DRS_FOGENABLE, 1),
        (D3DRS_FOGCOLOR, 0),
        (D3DRS_FOGTABLEMODE, D3DFOG_NONE),
        (D3DRS_FOGVERTEXMODE, mode),
        (D3DRS_FOGSTART, 10f32.to_bits()),
        (D3DRS_FOGEND, 50f32.to_bits()),
        (D3DRS_FOGDENSITY, 0.02f32.to_bits()),
        (D3DRS_POINTSIZE, 5f32.to_bits()),
        (D3DRS_ZENABLE, 0),
    ] {
        d.set_render_state(state, value).expect("set");
    }
}

/// Vertices of `D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_SPECULAR`, white with this specular alpha.
fn vertices(places: &[Vec3], alpha: u8) -> Vec<u8> {
    let vertex = |place: &Vec3| {
        let floats = place.to_array().map(f32::to_le_bytes).concat();
        let colors = [!0u32, u32::from(alpha) << 24].map(u32::to_le_bytes);
        [floats, colors.concat()].concat()
    };
    places.iter().flat_map(vertex).collect()
}

const FVF: u32 = D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_SPECULAR;

/// A direction that a bearing shows off its axis, away from the picture's border.
fn off_axis(view: &PanoramaView) -> Vec3 {
    let [right, up, forward] = [view.right, view.up, view.forward].map(Vec3::from);
    (forward + right * 0.35 + up * 0.3).normalize()
}

/// The brightness of a point in each bearing, at `distance` off its axis.
fn points(d: &mut Device, panorama: &Panorama, distance: f32, alpha: u8) -> Vec<u8> {
    let draw = |d: &mut Device, view: &PanoramaView| {
        let place = EYE + off_axis(view) * distance;
        d.clear(&[], D3DCLEAR_TARGET, 0xFF_0040, 1.0, 0)?;
        d.set_fvf(FVF)?;
        d.draw_primitive_up(D3DPT_POINTLIST, 1, &vertices(&[place], alpha), 20)
    };
    panorama
        .draw(d, EYE.into(), Bearing::all(), draw)
        .expect("drawn");
    let at = |bearing| {
        let view = panorama.view(bearing, EYE.into());
        let place = panorama
            .locate(bearing, off_axis(&view).into())
            .expect("seen");
        let picture = d.read_surface(panorama.surface(bearing)).expect("read");
        // Pixel centres lie at whole numbers.
        let [x, y] = place.map(|p| (p * SIZE as f32).round() as u32);
        let pixel = &picture.bgra[((y * SIZE + x) * 4) as usize..][..3];
        assert!(
            pixel.iter().all(|&c| c == pixel[0]),
            "{bearing:?}: no point at {x}, {y}: {pixel:?}"
        );
        pixel[0]
    };
    Bearing::all().map(at).collect()
}

/// The factors that the CPU gives three vertices of the world in each bearing.
fn processed(d: &mut Device, panorama: &Panorama, places: &[Vec3], active: bool) -> Vec<Vec<f32>> {
    let bytes = vertices(places, 0x80);
    let size = bytes.len() as u32;
    let source = d
        .create_vertex_buffer(size, 0, FVF, D3DPOOL_DEFAULT)
        .expect("a buffer");
    d.vertex_buffer_lock(source, 0, 0, 0).expect("locked");
    d.vertex_buffer_bytes_mut(source)
        .expect("bytes")
        .copy_from_slice(&bytes);
    d.vertex_buffer_unlock(source).expect("unlocked");
    let to_fvf = D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR;
    let to = d
        .create_vertex_buffer(24 * places.len() as u32, 0, to_fvf, D3DPOOL_DEFAULT)
        .expect("a buffer");
    d.set_fvf(FVF).expect("set");
    d.set_stream_source(0, Some(source), 0, 20).expect("bound");
    let mut all = Vec::new();
    for bearing in Bearing::all() {
        let view = panorama.view(bearing, EYE.into());
        d.set_transform(D3DTS_VIEW, &view.view).expect("set");
        d.set_transform(D3DTS_PROJECTION, &view.projection)
            .expect("set");
        d.set_panorama_pass(active.then_some(bearing));
        d.process_vertices(0, 0, places.len() as u32, to, None, 0)
            .expect("processed");
        d.vertex_buffer_lock(to, 0, 0, D3DLOCK_READONLY)
            .expect("locked");
        let bytes = d.vertex_buffer_bytes_mut(to).expect("bytes");
        // The factor goes to the specular colour's alpha, in 255 steps.
        let factors = bytes.chunks(24).map(|v| f32::from(v[23]) / 255.0);
        all.push(factors.collect());
        d.vertex_buffer_unlock(to).expect("unlocked");
    }
    d.set_panorama_pass(None);
    all
}

/// (50 - d) / (50 - 10) of 10, 25 and 50 is 1, 0.625 and 0, wherever the vertices lie.
#[test]
fn three_vertices_have_their_factors_in_nine_bearings() {
    let Some(mut d) = device(true) else { return };
    let panorama = panorama(&mut d);
    fog(&mut d, D3DFOG_LINEAR);
    let directions = [
        Vec3::new(1.0, 2.0, 2.0) / 3.0,
        Vec3::new(-2.0, -1.0, 2.0) / 3.0,
        Vec3::new(2.0, -2.0, 1.0) / 3.0,
    ];
    let places: Vec<Vec3> = directions
        .iter()
        .zip([10.0, 25.0, 50.0])
        .map(|(direction, distance)| EYE + *direction * distance)
        .collect();
    for factors in processed(&mut d, &panorama, &places, true) {
        for (is, should) in factors.iter().zip([1.0, 0.625, 0.0]) {
            assert!((is - should).abs() < 1.0 / 255.0, "{factors:?}");
        }
    }
    // Without a pass it is depth, which is another in each bearing.
    let flat = processed(&mut d, &panorama, &places, false);
    let spread = |n: usize| {
        let values = flat.iter().map(|f| f[n]);
        values.clone().fold(0.0, f32::max) - values.fold(1.0, f32::min)
    };
    assert!(spread(1) > 0.2 && spread(2) > 0.2, "{flat:?}");
    for (distance, should) in [(10.0, 255), (25.0, 159), (50.0, 0)] {
        for is in points(&mut d, &panorama, distance, 0) {
            assert!(is.abs_diff(should) <= 1, "{distance}: {is}");
        }
    }
}

/// Each mode's factor by the formulas, on both processors.
#[test]
fn every_mode_takes_the_distance() {
    let Some(mut d) = device(true) else { return };
    let panorama = panorama(&mut d);
    let x = 30.0f32 * 0.02;
    for (mode, [start, end], should) in [
        (D3DFOG_EXP, [10.0, 50.0], (-x).exp()),
        (D3DFOG_EXP2, [10.0, 50.0], (-(x * x)).exp()),
        (D3DFOG_LINEAR, [10.0, 50.0], 0.5),
        // Clamped on both sides.
        (D3DFOG_LINEAR, [45.0, 50.0], 1.0),
        (D3DFOG_LINEAR, [10.0, 20.0], 0.0),
        // The program's own factor.
        (D3DFOG_NONE, [10.0, 50.0], 128.0 / 255.0),
    ] {
        fog(&mut d, mode);
        for (state, value) in [(D3DRS_FOGSTART, start), (D3DRS_FOGEND, end)] {
            d.set_render_state(state, f32::to_bits(value)).expect("set");
        }
        let level = should * 255.0;
        for is in points(&mut d, &panorama, 30.0, 0x80) {
            assert!(
                (f32::from(is) - level).abs() < 1.0,
                "{mode} {start}: {is}, not {level}"
            );
        }
        let place = EYE + Vec3::new(2.0, -2.0, 1.0) * 10.0;
        for factors in processed(&mut d, &panorama, &[place], true) {
            assert!(
                (factors[0] - should).abs() < 1.0 / 255.0,
                "{mode} {start}: {factors:?}, not {should}"
            );
        }
    }
}

/// A linear range without extent: no fog before its end, all from there on. Without radial fog it
/// is all fog.
#[test]
fn a_range_without_extent_is_a_step() {
    let Some(mut d) = device(true) else { return };
    let panorama = panorama(&mut d);
    fog(&mut d, D3DFOG_LINEAR);
    d.set_render_state(D3DRS_FOGSTART, 50f32.to_bits())
        .expect("set");
    for (distance, level) in [(49.0, 255), (51.0, 0)] {
        let seen = points(&mut d, &panorama, distance, 0);
        assert!(seen.iter().all(|&is| is == level), "{distance}: {seen:?}");
        let place = EYE + Vec3::new(2.0, -2.0, 1.0) / 3.0 * distance;
        for factors in processed(&mut d, &panorama, &[place], true) {
            assert_eq!(factors[0], f32::from(level) / 255.0);
        }
        for factors in processed(&mut d, &panorama, &[place], false) {
            assert_eq!(factors[0], 0.0);
        }
    }
}

/// What must hold for fixed-function fog to take the distance: each alone is not enough.
#[test]
fn the_gates() {
    let by_depth = |d: &mut Device, what: &str| {
        let panorama = panorama(d);
        let seen = points(d, &panorama, 30.0, 0);
        for (bearing, is) in Bearing::all().zip(seen) {
            let view = panorama.view(bearing, EYE.into());
            let depth = off_axis(&view).dot(view.forward.into()) * 30.0;
            let level = (50.0 - depth) / 40.0 * 255.0;
            assert!(
                (f32::from(is) - level).abs() <= 1.0,
                "{what}: {is}, not {level}"
            );
        }
    };
    // The setting is off, as it is by default.
    let Some(direct3d) = direct3d() else { return };
    let mut d = direct3d
        .create_device(&PresentParameters::windowed(8, 8))
        .expect("a device");
    fog(&mut d, D3DFOG_LINEAR);
    by_depth(&mut d, "by default");
    drop(d);

    let mut d = device(true).expect("a device");
    fog(&mut d, D3DFOG_LINEAR);
    // Table fog is not vertices'.
    d.set_render_state(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR)
        .expect("set");
    by_depth(&mut d, "table fog");
    // Without fog there is none.
    fog(&mut d, D3DFOG_LINEAR);
    d.set_render_state(D3DRS_FOGENABLE, 0).expect("set");
    let panorama = panorama(&mut d);
    let seen = points(&mut d, &panorama, 30.0, 0);
    assert!(seen.iter().all(|&is| is == 255), "{seen:?}");
    // The flat window: the same state, no pass.
    fog(&mut d, D3DFOG_LINEAR);
    let view = panorama.view(Bearing::ring(0), EYE.into());
    let draw = |d: &mut Device, pass| {
        panorama
            .draw(d, EYE.into(), [Bearing::ring(0)], |d, view| {
                d.set_panorama_pass(pass);
                let place = EYE + off_axis(view) * 30.0;
                d.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0)?;
                d.set_fvf(FVF)?;
                d.draw_primitive_up(D3DPT_POINTLIST, 1, &vertices(&[place], 0), 20)
            })
            .expect("drawn");
        let picture = d
            .read_surface(panorama.surface(Bearing::ring(0)))
            .expect("read");
        picture.bgra.chunks(4).map(|p| p[0]).max().unwrap()
    };
    let depth = off_axis(&view).dot(view.forward.into()) * 30.0;
    let level = ((50.0 - depth) / 40.0 * 255.0).round() as u8;
    // Nothing but the pass changes between these.
    for _ in 0..2 {
        assert!(draw(&mut d, None).abs_diff(level) <= 1);
        assert!(draw(&mut d, Some(Bearing::ring(0))).abs_diff(127) <= 1);
    }
}

const DEPTH: &str = "vs_1_1\n dcl_position v0\n dp4 oPos.x, v0, c0\n dp4 oPos.y, v0, c1\n\
                     dp4 oPos.z, v0, c2\n dp4 oPos.w, v0, c3\n mov oD0, c9\n\
                     dp4 r0.x, v0, c6\n add oFog, c9.x, -r0.x\n";
const PLANE: &str = "vs_1_1\n dcl_position v0\n dp4 oPos.x, v0, c0\n dp4 oPos.y, v0, c1\n\
                     dp4 oPos.z, v0, c2\n dp4 oPos.w, v0, c3\n mov oD0, c9\n\
                     dp4 oT0.x, v0, c6\n dp4 r0.x, v0, c7\n mul oFog, -r0.x, c9.y\n";
const NO_FOG: &str = "vs_1_1\n dcl_position v0\n mov oPos, v0\n mov oD0, c6\n";
const ONLY_PLANE: &str = "vs_1_1\n dcl_position v0\n mov oPos, v0\n dp4 oT0.x, v0, c7\n";

fn shader(d: &mut Device, text: &str) -> VertexShaderHandle {
    let code = assemble(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    d.create_vertex_shader(code.tokens()).expect("a shader")
}

#[test]
fn which_mode_a_draw_has() {
    use RadialFogMode::{Depth, ViewPlane};
    let Some(mut d) = device(true) else { return };
    let texts = [DEPTH, PLANE, NO_FOG, ONLY_PLANE];
    let shaders = texts.map(|text| shader(&mut d, text));
    let modes = |d: &mut Device| {
        shaders.map(|shader| {
            d.set_vertex_shader(Some(shader)).expect("set");
            d.radial_fog_mode()
        })
    };
    let none = [None; 4];
    assert_eq!(modes(&mut d), none, "the flat view");
    d.set_panorama_pass(Some(Bearing::UP));
    assert_eq!(d.panorama_pass(), Some(Bearing::UP));
    for planar_type in [0, 1, 3, u32::MAX] {
        d.set_planar_fog_type(planar_type);
        assert_eq!(modes(&mut d), [Some(Depth), Some(Depth), None, None]);
    }
    d.set_planar_fog_type(2);
    assert_eq!(d.planar_fog_type(), 2);
    assert_eq!(modes(&mut d), [Some(Depth), Some(ViewPlane), None, None]);
    d.set_vertex_shader(None).expect("set");
    assert_eq!(d.radial_fog_mode(), None, "no shader");
    d.set_panorama_pass(None);
    assert_eq!(modes(&mut d), none);

    let mut off = device(false).expect("a device");
    off.set_panorama_pass(Some(Bearing::UP));
    off.set_planar_fog_type(2);
    for text in texts {
        let shader = shader(&mut off, text);
        off.set_vertex_shader(Some(shader)).expect("set");
        assert_eq!(off.radial_fog_mode(), None);
    }
}

/// The corners of a surface that bearings `ring(0)` and `UP` both show, fogged by `text`; the
/// brightness of both pictures along the edge that they share.
fn joined(d: &mut Device, text: &str, planar_type: u32) -> Vec<[u8; 2]> {
    let panorama = panorama(d);
    let shader = shader(d, text);
    let code = assemble("ps_1_1\n mov r0, v0\n").expect("it assembles");
    let pixel = d.create_pixel_shader(code.tokens()).expect("a shader");
    // The tangent of 30 degrees is the upper edge of what ring(0) shows.
    let edge = Vec3::new(0.0, 0.577_350_26, 1.0);
    let corners: Vec<u8> = [[-9.0, -9.0], [9.0, -9.0], [-9.0, 9.0], [9.0, 9.0]]
        .iter()
        .map(|[x, y]| EYE + edge * 26.0 + Vec3::new(*x, *y, -*y * 0.4))
        .flat_map(|p| [p.x, p.y, p.z].map(f32::to_le_bytes).concat())
        .collect();
    let bearings = [Bearing::ring(0), Bearing::UP];
    let draw = |d: &mut Device, view: &PanoramaView| {
        fog(d, D3DFOG_NONE);
        d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE)?;
        d.set_planar_fog_type(planar_type);
        d.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0)?;
        let [view_matrix, projection] =
            [view.view, view.projection].map(|m| glam::Mat4::from_cols_array_2d(&m));
        let whole = projection * view_matrix;
        let rows = [0, 1, 2, 3].map(|i| whole.row(i).to_array());
        d.set_vertex_shader_constant_f(0, &rows)?;
        d.set_vertex_shader_constant_f(4, &[EYE.extend(2.0).to_array()])?;
        d.set_vertex_shader_constant_f(6, &[view.fog_plane(10.0, 50.0)])?;
        let forward = Vec3::from(view.forward);
        let across = (-forward).extend(forward.dot(EYE) + 0.25).to_array();
        d.set_vertex_shader_constant_f(7, &[across])?;
        d.set_vertex_shader_constant_f(9, &[[1.0, 1.0 / 50.0, 1.0, 1.0]])?;
        d.set_vertex_shader(Some(shader))?;
        d.set_pixel_shader(Some(pixel))?;
        d.set_fvf(D3DFVF_XYZ)?;
        // A declaration keeps the shader, an FVF does too.
        d.set_vertex_shader(Some(shader))?;
        d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &corners, 12)
    };
    panorama.draw(d, EYE.into(), bearings, draw).expect("drawn");
    let pictures = bearings.map(|b| d.read_surface(panorama.surface(b)).expect("read"));
    // Interpolated, as the pictures have pixels of different sizes.
    let sample = |picture: &Picture, [u, v]: [f32; 2]| {
        let [x, y] = [u, v].map(|p| (p * SIZE as f32).clamp(0.0, (SIZE - 2) as f32));
        let (left, top) = (x as u32, y as u32);
        let (fx, fy) = (x - left as f32, y - top as f32);
        let at = |x: u32, y: u32| f32::from(picture.bgra[((y * SIZE + x) * 4) as usize]);
        let row = |y| at(left, y) * (1.0 - fx) + at(left + 1, y) * fx;
        (row(top) * (1.0 - fy) + row(top + 1) * fy).round() as u8
    };
    (-6..=6)
        .map(|n| {
            let direction = edge + Vec3::X * (n as f32 / 40.0) - Vec3::Y * 0.02;
            let mut place = bearings.iter().zip(&pictures).map(|(bearing, picture)| {
                let place = panorama.locate(*bearing, direction.into()).expect("shown");
                sample(picture, place)
            });
            [place.next().unwrap(), place.next().unwrap()]
        })
        .collect()
}

/// One surface in two pictures: its fog is the same on both sides of the edge.
#[test]
fn two_bearings_agree_at_their_join() {
    let Some(mut on) = device(true) else { return };
    let mut off = device(false).expect("a device");
    for (text, planar_type, least) in [(DEPTH, 0, 40), (PLANE, 2, 40)] {
        let worst = |d: &mut Device| {
            let pairs = joined(d, text, planar_type);
            assert!(
                pairs
                    .iter()
                    .flatten()
                    .all(|&level| level > 20 && level < 250),
                "{pairs:?}"
            );
            pairs.iter().map(|[a, b]| a.abs_diff(*b)).max().unwrap()
        };
        let (with, without) = (worst(&mut on), worst(&mut off));
        println!("at the join {without} steps of 255 without, {with} with");
        assert!(with <= 1 && without > least, "{with} {without}");
    }
    // A plane of the world is left alone: both pictures agree without help, and with it.
    let worst = |pairs: Vec<[u8; 2]>| pairs.iter().map(|[a, b]| a.abs_diff(*b)).max().unwrap();
    assert!(
        worst(joined(&mut on, PLANE, 0)) > 40,
        "depth, by the test's c7"
    );
}

/// The flat view has all that it had, also after a scene that fails.
#[test]
fn the_flat_view_is_untouched() {
    let Some(mut d) = device(true) else { return };
    let panorama = panorama(&mut d);
    let view = Viewport {
        x: 1,
        y: 2,
        width: 5,
        height: 4,
        min_z: 0.25,
        max_z: 0.75,
    };
    let scissor = Rect::new(1, 1, 6, 7);
    let mut matrix = IDENTITY;
    matrix[0][0] = 3.0;
    d.set_viewport(&view).unwrap();
    d.set_scissor_rect(scissor).unwrap();
    d.set_transform(D3DTS_VIEW, &matrix).unwrap();
    let objects = d.object_count();
    let target = d.get_render_target(0).unwrap();
    for fails in [false, true] {
        let mut seen = Vec::new();
        let drawn = panorama.draw(&mut d, EYE.into(), Bearing::all(), |d, view| {
            seen.push(view.bearing);
            assert_eq!(d.panorama_pass(), Some(view.bearing));
            assert_eq!(d.get_viewport().width, SIZE);
            match fails && view.bearing == Bearing::DOWN {
                true => Err(HResult::OUTOFMEMORY),
                false => Ok(()),
            }
        });
        match fails {
            true => assert_eq!((drawn, seen.len()), (Err(HResult::OUTOFMEMORY), 8)),
            false => assert_eq!((drawn, seen.len()), (Ok(()), 9)),
        }
        assert_eq!(d.panorama_pass(), None);
        assert_eq!(d.get_viewport(), view);
        assert_eq!(d.get_scissor_rect(), scissor);
        assert_eq!(d.get_transform(D3DTS_VIEW).unwrap(), matrix);
        assert_eq!(d.get_transform(D3DTS_PROJECTION).unwrap(), IDENTITY);
        let now = d.get_render_target(0).unwrap();
        assert_eq!(now, target);
        d.release(now).unwrap();
    }
    assert_eq!(d.object_count(), objects);
    panorama.release(&mut d);
    assert_eq!(d.object_count(), objects - 10);
    d.release(target).unwrap();
}

#[test]
fn panoramas_that_cannot_be_are_refused() {
    let Some(mut d) = device(false) else { return };
    let objects = d.object_count();
    for desc in [
        PanoramaDesc {
            size: 0,
            ..PanoramaDesc::default()
        },
        PanoramaDesc {
            size: u32::MAX,
            ..PanoramaDesc::default()
        },
        PanoramaDesc {
            format: D3DFMT_DXT1,
            ..PanoramaDesc::default()
        },
        PanoramaDesc {
            ring_height: f32::NAN,
            ..PanoramaDesc::default()
        },
    ] {
        assert!(Panorama::new(&mut d, &desc).is_err(), "{desc:?}");
        assert!(!d.last_error().is_empty());
        assert_eq!(d.object_count(), objects);
    }
    let mut panorama = panorama(&mut d);
    for (forward, up) in [
        ([0.0; 3], [0.0, 1.0, 0.0]),
        ([0.0, 2.0, 0.0], [0.0, 1.0, 0.0]),
        ([f32::NAN; 3], [0.0, 1.0, 0.0]),
    ] {
        assert_eq!(panorama.set_free(forward, up), Err(HResult::INVALIDCALL));
    }
    assert_eq!(Bearing::new(8), Some(Bearing::FREE));
    assert_eq!(Bearing::new(9), None);
    assert_eq!(Bearing::ring(7), Bearing::ring(1));
}
