// `[[vk::aliased_pointer]]` on members of blocks and structures, variables and parameters.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: not %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -DWRONG -fdiagnostics-format=short %s 2>&1 | FileCheck %s
typedef vk::BufferPointer<float, 4> P;
struct Pair { [[vk::aliased_pointer]] P a; P b; };
cbuffer C : register(b0) { [[vk::aliased_pointer]] P bp; Pair pair; };
tbuffer T : register(t4) { [[vk::aliased_pointer]] P tp; };
ConstantBuffer<Pair> D : register(b1);
RWStructuredBuffer<Pair> pairs : register(u2);
[[vk::push_constant]] struct { [[vk::aliased_pointer]] P p; } pc;
RWStructuredBuffer<float> o : register(u1);
#ifdef WRONG
// CHECK: aliased_members.hlsl:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}variables, parameters and members{{.*}}[E0405]
[[vk::aliased_pointer]] float function() { return 0; }
#endif
float get([[vk::aliased_pointer]] P p) { return p.Get(); }
[numthreads(1, 1, 1)] void main()
{
    [[vk::aliased_pointer]] P local = pairs[1].a;
    o[0] = bp.Get() + get(pair.a) + pair.b.Get() + D.a.Get() + local.Get() + pc.p.Get() + tp.Get();
}
