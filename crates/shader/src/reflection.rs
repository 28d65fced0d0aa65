//! What a caller must know about a translated function to feed it.

use crate::Link;
use ninefold_bytecode::{SamplerKind, Stage, Usage};

/// A run of float constant registers that a function reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConstRange {
    /// First register of the run.
    pub first: u16,
    /// Registers in the run, at least 1.
    pub count: u16,
    /// Place of the first register in the packed buffer, in `vec4`s.
    pub packed_at: u16,
}

/// A float constant that the shader itself defines (`def`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatDef {
    /// Constant register.
    pub register: u16,
    /// Its value; already clamped to -1 to 1 in ps_1_x.
    pub value: [f32; 4],
}

/// A vertex attribute, at the shader location equal to its index in [`Reflection::attributes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attribute {
    /// Declared usage (`D3DDECLUSAGE`).
    pub usage: Usage,
    /// Usage index.
    pub index: u8,
    /// Input register `v<n>` that receives it.
    pub register: u16,
}

/// A sampler that a function reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SamplerUse {
    /// Sampler register `s<n>`: 0-15 in pixel functions, 0-3 in vertex functions.
    pub register: u8,
    /// Kind of texture that must be bound.
    pub kind: SamplerKind,
    /// The texture is bound as a depth texture and the sampler as one that compares
    /// ([`texels::COMPARE`](crate::texels::COMPARE)).
    pub compares: bool,
}

/// Constants that only software vertex processing and the reference device had: more floats than
/// a window of group 0 holds, and integer and boolean registers past 15. They lie in a read-only
/// storage buffer, one row of four words each: the float constants as
/// [`Reflection::float_ranges`] packs them (when `floats`), then the integer registers, then the
/// boolean ones, whose first word is 0 or 1. [`Reflection::pack_large`] writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LargeConstants {
    /// The float constants lie in the storage buffer, none in the window.
    pub floats: bool,
    /// Integer registers past `i15` that are read, ascending.
    pub ints: Vec<u16>,
    /// Boolean registers past `b15` that are read, ascending.
    pub bools: Vec<u16>,
}

/// What a caller must know about a function to feed it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reflection {
    /// Stage of the function.
    pub stage: Stage,
    /// Float constants to upload, ascending and apart from each other. Registers set
    /// by `def` are not in it, unless `uses_relative` (then: the whole file, one range).
    pub float_ranges: Vec<ConstRange>,
    /// Length of the packed float buffer, in `vec4`s.
    pub packed_floats: u16,
    /// Bit n set: integer constant `i<n>` is read from the extras block.
    pub int_mask: u16,
    /// Bit n set: boolean constant `b<n>` is read from the extras block.
    pub bool_mask: u16,
    /// What lies in the storage buffer of group 2.
    pub large: LargeConstants,
    /// The float file is indexed at run time (`c[a0.x + n]`).
    pub uses_relative: bool,
    /// Float constants set by the shader. With `uses_relative` they must be written over
    /// the application's values in the upload ([`Reflection::pack_floats`] does).
    pub defs: Vec<FloatDef>,
    /// Vertex attributes; the location of each is its index here.
    pub attributes: Vec<Attribute>,
    /// Vertex stage: bit n set when varying location n is written.
    pub outputs_mask: u32,
    /// Pixel stage: bit n set when varying location n is read, missing ones included.
    pub inputs_mask: u32,
    /// Pixel stage: what a vs_3_0 function must be given as [`Options::link`].
    ///
    /// [`Options::link`]: crate::Options::link
    pub link: Link,
    /// Samplers, ascending by register.
    pub samplers: Vec<SamplerUse>,
    /// The pixel shader writes depth.
    pub writes_depth: bool,
    /// Bit n set: colour output n is written.
    pub color_outputs: u8,
    /// The extras block of the stage is read.
    pub uses_extras: bool,
}

impl Reflection {
    /// A reflection of nothing used.
    pub fn new(stage: Stage) -> Self {
        Self {
            stage,
            float_ranges: Vec::new(),
            packed_floats: 0,
            int_mask: 0,
            bool_mask: 0,
            large: LargeConstants::default(),
            uses_relative: false,
            defs: Vec::new(),
            attributes: Vec::new(),
            outputs_mask: 0,
            inputs_mask: 0,
            link: Link::default(),
            samplers: Vec::new(),
            writes_depth: false,
            color_outputs: 0,
            uses_extras: false,
        }
    }

    /// Copies the registers this function reads from `file`, the application's float
    /// constants from `c0` on, to the front of `out`, in the layout the function expects.
    ///
    /// Returns the number of `vec4`s written, [`Reflection::packed_floats`] unless `out`
    /// is shorter. Registers beyond the end of `file` read as zero.
    pub fn pack_floats(&self, file: &[[f32; 4]], out: &mut [[f32; 4]]) -> usize {
        let mut written = 0;
        for range in &self.float_ranges {
            let at = usize::from(range.packed_at).min(out.len());
            let count = usize::from(range.count).min(out.len() - at);
            let from = usize::from(range.first).min(file.len());
            let have = count.min(file.len() - from);
            out[at..at + have].copy_from_slice(&file[from..from + have]);
            out[at + have..at + count].fill([0.0; 4]);
            written = at + count;
        }
        if self.uses_relative {
            for def in &self.defs {
                if let Some(slot) = out[..written].get_mut(usize::from(def.register)) {
                    *slot = def.value;
                }
            }
        }
        written
    }

    /// Rows of four words in the storage buffer of group 2; 0 when the function has none.
    pub fn large_rows(&self) -> usize {
        let floats = match self.large.floats {
            true => usize::from(self.packed_floats),
            false => 0,
        };
        floats + self.large.ints.len() + self.large.bools.len()
    }

    /// Rows of the window of float constants; 0 where they lie in the storage buffer.
    pub fn window_rows(&self) -> usize {
        match self.large.floats {
            true => 0,
            false => self.packed_floats.into(),
        }
    }

    /// Writes the storage buffer of group 2 to the front of `out`: from the application's float
    /// registers from `c0` on, its integer registers from `i0` on, and its booleans, bit n of
    /// word n / 32 for `b<n>`.
    ///
    /// Returns the rows written, [`Reflection::large_rows`] unless `out` is shorter. Registers
    /// beyond the end of what is given read as zero.
    pub fn pack_large(
        &self,
        floats: &[[f32; 4]],
        ints: &[[i32; 4]],
        bools: &[u32],
        out: &mut [[u32; 4]],
    ) -> usize {
        let mut written = match self.large.floats {
            true => self.pack_floats(floats, bytemuck::cast_slice_mut(out)),
            false => 0,
        };
        let int = |&register: &u16| {
            let value = ints.get(usize::from(register)).copied();
            value.unwrap_or_default().map(i32::cast_unsigned)
        };
        let bool = |&register: &u16| {
            let word = bools.get(usize::from(register / 32)).copied();
            [word.unwrap_or_default() >> (register % 32) & 1, 0, 0, 0]
        };
        let LargeConstants {
            ints: first, bools, ..
        } = &self.large;
        let rows = first.iter().map(int).chain(bools.iter().map(bool));
        for (row, value) in out[written..].iter_mut().zip(rows) {
            *row = value;
            written += 1;
        }
        written
    }
}
