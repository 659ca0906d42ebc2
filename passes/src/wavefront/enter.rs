//! Entering a function in the middle: its body is changed so that it begins after one of its instructions.
//!
//! The regions around the instruction form a path from the body. In each, what comes before the next region of the path (its *prefix*) is skipped. Outside
//! of loops that is for good, and the prefix is deleted. Where a loop of the path repeats the region, a flag `first` says whether to skip:
//!
//! ```text
//!  loop init {                              loop init {
//!    prefix                                   if first { } else { prefix }
//!    if c { A; here; B } else { C }    →      if first | c { if first { } else { A; here }; first := false; B } else { C }
//!    rest                                     rest
//!  }                                        }
//! ```
//!
//! So each exit to a region further out means what it meant. A value of a prefix that is used outside of it becomes a local: the prefix stores it, and
//! before it is entered the caller has stored those that are live. `mem2reg` makes them values again.

use rtc_base::Span;
use rtc_ir::{Builder, Function, Inst, InstData, Local, Opcode, Region, Root, Type, TypeKind, TypeTable, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::util::{all_regions, copy};

/// A region of the path.
struct Stretch {
    region: Region,
    /// How many of its instructions are skipped.
    skipped: usize,
    /// A loop of the path repeats it.
    repeats: bool,
}

struct Entering<'a> {
    types: &'a mut TypeTable,
    f: &'a mut Function,
    path: Vec<Stretch>,
    /// Which stretch's prefix an instruction is in, with what is in its regions.
    prefix_of: FxHashMap<Inst, usize>,
    /// Which stretch's prefix defines a value.
    defined_in: FxHashMap<Value, usize>,
    locals: FxHashMap<Value, Local>,
    first: Option<Local>,
}

/// Makes `f` begin after instruction `at`. `ready` has the values that are live there; they, and what they need, are at the end of region `start`, which
/// becomes the beginning of the body.
pub(super) fn enter(types: &mut TypeTable, f: &mut Function, at: Inst, start: Region, ready: &FxHashMap<Value, Value>) {
    let path = path_to(f, at);
    let mut e = Entering {
        types,
        f,
        path,
        prefix_of: FxHashMap::default(),
        defined_in: FxHashMap::default(),
        locals: FxHashMap::default(),
        first: None,
    };
    e.survey();
    if e.path.iter().any(|s| s.repeats) {
        e.first = Some(e.f.add_local(Type::BOOL, ""));
    }
    e.rewrite();
    // All values are stored before anything else is executed.
    let mut stored: Vec<(Value, Local)> = e.locals.iter().map(|(v, l)| (*v, *l)).collect();
    stored.sort_unstable_by_key(|s| s.0);
    let first = e.first;
    let mut b = Builder::at(e.types, e.f, start);
    for (v, l) in stored {
        if let Some(&new) = ready.get(&v) {
            b.store(Root::Local(l), &[], &[], new);
        }
    }
    if let Some(first) = first {
        let yes = b.func.const_bool(true);
        b.store(Root::Local(first), &[], &[], yes);
    }
    let body = e.f.body;
    let mut insts = std::mem::take(&mut e.f.regions[start].insts);
    insts.append(&mut e.f.regions[body].insts);
    e.f.regions[body].insts = insts;
}

/// The regions from the body to that of instruction `at`.
fn path_to(f: &Function, at: Inst) -> Vec<Stretch> {
    let mut region_of: FxHashMap<Inst, (Region, usize)> = FxHashMap::default();
    f.for_each_region(f.body, |r| {
        for (n, &i) in f.regions[r].insts.iter().enumerate() {
            if f.owns_regions(i) {
                region_of.insert(i, (r, n));
            }
        }
    });
    let mut path = Vec::new();
    let (region, n) = region_of[&at];
    path.push(Stretch { region, skipped: n + 1, repeats: false });
    let mut inside = region;
    while let Some(owner) = f.regions[inside].owner {
        let (region, n) = region_of[&owner];
        path.push(Stretch { region, skipped: n, repeats: false });
        inside = region;
    }
    path.reverse();
    let mut repeats = false;
    for s in &mut path {
        s.repeats = repeats;
        let next = f.regions[s.region].insts.get(s.skipped);
        repeats |= next.is_some_and(|&i| matches!(f.insts[i], InstData::Loop { .. }));
    }
    path
}

impl Entering<'_> {
    /// Notes which instructions and values are in prefixes.
    fn survey(&mut self) {
        for (d, s) in self.path.iter().enumerate() {
            for &p in &self.f.regions[s.region].params {
                self.defined_in.insert(p, d);
            }
            for &i in &self.f.regions[s.region].insts[..s.skipped] {
                self.prefix_of.insert(i, d);
                for &v in self.f.results(i) {
                    self.defined_in.insert(v, d);
                }
                for r in self.f.regions_of(i) {
                    let mut inside = Vec::new();
                    self.f.for_each_inst(r, |_, j| inside.push(j));
                    self.prefix_of.extend(inside.into_iter().map(|j| (j, d)));
                }
            }
        }
    }

    fn rewrite(&mut self) {
        let stretch: FxHashMap<Region, usize> = self.path.iter().enumerate().map(|(d, s)| (s.region, d)).collect();
        let mut prefixes: Vec<Vec<Inst>> = Vec::new();
        prefixes.resize_with(self.path.len(), Vec::new);
        for r in all_regions(self.f) {
            let old = std::mem::take(&mut self.f.regions[r].insts);
            let own = stretch.get(&r).copied();
            let mut new = Vec::with_capacity(old.len());
            for i in old {
                let inside = self.prefix_of.get(&i).copied();
                if inside.is_some_and(|d| !self.path[d].repeats) {
                    // It is deleted, or in a region of something that is.
                    continue;
                }
                match own {
                    Some(d) if inside == Some(d) => {
                        let mut list = std::mem::take(&mut prefixes[d]);
                        self.operands(&mut list, i, inside);
                        list.push(i);
                        prefixes[d] = list;
                    }
                    _ => {
                        self.operands(&mut new, i, inside);
                        new.push(i);
                    }
                }
            }
            self.f.regions[r].insts = new;
        }
        for (d, prefix) in prefixes.into_iter().enumerate() {
            self.join(d, prefix);
        }
    }

    /// Gives `i`, which is in this prefix or in none, operands that it can use where it is. What loads them goes to the end of `out`.
    fn operands(&mut self, out: &mut Vec<Inst>, i: Inst, inside: Option<usize>) {
        let operands = self.f.operands(i);
        let outside = |e: &Self, v: &Value| e.defined_in.get(v).is_some_and(|d| Some(*d) != inside);
        if !operands.iter().any(|v| outside(self, v)) {
            return;
        }
        let mut map: SmallVec<[(Value, Value); 4]> = SmallVec::new();
        for v in operands {
            if outside(self, &v) && !map.iter().any(|m| m.0 == v) {
                let new = self.load(out, i, v, inside);
                map.push((v, new));
            }
        }
        self.f.own_operands(i);
        self.f.map_operands(i, |v| map.iter().find(|m| m.0 == v).map_or(v, |m| m.1));
    }

    /// What stands for value `v` of another prefix before `user`.
    fn load(&mut self, out: &mut Vec<Inst>, user: Inst, v: Value, inside: Option<usize>) -> Value {
        let ty = self.f.ty(v);
        if let (TypeKind::Resource(_) | TypeKind::RayQuery(..), Some(def)) = (self.types.kind(ty), self.f.def_inst(v)) {
            // A handle is taken anew.
            let again = copy(self.f, def);
            self.operands(out, again, inside);
            out.push(again);
            return self.f.result(again);
        }
        let l = match self.locals.get(&v) {
            Some(&l) => l,
            None => {
                let l = self.f.add_local(ty, "");
                self.locals.insert(v, l);
                l
            }
        };
        let span = self.f.spans[user];
        self.access(out, span, l, None).unwrap_or(v)
    }

    /// Loads local `l`, or stores `v` in it.
    fn access(&mut self, out: &mut Vec<Inst>, span: Span, l: Local, v: Option<Value>) -> Option<Value> {
        let place = self.f.place(Root::Local(l), &[]);
        let args = self.f.list(v.as_slice());
        let (op, ty) = match v {
            Some(_) => (Opcode::store, None),
            None => (Opcode::load, Some(self.f.locals[l].ty)),
        };
        let i = self.f.make(InstData::Access { op, imm: 0, place, args }, ty.as_slice(), span);
        out.push(i);
        self.f.results(i).first().copied()
    }

    /// The prefix with stores of what is used outside of it.
    fn stored(&mut self, d: usize, prefix: Vec<Inst>) -> Vec<Inst> {
        let mut out = Vec::with_capacity(prefix.len());
        let params = self.f.regions[self.path[d].region].params.clone();
        for v in params {
            self.store(&mut out, v, Span::NONE);
        }
        for i in prefix {
            out.push(i);
            let (results, span): (SmallVec<[Value; 4]>, _) = (self.f.results(i).into(), self.f.spans[i]);
            for v in results {
                self.store(&mut out, v, span);
            }
        }
        out
    }

    fn store(&mut self, out: &mut Vec<Inst>, v: Value, span: Span) {
        if let Some(&l) = self.locals.get(&v) {
            self.access(out, span, l, Some(v));
        }
    }

    /// Puts stretch `d` together: its prefix where it is not the first time, then the next region of the path or what follows the entry.
    fn join(&mut self, d: usize, prefix: Vec<Inst>) {
        let Stretch { region, repeats, .. } = self.path[d];
        let span = self.f.spans[self.f.regions[region].insts[0]];
        let rest = std::mem::take(&mut self.f.regions[region].insts);
        let mut out = Vec::new();
        let first = match (repeats, self.first) {
            (true, Some(l)) => self.access(&mut out, span, l, None),
            _ => None,
        };
        if let Some(first) = first {
            let prefix = self.stored(d, prefix);
            let (skip, go) = (self.f.add_region(), self.f.add_region());
            self.f.regions[go].insts = prefix;
            for r in [skip, go] {
                self.exit(r, Opcode::yield_, None, &[]);
            }
            let guard = self.f.make(InstData::If { cond: first, then_: skip, else_: go }, &[], span);
            out.push(guard);
        }
        let Some(next) = self.path.get(d + 1).map(|s| s.region) else {
            if let Some(l) = self.first {
                let no = self.f.const_bool(false);
                self.access(&mut out, span, l, Some(no));
            }
            out.extend(rest);
            self.f.regions[region].insts = out;
            return;
        };
        let owner = self.f.regions[next].owner.expect("all regions of the path but the body are inside of something");
        for i in rest {
            if i == owner {
                self.lead(&mut out, i, next, first);
            }
            out.push(i);
        }
        self.f.regions[region].insts = out;
    }

    /// Makes control instruction `i` go into its region `next`: always, or the first time.
    fn lead(&mut self, out: &mut Vec<Inst>, i: Inst, next: Region, first: Option<Value>) {
        let span = self.f.spans[i];
        match self.f.insts[i] {
            InstData::If { cond, then_, else_ } => {
                let into = next == then_;
                let cond = match first {
                    None => self.f.const_bool(into),
                    Some(first) if into => self.compute(out, span, InstData::Binary { op: Opcode::or, args: [first, cond] }, Type::BOOL),
                    Some(first) => {
                        let later = self.compute(out, span, InstData::Unary { op: Opcode::not, arg: first }, Type::BOOL);
                        self.compute(out, span, InstData::Binary { op: Opcode::and, args: [later, cond] }, Type::BOOL)
                    }
                };
                self.f.insts[i] = InstData::If { cond, then_, else_ };
            }
            InstData::Switch { on, cases } => {
                let table = &self.f.cases[cases];
                let arm = table.arms.iter().find(|a| a.1 == next).and_then(|a| a.0.first().copied());
                let taken = |n: &i32| table.arms.iter().any(|a| a.0.contains(n));
                let n = arm.or_else(|| (0..=i32::MAX).find(|n| !taken(n))).unwrap_or(-1);
                let n = self.f.const_i32(n);
                let on = match first {
                    None => n,
                    Some(first) => self.compute(out, span, InstData::Ternary { op: Opcode::select, args: [first, n, on] }, Type::I32),
                };
                self.f.insts[i] = InstData::Switch { on, cases };
            }
            InstData::Loop { body, continuing, .. } if next == continuing => self.skip_body(body, continuing, span),
            _ => {}
        }
    }

    fn compute(&mut self, out: &mut Vec<Inst>, span: Span, data: InstData, ty: Type) -> Value {
        let i = self.f.make(data, &[ty], span);
        out.push(i);
        self.f.result(i)
    }

    fn exit(&mut self, r: Region, op: Opcode, target: Option<Region>, args: &[Value]) {
        let args = self.f.list(args);
        self.f.append(r, InstData::Exit { op, imm: 0, target: target.into(), args }, &[], Span::NONE);
    }

    /// The first time a loop's body goes to the continuing region at once.
    fn skip_body(&mut self, body: Region, continuing: Region, span: Span) {
        let Some(l) = self.first else { return };
        let types: SmallVec<[Type; 4]> = self.f.regions[continuing].params.iter().map(|&p| self.f.ty(p)).collect();
        let nothing: SmallVec<[Value; 4]> = types.into_iter().map(|t| self.f.undef(t)).collect();
        let mut out = Vec::new();
        let Some(first) = self.access(&mut out, span, l, None) else { return };
        let (skip, go) = (self.f.add_region(), self.f.add_region());
        self.exit(skip, Opcode::continue_, Some(body), &nothing);
        self.exit(go, Opcode::yield_, None, &[]);
        out.push(self.f.make(InstData::If { cond: first, then_: skip, else_: go }, &[], span));
        out.append(&mut self.f.regions[body].insts);
        self.f.regions[body].insts = out;
    }
}
