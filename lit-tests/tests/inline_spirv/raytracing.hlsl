// Ray tracing by inline SPIR-V: a payload of its storage class, a trace, hit objects of the NV extension as opaque types.
// RUN: %rtc -T lib_6_6 -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s < %t.txt
// RUN: %rtc -T lib_6_6 -spirv -fspv-target-env=vulkan1.3 -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// CHECK: OpCapability ShaderInvocationReorderNV
// CHECK: OpExtension "SPV_NV_shader_invocation_reorder"
// CHECK-DAG: OpDecorate [[PAYLOAD:%[0-9A-Za-z_]+]] Location 3
// CHECK-DAG: [[PAYLOAD]] = OpVariable {{%[0-9A-Za-z_]+}} RayPayloadKHR
// CHECK-DAG: [[HITS:%[0-9A-Za-z_]+]] = OpTypeHitObjectNV
#define ShaderInvocationReorderNV 5383
[[vk::ext_capability(ShaderInvocationReorderNV)]]
[[vk::ext_extension("SPV_NV_shader_invocation_reorder")]]
[[vk::ext_type_def(7, /* OpTypeHitObjectNV */ 5281)]]
void create_hit_object();
#define HitObjectNV vk::ext_type<7>

[[vk::ext_instruction(/* OpHitObjectTraceRayNV */ 5260)]]
void hit_trace([[vk::ext_reference]] HitObjectNV hit, RaytracingAccelerationStructure scene, uint flags, uint mask, uint offset,
    uint stride, uint miss, float3 origin, float tmin, float3 direction, float tmax, [[vk::ext_reference]] float4 payload);
[[vk::ext_instruction(/* OpHitObjectIsHitNV */ 5277)]]
bool hit_is_hit([[vk::ext_reference]] HitObjectNV hit);
[[vk::ext_instruction(/* OpReorderThreadWithHitObjectNV */ 5279)]]
void reorder([[vk::ext_reference]] HitObjectNV hit);
[[vk::ext_instruction(/* OpTraceRayKHR */ 4445)]]
void trace(RaytracingAccelerationStructure scene, uint flags, uint mask, uint offset, uint stride, uint miss, float3 origin,
    float tmin, float3 direction, float tmax, [[vk::ext_reference]] float4 payload);

RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Out : register(u0);

[[vk::ext_storage_class(/* RayPayloadKHR */ 5338)]]
[[vk::ext_decorate(/* Location */ 30, 3)]]
float4 payload;

[shader("raygeneration")]
void RayGen()
{
    create_hit_object();
    [[vk::ext_storage_class(/* Private */ 6)]] HitObjectNV hit;
    payload = float4(1, 2, 3, 4);
    // CHECK: OpStore [[PAYLOAD]]
    // CHECK: OpHitObjectTraceRayNV {{%[0-9A-Za-z_]+}} {{.*}} [[PAYLOAD]]
    hit_trace(hit, Scene, 0, 0xff, 0, 1, 0, float3(0, 0, 0), 0, float3(0, 0, 1), 100, payload);
    // CHECK: OpReorderThreadWithHitObjectNV
    reorder(hit);
    // CHECK: OpLoad {{%[0-9A-Za-z_]+}} [[PAYLOAD]]
    float4 first = payload;
    if (hit_is_hit(hit))
        // CHECK: OpTraceRayKHR {{.*}} [[PAYLOAD]]
        trace(Scene, 0, 0xff, 0, 1, 0, float3(0, 0, 0), 0, float3(0, 1, 0), 100, payload);
    // CHECK: OpLoad {{%[0-9A-Za-z_]+}} [[PAYLOAD]]
    Out[DispatchRaysIndex().xy] = first + payload;
}
