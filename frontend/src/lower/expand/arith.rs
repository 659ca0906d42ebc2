//! Expansion of component-wise arithmetic intrinsics.

use rtc_ir::{Opcode as O, Scalar as Reg, Type, Value};
use smallvec::SmallVec;

use crate::hir::Scalar;
use crate::lower::call::Call;
use crate::lower::func::FnCx;
use crate::lower::operand::Val;
use crate::lower::types::Shape;

impl FnCx<'_, '_> {
    pub(super) fn abs(&mut self, c: &Call) -> Val {
        let s = c.scalar(0);
        self.map(&c.val(0), |cx, v| match s {
            _ if s.is_float() => cx.un(O::fabs, v),
            _ if s.is_signed() => {
                let minus = cx.un(O::ineg, v);
                cx.bin(O::smax, v, minus)
            }
            _ => v,
        })
    }

    /// `atan(y / x)`, corrected for the quadrant by the signs.
    pub(super) fn atan2(&mut self, c: &Call) -> Val {
        use std::f64::consts::{FRAC_PI_2, PI};
        self.map2(&c.val(0), &c.val(1), |cx, y, x| {
            let q = cx.bin(O::fdiv, y, x);
            let a = cx.un(O::atan, q);
            let (zero, pi, half) = (cx.num(x, 0.0), cx.num(x, PI), cx.num(x, FRAC_PI_2));
            let minus_half = cx.num(x, -FRAC_PI_2);
            let (more, less) = (cx.bin(O::fadd, a, pi), cx.bin(O::fsub, a, pi));
            let (x_neg, x_zero) = (cx.bin(O::flt, x, zero), cx.bin(O::feq, x, zero));
            let (y_pos, y_neg) = (cx.bin(O::fge, y, zero), cx.bin(O::flt, y, zero));
            let mut out = a;
            for (p, q, value) in [(x_neg, y_pos, more), (x_neg, y_neg, less), (x_zero, y_neg, minus_half), (x_zero, y_pos, half)] {
                let both = cx.bin(O::and, p, q);
                out = cx.tern(O::select, both, value, out);
            }
            out
        })
    }

    pub(super) fn clamp(&mut self, c: &Call) -> Val {
        let s = c.scalar(0);
        let (min, max) = match s {
            _ if s.is_float() => (O::fmin, O::fmax),
            _ if s.is_signed() => (O::smin, O::smax),
            _ => (O::umin, O::umax),
        };
        self.map3(&c.val(0), &c.val(1), &c.val(2), |cx, x, lo, hi| {
            let x = cx.bin(max, x, lo);
            cx.bin(min, x, hi)
        })
    }

    pub(super) fn scaled(&mut self, c: &Call, by: f64) -> Val {
        self.map(&c.val(0), |cx, v| {
            let by = cx.num(v, by);
            cx.bin(O::fmul, v, by)
        })
    }

    pub(super) fn exp(&mut self, c: &Call) -> Val {
        self.map(&c.val(0), |cx, v| {
            let k = cx.num(v, std::f64::consts::LOG2_E);
            let x = cx.bin(O::fmul, v, k);
            cx.un(O::exp2, x)
        })
    }

    pub(super) fn log(&mut self, c: &Call, of_two: f64) -> Val {
        self.map(&c.val(0), |cx, v| {
            let x = cx.un(O::log2, v);
            let k = cx.num(v, of_two);
            cx.bin(O::fmul, x, k)
        })
    }

    /// Mantissa in [0.5, 1) without the sign of `x`, and the exponent as a float; both 0 for 0.
    pub(super) fn frexp(&mut self, c: &Call) -> Val {
        let mut exponents = SmallVec::<[Value; 4]>::new();
        let x = c.val(0);
        let out = self.map(&x, |cx, x| {
            let n = cx.lanes(x);
            let int = cx.l.out.types.vector(Reg::I32, n);
            let float = cx.ty_of(x);
            let zero = cx.num(x, 0.0);
            let some = cx.bin(O::fne, x, zero);
            let mask = cx.conv(O::sext, some, int);
            let bits = cx.conv(O::bitcast, x, int);
            let konst = |cx: &mut Self, k: u32| {
                let k = cx.int(k);
                cx.splat(k, n)
            };
            let (field, bias, shift) = (konst(cx, 0x7f80_0000), konst(cx, 0x3f00_0000), konst(cx, 23));
            let e = cx.bin(O::and, bits, field);
            let e = cx.bin(O::isub, e, bias);
            let e = cx.bin(O::and, e, mask);
            let e = cx.bin(O::ashr, e, shift);
            exponents.push(cx.conv(O::stof, e, float));
            let keep = konst(cx, 0x007f_ffff);
            let m = cx.bin(O::and, bits, keep);
            let m = cx.bin(O::or, m, bias);
            let m = cx.bin(O::and, m, mask);
            cx.conv(O::bitcast, m, float)
        });
        let exponents = rebuilt(&x, exponents);
        self.give(c, 1, &exponents);
        out
    }

    pub(super) fn ldexp(&mut self, c: &Call) -> Val {
        self.map2(&c.val(0), &c.val(1), |cx, x, e| {
            let p = cx.un(O::exp2, e);
            cx.bin(O::fmul, x, p)
        })
    }

    pub(super) fn lerp(&mut self, c: &Call) -> Val {
        self.map3(&c.val(0), &c.val(1), &c.val(2), |cx, a, b, s| {
            let d = cx.bin(O::fsub, b, a);
            let d = cx.bin(O::fmul, s, d);
            cx.bin(O::fadd, a, d)
        })
    }

    /// Ambient, diffuse, specular, 1.
    pub(super) fn lit(&mut self, c: &Call) -> Val {
        let (l, h, m) = (c.one(0), c.one(1), c.one(2));
        let (zero, one) = (self.num(l, 0.0), self.num(l, 1.0));
        let diffuse = self.bin(O::fmax, l, zero);
        let (l_neg, h_neg) = (self.bin(O::flt, l, zero), self.bin(O::flt, h, zero));
        let dark = self.bin(O::or, l_neg, h_neg);
        let p = self.power(h, m);
        let specular = self.tern(O::select, dark, zero, p);
        Val::One(self.vector(&[one, diffuse, specular, one]))
    }

    pub(super) fn modf(&mut self, c: &Call) -> Val {
        let x = c.val(0);
        let whole = self.map(&x, |cx, v| cx.un(O::trunc, v));
        let rest = self.map2(&x, &whole, |cx, v, w| cx.bin(O::fsub, v, w));
        self.give(c, 1, &whole);
        rest
    }

    fn power(&mut self, x: Value, y: Value) -> Value {
        let l = self.un(O::log2, x);
        let l = self.bin(O::fmul, l, y);
        self.un(O::exp2, l)
    }

    /// What it becomes depends on the exponent, which may be known only when functions are inlined.
    pub(super) fn pow(&mut self, c: &Call) -> Val {
        // As many as three instructions are worth that replace them, and two more for each further component.
        let components = match c.ret {
            Shape::Vec(_, n) => n,
            Shape::Mat { rows, cols, .. } => rows * cols,
            Shape::Other(_) => 1,
        };
        let products = if self.l.whole_powers { 2 * components + 1 } else { 0 };
        self.map2(&c.val(0), &c.val(1), |cx, x, y| {
            let ty = cx.ty_of(x);
            cx.b().many_value(O::power, products, &[x, y], ty)
        })
    }

    pub(super) fn rcp(&mut self, c: &Call) -> Val {
        self.map(&c.val(0), |cx, v| {
            let one = cx.num(v, 1.0);
            cx.bin(O::fdiv, one, v)
        })
    }

    /// -1, 0 or 1 as `int`.
    pub(super) fn sign(&mut self, c: &Call) -> Val {
        let s = c.scalar(0);
        self.map(&c.val(0), |cx, v| {
            let zero = cx.num(v, 0.0);
            let op = match s {
                _ if s.is_float() => O::flt,
                _ if s.is_signed() => O::slt,
                _ => O::ult,
            };
            let up = cx.bin(op, zero, v);
            let up = cx.convert(up, Scalar::Bool, Scalar::Int);
            if !s.is_float() && !s.is_signed() {
                return up;
            }
            let down = cx.bin(op, v, zero);
            let down = cx.convert(down, Scalar::Bool, Scalar::Int);
            cx.bin(O::isub, up, down)
        })
    }

    pub(super) fn sin_cos(&mut self, c: &Call) -> Val {
        let x = c.val(0);
        let sin = self.map(&x, |cx, v| cx.un(O::sin, v));
        let cos = self.map(&x, |cx, v| cx.un(O::cos, v));
        self.give(c, 1, &sin);
        self.give(c, 2, &cos);
        Val::Void
    }

    pub(super) fn smooth_step(&mut self, c: &Call) -> Val {
        self.map3(&c.val(0), &c.val(1), &c.val(2), |cx, a, b, x| {
            let up = cx.bin(O::fsub, x, a);
            let span = cx.bin(O::fsub, b, a);
            let t = cx.bin(O::fdiv, up, span);
            let t = cx.un(O::saturate, t);
            let (two, three) = (cx.num(x, 2.0), cx.num(x, 3.0));
            let slope = cx.bin(O::fmul, two, t);
            let slope = cx.bin(O::fsub, three, slope);
            let square = cx.bin(O::fmul, t, t);
            cx.bin(O::fmul, square, slope)
        })
    }

    pub(super) fn step(&mut self, c: &Call) -> Val {
        self.map2(&c.val(0), &c.val(1), |cx, a, x| {
            let (zero, one) = (cx.num(x, 0.0), cx.num(x, 1.0));
            let below = cx.bin(O::flt, x, a);
            cx.tern(O::select, below, zero, one)
        })
    }

    /// A type of as many components as `v`.
    pub(super) fn like(&mut self, v: Value, s: Reg) -> Type {
        let n = self.lanes(v);
        self.l.out.types.vector(s, n)
    }
}

/// Values, one for each row of `x`, as a number of the shape of `x`.
pub(super) fn rebuilt(x: &Val, rows: SmallVec<[Value; 4]>) -> Val {
    match x {
        Val::One(_) => Val::One(rows[0]),
        _ => Val::Rows(rows),
    }
}
