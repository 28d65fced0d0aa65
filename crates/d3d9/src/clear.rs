//! Clear.

use crate::device::Device;
use crate::hresult::Result;
use crate::types::Rect;

impl Device {
    /// `Clear`: `flags` are `D3DCLEAR_*`, `color` is 0xAARRGGBB, `z` 0 to 1. No rectangles clear the
    /// viewport; each is cut by the viewport and, when its test is on, the scissor rectangle.
    pub fn clear(
        &mut self,
        rects: &[Rect],
        flags: u32,
        color: u32,
        z: f32,
        stencil: u32,
    ) -> Result<()> {
        todo!()
    }
}
