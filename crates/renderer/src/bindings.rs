//! Group 1: textures and samplers.

use core::hash::{Hash, Hasher};
use std::sync::Arc;

use ninefold_gpu::types::{
    AddressMode, CompareFunction, FilterMode, MipmapFilterMode, SamplerBorderColor,
};
use ninefold_gpu::{
    AdapterKind, BindEntry, BindGroup, BindResource, Gpu, Sampler, SamplerDesc, TextureView,
};
use ninefold_shader::abi;

use crate::compiler::Layouts;
use crate::draw::STAGES;
use crate::error::{Error, Result};
use crate::image::ImageKind;
use crate::keys::{SamplerId, Texels};
use crate::lru::Lru;
use crate::sampling::{native_sampler, unfiltered, unpack_sampler};

/// Native samplers kept, as the specification bounds them.
const SAMPLERS: usize = 256;
/// First bit of the stages that compare in a [`TextureLayout`].
const COMPARES: usize = 2 * STAGES;

/// Bind groups kept. A scene of a few thousand draws uses some hundreds.
const BIND_GROUPS: usize = 4096;

/// The textures that a pipeline samples: two bits for each stage, 0 unused, otherwise the kind
/// plus one; above them a bit for each stage that compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct TextureLayout(u64);

impl TextureLayout {
    pub(crate) fn set(&mut self, stage: usize, kind: ImageKind, compares: bool) {
        self.0 |= (kind as u64 + 1) << (2 * stage);
        self.0 |= u64::from(compares) << (COMPARES + stage);
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Used stages in ascending order with their kinds and whether they compare.
    pub(crate) fn stages(self) -> impl Iterator<Item = (usize, ImageKind, bool)> {
        let mut left = self.0 & ((1 << COMPARES) - 1);
        core::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let stage = left.trailing_zeros() as usize / 2;
            let kind = match (left >> (2 * stage)) & 3 {
                1 => ImageKind::D2,
                2 => ImageKind::Cube,
                _ => ImageKind::Volume,
            };
            left &= !(3 << (2 * stage));
            Some((stage, kind, self.0 >> (COMPARES + stage) & 1 != 0))
        })
    }
}

/// What a bind group holds: for each used stage the image (id and sRGB bit) and the sampler.
#[derive(Clone, Copy)]
pub(crate) struct BindKey {
    layout: TextureLayout,
    used: usize,
    entries: [(u64, SamplerId); STAGES],
}

impl BindKey {
    pub(crate) fn new() -> Self {
        Self {
            layout: TextureLayout::default(),
            used: 0,
            entries: [(0, SamplerId(0)); STAGES],
        }
    }

    /// Makes this the key of `layout` with these images (id, sRGB) and samplers in the order of the
    /// stages, and says whether it was that already. Entries are compared and written one by one:
    /// copying whole keys would wait for the writes of the last.
    #[inline]
    pub(crate) fn update(
        &mut self,
        layout: TextureLayout,
        entries: impl Iterator<Item = (u32, bool, SamplerId)>,
    ) -> bool {
        let mut same = self.layout == layout;
        let mut used = 0;
        for ((image, srgb, sampler), entry) in entries.zip(&mut self.entries) {
            let value = (u64::from(image) << 1 | u64::from(srgb), sampler);
            if entry.0 != value.0 || entry.1 != value.1 {
                *entry = value;
                same = false;
            }
            used += 1;
        }
        self.layout = layout;
        self.used = used;
        same
    }

    pub(crate) fn layout(&self) -> TextureLayout {
        self.layout
    }

    pub(crate) fn entries(&self) -> &[(u64, SamplerId)] {
        &self.entries[..self.used]
    }

    fn holds(&self, image: u32) -> bool {
        self.entries()
            .iter()
            .any(|(id, _)| id >> 1 == u64::from(image))
    }
}

impl PartialEq for BindKey {
    fn eq(&self, other: &Self) -> bool {
        self.layout == other.layout && self.entries() == other.entries()
    }
}

impl Eq for BindKey {}

impl Hash for BindKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.layout.0);
        for (image, sampler) in self.entries() {
            state.write_u64(*image);
            state.write_u64(sampler.0);
        }
    }
}

/// Caches of group 1: layouts, samplers, bind groups.
pub(crate) struct Bindings {
    layouts: Arc<Layouts>,
    samplers: Lru<SamplerId, Sampler>,
    groups: Lru<BindKey, BindGroup>,
    pub(crate) made: u64,
}

impl Bindings {
    pub(crate) fn new(layouts: Arc<Layouts>) -> Self {
        Self {
            layouts,
            samplers: Lru::new(SAMPLERS),
            groups: Lru::new(BIND_GROUPS),
            made: 0,
        }
    }

    pub(crate) fn sampler_count(&self) -> usize {
        self.samplers.len()
    }

    /// The slot of the bind group of `key`, for [`Bindings::group_at`].
    #[inline]
    pub(crate) fn find_group(&mut self, key: &BindKey) -> Option<u32> {
        self.groups.find(key)
    }

    #[inline]
    pub(crate) fn group_at(&self, slot: u32) -> Result<&BindGroup> {
        self.groups
            .at(slot)
            .ok_or_else(|| Error::state("the bind group is gone"))
    }

    /// Makes the bind group of `key` out of the views of its stages.
    #[cold]
    pub(crate) fn make_group(
        &mut self,
        gpu: &Gpu,
        key: &BindKey,
        views: &[TextureView],
    ) -> Result<u32> {
        let layout = self.layouts.textures(key.layout)?;
        let mut samplers = Vec::with_capacity(key.used);
        let stages = key.layout.stages().zip(key.entries());
        for (((.., compares), (_, id)), view) in stages.zip(views) {
            let mut id = native_sampler(*id, gpu.caps().border_clamp, compares);
            if !compares && !gpu.format_caps(view.format()).filterable {
                id = unfiltered(id);
            }
            samplers.push(self.native_sampler(gpu, id)?);
        }
        let mut entries = Vec::with_capacity(2 * key.used);
        for ((stage, ..), (view, sampler)) in key.layout.stages().zip(views.iter().zip(&samplers)) {
            entries.push(BindEntry {
                binding: abi::texture_binding(stage as u32),
                resource: BindResource::Texture(view),
            });
            entries.push(BindEntry {
                binding: abi::sampler_binding(stage as u32),
                resource: BindResource::Sampler(sampler),
            });
        }
        let group = gpu.create_bind_group(&layout, &entries)?;
        self.groups.insert(*key, group);
        self.made += 1;
        self.groups
            .find(key)
            .ok_or_else(|| Error::state("the bind group is gone"))
    }

    /// The native sampler of a native id; the least recently used goes when there are too many.
    fn native_sampler(&mut self, gpu: &Gpu, id: SamplerId) -> Result<Sampler> {
        if let Some(sampler) = self.samplers.get(&id) {
            return Ok(sampler.clone());
        }
        let sampler = gpu.create_sampler(&describe_sampler(gpu, id))?;
        self.samplers.insert(id, sampler.clone());
        Ok(sampler)
    }

    /// Drops the bind groups that hold one of these images.
    pub(crate) fn forget(&mut self, images: &[u32]) {
        if images.is_empty() {
            return;
        }
        let dead: Vec<BindKey> = self
            .groups
            .keys_oldest_first()
            .filter(|(key, _)| images.iter().any(|&image| key.holds(image)))
            .map(|(key, _)| *key)
            .collect();
        for key in dead {
            self.groups.remove(&key);
        }
    }
}

/// A sampler that says `MIPFILTER NONE` still minifies: a level of detail of up to a quarter picks
/// the minification filter and rounds to the same level.
const SINGLE_LEVEL: f32 = 0.25;
/// More levels than any image has.
const ALL_LEVELS: f32 = 32.0;

/// Describes a native sampler (of [`native_sampler`]).
fn describe_sampler(gpu: &Gpu, id: SamplerId) -> SamplerDesc {
    describe(gpu.adapter_info().kind == AdapterKind::Cpu, id)
}

fn describe(software: bool, id: SamplerId) -> SamplerDesc {
    let state = unpack_sampler(id);
    let filter = |linear| {
        if linear {
            FilterMode::Linear
        } else {
            FilterMode::Nearest
        }
    };
    let first = f32::from(state.max_mip_level);
    // Software rasterisers blur with it even where one texel meets one pixel, where Direct3D's
    // anisotropic filter equals the linear one.
    let anisotropy = if software { 1 } else { state.anisotropy.into() };
    let anisotropic = anisotropy > 1;
    let last = match (state.mip, anisotropic) {
        (0, false) => first + SINGLE_LEVEL,
        (0, true) => first,
        _ => ALL_LEVELS,
    };
    // Anisotropic filtering is between linear levels.
    let mip_linear = state.mip == 2 || anisotropic;
    let border = match state.border_color {
        0xFF00_0000 => SamplerBorderColor::OpaqueBlack,
        u32::MAX => SamplerBorderColor::OpaqueWhite,
        _ => SamplerBorderColor::TransparentBlack,
    };
    SamplerDesc {
        address: state.address.map(|mode| match mode {
            2 => AddressMode::MirrorRepeat,
            4 => AddressMode::ClampToBorder,
            3 => AddressMode::ClampToEdge,
            _ => AddressMode::Repeat,
        }),
        mag: filter(state.mag_linear),
        min: filter(state.min_linear),
        mip: if mip_linear {
            MipmapFilterMode::Linear
        } else {
            MipmapFilterMode::Nearest
        },
        lod: first..last,
        compare: (state.texels == Texels::Compare).then_some(CompareFunction::LessEqual),
        anisotropy,
        border: state.address.contains(&4).then_some(border),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::SamplerKey;
    use crate::sampling::sampler;

    /// The specification's rule: a mip filter, and a minification filter that is not point.
    #[test]
    fn quality_makes_samplers_anisotropic() {
        for min_filter in 0..=3 {
            for mip_filter in 0..=2 {
                for mag_filter in 1..=2 {
                    let key = SamplerKey {
                        min_filter,
                        mag_filter,
                        mip_filter,
                        max_anisotropy: 16,
                        max_mip_level: 3,
                        ..SamplerKey::default()
                    };
                    let made = |quality, software| {
                        let id = sampler(&key, quality, &mut Vec::new()).unwrap();
                        describe(software, id)
                    };
                    let applies = min_filter >= 2 && mip_filter != 0;
                    let better = made(true, false);
                    if !applies {
                        assert_eq!(format!("{better:?}"), format!("{:?}", made(false, false)));
                        continue;
                    }
                    assert_eq!(better.anisotropy, 8, "whatever was asked for");
                    assert_eq!(better.mip, MipmapFilterMode::Linear);
                    assert_eq!(better.min, FilterMode::Linear);
                    let mag = [FilterMode::Nearest, FilterMode::Linear];
                    assert_eq!(better.mag, mag[usize::from(mag_filter) - 1]);
                    assert_eq!(better.lod, 3.0..ALL_LEVELS, "the most detailed level stays");
                    let plain = made(false, false);
                    assert_eq!(plain.anisotropy, if min_filter == 3 { 16 } else { 1 });
                    // Where anisotropy blurs there is none, but the mips are linear.
                    let software = made(true, true);
                    assert_eq!(software.anisotropy, 1);
                    assert_eq!(software.mip, MipmapFilterMode::Linear);
                }
            }
        }
    }
}
