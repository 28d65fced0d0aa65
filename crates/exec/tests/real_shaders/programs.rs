//! Random programs as assembly text: arithmetic with every mask, swizzle and modifier the
//! version has, branches, loops and predicates.

use crate::Numbers;
use std::fmt::Write;

const VERSIONS: [&str; 9] = [
    "vs_1_1", "vs_2_0", "vs_2_x", "ps_1_1", "ps_1_3", "ps_1_4", "ps_2_0", "ps_2_x", "ps_3_0",
];

/// Name and number of sources; `0x10` marks scalar sources, `0x20` a destination that may not
/// be a source (and a mask of xyz at most).
const SM1_VERTEX: &[(&str, u8)] = &[
    ("mov", 1),
    ("add", 2),
    ("sub", 2),
    ("mul", 2),
    ("mad", 3),
    ("dp3", 2),
    ("dp4", 2),
    ("min", 2),
    ("max", 2),
    ("slt", 2),
    ("sge", 2),
    ("rcp", 0x11),
    ("rsq", 0x11),
    ("exp", 0x11),
    ("log", 0x11),
    ("expp", 0x11),
    ("lit", 1),
    ("dst", 2),
];
const SM2: &[(&str, u8)] = &[
    ("mov", 1),
    ("add", 2),
    ("sub", 2),
    ("mul", 2),
    ("mad", 3),
    ("dp3", 2),
    ("dp4", 2),
    ("min", 2),
    ("max", 2),
    ("rcp", 0x11),
    ("rsq", 0x11),
    ("exp", 0x11),
    ("log", 0x11),
    ("lrp", 3),
    ("pow", 0x12),
    ("crs", 0x22),
    ("abs", 1),
    ("nrm", 0x21),
];
const SM1_PIXEL: &[(&str, u8)] = &[
    ("mov", 1),
    ("add", 2),
    ("sub", 2),
    ("mul", 2),
    ("mad", 3),
    ("dp3", 2),
    ("lrp", 3),
];

struct Writer<'a> {
    numbers: &'a mut Numbers,
    version: &'static str,
    text: String,
    temps: usize,
    /// Open blocks; `true` for loops.
    blocks: Vec<bool>,
    predicates: bool,
}

/// A program of some ten to thirty instructions.
pub(crate) fn random(numbers: &mut Numbers) -> String {
    let version = VERSIONS[numbers.next() as usize % VERSIONS.len()];
    let temps = if version.starts_with("ps_1") && version != "ps_1_4" {
        2
    } else {
        5
    };
    let mut writer = Writer {
        numbers,
        version,
        text: format!("{version}\n"),
        temps,
        blocks: Vec::new(),
        predicates: matches!(version, "vs_2_x" | "ps_2_x" | "ps_3_0"),
    };
    writer.program();
    writer.text
}

impl Writer<'_> {
    fn below(&mut self, limit: usize) -> usize {
        (self.numbers.next() >> 16) as usize % limit
    }

    fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    fn vertex(&self) -> bool {
        self.version.starts_with("vs")
    }

    fn old_pixel(&self) -> bool {
        self.version.starts_with("ps_1")
    }

    fn program(&mut self) {
        match self.version {
            "ps_2_0" | "ps_2_x" => self.text.push_str("dcl v0\ndcl t0\ndcl t1\n"),
            "ps_3_0" => self
                .text
                .push_str("dcl_color v0\ndcl_texcoord v1\ndcl_normal v2\n"),
            version if version.starts_with("vs") => {
                self.text
                    .push_str("dcl_position v0\ndcl_normal v1\ndcl_texcoord v2\n");
            }
            _ => {}
        }
        for temp in 0..self.temps {
            let constant = self.below(6);
            let _ = writeln!(self.text, "mov r{temp}, c{constant}");
        }
        let count = if self.old_pixel() {
            2 + self.below(5)
        } else {
            6 + self.below(20)
        };
        for _ in 0..count {
            self.step();
        }
        while let Some(looped) = self.blocks.pop() {
            self.text
                .push_str(if looped { "endrep\n" } else { "endif\n" });
        }
        self.results();
    }

    fn results(&mut self) {
        if self.vertex() {
            self.text
                .push_str("mov oPos, r0\nmov oT0, r1\nmov oD0, r2\nmov oT3.xz, r3\n");
        } else if !self.old_pixel() {
            self.text.push_str("mov oC0, r0\n");
        }
    }

    fn step(&mut self) {
        let flow = self.version != "vs_1_1" && self.version != "ps_2_0" && !self.old_pixel();
        if flow && self.chance(4) && self.blocks.len() < 3 {
            return self.open();
        }
        if !self.blocks.is_empty() && self.chance(3) {
            return self.close();
        }
        if self.predicates && self.chance(6) {
            let comparison = ["gt", "le", "lt", "ge"][self.below(4)];
            let [a, b] = [0; 2].map(|_| self.below(self.temps));
            let _ = writeln!(self.text, "setp_{comparison} p0, r{a}, r{b}");
            return;
        }
        self.arithmetic();
    }

    fn open(&mut self) {
        let boolean = self.below(8);
        let [a, b] = [0; 2].map(|_| self.below(self.temps));
        let component = ["x", "y", "z", "w"][self.below(4)];
        match self.below(if self.predicates { 4 } else { 2 }) {
            0 => {
                let _ = writeln!(self.text, "if b{boolean}");
                self.blocks.push(false);
            }
            1 => {
                let _ = writeln!(self.text, "rep i{}", boolean % 4);
                self.blocks.push(true);
            }
            2 => {
                let _ = writeln!(self.text, "if_lt r{a}.{component}, r{b}.{component}");
                self.blocks.push(false);
            }
            _ => {
                let _ = writeln!(self.text, "if p0.{component}");
                self.blocks.push(false);
            }
        }
        self.arithmetic();
    }

    fn close(&mut self) {
        let looped = self.blocks.last().copied().unwrap_or(false);
        if looped {
            if self.predicates && self.chance(2) {
                let [a, b] = [0; 2].map(|_| self.below(self.temps));
                let _ = writeln!(self.text, "break_gt r{a}.x, r{b}.y");
                self.arithmetic();
            }
            self.text.push_str("endrep\n");
        } else {
            if self.chance(2) {
                self.text.push_str("else\n");
                self.arithmetic();
            }
            self.text.push_str("endif\n");
        }
        self.blocks.pop();
    }

    fn arithmetic(&mut self) {
        let table = match self.version {
            "vs_1_1" => SM1_VERTEX,
            _ if self.old_pixel() => SM1_PIXEL,
            _ => SM2,
        };
        let (name, shape) = table[self.below(table.len())];
        let separate = shape & 0x20 != 0;
        let target = self.below(self.temps);
        let mask = match (self.old_pixel(), separate) {
            (true, _) => ["", ".rgb", ".a"][self.below(if name == "dp3" { 2 } else { 3 })],
            (_, true) => [".xyz", ".xy", ".z"][self.below(3)],
            _ => ["", ".x", ".yz", ".xyw", ".w", ".xy", ".xyz"][self.below(7)],
        };
        let mut line = String::new();
        if self.predicates && self.chance(5) {
            let lane = ["", ".x", ".z"][self.below(3)];
            let not = if self.chance(2) { "!" } else { "" };
            let _ = write!(line, "({not}p0{lane}) ");
        }
        line.push_str(name);
        if self.old_pixel() {
            line.push_str(["", "", "_x2", "_d2", "_x4"][self.below(5)]);
        }
        if self.chance(5) && (!self.vertex() || self.version == "vs_3_0") {
            line.push_str("_sat");
        }
        let _ = write!(line, " r{target}{mask}");
        let scalar = shape & 0x10 != 0;
        let mut constant = None;
        let mut input = None;
        for _ in 0..shape & 0xF {
            let operand = self.operand(target, scalar, separate, &mut constant, &mut input);
            let _ = write!(line, ", {operand}");
        }
        let _ = writeln!(self.text, "{line}");
    }

    /// An operand: at most one constant and one input register an instruction.
    fn operand(
        &mut self,
        target: usize,
        scalar: bool,
        separate: bool,
        constant: &mut Option<usize>,
        input: &mut Option<usize>,
    ) -> String {
        let register = match self.below(4) {
            0 => {
                let number = self.below(6);
                format!("c{}", constant.get_or_insert(number))
            }
            1 => {
                let limit = if self.old_pixel() { 2 } else { 3 };
                let number = self.below(limit);
                let number = *input.get_or_insert(number);
                match self.version {
                    "ps_2_0" | "ps_2_x" => ["v0", "t0", "t1"][number].to_owned(),
                    _ => format!("v{number}"),
                }
            }
            _ => {
                let mut temp = self.below(self.temps);
                if separate && temp == target {
                    temp = (temp + 1) % self.temps;
                }
                format!("r{temp}")
            }
        };
        let swizzles: &[&str] = match (scalar, self.old_pixel()) {
            (true, _) => &[".x", ".y", ".z", ".w"],
            (_, true) => &["", "", ".a"],
            _ if self.vertex() || self.version == "ps_3_0" || self.version == "ps_2_x" => {
                &["", "", ".wzyx", ".xxyz", ".y", ".zxyw"]
            }
            _ => &["", "", ".x", ".yzxw", ".zxyw", ".wzyx"],
        };
        let swizzle = if separate {
            ""
        } else {
            swizzles[self.below(swizzles.len())]
        };
        if self.old_pixel() && register.starts_with('r') && self.chance(2) {
            let wrapped = match self.below(4) {
                0 => format!("{register}_bias{swizzle}"),
                1 => format!("-{register}_bx2{swizzle}"),
                2 => format!("1-{register}{swizzle}"),
                _ => format!("-{register}{swizzle}"),
            };
            return wrapped;
        }
        let sign = if self.chance(4) { "-" } else { "" };
        let sign = if self.old_pixel() && register.starts_with('c') {
            ""
        } else {
            sign
        };
        let absolute = if self.version == "ps_3_0" && self.chance(6) {
            "_abs"
        } else {
            ""
        };
        format!("{sign}{register}{absolute}{swizzle}")
    }
}
