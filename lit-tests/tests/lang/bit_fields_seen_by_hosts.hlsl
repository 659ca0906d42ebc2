// Bit-fields that hosts see: those that share a word are one element of a signature, one variable in SPIR-V, and one member with its parts in annotations.
// RUN: %rtc -T vs_6_0 -E vertex -HV 2021 %s -Fo %t.dxil -Fc - | FileCheck %s --check-prefix=VS
// RUN: %rtc validate %t.dxil
// RUN: %rtc -T vs_6_0 -E vertex -HV 2021 -spirv %s -Fo %t.spv -Fc - | FileCheck %s --check-prefix=SPV
// RUN: %spirv-val %t.spv
// RUN: %rtc -T vs_6_0 -E passed -HV 2021 -Od -validator-version 1.6 %s -Fo %t.out.dxil -Fc - | FileCheck %s --check-prefix=OUT
// RUN: %dxil-val %t.out.dxil
// RUN: %rtc -T cs_6_5 -E compute -HV 2021 -validator-version 1.6 %s -Fo %t.cs.dxil
// RUN: %dxil-val %t.cs.dxil
// RUN: %rtc reflect %t.cs.dxil | FileCheck %s --check-prefix=REFLECT
// RUN: %rtc dis %t.cs.dxil | FileCheck %s --check-prefix=DIS

// VS: BLENDINDICES {{ *}}0 {{ *}}x {{ *}}1 {{ *}}NONE {{ *}}uint
// VS: TEXCOORD {{ *}}0 {{ *}}xy {{ *}}2 {{ *}}NONE {{ *}}float
// SPV-COUNT-3: OpDecorate {{.*}} Location
// SPV-NOT: Location
struct Bones { uint a : 8; uint b : 8; uint c : 8; uint d : 8; };
float4 vertex(float3 p : POSITION, Bones k : BLENDINDICES, float2 uv : TEXCOORD) : SV_Position { return float4(p * k.d, uv.x); }

// An output is written once, as a whole. The second word is a signed one.
// OUT: BITS {{ *}}0 {{ *}}x {{ *}}0 {{ *}}NONE {{ *}}uint
// OUT: BITS {{ *}}1 {{ *}}y {{ *}}0 {{ *}}NONE {{ *}}int
// OUT-COUNT-2: call void @dx.op.storeOutput.i32(
// OUT-NOT: call void @dx.op.storeOutput.i32(
struct Words { uint a : 20; uint b : 12; int c : 31; int d : 1; };
Words passed(uint n : N, out float4 p : SV_Position) : BITS { Words w; w.a = n; w.b = n + 1; w.c = -3; w.d = 0; p = 1; return w; }

// REFLECT: "bits": 1,
// REFLECT-NEXT: "firstBit": 0,
// REFLECT-NEXT: "name": "on",
// REFLECT: "bits": 7,
// REFLECT-NEXT: "firstBit": 1,
// REFLECT-NEXT: "name": "mode",
// REFLECT: "bits": 16,
// REFLECT-NEXT: "firstBit": 8,
// REFLECT-NEXT: "name": "level",
// REFLECT: "name": "count",
// DIS: uint ; {{ *}}; Offset: {{ *}}0
// DIS: uint count; {{ *}}; Offset: {{ *}}4
struct S { uint on : 1; uint mode : 7; int level : 16; uint count; };
cbuffer C : register(b0) { S s; };
RWStructuredBuffer<uint> o : register(u0);
[numthreads(1, 1, 1)] void compute() { o[0] = s.mode + s.level + s.count; }
