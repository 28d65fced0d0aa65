//! The texture instructions: coordinates by their rules, texels by the caller.

use super::arithmetic::{Product, along_columns, along_rows, bump, moved};
use super::operands::{map, map2};
use super::{Lanes, Scene, Vector};
use crate::float;
use crate::op::{Mode, Op, Rows, Texture};
use crate::real::Real;
use crate::sampler::{Fetch, Lod};
use ninefold_bytecode::SamplerKind;

/// What a fetch asks for beside its coordinate, for all lanes.
struct Request<const N: usize, T> {
    sampler: u8,
    kind: SamplerKind,
    level: Level<N, T>,
}

enum Level<const N: usize, T> {
    Implicit { bias: [T; N] },
    Gradients(Vector<N, T>, Vector<N, T>),
    Exact([T; N]),
}

impl<const N: usize, T: Real> Request<N, T> {
    /// The fetch of ps_1_x: the bound texture decides its kind.
    fn stage(stage: u8) -> Self {
        Request {
            sampler: stage,
            kind: SamplerKind::Unknown,
            level: Level::Implicit {
                bias: [T::of(0.0); N],
            },
        }
    }
}

impl<const N: usize, T: Real> Lanes<N, T> {
    /// Runs a texture operation; gives its result, if it has one.
    pub(super) fn texture(
        &mut self,
        texture: Texture,
        op: &Op,
        scene: &mut Scene<'_>,
    ) -> Option<Vector<N, T>> {
        let product = Product::of(scene);
        let first = self.source(op, 0, scene);
        match texture {
            Texture::Sample {
                sampler,
                kind,
                mode,
                swizzle,
            } => {
                let request = Request {
                    sampler,
                    kind,
                    level: self.level(mode, &first, op, scene),
                };
                let at = match mode {
                    Mode::Project(by) => projected(first, by),
                    _ => first,
                };
                let texel = self.fetch(&at, &request, scene);
                Some(swizzle.map(|component| texel[usize::from(component & 3)]))
            }
            Texture::Coordinate => {
                let [x, y, z, _] = first.map(|component| map(component, float::saturate));
                Some([x, y, z, [T::of(1.0); N]])
            }
            Texture::Bump { stage, luminance } => {
                let mut at = self.source(op, 1, scene);
                let bump = bump(scene, stage);
                let by = moved(product, each_ref(&at), each_ref(&first), &bump);
                at[..2].copy_from_slice(&by);
                let texel = self.fetch(&at, &Request::stage(stage), scene);
                if !luminance {
                    return Some(texel);
                }
                let scale = product.mul(&first[2], &[T::of(bump.luminance_scale); N]);
                let scale = map(scale, |x| x + T::of(bump.luminance_offset));
                Some(texel.map(|component| product.mul(&component, &scale)))
            }
            Texture::Row { stage } => {
                self.keep_row(stage, &first, op, scene);
                None
            }
            Texture::Rows { stage, then } => {
                self.keep_row(stage, &first, op, scene);
                self.rows(stage, then, op, scene)
            }
            Texture::Dot { stage, sample } => {
                let dot = product.dot(each_ref(&self.source(op, 1, scene)), each_ref(&first), 3);
                Some(match sample {
                    true => {
                        let [zero, one] = [0.0, 1.0].map(|x| [T::of(x); N]);
                        let at = [dot, zero, zero, one];
                        self.fetch(&at, &Request::stage(stage), scene)
                    }
                    false => [dot; 4],
                })
            }
            Texture::Depth => {
                let most = map(first[1], |x| T::of(x.get().min(1.0)));
                self.store_depth(map2(first[0], most, float::divide_or_one));
                None
            }
        }
    }

    fn level(&mut self, mode: Mode, at: &Vector<N, T>, op: &Op, scene: &Scene<'_>) -> Level<N, T> {
        match mode {
            Mode::Plain | Mode::Project(_) => Level::Implicit {
                bias: [T::of(0.0); N],
            },
            Mode::Bias => Level::Implicit { bias: at[3] },
            Mode::Level => Level::Exact(at[3]),
            Mode::Gradients => {
                Level::Gradients(self.source(op, 1, scene), self.source(op, 2, scene))
            }
        }
    }

    fn keep_row(&mut self, stage: u8, by: &Vector<N, T>, op: &Op, scene: &Scene<'_>) {
        let coordinates = self.source(op, 1, scene);
        let dot = Product::of(scene).dot(each_ref(&coordinates), each_ref(by), 3);
        if let Some(row) = self.rows.get_mut(usize::from(stage)) {
            *row = dot;
        }
    }

    fn row(&self, stage: u8, back: u8) -> [T; N] {
        let row = self.rows.get(usize::from(stage.saturating_sub(back)));
        row.copied().unwrap_or([T::of(0.0); N])
    }

    fn rows(
        &mut self,
        stage: u8,
        then: Rows,
        op: &Op,
        scene: &mut Scene<'_>,
    ) -> Option<Vector<N, T>> {
        let request = Request::stage(stage);
        let [zero, one] = [0.0, 1.0].map(|x| [T::of(x); N]);
        let pair = [self.row(stage, 1), self.row(stage, 0)];
        let vector = [self.row(stage, 2), pair[0], pair[1], one];
        let eye = match then {
            Rows::Sample2 => {
                return Some(self.fetch(&[pair[0], pair[1], zero, one], &request, scene));
            }
            Rows::Depth => {
                self.store_depth(map2(pair[0], pair[1], float::divide_or_one));
                return None;
            }
            Rows::Vector => return Some(vector),
            Rows::Sample3 => return Some(self.fetch(&vector, &request, scene)),
            Rows::Reflect => self.source(op, 2, scene),
            Rows::ReflectCoordinates => {
                let [x, y, z] = [2, 3, 4].map(|n| self.source(op, n, scene)[0]);
                [x, y, z, zero]
            }
        };
        let reflected = reflected(Product::of(scene), &vector, &eye);
        Some(self.fetch(&reflected, &request, scene))
    }

    fn store_depth(&mut self, depth: [T; N]) {
        for (lane, (to, depth)) in self.depth.iter_mut().zip(depth).enumerate() {
            if self.mask >> lane & 1 != 0 {
                *to = depth;
            }
        }
    }

    /// Asks the caller for the texel of every lane that runs.
    fn fetch(
        &self,
        at: &Vector<N, T>,
        request: &Request<N, T>,
        scene: &mut Scene<'_>,
    ) -> Vector<N, T> {
        let [x, y, z, _] = at;
        let across = [x, y, z].map(along_rows);
        let down = [x, y, z].map(along_columns);
        let mut texels = [[T::of(0.0); N]; 4];
        for lane in (0..N).filter(|lane| self.mask >> lane & 1 != 0) {
            let lod = match &request.level {
                Level::Implicit { bias } => Lod::Implicit {
                    dx: across.map(|x| x[lane].get()),
                    dy: down.map(|x| x[lane].get()),
                    bias: bias[lane].get(),
                },
                Level::Gradients(dx, dy) => Lod::Gradients {
                    dx: [0, 1, 2].map(|n: usize| dx[n][lane].get()),
                    dy: [0, 1, 2].map(|n: usize| dy[n][lane].get()),
                },
                Level::Exact(level) => Lod::Level(level[lane].get()),
            };
            let texel = scene.sampler.sample(&Fetch {
                sampler: request.sampler,
                kind: request.kind,
                coordinate: at.map(|component| component[lane].get()),
                lod,
            });
            for (to, value) in texels.iter_mut().zip(texel) {
                to[lane] = T::of(value);
            }
        }
        texels
    }
}

/// A coordinate divided by one of its components.
fn projected<const N: usize, T: Real>(at: Vector<N, T>, by: u8) -> Vector<N, T> {
    let [x, y, z, _] = at;
    let by = at[usize::from(by & 3)];
    let divided = [x, y, z].map(|component| map2(component, by, |a, b| a / b));
    [divided[0], divided[1], divided[2], [T::of(1.0); N]]
}

/// The eye vector reflected at a surface: 2 (N.E / N.N) N - E.
fn reflected<const N: usize, T: Real>(
    product: Product,
    normal: &Vector<N, T>,
    eye: &Vector<N, T>,
) -> Vector<N, T> {
    let along = product.dot(each_ref(normal), each_ref(eye), 3);
    let length = product.dot(each_ref(normal), each_ref(normal), 3);
    let factor = product.mul(&along, &map(length, float::rcp));
    let factor = map(factor, |x| T::of(2.0) * x);
    let mut out = [[T::of(1.0); N]; 4];
    for component in 0..3 {
        let moved = product.mul(&factor, &normal[component]);
        out[component] = map2(moved, eye[component], |a, b| a - b);
    }
    out
}

fn each_ref<const N: usize, T>(vector: &Vector<N, T>) -> [&[T; N]; 4] {
    vector.each_ref()
}
