// Listings of SPIR-V name what they refer to: `OpName`, built-in variables, types and constants; a module of another compiler has the same names.
// RUN: %rtc -T cs_6_2 -E main -spirv -fspv-target-env=vulkan1.2 -enable-16bit-types %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s < %t.txt
// RUN: %rtc dis %t.spv | FileCheck %s
// CHECK: OpEntryPoint GLCompute %main "main" {{.*}}%gl_GlobalInvocationID
// CHECK: OpName %type_RWStructuredBuffer_v2float "type.RWStructuredBuffer.v2float"
// CHECK-DAG: OpDecorate %gl_GlobalInvocationID BuiltIn GlobalInvocationId
// CHECK-DAG: %uint_3 = OpConstant %uint 3
// CHECK-DAG: %float_n0_100000001 = OpConstant %float -0.100000001
// CHECK-DAG: %float_9_99999968e_37 = OpConstant %float 9.99999968e+37
// CHECK-DAG: %half_0x1_8p_1 = OpConstant %half 0x1.8p+1
// CHECK-DAG: %_ptr_StorageBuffer_v2float = OpTypePointer StorageBuffer %v2float
// CHECK: %main = OpFunction %void None
// CHECK: OpStore %{{[0-9]+}} %{{[0-9]+}}
RWStructuredBuffer<float2> numbers;
RWStructuredBuffer<half> halves;
[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID)
{
    numbers[id.x + 3] = id.y > 3 ? -0.1 : 1e38;
    halves[id.x] = (half)id.z + (half)3;
}
