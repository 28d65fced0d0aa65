//! What each element of a destination vertex gets.

use ninefold_exec::element::ElementType;

use crate::consts::*;
use crate::declaration::Declaration;
use crate::fault::{Outcome, invalid};
use crate::fvf::{self, type_size};
use crate::types::VertexElement;

/// A value that the vertex operation makes, for the elements of one semantic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Made {
    /// `D3DDECLUSAGE_*` and usage index.
    pub(super) semantic: (u8, u8),
    /// Index of the register it is in, see `ninefold_exec::Output`.
    pub(super) place: u8,
    /// First component of the register that belongs to it.
    pub(super) first: u8,
    /// Components that it has, counted from `first`.
    pub(super) mask: u8,
}

/// Where an element of a destination vertex comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Made(Made),
    /// The position in pixels, and 1 / w.
    Screen(Made),
    /// The element of the source, as it is.
    Source(VertexElement),
}

/// An element of a destination vertex that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) offset: usize,
    pub(super) ty: ElementType,
    pub(super) origin: Origin,
}

/// The elements of a destination vertex and its size in bytes: of the declaration, else of the
/// FVF code that the buffer was made with.
pub(super) fn destination(
    declaration: Option<&Declaration>,
    fvf: u32,
) -> Outcome<(Vec<VertexElement>, usize)> {
    let elements = match declaration {
        Some(declaration) => declaration.elements.to_vec(),
        None => fvf::elements(fvf),
    };
    if let Some(e) = elements.iter().find(|e| e.stream != 0) {
        invalid!(
            "declaration: vertices go to one stream, an element is in {}",
            e.stream
        );
    }
    let end = |e: &VertexElement| usize::from(e.offset) + type_size(e.ty) as usize;
    match elements.iter().map(end).max() {
        Some(stride) if stride > 0 => Ok((elements, stride)),
        _ => invalid!("destination: it was made without an FVF code, and no declaration is given"),
    }
}

/// The elements of the destination that are written. What the vertex operation does not make is
/// copied from the source's element of the same semantic if `copies` says so, and left alone
/// otherwise.
pub(super) fn fields(
    destination: &[VertexElement],
    made: &[Made],
    source: &Declaration,
    copies: bool,
) -> Vec<Field> {
    let origin = |e: &VertexElement| {
        let screen = e.usage == D3DDECLUSAGE_POSITIONT;
        let usage = if screen {
            D3DDECLUSAGE_POSITION
        } else {
            e.usage
        };
        let semantic = (usage, e.usage_index);
        let find = |semantic| made.iter().find(|made| made.semantic == semantic);
        // Vertices that were in pixels stay as they are.
        if let Some(made) = find((e.usage, e.usage_index)) {
            return Some(Origin::Made(*made));
        }
        if let Some(made) = find(semantic) {
            return Some(Origin::Screen(*made));
        }
        let same = |s: &&VertexElement| s.usage == e.usage && s.usage_index == e.usage_index;
        let from = source.elements.iter().rfind(same).filter(|_| copies);
        from.map(|from| Origin::Source(*from))
    };
    let field = |e: &VertexElement| {
        Some(Field {
            offset: e.offset.into(),
            ty: ElementType::from_number(e.ty)?,
            origin: origin(e)?,
        })
    };
    destination.iter().filter_map(field).collect()
}
