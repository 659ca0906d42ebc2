//! Legalisation of arrays that other shaders pass: elements whose number is only known at run time.
//!
//! Drivers keep payloads in registers as long as each access names its element. An array of the incoming payload of which one element is chosen at
//! run time costs tens of times as much as a local one (64 floats that a loop changes on an H200: 100 times). So such an array, and no other
//! member, is worked on in a local, which is filled where the shader begins and, if the shader changes it, copied back wherever the shader ends.
//! Nothing sees the payload in between: traces take copies. The same is done with callable parameters and hit attributes.

use rtc_base::Span;
use rtc_ir::debug::Named;
use rtc_ir::{
    Builder, Function, Inst, InstData, Local, Module, Opcode as O, PlaceData, Region, Root, Scalar, Slot, SlotRole, Stage, Step, Type,
    TypeKind,
};

/// The most scalars and vectors that are copied; a larger array stays where it is.
const MAX_LEAVES: usize = 256;

/// An array or a vector of a slot, and the local that takes its place.
struct Moved {
    slot: Slot,
    path: Vec<u32>,
    local: Local,
    written: bool,
}

/// Gives the functions of a module locals for such arrays.
pub fn run(m: &mut Module) {
    let mut f = Function::new("", Stage::Library);
    let funcs: Vec<_> = m.funcs.keys().collect();
    for id in funcs {
        std::mem::swap(&mut f, &mut m.funcs[id]);
        if !f.declared {
            for role in [SlotRole::PayloadIn, SlotRole::CallableIn, SlotRole::AttrIn] {
                if let Some(slot) = f.slot_of(role) {
                    arrays_of(m, &mut f, slot);
                }
            }
        }
        std::mem::swap(&mut f, &mut m.funcs[id]);
    }
}

fn arrays_of(m: &mut Module, f: &mut Function, slot: Slot) {
    let Some(paths) = chosen_at_run_time(f, slot) else { return };
    for path in paths {
        let step = |ty: Option<Type>, &n: &u32| m.part(ty?, Some(n));
        let Some(ty) = path.iter().fold(Some(f.slots[slot].ty), step) else { continue };
        let mut leaves = Vec::new();
        m.leaves(ty, &mut |at, ty| leaves.push((at.to_vec(), ty)));
        if leaves.len() > MAX_LEAVES {
            continue;
        }
        if is_plain(m, ty) {
            leaves = vec![(Vec::new(), ty)];
        }
        let local = local_for(f, slot, &path, ty);
        let written = redirect(f, slot, &path, local);
        let moved = Moved { slot, path, local, written };
        copy_around(m, f, &moved, &leaves);
    }
}

/// The paths to the arrays of a slot an element of which is chosen at run time, none in another one. `None` if there are none, or something uses the
/// slot in another way than by loads and stores.
fn chosen_at_run_time(f: &Function, slot: Slot) -> Option<Vec<Vec<u32>>> {
    let mut paths: Vec<Vec<u32>> = Vec::new();
    let mut plain = true;
    let in_slot = |p: rtc_ir::Place| f.places[p].root == Root::Slot(slot);
    f.for_each_inst(f.body, |_, i| match f.insts[i] {
        InstData::Access { op: O::load | O::store, place, .. } if in_slot(place) => {
            let steps = &f.places[place].steps;
            let path = steps.iter().map_while(|s| if let Step::At(n) = *s { Some(n) } else { None }).collect::<Vec<_>>();
            if path.len() < steps.len() {
                paths.push(path);
            }
        }
        InstData::Access { place, .. } => plain &= !in_slot(place),
        InstData::Copy { to, from, .. } => plain &= !in_slot(to) && !in_slot(from),
        InstData::Call { refs, .. } => plain &= !f.get_places(refs).iter().any(|&p| in_slot(p)),
        InstData::Slot { slot: s, .. } => plain &= s != slot,
        _ => {}
    });
    paths.sort_unstable();
    // A path that begins with another one comes after it.
    paths.dedup_by(|later, kept| later.starts_with(kept));
    (plain && !paths.is_empty()).then_some(paths)
}

/// A local for what `path` leads to.
fn local_for(f: &mut Function, slot: Slot, path: &[u32], ty: Type) -> Local {
    let local = f.add_local(ty, f.slots[slot].name.clone());
    if let Some(d) = &mut f.debug
        && let Some(all) = d.slots[slot].clone()
    {
        d.locals[local] = Some(Named { var: all.var, path: all.path.iter().chain(path).copied().collect() });
    }
    local
}

/// Makes accesses of what `path` leads to accesses of the local; whether one is a store.
fn redirect(f: &mut Function, slot: Slot, path: &[u32], local: Local) -> bool {
    let starts = |steps: &[Step]| steps.len() >= path.len() && steps.iter().zip(path).all(|(s, n)| *s == Step::At(*n));
    f.map_places(|_, place| {
        if place.root == Root::Slot(slot) && starts(&place.steps) {
            *place = PlaceData { root: Root::Local(local), steps: place.steps[path.len()..].iter().copied().collect() };
        }
    });
    let mut written = false;
    f.for_each_inst(f.body, |_, i| {
        if let InstData::Access { op: O::store, place, .. } = f.insts[i] {
            written |= f.places[place].root == Root::Local(local);
        }
    });
    written
}

/// Fills the local where the function begins, and copies it back where the shader ends.
fn copy_around(m: &mut Module, f: &mut Function, moved: &Moved, leaves: &[(Vec<u32>, Type)]) {
    let body = f.body;
    let made = copies(m, f, moved, leaves, true, f.span);
    f.regions[body].insts.splice(0..0, made);
    if !moved.written {
        return;
    }
    let mut ends: Vec<(Region, Inst)> = Vec::new();
    f.for_each_inst(body, |r, i| {
        if matches!(f.op(i), O::return_ | O::ignore_hit | O::accept_hit) {
            ends.push((r, i));
        }
    });
    for (r, end) in ends {
        let made = copies(m, f, moved, leaves, false, f.spans[end]);
        let at = f.regions[r].insts.iter().position(|&i| i == end).expect("an instruction is in its region");
        f.regions[r].insts.splice(at..at, made);
    }
}

/// Whether it is an array of numbers, which has one type wherever it is: a structure may have a layout, and booleans are words elsewhere.
fn is_plain(m: &Module, ty: Type) -> bool {
    match m.types.kind(ty) {
        TypeKind::Array(elem, _) => is_plain(m, elem) || m.types.numeric(elem).is_some_and(|(s, _)| s != Scalar::Bool),
        _ => false,
    }
}

/// Copies of all leaves into the local, or back.
fn copies(m: &mut Module, f: &mut Function, moved: &Moved, leaves: &[(Vec<u32>, Type)], fill: bool, span: Span) -> Vec<Inst> {
    let at_once = leaves.iter().all(|l| m.types.numeric(l.1).is_none());
    let temp = f.add_region();
    let mut b = Builder::at(&mut m.types, f, temp);
    b.span = span;
    let (inside, outside) = (Root::Local(moved.local), Root::Slot(moved.slot));
    for (leaf, ty) in leaves {
        let local: Vec<Step> = leaf.iter().map(|&n| Step::At(n)).collect();
        let whole: Vec<Step> = moved.path.iter().chain(leaf).map(|&n| Step::At(n)).collect();
        if at_once {
            let (inside, outside) = ((inside, &local[..], &[][..]), (outside, &whole[..], &[][..]));
            let (to, from) = if fill { (inside, outside) } else { (outside, inside) };
            b.copy(to, from);
        } else if fill {
            let v = b.load(outside, &whole, &[], *ty);
            b.store(inside, &local, &[], v);
        } else {
            let v = b.load(inside, &local, &[], *ty);
            b.store(outside, &whole, &[], v);
        }
    }
    std::mem::take(&mut f.regions[temp].insts)
}
