//! Prints the assembly and the WGSL of token streams (`.bin`) or assembly texts (`.asm`).

use ninefold_bytecode::{ShaderCode, assemble, disassemble};
use ninefold_shader::{Options, translate, writers};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let code = match path.ends_with(".asm") {
            true => assemble(&std::fs::read_to_string(&path)?)?,
            false => ShaderCode::from_bytes(&std::fs::read(&path)?)?,
        };
        println!("// {path}\n{}", disassemble(&code));
        println!(
            "{}",
            writers::wgsl(&translate(&code, &Options::default())?)?
        );
    }
    Ok(())
}
