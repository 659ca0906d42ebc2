// Options that change a SPIR-V module's entry point, execution modes and image formats.
RWTexture2D<float> Single;
RWTexture2D<float4> Four;
[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID) { Single[id.xy] = Four[id.xy].x; }
// RUN: %rtc -T cs_6_0 -spirv %s -fspv-entrypoint-name=other -fspv-enable-maximal-reconvergence -fspv-use-unknown-image-format -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck %s
// CHECK-DAG: OpExtension "SPV_KHR_maximal_reconvergence"
// CHECK-DAG: OpEntryPoint GLCompute %[[MAIN:[0-9A-Za-z_]+]] "other"
// CHECK: OpExecutionMode %[[MAIN]] MaximallyReconvergesKHR
// CHECK-NOT: R32f
// By default, formats follow from single components, and the name is the function's.
// RUN: %rtc -T cs_6_0 -spirv %s | FileCheck --check-prefix=DEFAULT %s
// RUN: %rtc -T cs_6_0 -spirv %s -fspv-entrypoint-name= | FileCheck --check-prefix=DEFAULT %s
// DEFAULT: OpEntryPoint GLCompute {{.*}} "main"
// DEFAULT: OpTypeImage {{.*}} R32f
// A limit of ids, and options that make no sense.
// RUN: not %rtc -T cs_6_0 -spirv %s -fspv-max-id 10 -Fo %t.no.spv 2>&1 | FileCheck --check-prefix=MAX %s
// RUN: not test -e %t.no.spv
// MAX: error: the largest id of the SPIR-V module is {{[0-9]+}}, and 10 is allowed
// RUN: not %rtc -T cs_6_0 -spirv %s -fspv-max-id many 2>&1 | FileCheck --check-prefix=MANY %s
// MANY: rtc: error: -fspv-max-id many: expected a number
// RUN: not %rtc -T cs_6_0 -spirv %s -Oconfig=-O -Oconfig=-Os 2>&1 | FileCheck --check-prefix=OCONFIG %s
// OCONFIG: rtc: error: -Oconfig is given more than once
// RUN: not %rtc -T cs_6_0 -spirv %s -Oconfig=-O -O0 2>&1 | FileCheck --check-prefix=LEVEL %s
// LEVEL: rtc: error: -Oconfig says itself how to optimise: it does not go with -O0
// RUN: not %rtc -T cs_6_0 -spirv %s -fspv-extension=MyExtension 2>&1 | FileCheck --check-prefix=EXTENSION %s
// EXTENSION: rtc: error: -fspv-extension=MyExtension: expected the name of a SPIR-V extension
// RUN: %rtc -T cs_6_0 -spirv %s -fspv-extension=KHR -fspv-extension=SPV_EXT_mesh_shader -Fo %t.known.spv
// RUN: not %rtc -T cs_6_0 -Gec -HV 2021 %s 2>&1 | FileCheck --check-prefix=GEC %s
// GEC: rtc: error: -Gec is for HLSL 2016, and -HV 2021 asks for another version
// Decorations for reflection, and variables of what is not used.
#ifdef REFLECT
Buffer<uint> Unused;
RaytracingAccelerationStructure NoRays : register(t9);
RWStructuredBuffer<float2> Counted;
RWStructuredBuffer<float2> Stored;
AppendStructuredBuffer<float2> Appended;
cbuffer Block { float Amount; };
[numthreads(1, 1, 1)] void Reflected(uint3 id : SV_DispatchThreadID)
{
    Counted[Counted.IncrementCounter()] = Amount;
    // The buffer is used before its counter.
    Stored[7] = Amount; Stored[Stored.IncrementCounter()] = 2;
    Appended.Append(Stored[1]);
}
#endif
// RUN: %rtc -T cs_6_0 -E Reflected -DREFLECT -spirv %s -fspv-reflect -fspv-preserve-bindings -Fo %t.r.spv
// RUN: %spirv-val %t.r.spv
// RUN: %rtc dis %t.r.spv | FileCheck --check-prefix=REFLECT %s
// REFLECT-DAG: OpExtension "SPV_GOOGLE_hlsl_functionality1"
// REFLECT-DAG: OpExtension "SPV_GOOGLE_user_type"
// REFLECT-DAG: OpName [[SINGLE:%[0-9A-Za-z_]+]] "Single"
// REFLECT-DAG: OpDecorateString [[SINGLE]] UserTypeGOOGLE "rwtexture2d:<float>"
// REFLECT-DAG: OpName [[UNUSED:%[0-9A-Za-z_]+]] "Unused"
// REFLECT-DAG: OpDecorate [[UNUSED]] Binding 2
// REFLECT-DAG: OpDecorateString [[UNUSED]] UserTypeGOOGLE "buffer:<uint>"
// REFLECT-DAG: OpName [[COUNTED:%[0-9A-Za-z_]+]] "Counted"
// REFLECT-DAG: OpName [[COUNTER:%[0-9A-Za-z_]+]] "counter.var.Counted"
// REFLECT-DAG: OpDecorateId [[COUNTED]] {{.*}} [[COUNTER]]
// REFLECT-DAG: OpName [[STORED:%[0-9A-Za-z_]+]] "Stored"
// REFLECT-DAG: OpName [[STEPS:%[0-9A-Za-z_]+]] "counter.var.Stored"
// REFLECT-DAG: OpDecorateId [[STORED]] {{.*}} [[STEPS]]
// REFLECT-DAG: OpName [[BLOCK:%[0-9A-Za-z_]+]] "Block"
// REFLECT-DAG: OpDecorateString [[BLOCK]] UserTypeGOOGLE "cbuffer"
// What dxc prints before its legalisation is a module of its own there; here it is the one without optimisation.
// RUN: %rtc -T cs_6_0 -spirv -fcgl %s -Fo %t.fcgl.spv
// RUN: %spirv-val %t.fcgl.spv
// RUN: not %rtc -T cs_6_0 -fcgl %s 2>&1 | FileCheck --check-prefix=FCGL %s
// FCGL: rtc: error: -fcgl is for SPIR-V alone
// Versions of the validator: any since 1.0 that knows the shader model, or none.
// RUN: %rtc -T cs_6_0 %s -validator-version 1.1 -Fo %t.one.dxil
// RUN: %rtc -T cs_6_6 %s -validator-version 0.0 -Fo %t.none.dxil
// RUN: not %rtc -T cs_6_6 %s -validator-version 2.0 2>&1 | FileCheck --check-prefix=VERSION %s
// VERSION: rtc: error: -validator-version 2.0: expected 1.0 to 1.10, or 0.0 for none
