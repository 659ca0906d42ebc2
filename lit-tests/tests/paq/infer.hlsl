// `rtc paq` finds the tightest qualifiers for annotated and unannotated payloads, names the shader that requires each stage, and with -fix changes nothing
// but qualifiers and attributes.
// RUN: %rtc paq -T lib_6_6 %s | FileCheck %s
// RUN: cp %s %t.hlsl
// RUN: %rtc paq -T lib_6_6 -fix %t.hlsl 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck --check-prefix=FIXED %s < %t.hlsl
// RUN: %rtc -T lib_6_7 -WX %t.hlsl -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: cp %t.hlsl %t.again.hlsl
// RUN: %rtc paq -T lib_6_7 -fix %t.again.hlsl
// RUN: cmp %t.hlsl %t.again.hlsl
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);
#define TRACE(p) TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 0, 0, ray(), p)
RayDesc ray() { RayDesc r; r.Origin = 0; r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 1; return r; }

// FIXED: struct [raypayload] Inner { float x : read(caller) : write(closesthit, miss); float y : read(closesthit) : write(caller); };
struct [raypayload] Inner { float x : read(miss) : write(closesthit); float y; };
// FIXED: struct [raypayload] Base { uint b0 : read(closesthit) : write(caller); uint b1 : read(caller) : write(closesthit, miss); };
struct Base { uint b0; uint b1; };
// FIXED: template<typename T> struct [raypayload] Both { T v : read(caller, closesthit) : write(caller, miss); T w : read(caller, miss) : write(caller, closesthit); };
template<typename T> struct Both { T v; T w; };
struct Plain { float q, r; };
// FIXED: struct Plain { float q, r; };
// FIXED: {{^}}struct [raypayload] P : Base {
struct P : Base {
  Inner in1;
// FIXED: {{^}}  Inner in1;
  Plain pl; // plain
// FIXED: {{^}}  Plain pl : read(caller) : write(closesthit, miss); // plain
  float4 m[3] /* dims */, n;
// FIXED: {{^}}  float4 m[3] : read(closesthit) : write(caller) /* dims */, n : read() : write();
  uint lo : 4; uint hi : 28 ;
// FIXED: {{^}}  uint lo : 4 : read(caller, closesthit, miss) : write(caller, closesthit, miss); uint hi : 28 : read(caller, closesthit, miss) : write(caller, closesthit, miss) ;
  float  half_done : /*keep*/ read( caller ) /*me*/ ;
// FIXED: {{^}}  float  half_done : /*keep*/ read( caller ) : write(closesthit, miss) /*me*/ ;
  float right : write(miss , closesthit) : read(caller);
// FIXED: {{^}}  float right : write(miss , closesthit) : read(caller);
};
void help(inout P p) { p.in1.x = 1; p.right = 1; }
[shader("raygeneration")] void Rg()
{
    P p; p.b0 = 1; p.m[0] = 1; p.m[1] = 2; p.m[2] = 3; p.in1.y = 3; p.hi = 7;
    TRACE(p);
    Out.Store(0, p.b1 + p.in1.x + p.pl.q + p.lo + p.half_done + p.right);
    Both<float> t; t.v = 1; t.w = 0; TRACE(t); Out.Store(4, t.w);
    Both<uint> u; u.w = 1; u.v = 0; TRACE(u); Out.Store(4, u.v);
}
[shader("closesthit")] void Ch(inout P p, BuiltInTriangleIntersectionAttributes a) { help(p); p.b1 = p.b0; p.pl = (Plain)(p.m[p.b0].x + p.in1.y); p.lo = 3; p.half_done = 2; }
[shader("miss")] void Ms(inout P p) { help(p); p.b1 = 1; p.pl = (Plain)0; p.lo = p.hi; p.half_done = 1; }
[shader("closesthit")] void Ch1(inout Both<float> p, BuiltInTriangleIntersectionAttributes a) { p.w = p.v; }
[shader("miss")] void Ms1(inout Both<uint> p) { p.v = p.w; }

// CHECK: struct [raypayload] P // {{.*}}infer.hlsl:26:8
// CHECK-NEXT: {
// CHECK-NEXT: uint b0 : read(closesthit) : write(caller);
// CHECK-NEXT: uint b1 : read(caller) : write(closesthit, miss);
// CHECK-NEXT: float in1.x : read(caller) : write(closesthit, miss); // was read(miss) : write(closesthit)
// CHECK-NEXT: float in1.y : read(closesthit) : write(caller);
// CHECK-NEXT: Plain pl : read(caller) : write(closesthit, miss);
// CHECK-NEXT: float4[3] m : read(closesthit) : write(caller);
// CHECK-NEXT: float4 n : read() : write();
// CHECK-NEXT: uint lo : read(caller, closesthit, miss) : write(caller, closesthit, miss);
// CHECK-NEXT: uint hi : read(caller, closesthit, miss) : write(caller, closesthit, miss);
// CHECK-NEXT: float half_done : read(caller) : write(closesthit, miss);
// CHECK-NEXT: float right : read(caller) : write(closesthit, miss);
// CHECK-NEXT: };
// CHECK-NEXT: b0: read(closesthit): `Ch` reads it ({{.*}}infer.hlsl:49:102)
// CHECK-NEXT: b0: write(caller): `Rg` sets it before the trace ({{.*}}infer.hlsl:44:5)
// CHECK: in1.x: write(miss): `Ms` writes it ({{.*}}infer.hlsl:40:24)
// CHECK: n: no shader needs it
// CHECK: struct [raypayload] Both<float>
// SAID: qualifiers written into `{{.*}}.hlsl`
