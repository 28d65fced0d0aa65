//! One frame of the demo: the mirrored scene into a texture, then the scene with the lake over it.

use bytemuck::cast_slice;
use glam::{Mat4, Vec2, Vec3};
use ninefold_d3d9::consts::*;
use ninefold_d3d9::{Device, Result};

use super::balloon::{BALLOONS, Glow, glows};
use super::camera::Camera;
use super::mesh::{CHUNK_VERTICES, Painted};
use super::paint::{HAZE, pixel};
use super::scene::{MIRROR_SIZE, Model, PAINTED, Scene, TEXTURED};
use super::states::{
    FOG, activate, bind, deactivate, end_stages, fixed_function, fog_line, matrix, sample, set,
    stage, whole,
};

/// The moment a frame shows.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    /// Seconds since the start.
    pub(super) seconds: f32,
    /// 0 at the first frame, 1 at the last.
    pub(super) progress: f32,
    /// Width over height of the picture.
    pub(super) aspect: f32,
}

/// Draws and presents a frame.
pub(super) fn draw(device: &mut Device, scene: &Scene, moment: Moment) -> Result<()> {
    let camera = Camera::at(moment.progress, moment.aspect);
    let glows = glows(scene, moment);
    device.begin_scene()?;
    set(device, &COMMON)?;

    let mirrored = camera.mirrored();
    device.set_render_target(0, Some(scene.mirror))?;
    device.set_depth_stencil_surface(Some(scene.mirror_depth))?;
    device.clear(
        &[],
        D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER,
        pixel(HAZE, 1.0),
        1.0,
        0,
    )?;
    device.set_render_state(D3DRS_CULLMODE, D3DCULL_CW)?;
    world(device, scene, &mirrored, &scene.mirror_terrain, moment)?;
    sprites(device, scene, &mirrored, &glows)?;

    device.set_render_target(0, Some(scene.back_buffer))?;
    device.set_depth_stencil_surface(Some(scene.depth))?;
    device.clear(
        &[],
        D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL,
        pixel(HAZE, 1.0),
        1.0,
        0,
    )?;
    device.set_render_state(D3DRS_CULLMODE, D3DCULL_CCW)?;
    world(device, scene, &camera, &scene.terrain, moment)?;
    water(device, scene, &camera, moment)?;
    sprites(device, scene, &camera, &glows)?;

    device.end_scene()?;
    device.present()
}

/// States that no part of the frame changes, and those that parts put back.
const COMMON: [(u32, u32); 10] = [
    (D3DRS_LIGHTING, 0),
    (D3DRS_ZENABLE, D3DZB_TRUE),
    (D3DRS_ZWRITEENABLE, 1),
    (D3DRS_ZFUNC, D3DCMP_LESSEQUAL),
    (D3DRS_ALPHABLENDENABLE, 0),
    (D3DRS_ALPHATESTENABLE, 0),
    (D3DRS_FOGTABLEMODE, D3DFOG_NONE),
    (D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR),
    (D3DRS_FOGSTART, FOG.0.to_bits()),
    (D3DRS_FOGEND, FOG.1.to_bits()),
];

/// All that both the viewer and the lake's mirror see.
fn world(
    device: &mut Device,
    scene: &Scene,
    camera: &Camera,
    terrain: &Model,
    moment: Moment,
) -> Result<()> {
    device.set_transform(D3DTS_VIEW, &camera.view.to_cols_array_2d())?;
    device.set_transform(D3DTS_PROJECTION, &camera.projection.to_cols_array_2d())?;
    device.set_render_state(D3DRS_FOGCOLOR, pixel(HAZE, 1.0))?;
    sky(device, scene, camera)?;
    ground(device, scene, terrain)?;
    forest(device, scene)?;
    for balloon in &BALLOONS {
        balloon.draw(device, scene, camera, moment)?;
    }
    Ok(())
}

fn sky(device: &mut Device, scene: &Scene, camera: &Camera) -> Result<()> {
    fixed_function(device, TEXTURED)?;
    set(
        device,
        &[(D3DRS_FOGENABLE, 0), (D3DRS_ZENABLE, D3DZB_FALSE)],
    )?;
    device.set_transform(
        D3DTS_WORLD,
        &Mat4::from_translation(camera.eye).to_cols_array_2d(),
    )?;
    sample(device, 0, scene.sky_texture, D3DTADDRESS_WRAP)?;
    device.set_sampler_state(0, D3DSAMP_ADDRESSV, D3DTADDRESS_CLAMP)?;
    stage(device, 0, D3DTOP_SELECTARG1, D3DTA_TEXTURE)?;
    end_stages(device, 1)?;
    // Seen from inside in one pass and mirrored in the other.
    let cull = device.get_render_state(D3DRS_CULLMODE)?;
    device.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE)?;
    whole(device, &scene.sky)?;
    set(
        device,
        &[
            (D3DRS_CULLMODE, cull),
            (D3DRS_ZENABLE, D3DZB_TRUE),
            (D3DRS_FOGENABLE, 1),
        ],
    )
}

/// Ground colour, grain and light, one stage each.
fn ground(device: &mut Device, scene: &Scene, terrain: &Model) -> Result<()> {
    fixed_function(device, TEXTURED)?;
    device.set_transform(D3DTS_WORLD, &Mat4::IDENTITY.to_cols_array_2d())?;
    sample(device, 0, scene.ground_texture, D3DTADDRESS_CLAMP)?;
    stage(device, 0, D3DTOP_SELECTARG1, D3DTA_TEXTURE)?;

    sample(device, 1, scene.grain_texture, D3DTADDRESS_WRAP)?;
    stage(device, 1, D3DTOP_MODULATE2X, D3DTA_TEXTURE)?;
    let tiling = Mat4::from_scale(Vec3::new(80.0, 80.0, 1.0));
    device.set_transform(D3DTS_TEXTURE1, &tiling.to_cols_array_2d())?;
    device.set_texture_stage_state(1, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT2)?;

    sample(device, 2, scene.light_texture, D3DTADDRESS_CLAMP)?;
    stage(device, 2, D3DTOP_MODULATE2X, D3DTA_TEXTURE)?;
    for stage in 0..3 {
        device.set_texture_stage_state(stage, D3DTSS_TEXCOORDINDEX, 0)?;
    }
    end_stages(device, 3)?;

    bind(device, terrain)?;
    for chunk in 0..terrain.vertex_count / CHUNK_VERTICES as u32 {
        let base = (chunk * CHUNK_VERTICES as u32) as i32;
        device.draw_indexed_primitive(
            D3DPT_TRIANGLELIST,
            base,
            0,
            CHUNK_VERTICES as u32,
            0,
            terrain.triangles,
        )?;
    }
    device.set_texture_stage_state(1, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE)
}

/// Billboards cut out by the alpha test.
fn forest(device: &mut Device, scene: &Scene) -> Result<()> {
    fixed_function(device, PAINTED)?;
    sample(device, 0, scene.tree_texture, D3DTADDRESS_CLAMP)?;
    stage(device, 0, D3DTOP_MODULATE2X, D3DTA_TEXTURE)?;
    device.set_texture_stage_state(0, D3DTSS_COLORARG2, D3DTA_DIFFUSE)?;
    end_stages(device, 1)?;
    let cull = device.get_render_state(D3DRS_CULLMODE)?;
    set(
        device,
        &[
            (D3DRS_CULLMODE, D3DCULL_NONE),
            (D3DRS_ALPHATESTENABLE, 1),
            (D3DRS_ALPHAFUNC, D3DCMP_GREATEREQUAL),
            (D3DRS_ALPHAREF, 0x80),
        ],
    )?;
    whole(device, &scene.trees)?;
    set(
        device,
        &[(D3DRS_CULLMODE, cull), (D3DRS_ALPHATESTENABLE, 0)],
    )
}

fn water(device: &mut Device, scene: &Scene, camera: &Camera, moment: Moment) -> Result<()> {
    let (fog_scale, fog_offset) = fog_line();
    let wind = Vec2::new(0.9, 0.5) * moment.seconds;
    let half_texel = (0.5 / MIRROR_SIZE.0 as f32, 0.5 / MIRROR_SIZE.1 as f32);
    activate(device, &scene.water_program)?;
    matrix(device, 0, camera.view_projection())?;
    device.set_vertex_shader_constant_f(
        4,
        &[
            [1.0 / 46.0, 1.0 / 17.0, 0.0, 0.0],
            [wind.x / 46.0, wind.y / 46.0, -wind.y / 17.0, wind.x / 17.0],
            camera.eye.extend(1.0).to_array(),
            [fog_scale, fog_offset, 0.0, 0.0],
            [0.5, -0.5, half_texel.0, half_texel.1],
        ],
    )?;
    device.set_pixel_shader_constant_f(
        0,
        &[
            [-1.0, 0.13, 1.0, 0.035],
            [0.82, 0.10, 180.0, 0.18],
            [0.035, 0.105, 0.125, 1.0],
            scene.sun.direction.extend(0.0).to_array(),
            [1.0, 0.82, 0.55, 0.0],
        ],
    )?;
    sample(device, 0, scene.ripple_texture, D3DTADDRESS_WRAP)?;
    sample(device, 1, scene.mirror_texture, D3DTADDRESS_CLAMP)?;
    set(
        device,
        &[
            (D3DRS_ALPHABLENDENABLE, 1),
            (D3DRS_SRCBLEND, D3DBLEND_SRCALPHA),
            (D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA),
        ],
    )?;
    whole(device, &scene.water)?;
    deactivate(device)?;
    // The next frame draws into the mirror: it must not stay bound.
    device.set_texture(1, None)?;
    device.set_render_state(D3DRS_ALPHABLENDENABLE, 0)
}

/// Additive billboards.
fn sprites(device: &mut Device, scene: &Scene, camera: &Camera, glows: &[Glow]) -> Result<()> {
    let (right, up) = camera.billboard();
    let mut vertices = Vec::with_capacity(glows.len() * 6);
    for glow in glows {
        let corner = |x: f32, y: f32| Painted {
            position: (glow.place + (right * x + up * y) * glow.size).to_array(),
            colour: glow.colour,
            uv: [x * 0.5 + 0.5, 0.5 - y * 0.5],
        };
        let [a, b, c, d] = [
            corner(-1.0, -1.0),
            corner(-1.0, 1.0),
            corner(1.0, 1.0),
            corner(1.0, -1.0),
        ];
        vertices.extend([a, b, c, a, c, d]);
    }
    fixed_function(device, PAINTED)?;
    sample(device, 0, scene.glow_texture, D3DTADDRESS_CLAMP)?;
    stage(device, 0, D3DTOP_MODULATE, D3DTA_TEXTURE)?;
    device.set_texture_stage_state(0, D3DTSS_COLORARG2, D3DTA_DIFFUSE)?;
    device.set_texture_stage_state(0, D3DTSS_ALPHAOP, D3DTOP_MODULATE)?;
    end_stages(device, 1)?;
    let cull = device.get_render_state(D3DRS_CULLMODE)?;
    set(
        device,
        &[
            // Light fades to nothing in the distance, not to the haze's colour.
            (D3DRS_FOGCOLOR, 0),
            (D3DRS_CULLMODE, D3DCULL_NONE),
            (D3DRS_ZWRITEENABLE, 0),
            (D3DRS_ALPHABLENDENABLE, 1),
            (D3DRS_SRCBLEND, D3DBLEND_SRCALPHA),
            (D3DRS_DESTBLEND, D3DBLEND_ONE),
        ],
    )?;
    device.draw_primitive_up(
        D3DPT_TRIANGLELIST,
        glows.len() as u32 * 2,
        cast_slice(&vertices),
        size_of::<Painted>() as u32,
    )?;
    set(
        device,
        &[
            (D3DRS_CULLMODE, cull),
            (D3DRS_ZWRITEENABLE, 1),
            (D3DRS_ALPHABLENDENABLE, 0),
        ],
    )
}
