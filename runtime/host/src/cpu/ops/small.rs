//! Miscellaneous operations: any and all of vectors, helper lane and debugger queries.

use crate::cpu::args::Args;
use crate::cpu::ops::OpFn;
use rtc_tables::dxil_ops::{DxOp, op};

/// The family.
pub const OPS: &[(DxOp, OpFn)] = &[
    (op::VECTOR_REDUCE_AND, |_, a| reduce(a, |x, y| x & y)),
    (op::VECTOR_REDUCE_OR, |_, a| reduce(a, |x, y| x | y)),
    // There are no helper lanes.
    (op::IS_HELPER_LANE, |_, a| a.ret_bool(0, false)),
    // There is no debugger.
    (op::DEBUG_BREAK, |_, _| {}),
    (op::IS_DEBUGGING_ENABLED, |_, a| a.ret_bool(0, false)),
    (op::EXPERIMENTAL_NOP, |_, _| {}),
];

fn reduce(a: &mut Args<'_>, f: impl Fn(u64, u64) -> u64) {
    let all = (1..a.lanes()).fold(a.bits(0), |sum, i| f(sum, a.bits(i)));
    a.ret(0, all);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::args::{Scalar, Shape};

    #[test]
    fn vectors_reduce() {
        let with = |values: &[u64], f: fn(u64, u64) -> u64| {
            let mut slots = values.to_vec();
            let shape = Shape { scalar: Scalar::I32, lanes: values.len() as u16, slots: values.len() as u16, site: 0 };
            reduce(&mut Args::new(shape, op::VECTOR_REDUCE_AND, &mut slots), f);
            slots[0]
        };
        assert_eq!(with(&[7, 14, 12], |x, y| x & y), 4);
        assert_eq!(with(&[1, 8, 2], |x, y| x | y), 11);
        assert_eq!(with(&[6], |x, y| x & y), 6);
    }
}
