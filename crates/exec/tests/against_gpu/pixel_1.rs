//! Random ps_1_x programs whose arithmetic is exact: every register's results are
//! known to be multiples of a power of two below another, and an instruction that
//! would need more than 22 bits is not chosen.

use crate::generate::Sample;
use crate::numbers::Numbers;
use crate::rig::{OUTPUTS, Shape};
use std::fmt::Write;

/// Values are multiples of 2^-`fraction` of size at most 2^`whole`.
#[derive(Clone, Copy)]
struct Bits {
    fraction: i32,
    whole: i32,
}

const UNIT: Bits = Bits {
    fraction: 4,
    whole: 0,
};

impl Bits {
    fn with(self, other: Bits) -> Bits {
        Bits {
            fraction: self.fraction.max(other.fraction),
            whole: self.whole.max(other.whole),
        }
    }

    fn sum(self, other: Bits) -> Bits {
        let both = self.with(other);
        Bits {
            whole: both.whole + 1,
            ..both
        }
    }

    fn product(self, other: Bits) -> Bits {
        Bits {
            fraction: self.fraction + other.fraction,
            whole: self.whole + other.whole,
        }
    }

    fn fits(self) -> bool {
        self.fraction + self.whole <= 22
    }
}

struct Writer<'a> {
    numbers: &'a mut Numbers,
    text: String,
    minor: usize,
    r: [Bits; 6],
    /// Texture registers that hold something; others are not for reading.
    t: [Option<Bits>; 4],
    temps: usize,
}

pub(crate) fn program(numbers: &mut Numbers) -> Sample {
    let minor = 1 + numbers.below(4);
    let mut writer = Writer {
        text: format!("ps_1_{minor}\n"),
        numbers,
        minor,
        r: [UNIT; 6],
        t: [None; 4],
        temps: if minor == 4 { 6 } else { 2 },
    };
    writer.write();
    Sample {
        text: writer.text,
        loose: [[false; 4]; OUTPUTS],
        shape: Shape::Points,
        unit: true,
    }
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    fn write(&mut self) {
        if self.numbers.one_in(2) {
            self.line("def c2, 0.5, -2, 1.25, 0.0625");
        }
        match self.minor {
            4 => self.textures_1_4(),
            _ => self.textures(),
        }
        let count = 2 + self.numbers.below(6);
        self.arithmetic(count);
        let from = self.numbers.below(self.temps);
        self.line(&format!("mov r0, r{from}"));
    }

    /// The texture instructions of ps_1_1 to ps_1_3.
    fn textures(&mut self) {
        let first = self.numbers.pick(&["tex", "tex", "texcoord"]);
        self.line(&format!("{first} t0"));
        self.t[0] = Some(UNIT);
        let modifier = self.numbers.pick(&["", "", "_bx2"]);
        let from = format!("t0{modifier}");
        // Coordinates times t0, which _bx2 makes as large as 3.
        let product = UNIT.product(Bits { whole: 2, ..UNIT });
        let sum = Bits {
            whole: product.whole + 2,
            ..product
        };
        let newer = self.minor >= 2;
        match self.numbers.below(4) {
            0 => {
                self.line(&format!("texm3x2pad t1, {from}"));
                self.line(&format!("texm3x2tex t2, {from}"));
                self.t[2] = Some(UNIT);
            }
            1 => {
                self.line(&format!("texm3x3pad t1, {from}"));
                self.line(&format!("texm3x3pad t2, {from}"));
                let last = if newer { "texm3x3" } else { "texm3x3tex" };
                let last = self.numbers.pick(&["texm3x3tex", last]);
                self.line(&format!("{last} t3, {from}"));
                self.t[3] = Some(if last == "texm3x3" { sum } else { UNIT });
            }
            _ => {
                for n in 1..3 {
                    let mut ops = vec!["tex", "texcoord", "texbem", "texreg2ar", "texreg2gb"];
                    if newer {
                        ops.extend(["texreg2rgb", "texdp3", "texdp3tex"]);
                    }
                    let op = self.numbers.pick(&ops);
                    match op {
                        "tex" | "texcoord" => self.line(&format!("{op} t{n}")),
                        // These take no modifier.
                        "texreg2ar" | "texreg2gb" | "texreg2rgb" => {
                            self.line(&format!("{op} t{n}, t0"));
                        }
                        _ => self.line(&format!("{op} t{n}, {from}")),
                    }
                    self.t[n] = Some(if op == "texdp3" { sum } else { UNIT });
                }
            }
        }
    }

    /// Both phases' texture instructions of ps_1_4.
    fn textures_1_4(&mut self) {
        for n in 0..3 {
            let t = self.numbers.below(3);
            match self.numbers.below(2) {
                0 => self.line(&format!("texcrd r{n}.rgb, t{t}")),
                _ => self.line(&format!("texld r{n}, t{t}")),
            }
        }
        for n in 0..6 {
            self.line(&format!("mov r{n}.a, v0"));
        }
        if self.numbers.one_in(2) {
            self.line("bem r3.rg, r0, r1");
            self.r[3] = UNIT.sum(UNIT.product(UNIT).sum(UNIT.product(UNIT)));
        }
        let count = self.numbers.below(3);
        self.arithmetic(count);
        self.line("phase");
        for n in 3..6 {
            if self.numbers.one_in(2) {
                let from = self.numbers.below(3);
                self.line(&format!("texld r{n}, r{from}"));
                self.r[n] = UNIT;
            }
        }
        for n in 3..6 {
            self.line(&format!("mov r{n}.a, v1"));
        }
    }

    fn arithmetic(&mut self, count: usize) {
        for _ in 0..count {
            let whole = self.numbers.below(3) > 0;
            match whole {
                true => {
                    let (line, to, bits) = self.instruction("");
                    self.line(&line);
                    self.r[to] = bits.with(self.kept(&line, to));
                }
                false => {
                    // The pair reads before it writes, so both see the same bits.
                    let (color, c, color_bits) = self.instruction(".rgb");
                    let (alpha, a, alpha_bits) = self.instruction(".a");
                    self.line(&color);
                    self.line(&format!("+{alpha}"));
                    self.r[c] = self.r[c].with(color_bits);
                    self.r[a] = self.r[a].with(alpha_bits);
                }
            }
        }
    }

    /// What of a register's old value may be left after `line`.
    fn kept(&self, line: &str, to: usize) -> Bits {
        match line.contains(&format!("r{to}.")) {
            true => self.r[to],
            false => Bits {
                fraction: 0,
                whole: 0,
            },
        }
    }

    fn source(&mut self, alpha: bool) -> (String, Bits) {
        let (register, bits) = match self.numbers.below(4) {
            0 => (format!("v{}", self.numbers.below(2)), UNIT),
            1 => (format!("c{}", self.numbers.below(8)), UNIT),
            2 if self.minor < 4 => {
                let n = self.numbers.below(4);
                match self.t[n] {
                    Some(bits) => (format!("t{n}"), bits),
                    None => ("v0".to_owned(), UNIT),
                }
            }
            _ => {
                let n = self.numbers.below(self.temps);
                (format!("r{n}"), self.r[n])
            }
        };
        let constant = register.starts_with('c');
        let (before, after, grown) = match self.numbers.below(8) {
            0 => ("-", "", 0),
            1 if !constant => ("", "_bias", 1),
            2 if !constant => ("", "_bx2", 2),
            3 if !constant => ("1-", "", 1),
            4 if !constant && self.minor == 4 => ("", "_x2", 1),
            5 if !constant => ("-", "_bx2", 2),
            6 if !constant => ("-", "_bias", 1),
            _ => ("", "", 0),
        };
        let swizzle = match self.numbers.below(4) {
            0 => ".a",
            1 if self.minor == 4 => self.numbers.pick(&[".r", ".g", ".b"]),
            1 if alpha => ".b",
            _ => "",
        };
        let bits = Bits {
            fraction: bits.fraction.max(1),
            whole: bits.whole + grown,
        };
        (format!("{before}{register}{after}{swizzle}"), bits)
    }

    /// An instruction for the components of `mask`: its text, the register it
    /// writes, and what its results are.
    fn instruction(&mut self, mask: &str) -> (String, usize, Bits) {
        loop {
            if let Some(found) = self.try_instruction(mask) {
                return found;
            }
        }
    }

    fn try_instruction(&mut self, mask: &str) -> Option<(String, usize, Bits)> {
        let alpha = mask == ".a";
        let [(a, x), (b, y), (c, z)] = [(); 3].map(|()| self.source(alpha));
        let mut ops = vec!["mov", "add", "sub", "mul", "mad", "lrp"];
        if !alpha {
            ops.push("dp3");
        }
        if mask.is_empty() && self.minor > 1 {
            ops.extend(["dp4", "cmp"]);
        }
        if self.minor == 4 {
            ops.push("cnd");
        } else if mask.is_empty() {
            ops.push("cnd r0.a");
        }
        let op = self.numbers.pick(&ops);
        let (name, operands, bits) = match op {
            "mov" => ("mov", a, x),
            "add" | "sub" => (op, format!("{a}, {b}"), x.sum(y)),
            "mul" => (op, format!("{a}, {b}"), x.product(y)),
            "mad" => (op, format!("{a}, {b}, {c}"), x.product(y).sum(z)),
            "lrp" => {
                let step = y.sum(z);
                (op, format!("{a}, {b}, {c}"), x.product(step).sum(z))
            }
            "dp3" | "dp4" => {
                let sum = x.product(y);
                let sum = Bits {
                    whole: sum.whole + 2,
                    ..sum
                };
                (op, format!("{a}, {b}"), sum)
            }
            "cnd r0.a" => ("cnd", format!("r0.a, {b}, {c}"), y.with(z)),
            _ => (op, format!("{a}, {b}, {c}"), y.with(z)),
        };
        let (shift, fraction, whole) = match self.numbers.below(6) {
            0 => ("_x2", 0, 1),
            1 => ("_x4", 0, 2),
            2 => ("_d2", 1, 0),
            3 if self.minor == 4 => ("_x8", 0, 3),
            4 if self.minor == 4 => ("_d8", 3, 0),
            _ => ("", 0, 0),
        };
        let saturate = if self.numbers.one_in(4) { "_sat" } else { "" };
        let bits = Bits {
            fraction: bits.fraction + fraction,
            whole: bits.whole + whole,
        };
        let mask = match (mask, self.minor) {
            ("", 4) if self.numbers.one_in(3) => self.numbers.pick(&[".r", ".gb", ".ga", ".rba"]),
            _ => mask,
        };
        let to = self.numbers.below(self.temps);
        bits.fits().then(|| {
            (
                format!("{name}{shift}{saturate} r{to}{mask}, {operands}"),
                to,
                bits,
            )
        })
    }
}
