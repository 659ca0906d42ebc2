//! Operations on structures in memory (raytracing2, `ExecuteIndirectRTASOperations`).
//!
//! A call is planned, judged and then done: [`Plan`] reads arguments and makes the objects without touching anything, overlaps are
//! looked for, and only then memory changes. So operations of a call see memory as it was before all of them, and a call that is
//! refused changes nothing.
//!
//! | file | what |
//! |---|---|
//! | `addresses` | what an address is of |
//! | `placed` | objects that lie in buffers |
//! | `plan` | what a call reads and writes, and whether that overlaps |
//! | `sizes` | how much memory operations need |
//! | `batch` | counts, modes and places of results, for all that comes in batches |
//! | `clusters` | arguments of clusters and templates |
//! | `joined` | structures of clusters, moves |
//! | `partitions` | partitioned structures |

mod addresses;
mod batch;
mod clusters;
mod joined;
mod partitions;
mod placed;
mod plan;
mod sizes;

#[cfg(test)]
mod tests;

pub use addresses::{Place, place};
pub use placed::{Object, Placed};
pub use sizes::prebuild;

use super::objects::Objects;
use super::structures::Stored;
use crate::device::{Accel, Inputs, Operation};
use crate::error::Result;
use addresses::wrong;
use plan::Plan;
use rustc_hash::FxHashMap;

/// What an operation is called in the specification.
fn name(operation: &Operation) -> &'static str {
    match operation {
        Operation::Batch(Inputs::Move(_), _) => "MOVE_CLUSTER_OBJECTS",
        Operation::Batch(Inputs::Bottoms(_), _) => "BUILD_BLAS_FROM_CLAS",
        Operation::Batch(Inputs::Clusters(_), _) => "BUILD_CLAS_FROM_TRIANGLES",
        Operation::Batch(Inputs::Templates(_), _) => "BUILD_CLUSTER_TEMPLATES_FROM_TRIANGLES",
        Operation::Batch(Inputs::Instantiate(_), _) => "INSTANTIATE_CLUSTER_TEMPLATES",
        Operation::Batch(Inputs::Partitioned(_), _) | Operation::Partitioned(..) => "PARTITIONED_TLAS",
    }
}

impl Objects {
    /// See [`crate::device::Device::execute_operations`].
    ///
    /// # Errors
    /// Addresses that are of nothing, of something else or not aligned; memory that is too small or overlaps; numbers above what the
    /// inputs say; and what building by number refuses. The operation, the argument and the field are named.
    pub fn execute_operations(&mut self, operations: &[Operation]) -> Result<()> {
        let mut plan = Plan::new(self);
        for (i, operation) in operations.iter().enumerate() {
            plan.operation = i;
            let planned = match operation {
                Operation::Batch(inputs, data) => batch::plan(&mut plan, inputs, data),
                Operation::Partitioned(desc, data) => partitions::plan(&mut plan, desc, data),
            };
            planned.map_err(|e| e.at(format!("operation {i} ({})", name(operation))))?;
        }
        plan.check()?;
        let Plan { numbers, cleared, objects_made, .. } = plan;
        // The host's number for an object stays with its place if another one of its kind comes there.
        let stays = |(at, _, object): &(u64, u64, Object)| {
            let there = self.placed.get(*at).filter(|e| e.object.what() == object.what())?;
            Some((*at, there.handle?))
        };
        let kept: FxHashMap<u64, Accel> = objects_made.iter().filter_map(stays).collect();
        for (address, size) in cleared {
            self.end(address, size, &kept);
        }
        for (address, bytes, value) in numbers {
            self.end(address, u64::from(bytes), &kept);
            if let Ok((memory, at)) = self.bytes_at("", address, bytes.into()) {
                memory.set_bits(at, bytes, value);
            }
        }
        for (address, size, object) in objects_made {
            let entry = self.placed.insert(address, size, object);
            entry.handle = kept.get(&address).copied();
            let entry = entry.clone();
            if let Ok((memory, at)) = self.bytes_at("", address, size) {
                entry.leave_mark(memory, at);
            }
            if let Some(handle) = entry.handle {
                self.accels[handle] = stored(&entry.object).unwrap_or(Stored::Gone(address));
            }
        }
        Ok(())
    }

    /// Ends the objects that have bytes in a range of addresses which the host has written.
    pub fn overwritten(&mut self, address: u64, size: u64) {
        self.end(address, size, &FxHashMap::default());
    }

    /// The same; the host's numbers for places in `kept` wait for what comes there.
    fn end(&mut self, address: u64, size: u64, kept: &FxHashMap<u64, Accel>) {
        if size == 0 {
            return;
        }
        for (at, entry) in self.placed.clear(address..address.saturating_add(size)) {
            if let Some(handle) = entry.handle.filter(|_| !kept.contains_key(&at)) {
                self.accels[handle] = Stored::Gone(at);
            }
        }
    }

    /// See [`crate::device::Device::accel_at`].
    ///
    /// # Errors
    /// Nothing that rays or instances can use is there any more.
    pub fn accel_at(&mut self, address: u64) -> Result<Accel> {
        if let Some(Place::Accel(a)) = place(address) {
            return self.accel(a).map(|_| a);
        }
        let entry = Plan::new(self).object("address", address)?;
        if let Some(handle) = entry.handle {
            return Ok(handle);
        }
        let what = entry.object.what();
        let made = stored(&entry.object).ok_or_else(|| wrong(format!("a {what} is at address {address:#x}, which nobody can trace")))?;
        let handle = self.accels.push(made);
        if let Some(entry) = self.placed.get_mut(address) {
            entry.handle = Some(handle);
        }
        Ok(handle)
    }
}

/// What the host's number for an object stands for.
fn stored(object: &Object) -> Option<Stored> {
    match object {
        Object::Bottom(b, _) => Some(Stored::Bottom(b.clone())),
        Object::Partitioned(p) => Some(Stored::Partitioned(p.clone())),
        Object::Cluster(_) | Object::Template(..) => None,
    }
}
