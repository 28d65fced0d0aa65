//! `include/ninefold.h` is what cbindgen makes of the sources of the C API. `NINEFOLD_BLESS=1` writes it.
#![forbid(unsafe_code)]

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// The sources that have something of the API, in the order of the header.
    const SOURCES: [&str; 14] = [
        "fault", "types", "settings", "renderer", "context", "state", "draw", "program", "shader",
        "buffer", "texture", "transfer", "submit", "stats",
    ];

    #[test]
    fn header_is_that_of_the_sources() {
        let capi = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let config =
            cbindgen::Config::from_file(capi.join("cbindgen.toml")).expect("cbindgen.toml");
        let mut builder = cbindgen::Builder::new().with_config(config);
        for source in SOURCES {
            builder = builder.with_src(capi.join(format!("src/{source}.rs")));
        }
        let mut made = Vec::new();
        builder.generate().expect("a header").write(&mut made);
        let made = String::from_utf8(made).expect("text");
        let path = capi.join("include/ninefold.h");
        if std::env::var_os("NINEFOLD_BLESS").is_some_and(|value| value == "1") {
            std::fs::write(&path, &made).expect("the header is written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        let differs = kept.lines().zip(made.lines()).position(|(a, b)| a != b);
        assert!(
            kept == made,
            "include/ninefold.h is not what the sources say, from line {}: NINEFOLD_BLESS=1 cargo test \
             -p ninefold-capi-header writes it",
            differs.unwrap_or(kept.lines().count()) + 1
        );
    }
}
