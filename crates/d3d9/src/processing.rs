//! Where vertices are processed: what a device was made for, and what it does now.
//!
//! All of it happens on the GPU. What differs is what a program may ask for: software vertex
//! processing has more constants, the `_sw` shader versions and 256 matrices to blend.

use crate::consts::*;
use crate::device::Device;
use crate::direct3d::Caps;
use crate::hresult::Result;
use crate::registers::ConstantCounts;
use crate::resolve::group;

/// What a device was made for, by its `D3DCREATE_*_VERTEXPROCESSING` flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VertexProcessing {
    Hardware,
    Software,
    /// Either, by `SetSoftwareVertexProcessing`; hardware at first.
    Mixed,
}

/// Highest index of a world matrix.
const LAST_WORLD_MATRIX: u32 = 255;

impl VertexProcessing {
    /// By the flags of `CreateDevice`. The documentation wants exactly one of three; drivers take
    /// what there is, and hardware for none.
    pub(crate) fn of(behavior: u32) -> Self {
        let both = D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_HARDWARE_VERTEXPROCESSING;
        if behavior & D3DCREATE_MIXED_VERTEXPROCESSING != 0 || behavior & both == both {
            Self::Mixed
        } else if behavior & D3DCREATE_SOFTWARE_VERTEXPROCESSING != 0 {
            Self::Software
        } else {
            Self::Hardware
        }
    }

    /// The constants of vertex shaders.
    pub(crate) fn constants(self) -> ConstantCounts {
        match self {
            Self::Hardware => ConstantCounts::VERTEX,
            Self::Software | Self::Mixed => ConstantCounts::SOFTWARE_VERTEX,
        }
    }
}

impl Device {
    /// `SetSoftwareVertexProcessing`: changes something on mixed devices; others remember it.
    pub fn set_software_vertex_processing(&mut self, software: bool) -> Result<()> {
        self.recorded(
            |r, x| r.set_software_vertex_processing(x, software),
            |d| {
                d.asked_software = software;
                if d.processing == VertexProcessing::Mixed {
                    d.process_in_software(software);
                }
                Ok(())
            },
        )
    }

    /// `GetSoftwareVertexProcessing`.
    pub fn get_software_vertex_processing(&self) -> bool {
        self.asked_software
    }

    /// Turns software vertex processing on or off, and the capabilities with it.
    pub(crate) fn process_in_software(&mut self, on: bool) {
        self.software_vertices = on;
        self.resolved.touch(group::VERTEX | group::PALETTE);
        let Caps {
            max_vertex_blend_matrix_index,
            max_vertex_shader_const,
            ..
        } = &mut self.caps;
        if on {
            *max_vertex_blend_matrix_index = LAST_WORLD_MATRIX;
            *max_vertex_shader_const = ConstantCounts::SOFTWARE_VERTEX.floats;
        } else {
            *max_vertex_blend_matrix_index = crate::direct3d::LAST_BLEND_MATRIX;
            *max_vertex_shader_const = ConstantCounts::VERTEX.floats;
        }
    }
}
