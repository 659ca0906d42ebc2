// Hull shaders that share a patch constant function, which may be exported and called too: each has its own, because the elements are those of
// the shader.
// RUN: %rtc -T lib_6_5 %s -validator-version 1.6 -no-warnings -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -spirv -T lib_6_5 %s -no-warnings -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T hs_6_5 -E second %s -Od -validator-version 1.6 -no-warnings -Fo %t.hs.dxil
// RUN: %dxil-val %t.hs.dxil
// CHECK: define void @"\01?taken{{.*}}"()
// CHECK: define void @"\01?plain{{.*}}.second"()
// CHECK: define void @"\01?taken{{.*}}.third"()
struct C { float4 p : SV_Position; };
struct K { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; };
K taken(InputPatch<C, 3> x) { K k; for (uint n = 0; n < 3; ++n) k.e[n] = x[n].p.x; k.i = 1; return k; }
export K plain() { K k = (K)1; return k; }
export float use() { K k = plain(); return k.i; }
[shader("hull")] [domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)] [patchconstantfunc("taken")]
C first(InputPatch<C, 3> x, uint i : SV_OutputControlPointID) { return x[i]; }
[shader("hull")] [domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)] [patchconstantfunc("plain")]
C second(InputPatch<C, 3> x, uint i : SV_OutputControlPointID) { return x[i]; }
[shader("hull")] [domain("tri")] [partitioning("fractional_odd")] [outputtopology("triangle_ccw")] [outputcontrolpoints(3)] [patchconstantfunc("taken")]
C third(InputPatch<C, 3> x, uint i : SV_OutputControlPointID, uint p : SV_PrimitiveID) { return x[(i + p) % 3]; }
