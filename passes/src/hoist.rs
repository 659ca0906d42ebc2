//! `hoist`: code hoisting. What both arms of an `if` compute is computed once before it.
//!
//! Such expressions are very busy where the `if` begins: each path computes them, so nothing runs in vain and no path gets longer. Only
//! expressions whose operands are defined outside of the arms move, in order, so that chains of them move too. Reads move if no effect
//! of their arm is before them, and everything stays that follows a reorder point in an arm, where its value would be live across the
//! point, or a construct that may leave the arm. Inner regions come first: what moves out of an `if` may move out of the next one.

use rtc_base::EntitySet;
use rtc_ir::{Effects, Function, Inst, InstData, Module, Region, Value, effects};
use rustc_hash::FxHashMap;

use crate::cse::same;
use crate::shape::Shape;
use crate::util::{Rename, all_regions, each_function, take_out};
use crate::{Changed, PassCtx, PassError, reorder_audit};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, function))
}

fn function(m: &mut Module, f: &mut Function) -> bool {
    let mut h = Hoist { m, rename: Rename::new(), changed: false };
    for r in all_regions(f).into_iter().rev() {
        h.region(f, r);
    }
    let Hoist { mut rename, changed, .. } = h;
    if changed {
        rename.apply(f);
        // What is computed before stays in one arm without uses; `dce` removes it.
        reorder_audit::check_merges(m, f);
    }
    changed
}

struct Hoist<'a> {
    m: &'a Module,
    rename: Rename,
    changed: bool,
}

/// What may move out of an arm.
#[derive(Default)]
struct Candidates {
    movable: Vec<Movable>,
    /// There is a reorder point in the arm.
    has_point: bool,
}

struct Movable {
    inst: Inst,
    reads_placement: bool,
}

impl Hoist<'_> {
    /// Hoists out of each `if` of region `r`.
    fn region(&mut self, f: &mut Function, r: Region) {
        let mut n = 0;
        while let Some(&i) = f.regions[r].insts.get(n) {
            if let InstData::If { then_, else_, .. } = f.insts[i] {
                let hoisted = self.common(f, then_, else_);
                let count = hoisted.len();
                f.regions[r].insts.splice(n..n, hoisted);
                n += count;
            }
            n += 1;
        }
    }

    /// The expressions that both arms compute, taken out of the first. Those of the second have no uses any more.
    fn common(&mut self, f: &mut Function, first: Region, second: Region) -> Vec<Inst> {
        // An arm of one instruction has only its terminator.
        if [first, second].iter().any(|&r| f.regions[r].insts.len() < 2) {
            return Vec::new();
        }
        let arms = [first, second].map(|r| self.candidates(f, r));
        // With a reorder point in an arm, what reads placement stays: before the `if` it would have the points of both arms after it.
        let points = arms.iter().any(|a| a.has_point);
        let [of_first, of_second] = arms.map(|a| a.movable.into_iter().filter(move |m| !(points && m.reads_placement)).map(|m| m.inst));
        let mut table: FxHashMap<u64, Vec<(Shape, Inst)>> = FxHashMap::default();
        for i in of_first {
            self.rename.operands(f, i);
            if let Some(shape) = Shape::of(self.m, f, i) {
                table.entry(shape.hash_with_operands(f, i)).or_default().push((shape, i));
            }
        }
        let mut hoisted = Vec::new();
        if table.is_empty() {
            return hoisted;
        }
        // Values that the arms define; those of what moves are removed again.
        let mut inside: EntitySet<Value> = EntitySet::new();
        for r in [first, second] {
            f.regions[r].insts.iter().for_each(|&i| f.results(i).iter().for_each(|&v| _ = inside.insert(v)));
        }
        for i in of_second {
            self.rename.operands(f, i);
            let Some(shape) = Shape::of(self.m, f, i) else { continue };
            let mut outside = true;
            f.for_each_operand(i, |v| outside &= !inside.contains(v));
            let Some(equal) = table.get_mut(&shape.hash_with_operands(f, i)).filter(|_| outside) else {
                continue;
            };
            let Some(at) = equal.iter().position(|&(s, other)| s == shape && same(f, other, i)) else {
                continue;
            };
            let (_, kept) = equal.swap_remove(at);
            f.note_merged(i, kept);
            for k in 0..f.results(i).len() {
                let (old, new) = (f.results(i)[k], f.results(kept)[k]);
                self.rename.set(old, new);
                inside.remove(new);
            }
            hoisted.push(kept);
        }
        self.changed |= !hoisted.is_empty();
        take_out(f, first, &hoisted.iter().copied().collect());
        hoisted
    }

    /// The instructions of an arm that may move to before its `if`, as far as effects go.
    fn candidates(&self, f: &Function, arm: Region) -> Candidates {
        let reads = Effects::READS_VAR | Effects::READS_MEM | Effects::READS_QUERY | Effects::READS_PLACEMENT | Effects::READS_HELPERS;
        let mut found = Candidates::default();
        // Nothing in the arm had an effect so far; nothing may have left it.
        let (mut clean, mut open) = (true, true);
        for &i in &f.regions[arm].insts {
            let e = effects::of_inst_deep(self.m, f, i);
            if e.intersects(Effects::REORDERS) {
                found.has_point = true;
                break;
            }
            open &= !e.intersects(Effects::TERMINATES);
            if open && (e.is_pure() || clean && (e - reads).is_empty()) {
                found.movable.push(Movable { inst: i, reads_placement: e.intersects(Effects::READS_PLACEMENT) });
            }
            clean &= (e - reads).is_empty();
        }
        found
    }
}
