// Control flow in the form that drivers know: a loop's test in its header, no empty block for an `else` or a default that is not there, no phi of one value.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv -Fc - | FileCheck %s
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -Od -Zi %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
RWStructuredBuffer<uint> o : register(u0);
[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID)
{
    // `for` and what its body begins with.
    // CHECK: [[LESS:%[0-9]+]] = OpULessThan {{.*}}
    // CHECK-NEXT: OpLoopMerge [[END:%[0-9]+]] [[NEXT:%[0-9]+]] None
    // CHECK-NEXT: OpBranchConditional [[LESS]] [[BODY:%[0-9]+]] [[END]]
    // CHECK-NEXT: [[BODY]] = OpLabel
    uint r = 0;
    for (uint i = 0; i < (id.x & 7); ++i)
    {
        // CHECK: OpSelectionMerge [[AFTER:%[0-9]+]] None
        // CHECK-NEXT: OpBranchConditional {{%[0-9]+}} [[THEN:%[0-9]+]] [[AFTER]]
        // CHECK-NEXT: [[THEN]] = OpLabel
        // CHECK: OpBranch [[END]]
        // CHECK-NEXT: [[AFTER]] = OpLabel
        if (((id.x >> i) & 3) == 3) { r += WaveActiveCountBits(true) * 100; break; }
        r += WaveActiveCountBits(true);
    }
    // CHECK-NOT: OpPhi {{ *}}%uint {{ *}}{{%[a-z_0-9]+ %[0-9]+$}}
    // A loop that goes on where its test is false.
    // CHECK: OpLoopMerge [[END2:%[0-9]+]] {{%[0-9]+}} None
    // CHECK-NEXT: OpBranchConditional {{%[0-9]+}} [[END2]] {{%[0-9]+}}
    while (true)
    {
        if (r % 7 == 3) break;
        o[r & 63] += WaveReadLaneFirst(r);
        ++r;
    }
    // CHECK: OpSelectionMerge [[DONE:%[0-9]+]] None
    // CHECK-NEXT: OpSwitch {{%[0-9]+}} [[DONE]] 1 {{%[0-9]+}} 2
    switch (r) { case 1: o[70] = 1; break; case 2: o[71] = WaveActiveSum(r); break; }
    o[id.x] = r;
}
