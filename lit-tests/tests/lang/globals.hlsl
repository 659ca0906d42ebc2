// Static variables, constant tables, groupings by namespace.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
static const float Weights[4] = { 0.1, 0.2, 0.3, 0.4 };
static const int2 Pairs[2][2] = { { int2(1, 2), int2(3, 4) }, { int2(5, 6), int2(7, 8) } };
static uint Calls = 3;
static float3 Accumulated;
static const uint Size = 2 * 2;

namespace math
{
    static const float Pi = 3.14159265;
    float Half(float x) { return x * 0.5; }
    namespace deep { float Quarter(float x) { return Half(Half(x)); } }
}

struct P { uint n; };
RWByteAddressBuffer Out : register(u0);

void Count(float3 v)
{
    Calls++;
    Accumulated += v;
}

[shader("raygeneration")]
void Main()
{
    uint i = DispatchRaysIndex().x;
    Accumulated = 0;
    for (uint k = 0; k < Size; ++k)
        Count(Weights[(i + k) % Size].xxx);
    using namespace math;
    Out.Store(0, Calls);
    Out.Store3(4, asuint(Accumulated * Pi * deep::Quarter(4)));
    Out.Store2(16, asuint(Pairs[i & 1][(i >> 1) & 1]));
}

[shader("miss")]
void Other(inout P p)
{
    Count(1);
    p.n = Calls;
}
