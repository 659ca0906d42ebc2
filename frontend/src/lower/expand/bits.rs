//! Expansion of bit intrinsics: reductions, bit casts, words of 64-bit numbers.

use rtc_ir::{Opcode as O, Scalar as Reg, Type, Value};
use smallvec::SmallVec;

use super::arith::rebuilt;
use crate::hir::Scalar;
use crate::lower::call::Call;
use crate::lower::func::FnCx;
use crate::lower::operand::Val;

impl FnCx<'_, '_> {
    /// All components as booleans, joined by `op`.
    pub(super) fn reduce(&mut self, c: &Call, op: O) -> Val {
        let s = c.scalar(0);
        let mut out: Option<Value> = None;
        for row in c.val(0).rows() {
            let row = self.convert(row, s, Scalar::Bool);
            for v in self.comps(row) {
                out = Some(match out {
                    None => v,
                    Some(before) => self.bin(op, before, v),
                });
            }
        }
        Val::One(out.unwrap_or_else(|| self.func.const_bool(op == O::and)))
    }

    pub(super) fn bitcast(&mut self, c: &Call) -> Val {
        let to = c.ret_scalar().ir();
        self.map(&c.val(0), |cx, v| {
            let from = cx.elem_of(v);
            let ty = cx.like(v, to);
            match cx.func.as_const(v) {
                _ if from == to => v,
                Some(bits) => cx.func.const_bits(ty, bits),
                None => cx.conv(O::bitcast, v, ty),
            }
        })
    }

    pub(super) fn as_double(&mut self, c: &Call) -> Val {
        self.map2(&c.val(0), &c.val(1), |cx, lo, hi| {
            let pairs: SmallVec<[(Value, Value); 4]> = cx.comps(lo).into_iter().zip(cx.comps(hi)).collect();
            let parts: SmallVec<[Value; 4]> = pairs.into_iter().map(|(lo, hi)| cx.bin(O::make_double, lo, hi)).collect();
            cx.vector(&parts)
        })
    }

    pub(super) fn split_double(&mut self, c: &Call) -> Val {
        let x = c.val(0);
        let (mut low, mut high) = (SmallVec::new(), SmallVec::new());
        for row in x.rows() {
            let (mut lo, mut hi) = (SmallVec::<[Value; 4]>::new(), SmallVec::<[Value; 4]>::new());
            for d in self.comps(row) {
                let pair = self.un(O::split_double, d);
                lo.push(self.comp(pair, 0));
                hi.push(self.comp(pair, 1));
            }
            low.push(self.vector(&lo));
            high.push(self.vector(&hi));
        }
        self.give(c, 1, &rebuilt(&x, low));
        self.give(c, 2, &rebuilt(&x, high));
        Val::Void
    }

    pub(super) fn first_bit_high(&mut self, c: &Call) -> Val {
        let op = if c.scalar(0).is_signed() { O::firstbit_shi } else { O::firstbit_hi };
        self.map(&c.val(0), |cx, v| cx.un(op, v))
    }

    /// Sums of absolute differences of bytes, at four offsets; bytes where the reference is 0 do not count.
    pub(super) fn msad4(&mut self, c: &Call) -> Val {
        let (reference, source, sums) = (c.one(0), c.one(1), c.one(2));
        let (low, high) = (self.comp(source, 0), self.comp(source, 1));
        let zero = self.int(0);
        let byte = |cx: &mut Self, v: Value, n: u32| {
            let (width, at) = (cx.int(8), cx.int(8 * n));
            cx.tern(O::ubfe, width, at, v)
        };
        let wanted: SmallVec<[Value; 4]> = (0..4).map(|n| byte(self, reference, n)).collect();
        let mut out = SmallVec::<[Value; 4]>::new();
        for offset in 0..4 {
            let mut window = low;
            if offset > 0 {
                let (down, up) = (self.int(8 * offset), self.int(32 - 8 * offset));
                let a = self.bin(O::lshr, low, down);
                let b = self.bin(O::shl, high, up);
                window = self.bin(O::or, a, b);
            }
            let mut sum = self.comp(sums, offset);
            for (n, &r) in wanted.iter().enumerate() {
                let s = byte(self, window, n as u32);
                let (a, b) = (self.bin(O::isub, r, s), self.bin(O::isub, s, r));
                let d = self.bin(O::smax, a, b);
                let masked = self.bin(O::ieq, r, zero);
                let d = self.tern(O::select, masked, zero, d);
                sum = self.bin(O::iadd, sum, d);
            }
            out.push(sum);
        }
        Val::One(self.vector(&out))
    }

    /// Pairs of words: low, high.
    pub(super) fn add_uint64(&mut self, c: &Call) -> Val {
        let (a, b) = (self.comps(c.one(0)), self.comps(c.one(1)));
        let mut out = SmallVec::<[Value; 4]>::new();
        for n in (0..a.len() & !1).step_by(2) {
            let low = self.bin(O::iadd, a[n], b[n]);
            let carry = self.bin(O::ult, low, a[n]);
            let carry = self.conv(O::zext, carry, Type::I32);
            let high = self.bin(O::iadd, a[n + 1], b[n + 1]);
            out.push(low);
            out.push(self.bin(O::iadd, high, carry));
        }
        if out.len() < a.len() {
            self.error("`AddUint64` requires `uint2` or `uint4`");
            return self.undef_of(c.ret);
        }
        Val::One(self.vector(&out))
    }

    /// Colour components 0 to 1 in the order of D3DCOLOR to bytes.
    pub(super) fn color_to_ubyte4(&mut self, c: &Call) -> Val {
        let v = self.shuffle(c.one(0), &[2, 1, 0, 3]);
        // A little more than 255, so that 1/255 times a byte gives the byte again.
        let k = self.num(v, 255.001_953);
        let v = self.bin(O::fmul, v, k);
        let ty = self.like(v, Reg::I32);
        Val::One(self.conv(O::ftos, v, ty))
    }
}
