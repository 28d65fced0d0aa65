//! FVF codes: their vertices as declaration elements.

use crate::consts::*;
use crate::types::VertexElement;

/// Bytes of a `D3DDECLTYPE`; 0 for an unknown one.
pub(crate) fn type_size(ty: u8) -> u32 {
    match ty {
        D3DDECLTYPE_FLOAT1
        | D3DDECLTYPE_D3DCOLOR
        | D3DDECLTYPE_UBYTE4
        | D3DDECLTYPE_SHORT2
        | D3DDECLTYPE_UBYTE4N
        | D3DDECLTYPE_SHORT2N
        | D3DDECLTYPE_USHORT2N
        | D3DDECLTYPE_UDEC3
        | D3DDECLTYPE_DEC3N
        | D3DDECLTYPE_FLOAT16_2 => 4,
        D3DDECLTYPE_FLOAT2
        | D3DDECLTYPE_SHORT4
        | D3DDECLTYPE_SHORT4N
        | D3DDECLTYPE_USHORT4N
        | D3DDECLTYPE_FLOAT16_4 => 8,
        D3DDECLTYPE_FLOAT3 => 12,
        D3DDECLTYPE_FLOAT4 => 16,
        _ => 0,
    }
}

/// The elements of `fvf` in stream 0, in the order of memory. Every code has some: reserved bits are
/// ignored, positions that are none of the documented ones have three floats, and texture coordinate
/// sets past the eighth two.
pub fn elements(fvf: u32) -> Vec<VertexElement> {
    let sets = fvf >> D3DFVF_TEXCOUNT_SHIFT & 15;
    let mut out = Vec::with_capacity(16);
    let mut offset = 0u16;
    let mut add = |ty: u8, usage: u8, index: u8| {
        out.push(VertexElement::new(0, offset, ty, usage, index));
        offset += type_size(ty) as u16;
    };
    let last_beta = fvf & (D3DFVF_LASTBETA_UBYTE4 | D3DFVF_LASTBETA_D3DCOLOR);
    match fvf & D3DFVF_POSITION_MASK {
        0 => {}
        D3DFVF_XYZRHW => add(D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITIONT, 0),
        D3DFVF_XYZW => add(D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITION, 0),
        _ => add(D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0),
    }
    let weighted = fvf & D3DFVF_XYZB5;
    if weighted >= D3DFVF_XYZB1 {
        let betas = (weighted - D3DFVF_XYZB1) / 2 + 1;
        // The fifth beta is always the indices; another last one is when the code says so.
        let weights = if last_beta != 0 || betas == 5 {
            betas - 1
        } else {
            betas
        };
        // Two betas of which the last is a colour: it is the weight that becomes the colour, and the
        // indices are bytes.
        let swapped = weighted == D3DFVF_XYZB2 && last_beta & D3DFVF_LASTBETA_D3DCOLOR != 0;
        match weights {
            0 => {}
            1 if swapped => add(D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_BLENDWEIGHT, 0),
            n => add(
                D3DDECLTYPE_FLOAT1 + (n - 1) as u8,
                D3DDECLUSAGE_BLENDWEIGHT,
                0,
            ),
        }
        if betas != weights {
            let ty = if swapped || last_beta & D3DFVF_LASTBETA_UBYTE4 != 0 {
                D3DDECLTYPE_UBYTE4
            } else if last_beta != 0 {
                D3DDECLTYPE_D3DCOLOR
            } else {
                D3DDECLTYPE_FLOAT1
            };
            add(ty, D3DDECLUSAGE_BLENDINDICES, 0);
        }
    }
    if fvf & D3DFVF_NORMAL != 0 {
        add(D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_NORMAL, 0);
    }
    if fvf & D3DFVF_PSIZE != 0 {
        add(D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_PSIZE, 0);
    }
    if fvf & D3DFVF_DIFFUSE != 0 {
        add(D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 0);
    }
    if fvf & D3DFVF_SPECULAR != 0 {
        add(D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 1);
    }
    for set in 0..sets {
        // D3DFVF_TEXCOORDSIZEn: two bits a set, 0 two floats, 1 three, 2 four, 3 one.
        let ty = match fvf.checked_shr(16 + 2 * set).unwrap_or(0) & 3 {
            0 => D3DDECLTYPE_FLOAT2,
            1 => D3DDECLTYPE_FLOAT3,
            2 => D3DDECLTYPE_FLOAT4,
            _ => D3DDECLTYPE_FLOAT1,
        };
        add(ty, D3DDECLUSAGE_TEXCOORD, set as u8);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(fvf: u32) -> Vec<(u16, u8, u8, u8)> {
        elements(fvf)
            .into_iter()
            .map(|e| (e.offset, e.ty, e.usage, e.usage_index))
            .collect()
    }

    #[test]
    fn codes_become_the_documented_elements() {
        use crate::consts::{
            D3DDECLTYPE_D3DCOLOR as COLOR, D3DDECLTYPE_FLOAT1 as F1, D3DDECLTYPE_FLOAT2 as F2,
            D3DDECLTYPE_FLOAT3 as F3, D3DDECLTYPE_FLOAT4 as F4, D3DDECLTYPE_UBYTE4 as BYTES,
        };
        type Case = (u32, &'static [(u16, u8, u8, u8)], u32);
        let cases: &[Case] = &[
            (D3DFVF_XYZ, &[(0, F3, 0, 0)], 12),
            (
                D3DFVF_XYZRHW | D3DFVF_DIFFUSE,
                &[(0, F4, 9, 0), (16, COLOR, 10, 0)],
                20,
            ),
            (D3DFVF_XYZW, &[(0, F4, 0, 0)], 16),
            (
                D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX2,
                &[
                    (0, F3, 0, 0),
                    (12, F3, 3, 0),
                    (24, COLOR, 10, 0),
                    (28, COLOR, 10, 1),
                    (32, F2, 5, 0),
                    (40, F2, 5, 1),
                ],
                48,
            ),
            // Set 0 of one float, set 1 of three, set 2 of four.
            (
                D3DFVF_XYZ | D3DFVF_TEX3 | 3 << 16 | 1 << 18 | 2 << 20,
                &[
                    (0, F3, 0, 0),
                    (12, F1, 5, 0),
                    (16, F3, 5, 1),
                    (28, F4, 5, 2),
                ],
                44,
            ),
            (D3DFVF_XYZB1, &[(0, F3, 0, 0), (12, F1, 1, 0)], 16),
            (D3DFVF_XYZB4, &[(0, F3, 0, 0), (12, F4, 1, 0)], 28),
            (
                D3DFVF_XYZB1 | D3DFVF_LASTBETA_UBYTE4,
                &[(0, F3, 0, 0), (12, BYTES, 2, 0)],
                16,
            ),
            (
                D3DFVF_XYZB4 | D3DFVF_LASTBETA_UBYTE4,
                &[(0, F3, 0, 0), (12, F3, 1, 0), (24, BYTES, 2, 0)],
                28,
            ),
            (
                D3DFVF_XYZB5 | D3DFVF_LASTBETA_D3DCOLOR,
                &[(0, F3, 0, 0), (12, F4, 1, 0), (28, COLOR, 2, 0)],
                32,
            ),
            (
                D3DFVF_XYZ | D3DFVF_PSIZE,
                &[(0, F3, 0, 0), (12, F1, 4, 0)],
                16,
            ),
            (
                D3DFVF_XYZB3 | D3DFVF_LASTBETA_UBYTE4 | D3DFVF_LASTBETA_D3DCOLOR,
                &[(0, F3, 0, 0), (12, F2, 1, 0), (20, BYTES, 2, 0)],
                24,
            ),
            (
                D3DFVF_XYZB2 | D3DFVF_LASTBETA_D3DCOLOR,
                &[(0, F3, 0, 0), (12, COLOR, 1, 0), (16, BYTES, 2, 0)],
                20,
            ),
            (D3DFVF_TEX1, &[(0, F2, 5, 0)], 8),
        ];
        for (fvf, expected, size) in cases {
            assert_eq!(list(*fvf), *expected, "{fvf:#x}");
            let end = elements(*fvf)
                .last()
                .map(|e| u32::from(e.offset) + type_size(e.ty));
            assert_eq!(end, Some(*size), "{fvf:#x}");
        }
    }

    #[test]
    fn meaningless_codes_have_elements_too() {
        // Nine sets, the ninth of two floats; a bit of `XYZW` alone; every bit.
        assert_eq!(list(D3DFVF_XYZ | 0x900).last(), Some(&(76, 1, 5, 8)));
        assert_eq!(list(0x4000), [(0, 2, 0, 0)]);
        let all = list(u32::MAX);
        assert_eq!(all.len(), 22);
        assert_eq!(all[..3], [(0, 2, 0, 0), (12, 3, 1, 0), (28, 5, 2, 0)]);
        assert_eq!(all[21], (136, 1, 5, 14));
    }
}
