//! Demands that many functions share, each with its error.

use super::super::device::Device;
use crate::error::{Error, ErrorKind, Result};

/// What the device must have been made with for something, or a refusal in one sentence.
///
/// # Errors
/// [`ErrorKind::Limit`]: it was not.
pub(super) fn need(device: &Device, what: &str, feature: &str, extension: &str) -> Result<()> {
    match device.enabled().has(feature) {
        true => Ok(()),
        false => {
            let why = format!("{} was made without {what}: feature {feature} of {extension} is not switched on", device.name());
            Err(Error::new(ErrorKind::Limit, why))
        }
    }
}

/// An error unless an address is of something, and a multiple of `alignment`.
pub(super) fn aligned(address: u64, alignment: u64, what: &str) -> Result<()> {
    match address != 0 && address.is_multiple_of(alignment) {
        true => Ok(()),
        false => {
            let why = format!("{what} at {address:#x}, which is not a multiple of {alignment} or is null");
            Err(Error::new(ErrorKind::Binding, why))
        }
    }
}
