//! Random programs whose arithmetic is exact.
//!
//! The registers `r0` to `r7`, the inputs and the constants hold multiples of 1/16
//! up to 16 in size at all times. Instructions that leave that set (a product, a sum,
//! a function) write `r10`, where one step of them is still exact in 24 bits, and then
//! the result goes to an output, into a comparison, or back into the set, rounded down
//! to 1/16 and clamped. So no rounding happens that two implementations could do
//! differently, in branches and loops too. Functions that are not exact only go to
//! outputs, which then are marked as loose.

use crate::numbers::Numbers;
use crate::rig::{INPUTS, OUTPUTS, Shape};
use std::fmt::Write;

/// The constant that generated programs use to round and clamp.
pub(crate) const HELPER: usize = 24;
pub(crate) const HELPER_VALUE: [f32; 4] = [16.0, 0.0625, -15.0, 15.0];

/// A program to run.
pub(crate) struct Sample {
    pub(crate) text: String,
    /// Output components that have a tolerance.
    pub(crate) loose: [[bool; 4]; OUTPUTS],
    pub(crate) shape: Shape,
    /// Inputs and constants are to be from -1 to 1.
    pub(crate) unit: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    One,
    Two,
    TwoX,
    Three,
}

struct Writer<'a> {
    numbers: &'a mut Numbers,
    text: String,
    vertex: bool,
    level: Level,
    shape: Shape,
    loose: [[bool; 4]; OUTPUTS],
    /// Loops open around here; aL has a value in those that count.
    loops: usize,
    counting: usize,
    depth: usize,
    /// Labels that may be called from here on, and how many there are.
    next_label: usize,
    labels: usize,
    /// Whether a0 and p0 have been written.
    address: bool,
    predicate: bool,
}

pub(crate) fn program(numbers: &mut Numbers, version: &'static str) -> Sample {
    let level = match &version[3..] {
        "1_1" => Level::One,
        "2_0" => Level::Two,
        "2_x" => Level::TwoX,
        _ => Level::Three,
    };
    let vertex = version.starts_with("vs");
    let square = version == "ps_3_0" && numbers.one_in(3);
    let mut writer = Writer {
        text: format!("{version}\n"),
        numbers,
        vertex,
        level,
        shape: if square { Shape::Square } else { Shape::Points },
        loose: [[false; 4]; OUTPUTS],
        loops: 0,
        counting: 0,
        depth: 0,
        next_label: 0,
        labels: 0,
        address: false,
        predicate: false,
    };
    writer.write();
    Sample {
        text: writer.text,
        loose: writer.loose,
        shape: writer.shape,
        unit: false,
    }
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    fn write(&mut self) {
        self.declare();
        let has_calls = self.level >= Level::TwoX || self.vertex && self.level == Level::Two;
        if has_calls {
            self.labels = self.numbers.below(3);
        }
        for n in 0..OUTPUTS {
            let output = self.output(n);
            if self.vertex || n == 0 || self.level > Level::One {
                self.line(&format!("mov {output}, c{n}"));
            }
        }
        for n in 0..8 {
            if !self.numbers.one_in(4) {
                let source = self.plain_source();
                self.line(&format!("mov r{n}, {source}"));
            }
        }
        if self.vertex || self.level >= Level::TwoX {
            self.set_up();
        }
        let count = 3 + self.numbers.below(12);
        self.block(count);
        let last = self.numbers.below(OUTPUTS);
        let output = self.output(last);
        self.line(&format!("mov {output}, r{}", last));
        self.loose[last] = [false; 4];
        if self.vertex {
            let position = if self.level == Level::Three {
                "o4"
            } else {
                "oPos"
            };
            self.line(&format!("mov {position}, v{INPUTS}"));
        }
        for label in 0..self.labels {
            self.line("ret");
            self.line(&format!("label l{label}"));
            (self.next_label, self.depth) = (label + 1, 1);
            let count = 1 + self.numbers.below(4);
            self.block(count);
            if label + 1 == self.labels {
                self.line("ret");
            }
        }
    }

    /// Gives a0 and p0 their first values.
    fn set_up(&mut self) {
        if self.vertex {
            self.write_address();
        }
        if self.level >= Level::TwoX {
            self.set_predicate();
        }
    }

    fn declare(&mut self) {
        match (self.vertex, self.level) {
            (true, level) => {
                self.line(&format!("dcl_position v{INPUTS}"));
                for n in 0..INPUTS {
                    self.line(&format!("dcl_texcoord{n} v{n}"));
                }
                if level == Level::Three {
                    for n in 0..OUTPUTS {
                        self.line(&format!("dcl_texcoord{n} o{n}"));
                    }
                    self.line("dcl_position o4");
                }
            }
            (false, Level::Three) if self.shape == Shape::Square => self.line("dcl vPos.xy"),
            (false, Level::Three) => {
                self.line("dcl_color0 v0");
                self.line("dcl_color1 v1");
                for n in 2..INPUTS {
                    self.line(&format!("dcl_texcoord{} v{n}", n - 2));
                }
            }
            (false, _) => {
                self.line("dcl v0");
                self.line("dcl v1");
                for n in 0..INPUTS - 2 {
                    self.line(&format!("dcl t{n}"));
                }
            }
        }
        if self.samplers() {
            self.line("dcl_2d s0");
            self.line("dcl_volume s3");
        }
        if self.numbers.one_in(2) {
            let values = self.exact_vector();
            self.line(&format!("def c3, {values}"));
        }
        if self.has_ints() && self.numbers.one_in(2) {
            let count = self.numbers.below(4);
            let start = self.numbers.below(6);
            self.line(&format!("defi i1, {count}, {start}, 1, 0"));
        }
        if self.has_ints() && self.numbers.one_in(3) {
            let value = ["true", "false"][self.numbers.below(2)];
            self.line(&format!("defb b2, {value}"));
        }
    }

    fn exact_vector(&mut self) -> String {
        let values = [(); 4].map(|()| self.numbers.below(513) as f32 / 16.0 - 16.0);
        let [x, y, z, w] = values;
        format!("{x}, {y}, {z}, {w}")
    }

    fn has_ints(&self) -> bool {
        self.level >= Level::TwoX || self.vertex && self.level == Level::Two
    }

    fn output(&self, n: usize) -> String {
        match (self.vertex, self.level) {
            (true, Level::Three) => format!("o{n}"),
            (true, _) => format!("oT{n}"),
            (false, _) => format!("oC{n}"),
        }
    }

    fn block(&mut self, count: usize) {
        for _ in 0..count {
            self.statement();
        }
    }

    fn statement(&mut self) {
        match self.numbers.below(20) {
            0..=6 => self.closed(),
            7..=11 => self.opened(),
            12 => self.inexact(),
            13 if self.samplers() => self.fetch(),
            14 if self.vertex => self.write_address(),
            15 if self.level >= Level::TwoX => self.set_predicate(),
            16..=17 if self.has_ints() && self.depth < 4 => self.branch(),
            18 if self.has_ints() && self.depth < 4 && self.loops < 2 => self.turns(),
            19 if self.next_label < self.labels => self.call(),
            14 if !self.vertex && self.numbers.one_in(3) => self.kill(),
            13 => self.inexact(),
            _ => self.closed(),
        }
    }

    /// A source without a relative address.
    fn plain_source(&mut self) -> String {
        let choice = self.numbers.below(3);
        if choice == 0 && self.shape == Shape::Square {
            return "vPos.xyxy".to_owned();
        }
        match (choice, self.vertex, self.level) {
            (0, true, _) | (0, _, Level::Three) => format!("v{}", self.numbers.below(INPUTS)),
            (0, ..) => {
                let n = self.numbers.below(INPUTS);
                if n < 2 {
                    format!("v{n}")
                } else {
                    format!("t{}", n - 2)
                }
            }
            (1, ..) => format!("c{}", self.numbers.below(16)),
            _ => format!("r{}", self.numbers.below(8)),
        }
    }

    /// The base of a source: a register name, perhaps relative.
    fn register(&mut self) -> String {
        if self.address && self.numbers.one_in(8) {
            let base = match self.numbers.one_in(4) {
                true => 248 + self.numbers.below(8),
                false => self.numbers.below(24),
            };
            if self.level == Level::Three && self.numbers.one_in(3) {
                return format!("v[a0.{}]", self.component());
            }
            let component = if self.level == Level::One {
                'x'
            } else {
                self.component()
            };
            return format!("c[a0.{component} + {base}]");
        }
        if self.counting > 0
            && self.numbers.one_in(4)
            && (self.vertex || self.level == Level::Three)
        {
            let inputs = self.level == Level::Three && self.shape == Shape::Points;
            if inputs && self.numbers.one_in(3) {
                return "v[aL]".to_owned();
            }
            return format!("c[aL + {}]", self.numbers.below(16));
        }
        let source = self.plain_source();
        source.trim_end_matches(".xyxy").to_owned()
    }

    fn component(&mut self) -> char {
        ['x', 'y', 'z', 'w'][self.numbers.below(4)]
    }

    fn swizzle(&mut self, register: &str) -> String {
        if register == "vPos" {
            return [".x", ".y", ".xyxy", ".yxxy"][self.numbers.below(4)].to_owned();
        }
        match self.numbers.below(3) {
            0 => String::new(),
            1 => format!(".{}", self.component()),
            _ if !self.vertex && self.level <= Level::Two => {
                [".yzxw", ".zxyw", ".wzyx"][self.numbers.below(3)].to_owned()
            }
            _ => {
                let lanes = [(); 4].map(|()| self.component());
                format!(".{}", String::from_iter(lanes))
            }
        }
    }

    fn modified(&mut self, register: &str, swizzle: &str) -> String {
        let minus = if self.numbers.one_in(4) { "-" } else { "" };
        let abs = match self.level == Level::Three && self.numbers.one_in(6) {
            true => "_abs",
            false => "",
        };
        // A suffix stands between the register and its swizzle.
        format!("{minus}{register}{abs}{swizzle}")
    }

    fn source(&mut self) -> String {
        let register = self.register();
        let swizzle = self.swizzle(&register);
        self.modified(&register, &swizzle)
    }

    fn scalar(&mut self) -> String {
        let register = self.register();
        let component = if register == "vPos" {
            'y'
        } else {
            self.component()
        };
        self.modified(&register, &format!(".{component}"))
    }

    fn mask(&mut self, of: &str) -> String {
        let picked: String = of.chars().filter(|_| self.numbers.below(3) > 0).collect();
        if picked.is_empty() || picked == "xyzw" {
            return if of == "xyzw" {
                String::new()
            } else {
                format!(".{of}")
            };
        }
        format!(".{picked}")
    }

    /// `(p0) `, or nothing.
    fn guard(&mut self) -> String {
        if !self.predicate || !self.numbers.one_in(4) {
            return String::new();
        }
        let not = if self.numbers.one_in(2) { "!" } else { "" };
        match self.numbers.one_in(2) {
            true => format!("({not}p0) "),
            false => format!("({not}p0.{}) ", self.component()),
        }
    }

    fn saturate(&mut self) -> &'static str {
        let may = !self.vertex || self.level == Level::Three;
        if may && self.numbers.one_in(8) {
            "_sat"
        } else {
            ""
        }
    }

    /// An instruction whose results stay in the set.
    fn closed(&mut self) {
        let (a, b, c) = (self.source(), self.source(), self.source());
        let mut ops = vec!["mov", "min", "max", "frc"];
        match self.vertex {
            true => ops.extend(["slt", "sge", "slt", "sge"]),
            false => ops.extend(["cmp", "cmp"]),
        }
        if self.level > Level::One {
            ops.push("abs");
            if self.vertex {
                ops.push("sgn");
            }
        }
        let op = self.numbers.pick(&ops);
        let operands = match op {
            "mov" | "frc" | "abs" => a,
            "sgn" if self.level == Level::Three => a,
            "sgn" => format!("{a}, r8, r9"),
            "cmp" => format!("{a}, {b}, {c}"),
            _ => format!("{a}, {b}"),
        };
        let (guard, saturate, mask) = (self.guard(), self.saturate(), self.mask("xyzw"));
        let relative_output = self.vertex && self.level == Level::Three && op == "mov";
        if relative_output && self.address && self.numbers.one_in(3) {
            let component = self.component();
            self.line(&format!("{guard}mov o[a0.{component}]{mask}, {operands}"));
            return;
        }
        let to = self.numbers.below(8);
        self.line(&format!("{guard}{op}{saturate} r{to}{mask}, {operands}"));
    }

    /// An instruction whose results leave the set, and what brings them back.
    fn opened(&mut self) {
        let (a, b, c) = (self.source(), self.source(), self.source());
        let mut ops = vec!["add", "mul", "mad", "dp3", "dp4", "sub"];
        if self.vertex {
            ops.push("dst");
        }
        if self.level > Level::One || !self.vertex {
            ops.push("lrp");
        }
        if self.vertex || self.level > Level::One {
            ops.extend(["m4x4", "m4x3", "m3x4", "m3x3", "m3x2"]);
        }
        if self.level > Level::One {
            ops.push("crs");
        }
        if !self.vertex {
            ops.push("dp2add");
        }
        if self.shape == Shape::Square {
            ops.extend(["dsx", "dsy", "dsx", "dsy"]);
        }
        let op = self.numbers.pick(&ops);
        let row = self.numbers.below(12);
        let components = match op {
            "m3x2" => "xy",
            "m4x3" | "m3x3" | "crs" => "xyz",
            _ => "xyzw",
        };
        let operands = match op {
            "mad" | "lrp" => format!("{a}, {b}, {c}"),
            "dp2add" => format!("{a}, {b}, {}", self.scalar()),
            "dsx" | "dsy" => self.plain_square_source(),
            _ if op.starts_with('m') && op.contains('x') => format!("{a}, c{row}"),
            _ => format!("{a}, {b}"),
        };
        let all = if components == "xyzw" {
            String::new()
        } else {
            format!(".{components}")
        };
        self.line(&format!("{op} r10{all}, {operands}"));
        let mask = self.mask(components);
        let guard = self.guard();
        match self.numbers.below(3) {
            0 => {
                let n = self.numbers.below(OUTPUTS);
                let output = self.output(n);
                self.line(&format!("{guard}mov {output}{mask}, r10"));
            }
            1 => self.compare_result(&guard, &mask),
            _ => self.bring_back(&guard, &mask),
        }
    }

    /// A source for derivatives, which all lanes must have computed alike.
    fn plain_square_source(&mut self) -> String {
        let swizzle = self.swizzle("vPos");
        format!("vPos{swizzle}")
    }

    fn compare_result(&mut self, guard: &str, mask: &str) {
        let to = self.numbers.below(8);
        let (a, b) = (self.plain_source(), self.plain_source());
        match self.vertex {
            true => self.line(&format!("{guard}slt r{to}{mask}, r10, {a}")),
            false => self.line(&format!("{guard}cmp r{to}{mask}, r10, {a}, {b}")),
        }
    }

    fn bring_back(&mut self, guard: &str, mask: &str) {
        let to = self.numbers.below(8);
        self.line(&format!("mul r10, r10, c{HELPER}.x"));
        self.line("frc r11, r10");
        self.line("add r10, r10, -r11");
        self.line(&format!("mul r10, r10, c{HELPER}.y"));
        self.line(&format!("min r10, r10, c{HELPER}.w"));
        self.line(&format!("{guard}max r{to}{mask}, r10, c{HELPER}.z"));
    }

    /// A function that is not exact, to an output.
    fn inexact(&mut self) {
        let mut ops = vec!["rcp", "rsq", "exp", "log"];
        if self.vertex {
            ops.extend(["lit", "expp", "logp"]);
        }
        if self.level > Level::One {
            ops.extend(["nrm", "pow", "sincos"]);
        }
        let op = self.numbers.pick(&ops);
        let components = if op == "sincos" { "xy" } else { "xyzw" };
        let operands = match op {
            "lit" | "nrm" => self.source(),
            "pow" => format!("{}, {}", self.scalar(), self.scalar()),
            "sincos" if self.level < Level::Three => format!("{}, c30, c31", self.scalar()),
            _ => self.scalar(),
        };
        let mask = self.mask(components);
        let n = self.numbers.below(OUTPUTS);
        for (component, letter) in "xyzw".chars().enumerate() {
            self.loose[n][component] |= mask.is_empty() || mask.contains(letter);
        }
        let (guard, output) = (self.guard(), self.output(n));
        let all = if components == "xy" { ".xy" } else { "" };
        self.line(&format!("{op} r10{all}, {operands}"));
        self.line(&format!("{guard}mov {output}{mask}, r10"));
    }

    fn write_address(&mut self) {
        let op = if self.level == Level::One {
            "mov"
        } else {
            "mova"
        };
        let source = match self.level {
            Level::One => self.scalar(),
            _ => self.source(),
        };
        let mask = match (self.level, self.address) {
            (Level::One, _) => ".x".to_owned(),
            (_, false) => String::new(),
            _ => self.mask("xyzw"),
        };
        let guard = if self.address {
            self.guard()
        } else {
            String::new()
        };
        self.line(&format!("{guard}{op} a0{mask}, {source}"));
        self.address = true;
    }

    fn set_predicate(&mut self) {
        let op = self.numbers.pick(&["gt", "eq", "ge", "lt", "ne", "le"]);
        let (a, b) = (self.source(), self.source());
        let mask = match self.predicate {
            true => self.mask("xyzw"),
            false => String::new(),
        };
        let guard = if self.predicate {
            self.guard()
        } else {
            String::new()
        };
        self.line(&format!("{guard}setp_{op} p0{mask}, {a}, {b}"));
        self.predicate = true;
    }

    fn comparison(&mut self) -> String {
        let op = self.numbers.pick(&["gt", "eq", "ge", "lt", "ne", "le"]);
        let (a, b) = (self.scalar(), self.scalar());
        format!("_{op} {a}, {b}")
    }

    fn condition(&mut self) -> String {
        let not = if self.numbers.one_in(2) { "!" } else { "" };
        match self.numbers.below(3) {
            0 if self.level >= Level::TwoX => self.comparison(),
            1 if self.predicate => format!(" {not}p0.{}", self.component()),
            _ => format!(" b{}", self.numbers.below(4)),
        }
    }

    fn branch(&mut self) {
        let condition = self.condition();
        self.line(&format!("if{condition}"));
        self.depth += 1;
        let count = 1 + self.numbers.below(3);
        self.block(count);
        if self.numbers.one_in(2) {
            self.line("else");
            let count = 1 + self.numbers.below(3);
            self.block(count);
        }
        self.depth -= 1;
        self.line("endif");
    }

    fn turns(&mut self) {
        let counts = (self.vertex || self.level == Level::Three) && self.numbers.one_in(2);
        let int = self.numbers.below(4);
        match counts {
            true => self.line(&format!("loop aL, i{int}")),
            false => self.line(&format!("rep i{int}")),
        }
        self.depth += 1;
        self.loops += 1;
        self.counting += usize::from(counts);
        let count = 1 + self.numbers.below(3);
        self.block(count);
        if self.level >= Level::TwoX && self.numbers.one_in(2) {
            match self.predicate && self.numbers.one_in(3) {
                true => {
                    let component = self.component();
                    self.line(&format!("breakp p0.{component}"));
                }
                false => {
                    let comparison = self.comparison();
                    self.line(&format!("break{comparison}"));
                }
            }
            self.block(1);
        }
        self.counting -= usize::from(counts);
        self.loops -= 1;
        self.depth -= 1;
        self.line(if counts { "endloop" } else { "endrep" });
    }

    fn call(&mut self) {
        let label = self.next_label + self.numbers.below(self.labels - self.next_label);
        match self.numbers.below(3) {
            0 => self.line(&format!("call l{label}")),
            1 if self.predicate => {
                let component = self.component();
                self.line(&format!("callnz l{label}, p0.{component}"));
            }
            _ => {
                let bool = self.numbers.below(4);
                self.line(&format!("callnz l{label}, b{bool}"));
            }
        }
    }

    fn samplers(&self) -> bool {
        self.level == Level::Three || !self.vertex
    }

    /// A texture fetch, whose results are in the set.
    fn fetch(&mut self) {
        let source = self.source();
        self.line(&format!("mul r10, {source}, c{HELPER}.y"));
        let level_three = self.level == Level::Three;
        let mut ops = Vec::new();
        if !self.vertex {
            ops.extend(["texld", "texldp", "texldb"]);
        }
        if level_three {
            ops.push("texldl");
        }
        if !self.vertex && self.level >= Level::TwoX {
            ops.push("texldd");
        }
        let op = self.numbers.pick(&ops);
        if op == "texldp" {
            // Divides by 1/16.
            self.line(&format!("mov r10.w, c{HELPER}.y"));
        }
        let swizzle = match level_three {
            true => self.swizzle("s"),
            false => String::new(),
        };
        let sampler = [0, 3][self.numbers.below(2)];
        let gradients = if op == "texldd" { ", c0, c1" } else { "" };
        let mask = if level_three {
            self.mask("xyzw")
        } else {
            String::new()
        };
        let (guard, to) = (self.guard(), self.numbers.below(8));
        self.line(&format!(
            "{guard}{op} r{to}{mask}, r10, s{sampler}{swizzle}{gradients}"
        ));
    }

    fn kill(&mut self) {
        let register = self.numbers.below(8);
        self.line(&format!("texkill r{register}"));
    }
}
