//! `ProcessVertices`: vertices that the CPU transforms into a vertex buffer.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/told.rs"]
mod told;

mod differential;
mod events;
mod fixed;
mod hostile;
mod matching;
mod rendering;
mod rules;
mod skinning;
mod strict;
mod textures;
mod ways;

use common::*;
use ninefold_bytecode::assemble;
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

/// What a destination holds before.
const BLANK: u8 = 0xCD;

fn buffer(d: &mut Device, fvf: u32, bytes: &[u8]) -> VertexBufferHandle {
    let size = bytes.len() as u32;
    let buffer = d
        .create_vertex_buffer(size, 0, fvf, D3DPOOL_DEFAULT)
        .expect("a buffer");
    put(d, buffer, bytes);
    buffer
}

fn put(d: &mut Device, buffer: VertexBufferHandle, bytes: &[u8]) {
    d.vertex_buffer_lock(buffer, 0, 0, 0).expect("locked");
    let memory = d.vertex_buffer_bytes_mut(buffer).expect("bytes");
    memory.copy_from_slice(bytes);
    d.vertex_buffer_unlock(buffer).expect("unlocked");
}

/// A blank destination.
fn blank(d: &mut Device, fvf: u32, size: usize) -> VertexBufferHandle {
    buffer(d, fvf, &vec![BLANK; size])
}

fn contents(d: &mut Device, buffer: VertexBufferHandle) -> Vec<u8> {
    d.vertex_buffer_lock(buffer, 0, 0, D3DLOCK_READONLY)
        .expect("locked");
    let bytes = d.vertex_buffer_bytes_mut(buffer).expect("bytes").to_vec();
    d.vertex_buffer_unlock(buffer).expect("unlocked");
    bytes
}

fn float(bytes: &[u8], at: usize) -> f32 {
    f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// The first `N` numbers from byte `at` on.
fn floats<const N: usize>(bytes: &[u8], at: usize) -> [f32; N] {
    core::array::from_fn(|n| float(bytes, at + 4 * n))
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn shader(d: &mut Device, text: &str) -> VertexShaderHandle {
    let code = assemble(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let shader = d.create_vertex_shader(code.tokens()).expect("a shader");
    d.set_vertex_shader(Some(shader)).expect("set");
    shader
}

/// Binds stream 0 and its elements.
fn source(d: &mut Device, elements: &[VertexElement], stride: u32, bytes: &[u8]) {
    let declaration = d.create_vertex_declaration(elements).expect("declared");
    d.set_vertex_declaration(Some(declaration)).expect("set");
    d.release(declaration).expect("released");
    let buffer = buffer(d, 0, bytes);
    d.set_stream_source(0, Some(buffer), 0, stride)
        .expect("bound");
    d.release(buffer).expect("released");
}

fn element(offset: u16, ty: u8, usage: u8, index: u8) -> VertexElement {
    VertexElement::new(0, offset, ty, usage, index)
}

#[track_caller]
fn run(d: &mut Device, index: u32, count: u32, to: VertexBufferHandle, flags: u32) {
    if let Err(code) = d.process_vertices(0, index, count, to, None, flags) {
        panic!("{code}: {}", d.last_error());
    }
}

/// A call that fails with `D3DERR_INVALIDCALL` and leaves the destination alone.
#[track_caller]
fn refused(
    d: &mut Device,
    range: [u32; 3],
    to: VertexBufferHandle,
    declaration: Option<VertexDeclarationHandle>,
    flags: u32,
) -> String {
    let before = contents(d, to);
    let [source, index, count] = range;
    let result = d.process_vertices(source, index, count, to, declaration, flags);
    assert_eq!(result, Err(HResult::INVALIDCALL));
    let said = d.last_error().to_owned();
    assert_eq!(contents(d, to), before, "{said}");
    said
}
