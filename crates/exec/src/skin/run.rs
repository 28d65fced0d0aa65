//! The executor of skinning shaders.

use super::{Scalar, Skin};
use crate::constants::Constants;
use crate::float;
use crate::limits::{GROUP, VERTEX_INPUTS};
use crate::options::{Denormals, FloatRules};
use crate::program::Program;
use crate::real::Real;
use crate::vertex::{VertexInput, VertexOutput};

/// Places of oPos and oT0.
const POSITION: usize = 0;
const COORDINATES: usize = 5;

/// A register of a group of vertices: of each vertex its four components.
pub type Vectors<T = f32> = [[T; 4]; GROUP];

/// A group of vertices for [`Skin::run`]: fill the inputs, run, read the outputs.
#[derive(Clone, Debug)]
pub struct SkinGroup<T = f32> {
    inputs: [Vectors<T>; VERTEX_INPUTS],
    position: Vectors<T>,
    /// The input that oT0 is.
    coordinates: usize,
}

impl<T: Real> Default for SkinGroup<T> {
    fn default() -> Self {
        let zeros = [[T::of(0.0); 4]; GROUP];
        SkinGroup {
            inputs: [zeros; VERTEX_INPUTS],
            position: zeros,
            coordinates: 0,
        }
    }
}

impl<T: Real> SkinGroup<T> {
    /// The input register `place`, see [`Input::place`](crate::Input::place).
    pub fn input(&mut self, place: usize) -> Option<&mut Vectors<T>> {
        self.inputs.get_mut(place)
    }

    /// The output register `place` (oPos is 0, oT0 is 5), see
    /// [`Output::place`](crate::Output::place).
    pub fn output(&self, place: usize) -> Option<&Vectors<T>> {
        match place {
            POSITION => Some(&self.position),
            COORDINATES => self.inputs.get(self.coordinates),
            _ => None,
        }
    }
}

impl<T: Real> SkinGroup<T> {
    /// oPos and oT0, which is the input `coordinates` from now on, to write.
    #[inline(always)]
    pub(super) fn registers(&mut self, coordinates: u8) -> (&mut Vectors<T>, &mut Vectors<T>) {
        self.coordinates = usize::from(coordinates) & (VERTEX_INPUTS - 1);
        (&mut self.position, &mut self.inputs[self.coordinates])
    }
}

impl Skin {
    /// Whether the program's numbers follow the rules that this way of running it knows.
    pub fn applies(&self, program: &Program) -> bool {
        let options = program.options();
        options.float_rules == FloatRules::D3d9 && options.denormals == Denormals::Keep
    }

    /// Runs the first `count` vertices of a group with the results of
    /// [`Group::run`](crate::Group::run), bit for bit.
    ///
    /// Where a vertex's index is no number, or one of the rows that it addresses lies outside of
    /// the constants, nothing is run and the answer is false: the interpreter says what comes of
    /// it then, in its own order.
    pub fn run<T: Real>(
        &self,
        group: &mut SkinGroup<T>,
        count: usize,
        constants: &Constants<'_>,
    ) -> bool {
        struct Wide<'a, T> {
            skin: &'a Skin,
            group: &'a mut SkinGroup<T>,
            count: usize,
            floats: &'a [[f32; 4]],
        }

        impl<T: Real> pulp::NullaryFnOnce for Wide<'_, T> {
            type Output = bool;

            #[inline(always)]
            fn call(self) -> bool {
                self.skin.run_group(self.group, self.count, self.floats)
            }
        }

        group.coordinates = self.roles.coordinates.into();
        pulp::Arch::new().dispatch(Wide {
            skin: self,
            group,
            count,
            floats: constants.floats,
        })
    }

    /// [`Program::run_vertices_in`], the fast way: false where that does not apply.
    pub fn run_vertices_in<T: Real>(
        &self,
        program: &Program,
        inputs: &[VertexInput],
        outputs: &mut [VertexOutput],
        constants: &Constants<'_>,
    ) -> bool {
        let mut group = SkinGroup::<T>::default();
        for (inputs, outputs) in inputs.chunks(GROUP).zip(outputs.chunks_mut(GROUP)) {
            for (n, vertex) in inputs.iter().enumerate() {
                for (to, value) in group.inputs.iter_mut().zip(vertex) {
                    to[n] = value.map(T::of);
                }
            }
            if !self.run(&mut group, inputs.len(), constants) {
                return false;
            }
            for (n, output) in outputs.iter_mut().enumerate() {
                *output = program.blank_output();
                for place in [POSITION, COORDINATES] {
                    if let Some(values) = group.output(place) {
                        output.registers[place] = values[n].map(T::get);
                    }
                }
            }
        }
        inputs.len() == outputs.len() && self.applies(program)
    }

    #[inline(always)]
    fn run_group<T: Real>(
        &self,
        group: &mut SkinGroup<T>,
        count: usize,
        floats: &[[f32; 4]],
    ) -> bool {
        let count = count.min(GROUP);
        let mut rows = [[0u32; GROUP]; 2];
        if !self.rows(&group.inputs, count, floats, &mut rows) {
            return false;
        }
        let roles = &self.roles;
        let input = |n: u8| &group.inputs[usize::from(n) & (VERTEX_INPUTS - 1)];
        let [first, second] = roles.weights;
        let (firsts, seconds) = (input(first.register), input(second.register));
        let (positions, coordinates) = (input(roles.position), input(roles.coordinates));
        let pick = |value: &[T; 4], component: u8| value[usize::from(component & 3)];
        for n in 0..count {
            let bones = [bone(floats, rows[0][n]), bone(floats, rows[1][n])];
            let weights = [
                pick(&firsts[n], first.component),
                pick(&seconds[n], second.component),
            ];
            let mut place = moved(positions[n], bones, weights, |a, b| a * b);
            // Products of the machine's differ from Direct3D's where a factor is 0. What that
            // makes of the result is seen in it: no number or an infinity where the other factor
            // was one, for neither ever becomes a finite number again; else the sign of a zero,
            // which no sum but a zero shows.
            if !(settled(place[0]) & settled(place[1]) & settled(place[2])) {
                place = exactly_moved(positions[n], bones, weights);
            }
            let [x, y, z] = place;
            group.position[n] = [x, y, z, pick(&coordinates[n], roles.position_w)];
        }
        true
    }

    /// Where the two bones of each vertex begin in the constants; false if some are not there.
    #[inline(always)]
    fn rows<T: Real>(
        &self,
        inputs: &[Vectors<T>; VERTEX_INPUTS],
        count: usize,
        floats: &[[f32; 4]],
        to: &mut [[u32; GROUP]; 2],
    ) -> bool {
        let first = self.first_rows(floats);
        let mut inside = true;
        for (to, index) in to.iter_mut().zip(self.roles.indices) {
            let values = &inputs[usize::from(index.register) & (VERTEX_INPUTS - 1)];
            for (to, value) in to.iter_mut().zip(values).take(count) {
                let (row, there) = first(value[usize::from(index.component & 3)]);
                inside &= there;
                *to = row;
            }
        }
        inside
    }

    /// Where the bone of an index begins in the constants, and whether all of it is there.
    #[inline(always)]
    pub(super) fn first_rows<T: Real>(&self, floats: &[[f32; 4]]) -> impl Fn(T) -> (u32, bool) {
        let constant = |scalar: Scalar| {
            let value = floats.get(usize::from(scalar.register));
            T::of(value.map_or(0.0, |value| value[usize::from(scalar.component & 3)]))
        };
        let (scale, offset) = (constant(self.roles.scale), constant(self.roles.offset));
        // Whole numbers of that size are exact in any rounding mode. Three rows begin at `last`
        // at the latest.
        let palette = f32::from(self.roles.palette);
        let last = floats.len().min(MOST_ROWS) as f32 - 3.0;
        move |index| {
            let moved = float::mul(index, scale) + offset;
            let row = moved.floor().get() + palette;
            // Of what is no number neither holds.
            let inside = (row >= 0.0) & (row <= last);
            // The last bits of the sum are the whole number.
            ((row + WHOLE).to_bits() & 0x007F_FFFF, inside)
        }
    }
}

/// Rows that addresses reach: all that a Direct3D 9 device has, and more.
const MOST_ROWS: usize = 1 << 16;

/// 2^23: a number to it is rounded to a whole one.
const WHOLE: f32 = 8_388_608.0;

/// How unusual a number is: from [`UNUSUAL`] on for infinities, what is no number, and zeros.
#[inline(always)]
pub(super) fn unusual<T: Real>(x: T) -> u32 {
    let magnitude = x.get().to_bits() & 0x7FFF_FFFF;
    magnitude.wrapping_sub(1)
}

pub(super) const UNUSUAL: u32 = 0x7F7F_FFFF;

/// Whether a number is finite and not 0.
#[inline(always)]
pub(super) fn settled<T: Real>(x: T) -> bool {
    unusual(x) < UNUSUAL
}

/// The numbers of a bone's three rows.
#[inline(always)]
fn bone(floats: &[[f32; 4]], row: u32) -> &[f32; 12] {
    let rows = floats.get(row as usize..).unwrap_or(&[]);
    rows.as_flattened().first_chunk().unwrap_or(&[0.0; 12])
}

/// By Direct3D's rules for products and numbers.
#[cold]
#[inline(never)]
fn exactly_moved<T: Real>(position: [T; 4], bones: [&[f32; 12]; 2], weights: [T; 2]) -> [T; 3] {
    moved(position, bones, weights, float::mul).map(float::number)
}

/// The same of products that go by the rules already.
#[cold]
#[inline(never)]
pub(super) fn exactly<T: Real, const N: usize>(moved: impl FnOnce() -> [T; N]) -> [T; N] {
    moved().map(float::number)
}

/// A position moved by two bones.
#[inline(always)]
fn moved<T: Real>(
    [x, y, z, w]: [T; 4],
    bones: [&[f32; 12]; 2],
    weights: [T; 2],
    mul: impl Fn(T, T) -> T,
) -> [T; 3] {
    // Twelve at once, whole vectors of them.
    let position = [x, y, z, w, x, y, z, w, x, y, z, w];
    let mut products = [weights[0]; 12];
    for (to, row) in products.iter_mut().zip(bones[0]) {
        *to = mul(weights[0], T::of(*row));
    }
    for (to, row) in products.iter_mut().zip(bones[1]) {
        *to = mul(weights[1], T::of(*row)) + *to;
    }
    for (to, position) in products.iter_mut().zip(position) {
        *to = mul(position, *to);
    }
    let sum = |n: usize| products[n] + products[n + 1] + products[n + 2] + products[n + 3];
    [sum(0), sum(4), sum(8)]
}
