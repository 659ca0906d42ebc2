// A payload whose matrix has columns in one library and rows in the other is not the same structure, so what the other library's function does with it is not known.
// RUN: not %rtc paq -T lib_6_6 %s %S/Inputs/shade_rows.hlsl 2>&1 | FileCheck %s
// RUN: %rtc paq -T lib_6_6 -DROWS -no-empty-hit-groups %s %S/Inputs/shade_rows.hlsl | FileCheck --check-prefix=SAME %s
#ifdef ROWS
struct P { row_major float2x3 m; float c; };
#else
struct P { column_major float2x3 m; float c; };
#endif
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
void shade(inout P p);
[shader("raygeneration")] void Main()
{
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 };
    P p = (P)0;
    TraceRay(Scene, 0, 0xff, 0, 1, 0, r, p);
    Out[0] = p.c;
}
[shader("closesthit")] void C(inout P p, in BuiltInTriangleIntersectionAttributes a) { shade(p); }
[shader("miss")] void M(inout P p) { p.c = 0; }
// CHECK: the qualifiers of `P` cannot be inferred: the effect of the other library's function `shade` on it is unknown [E0713]
// SAME: row_major float2x3 m : read(closesthit) : write(caller);
// SAME: float c : read(caller) : write(closesthit, miss);
