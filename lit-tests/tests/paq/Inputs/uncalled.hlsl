// The other library of `uncalled.hlsl`.
struct Base { float seed; };
struct P : Base { float c; };
struct Plain { float c; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u0);
float visible(RayDesc r)
{
    P p;
    p.seed = 2;
    TraceRay(Scene, 0, 0xff, 0, 1, 0, r, p);
    return p.c;
}
export float nothing(Plain p) { return p.c; }
