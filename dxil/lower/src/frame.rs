//! The memory of the variables of one function: where each is, and what an access path into it is resolved to.

use rtc_ir::{self as ir, Matrix, Root, Scalar, TypeKind};
use rtc_tables::linalg::MatrixType;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::emitter::EmitResult;
use super::{layout, types};
use rtc_dxil_module::{Module, Type, Value};

/// The elements of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    /// Scalars, of which numbers have several.
    Number(Scalar),
    /// Hit objects: in arrays that are indexed at run time.
    Hit,
    /// Matrices of linear algebra, in arrays as hit objects.
    Linalg(MatrixType),
}

impl Cell {
    /// Its type in memory.
    pub fn stored(self, out: &mut Module) -> Type {
        match self {
            Cell::Number(s) => types::stored(out, s),
            Cell::Hit => out.hit_object_type(),
            Cell::Linalg(t) => out.linalg_type(t),
        }
    }

    /// How it is aligned in memory, in bytes.
    pub fn align(self, m: &ir::Module) -> u32 {
        match self {
            Cell::Number(s) => layout::scalar_bytes(m, s),
            // A pointer of DXIL's data layout.
            Cell::Hit | Cell::Linalg(_) => 4,
        }
    }
}

/// A resolved access path.
pub struct Location {
    /// The element: a scalar or vector, or a hit object.
    pub cell: Cell,
    /// The number of components.
    pub lanes: u32,
    /// The address.
    pub address: Address,
}

/// The address of a number or hit object.
pub enum Address {
    /// A pointer to the scalar or vector.
    Whole(Value),
    /// Consecutive elements of an array of scalars.
    Elements {
        /// Pointer to the array, or to the scalar if it has no index.
        array: Value,
        /// First element; `None` if `array` points to the scalar itself.
        first: Option<Value>,
    },
    /// Elements of an array of scalars in a groupshared variable, whose address must come from that in one step.
    Path {
        /// The variable.
        base: Value,
        /// The indices to the array, or to the scalar.
        path: SmallVec<[Value; 6]>,
        /// The first element; none of a scalar.
        first: Option<Value>,
        /// The stride between them.
        stride: u32,
    },
    /// Components of a matrix.
    Matrix {
        /// Pointer to all of its components as one vector.
        vector: Value,
        /// The first one.
        first: Value,
        /// The stride between them.
        stride: u32,
    },
    /// Components of a row of a matrix that is passed by value.
    Row {
        /// Pointer to the row, a vector of values: booleans are no words.
        vector: Value,
        /// The first one.
        first: Value,
    },
}

/// The memory of a slot, parameter or variable.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Pointer to it.
    pub pointer: Value,
    /// The matrix that it is, or an array of.
    pub matrix: Option<Matrix>,
    /// It is a matrix that is passed by value: rows of values, also of booleans.
    pub by_value: bool,
}

impl Memory {
    /// Memory without matrices, except in fields of structures.
    pub fn at(pointer: Value) -> Memory {
        Memory { pointer, matrix: None, by_value: false }
    }
}

/// A scalar field of a local, with all of its array dimensions: the local and the path of fields.
pub type ScalarField = (ir::Local, SmallVec<[u32; 4]>);

/// Where the variables of a function are.
#[derive(Default)]
pub struct Frame {
    /// The memory of slots, reference parameters, and variables that functions of other libraries get.
    pointers: FxHashMap<Root, Memory>,
    /// The allocas of other locals.
    scalar_allocas: FxHashMap<ScalarField, Value>,
    /// The payloads of mesh shaders, in which vectors are arrays.
    payloads: FxHashMap<Root, Value>,
    /// The variable that is the result, a matrix.
    result: Option<Value>,
    /// The variable that says whether the thread is a helper, where there is no operation for that.
    pub helper: Option<Value>,
}

impl Frame {
    /// The memory of a variable that is in one piece.
    pub fn pointer(&self, root: Root) -> Option<Memory> {
        self.pointers.get(&root).copied()
    }

    /// Says that `root` is in `memory`.
    pub fn set_pointer(&mut self, root: Root, memory: Memory) {
        self.pointers.insert(root, memory);
    }

    /// The payload of mesh shaders that `root` is, if it is known to be one.
    pub fn payload(&self, root: Root) -> Option<Value> {
        self.payloads.get(&root).copied()
    }

    /// Says that `root` is the payload at `pointer`.
    pub fn set_payload(&mut self, root: Root, pointer: Value) {
        self.payloads.insert(root, pointer);
    }

    /// The alloca of a scalar field, if it has one already.
    pub fn scalar_alloca(&self, field: &ScalarField) -> Option<Value> {
        self.scalar_allocas.get(field).copied()
    }

    /// Says which alloca a scalar field has.
    pub fn set_scalar_alloca(&mut self, field: ScalarField, alloca: Value) {
        self.scalar_allocas.insert(field, alloca);
    }

    /// The memory of the matrix that the function returns, if it does.
    pub fn result(&self) -> Option<Value> {
        self.result
    }

    /// Says where the matrix is that the function returns.
    pub fn set_result(&mut self, pointer: Value) {
        self.result = Some(pointer);
    }
}

/// The element at the end of a path of fields, and the product of all array dimensions on the path;
/// none if there are none.
///
/// # Errors
/// What is there is no number, hit object or matrix of linear algebra.
pub fn flat(m: &ir::Module, t: ir::Type, fields: &[u32]) -> EmitResult<(Cell, Option<u64>)> {
    let (mut t, mut fields) = (t, fields.iter());
    let mut count: Option<u64> = None;
    loop {
        match m.types.kind(t) {
            TypeKind::Scalar(s) => return Ok((Cell::Number(s), count)),
            TypeKind::Vector(s, n) => {
                return Ok((Cell::Number(s), Some(count.unwrap_or(1) * u64::from(n))));
            }
            TypeKind::HitObject => return Ok((Cell::Hit, count)),
            TypeKind::Linalg(t) => return Ok((Cell::Linalg(t), count)),
            TypeKind::Array(e, n) => {
                count = Some(count.unwrap_or(1).saturating_mul(n.into()));
                t = e;
            }
            TypeKind::Struct(_) => {
                let n = fields.next().copied();
                t = m.part(t, Some(n.ok_or("an aggregate used as a value")?)).ok_or("unknown field")?;
            }
            _ => return Err("resources cannot be in memory".into()),
        }
    }
}
