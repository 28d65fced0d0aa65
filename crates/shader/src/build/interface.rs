//! What a function shares with the outside: uniform blocks, samplers, varyings.

use super::{Builder, Expr, SPAN};
use crate::abi;
use crate::sampling::{SamplerRules, texels};
use naga::{
    AddressSpace, ArraySize, Binding, Expression, GlobalVariable, Handle, ImageClass,
    ImageDimension, Interpolation, MemoryDecorations, ResourceBinding, Sampling, Scalar,
    ScalarKind, StorageAccess, StructMember, Type, TypeInner,
};
use ninefold_bytecode::SamplerKind;
use std::num::NonZeroU32;

/// One of the four uniform buffers of group 0 or the two storage buffers of group 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    VertexConstants,
    PixelConstants,
    VertexExtras,
    PixelExtras,
    VertexLarge,
    PixelLarge,
}

impl Block {
    fn binding(self) -> ResourceBinding {
        let (group, binding) = match self {
            Block::VertexConstants => (abi::UNIFORM_GROUP, abi::VERTEX_CONSTANTS),
            Block::PixelConstants => (abi::UNIFORM_GROUP, abi::PIXEL_CONSTANTS),
            Block::VertexExtras => (abi::UNIFORM_GROUP, abi::VERTEX_EXTRAS),
            Block::PixelExtras => (abi::UNIFORM_GROUP, abi::PIXEL_EXTRAS),
            Block::VertexLarge => (abi::LARGE_GROUP, abi::VERTEX_LARGE),
            Block::PixelLarge => (abi::LARGE_GROUP, abi::PIXEL_LARGE),
        };
        ResourceBinding { group, binding }
    }

    fn name(self) -> &'static str {
        match self {
            Block::VertexConstants => "vertex_constants",
            Block::PixelConstants => "pixel_constants",
            Block::VertexExtras => "vertex_extras",
            Block::PixelExtras => "pixel_extras",
            Block::VertexLarge => "vertex_large",
            Block::PixelLarge => "pixel_large",
        }
    }
}

/// A texture and its sampler.
#[derive(Clone, Copy)]
pub(crate) struct Sampled {
    pub(crate) kind: SamplerKind,
    pub(crate) rules: SamplerRules,
    pub(super) texture: Handle<GlobalVariable>,
    pub(super) sampler: Handle<GlobalVariable>,
}

/// Binding of a varying interpolated with perspective.
pub(crate) fn perspective(location: u32) -> Binding {
    varying(location, Interpolation::Perspective, Some(Sampling::Center))
}

/// Binding of the varying at `location`: flat where it is a colour and `flat` is set,
/// at covered points where `centroid` is.
pub(crate) fn color_interpolation(location: u32, flat: bool, centroid: bool) -> Binding {
    if flat && location < abi::TEXCOORD_LOCATION {
        varying(location, Interpolation::Flat, Some(Sampling::Either))
    } else if centroid {
        varying(
            location,
            Interpolation::Perspective,
            Some(Sampling::Centroid),
        )
    } else {
        perspective(location)
    }
}

fn varying(location: u32, interpolation: Interpolation, sampling: Option<Sampling>) -> Binding {
    Binding::Location {
        location,
        interpolation: Some(interpolation),
        sampling,
        blend_src: None,
        per_primitive: false,
    }
}

impl Builder {
    /// The buffer `block`, declared at its first use.
    pub(crate) fn uniform(&mut self, block: Block) -> Handle<GlobalVariable> {
        let binding = block.binding();
        let known = self
            .module
            .global_variables
            .fetch_if(|global| global.binding == Some(binding));
        if let Some(known) = known {
            return known;
        }
        let ty = match block {
            Block::VertexConstants => self.array(self.types.vec4, abi::VERTEX_CONSTANT_COUNT),
            Block::PixelConstants => self.array(self.types.vec4, abi::PIXEL_CONSTANT_COUNT),
            Block::VertexExtras => self.vertex_extras_type(),
            Block::PixelExtras => self.pixel_extras_type(),
            Block::VertexLarge | Block::PixelLarge => {
                let words = self.vector_ty(Scalar::U32, 4);
                self.array(words, self.large_rows)
            }
        };
        let space = match block {
            Block::VertexLarge | Block::PixelLarge => AddressSpace::Storage {
                access: StorageAccess::LOAD,
            },
            _ => AddressSpace::Uniform,
        };
        self.module.global_variables.append(
            GlobalVariable {
                name: Some(block.name().into()),
                space,
                binding: Some(binding),
                ty,
                init: None,
                memory_decorations: MemoryDecorations::empty(),
            },
            SPAN,
        )
    }

    /// A member of a uniform buffer, loaded once per block of code: `path` goes
    /// through members and elements.
    pub(crate) fn uniform_value(&mut self, block: Block, path: &[u32]) -> Expr {
        let global = self.uniform(block);
        let base = self.global(global);
        let pointer = path.iter().fold(base, |base, &index| self.at(base, index));
        let key = 0x40 << 56 | pointer.index() as u64;
        if let Some(value) = self.remembered(key) {
            return value;
        }
        let value = self.load(pointer);
        self.remember(key, value);
        value
    }

    /// An array type of 16-byte elements.
    fn array(&mut self, base: Handle<Type>, count: u32) -> Handle<Type> {
        let count = NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
        self.ty(TypeInner::Array {
            base,
            size: ArraySize::Constant(count),
            stride: 16,
        })
    }

    fn vertex_extras_type(&mut self) -> Handle<Type> {
        let vec4 = self.types.vec4;
        let int4 = self.vector_ty(Scalar::I32, 4);
        let uint4 = self.vector_ty(Scalar::U32, 4);
        let ints = self.array(int4, 16);
        let planes = self.array(vec4, 6);
        let misc = self.array(vec4, 4);
        self.block_type(
            "VertexExtras",
            &[
                ("ints", ints, 256),
                ("bools", uint4, 16),
                ("clip_planes", planes, 96),
                ("viewport_inv", vec4, 16),
                ("misc", misc, 64),
            ],
        )
    }

    fn pixel_extras_type(&mut self) -> Handle<Type> {
        let vec4 = self.types.vec4;
        let int4 = self.vector_ty(Scalar::I32, 4);
        let uint4 = self.vector_ty(Scalar::U32, 4);
        let ints = self.array(int4, 16);
        let stages = self.array(vec4, 8);
        self.block_type(
            "PixelExtras",
            &[
                ("texture_factor", vec4, 16),
                ("fog_color", vec4, 16),
                ("fog", vec4, 16),
                ("alpha_ref", vec4, 16),
                ("stage_constants", stages, 128),
                ("bump_matrices", stages, 128),
                ("bump_luminance", stages, 128),
                ("ints", ints, 256),
                ("bools", uint4, 16),
            ],
        )
    }

    /// A struct whose members, with their sizes in bytes, follow one another.
    fn block_type(&mut self, name: &str, members: &[(&str, Handle<Type>, u32)]) -> Handle<Type> {
        let mut span = 0;
        let members = members
            .iter()
            .map(|&(name, ty, bytes)| {
                let offset = span;
                span += bytes;
                StructMember {
                    name: Some(name.into()),
                    ty,
                    binding: None,
                    offset,
                }
            })
            .collect();
        let inner = TypeInner::Struct { members, span };
        self.module.types.insert(
            Type {
                name: Some(name.into()),
                inner,
            },
            SPAN,
        )
    }

    /// Declares the texture and sampler of `slot` (0-15 pixel, 16-19 vertex), to be read by
    /// `rules`.
    pub(crate) fn sampled(&mut self, slot: u32, kind: SamplerKind, rules: SamplerRules) -> Sampled {
        let rules = rules.normalized(kind);
        let comparison = rules.texels == texels::COMPARE;
        let faces = rules.address & SamplerRules::FACES != 0;
        let dim = match kind {
            SamplerKind::Cube if faces => ImageDimension::D2,
            SamplerKind::Cube => ImageDimension::Cube,
            SamplerKind::Volume => ImageDimension::D3,
            SamplerKind::D2 | SamplerKind::Unknown => ImageDimension::D2,
        };
        let class = if comparison {
            ImageClass::Depth { multi: false }
        } else {
            ImageClass::Sampled {
                kind: ScalarKind::Float,
                multi: false,
            }
        };
        let image = self.ty(TypeInner::Image {
            dim,
            arrayed: faces,
            class,
        });
        let state = self.ty(TypeInner::Sampler { comparison });
        let mut declare = |name: String, ty, binding| {
            self.module.global_variables.append(
                GlobalVariable {
                    name: Some(name),
                    space: AddressSpace::Handle,
                    binding: Some(ResourceBinding {
                        group: abi::TEXTURE_GROUP,
                        binding,
                    }),
                    ty,
                    init: None,
                    memory_decorations: MemoryDecorations::empty(),
                },
                SPAN,
            )
        };
        Sampled {
            kind,
            rules,
            texture: declare(format!("texture{slot}"), image, abi::texture_binding(slot)),
            sampler: declare(format!("sampler{slot}"), state, abi::sampler_binding(slot)),
        }
    }

    /// Width, height and for volumes depth of level 0 in texels, as floats.
    pub(crate) fn texture_size(&mut self, of: Sampled) -> Expr {
        let image = self.global(of.texture);
        let query = naga::ImageQuery::Size { level: None };
        let size = self.e(Expression::ImageQuery { image, query });
        self.cast(size, ScalarKind::Float, Some(4))
    }

    /// A struct type with a name.
    pub(crate) fn named_type(&mut self, name: &str, inner: TypeInner) -> Handle<Type> {
        self.module.types.insert(
            Type {
                name: Some(name.into()),
                inner,
            },
            SPAN,
        )
    }

    /// Whether the function reads an extras block.
    pub(crate) fn declares_extras(&self) -> bool {
        self.module.global_variables.iter().any(|(_, global)| {
            global.binding.is_some_and(|binding| {
                binding.group == abi::UNIFORM_GROUP && binding.binding >= abi::VERTEX_EXTRAS
            })
        })
    }

    /// Allows implicit derivatives where control flow may differ between neighbouring
    /// pixels, as D3D9 does: they are undefined there, not an error.
    pub(crate) fn allow_derivatives_anywhere(&mut self) {
        use naga::diagnostic_filter as filter;
        let node = filter::DiagnosticFilterNode {
            inner: filter::DiagnosticFilter {
                new_severity: filter::Severity::Off,
                triggering_rule: filter::FilterableTriggeringRule::Standard(
                    filter::StandardFilterableTriggeringRule::DerivativeUniformity,
                ),
            },
            parent: None,
        };
        let leaf = self.module.diagnostic_filters.append(node, SPAN);
        self.module.diagnostic_filter_leaf = Some(leaf);
        self.function().diagnostic_filter_leaf = Some(leaf);
    }

    /// Ends the module: the function that was built returns `value` and becomes its entry
    /// point.
    pub(crate) fn entry_point(
        mut self,
        stage: naga::ShaderStage,
        name: String,
        value: Expr,
    ) -> naga::Module {
        let function = self.take_function(Some(value));
        self.module.entry_points.push(naga::EntryPoint {
            name,
            stage,
            early_depth_test: None,
            workgroup_size: [0; 3],
            workgroup_size_overrides: None,
            function,
            mesh_info: None,
            task_payload: None,
            incoming_ray_payload: None,
        });
        self.module
    }
}
