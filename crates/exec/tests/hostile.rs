//! Whatever reads as a shader runs: no panic, and an end.

use ninefold_bytecode::{ShaderCode, Stage, Version};
use ninefold_exec::{Constants, Error, Fetch, Machine, Options, Program, QuadInput};

/// A small generator of repeatable numbers (xorshift64*).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }

    fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound.max(1)
    }
}

/// Compiles and runs; gives whether the run ended by itself.
fn run(code: &ShaderCode, numbers: &mut Numbers, machine: &mut Machine) -> bool {
    let options = Options {
        max_steps: 200,
        projected: [1, 2, 3, 9],
        ..Options::default()
    };
    let program = Program::compile(code, &options);
    let mut number = || f32::from_bits(numbers.next());
    let floats: Vec<_> = (0..256).map(|_| [(); 4].map(|()| number())).collect();
    let ints = [
        [255, -5, 77, 0],
        [-1, i32::MAX, i32::MAX, 0],
        [300, 0, i32::MIN, 0],
    ];
    let constants = Constants {
        floats: &floats,
        ints: &ints,
        bools: &[true, false, true],
        bump: &[],
    };
    let mut texture = |fetch: &Fetch| fetch.coordinate;
    let ended = match program.stage() {
        Stage::Vertex => {
            let inputs = vec![std::array::from_fn(|n| floats[n]); 11];
            let mut outputs = vec![Default::default(); 11];
            let batch =
                program.run_vertices(machine, &inputs, &mut outputs, &constants, &mut texture);
            let one = program.run_vertex(machine, &inputs[0], &constants, &mut texture);
            assert_eq!(batch.is_ok(), one.is_ok());
            batch.map(|()| 0)
        }
        Stage::Pixel => {
            let mut input = QuadInput::default();
            for (n, pixel) in input.registers.iter_mut().enumerate() {
                *pixel = std::array::from_fn(|i| floats[n * 10 + i]);
            }
            program
                .run_quad(machine, &input, &constants, &mut texture)
                .map(|output| output.killed)
        }
    };
    match ended {
        Ok(_) => true,
        Err(Error::Steps { limit, .. }) => {
            assert_eq!(limit, 200);
            false
        }
        Err(error) => panic!("{error}"),
    }
}

/// The case files that assemble.
fn cases() -> Vec<ShaderCode> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases");
    let mut folders = vec![std::path::PathBuf::from(root)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let mut paths: Vec<_> = std::fs::read_dir(&folder)
            .expect("the folder can be read")
            .flatten()
            .map(|entry| entry.path())
            .collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("the case can be read");
            found.extend(ninefold_bytecode::assemble(&text).ok());
        }
    }
    assert!(found.len() > 100);
    found
}

/// Instructions of all case files of a stage and model, put together anew.
#[test]
fn spliced_shaders_run() {
    let cases = cases();
    let mut numbers = Numbers(0x1234_5678_9ABC_DEF1);
    let mut machine = Machine::new();
    let versions: Vec<Version> = Version::all().collect();
    let (mut accepted, mut ended) = (0, 0);
    for _ in 0..60_000 {
        let version = versions[numbers.below(versions.len())];
        let pool: Vec<_> = cases
            .iter()
            .filter(|code| {
                let other = code.version();
                (other.stage, other.major) == (version.stage, version.major)
            })
            .collect();
        let mut tokens = vec![version.token()];
        for _ in 0..1 + numbers.below(14) {
            let code = pool[numbers.below(pool.len())];
            let at = numbers.below(code.instruction_count());
            let instruction = code.instructions().nth(at).expect("it is counted");
            let start = instruction.byte_offset as usize / 4;
            let end = start + usize::from(instruction.words);
            tokens.extend(&code.tokens()[start..end]);
        }
        tokens.push(0xFFFF);
        if let Ok(code) = ShaderCode::parse(&tokens) {
            accepted += 1;
            ended += usize::from(run(&code, &mut numbers, &mut machine));
        }
    }
    println!("{accepted} accepted, {ended} of them ended");
    assert!(accepted > 10_000 && ended < accepted);
}

/// Case files with words changed.
#[test]
fn changed_shaders_run() {
    let cases = cases();
    let mut numbers = Numbers(42);
    let mut machine = Machine::new();
    let mut accepted = 0;
    for code in &cases {
        for _ in 0..200 {
            let mut tokens = code.tokens().to_vec();
            for _ in 0..1 + numbers.below(2) {
                let at = 1 + numbers.below(tokens.len() - 1);
                match numbers.below(3) {
                    0 => tokens[at] ^= 1 << numbers.below(32),
                    1 => tokens[at] = code.tokens()[numbers.below(code.tokens().len())],
                    _ => drop(tokens.remove(at)),
                }
            }
            if let Ok(code) = ShaderCode::parse(&tokens) {
                accepted += 1;
                run(&code, &mut numbers, &mut machine);
            }
        }
    }
    println!("{} files, {accepted} changed shaders accepted", cases.len());
    assert!(accepted > 1_000);
}
