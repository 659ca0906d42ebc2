// The loop does not end, so the reorder point after it goes away with the code there. No access was moved across it; DXIL has no such loop.
// rtc -T lib_6_9
// RUN: not %rtc -T lib_6_9 %s 2>&1 | FileCheck %s
// RUN: %rtc -T lib_6_9 %s -spirv -fspv-ser=lower -Fo %t.spv
// RUN: %spirv-val %t.spv

// CHECK-NOT: internal error
// CHECK: without_end.hlsl:[[#@LINE+9]]:5: error: this loop never ends
// CHECK-NOT: internal error

RWStructuredBuffer<uint> Output : register(u0);

[shader("raygeneration")]
void Camera()
{
    uint at = DispatchRaysIndex().x;
    for (uint i = 0; i < 3; +i)
    {
        Output[at + i] = at;
    }
    dx::MaybeReorderThread(at, 4);
    Output[at + 3] = 1;
}
