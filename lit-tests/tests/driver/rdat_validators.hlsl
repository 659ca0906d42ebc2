// Shader models in runtime data differ between validators, and each requires its own: 1.6 alone takes handles of
// bindings for 6.6, every one takes atomics of 64 bits for it.
// RUN: %rtc -T lib_6_6 -validator-version 1.6 %s -Fo %t.6.dxil
// RUN: %dxil-val %t.6.dxil
// RUN: %rtc reflect %t.6.dxil | FileCheck %s --check-prefixes=BOTH,V16
// RUN: %rtc -T lib_6_6 -validator-version 1.7 %s -Fo %t.7.dxil
// RUN: %rtc reflect %t.7.dxil | FileCheck %s --check-prefixes=BOTH,LATER
// RUN: %rtc -T lib_6_6 -validator-version 1.8 %s -Fo %t.8.dxil
// RUN: %rtc reflect %t.8.dxil | FileCheck %s --check-prefixes=BOTH,LATER
// RUN: %rtc -T lib_6_10 %s -Fo %t.10.dxil
// RUN: %dxv %t.7.dxil
// RUN: %dxv %t.8.dxil
// RUN: %dxv %t.10.dxil
RWByteAddressBuffer A : register(u0);
RWBuffer<uint> B : register(u1);
RWBuffer<uint64_t> C : register(u2);
groupshared uint S[20];
groupshared float3 T;
groupshared int Unused;

// V16: "minimumShaderModel": "6.6"
// V16: "name": "One"
// LATER: "minimumShaderModel": "6.0"
// LATER: "name": "One"
[shader("compute")][numthreads(8, 2, 1)] void One(uint i : SV_GroupIndex)
{
    S[i] = i; T = i;
    GroupMemoryBarrierWithGroupSync();
    B[i] = S[i ^ 1] + T.y;
}

// BOTH: "minimumShaderModel": "6.6"
// BOTH: "name": "Two"
[shader("compute")][numthreads(8, 2, 1)] void Two(uint i : SV_GroupIndex)
{
    uint64_t o;
    A.InterlockedAdd64(0, i, o);
    B[i] = (uint)o;
}

// V16: "minimumShaderModel": "6.6"
// V16: "name": "Main"
// LATER: "minimumShaderModel": "6.{{[03]}}"
// LATER: "name": "Main"
[shader("raygeneration")] void Main() { B[0] = DispatchRaysIndex().x; }

// BOTH: "minimumShaderModel": "6.6"
// BOTH: "name": "Three"
[shader("compute")][numthreads(8, 2, 1)] void Three(uint i : SV_GroupIndex)
{
    uint64_t o;
    InterlockedAdd(C[i], 4, o);
}

// BOTH: "minimumShaderModel": "6.0"
// BOTH: "name": "Four"
[shader("compute")][numthreads(4, 1, 3)] void Four(uint i : SV_GroupIndex) { S[i] = i; }
