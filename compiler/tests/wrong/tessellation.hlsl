//! Hull and domain shaders: attributes, patches, patch constant functions, tessellation factors.

// CASE no_attributes_of_a_domain_shader -T ds_6_0 -E main
struct V { float4 p : SV_Position; };
V main(OutputPatch<V, 3> v) { return v[0]; }
// @3 E0610 a domain shader needs `[domain("quad")]`
// CASE no_domain -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
[partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
//                                                                                                              ^^^^ E0610 a hull shader needs `[domain("quad")]`
// CASE no_partitioning -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
[domain("tri")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
//                                                                                                    ^^^^ E0610 a hull shader needs `[partitioning("fractional_even")]`
// CASE no_topology -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
[domain("tri")] [partitioning("integer")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
//                                                                                                    ^^^^ E0610 a hull shader needs `[outputtopology("triangle_ccw")]`
// CASE no_topology_in_spirv -T hs_6_0 -E main -spirv
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
[domain("tri")] [partitioning("integer")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
//                                                                                                    ^^^^ E0610 a hull shader needs `[outputtopology("triangle_ccw")]`
// CASE no_control_points -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
//                                                                                                     ^^^^ E0610 a hull shader needs `[outputcontrolpoints(n)]`
// CASE no_patch_constants -T hs_6_0 -E main
struct V { float4 p : SV_Position; };
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] V main(InputPatch<V, 3> v) { return v[0]; }
//                                                                                             ^^^^ E0610 a hull shader needs `[patchconstantfunc("f")]`
// CASE unknown_domain -T ds_6_0 -E main
struct V { float4 p : SV_Position; };
[domain("triangle")] V main(OutputPatch<V, 3> v) { return v[0]; }
// @2 E0405 the attribute `domain` takes "isoline", "tri" or "quad"
// CASE domain_without_quotation_marks -T ds_6_0 -E main
struct V { float4 p : SV_Position; };
[domain(tri)] V main(OutputPatch<V, 3> v) { return v[0]; }
// @2 E0405 the attribute `domain` takes "isoline", "tri" or "quad"
// CASE control_points_33 -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(33)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
//                                                                   ^^^^^^^^^^^^^^^^^^^^^^^ E0405 the attribute `outputcontrolpoints` takes a number from 1 to 32
// CASE factor_65 -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] [maxtessfactor(65)] V main(InputPatch<V, 3> v) { return v[0]; }
//                                                                                                                             ^^^^^^^^^^^^^^^^^ E0405 the attribute `maxtessfactor` takes a number from 1 to 64
// CASE triangles_of_lines -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[2] : SV_TessFactor; }; C constants() { return (C)1; }
[domain("isoline")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
//                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0690 the domain "isoline" cannot be tessellated into "triangle_cw"
// = note: it can be tessellated into "point" or "line"
// CASE function_of_another_library -T lib_6_x
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; };
C constants(InputPatch<V, 3> v);
[shader("hull")] [domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
//                                                                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0693 the patch constant function `constants` is declared, but not defined
// = 2:3: note: declared here
// = note: define it in the source of the hull shader, which it is a part of: linking cannot add it
// CASE no_such_function -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constant")] V main(InputPatch<V, 3> v) { return v[0]; }
//                                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0693 the patch constant function `constant` is not defined
// = here: did you mean `constants`?
// CASE function_without_name -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc(constants)] V main(InputPatch<V, 3> v) { return v[0]; }
//                                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0405 the attribute `patchconstantfunc` takes the name of a function in quotation marks
// CASE two_functions -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
C constants(InputPatch<V, 3> v) { return (C)1; }
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
//                                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0686 several functions are called `constants`: the last one is the patch constant function
// = 1:114: note: another one
// = 2:3: note: this one is taken
// CASE itself -T hs_6_0 -E main
struct V { float4 p : SV_Position; };
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("main")] V main(InputPatch<V, 3> v) { return v[0]; }
//                                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^ E0693 `main` makes the control points, and cannot be the patch constant function as well
// CASE no_edge_factors -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
//                                                                                   ^^^^^^^^^ E0694 the patch constant function of domain "tri" must return `SV_TessFactor`, a `float[3]`
// = 2:95: note: of this hull shader
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
// CASE no_inside_factor -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; }; C constants() { return (C)1; }
//                                                                                ^^^^^^^^^ E0694 the patch constant function of domain "tri" must return `SV_InsideTessFactor`, a `float`
// = 2:95: note: of this hull shader
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
// CASE factors_of_a_quad -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[4] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
//                                                     ^ E0694 the domain "tri" has 3 of `SV_TessFactor`, and here are 4
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
// CASE inside_of_lines -T ds_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[2] : SV_TessFactor; float i : SV_InsideTessFactor; };
//                                                                                 ^ E0694 the domain "isoline" has no `SV_InsideTessFactor`
[domain("isoline")] V main(C c, OutputPatch<V, 3> v) { return v[0]; }
// CASE factors_of_integers -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { uint e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { C c; c.e[0] = c.e[1] = c.e[2] = 1; c.i = 1; return c; }
//                                                    ^ E0673 `SV_TessFactor` must have type `float`, found `uint[3]`
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
// CASE factors_as_a_vector -T ds_6_0 -E main
struct V { float4 p : SV_Position; };
[domain("tri")] V main(float3 e : SV_TessFactor, OutputPatch<V, 3> v) { return v[0]; }
//                     ^^^^^^^^^^^^^^^^^^^^^^^^ E0673 `SV_TessFactor` must have type `float`, found `float3`
// CASE inputs_of_four_points -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants(InputPatch<V, 4> v) { return (C)v[0].p.x; }
//                                                                                                                         ^^^^^^^^^^^^^^^^^^ E0693 `InputPatch<V, 4>` has 4 control points, and the patch of the hull shader has 3
// = 2:134: note: 3 here
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(4)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
// CASE outputs_of_three_points -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants(OutputPatch<V, 3> v) { return (C)v[0].p.x; }
//                                                                                                                         ^^^^^^^^^^^^^^^^^^^ E0693 `OutputPatch<V, 3>` has 3 control points, and `outputcontrolpoints` has 4
// = 2:70: note: 4 here
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(4)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
// CASE output_that_is_not_made -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct W { float4 p : SV_Position; float w : W; };
struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants(OutputPatch<W, 3> v) { return (C)v[0].w; }
//                                                                                   ^^^^^^^^^^^^^^^^^^^ E0693 the control points of `OutputPatch<W, 3>` have a `W`, and the control points of the hull shader have none
// = 3:129: note: the hull shader
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
// CASE input_of_another_type -T hs_6_0 -E main
struct V { float2 p : P; }; struct W { float4 p : P; };
//                                            ^ E0693 `P` has another type among the inputs of the hull shader
// = 1:19: note: declared here
struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants(InputPatch<W, 3> v) { return (C)v[0].p.x; }
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
// CASE control_point_id_in_patch_constants -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants(uint id : SV_OutputControlPointID) { return (C)id; }
//                                                                                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0670 `SV_OutputControlPointID` cannot be a patch constant function's input
// = note: it can be a hull shader's input
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
// CASE plain_input_of_patch_constants -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants(float x : X) { return (C)x; }
//                                                                                                                         ^^^^^^^^^^^ E0670 `X` is no system value of a patch constant function
// = note: inputs with other semantics belong to the vertices: `InputPatch<Vertex, 3> v`
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
// CASE no_patch -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants(InputPatch<V, 3> v) { return (C)1; }
//                                                                                                                         ^^^^^^^^^^^^^^^^^^ E0692 the hull shader has no `InputPatch<V, 3>`, which is the patch that it gets
// = 2:129: note: the hull shader
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(uint i : SV_OutputControlPointID) { return (V)i; }
// CASE output_patch_in_a_hull_shader -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(OutputPatch<V, 3> v) { return v[0]; }
//                                                                                                                                   ^^^^^^^^^^^^^^^^^^^ E0692 `OutputPatch<V, 3>` cannot be a parameter of a hull shader; its patch is an `InputPatch`
// CASE input_patch_in_a_domain_shader -T ds_6_0 -E main
struct V { float4 p : SV_Position; };
[domain("tri")] V main(InputPatch<V, 3> v) { return v[0]; }
//                     ^^^^^^^^^^^^^^^^^^ E0692 `InputPatch<V, 3>` cannot be a parameter of a domain shader; its patch is an `OutputPatch`
// CASE patch_as_output -T ds_6_0 -E main
struct V { float4 p : SV_Position; };
[domain("tri")] V main(inout OutputPatch<V, 3> v) { return v[0]; }
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^ E0692 `OutputPatch<V, 3>` is an input: it cannot be `out` or `inout`
// CASE two_patches -T ds_6_0 -E main
struct V { float4 p : SV_Position; }; struct W { float w : W; };
[domain("tri")] V main(OutputPatch<V, 3> v, OutputPatch<W, 3> w) { return v[0]; }
//                                          ^^^^^^^^^^^^^^^^^^^ E0692 a domain shader has one such patch
// = 2:24: note: first declared here
// CASE patch_in_a_vertex_shader -T vs_6_0 -E main
struct V { float4 p : SV_Position; };
V main(InputPatch<V, 3> v) { return v[0]; }
//     ^^^^^^^^^^^^^^^^^^ E0691 `InputPatch<V, 3>` cannot be a parameter of a vertex shader
// CASE write_to_a_patch -T ds_6_0 -E main
struct V { float4 p : SV_Position; };
[domain("tri")] V main(OutputPatch<V, 3> v) { v[0].p = 1; return v[0]; }
//                                            ^^^^^^ E0317 cannot assign to: this is a constant
// CASE point_out_of_range -T ds_6_0 -E main
struct V { float4 p : SV_Position; };
[domain("tri")] V main(OutputPatch<V, 3> v) { return v[3]; }
//                                                     ^ E0320 index 3 is out of range: valid indices are 0 to 2
// CASE semantic_of_a_hull_shader -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { return (C)1; }
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v, float2 uv : UV) { return v[0]; }
//                                                                                                                                                       ^^^^^^^^^^^^^^ E0670 `UV` is no system value of a hull shader
// = note: inputs with other semantics belong to the vertices: `InputPatch<Vertex, 3> v`
// CASE discard_in_patch_constants -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; }; C constants() { discard; return (C)1; }
//                                                                                                                             ^^^^^^^^ E0602 `discard` cannot be used in the hull shader `constants`
// = note: it is only available in pixel shaders
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
// CASE factors_in_a_function_that_is_exported -T lib_6_3
export float f(float3 edges) { float3 e; float i, u; ProcessTriTessFactorsAvg(edges, 1, e, i, u); return i; }
//                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0602 `ProcessTriTessFactorsAvg` depends on the `[partitioning]` of one hull shader, and it is called for several, or for none
// = note: call it in a function of each hull shader
// CASE factors_in_a_pixel_shader -T ps_6_0 -E main
float4 main(float a : A) : SV_Target { float x, y; ProcessIsolineTessFactors(a, a, x, y); return x + y; }
//                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0602 `ProcessIsolineTessFactors` cannot be used in the pixel shader `main`
// = note: it is only available in hull shaders
// CASE patch_constants_that_call_the_hull_shader -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; };
V main(InputPatch<V, 3> v);
C constants(InputPatch<V, 3> v) { C c; c.e[0] = c.e[1] = c.e[2] = main(v).p.x; c.i = 1; return c; }
//                                                                ^^^^^^^ E0693 the patch constant function `constants` calls its hull shader `main`
// = note: both run on their own, once for each control point and once for each patch: move what they share to another function
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { return v[0]; }
// CASE hull_shader_that_reaches_its_patch_constants -T hs_6_0 -E main
struct V { float4 p : SV_Position; }; struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; };
C constants(InputPatch<V, 3> v) { return (C)1; }
float helper(InputPatch<V, 3> v) { return constants(v).i; }
//                                        ^^^^^^^^^^^^ E0693 the hull shader `main` calls its patch constant function `constants`
// = 4:176: note: `helper` is called here
// = note: both run on their own, once for each control point and once for each patch: move what they share to another function
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("constants")] V main(InputPatch<V, 3> v) { V o = v[0]; o.p.x = helper(v); return o; }
