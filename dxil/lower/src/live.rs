//! Liveness of one function, for dead-code elimination during lowering: reachable instructions whose results or side effects are
//! used, and the used components of each value.
//!
//! The facts of a function (features, operations, resources) must be those of the code that is written,
//! because validators recompute them; so facts and code use the same liveness.

use rtc_base::{EntitySet, SecondaryMap};
use rtc_ir::{Format, Function, Inst, InstData, Module, Opcode, Region, Value, ValueDef, effects};
use rustc_hash::FxHashMap;

use super::select::{Lowering, lowering};

/// A set of vector components; bit n is component n. Vectors of more components count as used whole.
pub type Lanes = u64;

/// All components.
pub const ALL_LANES: Lanes = u64::MAX;

/// Whether component `c` is among them. Those of a long vector that have no bit are.
pub fn has_lane(lanes: Lanes, c: usize) -> bool {
    c >= Lanes::BITS as usize || lanes >> c & 1 != 0
}

/// Whether a component of the result depends on that component of the operands alone, and is written only if it is used.
fn by_component(op: Opcode) -> bool {
    use Opcode as O;
    match lowering(op) {
        Some(Lowering::Float(_) | Lowering::Int(_) | Lowering::Shift(_) | Lowering::Div(_) | Lowering::Cmp(_) | Lowering::Cast(_)) => true,
        Some(Lowering::Dx(_)) => matches!(op.format(), Format::Unary | Format::Binary | Format::Ternary) && op.effects().is_empty(),
        _ => matches!(op, O::fneg | O::ineg | O::not | O::select | O::fconv),
    }
}

/// What is live in one function.
pub struct Live {
    insts: EntitySet<Inst>,
    lanes: SecondaryMap<Value, Lanes>,
    /// Reachable exits by the construct (`yield`, `break`, `next_if`) that they leave.
    leaving: FxHashMap<Inst, Vec<Inst>>,
    /// Reachable `continue`s by loop body, `next`s and `next_if`s by loop body too.
    continues: FxHashMap<Region, Vec<Inst>>,
    nexts: FxHashMap<Region, Vec<Inst>>,
    order: Vec<Inst>,
}

impl Live {
    /// Computes the liveness of `f`.
    pub fn new(m: &Module, f: &Function) -> Live {
        let mut live = Live {
            insts: EntitySet::with_capacity(f.insts.len()),
            lanes: SecondaryMap::new(),
            leaving: FxHashMap::default(),
            continues: FxHashMap::default(),
            nexts: FxHashMap::default(),
            order: Vec::with_capacity(f.insts.len()),
        };
        live.lanes.resize(f.values.len());
        live.reach(f, f.body);
        live.mark(m, f);
        live
    }

    /// Whether `inst` is live.
    pub fn has(&self, inst: Inst) -> bool {
        self.insts.contains(inst)
    }

    /// The components of `v` that are used.
    pub fn lanes(&self, v: Value) -> Lanes {
        self.lanes[v]
    }

    /// Whether anything of `v` is used.
    pub fn uses(&self, v: Value) -> bool {
        self.lanes[v] != 0
    }

    /// The live instructions, in order of the text.
    pub fn iter(&self) -> impl Iterator<Item = Inst> {
        self.order.iter().copied().filter(|&i| self.has(i))
    }

    /// Whether control comes to what follows construct `inst`.
    pub fn falls_out(&self, inst: Inst) -> bool {
        self.leaving.contains_key(&inst)
    }

    /// Whether control comes to the continuing region of the loop with this body.
    pub fn continues(&self, body: Region) -> bool {
        self.continues.contains_key(&body)
    }

    fn reach(&mut self, f: &Function, region: Region) {
        for &i in &f.regions[region].insts {
            self.order.push(i);
            match f.insts[i] {
                InstData::Exit { op, target, .. } => self.exit(f, region, i, op, target.expand()),
                InstData::Loop { body, continuing, .. } => {
                    self.reach(f, body);
                    if self.continues(body) {
                        self.reach(f, continuing);
                    }
                }
                InstData::If { .. } | InstData::Switch { .. } | InstData::Block { .. } => {
                    for r in f.regions_of(i) {
                        self.reach(f, r);
                    }
                }
                _ => continue,
            }
            if !self.falls_out(i) {
                return;
            }
        }
    }

    fn exit(&mut self, f: &Function, from: Region, i: Inst, op: Opcode, target: Option<Region>) {
        let owner = f.regions[from].owner;
        let body_of = |o: Option<Inst>| match o.map(|o| f.insts[o]) {
            Some(InstData::Loop { body, .. }) => Some(body),
            _ => None,
        };
        match op {
            Opcode::yield_ => {
                if let Some(o) = owner {
                    self.leaving.entry(o).or_default().push(i);
                }
            }
            Opcode::break_ => {
                if let Some(o) = target.and_then(|t| f.regions[t].owner) {
                    self.leaving.entry(o).or_default().push(i);
                }
            }
            Opcode::continue_ => {
                if let Some(body) = target {
                    self.continues.entry(body).or_default().push(i);
                }
            }
            Opcode::next | Opcode::next_if => {
                if let Some(body) = body_of(owner) {
                    self.nexts.entry(body).or_default().push(i);
                }
                if let (Opcode::next_if, Some(o)) = (op, owner) {
                    self.leaving.entry(o).or_default().push(i);
                }
            }
            _ => {}
        }
    }

    fn mark(&mut self, m: &Module, f: &Function) {
        let mut todo: Vec<(Value, Lanes)> = Vec::new();
        for n in 0..self.order.len() {
            let i = self.order[n];
            let keeps = match f.insts[i] {
                // An operand of an exit is live if the corresponding result is.
                InstData::Exit { op, args, .. } => {
                    match op {
                        Opcode::next_if => todo.push((f.get(args)[0], ALL_LANES)),
                        Opcode::return_ => todo.extend(f.get(args).iter().map(|&v| (v, ALL_LANES))),
                        _ => {}
                    }
                    self.insts.insert(i);
                    continue;
                }
                InstData::If { cond, .. } => Some(cond),
                InstData::Switch { on, .. } => Some(on),
                InstData::Loop { .. } | InstData::Block { .. } => None,
                _ if effects::of_inst(m, f, i).may_drop() => continue,
                _ => {
                    f.for_each_operand(i, |v| todo.push((v, ALL_LANES)));
                    None
                }
            };
            self.insts.insert(i);
            todo.extend(keeps.map(|v| (v, ALL_LANES)));
        }
        while let Some((v, lanes)) = todo.pop() {
            let new = lanes & !self.lanes[v];
            if new == 0 {
                continue;
            }
            self.lanes[v] |= new;
            match f.values[v].def {
                ValueDef::Const(_) | ValueDef::Undef => {}
                ValueDef::Result(i, n) => self.result(m, f, i, n as usize, new, &mut todo),
                ValueDef::Param(r, n) => self.param(f, r, n as usize, new, &mut todo),
            }
        }
    }

    /// Result `n` of `i` is used: so are operands.
    fn result(&mut self, m: &Module, f: &Function, i: Inst, n: usize, new: Lanes, todo: &mut Vec<(Value, Lanes)>) {
        if f.owns_regions(i)
            && let Some(exits) = self.leaving.get(&i)
        {
            for &e in exits {
                let InstData::Exit { op, imm, args, .. } = f.insts[e] else {
                    continue;
                };
                let first = if op == Opcode::next_if { 1 + imm as usize } else { 0 };
                todo.extend(f.get(args).get(first + n).map(|&v| (v, new)));
            }
            return;
        }
        self.insts.insert(i);
        match f.insts[i] {
            InstData::Many { op: Opcode::extract, imm, args } => todo.push((f.get(args)[0], 1u64.checked_shl(imm).unwrap_or(ALL_LANES))),
            InstData::Many { op: Opcode::construct, args, .. } => {
                let parts = f.get(args).iter().enumerate();
                let used = parts.filter(|(c, _)| has_lane(new, *c));
                todo.extend(used.map(|(_, &v)| (v, ALL_LANES)));
            }
            InstData::Many { op: Opcode::insert, imm, args } => {
                let bit = 1u64.checked_shl(imm).unwrap_or(0);
                if new & bit != 0 || bit == 0 {
                    todo.push((f.get(args)[1], ALL_LANES));
                }
                todo.push((f.get(args)[0], new & !bit));
            }
            data if by_component(data.op()) => {
                let lanes = |v| m.types.numeric(f.ty(v)).map_or(0, |n| n.1);
                let all = lanes(f.results(i)[n]);
                f.for_each_operand(i, |v| {
                    todo.push((v, if lanes(v) == all { new } else { ALL_LANES }));
                });
            }
            _ => f.for_each_operand(i, |v| todo.push((v, ALL_LANES))),
        }
    }

    fn param(&mut self, f: &Function, r: Region, n: usize, new: Lanes, todo: &mut Vec<(Value, Lanes)>) {
        let Some(owner) = f.regions[r].owner else {
            return;
        };
        let InstData::Loop { init, body, .. } = f.insts[owner] else {
            return;
        };
        let mut take = |v: Option<&Value>| todo.extend(v.map(|&v| (v, new)));
        let args_of = |e: &Inst| match f.insts[*e] {
            InstData::Exit { op, args, .. } => (f.get(args), usize::from(op == Opcode::next_if)),
            _ => (&[][..], 0),
        };
        if r == body {
            take(f.get(init).get(n));
            for e in self.nexts.get(&body).into_iter().flatten() {
                let (args, first) = args_of(e);
                take(args.get(first + n));
            }
        } else {
            for e in self.continues.get(&body).into_iter().flatten() {
                take(args_of(e).0.get(n));
            }
        }
    }
}
