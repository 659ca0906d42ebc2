// Numbers of vertices and instances that count from the first of the draw.
// rtc -T lib_6_3 -fvk-support-nonzero-base-vertex -fvk-support-nonzero-base-instance
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: newest, since the pinned one lacks -fvk-support-nonzero-base-vertex.
//> [targets.Color]
//> size = [8, 1]
//> format = "rgba32_uint"
//> clear = [9, 9, 9, 9]
//> expect = [{ at = [0, 0], is = [0, 0, 5, 2] }, { at = [1, 0], is = [1, 0, 5, 2] }, { at = [2, 0], is = [2, 0, 5, 2] }, { at = [3, 0], is = [9, 9, 9, 9] }, { at = [4, 0], is = [0, 1, 5, 2] }, { at = [5, 0], is = [1, 1, 5, 2] }, { at = [6, 0], is = [2, 1, 5, 2] }, { at = [7, 0], is = [9, 9, 9, 9] }]
//> [[draw]]
//> topology = "points"
//> count = 3
//> first = 5
//> instances = 2
//> first_instance = 2
struct V { float4 at : SV_Position; nointerpolation uint4 c : COLOR; };
[shader("vertex")] V Vs(uint i : SV_VertexID, uint n : SV_InstanceID)
{
    V v;
    v.at = float4((i + n * 4 + 0.5) / 4 - 1, 0, 0.5, 1);
    v.c = uint4(i, n, 5, 2);
    return v;
}
[shader("pixel")] uint4 Ps(V v) : SV_Target { return v.c; }
