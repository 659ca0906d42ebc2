// `[forcecase]` says how a `switch` is made, `[branch]` and `[flatten]` what becomes of its sides: both stay, in any order. What says nothing to
// later steps, `[fastopt]`, replaces no `[loop]`.
// RUN: %rtc -T ps_6_0 -E main -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_0 -E main -Od -emit-ir %s | FileCheck %s --check-prefix=IR
// RUN: %rtc -T ps_6_0 -E main -spirv %s -Fo %t.spv -Fc - | FileCheck %s --check-prefix=SPV
// RUN: %spirv-val %t.spv
RWBuffer<float> B;
float side(int i, float x) { B[i] = x; return x; }
float main(int i : I, float2 a : A) : SV_Target
{
    float r = 0;
    // IR: forcecase branch switch
    [branch] [forcecase] switch (i) { case 1: r = side(1, a.x); break; case 5: r = side(2, a.y); break; }
    // IR: forcecase branch switch
    [forcecase] [branch] switch (i + 1) { case 1: r += side(3, a.x); break; case 5: r += side(4, a.y); break; }
    // IR: forcecase flatten switch
    [flatten] [forcecase] switch (i + 2) { case 1: r += side(5, a.x); break; case 5: r += side(6, a.y); break; }
    // IR: forcecase switch
    [call] [forcecase] switch (i + 3) { case 1: r += side(7, a.x); break; case 5: r += side(8, a.y); break; }
    // IR: {{ }}branch switch
    [call] [branch] switch (i + 4) { case 1: r += side(9, a.x); break; case 5: r += side(10, a.y); break; }
    // IR: rolled loop
    [loop] [fastopt] for (int k = 0; k < 2; ++k) r += side(k, r);
    return r;
}
// CHECK-DAG: ![[A:[0-9]+]] = distinct !{![[A]], !"dx.controlflow.hints", i32 5, i32 1}
// CHECK-DAG: ![[B:[0-9]+]] = distinct !{![[B]], !"dx.controlflow.hints", i32 5, i32 1}
// CHECK-DAG: ![[C:[0-9]+]] = distinct !{![[C]], !"dx.controlflow.hints", i32 5, i32 2}
// CHECK-DAG: ![[D:[0-9]+]] = distinct !{![[D]], !"dx.controlflow.hints", i32 5}
// CHECK-DAG: ![[E:[0-9]+]] = distinct !{![[E]], !"dx.controlflow.hints", i32 1}
// CHECK-DAG: !"llvm.loop.unroll.disable"
// SPV: OpSelectionMerge %{{.*}} DontFlatten
// SPV: OpSelectionMerge %{{.*}} DontFlatten
// SPV: OpSelectionMerge %{{.*}} Flatten
// SPV: OpSelectionMerge %{{.*}} DontFlatten
