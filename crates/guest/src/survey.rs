//! Looks at the routines in a program's code: how large they are, and what they call.

use std::collections::BTreeSet;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};

use crate::Memory;
use crate::profile::Routine;

/// Bytes after which a routine is not followed any further.
const LONGEST: u32 = 0x1000;

/// A call instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The address after it, which it pushes.
    pub return_address: u32,
    /// What it calls; `None` through a register or memory.
    pub target: Option<u32>,
}

/// A routine's code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Bytes from the first instruction to the end of the last one that can be reached.
    pub size: u32,
    /// Its calls in order of address.
    pub calls: Vec<Call>,
    /// Its instructions in order of address.
    pub instructions: Vec<Instruction>,
}

impl Survey {
    /// The return addresses of the calls, if they are the ones that the routine makes.
    fn returns<const N: usize>(&self, routine: Routine) -> Option<[u32; N]> {
        let targets = routine.calls().iter().map(|of| of.map(Routine::address));
        if !self.calls.iter().map(|call| call.target).eq(targets) {
            return None;
        }
        let returns: Vec<u32> = self.calls.iter().map(|call| call.return_address).collect();
        returns.try_into().ok()
    }
}

/// Why a program is not the build that the native routines are for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SurveyError {
    /// There are no such instructions.
    #[error("{} at {:08X}h: no code can be read at {at:08X}h", routine.name(), routine.address())]
    NoCode {
        /// The routine.
        routine: Routine,
        /// The address.
        at: u32,
    },
    /// The routine goes on where it cannot.
    #[error("{} at {:08X}h does not end within {LONGEST} bytes", routine.name(), routine.address())]
    NoEnd {
        /// The routine.
        routine: Routine,
    },
    /// The routine is longer or shorter.
    #[error("{} at {:08X}h has {size} bytes, not {expected}", routine.name(), routine.address())]
    Size {
        /// The routine.
        routine: Routine,
        /// Its bytes.
        size: u32,
        /// Those of the build.
        expected: u32,
    },
    /// The routine calls functions, and should only compute.
    #[error("{} at {:08X}h calls other functions", routine.name(), routine.address())]
    Calls {
        /// The routine.
        routine: Routine,
    },
}

/// Follows a routine's code from its first instruction to all that can be reached
/// without a call.
pub fn survey(memory: &Memory, routine: Routine) -> Result<Survey, SurveyError> {
    let start = routine.address();
    let mut reached = BTreeSet::new();
    let mut survey = Survey::default();
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        if !reached.insert(at) {
            continue;
        }
        if !(start..start + LONGEST).contains(&at) {
            return Err(SurveyError::NoEnd { routine });
        }
        let instruction = decode(memory, at).ok_or(SurveyError::NoCode { routine, at })?;
        let next = instruction.next_ip32();
        survey.size = survey.size.max(next.wrapping_sub(start));
        match instruction.flow_control() {
            FlowControl::Next => open.push(next),
            FlowControl::UnconditionalBranch => open.push(instruction.near_branch32()),
            FlowControl::ConditionalBranch => {
                open.extend([next, instruction.near_branch32()]);
            }
            FlowControl::Call | FlowControl::IndirectCall => {
                let target = (instruction.flow_control() == FlowControl::Call)
                    .then(|| instruction.near_branch32());
                survey.calls.push(Call {
                    return_address: next,
                    target,
                });
                open.push(next);
            }
            FlowControl::Return => {}
            _ => return Err(SurveyError::NoCode { routine, at }),
        }
        survey.instructions.push(instruction);
    }
    survey.calls.sort_by_key(|call| call.return_address);
    survey.instructions.sort_by_key(Instruction::ip32);
    Ok(survey)
}

fn decode(memory: &Memory, at: u32) -> Option<Instruction> {
    let mut bytes = [0; 15];
    let length = (1..=15)
        .rev()
        .find(|&length| memory.read_bytes(at, &mut bytes[..length]).is_ok())?;
    let mut decoder = Decoder::with_ip(32, &bytes[..length], at.into(), DecoderOptions::NONE);
    let instruction = decoder.decode();
    (!instruction.is_invalid()).then_some(instruction)
}

/// Return addresses of the calls that native routines leave in dead frames. A routine that
/// calls something else, or in another order, has none and is not native.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sites {
    pub(crate) material_walk: Option<[u32; 4]>,
    pub(crate) visible_surfaces: Option<[u32; 1]>,
    pub(crate) leaf_gather: Option<[u32; 3]>,
    pub(crate) cluster_gather: Option<[u32; 2]>,
    pub(crate) tree_gather: Option<[u32; 5]>,
}

impl Sites {
    /// Looks at all routines that have native versions, and at those that they call.
    /// Fails where the program is another build.
    pub fn find(memory: &Memory) -> Result<Self, SurveyError> {
        let mut sites = Self {
            material_walk: None,
            visible_surfaces: None,
            leaf_gather: None,
            cluster_gather: None,
            tree_gather: None,
        };
        for routine in Routine::ALL {
            let Some(expected) = routine.size() else {
                continue;
            };
            let survey = survey(memory, routine)?;
            if survey.size != expected {
                return Err(SurveyError::Size {
                    routine,
                    size: survey.size,
                    expected,
                });
            }
            match routine {
                Routine::MaterialWalk => sites.material_walk = survey.returns(routine),
                Routine::VisibleSurfaces => sites.visible_surfaces = survey.returns(routine),
                Routine::LeafGather => sites.leaf_gather = survey.returns(routine),
                Routine::ClusterGather => sites.cluster_gather = survey.returns(routine),
                Routine::TreeGather => sites.tree_gather = survey.returns(routine),
                _ if !survey.calls.is_empty() => return Err(SurveyError::Calls { routine }),
                _ => {}
            }
        }
        Ok(sites)
    }

    /// Whether the native version of a routine can be what the program's is: it leaves no
    /// return addresses, or those that it leaves were found.
    pub fn allow(&self, routine: Routine) -> bool {
        match routine {
            Routine::MaterialWalk => self.material_walk.is_some(),
            Routine::VisibleSurfaces => self.visible_surfaces.is_some(),
            Routine::LeafGather => self.leaf_gather.is_some(),
            Routine::ClusterGather => self.cluster_gather.is_some(),
            Routine::TreeGather => self.tree_gather.is_some(),
            _ => true,
        }
    }
}
