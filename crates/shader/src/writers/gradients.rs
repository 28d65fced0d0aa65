//! Gradients in MSL, which has a type of them for each kind of texture: naga writes the one of 2D
//! textures for all.

const FLAT: &str = "metal::gradient2d(";

/// The text with each gradient of a type that its texture's `sample` takes.
pub(super) fn typed(text: String) -> String {
    if !text.contains(FLAT) || !(text.contains(VOLUME) || text.contains(CUBE)) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 64);
    let mut written = 0;
    for (at, _) in text.match_indices(FLAT) {
        let name = match texture_of(&text[..at]).map(|image| kind(&text, image)) {
            Some(Kind::Volume) => "metal::gradient3d(",
            Some(Kind::Cube) => "metal::gradientcube(",
            Some(Kind::Flat) | None => continue,
        };
        out.push_str(&text[written..at]);
        out.push_str(name);
        written = at + FLAT.len();
    }
    out.push_str(&text[written..]);
    out
}

const VOLUME: &str = "metal::texture3d<";
const CUBE: &str = "metal::texturecube<";

#[derive(Clone, Copy)]
enum Kind {
    Flat,
    Volume,
    Cube,
}

/// The name before the `.sample(` whose arguments `before` ends in.
fn texture_of(before: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let open = before.char_indices().rev().find_map(|(at, c)| {
        match c {
            ')' => depth += 1,
            '(' if depth == 0 => return Some(at),
            '(' => depth -= 1,
            _ => {}
        }
        None
    })?;
    let image = before[..open].strip_suffix(".sample")?;
    let start = image
        .rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .map_or(0, |last| last + 1);
    Some(&image[start..])
}

/// What a texture is declared as.
fn kind(text: &str, image: &str) -> Kind {
    let declared = |class: &str| {
        text.match_indices(class).any(|(at, _)| {
            let rest = &text[at..];
            rest.find("> ")
                .and_then(|end| rest[end + 2..].strip_prefix(image))
                .and_then(|after| after.chars().next())
                .is_some_and(|next| !(next.is_ascii_alphanumeric() || next == '_'))
        })
    };
    if declared(VOLUME) {
        Kind::Volume
    } else if declared(CUBE) {
        Kind::Cube
    } else {
        Kind::Flat
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_texture_takes_its_own_gradients() {
        let text = "fragment f(metal::texture2d<float, metal::access::sample> a [[texture(0)]]\n\
            , metal::texture3d<float, metal::access::sample> a_1 [[texture(1)]]\n\
            , metal::texturecube<float, metal::access::sample> c [[texture(2)]]) {\n\
            v = a.sample(s, f(x), metal::gradient2d(p, q));\n\
            w = a_1.sample(s, g(h(x), (y)), metal::gradient2d(p, q)) + c.sample(s, x, metal::gradient2d(p, q));\n}";
        let typed = typed(text.into());
        assert!(typed.contains("a.sample(s, f(x), metal::gradient2d(p, q))"));
        assert!(typed.contains("a_1.sample(s, g(h(x), (y)), metal::gradient3d(p, q))"));
        assert!(typed.contains("c.sample(s, x, metal::gradientcube(p, q))"));
    }
}
