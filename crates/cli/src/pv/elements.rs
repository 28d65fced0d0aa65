//! The layout of a vertex in memory, as text.

use anyhow::{Result, bail};
use ninefold_bytecode::Usage;
use ninefold_exec::Input;
use ninefold_exec::element::ElementType;

use super::type_name;

/// Elements of a layout, as many as Direct3D 9 takes.
const MOST_ELEMENTS: usize = 64;
/// Bytes of a vertex at most: offsets are words in a declaration.
const LONGEST_VERTEX: usize = 1 << 16;

/// One element of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) semantic: (Usage, u8),
    pub(super) ty: ElementType,
    pub(super) offset: usize,
}

/// The layout of a vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Elements {
    pub(super) list: Vec<Element>,
    /// Bytes from vertex to vertex.
    pub(super) stride: usize,
}

impl Elements {
    /// Reads elements parted by lines or commas; `name` is what messages call the text.
    pub(super) fn parse(text: &str, name: &str) -> Result<Self> {
        let mut list = Vec::new();
        let mut stride = None;
        let mut next = 0;
        for (number, line) in text.lines().enumerate() {
            let line = line.split([';', '#']).next().unwrap_or_default();
            for part in line.split(',') {
                let words: Vec<&str> = part.split_whitespace().collect();
                let place = || format!("{name}:{}: {}", number + 1, part.trim());
                let (semantic, ty, offset) = match words[..] {
                    [] => continue,
                    ["stride", bytes] => {
                        let bytes = bytes.parse().ok().filter(|n| *n < LONGEST_VERTEX);
                        if bytes.is_none() || stride.replace(bytes).is_some() {
                            bail!("{}: expected one stride, below {LONGEST_VERTEX}", place());
                        }
                        continue;
                    }
                    [semantic, ty] => (semantic, ty, None),
                    [semantic, ty, offset] => (semantic, ty, Some(offset)),
                    _ => bail!("{}: expected a usage, a type and @offset", place()),
                };
                let Some(semantic) = parse_semantic(semantic) else {
                    bail!("{}: {semantic} is no usage such as texcoord1", place());
                };
                let Some(ty) = parse_type(ty) else {
                    bail!("{}: {ty} is no type such as float3 or ubyte4n", place());
                };
                let offset = match offset {
                    None => next,
                    Some(text) => match text.strip_prefix('@').map(str::parse) {
                        Some(Ok(offset)) => offset,
                        _ => bail!("{}: {text} is no offset such as @24", place()),
                    },
                };
                if offset > LONGEST_VERTEX - ty.size() || list.len() >= MOST_ELEMENTS {
                    bail!(
                        "{}: expected at most {MOST_ELEMENTS} elements in {LONGEST_VERTEX} bytes",
                        place()
                    );
                }
                next = offset + ty.size();
                if list.iter().any(|e: &Element| e.semantic == semantic) {
                    let (usage, index) = semantic;
                    bail!(
                        "{}: {} is there twice",
                        place(),
                        semantic_name(usage, index)
                    );
                }
                list.push(Element {
                    semantic,
                    ty,
                    offset,
                });
            }
        }
        if list.is_empty() {
            bail!("{name}: expected elements such as `position float3`");
        }
        let stride = stride.flatten();
        Ok(Self::new(list, stride))
    }

    /// The elements of an FVF code.
    pub(super) fn of_fvf(code: u32) -> Self {
        let element = |e: ninefold_d3d9::VertexElement| {
            let usage = Usage::ALL.get(usize::from(e.usage)).copied()?;
            Some(Element {
                semantic: (usage, e.usage_index),
                ty: ElementType::from_number(e.ty)?,
                offset: e.offset.into(),
            })
        };
        let elements = ninefold_d3d9::elements_of_fvf(code).into_iter();
        Self::new(elements.filter_map(element).collect(), None)
    }

    fn new(list: Vec<Element>, stride: Option<usize>) -> Self {
        let ends = list.iter().map(|e| e.offset + e.ty.size());
        let stride = stride.unwrap_or_else(|| ends.max().unwrap_or(0));
        Elements { list, stride }
    }

    /// Whole vertices in so many bytes; the last need not have its padding.
    pub(super) fn vertices_in(&self, bytes: usize) -> usize {
        let ends = self.list.iter().map(|e| e.offset + e.ty.size());
        match (bytes.checked_sub(ends.max().unwrap_or(0)), self.stride) {
            (None, _) => 0,
            // One vertex for ever is one vertex.
            (Some(_), 0) => 1,
            (Some(rest), stride) => rest / stride + 1,
        }
    }

    /// Bytes past the last whole vertex.
    pub(super) fn left_over(&self, bytes: usize) -> usize {
        let Some(before) = self.vertices_in(bytes).checked_sub(1) else {
            return bytes;
        };
        let ends = self.list.iter().map(|e| e.offset + e.ty.size());
        let last = ends.max().unwrap_or(0).max(self.stride);
        match self.stride {
            0 => 0,
            stride => bytes.saturating_sub(before * stride + last),
        }
    }

    /// The element that feeds an input: by semantic, or by number where the shader declares
    /// nothing. The two kinds of position stand for each other.
    pub(super) fn find(&self, input: &Input) -> Option<Element> {
        let Some((usage, index)) = input.semantic else {
            return self.list.get(usize::from(input.place)).copied();
        };
        let find = |usage| {
            let mut elements = self.list.iter();
            elements.find(|e| e.semantic == (usage, index)).copied()
        };
        find(usage).or_else(|| find(twin(usage)))
    }
}

/// The other kind of position; other usages are their own twins.
pub(super) fn twin(usage: Usage) -> Usage {
    match usage {
        Usage::Position => Usage::PositionT,
        Usage::PositionT => Usage::Position,
        other => other,
    }
}

/// `position`, `texcoord1`: as in a `dcl`; number 0 is not written but for those of which there
/// are several.
pub(super) fn semantic_name(usage: Usage, index: u8) -> String {
    let name = format!("{usage:?}").to_ascii_lowercase();
    match (usage, index) {
        (Usage::TexCoord | Usage::Color, n) => format!("{name}{n}"),
        (_, 0) => name,
        (_, n) => format!("{name}{n}"),
    }
}

/// The reverse, in any case; a missing number is 0.
pub(super) fn parse_semantic(text: &str) -> Option<(Usage, u8)> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let index = match &text[digits.len()..] {
        "" => 0,
        number => number.parse().ok().filter(|n| *n < 16)?,
    };
    let named = |usage: &&Usage| format!("{usage:?}").eq_ignore_ascii_case(digits);
    Usage::ALL.iter().find(named).map(|usage| (*usage, index))
}

fn parse_type(text: &str) -> Option<ElementType> {
    let mut types = ElementType::ALL.into_iter();
    types.find(|ty| type_name(*ty).eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_follow_one_another_unless_they_say_where() {
        let text = "position float3 ; where\nNormal FLOAT3, texcoord1 float2 @32\n# all\nstride 44";
        let elements = Elements::parse(text, "x").unwrap();
        let found: Vec<_> = elements
            .list
            .iter()
            .map(|e| (e.semantic, e.ty, e.offset))
            .collect();
        assert_eq!(
            found,
            [
                ((Usage::Position, 0), ElementType::Float3, 0),
                ((Usage::Normal, 0), ElementType::Float3, 12),
                ((Usage::TexCoord, 1), ElementType::Float2, 32),
            ]
        );
        assert_eq!(elements.stride, 44);
        // The second vertex ends at 44 + 40.
        assert_eq!(
            [39, 40, 83, 84, 128].map(|n| elements.vertices_in(n)),
            [0, 1, 1, 2, 3]
        );
        // Padding that the last vertex lacks is none too many.
        assert_eq!(
            [0, 39, 40, 44, 45, 83, 84, 128].map(|n| elements.left_over(n)),
            [0, 39, 0, 0, 1, 39, 0, 0]
        );
        let close = Elements::parse("position float3, stride 4", "x").unwrap();
        assert_eq!([11, 12, 15, 16].map(|n| close.left_over(n)), [11, 0, 3, 0]);
        let plain = Elements::parse("position float3, color d3dcolor", "x").unwrap();
        assert_eq!(plain.stride, 16);
        // D3DFVF_XYZ | D3DFVF_DIFFUSE.
        assert_eq!(Elements::of_fvf(0x42), plain);
    }

    #[test]
    fn every_type_and_usage_has_a_name() {
        for ty in ElementType::ALL {
            assert_eq!(parse_type(type_name(ty)), Some(ty));
        }
        for usage in Usage::ALL {
            for index in [0, 1, 15] {
                let name = semantic_name(usage, index);
                assert_eq!(parse_semantic(&name), Some((usage, index)), "{name}");
            }
        }
        assert_eq!(parse_semantic("texcoord"), Some((Usage::TexCoord, 0)));
        assert_eq!(parse_semantic("texcoord16"), None);
        assert_eq!(parse_semantic("texcoord99999999999"), None);
        assert_eq!(parse_semantic("3"), None);
    }

    #[test]
    fn mistakes_name_their_line() {
        for (text, expected) in [
            (
                "position float3\nnormals float3",
                "d:2: normals float3: normals is no usage such as texcoord1",
            ),
            (
                "position float5",
                "d:1: position float5: float5 is no type such as float3 or ubyte4n",
            ),
            (
                "position float3 24",
                "d:1: position float3 24: 24 is no offset such as @24",
            ),
            (
                "position float3\nPosition0 float2",
                "d:2: Position0 float2: position is there twice",
            ),
            (
                "position",
                "d:1: position: expected a usage, a type and @offset",
            ),
            (
                "position float3 @0 x",
                "d:1: position float3 @0 x: expected a usage, a type and @offset",
            ),
            (
                "stride 4, stride 4",
                "d:1: stride 4: expected one stride, below 65536",
            ),
            (
                "stride -4",
                "d:1: stride -4: expected one stride, below 65536",
            ),
            (
                "position float3 @65530",
                "d:1: position float3 @65530: expected at most 64 elements in 65536 bytes",
            ),
            ("", "d: expected elements such as `position float3`"),
        ] {
            let error = Elements::parse(text, "d").expect_err(text);
            assert_eq!(error.to_string(), expected);
        }
    }
}
