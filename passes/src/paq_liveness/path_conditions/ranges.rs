//! Comparisons of a value with constants: whether those that a path assumes can hold together.

use rtc_ir::Opcode;
use smallvec::SmallVec;

use super::{Expr, ExprId, Lit, PathConditions};

/// How numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Signed,
    Unsigned,
    Float,
}

/// The numbers that a value may be; floating-point numbers by their place in the order of all.
#[derive(Clone, Copy)]
struct Range {
    low: i64,
    high: i64,
    /// It may be no number.
    nan: bool,
}

/// What a comparison says of a value.
enum Says {
    AtLeast(i64),
    AtMost(i64),
    Is(i64),
    IsNot(i64),
}

/// Comparisons are of numbers of 32 bits: of others the order is not known from their bits.
const WIDTH: u32 = 32;
/// The place of infinity.
const INFINITY: i64 = 0x7f80_0000;

impl Order {
    fn all(self) -> Range {
        let (low, high) = match self {
            Order::Signed => (i64::from(i32::MIN), i64::from(i32::MAX)),
            Order::Unsigned => (0, i64::from(u32::MAX)),
            Order::Float => (-INFINITY, INFINITY),
        };
        Range { low, high, nan: self == Order::Float }
    }

    /// The place of a constant.
    fn place(self, bits: u64) -> Option<i64> {
        let bits = bits as u32;
        let size = i64::from(bits & 0x7fff_ffff);
        match self {
            Order::Signed => Some(i64::from(bits as i32)),
            Order::Unsigned => Some(i64::from(bits)),
            Order::Float if size > INFINITY => None,
            Order::Float if bits >> 31 != 0 => Some(-size),
            Order::Float => Some(size),
        }
    }
}

/// A class of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Nan,
    Infinite,
    Finite,
}

impl Range {
    /// The value is of a class, or it is not.
    fn is_of(&mut self, class: Class, holds: bool) {
        self.nan &= matches!((class, holds), (Class::Nan, true) | (Class::Infinite | Class::Finite, false));
        match (class, holds) {
            (Class::Nan, true) => (self.low, self.high) = (0, -1),
            (Class::Nan, false) => {}
            // One of the two infinities, or none of them.
            (Class::Infinite, true) | (Class::Finite, false) => {
                if self.low > -INFINITY {
                    self.low = self.low.max(INFINITY);
                }
                if self.high < INFINITY {
                    self.high = self.high.min(-INFINITY);
                }
            }
            (Class::Infinite, false) | (Class::Finite, true) => {
                (self.low, self.high) = (self.low.max(1 - INFINITY), self.high.min(INFINITY - 1));
            }
        }
    }
}

/// The class that the condition `k` asks of `x`; `x != x` asks whether it is no number.
fn class_of(conds: &PathConditions, k: ExprId, x: ExprId) -> Option<Class> {
    match conds.get(k) {
        Expr::Op(op, _, args) if args[..] == [x] => match op {
            Opcode::isnan => Some(Class::Nan),
            Opcode::isinf => Some(Class::Infinite),
            Opcode::isfinite => Some(Class::Finite),
            _ => None,
        },
        Expr::Op(Opcode::fne, _, args) if args[..] == [x, x] => Some(Class::Nan),
        _ => None,
    }
}

/// Whether all assumptions that are comparisons can hold.
pub(super) fn possible(conds: &PathConditions, lits: &[Lit]) -> bool {
    let mut seen: SmallVec<[ExprId; 4]> = SmallVec::new();
    let operands = lits.iter().flat_map(|l| match conds.get(l.0) {
        Expr::Eq(a, b) => [Some(*a), Some(*b)],
        Expr::Op(_, WIDTH, args) if args.len() == 2 => [Some(args[0]), Some(args[1])],
        Expr::Op(Opcode::isnan | Opcode::isinf | Opcode::isfinite, _, args) => [Some(args[0]), None],
        _ => [None; 2],
    });
    for x in operands.flatten() {
        if conds.constant_of(x).is_some() || seen.contains(&x) {
            continue;
        }
        seen.push(x);
        if [Order::Signed, Order::Unsigned, Order::Float].iter().any(|&o| !has_value(conds, lits, x, o)) {
            return false;
        }
    }
    true
}

/// Whether a value is left for `x`.
fn has_value(conds: &PathConditions, lits: &[Lit], x: ExprId, order: Order) -> bool {
    let mut range = order.all();
    if let (Order::Unsigned, Expr::Op(Opcode::and, _, args)) = (order, conds.get(x))
        && let Some(mask) = args.iter().find_map(|&a| conds.constant_of(a))
    {
        range.high = range.high.min(mask as i64 & range.high);
    }
    // Each exclusion may make room for the next one.
    for _ in 0..=lits.len() {
        for &(k, holds) in lits {
            if order == Order::Float
                && let Some(class) = class_of(conds, k, x)
            {
                range.is_of(class, holds);
                continue;
            }
            match says(conds, k, holds, x, order) {
                Some(Says::AtLeast(n)) => range.low = range.low.max(n),
                Some(Says::AtMost(n)) => range.high = range.high.min(n),
                Some(Says::Is(n)) => (range.low, range.high) = (range.low.max(n), range.high.min(n)),
                Some(Says::IsNot(n)) => {
                    range.low += i64::from(range.low == n);
                    range.high -= i64::from(range.high == n);
                }
                None => continue,
            }
            let differs = matches!(conds.get(k), Expr::Op(Opcode::fne, ..));
            range.nan &= holds == differs;
        }
    }
    range.low <= range.high || range.nan
}

/// What the comparison `k` says of `x`.
fn says(conds: &PathConditions, k: ExprId, holds: bool, x: ExprId, order: Order) -> Option<Says> {
    let (op, a, b) = match *conds.get(k) {
        Expr::Eq(a, b) if order != Order::Float => (Opcode::ieq, a, b),
        Expr::Op(op, WIDTH, ref args) if args.len() == 2 => (op, args[0], args[1]),
        _ => return None,
    };
    let of = match op {
        Opcode::ieq => order,
        Opcode::slt | Opcode::sle => Order::Signed,
        Opcode::ult | Opcode::ule => Order::Unsigned,
        Opcode::feq | Opcode::fne | Opcode::flt | Opcode::fle => Order::Float,
        _ => return None,
    };
    let left = a == x;
    if of != order || !left && b != x {
        return None;
    }
    let n = order.place(conds.constant_of(if left { b } else { a })?)?;
    Some(match (op, holds, left) {
        (Opcode::ieq | Opcode::feq, true, _) | (Opcode::fne, false, _) => Says::Is(n),
        (Opcode::ieq | Opcode::feq, false, _) | (Opcode::fne, true, _) => Says::IsNot(n),
        (Opcode::slt | Opcode::ult | Opcode::flt, true, true) => Says::AtMost(n - 1),
        (Opcode::slt | Opcode::ult | Opcode::flt, true, false) => Says::AtLeast(n + 1),
        (Opcode::slt | Opcode::ult | Opcode::flt, false, true) | (_, true, false) => Says::AtLeast(n),
        (Opcode::slt | Opcode::ult | Opcode::flt, false, false) | (_, true, true) => Says::AtMost(n),
        (_, false, true) => Says::AtLeast(n + 1),
        (_, false, false) => Says::AtMost(n - 1),
    })
}
