//! Wave and quad operations, barriers.

use super::pattern::*;
use super::{Expander as X, Intrinsic, Lower, free};
use crate::stages::StageMask;

const ALL: StageMask = StageMask::ALL;
const UINT4: Pat = vec(4, Class::Uint);
const UINTS: Pat = Pat::Num(Shape::Any, Class::AnyInt);

/// A wave operation: known, without an instruction so far.
const fn w(
    name: &'static str,
    names: &'static str,
    params: &'static [Param],
    ret: Pat,
) -> Intrinsic {
    free(name, names, params, ret, ALL, Lower::Expand(X::NotYet))
}
/// A barrier with DXIL's mode bits: 1 synchronises the group, 2 orders UAVs, 8 orders groupshared memory.
const fn barrier(name: &'static str, mode: u8) -> Intrinsic {
    let stages = if mode == 2 {
        ALL
    } else {
        StageMask::CS.union(StageMask::LIB)
    };
    free(name, "", &[], VOID, stages, Lower::Expand(X::Barrier(mode)))
}

/// The rows of this family.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    barrier("AllMemoryBarrier", 10),
    barrier("AllMemoryBarrierWithGroupSync", 11),
    barrier("DeviceMemoryBarrier", 2),
    barrier("DeviceMemoryBarrierWithGroupSync", 3),
    barrier("GroupMemoryBarrier", 8),
    barrier("GroupMemoryBarrierWithGroupSync", 9),
    w("WaveIsFirstLane", "", &[], BOOL),
    w("WaveGetLaneIndex", "", &[], UINT),
    w("WaveGetLaneCount", "", &[], UINT),
    w("WaveActiveAnyTrue", "cond", &[i(BOOL)], BOOL),
    w("WaveActiveAllTrue", "cond", &[i(BOOL)], BOOL),
    w("WaveActiveAllEqual", "value", &[i(ANY)], like(0, Class::Bool)),
    w("WaveActiveBallot", "cond", &[i(BOOL)], UINT4),
    w("WaveReadLaneAt", "value lane", &[i(ANY), i(UINT)], T0),
    w("WaveReadLaneFirst", "value", &[i(ANY)], T0),
    w("WaveActiveCountBits", "value", &[i(BOOL)], UINT),
    w("WaveActiveSum", "value", &[i(NUMERIC)], T0),
    w("WaveActiveProduct", "value", &[i(NUMERIC)], T0),
    w("WaveActiveBitAnd", "value", &[i(UINTS)], T0),
    w("WaveActiveBitOr", "value", &[i(UINTS)], T0),
    w("WaveActiveBitXor", "value", &[i(UINTS)], T0),
    w("WaveActiveMin", "value", &[i(NUMERIC)], T0),
    w("WaveActiveMax", "value", &[i(NUMERIC)], T0),
    w("WavePrefixCountBits", "value", &[i(BOOL)], UINT),
    w("WavePrefixSum", "value", &[i(NUMERIC)], T0),
    w("WavePrefixProduct", "value", &[i(NUMERIC)], T0),
    w("WaveMatch", "value", &[i(NUMERIC)], UINT4).sm(5),
    w("WaveMultiPrefixBitAnd", "value mask", &[i(INTS), i(UINT4)], T0).sm(5),
    w("WaveMultiPrefixBitOr", "value mask", &[i(INTS), i(UINT4)], T0).sm(5),
    w("WaveMultiPrefixBitXor", "value mask", &[i(INTS), i(UINT4)], T0).sm(5),
    w("WaveMultiPrefixCountBits", "value mask", &[i(BOOL), i(UINT4)], UINT).sm(5),
    w("WaveMultiPrefixProduct", "value mask", &[i(NUMERIC), i(UINT4)], T0).sm(5),
    w("WaveMultiPrefixSum", "value mask", &[i(NUMERIC), i(UINT4)], T0).sm(5),
    w("QuadReadLaneAt", "value quadLane", &[i(NUMERIC), i(UINT)], T0),
    w("QuadReadAcrossX", "value", &[i(NUMERIC)], T0),
    w("QuadReadAcrossY", "value", &[i(NUMERIC)], T0),
    w("QuadReadAcrossDiagonal", "value", &[i(NUMERIC)], T0),
    w("QuadAny", "cond", &[i(BOOL)], BOOL).sm(7),
    w("QuadAll", "cond", &[i(BOOL)], BOOL).sm(7),
];
