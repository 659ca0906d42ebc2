// Operations whose SPIR-V instructions Vulkan leaves open where HLSL does not (docs/vulkan-open.md): the numbers come from a buffer, so that no
// compiler folds them.
// RUN: %rtc-run %S/Inputs/open_in_vulkan.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %S/Inputs/open_in_vulkan.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -spirv %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --check-prefix=SPV < %t.txt
// RUN: %rtc -T cs_6_6 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// One remainder only has operands that are known not to be negative.
// SPV-COUNT-1: OpSRem
// SPV-NOT: OpSRem
// SPV-NOT: {{FMin|FMax|FClamp|Pow}}
ByteAddressBuffer In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

int i(uint n) { return In.Load(4 * n); }
uint u(uint n) { return In.Load(4 * n); }
float f(uint n) { return asfloat(In.Load(4 * n)); }

static uint Passed = 0, Failed = 0;
void IS(uint found, uint must)
{
    if (found == must) { ++Passed; return; }
    Out[2 + min(Failed, 13)] = Passed + Failed;
    ++Failed;
}

[numthreads(1, 1, 1)] void main()
{
    // OpSRem: -3 % 2, 2 % -3, -7 % -2, vectors and 64 bits.
    IS(i(0) % i(1), -1); IS(i(1) % i(0), 2); IS(i(2) % i(3), -1); IS(i(2) % i(1), -1);
    int2 r = int2(i(0), i(2)) % int2(i(1), i(3)); IS(r.x, -1); IS(r.y, -1);
    int64_t w = (int64_t)i(0) % (int64_t)i(1); IS((uint)w, 0xffffffff); IS((uint)(w >> 32), 0xffffffff);
    IS((i(4) & 0xff) % ((i(5) & 0xff) + 1), 1);
    int m = i(2); m %= i(1); IS(m, -1);
    // Shifts by the width and more: the amount counts modulo the width.
    IS(1u << u(4), 2); IS(u(10) >> u(4), 0x7fffffff); IS(i(0) >> i(4), -2); IS((uint)((uint64_t)1 << (uint64_t)(u(4) + u(4))), 4);
    // NaN in minimum, maximum and clamp gives the other operand; saturate gives zero.
    IS(asuint(min(f(6), f(7))), 0x3f800000); IS(asuint(max(f(7), f(6))), 0x3f800000); IS(asuint(min(f(7), f(6))), 0x3f800000);
    IS(asuint(saturate(f(6))), 0); IS(asuint(clamp(f(6), 0.5f, f(7))), 0x3f000000);
    // Bounds in the wrong order: the upper one wins.
    IS(clamp(i(13), i(14), i(1)), 2);
    // A power of a negative number is not a number.
    IS(isnan(pow(f(8), f(9))), 1); IS(isnan(sqrt(f(8))), 1); IS(isnan(log2(f(8))), 1);
    IS(isinf(rcp(f(11))), 1); IS(isinf(rsqrt(f(11))), 1); IS(isinf(log2(f(11))), 1);
    // Nothing found: all ones.
    IS(firstbithigh(u(11)), 0xffffffff); IS(firstbithigh(i(11)), 0xffffffff); IS(firstbithigh(i(10)), 0xffffffff); IS(firstbitlow(u(11)), 0xffffffff);
    IS(firstbithigh(i(0)), 1);
    // Of a negative power of two that was a float.
    IS(firstbithigh((int)f(8)), 0); IS(firstbithigh((int)(f(8) - f(9))), 1); IS(firstbithigh((int2)(f(8) * float2(2, -3))).x, 1);
    // A remainder of floats has the sign of the first.
    IS(asuint(fmod(-f(9) * 1.5f, f(9))), 0xbf800000);
    Out[0] = Passed;
    Out[1] = Failed;
}
// CHECK: [
// CHECK-NEXT: 35,
// CHECK-NEXT: 0,
