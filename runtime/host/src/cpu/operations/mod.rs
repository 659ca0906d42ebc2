//! Indirect operations on acceleration structures in memory (raytracing2, `ExecuteIndirectRTASOperations`).
//!
//! A call is planned, checked and then executed: [`Plan`] reads arguments and creates objects without writing memory, then
//! accesses are checked for overlaps, and only then memory is written. So the operations of a call see the memory before all of
//! them, and a rejected call changes nothing.
//!
//! | file | what |
//! |---|---|
//! | `addresses` | encoding and decoding of device addresses |
//! | `resident` | objects in buffers |
//! | `plan` | memory accesses of a call, and the check for overlaps |
//! | `sizes` | memory requirements of operations |
//! | `batch` | counts, result modes and result addresses of batched operations |
//! | `outcome` | the result of one argument |
//! | `clusters` | cluster and template operations |
//! | `cluster_bottoms` | structures of clusters, moves |
//! | `partitions` | partitioned structures |

mod addresses;
mod batch;
mod cluster_bottoms;
mod clusters;
mod outcome;
mod partitions;
mod plan;
pub mod resident;
mod sizes;

#[cfg(test)]
mod tests;

pub use addresses::{DeviceAddress, decode};
pub use resident::{Object, Placed};
pub use sizes::prebuild;

use super::objects::{AccelObject, Objects};
use crate::device::{Accel, Inputs, Operation};
use crate::error::Result;
use addresses::error;
use plan::Plan;
use rustc_hash::FxHashMap;

/// The specification's name of an operation.
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
    /// Null, misaligned or mistyped addresses; memory that is too small or overlaps; values above the limits of the inputs; and
    /// the errors of building by handle. The operation, the argument and the field are named.
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
        // The host's handle of an object stays at its address if another object of the same type is placed there.
        let stays = |(at, _, object): &(u64, u64, Object)| {
            let there = self.placed.get(*at).filter(|e| e.object.what() == object.what())?;
            Some((*at, there.handle?))
        };
        let kept: FxHashMap<u64, Accel> = objects_made.iter().filter_map(stays).collect();
        for (address, size) in cleared {
            self.remove(address, size, &kept);
        }
        for (address, bytes, value) in numbers {
            self.remove(address, u64::from(bytes), &kept);
            if let Ok((memory, at)) = self.bytes_at("", address, bytes.into()) {
                memory.set_bits(at, bytes, value);
            }
        }
        for (address, size, object) in objects_made {
            let entry = self.placed.insert(address, size, object);
            entry.handle = kept.get(&address).copied();
            let entry = entry.clone();
            if let Ok((memory, at)) = self.bytes_at("", address, size) {
                entry.write_signature(memory, at);
            }
            if let Some(handle) = entry.handle {
                self.accels[handle] = accel_object(&entry.object).unwrap_or(AccelObject::Overwritten(address));
            }
        }
        Ok(())
    }

    /// Ends the objects that overlap an address range that the host has written.
    pub fn overwritten(&mut self, address: u64, size: u64) {
        self.remove(address, size, &FxHashMap::default());
    }

    /// The same; the host's handles at addresses in `kept` are reassigned to the next object there.
    fn remove(&mut self, address: u64, size: u64, kept: &FxHashMap<u64, Accel>) {
        if size == 0 {
            return;
        }
        for (at, entry) in self.placed.clear(address..address.saturating_add(size)) {
            if let Some(handle) = entry.handle.filter(|_| !kept.contains_key(&at)) {
                self.accels[handle] = AccelObject::Overwritten(at);
            }
        }
    }

    /// See [`crate::device::Device::accel_at`].
    ///
    /// # Errors
    /// No traceable object is at the address any more.
    pub fn accel_at(&mut self, address: u64) -> Result<Accel> {
        if let Some(DeviceAddress::Accel(a)) = decode(address) {
            return self.accel(a).map(|_| a);
        }
        let entry = Plan::new(self).object("address", address)?;
        if let Some(handle) = entry.handle {
            return Ok(handle);
        }
        let what = entry.object.what();
        let made =
            accel_object(&entry.object).ok_or_else(|| error(format!("the {what} at address {address:#x} is not a traceable structure")))?;
        let handle = self.accels.push(made);
        if let Some(entry) = self.placed.get_mut(address) {
            entry.handle = Some(handle);
        }
        Ok(handle)
    }
}

/// The structure for the host's handle of an object.
fn accel_object(object: &Object) -> Option<AccelObject> {
    match object {
        Object::Bottom(b, _) => Some(AccelObject::Bottom(b.clone())),
        Object::Partitioned(p) => Some(AccelObject::Partitioned(p.clone())),
        Object::Cluster(_) | Object::Template(..) => None,
    }
}
