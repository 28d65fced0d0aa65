//! Showing images in windows.

use std::sync::Arc;

use ninefold_gpu::types::TextureFormat;
use ninefold_gpu::{Surface, SurfaceDesc, Window};

use crate::error::Result;
use crate::image::{Image, ImageDesc, ImageFormat, ImageUsage, Rect};
use crate::renderer::Renderer;
use crate::stretch::{BlitKey, Quad, check_rect};
use crate::targets::Attachment;

/// What surrounds a picture that does not fill its window.
const BLACK: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// A window that images are shown in, by [`Renderer::open_window`].
#[derive(Debug)]
pub struct WindowSurface {
    surface: Surface,
    /// What the window shows, kept while pictures cover only parts of it.
    canvas: Option<Image>,
}

/// How an image is shown.
#[derive(Clone, Debug)]
pub struct Show {
    /// The image; its alpha is not shown.
    pub image: Attachment,
    /// The part of it to show.
    pub source: Rect,
    /// Left, top, right and bottom in pixels of the window of where it goes; `None` is all of the
    /// window. What lies outside the window is not seen.
    pub destination: Option<[i32; 4]>,
    /// Later pictures may cover only parts of the window and leave this one in the rest
    /// (`D3DSWAPEFFECT_COPY`). Without it the rest shows what earlier parts left, or black.
    pub keep: bool,
    /// How the window system takes it.
    pub surface: SurfaceDesc,
}

impl Renderer {
    /// Makes a window ready to show images of this renderer.
    ///
    /// # Errors
    /// `Unsupported` when the adapter cannot show pictures in the window, or the window is gone.
    pub fn open_window(&self, window: Arc<dyn Window>) -> Result<WindowSurface> {
        Ok(WindowSurface {
            surface: self.recorder.gpu.create_surface(window)?,
            canvas: None,
        })
    }

    /// Submits what is recorded and shows a part of an image in a window, scaled to where it goes
    /// there. Whether it was shown: a window that is minimised, or that the window system takes no
    /// picture for now, is passed over.
    ///
    /// # Errors
    /// `Bounds` for a source that is not inside the image, `Unsupported` when the window is gone,
    /// `Device` when the device is.
    pub fn show(&mut self, window: &mut WindowSurface, show: &Show) -> Result<bool> {
        check_rect(&show.image, &show.source, "source")?;
        self.flush()?;
        let Some(frame) = window.surface.acquire(&show.surface)? else {
            return Ok(false);
        };
        let size = frame.size();
        let [width, height] = size;
        let whole = [0, 0, width as i32, height as i32];
        let destination = show.destination.unwrap_or(whole);
        let covers = destination[0] <= 0
            && destination[1] <= 0
            && destination[2] >= whole[2]
            && destination[3] >= whole[3];
        let quad = if covers && !show.keep {
            window.canvas = None;
            self.shown(show, destination, size, frame.format())?
        } else {
            let canvas = self.canvas(&mut window.canvas, size)?;
            self.paint(show, destination, size, &canvas)?;
            let all = Show {
                image: Attachment::new(canvas),
                source: Rect {
                    x: 0,
                    y: 0,
                    w: width,
                    h: height,
                },
                ..show.clone()
            };
            self.shown(&all, whole, size, frame.format())?
        };
        let commands = self.recorder.gpu.begin()?;
        let fence = frame.present(commands, BLACK, |commands| quad.draw(commands, size))?;
        self.recorder.note_submission(fence);
        Ok(true)
    }

    /// Ends a frame: submits what is recorded, and waits until the GPU is busy with at most
    /// `latency` frames (`SetMaximumFrameLatency`).
    ///
    /// # Errors
    /// `Device` when the device is lost.
    pub fn end_frame(&mut self, latency: u32) -> Result<()> {
        self.flush()?;
        self.recorder.end_frame(latency.max(1) as usize)
    }

    /// The image of what the window shows, black at first and after a change of its size.
    fn canvas(&mut self, canvas: &mut Option<Image>, [width, height]: [u32; 2]) -> Result<Image> {
        let fits = |image: &&Image| (image.desc().width, image.desc().height) == (width, height);
        if let Some(image) = canvas.as_ref().filter(fits) {
            return Ok(image.clone());
        }
        let image = self.create_image(&ImageDesc {
            usage: ImageUsage::COLOR | ImageUsage::SAMPLED,
            ..ImageDesc::d2(width, height, ImageFormat::Bgra8)
        })?;
        Ok(canvas.insert(image).clone())
    }

    /// Draws a part of the window's contents into its canvas.
    fn paint(
        &mut self,
        show: &Show,
        destination: [i32; 4],
        size: [u32; 2],
        canvas: &Image,
    ) -> Result<()> {
        let view = canvas.0.slice_view(0, 0, false)?;
        let quad = self.shown(show, destination, size, view.format())?;
        // A new canvas has its black waiting.
        self.recorder.encode_clears_of(canvas)?;
        self.recorder
            .pass_over("window", &view, |commands| quad.draw(commands, size))?;
        self.flush()
    }

    fn shown(
        &mut self,
        show: &Show,
        destination: [i32; 4],
        size: [u32; 2],
        format: TextureFormat,
    ) -> Result<Quad> {
        let [x0, y0, x1, y1] = destination.map(i64::from);
        let source = &show.source;
        let scaled = (x1 - x0, y1 - y0) != (i64::from(source.w), i64::from(source.h));
        let image = Attachment {
            srgb: false,
            ..show.image.clone()
        };
        let key = BlitKey {
            format,
            opaque: false,
            samples: 1,
            texels: image.image.desc().format.texels(),
        };
        let destination = destination.map(|at| at as f32);
        self.quad(&image, *source, destination, size, key, scaled)
    }
}
