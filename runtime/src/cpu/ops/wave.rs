//! Operations at which lanes meet.

use crate::cpu::args::OpFn;
use crate::cpu::wave::set::{self, derivative};
use crate::cpu::wave::{act, barrier};

/// The family.
#[rustfmt::skip]
pub const OPS: &[(&str, OpFn)] = &[
    ("WaveGetLaneIndex", |t, a| a.ret_u32(0, t.meet.index())),
    ("WaveGetLaneCount", |t, a| a.ret_u32(0, t.meet.width())),
    ("GetGroupWaveIndex", |t, a| a.ret_u32(0, t.meet.wave())),
    ("GetGroupWaveCount", |t, a| a.ret_u32(0, t.meet.waves())),
    ("WaveIsFirstLane", |t, a| act(t, a, set::is_first)),
    ("WaveAnyTrue", |t, a| act(t, a, set::any)),
    ("WaveAllTrue", |t, a| act(t, a, set::every)),
    ("WaveActiveAllEqual", |t, a| act(t, a, set::all_equal)),
    ("WaveActiveBallot", |t, a| act(t, a, set::ballot)),
    ("WaveReadLaneAt", |t, a| act(t, a, set::read_at)),
    ("WaveReadLaneFirst", |t, a| act(t, a, set::read_first)),
    ("WaveActiveOp", |t, a| act(t, a, set::active)),
    ("WaveActiveBit", |t, a| act(t, a, set::active_bit)),
    ("WavePrefixOp", |t, a| act(t, a, set::prefix)),
    ("WaveAllBitCount", |t, a| act(t, a, set::count)),
    ("WavePrefixBitCount", |t, a| act(t, a, set::prefix_count)),
    ("WaveMatch", |t, a| act(t, a, set::matching)),
    ("WaveMultiPrefixOp", |t, a| act(t, a, set::multi_prefix)),
    ("WaveMultiPrefixBitCount", |t, a| act(t, a, set::multi_prefix_count)),
    ("QuadReadLaneAt", |t, a| act(t, a, set::quad_read)),
    ("QuadOp", |t, a| act(t, a, set::quad_across)),
    ("QuadVote", |t, a| act(t, a, set::quad_vote)),
    ("DerivCoarseX", |t, a| act(t, a, derivative::<false, false>)),
    ("DerivCoarseY", |t, a| act(t, a, derivative::<false, true>)),
    ("DerivFineX", |t, a| act(t, a, derivative::<true, false>)),
    ("DerivFineY", |t, a| act(t, a, derivative::<true, true>)),
    ("Barrier", |t, a| { let sync = a.bool(0); barrier(t, a, sync) }),
    ("BarrierByMemoryType", |t, a| { let sync = a.bool(1); barrier(t, a, sync) }),
    // A handle takes one slot.
    ("BarrierByMemoryHandle", |t, a| { let sync = a.bool(1); barrier(t, a, sync) }),
];
