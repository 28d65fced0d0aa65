//! Metal Shading Language.

use super::{entry_named, gradients, points, refuse};
use crate::{Error, Stage, Translation, abi};
use naga::back::msl::{self, EntryPointResources};
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};

/// A system that runs Metal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ApplePlatform {
    /// macOS on a Mac.
    MacOs,
    /// iOS and iPadOS.
    Ios,
    /// visionOS.
    VisionOs,
}

/// A version of the Metal Shading Language on a platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MslVersion {
    /// Where it will run.
    pub platform: ApplePlatform,
    /// Major and minor version of the language, such as (2, 1).
    pub version: (u8, u8),
}

impl MslVersion {
    /// Metal 2.1 on macOS 10.14: the least that has invariant positions.
    pub const MACOS: Self = Self::new(ApplePlatform::MacOs, 2, 1);
    /// Metal 2.1 on iOS 12: the least that has invariant positions.
    pub const IOS: Self = Self::new(ApplePlatform::Ios, 2, 1);
    /// Metal 3.1, the language visionOS 1 came with.
    pub const VISIONOS: Self = Self::new(ApplePlatform::VisionOs, 3, 1);

    /// Version `major.minor` on `platform`; [`msl_version`] says whether it will do.
    pub const fn new(platform: ApplePlatform, major: u8, minor: u8) -> Self {
        Self {
            platform,
            version: (major, minor),
        }
    }

    /// The least version on the platform that this is compiled for, macOS where Metal is unknown.
    pub const fn here() -> Self {
        if cfg!(target_os = "visionos") {
            Self::VISIONOS
        } else if cfg!(all(target_vendor = "apple", not(target_os = "macos"))) {
            Self::IOS
        } else {
            Self::MACOS
        }
    }

    /// The least version of the language on `platform` that can hold a translated function.
    pub const fn least(platform: ApplePlatform) -> Self {
        match platform {
            ApplePlatform::MacOs => Self::MACOS,
            ApplePlatform::Ios => Self::IOS,
            ApplePlatform::VisionOs => Self::VISIONOS,
        }
    }
}

/// Buffer slot of the large constants: the first after the uniform buffers.
const LARGE_SLOT: u8 = 4;

/// Highest version the writer knows.
const NEWEST: (u8, u8) = (4, 0);

/// Metal Shading Language text for macOS, version 2.1; see [`msl_version`].
///
/// # Errors
/// [`Error::Writer`] when naga's writer refuses the module.
pub fn msl(translation: &Translation) -> Result<String, Error> {
    msl_version(translation, MslVersion::MACOS)
}

/// Metal Shading Language text of a given version.
///
/// Slots: uniform buffer `n` of group 0 is `[[buffer(n)]]`; pixel sampler `s` is
/// `[[texture(s)]]` and `[[sampler(s)]]`, vertex sampler `k` is `[[texture(k)]]` and
/// `[[sampler(k)]]`; vertex attributes come through `[[stage_in]]`, so vertex buffers may lie in
/// any slot from 5 on. The large constants of a stage are `[[buffer(4)]]`.
///
/// # Errors
/// [`Error::Writer`] when naga's writer refuses the module, or the version is one that the
/// platform never had, or older than a translated function needs.
pub fn msl_version(translation: &Translation, target: MslVersion) -> Result<String, Error> {
    let mut resources = EntryPointResources::default();
    for (_, global) in translation.module.global_variables.iter() {
        if let Some(binding) = global.binding {
            let slot = slot(translation.reflection.stage, binding);
            resources.resources.insert(binding, slot);
        }
    }
    write(translation, target, resources, BoundsCheckPolicy::Unchecked)
}

/// Metal Shading Language text for a driver that binds resources where `slots` say, such as
/// `wgpu-hal` (`ninefold_gpu::PipelineLayout::msl_slots`): a library of this text alone serves every
/// pipeline that the function is part of.
///
/// Nothing in it depends on a pipeline. Attributes come through `[[stage_in]]`, whatever buffers
/// they lie in. A point size is in the text exactly when the function gives one, as functions for
/// points do and others do not ([`Options::point_size`](crate::Options::point_size)). Indices past
/// the end of an array read its last element.
///
/// `wgpu-hal` compiles text without Metal's `preserveInvariance`, so that two functions might
/// place one vertex apart by a rounding. Where the language has the pragmas (Metal 3.2), vertex
/// functions therefore ask for arithmetic that is what it says, fused and rearranged by nobody.
///
/// # Errors
/// As [`msl_version`], and [`Error::Writer`] when `slots` lack a resource of the function.
pub fn msl_with_slots(
    translation: &Translation,
    target: MslVersion,
    slots: &EntryPointResources,
) -> Result<String, Error> {
    let mut text = write(
        translation,
        target,
        slots.clone(),
        BoundsCheckPolicy::Restrict,
    )?;
    if translation.reflection.stage == Stage::Vertex {
        let at = text.rfind("#include <").unwrap_or(0);
        let line = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
        text.insert_str(line, EXACT);
    }
    Ok(text)
}

/// Arithmetic without liberties, in a language that has words for it.
const EXACT: &str = "\
#if __METAL_VERSION__ >= 320
#pragma METAL fp math_mode(safe)
#pragma METAL fp contract(off)
#endif
";

fn write(
    translation: &Translation,
    target: MslVersion,
    resources: EntryPointResources,
    bounds: BoundsCheckPolicy,
) -> Result<String, Error> {
    let least = MslVersion::least(target.platform).version;
    if target.version < least || target.version > NEWEST {
        return Err(refuse("MSL")(format!(
            "version {}.{} on {:?}: {}.{} to {}.{} are possible",
            target.version.0,
            target.version.1,
            target.platform,
            least.0,
            least.1,
            NEWEST.0,
            NEWEST.1,
        )));
    }
    let mut options = msl::Options {
        lang_version: target.version,
        // Every loop of a translated function counts down from at most 255.
        force_loop_bounding: false,
        fake_missing_bindings: false,
        bounds_check_policies: BoundsCheckPolicies {
            index: bounds,
            buffer: bounds,
            image_load: bounds,
            binding_array: BoundsCheckPolicy::Unchecked,
        },
        ..Default::default()
    };
    options
        .per_entry_point_map
        .insert(translation.entry.clone(), resources);
    let pipeline = msl::PipelineOptions {
        // naga leaves sizes out otherwise; functions for other primitives have none.
        allow_and_force_point_size: points::has_point_size(translation),
        ..Default::default()
    };
    msl::write_string(&translation.module, &translation.info, &options, &pipeline)
        .map_err(|error| error.to_string())
        .and_then(
            |(text, info)| match info.entry_point_names.into_iter().next() {
                Some(Err(error)) => Err(error.to_string()),
                _ => Ok(text),
            },
        )
        .map(|text| gradients::typed(entry_named(text, &translation.entry)))
        .map_err(refuse("MSL"))
}

fn slot(stage: Stage, binding: naga::ResourceBinding) -> msl::BindTarget {
    if binding.group == abi::UNIFORM_GROUP {
        return msl::BindTarget {
            buffer: Some(binding.binding as u8),
            ..Default::default()
        };
    }
    if binding.group == abi::LARGE_GROUP {
        return msl::BindTarget {
            buffer: Some(LARGE_SLOT),
            ..Default::default()
        };
    }
    let first = match stage {
        Stage::Vertex => abi::PIXEL_SAMPLERS,
        Stage::Pixel => 0,
    };
    let slot = (binding.binding / 2 - first) as u8;
    match binding.binding % 2 {
        0 => msl::BindTarget {
            texture: Some(slot),
            ..Default::default()
        },
        _ => msl::BindTarget {
            sampler: Some(msl::BindSamplerTarget::Resource(slot)),
            ..Default::default()
        },
    }
}
