// The eight places of micromaps.toml and the small triangles of their micromaps: what must be found there.
// What the places' geometries and instances say: bits 0 opaque geometry, 1 force 2 states, 2 disable, 3 force opaque, 4 force not opaque.
static const uint PLACE[8] = { 0, 1, 2, 5, 6, 8, 17, 12 };
// 0: nothing, 1: opaque, 2: an any-hit shader decides.
uint must(uint place, uint state, uint flags)
{
    uint says = PLACE[place];
    bool opaque = says & 1;
    if (!(says & 4))
    {
        bool known = (says & 2) || (flags & RAY_FLAG_FORCE_OMM_2_STATE);
        if (state == 0 || (known && state == 2))
            return 0;
        opaque = state == 1 || (known && state == 3);
    }
    if (says & 8) opaque = true;
    if (says & 16) opaque = false;
    if ((flags & RAY_FLAG_CULL_OPAQUE) && opaque || (flags & RAY_FLAG_CULL_NON_OPAQUE) && !opaque)
        return 0;
    if (flags & RAY_FLAG_FORCE_OPAQUE) opaque = true;
    if (flags & RAY_FLAG_FORCE_NON_OPAQUE) opaque = false;
    return opaque ? 1 : 2;
}
// In the middle of a small triangle: at the first vertex, in the middle, at the second and the third vertex.
RayDesc into(uint place, uint which)
{
    static const float2 AT[4] = { float2(-0.5, -0.75), float2(0, -0.25), float2(0, 0.5), float2(0.5, -0.75) };
    return ray(float3(10.0 * place + AT[which].x, AT[which].y, -5), float3(0, 0, 1));
}
