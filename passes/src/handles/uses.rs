//! Rewrites instructions on handles: selects and accesses work on the numbers, users branch over the sources.

use rtc_base::Diagnostic;
use rtc_ir::{CaseTable, Inst, InstData, Local, Opcode, Region, Root, Type, TypeKind, Value, effects};
use rtc_tables::diagnostics as codes;
use rtc_tables::insts::{Effects, HEAP_ALIGN, HEAP_NONUNIFORM};
use rtc_tables::resources::ResourceKind;
use smallvec::SmallVec;

use super::{Family, Handles, Node, Parts, Source, is_handle};

/// An instruction becomes no more branches than this.
const MAX_COPIES: usize = 256;

impl Handles<'_> {
    pub(super) fn region(&mut self, r: Region) {
        let old = std::mem::take(&mut self.f.regions[r].insts);
        for i in old {
            self.span = self.f.spans[i];
            if !self.inst(r, i) {
                self.f.regions[r].insts.push(i);
            }
        }
    }

    /// Puts what `i` becomes at the end of `r`. Whether it became something else.
    fn inst(&mut self, r: Region, i: Inst) -> bool {
        match self.f.insts[i] {
            InstData::Ternary { op: Opcode::select, args: [c, a, b] } if self.is_node(self.f.result(i)) => {
                let v = self.f.result(i);
                let (x, y) = (self.parts_of(a, Node::Value(v)), self.parts_of(b, Node::Value(v)));
                let mut choose = |x: Option<Value>, y: Option<Value>| {
                    let (x, y) = (x?, y?);
                    let data = InstData::Ternary { op: Opcode::select, args: [c, x, y] };
                    Some(self.push(r, data))
                };
                let new = Parts { which: choose(x.which, y.which), index: choose(x.index, y.index) };
                self.define(v, new);
                true
            }
            InstData::Access { place, .. } => match self.f.places[place].root {
                Root::Local(l) if self.locals.contains_key(&l) => {
                    self.access(r, i, l);
                    true
                }
                _ => false,
            },
            InstData::Exit { .. } | InstData::Loop { .. } => {
                // Control flow passes the numbers; the handles that it passed become undefined.
                let (m, types) = (&*self.m, &self.f.values);
                let all = self.f.operands(i);
                let handles: Vec<Value> = all.into_iter().filter(|v| is_handle(m, types[*v].ty)).collect();
                for v in handles {
                    if self.f.op(i) != Opcode::return_ {
                        let none = self.f.undef(self.f.ty(v));
                        self.f.map_operands(i, |x| if x == v { none } else { x });
                    }
                }
                false
            }
            _ => self.user(r, i),
        }
    }

    /// The numbers of `v`; placeholders become them.
    pub(super) fn define(&mut self, v: Value, new: Parts) {
        if let Some(old) = self.parts.insert(v, new) {
            for (a, b) in [(old.which, new.which), (old.index, new.index)] {
                if let (Some(a), Some(b)) = (a, b) {
                    self.rename.set(a, b);
                }
            }
        }
    }

    fn push(&mut self, r: Region, data: InstData) -> Value {
        let i = self.f.append(r, data, &[Type::I32], self.span);
        self.f.result(i)
    }

    /// A load or store of a handle in a variable.
    fn access(&mut self, r: Region, i: Inst, l: Local) {
        let InstData::Access { op, place, args, .. } = self.f.insts[i] else {
            return;
        };
        let steps = self.f.places[place].steps.clone();
        let args: SmallVec<[Value; 4]> = self.f.get(args).into();
        let (which, index) = self.locals[&l];
        let store = op == Opcode::store;
        let (indices, given) = args.split_at(args.len() - usize::from(store));
        let given = match given.first() {
            Some(&v) => self.parts_of(v, Node::Local(l)),
            None => Parts::default(),
        };
        let mut one = |local: Option<Local>, x: Option<Value>| {
            let place = self.f.place(Root::Local(local?), &steps);
            let mut all: SmallVec<[Value; 4]> = indices.into();
            all.extend(x);
            let args = self.f.list(&all);
            let data = InstData::Access { op, imm: 0, place, args };
            if store {
                self.f.append(r, data, &[], self.span);
                return None;
            }
            Some(self.push(r, data))
        };
        let new = Parts { which: one(which, given.which), index: one(index, given.index) };
        if !store {
            let v = self.f.result(i);
            self.define(v, new);
        }
    }

    /// The kind of object that a handle is of.
    fn what_is(&self, v: Value) -> &'static str {
        match self.m.types.kind(self.f.ty(v)) {
            TypeKind::RayQuery(..) => "ray query",
            TypeKind::Resource(r) if r.kind == ResourceKind::AccelerationStructure => "acceleration structure",
            _ => "resource",
        }
    }

    /// An instruction that uses handles.
    fn user(&mut self, r: Region, i: Inst) -> bool {
        let mut chosen: SmallVec<[Value; 2]> = SmallVec::new();
        let what = match self.f.operands(i).first() {
            Some(&v) if self.m.types.is_ray_query(self.f.ty(v)) => "ray query",
            _ => "resource",
        };
        let mut unset_what = what;
        let mut unset = false;
        let mut copies = 1usize;
        for v in self.f.operands(i) {
            if self.is_node(v) && !chosen.contains(&v) {
                chosen.push(v);
                let family = self.family(Node::Value(v)).clone();
                if family.opaque {
                    return self.complain(
                        &codes::E0641,
                        &format!("a {what} that is a parameter of an exported function cannot be chosen by control flow"),
                    );
                }
                if family.sources.is_empty() {
                    unset = true;
                    unset_what = self.what_is(v);
                }
                copies = copies.saturating_mul(family.sources.len().max(1));
            }
            if self.f.is_undef(v) && is_handle(self.m, self.f.ty(v)) {
                unset = true;
                unset_what = self.what_is(v);
            }
        }
        if unset {
            return self.complain(&codes::E0640, &format!("this {unset_what} is used, but nothing was ever assigned to it"));
        }
        if chosen.is_empty() {
            return false;
        }
        if copies > MAX_COPIES {
            return self.complain(
                &codes::E0642,
                &format!("{copies} combinations of {what}s are possible here; {MAX_COPIES} are the limit. Put them into an array and choose an index"),
            );
        }
        let results: SmallVec<[Value; 2]> = self.f.results(i).into();
        let types: SmallVec<[Type; 2]> = results.iter().map(|&v| self.f.ty(v)).collect();
        let e = effects::of_inst(self.m, self.f, i);
        let everywhere = e.contains(Effects::CONVERGENT) && e.may_drop();
        let new = self.over_sources(r, i, &chosen, &mut Vec::new(), &types, everywhere);
        for (&old, &new) in results.iter().zip(&new) {
            self.rename.set(old, new);
        }
        true
    }

    fn complain(&mut self, code: &'static rtc_base::Code, message: &str) -> bool {
        let d = Diagnostic::new(code, self.span, message);
        if !self.wrong.iter().any(|w| w.code.id == code.id && w.span() == self.span) {
            self.wrong.push(d);
        }
        false
    }

    /// Copies of `i` for all sources of the handles `rest`; those before are in `done`. The results.
    fn over_sources(
        &mut self,
        r: Region,
        i: Inst,
        rest: &[Value],
        done: &mut Vec<(Value, Value)>,
        types: &[Type],
        everywhere: bool,
    ) -> SmallVec<[Value; 2]> {
        let Some((&v, rest)) = rest.split_first() else {
            return self.copy(r, i, done, types);
        };
        let family = self.family(Node::Value(v)).clone();
        let parts = self.parts.get(&v).copied().unwrap_or_default();
        let ty = self.f.ty(v);
        let mut one = |this: &mut Self, r: Region, s: Source, index: Option<Value>| {
            let handle = this.handle(r, s, ty, index, &family);
            done.push((v, handle));
            let out = this.over_sources(r, i, rest, done, types, everywhere);
            done.pop();
            out
        };
        if let &[source] = family.sources.as_slice() {
            return one(self, r, source, parts.index);
        }
        let Some(which) = parts.which else {
            rtc_base::bug!("several sources without a number");
        };
        if everywhere {
            let mut out: SmallVec<[Value; 2]> = SmallVec::new();
            for (n, &s) in family.sources.iter().enumerate().rev() {
                let is = self.is_source_number(r, which, n);
                let index = parts.index.map(|x| {
                    let zero = self.f.const_u32(0);
                    self.select(r, is, x, zero, Type::I32)
                });
                let new = one(self, r, s, index);
                if out.is_empty() {
                    out = new;
                } else {
                    for (n, (old, new)) in out.iter_mut().zip(new).enumerate() {
                        *old = self.select(r, is, new, *old, types[n]);
                    }
                }
            }
            return out;
        }
        let arms: Vec<Region> = family
            .sources
            .iter()
            .map(|&s| {
                let arm = self.f.add_region();
                let out = one(self, arm, s, parts.index);
                let args = self.f.list(&out);
                let data = InstData::Exit { op: Opcode::yield_, imm: 0, target: None.into(), args };
                self.f.append(arm, data, &[], self.span);
                arm
            })
            .collect();
        let data = match arms.as_slice() {
            &[a, b] => {
                let cond = self.is_source_number(r, which, 0);
                InstData::If { cond, then_: a, else_: b }
            }
            all => {
                let (&default, arms) = all.split_last().unwrap_or_else(|| {
                    rtc_base::bug!("several sources");
                });
                let arms = arms.iter().enumerate();
                let cases = self.f.cases.push(CaseTable { arms: arms.map(|(n, &r)| (vec![n as i32], r)).collect(), default });
                InstData::Switch { on: which, cases }
            }
        };
        let construct = self.f.append(r, data, types, self.span);
        for arm in arms {
            self.f.regions[arm].owner = Some(construct);
        }
        self.f.results(construct).into()
    }

    fn is_source_number(&mut self, r: Region, which: Value, n: usize) -> Value {
        let n = self.f.const_u32(n as u32);
        let data = InstData::Binary { op: Opcode::ieq, args: [which, n] };
        let i = self.f.append(r, data, &[Type::BOOL], self.span);
        self.f.result(i)
    }

    fn select(&mut self, r: Region, c: Value, a: Value, b: Value, ty: Type) -> Value {
        let data = InstData::Ternary { op: Opcode::select, args: [c, a, b] };
        let i = self.f.append(r, data, &[ty], self.span);
        self.f.result(i)
    }

    /// A plain handle.
    fn handle(&mut self, r: Region, s: Source, ty: Type, index: Option<Value>, family: &Family) -> Value {
        // An index that depends on control flow may differ where each of the indices does not.
        let nonuniform = family.nonuniform || !matches!(family.index, Some(Some(_)) | None);
        let data = match s {
            Source::Query(slot) => return self.query(slot),
            Source::Global(global) => {
                let array = self.m.globals[global].resource().is_some_and(|d| d.array);
                InstData::Resource { global, index: index.filter(|_| array).into(), nonuniform: nonuniform && array }
            }
            Source::Heap(align) => {
                let index = index.unwrap_or_else(|| self.f.const_u32(0));
                InstData::Many {
                    op: Opcode::heap_resource,
                    imm: (u32::from(nonuniform) * HEAP_NONUNIFORM) | (align << HEAP_ALIGN),
                    args: self.f.list(&[index]),
                }
            }
        };
        let i = self.f.append(r, data, &[ty], self.span);
        self.f.result(i)
    }

    /// A copy of `i` with other handles.
    fn copy(&mut self, r: Region, i: Inst, handles: &[(Value, Value)], types: &[Type]) -> SmallVec<[Value; 2]> {
        let mut data = self.f.insts[i];
        match &mut data {
            InstData::Many { args, .. } | InstData::Access { args, .. } | InstData::Slot { args, .. } => {
                let all: SmallVec<[Value; 8]> = self.f.get(*args).into();
                *args = self.f.list(&all);
            }
            _ => {}
        }
        let new = self.f.append(r, data, types, self.span);
        self.f.map_operands(new, |v| handles.iter().find(|h| h.0 == v).map_or(v, |h| h.1));
        self.f.inherit_own(new, i);
        self.f.results(new).into()
    }
}
