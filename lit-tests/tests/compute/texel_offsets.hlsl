// A texel offset is the low four bits of each component, signed, constant or, from 6.7 on, computed; that of a gather the low six.
// RUN: %rtc-run-cpu %S/Inputs/texel_offsets.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %S/Inputs/texel_offsets.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %S/Inputs/texel_offsets.toml -o %T -- -D FETCHES
// RUN: FileCheck %s --input-file=%T/out.json --check-prefix=FETCHES
// RUN: %rtc -T cs_6_7 -D FETCHES -spirv %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// Texel i holds i.
Texture2D<float> T : register(t0);
SamplerState S : register(s0);
RWStructuredBuffer<int> B : register(u0);
RWStructuredBuffer<uint> Out : register(u1);
static uint Passed = 0, Failed = 0;
void IS(float found, int must) { if ((int)found == must) ++Passed; else { Out[2 + Failed % 13] = Passed + Failed + 1; ++Failed; } }

[numthreads(1, 1, 1)] void main()
{
    int2 o = int2(B[0], 0);
    IS(T.Load(int3(16, 0, 0), o), 23);
    IS(T.Load(int3(16, 0, 0), int2(9, 0)), 9);
    IS(T.Load(int3(16, 0, 0), int2(B[1], 16)), 8);
    IS(T.Load(int3(16, 0, 0), int2(B[2], B[3])), 23);
#ifndef FETCHES
    float2 at = float2(16.5 / 32, 0.5);
    IS(T.SampleLevel(S, at, 0, int2(B[1], 0)), 8);
    IS(T.SampleGrad(S, at, 0, 0, int2(8, 0)), 8);
    // Gathers: the lower row's left texel is the last one.
    float2 corner = float2(16.0 / 32, 0.5);
    IS(T.Gather(S, corner, int2(B[1], 0)).w, 23);
    IS(T.Gather(S, corner, int2(9, 0)).w, 24);
    IS(T.Gather(S, corner, int2(B[4], 0)).w, 14);
#endif
    Out[0] = Passed;
    Out[1] = Failed;
}
// CHECK: [
// CHECK-NEXT: 9,
// CHECK-NEXT: 0,
// FETCHES: [
// FETCHES-NEXT: 4,
// FETCHES-NEXT: 0,
