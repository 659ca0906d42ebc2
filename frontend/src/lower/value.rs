//! Instructions, constants and components of values, and component-wise arithmetic.

use rtc_ir::{Inst, InstData, Opcode, Scalar as Reg, Type, Value};
use smallvec::SmallVec;

use super::func::FnCx;
use super::operand::{Rows, Val};
use super::types::Shape;
use crate::hir::{BinaryOp, Const, Scalar, UnaryOp};

impl FnCx<'_, '_> {
    // Instructions -----------------------------------------------------------------------------------

    /// One operand.
    #[track_caller]
    pub fn un(&mut self, op: Opcode, a: Value) -> Value {
        self.b().unary(op, a)
    }
    /// Two operands.
    #[track_caller]
    pub fn bin(&mut self, op: Opcode, a: Value, b: Value) -> Value {
        self.b().binary(op, a, b)
    }
    /// Three operands.
    #[track_caller]
    pub fn tern(&mut self, op: Opcode, a: Value, b: Value, c: Value) -> Value {
        self.b().ternary(op, a, b, c)
    }
    /// A conversion.
    pub fn conv(&mut self, op: Opcode, a: Value, to: Type) -> Value {
        self.b().convert(op, a, to)
    }
    /// The type of a value.
    pub fn ty_of(&self, v: Value) -> Type {
        self.func.ty(v)
    }
    /// How many components a value has.
    pub fn lanes(&self, v: Value) -> u32 {
        self.l.out.types.numeric(self.func.ty(v)).map_or(1, |n| n.1)
    }
    /// The component type of a value.
    pub fn elem_of(&self, v: Value) -> Reg {
        self.l.out.types.numeric(self.func.ty(v)).map_or(Reg::I32, |n| n.0)
    }

    /// The number `x` in every component of the type of `like`.
    pub fn num(&mut self, like: Value, x: f64) -> Value {
        let (s, n) = (self.elem_of(like), self.lanes(like));
        let v = self.number(s, x);
        self.splat(v, n)
    }
    /// The scalar constant `x`.
    pub fn number(&mut self, s: Reg, x: f64) -> Value {
        self.func.const_number(&self.l.out.types, s, x)
    }
    /// An integer constant of 32 bits.
    pub fn int(&mut self, n: u32) -> Value {
        self.func.const_u32(n)
    }
    /// The scalar in `n` components.
    pub fn splat(&mut self, v: Value, n: u32) -> Value {
        if n <= 1 { v } else { self.b().splat(v, n) }
    }
    /// A constant of the tree.
    pub fn constant(&mut self, s: Scalar, bits: u64) -> Value {
        let ty = self.l.out.types.scalar(s.ir());
        self.func.const_bits(ty, bits)
    }
    /// Any value of the type.
    pub fn undef(&mut self, ty: Type) -> Value {
        self.func.undef(ty)
    }

    /// Component `n`; the operand if the vector is a `construct`.
    pub fn comp(&mut self, v: Value, n: u32) -> Value {
        if self.lanes(v) == 1 {
            return v;
        }
        if let Some(parts) = self.parts_of(v) {
            return parts[n as usize];
        }
        self.b().extract(v, n)
    }
    /// The operands of the `construct` that defines `v`.
    fn parts_of(&self, v: Value) -> Option<SmallVec<[Value; 4]>> {
        let i: Inst = self.func.def_inst(v)?;
        match self.func.insts[i] {
            InstData::Many { op: Opcode::construct, args, .. } => Some(SmallVec::from_slice(self.func.get(args))),
            _ => None,
        }
    }
    /// All components.
    pub fn comps(&mut self, v: Value) -> SmallVec<[Value; 4]> {
        (0..self.lanes(v)).map(|n| self.comp(v, n)).collect()
    }
    /// The vector of `parts`, or the one part.
    pub fn vector(&mut self, parts: &[Value]) -> Value {
        self.b().construct(parts)
    }
    /// Some components in some order.
    pub fn shuffle(&mut self, v: Value, which: &[u8]) -> Value {
        let n = self.lanes(v);
        if which.len() as u32 == n && which.iter().enumerate().all(|(i, &c)| i == c as usize) {
            return v;
        }
        let parts: SmallVec<[Value; 4]> = which.iter().map(|&c| self.comp(v, u32::from(c).min(n - 1))).collect();
        self.vector(&parts)
    }
    /// Component by a value.
    pub fn comp_dyn(&mut self, v: Value, n: Value) -> Value {
        if self.lanes(v) == 1 {
            return v;
        }
        match self.func.as_const(n) {
            Some(k) if k < u64::from(self.lanes(v)) => self.comp(v, k as u32),
            _ => self.bin(Opcode::extract_dyn, v, n),
        }
    }
    /// The transpose: columns of a matrix given by rows.
    pub fn transpose(&mut self, rows: &[Value]) -> Rows {
        let n = rows.first().map_or(0, |&r| self.lanes(r));
        (0..n)
            .map(|c| {
                let parts: SmallVec<[Value; 4]> = rows.iter().map(|&r| self.comp(r, c)).collect();
                self.vector(&parts)
            })
            .collect()
    }

    // Component-wise -----------------------------------------------------------------------------------

    /// `f` on each row.
    pub fn map(&mut self, a: &Val, mut f: impl FnMut(&mut Self, Value) -> Value) -> Val {
        match a {
            Val::One(v) => Val::One(f(self, *v)),
            _ => Val::Rows(a.rows().into_iter().map(|v| f(self, v)).collect()),
        }
    }
    /// `f` on each pair of rows.
    pub fn map2(&mut self, a: &Val, b: &Val, mut f: impl FnMut(&mut Self, Value, Value) -> Value) -> Val {
        match (a, b) {
            (Val::One(x), Val::One(y)) => Val::One(f(self, *x, *y)),
            _ => Val::Rows(a.rows().into_iter().zip(b.rows()).map(|(x, y)| f(self, x, y)).collect()),
        }
    }
    /// `f` on each three rows.
    pub fn map3(&mut self, a: &Val, b: &Val, c: &Val, mut f: impl FnMut(&mut Self, Value, Value, Value) -> Value) -> Val {
        if let (Val::One(x), Val::One(y), Val::One(z)) = (a, b, c) {
            return Val::One(f(self, *x, *y, *z));
        }
        let all = a.rows().into_iter().zip(b.rows()).zip(c.rows());
        Val::Rows(all.map(|((x, y), z)| f(self, x, y, z)).collect())
    }

    /// A component-wise operator on components of type `s`.
    pub fn binary(&mut self, op: BinaryOp, s: Scalar, a: Value, b: Value) -> Value {
        self.bin(op.opcode(s), a, b)
    }

    /// A component-wise operator with one operand.
    pub fn unary(&mut self, op: UnaryOp, s: Scalar, a: Value) -> Value {
        self.un(op.opcode(s), a)
    }

    /// Converts components of type `from` to type `to`, as the language converts.
    pub fn convert(&mut self, v: Value, from: Scalar, to: Scalar) -> Value {
        let (a, b) = (from.ir(), to.ir());
        let n = self.lanes(v);
        if a == b {
            return v;
        }
        if n == 1
            && let Some(bits) = self.func.as_const(v)
        {
            let c = Const { scalar: from, bits };
            if let Some(new) = c.convert_under(self.l.out.denormal_mode(), to) {
                return self.constant(to, new.bits);
            }
        }
        let ty = self.l.out.types.vector(b, n);
        match (a, b) {
            (_, Reg::Bool) => {
                let zero = self.num(v, 0.0);
                self.bin(if a.is_float() { Opcode::fne } else { Opcode::ine }, v, zero)
            }
            (Reg::Bool, _) if b.is_float() => {
                let int = self.l.out.types.vector(Reg::I32, n);
                let v = self.conv(Opcode::zext, v, int);
                self.conv(Opcode::utof, v, ty)
            }
            (Reg::Bool, _) => self.conv(Opcode::zext, v, ty),
            _ if a.is_float() && b.is_float() => self.conv(Opcode::fconv, v, ty),
            _ if a.is_float() => self.conv(if to.is_signed() { Opcode::ftos } else { Opcode::ftou }, v, ty),
            _ if b.is_float() => self.conv(if from.is_signed() { Opcode::stof } else { Opcode::utof }, v, ty),
            _ if b.bits() < a.bits() => self.conv(Opcode::itrunc, v, ty),
            _ => self.conv(if from.is_signed() { Opcode::sext } else { Opcode::zext }, v, ty),
        }
    }

    /// A value of shape `shape` with every component undefined.
    pub fn undef_of(&mut self, shape: Shape) -> Val {
        match shape {
            Shape::Vec(s, n) => {
                let ty = self.l.vec_ty(s, n);
                Val::One(self.undef(ty))
            }
            Shape::Mat { scalar, rows, cols, .. } => {
                let ty = self.l.vec_ty(scalar, cols);
                let v = self.undef(ty);
                Val::Rows(SmallVec::from_elem(v, rows as usize))
            }
            Shape::Other(t) => {
                let ty = self.l.ty(t);
                if self.l.out.types.is_value(ty) {
                    return Val::One(self.undef(ty));
                }
                Val::Agg(self.temp(shape))
            }
        }
    }
}
