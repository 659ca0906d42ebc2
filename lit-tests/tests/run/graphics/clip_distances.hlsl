// Clip and cull distances: of vectors, scalars and arrays, read by the pixel shader; a triangle that is culled.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 8]
//> format = "rgba32_float"
//> clear = [-1, -1, -1, -1]
//> expect = [{ at = [0, 0], size = [2, 8], is = [-1, -1, -1, -1] }, { at = [2, 0], size = [6, 2], is = [-1, -1, -1, -1] }, { at = [2, 2], is = [0.0625, 0.0625, 1.3125, 1] }, { at = [7, 7], is = [0.6875, 0.6875, 1.9375, 1] }]
//> [[draw]]
//> topology = "triangle_strip"
//> count = 4
//> [[draw]]
//> count = 3
//> instances = 2
//> first_instance = 1
struct V { float4 at : SV_Position; float2 clip : SV_ClipDistance0; float more[1] : SV_ClipDistance1; float cull : SV_CullDistance0; };
[shader("vertex")] V Vs(uint i : SV_VertexID, uint n : SV_InstanceID)
{
    V v;
    float2 uv = float2(i & 1, i >> 1);
    v.at = float4(uv * 2 - 1, 0.5, 1);
    v.clip = float2(uv.x - 0.25, 0.75 - uv.y);
    v.more[0] = uv.x + 1;
    // The instances of the second draw are culled.
    v.cull = n == 0 ? 1 : -1;
    return v;
}
[shader("pixel")] float4 Ps(V v) : SV_Target { return float4(v.clip, v.more[0], v.cull); }
