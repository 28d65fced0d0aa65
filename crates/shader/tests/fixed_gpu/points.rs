//! Point sizes and sprites: a point beside the pixel's centre shows its size
//! by which part of the sprite the pixel sees.

use crate::rig::{Attribute, Draw, Rig, Shader, pixel_extras};
use ninefold_shader::SamplerKind;
use ninefold_shader::abi::VertexExtras;
use ninefold_shader::fixed::{
    self, FragmentKey, FragmentStage, IDENTITY, VertexBlock, VertexKey, fragment_flag, input, op,
    point, position, stage_texture,
};

const PARTS: [[u8; 4]; 4] = [[10; 4], [20; 4], [30; 4], [40; 4]];

/// What the pixel sees of a point whose centre is 0.4 pixels to its left.
fn seen(rig: &Rig, key: &VertexKey, block: &VertexBlock, attributes: &[Attribute]) -> u8 {
    let mut sprite = FragmentKey {
        flags: fragment_flag::POINT_SPRITE,
        ..FragmentKey::default()
    };
    sprite.stages[0] = FragmentStage {
        color_op: op::SELECTARG1,
        color_args: [0, op::arg::TEXTURE, 0],
        texture: stage_texture::D2,
        projected: 3,
        ..FragmentStage::default()
    };
    let vertex = fixed::vertex(key).expect("a valid key");
    let fragment = fixed::fragment(&sprite).expect("a valid key");
    assert_eq!(fragment.reflection.inputs_mask, 1);
    let mut constants = vec![[0.0; 4]; usize::from(vertex.reflection.packed_floats)];
    vertex.reflection.pack_floats(block.rows(), &mut constants);
    let mut vertex_extras: VertexExtras = bytemuck::Zeroable::zeroed();
    vertex_extras.viewport_inv = [2.0, -2.0, -1.0, 1.0];
    let got = rig.point(Draw {
        vertex: Shader::from(&vertex),
        fragment: Shader::from(&fragment),
        attributes,
        vertex_constants: &constants,
        vertex_extras,
        pixel_extras: pixel_extras(),
        textures: &[(0, SamplerKind::D2, [0; 4])],
        picture: Some((0, &PARTS)),
    });
    got[0]
}

#[test]
fn a_point_has_the_size_of_the_state_or_the_vertex_within_limits() {
    let Some(rig) = Rig::open() else { return };
    let mut key = VertexKey {
        position: position::PIXELS,
        points: point::SIZE,
        ..VertexKey::default()
    };
    let place = [0.1, 0.5, 0.5, 1.0].into();
    let mut block = VertexBlock::new();
    // The pixel is at 0.5 + 0.4 / size of the sprite.
    block.set_points(1.0, [1.0, 64.0], [0.0; 3], 0.0);
    assert_eq!(seen(&rig, &key, &block, &[place]), 40);
    block.set_points(4.0, [1.0, 64.0], [0.0; 3], 0.0);
    assert_eq!(seen(&rig, &key, &block, &[place]), 30);
    block.set_points(4.0, [1.0, 1.0], [0.0; 3], 0.0);
    assert_eq!(seen(&rig, &key, &block, &[place]), 40);
    block.set_points(1.0, [4.0, 64.0], [0.0; 3], 0.0);
    assert_eq!(seen(&rig, &key, &block, &[place]), 30);
    block.set_points(1.0, [1.0, 64.0], [0.0; 3], 0.0);
    key.inputs = input::POINT_SIZE;
    assert_eq!(seen(&rig, &key, &block, &[place, [4.0, 0.0].into()]), 30);
}

#[test]
fn scaled_points_shrink_with_distance() {
    let Some(rig) = Rig::open() else { return };
    let key = VertexKey {
        points: point::SIZE | point::SCALE,
        ..VertexKey::default()
    };
    let mut block = VertexBlock::new();
    let mut projection = [[0.0; 4]; 4];
    projection[3] = [-0.8, 0.0, 0.5, 1.0];
    block.set_transforms(&IDENTITY, &IDENTITY, &projection);
    // Distance 5: sqrt(1 / (1 + 0.6 * 5 + 0.48 * 25)) is a quarter.
    let place = [3.0, 0.0, 4.0].into();
    block.set_points(0.04, [0.0, 64.0], [1.0, 0.6, 0.48], 100.0);
    assert_eq!(seen(&rig, &key, &block, &[place]), 40);
    block.set_points(0.16, [0.0, 64.0], [1.0, 0.6, 0.48], 100.0);
    assert_eq!(seen(&rig, &key, &block, &[place]), 30);
}
