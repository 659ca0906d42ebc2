//! Loop budget: every back edge decrements the thread's iteration budget and leaves the function below zero, so that an infinite
//! loop ends.

use super::Refusal;
use super::cfg::{back_edges, join_incoming, redirect};
use crate::cpu::thread::layout;
use rtc_dxil_module::{BinOp, CastOp, CmpPred, Func, Module, Value};

/// Inserts the countdown on every back edge.
///
/// # Errors
/// A function without code.
pub fn limit(m: &mut Module, func: Func) -> Result<(), Refusal> {
    let Some(body) = &m.funcs[func].body else { return Ok(()) };
    let edges = back_edges(body);
    if edges.is_empty() {
        return Ok(());
    }
    let i64_ty = m.types.i64();
    let words = m.types.ptr(i64_ty);
    let (zero, one) = (m.const_int(64, 0), m.const_int(64, 1));
    let at = m.i32(layout::BUDGET as i32);
    // The exit block.
    let out = m.funcs[func].body.get_or_insert_default().new_block();
    if let Some(mut b) = m.edit(func, out) {
        b.ret(None);
    }
    for (from, to) in edges {
        let count = m.funcs[func].body.get_or_insert_default().new_block();
        if let Some(mut b) = m.edit(func, count) {
            let address = b.gep(false, Value::Arg(0), &[at]);
            let address = b.cast(CastOp::BitCast, address, words);
            let left = b.load(address, 8);
            let left = b.binary(BinOp::Sub, left, one, 0);
            b.store(left, address, 8);
            let more = b.cmp(CmpPred::ISge, left, zero, 0);
            b.cond_br(more, to, out);
        }
        let body = m.funcs[func].body.get_or_insert_default();
        let Some(end) = body.terminator(from) else { continue };
        redirect(body, end, to, count);
        join_incoming(body, to, from, count);
    }
    Ok(())
}
