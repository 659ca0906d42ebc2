// Structures in byte-address buffers: members lie by the rule of storage buffers, matrices are consecutive components.
// RUN: %rtc -T cs_6_2 -spirv %s -Fo %t.spv -Fc - | FileCheck %s --check-prefixes=VULKAN
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_2 -spirv -fvk-use-dx-layout %s -Fo %t.dx.spv -Fc - | FileCheck %s --check-prefixes=DX
// RUN: %spirv-val %t.dx.spv
struct Pair { float a; float3 b; };
struct All { float first; Pair pair; float2x3 m; float last; };
RWByteAddressBuffer raw;

// The pair is at 16, its vector at 20, the matrix at 32 in 3 columns of 2, the last member at 56.
// VULKAN: [[N:%[0-9A-Za-z_]+]] = OpConstant {{.*}} 14{{$}}
// VULKAN: OpAccessChain {{.*}} [[N]]{{$}}
// Packed: the pair at 4, the matrix at 20, the last at 44.
// DX: [[N:%[0-9A-Za-z_]+]] = OpConstant {{.*}} 11{{$}}
// DX: OpAccessChain {{.*}} [[N]]{{$}}
[numthreads(1, 1, 1)] void main()
{
    All all = raw.Load<All>(0);
    raw.Store(128, all.last);
}
