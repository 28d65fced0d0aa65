//! The executor of skinning shaders for vertices as games store them.

use super::run::{SkinGroup, exactly, settled};
use super::{Skin, SkinRoles};
use crate::constants::Constants;
use crate::element::{Column, ElementType};
use crate::float;
use crate::limits::GROUP;

/// A bone's three rows, column by column: what each component of a position is multiplied by.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bone([[f32; 4]; 4]);

impl Bone {
    const NONE: Bone = Bone([[0.0; 4]; 4]);
}

/// Vertices that [`Skin::stream`] knows how to run: elements of one buffer, positions of three
/// floats, coordinates of two, weights of floats and indices of bytes.
pub struct SkinStream<'a> {
    roles: SkinRoles,
    /// Whole vertices, of `stride` bytes each.
    vertices: &'a [u8],
    stride: usize,
    places: Places,
    /// That of each byte that is an index.
    bones: Box<[Bone; 256]>,
}

/// Where the elements are in a vertex.
#[derive(Clone, Copy)]
struct Places {
    position: usize,
    coordinates: usize,
    weights: [usize; 2],
    indices: [usize; 2],
}

impl Skin {
    /// The first `count` vertices of columns, by the place of their input, if all can be run
    /// with the results of [`Skin::run`]: that is then known of every one of them.
    pub fn stream<'a>(
        &self,
        input: impl Fn(usize) -> Option<Column<'a>>,
        count: usize,
        constants: &Constants<'_>,
    ) -> Option<SkinStream<'a>> {
        let roles = self.roles;
        let typed = |place: u8, ty| input(place.into()).filter(|column| column.ty == ty);
        let weight = |n: usize| {
            let column = input(roles.weights[n].register.into())?;
            let floats = match column.ty {
                ElementType::Float1
                | ElementType::Float2
                | ElementType::Float3
                | ElementType::Float4 => column.ty.components(),
                _ => 0,
            };
            let component = usize::from(roles.weights[n].component);
            let bytes = column.bytes.get(4 * component..)?;
            (component < floats).then_some(Column {
                bytes,
                ty: ElementType::Float1,
                ..column
            })
        };
        let index = |n: usize| {
            let column = input(roles.indices[n].register.into())?;
            let component = usize::from(roles.indices[n].component & 3);
            let byte = match column.ty {
                ElementType::UByte4 | ElementType::UByte4N => component,
                ElementType::Color => [2, 1, 0, 3][component],
                _ => return None,
            };
            let bytes = column.bytes.get(byte..)?;
            Some(Column { bytes, ..column })
        };
        let position = typed(roles.position, ElementType::Float3)?;
        let coordinates = typed(roles.coordinates, ElementType::Float2)?;
        let (weights, indices) = ([weight(0)?, weight(1)?], [index(0)?, index(1)?]);
        let ty = indices[0].ty;
        let columns = [position, coordinates].into_iter().chain(weights);
        let columns = columns.chain(indices);
        let longest = columns.clone().max_by_key(|column| column.bytes.len())?;
        let (stride, all) = (longest.stride, longest.bytes);
        let vertices = all.get(..count.checked_mul(stride)?)?;
        let end = |bytes: &[u8]| bytes.as_ptr_range().end;
        // What ends where the longest does, and is shorter, is the end of it.
        let inside = |column: Column<'_>| end(column.bytes) == end(all) && column.stride == stride;
        if indices[1].ty != ty || stride == 0 || !columns.clone().all(inside) {
            return None;
        }
        let place = |column: Column<'_>, size: usize| {
            let place = all.len() - column.bytes.len();
            (place + size <= stride).then_some(place)
        };
        let places = Places {
            position: place(position, 12)?,
            coordinates: place(coordinates, 8)?,
            weights: [place(weights[0], 4)?, place(weights[1], 4)?],
            indices: [place(indices[0], 1)?, place(indices[1], 1)?],
        };
        let mut stream = SkinStream {
            roles,
            vertices,
            stride,
            places,
            bones: Box::new([Bone::NONE; 256]),
        };
        let mut seen = [false; 256];
        for vertex in vertices.chunks_exact(stride) {
            seen[usize::from(vertex[places.indices[0]])] = true;
            seen[usize::from(vertex[places.indices[1]])] = true;
        }
        let first = self.first_rows::<f32>(constants.floats);
        for byte in (0..=u8::MAX).filter(|byte| seen[usize::from(*byte)]) {
            let mut index = 0.0;
            let column = Column {
                bytes: &[byte; 4],
                stride: 0,
                ty,
            };
            column.load(1, |_, value| index = value[0]);
            let (row, true) = first(index) else {
                return None;
            };
            let rows = constants.floats.get(row as usize..)?;
            let [x, y, z] = rows.first_chunk::<3>()?;
            let bone = [0, 1, 2, 3].map(|c| [x[c], y[c], z[c], 0.0]);
            stream.bones[usize::from(byte)] = Bone(bone);
        }
        Some(stream)
    }
}

impl SkinStream<'_> {
    /// Runs `count` vertices from `first` on, [`GROUP`] at most.
    pub fn run(&self, first: usize, count: usize, group: &mut SkinGroup) {
        struct Wide<'a>(&'a SkinStream<'a>, usize, usize, &'a mut SkinGroup);

        impl pulp::NullaryFnOnce for Wide<'_> {
            type Output = ();

            #[inline(always)]
            fn call(self) {
                self.0.run_group(self.1, self.2, self.3);
            }
        }

        pulp::Arch::new().dispatch(Wide(self, first, count.min(GROUP), group));
    }

    #[inline(always)]
    fn run_group(&self, first: usize, count: usize, group: &mut SkinGroup) {
        let (positions, coordinates) = group.registers(self.roles.coordinates);
        let start = first.saturating_mul(self.stride).min(self.vertices.len());
        let vertices = self.vertices[start..].chunks_exact(self.stride);
        let registers = positions.iter_mut().zip(coordinates.iter_mut()).take(count);
        for (vertex, (position, coordinates)) in vertices.clone().zip(registers) {
            let Some([u, v]) = floats(vertex, self.places.coordinates) else {
                return;
            };
            *coordinates = [float(u), float(v), 0.0, 1.0];
            let Some((place, bones, weights)) = self.vertex(vertex) else {
                return;
            };
            *position = moved(place, bones, weights, |a, b| a * b);
        }
        let component = usize::from(self.roles.position_w & 3);
        // Of each component the most unusual number: infinities, what is no number, and zeros.
        let mut most = [0; 4];
        for (position, coordinates) in positions.iter_mut().zip(coordinates.iter()).take(count) {
            for (most, x) in most.iter_mut().zip(position.iter()) {
                let magnitude = x.to_bits() & 0x7FFF_FFFF;
                *most = magnitude.wrapping_sub(1).max(*most);
            }
            position[3] = coordinates[component];
        }
        if most[..3].iter().all(|most| *most < 0x7F7F_FFFF) {
            return;
        }
        // There products may differ from what the machine makes of them, see `Skin::run`.
        for (position, vertex) in positions.iter_mut().zip(vertices).take(count) {
            let [x, y, z, _] = *position;
            if settled(x) & settled(y) & settled(z) {
                continue;
            }
            if let Some((place, bones, weights)) = self.vertex(vertex) {
                let exact = exactly(|| moved(place, bones, weights, float::mul));
                position[..3].copy_from_slice(&exact[..3]);
            }
        }
    }

    #[inline(always)]
    fn vertex(&self, vertex: &[u8]) -> Option<([f32; 3], [&Bone; 2], [f32; 2])> {
        let [x, y, z] = floats(vertex, self.places.position)?;
        let [a, b] = self.places.weights;
        let ([a], [b]) = (floats(vertex, a)?, floats(vertex, b)?);
        let [first, second] = self.places.indices;
        let (first, second) = (*vertex.get(first)?, *vertex.get(second)?);
        Some((
            [float(x), float(y), float(z)],
            [
                &self.bones[usize::from(first)],
                &self.bones[usize::from(second)],
            ],
            [float(a), float(b)],
        ))
    }
}

#[inline(always)]
fn floats<const K: usize>(vertex: &[u8], place: usize) -> Option<&[[u8; 4]; K]> {
    vertex.get(place..)?.as_chunks().0.first_chunk()
}

#[inline(always)]
fn float(bytes: &[u8; 4]) -> f32 {
    f32::from_bits(u32::from_le_bytes(*bytes))
}

/// A position moved by two bones, x to z of it; with the sums of `Skin::run` in their order.
#[inline(always)]
fn moved(
    [x, y, z]: [f32; 3],
    [first, second]: [&Bone; 2],
    weights: [f32; 2],
    mul: impl Fn(f32, f32) -> f32,
) -> [f32; 4] {
    let column = |c: usize, position: f32| {
        let (a, b) = (&first.0[c], &second.0[c]);
        let mut to = [0.0; 4];
        for n in 0..4 {
            to[n] = mul(weights[1], b[n]) + mul(weights[0], a[n]);
            to[n] = mul(position, to[n]);
        }
        to
    };
    let mut sum = column(0, x);
    for (c, position) in [(1, y), (2, z), (3, 1.0)] {
        let more = column(c, position);
        for n in 0..4 {
            sum[n] += more[n];
        }
    }
    sum
}
