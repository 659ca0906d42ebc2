//! The result of one argument of a batch.

use super::addresses::error;
use super::resident::Object;
use crate::device::{OPERATION_ALLOW_OMM, OperationMode};
use crate::error::Result;

/// The result of one argument.
pub struct Outcome {
    /// Size in bytes, a multiple of the alignment.
    pub size: u64,
    /// The object; `None` if only sizes are requested.
    pub object: Option<Object>,
}

/// The result, without the object if only its size is requested.
pub fn outcome(mode: OperationMode, size: u64, object: Object) -> Outcome {
    Outcome { size, object: (mode != OperationMode::GetSizes).then_some(object) }
}

/// Checks that the flags of an operation allow micromaps.
///
/// # Errors
/// An object has micromaps, but the operation's flags do not allow them.
pub fn allowed(field: &str, micromaps: bool, flags: u32) -> Result<()> {
    match micromaps && flags & OPERATION_ALLOW_OMM == 0 {
        true => Err(error(format!("{field}: uses micromaps, but the operation's Flags lack ALLOW_OMM"))),
        false => Ok(()),
    }
}
