// Intrinsics and methods whose arguments are of one type: doubles and literals for `fma`, textures of single unsigned integers for GatherRaw.
// RUN: %rtc -T ps_6_7 -E main -enable-16bit-types %s | FileCheck %s
// RUN: %rtc -T ps_6_7 -E main -enable-16bit-types -Od %s -Fo %t.od.dxil
// RUN: %rtc -T ps_6_7 -E main -enable-16bit-types -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
Texture2D<uint> t : register(t0);
SamplerState s : register(s0);
// CHECK: call double @dx.op.tertiary.f64(i32 47,
// CHECK: call %dx.types.ResRet.i32 @dx.op.textureGatherRaw.i32(
uint4 main(float2 at : AT, nointerpolation uint2 v : V) : SV_Target
{
    double2 a = v;
    double b = v.y;
    double c = fma(a, b, a).x + fma(b, 2, 3.0) + fma(b, 2.0L, 1);
    return t.GatherRaw(s, at) + uint(c);
}
