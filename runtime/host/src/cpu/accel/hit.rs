//! Rays, and the hits of their traversal.

use super::bottom::CLUSTER_ID_INVALID;

/// A ray in world space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ray {
    /// The origin.
    pub origin: [f32; 3],
    /// Triangles must be further than this, in lengths of the direction; procedural primitives may be at this distance.
    pub t_min: f32,
    /// The direction; need not be normalised.
    pub direction: [f32; 3],
    /// Triangles must be nearer than this; procedural primitives may be at this distance. May be infinite.
    pub t_max: f32,
}

/// The type of a hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A triangle.
    Triangle,
    /// A procedural primitive's box, or a hit that its intersection shader reported.
    Procedural,
}

/// A candidate or a committed hit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hit {
    /// Its type.
    pub kind: Kind,
    /// `InstanceIndex()`; the index into [`super::Top::instances`], which have the matrices.
    pub instance: u32,
    /// `InstanceID()`.
    pub instance_id: u32,
    /// `InstanceContributionToHitGroupIndex`.
    pub hit_group_offset: u32,
    /// `GeometryIndex()`.
    pub geometry: u32,
    /// `PrimitiveIndex()`.
    pub primitive: u32,
    /// `ClusterID()`; [`CLUSTER_ID_INVALID`] outside of clusters.
    pub cluster: u32,
    /// Distance; of a procedural candidate: that of the closest hit so far.
    pub t: f32,
    /// Triangles: weights of the second and third vertex.
    pub barycentrics: [f32; 2],
    /// Triangles: whether the front face was hit.
    pub front_face: bool,
    /// Whether it is opaque. Candidate triangles never are.
    pub opaque: bool,
    /// Its leaf index in its structure, for [`super::Top::positions`].
    pub(super) leaf: u32,
    /// The traversal order of the primitive in the whole structure, the tie-breaker.
    pub(super) number: u32,
}

/// No hit.
pub(super) const NOTHING: Hit = Hit {
    kind: Kind::Triangle,
    instance: 0,
    instance_id: 0,
    hit_group_offset: 0,
    geometry: 0,
    primitive: 0,
    cluster: CLUSTER_ID_INVALID,
    t: 0.0,
    barycentrics: [0.0; 2],
    front_face: false,
    opaque: false,
    leaf: u32::MAX,
    number: 0,
};

impl Hit {
    /// `HitKind()` of a triangle: 254 front face, 255 back face.
    #[inline]
    pub fn triangle_hit_kind(&self) -> u32 {
        if self.front_face { 0xfe } else { 0xff }
    }
    /// Its leaf index in its structure, for [`super::Top::corners`].
    pub fn leaf(&self) -> u32 {
        self.leaf
    }
    /// The order among triangles at the same distance.
    #[inline]
    pub(super) fn rank(&self) -> (u32, u32, u32) {
        (self.instance, self.geometry, self.number)
    }
}
