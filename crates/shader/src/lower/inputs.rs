//! Inputs: vertex attributes, varyings, built-in values.

use super::Lowerer;
use super::registers::{Lane, gather};
use super::scan::Declared;
use crate::abi;
use crate::build::{Expr, Known, color_interpolation};
use crate::reflection::Attribute;
use crate::{Link, Stage};
use naga::{Binding, BuiltIn, FunctionArgument, Scalar, ScalarKind};
use ninefold_bytecode::{Usage, WriteMask};

/// Values of the input registers.
#[derive(Default)]
pub(super) struct Inputs {
    /// `v#`.
    pub(super) registers: Lanes<16>,
    /// Registers that exist, for relative addressing.
    pub(super) declared: [bool; 16],
    /// `t#` of ps_1_4 and ps_2_x, and the coordinate sets of earlier versions.
    pub(super) coordinates: Lanes<8>,
    /// `vPos` and `vFace`.
    pub(super) misc: Lanes<2>,
    /// Arguments by varying location.
    varyings: [Option<Expr>; abi::VARYING_COUNT as usize],
    position: Option<Expr>,
    point: Option<[Lane; 4]>,
}

/// Lanes of `N` registers; zero until set.
pub(super) struct Lanes<const N: usize>(Option<[[Lane; 4]; N]>);

impl<const N: usize> Default for Lanes<N> {
    fn default() -> Self {
        Self(None)
    }
}

impl<const N: usize> std::ops::Index<usize> for Lanes<N> {
    type Output = [Lane; 4];

    fn index(&self, index: usize) -> &[Lane; 4] {
        &self
            .0
            .as_ref()
            .expect("inputs are declared before they are read")[index]
    }
}

impl<const N: usize> Lanes<N> {
    fn get_mut(&mut self, index: usize) -> &mut [Lane; 4] {
        &mut self
            .0
            .as_mut()
            .expect("inputs are declared before they are set")[index]
    }
}

/// Varying locations of the eight texture coordinate sets, as a mask.
pub(super) const TEXCOORDS: u32 = (1 << abi::FOG_LOCATION) - (1 << abi::TEXCOORD_LOCATION);

/// Usages of the input registers of a Direct3D 8 vertex shader, which declares none:
/// D3DVSDE_POSITION, BLENDWEIGHT, BLENDINDICES, NORMAL, PSIZE, DIFFUSE, SPECULAR,
/// TEXCOORD0-7, POSITION2.
const D3D8_USAGES: [(Usage, u8); 16] = [
    (Usage::Position, 0),
    (Usage::BlendWeight, 0),
    (Usage::BlendIndices, 0),
    (Usage::Normal, 0),
    (Usage::PSize, 0),
    (Usage::Color, 0),
    (Usage::Color, 1),
    (Usage::TexCoord, 0),
    (Usage::TexCoord, 1),
    (Usage::TexCoord, 2),
    (Usage::TexCoord, 3),
    (Usage::TexCoord, 4),
    (Usage::TexCoord, 5),
    (Usage::TexCoord, 6),
    (Usage::TexCoord, 7),
    (Usage::Position, 1),
];

impl Lowerer<'_> {
    /// Declares all inputs that are read, at the start of the function.
    pub(super) fn declare_inputs(&mut self) {
        let zero = Lane::scalar(self.b.lit(0.0), Known::Finite);
        self.inputs.registers.0 = Some([[zero; 4]; 16]);
        self.inputs.coordinates.0 = Some([[zero; 4]; 8]);
        self.inputs.misc.0 = Some([[zero; 4]; 2]);
        match self.version.stage {
            Stage::Vertex => self.vertex_attributes(),
            Stage::Pixel => self.pixel_inputs(),
        }
    }

    fn vertex_attributes(&mut self) {
        let declared = std::mem::take(&mut self.scan.inputs);
        let read = self.scan.read_inputs;
        let attributes: Vec<Attribute> = if declared.is_empty() {
            let registers = (0..16u16).filter(|register| read >> register & 1 != 0);
            registers
                .map(|register| {
                    let (usage, index) = D3D8_USAGES[usize::from(register)];
                    Attribute {
                        usage,
                        index,
                        register,
                    }
                })
                .collect()
        } else {
            let mut attributes: Vec<Attribute> = Vec::with_capacity(declared.len());
            for Declared {
                register,
                usage,
                index,
                ..
            } in declared
            {
                if register < 16 && read >> register & 1 != 0 {
                    attributes.retain(|known| known.register != register);
                    attributes.push(Attribute {
                        usage,
                        index,
                        register,
                    });
                }
            }
            attributes
        };
        for (location, attribute) in attributes.iter().enumerate() {
            let scalar = if self.options.uint_attributes >> location & 1 != 0 {
                Scalar::U32
            } else if self.options.sint_attributes >> location & 1 != 0 {
                Scalar::I32
            } else {
                Scalar::F32
            };
            let binding = Binding::Location {
                location: location as u32,
                interpolation: None,
                sampling: None,
                blend_src: None,
                per_primitive: false,
            };
            let name = format!("v{}", attribute.register);
            let mut value = self.argument(Some(name), scalar, 4, binding);
            let known = if scalar == Scalar::F32 {
                Known::Nothing
            } else {
                Known::Finite
            };
            if scalar != Scalar::F32 {
                value = self.b.cast(value, ScalarKind::Float, Some(4));
            }
            let register = usize::from(attribute.register);
            self.inputs.declared[register] = true;
            *self.inputs.registers.get_mut(register) = Lane::vector(value, known);
        }
        self.reflection.attributes = attributes;
    }

    fn pixel_inputs(&mut self) {
        let declared = std::mem::take(&mut self.scan.inputs);
        if self.version.major >= 3 {
            for declared in declared {
                self.pixel_input(&declared);
            }
        } else {
            let centroid = |register: u16, kind| {
                declared.iter().any(|declared| {
                    declared.centroid
                        && declared.register == register
                        && declared
                            .instruction
                            .dst
                            .is_some_and(|dst| dst.register.kind == kind)
                })
            };
            for register in 0..2u16 {
                if self.scan.read_inputs >> register & 1 != 0 {
                    let centroid = centroid(register, ninefold_bytecode::RegisterKind::Input);
                    let location = abi::COLOR_LOCATION + u32::from(register);
                    let mut lanes = self.varying(location, centroid);
                    // Colours are clamped before they are interpolated.
                    for lane in &mut lanes {
                        lane.known = lane.known.max(Known::Finite);
                    }
                    *self.inputs.registers.get_mut(register.into()) = lanes;
                }
            }
            for set in 0..8u16 {
                if self.scan.read_coordinates >> set & 1 != 0 {
                    let centroid = centroid(set, ninefold_bytecode::RegisterKind::Texture);
                    let lanes = self.varying(abi::TEXCOORD_LOCATION + u32::from(set), centroid);
                    *self.inputs.coordinates.get_mut(set.into()) = lanes;
                    if self.scan.unsampled >> set & 1 != 0 {
                        for (component, lane) in lanes.into_iter().enumerate() {
                            self.registers.set(
                                super::registers::TEXTURE + usize::from(set),
                                component,
                                lane,
                            );
                        }
                    }
                }
            }
        }
        self.misc_inputs();
    }

    fn pixel_input(&mut self, declared: &Declared) {
        let register = declared.register;
        let is_input = declared
            .instruction
            .dst
            .is_some_and(|dst| dst.register.kind == ninefold_bytecode::RegisterKind::Input);
        let register = usize::from(register);
        if !is_input || register >= Link::REGISTERS || self.scan.read_inputs >> register & 1 == 0 {
            return;
        }
        let (usage, index) = (declared.usage, declared.index);
        let mask: WriteMask = declared.mask;
        let location = match abi::varying_location(usage, index) {
            Some(location) => location,
            None => {
                for component in mask.components() {
                    self.reflection.link.set(register, component, usage, index);
                }
                abi::LINKED_LOCATION + register as u32
            }
        };
        let lanes = self.varying(location, declared.centroid);
        self.inputs.declared[register] = true;
        for component in mask.components() {
            self.inputs.registers.get_mut(register)[component] = lanes[component];
        }
    }

    fn misc_inputs(&mut self) {
        let zero = Lane::scalar(self.b.lit(0.0), Known::Finite);
        if self.scan.read_misc & 1 != 0 {
            // Pixel centres lie at integers in D3D9 and at halves here.
            let position = self.fragment_position();
            let xy = self.b.swizzle(position, &[0, 1]);
            let half = self.b.lit_n(0.5, 2);
            let xy = self.b.sub(xy, half);
            let [x, y] = [0, 1].map(|i| Lane::of(xy, i, 2, Known::Finite));
            *self.inputs.misc.get_mut(0) = [x, y, zero, zero];
        }
        if self.scan.read_misc & 2 != 0 {
            let binding = Binding::BuiltIn(BuiltIn::FrontFacing);
            let front = self.argument(Some("front".into()), Scalar::BOOL, 1, binding);
            let [front_value, back_value] = [1.0, -1.0].map(|value| self.b.lit(value));
            let face = self.b.select(front, front_value, back_value);
            *self.inputs.misc.get_mut(1) = [Lane::scalar(face, Known::NonZero); 4];
        }
    }

    /// The varying at `location`, or its default where the vertex function has none.
    pub(super) fn varying(&mut self, location: u32, centroid: bool) -> [Lane; 4] {
        self.reflection.inputs_mask |= 1 << location;
        if self.options.point_sprite && TEXCOORDS >> location & 1 != 0 {
            return self.point_coordinate();
        }
        if self.options.missing_inputs >> location & 1 != 0 {
            return abi::missing_input_value(location, self.version.major).map(|value| {
                let expr = self.b.lit(value);
                Lane::scalar(expr, Known::of(value))
            });
        }
        if let Some(value) = self.inputs.varyings[location as usize] {
            return Lane::vector(value, Known::Nothing);
        }
        let binding = color_interpolation(location, self.options.flat_shading, centroid);
        let mut value = self.argument(Some(format!("in{location}")), Scalar::F32, 4, binding);
        if TEXCOORDS >> location & 1 != 0 {
            let set = location - abi::TEXCOORD_LOCATION;
            value = self.b.unwrapped(self.options.wraps, set, value);
        }
        self.inputs.varyings[location as usize] = Some(value);
        Lane::vector(value, Known::Nothing)
    }

    /// Texture coordinates of a point sprite: 0 to 1 across the point.
    fn point_coordinate(&mut self) -> [Lane; 4] {
        if let Some(lanes) = self.inputs.point {
            return lanes;
        }
        let binding = Binding::BuiltIn(BuiltIn::PointCoord);
        let value = self.argument(Some("point".into()), Scalar::F32, 2, binding);
        let [x, y] = [0, 1].map(|i| Lane::of(value, i, 2, Known::Finite));
        let [zero, one] = [0.0, 1.0].map(|v| Lane::scalar(self.b.lit(v), Known::of(v)));
        let lanes = [x, y, zero, one];
        self.inputs.point = Some(lanes);
        lanes
    }

    /// The fragment's position in the target, with 1/w.
    pub(super) fn fragment_position(&mut self) -> Expr {
        if let Some(position) = self.inputs.position {
            return position;
        }
        let binding = Binding::BuiltIn(BuiltIn::Position { invariant: false });
        let position = self.argument(Some("position".into()), Scalar::F32, 4, binding);
        self.inputs.position = Some(position);
        position
    }

    /// The factor of vertex fog: the fog varying, else the alpha of the specular colour, else
    /// 0, all fog.
    pub(super) fn fog_factor(&mut self) -> Expr {
        const SPECULAR: u32 = abi::COLOR_LOCATION + 1;
        let fog = self.varying(abi::FOG_LOCATION, false);
        let missing = |location: u32| self.options.missing_inputs >> location & 1 != 0;
        if !missing(abi::FOG_LOCATION) {
            return gather(&mut self.b, Scalar::F32, &fog[..1]);
        }
        let specular_missing = missing(SPECULAR);
        let specular = self.varying(SPECULAR, false);
        let factor = if specular_missing {
            &fog[..1]
        } else {
            &specular[3..]
        };
        gather(&mut self.b, Scalar::F32, factor)
    }

    fn argument(
        &mut self,
        name: Option<String>,
        scalar: Scalar,
        n: usize,
        binding: Binding,
    ) -> Expr {
        let ty = self.b.vector_ty(scalar, n);
        let arguments = &mut self.b.function().arguments;
        let index = arguments.len() as u32;
        arguments.push(FunctionArgument {
            name,
            ty,
            binding: Some(binding),
        });
        self.b.argument(index)
    }
}
