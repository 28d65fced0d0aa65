//! Streams that compilers, tools and games have made, or might, and that read though they are odd.

use ninefold_bytecode::{Instruction, Opcode, ShaderCode, assemble, disassemble};

/// Reads the tokens, and checks that their text gives them back.
fn read(tokens: &[u32]) -> ShaderCode {
    let code = ShaderCode::parse(tokens).unwrap_or_else(|error| panic!("{tokens:08x?}: {error}"));
    assert_eq!(code.tokens(), tokens);
    let text = disassemble(&code);
    assert_eq!(assemble(&text).as_ref(), Ok(&code), "{text}");
    code
}

fn instructions(tokens: &[u32]) -> Vec<Instruction> {
    read(tokens).instructions().collect()
}

const END: u32 = 0x0000_FFFF;
const R0: u32 = 0x800F_0000;
const C0: u32 = 0xA0E4_0000;

/// Model 2 and 3 state an instruction's length; some writers left it out.
#[test]
fn a_length_may_be_missing() {
    let found = instructions(&[
        0xFFFE_0200,
        0x0000_0001,
        R0,
        C0,
        0x0000_0002,
        R0,
        C0,
        C0,
        END,
    ]);
    assert_eq!(found[0].op, Opcode::Mov);
    assert_eq!(found[1].op, Opcode::Add);
    assert_eq!(found[1].srcs().len(), 2);
    // Numbers after a definition's register may look like anything.
    let found = instructions(&[
        0xFFFF_0300,
        0x51,
        0xA00F_0000,
        1,
        0xFFFF,
        0x8000_0000,
        0,
        END,
    ]);
    assert_eq!(found[0].op, Opcode::Def);
    assert_eq!(found[0].words, 6);
    // vs_3_0 sgn has one source or three.
    let one = instructions(&[0xFFFE_0300, 0x22, R0, C0, 0, END]);
    assert_eq!(one[0].srcs().len(), 1);
    let three = instructions(&[0xFFFE_0300, 0x22, R0, C0, 0x80E4_0001, 0x80E4_0002, 0, END]);
    assert_eq!(three[0].srcs().len(), 3);
    // A relative operand's address register is its own token.
    let found = instructions(&[0xFFFE_0200, 0x01, R0, C0 | 0x2000, 0xB000_0000, 0, END]);
    assert!(found[0].srcs()[0].relative.is_some());
    assert_eq!(found[1].op, Opcode::Nop);
}

/// Model 1 states no length, and tools that write one anyway do no harm.
#[test]
fn a_length_in_model_1_does_not_count() {
    for length in [0u32, 1, 2, 15] {
        let found = instructions(&[0xFFFE_0101, length << 24 | 1, R0, C0, 0, END]);
        assert_eq!((found.len(), found[0].words), (2, 3));
    }
}

/// Parameters past the last that an instruction has are passed over: ps_3_0 sincos written with the
/// constants that model 2 needs.
#[test]
fn parameters_too_many_are_passed_over() {
    let found = instructions(&[
        0xFFFF_0300,
        0x0400_0025,
        0x8003_0000,
        0xA000_0000,
        0xA0E4_0001,
        0xA0E4_0002,
        0x0200_0001,
        0x800F_0800,
        0x80E4_0000,
        END,
    ]);
    assert_eq!((found[0].srcs().len(), found[0].words), (1, 5));
    assert_eq!(found[1].op, Opcode::Mov);
    let found = instructions(&[0xFFFE_0101, 1, R0, C0, C0, C0, 0, END]);
    assert_eq!((found[0].words, found[1].op), (5, Opcode::Nop));
    // A length that would swallow the next instruction is none.
    let tokens = [0xFFFE_0200, 0x0300_0001, R0, C0, 0x0000_0000, END];
    assert!(ShaderCode::parse(&tokens).is_err());
}

/// Comments may stand before and between all instructions and before the end, empty ones too.
#[test]
fn comments_stand_anywhere() {
    let comment = [0x0002_FFFE, 0x0000_FFFF, 0x1234_5678];
    let empty = [0x0000_FFFE];
    let mut tokens = vec![0xFFFF_0104];
    for instruction in [&[0x51, 0xA00F_0000, 0, 0, 0, 0][..], &[0x0001, R0, C0], &[]] {
        tokens.extend(comment);
        tokens.extend(empty);
        tokens.extend(comment);
        tokens.extend(instruction);
    }
    tokens.push(END);
    assert_eq!(instructions(&tokens).len(), 2);
}

/// A mebibyte of debug information before the first instruction.
#[test]
fn long_streams_read() {
    let mut tokens = vec![0xFFFE_0300];
    for _ in 0..10 {
        tokens.push(0x7FFF_FFFE);
        tokens.resize(tokens.len() + 0x7FFF, 0x4755_4244);
    }
    tokens.extend([0x0200_0001, R0, C0, END]);
    assert!(tokens.len() * 4 > 1 << 20);
    assert_eq!(instructions(&tokens).len(), 1);
    // More instructions than any device has slots.
    let mut tokens = vec![0xFFFE_02FF];
    for _ in 0..80_000 {
        tokens.extend([0x0200_0001, R0, C0]);
    }
    tokens.push(END);
    assert_eq!(
        ShaderCode::parse(&tokens).map(|code| code.instruction_count()),
        Ok(80_000)
    );
}

/// What stands after the end token is not looked at.
#[test]
fn an_end_is_an_end() {
    let tokens = [0xFFFE_0101, 0, END, 0xDEAD_BEEF];
    let code = ShaderCode::parse(&tokens).unwrap();
    assert_eq!(code.tokens().len(), 3);
}

/// Order and place of declarations and definitions are free.
#[test]
fn declarations_and_definitions_stand_anywhere() {
    for text in [
        "vs_2_0\nmov r0, c5\ndef c5, 1, 2, 3, 4\ndcl_position v0\nmov oPos, v0\ndcl_color v1\n",
        "vs_1_1\ndcl_position v0\ndcl_position v0\ndcl_normal v0\nmov oPos, v0\n",
        "ps_2_0\ntexld r0, t0, s0\ndcl t0.xy\ndcl_2d s0\ndcl_2d s0\nmov oC0, r0\n",
        "ps_2_0\ndcl_texcoord3 t0\ndcl_color v0\nadd r0, t0, v0\nmov oC0, r0\n",
        "ps_3_0\nif b0\ndef c1, 0, 0, 0, 0\ndefb b0, true\nendif\nmov oC0, c1\n",
        "ps_1_4\nphase\nmov r0, c0\n",
        "ps_1_4\nnop\nphase\nnop\n",
        "vs_1_1\n",
        "ps_1_1\n",
        "ps_2_0\n",
        "ps_3_0\nmov oDepth, c0.x\n",
        "ps_1_4\ntexcrd r0.xy, t0\ntexkill r0\nmov r0, c0\n",
        "ps_2_0\ndcl t0\ntexkill t0.xyz\ntexkill t0.x\nmov oC0, t0\n",
        "vs_2_0\nmova a0, c0\nmova a0.yw, c0\nmov oPos, c[a0.w]\n",
        "ps_2_0\ndcl t0\ndcl_2d s0\ntexld_sat r0, t0, s0\ntexld_pp r1.xy, t0, s0\nmov oC0, r0\n",
    ] {
        let code = assemble(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        read(code.tokens());
    }
}
