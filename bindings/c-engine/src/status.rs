//! Statuses and errors of functions.

use rtc_c_common::Text;
use rtc_engine::{Error, ErrorKind};

/// The outcome of a function.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtcrt_status {
    /// Success.
    Ok = 0,
    /// An argument of the call is not valid: a null pointer, an unknown number, text that is not UTF-8.
    InvalidArgument = 1,
    /// A package: truncated, damaged, without a part that is needed.
    Package = 2,
    /// A state object: a hit group without its shader, conflicting associations, a name that nothing exports.
    StateObject = 3,
    /// An object of another device.
    OtherDevice = 4,
    /// Something that does not fit: a record, an address, a structure that is too small.
    Binding = 5,
    /// The device cannot do it: a limit, or a feature or extension that is off.
    Limit = 6,
    /// The device or its driver failed.
    Device = 7,
    /// A file could not be read or written.
    Io = 8,
    /// Another thread uses the object, or it is given twice in one call.
    Busy = 9,
    /// A mistake of the library; the message says what to report.
    Internal = 10,
    /// The device or its driver has no memory left; with more, the same call may succeed.
    OutOfMemory = 11,
    /// The device is lost: everything on it is to be freed and made again on a new one.
    DeviceLost = 12,
}

/// Why a function did nothing.
#[derive(Debug)]
pub(crate) struct Failure {
    pub status: rtcrt_status,
    pub message: String,
}

impl From<Error> for Failure {
    fn from(e: Error) -> Failure {
        let status = match e.kind {
            ErrorKind::Package => rtcrt_status::Package,
            ErrorKind::StateObject => rtcrt_status::StateObject,
            ErrorKind::OtherDevice => rtcrt_status::OtherDevice,
            ErrorKind::Binding => rtcrt_status::Binding,
            ErrorKind::Limit | ErrorKind::NoDevice => rtcrt_status::Limit,
            ErrorKind::Device | ErrorKind::Validation => rtcrt_status::Device,
            ErrorKind::OutOfMemory => rtcrt_status::OutOfMemory,
            ErrorKind::DeviceLost => rtcrt_status::DeviceLost,
            ErrorKind::Io => rtcrt_status::Io,
            ErrorKind::Scene => rtcrt_status::Internal,
        };
        Failure { status, message: e.to_string() }
    }
}

/// Why a function failed.
pub struct rtcrt_error {
    pub(crate) status: rtcrt_status,
    pub(crate) message: Text,
}

impl rtcrt_error {
    pub(crate) fn boxed(failure: Failure) -> *mut rtcrt_error {
        Box::into_raw(Box::new(rtcrt_error { status: failure.status, message: Text::new(failure.message) }))
    }
}
