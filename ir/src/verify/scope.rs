//! Phase 3: a value is used after its definition in the same region or in what is nested there.

use rtc_base::EntitySet;

use super::Errors;
use crate::{Func, Inst, Region, Value, ValueDef};

pub(super) fn check(e: &mut Errors) {
    for id in e.m.funcs.keys() {
        function(e, id);
    }
}

fn function(e: &mut Errors, id: Func) {
    let f = &e.m.funcs[id];
    let mut visible: EntitySet<Value> = EntitySet::new();
    for (v, data) in &f.values {
        if matches!(data.def, ValueDef::Const(_) | ValueDef::Undef) {
            visible.insert(v);
        }
    }
    // What became visible, in order; a region takes back what it added.
    let mut added: Vec<Value> = Vec::new();
    enum Work {
        Enter(Region),
        Inst(Region, usize),
        Results(Inst),
        Leave(usize),
    }
    let mut todo = vec![Work::Enter(f.body)];
    while let Some(work) = todo.pop() {
        match work {
            Work::Enter(r) => {
                todo.push(Work::Leave(added.len()));
                for &p in &f.regions[r].params {
                    visible.insert(p);
                    added.push(p);
                }
                todo.push(Work::Inst(r, 0));
            }
            Work::Leave(mark) => {
                for v in added.drain(mark..) {
                    visible.remove(v);
                }
            }
            Work::Results(i) => {
                for &v in f.results(i) {
                    visible.insert(v);
                    added.push(v);
                }
            }
            Work::Inst(r, at) => {
                let Some(&i) = f.regions[r].insts.get(at) else {
                    continue;
                };
                let mut bad: Vec<Value> = Vec::new();
                f.for_each_operand(i, |v| {
                    if !visible.contains(v) && !bad.contains(&v) {
                        bad.push(v);
                    }
                });
                for v in bad {
                    e.inst(id, i, format!("{v} is not visible here"));
                }
                todo.push(Work::Inst(r, at + 1));
                // Results appear when the regions, if there are any, are left.
                todo.push(Work::Results(i));
                todo.extend(f.regions_of(i).into_iter().rev().map(Work::Enter));
            }
        }
    }
}
