// A texture of integers or truth values has no comparisons, in any shader model: an error, where a module used to break a rule.
// RUN: not %rtc -T ps_6_0 -E main -DTYPE=bool %s 2>&1 | FileCheck %s
// RUN: not %rtc -T ps_6_7 -E main -DTYPE=uint %s 2>&1 | FileCheck %s
// RUN: %rtc -T ps_6_7 -E main -DTYPE=float -validator-version 1.7 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// CHECK: compared_integers.hlsl:[[@LINE+3]]:{{.*}}: error: a texture of integers or truth values cannot be compared
SamplerComparisonState s;
Texture2D<TYPE> t;
float main(float2 p : P) : SV_Target { return t.SampleCmp(s, p, 0.5) + t.SampleCmpLevelZero(s, p, 0.5); }
