//! `inline`: inlining of every call, bottom up over the call graph.
//!
//! Callees come before callers, so each body is copied in its final form. If the body returns only at its end, its instructions
//! replace the call; otherwise they become a `block` and each `return` a `break` (or, at the end, a `yield`). Reference
//! parameters are replaced by the caller's places, locals and slots are copied. Afterwards only entry points, exported functions
//! and declarations remain.
//!
//! Functions that are declared only stay as they are, and so do their calls: another library has their bodies.
//!
//! There is no cost model: HLSL has no recursion, and the targets expect no calls.

use rtc_base::{EntityRef, EntitySet, PackedOption, PrimaryMap, SecondaryMap, Span};
use rtc_ir::debug::{Adopted, Part};
use rtc_ir::verify::MAX_REGION_DEPTH;
use rtc_ir::{
    Func, Function, HullState, Inst, InstData, Local, Mapper, Module, Opcode, Param, Place, Region, Root, Slot, StageState, Step, Value,
    ValueDef, ValueList,
};
use smallvec::SmallVec;

use crate::util::{Rename, callees};
use crate::{Changed, PassCtx, PassError};

/// How many instructions a function may have after inlining.
const MAX_INSTS: usize = 2_000_000;

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    let order = bottom_up(m)?;
    let declared = first_calls(m);
    let mut changed = false;
    for id in order {
        // Taken out while the others are read.
        let empty = Function::new("", rtc_ir::Stage::Library);
        let mut f = std::mem::replace(&mut m.funcs[id], empty);
        let done = inline_calls(m, &mut f);
        m.funcs[id] = f;
        changed |= done?;
    }
    let before = m.funcs.len();
    drop_unreachable(m, &declared);
    Ok((changed || m.funcs.len() != before).into())
}

/// Functions reachable from entry points and exports, callees first (post-order of the call graph).
fn bottom_up(m: &Module) -> Result<Vec<Func>, PassError> {
    let mut order = Vec::new();
    let mut done: EntitySet<Func> = EntitySet::new();
    let mut open: EntitySet<Func> = EntitySet::new();
    for (root, _) in m.roots() {
        let mut todo = vec![(root, callees(&m.funcs[root]), 0)];
        if done.contains(root) {
            continue;
        }
        open.insert(root);
        while let Some((id, calls, at)) = todo.last_mut() {
            let Some(&next) = calls.get(*at) else {
                order.push(*id);
                done.insert(*id);
                open.remove(*id);
                todo.pop();
                continue;
            };
            *at += 1;
            if done.contains(next) {
                continue;
            }
            if !open.insert(next) {
                let name = &m.funcs[next].name;
                return Err(PassError::Rejected(format!("function `{name}` calls itself")));
            }
            todo.push((next, callees(&m.funcs[next]), 0));
        }
    }
    Ok(order)
}

/// The functions that are declared only, in the order in which the source first calls them.
fn first_calls(m: &Module) -> Vec<Func> {
    let mut out = Vec::new();
    if m.funcs.values().any(|f| f.declared) {
        let mut seen: EntitySet<Func> = EntitySet::new();
        for id in m.funcs.keys() {
            out.extend(callees(&m.funcs[id]).into_iter().filter(|&g| m.funcs[g].declared && seen.insert(g)));
        }
    }
    out
}

/// Keeps entry points and exports, and after them those of `declared` that are still called, in that order.
fn drop_unreachable(m: &mut Module, declared: &[Func]) {
    let mut called: EntitySet<Func> = EntitySet::new();
    if !declared.is_empty() {
        for (root, _) in m.roots() {
            called.extend(callees(&m.funcs[root]));
        }
    }
    let mut kept: PrimaryMap<Func, Function> = PrimaryMap::new();
    let mut others: SecondaryMap<Func, Option<Function>> = SecondaryMap::new();
    let mut numbers: SecondaryMap<Func, PackedOption<Func>> = SecondaryMap::new();
    for (id, f) in std::mem::take(&mut m.funcs) {
        if f.is_entry() || f.exported {
            numbers[id] = Some(kept.push(f)).into();
        } else if called.contains(id) {
            others[id] = Some(f);
        }
    }
    for &id in declared {
        if let Some(f) = others[id].take() {
            numbers[id] = Some(kept.push(f)).into();
        }
    }
    m.funcs = kept;
    for f in m.funcs.values_mut() {
        if let StageState::Hull(HullState { patch_constants: Some(func), .. }) = &mut f.state
            && let Some(new) = numbers[*func].expand()
        {
            *func = new;
        }
    }
    if called.is_empty() {
        return;
    }
    for f in m.funcs.values_mut() {
        for data in f.insts.values_mut() {
            // Calls that were inlined stay in the arena, in no region.
            if let InstData::Call { func, .. } = data
                && let Some(new) = numbers[*func].expand()
            {
                *func = new;
            }
        }
    }
}

fn inline_calls(m: &Module, f: &mut Function) -> Result<bool, PassError> {
    let mut regions = Vec::new();
    f.for_each_region(f.body, |r| regions.push(r));
    let mut rename = Rename::new();
    let mut changed = false;
    for r in regions {
        let is_call = |i: &Inst| matches!(f.insts[*i], InstData::Call { func, .. } if !m.funcs[func].declared);
        if !f.regions[r].insts.iter().any(is_call) {
            continue;
        }
        changed = true;
        let old = std::mem::take(&mut f.regions[r].insts);
        let mut new = Vec::with_capacity(old.len());
        for i in old {
            let func = match f.insts[i] {
                InstData::Call { func, .. } if !m.funcs[func].declared => func,
                _ => {
                    new.push(i);
                    continue;
                }
            };
            let here = new.len();
            let callee = &m.funcs[func];
            if f.insts.len() + callee.insts.len() > MAX_INSTS {
                let name = &f.name;
                return Err(PassError::Rejected(format!("`{name}` has too many instructions once its calls are inlined")));
            }
            let falls_through = Copier::new(f, callee, i).splice(i, &mut new, &mut rename);
            if let (Some(d), Some(&first)) = (&mut f.debug, new.get(here)) {
                d.move_marks(i, first);
            }
            if !falls_through {
                // Nothing comes back: what follows never runs.
                break;
            }
        }
        f.regions[r].insts = new;
    }
    rename.apply(f);
    if changed {
        refuse_too_deep(f)?;
    }
    Ok(changed)
}

/// Whether the regions of `f` nest within what all passes and targets take.
///
/// # Errors
/// They do not.
pub(crate) fn refuse_too_deep(f: &Function) -> Result<(), PassError> {
    if is_too_deep(f) {
        let name = &f.name;
        return Err(PassError::Rejected(format!("`{name}` nests too deep, with what it calls")));
    }
    Ok(())
}

fn is_too_deep(f: &Function) -> bool {
    let mut todo = vec![(f.body, 0)];
    while let Some((r, depth)) = todo.pop() {
        if depth > MAX_REGION_DEPTH {
            return true;
        }
        for &i in f.regions[r].insts.iter().filter(|&&i| f.owns_regions(i)) {
            todo.extend(f.regions_of(i).into_iter().map(|r| (r, depth + 1)));
        }
    }
    false
}

/// A place of the caller: where it starts, the steps, their index values.
type Target = (Root, SmallVec<[Step; 4]>, SmallVec<[Value; 4]>);

/// Copies one callee into one caller.
struct Copier<'a> {
    f: &'a mut Function,
    callee: &'a Function,
    values: SecondaryMap<Value, PackedOption<Value>>,
    regions: SecondaryMap<Region, PackedOption<Region>>,
    locals: SecondaryMap<Local, PackedOption<Local>>,
    slots: SecondaryMap<Slot, PackedOption<Slot>>,
    /// The caller's place of each reference parameter, with its index values.
    refs: SecondaryMap<Local, Option<Target>>,
    /// The copies of places that take no index values of the caller.
    places: SecondaryMap<Place, PackedOption<Place>>,
    /// Where the callee's names are, if names are kept.
    names: Option<Adopted>,
    /// Where the call is: instructions without a place of their own are there.
    span: Span,
}

/// Instructions of the callee become those of the caller.
impl Mapper for Copier<'_> {
    fn source(&self) -> &Function {
        self.callee
    }

    fn target(&mut self) -> &mut Function {
        self.f
    }

    fn value(&mut self, v: Value) -> Value {
        if let Some(new) = self.values[v].expand() {
            return new;
        }
        let data = self.callee.values[v];
        let new = match data.def {
            ValueDef::Const(bits) => self.f.const_bits(data.ty, bits),
            ValueDef::Undef => self.f.undef(data.ty),
            _ => rtc_base::bug!("{v} is used before it is defined"),
        };
        self.values[v] = Some(new).into();
        new
    }

    fn list(&mut self, l: ValueList) -> ValueList {
        let callee = self.callee;
        // Constants that are new to the caller come first; after that every value has its copy.
        for &v in callee.get(l) {
            self.value(v);
        }
        let values = &self.values;
        self.f.list_of(callee.get(l).iter().filter_map(|&v| values[v].expand()))
    }

    fn region(&mut self, r: Region) -> Region {
        if let Some(new) = self.regions[r].expand() {
            return new;
        }
        let new = self.f.add_region();
        for &p in &self.callee.regions[r].params {
            let v = self.f.add_param(new, self.callee.ty(p));
            self.values[p] = Some(v).into();
            self.name(p, v);
        }
        self.regions[r] = Some(new).into();
        new
    }

    fn slot(&mut self, s: Slot) -> Slot {
        if let Some(new) = self.slots[s].expand() {
            return new;
        }
        let data = &self.callee.slots[s];
        let shared = data.role.is_incoming().then(|| self.f.slot_of(data.role));
        let new = match shared.flatten() {
            Some(own) => own,
            None => {
                let new = self.f.slots.push(data.clone());
                if let (Some(names), Some(d), Some(from)) = (self.names, &mut self.f.debug, &self.callee.debug) {
                    d.slots[new] = from.slots[s].as_ref().map(|n| names.named(n));
                }
                new
            }
        };
        self.slots[s] = Some(new).into();
        new
    }

    /// The caller's place for `p`, and the index values that come before and after the copied ones: with
    /// a reference parameter the caller's own come first.
    fn place(&mut self, p: Place) -> (Place, SmallVec<[Value; 4]>) {
        if let Some(place) = self.places[p].expand() {
            return (place, SmallVec::new());
        }
        let data = &self.callee.places[p];
        let (root, mut steps, indices) = match data.root {
            Root::Local(l) => match self.refs[l].clone() {
                Some(target) => target,
                None => {
                    let new = match self.locals[l].expand() {
                        Some(new) => new,
                        None => {
                            let new = self.f.locals.push(self.callee.locals[l].clone());
                            if let (Some(names), Some(d), Some(from)) = (self.names, &mut self.f.debug, &self.callee.debug) {
                                d.locals[new] = from.locals[l].as_ref().map(|n| names.named(n));
                            }
                            self.locals[l] = Some(new).into();
                            new
                        }
                    };
                    (Root::Local(new), SmallVec::new(), SmallVec::new())
                }
            },
            Root::Slot(s) => (Root::Slot(self.slot(s)), SmallVec::new(), SmallVec::new()),
            Root::Global(g) => (Root::Global(g), SmallVec::new(), SmallVec::new()),
        };
        steps.extend_from_slice(&data.steps);
        let place = self.f.place(root, &steps);
        if indices.is_empty() {
            self.places[p] = Some(place).into();
        }
        (place, indices)
    }
}

impl<'a> Copier<'a> {
    fn new(f: &'a mut Function, callee: &'a Function, call: Inst) -> Self {
        let f_span = f.spans[call];
        let mut c = Copier {
            f,
            callee,
            values: SecondaryMap::new(),
            regions: SecondaryMap::new(),
            locals: SecondaryMap::new(),
            slots: SecondaryMap::new(),
            refs: SecondaryMap::new(),
            places: SecondaryMap::new(),
            names: None,
            span: f_span,
        };
        c.values.resize(callee.values.len());
        c.regions.resize(callee.regions.len());
        c.places.resize(callee.places.len());
        let span = c.f.spans[call];
        if let (Some(d), Some(other)) = (&mut c.f.debug, &callee.debug) {
            c.names = Some(d.adopt(other, &callee.name, call, span));
        }
        let InstData::Call { args, refs, .. } = c.f.insts[call] else {
            rtc_base::bug!("{call} is no call");
        };
        let args: SmallVec<[Value; 8]> = c.f.get(args).into();
        let places: SmallVec<[Place; 8]> = c.f.get_places(refs).into();
        let (mut next_value, mut next_place) = (0, 0);
        for p in &callee.params {
            if let Param::Value(v) = p {
                c.values[*v] = Some(args[next_value]).into();
                c.name(*v, args[next_value]);
                next_value += 1;
            }
        }
        for p in &callee.params {
            if let Param::Ref(l) = p {
                let place = &c.f.places[places[next_place]];
                let n = place.dyn_count();
                let indices = args[next_value..next_value + n].into();
                let (root, steps) = (place.root, place.steps.clone());
                c.alias(*l, root, &steps);
                c.refs[*l] = Some((root, steps, indices));
                next_value += n;
                next_place += 1;
            }
        }
        c
    }

    /// Puts the body in the place of call `call`. Whether control comes out at its end.
    fn splice(mut self, call: Inst, out: &mut Vec<Inst>, rename: &mut Rename) -> bool {
        let callee = self.callee;
        self.f.misplaced.extend_from_slice(&callee.misplaced);
        let mut returns = 0;
        callee.for_each_inst(callee.body, |_, i| {
            returns += usize::from(callee.op(i) == Opcode::return_);
        });
        let last = callee.terminator(callee.body);
        let ends_with_return = last.is_some_and(|i| callee.op(i) == Opcode::return_);
        let straight = returns == usize::from(ends_with_return);
        let body = self.f.add_region();
        self.regions[callee.body] = Some(body).into();
        self.copy_regions(straight);
        let results: SmallVec<[Value; 1]> = self.f.results(call).into();
        if straight {
            let mut insts = std::mem::take(&mut self.f.regions[body].insts);
            if ends_with_return {
                let exit = insts.pop().unwrap_or(call);
                let returned = self.f.operands(exit);
                for (&r, &v) in results.iter().zip(&returned) {
                    rename.set(r, v);
                }
            }
            out.extend(insts);
            return ends_with_return;
        }
        let span = self.f.spans[call];
        let block = self.f.make(InstData::Block { body }, &[], span);
        self.f.set_results(block, &results);
        out.push(block);
        true
    }

    /// Reference parameter `l` of the callee is this place of the caller.
    fn alias(&mut self, l: Local, root: Root, steps: &[Step]) {
        let (Some(names), Some(d), Some(from)) = (self.names, &mut self.f.debug, &self.callee.debug) else { return };
        let (true, Some(named)) = (d.marked, &from.locals[l]) else { return };
        let named = names.named(named);
        let there = match root {
            Root::Local(to) => d.locals[to].clone(),
            Root::Slot(to) => d.slots[to].clone(),
            Root::Global(_) => return,
        };
        match there {
            Some(mut to) => {
                to.path.extend(steps.iter().map(|s| match *s {
                    Step::At(n) => n,
                    Step::Dyn => rtc_ir::debug::ANY_ELEMENT,
                }));
                d.aliases.push((to, named.var));
            }
            // What the caller has no name for is the parameter.
            None if steps.is_empty() => match root {
                Root::Local(to) => d.locals[to] = Some(named),
                Root::Slot(to) => d.slots[to] = Some(named),
                Root::Global(_) => {}
            },
            None => {}
        }
    }

    /// The callee's `old` is `new` here: it takes the names with it.
    fn name(&mut self, old: Value, new: Value) {
        let (Some(names), Some(d)) = (self.names, &self.callee.debug) else { return };
        for n in d.values.get(&old).into_iter().flatten() {
            self.f.name_value(new, &names.named(n));
        }
    }

    /// What a part of a mark is here.
    fn mapped(&self, p: Part) -> Option<Part> {
        let Part::Value(v) = p else { return Some(p) };
        match (self.values[v].expand(), self.callee.values[v].def) {
            (Some(new), _) => Some(Part::Value(new)),
            (None, ValueDef::Const(bits)) => Some(Part::Const(self.callee.ty(v), bits)),
            _ => None,
        }
    }

    /// Copies all regions, owners first: what a region uses is defined in itself or further out.
    fn copy_regions(&mut self, straight: bool) {
        let callee = self.callee;
        let mut order = Vec::new();
        callee.for_each_region(callee.body, |r| order.push(r));
        for r in order {
            let to = self.region(r);
            let insts = &callee.regions[r].insts;
            let mut new = Vec::with_capacity(insts.len());
            for &i in insts {
                new.push(self.copy_inst(i, r, straight));
            }
            self.f.regions[to].insts = new;
        }
    }

    fn copy_inst(&mut self, i: Inst, from: Region, straight: bool) -> Inst {
        let callee = self.callee;
        let mut data = self.copy(i);
        if let InstData::Exit { op, target, .. } = &mut data
            && *op == Opcode::return_
            && !straight
        {
            if from == callee.body {
                *op = Opcode::yield_;
            } else {
                *op = Opcode::break_;
                *target = self.regions[callee.body];
            }
        }
        let results = callee.results(i);
        let types: SmallVec<[_; 4]> = results.iter().map(|&v| callee.ty(v)).collect();
        let span = if callee.spans[i].is_none() { self.span } else { callee.spans[i] };
        let new = self.f.make(data, &types, span);
        self.f.inherit(new, callee, i);
        for (n, &v) in results.iter().enumerate() {
            let copy = self.f.results(new)[n];
            self.values[v] = Some(copy).into();
            self.name(v, copy);
        }
        if let (Some(names), Some(d), Some(from)) = (self.names, &mut self.f.debug, &callee.debug) {
            d.inlined[new] = names.site(from.inlined[i]);
            if let Some(marks) = from.marks.get(&i) {
                let mut marks = marks.clone();
                for m in &mut marks {
                    m.what = names.named(&m.what);
                    let mapped: Option<_> = m.value.iter().map(|&p| self.mapped(p)).collect();
                    m.value = mapped.unwrap_or_default();
                }
                self.f.debug.iter_mut().for_each(|d| d.marks.entry(new).or_default().extend(marks.iter().cloned()));
            }
        }
        debug_assert!(new.index() < self.f.insts.len());
        new
    }
}
