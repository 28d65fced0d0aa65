//! What the command reads from its environment. Libraries read none of it: they are handed values.

use std::path::PathBuf;

use ninefold_d3d9::{
    DeviceSettings, RadialFogSwitch, RendererSettings, VertexSettings, is_on, load_shader_pack,
};

/// Settings taken from `NINEFOLD_*` variables.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// `NINEFOLD_ADAPTER`: part of the name of the adapter to use, in any case. Empty means unset.
    pub(crate) adapter: Option<String>,
    /// `NINEFOLD_VALIDATION`: ask for the driver API's validation layers.
    pub(crate) validation: bool,
    /// `NINEFOLD_SHADER_PACK`: a pack of pixel shaders, unless `NINEFOLD_SHADER_MODS` is 0.
    pub(crate) shader_pack: Option<PathBuf>,
    /// Everything about pipelines: `NINEFOLD_PIPELINE_CACHE_DIR` and others.
    pub(crate) renderer: RendererSettings,
    /// How `ProcessVertices` works: `NINEFOLD_PV_SKIN_FAST` and others.
    pub(crate) vertices: VertexSettings,
}

impl Settings {
    /// Reads the process environment, for playing `program`.
    pub(crate) fn from_env(program: &str) -> Self {
        let mut settings = Self::read(program, |name| std::env::var(name).ok());
        let asked = settings.renderer.radial_fog;
        settings.renderer.radial_fog = RadialFogSwitch::of_process().decide(|| asked);
        settings
    }

    /// What a device is made with. Reads the pack.
    pub(crate) fn device(self) -> DeviceSettings {
        DeviceSettings {
            adapter: self.adapter,
            validation: self.validation,
            shader_pack: self.shader_pack.as_deref().and_then(load_shader_pack),
            renderer: self.renderer,
            vertices: self.vertices,
            ..DeviceSettings::default()
        }
    }

    fn read(program: &str, variable: impl Fn(&str) -> Option<String>) -> Self {
        Self {
            adapter: variable("NINEFOLD_ADAPTER").filter(|name| !name.trim().is_empty()),
            validation: variable("NINEFOLD_VALIDATION").is_some_and(|value| is_on(&value)),
            shader_pack: variable("NINEFOLD_SHADER_PACK")
                .filter(|path| !path.is_empty())
                .filter(|_| variable("NINEFOLD_SHADER_MODS").is_none_or(|value| is_on(&value)))
                .map(PathBuf::from),
            vertices: VertexSettings::from_variables(&variable),
            renderer: RendererSettings::from_variables(program, variable),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Settings {
        Settings::read("game", |name| {
            pairs
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn unset_and_empty_are_the_defaults() {
        let blank = [("NINEFOLD_ADAPTER", " "), ("NINEFOLD_VALIDATION", "0")];
        for settings in [read(&[]), read(&blank)] {
            assert_eq!(settings.adapter, None);
            assert!(!settings.validation && settings.shader_pack.is_none());
            assert_eq!(settings.renderer.pipeline_cache_dir, None);
            assert!(!settings.vertices.skin_fast);
        }
    }

    #[test]
    fn values_are_taken() {
        let settings = read(&[
            ("NINEFOLD_ADAPTER", "llvmpipe"),
            ("NINEFOLD_VALIDATION", "1"),
            ("NINEFOLD_PV_SKIN_FAST", "1"),
        ]);
        assert!(settings.vertices.skin_fast);
        assert_eq!(settings.adapter.as_deref(), Some("llvmpipe"));
        assert!(settings.validation);
        let pack = ("NINEFOLD_SHADER_PACK", "mods.hvs");
        assert_eq!(read(&[pack]).shader_pack, Some(PathBuf::from("mods.hvs")));
        for off in ["0", "off", "OFF", "false", " no "] {
            let off = [pack, ("NINEFOLD_SHADER_MODS", off)];
            assert_eq!(read(&off).shader_pack, None);
        }
    }
}
