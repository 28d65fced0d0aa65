//! Texture coordinates: sets, generated vectors, transforms.

use super::linear::{Vec3, dot, length, scaled, sum, transform4, unit};
use super::pipeline::{Seen, Vertex};
use super::state::{Elements, Stage};

/// What a coordinate is made from.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Source {
    /// A texture generation mode that there is none of.
    Nothing,
    Set(usize),
    Normal,
    Position,
    Reflection,
    Sphere,
}

/// The coordinates of one stage, made ready.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coordinate {
    source: Source,
    /// Components that the vertex has of a set; 4 for what is generated.
    components: usize,
    stage: Stage,
    transformed: bool,
    projected: bool,
}

impl Coordinate {
    pub(super) fn new(stage: &Stage, elements: &Elements) -> Self {
        let set = (stage.texcoord_index & 0xffff).min(7) as usize;
        let source = match stage.texcoord_index >> 16 {
            1 => Source::Normal,
            2 => Source::Position,
            3 => Source::Reflection,
            4 => Source::Sphere,
            0 => Source::Set(set),
            _ => Source::Nothing,
        };
        Self {
            source,
            components: match source {
                Source::Set(set) => {
                    usize::from(elements.coordinates.get(set).map_or(0, |n| *n.min(&4)))
                }
                _ => 4,
            },
            stage: *stage,
            // Drivers take D3DTTFF_COUNT1 as no transform, and any other count as four.
            transformed: !matches!(stage.transform_flags, 0 | 1 | 0x101),
            projected: stage.transform_flags & 0x100 != 0,
        }
    }

    pub(super) fn run(&self, vertex: &Vertex, seen: &Seen) -> [f32; 4] {
        let point = |v: Vec3| [v[0], v[1], v[2], 1.0];
        let value = match self.source {
            Source::Nothing => return [0.0; 4],
            Source::Set(_) if !self.transformed || self.components == 0 => {
                return self.untouched(vertex);
            }
            // What is to be divided is transformed as a fetch fills it.
            Source::Set(_) if self.projected => self.untouched(vertex),
            Source::Set(set) => {
                let mut value = [0.0; 4];
                for (i, part) in value.iter_mut().enumerate().take(self.components) {
                    *part = vertex.coordinates[set][i];
                }
                // The transform sees a point: a 1 after what the vertex has.
                if let Some(next) = value.get_mut(self.components) {
                    *next = 1.0;
                }
                value
            }
            Source::Normal => point(seen.normal),
            Source::Position => [seen.position[0], seen.position[1], seen.position[2], seen.w],
            Source::Reflection => point(reflection(seen)),
            Source::Sphere => {
                let r = reflection(seen);
                let m = 2.0 * length(sum(r, [0.0, 0.0, 1.0]));
                let m = m.max(f32::MIN_POSITIVE);
                [r[0] / m + 0.5, r[1] / m + 0.5, 0.0, 1.0]
            }
        };
        match self.transformed {
            true => transform4(value, &self.stage.transform),
            false => value,
        }
    }

    /// The vertex's own set, filled as a fetch fills it.
    pub(super) fn untouched(&self, vertex: &Vertex) -> [f32; 4] {
        let set = (self.stage.texcoord_index & 0xffff).min(7) as usize;
        match (vertex.coordinates.get(set), self.components) {
            (None, _) | (_, 0) => [0.0; 4],
            (Some(given), n) => core::array::from_fn(|i| match i {
                i if i < n => given[i],
                3 => 1.0,
                _ => 0.0,
            }),
        }
    }
}

/// The way from the eye to the vertex, mirrored by the normal.
fn reflection(seen: &Seen) -> Vec3 {
    let incident = unit(seen.position);
    let along = 2.0 * dot(incident, seen.normal);
    sum(incident, scaled(seen.normal, -along))
}
