//! Construction of the CFG of payload events of an entry point: calls are inlined, access paths become cells, branches edges with conditions.

use rtc_base::Span;
use rtc_ir::{
    Func, Function, GlobalKind, Inst, InstData, Opcode, Param, Place, RefMode, Region, Root, SlotRole, Stage, Type, TypeKind, Value,
};
use rtc_tables::insts::Effects;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::cfg::{Block, Cfg, Edge, Event, Frame, Kind};
use super::facts::{DEPTH, Facts, ModuleFacts};
use super::path_conditions::{ExprId, Lit, LoopId, NO_LOOP, PathConditions};
use super::types::{MAX_CELLS, Part};

/// A cfg has no more events or blocks.
const MAX: usize = 100_000;

/// The CFG of an entry point or exported function; `None` if it does not access payloads.
pub(super) fn cfg(facts: &mut ModuleFacts<'_>, root: Func) -> Result<Option<Cfg>, TooLarge> {
    if !facts.concerns[root] {
        return Ok(None);
    }
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
            conds: PathConditions::new(),
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
        if let GlobalKind::Private(t) = data.kind
            && w.facts.cells.follows(t)
            && let Some(part) = w.allocate(t)
        {
            w.globals.insert(g, part);
        }
    }
    // Returns of the entry point are its exits; none leads to a block.
    w.enter(root, 0, places, Vec::new(), 0)?;
    w.finish();
    let mut cfg = w.cfg;
    if cfg.events.len().max(cfg.blocks.len()) > MAX {
        return Err(TooLarge);
    }
    cfg.sort();
    Ok(Some(cfg))
}

/// A shader is too large to be followed.
#[derive(Debug)]
pub(super) struct TooLarge;

/// One call as it is walked.
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
    pub heads: FxHashMap<Inst, (u32, LoopId)>,
    /// The enclosing loops, innermost last: the instruction, and the condition that this is the first iteration.
    pub iterations: Vec<(Inst, ExprId)>,
    pub end: u32,
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
    pub calls: Vec<Call>,
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
        self.finish();
        let at = self.cfg.events.len() as u32;
        let data = &mut self.cfg.blocks[b as usize];
        (data.first, data.last) = (at, at);
        self.cur = Some(b);
    }
    pub(super) fn edge(&mut self, to: u32, lits: SmallVec<[Lit; 2]>, back: Option<LoopId>) {
        if let Some(b) = self.cur {
            self.cfg.blocks[b as usize].succs.push(Edge { to, lits, back });
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
        }
    }

    pub(super) fn allocate(&mut self, ty: Type) -> Option<Part> {
        let len = self.facts.cells.count(ty);
        if !(1..=MAX_CELLS).contains(&len) || self.top > (1 << 20) {
            return None;
        }
        let start = self.top;
        self.top += len;
        self.cfg.cells = self.cfg.cells.max(self.top);
        Some(Part { start, len, ty, weak: false })
    }

    /// Inlines a function: its variables get cells, its returns lead to `end`.
    pub(super) fn enter(
        &mut self,
        func: Func,
        frame: u32,
        mut places: FxHashMap<Root, Part>,
        values: Vec<(Value, ExprId)>,
        end: u32,
    ) -> Result<(), TooLarge> {
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
        self.calls.push(Call {
            func,
            frame,
            places,
            exprs: values.into_iter().collect(),
            loops: FxHashMap::default(),
            joins: FxHashMap::default(),
            continues: FxHashMap::default(),
            heads: FxHashMap::default(),
            iterations: Vec::new(),
            end,
        });
        if self.top > top {
            let all = Part { start: top, len: self.top - top, ty: Type::BOOL, weak: false };
            let inst = f.regions[f.body].insts[0];
            self.event(Kind::Fresh(all), inst);
        }
        let done = self.region(f.body);
        self.calls.pop();
        self.top = top;
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
            if self.function_facts().keep.contains(i) {
                self.control(i)?;
            }
            return Ok(());
        }
        match f.insts[i] {
            InstData::Access { op, place, args, .. } => {
                if let Some(p) = self.place(place) {
                    match op {
                        Opcode::load => self.load(i, p),
                        // A declaration in a loop.
                        _ if !p.weak && f.get(args).last().is_some_and(|&v| f.is_undef(v)) => self.event(Kind::Fresh(p), i),
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
                        self.event(Kind::Copy { to: a, from: b, passing, named }, i);
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
                    && let TypeKind::Struct(ty) = self.facts.cells.m.types.kind(f.slots[slot].ty)
                    && op.effects().contains(Effects::RUNS_SHADERS)
                {
                    self.event(Kind::Trace { slot: p, ty, op }, i);
                }
            }
            InstData::Call { func, .. } if self.facts.cells.m.funcs[func].declared => self.escapes(i, func),
            InstData::Call { func, .. } if self.facts.concerns[func] => self.inlined(i, func)?,
            InstData::Exit { op, target, .. } => self.exit(i, op, target.expand()),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn inlined(&mut self, i: Inst, func: Func) -> Result<(), TooLarge> {
        let f = self.f();
        let m = self.facts.cells.m;
        let InstData::Call { args, refs, .. } = f.insts[i] else {
            return Ok(());
        };
        let callee = &m.funcs[func];
        let mut values = f.get(args).iter().copied();
        let mut given = f.get_places(refs).iter().copied();
        let (mut places, mut exprs) = (FxHashMap::default(), Vec::new());
        for p in &callee.params {
            match *p {
                Param::Value(v) => {
                    let Some(a) = values.next() else { break };
                    let k = self.expr_of(a);
                    exprs.push((v, k));
                }
                Param::Ref(l) => {
                    let Some(place) = given.next() else { break };
                    if !self.facts.cells.follows(callee.locals[l].ty) {
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
        let frame = self.cfg.frames.len() as u32;
        let caller = Some((self.call().frame, f.spans[i]));
        self.cfg.frames.push(Frame { func, caller });
        let end = self.block(Span::NONE);
        self.enter(func, frame, places, exprs, end)?;
        self.start(end);
        Ok(())
    }

    /// A call of a function that is declared only.
    fn escapes(&mut self, i: Inst, func: Func) {
        let m = self.facts.cells.m;
        let f = self.f();
        let (InstData::Call { refs, .. }, callee) = (f.insts[i], &m.funcs[func]) else { return };
        let modes = callee.params.iter().filter_map(|p| match *p {
            Param::Ref(l) => callee.locals[l].param,
            Param::Value(_) => None,
        });
        for (&place, mode) in f.get_places(refs).iter().zip(modes) {
            let Some(part) = self.place(place) else { continue };
            if mode == RefMode::Out && !part.weak {
                self.event(Kind::Fresh(part), i);
            }
            self.event(Kind::Escape { part, writes: mode != RefMode::In }, i);
        }
    }

    /// The cells of an access path, if they are followed.
    pub(super) fn place(&mut self, p: Place) -> Option<Part> {
        let f = self.f();
        let data = &f.places[p];
        let whole = match data.root {
            Root::Global(g) => self.globals.get(&g).copied(),
            root => self.call().places.get(&root).copied(),
        }?;
        Some(self.facts.cells.part(whole, &data.steps))
    }
}

/// Whether a function is called from outside of the library: an entry point or an exported function.
pub(super) fn is_root(f: &Function) -> bool {
    f.is_entry() || (f.exported && f.stage == Stage::Library)
}
