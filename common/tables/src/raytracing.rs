//! The stage table: one row for each IR instruction that only some shaders may use: those of ray tracing, and
//! the system values of compute shaders. Sema
//! checks stages against it (through the call graph), the verifier checks them again, and the DXIL back
//! end finds its operation here. What the operation looks like is a row of [`crate::dxil_ops`].

use crate::dxil_ops::{DxOp, DxilOp, op};
use crate::insts::Opcode;
use crate::stages::{Stage, StageMask};
use QueryOp::{Candidate, Committed, Plain};

/// One row of [`RAYTRACING`].
pub struct RtInfo {
    /// The instruction.
    pub op: Opcode,
    /// Where it may occur. [`StageMask::LIB`]: in an exported library function too.
    pub stages: StageMask,
    /// The rule counts for what is left once dead code is gone: headers that several stages share hold such code under conditions that are
    /// constant in each.
    pub if_left: bool,
    /// The DXIL operation.
    pub dxil: DxOp,
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

const fn rt(op: Opcode, stages: StageMask, dxil: DxOp) -> RtInfo {
    RtInfo { op, stages, if_left: false, dxil, query: None, ser: None }
}

const fn left(op: Opcode, stages: StageMask, dxil: DxOp) -> RtInfo {
    RtInfo { if_left: true, ..rt(op, stages, dxil) }
}

const fn rq(op: Opcode, dxil: DxOp, query: QueryOp) -> RtInfo {
    RtInfo { op, stages: StageMask::ALL, if_left: false, dxil, query: Some(query), ser: None }
}

const fn hit(op: Opcode, stages: StageMask, dxil: DxOp, nv: u16, ext: u16) -> RtInfo {
    const fn some(op: u16) -> Option<u16> {
        if op == 0 { None } else { Some(op) }
    }
    RtInfo { op, stages, if_left: false, dxil, query: None, ser: Some(SerOps { nv: some(nv), ext: some(ext) }) }
}

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
const PS: StageMask = StageMask::PS;
const MESH: StageMask = StageMask::MESH;
const AMP: StageMask = StageMask::AMP;
const GS: StageMask = StageMask::GS;
const QUAD: StageMask = StageMask::QUADS.with_library();

/// The minor number of the first shader model 6 with ray queries.
pub const QUERY_MODEL: u8 = 5;
/// That of the first one with hit objects.
pub const HIT_OBJECT_MODEL: u8 = 9;
/// That of the first one whose ray queries have flags of their own beside the ray flags.
pub const QUERY_FLAGS_MODEL: u8 = 9;

/// Every instruction with a stage rule, in the order of the instruction table.
#[rustfmt::skip]
pub const RAYTRACING: &[RtInfo] = &[
//     instruction                    stages  DXIL
    rt(Opcode::eval_snapped,          PS,     op::EVAL_SNAPPED),
    rt(Opcode::eval_sample_index,     PS,     op::EVAL_SAMPLE_INDEX),
    rt(Opcode::eval_centroid,         PS,     op::EVAL_CENTROID),
    rt(Opcode::attribute_at_vertex,   PS,     op::ATTRIBUTE_AT_VERTEX),
    rt(Opcode::set_mesh_output_counts, MESH, op::SET_MESH_OUTPUT_COUNTS),
    rt(Opcode::emit_indices,          MESH,   op::EMIT_INDICES),
    rt(Opcode::dispatch_mesh,         AMP,    op::DISPATCH_MESH),
    rt(Opcode::emit_stream,           GS,     op::EMIT_STREAM),
    rt(Opcode::cut_stream,            GS,     op::CUT_STREAM),
    left(Opcode::discard,               PS,     op::DISCARD),
    left(Opcode::render_target_get_sample_position, PS, op::RENDER_TARGET_GET_SAMPLE_POSITION),
    left(Opcode::render_target_get_sample_count, PS, op::RENDER_TARGET_GET_SAMPLE_COUNT),
    rt(Opcode::thread_id,             CS,     op::THREAD_ID),
    rt(Opcode::group_id,              CS,     op::GROUP_ID),
    rt(Opcode::thread_id_in_group,    CS,     op::THREAD_ID_IN_GROUP),
    rt(Opcode::flattened_thread_id_in_group, CS, op::FLATTENED_THREAD_ID_IN_GROUP),
    left(Opcode::quad_read_lane_at,     QUAD,   op::QUAD_READ_LANE_AT),
    left(Opcode::quad_op,               QUAD,   op::QUAD_OP),
    left(Opcode::quad_any,              QUAD,   op::QUAD_VOTE),
    left(Opcode::quad_all,              QUAD,   op::QUAD_VOTE),
    left(Opcode::deriv_coarse_x,        QUAD,   op::DERIV_COARSE_X),
    left(Opcode::deriv_coarse_y,        QUAD,   op::DERIV_COARSE_Y),
    left(Opcode::deriv_fine_x,          QUAD,   op::DERIV_FINE_X),
    left(Opcode::deriv_fine_y,          QUAD,   op::DERIV_FINE_Y),
    left(Opcode::get_group_wave_index,  CS,     op::GET_GROUP_WAVE_INDEX),
    left(Opcode::get_group_wave_count,  CS,     op::GET_GROUP_WAVE_COUNT),
    left(Opcode::dispatch_rays_index,   RT,     op::DISPATCH_RAYS_INDEX),
    left(Opcode::dispatch_rays_dim,     RT,     op::DISPATCH_RAYS_DIMENSIONS),
    left(Opcode::world_ray_origin,      RAY,    op::WORLD_RAY_ORIGIN),
    left(Opcode::world_ray_direction,   RAY,    op::WORLD_RAY_DIRECTION),
    left(Opcode::object_ray_origin,     PRIM,   op::OBJECT_RAY_ORIGIN),
    left(Opcode::object_ray_direction,  PRIM,   op::OBJECT_RAY_DIRECTION),
    left(Opcode::ray_tmin,              RAY,    op::RAY_T_MIN),
    left(Opcode::ray_tcurrent,          RAY,    op::RAY_T_CURRENT),
    left(Opcode::ray_flags,             RAY,    op::RAY_FLAGS),
    left(Opcode::instance_index,        PRIM,   op::INSTANCE_INDEX),
    left(Opcode::instance_id,           PRIM,   op::INSTANCE_ID),
    left(Opcode::primitive_index,       PRIM,   op::PRIMITIVE_INDEX),
    left(Opcode::geometry_index,        PRIM,   op::GEOMETRY_INDEX),
    left(Opcode::hit_kind,              PRIM,   op::HIT_KIND),
    left(Opcode::cluster_id,            HIT,    op::CLUSTER_ID),
    left(Opcode::triangle_object_position, HIT, op::TRIANGLE_OBJECT_POSITION),
    left(Opcode::object_to_world,       PRIM,   op::OBJECT_TO_WORLD),
    left(Opcode::world_to_object,       PRIM,   op::WORLD_TO_OBJECT),
    rt(Opcode::trace_ray,             TRACES, op::TRACE_RAY),
    rt(Opcode::call_shader,           CALLS,  op::CALL_SHADER),
    rt(Opcode::report_hit,            IS,     op::REPORT_HIT),
//     hit objects                           stages  DXIL           SPIR-V: NV, EXT (0: it has none)
    hit(Opcode::hit_trace,                    TRACES, op::HIT_OBJECT_TRACE_RAY, 5260, 5316),
    hit(Opcode::hit_from_query,               TRACES, op::HIT_OBJECT_FROM_RAY_QUERY, 0,    5304),
    hit(Opcode::hit_from_query_attrs,         TRACES, op::HIT_OBJECT_FROM_RAY_QUERY_WITH_ATTRS, 0,    5304),
    hit(Opcode::hit_make_miss,                TRACES, op::HIT_OBJECT_MAKE_MISS, 5263, 5305),
    hit(Opcode::hit_make_nop,                 TRACES, op::HIT_OBJECT_MAKE_NOP, 5259, 5318),
    hit(Opcode::hit_invoke,                   TRACES, op::HIT_OBJECT_INVOKE, 5264, 5319),
    hit(Opcode::reorder,                      RG,     op::MAYBE_REORDER_THREAD, 5279, 5315),
    hit(Opcode::hit_is_miss,                  TRACES, op::HIT_OBJECT_IS_MISS, 5278, 5352),
    hit(Opcode::hit_is_hit,                   TRACES, op::HIT_OBJECT_IS_HIT, 5277, 5351),
    hit(Opcode::hit_is_nop,                   TRACES, op::HIT_OBJECT_IS_NOP, 5276, 5350),
    hit(Opcode::hit_get_ray_flags,            TRACES, op::HIT_OBJECT_RAY_FLAGS, 0,    5308),
    hit(Opcode::hit_get_ray_tmin,             TRACES, op::HIT_OBJECT_RAY_T_MIN, 5275, 5347),
    hit(Opcode::hit_get_ray_tcurrent,         TRACES, op::HIT_OBJECT_RAY_T_CURRENT, 5274, 5333),
    hit(Opcode::hit_get_world_ray_origin,     TRACES, op::HIT_OBJECT_WORLD_RAY_ORIGIN, 5273, 5330),
    hit(Opcode::hit_get_world_ray_direction,  TRACES, op::HIT_OBJECT_WORLD_RAY_DIRECTION, 5272, 5329),
    hit(Opcode::hit_get_object_ray_origin,    TRACES, op::HIT_OBJECT_OBJECT_RAY_ORIGIN, 5255, 5327),
    hit(Opcode::hit_get_object_ray_direction, TRACES, op::HIT_OBJECT_OBJECT_RAY_DIRECTION, 5254, 5328),
    hit(Opcode::hit_get_object_to_world,      TRACES, op::HIT_OBJECT_OBJECT_TO_WORLD_3X4, 5253, 5331),
    hit(Opcode::hit_get_world_to_object,      TRACES, op::HIT_OBJECT_WORLD_TO_OBJECT_3X4, 5252, 5332),
    hit(Opcode::hit_get_geometry_index,       TRACES, op::HIT_OBJECT_GEOMETRY_INDEX, 5269, 5324),
    hit(Opcode::hit_get_instance_index,       TRACES, op::HIT_OBJECT_INSTANCE_INDEX, 5270, 5325),
    hit(Opcode::hit_get_instance_id,          TRACES, op::HIT_OBJECT_INSTANCE_ID, 5271, 5326),
    hit(Opcode::hit_get_primitive_index,      TRACES, op::HIT_OBJECT_PRIMITIVE_INDEX, 5268, 5323),
    hit(Opcode::hit_get_kind,                 TRACES, op::HIT_OBJECT_HIT_KIND, 5267, 5322),
    hit(Opcode::hit_get_shader_table_index,   TRACES, op::HIT_OBJECT_SHADER_TABLE_INDEX, 5258, 5348),
    hit(Opcode::hit_set_shader_table_index,   TRACES, op::HIT_OBJECT_SET_SHADER_TABLE_INDEX, 0,    5309),
    hit(Opcode::hit_load_root_constant,       TRACES, op::HIT_OBJECT_LOAD_LOCAL_ROOT_TABLE_CONSTANT, 5257, 5349),
    hit(Opcode::hit_attributes,               TRACES, op::HIT_OBJECT_ATTRIBUTES, 5266, 5321),
    hit(Opcode::hit_get_cluster_id,           TRACES, op::HIT_OBJECT_CLUSTER_ID, 5346, 0),
    hit(Opcode::hit_triangle_object_position, TRACES, op::HIT_OBJECT_TRIANGLE_OBJECT_POSITION, 0,    5307),
//     ray queries, in every stage                               DXIL               SPIR-V
    rq(Opcode::allocate_ray_query, op::ALLOCATE_RAY_QUERY, Plain(4472)),
    rq(Opcode::ray_query_trace_ray_inline, op::RAY_QUERY_TRACE_RAY_INLINE, Plain(4473)),
    rq(Opcode::ray_query_proceed, op::RAY_QUERY_PROCEED, Plain(4477)),
    rq(Opcode::ray_query_abort, op::RAY_QUERY_ABORT, Plain(4474)),
    rq(Opcode::ray_query_commit_non_opaque_triangle_hit, op::RAY_QUERY_COMMIT_NON_OPAQUE_TRIANGLE_HIT, Plain(4476)),
    rq(Opcode::ray_query_commit_procedural_primitive_hit, op::RAY_QUERY_COMMIT_PROCEDURAL_PRIMITIVE_HIT, Plain(4475)),
    rq(Opcode::ray_query_committed_status, op::RAY_QUERY_COMMITTED_STATUS, Committed(4479)),
    rq(Opcode::ray_query_candidate_type, op::RAY_QUERY_CANDIDATE_TYPE, Candidate(4479)),
    rq(Opcode::ray_query_candidate_object_to_world, op::RAY_QUERY_CANDIDATE_OBJECT_TO_WORLD_3X4, Candidate(6031)),
    rq(Opcode::ray_query_candidate_world_to_object, op::RAY_QUERY_CANDIDATE_WORLD_TO_OBJECT_3X4, Candidate(6032)),
    rq(Opcode::ray_query_committed_object_to_world, op::RAY_QUERY_COMMITTED_OBJECT_TO_WORLD_3X4, Committed(6031)),
    rq(Opcode::ray_query_committed_world_to_object, op::RAY_QUERY_COMMITTED_WORLD_TO_OBJECT_3X4, Committed(6032)),
    rq(Opcode::ray_query_candidate_procedural_primitive_non_opaque, op::RAY_QUERY_CANDIDATE_PROCEDURAL_PRIMITIVE_NON_OPAQUE, Plain(6026)),
    rq(Opcode::ray_query_candidate_triangle_front_face, op::RAY_QUERY_CANDIDATE_TRIANGLE_FRONT_FACE, Candidate(6025)),
    rq(Opcode::ray_query_committed_triangle_front_face, op::RAY_QUERY_COMMITTED_TRIANGLE_FRONT_FACE, Committed(6025)),
    rq(Opcode::ray_query_candidate_triangle_barycentrics, op::RAY_QUERY_CANDIDATE_TRIANGLE_BARYCENTRICS, Candidate(6024)),
    rq(Opcode::ray_query_committed_triangle_barycentrics, op::RAY_QUERY_COMMITTED_TRIANGLE_BARYCENTRICS, Committed(6024)),
    rq(Opcode::ray_query_ray_flags, op::RAY_QUERY_RAY_FLAGS, Plain(6017)),
    rq(Opcode::ray_query_world_ray_origin, op::RAY_QUERY_WORLD_RAY_ORIGIN, Plain(6030)),
    rq(Opcode::ray_query_world_ray_direction, op::RAY_QUERY_WORLD_RAY_DIRECTION, Plain(6029)),
    rq(Opcode::ray_query_ray_tmin, op::RAY_QUERY_RAY_T_MIN, Plain(6016)),
    rq(Opcode::ray_query_candidate_triangle_ray_t, op::RAY_QUERY_CANDIDATE_TRIANGLE_RAY_T, Candidate(6018)),
    rq(Opcode::ray_query_committed_ray_t, op::RAY_QUERY_COMMITTED_RAY_T, Committed(6018)),
    rq(Opcode::ray_query_candidate_instance_index, op::RAY_QUERY_CANDIDATE_INSTANCE_INDEX, Candidate(6020)),
    rq(Opcode::ray_query_candidate_instance_id, op::RAY_QUERY_CANDIDATE_INSTANCE_ID, Candidate(6019)),
    rq(Opcode::ray_query_candidate_geometry_index, op::RAY_QUERY_CANDIDATE_GEOMETRY_INDEX, Candidate(6022)),
    rq(Opcode::ray_query_candidate_primitive_index, op::RAY_QUERY_CANDIDATE_PRIMITIVE_INDEX, Candidate(6023)),
    rq(Opcode::ray_query_candidate_object_ray_origin, op::RAY_QUERY_CANDIDATE_OBJECT_RAY_ORIGIN, Candidate(6028)),
    rq(Opcode::ray_query_candidate_object_ray_direction, op::RAY_QUERY_CANDIDATE_OBJECT_RAY_DIRECTION, Candidate(6027)),
    rq(Opcode::ray_query_committed_instance_index, op::RAY_QUERY_COMMITTED_INSTANCE_INDEX, Committed(6020)),
    rq(Opcode::ray_query_committed_instance_id, op::RAY_QUERY_COMMITTED_INSTANCE_ID, Committed(6019)),
    rq(Opcode::ray_query_committed_geometry_index, op::RAY_QUERY_COMMITTED_GEOMETRY_INDEX, Committed(6022)),
    rq(Opcode::ray_query_committed_primitive_index, op::RAY_QUERY_COMMITTED_PRIMITIVE_INDEX, Committed(6023)),
    rq(Opcode::ray_query_committed_object_ray_origin, op::RAY_QUERY_COMMITTED_OBJECT_RAY_ORIGIN, Committed(6028)),
    rq(Opcode::ray_query_committed_object_ray_direction, op::RAY_QUERY_COMMITTED_OBJECT_RAY_DIRECTION, Committed(6027)),
    rq(Opcode::ray_query_candidate_instance_contribution_to_hit_group_index, op::RAY_QUERY_CANDIDATE_INSTANCE_CONTRIBUTION_TO_HIT_GROUP_INDEX, Candidate(6021)),
    rq(Opcode::ray_query_committed_instance_contribution_to_hit_group_index, op::RAY_QUERY_COMMITTED_INSTANCE_CONTRIBUTION_TO_HIT_GROUP_INDEX, Committed(6021)),
    rq(Opcode::ray_query_candidate_cluster_id, op::RAY_QUERY_CANDIDATE_CLUSTER_ID, Candidate(5345)),
    rq(Opcode::ray_query_committed_cluster_id, op::RAY_QUERY_COMMITTED_CLUSTER_ID, Committed(5345)),
    rq(Opcode::ray_query_candidate_triangle_object_position, op::RAY_QUERY_CANDIDATE_TRIANGLE_OBJECT_POSITION, Candidate(5340)),
    rq(Opcode::ray_query_committed_triangle_object_position, op::RAY_QUERY_COMMITTED_TRIANGLE_OBJECT_POSITION, Committed(5340)),
//     instruction                    stages  DXIL
    rt(Opcode::ignore_hit,            AH,     op::IGNORE_HIT),
    rt(Opcode::accept_hit,            AH,     op::ACCEPT_HIT_AND_END_SEARCH),
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
        self.dxil.row()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_join_with_the_dxil_operations() {
        assert!(RAYTRACING.windows(2).all(|w| w[0].op < w[1].op));
        for r in RAYTRACING {
            let op = r.dxil.row();
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
