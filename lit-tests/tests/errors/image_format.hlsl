[[vk::image_format("rgba17f")]] RWTexture2D<float4> T : register(u0); [shader("raygeneration")] void Main() { T[uint2(0, 0)] = 1; }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK: image_format.hlsl:1:3: error: unknown image format `rgba17f` [E0630]
// CHECK: note: similar formats: rgba32f, rgba16f
