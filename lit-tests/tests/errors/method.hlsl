Texture2D<float4> T : register(t0); [shader("raygeneration")] void Main() { float4 x = T.SampleLevl(1); }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: method.hlsl:1:90: error: no member named `SampleLevl` in `Texture2D<float4>` [E0302]
// CHECK: note: fix: replace `SampleLevl` with `SampleLevel`
