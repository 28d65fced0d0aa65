//! Arenas: alignment, tail window, pool, buffers of their own.

mod common;

use common::*;
use ninefold_gpu::types as wgt;
use ninefold_gpu::*;

const DESC: ArenaDesc = ArenaDesc {
    size: 8192,
    pool: 3,
    window: 1024,
};

/// Submits commands that read `pieces` bytes at the start of `buffer`.
fn use_in(gpu: &Gpu, buffer: &Buffer, offset: u64) -> (Commands, Buffer) {
    let result = gpu
        .create_buffer(&BufferDesc {
            label: "",
            size: 4,
            usage: wgt::BufferUsages::COPY_DST | wgt::BufferUsages::MAP_READ,
        })
        .unwrap();
    let mut commands = gpu.begin().unwrap();
    commands
        .copy_buffer_to_buffer(buffer, offset, &result, 0, 4)
        .unwrap();
    (commands, result)
}

#[test]
fn allocations_are_aligned_disjoint_and_leave_a_window() {
    let Some(gpu) = gpu() else { return };
    let mut arena = Arena::new(&gpu, DESC).unwrap();
    let mut ends: std::collections::HashMap<u64, u64> = Default::default();
    for (n, align) in [
        (1, 256),
        (300, 256),
        (7, 4),
        (0, 16),
        (5000, 256),
        (100, 64),
        (2000, 256),
    ] {
        let piece = arena.alloc(n, align).unwrap();
        assert!(piece.offset.is_multiple_of(align) && piece.data.len() == n);
        assert!(piece.offset + DESC.window <= piece.buffer.size());
        let end = ends.entry(piece.buffer.id()).or_default();
        assert!(piece.offset >= *end);
        *end = piece.offset + n as u64;
    }
    // The window is kept free at the tail, but bytes may fill it to the end.
    let mut arena = Arena::new(&gpu, DESC).unwrap();
    assert_eq!(arena.alloc(7168, 256).unwrap().offset, 0);
    let last = arena.alloc(1024, 256).unwrap();
    assert_eq!(last.offset, 7168);
    assert_eq!(arena.alloc(1, 4).unwrap().offset, 0, "the next buffer");
    assert_eq!(arena.created(), 2);
    assert!(matches!(arena.alloc(1, 3), Err(Error::Invalid(_))));
}

#[test]
fn reserved_room_is_in_one_buffer() {
    let Some(gpu) = gpu() else { return };
    let mut arena = Arena::new(&gpu, DESC).unwrap();
    arena.alloc(5000, 256).unwrap();
    let before = arena.reserve(1000).unwrap().id();
    assert_eq!(arena.reserve(1000).unwrap().id(), before);
    let id = arena.reserve(2500).unwrap().id();
    assert_ne!(id, before);
    for _ in 0..9 {
        assert_eq!(arena.alloc(200, 256).unwrap().buffer.id(), id);
    }
    assert!(matches!(arena.reserve(8192), Err(Error::Invalid(_))));
}

#[test]
fn buffers_are_filled_again_only_when_the_gpu_is_done_with_them() {
    let Some(gpu) = gpu() else { return };
    let mut arena = Arena::new(&gpu, DESC).unwrap();
    let piece = arena.alloc(4, 256).unwrap();
    piece.data.copy_from_slice(&[1, 2, 3, 4]);
    let first = piece.buffer.clone();
    let (commands, result) = use_in(&gpu, &first, 0);
    // Retired while the commands that read it are being recorded.
    arena.alloc(8000, 256).unwrap().data.fill(9);
    arena.alloc(8000, 256).unwrap().data.fill(9);
    assert_eq!(arena.created(), 3, "none is free");
    let value = commands.submit().unwrap();
    gpu.wait(value, None).unwrap();
    let again = arena.alloc(8000, 256).unwrap();
    assert!(again.buffer.same(&first), "the oldest that is done");
    again.data.fill(9);
    assert_eq!(arena.created(), 3);
    let mut bytes = [0; 4];
    result.read(0, &mut bytes).unwrap();
    assert_eq!(bytes, [1, 2, 3, 4]);
    // Used again after it was retired: not before that use is done, either.
    let mut arena = Arena::new(&gpu, DESC).unwrap();
    let first = arena.alloc(8000, 256).unwrap().buffer;
    gpu.wait(gpu.begin().unwrap().submit().unwrap(), None)
        .unwrap();
    arena.alloc(8000, 256).unwrap();
    let (commands, _result) = use_in(&gpu, &first, 0);
    assert!(!arena.alloc(8000, 256).unwrap().buffer.same(&first));
    drop(commands);
}

#[test]
fn the_pool_keeps_three() {
    let Some(gpu) = gpu() else { return };
    let mut arena = Arena::new(&gpu, DESC).unwrap();
    let commands = gpu.begin().unwrap();
    for _ in 0..10 {
        arena.alloc(8000, 256).unwrap();
    }
    assert_eq!(
        arena.created(),
        10,
        "nothing completes while one set of commands is open"
    );
    assert_eq!(gpu.live_objects().buffers, 4, "three and the current one");
    gpu.wait(commands.submit().unwrap(), None).unwrap();
    for _ in 0..20 {
        arena.alloc(8000, 256).unwrap();
        gpu.wait(gpu.begin().unwrap().submit().unwrap(), None)
            .unwrap();
    }
    assert_eq!(arena.created(), 10, "the pool is enough");
    assert_eq!(gpu.live_objects().buffers, 4);
}

#[test]
fn what_is_larger_than_an_arena_gets_a_buffer_of_its_own() {
    let Some(gpu) = gpu() else { return };
    let mut arena = Arena::new(&gpu, DESC).unwrap();
    let small = arena.alloc(100, 256).unwrap().buffer;
    let large = arena.alloc(100_000, 256).unwrap();
    assert_eq!((large.offset, large.data.len()), (0, 100_000));
    assert!(!large.buffer.same(&small));
    large.data[99_996..].copy_from_slice(&[5, 6, 7, 8]);
    let large = large.buffer;
    assert!(
        arena.alloc(100, 256).unwrap().buffer.same(&small),
        "the current one stays"
    );
    assert_eq!(arena.created(), 1);
    let (commands, result) = use_in(&gpu, &large, 99_996);
    drop(large);
    arena.alloc(200_000, 256).unwrap();
    gpu.wait(commands.submit().unwrap(), None).unwrap();
    let mut bytes = [0; 4];
    result.read(0, &mut bytes).unwrap();
    assert_eq!(bytes, [5, 6, 7, 8]);
    assert!(
        matches!(small.write(0, &[0]), Err(Error::State(_))),
        "only the arena writes there"
    );
}

#[test]
fn pieces_may_be_rewritten_until_they_are_submitted() {
    let Some(gpu) = gpu() else { return };
    let mut arena = Arena::new(&gpu, DESC).unwrap();
    // From the current buffer, a retired one, and one of a piece's own.
    for size in [64, 6000, 20_000] {
        let result = gpu
            .create_buffer(&BufferDesc {
                label: "",
                size: 4,
                usage: wgt::BufferUsages::COPY_DST | wgt::BufferUsages::MAP_READ,
            })
            .unwrap();
        let mut commands = gpu.begin().unwrap();
        let piece = arena.piece(size, 256).unwrap();
        piece.data.fill(1);
        let (buffer, offset) = (piece.buffer.clone(), piece.offset);
        let spot = arena.spot(buffer.id(), offset, size as u64);
        if size == 6000 {
            arena.alloc(7000, 256).unwrap();
        }
        commands
            .copy_buffer_to_buffer(&buffer, offset, &result, 0, 4)
            .unwrap();
        assert!(arena.rewrite(&spot, 1, &[7, 8]));
        assert!(arena.rewrite(&spot, size as u64 - 2, &[9, 9]));
        assert!(
            !arena.rewrite(&spot, size as u64 - 1, &[0, 0]),
            "past its end"
        );
        assert!(!arena.rewrite(&spot, u64::MAX, &[0]), "far past its end");
        let done = commands.submit().unwrap();
        assert!(!arena.rewrite(&spot, 0, &[0; 4]), "the GPU may be reading");
        gpu.wait(done, None).unwrap();
        let mut bytes = [0; 4];
        result.read(0, &mut bytes).unwrap();
        assert_eq!(bytes, [1, 7, 8, 1]);
    }
    let other = arena.spot(u64::MAX, 0, 4);
    assert!(!arena.rewrite(&other, 0, &[0]), "no such buffer");
}
