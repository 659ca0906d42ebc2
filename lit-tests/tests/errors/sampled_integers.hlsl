Texture2D<uint> T; SamplerState S; float4 main(float2 p : P) : SV_Target { return T.Sample(S, p); }
// RUN: not %rtc -T ps_6_6 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: %rtc -T ps_6_7 %s -Fo %t.67.dxil
// CHECK: sampled_integers.hlsl:1:{{[0-9]+}}: error: a texture of integers can be sampled from shader model 6.7 on
