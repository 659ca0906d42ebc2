// Intersection shaders, and attributes that they report to any-hit and closest-hit shaders: a kernel is a function `void name(inout P p)`, run by the shader that S names.
#define RAYS
#define PROCEDURAL
#include "kernels.hlsli"

RaytracingAccelerationStructure Scene : register(t4);

#ifndef N
#define N 4
#endif
#define intersection 1
#define closest_hit 2
#define any_hit 3

struct P { float4 s; uint t; uint n; float a[N]; };
struct Attributes { float4 s; uint words[4]; };
static Attributes Given;

void KERNEL(inout P p);

P start(uint t)
{
    P p;
    p.s = fractions(t);
    p.t = t;
    p.n = hash(t);
    for (uint k = 0; k < N; ++k) p.a[k] = fractions(t + k).x;
    return p;
}

[shader("raygeneration")]
void RayGen()
{
    P p = start(DispatchRaysIndex().x + DispatchRaysIndex().y * 512);
    RayDesc r = { float3(0.1, 0.1, -3), 0, float3(0, 0, 1), 10 };
    TraceRay(Scene, S == any_hit ? RAY_FLAG_FORCE_NON_OPAQUE : RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, r, p);
    float sum = 0;
    for (uint k = 0; k < N; ++k) sum += p.a[k];
    Out[DispatchRaysIndex().xy] = frac(p.s + sum) + float(p.n & 0xff);
}
[shader("intersection")]
void Box()
{
    P p = start(DispatchRaysIndex().x + DispatchRaysIndex().y * 512);
#if S == intersection
    KERNEL(p);
#endif
    Attributes a;
    a.s = p.s + p.a[0];
    for (uint k = 0; k < 4; ++k) a.words[k] = p.n >> k;
    ReportHit(2.5, 0, a);
}
[shader("closesthit")]
void ClosestHit(inout P data, Attributes a)
{
    Given = a;
#if S == closest_hit
    KERNEL(data);
#else
    data.s += a.s + a.words[1];
#endif
}
[shader("anyhit")]
void AnyHit(inout P data, Attributes a)
{
    Given = a;
#if S == any_hit
    KERNEL(data);
#endif
}
[shader("miss")]
void Miss(inout P data) { data.s = 0; }

// variants: S=intersection S=closest_hit S=any_hit
void vectors(inout P p) { ROUNDS p.s = frac(p.s.yzwx * 1.3 + 0.1); }
// variants: S=intersection S=closest_hit S=any_hit
void integers(inout P p) { ROUNDS p.n = p.n * 1664525 + 1013904223; }
// variants: S=intersection,N=16 S=closest_hit,N=16 S=any_hit,N=16
void elements_by_counter(inout P p) { ROUNDS p.a[i % N] = frac(p.a[(i + 1) % N] * 1.1 + 0.1); }
// variants: S=intersection S=closest_hit
void object_ray(inout P p) { ROUNDS p.s = frac(p.s * 1.1 + ObjectRayOrigin().xyzx * 0.1 + ObjectRayDirection().zxyz * 0.3); }
// variants: S=closest_hit S=any_hit
void attributes_by_counter(inout P p) { ROUNDS p.n = p.n * 5 + Given.words[i & 3]; }
// variants: S=closest_hit S=any_hit
void attributes_by_number(inout P p) { ROUNDS p.n = p.n * 5 + Given.words[p.n >> 30]; }
// variants: S=closest_hit S=any_hit
void attribute_component_by_counter(inout P p) { ROUNDS p.s = frac(p.s.yzwx * 1.1 + Given.s[i & 3] * 0.1); }
// variants: S=closest_hit
void attributes_in_a_loop(inout P p) { for (uint k = 0; k < 4; ++k) p.n = p.n * 7 + Given.words[k]; ROUNDS p.s = frac(p.s * 1.3 + 0.1); }
// variants: S=intersection
void sphere(inout P p) { ROUNDS { float3 o = ObjectRayOrigin() + p.s.xyz * 0.1, d = ObjectRayDirection(); float b = dot(o, d), c = dot(o, o) - 0.7, h = b * b - c; p.s = frac(p.s.yzwx + (h > 0 ? -b - sqrt(h) : 0.3) * 0.1); } }
// variants: S=intersection
void several_reports(inout P p) { for (uint i = 0; i < (Trips >> 4); ++i) { Attributes a; a.s = p.s; for (uint k = 0; k < 4; ++k) a.words[k] = i; ReportHit(4 - i * 0.1, 0, a); p.s = frac(p.s * 1.3 + 0.1); } }
