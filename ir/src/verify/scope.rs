//! Verifier, phase 3: definitions dominate uses. A value is used after its definition in the same region, or in what is nested
//! there.

use rtc_base::EntitySet;

use super::Errors;
use crate::analysis::{Event, Walk};
use crate::{Func, Value, ValueDef};

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
    // What became visible, in order; at the end of a region its own are removed.
    let mut added: Vec<Value> = Vec::new();
    let mut marks: Vec<usize> = Vec::new();
    let mut walk = Walk::new(f.body);
    while let Some(event) = walk.next(f) {
        let defined = match event {
            Event::Enter(r) => {
                marks.push(added.len());
                &f.regions[r].params
            }
            Event::Leave(_) => {
                for v in added.drain(marks.pop().unwrap_or(0)..) {
                    visible.remove(v);
                }
                continue;
            }
            // Results appear after the regions, if there are any.
            Event::End(_, i) => f.results(i),
            Event::Inst(_, i) => {
                let mut bad: Vec<Value> = Vec::new();
                f.for_each_operand(i, |v| {
                    if !visible.contains(v) && !bad.contains(&v) {
                        bad.push(v);
                    }
                });
                for v in bad {
                    e.inst(id, i, format!("{v} is used where its definition does not dominate"));
                }
                if f.owns_regions(i) {
                    continue;
                }
                f.results(i)
            }
        };
        for &v in defined {
            visible.insert(v);
            added.push(v);
        }
    }
}
