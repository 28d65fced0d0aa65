//! The rewrite of what a scan found.

use super::{Declined, EYE, GROWTH, Mode, PLANE, Plan, Term, scan};
use crate::code::ShaderCode;
use crate::encode;
use crate::opcode::Opcode;
use crate::operand::{Dst, Src, SrcModifier, Swizzle, WriteMask};
use crate::register::{Register, RegisterKind};

/// Components of the temporary.
const X: u8 = 0;
const Y: u8 = 1;
const W: u8 = 3;

/// The shader with fog measured from the eye.
///
/// Each term `T D, P, cK` becomes, `t` being the plan's temporary,
///
/// ```text
/// add t.xyz, P, -c4      P - eye
/// dp3 t.w, t, t          its length, squared
/// dp3 t.x, t, cK         depth, times s
/// dp3 t.y, cK, cK        s squared
/// mul t.w, t.w, t.y
/// rsq t.y, t.w           of 0 the largest number, so that at the eye
/// mul t.w, t.w, t.y      this is 0: length, times s
/// add t.w, t.w, -t.x     s (length - depth); for c7, whose normal looks back, -t.w, -t.x
/// T   t.x, P, cK
/// add D, t.x, t.w
/// ```
///
/// # Errors
/// Why the shader is to be left as it is.
pub fn rewrite(code: &ShaderCode, mode: Mode) -> Result<ShaderCode, Declined> {
    let plan = scan(code, mode)?;
    let tokens = edited(code.tokens(), &plan);
    ShaderCode::parse(&tokens).map_err(|_| Declined::TooLong {
        bytes: tokens.len() * 4,
    })
}

fn edited(tokens: &[u32], plan: &Plan) -> Vec<u32> {
    let mut out = Vec::with_capacity(tokens.len() + plan.terms.len() * GROWTH);
    let mut copied = 0;
    for term in &plan.terms {
        let at = term.instruction.byte_offset as usize / 4;
        out.extend(&tokens[copied..at]);
        copied = at + usize::from(term.instruction.words);
        Editor {
            out: &mut out,
            scratch: Register::new(RegisterKind::Temp, plan.scratch),
        }
        .term(term, &tokens[at..copied]);
    }
    out.extend(&tokens[copied..]);
    out
}

struct Editor<'a> {
    out: &'a mut Vec<u32>,
    scratch: Register,
}

impl Editor<'_> {
    /// Writes what takes the place of a term with these tokens.
    fn term(&mut self, term: &Term, tokens: &[u32]) {
        let [position, plane] = [0, 1].map(|i| term.instruction.srcs[i]);
        let eye = Src {
            modifier: SrcModifier::Neg,
            ..Src::new(Register::new(RegisterKind::Const, EYE))
        };
        let all = Src::new(self.scratch);
        let [x, y, w] = [X, Y, W].map(|component| Src {
            swizzle: Swizzle::replicate(component),
            ..all
        });
        let minus = |src: Src| Src {
            modifier: SrcModifier::Neg,
            ..src
        };
        let length = match term.constant {
            PLANE => minus(w),
            _ => w,
        };
        self.push(Opcode::Add, 0b0111, &[position, eye]);
        self.push(Opcode::Dp3, 1 << W, &[all, all]);
        self.push(Opcode::Dp3, 1 << X, &[all, plane]);
        self.push(Opcode::Dp3, 1 << Y, &[plane, plane]);
        self.push(Opcode::Mul, 1 << W, &[w, y]);
        self.push(Opcode::Rsq, 1 << Y, &[w]);
        self.push(Opcode::Mul, 1 << W, &[w, y]);
        self.push(Opcode::Add, 1 << W, &[length, minus(x)]);
        // The term's own tokens, but for the destination.
        self.out.extend([
            tokens[0],
            encode::destination(&self.to(1 << X)),
            tokens[2],
            tokens[3],
        ]);
        self.out.extend([Opcode::Add.code().into(), tokens[1]]);
        self.out.extend([x, w].iter().map(encode::source));
    }

    fn to(&self, mask: u8) -> Dst {
        Dst {
            mask: WriteMask::from_bits(mask),
            ..Dst::new(self.scratch)
        }
    }

    fn push(&mut self, op: Opcode, mask: u8, srcs: &[Src]) {
        self.out
            .extend([op.code().into(), encode::destination(&self.to(mask))]);
        self.out.extend(srcs.iter().map(encode::source));
    }
}
