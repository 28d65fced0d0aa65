//! What must be bound where, as JSON.

use ninefold_shader::{Stage, Translation, abi};
use serde::Serialize;

/// What a caller must know to feed a function.
#[derive(Serialize)]
pub(super) struct Reflected {
    entry: String,
    stage: &'static str,
    /// The uniform buffer of float constants and what lies where in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    constants: Option<Constants>,
    /// Constants that the shader sets itself.
    defined: Vec<Defined>,
    /// `i#` registers read from the extras block.
    integers: Vec<u32>,
    /// `b#` registers read from the extras block.
    booleans: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extras: Option<Place>,
    attributes: Vec<Attribute>,
    samplers: Vec<Sampler>,
    /// Varying locations written (vertex) or read (pixel).
    varyings: Vec<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    colors: Vec<u32>,
    writes_depth: bool,
}

#[derive(Serialize)]
struct Place {
    group: u32,
    binding: u32,
}

#[derive(Serialize)]
struct Constants {
    #[serde(flatten)]
    place: Place,
    /// Length of the buffer in use, in `vec4`s.
    vec4s: u16,
    /// Indexed at run time: the whole file, defined constants at their places.
    indexed: bool,
    ranges: Vec<Range>,
}

#[derive(Serialize)]
struct Range {
    /// First register, `c<register>`.
    register: u16,
    count: u16,
    /// Where it lies in the buffer, in `vec4`s.
    at: u16,
}

#[derive(Serialize)]
struct Defined {
    register: u16,
    /// Bits of the four floats, for values that JSON has no numbers for.
    bits: [u32; 4],
    value: [Option<f32>; 4],
}

#[derive(Serialize)]
struct Attribute {
    location: usize,
    register: u16,
    usage: String,
    index: u8,
}

#[derive(Serialize)]
struct Sampler {
    register: u8,
    kind: String,
    group: u32,
    texture: u32,
    sampler: u32,
}

fn bits(mask: u32) -> Vec<u32> {
    (0..32).filter(|bit| mask >> bit & 1 != 0).collect()
}

impl Reflected {
    pub(super) fn new(translation: &Translation) -> Self {
        let reflection = &translation.reflection;
        let vertex = reflection.stage == Stage::Vertex;
        let place = |vertex_binding, pixel_binding| Place {
            group: abi::UNIFORM_GROUP,
            binding: if vertex {
                vertex_binding
            } else {
                pixel_binding
            },
        };
        let ranges = reflection.float_ranges.iter().map(|range| Range {
            register: range.first,
            count: range.count,
            at: range.packed_at,
        });
        let constants = Constants {
            place: place(abi::VERTEX_CONSTANTS, abi::PIXEL_CONSTANTS),
            vec4s: reflection.packed_floats,
            indexed: reflection.uses_relative,
            ranges: ranges.collect(),
        };
        let defined = reflection.defs.iter().map(|def| Defined {
            register: def.register,
            bits: def.value.map(f32::to_bits),
            value: def.value.map(|value| value.is_finite().then_some(value)),
        });
        let attributes = reflection.attributes.iter().enumerate();
        let attributes = attributes.map(|(location, attribute)| Attribute {
            location,
            register: attribute.register,
            usage: attribute.usage.name().to_owned(),
            index: attribute.index,
        });
        let samplers = reflection.samplers.iter().map(|used| {
            let slot = match vertex {
                true => abi::vertex_sampler_slot(used.register.into()),
                false => used.register.into(),
            };
            Sampler {
                register: used.register,
                kind: format!("{:?}", used.kind).to_lowercase(),
                group: abi::TEXTURE_GROUP,
                texture: abi::texture_binding(slot),
                sampler: abi::sampler_binding(slot),
            }
        });
        Reflected {
            entry: translation.entry.clone(),
            stage: if vertex { "vertex" } else { "pixel" },
            constants: (reflection.packed_floats > 0).then_some(constants),
            defined: defined.collect(),
            integers: bits(reflection.int_mask.into()),
            booleans: bits(reflection.bool_mask.into()),
            extras: reflection
                .uses_extras
                .then(|| place(abi::VERTEX_EXTRAS, abi::PIXEL_EXTRAS)),
            attributes: attributes.collect(),
            samplers: samplers.collect(),
            varyings: bits(match vertex {
                true => reflection.outputs_mask,
                false => reflection.inputs_mask,
            }),
            colors: match vertex {
                true => Vec::new(),
                false => bits(reflection.color_outputs.into()),
            },
            writes_depth: reflection.writes_depth,
        }
    }
}
