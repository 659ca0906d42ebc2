//! Components of vectors in constant buffers that are certainly beyond the end. DXIL reads such a vector by rows of four numbers, so there is no
//! load of what is not in the row; Vulkan leaves the value open.
//!
//! The type checker reports indices that are constant expressions. Here are those that are known after promotion to SSA, such as a variable
//! that is never changed.

use rtc_base::Diagnostic;
use rtc_ir::analysis::RegionTree;
use rtc_ir::{Function, Inst, InstData, Opcode, Region, TypeTable, Value, ValueDef};
use rtc_tables::diagnostics as c;

use crate::ranges::Ranges;

/// Checks `f`, where code that never runs may do anything.
pub(crate) fn check(types: &TypeTable, f: &Function, ranges: &Ranges, out: &mut Vec<Diagnostic>) {
    let mut dead: Option<(RegionTree, Vec<Region>)> = None;
    f.for_each_inst(f.body, |region, i| {
        let Some((index, lanes)) = beyond(types, f, ranges, i) else { return };
        let (tree, never) = dead.get_or_insert_with(|| (RegionTree::of(f), never_entered(f, ranges)));
        if is_used(f, f.result(i)) && !never.iter().any(|&r| tree.contains(r, region)) {
            let text = format!("index {} is out of range: valid indices are 0 to {}", index as i32, lanes - 1);
            out.push(Diagnostic::new(&c::E0320, f.spans[i], text));
        }
    });
}

/// Whether `i` may be such a read.
pub(crate) fn is_checked(f: &Function, i: Inst) -> bool {
    let InstData::Binary { op: Opcode::extract_dyn, args: [vector, _] } = f.insts[i] else { return false };
    matches!(f.values[vector].def, ValueDef::Result(load, _) if f.op(load) == Opcode::cbuf_load)
}

/// The index, and how many components there are.
fn beyond(types: &TypeTable, f: &Function, ranges: &Ranges, i: Inst) -> Option<(u32, u32)> {
    let InstData::Binary { args: [vector, index], .. } = f.insts[i] else { return None };
    if !is_checked(f, i) {
        return None;
    }
    let (_, lanes) = types.numeric(f.ty(vector))?;
    // The range in this branch alone does not count: no iteration of a loop may take the branch.
    let index = ranges.of_value(index).constant()?;
    (index >= lanes).then_some((index, lanes))
}

fn is_used(f: &Function, v: Value) -> bool {
    let mut used = false;
    f.for_each_inst(f.body, |_, i| f.for_each_operand(i, |o| used |= o == v));
    used
}

/// The branches whose condition is known not to hold.
fn never_entered(f: &Function, ranges: &Ranges) -> Vec<Region> {
    let mut out = Vec::new();
    f.for_each_inst(f.body, |_, i| {
        if let InstData::If { cond, then_, else_ } = f.insts[i]
            && let Some(holds) = ranges.at(cond, i).constant()
        {
            out.push(if holds != 0 { else_ } else { then_ });
        }
    });
    out
}
