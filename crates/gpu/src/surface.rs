//! Windows: surfaces that pictures are shown on.
//!
//! A [`Surface`] looks after itself: [`Surface::acquire`] follows the window's size, makes the
//! driver's swap chain anew when it no longer fits, and the surface itself when it is lost.

use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::time::Duration;

use raw_window_handle::{HasDisplayHandle, HasWindowHandle, RawDisplayHandle, RawWindowHandle};
use wgpu_hal as hal;
use wgpu_types as wgt;

use crate::commands::Commands;
use crate::device::{FenceValue, Gpu};
use crate::error::{Error, Result};
use crate::raw::RawView;
use crate::shared::Shared;

/// How long [`Surface::acquire`] waits for the window system to give an image back. Compositors
/// give none to a hidden window for as long as it is hidden.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(1);

/// Times that [`Surface::acquire`] starts over because the window changed under it.
const ATTEMPTS: u32 = 3;

/// A window of the program's.
pub trait Window: HasWindowHandle + HasDisplayHandle + Send + Sync {
    /// Width and height of what can be drawn on, in pixels; a side is 0 while the window is
    /// minimised. `None` leaves it to the driver, which knows it for X11 and Windows, not for
    /// Wayland.
    fn drawable_size(&self) -> Option<[u32; 2]>;
}

/// How a surface shows pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SurfaceDesc {
    /// Show each picture for a whole refresh of the screen. Otherwise at once, even if that tears;
    /// where the window system cannot, the latest one at the next refresh.
    pub vsync: bool,
    /// Pictures that may wait to be shown, brought into the driver's range.
    pub latency: u32,
}

impl Default for SurfaceDesc {
    fn default() -> Self {
        Self {
            vsync: true,
            latency: 2,
        }
    }
}

/// What the driver's swap chain was made for.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Configured {
    desc: SurfaceDesc,
    /// The size that the window had, which the driver may have corrected.
    asked: [u32; 2],
    size: [u32; 2],
}

/// The part of a window that a [`Gpu`] draws on.
pub struct Surface {
    raw: ManuallyDrop<Box<dyn hal::DynSurface>>,
    format: wgt::TextureFormat,
    configured: Option<Configured>,
    shared: Arc<Shared>,
    /// Lives longer than `raw`, which points into it.
    window: Arc<dyn Window>,
}

impl std::fmt::Debug for Surface {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Surface")
            .field("format", &self.format)
            .field("size", &self.configured.map(|c| c.size))
            .finish_non_exhaustive()
    }
}

impl Gpu {
    /// Makes a surface of a window. A window has one surface at a time.
    ///
    /// # Errors
    /// [`Error::Window`] when the window or its display is gone, of a kind that the driver does
    /// not know, or takes none of the formats that pictures are shown in; [`Error::DeviceLost`].
    pub fn create_surface(&self, window: Arc<dyn Window>) -> Result<Surface> {
        let shared = self.shared();
        shared.alive()?;
        let raw = create_raw(shared, &*window)?;
        let mut surface = Surface {
            raw: ManuallyDrop::new(raw),
            format: wgt::TextureFormat::Bgra8Unorm,
            configured: None,
            shared: shared.clone(),
            window,
        };
        surface.format = surface.choose_format()?;
        Ok(surface)
    }
}

#[cold]
fn window_error(text: impl Into<String>) -> Error {
    Error::Window(text.into().into_boxed_str())
}

fn create_raw(shared: &Shared, window: &dyn Window) -> Result<Box<dyn hal::DynSurface>> {
    let gone = |error| window_error(format!("its handle cannot be had: {error}"));
    let display = window.display_handle().map_err(gone)?.as_raw();
    let handle = window.window_handle().map_err(gone)?.as_raw();
    // hal expects these to be there.
    let no_display = match display {
        RawDisplayHandle::Xlib(display) => display.display.is_none(),
        RawDisplayHandle::Xcb(display) => display.connection.is_none(),
        _ => false,
    };
    let no_window = match handle {
        RawWindowHandle::Xlib(window) => window.window == 0,
        _ => false,
    };
    if no_display || no_window {
        return Err(window_error("its handle is null"));
    }
    // SAFETY: the handles are valid while `window` is borrowed, as who made them promised, and
    // `Surface` keeps the window longer than what is made here.
    unsafe { shared.instance.create_surface(display, handle) }
        .map_err(|error| window_error(error.to_string()))
}

impl Surface {
    /// The format of its pictures: eight bits a channel, as they are, without sRGB encoding.
    #[must_use]
    pub fn format(&self) -> wgt::TextureFormat {
        self.format
    }

    /// The window.
    #[must_use]
    pub fn window(&self) -> &Arc<dyn Window> {
        &self.window
    }

    fn capabilities(&self) -> Result<hal::SurfaceCapabilities> {
        // SAFETY: a query; the surface and the adapter are of one instance.
        unsafe { self.shared.adapter.surface_capabilities(&**self.raw) }.ok_or_else(|| {
            window_error(format!(
                "{} cannot show pictures in it, or it is gone",
                self.shared.info
            ))
        })
    }

    fn choose_format(&self) -> Result<wgt::TextureFormat> {
        use wgt::TextureFormat as F;
        let formats = self.capabilities()?.formats;
        let shows = |format| {
            formats.iter().any(|have| {
                have.format == format
                    && have.color_spaces.contains(wgt::SurfaceColorSpaces::SRGB)
                    && self.shared.format_caps(format).target
            })
        };
        [F::Bgra8Unorm, F::Rgba8Unorm]
            .into_iter()
            .find(|&format| shows(format))
            .ok_or_else(|| {
                let have: Vec<_> = formats.iter().map(|have| have.format).collect();
                window_error(format!(
                    "it takes pictures of {have:?}, not of Bgra8Unorm or Rgba8Unorm"
                ))
            })
    }

    /// Waits for the GPU, so that nothing uses the swap chain any more, and releases it.
    fn unconfigure(&mut self) {
        if self.configured.take().is_none() {
            return;
        }
        // A lost device counts as done with everything.
        let idle = self.shared.wait(self.shared.last_submitted(), None);
        if matches!(idle, Ok(()) | Err(Error::DeviceLost)) {
            self.shared.reclaim();
        }
        // SAFETY: the GPU is done, views of its images went with the submissions that used them,
        // and no `Frame` exists, because one borrows the surface.
        unsafe { self.raw.unconfigure(&*self.shared.device) };
    }

    fn configure(&mut self, desc: &SurfaceDesc, asked: [u32; 2]) -> Result<bool> {
        let caps = self.capabilities()?;
        let size = caps
            .current_extent
            .map_or(asked, |extent| [extent.width, extent.height]);
        if size.contains(&0) {
            return Ok(false);
        }
        let limit = self.shared.caps.max_texture_2d;
        if size.iter().any(|&side| side > limit) {
            return Err(window_error(format!(
                "its size {size:?} is more than {limit} a side"
            )));
        }
        use wgt::PresentMode as Mode;
        let wanted: &[Mode] = if desc.vsync {
            &[Mode::Fifo, Mode::FifoRelaxed]
        } else {
            &[Mode::Immediate, Mode::Mailbox, Mode::FifoRelaxed]
        };
        let mode = wanted.iter().find(|mode| caps.present_modes.contains(mode));
        let alpha = caps
            .composite_alpha_modes
            .iter()
            .find(|&&mode| mode == wgt::CompositeAlphaMode::Opaque)
            .or(caps.composite_alpha_modes.first());
        let (least, most) = caps.maximum_frame_latency.into_inner();
        let config = hal::SurfaceConfiguration {
            maximum_frame_latency: desc.latency.clamp(least, most.max(least)),
            present_mode: mode.copied().unwrap_or(Mode::Fifo),
            composite_alpha_mode: alpha.copied().unwrap_or(wgt::CompositeAlphaMode::Opaque),
            format: self.format,
            color_space: wgt::SurfaceColorSpace::Srgb,
            extent: wgt::Extent3d {
                width: size[0],
                height: size[1],
                depth_or_array_layers: 1,
            },
            usage: wgt::TextureUses::COLOR_TARGET,
            view_formats: Vec::new(),
        };
        self.wait_for_frames()?;
        // SAFETY: the GPU is done with earlier frames, their views went with their submissions, no
        // `Frame` exists, and only this device ever configures the surface; format, size and modes
        // are of those that the surface has.
        match unsafe { self.raw.configure(&*self.shared.device, &config) } {
            Ok(()) => {
                let desc = *desc;
                self.configured = Some(Configured { desc, asked, size });
                tracing::debug!(target: "ninefold::gpu", ?size, mode = ?config.present_mode, "surface configured");
                Ok(true)
            }
            Err(error) => {
                self.configured = None;
                Err(self.failed(error))
            }
        }
    }

    /// Waits until the GPU is done with what was shown before, which frees its views.
    fn wait_for_frames(&self) -> Result<()> {
        self.shared.wait(self.shared.last_submitted(), None)?;
        self.shared.reclaim();
        Ok(())
    }

    #[cold]
    fn failed(&self, error: hal::SurfaceError) -> Error {
        match error {
            hal::SurfaceError::Device(error) => self.shared.failed(error),
            error => window_error(error.to_string()),
        }
    }

    /// Makes the surface of the same window anew.
    fn recreate(&mut self) -> Result<()> {
        self.unconfigure();
        let raw = create_raw(&self.shared, &*self.window)?;
        drop(std::mem::replace(&mut *self.raw, raw));
        self.format = self.choose_format()?;
        Ok(())
    }

    /// The next picture to draw, of the window's size; `None` while the window is minimised, or
    /// hidden and the window system takes no picture.
    ///
    /// # Errors
    /// [`Error::Window`] when the window is gone; [`Error::DeviceLost`]; [`Error::OutOfMemory`].
    pub fn acquire(&mut self, desc: &SurfaceDesc) -> Result<Option<Frame<'_>>> {
        self.shared.alive()?;
        for _ in 0..ATTEMPTS {
            let asked = match self.window.drawable_size() {
                Some(size) => size,
                None => match (self.capabilities()?.current_extent, &self.configured) {
                    (Some(extent), _) => [extent.width, extent.height],
                    (None, Some(configured)) => configured.asked,
                    (None, None) => return Err(window_error("nobody knows its size")),
                },
            };
            if asked.contains(&0) {
                return Ok(None);
            }
            let fits = self
                .configured
                .is_some_and(|c| c.desc == *desc && c.asked == asked);
            if !fits && !self.configure(desc, asked)? {
                return Ok(None);
            }
            // SAFETY: the surface is configured for this device, whose fence this is, and every
            // earlier frame was presented or discarded.
            let acquired = unsafe {
                self.raw
                    .acquire_texture(Some(ACQUIRE_TIMEOUT), self.shared.fence())
            };
            match acquired {
                Ok(acquired) => {
                    let size = self.configured.map_or(asked, |c| c.size);
                    if acquired.suboptimal {
                        self.expire();
                    }
                    return Ok(Some(Frame {
                        texture: Some(acquired.texture),
                        size,
                        surface: self,
                    }));
                }
                Err(hal::SurfaceError::Outdated) => self.expire(),
                Err(hal::SurfaceError::Lost) => self.recreate()?,
                Err(hal::SurfaceError::Timeout | hal::SurfaceError::Occluded) => return Ok(None),
                Err(error) => return Err(self.failed(error)),
            }
        }
        Ok(None)
    }

    /// The swap chain no longer fits: the next [`Surface::acquire`] makes another.
    fn expire(&mut self) {
        if let Some(configured) = &mut self.configured {
            configured.asked = [0; 2];
        }
    }
}

impl Drop for Surface {
    fn drop(&mut self) {
        self.unconfigure();
        // SAFETY: taken only here; a value is dropped once.
        drop(unsafe { ManuallyDrop::take(&mut self.raw) });
    }
}

/// A picture of a [`Surface`] to draw, by [`Surface::acquire`]. Dropped, it is not shown.
pub struct Frame<'s> {
    texture: Option<Box<dyn hal::DynSurfaceTexture>>,
    size: [u32; 2],
    surface: &'s mut Surface,
}

impl std::fmt::Debug for Frame<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Frame")
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

impl Frame<'_> {
    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The format of the one colour attachment that [`Frame::present`] draws into.
    #[must_use]
    pub fn format(&self) -> wgt::TextureFormat {
        self.surface.format
    }

    /// Sets the picture to `clear`, has `draw` record into an open pass on it, submits `commands`
    /// and shows the picture.
    ///
    /// # Errors
    /// Those of `draw`; [`Error::State`] when a pass is open already or `draw` leaves its own;
    /// [`Error::Invalid`] for commands of another device; [`Error::Window`] when the window is
    /// gone; [`Error::DeviceLost`]; [`Error::OutOfMemory`]. The commands are not executed then,
    /// except when showing is what failed.
    pub fn present(
        mut self,
        mut commands: Commands,
        clear: [f32; 4],
        draw: impl FnOnce(&mut Commands) -> Result<()>,
    ) -> Result<FenceValue> {
        let shared = self.surface.shared.clone();
        let texture = self.texture.take().ok_or(Error::State("no frame"))?;
        let recorded = record(&shared, &mut commands, &*texture, &self, clear, draw);
        let submitted = recorded.and_then(|()| commands.submit_frame(Some(&*texture)));
        let value = match submitted {
            Ok(value) => value,
            Err(error) => {
                self.texture = Some(texture);
                return Err(error);
            }
        };
        // SAFETY: the texture was acquired from this surface, which is configured for this device,
        // and the submission that names it left it in the presenting state.
        match unsafe { shared.present(&**self.surface.raw, texture) } {
            // The picture is not shown; the next one is of a swap chain that fits.
            Err(hal::SurfaceError::Outdated) => self.surface.expire(),
            Err(hal::SurfaceError::Lost) => self.surface.recreate()?,
            Err(hal::SurfaceError::Timeout | hal::SurfaceError::Occluded) | Ok(()) => {}
            Err(error) => return Err(self.surface.failed(error)),
        }
        Ok(value)
    }
}

fn record(
    shared: &Arc<Shared>,
    commands: &mut Commands,
    texture: &dyn hal::DynSurfaceTexture,
    frame: &Frame<'_>,
    clear: [f32; 4],
    draw: impl FnOnce(&mut Commands) -> Result<()>,
) -> Result<()> {
    let format = frame.format();
    let desc = hal::TextureViewDescriptor {
        label: None,
        format,
        dimension: wgt::TextureViewDimension::D2,
        usage: wgt::TextureUses::COLOR_TARGET,
        range: wgt::ImageSubresourceRange::default(),
    };
    // SAFETY: the texture is of this device; format and use are those it was configured with.
    let view = unsafe { shared.device.create_texture_view(texture.borrow(), &desc) };
    let view = Arc::new(RawView::new(shared, shared.check(view)?));
    commands.frame_pass(texture.borrow(), view, format, frame.size, clear, draw)
}

impl Drop for Frame<'_> {
    fn drop(&mut self) {
        if let Some(texture) = self.texture.take() {
            // SAFETY: acquired from this surface and neither presented nor discarded. Commands that
            // draw into it were never submitted.
            unsafe { self.surface.raw.discard_texture(texture) };
            // Vulkan cannot take an image back: only a new swap chain has them all again.
            self.surface.expire();
        }
    }
}
