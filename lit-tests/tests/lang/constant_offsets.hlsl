// Texel offsets that are constants only after unrolling and folding, at every level.
// RUN: %rtc -T ps_6_0 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_0 -validator-version 1.6 -Od %s -Fo %t.od.dxil
// RUN: %rtc dis %t.od.dxil | FileCheck %s
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T ps_6_0 -spirv -Od %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: not %rtc -T ps_6_0 -Od -DCOMPUTED %s 2>&1 | FileCheck %s --check-prefix=COMPUTED

Texture2D t;
SamplerState s;
static const int2 Offsets[9] = { int2(-1, -1), int2(0, -1), int2(1, -1), int2(-1, 0), int2(0, 0), int2(1, 0), int2(-1, 1), int2(0, 1), int2(1, 1) };
#ifdef COMPUTED
int n;
// COMPUTED: a texel offset must be a constant
#else
static const int n = 3;
#endif

// CHECK-COUNT-9: @dx.op.sample.f32(i32 60,
// CHECK-DAG: @dx.op.sample.f32(i32 60, {{.*}} i32 1, i32 3,
float4 at(float2 uv, int a) { int b = a + 2; return t.Sample(s, uv, int2(a, b)); }

float4 main(float2 uv : UV) : SV_Target
{
    float4 sum = 0;
    for (int i = 0; i < 9; ++i)
        sum += t.Sample(s, uv, Offsets[i]);
    for (int k = -1; k < n; ++k)
        sum += at(uv, k);
    return sum;
}
