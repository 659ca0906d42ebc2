// WaveSize in metadata, in PSV0 and in RDAT.
// RUN: %rtc -T cs_6_6 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T cs_6_8 -DRANGE %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefix=RANGE
// RUN: %rtc -T lib_6_6 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 %s -emit-ir | FileCheck %s --check-prefix=IR
#ifdef RANGE
[WaveSize(8, 64, 32)]
#else
[WaveSize(16)]
#endif
[shader("compute")]
[numthreads(64, 1, 1)]
void main() {}
// CHECK: WaveSize=16
// CHECK: i32 11, ![[N:[0-9]+]]
// CHECK: ![[N]] = !{i32 16}
// RANGE: MinimumExpectedWaveLaneCount: 8
// RANGE: MaximumExpectedWaveLaneCount: 64
// RANGE: i32 23, ![[N:[0-9]+]]
// RANGE: ![[N]] = !{i32 8, i32 64, i32 32}
// IR: stage compute numthreads(64, 1, 1) wavesize(16, 0, 0)
