// Memory at an address: scalars, vectors, structures, 16-bit numbers; in SPIR-V only.
// RUN: %rtc -T cs_6_6 -E main -enable-16bit-types -spirv %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s < %t.txt
// RUN: %rtc -T cs_6_6 -E main -enable-16bit-types -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: not %rtc -T cs_6_6 -E main -enable-16bit-types -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=DXIL
// CHECK: OpMemoryModel PhysicalStorageBuffer64 GLSL450
// CHECK: OpConvertUToPtr
// CHECK: OpLoad {{.*}} Aligned 4
struct Item { float3 a; uint b; row_major float2x2 m; float16_t h; };
struct Pushed { uint64_t address; uint count; };
[[vk::push_constant]] Pushed pc;
RWByteAddressBuffer Out : register(u0);
template<typename T> struct Pointer { uint64_t at; T load(uint i) { return vk::RawBufferLoad<T>(at + i * sizeof(T), 4); } };
[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID)
{
    Pointer<Item> p;
    p.at = pc.address;
    Item item = p.load(id.x);
    // DXIL: addresses.hlsl:15:{{[0-9]+}}: error: memory at an address (`vk::RawBufferLoad`) exists in SPIR-V only [E0902]
    uint plain = vk::RawBufferLoad(pc.address);
    item.b += plain;
    vk::RawBufferStore<Item>(pc.address + 64, item);
    vk::RawBufferStore<uint2>(pc.address + 8, uint2(1, 2), 8);
    Out.Store4(0, asuint(float4(item.a, item.m[1].y)) + item.b);
}
