//! The fixed function as the vertex operation.

use ninefold_exec::GroupRegister;
use ninefold_exec::element::Column;
use ninefold_exec::fixed::{
    Elements, Fog, Light, Material, Pipeline, Points, Stage, Vertex, Viewport,
};
use ninefold_exec::limits::GROUP;

use super::layout::Made;
use super::{Feed, Target};
use crate::consts::*;
use crate::declaration::Declaration;
use crate::fault::{Outcome, invalid};
use crate::state::{State, color_value};
use crate::transform::{PROJECTION, TEXTURE, VIEW, WORLD};
use crate::types::VertexElement;

/// A field of [`Vertex`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Position,
    Normal,
    Diffuse,
    Specular,
    PointSize,
    Weights,
    Indices,
    /// The same from 0 to 1, of colours.
    NormalizedIndices,
    Position1,
    Normal1,
    Coordinates(u8),
}

/// Places of what is made.
mod place {
    pub(super) const POSITION: u8 = 0;
    pub(super) const FOG: u8 = 1;
    /// Instead of fog where the source's vertices are in pixels.
    pub(super) const PIXELS: u8 = 1;
    pub(super) const POINT_SIZE: u8 = 2;
    pub(super) const DIFFUSE: u8 = 3;
    pub(super) const SPECULAR: u8 = 4;
    pub(super) const COORDINATES: u8 = 5;
}

const PLACES: usize = place::COORDINATES as usize + 8;

/// The fixed function made ready for vertices of one declaration.
pub(super) struct Fixed {
    pipeline: Pipeline,
    elements: Elements,
    /// The fog factor goes to the specular alpha, where drawing the results looks for it.
    fogged: bool,
    /// Components of each stage's coordinates.
    components: [u8; 8],
}

impl Fixed {
    pub(super) fn new(state: &State, declaration: &Declaration, radial: bool) -> Self {
        let elements = elements(declaration);
        let rs = |name| state.rs(name);
        let on = |name| state.rs(name) != 0;
        let lights: Vec<Light> = state
            .lights
            .active()
            .map(|light| Light {
                kind: light.kind,
                diffuse: light.diffuse,
                specular: light.specular,
                ambient: light.ambient,
                position: light.position,
                direction: light.direction,
                range: light.range,
                falloff: light.falloff,
                attenuation: [light.attenuation0, light.attenuation1, light.attenuation2],
                theta: light.theta,
                phi: light.phi,
            })
            .collect();
        let m = &state.material;
        let transforms = &state.transforms.0;
        let stages = core::array::from_fn(|n| Stage {
            texcoord_index: state.stages[n][D3DTSS_TEXCOORDINDEX as usize],
            transform_flags: state.stages[n][D3DTSS_TEXTURETRANSFORMFLAGS as usize],
            transform: transforms[TEXTURE + n],
        });
        let fog = Fog {
            enable: on(D3DRS_FOGENABLE),
            table_mode: rs(D3DRS_FOGTABLEMODE),
            vertex_mode: rs(D3DRS_FOGVERTEXMODE),
            range: on(D3DRS_RANGEFOGENABLE),
            radial,
            start: state.rs_float(D3DRS_FOGSTART),
            end: state.rs_float(D3DRS_FOGEND),
            density: state.rs_float(D3DRS_FOGDENSITY),
        };
        let pipeline = Pipeline::new(
            &ninefold_exec::fixed::State {
                world: &transforms[WORLD..],
                view: transforms[VIEW],
                projection: transforms[PROJECTION],
                stages,
                viewport: viewport(state),
                lighting: on(D3DRS_LIGHTING),
                lights: &lights,
                material: Material {
                    diffuse: m.diffuse,
                    ambient: m.ambient,
                    specular: m.specular,
                    emissive: m.emissive,
                    power: m.power,
                },
                ambient: color_value(rs(D3DRS_AMBIENT)),
                specular_enable: on(D3DRS_SPECULARENABLE),
                local_viewer: on(D3DRS_LOCALVIEWER),
                normalize_normals: on(D3DRS_NORMALIZENORMALS),
                color_vertex: on(D3DRS_COLORVERTEX),
                diffuse_source: rs(D3DRS_DIFFUSEMATERIALSOURCE),
                ambient_source: rs(D3DRS_AMBIENTMATERIALSOURCE),
                specular_source: rs(D3DRS_SPECULARMATERIALSOURCE),
                emissive_source: rs(D3DRS_EMISSIVEMATERIALSOURCE),
                vertex_blend: rs(D3DRS_VERTEXBLEND),
                indexed_blend: on(D3DRS_INDEXEDVERTEXBLENDENABLE),
                tween_factor: state.rs_float(D3DRS_TWEENFACTOR),
                fog,
                points: Points {
                    size: state.rs_float(D3DRS_POINTSIZE),
                    min: state.rs_float(D3DRS_POINTSIZE_MIN),
                    max: state.rs_float(D3DRS_POINTSIZE_MAX),
                    scale_enable: on(D3DRS_POINTSCALEENABLE),
                    scale: [D3DRS_POINTSCALE_A, D3DRS_POINTSCALE_B, D3DRS_POINTSCALE_C]
                        .map(|name| state.rs_float(name)),
                },
                clip_planes: state.clip_planes,
                clip_plane_enable: 0,
            },
            &elements,
        );
        Self {
            pipeline,
            elements,
            fogged: fog.enable
                && fog.table_mode == 0
                && fog.vertex_mode != 0
                && !elements.pretransformed,
            components: stages.map(|stage| components(&stage, &elements)),
        }
    }

    /// What it makes of any vertex: position, point size, colours, the fog factor, and the
    /// coordinates of those stages that have some.
    pub(super) fn made(&self) -> Vec<Made> {
        let made = |usage, index, place, mask| Made {
            semantic: (usage, index),
            place,
            first: 0,
            mask,
        };
        let mut all = vec![
            made(D3DDECLUSAGE_POSITION, 0, place::POSITION, 0xF),
            made(D3DDECLUSAGE_PSIZE, 0, place::POINT_SIZE, 1),
            made(D3DDECLUSAGE_COLOR, 0, place::DIFFUSE, 0xF),
            made(D3DDECLUSAGE_COLOR, 1, place::SPECULAR, 0xF),
        ];
        all.push(if self.elements.pretransformed {
            made(D3DDECLUSAGE_POSITIONT, 0, place::PIXELS, 0xF)
        } else {
            made(D3DDECLUSAGE_FOG, 0, place::FOG, 1)
        });
        for (n, count) in (0..).zip(self.components) {
            let mask = (1u8 << count) - 1;
            if mask != 0 {
                all.push(made(D3DDECLUSAGE_TEXCOORD, n, place::COORDINATES + n, mask));
            }
        }
        all
    }

    /// What is made of a group of vertices, by place.
    pub(super) fn run(&self, vertices: &[Vertex]) -> [GroupRegister; PLACES] {
        let mut made = [[[0.0; GROUP]; 4]; PLACES];
        for (n, vertex) in vertices.iter().enumerate().take(GROUP) {
            let mut put = |place: u8, value: [f32; 4]| {
                for (to, x) in made[usize::from(place)].iter_mut().zip(value) {
                    to[n] = x;
                }
            };
            let output = self.pipeline.run(vertex);
            let mut specular = output.specular;
            if self.fogged {
                specular[3] = output.fog;
            }
            put(place::POSITION, output.position);
            put(
                place::FOG,
                match self.elements.pretransformed {
                    true => vertex.position,
                    false => [output.fog; 4],
                },
            );
            put(place::POINT_SIZE, [output.point_size; 4]);
            put(place::DIFFUSE, output.diffuse);
            put(place::SPECULAR, specular);
            for (place, value) in (place::COORDINATES..).zip(output.coordinates) {
                put(place, value);
            }
        }
        made
    }
}

/// The viewport of a state.
pub(super) fn viewport(state: &State) -> Viewport {
    let v = &state.viewport;
    Viewport {
        x: v.x,
        y: v.y,
        width: v.width,
        height: v.height,
        min_z: v.min_z,
        max_z: v.max_z,
    }
}

fn elements(declaration: &Declaration) -> Elements {
    let mut elements = Elements {
        pretransformed: declaration.pretransformed,
        coordinates: declaration.coordinates,
        ..Elements::default()
    };
    for element in &declaration.elements {
        match slot(element) {
            Some(Slot::Normal) => elements.normal = true,
            Some(Slot::Diffuse) => elements.diffuse = true,
            Some(Slot::Specular) => elements.specular = true,
            Some(Slot::PointSize) => elements.point_size = true,
            Some(Slot::Weights) => elements.weights = true,
            Some(Slot::Indices | Slot::NormalizedIndices) => elements.indices = true,
            Some(Slot::Position1) => elements.position1 = true,
            Some(Slot::Normal1) => elements.normal1 = true,
            Some(Slot::Position | Slot::Coordinates(_)) | None => {}
        }
    }
    elements
}

/// The elements that the fixed function reads, and what they fill.
pub(super) fn feeds(declaration: &Declaration) -> Outcome<Vec<Feed<VertexElement>>> {
    let mut feeds = Vec::with_capacity(declaration.elements.len());
    let mut positioned = false;
    for element in &declaration.elements {
        if let Some(slot) = slot(element) {
            positioned |= slot == Slot::Position;
            feeds.push(Feed {
                element: *element,
                to: Target::Slot(slot),
            });
        }
    }
    if !positioned {
        invalid!("vertex declaration: it has no position");
    }
    Ok(feeds)
}

/// The field that an element fills.
fn slot(element: &VertexElement) -> Option<Slot> {
    Some(match (element.usage, element.usage_index) {
        (D3DDECLUSAGE_POSITION | D3DDECLUSAGE_POSITIONT, 0) => Slot::Position,
        (D3DDECLUSAGE_POSITION, 1) => Slot::Position1,
        (D3DDECLUSAGE_NORMAL, 0) => Slot::Normal,
        (D3DDECLUSAGE_NORMAL, 1) => Slot::Normal1,
        (D3DDECLUSAGE_COLOR, 0) => Slot::Diffuse,
        (D3DDECLUSAGE_COLOR, 1) => Slot::Specular,
        (D3DDECLUSAGE_PSIZE, 0) => Slot::PointSize,
        (D3DDECLUSAGE_BLENDWEIGHT, 0) => Slot::Weights,
        (D3DDECLUSAGE_BLENDINDICES, 0) => match element.ty {
            D3DDECLTYPE_D3DCOLOR | D3DDECLTYPE_UBYTE4N => Slot::NormalizedIndices,
            _ => Slot::Indices,
        },
        (D3DDECLUSAGE_TEXCOORD, set @ 0..=7) => Slot::Coordinates(set),
        _ => return None,
    })
}

/// Components that a stage's coordinates have: what the transform makes, else what is there.
fn components(stage: &Stage, elements: &Elements) -> u8 {
    let set = elements.coordinates[(stage.texcoord_index & 7) as usize];
    if elements.pretransformed {
        return set;
    }
    match (stage.transform_flags & 0xFF, stage.texcoord_index >> 16) {
        (count @ 1..=4, _) => count as u8,
        (_, 1..=3) => 3,
        (_, 4) => 2,
        _ => set,
    }
}

/// Fills a field of all vertices.
pub(super) fn fill(vertices: &mut [Vertex], slot: Slot, column: Column<'_>) {
    let xyz = |[x, y, z, _]: [f32; 4]| [x, y, z];
    column.load(vertices.len(), |n, value| {
        let vertex = &mut vertices[n];
        match slot {
            Slot::Position => vertex.position = value,
            Slot::Normal => vertex.normal = xyz(value),
            Slot::Diffuse => vertex.diffuse = value,
            Slot::Specular => vertex.specular = value,
            Slot::PointSize => vertex.point_size = value[0],
            Slot::Weights => vertex.weights = value,
            Slot::Indices => vertex.indices = value,
            Slot::NormalizedIndices => vertex.indices = value.map(|x| x * 255.0),
            Slot::Position1 => vertex.position1 = value,
            Slot::Normal1 => vertex.normal1 = xyz(value),
            Slot::Coordinates(set) => vertex.coordinates[usize::from(set)] = value,
        }
    });
}
