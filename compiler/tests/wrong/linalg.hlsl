//! Matrices of linear algebra: what their types and operations cannot be.

// CASE another_attribute_of_a_type -T cs_6_10 -E Main
[numthreads(1, 1, 1)] void Main() {
  __builtin_LinAlgMatrix [[unroll]] m;
//                         ^^^^^^ E0342 `unroll` is no attribute of a type
// = note: after a type there is only `__LinAlgMatrix_Attributes`; other attributes come before the declaration
}

// CASE matrix_attribute_of_another_type -T cs_6_10 -E Main
[numthreads(1, 1, 1)] void Main() {
  float [[__LinAlgMatrix_Attributes(9, 4, 4, 0, 1)]] m;
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0342 the attribute of a matrix on `float`: it can only be applied to `__builtin_LinAlgMatrix`
}

// CASE too_few_numbers_of_a_matrix -T cs_6_10 -E Main
[numthreads(1, 1, 1)] void Main() {
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 4, 4, 0)]] m;
//                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0342 `__LinAlgMatrix_Attributes` requires exactly 5 arguments, found 4
// = note: component type, rows, columns, use, scope
}

// CASE fraction_of_rows -T cs_6_10 -E Main
[numthreads(1, 1, 1)] void Main() {
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 4.5, 4, 0, 1)]] m;
//                                                      ^^^ E0342 an argument of `__LinAlgMatrix_Attributes` must be an integer or an enumerator, not `literal float`
}

// CASE negative_rows -T cs_6_10 -E Main
[numthreads(1, 1, 1)] void Main() {
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, -4, 4, 0, 1)]] m;
//                                                      ^^ E0342 -4 is no argument of `__LinAlgMatrix_Attributes`: it has 32 bits and no sign
}

// CASE rows_of_a_variable -T cs_6_10 -E Main
[numthreads(4, 1, 1)] void Main(uint n : SV_GroupIndex) {
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, n, 4, 0, 1)]] m;
//                                                      ^ E0324 expected a constant expression
}

// CASE matrix_without_its_attribute -T cs_6_10 -E Main
[numthreads(1, 1, 1)] void Main() {
  __builtin_LinAlgMatrix m;
//                       ^ E0342 `__builtin_LinAlgMatrix` is no type of a variable without its attribute, which says which matrix it is
// = note: `dx::linalg::Matrix<component type, rows, columns, use, scope>` of `<dx/linalg.h>` has it
}

// CASE header_in_an_older_model -T cs_6_9 -E Main
#include <dx/linalg.h>
[numthreads(32, 1, 1)] void Main() {
  using namespace dx::linalg;
//                    ^^^^^^ E0301 no member named `linalg` in namespace `dx`
// = note: `#include <dx/linalg.h>` declares it, in shader model 6.10 and HLSL 2021 or later
}

// CASE matrix_in_an_older_model -T cs_6_9 -E Main
[numthreads(32, 1, 1)] void Main() {
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 4, 4, 0, 1)]] m;
//                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0604 `__builtin_LinAlgMatrix` requires shader model 6.10, but the target is 6.9
}

// CASE conversion_in_an_older_model -T cs_6_9 -E Main
RWByteAddressBuffer Out;
[numthreads(32, 1, 1)] void Main() {
  Out.Store(0, __builtin_LinAlg_MatrixQueryAccumulatorLayout());
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0604 `__builtin_LinAlg_MatrixQueryAccumulatorLayout` requires shader model 6.10, but the target is 6.9
}

// CASE static_matrix -T cs_6_10 -E Main
#include <dx/linalg.h>
using namespace dx::linalg;
static Matrix<ComponentType::F32, 16, 16, MatrixUse::A, MatrixScope::Wave> m;
//                                                                         ^ E0307 a matrix of linear algebra cannot be in a static or global variable, a buffer or groupshared memory
// = note: declare it in the function that uses it, and pass it to other functions; `Load` and `Store` keep its numbers in memory
[numthreads(32, 1, 1)] void Main() {
}

// CASE shared_matrix -T cs_6_10 -E Main
groupshared __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 4, 4, 0, 1)]] m;
//                                                                              ^ E0505 `__builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 4, 4, 0, 1)]]` cannot be groupshared
[numthreads(32, 1, 1)] void Main() {
}

// CASE shared_matrix_in_a_ray_shader -T lib_6_10
#include <dx/linalg.h>
using namespace dx::linalg;
[shader("raygeneration")] void Main() {
  Matrix<ComponentType::F32, 16, 16, MatrixUse::Accumulator, MatrixScope::Wave> m =
    Matrix<ComponentType::F32, 16, 16, MatrixUse::Accumulator, MatrixScope::Wave>::Splat(1.0);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0602 `__builtin_LinAlg_FillMatrix` cannot be used in the raygeneration shader `Main`
// = note: it is only available in compute shaders
}

// CASE vector_too_long -T cs_6_10 -E Main
#include <dx/linalg.h>
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void Main() {
  __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(9, 4, 8, 0, 0)]] m;
  __builtin_LinAlg_MatrixLoadFromDescriptor(m, In, 0, 0, 2, 128);
  float4 result;
  float4 given = In.Load<float4>(0);
  __builtin_LinAlg_MatrixVectorMultiply(result, m, true, given, 9);
// @3 E0650 invalid `__builtin_LinAlg_MatrixVectorMultiply`: the vector has 4 components; a matrix of 8 columns takes 8 of type F32
  Out.Store(0, result);
}

// CASE alignment_of_a_matrix -T cs_6_10 -E Main
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void Main() {
  Matrix<ComponentType::F32, 4, 4, MatrixUse::A, MatrixScope::Thread> m =
    Matrix<ComponentType::F32, 4, 4, MatrixUse::A, MatrixScope::Thread>::Load<MatrixLayout::RowMajor, 64>(In, 0, 16);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0650 invalid `__builtin_LinAlg_MatrixLoadFromDescriptor`: the alignment is 64: it must be a multiple of 128
  Out.Store(0, Multiply<float>(m, In.Load<float4>(0)));
}

// CASE matrix_without_a_value -T cs_6_10 -E Main
#include <dx/linalg.h>
using namespace dx::linalg;
RWByteAddressBuffer Out;
[numthreads(32, 1, 1)] void Main() {
  Matrix<ComponentType::F32, 16, 16, MatrixUse::A, MatrixScope::Wave> m;
  m.Store(Out, 0, 64, MatrixLayout::RowMajor);
// @3 E0650 invalid `__builtin_LinAlg_MatrixStoreToDescriptor`: argument `matrix` is a matrix that has no value yet
}

// CASE shared_array_of_a_matrix_in_part -T cs_6_10 -E Main
#include <dx/linalg.h>
using namespace dx::linalg;
groupshared float Memory[2][256];
[numthreads(32, 1, 1)] void Main() {
  Matrix<ComponentType::F32, 16, 16, MatrixUse::A, MatrixScope::Wave> m =
    Matrix<ComponentType::F32, 16, 16, MatrixUse::A, MatrixScope::Wave>::Load(Memory[1], 0, 16, MatrixLayout::RowMajor);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0650 a part of a groupshared variable holds no matrix: pass the whole array
}

// CASE layout_that_is_no_constant -T cs_6_10 -E Main
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(32, 1, 1)] void Main(uint n : SV_GroupIndex) {
  Matrix<ComponentType::F32, 16, 16, MatrixUse::A, MatrixScope::Wave> m =
    Matrix<ComponentType::F32, 16, 16, MatrixUse::A, MatrixScope::Wave>::Load(In, 0, 64, (MatrixLayoutEnum)n);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0650 invalid `__builtin_LinAlg_MatrixLoadFromDescriptor`: argument `layout` of LinAlgMatrixLoadFromDescriptor must be a constant
  Out.Store(0, m.Get(0));
}

// CASE dimensions_in_spirv -T cs_6_10 -E Main -spirv
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(32, 1, 1)] void Main() {
  Out.Store(0, Multiply<float>(Matrix<ComponentType::F32, 4, 3, MatrixUse::A, MatrixScope::Thread>::Load<MatrixLayout::RowMajor>(In, 0, 16), In.Load<float3>(0)));
//                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0650 invalid `__builtin_LinAlg_MatrixLoadFromDescriptor`: the result is a 4x3 matrix of use A and scope Thread, over whose dimension of 3 products sum: it must be 4 to 128
}

// CASE sum_in_groupshared_halves_in_spirv -T cs_6_10 -E Main -enable-16bit-types -spirv
#include <dx/linalg.h>
using namespace dx::linalg;
groupshared float16_t Shared[256];
[numthreads(32, 1, 1)] void Main() {
  Matrix<ComponentType::F16, 16, 16, MatrixUse::Accumulator, MatrixScope::Wave>::Splat(1).InterlockedAccumulate(Shared, 0, 16, MatrixLayout::RowMajor);
// @3 E0904 linear algebra: an atomic sum in a groupshared array of numbers of 16 bits is not supported yet in SPIR-V
}

// CASE matrix_too_large_for_a_group_in_spirv -T cs_6_10 -E Main -spirv
#include <dx/linalg.h>
using namespace dx::linalg;
RWByteAddressBuffer Out;
[numthreads(2, 1, 1)] void Main() {
  Matrix<ComponentType::F32, 256, 256, MatrixUse::A, MatrixScope::ThreadGroup>::Splat(1).Store(Out, 0, 1024, MatrixLayout::RowMajor);
// @3 E0904 linear algebra: a matrix of 256x256 in groups of 2 threads is not supported yet in SPIR-V
}

// CASE matrix_of_a_thread_without_a_value -T cs_6_10 -E Main -spirv
#include <dx/linalg.h>
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void Main() {
  dx::linalg::Matrix<dx::linalg::ComponentType::F32, 4, 4, dx::linalg::MatrixUse::A, dx::linalg::MatrixScope::Thread> m;
  Out.Store<float4>(0, dx::linalg::Multiply<float>(m, float4(1, 2, 3, 4)));
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0650 invalid `__builtin_LinAlg_MatrixVectorMultiply`: its matrix has no value, since no matrix of a thread is loaded
}

// CASE cooperative_vectors_of_floats -T cs_6_10 -E Main -enable-16bit-types -spirv -fspv-linalg=nv
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void Main() {
  typedef Matrix<ComponentType::F32, 4, 4, MatrixUse::A, MatrixScope::Thread> M;
  Out.Store(0, Multiply<float>(M::Load<MatrixLayout::RowMajor>(In, 0, 16), In.Load<float4>(64)));
//                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0904 linear algebra: a matrix of numbers of type F32 is not supported with cooperative vectors; use -fspv-linalg=lower
}

// CASE cooperative_vectors_of_small_floats_by_rows -T cs_6_10 -E Main -enable-16bit-types -spirv -fspv-linalg=nv
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void Main() {
  typedef Matrix<ComponentType::F8_E4M3FN, 4, 4, MatrixUse::A, MatrixScope::Thread> M;
  Out.Store(0, Multiply<float16_t>(M::Load<MatrixLayout::RowMajor>(In, 0, 16), MakeInterpretedVector<ComponentType::F8_E4M3FN>(vector<uint, 1>(In.Load(64)))));
//                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0904 linear algebra: a matrix of numbers of type F8_E4M3FN is not supported with cooperative vectors; use -fspv-linalg=lower
}

// CASE cooperative_vectors_of_bytes_transposed -T cs_6_10 -E Main -enable-16bit-types -spirv -fspv-linalg=nv
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void Main() {
  typedef Matrix<ComponentType::I8, 4, 4, MatrixUse::A, MatrixScope::Thread> M;
  Out.Store(0, Multiply<int>(M::Load<MatrixLayout::MulOptimalTranspose>(In, 0, 0), MakeInterpretedVector<ComponentType::I8>(vector<uint, 1>(In.Load(64)))));
//                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0904 linear algebra: a matrix of numbers of type I8 in layout MulOptimalTranspose is not supported with cooperative vectors; use -fspv-linalg=lower
}

// CASE cooperative_vectors_between_words -T cs_6_10 -E Main -enable-16bit-types -spirv -fspv-linalg=nv
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void Main() {
  typedef Matrix<ComponentType::F16, 4, 4, MatrixUse::A, MatrixScope::Thread> M;
  Out.Store(0, Multiply<float16_t>(M::Load<MatrixLayout::RowMajor>(In, 32, 16), In.Load<float16_t4>(64)));
//                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0904 linear algebra: a matrix at byte 32, which is no multiple of 64, is not supported with cooperative vectors; use -fspv-linalg=lower
}

// CASE cooperative_vectors_with_a_small_stride -T cs_6_10 -E Main -enable-16bit-types -spirv -fspv-linalg=nv
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void Main() {
  typedef Matrix<ComponentType::F16, 4, 4, MatrixUse::A, MatrixScope::Thread> M;
  Out.Store(0, Multiply<float16_t>(M::Load<MatrixLayout::RowMajor>(In, 128, 8), In.Load<float16_t4>(64)));
//                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0904 linear algebra: a matrix with a stride of 8 bytes, which is no multiple of 16, is not supported with cooperative vectors; use -fspv-linalg=lower
}

// CASE cooperative_vectors_with_another_result -T cs_6_10 -E Main -enable-16bit-types -spirv -fspv-linalg=nv
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void Main() {
  typedef Matrix<ComponentType::F16, 4, 4, MatrixUse::A, MatrixScope::Thread> M;
  Out.Store(0, Multiply<float>(M::Load<MatrixLayout::RowMajor>(In, 0, 16), In.Load<float16_t4>(64)));
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0904 linear algebra: a product of a matrix of numbers of type F16 whose result has components of type f32 is not supported with cooperative vectors; use -fspv-linalg=lower
}

// CASE cooperative_vectors_with_another_vector -T cs_6_10 -E Main -enable-16bit-types -spirv -fspv-linalg=nv
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void Main() {
  typedef Matrix<ComponentType::F8_E5M2, 4, 4, MatrixUse::A, MatrixScope::Thread> M;
  Out.Store(0, Multiply<float16_t>(M::Load<MatrixLayout::MulOptimal>(In, 0, 0), In.Load<float16_t4>(64)));
//                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0904 linear algebra: a matrix of numbers of type F8_E5M2 is not supported with cooperative vectors; use -fspv-linalg=lower
}

// CASE cooperative_vectors_and_products_of_floats -T cs_6_10 -E Main -enable-16bit-types -spirv -fspv-linalg=nv
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void Main() {
  OuterProduct<ComponentType::F32>(In.Load<float4>(0), In.Load<float4>(16)).InterlockedAccumulate(Out, 0);
// @3 E0904 linear algebra: a sum of products of numbers of type F32 is not supported with cooperative vectors; use -fspv-linalg=lower
}

// CASE cooperative_vectors_and_products_of_bytes -T cs_6_10 -E Main -enable-16bit-types -spirv -fspv-linalg=nv
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void Main() {
  OuterProduct<ComponentType::I32>(In.Load<int4>(0), In.Load<int4>(16)).InterlockedAccumulate(Out, 0);
// @3 E0904 linear algebra: a sum of products of numbers of type I32 is not supported with cooperative vectors; use -fspv-linalg=lower
}
