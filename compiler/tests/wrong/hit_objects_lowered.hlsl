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
