//! Samplers.

use std::sync::Arc;

use wgpu_hal as hal;
use wgpu_types as wgt;

use crate::desc::SamplerDesc;
use crate::device::Gpu;
use crate::error::{Result, invalid};
use crate::raw::RawSampler;

/// How a shader reads a texture. Clones share it.
#[derive(Clone)]
pub struct Sampler(pub(crate) Arc<SamplerInner>);

pub(crate) struct SamplerInner {
    pub(crate) raw: RawSampler,
    pub(crate) compare: bool,
    pub(crate) linear: bool,
}

impl std::fmt::Debug for Sampler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sampler")
            .field("compare", &self.0.compare)
            .finish_non_exhaustive()
    }
}

impl Gpu {
    /// Creates a sampler. Anisotropy over the device's is lowered to it.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] for an anisotropy of 0, over 16 or with point
    /// filters of minification or mips, a level range that is not 0 or more and growing, and border
    /// addressing or a border colour that the device lacks.
    pub fn create_sampler(&self, desc: &SamplerDesc) -> Result<Sampler> {
        let shared = self.shared();
        shared.alive()?;
        let linear = desc.mag == wgt::FilterMode::Linear
            || desc.min == wgt::FilterMode::Linear
            || desc.mip == wgt::MipmapFilterMode::Linear;
        // Magnification has no part in it: no driver API asks for a linear filter there.
        let minifies_linearly =
            desc.min == wgt::FilterMode::Linear && desc.mip == wgt::MipmapFilterMode::Linear;
        if !(1..=16).contains(&desc.anisotropy) || (desc.anisotropy > 1 && !minifies_linearly) {
            return Err(invalid(format!(
                "sampler anisotropy {} must be 1 to 16, and 1 unless minification and mips are \
                 linear",
                desc.anisotropy
            )));
        }
        if !(desc.lod.start >= 0.0 && desc.lod.end >= desc.lod.start) {
            return Err(invalid(format!(
                "sampler level range {:?} must grow from 0",
                desc.lod
            )));
        }
        let bordered = desc.address.contains(&wgt::AddressMode::ClampToBorder);
        if bordered && (!shared.caps.border_clamp || desc.border.is_none()) {
            return Err(invalid(
                "border addressing needs the device's border_clamp and a colour",
            ));
        }
        if desc.border == Some(wgt::SamplerBorderColor::Zero)
            && !shared
                .features
                .contains(wgt::Features::ADDRESS_MODE_CLAMP_TO_ZERO)
        {
            return Err(invalid(
                "border colour Zero is not available; use TransparentBlack",
            ));
        }
        let hal_desc = hal::SamplerDescriptor {
            label: None,
            address_modes: desc.address,
            mag_filter: desc.mag,
            min_filter: desc.min,
            mipmap_filter: desc.mip,
            lod_clamp: desc.lod.clone(),
            compare: desc.compare,
            anisotropy_clamp: desc.anisotropy.min(shared.caps.max_anisotropy),
            border_color: if bordered { desc.border } else { None },
        };
        // SAFETY: the values were checked against the device's features above.
        let object = shared.check(unsafe { shared.device.create_sampler(&hal_desc) })?;
        Ok(Sampler(Arc::new(SamplerInner {
            raw: RawSampler::new(shared, object),
            compare: desc.compare.is_some(),
            linear,
        })))
    }
}

impl Sampler {
    /// Whether both handles are of one sampler.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
