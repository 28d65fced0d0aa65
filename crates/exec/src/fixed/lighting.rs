//! "Mathematics of Lighting", in left-handed view space with the eye at the origin.

use super::linear::{Vec3, dot, length, rotate, scaled, sum, transform4, unit};
use super::pipeline::{Seen, Vertex};
use super::state::{Elements, Light, Material, State};

/// Lights that shine at most (`MaxActiveLights`).
const MAX_LIGHTS: usize = 8;

/// Where a material colour comes from.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Source {
    Material,
    Diffuse,
    Specular,
}

/// A light in view space.
#[derive(Clone, Copy, Debug)]
struct Shining {
    light: Light,
    position: Vec3,
    /// Unit vector it shines along.
    direction: Vec3,
    /// Cosines of half the inner and the outer angle.
    inner: f32,
    outer: f32,
}

/// Lighting made ready.
#[derive(Clone, Debug)]
pub(super) struct Lighting {
    lights: [Option<Shining>; MAX_LIGHTS],
    material: Material,
    ambient: Vec3,
    specular: bool,
    local_viewer: bool,
    /// Diffuse, ambient, specular, emissive.
    sources: [Source; 4],
}

impl Lighting {
    pub(super) fn new(state: &State<'_>, elements: &Elements) -> Self {
        let source = |value| match value {
            1 if state.color_vertex && elements.diffuse => Source::Diffuse,
            2 if state.color_vertex && elements.specular => Source::Specular,
            _ => Source::Material,
        };
        let mut lights = [None; MAX_LIGHTS];
        for (slot, light) in lights.iter_mut().zip(state.lights) {
            let [x, y, z] = light.position;
            let [x, y, z, _] = transform4([x, y, z, 1.0], &state.view);
            *slot = Some(Shining {
                light: *light,
                position: [x, y, z],
                direction: unit(rotate(light.direction, &state.view)),
                inner: (light.theta * 0.5).cos(),
                outer: (light.phi * 0.5).cos(),
            });
        }
        let [r, g, b, _] = state.ambient;
        Self {
            lights,
            material: state.material,
            ambient: [r, g, b],
            specular: state.specular_enable,
            local_viewer: state.local_viewer,
            sources: [
                source(state.diffuse_source),
                source(state.ambient_source),
                source(state.specular_source),
                source(state.emissive_source),
            ],
        }
    }

    /// Diffuse and specular colour, clamped.
    pub(super) fn colors(&self, vertex: &Vertex, seen: &Seen) -> [[f32; 4]; 2] {
        let m = &self.material;
        let own = [m.diffuse, m.ambient, m.specular, m.emissive];
        let [diffuse, ambient, specular, emissive] =
            core::array::from_fn(|i| match self.sources[i] {
                Source::Material => own[i],
                Source::Diffuse => vertex.diffuse,
                Source::Specular => vertex.specular,
            });
        let mut ambient_sum = self.ambient;
        let mut diffuse_sum = [0.0; 3];
        let mut specular_sum = [0.0; 3];
        let place = seen.position.map(|x| x / seen.w);
        for shining in self.lights.iter().flatten() {
            let Some((to_light, strength)) = shining.reach(place) else {
                continue;
            };
            let light = &shining.light;
            let facing = dot(seen.normal, to_light);
            ambient_sum = sum(ambient_sum, scaled(rgb(light.ambient), strength));
            let lambert = strength * facing.clamp(0.0, 1.0);
            diffuse_sum = sum(diffuse_sum, scaled(rgb(light.diffuse), lambert));
            if self.specular && facing > 0.0 {
                let to_eye = if self.local_viewer {
                    scaled(unit(seen.position), -1.0)
                } else {
                    [0.0, 0.0, -1.0]
                };
                let cosine = dot(seen.normal, unit(sum(to_light, to_eye)));
                if cosine > 0.0 {
                    let shine = strength * cosine.powf(m.power);
                    specular_sum = sum(specular_sum, scaled(rgb(light.specular), shine));
                }
            }
        }
        let channel =
            |i: usize| emissive[i] + ambient[i] * ambient_sum[i] + diffuse[i] * diffuse_sum[i];
        let highlight = |i: usize| specular[i] * specular_sum[i];
        let specular_alpha = if self.specular { specular[3] } else { 0.0 };
        [
            [channel(0), channel(1), channel(2), diffuse[3]],
            [highlight(0), highlight(1), highlight(2), specular_alpha],
        ]
        .map(|color| color.map(|c| c.clamp(0.0, 1.0)))
    }
}

impl Shining {
    /// The unit vector to the light and how much of it arrives at a place.
    fn reach(&self, place: Vec3) -> Option<(Vec3, f32)> {
        let light = &self.light;
        if light.kind == 3 {
            return Some((scaled(self.direction, -1.0), 1.0));
        }
        if !matches!(light.kind, 1 | 2) {
            return None;
        }
        let offset = sum(self.position, scaled(place, -1.0));
        let d = length(offset);
        if d > light.range {
            return None;
        }
        let to_light = unit(offset);
        let [a0, a1, a2] = light.attenuation;
        let mut strength = 1.0 / (a0 + a1 * d + a2 * d * d);
        if light.kind == 2 {
            let rho = -dot(to_light, self.direction);
            strength *= if rho > self.inner {
                1.0
            } else if rho <= self.outer {
                0.0
            } else {
                ((rho - self.outer) / (self.inner - self.outer)).powf(light.falloff)
            };
        }
        Some((to_light, strength))
    }
}

fn rgb(c: [f32; 4]) -> Vec3 {
    [c[0], c[1], c[2]]
}
