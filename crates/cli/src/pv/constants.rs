//! Constants as JSON.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use ninefold_bytecode::{RegisterKind, Version};
use serde_json::Value;

use super::csv::parse_number;
use crate::convert::input;

/// The constants of a run, of a whole device's size.
#[derive(Debug, PartialEq)]
pub(super) struct Values {
    pub(super) floats: Vec<[f32; 4]>,
    pub(super) ints: Vec<[i32; 4]>,
    pub(super) bools: Vec<bool>,
}

impl Values {
    /// As many as devices have for shaders of a version, all 0.
    pub(super) fn of(version: Version) -> Self {
        let count = |kind: RegisterKind, hardware| match version.is_software() {
            true => usize::from(kind.count(version)),
            false => hardware,
        };
        Values {
            floats: vec![[0.0; 4]; count(RegisterKind::Const, 256)],
            ints: vec![[0; 4]; count(RegisterKind::ConstInt, 16)],
            bools: vec![false; count(RegisterKind::ConstBool, 16)],
        }
    }
}

/// Reads the constants in a file.
pub(super) fn read(path: &Path, version: Version) -> Result<Values> {
    let name = input::name(path).to_string();
    let text = input::text(input::read(path)?, path)?;
    // The error of serde_json names line and column.
    let value: Value = serde_json::from_str(&text).with_context(|| name.clone())?;
    parse(&value, version).with_context(|| name)
}

fn parse(value: &Value, version: Version) -> Result<Values> {
    let mut values = Values::of(version);
    let Value::Object(lists) = value else {
        bail!("expected an object with \"c\", \"i\" and \"b\"");
    };
    for (key, list) in lists {
        match key.as_str() {
            "c" => each(key, list, &mut values.floats, |v| vector(v, float))?,
            "i" => each(key, list, &mut values.ints, |v| vector(v, int))?,
            "b" => each(key, list, &mut values.bools, |v| {
                v.as_bool().ok_or_else(|| anyhow!("expected true or false"))
            })?,
            _ => bail!("{key:?}: expected \"c\", \"i\" or \"b\""),
        }
    }
    Ok(values)
}

/// Sets registers of one kind, from an array or from an object by number.
fn each<T>(
    kind: &str,
    list: &Value,
    to: &mut [T],
    read: impl Fn(&Value) -> Result<T>,
) -> Result<()> {
    let there = to.len();
    let mut set = |number: usize, value: &Value| {
        let Some(to) = to.get_mut(number) else {
            bail!("{kind}{number}: expected a register below {there}");
        };
        *to = read(value).with_context(|| format!("{kind}{number}"))?;
        Ok(())
    };
    match list {
        Value::Array(list) => list
            .iter()
            .enumerate()
            .try_for_each(|(number, value)| set(number, value)),
        Value::Object(list) => {
            let mut seen = HashSet::new();
            list.iter().try_for_each(|(key, value)| {
                let number = key.strip_prefix(kind).unwrap_or(key);
                // `parse` alone would take a plus.
                let digits = number.bytes().all(|b| b.is_ascii_digit());
                match number.parse() {
                    Ok(number) if digits && !seen.insert(number) => {
                        bail!("{kind}{number} is there twice, once as {key:?}")
                    }
                    Ok(number) if digits => set(number, value),
                    _ => bail!("{kind}: {key:?} is no number of a register"),
                }
            })
        }
        _ => bail!("{kind}: expected an array, or an object by number"),
    }
}

fn vector<T: Copy + Default>(value: &Value, read: impl Fn(&Value) -> Option<T>) -> Result<[T; 4]> {
    let list = value.as_array().filter(|list| list.len() <= 4);
    let list = list.context("expected an array of up to four numbers")?;
    let mut vector = [T::default(); 4];
    for (n, (to, value)) in vector.iter_mut().zip(list).enumerate() {
        let component = ["x", "y", "z", "w"][n];
        *to = read(value).with_context(|| format!("{component}: {value} is no such number"))?;
    }
    Ok(vector)
}

/// A number, or text for those that JSON has none for: "inf", "-inf", "nan".
fn float(value: &Value) -> Option<f32> {
    match value {
        // Infinities are asked for by name.
        Value::Number(number) => number.as_f64().map(|x| x as f32).filter(|x| x.is_finite()),
        Value::String(text) => parse_number(text.trim()),
        _ => None,
    }
}

fn int(value: &Value) -> Option<i32> {
    value.as_i64().and_then(|n| n.try_into().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn version() -> Version {
        Version::from_token(0xFFFE_0200).expect("vs_2_0")
    }

    #[test]
    fn registers_are_set_by_array_and_by_number() {
        let value = json!({
            "c": { "5": [1, "-inf"], "c9": [0, 0, 0, 0.25] },
            "i": [[4, 0, -1, 0]],
            "b": { "2": true },
        });
        let values = parse(&value, version()).unwrap();
        assert_eq!(values.floats[5], [1.0, f32::NEG_INFINITY, 0.0, 0.0]);
        assert_eq!(values.floats[9], [0.0, 0.0, 0.0, 0.25]);
        assert_eq!(values.ints[0], [4, 0, -1, 0]);
        assert_eq!(values.bools[..3], [false, false, true]);
        assert_eq!(values.floats.len(), 256);
    }

    #[test]
    fn mistakes_name_the_register() {
        for (value, expected) in [
            (json!([]), "expected an object with \"c\", \"i\" and \"b\""),
            (json!({ "d": [] }), "\"d\": expected \"c\", \"i\" or \"b\""),
            (
                json!({ "c": 4 }),
                "c: expected an array, or an object by number",
            ),
            (
                json!({ "c": { "x": [] } }),
                "c: \"x\" is no number of a register",
            ),
            (
                json!({ "c": { "-1": [] } }),
                "c: \"-1\" is no number of a register",
            ),
            (
                json!({ "c": { "+1": [] } }),
                "c: \"+1\" is no number of a register",
            ),
            (
                json!({ "c": { "7": [1], "c7": [2] } }),
                "c7 is there twice, once as \"c7\"",
            ),
            (json!({ "c": [[1e39]] }), "c0: x: 1e+39 is no such number"),
            (
                json!({ "c": [["1e39"]] }),
                "c0: x: \"1e39\" is no such number",
            ),
            (
                json!({ "c": { "256": [1] } }),
                "c256: expected a register below 256",
            ),
            (
                json!({ "c": [[1], 3] }),
                "c1: expected an array of up to four numbers",
            ),
            (
                json!({ "c": [[1, 2, 3, 4, 5]] }),
                "c0: expected an array of up to four numbers",
            ),
            (json!({ "c": [[1, true]] }), "c0: y: true is no such number"),
            (
                json!({ "i": [[0, 0, 1.5]] }),
                "i0: z: 1.5 is no such number",
            ),
            (
                json!({ "i": [[3000000000u32]] }),
                "i0: x: 3000000000 is no such number",
            ),
            (json!({ "b": [1] }), "b0: expected true or false"),
        ] {
            let error = parse(&value, version()).expect_err(expected);
            assert_eq!(format!("{error:#}"), expected);
        }
    }
}
