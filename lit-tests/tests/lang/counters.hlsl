// Append, consume and counter buffers; the counters are buffers of their own in Vulkan, named as the reference names them.
// RUN: %rtc -T cs_6_0 -E main -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -E main -validator-version 1.6 %s -Fo %t.66.dxil
// RUN: %dxil-val %t.66.dxil
// RUN: %rtc -T cs_6_0 -E main -spirv %s -Fo %t.spv -Fc %t.spvasm
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --input-file %t.spvasm
struct P { float3 a; uint b; };
AppendStructuredBuffer<P> A : register(u1);
ConsumeStructuredBuffer<P> C : register(u2);
RWStructuredBuffer<uint> R : register(u3), Down : register(u10);
AppendStructuredBuffer<float4> Many[2] : register(u5);
[[vk::counter_binding(30)]] RWStructuredBuffer<uint> Chosen : register(u8);
RWStructuredBuffer<uint> Plain : register(u9);
// CHECK-DAG: OpName %[[A:.*]] "counter.var.A"
// CHECK-DAG: OpName %[[C:.*]] "counter.var.C"
// CHECK-DAG: OpName %[[M:.*]] "counter.var.Many"
// CHECK-DAG: OpName %[[V:.*]] "counter.var.Chosen"
// CHECK-NOT: "counter.var.Plain"
// CHECK: OpDecorate %[[V]] Binding 30
[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    P p = C.Consume();
    p.b += id.x;
    A.Append(p);
    R[R.IncrementCounter()] = p.b;
    Plain[Down.DecrementCounter()] = 1;
    Many[id.x & 1].Append(id.xxxx);
    Many[1].Append(id.xyzx);
    Chosen[Chosen.IncrementCounter()] = 3;
}
