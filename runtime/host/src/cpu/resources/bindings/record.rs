//! Local root arguments: the arguments of shader records as descriptors.

use super::{Bindings, Descriptor, Slot, Slots};
use crate::cpu::resources::handle::{Handle, Table, ViewDesc};
use crate::cpu::resources::memory::Memory;
use crate::error::Result;
use rtc_dxil_container::ResourceClass;
use rtc_package::RecordLayout;
use rtc_rootsig::RecordParamKind;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The arguments of a shader record: the registers that they assign, and their descriptors.
#[derive(Debug, Default)]
pub struct Record {
    bound: Vec<Registers>,
    pub(super) slots: Vec<Slot>,
    /// The local root signature's name.
    pub(super) name: String,
    /// The result of [`Bindings::handles`] for it. Records that assign the same registers share it.
    handles: Arc<[Handle]>,
}

/// The registers that a record assigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Registers {
    class: ResourceClass,
    register: u32,
    space: u32,
    count: u32,
    table: Table,
    first: u32,
}

impl Record {
    /// Creates the descriptors of the arguments in a shader record, whose bytes are `data`. `at` resolves an address: a buffer
    /// from an offset on, or an acceleration structure.
    ///
    /// # Errors
    /// Out of memory for constants.
    pub fn new(layout: &RecordLayout, data: &[u8], at: impl Fn(u64) -> Descriptor) -> Result<Record> {
        let mut record = Record { name: layout.root_signature.clone(), ..Record::default() };
        for p in &layout.params {
            let bytes = data.get(p.offset as usize..).unwrap_or(&[]);
            let bytes = &bytes[..bytes.len().min(p.size as usize)];
            let word = bytes.iter().take(8).enumerate().fold(0, |all, (i, &b)| all | u64::from(b) << (8 * i));
            for b in &p.binds {
                let sampler = b.class == ResourceClass::Sampler;
                let (table, first) = match p.kind {
                    RecordParamKind::Table => {
                        let table = if sampler { Table::Samplers } else { Table::Resources };
                        (table, u32::try_from(word).unwrap_or(u32::MAX).saturating_add(b.table_offset))
                    }
                    kind => {
                        let descriptor = match kind {
                            RecordParamKind::Constants => {
                                // Padded to whole rows: compiled code loads whole rows only.
                                let memory = Memory::filled(u64::from(p.size).next_multiple_of(16), bytes)?;
                                Descriptor::Buffer(Arc::new(memory), 0)
                            }
                            _ => at(word),
                        };
                        record.slots.push(Slot::new(descriptor));
                        (Table::Records, (record.slots.len() - 1) as u32)
                    }
                };
                let (class, register, space, count) = (b.class, b.register, b.space, b.count);
                record.bound.push(Registers { class, register, space, count, table, first });
            }
        }
        Ok(record)
    }

    /// The handles of the first elements of all declared resources.
    pub fn handles(&self) -> &[Handle] {
        &self.handles
    }

    /// Its own descriptors.
    pub fn descriptors(&self) -> Slots {
        Slots::of(&self.slots)
    }

    /// Class, register and space of one of its own descriptors.
    pub(super) fn register(&self, index: u32) -> Option<(char, u32, u32)> {
        let filled = self.bound.iter().find(|f| f.table == Table::Records && f.first == index)?;
        Some((filled.class.letter(), filled.register, filled.space))
    }

    /// The handle of the argument that assigns a register.
    pub(super) fn find(&self, class: ResourceClass, register: u32, space: u32, view: ViewDesc) -> Option<Handle> {
        self.bound.iter().find_map(|f| {
            let at = register.checked_sub(f.register).filter(|_| f.class == class && f.space == space)?;
            let index = f.first.saturating_add(at);
            (f.count == u32::MAX || at < f.count).then(|| Handle::new(f.table, index, view))
        })
    }
}

/// The handles of records, shared by all that assign the same registers.
#[derive(Default)]
pub struct SharedHandles(FxHashMap<Vec<Registers>, Arc<[Handle]>>);

impl SharedHandles {
    /// Sets the handles of a record.
    pub fn assign(&mut self, mut record: Record, bindings: &Bindings) -> Record {
        let known = self.0.get(&record.bound).cloned();
        record.handles = known.unwrap_or_else(|| {
            let handles: Arc<[Handle]> = bindings.handles(Some(&record)).into();
            self.0.insert(record.bound.clone(), handles.clone());
            handles
        });
        record
    }
}
