//! Shader modules.

use std::borrow::Cow;
use std::sync::Arc;

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use wgpu_hal as hal;
use wgpu_types as wgt;

use crate::device::Gpu;
use crate::error::{Error, Result};
use crate::raw::RawShader;
use crate::shared::Shared;

/// A compiled shader module with one or more entry points. Clones share it.
#[derive(Clone)]
pub struct ShaderModule(pub(crate) Arc<ShaderInner>);

pub(crate) struct ShaderInner {
    pub(crate) raw: RawShader,
    /// Kept for comparing entry points with pipelines.
    pub(crate) module: naga::Module,
    pub(crate) info: ModuleInfo,
}

impl std::fmt::Debug for ShaderModule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.0.module.entry_points.iter().map(|entry| &entry.name))
            .finish()
    }
}

/// The language features that a module may use on this device.
fn capabilities(features: wgt::Features) -> Capabilities {
    let mut caps = Capabilities::empty();
    for (feature, capability) in [
        (wgt::Features::IMMEDIATES, Capabilities::IMMEDIATES),
        (wgt::Features::CLIP_DISTANCES, Capabilities::CLIP_DISTANCES),
        (
            wgt::Features::DUAL_SOURCE_BLENDING,
            Capabilities::DUAL_SOURCE_BLENDING,
        ),
    ] {
        caps.set(capability, features.contains(feature));
    }
    caps
}

impl Gpu {
    /// Compiles `module`, which is validated here for this device.
    ///
    /// A dynamic index outside a constant array reads 0 or the array's last
    /// element. May be called from any thread.
    ///
    /// # Errors
    /// [`Error::Shader`] with the validator's words;
    /// [`Error::OutOfMemory`]; [`Error::DeviceLost`].
    pub fn create_shader(&self, module: naga::Module) -> Result<ShaderModule> {
        let shared = self.shared();
        shared.alive()?;
        let info = Validator::new(ValidationFlags::all(), capabilities(shared.features))
            .validate(&module)
            .map_err(|error| Error::Shader(words(&error).into()))?;
        let raw = compile(shared, &module, &info)?;
        Ok(ShaderModule(Arc::new(ShaderInner { raw, module, info })))
    }
}

/// The one place where a back end's own input is chosen: all take the naga
/// module today; Metal is to get MSL text here, so that it compiles one library
/// for each module and not for each pipeline.
fn compile(shared: &Arc<Shared>, module: &naga::Module, info: &ModuleInfo) -> Result<RawShader> {
    let desc = hal::ShaderModuleDescriptor {
        label: None,
        runtime_checks: wgt::ShaderRuntimeChecks {
            bounds_checks: true,
            ..wgt::ShaderRuntimeChecks::unchecked()
        },
    };
    let input = hal::ShaderInput::Naga(hal::NagaShader {
        module: Cow::Owned(module.clone()),
        info: info.clone(),
        debug_source: None,
    });
    // SAFETY: `info` is the validator's answer for this very module.
    let object = unsafe { shared.device.create_shader_module(&desc, input) };
    match object {
        Ok(object) => Ok(RawShader::new(shared, object)),
        Err(hal::ShaderError::Device(error)) => Err(shared.failed(error)),
        Err(hal::ShaderError::Compilation(text)) => Err(Error::Shader(text.into())),
    }
}

/// An error and its causes in one line.
fn words(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
