//! The C++ that calls one MSL function: each argument and each result by its attribute.

use std::fmt::Write;

/// What stands in `[[...]]` after a declaration, before any comma.
fn attribute(line: &str) -> Option<(&str, &str, Option<usize>)> {
    let (declaration, rest) = line.split_once(" [[")?;
    let attribute = rest.split([']', ',']).next()?;
    let (name, number) = match attribute.split_once('(') {
        Some((name, number)) => (name, number.trim_end_matches(')')),
        None => (attribute, ""),
    };
    let number = number.trim_start_matches("loc").parse().ok();
    Some((declaration.trim().trim_start_matches(", "), name, number))
}

/// The lines between `start` and the next line that is `end`.
fn lines_between<'a>(text: &'a str, start: &str, end: &str) -> Option<Vec<&'a str>> {
    let at = text.find(start)? + start.len();
    let lines = text[at..].lines();
    Some(lines.take_while(|line| line.trim() != end).collect())
}

/// Type and name of a declaration such as `metal::float4 v0_`.
fn type_and_name(declaration: &str) -> (&str, &str) {
    declaration.rsplit_once(' ').unwrap_or(("", declaration))
}

/// What a text's slots hold.
pub(crate) struct Places {
    /// By buffer slot: the member of the request.
    pub(crate) buffers: &'static [&'static str],
    /// By texture and sampler slot: the sampler register.
    pub(crate) samplers: Vec<u8>,
}

/// `static void run(request, answer)` of the function `entry` in `text`.
pub(crate) fn caller(entry: &str, text: &str, places: &Places) -> Result<String, String> {
    let mut body = String::new();
    let mut arguments = Vec::new();
    let signature = lines_between(text, &format!(" {entry}(\n"), ") {")
        .ok_or("no signature of the function")?;
    for line in signature.iter().filter(|line| !line.trim().is_empty()) {
        let (declaration, kind, number) = attribute(line).ok_or_else(|| format!("{line}?"))?;
        let (ty, name) = type_and_name(declaration);
        match (kind, number) {
            ("stage_in", _) => {
                let _ = writeln!(body, "  {ty} {name}{{}};");
                let members = lines_between(text, &format!("struct {ty} {{\n"), "};");
                for member in members.ok_or("no struct of inputs")? {
                    let (declaration, _, number) =
                        attribute(member).ok_or_else(|| format!("{member}?"))?;
                    let number = number.ok_or_else(|| format!("{member}: no location"))?;
                    let member = type_and_name(declaration).1;
                    let _ = writeln!(body, "  {name}.{member} = load(in.values[{number}]);");
                }
                arguments.push(name.to_owned());
            }
            ("buffer", Some(slot)) => {
                let ty = ty.trim_start_matches("constant ").trim_end_matches('&');
                let ty = ty.trim_start_matches("device ").trim_end_matches(" const");
                let from = places.buffers.get(slot);
                let from = from.ok_or_else(|| format!("nothing is bound there: {line}"))?;
                arguments.push(format!("*reinterpret_cast<const {ty}*>(in.{from})"));
            }
            ("texture" | "sampler", Some(slot)) => {
                let register = places.samplers.get(slot);
                let register = register.ok_or_else(|| format!("nothing is bound there: {line}"))?;
                let _ = writeln!(body, "  {ty} {name}; {name}.slot = {register};");
                arguments.push(name.to_owned());
            }
            ("position", _) => arguments.push("load(in.position)".into()),
            ("front_facing", _) => arguments.push("true".into()),
            ("point_coord", _) => arguments.push("metal::float2{0.5f, 0.5f}".into()),
            _ => return Err(format!("unknown argument: {line}")),
        }
    }
    let _ = writeln!(body, "  auto result = {entry}({});", arguments.join(", "));
    let before = text.split(&format!(" {entry}(\n")).next().unwrap_or("");
    let ty = before.rsplit([' ', '\n']).next().unwrap_or("");
    let output = format!("struct {ty} {{\n");
    for member in lines_between(text, &output, "};").ok_or("no struct of results")? {
        let Some((declaration, kind, number)) = attribute(member) else {
            continue;
        };
        let name = type_and_name(declaration).1;
        let to = match (kind, number) {
            ("color" | "user", Some(number)) => format!("values[{number}]"),
            ("position", _) => "position".into(),
            ("depth", _) => "depth".into(),
            ("point_size", _) => "point_size".into(),
            ("clip_distance", _) => continue,
            _ => return Err(format!("unknown result: {member}")),
        };
        let _ = writeln!(body, "  store(out.{to}, result.{name});");
    }
    Ok(format!(
        "static void run(const Request &in, Answer &out) {{\n{body}}}\n"
    ))
}
