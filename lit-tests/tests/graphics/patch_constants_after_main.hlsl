// The functions of a hull shader come in the order of the source, unless the entry point has no signature: then it is the first one.
// RUN: %rtc -T hs_6_0 -E main -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T hs_6_0 -E main %s -Fc - | FileCheck %s
// RUN: %rtc -T hs_6_0 -E main -DFIRST %s -Fc - | FileCheck %s --check-prefix=FIRST
// RUN: %rtc -T hs_6_0 -E bare -DFIRST %s -Fc - | FileCheck %s --check-prefix=BARE
// CHECK: define void @main()
// CHECK: define void @"{{.*}}constants
// FIRST: define void @"{{.*}}constants
// FIRST: define void @main()
// BARE: define void @bare()
// BARE: define void @"{{.*}}constants
struct Constants { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; };
Constants constants();
#ifdef FIRST
Constants constants() { Constants c; c.edges[0] = c.edges[1] = c.edges[2] = c.inside = 2; return c; }
#endif
struct Point { float4 position : POSITION; };
[domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)] [patchconstantfunc("constants")]
Point main(InputPatch<Point, 3> points, uint i : SV_OutputControlPointID) { return points[i]; }
[domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)] [patchconstantfunc("constants")]
void bare(uint i : SV_OutputControlPointID) { }
#ifndef FIRST
Constants constants() { Constants c; c.edges[0] = c.edges[1] = c.edges[2] = c.inside = 2; return c; }
#endif
