// A payload in a payload needs no qualifiers of its own there: what both traces need is joined in its fields.
// RUN: cp %s %t.hlsl
// RUN: %rtc paq -T lib_6_6 -fix %t.hlsl | FileCheck %s
// RUN: FileCheck --check-prefix=FIXED %s --input-file=%t.hlsl
// RUN: %rtc -T lib_6_7 -WX %t.hlsl -Fo %t.dxil
// RUN: %rtc paq -T lib_6_7 -fix %t.hlsl 2>&1 | FileCheck --check-prefix=AGAIN %s
struct P { float a; float c; };
struct Q { P p; float z; P list[2]; };
// FIXED: struct [raypayload] P { float a : read(miss) : write(caller); float c : read(caller, miss) : write(caller, miss); };
// FIXED: struct [raypayload] Q { P p; float z : read(caller) : write(caller, miss); P list[2]; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u0);
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("raygeneration")] void Main()
{
    P p = (P)0;
    p.a = 1;
    TraceRay(Scene, 0, 0xff, 0, 1, 0, ray(), p);
    Out[0] = p.c;
    Q q = (Q)0;
    q.p.c = 3;
    TraceRay(Scene, 0, 0xff, 0, 1, 1, ray(), q);
    Out[1] = q.z;
}
[shader("miss")] void Sky(inout P p) { p.c = p.a; }
[shader("miss")] void Sky2(inout Q q) { q.z = q.p.a; }
// CHECK: struct [raypayload] P
// CHECK: float a : read(miss) : write(caller);
// CHECK: float c : read(caller, miss) : write(caller, miss);
// CHECK: c: read(miss): `Sky2` does not write it, so it keeps what was there
// CHECK: struct [raypayload] Q
// CHECK: float p.a : read(miss) : write(caller);
// CHECK: float p.c : read(caller, miss) : write(caller, miss);
// CHECK: float z : read(caller) : write(caller, miss);
// AGAIN-NOT: written into
// AGAIN: struct [raypayload] P
