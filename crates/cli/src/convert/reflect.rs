//! What must be bound where, as JSON.

use ninefold_shader::{Link, Stage, Translation, abi};
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
    /// The storage buffer of what the uniform buffers have no room for.
    #[serde(skip_serializing_if = "Option::is_none")]
    large: Option<Large>,
    attributes: Vec<Attribute>,
    samplers: Vec<Sampler>,
    /// Varying locations written (vertex) or read (pixel).
    varyings: Vec<u32>,
    /// Semantics without a location of their own that a pixel function reads: `translate --link`
    /// makes a vertex function that writes them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    linked: Vec<Linked>,
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
struct Large {
    #[serde(flatten)]
    place: Place,
    /// Rows of four words: float constants, if they lie here, then integers, then booleans.
    rows: usize,
    floats: bool,
    /// `i#` registers past the sixteenth.
    integers: Vec<u16>,
    /// `b#` registers past the sixteenth.
    booleans: Vec<u16>,
}

#[derive(Serialize)]
struct Linked {
    location: u32,
    component: usize,
    usage: &'static str,
    index: u8,
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
        let large = &reflection.large;
        let large = (reflection.large_rows() > 0).then(|| Large {
            place: Place {
                group: abi::LARGE_GROUP,
                binding: match vertex {
                    true => abi::VERTEX_LARGE,
                    false => abi::PIXEL_LARGE,
                },
            },
            rows: reflection.large_rows(),
            floats: large.floats,
            integers: large.ints.clone(),
            booleans: large.bools.clone(),
        });
        let components =
            (0..Link::REGISTERS).flat_map(|register| [0, 1, 2, 3].map(|c| (register, c)));
        let linked = components.filter_map(|(register, component)| {
            let (usage, index) = reflection.link.semantic(register, component)?;
            Some(Linked {
                location: abi::LINKED_LOCATION + register as u32,
                component,
                usage: usage.name(),
                index,
            })
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
            large,
            attributes: attributes.collect(),
            samplers: samplers.collect(),
            varyings: bits(match vertex {
                true => reflection.outputs_mask,
                false => reflection.inputs_mask,
            }),
            linked: linked.collect(),
            colors: match vertex {
                true => Vec::new(),
                false => bits(reflection.color_outputs.into()),
            },
            writes_depth: reflection.writes_depth,
        }
    }
}
