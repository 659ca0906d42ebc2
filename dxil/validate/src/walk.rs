//! Visits every instruction once and applies the tables of rules to it.

use super::{CALLS, Cx, Here, INSTS, instr};

pub(super) fn functions(cx: &mut Cx<'_>) {
    let m = cx.m;
    for (func, f) in m.funcs.iter() {
        let Some(body) = &f.body else { continue };
        let here = Here { func, body };
        instr::enter(cx, here);
        for insts in body.blocks.values() {
            for &inst in insts {
                for rule in INSTS {
                    rule(cx, here, inst);
                }
                if let Some(call) = cx.call(body, inst)
                    && instr::signature(cx, here, call)
                {
                    for rule in CALLS {
                        rule(cx, here, call);
                    }
                }
            }
        }
    }
}
