// An instruction is opaque: it is executed as often as the source says, in order, in its branch, also without a use of its result.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s < %t.txt
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -Od %s -Fo %t.od.spv -Fc %t.od.txt
// RUN: %spirv-val %t.od.spv
// RUN: FileCheck %s < %t.od.txt
struct Clock
{
    [[vk::ext_capability(5055), vk::ext_extension("SPV_KHR_shader_clock")]]
    [[vk::ext_instruction(/* OpReadClockKHR */ 5056)]]
    static uint2 read(uint scope = 3);
};
[[vk::ext_instruction(/* OpAtomicIAdd */ 234)]]
uint atomic_add([[vk::ext_reference]] uint memory, uint scope, uint semantics, uint value);
RWStructuredBuffer<uint2> Out : register(u0);
groupshared uint shared_count;
uint count(inout uint calls) { ++calls; return atomic_add(shared_count, 2, 0, calls); }

[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    // CHECK: OpReadClockKHR
    uint2 a = Clock::read();
    // CHECK: OpReadClockKHR
    uint2 b = Clock::read();
    // CHECK: OpReadClockKHR
    Clock::read();
    // CHECK-NOT: OpReadClockKHR
    // CHECK: OpBranchConditional
    if (id.x < 3)
    {
        // CHECK: OpLabel
        // CHECK: OpReadClockKHR
        b = Clock::read();
    }
    // CHECK-NOT: OpReadClockKHR
    uint calls = 0;
    // CHECK: OpAtomicIAdd
    count(calls);
    // CHECK: OpAtomicIAdd
    uint n = count(calls);
    // CHECK-NOT: OpAtomicIAdd
    Out[id.x] = b - a + n + calls;
}
