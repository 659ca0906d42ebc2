// `[branch]` keeps an `if` a branch that would become selects, with its hint.
// RUN: %rtc -T ps_6_0 -E main -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_0 -E main -spirv %s -Fo %t.spv -Fc - | FileCheck %s --check-prefix=SPV
// RUN: %spirv-val %t.spv
// CHECK-LABEL: define void @main
// CHECK: br i1 {{%[0-9]+}}, label {{.*}}, !dx.controlflow.hints ![[HINT:[0-9]+]]
// CHECK-COUNT-2: select
// CHECK-NOT: br i1
// CHECK: ![[HINT]] = distinct !{![[HINT]], !"dx.controlflow.hints", i32 1}
// SPV: OpSelectionMerge %{{[0-9A-Za-z_]+}} DontFlatten
float k, l;
float4 main(float2 uv : UV) : SV_Target
{
    float4 r = uv.xyxy;
    [branch] if (k > 2) r = r * 4 + 1;
    if (l > 2) r.xy = r.xy * 4 + 1;
    return r;
}
