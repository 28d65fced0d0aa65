//! The fixed-function fragment: the texture-stage cascade, specular, alpha
//! test and fog.

use naga::{Binding, BuiltIn, MathFunction, Module, SampleLevel, ShaderStage};

use super::code::{Outputs, argument, divide, dot, finish, saturate};
use super::fragment_key::{FragmentKey, FragmentStage, fragment_flag, fragment_fog};
use super::op::{self, arg};
use crate::abi::{self, pixel_member};
use crate::build::{Builder, Epilogue, Expr, UniformBlock, color_interpolation};
use crate::{
    CompareFunc, FloatRules, Fog, FogCurve, FogDepth, Reflection, SamplerKind, SamplerUse, Stage,
    texels,
};

/// A colour of the cascade, kept in two parts because the two operations of a
/// stage usually differ.
#[derive(Clone, Copy)]
struct Color {
    rgb: Expr,
    alpha: Expr,
}

/// What a bump stage leaves for the next one.
#[derive(Clone, Copy)]
struct Bump {
    /// Added to the coordinate.
    offset: Expr,
    /// Scales the texture's colour.
    luminance: Option<Expr>,
}

struct Fragment {
    b: Builder,
    key: FragmentKey,
    reflection: Reflection,
    inputs: [Option<Expr>; abi::VARYING_COUNT as usize],
    point_place: Option<Expr>,
    /// Stage being generated, its texture's colour and the two registers.
    stage: usize,
    texture: Option<Color>,
    /// The texel of the next stage, where this one premodulates it.
    next_texture: Option<Color>,
    current: Color,
    temporary: Option<Color>,
}

/// Generates the function of a valid key in normal form.
pub(super) fn generate(key: &FragmentKey, entry: String) -> (Module, Reflection) {
    let mut b = Builder::new(FloatRules::Ieee);
    let nothing = b.lit(0.0);
    let mut fragment = Fragment {
        b,
        key: *key,
        reflection: Reflection::new(Stage::Pixel),
        inputs: [None; abi::VARYING_COUNT as usize],
        point_place: None,
        stage: 0,
        texture: None,
        next_texture: None,
        current: Color {
            rgb: nothing,
            alpha: nothing,
        },
        temporary: None,
    };
    let color = fragment.cascade();
    let epilogue = fragment.epilogue();
    let position = epilogue.reads_position().then(|| fragment.position());
    let factor = epilogue.reads_fog_varying().then(|| {
        let fog = fragment.input(abi::FOG_LOCATION);
        fragment.b.at(fog, 0)
    });
    let mut color = fragment.b.epilogue(epilogue, color, position, factor);
    if key.flags & fragment_flag::WHOLE_FLOATS != 0 {
        color = fragment.b.whole_floats(color);
    }
    let mut outputs = Outputs::default();
    let binding = Binding::Location {
        location: 0,
        interpolation: None,
        sampling: None,
        blend_src: None,
        per_primitive: false,
    };
    outputs.add(fragment.b.types.vec4, 16, binding, color);
    fragment.reflection.color_outputs = 1;
    fragment.reflection.uses_extras = fragment.b.declares_extras();
    let module = finish(fragment.b, outputs, ShaderStage::Fragment, entry);
    (module, fragment.reflection)
}

impl Fragment {
    fn cascade(&mut self) -> Expr {
        self.current = self.varying_color(abi::COLOR_LOCATION);
        let mut bump = None;
        for n in 0..self.key.live_stages() {
            let stage = self.key.stages[n];
            self.stage = n;
            self.texture = match self.next_texture.take() {
                None => self.sample(n, bump),
                sampled => sampled,
            };
            bump = None;
            if stage.premodulates() && n + 1 < self.key.live_stages() {
                self.next_texture = self.sample(n + 1, None);
            }
            if op::is_bump(stage.color_op) {
                bump = self.bump(stage);
                continue;
            }
            let result = self.combine(stage);
            if stage.result == arg::TEMP {
                self.temporary = Some(result);
            } else {
                self.current = result;
            }
        }
        let Color { mut rgb, alpha } = self.current;
        if self.key.flags & fragment_flag::SPECULAR_ADD != 0 {
            let specular = self.varying_color(abi::COLOR_LOCATION + 1);
            // Not saturated: fog blends with the sum, only what is written is clamped.
            rgb = self.b.add(rgb, specular.rgb);
        }
        self.b.compose(4, vec![rgb, alpha])
    }

    fn epilogue(&self) -> Epilogue {
        let curve = match self.key.fog {
            fragment_fog::EXP_Z | fragment_fog::EXP_W | fragment_fog::EXP_VERTEX => FogCurve::Exp,
            fragment_fog::EXP2_Z | fragment_fog::EXP2_W | fragment_fog::EXP2_VERTEX => {
                FogCurve::Exp2
            }
            _ => FogCurve::Linear,
        };
        Epilogue {
            alpha_func: CompareFunc::from_d3d(self.key.alpha_func.into()).unwrap_or_default(),
            fog: match self.key.fog {
                fragment_fog::NONE => Fog::None,
                fragment_fog::VERTEX => Fog::Vertex,
                fragment_fog::FULL => Fog::Full,
                fragment_fog::EXP_Z..=fragment_fog::LINEAR_Z => Fog::Table(curve, FogDepth::Z),
                fragment_fog::EXP_W..=fragment_fog::LINEAR_W => Fog::Table(curve, FogDepth::W),
                _ => Fog::Table(curve, FogDepth::Vertex),
            },
        }
    }

    fn position(&mut self) -> Expr {
        let ty = self.b.types.vec4;
        let builtin = BuiltIn::Position { invariant: false };
        argument(&mut self.b, ty, Binding::BuiltIn(builtin))
    }

    /// The place in the point as a coordinate, (x, y, 0, 1).
    fn point_place(&mut self) -> Expr {
        if let Some(place) = self.point_place {
            return place;
        }
        let ty = self.b.types.vec2;
        let xy = argument(&mut self.b, ty, Binding::BuiltIn(BuiltIn::PointCoord));
        let [zero, one] = [0.0, 1.0].map(|v| self.b.lit(v));
        let place = self.b.compose(4, vec![xy, zero, one]);
        self.point_place = Some(place);
        place
    }

    /// The varying at `location`, or Direct3D's default where it is missing.
    fn input(&mut self, location: u32) -> Expr {
        if let Some(value) = self.inputs[location as usize] {
            return value;
        }
        self.reflection.inputs_mask |= 1 << location;
        let value = if self.key.missing_inputs & 1 << location != 0 {
            self.b.lit_n(abi::missing_input_value(location, 0)[0], 4)
        } else {
            let flat = self.key.flags & fragment_flag::FLAT != 0;
            let ty = self.b.types.vec4;
            let value = argument(&mut self.b, ty, color_interpolation(location, flat, false));
            match location.checked_sub(abi::TEXCOORD_LOCATION) {
                Some(set @ 0..=7) => self.b.unwrapped(self.key.wraps, set, value),
                _ => value,
            }
        };
        self.inputs[location as usize] = Some(value);
        value
    }

    fn varying_color(&mut self, location: u32) -> Color {
        let value = self.input(location);
        self.split(value)
    }

    fn split(&mut self, value: Expr) -> Color {
        Color {
            rgb: self.b.xyz(value),
            alpha: self.b.at(value, 3),
        }
    }

    fn extras(&mut self, path: &[u32]) -> Expr {
        self.b.uniform_value(UniformBlock::PixelExtras, path)
    }

    /// The colour of a stage's texture, when the stage reads one.
    fn sample(&mut self, n: usize, bump: Option<Bump>) -> Option<Color> {
        let stage = self.key.stages[n];
        let kind = stage.kind()?;
        let n = n as u32;
        let varying = if self.key.flags & fragment_flag::POINT_SPRITE != 0 {
            self.point_place()
        } else {
            self.input(abi::TEXCOORD_LOCATION + n)
        };
        let flat = kind == SamplerKind::D2;
        let mut coordinate = if flat {
            self.b.swizzle(varying, &[0, 1])
        } else {
            self.b.xyz(varying)
        };
        let size = if flat { 2 } else { 3 };
        let compares = flat && stage.sampler.texels == texels::COMPARE;
        let mut reference = compares.then(|| self.b.at(varying, 2));
        if stage.projected != 0 {
            let divisor = self.b.at(varying, u32::from(stage.projected) - 1);
            reference = reference.map(|depth| divide(&mut self.b, depth, divisor));
            let divisor = self.b.splat(divisor, size);
            coordinate = divide(&mut self.b, coordinate, divisor);
        }
        if let Some(bump) = bump {
            let offset = if flat {
                bump.offset
            } else {
                let zero = self.b.lit(0.0);
                self.b.compose(3, vec![bump.offset, zero])
            };
            coordinate = self.b.add(coordinate, offset);
        }
        let sampled = self.b.sampled(n, kind, stage.sampler);
        self.reflection.samplers.push(SamplerUse {
            register: n as u8,
            kind,
            compares,
        });
        let level = SampleLevel::Auto;
        let mut texel = self.b.sample(sampled, coordinate, reference, level);
        if let Some(luminance) = bump.and_then(|b| b.luminance) {
            texel = self.b.times(texel, luminance);
        }
        Some(self.split(texel))
    }

    /// `D3DTOP_BUMPENVMAP`: the texel's first two components through the
    /// stage's matrix, and its third as luminance.
    fn bump(&mut self, stage: FragmentStage) -> Option<Bump> {
        let texel = self.texture?;
        let n = self.stage as u32;
        let matrix = self.extras(&[pixel_member::BUMP_MATRICES, n]);
        let [first, second] = [[0, 1], [2, 3]].map(|lanes| self.b.swizzle(matrix, &lanes));
        let [du, dv, l] = [0, 1, 2].map(|i| self.b.at(texel.rgb, i));
        let along_u = self.b.times(first, du);
        let along_v = self.b.times(second, dv);
        let offset = self.b.add(along_u, along_v);
        let luminance = (stage.color_op == op::BUMPENVMAPLUMINANCE).then(|| {
            let factors = self.extras(&[pixel_member::BUMP_LUMINANCE, n]);
            let [scale, bias] = [0, 1].map(|i| self.b.at(factors, i));
            let scaled = self.b.times(l, scale);
            let biased = self.b.add(scaled, bias);
            saturate(&mut self.b, biased)
        });
        Some(Bump { offset, luminance })
    }

    /// Both operations of a stage, clamped.
    fn combine(&mut self, stage: FragmentStage) -> Color {
        if stage.color_op == op::DOTPRODUCT3 {
            let sum = self.dot3(stage.color_args);
            let sum = saturate(&mut self.b, sum);
            return Color {
                rgb: self.b.splat(sum, 3),
                alpha: sum,
            };
        }
        let rgb = self.operate(stage.color_op, stage.color_args, 3);
        let alpha = match stage.alpha_op {
            0 => self.current.alpha,
            op::DOTPRODUCT3 => self.dot3(stage.alpha_args),
            code => self.operate(code, stage.alpha_args, 1),
        };
        Color {
            rgb: saturate(&mut self.b, rgb),
            alpha: saturate(&mut self.b, alpha),
        }
    }

    fn dot3(&mut self, args: [u8; 3]) -> Expr {
        let one = self.b.lit_n(1.0, 3);
        let two = self.b.lit(2.0);
        let [x, y] = [args[1], args[2]].map(|code| {
            let value = self.argument(code, 3);
            let doubled = self.b.times(value, two);
            self.b.sub(doubled, one)
        });
        dot(&mut self.b, x, y)
    }

    /// An argument in `size` components: 3 for colour, 1 for alpha.
    fn argument(&mut self, code: u8, size: usize) -> Expr {
        let source = self.source(code & arg::SELECT);
        let mut value = match size {
            1 => source.alpha,
            _ if code & arg::ALPHA_REPLICATE != 0 => self.b.splat(source.alpha, size),
            _ => source.rgb,
        };
        if code & arg::COMPLEMENT != 0 {
            let one = self.b.lit_n(1.0, size);
            value = self.b.sub(one, value);
        }
        value
    }

    fn source(&mut self, selector: u8) -> Color {
        let n = self.stage as u32;
        let value = match selector {
            arg::CURRENT => return self.current,
            arg::TEXTURE => return self.texel(),
            arg::TEMP => match self.temporary {
                Some(value) => return value,
                None => self.b.lit_n(0.0, 4),
            },
            arg::FACTOR => self.extras(&[pixel_member::TEXTURE_FACTOR]),
            arg::CONSTANT => self.extras(&[pixel_member::STAGE_CONSTANTS, n]),
            arg::SPECULAR => self.input(abi::COLOR_LOCATION + 1),
            _ => self.input(abi::COLOR_LOCATION),
        };
        self.split(value)
    }

    /// The stage's texel; opaque black without a texture.
    fn texel(&mut self) -> Color {
        match self.texture {
            Some(color) => color,
            None => Color {
                rgb: self.b.lit_n(0.0, 3),
                alpha: self.b.lit(1.0),
            },
        }
    }

    /// The alpha that one of the `BLEND...ALPHA` operations blends by.
    fn blend_alpha(&mut self, code: u8) -> Expr {
        match code {
            op::BLENDDIFFUSEALPHA => self.source(arg::DIFFUSE).alpha,
            op::BLENDFACTORALPHA => self.source(arg::FACTOR).alpha,
            op::BLENDCURRENTALPHA => self.current.alpha,
            _ => self.texel().alpha,
        }
    }

    /// One operation in `size` components, not clamped.
    fn operate(&mut self, code: u8, args: [u8; 3], size: usize) -> Expr {
        let mask = op::arg_mask(code);
        let nothing = self.b.lit(0.0);
        let mut operands = [nothing; 3];
        for i in (0..3).filter(|i| mask & 1 << i != 0) {
            operands[i] = self.argument(args[i], size);
        }
        let [a0, a1, a2] = operands;
        match code {
            op::SELECTARG1 => a1,
            op::SELECTARG2 => a2,
            op::MODULATE => self.b.times(a1, a2),
            op::MODULATE2X | op::MODULATE4X => {
                let product = self.b.times(a1, a2);
                let scale = self.b.lit(if code == op::MODULATE2X { 2.0 } else { 4.0 });
                self.b.times(product, scale)
            }
            op::ADD => self.b.add(a1, a2),
            op::ADDSIGNED | op::ADDSIGNED2X => {
                let sum = self.b.add(a1, a2);
                let half = self.b.lit_n(0.5, size);
                let sum = self.b.sub(sum, half);
                if code == op::ADDSIGNED {
                    return sum;
                }
                let two = self.b.lit(2.0);
                self.b.times(sum, two)
            }
            op::SUBTRACT => self.b.sub(a1, a2),
            op::ADDSMOOTH => {
                let rest = self.complement(a1, size);
                let product = self.b.times(a2, rest);
                self.b.add(a1, product)
            }
            op::BLENDDIFFUSEALPHA
            | op::BLENDTEXTUREALPHA
            | op::BLENDFACTORALPHA
            | op::BLENDCURRENTALPHA => {
                let alpha = self.blend_alpha(code);
                let alpha = self.b.splat(alpha, size);
                self.b.math3(MathFunction::Mix, a2, a1, alpha)
            }
            op::BLENDTEXTUREALPHAPM => {
                let alpha = self.texel().alpha;
                let rest = self.complement(alpha, 1);
                let product = self.b.times(a2, rest);
                self.b.add(a1, product)
            }
            op::MULTIPLYADD => {
                let product = self.b.times(a1, a2);
                self.b.add(a0, product)
            }
            op::LERP => self.b.math3(MathFunction::Mix, a2, a1, a0),
            op::PREMODULATE => match self.next_texture {
                Some(next) => {
                    let next = if size == 1 { next.alpha } else { next.rgb };
                    self.b.times(a1, next)
                }
                None => a1,
            },
            _ => self.modulate_add(code, args, [a1, a2], size),
        }
    }

    /// Operations 18 to 21, which mix the colour and the alpha of argument 1.
    fn modulate_add(&mut self, code: u8, args: [u8; 3], [a1, a2]: [Expr; 2], size: usize) -> Expr {
        let alpha = self.argument(args[1], 1);
        match code {
            op::MODULATEALPHA_ADDCOLOR => {
                let product = self.b.times(a2, alpha);
                self.b.add(a1, product)
            }
            op::MODULATECOLOR_ADDALPHA => {
                let product = self.b.times(a1, a2);
                let alpha = self.b.splat(alpha, size);
                self.b.add(product, alpha)
            }
            op::MODULATEINVALPHA_ADDCOLOR => {
                let rest = self.complement(alpha, 1);
                let product = self.b.times(a2, rest);
                self.b.add(a1, product)
            }
            _ => {
                let rest = self.complement(a1, size);
                let product = self.b.times(rest, a2);
                let alpha = self.b.splat(alpha, size);
                self.b.add(product, alpha)
            }
        }
    }

    fn complement(&mut self, value: Expr, size: usize) -> Expr {
        let one = self.b.lit_n(1.0, size);
        self.b.sub(one, value)
    }
}
