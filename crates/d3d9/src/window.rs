//! Windows: showing what a swap chain presented, and pacing.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ninefold_renderer::gpu::{SurfaceDesc, Window};
use ninefold_renderer::{Attachment, Rect as Region, Show, WindowSurface};

use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::{Outcome, invalid};
use crate::handle::SwapChainHandle;
use crate::hresult::Result;
use crate::present::DISPLAY;
use crate::types::Rect;

/// Pictures that the window system may hold back. More only add delay.
const LATENCY: u32 = 2;

/// A window that swap chains of one device are shown in, by [`Device::open_window`].
#[derive(Debug)]
pub struct DeviceWindow {
    surface: WindowSurface,
    /// When it took a picture last.
    shown: Option<Instant>,
}

impl Device {
    /// Makes a window ready for [`show`](Self::show). A window is of one device at a time.
    ///
    /// # Errors
    /// `D3DERR_NOTAVAILABLE` when the adapter cannot show pictures in it, or it is gone.
    pub fn open_window(&mut self, window: Arc<dyn Window>) -> Result<DeviceWindow> {
        self.call(|d| {
            Ok(DeviceWindow {
                surface: d.renderer.open_window(window)?,
                shown: None,
            })
        })
    }

    /// Shows what `swap_chain` presented last: `source` of it, all by default, scaled to
    /// `destination` in pixels of the window, all of it by default (`D3DSWAPEFFECT_COPY` of
    /// `Present`). Waits for the screen as the chain's `PresentationInterval` says.
    ///
    /// Returns whether the window took the picture: one that is minimised takes none.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` before the first present and for a source with nothing of the picture
    /// in it, `D3DERR_DEVICELOST` or `D3DERR_NOTAVAILABLE` when the device or the window is gone.
    pub fn show(
        &mut self,
        swap_chain: SwapChainHandle,
        window: &mut DeviceWindow,
        source: Option<Rect>,
        destination: Option<Rect>,
    ) -> Result<bool> {
        self.call(|d| {
            let chain = d
                .swap_chains
                .get(swap_chain.0)
                .ok_or_else(|| stale("swap_chain"))?;
            let Some(front) = chain.front().cloned() else {
                invalid!("swap_chain: nothing was presented yet");
            };
            let interval = chain.parameters.presentation_interval;
            let keep = chain.parameters.swap_effect == D3DSWAPEFFECT_COPY;
            let size = (front.desc().width, front.desc().height);
            let Some((source, destination)) = visible(size, source, destination)? else {
                return Ok(false);
            };
            let show = Show {
                image: Attachment::new(front),
                source,
                destination,
                keep,
                surface: SurfaceDesc {
                    vsync: interval != D3DPRESENT_INTERVAL_IMMEDIATE,
                    latency: LATENCY,
                },
            };
            if let Some(shown) = window.shown {
                let due = shown + skipped_refreshes(interval);
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
            }
            let taken = d.renderer.show(&mut window.surface, &show)?;
            window.shown = Some(Instant::now());
            Ok(taken)
        })
    }

    /// Ends a frame: waits until the GPU is busy with at most `latency` of them
    /// (`SetMaximumFrameLatency`).
    ///
    /// # Errors
    /// `D3DERR_DEVICELOST`.
    pub fn limit_latency(&mut self, latency: u32) -> Result<()> {
        self.call(|d| Ok(d.renderer.end_frame(latency)?))
    }
}

/// How long a picture stays before the refresh that the window system itself waits for.
fn skipped_refreshes(interval: u32) -> Duration {
    let more = match interval {
        D3DPRESENT_INTERVAL_TWO => 1,
        D3DPRESENT_INTERVAL_THREE => 2,
        D3DPRESENT_INTERVAL_FOUR => 3,
        _ => 0,
    };
    Duration::from_secs(more) / DISPLAY.refresh_rate
}

/// The part of `source` that the picture has, and where that goes. `None` when nothing is seen.
fn visible(
    (width, height): (u32, u32),
    source: Option<Rect>,
    destination: Option<Rect>,
) -> Outcome<Option<(Region, Option<[i32; 4]>)>> {
    let whole = Region {
        x: 0,
        y: 0,
        w: width,
        h: height,
    };
    let given = destination.map(|d| [d.left, d.top, d.right, d.bottom]);
    if let Some([left, top, right, bottom]) = given
        && (left >= right || top >= bottom)
    {
        return Ok(None);
    }
    let Some(s) = source else {
        return Ok(Some((whole, given)));
    };
    let cut = |at: i32, edge: u32| at.clamp(0, edge.min(i32::MAX as u32) as i32) as u32;
    let (left, right) = (cut(s.left, width), cut(s.right, width));
    let (top, bottom) = (cut(s.top, height), cut(s.bottom, height));
    if left >= right || top >= bottom {
        invalid!("source: {s:?} holds nothing of {width} x {height} pixels");
    }
    let region = Region {
        x: left,
        y: top,
        w: right - left,
        h: bottom - top,
    };
    Ok(Some((region, given)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(left: i32, top: i32, right: i32, bottom: i32) -> Rect {
        Rect {
            left,
            top,
            right,
            bottom,
        }
    }

    #[test]
    fn sources_are_cut_to_the_picture() {
        let (part, place) = visible((640, 480), Some(rect(-10, 400, 100, 500)), None)
            .unwrap()
            .unwrap();
        assert_eq!((part.x, part.y, part.w, part.h), (0, 400, 100, 80));
        assert_eq!(place, None);
        let (part, place) = visible((640, 480), None, Some(rect(-5, 1, 9, 2)))
            .unwrap()
            .unwrap();
        assert_eq!((part.x, part.y, part.w, part.h), (0, 0, 640, 480));
        assert_eq!(place, Some([-5, 1, 9, 2]));
    }

    #[test]
    fn nothing_to_see_is_told_from_nothing_to_show() {
        assert!(visible((640, 480), Some(rect(640, 0, 700, 10)), None).is_err());
        assert!(visible((640, 480), Some(rect(5, 5, 5, 9)), None).is_err());
        let unseen = visible((640, 480), None, Some(rect(9, 9, 3, 12)));
        assert!(unseen.unwrap().is_none());
    }
}
