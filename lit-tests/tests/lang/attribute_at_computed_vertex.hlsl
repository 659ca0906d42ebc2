// The vertex of GetAttributeAtVertex may be computed: loops around it are unrolled at every level, and else the vertex chooses among all three.
// RUN: %rtc -T ps_6_1 -E loops -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s --check-prefix=LOOPS
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_1 -E loops -Od -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s --check-prefix=LOOPS
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_1 -E computed -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s --check-prefix=COMPUTED
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_1 -E computed -Od -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s --check-prefix=COMPUTED
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_1 -E loops -Od -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T ps_6_1 -E computed -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv

// LOOPS-LABEL: define void @loops
// LOOPS: attributeAtVertex.f32(i32 137, i32 0, i32 0, i8 0, i8 0)
// LOOPS: attributeAtVertex.f32(i32 137, i32 0, i32 0, i8 0, i8 1)
// LOOPS: attributeAtVertex.f32(i32 137, i32 0, i32 0, i8 0, i8 2)
// LOOPS-NOT: select
// LOOPS: ret void
float4 loops(nointerpolation float a : A, float3 b : SV_Barycentrics) : SV_Target
{
    float c = 0, d = 0;
    [unroll] for (uint v = 0; v < 3; v++) c += GetAttributeAtVertex(a, v) * b[v];
    for (uint w = 0; w < 3; w++) d += GetAttributeAtVertex(a, w) * b[w];
    return float4(c, d, 0, 1);
}

// COMPUTED-LABEL: define void @computed
// COMPUTED: [[TWO:%[0-9]+]] = call float @dx.op.attributeAtVertex.f32(i32 137, i32 0, i32 0, i8 0, i8 2)
// COMPUTED: [[ONE:%[0-9]+]] = call float @dx.op.attributeAtVertex.f32(i32 137, i32 0, i32 0, i8 0, i8 1)
// COMPUTED: [[HIGH:%[0-9]+]] = select i1 {{%[0-9]+}}, float [[ONE]], float [[TWO]]
// COMPUTED: [[NIL:%[0-9]+]] = call float @dx.op.attributeAtVertex.f32(i32 137, i32 0, i32 0, i8 0, i8 0)
// COMPUTED: select i1 {{%[0-9]+}}, float [[NIL]], float [[HIGH]]
float4 computed(nointerpolation float a : A, nointerpolation uint k : K) : SV_Target { return GetAttributeAtVertex(a, k); }
