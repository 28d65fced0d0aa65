//! A translated vertex function changed so that its position can be read back.

use naga::{Binding, BuiltIn, Expression, Literal, Span, Statement, StructMember, Type, TypeInner};
use ninefold_shader::Translation;

/// Location that carries the position to the fragment stage, free in every real shader.
pub(crate) const POSITION_AT: u32 = 30;

/// Moves the position of a vertex function into a varying and puts the point on the pixel.
pub(crate) fn expose_position(translation: &mut Translation) {
    let module = &mut translation.module;
    let function = &mut module.entry_points[0].function;
    let result = function
        .result
        .take()
        .expect("a vertex function has a result");
    let (mut members, components) = match &module.types[result.ty].inner {
        TypeInner::Struct { members, .. } => {
            let value = function
                .body
                .iter()
                .rev()
                .find_map(|statement| match statement {
                    Statement::Return { value } => *value,
                    _ => None,
                })
                .expect("it returns");
            let Expression::Compose { components, .. } = &function.expressions[value] else {
                panic!("the result is composed");
            };
            (members.clone(), components.clone())
        }
        _ => {
            let value = match function.body.last() {
                Some(Statement::Return { value: Some(value) }) => *value,
                _ => panic!("it returns"),
            };
            let member = StructMember {
                name: Some("position".into()),
                ty: result.ty,
                binding: result.binding.clone(),
                offset: 0,
            };
            (vec![member], vec![value])
        }
    };
    let vec4 = members[0].ty;
    members[0].binding = Some(Binding::Location {
        location: POSITION_AT,
        interpolation: Some(naga::Interpolation::Perspective),
        sampling: Some(naga::Sampling::Center),
        blend_src: None,
        per_primitive: false,
    });
    let offset = 32 * members.len() as u32;
    members.push(StructMember {
        name: Some("centre".into()),
        ty: vec4,
        binding: Some(Binding::BuiltIn(BuiltIn::Position { invariant: false })),
        offset,
    });
    let inner = TypeInner::Struct {
        members,
        span: offset + 32,
    };
    let ty = module.types.insert(
        Type {
            name: Some("Exposed".into()),
            inner,
        },
        Span::UNDEFINED,
    );
    let mut body: Vec<Statement> = function.body.to_vec();
    body.pop();
    let mut append = |expression| function.expressions.append(expression, Span::UNDEFINED);
    let numbers = [0.0, 0.0, 0.5, 1.0];
    let literals = numbers.map(|number| append(Expression::Literal(Literal::F32(number))));
    let centre = append(Expression::Compose {
        ty: vec4,
        components: literals.to_vec(),
    });
    let mut all = components;
    all.push(centre);
    let value = append(Expression::Compose {
        ty,
        components: all,
    });
    let range = naga::Range::new_from_bounds(centre, value);
    body.push(Statement::Emit(range));
    body.push(Statement::Return { value: Some(value) });
    function.body = naga::Block::from_vec(body);
    function.result = Some(naga::FunctionResult { ty, binding: None });
}
