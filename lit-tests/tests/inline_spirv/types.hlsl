// Types that are made of an instruction: integers of 8 bits, arrays of descriptors; constants of them.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s < %t.txt
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: not %rtc -T cs_6_6 -E main -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=DXIL
// CHECK-DAG: OpCapability Int8
// CHECK-DAG: [[BYTE:%[0-9A-Za-z_]+]] = OpTypeInt 8 0
// CHECK-DAG: [[FOUR:%[0-9A-Za-z_]+]] = OpConstant {{%[0-9A-Za-z_]+}} 4{{$}}
// CHECK-DAG: [[IMAGE:%[0-9A-Za-z_]+]] = OpTypeImage
// CHECK-DAG: OpTypeArray [[IMAGE]] [[FOUR]]
// CHECK-DAG: OpDecorate [[IMAGES:%[0-9A-Za-z_]+]] DescriptorSet 1
// CHECK-DAG: OpDecorate [[IMAGES]] Binding 5
// CHECK-DAG: OpConstant [[BYTE]] 42
// DXIL: types.hlsl:[[@LINE+1]]:{{[0-9]+}}: error: `vk::SpirvType` exists in SPIR-V only: it cannot be compiled to DXIL [E0902]
using byte [[vk::ext_capability(/* Int8 */ 39)]] = vk::SpirvType</* OpTypeInt */ 21, 1, 1, vk::Literal<vk::integral_constant<uint, 8> >, vk::Literal<vk::integral_constant<bool, false> > >;
typedef vk::SpirvOpaqueType</* OpTypeArray */ 28, Texture2D, vk::integral_constant<uint, 4> > Textures;

[[vk::ext_instruction(/* OpConstant */ 43)]] byte constant_byte([[vk::ext_literal]] int v);
[[vk::ext_instruction(/* OpUConvert */ 113)]] byte narrow(uint v);
[[vk::ext_instruction(/* OpUConvert */ 113)]] uint widen(byte v);
[[vk::ext_instruction(/* OpIAdd */ 128)]] byte add(byte a, byte b);
[[vk::ext_instruction(/* OpCopyObject */ 83)]] vk::ext_result_id<uint> copy(uint a);

typedef vk::SpirvOpaqueType</* OpTypeImage */ 25, float, vk::Literal<vk::integral_constant<uint, 1> >,
    vk::Literal<vk::integral_constant<uint, 2> >, vk::Literal<vk::integral_constant<uint, 0> >, vk::Literal<vk::integral_constant<uint, 0> >,
    vk::Literal<vk::integral_constant<uint, 1> >, vk::Literal<vk::integral_constant<uint, 0> > > Image;
[[vk::binding(5, 1)]] Textures images;
[[vk::ext_instruction(/* OpCompositeExtract */ 81)]] Image image(Textures all, [[vk::ext_literal]] uint n);
[[vk::ext_instruction(/* OpImageFetch */ 95)]] float4 fetch(Image i, uint2 at);

struct Pair { byte a; byte b; };
byte sum(Pair p) { return add(p.a, p.b); }

RWStructuredBuffer<float> Out : register(u0);
RWStructuredBuffer<uint> Bytes : register(u1);

groupshared byte shared_bytes[4];
static const byte K = constant_byte(42);

[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    byte bytes[4];
    bytes[0] = narrow(id.x);
    bytes[1] = K;
    Pair p;
    p.a = bytes[id.x % 2];
    shared_bytes[id.x % 4] = bytes[1];
    p.b = shared_bytes[1];
    vk::ext_result_id<uint> wide = widen(sum(p));
    Bytes[id.x] = copy(wide);
    // CHECK: OpImageFetch
    Out[id.x] = fetch(image(images, 2), id.xy).x;
}
