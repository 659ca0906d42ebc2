//! Tests of acceleration structures: shared helpers.

mod benchmark;
mod brute_force;
mod clusters;
mod edges;
mod equal_boxes;
mod flags;
mod micromaps;
mod partitions;
mod serialize;
mod updates;

use super::*;
use crate::device::*;
use std::sync::Arc;

/// A deterministic pseudo-random generator.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.bits()) * u64::from(n)) >> 32) as u32
    }
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 8) as f32 / (1 << 24) as f32
    }
    pub fn within(&mut self, lo: f32, hi: f32) -> f32 {
        lo + self.unit() * (hi - lo)
    }
    pub fn point(&mut self, size: f32) -> [f32; 3] {
        std::array::from_fn(|_| self.within(-size, size))
    }
}

pub fn no_micromaps(_: Micromaps) -> crate::error::Result<Arc<MicromapArray>> {
    Err(crate::device::lacks("micromaps"))
}

pub fn bottom(geometries: Vec<Geometry>) -> Arc<Bottom> {
    let desc = BottomDesc { geometries, flags: BuildFlags::default() };
    Arc::new(Bottom::build(&desc, &no_micromaps).unwrap())
}

pub fn triangles(positions: Vec<[f32; 3]>, flags: u32) -> Geometry {
    Geometry::new(GeometryData::Triangles { positions, indices: None, transform: None }, flags)
}

pub fn placed(bottom: &Arc<Bottom>) -> Placed {
    Placed { bottom: Some(bottom.clone()), transform: IDENTITY, id: 0, mask: 0xff, hit_group_offset: 0, flags: 0 }
}

pub fn top(instances: &[Placed]) -> Top {
    Top::build(instances, BuildFlags::default()).unwrap()
}

pub fn ray(origin: [f32; 3], direction: [f32; 3]) -> Ray {
    Ray { origin, t_min: 0.0, direction, t_max: f32::INFINITY }
}

/// Traverses to the end, committing every triangle.
pub fn closest(top: &Top, ray: Ray, flags: u32) -> Option<Hit> {
    let mut walk = Traversal::new(ray, flags, 0xff, 0);
    while walk.next(top).is_some() {
        walk.commit();
    }
    walk.committed().copied()
}
