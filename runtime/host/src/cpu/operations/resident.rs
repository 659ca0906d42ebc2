//! Objects in buffers: clusters, templates and structures that operations have placed in memory.
//!
//! An object occupies a range of bytes: it begins with a signature, and it ends when the host or an operation overwrites a part
//! of it. Its contents are stored separately, by address. Writes of shaders are not tracked, but a missing signature is detected.

use crate::cpu::accel::{Bottom, Cluster, Partitioned, Template};
use crate::cpu::resources::Memory;
use crate::device::Accel;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry as MapEntry;
use std::ops::Range;
use std::sync::Arc;

/// Size of the signature in bytes.
pub const SIGNATURE: u64 = 32;
const MAGIC: u64 = u64::from_le_bytes(*b"rtc obj\0");

/// An object.
#[derive(Clone, Debug)]
pub enum Object {
    /// A cluster.
    Cluster(Arc<Cluster>),
    /// A template, and the vertex indices of its instances' positions.
    Template(Arc<Template>, Arc<[u32]>),
    /// A structure of clusters, and references to them.
    Bottom(Arc<Bottom>, Arc<[Reference]>),
    /// A partitioned structure.
    Partitioned(Arc<Partitioned>),
}

/// A reference to an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference {
    /// Where it lies.
    pub address: u64,
    /// Its serial number.
    pub serial: u64,
}

impl Object {
    /// Its type in words.
    pub fn what(&self) -> &'static str {
        match self {
            Object::Cluster(_) => "cluster",
            Object::Template(..) => "template",
            Object::Bottom(..) => "structure of clusters",
            Object::Partitioned(_) => "partitioned structure",
        }
    }
    /// Whether it has micromaps, which operations must allow.
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

/// An object with its placement.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Size in bytes.
    pub size: u64,
    /// Its serial number, unique among all objects ever created.
    pub serial: u64,
    /// The object.
    pub object: Object,
    /// The host's handle.
    pub handle: Option<Accel>,
}

impl Entry {
    fn signature(&self) -> [u64; (SIGNATURE / 8) as usize] {
        [MAGIC, self.object.kind(), self.size, self.serial]
    }
    /// Whether its signature is intact.
    pub fn is_intact(&self, memory: &Memory, at: u64) -> bool {
        (at..).step_by(8).zip(self.signature()).all(|(at, word)| memory.bits(at, 8) == Some(word))
    }
    /// Writes its signature.
    pub fn write_signature(&self, memory: &Memory, at: u64) {
        for (at, word) in (at..).step_by(8).zip(self.signature()) {
            memory.set_bits(at, 8, word);
        }
    }
}

/// All objects, by address, without overlaps.
#[derive(Default, Debug)]
pub struct Placed {
    entries: BTreeMap<u64, Entry>,
    serial: u64,
}

impl Placed {
    /// The object at an address.
    pub fn get(&self, address: u64) -> Option<&Entry> {
        self.entries.get(&address)
    }
    /// The object at an address, mutable.
    pub fn get_mut(&mut self, address: u64) -> Option<&mut Entry> {
        self.entries.get_mut(&address)
    }
    /// Removes the objects that overlap a range.
    pub fn clear(&mut self, range: Range<u64>) -> Vec<(u64, Entry)> {
        let overlapping = self.entries.range(..range.end).rev().take_while(|(at, e)| **at + e.size > range.start);
        let gone: Vec<u64> = overlapping.map(|(at, _)| *at).collect();
        gone.into_iter().filter_map(|at| self.entries.remove_entry(&at)).collect()
    }
    /// Inserts an object in a free range.
    pub fn insert(&mut self, address: u64, size: u64, object: Object) -> &mut Entry {
        self.serial += 1;
        let entry = Entry { size, serial: self.serial, object, handle: None };
        match self.entries.entry(address) {
            MapEntry::Vacant(v) => v.insert(entry),
            MapEntry::Occupied(mut o) => {
                o.insert(entry);
                o.into_mut()
            }
        }
    }
    /// Address, size and serial number of each object.
    #[cfg(test)]
    pub fn all(&self) -> Vec<(u64, u64, u64)> {
        self.entries.iter().map(|(at, e)| (*at, e.size, e.serial)).collect()
    }
    /// Whether a reference is still valid.
    pub fn is_valid(&self, r: &Reference) -> bool {
        self.get(r.address).is_some_and(|e| e.serial == r.serial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overwritten_objects_are_removed() {
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
        assert!(p.is_valid(&Reference { address: 5, serial }) && !p.is_valid(&Reference { address: 5, serial: 1 }));
    }
}
