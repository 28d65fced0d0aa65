//! Shader modules.

use std::borrow::Cow;
use std::sync::Arc;

use naga::back::msl::EntryPointResources;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use wgpu_hal as hal;
use wgpu_types as wgt;

use crate::device::Gpu;
use crate::error::{Error, Result};
use crate::msl::{self, Msl};
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
    /// Slots that its text was written for, to be compared with layouts.
    pub(crate) slots: Option<EntryPointResources>,
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
        self.create(module, None)
    }

    /// Compiles `module`, which has one entry point, from `msl` where the device takes it
    /// ([`crate::Caps::takes_msl`]): once, for all pipelines that it will be in. Other devices get
    /// the module; the slots of the text are compared with the layouts of pipelines on all.
    ///
    /// # Errors
    /// As [`Gpu::create_shader`], and [`Error::Shader`] when the text lacks a slot or would need
    /// the size of a buffer.
    pub fn create_shader_with_msl(&self, module: naga::Module, msl: &Msl) -> Result<ShaderModule> {
        if module.entry_points.len() != 1 {
            return Err(Error::Shader(
                format!(
                    "MSL for {} entry points, not one",
                    module.entry_points.len()
                )
                .into(),
            ));
        }
        msl::check(&module, &msl.slots)?;
        self.create(module, Some(msl))
    }

    fn create(&self, module: naga::Module, msl: Option<&Msl>) -> Result<ShaderModule> {
        let shared = self.shared();
        shared.alive()?;
        let info = Validator::new(ValidationFlags::all(), capabilities(shared.features))
            .validate(&module)
            .map_err(|error| Error::Shader(words(&error).into()))?;
        let text = msl.filter(|_| self.caps().takes_msl);
        let input = match text {
            Some(msl) => hal::ShaderInput::Msl {
                shader: &msl.text,
                // Every entry point is looked up here, those without workgroups too.
                num_workgroups: module
                    .entry_points
                    .iter()
                    .map(|entry| (entry.name.clone(), (0, 0, 0)))
                    .collect(),
            },
            None => hal::ShaderInput::Naga(hal::NagaShader {
                module: Cow::Owned(module.clone()),
                info: info.clone(),
                debug_source: None,
            }),
        };
        let raw = compile(shared, input)?;
        Ok(ShaderModule(Arc::new(ShaderInner {
            raw,
            module,
            info,
            slots: msl.map(|msl| msl.slots.clone()),
        })))
    }
}

/// `input` is a module with the validator's answer for it, or text of it for a device that takes
/// text.
fn compile(shared: &Arc<Shared>, input: hal::ShaderInput<'_>) -> Result<RawShader> {
    let desc = hal::ShaderModuleDescriptor {
        label: None,
        runtime_checks: wgt::ShaderRuntimeChecks {
            bounds_checks: true,
            ..wgt::ShaderRuntimeChecks::unchecked()
        },
    };
    // SAFETY: `info` is the validator's answer for this very module. Text does what the module does,
    // as `Msl` demands of who hands it down, and finds its resources where it was written to:
    // `link::check` compares that with every pipeline.
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
