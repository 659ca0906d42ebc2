//! Cases of rules for matrices of linear algebra. Metadata says what a matrix type is: most cases change a number there.

use super::Case;
use super::edit::Edit;
use rtc_dxil_module::Value;
use rtc_tables::linalg::{DXIL_TYPE, TARGET_TYPES};
use rtc_tables::validation::rule;

const FILLED: &str = "// rtc -T cs_6_10 -E main
RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 16, 16, 0, 1)]] m;
  __builtin_LinAlg_FillMatrix(m, 1.0f);
  float x;
  __builtin_LinAlg_MatrixGetElement(x, m, i);
  o.Store(4 * i, x);
}";

const COPIED: &str = "// rtc -T cs_6_10 -E main
RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 16, 8, 0, 1)]] m;
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 8, 16, 1, 1)]] n;
  __builtin_LinAlg_FillMatrix(m, 1.0f);
  __builtin_LinAlg_CopyConvertMatrix(n, m, true);
  float x;
  __builtin_LinAlg_MatrixGetElement(x, n, i);
  o.Store(4 * i, x);
}";

const PRODUCT: &str = "// rtc -T cs_6_10 -E main
RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 16, 8, 0, 1)]] a;
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 8, 16, 1, 1)]] b;
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 16, 16, 2, 1)]] c;
  __builtin_LinAlg_FillMatrix(a, 1.0f);
  __builtin_LinAlg_FillMatrix(b, 1.0f);
  __builtin_LinAlg_MatrixMatrixMultiply(c, a, b);
  float x;
  __builtin_LinAlg_MatrixGetElement(x, c, i);
  o.Store(4 * i, x);
}";

const PRODUCT_AND_SUM: &str = "// rtc -T cs_6_10 -E main
RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 16, 8, 0, 1)]] a;
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 8, 16, 1, 1)]] b;
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 16, 16, 2, 1)]] c;
  __builtin_LinAlg_FillMatrix(a, 1.0f);
  __builtin_LinAlg_FillMatrix(b, 1.0f);
  __builtin_LinAlg_FillMatrix(c, 1.0f);
  __builtin_LinAlg_MatrixMatrixMultiplyAccumulate(c, a, b, c);
  float x;
  __builtin_LinAlg_MatrixGetElement(x, c, i);
  o.Store(4 * i, x);
}";

const SUM: &str = "// rtc -T cs_6_10 -E main
RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 16, 16, 2, 1)]] c;
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 16, 16, 0, 1)]] a;
  __builtin_LinAlg_FillMatrix(c, 1.0f);
  __builtin_LinAlg_FillMatrix(a, 1.0f);
  __builtin_LinAlg_MatrixAccumulate(c, c, a);
  float x;
  __builtin_LinAlg_MatrixGetElement(x, c, i);
  o.Store(4 * i, x);
}";

const MEMORY: &str = "// rtc -T cs_6_10 -E main
RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main() {
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 16, 16, 2, 1)]] m;
  __builtin_LinAlg_MatrixLoadFromDescriptor(m, o, 0, 0, 0, 128);
  __builtin_LinAlg_MatrixStoreToDescriptor(m, o, 2048, 64, 0, 128);
  __builtin_LinAlg_MatrixAccumulateToDescriptor(m, o, 4096, 64, 0, 128);
}";

const VECTOR: &str = "// rtc -T cs_6_10 -E main
ByteAddressBuffer b;
RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main() {
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 8, 4, 0, 0)]] m;
  __builtin_LinAlg_MatrixLoadFromDescriptor(m, b, 0, 16, 0, 128);
  vector<float, 8> x;
  float4 y = b.Load<float4>(1024);
  __builtin_LinAlg_MatrixVectorMultiply(x, m, true, y, 9);
  o.Store(0, x);
}";

const VECTOR_AND_SUM: &str = "// rtc -T cs_6_10 -E main
ByteAddressBuffer b;
RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main() {
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 8, 4, 0, 0)]] m;
  __builtin_LinAlg_MatrixLoadFromDescriptor(m, b, 0, 16, 0, 128);
  vector<float, 8> x;
  float4 y = b.Load<float4>(1024);
  vector<float, 8> z = b.Load<vector<float, 8> >(2048);
  __builtin_LinAlg_MatrixVectorMultiplyAdd(x, m, true, y, 9, z);
  o.Store(0, x);
}";

/// The places of the numbers of a matrix type in its metadata.
const COMPONENT: usize = 1;
const ROWS: usize = 2;
const COLUMNS: usize = 3;
const USE: usize = 4;
const SCOPE: usize = 5;

/// Makes a number of matrix type `node` another one.
fn set(e: &mut Edit, node: usize, elem: usize, number: i32) {
    let number = e.m.meta_i32(number);
    e.set_elem(TARGET_TYPES, node, elem, Some(number));
}

/// Adds the second matrix to itself, as if the sum were the first.
fn sum_of_another_type(e: &mut Edit) {
    const NAME: &str = "dx.op.linAlgMatrixAccumulate.mC9M16N16U2S1.mC9M16N16U0S1.mC9M16N16U0S1";
    let (func, inst) = e.call("LinAlgMatrixAccumulate");
    let result = e.body(func).insts[inst].ty;
    let a = e.arg("LinAlgMatrixAccumulate", 2);
    assert!(e.m.types.struct_name(result).is_some_and(|n| n.starts_with(DXIL_TYPE)));
    e.insert_call("LinAlgMatrixAccumulate", NAME, result, &[a, a]);
}

/// Adds a vector of integers to a product of floats.
fn bias_of_integers(e: &mut Edit) {
    const OP: &str = "LinAlgMatVecMulAdd";
    let (func, inst) = e.call(OP);
    let result = e.body(func).insts[inst].ty;
    let mut args: Vec<Value> = (1..5).map(|n| e.arg(OP, n)).collect();
    let int = e.m.types.i32();
    let ints = e.m.types.vector(int, 8);
    args.push(e.m.null(ints));
    e.insert_call(OP, "dx.op.linAlgMatVecMulAdd.v8f32.mC9M8N4U0S0.v4f32.v8i32", result, &args);
}

/// Says that a product of floats is unsigned.
fn unsigned(e: &mut Edit) {
    let no = e.m.i1(false);
    e.give("LinAlgMatVecMul", 2, no);
}

/// The bit of a handle's properties that says that its resource is written.
const WRITABLE: i64 = 1 << 12;

#[rustfmt::skip]
pub const CASES: &[Case] = &[
    Case { rule: rule::INSTR_LINALG_METADATA, source: FILLED, edit: |e| e.set_named(TARGET_TYPES, &[]), reference: "" },
    Case { rule: rule::INSTR_UNINITIALIZED, source: FILLED, edit: |e| e.undefine("LinAlgMatrixGetElement", 1), reference: "" },
    Case { rule: rule::INSTR_LINALG_COMPONENT, source: FILLED, edit: |e| set(e, 0, COMPONENT, 1), reference: "" },
    Case { rule: rule::INSTR_LINALG_K, source: FILLED, edit: |e| set(e, 0, COLUMNS, 3), reference: "" },
    Case { rule: rule::INSTR_LINALG_K, source: FILLED, edit: |e| set(e, 0, COLUMNS, 129), reference: "" },
    Case { rule: rule::INSTR_LINALG_SCOPES, source: FILLED, edit: |e| set(e, 0, SCOPE, 0), reference: "" },
    Case { rule: rule::INSTR_LINALG_PARTS, source: COPIED, edit: |e| set(e, 1, COLUMNS, 8), reference: "" },
    Case { rule: rule::INSTR_LINALG_PARTS, source: COPIED, edit: |e| set(e, 1, SCOPE, 2), reference: "" },
    Case { rule: rule::INSTR_LINALG_USE, source: PRODUCT, edit: |e| set(e, 0, USE, 1), reference: "" },
    Case { rule: rule::INSTR_LINALG_SCOPES_OF_THREE, source: PRODUCT, edit: |e| set(e, 0, SCOPE, 2), reference: "" },
    Case { rule: rule::INSTR_LINALG_K_OF_PRODUCT, source: PRODUCT, edit: |e| set(e, 0, COLUMNS, 16), reference: "" },
    Case { rule: rule::INSTR_LINALG_PRODUCT, source: PRODUCT, edit: |e| set(e, 2, ROWS, 8), reference: "" },
    Case { rule: rule::INSTR_LINALG_SCOPES_OF_FOUR, source: PRODUCT_AND_SUM, edit: |e| set(e, 0, SCOPE, 2), reference: "" },
    Case { rule: rule::INSTR_LINALG_PRODUCT, source: PRODUCT_AND_SUM, edit: |e| set(e, 2, COLUMNS, 8), reference: "" },
    Case { rule: rule::INSTR_LINALG_USES, source: SUM, edit: |e| set(e, 1, USE, 2), reference: "" },
    Case { rule: rule::INSTR_LINALG_PARTS, source: SUM, edit: |e| set(e, 1, ROWS, 8), reference: "" },
    Case { rule: rule::INSTR_LINALG_EXACT, source: SUM, edit: sum_of_another_type, reference: "" },
    Case { rule: rule::INSTR_LINALG_SCOPE_LAYOUT, source: MEMORY, edit: |e| e.give_i32("LinAlgMatrixLoadFromDescriptor", 4, 2), reference: "" },
    Case { rule: rule::INSTR_LINALG_LAYOUT, source: MEMORY, edit: |e| e.give_i32("LinAlgMatrixStoreToDescriptor", 5, 2), reference: "" },
    Case { rule: rule::INSTR_PARAM_MINIMUM, source: MEMORY, edit: |e| e.give_i32("LinAlgMatrixStoreToDescriptor", 6, 0), reference: "" },
    Case { rule: rule::INSTR_PARAM_MULTIPLE, source: MEMORY, edit: |e| e.give_i32("LinAlgMatrixAccumulateToDescriptor", 6, 64), reference: "" },
    Case { rule: rule::INSTR_LINALG_USE, source: MEMORY, edit: |e| set(e, 0, USE, 0), reference: "" },
    Case { rule: rule::INSTR_LINALG_BUFFER, source: MEMORY, edit: |e| e.flip("LinAlgMatrixStoreToDescriptor", 2, WRITABLE), reference: "" },
    Case { rule: rule::INSTR_LINALG_STRIDE, source: VECTOR, edit: |e| e.give_i32("LinAlgMatrixLoadFromDescriptor", 4, 2), reference: "" },
    Case { rule: rule::INSTR_LINALG_LOAD_BUFFER, source: VECTOR, edit: |e| e.flip("LinAlgMatrixLoadFromDescriptor", 1, WRITABLE), reference: "" },
    Case { rule: rule::INSTR_LINALG_SCOPE, source: VECTOR, edit: |e| set(e, 0, SCOPE, 1), reference: "" },
    Case { rule: rule::INSTR_LINALG_VECTOR, source: VECTOR, edit: |e| set(e, 0, ROWS, 4), reference: "" },
    Case { rule: rule::INSTR_LINALG_VECTOR_K, source: VECTOR, edit: |e| set(e, 0, COLUMNS, 8), reference: "" },
    Case { rule: rule::INSTR_LINALG_SIGN, source: VECTOR, edit: unsigned, reference: "" },
    Case { rule: rule::INSTR_LINALG_BIAS, source: VECTOR_AND_SUM, edit: bias_of_integers, reference: "" },
];
