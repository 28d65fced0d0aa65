//! The methods of everything that a device creates.

use std::time::{Duration, Instant};

use ninefold_d3d9::trace::Value;
use ninefold_d3d9::{
    Device, LevelTarget, LockedBuffer, QueryHandle, Result as DeviceResult, StateBlockHandle,
    SwapChainHandle,
};

use super::error::CallError;
use super::locks::Layout;
use super::objects::Object;
use super::player::{Effect, Locked, Scene};

type Result<T> = std::result::Result<T, CallError>;

/// How long a query may take that had its answer when it was recorded.
const QUERY_PATIENCE: Duration = Duration::from_secs(2);

/// Whether the replay knows objects of this interface.
pub(super) fn knows(interface: &str) -> bool {
    matches!(
        interface,
        "IDirect3DTexture9"
            | "IDirect3DCubeTexture9"
            | "IDirect3DVolumeTexture9"
            | "IDirect3DBaseTexture9"
            | "IDirect3DResource9"
            | "IDirect3DSurface9"
            | "IDirect3DVolume9"
            | "IDirect3DVertexBuffer9"
            | "IDirect3DIndexBuffer9"
            | "IDirect3DVertexShader9"
            | "IDirect3DPixelShader9"
            | "IDirect3DVertexDeclaration9"
            | "IDirect3DQuery9"
            | "IDirect3DStateBlock9"
            | "IDirect3DSwapChain9"
    )
}

/// Plays one method of the object at `address`.
pub(super) fn play(
    scene: &mut Scene<'_>,
    address: u64,
    object: Object,
    method: &str,
) -> Result<Effect> {
    match method {
        "AddRef" => {
            let result = scene.device.add_ref(object.handle()).map(|_| ());
            return scene.played(result);
        }
        "Release" => {
            let result = scene.device.release(object.handle()).map(|_| ());
            if scene.recorded.and_then(Value::bits) == Some(0) {
                scene.objects.remove(address);
            }
            return scene.played(result);
        }
        "QueryInterface" => return query_interface(scene, object),
        // Nothing here changes what is drawn.
        "GetDevice"
        | "GetType"
        | "GetDesc"
        | "GetLevelDesc"
        | "GetLevelCount"
        | "GetLOD"
        | "GetAutoGenFilterType"
        | "GetPriority"
        | "SetPriority"
        | "SetPrivateData"
        | "GetPrivateData"
        | "FreePrivateData"
        | "GetFunction"
        | "GetDeclaration"
        | "GetDataSize"
        | "GetDisplayMode"
        | "GetRasterStatus"
        | "GetPresentParameters"
        | "GetPresentParametersEx"
        | "GetLastPresentCount"
        | "GetPresentStats"
        | "GetDisplayModeEx"
        | "PreLoad" => return Ok(Effect::Played),
        _ => {}
    }
    match object {
        Object::Texture(_) | Object::CubeTexture(_) | Object::VolumeTexture(_) => {
            texture(scene, object, method)
        }
        Object::Surface(surface) => level(scene, LevelTarget::Surface(surface), method),
        Object::Volume(volume) => level(scene, LevelTarget::Volume(volume), method),
        Object::VertexBuffer(handle) => buffer(
            scene,
            (handle, Locked::Vertices(handle)),
            method,
            Device::vertex_buffer_lock,
            Device::vertex_buffer_unlock,
        ),
        Object::IndexBuffer(handle) => buffer(
            scene,
            (handle, Locked::Indices(handle)),
            method,
            Device::index_buffer_lock,
            Device::index_buffer_unlock,
        ),
        Object::Query(handle) => query(scene, handle, method),
        Object::StateBlock(block) => state_block(scene, block, method),
        Object::SwapChain(chain) => swap_chain(scene, chain, method),
        Object::VertexShader(_) | Object::PixelShader(_) | Object::VertexDeclaration(_) => {
            Ok(Effect::Unknown)
        }
    }
}

/// Another pointer to the same object.
fn query_interface(scene: &mut Scene<'_>, object: Object) -> Result<Effect> {
    let address = scene.args.stored_pointer("ppvObj")?;
    if address != 0 {
        let result = scene.device.add_ref(object.handle()).map(|_| ());
        scene.played(result)?;
        scene.objects.add(address, scene.id, object);
    }
    Ok(Effect::Played)
}

fn texture(scene: &mut Scene<'_>, object: Object, method: &str) -> Result<Effect> {
    let args = scene.args;
    match (object, method) {
        (Object::Texture(texture), "GetSurfaceLevel") => {
            let result = scene.device.get_surface_level(texture, args.u32("Level")?);
            let surface = scene.value(result)?;
            scene.created("ppSurfaceLevel", Object::Surface(surface))
        }
        (Object::CubeTexture(texture), "GetCubeMapSurface") => {
            let (face, level) = (args.u32("FaceType")?, args.u32("Level")?);
            let result = scene.device.get_cube_map_surface(texture, face, level);
            let surface = scene.value(result)?;
            scene.created("ppCubeMapSurface", Object::Surface(surface))
        }
        (Object::VolumeTexture(texture), "GetVolumeLevel") => {
            let result = scene.device.get_volume_level(texture, args.u32("Level")?);
            let volume = scene.value(result)?;
            scene.created("ppVolumeLevel", Object::Volume(volume))
        }
        (Object::Texture(texture), "AddDirtyRect") => {
            let result = scene
                .device
                .add_dirty_rect(texture, args.rect("pDirtyRect")?);
            scene.played(result)
        }
        (Object::CubeTexture(texture), "AddDirtyRect") => {
            let (face, rect) = (args.u32("FaceType")?, args.rect("pDirtyRect")?);
            let result = scene.device.add_dirty_rect_cube(texture, face, rect);
            scene.played(result)
        }
        (Object::VolumeTexture(texture), "AddDirtyBox") => {
            let result = scene.device.add_dirty_box(texture, args.box3("pDirtyBox")?);
            scene.played(result)
        }
        (_, "GenerateMipSubLevels" | "SetLOD" | "SetAutoGenFilterType") => {
            let Some(texture) = object.base_texture() else {
                return Ok(Effect::Unknown);
            };
            let result = match method {
                "GenerateMipSubLevels" => scene.device.generate_mip_sub_levels(texture),
                "SetLOD" => scene
                    .device
                    .set_lod(texture, args.u32("LODNew")?)
                    .map(|_| ()),
                _ => scene
                    .device
                    .set_auto_gen_filter_type(texture, args.u32("FilterType")?),
            };
            scene.played(result)
        }
        (Object::Texture(texture), _) => {
            let target = |level| LevelTarget::Texture(texture, level);
            leveled(scene, target, method)
        }
        (Object::CubeTexture(texture), _) => {
            let face = args.u32("FaceType").unwrap_or(0);
            leveled(
                scene,
                |level| LevelTarget::Cube(texture, face, level),
                method,
            )
        }
        (Object::VolumeTexture(texture), _) => leveled(
            scene,
            |level| LevelTarget::VolumeTexture(texture, level),
            method,
        ),
        _ => Ok(Effect::Unknown),
    }
}

fn leveled(
    scene: &mut Scene<'_>,
    target: impl FnOnce(u32) -> LevelTarget,
    method: &str,
) -> Result<Effect> {
    match method {
        "LockRect" | "UnlockRect" | "LockBox" | "UnlockBox" => {
            let target = target(scene.args.u32("Level")?);
            level(scene, target, method)
        }
        _ => Ok(Effect::Unknown),
    }
}

fn level(scene: &mut Scene<'_>, target: LevelTarget, method: &str) -> Result<Effect> {
    let args = scene.args;
    let key = (scene.id, Locked::Level(target));
    match method {
        "LockRect" => {
            let (rect, flags) = (args.rect("pRect")?, args.u32("Flags")?);
            let result = scene.device.lock_rect(target, rect, flags);
            let locked = scene.value(result)?;
            let fields = args
                .structure("pLockedRect")?
                .ok_or_else(|| CallError::argument("pLockedRect", "it is null"))?;
            let recorded = Layout {
                row: fields.u32("Pitch")? as usize,
                slice: 0,
            };
            let ours = Layout {
                row: locked.pitch.unsigned_abs() as usize,
                slice: 0,
            };
            scene
                .locks
                .add(fields.pointer("pBits")?, key, recorded, ours, locked.len);
            Ok(Effect::Played)
        }
        "LockBox" => {
            let (region, flags) = (args.box3("pBox")?, args.u32("Flags")?);
            let result = scene.device.lock_box(target, region, flags);
            let locked = scene.value(result)?;
            let fields = args
                .structure("pLockedVolume")?
                .ok_or_else(|| CallError::argument("pLockedVolume", "it is null"))?;
            let recorded = Layout {
                row: fields.u32("RowPitch")? as usize,
                slice: fields.u32("SlicePitch")? as usize,
            };
            let ours = Layout {
                row: locked.row_pitch.unsigned_abs() as usize,
                slice: locked.slice_pitch.unsigned_abs() as usize,
            };
            scene
                .locks
                .add(fields.pointer("pBits")?, key, recorded, ours, locked.len);
            Ok(Effect::Played)
        }
        "UnlockRect" => {
            scene.locks.remove(&key);
            let result = scene.device.unlock_rect(target);
            scene.played(result)
        }
        "UnlockBox" => {
            scene.locks.remove(&key);
            let result = scene.device.unlock_box(target);
            scene.played(result)
        }
        "GetContainer" => container(scene),
        _ => Ok(Effect::Unknown),
    }
}

/// The texture or swap chain that a level belongs to gets a reference. A level
/// of its own belongs to the device, whose references are not counted here.
fn container(scene: &mut Scene<'_>) -> Result<Effect> {
    let address = scene.args.stored_pointer("ppContainer")?;
    match scene.objects.object(address, "ppContainer") {
        Ok((id, object)) if id == scene.id => {
            let result = scene.device.add_ref(object.handle()).map(|_| ());
            scene.played(result)
        }
        _ => Ok(Effect::Played),
    }
}

/// Locks and unlocks of vertex and index buffers.
fn buffer<H: Copy>(
    scene: &mut Scene<'_>,
    (buffer, locked): (H, Locked),
    method: &str,
    lock: fn(&mut Device, H, u32, u32, u32) -> DeviceResult<LockedBuffer>,
    unlock: fn(&mut Device, H) -> DeviceResult<()>,
) -> Result<Effect> {
    let args = scene.args;
    let key = (scene.id, locked);
    match method {
        "Lock" => {
            let (offset, size) = (args.u32("OffsetToLock")?, args.u32("SizeToLock")?);
            let flags = args.u32("Flags")?;
            let result = lock(scene.device, buffer, offset, size, flags);
            let locked = scene.value(result)?;
            // Of several locks at once the device shows the last: it must be one of everything.
            let again = scene.locks.holds(&key);
            if again {
                let result = unlock(scene.device, buffer);
                scene.value(result)?;
                let result = lock(scene.device, buffer, 0, 0, flags);
                scene.value(result)?;
            }
            let address = args.stored_pointer("ppbData")?;
            let range = locked.offset..locked.offset + locked.len;
            scene.locks.add_range(address, key, range, again);
            Ok(Effect::Played)
        }
        "Unlock" => {
            scene.locks.remove(&key);
            let result = unlock(scene.device, buffer);
            scene.played(result)
        }
        _ => Ok(Effect::Unknown),
    }
}

fn query(scene: &mut Scene<'_>, query: QueryHandle, method: &str) -> Result<Effect> {
    let args = scene.args;
    match method {
        "Issue" => {
            let result = scene.device.query_issue(query, args.u32("dwIssueFlags")?);
            scene.played(result)
        }
        "GetData" => {
            let flags = args.u32("dwGetDataFlags")?;
            // The program may have polled; only where it got its answer is there
            // anything to wait for.
            let answered = scene.recorded.and_then(Value::bits) == Some(0);
            let start = Instant::now();
            loop {
                let result = scene.device.query_get_data(query, flags);
                let data = scene.value(result)?;
                if data.is_some() || !answered {
                    return Ok(Effect::Played);
                }
                if start.elapsed() > QUERY_PATIENCE {
                    return Err(CallError::Misplaced("the GPU gave the query no answer"));
                }
                std::thread::yield_now();
            }
        }
        _ => Ok(Effect::Unknown),
    }
}

fn state_block(scene: &mut Scene<'_>, block: StateBlockHandle, method: &str) -> Result<Effect> {
    let result = match method {
        "Capture" => scene.device.state_block_capture(block),
        "Apply" => scene.device.state_block_apply(block),
        _ => return Ok(Effect::Unknown),
    };
    scene.played(result)
}

fn swap_chain(scene: &mut Scene<'_>, chain: SwapChainHandle, method: &str) -> Result<Effect> {
    match method {
        "Present" => {
            let result = scene.device.swap_chain_present(chain);
            scene.value(result)?;
            Ok(Effect::Presented(scene.id, Some(chain)))
        }
        "GetBackBuffer" => {
            let buffer = scene.args.u32("iBackBuffer")?;
            let result = scene.device.swap_chain_get_back_buffer(chain, buffer);
            let surface = scene.value(result)?;
            scene.got("ppBackBuffer", Object::Surface(surface))
        }
        _ => Ok(Effect::Unknown),
    }
}
