//! Distribution of a multiplication over an addition of a constant: `(x + c) * d` becomes `x * d + c * d`, and likewise with a
//! shift, where the sum has no other use: then all addresses that differ in the constant alone share `x * d`. Integers wrap, so
//! this is exact.
//!
//! The two instructions exchange their roles in place, which requires use counts; a separate traversal computes them if there is
//! a candidate.

use rtc_base::SecondaryMap;
use rtc_ir::{Function, Inst, InstData, Module, Opcode, Value, eval};

/// Rewrites what can be among `insts`, which are all of `f`. Whether there was something.
pub(super) fn run(m: &Module, f: &mut Function, insts: &[Inst]) -> bool {
    let is_product = |i: Inst| matches!(f.insts[i], InstData::Binary { op: Opcode::imul | Opcode::shl, .. });
    let found: Vec<Inst> = insts.iter().copied().filter(|&i| is_product(i) && find(m, f, i).is_some()).collect();
    if found.is_empty() {
        return false;
    }
    let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
    for &i in insts {
        f.for_each_operand(i, |v| uses[v] += 1);
    }
    let mut changed = false;
    for i in found {
        // What was found may be another instruction by now.
        if let Some(Candidate { sum, x, moved, by }) = find(m, f, i)
            && let InstData::Binary { op, args: [a, _] } = f.insts[i]
            && uses[a] == 1
        {
            let InstData::Binary { args: [_, d], .. } = f.insts[i] else { continue };
            f.insts[sum] = InstData::Binary { op, args: [x, d] };
            let constant = f.const_bits(f.ty(a), moved);
            f.insts[i] = InstData::Binary { op: by, args: [a, constant] };
            if let Some(debug) = &mut f.debug {
                debug.values.remove(&a);
            }
            changed = true;
        }
    }
    changed
}

/// A product or shift of a sum.
struct Candidate {
    sum: Inst,
    /// What the constant is added to.
    x: Value,
    /// What is added to the product.
    moved: u64,
    /// `iadd` or `isub`.
    by: Opcode,
}

fn find(m: &Module, f: &Function, i: Inst) -> Option<Candidate> {
    let InstData::Binary { op: op @ (Opcode::imul | Opcode::shl), args: [a, d] } = f.insts[i] else {
        return None;
    };
    let sum = f.def_inst(a)?;
    let InstData::Binary { op: by @ (Opcode::iadd | Opcode::isub), args: [x, c] } = f.insts[sum] else {
        return None;
    };
    let (c, d) = (f.as_const(c)?, f.as_const(d)?);
    let (scalar, 1) = m.types.numeric(f.ty(a))? else {
        return None;
    };
    let moved = eval::scalar(op, scalar, scalar, &[c, d])?;
    Some(Candidate { sum, x, moved, by })
}
