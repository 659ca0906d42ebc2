// Both packed types are unsigned words of 32 bits, whatever is done with them.
// RUN: %rtc -T ps_6_6 -E main %s -Fc - | FileCheck %s
// CHECK-COUNT-2: uitofp
// CHECK: lshr
// CHECK: icmp ugt
// CHECK-NOT: sitofp
float main(nointerpolation int8_t4_packed p : P, nointerpolation uint8_t4_packed q : Q) : SV_Target
{
    return (float)p + (float)q + ((uint)p >> 3) + (p > q ? 1 : 0);
}
