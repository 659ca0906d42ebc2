//! From functions to the flow of an entry point: calls in place, places as cells, branches as edges with conditions.

use rtc_base::{EntitySet, SecondaryMap, Span};
use rtc_ir::{
    Func, Function, GlobalKind, Inst, InstData, Local, Opcode, Param, Place, RefMode, Region, Root,
    SlotRole, Stage, Step, Type, TypeKind, Value, ValueDef,
};
use rtc_tables::insts::Effects;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use super::flow::{Block, Edge, Event, Flow, Frame, Kind};
use super::keys::{Expr, Key, Keys, Lit, LoopId, NO_LOOP};
use super::types::{Cells, MOST_CELLS, Part};

/// Calls and regions nest no deeper here; what does is left alone.
const DEPTH: u32 = 240;
/// A flow has no more events or blocks.
const MOST: usize = 100_000;

/// What is known of a function wherever it is called.
struct Facts {
    /// Where each instruction stands.
    parents: SecondaryMap<Inst, Region>,
    /// Control instructions that matter: something happens inside, or control leaves them other than at their end.
    keep: EntitySet<Inst>,
    /// Variables that are written once, as a whole, and by nobody else: with what.
    single: FxHashMap<Local, Value>,
    /// All stores to each variable that is only stored to as a whole.
    stores: FxHashMap<Local, Vec<Inst>>,
    /// Who uses what is loaded from variables that are followed.
    users: FxHashMap<Value, SmallVec<[Inst; 2]>>,
    /// Spans of stores that fill in more than one member.
    initialisers: FxHashSet<Span>,
}

/// Makes flows.
pub(super) struct Builder<'m> {
    pub cells: Cells<'m>,
    facts: FxHashMap<Func, Facts>,
    concerns: SecondaryMap<Func, bool>,
}

impl<'m> Builder<'m> {
    pub fn new(cells: Cells<'m>) -> Self {
        let mut b = Builder {
            cells,
            facts: FxHashMap::default(),
            concerns: SecondaryMap::new(),
        };
        b.find_concerned();
        b
    }

    /// Functions that do something with payloads, and those that call them.
    fn find_concerned(&mut self) {
        let m = self.cells.m;
        let mut callers: FxHashMap<Func, Vec<Func>> = FxHashMap::default();
        let mut todo = Vec::new();
        for (id, f) in m.funcs.iter() {
            f.for_each_inst(f.body, |_, i| {
                if let InstData::Call { func, .. } = f.insts[i] {
                    callers.entry(func).or_default().push(id);
                }
            });
            if self.cells.concerns(f) {
                todo.push(id);
            }
        }
        while let Some(f) = todo.pop() {
            if !std::mem::replace(&mut self.concerns[f], true)
                && let Some(list) = callers.get(&f)
            {
                todo.extend(list);
            }
        }
    }

    fn facts(&mut self, id: Func) -> &Facts {
        if !self.facts.contains_key(&id) {
            let facts = self.make_facts(id);
            self.facts.insert(id, facts);
        }
        &self.facts[&id]
    }

    fn make_facts(&mut self, id: Func) -> Facts {
        let m = self.cells.m;
        let f = &m.funcs[id];
        let mut single: FxHashMap<Local, Option<Value>> = FxHashMap::default();
        let mut stores: FxHashMap<Local, Vec<Inst>> = FxHashMap::default();
        let mut partial: FxHashSet<Local> = FxHashSet::default();
        let spoil = |single: &mut FxHashMap<Local, Option<Value>>,
                     partial: &mut FxHashSet<Local>,
                     p: Place| {
            if let Root::Local(l) = f.places[p].root {
                single.insert(l, None);
                partial.insert(l);
            }
        };
        let mut members: FxHashMap<Span, Step> = FxHashMap::default();
        let mut initialisers = FxHashSet::default();
        let mut loads = FxHashMap::default();
        let mut insts = Vec::new();
        f.for_each_inst(f.body, |_, i| insts.push(i));
        for &i in &insts {
            match f.insts[i] {
                InstData::Access {
                    op: Opcode::store,
                    place,
                    args,
                    ..
                } => {
                    let p = &f.places[place];
                    if let Root::Local(l) = p.root {
                        let v = f.get(args).last().copied();
                        let once = p.steps.is_empty()
                            && !single.contains_key(&l)
                            && f.locals[l].param.is_none();
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
                InstData::Access {
                    op: Opcode::load, ..
                } => {
                    loads.insert(f.result(i), SmallVec::new());
                }
                InstData::Access { place, .. } => spoil(&mut single, &mut partial, place),
                InstData::Copy { to, .. } => spoil(&mut single, &mut partial, to),
                InstData::Call { refs, .. } => {
                    f.get_places(refs)
                        .iter()
                        .for_each(|&p| spoil(&mut single, &mut partial, p));
                }
                _ => {}
            }
        }
        let mut users: FxHashMap<Value, SmallVec<[Inst; 2]>> = loads;
        for &i in &insts {
            f.for_each_operand(i, |v| {
                if let Some(list) = users.get_mut(&v) {
                    list.push(i);
                }
            });
        }
        stores.retain(|l, _| !partial.contains(l) && f.locals[*l].param.is_none());
        let mut keep = EntitySet::new();
        self.mark(f, f.body, 1, &mut keep);
        Facts {
            parents: crate::util::parents(f),
            keep,
            single: single
                .into_iter()
                .filter_map(|(l, v)| Some((l, v?)))
                .collect(),
            stores,
            users,
            initialisers,
        }
    }

    /// Whether something happens in `r`, and the outermost level that control leaves it to. Marks what matters.
    fn mark(
        &mut self,
        f: &Function,
        r: Region,
        depth: u32,
        keep: &mut EntitySet<Inst>,
    ) -> (bool, u32) {
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
                    // Too deep to look: the builder gives up there.
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
                // What leaves to the instruction itself is its own business.
                if inside || level < depth {
                    keep.insert(i);
                }
                happens |= inside;
                out = out.min(level);
                continue;
            }
            match f.insts[i] {
                InstData::Exit {
                    op: Opcode::break_ | Opcode::continue_,
                    target,
                    ..
                } => {
                    let owner = target.expand().and_then(|r| f.regions[r].owner);
                    out = out.min(owner.and_then(|o| levels.get(&o).copied()).unwrap_or(0));
                }
                InstData::Exit {
                    op: Opcode::yield_ | Opcode::next | Opcode::next_if,
                    ..
                } => {}
                InstData::Exit { .. } => out = 0,
                InstData::Call { func, .. } => happens |= self.concerns[func],
                InstData::Access { place, .. } => {
                    happens |= self.follows_root(f, f.places[place].root)
                }
                InstData::Copy { to, from, .. } => {
                    happens |= self.follows_root(f, f.places[to].root)
                        || self.follows_root(f, f.places[from].root);
                }
                InstData::Slot { slot, .. } => happens |= self.follows_root(f, Root::Slot(slot)),
                _ => {}
            }
        }
        (happens, out)
    }

    fn follows_root(&mut self, f: &Function, r: Root) -> bool {
        match r {
            Root::Local(l) => self.cells.follows(f.locals[l].ty),
            Root::Slot(s) => matches!(f.slots[s].role, SlotRole::PayloadIn | SlotRole::PayloadOut),
            Root::Global(g) => match self.cells.m.globals[g].kind {
                GlobalKind::Private(t) => self.cells.follows(t),
                _ => false,
            },
        }
    }

    /// The flow of an entry point or exported function. `None` if it has nothing to do with payloads, or is too large
    /// to be followed.
    pub fn flow(&mut self, root: Func) -> Result<Option<Flow>, TooLarge> {
        if !self.concerns[root] {
            return Ok(None);
        }
        let m = self.cells.m;
        let f = &m.funcs[root];
        let mut w = Walk {
            b: self,
            flow: Flow {
                root,
                events: Vec::new(),
                blocks: Vec::new(),
                frames: vec![Frame {
                    func: root,
                    caller: None,
                }],
                cells: 0,
                incoming: None,
                shared: Vec::new(),
                keys: Keys::new(),
                conditions: FxHashMap::default(),
                order: Vec::new(),
            },
            cur: None,
            top: 0,
            looped: NO_LOOP,
            depth: 0,
            globals: FxHashMap::default(),
            calls: Vec::new(),
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
                w.flow.incoming = Some((p, ty));
            }
        }
        for p in &f.params {
            if let Param::Ref(l) = *p
                && w.b.cells.follows(f.locals[l].ty)
                && let Some(part) = w.allocate(f.locals[l].ty)
            {
                places.insert(Root::Local(l), part);
                w.flow.shared.push(part);
            }
        }
        for (g, data) in m.globals.iter() {
            if let GlobalKind::Private(t) = data.kind
                && w.b.cells.follows(t)
                && let Some(part) = w.allocate(t)
            {
                w.globals.insert(g, part);
            }
        }
        // Returns of the entry point are its exits; none leads to a block.
        w.enter(root, 0, places, Vec::new(), 0)?;
        w.finish();
        let mut flow = w.flow;
        if flow.events.len().max(flow.blocks.len()) > MOST {
            return Err(TooLarge);
        }
        flow.sort();
        Ok(Some(flow))
    }
}

/// A shader is too large to be followed.
#[derive(Debug)]
pub(super) struct TooLarge;

/// One call as it is walked.
struct Call {
    func: Func,
    frame: u32,
    /// Places of variables that are followed.
    places: FxHashMap<Root, Part>,
    /// Expressions of values.
    keys: FxHashMap<Value, Key>,
    /// The loop around each region.
    loops: FxHashMap<Region, LoopId>,
    /// Where control goes that leaves each construct, and that continues each loop.
    joins: FxHashMap<Inst, u32>,
    continues: FxHashMap<Inst, u32>,
    heads: FxHashMap<Inst, (u32, LoopId)>,
    /// Loops around, innermost last: the instruction, and the condition that this is the first round.
    rounds: Vec<(Inst, Key)>,
    end: u32,
}

struct Walk<'b, 'm> {
    b: &'b mut Builder<'m>,
    flow: Flow,
    cur: Option<u32>,
    /// The first free cell.
    top: u32,
    looped: LoopId,
    depth: u32,
    globals: FxHashMap<rtc_ir::Global, Part>,
    calls: Vec<Call>,
}

impl<'m> Walk<'_, 'm> {
    fn f(&self) -> &'m Function {
        &self.b.cells.m.funcs[self.call().func]
    }
    fn call(&self) -> &Call {
        self.calls.last().expect("walking a call")
    }
    fn call_mut(&mut self) -> &mut Call {
        self.calls.last_mut().expect("walking a call")
    }
    fn facts(&self) -> &Facts {
        &self.b.facts[&self.call().func]
    }

    fn block(&mut self, span: Span) -> u32 {
        self.flow.blocks.push(Block {
            span,
            ..Block::default()
        });
        self.flow.blocks.len() as u32 - 1
    }
    fn finish(&mut self) {
        if let Some(b) = self.cur.take() {
            self.flow.blocks[b as usize].last = self.flow.events.len() as u32;
        }
    }
    fn start(&mut self, b: u32) {
        self.finish();
        let at = self.flow.events.len() as u32;
        let data = &mut self.flow.blocks[b as usize];
        (data.first, data.last) = (at, at);
        self.cur = Some(b);
    }
    fn edge(&mut self, to: u32, lits: SmallVec<[Lit; 2]>, back: Option<LoopId>) {
        if let Some(b) = self.cur {
            self.flow.blocks[b as usize]
                .succs
                .push(Edge { to, lits, back });
        }
    }
    /// Control goes on at `to`; what follows here is dead.
    fn jump(&mut self, to: u32, back: Option<LoopId>) {
        self.edge(to, SmallVec::new(), back);
        self.finish();
    }
    fn event(&mut self, kind: Kind, inst: Inst) {
        if self.cur.is_some() {
            let frame = self.call().frame;
            self.flow.events.push(Event { kind, frame, inst });
        }
    }

    fn allocate(&mut self, ty: Type) -> Option<Part> {
        let len = self.b.cells.count(ty);
        if !(1..=MOST_CELLS).contains(&len) || self.top > (1 << 20) {
            return None;
        }
        let start = self.top;
        self.top += len;
        self.flow.cells = self.flow.cells.max(self.top);
        Some(Part {
            start,
            len,
            ty,
            weak: false,
        })
    }

    /// Walks a function: its variables get cells, its body is put here, its returns lead to `end`.
    fn enter(
        &mut self,
        func: Func,
        frame: u32,
        mut places: FxHashMap<Root, Part>,
        values: Vec<(Value, Key)>,
        end: u32,
    ) -> Result<(), TooLarge> {
        if self.depth > DEPTH || self.flow.events.len().max(self.flow.blocks.len()) > MOST {
            return Err(TooLarge);
        }
        self.b.facts(func);
        let m = self.b.cells.m;
        let f = &m.funcs[func];
        let top = self.top;
        for (id, l) in f.locals.iter() {
            if l.param.is_none()
                && self.b.cells.follows(l.ty)
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
        self.calls.push(Call {
            func,
            frame,
            places,
            keys: values.into_iter().collect(),
            loops: FxHashMap::default(),
            joins: FxHashMap::default(),
            continues: FxHashMap::default(),
            heads: FxHashMap::default(),
            rounds: Vec::new(),
            end,
        });
        if self.top > top {
            let all = Part {
                start: top,
                len: self.top - top,
                ty: Type::BOOL,
                weak: false,
            };
            let inst = f.regions[f.body].insts[0];
            self.event(Kind::Fresh(all), inst);
        }
        let done = self.region(f.body);
        self.calls.pop();
        self.top = top;
        done
    }

    fn region(&mut self, r: Region) -> Result<(), TooLarge> {
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

    fn inst(&mut self, i: Inst) -> Result<(), TooLarge> {
        let f = self.f();
        if f.owns_regions(i) {
            if self.facts().keep.contains(i) {
                self.control(i)?;
            }
            return Ok(());
        }
        match f.insts[i] {
            InstData::Access { op, place, .. } => {
                if let Some(p) = self.place(place) {
                    match op {
                        Opcode::load => self.load(i, p),
                        _ => {
                            let named = self.is_assignment(i, place);
                            self.event(Kind::Store { to: p, named }, i);
                        }
                    }
                }
            }
            InstData::Copy { to, from, .. } => {
                let (a, b) = (self.place(to), self.place(from));
                let slot = |p: Place| matches!(f.places[p].root, Root::Slot(s) if f.slots[s].role == SlotRole::PayloadOut);
                match (a, b) {
                    (Some(a), Some(b)) if a.len == b.len && !b.weak => {
                        let named = self.is_assignment(i, to);
                        let passing = slot(to) || slot(from);
                        self.event(
                            Kind::Copy {
                                to: a,
                                from: b,
                                passing,
                                named,
                            },
                            i,
                        );
                    }
                    (a, b) => {
                        if let Some(b) = b {
                            self.event(Kind::Load(b), i);
                        }
                        if let Some(a) = a {
                            let named = self.is_assignment(i, to);
                            self.event(Kind::Store { to: a, named }, i);
                        }
                    }
                }
            }
            InstData::Slot { op, slot, .. } => {
                if let Some(&p) = self.call().places.get(&Root::Slot(slot))
                    && let TypeKind::Struct(ty) = self.b.cells.m.types.kind(f.slots[slot].ty)
                    && op.effects().contains(Effects::RUNS_SHADERS)
                {
                    self.event(Kind::Trace { slot: p, ty, op }, i);
                }
            }
            InstData::Call { func, .. } if self.b.concerns[func] => self.inlined(i, func)?,
            InstData::Exit { op, target, .. } => self.exit(i, op, target.expand()),
            _ => {}
        }
        Ok(())
    }

    fn exit(&mut self, i: Inst, op: Opcode, target: Option<Region>) {
        let f = self.f();
        let own = f.regions[self.facts().parents[i]].owner;
        let named = target.and_then(|r| f.regions[r].owner);
        match op {
            Opcode::yield_ => {
                if let Some(&to) = own.and_then(|o| self.call().joins.get(&o)) {
                    self.jump(to, None);
                }
            }
            Opcode::break_ => {
                if let Some(&to) = named.and_then(|o| self.call().joins.get(&o)) {
                    self.jump(to, None);
                }
            }
            Opcode::continue_ => {
                if let Some(&to) = named.and_then(|o| self.call().continues.get(&o)) {
                    self.jump(to, None);
                }
            }
            Opcode::next | Opcode::next_if => {
                let Some(o) = own else { return self.finish() };
                let Some(&(head, l)) = self.call().heads.get(&o) else {
                    return self.finish();
                };
                let first = self.call().rounds.last().map(|r| (r.1, false));
                let again: SmallVec<[Lit; 2]> = first.into_iter().collect();
                if op == Opcode::next {
                    self.edge(head, again, Some(l));
                    return self.finish();
                }
                let cond = f.operands(i)[0];
                let k = self.key(cond);
                let join = self.call().joins[&o];
                let (yes, no) = self.branch(k, f.spans[i]);
                if yes.is_some() {
                    // What the condition was is forgotten with the round.
                    self.edge(head, again, Some(l));
                }
                if let Some(lits) = no {
                    self.edge(join, lits, None);
                }
                self.finish();
            }
            Opcode::return_ => {
                let end = self.call().end;
                if self.calls.len() == 1 {
                    self.event(Kind::Exit, i);
                    self.finish();
                } else {
                    self.jump(end, None);
                }
            }
            Opcode::ignore_hit | Opcode::accept_hit => {
                self.event(Kind::Exit, i);
                self.finish();
            }
            _ => self.finish(),
        }
    }

    /// What is assumed on both ways of a branch; `None` where control cannot go.
    #[allow(clippy::type_complexity)]
    fn branch(
        &mut self,
        k: Key,
        span: Span,
    ) -> (Option<SmallVec<[Lit; 2]>>, Option<SmallVec<[Lit; 2]>>) {
        if let Some(c) = self.flow.keys.constant_of(k) {
            let go: SmallVec<[Lit; 2]> = SmallVec::new();
            return if c != 0 {
                (Some(go), None)
            } else {
                (None, Some(go))
            };
        }
        for holds in [true, false] {
            self.flow.conditions.entry((k, holds)).or_insert(span);
        }
        (Some(smallvec![(k, true)]), Some(smallvec![(k, false)]))
    }

    fn control(&mut self, i: Inst) -> Result<(), TooLarge> {
        let f = self.f();
        let join = self.block(Span::NONE);
        self.call_mut().joins.insert(i, join);
        match f.insts[i] {
            InstData::If { cond, then_, else_ } => {
                let k = self.key(cond);
                let at = self.value_span(cond, i);
                let (mut yes, mut no) = self.branch(k, at);
                if let Some((holds, first)) = self.in_first_round(i, cond) {
                    // The other way is for later rounds.
                    if let Some(lits) = if holds { &mut no } else { &mut yes } {
                        lits.push((first, false));
                    }
                }
                let mut arms: SmallVec<[(u32, Region); 2]> = SmallVec::new();
                for (lits, r) in [(yes, then_), (no, else_)] {
                    if let Some(lits) = lits {
                        let span = self.arm_span(r, i);
                        let b = self.block(span);
                        self.edge(b, lits, None);
                        arms.push((b, r));
                    }
                }
                for (b, r) in arms {
                    self.start(b);
                    self.region(r)?;
                }
            }
            InstData::Switch { on, cases } => {
                let k = self.key(on);
                let at = self.value_span(on, i);
                let table = &f.cases[cases];
                let mut arms = Vec::new();
                let mut rest: SmallVec<[Lit; 2]> = SmallVec::new();
                for (values, r) in &table.arms {
                    let mut any: Option<Key> = None;
                    for &v in values {
                        let c = self.flow.keys.constant(u64::from(v as u32));
                        let is = self.flow.keys.expr(Expr::Eq(k, c));
                        if rest.len() < 8 {
                            rest.push((is, false));
                        }
                        any = Some(match any {
                            None => is,
                            Some(a) => self.flow.keys.expr(Expr::Or(a, is)),
                        });
                    }
                    let Some(any) = any else { continue };
                    self.flow.conditions.entry((any, true)).or_insert(at);
                    arms.push((SmallVec::from_slice(&[(any, true)]), *r));
                }
                arms.push((rest, table.default));
                let mut blocks = Vec::new();
                for (lits, r) in arms {
                    let span = self.arm_span(r, i);
                    let b = self.block(span);
                    self.edge(b, lits, None);
                    blocks.push((b, r));
                }
                for (b, r) in blocks {
                    self.start(b);
                    self.region(r)?;
                }
            }
            InstData::Block { body } => self.region(body)?,
            InstData::Loop {
                body, continuing, ..
            } => {
                let outer = self.looped;
                self.flow.keys.parents.push(outer);
                self.looped = self.flow.keys.parents.len() as LoopId - 1;
                let looped = self.looped;
                let head = self.block(Span::NONE);
                let next = self.block(Span::NONE);
                self.call_mut().heads.insert(i, (head, looped));
                self.call_mut().continues.insert(i, next);
                let first = self.flow.keys.opaque(looped);
                self.call_mut().rounds.push((i, first));
                self.edge(head, smallvec![(first, true)], None);
                self.finish();
                self.start(head);
                self.region(body)?;
                self.start(next);
                self.region(continuing)?;
                self.call_mut().rounds.pop();
                self.looped = outer;
            }
            _ => {}
        }
        self.start(join);
        Ok(())
    }

    /// What the condition of `branch` is in the first round of the loop around it, where a counter decides: with the
    /// condition that it is the first round.
    fn in_first_round(&self, branch: Inst, cond: Value) -> Option<(bool, Key)> {
        let &(looped, first) = self.call().rounds.last()?;
        let f = self.f();
        let InstData::Loop { body, .. } = f.insts[looped] else {
            return None;
        };
        if self.facts().parents[branch] != body {
            return None;
        }
        let InstData::Binary { op, args } = f.insts[f.def_inst(cond)?] else {
            return None;
        };
        let (from, _) = self.b.cells.m.types.numeric(f.ty(args[0]))?;
        let (to, lanes) = self.b.cells.m.types.numeric(f.ty(cond))?;
        if lanes != 1 || !op.effects().is_empty() {
            return None;
        }
        let mut bits: SmallVec<[u64; 2]> = SmallVec::new();
        for a in args {
            bits.push(match f.as_const(a) {
                Some(c) => c,
                None => self.at_first(looped, body, branch, a)?,
            });
        }
        Some((rtc_ir::eval::scalar(op, from, to, &bits)? != 0, first))
    }

    /// The number that a load before `branch` gives in the first round of a loop.
    fn at_first(&self, looped: Inst, body: Region, branch: Inst, v: Value) -> Option<u64> {
        let f = self.f();
        let facts = self.facts();
        let InstData::Access {
            op: Opcode::load,
            place,
            ..
        } = f.insts[f.def_inst(v)?]
        else {
            return None;
        };
        let Root::Local(l) = f.places[place].root else {
            return None;
        };
        let outside = facts.parents[looped];
        let before = |r: Region, a: Inst, b: Inst| {
            let at = |i| f.regions[r].insts.iter().position(|&x| x == i);
            at(a) < at(b)
        };
        let mut value = None;
        for &s in facts.stores.get(&l)? {
            // Where the store stands, seen from the body of the loop, the loop, and what is around it.
            let mut i = s;
            loop {
                let r = facts.parents[i];
                if r == body && before(body, i, branch) {
                    return None;
                }
                if r == outside {
                    if i != looped {
                        // Before the loop, always, and the only one.
                        if i != s || value.is_some() || !before(outside, s, looped) {
                            return None;
                        }
                        value = Some(
                            f.as_const(
                                *f.get(match f.insts[s] {
                                    InstData::Access { args, .. } => args,
                                    _ => return None,
                                })
                                .last()?,
                            )?,
                        );
                    }
                    break;
                }
                i = f.regions[r].owner?;
            }
        }
        value
    }

    fn inlined(&mut self, i: Inst, func: Func) -> Result<(), TooLarge> {
        let f = self.f();
        let m = self.b.cells.m;
        let InstData::Call { args, refs, .. } = f.insts[i] else {
            return Ok(());
        };
        let callee = &m.funcs[func];
        let mut values = f.get(args).iter().copied();
        let mut given = f.get_places(refs).iter().copied();
        let (mut places, mut keys) = (FxHashMap::default(), Vec::new());
        for p in &callee.params {
            match *p {
                Param::Value(v) => {
                    let Some(a) = values.next() else { break };
                    let k = self.key(a);
                    keys.push((v, k));
                }
                Param::Ref(l) => {
                    let Some(place) = given.next() else { break };
                    if !self.b.cells.follows(callee.locals[l].ty) {
                        continue;
                    }
                    if let Some(part) = self.place(place) {
                        if callee.locals[l].param == Some(RefMode::Out) && !part.weak {
                            self.event(Kind::Fresh(part), i);
                        }
                        places.insert(Root::Local(l), part);
                    }
                }
            }
        }
        let frame = self.flow.frames.len() as u32;
        let caller = Some((self.call().frame, f.spans[i]));
        self.flow.frames.push(Frame { func, caller });
        let end = self.block(Span::NONE);
        self.enter(func, frame, places, keys, end)?;
        self.start(end);
        Ok(())
    }

    /// The cells of a place, if they are followed.
    fn place(&mut self, p: Place) -> Option<Part> {
        let f = self.f();
        let data = &f.places[p];
        let whole = match data.root {
            Root::Global(g) => self.globals.get(&g).copied(),
            root => self.call().places.get(&root).copied(),
        }?;
        Some(self.b.cells.part(whole, &data.steps))
    }

    /// Reads what is used of `p`.
    fn load(&mut self, i: Inst, p: Part) {
        let f = self.f();
        let v = f.result(i);
        let users: SmallVec<[Inst; 4]> = self
            .facts()
            .users
            .get(&v)
            .map(|l| SmallVec::from_slice(l))
            .unwrap_or_default();
        let mut parts: SmallVec<[u32; 4]> = SmallVec::new();
        for &u in &users {
            match f.insts[u] {
                InstData::Many {
                    op: Opcode::extract,
                    imm,
                    ..
                } if imm < p.len => parts.push(imm),
                _ if self.is_partial_write(i, u, 4) => {}
                _ => return self.event(Kind::Load(p), i),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        for n in parts {
            let one = Part {
                start: p.start + n,
                len: 1,
                ..p
            };
            self.event(Kind::Load(if p.weak { p } else { one }), i);
        }
    }

    /// Whether `user` only puts something into what `load` reads, which then goes back to its place.
    fn is_partial_write(&self, load: Inst, user: Inst, depth: u32) -> bool {
        let f = self.f();
        let v = f.result(load);
        let changed = match f.insts[user] {
            InstData::Ternary {
                op: Opcode::insert_dyn,
                args,
            } => args[0] == v,
            InstData::Many {
                op: Opcode::insert,
                args,
                ..
            } => f.get(args).first() == Some(&v),
            // Bit fields: what is around them is kept.
            InstData::Binary {
                op: Opcode::and,
                args,
            } => {
                let mask = args.iter().any(|&a| f.as_const(a).is_some());
                return mask
                    && self.uses(f.result(user)).iter().all(|&u| {
                        matches!(f.insts[u], InstData::Binary { op: Opcode::or, .. })
                            && self
                                .uses(f.result(u))
                                .iter()
                                .all(|&s| self.writes_back(load, s))
                    });
            }
            _ => false,
        };
        changed
            && depth > 0
            && self.uses(f.result(user)).iter().all(|&u| {
                self.writes_back(load, u)
                    || matches!(
                        f.insts[u],
                        InstData::Many {
                            op: Opcode::insert,
                            ..
                        }
                    ) && self
                        .uses(f.result(u))
                        .iter()
                        .all(|&s| self.writes_back(load, s))
            })
    }

    fn writes_back(&self, load: Inst, store: Inst) -> bool {
        let f = self.f();
        match (f.insts[load], f.insts[store]) {
            (
                InstData::Access { place: a, .. },
                InstData::Access {
                    op: Opcode::store,
                    place: b,
                    ..
                },
            ) => a == b,
            _ => false,
        }
    }

    /// Who uses a value: found by looking at what stands behind it in its region.
    fn uses(&self, v: Value) -> SmallVec<[Inst; 2]> {
        let f = self.f();
        let mut out = SmallVec::new();
        let Some(def) = f.def_inst(v) else { return out };
        let r = self.facts().parents[def];
        let insts = &f.regions[r].insts;
        // Such sequences are made in one piece.
        let at = insts.iter().position(|&i| i == def).unwrap_or(0);
        for &i in insts[at..].iter().take(16) {
            f.for_each_operand(i, |o| {
                if o == v {
                    out.push(i);
                }
            });
        }
        out
    }

    /// Whether a write is an assignment to a field of a variable with a name.
    fn is_assignment(&self, i: Inst, p: Place) -> bool {
        let f = self.f();
        let data = &f.places[p];
        let name = match data.root {
            Root::Local(l) => &f.locals[l].name,
            Root::Slot(s) => &f.slots[s].name,
            Root::Global(_) => return false,
        };
        let whole = match self.b.cells.m.types.kind(self.part_ty(p)) {
            TypeKind::Struct(s) => self.b.cells.payloads.binary_search(&s).is_ok(),
            _ => false,
        };
        !name.is_empty()
            && !data.steps.is_empty()
            && !whole
            && !self.facts().initialisers.contains(&f.spans[i])
    }

    fn part_ty(&self, p: Place) -> Type {
        let (f, m) = (self.f(), self.b.cells.m);
        let data = &f.places[p];
        let mut t = match data.root {
            Root::Local(l) => f.locals[l].ty,
            Root::Slot(s) => f.slots[s].ty,
            Root::Global(g) => m.globals[g].ty(),
        };
        for s in &data.steps {
            let n = match s {
                Step::At(n) => Some(*n),
                Step::Dyn => None,
            };
            let Some(next) = m.part(t, n) else { break };
            t = next;
        }
        t
    }

    fn value_span(&self, v: Value, user: Inst) -> Span {
        let f = self.f();
        f.def_inst(v).map_or(f.spans[user], |d| f.spans[d])
    }

    /// The source of an arm: that of the exit at its end, or of the instruction that owns it.
    fn arm_span(&self, r: Region, owner: Inst) -> Span {
        let f = self.f();
        let end = f.terminator(r).map(|i| f.spans[i]);
        end.filter(|s| !s.is_none()).unwrap_or(f.spans[owner])
    }

    // Conditions -----------------------------------------------------------------------------------------

    /// The expression that a value is.
    fn key(&mut self, v: Value) -> Key {
        self.key_at(v, 24)
    }

    fn key_at(&mut self, v: Value, depth: u32) -> Key {
        let f = self.f();
        if let ValueDef::Const(bits) = f.values[v].def {
            return self.flow.keys.constant(bits);
        }
        if let Some(&k) = self.call().keys.get(&v) {
            return k;
        }
        let k = match f.values[v].def {
            ValueDef::Result(i, n) if depth > 0 => self.key_of_result(i, n, depth - 1),
            _ => None,
        };
        let k = k.unwrap_or_else(|| {
            let l = self.loop_of(v);
            self.flow.keys.opaque(l)
        });
        self.call_mut().keys.insert(v, k);
        k
    }

    /// The loop that computes a value anew in each round.
    fn loop_of(&self, v: Value) -> LoopId {
        let f = self.f();
        let r = match f.values[v].def {
            ValueDef::Result(i, _) => self.facts().parents[i],
            ValueDef::Param(r, _) => r,
            _ => return NO_LOOP,
        };
        // Regions that are skipped are in no loop that matters but the current one.
        self.call().loops.get(&r).copied().unwrap_or(self.looped)
    }

    fn key_of_result(&mut self, i: Inst, n: u32, depth: u32) -> Option<Key> {
        let f = self.f();
        let e = match f.insts[i] {
            InstData::Access {
                op: Opcode::load,
                place,
                ..
            } => {
                let data = &f.places[place];
                match data.root {
                    Root::Local(l) if data.steps.is_empty() => {
                        let v = *self.facts().single.get(&l)?;
                        return Some(self.key_at(v, depth));
                    }
                    _ => return None,
                }
            }
            InstData::Unary {
                op: Opcode::not,
                arg,
            } if f.ty(arg) == Type::BOOL => Expr::Not(self.key_at(arg, depth)),
            InstData::Binary { op, args: [a, b] } => {
                let bools = f.ty(a) == Type::BOOL;
                let (x, y) = (self.key_at(a, depth), self.key_at(b, depth));
                match op {
                    Opcode::and if bools => Expr::And(x, y),
                    Opcode::or if bools => Expr::Or(x, y),
                    Opcode::ieq | Opcode::ine if f.ty(a) == Type::I32 => {
                        // The constant stands on the right.
                        let (x, y) = if self.flow.keys.constant_of(x).is_some() {
                            (y, x)
                        } else {
                            (x, y)
                        };
                        let is = self.flow.keys.expr(Expr::Eq(x, y));
                        if op == Opcode::ieq {
                            return Some(is);
                        }
                        Expr::Not(is)
                    }
                    _ if op.effects().is_empty() => Expr::Op(op, 0, smallvec![x, y]),
                    _ => return None,
                }
            }
            InstData::Unary { op, arg } if op.effects().is_empty() => {
                Expr::Op(op, 0, smallvec![self.key_at(arg, depth)])
            }
            InstData::Nullary { op } if op.effects().is_empty() => Expr::Op(op, 0, SmallVec::new()),
            InstData::Many { op, imm, args } if op.effects().is_empty() => {
                let args = f.get(args).iter().map(|&a| self.key_at(a, depth)).collect();
                Expr::Op(op, imm, args)
            }
            InstData::Resource { global, index, .. } => {
                let index = index.expand().map(|v| self.key_at(v, depth));
                Expr::Op(
                    Opcode::resource,
                    global.as_u32(),
                    index.into_iter().collect(),
                )
            }
            // `a && b`, `a || b`, `a ? b : c`.
            InstData::If { cond, then_, else_ } => {
                let c = self.key_at(cond, depth);
                let mut given = |r: Region| {
                    let end = f.terminator(r)?;
                    match f.insts[end] {
                        InstData::Exit {
                            op: Opcode::yield_,
                            args,
                            ..
                        } => {
                            let v = *f.get(args).get(n as usize)?;
                            Some(self.key_at(v, depth))
                        }
                        _ => None,
                    }
                };
                let (x, y) = (given(then_)?, given(else_)?);
                match (self.flow.keys.constant_of(x), self.flow.keys.constant_of(y)) {
                    (_, Some(0)) => Expr::And(c, x),
                    (Some(1), _) => Expr::Or(c, y),
                    _ => Expr::Choice(c, x, y),
                }
            }
            _ => return None,
        };
        // Numbers and types do not mix: what two types give the same expression is told apart by its operands.
        Some(self.flow.keys.expr(e))
    }
}

/// Whether a function is one that others start: an entry point, or an exported function.
pub(super) fn is_root(f: &Function) -> bool {
    f.is_entry() || (f.exported && f.stage == Stage::Library)
}
