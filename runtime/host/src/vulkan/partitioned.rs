//! Emulation of partitioned top-level structures: an ordinary structure that is rebuilt from a copy of the instance table.
//!
//! Rays see the same. What is lost is what partitions are for: each change costs a whole build. An ordinary structure has 24 bits for
//! an id where a partitioned one has 32; an id that needs more is refused.
//!
//! The new structure takes the memory of the old one where it fits. Where it does not, descriptors are written again, and the old one
//! stays until the device goes: a shader record may still hold its address.

use super::accel::GpuAccel;
use super::{VulkanDevice, binding_error, known};
use crate::device::instance_table::{InstanceTable, ResolvedWrite, Swapped};
use crate::device::{Accel, BuildFlags, Device, IDENTITY, Instance, PartitionedChanges, PartitionedDesc, Resource};
use crate::error::Result;

/// A mirror of a partitioned structure.
pub(super) type Mirror = InstanceTable<Accel>;

impl VulkanDevice {
    /// The table with changes made.
    fn mirrored(&self, old: &Mirror, desc: &PartitionedDesc, changes: &PartitionedChanges) -> Result<Mirror> {
        let writes = changes.writes.iter().map(|w| ResolvedWrite {
            index: w.index,
            partition: w.partition,
            placed: w.instance.into(),
            bounds: w.bounds,
        });
        let swaps = changes.updates.iter().map(|u| Swapped { index: u.index, bottom: u.bottom, hit_group_offset: u.hit_group_offset });
        let (writes, swaps): (Vec<_>, Vec<_>) = (writes.collect(), swaps.collect());
        // Structures that are named now are looked up now, whatever becomes of their instances.
        for &bottom in writes.iter().filter_map(|w| w.placed.bottom.as_ref()).chain(swaps.iter().map(|s| &s.bottom)) {
            self.bottom_address(Some(bottom))?;
        }
        old.changed(desc, &writes, &swaps, &changes.translations, |_, _| true)
    }

    /// The instances of an ordinary structure that looks like a table, with the addresses of their structures.
    fn instances_of(&self, table: &Mirror) -> Result<Vec<(Instance, u64)>> {
        let left_out = Instance { bottom: None, transform: IDENTITY, id: 0, mask: 0, hit_group_offset: 0, flags: 0 };
        let one = |i: usize| {
            let instance = table.placed(i).map_or(left_out, Instance::from);
            Ok((instance, self.bottom_address(instance.bottom)?))
        };
        (0..table.desc().instances as usize).map(one).collect()
    }

    /// See [`crate::device::Device::build_partitioned`].
    pub(super) fn build_mirror(&mut self, desc: &PartitionedDesc, changes: &PartitionedChanges) -> Result<Accel> {
        let table = self.mirrored(&Mirror::default(), desc, changes)?;
        let instances = self.instances_of(&table)?;
        let made = GpuAccel::top(&mut self.context, &instances, flags(&table)).map_err(instead)?;
        let accel = self.accels.push(made);
        self.mirrors.insert(accel, table);
        Ok(accel)
    }

    /// See [`crate::device::Device::update_partitioned`].
    pub(super) fn update_mirror(&mut self, accel: Accel, desc: &PartitionedDesc, changes: &PartitionedChanges) -> Result<()> {
        known(&self.accels, accel)?;
        let Some(old) = self.mirrors.get(&accel) else {
            return Err(binding_error(format!("{accel} is no partitioned structure")));
        };
        let table = self.mirrored(old, desc, changes)?;
        let instances = self.instances_of(&table)?;
        let larger = self.accels[accel].rebuild_top(&mut self.context, &instances, flags(&table)).map_err(instead)?;
        self.mirrors.insert(accel, table);
        self.replace(accel, larger)
    }

    /// Puts another structure in the place of one, and binds it where that one was bound; none: nothing changes.
    pub(super) fn replace(&mut self, accel: Accel, other: Option<GpuAccel>) -> Result<()> {
        if let Some(other) = other {
            let old = std::mem::replace(&mut self.accels[accel], other);
            self.retired.push(old);
            let bound: Vec<_> = self.bound_accels.iter().filter(|b| b.3 == accel).cloned().collect();
            for (program, slot, element, _) in bound {
                self.set(program, &slot, element, Resource::Accel(accel))?;
            }
        }
        Ok(())
    }

    /// # Errors
    /// A structure is partitioned, and has operations of its own.
    pub(super) fn not_partitioned(&self, accel: Accel) -> Result<()> {
        match self.mirrors.contains_key(&accel) {
            true => {
                let why = "a partitioned structure, which can only be changed by its own operations";
                Err(binding_error(format!("{accel} is {why}")))
            }
            false => Ok(()),
        }
    }
}

fn flags(table: &Mirror) -> BuildFlags {
    BuildFlags { prefer_fast_build: table.desc().fast_build, ..BuildFlags::default() }
}

fn instead(e: crate::error::RunError) -> crate::error::RunError {
    e.note("an ordinary structure is built in place of the partitioned one, which this runtime does not build on Vulkan")
}
