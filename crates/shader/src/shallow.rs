//! Keeps the expressions of written texts shallow.
//!
//! naga's text writers put an expression that is used once where it is used. A long chain of
//! arithmetic then nests as deep as the chain is long, and compilers of the target languages
//! give up: naga's WGSL front end at 200 levels, clang (Metal) at 256. An expression with a name
//! is written as a variable instead, so every chain gets a name now and then.

use naga::valid::FunctionInfo;
use naga::{Expression, Function, Handle};

/// Levels of nesting, at most; a level is one to three in the eyes of a parser, and blocks (at
/// most 64 deep, see the limits of `ninefold-bytecode`) count as well.
const DEEPEST: u8 = 16;

/// Names expressions so that none nests deeper than [`DEEPEST`].
pub(crate) fn shallow(function: &mut Function, info: &FunctionInfo, depths: &mut Vec<u8>) {
    depths.clear();
    for (handle, expression) in function.expressions.iter() {
        let inner = depth_inside(expression, depths);
        let variable = info[handle].ref_count >= expression.bake_ref_count();
        let depth = match expression {
            _ if variable => 0,
            Expression::Load { .. }
            | Expression::CallResult(_)
            | Expression::ImageSample { .. } => 0,
            Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Select { .. }
            | Expression::Math { .. }
            | Expression::Compose { .. }
            | Expression::Splat { .. }
            | Expression::As { .. }
            | Expression::Relational { .. }
                if inner >= DEEPEST =>
            {
                function.named_expressions.insert(handle, "part".into());
                0
            }
            _ => inner.saturating_add(1),
        };
        depths.push(depth);
    }
}

/// The deepest of an expression's operands.
fn depth_inside(expression: &Expression, depths: &[u8]) -> u8 {
    let of = |handle: Handle<Expression>| depths.get(handle.index()).copied().unwrap_or(0);
    match *expression {
        Expression::Compose { ref components, .. } => {
            components.iter().map(|&part| of(part)).max().unwrap_or(0)
        }
        Expression::Access { base, index } => of(base).max(of(index)),
        Expression::AccessIndex { base, .. } => of(base),
        Expression::Splat { value, .. } => of(value),
        Expression::Swizzle { vector, .. } => of(vector),
        Expression::Unary { expr, .. }
        | Expression::Derivative { expr, .. }
        | Expression::As { expr, .. } => of(expr),
        Expression::Binary { left, right, .. } => of(left).max(of(right)),
        Expression::Select {
            condition,
            accept,
            reject,
        } => of(condition).max(of(accept)).max(of(reject)),
        Expression::Relational { argument, .. } => of(argument),
        Expression::Math {
            arg,
            arg1,
            arg2,
            arg3,
            ..
        } => [arg1, arg2, arg3]
            .into_iter()
            .flatten()
            .map(of)
            .fold(of(arg), u8::max),
        _ => 0,
    }
}
