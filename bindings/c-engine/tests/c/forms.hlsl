// A shader with a reorder point in a loop that rays leave at different times, and what they write.

// Apart from what other packages of the tests have.
[[vk::binding(7, 0)]] RWStructuredBuffer<uint> Words : register(u7);

RaytracingShaderConfig Shaders = {16, 8};
RaytracingPipelineConfig Pipeline = {2};

[shader("raygeneration")]
void Walk()
{
    uint ray = DispatchRaysIndex().x;
    uint sum = ray;
    for (uint n = 0; n < 1 + (ray & 3); ++n)
    {
        dx::MaybeReorderThread(sum & 7, 3);
        sum = sum * 5 + n;
    }
    Words[ray] = sum;
}
