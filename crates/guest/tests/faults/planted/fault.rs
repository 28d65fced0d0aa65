//! Which fault is switched on in this thread.

use std::cell::Cell;

thread_local! {
    static ON: Cell<u32> = const { Cell::new(0) };
    static REACHED: Cell<bool> = const { Cell::new(false) };
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

/// Switches that a trial may come to. More have no end.
const MOST: u64 = 20_000_000;

/// Switches a fault on, and all others off. 0 is none.
pub fn switch_on(fault: u32) {
    ON.set(fault);
    REACHED.set(false);
}

/// A trial begins.
pub fn begin() {
    ASKED.set(0);
}

/// Whether the fault that is on was come to.
pub fn was_reached() -> bool {
    REACHED.get()
}

pub(crate) fn is_on(fault: u32) -> bool {
    let asked = ASKED.get() + 1;
    ASKED.set(asked);
    assert!(asked < MOST, "the trial has no end");
    let is_on = ON.get() == fault;
    if is_on {
        REACHED.set(true);
    }
    is_on
}
