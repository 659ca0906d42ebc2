// rtc -T cs_6_6 -E main -HV 2021
// Comparisons with the smallest and the greatest number of a type hold always or never, and are not computed.
// RUN: %rtc -T cs_6_6 -E main -HV 2021 %s -Fc %t.txt
// RUN: FileCheck %s --check-prefix=CODE --input-file=%t.txt
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}18,
// CHECK-NEXT: {{^}}0,
// CODE: define void @main
// CODE-NOT: icmp u{{[gl][te]}}
// CODE-NOT: icmp s{{[gl][te]}}
// CODE: ret void
#include "Inputs/expect.hlsli"

void HOLDS(bool found) { IS(uint(found), 1u); }
void NEVER(bool found) { IS(uint(found), 0u); }

[numthreads(1, 1, 1)] void main()
{
    const int least = -2147483647 - 1, most = 2147483647;
    const uint whole = 0xffffffff;
    uint u = i(3);
    int s = i(12);
    NEVER(u < 0); NEVER(0 > u); HOLDS(u >= 0); HOLDS(0 <= u);
    NEVER(u > whole); NEVER(whole < u); HOLDS(u <= whole); HOLDS(whole >= u);
    NEVER(s < least); NEVER(most < s); HOLDS(s >= least); HOLDS(most >= s);
    NEVER(s > most); NEVER(least > s); HOLDS(s <= most); HOLDS(least <= s);
    NEVER(any(uint2(u, s) < 0)); HOLDS(all(uint2(u, s) >= uint2(0, 0)));
    done();
}
