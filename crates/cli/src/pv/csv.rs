//! Vertices as text with commas.

use anyhow::{Result, bail};
use ninefold_bytecode::Usage;
use ninefold_exec::{GroupRegister, Input};

use super::elements::{parse_semantic, twin};

/// Columns of a table at most: sixteen inputs and as much again that no shader reads.
const MOST_COLUMNS: usize = 128;

/// What a column's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Semantic(Usage, u8),
    /// Of the input register with this number.
    Register(u8),
}

/// A table of numbers, whose columns have names.
#[derive(Debug)]
pub(super) struct Table {
    /// The name and the component of each column.
    columns: Vec<(Name, usize)>,
    /// Row by row.
    values: Vec<f32>,
}

impl Table {
    /// Reads text; `name` is what messages call it.
    pub(super) fn parse(text: &str, name: &str) -> Result<Self> {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let filled = |(_, line): &(usize, &str)| !line.trim().is_empty() && !line.starts_with('#');
        let mut lines = text.lines().enumerate().filter(filled);
        let Some((number, header)) = lines.next() else {
            bail!("{name}: expected a first line with names of columns such as position.x");
        };
        let mut columns = Vec::new();
        for field in header.split(',').map(str::trim) {
            let Some(column) = column(field) else {
                bail!(
                    "{name}:{}: {field:?} is no name of a column such as position.x, texcoord1.y or v0.x",
                    number + 1
                );
            };
            if columns.contains(&column) {
                bail!("{name}:{}: {field} is there twice", number + 1);
            }
            if columns.len() >= MOST_COLUMNS {
                bail!(
                    "{name}:{}: expected at most {MOST_COLUMNS} columns",
                    number + 1
                );
            }
            columns.push(column);
        }
        let mut values = Vec::new();
        for (number, line) in lines {
            let before = values.len();
            for (n, field) in line.split(',').map(str::trim).enumerate() {
                let label = header.split(',').nth(n).unwrap_or("").trim();
                match parse_number(field) {
                    Some(value) if n < columns.len() => values.push(value),
                    Some(_) => {}
                    None => bail!(
                        "{name}:{}: field {} ({label}): {field:?} is no number",
                        number + 1,
                        n + 1
                    ),
                }
            }
            let found = line.split(',').count();
            if found != columns.len() || values.len() - before != found {
                bail!(
                    "{name}:{}: {found} fields, expected {} as in the first line",
                    number + 1,
                    columns.len()
                );
            }
        }
        Ok(Table { columns, values })
    }

    pub(super) fn rows(&self) -> usize {
        self.values.len() / self.columns.len()
    }

    /// The columns of an input, by component.
    fn find(&self, input: &Input) -> [Option<usize>; 4] {
        let at = |name: Name, component| {
            let mut columns = self.columns.iter();
            columns.position(|column| *column == (name, component))
        };
        [0, 1, 2, 3].map(|component| {
            let named = input.semantic.and_then(|(usage, index)| {
                let of = |usage| at(Name::Semantic(usage, index), component);
                of(usage).or_else(|| of(twin(usage)))
            });
            named.or_else(|| at(Name::Register(input.place), component))
        })
    }

    pub(super) fn has(&self, input: &Input) -> bool {
        self.find(input).iter().any(Option::is_some)
    }

    /// Fills a register; components without a column are those of (0, 0, 0, 1).
    pub(super) fn fill(&self, input: &Input, first: usize, count: usize, to: &mut GroupRegister) {
        let rows = self.values.chunks_exact(self.columns.len()).skip(first);
        let columns = self.find(input);
        for (lane, row) in rows.take(count).enumerate() {
            for component in input.mask.components() {
                let missing = if component == 3 { 1.0 } else { 0.0 };
                to[component][lane] = columns[component].map_or(missing, |column| row[column]);
            }
        }
    }
}

/// A number; infinity only where the text says so, and not for what is too large.
pub(super) fn parse_number(text: &str) -> Option<f32> {
    let value: f32 = text.parse().ok()?;
    let named = || text.bytes().all(|b| !b.is_ascii_digit());
    (!value.is_infinite() || named()).then_some(value)
}

/// `position.x`, `texcoord1.y`, `v0.w`; a name alone is its x.
fn column(field: &str) -> Option<(Name, usize)> {
    let (name, component) = field.split_once('.').unwrap_or((field, "x"));
    let component = match component {
        "x" | "r" | "X" | "R" => 0,
        "y" | "g" | "Y" | "G" => 1,
        "z" | "b" | "Z" | "B" => 2,
        "w" | "a" | "W" | "A" => 3,
        _ => return None,
    };
    let register = name.strip_prefix(['v', 'V']).and_then(|n| n.parse().ok());
    let name = match register.filter(|n| *n < 16) {
        Some(register) => Name::Register(register),
        None => parse_semantic(name).map(|(usage, index)| Name::Semantic(usage, index))?,
    };
    Some((name, component))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_name_line_and_field() {
        for (text, expected) in [
            (
                "",
                "f: expected a first line with names of columns such as position.x",
            ),
            (
                "position.x,what.y\n",
                "f:1: \"what.y\" is no name of a column such as position.x, texcoord1.y or v0.x",
            ),
            (
                "v16.x\n",
                "f:1: \"v16.x\" is no name of a column such as position.x, texcoord1.y or v0.x",
            ),
            (
                "position.q\n",
                "f:1: \"position.q\" is no name of a column such as position.x, texcoord1.y or v0.x",
            ),
            ("v0.x,v0.r\n", "f:1: v0.r is there twice"),
            (
                "# c\nv0.x, v0.y\n\n1,2\n3,4x\n",
                "f:5: field 2 (v0.y): \"4x\" is no number",
            ),
            (
                "v0.x\n-1e39\n",
                "f:2: field 1 (v0.x): \"-1e39\" is no number",
            ),
            (
                "v0.x,v0.y\n1\n",
                "f:2: 1 fields, expected 2 as in the first line",
            ),
            (
                "v0.x,v0.y\n1,2,3\n",
                "f:2: 3 fields, expected 2 as in the first line",
            ),
        ] {
            let error = Table::parse(text, "f").expect_err(text);
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn spaces_comments_and_unusual_numbers_are_read() {
        let text = "\u{FEFF}# two\r\nPosition.X , color1.a\r\n -inf , 1e3\r\nNaN,-0\r\n";
        let table = Table::parse(text, "f").unwrap();
        assert_eq!(table.rows(), 2);
        assert_eq!(table.values[..2], [f32::NEG_INFINITY, 1000.0]);
        assert!(table.values[2].is_nan() && table.values[3].is_sign_negative());
        assert_eq!(
            table.columns,
            [
                (Name::Semantic(Usage::Position, 0), 0),
                (Name::Semantic(Usage::Color, 1), 3)
            ]
        );
    }
}
