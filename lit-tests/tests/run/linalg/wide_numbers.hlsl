// Numbers of 64 bits: products with vectors, sums, conversions, matrices of waves and of groups, and groupshared arrays of them and of floats.
// rtc -T cs_6_10 -E main -enable-16bit-types
// scene: Inputs/matrices.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -no-warnings %s -Fo %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/linalg.hlsli"

groupshared double Doubles[16];
groupshared int64_t Longs[16];
groupshared double DoubleSums[16];
groupshared int64_t LongSums[16];
groupshared float FloatSums[16];
double at(uint place) { return asdouble(Sums.Load(place), Sums.Load(place + 4)); }
int64_t long_at(uint place) { return (int64_t)(Sums.Load(place) | (uint64_t)Sums.Load(place + 4) << 32); }
// A component that needs more than 32 bits.
int64_t big(int r, int c) { return component(r, c) * 0x100000001ll + r; }

template <MatrixScopeEnum Scope> void multiply(uint to)
{
    typedef Matrix<ComponentType::F64, 4, 4, MatrixUse::A, Scope> DA;
    typedef Matrix<ComponentType::F64, 4, 4, MatrixUse::B, Scope> DB;
    typedef Matrix<ComponentType::F64, 4, 4, MatrixUse::Accumulator, Scope> DC;
    typedef Matrix<ComponentType::I64, 4, 4, MatrixUse::A, Scope> LA;
    typedef Matrix<ComponentType::I64, 4, 4, MatrixUse::B, Scope> LB;
    typedef Matrix<ComponentType::I64, 4, 4, MatrixUse::Accumulator, Scope> LC;
    DC d = DC::Splat((double)1 / 3);
    d.MultiplyAccumulate(DA::Load(Doubles, 0, 4, MatrixLayout::RowMajor), DB::Load(Doubles, 0, 4, MatrixLayout::ColMajor));
    d.Store(Sums, to, 32, MatrixLayout::RowMajor);
    LC l = LC::Splat((int64_t)1 << 40);
    l.MultiplyAccumulate(LA::Load(Longs, 0, 4, MatrixLayout::RowMajor), LB::Load(Longs, 0, 4, MatrixLayout::ColMajor));
    l.Store(Sums, to + 128, 32, MatrixLayout::ColMajor);
    // As other types: rounded once, saturated.
    d.template Cast<ComponentType::F32, MatrixUse::A, true>().Store(Sums, to + 256, 16, MatrixLayout::RowMajor);
    l.template Cast<ComponentType::I32, MatrixUse::Accumulator, false>().Store(Sums, to + 320, 16, MatrixLayout::RowMajor);
    // Threads of a group come together for each component.
    if (Scope == MatrixScope::Wave) for (uint i = 0; i < l.Length(); ++i) l.Set(i, l.Get(i) - ((int64_t)1 << 40));
    l.Store(Sums, to + 384, 32, MatrixLayout::RowMajor);
}
uint wrong(uint from)
{
    uint count = 0;
    for (uint r = 0; r < 4; ++r)
        for (uint c = 0; c < 4; ++c) {
            double sum = 0;
            int64_t whole = 0;
            for (uint k = 0; k < 4; ++k) {
                sum += (double)component(r, k) / 3 * ((double)component(c, k) / 3);
                whole += big(r, k) * big(c, k);
            }
            double off = at(from + r * 32 + c * 8) - (sum + (double)1 / 3);
            count += !(off < 1e-12 && off > -1e-12);
            count += (long_at(from + 128 + c * 32 + r * 8) != whole + ((int64_t)1 << 40)) << 6;
            float near = asfloat(Sums.Load(from + 256 + c * 16 + r * 4));
            count += (near != (float)at(from + r * 32 + c * 8)) << 12;
            int64_t all = whole + ((int64_t)1 << 40);
            int narrow = all > 0x7fffffff ? 0x7fffffff : all < -0x7fffffffll - 1 ? -0x7fffffff - 1 : (int)all;
            count += (int(Sums.Load(from + 320 + r * 16 + c * 4)) != narrow) << 18;
            count += (long_at(from + 384 + r * 32 + c * 8) != (from ? all : whole)) << 24;
        }
    return count;
}
[numthreads(32, 1, 1)] void main(uint index : SV_GroupIndex)
{
    if (index < 16) {
        Doubles[index] = (double)component(index / 4, index % 4) / 3;
        Longs[index] = big(index / 4, index % 4);
        DoubleSums[index] = 0.5; LongSums[index] = -1; FloatSums[index] = 0.25f;
    }
    // A matrix of a thread: rows 1 2 3 4, 5 6 7 8 as doubles, and as integers times 2 to the 33.
    if (index < 8) {
        uint low, high;
        asuint((double)(index + 1), low, high);
        Sums.Store2(8192 + index * 8, uint2(low, high));
        Sums.Store2(8256 + index * 8, uint2(0, (index + 1) * 2));
    }
    AllMemoryBarrierWithGroupSync();
    multiply<MatrixScope::Wave>(0);
    multiply<MatrixScope::ThreadGroup>(1024);
    if (index < 4) {
        // Each thread adds once.
        InterlockedAccumulate(Sums, 2048, vector<double, 3>(0.1, 1, -2));
        InterlockedAccumulate(Sums, 2112, vector<int64_t, 2>((int64_t)1 << 33, -3));
        OuterProduct<ComponentType::F64>(vector<double, 2>(1, 0.5), vector<double, 2>(3, 0.1)).InterlockedAccumulate(Sums, 2176);
    }
    GroupMemoryBarrierWithGroupSync();
    typedef Matrix<ComponentType::F64, 4, 4, MatrixUse::Accumulator, MatrixScope::Wave> DC;
    DC::Splat((double)0.1).InterlockedAccumulate(DoubleSums, 0, 4, MatrixLayout::RowMajor);
    Matrix<ComponentType::I64, 4, 4, MatrixUse::Accumulator, MatrixScope::Wave>::Splat((int64_t)1 << 34).InterlockedAccumulate(LongSums, 0, 4, MatrixLayout::ColMajor);
    Matrix<ComponentType::F32, 4, 4, MatrixUse::Accumulator, MatrixScope::Wave>::Splat(1.5f).InterlockedAccumulate(FloatSums, 0, 4, MatrixLayout::ColMajor);
    AllMemoryBarrierWithGroupSync();
    uint waves = (32 + WaveGetLaneCount() - 1) / WaveGetLaneCount();
    if (index) return;
    IS(wrong(0), 0); IS(wrong(1024), 0);
    IS(at(2048) > 0.3999999999 && at(2048) < 0.4000000001, 1); ISF((float)at(2056), 4); ISF((float)at(2064), -8);
    IS(long_at(2112) == (int64_t)1 << 35, 1); IS((int)long_at(2120), -12);
    ISF((float)at(2176), 12); IS(at(2176 + 24) > 0.1999999999 && at(2176 + 24) < 0.2000000001, 1);
    uint sums = 0;
    for (uint n = 0; n < 16; ++n) {
        double off = DoubleSums[n] - (0.5 + waves * (double)0.1);
        sums += !(off < 1e-6 && off > -1e-6);
        sums += (LongSums[n] != -1 + ((int64_t)waves << 34)) << 8;
        sums += (FloatSums[n] != 0.25f + 1.5f * waves) << 16;
    }
    IS(sums, 0);
    // Conversions: rounded once, to even; saturated.
    vector<float16_t, 2> halves = Convert<ComponentType::F16, ComponentType::F64>(vector<double, 2>((double)1 + (double)0.00048828125 + (double)1e-9, (double)1e300)).Data;
    ISF(halves.x, 1.0009765625f); ISF(halves.y, asfloat(0x7f800000));
    vector<int, 2> ints = Convert<ComponentType::I32, ComponentType::F64>(vector<double, 2>(2147483647.5L, -2.5L)).Data;
    IS(ints.x, 0x7fffffff); IS(ints.y, -2);
    vector<int64_t, 2> longs = Convert<ComponentType::I64, ComponentType::F64>(vector<double, 2>(1e300L, -1e10L)).Data;
    IS(longs.x == 0x7fffffffffffffffll, 1); IS(longs.y == -10000000000ll, 1);
    vector<uint, 2> small = Convert<ComponentType::U32, ComponentType::I64>(vector<int64_t, 2>(-5, (int64_t)1 << 40)).Data;
    IS(small.x, 0); IS(small.y, 0xffffffff);
    done(18);
}
