//! Reading captures. The crate `apitrace` reads the same files, but trusts the
//! lengths in them: a damaged file can make it allocate without bound or
//! overflow, and ends its iteration silently. This reader bounds everything and
//! says where a file is wrong.

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::sync::Arc;

use super::error::TraceError;
use super::format::{FLAG_FAKE, OLDEST_VERSION, VERSION, detail, event, frame, limit, tag};
use super::stream::Stream;
use super::value::{BitmaskSig, Call, CallSig, EnumSig, StructSig, Value};

/// What the start of a capture says about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Version of the file format, 4 to 6.
    pub version: u64,
    /// Version of what the calls mean; the same as `version` before 6.
    pub semantic_version: u64,
    /// Name and value pairs, `process.name` among them.
    pub properties: Vec<(String, String)>,
}

#[derive(Default)]
struct Signatures {
    calls: HashMap<u64, Arc<CallSig>>,
    structs: HashMap<u64, Arc<StructSig>>,
    enums: HashMap<u64, Arc<EnumSig>>,
    bitmasks: HashMap<u64, Arc<BitmaskSig>>,
    frames: HashSet<u64>,
    name_bytes: u64,
}

struct Pending {
    call: Call,
    held: Held,
}

/// Bytes of memory that calls take until they return.
#[derive(Clone, Copy, Default)]
struct Held {
    /// Of blobs and strings.
    data: u64,
    /// Of argument slots and values.
    values: u64,
}

/// Reads the calls of a capture in the order in which they returned.
pub struct TraceReader<R: Read> {
    stream: Stream<R>,
    header: Header,
    signatures: Signatures,
    pending: HashMap<u64, Pending>,
    /// What all pending calls hold together.
    held: Held,
    next_number: u64,
    done: bool,
}

impl<R: Read> TraceReader<R> {
    /// Reads the header of a capture.
    ///
    /// # Errors
    /// [`TraceError`] when the input is not a capture, is one that is not
    /// supported, or is damaged already in its header.
    pub fn new(input: R) -> Result<Self, TraceError> {
        let mut stream = Stream::new(input)?;
        let mut signatures = Signatures::default();
        let version = stream.uint()?;
        if !(OLDEST_VERSION..=VERSION).contains(&version) {
            return Err(TraceError::Version(version));
        }
        let mut header = Header {
            version,
            semantic_version: version,
            properties: Vec::new(),
        };
        if version >= 6 {
            header.semantic_version = stream.uint()?;
            loop {
                let name = read_name(&mut stream, &mut signatures.name_bytes)?;
                if name.is_empty() {
                    break;
                }
                if header.properties.len() == limit::PROPERTIES {
                    return Err(TraceError::corrupt(
                        stream.position(),
                        "too many properties",
                    ));
                }
                let value = read_name(&mut stream, &mut signatures.name_bytes)?;
                header.properties.push((name, value));
            }
        }
        Ok(TraceReader {
            stream,
            header,
            signatures,
            pending: HashMap::new(),
            held: Held::default(),
            next_number: 0,
            done: false,
        })
    }

    /// What the capture says about itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Uncompressed bytes read so far.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.stream.position()
    }

    /// How many calls have been entered and have not returned. After the end:
    /// how many never did, because the program ended inside them.
    #[must_use]
    pub fn unfinished(&self) -> usize {
        self.pending.len()
    }

    /// The next call that returned; `None` at the end of the capture.
    ///
    /// # Errors
    /// [`TraceError`] where the file is damaged or cut off. Nothing can be read
    /// after that: later calls give `None`.
    pub fn next_call(&mut self) -> Result<Option<Call>, TraceError> {
        if self.done {
            return Ok(None);
        }
        let result = self.read_call();
        self.done = !matches!(result, Ok(Some(_)));
        result
    }

    fn read_call(&mut self) -> Result<Option<Call>, TraceError> {
        loop {
            if self.stream.at_end()? {
                return Ok(None);
            }
            let start = self.stream.position();
            match self.stream.byte()? {
                event::ENTER => self.enter(start)?,
                event::LEAVE => {
                    if let Some(call) = self.leave()? {
                        return Ok(Some(call));
                    }
                }
                other => {
                    return Err(TraceError::corrupt(
                        start,
                        format!("unknown event {other:#04x}"),
                    ));
                }
            }
        }
    }

    fn enter(&mut self, start: u64) -> Result<(), TraceError> {
        if self.pending.len() == limit::PENDING {
            return Err(TraceError::corrupt(
                start,
                "too many calls entered and not left",
            ));
        }
        let thread = self.stream.uint()?;
        let id = self.stream.uint()?;
        let sig = match self.signatures.calls.get(&id) {
            Some(sig) => Arc::clone(sig),
            None => {
                self.room_for_signature(self.signatures.calls.len())?;
                let name = self.name()?;
                let args = self.names()?;
                let sig = Arc::new(CallSig { name, args });
                self.signatures.calls.insert(id, Arc::clone(&sig));
                sig
            }
        };
        let number = self.next_number;
        self.next_number += 1;
        let held = self.held;
        self.hold_values(start, sig.args.len() * size_of::<Option<Value>>())?;
        let args = vec![None; sig.args.len()];
        let call = Call {
            number,
            thread,
            sig,
            args,
            ret: None,
            fake: false,
        };
        let mut pending = Pending {
            call,
            held: Held::default(),
        };
        self.details(&mut pending)?;
        pending.held = Held {
            data: self.held.data - held.data,
            values: self.held.values - held.values,
        };
        self.pending.insert(number, pending);
        Ok(())
    }

    fn leave(&mut self) -> Result<Option<Call>, TraceError> {
        let start = self.stream.position();
        let number = self.stream.uint()?;
        let Some(mut pending) = self.pending.remove(&number) else {
            return Err(TraceError::corrupt(
                start,
                format!("call {number} returns without having been entered"),
            ));
        };
        let held = self.held;
        self.details(&mut pending)?;
        self.held = Held {
            data: held.data - pending.held.data,
            values: held.values - pending.held.values,
        };
        Ok(Some(pending.call))
    }

    fn details(&mut self, pending: &mut Pending) -> Result<(), TraceError> {
        let mut left = limit::VALUES;
        loop {
            let start = self.stream.position();
            match self.stream.byte()? {
                detail::END => break,
                detail::ARGUMENT => {
                    let index = self.stream.uint()?;
                    let value = self.value(&mut left, 0)?;
                    let slot = usize::try_from(index).ok();
                    match slot.and_then(|slot| pending.call.args.get_mut(slot)) {
                        Some(slot) => *slot = Some(value),
                        None => {
                            return Err(TraceError::corrupt(
                                start,
                                format!("{} has no argument {index}", pending.call.name()),
                            ));
                        }
                    }
                }
                detail::RETURN => pending.call.ret = Some(self.value(&mut left, 0)?),
                detail::BACKTRACE => self.backtrace()?,
                detail::FLAGS => {
                    let flags = self.stream.uint()?;
                    pending.call.fake |= flags & FLAG_FAKE != 0;
                }
                other => {
                    return Err(TraceError::corrupt(
                        start,
                        format!("unknown detail {other:#04x} in {}", pending.call.name()),
                    ));
                }
            }
        }
        Ok(())
    }

    /// Counts data read at `place`.
    fn hold_data(&mut self, place: u64, bytes: usize) -> Result<(), TraceError> {
        self.held.data += bytes as u64;
        if self.held.data > limit::PENDING_BYTES {
            return Err(TraceError::corrupt(
                place,
                "calls that have not returned hold too much data",
            ));
        }
        Ok(())
    }

    /// Counts values read at `place`.
    fn hold_values(&mut self, place: u64, bytes: usize) -> Result<(), TraceError> {
        self.held.values += bytes as u64;
        if self.held.values > limit::PENDING_VALUE_BYTES {
            return Err(TraceError::corrupt(
                place,
                "calls that have not returned hold too many values",
            ));
        }
        Ok(())
    }

    /// Reads a value; the event may take `left` more.
    fn value(&mut self, left: &mut u32, depth: u32) -> Result<Value, TraceError> {
        let start = self.stream.position();
        if depth > limit::DEPTH {
            return Err(TraceError::corrupt(start, "values nested too deeply"));
        }
        *left = left
            .checked_sub(1)
            .ok_or_else(|| TraceError::corrupt(start, "too many values in one call"))?;
        self.hold_values(start, size_of::<Value>())?;
        Ok(match self.stream.byte()? {
            tag::NULL => Value::Null,
            tag::FALSE => Value::Bool(false),
            tag::TRUE => Value::Bool(true),
            tag::SINT => Value::Sint(self.negative()?),
            tag::UINT => Value::Uint(self.stream.uint()?),
            tag::FLOAT => Value::Float(f32::from_le_bytes(self.stream.array()?)),
            tag::DOUBLE => Value::Double(f64::from_le_bytes(self.stream.array()?)),
            tag::STRING => {
                let bytes = self.stream.prefixed(limit::STRING, "a string")?;
                self.hold_data(start, bytes.len())?;
                Value::String(text(bytes))
            }
            tag::BLOB => {
                let bytes = self.stream.prefixed(limit::BLOB, "a blob")?;
                self.hold_data(start, bytes.len())?;
                Value::Blob(bytes)
            }
            tag::WIDE_STRING => Value::WideString(self.wide_string()?),
            tag::ENUM => {
                let sig = self.enum_sig()?;
                let value = self.signed()?;
                Value::Enum(sig, value)
            }
            tag::BITMASK => {
                let sig = self.bitmask_sig()?;
                Value::Bitmask(sig, self.stream.uint()?)
            }
            tag::ARRAY => {
                let count = self.stream.uint()?;
                if count > u64::from(*left) {
                    return Err(TraceError::corrupt(
                        start,
                        format!("an array of {count} values"),
                    ));
                }
                let mut items = Vec::with_capacity((count as usize).min(limit::RESERVED));
                for _ in 0..count {
                    items.push(self.value(left, depth + 1)?);
                }
                Value::Array(items)
            }
            tag::STRUCT => {
                let sig = self.struct_sig()?;
                let mut fields = Vec::with_capacity(sig.fields.len().min(limit::RESERVED));
                for _ in 0..sig.fields.len() {
                    fields.push(self.value(left, depth + 1)?);
                }
                Value::Struct(sig, fields)
            }
            tag::POINTER => Value::Pointer(self.stream.uint()?),
            tag::REPR => {
                let people = self.value(left, depth + 1)?;
                let programs = self.value(left, depth + 1)?;
                Value::Repr(Box::new((people, programs)))
            }
            other => {
                return Err(TraceError::corrupt(
                    start,
                    format!("unknown value {other:#04x}"),
                ));
            }
        })
    }

    fn negative(&mut self) -> Result<i64, TraceError> {
        let start = self.stream.position();
        let magnitude = self.stream.uint()?;
        0i64.checked_sub_unsigned(magnitude)
            .ok_or_else(|| TraceError::corrupt(start, format!("-{magnitude} is out of range")))
    }

    /// An integer with its own tag, as enumerations store theirs.
    fn signed(&mut self) -> Result<i64, TraceError> {
        let start = self.stream.position();
        match self.stream.byte()? {
            tag::SINT => self.negative(),
            tag::UINT => Ok(self.stream.uint()?.cast_signed()),
            other => Err(TraceError::corrupt(
                start,
                format!("tag {other:#04x} where an integer belongs"),
            )),
        }
    }

    fn wide_string(&mut self) -> Result<String, TraceError> {
        let start = self.stream.position();
        let len = self.stream.uint()?;
        if len > limit::STRING {
            return Err(TraceError::corrupt(
                start,
                format!("a string of {len} characters"),
            ));
        }
        let mut string = String::new();
        for _ in 0..len {
            let code = u32::try_from(self.stream.uint()?).ok();
            string.push(
                code.and_then(char::from_u32)
                    .unwrap_or(char::REPLACEMENT_CHARACTER),
            );
        }
        self.hold_data(start, string.len())?;
        Ok(string)
    }

    fn enum_sig(&mut self) -> Result<Arc<EnumSig>, TraceError> {
        let id = self.stream.uint()?;
        if let Some(sig) = self.signatures.enums.get(&id) {
            return Ok(Arc::clone(sig));
        }
        self.room_for_signature(self.signatures.enums.len())?;
        let count = self.name_count()?;
        let mut values = Vec::new();
        for _ in 0..count {
            let name = self.name()?;
            values.push((name, self.signed()?));
        }
        let sig = Arc::new(EnumSig { values });
        self.signatures.enums.insert(id, Arc::clone(&sig));
        Ok(sig)
    }

    fn bitmask_sig(&mut self) -> Result<Arc<BitmaskSig>, TraceError> {
        let id = self.stream.uint()?;
        if let Some(sig) = self.signatures.bitmasks.get(&id) {
            return Ok(Arc::clone(sig));
        }
        self.room_for_signature(self.signatures.bitmasks.len())?;
        let count = self.name_count()?;
        let mut flags = Vec::new();
        for _ in 0..count {
            let name = self.name()?;
            flags.push((name, self.stream.uint()?));
        }
        let sig = Arc::new(BitmaskSig { flags });
        self.signatures.bitmasks.insert(id, Arc::clone(&sig));
        Ok(sig)
    }

    fn struct_sig(&mut self) -> Result<Arc<StructSig>, TraceError> {
        let id = self.stream.uint()?;
        if let Some(sig) = self.signatures.structs.get(&id) {
            return Ok(Arc::clone(sig));
        }
        self.room_for_signature(self.signatures.structs.len())?;
        let name = self.name()?;
        let fields = self.names()?;
        let sig = Arc::new(StructSig { name, fields });
        self.signatures.structs.insert(id, Arc::clone(&sig));
        Ok(sig)
    }

    fn backtrace(&mut self) -> Result<(), TraceError> {
        let start = self.stream.position();
        let count = self.stream.uint()?;
        if count > limit::FRAMES {
            return Err(TraceError::corrupt(
                start,
                format!("a backtrace of {count} frames"),
            ));
        }
        for _ in 0..count {
            let id = self.stream.uint()?;
            if self.signatures.frames.contains(&id) {
                continue;
            }
            loop {
                let start = self.stream.position();
                match self.stream.byte()? {
                    frame::END => break,
                    frame::MODULE | frame::FUNCTION | frame::FILE => {
                        self.stream.prefixed(limit::NAME, "a name")?;
                    }
                    frame::LINE | frame::OFFSET => {
                        self.stream.uint()?;
                    }
                    other => {
                        return Err(TraceError::corrupt(
                            start,
                            format!("unknown backtrace detail {other:#04x}"),
                        ));
                    }
                }
            }
            if self.signatures.frames.len() == limit::ALL_FRAMES {
                return Err(TraceError::corrupt(start, "too many backtrace frames"));
            }
            self.signatures.frames.insert(id);
        }
        Ok(())
    }

    fn room_for_signature(&self, known: usize) -> Result<(), TraceError> {
        if known as u64 >= limit::SIGNATURES {
            return Err(TraceError::corrupt(
                self.stream.position(),
                "too many signatures",
            ));
        }
        Ok(())
    }

    fn name(&mut self) -> Result<String, TraceError> {
        read_name(&mut self.stream, &mut self.signatures.name_bytes)
    }

    fn name_count(&mut self) -> Result<u64, TraceError> {
        let start = self.stream.position();
        let count = self.stream.uint()?;
        if count > limit::NAMES {
            return Err(TraceError::corrupt(
                start,
                format!("a signature of {count} names"),
            ));
        }
        Ok(count)
    }

    fn names(&mut self) -> Result<Vec<String>, TraceError> {
        let count = self.name_count()?;
        (0..count).map(|_| self.name()).collect()
    }
}

impl<R: Read> Iterator for TraceReader<R> {
    type Item = Result<Call, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_call().transpose()
    }
}

fn read_name<R: Read>(stream: &mut Stream<R>, total: &mut u64) -> Result<String, TraceError> {
    let bytes = stream.prefixed(limit::NAME, "a name")?;
    *total += bytes.len() as u64 + size_of::<String>() as u64;
    if *total > limit::ALL_NAMES {
        return Err(TraceError::corrupt(stream.position(), "too many names"));
    }
    Ok(text(bytes))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}
