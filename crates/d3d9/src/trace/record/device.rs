//! Starting and ending a recording of a device.

use std::io::{self, Write};

use super::objects::{Interface, Named};
use super::{LockKey, Recorder};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::handle::ObjectHandle;
use crate::resource::Kind;

impl Device {
    /// Records every call from now on as an apitrace capture (format version 6) in `out`, which
    /// `apitrace dump` and `ninefold replay` read. Call it right after the device is made: what was
    /// done before is not in the capture. A recording in progress ends first.
    ///
    /// A write error does not disturb the calls; [`stop_recording`](Self::stop_recording) reports it.
    ///
    /// # Errors
    /// The first write error of the recording that was in progress.
    pub fn record_to(&mut self, out: Box<dyn Write + Send>) -> io::Result<()> {
        let ended = self.stop_recording();
        self.recorder = Some(Box::new(Recorder::new(
            out,
            "ninefold",
            &self.parameters,
            self.behavior,
        )));
        ended
    }

    /// Ends the recording with the release of the device and writes out what is buffered. Without
    /// a recording it does nothing.
    ///
    /// # Errors
    /// The first error of any write since the recording began; the capture is then incomplete.
    pub fn stop_recording(&mut self) -> io::Result<()> {
        match self.recorder.take() {
            Some(recorder) => recorder.finish(),
            None => Ok(()),
        }
    }

    /// Puts what the program wrote to locked ranges into the capture; called before unlocking.
    pub(crate) fn record_memory(&mut self, key: LockKey) {
        let Some(mut recorder) = self.recorder.take() else {
            return;
        };
        if recorder.wants_bytes(key) {
            let bytes = match key {
                LockKey::Level(level) => self.locked_bytes_mut(level).ok().map(|bytes| &*bytes),
                LockKey::VertexBuffer(buffer) => {
                    self.vertex_buffers.get(buffer.0).map(Buffer::whole)
                }
                LockKey::IndexBuffer(buffer) => self.index_buffers.get(buffer.0).map(Buffer::whole),
            };
            if let Some(bytes) = bytes {
                recorder.bytes(key, bytes);
            }
        }
        self.recorder = Some(recorder);
    }

    /// The name in the capture of an object that is about to get or lose a reference; `None`
    /// without a recording. References of a texture's surfaces are the texture's own.
    pub(crate) fn recorded_name(&self, object: ObjectHandle) -> Option<Named> {
        self.recorder.as_ref()?;
        let resource = match object {
            ObjectHandle::Resource(raw) => match self.resources.get(raw)?.kind {
                Kind::Texture => Interface::Texture,
                Kind::Cube => Interface::CubeTexture,
                Kind::Volume => Interface::VolumeTexture,
                Kind::RenderTarget | Kind::DepthStencil | Kind::OffscreenPlain => {
                    Interface::Surface
                }
            },
            _ => Interface::Surface,
        };
        Some(Named::new(object, resource))
    }
}
