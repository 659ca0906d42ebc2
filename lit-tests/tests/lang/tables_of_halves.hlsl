// Constant tables of halves are arrays of constants in DXIL: its bitcode has no data records of them.
// RUN: %rtc -T cs_6_2 -enable-16bit-types -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T cs_6_2 -enable-16bit-types -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_2 -DMIN -validator-version 1.6 %s -Fo %t.min.dxil
// RUN: %dxil-val %t.min.dxil
// RUN: %rtc dis %t.min.dxil | FileCheck %s
// CHECK: constant [4 x half] [half 0xH3C00, half 0xH4000, half 0xH4200, half 0xH4400]
#ifdef MIN
typedef min16float Half;
#else
typedef float16_t Half;
#endif
static const Half g[4] = { 1, 2, 3, 4 };
RWByteAddressBuffer O;
[numthreads(4, 1, 1)] void main(uint t : SV_GroupIndex) { O.Store<float>(4 * t, g[t]); }
