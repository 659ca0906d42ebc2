// Root constants of the records of all stages, each record with its own.
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
struct Payload { uint closest; uint any; uint miss; float scale; uint2 pair; };
struct Parameter { uint number; float scale; uint2 pair; };
struct Attributes { uint from; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.any = Rec.number; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.closest = Rec.number; p.scale = Rec.scale; p.pair = Rec.pair; }
[shader("intersection")] void Intersect() { Attributes a = { Rec.number }; ReportHit(9, 0, a); }
[shader("anyhit")] void AnyBox(inout Payload p, in Attributes a) { p.any = a.from == Rec.number ? Rec.number : 99; }
[shader("closesthit")] void ClosestBox(inout Payload p, in Attributes a) { p.closest = a.from == Rec.number ? Rec.number : 99; p.scale = Rec.scale; p.pair = Rec.pair; }
[shader("miss")] void Miss(inout Payload p) { p.miss = Rec.number; p.scale = Rec.scale; p.pair = Rec.pair; }
[shader("callable")] void Call(inout Parameter c) { c.number = Rec.number; c.scale = Rec.scale; c.pair = Rec.pair; }
TriangleHitGroup Group1 = { "Any", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "AnyBox", "ClosestBox", "Intersect" };
LocalRootSignature Local = { "RootConstants(num32BitConstants = 4, b0, space = 1)" };
SubobjectToExportsAssociation OfRecords = { "Local", "Main;Group1;Group2;Miss;Call" };

[shader("raygeneration")] void Main()
{
    IS(Rec.number, 5); ISF(Rec.scale, 1.25); IS(Rec.pair.x, 10); IS(Rec.pair.y, 15);
    uint place = thread() & 3;
    Payload p = (Payload)0;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(place), p);
    IS(p.closest, 10 + place); IS(p.any, 10 + place); ISF(p.scale, (10 + place) * 0.25); IS(p.pair.x, (10 + place) * 2); IS(p.pair.y, (10 + place) * 3);
    TraceRay(Scene, 0, 0xff, 0, 0, place & 1, to(8), p);
    IS(p.miss, 20 + (place & 1)); ISF(p.scale, (20 + (place & 1)) * 0.25); IS(p.pair.y, (20 + (place & 1)) * 3);
    Parameter c = (Parameter)0;
    CallShader(place & 1, c);
    IS(c.number, 30 + (place & 1)); ISF(c.scale, (30 + (place & 1)) * 0.25); IS(c.pair.x, (30 + (place & 1)) * 2);
    done(15);
}
