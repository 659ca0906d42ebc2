//! Construction of the CFG of payload events of an entry point: calls are inlined, access paths become cells, branches edges with conditions.

use rtc_base::Span;
use rtc_ir::{
    Func, Function, GlobalKind, Inst, InstData, Opcode, Param, Place, RefMode, Region, Root, SlotRole, Stage, Step, Type, TypeKind, Value,
};
use rtc_tables::insts::Effects;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::cfg::{Block, Cfg, Edge, Event, Frame, Kind};
use super::facts::{DEPTH, Facts, ModuleFacts};
use super::hit_conditions::Condition;
use super::hit_kinds::{Origin, Runs};
use super::hit_objects;
use super::path_conditions::{ExprId, Lit, LoopId, NO_LOOP, PathConditions};
use super::types::{MAX_CELLS, Member, Part, is_plain};
use super::watched::{Masks, Tests, Tracked};

pub(super) use super::watched::Watched;

/// A cfg has no more events or blocks.
const MAX: usize = 100_000;

/// The CFG of an entry point or exported function; `None` if it does not access payloads.
pub(super) fn cfg(facts: &mut ModuleFacts<'_>, root: Func) -> Result<Option<Cfg>, TooLarge> {
    if !facts.accesses[root] {
        return Ok(None);
    }
    facts.collect_members();
    let (mut cfg, mut objects, masks) = walk(facts, root, Masks::default())?;
    if !masks.is_empty() {
        (cfg, objects, _) = walk(facts, root, masks)?;
    }
    cfg.sort();
    hit_objects::resolve(&mut cfg, &objects);
    Ok(Some(cfg))
}

/// Builds it, with the invocations of hit objects, and the masks that branches test. `told`: those that edges tell apart.
#[allow(clippy::type_complexity)]
fn walk(facts: &mut ModuleFacts<'_>, root: Func, told: Masks) -> Result<(Cfg, Vec<(u32, u32)>, Masks), TooLarge> {
    let m = facts.cells.m;
    let f = &m.funcs[root];
    let mut w = Walk {
        facts,
        cfg: Cfg {
            root,
            events: Vec::new(),
            blocks: Vec::new(),
            frames: vec![Frame { func: root, caller: None }],
            cells: 0,
            incoming: None,
            shared: Vec::new(),
            invoked_on: FxHashMap::default(),
            invoked: Vec::new(),
            refined_to: FxHashMap::default(),
            conds: PathConditions::new(),
            conditions: FxHashMap::default(),
            order: Vec::new(),
        },
        cur: None,
        top: 0,
        looped: NO_LOOP,
        depth: 0,
        globals: FxHashMap::default(),
        held: Vec::new(),
        spread: FxHashMap::default(),
        calls: Vec::new(),
        returned: None,
        constants_at: FxHashMap::default(),
        origins: FxHashMap::default(),
        objects: Vec::new(),
        trials: 0,
        unrolled: 0,
        valued: 0,
        tests: Tests::telling(told),
    };
    let first = w.block(Span::NONE);
    w.start(first);
    let mut places = FxHashMap::default();
    for (id, s) in f.slots.iter() {
        if s.role == SlotRole::PayloadIn
            && let Some(p) = w.allocate(s.ty)
            && let TypeKind::Struct(ty) = m.types.kind(s.ty)
        {
            places.insert(Root::Slot(id), p);
            w.cfg.incoming = Some((p, ty));
        }
    }
    for p in &f.params {
        if let Param::Ref(l) = *p
            && w.facts.cells.follows(f.locals[l].ty)
            && let Some(part) = w.allocate(f.locals[l].ty)
        {
            places.insert(Root::Local(l), part);
            w.cfg.shared.push(part);
        }
    }
    for (g, data) in m.globals.iter() {
        if let GlobalKind::Private(t, _) = data.kind
            && w.facts.cells.follows_global(g)
            && let Some(part) = w.allocate(t)
        {
            w.globals.insert(g, part);
        }
    }
    // What the payload and the variables of the library hold, on every path the same until it is written.
    let mut held = Constants::default();
    for cell in 0..w.top.min(MAX_HELD) {
        let k = w.cfg.conds.opaque(NO_LOOP);
        held.insert(Watched::Cell(cell), k);
    }
    // Returns of the entry point are its exits; none leads to a block.
    w.enter(root, 0, Given { places, held, ..Given::default() }, 0)?;
    w.finish();
    if w.cfg.events.len().max(w.cfg.blocks.len()) > MAX {
        return Err(TooLarge);
    }
    Ok((w.cfg, w.objects, w.tests.masks()))
}

/// A shader is too large to be followed.
#[derive(Debug)]
pub(super) struct TooLarge;

/// What a function is called with.
#[derive(Default)]
struct Given {
    /// The cells that its references are.
    places: FxHashMap<Root, Part>,
    /// The expressions of its values.
    exprs: Vec<(Value, ExprId)>,
    /// The cells of its hit objects.
    hits: FxHashMap<Value, Part>,
    /// Where the hit object that it returns goes.
    returned: Option<Part>,
    /// What payloads hold.
    held: Constants,
}

/// A reference that a function is given.
pub(super) struct Passed {
    pub place: Place,
    pub ty: Type,
    pub mode: Option<RefMode>,
}

/// What a region of a function returns.
enum Returned {
    /// This value, on every path.
    Value(ExprId),
    /// Nothing: control goes on after it.
    Nothing,
    Unknown,
}

/// The head of a loop, to which its end leads.
#[derive(Clone)]
pub(super) struct Head {
    pub block: u32,
    /// The loop and the condition that this is its first iteration; none if each iteration is walked on its own.
    pub looped: Option<(LoopId, ExprId)>,
    /// What edges tell there.
    pub tracked: Tracked,
}

/// Of more cells it is not followed what they hold.
const MAX_HELD: u32 = 256;

/// The constants that edges tell apart.
pub(super) type Distinguished = SmallVec<[u64; 3]>;

/// What constants and flags are.
pub(super) type Constants = FxHashMap<Watched, ExprId>;

/// The edges that lead to a block that is not walked yet: the block and the number of the edge in it, and the constants there.
pub(super) type Incoming = Vec<(u32, usize, Constants)>;

/// One call as it is walked.
#[derive(Clone)]
pub(super) struct Call {
    pub func: Func,
    pub frame: u32,
    /// The cells of variables that are followed.
    pub places: FxHashMap<Root, Part>,
    /// Expressions of values.
    pub exprs: FxHashMap<Value, ExprId>,
    /// The loop around each region.
    pub loops: FxHashMap<Region, LoopId>,
    /// The block after each construct, and the continue block of each loop.
    pub joins: FxHashMap<Inst, u32>,
    pub continues: FxHashMap<Inst, u32>,
    pub heads: FxHashMap<Inst, Head>,
    /// The enclosing loops, innermost last: the instruction, and the condition that this is the first iteration.
    pub iterations: Vec<(Inst, ExprId)>,
    pub end: u32,
    /// The variables of which something is known here.
    pub constants: Constants,
    /// The cells of values that are hit objects.
    pub hits: FxHashMap<Value, Part>,
    /// Where the hit object that it returns goes.
    pub returned: Option<Part>,
    /// What results of calls say about hit objects.
    pub conditions: FxHashMap<Value, Condition>,
}

impl Call {
    fn new(func: Func, frame: u32, end: u32, given: Given) -> Call {
        Call {
            func,
            frame,
            places: given.places,
            exprs: given.exprs.into_iter().collect(),
            loops: FxHashMap::default(),
            joins: FxHashMap::default(),
            continues: FxHashMap::default(),
            heads: FxHashMap::default(),
            iterations: Vec::new(),
            end,
            constants: given.held,
            hits: given.hits,
            returned: given.returned,
            conditions: FxHashMap::default(),
        }
    }
}

pub(super) struct Walk<'b, 'm> {
    pub facts: &'b mut ModuleFacts<'m>,
    pub cfg: Cfg,
    pub cur: Option<u32>,
    /// The first free cell.
    pub top: u32,
    pub looped: LoopId,
    pub depth: u32,
    pub globals: FxHashMap<rtc_ir::Global, Part>,
    /// Of the cells whose values are followed: type, and which member of a structure.
    pub held: Vec<(Type, Option<Member>)>,
    /// Operations on choices, of which each value is an operand: operation, type of the operands, operands.
    pub spread: FxHashMap<(Opcode, Type, ExprId, ExprId), ExprId>,
    pub calls: Vec<Call>,
    /// What the result of the call that was walked last says about hit objects.
    pub returned: Option<Condition>,
    /// How control comes to blocks that are not walked yet.
    pub constants_at: FxHashMap<u32, Incoming>,
    /// Values of which edges tell which of these constants they are, if they are one.
    pub origins: FxHashMap<ExprId, Distinguished>,
    /// Invocations of hit objects, with the cells of these.
    pub objects: Vec<(u32, u32)>,
    /// Loops that are being tried iteration by iteration, and what was made for such.
    pub trials: u32,
    pub unrolled: usize,
    /// Instructions that were walked for their values alone.
    pub valued: usize,
    /// The bits of numbers that branches ask for.
    pub tests: Tests,
}

impl<'m> Walk<'_, 'm> {
    pub(super) fn f(&self) -> &'m Function {
        &self.facts.cells.m.funcs[self.call().func]
    }
    pub(super) fn call(&self) -> &Call {
        self.calls.last().expect("walking a call")
    }
    pub(super) fn call_mut(&mut self) -> &mut Call {
        self.calls.last_mut().expect("walking a call")
    }
    pub(super) fn function_facts(&self) -> &Facts {
        &self.facts.of_functions[&self.call().func]
    }

    pub(super) fn block(&mut self, span: Span) -> u32 {
        self.cfg.blocks.push(Block { span, ..Block::default() });
        self.cfg.blocks.len() as u32 - 1
    }
    pub(super) fn finish(&mut self) {
        if let Some(b) = self.cur.take() {
            self.cfg.blocks[b as usize].last = self.cfg.events.len() as u32;
        }
    }
    pub(super) fn start(&mut self, b: u32) {
        self.start_after(b, &[]);
    }
    /// The same for a block to which the arms of a branch lead, each but the last one if its condition holds.
    pub(super) fn start_after(&mut self, b: u32, arms: &[ExprId]) {
        self.finish();
        let at = self.cfg.events.len() as u32;
        let data = &mut self.cfg.blocks[b as usize];
        (data.first, data.last) = (at, at);
        self.cur = Some(b);
        let incoming = self.constants_at.remove(&b).unwrap_or_default();
        let constants = self.joined(incoming, arms);
        if let Some(call) = self.calls.last_mut() {
            call.constants = constants;
        }
    }
    pub(super) fn edge(&mut self, to: u32, lits: SmallVec<[Lit; 2]>, back: Option<LoopId>) {
        if let Some(b) = self.cur {
            let succs = &mut self.cfg.blocks[b as usize].succs;
            succs.push(Edge { to, lits, back });
            let n = succs.len() - 1;
            self.bring_constants(to, b, n);
        }
    }
    /// Ends the block with an edge to `to`.
    pub(super) fn jump(&mut self, to: u32, back: Option<LoopId>) {
        self.edge(to, SmallVec::new(), back);
        self.finish();
    }
    pub(super) fn event(&mut self, kind: Kind, inst: Inst) {
        if self.cur.is_some() {
            let frame = self.call().frame;
            self.cfg.events.push(Event { kind, frame, inst });
            self.hold(kind);
        }
    }

    /// What payloads hold after an event: each cell that is written holds another value.
    fn hold(&mut self, kind: Kind) {
        let (part, from) = match kind {
            Kind::Copy { to, from, .. } if !to.weak && !from.weak => (to, Some(from)),
            Kind::Fresh(to)
            | Kind::Store { to, .. }
            | Kind::Copy { to, .. }
            | Kind::Escape { part: to, writes: true }
            | Kind::Trace { slot: to, .. } => (to, None),
            _ => return,
        };
        for (n, c) in part.cells().enumerate().take_while(|c| c.1 < MAX_HELD as usize) {
            let copied = from.and_then(|p| self.call().constants.get(&Watched::Cell(p.start + n as u32)).copied());
            let k = copied.unwrap_or_else(|| self.cfg.conds.opaque(self.looped));
            self.call_mut().constants.insert(Watched::Cell(c as u32), k);
        }
    }

    /// What a cell holds whose value is followed.
    pub(super) fn hold_value(&mut self, cell: u32, k: ExprId) {
        if cell < MAX_HELD {
            self.call_mut().constants.insert(Watched::Cell(cell), k);
        }
    }

    /// What a cell holds.
    pub(super) fn held(&mut self, cell: u32) -> ExprId {
        if let Some(&k) = self.call().constants.get(&Watched::Cell(cell)) {
            return k;
        }
        let k = self.cfg.conds.opaque(self.looped);
        if cell < MAX_HELD {
            self.call_mut().constants.insert(Watched::Cell(cell), k);
        }
        k
    }

    pub(super) fn allocate(&mut self, ty: Type) -> Option<Part> {
        let len = self.facts.cells.count(ty);
        if !(1..=MAX_CELLS).contains(&len) || self.top > (1 << 20) {
            return None;
        }
        let start = self.top;
        self.top += len;
        self.cfg.cells = self.cfg.cells.max(self.top);
        if start < MAX_HELD {
            self.held.truncate(start as usize);
            self.facts.cells.scalars(ty, None, &mut self.held);
            self.held.truncate(MAX_HELD as usize);
        }
        Some(Part::one(start, len, ty))
    }

    /// Inlines a function: its variables get cells, its returns lead to `end`.
    fn enter(&mut self, func: Func, frame: u32, mut given: Given, end: u32) -> Result<(), TooLarge> {
        let mut places = std::mem::take(&mut given.places);
        if self.depth > DEPTH || self.cfg.events.len().max(self.cfg.blocks.len()) > MAX {
            return Err(TooLarge);
        }
        self.facts.collect(func);
        let m = self.facts.cells.m;
        let f = &m.funcs[func];
        let top = self.top;
        for (id, l) in f.locals.iter() {
            if l.param.is_none()
                && self.facts.cells.follows(l.ty)
                && let Some(p) = self.allocate(l.ty)
            {
                places.insert(Root::Local(id), p);
            }
        }
        for (id, s) in f.slots.iter() {
            if s.role == SlotRole::PayloadOut
                && let Some(p) = self.allocate(s.ty)
            {
                places.insert(Root::Slot(id), p);
            }
        }
        self.calls.push(Call::new(func, frame, end, Given { places, ..given }));
        if self.top > top {
            let all = Part::one(top, self.top - top, Type::BOOL);
            let inst = f.regions[f.body].insts[0];
            self.event(Kind::Fresh(all), inst);
        }
        let done = self.region(f.body);
        self.returned = if f.ret == Some(Type::BOOL) { self.returned_condition(f.body, top) } else { None };
        self.calls.pop();
        // What the result says of objects of the function is still said after the call: their cells are nothing else's.
        self.top = self.returned.as_ref().map_or(top, |c| c.end().max(top));
        done
    }

    pub(super) fn region(&mut self, r: Region) -> Result<(), TooLarge> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(TooLarge);
        }
        let looped = self.looped;
        self.call_mut().loops.insert(r, looped);
        let f = self.f();
        for &i in &f.regions[r].insts {
            if self.cur.is_none() {
                break;
            }
            self.inst(i)?;
        }
        self.depth -= 1;
        Ok(())
    }

    pub(super) fn inst(&mut self, i: Inst) -> Result<(), TooLarge> {
        let f = self.f();
        if f.owns_regions(i) {
            return if self.function_facts().keep.contains(i) { self.control(i) } else { self.skip(i) };
        }
        match f.insts[i] {
            InstData::Access { op, place, args, .. } => {
                let args = f.get(args);
                match (self.place(place, &mut &*args), op) {
                    (Some(p), Opcode::load) if f.ty(f.result(i)) == Type::HIT_OBJECT => self.hit(i, Origin::From(p)),
                    (Some(p), Opcode::load) => self.load(i, p),
                    // A declaration in a loop.
                    (Some(p), _) if !p.weak && args.last().is_some_and(|&v| f.is_undef(v)) => self.event(Kind::Fresh(p), i),
                    (Some(p), Opcode::store) => self.store(i, place, p),
                    (Some(p), _) => self.written(i, place, p),
                    (None, Opcode::load) => self.load_constant(i, place),
                    (None, Opcode::store) => self.store_constant(place, args[args.len() - 1]),
                    (None, _) => {}
                }
            }
            InstData::Copy { to, from, args } => {
                let mut indices = f.get(args);
                let (a, b) = (self.place(to, &mut indices), self.place(from, &mut indices));
                let slot = |p: Place| matches!(f.places[p].root, Root::Slot(s) if f.slots[s].role == SlotRole::PayloadOut);
                match (a, b) {
                    (Some(a), Some(b)) if a.len == b.len => {
                        let named = self.is_assignment(i, to);
                        let passing = slot(to) || slot(from);
                        // Of several places it is one: the first, unless it is another one.
                        for (n, m) in (0..a.times).flat_map(|n| (0..b.times).map(move |m| (n, m))) {
                            let from = Part { weak: b.weak && b.times == 1, ..b.place(m) };
                            let to = Part { weak: a.weak || m > 0, ..a.place(n) };
                            self.event(Kind::Copy { to, from, passing, named }, i);
                        }
                    }
                    (a, b) => {
                        if let Some(b) = b {
                            self.event(Kind::Load(b), i);
                        }
                        if let Some(a) = a {
                            self.written(i, to, a);
                        }
                    }
                }
            }
            InstData::Slot { op, slot, args } => {
                if let Some(&p) = self.call().places.get(&Root::Slot(slot))
                    && let TypeKind::Struct(ty) = self.facts.cells.m.types.kind(f.slots[slot].ty)
                    && op.effects().contains(Effects::RUNS_SHADERS)
                {
                    self.trace(i, op, f.get(args), p, ty);
                }
                self.hit_made(i);
            }
            InstData::Call { func, .. } if self.facts.cells.m.funcs[func].declared => self.escapes(i, func),
            InstData::Call { func, .. } => self.inlined(i, func)?,
            InstData::Exit { op, target, .. } => self.exit(i, op, target.expand()),
            _ => self.hit_made(i),
        }
        Ok(())
    }

    /// A trace, or an invocation of a hit object.
    fn trace(&mut self, i: Inst, op: Opcode, args: &[Value], slot: Part, ty: rtc_ir::Struct) {
        let flags = args.get(1).map(|&v| self.expr_of(v)).and_then(|k| self.cfg.conds.constant_of(k));
        let runs = Runs::of(op, flags);
        if op == Opcode::hit_invoke
            && let Some(object) = self.call().hits.get(&args[0]).copied()
        {
            let at = (self.cfg.events.len() as u32, object.start);
            self.objects.push(at);
            let f = self.f();
            let mut cells = self.cells_of(i, args[0]);
            // What is loaded as the argument is loaded for the call.
            if let Some(load) = f.def_inst(args[0])
                && let InstData::Access { op: Opcode::load, place, args, .. } = f.insts[load]
                && let Some(variable) = self.place(place, &mut f.get(args))
                && !variable.weak
                && !cells.contains(&variable.start)
            {
                cells.push(variable.start);
            }
            self.cfg.invoked.push((at.0, cells));
        }
        self.event(Kind::Trace { slot, ty, op, runs }, i);
    }

    pub(super) fn inlined(&mut self, i: Inst, func: Func) -> Result<(), TooLarge> {
        let f = self.f();
        let m = self.facts.cells.m;
        let InstData::Call { args, refs, .. } = f.insts[i] else {
            return Ok(());
        };
        let callee = &m.funcs[func];
        let count = callee.params.iter().filter(|p| matches!(p, Param::Value(_))).count();
        let (values, mut indices) = f.get(args).split_at(count.min(args.len()));
        let mut values = values.iter().copied();
        let mut refs = f.get_places(refs).iter().copied();
        let mut given = Given::default();
        // Parts of payloads that the function may write as arguments of their own: a field, an element, a component.
        let mut parts: SmallVec<[(Part, Place); 2]> = SmallVec::new();
        let mut passed: Vec<Passed> = Vec::new();
        for p in &callee.params {
            match *p {
                Param::Value(v) => {
                    let Some(a) = values.next() else { break };
                    let k = self.expr_of(a);
                    given.exprs.push((v, k));
                    if let Some(cell) = self.origin(i, a) {
                        given.hits.insert(v, cell);
                    }
                }
                Param::Ref(l) => {
                    let Some(place) = refs.next() else { break };
                    let (part, local) = (self.place(place, &mut indices), &callee.locals[l]);
                    if let Some(part) = part {
                        if local.param == Some(RefMode::Out) && !part.weak {
                            self.event(Kind::Fresh(part), i);
                        }
                        if local.param != Some(RefMode::In) && is_plain(m, local.ty) && self.is_assignment(i, place) {
                            parts.push((part, place));
                        }
                        given.places.insert(Root::Local(l), Part { ty: local.ty, ..part });
                    }
                    passed.push(Passed { place, ty: local.ty, mode: local.param });
                }
            }
        }
        // A function that cannot do anything with payloads.
        if !self.facts.concerns[func] && given.places.is_empty() {
            return self.value_of(i, func, given, &passed);
        }
        if callee.ret == Some(Type::HIT_OBJECT) {
            given.returned = self.hit_cell(f.result(i));
        }
        let frame = self.cfg.frames.len() as u32;
        let caller = Some((self.call().frame, i));
        self.cfg.frames.push(Frame { func, caller });
        let end = self.block(Span::NONE);
        let mut constants = std::mem::take(&mut self.call_mut().constants);
        let is_cell = |what: &Watched| matches!(what, Watched::Cell(_));
        given.held = constants.extract_if(|what, _| is_cell(what)).collect();
        given.held.extend(self.passed_in(&passed, &constants));
        let first = self.cfg.events.len();
        self.enter(func, frame, given, end)?;
        if let (Some(condition), &[result]) = (self.returned.take(), f.results(i)) {
            self.call_mut().conditions.insert(result, condition);
        }
        self.start(end);
        let after = std::mem::replace(&mut self.call_mut().constants, constants);
        let result = callee.ret.and_then(|ty| after.get(&Watched::Result(ty)));
        if let (Some(&k), Some(&v)) = (result, f.results(i).first()) {
            self.call_mut().exprs.insert(v, k);
        }
        // The variables of the function are gone.
        let top = self.top;
        self.call_mut().constants.extend(after.iter().filter(|(what, _)| matches!(what, Watched::Cell(n) if *n < top)));
        self.forget_passed(i);
        self.passed_back(&passed, &after);
        for (to, place) in parts {
            let writes = |e: &Event| match e.kind {
                Kind::Store { to: p, .. } | Kind::Copy { to: p, .. } => p.overlaps(to),
                _ => false,
            };
            if self.cfg.events[first..].iter().any(writes) {
                self.event(Kind::Returned { to, place }, i);
            }
        }
        Ok(())
    }

    /// The value of a call of a function that does nothing with payloads, where branches alone decide which of its values that is, and what it stores
    /// into what it was given by reference.
    fn value_of(&mut self, i: Inst, func: Func, mut given: Given, passed: &[Passed]) -> Result<(), TooLarge> {
        let (m, f) = (self.facts.cells.m, self.f());
        let callee = &m.funcs[func];
        let by_reference = passed.iter().any(|p| p.mode != Some(RefMode::In));
        if self.valued > MAX || f.results(i).is_empty() && !by_reference {
            self.forget_passed(i);
            return Ok(());
        }
        self.facts.collect(func);
        let top = self.top;
        let (frame, end, constants) = (self.call().frame, self.call().end, self.call().constants.clone());
        given.held.extend(self.passed_in(passed, &constants));
        self.calls.push(Call::new(func, frame, end, given));
        let value = self.returned(callee.body)?;
        // Where control leaves it early is not followed.
        let keep = &self.function_facts().keep;
        let straight = callee.regions[callee.body].insts.iter().all(|&i| !keep.contains(i));
        let after = std::mem::take(&mut self.call_mut().constants);
        let mut condition = if callee.ret == Some(Type::BOOL) { self.returned_condition(callee.body, top) } else { None };
        self.calls.pop();
        if let Some(condition) = &mut condition {
            condition.keep_cells(|cell| cell < top);
        }
        if let (Some(condition), &[result]) = (condition, f.results(i)) {
            self.call_mut().conditions.insert(result, condition);
        }
        self.forget_passed(i);
        if straight {
            self.passed_back(passed, &after);
        }
        if let (Returned::Value(k), &[result]) = (value, f.results(i)) {
            self.call_mut().exprs.insert(result, k);
        }
        Ok(())
    }

    /// What a region of such a function returns.
    fn returned(&mut self, r: Region) -> Result<Returned, TooLarge> {
        let f = self.f();
        let (ret, looped) = (f.ret.unwrap_or(Type::BOOL), self.looped);
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(TooLarge);
        }
        self.call_mut().loops.insert(r, looped);
        self.valued += f.regions[r].insts.len();
        // Values that are returned where the condition holds.
        let mut first: SmallVec<[(ExprId, ExprId); 2]> = SmallVec::new();
        let mut last = Returned::Unknown;
        for &i in &f.regions[r].insts {
            match f.insts[i] {
                InstData::Exit { op: Opcode::return_, args, .. } => {
                    last = f.get(args).first().map_or(Returned::Unknown, |&v| Returned::Value(self.expr_of(v)));
                }
                InstData::Exit { op: Opcode::yield_, .. } if first.is_empty() => last = Returned::Nothing,
                InstData::Exit { .. } => {}
                InstData::If { cond, then_, else_ } if self.function_facts().keep.contains(i) => {
                    let k = self.expr_of(cond);
                    let before = self.call().constants.clone();
                    let Returned::Value(x) = self.returned(then_)? else { break };
                    self.call_mut().constants = before;
                    first.push((k, x));
                    match self.returned(else_)? {
                        Returned::Nothing => {}
                        other => {
                            last = other;
                            break;
                        }
                    }
                }
                _ if self.function_facts().keep.contains(i) => break,
                _ => self.inst(i)?,
            }
        }
        self.depth -= 1;
        let Returned::Value(mut value) = last else { return Ok(last) };
        for (k, x) in first.into_iter().rev() {
            value = self.choose(k, x, value, ret);
        }
        Ok(Returned::Value(value))
    }

    /// A call of a function that is declared only.
    fn escapes(&mut self, i: Inst, func: Func) {
        let m = self.facts.cells.m;
        let f = self.f();
        let (InstData::Call { args, refs, .. }, callee) = (f.insts[i], &m.funcs[func]) else { return };
        let count = callee.params.iter().filter(|p| matches!(p, Param::Value(_))).count();
        let mut indices = &f.get(args)[count.min(args.len())..];
        let modes = callee.params.iter().filter_map(|p| match *p {
            Param::Ref(l) => callee.locals[l].param,
            Param::Value(_) => None,
        });
        for (&place, mode) in f.get_places(refs).iter().zip(modes) {
            let Some(part) = self.place(place, &mut indices) else { continue };
            if mode == RefMode::Out && !part.weak {
                self.event(Kind::Fresh(part), i);
            }
            self.event(Kind::Escape { part, writes: mode != RefMode::In }, i);
        }
    }

    /// The cells of an access path, if they are followed. Takes its indices from `indices`: those that are known are constants.
    pub(super) fn place(&mut self, p: Place, indices: &mut &[Value]) -> Option<Part> {
        let f = self.f();
        let data = &f.places[p];
        let (own, rest) = indices.split_at(data.steps.iter().filter(|&&s| s == Step::Dyn).count().min(indices.len()));
        *indices = rest;
        let whole = match data.root {
            Root::Global(g) => self.globals.get(&g).copied(),
            root => self.call().places.get(&root).copied(),
        }?;
        let mut own = own.iter();
        let mut steps: SmallVec<[Step; 8]> = SmallVec::new();
        for &s in &data.steps {
            let known = match s {
                Step::Dyn => own.next().map(|&v| self.expr_of(v)).and_then(|k| self.cfg.conds.constant_of(k)),
                Step::At(_) => None,
            };
            steps.push(known.and_then(|n| u32::try_from(n).ok()).map_or(s, Step::At));
        }
        Some(self.facts.cells.part(whole, &steps))
    }
}

/// Whether a function is called from outside of the library: an entry point or an exported function.
pub(super) fn is_root(f: &Function) -> bool {
    f.is_entry() || (f.exported && f.stage == Stage::Library)
}
