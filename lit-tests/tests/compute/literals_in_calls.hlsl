// rtc -T cs_6_6 -E main
// Intrinsics and swizzles of literals that a condition chooses have no type either: what they are used for gives them one.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -E main -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}38,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

uint low(double x) { uint l, h; asuint(x, l, h); return l; }
uint high(double x) { uint l, h; asuint(x, l, h); return h; }
uint sized(float) { return 4; }
uint sized(float2) { return 8; }

[numthreads(1, 1, 1)] void main()
{
    bool c = i(1), not = i(0);
    bool2 each = bool2(c, not);
    // 0.1 as a double ends with 9999999a, as a float with a0000000.
    IS(low(max(c ? 0.1 : 0.2, 0.05)), 0x9999999au); IS(low(min(not ? 0.2 : 0.1, c ? 0.3 : 0.4)), 0x9999999au);
    IS(low(max(not ? 2 : 1, 1.1)), 0x9999999au); IS(low(clamp(c ? 0.1 : 0.2, 0.05, 0.3)), 0x9999999au);
    IS(low(abs(c ? -0.1 : 0.2)), 0x9999999au); IS(high(abs(c ? -0.1 : 0.2)), 0x3fb99999u);
    IS(low(-max(c ? 0.1 : 0.2, 0.05)), 0x9999999au); IS(low(saturate(c ? 0.1 : 0.2)), 0x9999999au);
    IS(low(max(max(c ? 0.1 : 0.2, 0.05), not ? 3 : 0.01)), 0x9999999au); IS(low(mad(c ? 0.1 : 0.2, 1, 0)), 0x9999999au);
    double d = lerp(c ? 0.1 : 0.2, 0.3, 0);
    IS(low(d), 0x9999999au);
    // Components.
    double2 two = (c ? 0.1 : 0.2).xx, more = (c ? 0.1 : 0.2).xx * 3, three = max((c ? 0.1 : 0.2).xx, 0.05);
    IS(low(two.y), 0x9999999au); IS(low(more.x), 0x33333334u); IS(low(three.y), 0x9999999au);
    IS(low((c ? 0.1 : 0.2).x), 0x9999999au); IS(low(((c ? 0.1 : 0.2).xx * 3).y), 0x33333334u); IS(low((c ? 0.1 : 0.2).xx[i(1)]), 0x9999999au);
    double2 constant = 0.1.xx;
    IS(low(constant.y), 0x9999999au); IS(low(0.1.x), 0x9999999au); IS(low(0.1.xxx.z * 3), 0x33333334u);
    IS(low(select(each, 0.1, 0.2).x), 0x9999999au);
    float2 narrow = (c ? 0.1 : 0.2).xx;
    IS(narrow.y, 0.1f);
    // Numbers of 64 bits keep all of them, and their sign.
    int64_t wide = max(c ? 0x123456789 : 5, 7), negative = min(c ? -1 : 0xffffffff, 7), positive = abs(c ? -3 : 0xffffffff);
    IS((uint)(wide >> 32), 1u); IS((uint)(negative >> 32), 0xffffffffu); IS((uint)positive, 3u); IS((uint)(positive >> 32), 0u);
    uint largest = max(c ? -1 : 4000000000, 7), unsigned_one = max(c ? 4000000000 : 2, 7);
    IS(largest, 7u); IS(unsigned_one, 4000000000u);
    uint quotient = (c ? -8 : 4000000000) / 2;
    IS(quotient, 0xfffffffcu);
    IS((c ? -2 : 4000000000) < (not ? 3 : 5) ? 1u : 0u, 1u); IS((not ? -2 : 4000000000) > (c ? -3 : 5) ? 1u : 0u, 1u);
    // With a number that has a type they are of it.
    IS(max(c ? 0.1 : 0.2, f(0)), 0.1f); IS(max(c ? 4 : 5, i(3)), 4); IS(max((c ? 0.1 : 0.2).xx, float2(f(1), 0)).y, 0.1f);
    // A function without doubles is one of `float`.
    float root = sqrt(c ? 2.25 : 4), sum = max(not ? 2 : 1, 1.5) + f(1);
    IS(root, 1.5f); IS(sum, 2.5f);
    IS(sized((c ? 0.1 : 0.2).xx), 8u); IS((bool)max(c ? 0.5 : 0, 0) ? 1u : 0u, 1u);
    done();
}
