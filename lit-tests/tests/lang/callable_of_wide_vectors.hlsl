// Vectors of 64-bit integers in a parameter are stored whole, which asks for no shader flag; scalars do.
// RUN: %rtc -T lib_6_6 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %rtc -T lib_6_6 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
struct S1 { int64_t2 a6[3]; };
[shader("callable")] void C0(inout S1 p) { p.a6[1] = (int64_t)0x1234567890LL; }
[shader("callable")] void C1(inout S1 p) { p.a6[1] = p.a6[2]; }
[shader("callable")] void C2(inout S1 p) { p.a6[1].x = p.a6[2].y; }
[shader("callable")] void C3(inout S1 p) { p.a6[1] += 2; }
