// A function that takes no payload ends the shader: what the shader writes after the call is not written on that path, and the caller's value stays.
// rtc -T lib_6_6
// scene: Inputs/ends.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: FileCheck %s --input-file %T/report.json
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=whole
// RUN: FileCheck %s --input-file %T/report.json
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=whole -Od
// RUN: FileCheck %s --input-file %T/report.json
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: FileCheck %s --input-file %T/report.json
// RUN: %rtc paq -T lib_6_6 %s | FileCheck %s --check-prefix=INFERRED
// INFERRED: uint mode : read(anyhit) : write(caller);
// INFERRED: uint value : read(caller, anyhit) : write(caller, anyhit);
// INFERRED: uint other : read(caller, anyhit) : write(caller, anyhit);
// CHECK: {{^\[?}}7,
// CHECK-NEXT: {{^\[?}}41,
// CHECK-NEXT: {{^\[?}}42,
// CHECK-NEXT: {{^\[?}}43,
// CHECK-NEXT: {{^\[?}}8,
// CHECK-NEXT: {{^\[?}}51,
// CHECK-NEXT: {{^\[?}}52,
// CHECK-NEXT: {{^\[?}}8,
struct P { uint mode; uint value; uint other; };
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Report : register(u1);
RaytracingShaderConfig Sizes = { 64, 8 };
RaytracingPipelineConfig Depth = { 1 };
TriangleHitGroup Group = { "Any", "" };
void Ignore() { IgnoreHit(); }
void Test(uint mode)
{
    if (mode == 1)
        Ignore();
    else if (mode == 2)
        AcceptHitAndEndSearch();
}
uint Alpha(uint mode)
{
    if (mode == 3)
        IgnoreHit();
    return 7;
}
[shader("anyhit")] void Any(inout P p, BuiltInTriangleIntersectionAttributes a)
{
    Test(p.mode);
    p.other = 8;
    p.value = Alpha(p.mode);
}
[shader("raygeneration")] void Main()
{
    for (uint mode = 0; mode < 4; mode++)
    {
        RayDesc ray = { float3(0, 0, -1), 0, float3(0, 0, 1), 9 };
        P p = { mode, 40 + mode, 50 + mode };
        TraceRay(Scene, RAY_FLAG_FORCE_NON_OPAQUE, 0xff, 0, 1, 0, ray, p);
        Report.Store(mode * 4, p.value);
        Report.Store(16 + mode * 4, p.other);
    }
}
