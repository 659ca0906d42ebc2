// `sample` of what a vertex shader gives is decorated as in the pixel shader, with the capability that the decoration needs.
// RUN: %rtc -T vs_6_0 -E vs -spirv %s -Fo %t.vs.spv
// RUN: %spirv-val %t.vs.spv
// RUN: %rtc dis %t.vs.spv | FileCheck %s
// RUN: %rtc -T ps_6_0 -E ps -spirv %s -Fo %t.ps.spv
// RUN: %spirv-val %t.ps.spv
// RUN: %rtc dis %t.ps.spv | FileCheck %s
// RUN: %rtc -T gs_6_0 -E gs -spirv %s -Fo %t.gs.spv
// RUN: %spirv-val %t.gs.spv
// RUN: %rtc dis %t.gs.spv | FileCheck %s
// CHECK: OpCapability SampleRateShading
// CHECK: OpDecorate %{{.*}}COLOR Sample
struct V { float4 at : SV_Position; sample float4 colour : COLOR; };
V vs(float4 p : P) { V v; v.at = p; v.colour = p.wzyx; return v; }
float4 ps(V v) : SV_Target { return v.colour; }
[maxvertexcount(1)] void gs(point V v[1], inout PointStream<V> s) { s.Append(v[0]); }
