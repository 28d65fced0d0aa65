//! Numbers and what goes with them, as arguments.

use std::str::FromStr;

use ninefold_guest::Reg;

/// A 32-bit number: decimal, or hexadecimal after `0x`; negative ones wrap.
pub(crate) fn number(text: &str) -> Result<u32, String> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    let value = value.map_err(|_| format!("`{text}` is no 32-bit number (0x... or decimal)"))?;
    Ok(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

/// A number at which a page begins.
pub(crate) fn page(text: &str) -> Result<u32, String> {
    match number(text)? {
        address if address.is_multiple_of(0x1000) => Ok(address),
        _ => Err(format!("`{text}` is no multiple of 4096")),
    }
}

/// `eax=0x10`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting(pub(crate) Reg, pub(crate) u32);

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("expected REGISTER=VALUE")?;
        let register = Reg::ALL
            .into_iter()
            .find(|register| register.name() == name);
        let register = register.ok_or_else(|| format!("`{name}` is no 32-bit register"))?;
        Ok(Self(register, number(value)?))
    }
}

/// `0x900000:0x1000`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range(pub(crate) u32, pub(crate) u32);

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, length) = text.split_once(':').ok_or("expected ADDRESS:LENGTH")?;
        match number(length)? {
            0 => Err("a length of 0 maps nothing".to_owned()),
            length => Ok(Self(number(address)?, length)),
        }
    }
}

/// `0x900000=3f800000`: bytes in hexadecimal; `0x900000=f:1.0,2`: floats.
#[derive(Clone, Debug)]
pub(crate) struct Contents(pub(crate) u32, pub(crate) Vec<u8>);

impl FromStr for Contents {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, contents) = text.split_once('=').ok_or("expected ADDRESS=BYTES")?;
        let bytes = match contents.strip_prefix("f:") {
            Some(floats) => {
                let mut bytes = Vec::new();
                for float in floats.split(',') {
                    let value: f32 = float
                        .parse()
                        .map_err(|_| format!("`{float}` is no float"))?;
                    bytes.extend(value.to_bits().to_le_bytes());
                }
                bytes
            }
            None => hexadecimal(contents)?,
        };
        Ok(Self(number(address)?, bytes))
    }
}

fn hexadecimal(text: &str) -> Result<Vec<u8>, String> {
    let wrong = || format!("`{text}` is not pairs of hexadecimal digits");
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return Err(wrong());
    }
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| wrong()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_or_refused() {
        assert_eq!(number("0xFFFFFFFF"), Ok(u32::MAX));
        assert_eq!(number("-1"), Ok(u32::MAX));
        assert_eq!(number("10"), Ok(10));
        assert!(number("0x100000000").is_err());
        assert!(number("4CC0D0").is_err());
        assert!(number("").is_err());
        assert_eq!(page("0x2000"), Ok(0x2000));
        assert!(page("0x2001").is_err());
        let Setting(register, value) = "esi=-4".parse().unwrap();
        assert_eq!((register, value), (Reg::Esi, 0xFFFF_FFFC));
        assert!("ax=1".parse::<Setting>().is_err());
        let Range(address, length) = "0x1000:16".parse().unwrap();
        assert_eq!((address, length), (0x1000, 16));
        assert!("0x1000:0".parse::<Range>().is_err());
        let Contents(address, bytes) = "0x10=00ff".parse().unwrap();
        assert_eq!((address, bytes), (0x10, vec![0, 0xFF]));
        let Contents(_, bytes) = "16=f:1,-0.5".parse().unwrap();
        assert_eq!(bytes, [0, 0, 0x80, 0x3F, 0, 0, 0, 0xBF]);
        assert!("0=0".parse::<Contents>().is_err());
        assert!("0=é1".parse::<Contents>().is_err());
        assert!("0=f:".parse::<Contents>().is_err());
    }
}
