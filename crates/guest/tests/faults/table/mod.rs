//! The faults: what they replace, and which routines' trials have to notice.
//!
//! A fault is a text of a native routine's source, marked with « and » in some context or
//! all of it, and what stands there instead. White space does not matter. A text that ends
//! in `;` or `}` is a statement, others are expressions.
//!
//! Left out is what nothing shows that a routine leaves:
//! - whether planes and lists can be read: reading them asks again;
//! - registers that the gathers' calls leave for the next one, which is given its own;
//! - masks of bit 31 before a multiplication by 16, which loses it;
//! - the x87 after the tree gather's first comparison, which the second one writes over;
//! - the return address of the gathers' first call, which the next one writes over, and
//!   calls of the leaf and cluster gathers that go astray: their children write nothing
//!   but their own frames;
//! - which factor comes first where both are loaded already;
//! - whether planes are finite where a box is plain: the ends of a sum say the same;
//! - what only makes a fast way give way to the slow one, and what it checks that taking
//!   its memory apart checks too;
//! - the frame among what marking at once may write to: a number that is written over is
//!   stored again right after;
//! - the view's count among what marking at once writes: a list that only begins in it is
//!   read there first, and as a length it only grows, which is looked at again.

mod boxes;
mod gathers;
mod lists;
mod node;
mod shared;
mod trees;
mod views;

use std::fmt;

use ninefold_guest::profile::Routine;

/// A function's faults.
pub(crate) struct Place {
    /// Its file in `src/native`.
    pub(crate) file: &'static str,
    /// What it begins with.
    pub(crate) block: &'static str,
    /// The routines that have to notice each of the faults.
    pub noticed_by: &'static [Routine],
    /// What is replaced, and with what.
    pub(crate) faults: &'static [(&'static str, &'static str)],
}

/// All of them.
pub(crate) const PLACES: &[&[Place]] = &[
    shared::PLACES,
    boxes::PLACES,
    lists::PLACES,
    views::PLACES,
    gathers::PLACES,
    node::PLACES,
    trees::PLACES,
];

/// A row of the table.
pub(crate) struct Fault {
    /// Where it is.
    pub(crate) place: &'static Place,
    /// What is replaced.
    pub(crate) was: &'static str,
    /// What it is replaced with.
    pub(crate) becomes: &'static str,
}

/// All rows.
pub(crate) fn faults() -> Vec<Fault> {
    let mut faults = Vec::new();
    for place in PLACES.iter().copied().flatten() {
        for &(was, becomes) in place.faults {
            faults.push(Fault {
                place,
                was,
                becomes,
            });
        }
    }
    faults
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { file, block, .. } = self.place;
        write!(f, "{file}, {block}: {} becomes {}", self.was, self.becomes)
    }
}
