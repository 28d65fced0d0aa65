//! Trials with the code of an executable.

use super::{Bench, BenchError, Outcome, Tally};
use crate::Memory;
use crate::profile::{BARE_RETURN, Routine};
use crate::program::{ProgramError, load_pe};

/// Why an executable is not tried.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// It cannot be loaded.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The file does not hold a routine's bytes: it is packed, or another program.
    #[error(
        "not the reference build: the file holds no code at {address:08X}h ({name}); \
         a packed or protected executable has to be unpacked first"
    )]
    NoCode {
        /// Where there should be code.
        address: u32,
        /// The routine's name.
        name: &'static str,
    },
    /// Its routines are others, or there is no room for the trials.
    #[error("not the reference build: {0}")]
    Bench(#[from] BenchError),
}

/// What differed in the trials of a routine, in how many of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The routine.
    pub routine: Routine,
    /// How the trials ended.
    pub tally: Tally,
    /// The first trial that differed: its seed, and what differed.
    pub first_difference: Option<(u64, Vec<String>)>,
    /// The program's routine calls other functions than the native one leaves return
    /// addresses of. It was not tried.
    pub other_calls: bool,
}

impl Row {
    /// Whether the native routine does what the program's does: trials were compared, none
    /// differed, and hardly any had no end.
    pub fn agrees(&self) -> bool {
        self.tally.different == 0 && self.tally.equal != 0 && !self.is_endless()
    }

    /// Whether more trials had no end than inputs that write over what loops count with explain.
    fn is_endless(&self) -> bool {
        let ended = self.tally.equal + self.tally.declined + self.tally.faults;
        self.tally.endless > 2 + ended / 50
    }
}

/// Holds all native routines against the code of an executable, `trials` times each, and the
/// whole gather with native callees. `progress` is told of each routine before it begins. Nothing of the file is kept.
pub fn verify(
    file: &[u8],
    trials: u64,
    mut progress: impl FnMut(Routine),
) -> Result<Vec<Row>, VerifyError> {
    let program = load_pe(file, &mut Memory::new(MOST))?;
    let bare_return = (BARE_RETURN, 1, "the callback that does nothing");
    let routines = Routine::ALL
        .into_iter()
        .filter_map(|routine| Some((routine.address(), routine.size()?, routine.name())));
    for (address, size, name) in routines.chain([bare_return]) {
        if !program.holds(address, size) {
            return Err(VerifyError::NoCode { address, name });
        }
    }
    let mut bench = Bench::new(|memory| {
        load_pe(file, memory)
            .map(|_| ())
            .map_err(|error| match error {
                ProgramError::Memory { source, .. } => source,
                // The file was loaded once already.
                _ => crate::memory::MemoryError::Unmapped {
                    address: program.base,
                },
            })
    })?;
    let rows = Routine::ALL.into_iter().map(|routine| {
        progress(routine);
        let mut row = Row {
            routine,
            tally: Tally::default(),
            first_difference: None,
            other_calls: !bench
                .overrides
                .sites()
                .is_some_and(|sites| sites.allow(routine)),
        };
        let trials = if row.other_calls { 0 } else { trials };
        for seed in 0..trials {
            let outcome = match routine {
                Routine::WholeGather => bench.run_whole_gather(seed),
                _ => bench.run(routine, seed),
            };
            row.tally.add(&outcome);
            if let (Outcome::Different(what), None) = (outcome, &row.first_difference) {
                row.first_difference = Some((seed, what));
            }
            // Endless runs take long.
            if row.is_endless() {
                break;
            }
        }
        row
    });
    Ok(rows.collect())
}

/// Memory that an executable may take.
const MOST: usize = 256 << 20;
