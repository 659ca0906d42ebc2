//! What is legal in calls of the matrix operations of DXIL: uses, scopes, dimensions, layouts, strides and alignments that fit together.
//!
//! A call is described by its result and its operands in the order of the operation's row. The rules are those that the newest outside validator
//! checks, so that no legal module is refused and no module that is written is.

use super::*;
use crate::dxil_ops::{DxOp, OpTy, op};
use crate::insts::Opcode as O;
use crate::resources::{ResourceClass, ResourceKind};
use crate::validation::{Rule, rule};

/// What an operand or the result is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// There is none, or it is of no interest.
    Other,
    /// A matrix of a type that the module describes.
    Matrix(MatrixType),
    /// A matrix of a type that it does not.
    UnknownMatrix,
    /// A vector: its number of components, what one is called, and whether that is a float.
    Vector(u32, &'static str, bool),
    /// A constant.
    Constant(u64),
    /// A number that is no constant.
    Variable,
    /// The handle of a resource.
    Resource(ResourceClass, ResourceKind),
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// The operation.
    pub op: DxOp,
    /// Its result.
    pub result: Part,
    /// The operands after the opcode.
    pub operands: &'a [Part],
}

/// A rule that a call breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// Which.
    pub rule: &'static Rule,
    /// How.
    pub message: String,
}

/// The instructions of the IR with their operations.
const OPERATIONS: &[(O, DxOp)] = &[
    (O::linalg_fill, op::LIN_ALG_FILL_MATRIX),
    (O::linalg_copy, op::LIN_ALG_COPY_CONVERT_MATRIX),
    (O::linalg_load, op::LIN_ALG_MATRIX_LOAD_FROM_DESCRIPTOR),
    (O::linalg_load_shared, op::LIN_ALG_MATRIX_LOAD_FROM_MEMORY),
    (O::linalg_length, op::LIN_ALG_MATRIX_LENGTH),
    (O::linalg_coordinate, op::LIN_ALG_MATRIX_GET_COORDINATE),
    (O::linalg_get, op::LIN_ALG_MATRIX_GET_ELEMENT),
    (O::linalg_set, op::LIN_ALG_MATRIX_SET_ELEMENT),
    (O::linalg_store, op::LIN_ALG_MATRIX_STORE_TO_DESCRIPTOR),
    (O::linalg_store_shared, op::LIN_ALG_MATRIX_STORE_TO_MEMORY),
    (O::linalg_accumulator_layout, op::LIN_ALG_MATRIX_QUERY_ACCUMULATOR_LAYOUT),
    (O::linalg_multiply, op::LIN_ALG_MATRIX_MULTIPLY),
    (O::linalg_accumulate, op::LIN_ALG_MATRIX_ACCUMULATE),
    (O::linalg_multiply_accumulate, op::LIN_ALG_MATRIX_MULTIPLY_ACCUMULATE),
    (O::linalg_vector, op::LIN_ALG_MAT_VEC_MUL),
    (O::linalg_vector_add, op::LIN_ALG_MAT_VEC_MUL_ADD),
    (O::linalg_add_to, op::LIN_ALG_MATRIX_ACCUMULATE_TO_DESCRIPTOR),
    (O::linalg_add_to_shared, op::LIN_ALG_MATRIX_ACCUMULATE_TO_MEMORY),
    (O::linalg_outer, op::LIN_ALG_MATRIX_OUTER_PRODUCT),
    (O::linalg_convert, op::LIN_ALG_CONVERT),
    (O::linalg_vector_add_to, op::LIN_ALG_VECTOR_ACCUMULATE_TO_DESCRIPTOR),
];

/// The operation of an instruction of linear algebra.
pub fn operation(op: O) -> Option<DxOp> {
    OPERATIONS.iter().find(|row| row.0 == op).map(|row| row.1)
}

/// Whether a parameter is groupshared memory, which is no operand of the instruction.
pub fn is_memory(ty: OpTy) -> bool {
    matches!(ty, OpTy::Gs(_))
}

/// Whether the operation is one of linear algebra.
pub fn is_operation(op: DxOp) -> bool {
    op.row().name.starts_with("LinAlg")
}

/// The rules that a call breaks.
pub fn check(call: &Call) -> Vec<Broken> {
    let mut c = Checker { call, out: Vec::new() };
    c.matrices();
    c.particular();
    c.out
}

struct Checker<'a> {
    call: &'a Call<'a>,
    out: Vec<Broken>,
}

impl Checker<'_> {
    fn add(&mut self, rule: &'static Rule, message: impl Into<String>) {
        self.out.push(Broken { rule, message: message.into() });
    }

    fn name(&self) -> &'static str {
        self.call.op.row().name
    }

    fn part(&self, n: usize) -> Part {
        self.call.operands.get(n).copied().unwrap_or(Part::Other)
    }

    fn matrix(&self, n: usize) -> Option<MatrixType> {
        if let Part::Matrix(t) = self.part(n) { Some(t) } else { None }
    }

    fn result(&self) -> Option<MatrixType> {
        if let Part::Matrix(t) = self.call.result { Some(t) } else { None }
    }

    /// What every matrix obeys.
    fn matrices(&mut self) {
        let names = self.call.op.row().params;
        let operands = self.call.operands.iter().zip(names).map(|(&p, n)| (p, format!("argument `{}`", n.0)));
        let all: Vec<(Part, String)> = std::iter::once((self.call.result, "the result".to_owned())).chain(operands).collect();
        for (part, what) in all {
            match part {
                Part::UnknownMatrix => {
                    self.add(rule::INSTR_LINALG_METADATA, format!("{what} is a matrix of which no metadata says what it is"));
                }
                Part::Matrix(t) => self.plain(t, &what),
                _ => {}
            }
        }
    }

    fn plain(&mut self, t: MatrixType, what: &str) {
        let (least, most) = t.inner_range();
        if let Some(k) = t.inner().filter(|k| !(least..=most).contains(k)) {
            let text = format!(
                "{what} is a {} matrix of use {} and scope {}, over whose dimension of {k} products sum: it must be {least} to {most}",
                t.dimensions(),
                t.use_name(),
                t.scope_name()
            );
            self.add(rule::INSTR_LINALG_K, text);
        }
        self.component(t.component, what);
    }

    fn component(&mut self, number: u32, what: &str) {
        if component_of(number).is_none_or(|c| c.stored.is_none()) {
            let text = format!("{what} has the component type {number} ({}), which no matrix has", component_name(number));
            self.add(rule::INSTR_LINALG_COMPONENT, text);
        }
    }

    /// The matrix is shared by a wave or a group.
    fn shared(&mut self, t: MatrixType, what: &str) {
        if !t.is_shared() {
            let text = format!("{what} has scope {}; {} takes matrices of scope Wave or ThreadGroup", t.scope_name(), self.name());
            self.add(rule::INSTR_LINALG_SCOPES, text);
        }
    }

    fn has_use(&mut self, t: MatrixType, use_: u32, what: &str) {
        if t.use_ != use_ {
            let text = format!("{what} has use {}; {} takes use {} there", t.use_name(), self.name(), name_in(USES, use_.into()));
            self.add(rule::INSTR_LINALG_USE, text);
        }
    }

    /// The constant that an operand is; reports where it is none.
    fn constant(&mut self, n: usize) -> Option<u64> {
        match self.part(n) {
            Part::Constant(v) => Some(v),
            _ => {
                let text = format!("argument `{}` of {} must be a constant", self.call.op.row().params[n].0, self.name());
                self.add(rule::INSTR_OP_CONST, text);
                None
            }
        }
    }

    fn particular(&mut self) {
        match self.call.op {
            op::LIN_ALG_FILL_MATRIX => {
                if let Some(t) = self.result() {
                    self.shared(t, "the result");
                }
            }
            op::LIN_ALG_MATRIX_LENGTH | op::LIN_ALG_MATRIX_GET_COORDINATE | op::LIN_ALG_MATRIX_GET_ELEMENT => {
                if let Some(t) = self.matrix(0) {
                    self.shared(t, "the matrix");
                }
            }
            op::LIN_ALG_MATRIX_SET_ELEMENT => {
                if let (Some(to), Some(from)) = (self.result(), self.matrix(0)) {
                    self.shared(from, "the matrix");
                    self.shared(to, "the result");
                }
            }
            op::LIN_ALG_COPY_CONVERT_MATRIX => self.copy(),
            op::LIN_ALG_MATRIX_LOAD_FROM_DESCRIPTOR => self.load(),
            op::LIN_ALG_MATRIX_STORE_TO_DESCRIPTOR => self.store(),
            op::LIN_ALG_MATRIX_ACCUMULATE_TO_DESCRIPTOR => self.accumulate_to(),
            op::LIN_ALG_MATRIX_MULTIPLY | op::LIN_ALG_MATRIX_MULTIPLY_ACCUMULATE => self.multiply(),
            op::LIN_ALG_MATRIX_ACCUMULATE => self.accumulate(),
            op::LIN_ALG_MAT_VEC_MUL | op::LIN_ALG_MAT_VEC_MUL_ADD => self.vector(),
            _ => {}
        }
    }

    fn copy(&mut self) {
        let (Some(to), Some(from)) = (self.result(), self.matrix(0)) else { return };
        let transposed = self.constant(1).is_some_and(|n| n & 1 == 1);
        self.shared(to, "the result");
        self.shared(from, "the matrix");
        if to.scope != from.scope {
            let text = format!("the result has scope {}, the matrix scope {}: a copy has the same", to.scope_name(), from.scope_name());
            self.add(rule::INSTR_LINALG_PARTS, text);
        }
        let expected = if transposed { (from.columns, from.rows) } else { (from.rows, from.columns) };
        if (to.rows, to.columns) != expected {
            let how = if transposed { "transposed copy" } else { "copy" };
            let text = format!(
                "the result is {}; the {how} of a matrix of {} is {}x{}",
                to.dimensions(),
                from.dimensions(),
                expected.0,
                expected.1
            );
            self.add(rule::INSTR_LINALG_PARTS, text);
        }
    }

    /// A matrix of a wave or group has a stride in memory.
    fn layout_of_shared(&mut self, t: MatrixType, layout: u64) {
        if t.is_shared() && layout >= LAYOUTS_WITH_STRIDE {
            let text = format!("layout {} with a matrix of scope {}: RowMajor or ColumnMajor is required", shown(layout), t.scope_name());
            self.add(rule::INSTR_LINALG_SCOPE_LAYOUT, text);
        }
    }

    fn no_stride(&mut self, layout: u64, at: usize) {
        if layout >= LAYOUTS_WITH_STRIDE && self.constant(at).is_some_and(|n| n != 0) {
            self.add(rule::INSTR_LINALG_STRIDE, format!("the stride must be 0 with layout {}", shown(layout)));
        }
    }

    fn alignment(&mut self, at: usize) {
        let Some(n) = self.constant(at) else { return };
        if n == 0 {
            self.add(rule::INSTR_PARAM_MINIMUM, "the alignment is 0: it must be a multiple of 128");
        } else if n % 128 != 0 {
            self.add(rule::INSTR_PARAM_MULTIPLE, format!("the alignment is {n}: it must be a multiple of 128"));
        }
    }

    fn writable(&mut self, at: usize) {
        if let Part::Resource(class, kind) = self.part(at)
            && (class, kind) != (ResourceClass::Uav, ResourceKind::RawBuffer)
        {
            let text = format!("{} writes to a RWByteAddressBuffer", self.name());
            self.add(rule::INSTR_LINALG_BUFFER, text);
        }
    }

    fn load(&mut self) {
        let Some(t) = self.result() else { return };
        if let Some(layout) = self.constant(3) {
            self.layout_of_shared(t, layout);
            self.no_stride(layout, 2);
        }
        self.alignment(4);
        if let Part::Resource(class, kind) = self.part(0)
            && t.scope == SCOPE_THREAD
            && (class, kind) != (ResourceClass::Srv, ResourceKind::RawBuffer)
        {
            self.add(rule::INSTR_LINALG_LOAD_BUFFER, "a matrix of scope Thread is loaded from a ByteAddressBuffer");
        }
    }

    fn store(&mut self) {
        let Some(t) = self.matrix(0) else { return };
        if let Some(layout) = self.constant(4).filter(|&l| l >= LAYOUTS_WITH_STRIDE) {
            let text = format!("{} with layout {}: RowMajor or ColumnMajor is required", self.name(), shown(layout));
            self.add(rule::INSTR_LINALG_LAYOUT, text);
        }
        self.shared(t, "the matrix");
        self.writable(1);
        self.alignment(5);
    }

    fn accumulate_to(&mut self) {
        let Some(t) = self.matrix(0) else { return };
        if let Some(layout) = self.constant(4) {
            if t.scope == SCOPE_THREAD && !matches!(layout, LAYOUT_OUTER_PRODUCT | LAYOUT_OUTER_PRODUCT_TRANSPOSED) {
                let text = format!(
                    "layout {} with a matrix of scope Thread: OuterProductOptimal or OuterProductOptimalTranspose is required",
                    shown(layout)
                );
                self.add(rule::INSTR_LINALG_SCOPE_LAYOUT, text);
            }
            self.layout_of_shared(t, layout);
            self.no_stride(layout, 3);
        }
        self.has_use(t, USE_ACCUMULATOR, "the matrix");
        self.writable(1);
        self.alignment(5);
    }

    /// `R = A * B`, `R = A * B + C`.
    fn multiply(&mut self) {
        let (Some(r), Some(a), Some(b)) = (self.result(), self.matrix(0), self.matrix(1)) else { return };
        let c = match (self.call.op, self.matrix(2)) {
            (op::LIN_ALG_MATRIX_MULTIPLY_ACCUMULATE, None) => return,
            (op::LIN_ALG_MATRIX_MULTIPLY_ACCUMULATE, c) => c,
            _ => None,
        };
        let mut all = vec![(a, USE_A, "matrix A"), (b, USE_B, "matrix B")];
        all.extend(c.map(|c| (c, USE_ACCUMULATOR, "matrix C")));
        all.push((r, USE_ACCUMULATOR, "the result"));
        for &(t, use_, what) in &all {
            self.has_use(t, use_, what);
            self.shared(t, what);
        }
        if all.iter().any(|x| x.0.scope != a.scope) {
            let scopes: Vec<String> = all.iter().map(|x| format!("{} {}", x.2, x.0.scope_name())).collect();
            let broken = if c.is_some() { rule::INSTR_LINALG_SCOPES_OF_FOUR } else { rule::INSTR_LINALG_SCOPES_OF_THREE };
            self.add(broken, format!("the matrices of a product have one scope, and these differ: {}", scopes.join(", ")));
        }
        if a.columns != b.rows {
            let text = format!(
                "a matrix of {} cannot be multiplied by one of {}: {} columns, {} rows",
                a.dimensions(),
                b.dimensions(),
                a.columns,
                b.rows
            );
            self.add(rule::INSTR_LINALG_K_OF_PRODUCT, text);
        }
        for (t, what) in c.map(|c| (c, "matrix C")).into_iter().chain([(r, "the result")]) {
            if (t.rows, t.columns) != (a.rows, b.columns) {
                let text = format!("{what} is {}; the product is {}x{}", t.dimensions(), a.rows, b.columns);
                self.add(rule::INSTR_LINALG_PRODUCT, text);
            }
        }
    }

    fn accumulate(&mut self) {
        let (Some(r), Some(left), Some(right)) = (self.result(), self.matrix(0), self.matrix(1)) else { return };
        if r != left {
            let text = format!("the result {} and the matrix {} that is added to must be of one type", r.mangled(), left.mangled());
            self.add(rule::INSTR_LINALG_EXACT, text);
        }
        self.has_use(r, USE_ACCUMULATOR, "the result");
        if !matches!(right.use_, USE_A | USE_B) {
            let text = format!("the matrix that is added has use {}: A or B is required", right.use_name());
            self.add(rule::INSTR_LINALG_USES, text);
        }
        if r.scope != right.scope {
            let text = format!("the result has scope {}, the matrix that is added {}", r.scope_name(), right.scope_name());
            self.add(rule::INSTR_LINALG_PARTS, text);
        }
        self.shared(right, "the matrix that is added");
        self.shared(r, "the result");
        if (r.rows, r.columns) != (right.rows, right.columns) {
            let text = format!("a matrix of {} cannot be added to one of {}", right.dimensions(), r.dimensions());
            self.add(rule::INSTR_LINALG_PARTS, text);
        }
    }

    /// A matrix times a vector, perhaps plus a vector.
    fn vector(&mut self) {
        let Some(t) = self.matrix(0) else { return };
        let Part::Vector(out, element, is_float) = self.call.result else { return };
        let Part::Vector(given, ..) = self.part(2) else { return };
        if t.scope != SCOPE_THREAD {
            let text = format!("the matrix has scope {}; vectors are multiplied by matrices of scope Thread", t.scope_name());
            self.add(rule::INSTR_LINALG_SCOPE, text);
        }
        self.has_use(t, USE_A, "the matrix");
        let interpretation = self.constant(3);
        if let Some(n) = interpretation {
            self.component(u32::try_from(n).unwrap_or(u32::MAX), "the vector");
        }
        let number = interpretation.and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
        let packed = component_of(number).and_then(|c| c.stored).map_or(4, Stored::per_scalar);
        let expected = t.columns.div_ceil(packed);
        if given != expected {
            let text = format!(
                "the vector has {given} components; a matrix of {} columns takes {expected} of type {}",
                t.columns,
                component_name(number)
            );
            self.add(rule::INSTR_LINALG_VECTOR_K, text);
        }
        if out != t.rows {
            self.add(rule::INSTR_LINALG_VECTOR, format!("the result has {out} components, the matrix {} rows", t.rows));
        }
        if self.constant(1) == Some(0) && is_float {
            self.add(rule::INSTR_LINALG_SIGN, format!("the result is of type {element}, which is signed"));
        }
        if let Part::Vector(count, bias, _) = self.part(4) {
            if count != t.rows {
                self.add(rule::INSTR_LINALG_VECTOR, format!("the vector that is added has {count} components, the matrix {} rows", t.rows));
            }
            if bias != element {
                self.add(rule::INSTR_LINALG_BIAS, format!("the result is of type {element}, the vector that is added of {bias}"));
            }
        }
    }
}

fn shown(layout: u64) -> &'static str {
    name_in(LAYOUTS, layout)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(numbers: [u32; ATTRIBUTE_ARGUMENTS]) -> Part {
        Part::Matrix(MatrixType::from_numbers(numbers))
    }

    fn broken(op: DxOp, result: Part, operands: &[Part]) -> Vec<&'static str> {
        check(&Call { op, result, operands }).into_iter().map(|b| b.rule.id).collect()
    }

    #[test]
    fn a_product_of_matrices_that_fit_breaks_no_rule() {
        let (a, b, c) = (matrix([4, 8, 4, 0, 2]), matrix([4, 4, 8, 1, 2]), matrix([4, 8, 8, 2, 2]));
        assert_eq!(broken(op::LIN_ALG_MATRIX_MULTIPLY, c, &[a, b]), Vec::<&str>::new());
        assert_eq!(
            broken(op::LIN_ALG_MATRIX_MULTIPLY, c, &[b, a]),
            ["INSTR.LINALGMATRIXUSEMISMATCH", "INSTR.LINALGMATRIXUSEMISMATCH", "INSTR.LINALGMATRIXMATRIXRESDIMMUSTMATCH"]
        );
    }

    #[test]
    fn packed_vectors_have_fewer_components() {
        let m = matrix([21, 7, 15, 0, 0]);
        let float = |n| Part::Vector(n, "half", true);
        let word = |n| Part::Vector(n, "i32", false);
        let one = Part::Constant(1);
        assert!(broken(op::LIN_ALG_MAT_VEC_MUL, float(7), &[m, one, word(4), Part::Constant(21)]).is_empty());
        assert!(broken(op::LIN_ALG_MAT_VEC_MUL, float(7), &[m, one, float(15), Part::Constant(8)]).is_empty());
        assert_eq!(
            broken(op::LIN_ALG_MAT_VEC_MUL, float(7), &[m, Part::Constant(0), word(15), Part::Constant(21)]),
            ["INSTR.LINALGMATRIXDIMKVECKMISMATCH", "INSTR.LINALGMATRIXUNSIGNEDFLOATTYPENOTALLOWED"]
        );
    }
}
