Texture2D<float4> T : register(t0); SamplerState S : register(s0); RWBuffer<float4> O : register(u0);
float4 read(float2 at) { return T.Sample(S, at); }
[shader("raygeneration")] void Main() { O[0] = read(0.5); }
// RUN: not %rtc -T lib_6_6 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: implicit_level.hlsl:2:33: error: `Sample` cannot be used in the raygeneration shader `Main` [E0602]
// CHECK: note: it takes derivatives between neighbouring threads, which this stage does not have; use `SampleLevel` or `SampleGrad`
