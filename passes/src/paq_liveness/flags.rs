//! The static variables that tell paths apart, although they hold no part of a payload: flags, states and sets of bits of the shader.

use rtc_ir::{Function, Global, GlobalKind, InstData, Local, Module, Opcode, Place, Root, Type, TypeKind, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Variables of more scalars are no flags.
const MAX_SCALARS: u32 = 16;
/// In a library with more such variables none is followed.
const MAX_FLAGS: usize = 64;

/// What functions store to a variable.
#[derive(Default)]
struct Stored {
    /// A constant.
    constant: bool,
    /// What is neither a constant nor computed with one.
    other: bool,
}

/// The static variables of numbers to which the functions of the library store constants, and nothing else but what operations with constants
/// give; Booleans may be anything.
pub(super) fn flags(m: &Module) -> FxHashSet<Global> {
    let mut stored: FxHashMap<Global, Stored> = FxHashMap::default();
    for f in m.funcs.values().filter(|f| !f.declared) {
        let passed = passed(f);
        f.for_each_inst(f.body, |_, i| match f.insts[i] {
            InstData::Access { op: Opcode::store, place, args, .. } => {
                if let (Some(g), Some(&v)) = (global(f, place), f.get(args).last()) {
                    let s = stored.entry(g).or_default();
                    let constant = with_constant(f, v);
                    s.constant |= constant;
                    s.other |= !constant && f.ty(v) != Type::BOOL;
                }
            }
            InstData::Access { op: Opcode::load, .. } => {}
            // Methods get a structure in a local, which is copied back.
            InstData::Copy { to, from, .. } if matches!(f.places[from].root, Root::Local(l) if passed.contains(&l)) => {
                if let Some(g) = global(f, to) {
                    stored.entry(g).or_default().constant = true;
                }
            }
            InstData::Access { place, .. } | InstData::Copy { to: place, .. } => {
                if let Some(g) = global(f, place) {
                    stored.entry(g).or_default().other = true;
                }
            }
            // Methods and functions set members and Booleans; a number by reference is more often one that changes in each call.
            InstData::Call { refs, .. } => {
                for &place in f.get_places(refs) {
                    if let Some(g) = global(f, place) {
                        let s = stored.entry(g).or_default();
                        let number = f.places[place].steps.is_empty() && m.types.numeric(m.globals[g].ty()).is_some_and(|n| n.0.bits() > 1);
                        s.constant |= !number;
                        s.other |= number;
                    }
                }
            }
            _ => {}
        });
    }
    let is_flag = |g: Global, s: &Stored| match m.globals[g].kind {
        GlobalKind::Private(t, _) => s.constant && !s.other && scalars(m, t).is_some_and(|n| n <= MAX_SCALARS),
        _ => false,
    };
    let out: FxHashSet<Global> = stored.iter().filter(|(g, s)| is_flag(**g, s)).map(|(&g, _)| g).collect();
    if out.len() > MAX_FLAGS { FxHashSet::default() } else { out }
}

/// The local variables that functions get by reference.
fn passed(f: &Function) -> FxHashSet<Local> {
    let mut out = FxHashSet::default();
    f.for_each_inst(f.body, |_, i| {
        if let InstData::Call { refs, .. } = f.insts[i] {
            out.extend(f.get_places(refs).iter().filter_map(|&p| match f.places[p].root {
                Root::Local(l) => Some(l),
                _ => None,
            }));
        }
    });
    out
}

/// The global variable that a place is, or is a part of.
fn global(f: &Function, place: Place) -> Option<Global> {
    match f.places[place].root {
        Root::Global(g) => Some(g),
        _ => None,
    }
}

/// Whether a value is a constant, or an operation with one.
fn with_constant(f: &Function, v: Value) -> bool {
    if f.as_const(v).is_some() {
        return true;
    }
    match f.def_inst(v).map(|i| f.insts[i]) {
        Some(InstData::Binary { args, .. }) => args.iter().any(|&a| f.as_const(a).is_some()),
        Some(InstData::Many { op: Opcode::construct, args, .. }) => f.get(args).iter().all(|&a| f.as_const(a).is_some()),
        Some(InstData::Many { op: Opcode::insert, args, .. }) => f.get(args).get(1).is_some_and(|&a| with_constant(f, a)),
        _ => false,
    }
}

/// How many scalars a type of numbers has; none for others.
fn scalars(m: &Module, t: Type) -> Option<u32> {
    match m.types.kind(t) {
        TypeKind::Array(e, n) => scalars(m, e)?.checked_mul(n),
        TypeKind::Struct(s) => m.structs[s].fields.iter().try_fold(0u32, |n, f| n.checked_add(scalars(m, f.ty)?)),
        _ => m.types.numeric(t).map(|(_, lanes)| lanes),
    }
}
