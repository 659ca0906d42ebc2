[shader("raygeneration")] void Main() { float3 a = 1; float4 b = a; float2 c = a; float x = float3x3(1,2,3); }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: vector_sizes.hlsl:1:66: error: there is no implicit conversion from `float3` to `float4` [E0312]
// CHECK: note: a constructor such as `float4(…)` adds the missing components
// CHECK: vector_sizes.hlsl:1:80: warning: the conversion from `float3` to `float2` drops components [-Wconversion] [W0301]
// CHECK: vector_sizes.hlsl:1:93: error: too few values for `float3x3`: expected 9, found 3 [E0322]
