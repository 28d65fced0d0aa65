//! Group 0: constants packed into windows of the arena, used again while their contents stay.

use ninefold_gpu::types::{BindGroupLayoutEntry, BindingType, BufferBindingType, ShaderStages};
use ninefold_gpu::{BindEntry, BindGroup, BindGroupLayout, BindResource, Buffer, Gpu};
use ninefold_shader::abi::{self, PixelExtras, VertexExtras};
use ninefold_shader::{ConstRange, FloatDef, Reflection};
use std::num::NonZeroU64;

use crate::compiler::{Function, FunctionId};
use crate::error::{Error, Result};

/// Windows: vertex floats, pixel floats, vertex extras, pixel extras, in the order of bindings.
pub(crate) const WINDOWS: usize = 4;

/// Bytes that each binding sees.
pub(crate) const WINDOW_BYTES: [u64; WINDOWS] = [
    abi::VERTEX_CONSTANT_BYTES,
    abi::PIXEL_CONSTANT_BYTES,
    size_of::<VertexExtras>() as u64,
    size_of::<PixelExtras>() as u64,
];

/// Alignment of windows; every GPU allows it.
pub(crate) const ALIGN: usize = 256;

/// Bytes that four full windows take, rounded up to their alignment. The arena keeps this much
/// behind every allocation, so that a window may start at any constant of a draw.
pub(crate) const ALL_WINDOWS: u64 = 16 << 10;

const _: () = {
    let mut sum = 0;
    let mut at = 0;
    while at < WINDOWS {
        sum += WINDOW_BYTES[at].next_multiple_of(ALIGN as u64);
        at += 1;
    }
    assert!(sum <= ALL_WINDOWS);
};

/// Float constants that a function reads.
#[derive(Clone, Debug)]
struct FloatLayout {
    function: FunctionId,
    ranges: Vec<ConstRange>,
    /// Constants of the shader's own that are written over the file's.
    defs: Vec<FloatDef>,
    rows: usize,
}

/// What a pipeline reads from group 0.
#[derive(Clone, Debug)]
pub(crate) struct ConstantLayout {
    floats: [FloatLayout; 2],
    extras: [bool; 2],
}

impl ConstantLayout {
    pub(crate) fn new(vertex: &Function, pixel: &Function) -> Self {
        let (vs, ps) = (&vertex.reflection, &pixel.reflection);
        let floats = |function: &Function, reflection: &Reflection| FloatLayout {
            function: function.id,
            ranges: reflection.float_ranges.clone(),
            defs: if reflection.uses_relative {
                reflection.defs.clone()
            } else {
                Vec::new()
            },
            rows: reflection.window_rows(),
        };
        Self {
            floats: [floats(vertex, vs), floats(pixel, ps)],
            extras: [vs.uses_extras, ps.uses_extras],
        }
    }

    /// Bytes that window `window` needs, 0 when nothing of it is read.
    pub(crate) fn bytes(&self, window: usize) -> usize {
        match window {
            0 | 1 => self.floats[window].rows * 16,
            _ if self.extras[window - 2] => WINDOW_BYTES[window] as usize,
            _ => 0,
        }
    }

    /// What must be equal, beside the generation, for a window to hold the right bytes.
    fn owner(&self, window: usize) -> Option<FunctionId> {
        (window < 2).then(|| self.floats[window].function)
    }

    /// Packs the registers that a stage reads.
    pub(crate) fn pack(&self, stage: usize, file: &[[f32; 4]], out: &mut [[f32; 4]]) {
        let layout = &self.floats[stage];
        for range in &layout.ranges {
            let at = usize::from(range.packed_at).min(out.len());
            let count = usize::from(range.count).min(out.len() - at);
            let from = usize::from(range.first).min(file.len());
            let have = count.min(file.len() - from);
            out[at..at + have].copy_from_slice(&file[from..from + have]);
            out[at + have..at + count].fill([0.0; 4]);
        }
        for def in &layout.defs {
            if let Some(row) = out.get_mut(usize::from(def.register)) {
                *row = def.value;
            }
        }
    }
}

/// What a window of the arena holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    owner: Option<FunctionId>,
    generation: u64,
    /// How depths are moved, which the renderer wrote into the vertex extras, as bits.
    depth: [u32; 2],
}

/// Generations of the contents of the windows, and how depths are moved: added, multiplied.
#[derive(Clone, Copy)]
pub(crate) struct Contents {
    pub(crate) generations: [u64; WINDOWS],
    pub(crate) depth: [f32; 2],
}

impl Contents {
    #[inline]
    fn held(&self, layout: &ConstantLayout, window: usize) -> Held {
        Held {
            owner: layout.owner(window),
            generation: self.generations[window],
            depth: match window {
                2 => self.depth.map(f32::to_bits),
                _ => [0; 2],
            },
        }
    }
}

/// Offsets of the four windows, two in each word. They are made in registers and written by whole
/// words: reading them back in other sizes than they were written in would wait for all of a draw's
/// writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Offsets {
    low: u64,
    high: u64,
}

impl Offsets {
    #[inline]
    pub(crate) fn set(&mut self, window: usize, offset: u32) {
        let word = if window < 2 {
            &mut self.low
        } else {
            &mut self.high
        };
        let shift = 32 * (window & 1);
        *word = *word & !(0xFFFF_FFFF << shift) | u64::from(offset) << shift;
    }

    /// The offsets in the order of the bindings.
    #[inline]
    pub(crate) fn array(self) -> [u32; WINDOWS] {
        [
            self.low as u32,
            (self.low >> 32) as u32,
            self.high as u32,
            (self.high >> 32) as u32,
        ]
    }
}

/// The windows of the last draw.
pub(crate) struct Windows {
    held: [Option<Held>; WINDOWS],
    offsets: Offsets,
    /// The arena buffer they are in.
    buffer: Option<Buffer>,
    groups: Vec<(Buffer, u32, BindGroup)>,
    next: u32,
    layout: BindGroupLayout,
}

/// Arena buffers whose bind group is kept: the pool, the current one, and one to spare.
const GROUPS: usize = 6;

impl Windows {
    pub(crate) fn new(gpu: &Gpu) -> Result<Self> {
        let entries: Vec<BindGroupLayoutEntry> = WINDOW_BYTES
            .iter()
            .enumerate()
            .map(|(binding, &bytes)| BindGroupLayoutEntry {
                binding: binding as u32,
                visibility: if binding % 2 == 0 {
                    ShaderStages::VERTEX
                } else {
                    ShaderStages::FRAGMENT
                },
                ty: BindingType::Buffer {
                    ty: BufferBindingType::Uniform,
                    has_dynamic_offset: true,
                    min_binding_size: NonZeroU64::new(bytes),
                },
                count: None,
            })
            .collect();
        Ok(Self {
            held: [None; WINDOWS],
            offsets: Offsets::default(),
            buffer: None,
            groups: Vec::new(),
            next: 0,
            layout: gpu.create_bind_group_layout(&entries)?,
        })
    }

    pub(crate) fn layout(&self) -> &BindGroupLayout {
        &self.layout
    }

    /// Windows that this draw must write; bit n for window n.
    #[inline]
    pub(crate) fn stale(&self, layout: &ConstantLayout, contents: &Contents) -> u8 {
        let mut stale = 0;
        for window in 0..WINDOWS {
            if layout.bytes(window) == 0 {
                continue;
            }
            if self.held[window] != Some(contents.held(layout, window)) {
                stale |= 1 << window;
            }
        }
        stale
    }

    /// Whether the windows are in `buffer`. If not, everything that was held is forgotten.
    #[inline]
    pub(crate) fn move_to(&mut self, buffer: &Buffer) -> bool {
        if self
            .buffer
            .as_ref()
            .is_some_and(|have| have.id() == buffer.id())
        {
            return true;
        }
        self.forget();
        self.buffer = Some(buffer.clone());
        false
    }

    /// Notes that a window holds these contents.
    #[inline]
    pub(crate) fn wrote(&mut self, window: usize, layout: &ConstantLayout, contents: &Contents) {
        self.held[window] = Some(contents.held(layout, window));
    }

    #[inline]
    pub(crate) fn set_offsets(&mut self, offsets: Offsets) {
        self.offsets = offsets;
    }

    #[inline]
    pub(crate) fn offsets(&self) -> Offsets {
        self.offsets
    }

    /// Forgets what the windows hold.
    pub(crate) fn forget(&mut self) {
        self.held = [None; WINDOWS];
        self.offsets = Offsets::default();
        self.buffer = None;
    }

    /// The arena buffer that the windows are in.
    #[inline]
    fn buffer(&self) -> Result<&Buffer> {
        self.buffer
            .as_ref()
            .ok_or_else(|| Error::state("the constants have no buffer"))
    }

    /// The bind group of the arena buffer that the windows are in, with a number that tells bind
    /// groups apart.
    #[inline]
    pub(crate) fn group(&mut self, gpu: &Gpu) -> Result<(u32, &BindGroup)> {
        let id = self.buffer()?.id();
        let at = match self.groups.iter().position(|(have, ..)| have.id() == id) {
            Some(at) => at,
            None => {
                let buffer = self.buffer()?.clone();
                self.make_group(gpu, buffer)?
            }
        };
        let (_, number, group) = &self.groups[at];
        Ok((*number, group))
    }

    #[cold]
    fn make_group(&mut self, gpu: &Gpu, buffer: Buffer) -> Result<usize> {
        let entries: Vec<BindEntry<'_>> = WINDOW_BYTES
            .iter()
            .enumerate()
            .map(|(binding, &size)| BindEntry {
                binding: binding as u32,
                resource: BindResource::Uniform {
                    buffer: &buffer,
                    offset: 0,
                    size,
                },
            })
            .collect();
        let group = gpu.create_bind_group(&self.layout, &entries)?;
        if self.groups.len() == GROUPS {
            self.groups.remove(0);
        }
        self.groups.push((buffer, self.next, group));
        self.next += 1;
        Ok(self.groups.len() - 1)
    }
}
