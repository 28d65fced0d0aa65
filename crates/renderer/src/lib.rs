//! Contexts, draws, pipelines and caches of the ninefold Direct3D 9 renderer
