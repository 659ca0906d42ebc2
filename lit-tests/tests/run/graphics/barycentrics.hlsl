// Barycentric coordinates and the attributes of the three vertices.
// rtc -T lib_6_4
// RUN: %rtc-run-where-possible %s -o %T -- -no-warnings
// RUN: %rtc-run-where-possible %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [4, 4]
//> format = "rgba32_float"
//> [[draw]]
//> count = 3
struct V { float4 at : SV_Position; nointerpolation float a : A; };
[shader("vertex")] V Vs(uint i : SV_VertexID) { V v; v.at = float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); v.a = 1 << i; return v; }
[shader("pixel")] float4 Ps(V v, float3 b : SV_Barycentrics) : SV_Target
{
    float3 a = float3(GetAttributeAtVertex(v.a, 0), GetAttributeAtVertex(v.a, 1), GetAttributeAtVertex(v.a, 2));
    return float4(dot(a, b), a);
}
