RasterizerOrderedTexture2D<float4> R : register(u0); [numthreads(8, 8, 1)] void main(uint3 i : SV_DispatchThreadID) { R[i.xy] = 1; }
// RUN: not %rtc -T cs_6_0 -E main -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK: rasterizer_ordered.hlsl:1:36: error: `R` is a `RasterizerOrderedTexture2D<float4>`, but `main` is a compute shader [E0632]
// CHECK: note: rasterizer order exists only in pixel shaders; use `RWTexture2D<float4>`
