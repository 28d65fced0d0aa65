//! Beginning and ending a pass.

use std::sync::Arc;

use wgpu_hal as hal;
use wgpu_types as wgt;

use super::Commands;
use super::state::Part;
use crate::desc::{ColorAttachment, DepthAttachment, Load, PassDesc, RenderPipelineDesc};
use crate::error::{Error, Result, invalid};
use crate::query::QuerySet;
use crate::shared::Shared;
use crate::texture::{Texture, TextureView};

/// What decides whether a pipeline may be used in a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PassSignature {
    colors: [Option<wgt::TextureFormat>; hal::MAX_COLOR_ATTACHMENTS],
    depth_stencil: Option<wgt::TextureFormat>,
    samples: u32,
}

impl PassSignature {
    /// One colour attachment.
    pub(super) fn of_color(format: wgt::TextureFormat) -> Self {
        let mut colors = [None; hal::MAX_COLOR_ATTACHMENTS];
        colors[0] = Some(format);
        Self {
            colors,
            depth_stencil: None,
            samples: 1,
        }
    }

    pub(crate) fn of_pipeline(desc: &RenderPipelineDesc<'_>) -> Self {
        let mut colors = [None; hal::MAX_COLOR_ATTACHMENTS];
        for (color, target) in colors.iter_mut().zip(desc.colors) {
            *color = target.as_ref().map(|target| target.format);
        }
        Self {
            colors,
            depth_stencil: desc.depth_stencil.as_ref().map(|ds| ds.format),
            samples: desc.multisample.count,
        }
    }
}

/// What is missing before a draw: bits 0 to 7 bind groups, 8 to 23 vertex
/// buffers, 63 the pipeline.
pub(super) const NO_PIPELINE: u64 = 1 << 63;
pub(super) const FIRST_SLOT: u32 = 8;

/// The open pass.
pub(super) struct Pass {
    /// Unique among all passes of the device.
    pub(super) id: u64,
    pub(super) signature: u32,
    pub(super) extent: [u32; 2],
    pub(super) attachments: Vec<(Texture, Part)>,
    pub(super) occlusion: Option<QuerySet>,
    pub(super) query: Option<u32>,
    /// Index in [`Commands::pipelines`].
    pub(super) pipeline: Option<u32>,
    /// Layout ids of the groups that are bound.
    pub(super) groups: [u64; hal::MAX_BIND_GROUPS],
    /// Bit n: vertex slot n is bound.
    pub(super) slots: u32,
    /// Format and number of the bound indices.
    pub(super) indices: Option<(wgt::IndexFormat, u64)>,
    /// Bytes of immediates that have been set.
    pub(super) immediates: u32,
    pub(super) missing: u64,
}

/// The size that all attachments have, and their sample count.
struct Shape {
    size: [u32; 2],
    samples: u32,
}

fn target_size(view: &TextureView) -> [u32; 2] {
    let [width, height, _] = view.0.texture.mip_size(view.0.desc.mips.start);
    [width, height]
}

fn part_of(view: &TextureView) -> Part {
    Part {
        mips: view.0.desc.mips.clone(),
        layers: view.0.desc.layers.clone(),
    }
}

impl Commands {
    /// Begins a pass. It ends with [`Commands::end_pass`] or
    /// [`Commands::submit`]. Viewport and scissor are the whole target (the size
    /// that all attachments have: their smallest width and height), the
    /// blend constant and the stencil reference 0, nothing is bound.
    ///
    /// # Errors
    /// [`Error::State`] when a pass is open; [`Error::Invalid`] when attachments
    /// are missing, too many, of different sample counts, of the wrong
    /// format or usage, or used twice.
    pub fn begin_pass(&mut self, desc: &PassDesc<'_>) -> Result<()> {
        if self.in_pass() {
            return Err(Error::State("begin_pass inside a pass"));
        }
        self.shared().alive()?;
        let shape = self.check_pass(desc)?;
        let mut pass = self.new_pass();
        let mut signature = PassSignature {
            colors: [None; hal::MAX_COLOR_ATTACHMENTS],
            depth_stencil: desc.depth_stencil.map(|ds| ds.view.format()),
            samples: shape.samples,
        };
        for (n, color) in desc.colors.iter().enumerate() {
            let Some(color) = color else { continue };
            signature.colors[n] = Some(color.view.format());
            for view in [Some(color.view), color.resolve].into_iter().flatten() {
                pass.attachments
                    .push((view.0.texture.clone(), part_of(view)));
            }
        }
        if let Some(ds) = &desc.depth_stencil {
            pass.attachments
                .push((ds.view.0.texture.clone(), part_of(ds.view)));
        }
        pass.signature = self.shared().signature_id(&signature);
        pass.extent = shape.size;
        pass.occlusion = desc.occlusion.cloned();
        match self.record_pass(desc, &shape, &pass) {
            Ok(()) => {
                self.pass = Some(pass);
                Ok(())
            }
            Err(error) => {
                self.spare_pass = Some(pass);
                Err(error)
            }
        }
    }

    /// A pass with nothing attached and nothing bound.
    pub(super) fn new_pass(&mut self) -> Pass {
        let attachments = self.spare_pass.take().map(|spare| spare.attachments);
        let mut pass = Pass {
            id: self.shared().new_id(),
            signature: 0,
            extent: [0; 2],
            attachments: attachments.unwrap_or_default(),
            occlusion: None,
            query: None,
            pipeline: None,
            groups: [0; hal::MAX_BIND_GROUPS],
            slots: 0,
            indices: None,
            immediates: 0,
            missing: NO_PIPELINE,
        };
        pass.attachments.clear();
        pass
    }

    fn record_pass(&mut self, desc: &PassDesc<'_>, shape: &Shape, pass: &Pass) -> Result<()> {
        let colors = desc.colors.iter().flatten();
        let views = colors
            .flat_map(|color| [Some(color.view), color.resolve])
            .chain([desc.depth_stencil.as_ref().map(|ds| ds.view)]);
        for view in views.flatten() {
            self.kept.push(view.0.clone());
            self.touch_texture(&view.0.texture);
        }
        if let Some(set) = desc.occlusion {
            self.keep(&set.0);
        }
        let shared = self.gpu.shared().clone();
        let Some(main) = &mut self.main else {
            return Err(Error::DeviceLost);
        };
        let encoder = &mut **main;
        self.states.rest(encoder, |texture, part| {
            pass.attachments
                .iter()
                .any(|(t, p)| t.same(texture) && p == part)
        });
        for (texture, part) in &pass.attachments {
            self.states
                .acquire(encoder, texture, part, texture.0.attachment_use());
        }
        let raw_colors: Vec<_> = desc
            .colors
            .iter()
            .map(|c| c.as_ref().map(raw_color))
            .collect();
        let raw = hal::RenderPassDescriptor {
            label: (!desc.label.is_empty()).then_some(desc.label),
            extent: wgt::Extent3d {
                width: shape.size[0],
                height: shape.size[1],
                depth_or_array_layers: 1,
            },
            sample_count: shape.samples,
            color_attachments: &raw_colors,
            depth_stencil_attachment: desc.depth_stencil.as_ref().map(raw_depth),
            multiview_mask: None,
            timestamp_writes: None,
            occlusion_query_set: desc.occlusion.map(|set| set.0.raw.get()),
        };
        // SAFETY: no pass is open; the attachments were checked against each
        // other, are in the attachment state, and are kept.
        shared.check(unsafe { encoder.begin_render_pass(&raw) })?;
        // SAFETY: a pass is open. Pipelines leave both states dynamic.
        unsafe {
            encoder.set_blend_constants(&[0.0; 4]);
            encoder.set_stencil_reference(0);
        }
        Ok(())
    }

    /// Ends the open pass.
    ///
    /// # Errors
    /// [`Error::State`] when none is open, or an occlusion query is.
    pub fn end_pass(&mut self) -> Result<()> {
        let Some(pass) = &mut self.pass else {
            return Err(Error::State("end_pass without a pass"));
        };
        if pass.query.is_some() {
            return Err(Error::State("end_pass inside an occlusion query"));
        }
        (pass.pipeline, pass.occlusion) = (None, None);
        self.spare_pass = self.pass.take();
        // SAFETY: a pass is open on this encoder.
        unsafe { self.encoder().end_render_pass() };
        Ok(())
    }

    fn check_pass(&self, desc: &PassDesc<'_>) -> Result<Shape> {
        let caps = self.gpu.caps();
        if desc.colors.len() > (caps.max_color_attachments as usize).min(hal::MAX_COLOR_ATTACHMENTS)
        {
            return Err(invalid(format!("{} colour attachments", desc.colors.len())));
        }
        let mut shape: Option<Shape> = None;
        let mut parts: Vec<(&Texture, Part)> = Vec::new();
        let mut add = |view: &'_ TextureView, what: &str, depth: bool| -> Result<()> {
            let t = &view.0.texture.0;
            if !self.owns(t.raw.shared())
                || !view.0.target
                || t.format.is_depth_stencil_format() != depth
            {
                return Err(invalid(format!(
                    "{what} {view:?} is no attachment of that kind"
                )));
            }
            let size = target_size(view);
            match &mut shape {
                Some(shape) if shape.samples != t.samples => {
                    return Err(invalid(format!(
                        "{what} has {} samples, others {}",
                        t.samples, shape.samples
                    )));
                }
                Some(shape) => {
                    shape.size = [0, 1].map(|axis: usize| shape.size[axis].min(size[axis]));
                }
                None => {
                    shape = Some(Shape {
                        size,
                        samples: t.samples,
                    });
                }
            }
            Ok(())
        };
        for (n, color) in desc.colors.iter().enumerate() {
            if let Some(color) = color {
                add(color.view, &format!("colour attachment {n}"), false)?;
            }
        }
        if let Some(ds) = &desc.depth_stencil {
            add(ds.view, "depth-stencil attachment", true)?;
            if let Load::Clear(depth) = ds.depth
                && !(0.0..=1.0).contains(&depth)
            {
                return Err(invalid(format!("depth clear value {depth} must be 0 to 1")));
            }
        }
        let Some(shape) = shape else {
            return Err(invalid("a pass needs at least one attachment"));
        };
        for color in desc.colors.iter().flatten() {
            parts.push((&color.view.0.texture, part_of(color.view)));
            let Some(resolve) = color.resolve else {
                continue;
            };
            let fits = self.owns(resolve.0.raw.shared())
                && resolve.0.target
                && resolve.0.texture.0.samples == 1
                && shape.samples > 1
                && resolve.format() == color.view.format()
                && self.gpu.format_caps(resolve.format()).blendable
                && target_size(resolve) == target_size(color.view);
            if !fits {
                return Err(invalid(format!(
                    "{resolve:?} cannot take the samples of {:?}",
                    color.view
                )));
            }
            parts.push((&resolve.0.texture, part_of(resolve)));
        }
        for (n, (texture, part)) in parts.iter().enumerate() {
            let twice = parts[..n]
                .iter()
                .any(|(t, p)| t.same(texture) && p.overlaps(&part.mips, &part.layers));
            if twice {
                return Err(invalid(format!("{texture:?} is attached twice")));
            }
        }
        if let Some(set) = desc.occlusion
            && (!self.owns(set.0.raw.shared()) || set.0.timestamps)
        {
            return Err(invalid("a query set of another device or of timestamps"));
        }
        Ok(shape)
    }
}

fn load_ops<T>(load: &Load<T>, store: bool) -> hal::AttachmentOps {
    let load = match load {
        Load::Load => hal::AttachmentOps::LOAD,
        Load::Clear(_) => hal::AttachmentOps::LOAD_CLEAR,
    };
    load | if store {
        hal::AttachmentOps::STORE
    } else {
        hal::AttachmentOps::STORE_DISCARD
    }
}

fn raw_attachment(view: &TextureView) -> hal::Attachment<'_, dyn hal::DynTextureView> {
    hal::Attachment {
        view: view.0.raw.get(),
        usage: view.0.texture.0.attachment_use(),
    }
}

fn raw_color<'a>(color: &ColorAttachment<'a>) -> hal::ColorAttachment<'a, dyn hal::DynTextureView> {
    let [r, g, b, a] = match color.load {
        Load::Clear(value) => value.map(f64::from),
        Load::Load => [0.0; 4],
    };
    hal::ColorAttachment {
        target: raw_attachment(color.view),
        depth_slice: None,
        resolve_target: color.resolve.map(raw_attachment),
        ops: load_ops(&color.load, color.store),
        clear_value: wgt::Color { r, g, b, a },
    }
}

fn raw_depth<'a>(
    ds: &DepthAttachment<'a>,
) -> hal::DepthStencilAttachment<'a, dyn hal::DynTextureView> {
    let depth = match ds.depth {
        Load::Clear(depth) => depth,
        Load::Load => 0.0,
    };
    let stencil = match ds.stencil {
        Load::Clear(stencil) => stencil & 0xff,
        Load::Load => 0,
    };
    hal::DepthStencilAttachment {
        target: raw_attachment(ds.view),
        depth_ops: load_ops(&ds.depth, ds.store),
        stencil_ops: load_ops(&ds.stencil, ds.store),
        clear_value: (depth, stencil),
    }
}

/// Records a pass that sets all of `view` to zero. The view's texture is in the
/// attachment state and the caller keeps the view.
pub(super) fn clear_pass(
    shared: &Arc<Shared>,
    encoder: &mut dyn hal::DynCommandEncoder,
    view: &TextureView,
) -> Result<()> {
    let [width, height] = target_size(view);
    let color = ColorAttachment {
        view,
        load: Load::Clear([0.0; 4]),
        store: true,
        resolve: None,
    };
    let depth = DepthAttachment {
        view,
        depth: Load::Clear(0.0),
        stencil: Load::Clear(0),
        store: true,
    };
    let is_depth = view.0.texture.0.format.is_depth_stencil_format();
    let colors = [Some(raw_color(&color))];
    let desc = hal::RenderPassDescriptor {
        label: None,
        extent: wgt::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        sample_count: view.0.texture.0.samples,
        color_attachments: if is_depth { &[] } else { &colors },
        depth_stencil_attachment: is_depth.then(|| raw_depth(&depth)),
        multiview_mask: None,
        timestamp_writes: None,
        occlusion_query_set: None,
    };
    // SAFETY: no pass is open on the prelude's encoder; the one attachment is
    // in its state and kept.
    shared.check(unsafe { encoder.begin_render_pass(&desc) })?;
    // SAFETY: the pass was just begun.
    unsafe { encoder.end_render_pass() };
    Ok(())
}
