//! Radial fog: when draws measure fog from the eye instead of along the view.
//!
//! Several views of one world from one eye, each with its own axis, agree where they meet only when
//! fog does not depend on the axis. That is asked for by
//! [`RendererSettings::radial_fog`](crate::RendererSettings::radial_fog) and holds for draws between
//! [`Device::set_panorama_pass`] and its end; all others fog as Direct3D says.

use ninefold_bytecode::ShaderCode;
use ninefold_bytecode::radial_fog::{self, Mode};

use crate::bearing::Bearing;
use crate::consts::*;
use crate::device::Device;
use crate::resolve::group;

/// Shaders with fog terms that are told of in the log.
const TOLD: u32 = 64;

/// The planar fog type of a view whose fog plane lies across it.
const ACROSS_THE_VIEW: u32 = 2;

/// What decides radial fog beside the bound state.
#[derive(Debug, Default)]
pub(crate) struct RadialFog {
    /// The setting.
    on: bool,
    pass: Option<Bearing>,
    planar_type: u32,
    told: u32,
}

impl RadialFog {
    pub(crate) fn new(on: bool) -> Self {
        Self {
            on,
            ..Self::default()
        }
    }

    /// Whether draws are ones of a panorama that has radial fog.
    pub(crate) fn is_active(&self) -> bool {
        self.on && self.pass.is_some()
    }

    /// The mode for a shader that these make a difference to.
    pub(crate) fn mode(&self, modes: &[Mode]) -> Option<Mode> {
        if !self.is_active() || modes.is_empty() {
            return None;
        }
        match self.planar_type == ACROSS_THE_VIEW && modes.contains(&Mode::ViewPlane) {
            true => Some(Mode::ViewPlane),
            false => Some(Mode::Depth),
        }
    }

    /// Whether fixed-function vertex fog of this state takes the distance from the eye: fog is on
    /// and not a table's.
    pub(crate) fn takes_distance(&self, state: &crate::state::State) -> bool {
        self.is_active()
            && state.rs(D3DRS_FOGENABLE) != 0
            && !matches!(
                state.rs(D3DRS_FOGTABLEMODE),
                D3DFOG_EXP | D3DFOG_EXP2 | D3DFOG_LINEAR
            )
    }

    /// The modes that make a difference to a new vertex shader.
    pub(crate) fn modes_of(&mut self, code: &ShaderCode) -> &'static [Mode] {
        let modes = radial_fog::modes(code);
        if !modes.is_empty() && self.told < TOLD {
            self.told += 1;
            let terms = |mode| radial_fog::scan(code, mode).map_or(0, |plan| plan.terms.len());
            tracing::debug!(
                target: "ninefold::radial_fog",
                key = %code.key(),
                depth = terms(Mode::Depth),
                view_plane = terms(Mode::ViewPlane),
                "a vertex shader with fog terms"
            );
        }
        modes
    }
}

impl Device {
    /// Says that what is drawn from now on is seen along one bearing of a panorama, or with `None`
    /// no longer. Not part of D3D9, and in no capture. With the setting on, fog is then measured
    /// from the eye: by the vertex shaders that
    /// [`ninefold_bytecode::radial_fog`] rewrites, and by fixed-function vertex fog. Without it
    /// nothing changes. [`Panorama`](crate::Panorama) does this for its views.
    pub fn set_panorama_pass(&mut self, pass: Option<Bearing>) {
        let before = self.radial_fog.is_active();
        self.radial_fog.pass = pass;
        if self.radial_fog.is_active() != before {
            self.resolved.touch(group::VERTEX | group::FOG);
        }
    }

    /// The bearing that is drawn.
    pub fn panorama_pass(&self) -> Option<Bearing> {
        self.radial_fog.pass
    }

    /// Sets the type of planar fog in the view that is drawn; 0 in the beginning. 2 says that the
    /// fog plane (`c7`) is none of the world but lies across the view, so that it is a depth like
    /// the others; all other types leave it alone.
    pub fn set_planar_fog_type(&mut self, planar_type: u32) {
        if self.radial_fog.planar_type != planar_type {
            self.radial_fog.planar_type = planar_type;
            self.resolved.touch(group::VERTEX);
        }
    }

    /// The type of planar fog.
    pub fn planar_fog_type(&self) -> u32 {
        self.radial_fog.planar_type
    }

    /// Which fog a draw with the bound vertex shader measures from the eye: none when the setting is
    /// off, no panorama pass is active, no shader is bound, or it has no such fog.
    pub fn radial_fog_mode(&self) -> Option<Mode> {
        let shader = self.state.vertex_shader?;
        self.radial_fog
            .mode(self.vertex_shaders.get(shader)?.radial)
    }
}
