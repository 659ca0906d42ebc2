// Resources of the program as arguments for `inout` parameters: nothing is copied back.
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

RWByteAddressBuffer Raw : register(u4);
void grow(uint at, inout RWByteAddressBuffer b) { b.Store(at * 4, b.Load(at * 4) + 3); }
void twice(uint at, inout RWByteAddressBuffer b, in out uint n) { grow(at, b); grow(at, b); n = b.Load(at * 4); }

[shader("raygeneration")]
void Main()
{
    uint t = Thread();
    Raw.Store(t * 4, inU(1));
    grow(t, Raw); putU(Raw.Load(t * 4));
    uint n = 0;
    twice(t, Raw, n); putU(n);
    RWByteAddressBuffer local = Raw;
    grow(t, local); putU(local.Load(t * 4));
}
