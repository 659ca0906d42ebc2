// Derivatives in compute shaders, since shader model 6.6; helper lanes, of which there are none.
// RUN: %rtc -T cs_6_6 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T cs_6_6 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck %s --check-prefix=SPIRV
// RUN: not %rtc -T cs_6_5 %s -Fo %t.dxil -fdiagnostics-format=rich 2>&1 | FileCheck %s --check-prefix=OLD
RWStructuredBuffer<float4> U : register(u0);
// SPIRV-DAG: OpCapability ComputeDerivativeGroupQuadsKHR
// SPIRV-DAG: OpCapability DerivativeControl
// SPIRV: OpExecutionMode {{.*}} DerivativeGroupQuadsKHR
[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID, uint i : SV_GroupIndex)
{
    float2 f = float2(id) * 0.5;
    min16float h = min16float(id.x);
    // CHECK: call float @dx.op.unary.f32(i32 83
    // CHECK: call float @dx.op.unary.f32(i32 86
    // CHECK: call half @dx.op.unary.f16(i32 85
    // SPIRV: OpDPdxCoarse
    // OLD: error[E0604]: `ddx` requires shader model 6.6, but the target is 6.5
    // OLD: [[#@LINE+1]]:19
    U[i] = float4(ddx(f), ddy_fine(f.x), ddx_fine(h)) + fwidth(f).xyxy + IsHelperLane();
}
