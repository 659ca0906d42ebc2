// Pointers to group-shared memory as values of an opaque type, by the header `vk/spirv.h`; a ray query and its scene as types of inline SPIR-V.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s < %t.txt
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -T cs_6_6 -E main -spirv -M %s | FileCheck %s --check-prefix=FILES
// FILES-NOT: spirv.h
// CHECK-DAG: OpCapability RayQueryKHR
// CHECK-DAG: OpDecorate [[SCENE:%[0-9A-Za-z_]+]] Binding 3
// CHECK-DAG: [[UINT:%[0-9A-Za-z_]+]] = OpTypeInt 32 0
// CHECK-DAG: [[POINTER:%[0-9A-Za-z_]+]] = OpTypePointer Workgroup [[UINT]]
// CHECK-DAG: [[SCENE]] = OpVariable {{%[0-9A-Za-z_]+}} UniformConstant
// CHECK-DAG: [[QUERY:%[0-9A-Za-z_]+]] = OpTypeRayQueryKHR
#include <vk/spirv.h>
#include "vk/spirv.h"
template <typename T> using Pointer = vk::WorkgroupSpirvPointer<T>;
[[vk::ext_instruction(/* OpLoad */ 61)]] uint load(Pointer<uint> p);
[[vk::ext_instruction(/* OpStore */ 62)]] void store(Pointer<uint> p, uint x);

[[vk::ext_capability(/* RayQueryKHR */ 4472), vk::ext_extension("SPV_KHR_ray_query")]]
[[vk::ext_type_def(2, /* OpTypeRayQueryKHR */ 4472)]]
void create_query();
[[vk::ext_type_def(3, /* OpTypeAccelerationStructureKHR */ 5341)]]
void create_scene();
[[vk::ext_instruction(/* OpRayQueryInitializeKHR */ 4473)]]
void initialise([[vk::ext_reference]] vk::ext_type<2> query, vk::ext_type<3> scene, uint flags, uint mask, float3 origin, float tmin,
    float3 direction, float tmax);
[[vk::ext_instruction(/* OpRayQueryTerminateKHR */ 4474)]] void terminate([[vk::ext_reference]] vk::ext_type<2> query);

vk::ext_type<3> scene : register(t3);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint shared_data[64];

uint twice(Pointer<uint> p) { return load(p) * 2; }

[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex)
{
    create_query();
    create_scene();
    // CHECK: [[AT:%[0-9A-Za-z_]+]] = OpCopyObject [[POINTER]]
    Pointer<uint> p = vk::GetGroupSharedAddress(shared_data[id]);
    // CHECK: OpStore [[AT]]
    store(p, id);
    // CHECK: OpLoad [[UINT]] [[AT]]
    Out[id] = twice(p) + vk::ScopeDevice;
    [[vk::ext_storage_class(/* Private */ 6)]] vk::ext_type<2> query;
    // CHECK: OpRayQueryInitializeKHR
    initialise(query, scene, 0, 0xff, float3(0, 0, 0), 0, float3(1, 1, 1), 1);
    // CHECK: OpRayQueryTerminateKHR
    terminate(query);
}
