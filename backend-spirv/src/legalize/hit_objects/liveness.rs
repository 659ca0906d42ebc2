//! Liveness of hit objects, and how exits pass them to the results and parameters of constructs.

use rtc_base::BitSet;
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

/// Arguments and the parameters or results that they become, of equal length.
type Assignment = (SmallVec<[Value; 8]>, SmallVec<[Value; 8]>);

/// The lists that exit or loop `i` of region `r` fills, with what it fills them with.
fn fills(f: &Function, r: Region, i: Inst) -> SmallVec<[Assignment; 2]> {
    let mut out = SmallVec::new();
    match f.insts[i] {
        InstData::Loop { init, body, .. } => {
            out.push((f.get(init).into(), f.regions[body].params.as_slice().into()));
        }
        InstData::Exit { op, imm, target, args } => {
            let args = f.get(args);
            let (own, other) = (f.regions[r].owner, target.expand().and_then(|t| f.regions[t].owner));
            let loop_ = |i: Option<Inst>| match i.map(|i| f.insts[i]) {
                Some(InstData::Loop { body, continuing, .. }) => Some((body, continuing)),
                _ => None,
            };
            match op {
                O::yield_ => out.extend(own.map(|o| (args.into(), f.results(o).into()))),
                O::break_ => out.extend(other.map(|o| (args.into(), f.results(o).into()))),
                O::continue_ => {
                    out.extend(loop_(other).map(|l| (args.into(), f.regions[l.1].params.as_slice().into())));
                }
                O::next => out.extend(loop_(own).map(|l| (args.into(), f.regions[l.0].params.as_slice().into()))),
                O::next_if => {
                    let (again, results) = args[1..].split_at(imm as usize);
                    out.extend(loop_(own).map(|l| (again.into(), f.regions[l.0].params.as_slice().into())));
                    out.extend(own.map(|o| (results.into(), f.results(o).into())));
                }
                _ => {}
            }
        }
        _ => {}
    }
    out
}

/// The hit objects that exit or loop `i` of region `r` passes.
pub(super) fn moves(f: &Function, r: Region, i: Inst) -> Moves {
    let mut out = Moves::new();
    for (from, to) in fills(f, r, i) {
        out.extend(from.into_iter().zip(to).filter(|&(_, t)| is_hit(f, t)));
    }
    out
}

/// Which of `wanted` are live after each instruction that records one or changes the table index of one; its own
/// result does not count.
pub(super) fn live_after(f: &Function, wanted: &[Value]) -> FxHashMap<Inst, Vec<Value>> {
    let number: FxHashMap<Value, u32> = wanted.iter().zip(0..).map(|(&v, n)| (v, n)).collect();
    let mut walk =
        Walk { f, number, after: FxHashMap::default(), heads: FxHashMap::default(), conts: FxHashMap::default(), at: FxHashMap::default() };
    walk.region(f.body);
    let named = |b: BitSet| b.iter().map(|n| wanted[n as usize]).collect();
    walk.at.into_iter().map(|(i, b)| (i, named(b))).collect()
}

struct Walk<'a> {
    f: &'a Function,
    number: FxHashMap<Value, u32>,
    /// Live after a construct, at the start of a loop's body, of its continuing region; with their parameters.
    after: FxHashMap<Inst, BitSet>,
    heads: FxHashMap<Inst, BitSet>,
    conts: FxHashMap<Inst, BitSet>,
    at: FxHashMap<Inst, BitSet>,
}

impl Walk<'_> {
    fn number(&self, v: Value) -> Option<u32> {
        self.number.get(&v).copied()
    }

    /// What is live before the parameters of a list get their values.
    fn carry(&self, mut live: BitSet, from: &[Value], to: &[Value]) -> BitSet {
        let wanted: SmallVec<[Value; 8]> =
            from.iter().zip(to).filter(|p| self.number(*p.1).is_some_and(|n| live.remove(n))).map(|p| *p.0).collect();
        wanted.iter().filter_map(|&v| self.number(v)).for_each(|n| _ = live.insert(n));
        live
    }

    /// What is live at the start of `r`. Regions are nested no deeper than the verifier allows.
    fn region(&mut self, r: Region) -> BitSet {
        let f = self.f;
        let mut live = BitSet::default();
        for &i in f.regions[r].insts.iter().rev() {
            live = self.inst(r, i, live);
        }
        live
    }

    fn inst(&mut self, r: Region, i: Inst, mut live: BitSet) -> BitSet {
        let f = self.f;
        match f.insts[i] {
            InstData::If { .. } | InstData::Switch { .. } | InstData::Block { .. } => {
                self.after.insert(i, live);
                let mut before = BitSet::default();
                for inner in f.regions_of(i) {
                    let b = self.region(inner);
                    before.union(&b);
                }
                before
            }
            InstData::Loop { init, body, continuing } => {
                self.after.insert(i, live);
                loop {
                    let cont = self.region(continuing);
                    self.conts.insert(i, cont);
                    let head = self.region(body);
                    if !self.heads.entry(i).or_default().union(&head) {
                        break;
                    }
                }
                let head = self.heads[&i].clone();
                self.carry(head, f.get(init), &f.regions[body].params)
            }
            InstData::Exit { op, target, .. } => {
                let own = f.regions[r].owner;
                let other = target.expand().and_then(|t| f.regions[t].owner);
                let at = |map: &FxHashMap<Inst, BitSet>, i: Option<Inst>| i.and_then(|i| map.get(&i).cloned()).unwrap_or_default();
                let mut bases: SmallVec<[BitSet; 2]> = SmallVec::new();
                match op {
                    O::yield_ => bases.push(at(&self.after, own)),
                    O::break_ => bases.push(at(&self.after, other)),
                    O::continue_ => bases.push(at(&self.conts, other)),
                    O::next => bases.push(at(&self.heads, own)),
                    O::next_if => bases.extend([at(&self.heads, own), at(&self.after, own)]),
                    _ => {}
                }
                let mut out = BitSet::default();
                for (base, (from, to)) in bases.into_iter().zip(fills(f, r, i)) {
                    let b = self.carry(base, &from, &to);
                    out.union(&b);
                }
                out
            }
            _ => {
                for &v in f.results(i) {
                    if let Some(n) = self.number(v) {
                        live.remove(n);
                    }
                }
                if records(f.op(i)) || f.op(i) == O::hit_set_shader_table_index {
                    self.at.entry(i).or_default().union(&live);
                }
                f.for_each_operand(i, |v| {
                    if let Some(n) = self.number(v) {
                        live.insert(n);
                    }
                });
                live
            }
        }
    }
}
