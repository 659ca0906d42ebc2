// Indices of resources that may differ among the lanes of a wave and are not marked; the neighbours that are silent.

// CASE hit_shaders -T lib_6_6
Texture2D<float4> tex[] : register(t0, space1);
SamplerState samplers[4] : register(s0);
StructuredBuffer<uint> materials : register(t0);
cbuffer Frame { uint frame; };
struct P { float4 c; uint m; };
typedef BuiltInTriangleIntersectionAttributes A;
[shader("closesthit")] void ByInstance(inout P p, A a) { p.c = tex[InstanceID()].Load(0); }
//                                                             ^^^^^^^^^^^^^^^^^ W0863 rays of one wave may use different elements of `tex`, and its index is not marked as non-uniform
// = 7:68: note: this may differ between rays of a wave
// = note: which rays run in one wave is up to the device, and changes wherever it sorts or reorders them
// = note: put the index into `NonUniformResourceIndex(…)`
// = note: fix: insert `NonUniformResourceIndex(`
// = note: fix: insert `)`
[shader("closesthit")] void ByGeometry(inout P p, A a) { p.c = tex[GeometryIndex() + 2 * frame].Load(0); }
//                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0863 rays of one wave may use different elements of `tex`, and its index is not marked as non-uniform
// = 8:68: note: this may differ between rays of a wave
// = note: which rays run in one wave is up to the device, and changes wherever it sorts or reorders them
// = note: put the index into `NonUniformResourceIndex(…)`
// = note: fix: insert `NonUniformResourceIndex(`
// = note: fix: insert `)`
[shader("anyhit")] void ByPrimitive(inout P p, A a) { p.c = tex[materials[PrimitiveIndex()]].Load(0); }
//                                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0863 rays of one wave may use different elements of `tex`, and its index is not marked as non-uniform
// = 9:75: note: this may differ between rays of a wave
// = note: which rays run in one wave is up to the device, and changes wherever it sorts or reorders them
// = note: put the index into `NonUniformResourceIndex(…)`
// = note: fix: insert `NonUniformResourceIndex(`
// = note: fix: insert `)`
[shader("miss")] void ByPayload(inout P p) { p.c = tex[p.m].Load(0); }
//                                                 ^^^^^^^^ W0863 rays of one wave may use different elements of `tex`, and its index is not marked as non-uniform
// = 10:56: note: this may differ between rays of a wave
// = note: which rays run in one wave is up to the device, and changes wherever it sorts or reorders them
// = note: put the index into `NonUniformResourceIndex(…)`
// = note: fix: insert `NonUniformResourceIndex(`
// = note: fix: insert `)`
[shader("callable")] void ByParameter(inout P p) { p.c = tex[0].SampleLevel(samplers[p.m], float2(0, 0), 0); }
//                                                                          ^^^^^^^^^^^^^ W0863 rays of one wave may use different elements of `samplers`, and its index is not marked as non-uniform
// = 11:86: note: this may differ between rays of a wave
// = note: which rays run in one wave is up to the device, and changes wherever it sorts or reorders them
// = note: put the index into `NonUniformResourceIndex(…)`
// = note: fix: insert `NonUniformResourceIndex(`
// = note: fix: insert `)`
// These are silent: what is the same for all, marked through whatever values, or decided by a condition.
uint Mark(uint i) { return NonUniformResourceIndex(i); }
struct Both { uint a, b; };
[shader("closesthit")] void Constant(inout P p, A a) { p.c = tex[3].Load(0) + tex[frame].Load(0) + tex[materials[frame]].Load(0); }
[shader("closesthit")] void Marked(inout P p, A a)
{
    Both both = { 0, Mark(InstanceID()) };
    uint i = both.b;
    if (frame > 2)
        i = i * 4 + 1;
    p.c = tex[i].Load(0) + tex[NonUniformResourceIndex(p.m)].Load(0);
}
[shader("closesthit")] void Guarded(inout P p, A a)
{
    uint i = InstanceID();
    p.c = 0;
    if (i == 5)
        p.c += tex[i].Load(0);
    if (WaveActiveAllEqual(i))
        p.c += tex[i].Load(0);
    for (;;)
    {
        uint s = WaveReadLaneFirst(i);
        if (s == i)
        {
            p.c += tex[s].Load(0) + tex[i].Load(0);
            break;
        }
    }
}
// Other libraries may pass the same to all.
export float4 Other(uint i) { return tex[i].Load(0); }

// CASE local_root_constants -T lib_6_3
LocalRootSignature Local = { "RootConstants(num32BitConstants=1, b0, space=2)" };
SubobjectToExportsAssociation Of = { "Local", "Hit" };
cbuffer Record : register(b0, space2) { uint material; };
cbuffer Frame : register(b1, space2) { uint frame; };
Texture2D<float4> tex[] : register(t0, space1);
struct P { float4 c; };
[shader("closesthit")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a)
{
    p.c = tex[material].Load(0) + tex[frame].Load(0);
//        ^^^^^^^^^^^^^ W0863 rays of one wave may use different elements of `tex`, and its index is not marked as non-uniform
// = 9:15: note: this may differ between rays of a wave
// = note: which rays run in one wave is up to the device, and changes wherever it sorts or reorders them
// = note: put the index into `NonUniformResourceIndex(…)`
// = note: fix: insert `NonUniformResourceIndex(`
// = note: fix: insert `)`
}

// CASE across_a_reorder_point -T lib_6_6
RaytracingAccelerationStructure scene : register(t0);
RWTexture2D<float4> output : register(u0);
Texture2D<float4> tex[] : register(t0, space1);
struct P { float4 c; };
[shader("raygeneration")] void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { (float4)0 };
    uint s = WaveReadLaneFirst(DispatchRaysIndex().x / 7);
    float4 c = tex[s].Load(0);
    TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    output[DispatchRaysIndex().xy] = c + p.c + tex[s].Load(0);
//                                             ^^^^^^^^^^^^^^ W0863 the index of `tex` is a number of the wave before a reorder point, used after it, and not marked as non-uniform
// = 9:14: note: of the wave that the thread is in here
// = 11:5: note: the thread may go to another wave here
// = note: results of wave operations hold up to the next reorder point (DXR 1.31, wave intrinsics)
// = note: put the index into `NonUniformResourceIndex(…)`
// = note: fix: insert `NonUniformResourceIndex(`
// = note: fix: insert `)`
}

// CASE heaps_and_choices -T cs_6_6
cbuffer C { uint base; bool which; };
Texture2D<float4> tex[8] : register(t0);
Texture2D<float4> other : register(t9);
RWStructuredBuffer<float4> output : register(u0);
[numthreads(8, 8, 1)] void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 local : SV_GroupThreadID)
{
    Texture2D<float4> heap = ResourceDescriptorHeap[base + id.x];
//                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0863 lanes of one wave may use different elements of `ResourceDescriptorHeap`, and its index is not marked as non-uniform
// = 5:28: note: this may differ between lanes of a wave
// = note: the lanes of a wave may use the resource of one of them
// = note: put the index into `NonUniformResourceIndex(…)`
// = note: fix: insert `NonUniformResourceIndex(`
// = note: fix: insert `)`
    SamplerState s = SamplerDescriptorHeap[local.y];
//                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0863 lanes of one wave may use different elements of `SamplerDescriptorHeap`, and its index is not marked as non-uniform
// = 5:28: note: this may differ between lanes of a wave
// = note: the lanes of a wave may use the resource of one of them
// = note: put the index into `NonUniformResourceIndex(…)`
// = note: fix: insert `NonUniformResourceIndex(`
// = note: fix: insert `)`
    float4 c = heap.SampleLevel(s, float2(0, 0), 0);
    Texture2D<float4> chosen = tex[2];
    if (local.x > 3)
        chosen = tex[5];
    c += chosen.Load(0);
    Texture2D<float4> list[2] = { tex[base], tex[base + 1] };
    c += list[id.y & 1].Load(0);
    // A branch chooses between two declarations, and no index; what is chosen among elements is marked.
    Texture2D<float4> apart = tex[1];
    if (local.x > 4)
        apart = other;
    Texture2D<float4> far = tex[base];
    if (local.x > 5)
        far = other;
    output[id.x] = c + apart.Load(0) + far.Load(0);
}

// CASE what_a_wave_has_together -T cs_6_6
cbuffer C { uint base; bool which; };
Texture2D<float4> tex[64] : register(t0);
RWStructuredBuffer<uint> list : register(u1);
RWStructuredBuffer<float4> output : register(u0);
groupshared uint shared_index;
[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 local : SV_GroupThreadID, uint flat : SV_GroupIndex)
{
    if (flat == 0)
        shared_index = list[id.x];
    GroupMemoryBarrierWithGroupSync();
    float4 c = tex[group.x].Load(0) + tex[id.y].Load(0) + tex[local.z].Load(0) + tex[id.x / 64].Load(0) + tex[shared_index].Load(0);
    c += tex[list[group.y]].Load(0) + tex[WaveActiveMax(id.x)].Load(0);
    Texture2D<float4> heap = ResourceDescriptorHeap[NonUniformResourceIndex(id.x)];
    c += heap.Load(0);
    Texture2D<float4> chosen = tex[2];
    if (which)
        chosen = tex[5];
    c += chosen.Load(0);
    if (flat < 5)
        for (uint i = 0; i < base; ++i)
            c += tex[i].Load(0);
    // All others are the same in a wave, or marked.
    output[id.x] = c + tex[id.x].Load(0);
//                     ^^^^^^^^^ W0863 lanes of one wave may use different elements of `tex`, and its index is not marked as non-uniform
// = 6:29: note: this may differ between lanes of a wave
// = note: the lanes of a wave may use the resource of one of them
// = note: put the index into `NonUniformResourceIndex(…)`
// = note: fix: insert `NonUniformResourceIndex(`
// = note: fix: insert `)`
}

// CASE pixel_inputs -T ps_6_6
Texture2D<float4> tex[8] : register(t0);
cbuffer C { uint base; };
float4 main(nointerpolation uint material : MATERIAL, uint primitive : SV_PrimitiveID, uint view : SV_ViewID) : SV_Target
{
    return tex[material].Load(0) + tex[primitive].Load(0) + tex[view].Load(0) + tex[base].Load(0);
//         ^^^^^^^^^^^^^ W0863 lanes of one wave may use different elements of `tex`, and its index is not marked as non-uniform
// = 3:13: note: this may differ between lanes of a wave
// = note: the lanes of a wave may use the resource of one of them
// = note: put the index into `NonUniformResourceIndex(…)`
// = note: fix: insert `NonUniformResourceIndex(`
// = note: fix: insert `)`
//                                 ^^^^^^^^^^^^^^ W0863 lanes of one wave may use different elements of `tex`, and its index is not marked as non-uniform
// = 3:55: note: this may differ between lanes of a wave
// = note: the lanes of a wave may use the resource of one of them
// = note: put the index into `NonUniformResourceIndex(…)`
// = note: fix: insert `NonUniformResourceIndex(`
// = note: fix: insert `)`
}
