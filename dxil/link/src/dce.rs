//! Dead code elimination: a worklist of instructions without uses.

use rtc_dxil_module::{Body, Inst, Op, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Removes instructions without uses that are `removable`, with their names and what is attached to them.
pub fn drop_unused(body: &mut Body, removable: impl Fn(&Body, &Op) -> bool) {
    let mut uses: FxHashMap<Inst, u32> = FxHashMap::default();
    let all: Vec<Inst> = body.blocks.values().flatten().copied().collect();
    for &i in &all {
        body.operands(i, |v| {
            if let Value::Inst(i) = v {
                *uses.entry(i).or_default() += 1;
            }
        });
    }
    let unused = |i: &Inst| uses.get(i).is_none_or(|&n| n == 0);
    let mut work: Vec<Inst> = all.into_iter().filter(|i| removable(body, &body.insts[*i].op) && unused(i)).collect();
    let mut gone: FxHashSet<Inst> = FxHashSet::default();
    while let Some(i) = work.pop() {
        if !gone.insert(i) {
            continue;
        }
        body.operands(i, |v| {
            if let Value::Inst(of) = v
                && let Some(n) = uses.get_mut(&of)
            {
                *n -= 1;
                if *n == 0 && removable(body, &body.insts[of].op) {
                    work.push(of);
                }
            }
        });
    }
    for insts in body.blocks.values_mut() {
        insts.retain(|i| !gone.contains(i));
    }
    // Removed instructions keep no operands.
    for i in &gone {
        body.insts[*i].op = Op::Unreachable;
    }
    body.attached.retain(|a| !gone.contains(&a.0));
    body.names.retain(|v, _| !matches!(v, Value::Inst(i) if gone.contains(i)));
}
