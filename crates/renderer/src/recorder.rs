//! The one command buffer under construction, its one open pass, and the clears that wait to
//! become a pass's load operations.

use std::collections::VecDeque;

use ninefold_gpu::types::IndexFormat;
use ninefold_gpu::{
    Arena, ColorAttachment, Commands, DepthAttachment, FenceValue, Gpu, Load, PassDesc,
};

use crate::constants::Offsets;
use crate::draw::Viewport;
use crate::error::{Error, Result};
use crate::image::{Image, ImageUsage, Rect};
use crate::pipeline::TargetFormats;
use crate::query::Queries;
use crate::settings::Stats;
use crate::targets::{Attachment, Targets};
use crate::vertex_input::SLOTS;

/// What targets decide: formats and the drawable size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TargetInfo {
    pub(crate) formats: TargetFormats,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// State that the open pass already has, so that a draw sets only what differs.
pub(crate) struct Bound {
    pub(crate) pipeline: Option<u32>,
    /// Whether the textures and samplers of the last draw's bind key are bound.
    pub(crate) textures: bool,
    /// Number of the bind group of the constants and the offsets of its windows.
    pub(crate) windows: Option<(u32, Offsets)>,
    /// Whether the large constants of the last draw that had any are bound.
    pub(crate) large: bool,
    /// By vertex buffer slot the resident buffer that is bound there, by its name; 0 for others.
    pub(crate) streams: [u64; SLOTS],
    /// The GPU's buffer that is bound for resident indices, by its number, and how it is read.
    pub(crate) indices: Option<(u32, IndexFormat)>,
    pub(crate) viewport: Option<Viewport>,
    pub(crate) scissor: Option<Rect>,
    pub(crate) stencil_ref: Option<u8>,
    pub(crate) blend_factor: Option<[f32; 4]>,
}

impl Bound {
    /// What a pass begins with.
    const NOTHING: Self = Self {
        pipeline: None,
        textures: false,
        windows: None,
        large: false,
        streams: [0; SLOTS],
        indices: None,
        viewport: None,
        scissor: None,
        stencil_ref: Some(0),
        blend_factor: Some([0.0; 4]),
    };

    /// Nothing is known.
    const UNKNOWN: Self = Self {
        stencil_ref: None,
        blend_factor: None,
        ..Self::NOTHING
    };
}

struct PendingClear {
    image: Image,
    level: u32,
    layer: u32,
    color: Option<[f32; 4]>,
    depth: Option<f32>,
    stencil: Option<u8>,
}

impl PendingClear {
    fn is(&self, attachment: &Attachment) -> bool {
        self.image == attachment.image
            && self.level == attachment.level
            && self.layer == attachment.layer
    }
}

/// Bytes of arena that may be used between submissions. Programs that never present must not
/// make memory grow without end.
const SUBMIT_BYTES: u64 = 96 << 20;
/// Draws, clears and transfers that may be recorded between submissions, for the same reason:
/// the driver keeps some hundred bytes for each. Nine views of 3,000 draws fit in one submission:
/// a frame split over several pays for each, in lavapipe half as much again per draw.
const SUBMIT_COMMANDS: u32 = 1 << 15;

pub(crate) struct Recorder {
    pub(crate) gpu: Gpu,
    pub(crate) arena: Arena,
    pub(crate) queries: Queries,
    pub(crate) commands: Option<Commands>,
    pass: Option<Targets>,
    pub(crate) bound: Bound,
    /// Clears wait for the pass that follows, and draws set what differs only.
    pub(crate) fast: bool,
    pending: Vec<PendingClear>,
    last: Option<FenceValue>,
    /// The last submissions of the frames that the GPU may still be busy with.
    frames: VecDeque<FenceValue>,
    /// The targets of the draw at hand.
    targets: Targets,
    info: TargetInfo,
    /// Whether the open pass is on these targets.
    pass_is_current: bool,
    /// Bytes of arena that the commands under construction use.
    pub(crate) bytes: u64,
    /// Draws, clears and transfers under construction.
    recorded: u32,
    pub(crate) stats: Stats,
}

impl Recorder {
    pub(crate) fn new(gpu: Gpu, arena: Arena) -> Self {
        Self {
            gpu,
            arena,
            queries: Queries::new(),
            commands: None,
            pass: None,
            bound: Bound::NOTHING,
            fast: true,
            pending: Vec::new(),
            last: None,
            frames: VecDeque::new(),
            targets: Targets::default(),
            info: TargetInfo::default(),
            pass_is_current: false,
            bytes: 0,
            recorded: 0,
            stats: Stats::default(),
        }
    }

    /// The open command buffer, a new one if none is.
    pub(crate) fn commands(&mut self) -> Result<&mut Commands> {
        if self.commands.is_none() {
            self.commands = Some(self.gpu.begin()?);
        }
        self.commands
            .as_mut()
            .ok_or_else(|| Error::state("no command buffer"))
    }

    /// The open command buffer outside any pass.
    pub(crate) fn outside_pass(&mut self) -> Result<&mut Commands> {
        self.end_pass()?;
        self.commands()
    }

    /// The command buffer and the arena, for copies.
    pub(crate) fn with_arena(&mut self) -> Result<(&mut Commands, &mut Arena)> {
        self.commands()?;
        match &mut self.commands {
            Some(commands) => Ok((commands, &mut self.arena)),
            None => Err(Error::state("no command buffer")),
        }
    }

    pub(crate) fn in_pass(&self) -> bool {
        self.pass.is_some()
    }

    pub(crate) fn end_pass(&mut self) -> Result<()> {
        if self.pass.take().is_some()
            && let Some(commands) = &mut self.commands
        {
            self.queries.end_segment(commands)?;
            commands.end_pass()?;
        }
        self.pass_is_current = false;
        self.bound = Bound::NOTHING;
        Ok(())
    }

    /// Notes bytes taken from the arena.
    pub(crate) fn count_bytes(&mut self, bytes: u64) {
        self.bytes += bytes;
        self.stats.arena_bytes += bytes;
    }

    /// Whether so much is recorded that it should be submitted.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes > SUBMIT_BYTES || self.recorded >= SUBMIT_COMMANDS
    }

    /// Notes a draw, clear or transfer.
    pub(crate) fn count_command(&mut self) {
        self.recorded += 1;
    }

    /// Checks `targets` and works out their formats and size; the same targets as last time cost a
    /// compare. The next [`Recorder::info`] and [`Recorder::ensure_pass`] are about these targets.
    #[inline]
    pub(crate) fn set_targets(&mut self, targets: &Targets) -> Result<()> {
        if self.targets != *targets || self.info.width == 0 {
            self.change_targets(targets)?;
        }
        Ok(())
    }

    #[cold]
    fn change_targets(&mut self, targets: &Targets) -> Result<()> {
        let targets = matching(targets);
        if self.info.width != 0 && self.targets == targets {
            return Ok(());
        }
        self.pass_is_current = false;
        self.info = TargetInfo::default();
        self.info = check_targets(&targets)?;
        self.targets = targets;
        Ok(())
    }

    /// Formats and size of the targets.
    #[inline]
    pub(crate) fn info(&self) -> &TargetInfo {
        &self.info
    }

    /// Opens a pass on the targets unless it is the one that is open.
    #[inline]
    pub(crate) fn ensure_pass(&mut self) -> Result<()> {
        if self.pass_is_current && (!self.queries.wants_set() || self.queries.has_set()) {
            return Ok(());
        }
        self.begin_pass()
    }

    #[cold]
    fn begin_pass(&mut self) -> Result<()> {
        let served = !self.queries.wants_set() || self.queries.has_set();
        if served && self.pass.as_ref() == Some(&self.targets) {
            self.pass_is_current = true;
            return Ok(());
        }
        let targets = self.targets.clone();
        self.end_pass()?;
        self.encode_other_clears(&targets)?;
        let views = attachment_views(&targets)?;
        let waiting = |attachment: &Attachment| self.pending.iter().find(|p| p.is(attachment));
        let mut folded = 0;
        let mut colors = [const { None }; 4];
        for (slot, color) in colors.iter_mut().enumerate() {
            let (Some(attachment), Some(view)) = (&targets.colors[slot], &views.colors[slot])
            else {
                continue;
            };
            let value = waiting(attachment).and_then(|p| p.color);
            folded += u64::from(value.is_some());
            *color = Some(ColorAttachment {
                view,
                load: value.map_or(Load::Load, Load::Clear),
                store: true,
                resolve: None,
            });
        }
        let depth_stencil = match (&targets.depth, &views.depth) {
            (Some(attachment), Some(view)) => {
                let waiting = waiting(attachment);
                folded += u64::from(waiting.is_some());
                Some(DepthAttachment {
                    view,
                    depth: waiting
                        .and_then(|p| p.depth)
                        .map_or(Load::Load, Load::Clear),
                    stencil: waiting
                        .and_then(|p| p.stencil)
                        .map_or(Load::Load, |value| Load::Clear(value.into())),
                    store: true,
                })
            }
            _ => None,
        };
        let used = colors
            .iter()
            .rposition(Option::is_some)
            .map_or(0, |last| last + 1);
        if self.commands.is_none() {
            self.commands = Some(self.gpu.begin()?);
        }
        let Some(commands) = &mut self.commands else {
            return Err(Error::state("no command buffer"));
        };
        let occlusion = self.queries.prepare_set(&self.gpu, commands)?;
        commands.begin_pass(&PassDesc {
            label: "draws",
            colors: &colors[..used],
            depth_stencil,
            occlusion: occlusion.as_ref(),
        })?;
        self.pending
            .retain(|p| !attachments(&targets).any(|a| p.is(a)));
        self.stats.clears_folded += folded;
        self.stats.passes += 1;
        self.pass = Some(targets);
        self.pass_is_current = true;
        self.bound = Bound::NOTHING;
        Ok(())
    }

    /// The command buffer inside the open pass, with no occlusion query counting.
    pub(crate) fn not_counting(&mut self) -> Result<&mut Commands> {
        let Some(commands) = &mut self.commands else {
            return Err(Error::state("no command buffer"));
        };
        self.queries.end_segment(commands)?;
        Ok(commands)
    }

    /// Counts no occlusion until the queries resume.
    pub(crate) fn pause_counting(&mut self) -> Result<()> {
        if let Some(commands) = &mut self.commands {
            self.queries.end_segment(commands)?;
        }
        self.queries.pause();
        Ok(())
    }

    /// Forgets what is bound after something other than a draw used the open pass.
    pub(crate) fn unbind(&mut self, stencil_ref: u8) {
        self.bound = Bound {
            stencil_ref: Some(stencil_ref),
            blend_factor: self.bound.blend_factor,
            ..Bound::NOTHING
        };
    }

    /// Has the next draw set its viewport whatever it is.
    pub(crate) fn forget_viewport(&mut self) {
        self.bound.viewport = None;
    }

    /// Command buffer and bound state of the open pass.
    #[inline]
    pub(crate) fn pass_state(&mut self) -> Result<(&mut Commands, &mut Bound)> {
        match &mut self.commands {
            Some(commands) => Ok((commands, &mut self.bound)),
            None => Err(Error::state("no command buffer")),
        }
    }

    /// Sets whole attachments with the next pass that draws into them, or in a pass of their own
    /// before anything else looks at them.
    pub(crate) fn defer_clear(
        &mut self,
        attachment: &Attachment,
        color: Option<[f32; 4]>,
        depth: Option<f32>,
        stencil: Option<u8>,
    ) -> Result<()> {
        // While a pass is open nothing waits, so that draws need not look.
        self.end_pass()?;
        let at = match self.pending.iter().position(|p| p.is(attachment)) {
            Some(at) => at,
            None => {
                self.pending.push(PendingClear {
                    image: attachment.image.clone(),
                    level: attachment.level,
                    layer: attachment.layer,
                    color: None,
                    depth: None,
                    stencil: None,
                });
                self.pending.len() - 1
            }
        };
        let pending = &mut self.pending[at];
        pending.color = color.or(pending.color);
        pending.depth = depth.or(pending.depth);
        pending.stencil = stencil.or(pending.stencil);
        match self.fast {
            true => Ok(()),
            false => self.encode_all_clears(),
        }
    }

    /// Before a draw: without fast paths it sets all its state, whatever the pass has.
    #[inline]
    pub(crate) fn distrust(&mut self) {
        if !self.fast {
            self.bound = Bound::UNKNOWN;
        }
    }

    /// Encodes the clears that wait for `image`.
    pub(crate) fn encode_clears_of(&mut self, image: &Image) -> Result<()> {
        self.encode_clears(|p| p.image == *image)
    }

    /// Encodes all clears that wait.
    pub(crate) fn encode_all_clears(&mut self) -> Result<()> {
        self.encode_clears(|_| true)
    }

    /// Before a pass: the clears of what it does not draw into, because its draws may sample it;
    /// of attachments that are larger than the drawable area, of which a load operation would
    /// clear a part; and colours of targets written as sRGB, which it would encode.
    fn encode_other_clears(&mut self, targets: &Targets) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let info = self.info;
        self.encode_clears(|p| {
            let folds = |a: &Attachment| {
                let [width, height, _] = a.image.0.level_size(a.level);
                p.is(a)
                    && (width, height) == (info.width, info.height)
                    && !(a.srgb && p.color.is_some())
            };
            !attachments(targets).any(folds)
        })
    }

    fn encode_clears(&mut self, which: impl Fn(&PendingClear) -> bool) -> Result<()> {
        if !self.pending.iter().any(&which) {
            return Ok(());
        }
        self.end_pass()?;
        let mut at = 0;
        while at < self.pending.len() {
            if which(&self.pending[at]) {
                let clear = self.pending.remove(at);
                self.encode_clear(&clear)?;
            } else {
                at += 1;
            }
        }
        Ok(())
    }

    fn encode_clear(&mut self, clear: &PendingClear) -> Result<()> {
        let view = clear.image.0.slice_view(clear.level, clear.layer, false)?;
        let color = clear.color.map(|value| {
            Some(ColorAttachment {
                view: &view,
                load: Load::Clear(value),
                store: true,
                resolve: None,
            })
        });
        let depth_stencil = clear
            .image
            .desc()
            .format
            .is_depth()
            .then(|| DepthAttachment {
                view: &view,
                depth: clear.depth.map_or(Load::Load, Load::Clear),
                stencil: clear
                    .stencil
                    .map_or(Load::Load, |value| Load::Clear(value.into())),
                store: true,
            });
        let commands = self.commands()?;
        commands.begin_pass(&PassDesc {
            label: "clear",
            colors: color.as_slice(),
            depth_stencil,
            occlusion: None,
        })?;
        commands.end_pass()?;
        self.stats.clears_encoded += 1;
        self.stats.passes += 1;
        Ok(())
    }

    /// A pass of its own over a colour target, which keeps what `draw` does not cover. It ends
    /// whatever comes of `draw`.
    pub(crate) fn pass_over(
        &mut self,
        label: &str,
        target: &ninefold_gpu::TextureView,
        draw: impl FnOnce(&mut Commands) -> ninefold_gpu::Result<()>,
    ) -> Result<()> {
        let commands = self.outside_pass()?;
        commands.begin_pass(&PassDesc {
            label,
            colors: &[Some(ColorAttachment {
                view: target,
                load: Load::Load,
                store: true,
                resolve: None,
            })],
            depth_stencil: None,
            occlusion: None,
        })?;
        let drawn = draw(commands);
        commands.end_pass()?;
        self.stats.passes += 1;
        Ok(drawn?)
    }

    /// Whether there is nothing to submit.
    pub(crate) fn is_empty(&self) -> bool {
        self.commands.is_none() && self.pending.is_empty()
    }

    /// The submission that came last.
    pub(crate) fn last_submission(&self) -> Option<FenceValue> {
        self.last
    }

    /// Submits everything that was recorded.
    pub(crate) fn flush(&mut self) -> Result<()> {
        if self.gpu.is_lost() {
            return Err(ninefold_gpu::Error::DeviceLost.into());
        }
        self.encode_all_clears()?;
        self.end_pass()?;
        if let Some(mut commands) = self.commands.take() {
            let read = self.queries.before_submit(&mut commands)?;
            let fence = commands.submit()?;
            self.queries.after_submit(read, fence);
            self.last = Some(fence);
            self.stats.submissions += 1;
        } else {
            self.queries.wait_for(self.last);
        }
        self.bytes = 0;
        self.recorded = 0;
        Ok(())
    }

    /// A submission by other means than [`Recorder::flush`].
    pub(crate) fn note_submission(&mut self, fence: FenceValue) {
        self.last = Some(fence);
        self.stats.submissions += 1;
    }

    /// Ends a frame and waits until the GPU is busy with at most `latency` of them.
    pub(crate) fn end_frame(&mut self, latency: usize) -> Result<()> {
        if let Some(last) = self.last
            && self.frames.back() != Some(&last)
        {
            self.frames.push_back(last);
        }
        while self.frames.len() > latency
            && let Some(oldest) = self.frames.pop_front()
        {
            self.gpu.wait(oldest, None)?;
        }
        Ok(())
    }

    /// Waits for the last submission.
    pub(crate) fn wait(&mut self) -> Result<()> {
        if let Some(fence) = self.last {
            self.gpu.wait(fence, None)?;
        }
        Ok(self.gpu.poll()?)
    }
}

fn attachments(targets: &Targets) -> impl Iterator<Item = &Attachment> {
    targets.colors.iter().flatten().chain(&targets.depth)
}

/// The targets that go together with the first colour target: they have as many samples, and depth
/// is at least as large. Direct3D leaves others undefined but does not refuse them; here they are
/// left out, as its drivers do.
fn matching(targets: &Targets) -> Targets {
    let mut targets = targets.clone();
    let shape = |a: &Attachment| (a.image.desc().samples, a.image.0.level_size(a.level));
    if let Some((samples, size)) = targets.colors.iter().flatten().next().map(shape) {
        for color in &mut targets.colors {
            color.take_if(|a| shape(a).0 != samples);
        }
        targets.depth.take_if(|a| {
            let (of_depth, [width, height, _]) = shape(a);
            of_depth != samples || width < size[0] || height < size[1]
        });
    }
    targets
}

struct Views {
    colors: [Option<ninefold_gpu::TextureView>; 4],
    depth: Option<ninefold_gpu::TextureView>,
}

fn attachment_views(targets: &Targets) -> Result<Views> {
    let view = |a: &Attachment| a.image.0.slice_view(a.level, a.layer, a.srgb);
    let mut views = Views {
        colors: [const { None }; 4],
        depth: None,
    };
    for (slot, color) in targets.colors.iter().enumerate() {
        views.colors[slot] = color.as_ref().map(view).transpose()?;
    }
    views.depth = targets.depth.as_ref().map(view).transpose()?;
    Ok(views)
}

fn check_targets(targets: &Targets) -> Result<TargetInfo> {
    let mut info = TargetInfo {
        formats: TargetFormats::default(),
        width: u32::MAX,
        height: u32::MAX,
    };
    for (slot, attachment) in targets.colors.iter().enumerate() {
        let Some(attachment) = attachment else {
            continue;
        };
        let what = format_args!("colour target {slot}");
        check_attachment(attachment, ImageUsage::COLOR, &what, &mut info)?;
        info.formats.colors[slot] = attachment.image.desc().format as u8;
        info.formats.srgb |= u8::from(attachment.srgb) << slot;
        info.formats.opaque |= u8::from(attachment.opaque_alpha) << slot;
    }
    if let Some(attachment) = &targets.depth {
        check_attachment(
            attachment,
            ImageUsage::DEPTH,
            &"the depth target",
            &mut info,
        )?;
        info.formats.depth = attachment.image.desc().format as u8;
    }
    if info.formats.samples == 0 {
        return Err(Error::args("a draw needs a colour or a depth target"));
    }
    Ok(info)
}

pub(crate) fn check_attachment(
    attachment: &Attachment,
    usage: ImageUsage,
    what: &dyn core::fmt::Display,
    info: &mut TargetInfo,
) -> Result<()> {
    let desc = attachment.image.desc();
    if !desc.usage.contains(usage) {
        return Err(Error::args(format!("{what} was not made for that use")));
    }
    if attachment.level >= desc.levels || attachment.layer >= attachment.image.0.layers() {
        return Err(Error::bounds(format!(
            "{what} is level {} of layer {} of {:?}",
            attachment.level, attachment.layer, attachment.image
        )));
    }
    let samples = desc.samples as u8;
    if info.formats.samples != 0 && info.formats.samples != samples {
        return Err(Error::args(format!(
            "{what} has {samples} samples, another target has {}",
            info.formats.samples
        )));
    }
    let [width, height, _] = attachment.image.0.level_size(attachment.level);
    info.formats.samples = samples;
    info.width = info.width.min(width);
    info.height = info.height.min(height);
    Ok(())
}
