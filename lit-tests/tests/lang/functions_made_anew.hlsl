// Entry points with signatures, and every one of a single shader, have no attributes, and a patch constant function comes first: as in the reference's
// modules, which make these functions anew.
// RUN: %rtc -T hs_6_0 -E hull %s | FileCheck %s --check-prefix=HULL
// RUN: %rtc -T cs_6_0 -E compute %s | FileCheck %s --check-prefix=COMPUTE
// RUN: %rtc -T cs_6_2 -E compute -denorm preserve %s | FileCheck %s --check-prefix=DENORM
// RUN: %rtc -T lib_6_3 %s | FileCheck %s --check-prefix=LIB

// HULL: define void @"\01?patch{{.*}}() {
// HULL: define void @hull() {
// COMPUTE: define void @compute() {
// DENORM: define void @compute() #[[N:[0-9]+]] {
// DENORM: attributes #[[N]] = { "fp32-denorm-mode"="preserve" }
// LIB-DAG: define void @compute() #[[C:[0-9]+]] {
// LIB-DAG: define float @"\01?exported{{.*}}(float) #[[C]] {
// LIB-DAG: define void @vertex() {
// LIB-DAG: attributes #[[C]] = { nounwind }

RWBuffer<float> o;
struct Point { float4 p : SV_Position; };
struct Patch { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; };
Patch patch(InputPatch<Point, 3> points) { Patch p; p.edges[0] = points[0].p.x; p.edges[1] = p.edges[2] = p.inside = 2; return p; }
[shader("hull")] [domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)] [patchconstantfunc("patch")]
Point hull(InputPatch<Point, 3> points, uint i : SV_OutputControlPointID) { Point r; r.p = points[i].p * 2; return r; }
export float exported(float a) { return a * o[0]; }
[shader("compute")] [numthreads(1, 1, 1)] void compute() { o[1] = o[0] * 2; }
[shader("vertex")] float4 vertex(float4 p : P) : SV_Position { return p; }
