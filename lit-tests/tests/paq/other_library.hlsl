// What a function of another library does with a payload is known where that library is given. Its own declaration of the payload is changed, too.
// RUN: cp %s %t.hlsl
// RUN: cp %S/Inputs/shade.hlsl %t.shade.hlsl
// RUN: %rtc paq -T lib_6_6 -no-empty-hit-groups -fix %t.hlsl %t.shade.hlsl | FileCheck %s
// RUN: FileCheck --check-prefix=FIXED %s --input-file=%t.hlsl
// RUN: FileCheck --check-prefix=FIXED %s --input-file=%t.shade.hlsl
// RUN: %rtc -T lib_6_7 %t.hlsl -Fo %t.dxil
// RUN: %rtc -T lib_6_7 %t.shade.hlsl -Fo %t.shade.dxil
// RUN: %rtc link -T lib_6_7 %t.dxil %t.shade.dxil -Fo %t.all.dxil
// RUN: %rtc paq -T lib_6_7 -no-empty-hit-groups -fix %t.hlsl %t.shade.hlsl 2>&1 | FileCheck --check-prefix=AGAIN %s
// RUN: not %rtc paq -T lib_6_6 %s 2>&1 | FileCheck --check-prefix=ALONE %s
struct P { float c; uint other; };
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
export float ask() { return Out[1]; }
// CHECK: float c : read(caller) : write(closesthit, miss);
// CHECK: uint other : read(closesthit) : write(caller);
// FIXED: struct [raypayload] P { float c : read(caller) : write(closesthit, miss); uint other : read(closesthit) : write(caller); };
// AGAIN-NOT: written into
// ALONE: the qualifiers of `P` cannot be inferred: the effect of the other library's function `shade` on it is unknown [E0713]
