//! Expansion of vector geometry: dot and cross products, lengths, reflection.

use rtc_ir::{Opcode as O, Value};
use smallvec::SmallVec;

use crate::lower::call::Call;
use crate::lower::func::FnCx;
use crate::lower::operand::Val;

impl FnCx<'_, '_> {
    /// The sum of products of components.
    pub(super) fn dot(&mut self, a: Value, b: Value) -> Value {
        match (self.lanes(a), self.elem_of(a).is_float()) {
            (1, true) => self.bin(O::fmul, a, b),
            (1, false) => self.bin(O::imul, a, b),
            (_, true) => self.bin(O::dot, a, b),
            (_, false) => {
                let (a, b) = (self.comps(a), self.comps(b));
                self.sum_of_products(&a, &b)
            }
        }
    }

    /// `a0 * b0 + a1 * b1 …` of values of one type.
    pub(super) fn sum_of_products(&mut self, a: &[Value], b: &[Value]) -> Value {
        let float = self.elem_of(a[0]).is_float();
        let (mul, mad) = if float { (O::fmul, O::fmad) } else { (O::imul, O::imad) };
        let mut sum = self.bin(mul, a[0], b[0]);
        for (&x, &y) in a.iter().zip(b).skip(1) {
            sum = self.tern(mad, x, y, sum);
        }
        sum
    }

    fn times(&mut self, v: Value, scalar: Value) -> Value {
        let n = self.lanes(v);
        let s = self.splat(scalar, n);
        self.bin(O::fmul, v, s)
    }

    pub(super) fn cross(&mut self, c: &Call) -> Val {
        let (a, b) = (c.one(0), c.one(1));
        let (ax, bx) = (self.shuffle(a, &[1, 2, 0]), self.shuffle(b, &[2, 0, 1]));
        let (ay, by) = (self.shuffle(a, &[2, 0, 1]), self.shuffle(b, &[1, 2, 0]));
        let (x, y) = (self.bin(O::fmul, ax, bx), self.bin(O::fmul, ay, by));
        Val::One(self.bin(O::fsub, x, y))
    }

    fn length_of(&mut self, v: Value) -> Value {
        let d = self.dot(v, v);
        self.un(O::sqrt, d)
    }

    pub(super) fn distance(&mut self, c: &Call) -> Val {
        let d = self.bin(O::fsub, c.one(0), c.one(1));
        Val::One(self.length_of(d))
    }

    pub(super) fn dot_product(&mut self, c: &Call) -> Val {
        Val::One(self.dot(c.one(0), c.one(1)))
    }

    /// (1, a.y * b.y, a.z, b.w).
    pub(super) fn dst(&mut self, c: &Call) -> Val {
        let (a, b) = (c.one(0), c.one(1));
        let one = {
            let x = self.comp(a, 0);
            self.num(x, 1.0)
        };
        let (ay, by) = (self.comp(a, 1), self.comp(b, 1));
        let op = if self.elem_of(a).is_float() { O::fmul } else { O::imul };
        let y = self.bin(op, ay, by);
        let (z, w) = (self.comp(a, 2), self.comp(b, 3));
        Val::One(self.vector(&[one, y, z, w]))
    }

    /// `n` or `-n`, opposite to `i` with respect to the geometric normal.
    pub(super) fn face_forward(&mut self, c: &Call) -> Val {
        let (n, i, ng) = (c.one(0), c.one(1), c.one(2));
        let d = self.dot(i, ng);
        let zero = self.num(d, 0.0);
        let facing = self.bin(O::flt, d, zero);
        let minus = self.un(O::fneg, n);
        Val::One(self.tern(O::select, facing, n, minus))
    }

    pub(super) fn length(&mut self, c: &Call) -> Val {
        Val::One(self.length_of(c.one(0)))
    }

    pub(super) fn normalize(&mut self, c: &Call) -> Val {
        let v = c.one(0);
        let d = self.dot(v, v);
        let r = self.un(O::rsqrt, d);
        Val::One(self.times(v, r))
    }

    /// `i - 2 * dot(i, n) * n`.
    pub(super) fn reflect(&mut self, c: &Call) -> Val {
        let (i, n) = (c.one(0), c.one(1));
        let d = self.dot(i, n);
        let two = self.num(d, 2.0);
        let d = self.bin(O::fmul, d, two);
        let v = self.times(n, d);
        Val::One(self.bin(O::fsub, i, v))
    }

    /// `ri * i - (ri * d + sqrt(k)) * n` with `k = 1 - ri² (1 - d²)`, `d = dot(n, i)`; 0 if `k` is negative.
    pub(super) fn refract(&mut self, c: &Call) -> Val {
        let (i, n, ri) = (c.one(0), c.one(1), c.one(2));
        let d = self.dot(n, i);
        let one = self.num(d, 1.0);
        let square = self.bin(O::fmul, d, d);
        let rest = self.bin(O::fsub, one, square);
        let ri_square = self.bin(O::fmul, ri, ri);
        let k = self.bin(O::fmul, ri_square, rest);
        let k = self.bin(O::fsub, one, k);
        let root = self.un(O::sqrt, k);
        let a = self.tern(O::fmad, ri, d, root);
        let (along, across) = (self.times(i, ri), self.times(n, a));
        let out = self.bin(O::fsub, along, across);
        let (zero, zeroes) = (self.num(k, 0.0), self.num(out, 0.0));
        let total = self.bin(O::flt, k, zero);
        Val::One(self.tern(O::select, total, zeroes, out))
    }

    /// The rows of a number as vectors of `n` times each component.
    pub(super) fn spread(&mut self, v: Value, n: u32) -> SmallVec<[Value; 4]> {
        self.comps(v).into_iter().map(|x| self.splat(x, n)).collect()
    }
}
