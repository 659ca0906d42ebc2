// RUN: %rtc -T lib_6_9 -no-warnings %s -report reorder | FileCheck %s

// What the source does not carry is no live state: nops that only operations without a hit object have, and components of what is live. A wave value is not moved.

RWStructuredBuffer<uint> Values : register(u0);
RWTexture2D<uint> Out : register(u1);

// CHECK: Nops (raygen)
// CHECK-NOT: HitObject
// CHECK-NOT: recompute
// CHECK: Parts (raygen)
[shader("raygeneration")]
void Nops()
{
    uint i = DispatchRaysIndex().x;
    dx::MaybeReorderThread(i & 7, 3); Values[i] = 1;
    dx::MaybeReorderThread(i & 3, 2); Values[i + 1] = 1;
    dx::MaybeReorderThread(i & 1, 1); Values[i + 2] = 1;
}

[shader("raygeneration")]
void Parts()
{
    uint2 pixel = DispatchRaysIndex().xy;
    uint lane = WaveGetLaneIndex();
    uint key = Values[pixel.x];
    // CHECK: live: 12 -> 4 bytes
    // CHECK-NEXT: 4 uint lane
    // CHECK: no longer live:
    // CHECK-NEXT: 8 uint2 pixel
    // CHECK-NOT: temporary
    // CHECK-NOT: loading
    dx::MaybeReorderThread(key, 2);
    Out[pixel] = Values[pixel.x] + lane;
}
