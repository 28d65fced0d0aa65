//! Hostile streams: each is refused with a message that names the place.

use ninefold_bytecode::{ErrorKind, Item, Reader, ShaderCode, assemble, disassemble, limits};

#[test]
fn messages_name_place_and_expectation() {
    let mut wrong = Vec::new();
    for (i, line) in include_str!("refusals.txt").lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (tokens, message) = line.split_once('|').unwrap();
        let tokens: Vec<u32> = tokens
            .split_whitespace()
            .map(|word| u32::from_str_radix(word, 16).unwrap())
            .collect();
        let found = match ShaderCode::parse(&tokens) {
            Ok(_) => "accepted".to_owned(),
            Err(error) => error.to_string(),
        };
        if found != message.trim() {
            wrong.push(format!(
                "refusals.txt:{}: expected {}\n    found {found}",
                i + 1,
                message.trim()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A stream of `count` tokens, all of them comments but the first and the last.
fn comments(count: usize) -> Vec<u32> {
    let mut tokens = vec![0xFFFE_0101];
    while tokens.len() < count - 1 {
        let words = (count - 2 - tokens.len()).min(limits::MAX_COMMENT_WORDS);
        tokens.push(0xFFFE | (words as u32) << 16);
        tokens.resize(tokens.len() + words, 0x4141_4141);
    }
    tokens.push(0xFFFF);
    tokens
}

#[test]
fn the_bound_counts_the_end_token() {
    assert_eq!(limits::MAX_TOKENS, 1 << 20);
    let longest = comments(1 << 20);
    assert_eq!(ShaderCode::parse(&longest).unwrap().tokens(), longest);
    let error = ShaderCode::parse(&comments((1 << 20) + 1)).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::TooLong);
    assert_eq!(
        error.to_string(),
        "byte 0x400000: expected the end token 0x0000FFFF within 1048576 tokens"
    );
    let bytes: Vec<u8> = comments((1 << 20) + 4000)
        .iter()
        .flat_map(|token| token.to_le_bytes())
        .collect();
    assert_eq!(
        ShaderCode::from_bytes(&bytes).unwrap_err().kind(),
        &ErrorKind::TooLong
    );
}

#[test]
fn instructions_have_a_bound_of_their_own() {
    let nops = |count| {
        let mut tokens = comments(1 << 19);
        tokens.pop();
        tokens.resize(tokens.len() + count, 0);
        tokens.push(0xFFFF);
        ShaderCode::parse(&tokens)
    };
    let most = limits::MAX_CODE_TOKENS;
    assert_eq!(nops(most).unwrap().instruction_count(), most);
    let error = nops(most + 1).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::TooMuchCode);
    assert_eq!(error.instruction(), None);
    assert_eq!(error.byte_offset(), 4 * ((1 << 19) - 1 + most));
}

#[test]
fn instructions_and_comments_do_not_reach_over_the_bound() {
    let most = limits::MAX_TOKENS;
    let mut tokens = comments(most - 1);
    tokens.pop();
    // mov, whose operands would lie outside
    tokens.extend([1, 0x800F_0000, 0xA0E4_0000, 0xFFFF, 0, 0]);
    assert_eq!(
        ShaderCode::parse(&tokens).unwrap_err().kind(),
        &ErrorKind::TooLong
    );
    let mut tokens = comments(most - 1);
    tokens.pop();
    tokens.extend(comments(1_000));
    tokens[most - 2] = 0xFFFE | 900 << 16;
    assert_eq!(
        ShaderCode::parse(&tokens).unwrap_err().kind(),
        &ErrorKind::TooLong
    );
}

/// `0x0000FFFF` ends a stream only where an instruction would begin.
#[test]
fn end_words_inside_comments_and_definitions() {
    let tokens = [
        0xFFFE_0101,
        0x0002_FFFE,
        0xFFFF,
        0xFFFF, // a comment of two words
        0x51,
        0xA00F_0000,
        0xFFFF,
        0xFFFF,
        0xFFFF,
        0xFFFF, // def c0
        0xFFFF,
        0x1234_5678,
    ];
    let code = ShaderCode::parse(&tokens).unwrap();
    assert_eq!(code.tokens(), &tokens[..11]);
    assert_eq!(assemble(&disassemble(&code)).unwrap(), code);
}

#[test]
fn a_reader_stops_at_its_first_error() {
    let mut reader = Reader::new(&[0xFFFE_0101, 0, 0x31, 0, 0xFFFF]).unwrap();
    assert!(matches!(reader.next(), Some(Ok(Item::Instruction(_)))));
    let error = reader.next().unwrap().unwrap_err();
    assert_eq!((error.byte_offset(), error.instruction()), (8, Some(1)));
    assert!(reader.next().is_none());
}

#[test]
fn a_reader_says_how_long_the_stream_is() {
    let mut reader = Reader::new(&[0xFFFE_0101, 0, 0xFFFF, 7, 7]).unwrap();
    assert_eq!(reader.by_ref().filter(Result::is_ok).count(), 1);
    assert_eq!(reader.tokens_read(), 3);
}

/// The longest text there is: the largest indentation on the shortest
/// instructions. It still assembles.
#[test]
fn the_longest_text_assembles() {
    let mut tokens = vec![0xFFFE_0200];
    for _ in 0..limits::MAX_NESTING {
        tokens.extend([0x0100_0028, 0xE0E4_0800]);
    }
    let most = limits::MAX_CODE_TOKENS;
    tokens.resize(1 + most - limits::MAX_NESTING, 0);
    tokens.resize(1 + most, 0x2B);
    let words = limits::MAX_COMMENT_WORDS;
    while tokens.len() + words + 2 < limits::MAX_TOKENS {
        tokens.push(0xFFFE | (words as u32) << 16);
        tokens.resize(tokens.len() + words, 0xFFFF_FFFF);
    }
    tokens.push(0xFFFF);
    let code = ShaderCode::parse(&tokens).unwrap();
    let text = disassemble(&code);
    assert!(
        text.len() > 40_000_000 && text.len() < limits::MAX_TEXT_BYTES,
        "{}",
        text.len()
    );
    assert_eq!(assemble(&text).unwrap(), code);
}

#[test]
fn blocks_nest_64_deep_and_no_deeper() {
    let nested = |depth: usize| {
        let mut tokens = vec![0xFFFE_0200];
        for _ in 0..depth {
            tokens.extend([0x0100_0026, 0xF0E4_0000]);
        }
        tokens.extend(std::iter::repeat_n(0x27, depth));
        tokens.push(0xFFFF);
        ShaderCode::parse(&tokens)
    };
    assert!(nested(64).is_ok());
    let error = nested(65).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::TooDeep);
    assert_eq!(error.instruction(), Some(64));
}

/// A table whose names all overlap cannot ask for much text.
#[test]
fn a_hostile_constant_table_lists_little() {
    let words = 0x7FFF;
    let mut tokens = vec![0xFFFE_0101, 0xFFFE | words << 16];
    let start = tokens.len();
    tokens.resize(start + words as usize, 0x4141_4141);
    tokens[start] = u32::from_le_bytes(*b"CTAB");
    // Header of 28 bytes; creator, version, count and place of the constants.
    tokens[start + 1..start + 6].copy_from_slice(&[28, 28, 0, 0xFFFF_FFFF, 28]);
    for i in 0..6_000 {
        let constant = start + 1 + 7 + i * 5;
        tokens[constant] = 28;
        tokens[constant + 3] = 0xFFFF_FFFF;
    }
    tokens.push(0xFFFF);
    let code = ShaderCode::parse(&tokens).unwrap();
    let text = disassemble(&code);
    assert!(text.len() < 1_000_000, "{}", text.len());
    assert_eq!(assemble(&text).unwrap(), code);
}
