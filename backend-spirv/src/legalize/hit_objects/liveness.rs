//! Liveness of hit objects, and how exits pass them to the results and parameters of constructs.

use std::borrow::Cow;

use rtc_base::BitSet;
use rtc_base::dataflow::{Backward, Starts};
use rtc_ir::analysis::{Graph, passed};
use rtc_ir::{Function, Inst, InstData, Opcode as O, Region, Type, Value, ValueDef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Hit objects that an instruction passes: from, to.
pub(super) type Moves = SmallVec<[(Value, Value); 4]>;

/// Whether `v` is a hit object.
pub(super) fn is_hit(f: &Function, v: Value) -> bool {
    f.ty(v) == Type::HIT_OBJECT
}

/// Whether instruction `op` gives a new hit object.
pub(super) fn records(op: O) -> bool {
    matches!(op, O::hit_trace | O::hit_from_query | O::hit_from_query_attrs | O::hit_make_miss | O::hit_make_nop | O::hit_record)
}

/// Whether `v` is undefined or comes from `hit_make_nop`: HLSL's default.
pub(super) fn is_nop(f: &Function, v: Value) -> bool {
    match f.values[v].def {
        ValueDef::Undef => true,
        ValueDef::Result(i, _) => f.op(i) == O::hit_make_nop,
        _ => false,
    }
}

/// The hit objects that exit or loop `i` of region `r` passes.
pub(super) fn moves(f: &Function, r: Region, i: Inst) -> Moves {
    passed(f, r, i).flat_map(|p| p.pairs().filter(|&(_, to)| is_hit(f, to)).collect::<Moves>()).collect()
}

/// Which of `wanted` are live after each instruction that records one or changes the table index of one; its own
/// result does not count.
pub(super) fn live_after(f: &Function, wanted: &[Value]) -> FxHashMap<Inst, Vec<Value>> {
    let number: FxHashMap<Value, u32> = wanted.iter().zip(0..).map(|(&v, n)| (v, n)).collect();
    let analysis = Liveness { f, graph: Graph::of(f), number };
    let order = &analysis.graph.order;
    let starts = Starts::solve(&analysis, analysis.graph.blocks.len(), order);
    let mut found = FxHashMap::default();
    for &b in order {
        let mut live = starts.end_of(&analysis, b);
        for &i in analysis.graph.insts(f, b).iter().rev() {
            analysis.kill(i, &mut live);
            if records(f.op(i)) || f.op(i) == O::hit_set_shader_table_index {
                found.insert(i, live.iter().map(|n| wanted[n as usize]).collect());
            }
            analysis.gen_uses(i, &mut live);
        }
    }
    found
}

/// A backward analysis: which of some hit objects are used later. A state has their numbers.
struct Liveness<'f> {
    f: &'f Function,
    graph: Graph,
    number: FxHashMap<Value, u32>,
}

impl Liveness<'_> {
    fn numbers(&self, values: impl Iterator<Item = Value>) -> impl Iterator<Item = u32> {
        values.filter_map(|v| self.number.get(&v).copied())
    }

    fn kill(&self, i: Inst, live: &mut BitSet) {
        self.numbers(self.f.results(i).iter().copied()).for_each(|n| _ = live.remove(n));
    }

    /// Adds what `i` uses. What a loop or an exit passes is used where its result or parameter is.
    fn gen_uses(&self, i: Inst, live: &mut BitSet) {
        if matches!(self.f.insts[i], InstData::Exit { .. }) || self.f.owns_regions(i) {
            return;
        }
        self.f.for_each_operand(i, |v| self.numbers(std::iter::once(v)).for_each(|n| _ = live.insert(n)));
    }
}

impl Backward for Liveness<'_> {
    type State = BitSet;

    fn end(&self) -> BitSet {
        BitSet::new()
    }

    fn successors(&self, b: u32) -> impl Iterator<Item = u32> {
        self.graph.blocks[b as usize].edges.iter().map(|e| e.to)
    }

    fn edge<'s>(&self, b: u32, n: usize, start: &'s BitSet) -> Cow<'s, BitSet> {
        let passed = &self.graph.blocks[b as usize].edges[n].passed;
        if self.numbers(passed.to.iter().copied()).next().is_none() {
            return Cow::Borrowed(start);
        }
        // All are passed at once, so that a value may replace another one.
        let mut live = start.clone();
        let used: SmallVec<[Value; 8]> =
            passed.pairs().filter(|&(_, to)| self.number.get(&to).is_some_and(|&n| live.remove(n))).map(|(from, _)| from).collect();
        self.numbers(used.into_iter()).for_each(|n| _ = live.insert(n));
        Cow::Owned(live)
    }

    fn block(&self, b: u32, live: &mut BitSet) {
        for &i in self.graph.insts(self.f, b).iter().rev() {
            self.kill(i, live);
            self.gen_uses(i, live);
        }
    }

    fn join(&self, to: &mut BitSet, from: &BitSet) {
        to.union(from);
    }
}
