//! State blocks.

use crate::device::Device;
use crate::handle::StateBlockHandle;
use crate::hresult::Result;

impl Device {
    /// `CreateStateBlock`: `D3DSBT_*`, holding the current values.
    pub fn create_state_block(&mut self, kind: u32) -> Result<StateBlockHandle> {
        todo!()
    }

    /// `BeginStateBlock`: setters go to the block until `end_state_block`.
    pub fn begin_state_block(&mut self) -> Result<()> {
        todo!()
    }

    /// `EndStateBlock`.
    pub fn end_state_block(&mut self) -> Result<StateBlockHandle> {
        todo!()
    }

    /// `IDirect3DStateBlock9::Capture`.
    pub fn state_block_capture(&mut self, block: StateBlockHandle) -> Result<()> {
        todo!()
    }

    /// `IDirect3DStateBlock9::Apply`.
    pub fn state_block_apply(&mut self, block: StateBlockHandle) -> Result<()> {
        todo!()
    }
}
