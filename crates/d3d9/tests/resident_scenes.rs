//! Scenes of static vertex buffers that are filled, locked, processed, bound and let go in any order.
//! Every pixel is what the buffers' bytes say at the moment of each draw, worked out here without a
//! GPU, whether draws read copies of buffers or not.

mod common;

use common::*;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

const FVF: u32 = D3DFVF_XYZRHW | D3DFVF_DIFFUSE;
const STRIDE: u32 = 20;
/// Four vertices: a strip over one cell of the picture.
const QUAD: u32 = 4 * STRIDE;
/// Pixels of a cell, and cells of a row.
const CELL: u32 = 6;
const CELLS: u32 = 8;
const SIDE: u32 = CELL * CELLS;
/// Quads that the index buffers name, those of vertices 0, 1, 2, ...
const INDEXED: u32 = 64;

/// Repeatable numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) as u32) % bound
    }

    fn quad(&mut self) -> Vec<u8> {
        let (column, row) = (self.below(CELLS) * CELL, self.below(CELLS) * CELL);
        let edge = |n: u32| n as f32 - 0.5;
        let color = 0xFF00_0000 | self.below(1 << 24);
        let (right, bottom) = (edge(column + CELL), edge(row + CELL));
        quad(edge(column), edge(row), right, bottom, 0.5, color)
    }

    /// Colours for four vertices each.
    fn colors(&mut self, quads: u32) -> Vec<u8> {
        let mut color = || 0xFF00_0000 | self.below(1 << 24);
        (0..quads)
            .flat_map(|_| color().to_le_bytes().repeat(4))
            .collect()
    }
}

/// A vertex buffer with what it holds.
struct Known {
    handle: VertexBufferHandle,
    bytes: Vec<u8>,
    /// Of quads, and not of colours.
    shapes: bool,
    locks: u32,
    unmanaged: bool,
    released: bool,
}

impl Known {
    /// Numbers of bits, zeros past the end.
    fn word(&self, at: u32) -> u32 {
        let bytes = self.bytes.get(at as usize..at as usize + 4);
        bytes.map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }
}

/// What the device is to have bound: buffers by number, with offsets.
#[derive(Clone, Copy, Default)]
struct Bound {
    shapes: Option<(usize, u32)>,
    colors: Option<(usize, u32)>,
    /// Colours come from stream 1.
    apart: bool,
    /// As many instances, each of one colour; 0 for none.
    instances: u32,
}

struct Scene {
    d: Device,
    parameters: PresentParameters,
    numbers: Numbers,
    buffers: Vec<Known>,
    bound: Bound,
    blocks: Vec<(StateBlockHandle, Bound)>,
    split: VertexDeclarationHandle,
    indices: [IndexBufferHandle; 2],
    picture: Vec<u32>,
}

impl Scene {
    fn new(seed: u64, fast: bool, budget: u64) -> Option<Self> {
        let direct3d = direct3d_with(|settings| {
            settings.resident_budget = budget;
            settings.renderer.draw_fast_paths = fast;
        })?;
        let parameters = PresentParameters::windowed(SIDE, SIDE);
        let mut d = direct3d.create_device(&parameters).unwrap();
        let split = d
            .create_vertex_declaration(&[
                VertexElement::new(0, 0, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITIONT, 0),
                VertexElement::new(1, 0, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 0),
            ])
            .unwrap();
        let indices = [D3DFMT_INDEX16, D3DFMT_INDEX32].map(|format| {
            let size = if format == D3DFMT_INDEX16 { 2 } else { 4 };
            let length = INDEXED * 6 * size;
            let buffer = d.create_index_buffer(length, 0, format, D3DPOOL_MANAGED);
            let buffer = buffer.unwrap();
            d.index_buffer_lock(buffer, 0, 0, 0).unwrap();
            let bytes = d.index_buffer_bytes_mut(buffer).unwrap();
            let all = (0..INDEXED).flat_map(|q| [0, 1, 2, 2, 1, 3].map(|corner| 4 * q + corner));
            for (index, to) in all.zip(bytes.chunks_exact_mut(size as usize)) {
                to.copy_from_slice(&index.to_le_bytes()[..size as usize]);
            }
            d.index_buffer_unlock(buffer).unwrap();
            buffer
        });
        let mut scene = Scene {
            d,
            parameters,
            numbers: Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            buffers: Vec::new(),
            bound: Bound::default(),
            blocks: Vec::new(),
            split,
            indices,
            picture: Vec::new(),
        };
        scene.begin();
        Some(scene)
    }

    /// States as they are after a reset, and an empty picture.
    fn begin(&mut self) {
        let d = &mut self.d;
        d.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE).unwrap();
        d.set_render_state(D3DRS_ZENABLE, 0).unwrap();
        d.set_fvf(FVF).unwrap();
        d.clear(&[], D3DCLEAR_TARGET, 0, 1.0, 0).unwrap();
        self.bound = Bound::default();
        self.picture = vec![0; (SIDE * SIDE) as usize];
    }

    fn create(&mut self) {
        let shapes = self.numbers.below(3) != 0;
        let quads = [1, 3, 20, 60][self.numbers.below(4) as usize];
        let usage = [0, 0, D3DUSAGE_WRITEONLY, D3DUSAGE_DYNAMIC][self.numbers.below(4) as usize];
        self.create_with(shapes, quads, usage);
    }

    fn create_with(&mut self, shapes: bool, quads: u32, usage: u32) {
        let bytes = match shapes {
            true => (0..quads).flat_map(|_| self.numbers.quad()).collect(),
            false => self.numbers.colors(quads),
        };
        let unmanaged = usage == D3DUSAGE_DYNAMIC || self.numbers.below(3) == 0;
        let pool = if unmanaged {
            D3DPOOL_DEFAULT
        } else {
            D3DPOOL_MANAGED
        };
        let fvf = if shapes { FVF } else { 0 };
        let len = bytes.len() as u32;
        let handle = self.d.create_vertex_buffer(len, usage, fvf, pool).unwrap();
        self.buffers.push(Known {
            handle,
            bytes,
            shapes,
            locks: 0,
            unmanaged,
            released: false,
        });
        let number = self.buffers.len() - 1;
        self.write(number, 0, len, 0, true);
    }

    /// A buffer that the program still has.
    fn any(&mut self, shapes: bool) -> Option<usize> {
        let fits = |b: &&Known| b.shapes == shapes && !b.released;
        let there = self.buffers.iter().filter(fits).count() as u32;
        let nth = self.numbers.below(there.max(1)) as usize;
        let numbers = 0..self.buffers.len();
        let mut fitting = numbers.filter(|n| fits(&&self.buffers[*n]));
        fitting.nth(nth)
    }

    /// Writes what the buffer is known to hold there.
    fn write(&mut self, number: usize, at: u32, len: u32, flags: u32, unlock: bool) {
        let known = &mut self.buffers[number];
        self.d
            .vertex_buffer_lock(known.handle, at, len, flags)
            .unwrap();
        let memory = self.d.vertex_buffer_bytes_mut(known.handle).unwrap();
        memory.copy_from_slice(&known.bytes[at as usize..(at + len) as usize]);
        known.locks += 1;
        if unlock {
            self.d.vertex_buffer_unlock(known.handle).unwrap();
            known.locks -= 1;
        }
    }

    /// New bytes for some of a buffer.
    fn change(&mut self, number: usize) {
        let known = &self.buffers[number];
        let unit = if known.shapes { QUAD } else { 16 };
        let units = known.bytes.len() as u32 / unit;
        let first = self.numbers.below(units);
        let count = 1 + self.numbers.below((units - first).min(4));
        let bytes: Vec<u8> = match known.shapes {
            true => (0..count).flat_map(|_| self.numbers.quad()).collect(),
            false => self.numbers.colors(count),
        };
        let at = first * unit;
        let range = at as usize..at as usize + bytes.len();
        self.buffers[number].bytes[range].copy_from_slice(&bytes);
        let flags = [
            0,
            0,
            0,
            D3DLOCK_NOSYSLOCK,
            D3DLOCK_NOOVERWRITE,
            D3DLOCK_DISCARD,
        ];
        let flags = flags[self.numbers.below(6) as usize];
        let stays = self.numbers.below(8) == 0;
        self.write(number, at, bytes.len() as u32, flags, !stays);
    }

    /// The same as pictures have it, from the bytes alone.
    fn paint(&mut self, vertex: u32) {
        let Some((shapes, offset)) = self.bound.shapes else {
            return;
        };
        let corner = |n: u32| {
            let at = offset + (vertex + n) * STRIDE;
            [0, 4].map(|xy| f32::from_bits(self.buffers[shapes].word(at + xy)) + 0.5)
        };
        let ([left, top], [right, bottom]) = (corner(0), corner(3));
        let color = match self.bound {
            Bound { apart: false, .. } => self.buffers[shapes].word(offset + vertex * STRIDE + 16),
            // Streams without a buffer are white.
            Bound { colors: None, .. } => 0xFFFF_FFFF,
            Bound {
                colors: Some((colors, offset)),
                instances,
                ..
            } => {
                // Of instances the last is seen.
                let row = if instances == 0 {
                    vertex
                } else {
                    instances - 1
                };
                self.buffers[colors].word(offset + row * 4)
            }
        };
        for y in top as u32..bottom as u32 {
            for x in left as u32..right as u32 {
                self.picture[(y * SIDE + x) as usize] = color & 0xFF_FFFF;
            }
        }
    }

    fn draw(&mut self) {
        if self.bound.shapes.is_none() {
            return;
        }
        let most = [1, 3, 24][self.numbers.below(3) as usize];
        let (first, count) = (self.numbers.below(most), 1 + self.numbers.below(most));
        let d = &mut self.d;
        match self.numbers.below(6) {
            0 | 1 => {
                d.draw_primitive(D3DPT_TRIANGLESTRIP, 4 * first, 2).unwrap();
                self.paint(4 * first);
            }
            2 => {
                // Corners 0, 1, 2 of a fan: half of a quad, and the other half.
                d.draw_primitive(D3DPT_TRIANGLEFAN, 4 * first, 1).unwrap();
                d.draw_primitive(D3DPT_TRIANGLEFAN, 4 * first + 1, 1)
                    .unwrap();
                self.paint(4 * first);
            }
            kind => {
                let wide = self.numbers.below(2) as usize;
                d.set_indices(Some(self.indices[wide])).unwrap();
                // Quads from `start` on of the index buffer, moved by whole quads.
                let start = self.numbers.below(20);
                let base = 4 * (first as i32 - start as i32);
                let (what, quads) = match kind {
                    5 => (D3DPT_TRIANGLELIST, INDEXED.min(start + 60) - start),
                    _ => (D3DPT_TRIANGLELIST, count),
                };
                d.draw_indexed_primitive(what, base, 0, 4 * INDEXED, 6 * start, 2 * quads)
                    .unwrap();
                for quad in first..first + quads {
                    self.paint(4 * quad);
                }
            }
        }
    }

    fn bind(&mut self) {
        let shapes = self.numbers.below(3) != 0;
        let Some(number) = self.any(shapes) else {
            return;
        };
        let unit = if shapes { QUAD } else { 16 };
        let offset = unit * [0, 0, 1, 5][self.numbers.below(4) as usize];
        let (stream, stride) = if shapes { (0, STRIDE) } else { (1, 4) };
        let handle = self.buffers[number].handle;
        self.d
            .set_stream_source(stream, Some(handle), offset, stride)
            .unwrap();
        match shapes {
            true => self.bound.shapes = Some((number, offset)),
            false => self.bound.colors = Some((number, offset)),
        }
    }

    fn layout(&mut self) {
        let d = &mut self.d;
        let apart = self.numbers.below(2) == 0;
        match apart {
            true => d.set_vertex_declaration(Some(self.split)).unwrap(),
            false => d.set_fvf(FVF).unwrap(),
        }
        let instances = match apart {
            true => [0, 0, 1, 3][self.numbers.below(4) as usize],
            false => 0,
        };
        let [first, second] = match instances {
            0 => [1, 1],
            n => [
                D3DSTREAMSOURCE_INDEXEDDATA | n,
                D3DSTREAMSOURCE_INSTANCEDATA | 1,
            ],
        };
        d.set_stream_source_freq(0, first).unwrap();
        d.set_stream_source_freq(1, second).unwrap();
        self.bound.apart = apart;
        self.bound.instances = instances;
    }

    /// Vertices in pixels pass through: quads go from the bound buffer to another, or to itself.
    fn process(&mut self) {
        let (Some((from, offset)), Some(to)) = (self.bound.shapes, self.any(true)) else {
            return;
        };
        let (source, target) = (&self.buffers[from], &self.buffers[to]);
        let there = (source.bytes.len() as u32).saturating_sub(offset) / QUAD;
        let room = target.bytes.len() as u32 / QUAD;
        let count = (1 + self.numbers.below(3)).min(there).min(room);
        if self.bound.apart || count == 0 {
            return;
        }
        let first = self.numbers.below(there - count + 1);
        let index = self.numbers.below(room - count + 1);
        let handle = target.handle;
        self.d
            .process_vertices(4 * first, 4 * index, 4 * count, handle, None, 0)
            .unwrap();
        let start = (offset + first * QUAD) as usize;
        let bytes = source.bytes[start..start + (count * QUAD) as usize].to_vec();
        let at = (index * QUAD) as usize;
        self.buffers[to].bytes[at..at + bytes.len()].copy_from_slice(&bytes);
    }

    fn release(&mut self, number: usize) {
        let known = &mut self.buffers[number];
        self.d.release(known.handle).unwrap();
        known.released = true;
    }

    /// State is gone, and with it all that nothing else holds; managed buffers keep their bytes.
    fn reset(&mut self) {
        for (block, _) in core::mem::take(&mut self.blocks) {
            self.d.release(block).unwrap();
        }
        for number in 0..self.buffers.len() {
            let known = &self.buffers[number];
            if known.unmanaged && !known.released {
                self.release(number);
            }
        }
        self.d.reset(&self.parameters).unwrap();
        self.begin();
    }

    fn step(&mut self) {
        match self.numbers.below(64) {
            0..=5 => self.create(),
            6..=9 => {
                let shapes = self.numbers.below(2) == 0;
                if let Some(number) = self.any(shapes) {
                    self.change(number);
                }
            }
            10..=12 => {
                for number in 0..self.buffers.len() {
                    let known = &mut self.buffers[number];
                    if known.locks != 0 && !known.released {
                        self.d.vertex_buffer_unlock(known.handle).unwrap();
                        known.locks -= 1;
                    }
                }
            }
            13..=22 => self.bind(),
            23..=25 => self.layout(),
            26 | 27 => self.process(),
            28 | 29 => {
                let shapes = self.numbers.below(2) == 0;
                if let Some(number) = self.any(shapes) {
                    self.release(number);
                }
            }
            30 if self.blocks.len() < 4 => {
                let block = self.d.create_state_block(D3DSBT_ALL).unwrap();
                self.blocks.push((block, self.bound));
            }
            31 if !self.blocks.is_empty() => {
                let at = self.numbers.below(self.blocks.len() as u32) as usize;
                let (block, bound) = self.blocks[at];
                self.d.state_block_apply(block).unwrap();
                self.bound = bound;
            }
            32 => self.d.evict_managed_resources().unwrap(),
            33 => self.d.flush().unwrap(),
            34 => {
                self.d.present().unwrap();
            }
            35 if self.numbers.below(6) == 0 => self.reset(),
            36 if self.d.traffic().copies != 0 => {
                let on = self.d.traffic().fast;
                self.d.set_draw_fast_paths(!on).unwrap();
                self.draw();
                self.d.set_draw_fast_paths(on).unwrap();
            }
            _ => self.draw(),
        }
    }

    #[track_caller]
    fn look(&mut self, what: &str) {
        let picture = pixels(&mut self.d);
        for (n, expected) in self.picture.iter().enumerate() {
            let (x, y) = (n as u32 % SIDE, n as u32 / SIDE);
            let found = picture.at(x, y);
            assert_eq!(found, *expected, "{what}: pixel {x}, {y}: {found:06X}");
        }
    }
}

fn scenes(fast: bool) -> Option<Traffic> {
    let mut sum = Traffic::default();
    for seed in 1..=6 {
        let mut scene = Scene::new(seed, fast, 16 << 10)?;
        for step in 0..1500 {
            scene.step();
            if step % 15 == 14 {
                scene.look(&format!("seed {seed}, step {step}"));
            }
        }
        sum += &scene.d.traffic();
    }
    Some(sum)
}

#[test]
fn pictures_are_what_the_bytes_of_the_moment_say() {
    let Some(with) = scenes(true) else { return };
    assert!(with.resident_draws > 1500 && with.copies > 150, "{with}");
    assert!(with.budget_fallbacks > 20 && with.mismatches == 0, "{with}");
    let without = scenes(false).unwrap();
    assert_eq!((without.resident_draws, without.copies), (0, 0));
}

#[test]
fn thousands_of_buffers_come_and_go() {
    for fast in [true, false] {
        let Some(mut scene) = Scene::new(99, fast, 128 << 20) else {
            return;
        };
        for round in 0..6000u32 {
            let quads = [1, 1, 2, 200][scene.numbers.below(4) as usize];
            scene.create_with(true, quads, 0);
            let older = scene.numbers.below(300).min(round) as usize;
            for number in [round as usize, round as usize - older] {
                let known = &scene.buffers[number];
                if known.released {
                    continue;
                }
                let handle = known.handle;
                let d = &mut scene.d;
                d.set_stream_source(0, Some(handle), 0, STRIDE).unwrap();
                d.draw_primitive(D3DPT_TRIANGLESTRIP, 0, 2).unwrap();
                scene.bound.shapes = Some((number, 0));
                scene.paint(0);
            }
            // Some live on, and their memory with them.
            if !older.is_multiple_of(16) && !scene.buffers[round as usize - older].released {
                scene.release(round as usize - older);
            }
            if round % 500 == 499 {
                scene.look(&format!("round {round}"));
            }
        }
        let traffic = scene.d.traffic();
        assert_eq!(traffic.copies, if fast { 6000 } else { 0 });
    }
}
