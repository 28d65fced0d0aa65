//! What languages without points leave out.

use crate::{Error, Translation};
use naga::{Binding, BuiltIn, Expression, Handle, Type, TypeInner};

/// The type of the function's results and the place of the point size in it, if it has one.
fn point_size(translation: &Translation) -> Option<(Handle<Type>, usize)> {
    let function = &translation.module.entry_points[0].function;
    let ty = function.result.as_ref()?.ty;
    let TypeInner::Struct { members, .. } = &translation.module.types[ty].inner else {
        return None;
    };
    let size = Some(Binding::BuiltIn(BuiltIn::PointSize));
    let place = members.iter().position(|member| member.binding == size)?;
    Some((ty, place))
}

/// Whether the function gives a point size.
pub(super) fn has_point_size(translation: &Translation) -> bool {
    point_size(translation).is_some()
}

/// The function without its point size, for languages that have none (WGSL, HLSL: there every
/// point is one pixel); `None` when it has none to begin with.
pub(super) fn without_point_size(translation: &Translation) -> Option<Result<Translation, Error>> {
    let (ty, place) = point_size(translation)?;
    let mut module = translation.module.clone();
    let mut shorter = module.types[ty].clone();
    if let TypeInner::Struct { members, .. } = &mut shorter.inner {
        members.remove(place);
    }
    module.types.replace(ty, shorter);
    for (_, expression) in module.entry_points[0].function.expressions.iter_mut() {
        match expression {
            Expression::Compose { ty: of, components } if *of == ty => {
                components.remove(place);
            }
            _ => {}
        }
    }
    let reflection = translation.reflection.clone();
    Some(Translation::seal(module, translation.identity, reflection))
}
