//! Group 2: constants beyond what the windows of group 0 hold, for shaders of software vertex
//! processing. Few programs have any, so a draw that has them may allocate.

use std::sync::Arc;

use ninefold_gpu::types::{BindGroupLayoutEntry, BindingType, BufferBindingType, ShaderStages};
use ninefold_gpu::{Arena, BindEntry, BindGroup, BindGroupLayout, BindResource, Gpu};
use ninefold_shader::{Reflection, abi};

use crate::compiler::{Function, FunctionId};
use crate::draw::Draw;
use crate::error::Result;

/// Alignment of a stage's rows; every GPU allows it.
const ALIGN: usize = 256;
const ROW: usize = 16;

/// The functions of a pipeline, vertex and pixel, of which one has large constants at least.
pub(crate) type Stages = [Arc<Function>; 2];

/// What decides the bytes of a bind group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Contents {
    stages: [FunctionId; 2],
    generations: [u64; 4],
}

/// The large constants of the last draw that had any.
pub(crate) struct Large {
    layout: BindGroupLayout,
    held: Option<(Contents, BindGroup)>,
}

impl Large {
    pub(crate) fn new(gpu: &Gpu) -> Result<Self> {
        let entry = |binding, visibility| BindGroupLayoutEntry {
            binding,
            visibility,
            ty: BindingType::Buffer {
                ty: BufferBindingType::Storage { read_only: true },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        // Where there are no storage buffers, no shader is translated to need one.
        let entries = [
            entry(abi::VERTEX_LARGE, ShaderStages::VERTEX),
            entry(abi::PIXEL_LARGE, ShaderStages::FRAGMENT),
        ];
        let entries: &[_] = match gpu.caps().max_storage_binding {
            0 => &[],
            _ => &entries,
        };
        Ok(Self {
            layout: gpu.create_bind_group_layout(entries)?,
            held: None,
        })
    }

    pub(crate) fn layout(&self) -> &BindGroupLayout {
        &self.layout
    }

    /// Whether functions with these reflections need group 2.
    pub(crate) fn needed(vertex: &Reflection, pixel: &Reflection) -> bool {
        vertex.large_rows() + pixel.large_rows() > 0
    }

    /// Forgets what was uploaded: its memory is used again.
    pub(crate) fn forget(&mut self) {
        self.held = None;
    }

    /// The bind group of a draw, and how many bytes were uploaded for it: 0 when they were
    /// there already.
    #[cold]
    pub(crate) fn group(
        &mut self,
        gpu: &Gpu,
        arena: &mut Arena,
        stages: &Stages,
        draw: &Draw<'_>,
    ) -> Result<(&BindGroup, usize)> {
        let contents = Contents {
            stages: [stages[0].id, stages[1].id],
            generations: [
                draw.vs_floats.generation,
                draw.ps_floats.generation,
                draw.wide[0].generation,
                draw.wide[1].generation,
            ],
        };
        let mut bytes = 0;
        if self.held.as_ref().is_none_or(|(held, _)| *held != contents) {
            self.held = None;
            let group;
            (group, bytes) = self.upload(gpu, arena, stages, draw)?;
            self.held = Some((contents, group));
        }
        match &self.held {
            Some((_, group)) => Ok((group, bytes)),
            None => Err(crate::Error::state("no large constants")),
        }
    }

    fn upload(
        &self,
        gpu: &Gpu,
        arena: &mut Arena,
        stages: &Stages,
        draw: &Draw<'_>,
    ) -> Result<(BindGroup, usize)> {
        let reflections = [&stages[0].reflection, &stages[1].reflection];
        // A stage that has none binds a row that nothing reads.
        let sizes = reflections.map(|reflection| ROW * reflection.large_rows().max(1));
        let second = sizes[0].next_multiple_of(ALIGN);
        let allocation = arena.alloc(second + sizes[1], ALIGN as u64)?;
        let (first, rest) = allocation.data.split_at_mut(second);
        for ((reflection, size), (stage, out)) in reflections
            .into_iter()
            .zip(sizes)
            .zip([first, rest].into_iter().enumerate())
        {
            let floats = [draw.vs_floats.file, draw.ps_floats.file][stage];
            let wide = draw.wide[stage];
            let rows = bytemuck::cast_slice_mut(&mut out[..size]);
            reflection.pack_large(floats, wide.ints, wide.bools, rows);
        }
        let offsets = [0, second].map(|offset| allocation.offset + offset as u64);
        let entry = |binding: u32| BindEntry {
            binding,
            resource: BindResource::Storage {
                buffer: &allocation.buffer,
                offset: offsets[binding as usize],
                size: sizes[binding as usize] as u64,
            },
        };
        let entries = [entry(abi::VERTEX_LARGE), entry(abi::PIXEL_LARGE)];
        let group = gpu.create_bind_group(&self.layout, &entries)?;
        Ok((group, second + sizes[1]))
    }
}
