//! The arguments of a recorded call, by name and type.

use ninefold_d3d9::trace::{Call, Value};
use ninefold_d3d9::{
    Box3, ColorValue, Light, Material, Matrix, PaletteEntries, Point, PresentParameters, Rect,
    VertexElement, Viewport,
};

use super::error::CallError;

type Result<T> = std::result::Result<T, CallError>;

/// The arguments of one call.
#[derive(Clone, Copy)]
pub(super) struct Args<'a> {
    call: &'a Call,
}

impl<'a> Args<'a> {
    pub(super) fn new(call: &'a Call) -> Self {
        Args { call }
    }

    /// The value itself, where the capture has one.
    pub(super) fn value(&self, name: &str) -> Option<&'a Value> {
        self.call.arg(name)
    }

    fn get(&self, name: &'static str) -> Result<&'a Value> {
        self.value(name)
            .ok_or_else(|| CallError::argument(name, "it is not in the capture"))
    }

    /// An integer, enumeration value, set of flags, or the bits of a float.
    pub(super) fn u32(&self, name: &'static str) -> Result<u32> {
        word(self.get(name)?, name)
    }

    /// A signed integer.
    pub(super) fn i32(&self, name: &'static str) -> Result<i32> {
        self.u32(name).map(u32::cast_signed)
    }

    pub(super) fn bool(&self, name: &'static str) -> Result<bool> {
        self.u32(name).map(|n| n != 0)
    }

    pub(super) fn f32(&self, name: &'static str) -> Result<f32> {
        float(self.get(name)?, name)
    }

    /// An address; 0 is null.
    pub(super) fn pointer(&self, name: &'static str) -> Result<u64> {
        address(self.get(name)?, name)
    }

    /// The address that the call stored through a pointer argument; 0 when the
    /// argument was null or null was stored.
    pub(super) fn stored_pointer(&self, name: &'static str) -> Result<u64> {
        match self.get(name)? {
            Value::Array(items) if items.len() == 1 => address(&items[0], name),
            Value::Null => Ok(0),
            other => Err(CallError::expected(name, "a pointer to a pointer", other)),
        }
    }

    /// Raw memory; `None` when the argument was null.
    pub(super) fn bytes(&self, name: &'static str) -> Result<Option<&'a [u8]>> {
        match self.get(name)? {
            Value::Blob(bytes) => Ok(Some(bytes)),
            Value::Null => Ok(None),
            Value::Repr(pair) => match &pair.1 {
                Value::Blob(bytes) => Ok(Some(bytes)),
                other => Err(CallError::expected(name, "bytes", other)),
            },
            Value::Array(items) if items.len() == 1 => match &items[0] {
                Value::Blob(bytes) => Ok(Some(bytes)),
                other => Err(CallError::expected(name, "bytes", other)),
            },
            other => Err(CallError::expected(name, "bytes", other)),
        }
    }

    /// Memory that the call cannot do without.
    pub(super) fn memory(&self, name: &'static str) -> Result<&'a [u8]> {
        self.bytes(name)?
            .ok_or_else(|| CallError::argument(name, "it is null"))
    }

    /// The words of a shader's function.
    pub(super) fn tokens(&self, name: &'static str) -> Result<Vec<u32>> {
        let bytes = self.memory(name)?;
        let words = bytes.chunks_exact(4);
        if !words.remainder().is_empty() {
            return Err(CallError::argument(
                name,
                "its size is no multiple of four bytes",
            ));
        }
        Ok(words
            .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect())
    }

    /// The items of an array, given directly or behind a pointer.
    fn items(&self, name: &'static str) -> Result<&'a [Value]> {
        match self.get(name)? {
            Value::Array(items) => Ok(items),
            Value::Null => Ok(&[]),
            other => Err(CallError::expected(name, "an array", other)),
        }
    }

    /// Shader constants of `N` components each.
    pub(super) fn vectors<T: Copy + Default, const N: usize>(
        &self,
        name: &'static str,
        component: fn(&Value, &'static str) -> Result<T>,
    ) -> Result<Vec<[T; N]>> {
        let items = self.items(name)?;
        let groups = items.chunks_exact(N);
        if !groups.remainder().is_empty() {
            return Err(CallError::argument(name, "the last register is incomplete"));
        }
        groups
            .map(|group| {
                let mut vector = [T::default(); N];
                for (to, from) in vector.iter_mut().zip(group) {
                    *to = component(from, name)?;
                }
                Ok(vector)
            })
            .collect()
    }

    pub(super) fn floats(&self, name: &'static str) -> Result<Vec<[f32; 4]>> {
        self.vectors(name, float)
    }

    pub(super) fn ints(&self, name: &'static str) -> Result<Vec<[i32; 4]>> {
        self.vectors(name, |v, name| word(v, name).map(u32::cast_signed))
    }

    pub(super) fn bools(&self, name: &'static str) -> Result<Vec<bool>> {
        let items = self.items(name)?;
        items
            .iter()
            .map(|v| word(v, name).map(|n| n != 0))
            .collect()
    }

    /// The structure that a pointer argument points to; `None` when it is null.
    pub(super) fn structure(&self, name: &'static str) -> Result<Option<Fields<'a>>> {
        match self.get(name)? {
            Value::Null => Ok(None),
            Value::Array(items) if items.len() == 1 => Fields::new(&items[0], name).map(Some),
            value => Fields::new(value, name).map(Some),
        }
    }

    fn required(&self, name: &'static str) -> Result<Fields<'a>> {
        self.structure(name)?
            .ok_or_else(|| CallError::argument(name, "it is null"))
    }

    pub(super) fn rect(&self, name: &'static str) -> Result<Option<Rect>> {
        self.structure(name)?.map(rect).transpose()
    }

    pub(super) fn required_rect(&self, name: &'static str) -> Result<Rect> {
        rect(self.required(name)?)
    }

    /// The rectangles of `Clear` (`D3DRECT` names its edges otherwise than `RECT`).
    pub(super) fn rects(&self, name: &'static str) -> Result<Vec<Rect>> {
        self.items(name)?
            .iter()
            .map(|item| {
                let f = Fields::new(item, name)?;
                Ok(Rect {
                    left: f.i32("x1")?,
                    top: f.i32("y1")?,
                    right: f.i32("x2")?,
                    bottom: f.i32("y2")?,
                })
            })
            .collect()
    }

    pub(super) fn point(&self, name: &'static str) -> Result<Option<Point>> {
        self.structure(name)?
            .map(|f| {
                Ok(Point {
                    x: f.i32("x")?,
                    y: f.i32("y")?,
                })
            })
            .transpose()
    }

    pub(super) fn box3(&self, name: &'static str) -> Result<Option<Box3>> {
        let read = |f: Fields<'_>| {
            Ok(Box3 {
                left: f.u32("Left")?,
                top: f.u32("Top")?,
                right: f.u32("Right")?,
                bottom: f.u32("Bottom")?,
                front: f.u32("Front")?,
                back: f.u32("Back")?,
            })
        };
        self.structure(name)?.map(read).transpose()
    }

    pub(super) fn viewport(&self, name: &'static str) -> Result<Viewport> {
        let f = self.required(name)?;
        Ok(Viewport {
            x: f.u32("X")?,
            y: f.u32("Y")?,
            width: f.u32("Width")?,
            height: f.u32("Height")?,
            min_z: f.f32("MinZ")?,
            max_z: f.f32("MaxZ")?,
        })
    }

    pub(super) fn matrix(&self, name: &'static str) -> Result<Matrix> {
        let f = self.required(name)?;
        let mut matrix = Matrix::default();
        let rows = f.items("m")?;
        if rows.len() != 4 {
            return Err(CallError::argument(name, "a matrix has four rows"));
        }
        for (to, row) in matrix.iter_mut().zip(rows) {
            let Value::Array(row) = row else {
                return Err(CallError::expected(name, "an array", row));
            };
            if row.len() != 4 {
                return Err(CallError::argument(name, "a matrix has four columns"));
            }
            for (to, value) in to.iter_mut().zip(row) {
                *to = float(value, name)?;
            }
        }
        Ok(matrix)
    }

    pub(super) fn material(&self, name: &'static str) -> Result<Material> {
        let f = self.required(name)?;
        Ok(Material {
            diffuse: f.color("Diffuse")?,
            ambient: f.color("Ambient")?,
            specular: f.color("Specular")?,
            emissive: f.color("Emissive")?,
            power: f.f32("Power")?,
        })
    }

    /// 256 entries of a palette.
    pub(super) fn palette(&self, name: &'static str) -> Result<PaletteEntries> {
        let items = self.items(name)?;
        let mut entries = [[0; 4]; 256];
        if items.len() != entries.len() {
            let text = format!("it has {} entries, not 256", items.len());
            return Err(CallError::argument(name, text));
        }
        for (entry, item) in entries.iter_mut().zip(items) {
            let fields = Fields::new(item, name)?;
            for (channel, field) in entry
                .iter_mut()
                .zip(["peRed", "peGreen", "peBlue", "peFlags"])
            {
                *channel = fields.u32(field)? as u8;
            }
        }
        Ok(entries)
    }

    pub(super) fn light(&self, name: &'static str) -> Result<Light> {
        let f = self.required(name)?;
        Ok(Light {
            kind: f.u32("Type")?,
            diffuse: f.color("Diffuse")?,
            specular: f.color("Specular")?,
            ambient: f.color("Ambient")?,
            position: f.vector("Position")?,
            direction: f.vector("Direction")?,
            range: f.f32("Range")?,
            falloff: f.f32("Falloff")?,
            attenuation0: f.f32("Attenuation0")?,
            attenuation1: f.f32("Attenuation1")?,
            attenuation2: f.f32("Attenuation2")?,
            theta: f.f32("Theta")?,
            phi: f.f32("Phi")?,
        })
    }

    /// The elements of a vertex declaration, without the end marker.
    pub(super) fn vertex_elements(&self, name: &'static str) -> Result<Vec<VertexElement>> {
        const END_STREAM: u16 = 0xff;
        let mut elements = Vec::new();
        for item in self.items(name)? {
            let f = Fields::new(item, name)?;
            let stream = f.u32("Stream")? as u16;
            if stream == END_STREAM {
                break;
            }
            elements.push(VertexElement {
                stream,
                offset: f.u32("Offset")? as u16,
                ty: f.u32("Type")? as u8,
                method: f.u32("Method")? as u8,
                usage: f.u32("Usage")? as u8,
                usage_index: f.u32("UsageIndex")? as u8,
            });
        }
        Ok(elements)
    }

    pub(super) fn present_parameters(&self, name: &'static str) -> Result<PresentParameters> {
        let f = self.required(name)?;
        Ok(PresentParameters {
            back_buffer_width: f.u32("BackBufferWidth")?,
            back_buffer_height: f.u32("BackBufferHeight")?,
            back_buffer_format: f.u32("BackBufferFormat")?,
            back_buffer_count: f.u32("BackBufferCount")?,
            multi_sample_type: f.u32("MultiSampleType")?,
            multi_sample_quality: f.u32("MultiSampleQuality")?,
            swap_effect: f.u32("SwapEffect")?,
            windowed: f.u32("Windowed")? != 0,
            enable_auto_depth_stencil: f.u32("EnableAutoDepthStencil")? != 0,
            auto_depth_stencil_format: f.u32("AutoDepthStencilFormat")?,
            flags: f.u32("Flags")?,
            fullscreen_refresh_rate: f.u32("FullScreen_RefreshRateInHz")?,
            presentation_interval: f.u32("PresentationInterval")?,
        })
    }
}

/// The fields of a recorded structure.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    value: &'a Value,
}

impl<'a> Fields<'a> {
    fn new(value: &'a Value, name: &'static str) -> Result<Self> {
        match value {
            Value::Struct(..) => Ok(Fields { value }),
            other => Err(CallError::expected(name, "a structure", other)),
        }
    }

    fn get(&self, name: &'static str) -> Result<&'a Value> {
        self.value
            .field(name)
            .ok_or_else(|| CallError::argument(name, "the field is missing"))
    }

    pub(super) fn u32(&self, name: &'static str) -> Result<u32> {
        word(self.get(name)?, name)
    }

    fn i32(&self, name: &'static str) -> Result<i32> {
        self.u32(name).map(u32::cast_signed)
    }

    fn f32(&self, name: &'static str) -> Result<f32> {
        float(self.get(name)?, name)
    }

    pub(super) fn pointer(&self, name: &'static str) -> Result<u64> {
        address(self.get(name)?, name)
    }

    fn items(&self, name: &'static str) -> Result<&'a [Value]> {
        match self.get(name)? {
            Value::Array(items) => Ok(items),
            other => Err(CallError::expected(name, "an array", other)),
        }
    }

    fn color(&self, name: &'static str) -> Result<ColorValue> {
        let f = Fields::new(self.get(name)?, name)?;
        Ok([f.f32("r")?, f.f32("g")?, f.f32("b")?, f.f32("a")?])
    }

    fn vector(&self, name: &'static str) -> Result<[f32; 3]> {
        let f = Fields::new(self.get(name)?, name)?;
        Ok([f.f32("x")?, f.f32("y")?, f.f32("z")?])
    }
}

fn rect(f: Fields<'_>) -> Result<Rect> {
    Ok(Rect {
        left: f.i32("left")?,
        top: f.i32("top")?,
        right: f.i32("right")?,
        bottom: f.i32("bottom")?,
    })
}

/// 32 bits of any integer kind. Floats give their bits: states that hold
/// floats are recorded as either.
fn word(value: &Value, name: &'static str) -> Result<u32> {
    if let Value::Float(number) = value {
        return Ok(number.to_bits());
    }
    let bits = value
        .bits()
        .ok_or_else(|| CallError::expected(name, "an integer", value))?;
    // Enumerations with the top bit set are recorded as negative numbers.
    if bits >> 32 != 0 && bits >> 31 != 0x1_ffff_ffff {
        return Err(CallError::argument(
            name,
            format!("{bits:#x} does not fit in 32 bits"),
        ));
    }
    Ok(bits as u32)
}

fn float(value: &Value, name: &'static str) -> Result<f32> {
    match value {
        Value::Float(number) => Ok(*number),
        other => other
            .number()
            .map(|number| number as f32)
            .ok_or_else(|| CallError::expected(name, "a number", value)),
    }
}

fn address(value: &Value, name: &'static str) -> Result<u64> {
    match value {
        Value::Pointer(_) | Value::Null | Value::Uint(_) => Ok(value.bits().unwrap_or(0)),
        other => Err(CallError::expected(name, "a pointer", other)),
    }
}
