//! Objects that lie in buffers.
//!
//! An object occupies its bytes: it begins with a mark, and whatever is put over a part of it by the host or by an operation ends it.
//! What it consists of is kept beside, by address. Writes of shaders are not watched, but a mark that is gone is noticed.

use crate::cpu::accel::{Bottom, Cluster, Partitioned, Template};
use crate::cpu::resources::Memory;
use crate::device::Accel;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of the mark.
pub const MARK: u64 = 32;
const MAGIC: u64 = u64::from_le_bytes(*b"rtc obj\0");

/// An object.
#[derive(Clone, Debug)]
pub enum Object {
    /// A cluster.
    Cluster(Arc<Cluster>),
    /// A template, and the indices of its vertices where its instances' positions lie.
    Template(Arc<Template>, Arc<[u32]>),
    /// A structure of clusters, and which those are.
    Bottom(Arc<Bottom>, Arc<[Reference]>),
    /// A partitioned structure.
    Partitioned(Arc<Partitioned>),
}

/// An object that another one refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference {
    /// Where it lies.
    pub address: u64,
    /// Which one of those that were ever put there.
    pub serial: u64,
}

impl Object {
    /// What it is called.
    pub fn what(&self) -> &'static str {
        match self {
            Object::Cluster(_) => "cluster",
            Object::Template(..) => "template",
            Object::Bottom(..) => "structure of clusters",
            Object::Partitioned(_) => "partitioned structure",
        }
    }
    /// Whether it has micromaps, which operations must be told of.
    pub fn has_micromaps(&self) -> bool {
        match self {
            Object::Cluster(c) => c.has_micromaps(),
            Object::Template(t, _) => t.has_micromaps(),
            Object::Bottom(b, _) => b.has_micromaps(),
            Object::Partitioned(_) => false,
        }
    }
    fn kind(&self) -> u64 {
        match self {
            Object::Cluster(_) => 1,
            Object::Template(..) => 2,
            Object::Bottom(..) => 3,
            Object::Partitioned(_) => 4,
        }
    }
}

/// An object at its place.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Bytes that it occupies.
    pub size: u64,
    /// Which one of all that were ever made.
    pub serial: u64,
    /// What it is.
    pub object: Object,
    /// The host's number for it.
    pub handle: Option<Accel>,
}

impl Entry {
    fn mark(&self) -> [u64; (MARK / 8) as usize] {
        [MAGIC, self.object.kind(), self.size, self.serial]
    }
    /// Whether its mark is there.
    pub fn is_marked(&self, memory: &Memory, at: u64) -> bool {
        (at..).step_by(8).zip(self.mark()).all(|(at, word)| memory.bits(at, 8) == Some(word))
    }
    /// Leaves its mark.
    pub fn leave_mark(&self, memory: &Memory, at: u64) {
        for (at, word) in (at..).step_by(8).zip(self.mark()) {
            memory.set_bits(at, 8, word);
        }
    }
}

/// All of them, by address. They do not overlap.
#[derive(Default, Debug)]
pub struct Placed {
    entries: BTreeMap<u64, Entry>,
    serial: u64,
}

impl Placed {
    /// The object that begins at an address.
    pub fn get(&self, address: u64) -> Option<&Entry> {
        self.entries.get(&address)
    }
    /// The same, to be changed.
    pub fn get_mut(&mut self, address: u64) -> Option<&mut Entry> {
        self.entries.get_mut(&address)
    }
    /// Removes what has bytes in a range.
    pub fn clear(&mut self, range: Range<u64>) -> Vec<(u64, Entry)> {
        let overlapping = self.entries.range(..range.end).rev().take_while(|(at, e)| **at + e.size > range.start);
        let gone: Vec<u64> = overlapping.map(|(at, _)| *at).collect();
        gone.into_iter().filter_map(|at| self.entries.remove_entry(&at)).collect()
    }
    /// Puts an object where nothing is.
    pub fn insert(&mut self, address: u64, size: u64, object: Object) -> &mut Entry {
        self.serial += 1;
        let entry = Entry { size, serial: self.serial, object, handle: None };
        self.entries.entry(address).insert_entry(entry).into_mut()
    }
    /// Address, size and number of each.
    #[cfg(test)]
    pub fn all(&self) -> Vec<(u64, u64, u64)> {
        self.entries.iter().map(|(at, e)| (*at, e.size, e.serial)).collect()
    }
    /// Whether a referenced object is still the one that was meant.
    pub fn is_there(&self, r: &Reference) -> bool {
        self.get(r.address).is_some_and(|e| e.serial == r.serial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_overwritten_is_gone() {
        let mut p = Placed::default();
        let object = || Object::Cluster(Arc::new(Cluster::empty()));
        for at in [0u64, 100, 200, 300] {
            p.insert(at, 100, object());
        }
        let gone = |p: &mut Placed, r| p.clear(r).into_iter().map(|(at, _)| at).collect::<Vec<_>>();
        assert!(gone(&mut p, 100..100).is_empty());
        assert_eq!(gone(&mut p, 199..301), [300, 200, 100]);
        assert_eq!(gone(&mut p, 0..u64::MAX), [0]);
        let serial = p.insert(5, 1, object()).serial;
        assert!(p.is_there(&Reference { address: 5, serial }) && !p.is_there(&Reference { address: 5, serial: 1 }));
    }
}
