//! A faster way to run skinning shaders that are known token for token.
//!
//! Games that skin on the CPU run one shader for all their vertices. [`SkinShaders`] holds such
//! shaders with what each of their registers is for ([`SkinRoles`]); a program whose complete
//! token stream, comments included, is one of these may be run by [`Skin::run`] instead of
//! [`Group::run`], with the same results bit for bit in every rounding mode. Any other stream is
//! no match.
//!
//! What the shader computes, component by component with the products and sums of the
//! interpreter, in their order:
//!
//! ```text
//! a[i]      = floor(index[i] * scale + offset)              i = 0, 1
//! row[k]    = weight[1] * c[palette + a[1] + k] + weight[0] * c[palette + a[0] + k]
//! oPos[k]   = dp4(position, row[k])                         k = 0, 1, 2
//! oPos.w    = coordinates.<position_w>
//! oT0       = coordinates
//! ```
//!
//! [`Group::run`]: crate::Group::run

mod run;
mod stream;

pub use run::{SkinGroup, Vectors};
pub use stream::{SkinBones, SkinLayout, SkinStream, SkinWatch};

use crate::limits::VERTEX_INPUTS;
use crate::program::Program;
use crate::{Constants, NoTextures, Options, VertexInput, VertexOutput};
use ninefold_bytecode::{ShaderCode, Usage, assemble};
use std::collections::HashMap;
use std::sync::Arc;

/// The skinning shader that is known from the start: bone indices times `c9.w` plus `c5.w` are
/// registers from `c29` on, of two bones with three rows each.
pub const SHADER: &str = "vs_1_1
    dcl_position v0
    dcl_normal v1
    dcl_blendweight v2
    dcl_blendindices v3
    dcl_texcoord v4
    mad r0, v3, c9.w, c5.w
    mov a0.x, r0.x
    mul r1, v2.x, c[a0.x + 29]
    mul r2, v2.x, c[a0.x + 30]
    mul r3, v2.x, c[a0.x + 31]
    mov a0.x, r0.y
    mad r1, v2.y, c[a0.x + 29], r1
    mad r2, v2.y, c[a0.x + 30], r2
    mad r3, v2.y, c[a0.x + 31], r3
    dp4 oPos.x, v0, r1
    dp4 oPos.y, v0, r2
    dp4 oPos.z, v0, r3
    mov oPos.w, v4.x
    mov oT0, v4
";

/// Shaders that may be registered: a program has one or two of them.
const MAX_SHADERS: usize = 64;

/// A component of a register: 0 to 3 for x to w.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// Number of the register.
    pub register: u8,
    /// The component, 0 to 3.
    pub component: u8,
}

impl Scalar {
    /// `register.component`.
    pub const fn new(register: u8, component: u8) -> Self {
        Scalar {
            register,
            component,
        }
    }
}

/// What the registers of a skinning shader are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinRoles {
    /// The input (`v<n>`) that holds the position.
    pub position: u8,
    /// The inputs' components that hold the first and the second bone's index.
    pub indices: [Scalar; 2],
    /// The inputs' components that hold the first and the second bone's weight.
    pub weights: [Scalar; 2],
    /// The input that holds the texture coordinates.
    pub coordinates: u8,
    /// The component of the coordinates that becomes `oPos.w`.
    pub position_w: u8,
    /// The constant (`c<n>`) that indices are multiplied by.
    pub scale: Scalar,
    /// The constant that is added to them then.
    pub offset: Scalar,
    /// The constant that index 0 addresses: the first of a bone's three rows.
    pub palette: u8,
}

impl SkinRoles {
    /// Those of [`SHADER`].
    pub const KNOWN: SkinRoles = SkinRoles {
        position: 0,
        indices: [Scalar::new(3, 0), Scalar::new(3, 1)],
        weights: [Scalar::new(2, 0), Scalar::new(2, 1)],
        coordinates: 4,
        position_w: 0,
        scale: Scalar::new(9, 3),
        offset: Scalar::new(5, 3),
        palette: 29,
    };
}

/// Why a stream cannot be registered as a skinning shader.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SkinError {
    /// It is not a vs_1_1.
    #[error("expected a vs_1_1, found {0}")]
    Version(ninefold_bytecode::Version),
    /// A role names what there is not.
    #[error("{role}: {found} is out of range, expected {expected}")]
    Role {
        /// The field of [`SkinRoles`].
        role: &'static str,
        /// What it says.
        found: u8,
        /// What it may say.
        expected: &'static str,
    },
    /// It defines constants of its own, which relative addresses could reach.
    #[error("the shader defines c{0}, expected all constants from the application")]
    Literals(u16),
    /// It reads an input that has no role, or does not read one that has.
    #[error("v{0} is read and has no role, or has one and is not read")]
    Inputs(u8),
    /// It does not write oPos and oT0 alone.
    #[error("expected oPos and oT0 to be written, and no other output")]
    Outputs,
    /// The shader gives other results than one with these roles.
    #[error("the shader does not compute what the roles say: on vertex {0} of the trial")]
    Results(usize),
    /// There are enough.
    #[error("there are {MAX_SHADERS} skinning shaders already")]
    TooMany,
}

/// The skinning shaders that are known.
#[derive(Clone, Debug)]
pub struct SkinShaders(HashMap<Arc<[u32]>, Skin>);

/// A way to run one skinning shader, from [`SkinShaders::find`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skin {
    roles: SkinRoles,
}

impl Default for SkinShaders {
    /// [`SHADER`] alone.
    fn default() -> Self {
        let mut known = SkinShaders::none();
        if let Ok(code) = assemble(SHADER) {
            let roles = SkinRoles::KNOWN;
            known.0.insert(code.tokens().into(), Skin { roles });
        }
        known
    }
}

impl SkinShaders {
    /// No shader.
    pub fn none() -> Self {
        SkinShaders(HashMap::new())
    }

    /// Adds a shader. That it computes what the roles say is tried on vertices of all kinds,
    /// unusual numbers among them.
    ///
    /// # Errors
    /// [`SkinError`], with nothing added.
    pub fn register(&mut self, code: &ShaderCode, roles: SkinRoles) -> Result<(), SkinError> {
        let version = code.version();
        if !version.is_vertex() || (version.major, version.minor) != (1, 1) {
            return Err(SkinError::Version(version));
        }
        roles.check()?;
        let skin = Skin { roles };
        let program = Program::compile(code, &Options::default());
        skin.fits(&program)?;
        skin.try_out(&program)?;
        if self.0.len() >= MAX_SHADERS && !self.0.contains_key(code.tokens()) {
            return Err(SkinError::TooMany);
        }
        self.0.insert(code.tokens().into(), skin);
        Ok(())
    }

    /// How to run a shader if its complete stream is a known one.
    pub fn find(&self, tokens: &[u32]) -> Option<Skin> {
        self.0.get(tokens).copied()
    }
}

impl SkinRoles {
    fn check(&self) -> Result<(), SkinError> {
        let input = |role, found| match usize::from(found) < VERTEX_INPUTS {
            true => Ok(()),
            false => Err(SkinError::Role {
                role,
                found,
                expected: "an input below 16",
            }),
        };
        let component = |role, found| match found < 4 {
            true => Ok(()),
            false => Err(SkinError::Role {
                role,
                found,
                expected: "a component below 4",
            }),
        };
        input("position", self.position)?;
        input("coordinates", self.coordinates)?;
        for (role, scalars) in [("indices", self.indices), ("weights", self.weights)] {
            for scalar in scalars {
                input(role, scalar.register)?;
                component(role, scalar.component)?;
            }
        }
        component("position_w", self.position_w)?;
        component("scale", self.scale.component)?;
        component("offset", self.offset.component)
    }

    fn inputs(&self) -> u16 {
        let scalars = self.indices.iter().chain(&self.weights);
        scalars
            .map(|scalar| scalar.register)
            .chain([self.position, self.coordinates])
            .fold(0, |all, n| all | 1 << n)
    }
}

impl Skin {
    /// The roles that it goes by.
    pub fn roles(&self) -> &SkinRoles {
        &self.roles
    }

    fn fits(&self, program: &Program) -> Result<(), SkinError> {
        if let Some((register, _)) = program.literals.first() {
            return Err(SkinError::Literals(*register));
        }
        let read = program.inputs().iter().filter(|input| input.read);
        let read = read.fold(0u16, |all, input| all | 1 << (input.place & 15));
        let odd = read ^ self.roles.inputs();
        if odd != 0 {
            return Err(SkinError::Inputs(odd.trailing_zeros() as u8));
        }
        let written = |output: &crate::Output| match output.semantic {
            (Usage::Position | Usage::TexCoord, 0) => output.written.bits() == 0xF,
            _ => false,
        };
        match program.outputs() {
            outputs if outputs.len() == 2 && outputs.iter().all(written) => Ok(()),
            _ => Err(SkinError::Outputs),
        }
    }

    /// Compares both ways on vertices made for it.
    fn try_out(&self, program: &Program) -> Result<(), SkinError> {
        const VERTICES: usize = 1024;
        let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
        let mut floats = vec![[0.0f32; 4]; 256];
        for component in floats.iter_mut().flatten() {
            *component = numbers.any();
        }
        // Indices of 0 to 50 reach rows from the palette on.
        let palette = f32::from(self.roles.palette);
        let (scale, offset) = (self.roles.scale, self.roles.offset);
        floats[usize::from(offset.register)][usize::from(offset.component)] = 0.375;
        floats[usize::from(scale.register)][usize::from(scale.component)] = 3.0;
        let constants = Constants {
            floats: &floats,
            ..Constants::default()
        };
        let bones = ((253.0 - palette) / 3.0).clamp(1.0, 50.0) as u32;
        let inputs: Vec<VertexInput> = (0..VERTICES)
            .map(|_| {
                let mut input = [[0.0; 4]; VERTEX_INPUTS];
                input.iter_mut().flatten().for_each(|x| *x = numbers.any());
                for index in self.roles.indices {
                    let bone = (numbers.next() % bones) as f32;
                    input[usize::from(index.register)][usize::from(index.component)] = bone;
                }
                input
            })
            .collect();
        let mut generic = vec![VertexOutput::default(); VERTICES];
        let mut fast = generic.clone();
        // vs_1_1 has no flow and no addresses of outputs: it ends.
        let ran = program.run_vertices_in::<f32>(
            true,
            &inputs,
            &mut generic,
            &constants,
            &mut NoTextures,
        );
        let same =
            ran.is_ok() && self.run_vertices_in::<f32>(program, &inputs, &mut fast, &constants);
        if !same {
            return Err(SkinError::Results(0));
        }
        let bits = |output: &VertexOutput| output.registers.map(|value| value.map(f32::to_bits));
        let differs = |(a, b): (&VertexOutput, &VertexOutput)| bits(a) != bits(b);
        match generic.iter().zip(&fast).position(differs) {
            Some(vertex) => Err(SkinError::Results(vertex)),
            None => Ok(()),
        }
    }
}

/// Repeatable numbers (xorshift), of all kinds.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 24) as u32
    }

    fn any(&mut self) -> f32 {
        let bits = self.next();
        match bits & 31 {
            0 => 0.0,
            1 => -0.0,
            2 => 1.0,
            3 if bits & 32 != 0 => f32::INFINITY,
            4 if bits & 32 != 0 => f32::NAN,
            5 => f32::from_bits(self.next()),
            _ => (bits >> 8) as f32 / 4e6 - 2.0,
        }
    }
}
