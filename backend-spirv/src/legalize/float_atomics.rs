//! Legalisation of compare-exchange on groupshared floats.
//!
//! SPIR-V compares and exchanges integers only, and a pointer to a float cannot be cast to one to an integer. So
//! the variable holds the bits of its floats, and accesses convert.

use rtc_ir::{Field, Function, Global, GlobalKind, Inst, InstData, Module, Opcode, Region, Root, Scalar, StructData};
use rtc_ir::{Type, TypeKind, TypeTable, Value};
use rtc_tables::resources::AtomicOp;

/// Changes such variables of `m`.
pub fn run(m: &mut Module) {
    let mut found: Vec<Global> = Vec::new();
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, i| {
            if let InstData::Access { op: Opcode::var_atomic, imm, place, .. } = f.insts[i]
                && AtomicOp::from_number(imm) == Some(AtomicOp::CompareExchange)
                && m.types.elem(f.ty(f.result(i))).is_float()
                && let Root::Global(g) = f.places[place].root
                && !found.contains(&g)
            {
                found.push(g);
            }
        });
    }
    for &g in &found {
        let ty = integers(m, m.globals[g].ty());
        m.globals[g].kind = GlobalKind::GroupShared(ty);
    }
    if found.is_empty() {
        return;
    }
    for f in m.funcs.values_mut() {
        accesses(&mut m.types, f, &found);
    }
}

/// The type with integers in place of floats.
fn integers(m: &mut Module, t: Type) -> Type {
    match m.types.kind(t) {
        TypeKind::Scalar(s) => m.types.scalar(bits(s)),
        TypeKind::Vector(s, n) => m.types.vector(bits(s), n),
        TypeKind::Array(e, n) => {
            let e = integers(m, e);
            m.types.array(e, n)
        }
        TypeKind::Struct(s) => {
            let old = m.structs[s].clone();
            let fields: Vec<Field> = old.fields.iter().map(|f| Field { ty: integers(m, f.ty), ..f.clone() }).collect();
            let s = m.structs.push(StructData { name: format!("{}.bits", old.name), fields, ..old });
            m.types.struct_(s)
        }
        _ => t,
    }
}

fn bits(s: Scalar) -> Scalar {
    if s.is_float() { Scalar::int(s.bits()).unwrap_or(s) } else { s }
}

fn accesses(types: &mut TypeTable, f: &mut Function, globals: &[Global]) {
    let mut found: Vec<(Region, Inst)> = Vec::new();
    f.for_each_inst(f.body, |r, i| {
        if let InstData::Access { place, .. } = f.insts[i]
            && matches!(f.places[place].root, Root::Global(g) if globals.contains(&g))
        {
            found.push((r, i));
        }
    });
    for (r, i) in found {
        let at = f.regions[r].insts.iter().position(|&x| x == i).expect("it was found there");
        let InstData::Access { op, imm, place, args } = f.insts[i] else { continue };
        let span = f.spans[i];
        let used = f.places[place].dyn_count();
        let mut all: Vec<Value> = f.get(args).to_vec();
        let mut before = Vec::new();
        for v in &mut all[used..] {
            let to = with_bits(types, f.ty(*v));
            if to != f.ty(*v) {
                let cast = f.make(InstData::Unary { op: Opcode::bitcast, arg: *v }, &[to], span);
                before.push(cast);
                *v = f.result(cast);
            }
        }
        let args = f.list(&all);
        let data = InstData::Access { op, imm, place, args };
        let mut after = Vec::new();
        match f.results(i).first().copied() {
            Some(v) if with_bits(types, f.ty(v)) != f.ty(v) => {
                let to = with_bits(types, f.ty(v));
                let access = f.make(data, &[to], span);
                let raw = f.result(access);
                // The old instruction becomes the conversion, so that its result keeps its number.
                f.insts[i] = InstData::Unary { op: Opcode::bitcast, arg: raw };
                before.push(access);
                after.push(i);
            }
            _ => {
                f.insts[i] = data;
                before.push(i);
            }
        }
        f.regions[r].insts.splice(at..=at, before.into_iter().chain(after));
    }
}

/// The type of a value with integers in place of floats.
fn with_bits(types: &mut TypeTable, t: Type) -> Type {
    let s = types.elem(t);
    types.with_elem(t, bits(s))
}
