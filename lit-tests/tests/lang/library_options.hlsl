// What a library exports, and where its resources are.
// RUN: %rtc -T lib_6_6 -exports "One;X,Y=Two" -validator-version 1.6 %s -Fo %t.dxil -Fc %t.txt
// RUN: %dxil-val %t.dxil
// RUN: FileCheck %s --check-prefix=EXPORTS < %t.txt
// EXPORTS: define void @"\01?One@@YAXXZ"
// EXPORTS: define void @"\01?X@@YAXUP@@@Z"
// EXPORTS: define void @"\01?Y@@YAXUP@@@Z"
// EXPORTS-NOT: define
// RUN: not %rtc -T lib_6_6 -exports None %s -fdiagnostics-format=rich 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error[E0644]: there is no function `None` to export
// RUN: %rtc -T lib_6_6 -default-linkage external -validator-version 1.6 %s -Fo %t.all.dxil -Fc %t.all.txt
// RUN: %dxil-val %t.all.dxil
// RUN: FileCheck %s --check-prefix=ALL < %t.all.txt
// ALL: define float @"\01?helper@@YAMM@Z"
// RUN: %rtc -T lib_6_6 -default-linkage external -export-shaders-only %s -Fc %t.only.txt
// RUN: FileCheck %s --check-prefix=ONLY < %t.only.txt
// ONLY-NOT: helper
// RUN: %rtc -T lib_6_6 -auto-binding-space 7 -validator-version 1.6 %s -Fo %t.auto.dxil -Fc %t.auto.txt
// RUN: %dxil-val %t.auto.dxil
// RUN: FileCheck %s --check-prefix=AUTO < %t.auto.txt
// AUTO-DAG: ; $Globals {{.*}} cb0 {{.*}}
// AUTO-DAG: ; C {{.*}} cb0,space7 {{.*}}
// AUTO-DAG: ; a {{.*}} t0,space7 {{.*}}
// AUTO-DAG: ; b {{.*}} t0 {{.*}}
// AUTO-DAG: ; c {{.*}} t0,space4 {{.*}}
// RUN: %rtc -T lib_6_6 -spirv -fvk-bind-globals 12 3 -fvk-t-shift 100 all -fvk-auto-shift-bindings -fvk-u-shift 40 0 -fvk-s-shift 7 0 %s -Fo %t.spv -Fc %t.spv.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --check-prefix=SPV < %t.spv.txt
// SPV-DAG: OpName [[A:%[0-9A-Za-z_]+]]  "a"
// SPV-DAG: OpName [[B:%[0-9A-Za-z_]+]]  "b"
// SPV-DAG: OpName [[G:%[0-9A-Za-z_]+]]  "$Globals"
// SPV-DAG: OpName [[O:%[0-9A-Za-z_]+]]  "o"
// SPV-DAG: OpDecorate [[A]] Binding 101
// SPV-DAG: OpDecorate [[B]] DescriptorSet 0
// SPV-DAG: OpDecorate [[B]] Binding 100
// SPV-DAG: OpDecorate [[G]] DescriptorSet 3
// SPV-DAG: OpDecorate [[G]] Binding 12
// SPV-DAG: OpDecorate [[O]] Binding 40
// RUN: not %rtc -T lib_6_6 -spirv -fvk-bind-register t0 0 11 2 -fvk-bind-globals 12 3 %s 2>&1 | FileCheck %s --check-prefix=REGISTERS
// REGISTERS: with -fvk-bind-register, `a` needs a register
// REGISTERS: with -fvk-bind-register, `C` needs a register
struct P { float4 v; };
Texture2D<float4> a;
Texture2D<float4> b : register(t0);
SamplerState s;
cbuffer C { float k; };
float loose;
Texture2D<float4> c[3] : register(space4);
RWByteAddressBuffer o;
float helper(float x) { return x * k; }
[shader("raygeneration")] void One()
{
    float4 v = a.SampleLevel(s, 0, 0) + b.SampleLevel(s, 0, 0) + c[1].SampleLevel(s, 0, 0);
    o.Store(0, asuint(v.x + helper(loose)));
}
[shader("miss")] void Two(inout P p) { p.v = k; }
[shader("raygeneration")] void Three() { o.Store(0, 3); }
