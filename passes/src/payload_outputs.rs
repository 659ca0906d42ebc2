//! `payload_outputs`: what a shader stores into payload fields that its stage does not write stays in the shader.
//!
//! By payload access qualifiers each stage works on a copy of the payload, of which the fields that it writes are copied back where it ends; values
//! in others are ignored (DXR, payload access qualifiers, detailed semantics). In SPIR-V the payload is one variable of all stages. So a field that the
//! shader stores into and its stage does not write becomes a local, which begins with the payload's value if the stage reads it. All other
//! fields stay where they are: what a stage neither reads nor writes is undefined there, which includes what it was.

use rtc_ir::debug::{ANY_ELEMENT, Anchors, Named};
use rtc_ir::{
    Builder, Function, Inst, InstData, Module, Opcode, PaqStage, Place, PlaceData, Region, Root, Slot, SlotRole, Step, Type, TypeKind,
};

use crate::util::{all_regions, each_function};
use crate::{Changed, PassCtx, PassError};

/// A step on the way to a field from the payload: arrays of payload structures have the field in every element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Field(u32),
    Element,
}

/// A field that the stage does not write.
struct Unwritten {
    path: Vec<Part>,
    ty: Type,
    /// Whether the stage reads it.
    read: bool,
}

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, function))
}

fn function(m: &mut Module, f: &mut Function) -> bool {
    let (Some(stage), Some(slot)) = (PaqStage::of_shader(f.stage), f.slot_of(SlotRole::PayloadIn)) else { return false };
    let TypeKind::Struct(s) = m.types.kind(f.slots[slot].ty) else { return false };
    if !m.structs[s].raypayload {
        return false;
    }
    let mut fields = Vec::new();
    unwritten(m, f.slots[slot].ty, stage, &mut Vec::new(), &mut fields);
    let written = written(f, slot);
    fields.retain(|u| written.iter().any(|&p| overlap(&f.places[p].steps, &u.path)));
    if fields.is_empty() {
        return false;
    }
    let anchors = Anchors::take(f);
    divide_copies(m, f, slot, &fields);
    anchors.into_iter().for_each(|a| a.restore(f));
    for field in &fields {
        keep(m, f, slot, field);
    }
    true
}

/// Collects the fields of a payload, or of a payload structure in it, that a stage does not write.
fn unwritten(m: &Module, ty: Type, stage: PaqStage, path: &mut Vec<Part>, out: &mut Vec<Unwritten>) {
    let TypeKind::Struct(s) = m.types.kind(ty) else { return };
    for (n, field) in (0..).zip(&m.structs[s].fields) {
        let depth = path.len();
        path.push(Part::Field(n));
        match field.paq {
            Some(q) if q.writes(stage) => {}
            Some(q) => out.push(Unwritten { path: path.clone(), ty: field.ty, read: q.reads(stage) }),
            None => {
                let mut inner = field.ty;
                while let TypeKind::Array(elem, _) = m.types.kind(inner) {
                    path.push(Part::Element);
                    inner = elem;
                }
                let has_own = |s: rtc_ir::Struct| field.name.is_empty() || m.structs[s].raypayload;
                if matches!(m.types.kind(inner), TypeKind::Struct(s) if has_own(s)) {
                    unwritten(m, inner, stage, path, out);
                }
            }
        }
        path.truncate(depth);
    }
}

/// Whether the first steps lead where the first parts do, as many as there are of both.
fn overlap(steps: &[Step], path: &[Part]) -> bool {
    steps.iter().zip(path).all(|(step, part)| match part {
        Part::Field(n) => *step == Step::At(*n),
        Part::Element => true,
    })
}

/// The places of the payload that the function writes.
fn written(f: &Function, slot: Slot) -> Vec<Place> {
    let mut out = Vec::new();
    let mut add = |p: Place| {
        if f.places[p].root == Root::Slot(slot) {
            out.push(p);
        }
    };
    f.for_each_inst(f.body, |_, i| match f.insts[i] {
        InstData::Access { op: Opcode::load, .. } => {}
        InstData::Access { place, .. } => add(place),
        InstData::Copy { to, .. } => add(to),
        InstData::Call { refs, .. } => f.get_places(refs).iter().for_each(|&p| add(p)),
        _ => {}
    });
    out.sort_unstable();
    out.dedup();
    out
}

/// Makes a local of a field of the payload; of one in elements of arrays an array.
fn keep(m: &mut Module, f: &mut Function, slot: Slot, field: &Unwritten) {
    let Unwritten { path, ty, read } = field;
    let mut lengths = Vec::new();
    let mut at = f.slots[slot].ty;
    for part in path {
        if let (Part::Element, TypeKind::Array(_, n)) = (part, m.types.kind(at)) {
            lengths.push(n);
        }
        let number = if let Part::Field(n) = part { Some(*n) } else { None };
        at = m.part(at, number).expect("the field exists");
    }
    let ty = lengths.iter().rev().fold(*ty, |ty, &n| m.types.array(ty, n));
    let local = f.add_local(ty, f.slots[slot].name.clone());
    if let Some(d) = &mut f.debug
        && let Some(all) = d.slots[slot].clone()
    {
        let numbers = path.iter().map(|part| if let Part::Field(n) = part { *n } else { ANY_ELEMENT });
        d.locals[local] = Some(Named { var: all.var, path: all.path.iter().copied().chain(numbers).collect() });
    }
    f.map_places(|_, place| {
        if place.root == Root::Slot(slot) && place.steps.len() >= path.len() && overlap(&place.steps, path) {
            let indices = place.steps.iter().zip(path).filter(|(_, part)| **part == Part::Element).map(|(step, _)| *step);
            let steps = indices.chain(place.steps[path.len()..].iter().copied()).collect();
            *place = PlaceData { root: Root::Local(local), steps };
        }
    });
    if *read {
        let temp = f.add_region();
        let mut b = Builder::at(&mut m.types, f, temp);
        let mut indices = vec![0; lengths.len()];
        loop {
            let to: Vec<Step> = indices.iter().map(|&n| Step::At(n)).collect();
            let mut next = to.iter();
            let from: Vec<Step> = path
                .iter()
                .map(|part| match part {
                    Part::Field(n) => Step::At(*n),
                    Part::Element => *next.next().expect("each has an index"),
                })
                .collect();
            b.copy((Root::Local(local), &to, &[]), (Root::Slot(slot), &from, &[]));
            // The last index counts fastest.
            let Some(k) = (0..indices.len()).rev().find(|&k| indices[k] + 1 < lengths[k]) else { break };
            indices[k] += 1;
            indices[k + 1..].fill(0);
        }
        let made: Vec<Inst> = std::mem::take(&mut f.regions[temp].insts);
        let body = f.body;
        f.regions[body].insts.splice(0..0, made);
    }
}

/// Divides copies of what has such a field in it into copies of its parts.
fn divide_copies(m: &Module, f: &mut Function, slot: Slot, fields: &[Unwritten]) {
    let around = |f: &Function, p: Place| {
        let place = &f.places[p];
        let inside = |u: &Unwritten| u.path.len() > place.steps.len() && overlap(&place.steps, &u.path);
        place.root == Root::Slot(slot) && fields.iter().any(inside)
    };
    for r in all_regions(f) {
        let mut n = 0;
        while let Some(&i) = f.regions[r].insts.get(n) {
            match f.insts[i] {
                // A part may have to be divided again: it is looked at next.
                InstData::Copy { to, .. } if around(f, to) => divide(m, f, r, n, to),
                InstData::Copy { from, .. } if around(f, from) => divide(m, f, r, n, from),
                _ => n += 1,
            }
        }
    }
}

/// Replaces copy `n` of region `r` by one for each part of `of`, which is one of its places.
fn divide(m: &Module, f: &mut Function, r: Region, n: usize, of: Place) {
    let i = f.regions[r].insts[n];
    let InstData::Copy { to, from, args } = f.insts[i] else { rtc_base::bug!("no copy is divided") };
    let Root::Slot(slot) = f.places[of].root else { rtc_base::bug!("a copy of no payload is divided") };
    let part = |ty, step: &Step| m.part(ty, if let Step::At(n) = *step { Some(n) } else { None }).expect("the place exists");
    let ty = f.places[of].steps.iter().fold(f.slots[slot].ty, part);
    let count = match m.types.kind(ty) {
        TypeKind::Struct(s) => m.structs[s].fields.len() as u32,
        TypeKind::Array(_, n) => n,
        _ => rtc_base::bug!("a field is in something that has no parts"),
    };
    let member = |f: &mut Function, p: Place, k: u32| {
        let mut steps = f.places[p].steps.clone();
        steps.push(Step::At(k));
        f.place(f.places[p].root, &steps)
    };
    let mut parts = Vec::new();
    for k in 0..count {
        let (to, from) = (member(f, to, k), member(f, from, k));
        let part = f.make(InstData::Copy { to, from, args }, &[], f.spans[i]);
        f.inherit_own(part, i);
        if let Some(d) = &mut f.debug
            && d.inlined[i].is_some()
        {
            d.inlined[part] = d.inlined[i];
        }
        parts.push(part);
    }
    f.regions[r].insts.splice(n..=n, parts);
}
