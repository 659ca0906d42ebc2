// Registers for a profile, several registers of one resource, places in cbuffers of resources among their members, matrices of one element, `pack_matrix` by a macro.
// The registers are the reference compiler's where it and the language's documentation do not contradict each other: it looks at no profile.
// RUN: %rtc -T ps_6_0 -E main %s -validator-version 1.6 -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T vs_6_0 -E vertex %s | FileCheck %s --check-prefix=VS
// RUN: %rtc -T ps_6_0 -E main -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: ; Buffer Definitions:
// CHECK: row_major float2x3 rows; ; Offset: 0
// CHECK: ; Resource Bindings:
// CHECK: ; places cbuffer {{.*}} cb3 1
// CHECK-DAG: ; sam sampler {{.*}} s2 1
// CHECK-DAG: ; other {{.*}} t1 1
// CHECK-DAG: ; both {{.*}} t2 1
// CHECK-DAG: ; versions {{.*}} t4 1
// CHECK-DAG: ; twice {{.*}} t5 1
// CHECK-DAG: ; apart {{.*}} t6,space2 1
// CHECK-DAG: ; anew {{.*}} t7 1
// CHECK-DAG: ; inside {{.*}} t0 1
// VS: ; both {{.*}} t3 1
Texture2D other : register(cs, t1);
Texture2D both : register(vs, t3) : register(ps, t2);
Texture2D versions : register(ps_4_1, t9) : register(ps_4_0, t4);
Texture2D twice : register(ps, t5) : register(ps, t5);
Texture2D apart : register(t6) : register(space2);
Texture2D anew : register(space2) : register(t7);
#define ROWS row_major
#pragma pack_matrix(ROWS)
cbuffer places : register(b3)
{
    float2x3 rows : packoffset(c0);
    Texture2D inside : packoffset(c1);
    sampler sam : packoffset(c1) : register(s2);
    float4 n : packoffset(c2);
}
float4 main() : SV_Target
{
    int3 at = 0;
    float4 sum = other.Load(at) + both.Load(at) + versions.Load(at) + twice.Load(at) + apart.Load(at) + anew.Load(at);
    return sum + inside.Sample(sam, 0) + n + rows[1].z + determinant(n.x) + transpose(n.y);
}
float4 vertex() : SV_Position { return both.Load(0); }
