//! The pass on a surface's picture. Its texture is the window system's and no
//! [`crate::Texture`]: it lives for one submission, and its states are these.

use std::sync::Arc;

use wgpu_hal as hal;
use wgpu_types as wgt;

use super::{Commands, PassSignature};
use crate::error::{Error, Result, invalid};
use crate::raw::RawView;

impl Commands {
    /// Records a pass on `view`, all of `texture`, in which `draw` records, and leaves the texture
    /// ready to be shown.
    pub(crate) fn frame_pass(
        &mut self,
        texture: &dyn hal::DynTexture,
        view: Arc<RawView>,
        format: wgt::TextureFormat,
        size: [u32; 2],
        clear: [f32; 4],
        draw: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        use wgt::TextureUses as T;
        if self.in_pass() {
            return Err(Error::State("a frame inside a pass"));
        }
        if !self.owns(view.shared()) {
            return Err(invalid("a surface of another device"));
        }
        self.shared().alive()?;
        self.rest_everything();
        self.frame_barrier(texture, T::UNINITIALIZED, T::COLOR_TARGET);
        let shared = self.shared().clone();
        let [r, g, b, a] = clear.map(f64::from);
        let desc = hal::RenderPassDescriptor {
            label: Some("frame"),
            extent: wgt::Extent3d {
                width: size[0],
                height: size[1],
                depth_or_array_layers: 1,
            },
            sample_count: 1,
            color_attachments: &[Some(hal::ColorAttachment {
                target: hal::Attachment {
                    view: view.get(),
                    usage: T::COLOR_TARGET,
                },
                depth_slice: None,
                resolve_target: None,
                ops: hal::AttachmentOps::LOAD_CLEAR | hal::AttachmentOps::STORE,
                clear_value: wgt::Color { r, g, b, a },
            })],
            depth_stencil_attachment: None,
            multiview_mask: None,
            timestamp_writes: None,
            occlusion_query_set: None,
        };
        self.kept.push(view.clone());
        let encoder = self.encoder();
        // SAFETY: no pass is open; the one attachment is in its state, and its view is kept until
        // the GPU is done, as the surface keeps the texture.
        shared.check(unsafe { encoder.begin_render_pass(&desc) })?;
        // SAFETY: a pass is open. Pipelines leave both states dynamic.
        unsafe {
            encoder.set_blend_constants(&[0.0; 4]);
            encoder.set_stencil_reference(0);
        }
        let mut pass = self.new_pass();
        pass.signature = shared.signature_id(&PassSignature::of_color(format));
        pass.extent = size;
        let id = pass.id;
        self.pass = Some(pass);
        draw(self)?;
        if self.pass.as_ref().is_none_or(|pass| pass.id != id) {
            return Err(Error::State("the frame's pass was ended while drawing it"));
        }
        self.end_pass()?;
        self.frame_barrier(texture, T::COLOR_TARGET, T::PRESENT);
        Ok(())
    }

    fn frame_barrier(
        &mut self,
        texture: &dyn hal::DynTexture,
        from: wgt::TextureUses,
        to: wgt::TextureUses,
    ) {
        let barrier = hal::TextureBarrier {
            texture,
            range: wgt::ImageSubresourceRange::default(),
            usage: hal::StateTransition { from, to },
        };
        // SAFETY: the encoder records outside a pass; the texture's one level was acquired with
        // undefined contents, and nothing but the frame's pass uses it.
        unsafe { self.encoder().transition_textures(&[barrier]) };
    }
}
