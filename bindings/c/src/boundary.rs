//! The boundary to C: what all libraries with a C interface do, with the status of this one.

pub(crate) use rtc_c_common::{bytes, caught as guarded_value, free, give, object, put, text};

use crate::types::rtc_status;

impl From<rtc_c_common::Invalid> for rtc_status {
    fn from(_: rtc_c_common::Invalid) -> rtc_status {
        rtc_status::InvalidArgument
    }
}

/// Runs the body of a function. A panic becomes a status; what it owns is dropped, and locks are never poisoned.
pub(crate) fn guarded(body: impl FnOnce() -> Result<rtc_status, rtc_status>) -> rtc_status {
    match guarded_value(Err(rtc_status::Internal), body) {
        Ok(status) | Err(status) => status,
    }
}
