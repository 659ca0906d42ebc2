//! Entry points, stages, payloads and what each may do.

// CASE unknown_stage
[shader("raygen")] void Main() { }
// @2 E0405 unknown stage `raygen`
// CASE stage_of_another_pipeline
[shader("tessellation")] void Main() { }
// @2 E0405 unknown stage `tessellation`
// CASE no_entry -T cs_6_6 -E main
[numthreads(1, 1, 1)] void mian() { }
//                         ^^^^ E0605 entry point `main` not found in `main.hlsl`
// = here: `-E mian` is this function
// = note: attributes say that `mian` can be meant: name it with -E
// CASE two_entries -T cs_6_6 -E main
[numthreads(1, 1, 1)] void main() { }
[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID) { }
//                         ^^^^ E0605 duplicate entry point `main`
// = 1:28: note: first defined here
// CASE numthreads_missing -T cs_6_6 -E main
void main() { }
//   ^^^^ E0610 a compute shader needs `[numthreads(x, y, z)]`
// CASE numthreads_of_two -T cs_6_6 -E main
[numthreads(8, 8)] void main() { }
// @2 E0405 the attribute `numthreads` takes three numbers
// CASE numthreads_in_capitals_of_two -T cs_6_6 -E main
[NumThreads(8, 8)] void main() { }
// @2 E0405 the attribute `NumThreads` takes three numbers
// CASE numthreads_zero -T cs_6_6 -E main
[numthreads(0, 1, 1)] void main() { }
// @2 E0405 the attribute `numthreads` takes 1 to 1024, 1 to 1024 and 1 to 64 threads, at most 1024 in all
// CASE numthreads_too_many -T cs_6_6 -E main
[numthreads(32, 33, 1)] void main() { }
// @2 E0405 the attribute `numthreads` takes 1 to 1024, 1 to 1024 and 1 to 64 threads, at most 1024 in all
// CASE numthreads_too_deep -T cs_6_6 -E main
[numthreads(1, 1, 65)] void main() { }
// @2 E0405 the attribute `numthreads` takes 1 to 1024, 1 to 1024 and 1 to 64 threads, at most 1024 in all
// CASE numthreads_not_constant -T cs_6_6 -E main
static int n = 8;
[numthreads(n, 1, 1)] void main() { }
//          ^ E0324 expected a constant expression
// CASE system_value_unknown -T cs_6_6 -E main
[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadId2) { }
//                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0601 compute shaders do not have the system value `SV_DispatchThreadId2`
// = note: they have SV_DispatchThreadID, SV_GroupID, SV_GroupThreadID and SV_GroupIndex
// CASE system_value_of_another_stage -T cs_6_6 -E main
[numthreads(1, 1, 1)] void main(float4 p : SV_Position) { }
//                              ^^^^^^^^^^^^^^^^^^^^^^ E0601 compute shaders do not have the system value `SV_Position`
// = note: they have SV_DispatchThreadID, SV_GroupID, SV_GroupThreadID and SV_GroupIndex
// CASE semantic_missing -T cs_6_6 -E main
[numthreads(1, 1, 1)] void main(uint3 id) { }
//                              ^^^^^^^^ E0601 a parameter of a compute shader needs a semantic such as `SV_DispatchThreadID`
// CASE system_value_of_wrong_type -T cs_6_6 -E main
[numthreads(1, 1, 1)] void main(float2x2 id : SV_DispatchThreadID) { }
//                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0601 `SV_DispatchThreadID` must have type `uint3`, found `float2x2`
// CASE wave_size_no_power -T cs_6_6 -E main
[WaveSize(33)] [numthreads(1, 1, 1)] void main() { }
// @2 E0405 the attribute `WaveSize` takes powers of two from 4 to 128
// CASE compute_returns -T cs_6_6 -E main
[numthreads(1, 1, 1)] float main() { return 1; }
//                          ^^^^ E0601 invalid compute shader: a compute shader returns `void`
// = note: DXR, shader entry points
// = note: fix: replace `main` with `void`
// CASE raygen_with_parameters
[shader("raygeneration")] void Main(float a) { }
//                                  ^^^^^^^ E0601 invalid raygeneration shader: it has no parameters
// = note: DXR, shader entry points
// CASE raygen_returns
[shader("raygeneration")] float Main() { return 1; }
//                        ^^^^^ E0601 invalid raygeneration shader: a ray-tracing shader returns `void`
// = note: DXR, shader entry points
// = note: fix: replace `float` with `void`
// CASE miss_without_payload
[shader("miss")] void Main() { }
//                    ^^^^ E0601 invalid miss shader: its parameter is the `inout` payload
// = note: DXR, shader entry points
// CASE miss_payload_in
struct P { float a; };
[shader("miss")] void Main(in P p) { }
//                         ^^^^^^ E0601 the payload of a miss shader must be `inout`
// CASE miss_payload_scalar
[shader("miss")] void Main(inout float p) { }
//                         ^^^^^^^^^^^^^ E0601 the payload must be a structure, not `float`
// CASE closesthit_without_attributes
struct P { float a; };
[shader("closesthit")] void Main(inout P p) { }
//                          ^^^^ E0601 invalid closesthit shader: its parameters are `inout` payload and `in` attributes
// = note: DXR, shader entry points
// CASE closesthit_with_three
struct P { float a; };
[shader("closesthit")] void Main(inout P p, in BuiltInTriangleIntersectionAttributes a, uint b) { }
//                                                                                      ^^^^^^ E0601 invalid closesthit shader: its parameters are `inout` payload and `in` attributes
// = note: DXR, shader entry points
// CASE attributes_inout
struct P { float a; };
[shader("anyhit")] void Main(inout P p, inout BuiltInTriangleIntersectionAttributes a) { }
//                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0601 the attributes of an anyhit shader must be `in`
// CASE attributes_too_large
struct P { float a; }; struct A { float a[9]; };
[shader("closesthit")] void Main(inout P p, in A a) { }
//                                          ^^^^^^ W0602 `A` has 36 bytes; attributes have at most 32 in Direct3D
// = note: DXR, D3D12_RAYTRACING_MAX_ATTRIBUTE_SIZE_IN_BYTES
// CASE payload_with_texture
struct P { Texture2D<float4> t; };
[shader("miss")] void Main(inout P p) { }
//                         ^^^^^^^^^ E0601 the payload must consist of numbers; `P` contains an object
// CASE payload_with_ray_query
struct P { RayQuery<0> q; };
[shader("miss")] void Main(inout P p) { }
//                         ^^^^^^^^^ E0601 the payload must consist of numbers; `P` contains an object
// CASE intersection_with_parameters
struct P { float a; };
[shader("intersection")] void Main(inout P p) { }
//                                 ^^^^^^^^^ E0601 invalid intersection shader: it has no parameters
// = note: DXR, shader entry points
// CASE callable_without_parameter
[shader("callable")] void Main() { }
//                        ^^^^ E0601 invalid callable shader: its parameter is an `inout` structure
// = note: DXR, shader entry points
// CASE entry_in_struct
struct S { [shader("raygeneration")] void Main() { } };
//                                        ^^^^ E0601 invalid raygeneration shader: a method cannot be an entry point
// = note: DXR, shader entry points
// CASE trace_in_anyhit
struct P { float a; };
RaytracingAccelerationStructure Scene;
void Trace() { P p; RayDesc r; TraceRay(Scene, 0, 255, 0, 0, 0, r, p); }
//                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0602 `TraceRay` cannot be used in the anyhit shader `Any`
// = 5:86: note: `Deep` is called here
// = 4:15: note: `Trace` is called here
// = note: it is only available in raygeneration, closesthit or miss shaders
void Deep() { Trace(); }
[shader("anyhit")] void Any(inout P p, in BuiltInTriangleIntersectionAttributes a) { Deep(); }
// CASE report_hit_in_raygen
struct A { float a; };
void Report() { A a; a.a = 1; ReportHit(1, 0, a); }
//                            ^^^^^^^^^^^^^^^^^^ E0602 `ReportHit` cannot be used in the raygeneration shader `Main`
// = 3:41: note: `Report` is called here
// = note: it is only available in intersection shaders
[shader("raygeneration")] void Main() { Report(); }
// CASE ray_t_in_raygen
RWBuffer<float> o;
[shader("raygeneration")] void Main() { o[0] = RayTCurrent(); }
//                                             ^^^^^^^^^^^^^ E0602 `RayTCurrent` cannot be used in the raygeneration shader `Main`
// = note: it is only available in intersection, anyhit, closesthit or miss shaders
// CASE primitive_index_in_miss
struct P { uint a; };
[shader("miss")] void Main(inout P p) { p.a = PrimitiveIndex(); }
//                                            ^^^^^^^^^^^^^^^^ E0602 `PrimitiveIndex` cannot be used in the miss shader `Main`
// = note: it is only available in intersection, anyhit or closesthit shaders
// CASE group_barrier_in_raygen
[shader("raygeneration")] void Main() { GroupMemoryBarrierWithGroupSync(); }
//                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0602 `GroupMemoryBarrierWithGroupSync` cannot be used in the raygeneration shader `Main`
// = note: it is only available in compute, mesh or amplification shaders
// CASE barrier_of_reorder_points_and_groups -T lib_6_9
RWByteAddressBuffer B;
[shader("raygeneration")] void Main()
{
    Barrier(B, REORDER_SCOPE | GROUP_SYNC);
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^ E0620 no shader has both reorder points and a thread group
// = note: REORDER_SCOPE is for UAV_MEMORY in ray generation shaders; GROUP_SCOPE, GROUP_SYNC and GROUP_SHARED_MEMORY are for groups
}
// CASE barrier_of_reorder_points_and_group_memory -T lib_6_9
[shader("raygeneration")] void Main()
{
    Barrier(GROUP_SHARED_MEMORY, REORDER_SCOPE);
//                               ^^^^^^^^^^^^^ E0620 no shader has both reorder points and a thread group
// = note: REORDER_SCOPE is for UAV_MEMORY in ray generation shaders; GROUP_SCOPE, GROUP_SYNC and GROUP_SHARED_MEMORY are for groups
}
// CASE derivatives_in_raygen
[shader("raygeneration")] void Main() { RWTexture2D<float> o = ResourceDescriptorHeap[0]; o[uint2(0, 0)] = ddx(o[uint2(0, 1)]); }
//                                                                                                         ^^^^^^^^^^^^^^^^^^^ E0602 `ddx` cannot be used in the raygeneration shader `Main`
// = note: it is only available in pixel, compute, mesh or amplification shaders
// CASE dispatch_index_in_compute -T cs_6_6 -E main
RWBuffer<uint> o;
[numthreads(1, 1, 1)] void main() { o[0] = DispatchRaysIndex().x; }
//                                         ^^^^^^^^^^^^^^^^^^^ E0602 `DispatchRaysIndex` cannot be used in the compute shader `main`
// = note: it is only available in raygeneration, intersection, anyhit, closesthit, miss or callable shaders
// CASE trace_in_compute -T cs_6_6 -E main
struct P { float a; };
RaytracingAccelerationStructure Scene;
[numthreads(1, 1, 1)] void main() { P p = { 1.0 }; RayDesc r = { float3(0, 0, 0), 0.0, float3(0, 0, 1), 1.0 }; TraceRay(Scene, 0, 255, 0, 0, 0, r, p); }
//                                                                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0602 `TraceRay` cannot be used in the compute shader `main`
// = note: it is only available in raygeneration, closesthit or miss shaders
// CASE discard_in_library
struct P { float a; };
void Cut() { discard; }
//           ^^^^^^^^ E0602 `discard` cannot be used in the anyhit shader `Any`
// = 3:86: note: `Cut` is called here
// = note: it is only available in pixel shaders
[shader("anyhit")] void Any(inout P p, in BuiltInTriangleIntersectionAttributes a) { Cut(); }
// CASE groupshared_in_raygen
groupshared float shared_value;
//                ^^^^^^^^^^^^ E0505 `shared_value` is groupshared, but `Main` is a raygeneration shader, which has no thread group
[shader("raygeneration")] void Main() { shared_value = 1; }
// CASE ray_query_in_old_model -T lib_6_4
[shader("raygeneration")] void Main() { RayQuery<0> q; }
//                                      ^^^^^^^^^^^ E0604 `RayQuery` requires shader model 6.5, but the target is 6.4
// CASE heap_in_old_model -T lib_6_5
[shader("raygeneration")] void Main() { RWTexture2D<float4> t = ResourceDescriptorHeap[0]; }
//                                                              ^^^^^^^^^^^^^^^^^^^^^^ E0604 `ResourceDescriptorHeap` requires shader model 6.6, but the target is 6.5
// CASE intrinsic_of_newer_model -T lib_6_5
RWBuffer<uint> o;
uint f(uint a) { return pack_u8(uint4(a, a, a, a)); }
//                      ^^^^^^^^^^^^^^^^^^^^^^^^^^ E0604 `pack_u8` requires shader model 6.6, but the target is 6.5
[shader("raygeneration")] void Main() { o[0] = f(o[1]); }
// CASE hit_object_in_old_model -T lib_6_6
[shader("raygeneration")] void Main() { dx::HitObject h; }
//                                                    ^ E0604 `dx::HitObject` requires shader model 6.9, but the target is 6.6
// CASE two_stages -T lib_6_6
[shader("compute")] [shader("vertex")] [numthreads(1, 1, 1)] void main() {}
//                   ^^^^^^^^^^^^^^^^ E0405 the attribute `shader` takes one stage; another one is given before
// CASE hit_objects_in_old_model -T lib_6_6
RaytracingAccelerationStructure Scene;
struct P { float a; };
[shader("raygeneration")] void Main() {
    P p = { 0 }; RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 };
    dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, r, p);
//                ^ E0604 `dx::HitObject` requires shader model 6.9, but the target is 6.6
    dx::MaybeReorderThread(h);
    if (h.IsHit()) dx::HitObject::Invoke(h, p);
}
// CASE flags_of_queries_in_old_model -T cs_6_8 -E main
RaytracingAccelerationStructure s : register(t0); RWBuffer<float> o : register(u0);
[numthreads(1, 1, 1)] void main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 };
    RayQuery<RAY_FLAG_FORCE_OMM_2_STATE, RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS> q;
//                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0604 `RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS` requires shader model 6.9, but the target is 6.8
    q.TraceRayInline(s, 0, 0xff, r); o[0] = q.Proceed();
}
// CASE queries_in_old_model -T cs_6_4 -E main
RaytracingAccelerationStructure s : register(t0); RWBuffer<float> o : register(u0);
[numthreads(1, 1, 1)] void main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; RayQuery<0> q;
//                                                          ^^^^^^^^^^^ E0604 `RayQuery` requires shader model 6.5, but the target is 6.4
    q.TraceRayInline(s, 0, 0xff, r); o[0] = q.Proceed();
}
// CASE trace_payload_is_a_value
struct P { float a; };
P make() { P p; p.a = 1; return p; }
RaytracingAccelerationStructure Scene;
[shader("raygeneration")] void Main() { RayDesc r; TraceRay(Scene, 0, 255, 0, 0, 0, r, make()); }
//                                                                                     ^^^^^^ E0317 cannot pass it to the inout parameter `Payload`: the expression is a value or a constant, not an l-value
// CASE trace_payload_scalar
RaytracingAccelerationStructure Scene;
[shader("raygeneration")] void Main() { float p = 1; RayDesc r; TraceRay(Scene, 0, 255, 0, 0, 0, r, p); }
//                                                                                                  ^ E0313 argument 8 of `TraceRay` is `float`, expected `struct`
// = note: candidate: void TraceRay(RaytracingAccelerationStructure AccelerationStructure, uint RayFlags, uint InstanceInclusionMask, uint RayContributionToHitGroupIndex, uint MultiplierForGeometryContributionToHitGroupIndex, uint MissShaderIndex, RayDesc Ray, inout struct Payload)
// CASE trace_without_payload
RaytracingAccelerationStructure Scene;
[shader("raygeneration")] void Main() { RayDesc r; TraceRay(Scene, 0, 255, 0, 0, 0, r); }
//                                                 ^^^^^^^^ E0315 `TraceRay` expects 8 arguments, found 7
// = 2:52: note: 7 arguments passed here
// = note: candidate: void TraceRay(RaytracingAccelerationStructure AccelerationStructure, uint RayFlags, uint InstanceInclusionMask, uint RayContributionToHitGroupIndex, uint MultiplierForGeometryContributionToHitGroupIndex, uint MissShaderIndex, RayDesc Ray, inout struct Payload)
// CASE recursive_trace_depth
RaytracingPipelineConfig c = { 32 };
//                             ^^ W0602 the largest recursion depth is at most 31 in Direct3D, found 32
// CASE hit_group_of_wrong_stage
struct P { float a; };
[shader("miss")] void Sky(inout P p) { }
TriangleHitGroup Hit = { "", "Sky" };
//               ^^^ E0607 this hit group uses `Sky` as closesthit shader, but it is a miss shader
// = 2:23: note: declared here
// CASE hit_group_with_few_values
TriangleHitGroup Hit = { "A" };
//                     ^^^^^^^ E0607 `TriangleHitGroup` expects 2 values (any-hit shader, closest-hit shader), found 1
// CASE procedural_without_intersection
ProceduralPrimitiveHitGroup Hit = { "", "", "" };
//                                          ^^ E0607 a hit group for procedural primitives needs an intersection shader
// CASE subobject_without_values
RaytracingShaderConfig c;
//                     ^ E0607 this `RaytracingShaderConfig` has no initialiser
// = note: write `= { … }` after its name
// CASE subobject_value_kind
RaytracingShaderConfig c = { "a", 8 };
//                           ^^^ E0607 the largest payload in bytes must be a number
// CASE subobject_flags
StateObjectConfig c = { 64 };
//                      ^^ E0607 unknown flags 0x40 of this subobject
// CASE subobject_used_as_value
RaytracingShaderConfig c = { 16, 8 };
[shader("raygeneration")] void Main() { uint a = c; }
//                                               ^ E0305 `c` is a subobject; shaders cannot use it
// CASE root_signature_malformed
GlobalRootSignature s = { "UAV(u0), CBV(x1)" };
//                                      ^^ E0643 in this root signature: expected one of register, space, visibility, flags, found 'x1'
// CASE root_signature_overlap
GlobalRootSignature s = { "UAV(u0), UAV(u0)" };
//                                  ^^^^^^^ E0643 in this root signature: registers u0-u0 of space 0 are bound twice (also by parameter 0)
// CASE root_signature_in_pieces
GlobalRootSignature s = { "UAV(u0), "
    "CBV(b0, spac = 1)," "SRV(t0)" };
//           ^^^^ E0643 in this root signature: expected one of register, space, visibility, flags, found 'spac'
// CASE root_signature_through_macros
#define FIRST "UAV(u0, flags = DATA_STATIC | DATA_VOLATILE), "
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0643 in this root signature: more than one DATA_* flag
// = 4:26: note: used here
#define REST(r) "SRV(" r ")"
#define BOTH FIRST REST("t0")
LocalRootSignature s = { BOTH };
// CASE root_signature_ends_early errors=1
LocalRootSignature s = { "CBV(b0" };
//                              ^ E0643 in this root signature: expected ')', found the end
// CASE root_signature_unknown_part
GlobalRootSignature s = { "CBVX(b0)" };
//                         ^^^^ E0643 in this root signature: expected RootFlags, RootConstants, CBV, SRV, UAV, DescriptorTable or StaticSampler, found 'CBVX'
// CASE root_signature_too_large
GlobalRootSignature s = { "CBV(b9), RootConstants(b0, num32BitConstants = 63)" };
//                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0602 in this root signature: the root arguments take 65 words of 32 bits, the limit is 64
// CASE root_signature_local_in_global
GlobalRootSignature s = { "RootFlags(LOCAL_ROOT_SIGNATURE)" };
//                                   ^^^^^^^^^^^^^^^^^^^^ E0643 in this root signature: LOCAL_ROOT_SIGNATURE in a global root signature
// CASE root_signature_of_raytracing
struct P { float x; };
[RootSignature("CBV(b0)")] [shader("miss")] void M(inout P p) { p.x = 1; }
// @2 E0648 a miss shader has no root signature of its own
// = note: DXR, root signatures: global and local ones are subobjects, and a state object associates them with shaders
// CASE root_signature_no_text
[RootSignature(1)] [shader("compute")] [numthreads(1, 1, 1)] void Main() {}
//             ^ E0643 `RootSignature` requires a root signature in a string literal
// CASE root_signature_empty_attribute -T cs_6_6 -E Main
[RootSignature] [numthreads(1, 1, 1)] void Main() {}
// @2 E0643 `RootSignature` requires a root signature in a string literal
// CASE root_signature_does_not_bind -T cs_6_6 -E Main errors=2
RWByteAddressBuffer Out : register(u3);
Texture2D<float> Color : register(t1);
[RootSignature("UAV(u2)," "SRV(t1)")]
//             ^^^^^^^^^^^^^^^^^^^^ E0646 t1 is bound by address, which only raw and structured buffers without counter can be
//             ^^^^^^^^^^^^^^^^^^^^ E0646 the shader uses u3, which the root signature does not bind as a whole
[numthreads(1, 1, 1)] void Main() { Out.Store(0, Color[uint2(0, 0)]); }
// CASE no_such_binding_table -T cs_6_0 -E Main -binding-table-define Table
// @0 E0649 there is no macro `Table` to take a binding table from
[numthreads(1, 1, 1)] void Main() {}
// CASE binding_table -T cs_6_0 -E Main -binding-table-define Table
#define Table "resourcename,binding,space;" "A,t0,x"
//                                                ^ E0649 in this binding table: `x` is no number of 32 bits
[numthreads(1, 1, 1)] void Main() {}
// CASE root_signature_macro_that_is_missing -T cs_6_6 -E Main -rootsig-define NoSuchMacro
// @0 E0647 there is no macro `NoSuchMacro` to take a root signature from
[numthreads(1, 1, 1)] void Main() {}
// CASE root_signature_macro -T cs_6_6 -E Main -rootsig-define RS
#define RS "UAV(u0)," SRV(t, space = 1)
//                        ^ E0643 in this root signature: expected one of register, space, visibility, flags, found 't'
[RootSignature("CBV(b0)")]
[numthreads(1, 1, 1)] void Main() {}
// CASE root_signature_profile -T rootsig_1_0 -E RS
#define RS CBV(b0, flags = DATA_STATIC)
//                         ^^^^^^^^^^^ E0643 in this root signature: root descriptor flags need root signature version 1.1, this is 1.0
// CASE root_signature_profile_without_macro -T rootsig_1_1 -E RS
// @0 E0647 there is no macro `RS` to take a root signature from
// CASE declared_static
static float f(float a);
float through(float a) { return f(a); }
//                              ^^^^ E0609 `f` is declared but never defined
// = 1:14: note: declared here
// = 3:51: note: `through` is called here
// = note: it is `static`, so no other library can define it
[shader("raygeneration")] void Main() { float x = through(1); }
// CASE static_of_another_library
float seed();
float further() { return seed(); }
//                       ^^^^^^ E0609 the initialiser of the static variable `start` calls `seed`, which is not defined here
// = 1:7: note: declared here
// = note: static variables have their values before functions of another library can run: define it here, or call it in a function
static float start = further() + 1;
export float value() { return start; }
// CASE declared_template
template<typename T> T f(T a);
[shader("raygeneration")] void Main() { float x = f(1.0f); }
//                                                ^^^^^^^ E0609 `f<float>` is declared but never defined
// = 1:24: note: declared here
// = note: another library cannot define an instance of a template
// CASE declared_method_of_template
template<typename T> struct S { T a; T f(); };
[shader("raygeneration")] void Main() { S<float> s; s.a = 1; float x = s.f(); }
//                                                                     ^^^^^ E0609 `S<float>::f` is declared but never defined
// = 1:40: note: declared here
// = note: another library cannot define an instance of a template
// CASE declared_in_compute_shader -T cs_6_6 -E main
float f(float a);
RWBuffer<float> b;
[numthreads(1, 1, 1)] void main() { b[0] = f(1); }
//                                         ^^^^ E0609 `f` is declared but never defined
// = 1:7: note: declared here
// = note: a compute shader cannot call external functions; compile it as a library, and link it with `rtc link -T cs_6_x`
// CASE declared_for_vulkan -spirv
float f(float a);
RWBuffer<float> b;
[shader("raygeneration")] void Main() { b[0] = f(1); }
//                                             ^^^^ E0609 `f` is declared but never defined
// = 1:7: note: declared here
// = note: SPIR-V modules for Vulkan are not linked; DXIL libraries are, with `rtc link`
// CASE declared_with_a_resource
float f(RWBuffer<float> a, float x);
RWBuffer<float> b;
[shader("raygeneration")] void Main() { b[0] = f(b, 1); }
//                                             ^^^^^^^ E0611 the external function `f` takes a `RWBuffer<float>`, which cannot be passed between libraries
// = 1:7: note: declared here
// = note: numbers, structures and arrays of them can be passed
// CASE declared_with_a_resource_inside
struct Inner { SamplerState s; };
struct Outer { Inner i[2]; float x; };
float f(Outer o);
[shader("raygeneration")] void Main() { Outer o; o.x = f(o); }
//                                                     ^^^^ E0611 the external function `f` takes a `Outer`, which cannot be passed between libraries
// = 3:7: note: declared here
// = note: numbers, structures and arrays of them can be passed
// CASE declared_with_a_hit_object -T lib_6_9
dx::HitObject f(float x);
[shader("raygeneration")] void Main() { dx::HitObject h = f(1); }
//                                                        ^^^^ E0611 the external function `f` returns a `dx::HitObject`, which cannot be passed between libraries
// = 1:15: note: declared here
// = note: numbers, structures and arrays of them can be passed
// CASE declared_with_queries -T lib_6_5 errors=2
RayQuery<0> f(inout RayQuery<0> q);
struct S { RayQuery<0> q; }; void g(inout S s); void h(inout RayQuery<0> q);
[shader("raygeneration")] void Main() { RayQuery<0> q; q = f(q); S s; g(s); h(q); }
//                                                         ^^^^ E0611 the external function `f` returns a `RayQuery<0>`, which cannot be passed between libraries
// = 1:13: note: declared here
// = note: numbers, structures and arrays of them can be passed
//                                                                    ^^^^ E0611 the external function `g` takes a `S`, which cannot be passed between libraries
// = 2:35: note: declared here
// = note: numbers, structures and arrays of them can be passed
// CASE exported_and_assigned_query -T lib_6_5 errors=2
RayQuery<0> Other() { RayQuery<0> q; return q; }
void Replace(inout RayQuery<0> q) { q = Other(); }
export void Direct(inout RayQuery<0> q, uint n) { if (n > 1) q = Other(); q.Abort(); }
//                 ^^^^^^^^^^^^^^^^^^^ E0611 the exported function `Direct` assigns to its ray query `q`
// = note: callers in other libraries keep their own query: assign to a variable, or do not export it
export void Through(uint n, inout RayQuery<0> q) { Replace(q); q.Abort(); }
//                          ^^^^^^^^^^^^^^^^^^^ E0611 the exported function `Through` assigns to its ray query `q`
// = note: callers in other libraries keep their own query: assign to a variable, or do not export it
export void Kept(inout RayQuery<0> q) { RayQuery<0> other = Other(); other = q; other.Abort(); }
// CASE declared_with_a_qualified_payload -T lib_6_7
struct [raypayload] P { float a : read(caller) : write(miss); };
void f(inout P p);
[shader("miss")] void Main(inout P p) { f(p); }
//                                      ^^^^ W0718 the external function `f` takes the payload `P`, whose access qualifiers its library may declare otherwise
// = note: its reads and writes are unknown, so all of the payload counts as read and written
// CASE spirv_without_entry -spirv
// @0 E0605 there is no entry point, and a SPIR-V module needs one; mark a function with `[shader("…")]`
float f() { return 1; }
// CASE node_shader
[shader("node")] void Main() {}
// @2 E0608 node shaders are not compiled by this compiler
// = note: it compiles compute shaders, ray-tracing shaders and those of the graphics pipeline
// CASE program_too_large_when_inlined
// @0 E0906 `f7` has too many instructions once its calls are inlined
#define EIGHT(n, m) float f##n(float x) { return f##m(x) + f##m(x + 1) + f##m(x + 2) + f##m(x + 3) + f##m(x + 4) + f##m(x + 5) + f##m(x + 6) + f##m(x + 7); }
float f0(float x) { return x * x; }
EIGHT(1, 0) EIGHT(2, 1) EIGHT(3, 2) EIGHT(4, 3) EIGHT(5, 4) EIGHT(6, 5) EIGHT(7, 6) EIGHT(8, 7) EIGHT(9, 8) EIGHT(10, 9)
RWStructuredBuffer<float> O;
[shader("raygeneration")] void Main() { O[0] = f10(O[1]); }
// CASE barrier_flags -T lib_6_8
[shader("raygeneration")] void Main() { Barrier(16, 1); }
//                                              ^^ E0620 invalid memory types of `Barrier`: 16
// = note: flags: UAV_MEMORY (1), GROUP_SHARED_MEMORY (2), NODE_INPUT_MEMORY (4), NODE_OUTPUT_MEMORY (8), ALL_MEMORY (15)
// CASE payload_attribute_missing_everywhere -T lib_6_7
struct P { float a; };
RaytracingAccelerationStructure Scene;
[shader("miss")] void Sky(inout P p) { p.a = 1; }
//                        ^^^^^^^^^ E0706 `P` is used as a payload but not declared `[raypayload]`
// = 1:8: note: declared here
// = note: from shader model 6.7 on payloads need it, unless -disable-payload-qualifiers is given
// = note: fix: replace `P` with `[raypayload] P`
[shader("miss")] void Ground(inout P p) { p.a = 2; }
[shader("raygeneration")] void Main() { P p = { 1.0 }; RayDesc r = { float3(0, 0, 0), 0.0, float3(0, 0, 1), 1.0 }; TraceRay(Scene, 0, 255, 0, 0, 0, r, p); }

// CASE hit_object_in_any_hit -T lib_6_9
struct [raypayload] P { float a : read(caller) : write(anyhit); };
void helper() { dx::HitObject h; }
//                            ^ E0602 `dx::HitObject` cannot be used in the anyhit shader `A`
// = 3:81: note: `helper` is called here
// = note: it is only available in raygeneration, closesthit or miss shaders
[shader("anyhit")] void A(inout P p, BuiltInTriangleIntersectionAttributes b) { helper(); p.a = 1; }

// CASE reorder_in_closest_hit -T lib_6_9
struct [raypayload] P { float a : read(caller) : write(closesthit); };
[shader("closesthit")] void C(inout P p, BuiltInTriangleIntersectionAttributes b) { dx::MaybeReorderThread(1, 2); p.a = 1; }
//                                                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0602 `MaybeReorderThread` cannot be used in the closesthit shader `C`
// = note: it is only available in raygeneration shaders

// CASE hit_object_in_buffer -T lib_6_9
struct S { dx::HitObject h; };
RWStructuredBuffer<S> B : register(u0);
// @1 E0503 `RWStructuredBuffer` cannot hold `S`
// = note: elements consist of numbers
[shader("raygeneration")] void R() { }

// CASE hit_object_in_payload -T lib_6_9
struct Inner { dx::HitObject h; };
struct [raypayload] P { Inner i : read(caller) : write(miss); };
//                            ^ E0710 `i` of the payload `P` contains an object, `Inner`
// = note: DXR, ray payload structure: a payload consists of numbers; it cannot contain resources, hit objects or ray queries
[shader("miss")] void M(inout P p) { }

// CASE hit_object_in_groupshared -T lib_6_9
groupshared dx::HitObject h[2];
//                        ^ E0505 `dx::HitObject[2]` cannot be groupshared
[shader("raygeneration")] void R() { }

// CASE hit_object_in_cbuffer -T lib_6_9
cbuffer C { dx::HitObject h; };
//                        ^ E0504 `dx::HitObject` cannot be in a constant buffer: it is or contains an object
[shader("raygeneration")] void R() { }

// CASE hit_object_in_constant_buffer -T lib_6_9
struct In { float f; dx::HitObject h[2]; };
ConstantBuffer<In> D;
// @1 E0503 `ConstantBuffer` cannot hold `In`
// = note: elements consist of numbers
[shader("raygeneration")] void R() { }

// CASE hit_object_loose -T lib_6_9
dx::HitObject loose;
//            ^^^^^ E0307 a hit object cannot be a static or global variable
// = note: declare it in the function that uses it, and pass it to other functions
[shader("raygeneration")] void R() { }

// CASE hit_object_in_attributes -T lib_6_9
struct A { dx::HitObject h; };
struct [raypayload] P { float a : read(caller) : write(miss); };
[shader("closesthit")] void C(inout P p, A a) { }
//                                       ^^^ E0601 the attributes must consist of numbers; `A` contains an object

// CASE hit_object_in_attributes_of_a_hit_object -T lib_6_9
struct A { dx::HitObject h; };
[shader("raygeneration")] void R() { dx::HitObject h; A a = h.GetAttributes<A>(); }
//                                                          ^^^^^^^^^^^^^^^^^^^^ E0601 the attributes must consist of numbers; `A` contains an object

// CASE hit_object_attributes_of_a_number -T lib_6_9
[shader("raygeneration")] void R() { dx::HitObject h; float f = h.GetAttributes<float>(); }
//                                                              ^^^^^^^^^^^^^^^^^^^^^^^^ E0601 the attributes must be a structure, not `float`

// CASE hit_object_attributes_without_type -T lib_6_9
[shader("raygeneration")] void R() { dx::HitObject h; h.GetAttributes(); }
//                                                      ^^^^^^^^^^^^^ E0313 no matching function for call to `GetAttributes` with arguments of types ()
// = note: candidate: T GetAttributes(): its template argument is missing
// = note: candidate: void GetAttributes(out struct Attributes): takes 1 argument

// CASE hit_object_without_namespace -T lib_6_9
[shader("raygeneration")] void R() { HitObject h; }
//                                   ^^^^^^^^^ E0301 unknown type name `HitObject`
// = here: did you mean `dx::HitObject`?
// = note: fix: replace `HitObject` with `dx::HitObject`

// CASE reorder_without_namespace -T lib_6_9
[shader("raygeneration")] void R() { dx::HitObject h; MaybeReorderThread(h); }
//                                                    ^^^^^^^^^^^^^^^^^^ E0301 use of undeclared identifier `MaybeReorderThread`
// = here: did you mean `dx::MaybeReorderThread`?
// = note: fix: replace `MaybeReorderThread` with `dx::MaybeReorderThread`

// CASE hit_object_on_constant -T lib_6_9
[shader("raygeneration")] void R() { const dx::HitObject h = dx::HitObject::MakeNop(); h.SetShaderTableIndex(1); }
//                                                                                     ^ E0317 cannot call `SetShaderTableIndex` on: this is a constant

// CASE hit_object_on_value -T lib_6_9
[shader("raygeneration")] void R() { dx::HitObject::MakeNop().SetShaderTableIndex(2); }
//                                   ^^^^^^^^^^^^^^^^^^^^^^^^ E0317 cannot call `SetShaderTableIndex` on: the expression is a value or a constant, not an l-value

// CASE hit_object_compared -T lib_6_9
[shader("raygeneration")] void R() { dx::HitObject h, g; if (h == g) { } }
//                                                           ^^^^^^ E0318 invalid operands of `==`: `dx::HitObject` and `dx::HitObject`
// = 1:62: note: this is `dx::HitObject`
// = 1:67: note: this is `dx::HitObject`

// CASE hit_object_cast_to_number -T lib_6_9
[shader("raygeneration")] void R() { dx::HitObject h; int i = (int)h; }
//                                                            ^^^^^^ E0323 `dx::HitObject` cannot be cast to `int`

// CASE hit_object_from_number -T lib_6_9
[shader("raygeneration")] void R() { dx::HitObject k = 0; }
//                                                     ^ E0312 there is no implicit conversion from `literal int` to `dx::HitObject`

// CASE hit_object_as_condition -T lib_6_9
[shader("raygeneration")] void R() { dx::HitObject h; if (h) { } }
//                                                        ^ E0319 a condition must be a scalar, found `dx::HitObject`
// CASE long_vector_in_a_payload -T lib_6_9 -disable-payload-qualifiers
struct P { vector<float, 5> v; };
[shader("miss")] void Main(inout P p) { }
//                         ^^^^^^^^^ E0307 the payload of a shader cannot contain vectors of more than four components, as `P` does
// = note: long vectors are allowed in variables of functions, groupshared memory, structured and byte-address buffers
// CASE long_vector_in_attributes -T lib_6_9
struct A { vector<float, 5> v; };
[shader("intersection")] void Main() { A a; a.v = 1; ReportHit(1, 0, a); }
//                                                                   ^ E0307 the attributes of a shader cannot contain vectors of more than four components, as `A` does
// = note: long vectors are allowed in variables of functions, groupshared memory, structured and byte-address buffers
// CASE long_vector_in_a_parameter -T lib_6_9
struct P { vector<float, 5> v; };
[shader("callable")] void Main(inout P p) { }
//                             ^^^^^^^^^ E0307 the parameter of a shader cannot contain vectors of more than four components, as `P` does
// = note: long vectors are allowed in variables of functions, groupshared memory, structured and byte-address buffers
// CASE attributes_with_a_type_argument -T lib_6_9
struct A { float2 b; };
[shader("raygeneration")] void Main() { dx::HitObject h; A a; h.GetAttributes<A>(a); }
//                                                              ^^^^^^^^^^^^^ E0313 no matching function for call to `GetAttributes` with arguments of types (A)
// = note: candidate: T GetAttributes(): takes 0 arguments
// = note: candidate: void GetAttributes(out struct Attributes): its template argument is missing
// CASE rays_of_vulkan_1_0 -T lib_6_3 -spirv -fspv-target-env=vulkan1.0
// @0 E0924 `Main` is a raygen shader, which Vulkan 1.0 does not have; -fspv-target-env=vulkan1.1 is the first
[shader("raygeneration")] void Main() { }
// CASE waves_of_vulkan_1_0 -T cs_6_3 -spirv -fspv-target-env=vulkan1.0
// @0 E0924 wave_active_op in `main`, which Vulkan 1.0 does not have; -fspv-target-env=vulkan1.1 is the first
RWByteAddressBuffer B;
[numthreads(1, 1, 1)] void main() { B.Store(0, WaveActiveSum(B.Load(0))); }
// CASE attributes_of_other_stages -T ps_6_6 -E main errors=2
[maxvertexcount(3)] [domain("tri")] [partitioning("integer")] [earlydepthstencil] float4 main() : SV_Target { return 1; }
// @2 E0405 `maxvertexcount` applies to geometry shaders, and this is a pixel shader
//                   ^^^^^^^^^^^^^ E0405 `domain` applies to hull and domain shaders, and this is a pixel shader
//                                   ^^^^^^^^^^^^^^^^^^^^^^^ W0660 the attribute `partitioning` has no effect here; it applies to hull shaders
// CASE early_depth_of_a_vertex_shader -T vs_6_6 -E main
[earlydepthstencil] float4 main() : SV_Position { return 1; }
// @2 E0405 `earlydepthstencil` applies to pixel shaders, and this is a vertex shader
// CASE entry_not_named -T cs_6_0 -E main
RWBuffer<uint> o;
[numthreads(8, 8, 1)] void CSMain(uint i : SV_GroupIndex) { o[i] = 1; }
//                         ^^^^^^ E0605 entry point `main` not found in `main.hlsl`
// = here: `-E CSMain` is this function
// = 3:28: note: `-E Other` is this function
// = note: attributes say that `CSMain`, `Other` can be meant: name it with -E
[numthreads(8, 1, 1)] void Other(uint i : SV_GroupIndex) { o[i] = 1; }
// CASE entry_of_another_stage -T ps_6_6 -E CSMain
RWBuffer<uint> o;
[numthreads(8, 8, 1)] void CSMain(uint i : SV_GroupIndex) { o[i] = 1; }
// @2 E0405 `CSMain` has `[numthreads]` and is no pixel shader
// = note: the profile decides the stage: -T cs_6_0 and the like for compute shaders
// CASE node_with_its_attributes -T lib_6_8
[shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [numthreads(8, 1, 1)] void work() { }
// @2 E0608 node shaders are not compiled by this compiler
// = note: it compiles compute shaders, ray-tracing shaders and those of the graphics pipeline
// CASE subobject_without_braces
GlobalRootSignature g = "CBV(b0)";
//                      ^^^^^^^^^ E0607 the values of a `GlobalRootSignature` must be in braces
// = note: write `= { … };`
