//! The stage table: one row for each IR instruction that only some shaders may use: those of ray tracing, and
//! the system values of compute shaders. Sema
//! checks stages against it (through the call graph), the verifier checks them again, and the DXIL back
//! end finds its operation here. What the operation looks like is a row of [`crate::dxil_ops`].

use crate::dxil_ops::DxilOp;
use crate::insts::Opcode;
use crate::stages::{Stage, StageMask};
use QueryOp::{Candidate, Committed, Plain};

/// One row of [`RAYTRACING`].
pub struct RtInfo {
    /// The instruction.
    pub op: Opcode,
    /// Where it may occur. [`StageMask::LIB`]: in an exported library function too.
    pub stages: StageMask,
    /// The opcode of the DXIL operation.
    pub dxil: u32,
    /// Of ray queries: the SPIR-V instruction.
    pub query: Option<QueryOp>,
    /// Of hit objects: the SPIR-V instructions.
    pub ser: Option<SerOps>,
}

/// The SPIR-V instructions that work on a hit object, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SerOps {
    /// Of `SPV_NV_shader_invocation_reorder`, if it has one.
    pub nv: Option<u16>,
    /// Of `SPV_EXT_shader_invocation_reorder`, if it has one.
    pub ext: Option<u16>,
}

/// The SPIR-V instruction that works on a ray query, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryOp {
    /// Takes the query and what else the instruction has.
    Plain(u16),
    /// Asks for the candidate intersection.
    Candidate(u16),
    /// Asks for the committed intersection.
    Committed(u16),
}

const fn rt(op: Opcode, stages: StageMask, dxil: u32) -> RtInfo {
    RtInfo { op, stages, dxil, query: None, ser: None }
}

const fn rq(op: Opcode, dxil: u32, query: QueryOp) -> RtInfo {
    RtInfo { op, stages: StageMask::ALL, dxil, query: Some(query), ser: None }
}

const fn hit(op: Opcode, stages: StageMask, dxil: u32, nv: u16, ext: u16) -> RtInfo {
    const fn some(op: u16) -> Option<u16> {
        if op == 0 { None } else { Some(op) }
    }
    RtInfo { op, stages, dxil, query: None, ser: Some(SerOps { nv: some(nv), ext: some(ext) }) }
}

/// Set in the opcodes of operations whose number is not final.
const EXPERIMENTAL: u32 = 1 << 31;

const AH: StageMask = StageMask::AH;
const RT: StageMask = StageMask::RT.with_library();
const RAY: StageMask = StageMask::RAY.with_library();
const PRIM: StageMask = StageMask::PRIM.with_library();
const IS: StageMask = StageMask::IS.with_library();
const HIT: StageMask = StageMask::HITS.with_library();
const TRACES: StageMask = StageMask::TRACES.with_library();
const CALLS: StageMask = StageMask::CALLS.with_library();
const RG: StageMask = StageMask::RG.with_library();
const CS: StageMask = StageMask::GROUPS;
const QUAD: StageMask = StageMask::QUADS.with_library();

/// Every instruction with a stage rule, in the order of the instruction table.
#[rustfmt::skip]
pub const RAYTRACING: &[RtInfo] = &[
//     instruction                    stages  DXIL
    rt(Opcode::thread_id,             CS,     93),
    rt(Opcode::group_id,              CS,     94),
    rt(Opcode::thread_id_in_group,    CS,     95),
    rt(Opcode::flattened_thread_id_in_group, CS, 96),
    rt(Opcode::quad_read_lane_at,     QUAD,   122),
    rt(Opcode::quad_op,               QUAD,   123),
    rt(Opcode::quad_any,              QUAD,   222),
    rt(Opcode::quad_all,              QUAD,   222),
    rt(Opcode::deriv_coarse_x,        QUAD,   83),
    rt(Opcode::deriv_coarse_y,        QUAD,   84),
    rt(Opcode::deriv_fine_x,          QUAD,   85),
    rt(Opcode::deriv_fine_y,          QUAD,   86),
    rt(Opcode::get_group_wave_index,  CS,     EXPERIMENTAL | 1),
    rt(Opcode::get_group_wave_count,  CS,     EXPERIMENTAL | 2),
    rt(Opcode::dispatch_rays_index,   RT,     145),
    rt(Opcode::dispatch_rays_dim,     RT,     146),
    rt(Opcode::world_ray_origin,      RAY,    147),
    rt(Opcode::world_ray_direction,   RAY,    148),
    rt(Opcode::object_ray_origin,     PRIM,   149),
    rt(Opcode::object_ray_direction,  PRIM,   150),
    rt(Opcode::ray_tmin,              RAY,    153),
    rt(Opcode::ray_tcurrent,          RAY,    154),
    rt(Opcode::ray_flags,             RAY,    144),
    rt(Opcode::instance_index,        PRIM,   142),
    rt(Opcode::instance_id,           PRIM,   141),
    rt(Opcode::primitive_index,       PRIM,   161),
    rt(Opcode::geometry_index,        PRIM,   213),
    rt(Opcode::hit_kind,              PRIM,   143),
    rt(Opcode::cluster_id,            HIT,    EXPERIMENTAL | 3),
    rt(Opcode::triangle_object_position, HIT, EXPERIMENTAL | 7),
    rt(Opcode::object_to_world,       PRIM,   151),
    rt(Opcode::world_to_object,       PRIM,   152),
    rt(Opcode::trace_ray,             TRACES, 157),
    rt(Opcode::call_shader,           CALLS,  159),
    rt(Opcode::report_hit,            IS,     158),
//     hit objects                           stages  DXIL           SPIR-V: NV, EXT (0: it has none)
    hit(Opcode::hit_trace,                    TRACES, 262,            5260, 5316),
    hit(Opcode::hit_from_query,               TRACES, 263,            0,    5304),
    hit(Opcode::hit_from_query_attrs,         TRACES, 264,            0,    5304),
    hit(Opcode::hit_make_miss,                TRACES, 265,            5263, 5305),
    hit(Opcode::hit_make_nop,                 TRACES, 266,            5259, 5318),
    hit(Opcode::hit_invoke,                   TRACES, 267,            5264, 5319),
    hit(Opcode::reorder,                      RG,     268,            5279, 5315),
    hit(Opcode::hit_is_miss,                  TRACES, 269,            5278, 5352),
    hit(Opcode::hit_is_hit,                   TRACES, 270,            5277, 5351),
    hit(Opcode::hit_is_nop,                   TRACES, 271,            5276, 5350),
    hit(Opcode::hit_get_ray_flags,            TRACES, 272,            0,    5308),
    hit(Opcode::hit_get_ray_tmin,             TRACES, 273,            5275, 5347),
    hit(Opcode::hit_get_ray_tcurrent,         TRACES, 274,            5274, 5333),
    hit(Opcode::hit_get_world_ray_origin,     TRACES, 275,            5273, 5330),
    hit(Opcode::hit_get_world_ray_direction,  TRACES, 276,            5272, 5329),
    hit(Opcode::hit_get_object_ray_origin,    TRACES, 277,            5255, 5327),
    hit(Opcode::hit_get_object_ray_direction, TRACES, 278,            5254, 5328),
    hit(Opcode::hit_get_object_to_world,      TRACES, 279,            5253, 5331),
    hit(Opcode::hit_get_world_to_object,      TRACES, 280,            5252, 5332),
    hit(Opcode::hit_get_geometry_index,       TRACES, 281,            5269, 5324),
    hit(Opcode::hit_get_instance_index,       TRACES, 282,            5270, 5325),
    hit(Opcode::hit_get_instance_id,          TRACES, 283,            5271, 5326),
    hit(Opcode::hit_get_primitive_index,      TRACES, 284,            5268, 5323),
    hit(Opcode::hit_get_kind,                 TRACES, 285,            5267, 5322),
    hit(Opcode::hit_get_shader_table_index,   TRACES, 286,            5258, 5348),
    hit(Opcode::hit_set_shader_table_index,   TRACES, 287,            0,    5309),
    hit(Opcode::hit_load_root_constant,       TRACES, 288,            5257, 5349),
    hit(Opcode::hit_attributes,               TRACES, 289,            5266, 5321),
    hit(Opcode::hit_get_cluster_id,           TRACES, EXPERIMENTAL | 6,  5346, 0),
    hit(Opcode::hit_triangle_object_position, TRACES, EXPERIMENTAL | 10, 0,    5307),
//     ray queries, in every stage                               DXIL               SPIR-V
    rq(Opcode::allocate_ray_query,                                        178,               Plain(4472)),
    rq(Opcode::ray_query_trace_ray_inline,                                179,               Plain(4473)),
    rq(Opcode::ray_query_proceed,                                         180,               Plain(4477)),
    rq(Opcode::ray_query_abort,                                           181,               Plain(4474)),
    rq(Opcode::ray_query_commit_non_opaque_triangle_hit,                  182,               Plain(4476)),
    rq(Opcode::ray_query_commit_procedural_primitive_hit,                 183,               Plain(4475)),
    rq(Opcode::ray_query_committed_status,                                184,               Committed(4479)),
    rq(Opcode::ray_query_candidate_type,                                  185,               Candidate(4479)),
    rq(Opcode::ray_query_candidate_object_to_world,                       186,               Candidate(6031)),
    rq(Opcode::ray_query_candidate_world_to_object,                       187,               Candidate(6032)),
    rq(Opcode::ray_query_committed_object_to_world,                       188,               Committed(6031)),
    rq(Opcode::ray_query_committed_world_to_object,                       189,               Committed(6032)),
    rq(Opcode::ray_query_candidate_procedural_primitive_non_opaque,       190,               Plain(6026)),
    rq(Opcode::ray_query_candidate_triangle_front_face,                   191,               Candidate(6025)),
    rq(Opcode::ray_query_committed_triangle_front_face,                   192,               Committed(6025)),
    rq(Opcode::ray_query_candidate_triangle_barycentrics,                 193,               Candidate(6024)),
    rq(Opcode::ray_query_committed_triangle_barycentrics,                 194,               Committed(6024)),
    rq(Opcode::ray_query_ray_flags,                                       195,               Plain(6017)),
    rq(Opcode::ray_query_world_ray_origin,                                196,               Plain(6030)),
    rq(Opcode::ray_query_world_ray_direction,                             197,               Plain(6029)),
    rq(Opcode::ray_query_ray_tmin,                                        198,               Plain(6016)),
    rq(Opcode::ray_query_candidate_triangle_ray_t,                        199,               Candidate(6018)),
    rq(Opcode::ray_query_committed_ray_t,                                 200,               Committed(6018)),
    rq(Opcode::ray_query_candidate_instance_index,                        201,               Candidate(6020)),
    rq(Opcode::ray_query_candidate_instance_id,                           202,               Candidate(6019)),
    rq(Opcode::ray_query_candidate_geometry_index,                        203,               Candidate(6022)),
    rq(Opcode::ray_query_candidate_primitive_index,                       204,               Candidate(6023)),
    rq(Opcode::ray_query_candidate_object_ray_origin,                     205,               Candidate(6028)),
    rq(Opcode::ray_query_candidate_object_ray_direction,                  206,               Candidate(6027)),
    rq(Opcode::ray_query_committed_instance_index,                        207,               Committed(6020)),
    rq(Opcode::ray_query_committed_instance_id,                           208,               Committed(6019)),
    rq(Opcode::ray_query_committed_geometry_index,                        209,               Committed(6022)),
    rq(Opcode::ray_query_committed_primitive_index,                       210,               Committed(6023)),
    rq(Opcode::ray_query_committed_object_ray_origin,                     211,               Committed(6028)),
    rq(Opcode::ray_query_committed_object_ray_direction,                  212,               Committed(6027)),
    rq(Opcode::ray_query_candidate_instance_contribution_to_hit_group_index, 214,               Candidate(6021)),
    rq(Opcode::ray_query_committed_instance_contribution_to_hit_group_index, 215,               Committed(6021)),
    rq(Opcode::ray_query_candidate_cluster_id,                            EXPERIMENTAL | 4,  Candidate(5345)),
    rq(Opcode::ray_query_committed_cluster_id,                            EXPERIMENTAL | 5,  Committed(5345)),
    rq(Opcode::ray_query_candidate_triangle_object_position,              EXPERIMENTAL | 8,  Candidate(5340)),
    rq(Opcode::ray_query_committed_triangle_object_position,              EXPERIMENTAL | 9,  Committed(5340)),
//     instruction                    stages  DXIL
    rt(Opcode::ignore_hit,            AH,     155),
    rt(Opcode::accept_hit,            AH,     156),
];

impl RtInfo {
    /// The row of `op`, if it has a stage rule.
    pub fn of(op: Opcode) -> Option<&'static RtInfo> {
        let at = RAYTRACING.binary_search_by_key(&op, |r| r.op).ok()?;
        Some(&RAYTRACING[at])
    }

    /// Whether an entry point of `stage` may execute it. Functions that are no entry points may hold
    /// anything; the entry points that reach them decide.
    pub fn allowed_in(&self, stage: Stage) -> bool {
        stage == Stage::Library || self.stages.has(stage)
    }

    /// The DXIL operation.
    pub fn dxil_op(&self) -> &'static DxilOp {
        DxilOp::by_opcode(self.dxil).expect("the join test found it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_join_with_the_dxil_operations() {
        assert!(RAYTRACING.windows(2).all(|w| w[0].op < w[1].op));
        for r in RAYTRACING {
            let op = DxilOp::by_opcode(r.dxil).unwrap_or_else(|| panic!("{} has no row", r.dxil));
            let squeeze = |s: &str| s.replace('_', "").to_lowercase();
            let (ours, theirs) = (squeeze(r.op.name()), squeeze(op.name));
            let words = || r.op.name().split('_').filter(|w| !matches!(*w, "hit" | "get"));
            let same = theirs.starts_with(&ours)
                || (r.ser.is_some() && words().all(|w| theirs.contains(w)))
                || ours == "accepthit"
                || (theirs == "quadvote" && ours.starts_with("quada"));
            assert!(same, "{} is not {}", r.op, op.name);
            let theirs = u32::from(op.stages) & StageMask::ALL.bits();
            assert_eq!(theirs, r.stages.bits(), "stages of {}", r.op);
        }
    }

    #[test]
    fn whatever_runs_shaders_has_a_row() {
        use crate::insts::{Effects, INSTS, OPCODES};
        for (i, &op) in INSTS.iter().zip(OPCODES) {
            if i.effects.contains(Effects::RUNS_SHADERS) && op != Opcode::call {
                assert!(RtInfo::of(op).is_some(), "{op}");
            }
        }
    }
}
