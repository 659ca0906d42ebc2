[[vk::image_format("rgba32f")]] RWTexture1D<int4> A : register(u0);
[[vk::image_format("rgba32f")]] RWTexture1D<uint4> B : register(u1);
[[vk::image_format("r64ui")]] RWTexture1D<uint> C : register(u2);
[[vk::image_format("r8ui")]] RWTexture1D<uint> D : register(u3);
[[vk::image_format("rgba16")]] RWTexture1D<unorm float4> E[2] : register(u4);
float4 main() : SV_Target { return A[0] + B[0] + C[0] + D[0] + E[1][0]; }
// DXIL has no formats.
// RUN: %rtc -T ps_6_0 %s -Fo %t.dxil
// RUN: not %rtc -T ps_6_0 -spirv -fdiagnostics-format=short %s 2>&1 | FileCheck %s
// CHECK: image_format_type.hlsl:1:3: error: texels of format `rgba32f` are no `int4` [E0630]
// CHECK: image_format_type.hlsl:2:3: error: texels of format `rgba32f` are no `uint4` [E0630]
// CHECK: image_format_type.hlsl:3:3: error: texels of format `r64ui` are no `uint` [E0630]
// CHECK-NOT: error
