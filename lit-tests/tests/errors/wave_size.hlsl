// WaveSize: what it takes, and since when.
// RUN: not %rtc -T lib_6_8 %s -Fo %t.dxil -fdiagnostics-format=rich 2>&1 | FileCheck %s
// RUN: not %rtc -T cs_6_5 -E Fine %s -Fo %t.dxil -fdiagnostics-format=rich 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not %rtc -T cs_6_7 -E Range %s -Fo %t.dxil -fdiagnostics-format=rich 2>&1 | FileCheck %s --check-prefix=RANGE
// OLD: error[E0604]: `WaveSize` requires shader model 6.6, but the target is 6.5
[WaveSize(32)] [numthreads(1, 1, 1)] [shader("compute")] void Fine() {}
// RANGE: error[E0604]: `WaveSize(min, max)` requires shader model 6.8, but the target is 6.7
[WaveSize(8, 32, 16)] [numthreads(1, 1, 1)] [shader("compute")] void Range() {}
// CHECK: error[E0405]: {{.*}}powers of two
// CHECK: [[#@LINE+1]]:2
[WaveSize(12)] [numthreads(1, 1, 1)] [shader("compute")] void A() {}
// CHECK: error[E0405]: {{.*}}powers of two
[WaveSize(256)] [numthreads(1, 1, 1)] [shader("compute")] void B() {}
// CHECK: error[E0405]: {{.*}}fewest lanes, then more
[WaveSize(32, 16)] [numthreads(1, 1, 1)] [shader("compute")] void C() {}
// CHECK: error[E0405]: {{.*}}preferred
[WaveSize(16, 32, 64)] [numthreads(1, 1, 1)] [shader("compute")] void D() {}
// CHECK: error[E0405]: {{.*}}threads
[numthreads(1025, 1, 1)] [shader("compute")] void E() {}
// CHECK: error[E0405]: {{.*}}threads
[numthreads(32, 33, 1)] [shader("compute")] void F() {}
// CHECK: error[E0405]: {{.*}}threads
[numthreads(1, 1, 65)] [shader("compute")] void G() {}
// CHECK: error[E0405]: {{.*}}threads
[numthreads(0, 1, 1)] [shader("compute")] void H() {}
