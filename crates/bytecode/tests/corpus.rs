//! The real token streams: reading, text round trip, truncation.

mod common;

use ninefold_bytecode::{ContentKey, Item, ShaderCode, assemble, disassemble};

#[test]
fn every_stream_comes_back_from_its_text() {
    let Some(streams) = common::corpus() else {
        return;
    };
    let (mut instructions, mut comments, mut raw) = (0, 0, 0);
    for (name, bytes) in &streams {
        let code = ShaderCode::from_bytes(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(code.to_bytes(), *bytes, "{name}");
        let text = disassemble(&code);
        let back = assemble(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        assert_eq!(back.tokens(), code.tokens(), "{name}\n{text}");
        assert_eq!(back.key(), code.key());
        instructions += code.instructions().count();
        assert_eq!(code.instructions().count(), code.instruction_count());
        comments += code.comments().count();
        raw += text
            .lines()
            .filter(|line| line.trim_start().starts_with("dword"))
            .count();
    }
    println!(
        "{} streams, {instructions} instructions and {comments} comment blocks came back from \
         their text; {raw} instructions as raw tokens",
        streams.len()
    );
    assert_eq!(raw, 0, "compilers write nothing the text cannot say");
}

/// Items tile the stream: nothing between them is skipped or read twice.
#[test]
fn items_cover_every_token() {
    let Some(streams) = common::corpus() else {
        return;
    };
    for (name, bytes) in &streams {
        let code = ShaderCode::from_bytes(bytes).unwrap();
        let mut at = 1;
        for (i, instruction) in code.instructions().enumerate() {
            assert_eq!(instruction.number as usize, i, "{name}");
        }
        for item in code.items() {
            at += match item {
                Item::Comment(words) => 1 + words.len(),
                Item::Instruction(instruction) => {
                    assert_eq!(instruction.byte_offset as usize, at * 4, "{name}");
                    assert_eq!(instruction.token, code.tokens()[at], "{name}");
                    usize::from(instruction.words)
                }
            };
        }
        assert_eq!(at + 1, code.tokens().len(), "{name}");
    }
}

/// A stream cut at any token is refused, with an error that lies inside it.
#[test]
fn every_truncation_is_refused() {
    let Some(streams) = common::corpus() else {
        return;
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let cuts: u64 = std::thread::scope(|scope| {
        let refuse = |first: usize| {
            let own = streams.iter().skip(first).step_by(threads);
            own.map(|(name, bytes)| refuse_truncations(name, bytes))
                .sum::<u64>()
        };
        let workers: Vec<_> = (0..threads)
            .map(|i| scope.spawn(move || refuse(i)))
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .sum()
    });
    println!("{cuts} truncations refused");
}

fn refuse_truncations(name: &str, bytes: &[u8]) -> u64 {
    let code = ShaderCode::from_bytes(bytes).unwrap();
    let tokens = code.tokens();
    for length in 0..tokens.len() {
        match ShaderCode::parse(&tokens[..length]) {
            Ok(_) => panic!("{name}: {length} tokens read as a whole shader"),
            Err(error) => assert!(error.byte_offset() <= length * 4, "{name}: {error}"),
        }
    }
    tokens.len() as u64
}

/// Words after the end token change nothing.
#[test]
fn what_follows_the_end_is_ignored() {
    let Some(streams) = common::corpus() else {
        return;
    };
    for (name, bytes) in &streams {
        let code = ShaderCode::from_bytes(bytes).unwrap();
        let mut longer = bytes.clone();
        longer.extend([0xFF, 0xFE, 0x00, 0x01, 0x02]);
        let other =
            ShaderCode::from_bytes(&longer).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(other, code);
        assert_eq!(other.key(), ContentKey::of(code.tokens()));
    }
}
