// Depths that are at least, or at most, those of the triangle.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 4]
//> format = "r32_float"
//> expect = [{ is = 3 }]
//> [targets.Far]
//> size = [8, 4]
//> format = "d32_float"
//> clear = 1
//> expect = [{ at = [0, 0], is = 0.5 }, { at = [7, 0], is = 0.734375 }]
//> [targets.Near]
//> size = [8, 4]
//> format = "d32_float"
//> clear = 1
//> expect = [{ at = [0, 0], is = 0.46875 }, { at = [7, 0], is = 0.03125 }]
//> [[draw]]
//> targets = ["Color"]
//> depth = "Far"
//> pixel = "Greater"
//> count = 3
//> [[draw]]
//> targets = ["Color"]
//> depth = "Near"
//> pixel = "Less"
//> count = 3
//> blend = "additive"
struct P { linear noperspective centroid float4 at : SV_Position; };
[shader("vertex")] P Vs(uint i : SV_VertexID) { P v; v.at = float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); return v; }
struct G { float c : SV_Target; float d : SV_DepthGreaterEqual; };
struct L { float c : SV_Target; float d : SV_DepthLessEqual; };
[shader("pixel")] G Greater(P p) { G o; o.c = 1; o.d = p.at.z + (uint(p.at.x) > 0 ? p.at.x / 32 : 0); return o; }
[shader("pixel")] L Less(P p) { L o; o.c = 2; o.d = p.at.z - p.at.x / 16; return o; }
