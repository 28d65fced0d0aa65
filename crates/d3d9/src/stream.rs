//! Vertex streams and indices.

use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::invalid;
use crate::handle::{IndexBufferHandle, RawHandle, VertexBufferHandle};
use crate::hresult::Result;
use crate::types::StreamSource;

/// A stream's binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stream {
    pub(crate) buffer: Option<RawHandle>,
    pub(crate) offset: u32,
    pub(crate) stride: u32,
    pub(crate) frequency: u32,
}

impl Default for Stream {
    fn default() -> Self {
        Self {
            buffer: None,
            offset: 0,
            stride: 0,
            frequency: 1,
        }
    }
}

impl Stream {
    /// The stream holds one element for each instance. A divider other than 1 is taken as 1.
    pub(crate) fn instanced(&self) -> bool {
        self.frequency & D3DSTREAMSOURCE_INSTANCEDATA != 0
    }

    /// Instances that this stream, the first, asks for.
    pub(crate) fn instances(&self) -> u32 {
        (self.frequency & !(D3DSTREAMSOURCE_INSTANCEDATA | D3DSTREAMSOURCE_INDEXEDDATA)).max(1)
    }

    /// The stride that a draw steps by: an instance's element stays where it is.
    pub(crate) fn step(&self) -> u32 {
        match self.instanced() {
            true => 0,
            false => self.stride,
        }
    }
}

/// Bytes of the largest stride that is drawn with. Drivers draw with more than `MaxStreamStride` says.
pub(crate) const MAX_STRIDE: u32 = 0xFFFF;

impl Device {
    /// `SetStreamSource`: streams 0 to 15, `offset` and `stride` in bytes, which draws take as they
    /// are. Without a buffer the stream keeps its offset and stride.
    ///
    /// # Errors
    /// `D3DERR_INVALIDCALL` for a stream past 15 and a buffer that is gone.
    pub fn set_stream_source(
        &mut self,
        stream: u32,
        buffer: Option<VertexBufferHandle>,
        offset: u32,
        stride: u32,
    ) -> Result<()> {
        self.recorded(
            |r, x| r.set_stream_source(x, stream, buffer, offset, stride),
            |d| {
                if stream > 15 {
                    invalid!("stream: {stream}, must be 0 to 15");
                }
                let buffer = buffer.map(|h| h.0);
                if let Some(handle) = buffer
                    && d.vertex_buffers.get(handle).is_none()
                {
                    return Err(stale("buffer"));
                }
                let recording = d.recording.as_deref_mut();
                let slot = match recording {
                    Some(block) => {
                        block.mask.streams |= 1 << stream;
                        block.values.streams[stream as usize]
                    }
                    None => d.state.streams[stream as usize],
                };
                let new = match buffer {
                    Some(_) => Stream {
                        buffer,
                        offset,
                        stride,
                        ..slot
                    },
                    None => Stream { buffer, ..slot },
                };
                d.put_stream(stream as usize, new);
                Ok(())
            },
        )
    }

    /// Binds buffer, offset and stride of `new` to a stream, or records them.
    pub(crate) fn put_stream(&mut self, stream: usize, new: Stream) {
        let slot = match &mut self.recording {
            Some(block) => &mut block.values.streams[stream],
            None => &mut self.state.streams[stream],
        };
        let new = Stream {
            frequency: slot.frequency,
            ..new
        };
        let old = core::mem::replace(slot, new);
        if old == new {
            return;
        }
        if self.recording.is_none() && old.stride != new.stride {
            self.resolved.touch_layout();
        }
        if let Some(handle) = new.buffer {
            self.vertex_buffers.hold(handle);
        }
        if let Some(handle) = old.buffer {
            self.vertex_buffers.unhold(handle);
        }
    }

    /// `GetStreamSource`: adds a reference.
    pub fn get_stream_source(&mut self, stream: u32) -> Result<StreamSource> {
        self.recorded(
            |r, x| r.get_stream_source(x, stream),
            |d| {
                let Some(s) = d.state.streams.get(stream as usize) else {
                    invalid!("stream: {stream}, must be 0 to 15");
                };
                if let Some(handle) = s.buffer {
                    d.vertex_buffers.add_ref(handle);
                }
                Ok(StreamSource {
                    buffer: s.buffer.map(VertexBufferHandle),
                    offset: s.offset,
                    stride: s.stride,
                })
            },
        )
    }

    /// `SetStreamSourceFreq`: `D3DSTREAMSOURCE_INDEXEDDATA` with the number of instances on stream 0
    /// (0 counts as 1), `D3DSTREAMSOURCE_INSTANCEDATA` with a divider on streams with one element for
    /// each. Draws without indices have instances too.
    pub fn set_stream_source_freq(&mut self, stream: u32, setting: u32) -> Result<()> {
        self.recorded(
            |r, x| r.set_stream_source_freq(x, stream, setting),
            |d| {
                if stream > 15 {
                    invalid!("stream: {stream}, must be 0 to 15");
                }
                let both = D3DSTREAMSOURCE_INDEXEDDATA | D3DSTREAMSOURCE_INSTANCEDATA;
                if setting & both == both || setting == 0 {
                    invalid!(
                        "setting: {setting:#x} must be of at most one kind of data, and not 0"
                    );
                }
                if stream == 0 && setting & D3DSTREAMSOURCE_INSTANCEDATA != 0 {
                    invalid!("setting: stream 0 cannot hold instance data");
                }
                match &mut d.recording {
                    Some(block) => {
                        block.mask.frequencies |= 1 << stream;
                        block.values.streams[stream as usize].frequency = setting;
                    }
                    None => {
                        d.state.streams[stream as usize].frequency = setting;
                        d.resolved.touch_layout();
                    }
                }
                Ok(())
            },
        )
    }

    /// `GetStreamSourceFreq`.
    pub fn get_stream_source_freq(&mut self, stream: u32) -> Result<u32> {
        self.call(|d| match d.state.streams.get(stream as usize) {
            Some(s) => Ok(s.frequency),
            None => invalid!("stream: {stream}, must be 0 to 15"),
        })
    }

    /// `SetIndices`.
    pub fn set_indices(&mut self, buffer: Option<IndexBufferHandle>) -> Result<()> {
        self.recorded(
            |r, x| r.set_indices(x, buffer),
            |d| {
                let buffer = buffer.map(|h| h.0);
                if let Some(handle) = buffer
                    && d.index_buffers.get(handle).is_none()
                {
                    return Err(stale("buffer"));
                }
                let slot = match &mut d.recording {
                    Some(block) => {
                        block.mask.indices = true;
                        &mut block.values.indices
                    }
                    None => &mut d.state.indices,
                };
                if *slot == buffer {
                    return Ok(());
                }
                let old = core::mem::replace(slot, buffer);
                if let Some(handle) = buffer {
                    d.index_buffers.hold(handle);
                }
                if let Some(handle) = old {
                    d.index_buffers.unhold(handle);
                }
                Ok(())
            },
        )
    }

    /// `GetIndices`: adds a reference.
    pub fn get_indices(&mut self) -> Result<Option<IndexBufferHandle>> {
        self.recorded(
            |r, x| r.get_indices(x),
            |d| {
                Ok(d.state.indices.map(|handle| {
                    d.index_buffers.add_ref(handle);
                    IndexBufferHandle(handle)
                }))
            },
        )
    }
}
