//! The specification's contexts: a colour and a depth target with a viewport, over shared state.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::draw::Primitive;
use crate::error::{Error, Result};
use crate::image::{Box3, Image, ImageDesc, ImageFormat, ImageUsage, Rect};
use crate::renderer::Renderer;
use crate::targets::{Attachment, Targets};

/// Largest edge of a context.
const MAX_EDGE: u32 = 8192;

/// A BGRA8 colour target and a depth-stencil target with a viewport (`mr_context`).
#[derive(Debug)]
pub struct Context {
    targets: Targets,
    color: Image,
    width: u32,
    height: u32,
    viewport: Rect,
    overlay: bool,
    triangles: AtomicU64,
}

impl Context {
    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Both targets.
    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    /// The colour target, which draws into other contexts may sample (`mr_target_texture`).
    pub fn image(&self) -> &Image {
        &self.color
    }

    /// The viewport, inside the target.
    pub fn viewport(&self) -> Rect {
        self.viewport
    }

    /// Sets the viewport, clamped to the target (`mr_set_viewport`).
    pub fn set_viewport(&mut self, x: u32, y: u32, w: u32, h: u32) {
        let (x, y) = (x.min(self.width), y.min(self.height));
        self.viewport = Rect {
            x,
            y,
            w: w.min(self.width - x),
            h: h.min(self.height - y),
        };
    }

    /// Whether draws accumulate coverage in alpha.
    pub fn overlay_target(&self) -> bool {
        self.overlay
    }

    /// Makes this the target of an overlay (`mr_set_overlay_target`): source-alpha blending writes
    /// `srcA + dstA * (1 - srcA)` to alpha.
    pub fn set_overlay_target(&mut self, overlay: bool) {
        self.overlay = overlay;
    }
}

impl Context {
    /// Triangles that were drawn into it since it was made, by the specification's entry points.
    /// Those of strips that cover nothing count, lines and points do not.
    pub fn triangles(&self) -> u64 {
        self.triangles.load(Ordering::Relaxed)
    }

    fn whole(&self) -> Box3 {
        Box3 {
            x: 0,
            y: 0,
            z: 0,
            w: self.width,
            h: self.height,
            d: 1,
        }
    }

    pub(crate) fn count_triangles(&self, primitive: Primitive, vertices: u32) {
        let triangles = match primitive {
            Primitive::TriangleList => vertices / 3,
            Primitive::TriangleStrip => vertices.saturating_sub(2),
            _ => return,
        };
        self.triangles
            .fetch_add(triangles.into(), Ordering::Relaxed);
    }
}

fn check_size(width: u32, height: u32) -> Result<()> {
    if (1..=MAX_EDGE).contains(&width) && (1..=MAX_EDGE).contains(&height) {
        return Ok(());
    }
    Err(Error::args(format!(
        "a context of {width} x {height}, expected 1 to {MAX_EDGE} a side"
    )))
}

impl Renderer {
    /// Makes a context of 1 to 8,192 pixels a side, opaque black with depth 1 (`mr_create`).
    ///
    /// # Errors
    /// `Args` for another size, `Device` when memory is short.
    pub fn create_context(&mut self, width: u32, height: u32) -> Result<Context> {
        check_size(width, height)?;
        let color = self.create_image(&ImageDesc {
            usage: ImageUsage::COLOR | ImageUsage::SAMPLED,
            ..ImageDesc::d2(width, height, ImageFormat::Bgra8)
        })?;
        let depth = self.create_image(&ImageDesc {
            usage: ImageUsage::DEPTH,
            ..ImageDesc::d2(width, height, ImageFormat::D32S8)
        })?;
        Ok(Context {
            targets: Targets {
                colors: [Some(Attachment::new(color.clone())), None, None, None],
                depth: Some(Attachment::new(depth)),
            },
            color,
            width,
            height,
            viewport: Rect {
                x: 0,
                y: 0,
                w: width,
                h: height,
            },
            overlay: false,
            triangles: AtomicU64::new(0),
        })
    }

    /// Waits for the GPU and replaces the targets; all caches stay (`mr_resize`). The viewport
    /// becomes the whole target.
    ///
    /// # Errors
    /// As [`Renderer::create_context`]; the context stays as it was.
    pub fn resize_context(&mut self, context: &mut Context, width: u32, height: u32) -> Result<()> {
        check_size(width, height)?;
        self.wait_idle()?;
        let fresh = self.create_context(width, height)?;
        *context = Context {
            overlay: context.overlay,
            triangles: AtomicU64::new(context.triangles()),
            ..fresh
        };
        Ok(())
    }

    /// Sets the whole colour target to a `D3DCOLOR` (`mr_clear`).
    ///
    /// # Errors
    /// `Device` when the device is lost.
    pub fn clear_context(&mut self, context: &Context, color: u32) -> Result<()> {
        self.clear(
            context.targets(),
            &[],
            Some(color_floats(color)),
            None,
            None,
        )
    }

    /// Sets the whole depth target (`mr_clear_depth`).
    ///
    /// # Errors
    /// `Device` when the device is lost.
    pub fn clear_context_depth(&mut self, context: &Context, depth: f32) -> Result<()> {
        self.clear(context.targets(), &[], None, Some(depth), None)
    }

    /// Sets the whole stencil (`mr_clear_stencil`).
    ///
    /// # Errors
    /// `Device` when the device is lost.
    pub fn clear_context_stencil(&mut self, context: &Context, stencil: u8) -> Result<()> {
        self.clear(context.targets(), &[], None, None, Some(stencil))
    }

    /// Submits, waits, and returns the colour target as rows of BGRA bytes (`mr_read_framebuffer`).
    ///
    /// # Errors
    /// `Device` when the device is lost.
    pub fn read_framebuffer(&mut self, context: &Context) -> Result<Vec<u8>> {
        self.read_image(&context.color.clone(), 0, 0)
    }

    /// Replaces the colour target by BGRA pixels `row_pitch` bytes a row, ordered after earlier
    /// draws and before later ones (`mr_write_framebuffer`).
    ///
    /// # Errors
    /// `Bounds` when `pixels` is too short.
    pub fn write_framebuffer(
        &mut self,
        context: &Context,
        pixels: &[u8],
        row_pitch: usize,
    ) -> Result<()> {
        let area = context.whole();
        self.upload(&context.color.clone(), 0, 0, area, pixels, row_pitch, 0)
    }
}

impl Renderer {
    /// Copies the colour target into another image of its size and format
    /// (`mr_blit_target_to`), ordered with everything else.
    ///
    /// # Errors
    /// `Args` for an image of another format or the target itself, `Bounds` for one of another
    /// size.
    pub fn blit_context(&mut self, context: &Context, to: &Image) -> Result<()> {
        let desc = to.desc();
        if (desc.width, desc.height) != (context.width, context.height) {
            return Err(Error::bounds(format!(
                "a target of {} x {} into {to:?}",
                context.width, context.height
            )));
        }
        let area = context.whole();
        self.copy_image((&context.color, 0, 0), area, (to, 0, 0), [0; 3])
    }

    /// The same through the [anti-aliasing filter](Renderer::fxaa) (`mr_fxaa_target_to`). Returns
    /// whether it was filtered.
    ///
    /// # Errors
    /// As [`Renderer::fxaa`].
    pub fn fxaa_context(&mut self, context: &Context, to: &Image, subpixel: f32) -> Result<bool> {
        let from = Attachment::new(context.color.clone());
        self.fxaa(&from, &Attachment::new(to.clone()), subpixel)
    }
}

/// Red, green, blue and alpha of a `D3DCOLOR` (0xAARRGGBB) as 0 to 1.
pub fn color_floats(color: u32) -> [f32; 4] {
    let channel = |shift: u32| ((color >> shift) & 0xFF) as f32 / 255.0;
    [channel(16), channel(8), channel(0), channel(24)]
}
