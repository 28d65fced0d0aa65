//! The renderer's own shaders.

use ninefold_gpu::{Gpu, ShaderModule};

use crate::error::{Error, Result};

/// The module with the shaders of clears and scaled copies, compiled when first used.
#[derive(Default)]
pub(crate) struct UtilityShaders(Option<ShaderModule>);

impl UtilityShaders {
    pub(crate) fn get(&mut self, gpu: &Gpu) -> Result<ShaderModule> {
        if let Some(module) = &self.0 {
            return Ok(module.clone());
        }
        let module = naga::front::wgsl::parse_str(include_str!("utility.wgsl"))
            .map_err(|error| Error::shader(error.message().to_owned()))?;
        let module = gpu.create_shader(module)?;
        self.0 = Some(module.clone());
        Ok(module)
    }
}

/// Left, top, right and bottom of a rectangle of pixels in normalised device coordinates of a
/// target.
pub(crate) fn to_ndc(rect: [f32; 4], width: u32, height: u32) -> [f32; 4] {
    let x = |at: f32| at / width as f32 * 2.0 - 1.0;
    let y = |at: f32| 1.0 - at / height as f32 * 2.0;
    [x(rect[0]), y(rect[1]), x(rect[2]), y(rect[3])]
}
