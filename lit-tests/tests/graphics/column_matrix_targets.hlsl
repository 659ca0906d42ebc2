// A matrix of one column is one register: a vector as the result of a pixel shader and as a position, in SPIR-V too. Of one that takes several registers no
// target can be made.
// RUN: %rtc -T ps_6_0 -validator-version 1.6 %s -E targets -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T ps_6_0 -spirv %s -E targets -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck %s --check-prefix=SPIRV
// RUN: %rtc -T vs_6_0 -validator-version 1.6 %s -E position -Fo %t.vs.dxil
// RUN: %dxil-val %t.vs.dxil
// RUN: %rtc dis %t.vs.dxil | FileCheck %s --check-prefix=POSITION
// RUN: %rtc -T vs_6_0 -spirv %s -E position -Fo %t.vs.spv
// RUN: %spirv-val %t.vs.spv
// RUN: not %rtc -T ps_6_0 %s -E rows 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not %rtc -T ps_6_0 -Zpr %s -E targets 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: `SV_Target{{.*}}` must have type `float4`

struct Targets { float4x1 a : SV_Target0; row_major float1x2 b : SV_Target1; float3x1 c : SV_Target2; };
// CHECK: SV_Target                0   xyzw        0   TARGET   float   xyzw
// CHECK-NEXT: SV_Target                1   xy          1   TARGET   float   xy
// CHECK-NEXT: SV_Target                2   xyz         2   TARGET   float   xyz
// CHECK: @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %{{.*}})
// CHECK: @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float 2.0
// CHECK: @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float 5.0
// CHECK: @dx.op.storeOutput.f32(i32 5, i32 1, i32 0, i8 1, float 4.0
// CHECK: @dx.op.storeOutput.f32(i32 5, i32 2, i32 0, i8 2, float 6.0
// SPIRV-DAG: %out_var_SV_Target0 = OpVariable {{ *}}%_ptr_Output_v4float
// SPIRV-DAG: %out_var_SV_Target1 = OpVariable {{ *}}%_ptr_Output_v2float
// SPIRV-DAG: %out_var_SV_Target2 = OpVariable {{ *}}%_ptr_Output_v3float
Targets targets(float2 p : P)
{
    Targets t;
    t.a._m00 = p.x; t.a._m10 = 2; t.a._m20 = 3; t.a._m30 = 5;
    t.b = float1x2(3, 4);
    t.c = float3x1(7, 8, 6);
    return t;
}
// POSITION: SV_Position              0   xyzw        0      POS   float   xyzw
float4x1 position(float4 p : P) : SV_Position { return (float4x1)p; }
float1x4 rows(float4 p : P) : SV_Target { return (float1x4)p; }
