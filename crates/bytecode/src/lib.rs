//! Direct3D 9 shader bytecode (SM1-SM3): read, validate, disassemble, assemble, hash
