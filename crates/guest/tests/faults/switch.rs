//! Makes faults of a source text switches.

/// A fault of a file.
pub(crate) struct Planted<'a> {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// Begins the item that it is in; the text occurs once in the file.
    pub(crate) block: &'a str,
    /// The text that it replaces, or a text with that between « and ». It occurs once in
    /// the item.
    pub(crate) was: &'a str,
    /// What it replaces it with.
    pub(crate) becomes: &'a str,
}

/// A text without white space and comments.
struct Dense {
    text: String,
    /// Where each byte was.
    places: Vec<usize>,
}

impl Dense {
    fn new(source: &str) -> Self {
        let mut dense = Self {
            text: String::new(),
            places: Vec::new(),
        };
        let mut start = 0;
        for line in source.split_inclusive('\n') {
            let code = line.split("//").next().unwrap_or_default();
            for (at, character) in code.char_indices() {
                if !character.is_whitespace() {
                    dense.text.push(character);
                    let bytes = start + at..start + at + character.len_utf8();
                    dense.places.extend(bytes);
                }
            }
            start += line.len();
        }
        dense
    }

    /// The only place of a text from `from` to `to`.
    fn find(&self, text: &str, from: usize, to: usize) -> Result<usize, String> {
        let mut found = self.text[from..to].match_indices(text);
        match (found.next(), found.next()) {
            (Some((at, _)), None) => Ok(from + at),
            (None, _) => Err("does not occur".to_owned()),
            _ => Err("occurs more than once".to_owned()),
        }
    }

    /// Where the item that a text begins ends.
    fn block(&self, text: &str) -> Result<(usize, usize), String> {
        let start = self.find(text, 0, self.text.len())?;
        let mut depth = 0;
        for (at, character) in self.text[start..].char_indices() {
            match character {
                '{' => depth += 1,
                '}' if depth == 1 => return Ok((start, start + at)),
                '}' => depth -= 1,
                _ => {}
            }
        }
        Err("has no end".to_owned())
    }
}

/// A text of the source with its faults.
struct Spot<'a> {
    start: usize,
    end: usize,
    faults: Vec<(usize, &'a str)>,
}

/// The source with the faults as switches: `if` is on `fault::is_on(number)`.
pub(crate) fn plant(source: &str, faults: &[Planted<'_>]) -> Result<String, String> {
    let dense = Dense::new(source);
    let mut spots: Vec<Spot<'_>> = Vec::new();
    let mut errors = Vec::new();
    for fault in faults {
        let (start, end) = match locate(&dense, fault) {
            Ok(range) => range,
            Err(error) => {
                errors.push(format!("{} in {}: {error}", fault.was, fault.block));
                continue;
            }
        };
        let entry = (fault.number, fault.becomes);
        match spots.iter_mut().find(|s| (s.start, s.end) == (start, end)) {
            Some(spot) => spot.faults.push(entry),
            None => spots.push(Spot {
                start,
                end,
                faults: vec![entry],
            }),
        }
    }
    spots.sort_by_key(|spot| (spot.start, std::cmp::Reverse(spot.end)));
    for (index, outer) in spots.iter().enumerate() {
        let mut inner = spots[index + 1..]
            .iter()
            .take_while(|s| s.start < outer.end);
        if let Some(across) = inner.find(|s| s.end > outer.end) {
            let [a, b] = [outer, across].map(|s| &source[s.start..s.end]);
            errors.push(format!("{a} overlaps {b}"));
        }
    }
    if !errors.is_empty() {
        return Err(errors.join("\n"));
    }
    let mut text = String::new();
    write(source, 0, source.len(), &spots, &mut text);
    Ok(text)
}

/// The bytes that a fault replaces.
fn locate(dense: &Dense, fault: &Planted<'_>) -> Result<(usize, usize), String> {
    let block = Dense::new(fault.block).text;
    let (from, to) = dense.block(&block)?;
    let was = Dense::new(fault.was).text;
    let (before, rest) = was.split_once('«').unwrap_or(("", &was));
    let (marked, after) = rest.split_once('»').unwrap_or((rest, ""));
    if Dense::new(fault.becomes).text == marked {
        return Err("is no fault".to_owned());
    }
    let at = dense.find(&format!("{before}{marked}{after}"), from, to)? + before.len();
    let end = at + marked.len() - 1;
    Ok((dense.places[at], dense.places[end] + 1))
}

/// Appends a part of the source with the spots in it.
fn write(source: &str, from: usize, to: usize, mut spots: &[Spot<'_>], text: &mut String) {
    let mut at = from;
    while let Some((spot, rest)) = spots.split_first() {
        let inner = rest.iter().take_while(|s| s.start < spot.end).count();
        let (inner, outer) = rest.split_at(inner);
        text.push_str(&source[at..spot.start]);
        let is_statement = source[..spot.end].ends_with([';', '}']);
        if !is_statement {
            text.push('(');
        }
        for (number, becomes) in &spot.faults {
            text.push_str(&format!(
                "if crate::fault::is_on({number}) {{ {becomes} }} else "
            ));
        }
        text.push_str("{ ");
        write(source, spot.start, spot.end, inner, text);
        text.push_str(" }");
        if !is_statement {
            text.push(')');
        }
        at = spot.end;
        spots = outer;
    }
    text.push_str(&source[at..to]);
}

#[test]
fn faults_become_switches() {
    let source = "fn a() { b(1); }\nfn b(c: u32) {\n    d(e - 8, // f\n      g);\n    h = c;\n}\n";
    let fault = |number, was, becomes| Planted {
        number,
        block: "fn b(",
        was,
        becomes,
    };
    let planted = plant(
        source,
        &[
            fault(1, "d(«e - 8», g)", "e - 4"),
            fault(2, "d(e - 8, g);", ""),
            fault(3, "h = «c»;", "0"),
            fault(4, "h = «c»;", "1"),
        ],
    );
    assert_eq!(
        planted.unwrap(),
        "fn a() { b(1); }\nfn b(c: u32) {\n    \
         if crate::fault::is_on(2) {  } else { d((if crate::fault::is_on(1) { e - 4 } else { e - 8 }), // f\n      g); }\n    \
         h = (if crate::fault::is_on(3) { 0 } else if crate::fault::is_on(4) { 1 } else { c });\n}\n"
    );
    for (was, error) in [
        ("i", "does not occur"),
        ("c", "occurs more than once"),
        ("e - «8», g); h», 4", "occur"),
        ("«e - 8», g", "is no fault"),
    ] {
        let becomes = if error == "is no fault" { "e-8" } else { "4" };
        let refused = plant(source, &[fault(1, was, becomes)]).unwrap_err();
        assert!(refused.contains(error), "{refused}");
    }
    let across = [fault(1, "e - 8, g", ""), fault(2, "d(e", "")];
    assert!(
        plant(source, &across)
            .unwrap_err()
            .contains("d(e overlaps e - 8")
    );
}
