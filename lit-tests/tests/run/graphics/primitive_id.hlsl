// Numbers of primitives: of a list with instances, where each instance begins with zero.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 2]
//> format = "r32_uint"
//> expect = [{ at = [0, 0], is = 0 }, { at = [0, 1], is = 0 }, { at = [3, 0], is = 1 }, { at = [4, 1], is = 20 }, { at = [7, 0], is = 21 }]
//> [[draw]]
//> indices = [0, 1, 2, 3, 1, 2]
//> vertices = { POSITION = { float2 = [[-1, -1], [0, -1], [-1, 1], [0, 1]] } }
//> instances = 2
struct V { float4 at : SV_Position; nointerpolation uint n : N; };
[shader("vertex")] V Vs(float2 at : POSITION, uint n : SV_InstanceID) { V v; v.at = float4(at.x + n, at.y, 0.5, 1); v.n = n * 20; return v; }
[shader("pixel")] uint Ps(V v, uint id : SV_PrimitiveID) : SV_Target { return v.n + id; }
