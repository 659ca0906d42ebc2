//! Elimination of redundant results and loop parameters: trivial phis. A result for which all exits give one value, and a loop
//! parameter that every back edge leaves unchanged, is that value.

use std::cell::OnceCell;

use rtc_ir::analysis::{Exits, RegionTree, results_start};
use rtc_ir::{Function, Inst, InstData, Opcode, Value, ValueDef};

use crate::util::Rename;

/// Made where it is needed: in most functions no exits agree.
type Tree = OnceCell<RegionTree>;

/// Whether `v` is available where construct `c` is: it is not defined in it.
fn defined_outside(f: &Function, tree: &Tree, v: Value, c: Inst) -> bool {
    let region = match f.values[v].def {
        ValueDef::Const(_) | ValueDef::Undef => return true,
        ValueDef::Result(i, _) if i == c => return false,
        ValueDef::Result(i, _) => tree.get_or_init(|| RegionTree::of(f)).region(i),
        ValueDef::Param(r, _) => Some(r),
    };
    let tree = tree.get_or_init(|| RegionTree::of(f));
    // A value that an exit of `c` uses is defined in a region around `c`, or in `c`.
    matches!((region, tree.region(c)), (Some(region), Some(here)) if tree.contains(region, here))
}

/// Replaces them in `rename`. Whether there are any.
pub(super) fn run(f: &Function, exits: &Exits, rename: &mut Rename) -> bool {
    let tree = &Tree::new();
    let mut found = false;
    f.for_each_inst(f.body, |_, c| {
        if !f.owns_regions(c) {
            return;
        }
        for (n, &result) in f.results(c).iter().enumerate() {
            let given = exits.leave[c].iter().map(|&e| {
                let at = results_start(f, e) + n;
                f.operands(e)[at]
            });
            if let Some(v) = agreed(given, &[result])
                && defined_outside(f, tree, v, c)
            {
                rename.set(result, v);
                found = true;
            }
        }
        if let InstData::Loop { .. } = f.insts[c] {
            found |= params(f, exits, tree, c, rename);
        }
    });
    found
}

/// The only value in `given`, `ignored` ones aside.
fn agreed(given: impl Iterator<Item = Value>, ignored: &[Value]) -> Option<Value> {
    let mut one = None;
    for v in given {
        if ignored.contains(&v) {
            continue;
        }
        match one {
            None => one = Some(v),
            Some(w) if w == v => {}
            Some(_) => return None,
        }
    }
    one
}

fn params(f: &Function, exits: &Exits, tree: &Tree, c: Inst, rename: &mut Rename) -> bool {
    let InstData::Loop { init, body, continuing } = f.insts[c] else {
        return false;
    };
    let mut found = false;
    // The only value that each parameter of the continuing region gets.
    let passed: Vec<Option<Value>> =
        (0..f.regions[continuing].params.len()).map(|n| agreed(exits.continues[c].iter().map(|&e| f.operands(e)[n]), &[])).collect();
    for (&q, v) in f.regions[continuing].params.iter().zip(&passed) {
        if let Some(v) = *v
            && defined_outside(f, tree, v, c)
        {
            rename.set(q, v);
            found = true;
        }
    }
    for (n, &p) in f.regions[body].params.iter().enumerate() {
        let first = f.get(init)[n];
        let again = exits.nexts[c].iter().map(|&e| {
            let at = usize::from(f.op(e) == Opcode::next_if) + n;
            let v = f.operands(e)[at];
            match f.values[v].def {
                ValueDef::Param(r, k) if r == continuing => passed[k as usize].unwrap_or(v),
                _ => v,
            }
        });
        if agreed(again.chain([first]), &[p]) == Some(first) {
            rename.set(p, first);
            found = true;
        }
    }
    found
}
