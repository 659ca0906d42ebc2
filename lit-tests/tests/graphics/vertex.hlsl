// Inputs and outputs of a vertex shader: registers in DXIL, locations and builtins in SPIR-V.
// RUN: %rtc -T vs_6_0 -E main %s -Fo %t.dxil
// RUN: %dxv %t.dxil
// RUN: %rtc -T vs_6_0 -E main %s -validator-version 1.6 -Fo %t.16.dxil
// RUN: %dxil-val %t.16.dxil
// RUN: %rtc validate %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T vs_6_0 -E main %s -Od -Fo %t.od.dxil
// RUN: %dxv %t.od.dxil
// RUN: %rtc -spirv -T vs_6_0 -E main %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -T vs_6_0 -E main %s -fspv-target-env=vulkan1.3 | FileCheck %s --check-prefix=SPV
// RUN: %rtc -spirv -T vs_6_0 -E main %s -fvk-invert-y -fvk-stage-io-order=alpha -fvk-support-nonzero-base-vertex | FileCheck %s --check-prefix=OPT

struct Base { float4 clip : SV_Position; };
struct Inner { centroid float2 uv : TEXCOORD0; uint id : ID; };
struct Out : Base { Inner inner; noperspective float3 rest[2] : REST; };
cbuffer C { float4x4 M; };

Out main(float3 position : POSITION, float2 uv : TEXCOORD, uint id : SV_VertexID, bool flag : FLAG, int4 k : K, float unused : UNUSED)
{
    Out o;
    o.clip = mul(M, float4(position, flag ? 1 : 2));
    o.inner.uv = uv;
    o.inner.id = id;
    o.rest[0] = k.xyz;
    o.rest[1] = position.zyx;
    return o;
}

// CHECK: Input signature
// CHECK: POSITION 0 xyz 0 NONE float xyz
// CHECK: TEXCOORD 0 xy 1 NONE float xy
// CHECK: SV_VertexID 0 x 2 VERTID uint x
// CHECK: FLAG 0 x 3 NONE uint x
// CHECK: K 0 xyzw 4 NONE int xyz
// CHECK: UNUSED 0 x 5 NONE float
// CHECK: Output signature
// CHECK: SV_Position 0 xyzw 0 POS float xyzw
// CHECK: TEXCOORD 0 xy 1 NONE float xy
// CHECK: ID 0 x 2 NONE uint x
// CHECK: REST 0 xyz 3 NONE float xyz
// CHECK: REST 1 xyz 4 NONE float xyz
// CHECK: define void @main()
// CHECK: call i32 @dx.op.loadInput.i32(i32 4, i32 2, i32 0, i8 0, i32 undef)
// CHECK: call void @dx.op.storeOutput.f32(i32 5, i32 3, i32 1, i8 2
// CHECK: !dx.viewIdState

// SPV: OpEntryPoint Vertex
// SPV-DAG: OpName [[SPVPOS:%[0-9A-Za-z_]+]] "in.var.POSITION"
// SPV-DAG: OpDecorate [[SPVPOS]] Location 0
// SPV-DAG: OpName [[SPVTEX:%[0-9A-Za-z_]+]] "in.var.TEXCOORD"
// SPV-DAG: OpDecorate [[SPVTEX]] Location 1
// SPV-DAG: OpName [[SPVFLAG:%[0-9A-Za-z_]+]] "in.var.FLAG"
// SPV-DAG: OpDecorate [[SPVFLAG]] Location 2
// SPV-DAG: OpName [[SPVK:%[0-9A-Za-z_]+]] "in.var.K"
// SPV-DAG: OpDecorate [[SPVK]] Location 3
// SPV-DAG: BuiltIn VertexIndex
// SPV-DAG: BuiltIn Position
// SPV-DAG: OpName [[SPVUV:%[0-9A-Za-z_]+]] "out.var.TEXCOORD0"
// SPV-DAG: OpDecorate [[SPVUV]] Location 0
// SPV-DAG: OpDecorate [[SPVUV]] Centroid
// SPV-DAG: OpName [[SPVID:%[0-9A-Za-z_]+]] "out.var.ID"
// SPV-DAG: OpDecorate [[SPVID]] Flat
// SPV-DAG: OpName [[SPVREST:%[0-9A-Za-z_]+]] "out.var.REST"
// SPV-DAG: OpDecorate [[SPVREST]] NoPerspective
// SPV-DAG: OpDecorate [[SPVREST]] Location 2

// OPT-DAG: OpName [[OPTFLAG:%[0-9A-Za-z_]+]] "in.var.FLAG"
// OPT-DAG: OpDecorate [[OPTFLAG]] Location 0
// OPT-DAG: OpName [[OPTPOS:%[0-9A-Za-z_]+]] "in.var.POSITION"
// OPT-DAG: OpDecorate [[OPTPOS]] Location 2
// OPT-DAG: BuiltIn BaseVertex
// OPT: OpFNegate
