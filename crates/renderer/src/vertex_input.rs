//! How the streams of a layout feed the attributes of a vertex function.

use bytemuck::{Pod, Zeroable};
use ninefold_gpu::types::VertexFormat;
use ninefold_shader::Reflection;

use crate::error::{Error, Result};
use crate::keys::VertexElement;
use crate::link::VertexLink;
use crate::vertex::{Convert, Fetch, element_type};

/// Attributes of a vertex function.
pub(crate) const ATTRIBUTES: usize = 16;
/// Streams, one slot for each converted element, and the defaults.
pub(crate) const SLOTS: usize = 16;

/// A vertex attribute in a [`PipelineKey`].
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
pub(crate) struct AttributeKey {
    pub(crate) offset: u16,
    pub(crate) slot: u8,
    /// Place in [`FORMATS`] plus one; 0 means absent.
    pub(crate) format: u8,
}

/// A vertex layout as interned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Layout {
    pub(crate) elements: Vec<VertexElement>,
    pub(crate) strides: [u16; 16],
}

/// A stream that a pipeline reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StreamUse {
    pub(crate) stream: u8,
    pub(crate) slot: u8,
    pub(crate) stride: u32,
    /// Bytes of a vertex that are read, from its start.
    pub(crate) end: u32,
    /// Whether the GPU reads the stream; converted elements only need its bytes.
    pub(crate) native: bool,
}

/// An element that the draw expands to four floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConvertUse {
    pub(crate) stream: u8,
    pub(crate) slot: u8,
    pub(crate) offset: u32,
    pub(crate) convert: Convert,
}

/// Default attribute values, bound with stride 0: (0, 0, 0, 1) and white for fixed-function
/// vertices, zeros for programs.
pub(crate) const DEFAULT_ATTRIBUTES: [[f32; 4]; 3] = [[0.0, 0.0, 0.0, 1.0], [1.0; 4], [0.0; 4]];

/// Where in [`DEFAULT_ATTRIBUTES`] an attribute that nothing feeds reads, in bytes.
fn default_offset(attribute: &ninefold_shader::Attribute, program: bool) -> u16 {
    let white = (attribute.usage, attribute.index) == (ninefold_shader::Usage::Color, 0);
    match (program, white) {
        (true, _) => 32,
        (false, true) => 16,
        (false, false) => 0,
    }
}

/// Vertex formats by the number that an [`AttributeKey`] holds, less one.
pub(crate) const FORMATS: [VertexFormat; 15] = [
    VertexFormat::Float32,
    VertexFormat::Float32x2,
    VertexFormat::Float32x3,
    VertexFormat::Float32x4,
    VertexFormat::Unorm8x4Bgra,
    VertexFormat::Unorm8x4,
    VertexFormat::Snorm16x2,
    VertexFormat::Snorm16x4,
    VertexFormat::Unorm16x2,
    VertexFormat::Unorm16x4,
    VertexFormat::Float16x2,
    VertexFormat::Float16x4,
    VertexFormat::Uint8x4,
    VertexFormat::Sint16x2,
    VertexFormat::Sint16x4,
];

/// Notes which attributes of a vertex function are fed by integer formats that the GPU fetches as
/// integers.
pub(crate) fn set_integer_inputs(
    link: &mut VertexLink,
    is_program: bool,
    reflection: &Reflection,
    layout: &Layout,
    bound: u16,
) {
    for (location, attribute) in reflection.attributes.iter().enumerate() {
        let Some(element) = find_element(layout, attribute, bound) else {
            continue;
        };
        let bit = match is_program {
            true => 1u16.checked_shl(location as u32).unwrap_or(0),
            false => fixed_input_bit(attribute),
        };
        match element.ty {
            5 => link.unsigned |= bit,
            6 | 7 => link.signed |= bit,
            _ => {}
        }
    }
}

/// The bit of `fixed::input` of an attribute of a fixed-function vertex function.
fn fixed_input_bit(attribute: &ninefold_shader::Attribute) -> u16 {
    use ninefold_shader::Usage;
    use ninefold_shader::fixed::input;
    match (attribute.usage, attribute.index) {
        (Usage::Position | Usage::PositionT, 0) => input::POSITION,
        (Usage::Normal, 0) => input::NORMAL,
        (Usage::Color, 0) => input::DIFFUSE,
        (Usage::Color, 1) => input::SPECULAR,
        (Usage::BlendWeight, 0) => input::BLEND_WEIGHTS,
        (Usage::BlendIndices, 0) => input::BLEND_INDICES,
        (Usage::Position, 1) => input::TWEEN_POSITION,
        (Usage::Normal, 1) => input::TWEEN_NORMAL,
        (Usage::PSize, 0) => input::POINT_SIZE,
        (Usage::TexCoord, n @ 0..=7) => input::TEXCOORD << n,
        _ => 0,
    }
}

/// The element of a layout that feeds an attribute, unless its stream is unbound. A declaration's
/// `POSITIONT` feeds `POSITION` and the other way round.
fn find_element<'a>(
    layout: &'a Layout,
    attribute: &ninefold_shader::Attribute,
    bound: u16,
) -> Option<&'a VertexElement> {
    feeding(&layout.elements, attribute, bound)
}

/// Whether one of the elements feeds an attribute.
pub(crate) fn feeds(
    elements: &[VertexElement],
    attribute: &ninefold_shader::Attribute,
    bound: u16,
) -> bool {
    feeding(elements, attribute, bound).is_some()
}

fn feeding<'a>(
    elements: &'a [VertexElement],
    attribute: &ninefold_shader::Attribute,
    bound: u16,
) -> Option<&'a VertexElement> {
    const POSITION: u8 = 0;
    const POSITION_T: u8 = 9;
    let usage = attribute.usage as u8;
    let other = match usage {
        POSITION => POSITION_T,
        POSITION_T => POSITION,
        same => same,
    };
    let find = |usage: u8| {
        elements.iter().find(|element| {
            element.usage == usage
                && element.index == attribute.index
                && 1u16.checked_shl(element.stream.into()).unwrap_or(0) & bound != 0
        })
    };
    find(usage).or_else(|| find(other))
}

/// The vertex input of a pipeline.
#[derive(Clone, Debug)]
pub(crate) struct VertexInput {
    pub(crate) attributes: Vec<AttributeKey>,
    pub(crate) strides: Vec<u16>,
    pub(crate) streams: Vec<StreamUse>,
    pub(crate) converts: Vec<ConvertUse>,
    pub(crate) defaults: Option<u8>,
}

impl VertexInput {
    /// `program`: the vertex function is a program's.
    pub(crate) fn new(
        reflection: &Reflection,
        layout: &Layout,
        bound: u16,
        program: bool,
    ) -> Result<Self> {
        if reflection.attributes.len() > ATTRIBUTES {
            return Err(Error::decl(format!(
                "the vertex function reads {} elements, at most {ATTRIBUTES} are possible",
                reflection.attributes.len()
            )));
        }
        let mut input = Self {
            attributes: Vec::new(),
            strides: Vec::new(),
            streams: Vec::new(),
            converts: Vec::new(),
            defaults: None,
        };
        for attribute in &reflection.attributes {
            let key = match find_element(layout, attribute, bound) {
                Some(element) => input.element(element, layout)?,
                None => {
                    let slot = match input.defaults {
                        Some(slot) => slot,
                        None => input.slot(0)?,
                    };
                    input.defaults = Some(slot);
                    AttributeKey {
                        offset: default_offset(attribute, program),
                        slot,
                        format: format_number(VertexFormat::Float32x4),
                    }
                }
            };
            input.attributes.push(key);
        }
        Ok(input)
    }

    fn slot(&mut self, stride: u16) -> Result<u8> {
        if self.strides.len() == SLOTS {
            return Err(Error::decl(format!(
                "the vertex function needs more than {SLOTS} vertex buffers"
            )));
        }
        self.strides.push(stride);
        Ok((self.strides.len() - 1) as u8)
    }

    fn element(&mut self, element: &VertexElement, layout: &Layout) -> Result<AttributeKey> {
        let Some((bytes, fetch)) = element_type(element.ty) else {
            return Err(Error::decl(format!(
                "D3DDECLTYPE {} is unknown",
                element.ty
            )));
        };
        let stride = layout.strides[usize::from(element.stream)];
        let end = u32::from(element.offset) + u32::from(bytes);
        if stride != 0 && end > u32::from(stride) {
            return Err(Error::decl(format!(
                "the element of usage {} index {} ends at byte {end} of stream {}, past the stride {stride}",
                element.usage, element.index, element.stream
            )));
        }
        if !element.offset.is_multiple_of(4) {
            return Err(Error::decl(format!(
                "the element of usage {} index {} is at byte {}, not at a multiple of 4",
                element.usage, element.index, element.offset
            )));
        }
        let native = match fetch {
            Fetch::Native(format) => Some(format),
            Fetch::Convert(Convert::Ubyte4) => Some(VertexFormat::Uint8x4),
            Fetch::Convert(Convert::Short2) => Some(VertexFormat::Sint16x2),
            Fetch::Convert(Convert::Short4) => Some(VertexFormat::Sint16x4),
            Fetch::Convert(_) => None,
        };
        let at = match self.streams.iter().position(|s| s.stream == element.stream) {
            Some(at) => at,
            None => {
                self.streams.push(StreamUse {
                    stream: element.stream,
                    slot: 0,
                    stride: stride.into(),
                    end: 0,
                    native: false,
                });
                self.streams.len() - 1
            }
        };
        self.streams[at].end = self.streams[at].end.max(end);
        if let Some(format) = native {
            if !self.streams[at].native {
                self.streams[at].slot = self.slot(stride)?;
                self.streams[at].native = true;
            }
            return Ok(AttributeKey {
                offset: element.offset,
                slot: self.streams[at].slot,
                format: format_number(format),
            });
        }
        let Fetch::Convert(convert) = fetch else {
            return Err(Error::decl("an element without a fetch"));
        };
        let slot = self.slot(if stride == 0 { 0 } else { 16 })?;
        self.converts.push(ConvertUse {
            stream: element.stream,
            slot,
            offset: element.offset.into(),
            convert,
        });
        Ok(AttributeKey {
            offset: 0,
            slot,
            format: format_number(VertexFormat::Float32x4),
        })
    }
}

fn format_number(format: VertexFormat) -> u8 {
    FORMATS
        .iter()
        .position(|have| *have == format)
        .map_or(0, |at| at as u8 + 1)
}
