//! `IDirect3DStateBlock9`.

use ninefold_d3d9::StateBlockHandle;

use crate::object::*;
use crate::pointer::*;
use crate::vtable::vtable;

extern "C" fn capture(this: This<StateBlockHandle>) -> Hr {
    this.call(|s, block| s.device.state_block_capture(block))
}

extern "C" fn apply(this: This<StateBlockHandle>) -> Hr {
    this.call(|s, block| s.device.state_block_apply(block))
}

vtable! {
    /// `IDirect3DStateBlock9Vtbl`.
    STATE_BLOCK: StateBlockTable {
        QueryInterface: query_interface::<StateBlockHandle>,
        AddRef: add_ref::<StateBlockHandle>,
        Release: release::<StateBlockHandle>,
        GetDevice: get_device::<StateBlockHandle>,
        Capture: capture,
        Apply: apply,
    }
}
