// `[[vk::...]]` in front of a type that is defined with its variable are attributes of the variable, as in C++.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s < %t.txt
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -DNAMED=Constants -DCONST=const %s -Fo %t.2.spv -Fc %t.2.txt
// RUN: %spirv-val %t.2.spv
// RUN: FileCheck %s < %t.2.txt
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -Od -DNAMED=Constants %s -Fo %t.3.spv
// RUN: %spirv-val %t.3.spv
// RUN: %rtc -T cs_6_6 -E main -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: not %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -DWRONG -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=WRONG
// CHECK: OpMemberDecorate {{%[0-9A-Za-z_]+}} 0 Offset 16
// CHECK: OpDecorate {{%[0-9A-Za-z_]+}} SpecId 7
// CHECK: OpMemberDecorate {{%[0-9A-Za-z_]+}} 0 Offset 32
// CHECK: OpVariable {{%[0-9A-Za-z_]+}} PushConstant
#ifndef NAMED
#define NAMED
#endif
#ifndef CONST
#define CONST
#endif
RWStructuredBuffer<uint> Out : register(u0);
[[vk::push_constant]] CONST struct NAMED { [[vk::offset(16)]] struct { uint n; } inside; uint after; } pc;
[[vk::constant_id(7)]] const enum Mode { First, Second } mode = Second;
[[vk::binding(5)]] struct { RWTexture2D<uint> picture; } resources;
cbuffer Block : register(b3) { [[vk::offset(32)]] struct { uint n; } member; };
#ifdef WRONG
// WRONG: attributes_before_definitions.hlsl:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[E0405]
[[vk::push_constant]] struct Alone { uint n; };
#endif
[numthreads(1, 1, 1)] void main() { Out[0] = pc.inside.n + pc.after + mode + resources.picture[uint2(0, 1)] + member.n; }
