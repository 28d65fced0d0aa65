//! The vertex half of the fixed-function pipeline, run on the CPU.
//!
//! Written from the formulas of the Direct3D 9 documentation ("Mathematics of
//! Lighting", "Fog Formulas", "Texture Coordinate Processing", "Point Sprites",
//! "Geometry Blending") and from nothing else of this project, so that it checks
//! the generated shaders and they check it.
//!
//! A [`Pipeline`] is prepared from a [`State`] once and runs any number of
//! vertices without allocating:
//!
//! ```
//! use ninefold_exec::fixed::{Elements, Pipeline, State, Vertex};
//!
//! let state = State { lighting: false, ..State::default() };
//! let elements = Elements { diffuse: true, ..Elements::default() };
//! let pipeline = Pipeline::new(&state, &elements);
//! let out = pipeline.run(&Vertex {
//!     position: [0.5, -0.5, 0.25, 1.0],
//!     diffuse: [1.0, 0.5, 0.0, 1.0],
//!     ..Vertex::default()
//! });
//! assert_eq!(out.position, [0.5, -0.5, 0.25, 1.0]);
//! assert_eq!(state.viewport.pixels(out.position), [480.0, 360.0, 0.25, 1.0]);
//! assert_eq!(out.diffuse, [1.0, 0.5, 0.0, 1.0]);
//! ```

mod coordinates;
mod lighting;
mod linear;
mod pipeline;
mod state;

pub use linear::Matrix;
pub use pipeline::{Output, Pipeline, Vertex};
pub use state::{Elements, Fog, Light, Material, Points, Stage, State, Viewport};
