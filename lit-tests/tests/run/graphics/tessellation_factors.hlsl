// Intrinsics that process tessellation factors, in each partitioning: clamped and rounded factors of the edges, and those inside as average, maximum and minimum.
// reference: no, its SPIR-V has none of these intrinsics
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings -DINTEGER
// RUN: %rtc-run %s -o %T -- -no-warnings -DINTEGER -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -DODD
// RUN: %rtc-run %s -o %T -- -no-warnings -DODD -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -DEVEN
// RUN: %rtc -T lib_6_3 -no-warnings -DODD -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// Vulkan has no partitioning by powers of two: without unknown numbers, the count of what is right is known.
// RUN: %rtc -T lib_6_3 -no-warnings -DPOW2 -Dzero=0 %s | FileCheck %s --check-prefix=POW2
// POW2: storePatchConstant.f32(i32 106, i32 2, i32 0, i8 0, float 1.200000e+01)
// RUN: not %rtc -T lib_6_3 -no-warnings -DTWICE %s 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: `ProcessTriTessFactorsAvg` depends on the `[partitioning]` of one hull shader, and it is called for several, or for none [E0602]
//> [targets.Color]
//> size = [8, 8]
//> format = "rgba32_float"
//> expect = [{ is = [12, 0, 0, 1] }]
//> [[draw]]
//> patch_control_points = 4
//> hull = "Hs"
//> domain = "Ds"
//> vertices = { POSITION = { float3 = [[1, 1, 0], [-1, 1, 0], [1, -1, 0], [-1, -1, 0]] } }
#if defined(POW2)
#define HOW "pow2"
#define CHOSEN(integer, pow2, odd, even) pow2
#elif defined(ODD)
#define HOW "fractional_odd"
#define CHOSEN(integer, pow2, odd, even) odd
#elif defined(EVEN)
#define HOW "fractional_even"
#define CHOSEN(integer, pow2, odd, even) even
#else
#define HOW "integer"
#define CHOSEN(integer, pow2, odd, even) integer
#endif
struct C { float3 at : POSITION; };
struct K { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; float passed : PASSED; float failed : FAILED; };
struct O { float4 at : SV_Position; nointerpolation float2 c : C; };
[shader("vertex")] C Vs(C v) { return v; }

void check(inout K k, bool right) { if (right) k.passed += 1; else k.failed += 1; }
bool near(float4 a, float4 b) { return all(abs(a - b) < 0.001); }
bool near(float3 a, float3 b) { return all(abs(a - b) < 0.001); }
bool near(float2 a, float2 b) { return all(abs(a - b) < 0.001); }

K constants(InputPatch<C, 4> p)
{
    K k;
    k.edges[0] = k.edges[1] = k.edges[2] = k.edges[3] = 4; k.inside[0] = k.inside[1] = 4; k.passed = 0; k.failed = 0;
    // The host's zero: nothing is known at compile time.
#ifndef zero
#define zero p[0].at.z
#endif
    float z = zero;
    float3 three; float one, unrounded;
    ProcessTriTessFactorsAvg(float3(1.5, 4.2, 100) + z, 0.5, three, one, unrounded);
    check(k, near(three, CHOSEN(float3(2, 5, 64), float3(2, 8, 64), float3(1.5, 4.2, 63), float3(2, 4.2, 64))));
    check(k, near(float2(one, unrounded), CHOSEN(float2(18, 17.6167), float2(32, 17.6167), float2(17.6167, 17.6167), float2(17.6167, 17.6167))));
    ProcessTriTessFactorsMax(float3(1.5, 4.2, 100) + z, 0.5, three, one, unrounded);
    check(k, near(float2(one, unrounded), CHOSEN(float2(50, 50), float2(64, 50), float2(50, 50), float2(50, 50))));
    ProcessTriTessFactorsMin(float3(1.5, 4.2, 100) + z, 0.5, three, one, unrounded);
    check(k, near(float2(one, unrounded), CHOSEN(float2(1, 1), float2(1, 1), float2(3, 3), float2(2, 2))));

    float4 four; float2 two, both;
    ProcessQuadTessFactorsAvg(float4(1, 2, 3, 10) + z, 0.5, four, two, both);
    check(k, near(four, CHOSEN(float4(1, 2, 3, 10), float4(1, 2, 4, 16), float4(1, 2, 3, 10), float4(2, 2, 3, 10))));
    check(k, near(float4(two, both), CHOSEN(float4(2, 2, 2, 2), float4(2, 2, 2, 2), float4(3, 3, 3, 3), float4(2, 2, 2, 2))));
    ProcessQuadTessFactorsMax(float4(1, 2, 3, 10) + z, 2, four, two, both);
    check(k, near(float4(two, both), CHOSEN(float4(10, 10, 10, 10), float4(16, 16, 10, 10), float4(10, 10, 10, 10), float4(10, 10, 10, 10))));
    ProcessQuadTessFactorsMin(float4(5, 6.5, 7, 8) + z, 0.7, four, two, both);
    check(k, near(float4(two, both), CHOSEN(float4(4, 4, 3.5, 3.5), float4(4, 4, 3.5, 3.5), float4(3.5, 3.5, 3.5, 3.5), float4(3.5, 3.5, 3.5, 3.5))));

    Process2DQuadTessFactorsAvg(float4(1, 2, 3, 10) + z, float2(0.25, 1), four, two, both);
    check(k, near(float4(two, both), CHOSEN(float4(1, 7, 1, 6.5), float4(1, 8, 1, 6.5), float4(3, 6.5, 3, 6.5), float4(2, 6.5, 2, 6.5))));
    Process2DQuadTessFactorsMax(float4(1, 2, 3, 10) + z, float2(0.5, 0.5), four, two, both);
    check(k, near(float4(two, both), CHOSEN(float4(1, 5, 1, 5), float4(1, 8, 1, 5), float4(3, 5, 3, 5), float4(2, 5, 2, 5))));
    Process2DQuadTessFactorsMin(float4(1, 2, 1.5, 1) + z, float2(-1, 1), four, two, both);
    check(k, near(float4(two, both), CHOSEN(float4(1, 1, 1, 1), float4(1, 1, 1, 1), float4(1.5, 1.5, 1.5, 1.5), float4(2, 2, 2, 2))));

    float detail, density;
    ProcessIsolineTessFactors(3.3 + z, 2.6 + z, detail, density);
    check(k, near(float2(detail, density), CHOSEN(float2(4, 3), float2(4, 4), float2(3.3, 2.6), float2(3.3, 2.6))));
    return k;
}
[shader("hull")] [domain("quad")] [partitioning(HOW)] [outputtopology("triangle_cw")] [outputcontrolpoints(4)] [patchconstantfunc("constants")]
C Hs(InputPatch<C, 4> p, uint i : SV_OutputControlPointID) { return p[3 - i]; }
#ifdef TWICE
[shader("hull")] [domain("quad")] [partitioning("pow2")] [outputtopology("triangle_cw")] [outputcontrolpoints(4)] [patchconstantfunc("constants")]
C Other(InputPatch<C, 4> p, uint i : SV_OutputControlPointID) { return p[i]; }
#endif
[shader("domain")] [domain("quad")]
O Ds(K k, float2 uv : SV_DomainLocation, const OutputPatch<C, 4> p)
{
    O o;
    o.at = float4(lerp(lerp(p[0].at.xy, p[1].at.xy, uv.x), lerp(p[2].at.xy, p[3].at.xy, uv.x), uv.y), 0.5, 1);
    o.c = float2(k.passed, k.failed);
    return o;
}
[shader("pixel")] float4 Ps(O o) : SV_Target { return float4(o.c, 0, 1); }
