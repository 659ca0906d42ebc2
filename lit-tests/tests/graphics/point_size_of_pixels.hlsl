// A structure that vertex and pixel shaders share may have the point size: pixel shaders do not receive it.
// RUN: %rtc -T vs_6_0 -E vs -spirv %s -Fo %t.vs.spv
// RUN: %spirv-val %t.vs.spv
// RUN: %rtc dis %t.vs.spv | FileCheck %s --check-prefix=VERTEX
// RUN: %rtc -T ps_6_0 -E ps -spirv %s -Fo %t.ps.spv
// RUN: %spirv-val %t.ps.spv
// RUN: %rtc dis %t.ps.spv | FileCheck %s --check-prefix=PIXEL
// RUN: %rtc -T ps_6_0 -E ps -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// VERTEX: BuiltIn PointSize
// PIXEL-NOT: PointSize
// PIXEL: OpDecorate %in_var_COLOR Location 0
// PIXEL-NOT: PointSize
struct V
{
    float4 at : SV_Position;
    [[vk::builtin("PointSize")]] float size : PSIZE;
    float4 colour : COLOR;
};
V vs(float4 p : P) { V v; v.at = p; v.size = 2; v.colour = p.wzyx; return v; }
float4 ps(V v) : SV_Target { return v.colour; }
