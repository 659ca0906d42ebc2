// Features that exclude the lowering of hit objects, for devices without them.

// CASE record_of_the_source -T lib_6_9 -spirv -fspv-ser=lower -disable-payload-qualifiers
struct P { uint n; };
struct Own { uint tag; };
[[vk::shader_record_ext]] ConstantBuffer<Own> Whole;
//                                            ^^^^^ E0935 `Whole` describes the whole shader record, which lowered hit objects put numbers into; describe its arguments by a local root signature
RaytracingAccelerationStructure Scene;
RWByteAddressBuffer Out;
[shader("raygeneration")] void Main()
{
    P p = { Whole.tag };
    dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, (RayDesc)0, p);
//                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0672 the ray's `Direction` is zero
// = note: DXR, ray: 0 <= TMin <= TMax, all finite numbers but TMax
    Out.Store(0, h.GetPrimitiveIndex());
}
// CASE record_beside_values_only -T lib_6_9 -spirv -fspv-ser=lower -disable-payload-qualifiers
struct Own { uint tag; };
[[vk::shader_record_ext]] ConstantBuffer<Own> Whole;
RWByteAddressBuffer Out;
[shader("raygeneration")] void Main()
{
    dx::HitObject h = dx::HitObject::MakeMiss(0, Whole.tag, (RayDesc)0);
//                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0672 the ray's `Direction` is zero
// = note: DXR, ray: 0 <= TMin <= TMax, all finite numbers but TMax
    Out.Store(0, h.GetShaderTableIndex());
}

// CASE inline_spirv_with_lowered_hit_objects -T lib_6_9 -spirv -fspv-ser=lower -disable-payload-qualifiers
struct P { float3 c; };
RaytracingAccelerationStructure Scene;
[[vk::ext_builtin_input(/* HitKindKHR */ 5333)]] static const uint kind;
//                                                                 ^^^^ E0935 `kind` is a built-in variable, and `Hit` becomes another kind of shader, which may not have it
[shader("closesthit")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a) { p.c = kind; }
[shader("raygeneration")] void Main() {
  P p = (P)0;
  RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
  dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, ray, p);
  dx::HitObject::Invoke(h, p);
}

// CASE inline_trace_with_lowered_hit_objects -T lib_6_9 -spirv -fspv-ser=lower -disable-payload-qualifiers
struct P { float3 c; };
RaytracingAccelerationStructure Scene;
[[vk::ext_instruction(/* OpReorderThreadWithHintNV */ 5280)]] void reorder(uint hint, uint bits);
[shader("raygeneration")] void Main() {
  P p = (P)0;
  RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
  dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, ray, p);
  reorder(1, 2);
// @3 E0935 `reorder` is inline SPIR-V that runs shaders, which lowered hit objects put into other records
  dx::HitObject::Invoke(h, p);
}
