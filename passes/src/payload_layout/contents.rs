//! What the fields of payloads may hold, if a library is all that there is: for each scalar the range of the integers that its shaders store into it,
//! or the one or two numbers that they are. A component of the ray's index or of the size of its dispatch, which every shader knows, counts as one.
//!
//! Payloads are memory that shaders share, so what a load gives is what any store puts there: an optimistic fixpoint over all functions, which begins with
//! nothing stored. Within a function ranges are those of [`Ranges`]. What is never stored is undefined, and counts as nothing.

use rtc_ir::analysis::{Exits, results_start};
use rtc_ir::{Function, Inst, InstData, Module, Opcode, Root, Scalar, Slot, SlotRole, Step, Struct, Type, TypeKind, Value, ValueDef};
use rustc_hash::FxHashMap;

use super::MAX_SCALARS;
use crate::ranges::{Range, Ranges};

/// What a scalar may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Content {
    /// Of 32-bit integers and booleans: every number is in it. Of others everything.
    pub range: Range,
    /// Every number, if they are at most two; in order.
    pub numbers: Option<Vec<Number>>,
}

/// A number that is known wherever the payload is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Number {
    /// One with these bits.
    Bits(u64),
    /// A component of `DispatchRaysIndex()`.
    Index(u32),
    /// A component of `DispatchRaysDimensions()`.
    Dimensions(u32),
}

impl Content {
    const NOTHING: Content = Content { range: Range::NONE, numbers: Some(Vec::new()) };
    const ANYTHING: Content = Content { range: Range::ALL, numbers: None };

    fn join(&self, o: &Content) -> Content {
        let numbers = self.numbers.as_ref().zip(o.numbers.as_ref()).map(|(a, b)| {
            let mut all: Vec<Number> = a.iter().chain(b).copied().collect();
            all.sort_unstable();
            all.dedup();
            all
        });
        Content { range: self.range.join(o.range), numbers: numbers.filter(|n| n.len() <= 2) }
    }
}

/// A scalar of a payload: the way to it, and its type.
type Member = (Vec<u32>, Scalar);

/// The payload types of a module, and what their scalars may hold.
#[derive(Clone, Default, Debug)]
pub struct Contents {
    types: FxHashMap<Struct, (Vec<Member>, Vec<Content>)>,
}

/// How often everything is looked at before ranges are widened.
const WIDEN_AFTER: usize = 4;
/// How deep the search for the numbers of a value goes.
const MAX_DEPTH: u32 = 8;

impl Contents {
    /// Analyses `m`, in which everything is inlined and variables are values as far as they can be.
    pub fn of(m: &Module) -> Contents {
        let mut all = Contents::default();
        for slot in m.funcs.values().flat_map(|f| f.slots.values()) {
            if let (SlotRole::PayloadIn | SlotRole::PayloadOut, TypeKind::Struct(s)) = (slot.role, m.types.kind(slot.ty)) {
                all.types.entry(s).or_insert_with(|| members(m, slot.ty));
            }
        }
        let exits: Vec<Exits> = m.funcs.values().map(Exits::of).collect();
        for turn in 0.. {
            let before = all.clone();
            for (f, exits) in m.funcs.values().zip(&exits) {
                Walk { m, f, exits, all: &before }.run(&mut all);
            }
            let mut changed = false;
            for (s, (_, now)) in &mut all.types {
                for (now, before) in now.iter_mut().zip(&before.types[s].1) {
                    if turn >= WIDEN_AFTER && now.range != before.range {
                        now.range = before.range.widen(now.range);
                    }
                    changed |= now != before;
                }
            }
            if !changed {
                break;
            }
        }
        all
    }

    /// What the scalar of a payload type at `path` may hold.
    pub fn at(&self, s: Struct, path: &[Step]) -> Option<&Content> {
        let (members, contents) = self.types.get(&s)?;
        let same = |m: &Member| m.0.len() == path.len() && m.0.iter().zip(path).all(|(a, b)| *b == Step::At(*a));
        members.iter().position(same).map(|n| &contents[n])
    }
}

/// The scalars of a type. Of more than [`MAX_SCALARS`] nothing is known.
fn members(m: &Module, t: Type) -> (Vec<Member>, Vec<Content>) {
    let mut out = Vec::new();
    m.leaves(t, &mut |path, t| {
        let Some((scalar, lanes)) = m.types.numeric(t) else { return };
        for c in 0..lanes {
            let mut path = path.to_vec();
            if lanes > 1 {
                path.push(c);
            }
            out.push((path, scalar));
        }
    });
    if out.len() > MAX_SCALARS {
        out.clear();
    }
    let contents = vec![Content::NOTHING; out.len()];
    (out, contents)
}

/// One function, given what payloads may hold so far.
struct Walk<'a> {
    m: &'a Module,
    f: &'a Function,
    exits: &'a Exits,
    all: &'a Contents,
}

impl Walk<'_> {
    /// The type of a payload. What callable shaders are given may have the same type, and is none.
    fn payload(&self, slot: Slot) -> Option<Struct> {
        let data = &self.f.slots[slot];
        if !matches!(data.role, SlotRole::PayloadIn | SlotRole::PayloadOut) {
            return None;
        }
        match self.m.types.kind(data.ty) {
            TypeKind::Struct(s) if self.all.types.contains_key(&s) => Some(s),
            _ => None,
        }
    }

    /// Adds what the function stores.
    fn run(&self, into: &mut Contents) {
        let f = self.f;
        let any = f.slots.keys().any(|s| matches!(f.slots[s].role, SlotRole::PayloadIn | SlotRole::PayloadOut));
        if !any {
            return;
        }
        let loads = |i: Inst| self.loaded(i).map(|c| c.range);
        let ranges = Ranges::given(&self.m.types, f, &loads);
        f.for_each_inst(f.body, |_, i| match f.insts[i] {
            InstData::Access { op: Opcode::store, place, args, .. } => {
                let Root::Slot(slot) = f.places[place].root else { return };
                let Some(s) = self.payload(slot) else { return };
                let Some(&v) = f.get(args).last() else { return };
                let steps = &f.places[place].steps;
                let (members, contents) = into.types.get_mut(&s).expect("it is a payload type");
                for ((path, _), content) in members.iter().zip(contents) {
                    if !matches(steps, path) {
                        continue;
                    }
                    let new = match path.len() - steps.len() {
                        0 => self.content(&ranges, i, v, None, MAX_DEPTH),
                        1 if self.m.types.numeric(f.ty(v)).is_some() => self.content(&ranges, i, v, path.last().copied(), MAX_DEPTH),
                        _ => Content::ANYTHING,
                    };
                    *content = content.join(&new);
                }
            }
            // A copy that is no store of values, or another function.
            InstData::Copy { to, .. } => self.anything(into, &[to]),
            InstData::Call { refs, .. } => self.anything(into, f.get_places(refs)),
            _ => {}
        });
    }

    fn anything(&self, into: &mut Contents, places: &[rtc_ir::Place]) {
        for &p in places {
            let Root::Slot(slot) = self.f.places[p].root else { continue };
            let Some(s) = self.payload(slot) else { continue };
            let (members, contents) = into.types.get_mut(&s).expect("it is a payload type");
            for ((path, _), content) in members.iter().zip(contents) {
                if matches(&self.f.places[p].steps, path) {
                    *content = Content::ANYTHING;
                }
            }
        }
    }

    /// What a load of a payload may give, or the extraction of a component of one.
    fn loaded(&self, i: Inst) -> Option<Content> {
        let f = self.f;
        match f.insts[i] {
            InstData::Access { op: Opcode::load, place, .. } => self.held(place, None),
            InstData::Many { op: Opcode::extract, imm, args } => match f.insts[f.def_inst(f.get(args)[0])?] {
                InstData::Access { op: Opcode::load, place, .. } => self.held(place, Some(imm)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What the scalar at a place may hold, or component `c` of the vector there.
    fn held(&self, place: rtc_ir::Place, c: Option<u32>) -> Option<Content> {
        let data = &self.f.places[place];
        let Root::Slot(slot) = data.root else { return None };
        let (members, contents) = self.all.types.get(&self.payload(slot)?)?;
        let length = data.steps.len() + usize::from(c.is_some());
        let mut out: Option<Content> = None;
        for ((path, _), content) in members.iter().zip(contents) {
            if path.len() == length && matches(&data.steps, path) && c.is_none_or(|c| path.last() == Some(&c)) {
                out = Some(out.map_or_else(|| content.clone(), |o| o.join(content)));
            }
        }
        out
    }

    /// What `v`, or its component `c`, may be at `i`.
    fn content(&self, ranges: &Ranges, i: Inst, v: Value, c: Option<u32>, depth: u32) -> Content {
        let f = self.f;
        let range = match (c, f.ty(v)) {
            (None, Type::I32 | Type::BOOL) => ranges.at(v, i),
            _ => Range::ALL,
        };
        let numbers = |found: Content| match f.ty(v) {
            Type::I32 | Type::BOOL if c.is_none() => Content { range, ..found },
            _ => found,
        };
        let inst = match f.values[v].def {
            ValueDef::Undef => return Content::NOTHING,
            ValueDef::Const(bits) => return Content { range, numbers: Some(vec![Number::Bits(bits)]) },
            ValueDef::Param(..) => return Content { range, numbers: None },
            ValueDef::Result(inst, n) if f.owns_regions(inst) => {
                let decided = matches!(f.insts[inst], InstData::If { .. } | InstData::Switch { .. } | InstData::Block { .. });
                if !decided || depth == 0 {
                    return Content { range, numbers: None };
                }
                let mut out = Content::NOTHING;
                for &e in &self.exits.leave[inst] {
                    let given = f.operands(e)[results_start(f, e) + n as usize];
                    out = out.join(&self.content(ranges, e, given, c, depth - 1));
                }
                return numbers(out);
            }
            ValueDef::Result(inst, _) => inst,
        };
        if depth == 0 {
            return Content { range, numbers: None };
        }
        match (f.insts[inst], c) {
            (InstData::Access { op: Opcode::load, place, .. }, _) => match self.held(place, c) {
                Some(held) => numbers(held),
                None => Content { range, numbers: None },
            },
            (InstData::Nullary { op }, Some(c)) if matches!(op, Opcode::dispatch_rays_index | Opcode::dispatch_rays_dim) => {
                let number = if op == Opcode::dispatch_rays_index { Number::Index(c) } else { Number::Dimensions(c) };
                Content { range, numbers: Some(vec![number]) }
            }
            (InstData::Many { op: Opcode::construct, args, .. }, Some(c)) => {
                let parts = f.get(args);
                match parts.get(c as usize) {
                    Some(&part) if parts.iter().all(|&p| self.m.types.numeric(f.ty(p)).is_some_and(|n| n.1 == 1)) => {
                        self.content(ranges, i, part, None, depth - 1)
                    }
                    _ => Content::ANYTHING,
                }
            }
            (InstData::Many { op: Opcode::extract, imm, args }, None) => {
                let found = self.content(ranges, i, f.get(args)[0], Some(imm), depth - 1);
                numbers(found)
            }
            (InstData::Ternary { op: Opcode::select, args }, _) if f.ty(args[0]) == Type::BOOL => {
                let [a, b] = [args[1], args[2]].map(|x| self.content(ranges, i, x, c, depth - 1));
                numbers(a.join(&b))
            }
            _ => Content { range, numbers: None },
        }
    }
}

/// Whether the place of these steps is the scalar at `path`, or holds it.
fn matches(steps: &[Step], path: &[u32]) -> bool {
    steps.len() <= path.len() && steps.iter().zip(path).all(|(s, n)| *s == Step::Dyn || *s == Step::At(*n))
}

#[cfg(test)]
mod tests {
    use rtc_ir::text::parse;

    use super::*;
    use crate::payload_layout::{Coding, ShaderFacts, plan_whole};

    /// A caller and a closest-hit shader that pass values to each other: `mode` has two bits and keeps them where it is passed on, `sign` grows below zero,
    /// `count` grows without bound, `factor` is one of two numbers, `same` always one, `any` is what a buffer has, `pixel` is the ray's index, `row` a part of it or zero.
    const LIBRARY: &str = r#"module sm 6.6 props(inlined no_locals no_privates direct_handles)
struct s0 "P" raypayload {
 "mode" : i32 read(caller closesthit) write(caller closesthit)
 "sign" : i32 read(caller closesthit) write(caller closesthit)
 "count" : i32 read(caller closesthit) write(caller closesthit)
 "factor" : f32x2 read(caller closesthit) write(caller closesthit)
 "same" : f32 read(caller closesthit) write(caller closesthit)
 "any" : f32 read(caller closesthit) write(caller closesthit)
 "pixel" : i32x2 read(caller closesthit) write(caller closesthit)
 "row" : i32 read(caller closesthit) write(caller closesthit)
}
g0 = resource "scene" : res(srv accel) space 0
g1 = resource "out" : res(uav raw) space 0
fn fn0 "Main" stage raygen {
 pl0 = payload out s0 "p"
 v0 = const i32 0 v1 = const i32 3 v2 = const f32 0.0 v3 = const f32 1.0 v4 = const f32 -0.0 v5 = const f32 0.5 v6 = const i32 -3
r0:
 v7 = resource g0
 v8 = resource g1
 v9 = raw_load #4 v8, v0 : i32
 v10 = and v9, v1 : i32
 v11 = construct v2, v2, v3 : f32x3
 v12 = construct v4, v5 : f32x2
 v13 = raw_load #4 v8, v0 : f32
 store pl0.0, v10
 store pl0.1, v6
 store pl0.2, v0
 store pl0.3, v12
 store pl0.4, v3
 store pl0.5, v13
 v15 = dispatch_rays_index : i32x3
 v16 = extract #0 v15 : i32
 v17 = extract #1 v15 : i32
 v18 = construct v16, v17 : i32x2
 store pl0.6, v18
 store pl0.7, v17
 trace_ray pl0, v7, v0, v0, v0, v0, v0, v11, v2, v11, v3
 v14 = load pl0.0 : i32
 raw_store #4 v8, v0, v14
 return
}
fn fn1 "Hit" stage closesthit {
 pl0 = payload in s0 "p"
 v0 = const i32 1 v1 = const i32 0 v2 = const f32 0.0 v3 = const f32 1.0
r0:
 v4 = load pl0.0 : i32
 v5 = load pl0.1 : i32
 v6 = load pl0.2 : i32
 v7 = iadd v6, v0 : i32
 v8 = smin v5, v1 : i32
 v9 = ieq v4, v0 : bool
 v10 = if v9 : f32 {
 r1:
  yield v2
 } else {
 r2:
  v11 = load pl0.3.1 : f32
  yield v11
 }
 store pl0.0, v4
 store pl0.1, v8
 store pl0.2, v7
 store pl0.3.1, v10
 store pl0.4, v3
 v12 = load pl0.6.1 : i32
 store pl0.6.1, v12
 store pl0.7, v1
 return
}
"#;

    #[test]
    fn what_shaders_store_says_how_many_bits_there_are() {
        let m = parse(LIBRARY).unwrap_or_else(|e| panic!("{e}"));
        let s = m.structs.keys().next().expect("the payload");
        let plan = plan_whole(&m, s, ShaderFacts::default(), None, &Contents::of(&m)).expect("it is packed");
        let found: Vec<(&str, u32, Coding)> = plan.fields.iter().map(|f| (f.name.as_str(), f.bits, f.pieces[0].coding)).collect();
        let bits = |bits, signed| Coding::Bits { bits, shift: 0, signed };
        assert_eq!(
            found,
            [
                ("mode", 2, bits(2, false)),
                ("sign", 3, bits(3, true)),
                ("count", 32, Coding::Plain),
                ("factor.x", 0, Coding::Always(0x8000_0000)),
                ("factor.y", 1, Coding::Either([0, 0x3f00_0000])),
                ("same", 0, Coding::Always(0x3f80_0000)),
                ("any", 32, Coding::Plain),
                ("pixel.x", 0, Coding::Index(0)),
                ("pixel.y", 0, Coding::Index(1)),
                ("row", 32, Coding::Plain),
            ]
        );
        assert_eq!(plan.bytes, 16);
    }

    /// A shader hands its payload's type to a callable shader, whose stores are not those of payloads, and takes back what that wrote.
    const CALLS: &str = r#"module sm 6.6 props(inlined no_locals no_privates direct_handles)
struct s0 "P" raypayload {
 "a" : i32 read(caller) write(caller closesthit)
 "b" : i32 read(caller) write(caller closesthit)
}
g0 = resource "scene" : res(srv accel) space 0
fn fn0 "Main" stage raygen {
 pl0 = payload out s0 "p"
 v0 = const i32 0 v1 = const f32 0.0
r0:
 v2 = resource g0
 v3 = construct v1, v1, v1 : f32x3
 store pl0.0, v0
 store pl0.1, v0
 trace_ray pl0, v2, v0, v0, v0, v0, v0, v3, v1, v3, v1
 return
}
fn fn1 "Hit" stage closesthit {
 pl0 = payload in s0 "p"
 pl1 = callable out s0 "c"
 v0 = const i32 0
r0:
 store pl1.0, v0
 store pl1.1, v0
 call_shader pl1, v0
 v1 = load pl1.0 : i32
 store pl0.0, v1
 store pl0.1, v0
 return
}
"#;

    #[test]
    fn what_a_callable_shader_gives_back_is_anything() {
        let m = parse(CALLS).unwrap_or_else(|e| panic!("{e}"));
        let s = m.structs.keys().next().expect("the payload");
        let plan = plan_whole(&m, s, ShaderFacts::default(), None, &Contents::of(&m)).expect("it is packed");
        let found: Vec<Coding> = plan.fields.iter().map(|f| f.pieces[0].coding).collect();
        assert_eq!(found, [Coding::Plain, Coding::Always(0)]);
    }
}
