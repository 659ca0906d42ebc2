//! Typed values and their HLSL layout: `{ float3 = [0, 1, 0] }` as bytes.
//!
//! Two layouts: [`Packing::Constants`] is that of constant buffers (a vector does not cross a 16-byte
//! boundary; arrays, their elements and matrices begin at one), [`Packing::Elements`] that of structured
//! buffers (no padding). Matrices are written row by row, as in HLSL source, and stored column by column,
//! which is HLSL's default; `row_major_float3x4` stores them row by row.

use super::reader::Node;
use crate::error::Result;

/// How values are laid out one after another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Packing {
    /// Constant buffers.
    Constants,
    /// Elements of structured buffers.
    Elements,
}

/// The scalar types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// 32-bit float.
    Float,
    /// 32-bit signed.
    Int,
    /// 32-bit unsigned.
    Uint,
    /// 32 bits, 0 or 1.
    Bool,
}

const SCALARS: [(&str, Scalar); 4] = [("float", Scalar::Float), ("int", Scalar::Int), ("uint", Scalar::Uint), ("bool", Scalar::Bool)];

/// An HLSL type of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Type {
    /// Of its components.
    pub scalar: Scalar,
    /// Rows of a matrix; 0 for scalars and vectors.
    pub rows: u32,
    /// Components of a vector, columns of a matrix; 1 for a scalar.
    pub columns: u32,
    /// A matrix that is stored row by row.
    pub row_major: bool,
    /// Elements of an array; none: no array.
    pub array: Option<u32>,
}

impl std::fmt::Display for Type {
    /// As it is written in a scene.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = SCALARS.iter().find(|s| s.1 == self.scalar).map_or("", |s| s.0);
        write!(f, "{}{name}", if self.row_major { "row_major_" } else { "" })?;
        match (self.rows, self.columns) {
            (0, 1) => {}
            (0, n) => write!(f, "{n}")?,
            (rows, columns) => write!(f, "{rows}x{columns}")?,
        }
        self.array.map_or(Ok(()), |n| write!(f, "[{n}]"))
    }
}

/// Largest array in a scene.
const MAX_ARRAY: u32 = 1 << 20;

impl Type {
    /// Reads `float`, `uint3`, `float4x4`, `row_major_float3x4`, and any of them followed by `[n]`.
    pub fn parse(text: &str) -> Option<Type> {
        let (text, array) = match text.strip_suffix(']') {
            None => (text, None),
            Some(rest) => {
                let (base, n) = rest.split_once('[')?;
                (base, Some(n.trim().parse().ok().filter(|n| (1..=MAX_ARRAY).contains(n))?))
            }
        };
        let (text, row_major) = match text.strip_prefix("row_major_") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let (rest, scalar) = SCALARS.iter().find_map(|(word, s)| Some((text.strip_prefix(word)?, *s)))?;
        let digit = |s: &str| s.parse::<u32>().ok().filter(|n| s.len() == 1 && (1..=4).contains(n));
        let (rows, columns) = match rest.split_once('x') {
            Some((r, c)) => (digit(r)?, digit(c)?),
            None if rest.is_empty() => (0, 1),
            None => (0, digit(rest)?),
        };
        if row_major && rows == 0 {
            return None;
        }
        Some(Type { scalar, rows, columns, row_major, array })
    }

    /// Scalars of one element.
    pub fn components(self) -> u32 {
        self.rows.max(1) * self.columns
    }

    /// The vectors that one element is stored as: how many, and components of each.
    pub(super) fn vectors(self) -> (u32, u32) {
        match (self.rows, self.row_major) {
            (0, _) => (1, self.columns),
            (rows, true) => (rows, self.columns),
            (rows, false) => (self.columns, rows),
        }
    }

    /// 32-bit words that a value takes in a structured buffer.
    pub fn stored_words(self) -> usize {
        self.components() as usize * self.array.unwrap_or(1) as usize
    }

    /// A value that was read from a structured buffer: a number, or a list of numbers in the order in which they
    /// are stored. Floats that JSON cannot write become null.
    pub fn json(self, words: &[u32]) -> serde_json::Value {
        let one = |w: &u32| match self.scalar {
            Scalar::Float => serde_json::Value::from(f32::from_bits(*w)),
            Scalar::Int => serde_json::Value::from(*w as i32),
            Scalar::Uint => serde_json::Value::from(*w),
            Scalar::Bool => serde_json::Value::from(*w != 0),
        };
        match words {
            [w] => one(w),
            many => many.iter().map(one).collect(),
        }
    }

    /// Bytes of one element (of the whole, if it is no array) under `packing`.
    pub(super) fn element_size(self, packing: Packing) -> u32 {
        let (n, len) = self.vectors();
        match packing {
            Packing::Elements => n * len * 4,
            Packing::Constants => (n - 1) * 16 + len * 4,
        }
    }

    fn size(self, packing: Packing) -> u64 {
        let one = u64::from(self.element_size(packing));
        match (self.array, packing) {
            (None, _) => one,
            (Some(n), Packing::Elements) => one * u64::from(n),
            (Some(n), Packing::Constants) => (u64::from(n) - 1) * one.next_multiple_of(16) + one,
        }
    }

    /// The offset of a value of this type after `at` bytes.
    fn start(self, at: u64, packing: Packing) -> u64 {
        match packing {
            Packing::Elements => at,
            Packing::Constants => {
                let whole = self.array.is_some() || self.rows > 0;
                if whole || at % 16 + self.size(packing) > 16 { at.next_multiple_of(16) } else { at }
            }
        }
    }

    /// Appends a value whose scalars are `bits`, elements one after another, each row by row.
    pub(super) fn append(self, bits: &[u32], packing: Packing, out: &mut Vec<u8>) {
        let base = self.start(out.len() as u64, packing);
        out.resize((base + self.size(packing)) as usize, 0);
        let (n, len) = self.vectors();
        let element = u64::from(self.element_size(packing));
        let (stride, vector) = match packing {
            Packing::Elements => (element, u64::from(len) * 4),
            Packing::Constants => (element.next_multiple_of(16), 16),
        };
        for (e, element) in bits.chunks_exact(self.components() as usize).enumerate() {
            for v in 0..n {
                for i in 0..len {
                    let component = match (self.rows, self.row_major) {
                        (0, _) => i,
                        (_, true) => v * self.columns + i,
                        (_, false) => i * self.columns + v,
                    };
                    let at = base + e as u64 * stride + u64::from(v) * vector + u64::from(i) * 4;
                    out[at as usize..at as usize + 4].copy_from_slice(&element[component as usize].to_le_bytes());
                }
            }
        }
    }
}

/// The scalars of a value: one for a scalar; a list for a vector; a list, flat or of rows, for a matrix; a
/// list of those for an array.
pub(super) fn scalars(node: &Node<'_>, ty: Type) -> Result<Vec<u32>> {
    let mut out = Vec::new();
    let total = ty.components() as usize * ty.array.unwrap_or(1) as usize;
    if total == 1 && !node.is_array() {
        out.push(scalar(node, ty.scalar)?);
        return Ok(out);
    }
    flatten(node, ty.scalar, 0, &mut out)?;
    if out.len() != total {
        return Err(node.error(format!("expected {total} values, found {}", out.len())));
    }
    Ok(out)
}

fn flatten(node: &Node<'_>, ty: Scalar, depth: u32, out: &mut Vec<u32>) -> Result<()> {
    if depth > 3 {
        return Err(node.error("the lists are nested too deeply"));
    }
    for item in node.list()? {
        if item.is_array() {
            flatten(&item, ty, depth + 1, out)?;
        } else {
            out.push(scalar(&item, ty)?);
        }
    }
    Ok(())
}

fn scalar(node: &Node<'_>, ty: Scalar) -> Result<u32> {
    Ok(match ty {
        Scalar::Float => node.float()?.to_bits(),
        Scalar::Bool => u32::from(node.bool()?),
        Scalar::Uint => node.u32()?,
        Scalar::Int => {
            let i = node.integer()?;
            i32::try_from(i).map_err(|_| node.error(format!("{i} does not fit into 32 bits")))? as u32
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types() {
        let t = Type::parse("float3x4").unwrap();
        assert_eq!((t.rows, t.columns, t.row_major, t.array), (3, 4, false, None));
        assert!(Type::parse("row_major_float4x4").unwrap().row_major);
        assert_eq!(Type::parse("uint2[3]").unwrap().array, Some(3));
        for bad in ["", "flaot", "float5", "float0", "float3x", "row_major_float3", "uint[0]", "uint[x]", "half"] {
            assert_eq!(Type::parse(bad), None, "{bad}");
        }
    }

    /// The offsets that D3D gives `{ float; float3; float3; float2x3; int[3]; float2[2]; float }`.
    #[test]
    fn constant_buffer_offsets() {
        let mut out = Vec::new();
        let mut offsets = Vec::new();
        for name in ["float", "float3", "float3", "float2x3", "int[3]", "float2[2]", "float"] {
            let ty = Type::parse(name).unwrap();
            offsets.push(ty.start(out.len() as u64, Packing::Constants));
            let n = ty.components() * ty.array.unwrap_or(1);
            ty.append(&vec![7; n as usize], Packing::Constants, &mut out);
        }
        assert_eq!(offsets, [0, 4, 16, 32, 80, 128, 152]);
        assert_eq!(out.len(), 156);
    }

    #[test]
    fn matrices_are_stored_by_columns() {
        let mut out = Vec::new();
        Type::parse("float2x3").unwrap().append(&[1, 2, 3, 4, 5, 6], Packing::Elements, &mut out);
        let words: Vec<u32> = out.chunks(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
        assert_eq!(words, [1, 4, 2, 5, 3, 6]);
        let mut out = Vec::new();
        let ty = Type::parse("row_major_float2x3").unwrap();
        ty.append(&[1, 2, 3, 4, 5, 6], Packing::Constants, &mut out);
        assert_eq!(out.len(), 28);
        assert_eq!(out[16..20], 4u32.to_le_bytes());
    }
}
