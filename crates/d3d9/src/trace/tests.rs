//! The format, checked against bytes written by hand, against what Debian's
//! `apitrace dump` says, and against hostile files.

use std::io::Write;
use std::process::Command;
use std::sync::{Arc, Mutex};

use super::*;

/// An output that can be looked at afterwards.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn capture(calls: impl FnOnce(&mut TraceWriter)) -> Vec<u8> {
    let out = Shared::default();
    let mut writer = TraceWriter::new(Box::new(out.clone()), &[("process.name", "unit test")]);
    calls(&mut writer);
    writer.finish().unwrap();
    let bytes = out.0.lock().unwrap();
    bytes.clone()
}

/// A capture around a stream written by hand.
fn contain(stream: &[u8]) -> Vec<u8> {
    let block = snap::raw::Encoder::new().compress_vec(stream).unwrap();
    let mut file = b"at".to_vec();
    file.extend_from_slice(&(block.len() as u32).to_le_bytes());
    file.extend_from_slice(&block);
    file
}

fn read_all(file: &[u8]) -> (Vec<Call>, Option<TraceError>) {
    let mut calls = Vec::new();
    let mut reader = match TraceReader::new(file) {
        Ok(reader) => reader,
        Err(e) => return (calls, Some(e)),
    };
    loop {
        match reader.next_call() {
            Ok(Some(call)) => calls.push(call),
            Ok(None) => return (calls, None),
            Err(e) => return (calls, Some(e)),
        }
    }
}

static EVERYTHING: Function = Function {
    name: "Everything",
    args: &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"],
};
static PAIR: Structure = Structure {
    name: "PAIR",
    fields: &["x", "y"],
};
static COLOUR: Enumeration = Enumeration(&[("RED", 1), ("GREEN", -2)]);
static BITS: Flags = Flags(&[("ONE", 1), ("FOUR", 4)]);

fn everything(writer: &mut TraceWriter) {
    for _ in 0..2 {
        writer.call(
            0,
            &EVERYTHING,
            |v| {
                v.pointer(0x1234);
                v.null();
                v.uint(300);
                v.int(-5);
                v.float(0.5);
                v.string("text");
                v.enumerated(&COLOUR, -2);
                v.flags(&BITS, 5);
                v.structure(&PAIR, |v| {
                    v.uint(1);
                    v.array([2u64, 3].iter(), |v, n| v.uint(*n));
                });
                v.skip();
            },
            |v| {
                v.argument(9).pointer_to(|v| v.pointer(0x10));
                v.returned().repr(|v| v.string("seven"), |v| v.uint(7));
            },
        );
    }
    writer.memory(0, 0x4000, &[1, 2, 3]);
}

#[test]
fn what_is_written_reads_back() {
    let file = capture(everything);
    let (calls, error) = read_all(&file);
    assert!(error.is_none(), "{error:?}");
    assert_eq!(calls.len(), 3);
    assert_eq!(calls[0].args, calls[1].args);
    let call = &calls[1];
    assert_eq!(
        (call.number, call.thread, call.name(), call.fake),
        (1, 0, "Everything", false)
    );
    assert_eq!(call.arg("a"), Some(&Value::Pointer(0x1234)));
    assert_eq!(call.arg("b"), Some(&Value::Null));
    assert_eq!(call.arg("c"), Some(&Value::Uint(300)));
    assert_eq!(call.arg("d"), Some(&Value::Sint(-5)));
    assert_eq!(call.arg("e"), Some(&Value::Float(0.5)));
    assert_eq!(call.arg("f"), Some(&Value::String("text".into())));
    assert!(matches!(call.arg("g"), Some(Value::Enum(sig, -2)) if sig.values[1].0 == "GREEN"));
    assert_eq!(call.arg("h").and_then(Value::bits), Some(5));
    assert_eq!(
        call.arg("i").and_then(|v| v.field("x")),
        Some(&Value::Uint(1))
    );
    let items = Value::Array(vec![Value::Uint(2), Value::Uint(3)]);
    assert_eq!(call.arg("i").and_then(|v| v.field("y")), Some(&items));
    assert_eq!(
        call.arg("j"),
        Some(&Value::Array(vec![Value::Pointer(0x10)]))
    );
    assert_eq!(call.ret.as_ref().and_then(Value::bits), Some(7));
    assert!(calls[2].fake);
    assert_eq!(calls[2].arg("src"), Some(&Value::Blob(vec![1, 2, 3])));
}

#[test]
fn apitrace_reads_what_is_written() {
    let path = std::env::temp_dir().join(format!("ninefold-{}-all.trace", std::process::id()));
    std::fs::write(&path, capture(everything)).unwrap();
    let dump = Command::new("apitrace")
        .args(["dump", "--color=never"])
        .arg(&path)
        .output();
    std::fs::remove_file(&path).unwrap();
    let Ok(dump) = dump else {
        assert!(
            std::env::var_os("NINEFOLD_REQUIRE_APITRACE").is_none(),
            "apitrace is missing"
        );
        eprintln!("skipped: the command `apitrace` is not installed");
        return;
    };
    let text = String::from_utf8_lossy(&dump.stdout);
    let line = "Everything(a = 0x1234, b = NULL, c = 300, d = -5, e = 0.5, f = \"text\", \
                g = GREEN, h = ONE | FOUR, i = {x = 1, y = {2, 3}}, j = &0x10) = \"seven\"";
    let expected = [
        "// process.name = \"unit test\"".to_string(),
        format!("0 {line}"),
        format!("1 {line}"),
        "2 memcpy(dest = 0x4000, src = blob(3), n = 3) // fake".to_string(),
    ];
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines, expected, "{}", String::from_utf8_lossy(&dump.stderr));
}

/// The event stream of one call, byte by byte from the format's description.
const BY_HAND: &[u8] = &[
    6, 6, // versions
    1, b'n', 1, b'v', 0, // one property and the end of them
    0, 3, 9, // a call of thread 3 with signature 9 begins:
    1, b'f', 2, 1, b'a', 1, b'b', // its name and two argument names
    1, 0, 0x04, 0xac, 0x02, // argument 0: 300
    1, 1, 0x0a, 0, 1, 1, b'F', 8, 12, // argument 1: flags with one name, value 12
    0,  // the end of entering
    1, 0, // call 0 returns:
    2, 0x03, 1, // -1
    0, // the end
];

#[test]
fn bytes_by_hand() {
    let (calls, error) = read_all(&contain(BY_HAND));
    assert!(error.is_none(), "{error:?}");
    let [call] = &calls[..] else {
        panic!("{calls:?}")
    };
    assert_eq!((call.number, call.thread, call.name()), (0, 3, "f"));
    assert_eq!(call.arg("a"), Some(&Value::Uint(300)));
    assert_eq!(call.arg("b").and_then(Value::bits), Some(12));
    assert_eq!(call.ret, Some(Value::Sint(-1)));
}

#[test]
fn a_cut_is_told_from_an_end() {
    let events = 7;
    for len in 0..BY_HAND.len() {
        let (calls, error) = read_all(&contain(&BY_HAND[..len]));
        assert!(calls.is_empty());
        if len == events || len == BY_HAND.len() - 6 {
            // Between events nothing shows that more was to come.
            assert!(error.is_none(), "{len}: {error:?}");
        } else {
            assert!(
                matches!(error, Some(TraceError::Truncated { .. })),
                "{len}: {error:?}"
            );
        }
    }
    let file = contain(BY_HAND);
    for len in 2..file.len() {
        let (_, error) = read_all(&file[..len]);
        assert!(
            matches!(error, Some(TraceError::Truncated { .. })),
            "{len}: {error:?}"
        );
    }
}

#[test]
fn a_call_that_never_returned_is_counted() {
    let file = contain(&BY_HAND[..BY_HAND.len() - 6]);
    let mut reader = TraceReader::new(&file[..]).unwrap();
    assert!(reader.next_call().unwrap().is_none());
    assert_eq!(reader.unfinished(), 1);
}

/// A stream whose first call has one argument with the given value bytes.
fn with_value(value: &[u8]) -> Vec<u8> {
    let mut stream = vec![6, 6, 0, 0, 0, 0, 1, b'f', 1, 1, b'a', 1, 0];
    stream.extend_from_slice(value);
    stream.extend_from_slice(&[0, 1, 0, 0]);
    contain(&stream)
}

#[test]
fn hostile_values_are_errors() {
    const HUGE: [u8; 9] = [0xff; 9];
    let huge = |tag: u8| [&[tag][..], &HUGE, &[0x01]].concat();
    let cases: &[(&str, Vec<u8>)] = &[
        ("a string of 2^64-1 bytes", huge(0x07)),
        ("a blob of 2^64-1 bytes", huge(0x08)),
        ("an array of 2^64-1 values", huge(0x0b)),
        ("a wide string of 2^64-1 characters", huge(0x0f)),
        (
            "an integer of 65 bits",
            [&[0x04][..], &HUGE, &[0x03]].concat(),
        ),
        ("minus 2^64-1", huge(0x03)),
        ("a million nested arrays", [0x0b, 1].repeat(1 << 20)),
        ("a million nested pairs", vec![0x0e; 1 << 20]),
        ("an unknown tag", vec![0x10]),
        (
            "an enumeration with a float",
            vec![0x09, 0, 0, 0x05, 0, 0, 0, 0],
        ),
        ("a signature of 2^63 names", huge(0x0c)),
    ];
    for (what, value) in cases {
        let (calls, error) = read_all(&with_value(value));
        assert!(calls.is_empty(), "{what}");
        assert!(error.is_some(), "{what}");
    }
    let (_, error) = read_all(&with_value(&[0x10]));
    assert_eq!(
        error.unwrap().to_string(),
        "the capture is damaged at byte 13: unknown value 0x10"
    );
}

#[test]
fn calls_that_never_return_hold_few_slots_and_values() {
    // Argument slots: a signature of 16,384 empty names, entered again and again.
    let mut slots = vec![6, 6, 0, 0, 0, 0, 1, b'f', 0x80, 0x80, 0x01];
    slots.resize(slots.len() + (1 << 14), 0);
    slots.push(0);
    let first = slots.len();
    slots.extend_from_slice(&[0, 0, 0, 0].repeat(1500));
    // An array of 2^20 - 1 nulls in each call.
    let array = [&[1, 0, 0x0b, 0xff, 0xff, 0x3f][..], &vec![0; (1 << 20) - 1]].concat();
    let mut values = vec![6, 6, 0];
    for head in [&[0, 0, 0, 1, b'f', 1, 1, b'a'][..]]
        .into_iter()
        .chain([&[0, 0, 0][..]; 7])
    {
        values.extend_from_slice(head);
        values.extend_from_slice(&array);
        values.push(0);
    }
    // What one call took is given back when it returns.
    let mut returned = vec![6, 6, 0];
    for number in 0..8 {
        returned.extend_from_slice(&[0, 0, 0]);
        if number == 0 {
            returned.extend_from_slice(&[1, b'f', 1, 1, b'a']);
        }
        returned.extend_from_slice(&array);
        returned.extend_from_slice(&[0, 1, number, 0]);
    }
    let slot = size_of::<Option<Value>>();
    let entered = (128 << 20) / (slot << 14);
    let expected = format!(
        "the capture is damaged at byte {}: calls that have not returned hold too many values",
        first + 4 * (entered - 1)
    );
    assert_eq!(read_all(&contain(&slots)).1.unwrap().to_string(), expected);
    let error = read_all(&contain(&values)).1.unwrap().to_string();
    assert!(error.ends_with("hold too many values"), "{error}");
    let (calls, error) = read_all(&contain(&returned));
    assert_eq!(calls.len(), 8);
    assert!(error.is_none(), "{error:?}");
}

#[test]
fn hostile_blocks_are_errors() {
    let mut long = b"at".to_vec();
    long.extend_from_slice(&u32::MAX.to_le_bytes());
    let mut bomb = b"at".to_vec();
    bomb.extend_from_slice(&5u32.to_le_bytes());
    bomb.extend_from_slice(&[0xff, 0xff, 0xff, 0xff, 0x0f]);
    for (what, file) in [("a 4 GiB block", long), ("a block that claims 4 GiB", bomb)] {
        assert!(
            matches!(read_all(&file).1, Some(TraceError::Corrupt { .. })),
            "{what}"
        );
    }
    for file in [
        &b""[..],
        b"a",
        b"atlas",
        b"PNG",
        b"\x1f\x8b",
        b"\x28\xb5\x2f\xfd",
    ] {
        assert!(read_all(file).1.is_some(), "{file:?}");
    }
}

#[test]
fn gzip_captures_are_read() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(BY_HAND).unwrap();
    let file = packed.finish().unwrap();
    let (calls, error) = read_all(&file);
    assert!(error.is_none(), "{error:?}");
    assert_eq!(calls.len(), 1);
    for len in 2..file.len() {
        assert!(read_all(&file[..len]).1.is_some(), "{len}");
    }
}

#[test]
fn changed_bytes_never_panic() {
    let mut plain = Vec::new();
    // The stream of a real capture, without its container.
    let file = capture(everything);
    let mut at = 2;
    while at < file.len() {
        let len = u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        let block = snap::raw::Decoder::new()
            .decompress_vec(&file[at + 4..at + 4 + len])
            .unwrap();
        plain.extend_from_slice(&block);
        at += 4 + len;
    }
    for at in 0..plain.len() {
        for bit in 0..8 {
            let mut changed = plain.clone();
            changed[at] ^= 1 << bit;
            let _ = read_all(&contain(&changed));
        }
    }
    for at in 0..file.len() {
        for bit in 0..8 {
            let mut changed = file.clone();
            changed[at] ^= 1 << bit;
            let _ = read_all(&changed);
        }
    }
}

#[test]
fn a_full_disk_ends_the_capture_and_is_reported() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut writer = TraceWriter::new(Box::new(Full), &[]);
    everything(&mut writer);
    assert_eq!(writer.calls(), 0);
    assert_eq!(
        writer.finish().unwrap_err().kind(),
        std::io::ErrorKind::StorageFull
    );
}

#[test]
fn large_captures_come_in_many_blocks() {
    let bytes = vec![7u8; 3 << 20];
    let file = capture(|writer| {
        for n in 0..4 {
            writer.memory(0, 0x1000 + n, &bytes);
        }
    });
    let (calls, error) = read_all(&file);
    assert!(error.is_none());
    assert_eq!(calls.len(), 4);
    assert!(
        calls
            .iter()
            .all(|c| c.arg("src") == Some(&Value::Blob(bytes.clone())))
    );
}

const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

/// Number and name of each call as `apitrace dump` prints them. Only lines that
/// begin a call count: shaders span lines, and frames end with an empty one.
fn dumped_calls(path: &std::path::Path) -> Option<Vec<(u64, String)>> {
    let mut command = Command::new("apitrace");
    command
        .args(["dump", "--verbose", "--color=never"])
        .arg(path);
    let text = command.output().ok()?.stdout;
    let text = String::from_utf8_lossy(&text);
    let calls = text.lines().filter_map(|line| {
        let (number, rest) = line.split_once(' ')?;
        let number = number.parse().ok()?;
        let name = rest.split_once('(')?.0;
        let name = name.rsplit(' ').next()?;
        Some((number, name.to_owned()))
    });
    Some(calls.collect())
}

#[test]
fn real_captures_have_the_calls_that_apitrace_sees() {
    let Ok(folder) = std::fs::read_dir(TRACES) else {
        let required = std::env::var("NINEFOLD_REQUIRE_SHARED").is_ok_and(|v| v == "1");
        assert!(!required, "{TRACES} is missing");
        eprintln!("skipped: {TRACES} is missing");
        return;
    };
    let mut captures = 0;
    for entry in folder {
        let folder = entry.unwrap().path();
        let Some(name) = folder.file_name().filter(|_| folder.is_dir()) else {
            continue;
        };
        let path = folder.join(name).with_extension("trace");
        let (calls, error) = read_all(&std::fs::read(&path).unwrap());
        assert!(error.is_none(), "{}: {error:?}", path.display());
        let calls: Vec<(u64, String)> = calls
            .iter()
            .map(|call| (call.number, call.name().to_owned()))
            .collect();
        let Some(dumped) = dumped_calls(&path) else {
            eprintln!("skipped: the command `apitrace` is not installed");
            return;
        };
        assert!(
            calls == dumped,
            "{}: {} {}",
            path.display(),
            calls.len(),
            dumped.len()
        );
        captures += 1;
    }
    eprintln!("{captures} captures read as `apitrace dump` reads them");
    assert!(captures > 0);
}
