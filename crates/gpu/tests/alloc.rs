//! Recording a draw allocates nothing.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use common::*;
use ninefold_gpu::types as wgt;
use ninefold_gpu::*;

/// The system's allocator, counting the calls of each thread.
struct Counting;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_draw_allocates_nothing() {
    let Some(gpu) = gpu() else { return };
    let group_layout = sampled_layout(&gpu, wgt::TextureViewDimension::D2);
    let layout = gpu
        .create_pipeline_layout(&PipelineLayoutDesc {
            label: "",
            groups: &[&group_layout],
            immediates: 16,
        })
        .unwrap();
    let wgsl = sampling("2d", "i.at.xy");
    let pipelines = [None, Some(wgt::BlendState::ALPHA_BLENDING)].map(|blend| {
        Simple {
            wgsl: &wgsl,
            layout: &layout,
            format: BGRA,
            blend,
            depth_stencil: None,
            samples: 1,
        }
        .build(&gpu)
    });
    let groups = [(); 2].map(|()| {
        let texture = gpu
            .create_texture(&TextureDesc::d2(2, 2, BGRA, SAMPLED))
            .unwrap();
        sampled_group(&gpu, &group_layout, &texture.full_view().unwrap())
    });
    let target = gpu
        .create_texture(&TextureDesc::d2(8, 8, BGRA, TARGET))
        .unwrap();
    let view = target.target_view(0, 0).unwrap();
    let mut arena = Arena::new(
        &gpu,
        ArenaDesc {
            size: 1 << 20,
            pool: 3,
            window: 256,
        },
    )
    .unwrap();
    let corners = quad(-1.0, -1.0, 1.0, 1.0, 0.0);
    let mut commands = gpu.begin().unwrap();
    let colors = [color(&view, Load::Clear([0.0; 4]))];
    commands
        .begin_pass(&PassDesc {
            colors: &colors,
            ..PassDesc::default()
        })
        .unwrap();
    let mut before = 0;
    for draw in 0..1010 {
        // By then every resource is known to the submission.
        if draw == 10 {
            before = CALLS.get();
        }
        let piece = arena.piece(96, 256).unwrap();
        piece.data.copy_from_slice(bytemuck::cast_slice(&corners));
        commands.set_pipeline(&pipelines[draw % 2]).unwrap();
        commands
            .set_bind_group(0, &groups[draw / 2 % 2], &[])
            .unwrap();
        commands
            .set_vertex_buffer(0, piece.buffer, piece.offset, 96)
            .unwrap();
        commands.set_immediates(0, &bits([0.5; 4])).unwrap();
        commands.set_scissor([0, 0, 8, 8]).unwrap();
        commands.draw(0..6, 0..1).unwrap();
    }
    let calls = CALLS.get() - before;
    commands.submit().unwrap();
    gpu.wait_idle().unwrap();
    assert_eq!(calls, 0, "allocations in 1,000 draws");
}
