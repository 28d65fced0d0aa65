//! `ProcessVertices`: source vertices through the vertex shader, or the fixed function, into a
//! vertex buffer.
//!
//! All is checked before anything is written, and vertices are made in memory of our own first,
//! unless nothing can fail any more: a call that fails leaves the destination as it was.

mod call;
mod differential;
mod fixed;
mod layout;
mod program;
mod settings;
mod texture;

use std::sync::Arc;

use ninefold_exec::element::{Column, ElementType};
use ninefold_exec::skin::{Skin, SkinBones};
use ninefold_exec::{Constants, Program};

use crate::clip_status::ClipStatus;
use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::{Outcome, invalid};
use crate::handle::{VertexBufferHandle, VertexDeclarationHandle};
use crate::hresult::Result;
use crate::types::VertexElement;
use call::{Call, Fast, Worker};
use differential::Comparison;
use fixed::{Fixed, Slot};
use layout::Origin;
use program::Programs;
pub use settings::VertexSettings;
use texture::Textures;

/// Bytes of scratch memory that stay from call to call.
const MAX_KEPT: usize = 1 << 20;

/// Calls that are told of, and of those that succeed.
const TOLD: [u32; 2] = [20, 8];

/// What calls use again.
#[derive(Default)]
pub(crate) struct Processor {
    settings: VertexSettings,
    comparison: Comparison,
    programs: Programs,
    workers: Vec<Worker>,
    bones: SkinBones,
    /// Boolean constants.
    bools: Vec<bool>,
    /// The destination's range as it will be.
    scratch: Vec<u8>,
    /// Frames presented.
    frame: u64,
    /// Calls told of, and successes.
    told: [u32; 2],
}

/// What makes vertices of vertices.
enum Operation {
    Program(Arc<Program>, Option<Skin>),
    Fixed(Box<Fixed>),
}

/// An element of the source, and what it fills.
struct Feed<E> {
    element: E,
    to: Target,
}

/// What an element of the source fills.
#[derive(Clone, Copy)]
enum Target {
    /// Components of an input register.
    Register {
        place: usize,
        mask: u8,
    },
    Slot(Slot),
}

impl Device {
    /// `ProcessVertices`: runs the vertex shader, or the fixed function where none is set, for
    /// `count` vertices of the streams from `source` on, and writes the results to `destination`
    /// from vertex `index` on.
    ///
    /// The vertices written are those of `declaration`, or of the buffer's FVF code where that
    /// is `None`. A `D3DFVF_XYZRHW` position is in pixels of the viewport with 1 / w; another
    /// one is what the vertex shader wrote, or the position in clip space. Of each element the
    /// components are written that the vertex operation makes. Elements that it does not make
    /// are copied from the source where that has them, unless `flags` is
    /// `D3DPV_DONOTCOPYDATA`; all else keeps its bytes. Numbers are clamped and rounded to the
    /// types of the elements. With `D3DRS_CLIPPING` the vertices are added to the clip status.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL`, with the destination untouched, for other flags, without a vertex
    /// declaration, for a destination with neither an FVF code nor a declaration, for a vs_3_0
    /// without `declaration`, for inputs that the declaration lacks, or the shader among others
    /// that it declares, for vertices past the end of a stream or of the destination, and when a
    /// vs_1_x addresses constants that there are not. `D3DERR_NOTAVAILABLE` for shaders that
    /// sample depth textures, and for a vs_1_x with more than 256 instructions or with a source
    /// modifier other than a minus.
    pub fn process_vertices(
        &mut self,
        source: u32,
        index: u32,
        count: u32,
        destination: VertexBufferHandle,
        declaration: Option<VertexDeclarationHandle>,
        flags: u32,
    ) -> Result<()> {
        self.recorded(
            |r, x| r.process_vertices(x, source, index, count, destination, declaration, flags),
            |d| {
                if let Some(buffer) = d.vertex_buffers.get_mut(destination.0) {
                    buffer.changed();
                }
                let mut processor = core::mem::take(&mut d.processor);
                let range = (source, index, count);
                processor.tell(range, flags, false);
                // Bytes that no stream reads may be written while the streams are read.
                let mut streams = d.state.streams.iter();
                let read = streams.any(|stream| stream.buffer == Some(destination.0));
                let buffer = d.vertex_buffers.get_mut(destination.0).filter(|_| !read);
                let mut own = buffer.map(|buffer| core::mem::take(&mut buffer.data));
                let bytes = own.as_deref_mut();
                let result = processor.process(d, range, destination, bytes, declaration, flags);
                if result.is_ok() {
                    processor.tell(range, flags, true);
                }
                if let (Some(data), Some(buffer)) = (own, d.vertex_buffers.get_mut(destination.0)) {
                    buffer.data = data;
                }
                d.processor = processor;
                result
            },
        )
    }
}

impl Processor {
    pub(crate) fn new(settings: VertexSettings) -> Self {
        Processor {
            settings,
            ..Processor::default()
        }
    }

    /// Tells of a call, or that it succeeded.
    fn tell(&mut self, (source, index, count): (u32, u32, u32), flags: u32, done: bool) {
        let kind = usize::from(done);
        if !self.settings.trace || self.told[kind] >= TOLD[kind] {
            return;
        }
        self.told[kind] += 1;
        tracing::info!(
            name: "process-vertices",
            target: "ninefold::process_vertices",
            source, index, count, flags, done,
        );
    }

    /// A frame was presented.
    pub(crate) fn presented(&mut self) {
        self.frame += 1;
    }

    /// The textures that the vertex shader samples.
    fn textures(&mut self, device: &mut Device) -> Outcome<Textures> {
        let pretransformed = device.pretransformed();
        let Some(handle) = device.state.vertex_shader.filter(|_| !pretransformed) else {
            return Ok(Textures::default());
        };
        let shader = device
            .vertex_shaders
            .get(handle)
            .ok_or_else(|| stale("vertex shader"))?;
        let (program, _) = self.programs.get(shader, &self.settings)?;
        Textures::read(device, program.samplers())
    }

    /// `own` has the destination's bytes where no stream has that buffer.
    fn process(
        &mut self,
        device: &mut Device,
        (source, index, count): (u32, u32, u32),
        destination: VertexBufferHandle,
        mut own: Option<&mut [u8]>,
        declaration: Option<VertexDeclarationHandle>,
        flags: u32,
    ) -> Outcome<()> {
        if flags & !D3DPV_DONOTCOPYDATA != 0 {
            invalid!("flags: {flags:#x}, only D3DPV_DONOTCOPYDATA has a meaning");
        }
        let textures = self.textures(device)?;
        let state = &*device.state;
        let Some(handle) = state.declaration else {
            invalid!("no vertex declaration or FVF is set");
        };
        let from = device
            .declarations
            .get(handle)
            .ok_or_else(|| stale("vertex declaration"))?;
        let to = match declaration {
            Some(handle) => Some(
                device
                    .declarations
                    .get(handle.0)
                    .ok_or_else(|| stale("declaration"))?,
            ),
            None => None,
        };
        let buffer = device
            .vertex_buffers
            .get(destination.0)
            .ok_or_else(|| stale("destination"))?;
        let shader = match state.vertex_shader.filter(|_| !from.pretransformed) {
            Some(handle) => Some(
                device
                    .vertex_shaders
                    .get(handle)
                    .ok_or_else(|| stale("vertex shader"))?,
            ),
            None => None,
        };
        if shader.is_some_and(|shader| shader.major >= 3) && to.is_none() {
            invalid!("declaration: a vs_3_0 needs that of the destination");
        }
        let (elements, stride) = layout::destination(to, buffer.desc.fvf)?;
        let (operation, feeds, made) = match shader {
            Some(shader) => {
                let (program, skin) = self.programs.get(shader, &self.settings)?;
                let feeds = program::feeds(&program, from)?;
                let made = program::made(&program);
                (Operation::Program(program, skin), feeds, made)
            }
            None => {
                let fixed = Box::new(Fixed::new(state, from, device.radial_fog.is_active()));
                let made = fixed.made();
                (Operation::Fixed(fixed), fixed::feeds(from)?, made)
            }
        };
        let copies = flags & D3DPV_DONOTCOPYDATA == 0;
        let fields = layout::fields(&elements, &made, from, copies);

        let column = |element: &VertexElement| column(device, element, source, count);
        let mut inputs = Vec::with_capacity(feeds.len());
        for feed in &feeds {
            inputs.push(Feed {
                element: column(&feed.element)?,
                to: feed.to,
            });
        }
        let mut copied = Vec::with_capacity(fields.len());
        for field in &fields {
            copied.push(match &field.origin {
                Origin::Source(element) => Some(column(element)?),
                _ => None,
            });
        }
        let bytes = own.as_deref().unwrap_or(&buffer.data);
        let range = range(index, count, stride, bytes.len())?;
        let bools = (0..state.vs.counts().bools as usize).map(|n| state.vs.bool(n));
        self.bools.clear();
        self.bools.extend(bools);
        let constants = Constants {
            floats: &state.vs.floats,
            ints: &state.vs.ints,
            bools: &self.bools,
            bump: &[],
        };

        if count == 0 {
            return Ok(());
        }
        let call = Call {
            operation: &operation,
            inputs: &inputs,
            fields: &fields,
            copied: &copied,
            constants: &constants,
            textures: &textures,
            stride,
            viewport: &fixed::viewport(state),
            position: made.iter().find(|made| {
                // Vertices in pixels are clipped when they are drawn.
                made.semantic == (D3DDECLUSAGE_POSITION, 0)
                    && state.rs(D3DRS_CLIPPING) != 0
                    && !from.pretransformed
            }),
        };
        let skin = match &operation {
            Operation::Program(_, skin) => *skin,
            Operation::Fixed(_) => None,
        };
        let fast = skin.filter(|_| self.settings.runs_skin());
        let stream = fast.and_then(|skin| call.stream(&skin, count as usize, &mut self.bones));
        let threads = self.settings.threads_for(count, stream.is_some());
        let mut written = false;
        let mut clip_status = if let (Some(stream), Some(own)) = (&stream, own.as_deref_mut()) {
            written = true;
            let fast = Some(Fast::Stream(stream));
            call.run(&mut own[range.clone()], &mut self.workers, threads, fast)?
        } else {
            let before = &own.as_deref().unwrap_or(&buffer.data)[range.clone()];
            self.scratch.clear();
            self.scratch.extend_from_slice(before);
            let way = match &stream {
                Some(stream) => Some(Fast::Stream(stream)),
                None => fast.map(Fast::Skin),
            };
            let made = call.run(&mut self.scratch, &mut self.workers, threads, way);
            if let Some(skin) = skin.filter(|_| self.settings.differential) {
                let check = differential::Check {
                    frame: self.frame,
                    from_frame: self.settings.differential_from_frame,
                    count,
                    overlaps: own.is_none(),
                    before,
                    generic: made.is_ok().then_some(&self.scratch),
                };
                self.comparison.compare(check, |to| {
                    let stream = call.stream(&skin, count as usize, &mut self.bones);
                    let way = stream.as_ref().map_or(Fast::Skin(skin), Fast::Stream);
                    call.run(to, &mut self.workers, 1, Some(way)).is_ok()
                });
            }
            if made.is_err() {
                self.trim();
            }
            made?
        };
        clip_status.join(device.clip_status);
        device.clip_status = match state.rs(D3DRS_CLIPPING) {
            0 => ClipStatus {
                union: 0,
                intersection: 0,
            },
            _ => clip_status,
        };
        if written {
            return Ok(());
        }
        let bytes = match own {
            Some(own) => Some(own),
            None => device
                .vertex_buffers
                .get_mut(destination.0)
                .map(|buffer| &mut buffer.data[..]),
        };
        if let Some(bytes) = bytes {
            bytes[range].copy_from_slice(&self.scratch);
        }
        self.trim();
        Ok(())
    }

    /// Keeps no more scratch memory than is worth it.
    fn trim(&mut self) {
        if self.scratch.capacity() > MAX_KEPT {
            self.scratch = Vec::new();
        }
    }
}

/// The bytes of an element of the stream that it is in, from vertex `source` on.
fn column<'a>(
    device: &'a Device,
    element: &VertexElement,
    source: u32,
    count: u32,
) -> Outcome<Column<'a>> {
    let number = usize::from(element.stream);
    let Some(stream) = device.state.streams.get(number) else {
        invalid!("stream {number}: there are 16");
    };
    let Some(handle) = stream.buffer else {
        invalid!("stream {number}: no buffer is set");
    };
    let buffer = device
        .vertex_buffers
        .get(handle)
        .ok_or_else(|| stale("stream source"))?;
    // 128 bits: two products of 32-bit numbers may have a sum of 65.
    let stride = u128::from(stream.stride);
    let begin =
        u128::from(stream.offset) + u128::from(element.offset) + u128::from(source) * stride;
    let rest = u128::from(count.saturating_sub(1)) * stride;
    let Some(ty) = ElementType::from_number(element.ty) else {
        invalid!("vertex declaration: {} is no type", element.ty);
    };
    let end = begin + rest + ty.size() as u128;
    if end > buffer.data.len() as u128 {
        invalid!(
            "stream {number}: {count} vertices from {source} on end at byte {end} of {}",
            buffer.data.len()
        );
    }
    Ok(Column {
        bytes: &buffer.data[begin as usize..],
        stride: stream.stride as usize,
        ty,
    })
}

/// The bytes of `count` vertices from `index` on in a buffer of `len`.
fn range(index: u32, count: u32, stride: usize, len: usize) -> Outcome<core::ops::Range<usize>> {
    let begin = u64::from(index) * stride as u64;
    let end = begin + u64::from(count) * stride as u64;
    if end > len as u64 {
        invalid!(
            "destination: {count} vertices of {stride} bytes from {index} on end at byte {end} of {len}"
        );
    }
    Ok(begin as usize..end as usize)
}
