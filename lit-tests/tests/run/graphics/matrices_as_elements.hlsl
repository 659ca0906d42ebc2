// The order of matrices that are elements of structured buffers themselves: that of the type's words, of an alias or between the brackets.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 %s -validator-version 1.6 -no-warnings -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// reference: no, its DXIL has no order there, and stores columns always; its SPIR-V has it.
// CHECK: rawBufferStore.f32(i32 140, %dx.types.Handle %{{[0-9]+}}, i32 0, i32 0, float 1.000000e+00, float 2.000000e+00, float 3.000000e+00
// CHECK: rawBufferStore.f32(i32 140, %dx.types.Handle %{{[0-9]+}}, i32 0, i32 0, float 1.000000e+00, float 2.000000e+00, float 3.000000e+00
// CHECK: rawBufferStore.f32(i32 140, %dx.types.Handle %{{[0-9]+}}, i32 0, i32 0, float 1.000000e+00, float 4.000000e+00, float undef
//> [targets.A]
//> size = [1, 1]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [8, 4, 2, 7] }]
//> [buffers.Alias]
//> size = 24
//> layout = ["float"]
//> expect = [[1], [2], [3], [4], [5], [6]]
//> [buffers.Direct]
//> size = 24
//> layout = ["float"]
//> expect = [[1], [2], [3], [4], [5], [6]]
//> [buffers.Columns]
//> size = 24
//> layout = ["float"]
//> expect = [[1], [4], [2], [5], [3], [6]]
//> [constants.In]
//> M = { "float4" = [7, 8, 9, 10] }
//> [buffers.Read]
//> size = 64
//> layout = ["float"]
//> [[draw]]
//> targets = ["A"]
//> count = 3
typedef row_major float2x3 Rows;
RWStructuredBuffer<Rows> Alias : register(u4);
RWStructuredBuffer<row_major float2x3> Direct : register(u5);
RWStructuredBuffer<float2x3> Columns : register(u6);
RWStructuredBuffer<row_major float2x2> Read : register(u7);
cbuffer In { float4 M; }
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] float4 Ps(float4 p : SV_Position) : SV_Target
{
    float2x3 m = { 1, 2, 3, 4, 5, 6 };
    Alias[0] = m;
    Direct[0] = m;
    Columns[0] = m;
    Read[1] = float2x2(M);
    return float4(Read[1]._12, Direct[0]._21, Alias[0][0][1], Read[1][0].x);
}
