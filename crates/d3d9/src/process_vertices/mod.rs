//! `ProcessVertices`: source vertices through the vertex shader, or the fixed function, into a
//! vertex buffer.
//!
//! All is checked before anything is written, and vertices are made in memory of our own first:
//! a call that fails leaves the destination as it was.

mod element;
mod layout;
mod program;

use ninefold_exec::{Constants, Machine, NoTextures, Program, VertexInput, VertexOutput};

use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::{Fault, Outcome, invalid};
use crate::fvf::type_size;
use crate::handle::{VertexBufferHandle, VertexDeclarationHandle};
use crate::hresult::{HResult, Result};
use crate::types::{VertexElement, Viewport};
use element::{Column, ColumnMut};
use layout::{Field, Made, Origin};
use program::Programs;

/// Vertices that are decoded, run and written at a time: what stays in the nearest cache.
const BLOCK: usize = 64;

/// Bytes of scratch memory that stay from call to call.
const MAX_KEPT: usize = 1 << 20;

/// What calls use again.
#[derive(Default)]
pub(crate) struct Processor {
    programs: Programs,
    machine: Machine,
    inputs: Vec<VertexInput>,
    outputs: Vec<VertexOutput>,
    /// The destination's range as it will be.
    scratch: Vec<u8>,
}

/// An element of the source, and the input register that it fills.
struct Feed {
    element: VertexElement,
    place: usize,
    mask: u8,
}

/// A feed with the bytes of the source's vertices, or a field with those that it copies.
struct Fed<'a> {
    column: Column<'a>,
    place: usize,
    mask: u8,
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
    /// types of the elements.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL`, with the destination untouched, for other flags, without a vertex
    /// declaration, for a destination with neither an FVF code nor a declaration, for a vs_3_0
    /// without `declaration`, for inputs that the declaration lacks, for vertices past the end
    /// of a stream or of the destination, and when a vs_1_x addresses constants that there are
    /// not. `D3DERR_NOTAVAILABLE` for shaders that sample textures.
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
                let mut processor = core::mem::take(&mut d.processor);
                let range = (source, index, count);
                let result = processor.process(d, range, destination, declaration, flags);
                d.processor = processor;
                result
            },
        )
    }
}

impl Processor {
    fn process(
        &mut self,
        device: &mut Device,
        (source, index, count): (u32, u32, u32),
        destination: VertexBufferHandle,
        declaration: Option<VertexDeclarationHandle>,
        flags: u32,
    ) -> Outcome<()> {
        if flags & !D3DPV_DONOTCOPYDATA != 0 {
            invalid!("flags: {flags:#x}, only D3DPV_DONOTCOPYDATA has a meaning");
        }
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
        let shader = match state.vertex_shader {
            Some(handle) => device
                .vertex_shaders
                .get(handle)
                .ok_or_else(|| stale("vertex shader"))?,
            None => return Err(Fault::new(HResult::NOTAVAILABLE, "no vertex shader is set")),
        };
        if shader.major >= 3 && to.is_none() {
            invalid!("declaration: a vs_3_0 needs that of the destination");
        }
        let (elements, stride) = layout::destination(to, buffer.desc.fvf)?;
        let program = self.programs.get(shader)?;
        if let Some((sampler, _)) = program.samplers().first() {
            let text = format!("vertex shader: it samples texture {sampler}");
            return Err(Fault::new(HResult::NOTAVAILABLE, text));
        }
        let feeds = program::feeds(&program, from)?;
        let made = program::made(&program);
        let copies = flags & D3DPV_DONOTCOPYDATA == 0;
        let fields = layout::fields(&elements, &made, from, copies);

        let column = |element: &VertexElement| column(device, element, source, count);
        let inputs = feeds
            .iter()
            .map(|feed| {
                Ok(Fed {
                    column: column(&feed.element)?,
                    place: feed.place,
                    mask: feed.mask,
                })
            })
            .collect::<Outcome<Vec<_>>>()?;
        let copied = fields
            .iter()
            .map(|field| match &field.origin {
                Origin::Source(element) => column(element).map(Some),
                _ => Ok(None),
            })
            .collect::<Outcome<Vec<_>>>()?;
        let range = range(index, count, stride, buffer.data.len())?;
        let bools: [bool; 16] = core::array::from_fn(|n| state.vs.bools >> n & 1 != 0);
        let constants = Constants {
            floats: &state.vs.floats,
            ints: &state.vs.ints,
            bools: &bools,
            bump: &[],
        };

        self.scratch.clear();
        self.scratch.extend_from_slice(&buffer.data[range.clone()]);
        self.inputs.resize(BLOCK, [[0.0, 0.0, 0.0, 1.0]; 16]);
        self.outputs.resize(BLOCK, VertexOutput::default());
        let mut first = 0;
        for part in self.scratch.chunks_mut(BLOCK * stride) {
            let n = part.len() / stride;
            for feed in &inputs {
                fill(&mut self.inputs[..n], feed, first);
            }
            let outputs = &mut self.outputs[..n];
            run(&program, &mut self.machine, &self.inputs[..n], outputs, &constants)?;
            for (field, copied) in fields.iter().zip(&copied) {
                let column = ColumnMut {
                    bytes: &mut part[field.offset..],
                    stride,
                    ty: field.ty,
                };
                write(column, field, copied.map(|c| c.from(first)), outputs, &state.viewport);
            }
            first += n;
        }
        if let Some(buffer) = device.vertex_buffers.get_mut(destination.0) {
            buffer.data[range].copy_from_slice(&self.scratch);
        }
        if self.scratch.capacity() > MAX_KEPT {
            self.scratch = Vec::new();
        }
        Ok(())
    }
}

fn run(
    program: &Program,
    machine: &mut Machine,
    inputs: &[VertexInput],
    outputs: &mut [VertexOutput],
    constants: &Constants<'_>,
) -> Outcome<()> {
    program
        .run_vertices(machine, inputs, outputs, constants, &mut NoTextures)
        .map_err(|error| Fault::invalid(format!("vertex shader: {error}")))
}

/// Fills a register of all inputs with the source's vertices from `first` on.
fn fill(inputs: &mut [VertexInput], feed: &Fed<'_>, first: usize) {
    let column = feed.column.from(first);
    let place = feed.place;
    let count = inputs.len();
    if feed.mask == 0xF {
        column.load(count, |n, value| inputs[n][place] = value);
        return;
    }
    column.load(count, |n, value| {
        for (c, (to, x)) in inputs[n][place].iter_mut().zip(value).enumerate() {
            if feed.mask >> c & 1 != 0 {
                *to = x;
            }
        }
    });
}

/// Writes one element of all vertices.
fn write(
    to: ColumnMut<'_>,
    field: &Field,
    copied: Option<Column<'_>>,
    outputs: &[VertexOutput],
    viewport: &Viewport,
) {
    let count = outputs.len();
    let value = |made: &Made, n: usize| {
        let register = outputs[n].registers[usize::from(made.place)];
        match made.first {
            0 => register,
            first => core::array::from_fn(|c| {
                register.get(usize::from(first) + c).copied().unwrap_or(0.0)
            }),
        }
    };
    match (&field.origin, copied) {
        (Origin::Made(made), _) => to.store(count, made.mask, |n| value(made, n)),
        (Origin::Screen(made), _) => {
            to.store(count, 0xF, |n| pixels(value(made, n), viewport));
        }
        (Origin::Source(from), Some(column)) if from.ty == field.ty => to.copy(count, column),
        (Origin::Source(_), Some(column)) => {
            let mut values = [[0.0; 4]; BLOCK];
            column.load(count, |n, value| values[n] = value);
            to.store(count, 0xF, |n| values[n]);
        }
        (Origin::Source(_), None) => {}
    }
}

/// A position in clip space as `D3DFVF_XYZRHW` has it.
fn pixels([x, y, z, w]: [f32; 4], viewport: &Viewport) -> [f32; 4] {
    let rhw = 1.0 / w;
    let half = |size: u32| size as f32 * 0.5;
    let (width, height) = (half(viewport.width), half(viewport.height));
    [
        viewport.x as f32 + width + x * rhw * width,
        viewport.y as f32 + height - y * rhw * height,
        viewport.min_z + z * rhw * (viewport.max_z - viewport.min_z),
        rhw,
    ]
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
    let stride = u64::from(stream.stride);
    let begin = u64::from(stream.offset) + u64::from(element.offset) + u64::from(source) * stride;
    let rest = u64::from(count.saturating_sub(1)) * stride;
    let end = begin + rest + u64::from(type_size(element.ty));
    if end > buffer.data.len() as u64 {
        invalid!(
            "stream {number}: {count} vertices from {source} on end at byte {end} of {}",
            buffer.data.len()
        );
    }
    Ok(Column {
        bytes: &buffer.data[begin as usize..],
        stride: stride as usize,
        ty: element.ty,
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
