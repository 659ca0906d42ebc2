// What may be an argument of inline SPIR-V, by value and by reference: ray queries, acceleration structures, images, samplers, buffers.
// RUN: %rtc -T lib_6_6 -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv -Fc %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: %rtc -T lib_6_6 -spirv -fspv-target-env=vulkan1.3 -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.spv
// RUN: %spirv-val %t.od.spv
// RUN: not %rtc -T lib_6_6 -spirv -fspv-target-env=vulkan1.3 -DWRONG -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=WRONG
typedef RayQuery<RAY_FLAG_FORCE_OPAQUE> Query;
// OpRayQueryGetIntersectionTKHR, OpRayQueryGetRayTMinKHR
[[vk::ext_capability(4472)]] [[vk::ext_extension("SPV_KHR_ray_query")]] [[vk::ext_instruction(6018)]]
float Distance([[vk::ext_reference]] Query q, uint which);
[[vk::ext_instruction(6016)]] float Begin(Query q);
// OpRayQueryInitializeKHR
[[vk::ext_instruction(4473)]]
void Start([[vk::ext_reference]] Query q, RaytracingAccelerationStructure s, uint flags, uint mask, float3 o, float b, float3 d, float e);
// OpImageQuerySize
[[vk::ext_capability(50)]] [[vk::ext_instruction(104)]] uint2 Size(RWTexture2D<float> t);
// OpArrayLength
[[vk::ext_instruction(68)]] uint Length([[vk::ext_reference]] RWByteAddressBuffer b, [[vk::ext_literal]] uint member);
[[vk::ext_instruction(68)]] uint LengthOf([[vk::ext_reference]] StructuredBuffer<float4> b, [[vk::ext_literal]] uint member);
RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float> Picture : register(u1);
RWByteAddressBuffer Bytes : register(u2);
StructuredBuffer<float4> List : register(t3);
RWStructuredBuffer<float> Out : register(u4);
RWStructuredBuffer<uint> Numbers : register(u5);
#ifdef WRONG
[[vk::ext_instruction(68)]] uint LengthByValue(RWByteAddressBuffer b, [[vk::ext_literal]] uint member);
#endif

float in_function(Query q) { return Begin(q) + Distance(q, 1); }

[shader("raygeneration")] void R()
{
    // CHECK: OpRayQueryInitializeKHR [[Q:%[0-9A-Za-z_]+]]
    // CHECK: OpRayQueryGetIntersectionTKHR {{%[0-9A-Za-z_]+}} [[Q]]
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 };
    Query q;
    q.TraceRayInline(Scene, 0, 0xff, r);
    q.Proceed();
    Out[0] = Distance(q, 1) + in_function(q);
    Query other;
    Start(other, Scene, 0, 0xff, r.Origin, 0, r.Direction, 9);
    Out[1] = Begin(other);
    uint2 size = Size(Picture);
    Numbers[0] = size.x + Length(Bytes, 0) + LengthOf(List, 0);
#ifdef WRONG
    // WRONG: arguments.hlsl:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}buffer
    Numbers[1] = LengthByValue(Bytes, 0);
#endif
}
