// Functions that are declared in functions, labels in blocks of a `switch`, and bit-fields without width.
// reference: no, the pinned compiler has no bit-fields
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"
uint hidden(float x) { return 1; }
struct S { uint twice_of(uint a) { uint later(uint a); return later(a) * 2; } };
namespace n
{
    uint f(uint a) { uint of_namespace(uint a, uint b); return of_namespace(a, 1); }
    uint of_namespace(uint a, uint b) { return a * 10 + b; }
}
uint chosen(uint a)
{
    uint r = 0;
    switch (a)
    {
    case 0:
        r += 1;
    {
        uint inside;
        inside = 5;
    case 1:
        {
            r += 10;
        case 2: r += 100;
        }
        break;
    }
    case 3: { case 4: r += 1000; break; }
    default: { r = 7; }
    }
    return r;
}
struct Bits { uint a : 4; uint b : 4; uint : 0; uint c : 4; };

[shader("raygeneration")]
void Main()
{
    uint later(uint a);
    uint hidden(uint x);
    expect(later(3), 4); expect(hidden(2u), 9);
    { S s; expect(s.twice_of(5), 12); }
    expect(n::f(4), 41);
    expect(chosen(0), 111); expect(chosen(1), 110); expect(chosen(2), 100); expect(chosen(3), 1000); expect(chosen(4), 1000); expect(chosen(9), 7);
    Bits b; b.a = 1; b.b = 2; b.c = 3;
    expect(sizeof(Bits), 8);
    expect(b.a + b.b * 10 + b.c * 100, 321);
}
uint later(uint a) { return a + 1; }
uint hidden(uint x) { return 9; }
