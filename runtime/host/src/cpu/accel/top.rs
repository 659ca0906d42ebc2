//! Top-level acceleration structures: a BVH over the bounds of instances.
//!
//! Instances keep their indices, inactive ones included; only instances that a ray can hit are in the tree. Each holds a
//! reference to its bottom-level structure, so updating that structure creates a new one and leaves the top level unchanged until
//! it is rebuilt or refitted.

use super::bottom::Bottom;
use super::build::{Effort, build};
use super::bvh::{self, Bvh, MAX_PRIMITIVES};
use super::math::{Bounds, Matrix, V3, direction, inverse, point};
use crate::device::{BuildFlags, IDENTITY};
use crate::error::{ErrorKind, Result, RunError};
use std::sync::Arc;

/// An instance to build from: [`crate::device::Instance`] with its structure resolved.
pub type Placed = crate::device::instance_table::ResolvedInstance<Arc<Bottom>>;

/// An instance of a built structure.
#[derive(Clone, PartialEq, Debug)]
pub struct TopInstance {
    /// Its structure; `None` if no ray can hit it.
    pub bottom: Option<Arc<Bottom>>,
    /// Object to world: three rows of four.
    pub to_world: [[f32; 4]; 3],
    /// World to object: three rows of four.
    pub to_object: [[f32; 4]; 3],
    /// `InstanceID()`.
    pub id: u32,
    /// Only rays whose mask shares a bit with this can hit it.
    pub mask: u8,
    /// `INSTANCE_*` flags.
    pub flags: u8,
    /// `InstanceContributionToHitGroupIndex`.
    pub hit_group_offset: u32,
}

impl Default for TopInstance {
    fn default() -> Self {
        TopInstance { bottom: None, to_world: IDENTITY, to_object: IDENTITY, id: 0, mask: 0, flags: 0, hit_group_offset: 0 }
    }
}

impl TopInstance {
    pub(super) fn new(p: &Placed) -> TopInstance {
        let to_object = inverse(&p.transform);
        TopInstance {
            // A singular transform flattens the instance: no ray intersects it in a point.
            bottom: p.bottom.clone().filter(|_| to_object.is_some()),
            to_world: p.transform,
            to_object: to_object.unwrap_or([[0.0; 4]; 3]),
            id: p.id,
            mask: p.mask,
            flags: p.flags as u8,
            hit_group_offset: p.hit_group_offset,
        }
    }
    /// Its bounds in world space.
    pub(super) fn bounds(&self) -> Bounds {
        self.bottom.as_ref().map_or(Bounds::EMPTY, |b| b.bvh.bounds.transformed(&self.to_world))
    }
    /// A ray's origin and direction in object space.
    pub fn object_ray(&self, origin: [f32; 3], towards: [f32; 3]) -> ([f32; 3], [f32; 3]) {
        (point(&self.to_object, origin), direction(&self.to_object, towards))
    }
}

/// A built top-level structure.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Top {
    pub(crate) bvh: Bvh,
    /// The instance of each leaf.
    pub(crate) order: Vec<u32>,
    pub(crate) instances: Vec<TopInstance>,
    pub(crate) flags: BuildFlags,
}

pub(super) fn error(why: impl std::fmt::Display) -> RunError {
    RunError::new(ErrorKind::Binding, format!("a top-level structure: {why}"))
}

fn checked(instances: &[Placed]) -> Result<Vec<TopInstance>> {
    if instances.len() > MAX_PRIMITIVES {
        return Err(error(format!("{} instances are too many", instances.len())));
    }
    let one = |(i, p): (usize, &Placed)| {
        let bad = |why: String| Err(error(format!("instance {i}: {why}")));
        if p.id >> 24 != 0 {
            return bad(format!("its id {} has more than 24 bits", p.id));
        }
        if p.hit_group_offset >> 24 != 0 {
            return bad(format!("its hit group offset {} has more than 24 bits", p.hit_group_offset));
        }
        if p.flags >> 6 != 0 {
            return bad(format!("flags {:#x} have undefined bits", p.flags));
        }
        Ok(TopInstance::new(p))
    };
    instances.iter().enumerate().map(one).collect()
}

impl Top {
    /// A structure that no ray hits: the meaning of a null acceleration structure.
    pub fn empty() -> Top {
        Top::default()
    }

    /// Builds a structure.
    ///
    /// # Errors
    /// Values that exceed their bit widths.
    pub fn build(instances: &[Placed], flags: BuildFlags) -> Result<Top> {
        let instances = checked(instances)?;
        let effort = if flags.prefer_fast_build { Effort::Fast } else { Effort::Good };
        let (bvh, order) = tree(&instances, 0..instances.len() as u32, effort);
        Ok(Top { bvh, order, instances, flags })
    }

    /// The same with other instances, as many as before.
    ///
    /// # Errors
    /// It was not built with `allow_update`, another number of instances, values that exceed their bit widths.
    pub fn updated(&self, instances: &[Placed], flags: BuildFlags) -> Result<Top> {
        if !self.flags.allow_update {
            return Err(error("an update of one that was not built with `allow_update`"));
        }
        if flags != self.flags {
            return Err(error(format!("an update with flags {flags:?}, it was built with {:?}", self.flags)));
        }
        if instances.len() != self.instances.len() {
            return Err(error(format!("an update with {} instances, it was built with {}", instances.len(), self.instances.len())));
        }
        let new = checked(instances)?;
        let active = |i: &TopInstance| !i.bounds().is_empty();
        if new.iter().zip(&self.instances).any(|(a, b)| active(a) != active(b)) {
            return Top::build(instances, flags);
        }
        let mut out = Top { instances: new, ..self.clone() };
        let (order, list) = (&out.order, &out.instances);
        out.bvh.refit(|i| list[order[i] as usize].bounds());
        Ok(out)
    }

    /// A copy without reserved capacity.
    ///
    /// # Errors
    /// It was not built with `allow_compaction`.
    pub fn compacted(&self) -> Result<Top> {
        if !self.flags.allow_compaction {
            return Err(error("it was not built with `allow_compaction`"));
        }
        let mut out = self.clone();
        out.bvh.nodes.shrink_to_fit();
        out.order.shrink_to_fit();
        out.instances.shrink_to_fit();
        Ok(out)
    }

    /// Its instances; their order is `InstanceIndex()`.
    pub fn instances(&self) -> &[TopInstance] {
        &self.instances
    }
    /// The build flags.
    pub fn flags(&self) -> BuildFlags {
        self.flags
    }
    /// Size in bytes, without the bottom-level structures.
    pub fn size(&self) -> u64 {
        (size_of::<Top>()
            + self.bvh.nodes.capacity() * size_of::<bvh::Node>()
            + self.order.capacity() * size_of::<u32>()
            + self.instances.capacity() * size_of::<TopInstance>()) as u64
    }
    /// The vertices of a triangle that was hit, in object space; `None` if the hit is no triangle of this structure.
    pub fn positions(&self, hit: &super::hit::Hit) -> Option<[[f32; 3]; 3]> {
        self.corners(hit.instance, hit.leaf)
    }
    /// The vertices of the triangle at a leaf index ([`super::Hit::leaf`]) in the structure of an instance, in object space.
    pub fn corners(&self, instance: u32, leaf: u32) -> Option<[[f32; 3]; 3]> {
        let bottom = self.instances.get(instance as usize)?.bottom.as_ref()?;
        Some(bottom.triangles.get(leaf as usize)?.corners)
    }
}

/// A tree over the instances that a ray can hit.
pub(super) fn tree(instances: &[TopInstance], which: impl Iterator<Item = u32>, effort: Effort) -> (Bvh, Vec<u32>) {
    let (numbers, boxes): (Vec<u32>, Vec<Bounds>) =
        which.map(|i| (i, instances[i as usize].bounds())).filter(|(_, b)| !b.is_empty()).unzip();
    let (bvh, order) = build(&boxes, 1, effort);
    (bvh, order.iter().map(|&i| numbers[i as usize]).collect())
}

/// Transforms a ray into object space, for [`super::traversal`].
#[inline(always)]
pub(super) fn into_object(m: &Matrix, origin: V3, towards: V3) -> (V3, V3) {
    (point(m, origin), direction(m, towards))
}
