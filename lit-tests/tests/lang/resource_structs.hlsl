// Global structures of resources: every resource is a binding of its own, named by its path; registers count on from
// those written, class by class; elements and arrays may be chosen at run time.
// RUN: %rtc -T cs_6_5 -E main %s -validator-version 1.6 -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T cs_6_5 -E main -spirv %s -Fo %t.spv
// RUN: %dxil-val %t.dxil
// RUN: %spirv-val %t.spv

// CHECK: g.s {{ *}}sampler {{.*}} s1 {{ *}}1
// CHECK: g.t {{ *}}texture {{.*}} t3 {{ *}}1
// CHECK: g.inner.0.a {{ *}}texture {{.*}} t4 {{ *}}2
// CHECK: g.inner.1.a {{ *}}texture {{.*}} t6 {{ *}}2
// CHECK: g.inner.0.u {{ *}}UAV {{.*}} u1 {{ *}}1

struct Base {
    Texture2D<float4> t;
};
struct In {
    Texture2D<float4> a[2];
    RWStructuredBuffer<float> u;
};
struct S : Base {
    SamplerState s;
    In inner[2];
};
S g : register(t3) : register(s1);
RWTexture2D<float4> O : register(u0);

float4 get(S s, uint i)
{
    return s.t.SampleLevel(s.s, 0.5, 0) + s.inner[i & 1].a[i].Load(0);
}

[numthreads(1, 1, 1)]
void main(uint i : SV_GroupIndex)
{
    O[uint2(0, 0)] = get(g, i) + g.t.Load(0);
    g.inner[0].u[0] = 1;
}
