//! Matrices of linear algebra as values of a thread, and arithmetic on their components.
//!
//! A matrix of DXIL is a pointer: here the number of a [`Matrix`] of its thread, from 1 on. Matrices do not change, and stay until the thread ends. One of
//! a wave or a group is the same in each of its threads. One of a thread is not computed: it is a place in memory, or two vectors.

use super::resources::buffer::BufferView;
use rtc_tables::linalg::MatrixType;
use rtc_tables::linalg::layouts::Steps;
use rtc_tables::linalg::numbers::{Encoding, Number, encoding_of};
use rtc_tables::linalg::rules::Part;
use std::rc::Rc;

/// The bytes of matrices that a thread may have made.
const MAX_BYTES: usize = 1 << 26;

/// How many of the last matrices a new place in memory is compared with: a loop loads the same ones again.
const COMPARED: usize = 16;

/// A matrix.
#[derive(Clone, Debug)]
pub struct Matrix<'m> {
    /// Its type.
    pub ty: MatrixType,
    contents: Contents<'m>,
}

#[derive(Clone, Debug)]
enum Contents<'m> {
    /// The bits of each component, by rows.
    Values(Rc<[u64]>),
    /// In a buffer.
    InMemory(BufferView<'m>, u64, Steps),
    /// The products of the components of two vectors.
    Products(Rc<[Number]>, Rc<[Number]>),
}

impl<'m> Matrix<'m> {
    /// Of the bits of its components, by rows.
    pub fn of(ty: MatrixType, values: Vec<u64>) -> Self {
        Matrix { ty, contents: Contents::Values(values.into()) }
    }
    /// A part of a buffer.
    pub fn in_memory(ty: MatrixType, view: BufferView<'m>, offset: u32, steps: Steps) -> Self {
        Matrix { ty, contents: Contents::InMemory(view, offset.into(), steps) }
    }
    /// The products of the components of two vectors.
    pub fn products(ty: MatrixType, a: Vec<Number>, b: Vec<Number>) -> Self {
        Matrix { ty, contents: Contents::Products(a.into(), b.into()) }
    }
    /// How its components are encoded.
    pub fn encoding(&self) -> Encoding {
        encoding(self.ty)
    }
    /// The bits of a component.
    pub fn bits(&self, row: u32, column: u32) -> u64 {
        match &self.contents {
            Contents::Values(all) => all.get((row * self.ty.columns + column) as usize).copied().unwrap_or(0),
            Contents::InMemory(view, offset, steps) => {
                let at = offset + u64::from(row) * steps.row + u64::from(column) * steps.column;
                view.bits(at, self.encoding().bytes())
            }
            Contents::Products(a, b) => {
                let of = |v: &[Number], n: u32| v.get(n as usize).copied().unwrap_or(Number::Int(0));
                let arithmetic = Arithmetic::of(&[Some(self.encoding())], &[of(a, row), of(b, column)]);
                self.encoding().encode(arithmetic.product(of(a, row), of(b, column)))
            }
        }
    }
    /// A component.
    pub fn number(&self, row: u32, column: u32) -> Number {
        self.encoding().decode(self.bits(row, column))
    }
    /// The bits of all components, by rows.
    pub fn values(&self) -> Vec<u64> {
        let (rows, columns) = (self.ty.rows, self.ty.columns);
        (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))).map(|(r, c)| self.bits(r, c)).collect()
    }

    fn bytes(&self) -> usize {
        let more = match &self.contents {
            Contents::Values(all) => all.len() * 8,
            Contents::InMemory(..) => 0,
            Contents::Products(a, b) => (a.len() + b.len()) * size_of::<Number>(),
        };
        size_of::<Self>() + more
    }

    fn is_same_place(&self, other: &Self) -> bool {
        match (&self.contents, &other.contents) {
            (Contents::InMemory(v, o, s), Contents::InMemory(v2, o2, s2)) => {
                let same_view = std::ptr::eq(v.memory, v2.memory) && (v.offset, v.size) == (v2.offset, v2.size);
                self.ty == other.ty && same_view && (o, s) == (o2, s2)
            }
            _ => false,
        }
    }
}

/// How the components of a matrix type are encoded. The validator has checked that its component type is one of matrices.
pub fn encoding(ty: MatrixType) -> Encoding {
    encoding_of(ty.component).unwrap_or(Encoding::Unsigned(32))
}

/// The matrices of a thread.
#[derive(Default)]
pub struct Matrices<'m> {
    all: Vec<Matrix<'m>>,
    bytes: usize,
}

impl<'m> Matrices<'m> {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.all.clear();
        self.bytes = 0;
    }
    /// The matrix that a value names; none of a value that is undefined.
    pub fn get(&self, value: u64) -> Option<&Matrix<'m>> {
        self.all.get(usize::try_from(value).ok()?.checked_sub(1)?)
    }
    /// The value of a new matrix.
    ///
    /// # Errors
    /// The thread has made too many.
    pub fn add(&mut self, matrix: Matrix<'m>) -> Result<u64, String> {
        let recent = self.all.len().saturating_sub(COMPARED);
        if let Some(n) = self.all[recent..].iter().position(|m| m.is_same_place(&matrix)) {
            return Ok((recent + n) as u64 + 1);
        }
        self.bytes += matrix.bytes();
        if self.bytes > MAX_BYTES {
            return Err(format!(
                "more than {MAX_BYTES} bytes of matrices in one thread: this device keeps all that a thread makes until it ends"
            ));
        }
        self.all.push(matrix);
        Ok(self.all.len() as u64)
    }
}

/// The types of a call of an operation on matrices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operands {
    /// The result.
    pub result: Part,
    /// Each parameter, with its first slot.
    pub params: Box<[(Part, u16)]>,
}

/// In which numbers a sum of products is computed: integers without overflow checks, or floats, each product and each sum rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// Of so many bits, signed or not: modulo a power of two.
    Int(u32, bool),
    /// In 32 bits.
    Float,
    /// In 64 bits.
    Double,
}

impl Arithmetic {
    /// That of operands with these encodings, and of these numbers.
    pub fn of(encodings: &[Option<Encoding>], numbers: &[Number]) -> Arithmetic {
        let bits = encodings.iter().flatten().map(|e| e.bits()).max().unwrap_or(32);
        let float = encodings.iter().flatten().any(|e| e.is_float()) || numbers.iter().any(|n| matches!(n, Number::Float(_)));
        match (float, bits > 32) {
            (true, false) => Arithmetic::Float,
            (true, true) => Arithmetic::Double,
            (false, _) => Arithmetic::Int(if bits > 32 { 64 } else { 32 }, encodings.iter().flatten().any(|e| e.is_signed())),
        }
    }
    fn float(n: Number) -> f64 {
        match n {
            Number::Int(n) => n as f64,
            Number::Float(x) => x,
        }
    }
    fn single(n: Number) -> f32 {
        match n {
            Number::Int(n) => n as f32,
            Number::Float(x) => x as f32,
        }
    }
    fn wrapped(bits: u32, signed: bool, n: i128) -> Number {
        let high = n << (128 - bits);
        Number::Int(if signed { high >> (128 - bits) } else { (high as u128 >> (128 - bits)) as i128 })
    }
    fn int(n: Number) -> i128 {
        match n {
            Number::Int(n) => n,
            Number::Float(x) => x as i128,
        }
    }
    /// A product.
    pub fn product(self, a: Number, b: Number) -> Number {
        match self {
            Arithmetic::Int(bits, signed) => Self::wrapped(bits, signed, Self::int(a).wrapping_mul(Self::int(b))),
            Arithmetic::Float => Number::Float((Self::single(a) * Self::single(b)).into()),
            Arithmetic::Double => Number::Float(Self::float(a) * Self::float(b)),
        }
    }
    /// A sum.
    pub fn sum(self, a: Number, b: Number) -> Number {
        match self {
            Arithmetic::Int(bits, signed) => Self::wrapped(bits, signed, Self::int(a).wrapping_add(Self::int(b))),
            Arithmetic::Float => Number::Float((Self::single(a) + Self::single(b)).into()),
            Arithmetic::Double => Number::Float(Self::float(a) + Self::float(b)),
        }
    }
    /// The sum of `count` products, beginning with the first.
    pub fn dot(self, count: u32, factors: impl Fn(u32) -> (Number, Number)) -> Number {
        let products = (0..count).map(&factors).map(|(a, b)| self.product(a, b));
        products.reduce(|sum, p| self.sum(sum, p)).unwrap_or(Number::Int(0))
    }
}
