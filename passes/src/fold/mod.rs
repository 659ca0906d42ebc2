//! `fold`: constant folding, algebraic simplification and peephole optimisation.
//!
//! One traversal in the order of the text, in which definitions come before uses: the operands of an instruction are folded before
//! it is visited. Constants are evaluated by `rtc_ir::eval`. Rules on floats preserve not-a-numbers, infinities and signed zeros;
//! the few that do not preserve the sign of a zero are not applied where the instruction is `precise`. Control flow is left to
//! `simplify`.

mod algebra;
mod distribute;
mod fields;
mod integers;
mod vectors;

pub(crate) use algebra::is_commutative;

use rtc_ir::{Function, GlobalKind, Inst, InstData, Module, Opcode, Root, Scalar, Step, Type, TypeKind, Value, eval};
use smallvec::SmallVec;

use crate::util::{Rename, all_insts, each_function};
use crate::{Changed, PassCtx, PassError, sroa};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, function))
}

/// Runs the pass over one function.
pub(crate) fn function(m: &mut Module, f: &mut Function) -> bool {
    let m = &*m;
    let mut rename = Rename::new();
    let mut changed = false;
    let insts = all_insts(f);
    changed |= distribute::run(m, f, &insts);
    changed |= fields::run(m, f, &insts);
    for i in insts {
        rename.operands(f, i);
        // A rewritten instruction is looked at again, a few times.
        for _ in 0..4 {
            let mut cx = Fold { m, f, i };
            match cx.inst() {
                Folded::No => break,
                Folded::Rewritten => changed = true,
                Folded::Value(v) => {
                    let result = f.result(i);
                    changed |= result != v;
                    rename.set(result, v);
                    break;
                }
            }
        }
    }
    rename.transfer_names(f);
    changed
}

/// What became of an instruction.
enum Folded {
    No,
    /// It is another instruction now.
    Rewritten,
    /// Its result is this value.
    Value(Value),
}

/// One instruction being folded.
struct Fold<'a> {
    m: &'a Module,
    f: &'a mut Function,
    i: Inst,
}

type Bits = SmallVec<[u64; 4]>;

impl Fold<'_> {
    fn inst(&mut self) -> Folded {
        let data = self.f.insts[self.i];
        match data {
            InstData::Unary { op, .. } | InstData::Binary { op, .. } | InstData::Ternary { op, .. } if self.flushes(op) => {
                self.only_computed(data)
            }
            InstData::Unary { op, arg } => self.unary(op, arg),
            InstData::Binary { op, args } => self.binary(op, args),
            InstData::Ternary { op, args } => self.ternary(op, args),
            InstData::Many { .. } => self.vector_op(),
            InstData::Access { op, .. } => {
                if op == Opcode::load
                    && let Some(v) = self.table_load()
                {
                    return v;
                }
                match sroa::constant_steps(self.m, self.f, self.i) {
                    true => Folded::Rewritten,
                    false => Folded::No,
                }
            }
            _ => Folded::No,
        }
    }

    /// Whether an instruction of opcode `op` makes zeros of denormals: then what gives back an operand as it is, is not the same.
    fn flushes(&self, op: Opcode) -> bool {
        let result = self.f.results(self.i).first();
        let scalar = result.and_then(|&v| self.numeric(v));
        scalar.is_some_and(|(s, _)| eval::is_flushed(self.m, op, s))
    }

    /// Folds such an instruction where all is known.
    fn only_computed(&mut self, data: InstData) -> Folded {
        let done = match data {
            InstData::Unary { op, arg } => self.compute(op, &[arg]),
            InstData::Binary { op, args } => self.compute(op, &args),
            InstData::Ternary { op, args } => self.compute(op, &args),
            _ => None,
        };
        done.unwrap_or(Folded::No)
    }

    // Facts ---------------------------------------------------------------------------------------

    fn ty(&self, v: Value) -> Type {
        self.f.ty(v)
    }
    fn numeric(&self, v: Value) -> Option<(Scalar, u32)> {
        self.m.types.numeric(self.ty(v))
    }
    fn precise(&self) -> bool {
        self.f.is_precise(self.i)
    }
    /// The components of `v` if all are constants.
    fn bits(&self, v: Value) -> Option<Bits> {
        if let Some(bits) = self.f.as_const(v) {
            return Some(SmallVec::from_slice(&[bits]));
        }
        let parts = self.parts(v)?;
        parts.iter().map(|&p| self.f.as_const(p)).collect()
    }
    /// The components of `v` if it is a `construct`.
    fn parts(&self, v: Value) -> Option<&[Value]> {
        match self.f.insts[self.f.def_inst(v)?] {
            InstData::Many { op: Opcode::construct, args, .. } => Some(self.f.get(args)),
            _ => None,
        }
    }
    /// Whether all components of `v` are constants.
    fn is_known(&self, v: Value) -> bool {
        self.f.as_const(v).is_some() || self.parts(v).is_some_and(|parts| parts.iter().all(|&p| self.f.as_const(p).is_some()))
    }
    /// The bits that all components of `v` have.
    fn splat(&self, v: Value) -> Option<u64> {
        if let Some(bits) = self.f.as_const(v) {
            return Some(bits);
        }
        let (&first, rest) = self.parts(v)?.split_first()?;
        let bits = self.f.as_const(first)?;
        rest.iter().all(|&p| self.f.as_const(p) == Some(bits)).then_some(bits)
    }
    /// Whether all components of the float `v` are the number `x` (with the sign of a zero).
    fn is_number(&self, v: Value, x: f64) -> bool {
        match (self.numeric(v), self.splat(v)) {
            (Some((s, _)), Some(bits)) if s.is_float() => bits == eval::from_f64(s, x),
            _ => false,
        }
    }
    /// Whether all components of the integer or boolean `v` are `n`.
    fn is_int(&self, v: Value, n: i64) -> bool {
        match (self.numeric(v), self.splat(v)) {
            (Some((s, _)), Some(bits)) if !s.is_float() => eval::to_i64(s, bits) == n || (s == Scalar::Bool && bits as i64 == n),
            _ => false,
        }
    }
    /// The definition of `v` if it has this opcode.
    fn made_by(&self, v: Value, op: Opcode) -> Option<Inst> {
        self.f.def_inst(v).filter(|&i| self.f.op(i) == op)
    }
    fn unary_arg(&self, v: Value, op: Opcode) -> Option<Value> {
        match self.f.insts[self.made_by(v, op)?] {
            InstData::Unary { arg, .. } => Some(arg),
            _ => None,
        }
    }
    fn binary_args(&self, v: Value, op: Opcode) -> Option<[Value; 2]> {
        match self.f.insts[self.made_by(v, op)?] {
            InstData::Binary { args, .. } => Some(args),
            _ => None,
        }
    }

    // Results -------------------------------------------------------------------------------------

    fn rewrite(&mut self, data: InstData) -> Folded {
        self.f.insts[self.i] = data;
        Folded::Rewritten
    }
    /// The instruction is the constant with these components.
    fn constant(&mut self, ty: Type, bits: &[u64]) -> Folded {
        let Some((s, _)) = self.m.types.numeric(ty) else {
            return Folded::No;
        };
        let scalar = self.m.types.scalar(s);
        let parts: SmallVec<[Value; 4]> = bits.iter().map(|&b| self.f.const_bits(scalar, b)).collect();
        match parts[..] {
            [one] => Folded::Value(one),
            _ => {
                let args = self.f.list(&parts);
                self.rewrite(InstData::Many { op: Opcode::construct, imm: 0, args })
            }
        }
    }
    /// The instruction is `n` in all components.
    fn int(&mut self, n: u64) -> Folded {
        let ty = self.ty(self.f.result(self.i));
        let lanes = self.m.types.numeric(ty).map_or(1, |t| t.1);
        self.constant(ty, &vec![n; lanes as usize])
    }

    /// Computes a component-wise instruction on constants.
    fn compute(&mut self, op: Opcode, args: &[Value]) -> Option<Folded> {
        if !args.iter().all(|&a| self.is_known(a)) {
            return None;
        }
        let result = self.f.result(self.i);
        let (to, lanes) = self.numeric(result)?;
        let from = match op {
            Opcode::select => to,
            _ => self.numeric(args[0])?.0,
        };
        let operands: SmallVec<[Bits; 3]> = args.iter().map(|&a| self.bits(a)).collect::<Option<_>>()?;
        let mut out: Bits = SmallVec::new();
        for n in 0..lanes as usize {
            let lane = |b: &Bits| b.get(n).or(b.first()).copied();
            let bits: SmallVec<[u64; 3]> = operands.iter().map(lane).collect::<Option<_>>()?;
            out.push(eval::in_module(self.m, op, from, to, &bits)?);
        }
        Some(self.constant(self.ty(result), &out))
    }

    /// A load from a constant table at a constant place.
    fn table_load(&mut self) -> Option<Folded> {
        let InstData::Access { place, .. } = self.f.insts[self.i] else {
            return None;
        };
        let Root::Global(g) = self.f.places[place].root else {
            return None;
        };
        let GlobalKind::Table(ty, bits) = &self.m.globals[g].kind else {
            return None;
        };
        let (mut t, mut at) = (*ty, 0);
        for s in &self.f.places[place].steps {
            let Step::At(n) = *s else { return None };
            at += self.scalars_before(t, n);
            t = self.m.part(t, Some(n))?;
        }
        let count = self.m.types.numeric(t)?.1 as usize;
        let bits: Bits = bits.get(at..at + count)?.into();
        Some(self.constant(t, &bits))
    }

    /// How many scalars of `t` come before its part `n`.
    fn scalars_before(&self, t: Type, n: u32) -> usize {
        match self.m.types.kind(t) {
            TypeKind::Array(e, _) => n as usize * self.scalars(e),
            TypeKind::Struct(s) => {
                let before = &self.m.structs[s].fields[..n as usize];
                before.iter().map(|f| self.scalars(f.ty)).sum()
            }
            _ => n as usize,
        }
    }

    fn scalars(&self, t: Type) -> usize {
        match self.m.types.kind(t) {
            TypeKind::Array(e, n) => n as usize * self.scalars(e),
            TypeKind::Struct(s) => {
                let fields = self.m.structs[s].fields.iter();
                fields.map(|f| self.scalars(f.ty)).sum()
            }
            TypeKind::Vector(_, n) => n as usize,
            _ => 1,
        }
    }
}
