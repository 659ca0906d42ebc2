// What sampling would read: levels given and from gradients, filters, addresses, clamps, layers. For the CPU device alone: Vulkan has no
// sampler feedback.
// rtc -T lib_6_8
// scene: Inputs/feedback.toml
// RUN: %rtc -T lib_6_8 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/resources.hlsli"

FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> Least : register(u1);
FeedbackTexture2D<SAMPLER_FEEDBACK_MIP_REGION_USED> Used : register(u2);
FeedbackTexture2DArray<SAMPLER_FEEDBACK_MIN_MIP> LeastOfLayers : register(u3);
Texture2D<float> T : register(t0);
Texture2DArray<float> Layers : register(t1);
ByteAddressBuffer LeastSeen : register(t2);
ByteAddressBuffer UsedSeen : register(t3);
ByteAddressBuffer LayersSeen : register(t4);
SamplerState Point : register(s0);
SamplerState Linear : register(s1);

// The middle of a texel of the first level.
float2 middle(float x, float y) { return (float2(x, y) + 0.5) / float2(64, 32); }

[shader("raygeneration")] void Write()
{
    float n = one();
    switch (thread()) {
    case 0: // A level, nearest.
        Least.WriteSamplerFeedbackLevel(T, Point, middle(0, 0) * n, 0);
        Used.WriteSamplerFeedbackLevel(T, Point, middle(0, 0) * n, 0);
        break;
    case 1: // A texel of level 2 lies in the region of its middle.
        Least.WriteSamplerFeedbackLevel(T, Point, middle(33, 1) * n, 2);
        Used.WriteSamplerFeedbackLevel(T, Point, middle(33, 1) * n, 2);
        break;
    case 2: // Four texels from one pixel to the next.
        Least.WriteSamplerFeedbackGrad(T, Point, middle(41, 21) * n, float2(4.0 / 64, 0), float2(0, 2.0 / 32));
        Used.WriteSamplerFeedbackGrad(T, Point, middle(41, 21) * n, float2(4.0 / 64, 0), float2(0, 2.0 / 32));
        break;
    case 3: // A texel of level 1 and four of level 2.
        Least.WriteSamplerFeedbackLevel(T, Linear, float2(4.5 / 32, 4.5 / 16) * n, 1.5);
        Used.WriteSamplerFeedbackLevel(T, Linear, float2(4.5 / 32, 4.5 / 16) * n, 1.5);
        break;
    case 4: // Not below the level that is given.
        Least.WriteSamplerFeedbackGrad(T, Point, middle(60, 28) * n, float2(1.0 / 64, 0), float2(0, 1.0 / 32), 3);
        Used.WriteSamplerFeedbackGrad(T, Point, middle(60, 28) * n, float2(1.0 / 64, 0), float2(0, 1.0 / 32), 3);
        break;
    case 5: // Wrapped around.
        Least.WriteSamplerFeedbackLevel(T, Point, middle(-1, 0) * n, 0);
        Used.WriteSamplerFeedbackLevel(T, Point, middle(-1, 0) * n, 0);
        break;
    case 6: // The least one stays, whatever comes first.
        Least.WriteSamplerFeedbackLevel(T, Point, middle(50, 10) * n, 1);
        Least.WriteSamplerFeedbackLevel(T, Point, middle(51, 11) * n, 4);
        Least.WriteSamplerFeedbackLevel(T, Point, middle(52, 12) * n, 2);
        break;
    default: // A layer, rounded.
        LeastOfLayers.WriteSamplerFeedbackLevel(Layers, Point, float3(0.5 / 16, 0.5 / 16, 0.6) * n, 0);
    }
}

[shader("raygeneration")] void Main()
{
    // A byte for each region: eight in a row, four rows.
    static const uint LEAST[8] = { 0xffff0200, 0x00ffff02, 0xffff0102, 0x0401ffff, 0xffffffff, 0xffff02ff, 0xffffffff, 0x03ffffff };
    static const uint LAYERS[8] = { ~0u, ~0u, ~0u, ~0u, 0xffffff00, ~0u, ~0u, ~0u };
    uint i = thread();
    IS(LeastSeen.Load(4 * i), LEAST[i]); IS(LayersSeen.Load(4 * i), LAYERS[i]);
    // Level 0 has 64 bytes, level 1 16, level 2 4, then one each.
    for (uint at = i; at < 22; at += 8) {
        uint must = at == 1 ? 0xff000000 : at == 20 ? 0xff00ffff : at == 0 || at == 17 || at == 21 ? 0xff : 0;
        IS(UsedSeen.Load(4 * at), must);
    }
    done(i < 6 ? 5 : 4);
}
