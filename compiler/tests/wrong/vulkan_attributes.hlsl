//! Attributes of Vulkan on what they do not apply to, in SPIR-V; on statements they are wrong everywhere.

// CASE location_of_a_local_variable -T ps_6_6 -E main -spirv
float4 main(float4 a : A) : SV_Target { [[vk::location(1)]] float4 b = a; return b; }
//                                        ^^^^^^^^^^^^^^^ E0405 the attribute `vk::location` applies only to functions, parameters and members
// CASE location_of_a_variable -T ps_6_6 -E main -spirv
[[vk::location(1)]] static float4 g;
// @3 E0405 the attribute `vk::location` applies only to functions, parameters and members
float4 main() : SV_Target { return g; }
// CASE location_of_a_number_in_a_block -T ps_6_6 -E main -spirv
cbuffer C { [[vk::location(1)]] float4 g; }
//            ^^^^^^^^^^^^^^^ E0405 the attribute `vk::location` applies only to functions, parameters and members
float4 main() : SV_Target { return g; }
// CASE location_of_a_structure -T ps_6_6 -E main -spirv
struct [[vk::location(1)]] S { float4 a : A; };
//       ^^^^^^^^^^^^^^^ E0405 the attribute `vk::location` applies only to functions, parameters and members
float4 main(S s) : SV_Target { return s.a; }
// CASE location_of_a_type_name -T ps_6_6 -E main -spirv
[[vk::location(1)]] typedef float4 Color;
// @3 E0405 the attribute `vk::location` applies only to functions, parameters and members
float4 main() : SV_Target { return (Color)1; }
// CASE location_of_a_statement -T ps_6_6 -E main
float4 main(float4 a : A) : SV_Target { [[vk::location(1)]] if (a.x > 0) a.y = 1; return a; }
//                                        ^^^^^^^^^^^^^^^ E0405 the attribute `vk::location` applies only to functions, parameters and members
// CASE binding_of_a_function -T ps_6_6 -E main -spirv
[[vk::binding(1)]] float4 main() : SV_Target { return 1; }
// @3 E0405 the attribute `vk::binding` applies only to variables outside of functions, cbuffers and tbuffers
// CASE binding_of_a_parameter -T ps_6_6 -E main -spirv
float4 main([[vk::binding(1)]] float4 a : A) : SV_Target { return a; }
//            ^^^^^^^^^^^^^^ E0405 the attribute `vk::binding` applies only to variables outside of functions, cbuffers and tbuffers
// CASE binding_of_a_member -T ps_6_6 -E main -spirv
struct S { [[vk::binding(1)]] Texture2D<float4> t; };
//           ^^^^^^^^^^^^^^ E0405 the attribute `vk::binding` applies only to variables outside of functions, cbuffers and tbuffers
S s;
float4 main() : SV_Target { return s.t.Load(0); }
// CASE counter_of_what_has_none -T ps_6_6 -E main -spirv
[[vk::counter_binding(2)]] StructuredBuffer<float4> b;
// @3 E0405 the attribute `vk::counter_binding` applies only to structured buffers that are appended to, consumed or written
float4 main() : SV_Target { return b[0]; }
// CASE push_constants_that_are_an_array -T ps_6_6 -E main -spirv
[[vk::push_constant]] float4 a[4];
// @3 E0405 the attribute `vk::push_constant` applies only to structures and constant buffers outside of functions
float4 main() : SV_Target { return a[1]; }
// CASE push_constants_in_a_texture -T ps_6_6 -E main -spirv
[[vk::push_constant]] Texture2D<float4> t;
// @3 E0405 the attribute `vk::push_constant` applies only to structures and constant buffers outside of functions
float4 main() : SV_Target { return t.Load(0); }
// CASE shader_record_that_is_a_buffer -T lib_6_3 -spirv
struct S { float4 a; };
[[vk::shader_record_ext]] StructuredBuffer<S> b;
// @3 E0405 the attribute `vk::shader_record_ext` applies only to constant buffers and structures outside of functions
[shader("miss")] void miss(inout S p) { p.a = b[0].a; }
// CASE constant_id_of_a_vector -T ps_6_6 -E main -spirv
[[vk::constant_id(3)]] const float4 v = 1;
// @3 E0405 the attribute `vk::constant_id` applies only to scalars outside of functions
float4 main() : SV_Target { return v; }
// CASE attachment_that_is_a_texture -T ps_6_6 -E main -spirv
[[vk::input_attachment_index(0)]] Texture2D<float4> t;
// @3 E0405 the attribute `vk::input_attachment_index` applies only to `SubpassInput` and `SubpassInputMS`
float4 main() : SV_Target { return t.Load(0); }
// CASE format_of_a_texture_that_is_read -T ps_6_6 -E main -spirv
[[vk::image_format("rgba8")]] Texture2D<float4> t;
// @3 E0405 the attribute `vk::image_format` applies only to textures that are written, and typed buffers
float4 main() : SV_Target { return t.Load(0); }
// CASE combined_buffer -T ps_6_6 -E main -spirv
[[vk::combinedImageSampler]] Buffer<float4> b;
// @3 E0405 the attribute `vk::combinedImageSampler` applies only to textures and samplers
float4 main() : SV_Target { return b[0]; }
// CASE offset_of_a_parameter -T ps_6_6 -E main -spirv
float4 main([[vk::offset(16)]] float4 a : A) : SV_Target { return a; }
//            ^^^^^^^^^^^^^^ E0405 the attribute `vk::offset` applies only to members
// CASE depth_mode_of_a_parameter -T ps_6_6 -E main -spirv
float4 main([[vk::depth_unchanged]] float4 a : A) : SV_Target { return a; }
//            ^^^^^^^^^^^^^^^^^^^ E0405 the attribute `vk::depth_unchanged` applies only to functions
// CASE execution_mode_of_a_variable -T ps_6_6 -E main -spirv
[[vk::spvexecutionmode(8)]] static float4 g;
// @3 E0405 the attribute `vk::spvexecutionmode` applies only to functions
float4 main() : SV_Target { return g; }
// CASE literal_function -T ps_6_6 -E main -spirv
[[vk::ext_literal]] float4 f() { return 1; }
// @3 E0405 the attribute `vk::ext_literal` applies only to parameters
float4 main() : SV_Target { return f(); }
// CASE capability_of_a_block -T ps_6_6 -E main -spirv
[[vk::ext_capability(61)]] cbuffer C { float4 g; }
// @3 E0405 the attribute `vk::ext_capability` applies only to functions, parameters, variables, members, names of types and statements
float4 main() : SV_Target { return g; }
// CASE no_such_attribute -T ps_6_6 -E main
[[vk::lokation(1)]] float4 main([[vkk::location(1)]] float4 a : A) : SV_Target { return a; }
// @3 W0402 unknown attribute `vk::lokation` is ignored
//                                ^^^^^^^^^^^^^^^^ W0402 unknown attribute `vkk::location` is ignored
