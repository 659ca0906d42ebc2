//! Descriptor bindings: the set and binding of each resource in Vulkan.
//!
//! [`numbering`] has the two rules: that of the reference compiler, which hosts rely on, and that of packages, whose map has all
//! descriptor slots.
//!
//! Registers that a local root signature fills, for the entry points that it is associated with, come from the
//! shader record instead (DXR specification, local root signatures); those of its descriptor tables from the
//! descriptor heaps, at the index that the record holds.

pub mod numbering;
mod overlap;

use rtc_base::Span;
use rtc_dxil_container::rdat::Rdat;
use rtc_dxil_container::rdat::associate::resolve;
use rtc_ir::{BindPlace, Function, Global, Module, ResourceDecl};
use rtc_package::RecordLayout;
use rtc_package::records::{LibraryRecords, RecordRegister};
use rtc_rootsig::RecordParamKind;
use rtc_tables::diagnostics::E0643;
use rtc_tables::resources::ResourceClass;
use serde::{Deserialize, Serialize};

use crate::Options;
use crate::error::Error;
pub use numbering::Numbering;
use numbering::Slots;

/// Additions to register numbers: `-fvk-t-shift N space`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shifts {
    /// Class, amount, and the space it is for; `None` for all spaces.
    pub list: Vec<(ResourceClass, u32, Option<u32>)>,
}

impl Shifts {
    /// The shift of a class in a space.
    fn of(&self, class: ResourceClass, space: u32) -> u32 {
        let fits = |s: &&(ResourceClass, u32, Option<u32>)| s.0 == class && s.2.is_none_or(|n| n == space);
        // A shift for one space wins over one for all.
        let mut best = self.list.iter().filter(fits).collect::<Vec<_>>();
        best.sort_by_key(|s| s.2.is_some());
        best.last().map_or(0, |s| s.1)
    }
}

/// A descriptor set and a binding in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub struct DescriptorBinding {
    /// The binding number.
    pub binding: u32,
    /// The descriptor set.
    pub set: u32,
}

/// The binding of one register: `-fvk-bind-register t3 1 0 2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub struct RegisterBinding {
    /// Class of the register.
    pub class: ResourceClass,
    /// Its number.
    pub register: u32,
    /// Its space.
    pub space: u32,
    /// What it gets.
    pub to: DescriptorBinding,
}

/// Where the contents of a resource come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// A descriptor.
    Descriptor {
        /// Descriptor set.
        set: u32,
        /// Binding.
        binding: u32,
    },
    /// Constants in the shader record, at this byte.
    RecordConstants {
        /// Byte offset after the shader group handle.
        offset: u32,
    },
    /// A 64-bit address in the shader record, at this byte.
    RecordAddress {
        /// Byte offset after the shader group handle.
        offset: u32,
    },
    /// Push constants.
    Push,
    /// The shader record, which the source describes itself.
    Record,
    /// A descriptor table in the shader record: Vulkan's records hold the number of its first descriptor in the heap.
    RecordTable {
        /// The location of that number: byte offset after the shader group handle.
        offset: u32,
        /// The descriptor's place in the table.
        plus: u32,
        /// Of the heap of samplers, not of resources.
        sampler: bool,
    },
    /// A descriptor heap.
    Heap {
        /// Descriptor set.
        set: u32,
        /// Binding.
        binding: u32,
    },
}

/// All bindings of a module.
pub struct Bindings {
    slots: Slots,
    /// The shader records of the library's local root signatures.
    pub records: LibraryRecords,
    /// Of a library with lowered hit objects, where the tail of its shader records is: byte offset after the shader group
    /// handle, and size.
    pub tail: Option<(u32, u32)>,
}

impl Bindings {
    /// Works out all bindings. `rdat` is the library's: it holds the root signatures and associations. What shares a binding is
    /// warned of.
    pub fn new(
        m: &Module,
        rdat: &Rdat,
        options: &Options,
        numbering: Numbering,
        errors: &mut Vec<Error>,
        warnings: &mut Vec<Error>,
    ) -> Self {
        let records = LibraryRecords::new(rdat, &resolve(rdat)).unwrap_or_else(|e| {
            let at = m.subobjects.iter().find(|s| s.name == e.part).map_or(Span::NONE, |s| s.span);
            errors.push(Error::coded(&E0643, at, format!("local root signature: {e}")));
            LibraryRecords::default()
        });
        let slots = numbering::assign(m, &records, options, numbering, errors);
        let tail = tail_size(m).map(|size| {
            let longest = records.layouts.iter().map(|l| l.size).max().unwrap_or(0);
            (longest.next_multiple_of(4), size)
        });
        let out = Bindings { slots, records, tail };
        overlap::warn(m, &out, warnings);
        out
    }

    /// Bytes of the shader record of an entry point, as far as shaders read it.
    pub fn record_size(&self, f: &Function) -> u32 {
        match self.tail {
            Some((offset, size)) => offset + size,
            None => self.record(f).map_or(0, |layout| layout.size),
        }
    }

    /// Set and binding of a resource's hidden counter.
    pub fn counter(&self, g: Global) -> Option<(u32, u32)> {
        self.slots.counters.get(&g).copied()
    }

    /// Set and binding of the heap of resources or of samplers.
    pub fn heap(&self, sampler: bool) -> (u32, u32) {
        self.slots.heaps[usize::from(sampler)]
    }

    /// Set and binding of the hidden counters of the heap's buffers.
    pub fn counter_heap(&self) -> (u32, u32) {
        self.slots.heaps[2]
    }

    /// Set and binding of a resource.
    pub fn descriptor(&self, g: Global) -> (u32, u32) {
        self.slots.descriptors.get(&g).copied().unwrap_or_default()
    }

    /// The shader record of an entry point.
    pub fn record(&self, f: &Function) -> Option<&RecordLayout> {
        self.records.of(&f.name).map(|i| &self.records.layouts[i as usize])
    }

    /// Where `g` comes from in entry point `f`.
    pub fn home(&self, g: Global, f: &Function, m: &Module) -> Home {
        let (set, binding) = self.descriptor(g);
        let descriptor = Home::Descriptor { set, binding };
        match m.globals[g].resource().map(|d| d.binding.place) {
            Some(BindPlace::Push) => return Home::Push,
            Some(BindPlace::Record) => return Home::Record,
            Some(BindPlace::Tail) => {
                let offset = self.tail.map_or(0, |t| t.0);
                return Home::RecordConstants { offset };
            }
            _ => {}
        }
        let Some(found) = in_record(&self.records, g, f, m) else { return descriptor };
        let offset = found.param.offset;
        match found.param.kind {
            RecordParamKind::Constants => Home::RecordConstants { offset },
            RecordParamKind::Table => {
                let sampler = found.bind.class == ResourceClass::Sampler;
                Home::RecordTable { offset, plus: found.table_index, sampler }
            }
            _ => Home::RecordAddress { offset },
        }
    }
}

/// Bytes of the tail of shader records, if the library's hit objects are lowered.
fn tail_size(m: &Module) -> Option<u32> {
    let mut all = m.globals.values().filter_map(|g| g.resource());
    let decl = all.find(|r| r.binding.place == BindPlace::Tail)?;
    Some(m.types.as_resource(decl.ty)?.stride)
}

/// Where the shader record of entry point `f` has resource `g`.
fn in_record<'a>(records: &'a LibraryRecords, g: Global, f: &Function, m: &Module) -> Option<RecordRegister<'a>> {
    let layout = &records.layouts[records.of(&f.name)? as usize];
    let decl = m.globals[g].resource()?;
    layout.find(class_of(m, decl), decl.binding.register?, decl.binding.space)
}

/// The register class of a resource.
fn class_of(m: &Module, decl: &ResourceDecl) -> ResourceClass {
    m.types.as_resource(decl.ty).expect("resources have resource types").class
}
