// Products with matrices of threads and sums of vectors by cooperative vectors of SPIR-V, on devices that have them; the same as plain arithmetic and on the
// CPU device. Matrices by rows and by columns are the same on all devices.
// rtc -T cs_6_10 -E main -enable-16bit-types
// scene: Inputs/matrices.toml
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -fspv-linalg=nv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -fspv-linalg=nv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-where-possible %s -o %T -- -no-warnings -fspv-linalg=nv
// RUN: %rtc-run-where-possible %s -o %T -- -no-warnings -fspv-linalg=nv -Od
#include "Inputs/linalg.hlsli"

typedef Matrix<ComponentType::F16, 3, 5, MatrixUse::A, MatrixScope::Thread> Halves;
typedef Matrix<ComponentType::I8, 3, 5, MatrixUse::A, MatrixScope::Thread> Bytes;

[numthreads(4, 1, 1)] void main(uint index : SV_GroupIndex)
{
    // Sums over four threads.
    InterlockedAccumulate(Sums, 0, vector<float, 5>(1, 0.5, -2, 8, 0.25));
    InterlockedAccumulate(Sums, 64, vector<float16_t, 3>(1, 0.5, -2));
    InterlockedAccumulate(Sums, 128, int2(7, -1));
    // Sums of so few products are exact.
    OuterProduct<ComponentType::F16>(vector<float16_t, 4>(1, 2, 3, 1), vector<float16_t, 8>(1, 0, 2, 1, 4, 0, 0, 0.5)).InterlockedAccumulate(Sums, 4096);
    AllMemoryBarrierWithGroupSync();
    if (index) return;
    ISF(asfloat(Sums.Load(0)), 4); ISF(asfloat(Sums.Load(4)), 2); ISF(asfloat(Sums.Load(8)), -8); ISF(asfloat(Sums.Load(12)), 32); ISF(asfloat(Sums.Load(16)), 1);
    ISF(f16tof32(Sums.Load(64)), 4); ISF(f16tof32(Sums.Load(64) >> 16), 2); ISF(f16tof32(Sums.Load(68)), -8);
    IS(Sums.Load(128), 28); IS(Sums.Load(132), -4);
    // Where each product is depends on the device; all together they are the product of the sums.
    float halves = 0;
    for (uint n = 0; n < 512; ++n) {
        halves += f16tof32(Sums.Load(4096 + n * 4)) + f16tof32(Sums.Load(4096 + n * 4) >> 16);
    }
    ISF(halves, 4 * 7 * 8.5f);

    // Rows of the matrix: -3 2 0 -2 3; 0 -2 3 1 -1; 3 1 -1 -3 2.
    Halves rows = Halves::Load<MatrixLayout::RowMajor>(Weights, 0, 32);
    Halves columns = Halves::Load<MatrixLayout::ColMajor>(Weights, 128, 16);
    vector<float16_t, 5> x = { 1, -2, 0.5, 4, 0.25 };
    float16_t3 y = Multiply<float16_t>(rows, x);
    ISF(y.x, -14.25f); ISF(y.y, 9.25f); ISF(y.z, -11);
    y = Multiply<float16_t>(columns, x);
    ISF(y.x, -14.25f); ISF(y.y, 9.25f); ISF(y.z, -11);
    y = MultiplyAdd<float16_t>(columns, x, vector<float16_t, 3>(0.25, -0.25, 100));
    ISF(y.x, -14); ISF(y.y, 9); ISF(y.z, 89);
    // A bias of another type, and one in memory: the first column.
    y = MultiplyAdd<float16_t>(rows, x, float3(0.25, -0.25, 100));
    ISF(y.x, -14); ISF(y.y, 9); ISF(y.z, 89);
    VectorRef<ComponentType::F16, 3> bias = { Weights, 128 };
    y = MultiplyAdd<float16_t>(rows, x, bias);
    ISF(y.x, -17.25f); ISF(y.y, 9.25f); ISF(y.z, -8);
    // Vectors of narrower numbers are halves: 1, -2, 3, -4 and 5; 1, 0.5, -2, 0.25 and 4, of both kinds.
    y = Multiply<float16_t>(rows, MakeInterpretedVector<ComponentType::I8>(uint2(0xfc03fe01, 0xee05)));
    ISF(y.x, 16); ISF(y.y, 4); ISF(y.z, 20);
    y = Multiply<float16_t>(rows, MakeInterpretedVector<ComponentType::F8_E4M3FN>(uint2(0x28c03038, 0x48)));
    ISF(y.x, 9.5f); ISF(y.y, -10.75f); ISF(y.z, 12.75f);
    y = Multiply<float16_t>(rows, MakeInterpretedVector<ComponentType::F8_E5M2>(uint2(0x34c0383c, 0x44)));
    ISF(y.x, 9.5f); ISF(y.y, -10.75f); ISF(y.z, 12.75f);

    // Bytes: sums with and without sign, saturated, as floats.
    Bytes bytes = Bytes::Load<MatrixLayout::RowMajor>(Weights, 6 * 768, 32);
    InterpretedVector<uint, 2, ComponentType::I8> v = MakeInterpretedVector<ComponentType::I8>(uint2(0xfc03fe01, 0x05));
    int3 sums = Multiply<int>(bytes, v);
    IS(sums.x, 16); IS(sums.y, 4); IS(sums.z, 20);
    sums = MultiplyAdd<int>(Bytes::Load<MatrixLayout::ColMajor>(Weights, 6 * 768 + 128, 16), v, int3(-17, 0, 1 << 20));
    IS(sums.x, -1); IS(sums.y, 4); IS(sums.z, 20 + (1 << 20));
    uint3 none = Multiply<uint>(bytes, MakeInterpretedVector<ComponentType::I8>(uint2(1, 0)));
    IS(none.x, 0); IS(none.y, 0); IS(none.z, 3);
    float3 floats = MultiplyAdd<float>(bytes, v, float3(0.5, 0.25, -0.125));
    ISF(floats.x, 16.5f); ISF(floats.y, 4.25f); ISF(floats.z, 19.875f);
    int16_t3 narrow = MultiplyAdd<int16_t>(bytes, v, int3(32760, -32772, 0));
    IS(narrow.x, 32767); IS(narrow.y, -32764); IS(narrow.z, 20);

    // One of two layouts, chosen at run time; and two layers, of which one makes what the other takes.
    Halves chosen = rows;
    if (Sums.Load(128) == 28) chosen = columns;
    y = Multiply<float16_t>(chosen, x);
    ISF(y.x, -14.25f); ISF(y.y, 9.25f); ISF(y.z, -11);
    vector<float16_t, 5> next = { max(y.x, (float16_t)0), max(y.y, (float16_t)0), max(y.z, (float16_t)0), 1, 1 };
    y = Multiply<float16_t>(chosen, next);
    ISF(y.x, 19.5f); ISF(y.y, -18.5f); ISF(y.z, 8.25f);
    done(56);
}
