// Sampler feedback with derivatives in a pixel shader.
// RUN: %rtc -T ps_6_5 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: not %rtc -T vs_6_5 -E Vs -DVS %s 2>&1 | FileCheck %s --check-prefix=VS

// CHECK: call void @dx.op.writeSamplerFeedback(i32 174,
// CHECK-SAME: float undef, float 4.000000e+00)
// CHECK: call void @dx.op.writeSamplerFeedbackBias(i32 175,
// CHECK-SAME: float 5.000000e-01, float undef)
// CHECK: call void @dx.op.writeSamplerFeedback(i32 174,
FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> least;
FeedbackTexture2DArray<SAMPLER_FEEDBACK_MIP_REGION_USED> used;
Texture2D<float> t;
Texture2DArray<float4> a;
SamplerState s;

void feedback(float2 uv) { used.WriteSamplerFeedback(a, s, float3(uv, 1)); }

float4 main(float2 uv : UV) : SV_Target
{
    least.WriteSamplerFeedback(t, s, uv, 4);
    least.WriteSamplerFeedbackBias(t, s, uv, 0.5);
    feedback(uv);
    return 0;
}
#ifdef VS
// VS: `WriteSamplerFeedback` cannot be used in the vertex shader `Vs`
float4 Vs(float2 uv : UV) : SV_Position { feedback(uv); return 0; }
#endif
