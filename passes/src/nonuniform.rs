//! `nonuniform`: `NonUniformResourceIndex` becomes a mark of the handles whose indices come from it.
//!
//! In HLSL it is a value, which may be passed on, stored, selected and computed with. Calls are inlined and variables values before
//! this pass, so a forward slice finds every index that is made of one.

use rtc_ir::analysis::forward_slice;
use rtc_ir::{Function, InstData, Module, Opcode};
use rtc_tables::insts::HEAP_NONUNIFORM;

use crate::util::{Rename, all_regions, each_function};
use crate::{Changed, PassCtx, PassError};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, |_, f| function(f)))
}

fn function(f: &mut Function) -> bool {
    let values = forward_slice(f, |i| f.op(i) == Opcode::nonuniform, |_| true);
    let mut rename = Rename::new();
    let mut any = false;
    for r in all_regions(f) {
        for i in std::mem::take(&mut f.regions[r].insts) {
            let from = f.operands(i).first().is_some_and(|&v| values.contains(v));
            match &mut f.insts[i] {
                InstData::Unary { op: Opcode::nonuniform, arg } => {
                    let arg = *arg;
                    rename.set(f.result(i), arg);
                    any = true;
                    continue;
                }
                InstData::Resource { nonuniform, .. } if from => *nonuniform = true,
                InstData::Many { op: Opcode::heap_resource, imm, .. } if from => *imm |= HEAP_NONUNIFORM,
                _ => {}
            }
            f.regions[r].insts.push(i);
        }
    }
    rename.apply(f);
    any
}
