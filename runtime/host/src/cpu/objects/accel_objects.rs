//! The host's operations on acceleration structures: build, update, compact, clone, serialise and deserialise.
//!
//! An instance holds a reference to its bottom-level structure as it was: an update or compaction creates another one, which a
//! top-level structure uses when it is built or updated again.

use super::{Objects, lookup};
use crate::cpu::accel::{self, Bottom, MicromapArray, Partitioned, Placed, Structure, Swapped, Template, Top, Written, deserialize};
use crate::device::{
    Accel, BottomDesc, Cluster, ClusterDesc, ClusterInstantiation, ClusterTemplate, ClusterTemplateDesc, Instance, MicromapArrayDesc,
    Micromaps, PartitionedChanges, PartitionedDesc, TopDesc,
};
use crate::error::{ErrorKind, Result, RunError};
use rtc_base::PrimaryMap;
use std::sync::Arc;

/// An acceleration structure of the device.
#[derive(Clone)]
pub enum AccelObject {
    /// Bottom level.
    Bottom(Arc<Bottom>),
    /// Top level.
    Top(Box<Top>),
    /// Partitioned top level.
    Partitioned(Arc<Partitioned>),
    /// One that was at this address in memory and was overwritten.
    Overwritten(u64),
}

impl AccelObject {
    fn of(structure: Structure) -> AccelObject {
        match structure {
            Structure::Bottom(b) => AccelObject::Bottom(Arc::new(b)),
            Structure::Top(t) => AccelObject::Top(Box::new(t)),
        }
    }
    /// The structure that rays traverse, if it is of the top level.
    pub fn top(&self) -> Option<&Top> {
        match self {
            AccelObject::Top(t) => Some(t),
            AccelObject::Partitioned(p) => Some(p.top()),
            AccelObject::Bottom(_) | AccelObject::Overwritten(_) => None,
        }
    }
    fn size(&self) -> u64 {
        match self {
            AccelObject::Bottom(b) => b.size(),
            AccelObject::Top(t) => t.size(),
            AccelObject::Partitioned(p) => p.size(),
            AccelObject::Overwritten(_) => 0,
        }
    }
}

fn partitioned(accel: Accel) -> RunError {
    let why = format!("{accel} is a partitioned structure; only partitioned operations can change it");
    RunError::new(ErrorKind::Binding, why)
}

fn gone(accel: Accel, address: u64) -> RunError {
    RunError::new(ErrorKind::Binding, format!("{accel} was at address {address:#x} and was overwritten"))
}

fn clustered(accel: Accel) -> RunError {
    let why = format!("{accel} consists of clusters; only cluster operations can move it");
    RunError::new(ErrorKind::Binding, why)
}

fn other_level(accel: Accel, is: &str) -> RunError {
    RunError::new(ErrorKind::Binding, format!("{accel} is a {is}-level structure"))
}

type Arrays = PrimaryMap<Micromaps, Arc<MicromapArray>>;

fn find(arrays: &Arrays) -> impl Fn(Micromaps) -> Result<Arc<MicromapArray>> + '_ {
    |m| lookup(arrays, m).cloned()
}

/// The methods of [`crate::device::Device`] of the same names.
#[allow(missing_docs)]
impl Objects {
    /// See [`crate::device::Device::build_bottom`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn build_bottom(&mut self, desc: &BottomDesc) -> Result<Accel> {
        let built = Bottom::build(desc, &find(&self.micromaps))?;
        Ok(self.accels.push(AccelObject::Bottom(Arc::new(built))))
    }

    /// See [`crate::device::Device::update_bottom`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn update_bottom(&mut self, accel: Accel, desc: &BottomDesc) -> Result<()> {
        let updated = self.bottom(accel)?.updated(desc, &find(&self.micromaps))?;
        self.accels[accel] = AccelObject::Bottom(Arc::new(updated));
        Ok(())
    }

    /// See [`crate::device::Device::build_top`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn build_top(&mut self, desc: &TopDesc) -> Result<Accel> {
        let built = Top::build(&self.placed(desc)?, desc.flags)?;
        Ok(self.accels.push(AccelObject::Top(Box::new(built))))
    }

    /// See [`crate::device::Device::update_top`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn update_top(&mut self, accel: Accel, desc: &TopDesc) -> Result<()> {
        if let AccelObject::Partitioned(_) = self.accel(accel)? {
            return Err(partitioned(accel));
        }
        let updated = self.top(accel)?.updated(&self.placed(desc)?, desc.flags)?;
        self.accels[accel] = AccelObject::Top(Box::new(updated));
        Ok(())
    }

    /// See [`crate::device::Device::rebuild_top`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn rebuild_top(&mut self, accel: Accel, desc: &TopDesc) -> Result<()> {
        if let AccelObject::Partitioned(_) = self.accel(accel)? {
            return Err(partitioned(accel));
        }
        self.top(accel)?;
        let built = Top::build(&self.placed(desc)?, desc.flags)?;
        self.accels[accel] = AccelObject::Top(Box::new(built));
        Ok(())
    }

    /// See [`crate::device::Device::build_micromaps`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn build_micromaps(&mut self, desc: &MicromapArrayDesc) -> Result<Micromaps> {
        Ok(self.micromaps.push(Arc::new(MicromapArray::build(desc)?)))
    }

    /// See [`crate::device::Device::serialize_micromaps`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn serialize_micromaps(&self, micromaps: Micromaps) -> Result<Vec<u8>> {
        Ok(lookup(&self.micromaps, micromaps)?.serialize())
    }

    /// See [`crate::device::Device::deserialize_micromaps`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn deserialize_micromaps(&mut self, bytes: &[u8]) -> Result<Micromaps> {
        Ok(self.micromaps.push(Arc::new(MicromapArray::deserialize(bytes)?)))
    }

    /// See [`crate::device::Device::decode_micromaps`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn decode_micromaps(&self, micromaps: Micromaps) -> Result<MicromapArrayDesc> {
        Ok(lookup(&self.micromaps, micromaps)?.desc())
    }

    /// See [`crate::device::Device::clone_micromaps`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn clone_micromaps(&mut self, micromaps: Micromaps) -> Result<Micromaps> {
        // Cloning drops reserved capacity.
        let copy = MicromapArray::clone(lookup(&self.micromaps, micromaps)?);
        Ok(self.micromaps.push(Arc::new(copy)))
    }

    /// See [`crate::device::Device::compact`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn compact(&mut self, accel: Accel) -> Result<(u64, u64)> {
        let before = self.accel(accel)?;
        let after = match before {
            AccelObject::Bottom(b) if b.is_clustered() => return Err(clustered(accel)),
            AccelObject::Bottom(b) => AccelObject::Bottom(Arc::new(b.compacted()?)),
            AccelObject::Top(t) => AccelObject::Top(Box::new(t.compacted()?)),
            AccelObject::Partitioned(_) => return Err(partitioned(accel)),
            AccelObject::Overwritten(at) => return Err(gone(accel, *at)),
        };
        let sizes = (before.size(), after.size());
        self.accels[accel] = after;
        Ok(sizes)
    }

    /// See [`crate::device::Device::clone_accel`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn clone_accel(&mut self, accel: Accel) -> Result<Accel> {
        let copy = match self.accel(accel)? {
            AccelObject::Bottom(b) if b.is_clustered() => return Err(clustered(accel)),
            AccelObject::Partitioned(_) => return Err(partitioned(accel)),
            AccelObject::Overwritten(at) => return Err(gone(accel, *at)),
            other => other.clone(),
        };
        Ok(self.accels.push(copy))
    }

    /// See [`crate::device::Device::serialize_accel`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn serialize_accel(&self, accel: Accel) -> Result<Vec<u8>> {
        Ok(match self.accel(accel)? {
            AccelObject::Bottom(b) if b.is_clustered() => return Err(clustered(accel)),
            AccelObject::Bottom(b) => b.serialize(),
            AccelObject::Top(t) => t.serialize(),
            AccelObject::Partitioned(_) => return Err(partitioned(accel)),
            AccelObject::Overwritten(at) => return Err(gone(accel, *at)),
        })
    }

    /// See [`crate::device::Device::deserialize_accel`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn deserialize_accel(&mut self, bytes: &[u8], bottoms: &[Accel]) -> Result<Accel> {
        let bottoms = bottoms.iter().map(|&b| self.bottom(b).cloned()).collect::<Result<Vec<_>>>()?;
        let read = AccelObject::of(deserialize(bytes, &bottoms)?);
        Ok(self.accels.push(read))
    }

    /// See [`crate::device::Device::accel_size`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn accel_size(&self, accel: Accel) -> Result<u64> {
        self.accel(accel).map(AccelObject::size)
    }

    /// A bottom-level structure.
    pub(in crate::cpu) fn bottom(&self, accel: Accel) -> Result<&Arc<Bottom>> {
        match self.accel(accel)? {
            AccelObject::Bottom(b) => Ok(b),
            AccelObject::Overwritten(at) => Err(gone(accel, *at)),
            AccelObject::Top(_) | AccelObject::Partitioned(_) => Err(other_level(accel, "top")),
        }
    }

    /// A top-level structure.
    pub(in crate::cpu) fn top(&self, accel: Accel) -> Result<&Top> {
        let found = self.accel(accel)?;
        let why = || if let AccelObject::Overwritten(at) = found { gone(accel, *at) } else { other_level(accel, "bottom") };
        found.top().ok_or_else(why)
    }

    fn placed(&self, desc: &TopDesc) -> Result<Vec<Placed>> {
        desc.instances.iter().enumerate().map(|(n, i)| self.instance(n, i)).collect()
    }

    fn instance(&self, n: impl std::fmt::Display, i: &Instance) -> Result<Placed> {
        let bottom = i.bottom.map(|b| self.bottom(b).cloned()).transpose();
        Ok(Placed {
            bottom: bottom.map_err(|e| e.at(format!("instance {n}")))?,
            transform: i.transform,
            id: i.id,
            mask: i.mask,
            hit_group_offset: i.hit_group_offset,
            flags: i.flags,
        })
    }

    /// See [`crate::device::Device::build_cluster`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn build_cluster(&mut self, desc: &ClusterDesc) -> Result<Cluster> {
        let built = accel::Cluster::build(desc, &find(&self.micromaps))?;
        Ok(self.clusters.push(Arc::new(built)))
    }

    /// See [`crate::device::Device::build_cluster_template`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn build_cluster_template(&mut self, desc: &ClusterTemplateDesc) -> Result<ClusterTemplate> {
        let built = Template::build(desc, &find(&self.micromaps))?;
        Ok(self.templates.push(Arc::new(built)))
    }

    /// See [`crate::device::Device::instantiate_cluster`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn instantiate_cluster(&mut self, desc: &ClusterInstantiation) -> Result<Cluster> {
        let template = lookup(&self.templates, desc.template)?;
        let made = template.instantiate(desc.id_offset, desc.geometry_offset, &desc.positions)?;
        Ok(self.clusters.push(Arc::new(made)))
    }

    /// See [`crate::device::Device::build_bottom_of_clusters`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn build_bottom_of_clusters(&mut self, clusters: &[Option<Cluster>]) -> Result<Accel> {
        let one = |c: &Option<Cluster>| c.map(|c| lookup(&self.clusters, c).cloned()).transpose();
        let built = Bottom::of_clusters(&clusters.iter().map(one).collect::<Result<Vec<_>>>()?)?;
        Ok(self.accels.push(AccelObject::Bottom(Arc::new(built))))
    }

    /// See [`crate::device::Device::build_partitioned`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn build_partitioned(&mut self, desc: &PartitionedDesc, changes: &PartitionedChanges) -> Result<Accel> {
        let (writes, swaps) = self.changes(changes)?;
        let built = Partitioned::build(desc, &writes, &swaps, &changes.translations)?;
        Ok(self.accels.push(AccelObject::Partitioned(Arc::new(built))))
    }

    /// See [`crate::device::Device::update_partitioned`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn update_partitioned(&mut self, accel: Accel, desc: &PartitionedDesc, changes: &PartitionedChanges) -> Result<()> {
        let AccelObject::Partitioned(old) = self.accel(accel)? else {
            return Err(RunError::new(ErrorKind::Binding, format!("{accel} is not a partitioned structure")));
        };
        let (writes, swaps) = self.changes(changes)?;
        let new = old.changed(desc, &writes, &swaps, &changes.translations)?;
        self.accels[accel] = AccelObject::Partitioned(Arc::new(new));
        Ok(())
    }

    fn changes(&self, changes: &PartitionedChanges) -> Result<(Vec<Written>, Vec<Swapped>)> {
        let writes = changes.writes.iter().map(|w| {
            let placed = self.instance(w.index, &w.instance)?;
            Ok(Written { index: w.index, partition: w.partition, placed, bounds: w.bounds })
        });
        let swaps = changes.updates.iter().map(|u| {
            let bottom = self.bottom(u.bottom).map_err(|e| e.at(format!("instance {}", u.index)))?.clone();
            Ok(Swapped { index: u.index, bottom, hit_group_offset: u.hit_group_offset })
        });
        Ok((writes.collect::<Result<_>>()?, swaps.collect::<Result<_>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{BuildFlags, Geometry, GeometryData, IDENTITY, Instance};

    #[test]
    fn numbers_stand_for_structures_and_updates_put_others_there() {
        let mut o = Objects::default();
        let flags = BuildFlags { allow_update: true, allow_compaction: true, ..BuildFlags::default() };
        let triangle = |z: f32| {
            let positions = vec![[0.0, 0.0, z], [0.0, 1.0, z], [1.0, 0.0, z]];
            let data = GeometryData::Triangles { positions, indices: None, transform: None };
            BottomDesc { geometries: vec![Geometry::new(data, 0)], flags }
        };
        let bottom = o.build_bottom(&triangle(1.0)).unwrap();
        let instance = |bottom| Instance { bottom, transform: IDENTITY, id: 0, mask: 1, hit_group_offset: 0, flags: 0 };
        let desc = |bottom| TopDesc { instances: vec![instance(bottom), instance(None)], flags };
        let top = o.build_top(&desc(Some(bottom))).unwrap();
        let z = |o: &Objects| o.top(top).unwrap().instances()[0].bottom.as_ref().unwrap().bounds().unwrap().0[2];
        o.update_bottom(bottom, &triangle(2.0)).unwrap();
        assert_eq!(z(&o), 1.0);
        o.update_top(top, &desc(Some(bottom))).unwrap();
        assert_eq!(z(&o), 2.0);
        let copy = o.clone_accel(bottom).unwrap();
        assert_eq!(o.serialize_accel(copy).unwrap(), o.serialize_accel(bottom).unwrap());
        let bytes = o.serialize_accel(top).unwrap();
        let read = o.deserialize_accel(&bytes, &[copy]).unwrap();
        assert_eq!(o.top(read).unwrap(), o.top(top).unwrap());
        let (before, after) = o.compact(bottom).unwrap();
        assert!(after <= before && after == o.accel_size(bottom).unwrap());
        // A structure of the wrong level, and an unknown handle.
        assert!(o.update_bottom(top, &triangle(0.0)).is_err() && o.update_top(bottom, &desc(None)).is_err());
        assert!(o.build_top(&desc(Some(top))).unwrap_err().message.starts_with("instance 0"));
        assert!(o.clone_accel(Accel::number(99)).is_err() && o.deserialize_accel(&bytes, &[top]).is_err());
        assert!(o.descriptor(crate::device::Resource::Accel(bottom)).is_err());
    }

    #[test]
    fn clusters_and_partitions_have_numbers_too() {
        let mut o = Objects::default();
        let corners = vec![[0.0; 3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
        let desc = ClusterDesc::new(5, corners.clone(), vec![0, 1, 2]);
        let one = o.build_cluster(&desc).unwrap();
        let template = ClusterTemplateDesc {
            cluster: desc,
            vertices: 3,
            bounds: None,
            compressed: None,
            precision: crate::device::VertexFormat::default(),
        };
        let template = o.build_cluster_template(&template).unwrap();
        let positions = crate::device::ClusterPositions::Float(corners);
        let made = ClusterInstantiation { template, id_offset: 1, geometry_offset: 2, positions };
        let other = o.instantiate_cluster(&made).unwrap();
        let bottom = o.build_bottom_of_clusters(&[Some(one), None, Some(other)]).unwrap();
        assert_eq!(o.bottom(bottom).unwrap().primitives(), 2);
        let instance = Instance { bottom: Some(bottom), transform: IDENTITY, id: 1, mask: 1, hit_group_offset: 0, flags: 0 };
        let size = PartitionedDesc { instances: 2, max_in_partition: 2, partitions: 1, ..PartitionedDesc::default() };
        let write = crate::device::PartitionedWrite { index: 1, partition: 0, instance, bounds: [0.0; 6] };
        let changes = PartitionedChanges { writes: vec![write], ..PartitionedChanges::default() };
        let top = o.build_partitioned(&size, &changes).unwrap();
        assert!(o.top(top).unwrap().instances()[1].bottom.is_some());
        let swap = crate::device::PartitionedUpdate { index: 1, bottom, hit_group_offset: 3 };
        let swap = PartitionedChanges { updates: vec![swap], ..PartitionedChanges::default() };
        o.update_partitioned(top, &size, &swap).unwrap();
        assert_eq!(o.top(top).unwrap().instances()[1].hit_group_offset, 3);
        assert!(o.descriptor(crate::device::Resource::Accel(top)).is_ok());
        // Operations reject structures of another type.
        assert!(o.compact(top).is_err() && o.serialize_accel(top).is_err() && o.update_partitioned(bottom, &size, &swap).is_err());
        assert!(o.update_top(top, &TopDesc::default()).is_err());
        let none = PartitionedChanges { updates: vec![crate::device::PartitionedUpdate { bottom: top, ..swap.updates[0] }], ..swap };
        assert!(o.update_partitioned(top, &size, &none).unwrap_err().message.starts_with("instance 1"));
    }
}
