//! Layout of the arguments of a local root signature in a shader record.
//!
//! A record is the shader identifier (32 bytes) and then the arguments in declaration order: root
//! constants as 32-bit words, aligned to 4; addresses and table handles as 64-bit values, aligned
//! to 8. Offsets here count from the end of the identifier. Static samplers take no room.

use super::{APPEND, RootParamKind, RootSignature, UNBOUNDED, Visibility};
use rtc_dxil_container::{FormatError, ResourceClass};

/// Most bytes that the arguments of one record may take.
pub const MAX_RECORD_DATA: u32 = 4096 - 32;

/// The arguments of a shader record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordData {
    /// One for each root parameter, in order.
    pub params: Vec<RecordParam>,
    /// Bytes that they take together, without the identifier.
    pub size: u32,
}

/// One argument in a shader record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordParam {
    /// Byte offset from the end of the shader identifier.
    pub offset: u32,
    /// Its bytes.
    pub size: u32,
    /// What the bytes are.
    pub kind: RecordParamKind,
    /// Which stages see it.
    pub visibility: Visibility,
    /// The registers that it fills: one for everything but tables, one a range for tables.
    pub binds: Vec<RecordBinding>,
}

rtc_dxil_container::kinds! {
    /// What the bytes of an argument are; the numbers are those of root parameter types.
    pub enum RecordParamKind {
        /// A 64-bit handle of the first descriptor.
        Table = 0 "descriptor table",
        /// 32-bit words: the contents of a constant buffer.
        Constants = 1 "constants",
        /// 64-bit address of a constant buffer.
        Cbv = 2 "CBV",
        /// 64-bit address of a buffer or an acceleration structure to read.
        Srv = 3 "SRV",
        /// 64-bit address of a buffer to read and write.
        Uav = 4 "UAV",
    }
}

/// Registers that an argument fills.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordBinding {
    /// Register class.
    pub class: ResourceClass,
    /// First register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// Number of registers, `u32::MAX` without bound. 1 for everything but table ranges.
    pub count: u32,
    /// Index of the first descriptor relative to the table's handle; 0 for everything but tables.
    pub table_offset: u32,
}

/// Lays out the record of a local root signature (the flag itself is not required).
///
/// # Errors
/// When the arguments take more than [`MAX_RECORD_DATA`] bytes, or a table's range starts after one
/// without bound or past the last index.
pub fn record_layout(signature: &RootSignature) -> Result<RecordData, FormatError> {
    let mut data = RecordData::default();
    for (index, param) in signature.params.iter().enumerate() {
        let one = |class, register, space| vec![RecordBinding { class, register, space, count: 1, table_offset: 0 }];
        let (kind, size, binds) = match &param.kind {
            RootParamKind::Constants { register, space, count } => {
                (RecordParamKind::Constants, count.saturating_mul(4), one(ResourceClass::Cbv, *register, *space))
            }
            RootParamKind::Cbv(d) => (RecordParamKind::Cbv, 8, one(ResourceClass::Cbv, d.register, d.space)),
            RootParamKind::Srv(d) => (RecordParamKind::Srv, 8, one(ResourceClass::Srv, d.register, d.space)),
            RootParamKind::Uav(d) => (RecordParamKind::Uav, 8, one(ResourceClass::Uav, d.register, d.space)),
            RootParamKind::Table(ranges) => {
                let mut binds = Vec::with_capacity(ranges.len());
                let mut next = Some(0u32);
                for r in ranges {
                    let start = if r.offset == APPEND { next } else { Some(r.offset) };
                    let Some(table_offset) = start else {
                        return Err(too_far(index));
                    };
                    next = if r.count == UNBOUNDED { None } else { table_offset.checked_add(r.count) };
                    binds.push(RecordBinding { class: r.class, register: r.register, space: r.space, count: r.count, table_offset });
                }
                (RecordParamKind::Table, 8, binds)
            }
        };
        let align = if kind == RecordParamKind::Constants { 4 } else { 8 };
        let offset = data.size.next_multiple_of(align);
        let end = u64::from(offset) + u64::from(size);
        if end > u64::from(MAX_RECORD_DATA) {
            let why = format!("parameter {index} ends at byte {end} of the shader record, the limit is {MAX_RECORD_DATA}");
            return Err(FormatError::new("root signature", 0, why));
        }
        data.size = end as u32;
        data.params.push(RecordParam { offset, size, kind, visibility: param.visibility, binds });
    }
    Ok(data)
}

fn too_far(index: usize) -> FormatError {
    let why = format!("parameter {index}: a range follows one that has no end");
    FormatError::new("root signature", 0, why)
}
