//! Wave operations and barriers.

use crate::cpu::ops::OpFn;
use crate::cpu::wave::lane_ops::{self, derivative};
use crate::cpu::wave::{act, barrier};
use rtc_tables::dxil_ops::{DxOp, op};

/// The family.
#[rustfmt::skip]
pub const OPS: &[(DxOp, OpFn)] = &[
    (op::WAVE_GET_LANE_INDEX, |t, a| a.ret_u32(0, t.convergence.index())),
    (op::WAVE_GET_LANE_COUNT, |t, a| a.ret_u32(0, t.convergence.width())),
    (op::GET_GROUP_WAVE_INDEX, |t, a| a.ret_u32(0, t.convergence.wave())),
    (op::GET_GROUP_WAVE_COUNT, |t, a| a.ret_u32(0, t.convergence.waves())),
    (op::WAVE_IS_FIRST_LANE, |t, a| act(t, a, lane_ops::is_first)),
    (op::WAVE_ANY_TRUE, |t, a| act(t, a, lane_ops::any)),
    (op::WAVE_ALL_TRUE, |t, a| act(t, a, lane_ops::every)),
    (op::WAVE_ACTIVE_ALL_EQUAL, |t, a| act(t, a, lane_ops::all_equal)),
    (op::WAVE_ACTIVE_BALLOT, |t, a| act(t, a, lane_ops::ballot)),
    (op::WAVE_READ_LANE_AT, |t, a| act(t, a, lane_ops::read_at)),
    (op::WAVE_READ_LANE_FIRST, |t, a| act(t, a, lane_ops::read_first)),
    (op::WAVE_ACTIVE_OP, |t, a| act(t, a, lane_ops::active)),
    (op::WAVE_ACTIVE_BIT, |t, a| act(t, a, lane_ops::active_bit)),
    (op::WAVE_PREFIX_OP, |t, a| act(t, a, lane_ops::prefix)),
    (op::WAVE_ALL_BIT_COUNT, |t, a| act(t, a, lane_ops::count)),
    (op::WAVE_PREFIX_BIT_COUNT, |t, a| act(t, a, lane_ops::prefix_count)),
    (op::WAVE_MATCH, |t, a| act(t, a, lane_ops::matching)),
    (op::WAVE_MULTI_PREFIX_OP, |t, a| act(t, a, lane_ops::multi_prefix)),
    (op::WAVE_MULTI_PREFIX_BIT_COUNT, |t, a| act(t, a, lane_ops::multi_prefix_count)),
    (op::QUAD_READ_LANE_AT, |t, a| act(t, a, lane_ops::quad_read)),
    (op::QUAD_OP, |t, a| act(t, a, lane_ops::quad_across)),
    (op::QUAD_VOTE, |t, a| act(t, a, lane_ops::quad_vote)),
    (op::DERIV_COARSE_X, |t, a| act(t, a, derivative::<false, false>)),
    (op::DERIV_COARSE_Y, |t, a| act(t, a, derivative::<false, true>)),
    (op::DERIV_FINE_X, |t, a| act(t, a, derivative::<true, false>)),
    (op::DERIV_FINE_Y, |t, a| act(t, a, derivative::<true, true>)),
    (op::BARRIER, |t, a| { let sync = a.bool(0); barrier(t, a, sync) }),
    (op::BARRIER_BY_MEMORY_TYPE, |t, a| { let sync = a.bool(1); barrier(t, a, sync) }),
    // A handle takes one slot.
    (op::BARRIER_BY_MEMORY_HANDLE, |t, a| { let sync = a.bool(1); barrier(t, a, sync) }),
];
