// Descriptor tables of local root signatures: two records of one hit group, and a miss shader, each with resources of its own.
// RUN: %rtc-run %S/Inputs/local_tables.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T lib_6_6 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_6 -spirv %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --check-prefix=SPV < %t.txt
// RUN: %rtc -T lib_6_6 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: not %rtc -T lib_6_6 -spirv -DCOUNTER -fdiagnostics-format=short %s -Fo %t.counter.rtp 2>&1 | FileCheck %s --check-prefix=COUNTER
// RUN: %rtc-run-cpu %S/Inputs/local_tables.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// SPV: OpDecorate {{.*}} NonUniform

GlobalRootSignature Global = { "SRV(t0), DescriptorTable(UAV(u0))" };
// Constants before the table, so that it is not at the record's begin; descriptors after each other, and with a gap.
LocalRootSignature Hit = { "RootConstants(num32BitConstants = 1, b0, space = 1), DescriptorTable(SRV(t0, space = 1), SRV(t1, space = 1, numDescriptors = 2), UAV(u3, space = 1, numDescriptors = 2, offset = 4), CBV(b1, space = 1)), DescriptorTable(Sampler(s0, space = 1, numDescriptors = 2))" };
LocalRootSignature Away = { "DescriptorTable(UAV(u3, space = 1))" };
SubobjectToExportsAssociation OfHit = { "Hit", "Group" };
SubobjectToExportsAssociation OfMiss = { "Away", "Miss" };
TriangleHitGroup Group = { "", "Closest" };
RaytracingShaderConfig Shader = { 4, 8 };
RaytracingPipelineConfig Pipeline = { 1 };

struct Payload { uint value; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

struct Own { uint base; };
ConstantBuffer<Own> Constants : register(b0, space1);
struct Shared { uint4 pad; uint scale; };
ConstantBuffer<Shared> Scale : register(b1, space1);
ByteAddressBuffer Words : register(t0, space1);
Texture2D<float4> Pictures[2] : register(t1, space1);
RWByteAddressBuffer Sink : register(u3, space1);
RWStructuredBuffer<uint2> Pairs : register(u4, space1);
SamplerState Samplers[2] : register(s0, space1);

// In the miss shader `Sink` is the table's first descriptor, in the hit group its fifth.
[shader("miss")] void Miss(inout Payload p)
{
    Sink.Store(0, 77);
    uint bytes; Sink.GetDimensions(bytes);
    p.value = bytes;
}

[shader("closesthit")] void Closest(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    uint n = DispatchRaysIndex().x;
    Sink.InterlockedAdd(4, 1);
    Pairs[1] = uint2(Constants.base, Scale.scale);
    // The samplers differ in what is right of the picture: wrapped around, or its last column.
    float4 texel = Pictures[n & 1].SampleLevel(Samplers[(n >> 1) & 1], float2(1.07, 0.32), 0);
    p.value = (Words.Load(4) * 100 + Constants.base * 10 + Scale.scale) * 1000 + uint(texel.x * 255 + 0.5);
#ifdef COUNTER
    // COUNTER: error: {{.*}}no hidden counters in a package
    Pairs.IncrementCounter();
#endif
}

[shader("raygeneration")] void Main()
{
    uint n = DispatchRaysIndex().x;
    RayDesc ray;
    ray.Origin = float3(n < 4 ? -2 : n < 8 ? 2 : 50, 0, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    Payload p = { 0 };
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 0, 0, ray, p);
    Out[n] = p.value;
}
// CHECK: [
// CHECK-NEXT: 1153123,
// CHECK-NEXT: 1153158,
// CHECK-NEXT: 1153203,
// CHECK-NEXT: 1153149,
// CHECK-NEXT: 2264135,
// CHECK-NEXT: 2264203,
// CHECK-NEXT: 2264154,
// CHECK-NEXT: 2264123,
// CHECK-NEXT: 12
// CHECK-NEXT: ]
// RUN: FileCheck %s --input-file=%T/pairs_right.json --check-prefix=PAIRS
// PAIRS: 0,
// PAIRS-NEXT: 0,
// PAIRS-NEXT: 6,
// PAIRS-NEXT: 4
// RUN: FileCheck %s --input-file=%T/sink_left.json --check-prefix=LEFT
// LEFT: 0,
// LEFT-NEXT: 4
// RUN: FileCheck %s --input-file=%T/sink_miss.json --check-prefix=MISS
// MISS: 77,
// MISS-NEXT: 0,
// MISS-NEXT: 0
