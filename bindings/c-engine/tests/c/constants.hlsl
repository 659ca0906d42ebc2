// A package with constants that the host may set, and a shader that writes them.

// Where the renderer's first package has it, so that both have one layout.
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> Output : register(u0);

RaytracingShaderConfig Shaders = {16, 8};
RaytracingPipelineConfig Pipeline = {1};

[[vk::constant_id(3)]] const uint Number = 5;
[[vk::constant_id(4)]] const bool Twice = false;
[[vk::constant_id(7)]] const float Share = 0.5;
[[vk::constant_id(12)]] const uint64_t Wide = 1;

[shader("raygeneration")]
void Fill()
{
    Output[DispatchRaysIndex().x] = (Twice ? 2 : 1) * (Number * 1000 + uint(Share * 100)) + uint(Wide >> 32);
}
