// Which side of a triangle is seen: as a boolean and as a number, of triangles of both windings, one of which is culled in a second draw.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 8]
//> format = "rgba32_uint"
//> expect = [{ at = [0, 7], is = [1, 4294967295, 7, 0] }, { at = [7, 0], is = [0, 0, 7, 0] }]
//> [targets.Culled]
//> size = [8, 8]
//> format = "rgba32_uint"
//> expect = [{ at = [0, 7], is = [0, 0, 0, 0] }, { at = [7, 0], is = [0, 0, 7, 0] }]
//> [[draw]]
//> targets = ["Color"]
//> indices = [0, 2, 1, 1, 3, 2]
//> vertices = { POSITION = { float2 = [[-1, -1], [1, -1], [-1, 1], [1, 1]] } }
//> pixel = "Both"
//> front = "clockwise"
//> [[draw]]
//> targets = ["Culled"]
//> indices = [0, 2, 1, 1, 3, 2]
//> vertices = { POSITION = { float2 = [[-1, -1], [1, -1], [-1, 1], [1, 1]] } }
//> pixel = "Both"
//> cull = "front"
[shader("vertex")] float4 Vs(float2 at : POSITION) : SV_Position { return float4(at, 0.5, 1); }
[shader("pixel")] uint4 Both(float4 p : SV_Position, bool front : SV_IsFrontFace) : SV_Target { return uint4(front, front ? ~0u : 0, 7, 0); }
