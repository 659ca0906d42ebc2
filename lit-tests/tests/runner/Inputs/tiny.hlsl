RWTexture2D<float4> image : register(u0);
[shader("raygeneration")] void gen() {
    image[DispatchRaysIndex().xy] = float4(1, 0, 0, 1);
}
