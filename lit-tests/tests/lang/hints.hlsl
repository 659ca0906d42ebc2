// Attributes of loops and branches: hints in the IR, controls in SPIR-V; `[unroll]` applies where the trip count is constant, at -Od too.
// RUN: %rtc -T lib_6_3 -Od -emit-ir %s | FileCheck %s --check-prefix=IR
// RUN: %rtc -T lib_6_3 -emit-ir %s | FileCheck %s --check-prefix=DONE
// RUN: %rtc -T lib_6_3 -Od -spirv %s | FileCheck %s --check-prefix=SPV
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %dxil-dis %t.dxil | FileCheck %s --check-prefix=DXIL
// RUN: %rtc -T lib_6_3 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
RWByteAddressBuffer Out : register(u0);
[shader("raygeneration")]
void Main()
{
    uint n = Out.Load(0);
    // IR: branch if v
    // SPV: OpSelectionMerge %{{.*}} DontFlatten
    [branch] if (n > 1) Out.Store(4, n);
    // IR: flatten if v
    // SPV: OpSelectionMerge %{{.*}} Flatten
    [flatten] if (n > 2) Out.Store(8, n);
    // IR: forcecase switch v
    // SPV: OpSelectionMerge %{{.*}} DontFlatten
    [forcecase] switch (n) { case 1: Out.Store(12, 1); break; case 2: Out.Store(12, 2); break; }
    // IR-NOT: unroll loop
    // DONE-COUNT-6: raw_store
    // DONE-NOT: loop
    [unroll] for (uint i = 0; i < 3; ++i) Out.Store(16 + 4 * i, n);
    // IR: unroll(2) loop
    // SPV: OpLoopMerge %{{.*}} %{{.*}} Unroll
    // DONE: unroll(2) loop
    [unroll(2)] for (uint j = 0; j < n; ++j) Out.Store(32 + 4 * j, n);
    // IR: rolled loop
    // SPV: OpLoopMerge %{{.*}} %{{.*}} DontUnroll
    // DONE: rolled loop
    [loop] for (uint k = 0; k < 3; ++k) Out.Store(64 + 4 * k, n);
}
// DXIL-DAG: br i1 {{.*}}, !dx.controlflow.hints ![[B:[0-9]+]]
// DXIL-DAG: ![[B]] = distinct !{![[B]], !"dx.controlflow.hints", i32 1}
// DXIL-DAG: = distinct !{{.*}}!"dx.controlflow.hints", i32 2}
// DXIL-DAG: = distinct !{{.*}}!"dx.controlflow.hints", i32 5}
// DXIL-DAG: !llvm.loop ![[L:[0-9]+]]
// DXIL-DAG: ![[L]] = distinct !{![[L]], ![[C:[0-9]+]]}
// DXIL-DAG: !{!"llvm.loop.unroll.count", i32 2}
// DXIL-DAG: !{!"llvm.loop.unroll.disable"}
