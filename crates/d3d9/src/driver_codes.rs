//! What the drivers of Direct3D 9's time offered beside its documentation: codes written into
//! render states that mean something else.
//!
//! | code | state | meaning |
//! |---|---|---|
//! | `ATOC` | `D3DRS_ADAPTIVETESS_Y` | NVIDIA's: alpha decides which samples a pixel covers, until the state is anything else |
//! | `A2M1`, `A2M0` | `D3DRS_POINTSIZE` | AMD's: the same, on and off; sizes of points in between change nothing |
//! | 0x7FA05000 | `D3DRS_POINTSIZE` | AMD's `RESZ`: copies the depth of the depth-stencil surface into the depth texture of stage 0 at once, the first sample of each pixel |

use ninefold_renderer::Attachment;

use crate::consts::*;
use crate::device::Device;
use crate::fault::Outcome;
use crate::resolve::group;
use crate::state::State;

const ATOC: u32 = D3DFMT_ATOC;
const A2M1: u32 = u32::from_le_bytes(*b"A2M1");
const A2M0: u32 = u32::from_le_bytes(*b"A2M0");
const RESZ: u32 = 0x7FA0_5000;

/// Whether alpha decides which samples are covered.
pub(crate) fn alpha_to_coverage(s: &State) -> bool {
    s.alpha_to_coverage || s.rs(D3DRS_ADAPTIVETESS_Y) == ATOC
}

impl Device {
    /// What a value of `D3DRS_POINTSIZE` asks for beside a size.
    pub(crate) fn point_size_code(&mut self, value: u32) -> Outcome<()> {
        match value {
            A2M1 | A2M0 => {
                self.state.alpha_to_coverage = value == A2M1;
                self.resolved.touch(group::RASTER);
                Ok(())
            }
            RESZ => self.depth_to_texture(),
            _ => Ok(()),
        }
    }

    /// Copies the depth that is tested against to the depth texture of stage 0; nothing where
    /// there is none.
    #[cold]
    fn depth_to_texture(&mut self) -> Outcome<()> {
        let (Some((from, sub)), Some(texture)) = (self.bindings.depth, self.state.textures[0])
        else {
            return Ok(());
        };
        let to = texture.raw();
        if from == to || !self.resource(to, "texture")?.is_depth() {
            return Ok(());
        }
        let (level, layer) = self.resource(from, "depth surface")?.place(sub);
        let source = Attachment {
            level,
            layer,
            ..Attachment::new(self.ready_image(from, "depth surface")?)
        };
        let destination = Attachment::new(self.ready_image(to, "texture")?);
        self.renderer.copy_depth(&source, &destination)?;
        self.written_on_gpu(to, 0)
    }
}
