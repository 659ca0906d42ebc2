//! What the getters of hit objects return for a NOP and for a miss (DXR, HitObject): one row for each getter. For a hit they return what
//! the hit has. The local root constants of an object without a shader record, and the attributes of one that is no hit, are zero.

use crate::insts::Opcode;

/// What `GetClusterID` returns where there is no cluster.
pub const CLUSTER_ID_INVALID: u32 = u32::MAX;

/// What a getter returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// These bits, in every component.
    Bits(u32),
    /// What the object was made with. A miss has a ray and an index into the miss table.
    Own,
    /// What another getter returns.
    SameAs(Opcode),
    /// A row of the identity transform: the one that the getter's immediate operand names.
    IdentityRow,
}

/// One row of [`GETTERS`].
#[derive(Clone, Copy, Debug)]
pub struct Getter {
    /// The getter.
    pub op: Opcode,
    /// What it returns for a NOP.
    pub nop: Answer,
    /// What it returns for a miss.
    pub miss: Answer,
}

const fn row(op: Opcode, nop: Answer, miss: Answer) -> Getter {
    Getter { op, nop, miss }
}

const ZERO: Answer = Answer::Bits(0);

/// All getters.
#[rustfmt::skip]
pub const GETTERS: &[Getter] = {
    use Answer::{Bits, IdentityRow, Own, SameAs};
    use Opcode as O;
    &[
        //  getter                            NOP                       miss
        row(O::hit_is_miss,                   ZERO,                     Bits(1)),
        row(O::hit_is_hit,                    ZERO,                     ZERO),
        row(O::hit_is_nop,                    Bits(1),                  ZERO),
        row(O::hit_get_ray_flags,             ZERO,                     Own),
        row(O::hit_get_ray_tmin,              ZERO,                     Own),
        row(O::hit_get_ray_tcurrent,          ZERO,                     Own),
        row(O::hit_get_world_ray_origin,      ZERO,                     Own),
        row(O::hit_get_world_ray_direction,   ZERO,                     Own),
        row(O::hit_get_object_ray_origin,     ZERO,                     SameAs(O::hit_get_world_ray_origin)),
        row(O::hit_get_object_ray_direction,  ZERO,                     SameAs(O::hit_get_world_ray_direction)),
        row(O::hit_get_object_to_world,       IdentityRow,              IdentityRow),
        row(O::hit_get_world_to_object,       IdentityRow,              IdentityRow),
        row(O::hit_get_geometry_index,        ZERO,                     ZERO),
        row(O::hit_get_instance_index,        ZERO,                     ZERO),
        row(O::hit_get_instance_id,           ZERO,                     ZERO),
        row(O::hit_get_primitive_index,       ZERO,                     ZERO),
        row(O::hit_get_kind,                  ZERO,                     ZERO),
        row(O::hit_get_shader_table_index,    ZERO,                     Own),
        row(O::hit_get_cluster_id,            Bits(CLUSTER_ID_INVALID), Bits(CLUSTER_ID_INVALID)),
        row(O::hit_triangle_object_position,  ZERO,                     ZERO),
    ]
};

/// The row of a getter; `None` for any other instruction.
pub const fn getter(op: Opcode) -> Option<Getter> {
    let mut n = 0;
    while n < GETTERS.len() {
        if GETTERS[n].op as u32 == op as u32 {
            return Some(GETTERS[n]);
        }
        n += 1;
    }
    None
}

/// The bits that a getter returns for a NOP, where they do not depend on which component is read.
///
/// # Panics
/// If `op` is no such getter; in constants, an error of compilation.
pub const fn nop_bits(op: Opcode) -> u32 {
    match getter(op) {
        Some(Getter { nop: Answer::Bits(bits), .. }) => bits,
        _ => panic!("a getter of hit objects with the same bits in every component"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raytracing::RAYTRACING;

    #[test]
    fn every_getter_has_one_row() {
        for (n, g) in GETTERS.iter().enumerate() {
            assert!(GETTERS[..n].iter().all(|h| h.op != g.op), "{}", g.op);
        }
        let is_getter = |name: &str| ["hit_is_", "hit_get_", "hit_triangle_"].iter().any(|p| name.starts_with(p));
        for r in RAYTRACING {
            assert_eq!(getter(r.op).is_some(), is_getter(&r.op.to_string()), "{}", r.op);
        }
    }

    #[test]
    fn rows_refer_to_getters_that_a_miss_answers_itself() {
        for g in GETTERS {
            assert_ne!(g.nop, Answer::Own, "{}", g.op);
            if let Answer::SameAs(op) = g.miss {
                assert_eq!(getter(op).map(|h| h.miss), Some(Answer::Own), "{}", g.op);
            }
        }
    }
}
