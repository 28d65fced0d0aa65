//! A smoke test of what a fuzzer does at length: hostile words never panic, and
//! whatever is accepted comes back bit for bit from its text.

mod common;

use ninefold_bytecode::{Opcode, Reader, ShaderCode, Version, assemble, disassemble};

/// A small generator of repeatable numbers (xorshift64*).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }

    fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound.max(1)
    }
}

/// Reads a stream in every way; true when it is valid.
fn read(tokens: &[u32]) -> bool {
    if let Ok(reader) = Reader::new(tokens) {
        let items = reader.take(tokens.len() + 1).count();
        assert!(items <= tokens.len(), "more items than tokens");
    }
    let code = match ShaderCode::parse(tokens) {
        Ok(code) => code,
        Err(error) => {
            assert!(error.byte_offset() <= tokens.len() * 4, "{error}");
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let text = disassemble(&code);
    let back = assemble(&text).unwrap_or_else(|error| panic!("{error}\n{text}\n{tokens:x?}"));
    assert_eq!(back.tokens(), code.tokens(), "{text}");
    true
}

#[test]
fn arbitrary_words() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let versions: Vec<Version> = Version::all().collect();
    let mut tokens = Vec::new();
    for round in 0..60_000 {
        tokens.clear();
        if round % 8 != 0 {
            tokens.push(versions[numbers.below(versions.len())].token());
        }
        for _ in 0..numbers.below(40) {
            tokens.push(numbers.next());
        }
        tokens.push(0xFFFF);
        read(&tokens);
    }
}

/// Parameter tokens that many instructions take: r#, then v#, c#, t#, s#, i#.
const USUAL: [u32; 6] = [
    0x800F_0000,
    0x90E4_0000,
    0xA0E4_0000,
    0xB0E4_0000,
    0xA0E4_0800,
    0xF0E4_0000,
];

/// Words that look like instructions and parameters get deeper.
#[test]
fn plausible_words() {
    let mut numbers = Numbers(42);
    let versions: Vec<Version> = Version::all().collect();
    let mut accepted = 0;
    for _ in 0..120_000 {
        let version = versions[numbers.below(versions.len())];
        let mut tokens = vec![version.token()];
        for _ in 0..1 + numbers.below(2) {
            let ops = if numbers.below(2) == 0 {
                25
            } else {
                Opcode::ALL.len()
            };
            let op = Opcode::ALL[numbers.below(ops)];
            let parameters = numbers.below(5);
            let length = if version.major >= 2 {
                parameters as u32
            } else {
                0
            };
            let controls = if numbers.below(3) == 0 {
                numbers.next() & 7
            } else {
                0
            };
            let odd = if numbers.below(12) == 0 {
                numbers.next() & 0x7000_0000
            } else {
                0
            };
            tokens.push(u32::from(op.code()) | controls << 16 | length << 24 | odd);
            for i in 0..parameters {
                let usual = USUAL[if i == 0 {
                    0
                } else {
                    numbers.below(USUAL.len())
                }];
                let changed = if numbers.below(4) == 0 {
                    1 << numbers.below(32)
                } else {
                    0
                };
                tokens.push((usual | numbers.next() & 1) ^ changed);
            }
        }
        tokens.push(0xFFFF);
        accepted += usize::from(read(&tokens));
    }
    println!("{accepted} of 120000 accepted");
    assert!(
        accepted > 1000,
        "only {accepted} plausible streams were accepted, the test reaches too little"
    );
}

/// Real streams with a few bits or words changed.
#[test]
fn mutated_streams() {
    let Some(streams) = common::corpus() else {
        return;
    };
    let mut numbers = Numbers(7);
    let (mut accepted, mut tried) = (0, 0);
    for (_, bytes) in streams.iter().filter(|(_, bytes)| bytes.len() < 4096) {
        let original = ShaderCode::from_bytes(bytes).unwrap().tokens().to_vec();
        for _ in 0..24 {
            let mut tokens = original.clone();
            for _ in 0..1 + numbers.below(2) {
                let at = numbers.below(tokens.len());
                match numbers.below(8) {
                    0 => tokens[at] = numbers.next(),
                    1 => tokens[at] = tokens[numbers.below(tokens.len())],
                    2 => drop(tokens.remove(at)),
                    _ => tokens[at] ^= 1 << numbers.below(32),
                }
                if tokens.is_empty() {
                    break;
                }
            }
            tried += 1;
            accepted += usize::from(read(&tokens));
        }
    }
    println!("{accepted} of {tried} mutated streams accepted and came back");
}

/// Text of all sorts is refused or assembled, never a panic.
#[test]
fn arbitrary_text() {
    let mut numbers = Numbers(99);
    let pieces = [
        "vs_1_1",
        "ps_1_4",
        "vs_3_0",
        "ps_2_x",
        "\n",
        "\n",
        "\n",
        " ",
        ", ",
        "mov",
        "add",
        "texld",
        "dcl",
        "def",
        "_sat",
        "_x2",
        "_texcoord1",
        "_2d",
        "if_gt",
        "endif",
        "loop",
        "aL",
        "i0",
        "r0",
        "r1",
        "c0",
        "c[a0.x + 4]",
        "c[",
        "]",
        "v0",
        "t0",
        "s0",
        "oPos",
        "p0",
        "(",
        ")",
        "!",
        "-",
        "1-",
        "+",
        ".xyzw",
        ".x",
        "_bx2",
        "_abs",
        "1.5",
        "0x",
        "-1",
        "//!",
        " comment ",
        "3",
        "0x00000000",
        "dword ",
        ";",
        "//",
        "é",
        "\u{0}",
        "\t",
        "l0",
        "label",
        "ret",
        "call",
    ];
    for _ in 0..40_000 {
        let mut text = String::from(if numbers.below(2) == 0 {
            "ps_2_x\n"
        } else {
            "vs_1_1\n"
        });
        for _ in 0..numbers.below(30) {
            text.push_str(pieces[numbers.below(pieces.len())]);
        }
        match assemble(&text) {
            Ok(code) => assert!(read(code.tokens())),
            Err(error) => assert!(error.line >= 1 && error.column >= 1, "{error}"),
        }
    }
}
