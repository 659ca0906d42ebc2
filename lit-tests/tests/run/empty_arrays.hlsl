// Arrays of no elements: members, variables, parameters and results, of templates too; the elements that dead code names.
// reference: no, it takes them in DXIL alone
// reference SPIR-V: no, its compilation does not end
// options: -T cs_6_6 -E Main -D COMPUTE -HV 2021
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

struct Outer { int before; float none[0]; int2 deep[2][0]; int after; };
template<int N> struct Many
{
    int items[N];
    int count;
    int sum() { int s = 0; for (int i = 0; i < N; ++i) s += items[i]; return s + count; }
    void fill(int v) { for (int i = 0; i < N; ++i) items[i] = v; }
};
typedef int None[0];
static None statics;
groupshared float shared_none[0];
RWStructuredBuffer<Outer> buffer : register(u5);
Outer pass(Outer o, int unused[0], inout None changed) { o.after += o.before; return o; }

[numthreads(THREADS, 1, 1)]
void Main(uint thread : SV_GroupIndex)
{
    ThreadNumber = thread;
    const int zero = inI(0) - inI(0);
    Outer o = (Outer)0;
    o.before = zero + 1; o.after = zero + 2;
    None a; None b = a; a = b;
    Outer p = pass(o, a, b);
    expect(p.before, 1); expect(p.after, 3);
    Outer q = { 4, 5 };
    expect(q.before * 10 + q.after, 45);
    Many<0> n; n.count = zero + 6; n.fill(9);
    Many<2> m; m.count = zero + 7; m.fill(zero + 1);
    expect(n.sum(), 6); expect(m.sum(), 9);
    expect(sizeof(Outer), 8); expect(sizeof(float[0]), 0); expect(sizeof(Many<0>), 4);
    float list[0] = {};
    if (zero > 0) { list[zero] = 3; buffer[0] = p; expect(int(list[zero]), 0); }
    statics = a;
    expect(zero, 0);
}
