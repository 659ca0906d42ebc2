//! The parts of a hit in addition to its ray: one row for each, with the instructions that read it.
//!
//! A module records what some shader of it asks for, no more: a payload that carries two matrices costs what reading
//! two matrices costs, on every trace.

use rtc_ir::{Opcode, Type};
use rtc_tables::hit_objects::{self, Answer};

/// A part of a hit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(super) enum Part {
    InstanceIndex,
    InstanceId,
    Primitive,
    Geometry,
    Kind,
    Cluster,
    ObjectOrigin,
    ObjectDirection,
    ToWorld,
    ToObject,
    Positions,
    Attributes,
}

/// One row of [`PARTS`].
pub(super) struct PartInfo {
    pub part: Part,
    pub name: &'static str,
    /// The type of an element.
    pub ty: Type,
    /// How many elements; 1 is no array. 0: as many words as the largest attributes have.
    pub count: u32,
    /// The system value in shaders of a hit.
    pub system: Option<Opcode>,
    /// The getter of hit objects.
    pub getter: Option<Opcode>,
    /// What asks a ray query for it.
    pub query: Option<Opcode>,
    /// Of triangles only.
    pub triangles: bool,
}

const fn row(part: Part, name: &'static str, (ty, count): (Type, u32), [system, getter, query]: [Opcode; 3]) -> PartInfo {
    let triangles = matches!(part, Part::Cluster | Part::Positions);
    PartInfo { part, name, ty, count, system: Some(system), getter: Some(getter), query: Some(query), triangles }
}

/// All parts, by number.
#[rustfmt::skip]
pub(super) const PARTS: &[PartInfo] = {
    use Opcode as O;
    &[
        row(Part::InstanceIndex,   "instance_index",   (Type::I32, 1),   [O::instance_index, O::hit_get_instance_index, O::ray_query_committed_instance_index]),
        row(Part::InstanceId,      "instance_id",      (Type::I32, 1),   [O::instance_id, O::hit_get_instance_id, O::ray_query_committed_instance_id]),
        row(Part::Primitive,       "primitive_index",  (Type::I32, 1),   [O::primitive_index, O::hit_get_primitive_index, O::ray_query_committed_primitive_index]),
        row(Part::Geometry,        "geometry_index",   (Type::I32, 1),   [O::geometry_index, O::hit_get_geometry_index, O::ray_query_committed_geometry_index]),
        // A query has no kind: front and back of triangles, and what the application says of the others.
        PartInfo { query: None, ..row(Part::Kind, "kind", (Type::I32, 1), [O::hit_kind, O::hit_get_kind, O::hit_kind]) },
        row(Part::Cluster,         "cluster_id",       (Type::I32, 1),   [O::cluster_id, O::hit_get_cluster_id, O::ray_query_committed_cluster_id]),
        row(Part::ObjectOrigin,    "object_origin",    (Type::F32X3, 1), [O::object_ray_origin, O::hit_get_object_ray_origin, O::ray_query_committed_object_ray_origin]),
        row(Part::ObjectDirection, "object_direction", (Type::F32X3, 1), [O::object_ray_direction, O::hit_get_object_ray_direction, O::ray_query_committed_object_ray_direction]),
        row(Part::ToWorld,         "to_world",         (Type::F32X4, 3), [O::object_to_world, O::hit_get_object_to_world, O::ray_query_committed_object_to_world]),
        row(Part::ToObject,        "to_object",        (Type::F32X4, 3), [O::world_to_object, O::hit_get_world_to_object, O::ray_query_committed_world_to_object]),
        row(Part::Positions,       "positions",        (Type::F32X3, 3), [O::triangle_object_position, O::hit_triangle_object_position, O::ray_query_committed_triangle_object_position]),
        PartInfo {
            part: Part::Attributes, name: "attributes", ty: Type::I32, count: 0, system: None, getter: Some(O::hit_attributes), query: None,
            triangles: false,
        },
    ]
};

impl Part {
    /// Its row.
    pub fn info(self) -> &'static PartInfo {
        &PARTS[self as usize]
    }
    /// What it is for a miss. Attributes, which have no getter, are zero.
    pub fn of_miss(self) -> Answer {
        self.info().getter.and_then(hit_objects::getter).map_or(Answer::Bits(0), |g| g.miss)
    }
    /// The part that a system value of shaders of a hit is.
    pub fn of_system(op: Opcode) -> Option<Part> {
        PARTS.iter().find(|p| p.system == Some(op)).map(|p| p.part)
    }
    /// The part that a getter of hit objects gives.
    pub fn of_getter(op: Opcode) -> Option<Part> {
        PARTS.iter().find(|p| p.getter == Some(op)).map(|p| p.part)
    }
}

/// A set of parts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Parts(u16);

impl Parts {
    pub fn add(&mut self, part: Part) {
        self.0 |= 1 << part as u8;
    }
    pub fn has(self, part: Part) -> bool {
        self.0 & 1 << part as u8 != 0
    }
    pub fn and(self, other: Parts) -> Parts {
        Parts(self.0 | other.0)
    }
    pub fn iter(self) -> impl Iterator<Item = Part> {
        PARTS.iter().map(|p| p.part).filter(move |p| self.has(*p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_order_and_every_system_value_of_hits_has_one() {
        use rtc_ir::Stage;
        use rtc_tables::raytracing::RAYTRACING;
        for (n, p) in PARTS.iter().enumerate() {
            assert_eq!(p.part as usize, n);
        }
        for r in RAYTRACING {
            let only_hits = r.allowed_in(Stage::ClosestHit) && !r.allowed_in(Stage::Miss);
            assert_eq!(Part::of_system(r.op).is_some(), only_hits, "{}", r.op);
        }
    }
}
