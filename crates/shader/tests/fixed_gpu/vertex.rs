//! Fixed-function vertices on the GPU, read back as floats, against values
//! worked by hand from Direct3D 9's documentation.

use crate::rig::{Attribute, Draw, Rig, Shader, pixel_extras};
use ninefold_gpu::types::VertexFormat;
use ninefold_shader::abi::VertexExtras;
use ninefold_shader::fixed::{
    self, IDENTITY, Light, Material, Matrix, TRANSFORM_PROJECTED, VertexBlock, VertexKey,
    VertexStage, coordinate, input, position, vertex_flag, vertex_fog,
};

/// A projection that puts every vertex in the middle of the pixel.
const CENTRE: Matrix = [[0.0; 4], [0.0; 4], [0.0; 4], [0.0, 0.0, 0.5, 1.0]];

const DIFFUSE: u32 = 0;
const SPECULAR: u32 = 1;
const T0: u32 = 2;
const FOG: u32 = 10;

fn translation(x: f32, y: f32, z: f32) -> Matrix {
    let mut m = IDENTITY;
    m[3] = [x, y, z, 1.0];
    m
}

/// One vertex, its key and its constants.
struct Scene {
    key: VertexKey,
    block: VertexBlock,
    extras: VertexExtras,
    attributes: Vec<Attribute>,
    lights: Vec<Light>,
    view: Matrix,
}

impl Scene {
    fn at(position: [f32; 3]) -> Self {
        let mut block = VertexBlock::new();
        block.set_transforms(&IDENTITY, &IDENTITY, &CENTRE);
        Self {
            key: VertexKey::default(),
            block,
            extras: bytemuck::Zeroable::zeroed(),
            attributes: vec![position.into()],
            lights: Vec::new(),
            view: IDENTITY,
        }
    }

    /// A lit vertex with this normal and a material of its own colours.
    fn lit(position: [f32; 3], normal: [f32; 3]) -> Self {
        let mut scene = Self::at(position);
        scene.key.flags = vertex_flag::LIGHTING | vertex_flag::SPECULAR;
        scene.give(input::NORMAL, normal);
        scene.block.set_material(&Material {
            diffuse: [0.5, 0.5, 1.0, 0.7],
            ambient: [1.0, 0.5, 0.1, 0.0],
            specular: [0.8, 0.4, 0.2, 0.6],
            emissive: [0.05, 0.0, 0.0, 0.0],
            power: 4.0,
        });
        scene
    }

    /// Adds an element; call in the order of the bits.
    fn give(&mut self, bit: u16, value: impl Into<Attribute>) {
        self.key.inputs |= bit;
        self.attributes.push(value.into());
    }

    fn stage(&mut self, source: u8, components: u8, transform: u8) {
        self.key.stages[0] = VertexStage {
            source,
            set: 0,
            components,
            transform,
        };
    }

    /// The varying at `location`.
    fn read(&mut self, rig: &Rig, location: u32) -> [f32; 4] {
        let text = format!(
            "@fragment fn main(@location({location}) v: vec4<f32>) -> @location(0) vec4<f32> {{
                return v;
            }}"
        );
        self.read_with(rig, &text)
    }

    fn read_with(&mut self, rig: &Rig, fragment: &str) -> [f32; 4] {
        self.key.light_types = self.block.set_lights(&self.view, self.lights.iter());
        let function = fixed::vertex(&self.key).expect("a valid key");
        let reflection = &function.reflection;
        let mut constants = vec![[f32::NAN; 4]; usize::from(reflection.packed_floats)];
        let written = reflection.pack_floats(self.block.rows(), &mut constants);
        assert_eq!(written, constants.len());
        let read = reflection.attributes.len();
        rig.floats(Draw {
            vertex: Shader::from(&function),
            fragment: Shader::wgsl(fragment),
            attributes: &self.attributes[..read],
            vertex_constants: &constants,
            vertex_extras: self.extras,
            pixel_extras: pixel_extras(),
            textures: &[],
            picture: None,
        })
    }
}

#[track_caller]
fn close<const N: usize>(got: [f32; 4], want: [f32; N]) {
    for (g, w) in got.into_iter().zip(want) {
        assert!(
            (g - w).abs() <= 1e-5 + 1e-5 * w.abs(),
            "got {got:?}, expected {want:?}"
        );
    }
}

fn directional(direction: [f32; 3]) -> Light {
    Light {
        ty: 3,
        diffuse: [1.0, 0.5, 0.25, 1.0],
        specular: [1.0, 1.0, 0.5, 1.0],
        direction,
        ..Light::default()
    }
}

fn point(position: [f32; 3], attenuation: [f32; 3], range: f32) -> Light {
    Light {
        ty: 1,
        diffuse: [1.0, 0.5, 0.25, 1.0],
        position,
        attenuation,
        range,
        ..Light::default()
    }
}

#[test]
fn unlit_vertices_default_to_white_and_black() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::at([0.0; 3]);
    close(scene.read(&rig, DIFFUSE), [1.0; 4]);
    close(scene.read(&rig, SPECULAR), [0.0; 4]);
    scene.give(input::DIFFUSE, [0.25, 0.5, 1.5, 0.75]);
    scene.give(input::SPECULAR, [-1.0, 0.5, 0.25, 0.125]);
    close(scene.read(&rig, DIFFUSE), [0.25, 0.5, 1.0, 0.75]);
    close(scene.read(&rig, SPECULAR), [0.0, 0.5, 0.25, 0.125]);
}

#[test]
fn without_lights_ambient_and_emissive_remain() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::lit([0.0; 3], [0.0, 0.0, -1.0]);
    scene.block.set_ambient([0.1, 0.2, 0.3, 1.0]);
    close(scene.read(&rig, DIFFUSE), [0.15, 0.1, 0.03, 0.7]);
    close(scene.read(&rig, SPECULAR), [0.0, 0.0, 0.0]);
}

#[test]
fn a_directional_light_follows_the_cosine() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::lit([0.0; 3], [0.0, 0.0, -1.0]);
    // The direction (0, 3, 4) has cosine 0.8 with the normal turned round.
    scene.lights = vec![directional([0.0, 3.0, 4.0])];
    close(scene.read(&rig, DIFFUSE), [0.4 + 0.05, 0.2, 0.2, 0.7]);
    scene.lights[0].ambient = [0.5, 0.5, 0.5, 1.0];
    close(
        scene.read(&rig, DIFFUSE),
        [0.4 + 0.05 + 0.5, 0.2 + 0.25, 0.2 + 0.05, 0.7],
    );
    scene.lights[0].direction = [0.0, 0.0, -1.0];
    close(scene.read(&rig, DIFFUSE), [0.05 + 0.5, 0.25, 0.05, 0.7]);
    close(scene.read(&rig, SPECULAR), [0.0, 0.0, 0.0, 0.6]);
}

#[test]
fn a_point_light_fades_and_ends_at_its_range() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::lit([0.0, 0.0, 2.0], [0.0, 0.0, -1.0]);
    // Distance 5: 1 / (1 + 0.2 * 5 + 0.04 * 25) is a third.
    scene.lights = vec![point([0.0, 0.0, -3.0], [1.0, 0.2, 0.04], 5.0)];
    close(
        scene.read(&rig, DIFFUSE),
        [0.5 / 3.0 + 0.05, 0.25 / 3.0, 0.25 / 3.0, 0.7],
    );
    scene.lights[0].range = 4.99;
    scene.lights[0].ambient = [1.0; 4];
    close(scene.read(&rig, DIFFUSE), [0.05, 0.0, 0.0, 0.7]);
    // Straight in the vertex there is no direction, so no diffuse, but ambient.
    scene.lights[0].position = [0.0, 0.0, 2.0];
    scene.lights[0].ambient = [0.5; 4];
    close(scene.read(&rig, DIFFUSE), [0.55, 0.25, 0.05, 0.7]);
}

#[test]
fn a_spot_light_has_two_cones() {
    let Some(rig) = Rig::open() else { return };
    let degrees = |d: f32| 4.0 * d.to_radians().tan();
    let read = |angle: f32| {
        let mut scene = Scene::lit([degrees(angle), 0.0, 0.0], [0.0, 0.0, -1.0]);
        scene.lights = vec![Light {
            ty: 2,
            theta: 60f32.to_radians(),
            phi: 120f32.to_radians(),
            falloff: 2.0,
            direction: [0.0, 0.0, 2.0],
            ..point([0.0, 0.0, -4.0], [1.0, 0.0, 0.0], 100.0)
        }];
        scene.read(&rig, DIFFUSE)
    };
    close(read(0.0), [0.55, 0.25, 0.25]);
    // Inside the inner cone only the cosine counts.
    close(read(29.9), [0.5 * 29.9f32.to_radians().cos() + 0.05]);
    // Half way: ((cos 45 - cos 60) / (cos 30 - cos 60))^2 = 0.320161.
    close(
        read(45.0),
        [0.5 * 45f32.to_radians().cos() * 0.320_161 + 0.05],
    );
    close(read(60.1), [0.05, 0.0, 0.0]);
}

#[test]
fn specular_uses_the_half_vector() {
    let Some(rig) = Rig::open() else { return };
    // Light and a viewer at infinity both in front: the half vector is (0, 0, -1).
    let mut scene = Scene::lit([3.0, 0.0, 4.0], [0.0, 0.6, -0.8]);
    scene.lights = vec![directional([0.0, 0.0, 1.0])];
    let shine = 0.8f32.powi(4);
    close(
        scene.read(&rig, SPECULAR),
        [0.8 * shine, 0.4 * shine, 0.1 * shine, 0.6],
    );
    // A local viewer sees (3, 0, 4) along (0.6, 0, 0.8): the half vector is
    // (-0.6, 0, -1.8) / 1.897367, whose cosine with (0, 0, -1) is 0.948683.
    let mut scene = Scene::lit([3.0, 0.0, 4.0], [0.0, 0.0, -1.0]);
    scene.lights = vec![directional([0.0, 0.0, 1.0])];
    close(scene.read(&rig, SPECULAR), [0.8, 0.4, 0.1]);
    scene.key.flags |= vertex_flag::LOCAL_VIEWER;
    close(
        scene.read(&rig, SPECULAR),
        [0.8 * 0.81, 0.4 * 0.81, 0.1 * 0.81],
    );
    scene.key.flags &= !vertex_flag::SPECULAR;
    close(scene.read(&rig, SPECULAR), [0.0; 4]);
}

#[test]
fn vertex_colours_stand_for_material_colours() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::lit([0.0; 3], [0.0, 0.0, -1.0]);
    scene.give(input::DIFFUSE, [0.2, 0.4, 0.6, 0.3]);
    scene.give(input::SPECULAR, [0.1, 0.3, 0.5, 0.9]);
    scene.lights = vec![Light {
        ambient: [0.1, 0.1, 0.1, 1.0],
        ..directional([0.0, 0.0, 1.0])
    }];
    scene.key.diffuse_source = 1;
    scene.key.ambient_source = 2;
    scene.key.specular_source = 1;
    scene.key.emissive_source = 2;
    // Emissive (0.1, 0.3, 0.5), ambient a tenth of it, diffuse times the light's.
    let want = [0.1 + 0.01 + 0.2, 0.3 + 0.03 + 0.2, 0.5 + 0.05 + 0.15, 0.3];
    close(scene.read(&rig, DIFFUSE), want);
    close(scene.read(&rig, SPECULAR), [0.2, 0.4, 0.3, 0.3]);
}

#[test]
fn eight_lights_of_all_types_add_up() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::lit([0.0; 3], [0.0, 0.0, -1.0]);
    let tenth = |light: Light| Light {
        diffuse: [0.1; 4],
        specular: [0.1; 4],
        ..light
    };
    let far = [0.0, 0.0, -10.0];
    let spot = Light {
        ty: 2,
        direction: [0.0, 0.0, 1.0],
        theta: 1.0,
        phi: 2.0,
        falloff: 1.0,
        ..point(far, [1.0, 0.0, 0.0], 100.0)
    };
    let sun = directional([0.0, 0.0, 1.0]);
    let lamp = point(far, [1.0, 0.0, 0.0], 100.0);
    scene.lights = [lamp, sun, spot, sun, lamp, spot, sun, lamp, sun]
        .map(tenth)
        .to_vec();
    // The ninth is one too many: 8 * 0.1 * (0.5, 0.5, 1).
    close(scene.read(&rig, DIFFUSE), [0.45, 0.4, 0.8, 0.7]);
    close(scene.read(&rig, SPECULAR), [0.64, 0.32, 0.16]);
}

#[test]
fn lights_are_seen_through_the_view() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::lit([0.0, 0.0, 2.0], [0.0, 0.0, -1.0]);
    scene.view = translation(0.0, 7.0, 1.0);
    scene.block.set_transforms(&IDENTITY, &scene.view, &CENTRE);
    scene.lights = vec![point([0.0, 0.0, -3.0], [1.0, 0.2, 0.04], 5.0)];
    close(scene.read(&rig, DIFFUSE), [0.5 / 3.0 + 0.05, 0.25 / 3.0]);
}

#[test]
fn normals_go_through_the_inverse_transpose() {
    let Some(rig) = Rig::open() else { return };
    let half = core::f32::consts::FRAC_1_SQRT_2;
    let mut scene = Scene::lit([0.0; 3], [half, 0.0, -half]);
    let mut world = IDENTITY;
    world[0][0] = 2.0;
    scene.block.set_transforms(&world, &IDENTITY, &CENTRE);
    scene.stage(coordinate::NORMAL, 0, 0);
    close(scene.read(&rig, T0), [half / 2.0, 0.0, -half, 1.0]);
    scene.key.flags |= vertex_flag::NORMALIZE;
    close(scene.read(&rig, T0), [0.447_213_6, 0.0, -0.894_427_2, 1.0]);
    scene.lights = vec![directional([0.0, 0.0, 1.0])];
    close(scene.read(&rig, DIFFUSE), [0.5 * 0.894_427_2 + 0.05]);
}

#[test]
fn a_rotated_world_turns_the_normal() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::lit([0.0; 3], [1.0, 0.0, 0.0]);
    // Row vectors: x goes to z, y stays, z goes to -x.
    let world = [
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ];
    scene.block.set_transforms(&world, &IDENTITY, &CENTRE);
    scene.stage(coordinate::NORMAL, 0, 0);
    close(scene.read(&rig, T0), [0.0, 0.0, 1.0, 1.0]);
}

#[test]
fn generated_coordinates_are_in_view_space() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::at([0.0, 0.0, 3.0]);
    scene.give(input::NORMAL, [0.0, 0.6, -0.8]);
    scene.block.set_transforms(
        &translation(0.0, 0.0, 1.0),
        &translation(0.0, 0.0, 1.0),
        &CENTRE,
    );
    scene.stage(coordinate::POSITION, 0, 0);
    close(scene.read(&rig, T0), [0.0, 0.0, 5.0, 1.0]);
    // (0, 0, 1) mirrored by the normal: (0, 0, 1) + 1.6 * (0, 0.6, -0.8).
    scene.stage(coordinate::REFLECTION, 0, 0);
    close(scene.read(&rig, T0), [0.0, 0.96, -0.28, 1.0]);
    // m = 2 * |(0, 0.96, 0.72)| = 2.4.
    scene.stage(coordinate::SPHERE, 0, 0);
    close(scene.read(&rig, T0), [0.5, 0.9, 0.0, 1.0]);
}

#[test]
fn texture_transforms_put_the_one_after_the_last_component() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::at([0.0; 3]);
    scene.attributes.push([0.25, 0.5].into());
    scene.stage(coordinate::SET, 2, 0);
    close(scene.read(&rig, T0), [0.25, 0.5, 0.0, 1.0]);
    let m = [
        [2.0, 0.0, 0.5, 0.0],
        [0.0, 3.0, 0.5, 0.0],
        [0.1, 0.2, 0.7, 9.0],
        [100.0, 100.0, 100.0, 100.0],
    ];
    scene.block.set_texture_transform(0, &m);
    // (0.25, 0.5, 1, 0) * m; what the count leaves out is there all the same.
    for count in 2..=4 {
        scene.stage(coordinate::SET, 2, count);
        close(scene.read(&rig, T0), [0.6, 1.7, 1.075, 9.0]);
    }
    // What is to be divided is (0.25, 0.5, 0, 1) * m: wined3d keeps to what a fetch fills in.
    for count in 2..=4 {
        scene.stage(coordinate::SET, 2, count | TRANSFORM_PROJECTED);
        close(scene.read(&rig, T0), [100.5, 101.5, 100.375, 100.0]);
    }
    // One component: (0.25, 1, 0, 0); three: (0.25, 0.5, 2, 1).
    scene.stage(coordinate::SET, 1, 2);
    close(scene.read(&rig, T0), [0.5, 3.0]);
    scene.attributes[1] = [0.25, 0.5, 2.0].into();
    scene.stage(coordinate::SET, 3, 2);
    close(scene.read(&rig, T0), [100.7, 101.9, 101.775, 118.0]);
    // Drivers leave coordinates alone under D3DTTFF_COUNT1.
    scene.stage(coordinate::SET, 3, 1);
    close(scene.read(&rig, T0), [0.25, 0.5, 2.0, 1.0]);
    // A set that the vertex lacks is zeros, transformed or not.
    scene.stage(coordinate::SET, 0, 4);
    close(scene.read(&rig, T0), [0.0; 4]);
    // A generated position is a point.
    scene.stage(coordinate::POSITION, 0, 2);
    close(scene.read(&rig, T0), [100.0, 100.0]);
}

#[test]
fn stages_choose_their_input_set() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::at([0.0; 3]);
    scene
        .attributes
        .extend([[0.1, 0.2].into(), Attribute::from([0.3, 0.4])]);
    let sets = [2, 2, 0, 0, 0, 0, 0, 0];
    scene.key.stages[0] = VertexStage::from_state(1, 0, &sets);
    scene.key.stages[1] = VertexStage::from_state(0, 0, &sets);
    scene.key.stages[2] = VertexStage::from_state(5, 0, &sets);
    close(scene.read(&rig, T0), [0.3, 0.4, 0.0, 1.0]);
    close(scene.read(&rig, T0 + 1), [0.1, 0.2, 0.0, 1.0]);
    close(scene.read(&rig, T0 + 2), [0.0; 4]);
}

#[test]
fn signed_integer_coordinates_are_converted() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::at([0.0; 3]);
    let mut bytes = [0; 16];
    bytes[..4].copy_from_slice(bytemuck::cast_slice(&[-3i16, 500]));
    let format = VertexFormat::Sint16x2;
    scene.attributes.push(Attribute { format, bytes });
    scene.stage(coordinate::SET, 2, 0);
    scene.key.sint_inputs = input::TEXCOORD;
    close(scene.read(&rig, T0), [-3.0, 500.0, 0.0, 1.0]);
}

#[test]
fn vertex_fog_has_three_curves_two_distances_and_a_default() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::at([3.0, 0.0, 4.0]);
    scene.block.set_fog(2.0, 10.0, 0.25);
    for (mode, depth, range) in [
        (vertex_fog::EXP, 0.367_879_44, 0.286_504_8),
        (vertex_fog::EXP2, 0.367_879_44, 0.209_611_38),
        (vertex_fog::LINEAR, 0.75, 0.625),
    ] {
        scene.key.fog = mode;
        close(scene.read(&rig, FOG), [depth]);
        scene.key.fog = mode | vertex_fog::RANGE;
        close(scene.read(&rig, FOG), [range]);
    }
    // A range without extent is all fog.
    scene.key.fog = vertex_fog::LINEAR;
    for end in [4.5, 4.0, 3.5] {
        scene.block.set_fog(end, end, 0.0);
        close(scene.read(&rig, FOG), [0.0]);
    }
    scene.key.fog = vertex_fog::SPECULAR_ALPHA;
    close(scene.read(&rig, FOG), [0.0]);
    scene.give(input::SPECULAR, [0.0, 0.0, 0.0, 0.3]);
    close(scene.read(&rig, FOG), [0.3]);
}

#[test]
fn vertices_blend_between_matrices() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::at([0.0, 0.0, 1.0]);
    scene
        .block
        .set_world_matrix(1, &translation(4.0, 0.0, 0.0), &IDENTITY);
    scene
        .block
        .set_world_matrix(2, &translation(0.0, 8.0, 0.0), &IDENTITY);
    scene
        .block
        .set_world_matrix(3, &translation(0.0, 0.0, 16.0), &IDENTITY);
    scene.stage(coordinate::POSITION, 0, 0);
    scene.give(input::BLEND_WEIGHTS, [0.25, 0.125, 0.5, 9.0]);
    scene.key.blend_matrices = 1;
    close(scene.read(&rig, T0), [0.0, 0.0, 1.0]);
    scene.key.blend_matrices = 2;
    close(scene.read(&rig, T0), [3.0, 0.0, 1.0]);
    scene.key.blend_matrices = 3;
    close(scene.read(&rig, T0), [0.5, 5.0, 1.0]);
    scene.key.blend_matrices = 4;
    close(scene.read(&rig, T0), [0.5, 4.0, 1.0 + 0.125 * 16.0]);
    // Indexed: matrices 3 and 1, a quarter and three quarters.
    scene.give(input::BLEND_INDICES, [3u8, 1, 0, 0]);
    scene.key.uint_inputs = input::BLEND_INDICES;
    scene.key.flags |= vertex_flag::INDEXED_BLEND;
    scene.key.blend_matrices = 2;
    close(scene.read(&rig, T0), [3.0, 0.0, 5.0]);
    // Indices from a normalised format, and one past the palette.
    scene.key.uint_inputs = 0;
    scene.key.flags |= vertex_flag::INDICES_NORMALIZED;
    scene.attributes[2].format = VertexFormat::Unorm8x4;
    close(scene.read(&rig, T0), [3.0, 0.0, 5.0]);
}

#[test]
fn blended_normals_turn_with_their_matrices() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::at([0.0, 0.0, 1.0]);
    let turn = [
        [0.0, 1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ];
    scene.block.set_world_matrix(1, &turn, &IDENTITY);
    scene.give(input::NORMAL, [1.0, 0.0, 0.0]);
    scene.give(input::BLEND_WEIGHTS, [0.25, 0.0, 0.0, 0.0]);
    scene.key.blend_matrices = 2;
    scene.stage(coordinate::NORMAL, 0, 0);
    close(scene.read(&rig, T0), [0.25, 0.75, 0.0, 1.0]);
}

const POSITION: &str =
    "@fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
    return p;
}";

#[test]
fn positions_reach_clip_space() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::at([0.25, -0.5, 3.0]);
    let projection = [
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.25, 1.0],
        [0.0, 0.0, -1.25, 0.0],
    ];
    // View depth 4: z = 5 - 1.25 over w = 4.
    scene
        .block
        .set_transforms(&IDENTITY, &translation(0.0, 0.0, 1.0), &projection);
    close(scene.read_with(&rig, POSITION), [0.5, 0.5, 0.9375, 0.25]);
    scene.attributes[0] = [4.1, 0.0, 3.0].into();
    close(
        scene.read_with(&rig, POSITION),
        [1.0, 2.0, 3.0, 4.0].map(|c| c / 255.0),
    );
}

#[test]
fn pixel_positions_keep_depth_and_w() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::at([0.0; 3]);
    scene.key.position = position::PIXELS;
    scene.extras.viewport_inv = [2.0, -2.0, -1.0, 1.0];
    scene.attributes[0] = [0.25, 0.75, 0.25, 0.5].into();
    close(scene.read_with(&rig, POSITION), [0.5, 0.5, 0.25, 0.5]);
    // No usable 1/w counts as 1.
    scene.attributes[0] = [0.25, 0.75, 0.25, 0.0].into();
    close(scene.read_with(&rig, POSITION), [0.5, 0.5, 0.25, 1.0]);
    scene.attributes[0] = [1.75, 0.75, 0.25, 0.5].into();
    close(
        scene.read_with(&rig, POSITION),
        [1.0, 2.0, 3.0, 4.0].map(|c| c / 255.0),
    );
}

#[test]
fn pretransformed_vertices_skip_lighting_and_transforms() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::at([0.0; 3]);
    scene.key.position = position::PIXELS;
    scene.extras.viewport_inv = [2.0, -2.0, -1.0, 1.0];
    scene.attributes[0] = [0.5, 0.5, 0.25, 1.0].into();
    scene.give(input::SPECULAR, [0.1, 0.2, 0.3, 0.4]);
    scene.attributes.push([0.25, 0.5].into());
    scene.key.flags = vertex_flag::LIGHTING;
    scene.key.fog = vertex_fog::LINEAR;
    scene.stage(coordinate::SET, 2, 2);
    scene.block.set_texture_transform(0, &[[9.0; 4]; 4]);
    close(scene.read(&rig, DIFFUSE), [1.0; 4]);
    close(scene.read(&rig, SPECULAR), [0.1, 0.2, 0.3, 0.4]);
    close(scene.read(&rig, T0), [0.25, 0.5, 0.0, 1.0]);
    close(scene.read(&rig, FOG), [0.4]);
}

#[test]
fn clip_planes_cut() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::at([0.0, 0.0, 3.0]);
    scene.key.clip_planes = 0b10_0010;
    scene.extras.clip_planes[0] = [0.0, 0.0, 0.0, -1.0];
    scene.extras.clip_planes[1] = [0.0, 0.0, 0.0, 1.0];
    let cut = [1.0, 2.0, 3.0, 4.0].map(|c| c / 255.0);
    // Planes are in view space, where the vertex is at (0, 0, 3).
    scene.extras.clip_planes[5] = [0.0, 0.0, 4.0, -11.9];
    close(scene.read(&rig, DIFFUSE), [1.0; 4]);
    scene.extras.clip_planes[5] = [0.0, 0.0, 4.0, -12.1];
    close(scene.read(&rig, DIFFUSE), cut);
    // Vertices that come in clip space meet planes in clip space.
    scene.key.position = position::CLIP;
    scene.attributes[0] = [0.0, 0.0, 0.5, 1.0].into();
    scene.extras.clip_planes[5] = [0.0, 0.0, 4.0, -1.9];
    close(scene.read(&rig, DIFFUSE), [1.0; 4]);
    scene.extras.clip_planes[5] = [0.0, 0.0, 4.0, -2.1];
    close(scene.read(&rig, DIFFUSE), cut);
}

#[test]
fn a_depth_bias_is_in_units_of_depth() {
    let Some(rig) = Rig::open() else { return };
    let mut scene = Scene::at([0.0, 0.0, 3.0]);
    let perspective = [
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.25, 1.0],
        [0.0, 0.0, -1.25, 0.0],
    ];
    scene
        .block
        .set_transforms(&IDENTITY, &translation(0.0, 0.0, 1.0), &perspective);
    scene.extras.misc[1] = [-0.125, 1.0, 9.0, 9.0];
    close(scene.read_with(&rig, POSITION), [0.5, 0.5, 0.9375, 0.25]);
    scene.key.flags |= vertex_flag::DEPTH_BIAS;
    close(scene.read_with(&rig, POSITION), [0.5, 0.5, 0.8125, 0.25]);
    scene.extras.misc[1] = [0.25, 0.5, 9.0, 9.0];
    close(scene.read_with(&rig, POSITION), [0.5, 0.5, 0.71875, 0.25]);
}
