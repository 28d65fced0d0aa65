//! Which calls are compared, seen by what is told of them.

use super::told::{Said, Told};
use super::*;

/// A device that compares from this frame on, with vertices to skin.
fn comparing(from: Option<u64>) -> Option<(Device, VertexBufferHandle)> {
    let mut d = ways::processing(VertexSettings {
        skin_fast: true,
        differential: true,
        differential_from_frame: from,
        ..VertexSettings::default()
    })?;
    let to = ways::prepare(&mut d, &ways::vertices()[..ways::STRIDE * 100]);
    Some((d, to))
}

#[test]
fn calls_are_compared_from_a_frame_on() {
    let Some((mut d, to)) = comparing(Some(2)) else {
        return;
    };
    let told = Told::of("pv-differential");
    tracing::subscriber::with_default(told.clone(), || {
        for frame in 0..4 {
            run(&mut d, 0, 100, to, D3DPV_DONOTCOPYDATA);
            let lines = told.take();
            assert_eq!(lines.len(), usize::from(frame >= 2), "{frame}: {lines:?}");
            for line in lines.iter().map(Said::line) {
                assert!(line.contains(&format!("frame={frame};")), "{line}");
                assert!(
                    line.contains("vertices=100;mismatches=0;equal=true;"),
                    "{line}"
                );
                assert!(line.contains("authoritative=\"generic\";"), "{line}");
            }
            d.present().unwrap();
        }
        // Other shaders, and no shader, are nothing to compare.
        shader(&mut d, "vs_1_1\n dcl_position v0\n mov oPos, v0\n");
        run(&mut d, 0, 100, to, D3DPV_DONOTCOPYDATA);
        d.set_vertex_shader(None).unwrap();
        run(&mut d, 0, 100, to, D3DPV_DONOTCOPYDATA);
        assert_eq!(told.take().len(), 0);
    });
}

#[test]
fn a_destination_that_is_a_source_is_not_compared() {
    let Some((mut d, to)) = comparing(Some(0)) else {
        return;
    };
    let fvf = D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1;
    let vertices = &ways::vertices()[..ways::STRIDE * 100];
    let both = buffer(&mut d, fvf, vertices);
    let told = Told::of("pv-differential");
    tracing::subscriber::with_default(told.clone(), || {
        run(&mut d, 0, 100, to, D3DPV_DONOTCOPYDATA);
        assert_eq!(told.take().len(), 1);
        d.set_stream_source(0, Some(both), 0, ways::STRIDE as u32)
            .unwrap();
        run(&mut d, 0, 100, both, D3DPV_DONOTCOPYDATA);
        assert_eq!(told.take().len(), 0);
        put(&mut d, both, vertices);
        run(&mut d, 0, 100, to, D3DPV_DONOTCOPYDATA);
        assert_eq!(told.take().len(), 1);
    });
    let Some((mut d, to)) = comparing(None) else {
        return;
    };
    tracing::subscriber::with_default(told.clone(), || {
        run(&mut d, 0, 100, to, D3DPV_DONOTCOPYDATA);
        assert_eq!(told.take().len(), 0);
    });
}
