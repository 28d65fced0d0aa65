use super::*;

/// `mov oC0, c0` behind `values` of a comment, so that shaders differ.
fn shader(values: &[u32]) -> Vec<u32> {
    let mut tokens = vec![PS_2_0];
    if !values.is_empty() {
        tokens.push((values.len() as u32) << 16 | COMMENT);
        tokens.extend(values);
    }
    tokens.extend([0x0200_0001, 0x800F_0800, 0xA0E4_0000, END]);
    tokens
}

/// A file, byte for byte as the format has it.
fn file(count: u32, reserved: u32, entries: &[(&[u32], &[u32])]) -> Vec<u8> {
    let mut bytes = b"HVSHD001".to_vec();
    let mut put = |word: u32| bytes.extend(word.to_le_bytes());
    put(count);
    put(reserved);
    for (original, replacement) in entries {
        put(original.len() as u32 * 4);
        put(replacement.len() as u32 * 4);
        original.iter().chain(*replacement).for_each(|&t| put(t));
    }
    bytes
}

fn one(original: &[u32], replacement: &[u32]) -> Vec<u8> {
    file(1, 0, &[(original, replacement)])
}

fn fault(bytes: &[u8]) -> (usize, Option<u32>, PackFault) {
    let error = ShaderPack::parse(bytes).unwrap_err();
    (error.byte_offset(), error.entry(), *error.fault())
}

#[test]
fn a_pack_reads_finds_exactly_and_writes_back() {
    let (a, b, c) = (shader(&[]), shader(&[1]), shader(&[2, 3]));
    let bytes = file(2, 0, &[(&a, &b), (&c, &a)]);
    let pack = ShaderPack::parse(&bytes).unwrap();
    assert_eq!(pack.entries().len(), 2);
    assert_eq!(pack.find(&a), Some(0));
    assert_eq!(pack.find(&c), Some(1));
    assert_eq!(*pack.entries()[1].replacement, *a);
    assert_eq!(pack.find(&b), None, "a replacement is no original");
    assert_eq!(pack.find(&a[..a.len() - 1]), None);
    assert_eq!(pack.find(&[&a[..], &[0]].concat()), None);
    assert_eq!(pack.to_bytes(), bytes);
    let again = ShaderPack::from_entries(pack.entries().to_vec()).unwrap();
    assert_eq!(again, pack);
}

#[test]
fn every_truncation_is_refused() {
    let (a, b) = (shader(&[]), shader(&[9]));
    let bytes = file(2, 0, &[(&a, &b), (&b, &a)]);
    for length in 0..bytes.len() {
        let error = ShaderPack::parse(&bytes[..length]).unwrap_err();
        assert!(error.byte_offset() <= length, "{error}");
    }
}

#[test]
fn the_header_is_checked() {
    let a = shader(&[]);
    let good = one(&a, &a);
    let mut magic = good.clone();
    magic[7] = b'2';
    assert_eq!(fault(&magic), (0, None, PackFault::Magic));
    assert_eq!(fault(&file(0, 0, &[])), (8, None, PackFault::Count(0)));
    let negative = file(u32::MAX, 0, &[(&a, &a)]);
    assert_eq!(fault(&negative), (8, None, PackFault::Count(u32::MAX)));
    let reserved = file(1, 1 << 31, &[(&a, &a)]);
    assert_eq!(fault(&reserved), (12, None, PackFault::Reserved(1 << 31)));
    let trailing = [&good[..], &[0]].concat();
    assert_eq!(fault(&trailing), (good.len(), None, PackFault::Trailing(1)));
    let too_many = file(2, 0, &[(&a, &a)]);
    assert_eq!(fault(&too_many), (good.len(), Some(1), PackFault::CutOff));
}

#[test]
fn a_pack_has_128_entries_at_most() {
    let replacement = shader(&[]);
    let originals: Vec<_> = (0..129).map(|n| shader(&[n])).collect();
    let entries: Vec<(&[u32], &[u32])> = originals
        .iter()
        .map(|o| (&o[..], &replacement[..]))
        .collect();
    let full = ShaderPack::parse(&file(128, 0, &entries[..128])).unwrap();
    assert_eq!(full.find(&originals[127]), Some(127));
    assert_eq!(
        fault(&file(129, 0, &entries)),
        (8, None, PackFault::Count(129))
    );
}

#[test]
fn sizes_are_checked() {
    let a = shader(&[]);
    let size = a.len() as u32 * 4;
    let with = |at: usize, size: u32| {
        let mut bytes = one(&a, &a);
        bytes[at..at + 4].copy_from_slice(&size.to_le_bytes());
        bytes
    };
    for bad in [
        0,
        4,
        6,
        size - 1,
        size + 1,
        MAX_PACK_SHADER_BYTES + 4,
        u32::MAX - 3,
    ] {
        let expected = (16, Some(0), PackFault::Size(Role::Original, bad));
        assert_eq!(fault(&with(16, bad)), expected);
        let expected = (20, Some(0), PackFault::Size(Role::Replacement, bad));
        assert_eq!(fault(&with(20, bad)), expected);
    }
    let more = size + 4;
    assert_eq!(
        fault(&with(20, more)),
        (20, Some(0), PackFault::Overrun(Role::Replacement, more))
    );
    let short = (24 + size as usize - 8, Some(0));
    let (at, entry, found) = fault(&with(16, size - 4));
    assert_eq!((at, entry), short, "{found}");
    assert_eq!(found, PackFault::Shader(Role::Original, StreamFault::NoEnd));

    // The largest shader that a pack may hold, a comment of many blocks, and one token more.
    let long = |words: usize| {
        let mut tokens = vec![PS_2_0];
        while tokens.len() < words - 1 {
            let length = (words - 2 - tokens.len()).min(0x7FFF);
            tokens.push((length as u32) << 16 | COMMENT);
            tokens.resize(tokens.len() + length, 7);
        }
        tokens.push(END);
        tokens
    };
    let words = MAX_PACK_SHADER_BYTES as usize / 4;
    assert!(ShaderPack::parse(&one(&long(words), &a)).is_ok());
    assert!(matches!(
        fault(&one(&long(words + 1), &a)).2,
        PackFault::Size(Role::Original, _)
    ));
    let originals: Vec<_> = (0..16)
        .map(|n| {
            let mut tokens = long(words);
            tokens[2] = n;
            tokens
        })
        .collect();
    let entries: Vec<(&[u32], &[u32])> = originals.iter().map(|o| (&o[..], &a[..])).collect();
    assert_eq!(
        fault(&file(16, 0, &entries)),
        (MAX_PACK_BYTES, None, PackFault::TooLarge)
    );
    let entries = originals.into_iter().map(|original| PackEntry {
        original: original.into(),
        replacement: a.clone().into(),
    });
    let error = ShaderPack::from_entries(entries.collect()).unwrap_err();
    assert_eq!(*error.fault(), PackFault::TooLarge);
}

#[test]
fn streams_are_checked() {
    let good = shader(&[5]);
    let with = |at: usize, token: u32| {
        let mut tokens = good.clone();
        tokens[at] = token;
        tokens
    };
    let end = good.len() - 1;
    let cases = [
        (with(0, 0xFFFF_0300), 0, StreamFault::Version(0xFFFF_0300)),
        (with(0, 0xFFFE_0200), 0, StreamFault::Version(0xFFFE_0200)),
        (with(1, 0x7FFF_FFFE), 1, StreamFault::Length(0x7FFF)),
        (with(3, 0x0200_0061), 3, StreamFault::Opcode(97)),
        (with(3, 0x0200_FFFD), 3, StreamFault::Opcode(0xFFFD)),
        (with(3, 0x0000_0001), 3, StreamFault::NoLength),
        (with(3, 0x0400_0001), 3, StreamFault::Length(4)),
        (with(3, 0x0300_0001), end, StreamFault::NoEnd),
        (with(3, END), 3, StreamFault::EarlyEnd),
        (with(end, 0x0100_0000), end, StreamFault::Length(1)),
    ];
    for (tokens, token, why) in cases {
        let start = 24 + 4 * token;
        let expected = (start, Some(0), PackFault::Shader(Role::Original, why));
        assert_eq!(fault(&one(&tokens, &good)), expected);
        let start = start + 4 * good.len();
        let expected = (start, Some(0), PackFault::Shader(Role::Replacement, why));
        assert_eq!(fault(&one(&good, &tokens)), expected);
    }
    // 96 is an opcode.
    assert!(ShaderPack::parse(&one(&with(3, 0x0200_0060), &good)).is_ok());
}

#[test]
fn one_original_twice_is_ambiguous() {
    let (a, b, c) = (shader(&[]), shader(&[1]), shader(&[2]));
    let bytes = file(3, 0, &[(&a, &b), (&b, &c), (&a, &c)]);
    let third = 16 + 2 * 8 + 4 * (a.len() + b.len() + b.len() + c.len());
    assert_eq!(fault(&bytes), (third + 8, Some(2), PackFault::Duplicate(0)));
}

#[test]
fn messages_name_the_place() {
    let a = shader(&[]);
    let mut bytes = one(&a, &a);
    bytes[24 + 4 * a.len()] = 1;
    assert_eq!(
        ShaderPack::parse(&bytes).unwrap_err().to_string(),
        "byte 0x2c, entry 0: replacement: version token 0xffff0201, expected ps_2_0 (0xffff0200)"
    );
}

#[test]
fn damage_never_panics_and_what_reads_writes_back() {
    let (a, b) = (shader(&[]), shader(&[9]));
    let bytes = file(2, 0, &[(&a, &b), (&b, &a)]);
    let mut read = 0;
    for at in 0..bytes.len() {
        for value in 0..=255 {
            let mut damaged = bytes.clone();
            damaged[at] = value;
            match ShaderPack::parse(&damaged) {
                Ok(pack) => {
                    read += 1;
                    assert_eq!(pack.to_bytes(), damaged);
                }
                Err(error) => assert!(error.byte_offset() <= damaged.len(), "{error}"),
            }
        }
    }
    assert!(read > bytes.len(), "operands may be anything");
}
