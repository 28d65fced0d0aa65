//! `D3DRS_WRAP0` to `7`: which coordinates take the shortest way around the texture, and primitives
//! with vertices of their own, which the shaders for that want.

use ninefold_renderer::{IndexData, Primitive, StreamData};

use crate::consts::*;
use crate::state::State;

/// Bytes of vertices that are drawn at once when every primitive has its own.
const AT_ONCE: usize = 64 << 20;

/// The `D3DWRAPCOORD` bits of the coordinates that leave the vertex stage, four a set. A stage of
/// the fixed function takes those of the set that it names.
pub(crate) fn wraps(s: &State, program: bool) -> u32 {
    let of = |set: u32| s.rs(D3DRS_WRAP0 + set) & 15;
    if (0..8).all(|set| of(set) == 0) {
        return 0;
    }
    (0..8)
        .map(|n| {
            let set = match program {
                true => n,
                false => s.stages[n as usize][D3DTSS_TEXCOORDINDEX as usize] & 7,
            };
            of(set) << (4 * n)
        })
        .fold(0, |all, bits| all | bits)
}

/// Puts the vertices of each primitive into `out`, the one that gives a flat one its colour first,
/// and says what they make. `None` for points.
pub(crate) fn list(
    primitive: Primitive,
    indices: Option<IndexData<'_>>,
    count: u32,
    out: &mut Vec<u32>,
) -> Option<Primitive> {
    let at = |i: u32| match indices {
        Some(IndexData::U16(indices)) => indices.get(i as usize).map_or(0, |&i| i.into()),
        Some(IndexData::U32(indices)) => indices.get(i as usize).copied().unwrap_or(0),
        _ => i,
    };
    out.clear();
    match primitive {
        Primitive::PointList => return None,
        Primitive::LineList => out.extend((0..count & !1).map(at)),
        Primitive::TriangleList => out.extend((0..count - count % 3).map(at)),
        Primitive::LineStrip => {
            out.extend((1..count).flat_map(|i| [i - 1, i]).map(at));
        }
        Primitive::TriangleStrip => {
            let triangle = |i: u32| match i & 1 {
                0 => [i, i + 1, i + 2],
                _ => [i, i + 2, i + 1],
            };
            out.extend((0..count.saturating_sub(2)).flat_map(triangle).map(at));
        }
    }
    Some(match primitive {
        Primitive::LineList | Primitive::LineStrip => Primitive::LineList,
        _ => Primitive::TriangleList,
    })
}

/// Puts the vertices `list`, counted from `low`, one behind the other into `out` and into the place
/// of the streams that advance by `strides`; a stride of 0 stays what it is.
pub(crate) fn gather<'a>(
    streams: &mut [StreamData<'a>; 16],
    strides: &[u32; 16],
    list: &[u32],
    low: u32,
    out: &'a mut Vec<u8>,
) {
    let moves = |n: usize, streams: &[StreamData<'_>; 16]| {
        strides[n] != 0 && matches!(streams[n], StreamData::Bytes(_))
    };
    let stride = |n: usize| strides[n] as usize;
    out.clear();
    for n in 0..16 {
        if let StreamData::Bytes(bytes) = streams[n]
            && moves(n, streams)
        {
            for vertex in list {
                let start = vertex.saturating_sub(low) as usize * stride(n);
                let from = bytes.get(start..).unwrap_or(&[]);
                let from = &from[..from.len().min(stride(n))];
                let end = out.len() + stride(n);
                out.extend_from_slice(from);
                out.resize(end, 0);
            }
        }
    }
    let mut rest = &**out;
    for n in 0..16 {
        if moves(n, streams) {
            let (bytes, after) = rest.split_at(stride(n) * list.len());
            streams[n] = StreamData::Bytes(bytes);
            rest = after;
        }
    }
}

/// Vertices, of whole lines and triangles, that are drawn at once with `strides`.
pub(crate) fn at_once(strides: &[u32; 16]) -> usize {
    let all: usize = strides.iter().map(|&stride| stride as usize).sum();
    (AT_ONCE / all.max(4) / 6).max(1) * 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_primitive_has_its_own_vertices() {
        let indices = [4, 5, 6, 7, 8];
        let mut out = Vec::new();
        let mut of = |primitive, count| {
            let made = list(primitive, Some(IndexData::U16(&indices)), count, &mut out);
            (made, out.clone())
        };
        use Primitive::*;
        let triangles = Some(TriangleList);
        assert_eq!(of(TriangleList, 5), (triangles, vec![4, 5, 6]));
        assert_eq!(
            of(TriangleStrip, 5),
            (triangles, vec![4, 5, 6, 5, 7, 6, 6, 7, 8])
        );
        assert_eq!(of(LineStrip, 3), (Some(LineList), vec![4, 5, 5, 6]));
        assert_eq!(of(LineList, 3), (Some(LineList), vec![4, 5]));
        assert_eq!(of(PointList, 3).0, None);

        let bytes: Vec<u8> = (0..8).collect();
        let mut streams = [StreamData::None; 16];
        streams[1] = StreamData::Bytes(&bytes);
        streams[2] = StreamData::Bytes(&bytes[..1]);
        let mut strides = [0; 16];
        strides[1] = 3;
        let mut room = Vec::new();
        gather(&mut streams, &strides, &[6, 4, 6], 4, &mut room);
        let StreamData::Bytes(made) = streams[1] else {
            panic!("no stream")
        };
        assert_eq!(made, [6, 7, 0, 0, 1, 2, 6, 7, 0], "zeros past its end");
        assert!(matches!(streams[2], StreamData::Bytes([0])));
    }
}
