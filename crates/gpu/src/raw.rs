//! Owners of hal objects: each destroys its object exactly once, when dropped.
//!
//! An owner sits inside an `Arc`. Every submission keeps such an `Arc` for each
//! object that it uses until its fence value has passed, so that an owner is
//! dropped only when neither the program nor the GPU needs the object.

use std::mem::ManuallyDrop;
use std::sync::Arc;

use wgpu_hal as hal;

use crate::shared::{Kind, Shared};

macro_rules! owners {
    ($($(#[$doc:meta])* $name:ident($object:ident, $destroy:ident, $kind:ident);)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name {
            object: ManuallyDrop<Box<dyn hal::$object>>,
            shared: Arc<Shared>,
        }

        impl $name {
            /// Takes over `object`, which the device of `shared` created.
            pub(crate) fn new(shared: &Arc<Shared>, object: Box<dyn hal::$object>) -> Self {
                shared.count(Kind::$kind, 1);
                Self { object: ManuallyDrop::new(object), shared: shared.clone() }
            }

            pub(crate) fn get(&self) -> &dyn hal::$object {
                &**self.object
            }

            pub(crate) fn shared(&self) -> &Arc<Shared> {
                &self.shared
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: `object` is taken only here, and a value is dropped once.
                let object = unsafe { ManuallyDrop::take(&mut self.object) };
                // SAFETY: the object was created by this device (`new`), no handle is
                // left, and no pending submission uses it (see the module's text).
                unsafe { self.shared.device.$destroy(object) };
                self.shared.count(Kind::$kind, -1);
            }
        }
    )*};
}

owners! {
    RawBuffer(DynBuffer, destroy_buffer, Buffer);
    RawTexture(DynTexture, destroy_texture, Texture);
    RawView(DynTextureView, destroy_texture_view, View);
    RawSampler(DynSampler, destroy_sampler, Sampler);
    RawBindGroupLayout(DynBindGroupLayout, destroy_bind_group_layout, Layout);
    RawPipelineLayout(DynPipelineLayout, destroy_pipeline_layout, Layout);
    RawBindGroup(DynBindGroup, destroy_bind_group, BindGroup);
    RawShader(DynShaderModule, destroy_shader_module, Shader);
    RawPipeline(DynRenderPipeline, destroy_render_pipeline, Pipeline);
    RawPipelineCache(DynPipelineCache, destroy_pipeline_cache, PipelineCache);
    RawQuerySet(DynQuerySet, destroy_query_set, QuerySet);
}

/// Something that a submission keeps alive until it is done.
pub(crate) trait Keep: Send + Sync {}

impl<T: Send + Sync> Keep for T {}
