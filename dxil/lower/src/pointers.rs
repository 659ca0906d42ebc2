//! Address computations through pointers: payloads and parameters, whose layout other shaders and libraries share, and variables that
//! are passed to functions of other libraries.
//!
//! A matrix there has the orientation that HLSL gives it, row-major or column-major, and a class of its own
//! (`%class.matrix.float.2.3`), which is accessed as one vector of its components; in the IR it is an array of its rows. A matrix that
//! is passed by value is read and written row by row.

use rtc_ir::{self as ir, Matrix, Root, Step, TypeKind};
use smallvec::SmallVec;

use super::emitter::{EmitError, EmitResult};
use super::frame::{Address, Cell, Location, Memory};
use super::func::Writer;
use super::types::{self, is_rows, matrix};
use rtc_dxil_module::{BinOp, CastOp, Value};

/// An access path resolved up to a matrix, or to its end.
pub struct Reached {
    /// Pointer to the whole.
    base: Value,
    /// The indices from there.
    path: SmallVec<[Value; 6]>,
    /// Its type.
    pub ty: ir::Type,
    /// The matrix that it is, or an array of.
    pub matrix: Option<Matrix>,
    /// The number of steps resolved.
    pub steps: usize,
    /// Whether the last step goes into a vector.
    pub component: bool,
}

impl Writer<'_, '_> {
    /// An access path through a pointer.
    pub(super) fn pointed(&mut self, data: &ir::PlaceData, dynamic: &[Value]) -> EmitResult<Location> {
        let Some(memory) = self.frame.pointer(data.root) else {
            return Err(EmitError::internal("slot without memory"));
        };
        let root = self.root_type(data.root);
        self.pointed_in(memory, root, &data.steps, dynamic)
    }

    /// An access path in memory of type `root`.
    pub(super) fn pointed_in(&mut self, memory: Memory, root: ir::Type, steps: &[Step], dynamic: &[Value]) -> EmitResult<Location> {
        let r = self.reach(memory, root, steps, dynamic)?;
        let Some(shape) = r.matrix.filter(|_| r.steps < steps.len()) else {
            let (cell, lanes) = self.cell_type(r.ty)?;
            let pointer = self.reached(&r);
            return Ok(Location { cell, lanes, address: Address::Whole(pointer) });
        };
        let before = steps[..r.steps].iter().filter(|s| **s == Step::Dyn).count();
        self.in_matrix(memory, shape, &r, &steps[r.steps..], &dynamic[before..])
    }

    /// The address of an access path, or of the matrix that it is in.
    pub(super) fn reach(&mut self, memory: Memory, root: ir::Type, steps: &[Step], dynamic: &[Value]) -> EmitResult<Reached> {
        let m = self.m;
        let (mut t, mut shape) = (root, memory.matrix);
        let mut dynamic = dynamic.iter();
        let mut path: SmallVec<[Value; 6]> = SmallVec::new();
        path.push(self.e.out.i32(0));
        let (mut taken, mut component) = (0, false);
        for &step in steps {
            if shape.is_some() && is_rows(m, t) {
                break;
            }
            let (n, index) = match step {
                Step::At(n) => (Some(n), self.e.out.i32(n as i32)),
                Step::Dyn => (None, *dynamic.next().ok_or("missing index")?),
            };
            path.push(index);
            if let (TypeKind::Struct(s), Some(n)) = (m.types.kind(t), n) {
                shape = m.structs[s].fields.get(n as usize).and_then(|f| matrix(f.numbers));
            }
            component = matches!(m.types.kind(t), TypeKind::Vector(..));
            t = m.part(t, n).ok_or("invalid access path")?;
            taken += 1;
        }
        Ok(Reached { base: memory.pointer, path, ty: t, matrix: shape, steps: taken, component })
    }

    /// The pointer to the resolved part.
    pub(super) fn reached(&mut self, r: &Reached) -> Value {
        if r.path.len() > 1 { self.e.address_of(r.base, &r.path) } else { r.base }
    }

    /// A row or component of a matrix: `steps` are the row, and perhaps the column.
    fn in_matrix(&mut self, memory: Memory, shape: Matrix, r: &Reached, steps: &[Step], dynamic: &[Value]) -> EmitResult<Location> {
        let m = self.m;
        let TypeKind::Array(row, _) = m.types.kind(r.ty) else { return Err(EmitError::internal("a matrix without rows")) };
        let (Cell::Number(scalar), lanes) = self.cell_type(row)? else { return Err(EmitError::internal("a matrix of objects")) };
        let mut dynamic = dynamic.iter();
        let mut index = |w: &mut Self, step: &Step| match step {
            Step::At(n) => Ok(w.e.out.i32(*n as i32)),
            Step::Dyn => dynamic.next().copied().ok_or("missing index"),
        };
        let row = index(self, &steps[0])?;
        let column = steps.get(1).map(|s| index(self, s)).transpose()?;
        let count = if column.is_some() { 1 } else { lanes };
        if shape.is_row_major() && !memory.by_value && scalar != ir::Scalar::Bool && lanes > 1 {
            let zero = self.e.out.i32(0);
            let mut path = r.path.clone();
            path.extend([Some(zero), Some(row), column].into_iter().flatten());
            let pointer = self.e.address_of(r.base, &path);
            return Ok(Location { cell: Cell::Number(scalar), lanes: count, address: Address::Whole(pointer) });
        }
        if memory.by_value {
            let zero = self.e.out.i32(0);
            let mut path = r.path.clone();
            path.extend([zero, row]);
            let vector = self.e.address_of(r.base, &path);
            let address = Address::Row { vector, first: column.unwrap_or(zero) };
            return Ok(Location { cell: Cell::Number(scalar), lanes: count, address });
        }
        let pointer = self.reached(r);
        let vector = self.as_vector(pointer, scalar, shape);
        let (of_row, of_column) = if shape.is_row_major() { (shape.cols, 1) } else { (1, shape.rows) };
        let first = self.scaled(row, of_row);
        let first = match column {
            None => first,
            Some(c) => {
                let c = self.scaled(c, of_column);
                self.sum(first, c)
            }
        };
        let address = Address::Matrix { vector, first, stride: of_column };
        Ok(Location { cell: Cell::Number(scalar), lanes: count, address })
    }

    /// The pointer to a matrix as one to the vector of its components.
    fn as_vector(&mut self, pointer: Value, scalar: ir::Scalar, shape: Matrix) -> Value {
        let elem = types::stored(self.e.out, scalar);
        let vector = self.e.out.types.vector(elem, shape.rows * shape.cols);
        let ptr = self.e.out.types.ptr(vector);
        self.e.b().cast(CastOp::BitCast, pointer, ptr)
    }

    pub(super) fn scaled(&mut self, index: Value, by: u32) -> Value {
        match self.e.int_const(index) {
            _ if by == 1 => index,
            Some(n) => self.e.out.i32((n as i32).wrapping_mul(by as i32)),
            None => {
                let by = self.e.out.i32(by as i32);
                self.e.b().binary(BinOp::Mul, index, by, 0)
            }
        }
    }

    pub(super) fn sum(&mut self, a: Value, b: Value) -> Value {
        match (self.e.int_const(a), self.e.int_const(b)) {
            (Some(a), Some(b)) => self.e.out.i32((a as i32).wrapping_add(b as i32)),
            (Some(0), None) => b,
            (None, Some(0)) => a,
            _ => self.e.b().binary(BinOp::Add, a, b, 0),
        }
    }

    /// Says that `root` is in `memory`; `copy`: that is a copy for a call.
    pub(super) fn set_pointer(&mut self, root: Root, memory: Memory, copy: bool) {
        self.frame.set_pointer(root, memory);
        self.note_pointer(root, memory.pointer, copy);
    }
}
