//! Resource handles of compiled code: 64 bits with the index of a descriptor and the shader's view of it.
//!
//! A handle is created from a variable, a register or an index into a heap, and may be annotated; both store the shader's view
//! (kind, stride, writability) in it, so that no operation needs the declaration. Any handle bits are safe to use: a descriptor
//! out of range is null, and views are checked against the descriptor.

use rtc_dxil_container::metadata::Resource;
use rtc_dxil_container::{ResourceClass, ResourceKind};

/// A descriptor table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Table {
    /// The registers of the program.
    Registers,
    /// `ResourceDescriptorHeap`.
    Resources,
    /// `SamplerDescriptorHeap`.
    Samplers,
    /// Local root arguments of shader records.
    Records,
}

impl Table {
    /// All tables, by discriminant.
    pub const ALL: [Table; 4] = [Table::Registers, Table::Resources, Table::Samplers, Table::Records];
}

/// The view of a resource in a shader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ViewDesc {
    /// The declared kind; `Invalid` for a heap element that is not annotated.
    pub kind: ResourceKind,
    /// Whether it is a UAV.
    pub writable: bool,
    /// UAV: it has a counter. Sampler: it is a comparison sampler.
    pub extra: bool,
    /// Element size of a structured buffer in bytes.
    pub stride: u32,
}

const UAV: u32 = 1 << 12;
const COUNTER_OR_COMPARISON: u32 = 1 << 15;

impl ViewDesc {
    /// The view of a declaration.
    pub fn declared(r: &Resource) -> ViewDesc {
        ViewDesc {
            kind: r.kind,
            writable: r.class == ResourceClass::Uav,
            extra: r.counter || r.sampler == 1,
            stride: if r.kind == ResourceKind::StructuredBuffer { r.size } else { 0 },
        }
    }

    /// The view of the two words of `%dx.types.ResourceProperties`.
    pub fn annotated(basic: u32, detail: u32) -> ViewDesc {
        let kind = ResourceKind::from_number(basic & 0xff).unwrap_or(ResourceKind::Invalid);
        ViewDesc {
            kind,
            writable: basic & UAV != 0,
            extra: basic & COUNTER_OR_COMPARISON != 0,
            stride: if kind == ResourceKind::StructuredBuffer { detail } else { 0 },
        }
    }

    /// Its bits in a [`Handle`].
    pub fn bits(self) -> u64 {
        let stride = u64::from(self.stride.min(MAX_STRIDE));
        (u64::from(self.kind.number()) & MAX_KIND) << KIND_AT
            | u64::from(self.writable) << 39
            | u64::from(self.extra) << 40
            | stride << STRIDE_AT
    }
}

/// A handle. Zero is the null handle.
///
/// | bits | what |
/// |---|---|
/// | 0–31 | index of the descriptor in its table |
/// | 32–33 | the table |
/// | 34–38 | kind |
/// | 39 | writable |
/// | 40 | counter or comparison |
/// | 41–61 | stride, if it fits 21 bits |
/// | 63 | valid |
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Handle(pub u64);

const VALID: u64 = 1 << 63;
/// The bits that [`Handle::with_view`] keeps: valid bit, table and index.
pub const DESCRIPTOR_BITS: u64 = VALID | ((1 << 34) - 1);
/// First bit of the table.
pub const TABLE_AT: u32 = 32;
/// The largest table.
pub const MAX_TABLE: u64 = 3;
/// First bit of the kind.
pub const KIND_AT: u32 = 34;
/// The largest kind.
pub const MAX_KIND: u64 = 31;
/// First bit of the stride.
pub const STRIDE_AT: u32 = 41;
/// The largest stride of a handle; Direct3D's maximum is 2048.
pub const MAX_STRIDE: u32 = (1 << 21) - 1;

impl Handle {
    /// A handle of a descriptor.
    pub fn new(table: Table, index: u32, view: ViewDesc) -> Handle {
        Handle(VALID | u64::from(index) | (table as u64) << TABLE_AT).with_view(view)
    }

    /// The same descriptor with another view: `annotateHandle`.
    pub fn with_view(self, view: ViewDesc) -> Handle {
        Handle(self.0 & DESCRIPTOR_BITS | view.bits())
    }

    /// The descriptor, by table and index; `None` for the null handle.
    pub fn descriptor(self) -> Option<(Table, u32)> {
        (self.0 & VALID != 0).then_some((Table::ALL[(self.0 >> TABLE_AT & MAX_TABLE) as usize], self.0 as u32))
    }

    /// The shader's view.
    pub fn view(self) -> ViewDesc {
        ViewDesc {
            kind: ResourceKind::from_number((self.0 >> KIND_AT & MAX_KIND) as u32).unwrap_or(ResourceKind::Invalid),
            writable: self.0 >> 39 & 1 != 0,
            extra: self.0 >> 40 & 1 != 0,
            stride: (self.0 >> STRIDE_AT) as u32 & MAX_STRIDE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_round_trip() {
        for (i, table) in Table::ALL.into_iter().enumerate() {
            for number in 0..19 {
                let view = ViewDesc {
                    kind: ResourceKind::from_number(number).expect("a kind"),
                    writable: i % 2 == 0,
                    extra: i > 1,
                    stride: 2048 - number,
                };
                let handle = Handle::new(table, u32::MAX - i as u32, view);
                assert_eq!(handle.descriptor(), Some((table, u32::MAX - i as u32)));
                assert_eq!(handle.view(), view);
                let other = ViewDesc { stride: 4, extra: false, ..view };
                assert_eq!(handle.with_view(other).view(), other);
                assert_eq!(handle.with_view(other).descriptor(), handle.descriptor());
            }
        }
        assert_eq!(Handle::default().descriptor(), None);
        assert_eq!(Handle::default().with_view(ViewDesc::annotated(0x100b, 0)).descriptor(), None);
    }

    #[test]
    fn annotations_agree_with_declarations() {
        let structured = ViewDesc::annotated(12 | 1 << 12 | 1 << 15 | 2 << 8, 48);
        assert_eq!(structured, ViewDesc { kind: ResourceKind::StructuredBuffer, writable: true, extra: true, stride: 48 });
        let typed = ViewDesc::annotated(2, 0x409);
        assert_eq!(typed, ViewDesc { kind: ResourceKind::Texture2D, writable: false, extra: false, stride: 0 });
        assert_eq!(ViewDesc::annotated(200, 0).kind, ResourceKind::Invalid);
    }
}
