// A structure with a matrix, bit-fields and a vector that libraries pass to each other, for a validator that knows neither annotations of bit-fields
// nor those of vectors. Reflection, which no validator reads, has them all the same.
// RUN: %rtc -T lib_6_3 -HV 2021 -DA -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %dxil-val %t.a.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -DB -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %dxil-val %t.b.dxil
// RUN: %rtc link -T lib_6_3 -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefix=OLD
// RUN: %rtc reflect %t.dxil | FileCheck %s
// RUN: %rtc -T lib_6_3 -HV 2021 -DA -Qkeep_reflect_in_dxil -validator-version 1.6 %s -Fo %t.kept.dxil
// RUN: %dxil-val %t.kept.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -DA -Qkeep_reflect_in_dxil %s -Fo %t.a.dxil
// RUN: %rtc dis %t.a.dxil | FileCheck %s --check-prefix=NEW
// RUN: %rtc -T lib_6_3 -HV 2021 -DB -Qkeep_reflect_in_dxil %s -Fo %t.b.dxil
// RUN: %rtc link -T lib_6_3 -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefix=OLD
// RUN: %rtc reflect %t.dxil | FileCheck %s
// OLD: !{i32 6, !"m", i32 2,
// OLD-NOT: , i32 11, !
// OLD-NOT: , i32 13, i32 3}
// NEW: !{i32 6, !"", i32 3, i32 {{[0-9]+}}, i32 7, i32 5, i32 11, !
// NEW: !{i32 6, !"v", i32 3, i32 {{[0-9]+}}, i32 7, i32 9, i32 13, i32 3}
// CHECK: "name": "low"
// CHECK: "name": "high"
struct S {
    float2x3 m;
    uint low : 4;
    uint high : 28;
    float3 v;
};
#ifdef A
StructuredBuffer<S> Items : register(t0);
RWStructuredBuffer<float3> Out : register(u0);
void change(inout S s);
[shader("raygeneration")] void Main()
{
    S s = Items[1];
    change(s);
    Out[0] = mul(float2(s.low, s.high), s.m) + s.v;
}
#else
export void change(inout S s)
{
    s.low += 1;
    s.v = s.m[1];
}
#endif
