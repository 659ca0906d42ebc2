// The sanitizer tells accesses outside of resources, each once for its place, with the requested and the available size.
// rtc -T lib_6_6
// scene: Inputs/bounds.toml
// RUN: not %rtc-run-cpu %s -o %T --sanitize -- -no-warnings -Zi -DWRONG 2>&1 | FileCheck %s
// RUN: %rtc-run-cpu %s -o %T --sanitize -- -no-warnings -Zi
// RUN: %rtc-run-cpu %s -o %T --sanitize -- -no-warnings -Od
#include "Inputs/resources.hlsli"

struct Item { uint a, b, c; };
ByteAddressBuffer Raw : register(t1);
RWByteAddressBuffer RawWritten : register(u1);
StructuredBuffer<Item> Items : register(t2);
RWStructuredBuffer<Item> ItemsWritten : register(u2);
Buffer<float4> Texels : register(t3);
RWBuffer<uint> TexelsWritten : register(u3);
Texture2D<float4> Picture : register(t4);
RWTexture2D<uint> R32Uint : register(u4);
struct Five { uint4 a; uint b; };

[shader("raygeneration")] void Main()
{
    uint t = thread(), n = one(), was;
#ifdef WRONG
    uint far = t == 2 ? 100 : 1;
    // CHECK-DAG: bounds.hlsl:[[@LINE+1]]:{{[0-9]+}}: bounds: `Main`, RawBufferLoad, thread (2, 0, 0): 8 bytes at 400 of `Raw` (t1), which has 32
    uint2 two = Raw.Load2(far * 4);
    // CHECK-DAG: bounds.hlsl:[[@LINE+1]]:{{[0-9]+}}: bounds: `Main`, RawBufferStore, thread (0, 0, 0): 4 bytes at 32 of `RawWritten` (u1), which has 32 (4 times)
    RawWritten.Store(32 * n, 1);
    // CHECK-DAG: bounds.hlsl:[[@LINE+1]]:{{[0-9]+}}: bounds: `Main`, AtomicBinOp, thread (2, 0, 0): 4 bytes at 800 of `RawWritten` (u1), which has 32
    RawWritten.InterlockedAdd(far * 8, 1, was);
    // CHECK-DAG: bounds.hlsl:[[@LINE+1]]:{{[0-9]+}}: bounds: `Main`, RawBufferLoad, thread (2, 0, 0): element 100 of `Items` (t2), which has 2
    uint item = Items[far].b;
    // CHECK-DAG: bounds.hlsl:[[@LINE+1]]:{{[0-9]+}}: bounds: `Main`, BufferLoad, thread (2, 0, 0): texel 100 of `Texels` (t3), which has 4
    float4 texel = Texels[far];
    // CHECK-DAG: bounds.hlsl:[[@LINE+1]]:{{[0-9]+}}: bounds: `Main`, BufferStore, thread (2, 0, 0): texel 100 of `TexelsWritten` (u3), which has 4
    TexelsWritten[far] = 3;
    // CHECK-DAG: bounds.hlsl:[[@LINE+1]]:{{[0-9]+}}: bounds: `Main`, TextureStore, thread (2, 0, 0): texel (100, 3) of level 0 of `R32Uint` (u4), which has 4 x 4
    R32Uint[uint2(far, 3)] = 3;
    // CHECK-DAG: bounds.hlsl:[[@LINE+1]]:{{[0-9]+}}: bounds: `Main`, TextureLoad, thread (0, 0, 0): texel (-1, 1) of level 0 of `Picture` (t4), which has {{[0-9]+ x [0-9]+}} (4 times)
    float4 left = Picture.Load(int3(n, n, 0), int2(-2, 0));
    // CHECK-DAG: bounds.hlsl:[[@LINE+1]]:{{[0-9]+}}: bounds: `Main`, TextureLoad, thread (0, 0, 0): level 7 of `Picture` (t4), which has 1 (4 times)
    left += Picture.Load(int3(n, n, 7 * n));
    ConstantBuffer<Five> five = ResourceDescriptorHeap[5 * n];
    // CHECK-DAG: bounds.hlsl:[[@LINE+1]]:{{[0-9]+}}: bounds: `Main`, CBufferLoadLegacy, thread (0, 0, 0): byte 16 of element 5 of `ResourceDescriptorHeap`, which has 16 (4 times)
    uint beyond = five.b;
    RawWritten.Store4(0, uint4(two.x + two.y + was, item, asuint(texel.x), asuint(left.x) + beyond));
#else
    // Accesses just inside, and reads next to the requested data, are valid.
    ConstantBuffer<Five> five = ResourceDescriptorHeap[6 * n];
    uint4 all = Raw.Load4(16 * n); uint3 some = Raw.Load3(20 * n); uint b = five.b;
    Item item = Items[n]; ItemsWritten[n] = item; float4 texel = Texels[3 * n]; TexelsWritten[3 * n] = 3;
    R32Uint[uint2(3 * n, 3)] = 4; float4 corner = Picture.Load(int3(n, n, 0), int2(-1, -1));
    RawWritten.InterlockedAdd(28 * n, 1, was); RawWritten.Store(28, all.x + some.x + item.c + b + asuint(texel.x) + asuint(corner.x) + was);
    uint bytes; Raw.GetDimensions(bytes);
#endif
    IS(n, 1); done(1);
}
