//! Shaders, their constants, declarations.

use ninefold_d3d9::{
    ConstantCounts, HResult, PixelShaderHandle, Result, VertexDeclarationHandle, VertexShaderHandle,
};

use super::{State, This};
use crate::abi::VertexElement;
use crate::declaration::END;
use crate::object::{Arg, Object};
use crate::pointer::*;
use crate::shader::stream_length;

/// Elements without the end marker, at most.
const MAX_ELEMENTS: usize = 128;
/// Booleans of hardware shaders: so many are set without allocating.
const FEW_BOOLS: usize = 16;

pub(super) extern "C" fn create_vertex_declaration(
    this: This,
    elements: In<VertexElement>,
    out: Out<*const Object<VertexDeclarationHandle>>,
) -> Hr {
    this.call_with_device(|device, s| {
        out.check()?;
        elements.required()?;
        let mut list = Vec::with_capacity(16);
        loop {
            let element = elements.at(list.len());
            if element.stream == END.stream {
                break;
            }
            if list.len() == MAX_ELEMENTS {
                return Err(HResult::INVALIDCALL);
            }
            list.push(element.into());
        }
        let declaration = s.device.create_vertex_declaration(&list)?;
        out.set(s.hand_out(device, declaration))
    })
}

pub(super) extern "C" fn set_vertex_declaration(
    this: This,
    declaration: Arg<VertexDeclarationHandle>,
) -> Hr {
    this.call_with_device(|device, s| s.device.set_vertex_declaration(declaration.handle(device)?))
}

pub(super) extern "C" fn get_vertex_declaration(
    this: This,
    out: Out<*const Object<VertexDeclarationHandle>>,
) -> Hr {
    this.call_with_device(|device, s| {
        out.check()?;
        let declaration = s.device.get_vertex_declaration()?;
        out.set(s.hand_out_some(device, declaration))
    })
}

pub(super) extern "C" fn set_fvf(this: This, fvf: u32) -> Hr {
    this.call(|s| s.device.set_fvf(fvf))
}

pub(super) extern "C" fn get_fvf(this: This, out: Out<u32>) -> Hr {
    this.call(|s| out.set(s.device.get_fvf()))
}

pub(super) extern "C" fn create_vertex_shader(
    this: This,
    tokens: In<u32>,
    out: Out<*const Object<VertexShaderHandle>>,
) -> Hr {
    this.call_with_device(|device, s| {
        out.check()?;
        let tokens = tokens.slice(stream_length(&tokens)?)?;
        let shader = s.device.create_vertex_shader(tokens)?;
        out.set(s.hand_out(device, shader))
    })
}

pub(super) extern "C" fn set_vertex_shader(this: This, shader: Arg<VertexShaderHandle>) -> Hr {
    this.call_with_device(|device, s| s.device.set_vertex_shader(shader.handle(device)?))
}

pub(super) extern "C" fn get_vertex_shader(
    this: This,
    out: Out<*const Object<VertexShaderHandle>>,
) -> Hr {
    this.call_with_device(|device, s| {
        out.check()?;
        let shader = s.device.get_vertex_shader()?;
        out.set(s.hand_out_some(device, shader))
    })
}

pub(super) extern "C" fn create_pixel_shader(
    this: This,
    tokens: In<u32>,
    out: Out<*const Object<PixelShaderHandle>>,
) -> Hr {
    this.call_with_device(|device, s| {
        out.check()?;
        let tokens = tokens.slice(stream_length(&tokens)?)?;
        let shader = s.device.create_pixel_shader(tokens)?;
        out.set(s.hand_out(device, shader))
    })
}

pub(super) extern "C" fn set_pixel_shader(this: This, shader: Arg<PixelShaderHandle>) -> Hr {
    this.call_with_device(|device, s| s.device.set_pixel_shader(shader.handle(device)?))
}

pub(super) extern "C" fn get_pixel_shader(
    this: This,
    out: Out<*const Object<PixelShaderHandle>>,
) -> Hr {
    this.call_with_device(|device, s| {
        out.check()?;
        let shader = s.device.get_pixel_shader()?;
        out.set(s.hand_out_some(device, shader))
    })
}

/// Setting and getting vectors of four numbers. A range that is too long is refused before its
/// values are looked at.
macro_rules! vectors {
    ($($set:ident, $get:ident, $method_set:ident, $method_get:ident, $value:ty, $counts:ident, $kind:ident, $range:ident;)*) => {$(
        pub(super) extern "C" fn $set(this: This, start: u32, data: In<$value>, count: u32) -> Hr {
            this.call(|s| {
                let count = $range(start, count, $counts(s).$kind)?;
                s.device.$method_set(start, data.cast::<[$value; 4]>().slice(count as usize)?)
            })
        }

        pub(super) extern "C" fn $get(this: This, start: u32, out: Out<$value>, count: u32) -> Hr {
            this.call(|s| {
                out.check()?;
                let count = $range(start, count, $counts(s).$kind)?;
                let mut values = vec![[<$value>::default(); 4]; count as usize];
                s.device.$method_get(start, &mut values)?;
                out.cast::<[$value; 4]>().copy_from(&values)
            })
        }
    )*};
}

/// The same for booleans, which C has as 32-bit numbers.
macro_rules! booleans {
    ($($set:ident, $get:ident, $method_set:ident, $method_get:ident, $counts:ident;)*) => {$(
        pub(super) extern "C" fn $set(this: This, start: u32, data: In<i32>, count: u32) -> Hr {
            this.call(|s| {
                let count = left(start, count, $counts(s).bools)? as usize;
                let given = data.slice(count)?;
                let mut few = [false; FEW_BOOLS];
                let mut many = Vec::new();
                let values = match few.get_mut(..count) {
                    Some(few) => few,
                    None => {
                        many.resize(count, false);
                        &mut many[..]
                    }
                };
                for (value, given) in values.iter_mut().zip(given) {
                    *value = *given != 0;
                }
                s.device.$method_set(start, values)
            })
        }

        pub(super) extern "C" fn $get(this: This, start: u32, out: Out<i32>, count: u32) -> Hr {
            this.call(|s| {
                out.check()?;
                let count = left(start, count, $counts(s).bools)?;
                let mut values = vec![false; count as usize];
                s.device.$method_get(start, &mut values)?;
                let answer: Vec<i32> = values.iter().map(|value| (*value).into()).collect();
                out.copy_from(&answer)
            })
        }
    )*};
}

fn vertex(state: &State) -> ConstantCounts {
    state.device.vertex_constant_counts()
}

fn pixel(_state: &State) -> ConstantCounts {
    ConstantCounts::PIXEL
}

/// Registers of a range of float constants: one that reaches past the last is refused.
fn whole(start: u32, count: u32, registers: u32) -> Result<u32> {
    if start > registers || count > registers - start {
        return Err(HResult::INVALIDCALL);
    }
    Ok(count)
}

/// Registers of a range of integer or boolean constants: those past the last are left out.
fn left(start: u32, count: u32, registers: u32) -> Result<u32> {
    if start >= registers {
        return Err(HResult::INVALIDCALL);
    }
    Ok(count.min(registers - start))
}

vectors! {
    set_vs_floats, get_vs_floats, set_vertex_shader_constant_f, get_vertex_shader_constant_f, f32, vertex, floats, whole;
    set_vs_ints, get_vs_ints, set_vertex_shader_constant_i, get_vertex_shader_constant_i, i32, vertex, ints, left;
    set_ps_floats, get_ps_floats, set_pixel_shader_constant_f, get_pixel_shader_constant_f, f32, pixel, floats, whole;
    set_ps_ints, get_ps_ints, set_pixel_shader_constant_i, get_pixel_shader_constant_i, i32, pixel, ints, left;
}

booleans! {
    set_vs_bools, get_vs_bools, set_vertex_shader_constant_b, get_vertex_shader_constant_b, vertex;
    set_ps_bools, get_ps_bools, set_pixel_shader_constant_b, get_pixel_shader_constant_b, pixel;
}
