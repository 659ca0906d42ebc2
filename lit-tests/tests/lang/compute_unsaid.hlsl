// In a library attributes other than `[shader]` make shaders of some stages, and `[numthreads]` makes none: what a function with it calls is not checked.
// RUN: %rtc -T lib_6_6 -enable-payload-qualifiers -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc reflect %t.dxil | FileCheck --check-prefix=REFLECTED %s
// RUN: %rtc -T lib_6_6 -enable-payload-qualifiers -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_6 -enable-payload-qualifiers -spirv %s -Fc - | FileCheck --check-prefix=WORDS %s
// RUN: %rtc -T lib_6_6 -enable-payload-qualifiers -default-linkage external -DCALLED %s -Fc - | FileCheck --check-prefix=CALLED %s
// CHECK-NOT: @preview
// CHECK-NOT: @both
// CHECK-DAG: define void @corners()
// CHECK-DAG: define void @control()
// CHECK-DAG: define void @evaluate()
// CHECK-DAG: define void @clipped()
// CHECK-DAG: define void @early()
// CHECK-DAG: define void @Said()
// CHECK-DAG: define void @"\01?Main@@YAXXZ"()
// REFLECTED-DAG: "corners"
// REFLECTED-DAG: "geometry"
// WORDS-DAG: OpEntryPoint GLCompute %{{.*}} "Said"
// WORDS-DAG: OpEntryPoint RayGeneration{{.*}} "Main"
// WORDS-NOT: OpEntryPoint Geometry
// CALLED: define {{.*}}@"\01?plain@@
#ifndef CALLED
RaytracingAccelerationStructure s : register(t0);
RWTexture2D<float4> o : register(u0);
struct [raypayload] P { float4 c : read(caller) : write(caller, miss); };
float4 shot(uint2 at) { RayDesc r = { float3(at, 0), 0, float3(0, 0, 1), 9 }; P p; p.c = 0; TraceRay(s, 0, 0xff, 0, 1, 0, r, p); return p.c; }
[numthreads(8, 8, 1)] void preview(uint2 at : SV_DispatchThreadID) { o[at] = shot(at); }
[shader("raygeneration")] void Main() { o[DispatchRaysIndex().xy] = shot(DispatchRaysIndex().xy); }
[shader("compute")] [numthreads(4, 1, 1)] void Said(uint i : SV_GroupIndex) { o[uint2(i, 0)] = 1; }

struct V { float4 p : SV_Position; };
[maxvertexcount(3)] void corners(point V a[1], inout PointStream<V> t) { t.Append(a[0]); }
struct H { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; };
H factors(InputPatch<V, 3> p) { H h; h.e[0] = h.e[1] = h.e[2] = h.i = 1; return h; }
[domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)] [patchconstantfunc("factors")]
V control(InputPatch<V, 3> p, uint i : SV_OutputControlPointID) { return p[i]; }
[domain("tri")] V evaluate(H c, float3 w : SV_DomainLocation, const OutputPatch<V, 3> p) { return p[0]; }
cbuffer Planes { float4 plane; };
[clipplanes(plane)] float4 clipped(float4 v : V) : SV_Position { return v; }
[earlydepthstencil] float4 early(float4 v : V) : SV_Target { return v; }
#else
RWBuffer<uint> b;
[numthreads(4, 1, 1)] void plain(uint i) { b[i] = 1; }
#endif
