//! Verifier, phase 1: references are valid, types are finite, regions form a tree of bounded depth, every region ends with its only
//! terminator, results and parameters record their definition.

use rtc_base::EntitySet;
use rtc_tables::insts::{Effects, Format};

use super::{Errors, MAX_REGION_DEPTH, MAX_TYPE_DEPTH, MAX_TYPE_WEIGHT};
use crate::analysis::{Event, Walk};
use crate::inline::{InlineInst, InlineOperand, InlineTypeOperand};
use crate::inst::Root;
use crate::text::Note;
use crate::{
    Func, Function, GlobalKind, Inst, InstData, Module, Opcode, Param, Region, SlotRole, StageState, Struct, Type, TypeKind, Value,
    ValueDef,
};

pub(super) fn check(e: &mut Errors) {
    let m = e.m;
    if !struct_types(e) {
        return;
    }
    for (s, data) in &m.structs {
        if let Some(f) = data.fields.iter().find(|f| f.numbers.is_some_and(|n| !n.fit(m, f.ty))) {
            e.add(Note::Struct(s), format!("member `{}` does not consist of such numbers", f.name));
        }
        if data.base.is_some() && data.fields.first().is_none_or(|f| !matches!(m.types.kind(f.ty), TypeKind::Struct(_))) {
            e.add(Note::Struct(s), "no structure is the first member, which is the base");
        }
    }
    for (n, t) in &m.inline_types {
        let earlier =
            |t: Type| m.types.is_valid(t) && !matches!(m.types.kind(t), TypeKind::Spirv(o) if o >= n || !m.inline_types.is_valid(o));
        let sound = t.operands.iter().all(|o| match *o {
            InlineTypeOperand::Literal(_) => true,
            InlineTypeOperand::Type(t) => earlier(t),
            InlineTypeOperand::Constant(t, _) => earlier(t) && matches!(m.types.kind(t), TypeKind::Scalar(_)),
        });
        if !sound {
            return e.add(Note::Module, format!("invalid operands of type {n}"));
        }
    }
    for (g, data) in &m.globals {
        ty(e, Note::Global(g), data.ty());
        if !e.list.is_empty() {
            continue;
        }
        match &data.kind {
            GlobalKind::Resource(r) => {
                if let Some(t) = r.layout {
                    ty(e, Note::Global(g), t);
                }
                if r.element.is_some_and(|n| r.layout.is_none_or(|t| !n.fit(m, t))) {
                    e.add(Note::Global(g), "what is inside does not consist of such numbers");
                }
                if m.types.as_resource(r.ty).is_none() {
                    e.add(Note::Global(g), "expected a resource type");
                }
                if r.count == Some(0) || (!r.array && r.count != Some(1)) {
                    e.add(Note::Global(g), "invalid resource count");
                }
            }
            GlobalKind::Table(t, bits) | GlobalKind::Private(t, Some(bits)) => {
                let n = measure(m, &e.sizes, *t).scalars;
                if n != bits.len() as u64 {
                    let message = format!("expected {n} initial scalars, found {}", bits.len());
                    e.add(Note::Global(g), message);
                }
            }
            GlobalKind::GroupShared(_) | GlobalKind::Private(_, None) | GlobalKind::Inline(_) => {}
        }
    }
    for id in m.funcs.keys() {
        function(e, id);
    }
}

/// How big a type is: exactly its scalars (resources and hit objects count as one); its weight, in which
/// an empty structure counts too, so that walking a type costs no more than its weight; its depth.
#[derive(Clone, Copy, Default)]
pub(super) struct Size {
    pub scalars: u64,
    pub weight: u64,
    pub depth: u32,
}

/// The size of a type whose structures are measured.
fn measure(m: &Module, sizes: &[Option<Size>], t: Type) -> Size {
    match m.types.kind(t) {
        TypeKind::Vector(_, n) => Size { scalars: n.into(), weight: n.into(), depth: 0 },
        TypeKind::Array(of, n) => {
            let of = measure(m, sizes, of);
            Size { scalars: of.scalars.saturating_mul(n.into()), weight: of.weight.saturating_mul(n.into()), depth: of.depth + 1 }
        }
        TypeKind::Struct(s) => sizes[s.as_u32() as usize].unwrap_or_default(),
        _ => Size { scalars: 1, weight: 1, depth: 0 },
    }
}

/// Checks that structures are finite and of bounded depth and size. Sizes are worked out bottom up: a
/// structure is measured once everything inside it is.
fn struct_types(e: &mut Errors) -> bool {
    let m = e.m;
    let mut size: Vec<Option<Size>> = vec![None; m.structs.len()];
    // Depth-first with a stack of our own; `open` are the structures on the way down.
    let mut open: EntitySet<Struct> = EntitySet::new();
    for root in m.structs.keys() {
        let mut todo = vec![(root, 0)];
        open.insert(root);
        while let Some(&(s, at)) = todo.last() {
            if size[s.as_u32() as usize].is_some() {
                todo.pop();
                continue;
            }
            let Some(field) = m.structs[s].fields.get(at) else {
                let mut total = Size { weight: 1, ..Size::default() };
                for f in &m.structs[s].fields {
                    let part = measure(m, &size, f.ty);
                    total.scalars = total.scalars.saturating_add(part.scalars);
                    total.weight = total.weight.saturating_add(part.weight);
                    total.depth = total.depth.max(part.depth + 1);
                }
                size[s.as_u32() as usize] = Some(total);
                if total.weight > MAX_TYPE_WEIGHT || total.depth > MAX_TYPE_DEPTH {
                    e.add(Note::Struct(s), "struct is too large or nested too deeply");
                    return false;
                }
                open.remove(s);
                todo.pop();
                continue;
            };
            todo.last_mut().expect("just seen").1 = at + 1;
            let mut t = field.ty;
            let mut depth = 0;
            let inner = loop {
                if !m.types.is_valid(t) || depth > MAX_TYPE_DEPTH {
                    e.add(Note::Struct(s), format!("field `{}` has an unknown type", field.name));
                    return false;
                }
                match m.types.kind(t) {
                    TypeKind::Array(of, _) => (t, depth) = (of, depth + 1),
                    TypeKind::Struct(inner) => break Some(inner),
                    _ => break None,
                }
            };
            if let Some(inner) = inner {
                if !m.structs.is_valid(inner) {
                    e.add(Note::Struct(s), format!("unknown struct {inner}"));
                    return false;
                }
                if size[inner.as_u32() as usize].is_some() {
                    continue;
                }
                if !open.insert(inner) {
                    e.add(Note::Struct(s), format!("recursive type: contains itself through {inner}"));
                    return false;
                }
                todo.push((inner, 0));
            }
        }
    }
    e.sizes = size;
    true
}

/// Checks a type that something has. Structures are known to be sound.
fn ty(e: &mut Errors, at: Note, t: Type) {
    let m = e.m;
    let (mut inner, mut depth) = (t, 0);
    loop {
        if !m.types.is_valid(inner) || depth > MAX_TYPE_DEPTH {
            return e.add(at, format!("unknown type {inner}"));
        }
        match m.types.kind(inner) {
            TypeKind::Array(_, 0) => return e.add(at, "array of length 0"),
            TypeKind::Array(of, _) => (inner, depth) = (of, depth + 1),
            TypeKind::Struct(s) if !m.structs.is_valid(s) => {
                return e.add(at, format!("unknown struct {s}"));
            }
            _ => break,
        }
    }
    let size = measure(m, &e.sizes, t);
    if size.weight > MAX_TYPE_WEIGHT || size.depth > MAX_TYPE_DEPTH {
        e.add(at, "type is too large or nested too deeply");
    }
}

fn function(e: &mut Errors, id: Func) {
    let f = &e.m.funcs[id];
    if let Some(t) = f.ret {
        ty(e, Note::Func(id), t);
        if e.m.types.is_valid(t) && !e.m.types.is_value(t) {
            e.add(Note::Func(id), "the return type is not a value type");
        }
    }
    for (l, data) in &f.locals {
        ty(e, Note::Local(id, l), data.ty);
    }
    for (s, data) in &f.slots {
        ty(e, Note::Slot(id, s), data.ty);
        if !e.m.types.is_valid(data.ty) {
            continue;
        }
        match (data.role, e.m.types.kind(data.ty)) {
            (SlotRole::RayQuery, TypeKind::RayQuery(..)) => {}
            (SlotRole::HitObject, TypeKind::HitObject) => {}
            (SlotRole::HitObject, _) => e.add(Note::Slot(id, s), "expected a hit object type"),
            (SlotRole::RayQuery, _) => e.add(Note::Slot(id, s), "expected a ray query type"),
            (_, TypeKind::Struct(_)) => {}
            _ => e.add(Note::Slot(id, s), "expected a struct type"),
        }
    }
    if !f.regions.is_valid(f.body) {
        return e.add(Note::Func(id), "unknown body region");
    }
    if f.regions[f.body].owner.is_some() {
        e.add(Note::Region(id, f.body), "the body region has an owner");
    }
    params(e, id, f);
    if let Some(patch) = f.state.patch_constants()
        && !(e.m.funcs.is_valid(patch) && e.m.funcs[patch].state == StageState::PatchConstants)
    {
        e.add(Note::Func(id), "the patch constant function is none");
    }
    if f.declared {
        return declared(e, id, f);
    }
    if f.inline.is_some() {
        e.add(Note::Func(id), "an instruction of SPIR-V with a body");
    }
    let mut seen_inst: EntitySet<Inst> = EntitySet::new();
    let mut seen_region: EntitySet<Region> = EntitySet::new();
    let mut depth = 0;
    let mut walk = Walk::new(f.body);
    while let Some(event) = walk.next(f) {
        match event {
            Event::Enter(r) => {
                depth += 1;
                if !f.regions.is_valid(r) {
                    continue; // reported at its owner
                }
                if !seen_region.insert(r) {
                    e.add(Note::Region(id, r), "region is owned by two instructions");
                    walk.skip();
                    continue;
                }
                if depth > MAX_REGION_DEPTH + 1 {
                    return e.add(Note::Region(id, r), format!("regions nest deeper than {MAX_REGION_DEPTH}"));
                }
                region(e, id, r);
            }
            Event::Leave(_) => depth -= 1,
            Event::Inst(r, i) => {
                if !f.insts.is_valid(i) || !seen_inst.insert(i) {
                    return e.add(Note::Region(id, r), format!("instruction {i} does not exist or is listed twice"));
                }
                if !inst(e, id, i) {
                    walk.skip();
                    continue;
                }
                for child in f.regions_of(i) {
                    if !f.regions.is_valid(child) {
                        e.inst(id, i, format!("unknown region {child}"));
                    } else if f.regions[child].owner != Some(i) {
                        e.add(Note::Region(id, child), "the owner of the region is another instruction");
                    }
                }
            }
            Event::End(..) => {}
        }
    }
}

/// Checks the parameters of one region, and that its last instruction, and no other, is a terminator.
fn region(e: &mut Errors, id: Func, r: Region) {
    let f = &e.m.funcs[id];
    let data = &f.regions[r];
    for (n, &v) in data.params.iter().enumerate() {
        defined(e, id, v, ValueDef::Param(r, n as u32), Note::Region(id, r));
    }
    let Some((last, others)) = data.insts.split_last() else {
        return e.add(Note::Region(id, r), "region is empty: expected a terminator");
    };
    let ends = |i: Inst| f.insts.is_valid(i) && f.op(i).effects().contains(Effects::TERMINATES);
    if f.insts.is_valid(*last) && !ends(*last) {
        e.inst(id, *last, "expected a terminator at the end of the region");
    }
    if let Some(&early) = others.iter().find(|i| ends(**i)) {
        e.inst(id, early, "terminator before the end of its region");
    }
}

/// A function that another library defines: parameters, and nothing else.
fn declared(e: &mut Errors, id: Func, f: &Function) {
    for (n, &v) in f.regions[f.body].params.iter().enumerate() {
        defined(e, id, v, ValueDef::Param(f.body, n as u32), Note::Region(id, f.body));
    }
    if f.is_entry() || f.exported {
        e.add(Note::Func(id), "a declaration cannot be an entry point or an export");
    }
    if !f.regions[f.body].insts.is_empty() {
        e.add(Note::Region(id, f.body), "a declaration has instructions");
    }
    if !f.slots.is_empty() || f.locals.values().any(|l| l.param.is_none()) {
        e.add(Note::Func(id), "a declaration has variables");
    }
    if let Some(inst) = &f.inline {
        inline_operands(e, id, f, inst);
    }
}

/// Checks that the operands of an instruction of inline SPIR-V take exactly the parameters; the last reference may be the result.
fn inline_operands(e: &mut Errors, id: Func, f: &Function, inst: &InlineInst) {
    use InlineOperand as O;
    let (mut values, mut refs) = (0, 0);
    for o in &inst.operands {
        match o {
            O::Value | O::Descriptor => values += 1,
            O::Element(_) => values += 3,
            O::Address(_) => values += 1,
            O::Place | O::Loaded | O::Matrix => refs += 1,
            O::Literal(_) => {}
        }
    }
    let no_number = |o: &O| matches!(o, O::Element(t) | O::Address(t) if e.m.types.numeric(*t).is_none());
    if inst.operands.iter().any(no_number) {
        e.add(Note::Func(id), "a number in a buffer is a scalar or vector");
    }
    let places: Vec<&str> =
        f.params.iter().filter_map(|p| if let Param::Ref(l) = p { Some(f.locals[*l].name.as_str()) } else { None }).collect();
    let result = usize::from(places.last() == Some(&crate::RESULT) && places.len() == refs + 1);
    if values != f.params.len() - places.len() || refs + result != places.len() || result == 1 && f.ret.is_some() {
        e.add(Note::Func(id), "the operands of the instruction are not the parameters");
    }
}

fn params(e: &mut Errors, id: Func, f: &Function) {
    let mut values = Vec::new();
    let mut refs = 0;
    for p in &f.params {
        match *p {
            Param::Value(v) => values.push(v),
            Param::Ref(l) => {
                refs += 1;
                if f.locals.get(l).is_none_or(|l| l.param.is_none()) {
                    e.add(Note::Func(id), format!("{l} is not a reference parameter"));
                }
            }
        }
    }
    if values != f.regions[f.body].params {
        e.add(Note::Func(id), "parameters of the body do not match the value parameters of the function");
    }
    if refs != f.locals.values().filter(|l| l.param.is_some()).count() {
        e.add(Note::Func(id), "reference parameter missing in the parameter list");
    }
}

fn defined(e: &mut Errors, id: Func, v: Value, def: ValueDef, at: Note) {
    let f = &e.m.funcs[id];
    match f.values.get(v) {
        None => e.add(at, format!("unknown value {v}")),
        Some(data) => {
            if data.def != def {
                e.add(at, format!("{v} records another definition"));
            }
            ty(e, at, data.ty);
            if e.m.types.is_valid(data.ty) && !e.m.types.is_value(data.ty) {
                e.add(at, format!("{v} has a type that is not a value type"));
            }
        }
    }
}

/// Checks the references of one instruction. Whether its regions can be listed.
fn inst(e: &mut Errors, id: Func, i: Inst) -> bool {
    let m = e.m;
    let f = &m.funcs[id];
    let data = f.insts[i];
    let format = match data {
        InstData::Nullary { .. } => Format::Nullary,
        InstData::Unary { .. } => Format::Unary,
        InstData::Binary { .. } => Format::Binary,
        InstData::Ternary { .. } => Format::Ternary,
        InstData::Many { .. } => Format::Many,
        InstData::Access { .. } => Format::Access,
        InstData::Copy { .. } => Format::Copy,
        InstData::Slot { .. } => Format::Slot,
        InstData::Resource { .. } => Format::Resource,
        InstData::If { .. } | InstData::Switch { .. } | InstData::Loop { .. } | InstData::Block { .. } => Format::Control,
        InstData::Call { .. } => Format::Call,
        InstData::Exit { .. } => Format::Exit,
    };
    if data.op().format() != format {
        e.inst(id, i, "operand format does not match the opcode");
    }
    if let InstData::Switch { cases, .. } = data
        && !f.cases.is_valid(cases)
    {
        e.inst(id, i, format!("unknown case table {cases}"));
        return false;
    }
    for v in f.operands(i) {
        if !f.values.is_valid(v) {
            e.inst(id, i, format!("unknown value {v}"));
        }
    }
    for (n, &v) in f.results(i).iter().enumerate() {
        defined(e, id, v, ValueDef::Result(i, n as u32), Note::Inst(id, i));
    }
    f.for_each_place(i, |p| match f.places.get(p).map(|p| p.root) {
        None => e.inst(id, i, format!("unknown place {p}")),
        Some(Root::Local(l)) if !f.locals.is_valid(l) => {
            e.inst(id, i, format!("unknown local {l}"));
        }
        Some(Root::Slot(s)) if !f.slots.is_valid(s) => {
            e.inst(id, i, format!("unknown slot {s}"));
        }
        Some(Root::Global(g)) if !m.globals.is_valid(g) => {
            e.inst(id, i, format!("unknown global {g}"));
        }
        Some(_) => {}
    });
    match data {
        InstData::Slot { slot, .. } if !f.slots.is_valid(slot) => {
            e.inst(id, i, format!("unknown slot {slot}"));
        }
        InstData::Resource { global, .. } if !m.globals.is_valid(global) => {
            e.inst(id, i, format!("unknown global {global}"));
        }
        InstData::Call { func, .. } if !m.funcs.is_valid(func) => {
            e.inst(id, i, format!("unknown function {func}"));
        }
        InstData::Exit { op, target, args, .. } => {
            let wants = matches!(op, Opcode::break_ | Opcode::continue_);
            if wants != target.is_some() {
                e.inst(id, i, "a target region is expected for `break` and `continue` only");
            }
            if target.expand().is_some_and(|r| !f.regions.is_valid(r)) {
                e.inst(id, i, "unknown target region");
            }
            if op == Opcode::next_if && args.is_empty() {
                e.inst(id, i, "expected a condition");
            }
        }
        _ => {}
    }
    true
}
