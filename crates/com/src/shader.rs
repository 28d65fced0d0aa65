//! `IDirect3DVertexShader9` and `IDirect3DPixelShader9`.

use ninefold_d3d9::{HResult, PixelShaderHandle, Result, VertexShaderHandle};

use crate::object::*;
use crate::pointer::*;
use crate::vtable::vtable;

/// Tokens of the longest stream that is looked through for its end.
const MAX_TOKENS: usize = 1 << 20;

/// The length of a token stream in tokens, from its version to its end token. Only tokens up to the
/// end are read.
pub(crate) fn stream_length(tokens: &In<u32>) -> Result<usize> {
    const COMMENT: u32 = 0xFFFE;
    const END: u32 = 0xFFFF;
    const DEF: u32 = 81;
    let version = tokens.required()?;
    if !matches!(version >> 16, 0xFFFE | 0xFFFF) {
        return Err(HResult::INVALIDCALL);
    }
    // Shader model 1 instructions do not tell their length, nor do some of later models, but
    // their operands have bit 31 set.
    let counted = version >> 8 & 0xFF >= 2;
    let mut at = 1;
    while at < MAX_TOKENS {
        let token = tokens.at(at);
        at += match token & 0xFFFF {
            END => return Ok(at + 1),
            COMMENT => 1 + (token >> 16 & 0x7FFF) as usize,
            _ if counted && token >> 24 & 0xF != 0 => 1 + (token >> 24 & 0xF) as usize,
            // A destination and four numbers, which may look like anything.
            DEF => 6,
            _ => {
                let operands = (1..=8).take_while(|n| tokens.at(at + n) >> 31 != 0);
                1 + operands.count()
            }
        };
    }
    Err(HResult::INVALIDCALL)
}

/// `GetFunction`: sizes are in bytes.
fn copy_out(tokens: &[u32], data: &Out<u32>, size: &Out<u32>) -> Result<()> {
    let needed = size_of_val(tokens) as u32;
    if data.is_null() {
        return size.set(needed);
    }
    if size.get()? < needed {
        return Err(HResult::INVALIDCALL);
    }
    data.copy_from(tokens)
}

extern "C" fn get_vertex_function(
    this: This<VertexShaderHandle>,
    data: Out<u32>,
    size: Out<u32>,
) -> Hr {
    this.call(|s, shader| copy_out(s.device.vertex_shader_get_function(shader)?, &data, &size))
}

extern "C" fn get_pixel_function(
    this: This<PixelShaderHandle>,
    data: Out<u32>,
    size: Out<u32>,
) -> Hr {
    this.call(|s, shader| copy_out(s.device.pixel_shader_get_function(shader)?, &data, &size))
}

vtable! {
    /// `IDirect3DVertexShader9Vtbl`.
    VERTEX_SHADER: VertexShaderTable {
        QueryInterface: query_interface::<VertexShaderHandle>,
        AddRef: add_ref::<VertexShaderHandle>,
        Release: release::<VertexShaderHandle>,
        GetDevice: get_device::<VertexShaderHandle>,
        GetFunction: get_vertex_function,
    }
}

vtable! {
    /// `IDirect3DPixelShader9Vtbl`.
    PIXEL_SHADER: PixelShaderTable {
        QueryInterface: query_interface::<PixelShaderHandle>,
        AddRef: add_ref::<PixelShaderHandle>,
        Release: release::<PixelShaderHandle>,
        GetDevice: get_device::<PixelShaderHandle>,
        GetFunction: get_pixel_function,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(tokens: &'static [u32]) -> Result<usize> {
        stream_length(&In::from_slice(tokens))
    }

    #[test]
    fn the_end_is_the_end_token_and_nothing_that_looks_like_it() {
        // vs_1_1: a comment and a def, both with numbers that look like an end token.
        let tokens = &[
            0xFFFE_0101,
            0x0001_FFFE,
            0x0000_FFFF,
            81,
            0xA00F_0000,
            0x0000_FFFF,
            1,
            2,
            0x0000_FFFF,
            1,
            0xC00F_0000,
            0x90E4_0000,
            0x0000_FFFF,
            0,
            0,
        ];
        assert_eq!(length(tokens), Ok(13));
        // ps_1_4: phase has no operands.
        assert_eq!(length(&[0xFFFF_0104, 0x0000_FFFD, 0x0000_FFFF]), Ok(3));
        // vs_2_0: instructions tell their length, so that defi may hold anything.
        let tokens = &[
            0xFFFE_0200,
            0x0500_0030,
            0xF00F_0000,
            0x0000_FFFF,
            0x0000_FFFF,
            0,
            0,
            0x0000_FFFF,
        ];
        assert_eq!(length(tokens), Ok(8));
    }

    #[test]
    fn streams_without_a_version_are_refused_at_once() {
        assert_eq!(length(&[0x1234_5678]), Err(HResult::INVALIDCALL));
        assert_eq!(length(&[0]), Err(HResult::INVALIDCALL));
    }

    #[test]
    fn streams_without_an_end_are_refused() {
        static ENDLESS: [u32; MAX_TOKENS + 16] = {
            let mut tokens = [0; MAX_TOKENS + 16];
            tokens[0] = 0xFFFE_0200;
            tokens
        };
        assert_eq!(length(&ENDLESS), Err(HResult::INVALIDCALL));
    }
}
