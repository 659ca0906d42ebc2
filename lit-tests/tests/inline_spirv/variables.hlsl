// Built-in variables by number, variables of a storage class, decorations; in functions, of members, of resources.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s < %t.txt
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// CHECK-DAG: OpCapability SampleMaskPostDepthCoverage
// CHECK-DAG: OpCapability DenormPreserve
// CHECK-DAG: OpExtension "SPV_KHR_post_depth_coverage"
// CHECK-DAG: OpExtension "SPV_GOOGLE_user_type"
// CHECK: OpEntryPoint GLCompute {{%[0-9A-Za-z_]+}} "main" {{%[0-9A-Za-z_]+ %[0-9A-Za-z_]+ %[0-9A-Za-z_]+}}
// CHECK-DAG: OpExecutionMode {{%[0-9A-Za-z_]+}} DenormPreserve 32
// CHECK-DAG: OpExecutionMode {{%[0-9A-Za-z_]+}} SubgroupUniformControlFlowKHR
// CHECK-DAG: OpName [[GROUPS:%[0-9A-Za-z_]+]] "groups"
// CHECK-DAG: OpDecorate [[GROUPS]] BuiltIn NumWorkgroups
// CHECK-DAG: OpDecorate [[LANE:%[0-9A-Za-z_]+]] BuiltIn SubgroupLocalInvocationId
// CHECK-DAG: OpDecorate [[SCRATCH:%[0-9A-Za-z_]+]] Volatile
// CHECK-DAG: OpDecorateString {{%[0-9A-Za-z_]+}} UserTypeGOOGLE "texture2d"
// CHECK-DAG: [[SCRATCH]] = OpVariable {{%[0-9A-Za-z_]+}} Workgroup
// CHECK-DAG: [[GROUPS]] = OpVariable {{%[0-9A-Za-z_]+}} Input
enum class BuiltIn { NumWorkgroups = 24, SubgroupLocalInvocationId = 41 };

[[vk::ext_builtin_input(BuiltIn::NumWorkgroups)]]
static const uint3 groups;

[[vk::ext_decorate(/* Volatile */ 21), vk::ext_capability(1)]]
groupshared uint scratch[4];

[[vk::ext_storage_class(/* Private */ 6)]]
uint own;

[[vk::ext_extension("SPV_GOOGLE_user_type")]]
[[vk::ext_extension("SPV_GOOGLE_decorate_string"), vk::ext_decorate_string(/* UserTypeGOOGLE */ 5636, "texture2d")]]
RWStructuredBuffer<uint> Out : register(u0);

uint square(uint3 v) { return v.x * v.y; }

template <uint width> struct Mode { static void declare() { vk::ext_execution_mode(/* DenormPreserve */ 4459, width); } };

[[vk::ext_capability(/* SampleMaskPostDepthCoverage */ 4447), vk::ext_extension("SPV_KHR_post_depth_coverage")]]
[[vk::spvexecutionmode(/* SubgroupUniformControlFlowKHR */ 4421), vk::ext_extension("SPV_KHR_subgroup_uniform_control_flow")]]
[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    [[vk::ext_capability(/* DenormPreserve */ 4464)]]
    Mode<32>::declare();
    [[vk::ext_capability(/* GroupNonUniform */ 61)]]
    [[vk::ext_builtin_input(BuiltIn::SubgroupLocalInvocationId)]]
    static const uint lane;
    own = id.x;
    scratch[id.x % 4] = own;
    [[vk::ext_decorate(/* NoContraction */ 42)]] uint sum = square(groups) + lane;
    // CHECK: OpLoad {{%[0-9A-Za-z_]+}} [[GROUPS]]
    // CHECK: OpLoad {{%[0-9A-Za-z_]+}} [[LANE]]
    Out[id.x] = sum + scratch[0] + own;
}
// Members of buffers are decorated too.
#ifdef MEMBERS
struct Item { [[vk::ext_decorate(24)]] uint locked; uint plain; };
RWStructuredBuffer<Item> Items : register(u9);
[numthreads(1, 1, 1)] void Members() { Items[0].plain = Items[1].locked; }
#endif
// RUN: %rtc -T cs_6_6 -E Members -DMEMBERS -spirv %s -Fo %t.m.spv
// RUN: %spirv-val %t.m.spv
// RUN: %rtc dis %t.m.spv | FileCheck --check-prefix=MEMBERS %s
// MEMBERS: OpName [[ITEM:%[0-9A-Za-z_]+]] "Item"
// MEMBERS: OpMemberDecorate [[ITEM]] 0 NonWritable
