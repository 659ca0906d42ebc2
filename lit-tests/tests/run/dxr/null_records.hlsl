// Records without a shader: a hit there counts as opaque and runs nothing, nor does a miss, nor a call.
// rtc -T lib_6_3
// scene: Inputs/local.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Record { uint number; float scale; uint2 pair; };
ConstantBuffer<Record> Rec : register(b0, space1);
struct Payload { uint ran; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.ran = Rec.number; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.ran = Rec.number; }
[shader("intersection")] void Intersect() { }
[shader("miss")] void Miss(inout Payload p) { p.ran = Rec.number; }
[shader("callable")] void Call(inout Payload c) { c.ran = Rec.number; }
TriangleHitGroup Group1 = { "Any", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "", "", "Intersect" };
LocalRootSignature Local = { "RootConstants(num32BitConstants = 4, b0, space = 1)" };
SubobjectToExportsAssociation OfRecords = { "Local", "Main;Group1;Group2;Miss;Call" };

[shader("raygeneration")] void Main()
{
    Payload p = { 77 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(4), p);
    IS(p.ran, 77);
    TraceRay(Scene, 0, 0xff, 0, 0, 2, to(8), p);
    IS(p.ran, 77);
    CallShader(2, p);
    IS(p.ran, 77);
    TraceRay(Scene, 0, 0xff, 0, 0, 1, to(8), p);
    IS(p.ran, 21);
    IS(Rec.number, 5);
    done(5);
}
