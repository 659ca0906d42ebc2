//! Utilities of passes: replacement of values, lists of all instructions and regions, operands of terminators.

use rtc_base::{EntitySet, PackedOption, SecondaryMap};
use rtc_ir::analysis::target_construct;
use rtc_ir::{Func, Function, Inst, InstData, Module, Opcode, Region, Stage, Type, Value};

use crate::Changed;

/// Runs `run` over every function of `m`, which is taken out of the module meanwhile. `run` returns whether it changed something.
pub(crate) fn each_function(m: &mut Module, mut run: impl FnMut(&mut Module, &mut Function) -> bool) -> Changed {
    let mut changed = false;
    let mut out = Function::new("", Stage::Library);
    for id in m.funcs.keys() {
        std::mem::swap(&mut out, &mut m.funcs[id]);
        let here = run(m, &mut out);
        out.settled &= !here;
        changed |= here;
        std::mem::swap(&mut out, &mut m.funcs[id]);
    }
    changed.into()
}

/// A substitution of values, applied to operands all at once or as a pass comes to them: union-find with path compression.
#[derive(Default)]
pub(crate) struct Rename {
    map: SecondaryMap<Value, PackedOption<Value>>,
    any: bool,
    /// How many values `map` has storage for.
    capacity: usize,
}

impl Rename {
    pub fn new() -> Self {
        Self::default()
    }
    /// Replaces `from` by `to`.
    pub fn set(&mut self, from: Value, to: Value) {
        if from != to {
            if from.as_u32() as usize >= self.capacity {
                self.capacity = (2 * from.as_u32() as usize).max(64);
                self.map.resize(self.capacity);
            }
            self.map[from] = Some(to).into();
            self.any = true;
        }
    }
    /// The value that replaces `v`. Chains are shortened.
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
    /// Gives the names of replaced values to their replacements. To be called once, when the substitution is complete.
    pub fn transfer_names(&mut self, f: &mut Function) {
        if !self.any || f.debug.is_none() {
            return;
        }
        if let Some(d) = &mut f.debug {
            d.replace(|v| self.get(v));
        }
        let mut named: Vec<Value> = f.debug.iter().flat_map(|d| d.values.keys().copied()).collect();
        // A value keeps the first few names.
        named.sort_unstable();
        for v in named {
            let now = self.get(v);
            if now != v {
                f.transfer_name(v, now);
            }
        }
    }
    /// Replaces every operand of `f`, and transfers names.
    pub fn apply(&mut self, f: &mut Function) {
        if self.any {
            for i in all_insts(f) {
                f.map_operands(i, |v| self.get(v));
            }
            self.transfer_names(f);
        }
    }
    /// Replaces the operands of `inst`.
    pub fn operands(&mut self, f: &mut Function, inst: Inst) {
        if self.any {
            f.map_operands(inst, |v| self.get(v));
        }
    }
}

/// Removes `moved` from `region`.
pub(crate) fn take_out(f: &mut Function, region: Region, moved: &EntitySet<Inst>) {
    if moved.is_empty() {
        return;
    }
    let list = std::mem::take(&mut f.regions[region].insts);
    // Marks of debug information stay where they were: before what follows in the region.
    for pair in list.windows(2) {
        if let (Some(d), true) = (&mut f.debug, moved.contains(pair[0])) {
            d.move_marks(pair[0], pair[1]);
        }
    }
    f.regions[region].insts = list.into_iter().filter(|&i| !moved.contains(i)).collect();
}

/// Every instruction in the order of the text.
pub(crate) fn all_insts(f: &Function) -> Vec<Inst> {
    let mut all = Vec::with_capacity(f.insts.len());
    f.for_each_inst(f.body, |_, i| all.push(i));
    all
}

/// A copy of an instruction without regions, in no region, with operands of its own.
pub(crate) fn copy(f: &mut Function, i: Inst) -> Inst {
    let types: Vec<Type> = f.results(i).iter().map(|&v| f.ty(v)).collect();
    let copy = f.make(f.insts[i], &types, f.spans[i]);
    f.own_operands(copy);
    f.inherit_own(copy, i);
    copy
}

/// Every region, parents first.
pub(crate) fn all_regions(f: &Function) -> Vec<Region> {
    let mut all = Vec::with_capacity(f.regions.len());
    f.for_each_region(f.body, |r| all.push(r));
    all
}

/// Replaces the operands of a terminator, or the initial values of a loop. `again`: how many operands of `next_if`
/// go to the loop body.
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
        _ => rtc_base::bug!("{i} is neither a terminator nor a loop"),
    }
}

/// The functions that `f` calls, in the order of their first calls.
pub(crate) fn callees(f: &Function) -> Vec<Func> {
    let (mut seen, mut out) = (EntitySet::<Func>::new(), Vec::new());
    // Calls that were inlined stay in the arena until the function is compacted, so only regions say what is called.
    if f.insts.values().any(|d| d.op() == Opcode::call) {
        f.for_each_inst(f.body, |_, i| {
            if let InstData::Call { func, .. } = f.insts[i]
                && seen.insert(func)
            {
                out.push(func);
            }
        });
    }
    out
}

/// The data flow of a terminator: operand, the parameter or result that gets it, and of `next_if` whether the condition holds then.
pub(crate) fn flows(f: &Function, region: Region, i: Inst) -> Vec<(Value, Value, Option<bool>)> {
    let InstData::Exit { op, imm, args, .. } = f.insts[i] else { return Vec::new() };
    let Some(construct) = target_construct(f, region, i) else { return Vec::new() };
    let args = f.get(args);
    let (body, continuing) = match f.insts[construct] {
        InstData::Loop { body, continuing, .. } => (Some(body), Some(continuing)),
        _ => (None, None),
    };
    let params = |r: Option<Region>| r.map_or(&[][..], |r| &f.regions[r].params);
    let pairs = |from: &[Value], to: &[Value], side| from.iter().zip(to).map(|(&a, &b)| (a, b, side)).collect::<Vec<_>>();
    match op {
        Opcode::continue_ => pairs(args, params(continuing), None),
        Opcode::next => pairs(args, params(body), None),
        Opcode::next_if => {
            let (again, results) = args[1..].split_at(imm as usize);
            let mut all = pairs(again, params(body), Some(true));
            all.extend(pairs(results, f.results(construct), Some(false)));
            all
        }
        _ => pairs(args, f.results(construct), None),
    }
}
