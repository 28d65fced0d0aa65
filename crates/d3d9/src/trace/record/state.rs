//! State, vertex input, state blocks and queries.

use super::super::names;
use super::super::write::{Function, Values};
use super::objects::{Traced, or_null};
use super::{Recorder, method, values};
use crate::handle::{
    BaseTexture, IndexBufferHandle, QueryHandle, StateBlockHandle, VertexBufferHandle,
    VertexDeclarationHandle,
};
use crate::hresult::Result;
use crate::palette::PaletteEntries;
use crate::types::{
    Light, Material, Matrix, QueryData, Rect, StreamSource, VertexElement, Viewport,
};

impl Recorder {
    pub(crate) fn set_render_state(&mut self, result: &Result<()>, state: u32, value: u32) {
        let function = method!("IDirect3DDevice9::SetRenderState", "State", "Value");
        self.device(result, function, |v| {
            values::named(v, &names::RENDERSTATE, state);
            values::render_state(v, state, value);
        });
    }

    pub(crate) fn set_texture_stage_state(
        &mut self,
        result: &Result<()>,
        stage: u32,
        state: u32,
        value: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::SetTextureStageState",
            "Stage",
            "Type",
            "Value"
        );
        self.device(result, function, |v| {
            v.uint(stage.into());
            values::named(v, &names::STAGESTATE, state);
            values::stage_state(v, state, value);
        });
    }

    pub(crate) fn set_sampler_state(
        &mut self,
        result: &Result<()>,
        sampler: u32,
        state: u32,
        value: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::SetSamplerState",
            "Sampler",
            "Type",
            "Value"
        );
        self.device(result, function, |v| {
            v.uint(sampler.into());
            values::named(v, &names::SAMPLERSTATE, state);
            values::sampler_state(v, state, value);
        });
    }

    pub(crate) fn set_texture(
        &mut self,
        result: &Result<()>,
        sampler: u32,
        texture: Option<BaseTexture>,
    ) {
        let function = method!("IDirect3DDevice9::SetTexture", "Stage", "pTexture");
        self.device(result, function, |v| {
            v.uint(sampler.into());
            v.pointer(or_null(texture));
        });
    }

    pub(crate) fn get_texture(&mut self, result: &Result<Option<BaseTexture>>, sampler: u32) {
        let function = method!("IDirect3DDevice9::GetTexture", "Stage", "ppTexture");
        self.creation(result.map(or_null), function, 2, |v| v.uint(sampler.into()));
    }

    fn transform(
        &mut self,
        result: &Result<()>,
        function: &'static Function,
        state: u32,
        matrix: &Matrix,
    ) {
        self.device(result, function, |v| {
            values::named(v, &names::TRANSFORMSTATE, state);
            v.pointer_to(|v| values::matrix(v, matrix));
        });
    }

    pub(crate) fn set_transform(&mut self, result: &Result<()>, state: u32, matrix: &Matrix) {
        let function = method!("IDirect3DDevice9::SetTransform", "State", "pMatrix");
        self.transform(result, function, state, matrix);
    }

    pub(crate) fn multiply_transform(&mut self, result: &Result<()>, state: u32, matrix: &Matrix) {
        let function = method!("IDirect3DDevice9::MultiplyTransform", "State", "pMatrix");
        self.transform(result, function, state, matrix);
    }

    pub(crate) fn set_viewport(&mut self, result: &Result<()>, viewport: &Viewport) {
        let function = method!("IDirect3DDevice9::SetViewport", "pViewport");
        self.device(result, function, |v| {
            v.pointer_to(|v| values::viewport(v, viewport))
        });
    }

    pub(crate) fn set_scissor_rect(&mut self, result: &Result<()>, rect: Rect) {
        let function = method!("IDirect3DDevice9::SetScissorRect", "pRect");
        self.device(result, function, |v| {
            v.pointer_to(|v| values::rect(v, &rect))
        });
    }

    pub(crate) fn set_material(&mut self, result: &Result<()>, material: &Material) {
        let function = method!("IDirect3DDevice9::SetMaterial", "pMaterial");
        self.device(result, function, |v| {
            v.pointer_to(|v| values::material(v, material))
        });
    }

    pub(crate) fn set_light(&mut self, result: &Result<()>, index: u32, light: &Light) {
        let function = method!("IDirect3DDevice9::SetLight", "Index", "pLight");
        self.device(result, function, |v| {
            v.uint(index.into());
            v.pointer_to(|v| values::light(v, light));
        });
    }

    pub(crate) fn light_enable(&mut self, result: &Result<()>, index: u32, enable: bool) {
        let function = method!("IDirect3DDevice9::LightEnable", "Index", "Enable");
        self.device(result, function, |v| {
            v.uint(index.into());
            values::boolean(v, enable);
        });
    }

    pub(crate) fn set_clip_plane(&mut self, result: &Result<()>, index: u32, plane: [f32; 4]) {
        let function = method!("IDirect3DDevice9::SetClipPlane", "Index", "pPlane");
        self.device(result, function, |v| {
            v.uint(index.into());
            values::constants(v, &[plane]);
        });
    }

    pub(crate) fn set_palette_entries(
        &mut self,
        result: &Result<()>,
        number: u32,
        entries: &PaletteEntries,
    ) {
        let function = method!(
            "IDirect3DDevice9::SetPaletteEntries",
            "PaletteNumber",
            "pEntries"
        );
        self.device(result, function, |v| {
            v.uint(number.into());
            v.array(entries.iter(), values::palette_entry);
        });
    }

    pub(crate) fn set_current_texture_palette(&mut self, result: &Result<()>, number: u32) {
        let function = method!(
            "IDirect3DDevice9::SetCurrentTexturePalette",
            "PaletteNumber"
        );
        self.device(result, function, |v| v.uint(number.into()));
    }

    pub(crate) fn set_npatch_mode(&mut self, result: &Result<()>, segments: f32) {
        let function = method!("IDirect3DDevice9::SetNPatchMode", "nSegments");
        self.device(result, function, |v| v.float(segments));
    }

    pub(crate) fn set_software_vertex_processing(&mut self, result: &Result<()>, software: bool) {
        let function = method!("IDirect3DDevice9::SetSoftwareVertexProcessing", "bSoftware");
        self.device(result, function, |v| values::boolean(v, software));
    }

    pub(crate) fn set_stream_source(
        &mut self,
        result: &Result<()>,
        stream: u32,
        buffer: Option<VertexBufferHandle>,
        offset: u32,
        stride: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::SetStreamSource",
            "StreamNumber",
            "pStreamData",
            "OffsetInBytes",
            "Stride"
        );
        self.device(result, function, |v| {
            v.uint(stream.into());
            v.pointer(or_null(buffer));
            v.uint(offset.into());
            v.uint(stride.into());
        });
    }

    pub(crate) fn get_stream_source(&mut self, result: &Result<StreamSource>, stream: u32) {
        let function = method!(
            "IDirect3DDevice9::GetStreamSource",
            "StreamNumber",
            "ppStreamData",
            "pOffsetInBytes",
            "pStride"
        );
        let buffer = result
            .as_ref()
            .map(|source| or_null(source.buffer))
            .map_err(|e| *e);
        self.creation(buffer, function, 2, |v| v.uint(stream.into()));
    }

    pub(crate) fn set_stream_source_freq(
        &mut self,
        result: &Result<()>,
        stream: u32,
        setting: u32,
    ) {
        let function = method!(
            "IDirect3DDevice9::SetStreamSourceFreq",
            "StreamNumber",
            "Setting"
        );
        self.device(result, function, |v| {
            v.uint(stream.into());
            v.uint(setting.into());
        });
    }

    pub(crate) fn set_indices(&mut self, result: &Result<()>, buffer: Option<IndexBufferHandle>) {
        let function = method!("IDirect3DDevice9::SetIndices", "pIndexData");
        self.device(result, function, |v| v.pointer(or_null(buffer)));
    }

    pub(crate) fn get_indices(&mut self, result: &Result<Option<IndexBufferHandle>>) {
        let function = method!("IDirect3DDevice9::GetIndices", "ppIndexData");
        self.creation(result.map(or_null), function, 1, |_| {});
    }

    pub(crate) fn set_fvf(&mut self, result: &Result<()>, fvf: u32) {
        let function = method!("IDirect3DDevice9::SetFVF", "FVF");
        self.device(result, function, |v| v.flags(&names::FVF, fvf.into()));
    }

    pub(crate) fn create_vertex_declaration(
        &mut self,
        result: &Result<VertexDeclarationHandle>,
        elements: &[VertexElement],
    ) {
        let function = method!(
            "IDirect3DDevice9::CreateVertexDeclaration",
            "pVertexElements",
            "ppDecl"
        );
        self.creation(result.map(Traced::address), function, 2, |v| {
            values::vertex_elements(v, elements);
        });
    }

    pub(crate) fn set_vertex_declaration(
        &mut self,
        result: &Result<()>,
        declaration: Option<VertexDeclarationHandle>,
    ) {
        let function = method!("IDirect3DDevice9::SetVertexDeclaration", "pDecl");
        self.device(result, function, |v| v.pointer(or_null(declaration)));
    }

    pub(crate) fn get_vertex_declaration(
        &mut self,
        result: &Result<Option<VertexDeclarationHandle>>,
    ) {
        let function = method!("IDirect3DDevice9::GetVertexDeclaration", "ppDecl");
        self.creation(result.map(or_null), function, 1, |_| {});
    }

    pub(crate) fn create_state_block(&mut self, result: &Result<StateBlockHandle>, kind: u32) {
        let function = method!("IDirect3DDevice9::CreateStateBlock", "Type", "ppSB");
        self.creation(result.map(Traced::address), function, 2, |v| {
            values::named(v, &names::STATEBLOCKTYPE, kind);
        });
    }

    pub(crate) fn begin_state_block(&mut self, result: &Result<()>) {
        self.device(result, method!("IDirect3DDevice9::BeginStateBlock"), |_| {});
    }

    pub(crate) fn end_state_block(&mut self, result: &Result<StateBlockHandle>) {
        let function = method!("IDirect3DDevice9::EndStateBlock", "ppSB");
        self.creation(result.map(Traced::address), function, 1, |_| {});
    }

    pub(crate) fn state_block_capture(&mut self, result: &Result<()>, block: StateBlockHandle) {
        let function = method!("IDirect3DStateBlock9::Capture");
        self.object(block.address(), result, function, |_| {});
    }

    pub(crate) fn state_block_apply(&mut self, result: &Result<()>, block: StateBlockHandle) {
        let function = method!("IDirect3DStateBlock9::Apply");
        self.object(block.address(), result, function, |_| {});
    }

    pub(crate) fn create_query(&mut self, result: &Result<QueryHandle>, kind: u32) {
        let function = method!("IDirect3DDevice9::CreateQuery", "Type", "ppQuery");
        self.creation(result.map(Traced::address), function, 2, |v| {
            values::named(v, &names::QUERYTYPE, kind);
        });
    }

    pub(crate) fn query_issue(&mut self, result: &Result<()>, query: QueryHandle, flags: u32) {
        let function = method!("IDirect3DQuery9::Issue", "dwIssueFlags");
        self.object(query.address(), result, function, |v| {
            v.flags(&names::ISSUE, flags.into());
        });
    }

    pub(crate) fn query_get_data(
        &mut self,
        result: &Result<Option<QueryData>>,
        query: QueryHandle,
        flags: u32,
    ) {
        const S_FALSE: u32 = 1;
        let function = method!(
            "IDirect3DQuery9::GetData",
            "pData",
            "dwSize",
            "dwGetDataFlags"
        );
        let (value, size) = match result {
            Ok(Some(QueryData::Event(done))) => (u64::from(*done), 4),
            Ok(Some(QueryData::Occlusion(samples))) => (*samples, 4),
            Ok(Some(QueryData::Timestamp(t) | QueryData::TimestampFrequency(t))) => (*t, 8),
            Ok(Some(QueryData::TimestampDisjoint(d))) => (u64::from(*d), 4),
            Ok(Some(QueryData::Unissued)) => (0xDDDD_DDDD, 4),
            Ok(None) | Err(_) => (0, 4),
        };
        let code = if matches!(result, Ok(None)) {
            S_FALSE
        } else {
            super::code(result)
        };
        let enter = |v: &mut Values<'_>| {
            v.pointer(query.address());
            v.skip();
            v.uint(size);
            v.flags(&names::GETDATA, flags.into());
        };
        self.writer.call(super::THREAD, function, enter, |v| {
            v.argument(1).pointer_to(|v| v.uint(value));
            values::hresult(v, code);
        });
    }
}
