//! Byte addresses in a buffer as access paths: which member, element and component lies there.
//!
//! The IR addresses memory by bytes, constants plus products of indices and strides; SPIR-V by members and indices. [`find`] goes from
//! the type of the buffer inwards and divides the address among its parts: at a structure the constant part says which member, at
//! an array the products whose factor is a multiple of the stride are its index. An address that is no member's, or that straddles
//! members, has no path.

use rtc_ir::host_layout::{HostKind, HostMember, HostScalar, HostType, HostTypes};
use rtc_ir::{Function, InstData, Opcode, Value, ValueDef};
use smallvec::SmallVec;

/// A sum: a constant, and values times constants.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sum {
    /// The constant.
    pub constant: u32,
    /// The values with their factors, which may be negative.
    pub terms: SmallVec<[(Value, i32); 2]>,
}

impl Sum {
    /// Adds `v` times `scale`, split as far as it is a sum and a product with constants.
    pub fn add(&mut self, f: &Function, v: Value, scale: i32) {
        if let Some(c) = f.as_const(v) {
            self.constant = self.constant.wrapping_add((c as u32).wrapping_mul(scale as u32));
            return;
        }
        if let Some((Opcode::iadd, [a, b])) = binary(f, v) {
            self.add(f, a, scale);
            return self.add(f, b, scale);
        }
        // A sum inside of a product stays an index of its own: `(i - 1) * 16` is element `i - 1`.
        let (mut v, mut scale) = (v, scale);
        while let Some((of, factor)) = product(f, v)
            && let Some(all) = scale.checked_mul(factor)
        {
            (v, scale) = (of, all);
        }
        match self.terms.iter_mut().find(|t| t.0 == v) {
            Some(t) => match t.1.checked_add(scale) {
                Some(sum) => t.1 = sum,
                None => self.terms.push((v, scale)),
            },
            None => self.terms.push((v, scale)),
        }
        self.terms.retain(|t| t.1 != 0);
    }

    /// The part that counts steps of `stride` bytes, as a number of steps; what remains stays.
    fn divide(&mut self, stride: u32) -> Sum {
        let mut out = Sum { constant: self.constant / stride, terms: SmallVec::new() };
        self.constant %= stride;
        self.terms.retain(|&mut (v, scale)| {
            // A stride beyond the signed numbers divides none of them.
            let steps = i32::try_from(stride).ok().filter(|&s| scale % s == 0).map(|s| scale / s);
            out.terms.extend(steps.map(|n| (v, n)));
            steps.is_none()
        });
        out
    }
}

/// An operation of two values.
fn binary(f: &Function, v: Value) -> Option<(Opcode, [Value; 2])> {
    match (f.values[v].def, f.def_inst(v)) {
        (ValueDef::Result(..), Some(i)) => match f.insts[i] {
            InstData::Binary { op, args } => Some((op, args)),
            _ => None,
        },
        _ => None,
    }
}

/// A value times a constant.
fn product(f: &Function, v: Value) -> Option<(Value, i32)> {
    let (op, [a, b]) = binary(f, v)?;
    let c = f.as_const(b)? as u32;
    match op {
        Opcode::imul => Some((a, c as i32)),
        Opcode::shl if c < 31 => Some((a, 1 << c)),
        _ => None,
    }
}

/// What an access path leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// A scalar.
    Scalar(HostScalar),
    /// Components of a vector: its type, how many it has, the first one.
    Vector(HostScalar, u32, Sum),
    /// Components of a matrix.
    Matrix {
        /// Its type.
        scalar: HostScalar,
        /// Rows in HLSL.
        rows: u32,
        /// Columns in HLSL.
        cols: u32,
        /// The row of the first component.
        row: Sum,
        /// The column of the first component.
        col: Sum,
        /// The components are of one row, not of one column.
        along_row: bool,
    },
}

/// One step of an access path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A member of a structure.
    Member(u32),
    /// An element of an array.
    Element(Sum),
}

/// An access path, and where it leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The steps to the scalar, vector or matrix.
    pub steps: SmallVec<[Step; 4]>,
    /// The type before each step, and of what the steps lead to.
    pub types: SmallVec<[HostType; 5]>,
    /// What is accessed there.
    pub leaf: Leaf,
}

/// The path to `lanes` components of so many bytes at an address in `root`.
pub fn find(types: &HostTypes, root: HostType, mut at: Sum, lanes: u32, bytes: u32) -> Option<Path> {
    let (mut steps, mut visited) = (SmallVec::new(), SmallVec::new());
    let mut t = root;
    let leaf = loop {
        visited.push(t);
        match *types.kind(t) {
            HostKind::Struct { ref members, .. } => {
                let inside = |m: &HostMember| at.constant.checked_sub(m.offset).is_some_and(|o| o < types.size(m.ty));
                let (n, m) = members.iter().enumerate().rev().find(|(_, m)| inside(m))?;
                at.constant -= m.offset;
                steps.push(Step::Member(n as u32));
                t = m.ty;
            }
            HostKind::Array { elem, count, stride } => {
                let index = at.divide(stride);
                if index.constant >= count {
                    return None;
                }
                steps.push(Step::Element(index));
                t = elem;
            }
            HostKind::Scalar(s) => {
                let fits = at == Sum::default() && lanes == 1 && s.scalar.bytes() == bytes;
                break fits.then_some(Leaf::Scalar(s))?;
            }
            HostKind::Vector(s, n) => {
                let first = components(s, &mut at, n, lanes, bytes)?;
                break Leaf::Vector(s, n, first);
            }
            HostKind::Matrix { scalar, rows, cols, row_major, stride } => {
                let vector = at.divide(stride);
                let (count, n) = if row_major { (rows, cols) } else { (cols, rows) };
                if vector.constant >= count {
                    return None;
                }
                let first = components(scalar, &mut at, n, lanes, bytes)?;
                let (row, col) = if row_major { (vector, first) } else { (first, vector) };
                break Leaf::Matrix { scalar, rows, cols, row, col, along_row: row_major };
            }
        }
    };
    Some(Path { steps, types: visited, leaf })
}

/// The first of `lanes` components in a vector of `n`.
fn components(s: HostScalar, at: &mut Sum, n: u32, lanes: u32, bytes: u32) -> Option<Sum> {
    if s.scalar.bytes() != bytes {
        return None;
    }
    let first = at.divide(bytes);
    let fits = *at == Sum::default() && first.constant + lanes <= n && (first.terms.is_empty() || lanes == 1);
    fits.then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtc_base::EntityRef;
    use rtc_ir::Scalar;

    const FLOAT: HostScalar = HostScalar { scalar: Scalar::F32, signed: false };

    fn sum(constant: u32, terms: &[(usize, i32)]) -> Sum {
        Sum { constant, terms: terms.iter().map(|&(v, s)| (Value::new(v), s)).collect() }
    }

    /// `struct { float a; float3 b[2] (stride 16); column_major float2x4 m; }`
    fn example(types: &mut HostTypes) -> HostType {
        let a = types.intern(HostKind::Scalar(FLOAT));
        let v = types.intern(HostKind::Vector(FLOAT, 3));
        let b = types.intern(HostKind::Array { elem: v, count: 2, stride: 16 });
        let m = types.intern(HostKind::Matrix { scalar: FLOAT, rows: 2, cols: 4, row_major: false, stride: 16 });
        let member = |name: &str, offset, ty| HostMember { name: name.into(), offset, ty, decorations: Vec::new() };
        types.intern(HostKind::Struct { name: "S".into(), members: vec![member("a", 0, a), member("b", 16, b), member("m", 48, m)] })
    }

    #[test]
    fn constants_choose_members() {
        let mut types = HostTypes::default();
        let s = example(&mut types);
        let at = |n, lanes| find(&types, s, sum(n, &[]), lanes, 4).map(|p| (p.steps.to_vec(), p.leaf));
        assert_eq!(at(0, 1), Some((vec![Step::Member(0)], Leaf::Scalar(FLOAT))));
        assert_eq!(at(4, 1), None);
        let second = vec![Step::Member(1), Step::Element(sum(1, &[]))];
        assert_eq!(at(36, 2), Some((second, Leaf::Vector(FLOAT, 3, sum(1, &[])))));
        assert_eq!(at(36, 3), None, "beyond the vector");
        // Column 2, row 1.
        let Some((_, Leaf::Matrix { row, col, along_row, .. })) = at(48 + 36, 1) else { panic!("no matrix") };
        assert_eq!((row, col, along_row), (sum(1, &[]), sum(2, &[]), false));
        assert_eq!(at(112, 1), None);
        assert_eq!(find(&types, s, sum(0, &[]), 1, 8), None, "another width");
    }

    #[test]
    fn products_are_indices() {
        let mut types = HostTypes::default();
        let s = example(&mut types);
        let path = find(&types, s, sum(20, &[(7, 16)]), 1, 4).expect("it is in `b`");
        assert_eq!(path.steps[1], Step::Element(sum(0, &[(7, 1)])));
        assert_eq!(path.leaf, Leaf::Vector(FLOAT, 3, sum(1, &[])));
        let path = find(&types, s, sum(16, &[(7, 16), (8, 4)]), 1, 4).expect("a dynamic component");
        assert_eq!(path.leaf, Leaf::Vector(FLOAT, 3, sum(0, &[(8, 1)])));
        let path = find(&types, s, sum(16, &[(7, -32)]), 3, 4).expect("an index that counts down");
        assert_eq!(path.steps[1], Step::Element(sum(0, &[(7, -2)])));
        assert_eq!(find(&types, s, sum(0, &[(7, 16)]), 1, 4), None, "a scalar has no index");
        assert_eq!(find(&types, s, sum(16, &[(7, 6)]), 1, 4), None, "no multiple of the stride");
    }
}
