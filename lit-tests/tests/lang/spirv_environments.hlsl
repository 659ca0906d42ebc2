// Versions of Vulkan before 1.2: interfaces have inputs and outputs only, and extensions say what became core later.
// RUN: %rtc -T cs_6_0 -spirv -fspv-target-env=vulkan1.0 %s -Fo %t.spv -Fc - | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_0 -spirv -fspv-target-env=vulkan1.1 -DWAVES %s -Fo %t.11.spv -Fc - | FileCheck %s --check-prefixes=CHECK,NEWER
// RUN: %spirv-val %t.11.spv
// RUN: %rtc -T cs_6_0 -spirv -fspv-target-env=vulkan1.1spirv1.4 -DWAVES %s -Fo %t.14.spv -Fc - | FileCheck %s --check-prefix=LISTED
// RUN: %spirv-val %t.14.spv
// RUN: %rtc -T cs_6_3 -spirv -fspv-target-env=vulkan1.1 -DQUERY %s -Fo %t.q.spv -Fc - | FileCheck %s --check-prefix=LISTED
// RUN: %spirv-val %t.q.spv
// RUN: %rtc -T cs_6_3 -spirv -rootsig-define NONE %s -Fo %t.root.spv
// RUN: %spirv-val %t.root.spv
// Buffers are uniform blocks there.
// OLD-NOT: OpExtension
// NEWER-NOT: OpExtension
// CHECK: OpEntryPoint GLCompute {{%[^ ]+}} "main" {{%[^ ]+$}}
// OLD: BufferBlock
// LISTED: OpEntryPoint GLCompute {{%[^ ]+}} "main" {{%[^ ]+ %[^ ]+}}
RWByteAddressBuffer O;
RaytracingAccelerationStructure Scene;
groupshared uint Memory[64];
[numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex)
{
    Memory[i] = O.Load(4 * i);
    GroupMemoryBarrierWithGroupSync();
    uint sum = Memory[63 - i];
#ifdef WAVES
    sum = WaveActiveSum(sum);
#endif
#ifdef QUERY
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    RayQuery<RAY_FLAG_SKIP_CLOSEST_HIT_SHADER> q;
    q.TraceRayInline(Scene, 0, 255, r);
    while (q.Proceed()) {}
    sum += q.CommittedStatus();
#endif
    O.Store(4 * i, sum);
}
