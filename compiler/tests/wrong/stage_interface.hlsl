//! Inputs and outputs of vertex and pixel shaders: semantics, types, interpolation.

// CASE no_semantic -T vs_6_0 -E main
float4 main(float3 p) : SV_Position { return p.xyzz; }
//          ^^^^^^^^ E0671 a vertex shader's input needs a semantic, such as `: TEXCOORD0`
// CASE long_vector_as_input -T vs_6_9 -E main
float4 main(vector<float, 5> v : V) : SV_Position { return v[4]; }
//          ^^^^^^^^^^^^^^^^^^^^^^ E0307 the interface of a shader cannot contain vectors of more than four components, as `vector<float, 5>` does
// = note: long vectors are allowed in variables of functions, groupshared memory, structured and byte-address buffers
// CASE long_vector_as_output -T vs_6_9 -E main
struct Out { float4 p : SV_Position; vector<float, 8> v[2] : V; };
//                                                    ^ E0307 the interface of a shader cannot contain vectors of more than four components, as `vector<float, 8>` does
// = note: long vectors are allowed in variables of functions, groupshared memory, structured and byte-address buffers
Out main() { return (Out)0; }
// CASE no_semantic_of_result -T ps_6_0 -E main
float4 main() { return 0; }
//     ^^^^ E0671 a pixel shader's output needs a semantic, such as `: TEXCOORD0`
// CASE no_semantic_of_member -T ps_6_0 -E main
struct In { float2 uv; };
//                 ^^ E0671 a pixel shader's input needs a semantic, such as `: TEXCOORD0`
float4 main(In i) : SV_Target { return i.uv.xyxy; }
// CASE unknown_system_value -T ps_6_0 -E main
float4 main(float4 p : SV_Postion) : SV_Target { return p; }
//          ^^^^^^^^^^^^^^^^^^^^^ E0670 there is no system value `SV_Postion`
// = here: did you mean `SV_Position`?
// = note: names that begin with `SV_` are system values; others may be chosen freely
// CASE system_value_of_another_stage -T ps_6_0 -E main
float4 main(uint id : SV_VertexID) : SV_Target { return id; }
//          ^^^^^^^^^^^^^^^^^^^^^ E0670 `SV_VertexID` cannot be a pixel shader's input
// = note: it can be a vertex shader's input
// CASE target_as_input -T ps_6_0 -E main
float4 main(float4 p : SV_Target) : SV_Target { return p; }
//          ^^^^^^^^^^^^^^^^^^^^ E0670 `SV_Target` cannot be a pixel shader's input
// = note: it can be a pixel shader's output
// CASE position_as_pixel_output -T ps_6_0 -E main
float4 main() : SV_Position { return 0; }
//     ^^^^ E0670 `SV_Position` cannot be a pixel shader's output
// = note: it can be a vertex shader's input, a vertex shader's output, a hull shader's control point input, a hull shader's output, a patch constant function's output, a domain shader's input, a domain shader's control point input, a domain shader's output, a geometry shader's vertex input, a geometry shader's output, a pixel shader's input or a mesh shader's vertex output
// CASE dispatch_id_in_pixel -T ps_6_0 -E main
float4 main(uint3 id : SV_DispatchThreadID) : SV_Target { return id.xyzz; }
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0670 `SV_DispatchThreadID` cannot be a pixel shader's input
// = note: it can be a mesh shader's input
// CASE target_8 -T ps_6_0 -E main
float4 main() : SV_Target8 { return 0; }
//     ^^^^ E0670 `SV_Target8` has an index that is too large: 7 is the largest
// CASE position_1 -T vs_6_0 -E main
float4 main() : SV_Position1 { return 0; }
//     ^^^^ E0670 `SV_Position1` has an index that is too large: 0 is the largest
// CASE same_semantic_twice -T vs_6_0 -E main
float4 main(float a : A, float b : A0) : SV_Position { return a + b; }
//                       ^^^^^^^^^^^^ E0672 the semantic `A0` occurs twice in one signature
// = 1:13: note: first used here
// CASE array_overlaps -T vs_6_0 -E main
float4 main(float4 a[2] : A, float b : A1) : SV_Position { return a[1] + b; }
//                           ^^^^^^^^^^^^ E0672 the semantic `A1` occurs twice in one signature
// = 1:13: note: first used here
// CASE two_depths -T ps_6_0 -E main
void main(out float a : SV_Depth, out float b : SV_DepthLessEqual) { a = b = 0; }
//                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0672 a pixel shader has one depth: `SV_DepthLessEqual` comes after `SV_Depth`
// = 1:11: note: first used here
// CASE two_coverages -T ps_6_0 -E main
float4 main(uint a : SV_Coverage, uint b : SV_InnerCoverage) : SV_Target { return a + b; }
//                                ^^^^^^^^^^^^^^^^^^^^^^^^^ E0672 a pixel shader cannot have both `SV_Coverage` and `SV_InnerCoverage` as inputs
// = 1:13: note: first used here
// CASE position_of_three -T vs_6_0 -E main
float3 main(float3 p : P) : SV_Position { return p; }
//     ^^^^ E0673 `SV_Position` must have type `float4`, found `float3`
// CASE front_face_of_floats -T ps_6_0 -E main
float4 main(float f : SV_IsFrontFace) : SV_Target { return f; }
//          ^^^^^^^^^^^^^^^^^^^^^^^^ E0673 `SV_IsFrontFace` must have type `bool`, found `float`
// CASE depth_of_four -T ps_6_0 -E main
float4 main() : SV_Depth { return 0; }
//     ^^^^ E0673 `SV_Depth` must have type `float`, found `float4`
// CASE double_input -T vs_6_0 -E main
float4 main(double3 p : P) : SV_Position { return float4((float3)p, 1); }
//          ^^^^^^^^^^^^^ E0673 `double3` cannot be a stage input or output: it is 64 bits wide
// CASE texture_as_input -T ps_6_0 -E main
struct In { Texture2D t : T; };
//                    ^ E0673 `Texture2D<float4>` cannot be a stage input or output: it is an object
float4 main(In i) : SV_Target { return 0; }
// CASE array_of_structures_with_arrays -T ps_6_0 -E main
struct I { float a, b; }; struct V { I a[2] : A; };
float4 main(V v[2]) : SV_Target { return v[1].a[0].b; }
//          ^^^^^^ E0673 `V[2]` cannot be a stage input or output: it is an array of structures with such arrays: it needs a semantic itself
// CASE array_of_structures_twice -T ps_6_0 -E main
struct V { float4 a : A; float4 b : A2; };
//                              ^ E0672 the semantic `A2` occurs twice in one signature
// = 1:19: note: first used here
float4 main(V v[3]) : SV_Target { return v[1].a; }
// CASE array_of_positions -T ps_6_0 -E main
struct V { float4 a; };
//                ^ E0673 `SV_Position` must have type `float4`, found `float4[2]`
float4 main(V v[2] : SV_Position) : SV_Target { return v[1].a; }
// CASE large_array_of_structures -T ps_6_0 -E main
struct V { float4 a; };
float4 main(V v[100][100] : A) : SV_Target { return v[1][1].a; }
//          ^^^^^^^^^^^^^^^^^ E0673 `V[100]` cannot be a stage input or output: it is larger than the registers of a stage
// CASE unknown_builtin -T vs_6_0 -E main -spirv
float4 main([[vk::builtin("BaseVertx")]] int n : A) : SV_Position { return n; }
//            ^^^^^^^^^^^^^^^^^^^^^^^^ E0670 `vk::builtin` takes PointSize, HelperInvocation, BaseVertex, BaseInstance, DrawIndex, DeviceIndex or ViewportMaskNV
// = here: did you mean `BaseVertex`?
// CASE builtin_at_a_location -T vs_6_0 -E main -spirv
float4 main([[vk::builtin("BaseVertex"), vk::location(1)]] int n : A) : SV_Position { return n; }
//            ^^^^^^^^^^^^^^^^^^^^^^^^^ E0670 what is `vk::builtin` has no `vk::location`
// CASE builtin_of_another_stage -T ps_6_0 -E main -spirv
float4 main([[vk::builtin("BaseVertex")]] int n : A) : SV_Target { return n; }
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0670 `BaseVertex` cannot be a pixel shader's input
// = note: it can be a vertex shader's input
// CASE builtin_of_another_type -T vs_6_0 -E main -spirv
struct V { float4 p : SV_Position; [[vk::builtin("PointSize")]] int size : PSIZE; };
//                                                                  ^^^^ E0673 `PointSize` must have type `float`, found `int`
V main() { return (V)0; }
// CASE blend_index -T ps_6_0 -E main -spirv
[[vk::index(1), vk::location(1)]] float4 main() : SV_Target { return 0; }
// @3 E0670 `vk::index` is for the two colours that are blended at location 0; add `[[vk::location(0)]]`
// CASE large_blend_index -T ps_6_0 -E main -spirv
[[vk::index(2), vk::location(0)]] float4 main() : SV_Target { return 0; }
// @3 E0405 the attribute `vk::index` takes 0 or 1
// CASE location_twice -T vs_6_0 -E main -spirv
float4 main([[vk::location(1)]] float2x2 a : A, [[vk::location(2)]] float b : B) : SV_Position { return a._11 + b; }
//                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0677 `B` has location 2, which `A` has too
// CASE interpolated_integer -T ps_6_0 -E main
float4 main(linear uint k : K) : SV_Target { return k; }
//          ^^^^^^^^^^^^^^^^^ E0674 `K0` is a `uint`, and integers are not interpolated; write `nointerpolation`
// CASE flat_position -T ps_6_0 -E main
float4 main(nointerpolation float4 p : SV_Position) : SV_Target { return p; }
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0674 `SV_Position` cannot be `nointerpolation`
// CASE contradicting_modifiers -T ps_6_0 -E main
float4 main(nointerpolation centroid float4 p : P) : SV_Target { return p; }
//          ^^^^^^^^^^^^^^^ E0674 `nointerpolation` excludes other interpolation modifiers
// CASE view_id_before_6_1 -T vs_6_0 -E main
float4 main(uint v : SV_ViewID) : SV_Position { return v; }
//          ^^^^^^^^^^^^^^^^^^ E0604 `SV_ViewID` requires shader model 6.1, but the target is 6.0
// CASE barycentrics_before_6_1 -T ps_6_0 -E main
float4 main(float3 b : SV_Barycentrics) : SV_Target { return b.xyzz; }
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^ E0604 `SV_Barycentrics` requires shader model 6.1, but the target is 6.0
// CASE evaluation_of_a_local -T ps_6_0 -E main
float4 main(float4 c : C) : SV_Target { float4 d = c * 2; return EvaluateAttributeCentroid(d); }
//                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0675 `EvaluateAttributeCentroid` takes an input of the pixel shader, and this is none
// = note: pass a parameter of the entry point, a member of one, or a variable or parameter that is a copy of such
// CASE discard_in_vertex -T vs_6_0 -E main
float4 main(float4 p : P) : SV_Position { discard; return p; }
//                                        ^^^^^^^^ E0602 `discard` cannot be used in the vertex shader `main`
// = note: it is only available in pixel shaders
// CASE derivative_in_vertex -T vs_6_0 -E main
float4 main(float4 p : P) : SV_Position { return ddx(p); }
//                                               ^^^^^^ E0602 `ddx` cannot be used in the vertex shader `main`
// = note: it is only available in pixel, compute, mesh or amplification shaders
// CASE derivative_in_groups_that_are_no_quads -T cs_6_6 -E main
RWByteAddressBuffer B;
float slope(float x) { return ddx(x); }
//                            ^^^^^^ E0602 `ddx` needs quads of threads, and the groups of the compute shader `main` have 6 x 1 x 1
// = 3:48: note: `slope` is called here
// = note: make the first two sizes of `numthreads` even, or the first one a multiple of four where the others are 1
[numthreads(6, 1, 1)] void main() { B.Store(0, slope(B.Load(4))); }
// CASE sample_in_groups_that_are_no_quads -T lib_6_8
Texture2D T; SamplerState S; RWByteAddressBuffer B;
[shader("compute")] [numthreads(2, 3, 1)] void main() { B.Store(0, T.Sample(S, 0).x); }
//                                                                 ^^^^^^^^^^^^^^ E0602 `Sample` needs quads of threads, and the groups of the compute shader `main` have 2 x 3 x 1
// = note: make the first two sizes of `numthreads` even, or the first one a multiple of four where the others are 1
// CASE sample_in_vertex -T vs_6_0 -E main
Texture2D T; SamplerState S;
float4 main(float2 p : P) : SV_Position { return T.Sample(S, p); }
//                                               ^^^^^^^^^^^^^^ E0602 `Sample` cannot be used in the vertex shader `main`
// = note: it takes derivatives between neighbouring threads, which this stage does not have; use `SampleLevel` or `SampleGrad`
// CASE groupshared_in_pixel -T ps_6_0 -E main
groupshared float G;
//                ^ E0505 `G` is groupshared, but `main` is a pixel shader, which has no thread group
float4 main() : SV_Target { return G; }
// CASE trace_in_pixel -T ps_6_6 -E main
RaytracingAccelerationStructure A; struct [raypayload] P { float a : read(caller) : write(caller, closesthit, miss); };
float4 main() : SV_Target { P p; RayDesc r = (RayDesc)0; TraceRay(A, 0, 255, 0, 1, 0, r, p); return p.a; }
//                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0602 `TraceRay` cannot be used in the pixel shader `main`
// = note: it is only available in raygeneration, closesthit or miss shaders
// CASE clip_in_compute -T cs_6_6 -E main
[numthreads(1, 1, 1)] void main() { clip(-1.0); }
//                                  ^^^^^^^^^^ E0602 `clip` cannot be used in the compute shader `main`
// = note: it is only available in pixel shaders
// CASE too_many_registers -T vs_6_0 -E main
float4 main(float4 a[40] : A) : SV_Position { return a[0]; }
//          ^^^^^^^^^^^^^^^^ E0676 `A0` does not fit: a vertex shader's input has 32 registers
// CASE index_too_large -T vs_6_0 -E main
float4 main(float4 a : A4294967295) : SV_Position { return a; }
//          ^^^^^^^^^^^^^^^^^^^^^^ E0670 `A4294967295` has an index that is too large: 65535 is the largest
// CASE huge_array -T vs_6_0 -E main
float4 main(float4 a[65536][4096] : A) : SV_Position { return a[0][1]; }
//                  ^^^^^^^ E0310 invalid array size 1073741824
// CASE two_signatures_of_distances -T vs_6_0 -E main
void main(out float4 p : SV_Position, out float3 c : SV_ClipDistance, out float2 d[2] : SV_CullDistance) { p = 0; c = 0; d[0] = d[1] = 0; }
//                                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0676 `SV_CullDistance0` does not fit: clip and cull distances have two registers of four components
// CASE member_of_a_structure_twice -T ps_6_0 -E main
struct A { float2 uv : UV; }; struct B { A a; float2 uv : uv; };
//                                                   ^^ E0672 the semantic `uv0` occurs twice in one signature
// = 1:19: note: first used here
float4 main(B b) : SV_Target { return b.uv.xyxy; }
// CASE mesh_intrinsic -T vs_6_5 -E main
float4 main() : SV_Position { SetMeshOutputCounts(1, 2); return 0; }
//                            ^^^^^^^^^^^^^^^^^^^^^^^^^ E0602 `SetMeshOutputCounts` cannot be used in the vertex shader `main`
// = note: it is only available in mesh shaders
// CASE ordered_view_in_vertex -T vs_6_0 -E main
RasterizerOrderedBuffer<float> R;
//                             ^ E0632 `R` is a `RasterizerOrderedBuffer<float>`, but `main` is a vertex shader
// = note: rasterizer order exists only in pixel shaders; use `RWBuffer<float>` and atomic operations or barriers
float4 main() : SV_Position { return R[0]; }
// CASE fragment_samples_in_spirv -spirv -T ps_6_0 -E main
float4 main() : SV_Target { return GetRenderTargetSampleCount(); }
//                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0903 SPIR-V has no samples of the render target: pass them in a constant buffer
// CASE some_locations -spirv -T vs_6_0 -E main
float4 main([[vk::location(3)]] float a : A, float b : B) : SV_Position { return a + b; }
//                                           ^^^^^^^^^^^ E0677 either all inputs and all outputs of a shader have `[[vk::location]]`, or none has
// CASE wave_size_in_pixel -T ps_6_6 -E main
[WaveSize(32)] float4 main() : SV_Target { return 0; }
// @2 E0405 `WaveSize` applies to compute shaders, and this is a pixel shader
