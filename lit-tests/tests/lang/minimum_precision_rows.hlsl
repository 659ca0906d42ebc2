// In a constant buffer, members of minimum precision and others share no row, as the reference compiler places them; in structures they do.
// RUN: %rtc -T ps_6_0 -E Ps %s -Fc - | FileCheck %s
// RUN: %rtc -T ps_6_2 -E Ps -enable-16bit-types %s -Fc - | FileCheck %s --check-prefix=NATIVE
// RUN: %rtc -T ps_6_0 -E Ps -spirv -fvk-use-dx-layout %s -Fc - | FileCheck %s --check-prefix=SPIRV
// CHECK: h1; {{.*}} Offset: 0
// CHECK: z1; {{.*}} Offset: 16
// CHECK: h2; {{.*}} Offset: 32
// CHECK: h3; {{.*}} Offset: 36
// CHECK: z2; {{.*}} Offset: 48
// CHECK: z3; {{.*}} Offset: 52
// NATIVE: h1; {{.*}} Offset: 0
// NATIVE: z1; {{.*}} Offset: 4
// NATIVE: h2; {{.*}} Offset: 8
// SPIRV-DAG: OpMemberDecorate %{{[0-9A-Za-z_]+}} 1 Offset 4
// SPIRV-DAG: OpMemberDecorate %{{[0-9A-Za-z_]+}} 2 Offset 8
cbuffer B : register(b0) { min16float h1; float z1; min16float h2; min16float2 h3; float z2; float2 z3; };
float4 Ps() : SV_Target { return float4(h1 + z1, h2, h3.x + h3.y, z2 + z3.x + z3.y); }
