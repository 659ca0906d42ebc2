//! `licm`: loop-invariant code motion.
//!
//! Only instructions without any effect move, from the top level of the loop's regions and not from branches in them, so that
//! what moves is executed by the first iteration anyway, or is cheap to speculate. They move to before the loop, which is its
//! preheader. A loop with a reorder point in it stays as it is: a value that is computed before the loop would be live across
//! the point. Inner loops come first, so that an instruction may leave several.

use rtc_ir::analysis::RegionTree;
use rtc_ir::{Effects, Function, Inst, InstData, Module, Region, Value, ValueDef, effects};

use crate::util::each_function;
use crate::{Changed, PassCtx, PassError};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, |m, f| function(m, f)))
}

fn function(m: &Module, f: &mut Function) -> bool {
    let tree = RegionTree::of(f);
    let loops = tree.loops().to_vec();
    let mut motion = Motion { m, tree };
    let mut changed = false;
    for l in loops {
        if let Some(preheader) = motion.tree.region(l) {
            changed |= motion.hoist(f, preheader, l);
        }
    }
    changed
}

struct Motion<'a> {
    m: &'a Module,
    tree: RegionTree,
}

impl Motion<'_> {
    /// Whether `v` is defined in one of `regions` or in what they contain.
    fn defined_in(&self, f: &Function, v: Value, regions: &[Region]) -> bool {
        let region = match f.values[v].def {
            ValueDef::Const(_) | ValueDef::Undef => return false,
            ValueDef::Result(i, _) => match self.tree.region(i) {
                Some(r) => r,
                None => return true,
            },
            ValueDef::Param(r, _) => r,
        };
        regions.iter().any(|&r| self.tree.contains(r, region))
    }

    /// Moves the invariant instructions of loop `inst` to before it, into the region `outside`.
    fn hoist(&mut self, f: &mut Function, outside: Region, inst: Inst) -> bool {
        let regions = f.regions_of(inst);
        let m = self.m;
        let mut reorders = false;
        for &r in &regions {
            f.for_each_inst(r, |_, i| reorders |= effects::of_inst(m, f, i).contains(Effects::REORDERS));
        }
        if reorders {
            return false;
        }
        let mut hoisted = Vec::new();
        for (nth, &r) in regions.iter().enumerate() {
            let list = std::mem::take(&mut f.regions[r].insts);
            let mut kept = Vec::with_capacity(list.len());
            // The continuing region runs only after the first iteration of the body.
            let mut certain = nth == 0;
            for (n, &i) in list.iter().enumerate() {
                if f.owns_regions(i) {
                    certain = false; // it may leave the loop
                }
                if !self.may_move(f, i, certain) || f.operands(i).iter().any(|&v| self.defined_in(f, v, &regions)) {
                    kept.push(i);
                    continue;
                }
                self.tree.moved(i, outside);
                if let (Some(d), Some(&next)) = (&mut f.debug, list.get(n + 1)) {
                    d.move_marks(i, next);
                }
                hoisted.push(i);
            }
            f.regions[r].insts = kept;
        }
        if hoisted.is_empty() {
            return false;
        }
        let at = f.regions[outside].insts.iter().position(|&i| i == inst).unwrap_or(0);
        f.regions[outside].insts.splice(at..at, hoisted);
        true
    }

    /// Whether an instruction may be executed before the loop. `certain`: the first iteration executes it.
    fn may_move(&self, f: &Function, i: Inst, certain: bool) -> bool {
        if f.owns_regions(i) || f.results(i).is_empty() || !effects::of_inst(self.m, f, i).is_empty() {
            return false;
        }
        match f.insts[i] {
            InstData::Unary { .. } | InstData::Binary { .. } | InstData::Ternary { .. } => certain || !f.op(i).may_be_undefined(),
            InstData::Many { .. } => certain,
            _ => false,
        }
    }
}
