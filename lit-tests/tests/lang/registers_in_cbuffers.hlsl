// Resources that are declared in a cbuffer get registers after all others: first those of structures, then the others from the last one on.
// RUN: %rtc -T ps_6_0 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T ps_6_0 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: Resource Bindings:
// CHECK: last {{.*}} t0 1
// CHECK-NEXT: g.z {{.*}} t1 1
// CHECK-NEXT: h.z {{.*}} t2 1
// CHECK-NEXT: s.z {{.*}} t3 1
// CHECK-NEXT: s.y {{.*}} t5 1
// CHECK-NEXT: t.z {{.*}} t6 1
// CHECK-NEXT: c {{.*}} t7 1
// CHECK-NEXT: a {{.*}} t4 1
// CHECK-NEXT: b {{.*}} t8 1
// CHECK-NEXT: u.z {{.*}} t9 1
// CHECK-NEXT: e {{.*}} t10 1
struct One { Texture2D z; };
struct Two { Texture2D z; float k; Texture2D y; };
One g;
cbuffer C { Texture2D b; Texture2D a : register(t4); Two s; Texture2D c; float k; Two t; }
One h;
cbuffer D { Texture2D e; One u; }
Texture2D last;
float4 main() : SV_Target
{
    uint3 p = 0;
    float4 all = t.z.Load(p) + b.Load(p) + s.z.Load(p) + s.y.Load(p) + a.Load(p) + c.Load(p) + e.Load(p);
    return all + u.z.Load(p) + g.z.Load(p) + h.z.Load(p) + last.Load(p) + k + s.k;
}
