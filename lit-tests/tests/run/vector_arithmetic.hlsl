// Arithmetic on vectors of shader model 6.9: kinds of numbers, choices, orders of components, loops, what is partly a vector.
// options: -T cs_6_6 -E Main -D COMPUTE -enable-16bit-types
// RUN: %rtc -T cs_6_9 -E Main -D COMPUTE -enable-16bit-types -no-warnings %s -Fo %t.dxil -Fc - | FileCheck %s
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_9 -E Main -D COMPUTE -enable-16bit-types -Zi -Qembed_debug -no-warnings %s -Fo %t.zi.dxil
// RUN: %llvm-verify %t.zi.dxil
// RUN: %rtc -T cs_6_9 -E Main -D COMPUTE -enable-16bit-types -Od -no-warnings %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T cs_6_9 -E Main -D COMPUTE -enable-16bit-types -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: phi <4 x float>
// CHECK: call <4 x half> @dx.op.binary.v4f16(i32 35, <4 x half> %{{[0-9]+}}, <4 x half> <half 0xH3C00, half 0xH4000, half 0xH4200, half 0xH4400>)
// CHECK: fmul fast <4 x double>
#define THREADS 8
#include "Inputs/out.hlsli"

RWByteAddressBuffer B : register(u2);
RWStructuredBuffer<half4> H : register(u3);
groupshared float4 Shared[THREADS];

float4 inF4(uint i) { return float4(inF(i), inF(i + 1), inF(i + 2), inF(i + 3)); }
int4 inI4(uint i) { return int4(inI(i), inI(i + 1), inI(i + 2), inI(i + 3)); }

// What is computed is between vector loads and stores.
float4 load(uint n) { return B.Load<float4>((Thread() * 16 + n) * 16); }
int4 loadI(uint n) { return B.Load<int4>((Thread() * 16 + n) * 16); }
void store(uint n, float4 v) { B.Store<float4>((Thread() * 16 + n) * 16, v); }
void storeI(uint n, int4 v) { B.Store<int4>((Thread() * 16 + n) * 16, v); }

// `select` by components, which the pinned reference does not have.
float4 pick(bool4 c, float4 a, float4 b) { return float4(c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z, c.w ? a.w : b.w); }
int4 pickI(bool4 c, int4 a, int4 b) { return int4(c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z, c.w ? a.w : b.w); }

float4 floats(float4 a, float4 b)
{
    float4 r = a * b + b;
    r = max(r, b - a) * 0.25 + saturate(a);
    r = pick(a < b, r, b.wzyx);
    r += floor(a) - frac(b) + abs(r) * sign(a);
    r.xz = r.zx * 2;
    r.y = dot(a, b) * 0.125;
    return r + lerp(a, b, 0.5) * a.xxyy;
}

int4 ints(int4 a, int4 b)
{
    int4 r = (a + b) ^ (b << (a & 7));
    r = max(r, b - a) - min(a, b) * 3;
    r = pickI(a == b, ~r, r >> 2);
    r ^= int4(countbits(uint4(a))) + (b % 7) + a / 5;
    r.yw = r.wy & 0xffff;
    return r + (r < 0) + (uint4(b) > 9u);
}

float4 flow(float4 a, uint n)
{
    float4 sum = 0, last = a;
    for (uint i = 0; i < n; ++i)
    {
        float4 next = last * 0.5 + a.yzwx;
        if (i == 2) next = next.xxzz - a;
        else if (next.x > 100) break;
        sum += next;
        last = next;
    }
    return sum - last * float4(1, 0, 2, -1);
}

[numthreads(THREADS, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    ThreadNumber = t;
    for (uint n = 0; n < 4; ++n)
    {
        store(n, inF4(4 * n));
        storeI(4 + n, inI4(4 * n));
    }
    float4 a = load(0), b = load(1), c = load(2);
    store(8, floats(a, b));
    store(9, floats(b, c) * a);
    storeI(10, ints(loadI(4), loadI(5)));
    storeI(11, ints(loadI(5) & 15, loadI(6) & 15));
    store(12, flow(load(3) * 0.01, 3 + t % 3));
    // Between kinds of numbers, and their bits.
    storeI(13, int4(clamp(a, -1000, 1000)) + asint(b));
    store(14, float4(loadI(6) % 1000) + asfloat(loadI(7) & 0x3fffffff) * 0);
    H[t] = half4(trunc(clamp(a, -100, 100))) * half4(trunc(clamp(b, -10, 10))) + 1;
    H[t + THREADS] = max(H[t], half4(1, 2, 3, 4)).wxyz;
    double4 d = double4(a) * double4(b) + 1;
    store(15, float4(d - double4(c)));
    // Three of four components, of which one is constant.
    float3 v = load(1).xyz * load(2).zyx - load(0).yyy;
    Shared[t] = float4(v, 1);
    GroupMemoryBarrierWithGroupSync();
    float4 other = Shared[(t + 3) % THREADS];
    other.xyz = other.xyz * 2 - v;
    putF4(other);
    for (uint m = 8; m < 16; ++m)
    {
        if (m == 10 || m == 11 || m == 13) putI4(loadI(m));
        else putF4(load(m));
    }
    putF4(H[t]);
    putF4(H[t + THREADS]);
}
