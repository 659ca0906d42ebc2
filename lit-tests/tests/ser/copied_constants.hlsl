// RUN: %rtc -T lib_6_9 %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T lib_6_9 -Od %s -Fo %t.od.dxil
// RUN: %rtc -T lib_6_9 -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv
// RUN: %rtc -T lib_6_9 -spirv %s -Fo %t.rtp

// An array of a constant buffer that a function without reorder points copies is read where it is, by a computed index, in a library whose other
// functions have points: the audit of the points knows these reads.
struct S { uint2 f[4]; };
cbuffer C { S c[2]; };
RWStructuredBuffer<uint> O : register(u0);
RaytracingAccelerationStructure A;
struct [raypayload] P { uint v : read(caller) : write(caller, miss, closesthit); };

[shader("raygeneration")]
void R() {
  uint t = DispatchRaysIndex().x;
  P p; p.v = t;
  RayDesc r; r.Origin = 0; r.Direction = 1; r.TMin = 0; r.TMax = 1;
  TraceRay(A, 0, 255, 0, 0, 0, r, p);
  O[t] = p.v;
}

// CHECK-LABEL: define void {{.*}}M@@
// CHECK-NOT: alloca
// CHECK: call %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32 59, %dx.types.Handle %{{[0-9]+}}, i32 %
// CHECK: ret void
[shader("miss")]
void M(inout P p) {
  S s = c[1];
  S q = c[0];
  p.v = s.f[q.f[3].x & 3].y + s.f[O[3] & 3].x;
}

// With a point between the copy and the read the copy stays.
// CHECK-LABEL: define void {{.*}}H@@
// CHECK: alloca
// CHECK: ret void
[shader("closesthit")]
void H(inout P p, BuiltInTriangleIntersectionAttributes a) {
  S s = c[1];
  P q; q.v = 1;
  RayDesc r; r.Origin = 0; r.Direction = 1; r.TMin = 0; r.TMax = 1;
  TraceRay(A, 0, 255, 0, 0, 0, r, q);
  p.v = s.f[O[3] & 3].x + q.v;
}
