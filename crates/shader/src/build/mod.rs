//! Building naga modules: emit ranges, blocks, literals, memoised swizzles, helper
//! functions, uniform blocks, samplers and the fragment epilogue. Both the token
//! translator and the fixed-function generators stand on it.
//!
//! Expressions that naga evaluates before the function runs (literals, arguments,
//! globals, locals, zero values) must not lie in an emit range; [`Builder::pre`]
//! appends those, [`Builder::e`] all others.

mod clip;
mod cube;
mod epilogue;
mod helpers;
mod interface;
mod products;
mod sampling;
mod wrap;

pub(crate) use epilogue::Epilogue;
pub(crate) use helpers::Helper;
pub(crate) use interface::{Block as UniformBlock, Sampled, color_interpolation, perspective};
pub(crate) use products::Known;
pub(crate) use sampling::coordinate_count;

use crate::limits::{SPARE_ENTRIES, SPARE_TABLES};
use crate::options::FloatRules;
use naga::{
    BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable, MathFunction,
    Module, Scalar, ScalarKind, Span, Statement, SwizzleComponent, Type, TypeInner, UnaryOperator,
    VectorSize,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A naga expression of the function being built.
pub(crate) type Expr = Handle<Expression>;

/// No source position: shaders come from tokens, not text.
pub(crate) const SPAN: Span = Span::UNDEFINED;

/// Types nearly every function needs.
#[derive(Clone, Copy)]
pub(crate) struct Types {
    pub(crate) f32: Handle<Type>,
    pub(crate) vec2: Handle<Type>,
    pub(crate) vec3: Handle<Type>,
    pub(crate) vec4: Handle<Type>,
}

impl Types {
    /// `f32` or the float vector of `n` components (1-4).
    pub(crate) fn float(&self, n: usize) -> Handle<Type> {
        [self.f32, self.vec2, self.vec3, self.vec4][n - 1]
    }
}

/// The vector size of `n` components, 2-4.
pub(crate) fn size(n: usize) -> VectorSize {
    match n {
        2 => VectorSize::Bi,
        3 => VectorSize::Tri,
        _ => VectorSize::Quad,
    }
}

/// State of the function being built.
struct Body {
    function: Function,
    blocks: Vec<Block>,
    emit_from: usize,
    /// Literals and globals: valid everywhere in the function.
    pre: FxHashMap<u64, Expr>,
    /// Emitted values worth reusing; forgotten when a block closes.
    memo: FxHashMap<u64, Expr>,
}

thread_local! {
    /// Tables of finished functions, empty, for the next ones: a function of some size would
    /// grow them anew six times over.
    static SPARE: RefCell<Vec<FxHashMap<u64, Expr>>> = const { RefCell::new(Vec::new()) };
}

fn spare_table() -> FxHashMap<u64, Expr> {
    SPARE.with_borrow_mut(Vec::pop).unwrap_or_default()
}

fn keep_table(mut table: FxHashMap<u64, Expr>) {
    SPARE.with_borrow_mut(|spare| {
        if spare.len() < SPARE_TABLES && table.capacity() <= SPARE_ENTRIES {
            table.clear();
            spare.push(table);
        }
    });
}

impl Body {
    fn new() -> Self {
        Self {
            function: Function::default(),
            blocks: vec![Block::new()],
            emit_from: 0,
            pre: spare_table(),
            memo: spare_table(),
        }
    }
}

/// Builds one module with one entry point, and the helper functions it calls.
pub(crate) struct Builder {
    pub(crate) module: Module,
    pub(crate) types: Types,
    pub(crate) rules: FloatRules,
    /// Rows of the storage buffer of large constants.
    pub(crate) large_rows: u32,
    /// Argument that has the shares of a primitive's corners.
    shares: Option<u32>,
    body: Body,
    helpers: [Option<Handle<Function>>; Helper::COUNT],
}

impl Builder {
    pub(crate) fn new(rules: FloatRules) -> Self {
        let mut module = Module::default();
        let mut float = |inner| module.types.insert(Type { name: None, inner }, SPAN);
        let vector = |size| TypeInner::Vector {
            size,
            scalar: Scalar::F32,
        };
        let types = Types {
            f32: float(TypeInner::Scalar(Scalar::F32)),
            vec2: float(vector(VectorSize::Bi)),
            vec3: float(vector(VectorSize::Tri)),
            vec4: float(vector(VectorSize::Quad)),
        };
        Self {
            module,
            types,
            rules,
            large_rows: 0,
            shares: None,
            body: Body::new(),
            helpers: [None; Helper::COUNT],
        }
    }

    /// The function being built.
    pub(crate) fn function(&mut self) -> &mut Function {
        &mut self.body.function
    }

    /// Adds a type to the module, or finds it.
    pub(crate) fn ty(&mut self, inner: TypeInner) -> Handle<Type> {
        self.module.types.insert(Type { name: None, inner }, SPAN)
    }

    /// The type of a scalar (`n` = 1) or vector of `scalar`.
    pub(crate) fn vector_ty(&mut self, scalar: Scalar, n: usize) -> Handle<Type> {
        match (scalar, n) {
            (Scalar::F32, n) => self.types.float(n),
            (_, 1) => self.ty(TypeInner::Scalar(scalar)),
            (_, n) => self.ty(TypeInner::Vector {
                size: size(n),
                scalar,
            }),
        }
    }

    /// Appends an expression that is evaluated where it stands.
    pub(crate) fn e(&mut self, expression: Expression) -> Expr {
        self.body.function.expressions.append(expression, SPAN)
    }

    /// Appends an expression that naga evaluates before the function runs.
    pub(crate) fn pre(&mut self, expression: Expression) -> Expr {
        self.flush_emits();
        let handle = self.body.function.expressions.append(expression, SPAN);
        self.body.emit_from += 1;
        handle
    }

    /// Emits what was appended since the last emission.
    fn flush_emits(&mut self) {
        let body = &mut self.body;
        if body.function.expressions.len() > body.emit_from {
            let range = body.function.expressions.range_from(body.emit_from);
            body.blocks
                .last_mut()
                .expect("a block is open")
                .push(Statement::Emit(range), SPAN);
            body.emit_from = body.function.expressions.len();
        }
    }

    /// Adds a statement after everything appended so far.
    pub(crate) fn push(&mut self, statement: Statement) {
        self.flush_emits();
        self.body
            .blocks
            .last_mut()
            .expect("a block is open")
            .push(statement, SPAN);
    }

    /// Opens a block; [`Builder::close_block`] hands it back.
    pub(crate) fn open_block(&mut self) {
        self.flush_emits();
        self.body.blocks.push(Block::new());
    }

    /// Closes the innermost block and forgets the values memoised in it.
    pub(crate) fn close_block(&mut self) -> Block {
        self.flush_emits();
        self.body.memo.clear();
        self.body.blocks.pop().expect("a block is open")
    }

    /// `if condition { accept }`, with `accept` built by the closure.
    pub(crate) fn if_then(&mut self, condition: Expr, accept: impl FnOnce(&mut Self)) {
        self.open_block();
        accept(self);
        let accept = self.close_block();
        self.push(Statement::If {
            condition,
            accept,
            reject: Block::new(),
        });
    }

    fn memo_pre(&mut self, key: u64, expression: Expression) -> Expr {
        if let Some(&handle) = self.body.pre.get(&key) {
            return handle;
        }
        let handle = self.pre(expression);
        self.body.pre.insert(key, handle);
        handle
    }

    /// A float literal. Infinities and NaN, which naga refuses as literals, become
    /// a reinterpreted integer.
    pub(crate) fn lit(&mut self, value: f32) -> Expr {
        if value.is_finite() {
            self.memo_pre(
                value.to_bits().into(),
                Expression::Literal(Literal::F32(value)),
            )
        } else {
            let bits = self.lit_u32(value.to_bits());
            self.cast(bits, ScalarKind::Float, None)
        }
    }

    /// An unsigned literal.
    pub(crate) fn lit_u32(&mut self, value: u32) -> Expr {
        self.memo_pre(
            1 << 32 | u64::from(value),
            Expression::Literal(Literal::U32(value)),
        )
    }

    /// A signed literal.
    pub(crate) fn lit_i32(&mut self, value: i32) -> Expr {
        let key = 2 << 32 | u64::from(value as u32);
        self.memo_pre(key, Expression::Literal(Literal::I32(value)))
    }

    /// A boolean literal.
    pub(crate) fn lit_bool(&mut self, value: bool) -> Expr {
        self.memo_pre(
            3 << 32 | u64::from(value),
            Expression::Literal(Literal::Bool(value)),
        )
    }

    /// A float literal in `n` components (1-4).
    pub(crate) fn lit_n(&mut self, value: f32, n: usize) -> Expr {
        let value = self.lit(value);
        self.splat(value, n)
    }

    /// The value of the literal `handle`, if it is a float literal.
    pub(crate) fn literal_value(&self, handle: Expr) -> Option<f32> {
        match self.body.function.expressions[handle] {
            Expression::Literal(Literal::F32(value)) => Some(value),
            _ => None,
        }
    }

    /// `expr`, of `n` components, through a local variable: WGSL computes with literals while it
    /// compiles, and refuses what overflows there or is no number.
    pub(crate) fn opaque(&mut self, expr: Expr, n: usize) -> Expr {
        let key = 0x54 << 56 | expr.index() as u64;
        if let Some(value) = self.remembered(key) {
            return value;
        }
        let ty = self.types.float(n);
        let variable = self.local("constant", ty);
        self.store(variable, expr);
        let value = self.load(variable);
        self.remember(key, value);
        value
    }

    /// Argument `index` of the function.
    pub(crate) fn argument(&mut self, index: u32) -> Expr {
        self.memo_pre(
            5 << 32 | u64::from(index),
            Expression::FunctionArgument(index),
        )
    }

    /// A pointer to a global in a buffer, or the value of a texture or sampler.
    pub(crate) fn global(&mut self, handle: Handle<naga::GlobalVariable>) -> Expr {
        self.memo_pre(
            6 << 32 | handle.index() as u64,
            Expression::GlobalVariable(handle),
        )
    }

    /// A zero-initialised local variable, as a pointer.
    pub(crate) fn local(&mut self, name: impl Into<String>, ty: Handle<Type>) -> Expr {
        let variable = LocalVariable {
            name: Some(name.into()),
            ty,
            init: None,
        };
        let handle = self.body.function.local_variables.append(variable, SPAN);
        self.pre(Expression::LocalVariable(handle))
    }

    /// Remembers `handle` as the value of `key` until the block closes.
    pub(crate) fn remember(&mut self, key: u64, handle: Expr) {
        self.body.memo.insert(key, handle);
    }

    /// What was remembered as `key` in this block or one around it.
    pub(crate) fn remembered(&self, key: u64) -> Option<Expr> {
        self.body.memo.get(&key).copied()
    }

    fn memo(&mut self, key: u64, expression: impl FnOnce() -> Expression) -> Expr {
        if let Some(&handle) = self.body.memo.get(&key) {
            return handle;
        }
        let handle = self.e(expression());
        self.body.memo.insert(key, handle);
        handle
    }

    /// `value` in `n` components (1-4; 1 is `value` itself).
    pub(crate) fn splat(&mut self, value: Expr, n: usize) -> Expr {
        if n == 1 {
            return value;
        }
        let key = (0x10 + n as u64) << 56 | value.index() as u64;
        self.memo(key, || Expression::Splat {
            size: size(n),
            value,
        })
    }

    /// Component `index` of a vector value, or member or element of a pointer.
    pub(crate) fn at(&mut self, base: Expr, index: u32) -> Expr {
        self.name(base, "v");
        let key = 0x20 << 56 | u64::from(index) << 32 | base.index() as u64;
        self.memo(key, || Expression::AccessIndex { base, index })
    }

    /// Gives a computed value a name, which makes the text writers keep it in a variable. Without
    /// one they print an expression again wherever a component of it is read, and nest as deep as
    /// values are chained: text that doubles with every instruction, recursion without a bound.
    pub(crate) fn name(&mut self, value: Expr, name: &'static str) {
        let function = &mut self.body.function;
        match function.expressions[value] {
            Expression::Literal(_)
            | Expression::Constant(_)
            | Expression::ZeroValue(_)
            | Expression::FunctionArgument(_)
            | Expression::GlobalVariable(_)
            | Expression::LocalVariable(_)
            | Expression::Access { .. }
            | Expression::AccessIndex { .. } => {}
            _ => {
                function
                    .named_expressions
                    .entry(value)
                    .or_insert_with(|| name.to_owned());
            }
        }
    }

    /// Components `lanes` (2-4 of them) of a vector.
    pub(crate) fn swizzle(&mut self, vector: Expr, lanes: &[u8]) -> Expr {
        let mut pattern = [SwizzleComponent::X; 4];
        let mut bits = lanes.len() as u64;
        for (slot, &lane) in pattern.iter_mut().zip(lanes) {
            *slot = SwizzleComponent::XYZW[usize::from(lane & 3)];
            bits = bits << 2 | u64::from(lane & 3);
        }
        let key = 0x30 << 56 | bits << 32 | vector.index() as u64;
        let size = size(lanes.len());
        self.memo(key, || Expression::Swizzle {
            size,
            vector,
            pattern,
        })
    }

    /// The first three components of a vector of four.
    pub(crate) fn xyz(&mut self, vector: Expr) -> Expr {
        self.swizzle(vector, &[0, 1, 2])
    }

    /// A vector of `n` floats from scalars and shorter vectors.
    pub(crate) fn compose(&mut self, n: usize, components: Vec<Expr>) -> Expr {
        let ty = self.types.float(n);
        self.e(Expression::Compose { ty, components })
    }

    /// The value behind a pointer.
    pub(crate) fn load(&mut self, pointer: Expr) -> Expr {
        self.e(Expression::Load { pointer })
    }

    /// Stores a value.
    pub(crate) fn store(&mut self, pointer: Expr, value: Expr) {
        self.push(Statement::Store { pointer, value });
    }

    pub(crate) fn bin(&mut self, op: BinaryOperator, left: Expr, right: Expr) -> Expr {
        self.e(Expression::Binary { op, left, right })
    }

    pub(crate) fn add(&mut self, left: Expr, right: Expr) -> Expr {
        self.bin(BinaryOperator::Add, left, right)
    }

    pub(crate) fn sub(&mut self, left: Expr, right: Expr) -> Expr {
        self.bin(BinaryOperator::Subtract, left, right)
    }

    /// The IEEE product; [`Builder::mul`] is the one with the zero rule.
    pub(crate) fn times(&mut self, left: Expr, right: Expr) -> Expr {
        self.bin(BinaryOperator::Multiply, left, right)
    }

    pub(crate) fn neg(&mut self, expr: Expr) -> Expr {
        self.e(Expression::Unary {
            op: UnaryOperator::Negate,
            expr,
        })
    }

    pub(crate) fn not(&mut self, expr: Expr) -> Expr {
        self.e(Expression::Unary {
            op: UnaryOperator::LogicalNot,
            expr,
        })
    }

    pub(crate) fn select(&mut self, condition: Expr, accept: Expr, reject: Expr) -> Expr {
        self.e(Expression::Select {
            condition,
            accept,
            reject,
        })
    }

    pub(crate) fn math1(&mut self, fun: MathFunction, arg: Expr) -> Expr {
        self.e(Expression::Math {
            fun,
            arg,
            arg1: None,
            arg2: None,
            arg3: None,
        })
    }

    pub(crate) fn math2(&mut self, fun: MathFunction, arg: Expr, arg1: Expr) -> Expr {
        self.e(Expression::Math {
            fun,
            arg,
            arg1: Some(arg1),
            arg2: None,
            arg3: None,
        })
    }

    pub(crate) fn math3(&mut self, fun: MathFunction, arg: Expr, arg1: Expr, arg2: Expr) -> Expr {
        self.e(Expression::Math {
            fun,
            arg,
            arg1: Some(arg1),
            arg2: Some(arg2),
            arg3: None,
        })
    }

    /// `value` as `kind`: converted when `width` is given, reinterpreted when not.
    pub(crate) fn cast(&mut self, expr: Expr, kind: ScalarKind, width: Option<u8>) -> Expr {
        self.e(Expression::As {
            expr,
            kind,
            convert: width,
        })
    }

    /// The result of a helper function; it is added to the module at its first use.
    pub(crate) fn call(&mut self, helper: Helper, arguments: &[Expr]) -> Expr {
        let function = self.helper(helper);
        self.call_function(function, arguments)
    }

    fn call_function(&mut self, function: Handle<Function>, arguments: &[Expr]) -> Expr {
        let result = self.pre(Expression::CallResult(function));
        self.push(Statement::Call {
            function,
            arguments: arguments.to_vec(),
            result: Some(result),
        });
        result
    }

    /// Ends the function with `return value` and hands it out, leaving an empty one.
    pub(crate) fn take_function(&mut self, value: Option<Expr>) -> Function {
        self.push(Statement::Return { value });
        let mut body = std::mem::replace(&mut self.body, Body::new());
        body.function.body = body.blocks.pop().expect("the function's block is open");
        debug_assert!(body.blocks.is_empty());
        keep_table(body.memo);
        keep_table(body.pre);
        body.function
    }

    /// Builds a function apart from the current one.
    fn side_function(
        &mut self,
        name: &str,
        parameters: &[Handle<Type>],
        result: Handle<Type>,
        build: impl FnOnce(&mut Self) -> Expr,
    ) -> Handle<Function> {
        let outer = std::mem::replace(&mut self.body, Body::new());
        let function = self.function();
        function.name = Some(name.into());
        function.arguments = parameters
            .iter()
            .map(|&ty| naga::FunctionArgument {
                name: None,
                ty,
                binding: None,
            })
            .collect();
        function.result = Some(naga::FunctionResult {
            ty: result,
            binding: None,
        });
        let value = build(self);
        let function = self.take_function(Some(value));
        self.body = outer;
        self.module.functions.append(function, SPAN)
    }
}
