//! Shader packs at work: exact match at creation, the replacement's pixels and bytes.

mod common;

use std::sync::Arc;

use common::*;
use ninefold_bytecode::{PackEntry, assemble};
use ninefold_d3d9::consts::*;
use ninefold_d3d9::*;

fn shader(text: &str) -> Arc<[u32]> {
    assemble(text).unwrap().tokens().into()
}

fn constant(red: &str) -> Arc<[u32]> {
    shader(&format!("ps_2_0\ndef c0, {red}, 0, 0, 1\nmov oC0, c0\n"))
}

/// `c200` in place of `c0`: a pack may hold it, and no program can create it.
fn broken() -> Arc<[u32]> {
    let mut tokens = constant("1").to_vec();
    let source = tokens.len() - 2;
    tokens[source] |= 200;
    tokens.into()
}

/// The colour that a shader gives.
fn color(d: &mut Device, tokens: &[u32]) -> u32 {
    let shader = d.create_pixel_shader(tokens).unwrap();
    d.set_pixel_shader(Some(shader)).unwrap();
    d.set_fvf(D3DFVF_XYZRHW).unwrap();
    let corners = [
        -0.5, -0.5, 0.5, 1.0, 3.5, -0.5, 0.5, 1.0, -0.5, 3.5, 0.5, 1.0, 3.5, 3.5, 0.5, 1.0f32,
    ];
    d.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, &bytes(&corners), 16)
        .unwrap();
    pixels(d).at(1, 1)
}

#[test]
fn a_pack_replaces_exact_matches_at_creation() {
    let (dim, bright) = (constant("0.2"), constant("1"));
    let (half, bad) = (constant("0.4"), broken());
    let pack = ShaderPack::from_entries(vec![
        PackEntry {
            original: dim.clone(),
            replacement: bright.clone(),
        },
        PackEntry {
            original: half.clone(),
            replacement: bad,
        },
    ])
    .unwrap();
    let Some(direct3d) = direct3d_with(|settings| settings.shader_pack = Some(Arc::new(pack)))
    else {
        return;
    };
    let parameters = PresentParameters::windowed(4, 4);
    let mut d = direct3d.create_device(&parameters).unwrap();

    assert_eq!(color(&mut d, &dim), 0xFF_0000, "replaced");
    let made = d.create_pixel_shader(&dim).unwrap();
    assert_eq!(d.pixel_shader_get_function(made).unwrap(), &*bright);
    let longer = [&dim[..], &[0, 1, 2]].concat();
    assert_eq!(
        color(&mut d, &longer),
        0xFF_0000,
        "a stream ends with its end token"
    );

    let other = constant("0.6");
    assert_eq!(color(&mut d, &other), 0x99_0000, "no original of the pack");
    let made = d.create_pixel_shader(&other).unwrap();
    assert_eq!(d.pixel_shader_get_function(made).unwrap(), &*other);

    assert_eq!(color(&mut d, &half), 0x66_0000, "a bad replacement");
    let made = d.create_pixel_shader(&half).unwrap();
    assert_eq!(d.pixel_shader_get_function(made).unwrap(), &*half);
}

#[test]
fn files_that_are_no_packs_leave_the_originals() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    assert!(load_shader_pack(&folder.join("missing.hvs")).is_none());
    let path = folder.join("bad.hvs");
    let pack = ShaderPack::from_entries(vec![PackEntry {
        original: constant("0.2"),
        replacement: constant("1"),
    }]);
    let mut bytes = pack.unwrap().to_bytes();
    std::fs::write(&path, &bytes).unwrap();
    assert!(load_shader_pack(&path).is_some());
    bytes.push(0);
    std::fs::write(&path, &bytes).unwrap();
    assert!(load_shader_pack(&path).is_none());
    assert!(load_shader_pack(folder).is_none());
    #[cfg(unix)]
    {
        // Nobody will ever write to it.
        let pipe = folder.join("pipe.hvs");
        let _ = std::fs::remove_file(&pipe);
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        assert!(load_shader_pack(&pipe).is_none());
        assert!(load_shader_pack(std::path::Path::new("/dev/zero")).is_none());
    }
}
