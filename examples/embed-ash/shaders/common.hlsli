// What the shaders of all packages share.

struct Payload
{
    float3 color;
    uint depth;
};

// Colour of the sky in a direction.
float3 sky(float3 direction)
{
    return lerp(float3(0.9, 0.95, 1.0), float3(0.2, 0.4, 0.8), saturate(direction.y * 0.5 + 0.5));
}

// The side of an octahedron that a triangle is, as the shaders count them.
float3 octant(uint side)
{
    return float3(side & 1 ? -1 : 1, side & 2 ? -1 : 1, side & 4 ? -1 : 1);
}
