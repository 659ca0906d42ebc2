//! Algebraic identities of unary, binary and ternary instructions.

use rtc_ir::{InstData, Opcode, Scalar, Value, eval};

use super::{Fold, Folded};

/// Whether the operands may change places.
pub(crate) fn is_commutative(op: Opcode) -> bool {
    use Opcode as O;
    matches!(
        op,
        O::fadd
            | O::fmul
            | O::iadd
            | O::imul
            | O::and
            | O::or
            | O::xor
            | O::smin
            | O::smax
            | O::umin
            | O::umax
            | O::feq
            | O::fne
            | O::ieq
            | O::ine
            | O::dot
    )
}

/// The comparison that holds exactly when `op` does not; for floats only where that is true of
/// not-a-numbers too.
fn negated(op: Opcode) -> Option<Opcode> {
    use Opcode as O;
    Some(match op {
        O::feq => O::fne,
        O::fne => O::feq,
        O::ieq => O::ine,
        O::ine => O::ieq,
        O::slt => O::sge,
        O::sge => O::slt,
        O::sgt => O::sle,
        O::sle => O::sgt,
        O::ult => O::uge,
        O::uge => O::ult,
        O::ugt => O::ule,
        O::ule => O::ugt,
        _ => return None,
    })
}

impl Fold<'_> {
    pub(super) fn unary(&mut self, op: Opcode, a: Value) -> Folded {
        use Opcode as O;
        if let Some(done) = self.compute(op, &[a]) {
            return done;
        }
        if let Some(done) = self.of_choice(op, &[a]) {
            return done;
        }
        let same_type = self.ty(a) == self.ty(self.f.result(self.i));
        match op {
            O::fneg | O::ineg | O::not => {
                if let Some(inner) = self.unary_arg(a, op) {
                    return Folded::Value(inner);
                }
                // Where the difference is zero, its sign is another one.
                if op == O::fneg
                    && !self.precise()
                    && let Some([x, y]) = self.binary_args(a, O::fsub)
                    && !self.f.def_inst(a).is_some_and(|d| self.f.is_precise(d))
                {
                    return self.rewrite(InstData::Binary { op: O::fsub, args: [y, x] });
                }
                // ~(x + c) is ~c - x.
                if op == O::not
                    && let Some([x, c]) = self.binary_args(a, O::iadd)
                    && let Some(done) = self.inverted_sum(x, c)
                {
                    return done;
                }
                if op == O::not
                    && let Some(i) = self.f.def_inst(a)
                    && let InstData::Binary { op: cmp, args } = self.f.insts[i]
                    && let Some(inverse) = negated(cmp)
                {
                    return self.rewrite(InstData::Binary { op: inverse, args });
                }
            }
            O::fabs => {
                if self.made_by(a, O::fabs).is_some() {
                    return Folded::Value(a);
                }
                if let Some(arg) = self.unary_arg(a, O::fneg) {
                    return self.rewrite(InstData::Unary { op, arg });
                }
            }
            O::saturate | O::floor | O::ceil | O::trunc | O::round_ne => {
                let whole = [O::floor, O::ceil, O::trunc, O::round_ne];
                let already = match op {
                    O::saturate => self.made_by(a, op).is_some(),
                    _ => whole.iter().any(|&w| self.made_by(a, w).is_some()),
                };
                if already {
                    return Folded::Value(a);
                }
            }
            O::fconv if same_type => return Folded::Value(a),
            O::bitcast => {
                if same_type {
                    return Folded::Value(a);
                }
                if let Some(arg) = self.unary_arg(a, O::bitcast) {
                    return self.rewrite(InstData::Unary { op, arg });
                }
            }
            O::sext | O::zext => {
                if let Some(arg) = self.unary_arg(a, op) {
                    return self.rewrite(InstData::Unary { op, arg });
                }
            }
            O::itrunc => {
                for ext in [O::sext, O::zext] {
                    let Some(arg) = self.unary_arg(a, ext) else {
                        continue;
                    };
                    if self.ty(arg) == self.ty(self.f.result(self.i)) {
                        return Folded::Value(arg);
                    }
                }
            }
            _ => {}
        }
        Folded::No
    }

    pub(super) fn binary(&mut self, op: Opcode, [a, b]: [Value; 2]) -> Folded {
        use Opcode as O;
        if op == O::extract_dyn {
            return self.extract_dyn(a, b);
        }
        if let Some(done) = self.compute(op, &[a, b]) {
            return done;
        }
        if op == O::dot
            && let Some(done) = self.dot(a, b)
        {
            return done;
        }
        // Canonical form: constants on the right.
        if is_commutative(op) && self.bits(a).is_some() && self.bits(b).is_none() {
            return self.rewrite(InstData::Binary { op, args: [b, a] });
        }
        if let Some(v) = self.neutral(op, a, b) {
            return Folded::Value(v);
        }
        if let Some(done) = self.of_choice(op, &[a, b]) {
            return done;
        }
        let same = a == b;
        match op {
            O::isub | O::xor if same => return self.int(0),
            O::imul | O::and if self.is_int(b, 0) => return self.int(0),
            O::or if self.is_int(b, -1) => return Folded::Value(b),
            O::ieq | O::sle | O::sge | O::ule | O::uge if same => return self.int(1),
            O::ine | O::slt | O::sgt | O::ult | O::ugt if same => return self.int(0),
            O::urem if self.is_int(b, 1) => return self.int(0),
            O::fadd | O::fsub | O::fmul | O::fdiv if self.is_nan(a) => return Folded::Value(a),
            O::fadd | O::fsub | O::fmul | O::fdiv if self.is_nan(b) => return Folded::Value(b),
            O::ieq | O::ine if self.numeric(a).is_some_and(|n| n.0 == Scalar::Bool) => {
                if self.is_int(b, i64::from(op == O::ieq)) {
                    return Folded::Value(a);
                }
                if self.is_int(b, i64::from(op == O::ine)) {
                    return self.rewrite(InstData::Unary { op: O::not, arg: a });
                }
            }
            O::xor if self.is_int(b, -1) => {
                return self.rewrite(InstData::Unary { op: O::not, arg: a });
            }
            O::imul if self.is_int(b, -1) => {
                return self.rewrite(InstData::Unary { op: O::ineg, arg: a });
            }
            O::fmul | O::fdiv if self.is_number(b, -1.0) => {
                return self.rewrite(InstData::Unary { op: O::fneg, arg: a });
            }
            O::fdiv => {
                if let Some(done) = self.by_power(a, b) {
                    return done;
                }
            }
            O::fadd | O::fsub => {
                // a + -b is a - b, exactly.
                if let Some(arg) = self.unary_arg(b, O::fneg) {
                    let op = if op == O::fadd { O::fsub } else { O::fadd };
                    return self.rewrite(InstData::Binary { op, args: [a, arg] });
                }
            }
            _ => {}
        }
        if let Some(done) = self.integers(op, a, b) {
            return done;
        }
        self.reassociate(op, a, b)
    }

    /// A scalar product of constants: products, and their sums from the first on.
    fn dot(&mut self, a: Value, b: Value) -> Option<Folded> {
        let (scalar, lanes) = self.numeric(a)?;
        let (x, y) = (self.bits(a)?, self.bits(b)?);
        let lane = |bits: &[u64], n: usize| bits.get(n).or(bits.first()).copied();
        let mut sum = None;
        for n in 0..lanes as usize {
            let product = eval::in_module(self.m, Opcode::fmul, scalar, scalar, &[lane(&x, n)?, lane(&y, n)?])?;
            sum = Some(match sum {
                Some(sum) => eval::in_module(self.m, Opcode::fadd, scalar, scalar, &[sum, product])?,
                None => product,
            });
        }
        Some(self.constant(self.ty(self.f.result(self.i)), &[sum?]))
    }

    /// Whether all components of `v` are the same not-a-number.
    fn is_nan(&self, v: Value) -> bool {
        match (self.numeric(v), self.splat(v)) {
            (Some((s, _)), Some(bits)) => s.is_float() && eval::to_f64(s, bits).is_nan(),
            _ => false,
        }
    }

    /// `a` where `a op b` is `a` for every `a`.
    fn neutral(&self, op: Opcode, a: Value, b: Value) -> Option<Value> {
        use Opcode as O;
        let loose = !self.precise();
        let is_a = match op {
            O::iadd | O::isub | O::or | O::xor | O::shl | O::lshr | O::ashr => self.is_int(b, 0),
            O::imul | O::sdiv | O::udiv => self.is_int(b, 1),
            O::and => self.is_int(b, -1) || a == b,
            O::smin | O::smax | O::umin | O::umax | O::fmin | O::fmax => a == b,
            O::fadd => self.is_number(b, -0.0) || (loose && self.is_number(b, 0.0)),
            O::fsub => self.is_number(b, 0.0) || (loose && self.is_number(b, -0.0)),
            O::fmul | O::fdiv => self.is_number(b, 1.0),
            _ => false,
        };
        (is_a || (op == O::or && a == b)).then_some(a)
    }

    /// `x / c` is `x * (1 / c)` for a power of two `c`, exactly: both round the same number.
    fn by_power(&mut self, a: Value, b: Value) -> Option<Folded> {
        let (Some((Scalar::F32, 1)), Some(c)) = (self.numeric(a), self.f.as_const(b)) else {
            return None;
        };
        let factor = eval::reciprocal_of_power(f32::from_bits(c as u32))?;
        let factor = self.f.const_bits(self.ty(b), factor.to_bits().into());
        Some(self.rewrite(InstData::Binary { op: Opcode::fmul, args: [a, factor] }))
    }

    /// `(x * c) * d` is `x * (c * d)` if a factor is a power of two: that rounds as before, unless a product is too large or too small to
    /// be a normal number.
    fn scale(&mut self, a: Value, b: Value) -> Option<Folded> {
        let inner = self.made_by(a, Opcode::fmul)?;
        if self.precise() || self.f.is_precise(inner) {
            return None;
        }
        let [x, c] = self.binary_args(a, Opcode::fmul)?;
        let (Some((Scalar::F32, 1)), Some(c), Some(d)) = (self.numeric(a), self.f.as_const(c), self.f.as_const(b)) else {
            return None;
        };
        let (c, d) = (f32::from_bits(c as u32), f32::from_bits(d as u32));
        let is_power = |x: f32| eval::reciprocal_of_power(x).is_some();
        let product = c * d;
        if !product.is_normal() || !is_power(c) && !is_power(d) {
            return None;
        }
        let both = self.f.const_bits(self.ty(b), product.to_bits().into());
        Some(self.rewrite(InstData::Binary { op: Opcode::fmul, args: [x, both] }))
    }

    /// `(x op c) op d` is `x op (c op d)` for wrapping integers.
    fn reassociate(&mut self, op: Opcode, a: Value, b: Value) -> Folded {
        use Opcode as O;
        if op == O::fmul
            && let Some(done) = self.scale(a, b)
        {
            return done;
        }
        if !matches!(op, O::iadd | O::imul | O::and | O::or | O::xor) {
            return Folded::No;
        }
        let (Some(d), Some([x, c])) = (self.f.as_const(b), self.binary_args(a, op)) else {
            return Folded::No;
        };
        let (Some(c), Some((s, _))) = (self.f.as_const(c), self.numeric(a)) else {
            return Folded::No;
        };
        let Some(bits) = eval::scalar(op, s, s, &[c, d]) else {
            return Folded::No;
        };
        let both = self.f.const_bits(self.ty(b), bits);
        self.rewrite(InstData::Binary { op, args: [x, both] })
    }

    pub(super) fn ternary(&mut self, op: Opcode, [a, b, c]: [Value; 3]) -> Folded {
        use Opcode as O;
        if op == O::insert_dyn {
            return self.insert_dyn(a, b, c);
        }
        if op == O::select {
            return self.select(a, b, c);
        }
        if let Some(done) = self.compute(op, &[a, b, c]) {
            return done;
        }
        match op {
            O::imad if self.is_int(b, 0) => return Folded::Value(c),
            O::imad if self.is_int(b, 1) => {
                let data = InstData::Binary { op: O::iadd, args: [a, c] };
                return self.rewrite(data);
            }
            O::imad if self.is_int(c, 0) => {
                let data = InstData::Binary { op: O::imul, args: [a, b] };
                return self.rewrite(data);
            }
            O::fmad | O::fma if self.is_number(b, 1.0) => {
                let data = InstData::Binary { op: O::fadd, args: [a, c] };
                return self.rewrite(data);
            }
            O::fmad | O::fma | O::imad if self.bits(a).is_some() && self.bits(b).is_none() => {
                let data = InstData::Ternary { op, args: [b, a, c] };
                return self.rewrite(data);
            }
            _ => {}
        }
        Folded::No
    }

    fn select(&mut self, cond: Value, yes: Value, no: Value) -> Folded {
        use Opcode as O;
        if yes == no {
            return Folded::Value(yes);
        }
        if let Some(c) = self.splat(cond) {
            return Folded::Value(if c != 0 { yes } else { no });
        }
        if self.numeric(yes).is_some()
            && let Some(done) = self.compute(O::select, &[cond, yes, no])
        {
            return done;
        }
        if self.f.is_undef(yes) {
            return Folded::Value(no);
        }
        if self.f.is_undef(no) {
            return Folded::Value(yes);
        }
        let bools = self.numeric(yes).is_some_and(|n| n.0 == Scalar::Bool);
        if bools && self.ty(cond) == self.ty(yes) {
            if self.is_int(yes, 1) && self.is_int(no, 0) {
                return Folded::Value(cond);
            }
            if self.is_int(yes, 0) && self.is_int(no, 1) {
                let data = InstData::Unary { op: O::not, arg: cond };
                return self.rewrite(data);
            }
        }
        if let Some(inner) = self.unary_arg(cond, O::not) {
            let data = InstData::Ternary { op: O::select, args: [inner, no, yes] };
            return self.rewrite(data);
        }
        Folded::No
    }
}
