// What the shaders of this folder share: the tables of ../../run/dxr, whose every record has a number, and traces whose result is known without tracing.
#include "../../run/dxr/Inputs/tables.hlsli"

static const Payload NONE = { 7, 8 };

// A trace that runs hit record `record` (0 to 15), or miss record -1 - `record`.
void lane_trace(inout Payload p, int record)
{
    RayDesc r = record < 0 ? to(9, 0) : to(0, 0);
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, record & 15, 0, uint(-1 - record) & 7, r, p);
}
// What it leaves in the payload.
Payload lane_must(int record)
{
    Payload p;
    p.tag = record < 0 ? 199 - record : 100 + record;
    p.who = record < 0 ? ((-1 - record) & 1 ? MISS_B : MISS_A) : record & 1 ? CLOSEST_B : CLOSEST_A;
    return p;
}
#define IS_PAYLOAD(p, must) IS(p.tag, (must).tag); IS(p.who, (must).who)
