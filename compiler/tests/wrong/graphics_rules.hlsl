//! Rules of the graphics stages that programs break: what is written, interpolated and evaluated, and how much there is.

// CASE position_never_written -T vs_6_0 -E main
struct O { float4 at : SV_Position; float4 c : COLOR; };
//                ^^ E0695 the vertex shader never writes `SV_Position`
O main(float4 p : P) { O o; o.c = p; return o; }
// CASE position_written_in_part -T vs_6_0 -E main
float4 main(float4 p : P) : SV_Position { float4 o; o.xyz = p.xyz; return o; }
//     ^^^^ E0695 the vertex shader never writes `w` of `SV_Position`
// CASE position_of_a_dead_branch -T vs_6_0 -E main
void main(float4 p : P, out float4 at : SV_Position) { if (false) at = p; }
//                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0695 the vertex shader never writes `SV_Position`
// CASE distance_never_written -T vs_6_0 -E main
void main(float4 p : P, out float4 at : SV_Position, out float2 d : SV_ClipDistance) { at = p; d.x = 1; }
//                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0695 the vertex shader never writes `y` of `SV_ClipDistance`
// CASE layer_never_written -T vs_6_0 -E main
struct O { float4 at : SV_Position; uint layer : SV_RenderTargetArrayIndex; };
//                                       ^^^^^ E0695 the vertex shader never writes `SV_RenderTargetArrayIndex`
O main(float4 p : P) { O o; o.at = p; return o; }
// CASE position_never_written_in_a_library -T lib_6_3
struct O { float4 at : SV_Position; float4 c : COLOR; };
//                ^^ E0695 the vertex shader never writes `SV_Position`
[shader("vertex")] O main(float4 p : P) { O o; o.c = p; return o; }
// CASE depth_never_written -T ps_6_0 -E main
struct O { float4 c : SV_Target; float d : SV_Depth; };
//                                     ^ E0695 the pixel shader never writes `SV_Depth`
O main(float4 p : P) { O o; o.c = p; return o; }
// CASE coverage_never_written -T ps_6_0 -E main
struct O { float4 c : SV_Target; uint m : SV_Coverage; };
//                                    ^ E0695 the pixel shader never writes `SV_Coverage`
O main(float4 p : P) { O o; o.c = p; return o; }
// CASE stencil_never_written -T ps_6_0 -E main
struct O { float4 c : SV_Target; uint s : SV_StencilRef; };
//                                    ^ E0695 the pixel shader never writes `SV_StencilRef`
O main(float4 p : P) { O o; o.c = p; return o; }
// CASE vertex_without_position -T gs_6_0 -E main
struct V { float4 at : SV_Position; float4 c : C; };
//                ^^ E0695 the geometry shader never writes `SV_Position`
[maxvertexcount(1)] void main(point V i[1], inout PointStream<V> s) { V v; v.c = i[0].c; s.Append(v); }
// CASE nothing_appended -T gs_6_0 -E main
struct V { float4 at : SV_Position; };
//                ^^ E0695 the geometry shader never writes `SV_Position`
[maxvertexcount(1)] void main(point V i[1], inout PointStream<V> s) { s.RestartStrip(); }
// CASE second_stream_without_position -T gs_6_0 -E main
struct V { float4 at : SV_Position; }; struct W { float4 at : SV_Position; };
//                                                       ^^ E0695 the geometry shader never writes `SV_Position`
[maxvertexcount(1)] void main(point V i[1], inout PointStream<V> s, inout PointStream<W> t) { s.Append(i[0]); }
// CASE domain_without_position -T ds_6_0 -E main
struct V { float4 at : SV_Position; float w : W; };
//                ^^ E0695 the domain shader never writes `SV_Position`
[domain("tri")] V main(OutputPatch<V, 3> v) { V o; o.w = v[0].w; return o; }
// CASE mesh_without_position -T ms_6_5 -E main
struct V { float4 at : SV_Position; float w : W; };
//                ^^ E0695 the mesh shader never writes `SV_Position`
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[1]) { SetMeshOutputCounts(2, 1); v[0].w = v[1].w = 1; t[0] = uint2(0, 1); }
// CASE bounded_depth -T ps_6_0 -E main
float4 main(float4 at : SV_Position, out float d : SV_DepthGreaterEqual) : SV_Target { d = at.z; return at; }
//          ^^^^^^^^^^^^^^^^^^^^^^^ E0674 with `SV_DepthGreaterEqual`, `SV_Position` must be `centroid` or `sample`
// = 1:38: note: the depth is written here
// = note: a shader that runs for each sample, because it has `SV_SampleIndex` or a `sample` input, may have any position
// CASE bounded_depth_below -T ps_6_0 -E main
struct I { noperspective float4 at : SV_Position; };
//                              ^^ E0674 with `SV_DepthLessEqual`, `SV_Position` must be `centroid` or `sample`
// = 2:42: note: the depth is written here
// = note: a shader that runs for each sample, because it has `SV_SampleIndex` or a `sample` input, may have any position
void main(I i, out float4 c : SV_Target, out float d : SV_DepthLessEqual) { d = i.at.z; c = 0; }
// CASE flat_barycentrics -T ps_6_1 -E main
float4 main(nointerpolation float3 b : SV_Barycentrics) : SV_Target { return b.xyzz; }
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0674 `SV_Barycentrics` cannot be `nointerpolation`
// CASE barycentrics_of_two -T ps_6_1 -E main
float4 main(float2 b : SV_Barycentrics) : SV_Target { return b.xyxy; }
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^ E0673 `SV_Barycentrics` must have type `float3`, found `float2`
// CASE barycentrics_twice -T ps_6_1 -E main
float4 main(float3 a : SV_Barycentrics, centroid float3 b : SV_Barycentrics1) : SV_Target { return (a + b).xyzz; }
//                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0672 `SV_Barycentrics` occurs twice with perspective
// = 1:13: note: first used here
// = note: a pixel shader has them once with perspective, and once as `noperspective`
// CASE barycentrics_twice_without_perspective -T ps_6_1 -E main
float4 main(noperspective float3 a : SV_Barycentrics, noperspective sample float3 b : SV_Barycentrics1) : SV_Target { return (a + b).xyzz; }
//                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0672 `SV_Barycentrics` occurs twice without perspective
// = 1:13: note: first used here
// = note: a pixel shader has them once with perspective, and once as `noperspective`
// CASE barycentrics_2 -T ps_6_1 -E main
float4 main(float3 a : SV_Barycentrics2) : SV_Target { return a.xyzz; }
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0670 `SV_Barycentrics2` has an index that is too large: 1 is the largest
// CASE evaluation_of_a_constant -T ps_6_0 -E main
float4 main(nointerpolation float4 c : COLOR1) : SV_Target { return EvaluateAttributeCentroid(c); }
//                                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0675 `EvaluateAttributeCentroid` evaluates inputs that are interpolated, and `COLOR1` is not
// = 1:13: note: declared here
// CASE evaluation_of_an_integer -T ps_6_0 -E main
float4 main(uint2 k : K) : SV_Target { return EvaluateAttributeAtSample(k, 1).xyxy; }
//                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0675 `EvaluateAttributeAtSample` evaluates inputs that are interpolated, and `K` is not
// = 1:13: note: declared here
// CASE evaluation_of_the_position -T ps_6_0 -E main
float4 main(float4 at : SV_Position) : SV_Target { return EvaluateAttributeSnapped(at, int2(1, 2)); }
//                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0675 `EvaluateAttributeSnapped` cannot evaluate `SV_Position`
// CASE evaluation_of_a_member -T ps_6_0 -E main
struct I { float4 a : A; nointerpolation float2 b : B; };
float4 main(I i) : SV_Target { return i.a + EvaluateAttributeCentroid(i.b).xyxy; }
//                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0675 `EvaluateAttributeCentroid` evaluates inputs that are interpolated, and `B` is not
// = 1:49: note: declared here
// CASE interpolated_at_a_vertex -T ps_6_1 -E main
float4 main(float4 c : COLOR) : SV_Target { return GetAttributeAtVertex(c, 2); }
//                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^ E0675 `GetAttributeAtVertex` takes an input that is `nointerpolation`, and `COLOR` is interpolated
// = 1:13: note: declare it `nointerpolation`
// CASE position_at_a_vertex -T ps_6_1 -E main
float4 main(float4 at : SV_Position) : SV_Target { return GetAttributeAtVertex(at, 0); }
//                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0675 `GetAttributeAtVertex` takes an input that is `nointerpolation`, and `SV_Position` is interpolated
// = 1:13: note: declare it `nointerpolation`
// CASE vertex_3 -T ps_6_1 -E main
float4 main(nointerpolation float4 c : COLOR) : SV_Target { return GetAttributeAtVertex(c, 3); }
//                                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^ E0645 `GetAttributeAtVertex` does not accept 3 for `VertexID`: a primitive has the vertices 0 to 2
// CASE no_room_for_the_view -T ps_6_1 -E main
float4 main(float4 a[32] : A, uint v : SV_ViewID) : SV_Target { return a[3] * v; }
//                            ^^^^^^^^^^^^^^^^^^ E0676 the inputs leave no room for `SV_ViewID`, which takes a component of a register of its own
// CASE long_semantic -T vs_6_0 -E main
float4 main(float4 p : ABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDE) : SV_Position { return p; }
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0670 the name of a semantic has at most 64 characters
// CASE sample_index_of_floats -T ps_6_0 -E main
float4 main(float s : SV_SampleIndex) : SV_Target { return s; }
//          ^^^^^^^^^^^^^^^^^^^^^^^^ E0673 `SV_SampleIndex` must have type `uint`, found `float`
// CASE sample_index_1 -T ps_6_0 -E main
float4 main(uint s : SV_SampleIndex1) : SV_Target { return s; }
//          ^^^^^^^^^^^^^^^^^^^^^^^^ E0670 `SV_SampleIndex1` has an index that is too large: 0 is the largest
// CASE stencil_reference_of_two -T ps_6_0 -E main
float4 main(out uint2 s : SV_StencilRef) : SV_Target { s = 1; return 0; }
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0673 `SV_StencilRef` must have type `uint`, found `uint2`
// CASE target_of_64_bits -T ps_6_0 -E main
double2 main() : SV_Target { return 0; }
//      ^^^^ E0673 `double2` cannot be a stage input or output: it is 64 bits wide
// CASE target_twice -T ps_6_0 -E main
void main(out float4 a[2] : SV_Target0, out float4 b : SV_Target1) { a[0] = a[1] = b = 0; }
//                                      ^^^^^^^^^^^^^^^^^^^^^^^^^ E0672 the semantic `SV_Target1` occurs twice in one signature
// = 1:11: note: first used here
// CASE front_face_in_geometry -T gs_6_0 -E main
struct V { float4 at : SV_Position; };
[maxvertexcount(1)] void main(point V i[1], bool f : SV_IsFrontFace, inout PointStream<V> s) { s.Append(i[0]); }
//                                          ^^^^^^^^^^^^^^^^^^^^^^^ E0670 `SV_IsFrontFace` cannot be a geometry shader's input
// = note: it can be a geometry shader's output or a pixel shader's input
// CASE factors_in_two_parts -T hs_6_0 -E main
struct V { float4 p : P; }; struct C { float a[2] : SV_TessFactor; float b : SV_TessFactor2; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
//                                                                       ^ E0670 `SV_TessFactor2` has an index that is too large: 0 is the largest
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
// CASE factors_from_1_on -T ds_6_0 -E main
struct V { float4 p : P; }; struct C { float a[3] : SV_TessFactor1; float i : SV_InsideTessFactor; };
//                                           ^ E0670 `SV_TessFactor1` has an index that is too large: 0 is the largest
[domain("tri")] float4 main(C c, OutputPatch<V, 3> v) : SV_Position { return v[0].p; }
// CASE edges_of_a_patch_alone -T hs_6_0 -E main
struct V { float4 p : P; }; struct C { float e[3] : SV_TessFactor; }; C constants() { return (C)1; }
//                                                                      ^^^^^^^^^ E0694 the patch constant function of domain "tri" must return `SV_InsideTessFactor`, a `float`
// = 2:95: note: of this hull shader
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
// CASE third_coordinate_of_a_quad -T ds_6_0 -E main
struct V { float4 p : P; };
[domain("quad")] float4 main(OutputPatch<V, 4> v, float3 uvw : SV_DomainLocation) : SV_Position { return v[0].p * uvw.z; }
//                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0673 `SV_DomainLocation` of a quad has two components
// CASE domain_location_of_four -T ds_6_0 -E main
struct V { float4 p : P; };
[domain("tri")] float4 main(OutputPatch<V, 4> v, float4 uvw : SV_DomainLocation) : SV_Position { return v[0].p * uvw.z; }
//                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0673 `SV_DomainLocation` must have type `float`, found `float4`
// CASE control_point_id_in_a_domain_shader -T ds_6_0 -E main
struct V { float4 p : P; };
[domain("tri")] float4 main(OutputPatch<V, 4> v, uint i : SV_OutputControlPointID) : SV_Position { return v[i].p; }
//                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0670 `SV_OutputControlPointID` cannot be a domain shader's input
// = note: it can be a hull shader's input
// CASE patch_of_none -T hs_6_0 -E main
struct V { float4 p : P; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 0> v) { return (V)0; }
//                                                                                                                                   ^^^^^^^^^^^^^^^^ E0692 an `InputPatch` has 1 to 32 control points, not 0
// CASE largest_factor_0 -T hs_6_0 -E main
struct V { float4 p : P; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] [maxtessfactor(0.5)] V main(InputPatch<V, 3> v) { return v[0]; }
//                                                                                                                             ^^^^^^^^^^^^^^^^^^ E0405 the attribute `maxtessfactor` takes a number from 1 to 64
// CASE no_instances -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] [instance(0)] void main(point V v[1], inout PointStream<V> s) { s.Append(v[0]); }
//                   ^^^^^^^^^^^ E0405 the attribute `instance` takes a number from 1 to 32
// CASE payload_and_outputs -T ms_6_5 -E main
struct V { float4 at : SV_Position; float4 d[7] : D; }; struct P { uint a[3841]; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(in payload P p, out vertices V v[256], out indices uint2 t[1])
//                                                  ^^^^ E0681 the outputs of the mesh shader take 32768 bytes and its payload 15364; 48128 is the limit for both
// = note: arrays are rounded up to multiples of 32 members; every component takes 4 bytes
{ SetMeshOutputCounts(2, 1); v[0] = v[1] = (V)p.a[0]; t[0] = uint2(0, 1); }
// CASE registers_of_vertices_and_primitives -T ms_6_5 -E main
struct V { float4 at : SV_Position; float4 d[19] : D; }; struct Q { float4 e[20] : E; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[1], out primitives Q q[1])
//                                                  ^^^^ E0676 vertices and primitives of a mesh shader have 32 registers together, and these take 40
{ SetMeshOutputCounts(2, 1); V o = (V)0; v[0] = o; v[1] = o; t[0] = uint2(0, 1); q[0] = (Q)0; }
// CASE no_counts -T ms_6_5 -E main
struct V { float4 at : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[1]) { v[0].at = v[1].at = 0; t[0] = uint2(0, 1); }
//                                                                                                                ^^^^^^^^^^^ E0684 a mesh shader must call `SetMeshOutputCounts` before it writes outputs
// CASE counts_in_a_branch -T ms_6_5 -E main
struct V { float4 at : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(uint3 g : SV_GroupID, out vertices V v[2], out indices uint2 t[1])
{ if (g.x > 2) SetMeshOutputCounts(2, 1); v[0].at = v[1].at = 0; t[0] = uint2(0, 1); }
//                                                  ^^^^^^^^^^^ E0684 this output may be written before `SetMeshOutputCounts` is called
// = 3:16: note: the call
// = note: call it outside of branches and loops, before all outputs
// CASE counts_after_an_output -T ms_6_5 -E main
struct V { float4 at : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[1])
{ v[0].at = 0; SetMeshOutputCounts(2, 1); v[1].at = 0; t[0] = uint2(0, 1); }
// @3 W0687 this output may be written before `SetMeshOutputCounts` is called
// = 3:16: note: the call
// = note: call it outside of branches and loops, before all outputs
// CASE culling_of_floats -T ms_6_5 -E main
struct V { float4 at : SV_Position; }; struct Q { float c : SV_CullPrimitive; };
//                                                      ^ E0673 `SV_CullPrimitive` must have type `bool`, found `float`
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[1], out primitives Q q[1])
{ SetMeshOutputCounts(2, 1); v[0].at = v[1].at = 0; t[0] = uint2(0, 1); q[0].c = 1; }
// CASE position_of_a_payload -T as_6_5 -E main
struct P { float4 a; }; groupshared P p;
[numthreads(1, 1, 1)] void main(float4 at : SV_Position) { p.a = at; DispatchMesh(1, 1, 1, p); }
//                              ^^^^^^^^^^^^^^^^^^^^^^^ E0670 `SV_Position` cannot be a mesh shader's input
// = note: it can be a vertex shader's input, a vertex shader's output, a hull shader's control point input, a hull shader's output, a patch constant function's output, a domain shader's input, a domain shader's control point input, a domain shader's output, a geometry shader's vertex input, a geometry shader's output, a pixel shader's input or a mesh shader's vertex output
// CASE coverage_of_16_bits -T ps_6_2 -E main
float4 main(out min16uint m : SV_Coverage) : SV_Target { m = 1; return 0; }
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0673 `SV_Coverage` must have type `uint`, found `min16uint`
// CASE front_face_of_16_bits -T ps_6_2 -E main
float4 main(min16uint f : SV_IsFrontFace) : SV_Target { return f; }
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0673 `SV_IsFrontFace` must have type `bool`, found `min16uint`
