//! `IDirect3DQuery9`.

use ninefold_d3d9::consts::*;
use ninefold_d3d9::{HResult, QueryData, QueryHandle};

use crate::object::*;
use crate::pointer::*;
use crate::vtable::vtable;

/// Bytes of a query's answer.
fn data_size(kind: u32) -> u32 {
    match kind {
        D3DQUERYTYPE_TIMESTAMP | D3DQUERYTYPE_TIMESTAMPFREQ => 8,
        _ => 4,
    }
}

extern "C" fn get_query_type(this: This<QueryHandle>) -> u32 {
    this.value(0, |s, query| s.device.query_get_type(query))
}

extern "C" fn get_data_size(this: This<QueryHandle>) -> u32 {
    this.value(0, |s, query| Ok(data_size(s.device.query_get_type(query)?)))
}

extern "C" fn issue(this: This<QueryHandle>, flags: u32) -> Hr {
    this.call(|s, query| s.device.query_issue(query, flags))
}

/// Copies as many bytes of the answer as asked for; `S_FALSE` while there is none.
extern "C" fn get_data(this: This<QueryHandle>, data: Out<u8>, size: u32, flags: u32) -> Hr {
    call(|| {
        if data.is_null() && size != 0 {
            return Err(HResult::INVALIDCALL);
        }
        let got = this.with(|s, query| {
            let answer = s.device.query_get_data(query, flags)?;
            Ok((answer, s.device.query_get_type(query)?))
        })?;
        let (Some(answer), kind) = got else {
            return Ok(S_FALSE);
        };
        let (bytes, len) = match answer {
            QueryData::Unissued => {
                // Drivers fill all of it: 0xDD where the answer belongs, zeros behind it.
                let len = data_size(kind) as usize;
                if !data.is_null() && kind != D3DQUERYTYPE_TIMESTAMPDISJOINT {
                    data.zero(size as usize)?;
                }
                (u64::from_le_bytes([0xDD; 8]), len)
            }
            QueryData::Event(v) | QueryData::TimestampDisjoint(v) => (u64::from(v), 4),
            // Drivers count with 64 bits where there is room.
            QueryData::Occlusion(v) => (v, 8),
            QueryData::Timestamp(v) | QueryData::TimestampFrequency(v) => (v, 8),
            _ => return Err(HResult::NOTAVAILABLE),
        };
        if !data.is_null() {
            data.copy_from(&bytes.to_le_bytes()[..len.min(size as usize)])?;
        }
        Ok(OK)
    })
}

vtable! {
    /// `IDirect3DQuery9Vtbl`.
    QUERY: QueryTable {
        QueryInterface: query_interface::<QueryHandle>,
        AddRef: add_ref::<QueryHandle>,
        Release: release::<QueryHandle>,
        GetDevice: get_device::<QueryHandle>,
        GetType: get_query_type,
        GetDataSize: get_data_size,
        Issue: issue,
        GetData: get_data,
    }
}
