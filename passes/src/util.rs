//! What several passes need: value replacement, parents, exits by construct.

use rtc_base::{PackedOption, SecondaryMap};
use rtc_ir::{Function, Inst, InstData, Module, Opcode, Region, Stage, Value};
use rustc_hash::FxHashMap;

use crate::Changed;

/// Runs `run` over every function of `m`, which is taken out meanwhile. `run` says whether it changed something.
pub(crate) fn each_function(m: &mut Module, mut run: impl FnMut(&mut Module, &mut Function) -> bool) -> Changed {
    let mut changed = false;
    let mut out = Function::new("", Stage::Library);
    for id in m.funcs.keys() {
        std::mem::swap(&mut out, &mut m.funcs[id]);
        changed |= run(m, &mut out);
        std::mem::swap(&mut out, &mut m.funcs[id]);
    }
    changed.into()
}

/// Values that were replaced by others. Operands are changed when it is applied.
#[derive(Default)]
pub(crate) struct Rename {
    map: SecondaryMap<Value, PackedOption<Value>>,
    any: bool,
    /// How many values `map` has room for.
    room: usize,
}

impl Rename {
    pub fn new() -> Self {
        Self::default()
    }
    /// From now on `from` is `to`.
    pub fn set(&mut self, from: Value, to: Value) {
        if from != to {
            if from.as_u32() as usize >= self.room {
                self.room = (2 * from.as_u32() as usize).max(64);
                self.map.resize(self.room);
            }
            self.map[from] = Some(to).into();
            self.any = true;
        }
    }
    /// What `v` is now. Chains are shortened on the way.
    pub fn get(&mut self, v: Value) -> Value {
        if !self.any {
            return v;
        }
        let mut last = v;
        while let Some(next) = self.map[last].expand() {
            last = next;
        }
        let mut at = v;
        while let Some(next) = self.map[at].expand() {
            if next != last {
                self.map[at] = Some(last).into();
            }
            at = next;
        }
        last
    }
    /// Hands the names of values that were replaced on to what they are now. When all is set, once.
    pub fn hand_names_on(&mut self, f: &mut Function) {
        if !self.any || f.debug.is_none() {
            return;
        }
        if let Some(d) = &mut f.debug {
            d.replace(|v| self.get(v));
        }
        let named: Vec<Value> = f.debug.iter().flat_map(|d| d.values.keys().copied()).collect();
        for v in named {
            let now = self.get(v);
            if now != v {
                f.hand_name_on(v, now);
            }
        }
    }
    /// Changes every operand of `f`, and hands names on.
    pub fn apply(&mut self, f: &mut Function) {
        if self.any {
            for i in all_insts(f) {
                f.map_operands(i, |v| self.get(v));
            }
            self.hand_names_on(f);
        }
    }
    /// Changes the operands of `inst`.
    pub fn operands(&mut self, f: &mut Function, inst: Inst) {
        if self.any {
            f.map_operands(inst, |v| self.get(v));
        }
    }
}

/// Every instruction in the order of the text.
pub(crate) fn all_insts(f: &Function) -> Vec<Inst> {
    let mut all = Vec::with_capacity(f.insts.len());
    f.for_each_inst(f.body, |_, i| all.push(i));
    all
}

/// Every region, owners before what they own.
pub(crate) fn all_regions(f: &Function) -> Vec<Region> {
    let mut all = Vec::with_capacity(f.regions.len());
    f.for_each_region(f.body, |r| all.push(r));
    all
}

/// The region in which each instruction stands.
pub(crate) fn parents(f: &Function) -> SecondaryMap<Inst, Region> {
    let mut out = SecondaryMap::with_default(f.body);
    out.resize(f.insts.len());
    f.for_each_inst(f.body, |r, i| out[i] = r);
    out
}

/// Where the exits of a function lead.
#[derive(Default)]
pub(crate) struct Exits {
    /// The exits that leave each construct with its results: `yield`, `break`, `next_if`.
    pub leave: Lists,
    /// The `continue`s of each loop.
    pub continues: Lists,
    /// The `next` and `next_if` of each loop.
    pub nexts: Lists,
}

/// A list for some instructions, empty for all others.
#[derive(Default)]
pub(crate) struct Lists(FxHashMap<Inst, Vec<Inst>>);

impl Lists {
    fn add(&mut self, to: Inst, one: Inst) {
        self.0.entry(to).or_default().push(one);
    }
    /// The lists that are not empty, in any order.
    pub fn iter(&self) -> impl Iterator<Item = (Inst, &[Inst])> {
        self.0.iter().map(|(i, list)| (*i, list.as_slice()))
    }
}

impl std::ops::Index<Inst> for Lists {
    type Output = [Inst];
    fn index(&self, i: Inst) -> &[Inst] {
        self.0.get(&i).map_or(&[], Vec::as_slice)
    }
}

impl Exits {
    pub fn of(f: &Function) -> Exits {
        let mut out = Exits::default();
        f.for_each_inst(f.body, |r, i| {
            let InstData::Exit { op, .. } = f.insts[i] else {
                return;
            };
            let Some(construct) = target_construct(f, r, i) else {
                return;
            };
            match op {
                Opcode::continue_ => out.continues.add(construct, i),
                Opcode::next => out.nexts.add(construct, i),
                Opcode::next_if => {
                    out.nexts.add(construct, i);
                    out.leave.add(construct, i);
                }
                Opcode::yield_ | Opcode::break_ => out.leave.add(construct, i),
                _ => {}
            }
        });
        out
    }
}

/// The construct that exit `i` in region `r` leaves, or whose loop it continues. `None` for what leaves the
/// function.
pub(crate) fn target_construct(f: &Function, r: Region, i: Inst) -> Option<Inst> {
    match f.insts[i] {
        InstData::Exit { op, target, .. } => match op {
            Opcode::break_ | Opcode::continue_ => f.regions[target.expand()?].owner,
            Opcode::yield_ | Opcode::next | Opcode::next_if => f.regions[r].owner,
            _ => None,
        },
        _ => None,
    }
}

/// Index of the first operand of exit `i` that is a result of the construct it leaves.
pub(crate) fn results_start(f: &Function, i: Inst) -> usize {
    match f.insts[i] {
        InstData::Exit { op: Opcode::next_if, imm, .. } => 1 + imm as usize,
        _ => 0,
    }
}

/// Replaces the operands of an exit, or the initial values of a loop. `again`: how many operands of `next_if`
/// go to the body.
pub(crate) fn set_args(f: &mut Function, i: Inst, values: &[Value], again: u32) {
    let list = f.list(values);
    match &mut f.insts[i] {
        InstData::Exit { op, imm, args, .. } => {
            *args = list;
            if *op == Opcode::next_if {
                *imm = again;
            }
        }
        InstData::Loop { init, .. } => *init = list,
        _ => rtc_base::bug!("{i} has no list of exit operands"),
    }
}
