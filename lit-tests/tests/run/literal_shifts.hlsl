// What a literal is shifted by decides whether the result is signed: how it is compared, divided, shifted to the right, converted.
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
int kind(int x) { return 1; }
int kind(uint x) { return 2; }
int kind(float x) { return 3; }
template<typename T> int sign_of(T x) { T below = x - x; below -= 1; if (below > 0) return 2; return 1; }
static const uint Three = 3;
enum Bits : uint { First = 1, High = 31 };

[shader("raygeneration")]
void Main()
{
    for (uint i = 0; i < 8; ++i)
    {
        const uint n = inU(i) & 31;
        const int s = inI(i) & 31, e = inI(i + 8);
        const uint3 n3 = uint3(n, n + 1, 31) & 31;
        const int3 e3 = int3(e, -1, inI(i + 16));
        // Compared, divided, shifted, converted.
        putB(e > (1 << n)); putB(e > (1 << s)); putB((1 << n) > -1); putB((1 << 31u) > 0); putB((1 << Three) > -1);
        putI((0x80000000 >> n) / 3); putI((0x80000000 >> s) / 3); putI((-1 >> n) == -1); putI((-1 >> s) == -1);
        putI((1 << n) / inS(i)); putI((1 << n) % inS(i)); putI((1 << s) / inS(i)); putU((1 << n) >> 3); putI((1 << s) >> 3);
        putF((float)(1 << n)); putF((float)(1 << s)); putF((1 << 31u) * 0.5f); putF((1 << n) + 0.25);
        putU(max((1 << n) - 1, e)); putI(max((1 << s) - 1, e)); putU(min(~(1 << n), 5));
        // Vectors, chosen and computed literals, functions that are chosen by the type.
        putB((e3 > (1 << n3)).x); putB((e3 >= (1 << (n3 - 1))).y); putB((e3 < ((1 << n3) - 1)).z); putI3((1 << n3) / 3);
        putI(((n > 9 ? -1 : -2) >> n) / 2); putI(((1 + 2) << n) / 2); putI((~0 << n) / 2); putI(((n > 9 ? -1 : -2) >> s) / 2);
        putI(kind(1 << n)); putI(kind(1 << s)); putI(kind(1 << (int)n)); putI(kind(1 << (n > 3))); putI(kind(1u << s));
        putI(sign_of(1 << n)); putI(sign_of(1 << s)); putI(sign_of(1 << 2u)); putI(sign_of(1 << 2)); putI(sign_of(-1 >> n)); putI(sign_of((1 << n) | 1));
        // An enumeration is an `int`, whatever its numbers are.
        putI(sign_of(1 << High)); putI(kind(1 << (Bits)n)); putI(max(e, (Bits)n) < 0 ? 1 : 2); putI(sign_of(min((Bits)n, e)));
        // An assignment has the type of its left side.
        uint u = 1; u <<= s; putU(u / 3); int v = 0x40000000; v >>= n; putI(v);
    }
}
