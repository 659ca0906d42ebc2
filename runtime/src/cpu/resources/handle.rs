//! What compiled code holds of a resource: 64 bits that name a descriptor and say how the shader sees it.
//!
//! A handle is made from a variable, a register or an index into a heap, and may be annotated; both put what the shader
//! declares (kind, stride, whether it is written) into it, so that no operation has to look a declaration up. Whatever bits a
//! handle has, using it is harmless: a descriptor that is not there is a null descriptor, and views are compared with what is bound.

use rtc_dxil_container::metadata::Resource;
use rtc_dxil_container::{ResourceClass, ResourceKind};

/// Where a descriptor is looked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Table {
    /// The registers of the program.
    Registers,
    /// `ResourceDescriptorHeap`.
    Resources,
    /// `SamplerDescriptorHeap`.
    Samplers,
    /// Arguments in shader records.
    Records,
}

impl Table {
    /// All, by number.
    pub const ALL: [Table; 4] = [Table::Registers, Table::Resources, Table::Samplers, Table::Records];
}

/// How a shader sees a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// The kind it is declared as; `Invalid` of a heap's element that nobody annotated.
    pub kind: ResourceKind,
    /// Whether it is a UAV.
    pub writable: bool,
    /// UAV: it has a counter. Sampler: it compares.
    pub extra: bool,
    /// Bytes of an element of a structured buffer.
    pub stride: u32,
}

const UAV: u32 = 1 << 12;
const COUNTER_OR_COMPARISON: u32 = 1 << 15;

impl Look {
    /// As a resource is declared.
    pub fn declared(r: &Resource) -> Look {
        Look {
            kind: r.kind,
            writable: r.class == ResourceClass::Uav,
            extra: r.counter || r.sampler == 1,
            stride: if r.kind == ResourceKind::StructuredBuffer { r.size } else { 0 },
        }
    }

    /// As the two words of `%dx.types.ResourceProperties` say.
    pub fn annotated(basic: u32, detail: u32) -> Look {
        let kind = ResourceKind::from_number(basic & 0xff).unwrap_or(ResourceKind::Invalid);
        Look {
            kind,
            writable: basic & UAV != 0,
            extra: basic & COUNTER_OR_COMPARISON != 0,
            stride: if kind == ResourceKind::StructuredBuffer { detail } else { 0 },
        }
    }

    /// Its part of a [`Handle`].
    pub fn bits(self) -> u64 {
        let stride = u64::from(self.stride.min(MAX_STRIDE));
        (u64::from(self.kind.number()) & MAX_KIND) << KIND_AT
            | u64::from(self.writable) << 39
            | u64::from(self.extra) << 40
            | stride << STRIDE_AT
    }
}

/// A handle. Zero is a handle of nothing.
///
/// | bits | what |
/// |---|---|
/// | 0–31 | the descriptor in its table |
/// | 32–33 | the table |
/// | 34–38 | kind |
/// | 39 | whether it is written |
/// | 40 | counter or comparison |
/// | 41–61 | stride, as far as it has 21 bits |
/// | 63 | set |
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Handle(pub u64);

const VALID: u64 = 1 << 63;
/// The bits that [`Handle::seen_as`] leaves as they are.
pub const PLACE: u64 = VALID | (1 << 34) - 1;
/// Where the table begins.
pub const TABLE_AT: u32 = 32;
/// The largest table.
pub const MAX_TABLE: u64 = 3;
/// Where the kind begins.
pub const KIND_AT: u32 = 34;
/// The largest kind.
pub const MAX_KIND: u64 = 31;
/// Where the stride begins.
pub const STRIDE_AT: u32 = 41;
/// The longest stride that a handle can hold; Direct3D's longest is 2048.
pub const MAX_STRIDE: u32 = (1 << 21) - 1;

impl Handle {
    /// A handle of a descriptor.
    pub fn new(table: Table, index: u32, look: Look) -> Handle {
        Handle(VALID | u64::from(index) | (table as u64) << TABLE_AT).seen_as(look)
    }

    /// The same descriptor, seen otherwise: `annotateHandle`.
    pub fn seen_as(self, look: Look) -> Handle {
        Handle(self.0 & PLACE | look.bits())
    }

    /// The descriptor, by table and index; none of a handle of nothing.
    pub fn place(self) -> Option<(Table, u32)> {
        (self.0 & VALID != 0).then_some((Table::ALL[(self.0 >> TABLE_AT & MAX_TABLE) as usize], self.0 as u32))
    }

    /// How the shader sees it.
    pub fn look(self) -> Look {
        Look {
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
    fn handles_keep_what_they_are_made_of() {
        for (i, table) in Table::ALL.into_iter().enumerate() {
            for number in 0..19 {
                let look = Look {
                    kind: ResourceKind::from_number(number).expect("a kind"),
                    writable: i % 2 == 0,
                    extra: i > 1,
                    stride: 2048 - number,
                };
                let handle = Handle::new(table, u32::MAX - i as u32, look);
                assert_eq!(handle.place(), Some((table, u32::MAX - i as u32)));
                assert_eq!(handle.look(), look);
                let other = Look { stride: 4, extra: false, ..look };
                assert_eq!(handle.seen_as(other).look(), other);
                assert_eq!(handle.seen_as(other).place(), handle.place());
            }
        }
        assert_eq!(Handle::default().place(), None);
        assert_eq!(Handle::default().seen_as(Look::annotated(0x100b, 0)).place(), None);
    }

    #[test]
    fn annotations_say_what_declarations_say() {
        let structured = Look::annotated(12 | 1 << 12 | 1 << 15 | 2 << 8, 48);
        assert_eq!(structured, Look { kind: ResourceKind::StructuredBuffer, writable: true, extra: true, stride: 48 });
        let typed = Look::annotated(2, 0x409);
        assert_eq!(typed, Look { kind: ResourceKind::Texture2D, writable: false, extra: false, stride: 0 });
        assert_eq!(Look::annotated(200, 0).kind, ResourceKind::Invalid);
    }
}
