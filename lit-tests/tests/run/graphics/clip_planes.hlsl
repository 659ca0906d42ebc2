// Clip planes of constant buffers, by which the rasteriser clips.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: no, it ignores them in SPIR-V.
// RUN: %rtc -T lib_6_3 %s -no-warnings -Fc - | FileCheck %s
// CHECK: !"SV_ClipDistance", i8 9, i8 6, {{![0-9]+}}, i8 2, i32 1, i8 1
// CHECK: !"SV_ClipDistance", i8 9, i8 6, {{![0-9]+}}, i8 2, i32 1, i8 1
//> [targets.Color]
//> size = [8, 8]
//> clear = [0, 0, 0, 0]
//> expect = [{ at = [0, 0], size = [4, 8], is = [0, 0, 0, 0] }, { at = [4, 4], size = [4, 4], is = [0, 0, 0, 0] }, { at = [4, 0], size = [4, 4], is = [1, 1, 1, 1] }]
//> [constants.Planes]
//> List = { "float4[2]" = [[9, 9, 9, 9], [1, 0, 0, 0]] }
//> "Up.p" = { float4 = [0, 1, 0, 0] }
//> [[draw]]
//> topology = "triangle_strip"
//> count = 4
struct Plane { float4 p; };
cbuffer Planes : register(b0) { float4 List[2]; Plane Up; };
[shader("vertex")] [clipplanes(List[1], Up.p)]
float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float2(i & 1, i >> 1) * 2 - 1, 0.5, 1); }
[shader("pixel")] float4 Ps() : SV_Target { return 1; }
