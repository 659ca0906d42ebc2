// 64-bit integers, doubles and minimum-precision scalars.
// reference: no (every value is known exactly)
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

[shader("raygeneration")]
void Main()
{
    uint64_t a = ((uint64_t)inU(0) << 32) | inU(1);
    expect(uint(a >> 32), inU(0)); expect(uint(a), inU(1)); expect(uint((a << 8) >> 40), inU(0) & 0xffffff);
    int64_t s = inI(2);
    expect(int(s >> 40), inI(2) < 0 ? -1 : 0); expect(int((s * 1000 + 999 * (s < 0 ? -1 : 1)) / 1000), inI(2)); expect(s < 0, inI(2) < 0);
    // A literal with `L` has 32 bits, one with `LL` 64.
    expect(int(-s), -inI(2)); expect(int(s * s - s * (s - 1)), inI(2)); expect(int((s + 4294967296LL) >> 32), inI(2) < 0 ? 0 : 1); expect(int((s + 4294967296L) >> 32), inI(2) < 0 ? -1 : 0);
    uint64_t m = 0xfffffffffULL; expect(int(m % 1000), 735); expect(countbits(uint(m >> 4)), 32);
    double d = inI(3); d = d * 3.0L + 0.5L;
    expect(int(d * 2.0L) - 1, int(int64_t(inI(3)) * 6)); expect(d < 0.0L, inI(3) < 0);
    double q = 1.0L; q /= 3.0L; expect(int(q * 3000000000.0L + 0.5L), 1000000000);
    min16int h = (min16int)(inS(4)); h += 3; h *= 2; expect(int(h), (inS(4) + 3) * 2);
    min16uint g = 5; expect(uint(g << 2), 20); min16float f = 1.5; expect(int(f * 4), 6);
    half x = 2.5; expect(int(x * 2), 5);
}
