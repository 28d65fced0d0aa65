//! Creating textures and walking their levels.

use crate::consts::*;
use crate::device::Device;
use crate::fault::{Fault, Outcome, invalid};
use crate::format::{FormatInfo, full_chain, kind};
use crate::handle::{
    BaseTexture, CubeTextureHandle, RawHandle, SurfaceHandle, TextureHandle, VolumeHandle,
    VolumeTextureHandle,
};
use crate::hresult::{HResult, Result};
use crate::resource::{Kind, Resource, ResourceDesc};
use crate::types::{Box3, LevelTarget, Rect, SurfaceDesc, VolumeDesc};

/// The arguments that all textures share.
struct Request {
    kind: Kind,
    size: [u32; 3],
    levels: u32,
    usage: u32,
    format: u32,
    pool: u32,
}

/// DXT textures and surfaces begin with whole blocks. Other formats of blocks do not ask for it.
pub(crate) fn check_blocks(info: &FormatInfo, width: u32, height: u32) -> Outcome<()> {
    let whole = width.is_multiple_of(4) && height.is_multiple_of(4);
    if info.compressed() && !info.has(kind::TEXEL_PITCH) && !whole {
        invalid!("size: {width} x {height} of a DXT format must be multiples of 4");
    }
    Ok(())
}

impl Device {
    /// `CreateTexture`. `levels` 0 makes the whole chain.
    pub fn create_texture(
        &mut self,
        width: u32,
        height: u32,
        levels: u32,
        usage: u32,
        format: u32,
        pool: u32,
    ) -> Result<TextureHandle> {
        let request = Request {
            kind: Kind::Texture,
            size: [width, height, 1],
            levels,
            usage,
            format,
            pool,
        };
        self.recorded(
            |r, x| r.create_texture(x, width, height, levels, usage, format, pool),
            |d| d.make_texture(&request).map(TextureHandle),
        )
    }

    /// `CreateCubeTexture`.
    pub fn create_cube_texture(
        &mut self,
        edge: u32,
        levels: u32,
        usage: u32,
        format: u32,
        pool: u32,
    ) -> Result<CubeTextureHandle> {
        let request = Request {
            kind: Kind::Cube,
            size: [edge, edge, 1],
            levels,
            usage,
            format,
            pool,
        };
        self.recorded(
            |r, x| r.create_cube_texture(x, edge, levels, usage, format, pool),
            |d| d.make_texture(&request).map(CubeTextureHandle),
        )
    }

    /// `CreateVolumeTexture`.
    #[allow(clippy::too_many_arguments)]
    pub fn create_volume_texture(
        &mut self,
        width: u32,
        height: u32,
        depth: u32,
        levels: u32,
        usage: u32,
        format: u32,
        pool: u32,
    ) -> Result<VolumeTextureHandle> {
        let request = Request {
            kind: Kind::Volume,
            size: [width, height, depth],
            levels,
            usage,
            format,
            pool,
        };
        self.recorded(
            |r, x| r.create_volume_texture(x, width, height, depth, levels, usage, format, pool),
            |d| d.make_texture(&request).map(VolumeTextureHandle),
        )
    }

    fn make_texture(&mut self, r: &Request) -> Outcome<RawHandle> {
        let info = self.check_texture(r)?;
        let [width, height, depth] = r.size;
        let full = full_chain(width, height, depth);
        // More levels than there are sizes are asked for without harm.
        let levels = r.levels.min(full);
        let autogen = r.usage & D3DUSAGE_AUTOGENMIPMAP != 0;
        let made = matches!(r.pool, D3DPOOL_DEFAULT | D3DPOOL_MANAGED) && info.makes_mips();
        let (levels, gpu_levels) = match levels {
            _ if autogen => (1, if made { full } else { 1 }),
            0 => (full, full),
            n => (n, n),
        };
        let mut resource = Resource::new(&ResourceDesc {
            kind: r.kind,
            info,
            width,
            height,
            depth,
            levels,
            gpu_levels,
            usage: r.usage,
            pool: r.pool,
            multi_sample: D3DMULTISAMPLE_NONE,
            quality: 0,
            samples: 1,
            lockable: r.pool != D3DPOOL_DEFAULT
                || r.usage & D3DUSAGE_DYNAMIC != 0
                || info.has(kind::LOCKABLE)
                || info.has(kind::TEXEL_PITCH),
        })?;
        self.check_budget(&resource, resource.on_gpu())?;
        if r.pool == D3DPOOL_DEFAULT {
            resource.image(&mut self.renderer)?;
        }
        Ok(self.resources.insert(resource, 1, 0))
    }

    fn check_texture(&self, r: &Request) -> Outcome<&'static FormatInfo> {
        let [width, height, depth] = r.size;
        let Some(info) = FormatInfo::of(r.format) else {
            invalid!(
                "format: {:#x} is not a texture format this device knows",
                r.format
            );
        };
        let volume = r.kind == Kind::Volume;
        let scratch = r.pool == D3DPOOL_SCRATCH;
        // System memory is not bound to what the adapter can do.
        let limit = match r.pool {
            D3DPOOL_DEFAULT | D3DPOOL_MANAGED if volume => self.caps.max_volume_extent,
            D3DPOOL_DEFAULT | D3DPOOL_MANAGED => self.caps.max_texture_size,
            _ => u32::MAX >> 1,
        };
        if r.size.contains(&0) {
            invalid!("size: {width} x {height} x {depth}, none may be 0");
        }
        if r.pool > D3DPOOL_SCRATCH {
            invalid!("pool: {} is not a D3DPOOL", r.pool);
        }
        if self.extended && r.pool == D3DPOOL_MANAGED {
            invalid!("pool: an extended device has no D3DPOOL_MANAGED");
        }
        if r.usage & D3DUSAGE_DYNAMIC != 0 && matches!(r.pool, D3DPOOL_MANAGED | D3DPOOL_SCRATCH) {
            invalid!("usage: D3DUSAGE_DYNAMIC excludes D3DPOOL_MANAGED and D3DPOOL_SCRATCH");
        }
        let target = r.usage & D3DUSAGE_RENDERTARGET != 0;
        let depth_stencil = r.usage & D3DUSAGE_DEPTHSTENCIL != 0;
        if target && depth_stencil {
            invalid!("usage: render target and depth-stencil exclude each other");
        }
        if !(volume && target) && r.size.iter().any(|&s| s > limit) {
            return Err(Fault::new(
                HResult::NOTAVAILABLE,
                format!("size: {width} x {height} x {depth}, each must be 1 to {limit}"),
            ));
        }
        if (target || depth_stencil)
            && (volume || r.pool != D3DPOOL_DEFAULT || r.usage & D3DUSAGE_DYNAMIC != 0)
        {
            invalid!("usage: targets must be flat, in D3DPOOL_DEFAULT and not dynamic");
        }
        if r.usage & D3DUSAGE_AUTOGENMIPMAP != 0
            && (r.levels > 1 || volume || r.pool == D3DPOOL_SYSTEMMEM)
        {
            invalid!(
                "usage: D3DUSAGE_AUTOGENMIPMAP takes levels 0 or 1 of a flat texture, not in system memory"
            );
        }
        if r.usage & D3DUSAGE_WRITEONLY != 0 {
            invalid!("usage: D3DUSAGE_WRITEONLY is for buffers");
        }
        if target && !info.target() || depth_stencil && !info.is_depth() {
            invalid!("format: {:#x} cannot be that kind of target", r.format);
        }
        if !scratch && !depth_stencil && !info.sampled(self.renderer.caps(), volume) {
            return Err(Fault::new(
                HResult::INVALIDCALL,
                format!("format: this adapter has no textures of {:#x}", r.format),
            ));
        }
        check_blocks(info, width, height)?;
        Ok(info)
    }

    /// `GetSurfaceLevel`: adds a reference (to the texture, which the surface shares).
    pub fn get_surface_level(
        &mut self,
        texture: TextureHandle,
        level: u32,
    ) -> Result<SurfaceHandle> {
        self.recorded(
            |r, x| r.get_surface_level(x, texture, level),
            |d| {
                let sub = d.find_level(LevelTarget::Texture(texture, level))?.1;
                d.resources.add_ref(texture.0);
                Ok(SurfaceHandle {
                    resource: texture.0,
                    sub,
                })
            },
        )
    }

    /// `GetCubeMapSurface`: adds a reference. `face` is `D3DCUBEMAP_FACE_*`.
    pub fn get_cube_map_surface(
        &mut self,
        texture: CubeTextureHandle,
        face: u32,
        level: u32,
    ) -> Result<SurfaceHandle> {
        self.recorded(
            |r, x| r.get_cube_map_surface(x, texture, face, level),
            |d| {
                let sub = d.find_level(LevelTarget::Cube(texture, face, level))?.1;
                d.resources.add_ref(texture.0);
                Ok(SurfaceHandle {
                    resource: texture.0,
                    sub,
                })
            },
        )
    }

    /// `GetVolumeLevel`: adds a reference.
    pub fn get_volume_level(
        &mut self,
        texture: VolumeTextureHandle,
        level: u32,
    ) -> Result<VolumeHandle> {
        self.recorded(
            |r, x| r.get_volume_level(x, texture, level),
            |d| {
                let sub = d.find_level(LevelTarget::VolumeTexture(texture, level))?.1;
                d.resources.add_ref(texture.0);
                Ok(VolumeHandle {
                    resource: texture.0,
                    sub,
                })
            },
        )
    }

    /// Whether a surface is a level of a 2D texture, whose locks do without some checks.
    pub fn is_texture_level(&self, surface: SurfaceHandle) -> bool {
        let resource = self.resources.get(surface.resource);
        resource.is_some_and(|r| r.kind == Kind::Texture)
    }

    /// The resource and sub-resource that a target names.
    pub(crate) fn find_level(&self, target: LevelTarget) -> Outcome<(RawHandle, u32)> {
        let (handle, sub) = match target {
            LevelTarget::Surface(s) => (s.resource, Some(s.sub)),
            LevelTarget::Volume(v) => (v.resource, Some(v.sub)),
            _ => {
                let (handle, face, level) = match target {
                    LevelTarget::Texture(t, level) => (t.0, 0, level),
                    LevelTarget::Cube(t, face, level) => (t.0, face, level),
                    LevelTarget::VolumeTexture(t, level) => (t.0, 0, level),
                    LevelTarget::Surface(_) | LevelTarget::Volume(_) => {
                        unreachable!("handled above")
                    }
                };
                let resource = self.resource(handle, "texture")?;
                if level >= resource.levels {
                    invalid!("level: {level}, but the texture has {}", resource.levels);
                }
                if face >= 6 {
                    invalid!("face: {face}, must be 0 to 5");
                }
                (handle, Some(face * resource.levels + level))
            }
        };
        let resource = self.resource(handle, "surface")?;
        match sub {
            Some(sub) if (sub as usize) < resource.subs.len() => Ok((handle, sub)),
            _ => invalid!("surface: no such level"),
        }
    }

    /// `GetLevelCount`: 1 for `D3DUSAGE_AUTOGENMIPMAP`.
    pub fn get_level_count(&mut self, texture: impl Into<BaseTexture>) -> Result<u32> {
        let texture = texture.into().raw();
        self.call(|d| Ok(d.resource(texture, "texture")?.levels))
    }

    /// `GetLevelDesc` or `IDirect3DSurface9::GetDesc`; 2D and cube levels and surfaces.
    ///
    /// `D3DUSAGE_AUTOGENMIPMAP` is a texture's: its surfaces do not tell it.
    pub fn get_surface_desc(&mut self, level: impl Into<LevelTarget>) -> Result<SurfaceDesc> {
        let target = level.into();
        self.call(|d| {
            let (handle, sub) = d.find_level(target)?;
            let resource = d.resource(handle, "surface")?;
            let level = &resource.subs[sub as usize];
            let hidden = match target {
                LevelTarget::Surface(_) => D3DUSAGE_AUTOGENMIPMAP,
                _ => 0,
            };
            Ok(SurfaceDesc {
                format: resource.info.d3d,
                resource_type: D3DRTYPE_SURFACE,
                usage: resource.usage & !hidden,
                pool: resource.pool,
                multi_sample_type: resource.multi_sample,
                multi_sample_quality: resource.quality,
                width: level.width,
                height: level.height,
            })
        })
    }

    /// `IDirect3DVolumeTexture9::GetLevelDesc` or `IDirect3DVolume9::GetDesc`.
    pub fn get_volume_desc(&mut self, level: impl Into<LevelTarget>) -> Result<VolumeDesc> {
        let target = level.into();
        self.call(|d| {
            let (handle, sub) = d.find_level(target)?;
            let resource = d.resource(handle, "volume")?;
            let level = &resource.subs[sub as usize];
            Ok(VolumeDesc {
                format: resource.info.d3d,
                resource_type: D3DRTYPE_VOLUME,
                usage: resource.usage,
                pool: resource.pool,
                width: level.width,
                height: level.height,
                depth: level.depth,
            })
        })
    }

    /// `SetLOD` of a managed texture; returns the old value. Other pools ignore it and return 0.
    pub fn set_lod(&mut self, texture: impl Into<BaseTexture>, lod: u32) -> Result<u32> {
        let texture = texture.into();
        let handle = texture.raw();
        self.recorded(
            |r, x| r.set_lod(x, texture, lod),
            |d| {
                let resource = d.resource_mut(handle, "texture")?;
                if resource.pool != D3DPOOL_MANAGED {
                    return Ok(0);
                }
                let old = core::mem::replace(&mut resource.lod, lod.min(resource.gpu_levels - 1));
                d.resolved.touch_all_textures();
                Ok(old)
            },
        )
    }

    /// `GetLOD`.
    pub fn get_lod(&mut self, texture: impl Into<BaseTexture>) -> Result<u32> {
        let handle = texture.into().raw();
        self.call(|d| Ok(d.resource(handle, "texture")?.lod))
    }

    /// `SetAutoGenFilterType` of a flat texture. The chain is always made with a box filter.
    pub fn set_auto_gen_filter_type(
        &mut self,
        texture: impl Into<BaseTexture>,
        filter: u32,
    ) -> Result<()> {
        let texture = texture.into();
        let handle = texture.raw();
        self.recorded(
            |r, x| r.set_auto_gen_filter_type(x, texture, filter),
            |d| {
                let resource = d.resource_mut(handle, "texture")?;
                if filter == D3DTEXF_NONE || resource.kind == Kind::Volume {
                    invalid!("filter: {filter} cannot make mip levels of this kind of texture");
                }
                resource.autogen_filter = filter;
                Ok(())
            },
        )
    }

    /// `GetAutoGenFilterType`.
    pub fn get_auto_gen_filter_type(&mut self, texture: impl Into<BaseTexture>) -> Result<u32> {
        let handle = texture.into().raw();
        self.call(|d| Ok(d.resource(handle, "texture")?.autogen_filter))
    }

    /// `GenerateMipSubLevels`: makes the chain of an autogen texture now; others have none to make.
    pub fn generate_mip_sub_levels(&mut self, texture: impl Into<BaseTexture>) -> Result<()> {
        let texture = texture.into();
        let handle = texture.raw();
        self.recorded(
            |r, _| r.generate_mip_sub_levels(texture),
            |d| {
                let Self {
                    resources,
                    renderer,
                    texels,
                    ..
                } = d;
                let resource = resources
                    .get_mut(handle)
                    .ok_or_else(|| crate::device::stale("texture"))?;
                if resource.autogen() {
                    resource.mips_stale = true;
                    resource.upload(renderer, texels)?;
                }
                Ok(())
            },
        )
    }

    /// `AddDirtyRect` of a 2D texture; `None` is all of it.
    pub fn add_dirty_rect(&mut self, texture: TextureHandle, rect: Option<Rect>) -> Result<()> {
        self.call(|d| d.dirty_rect(texture.0, 0, rect))
    }

    /// `AddDirtyRect` of a cube face.
    pub fn add_dirty_rect_cube(
        &mut self,
        texture: CubeTextureHandle,
        face: u32,
        rect: Option<Rect>,
    ) -> Result<()> {
        self.call(|d| {
            if face >= 6 {
                invalid!("face: {face}, must be 0 to 5");
            }
            d.dirty_rect(texture.0, face, rect)
        })
    }

    /// `AddDirtyBox` of a volume texture.
    pub fn add_dirty_box(
        &mut self,
        texture: VolumeTextureHandle,
        region: Option<Box3>,
    ) -> Result<()> {
        self.call(|d| d.dirty_box(texture.0, 0, region))
    }

    fn dirty_rect(&mut self, handle: RawHandle, face: u32, rect: Option<Rect>) -> Outcome<()> {
        let region = match rect {
            None => None,
            Some(r) if r.left < 0 || r.top < 0 || r.right < 0 || r.bottom < 0 => {
                invalid!("rect: {r:?} reaches out of the texture")
            }
            Some(r) => Some(Box3 {
                left: r.left as u32,
                top: r.top as u32,
                right: r.right as u32,
                bottom: r.bottom as u32,
                front: 0,
                back: 1,
            }),
        };
        self.dirty_box(handle, face, region)
    }

    /// Marks a region of level 0, which stands for what it covers in the levels below. In the
    /// default pool there is nothing to copy, and nothing happens.
    fn dirty_box(&mut self, handle: RawHandle, face: u32, region: Option<Box3>) -> Outcome<()> {
        let resource = self.resource_mut(handle, "texture")?;
        let first = (face * resource.levels) as usize;
        let whole = resource.subs[first].whole();
        let region = region.unwrap_or(whole);
        if region.left >= region.right
            || region.top >= region.bottom
            || region.front >= region.back
            || region.right > whole.right
            || region.bottom > whole.bottom
            || region.back > whole.back
        {
            invalid!("region: {region:?} is empty or reaches out of the texture");
        }
        if resource.records_dirty() {
            resource.mark_dirty(first as u32, region);
            self.resolved.uploads_pending |= resource.on_gpu();
        }
        Ok(())
    }
}
