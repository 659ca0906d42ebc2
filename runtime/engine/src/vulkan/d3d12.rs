//! Numbers of D3D12 as this crate's own types.

use super::accel::CopyMode;
use crate::error::{Error, ErrorKind, Result};

impl CopyMode {
    /// A `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_COPY_MODE`.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`]: the mode for tools, which Vulkan does not have. [`ErrorKind::Binding`]: a mode that is not a copy between two
    /// structures, or no mode.
    pub fn of_d3d12(mode: u32) -> Result<CopyMode> {
        let (kind, why) = match mode {
            0 => return Ok(CopyMode::Clone),
            1 => return Ok(CopyMode::Compact),
            2 => (ErrorKind::Limit, "VISUALIZATION_DECODE_FOR_TOOLS: Vulkan has no such copy".to_string()),
            3 => (ErrorKind::Binding, "SERIALIZE: `serialize` records it".to_string()),
            4 => (ErrorKind::Binding, "DESERIALIZE: `deserialize` records it".to_string()),
            other => (ErrorKind::Binding, format!("{other} is no copy mode")),
        };
        Err(Error::new(kind, format!("D3D12_RAYTRACING_ACCELERATION_STRUCTURE_COPY_MODE: {why}")))
    }
}
