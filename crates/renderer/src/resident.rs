use std::sync::Arc;

/// A resident buffer of vertices or indices. A clone is another handle to the same buffer.
#[derive(Clone)]
pub struct GeometryBuffer(pub(crate) Arc<GeometryInner>);

pub(crate) struct GeometryInner {
    pub(crate) id: u32,
    pub(crate) size: u64,
    pub(crate) buffer: ninefold_gpu::Buffer,
}

impl GeometryBuffer {
    /// A number that no other buffer of this renderer ever has.
    pub fn id(&self) -> u32 {
        self.0.id
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.0.size
    }
}

impl core::fmt::Debug for GeometryBuffer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "GeometryBuffer#{}({} bytes)", self.0.id, self.0.size)
    }
}
