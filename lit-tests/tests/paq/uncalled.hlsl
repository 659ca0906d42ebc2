// A payload that only functions without a caller trace with in one of the libraries is the same type there: its declaration is changed, too.
// RUN: cp %s %t.hlsl
// RUN: cp %S/Inputs/uncalled.hlsl %t.other.hlsl
// RUN: %rtc paq -T lib_6_6 -no-empty-hit-groups -fix %t.hlsl %t.other.hlsl
// RUN: FileCheck --check-prefix=FIXED %s --input-file=%t.hlsl
// RUN: FileCheck --check-prefix=FIXED %s --input-file=%t.other.hlsl
// RUN: %rtc -T lib_6_7 -WX %t.hlsl -Fo %t.dxil
// RUN: %rtc -T lib_6_7 -WX %t.other.hlsl -Fo %t.other.dxil
// RUN: %rtc paq -T lib_6_7 -no-empty-hit-groups -fix %t.hlsl %t.other.hlsl 2>&1 | FileCheck --check-prefix=AGAIN %s
// FIXED: struct [raypayload] Base { float seed : read(miss) : write(caller); };
// FIXED: struct [raypayload] P : Base { float c : read(caller) : write(miss); };
// FIXED: struct Plain { float c; };
// AGAIN-NOT: written into
struct Base { float seed; };
struct P : Base { float c; };
struct Plain { float c; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u0);
[shader("raygeneration")] void Main()
{
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 };
    P p;
    p.seed = 1;
    TraceRay(Scene, 0, 0xff, 0, 1, 0, r, p);
    Out[0] = p.c;
}
[shader("miss")] void Sky(inout P p) { p.c = p.seed; }
