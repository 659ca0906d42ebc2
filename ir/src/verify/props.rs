//! Verifier, phase 5: the properties that the module claims hold.

use rtc_base::EntitySet;

use super::Errors;
use crate::inst::Root;
use crate::text::Note;
use crate::{Function, GlobalKind, InstData, Local, Opcode, Props, Value, ValueDef};

pub(super) fn check(e: &mut Errors) {
    let m = e.m;
    let claims = |p: Props| m.props.contains(p);
    if claims(Props::NO_PRIVATES) {
        for (g, data) in &m.globals {
            if matches!(data.kind, GlobalKind::Private(_, None)) {
                e.add(Note::Global(g), "module property no_privates does not hold");
            }
        }
    }
    for (id, f) in &m.funcs {
        if claims(Props::INLINED) && !f.is_entry() && !f.exported && !f.declared {
            e.add(Note::Func(id), "module property inlined does not hold: no caller and no entry point");
        }
        if claims(Props::NO_LOCALS) {
            let passed = passed(f);
            for (l, data) in &f.locals {
                if data.param.is_none() && m.types.is_value(data.ty) && !passed.contains(l) {
                    e.add(Note::Local(id, l), "module property no_locals does not hold");
                }
            }
        }
        let mut found = Vec::new();
        f.for_each_inst(f.body, |_, i| {
            let data = f.insts[i];
            if claims(Props::INLINED) && matches!(data, InstData::Call { func, .. } if !m.funcs[func].declared) {
                found.push((i, "module property inlined does not hold"));
            }
            if claims(Props::DIRECT_HANDLES) && f.op(i) != Opcode::return_ {
                let direct = |v: Value| match f.values[v].def {
                    ValueDef::Result(by, _) => {
                        matches!(f.op(by), Opcode::resource | Opcode::heap_resource | Opcode::allocate_ray_query)
                    }
                    ValueDef::Param(r, _) => r == f.body,
                    _ => false,
                };
                let handle = |v: &Value| {
                    let t = f.ty(*v);
                    m.types.as_resource(t).is_some() || m.types.is_ray_query(t)
                };
                if f.operands(i).into_iter().filter(handle).any(|v| !direct(v)) {
                    found.push((i, "module property direct_handles does not hold"));
                }
            }
            let arithmetic = matches!(data, InstData::Unary { .. } | InstData::Binary { .. } | InstData::Ternary { .. });
            if claims(Props::SCALAR_ONLY) && arithmetic {
                let wide = |v| m.types.numeric(f.ty(v)).is_some_and(|n| n.1 > 1);
                if f.operands(i).into_iter().any(wide) || f.results(i).iter().any(|&v| wide(v)) {
                    found.push((i, "module property scalar_only does not hold"));
                }
            }
        });
        for (i, message) in found {
            e.inst(id, i, message);
        }
    }
}

/// The variables that calls pass by reference: the callee may write them.
fn passed(f: &Function) -> EntitySet<Local> {
    let mut out = EntitySet::new();
    f.for_each_inst(f.body, |_, i| {
        let InstData::Call { refs, .. } = f.insts[i] else { return };
        for &p in f.get_places(refs) {
            if let Root::Local(l) = f.places[p].root {
                out.insert(l);
            }
        }
    });
    out
}
