//! `sink`: tail merging. What all arms of a branch compute last, from other operands, is computed once after it from what the arms give.
//!
//! `x = if c { f(a) } else { f(b) }` becomes `x = f(if c { a } else { b })`. Every path computes as much as before. The branch gives the
//! operands that differ in place of the result, so this pays if they are not more than what it saves: components that join in a target
//! without vectors are counted against instructions of the arms. Only computations without effects move, that nothing but the end of
//! their arm uses, and none that would keep its operands live while other shaders run. Inner branches come first, and each computation
//! that moved may move out of the next branch.

use rtc_base::{EntitySet, SecondaryMap};
use rtc_ir::analysis::{Exits, parents};
use rtc_ir::{Effects, Format, Function, Inst, InstData, Module, Opcode, Region, Type, Value, effects};
use smallvec::SmallVec;

use crate::fold::is_commutative;
use crate::shape::Shape;
use crate::util::{Rename, all_regions, each_function, set_args, take_out};
use crate::{Changed, PassCtx, PassError, reorder_audit};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, function))
}

fn function(m: &mut Module, f: &mut Function) -> bool {
    let is_branch = |d: &InstData| matches!(d, InstData::If { .. } | InstData::Switch { .. });
    if !f.insts.values().any(is_branch) {
        return false;
    }
    let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
    f.for_each_inst(f.body, |_, i| f.for_each_operand(i, |v| uses[v] += 1));
    let mut s = Sink { m, exits: Exits::of(f), home: parents(f), uses, rename: Rename::new(), changed: false };
    for r in all_regions(f).into_iter().rev() {
        s.region(f, r);
    }
    let Sink { mut rename, changed, .. } = s;
    if changed {
        rename.apply(f);
        reorder_audit::check_merges(m, f);
    }
    changed
}

struct Sink<'a> {
    m: &'a Module,
    exits: Exits,
    /// The region of each instruction.
    home: SecondaryMap<Inst, Region>,
    uses: SecondaryMap<Value, u32>,
    rename: Rename,
    changed: bool,
}

/// The end of an arm from which control goes on after the branch.
struct Arm {
    region: Region,
    exit: Inst,
    gives: Vec<Value>,
    /// The instructions after the last one that runs other shaders or reorders threads; none: not looked at yet.
    late: Option<EntitySet<Inst>>,
    /// What moves out of the arm.
    moved: EntitySet<Inst>,
}

/// What all arms compute for a result.
struct Tail {
    /// The computation in each arm.
    insts: SmallVec<[Inst; 4]>,
    /// The operands of each, in the order of the first arm's.
    operands: SmallVec<[SmallVec<[Value; 8]>; 4]>,
}

impl Sink<'_> {
    /// Moves computations out of each branch of region `r`.
    fn region(&mut self, f: &mut Function, r: Region) {
        let mut n = 0;
        while let Some(&c) = f.regions[r].insts.get(n) {
            n += 1;
            if matches!(f.insts[c], InstData::If { .. } | InstData::Switch { .. }) && !f.results(c).is_empty() {
                let moved = self.branch(f, c);
                moved.iter().for_each(|&i| self.home[i] = r);
                let count = moved.len();
                f.regions[r].insts.splice(n..n, moved);
                n += count;
            }
        }
    }

    /// What moves out of branch `c`, in order.
    fn branch(&mut self, f: &mut Function, c: Inst) -> Vec<Inst> {
        let mut arms: SmallVec<[Arm; 4]> = SmallVec::new();
        for region in f.regions_of(c) {
            if let Some(exit) = f.terminator(region).filter(|&i| f.op(i) == Opcode::yield_) {
                let gives = f.operands(exit).iter().map(|&v| self.rename.get(v)).collect();
                arms.push(Arm { region, exit, gives, late: None, moved: EntitySet::new() });
            }
        }
        // A `break` from deeper inside gives results, too.
        if arms.len() < 2 || self.exits.leave[c].len() != arms.len() {
            return Vec::new();
        }
        let mut results: Vec<Value> = f.results(c).to_vec();
        let mut moved = Vec::new();
        let mut n = 0;
        while n < results.len() {
            match self.tail(f, &mut arms, n) {
                Some(tail) => moved.push(self.take(f, c, &mut arms, &mut results, n, &tail)),
                None => n += 1,
            }
        }
        if moved.is_empty() {
            return moved;
        }
        self.changed = true;
        f.set_results(c, &results);
        for arm in &arms {
            set_args(f, arm.exit, &arm.gives, 0);
            take_out(f, arm.region, &arm.moved);
        }
        moved.reverse();
        moved
    }

    /// The computation that all arms give as result `n`, if it pays to move it.
    fn tail(&mut self, f: &Function, arms: &mut [Arm], n: usize) -> Option<Tail> {
        let mut tail = Tail { insts: SmallVec::new(), operands: SmallVec::new() };
        let mut first: Option<Shape> = None;
        for arm in arms.iter_mut() {
            let v = arm.gives[n];
            let i = f.def_inst(v).filter(|&i| self.home[i] == arm.region && self.uses[v] == 1)?;
            let shape = self.movable(f, i)?;
            let late = arm.late.get_or_insert_with(|| self.late(f, arm.region));
            if first.is_some_and(|s| s != shape) || !late.contains(i) {
                return None;
            }
            first = Some(shape);
            let mut operands: SmallVec<[Value; 8]> = f.operands(i).iter().map(|&v| self.rename.get(v)).collect();
            if let Some(one) = tail.operands.first() {
                let crossed = |a: usize| one[a] == operands[1 - a];
                if operands.len() == 2
                    && is_commutative(f.op(i))
                    && (crossed(0) || crossed(1))
                    && one[0] != operands[0]
                    && one[1] != operands[1]
                {
                    operands.swap(0, 1);
                }
                let types = |o: &[Value]| o.iter().map(|&v| f.ty(v)).collect::<SmallVec<[Type; 8]>>();
                if types(one) != types(&operands) {
                    return None;
                }
            }
            tail.insts.push(i);
            tail.operands.push(operands);
        }
        let joined: Option<u32> = self.differing(&tail).map(|k| self.lanes(f, tail.operands[0][k])).sum();
        let lanes = self.lanes(f, arms[0].gives[n])?;
        // One computation is left of those of all arms; `construct` costs nothing.
        let each = if f.op(tail.insts[0]) == Opcode::construct { 0 } else { lanes };
        let saved = each * (arms.len() as u32 - 1) + lanes;
        let pays = if each == 0 { joined? <= saved } else { joined? < saved };
        pays.then_some(tail)
    }

    /// The operands that differ between the arms.
    fn differing<'t>(&self, tail: &'t Tail) -> impl Iterator<Item = usize> + 't {
        (0..tail.operands[0].len()).filter(|&k| tail.operands.iter().any(|o| o[k] != tail.operands[0][k]))
    }

    /// The shape of a computation that may move to any later place.
    fn movable(&self, f: &Function, i: Inst) -> Option<Shape> {
        let op = f.op(i);
        let fine = matches!(op.format(), Format::Unary | Format::Binary | Format::Ternary) || op == Opcode::construct;
        if !fine || f.results(i).len() != 1 || !effects::of_inst(self.m, f, i).is_pure() {
            return None;
        }
        Shape::of(self.m, f, i)
    }

    /// The instructions of `arm` after which no other shaders run and no threads are reordered: operands would be live across that.
    fn late(&self, f: &Function, arm: Region) -> EntitySet<Inst> {
        let runs = Effects::REORDERS | Effects::RUNS_SHADERS;
        let all = f.regions[arm].insts.iter().rev();
        all.copied().take_while(|&i| !effects::of_inst_deep(self.m, f, i).intersects(runs)).collect()
    }

    /// How many components `v` has, if a branch may give it.
    fn lanes(&self, f: &Function, v: Value) -> Option<u32> {
        self.m.types.numeric(f.ty(v)).map(|(_, lanes)| lanes)
    }

    /// Takes `tail`, which is result `n` of `c`, out of the arms. The instruction that computes it after the branch.
    fn take(&mut self, f: &mut Function, c: Inst, arms: &mut [Arm], results: &mut Vec<Value>, n: usize, tail: &Tail) -> Inst {
        let mut operands = tail.operands[0].clone();
        for k in self.differing(tail).collect::<SmallVec<[usize; 8]>>() {
            let ty = f.ty(operands[k]);
            // The branch gets its list of results once, at the end.
            f.set_results(c, &[]);
            let joined = f.add_result(c, ty);
            self.uses[joined] = 1;
            operands[k] = joined;
            results.push(joined);
            for (arm, of) in arms.iter_mut().zip(&tail.operands) {
                arm.gives.push(of[k]);
            }
        }
        let kept = tail.insts[0];
        let old = results.remove(n);
        // A new instruction: debug information inside the arms may not name what is computed after them.
        let one = f.make(f.insts[kept], &[f.ty(old)], f.spans[kept]);
        f.own_operands(one);
        let mut next = operands.iter();
        f.map_operands(one, |v| next.next().copied().unwrap_or(v));
        f.inherit_own(one, kept);
        for (arm, &i) in arms.iter_mut().zip(&tail.insts) {
            arm.gives.remove(n);
            f.note_merged(i, one);
            arm.moved.insert(i);
        }
        let result = f.result(one);
        self.uses[result] = self.uses[old];
        self.rename.set(old, result);
        one
    }
}
