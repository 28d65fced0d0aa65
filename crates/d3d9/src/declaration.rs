//! Vertex declarations and FVF codes.

use ninefold_shader::fixed::input;

use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::{Fault, Outcome, invalid};
use crate::fvf;
use crate::handle::{RawHandle, VertexDeclarationHandle, Weigh};
use crate::hresult::{HResult, Result};
use crate::types::VertexElement;

/// Elements that a declaration may have, the end marker aside: twice `MAXD3DDECLLENGTH`, which the
/// runtime does not insist on.
const MAX_ELEMENTS: usize = 128;

/// Bytes of the largest stride that the GPU steps by.
const WIDEST: u32 = 2048;

/// A declaration with what the fixed function wants to know of it.
#[derive(Debug)]
pub(crate) struct Declaration {
    /// The code that it was made from by `SetFVF`; 0 for a program's own.
    fvf: u32,
    pub(crate) elements: Box<[VertexElement]>,
    pub(crate) layout: Box<[ninefold_renderer::VertexElement]>,
    /// `POSITIONT0`: vertices are already in pixels.
    pub(crate) pretransformed: bool,
    /// Bits of `fixed::input` below `TEXCOORD`.
    pub(crate) inputs: u16,
    /// The same for a tween.
    pub(crate) tween_inputs: u16,
    pub(crate) uint_inputs: u16,
    pub(crate) sint_inputs: u16,
    /// `BLENDINDICES0` comes scaled to 0 to 1.
    pub(crate) indices_normalized: bool,
    /// Components of each texture coordinate set, 0 where there is none.
    pub(crate) coordinates: [u8; 8],
    /// Bit n: stream n is read.
    pub(crate) streams: u16,
    /// Bit n: stream n has elements that the GPU cannot fetch, so that every draw converts them.
    pub(crate) converted: u16,
    /// Bytes from the start of a vertex to the end of its last element, by stream.
    ends: [u32; 16],
}

impl Weigh for Declaration {
    fn bytes(&self) -> u64 {
        0
    }
}

impl Declaration {
    pub(crate) fn new(elements: &[VertexElement], fvf: u32) -> Self {
        let mut d = Self {
            fvf,
            elements: elements.into(),
            layout: drawn(elements)
                .map(|e| ninefold_renderer::VertexElement {
                    stream: e.stream as u8,
                    offset: e.offset,
                    ty: e.ty,
                    usage: e.usage,
                    index: e.usage_index,
                })
                .collect(),
            pretransformed: false,
            inputs: 0,
            tween_inputs: 0,
            uint_inputs: 0,
            sint_inputs: 0,
            indices_normalized: false,
            coordinates: [0; 8],
            streams: 0,
            converted: 0,
            ends: [0; 16],
        };
        for e in drawn(elements) {
            d.streams |= 1 << e.stream;
            let converted = matches!(e.ty, D3DDECLTYPE_UDEC3 | D3DDECLTYPE_DEC3N);
            d.converted |= u16::from(converted) << e.stream;
            let end = &mut d.ends[e.stream as usize];
            *end = (*end).max(u32::from(e.offset) + fvf::type_size(e.ty));
            let bit = match (e.usage, e.usage_index) {
                (D3DDECLUSAGE_POSITIONT, 0) => {
                    d.pretransformed = true;
                    input::POSITION
                }
                (D3DDECLUSAGE_POSITION, 0) => input::POSITION,
                (D3DDECLUSAGE_NORMAL, 0) => input::NORMAL,
                (D3DDECLUSAGE_COLOR, 0) => input::DIFFUSE,
                (D3DDECLUSAGE_COLOR, 1) => input::SPECULAR,
                (D3DDECLUSAGE_BLENDWEIGHT, 0) => input::BLEND_WEIGHTS,
                (D3DDECLUSAGE_BLENDINDICES, 0) => {
                    d.indices_normalized =
                        matches!(e.ty, D3DDECLTYPE_D3DCOLOR | D3DDECLTYPE_UBYTE4N);
                    input::BLEND_INDICES
                }
                (D3DDECLUSAGE_PSIZE, 0) => input::POINT_SIZE,
                (D3DDECLUSAGE_TEXCOORD, n @ 0..=7) => {
                    d.coordinates[n as usize] = components(e.ty);
                    input::TEXCOORD << n
                }
                (D3DDECLUSAGE_POSITION, 1) => {
                    d.tween_inputs |= input::TWEEN_POSITION;
                    continue;
                }
                (D3DDECLUSAGE_NORMAL, 1) => {
                    d.tween_inputs |= input::TWEEN_NORMAL;
                    continue;
                }
                _ => continue,
            };
            d.inputs |= bit & (input::TEXCOORD - 1);
            d.tween_inputs |=
                bit & (input::TEXCOORD - 1) & !(input::BLEND_WEIGHTS | input::BLEND_INDICES);
            match e.ty {
                D3DDECLTYPE_UBYTE4 | D3DDECLTYPE_UDEC3 => d.uint_inputs |= bit,
                D3DDECLTYPE_SHORT2 | D3DDECLTYPE_SHORT4 => d.sint_inputs |= bit,
                _ => {}
            }
        }
        d
    }
}

/// The elements that a draw can read: of a stream and a usage that there are, and the last where
/// several have one usage.
fn drawn(elements: &[VertexElement]) -> impl Iterator<Item = &VertexElement> {
    let usage = |e: &VertexElement| (e.usage, e.usage_index);
    elements.iter().enumerate().filter_map(move |(i, e)| {
        let exists = e.stream < 16 && e.usage <= D3DDECLUSAGE_SAMPLE && e.usage_index < 16;
        let last = !elements[i + 1..].iter().any(|o| usage(o) == usage(e));
        (exists && last).then_some(e)
    })
}

fn components(ty: u8) -> u8 {
    match ty {
        D3DDECLTYPE_FLOAT1 => 1,
        D3DDECLTYPE_FLOAT2
        | D3DDECLTYPE_SHORT2
        | D3DDECLTYPE_SHORT2N
        | D3DDECLTYPE_USHORT2N
        | D3DDECLTYPE_FLOAT16_2 => 2,
        D3DDECLTYPE_FLOAT3 | D3DDECLTYPE_UDEC3 | D3DDECLTYPE_DEC3N => 3,
        _ => 4,
    }
}

impl Declaration {
    /// Bytes from a vertex's start to the end of its last element in a stream.
    pub(crate) fn end(&self, stream: usize) -> u32 {
        self.ends[stream]
    }

    /// The stride that a stream is drawn with. Vertices that overlap, those that lie too far apart
    /// and those that begin anywhere are copied first, and lie side by side then.
    pub(crate) fn drawn_stride(&self, stream: usize, stride: u32) -> u32 {
        let end = self.ends[stream];
        if stride != 0 && stride < end || stride > WIDEST || !stride.is_multiple_of(4) {
            return end.next_multiple_of(4);
        }
        stride
    }

    /// Bytes of a stream that `count` vertices take, 1 or more. The last one ends with its last
    /// element.
    pub(crate) fn needed(&self, stream: usize, stride: u32, count: u64) -> u64 {
        (count - 1)
            .saturating_mul(stride.into())
            .saturating_add(self.ends[stream].into())
    }
}

impl Device {
    /// `CreateVertexDeclaration`: the elements without the end marker.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for more than 128 elements; `E_FAIL` for offsets that are no multiple of
    /// 4, for `D3DDECLTYPE_UNUSED` and for unknown types. Streams past 15 and unknown usages are
    /// kept and not drawn with; where several elements have one usage, the last is drawn with.
    pub fn create_vertex_declaration(
        &mut self,
        elements: &[VertexElement],
    ) -> Result<VertexDeclarationHandle> {
        self.recorded(
            |r, x| r.create_vertex_declaration(x, elements),
            |d| {
                check(elements)?;
                Ok(VertexDeclarationHandle(d.declarations.insert(
                    Declaration::new(elements, 0),
                    1,
                    0,
                )))
            },
        )
    }

    /// `SetVertexDeclaration`. One that `SetFVF` made brings its code back.
    pub fn set_vertex_declaration(
        &mut self,
        declaration: Option<VertexDeclarationHandle>,
    ) -> Result<()> {
        self.recorded(
            |r, x| r.set_vertex_declaration(x, declaration),
            |d| {
                let handle = declaration.map(|h| h.0);
                let made_from = handle
                    .and_then(|h| d.declarations.get(h))
                    .map_or(0, |m| m.fvf);
                d.bind_declaration(handle, made_from)
            },
        )
    }

    /// Binds a declaration, made from `fvf` unless that is 0.
    pub(crate) fn bind_declaration(
        &mut self,
        declaration: Option<RawHandle>,
        fvf: u32,
    ) -> Outcome<()> {
        if let Some(handle) = declaration
            && self.declarations.get(handle).is_none()
        {
            return Err(stale("declaration"));
        }
        if let Some(block) = &mut self.recording {
            if let Some(handle) = declaration {
                self.declarations.hold(handle);
            }
            if let Some(old) = block.record_declaration(declaration, fvf) {
                self.declarations.unhold(old);
            }
            return Ok(());
        }
        let state = &mut self.state;
        if state.declaration == declaration && state.fvf == fvf {
            return Ok(());
        }
        if let Some(handle) = declaration {
            self.declarations.hold(handle);
        }
        if let Some(old) = core::mem::replace(&mut state.declaration, declaration) {
            self.declarations.unhold(old);
        }
        state.fvf = fvf;
        self.resolved.touch_declaration();
        Ok(())
    }

    /// `GetVertexDeclaration`: adds a reference.
    pub fn get_vertex_declaration(&mut self) -> Result<Option<VertexDeclarationHandle>> {
        self.recorded(
            |r, x| r.get_vertex_declaration(x),
            |d| {
                Ok(d.state.declaration.map(|handle| {
                    d.declarations.add_ref(handle);
                    VertexDeclarationHandle(handle)
                }))
            },
        )
    }

    /// `IDirect3DVertexDeclaration9::GetDeclaration`: the elements without the end marker.
    pub fn vertex_declaration_get_declaration(
        &mut self,
        declaration: VertexDeclarationHandle,
    ) -> Result<&[VertexElement]> {
        self.declarations
            .get(declaration.0)
            .map(|d| &*d.elements)
            .ok_or(HResult::INVALIDCALL)
    }

    /// `SetFVF`: replaces the declaration; 0 leaves the one there is.
    pub fn set_fvf(&mut self, fvf: u32) -> Result<()> {
        self.recorded(
            |r, x| r.set_fvf(x, fvf),
            |d| {
                if d.recording.is_none() && d.state.fvf == fvf {
                    return Ok(());
                }
                if fvf == 0 {
                    return Ok(());
                }
                let handle = match d.fvf_declarations.get(&fvf) {
                    Some(handle) => *handle,
                    None => {
                        let declaration = Declaration::new(&fvf::elements(fvf), fvf);
                        let handle = d.declarations.insert(declaration, 0, 1);
                        d.fvf_declarations.insert(fvf, handle);
                        handle
                    }
                };
                d.bind_declaration(Some(handle), fvf)
            },
        )
    }

    /// `GetFVF`: 0 when a declaration of the program's was set.
    pub fn get_fvf(&self) -> u32 {
        self.state.fvf
    }
}

fn check(elements: &[VertexElement]) -> Outcome<()> {
    if elements.len() > MAX_ELEMENTS {
        invalid!("elements: {}, at most {MAX_ELEMENTS}", elements.len());
    }
    for (i, e) in elements.iter().enumerate() {
        if e.ty > D3DDECLTYPE_FLOAT16_4 {
            return Err(Fault::new(
                HResult::FAIL,
                format!("element {i}: type {} is not that of an element", e.ty),
            ));
        }
        if !e.offset.is_multiple_of(4) {
            return Err(Fault::new(
                HResult::FAIL,
                format!("element {i}: offset {} is no multiple of 4", e.offset),
            ));
        }
    }
    Ok(())
}
