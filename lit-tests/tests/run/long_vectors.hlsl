// Vectors of more than four components: arithmetic, choices, subscripts, memory, functions, flow.
// options: -T cs_6_9 -E Main -D COMPUTE -enable-16bit-types
// reference: no, it does not know them
// RUN: %rtc -T cs_6_9 -E Main -D COMPUTE -enable-16bit-types -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_9 -E Main -D COMPUTE -enable-16bit-types -Od -no-warnings %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T cs_6_9 -E Main -D COMPUTE -enable-16bit-types -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_9 -E Main -D COMPUTE -enable-16bit-types -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#define THREADS 8
#include "Inputs/out.hlsli"

typedef vector<float, 16> F16;
typedef vector<int, 7> I7;
struct Inner { vector<float, 6> a; int n; };
struct S { Inner two[2]; F16 v; vector<bool, 5> b; };
RWByteAddressBuffer B : register(u2);
RWStructuredBuffer<vector<half, 8> > H : register(u3);
RWStructuredBuffer<Inner> R : register(u4);
groupshared F16 G[THREADS];
groupshared vector<int, 5> One;
static I7 Kept;
static const vector<int, 6> Table[2] = { { 1, 2, 3, 4, 5, 6 }, { 10, 20, 30, 40, 50, 60 } };

template <typename T, uint N> T total(vector<T, N> v)
{
    T sum = 0;
    for (uint i = 0; i < N; ++i) sum += v[i];
    return sum;
}
F16 ramp(float from)
{
    F16 v;
    [unroll] for (int i = 0; i < 16; ++i) v[i] = from + i;
    return v;
}
void change(inout F16 v, in F16 by, out I7 whole)
{
    v = v * 2 + by;
    v[3] = -1;
    for (int i = 0; i < 7; ++i) whole[i] = int(v[i]);
}
F16 early(F16 v, uint n)
{
    for (uint i = 0; i < 10; ++i)
    {
        if (i == n) return v;
        if (v[i] > 1000) break;
        v += 1;
    }
    return -v;
}

[numthreads(THREADS, 1, 1)]
void Main(uint index : SV_GroupIndex)
{
    ThreadNumber = index;
    int n = int(index);
    // Arithmetic: 0..15, sum 120.
    F16 v = ramp(n);
    expect(int(total(v)), 120 + 16 * n);
    F16 w = v * v - v + 1;
    for (int i = 0; i < 16; ++i) expect(int(w[i]), (n + i) * (n + i) - (n + i) + 1);
    I7 k = { 1, -2, 3, -4, 5, -6, 7 };
    expect(total(k * k), 140); expect(total(abs(k)), 28); expect(total(k << 1), 8); expect(total(k % 3), 1 - 2 + 0 - 1 + 2 + 0 + 1);
    expect(total(-k), -4); expect(total(~k), -11); expect(total(k & 3), 1 + 2 + 3 + 0 + 1 + 2 + 3);
    expect(total(min(k, n)), min(1, n) - 2 + min(3, n) - 4 + min(5, n) - 6 + min(7, n));
    expect(total(clamp(k, -3, 4)), 1 - 2 + 3 - 3 + 4 - 3 + 4); expect(total(max(k, 0)), 16); expect(total(mad(k, k, k)), 144);
    vector<uint, 7> u = (vector<uint, 7>)abs(k);
    expect(int(total(u >> 1)), 0 + 1 + 1 + 2 + 2 + 3 + 3); expect(int(total(countbits(u))), 1 + 1 + 2 + 1 + 2 + 2 + 3);
    // Floating point.
    expect(int(total(exp2(ramp(0)))), 65535); expect(int(total(sqrt(v * v))), 120 + 16 * n);
    expect(int(total(floor(v + 0.5))), 120 + 16 * n); expect(int(total(saturate(v - n))), 15);
    expect(int(total(lerp(v, v + 2, 0.5))), 136 + 16 * n); expect(int(dot(ramp(0), ramp(1))), 1360);
    vector<double, 5> d = { 1, 2, 3, 4, n };
    expect(int(total(fma(d, d, d))), 40 + n * n + n);
    // Comparisons and choices.
    vector<bool, 16> less = v < 8;
    expect(any(less), true); expect(all(less), false); expect(all(v >= n), true); expect(any(v < n), false);
    expect(int(total(select(less, v, F16(0)))), (7 * 8 - (n - 1) * n) / 2);
    expect(total((vector<int, 16>)less), 8 - n); expect(int(total(n > 3 ? v : w)), n > 3 ? 120 + 16 * n : int(total(w)));
    expect(all(or(less, !less)), true); expect(any(and(less, !less)), false);
    // Conversions.
    expect(int(total((vector<float, 7>)k)), 4); expect(total((vector<int, 16>)(v + 0.75)), 120 + 16 * n);
    expect(int(total(asfloat(asuint(v)))), 120 + 16 * n); expect(total((vector<int16_t, 7>)k), 4);
    // Components.
    for (int s = 0; s < 2; ++s) { float swapped = v[s]; v[s] = v[3 - s]; v[3 - s] = swapped; }
    expect(int(v[0]), n + 3); expect(int(v[1]), n + 2); expect(int(v[3]), n); expect(int(v[4]), n + 4); expect(int(v[2]), n + 1);
    v[n] = 100; v[(n + 8) % 16] += 1; v[15]++;
    expect(int(v[n]), 100); expect(int(v[n + 8]), n < 7 ? 2 * n + 9 : 24); expect(int(v[15]), n < 7 ? n + 16 : 24);
    // Functions.
    F16 x = ramp(1); I7 whole;
    change(x, ramp(0), whole);
    for (int i = 0; i < 16; ++i) expect(int(x[i]), i == 3 ? -1 : 3 * i + 2);
    expect(total(whole), 2 + 5 + 8 - 1 + 14 + 17 + 20);
    expect(int(early(ramp(0), index)[2]), 2 + n); expect(int(early(ramp(0), 20)[2]), -12); expect(int(early(ramp(1000), index)[0]), n == 0 ? 1000 : n == 1 ? 1001 : -1001);
    // Variables.
    Kept = k; Kept[n % 7] = 50;
    expect(total(Kept), 54 - k[n % 7]);
    S s = (S)0;
    s.two[n & 1].a = 3; s.two[n & 1].a[n % 6] = 9; s.two[1].n = 5; s.v = x; s.b[n % 5] = true;
    S t = s;
    expect(int(total(t.two[n & 1].a)), 24); expect(int(total(t.two[~n & 1].a)), 0); expect(int(t.v[15]), 47); expect(t.two[1].n, 5);
    expect(t.b[n % 5], true); expect(t.b[(n + 1) % 5], false); expect(any(t.b), true);
    expect(Table[n & 1][n % 6], (n % 6 + 1) * (n & 1 ? 10 : 1)); expect(total(Table[n >> 2]), n > 3 ? 210 : 21);
    // Groupshared.
    G[index] = ramp(n * 16); if (index == 3) One = int(7) * vector<int, 5>(1, 2, 3, 4, 5);
    GroupMemoryBarrierWithGroupSync();
    F16 g = G[(index + 1) % THREADS];
    expect(int(total(g)), 120 + 256 * ((n + 1) % 8)); expect(int(G[7 - n][n]), (7 - n) * 16 + n); expect(total(One), 105); expect(One[n % 5], n % 5 * 7 + 7);
    GroupMemoryBarrierWithGroupSync();
    if (index == 3) One[2] = 1;
    GroupMemoryBarrierWithGroupSync();
    expect(total(One), 85);
    // Buffers.
    B.Store(index * 128, x); B.Store<I7>(index * 128 + 64, k);
    expect(int(total(B.Load<F16>(index * 128))), int(total(x))); expect(total(B.Load<I7>(index * 128 + 64)), 4);
    expect(int(asfloat(B.Load(index * 128 + 60))), 47); expect(int(B.Load(index * 128 + 88)), 7);
    vector<half, 8> h = { 1, 2, 3, 4, 5, 6, 7, 8 };
    H[index] = h * half(n); expect(int(total(H[index])), 36 * n); expect(int(H[index][n]), (n + 1) * n);
    R[index] = s.two[n & 1]; expect(int(total(R[index].a)), 24); R[index].a[2] = 1; expect(int(R[index].a[2]), 1); expect(R[index].n, n & 1 ? 5 : 0);
    // Flow.
    F16 sum = 0;
    for (int i = 0; i < n; ++i) { if (i == 5) continue; sum += ramp(i); }
    expect(int(sum[1]), n > 5 ? n * (n + 1) / 2 - 6 : n * (n + 1) / 2);
    F16 side;
    switch (n & 3) { case 0: side = ramp(0); break; case 1: side = ramp(1) * 2; break; default: side = -ramp(2); break; }
    expect(int(side[5]), (n & 3) == 0 ? 5 : (n & 3) == 1 ? 12 : -7);
    do { side += 1; } while (side[0] < 10);
    expect(int(side[1]), (n & 3) > 1 ? 9 : (n & 3) == 1 ? 12 : 11);
    // Waves.
    expect(int(total(WaveReadLaneFirst(ramp(2)))), 152); expect(all(WaveActiveAllEqual(k)), true);
    // A longer one.
    vector<int, 40> longer = n; longer[n * 5] = 5;
    expect(longer[n * 5] + longer[39], 5 + n);
}
