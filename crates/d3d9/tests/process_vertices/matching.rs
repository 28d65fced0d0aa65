//! Which elements are read, to the byte.

use super::*;

/// Sets of coordinates, two of colours and two positions, in no order.
#[test]
fn inputs_are_elements_of_their_usage_and_index() {
    let Some(mut d) = device(16, 16) else { return };
    let elements = [
        element(0, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_TEXCOORD, 3),
        element(4, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_TEXCOORD, 0),
        element(8, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_POSITION, 1),
        element(12, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_COLOR, 1),
        element(16, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_POSITION, 0),
        element(20, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_TEXCOORD, 12),
        element(24, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_COLOR, 0),
    ];
    let values: Vec<f32> = (1..=7u8).map(f32::from).collect();
    source(&mut d, &elements, 28, &bytes(&values));
    let to = blank(&mut d, D3DFVF_XYZ, 12);
    for (usage, value) in [
        ("texcoord3", 1.0),
        ("texcoord", 2.0),
        ("position1", 3.0),
        ("color1", 4.0),
        ("position", 5.0),
        ("texcoord12", 6.0),
        ("color", 7.0),
    ] {
        let text = format!("vs_1_1\n dcl_{usage} v5\n mov oPos, v5.x\n");
        shader(&mut d, &text);
        run(&mut d, 0, 1, to, D3DPV_DONOTCOPYDATA);
        let out = floats::<3>(&contents(&mut d, to), 0);
        assert_eq!(out, [value; 3], "{usage}");
    }
    for usage in ["texcoord1", "position2", "color2", "normal"] {
        let text = format!("vs_1_1\n dcl_{usage} v0\n mov oPos, v0.x\n");
        shader(&mut d, &text);
        refused(&mut d, [0, 0, 1], to, None, D3DPV_DONOTCOPYDATA);
    }
}

#[test]
fn sources_are_there_to_their_last_byte() {
    let Some(mut d) = device(16, 16) else { return };
    let position = element(4, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0);
    shader(&mut d, "vs_1_1\n dcl_position v0\n mov oPos, v0\n");
    let to = blank(&mut d, D3DFVF_XYZ, 36);
    // Three vertices of 16 bytes after 4, with 20 between them; and what is missing of the last.
    let needed = 4 + 2 * 20 + 4 + 12;
    for missing in 0..=4usize {
        source(&mut d, &[position], 20, &vec![1; needed - missing]);
        let buffer = d.get_stream_source(0).unwrap().buffer.unwrap();
        d.set_stream_source(0, Some(buffer), 4, 20).unwrap();
        d.release(buffer).unwrap();
        match missing {
            0 => run(&mut d, 0, 3, to, D3DPV_DONOTCOPYDATA),
            _ => drop(refused(&mut d, [0, 0, 3], to, None, D3DPV_DONOTCOPYDATA)),
        }
        run(&mut d, 0, 2, to, D3DPV_DONOTCOPYDATA);
        refused(&mut d, [1, 0, 3], to, None, D3DPV_DONOTCOPYDATA);
    }
}
