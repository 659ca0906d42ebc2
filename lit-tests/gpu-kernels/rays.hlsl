// Payloads, attributes and data of callable shaders in each stage: a kernel is a function `void name(inout P p)`, run by the shader that S names.
// After those, kernels of ray generation shaders: `float4 name(uint t)`.
#define RAYS
#include "kernels.hlsli"

RaytracingAccelerationStructure Scene : register(t4);

#ifndef N
#define N 4
#endif
#ifndef S
#define S raygen
#endif
#define raygen 0
#define hit 1
#define miss 2
#define any_hit 3
#define callable 4

struct P
{
    float4 s;
    uint t;
    uint n;
    float a[N];
    float3x3 m;
};

#if S
void KERNEL(inout P p);
#else
float4 KERNEL(uint t);
#endif

P start(uint t)
{
    P p;
    p.s = fractions(t);
    p.t = t;
    p.n = hash(t);
    for (uint k = 0; k < N; ++k) p.a[k] = fractions(t + k).x;
    p.m = float3x3(p.s.xyz, p.s.yzw, p.s.zwx);
    return p;
}

RayDesc ray(bool hits)
{
    RayDesc r;
    r.Origin = float3(0.1, 0.1, -1);
    r.Direction = float3(0, 0, hits ? 1 : -1);
    r.TMin = 0;
    r.TMax = 10;
    return r;
}

[shader("raygeneration")]
void RayGen()
{
    uint t = DispatchRaysIndex().x + DispatchRaysIndex().y * 512;
#if S
    P p = start(t);
#if S == callable
    CallShader(0, p);
#elif S == any_hit
    TraceRay(Scene, RAY_FLAG_SKIP_CLOSEST_HIT_SHADER | RAY_FLAG_FORCE_NON_OPAQUE, 0xff, 0, 1, 0, ray(true), p);
#else
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray(S == hit), p);
#endif
    float sum = 0;
    for (uint k = 0; k < N; ++k) sum += p.a[k];
    Out[DispatchRaysIndex().xy] = frac(p.s + sum + p.m[1].xyzx) + float(p.n & 0xff);
#else
    Out[DispatchRaysIndex().xy] = KERNEL(t);
#endif
}

[shader("closesthit")]
void ClosestHit(inout P data, BuiltInTriangleIntersectionAttributes a)
{
#if S == hit
    KERNEL(data);
#else
    data.s = data.s.yzwx * 0.9 + RayTCurrent() * 0.01;
#endif
}
[shader("miss")]
void Miss(inout P data)
{
#if S == miss
    KERNEL(data);
#elif S == raygen
    data.s = data.s.wxyz * 0.8 + 0.1;
#endif
}
[shader("anyhit")]
void AnyHit(inout P data, BuiltInTriangleIntersectionAttributes a)
{
#if S == any_hit
    KERNEL(data);
#endif
}
[shader("callable")]
void Callable(inout P data)
{
#if S == callable
    KERNEL(data);
#elif S == raygen
    data.s = frac(data.s.zwxy * 1.1 + 0.1);
#endif
}

#if S
// variants: S=hit,N=4 S=miss,N=4 S=any_hit,N=4 S=callable,N=4 S=hit,N=16 S=miss,N=16 S=any_hit,N=16 S=hit,N=32 S=hit,N=60 S=miss,N=60 S=any_hit,N=60 S=callable,N=60
void elements_by_counter(inout P p) { ROUNDS p.a[i % N] = frac(p.a[(i + 1) % N] * 1.1 + 0.1); }
// variants: S=hit,N=4 S=miss,N=4 S=any_hit,N=4 S=hit,N=16 S=hit,N=60 S=miss,N=60 S=any_hit,N=60
void elements_by_number(inout P p) { ROUNDS { p.n = p.n * 1664525 + 1013904223; p.a[(p.n >> 9) % N] += 0.1; } }
// variants: S=hit,N=16 S=hit,N=32 S=hit,N=60 S=miss,N=60 S=any_hit,N=60
void elements_in_constant_loop(inout P p) { for (uint k = 0; k < N; ++k) p.a[k] = frac(p.a[k] * 1.1 + 0.1 * p.s.x); }
// variants: S=hit,N=16 S=hit,N=60 S=miss,N=60
void elements_unrolled(inout P p) { [unroll] for (uint k = 0; k < N; ++k) p.a[k] = frac(p.a[k] * 1.1 + 0.1 * p.s.x); }
// variants: S=hit,N=16 S=hit,N=60 S=any_hit,N=60
void elements_read(inout P p) { ROUNDS p.s.x = frac(p.s.x + p.a[i % N]); }
// variants: S=hit,N=16 S=hit,N=60
void one_element_by_number(inout P p) { p.a[p.n % N] += 0.25; ROUNDS p.s = frac(p.s * 1.3 + 0.1); }
// variants: S=hit S=miss S=any_hit S=callable
void vectors(inout P p) { ROUNDS p.s = frac(p.s.yzwx * 1.3 + 0.1); }
// variants: S=hit S=miss S=any_hit S=callable
void component_by_counter(inout P p) { ROUNDS p.s[i & 3] = frac(p.s[(i + 1) & 3] * 1.3 + 0.1); }
// variants: S=hit S=miss S=callable
void matrix_by_counter(inout P p) { ROUNDS p.m[i % 3][(i + 1) % 3] = frac(p.m[(i + 1) % 3][i % 3] * 1.3 + 0.1); }
// variants: S=hit S=miss S=any_hit
void integers(inout P p) { ROUNDS p.n = p.n * 1664525 + 1013904223; }
void change(inout float a[N], inout float4 s, uint i) { a[i % N] = frac(a[(i + 1) % N] + s.x); s = frac(s.yzwx + a[0]); }
// variants: S=hit,N=16 S=miss,N=16 S=any_hit,N=16
void members_as_arguments(inout P p) { ROUNDS change(p.a, p.s, i); }
P changed(P p, uint i) { p.s = frac(p.s * 1.3 + p.a[i % N]); return p; }
// variants: S=hit,N=16 S=miss,N=16
void whole_by_value(inout P p) { ROUNDS p = changed(p, i); }
// variants: S=hit,N=16 S=hit,N=60
void local_copy(inout P p) { float a[N] = p.a; ROUNDS a[i % N] = frac(a[(i + 1) % N] * 1.1 + 0.1); p.a = a; }
// variants: S=hit S=miss
void waves(inout P p) { ROUNDS p.n = p.n * 5 + WaveActiveCountBits(p.n & 1); }
// variants: S=hit S=miss
void loop_with_break(inout P p) { ROUNDS { p.n = p.n * 1664525 + 1013904223; if ((p.n >> 24) == 3) break; p.s = frac(p.s * 1.1 + 0.1); } }
// variants: S=hit
void intrinsics_of_hits(inout P p) { ROUNDS p.s = frac(p.s * 1.1 + WorldRayOrigin().xyzx + ObjectToWorld3x4()[i % 3] + RayTCurrent()); }
#else
float4 traces(uint t) { P p = start(t); for (uint i = 0; i < (Trips >> 4); ++i) TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray(p.s.x > 0.5), p); return p.s; }
float4 trace_in_branch(uint t) { P p = start(t); if (p.n & 1) TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray(p.s.x > 0.5), p); float4 s = p.s; for (uint i = 0; i < Trips * 16; ++i) s = frac(s.yzwx * 1.3 + s * 0.7); return s; }
float4 trace_in_two_branches(uint t) { P p = start(t); if (p.n & 1) TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray(true), p); else TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray(false), p); float4 s = p.s; for (uint i = 0; i < Trips * 16; ++i) s = frac(s.yzwx * 1.3 + s * 0.7); return s; }
float4 traces_by_number(uint t) { P p = start(t); for (uint k = 0; k <= (p.n & 3); ++k) TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray(k & 1), p); float4 s = p.s; for (uint i = 0; i < Trips * 16; ++i) s = frac(s.yzwx * 1.3 + s * 0.7); return s; }
float4 traces_with_continue(uint t) { P p = start(t); for (uint k = 0; k < 4; ++k) { p.n = p.n * 5 + 1; if (p.n & 0x100) continue; TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray(k & 1), p); } float4 s = p.s; for (uint i = 0; i < Trips * 16; ++i) s = frac(s.yzwx * 1.3 + s * 0.7); return s; }
float4 calls(uint t) { P p = start(t); for (uint i = 0; i < (Trips >> 2); ++i) CallShader(0, p); return p.s; }
float4 call_in_branch(uint t) { P p = start(t); if (p.n & 1) CallShader(0, p); float4 s = p.s; for (uint i = 0; i < Trips * 16; ++i) s = frac(s.yzwx * 1.3 + s * 0.7); return s; }
#endif
