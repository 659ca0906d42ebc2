//! Errors of the driver.

use super::vk;
use crate::error::{ErrorKind, RunError};

/// The error of a driver that failed to do `what`, for `map_err`.
pub(super) fn failed(what: &str) -> impl FnOnce(vk::ErrorCode) -> RunError + '_ {
    move |code| RunError::new(ErrorKind::Device, format!("the device failed to {what}: {code}"))
}
