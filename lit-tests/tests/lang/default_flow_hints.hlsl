// -Gfp and -Gfa hint of branches without a hint, and [forcecase] goes with either hint.
// RUN: %rtc -T ps_6_0 -E main %s | FileCheck %s --check-prefix=PLAIN
// RUN: %rtc -T ps_6_0 -E main -Gfp %s | FileCheck %s --check-prefix=PREFER
// RUN: %rtc -T ps_6_0 -E main -Gfa -all-resources-bound %s | FileCheck %s --check-prefix=AVOID
// RUN: not %rtc -T ps_6_0 -E main -Gfa -Gfp %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %rtc -T ps_6_0 -E main -Gfp -spirv %s | FileCheck %s --check-prefix=SPIRV

// PLAIN-NOT: "dx.controlflow.hints", i32 1}
// PLAIN-DAG: "dx.controlflow.hints", i32 5, i32 2}
// PLAIN-DAG: "dx.controlflow.hints", i32 5, i32 1}
// PLAIN-DAG: "dx.controlflow.hints", i32 5}
// PREFER-DAG: "dx.controlflow.hints", i32 1}
// PREFER-DAG: "dx.controlflow.hints", i32 5, i32 2}
// PREFER-DAG: "dx.controlflow.hints", i32 5, i32 1}
// AVOID-DAG: "dx.controlflow.hints", i32 2}
// AVOID-DAG: "dx.controlflow.hints", i32 5, i32 2}
// AVOID-DAG: "dx.controlflow.hints", i32 5, i32 1}
// BOTH: -Gfa and -Gfp contradict each other
// SPIRV: OpSelectionMerge %{{.*}} None

RWBuffer<float> o;
uint k;
float main(float a : A) : SV_Target
{
    float r = a;
    [forcecase] [flatten] switch (k) { case 0: o[0] = 1; break; case 1: o[1] = 3; break; default: o[2] = 4; break; }
    [branch] [forcecase] switch (k) { case 0: o[3] = 1; break; case 1: o[4] = 3; break; default: o[5] = 4; break; }
    [forcecase] switch (k) { case 0: o[6] = 1; break; case 1: o[7] = 3; break; default: o[8] = 4; break; }
    if (a > 2) { o[9] = a; o[10] = sin(a); }
    return r;
}
