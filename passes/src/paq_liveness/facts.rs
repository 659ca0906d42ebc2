//! Facts about a function that hold for every call of it, collected before the CFG is built.

use rtc_base::{EntitySet, SecondaryMap, Span};
use rtc_ir::{Func, Function, Inst, InstData, Local, Module, Opcode, Param, Place, Region, Root, SlotRole, Step, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::types::{Cells, Member, is_plain};

/// The maximum nesting of calls and regions; entry points that exceed it are skipped.
pub(super) const DEPTH: u32 = 240;

/// Facts about a function that hold for every call of it.
pub(super) struct Facts {
    /// The region of each instruction.
    pub parents: SecondaryMap<Inst, Region>,
    /// Control instructions that the CFG has: with payload events inside, or with exits to outer constructs.
    pub keep: EntitySet<Inst>,
    /// Variables with exactly one write, of the whole variable, and the written value.
    pub single: FxHashMap<Local, Value>,
    /// All stores to each variable that is only stored to as a whole.
    pub stores: FxHashMap<Local, Vec<Inst>>,
    /// Numbers and vectors that are read and stored to as such only: variables, and members of variables.
    pub scalars: Vec<Followed>,
    /// Which of them a place is, or is a component of.
    pub scalar_of: ScalarOf,
    /// The uses of values that instructions compute.
    pub users: FxHashMap<Value, SmallVec<[Inst; 2]>>,
    /// Spans of stores that fill in more than one member.
    pub initialisers: FxHashSet<Span>,
    /// What it does with members of payloads.
    members: Vec<(Member, Use)>,
    /// The same with parameters of its own that are no structures.
    parameters: Vec<(Local, Use)>,
}

/// A parameter of a function.
type Parameter = (Func, Local);

/// What is done with each of these.
type Uses<T> = Vec<(T, Use)>;

/// What a function does with a member of a payload.
enum Use {
    /// A branch depends on it that the CFG has.
    Decides,
    /// A call takes it by reference as this parameter.
    Given(Parameter),
    /// This constant is stored to it.
    Stores(u64),
}

/// What all functions do with a member of payloads.
#[derive(Default)]
pub(super) struct Watch {
    /// A branch depends on it.
    pub decides: bool,
    /// The constants that are stored to it, if they are few. It may be something else, too.
    pub constants: SmallVec<[u64; 5]>,
}

/// A scalar whose value is followed.
pub(super) struct Followed {
    pub ty: Type,
    /// The constants that it may be if it is a *flag*: a boolean, or a number to which a few constants are stored and nothing else.
    pub flag: Option<SmallVec<[u64; 4]>>,
    /// Which reference it is, if the function has it by one.
    pub passed: Option<u32>,
    /// What stores to it.
    pub stores: SmallVec<[Inst; 4]>,
    /// A branch depends on it that the CFG has.
    pub decides: bool,
}

/// Numbers of more values are not followed as flags.
const MAX_VALUES: usize = 4;

/// The values of a scalar to which these instructions store, if it is a flag. What calls store is not known.
fn flag_values(f: &Function, ty: Type, stores: &[Inst]) -> Option<SmallVec<[u64; 4]>> {
    match ty {
        Type::BOOL => Some(SmallVec::from_slice(&[0, 1])),
        Type::I32 => {
            let mut values = SmallVec::new();
            for &i in stores {
                let InstData::Access { args, .. } = f.insts[i] else { return None };
                values.push(f.as_const(*f.get(args).last()?)?);
            }
            values.sort_unstable();
            values.dedup();
            (values.len() <= MAX_VALUES).then_some(values)
        }
        _ => None,
    }
}

/// Of the constants that are stored to a member of payloads more are not told apart.
pub(super) const MAX_CONSTANTS: usize = 5;

/// No more instructions are looked at between a value and the branches that depend on it.
const MAX_USERS: usize = 200;

/// How values get to branches.
struct Flow<'a> {
    f: &'a Function,
    parents: &'a SecondaryMap<Inst, Region>,
    users: &'a FxHashMap<Value, SmallVec<[Inst; 2]>>,
    /// What loads of each variable, or of a part of it, give.
    loads: FxHashMap<Local, Vec<Value>>,
}

impl Flow<'_> {
    /// Whether a branch of `keep` depends on a value.
    fn decides(&self, keep: &EntitySet<Inst>, v: Value) -> bool {
        let f = self.f;
        let mut todo: SmallVec<[Value; 16]> = SmallVec::from_slice(&[v]);
        let mut seen: FxHashSet<Inst> = FxHashSet::default();
        while let Some(v) = todo.pop() {
            for &i in self.users.get(&v).into_iter().flatten() {
                if !seen.insert(i) {
                    continue;
                }
                match f.insts[i] {
                    // Where it is called a branch may depend on it.
                    InstData::Exit { op: Opcode::next_if | Opcode::return_, .. } => return true,
                    _ if f.owns_regions(i) && keep.contains(i) => return true,
                    _ if seen.len() > MAX_USERS => return false,
                    // The value of `a && b` is what an arm of a branch yields.
                    InstData::Exit { op: Opcode::yield_ | Opcode::break_, .. } => {
                        let owner = f.regions[self.parents[i]].owner;
                        todo.extend(owner.into_iter().flat_map(|o| f.results(o).iter().copied()));
                    }
                    InstData::Access { op: Opcode::store, place, .. } => {
                        if let Root::Local(l) = f.places[place].root {
                            todo.extend(self.loads.get(&l).into_iter().flatten().copied());
                        }
                    }
                    _ => todo.extend(f.results(i).iter().copied()),
                }
            }
        }
        false
    }
}

/// A part of a variable, as the numbers of the members that lead to it; the variable itself without.
type VariablePart = (Local, SmallVec<[u32; 4]>);

/// Which part of a variable a place is, if that is known.
fn variable_part(f: &Function, p: Place) -> Option<VariablePart> {
    let data = &f.places[p];
    let Root::Local(l) = data.root else { return None };
    let steps = data.steps.iter().map(|&s| match s {
        Step::At(n) => Some(n),
        Step::Dyn => None,
    });
    Some((l, steps.collect::<Option<_>>()?))
}

/// The number of the reference that is this parameter.
fn reference(f: &Function, l: Local) -> Option<u32> {
    let mut refs = f.params.iter().filter_map(|p| match *p {
        Param::Ref(r) => Some(r),
        Param::Value(_) => None,
    });
    refs.position(|r| r == l).map(|n| n as u32)
}

/// The type of a part of a variable.
fn type_of_part(m: &Module, f: &Function, (l, path): (Local, &[u32])) -> Option<Type> {
    path.iter().try_fold(f.locals[l].ty, |t, &n| m.part(t, Some(n)))
}

/// The vector that a part of a variable is a component of, and which.
fn vector_of(m: &Module, f: &Function, (l, path): &VariablePart) -> Option<(VariablePart, u32)> {
    let (&n, vector) = path.split_last()?;
    let lanes = m.types.numeric(type_of_part(m, f, (*l, vector))?)?.1;
    (lanes > 1).then(|| ((*l, vector.into()), n))
}

/// Of a place the number of the followed variable, and of the component where that is a vector.
type ScalarOf = FxHashMap<Place, (u32, Option<u32>)>;

/// The scalars of variables in `whole` that only accesses of themselves read and store to, and which of them a place is. Components of vectors that are
/// stored to as wholes, too, are parts of these.
fn scalars(m: &Module, f: &Function, insts: &[Inst], spoiled: &FxHashSet<Local>) -> (Vec<Followed>, ScalarOf) {
    let mut stores: FxHashMap<VariablePart, Vec<Inst>> = FxHashMap::default();
    let mut spoiled = spoiled.clone();
    for &i in insts {
        for &place in stored_by(f, i) {
            match (variable_part(f, place), f.places[place].root) {
                (Some(what), _) => stores.entry(what).or_default().push(i),
                (None, Root::Local(l)) => _ = spoiled.insert(l),
                _ => {}
            }
        }
    }
    // What a function has by reference is something already when it begins.
    for p in &f.params {
        if let Param::Ref(l) = *p
            && m.types.numeric(f.locals[l].ty).is_some()
        {
            stores.entry((l, SmallVec::new())).or_default();
        }
    }
    let components: Vec<VariablePart> =
        stores.keys().filter(|k| vector_of(m, f, k).is_some_and(|(v, _)| stores.contains_key(&v))).cloned().collect();
    for component in components {
        let Some(((vector, _), own)) = vector_of(m, f, &component).zip(stores.remove(&component)) else { continue };
        let list = stores.entry(vector).or_default();
        list.extend(own);
        list.sort_unstable();
    }
    let mut members: Vec<&VariablePart> = stores.keys().collect();
    members.sort_unstable();
    let (mut out, mut numbers): (Vec<Followed>, FxHashMap<&VariablePart, u32>) = (Vec::new(), FxHashMap::default());
    for &what in &members {
        let (l, path) = what;
        // A store to a part of it, or to what it is a part of, stores to it in part. In the order of members parts come after the whole.
        let part_of = |a: &VariablePart, b: &VariablePart| a.0 == b.0 && a.1.len() < b.1.len() && b.1.starts_with(&a.1);
        let passed = reference(f, *l);
        if spoiled.contains(l) || passed.is_some() && !path.is_empty() || members.iter().any(|&o| part_of(o, what) || part_of(what, o)) {
            continue;
        }
        let Some(ty) = type_of_part(m, f, (*l, path)) else { continue };
        if m.types.numeric(ty).is_none() {
            continue;
        }
        numbers.insert(what, out.len() as u32);
        let stores = &stores[what];
        let flag = flag_values(f, ty, stores).filter(|_| passed.is_none());
        out.push(Followed { ty, flag, passed, stores: SmallVec::from_slice(stores), decides: false });
    }
    let mut of = FxHashMap::default();
    for &i in insts {
        let places = match &f.insts[i] {
            InstData::Access { place, .. } => std::slice::from_ref(place),
            _ => stored_by(f, i),
        };
        for &place in places {
            let Some(what) = variable_part(f, place) else { continue };
            if let Some(n) = numbers.get(&what) {
                of.insert(place, (*n, None));
            } else if let Some((vector, component)) = vector_of(m, f, &what)
                && let Some(n) = numbers.get(&vector)
            {
                of.insert(place, (*n, Some(component)));
            }
        }
    }
    (out, of)
}

/// The places that an instruction stores to: its own, or those that a call is given.
fn stored_by(f: &Function, i: Inst) -> &[Place] {
    match &f.insts[i] {
        InstData::Access { op: Opcode::store, place, .. } => std::slice::from_ref(place),
        InstData::Call { refs, .. } => f.get_places(*refs),
        _ => &[],
    }
}

/// Facts about all functions of a module.
pub(super) struct ModuleFacts<'m> {
    /// The module and its payload types.
    pub cells: Cells<'m>,
    /// The functions that access payloads or end any-hit shaders, themselves or through calls.
    pub accesses: SecondaryMap<Func, bool>,
    /// These, and those that use flags of the shader.
    pub concerns: SecondaryMap<Func, bool>,
    /// The facts about each function of which they are collected.
    pub of_functions: FxHashMap<Func, Facts>,
    /// What functions do with members of payloads, once all facts are collected.
    members: Option<FxHashMap<Member, Watch>>,
}

impl<'m> ModuleFacts<'m> {
    pub fn new(cells: Cells<'m>) -> Self {
        let (accesses, concerns) = (SecondaryMap::new(), SecondaryMap::new());
        let mut facts = ModuleFacts { cells, accesses, concerns, of_functions: FxHashMap::default(), members: None };
        facts.find_concerned();
        facts
    }

    /// Functions that do something with payloads or end an any-hit shader, after which its payload is not written, and those that call them;
    /// and the same with functions that use flags.
    fn find_concerned(&mut self) {
        let m = self.cells.m;
        let mut callers: FxHashMap<Func, Vec<Func>> = FxHashMap::default();
        let (mut accessing, mut using) = (Vec::new(), Vec::new());
        for (id, f) in m.funcs.iter() {
            let mut ends = false;
            f.for_each_inst(f.body, |_, i| match f.insts[i] {
                InstData::Call { func, .. } => callers.entry(func).or_default().push(id),
                InstData::Exit { op, .. } => ends |= matches!(op, Opcode::ignore_hit | Opcode::accept_hit),
                _ => {}
            });
            if ends || self.cells.concerns(f) {
                accessing.push(id);
            } else if self.cells.uses_flags(f) {
                using.push(id);
            }
        }
        using.extend(&accessing);
        for (mut todo, out) in [(accessing, &mut self.accesses), (using, &mut self.concerns)] {
            while let Some(f) = todo.pop() {
                if !std::mem::replace(&mut out[f], true)
                    && let Some(list) = callers.get(&f)
                {
                    todo.extend(list);
                }
            }
        }
    }

    /// Collects what functions do with members of payloads, once.
    pub fn collect_members(&mut self) {
        if self.members.is_some() {
            return;
        }
        let m = self.cells.m;
        let mut all: FxHashMap<Member, Watch> = FxHashMap::default();
        let functions: Vec<Func> = m.funcs.iter().filter(|(_, f)| !f.declared).map(|f| f.0).collect();
        functions.iter().for_each(|&f| self.collect(f));
        let decide = self.deciding_parameters(&functions);
        for f in functions {
            for (member, what) in &self.of_functions[&f].members {
                let watch = all.entry(*member).or_default();
                match *what {
                    Use::Decides => watch.decides = true,
                    Use::Given(to) => watch.decides |= decide.contains(&to),
                    Use::Stores(c) if watch.constants.contains(&c) => {}
                    Use::Stores(c) => watch.constants.push(c),
                }
            }
        }
        all.values_mut().filter(|w| w.constants.len() > MAX_CONSTANTS).for_each(|w| w.constants.clear());
        self.members = Some(all);
    }

    /// The parameters on which branches depend, in their functions or in those that take them by reference.
    fn deciding_parameters(&self, functions: &[Func]) -> FxHashSet<Parameter> {
        let mut out: FxHashSet<Parameter> = FxHashSet::default();
        let mut given: FxHashMap<Parameter, Vec<Parameter>> = FxHashMap::default();
        let mut todo = Vec::new();
        for &f in functions {
            for (own, what) in &self.of_functions[&f].parameters {
                match *what {
                    Use::Decides => todo.push((f, *own)),
                    Use::Given(to) => given.entry(to).or_default().push((f, *own)),
                    Use::Stores(_) => {}
                }
            }
        }
        while let Some(p) = todo.pop() {
            if out.insert(p) {
                todo.extend(given.get(&p).into_iter().flatten());
            }
        }
        out
    }

    /// What functions do with a member of payloads.
    pub fn watch(&self, member: Member) -> Option<&Watch> {
        self.members.as_ref()?.get(&member)
    }

    /// Collects the facts about a function, once.
    pub fn collect(&mut self, id: Func) {
        if !self.of_functions.contains_key(&id) {
            let facts = self.make_facts(id);
            self.of_functions.insert(id, facts);
        }
    }

    fn make_facts(&mut self, id: Func) -> Facts {
        let m = self.cells.m;
        let f = &m.funcs[id];
        let mut single: FxHashMap<Local, Option<Value>> = FxHashMap::default();
        let mut stores: FxHashMap<Local, Vec<Inst>> = FxHashMap::default();
        let mut partial: FxHashSet<Local> = FxHashSet::default();
        let mut spoiled: FxHashSet<Local> = FxHashSet::default();
        let mut spoil = |single: &mut FxHashMap<Local, Option<Value>>, partial: &mut FxHashSet<Local>, p: Place| {
            if let Root::Local(l) = f.places[p].root {
                single.insert(l, None);
                partial.insert(l);
                spoiled.insert(l);
            }
        };
        let mut members: FxHashMap<Span, Step> = FxHashMap::default();
        let mut initialisers = FxHashSet::default();
        let mut insts = Vec::new();
        f.for_each_inst(f.body, |_, i| insts.push(i));
        for &i in &insts {
            match f.insts[i] {
                InstData::Access { op: Opcode::store, place, args, .. } => {
                    let p = &f.places[place];
                    let v = f.get(args).last().copied();
                    // A declaration in a loop is not an assignment.
                    if v.is_some_and(|v| f.is_undef(v)) {
                        continue;
                    }
                    if let Root::Local(l) = p.root {
                        let once = p.steps.is_empty() && !single.contains_key(&l) && f.locals[l].param.is_none();
                        single.insert(l, v.filter(|_| once));
                        stores.entry(l).or_default().push(i);
                        if !p.steps.is_empty() {
                            partial.insert(l);
                        }
                    }
                    if let Some(&first) = p.steps.first()
                        && *members.entry(f.spans[i]).or_insert(first) != first
                    {
                        initialisers.insert(f.spans[i]);
                    }
                }
                InstData::Access { op: Opcode::load, .. } => {}
                InstData::Access { place, .. } => spoil(&mut single, &mut partial, place),
                InstData::Copy { to, .. } => spoil(&mut single, &mut partial, to),
                InstData::Call { refs, .. } => {
                    for &p in f.get_places(refs) {
                        if let Root::Local(l) = f.places[p].root {
                            single.insert(l, None);
                            partial.insert(l);
                        }
                    }
                }
                _ => {}
            }
        }
        let mut users: FxHashMap<Value, SmallVec<[Inst; 2]>> = FxHashMap::default();
        for &i in &insts {
            f.for_each_operand(i, |v| {
                if f.def_inst(v).is_some() {
                    users.entry(v).or_default().push(i);
                }
            });
        }
        stores.retain(|l, _| !partial.contains(l) && f.locals[*l].param.is_none());
        let (mut scalars, scalar_of) = scalars(m, f, &insts, &spoiled);
        let mut keep = EntitySet::new();
        self.mark(f, f.body, 1, &mut keep);
        let parents = rtc_ir::analysis::parents(f);
        let mut loads: FxHashMap<Local, Vec<Value>> = FxHashMap::default();
        for &i in &insts {
            if let InstData::Access { op: Opcode::load, place, .. } = f.insts[i]
                && let Root::Local(l) = f.places[place].root
            {
                loads.entry(l).or_default().push(f.result(i));
            }
        }
        let flow = Flow { f, parents: &parents, users: &users, loads };
        for &i in &insts {
            if let InstData::Access { op: Opcode::load, place, .. } = f.insts[i]
                && let Some(&(n, _)) = scalar_of.get(&place)
                && !scalars[n as usize].decides
            {
                scalars[n as usize].decides = flow.decides(&keep, f.result(i));
            }
        }
        let (members, parameters) = self.uses(f, &insts, &keep, &flow);
        Facts {
            members,
            parameters,
            parents,
            keep,
            single: single.into_iter().filter_map(|(l, v)| Some((l, v?))).collect(),
            stores,
            scalars,
            scalar_of,
            users,
            initialisers,
        }
    }

    /// What a function does with members of payloads, and with parameters that are parts of such.
    fn uses(&mut self, f: &Function, insts: &[Inst], keep: &EntitySet<Inst>, flow: &Flow) -> (Uses<Member>, Uses<Local>) {
        let m = self.cells.m;
        let (mut members, mut parameters) = (Vec::new(), Vec::new());
        let parameter = |place: Place| match f.places[place].root {
            Root::Local(l) if f.locals[l].param.is_some() && is_plain(m, f.locals[l].ty) => Some(l),
            _ => None,
        };
        let mut decided: FxHashSet<Place> = FxHashSet::default();
        for &i in insts {
            match f.insts[i] {
                InstData::Access { op: Opcode::load, place, .. }
                    if !decided.contains(&place) && self.follows_root(f, f.places[place].root) && flow.decides(keep, f.result(i)) =>
                {
                    decided.insert(place);
                    members.extend(self.cells.member(f, place).map(|member| (member, Use::Decides)));
                    parameters.extend(parameter(place).map(|l| (l, Use::Decides)));
                }
                InstData::Access { op: Opcode::store, place, args, .. } => {
                    if self.follows_root(f, f.places[place].root)
                        && let Some(member) = self.cells.member(f, place)
                        && let Some(c) = f.get(args).last().and_then(|&v| f.as_const(v))
                    {
                        members.push((member, Use::Stores(c)));
                    }
                }
                InstData::Call { func, refs, .. } => {
                    let given = m.funcs[func].params.iter().filter_map(|p| match *p {
                        Param::Ref(l) => Some((func, l)),
                        Param::Value(_) => None,
                    });
                    for (&place, to) in f.get_places(refs).iter().zip(given) {
                        members.extend(self.cells.member(f, place).map(|member| (member, Use::Given(to))));
                        parameters.extend(parameter(place).map(|l| (l, Use::Given(to))));
                    }
                }
                _ => {}
            }
        }
        (members, parameters)
    }

    /// Whether `r` has events, and the outermost level to which control leaves it. Marks control instructions to keep.
    fn mark(&mut self, f: &Function, r: Region, depth: u32, keep: &mut EntitySet<Inst>) -> (bool, u32) {
        let mut levels = FxHashMap::default();
        self.mark_region(f, r, depth, &mut levels, keep)
    }

    fn mark_region(
        &mut self,
        f: &Function,
        r: Region,
        depth: u32,
        levels: &mut FxHashMap<Inst, u32>,
        keep: &mut EntitySet<Inst>,
    ) -> (bool, u32) {
        let (mut happens, mut out) = (false, depth);
        for &i in &f.regions[r].insts {
            if f.owns_regions(i) {
                if depth > DEPTH {
                    // The builder rejects this depth.
                    keep.insert(i);
                    return (true, 0);
                }
                levels.insert(i, depth);
                let (mut inside, mut level) = (false, depth + 1);
                for r in f.regions_of(i) {
                    let (h, l) = self.mark_region(f, r, depth + 1, levels, keep);
                    inside |= h;
                    level = level.min(l);
                }
                // Exits to the instruction itself stay inside.
                if inside || level < depth {
                    keep.insert(i);
                }
                happens |= inside;
                out = out.min(level);
                continue;
            }
            match f.insts[i] {
                InstData::Exit { op: Opcode::break_ | Opcode::continue_, target, .. } => {
                    let owner = target.expand().and_then(|r| f.regions[r].owner);
                    out = out.min(owner.and_then(|o| levels.get(&o).copied()).unwrap_or(0));
                }
                InstData::Exit { op: Opcode::yield_ | Opcode::next | Opcode::next_if, .. } => {}
                InstData::Exit { .. } => out = 0,
                InstData::Call { func, refs, .. } => {
                    happens |= self.concerns[func] || f.get_places(refs).iter().any(|&p| self.follows_root(f, f.places[p].root));
                }
                InstData::Access { place, .. } => happens |= self.follows_root(f, f.places[place].root),
                InstData::Copy { to, from, .. } => {
                    happens |= self.follows_root(f, f.places[to].root) || self.follows_root(f, f.places[from].root);
                }
                InstData::Slot { slot, .. } if self.follows_root(f, Root::Slot(slot)) => happens = true,
                _ => happens |= f.results(i).iter().any(|&v| f.ty(v) == Type::HIT_OBJECT),
            }
        }
        (happens, out)
    }

    fn follows_root(&mut self, f: &Function, r: Root) -> bool {
        match r {
            // A reference may be to a part of a payload, whatever its type.
            Root::Local(l) => f.locals[l].param.is_some() || self.cells.follows(f.locals[l].ty),
            Root::Slot(s) => matches!(f.slots[s].role, SlotRole::PayloadIn | SlotRole::PayloadOut),
            Root::Global(g) => self.cells.follows_global(g),
        }
    }
}
