// What is precise, and an index that differs between threads, stay so through calls of functions of another library: variables become values, vectors become
// components, and debug information goes or stays.
// RUN: %rtc -T lib_6_6 -DA -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_6 -DB -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_6 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc link -T lib_6_6 -exports main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefix=LIB
// RUN: %rtc -T lib_6_6 -DA -Zi -Qembed_debug -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_6 -DB -Zi -Qembed_debug -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_6 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefix=ZI
// RUN: %rtc -T lib_6_9 -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_9 -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_8 -E main %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
struct S { float4 v; float list[3]; uint n; };
void change(inout S s, inout float4 w);
RWByteAddressBuffer Out : register(u0);
RWByteAddressBuffer Many[4] : register(u1);
// CHECK: tertiary.f32(i32 46, {{.*}} !dx.precise
// CHECK: createHandleFromBinding({{.*}}, i1 true)
// ZI: tertiary.f32(i32 46, {{.*}} !dbg {{.*}} !dx.precise
// LIB: tertiary.f32(i32 46, {{.*}} !dx.precise
// LIB: !dx.nonuniform
#ifdef A
[shader("compute")] [numthreads(8, 1, 1)] void main(uint g : SV_GroupIndex)
{
    S s;
    s.v = asfloat(Out.Load4(g * 16));
    s.n = g & 3;
    s.list[0] = s.list[1] = s.list[2] = s.v.w;
    float4 w = s.v.wzyx;
    change(s, w);
    Out.Store4(g * 16, asuint(s.v + w));
    Out.Store(512, asuint(s.list[g % 3]));
    Many[NonUniformResourceIndex(s.n)].Store(0, 1);
}
#else
export void change(inout S s, inout float4 w)
{
    precise float4 p = mad(s.v, 3, w);
    w = p;
    s.v += p;
    s.list[s.n % 3] = p.x;
    s.n ^= 1;
}
#endif
