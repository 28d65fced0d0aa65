//! Case files: what `tests/cases/README.md` describes, read.

use ninefold_shader::{
    CompareFunc, FloatRules, Fog, FogCurve, FogDepth, Options, SamplerKind, SamplerRules,
};
use std::collections::{BTreeMap, BTreeSet};

/// A texture a case asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Picture {
    Grid,
    Cube,
    Volume,
    /// One texel, in a colour that depends on the sampler's number.
    #[allow(dead_code)]
    Plain(SamplerKind),
}

impl Picture {
    pub(crate) fn kind(self) -> SamplerKind {
        match self {
            Picture::Grid => SamplerKind::D2,
            Picture::Cube => SamplerKind::Cube,
            Picture::Volume => SamplerKind::Volume,
            Picture::Plain(kind) => kind,
        }
    }
}

/// What goes into one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    pub(crate) constants: BTreeMap<usize, [f32; 4]>,
    pub(crate) ints: BTreeMap<usize, [i32; 4]>,
    /// `b0` to `b31`.
    pub(crate) bools: u32,
    /// Those of `b32` and up that are true.
    pub(crate) wide_bools: BTreeSet<usize>,
    pub(crate) v: BTreeMap<usize, [f32; 4]>,
    pub(crate) t: BTreeMap<usize, [f32; 4]>,
    /// Varyings by location; they go before `v`, `t` and `fog`.
    pub(crate) varyings: BTreeMap<u32, [f32; 4]>,
    pub(crate) fog: f32,
    pub(crate) bump: BTreeMap<usize, [f32; 4]>,
    pub(crate) luminance: BTreeMap<usize, [f32; 4]>,
    /// User clip planes, in clip space.
    pub(crate) clip: BTreeMap<usize, [f32; 4]>,
    /// `D3DRS_POINTSIZE`.
    pub(crate) size: f32,
    pub(crate) alpha_ref: f32,
    pub(crate) fog_color: [f32; 4],
    pub(crate) fog_params: [f32; 4],
}

/// What must come out of one run.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    /// The output of this name; `None` accepts any component.
    Value(String, [Option<f32>; 4]),
    Killed,
    Refused(String),
}

/// One run.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) line: usize,
    pub(crate) inputs: Inputs,
    pub(crate) expected: Expected,
}

/// A case file.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) text: String,
    pub(crate) options: Options,
    pub(crate) textures: BTreeMap<usize, Picture>,
    pub(crate) within: f32,
    /// Who runs the file; everyone when empty.
    pub(crate) runners: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

impl Case {
    /// Reads a case file, or says what is wrong in which line.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut case = Case {
            text: text.to_owned(),
            options: Options::default(),
            textures: BTreeMap::new(),
            within: 1e-5,
            runners: Vec::new(),
            rows: Vec::new(),
        };
        let mut inputs = Inputs::default();
        inputs.constants.insert(255, [0.0, 0.0, 0.5, 1.0]);
        for (number, line) in (1..).zip(text.lines()) {
            let Some(comment) = line.trim().strip_prefix(';') else {
                break;
            };
            let wrong = |what: &str| format!("line {number}: {what}: {line}");
            let expected = if comment.trim() == "killed" {
                Some(Expected::Killed)
            } else {
                let Some((name, value)) = comment.split_once('=') else {
                    continue;
                };
                let name = name.trim();
                if name.contains(' ') {
                    continue;
                }
                case.directive(&mut inputs, name, value.trim())
                    .map_err(|what| wrong(&what))?
            };
            if let Some(expected) = expected {
                case.rows.push(Row {
                    line: number,
                    inputs: inputs.clone(),
                    expected,
                });
            }
        }
        match case.rows.is_empty() {
            true => Err("no expectation".into()),
            false => Ok(case),
        }
    }

    /// Whether `runner` is to run the file.
    pub(crate) fn runs_on(&self, runner: &str) -> bool {
        self.runners.is_empty() || self.runners.iter().any(|name| name == runner)
    }

    fn directive(
        &mut self,
        inputs: &mut Inputs,
        name: &str,
        value: &str,
    ) -> Result<Option<Expected>, String> {
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let prefix = &name[..name.len() - digits.len()];
        let index = digits.parse::<usize>().unwrap_or(0);
        match prefix {
            "c" => drop(inputs.constants.insert(index, vector(value)?)),
            "i" => drop(inputs.ints.insert(index, vector(value)?.map(|v| v as i32))),
            "b" if index > 31 => match value {
                "0" => drop(inputs.wide_bools.remove(&index)),
                _ => drop(inputs.wide_bools.insert(index)),
            },
            "b" => {
                inputs.bools &= !(1 << index);
                inputs.bools |= u32::from(value != "0") << index;
            }
            "v" => drop(inputs.v.insert(index, vector(value)?)),
            "t" => drop(inputs.t.insert(index, vector(value)?)),
            "in" => drop(inputs.varyings.insert(
                ninefold_shader::abi::LINKED_LOCATION + index as u32,
                vector(value)?,
            )),
            "clip" => {
                self.options.clip_planes |= 1 << index;
                inputs.clip.insert(index, vector(value)?);
            }
            "size" => inputs.size = number(value)?,
            "link" => {
                for word in value.split_whitespace() {
                    self.link(index, word)?;
                }
            }
            "fog" => inputs.fog = number(value)?,
            "bump" => drop(inputs.bump.insert(index, vector(value)?)),
            "luminance" => drop(inputs.luminance.insert(index, vector(value)?)),
            "alpha_ref" => inputs.alpha_ref = number(value)?,
            "fog_color" => inputs.fog_color = vector(value)?,
            "fog_params" => inputs.fog_params = vector(value)?,
            "within" => self.within = number(value)?,
            "run" => {
                for word in value.split_whitespace() {
                    match word {
                        "exec" | "gpu" | "msl" => self.runners.push(word.to_owned()),
                        _ => return Err("unknown runner".into()),
                    }
                }
            }
            "border" => {
                let mut words = value.split_whitespace();
                let axes = words.next().unwrap_or_default();
                let rules = &mut self.options.samplers[index];
                for (bit, axis) in ["u", "v", "w"].into_iter().enumerate() {
                    rules.address |=
                        (SamplerRules::BORDER_U * u8::from(axes.contains(axis))) << bit;
                }
                let color = words.next().and_then(|word| word.strip_prefix("0x"));
                let color = u32::from_str_radix(color.unwrap_or_default(), 16);
                rules.border_color = color.map_err(|e| e.to_string())?;
                if words.next() == Some("linear") {
                    rules.address |= SamplerRules::BORDER_LINEAR;
                }
            }
            // Which versions the text is a case for: whoever lists the files exchanges them.
            "versions" => {}
            "tex" => {
                let picture = match value {
                    "grid" => Picture::Grid,
                    "cube" => Picture::Cube,
                    "volume" => Picture::Volume,
                    _ => return Err("unknown texture".into()),
                };
                self.textures.insert(index, picture);
                self.options.sampler_kinds[index] = Some(picture.kind());
            }
            "options" => {
                for word in value.split_whitespace() {
                    self.option(word)?;
                }
            }
            "refused" => return Ok(Some(Expected::Refused(value.into()))),
            "out" | "oC" | "oD" | "oT" | "oFog" | "oPts" | "linked" | "depth" => {
                return Ok(Some(Expected::Value(name.into(), expectation(value)?)));
            }
            _ => return Err("unknown directive".into()),
        }
        Ok(None)
    }

    /// `word` is a semantic such as `normal3`, with or without a mask such as `.xy`.
    fn link(&mut self, register: usize, word: &str) -> Result<(), String> {
        let (semantic, mask) = word.split_once('.').unwrap_or((word, "xyzw"));
        let name = semantic.trim_end_matches(|c: char| c.is_ascii_digit());
        let index = semantic[name.len()..].parse().unwrap_or(0);
        let mut usages = ninefold_shader::Usage::ALL.into_iter();
        let usage = usages.find(|usage| usage.name() == name);
        let usage = usage.ok_or("unknown usage")?;
        for (component, letter) in ["x", "y", "z", "w"].into_iter().enumerate() {
            if mask.contains(letter) {
                self.options.link.set(register, component, usage, index);
            }
        }
        Ok(())
    }

    fn option(&mut self, word: &str) -> Result<(), String> {
        let options = &mut self.options;
        if let Some(func) = word.strip_prefix("alpha_") {
            options.alpha_func = match func {
                "never" => CompareFunc::Never,
                "less" => CompareFunc::Less,
                "equal" => CompareFunc::Equal,
                "lessequal" => CompareFunc::LessEqual,
                "greater" => CompareFunc::Greater,
                "notequal" => CompareFunc::NotEqual,
                "greaterequal" => CompareFunc::GreaterEqual,
                "always" => CompareFunc::Always,
                _ => return Err("unknown comparison".into()),
            };
            return Ok(());
        }
        if let Some(stage) = word.strip_prefix("projected") {
            let (stage, by) = stage.split_once("by").unwrap_or((stage, "3"));
            let stage = stage.parse::<usize>().map_err(|e| e.to_string())?;
            options.projected |= 1 << stage;
            options.projected_by[stage] = by.parse::<u8>().map_err(|e| e.to_string())?;
            return Ok(());
        }
        for (prefix, mask) in [
            ("opaque", &mut options.opaque_outputs),
            ("srgb", &mut options.srgb_outputs),
        ] {
            if let Some(output) = word.strip_prefix(prefix) {
                *mask |= 1 << output.parse::<u32>().map_err(|e| e.to_string())?;
                return Ok(());
            }
        }
        if let Some(sampler) = word.strip_prefix("mirror_once") {
            let sampler = sampler.parse::<usize>().map_err(|e| e.to_string())?;
            options.samplers[sampler].address |= SamplerRules::MIRROR;
            return Ok(());
        }
        if let Some(location) = word.strip_prefix("missing") {
            options.missing_inputs |= 1 << location.parse::<u32>().map_err(|e| e.to_string())?;
            return Ok(());
        }
        use FogCurve::{Exp, Exp2, Linear};
        use FogDepth::{W, Z};
        match word {
            "ieee" => options.float_rules = FloatRules::Ieee,
            "point_sprite" => options.point_sprite = true,
            "point_size" => options.point_size = true,
            "flat" => options.flat_shading = true,
            "fog_vertex" => options.fog = Fog::Vertex,
            "fog_linear_z" => options.fog = Fog::Table(Linear, Z),
            "fog_linear_w" => options.fog = Fog::Table(Linear, W),
            "fog_exp_z" => options.fog = Fog::Table(Exp, Z),
            "fog_exp_w" => options.fog = Fog::Table(Exp, W),
            "fog_exp2_z" => options.fog = Fog::Table(Exp2, Z),
            "fog_exp2_w" => options.fog = Fog::Table(Exp2, W),
            "fog_linear_vertex" => options.fog = Fog::Table(Linear, FogDepth::Vertex),
            "fog_exp_vertex" => options.fog = Fog::Table(Exp, FogDepth::Vertex),
            "fog_exp2_vertex" => options.fog = Fog::Table(Exp2, FogDepth::Vertex),
            _ => return Err("unknown option".into()),
        }
        Ok(())
    }
}

fn number(word: &str) -> Result<f32, String> {
    Ok(match word {
        "inf" => f32::INFINITY,
        "-inf" => f32::NEG_INFINITY,
        "nan" => f32::NAN,
        "max" => f32::MAX,
        "-max" => f32::MIN,
        word => word.parse().map_err(|_| format!("not a number: {word}"))?,
    })
}

fn vector(value: &str) -> Result<[f32; 4], String> {
    let words: Vec<f32> = value
        .split_whitespace()
        .map(number)
        .collect::<Result<_, _>>()?;
    Ok(match words[..] {
        [x] => [x; 4],
        [x, y] => [x, y, 0.0, 1.0],
        [x, y, z] => [x, y, z, 1.0],
        [x, y, z, w] => [x, y, z, w],
        _ => return Err("1 to 4 numbers expected".into()),
    })
}

fn expectation(value: &str) -> Result<[Option<f32>; 4], String> {
    let words: Vec<Option<f32>> = value
        .split_whitespace()
        .map(|word| match word {
            "*" => Ok(None),
            word => number(word).map(Some),
        })
        .collect::<Result<_, _>>()?;
    match words[..] {
        [x] => Ok([x; 4]),
        [x, y, z, w] => Ok([x, y, z, w]),
        _ => Err("1 or 4 numbers expected".into()),
    }
}
