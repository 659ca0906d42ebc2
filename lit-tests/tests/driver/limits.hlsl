// Limits of a compilation, and values that are none.
// RUN: %rtc -T cs_6_6 -time-limit=60000 -memory-limit=500 %s -Fo %t.dxil
// RUN: not %rtc -T cs_6_6 -time-limit=0 %s -Fo %t.none 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: rtc: error: not finished within the time limit of 0 ms
// RUN: not %rtc -T cs_6_6 -memory-limit=0 %s -Fo %t.none 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: rtc: error: the memory limit of 0 bytes does not suffice
// RUN: not %rtc -T cs_6_6 -memory-limit=many %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: -memory-limit=many: expected a number of mebibytes
// RUN: not %rtc -T cs_6_6 -encoding klingon %s 2>&1 | FileCheck %s --check-prefix=ENCODING
// ENCODING: unsupported value `klingon` for -encoding
// RUN: not %rtc -link -T lib_6_6 -time-limit=0 %t.dxil 2>&1 | FileCheck %s --check-prefix=TIME
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void main(uint n : SV_DispatchThreadID) { Out.Store(n * 4, n); }
