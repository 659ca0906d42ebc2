//! Mesh and amplification shaders: attributes, arrays of outputs, payloads, calls.

// CASE no_numthreads -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[1]) { SetMeshOutputCounts(0, 0); }
//                                                ^ W0306 the `out` parameter `v` is never written
//                                                                        ^ W0306 the `out` parameter `t` is never written
//                            ^^^^ E0680 a shader of stage mesh needs `[numthreads(x, y, z)]`
// CASE no_numthreads_of_amplification -T as_6_5 -E main
struct P { uint a; }; groupshared P p;
void main() { DispatchMesh(1, 1, 1, p); }
//   ^^^^ E0680 a shader of stage amplification needs `[numthreads(x, y, z)]`
// CASE too_many_threads -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(129, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[1]) { SetMeshOutputCounts(0, 0); }
//                                                                        ^ W0306 the `out` parameter `v` is never written
//                                                                                                ^ W0306 the `out` parameter `t` is never written
//                                                    ^^^^ E0680 a group of a shader of stage mesh has 1 to 128 threads in all
// CASE no_topology -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] void main(out vertices V v[2], out indices uint2 t[1]) { SetMeshOutputCounts(0, 0); }
//                                             ^ W0306 the `out` parameter `v` is never written
//                                                                     ^ W0306 the `out` parameter `t` is never written
//                         ^^^^ E0680 a mesh shader needs `[outputtopology("triangle")]` or `[outputtopology("line")]`
// CASE other_topology -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("point")] void main(out vertices V v[2], out indices uint2 t[1]) { SetMeshOutputCounts(0, 0); }
//                                                                       ^ W0306 the `out` parameter `v` is never written
//                                                                                               ^ W0306 the `out` parameter `t` is never written
//                     ^^^^^^^^^^^^^^^^^^^^^^^ E0680 mesh shaders make points in Vulkan alone: in DXIL they make "triangle" or "line" primitives
// CASE result -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] uint main(out vertices V v[2], out indices uint2 t[1]) : A { SetMeshOutputCounts(0, 0); return 0; }
//                                                                      ^ W0306 the `out` parameter `v` is never written
//                                                                                              ^ W0306 the `out` parameter `t` is never written
//                                             ^^^^ E0680 a shader of stage mesh returns `void`
// = note: fix: replace `uint` with `void`
// CASE unknown_topology -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("quad")] void main(out vertices V v[2], out indices uint2 t[1]) { SetMeshOutputCounts(0, 0); }
//                                                                      ^ W0306 the `out` parameter `v` is never written
//                                                                                              ^ W0306 the `out` parameter `t` is never written
//                     ^^^^^^^^^^^^^^^^^^^^^^ E0680 a mesh shader makes "triangle" or "line" primitives, or in Vulkan "point"
// CASE outputs_before_their_number -T ms_6_5 -E main -spirv
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[1]) { v[0].p = 1; SetMeshOutputCounts(2, 1); t[0] = uint2(0, 1); }
//                                                                                                      ^^^^^^^^^^ W0687 this output may be written before `SetMeshOutputCounts` is called
// = 2:117: note: the call
// = note: call it outside of branches and loops, before all outputs
// CASE two_arrays_of_vertices -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out vertices V w[2], out indices uint2 t[1]) { SetMeshOutputCounts(0, 0); }
//                                                                      ^ W0306 the `out` parameter `v` is never written
//                                                                                           ^ W0306 the `out` parameter `w` is never written
//                                                                                                                   ^ W0306 the `out` parameter `t` is never written
//                                                                            ^^^^^^^^^^^^^^^^^^^ E0681 a mesh shader has one array of vertices
// = 2:58: note: the first is here
// CASE vertices_that_are_no_array -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v, out indices uint2 t[1]) { SetMeshOutputCounts(0, 0); }
//                                                                      ^ W0306 the `out` parameter `v` is never written
//                                                                                           ^ W0306 the `out` parameter `t` is never written
//                                                       ^^^^^^^^^^^^^^^^ E0681 `vertices` must be an array of 1 to 256 members, not `V`
// CASE too_many_vertices -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[257], out indices uint2 t[1]) { SetMeshOutputCounts(0, 0); }
//                                                                      ^ W0306 the `out` parameter `v` is never written
//                                                                                                ^ W0306 the `out` parameter `t` is never written
//                                                       ^^^^^^^^^^^^^^^^^^^^^ E0681 `vertices` must be an array of 1 to 256 members, not `V[257]`
// CASE vertices_not_out -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(in vertices V v[2], out indices uint2 t[1]) { SetMeshOutputCounts(0, 0); }
//                                                                                             ^ W0306 the `out` parameter `t` is never written
//                                                       ^^^^^^^^^^^^^^^^^^ E0681 a parameter that is `vertices` must be `out`
// CASE plain_output -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out V v[2], out indices uint2 t[1]) { SetMeshOutputCounts(0, 0); }
//                                                             ^ W0306 the `out` parameter `v` is never written
//                                                                                     ^ W0306 the `out` parameter `t` is never written
//                                                       ^^^^^^^^^^ E0681 an output of a mesh shader is `out vertices`, `out indices` or `out primitives`
// CASE indices_of_a_triangle -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("triangle")] void main(out vertices V v[3], out indices uint2 t[1]) { SetMeshOutputCounts(0, 0); }
//                                                                          ^ W0306 the `out` parameter `v` is never written
//                                                                                                  ^ W0306 the `out` parameter `t` is never written
//                                                                                ^^^^^^^^^^^^^^^^^^^^^^ E0681 the indices of a triangle have type `uint3`, not `uint2`
// CASE fewer_primitives -T ms_6_5 -E main
struct V { float4 p : SV_Position; }; struct Q { uint id : SV_PrimitiveID; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[2], out primitives Q q[1]) { SetMeshOutputCounts(0, 0); }
//                                                                      ^ W0306 the `out` parameter `v` is never written
//                                                                                              ^ W0306 the `out` parameter `t` is never written
//                                                                                                                     ^ W0306 the `out` parameter `q` is never written
//                                                                                                    ^^^^^^^^^^^^^^^^^^^^^ E0681 there are 1 primitives, but indices of 2
// = 2:79: note: the indices
// CASE position_of_a_primitive -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
//                ^ E0670 `SV_Position` cannot be a mesh shader's primitive output
// = note: it can be a vertex shader's input, a vertex shader's output, a hull shader's control point input, a hull shader's output, a patch constant function's output, a domain shader's input, a domain shader's control point input, a domain shader's output, a geometry shader's vertex input, a geometry shader's output, a pixel shader's input or a mesh shader's vertex output
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[2], out primitives V q[2]) { SetMeshOutputCounts(0, 0); }
//                                                                      ^ W0306 the `out` parameter `v` is never written
//                                                                                              ^ W0306 the `out` parameter `t` is never written
//                                                                                                                     ^ W0306 the `out` parameter `q` is never written
// CASE interpolated_primitive -T ms_6_5 -E main
struct V { float4 p : SV_Position; }; struct Q { linear float a : A; };
//                                                            ^ E0674 `A0` is one value for each primitive, which is not interpolated
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[2], out primitives Q q[2]) { SetMeshOutputCounts(0, 0); }
//                                                                      ^ W0306 the `out` parameter `v` is never written
//                                                                                              ^ W0306 the `out` parameter `t` is never written
//                                                                                                                     ^ W0306 the `out` parameter `q` is never written
// CASE too_much_output -T ms_6_5 -E main
struct V { float4 p : SV_Position; float4 a[9] : A; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[256], out indices uint2 t[2]) { SetMeshOutputCounts(0, 0); }
//                                                                      ^ W0306 the `out` parameter `v` is never written
//                                                                                                ^ W0306 the `out` parameter `t` is never written
//                                                  ^^^^ E0681 the outputs of the mesh shader take 40960 bytes; 32768 is the limit
// = note: arrays are rounded up to multiples of 32 members; every component takes 4 bytes
// CASE output_that_is_read -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[2])
//                                                                                              ^ W0306 the `out` parameter `t` is never written
{ SetMeshOutputCounts(2, 1); v[0].p = 0; v[1].p = v[0].p; }
//                                                ^^^^^^ E0683 the outputs of a mesh shader can be written, not read
// = note: keep the value in a variable, and assign that to the output
// CASE output_that_is_added_to -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[2])
//                                                                                              ^ W0306 the `out` parameter `t` is never written
{ SetMeshOutputCounts(2, 1); v[0].p.x += 1; }
//                           ^^^^^^^^^^^^^ E0683 the outputs of a mesh shader can be written, not read
// = note: keep the value in a variable, and assign that to the output
// CASE counts_twice_in_vulkan -T ms_6_5 -E main -spirv
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[2])
{ SetMeshOutputCounts(2, 1);
  v[0].p = v[1].p = 0; t[0] = uint2(0, 1);
  SetMeshOutputCounts(2, 1); }
// @3 W0687 `SetMeshOutputCounts` must be called once, and this is a second call
// = 3:3: note: the first is here
// = note: it says the same, and is left out
// CASE other_counts_in_vulkan -T ms_6_5 -E main -spirv
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[2])
{ SetMeshOutputCounts(2, 1);
  v[0].p = v[1].p = 0; t[0] = uint2(0, 1);
  SetMeshOutputCounts(2, 0); }
// @3 E0684 `SetMeshOutputCounts` must be called once, and this is a second call
// = 3:3: note: the first is here
// CASE counts_of_two_branches_in_vulkan -T ms_6_5 -E main -spirv
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(uint g : SV_GroupID, out vertices V v[2], out indices uint2 t[2])
{ if (g) SetMeshOutputCounts(2, 1);
  else SetMeshOutputCounts(2, 1);
  v[0].p = v[1].p = 0; t[0] = uint2(0, 1); }
//         ^^^^^^^^^^ W0687 this output may be written before `SetMeshOutputCounts` is called
// = 3:10: note: the call
// = note: call it outside of branches and loops, before all outputs
// CASE output_for_inout -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
void more(inout float4 x) { x += 1; }
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[2])
{ SetMeshOutputCounts(2, 1); v[0].p = v[1].p = 0; t[0] = uint2(0, 1); more(v[0].p); }
//                                                                    ^^^^^^^^^^^^ E0683 the outputs of a mesh shader can be written, not read
// = note: keep the value in a variable, and assign that to the output
// CASE indices_that_are_added_to -T ms_6_5 -E main -spirv
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[2])
{ SetMeshOutputCounts(2, 1); v[0].p = v[1].p = 0; t[0] = 0; t[0].y += 1; }
//                                                          ^^^^^^^^^^^ E0683 the outputs of a mesh shader can be written, not read
// = note: keep the value in a variable, and assign that to the output
// CASE part_of_indices -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[2])
//                                                                      ^ W0306 the `out` parameter `v` is never written
{ SetMeshOutputCounts(2, 1); t[0].x = 1; }
//                           ^^^^^^^^^^ E0683 the indices of a primitive must be written together
// = note: assign a whole vector
// CASE counts_twice -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[2])
//                                                                      ^ W0306 the `out` parameter `v` is never written
//                                                                                              ^ W0306 the `out` parameter `t` is never written
{ SetMeshOutputCounts(2, 1);
  SetMeshOutputCounts(1, 1); }
// @3 E0684 `SetMeshOutputCounts` must be called once, and this is a second call
// = 3:3: note: the first is here
// CASE payload_not_in -T ms_6_5 -E main
struct V { float4 p : SV_Position; }; struct P { uint a; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(inout payload P p, out vertices V v[2], out indices uint2 t[2]) { SetMeshOutputCounts(0, 0); }
//                                                                                         ^ W0306 the `out` parameter `v` is never written
//                                                                                                                 ^ W0306 the `out` parameter `t` is never written
//                                                       ^^^^^^^^^^^^^^^^^ E0682 the payload of a mesh shader is `in payload`
// CASE two_payloads -T ms_6_5 -E main
struct V { float4 p : SV_Position; }; struct P { uint a; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(in payload P p, in payload P q, out vertices V v[2], out indices uint2 t[2]) { SetMeshOutputCounts(0, 0); }
//                                                                                                      ^ W0306 the `out` parameter `v` is never written
//                                                                                                                              ^ W0306 the `out` parameter `t` is never written
//                                                                       ^^^^^^^^^^^^^^ E0682 a mesh shader has one payload
// = 2:58: note: the first is here
// CASE payload_that_is_a_number -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(in payload uint p, out vertices V v[2], out indices uint2 t[2]) { SetMeshOutputCounts(0, 0); }
//                                                                                         ^ W0306 the `out` parameter `v` is never written
//                                                                                                                 ^ W0306 the `out` parameter `t` is never written
//                                                       ^^^^^^^^^^^^^^^^^ E0601 the payload must be a structure, not `uint`
// CASE large_payload -T ms_6_5 -E main
struct V { float4 p : SV_Position; }; struct P { uint a[4097]; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(in payload P p, out vertices V v[2], out indices uint2 t[2]) { SetMeshOutputCounts(0, 0); }
//                                                                                      ^ W0306 the `out` parameter `v` is never written
//                                                                                                              ^ W0306 the `out` parameter `t` is never written
//                                                       ^^^^^^^^^^^^^^ E0682 the payload `P` has 16388 bytes; 16384 is the limit
// CASE payload_of_a_vertex_shader -T vs_6_5 -E main
struct P { uint a; };
float4 main(in payload P p) : SV_Position { return p.a; }
//          ^^^^^^^^^^^^^^ E0681 `payload` is for parameters of mesh shaders, and this is a vertex shader
// CASE large_local_payload -T as_6_5 -E main
struct P { uint a[4097]; };
[numthreads(1, 1, 1)] void main() { P p = (P)0;
DispatchMesh(1, 1, 1, p); }
//                    ^ E0682 the payload `P` has 16388 bytes; 16384 is the limit
// CASE empty_payload -T as_6_5 -E main
struct P {}; groupshared P p;
[numthreads(1, 1, 1)] void main()
{ DispatchMesh(1, 1, 1, p); }
// @3 E0682 the payload has no members: in DXIL it needs one
// CASE no_dispatch -T as_6_5 -E main
[numthreads(1, 1, 1)] void main() { }
//                         ^^^^ E0684 an amplification shader must call `DispatchMesh`, with no groups if there is nothing to draw
// CASE dispatch_twice -T as_6_5 -E main
struct P { uint a; }; groupshared P p;
[numthreads(1, 1, 1)] void main() { DispatchMesh(1, 1, 1, p);
DispatchMesh(1, 1, 1, p); }
// @1 E0684 `DispatchMesh` must be called once, and this is a second call
// = 2:37: note: the first is here
// CASE dispatch_in_a_branch -T as_6_5 -E main
struct P { uint a; }; groupshared P p;
[numthreads(8, 1, 1)] void main(uint i : SV_GroupIndex)
{ if (i < 4) DispatchMesh(1, 1, 1, p); }
//           ^^^^^^^^^^^^^^^^^^^^^^^^ E0684 `DispatchMesh` must be called by every thread of the group
// = note: call it outside of branches and loops, with no groups where there is nothing to draw
// CASE dispatch_after_a_return -T as_6_5 -E main
struct P { uint a; }; groupshared P p;
[numthreads(8, 1, 1)] void main(uint i : SV_GroupIndex) { if (i > 4) return;
DispatchMesh(1, 1, 1, p); }
// @1 E0684 `DispatchMesh` must be called by every thread of the group
// = 2:70: note: a thread may end here before
// = note: call it outside of branches and loops, with no groups where there is nothing to draw
// CASE dispatch_in_a_mesh_shader -T ms_6_5 -E main
struct V { float4 p : SV_Position; }; struct P { uint a; }; groupshared P p;
[numthreads(1, 1, 1)] [outputtopology("line")] void main(out vertices V v[2], out indices uint2 t[2])
//                                                                      ^ W0306 the `out` parameter `v` is never written
//                                                                                              ^ W0306 the `out` parameter `t` is never written
{ DispatchMesh(1, 1, 1, p); }
// @3 E0602 `DispatchMesh` cannot be used in the mesh shader `main`
// = note: it is only available in amplification shaders
// CASE counts_in_a_compute_shader -T cs_6_5 -E main
[numthreads(1, 1, 1)] void main()
{ SetMeshOutputCounts(1, 1); }
// @3 E0602 `SetMeshOutputCounts` cannot be used in the compute shader `main`
// = note: it is only available in mesh shaders
// CASE output_of_amplification -T as_6_5 -E main
struct P { uint a; }; groupshared P p;
[numthreads(1, 1, 1)] void main(out uint a : A) { a = 1; DispatchMesh(1, 1, 1, p); }
//                              ^^^^^^^^^^^^^^ E0681 an output of a mesh shader is `out vertices`, `out indices` or `out primitives`
// CASE vertex_id_of_a_mesh_shader -T ms_6_5 -E main
struct V { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("line")] void main(uint i : SV_VertexID, out vertices V v[2], out indices uint2 t[2]) { SetMeshOutputCounts(0, 0); }
//                                                                                            ^ W0306 the `out` parameter `v` is never written
//                                                                                                                    ^ W0306 the `out` parameter `t` is never written
//                                                       ^^^^^^^^^^^^^^^^^^^^ E0670 `SV_VertexID` cannot be a mesh shader's input
// = note: it can be a vertex shader's input
// CASE old_model -T lib_6_4
struct P { uint a; }; groupshared P p;
[shader("amplification")] [numthreads(1, 1, 1)] void main()
{ DispatchMesh(1, 1, 1, p); }
// @3 E0604 `DispatchMesh` requires shader model 6.5, but the target is 6.4
