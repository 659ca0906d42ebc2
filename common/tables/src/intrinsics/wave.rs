//! Wave and quad operations, barriers.

use super::pattern::*;
use super::{Check, Expander as X, Intrinsic, Lower, Scope, Target, free};
use crate::barriers::mode::{GROUP_SYNC, GROUPSHARED, UAV_GLOBAL};
use crate::insts::Opcode as O;
use crate::resources::WaveOp as W;
use crate::stages::StageMask;

const ALL: StageMask = StageMask::ALL;
const QUAD: StageMask = StageMask::QUADS.with_library();
const GROUP: StageMask = StageMask::GROUPS.with_library();
const UINT4: Pat = vec(4, Class::Uint);
const UINTS: Pat = Pat::Num(Shape::Any, Class::UnsignedOnly);

/// A wave operation that is one instruction, for each row of a matrix.
const fn w(name: &'static str, names: &'static str, params: &'static [Param], ret: Pat, op: O) -> Intrinsic {
    free(name, names, params, ret, ALL, Lower::Expand(X::Wave(op)))
}
/// A reduction or scan over lanes.
const fn c(name: &'static str, params: &'static [Param], op: O, how: W) -> Intrinsic {
    let names = if params.len() == 1 { "value" } else { "value mask" };
    free(name, names, params, T0, ALL, Lower::Expand(X::WaveOp(op, how)))
}
/// A read from another lane of the quad.
const fn q(name: &'static str, direction: u8) -> Intrinsic {
    const VALUE: &[Param] = &[i(ANY)];
    free(name, "value", VALUE, T0, QUAD, Lower::Expand(X::QuadOp(direction)))
}

/// A barrier with DXIL's mode bits.
const fn barrier(name: &'static str, bits: u32) -> Intrinsic {
    let stages = if bits == UAV_GLOBAL { ALL } else { GROUP };
    free(name, "", &[], VOID, stages, Lower::Expand(X::Barrier(bits)))
}

/// The row that gives the stages of a barrier with group flags: those that have thread groups.
pub const GROUP_BARRIER: &Intrinsic = &free("Barrier", "", &[], VOID, GROUP, Lower::Expand(X::MemoryBarrier)).sm(8);
/// The row that gives the stages of a barrier with `REORDER_SCOPE`.
pub const REORDER_BARRIER: &Intrinsic =
    &free("Barrier", "", &[], VOID, StageMask::RG.with_library(), Lower::Expand(X::MemoryBarrier)).sm(8);

/// The rows of this family.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    barrier("AllMemoryBarrier", UAV_GLOBAL | GROUPSHARED),
    barrier("AllMemoryBarrierWithGroupSync", UAV_GLOBAL | GROUPSHARED | GROUP_SYNC),
    barrier("DeviceMemoryBarrier", UAV_GLOBAL),
    barrier("DeviceMemoryBarrierWithGroupSync", UAV_GLOBAL | GROUP_SYNC),
    barrier("GroupMemoryBarrier", GROUPSHARED),
    barrier("GroupMemoryBarrierWithGroupSync", GROUPSHARED | GROUP_SYNC),
    free("Barrier", "memoryTypeFlags semanticFlags", &[i(UINT), i(UINT)], VOID, ALL, Lower::Expand(X::MemoryBarrier)).sm(8).checks(&[Check::MemoryBarrier]),
    free("Barrier", "uav semanticFlags", &[i(Pat::AnyUav), i(UINT)], VOID, ALL, Lower::Expand(X::HandleBarrier)).sm(8).checks(&[Check::ResourceBarrier]),
    free("DebugBreak", "", &[], VOID, ALL, Lower::Op(O::debug_break)).sm(10),
    Intrinsic::new(Scope::Dx, "IsDebuggingEnabled", "", &[], BOOL, ALL, Lower::Op(O::debugging_enabled)).sm(10)
        .missing(Target::Spirv, "a shader of Vulkan cannot ask for a debugger"),
    w("WaveIsFirstLane", "", &[], BOOL, O::wave_is_first_lane),
    w("WaveGetLaneIndex", "", &[], UINT, O::wave_lane_index),
    w("WaveGetLaneCount", "", &[], UINT, O::wave_lane_count),
    w("WaveActiveAnyTrue", "cond", &[i(BOOL)], BOOL, O::wave_any_true),
    w("WaveActiveAllTrue", "cond", &[i(BOOL)], BOOL, O::wave_all_true),
    w("WaveActiveAllEqual", "value", &[i(ANY)], like(0, Class::Bool), O::wave_all_equal),
    w("WaveActiveBallot", "cond", &[i(BOOL)], UINT4, O::wave_ballot),
    w("WaveReadLaneAt", "value lane", &[i(ANY), i(UINT)], T0, O::wave_read_lane_at),
    w("WaveReadLaneFirst", "value", &[i(ANY)], T0, O::wave_read_lane_first),
    w("WaveActiveCountBits", "value", &[i(BOOL)], UINT, O::wave_all_bit_count),
    c("WaveActiveSum", &[i(NUMERIC)], O::wave_active_op, W::Sum),
    c("WaveActiveProduct", &[i(NUMERIC)], O::wave_active_op, W::Product),
    c("WaveActiveBitAnd", &[i(UINTS)], O::wave_active_op, W::And),
    c("WaveActiveBitOr", &[i(UINTS)], O::wave_active_op, W::Or),
    c("WaveActiveBitXor", &[i(UINTS)], O::wave_active_op, W::Xor),
    c("WaveActiveMin", &[i(NUMERIC)], O::wave_active_op, W::Min),
    c("WaveActiveMax", &[i(NUMERIC)], O::wave_active_op, W::Max),
    w("WavePrefixCountBits", "value", &[i(BOOL)], UINT, O::wave_prefix_bit_count),
    c("WavePrefixSum", &[i(NUMERIC)], O::wave_prefix_op, W::Sum),
    c("WavePrefixProduct", &[i(NUMERIC)], O::wave_prefix_op, W::Product),
    w("WaveMatch", "value", &[i(NUMERIC)], UINT4, O::wave_match).sm(5),
    c("WaveMultiPrefixBitAnd", &[i(INTS), i(UINT4)], O::wave_multi_prefix_op, W::And).sm(5),
    c("WaveMultiPrefixBitOr", &[i(INTS), i(UINT4)], O::wave_multi_prefix_op, W::Or).sm(5),
    c("WaveMultiPrefixBitXor", &[i(INTS), i(UINT4)], O::wave_multi_prefix_op, W::Xor).sm(5),
    w("WaveMultiPrefixCountBits", "value mask", &[i(BOOL), i(UINT4)], UINT, O::wave_multi_prefix_bit_count).sm(5),
    c("WaveMultiPrefixProduct", &[i(NUMERIC), i(UINT4)], O::wave_multi_prefix_op, W::Product).sm(5),
    c("WaveMultiPrefixSum", &[i(NUMERIC), i(UINT4)], O::wave_multi_prefix_op, W::Sum).sm(5),
    w("QuadReadLaneAt", "value quadLane", &[i(ANY), i(UINT)], T0, O::quad_read_lane_at).stages(QUAD),
    q("QuadReadAcrossX", 0),
    q("QuadReadAcrossY", 1),
    q("QuadReadAcrossDiagonal", 2),
    w("QuadAny", "cond", &[i(BOOL)], BOOL, O::quad_any).stages(QUAD),
    w("QuadAll", "cond", &[i(BOOL)], BOOL, O::quad_all).stages(QUAD),
    w("GetGroupWaveIndex", "", &[], UINT, O::get_group_wave_index).sm(10).stages(StageMask::GROUPS),
    w("GetGroupWaveCount", "", &[], UINT, O::get_group_wave_count).sm(10).stages(StageMask::GROUPS),
];
