//! `replay --window`: a capture played live.

use std::panic;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use ninefold_d3d9::raw_window_handle::{
    DisplayHandle, HandleError, HasDisplayHandle, HasWindowHandle, WindowHandle,
};
use ninefold_d3d9::{Device, DeviceWindow, HResult, SwapChainHandle, Window};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::platform::pump_events::EventLoopExtPumpEvents;
use winit::window::{Window as WinitWindow, WindowId};

use super::objects::DeviceId;
use crate::exit::NoScreen;

/// How often the window is looked after when nothing else happens.
const IDLE: Duration = Duration::from_millis(50);

/// A window that shows what a replay presents.
pub(crate) struct LiveWindow {
    events: EventLoop<()>,
    app: App,
    /// The same window as the device that shows in it knows it.
    open: Option<(DeviceId, DeviceWindow)>,
    /// Time between two frames, at least.
    frame: Duration,
    next: Instant,
}

/// Connects to the screen. winit panics where libxkbcommon-x11 is missing.
fn event_loop() -> Result<EventLoop<()>> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let made = panic::catch_unwind(EventLoop::new);
    panic::set_hook(hook);
    match made {
        Ok(made) => made.map_err(|error| NoScreen(error.to_string()).into()),
        Err(payload) => {
            let text = payload.downcast_ref::<&str>().copied();
            let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
            let text = text.unwrap_or("winit failed").to_owned();
            // Dropping a payload may panic in its turn.
            std::mem::forget(payload);
            Err(NoScreen(text).into())
        }
    }
}

/// What there is to show.
pub(super) struct Shown<'a> {
    pub(super) id: DeviceId,
    pub(super) device: &'a mut Device,
    pub(super) chain: Option<SwapChainHandle>,
}

impl LiveWindow {
    /// Connects to the screen; the window comes with the first frame. At most `fps` frames are
    /// shown a second, any number when it is 0.
    ///
    /// # Errors
    /// [`NoScreen`] when there is none.
    pub(crate) fn new(title: String, fps: u32) -> Result<Self> {
        let events = event_loop()?;
        Ok(Self {
            events,
            app: App {
                title,
                ..App::default()
            },
            open: None,
            frame: Duration::from_secs(1).checked_div(fps).unwrap_or_default(),
            next: Instant::now(),
        })
    }

    /// Shows what was just presented, when its time has come. `false` once the user closed the
    /// window.
    ///
    /// # Errors
    /// When the window cannot be made or drawn on.
    pub(super) fn present(&mut self, shown: Shown<'_>) -> Result<bool> {
        loop {
            let wait = self.next.saturating_duration_since(Instant::now());
            self.pump(wait.min(IDLE))?;
            if self.app.closed {
                return Ok(false);
            }
            if Instant::now() >= self.next {
                break;
            }
        }
        self.next = (self.next + self.frame).max(Instant::now());
        self.show(shown)?;
        Ok(true)
    }

    /// Keeps the last picture until the user closes the window.
    ///
    /// # Errors
    /// As [`present`](Self::present).
    pub(super) fn hold(&mut self, mut shown: Option<Shown<'_>>) -> Result<()> {
        while !self.app.closed && self.app.window.is_some() {
            self.app.spoilt = false;
            self.pump(IDLE)?;
            if self.app.spoilt
                && let Some(shown) = &mut shown
            {
                self.show(Shown {
                    id: shown.id,
                    device: shown.device,
                    chain: shown.chain,
                })?;
            }
        }
        Ok(())
    }

    fn pump(&mut self, timeout: Duration) -> Result<()> {
        let _ = self.events.pump_app_events(Some(timeout), &mut self.app);
        match self.app.failure.take() {
            Some(error) => Err(anyhow!("the window cannot be made: {error}")),
            None => Ok(()),
        }
    }

    fn show(&mut self, shown: Shown<'_>) -> Result<()> {
        let Shown { id, device, chain } = shown;
        let chain = chain.unwrap_or_else(|| device.implicit_swap_chain());
        let Ok(parameters) = device.swap_chain_get_present_parameters(chain) else {
            return Ok(());
        };
        let size = PhysicalSize::new(parameters.back_buffer_width, parameters.back_buffer_height);
        if self.app.wanted != Some(size) {
            self.app.wanted = Some(size);
            match &self.app.window {
                Some(window) => drop(window.request_inner_size(size)),
                // Made while events are looked after.
                None => self.pump(Duration::ZERO)?,
            }
        }
        let Some(window) = &self.app.window else {
            return Ok(());
        };
        let failed = |device: &Device| anyhow!("showing a frame: {}", device.last_error());
        if !matches!(&self.open, Some((of, _)) if *of == id) {
            // The window is of one device at a time.
            self.open = None;
            let opened = device.open_window(Arc::new(Live(window.clone())));
            self.open = Some((id, opened.map_err(|_| failed(device))?));
        }
        if let Some((_, window)) = &mut self.open {
            match device.show(chain, window, None, None) {
                // A Reset took what was presented.
                Ok(_) | Err(HResult::INVALIDCALL) => {}
                Err(_) => return Err(failed(device)),
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct App {
    title: String,
    /// The size to make the window with, known with the first frame.
    wanted: Option<PhysicalSize<u32>>,
    window: Option<Arc<WinitWindow>>,
    failure: Option<String>,
    closed: bool,
    /// The window system lost what the window showed.
    spoilt: bool,
}

impl App {
    fn make_window(&mut self, events: &ActiveEventLoop) {
        let Some(size) = self.wanted.filter(|_| self.window.is_none()) else {
            return;
        };
        let attributes = WinitWindow::default_attributes()
            .with_title(self.title.clone())
            .with_inner_size(size);
        match events.create_window(attributes) {
            Ok(window) => self.window = Some(Arc::new(window)),
            Err(error) => self.failure = Some(error.to_string()),
        }
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        self.make_window(events);
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        self.make_window(events);
    }

    fn window_event(&mut self, _: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => self.closed = true,
            WindowEvent::KeyboardInput { event, .. } => {
                let escape = event.logical_key == Key::Named(NamedKey::Escape);
                self.closed |= escape && event.state == ElementState::Pressed;
            }
            WindowEvent::Resized(_) | WindowEvent::RedrawRequested => self.spoilt = true,
            _ => {}
        }
    }
}

/// winit's window as a device draws on it.
struct Live(Arc<WinitWindow>);

impl HasWindowHandle for Live {
    fn window_handle(&self) -> Result<WindowHandle<'_>, HandleError> {
        self.0.window_handle()
    }
}

impl HasDisplayHandle for Live {
    fn display_handle(&self) -> Result<DisplayHandle<'_>, HandleError> {
        self.0.display_handle()
    }
}

impl Window for Live {
    fn drawable_size(&self) -> Option<[u32; 2]> {
        if self.0.is_minimized() == Some(true) {
            return Some([0; 2]);
        }
        let size = self.0.inner_size();
        Some([size.width, size.height])
    }
}
