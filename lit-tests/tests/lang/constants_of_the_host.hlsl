// In DXIL a constant with a number for Vulkan is a variable that the host sets: the variables after it are where the reference has them.
// RUN: %rtc -T ps_6_0 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T ps_6_0 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck %s --check-prefix=SPV
// CHECK: float before; {{.*}} Offset: 0
// CHECK-NEXT: int N; {{.*}} Offset: 4
// CHECK-NEXT: bool B; {{.*}} Offset: 8
// CHECK-NEXT: int M; {{.*}} Offset: 12
// CHECK-NEXT: float4 after; {{.*}} Offset: 16
// CHECK-NEXT: float tail; {{.*}} Offset: 32
// CHECK: cbufferLoadLegacy.i32(i32 59, {{.*}}, i32 0)
// CHECK: sitofp i32
// SPV: OpDecorate %N SpecId 3
// SPV: OpMemberDecorate %type__Globals 1 Offset 16
// SPV: OpMemberDecorate %type__Globals 2 Offset 32
enum Mode { First, Second };
float before;
[[vk::constant_id(3)]] const int N = 7;
[[vk::constant_id(4)]] const bool B = true;
[[vk::constant_id(5)]] const Mode M = Second;
float4 after;
float tail;
float4 main() : SV_Target { return N * after + before + tail + (B ? 1 : 0) + (M == Second ? 2 : 0); }
