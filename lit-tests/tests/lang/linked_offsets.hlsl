// A texel offset that is a parameter becomes a constant where a library is linked for a shader model without computed offsets.
// RUN: %rtc -T lib_6_7 -default-linkage external -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_7 -default-linkage external -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T ps_6_0 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T lib_6_x -default-linkage external -DA -Od %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_x -default-linkage external -DB -Od %s -Fo %t.b.dxil
// RUN: %rtc link -T ps_6_5 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T lib_6_7 -default-linkage external -DA -DCOMPUTED %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_7 -default-linkage external -DB %s -Fo %t.b.dxil
// RUN: not %rtc link -T ps_6_0 -E main %t.a.dxil %t.b.dxil -Fo %t.dxil 2>&1 | FileCheck %s --check-prefix=COMPUTED
// COMPUTED: `main` needs shader model 6.7, the target is ps_6_0
// CHECK-DAG: @dx.op.sample.f32(i32 60, {{.*}} i32 1, i32 -3,
// CHECK-DAG: @dx.op.sample.f32(i32 60, {{.*}} i32 2, i32 -1,
// CHECK-DAG: @dx.op.textureLoad.f32(i32 66, {{.*}} i32 -1, i32 7, i32 undef)
float4 at(float2 uv, int a);
float4 load(int2 at, int2 by, bool other);
#ifdef A
[shader("pixel")] float4 main(float2 uv : UV, nointerpolation int k : K) : SV_Target
{
#ifdef COMPUTED
    return at(uv, k);
#else
    return at(uv, 1) + at(uv, 2) + load(int2(uv), int2(3, 5), true);
#endif
}
#endif
#ifdef B
Texture2D t;
SamplerState s;
float4 at(float2 uv, int a) { int b = (a << 1) - 6 >> 1; return t.Sample(s, uv, int2(a, b - (a == 1 ? 1 : 0) + (a > 1 ? 0 : 0))); }
float4 load(int2 at, int2 by, bool other) { return t.Load(int3(at, 0), other ? by * int2(3, 1) - int2(10, -2) : int2(0, 0)); }
#endif
