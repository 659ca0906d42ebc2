// The payload of accesses.hlsl: `rtc paq -fix` gives a copy of it qualifiers.
struct Inner { uint x; uint y; void grow(uint n) { x += n; } };
struct Payload
{
    uint seed;
    uint4 a;
    uint b[4];
    uint2 c[2];
    float2x2 m;
    uint3 v;
    uint f : 5;
    uint g : 9;
    uint h[2];
    Inner inner;
    uint moved[3];
    uint chosen;
    uint result;
};
