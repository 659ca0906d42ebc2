//! Conversion ranking: the cost of an implicit conversion, which orders overloads.
//!
//! A conversion has two steps: from the argument's type to the common type (the type of an operation on both), and from there to
//! the parameter's type. Each step is an identity, a promotion, a change of sign, or a cast; together with splatting and
//! truncation these are the *aspects* of a conversion. Each aspect counts in a digit of its own, so one worse aspect outweighs
//! any number of lesser ones. The costs of all arguments are added. Equal costs are ambiguous.

use crate::hir::Scalar;

/// The cost of a conversion; smaller is better.
pub type Cost = u64;

/// One unit of each aspect, from best to worst. Seven bits each: no call has enough arguments to carry into the next.
pub mod aspect {
    /// A tie-breaker.
    pub const LEAST: u64 = 1;
    /// A component is splatted.
    pub const SPLAT: u64 = 1 << 2;
    /// The parameter is wider than the common type.
    pub const WIDER_THAN_COMMON: u64 = 1 << 9;
    /// The common type is wider than the argument.
    pub const WIDER_THAN_ARGUMENT: u64 = 1 << 16;
    /// The parameter has another sign than the common type.
    pub const SIGN_FROM_COMMON: u64 = 1 << 23;
    /// The common type has another sign than the argument.
    pub const SIGN_OF_ARGUMENT: u64 = 1 << 30;
    /// The step from the common type to the parameter is a cast.
    pub const CAST_FROM_COMMON: u64 = 1 << 37;
    /// The step from the argument to the common type is a cast.
    pub const CAST_OF_ARGUMENT: u64 = 1 << 44;
    /// Components are truncated.
    pub const TRUNCATION: u64 = 1 << 51;
}

/// The relation of one component type to another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Same,
    /// The same sort of number with more bits.
    Promotion,
    /// The same width, the other sign.
    Sign,
    Cast,
}

/// The step from `from` to `to`.
fn step(to: Scalar, from: Scalar) -> Step {
    use Scalar::*;
    let (to, from) = (to.named(), from.named());
    let packed = |s| matches!(s, Int8x4 | Uint8x4);
    if from == to {
        return Step::Same;
    }
    if packed(from) || packed(to) || from == Bool || to == Bool {
        return Step::Cast;
    }
    if from.is_literal() || to.is_literal() {
        // A literal is a number of any width of its sort; minimum-precision types are excluded.
        let fits = from.is_float() == to.is_float() && !from.is_min_precision() && !to.is_min_precision();
        return if fits { Step::Same } else { Step::Cast };
    }
    if from.is_float() != to.is_float() {
        return Step::Cast;
    }
    if from.is_min_precision() || to.is_min_precision() {
        return if min_precision_widens(to, from) { Step::Promotion } else { Step::Cast };
    }
    match width(to).cmp(&width(from)) {
        std::cmp::Ordering::Greater => Step::Promotion,
        std::cmp::Ordering::Less => Step::Cast,
        std::cmp::Ordering::Equal => Step::Sign,
    }
}

/// Whether `to` is a wider type than the minimum-precision type `from`, of the same signedness.
fn min_precision_widens(to: Scalar, from: Scalar) -> bool {
    use Scalar::*;
    match from {
        Min10Float => to != Min10Float,
        Min16Float => to != Min10Float,
        Min12Int => matches!(to, Min16Int | Int | Int64),
        Min16Int => matches!(to, Int | Int64),
        Min16Uint => matches!(to, Uint | Uint64),
        _ => false,
    }
}

/// The order of the types of one class by width.
fn width(s: Scalar) -> u32 {
    use Scalar::*;
    match s.named() {
        Bool | LitInt | LitFloat => 0,
        Min10Float => 10,
        Min12Int => 12,
        Min16Float | Min16Int | Min16Uint | Float16 | Int16 | Uint16 => 16,
        Half => 31,
        Int | Uint | Float | Int8x4 | Uint8x4 => 32,
        _ => 64,
    }
}

/// The cost of converting components.
pub fn component_cost(from: Scalar, to: Scalar) -> Cost {
    if from == to {
        return 0;
    }
    let common = common(to, from);
    let of_parameter = match step(to, common) {
        Step::Same => 0,
        Step::Promotion => aspect::WIDER_THAN_COMMON,
        Step::Sign => aspect::SIGN_FROM_COMMON,
        Step::Cast => aspect::CAST_FROM_COMMON,
    };
    let of_argument = match step(common, from) {
        Step::Same => 0,
        Step::Promotion => aspect::WIDER_THAN_ARGUMENT,
        Step::Sign => aspect::SIGN_OF_ARGUMENT,
        Step::Cast => aspect::CAST_OF_ARGUMENT,
    };
    of_parameter + of_argument
}

/// The component type of an operand.
#[derive(Clone, Copy)]
pub struct OperandElem {
    pub scalar: Scalar,
    /// Whether it is an `int` that takes the type of an integer of 16 bits next to it: an enumeration.
    pub narrows: bool,
}

impl OperandElem {
    /// The type of an operation on both.
    pub fn common(self, other: OperandElem) -> OperandElem {
        let narrow = |s| matches!(s, Scalar::Int16 | Scalar::Uint16 | Scalar::Min12Int | Scalar::Min16Int | Scalar::Min16Uint);
        let scalar = match (self, other) {
            (OperandElem { narrows: true, .. }, OperandElem { scalar, narrows: false })
            | (OperandElem { scalar, narrows: false }, OperandElem { narrows: true, .. })
                if narrow(scalar) =>
            {
                scalar
            }
            _ => common(self.scalar, other.scalar),
        };
        OperandElem { scalar, narrows: self.narrows && other.narrows }
    }
}

/// The component type of an operation on components of types `a` and `b`.
pub fn common(a: Scalar, b: Scalar) -> Scalar {
    // Promoted types rank as the minimum-precision types that they are named by.
    let promoted = a.promoted() == a && b.promoted() == b;
    let common = common_named(a.named(), b.named());
    if promoted { common.promoted() } else { common }
}

fn common_named(a: Scalar, b: Scalar) -> Scalar {
    use Scalar::*;
    if a == b {
        return a;
    }
    let has_width = |s| width(s) != 0;
    match (a.is_float(), b.is_float()) {
        // Two classes: the floating-point type, whatever the integer's width.
        (true, false) | (false, true) => {
            let (float, other) = if a.is_float() { (a, b) } else { (b, a) };
            match float {
                LitFloat if other == LitInt => LitFloat,
                LitFloat => Float,
                Half if has_width(other) => Float,
                f => f,
            }
        }
        (true, true) => match (a, b) {
            (LitFloat, x) | (x, LitFloat) => x,
            // `half` with less precision, or less precision with its opposite: the whole `float`.
            (Half, x) | (x, Half) if width(x) < 32 => Float,
            _ if width(a) == width(b) => {
                if a.is_min_precision() {
                    b
                } else {
                    a
                }
            }
            _ if width(a) > width(b) => a,
            _ => b,
        },
        (false, false) => {
            if !has_width(a) && !has_width(b) {
                return Int;
            }
            if !has_width(a) || !has_width(b) {
                let x = if has_width(a) { a } else { b };
                return if matches!(x, Int8x4 | Uint8x4) { Uint } else { x };
            }
            let bits = width(a).max(width(b));
            let unsigned = !a.is_signed() || !b.is_signed() || packed(a) || packed(b);
            let least = a.is_min_precision() && b.is_min_precision();
            match (bits, unsigned, least) {
                (12, ..) => Min12Int,
                (16, true, true) => Min16Uint,
                (16, false, true) => Min16Int,
                (16, true, false) => Uint16,
                (16, false, false) => Int16,
                (64, true, _) => Uint64,
                (64, false, _) => Int64,
                (_, true, _) => Uint,
                (_, false, _) => Int,
            }
        }
    }
}

fn packed(s: Scalar) -> bool {
    matches!(s, Scalar::Int8x4 | Scalar::Uint8x4)
}

/// Rows and columns of a scalar, vector or matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Rows: 1 but for matrices.
    pub rows: u32,
    /// Columns.
    pub cols: u32,
    /// Whether it is a matrix, perhaps of one row.
    pub matrix: bool,
}

impl Extent {
    fn count(self) -> u32 {
        self.rows * self.cols
    }
    fn is_line(self) -> bool {
        self.rows == 1 || self.cols == 1
    }
    /// The cost of the change of shape, if it is possible.
    pub fn cost(self, to: Extent) -> Option<Cost> {
        let (n, m) = (self.count(), to.count());
        if n < m {
            return (n == 1).then_some(aspect::SPLAT);
        }
        let regroups = n == m && (self.matrix != to.matrix || self == to);
        let drops = match (self.matrix, to.matrix) {
            (false, false) => true,
            (true, true) => self.rows >= to.rows && self.cols >= to.cols,
            (true, false) => self.is_line(),
            (false, true) => to.is_line(),
        };
        (regroups || m == 1 || drops).then_some(if n > m { aspect::TRUNCATION } else { 0 })
    }
    /// The shape in which an operation on both happens: the larger if the other converts to it, else the left one.
    pub fn common(self, other: Extent) -> Option<Extent> {
        let (first, second) = if self.count() >= other.count() { (self, other) } else { (other, self) };
        if second.cost(first).is_some() { Some(first) } else { first.cost(second).map(|_| second) }
    }
}

/// The default type of a literal.
pub fn concrete(s: Scalar) -> Scalar {
    match s {
        Scalar::LitInt => Scalar::Int,
        Scalar::LitFloat => Scalar::Float,
        s => s,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Scalar::*;

    #[test]
    fn literals_adapt() {
        assert_eq!(common(LitInt, Uint), Uint);
        assert_eq!(common(LitFloat, Int), Float);
        assert_eq!(common(LitFloat, Float16), Float16);
        assert_eq!(common(LitInt, Bool), Int);
        assert_eq!(common(LitFloat, Min16Int), Float);
        assert_eq!(component_cost(LitInt, Int), component_cost(LitInt, Uint));
    }

    #[test]
    fn floats_win_then_width_and_missing_signs() {
        assert_eq!(common(Int64, Float), Float);
        assert_eq!(common(Float, Double), Double);
        assert_eq!(common(Int, Uint), Uint);
        assert_eq!(common(Uint16, Int), Uint);
        assert_eq!(common(Uint, Int64), Uint64);
        assert_eq!(common(Bool, Min16Float), Min16Float);
        assert_eq!(common(Min16Float, Int), Min16Float);
        assert_eq!(common(Min16Float, Float), Float);
        assert_eq!(common(Half, Int), Float);
        assert_eq!(common(Half, LitFloat), Half);
    }

    #[test]
    fn better_conversions_cost_less() {
        let order = [component_cost(LitInt, Int), component_cost(Int, Int64), component_cost(Int, Uint), component_cost(Int, Float)];
        assert!(order.windows(2).all(|w| w[0] < w[1]), "{order:?}");
        assert!(component_cost(Float, Double) < component_cost(Float, Half));
    }
}
