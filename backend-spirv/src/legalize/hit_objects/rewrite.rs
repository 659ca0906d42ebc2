//! The walk over a function that moves hit objects into variables.

use rtc_base::Span;
use rtc_ir::{Function, Inst, InstData, Module, Opcode as O, Region, Root, Slot, SlotRole, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Ser;
use super::families::{Families, MAX};
use super::liveness::{is_hit, moves, records};
use super::parts::{Part, Rewriter, Source};
use super::record::{query_slot, same_source};
use super::states::ObjectStates;
use crate::Error;

/// Moves the hit objects of `f`, which is taken out of `m`, into variables.
pub(super) fn run(m: &mut Module, f: &mut Function, families: Families, ser: Ser, errors: &mut Vec<Error>, warnings: &mut Vec<Error>) {
    for family in &families.list {
        if let Some(i) = family.too_many {
            let message = format!("more than {MAX} hit objects that copies and arrays connect are alive at once here");
            errors.push(Error::coded(&rtc_tables::diagnostics::E0921, f.spans[i], message));
            return;
        }
    }
    let largest = largest_attributes(m);
    let states = ObjectStates::of(f);
    let mut broken = FxHashSet::default();
    f.for_each_inst(f.body, |_, i| {
        if let InstData::Exit { op: O::break_, target, .. } = f.insts[i] {
            broken.extend(target.expand().and_then(|t| f.regions[t].owner));
        }
    });
    let mut rw = Rewriter {
        types: &mut m.types,
        structs: &mut m.structs,
        f,
        ser,
        families,
        states,
        broken,
        storage: Vec::new(),
        rename: FxHashMap::default(),
        sources: Vec::new(),
        errors,
        warnings,
        span: Span::NONE,
        triangle: None,
        largest,
        vars: FxHashMap::default(),
        arrays: FxHashMap::default(),
        queries: FxHashMap::default(),
    };
    rw.sources();
    let body = rw.f.body;
    let old = std::mem::take(&mut rw.f.regions[body].insts);
    rw.variables(body);
    rw.list(body, old);
    rw.finish();
}

/// The type of the largest attributes in the module: what a hit whose kind is not known may have.
fn largest_attributes(m: &Module) -> Option<Type> {
    let slots = m.funcs.values().flat_map(|f| f.slots.values());
    let attributes = slots.filter(|s| matches!(s.role, SlotRole::AttrIn | SlotRole::AttrOut | SlotRole::AttrHit));
    attributes.map(|s| s.ty).max_by_key(|&t| (crate::package::size_of(m, t), std::cmp::Reverse(t)))
}

impl Rewriter<'_> {
    /// Finds the scenes in which hits may have to be recorded again.
    fn sources(&mut self) {
        let wanted = self.families.list.iter().any(|f| f.sets || f.query);
        if self.ser == Ser::Ext || !wanted {
            return;
        }
        let f = &*self.f;
        let sources = &mut self.sources;
        let mut queries = Vec::new();
        f.for_each_inst(f.body, |_, i| {
            let scene = match f.op(i) {
                O::hit_trace => 0,
                O::ray_query_trace_ray_inline => 1,
                _ => return,
            };
            let args = f.operands(i);
            if scene == 1 {
                queries.extend(query_slot(f, args[0]));
            }
            let Some(def) = f.def_inst(args[scene]) else { return };
            let data = f.insts[def];
            let known = matches!(data, InstData::Resource { .. } | InstData::Many { op: O::heap_resource, .. });
            match sources.iter_mut().find(|s| same_source(&s.data, &data)) {
                Some(s) => {
                    if let (InstData::Resource { nonuniform: a, .. }, InstData::Resource { nonuniform: b, .. }) = (&mut s.data, data) {
                        *a |= b;
                    }
                }
                None if known => sources.push(Source { data, ty: f.ty(args[scene]) }),
                None => {}
            }
        });
        let indexed = self.sources.iter().any(|s| super::parts::index_of(&s.data, self.f).is_some());
        queries.sort_unstable();
        queries.dedup();
        for q in queries {
            for (p, needed) in [(Part::Scene, self.sources.len() > 1), (Part::SceneIndex, indexed)] {
                if needed {
                    let l = self.f.add_local(Type::I32, "");
                    self.queries.insert((q, p), l);
                }
            }
        }
    }

    /// Declares the variables; those that may be read before they are set are initialised with NOPs.
    fn variables(&mut self, body: Region) {
        for n in 0..self.families.list.len() {
            let (pool, nop) = (self.families.list[n].pool, self.families.list[n].nop || !self.families.list[n].arrays.is_empty());
            let count = pool.max(1) + u32::from(pool > 0 && nop);
            let all: Vec<Slot> = (0..count).map(|_| self.f.add_slot(SlotRole::HitObject, Type::HIT_OBJECT, "")).collect();
            self.storage.push(all.clone());
            if pool > 0 && nop {
                self.record_nop(body, all[pool as usize]);
            }
            for l in self.families.list[n].arrays.clone() {
                let none = self.f.const_u32(pool);
                let a = self.array(l, Part::Slot);
                for steps in self.all_elements(l) {
                    self.b(body).store(Root::Local(a), &steps, &[], none);
                }
            }
        }
    }

    /// Rewrites instructions `old` of region `r`, which is empty.
    fn list(&mut self, r: Region, old: Vec<Inst>) {
        let mark = self.states.mark();
        for i in old {
            self.span = self.f.spans[i];
            self.inst(r, i);
        }
        self.states.back_to(mark);
    }

    fn inner(&mut self, r: Region) {
        let old = std::mem::take(&mut self.f.regions[r].insts);
        self.list(r, old);
    }

    fn inst(&mut self, r: Region, i: Inst) {
        match self.f.insts[i] {
            InstData::If { cond, then_, else_ } => {
                for (region, truth) in [(then_, true), (else_, false)] {
                    let mark = self.states.mark();
                    self.states.assume(self.f, cond, truth);
                    self.inner(region);
                    self.states.back_to(mark);
                }
                self.f.regions[r].insts.push(i);
                // What follows is reached through one arm only if the other leaves.
                let leaves = |f: &Function, a: Region, b: Region| {
                    f.terminator(a).is_some_and(|t| f.op(t) != O::yield_) && f.terminator(b).is_some_and(|t| f.op(t) == O::yield_)
                };
                if !self.broken.contains(&i) {
                    if leaves(self.f, then_, else_) {
                        self.states.assume(self.f, cond, false);
                    } else if leaves(self.f, else_, then_) {
                        self.states.assume(self.f, cond, true);
                    }
                }
                return;
            }
            InstData::Switch { .. } | InstData::Block { .. } => {
                self.f.regions_of(i).into_iter().for_each(|inner| self.inner(inner));
            }
            InstData::Loop { .. } => {
                self.hand_on(r, i);
                self.f.regions_of(i).into_iter().for_each(|inner| self.inner(inner));
            }
            InstData::Exit { .. } => self.hand_on(r, i),
            InstData::Access { place, .. } => {
                if self.array_place(place, Part::Slot).is_some() {
                    return self.access(r, i);
                }
            }
            InstData::Copy { to, from, .. } => {
                if self.array_place(to, Part::Slot).is_some() && self.array_place(from, Part::Slot).is_some() {
                    return self.copy(r, i);
                }
            }
            _ => return self.plain(r, i),
        }
        self.f.regions[r].insts.push(i);
    }

    fn plain(&mut self, r: Region, i: Inst) {
        let op = self.f.op(i);
        let hit_operand = self.f.operands(i).first().is_some_and(|&v| is_hit(self.f, v));
        if records(op) {
            return self.record(r, i);
        }
        if op == O::ray_query_trace_ray_inline {
            self.note_scene(r, i);
        }
        if !hit_operand {
            return self.f.regions[r].insts.push(i);
        }
        if op == O::hit_set_shader_table_index {
            return self.set_index(r, i);
        }
        if op == O::hit_load_root_constant {
            let (old, new) = (self.f.result(i), self.root_constant(r, i));
            self.rename.insert(old, new);
            return;
        }
        if self.use_(r, i) {
            return;
        }
        match self.getter(r, i) {
            Some(new) => {
                let old = self.f.result(i);
                self.rename.insert(old, new);
            }
            None => self.errors.push(Error::new(self.span, format!("`{op}` of a hit object has no SPIR-V form"))),
        }
    }

    /// Remembers in which scene a query looks.
    fn note_scene(&mut self, r: Region, i: Inst) {
        let args = self.f.operands(i);
        let Some(q) = query_slot(self.f, args[0]) else { return };
        let (which, index) = self.source_of(args[1]);
        let zero = self.f.const_u32(0);
        for (p, x) in [(Part::Scene, which), (Part::SceneIndex, index.unwrap_or(zero))] {
            if let Some(&l) = self.queries.get(&(q, p)) {
                self.b(r).store(Root::Local(l), &[], &[], x);
            }
        }
    }

    /// The parts of hit objects that an exit or a loop passes: all are read before one is written.
    fn hand_on(&mut self, r: Region, i: Inst) {
        let all = moves(self.f, r, i);
        if all.is_empty() {
            return;
        }
        let mut read = Vec::new();
        for &(from, to) in &all {
            for p in Part::ALL {
                if let Some(x) = self.part(r, from, p) {
                    read.push((to, p, x));
                }
            }
        }
        for (to, p, x) in read {
            self.set_part(r, to, p, x);
        }
        let none = self.f.undef(Type::HIT_OBJECT);
        let f = &mut *self.f;
        let hits: Vec<Value> = f.operands(i).into_iter().filter(|&v| is_hit(f, v)).collect();
        f.map_operands(i, |v| if hits.contains(&v) { none } else { v });
    }

    /// A load or store of an element of an array of hit objects.
    fn access(&mut self, r: Region, i: Inst) {
        let InstData::Access { op, place, args, .. } = self.f.insts[i] else { return };
        let mut indices: Vec<Value> = self.f.get(args).to_vec();
        let v = match op {
            O::load => self.f.result(i),
            _ => match indices.pop() {
                Some(v) => v,
                None => return,
            },
        };
        if !is_hit(self.f, v) {
            return self.errors.push(Error::new(self.span, "hit objects cannot be accessed so"));
        }
        let family = self.family(v);
        for p in Part::ALL.into_iter().filter(|&p| self.has(family, p)).collect::<Vec<_>>() {
            let Some((a, steps)) = self.array_place(place, p) else { continue };
            if op == O::load {
                let ty = self.f.locals[a].ty;
                let ty = self.leaf(ty);
                let x = self.b(r).load(Root::Local(a), &steps, &indices, ty);
                self.set_part(r, v, p, x);
            } else if let Some(x) = self.part(r, v, p) {
                self.b(r).store(Root::Local(a), &steps, &indices, x);
            }
        }
    }

    fn leaf(&self, mut t: Type) -> Type {
        while let rtc_ir::TypeKind::Array(e, _) = self.types.kind(t) {
            t = e;
        }
        t
    }

    /// A copy between arrays of hit objects.
    fn copy(&mut self, r: Region, i: Inst) {
        let InstData::Copy { to, from, args } = self.f.insts[i] else { return };
        let args: Vec<Value> = self.f.get(args).to_vec();
        let (a, b) = args.split_at(self.f.places[to].dyn_count());
        let Root::Local(l) = self.f.places[to].root else { return };
        let family = self.families.of_local[&l];
        for p in Part::ALL.into_iter().filter(|&p| self.has(family, p)).collect::<Vec<_>>() {
            if let (Some((to, steps)), Some((from, other))) = (self.array_place(to, p), self.array_place(from, p)) {
                self.b(r).copy((Root::Local(to), &steps, a), (Root::Local(from), &other, b));
            }
        }
    }

    /// Puts what replaced results in their place.
    fn finish(&mut self) {
        let mut all = Vec::new();
        self.f.for_each_inst(self.f.body, |_, i| all.push(i));
        for i in all {
            let rename = &self.rename;
            self.f.map_operands(i, |mut v| {
                while let Some(&n) = rename.get(&v) {
                    v = n;
                }
                v
            });
        }
    }
}
