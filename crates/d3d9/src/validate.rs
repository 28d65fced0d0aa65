//! `ValidateDevice`.

use ninefold_renderer::ImageFormat;

use crate::consts::*;
use crate::device::Device;
use crate::fault::{Fault, Outcome};
use crate::format::FormatInfo;
use crate::hresult::{HResult, Result};

impl Device {
    /// `ValidateDevice`: passes needed, always 1.
    ///
    /// # Errors
    /// `D3DERR_UNSUPPORTEDTEXTUREFILTER` where a sampler's minifying or magnifying filter is
    /// `D3DTEXF_NONE`, `E_FAIL` where a texture of a format that cannot be filtered is to be,
    /// `D3DERR_CONFLICTINGRENDERSTATE` where depth or stencil are in use with a depth surface
    /// smaller than render target 0.
    pub fn validate_device(&mut self) -> Result<u32> {
        self.call(|d| {
            d.validate_samplers()?;
            d.validate_depth()?;
            Ok(1)
        })
    }

    fn validate_samplers(&self) -> Outcome<()> {
        let state = &self.state;
        for (n, (sampler, texture)) in state.samplers.iter().zip(&state.textures).enumerate() {
            let of = |s: u32| sampler[s as usize];
            let (min, mag, mip) = (
                of(D3DSAMP_MINFILTER),
                of(D3DSAMP_MAGFILTER),
                of(D3DSAMP_MIPFILTER),
            );
            if min == D3DTEXF_NONE || mag == D3DTEXF_NONE {
                let text = format!("sampler {n}: D3DTEXF_NONE is a filter between levels only");
                return Err(Fault::new(HResult::UNSUPPORTEDTEXTUREFILTER, text));
            }
            let Some(texture) = texture else {
                continue;
            };
            let smooth = min != D3DTEXF_POINT || mag != D3DTEXF_POINT || mip > D3DTEXF_POINT;
            let info = self.resource(texture.raw(), "texture")?.info;
            if smooth && !self.filters(info) {
                let text = format!("sampler {n}: format {:#x} cannot be filtered", info.d3d);
                return Err(Fault::new(HResult::FAIL, text));
            }
        }
        Ok(())
    }

    fn filters(&self, info: &FormatInfo) -> bool {
        let float32 = matches!(
            info.gpu,
            ImageFormat::R32Float | ImageFormat::Rg32Float | ImageFormat::Rgba32Float
        );
        !float32 || self.renderer.caps().float32_filterable
    }

    fn validate_depth(&self) -> Outcome<()> {
        let used = [D3DRS_ZENABLE, D3DRS_ZWRITEENABLE, D3DRS_STENCILENABLE];
        let (Some((depth, _)), true) = (
            self.bindings.depth,
            used.iter().any(|s| self.state.rs(*s) != 0),
        ) else {
            return Ok(());
        };
        let (width, height) = self.target_size()?;
        let level = &self.resource(depth, "depth surface")?.subs[0];
        if level.width < width || level.height < height {
            let text = format!(
                "the depth surface of {} x {} is smaller than the target of {width} x {height}",
                level.width, level.height
            );
            return Err(Fault::new(HResult::CONFLICTINGRENDERSTATE, text));
        }
        Ok(())
    }
}
