//! What a vertex shader wrote, as a table, text with commas, JSON or numbers.

use std::fmt::Write;

use anyhow::Result;
use ninefold_bytecode::Usage;
use ninefold_exec::{Group, Output, Program};
use serde_json::{Map, Value, json};

use super::Format;
use super::elements::semantic_name;

/// One number of an output.
struct Column {
    name: String,
    place: usize,
    component: usize,
}

/// The results of a run, vertex by vertex.
pub(super) struct Results {
    format: Format,
    outputs: Vec<(String, Output)>,
    columns: Vec<Column>,
    /// Number of the first vertex.
    first: usize,
    count: usize,
    values: Vec<f32>,
}

impl Results {
    pub(super) fn new(program: &Program, format: Format, first: usize, count: usize) -> Self {
        let mut outputs = Vec::new();
        let mut columns = Vec::new();
        for output in program.outputs() {
            let (usage, index) = output.semantic;
            let name = semantic_name(usage, index);
            let scalar = matches!(usage, Usage::Fog | Usage::PSize);
            for (n, component) in output.written.components().enumerate() {
                // Of scalars the first component counts.
                if scalar && n > 0 {
                    continue;
                }
                let letter = ["x", "y", "z", "w"][component & 3];
                columns.push(Column {
                    name: match scalar {
                        true => name.clone(),
                        false => format!("{name}.{letter}"),
                    },
                    place: output.place.into(),
                    component: component & 3,
                });
            }
            outputs.push((name, *output));
        }
        let values = Vec::with_capacity((count * columns.len()).min(1 << 24));
        Results {
            format,
            outputs,
            columns,
            first,
            count: 0,
            values,
        }
    }

    /// Takes in `count` vertices that have run.
    pub(super) fn add(&mut self, group: &Group<'_>, count: usize) {
        self.count += count;
        for vertex in 0..count {
            for column in &self.columns {
                let value = group.with_output(column.place, |r| r[column.component][vertex]);
                self.values.push(value);
            }
        }
    }

    fn rows(&self) -> impl Iterator<Item = (usize, &[f32])> {
        let width = self.columns.len();
        let row = move |n: usize| &self.values[n * width..(n + 1) * width];
        (0..self.count).map(move |n| (self.first + n, row(n)))
    }

    /// All of it, as it is to be written.
    pub(super) fn finish(self) -> Result<Vec<u8>> {
        Ok(match self.format {
            Format::Bin => self.values.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Format::Csv => self.csv().into_bytes(),
            Format::Json => {
                let mut text = serde_json::to_string_pretty(&self.json())?;
                text.push('\n');
                text.into_bytes()
            }
            Format::Table => self.table().into_bytes(),
        })
    }

    fn csv(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|c| c.name.as_str()).collect();
        let mut out = names.join(",") + "\n";
        for (_, row) in self.rows() {
            let fields: Vec<String> = row.iter().map(f32::to_string).collect();
            out.push_str(&fields.join(","));
            out.push('\n');
        }
        out
    }

    /// Vertices with their outputs by name; null for components that are never written.
    fn json(&self) -> Value {
        let vertex = |(number, row): (usize, &[f32])| {
            let mut outputs = Map::new();
            for (name, output) in &self.outputs {
                let at = |component| {
                    let place = usize::from(output.place);
                    let mut columns = self.columns.iter();
                    columns.position(|c| (c.place, c.component) == (place, component))
                };
                let values: Vec<Value> = output
                    .mask
                    .components()
                    .map(|component| {
                        let written = output.written.components().any(|c| c == component);
                        let column = at(component).filter(|_| written);
                        column.map_or(Value::Null, |column| number_value(row[column]))
                    })
                    .collect();
                let scalar = matches!(output.semantic.0, Usage::Fog | Usage::PSize);
                let first = values.iter().find(|value| !value.is_null());
                let value = match scalar {
                    true => first.cloned().unwrap_or(Value::Null),
                    false => Value::Array(values),
                };
                outputs.insert(name.clone(), value);
            }
            json!({ "vertex": number, "outputs": outputs })
        };
        Value::Array(self.rows().map(vertex).collect())
    }

    fn table(&self) -> String {
        let shown = |x: &f32| match x.is_finite() && x.abs() < 1e9 && (x.abs() >= 1e-4 || *x == 0.0)
        {
            true => format!("{x}"),
            false => format!("{x:e}"),
        };
        let rows: Vec<(usize, Vec<String>)> = self
            .rows()
            .map(|(number, row)| (number, row.iter().map(shown).collect()))
            .collect();
        let width = |n: usize, name: &str| {
            let cells = rows.iter().map(|(_, row)| row[n].len());
            cells.max().unwrap_or(0).max(name.len())
        };
        let columns = self.columns.iter().enumerate();
        let widths: Vec<usize> = columns.map(|(n, c)| width(n, &c.name)).collect();
        let mut out = "vertex".to_owned();
        for (column, width) in self.columns.iter().zip(&widths) {
            let _ = write!(out, "  {:>width$}", column.name);
        }
        out.push('\n');
        for (number, row) in &rows {
            let _ = write!(out, "{number:>6}");
            for (cell, width) in row.iter().zip(&widths) {
                let _ = write!(out, "  {cell:>width$}");
            }
            out.push('\n');
        }
        out
    }
}

/// A number; as text where JSON has none.
fn number_value(x: f32) -> Value {
    match x.is_finite() {
        // The shortest decimal that is this number, not its 64-bit neighbour's.
        true => x
            .to_string()
            .parse::<f64>()
            .ok()
            .and_then(serde_json::Number::from_f64)
            .map_or(Value::Null, Value::Number),
        false => Value::String(x.to_string()),
    }
}
