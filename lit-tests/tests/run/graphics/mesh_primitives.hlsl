// Attributes of primitives that have builtins: their number, and the layer that they are drawn to.
// rtc -T lib_6_5
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: newest, since the pinned one makes mesh shaders of a vendor's extension.
//> [targets.Color]
//> size = [4, 4]
//> layers = 2
//> format = "rg32_uint"
//> expect = [{ layer = 0, is = [40, 1] }, { layer = 1, is = [41, 1] }]
//> [[draw]]
//> mesh = "Ms"
//> groups = [1, 1, 1]
struct V { float4 at : SV_Position; nointerpolation uint one : ONE; };
struct Q { uint id : SV_PrimitiveID; uint layer : SV_RenderTargetArrayIndex; };
[shader("mesh")] [numthreads(3, 1, 1)] [outputtopology("triangle")]
void Ms(uint i : SV_GroupIndex, out vertices V v[3], out primitives Q q[2], out indices uint3 t[2])
{
    SetMeshOutputCounts(3, 2);
    v[i].at = float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); v[i].one = 1;
    if (i < 2) { t[i] = uint3(0, 1, 2); q[i].id = 40 + i; q[i].layer = i; }
}
[shader("pixel")] uint2 Ps(V v, uint id : SV_PrimitiveID) : SV_Target { return uint2(id, v.one); }
