// Sampler feedback is a feature since validator 1.9; a clamp of it asks for nothing else. Of comparisons with gradient or bias the last sample decides for
// validators whether the function has any: `Last` has, `First` has not.
// RUN: %rtc -T lib_6_8 -validator-version 1.9 %s -Fo %t.dxil
// RUN: %rtc reflect %t.dxil | FileCheck %s
// RUN: %rtc -T lib_6_8 -validator-version 1.8 %s -Fo %t.8.dxil

FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> F : register(u0);
Texture2D<float> T : register(t0);
SamplerState S : register(s0);
SamplerComparisonState C : register(s1);
RWBuffer<float> O : register(u1);

// CHECK: "features": "0x200000"
// CHECK: "name": "Feedback"
[shader("raygeneration")] void Feedback() { F.WriteSamplerFeedbackLevel(T, S, float2(0, 1), 2); O[0] = 1; }
// CHECK: "features": "0x200000"
// CHECK: "name": "FeedbackWithClamp"
[shader("raygeneration")] void FeedbackWithClamp() { F.WriteSamplerFeedbackGrad(T, S, float2(0, 1), float2(1, 0), float2(0, 1), 3); O[0] = 1; }

// CHECK: "features": "0x0"
// CHECK: "name": "First"
[shader("raygeneration")] void First() {
    float a = T.SampleCmpGrad(C, float2(0, 1), 0.5, float2(0, 1), float2(1, 0));
    O[1] = a;
    O[2] = T.SampleGrad(S, float2(a, 1), float2(0, 1), float2(1, 0));
}

// CHECK: "features": "0x80000000"
// CHECK: "name": "Last"
[shader("raygeneration")] void Last() {
    float a = T.SampleGrad(S, float2(0, 1), float2(0, 1), float2(1, 0));
    O[3] = a;
    O[4] = T.SampleCmpGrad(C, float2(a, 1), 0.5, float2(0, 1), float2(1, 0));
}
