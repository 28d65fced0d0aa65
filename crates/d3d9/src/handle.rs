//! Object handles and the slots behind them.
//!
//! A handle is a small `Copy` value: slot number and generation. When an
//! object dies its slot's generation changes, so an old handle is refused with
//! `D3DERR_INVALIDCALL` instead of naming a stranger.
//!
//! Every slot counts two kinds of references, as COM objects of D3D9 do:
//! *public* ones (creation, `add_ref`, every `get_*` that returns a handle),
//! given back with `release`, and *internal* ones held by the device, by swap
//! chains and by state blocks. The object dies when both are zero. Surfaces of
//! a texture share the texture's counts and lifetime.

use core::fmt;

/// Slot number and generation: what every handle is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RawHandle {
    index: u32,
    generation: u32,
}

impl RawHandle {
    /// The handle of nothing: no slot has generation 0 while it lives.
    pub(crate) const NONE: Self = Self {
        index: u32::MAX,
        generation: 0,
    };

    /// The handle as one number, unique over the device's life within its kind.
    pub const fn to_bits(self) -> u64 {
        (self.generation as u64) << 32 | self.index as u64
    }
}

impl fmt::Debug for RawHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.index, self.generation)
    }
}

/// A handle with its kind: what `add_ref` and `release` take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ObjectHandle {
    /// A texture of any kind or a surface.
    Resource(RawHandle),
    /// A vertex buffer.
    VertexBuffer(RawHandle),
    /// An index buffer.
    IndexBuffer(RawHandle),
    /// A vertex shader.
    VertexShader(RawHandle),
    /// A pixel shader.
    PixelShader(RawHandle),
    /// A vertex declaration.
    VertexDeclaration(RawHandle),
    /// A query.
    Query(RawHandle),
    /// A state block.
    StateBlock(RawHandle),
    /// A swap chain.
    SwapChain(RawHandle),
}

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident => $kind:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name(pub(crate) RawHandle);

        impl $name {
            /// The handle as one number, unique over the device's life within its kind.
            pub const fn to_bits(self) -> u64 {
                self.0.to_bits()
            }
        }

        impl From<$name> for ObjectHandle {
            fn from(handle: $name) -> Self {
                Self::$kind(handle.0)
            }
        }
    )*};
}

handles! {
    /// `IDirect3DTexture9`.
    TextureHandle => Resource;
    /// `IDirect3DCubeTexture9`.
    CubeTextureHandle => Resource;
    /// `IDirect3DVolumeTexture9`.
    VolumeTextureHandle => Resource;
    /// `IDirect3DVertexBuffer9`.
    VertexBufferHandle => VertexBuffer;
    /// `IDirect3DIndexBuffer9`.
    IndexBufferHandle => IndexBuffer;
    /// `IDirect3DVertexShader9`.
    VertexShaderHandle => VertexShader;
    /// `IDirect3DPixelShader9`.
    PixelShaderHandle => PixelShader;
    /// `IDirect3DVertexDeclaration9`.
    VertexDeclarationHandle => VertexDeclaration;
    /// `IDirect3DQuery9`.
    QueryHandle => Query;
    /// `IDirect3DStateBlock9`.
    StateBlockHandle => StateBlock;
    /// `IDirect3DSwapChain9`.
    SwapChainHandle => SwapChain;
}

/// `IDirect3DSurface9`: a level (and face) of a texture, or a surface of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SurfaceHandle {
    pub(crate) resource: RawHandle,
    pub(crate) sub: u32,
}

impl From<SurfaceHandle> for ObjectHandle {
    fn from(handle: SurfaceHandle) -> Self {
        Self::Resource(handle.resource)
    }
}

/// `IDirect3DVolume9`: a level of a volume texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VolumeHandle {
    pub(crate) resource: RawHandle,
    pub(crate) sub: u32,
}

impl From<VolumeHandle> for ObjectHandle {
    fn from(handle: VolumeHandle) -> Self {
        Self::Resource(handle.resource)
    }
}

/// `IDirect3DBaseTexture9`: any texture that `set_texture` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BaseTexture {
    /// A 2D texture.
    Texture(TextureHandle),
    /// A cube texture.
    Cube(CubeTextureHandle),
    /// A volume texture.
    Volume(VolumeTextureHandle),
}

impl BaseTexture {
    pub(crate) const fn raw(self) -> RawHandle {
        match self {
            Self::Texture(h) => h.0,
            Self::Cube(h) => h.0,
            Self::Volume(h) => h.0,
        }
    }
}

impl From<TextureHandle> for BaseTexture {
    fn from(handle: TextureHandle) -> Self {
        Self::Texture(handle)
    }
}

impl From<CubeTextureHandle> for BaseTexture {
    fn from(handle: CubeTextureHandle) -> Self {
        Self::Cube(handle)
    }
}

impl From<VolumeTextureHandle> for BaseTexture {
    fn from(handle: VolumeTextureHandle) -> Self {
        Self::Volume(handle)
    }
}

impl From<BaseTexture> for ObjectHandle {
    fn from(handle: BaseTexture) -> Self {
        Self::Resource(handle.raw())
    }
}

struct Slot<T> {
    generation: u32,
    public: u32,
    internal: u32,
    value: Option<T>,
}

/// What an object counts against the device's memory budget; the same for all of its life.
pub(crate) trait Weigh {
    /// Bytes in memory and on the GPU.
    fn bytes(&self) -> u64;
}

/// The objects of one kind.
pub(crate) struct Slots<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
    live: usize,
    bytes: u64,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            live: 0,
            bytes: 0,
        }
    }
}

impl<T: Weigh> Slots<T> {
    /// Adds an object with `public` public and `internal` internal references.
    pub(crate) fn insert(&mut self, value: T, public: u32, internal: u32) -> RawHandle {
        self.live += 1;
        self.bytes += value.bytes();
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.public = public;
            slot.internal = internal;
            slot.value = Some(value);
            return RawHandle {
                index,
                generation: slot.generation,
            };
        }
        let index = u32::try_from(self.slots.len()).expect("fewer than 2^32 objects");
        self.slots.push(Slot {
            generation: 1,
            public,
            internal,
            value: Some(value),
        });
        RawHandle {
            index,
            generation: 1,
        }
    }

    fn slot(&self, handle: RawHandle) -> Option<&Slot<T>> {
        self.slots
            .get(handle.index as usize)
            .filter(|s| s.generation == handle.generation)
    }

    fn slot_mut(&mut self, handle: RawHandle) -> Option<&mut Slot<T>> {
        self.slots
            .get_mut(handle.index as usize)
            .filter(|s| s.generation == handle.generation)
    }

    pub(crate) fn get(&self, handle: RawHandle) -> Option<&T> {
        self.slot(handle)?.value.as_ref()
    }

    pub(crate) fn get_mut(&mut self, handle: RawHandle) -> Option<&mut T> {
        self.slot_mut(handle)?.value.as_mut()
    }

    /// Takes an object out of its slot, which stays its own until [`put`](Self::put).
    pub(crate) fn take(&mut self, handle: RawHandle) -> Option<T> {
        self.slot_mut(handle)?.value.take()
    }

    /// Puts an object back that [`take`](Self::take) took.
    pub(crate) fn put(&mut self, handle: RawHandle, value: T) {
        if let Some(slot) = self.slot_mut(handle) {
            slot.value = Some(value);
        }
    }

    /// Adds a public reference and returns the new public count.
    pub(crate) fn add_ref(&mut self, handle: RawHandle) -> Option<u32> {
        let slot = self.slot_mut(handle)?;
        slot.public = slot.public.saturating_add(1);
        Some(slot.public)
    }

    /// Drops a public reference. Returns the new public count and the object if it died.
    pub(crate) fn release(&mut self, handle: RawHandle) -> Option<(u32, Option<T>)> {
        let slot = self.slot_mut(handle)?;
        slot.public = slot.public.checked_sub(1)?;
        let public = slot.public;
        Some((public, self.reap(handle)))
    }

    pub(crate) fn hold(&mut self, handle: RawHandle) {
        if let Some(slot) = self.slot_mut(handle) {
            slot.internal += 1;
        }
    }

    /// Drops an internal reference. Returns the object if it died.
    pub(crate) fn unhold(&mut self, handle: RawHandle) -> Option<T> {
        let slot = self.slot_mut(handle)?;
        slot.internal = slot.internal.saturating_sub(1);
        self.reap(handle)
    }

    fn reap(&mut self, handle: RawHandle) -> Option<T> {
        let slot = self.slot_mut(handle)?;
        if slot.public != 0 || slot.internal != 0 {
            return None;
        }
        let value = slot.value.take()?;
        // A slot whose generations are used up is retired, never reused.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(handle.index);
        } else {
            slot.generation = 0;
        }
        self.live -= 1;
        self.bytes -= value.bytes();
        Some(value)
    }

    /// Bytes of the objects alive.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Objects alive.
    pub(crate) fn len(&self) -> usize {
        self.live
    }

    pub(crate) fn public_count(&self, handle: RawHandle) -> u32 {
        self.slot(handle).map_or(0, |s| s.public)
    }

    /// Lets an object become larger or smaller.
    pub(crate) fn reweigh(&mut self, handle: RawHandle, change: impl FnOnce(&mut T)) {
        if let Some(value) = self.get_mut(handle) {
            let before = value.bytes();
            change(value);
            let after = value.bytes();
            self.bytes = self.bytes - before + after;
        }
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut().filter_map(|slot| slot.value.as_mut())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (RawHandle, &T)> {
        self.slots.iter().enumerate().filter_map(|(index, slot)| {
            let handle = RawHandle {
                index: index as u32,
                generation: slot.generation,
            };
            slot.value.as_ref().map(|value| (handle, value))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Weigh for &str {
        fn bytes(&self) -> u64 {
            self.len() as u64
        }
    }

    #[test]
    fn an_object_lives_while_anyone_holds_it() {
        let mut slots = Slots::default();
        let h = slots.insert("a", 1, 0);
        assert_eq!(slots.add_ref(h), Some(2));
        slots.hold(h);
        assert_eq!(slots.release(h), Some((1, None)));
        assert_eq!(
            slots.release(h),
            Some((0, None)),
            "the internal reference keeps it"
        );
        assert_eq!(
            slots.release(h),
            None,
            "no public reference is left to give back"
        );
        assert_eq!(slots.get(h), Some(&"a"));
        assert_eq!(slots.unhold(h), Some("a"));
        assert_eq!(slots.get(h), None);
        assert_eq!(slots.len(), 0);
    }

    #[test]
    fn a_stale_handle_names_nothing() {
        let mut slots = Slots::default();
        let old = slots.insert("one", 1, 0);
        assert!(slots.release(old).is_some());
        assert_eq!(slots.bytes(), 0);
        let new = slots.insert("second", 1, 0);
        assert_eq!(slots.bytes(), 6);
        assert_ne!(old, new, "the slot is reused under another generation");
        assert_eq!(slots.get(old), None);
        assert_eq!(slots.add_ref(old), None);
        assert_eq!(slots.get(new), Some(&"second"));
    }
}
