//! The fixed-function vertex function: position, texture coordinates, fog.

use naga::{BinaryOperator, Binding, BuiltIn, MathFunction, Module, ScalarKind, ShaderStage};

use super::block::{MAX_PALETTE, row};
use super::code::{Outputs, argument, at_least, divide, dot, finish, normalize};
use super::vertex_key::{
    TWEEN, VertexKey, coordinate, input, light_type, point, position, vertex_flag, vertex_fog,
};
use crate::abi::{self, vertex_member};
use crate::build::{Builder, Expr, UniformBlock, color_interpolation, perspective};
use crate::{Attribute, ConstRange, FloatRules, Reflection, Stage, Usage};

/// A vertex function being generated.
pub(super) struct Vertex {
    pub(super) b: Builder,
    pub(super) key: VertexKey,
    ranges: Vec<ConstRange>,
    attributes: Vec<Attribute>,
    /// Exprs of the vertex's elements, in the order of [`ELEMENTS`], then of
    /// the eight coordinate sets.
    elements: [Option<Expr>; 16],
    /// Vertex (four components) and normal in view space, where anything asks for them.
    pub(super) view_position: Option<Expr>,
    pub(super) view_normal: Option<Expr>,
}

/// Semantics by bit of [`input`].
const ELEMENTS: [(Usage, u8); 7] = [
    (Usage::Position, 0),
    (Usage::Normal, 0),
    (Usage::Color, 0),
    (Usage::Color, 1),
    (Usage::BlendWeight, 0),
    (Usage::BlendIndices, 0),
    (Usage::PSize, 0),
];

/// Generates the function of a key in normal form.
pub(super) fn generate(key: &VertexKey, entry: String) -> (Module, Reflection) {
    let mut vertex = Vertex {
        b: Builder::new(FloatRules::Ieee),
        key: *key,
        ranges: ranges(key),
        attributes: Vec::new(),
        elements: [None; 16],
        view_position: None,
        view_normal: None,
    };
    let packed_floats = vertex.ranges.iter().map(|r| r.count).sum();
    if key.palette != 0 {
        vertex.b.large_rows = u32::from(packed_floats);
    }
    vertex.declare_elements();
    let clip = vertex.position();
    let place = match key.flags & vertex_flag::DEPTH_BIAS {
        0 => clip,
        _ => vertex.b.depth_biased(clip),
    };
    let mut outputs = Outputs::default();
    let mut written = 0;
    let vec4 = vertex.b.types.vec4;
    let builtin = BuiltIn::Position { invariant: true };
    outputs.add(vec4, 16, Binding::BuiltIn(builtin), place);
    let flat = key.flags & vertex_flag::FLAT != 0;
    for (at, color) in (abi::COLOR_LOCATION..).zip(vertex.colors()) {
        outputs.add(vec4, 16, color_interpolation(at, flat, false), color);
        written |= 1 << at;
    }
    let mut coordinates = [None; 8];
    for (n, stage) in key.stages.iter().enumerate() {
        if stage.source != coordinate::NONE {
            let value = vertex.coordinate(n, *stage);
            let at = abi::TEXCOORD_LOCATION + n as u32;
            outputs.add(vec4, 16, perspective(at), value);
            written |= 1 << at;
            coordinates[n] = Some(value);
        }
    }
    let wrapped = vertex
        .b
        .wrap_outputs(key.wraps, key.corners, |set| coordinates[set as usize]);
    for (binding, value) in wrapped {
        outputs.add(vec4, 16, binding, value);
    }
    if let Some(fog) = vertex.fog(clip) {
        outputs.add(vec4, 16, perspective(abi::FOG_LOCATION), fog);
        written |= 1 << abi::FOG_LOCATION;
    }
    if key.points != 0 {
        let size = vertex.point_size();
        let f32 = vertex.b.types.f32;
        outputs.add(f32, 16, Binding::BuiltIn(BuiltIn::PointSize), size);
    }
    vertex.clip_distances(clip, &mut outputs);
    let mut reflection = Reflection::new(Stage::Vertex);
    reflection.packed_floats = packed_floats;
    reflection.large.floats = key.palette != 0;
    reflection.float_ranges = vertex.ranges;
    reflection.attributes = vertex.attributes;
    reflection.outputs_mask = written;
    reflection.uses_extras = vertex.b.declares_extras();
    (
        finish(vertex.b, outputs, ShaderStage::Vertex, entry),
        reflection,
    )
}

/// The sections of the block a key reads, packed one after the other.
fn ranges(key: &VertexKey) -> Vec<ConstRange> {
    let blended = key.blends();
    let lit = key.flags & vertex_flag::LIGHTING != 0;
    let indexed = key.flags & vertex_flag::INDEXED_BLEND != 0;
    let object = key.position == position::OBJECT;
    let view = key.reads_view_position();
    let normal = key.inputs & input::NORMAL != 0;
    let mut sections = vec![
        (object && !blended, row::WORLD_VIEW_PROJECTION, 4),
        (object && !blended && view, row::WORLD_VIEW, 4),
        (normal && !blended, row::NORMAL, 3),
        (blended, row::PROJECTION, 4),
    ];
    for (n, stage) in key.stages.iter().enumerate() {
        sections.push((stage.transform != 0, row::TEXTURE + 4 * n as u16, 4));
    }
    let lights = key.light_types != 0;
    let fog_mode = key.fog_has_curve();
    let palette = if indexed {
        palette_len(key) as u16
    } else {
        u16::from(key.blend_matrices)
    };
    sections.extend([
        (lit, row::MATERIAL, 5),
        (lights, row::LIGHT_COUNTS, row::FOG - row::LIGHT_COUNTS),
        (fog_mode, row::FOG, 1),
        (key.points != 0, row::POINT, 1),
        (key.points & point::SCALE != 0, row::POINT + 1, 1),
        (blended, row::PALETTE, palette * row::PALETTE_ROWS),
    ]);
    let mut ranges: Vec<ConstRange> = Vec::new();
    let mut packed_at = 0;
    for (_, first, count) in sections.into_iter().filter(|(used, ..)| *used) {
        match ranges.last_mut() {
            Some(last) if last.first + last.count == first => last.count += count,
            _ => ranges.push(ConstRange {
                first,
                count,
                packed_at,
            }),
        }
        packed_at += count;
    }
    ranges
}

/// Matrices that indices can name.
fn palette_len(key: &VertexKey) -> usize {
    match key.palette {
        0 => MAX_PALETTE,
        n => n.into(),
    }
}

impl Vertex {
    /// Place of a row of the block in the packed constants.
    pub(super) fn packed(&self, row: u16) -> u32 {
        self.ranges
            .iter()
            .find(|r| (r.first..r.first + r.count).contains(&row))
            .map_or(0, |r| u32::from(r.packed_at + row - r.first))
    }

    /// A row of the block.
    pub(super) fn row(&mut self, row: u16) -> Expr {
        let at = self.packed(row);
        let value = self.b.uniform_value(self.block(), &[at]);
        self.floats(value)
    }

    /// The buffer that the block is in.
    fn block(&self) -> UniformBlock {
        match self.key.palette {
            0 => UniformBlock::VertexConstants,
            _ => UniformBlock::VertexLarge,
        }
    }

    /// A row as floats: the storage buffer has words.
    fn floats(&mut self, row: Expr) -> Expr {
        match self.key.palette {
            0 => row,
            _ => self.b.cast(row, ScalarKind::Float, None),
        }
    }

    /// A row of the block at a packed place known only at run time.
    pub(super) fn row_at(&mut self, index: Expr) -> Expr {
        let rows = self.b.uniform(self.block());
        let base = self.b.global(rows);
        let pointer = self.b.e(naga::Expression::Access { base, index });
        let value = self.b.load(pointer);
        self.floats(value)
    }

    fn declare_elements(&mut self) {
        let read = self.key.read_inputs();
        let mut elements = self.elements;
        for (bit, element) in elements.iter_mut().enumerate() {
            let mask = 1 << bit;
            if read & mask == 0 {
                continue;
            }
            let (usage, index) = match bit {
                0 if self.key.position == position::PIXELS => (Usage::PositionT, 0),
                4 if self.key.blend_matrices == TWEEN => (Usage::Position, 1),
                5 if self.key.blend_matrices == TWEEN => (Usage::Normal, 1),
                0..=6 => ELEMENTS[bit],
                _ => (Usage::TexCoord, (bit - 8) as u8),
            };
            let at = self.attributes.len() as u32;
            self.attributes.push(Attribute {
                usage,
                index,
                register: at as u16,
            });
            let scalar = if self.key.uint_inputs & mask != 0 {
                naga::Scalar::U32
            } else if self.key.sint_inputs & mask != 0 {
                naga::Scalar::I32
            } else {
                naga::Scalar::F32
            };
            let ty = self.b.vector_ty(scalar, 4);
            let binding = Binding::Location {
                location: at,
                interpolation: None,
                sampling: None,
                blend_src: None,
                per_primitive: false,
            };
            let raw = argument(&mut self.b, ty, binding);
            *element = Some(if scalar == naga::Scalar::F32 {
                raw
            } else {
                self.b.cast(raw, ScalarKind::Float, Some(4))
            });
        }
        self.elements = elements;
    }

    /// The value of an element, by its bit of [`input`].
    pub(super) fn element(&self, bit: u16) -> Option<Expr> {
        self.elements[bit.trailing_zeros() as usize & 15]
    }

    /// The clip-space position; leaves the view-space vectors behind.
    fn position(&mut self) -> Expr {
        let zero = self.b.lit(0.0);
        let raw = self.element(input::POSITION).unwrap_or(zero);
        match self.key.position {
            position::PIXELS => self.pixels_to_clip(raw),
            position::CLIP => raw,
            _ if self.key.blends() => self.blend(raw),
            _ => {
                let raw = self.tweened(raw, input::TWEEN_POSITION);
                if self.key.reads_view_position() {
                    self.view_position = Some(self.project(raw, row::WORLD_VIEW));
                }
                if let Some(normal) = self.element(input::NORMAL) {
                    let normal = self.tweened(normal, input::TWEEN_NORMAL);
                    let normal = self.b.xyz(normal);
                    let parts = [0, 1, 2].map(|j| {
                        let column = self.row(row::NORMAL + j);
                        let column = self.b.xyz(column);
                        dot(&mut self.b, normal, column)
                    });
                    let normal = self.b.compose(3, parts.to_vec());
                    self.set_normal(normal);
                }
                self.project(raw, row::WORLD_VIEW_PROJECTION)
            }
        }
    }

    /// An element on its way to the one that `bit` stands for.
    fn tweened(&mut self, from: Expr, bit: u16) -> Expr {
        let to = match self.key.blend_matrices {
            TWEEN => self.element(bit),
            _ => None,
        };
        let Some(to) = to else { return from };
        let path = [vertex_member::MISC, 2];
        let factor = self.b.uniform_value(UniformBlock::VertexExtras, &path);
        let factor = self.b.at(factor, 0);
        let factor = self.b.splat(factor, 4);
        self.b.math3(MathFunction::Mix, from, to, factor)
    }

    fn project(&mut self, vector: Expr, first: u16) -> Expr {
        let parts = [0, 1, 2, 3].map(|j| {
            let column = self.row(first + j);
            dot(&mut self.b, vector, column)
        });
        self.b.compose(4, parts.to_vec())
    }

    fn set_normal(&mut self, normal: Expr) {
        let unit = self.key.flags & vertex_flag::NORMALIZE != 0;
        self.view_normal = Some(if unit {
            normalize(&mut self.b, normal)
        } else {
            normal
        });
    }

    /// `D3DRS_VERTEXBLEND`: the weighted sum of the vertex seen through each matrix.
    fn blend(&mut self, raw: Expr) -> Expr {
        let matrices = usize::from(self.key.blend_matrices);
        let weights = self.weights(matrices);
        let normal = self.element(input::NORMAL).map(|n| self.b.xyz(n));
        let mut position = None;
        let mut blended_normal = None;
        for (n, weight) in weights.into_iter().enumerate() {
            let columns = self.palette_columns(n);
            let accumulate = |b: &mut Builder, sum: &mut Option<Expr>, value| {
                let term = match weight {
                    Some(weight) => b.times(value, weight),
                    None => value,
                };
                *sum = Some(match *sum {
                    Some(sum) => b.add(sum, term),
                    None => term,
                });
            };
            let parts = columns.map(|column| dot(&mut self.b, raw, column));
            let seen = self.b.compose(3, parts.to_vec());
            accumulate(&mut self.b, &mut position, seen);
            if let Some(normal) = normal {
                let parts = columns.map(|column| {
                    let column = self.b.xyz(column);
                    dot(&mut self.b, normal, column)
                });
                let seen = self.b.compose(3, parts.to_vec());
                accumulate(&mut self.b, &mut blended_normal, seen);
            }
        }
        if let Some(normal) = blended_normal {
            self.set_normal(normal);
        }
        let zero = self.b.lit_n(0.0, 3);
        let position = position.unwrap_or(zero);
        let one = self.b.lit(1.0);
        let point = self.b.compose(4, vec![position, one]);
        self.view_position = Some(point);
        self.project(point, row::PROJECTION)
    }

    /// One weight a matrix; the last is what the others leave of 1. `None` is 1.
    fn weights(&mut self, matrices: usize) -> Vec<Option<Expr>> {
        if matrices == 1 {
            return vec![None];
        }
        let given = self.element(input::BLEND_WEIGHTS);
        let mut rest = self.b.lit(1.0);
        let mut weights = Vec::with_capacity(matrices);
        for n in 0..matrices as u32 - 1 {
            let weight = match given {
                Some(given) => self.b.at(given, n),
                None => self.b.lit(0.0),
            };
            rest = self.b.sub(rest, weight);
            weights.push(Some(weight));
        }
        weights.push(Some(rest));
        weights
    }

    /// The three columns of the matrix that blends `n`-th.
    fn palette_columns(&mut self, n: usize) -> [Expr; 3] {
        let Some(indices) = self
            .element(input::BLEND_INDICES)
            .filter(|_| self.key.flags & vertex_flag::INDEXED_BLEND != 0)
        else {
            let first = row::PALETTE + row::PALETTE_ROWS * n as u16;
            return [0, 1, 2].map(|j| self.row(first + j));
        };
        let mut index = self.b.at(indices, n as u32);
        if self.key.flags & vertex_flag::INDICES_NORMALIZED != 0 {
            let scale = self.b.lit(255.0);
            index = self.b.times(index, scale);
        }
        index = self.b.math1(MathFunction::Round, index);
        index = at_least(&mut self.b, index, 0.0);
        let last = self.b.lit(palette_len(&self.key) as f32 - 1.0);
        index = self.b.math2(MathFunction::Min, index, last);
        let index = self.b.cast(index, ScalarKind::Uint, Some(4));
        let rows = self.b.lit_u32(u32::from(row::PALETTE_ROWS));
        let index = self.b.times(index, rows);
        let base = self.packed(row::PALETTE);
        [0, 1, 2].map(|j| {
            let offset = self.b.lit_u32(base + j);
            let index = self.b.add(index, offset);
            self.row_at(index)
        })
    }

    /// A pretransformed vertex: pixels to normalised device coordinates,
    /// times w = 1/rhw so that interpolation is perspective correct.
    fn pixels_to_clip(&mut self, raw: Expr) -> Expr {
        let scale_offset = self
            .b
            .uniform_value(UniformBlock::VertexExtras, &[vertex_member::VIEWPORT_INV]);
        let xy = self.b.swizzle(raw, &[0, 1]);
        let scale = self.b.swizzle(scale_offset, &[0, 1]);
        let parts = [2, 3].map(|i| self.b.at(scale_offset, i));
        let offset = self.b.compose(2, parts.to_vec());
        let ndc = self.b.times(xy, scale);
        let ndc = self.b.add(ndc, offset);
        let rhw = self.b.at(raw, 3);
        let one = self.b.lit(1.0);
        let size = self.b.math1(MathFunction::Abs, rhw);
        let tiny = self.b.lit(1e-20);
        let usable = self.b.bin(BinaryOperator::Greater, size, tiny);
        let rhw = self.b.select(usable, rhw, one);
        let w = divide(&mut self.b, one, rhw);
        let z = self.b.at(raw, 2);
        let z = self.b.times(z, w);
        let xy = self.b.times(ndc, w);
        let parts = [0, 1].map(|i| self.b.at(xy, i));
        self.b.compose(4, vec![parts[0], parts[1], z, w])
    }

    /// Distances to the enabled user clip planes, which are given in view space, and in clip space
    /// for vertices that come in it.
    fn clip_distances(&mut self, clip: Expr, outputs: &mut Outputs) {
        let place = self.view_position.unwrap_or(clip);
        if let Some(distances) = self.b.clip_distances(self.key.clip_planes, place, clip) {
            let bytes = (4 * distances.count).next_multiple_of(16);
            let binding = Binding::BuiltIn(BuiltIn::ClipDistances);
            outputs.add(distances.ty, bytes, binding, distances.value);
        }
    }
}

impl VertexKey {
    /// The view-space position is needed for anything but the clip position.
    pub(super) fn reads_view_position(&self) -> bool {
        if self.position != position::OBJECT {
            return false;
        }
        let fog_mode = self.fog_has_curve() || self.fog == vertex_fog::VIEW_DEPTH;
        let local = self.flags & vertex_flag::LOCAL_VIEWER != 0;
        let near = self.light_types & !light_type::DIRECTIONAL != 0;
        let generated = self.stages.iter().any(|s| {
            matches!(
                s.source,
                coordinate::POSITION | coordinate::REFLECTION | coordinate::SPHERE
            )
        });
        let scaled = self.points & point::SCALE != 0;
        let clipped = self.clip_planes & !abi::CLIP_DEPTH != 0;
        clipped || fog_mode || local || near || generated || scaled
    }
}
