// rtc -T cs_6_6 -E main -HV 2018
// Before HLSL 2021 both operands of `&&` and `||` are evaluated, also where a constant decides.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2018 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}11,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

static const bool Never = false;
bool count(inout uint n, bool result) { n++; return result; }

[numthreads(1, 1, 1)] void main()
{
    uint n = 0;
    bool a = false && count(n, true); IS(n, 1u); IS((uint)a, 0u);
    bool b = Never && count(n, true); IS(n, 2u); IS((uint)b, 0u);
    bool c = true || count(n, false); IS(n, 3u); IS((uint)c, 1u);
    if (Never && count(n, true)) n += 100; IS(n, 4u);
    if (!Never || count(n, false)) n += 10; IS(n, 15u);
    while (Never && count(n, true)) n += 100; IS(n, 16u);
    if (false && (n = i(5))) n += 100; IS(n, 5u);
    if (i(0) && count(n, true)) n += 100; IS(n, 6u);
    done();
}
