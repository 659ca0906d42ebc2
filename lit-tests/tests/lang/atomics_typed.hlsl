// Atomic operations on typed buffers and textures, of 64 bits too, and on elements of matrices; the features that they need.
// RUN: %rtc -T cs_6_6 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T cs_6_6 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck %s --check-prefix=SPIRV

RWBuffer<uint> C : register(u0);
RWBuffer<int> Ci : register(u1);
RWTexture3D<int> E : register(u2);
RWTexture1D<float> F : register(u3);
RWTexture2DArray<uint> D : register(u4);
RWBuffer<uint64_t> C64 : register(u5);
RWTexture2D<int64_t> T64 : register(u6);
groupshared int3x2 M;
groupshared int64_t L[2];

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex)
{
    uint o; int io; float fo; uint64_t lo; int64_t so;
    InterlockedAdd(C[i], 4, o);
    InterlockedMin(Ci[i], -4, io);
    InterlockedMax(E[uint3(i, 1, 2)], -4);
    InterlockedExchange(F[i], 4, fo);
    InterlockedCompareExchange(D[uint3(i, 1, 2)], 4, 5, o);
    InterlockedAdd(C64[i], 4, lo);
    InterlockedMin(T64[uint2(i, i)], -4, so);
    InterlockedCompareExchange(C64[i], 4, 5, lo);
    InterlockedMax(M._m11, 3);
    InterlockedMax(M[i % 3][1], 3, io);
    InterlockedMax(L[i & 1], -3, so);
    C[0] = o + io + uint(fo) + uint(lo) + uint(so);
}
// CHECK: Note: shader requires additional functionality:
// CHECK-DAG: 64-Bit integer
// CHECK-DAG: 64-bit Atomics on Typed Resources
// CHECK-DAG: 64-bit Atomics on Group Shared
// CHECK: call i64 @dx.op.atomicBinOp.i64(i32 78
// CHECK: call i64 @dx.op.atomicCompareExchange.i64(i32 79
// CHECK: atomicrmw max {{.*}}i64

// SPIRV-DAG: OpCapability Int64Atomics
// SPIRV-DAG: OpCapability Int64ImageEXT
// SPIRV-DAG: OpExtension "SPV_EXT_shader_image_int64"
// SPIRV: OpImageTexelPointer
// SPIRV: OpAtomicIAdd
