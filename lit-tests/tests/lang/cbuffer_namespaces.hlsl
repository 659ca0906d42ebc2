// What a namespace inside of a constant buffer declares is in the buffer, and hosts know it by the namespaces that are inside.
// RUN: %rtc -T ps_6_0 -E main -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_0 -E main -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: float a; {{ *}}; Offset: {{ *}}0
// CHECK: float Inner::b; {{ *}}; Offset: {{ *}}4
// CHECK: float Inner::More::deep; {{ *}}; Offset: {{ *}}8
// CHECK: float unnamed; {{ *}}; Offset: {{ *}}12
// CHECK: float c; {{ *}}; Offset: {{ *}}16
// CHECK: float Inner::again; {{ *}}; Offset: {{ *}}20
// CHECK-NOT: $Globals
// CHECK: Outer {{ *}}cbuffer {{.*}} cb3
cbuffer Outer : register(b3)
{
    float a;
    namespace Inner { float b; namespace More { float deep; } static const float two = 2; float twice(float x) { return x * two; } }
    namespace { float unnamed; }
    float c;
    namespace Inner { float again; }
}
float main() : SV_Target { return Inner::twice(a) + Inner::b + c + Inner::More::deep + unnamed + Inner::again; }
