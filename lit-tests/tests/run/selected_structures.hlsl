// `select` between variables of a structure: of buffers that are read only, constants, elements of arrays.
// reference: no, the pinned one takes variables that may be written alone
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"
struct S { float a; uint b[2]; };
StructuredBuffer<S> Read : register(t10);
RWStructuredBuffer<S> Written : register(u11);
static const S Fixed = { 1, 2, 3 };
[shader("raygeneration")] void Main()
{
    uint t = Thread();
    bool odd = t & 1;
    S x = select(odd, Read[t], Read[t + 1]);
    expect(asint(x.a), asint(Read[t + 1 - (t & 1)].a));
    Written[t] = select(!odd, Fixed, x);
    expect(Written[t].b[1], odd ? x.b[1] : 3);
    const S all[2] = { 4, 5, 6, 7, 8, 9 };
    S y = select(t > 3, all[odd], all[1 - odd]);
    expect(y.b[0], (t > 3) == odd ? 8 : 5);
}
