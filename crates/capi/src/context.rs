//! Contexts: targets with a viewport, and their clears.

use crate::fault::{Fault, Result, call};
use crate::handle::Kind;
use crate::objects::{Objects, Target, Texture};
use crate::pointer::out;
use crate::registry::{stale, with};
use crate::renderer::on;
use crate::types::{nf_context, nf_renderer, nf_texture};

/// Makes a context: opaque black, depth 1, stencil 0, the viewport all of it.
///
/// width, height: 1 to 8,192 pixels.
///
/// out: gets the context; on failure it gets 0.
///
/// Returns NF_OK; NF_ERR_ARGS for another size; NF_ERR_TEXTURE when the texture table, in which its
/// colour target takes a place, is full; NF_ERR_DEVICE when memory is short.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_create(
    renderer: nf_renderer,
    width: u32,
    height: u32,
    out: *mut nf_context,
) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `out`.
        let made = unsafe { self::out(out, "out") }?;
        made.set(nf_context::default());
        let id = on(renderer, |objects| {
            let context = objects.renderer.create_context(width, height)?;
            let id = objects.contexts.insert(Target {
                context,
                texture: 0,
            })?;
            match objects.add_texture(Texture::Target(id)) {
                Ok(texture) => objects.target(nf_context { id })?.texture = texture,
                Err(fault) => {
                    objects.contexts.remove(id);
                    return Err(fault);
                }
            }
            Ok(id)
        })?;
        made.set(nf_context { id });
        Ok(())
    })
}

/// Waits for the GPU and replaces both targets, which are then as nf_create makes them; the viewport
/// becomes all of it. Everything else stays, the handle of nf_target_texture too.
///
/// Returns NF_OK; NF_ERR_ARGS for a size other than 1 to 8,192; NF_ERR_DEVICE. On failure the context
/// stays as it was.
#[unsafe(no_mangle)]
pub extern "C" fn nf_resize(context: nf_context, width: u32, height: u32) -> i32 {
    call(|| {
        within(context, |objects| {
            let Objects {
                renderer, contexts, ..
            } = objects;
            let target = contexts
                .get_mut(context.id)
                .ok_or_else(|| stale(context.id, Kind::Context, "context"))?;
            Ok(renderer.resize_context(&mut target.context, width, height)?)
        })
    })
}

/// Submits what was recorded, waits for the GPU and ends a context. Its handle and that of its colour
/// target are stale from now on, also when waiting failed.
///
/// Returns NF_OK; NF_ERR_ARGS when there is no such context; NF_ERR_DEVICE when the GPU failed.
#[unsafe(no_mangle)]
pub extern "C" fn nf_destroy(context: nf_context) -> i32 {
    call(|| {
        within(context, |objects| {
            let waited = objects.renderer.wait_idle();
            if let Some(target) = objects.contexts.remove(context.id) {
                objects.forget_texture(target.texture);
            }
            Ok(waited?)
        })
    })
}

/// Sets the viewport, in pixels; what leaves the target is cut off. Nothing outside is drawn.
/// Pretransformed vertices and those of vertex shaders are not moved by it: it cuts. Vertices of
/// nf_draw_fixed_clip fill it.
///
/// Returns NF_OK, or NF_ERR_ARGS when there is no such context.
#[unsafe(no_mangle)]
pub extern "C" fn nf_set_viewport(
    context: nf_context,
    x: u32,
    y: u32,
    width: u32,
    height: u32,
) -> i32 {
    call(|| {
        within(context, |objects| {
            let target = objects.target(context)?;
            target.context.set_viewport(x, y, width, height);
            Ok(())
        })
    })
}

/// Whether the context is an overlay, whose alpha accumulates coverage: NF_BLEND_SRC_ALPHA writes
/// source alpha + destination alpha * (1 - source alpha).
///
/// overlay: not 0 is yes. A new context is none.
///
/// Returns NF_OK, or NF_ERR_ARGS when there is no such context.
#[unsafe(no_mangle)]
pub extern "C" fn nf_set_overlay_target(context: nf_context, overlay: i32) -> i32 {
    call(|| {
        within(context, |objects| {
            let target = objects.target(context)?;
            target.context.set_overlay_target(overlay != 0);
            Ok(())
        })
    })
}

/// Sets the whole colour target, whatever the viewport.
///
/// color: 0xAARRGGBB.
///
/// Returns NF_OK, NF_ERR_ARGS when there is no such context, NF_ERR_DEVICE.
#[unsafe(no_mangle)]
pub extern "C" fn nf_clear(context: nf_context, color: u32) -> i32 {
    call(|| {
        drawn(context, |objects, target| {
            Ok(objects.clear_context(&target.context, color)?)
        })
    })
}

/// Sets the whole depth target, whatever the viewport.
///
/// depth: finite; taken into 0 to 1.
///
/// Returns NF_OK, NF_ERR_ARGS, NF_ERR_DEVICE.
#[unsafe(no_mangle)]
pub extern "C" fn nf_clear_depth(context: nf_context, depth: f32) -> i32 {
    call(|| {
        if !depth.is_finite() {
            return Err(Fault::args(format!(
                "depth is {depth}, which is not finite"
            )));
        }
        drawn(context, |renderer, target| {
            Ok(renderer.clear_context_depth(&target.context, depth)?)
        })
    })
}

/// Sets the whole stencil, whatever the viewport.
///
/// stencil: 0 to 255.
///
/// Returns NF_OK, NF_ERR_ARGS, NF_ERR_DEVICE.
#[unsafe(no_mangle)]
pub extern "C" fn nf_clear_stencil(context: nf_context, stencil: u32) -> i32 {
    call(|| {
        let value = u8::try_from(stencil)
            .map_err(|_| Fault::args(format!("stencil is {stencil}, expected 0 to 255")))?;
        drawn(context, |renderer, target| {
            Ok(renderer.clear_context_stencil(&target.context, value)?)
        })
    })
}

/// The colour target as a texture, which draws into other contexts may read: each sees what was
/// drawn, cleared and written before it. The handle stays the same as long as the context lives, and
/// after nf_resize it is the new target.
///
/// Returns NF_OK, or NF_ERR_ARGS; then out gets 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_target_texture(context: nf_context, out: *mut nf_texture) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `out`.
        let found = unsafe { self::out(out, "out") }?;
        found.set(nf_texture::default());
        let id = within(context, |objects| Ok(objects.target(context)?.texture))?;
        found.set(nf_texture { id });
        Ok(())
    })
}

/// How many triangles were drawn into a context, those that no pixel shows included.
///
/// Returns NF_OK, or NF_ERR_ARGS; then out gets 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nf_triangles(context: nf_context, out: *mut u64) -> i32 {
    call(|| {
        // SAFETY: the caller's promise about `out`.
        let found = unsafe { self::out(out, "out") }?;
        found.set(0);
        found.set(within(context, |objects| {
            Ok(objects.target(context)?.context.triangles())
        })?);
        Ok(())
    })
}

/// [`with`] the objects of a context's renderer, where the context is.
pub(crate) fn within<R>(
    context: nf_context,
    f: impl FnOnce(&mut Objects) -> Result<R>,
) -> Result<R> {
    with(context.id, Kind::Context, "context", |objects| {
        objects.target(context)?;
        f(objects)
    })
}

/// Runs `f` with a context and the renderer that draws into it.
fn drawn<R>(
    context: nf_context,
    f: impl FnOnce(&mut ninefold_renderer::Renderer, &Target) -> Result<R>,
) -> Result<R> {
    with(context.id, Kind::Context, "context", |objects| {
        let Some(target) = objects.contexts.get(context.id) else {
            return Err(stale(context.id, Kind::Context, "context"));
        };
        f(&mut objects.renderer, target)
    })
}
