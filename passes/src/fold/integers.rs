//! Rules of integers and booleans beyond neutral elements: what is undone, comparisons with the ends of a type, masks that say all, divisions by powers
//! of two; and operations on a choice between constants, which are a choice between results.

use rtc_ir::{InstData, Opcode, Scalar, Value, eval};
use smallvec::SmallVec;

use super::{Fold, Folded};

/// So many instructions are looked at for what bits a number has.
const MAX_DEPTH: u32 = 4;

impl Fold<'_> {
    /// `a op b` for integers and booleans.
    pub(super) fn integers(&mut self, op: Opcode, a: Value, b: Value) -> Option<Folded> {
        let (s, lanes) = self.numeric(a)?;
        if s.is_float() {
            return None;
        }
        if let Some(v) = self.undone(op, a, b) {
            return Some(Folded::Value(v));
        }
        if let Some(holds) = self.at_an_end(op, s, a, b) {
            return Some(self.int(u64::from(holds)));
        }
        match (op, self.f.as_const(b)) {
            (_, None) => self.negated_operand(op, a, b),
            // Numbers of minimum precision may be wider than they say.
            (_, Some(c)) if lanes == 1 && s != Scalar::Bool && (s != Scalar::I16 || self.m.native_16bit) => {
                self.with_constant(op, s, a, b, c)
            }
            _ => None,
        }
    }

    /// Whether a comparison holds because a side is the smallest or the greatest number there is.
    fn at_an_end(&self, op: Opcode, s: Scalar, a: Value, b: Value) -> Option<bool> {
        use Opcode as O;
        let signed = matches!(op, O::slt | O::sle | O::sgt | O::sge);
        let unused = 64 - s.bits();
        let (least, most) = if signed { (i64::MIN >> unused, i64::MAX >> unused) } else { (0, -1) };
        // Numbers of minimum precision may be wider than they say, but not below 0 without a sign.
        let exact = s != Scalar::I16 || self.m.native_16bit;
        let smallest = |v: Value| (exact || !signed) && self.is_int(v, least);
        let greatest = |v: Value| exact && self.is_int(v, most);
        match op {
            O::ult | O::slt if smallest(b) || greatest(a) => Some(false),
            O::ugt | O::sgt if smallest(a) || greatest(b) => Some(false),
            O::uge | O::sge if smallest(b) || greatest(a) => Some(true),
            O::ule | O::sle if smallest(a) || greatest(b) => Some(true),
            _ => None,
        }
    }

    /// An operand of which `a op b` leaves nothing but the value.
    fn undone(&self, op: Opcode, a: Value, b: Value) -> Option<Value> {
        use Opcode as O;
        // What is left of `pair` without `v`.
        let other = |pair: Option<[Value; 2]>, v: Value| match pair {
            Some([x, y]) if y == v => Some(x),
            Some([x, y]) if x == v => Some(y),
            _ => None,
        };
        // The minuend of the difference `d` whose subtrahend is `v`.
        let minuend = |d: Value, v: Value| self.binary_args(d, O::isub).filter(|p| p[1] == v).map(|p| p[0]);
        match op {
            O::xor => other(self.binary_args(a, op), b).or_else(|| other(self.binary_args(b, op), a)),
            O::iadd => minuend(a, b).or_else(|| minuend(b, a)),
            O::isub => {
                let subtrahend = self.binary_args(b, O::isub).filter(|p| p[0] == a).map(|p| p[1]);
                other(self.binary_args(a, O::iadd), b).or(subtrahend)
            }
            O::and | O::or => {
                let inverse = if op == O::and { O::or } else { O::and };
                let absorbs = |x: Value, y: Value| other(self.binary_args(y, inverse), x).map(|_| x);
                absorbs(a, b).or_else(|| absorbs(b, a))
            }
            _ => None,
        }
    }

    /// `~(x + c)` is `~c - x`, the negation of `x` if `c` is -1.
    pub(super) fn inverted_sum(&mut self, x: Value, c: Value) -> Option<Folded> {
        if self.is_int(c, -1) {
            return Some(self.rewrite(InstData::Unary { op: Opcode::ineg, arg: x }));
        }
        let ((s, 1), n) = (self.numeric(x)?, self.f.as_const(c)?) else {
            return None;
        };
        let inverse = self.f.const_bits(self.ty(c), eval::scalar(Opcode::not, s, s, &[n])?);
        Some(self.rewrite(InstData::Binary { op: Opcode::isub, args: [inverse, x] }))
    }

    /// `a + -b` is `a - b`, and `a - -b` is `a + b`.
    fn negated_operand(&mut self, op: Opcode, a: Value, b: Value) -> Option<Folded> {
        use Opcode as O;
        let inverse = match op {
            O::iadd => O::isub,
            O::isub => O::iadd,
            _ => return None,
        };
        if let Some(x) = self.unary_arg(b, O::ineg) {
            return Some(self.rewrite(InstData::Binary { op: inverse, args: [a, x] }));
        }
        let x = self.unary_arg(a, O::ineg).filter(|_| op == O::iadd)?;
        Some(self.rewrite(InstData::Binary { op: O::isub, args: [b, x] }))
    }

    /// `a op c` of single integers, where `b` is the constant.
    fn with_constant(&mut self, op: Opcode, s: Scalar, a: Value, b: Value, c: u64) -> Option<Folded> {
        use Opcode as O;
        let all = u64::MAX >> (64 - s.bits());
        let constant = |f: &mut Self, n: u64| f.f.const_bits(f.ty(b), n & all);
        let masked = |f: &Self, by: O| {
            let [x, n] = f.binary_args(a, by)?;
            Some((x, f.f.as_const(n)?))
        };
        match op {
            // One form for all, so that constants meet.
            O::isub => {
                let negative = constant(self, c.wrapping_neg());
                Some(self.rewrite(InstData::Binary { op: O::iadd, args: [a, negative] }))
            }
            O::udiv if c.is_power_of_two() => {
                let by = constant(self, c.trailing_zeros().into());
                Some(self.rewrite(InstData::Binary { op: O::lshr, args: [a, by] }))
            }
            O::urem if c.is_power_of_two() => {
                let rest = constant(self, c - 1);
                Some(self.rewrite(InstData::Binary { op: O::and, args: [a, rest] }))
            }
            O::and => {
                if masked(self, O::or).is_some_and(|(_, n)| n & c == c) {
                    return Some(Folded::Value(b));
                }
                if self.possible(a, 0) & !c == 0 {
                    return Some(Folded::Value(a));
                }
                let x = self.part_in(a, c)?;
                Some(self.rewrite(InstData::Binary { op, args: [x, b] }))
            }
            O::lshr if c < u64::from(s.bits()) => {
                let x = self.part_in(a, all << c & all)?;
                Some(self.rewrite(InstData::Binary { op, args: [x, b] }))
            }
            // The bits of `c` are set, and exchanged again.
            O::xor if masked(self, O::or).is_some_and(|(_, n)| n == c) => {
                let [x, _] = self.binary_args(a, O::or)?;
                let rest = constant(self, !c);
                Some(self.rewrite(InstData::Binary { op: O::and, args: [x, rest] }))
            }
            O::or => match masked(self, O::and) {
                Some((_, n)) if n & !c == 0 => Some(Folded::Value(b)),
                Some((x, n)) if (n | c) & all == all => Some(self.rewrite(InstData::Binary { op, args: [x, b] })),
                _ => None,
            },
            _ => None,
        }
    }

    /// The operand of the combination `v` that has all of its bits in `mask`, so that the other does not matter there.
    fn part_in(&self, v: Value, mask: u64) -> Option<Value> {
        let [x, y] = self.binary_args(v, Opcode::or).or_else(|| self.binary_args(v, Opcode::xor))?;
        match () {
            () if self.possible(y, 0) & mask == 0 => Some(x),
            () if self.possible(x, 0) & mask == 0 => Some(y),
            () => None,
        }
    }

    /// The bits that may be set in the integer `v`, as far as the last instructions say.
    fn possible(&self, v: Value, depth: u32) -> u64 {
        use Opcode as O;
        let Some((s, 1)) = self.numeric(v) else { return u64::MAX };
        let all = u64::MAX >> (64 - s.bits());
        if let Some(n) = self.f.as_const(v) {
            return n & all;
        }
        let data = self.f.def_inst(v).filter(|_| depth < MAX_DEPTH).map(|i| self.f.insts[i]);
        let of = |v| self.possible(v, depth + 1);
        let distance = |v| self.f.as_const(v).map(|n| (n % u64::from(s.bits())) as u32);
        match data {
            Some(InstData::Binary { op: O::and, args: [a, b] }) => of(a) & of(b),
            Some(InstData::Binary { op: O::or | O::xor, args: [a, b] }) => of(a) | of(b),
            Some(InstData::Binary { op: O::shl, args: [a, b] }) => distance(b).map_or(all, |n| of(a) << n & all),
            Some(InstData::Binary { op: O::lshr, args: [a, b] }) => distance(b).map_or(all, |n| of(a) >> n),
            Some(InstData::Ternary { op: O::select, args: [_, a, b] }) => of(a) | of(b),
            _ => all,
        }
    }

    /// A component-wise operation on a choice between constants, with constants as its other operands.
    pub(super) fn of_choice(&mut self, op: Opcode, args: &[Value]) -> Option<Folded> {
        let mut choice = None;
        for (n, &v) in args.iter().enumerate() {
            if self.f.as_const(v).is_some() {
                continue;
            }
            let InstData::Ternary { op: Opcode::select, args: [cond, yes, no] } = self.f.insts[self.f.def_inst(v)?] else {
                return None;
            };
            if choice.replace((n, cond, self.f.as_const(yes)?, self.f.as_const(no)?)).is_some() {
                return None;
            }
        }
        let (at, cond, yes, no) = choice?;
        let result = self.f.result(self.i);
        let ((to, 1), (from, 1)) = (self.numeric(result)?, self.numeric(args[0])?) else {
            return None;
        };
        let both = [yes, no].map(|chosen| {
            let bits: Option<SmallVec<[u64; 3]>> =
                args.iter().enumerate().map(|(n, &v)| if n == at { Some(chosen) } else { self.f.as_const(v) }).collect();
            eval::in_module(self.m, op, from, to, &bits?)
        });
        let [Some(yes), Some(no)] = both else { return None };
        let ty = self.ty(result);
        let [yes, no] = [yes, no].map(|bits| self.f.const_bits(ty, bits));
        Some(self.rewrite(InstData::Ternary { op: Opcode::select, args: [cond, yes, no] }))
    }
}
