//! Instructions for which SPIR-V has a form that drivers know better than one instruction each: found in the IR before code is written.
//!
//! | form | of | why |
//! |---|---|---|
//! | `OpAny`, `OpAll` | `or`, `and` of all components of a vector | one instruction of some devices |
//! | `OpSelect` of 1 and 0 | `utof` of an extended boolean | no conversion |
//! | `SAbs` | the maximum of an integer and its negative | NVIDIA's driver computes the maximum of this maximum and a third number wrongly |
//! | `OpVectorShuffle` | a vector of the components of one vector | no scalars in between |
//! | masks | a remainder by a power of two | no division |
//! | a load of one number | a component, chosen at run time, of a load of constants | drivers choose among four otherwise |
//!
//! A form depends on nothing but the IR. What its operands are made of is unused then, unless others use it too, and goes with other unused code
//! ([`super::unused`]).

use rtc_ir::{Function, Inst, InstData, Module, Opcode, Scalar, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirv::Op;

use super::FuncEmitter;
use super::typed_buffers::{Accesses, component_of};
use crate::words::Id;

/// What an instruction is emitted as.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// `OpAny` or `OpAll` of a vector.
    Reduction(Op, Value),
    /// The numbers 1 and 0, chosen by booleans.
    Choice(Value),
    /// The absolute value of the first operand.
    Absolute,
    /// Components of one vector, by their numbers.
    Swizzle(Value, SmallVec<[u32; 4]>),
    /// A remainder by a power of two: one less than that.
    LowBits(u64),
    /// A component of a load of constants: the load, and the component's number.
    ConstantComponent(Inst, Value),
}

/// The forms of the instructions of `f` that have one.
pub(crate) fn find(m: &Module, f: &Function, accesses: &Accesses) -> FxHashMap<Inst, Form> {
    let mut out = FxHashMap::default();
    f.for_each_inst(f.body, |_, i| {
        let form = match f.insts[i] {
            InstData::Binary { op: Opcode::or, .. } => reduced(m, f, i, Opcode::or).map(|v| Form::Reduction(Op::Any, v)),
            InstData::Binary { op: Opcode::and, .. } => reduced(m, f, i, Opcode::and).map(|v| Form::Reduction(Op::All, v)),
            InstData::Binary { op: Opcode::smax, args } => is_negative_of(f, args[1], args[0]).then_some(Form::Absolute),
            InstData::Binary { op: Opcode::srem, args } => low_bits(m, f, args[1]).map(Form::LowBits),
            InstData::Binary { op: Opcode::extract_dyn, .. } => component_of(f, i)
                .filter(|(load, _)| accesses.component_loads.contains(load))
                .map(|(load, component)| Form::ConstantComponent(load, component)),
            InstData::Unary { op: Opcode::utof, arg } => extended_bool(m, f, arg).map(Form::Choice),
            InstData::Many { op: Opcode::construct, args, .. } => {
                swizzle_of(f, f.get(args)).map(|(v, components)| Form::Swizzle(v, components))
            }
            _ => None,
        };
        if let Some(form) = form {
            out.insert(i, form);
        }
    });
    out
}

/// The vector of which `i` joins all components by `op`, each of them once.
fn reduced(m: &Module, f: &Function, i: Inst, op: Opcode) -> Option<Value> {
    let (mut vector, mut seen, mut leaves) = (None, 0u32, 0);
    let mut rest = vec![f.result(i)];
    if m.types.numeric(f.ty(rest[0])) != Some((Scalar::Bool, 1)) {
        return None;
    }
    while let Some(v) = rest.pop() {
        match f.insts[f.def_inst(v)?] {
            InstData::Binary { op: o, args } if o == op => rest.extend(args),
            InstData::Many { op: Opcode::extract, imm, args } => {
                let source = f.get(args)[0];
                if *vector.get_or_insert(source) != source {
                    return None;
                }
                seen |= 1 << imm.min(31);
                leaves += 1;
            }
            _ => return None,
        }
        // A vector has four components at most: no tree of more than these is one.
        if leaves + rest.len() > 4 {
            return None;
        }
    }
    let vector = vector?;
    let lanes = m.types.lanes(f.ty(vector));
    (leaves == lanes as usize && seen == (1 << lanes) - 1).then_some(vector)
}

/// The booleans that `v` has as 0 and 1.
fn extended_bool(m: &Module, f: &Function, v: Value) -> Option<Value> {
    match f.insts[f.def_inst(v)?] {
        InstData::Unary { op: Opcode::zext, arg } if m.types.elem(f.ty(arg)) == Scalar::Bool => Some(arg),
        _ => None,
    }
}

/// Whether `v` is the negative of the integer `of`.
fn is_negative_of(f: &Function, v: Value, of: Value) -> bool {
    matches!(f.def_inst(v).map(|d| f.insts[d]), Some(InstData::Unary { op: Opcode::ineg, arg }) if arg == of)
}

/// One less than a constant that is a power of two, all components the same.
fn low_bits(m: &Module, f: &Function, v: Value) -> Option<u64> {
    let bits = match f.def_inst(v).map(|d| f.insts[d]) {
        Some(InstData::Many { op: Opcode::construct, args, .. }) => {
            let parts = f.get(args);
            let first = f.as_const(*parts.first()?)?;
            parts.iter().all(|&p| f.as_const(p) == Some(first)).then_some(first)?
        }
        _ => f.as_const(v)?,
    };
    let sign = 1 << (m.types.elem(f.ty(v)).bits() - 1);
    (bits.is_power_of_two() && bits != sign).then(|| bits - 1)
}

/// The vector of which all values are components, and their numbers.
fn swizzle_of(f: &Function, args: &[Value]) -> Option<(Value, SmallVec<[u32; 4]>)> {
    let mut from = None;
    let mut components = SmallVec::new();
    for &v in args {
        let InstData::Many { op: Opcode::extract, imm, args } = f.insts[f.def_inst(v)?] else { return None };
        let source = f.get(args)[0];
        if *from.get_or_insert(source) != source {
            return None;
        }
        components.push(imm);
    }
    Some((from?, components))
}

impl FuncEmitter<'_, '_> {
    /// Emits `i` as a reduction or a choice, if that is its form; says whether it is.
    pub(crate) fn bool_form(&mut self, i: Inst) -> bool {
        let id = match self.forms.get(&i) {
            Some(&Form::Reduction(op, vector)) => {
                let (ty, vector) = (self.e.scalar(Scalar::Bool, false), self.val(vector));
                self.op(op, ty, &[vector])
            }
            Some(&Form::Choice(b)) => self.choice(i, b),
            _ => return false,
        };
        let result = self.f.result(i);
        self.set(result, id);
        true
    }

    /// 1 or 0 of the float type of the result of `i`.
    fn choice(&mut self, i: Inst, b: Value) -> Id {
        let t = self.f.ty(self.f.result(i));
        let (ty, one, zero) = (self.e.ty(t), self.float_bits(t, 1.0), self.e.splat_constant(t, 0));
        let (one, b) = (self.e.splat_constant(t, one), self.val(b));
        self.op(Op::Select, ty, &[b, one, zero])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The forms in a function with this body.
    fn forms(body: &str) -> Vec<Form> {
        let text = format!("module sm 6.3\nfn fn0 \"Main\" stage raygen {{\nr0:\n{body} return\n}}\n");
        let m = rtc_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let f = m.funcs.values().next().expect("a function");
        let mut found: Vec<(Inst, Form)> = find(&m, f, &Accesses::default()).into_iter().collect();
        found.sort_by_key(|x| x.0);
        found.into_iter().map(|x| x.1).collect()
    }

    #[test]
    fn a_maximum_with_the_negative_is_absolute() {
        let body = " v0 = dispatch_rays_index : i32x3\n v1 = extract #0 v0 : i32\n v2 = ineg v1 : i32\n v3 = smax v1, v2 : i32\n";
        assert_eq!(forms(body), [Form::Absolute]);
        assert_eq!(forms(&body.replace("smax v1, v2", "smax v2, v2")), []);
    }
}
