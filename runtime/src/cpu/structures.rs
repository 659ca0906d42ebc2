//! What the host does with acceleration structures: build, update, compact, copy, write and read.
//!
//! Instances hold on to their bottom-level structures as they were: one that is updated or compacted afterwards is another one,
//! which a top-level structure sees when it is built or updated again.

use super::accel::{Bottom, MicromapArray, Placed, Structure, Top, deserialize};
use super::objects::{Objects, known};
use crate::device::{Accel, BottomDesc, MicromapArrayDesc, Micromaps, TopDesc};
use crate::error::{ErrorKind, Result, RunError};
use rtc_base::PrimaryMap;
use std::sync::Arc;

/// An acceleration structure of the device.
#[derive(Clone)]
pub enum Stored {
    /// Bottom level.
    Bottom(Arc<Bottom>),
    /// Top level.
    Top(Box<Top>),
}

impl Stored {
    fn of(structure: Structure) -> Stored {
        match structure {
            Structure::Bottom(b) => Stored::Bottom(Arc::new(b)),
            Structure::Top(t) => Stored::Top(Box::new(t)),
        }
    }
    fn size(&self) -> u64 {
        match self {
            Stored::Bottom(b) => b.size(),
            Stored::Top(t) => t.size(),
        }
    }
}

fn other_level(accel: Accel, is: &str) -> RunError {
    RunError::new(ErrorKind::Binding, format!("{accel} is a {is}-level structure"))
}

type Arrays = PrimaryMap<Micromaps, Arc<MicromapArray>>;

fn find(arrays: &Arrays) -> impl Fn(Micromaps) -> Result<Arc<MicromapArray>> + '_ {
    |m| known(arrays, m).cloned()
}

/// The methods of [`crate::device::Device`] of the same names.
#[allow(missing_docs)]
impl Objects {
    pub fn build_bottom(&mut self, desc: &BottomDesc) -> Result<Accel> {
        let built = Bottom::build(desc, &find(&self.micromaps))?;
        Ok(self.accels.push(Stored::Bottom(Arc::new(built))))
    }

    pub fn update_bottom(&mut self, accel: Accel, desc: &BottomDesc) -> Result<()> {
        let updated = self.bottom(accel)?.updated(desc, &find(&self.micromaps))?;
        self.accels[accel] = Stored::Bottom(Arc::new(updated));
        Ok(())
    }

    pub fn build_top(&mut self, desc: &TopDesc) -> Result<Accel> {
        let built = Top::build(&self.placed(desc)?, desc.flags)?;
        Ok(self.accels.push(Stored::Top(Box::new(built))))
    }

    pub fn update_top(&mut self, accel: Accel, desc: &TopDesc) -> Result<()> {
        let updated = self.top(accel)?.updated(&self.placed(desc)?, desc.flags)?;
        self.accels[accel] = Stored::Top(Box::new(updated));
        Ok(())
    }

    pub fn build_micromaps(&mut self, desc: &MicromapArrayDesc) -> Result<Micromaps> {
        Ok(self.micromaps.push(Arc::new(MicromapArray::build(desc)?)))
    }

    pub fn compact(&mut self, accel: Accel) -> Result<(u64, u64)> {
        let before = self.accel(accel)?;
        let after = match before {
            Stored::Bottom(b) => Stored::Bottom(Arc::new(b.compacted()?)),
            Stored::Top(t) => Stored::Top(Box::new(t.compacted()?)),
        };
        let sizes = (before.size(), after.size());
        self.accels[accel] = after;
        Ok(sizes)
    }

    pub fn clone_accel(&mut self, accel: Accel) -> Result<Accel> {
        let copy = self.accel(accel)?.clone();
        Ok(self.accels.push(copy))
    }

    pub fn serialize_accel(&self, accel: Accel) -> Result<Vec<u8>> {
        Ok(match self.accel(accel)? {
            Stored::Bottom(b) => b.serialize(),
            Stored::Top(t) => t.serialize(),
        })
    }

    pub fn deserialize_accel(&mut self, bytes: &[u8], bottoms: &[Accel]) -> Result<Accel> {
        let bottoms = bottoms.iter().map(|&b| self.bottom(b).cloned()).collect::<Result<Vec<_>>>()?;
        let read = Stored::of(deserialize(bytes, &bottoms)?);
        Ok(self.accels.push(read))
    }

    pub fn accel_size(&self, accel: Accel) -> Result<u64> {
        self.accel(accel).map(Stored::size)
    }

    /// A bottom-level structure.
    fn bottom(&self, accel: Accel) -> Result<&Arc<Bottom>> {
        match self.accel(accel)? {
            Stored::Bottom(b) => Ok(b),
            Stored::Top(_) => Err(other_level(accel, "top")),
        }
    }

    /// A top-level structure.
    pub(super) fn top(&self, accel: Accel) -> Result<&Top> {
        match self.accel(accel)? {
            Stored::Top(t) => Ok(t),
            Stored::Bottom(_) => Err(other_level(accel, "bottom")),
        }
    }

    fn placed(&self, desc: &TopDesc) -> Result<Vec<Placed>> {
        let one = |(n, i): (usize, &crate::device::Instance)| {
            let bottom = i.bottom.map(|b| self.bottom(b).cloned()).transpose();
            Ok(Placed {
                bottom: bottom.map_err(|e| e.at(&format!("instance {n}")))?,
                transform: i.transform,
                id: i.id,
                mask: i.mask,
                hit_group_offset: i.hit_group_offset,
                flags: i.flags,
            })
        };
        desc.instances.iter().enumerate().map(one).collect()
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
        // The wrong level, and what is not there.
        assert!(o.update_bottom(top, &triangle(0.0)).is_err() && o.update_top(bottom, &desc(None)).is_err());
        assert!(o.build_top(&desc(Some(top))).unwrap_err().message.starts_with("instance 0"));
        assert!(o.clone_accel(Accel::number(99)).is_err() && o.deserialize_accel(&bytes, &[top]).is_err());
        assert!(o.descriptor(crate::device::Resource::Accel(bottom)).is_err());
    }
}
