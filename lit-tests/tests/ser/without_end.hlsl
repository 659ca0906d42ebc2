// The loop does not end, so the reorder point after it goes away with the code there. No access was moved across it.
// rtc -T lib_6_9
// RUN: %rtc -T lib_6_9 %s | FileCheck %s
// RUN: %rtc -T lib_6_9 %s -spirv -fspv-ser=lower -Fo %t.spv

RWStructuredBuffer<uint> Output : register(u0);

[shader("raygeneration")]
void Camera()
{
    uint at = DispatchRaysIndex().x;
    for (uint i = 0; i < 3; +i)
    {
        // CHECK: call void @dx.op.rawBufferStore.i32(
        Output[at + i] = at;
    }
    // CHECK-NOT: maybeReorderThread
    dx::MaybeReorderThread(at, 4);
    Output[at + 3] = 1;
}
