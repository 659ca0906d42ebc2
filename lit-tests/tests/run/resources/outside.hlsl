// What lies outside of a buffer reads zero and is not written: words of raw buffers, elements of structured ones, texels.
// rtc -T lib_6_6
// scene: Inputs/some.toml
// RUN: %rtc -T lib_6_6 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/resources.hlsli"

struct Item { uint a, b, c; };
ByteAddressBuffer Raw : register(t1);
RWByteAddressBuffer RawWritten : register(u1);
StructuredBuffer<Item> Items : register(t2);
RWStructuredBuffer<Item> ItemsWritten : register(u2);
Buffer<float4> Texels : register(t3);
RWBuffer<uint> TexelsWritten : register(u3);
Buffer<float> Floats : register(t4);
struct Four { uint4 a; float4 b; uint4 c; uint4 more[4]; };

[shader("raygeneration")] void Main()
{
    if (thread() > 0) { done(0); return; }
    uint n = one();
    // Raw: 32 bytes.
    IS(Raw.Load(28 * n), 8); IS(Raw.Load(32 * n), 0); IS(Raw.Load(0xfffffffcu * n), 0);
    uint4 part = Raw.Load4(24 * n);
    IS(part.x, 7); IS(part.y, 8); IS(part.z, 0); IS(part.w, 0);
    // Wide ones are there whole or not at all, and any address will do.
    uint64_t wide = Raw.Load<uint64_t>(24 * n), half = Raw.Load<uint64_t>(28 * n);
    IS(uint(wide), 7); IS(uint(wide >> 32), 8); IS(uint(half), 0); IS(uint(half >> 32), 0);
    IS(Raw.Load<uint64_t2>(20 * n).x >> 32 == 7, 1); IS(Raw.Load<uint64_t2>(20 * n).y == 0, 1);
    IS(Raw.Load(2 * n), 2 << 16); IS(Raw.Load(26 * n), 8 << 16); IS(Raw.Load(30 * n), 0);
    RawWritten.Store4(24 * n, uint4(70, 80, 90, 100)); RawWritten.Store(0xfffffffcu * n, 5);
    IS(RawWritten.Load(24), 70); IS(RawWritten.Load(28), 80); IS(RawWritten.Load(0), 1);
    uint was = 9;
    RawWritten.InterlockedAdd(32 * n, 5, was); IS(was, 0);
    RawWritten.InterlockedAdd(28 * n, 5, was); IS(was, 80); IS(RawWritten.Load(28), 85);
    RawWritten.InterlockedCompareExchange(1000 * n, 0, 5, was); IS(was, 0);
    // Structured: two elements, and two thirds of a third.
    IS(Items[n].c, 6); IS(Items[2 * n].a, 0); IS(Items[2 * n].b, 0); IS(Items[0xffffffffu * n].a, 0);
    Item all = Items[0x80000001u * n]; IS(all.a + all.b + all.c, 0);
    Item it = { 77, 78, 79 };
    ItemsWritten[2 * n] = it; ItemsWritten[0xffffffffu * n] = it; ItemsWritten[n] = it;
    IS(ItemsWritten[1].b, 78); IS(ItemsWritten[0].c, 3);
    InterlockedAdd(ItemsWritten[5 * n].a, 5, was); IS(was, 0);
    // Texels: four of them.
    ISF(Texels[3 * n].w, 1); ISF(Texels[4 * n].x, 0); ISF(Texels[4 * n].w, 0); ISF(Texels[0xffffffffu * n].y, 0);
    TexelsWritten[4 * n] = 5; TexelsWritten[3 * n] = 6; IS(TexelsWritten[3], 6); IS(TexelsWritten[4 * n], 0);
    InterlockedAdd(TexelsWritten[9 * n], 1, was); IS(was, 0);
    ISF(Floats[3 * n], 4); ISF(Floats[4 * n], 0);
    // Sizes.
    uint count, stride;
    Raw.GetDimensions(count); IS(count, 32);
    Items.GetDimensions(count, stride); IS(count, 2); IS(stride, 12);
    Texels.GetDimensions(count); IS(count, 4);
    Floats.GetDimensions(count); IS(count, 4);
    // Constants: 48 bytes.
    ConstantBuffer<Four> Constants = ResourceDescriptorHeap[5 * n];
    IS(Constants.a[n], 2); ISF(Constants.b[3 * n], 3.5); IS(Constants.c.z, 0x00020001); IS(Constants.more[3 * n].w, 0); IS(Constants.more[1000 * n].w, 0);
    done(50);
}
