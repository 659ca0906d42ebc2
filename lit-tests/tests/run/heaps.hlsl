// Descriptor heaps: every kind of resource, as initialisers, arguments, in templates, chosen by control flow.
// reference: no, it has no heaps for Vulkan
// options: -T lib_6_6
// RUN: %rtc -T lib_6_6 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_6 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_6 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_6 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

struct Row { float2 a; uint n; };
struct Numbers { float4 first; float2 second; };
template<class T> T Get(uint i) { return ResourceDescriptorHeap[i]; }
template<class T> T Far(uint i) { return ResourceDescriptorHeap[NonUniformResourceIndex(i)]; }
template<typename T> struct Bindless { uint index; T get() { return Get<T>(index); } };
uint load(RWByteAddressBuffer b) { return b.Load(Thread() * 4); }
uint at() { return Thread() * 4; }
[shader("raygeneration")]
void Main()
{
    uint t = Thread();
    RWByteAddressBuffer a = ResourceDescriptorHeap[0];
    RWByteAddressBuffer b = Get<RWByteAddressBuffer>(1);
    a.Store(at(), 5 + t); b.Store(at(), 100 + t);
    expect(a.Load(at()), 5 + t); expect(load(b), 100 + t);
    expect(load(ResourceDescriptorHeap[0]), 5 + t);
    expect(load(ResourceDescriptorHeap[NonUniformResourceIndex(t & 1)]), t & 1 ? 100 + t : 5 + t);
    uint far = NonUniformResourceIndex(t & 1);
    uint more = far + 0;
    RWByteAddressBuffer c = ResourceDescriptorHeap[more];
    expect(c.Load(at()), t & 1 ? 100 + t : 5 + t);
    expect((t & 2 ? a : b).Load(at()), t & 2 ? 5 + t : 100 + t);
    RWStructuredBuffer<Row> rows = ResourceDescriptorHeap[2];
    Row r; r.a = float2(t, 2); r.n = 9 + t; rows[t] = r;
    StructuredBuffer<Row> back = ResourceDescriptorHeap[2];
    expect(rows[t].n, 9 + t); expect(back[t].n, 9 + t); expect(int(back[t].a.x), t);
    Bindless<RWStructuredBuffer<Row> > handle; handle.index = 2;
    expect(handle.get()[t].n, 9 + t);
    RWTexture2D<uint> image = ResourceDescriptorHeap[13];
    image[uint2(t, 1)] = 40 + t; expect(image[uint2(t, 1)], 40 + t);
    InterlockedAdd(image[uint2(t, 1)], 2); expect(image[uint2(t, 1)], 42 + t);
    RWTexture2D<float4> colour = Far<RWTexture2D<float4> >(12);
    colour[uint2(t, 0)] = float4(1, 2, 3, t); expect(int(colour[uint2(t, 0)].w), t);
    ConstantBuffer<Numbers> numbers = ResourceDescriptorHeap[8];
    ConstantBuffer<Numbers> other = ResourceDescriptorHeap[9];
    expect(numbers.second.y == numbers.second.y, 1);
    expect(numbers.first.x == other.first.x, 0);
    uint w, h; colour.GetDimensions(w, h); expect(w * h, 64);
}
