//! `share_payloads`: coalescing of payload variables.
//!
//! Every trace and every invocation has a payload of its own; where the source passes one structure to both, its fields
//! are copied from one to the other. If the first is dead when the second is written, field by field,
//! both become one variable and the copies go (`forward`, `dce`): then trace, reorder and invocation can be one instruction.

use rtc_ir::{Function, Inst, InstData, Module, Opcode as O, Place, Region, Root, Slot, SlotRole, Step, Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::util::each_function;
use crate::{Changed, PassCtx, PassError};

/// A set of fields for each slot.
type State = Vec<u64>;
type Path = SmallVec<[Step; 4]>;

/// Payloads of more fields stay what they are: a word has a bit for each.
const MAX_FIELDS: usize = 64;
/// So many payloads of a function are looked at.
const MAX_SLOTS: usize = 256;

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, |m, f| share(m, f)))
}

/// Makes the payloads of traces and invocations of one hit object one where that changes nothing. Whether it did.
pub fn share(m: &Module, f: &mut Function) -> bool {
    let mut pairs: Vec<(Slot, Slot)> = Vec::new();
    f.for_each_inst(f.body, |_, i| {
        let InstData::Slot { op: O::hit_invoke, slot: to, args } = f.insts[i] else { return };
        let Some(trace) = f.def_inst(f.get(args)[0]) else { return };
        let InstData::Slot { op: O::hit_trace, slot: from, .. } = f.insts[trace] else { return };
        let outgoing = |s: Slot| f.slots[s].role == SlotRole::PayloadOut;
        if from != to && f.slots[from].ty == f.slots[to].ty && outgoing(from) && outgoing(to) {
            pairs.push((from, to));
        }
    });
    if pairs.is_empty() {
        return false;
    }
    let mut slots: Vec<Slot> = pairs.iter().flat_map(|p| [p.0, p.1]).collect();
    slots.sort_unstable();
    slots.dedup();
    let fields: FxHashMap<Type, Vec<Path>> = slots.iter().map(|&s| f.slots[s].ty).map(|t| (t, fields(m, t))).collect();
    slots.retain(|&s| fields[&f.slots[s].ty].len() <= MAX_FIELDS);
    slots.truncate(MAX_SLOTS);
    let mut walk = Walk {
        f,
        slots: &slots,
        fields: &fields,
        after: FxHashMap::default(),
        heads: FxHashMap::default(),
        conts: FxHashMap::default(),
        conflicts: FxHashSet::default(),
    };
    walk.region(f.body);
    let conflicts = walk.conflicts;
    // Which slot each is now; those that became one conflict with whatever one of them does.
    let mut now: Vec<usize> = (0..slots.len()).collect();
    let number = |s: Slot| slots.binary_search(&s).ok();
    let mut changed = false;
    for (a, b) in pairs {
        let (Some(a), Some(b)) = (number(a), number(b)) else { continue };
        let (a, b) = (now[a], now[b]);
        let [left, right] = [a, b].map(|x| (0..now.len()).filter(|&n| now[n] == x).collect::<Vec<_>>());
        let clash = left.iter().any(|&x| right.iter().any(|&y| conflicts.contains(&(x, y))));
        if a != b && !clash {
            now.iter_mut().filter(|n| **n == b).for_each(|n| *n = a);
            changed = true;
        }
    }
    if changed {
        let renamed = |s: Slot| number(s).map_or(s, |n| slots[now[n]]);
        rename(f, &renamed);
    }
    changed
}

fn rename(f: &mut Function, renamed: &dyn Fn(Slot) -> Slot) {
    let other = |f: &mut Function, p: Place| match f.places[p].root {
        Root::Slot(s) if renamed(s) != s => {
            let steps = f.places[p].steps.clone();
            f.place(Root::Slot(renamed(s)), &steps)
        }
        _ => p,
    };
    let all: Vec<Inst> = f.insts.keys().collect();
    for i in all {
        let mut data = f.insts[i];
        match &mut data {
            InstData::Slot { slot, .. } => *slot = renamed(*slot),
            InstData::Access { place, .. } => *place = other(f, *place),
            InstData::Copy { to, from, .. } => (*to, *from) = (other(f, *to), other(f, *from)),
            _ => continue,
        }
        f.insts[i] = data;
    }
}

/// The ways to the values in `t`; more than [`MAX_FIELDS`] are not counted.
fn fields(m: &Module, t: Type) -> Vec<Path> {
    fn go(m: &Module, t: Type, path: &mut Path, out: &mut Vec<Path>) {
        let count = match m.types.kind(t) {
            TypeKind::Struct(s) => m.structs[s].fields.len() as u32,
            TypeKind::Array(_, n) => n,
            _ => return out.push(path.clone()),
        };
        for n in 0..count {
            if let Some(part) = m.part(t, Some(n)).filter(|_| out.len() <= MAX_FIELDS) {
                path.push(Step::At(n));
                go(m, part, path, out);
                path.pop();
            }
        }
    }
    let mut out = Vec::new();
    go(m, t, &mut Path::new(), &mut out);
    out
}

struct Walk<'a> {
    f: &'a Function,
    slots: &'a [Slot],
    fields: &'a FxHashMap<Type, Vec<Path>>,
    after: FxHashMap<Inst, State>,
    heads: FxHashMap<Inst, State>,
    conts: FxHashMap<Inst, State>,
    conflicts: FxHashSet<(usize, usize)>,
}

impl Walk<'_> {
    fn nothing(&self) -> State {
        vec![0; self.slots.len()]
    }

    fn number(&self, s: Slot) -> Option<usize> {
        self.slots.binary_search(&s).ok()
    }

    /// The slot of a place, its fields there, and whether they are all of the place.
    fn touched(&self, p: Place) -> Option<(usize, u64, bool)> {
        let data = &self.f.places[p];
        let Root::Slot(s) = data.root else { return None };
        let n = self.number(s)?;
        let (mut mask, mut whole) = (0, false);
        for (bit, path) in self.fields[&self.f.slots[s].ty].iter().enumerate() {
            let fits = data.steps.iter().zip(path).all(|(a, b)| *a == Step::Dyn || a == b);
            if fits {
                mask |= 1 << bit;
                whole |= data.steps == *path;
            }
        }
        Some((n, mask, whole))
    }

    /// Fields `mask` of slot `n` are written while `live` is live.
    fn write(&mut self, n: usize, mask: u64, live: &State) {
        for (o, other) in live.iter().enumerate() {
            if o != n && other & mask != 0 {
                self.conflicts.extend([(o, n), (n, o)]);
            }
        }
    }

    /// What is live at the start of `r`. Regions are nested no deeper than the verifier allows.
    fn region(&mut self, r: Region) -> State {
        let mut live = self.nothing();
        for &i in self.f.regions[r].insts.iter().rev() {
            live = self.inst(r, i, live);
        }
        live
    }

    fn inst(&mut self, r: Region, i: Inst, mut live: State) -> State {
        let f = self.f;
        match f.insts[i] {
            InstData::If { .. } | InstData::Switch { .. } | InstData::Block { .. } => {
                self.after.insert(i, live);
                let mut before = self.nothing();
                for inner in f.regions_of(i) {
                    let b = self.region(inner);
                    union(&mut before, &b);
                }
                return before;
            }
            InstData::Loop { body, continuing, .. } => {
                self.after.insert(i, live);
                loop {
                    let cont = self.region(continuing);
                    self.conts.insert(i, cont);
                    let head = self.region(body);
                    let known = self.heads.entry(i).or_insert_with(|| vec![0; head.len()]);
                    if !union(known, &head) {
                        return head;
                    }
                }
            }
            InstData::Exit { op, target, .. } => {
                let own = f.regions[r].owner;
                let other = target.expand().and_then(|t| f.regions[t].owner);
                let mut out = self.nothing();
                let mut from = |map: &FxHashMap<Inst, State>, i: Option<Inst>| {
                    if let Some(s) = i.and_then(|i| map.get(&i)) {
                        union(&mut out, s);
                    }
                };
                match op {
                    O::yield_ => from(&self.after, own),
                    O::break_ => from(&self.after, other),
                    O::continue_ => from(&self.conts, other),
                    O::next => from(&self.heads, own),
                    O::next_if => {
                        from(&self.heads, own);
                        from(&self.after, own);
                    }
                    _ => {}
                }
                return out;
            }
            InstData::Access { op, place, .. } => {
                if let Some((n, mask, whole)) = self.touched(place) {
                    if op == O::load {
                        live[n] |= mask;
                    } else {
                        self.write(n, mask, &live);
                        if whole {
                            live[n] &= !mask;
                        }
                    }
                }
            }
            InstData::Copy { to, from, .. } => {
                if let Some((n, mask, _)) = self.touched(to) {
                    self.write(n, mask, &live);
                }
                if let Some((n, mask, _)) = self.touched(from) {
                    live[n] |= mask;
                }
            }
            InstData::Slot { slot, .. } => {
                if let Some(n) = self.number(slot) {
                    // All of it is read, then written.
                    let count = self.fields[&f.slots[slot].ty].len();
                    let all = u64::MAX.checked_shr(64 - count as u32).unwrap_or(0);
                    self.write(n, all, &live);
                    live[n] = all;
                }
            }
            _ => {}
        }
        live
    }
}

/// Adds `other`. Whether that changed something.
fn union(into: &mut State, other: &State) -> bool {
    let mut changed = false;
    for (a, b) in into.iter_mut().zip(other) {
        changed |= b & !*a != 0;
        *a |= b;
    }
    changed
}
