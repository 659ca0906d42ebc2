//! `sroa`: scalar replacement of aggregates.
//!
//! First every `copy` becomes loads and stores of the leaves (or a loop over the elements where there are
//! very many). Then each aggregate local is split into one local for each access path: steps
//! into structures and into arrays that are always indexed by constants become part of the path; arrays that
//! are somewhere indexed dynamically stay arrays, so `struct { float a; float b[2]; } x[8]` with `x[i].b[1]`
//! becomes one array of 8 floats. Paths without accesses are removed.
//!
//! Slots and reference parameters keep their types: their layout is visible to other shaders and to callers.

use rtc_base::SecondaryMap;
use rtc_ir::debug::Anchors;
use rtc_ir::{Builder, Function, Inst, InstData, Local, LocalData, Module, Opcode, PlaceData, Region, Root, Step, Type, TypeKind, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::util::{all_insts, all_regions};
use crate::{Changed, PassCtx, PassError};

/// A copy of more leaves than this becomes a loop.
const MAX_LEAVES: u64 = 1024;

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    let mut changed = false;
    for id in m.funcs.keys() {
        changed |= function(m, id);
    }
    Ok(changed.into())
}

/// Runs the pass over one function.
pub(crate) fn function(m: &mut Module, id: rtc_ir::Func) -> bool {
    let anchors = Anchors::take(&m.funcs[id]);
    let expanded = expand_copies(m, id, false);
    let stepped = all_constant_steps(m, id);
    let changed = split(m, id) | stepped | expanded;
    anchors.into_iter().for_each(|a| a.restore(&mut m.funcs[id]));
    m.funcs[id].settled &= !changed;
    changed
}

/// How many scalars, vectors and handles make up `t`. Verified types are bounded.
fn leaf_count(m: &Module, t: Type) -> u64 {
    match m.types.kind(t) {
        TypeKind::Array(e, n) => leaf_count(m, e).saturating_mul(n.into()),
        TypeKind::Struct(s) => {
            let fields = m.structs[s].fields.iter();
            fields.fold(0, |n, f| n.saturating_add(leaf_count(m, f.ty)))
        }
        _ => 1,
    }
}

/// The type of the place at `root` after `steps`.
pub(crate) fn place_type(m: &Module, f: &Function, root: Root, steps: &[Step]) -> Option<Type> {
    let mut t = match root {
        Root::Local(l) => f.locals[l].ty,
        Root::Slot(s) => f.slots[s].ty,
        Root::Global(g) => m.globals[g].ty(),
    };
    for s in steps {
        t = match *s {
            Step::At(n) => m.part(t, Some(n))?,
            Step::Dyn => m.part(t, None)?,
        };
    }
    Some(t)
}

// Copies ------------------------------------------------------------------------------------------

/// One side of a copy: the place and its index values.
struct Side {
    root: Root,
    steps: Vec<Step>,
    indices: Vec<Value>,
}

/// Expands copies; only those of single values if `values_only`.
pub(crate) fn expand_copies(m: &mut Module, id: rtc_ir::Func, values_only: bool) -> bool {
    let empty = Function::new("", rtc_ir::Stage::Library);
    let mut f = std::mem::replace(&mut m.funcs[id], empty);
    let mut changed = false;
    for r in all_regions(&f) {
        let is_copy = |i: &Inst| matches!(f.insts[*i], InstData::Copy { .. });
        if !f.regions[r].insts.iter().any(is_copy) {
            continue;
        }
        let old = std::mem::take(&mut f.regions[r].insts);
        for i in old {
            let InstData::Copy { to, from, args } = f.insts[i] else {
                f.regions[r].insts.push(i);
                continue;
            };
            let side = |p: &PlaceData, indices: &[Value]| Side { root: p.root, steps: p.steps.to_vec(), indices: indices.to_vec() };
            let (to_data, from_data) = (&f.places[to], &f.places[from]);
            let (a, b) = f.get(args).split_at(to_data.dyn_count());
            let (mut to_side, mut from_side) = (side(to_data, a), side(from_data, b));
            let Some(t) = place_type(m, &f, to_side.root, &to_side.steps) else {
                rtc_base::bug!("{i} copies no place");
            };
            if values_only && !m.types.is_value(t) {
                f.regions[r].insts.push(i);
                continue;
            }
            changed = true;
            let span = f.spans[i];
            let before = f.insts.len();
            copy_parts(m, &mut f, r, t, (&mut to_side, &mut from_side), span);
            if let Some(d) = &mut f.debug
                && d.inlined[i].is_some()
            {
                for new in f.insts.keys().skip(before) {
                    d.inlined[new] = d.inlined[i];
                }
            }
        }
    }
    m.funcs[id] = f;
    changed
}

/// Appends to region `r` what copies type `t` from side to side. Types are of bounded depth.
fn copy_parts(m: &mut Module, f: &mut Function, r: Region, t: Type, (to, from): (&mut Side, &mut Side), span: rtc_base::Span) {
    let (count, elem) = match m.types.kind(t) {
        TypeKind::Array(e, n) => (n, Some(e)),
        TypeKind::Struct(s) => (m.structs[s].fields.len() as u32, None),
        _ => {
            let mut b = Builder::at(&mut m.types, f, r);
            b.span = span;
            let v = b.load(from.root, &from.steps, &from.indices, t);
            b.store(to.root, &to.steps, &to.indices, v);
            return;
        }
    };
    if let Some(e) = elem
        && leaf_count(m, t) > MAX_LEAVES
    {
        return copy_loop(m, f, r, (e, count), (to, from), span);
    }
    for n in 0..count {
        let Some(part) = elem.or_else(|| m.part(t, Some(n))) else {
            continue;
        };
        to.steps.push(Step::At(n));
        from.steps.push(Step::At(n));
        copy_parts(m, f, r, part, (to, from), span);
        to.steps.pop();
        from.steps.pop();
    }
}

/// `for (i = 0; i < count; i++) to[i] = from[i];`
fn copy_loop(
    m: &mut Module,
    f: &mut Function,
    r: Region,
    (elem, count): (Type, u32),
    (to, from): (&mut Side, &mut Side),
    span: rtc_base::Span,
) {
    let (body, continuing) = (f.add_region(), f.add_region());
    let i = f.add_param(body, Type::I32);
    for side in [&mut *to, &mut *from] {
        side.steps.push(Step::Dyn);
        side.indices.push(i);
    }
    copy_parts(m, f, body, elem, (to, from), span);
    for side in [to, from] {
        side.steps.pop();
        side.indices.pop();
    }
    let next = f.add_param(continuing, Type::I32);
    let (zero, one, end) = (f.const_u32(0), f.const_u32(1), f.const_u32(count));
    let mut b = Builder::at(&mut m.types, f, body);
    b.span = span;
    let advanced = b.binary(Opcode::iadd, i, one);
    b.exit_to(Opcode::continue_, body, &[advanced]);
    b.region = continuing;
    let again = b.binary(Opcode::ult, next, end);
    b.next_if(again, &[next], &[]);
    b.region = r;
    b.loop_(&[zero], body, continuing, &[]);
}

fn all_constant_steps(m: &mut Module, id: rtc_ir::Func) -> bool {
    let empty = Function::new("", rtc_ir::Stage::Library);
    let mut f = std::mem::replace(&mut m.funcs[id], empty);
    let mut changed = false;
    for i in all_insts(&f) {
        changed |= constant_steps(m, &mut f, i);
    }
    m.funcs[id] = f;
    changed
}

/// Turns dynamic steps whose index value is a constant in range into constant steps.
pub(crate) fn constant_steps(m: &Module, f: &mut Function, i: Inst) -> bool {
    let InstData::Access { op, imm, place, args } = f.insts[i] else {
        return false;
    };
    let data = &f.places[place];
    let n = data.dyn_count();
    let constant = |v: &Value| f.as_const(*v).is_some();
    if n == 0 || !f.get(args)[..n].iter().any(constant) {
        return false;
    }
    let (root, mut steps) = (data.root, data.steps.clone());
    let all: SmallVec<[Value; 8]> = f.get(args).into();
    let mut rest: SmallVec<[Value; 8]> = SmallVec::new();
    let mut next = 0;
    let mut changed = false;
    for at in 0..steps.len() {
        if steps[at] != Step::Dyn {
            continue;
        }
        let v = all[next];
        next += 1;
        let index = f.as_const(v).map(|bits| bits as u32);
        let inside = index.is_some_and(|n| {
            let outer = place_type(m, f, root, &steps[..at]);
            outer.is_some_and(|t| m.part(t, Some(n)).is_some())
        });
        match index {
            Some(n) if inside => {
                steps[at] = Step::At(n);
                changed = true;
            }
            _ => rest.push(v),
        }
    }
    if changed {
        rest.extend_from_slice(&all[next..]);
        let place = f.place(root, &steps);
        let args = f.list(&rest);
        f.insts[i] = InstData::Access { op, imm, place, args };
    }
    changed
}

// Splitting ---------------------------------------------------------------------------------------

/// A step of a path: into a part that has its own local, or into an array that stays one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Part(u32),
    Element,
}

type Path = SmallVec<[Key; 6]>;

fn split(m: &mut Module, id: rtc_ir::Func) -> bool {
    let f = &m.funcs[id];
    let insts = all_insts(f);
    // Locals that must stay whole: reference parameters and what is passed by reference or copied.
    let mut whole: SecondaryMap<Local, bool> = SecondaryMap::new();
    for (l, data) in &f.locals {
        whole[l] = data.param.is_some() || m.types.is_value(data.ty);
    }
    let mut accesses = Vec::new();
    for &i in &insts {
        match f.insts[i] {
            InstData::Access { place, .. } => {
                if let Root::Local(l) = f.places[place].root {
                    accesses.push((i, l));
                }
            }
            _ => f.for_each_place(i, |p| {
                if let Root::Local(l) = f.places[p].root {
                    whole[l] = true;
                }
            }),
        }
    }
    accesses.retain(|(_, l)| !whole[*l]);
    if accesses.is_empty() {
        return false;
    }
    let dynamic = dynamic_arrays(m, f, &accesses);
    let mut parts: FxHashMap<(Local, Path), (Local, bool)> = FxHashMap::default();
    let mut changed = false;
    for (i, l) in accesses {
        changed |= rewrite(m, id, i, l, &dynamic, &mut parts);
    }
    changed
}

/// The arrays, as paths, that some access indexes dynamically. Paths are resolved one level deeper per
/// iteration: whether a step is part of a path depends on the facts about the arrays around it.
fn dynamic_arrays(m: &Module, f: &Function, accesses: &[(Inst, Local)]) -> FxHashSet<(Local, Path)> {
    let mut places: FxHashSet<(Local, rtc_ir::Place)> = FxHashSet::default();
    let mut depth = 0;
    for &(i, l) in accesses {
        if let InstData::Access { place, .. } = f.insts[i] {
            places.insert((l, place));
            depth = depth.max(f.places[place].steps.len());
        }
    }
    let mut dynamic = FxHashSet::default();
    for d in 0..depth {
        for &(l, place) in &places {
            let steps = &f.places[place].steps;
            if steps.get(d) != Some(&Step::Dyn) {
                continue;
            }
            let (path, t) = path_of(m, f.locals[l].ty, l, &steps[..d], &dynamic);
            if matches!(m.types.kind(t), TypeKind::Array(..)) {
                dynamic.insert((l, path));
            }
        }
    }
    dynamic
}

/// The path that `steps` take from local `l` of type `t`, up to the first vector; the type there.
fn path_of(m: &Module, mut t: Type, l: Local, steps: &[Step], dynamic: &FxHashSet<(Local, Path)>) -> (Path, Type) {
    let mut key = (l, Path::new());
    for s in steps {
        let step = match (m.types.kind(t), *s) {
            (TypeKind::Array(..), Step::Dyn) => Key::Element,
            (TypeKind::Array(..), Step::At(n)) => match dynamic.contains(&key) {
                true => Key::Element,
                false => Key::Part(n),
            },
            (TypeKind::Struct(_), Step::At(n)) => Key::Part(n),
            _ => break,
        };
        let part = match *s {
            Step::At(n) => m.part(t, Some(n)),
            Step::Dyn => m.part(t, None),
        };
        let Some(part) = part else { break };
        t = part;
        key.1.push(step);
    }
    (key.1, t)
}

/// Makes access `i` of local `l` one of the local that its path has.
fn rewrite(
    m: &mut Module,
    id: rtc_ir::Func,
    i: Inst,
    l: Local,
    dynamic: &FxHashSet<(Local, Path)>,
    parts: &mut FxHashMap<(Local, Path), (Local, bool)>,
) -> bool {
    let f = &m.funcs[id];
    let InstData::Access { op, imm, place, args } = f.insts[i] else {
        return false;
    };
    let steps: SmallVec<[Step; 8]> = f.places[place].steps.iter().copied().collect();
    let (path, leaf) = path_of(m, f.locals[l].ty, l, &steps, dynamic);
    let key = (l, path);
    let (part, is_new) = match parts.get(&key) {
        Some(&known) => known,
        None => {
            let made = part_local(m, id, l, &key.1, leaf);
            parts.insert(key.clone(), made);
            made
        }
    };
    if !is_new {
        return false;
    }
    let kept = steps.iter().enumerate().filter(|(n, _)| {
        // Vector components stay, elements of arrays that stay arrays too.
        key.1.get(*n).is_none_or(|k| *k == Key::Element)
    });
    let kept: SmallVec<[Step; 8]> = kept.map(|(_, s)| *s).collect();
    let f = &mut m.funcs[id];
    let place = f.place(Root::Local(part), &kept);
    f.insts[i] = InstData::Access { op, imm, place, args };
    true
}

/// The local for `path` of `l`, and whether it is another one than `l`: a local that is an array of leaves
/// all the way stays itself.
fn part_local(m: &mut Module, id: rtc_ir::Func, l: Local, path: &[Key], leaf: Type) -> (Local, bool) {
    let f = &m.funcs[id];
    let mut name = f.locals[l].name.clone();
    let mut lengths: SmallVec<[u32; 4]> = SmallVec::new();
    let mut t = f.locals[l].ty;
    let mut precise = f.locals[l].precise;
    for k in path {
        match (*k, m.types.kind(t)) {
            (Key::Element, TypeKind::Array(e, n)) => {
                lengths.push(n);
                t = e;
            }
            (Key::Part(n), kind) => {
                let step = match kind {
                    TypeKind::Struct(s) => {
                        precise |= m.structs[s].fields[n as usize].precise;
                        m.structs[s].fields[n as usize].name.clone()
                    }
                    _ => n.to_string(),
                };
                // Bases have no name.
                if !name.is_empty() && !step.is_empty() {
                    name.push('.');
                    name += &step;
                }
                t = m.part(t, Some(n)).unwrap_or(t);
            }
            _ => {}
        }
    }
    let ty = lengths.iter().rev().fold(leaf, |t, &n| m.types.array(t, n));
    let f = &mut m.funcs[id];
    if ty == f.locals[l].ty {
        return (l, false);
    }
    let part = f.locals.push(LocalData { precise, ..LocalData::new(ty, name) });
    if let Some(d) = &mut f.debug
        && let Some(mut named) = d.locals[l].clone()
    {
        named.path.extend(path.iter().map(|k| match *k {
            Key::Part(n) => n,
            Key::Element => rtc_ir::debug::ANY_ELEMENT,
        }));
        d.locals[part] = Some(named);
    }
    (part, true)
}
