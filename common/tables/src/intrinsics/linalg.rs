//! Built-in functions on matrices of linear algebra (proposal 0035 of HLSL), which the header `dx/linalg.h` calls. Arguments after the one for the
//! result are in the order of the DXIL operation's operands.

use super::pattern::*;
use super::{Expander as X, Intrinsic, Lower, Object, free};
use crate::insts::Opcode as Op;
use crate::linalg::MODEL;
use crate::stages::StageMask;

const M: Pat = Pat::Linalg;
const OUT: Param = o(M);
const IN: Param = i(M);
const U: Param = i(UINT);
const BUFFER: Param = i(Pat::Object(Object::ByteAddressBuffer));
const WRITABLE: Param = i(Pat::Object(Object::RWByteAddressBuffer));
const SHARED: Param = r(Pat::SharedArray);
const NUMBER: Pat = Pat::Num(Shape::Scalar, Class::Linalg);
const VECTOR: Pat = Pat::Num(Shape::Vec(Dim::C), Class::Linalg);
const OTHER: Pat = Pat::Num(Shape::Vec(Dim::C2), Class::Linalg);

/// A function that every stage may call.
const fn any(name: &'static str, names: &'static str, params: &'static [Param], ret: Pat, op: Op) -> Intrinsic {
    let row = free(name, names, params, ret, StageMask::ALL, Lower::Expand(X::Linalg(op)));
    row.sm(MODEL)
}

/// A function about matrices that threads share: of compute shaders.
const fn shared(name: &'static str, names: &'static str, params: &'static [Param], ret: Pat, op: Op) -> Intrinsic {
    any(name, names, params, ret, op).stages(StageMask::CS.with_library())
}

/// The rows of this family.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    shared("__builtin_LinAlg_FillMatrix", "ret value", &[OUT, i(NUMBER)], VOID, Op::linalg_fill),
    shared("__builtin_LinAlg_CopyConvertMatrix", "ret source transpose", &[OUT, IN, i(BOOL)], VOID, Op::linalg_copy),
    any("__builtin_LinAlg_MatrixLoadFromDescriptor", "ret buf offset stride layout align", &[OUT, BUFFER, U, U, U, U], VOID, Op::linalg_load),
    any("__builtin_LinAlg_MatrixLoadFromDescriptor", "ret buf offset stride layout align", &[OUT, WRITABLE, U, U, U, U], VOID, Op::linalg_load),
    shared("__builtin_LinAlg_MatrixLoadFromMemory", "ret memory offset stride layout", &[OUT, SHARED, U, U, U], VOID, Op::linalg_load_shared),
    shared("__builtin_LinAlg_MatrixLength", "matrix", &[IN], UINT, Op::linalg_length),
    shared("__builtin_LinAlg_MatrixGetCoordinate", "matrix threadLocalIndex", &[IN, U], vec(2, Class::Uint), Op::linalg_coordinate),
    shared("__builtin_LinAlg_MatrixGetElement", "ret matrix threadLocalIndex", &[o(NUMBER), IN, U], VOID, Op::linalg_get),
    shared("__builtin_LinAlg_MatrixSetElement", "ret matrix threadLocalIndex value", &[OUT, IN, U, i(NUMBER)], VOID, Op::linalg_set),
    shared("__builtin_LinAlg_MatrixStoreToDescriptor", "matrix buf offset stride layout align", &[IN, WRITABLE, U, U, U, U], VOID, Op::linalg_store),
    shared("__builtin_LinAlg_MatrixStoreToMemory", "matrix memory offset stride layout", &[IN, SHARED, U, U, U], VOID, Op::linalg_store_shared),
    any("__builtin_LinAlg_MatrixQueryAccumulatorLayout", "", &[], UINT, Op::linalg_accumulator_layout),
    shared("__builtin_LinAlg_MatrixMatrixMultiply", "matrixC matrixA matrixB", &[OUT, IN, IN], VOID, Op::linalg_multiply),
    shared("__builtin_LinAlg_MatrixMatrixMultiplyAccumulate", "matrixR matrixA matrixB matrixC", &[OUT, IN, IN, IN], VOID, Op::linalg_multiply_accumulate),
    shared("__builtin_LinAlg_MatrixAccumulate", "matrixC matrixLHS matrixRHS", &[OUT, IN, IN], VOID, Op::linalg_accumulate),
    any("__builtin_LinAlg_MatrixVectorMultiply", "ret mat isOutputSigned input inputInterp", &[o(VECTOR), IN, i(BOOL), i(OTHER), U], VOID, Op::linalg_vector),
    any("__builtin_LinAlg_MatrixVectorMultiplyAdd", "ret mat isOutputSigned input inputInterp bias", &[o(VECTOR), IN, i(BOOL), i(OTHER), U, i(VECTOR)], VOID, Op::linalg_vector_add),
    any("__builtin_LinAlg_MatrixAccumulateToDescriptor", "matrix buf offset stride layout align", &[IN, WRITABLE, U, U, U, U], VOID, Op::linalg_add_to),
    shared("__builtin_LinAlg_MatrixAccumulateToMemory", "matrix memory targetType offset stride layout", &[IN, SHARED, U, U, U, U], VOID, Op::linalg_add_to_shared),
    any("__builtin_LinAlg_MatrixOuterProduct", "ret vecA vecB", &[OUT, i(VECTOR), i(OTHER)], VOID, Op::linalg_outer),
    any("__builtin_LinAlg_Convert", "ret vec input_interp output_interp", &[o(VECTOR), i(OTHER), U, U], VOID, Op::linalg_convert),
    any("__builtin_LinAlg_VectorAccumulateToDescriptor", "buf offset align vec", &[WRITABLE, U, U, i(VECTOR)], VOID, Op::linalg_vector_add_to),
];
