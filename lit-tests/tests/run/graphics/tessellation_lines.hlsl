// Isolines: two lines of three parts, fractional partitioning of even numbers, and points as outputs of a second hull shader.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 8]
//> format = "rg32_float"
//> clear = [-1, -1]
//> expect = [{ at = [0, 7], size = [8, 1], is = [0, 2] }, { at = [0, 3], size = [8, 1], is = [0.5, 2] }, { at = [0, 0], size = [8, 3], is = [-1, -1] }]
//> [[draw]]
//> patch_control_points = 2
//> hull = "Hs"
//> domain = "Ds"
//> vertices = { POSITION = { float2 = [[-1.25, -0.875], [1.25, -0.875]] } }
struct C { float2 at : POSITION; };
struct K { float f[2] : SV_TessFactor; float n : N; };
struct O { float4 at : SV_Position; nointerpolation float v : V; nointerpolation float n : N; };
[shader("vertex")] C Vs(C v) { return v; }
K constants() { K k; k.f[0] = 2; k.f[1] = 3; k.n = 2; return k; }
[shader("hull")] [domain("isoline")] [partitioning("integer")] [outputtopology("line")] [outputcontrolpoints(2)] [patchconstantfunc("constants")]
C Hs(InputPatch<C, 2> p, uint i : SV_OutputControlPointID) { return p[i]; }
[shader("domain")] [domain("isoline")]
O Ds(K k, float2 uv : SV_DomainLocation, const OutputPatch<C, 2> p)
{
    O o;
    float2 at = lerp(p[0].at, p[1].at, uv.x);
    o.at = float4(at.x, at.y + uv.y * 2, 0.5, 1); o.v = uv.y; o.n = k.n;
    return o;
}
[shader("pixel")] float2 Ps(O o) : SV_Target { return float2(o.v, o.n); }
