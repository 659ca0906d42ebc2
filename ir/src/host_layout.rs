//! Host layouts: the types of buffers as the source declares them, with the offsets that a host sees.
//!
//! IR types say how a value is computed: signs, matrices and bit-fields are gone from them. A target that declares buffers with the
//! types of the source (SPIR-V, for its reflection) takes those from here. They do not change what a program computes, so like
//! debug information they are not in the text form.

use rtc_base::PrimaryMap;
use rustc_hash::FxHashMap;

use crate::Scalar;
use crate::inline::Decoration;

rtc_base::entity! {
    /// A host layout, interned.
    pub struct HostType = "host";
}

/// A scalar in memory: never `bool`, which is a word there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HostScalar {
    /// Class and width.
    pub scalar: Scalar,
    /// Of integers: signed.
    pub signed: bool,
}

/// A member of a structure.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HostMember {
    /// Its name; empty for the structure that this one inherits from.
    pub name: String,
    /// Byte offset in the structure.
    pub offset: u32,
    /// Its type.
    pub ty: HostType,
    /// Decorations that the source asks for.
    pub decorations: Vec<Decoration>,
}

/// The kind of a host layout.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum HostKind {
    /// A scalar.
    Scalar(HostScalar),
    /// A vector of 2 to 4 components, one after the other.
    Vector(HostScalar, u32),
    /// A matrix of floating-point numbers with at least two rows and columns.
    Matrix {
        /// Of its components.
        scalar: HostScalar,
        /// Rows in HLSL.
        rows: u32,
        /// Columns in HLSL.
        cols: u32,
        /// Rows are contiguous, not columns.
        row_major: bool,
        /// Bytes from one row (or column) to the next.
        stride: u32,
    },
    /// An array.
    Array {
        /// Of its elements.
        elem: HostType,
        /// How many there are; at least one.
        count: u32,
        /// Bytes from one to the next; not zero.
        stride: u32,
    },
    /// A structure.
    Struct {
        /// Its name.
        name: String,
        /// Its members, in the order of declaration.
        members: Vec<HostMember>,
    },
}

/// The type of a buffer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HostBlock {
    /// The name of the block (`type.StructuredBuffer.Light`).
    pub name: String,
    /// Of a constant buffer the structure of its members, of a structured buffer the type of its elements.
    pub ty: HostType,
}

/// Host layouts: two are equal exactly when their indices are.
#[derive(Clone, Default, Debug)]
pub struct HostTypes {
    types: PrimaryMap<HostType, HostKind>,
    known: FxHashMap<HostKind, HostType>,
}

impl HostTypes {
    /// The type of this kind.
    pub fn intern(&mut self, kind: HostKind) -> HostType {
        if let Some(&t) = self.known.get(&kind) {
            return t;
        }
        let t = self.types.push(kind.clone());
        self.known.insert(kind, t);
        t
    }

    /// The kind of a type.
    pub fn kind(&self, t: HostType) -> &HostKind {
        &self.types[t]
    }

    /// Types for members that end before the next one begins. Constant buffers of Direct3D place a member after the last vector of a matrix, but
    /// SPIR-V's matrices are as long as all their strides together: such a matrix is an array of its vectors.
    pub fn apart(&mut self, members: &mut [HostMember]) {
        for i in 1..members.len() {
            let next = members[i].offset;
            let m = &members[i - 1];
            if m.offset.saturating_add(self.size(m.ty)) > next {
                members[i - 1].ty = self.with_arrays(m.ty);
            }
        }
    }

    /// The type with arrays of vectors in place of the matrices at its end.
    fn with_arrays(&mut self, t: HostType) -> HostType {
        let kind = match self.kind(t).clone() {
            HostKind::Matrix { scalar, rows, cols, row_major, stride } => {
                let (count, n) = if row_major { (rows, cols) } else { (cols, rows) };
                HostKind::Array { elem: self.intern(HostKind::Vector(scalar, n)), count, stride }
            }
            HostKind::Array { elem, count, stride } => HostKind::Array { elem: self.with_arrays(elem), count, stride },
            HostKind::Struct { name, mut members } => {
                if let Some(last) = members.last_mut() {
                    last.ty = self.with_arrays(last.ty);
                }
                HostKind::Struct { name, members }
            }
            HostKind::Scalar(_) | HostKind::Vector(..) => return t,
        };
        self.intern(kind)
    }

    /// Bytes from the first to the last; of a structure without what follows its last member.
    pub fn size(&self, t: HostType) -> u32 {
        match *self.kind(t) {
            HostKind::Scalar(s) => s.scalar.bytes(),
            HostKind::Vector(s, n) => s.scalar.bytes() * n,
            HostKind::Matrix { rows, cols, row_major, stride, .. } => stride * if row_major { rows } else { cols },
            HostKind::Array { elem, count, stride } => stride.saturating_mul(count - 1).saturating_add(self.size(elem)),
            HostKind::Struct { ref members, .. } => members.iter().map(|m| m.offset.saturating_add(self.size(m.ty))).max().unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_kinds_are_one_type() {
        let mut all = HostTypes::default();
        let float = HostScalar { scalar: Scalar::F32, signed: false };
        let a = all.intern(HostKind::Vector(float, 3));
        assert_eq!(a, all.intern(HostKind::Vector(float, 3)));
        assert_ne!(a, all.intern(HostKind::Vector(float, 2)));
        let list = all.intern(HostKind::Array { elem: a, count: 3, stride: 16 });
        assert_eq!(all.size(list), 44);
        let member = HostMember { name: "list".into(), offset: 4, ty: list, decorations: Vec::new() };
        let s = all.intern(HostKind::Struct { name: "S".into(), members: vec![member] });
        assert_eq!(all.size(s), 48);
    }
}
