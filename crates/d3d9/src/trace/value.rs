//! What a call in a capture carries.

use std::sync::Arc;

/// Name and argument names of a traced function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallSig {
    /// `IDirect3DDevice9::DrawPrimitive`, `Direct3DCreate9`, `memcpy`, ...
    pub name: String,
    /// Argument names in order; `this` comes first in methods.
    pub args: Vec<String>,
}

/// Name and field names of a structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructSig {
    /// The C name, `D3DVIEWPORT9`.
    pub name: String,
    /// Field names in order.
    pub fields: Vec<String>,
}

/// The names that an enumeration gives to its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumSig {
    /// Name and value pairs.
    pub values: Vec<(String, i64)>,
}

/// The names that a set of flags gives to its bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitmaskSig {
    /// Name and bits pairs.
    pub flags: Vec<(String, u64)>,
}

/// One value of a call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// The null pointer.
    Null,
    /// A truth value.
    Bool(bool),
    /// A negative integer.
    Sint(i64),
    /// An integer of at least zero.
    Uint(u64),
    /// A single-precision number.
    Float(f32),
    /// A double-precision number.
    Double(f64),
    /// Text; bytes that are not UTF-8 are replaced.
    String(String),
    /// Text of 16-bit or 32-bit characters.
    WideString(String),
    /// Raw memory.
    Blob(Vec<u8>),
    /// A value of an enumeration.
    Enum(Arc<EnumSig>, i64),
    /// A set of flags.
    Bitmask(Arc<BitmaskSig>, u64),
    /// A sequence; pointers to one thing are recorded as a sequence of one.
    Array(Vec<Value>),
    /// A structure: one value for each field of the signature.
    Struct(Arc<StructSig>, Vec<Value>),
    /// An address in the traced program.
    Pointer(u64),
    /// The same thing for people (first) and for programs (second): shader
    /// functions come as text and bytes.
    Repr(Box<(Value, Value)>),
}

impl Value {
    /// The integer that this value stands for: integers, truth values,
    /// enumerations, flags, addresses, and null as 0. Negative numbers come in
    /// two's complement.
    #[must_use]
    pub fn bits(&self) -> Option<u64> {
        Some(match self {
            Value::Null => 0,
            Value::Bool(b) => u64::from(*b),
            Value::Sint(v) | Value::Enum(_, v) => v.cast_unsigned(),
            Value::Uint(v) | Value::Bitmask(_, v) | Value::Pointer(v) => *v,
            Value::Repr(pair) => return pair.1.bits(),
            _ => return None,
        })
    }

    /// The number that this value stands for, from any numeric kind.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        Some(match self {
            Value::Sint(v) => *v as f64,
            Value::Uint(v) => *v as f64,
            Value::Float(v) => f64::from(*v),
            Value::Double(v) => *v,
            Value::Repr(pair) => return pair.1.number(),
            _ => return None,
        })
    }

    /// A word for the kind of value, for messages.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "truth value",
            Value::Sint(_) | Value::Uint(_) => "integer",
            Value::Float(_) => "float",
            Value::Double(_) => "double",
            Value::String(_) | Value::WideString(_) => "string",
            Value::Blob(_) => "blob",
            Value::Enum(..) => "enumeration value",
            Value::Bitmask(..) => "flags",
            Value::Array(_) => "array",
            Value::Struct(..) => "structure",
            Value::Pointer(_) => "pointer",
            Value::Repr(_) => "text and bytes",
        }
    }

    /// The field `name` of a structure, or of the structure that a pointer
    /// (recorded as a sequence of one) points to.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Struct(sig, fields) => {
                let at = sig.fields.iter().position(|field| field == name)?;
                fields.get(at)
            }
            Value::Array(items) if items.len() == 1 => items[0].field(name),
            _ => None,
        }
    }
}

/// One finished call of a capture.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Number of the call in the capture, from 0, in the order of entering.
    pub number: u64,
    /// Number of the thread that made it, from 0.
    pub thread: u64,
    /// Function and argument names.
    pub sig: Arc<CallSig>,
    /// Arguments by position; what the function wrote through pointers is here
    /// too. `None` where the capture has none.
    pub args: Vec<Option<Value>>,
    /// What the function returned; `None` when it returned nothing or never
    /// returned.
    pub ret: Option<Value>,
    /// The tracer made the call up to carry data (`memcpy` into locked memory).
    pub fake: bool,
}

impl Call {
    /// Name of the function.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.sig.name
    }

    /// The argument called `name`.
    #[must_use]
    pub fn arg(&self, name: &str) -> Option<&Value> {
        let at = self.sig.args.iter().position(|arg| arg == name)?;
        self.args.get(at)?.as_ref()
    }
}
