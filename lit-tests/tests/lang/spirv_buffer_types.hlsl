// Buffers have the types of the source: names of structures and members, offsets, strides and the order of matrices.
// RUN: %rtc -T cs_6_2 -enable-16bit-types -spirv %s -Fo %t.spv -Fc - | FileCheck %s --check-prefixes=CHECK,VULKAN,OLD
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_2 -enable-16bit-types -spirv -fspv-target-env=vulkan1.2 %s -Fo %t.12.spv -Fc - | FileCheck %s --check-prefixes=CHECK,VULKAN,NEW
// RUN: %spirv-val %t.12.spv
// RUN: %rtc -T cs_6_2 -enable-16bit-types -spirv -fspv-target-env=vulkan1.2 -fvk-use-dx-layout %s -Fo %t.dx.spv -Fc - | FileCheck %s --check-prefixes=CHECK,DX,NEW
// RUN: %spirv-val %t.dx.spv
// RUN: %rtc -T cs_6_2 -enable-16bit-types -spirv -fspv-target-env=vulkan1.2 -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv

struct Base { float weight; int kind; };
struct Light : Base
{
    float3 at;
    column_major float2x3 turn;
    uint low : 4;
    uint high : 6;
    uint16_t4 small;
    int2x2 whole;
};
cbuffer Frame
{
    float4x4 view;
    row_major float3x2 flat;
    float3 eye;
    bool on;
    Light lights[2];
};
struct Push { float2 size; uint count; };
[[vk::push_constant]] ConstantBuffer<Push> push;
ConstantBuffer<Base> constants;
StructuredBuffer<Light> list;
RWStructuredBuffer<int64_t> numbers;
RWStructuredBuffer<float4x4> matrices;
globallycoherent RWStructuredBuffer<uint2> pairs;
RWByteAddressBuffer raw;

// CHECK-DAG: OpName [[FRAME:%[0-9A-Za-z_]+]] "type.Frame"
// CHECK-DAG: OpMemberName [[FRAME]] 0 "view"
// CHECK-DAG: OpMemberName [[FRAME]] 1 "flat"
// CHECK-DAG: OpMemberName [[FRAME]] 4 "lights"
// CHECK-DAG: OpMemberDecorate [[FRAME]] 0 MatrixStride 16
// CHECK-DAG: OpMemberDecorate [[FRAME]] 0 RowMajor
// CHECK-DAG: OpMemberDecorate [[FRAME]] 1 Offset 64
// CHECK-DAG: OpMemberDecorate [[FRAME]] 1 ColMajor
// VULKAN-DAG: OpMemberDecorate [[FRAME]] 2 Offset 112
// DX-DAG: OpMemberDecorate [[FRAME]] 2 Offset 112
// CHECK-DAG: OpMemberDecorate [[FRAME]] 3 Offset 124
// CHECK-DAG: OpDecorate [[FRAME]] Block
// CHECK-DAG: OpName [[LIGHT:%[0-9A-Za-z_]+]] "Light"
// CHECK-DAG: OpMemberName [[LIGHT]] 1 "at"
// CHECK-DAG: OpMemberName [[LIGHT]] 3 "low"
// CHECK-DAG: OpMemberName [[LIGHT]] 4 "small"
// CHECK-DAG: OpName [[BASE:%[0-9A-Za-z_]+]] "Base"
// CHECK-DAG: OpMemberName [[BASE]] 0 "weight"
// CHECK-DAG: OpName {{%[0-9A-Za-z_]+}} "type.PushConstant.Push"
// CHECK-DAG: OpName {{%[0-9A-Za-z_]+}} "type.ConstantBuffer.Base"
// CHECK-DAG: OpName [[LIST:%[0-9A-Za-z_]+]] "type.StructuredBuffer.Light"
// CHECK-DAG: OpMemberDecorate [[LIST]] 0 NonWritable
// OLD-DAG: OpDecorate [[LIST]] BufferBlock
// NEW-DAG: OpDecorate [[LIST]] Block
// CHECK-DAG: OpName {{%[0-9A-Za-z_]+}} "type.RWStructuredBuffer.int64"
// CHECK-DAG: OpName [[MATRICES:%[0-9A-Za-z_]+]] "type.RWStructuredBuffer.mat4v4float"
// CHECK-DAG: OpMemberDecorate [[MATRICES]] 0 MatrixStride 16
// CHECK-DAG: OpName {{%[0-9A-Za-z_]+}} "type.RWStructuredBuffer.v2uint"
// CHECK-DAG: OpName [[PAIRS:%[0-9A-Za-z_]+]] "pairs"
// CHECK-DAG: OpDecorate [[PAIRS]] Coherent
// CHECK-DAG: OpName {{%[0-9A-Za-z_]+}} "type.RWByteAddressBuffer"
// No second variables of words: every access has a path.
// CHECK-NOT: Aliased

[numthreads(8, 8, 1)] void main(uint3 id : SV_DispatchThreadID)
{
    Light l = list[id.x];
    float3 p = mul(view, float4(l.at, 1)).xyz + float3(mul(flat, push.size)) * l.weight;
    p.x += lights[id.y].turn[1][id.z] + lights[1].at.y + constants.kind;
    p.yz += mul(l.turn, p) + eye[id.x & 1];
    if (on)
        p += l.high + l.small.z + l.whole[1].x;
    numbers[id.x] = push.count * (int64_t)id.y;
    matrices[id.x] = view;
    matrices[id.y][id.z].xy = p.xy;
    matrices[id.y][1][id.z] = p.z;
    pairs[id.x].y = l.low;
    InterlockedAdd(pairs[id.y].x, id.x);
    raw.Store(id.x * 4, asuint(p.x));
}
