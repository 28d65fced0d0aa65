//! Where pixels land: the half-pixel rule, viewport, scissor, depth, clears.

mod common;

use common::*;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

#[test]
fn pixel_centres_are_at_integer_coordinates() {
    let Some(mut d) = device(8, 8) else { return };
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    // Corners at 1.5 and 4.5: centres 2, 3 and 4 are inside. With centres at halves the
    // rectangle would cover other pixels.
    draw_quad(&mut d, 1.5, 2.5, 4.5, 4.5, 0.5, 0xFFFF_0000);
    assert_eq!(pixels(&mut d).bounds(0xFF0000), Some((2, 3, 5, 5)));
    assert_eq!(pixels(&mut d).count(0xFF0000), 6);
}

#[test]
fn a_transformed_triangle_covers_the_pixels_whose_centres_it_covers() {
    let Some(mut d) = device(4, 4) else { return };
    d.set_render_state(D3DRS_LIGHTING, 0).unwrap();
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    d.set_fvf(D3DFVF_XYZ | D3DFVF_DIFFUSE).unwrap();
    // Clip space x = -1 is 0 in pixels and x = 1 is 4, so pixel centre n is at x = n / 2 - 1: the
    // left half of clip space, up to x = 0.1 (pixel 2.2), covers centres 0, 1 and 2.
    let mut v = Vec::new();
    for (x, y) in [(-1.1f32, 1.1f32), (0.1, 1.1), (-1.1, -1.1), (0.1, -1.1)] {
        v.extend(bytes(&[x, y, 0.5]));
        v.extend_from_slice(&0xFF00_FF00u32.to_le_bytes());
    }
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &v, 16).unwrap();
    assert_eq!(pixels(&mut d).bounds(0x00FF00), Some((0, 0, 3, 4)));
}

#[test]
fn a_textured_rectangle_shifted_by_half_a_pixel_shows_each_texel_once() {
    let Some(mut d) = device(8, 8) else { return };
    let texels: Vec<u8> = (0..16u32)
        .flat_map(|i| (0xFF00_0000 | (i * 0x10_0307)).to_le_bytes())
        .collect();
    let t = d
        .create_texture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED)
        .unwrap();
    fill(&mut d, (t, 0), 16, &texels);
    d.set_texture(0, Some(t.into())).unwrap();
    draw_textured(&mut d, 2.0, 1.0, 6.0, 5.0, 0xFFFF_FFFF);
    let p = pixels(&mut d);
    for i in 0..16 {
        assert_eq!(p.at(2 + i % 4, 1 + i / 4), i * 0x10_0307, "texel {i}");
    }
}

#[test]
fn viewport_and_scissor_cut_and_target_0_resets_them() {
    let Some(mut d) = device(8, 8) else { return };
    d.set_viewport(&Viewport {
        x: 1,
        y: 2,
        width: 4,
        height: 3,
        min_z: 0.0,
        max_z: 1.0,
    })
    .unwrap();
    draw_quad(&mut d, -10.0, -10.0, 20.0, 20.0, 0.5, 0xFF00_00FF);
    assert_eq!(pixels(&mut d).bounds(0x0000FF), Some((1, 2, 5, 5)));
    d.set_render_state(D3DRS_SCISSORTESTENABLE, 1).unwrap();
    d.set_scissor_rect(Rect::new(3, 0, 8, 4)).unwrap();
    draw_quad(&mut d, -10.0, -10.0, 20.0, 20.0, 0.5, 0xFFFF_0000);
    assert_eq!(pixels(&mut d).bounds(0xFF0000), Some((3, 2, 5, 4)));

    let other = d
        .create_render_target(5, 6, D3DFMT_A8R8G8B8, 0, 0, false)
        .unwrap();
    d.set_render_target(0, Some(other)).unwrap();
    assert_eq!(
        d.get_viewport(),
        Viewport {
            x: 0,
            y: 0,
            width: 5,
            height: 6,
            min_z: 0.0,
            max_z: 1.0
        }
    );
    assert_eq!(d.get_scissor_rect(), Rect::new(0, 0, 5, 6));
}

#[test]
fn viewport_depths_scale_z() {
    let Some(mut d) = device(4, 4) else { return };
    d.set_render_state(D3DRS_ZFUNC, D3DCMP_LESS).unwrap();
    d.set_render_state(D3DRS_LIGHTING, 0).unwrap();
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    d.set_viewport(&Viewport {
        x: 0,
        y: 0,
        width: 4,
        height: 4,
        min_z: 0.5,
        max_z: 1.0,
    })
    .unwrap();
    d.clear(&[], D3DCLEAR_ZBUFFER, 0, 0.7, 0).unwrap();
    d.set_fvf(D3DFVF_XYZ | D3DFVF_DIFFUSE).unwrap();
    let full = |z: f32, color: u32| {
        let mut v = Vec::new();
        for (x, y) in [(-2.0f32, 2.0f32), (2.0, 2.0), (-2.0, -2.0), (2.0, -2.0)] {
            v.extend(bytes(&[x, y, z]));
            v.extend_from_slice(&color.to_le_bytes());
        }
        v
    };
    // z 0.5 lands at 0.75, behind 0.7; z 0.3 at 0.65, before it.
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &full(0.5, 0xFFFF_0000), 16)
        .unwrap();
    assert_eq!(pixels(&mut d).at(1, 1), 0);
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &full(0.3, 0xFF00_FF00), 16)
        .unwrap();
    assert_eq!(pixels(&mut d).at(1, 1), 0x00FF00);
}

#[test]
fn clear_honours_rectangles_viewport_and_scissor() {
    let Some(mut d) = device(8, 8) else { return };
    d.clear(
        &[Rect::new(1, 1, 3, 4), Rect::new(6, 6, 20, 20)],
        D3DCLEAR_TARGET,
        0xFFFF_0000,
        1.0,
        0,
    )
    .unwrap();
    let p = pixels(&mut d);
    assert_eq!(p.count(0xFF0000), 2 * 3 + 2 * 2);
    assert_eq!(
        (p.at(1, 1), p.at(3, 1), p.at(7, 7)),
        (0xFF0000, 0, 0xFF0000)
    );

    d.set_viewport(&Viewport {
        x: 2,
        y: 2,
        width: 4,
        height: 4,
        min_z: 0.0,
        max_z: 1.0,
    })
    .unwrap();
    d.clear(&[], D3DCLEAR_TARGET, 0xFF00_FF00, 1.0, 0).unwrap();
    assert_eq!(pixels(&mut d).bounds(0x00FF00), Some((2, 2, 6, 6)));
    d.set_render_state(D3DRS_SCISSORTESTENABLE, 1).unwrap();
    d.set_scissor_rect(Rect::new(0, 0, 4, 8)).unwrap();
    d.clear(&[], D3DCLEAR_TARGET, 0xFF00_00FF, 1.0, 0).unwrap();
    assert_eq!(pixels(&mut d).bounds(0x0000FF), Some((2, 2, 4, 6)));
}

#[test]
fn depth_and_stencil_clear_apart() {
    let Some(mut d) = device(4, 4) else { return };
    d.clear(&[Rect::new(0, 0, 2, 4)], D3DCLEAR_ZBUFFER, 0, 0.2, 0)
        .unwrap();
    d.clear(&[Rect::new(0, 0, 4, 2)], D3DCLEAR_STENCIL, 0, 0.0, 7)
        .unwrap();
    draw_quad(&mut d, -1.0, -1.0, 4.0, 4.0, 0.5, 0xFF11_1111);
    // Depth 0.5 passes only where depth is still 1.
    assert_eq!(pixels(&mut d).bounds(0x111111), Some((2, 0, 4, 4)));
    d.set_render_state(D3DRS_ZENABLE, 0).unwrap();
    d.set_render_state(D3DRS_STENCILENABLE, 1).unwrap();
    d.set_render_state(D3DRS_STENCILFUNC, D3DCMP_EQUAL).unwrap();
    d.set_render_state(D3DRS_STENCILREF, 7).unwrap();
    draw_quad(&mut d, -1.0, -1.0, 4.0, 4.0, 0.5, 0xFF22_2222);
    assert_eq!(pixels(&mut d).bounds(0x222222), Some((0, 0, 4, 2)));
}

#[test]
fn fans_lists_and_strips_cover_the_same_rectangle() {
    let Some(mut d) = device(6, 6) else { return };
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    let corners = [(0.5, 0.5), (4.5, 0.5), (4.5, 4.5), (0.5, 4.5)];
    let fan: Vec<u8> = corners
        .iter()
        .flat_map(|&(x, y)| rhw(x, y, 0.5, 0xFFFF_0000))
        .collect();
    d.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE).unwrap();
    d.draw_primitive_up(D3DPT_TRIANGLEFAN, 2, &fan, 20).unwrap();
    assert_eq!(pixels(&mut d).bounds(0xFF0000), Some((1, 1, 5, 5)));
    assert_eq!(pixels(&mut d).count(0xFF0000), 16);

    d.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0).unwrap();
    let indices: Vec<u8> = [3u16, 0, 1, 2]
        .iter()
        .flat_map(|i| i.to_le_bytes())
        .collect();
    d.draw_indexed_primitive_up(
        D3DPT_TRIANGLEFAN,
        0,
        4,
        2,
        &indices,
        D3DFMT_INDEX16,
        &fan,
        20,
    )
    .unwrap();
    assert_eq!(pixels(&mut d).count(0xFF0000), 16);

    d.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0).unwrap();
    let indices: Vec<u8> = [0u32, 1, 2, 0, 2, 3]
        .iter()
        .flat_map(|i| i.to_le_bytes())
        .collect();
    d.draw_indexed_primitive_up(
        D3DPT_TRIANGLELIST,
        0,
        4,
        2,
        &indices,
        D3DFMT_INDEX32,
        &fan,
        20,
    )
    .unwrap();
    assert_eq!(pixels(&mut d).count(0xFF0000), 16);
}

#[test]
fn culling_goes_by_the_winding_on_the_screen() {
    let Some(mut d) = device(6, 6) else { return };
    // Clockwise on the screen: kept by the default, D3DCULL_CCW.
    let clockwise: Vec<u8> = [(0.5, 0.5), (4.5, 0.5), (0.5, 4.5)]
        .iter()
        .flat_map(|&(x, y)| rhw(x, y, 0.5, 0xFFFF_0000))
        .collect();
    d.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE).unwrap();
    let draw = |d: &mut Device, cull: u32| {
        d.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0).unwrap();
        d.set_render_state(D3DRS_CULLMODE, cull).unwrap();
        d.draw_primitive_up(D3DPT_TRIANGLELIST, 1, &clockwise, 20)
            .unwrap();
        pixels(d).count(0xFF0000) != 0
    };
    assert!(draw(&mut d, D3DCULL_CCW));
    assert!(!draw(&mut d, D3DCULL_CW));
    assert!(draw(&mut d, D3DCULL_NONE));
}

#[test]
fn buffers_with_base_vertex_and_start_index_draw_the_same() {
    let Some(mut d) = device(8, 8) else { return };
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    let mut vertices = vec![0u8; 40];
    vertices.extend(quad(1.5, 1.5, 5.5, 6.5, 0.5, 0xFF12_3456));
    let vb = d
        .create_vertex_buffer(
            vertices.len() as u32,
            D3DUSAGE_WRITEONLY,
            0,
            D3DPOOL_DEFAULT,
        )
        .unwrap();
    d.vertex_buffer_lock(vb, 0, 0, 0).unwrap();
    d.vertex_buffer_bytes_mut(vb)
        .unwrap()
        .copy_from_slice(&vertices);
    d.vertex_buffer_unlock(vb).unwrap();
    let indices: Vec<u8> = [9u16, 9, 9, 1, 2, 3, 3, 2, 4]
        .iter()
        .flat_map(|i| i.to_le_bytes())
        .collect();
    let ib = d
        .create_index_buffer(indices.len() as u32, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED)
        .unwrap();
    d.index_buffer_lock(ib, 0, 0, 0).unwrap();
    d.index_buffer_bytes_mut(ib)
        .unwrap()
        .copy_from_slice(&indices);
    d.index_buffer_unlock(ib).unwrap();
    d.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE).unwrap();
    d.set_stream_source(0, Some(vb), 20, 20).unwrap();
    d.set_indices(Some(ib)).unwrap();
    // Offset 20 skips one vertex, index 1 another: base 0 reads the rectangle.
    d.draw_indexed_primitive(D3DPT_TRIANGLELIST, 0, 1, 4, 3, 2)
        .unwrap();
    assert_eq!(pixels(&mut d).bounds(0x123456), Some((2, 2, 6, 7)));
    assert_eq!(pixels(&mut d).count(0x123456), 20);

    d.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0).unwrap();
    d.set_stream_source(0, Some(vb), 0, 20).unwrap();
    d.draw_indexed_primitive(D3DPT_TRIANGLELIST, 1, 1, 4, 3, 2)
        .unwrap();
    assert_eq!(pixels(&mut d).count(0x123456), 20);
    d.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0).unwrap();
    d.draw_primitive(D3DPT_TRIANGLESTRIP, 2, 2).unwrap();
    assert_eq!(pixels(&mut d).count(0x123456), 20);

    // Vertices that are not there are zeros, and no reason to leave out the others: index 9 of the
    // first triangle lies past the end.
    d.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0).unwrap();
    d.draw_indexed_primitive(D3DPT_TRIANGLELIST, 1, 0, 10, 0, 3)
        .unwrap();
    assert_eq!(pixels(&mut d).count(0x123456), 20);
    d.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0).unwrap();
    d.draw_primitive(D3DPT_TRIANGLELIST, 900, 2).unwrap();
    d.draw_indexed_primitive(D3DPT_TRIANGLELIST, -2000, 0, 4, 3, 2)
        .unwrap();
    assert_eq!(pixels(&mut d).count(0), 64, "nothing but zeros");
    assert_eq!(
        d.draw_primitive(D3DPT_TRIANGLELIST, 0, 0x50_0000),
        Err(HResult::INVALIDCALL),
        "more zeros than anyone means"
    );
    // Primitives whose indices lie past the end of their buffer are left out.
    d.draw_indexed_primitive(D3DPT_TRIANGLELIST, 0, 0, 4, 6, 2)
        .unwrap();
    d.draw_indexed_primitive(D3DPT_TRIANGLELIST, 0, 0, 4, u32::MAX, 1)
        .unwrap();
}

#[test]
fn points_have_the_size_of_the_state_between_its_bounds() {
    let Some(mut d) = device(8, 8) else { return };
    d.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE).unwrap();
    let mut side = |size: f32, max: f32| {
        d.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0).unwrap();
        d.set_render_state(D3DRS_POINTSIZE, size.to_bits()).unwrap();
        d.set_render_state(D3DRS_POINTSIZE_MAX, max.to_bits())
            .unwrap();
        let v = rhw(4.0, 4.0, 0.5, 0xFFFF_0000);
        d.draw_primitive_up(D3DPT_POINTLIST, 1, &v, 20).unwrap();
        let (left, _, right, _) = pixels(&mut d).bounds(0xFF0000).expect("a point");
        right - left
    };
    assert_eq!(side(1.0, 64.0), 1);
    assert_eq!(side(4.0, 64.0), 4);
    assert_eq!(side(40.0, 2.0), 2);
    assert_eq!(side(0.0, 64.0), 1, "D3DRS_POINTSIZE_MIN is 1");
}

#[test]
fn lines_reach_from_pixel_to_pixel() {
    let Some(mut d) = device(8, 8) else { return };
    d.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE).unwrap();
    let v: Vec<u8> = [(1.0, 3.0), (6.0, 3.0)]
        .iter()
        .flat_map(|&(x, y)| rhw(x, y, 0.5, 0xFFFF_0000))
        .collect();
    d.draw_primitive_up(D3DPT_LINELIST, 1, &v, 20).unwrap();
    let (left, top, right, bottom) = pixels(&mut d).bounds(0xFF0000).expect("a line");
    assert_eq!((top, bottom), (3, 4));
    // Whether the last pixel is drawn is the adapter's choice.
    assert!(left == 1 && (6..=7).contains(&right), "{left} to {right}");
}

#[test]
fn instances_read_one_element_each() {
    let Some(mut d) = device(8, 8) else { return };
    d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
    // Stream 0: a square of two pixels. Stream 1: an offset and a colour for each instance.
    let decl = d
        .create_vertex_declaration(&[
            VertexElement::new(0, 0, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0),
            VertexElement::new(1, 0, D3DDECLTYPE_FLOAT2, D3DDECLUSAGE_TEXCOORD, 0),
            VertexElement::new(1, 8, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 0),
        ])
        .unwrap();
    d.set_vertex_declaration(Some(decl)).unwrap();
    let buffer = |d: &mut Device, data: &[u8]| {
        let vb = d
            .create_vertex_buffer(data.len() as u32, 0, 0, D3DPOOL_MANAGED)
            .unwrap();
        d.vertex_buffer_lock(vb, 0, 0, 0).unwrap();
        d.vertex_buffer_bytes_mut(vb).unwrap().copy_from_slice(data);
        d.vertex_buffer_unlock(vb).unwrap();
        vb
    };
    // Clip units of a quarter are pixels here. The square's corners are between pixel centres.
    let corner = |x: f32, y: f32| bytes(&[x * 0.25 - 0.1, y * 0.25 + 0.1, 0.5]);
    let square = [
        corner(0.0, 0.0),
        corner(2.0, 0.0),
        corner(0.0, -2.0),
        corner(2.0, -2.0),
    ]
    .concat();
    // The offset's missing z and w are 0 and 1: the product with c0 leaves x and y alone.
    let vs = "vs_2_0\n def c0, 1, 1, 0, 0\n dcl_position v0\n dcl_texcoord v1\n dcl_color v2\n mul r0, v1, c0\n add oPos, v0, r0\n mov oD0, v2\n";
    let vs = ninefold_bytecode::assemble(vs).unwrap();
    let vs = d.create_vertex_shader(vs.tokens()).unwrap();
    d.set_vertex_shader(Some(vs)).unwrap();
    let instance = |x: f32, y: f32, color: u32| {
        [
            bytes(&[x * 0.25 - 1.0, 1.0 - y * 0.25]),
            color.to_le_bytes().to_vec(),
        ]
        .concat()
    };
    let instances = [
        instance(0.0, 0.0, 0xFFFF_0000),
        instance(3.0, 0.0, 0xFF00_FF00),
        instance(5.0, 5.0, 0xFF00_00FF),
    ]
    .concat();
    let (vertices, places) = (buffer(&mut d, &square), buffer(&mut d, &instances));
    let indices: Vec<u8> = [0u16, 1, 2, 2, 1, 3]
        .iter()
        .flat_map(|i| i.to_le_bytes())
        .collect();
    let ib = d
        .create_index_buffer(12, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED)
        .unwrap();
    d.index_buffer_lock(ib, 0, 0, 0).unwrap();
    d.index_buffer_bytes_mut(ib)
        .unwrap()
        .copy_from_slice(&indices);
    d.index_buffer_unlock(ib).unwrap();
    d.set_indices(Some(ib)).unwrap();
    d.set_stream_source(0, Some(vertices), 0, 12).unwrap();
    d.set_stream_source(1, Some(places), 0, 12).unwrap();
    d.set_stream_source_freq(0, D3DSTREAMSOURCE_INDEXEDDATA | 3)
        .unwrap();
    d.set_stream_source_freq(1, D3DSTREAMSOURCE_INSTANCEDATA | 1)
        .unwrap();
    d.draw_indexed_primitive(D3DPT_TRIANGLELIST, 0, 0, 4, 0, 2)
        .unwrap();
    let p = pixels(&mut d);
    assert_eq!(p.bounds(0xFF0000), Some((0, 0, 2, 2)));
    assert_eq!(p.bounds(0x00FF00), Some((3, 0, 5, 2)));
    assert_eq!(p.bounds(0x0000FF), Some((5, 5, 7, 7)));
    assert_eq!(
        p.count(0xFF0000) + p.count(0x00FF00) + p.count(0x0000FF),
        12
    );

    // Another divider counts as 1, as wined3d has it.
    d.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0).unwrap();
    d.set_stream_source_freq(1, D3DSTREAMSOURCE_INSTANCEDATA | 2)
        .unwrap();
    d.draw_indexed_primitive(D3DPT_TRIANGLELIST, 0, 0, 4, 0, 2)
        .unwrap();
    let p = pixels(&mut d);
    assert_eq!(
        (p.count(0xFF0000), p.count(0x00FF00), p.count(0x0000FF)),
        (4, 4, 4)
    );
    // And instances are drawn without indices.
    d.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0).unwrap();
    d.draw_primitive(D3DPT_TRIANGLESTRIP, 0, 2).unwrap();
    let p = pixels(&mut d);
    assert_eq!(
        (p.count(0xFF0000), p.count(0x00FF00), p.count(0x0000FF)),
        (4, 4, 4)
    );
    d.set_stream_source_freq(0, D3DSTREAMSOURCE_INDEXEDDATA | 9)
        .unwrap();
    d.draw_indexed_primitive(D3DPT_TRIANGLELIST, 0, 0, 4, 0, 2)
        .unwrap();
    let p = pixels(&mut d);
    assert_eq!(
        (p.count(0xFF0000), p.count(0x00FF00), p.count(0x0000FF)),
        (4, 4, 3),
        "a fourth element, of zeros, draws black from the middle on, over a pixel of the third"
    );

    // Each instance is a draw of its own; they do not pile up.
    pixels(&mut d);
    let before = d.renderer_stats().submissions;
    d.set_stream_source_freq(1, D3DSTREAMSOURCE_INSTANCEDATA | 0x10_0000)
        .unwrap();
    d.set_stream_source_freq(0, D3DSTREAMSOURCE_INDEXEDDATA | 0x2_0000)
        .unwrap();
    d.draw_indexed_primitive(D3DPT_TRIANGLELIST, 0, 0, 4, 0, 2)
        .unwrap();
    assert!(d.renderer_stats().submissions >= before + 3);
}
