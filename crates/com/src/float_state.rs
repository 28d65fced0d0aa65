//! The floating-point state of callers.

/// Keeps the caller's rounding mode, traps and flags (MXCSR) until it is dropped; meanwhile
/// nothing traps. Elsewhere than on x86-64 it does nothing.
pub(crate) struct FloatState {
    #[cfg(target_arch = "x86_64")]
    kept: u32,
}

#[cfg(target_arch = "x86_64")]
impl FloatState {
    pub(crate) fn keep() -> Self {
        let mut kept = 0u32;
        // SAFETY: it writes the four bytes of `kept` and nothing else.
        unsafe {
            core::arch::asm!("stmxcsr [{}]", in(reg) &raw mut kept, options(nostack, preserves_flags));
        }
        set(kept | MASKS);
        FloatState { kept }
    }
}

#[cfg(target_arch = "x86_64")]
impl Drop for FloatState {
    fn drop(&mut self) {
        set(self.kept);
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl FloatState {
    pub(crate) fn keep() -> Self {
        FloatState {}
    }
}

/// The bits that keep each exception from trapping.
#[cfg(target_arch = "x86_64")]
const MASKS: u32 = 0x1F80;

#[cfg(target_arch = "x86_64")]
fn set(state: u32) {
    // SAFETY: it reads the four bytes of `state`. They are what the register held, or that with
    // more exceptions masked, so no reserved bit is set; what the caller had comes back before
    // control returns to it.
    unsafe {
        core::arch::asm!("ldmxcsr [{}]", in(reg) &raw const state, options(nostack, preserves_flags, readonly));
    }
}
