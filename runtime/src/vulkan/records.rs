//! Shader records and table regions before they are written to the device.

/// One record: its handle (none: all zero) and the bytes of its arguments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct RawRecord {
    /// Shader group handle.
    pub handle: Vec<u8>,
    /// Arguments of the local root signature.
    pub data: Vec<u8>,
}

/// The region of a table in its buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Region {
    pub offset: u64,
    pub stride: u64,
    pub size: u64,
}
