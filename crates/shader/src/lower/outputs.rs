//! Results: what a function returns.

use super::Lowerer;
use super::registers::{self, Lane, Slot, gather, one};
use crate::abi;
use crate::build::{Epilogue, Expr, Known, UniformBlock, color_interpolation};
use crate::{Fog, Link};
use naga::{
    BinaryOperator, Binding, BuiltIn, Expression, FunctionResult, Handle, MathFunction, Scalar,
    Statement, StructMember, Type, TypeInner,
};
use ninefold_bytecode::{Usage, WriteMask};

/// Room for a member of the result struct: the largest is eight clip distances. Results lie in
/// no buffer, so the layout only has to be free of overlap.
const MEMBER_BYTES: u32 = 32;

/// Values by varying location.
type Varyings = [Option<Expr>; abi::VARYING_COUNT as usize];

/// Members of the result, in the order they are declared.
#[derive(Default)]
struct Results {
    members: Vec<StructMember>,
    values: Vec<Expr>,
}

impl Results {
    fn push(&mut self, name: String, ty: Handle<Type>, binding: Binding, value: Expr) {
        let offset = MEMBER_BYTES * self.members.len() as u32;
        self.members.push(StructMember {
            name: Some(name),
            ty,
            binding: Some(binding),
            offset,
        });
        self.values.push(value);
    }
}

impl Lowerer<'_> {
    fn slot_lanes(&mut self, slot: Slot) -> [Lane; 4] {
        self.registers.lanes(&mut self.b, &mut self.locals, slot)
    }

    fn slot_value(&mut self, slot: Slot) -> Expr {
        let lanes = self.slot_lanes(slot);
        gather(&mut self.b, Scalar::F32, &lanes)
    }

    fn is_written(&self, slot: Slot) -> bool {
        self.scan.written >> slot & 1 != 0
    }

    /// Builds the vertex function's result.
    pub(super) fn vertex_result(&mut self) -> Expr {
        let vec4 = self.b.types.vec4;
        let mut results = Results::default();
        let (position, point_size, mut varyings) = match self.version.major {
            3 => self.declared_outputs(),
            _ => self.fixed_outputs(),
        };
        if self.options.fog_depth {
            let depth = self.b.at(position, 2);
            varyings[abi::FOG_LOCATION as usize] = Some(self.b.splat(depth, 4));
        }
        let shown = match self.options.depth_bias {
            true => self.b.depth_biased(position),
            false => position,
        };
        // The same program may be drawn again with another pixel shader and a depth test
        // for equality.
        let position_binding = Binding::BuiltIn(BuiltIn::Position { invariant: true });
        results.push("position".into(), vec4, position_binding, shown);
        for (location, value) in varyings.into_iter().enumerate() {
            let Some(value) = value else { continue };
            let location = location as u32;
            self.reflection.outputs_mask |= 1 << location;
            let binding = color_interpolation(location, self.options.flat_shading, false);
            results.push(format!("out{location}"), vec4, binding, value);
        }
        let (wraps, corners) = (self.options.wraps, self.options.corners);
        let coordinate = |set: u32| varyings[(abi::TEXCOORD_LOCATION + set) as usize];
        for (n, (binding, value)) in (0..).zip(self.b.wrap_outputs(wraps, corners, coordinate)) {
            results.push(format!("wrap{n}"), vec4, binding, value);
        }
        let planes = self.options.clip_planes;
        if let Some(distances) = self.b.clip_distances(planes, position, position) {
            let binding = Binding::BuiltIn(BuiltIn::ClipDistances);
            results.push("clip".into(), distances.ty, binding, distances.value);
        }
        if self.options.point_size {
            let path = [abi::vertex_member::MISC, 0];
            let misc = self.b.uniform_value(UniformBlock::VertexExtras, &path);
            let size = match point_size {
                Some(size) => {
                    let [least, most] = [1, 2].map(|i| self.b.at(misc, i));
                    let size = self.b.math2(MathFunction::Max, size, least);
                    self.b.math2(MathFunction::Min, size, most)
                }
                None => self.b.at(misc, 0),
            };
            let binding = Binding::BuiltIn(BuiltIn::PointSize);
            results.push("point_size".into(), self.b.types.f32, binding, size);
        }
        self.returned("VertexOutput", results)
    }

    /// oPos, oPts, and oFog, oD#, oT# by location.
    fn fixed_outputs(&mut self) -> (Expr, Option<Expr>, Varyings) {
        let position = self.slot_value(registers::POSITION);
        let mut varyings = [None; abi::VARYING_COUNT as usize];
        for i in 0..2 {
            let slot = registers::COLOR + i;
            if self.is_written(slot) {
                self.partial_color |= i == 0;
                let value = self.slot_value(slot);
                let value = self.b.math1(MathFunction::Saturate, value);
                varyings[abi::COLOR_LOCATION as usize + i] = Some(value);
            }
        }
        for i in 0..8 {
            let slot = registers::TEXCOORD + i;
            if self.is_written(slot) {
                varyings[abi::TEXCOORD_LOCATION as usize + i] = Some(self.slot_value(slot));
            }
        }
        if self.is_written(registers::FOG) {
            let lane = self.slot_lanes(registers::FOG)[0];
            let factor = one(&mut self.b, lane);
            let factor = self.b.math1(MathFunction::Saturate, factor);
            varyings[abi::FOG_LOCATION as usize] = Some(self.b.splat(factor, 4));
        }
        let point_size = match self.options.point_size && self.is_written(registers::POINT_SIZE) {
            true => {
                let lane = self.slot_lanes(registers::POINT_SIZE)[0];
                Some(one(&mut self.b, lane))
            }
            false => None,
        };
        (position, point_size, varyings)
    }

    /// The `dcl`ed outputs of vs_3_0: position, point size, and the others by location.
    fn declared_outputs(&mut self) -> (Expr, Option<Expr>, Varyings) {
        let zero = Lane::scalar(self.b.lit(0.0), Known::Finite);
        let white = Lane::scalar(self.b.lit(1.0), Known::NonZero);
        let mut color_mask = 0;
        let mut position = [zero; 4];
        let mut point_size = None;
        let mut lanes = [None; abi::VARYING_COUNT as usize];
        let mut linked = Link::default();
        for declared in std::mem::take(&mut self.scan.outputs) {
            let slot = registers::FIRST_OUTPUT + usize::from(declared.register & 15);
            if !self.is_written(slot) {
                continue;
            }
            let mut from = self.slot_lanes(slot);
            let semantic = (declared.usage, declared.index);
            let mut mask = declared.mask;
            if declared.usage == Usage::Fog {
                // The factor is one number, wherever the mask put it.
                let first = mask.components().next().unwrap_or(0);
                from = [from[first]; 4];
                mask = WriteMask::ALL;
            }
            for (register, wanted) in self.options.link.wanted() {
                for component in mask.components() {
                    if wanted[component] == Some(semantic) {
                        let location = abi::LINKED_LOCATION as usize + register;
                        lanes[location].get_or_insert([zero; 4])[component] = from[component];
                        linked.set(register, component, semantic.0, semantic.1);
                    }
                }
            }
            let target = match semantic {
                (Usage::Position, 0) => &mut position,
                (Usage::PSize, 0) => {
                    let first = mask.components().next().unwrap_or(0);
                    point_size = Some(one(&mut self.b, from[first]));
                    continue;
                }
                (usage, index) => match abi::varying_location(usage, index) {
                    Some(abi::COLOR_LOCATION) => {
                        color_mask |= mask.bits();
                        let start = if self.options.zero_color { zero } else { white };
                        lanes[abi::COLOR_LOCATION as usize].get_or_insert([start; 4])
                    }
                    Some(location) => lanes[location as usize].get_or_insert([zero; 4]),
                    None => continue,
                },
            };
            for component in mask.components() {
                target[component] = from[component];
            }
        }
        self.partial_color = !matches!(color_mask, 0 | 0xF);
        // What it does not write does not make it another function.
        self.options.link = linked;
        let position = gather(&mut self.b, Scalar::F32, &position);
        let varyings =
            lanes.map(|lanes| lanes.map(|lanes| gather(&mut self.b, Scalar::F32, &lanes)));
        (position, point_size, varyings)
    }

    /// Builds the pixel function's result, with alpha test and fog.
    pub(super) fn pixel_result(&mut self) -> Expr {
        if self.is_written(registers::KILLED) {
            let killed = self.slot_lanes(registers::KILLED)[0].expr;
            self.b.if_then(killed, |b| b.push(Statement::Kill));
        }
        let mut results = Results::default();
        let vec4 = self.b.types.vec4;
        let ps1 = self.version.major == 1;
        let epilogue = Epilogue {
            alpha_func: self.options.alpha_func,
            fog: if self.version.major >= 3 {
                Fog::None
            } else {
                self.options.fog
            },
        };
        let position = epilogue.reads_position().then(|| self.fragment_position());
        let factor = epilogue.reads_fog_varying().then(|| self.fog_factor());
        for output in 0..4 {
            let slot = if ps1 {
                0
            } else {
                registers::FIRST_OUTPUT + output
            };
            let written = self.is_written(slot);
            if output > 0 && (ps1 || !written) {
                continue;
            }
            // Colour 0 is there even when it is not written, so that a function of depth or discards
            // alone still has an alpha to test and a result. Its target is left alone.
            let mut value = self.slot_value(slot);
            if output == 0 {
                value = self.b.epilogue(epilogue, value, position, factor);
            }
            if ps1 || written {
                value = self.for_target(output, value);
                self.reflection.color_outputs |= 1 << output;
            }
            if output == 0 && self.options.whole_floats {
                value = self.b.whole_floats(value);
            }
            let binding = Binding::Location {
                location: output as u32,
                interpolation: None,
                sampling: None,
                blend_src: None,
                per_primitive: false,
            };
            results.push(format!("color{output}"), vec4, binding, value);
        }
        if self.is_written(registers::DEPTH) {
            self.reflection.writes_depth = true;
            let lane = self.slot_lanes(registers::DEPTH)[0];
            let depth = one(&mut self.b, lane);
            let binding = Binding::BuiltIn(BuiltIn::FragDepth);
            results.push("depth".into(), self.b.types.f32, binding, depth);
        }
        self.returned("PixelOutput", results)
    }

    /// A colour as its target's format wants it.
    fn for_target(&mut self, output: usize, color: Expr) -> Expr {
        let srgb = self.options.srgb_outputs >> output & 1 != 0;
        let opaque = self.options.opaque_outputs >> output & 1 != 0;
        if !srgb && !opaque {
            return color;
        }
        let mut rgb = self.b.xyz(color);
        if srgb {
            rgb = self.srgb_encoded(rgb);
        }
        let alpha = match opaque {
            true => self.b.lit(1.0),
            false => self.b.at(color, 3),
        };
        self.b.compose(4, vec![rgb, alpha])
    }

    /// Three linear values in the sRGB encoding.
    fn srgb_encoded(&mut self, rgb: Expr) -> Expr {
        let [limit, slope, power, scale, offset] =
            [0.003_130_8, 12.92, 1.0 / 2.4, 1.055, 0.055].map(|number| self.b.lit_n(number, 3));
        let rgb = self.b.math1(MathFunction::Saturate, rgb);
        let low = self.b.times(rgb, slope);
        let high = self.b.math2(MathFunction::Pow, rgb, power);
        let high = self.b.times(high, scale);
        let high = self.b.sub(high, offset);
        let is_low = self.b.bin(BinaryOperator::LessEqual, rgb, limit);
        self.b.select(is_low, low, high)
    }

    /// Makes `results` the function's result: a struct, or the one value itself.
    fn returned(&mut self, name: &str, mut results: Results) -> Expr {
        if results.values.len() == 1 {
            let member = results.members.remove(0);
            let result = FunctionResult {
                ty: member.ty,
                binding: member.binding,
            };
            self.b.function().result = Some(result);
            return results.values[0];
        }
        let span = MEMBER_BYTES * results.members.len() as u32;
        let inner = TypeInner::Struct {
            members: results.members,
            span,
        };
        let ty = self.b.named_type(name, inner);
        self.b.function().result = Some(FunctionResult { ty, binding: None });
        self.b.e(Expression::Compose {
            ty,
            components: results.values,
        })
    }
}
