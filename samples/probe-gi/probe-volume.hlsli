// Positions of probes, directions of their rays, and the layout of their octahedral maps in an atlas.
#ifndef PROBE_VOLUME_HLSLI
#define PROBE_VOLUME_HLSLI

#include "../common/core.hlsli"
#include "../common/packing.hlsli"
#include "../common/random.hlsli"
#include "../common/sampling.hlsli"

#ifndef PROBE_RAYS
#define PROBE_RAYS 128
#endif
#define IRRADIANCE_INTERIOR 6
#define DISTANCE_INTERIOR 14

// A tile of an atlas: an octahedral map and one texel around it.
#define DEFINE_TILE(Name, Size) \
    struct Name \
    { \
        static const uint INTERIOR = Size; \
        static const uint FULL = Size + 2; \
    };

DEFINE_TILE(IrradianceTile, IRRADIANCE_INTERIOR)
DEFINE_TILE(DistanceTile, DISTANCE_INTERIOR)

struct ProbeVolume
{
    float3 origin;
    float hysteresis;
    float3 spacing;
    float bias;
    uint3 counts;
    float maxDistance;
    uint bounces;
    uint3 padding;

    uint Count()
    {
        return counts.x * counts.y * counts.z;
    }

    uint Index(uint3 coordinate)
    {
        return coordinate.x + counts.x * (coordinate.y + counts.y * coordinate.z);
    }

    uint3 Coordinate(uint index)
    {
        return uint3(index % counts.x, index / counts.x % counts.y, index / (counts.x * counts.y));
    }

    float3 Position(uint3 coordinate)
    {
        return origin + float3(coordinate) * spacing;
    }
};

// A random rotation per frame, the same for all probes (Arvo, "Fast Random Rotation Matrices").
float3x3 FrameRotation(uint frame)
{
    const uint3 h = rng::Pcg3d(uint3(frame, 17, 4711));
    const float3 u = float3(rng::ToFloat(h.x), rng::ToFloat(h.y), rng::ToFloat(h.z));
    float s, c;
    sincos(TWO_PI * u.x, s, c);
    const float3x3 turn = float3x3(c, s, 0, -s, c, 0, 0, 0, 1);
    const float phi = TWO_PI * u.y;
    const float3 v = float3(cos(phi) * sqrt(u.z), sin(phi) * sqrt(u.z), SafeSqrt(1 - u.z));
    const float3x3 reflection = float3x3(
        1 - 2 * v.x * v.x, -2 * v.x * v.y, -2 * v.x * v.z,
        -2 * v.y * v.x, 1 - 2 * v.y * v.y, -2 * v.y * v.z,
        -2 * v.z * v.x, -2 * v.z * v.y, 1 - 2 * v.z * v.z);
    return -mul(reflection, turn);
}

float3 ProbeRayDirection(uint ray, uint frame)
{
    return mul(FrameRotation(frame), sampling::SphericalFibonacci(float(ray), float(PROBE_RAYS)));
}

// ---- Atlases: the probes of a layer side by side, layers below each other ----

template<typename Tile>
uint2 TileCorner(ProbeVolume volume, uint probe)
{
    const uint perRow = volume.counts.x * volume.counts.y;
    return uint2(probe % perRow, probe / perRow) * Tile::FULL;
}

template<typename Tile>
float3 TexelDirection(uint2 texel)
{
    return packing::OctahedralDecode((float2(texel) + 0.5) / Tile::INTERIOR * 2 - 1);
}

// A bilinear lookup in a probe's map: the border makes it correct at the edges.
template<typename Tile, typename Texel>
Texel BilinearTile(RWTexture2D<Texel> atlas, ProbeVolume volume, uint probe, float3 direction)
{
    const float2 uv = (packing::OctahedralEncode(direction) * 0.5 + 0.5) * Tile::INTERIOR + 0.5;
    const uint2 base = min(uint2(uv), Tile::FULL - 2);
    const float2 f = uv - float2(base);
    const uint2 corner = TileCorner<Tile>(volume, probe) + base;
    const Texel top = lerp(atlas[corner], atlas[corner + uint2(1, 0)], f.x);
    const Texel bottom = lerp(atlas[corner + uint2(0, 1)], atlas[corner + uint2(1, 1)], f.x);
    return lerp(top, bottom, f.y);
}

// ---- Borders ----

template<typename Tile>
uint BorderTexels()
{
    return 4 * (Tile::FULL - 1);
}

// The texels of the border, once around.
template<typename Tile>
uint2 BorderTexel(uint i)
{
    const uint side = Tile::FULL - 1;
    const uint along = i % side;
    switch (i / side)
    {
        case 0:
            return uint2(along, 0);
        case 1:
            return uint2(side, along);
        case 2:
            return uint2(side - along, side);
        default:
            return uint2(0, side - along);
    }
}

// The interior texel that a border texel repeats: across an edge of the octahedron the map goes on mirrored, and across a
// corner it goes on at the opposite one.
template<typename Tile>
uint2 BorderSource(uint2 border)
{
    const uint last = Tile::FULL - 1;
    const bool2 edge = bool2(border.x == 0 || border.x == last, border.y == 0 || border.y == last);
    if (edge.x && edge.y)
        return uint2(border.x == 0 ? last - 1 : 1, border.y == 0 ? last - 1 : 1);
    if (edge.x)
        return uint2(border.x == 0 ? 1 : last - 1, last - border.y);
    return uint2(last - border.x, border.y == 0 ? 1 : last - 1);
}

#endif
