// Bindings by the rule of the reference compiler: every declared resource takes a number, used or not; registers keep theirs.
// RUN: %rtc -T cs_6_0 -spirv %s -Fo %t.spv -Fc - 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN < %t.err
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_0 -E Other -spirv %s -Fo %t.o.spv -Fc - | FileCheck %s --check-prefix=OTHER
// RUN: %spirv-val %t.o.spv
// RUN: %rtc -T cs_6_0 -spirv -WX %s -Fo %t.wx.spv
// RUN: not %rtc -T cs_6_0 -spirv -Werror=binding-overlap %s -Fo %t.we.spv
// RUN: %rtc -T cs_6_0 -spirv -fvk-u-shift 10 0 -fvk-b-shift 20 all %s -Fo %t.s.spv -Fc - | FileCheck %s --check-prefix=SHIFT
// RUN: %spirv-val %t.s.spv
// RUN: %rtc -T cs_6_0 -E Registers -DREGISTERS -spirv -fvk-bind-register t0 0 11 2 -fvk-bind-register u3 1 12 3 -fvk-bind-register b0 0 13 4 -fvk-bind-globals 14 5 %s -Fo %t.r.spv -Fc - | FileCheck %s --check-prefix=REGISTERS
// RUN: %spirv-val %t.r.spv
// RUN: not %rtc -T cs_6_0 -E Registers -DREGISTERS -spirv -fvk-bind-register t0 0 11 2 %s 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: %rtc -T cs_6_6 -E Heap -spirv -fvk-bind-resource-heap 3 5 -fvk-bind-counter-heap 4 5 -fspv-target-env=vulkan1.2 %s -Fo %t.h.spv -Fc - | FileCheck %s --check-prefix=HEAP
// RUN: %spirv-val %t.h.spv

#ifdef REGISTERS
Texture2D<float4> in0 : register(t0);
RWTexture2D<float4> out0 : register(u3, space1);
cbuffer Named : register(b0) { float named; };
float free;
// REGISTERS-DAG: OpName [[IN:%[0-9A-Za-z_]+]] "in0"
// REGISTERS-DAG: OpDecorate [[IN]] DescriptorSet 2
// REGISTERS-DAG: OpDecorate [[IN]] Binding 11
// REGISTERS-DAG: OpName [[OUT:%[0-9A-Za-z_]+]] "out0"
// REGISTERS-DAG: OpDecorate [[OUT]] DescriptorSet 3
// REGISTERS-DAG: OpDecorate [[OUT]] Binding 12
// REGISTERS-DAG: OpName [[NAMED:%[0-9A-Za-z_]+]] "Named"
// REGISTERS-DAG: OpDecorate [[NAMED]] DescriptorSet 4
// REGISTERS-DAG: OpDecorate [[NAMED]] Binding 13
// REGISTERS-DAG: OpName [[FREE:%[0-9A-Za-z_]+]] "$Globals"
// REGISTERS-DAG: OpDecorate [[FREE]] DescriptorSet 5
// REGISTERS-DAG: OpDecorate [[FREE]] Binding 14
// MISSING-DAG: no -fvk-bind-register gives a binding to the register of `out0`
// MISSING-DAG: no -fvk-bind-register gives a binding to the register of `Named`
// MISSING-DAG: the buffer of loose variables needs -fvk-bind-globals
[numthreads(1, 1, 1)] void Registers(uint i : SV_GroupIndex) { out0[uint2(0, i)] = in0.Load(int3(0, 0, 0)) * named + free; }
#else
Texture2D<float4> a : register(t0);
RWTexture2D<float4> b : register(u0);
RWTexture2D<float4> c : register(u1);
Buffer<uint> unused;
RWStructuredBuffer<uint> counted;
AppendStructuredBuffer<uint2> appended : register(space2);
ConsumeStructuredBuffer<uint2> consumed;
[[vk::binding(7, 1)]] [[vk::counter_binding(8)]] RWStructuredBuffer<uint> placed;
cbuffer Block { uint k; };
uint loose;
Buffer<uint> last;

// CHECK-DAG: OpName [[A:%[0-9A-Za-z_]+]] "a"
// CHECK-DAG: OpDecorate [[A]] Binding 0
// CHECK-DAG: OpName [[B:%[0-9A-Za-z_]+]] "b"
// CHECK-DAG: OpDecorate [[B]] Binding 0
// CHECK-DAG: OpName [[C:%[0-9A-Za-z_]+]] "c"
// CHECK-DAG: OpDecorate [[C]] Binding 1
// `unused` has 2.
// CHECK-DAG: OpName [[COUNTED:%[0-9A-Za-z_]+]] "counted"
// CHECK-DAG: OpDecorate [[COUNTED]] Binding 3
// CHECK-DAG: OpName [[APPENDED:%[0-9A-Za-z_]+]] "appended"
// CHECK-DAG: OpDecorate [[APPENDED]] DescriptorSet 2
// CHECK-DAG: OpDecorate [[APPENDED]] Binding 0
// CHECK-DAG: OpName [[APPENDED_COUNTER:%[0-9A-Za-z_]+]] "counter.var.appended"
// CHECK-DAG: OpDecorate [[APPENDED_COUNTER]] DescriptorSet 2
// CHECK-DAG: OpDecorate [[APPENDED_COUNTER]] Binding 1
// CHECK-DAG: OpName [[CONSUMED:%[0-9A-Za-z_]+]] "consumed"
// CHECK-DAG: OpDecorate [[CONSUMED]] Binding 4
// CHECK-DAG: OpName [[CONSUMED_COUNTER:%[0-9A-Za-z_]+]] "counter.var.consumed"
// CHECK-DAG: OpDecorate [[CONSUMED_COUNTER]] Binding 5
// CHECK-DAG: OpName [[PLACED:%[0-9A-Za-z_]+]] "placed"
// CHECK-DAG: OpDecorate [[PLACED]] DescriptorSet 1
// CHECK-DAG: OpDecorate [[PLACED]] Binding 7
// CHECK-DAG: OpName [[PLACED_COUNTER:%[0-9A-Za-z_]+]] "counter.var.placed"
// CHECK-DAG: OpDecorate [[PLACED_COUNTER]] Binding 8
// CHECK-DAG: OpName [[BLOCK:%[0-9A-Za-z_]+]] "Block"
// CHECK-DAG: OpDecorate [[BLOCK]] Binding 6
// CHECK-DAG: OpName [[GLOBALS:%[0-9A-Za-z_]+]] "$Globals"
// CHECK-DAG: OpDecorate [[GLOBALS]] Binding 7
// CHECK-DAG: OpName [[LAST:%[0-9A-Za-z_]+]] "last"
// CHECK-DAG: OpDecorate [[LAST]] Binding 8
// CHECK-DAG: OpName [[COUNTED_COUNTER:%[0-9A-Za-z_]+]] "counter.var.counted"
// CHECK-DAG: OpDecorate [[COUNTED_COUNTER]] Binding 9

// WARN: warning{{.*}}`a` and `b` are both binding 0 of set 0 in Vulkan, and `main` uses both{{.*}}[W0685]
// WARN-NOT: warning

// OTHER: OpName [[LAST:%[0-9A-Za-z_]+]] "last"
// OTHER: OpDecorate [[LAST]] Binding 8

// SHIFT-DAG: OpName [[B:%[0-9A-Za-z_]+]] "b"
// SHIFT-DAG: OpDecorate [[B]] Binding 10
// SHIFT-DAG: OpName [[C:%[0-9A-Za-z_]+]] "c"
// SHIFT-DAG: OpDecorate [[C]] Binding 11

// HEAP-DAG: OpName [[HEAP:%[0-9A-Za-z_]+]] "ResourceDescriptorHeap"
// HEAP-DAG: OpDecorate [[HEAP]] DescriptorSet 5
// HEAP-DAG: OpDecorate [[HEAP]] Binding 3
// HEAP-DAG: OpName [[COUNTERS:%[0-9A-Za-z_]+]] "counter.var.ResourceDescriptorHeap"
// HEAP-DAG: OpDecorate [[COUNTERS]] DescriptorSet 5
// HEAP-DAG: OpDecorate [[COUNTERS]] Binding 4

[numthreads(1, 1, 1)] void main(uint i : SV_GroupIndex)
{
    b[uint2(0, i)] = a.Load(int3(0, 0, 0));
    c[uint2(0, i)] = float4(k, loose, last[i], 0);
    counted[counted.IncrementCounter()] = 1;
    placed[placed.DecrementCounter()] = 2;
    appended.Append(consumed.Consume());
}

[numthreads(1, 1, 1)] void Other(uint i : SV_GroupIndex)
{
    c[uint2(0, i)] = last[i];
}

#if __SHADER_TARGET_MINOR >= 6
[numthreads(1, 1, 1)] void Heap(uint i : SV_GroupIndex)
{
    RWStructuredBuffer<uint> taken = ResourceDescriptorHeap[i];
    taken[taken.IncrementCounter()] = i;
}
#endif
#endif
