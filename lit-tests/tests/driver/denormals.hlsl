// What becomes of denormal 32-bit floats: an attribute of all functions, those of other libraries too, in every case of letters;
// without the option, the shader declares none. Constants that a device would flush are left to it. SPIR-V has modes for two of the three.
// RUN: %rtc -T lib_6_3 -denorm ftz -default-linkage external -validator-version 1.6 %s -Fo %t.ftz.dxil
// RUN: %dxil-val %t.ftz.dxil
// RUN: %llvm-verify %t.ftz.dxil
// RUN: %rtc validate %t.ftz.dxil
// RUN: %rtc dis %t.ftz.dxil | FileCheck %s --check-prefix=FLUSHED
// RUN: %rtc -T lib_6_3 /denorm PRESERVE -default-linkage external -validator-version 1.6 %s -Fo %t.kept.dxil
// RUN: %dxil-val %t.kept.dxil
// RUN: %rtc dis %t.kept.dxil | FileCheck %s --check-prefixes=KEPT,PRESERVE
// RUN: %rtc -T lib_6_3 -denormany -default-linkage external -validator-version 1.6 %s -Fo %t.any.dxil
// RUN: %dxil-val %t.any.dxil
// RUN: %rtc dis %t.any.dxil | FileCheck %s --check-prefixes=KEPT,ANY
// RUN: %rtc -T lib_6_3 -default-linkage external %s -Fo %t.none.dxil
// RUN: %rtc dis %t.none.dxil | FileCheck %s --check-prefixes=KEPT,NONE
// RUN: %rtc -T lib_6_3 -denorm ftz -denorm any -default-linkage external %s -Fo %t.last.dxil
// RUN: %rtc dis %t.last.dxil | FileCheck %s --check-prefixes=KEPT,ANY
// RUN: %rtc -T lib_6_3 -denorm ftz -emit-ir -DSHADER -default-linkage external %s | FileCheck %s --check-prefix=IR
// Linking keeps what each function says.
// RUN: %rtc -T lib_6_3 -denorm ftz -DSHADER %s -Fo %t.shader.dxil
// RUN: %rtc -T lib_6_3 -denorm preserve -DOTHER -default-linkage external %s -Fo %t.other.dxil
// RUN: %rtc link -T lib_6_3 -validator-version 1.6 %t.shader.dxil %t.other.dxil -Fo %t.linked.dxil
// RUN: %dxil-val %t.linked.dxil
// RUN: %rtc validate %t.linked.dxil
// RUN: %rtc dis %t.linked.dxil | FileCheck %s --check-prefix=LINKED
// SPIR-V.
// RUN: %rtc -T lib_6_3 -denorm ftz -DWHOLE -spirv %s -Fo %t.ftz.spv
// RUN: %spirv-val %t.ftz.spv
// RUN: %rtc dis %t.ftz.spv | FileCheck %s --check-prefix=SPIRV-FTZ
// RUN: %rtc -T lib_6_3 -denorm preserve -DWHOLE -spirv %s -Fo %t.kept.spv
// RUN: %spirv-val %t.kept.spv
// RUN: %rtc dis %t.kept.spv | FileCheck %s --check-prefix=SPIRV-PRESERVE
// RUN: %rtc -T lib_6_3 -denorm any -DWHOLE -spirv %s -Fo %t.any.spv
// RUN: %rtc dis %t.any.spv | FileCheck %s --check-prefix=SPIRV-ANY
// What is wrong.
// RUN: not %rtc -T lib_6_3 -denorm flush %s 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not %rtc -T cs_6_1 -DCOMPUTE -denorm any %s 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: %rtc -T cs_6_2 -DCOMPUTE -denorm any %s -Fc %t.txt
// RUN: FileCheck %s --check-prefix=COMPUTE < %t.txt
// FLUSHED: define void @{{.*}}Main{{.*}} #[[DEFINED:[0-9]+]]
// FLUSHED: fmul fast float 0x3810000000000000, 5.000000e-01
// FLUSHED: declare float @{{.*}}Elsewhere{{.*}}(float) #[[DECLARED:[0-9]+]]
// FLUSHED-DAG: attributes #[[DEFINED]] = { nounwind "fp32-denorm-mode"="ftz" }
// FLUSHED-DAG: attributes #[[DECLARED]] = { "fp32-denorm-mode"="ftz" }
// KEPT-NOT: fmul fast float 0x381
// PRESERVE: { nounwind "fp32-denorm-mode"="preserve" }
// ANY: { nounwind "fp32-denorm-mode"="any" }
// NONE-NOT: fp32-denorm-mode
// IR: module sm 6.3 denorm ftz
// LINKED-DAG: { nounwind "fp32-denorm-mode"="ftz" }
// LINKED-DAG: { noinline nounwind "fp32-denorm-mode"="preserve" }
// SPIRV-FTZ: OpCapability DenormFlushToZero
// SPIRV-FTZ: OpExecutionMode %{{.*}} DenormFlushToZero 32
// SPIRV-PRESERVE: OpCapability DenormPreserve
// SPIRV-PRESERVE: OpExecutionMode %{{.*}} DenormPreserve 32
// SPIRV-ANY-NOT: Denorm
// BAD: -denorm {{.*}}: expected any, preserve or ftz
// EARLY: -denorm requires shader model 6.2 or higher
// COMPUTE: "fp32-denorm-mode"="any"
RWByteAddressBuffer Out : register(u0);
#ifdef COMPUTE
[numthreads(1, 1, 1)] void main() { Out.Store(0, asuint(asfloat(Out.Load(0)) * 2)); }
#else
#ifdef OTHER
[noinline] float Elsewhere(float x) { return x * 3; }
#else
#ifdef WHOLE
float Elsewhere(float x) { return x; }
#else
float Elsewhere(float x);
#endif
[shader("raygeneration")]
void Main()
{
    float least = 1.17549435e-38f;
    Out.Store(0, asuint(Elsewhere(asfloat(Out.Load(0)))));
    Out.Store(4, asuint(least * 0.5f));
}
#endif
#endif
