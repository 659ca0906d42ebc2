// Inputs and outputs of a pixel shader, discarding, depth, derivatives, evaluation of attributes.
// RUN: %rtc -T ps_6_0 -E main %s -Fo %t.dxil
// RUN: %dxv %t.dxil
// RUN: %rtc -T ps_6_0 -E main %s -validator-version 1.6 -Fo %t.16.dxil
// RUN: %dxil-val %t.16.dxil
// RUN: %rtc validate %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T ps_6_0 -E main %s -Od -Fo %t.od.dxil
// RUN: %dxv %t.od.dxil
// RUN: %rtc -spirv -T ps_6_0 -E main %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -T ps_6_0 -E main %s | FileCheck %s --check-prefixes=SPV,KILL
// RUN: %rtc -spirv -T ps_6_0 -E main %s -fspv-target-env=vulkan1.3 | FileCheck %s --check-prefixes=SPV,DEMOTE
// RUN: %rtc -spirv -T ps_6_0 -E main %s -fvk-use-dx-position-w | FileCheck %s --check-prefix=W

struct In { float4 at : SV_Position; float2 uv : TEXCOORD0; nointerpolation uint k : K; bool front : SV_IsFrontFace; uint sample : SV_SampleIndex; };
Texture2D T;
SamplerState S;

[earlydepthstencil]
void main(In i, out float4 colour[2] : SV_Target1, out float depth : SV_DepthGreaterEqual, out uint mask : SV_Coverage)
{
    clip(i.uv - 0.25);
    if (i.k > 7)
        discard;
    colour[0] = T.Sample(S, i.uv) * ddx_fine(i.uv.x);
    colour[1] = float4(EvaluateAttributeSnapped(i.uv, int2(-3, 5)), EvaluateAttributeCentroid(i.uv).y, i.front);
    depth = i.at.z / i.at.w;
    mask = i.sample;
}

// CHECK: SV_Position 0 xyzw 0 POS float zw
// CHECK: TEXCOORD 0 xy 1 NONE float xy
// CHECK: K 0 x 2 NONE uint x
// CHECK: SV_IsFrontFace 0 y 2 FFACE uint y
// CHECK: SV_Target 1 xyzw 1 TARGET float xyzw
// CHECK: SV_Target 2 xyzw 2 TARGET float xyzw
// CHECK: define void @main()
// CHECK-DAG: @dx.op.discard(i32 82
// CHECK-DAG: DerivFineX
// CHECK-DAG: EvalSnapped
// CHECK-DAG: EvalCentroid
// CHECK-DAG: SampleIndex

// SPV: OpExecutionMode {{%[0-9A-Za-z_]+}} OriginUpperLeft
// SPV-DAG: OpExecutionMode {{%[0-9A-Za-z_]+}} EarlyFragmentTests
// SPV-DAG: OpExecutionMode {{%[0-9A-Za-z_]+}} DepthReplacing
// SPV-DAG: OpExecutionMode {{%[0-9A-Za-z_]+}} DepthGreater
// SPV-DAG: BuiltIn FragCoord
// SPV-DAG: BuiltIn FrontFacing
// SPV-DAG: BuiltIn SampleId
// SPV-DAG: BuiltIn SampleMask
// SPV-DAG: BuiltIn FragDepth
// SPV-DAG: Location 1
// SPV-DAG: Location 2
// KILL: OpKill
// DEMOTE: OpDemoteToHelperInvocation
// W: OpFDiv
