//! Resolving the vertex and pixel functions and their constants.

use ninefold_bytecode::SamplerKind;
use ninefold_renderer::{PixelFunction, VertexFunction};
use ninefold_shader::{CompareFunc, Fog, FogCurve, FogDepth, Options, fixed};

use crate::consts::*;
use crate::device::{Device, stale};
use crate::fault::{Outcome, invalid};
use crate::resolve::group;
use crate::state::{color_value, kind_of};
use crate::transform::{PROJECTION, TEXTURE, VIEW, WORLD, affine};

impl Device {
    /// Resolves the vertex layout, the two functions and every constant that is not a register.
    pub(crate) fn resolve_shading(&mut self) -> Outcome<()> {
        let Some(handle) = self.state.declaration else {
            invalid!("no vertex declaration or FVF is set");
        };
        let dirty = self.resolved.dirty;
        if dirty & group::PIXEL != 0 {
            self.resolve_pixel()?;
        }
        if self.resolved.dirty & group::LAYOUT != 0 {
            self.resolve_layout(handle)?;
        }
        let vertex = group::VERTEX | group::LIGHTS;
        if self.resolved.dirty & vertex != 0 {
            self.resolve_lights();
        }
        if self.resolved.dirty & group::VERTEX != 0 {
            self.resolve_vertex(handle)?;
        }
        if !self.resolved.program && self.resolved.dirty & group::BLOCK != 0 {
            self.resolve_block();
        }
        if self.resolved.dirty & group::VERTEX_EXTRAS != 0 {
            self.resolve_vertex_extras();
        }
        if self.resolved.dirty & group::PIXEL_EXTRAS != 0 {
            self.resolve_pixel_extras();
        }
        Ok(())
    }

    fn resolve_layout(&mut self, declaration: crate::handle::RawHandle) -> Outcome<()> {
        let d = self
            .declarations
            .get(declaration)
            .ok_or_else(|| stale("declaration"))?;
        let strides: [u16; 16] =
            core::array::from_fn(|n| d.drawn_stride(n, self.state.streams[n].step()) as u16);
        if self.resolved.strides != Some(strides) {
            self.resolved.layout = self.renderer.vertex_layout(&d.layout, &strides)?;
            self.resolved.strides = Some(strides);
        }
        self.resolved.dirty &= !group::LAYOUT;
        Ok(())
    }

    fn table_curve(&self) -> Option<FogCurve> {
        match self.state.rs(D3DRS_FOGTABLEMODE) {
            D3DFOG_EXP => Some(FogCurve::Exp),
            D3DFOG_EXP2 => Some(FogCurve::Exp2),
            D3DFOG_LINEAR => Some(FogCurve::Linear),
            _ => None,
        }
    }

    /// A vertex shader is in force.
    fn runs_program(&self) -> bool {
        self.state.vertex_shader.is_some() && !self.pretransformed()
    }

    /// Table fog measures what the vertex function says. Behind a vertex shader that is the z it
    /// gives, but where the projection makes a w ("Eye-Relative vs. Z-Based Depth") the position's w:
    /// the projection is all that Direct3D knows of such a shader.
    fn table_depth(&self) -> FogDepth {
        match self.runs_program() && !affine(&self.state.transforms.0[PROJECTION]) {
            true => FogDepth::W,
            false => FogDepth::Vertex,
        }
    }

    /// The pixel function computes fog from the vertex's depth; ps_3_0 fogs itself.
    fn table_fogged(&self) -> bool {
        self.state.rs(D3DRS_FOGENABLE) != 0
            && self.table_curve().is_some()
            && self.table_depth() == FogDepth::Vertex
            && !self.pixel_shader_is_model_3()
    }

    fn pixel_shader_is_model_3(&self) -> bool {
        self.state
            .pixel_shader
            .and_then(|h| self.pixel_shaders.get(h))
            .is_some_and(|shader| shader.major >= 3)
    }

    /// Colours come from the first vertex (`D3DSHADE_FLAT`). What a vertex shader hands to ps_3_0 is
    /// interpolated all the same, colours too.
    fn shades_flat(&self) -> bool {
        let s = &*self.state;
        s.rs(D3DRS_SHADEMODE) == D3DSHADE_FLAT
            && !(self.runs_program() && self.pixel_shader_is_model_3())
    }

    fn resolve_pixel(&mut self) -> Outcome<()> {
        let s = &*self.state;
        let fog = match (s.rs(D3DRS_FOGENABLE) != 0, self.table_curve()) {
            (false, _) => Fog::None,
            (true, Some(curve)) => Fog::Table(curve, self.table_depth()),
            (true, None) if self.lacks_fog() => Fog::Full,
            (true, None) => Fog::Vertex,
        };
        let alpha_func = match s.rs(D3DRS_ALPHATESTENABLE) {
            0 => CompareFunc::Always,
            _ => CompareFunc::from_d3d(s.rs(D3DRS_ALPHAFUNC)).unwrap_or(CompareFunc::Always),
        };
        let flat = self.shades_flat();
        let sampled;
        let pixel = match s.pixel_shader {
            Some(handle) => {
                let shader = self
                    .pixel_shaders
                    .get(handle)
                    .ok_or_else(|| stale("pixel shader"))?;
                let mut options = Options {
                    alpha_func,
                    fog: if shader.major >= 3 { Fog::None } else { fog },
                    flat_shading: flat,
                    point_sprite: self.point_sprites(),
                    ..Options::default()
                };
                if shader.major < 2 {
                    for (slot, kind) in options.sampler_kinds.iter_mut().enumerate() {
                        *kind = sampler_kind(kind_of(s.textures[slot]));
                    }
                    for stage in 0..s.stages.len() {
                        let by = self.divided_by(stage);
                        options.projected |= u16::from(by != 0) << stage;
                        if let Some(place) = options.projected_by.get_mut(stage) {
                            *place = by.saturating_sub(1);
                        }
                    }
                } else {
                    let [planes, volumes] = shader.declared;
                    for (slot, kind) in options.sampler_kinds.iter_mut().enumerate() {
                        let other = match kind_of(s.textures[slot]) {
                            1 => volumes,
                            3 => planes,
                            _ => 0,
                        };
                        if other >> slot & 1 != 0 {
                            *kind = sampler_kind(kind_of(s.textures[slot]));
                        }
                    }
                }
                sampled = u8::MAX;
                PixelFunction::Program(shader.id, self.renderer.shader_options(&options)?)
            }
            None => {
                let key = self.fragment_key(fog, alpha_func, flat).normalized();
                sampled = key.sampled_stages();
                self.renderer.fixed_fragment(&key)?
            }
        };
        if sampled != self.resolved.sampled_stages {
            self.resolved.sampled_stages = sampled;
            self.resolved.dirty |= group::VERTEX;
        }
        self.resolved.pixel = pixel;
        self.resolved.dirty &= !group::PIXEL;
        Ok(())
    }

    /// The component that `tex` of ps_1_0 to ps_1_3 divides the coordinates of a stage by, 3 or 4,
    /// or 0: the one that the transform's count names, at most the last that the vertex has, where
    /// it lies past the texture's own. After a vertex shader it is the fourth.
    fn divided_by(&self, stage: usize) -> u8 {
        let states = &self.state.stages[stage];
        let flags = states[D3DTSS_TEXTURETRANSFORMFLAGS as usize];
        if flags & D3DTTFF_PROJECTED == 0 {
            return 0;
        }
        let declaration = self
            .state
            .declaration
            .and_then(|h| self.declarations.get(h));
        let pretransformed = declaration.is_some_and(|d| d.pretransformed);
        if self.state.vertex_shader.is_some() && !pretransformed {
            return 4;
        }
        let set = states[D3DTSS_TEXCOORDINDEX as usize] as usize;
        let given = declaration
            .and_then(|d| d.coordinates.get(set).copied())
            .filter(|n| *n != 0)
            .unwrap_or(4);
        let by = match (flags & 0xFF) as u8 {
            0 => given,
            count => count.min(given),
        };
        let own = match kind_of(self.state.textures[stage]) {
            2 => return 0,
            3 => 3,
            _ => 2,
        };
        if by > own { by } else { 0 }
    }

    /// Vertices come in pixels, past any vertex shader.
    pub(crate) fn pretransformed(&self) -> bool {
        self.state
            .declaration
            .and_then(|h| self.declarations.get(h))
            .is_some_and(|d| d.pretransformed)
    }

    /// The vertex function is a shader that writes no fog factor.
    fn lacks_fog(&self) -> bool {
        self.state
            .vertex_shader
            .filter(|_| !self.pretransformed())
            .and_then(|h| self.vertex_shaders.get(h))
            .is_some_and(|shader| !shader.writes_fog)
    }

    fn point_sprites(&self) -> bool {
        self.resolved.points && self.state.rs(D3DRS_POINTSPRITEENABLE) != 0
    }

    fn fragment_key(&self, fog: Fog, alpha_func: CompareFunc, flat: bool) -> fixed::FragmentKey {
        use fixed::{fragment_flag, fragment_fog};
        let s = &*self.state;
        let mut flags = 0;
        if s.rs(D3DRS_SPECULARENABLE) != 0 {
            flags |= fragment_flag::SPECULAR_ADD;
        }
        if flat {
            flags |= fragment_flag::FLAT;
        }
        if self.point_sprites() {
            flags |= fragment_flag::POINT_SPRITE;
        }
        fixed::FragmentKey {
            alpha_func: alpha_func as u8,
            fog: match fog {
                Fog::None => fragment_fog::NONE,
                Fog::Vertex => fragment_fog::VERTEX,
                Fog::Full => fragment_fog::FULL,
                Fog::Table(FogCurve::Exp, FogDepth::W) => fragment_fog::EXP_W,
                Fog::Table(FogCurve::Exp2, FogDepth::W) => fragment_fog::EXP2_W,
                Fog::Table(FogCurve::Linear, FogDepth::W) => fragment_fog::LINEAR_W,
                Fog::Table(FogCurve::Exp, _) => fragment_fog::EXP_VERTEX,
                Fog::Table(FogCurve::Exp2, _) => fragment_fog::EXP2_VERTEX,
                Fog::Table(FogCurve::Linear, _) => fragment_fog::LINEAR_VERTEX,
            },
            flags,
            stages: core::array::from_fn(|n| {
                let stage = |state: u32| s.stages[n][state as usize];
                // An unknown argument is the current colour, and an unknown
                // operation selects that.
                let arg = |state: u32| match stage(state) {
                    code if code & D3DTA_SELECTMASK <= D3DTA_CONSTANT => (code & 0x3F) as u8,
                    code => (code & 0x30 | D3DTA_CURRENT) as u8,
                };
                let op = |state: u32, args: [u32; 3]| match stage(state) {
                    code @ 0..=D3DTOP_LERP => (code as u8, args.map(arg)),
                    _ => (D3DTOP_SELECTARG1 as u8, [D3DTA_CURRENT as u8; 3]),
                };
                let (color_op, color_args) = op(
                    D3DTSS_COLOROP,
                    [D3DTSS_COLORARG0, D3DTSS_COLORARG1, D3DTSS_COLORARG2],
                );
                let (alpha_op, alpha_args) = op(
                    D3DTSS_ALPHAOP,
                    [D3DTSS_ALPHAARG0, D3DTSS_ALPHAARG1, D3DTSS_ALPHAARG2],
                );
                fixed::FragmentStage {
                    color_op,
                    color_args,
                    alpha_op,
                    alpha_args,
                    result: stage(D3DTSS_RESULTARG) as u8,
                    texture: kind_of(s.textures[n]),
                    projected: fixed::FragmentStage::projection(
                        s.stages[n][D3DTSS_TEXTURETRANSFORMFLAGS as usize],
                    ),
                    ..fixed::FragmentStage::default()
                }
            }),
            ..fixed::FragmentKey::default()
        }
    }

    fn resolve_vertex(&mut self, declaration: crate::handle::RawHandle) -> Outcome<()> {
        let s = &*self.state;
        let d = self
            .declarations
            .get(declaration)
            .ok_or_else(|| stale("declaration"))?;
        let flat = self.shades_flat();
        let clip_planes = match s.rs(D3DRS_CLIPPING) {
            0 => 0,
            _ => s.rs(D3DRS_CLIPPLANEENABLE) as u8 & 63,
        };
        let program = if d.pretransformed {
            None
        } else {
            s.vertex_shader
        };
        let vertex = match program {
            Some(handle) => {
                let shader = self
                    .vertex_shaders
                    .get(handle)
                    .ok_or_else(|| stale("vertex shader"))?;
                let options = Options {
                    flat_shading: flat,
                    clip_planes,
                    fog_depth: self.table_fogged(),
                    ..Options::default()
                };
                let id = match self.radial_fog.mode(shader.radial) {
                    Some(mode) => self.renderer.radial_shader(shader.id, mode)?,
                    None => shader.id,
                };
                VertexFunction::Program(id, self.renderer.shader_options(&options)?)
            }
            None => {
                let key = self.vertex_key(d, flat, clip_planes).normalized();
                self.renderer.fixed_vertex(&key)?
            }
        };
        if self.resolved.program != program.is_some() {
            self.resolved.program = program.is_some();
            self.resolved.dirty |= group::VERTEX_EXTRAS;
        }
        self.resolved.vertex = vertex;
        self.resolved.dirty &= !group::VERTEX;
        Ok(())
    }

    fn vertex_key(
        &self,
        d: &crate::declaration::Declaration,
        flat: bool,
        clip_planes: u8,
    ) -> fixed::VertexKey {
        use fixed::{position, vertex_flag, vertex_fog};
        let s = &*self.state;
        let mut flags = 0;
        let mut flag = |on: bool, bit: u8| {
            if on {
                flags |= bit;
            }
        };
        flag(s.rs(D3DRS_LIGHTING) != 0, vertex_flag::LIGHTING);
        flag(s.rs(D3DRS_SPECULARENABLE) != 0, vertex_flag::SPECULAR);
        flag(s.rs(D3DRS_LOCALVIEWER) != 0, vertex_flag::LOCAL_VIEWER);
        flag(s.rs(D3DRS_NORMALIZENORMALS) != 0, vertex_flag::NORMALIZE);
        flag(flat, vertex_flag::FLAT);
        flag(
            s.rs(D3DRS_INDEXEDVERTEXBLENDENABLE) != 0,
            vertex_flag::INDEXED_BLEND,
        );
        flag(d.indices_normalized, vertex_flag::INDICES_NORMALIZED);
        let fog = match (
            s.rs(D3DRS_FOGENABLE) != 0,
            self.table_curve(),
            s.rs(D3DRS_FOGVERTEXMODE),
        ) {
            (false, ..) => vertex_fog::NONE,
            (_, Some(_), _) => match affine(&s.transforms.0[PROJECTION]) {
                true => vertex_fog::CLIP_DEPTH,
                false => vertex_fog::VIEW_DEPTH,
            },
            (_, None, mode @ (D3DFOG_EXP..=D3DFOG_LINEAR)) => {
                let range = s.rs(D3DRS_RANGEFOGENABLE) != 0 || self.radial_fog.takes_distance(s);
                let range = if range { vertex_fog::RANGE } else { 0 };
                mode as u8 | range
            }
            _ => vertex_fog::SPECULAR_ALPHA,
        };
        let source = |state: u32| match s.rs(state) {
            v @ (D3DMCS_COLOR1 | D3DMCS_COLOR2) if s.rs(D3DRS_COLORVERTEX) != 0 => v as u8,
            _ => 0,
        };
        let points = match (self.resolved.points, s.rs(D3DRS_POINTSCALEENABLE) != 0) {
            (false, _) => 0,
            (true, false) => fixed::point::SIZE,
            (true, true) => fixed::point::SIZE | fixed::point::SCALE,
        };
        fixed::VertexKey {
            position: if d.pretransformed {
                position::PIXELS
            } else {
                position::OBJECT
            },
            flags,
            light_types: self.resolved.light_types,
            blend_matrices: match s.rs(D3DRS_VERTEXBLEND) {
                n @ (D3DVBF_1WEIGHTS..=D3DVBF_3WEIGHTS) => n as u8 + 1,
                D3DVBF_0WEIGHTS => 1,
                D3DVBF_TWEENING => fixed::TWEEN,
                _ => 0,
            },
            fog,
            clip_planes,
            diffuse_source: source(D3DRS_DIFFUSEMATERIALSOURCE),
            ambient_source: source(D3DRS_AMBIENTMATERIALSOURCE),
            specular_source: source(D3DRS_SPECULARMATERIALSOURCE),
            emissive_source: source(D3DRS_EMISSIVEMATERIALSOURCE),
            inputs: match s.rs(D3DRS_VERTEXBLEND) {
                D3DVBF_TWEENING => d.tween_inputs,
                _ => d.inputs,
            },
            palette: match self.software_vertices {
                true => fixed::LARGE_PALETTE as u16,
                false => 0,
            },
            points,
            stages: core::array::from_fn(|n| {
                if self.resolved.sampled_stages >> n & 1 == 0 {
                    return fixed::VertexStage::default();
                }
                let stage = fixed::VertexStage::from_state(
                    s.stages[n][D3DTSS_TEXCOORDINDEX as usize],
                    s.stages[n][D3DTSS_TEXTURETRANSFORMFLAGS as usize],
                    &d.coordinates,
                );
                // An absent set reads zeros.
                let absent = stage.source == fixed::coordinate::SET && stage.components == 0;
                if absent {
                    fixed::VertexStage::default()
                } else {
                    stage
                }
            }),
            ..fixed::VertexKey::default()
        }
    }

    /// Puts the enabled lights into the constants; their types are part of the vertex function.
    fn resolve_lights(&mut self) {
        if self.resolved.dirty & group::LIGHTS == 0 {
            return;
        }
        let s = &*self.state;
        let mut lights = [fixed::Light::default(); fixed::MAX_LIGHTS];
        let mut count = 0;
        for (slot, light) in lights.iter_mut().zip(s.lights.active()) {
            *slot = fixed::Light {
                ty: light.kind,
                diffuse: light.diffuse,
                specular: light.specular,
                ambient: light.ambient,
                position: light.position,
                direction: light.direction,
                range: light.range,
                falloff: light.falloff,
                attenuation: [light.attenuation0, light.attenuation1, light.attenuation2],
                theta: light.theta,
                phi: light.phi,
            };
            count += 1;
        }
        let types = self
            .resolved
            .block
            .set_lights(&s.transforms.0[VIEW], lights[..count].iter());
        if types != self.resolved.light_types {
            self.resolved.light_types = types;
            self.resolved.dirty |= group::VERTEX;
        }
        self.resolved.block_generation = self.resolved.next_generation();
        self.resolved.dirty &= !group::LIGHTS;
    }

    fn resolve_block(&mut self) {
        let s = &*self.state;
        let r = &mut *self.resolved;
        let t = &s.transforms.0;
        let dirty = r.dirty & group::BLOCK;
        if dirty & group::TRANSFORMS != 0 {
            r.block.set_transforms(&t[WORLD], &t[VIEW], &t[PROJECTION]);
        }
        if dirty & (group::PALETTE | group::TRANSFORMS) != 0
            && s.rs(D3DRS_VERTEXBLEND) != D3DVBF_DISABLE
        {
            let count = match s.rs(D3DRS_INDEXEDVERTEXBLENDENABLE) != 0 {
                true if self.software_vertices => {
                    r.block.enlarge_palette();
                    fixed::LARGE_PALETTE
                }
                true => fixed::MAX_PALETTE,
                false => 4,
            };
            for index in 1..count {
                r.block.set_world_matrix(index, &t[WORLD + index], &t[VIEW]);
            }
        }
        if dirty & group::TEXTURE_TRANSFORMS != 0 {
            for stage in (0..8).filter(|n| r.dirty_texture_transforms >> n & 1 != 0) {
                r.block.set_texture_transform(stage, &t[TEXTURE + stage]);
            }
            r.dirty_texture_transforms = 0;
        }
        if dirty & group::MATERIAL != 0 {
            let m = &s.material;
            r.block.set_material(&fixed::Material {
                diffuse: m.diffuse,
                ambient: m.ambient,
                specular: m.specular,
                emissive: m.emissive,
                power: m.power,
            });
        }
        if dirty & group::AMBIENT != 0 {
            r.block.set_ambient(color_value(s.rs(D3DRS_AMBIENT)));
        }
        if dirty & group::FOG != 0 {
            let [start, end, density] =
                [D3DRS_FOGSTART, D3DRS_FOGEND, D3DRS_FOGDENSITY].map(|state| s.rs_float(state));
            match self.radial_fog.is_active() {
                true => r.block.set_radial_fog(start, end, density),
                false => r.block.set_fog(start, end, density),
            }
        }
        if dirty & group::POINTS != 0 {
            r.block.set_points(
                s.rs_float(D3DRS_POINTSIZE),
                [
                    s.rs_float(D3DRS_POINTSIZE_MIN),
                    s.rs_float(D3DRS_POINTSIZE_MAX),
                ],
                [D3DRS_POINTSCALE_A, D3DRS_POINTSCALE_B, D3DRS_POINTSCALE_C]
                    .map(|state| s.rs_float(state)),
                s.viewport.height as f32,
            );
        }
        r.block_generation = r.next_generation();
        // Lights were resolved before the vertex function.
        r.dirty &= !(group::BLOCK & !group::LIGHTS);
    }

    fn resolve_vertex_extras(&mut self) {
        let s = &*self.state;
        let r = &mut *self.resolved;
        r.vs_extras.ints = s.vs.first_ints();
        r.vs_extras.bools = [s.vs.first_bools(), 0, 0, 0];
        let v = &s.viewport;
        let (w, h) = (v.width.max(1) as f32, v.height.max(1) as f32);
        r.vs_extras.viewport_inv = [
            2.0 / w,
            -2.0 / h,
            -1.0 - 2.0 * v.x as f32 / w,
            1.0 + 2.0 * v.y as f32 / h,
        ];
        if s.rs(D3DRS_CLIPPLANEENABLE) != 0 {
            r.vs_extras.clip_planes = if r.program {
                s.clip_planes
            } else {
                let inverse = glam::Mat4::from_cols_array_2d(&s.transforms.0[VIEW])
                    .inverse()
                    .to_cols_array_2d();
                // A plane's columns transform by the inverse: plane' = inverse * plane.
                s.clip_planes
                    .map(|p| core::array::from_fn(|i| (0..4).map(|k| inverse[i][k] * p[k]).sum()))
            };
        }
        let (small, large) = (
            s.rs_float(D3DRS_POINTSIZE_MIN),
            s.rs_float(D3DRS_POINTSIZE_MAX),
        );
        let size = s.rs_float(D3DRS_POINTSIZE).max(small).min(large);
        r.vs_extras.misc[0] = [size, small, large, 0.0];
        r.vs_extras.misc[2][0] = s.rs_float(D3DRS_TWEENFACTOR);
        r.vs_extras_generation = r.next_generation();
        r.dirty &= !group::VERTEX_EXTRAS;
    }

    fn resolve_pixel_extras(&mut self) {
        let s = &*self.state;
        let r = &mut *self.resolved;
        let e = &mut r.ps_extras;
        e.texture_factor = color_value(s.rs(D3DRS_TEXTUREFACTOR));
        e.fog_color = color_value(s.rs(D3DRS_FOGCOLOR));
        let (start, end) = (s.rs_float(D3DRS_FOGSTART), s.rs_float(D3DRS_FOGEND));
        e.fog = [
            start,
            end,
            fixed::fog_scale(start, end),
            s.rs_float(D3DRS_FOGDENSITY),
        ];
        e.alpha_ref = [(s.rs(D3DRS_ALPHAREF) & 0xFF) as f32 / 255.0, 0.0, 0.0, 0.0];
        for (n, stage) in s.stages.iter().enumerate() {
            let number = |state: u32| f32::from_bits(stage[state as usize]);
            e.stage_constants[n] = color_value(stage[D3DTSS_CONSTANT as usize]);
            e.bump_matrices[n] = [
                number(D3DTSS_BUMPENVMAT00),
                number(D3DTSS_BUMPENVMAT01),
                number(D3DTSS_BUMPENVMAT10),
                number(D3DTSS_BUMPENVMAT11),
            ];
            e.bump_luminance[n] = [
                number(D3DTSS_BUMPENVLSCALE),
                number(D3DTSS_BUMPENVLOFFSET),
                0.0,
                0.0,
            ];
        }
        e.ints = s.ps.first_ints();
        e.bools = [s.ps.first_bools(), 0, 0, 0];
        r.ps_extras_generation = r.next_generation();
        r.dirty &= !group::PIXEL_EXTRAS;
    }
}

fn sampler_kind(kind: u8) -> Option<SamplerKind> {
    match kind {
        1 => Some(SamplerKind::D2),
        2 => Some(SamplerKind::Cube),
        3 => Some(SamplerKind::Volume),
        _ => None,
    }
}
