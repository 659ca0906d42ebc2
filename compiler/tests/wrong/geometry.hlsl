//! Geometry shaders: attributes, primitives, streams.

// CASE no_maxvertexcount -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
void main(point V v[1], inout PointStream<V> s) { s.Append(v[0]); }
//   ^^^^ E0610 a geometry shader needs `[maxvertexcount(n)]`
// CASE maxvertexcount_0 -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(0)] void main(point V v[1], inout PointStream<V> s) { s.Append(v[0]); }
// @2 E0405 the attribute `maxvertexcount` takes a number from 1 to 1024
// CASE maxvertexcount_1025 -T gs_6_0 -E main
struct V { float p : P; };
[maxvertexcount(1025)] void main(point V v[1], inout PointStream<V> s) { s.Append(v[0]); }
// @2 E0405 the attribute `maxvertexcount` takes a number from 1 to 1024
// CASE too_many_components -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(257)] void main(point V v[1], inout PointStream<V> s) { s.Append(v[0]); }
// @2 E0690 257 vertices of 4 components are 1028, and a geometry shader makes at most 1024
// = note: `[maxvertexcount(256)]` is the most for these outputs
// CASE instances_33 -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] [instance(33)] void main(point V v[1], inout PointStream<V> s) { s.Append(v[0]); }
//                   ^^^^^^^^^^^^ E0405 the attribute `instance` takes a number from 1 to 32
// CASE maxvertexcount_without_number -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount] void main(point V v[1], inout PointStream<V> s) { s.Append(v[0]); }
// @2 E0405 the attribute `maxvertexcount` takes a number from 1 to 1024
// CASE no_primitive -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(V v[1], inout PointStream<V> s) { s.Append(v[0]); }
//                            ^^^^^^ E0691 the vertices of a geometry shader need the primitive that they belong to
// = note: write point, line, triangle, lineadj or triangleadj before the type
// CASE vertices_of_a_triangle -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(triangle V v[2], inout PointStream<V> s) { s.Append(v[0]); }
//                            ^^^^^^^^^^^^^^^ E0691 an input declared `triangle` must be an array of 3 vertices
// CASE point_without_array -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(point V v, inout PointStream<V> s) { s.Append(v); }
//                            ^^^^^^^^^ E0691 an input declared `point` must be an array of 1 vertex
// CASE two_primitives -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(point V v[1], line float x[2] : X, inout PointStream<V> s) { s.Append(v[0]); }
//                                          ^^^^^^^^^^^^^^^^^^^ E0691 a geometry shader runs for one kind of primitive, and `line` comes after `point`
// = 2:31: note: first declared here
// CASE no_vertices -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(uint id : SV_PrimitiveID, inout PointStream<V> s) { V v; v.p = id; s.Append(v); }
//                       ^^^^ E0691 a geometry shader needs the vertices of its primitive, such as `triangle Vertex v[3]`
// CASE vertex_semantic_outside -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(point V v[1], float2 uv : UV, inout PointStream<V> s) { s.Append(v[0]); }
//                                          ^^^^^^^^^^^^^^ E0670 `UV` is no system value of a geometry shader
// = note: inputs with other semantics belong to the vertices: `triangle Vertex v[3]`
// CASE position_outside -T gs_6_0 -E main
struct V { float4 p : P; };
[maxvertexcount(1)] void main(point V v[1], float4 at : SV_Position, inout PointStream<V> s) { s.Append(v[0]); }
//                                          ^^^^^^^^^^^^^^^^^^^^^^^ E0670 `SV_Position` is no system value of a geometry shader
// = note: inputs with other semantics belong to the vertices: `triangle Vertex v[3]`
// CASE vertex_id -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(point V v[1], uint id : SV_VertexID, inout PointStream<V> s) { s.Append(v[0]); }
//                                          ^^^^^^^^^^^^^^^^^^^^^ E0670 `SV_VertexID` cannot be a geometry shader's input
// = note: it can be a vertex shader's input
// CASE primitive_id_of_vertex -T gs_6_0 -E main
struct V { float4 p : SV_Position; uint id : SV_PrimitiveID; };
//                                      ^^ E0670 `SV_PrimitiveID` cannot be a geometry shader's vertex input
// = note: it can be a patch constant function's input, a hull shader's input, a domain shader's input, a geometry shader's input, a geometry shader's output, a pixel shader's input or a mesh shader's primitive output
struct O { float4 p : SV_Position; };
[maxvertexcount(1)] void main(point V v[1], inout PointStream<O> s) { s.Append((O)v[0]); }
// CASE no_semantic -T gs_6_0 -E main
struct V { float4 p; };
//                ^ E0671 a geometry shader's vertex input needs a semantic, such as `: TEXCOORD0`
struct O { float4 p : SV_Position; };
[maxvertexcount(1)] void main(point V v[1], inout PointStream<O> s) { s.Append((O)v[0]); }
// CASE no_stream -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(point V v[1]) {}
//                       ^^^^ E0691 a geometry shader needs a stream for its vertices, such as `inout TriangleStream<Vertex> s`
// CASE stream_not_inout -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(point V v[1], PointStream<V> s) {}
//                                          ^^^^^^^^^^^^^^^^ E0691 a `PointStream<V>` must be passed as `inout`
// CASE out_parameter -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(point V v[1], inout PointStream<V> s, out float x : X) { x = 0; }
//                                                                  ^^^^^^^^^^^^^^^ E0691 an output of a geometry shader must be a stream, such as `inout TriangleStream<Vertex> s`
// CASE result -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] float4 main(point V v[1], inout PointStream<V> s) : SV_Position { return 0; }
//                  ^^^^^^ E0691 a geometry shader returns `void`: it appends its vertices to a stream
// = note: fix: replace `float4` with `void`
// CASE streams_of_lines -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
struct W { float w : W; };
[maxvertexcount(1)] void main(point V v[1], inout PointStream<V> s, inout LineStream<W> t) { s.Append(v[0]); }
//                                                                  ^^^^^^^^^^^^^^^^^^^^^ E0691 of several streams all must be `PointStream`, and this is a `LineStream<W>`
// = 3:45: note: another stream
// CASE five_streams -T gs_6_0 -E main
struct V { float p : P; };
[maxvertexcount(1)] void main(point V v[1], inout PointStream<V> a, inout PointStream<V> b, inout PointStream<V> c, inout PointStream<V> d, inout PointStream<V> e) {}
//                                                                                                                                          ^^^^^^^^^^^^^^^^^^^^^^ E0691 a geometry shader has at most 4 streams
// CASE semantic_twice_in_a_stream -T gs_6_0 -E main
struct V { float p : P; float q : P0; };
//                            ^ E0672 the semantic `P0` occurs twice in one signature
// = 1:18: note: first used here
[maxvertexcount(1)] void main(point float v[1] : X, inout PointStream<V> a) {}
// CASE append_of_another_type -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
struct W { float w : W; float x[3] : X; };
[maxvertexcount(1)] void main(point V v[1], inout PointStream<W> s) { s.Append(v); }
//                                                                             ^ E0313 argument 1 of `Append` is `V[1]`, expected `T`
// = note: candidate: void Append(T vertex)
// CASE append_of_nothing -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(point V v[1], inout PointStream<V> s) { s.Append(); }
//                                                                      ^^^^^^ E0315 `Append` expects 1 argument, found 0
// = 2:71: note: 0 arguments passed here
// = note: candidate: void Append(T vertex)
// CASE method_of_a_stream -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(point V v[1], inout PointStream<V> s) { s.Restart(); }
//                                                                      ^^^^^^^ E0302 no member named `Restart` in `PointStream<V>`
// CASE stream_variable -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(point V v[1], inout PointStream<V> s) { PointStream<V> t = s; t.Append(v[0]); }
//                                                                                   ^ E0307 a variable of type `PointStream<V>` is not allowed here
// CASE stream_member -T lib_6_3
struct V { float4 p : SV_Position; };
struct S { PointStream<V> s; };
//                        ^ E0307 a variable of type `PointStream<V>` is not allowed here
[shader("geometry")] [maxvertexcount(1)] void main(point V v[1], inout PointStream<V> s) { s.Append(v[0]); }
// CASE stream_of_resources -T gs_6_0 -E main
struct V { Texture2D t; };
[maxvertexcount(1)] void main(point float v[1] : V, inout PointStream<V> s) {}
//                                                        ^^^^^^^^^^^^^^ E0503 `PointStream` cannot hold `V`
// = note: elements consist of numbers
// CASE stream_in_a_vertex_shader -T vs_6_0 -E main
struct V { float4 p : SV_Position; };
void main(inout TriangleStream<V> s) {}
//        ^^^^^^^^^^^^^^^^^^^^^^^^^ E0691 `TriangleStream<V>` cannot be a parameter of a vertex shader
// CASE triangle_in_a_vertex_shader -T vs_6_0 -E main
float4 main(triangle float4 p[3] : P) : SV_Position { return p[0]; }
//          ^^^^^^^^^^^^^^^^^^^^^^^^ E0691 `triangle` declares inputs of geometry shaders, and this is a vertex shader
// CASE patch_of_33 -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(InputPatch<V, 33> v, inout PointStream<V> s) {}
//                            ^^^^^^^^^^^^^^^^^ E0692 an `InputPatch` has 1 to 32 control points, not 33
// CASE patch_in_vulkan -T gs_6_0 -E main -spirv
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(InputPatch<V, 3> v, inout PointStream<V> s) {}
//                            ^^^^^^^^^^^^^^^^^^ E0691 in Vulkan no geometry shader runs for patches
// = note: take the vertices of a primitive, such as `triangle Vertex v[3]`
// CASE made_patch_in_a_geometry_shader -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(OutputPatch<V, 3> v, inout PointStream<V> s) {}
//                            ^^^^^^^^^^^^^^^^^^^ E0691 `OutputPatch<V, 3>` cannot be a parameter of a geometry shader
// CASE two_patches_in_a_geometry_shader -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
struct U { float4 u : U; };
[maxvertexcount(1)] void main(InputPatch<V, 3> v, InputPatch<U, 3> u, inout PointStream<V> s) {}
//                                                ^^^^^^^^^^^^^^^^^^ E0692 a geometry shader has one such patch
// = 3:31: note: first declared here
// CASE patch_and_triangle -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
struct U { float4 u : U; };
[maxvertexcount(1)] void main(triangle V v[3], InputPatch<U, 3> u, inout PointStream<V> s) {}
//                                             ^^^^^^^^^^^^^^^^^^ E0691 a geometry shader runs for one kind of primitive, and `InputPatch` comes after `triangle`
// = 3:31: note: first declared here
// CASE triangle_and_patch -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
struct U { float4 u : U; };
[maxvertexcount(1)] void main(InputPatch<U, 3> u, triangle V v[3], inout PointStream<V> s) {}
//                                                ^^^^^^^^^^^^^^^ E0691 a geometry shader runs for one kind of primitive, and `triangle` comes after `InputPatch`
// = 3:31: note: first declared here
// CASE patch_of_a_triangle -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(triangle InputPatch<V, 3> v, inout PointStream<V> s) {}
//                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0691 an input declared `triangle` must be an array of 3 vertices
// CASE written_patch_in_a_geometry_shader -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(inout InputPatch<V, 3> v, inout PointStream<V> s) {}
//                            ^^^^^^^^^^^^^^^^^^^^^^^^ E0692 `InputPatch<V, 3>` is an input: it cannot be `out` or `inout`
// CASE control_point_of_a_patch_is_read_only -T gs_6_0 -E main
struct V { float4 p : SV_Position; };
[maxvertexcount(1)] void main(InputPatch<V, 3> v, inout PointStream<V> s) { v[0].p = 1; s.Append(v[0]); }
//                                                                          ^^^^^^ E0317 cannot assign to: this is a constant
