//! Registers, spaces, layouts, constant buffers, groupshared memory.

// CASE register_of_wrong_class
Texture2D<float4> T : register(u0);
//                    ^^^^^^^^^^^^ E0501 wrong register class for this resource: expected `t`, found `u`
// CASE register_of_wrong_class_for_uav
RWTexture2D<float4> T : register(t0);
//                      ^^^^^^^^^^^^ E0501 wrong register class for this resource: expected `u`, found `t`
// CASE register_of_wrong_class_for_sampler
SamplerState S : register(u0);
//               ^^^^^^^^^^^^ E0501 wrong register class for this resource: expected `s`, found `u`
// CASE register_of_wrong_class_for_cbuffer
cbuffer C : register(t0) { float a; }
//          ^^^^^^^^^^^^ E0501 wrong register class for this resource: expected `b`, found `t`
// CASE register_on_static
static float a : register(b0);
//               ^^^^^^^^^^^^ E0501 this annotation is not allowed on a static variable
// CASE register_unknown_letter
Texture2D<float4> T : register(q0);
//                    ^^^^^^^^^^^^ E0501 wrong register class for this resource: expected `t`, found `q`
// CASE register_number_too_large
Texture2D<float4> T : register(t4294967296);
//                             ^^^^^^^^^^^ E0206 invalid register `t4294967296`: expected a letter and a number, like `t0`, or a space, like `space1`
// CASE register_overlap
Texture2D<float4> A : register(t0);
Texture2D<float4> B : register(t0);
//                ^ E0506 `A` and `B` both use register t0 of space 0
[shader("raygeneration")] void Main() { float4 a = A[uint2(0, 0)] + B[uint2(0, 0)]; RWTexture2D<float4> o = ResourceDescriptorHeap[0]; o[uint2(0, 0)] = a; }
// CASE register_overlap_of_an_array
Texture2D<float4> A[4] : register(t0);
Texture2D<float4> B : register(t2);
//                ^ E0506 `A` and `B` both use register t2 of space 0
[shader("raygeneration")] void Main() { float4 a = A[1][uint2(0, 0)] + B[uint2(0, 0)]; RWTexture2D<float4> o = ResourceDescriptorHeap[0]; o[uint2(0, 0)] = a; }
// CASE no_register_is_left -T cs_6_6 -E main
Texture2D<float4> A[] : register(t0); Texture2D<float4> B; RWBuffer<float4> O;
//                                                      ^ E0507 no registers are left in space 0 for `B`
[numthreads(1, 1, 1)] void main(uint i : SV_GroupIndex) { O[0] = A[i][uint2(0, 0)] + B[uint2(0, 0)]; }
//                                                               ^^^^ W0863 lanes of one wave may use different elements of `A`, and its index is not marked as non-uniform
// = 2:28: note: this may differ between lanes of a wave
// = note: the lanes of a wave may use the resource of one of them
// = note: put the index into `NonUniformResourceIndex(…)`
// = note: fix: insert `NonUniformResourceIndex(`
// = note: fix: insert `)`
// CASE shader_record_in_a_package -T lib_6_3 -Fo a.rtp
struct S { float a; }; [[vk::shader_record_ext]] ConstantBuffer<S> R;
//                                                                 ^ E0927 `R` is the shader record, which a package describes by local root signatures; write one, or make SPIR-V
struct P { float a; };
[shader("miss")] void Main(inout P p) { p.a = R.a; }
// CASE space_alone_malformed
Texture2D<float4> T : register(space);
//                             ^^^^^ E0206 a register has one space, `space0` or higher
// CASE space_negative
Texture2D<float4> T : register(t0, space-1);
//                                      ^ E0201 expected `)`, `[` or `,`, found `-`
// CASE packoffset_misaligned
cbuffer C { float4 a : packoffset(c0.y); }
//                 ^ E0502 `a` cannot be at byte 4
// = note: a number does not cross a row of 16 bytes; arrays, matrices and structures start one
// CASE packoffset_overlap
cbuffer C { float4 a : packoffset(c0); float b : packoffset(c0.z); }
//                                           ^ E0502 `b` overlaps `a`
// = 1:20: note: `a`
// CASE packoffset_component
cbuffer C { float a : packoffset(c0.q); }
//                    ^^^^^^^^^^^^^^^^ E0206 a packoffset is a constant register and perhaps a component, like `c3.y`
// CASE constant_buffer_too_large
cbuffer C { float4 a[4097]; }
//      ^ E0502 `C` has 65552 bytes; a constant buffer has at most 65536
[shader("raygeneration")] void Main() { RWTexture2D<float4> o = ResourceDescriptorHeap[0]; o[uint2(0, 0)] = a[4]; }
// CASE structure_too_large_for_a_constant_buffer
struct S { float4 a[5000]; };
ConstantBuffer<S> C;
// @1 E0502 `S` has 80000 bytes; a constant buffer has at most 65536
[shader("raygeneration")] void Main() { RWTexture2D<float4> o = ResourceDescriptorHeap[0]; o[uint2(0, 0)] = C.a[4]; }
// CASE structured_element_too_large
struct S { float4 a[129]; };
StructuredBuffer<S> B;
// @1 E0503 `S` has 2064 bytes; an element of a `StructuredBuffer` has at most 2048
[shader("raygeneration")] void Main() { RWTexture2D<float4> o = ResourceDescriptorHeap[0]; o[uint2(0, 0)] = B[0].a[4]; }
// CASE constant_in_groupshared_memory -T cs_6_6 -E main
const groupshared uint n;
[numthreads(1, 1, 1)] void main() { InterlockedAdd(n, 1); }
//                                                 ^ E0317 cannot pass it to the inout parameter `result`: this is a constant or resource

// CASE groupshared_too_large -T cs_6_6 -E main
groupshared float4 g[2049];
[numthreads(1, 1, 1)] void main() { g[0] = 1; GroupMemoryBarrierWithGroupSync(); RWTexture2D<float4> o = ResourceDescriptorHeap[0]; o[uint2(0, 0)] = g[1]; }
//                         ^^^^ E0505 `main` uses 32784 bytes of groupshared memory; a thread group has at most 32768
// = 1:20: note: `g`: 32784 bytes
// CASE groupshared_local
void f() { groupshared float a; }
//         ^^^^^^^^^^^ E0311 `groupshared` is not allowed on a local variable
// CASE groupshared_with_initialiser
groupshared float a = 1;
//                    ^ W0307 this initialiser has no effect: groupshared memory is not initialised
// = note: one thread assigns the value, and a barrier follows
// CASE groupshared_texture
groupshared Texture2D<float4> T;
//                            ^ E0505 `Texture2D<float4>` cannot be groupshared
// CASE groupshared_unsized
groupshared float a[];
//                 ^^ E0310 missing array size
// = note: only the first dimension of resources and of variables with an initialiser can be unsized
// CASE resource_in_cbuffer
struct S { float a; };
cbuffer C { ConstantBuffer<S> t; }
//                            ^ E0504 `ConstantBuffer<S>` cannot be in a constant buffer: it is or contains an object
// CASE resources_in_an_array_of_views
struct S { float a; Texture2D<float4> t; };
ConstantBuffer<S> views[2];
//                ^^^^^ E0504 `S` cannot be in an array of constant buffers: it contains objects
// = note: one constant buffer can hold it; its resources are bound like those outside of buffers
// CASE resource_in_structured_buffer
struct S { float a; Texture2D<float4> t; };
StructuredBuffer<S> B;
// @1 E0503 `StructuredBuffer` cannot hold `S`
// = note: elements consist of numbers
// CASE texel_too_large
Texture2D<double4> T;
// @1 E0503 `Texture2D` cannot hold `double4`
// = note: a texel is a scalar or vector of numbers of at most 16 bytes
// CASE texel_of_matrix
RWTexture2D<float2x2> T;
// @1 E0503 `RWTexture2D` cannot hold `float2x2`
// = note: a texel is a scalar or vector of numbers of at most 16 bytes
// CASE texture_with_two_arguments
Texture2D<float4, 2> T;
// @1 E0309 `Texture2D` expects 0 to 1 template argument, found 2
// CASE texture_with_a_void_texel
Texture2D<void> T;
// @1 E0503 `Texture2D` cannot hold `void`
// = note: a texel is a scalar or vector of numbers of at most 16 bytes
// CASE unknown_texture
Texture4D<float4> T;
// @1 E0301 unknown type name `Texture4D`
// = here: did you mean `Texture1D`?
// = note: fix: replace `Texture4D` with `Texture1D`
// CASE obsolete_texture
texture2D T;
// @1 E0303 unknown type name `texture2D`
// = here: use Texture2D and SamplerState
// CASE resource_assigned_to_another_kind
Texture2D<float4> A; Texture3D<float4> B;
float4 f() { Texture2D<float4> t = B; return t[uint2(0, 0)]; }
//                                 ^ E0312 there is no implicit conversion from `Texture3D<float4>` to `Texture2D<float4>`
// CASE sampler_as_texture
SamplerState S;
float4 f() { return S.Sample(S, float2(0, 0)); }
//                    ^^^^^^ E0302 no member named `Sample` in `SamplerState`
// CASE resource_compared
Texture2D<float4> A; Texture2D<float4> B;
bool f() { return A == B; }
//                ^^^^^^ E0318 invalid operands of `==`: `Texture2D<float4>` and `Texture2D<float4>`
// = 2:19: note: this is `Texture2D<float4>`
// = 2:24: note: this is `Texture2D<float4>`
// CASE write_through_read_only_buffer
ByteAddressBuffer B;
void f() { B.Store(0, 1); }
//           ^^^^^ E0302 no member named `Store` in `ByteAddressBuffer`
// CASE append_of_wrong_element
AppendStructuredBuffer<float4> B;
struct S { float4 a[2]; };
void f(S s) { B.Append(s); }
//                     ^ E0313 argument 1 of `Append` is `S`, expected `T`
// = note: candidate: void Append(T value)
// CASE counter_of_plain_buffer
StructuredBuffer<float4> B;
uint f() { return B.IncrementCounter(); }
//                  ^^^^^^^^^^^^^^^^ E0302 no member named `IncrementCounter` in `StructuredBuffer<float4>`
// CASE load_with_wrong_coordinates
Texture2D<float4> T;
struct S { float a; };
float4 f(S s) { return T.Load(s); }
//                            ^ E0313 argument 1 of `Load` is `S`, expected `int3`
// = note: candidate: T Load(int3 x)
// CASE offset_not_constant
Texture2D<float4> T; SamplerState S;
float4 f(int2 o) { return T.SampleLevel(S, float2(0, 0), 0, o.xyxy); }
//                                                          ^^^^^^ W0301 the conversion from `int4` to `int2` drops components
// CASE cbuffer_member_twice
cbuffer C { float a; float a; }
//                         ^ E0304 redeclaration of `a` in the same scope
// = 1:19: note: previously declared here
// CASE cbuffer_member_in_two
cbuffer C { float a; }
cbuffer D { float a; }
//                ^ E0304 redeclaration of `a` in the same scope
// = 1:19: note: previously declared here
// CASE unbounded_array_of_numbers
float a[];
//     ^^ E0310 missing array size
// = note: only the first dimension of resources and of variables with an initialiser can be unsized
// CASE unbounded_array_in_a_struct
struct S { Texture2D<float4> t[]; };
//                            ^^ E0310 missing array size
// = note: only the first dimension of resources and of variables with an initialiser can be unsized
S s;
// CASE tbuffer_write
tbuffer B { float a; }
void f() { a = 1; }
//         ^ E0317 cannot assign to: this is a member of a constant buffer
// CASE acceleration_structure_written
RWStructuredBuffer<RaytracingAccelerationStructure> B;
// @1 E0503 `RWStructuredBuffer` cannot hold `RaytracingAccelerationStructure`
// = note: elements consist of numbers
// CASE feedback_texture_type
FeedbackTexture2D<float4> F;
//                ^^^^^^ E0324 expected a constant expression
// CASE resource_never_set
[shader("raygeneration")] void Main() { RWByteAddressBuffer b; b.Store(0, 1); }
//                                                             ^^^^^^^^^^^^^ E0640 this resource is used, but nothing was ever assigned to it
// CASE resource_of_an_exported_function_chosen
RWByteAddressBuffer A;
export void f(RWByteAddressBuffer b, bool c) { RWByteAddressBuffer d = b; if (c) d = A; d.Store(0, 1); }
//                                                                                      ^^^^^^^^^^^^^ E0641 a resource that is a parameter of an exported function cannot be chosen by control flow
// CASE resource_chosen_of_many
#define R4(n) RWByteAddressBuffer A##n##0; RWByteAddressBuffer A##n##1; RWByteAddressBuffer A##n##2; RWByteAddressBuffer A##n##3;
#define R16(n) R4(n##0) R4(n##1) R4(n##2) R4(n##3)
#define R64(n) R16(n##0) R16(n##1) R16(n##2) R16(n##3)
#define C4(n) case 0x##n##0: b = A##n##0; break; case 0x##n##1: b = A##n##1; break; case 0x##n##2: b = A##n##2; break; case 0x##n##3: b = A##n##3; break;
#define C16(n) C4(n##0) C4(n##1) C4(n##2) C4(n##3)
#define C64(n) C16(n##0) C16(n##1) C16(n##2) C16(n##3)
R64(1) R64(2) R64(3) R64(4) R64(5) RWByteAddressBuffer B;
[shader("raygeneration")] void Main() { RWByteAddressBuffer b = B; switch (DispatchRaysIndex().x) { C64(1) C64(2) C64(3) C64(4) C64(5) } b.Store(0, 1); }
//                                                                                                                                       ^^^^^^^^^^^^^ E0642 321 combinations of resources are possible here; 256 are the limit. Put them into an array and choose an index
// CASE combined_image_sampler -spirv
// @0 E0605 there is no entry point, and a SPIR-V module needs one; mark a function with `[shader("…")]`
[[vk::combinedImageSampler]] Texture2D<float4> T;
// @3 W0630 no sampler with `vk::combinedImageSampler` has the binding of `T`
// = note: both write the same `[[vk::binding(binding, set)]]`, and are one descriptor
// CASE image_format_of_other_sign -T cs_6_0 -E main -spirv
[[vk::image_format("rgba16ui")]] Buffer<int4> b[2];
// @3 W0631 texels of format `rgba16ui` are unsigned integers, those of `int4` are not
// = note: what is read of a format with fewer bits than the type is undefined in the others
RWBuffer<int4> o;
[numthreads(1, 1, 1)] void main() { o[0] = b[1][0]; }
// CASE mixed_global_structure
struct S { Texture2D<float4> t[1025][2]; RayQuery<0> q; };
S s;
// @3 E0504 `S` has members that are neither resources nor numbers, or too many members
// = note: such a variable can be local or `static`
// CASE structure_of_resources_in_a_register_of_another_class
struct S { Texture2D<float4> t; };
S s : packoffset(c0);
//    ^^^^^^^^^^^^^^ E0501 this annotation is not allowed on a structure of resources

// CASE texel_that_is_a_structure -T lib_6_6
struct S { float2 a; float b; };
Buffer<S> B : register(t0);
// @1 E0503 `Buffer` cannot hold `S`
// = note: a texel is a scalar or vector of numbers of at most 16 bytes
RWByteAddressBuffer Out : register(u0);
[shader("raygeneration")] void R() { S s = B.Load(3); Out.Store(0, s.b); }
// CASE register_overlap_in_spirv -T lib_6_6 -spirv
Texture2D<float4> A[] : register(t0);
Texture2D<float4> B : register(t2);
//                ^ W0603 `A` and `B` both use register t2 of space 0
[shader("raygeneration")] void Main() { float4 a = A[2][uint2(0, 0)] + B[uint2(0, 0)]; RWTexture2D<float4> o = ResourceDescriptorHeap[0]; o[uint2(0, 0)] = a; }
// CASE long_vector_in_a_constant_buffer -T lib_6_9
cbuffer C { vector<float, 6> v; };
//                           ^ E0307 a constant buffer cannot contain vectors of more than four components, as `vector<float, 6>` does
// = note: long vectors are allowed in variables of functions, groupshared memory, structured and byte-address buffers
// CASE long_vector_in_a_tbuffer -T lib_6_9
tbuffer C { vector<float, 6> v[2]; };
//                           ^ E0307 a constant buffer cannot contain vectors of more than four components, as `vector<float, 6>[2]` does
// = note: long vectors are allowed in variables of functions, groupshared memory, structured and byte-address buffers
// CASE long_vector_in_a_constant_buffer_object -T lib_6_9
struct S { int a; vector<float, 6> v; };
ConstantBuffer<S> C;
// @1 E0307 a `ConstantBuffer` cannot contain vectors of more than four components, as `S` does
// = note: long vectors are allowed in variables of functions, groupshared memory, structured and byte-address buffers
// CASE long_vector_as_a_uniform -T lib_6_9
vector<float, 6> v;
//               ^ E0307 a constant buffer cannot contain vectors of more than four components, as `vector<float, 6>` does
// = note: long vectors are allowed in variables of functions, groupshared memory, structured and byte-address buffers
// CASE string_indexed_beyond_its_end
int f() { return "abc"[4]; }
//                     ^ E0320 index 4 is out of range: valid indices are 0 to 3
// CASE hit_object_as_a_uniform -T lib_6_9
dx::HitObject g;
//            ^ E0307 a hit object cannot be a static or global variable
// = note: declare it in the function that uses it, and pass it to other functions
// CASE push_constants_twice -T vs_6_0 -E main -spirv
struct S { float4 a; };
[[vk::push_constant]] S one;
[[vk::push_constant]] S two;
// @3 E0405 a module has one block of push constants
// = 2:3: note: the first one is here
float4 main() : A { return one.a; }
// CASE push_constants_with_a_binding -T vs_6_0 -E main -spirv
struct S { float4 a; };
[[vk::push_constant, vk::binding(5)]] S one;
//                   ^^^^^^^^^^^^^^ E0405 `[[vk::binding]]` applies to descriptors, not to push constants
float4 main() : A { return one.a; }
// CASE shader_record_with_a_binding -T vs_6_0 -E main -spirv
struct S { float4 a; };
[[vk::shader_record_ext, vk::binding(6)]] ConstantBuffer<S> one;
//                       ^^^^^^^^^^^^^^ E0405 `[[vk::binding]]` applies to descriptors, not to the shader record
float4 main() : A { return one.a; }
// CASE binding_of_a_number -T vs_6_0 -E main -spirv
[[vk::binding(10, 2)]] float4 number;
// @3 E0405 `number` is a member of the constant buffer `$Globals`, and has no binding of its own
// = note: -fvk-bind-globals gives that buffer a binding; a cbuffer of its own has one too
float4 main() : A { return number; }
// CASE registers_of_numbers_overlap -T vs_6_0 -E main -spirv
float4x4 m : register(c0);
float4 a : register(c4);
float4 b : register(c3);
//     ^ E0502 `b` overlaps `m`
// = 1:10: note: `m`
float4 main(float4 p : P) : A { return mul(m, p) + a + b; }
// CASE component_beyond_a_vector_of_constants -T ps_6_0 -E main
cbuffer C { float3 v; }
float4 main() : SV_Target { int k = 3; return v[k]; }
//                                            ^^^^ E0320 index 3 is out of range: valid indices are 0 to 2
// CASE component_before_a_vector_of_constants -T ps_6_0 -E main
cbuffer C { float3 v; }
float4 main() : SV_Target { int k = -1; return v[k]; }
//                                             ^^^^ E0320 index -1 is out of range: valid indices are 0 to 2

// CASE hit_object_that_is_static -T lib_6_9
static dx::HitObject kept;
//                   ^^^^ E0307 a hit object cannot be a static or global variable
// = note: declare it in the function that uses it, and pass it to other functions
// CASE hit_object_that_is_global -T lib_6_9
dx::HitObject kept;
//            ^^^^ E0307 a hit object cannot be a static or global variable
// = note: declare it in the function that uses it, and pass it to other functions
// CASE hit_objects_in_a_static_array -T lib_6_9 -spirv
static const dx::HitObject kept[2] = { dx::HitObject::MakeNop(), dx::HitObject::MakeNop() };
//                         ^^^^ E0307 a static or global variable cannot hold hit objects, which `dx::HitObject[2]` does
// = note: declare it in the function that uses it, and pass it to other functions
// CASE hit_object_in_a_static_structure -T lib_6_9
struct Kept { uint n; dx::HitObject hit; };
namespace N { static Kept all[3]; }
//                        ^^^ E0307 a static or global variable cannot hold hit objects, which `Kept[3]` does
// = note: declare it in the function that uses it, and pass it to other functions
// CASE hit_object_that_is_a_static_member -T lib_6_9
struct Kept { static dx::HitObject hit; };
//                                 ^^^ E0307 a hit object cannot be a static or global variable
// = note: declare it in the function that uses it, and pass it to other functions
// CASE hit_object_that_is_static_in_a_function -T lib_6_9
[shader("raygeneration")] void Main() { static dx::HitObject kept; RWByteAddressBuffer o = ResourceDescriptorHeap[0]; o.Store(0, kept.IsHit()); }
//                                                           ^^^^ E0307 a hit object cannot be a static or global variable
// = note: declare it in the function that uses it, and pass it to other functions
// CASE members_that_overlap_in_part errors=2
cbuffer C { float a : packoffset(c0.x); float2 b : packoffset(c0.x); float c : packoffset(c0.y); float4 d : packoffset(c1); float e : packoffset(c1.z); };
//                                                                         ^ E0502 `c` overlaps `b`
// = 1:48: note: `b`
//                                                                                                                                ^ E0502 `e` overlaps `d`
// = 1:105: note: `d`
[shader("raygeneration")] void Main() { float x = a + b.x + c + d.x + e; }
// CASE members_at_one_place -spirv
cbuffer C { float a : packoffset(c0.x); float b : packoffset(c0.x); };
//                                            ^ E0502 `b` overlaps `a`
// = 1:19: note: `a`
[shader("raygeneration")] void Main() { float x = a + b; }
// CASE offsets_of_vulkan_that_overlap -T ps_6_6 -E main -spirv errors=3
struct P { [[vk::offset(16)]] float4 a; [[vk::offset(24)]] float2 b; [[vk::offset(48)]] uint c : 4; uint d : 4; };
//                                                                ^ E0502 `b` overlaps `a`
// = 1:38: note: `a`
[[vk::push_constant]] P p;
cbuffer C { [[vk::offset(6)]] float e; [[vk::offset(32)]] float3 f; [[vk::offset(48)]] double g; [[vk::offset(52)]] uint h; }
//                                                                                                                       ^ E0502 `h` overlaps `g`
// = 3:95: note: `g`
//                                  ^ E0502 `e` cannot be at byte 6
// = note: in Vulkan it is at a multiple of 4, the size of its largest number
float4 main() : SV_Target { return p.a + p.b.x + p.c + p.d + e + f.x + (float)g + h; }
// CASE registers_of_one_profile -T ps_6_0 -E main errors=3
Texture2D a : register(vs, t1) : register(vs, t2);
//                               ^^^^^^^^^^^^^^^^ E0501 duplicate register
// = 1:15: note: first register
Texture2D b : register(ps, t3) : register(t4);
//                               ^^^^^^^^^^^^ E0501 duplicate register
// = 2:15: note: first register
float c : packoffset(c0);
//        ^^^^^^^^^^^^^^ E0502 `packoffset` is only allowed on members of constant buffers
float4 main() : SV_Target { return a.Load(0) + b.Load(0) + c; }
// CASE register_without_brackets
Texture2D t : register;
//            ^^^^^^^^ E0206 expected `(` after `register`
// CASE acceleration_structure_never_set -T cs_6_5 -E main
RWBuffer<uint> o;
[numthreads(1, 1, 1)] void main() { RaytracingAccelerationStructure s; RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; RayQuery<0> q; q.TraceRayInline(s, 0, 0xff, r); o[0] = q.Proceed(); }
//                                                                                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0640 this acceleration structure is used, but nothing was ever assigned to it
