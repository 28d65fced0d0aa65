//! The executor of skinning shaders for vertices as games store them.

use super::run::{SkinGroup, UNUSUAL, exactly, settled, unusual};
use super::{Skin, SkinRoles};
use crate::constants::Constants;
use crate::element::{Column, ElementType};
use crate::float;
use crate::real::Real;

/// Bones that a byte can name.
const BONES: usize = 256;

/// A bone's three rows, column by column: what each component of a position is multiplied by.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bone<T>([T; 16]);

impl<T: Real> Bone<T> {
    #[inline(always)]
    fn of(rows: &[[f32; 4]; 3]) -> Self {
        let mut columns = [T::of(0.0); 16];
        for (n, row) in rows.iter().enumerate() {
            for (c, x) in row.iter().enumerate() {
                columns[4 * c + n] = T::of(*x);
            }
        }
        Bone(columns)
    }
}

/// Elements whose four bytes are the same, of each byte.
static REPEATED: [[u8; 4]; BONES] = {
    let mut all = [[0; 4]; BONES];
    let mut n = 0;
    while n < BONES {
        all[n] = [n as u8; 4];
        n += 1;
    }
    all
};

/// Room for the bones of a stream, to use again for the next.
#[derive(Clone, Debug, Default)]
pub struct SkinBones<T = f32>(Vec<Bone<T>>);

/// Vertices that [`Skin::stream`] knows how to run: elements of one buffer, positions of three
/// floats, coordinates of two, weights of floats and indices of bytes.
#[derive(Clone, Copy, Debug)]
pub struct SkinStream<'a, T = f32> {
    roles: SkinRoles,
    /// Whole vertices, of `stride` bytes each.
    vertices: &'a [u8],
    stride: usize,
    places: Places,
    /// That of each byte that is an index.
    bones: &'a [Bone<T>; BONES],
}

/// Where the elements are in a vertex.
#[derive(Clone, Copy, Debug)]
struct Places {
    /// Of each component by itself. Were they known to lie beside each other, the compiler would
    /// make vectors of them, and shuffle all that they are multiplied by.
    position: [usize; 3],
    coordinates: usize,
    weights: [usize; 2],
    indices: [usize; 2],
}

/// Where vertices get what a skinning shader makes, see [`SkinStream::write`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinLayout {
    /// Bytes from vertex to vertex.
    pub stride: usize,
    /// Where a vertex has the three floats that x to z of oPos go to.
    pub position: usize,
    /// Where it has the two floats that x and y of oT0 go to.
    pub coordinates: usize,
}

/// Something that sees each oPos that [`SkinStream::write`] makes.
pub trait SkinWatch<T>: Clone {
    /// One of them; the order is no matter.
    fn see(&mut self, position: [T; 4]);
}

/// Nobody watches.
impl<T> SkinWatch<T> for () {
    #[inline(always)]
    fn see(&mut self, _: [T; 4]) {}
}

impl Skin {
    /// The first `count` vertices of columns, by the place of their input, if all can be run
    /// with the results of [`Skin::run`]: that is then known of every one of them.
    pub fn stream<'a: 'b, 'b, T: Real>(
        &self,
        input: impl Fn(usize) -> Option<Column<'a>>,
        count: usize,
        constants: &Constants<'_>,
        bones: &'b mut SkinBones<T>,
    ) -> Option<SkinStream<'b, T>> {
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
        let first = place(position, 12)?;
        let places = Places {
            position: [0, 4, 8].map(|component| first + component),
            coordinates: place(coordinates, 8)?,
            weights: [place(weights[0], 4)?, place(weights[1], 4)?],
            indices: [place(indices[0], 1)?, place(indices[1], 1)?],
        };
        struct Wide<'a, T> {
            skin: &'a Skin,
            indices: Indices<'a>,
            floats: &'a [[f32; 4]],
            bones: &'a mut [Bone<T>],
        }

        impl<T: Real> pulp::NullaryFnOnce for Wide<'_, T> {
            type Output = bool;

            #[inline(always)]
            fn call(self) -> bool {
                self.skin.gather(self.indices, self.floats, self.bones)
            }
        }

        let none = Bone([T::of(0.0); 16]);
        bones.0.resize(BONES, none);
        let there = pulp::Arch::new().dispatch(Wide {
            skin: self,
            indices: Indices {
                vertices,
                stride,
                places: places.indices,
                ty,
            },
            floats: constants.floats,
            bones: &mut bones.0,
        });
        if !there {
            return None;
        }
        Some(SkinStream {
            roles,
            vertices,
            stride,
            places,
            bones: bones.0.first_chunk()?,
        })
    }
}

/// The bytes that are indices, of all vertices.
struct Indices<'a> {
    vertices: &'a [u8],
    stride: usize,
    places: [usize; 2],
    /// Of the elements that they are in.
    ty: ElementType,
}

impl Indices<'_> {
    /// The least and the most, if there are any.
    #[inline(always)]
    fn range(&self) -> Option<[u8; 2]> {
        let ([first, second], stride) = (self.places, self.stride);
        let [mut least, mut most] = [[u8::MAX; 2], [0; 2]];
        if first < stride && second < stride {
            for vertex in self.vertices.chunks_exact(stride) {
                let indices = [vertex[first], vertex[second]];
                for (n, index) in indices.into_iter().enumerate() {
                    least[n] = index.min(least[n]);
                    most[n] = index.max(most[n]);
                }
            }
        }
        let (least, most) = (least[0].min(least[1]), most[0].max(most[1]));
        (least <= most).then_some([least, most])
    }
}

impl Skin {
    /// Gathers the bones that vertices have; false if one of them is not there.
    #[inline(always)]
    fn gather<T: Real>(
        &self,
        indices: Indices<'_>,
        floats: &[[f32; 4]],
        bones: &mut [Bone<T>],
    ) -> bool {
        let Some([least, most]) = indices.range() else {
            return true;
        };
        let count = usize::from(most - least) + 1;
        let column = Column {
            bytes: REPEATED.as_flattened(),
            stride: 4,
            ty: indices.ty,
        };
        let mut values = [0.0; BONES];
        let column = column.from(least.into());
        column.load(count, |n, [index, ..]| values[n % BONES] = index);
        // Rows follow one another as indices do: between two that are there all are.
        let row = self.first_rows::<T>(floats);
        let bones = bones.iter_mut().skip(least.into());
        for (bone, index) in bones.zip(values).take(count) {
            let (row, there) = row(T::of(index));
            let rows = floats.get(row as usize..).filter(|_| there);
            let Some(rows) = rows.and_then(|rows| rows.first_chunk()) else {
                return false;
            };
            *bone = Bone::of(rows);
        }
        true
    }
}

impl<T: Real> SkinStream<'_, T> {
    /// Runs `count` vertices from `first` on, [`GROUP`] at most.
    ///
    /// [`GROUP`]: crate::limits::GROUP
    pub fn run(&self, first: usize, count: usize, group: &mut SkinGroup<T>) {
        struct Wide<'a, T> {
            stream: SkinStream<'a, T>,
            from: &'a [u8],
            group: &'a mut SkinGroup<T>,
        }

        impl<T: Real> pulp::NullaryFnOnce for Wide<'_, T> {
            type Output = ();

            #[inline(always)]
            fn call(self) {
                let (stream, from) = (self.stream, self.from);
                let (positions, coordinates) = self.group.registers(stream.roles.coordinates);
                let count = (from.len() / stream.stride).min(positions.len());
                stream.fill(from, &mut positions[..count]);
                for (to, vertex) in coordinates.iter_mut().zip(from.chunks_exact(stream.stride)) {
                    if let Some([u, v]) = floats(vertex, stream.places.coordinates) {
                        *to = [float(*u), float(*v), T::of(0.0), T::of(1.0)];
                    }
                }
            }
        }

        let from = self.from(first);
        let from = &from[..from.len().min(count.saturating_mul(self.stride))];
        pulp::Arch::new().dispatch(Wide {
            stream: *self,
            from,
            group,
        });
    }

    /// Runs as many vertices as `to` has room for, from `first` on, and writes x to z of oPos
    /// and x and y of oT0 of each; all other bytes stay.
    pub fn write<W: SkinWatch<T>>(
        &self,
        first: usize,
        to: &mut [u8],
        layout: SkinLayout,
        watch: &mut W,
    ) {
        struct Wide<'a, T, W> {
            stream: SkinStream<'a, T>,
            from: &'a [u8],
            to: &'a mut [u8],
            layout: SkinLayout,
            watch: &'a mut W,
        }

        impl<T: Real, W: SkinWatch<T>> pulp::NullaryFnOnce for Wide<'_, T, W> {
            type Output = ();

            #[inline(always)]
            fn call(self) {
                let (stream, layout) = (self.stream, self.layout);
                let mut positions = [[T::of(0.0); 4]; BLOCK];
                let from = self.from.chunks(stream.stride.saturating_mul(BLOCK));
                let to = self.to.chunks_mut(layout.stride.saturating_mul(BLOCK));
                for (from, to) in from.zip(to) {
                    let count = to.len() / layout.stride;
                    let positions = &mut positions[..count.min(BLOCK)];
                    stream.fill(from, positions);
                    stream.put(from, positions, to, layout);
                    let mut seen = self.watch.clone();
                    for position in positions {
                        seen.see(*position);
                    }
                    *self.watch = seen;
                }
            }
        }

        if layout.fits() {
            let from = self.from(first);
            let count = (from.len() / self.stride).min(to.len() / layout.stride);
            pulp::Arch::new().dispatch(Wide {
                stream: *self,
                from,
                to: &mut to[..count * layout.stride],
                layout,
                watch,
            });
        }
    }

    /// The vertices from `first` on.
    fn from(&self, first: usize) -> &[u8] {
        let start = first.saturating_mul(self.stride);
        self.vertices.get(start..).unwrap_or_default()
    }

    /// Makes oPos of the vertices in `from`, as many as there is room for.
    #[inline(always)]
    fn fill(&self, from: &[u8], positions: &mut [[T; 4]]) {
        let (places, bones) = (self.places, self.bones);
        let from = from.chunks_exact(self.stride);
        // Known already, and said again so that the compiler knows it in the loops.
        if !places.fit(self.stride) {
            return;
        }
        for (to, vertex) in positions.iter_mut().zip(from.clone()) {
            if let Some(operands) = places.operands(vertex, bones) {
                *to = operands.moved(|a, b| a * b);
            }
        }
        // Of each component the most unusual number: infinities, what is no number, and zeros.
        let mut most = [0; 4];
        for position in positions.iter() {
            for (most, x) in most.iter_mut().zip(position) {
                *most = unusual(*x).max(*most);
            }
        }
        if most[..3].iter().any(|most| *most >= UNUSUAL) {
            // There products may differ from what the machine makes of them, see `Skin::run`.
            for (to, vertex) in positions.iter_mut().zip(from.clone()) {
                let [x, y, z, _] = *to;
                if !(settled(x) & settled(y) & settled(z))
                    && let Some(operands) = places.operands(vertex, bones)
                {
                    *to = exactly(|| operands.moved(float::mul));
                }
            }
        }
        match self.roles.position_w {
            n @ 0..2 => {
                let place = places.coordinates + 4 * usize::from(n);
                for (to, vertex) in positions.iter_mut().zip(from) {
                    if let Some([w]) = floats(vertex, place) {
                        to[3] = float(*w);
                    }
                }
            }
            2 => positions.iter_mut().for_each(|to| to[3] = T::of(0.0)),
            _ => positions.iter_mut().for_each(|to| to[3] = T::of(1.0)),
        }
    }

    /// Writes oPos and oT0 of the vertices in `from`.
    #[inline(always)]
    fn put(&self, from: &[u8], positions: &[[T; 4]], to: &mut [u8], layout: SkinLayout) {
        let (stride, coordinates) = (self.stride, self.places.coordinates);
        if !layout.fits() || !fits(stride, coordinates, 8) {
            return;
        }
        let vertices = from.chunks_exact(stride);
        let to = to.chunks_exact_mut(layout.stride);
        for (to, (vertex, position)) in to.zip(vertices.zip(positions)) {
            let [x, y, z, _] = position.map(|x| x.get().to_le_bytes());
            if let Some(place) = room(to, layout.position) {
                *place = [x, y, z];
            }
            let place = room::<2>(to, layout.coordinates);
            if let (Some(place), Some(uv)) = (place, floats(vertex, coordinates)) {
                *place = *uv;
            }
        }
    }
}

/// Vertices that run together on their way from memory to memory.
const BLOCK: usize = 128;

impl SkinLayout {
    #[inline(always)]
    fn fits(&self) -> bool {
        fits(self.stride, self.position, 12) && fits(self.stride, self.coordinates, 8)
    }
}

impl Places {
    #[inline(always)]
    fn fit(&self, stride: usize) -> bool {
        let mut floats = self.position.iter().chain(&self.weights);
        floats.all(|place| fits(stride, *place, 4))
            && fits(stride, self.coordinates, 8)
            && self.indices.iter().all(|place| *place < stride)
    }

    #[inline(always)]
    fn operands<'a, T: Real>(
        &self,
        vertex: &[u8],
        bones: &'a [Bone<T>; BONES],
    ) -> Option<Operands<'a, T>> {
        let number = |place| floats(vertex, place).map(|[x]| float(*x));
        let bone = |place| {
            vertex
                .get::<usize>(place)
                .map(|index| &bones[usize::from(*index)])
        };
        let ([x, y, z], [a, b], [first, second]) = (self.position, self.weights, self.indices);
        Some(Operands {
            position: [number(x)?, number(y)?, number(z)?],
            weights: [number(a)?, number(b)?],
            bones: [bone(first)?, bone(second)?],
        })
    }
}

/// What a position is made of.
struct Operands<'a, T> {
    position: [T; 3],
    weights: [T; 2],
    bones: [&'a Bone<T>; 2],
}

impl<T: Real> Operands<'_, T> {
    /// x to z of the position moved, with the products and sums of [`Skin::run`] in their order.
    #[inline(always)]
    fn moved(&self, mul: impl Fn(T, T) -> T) -> [T; 4] {
        let ([x, y, z], [a, b]) = (self.position, self.bones);
        let row = |n: usize| mul(self.weights[1], b.0[n]) + mul(self.weights[0], a.0[n]);
        core::array::from_fn(|n| {
            mul(x, row(n)) + mul(y, row(n + 4)) + mul(z, row(n + 8)) + row(n + 12)
        })
    }
}

/// Whether `size` bytes at `place` are within `stride`.
#[inline(always)]
fn fits(stride: usize, place: usize, size: usize) -> bool {
    stride.checked_sub(place).is_some_and(|rest| rest >= size)
}

#[inline(always)]
fn float<T: Real>(bytes: [u8; 4]) -> T {
    T::of(f32::from_le_bytes(bytes))
}

#[inline(always)]
fn floats<const K: usize>(vertex: &[u8], place: usize) -> Option<&[[u8; 4]; K]> {
    vertex.get(place..)?.as_chunks().0.first_chunk()
}

#[inline(always)]
fn room<const K: usize>(vertex: &mut [u8], place: usize) -> Option<&mut [[u8; 4]; K]> {
    vertex.get_mut(place..)?.as_chunks_mut().0.first_chunk_mut()
}
