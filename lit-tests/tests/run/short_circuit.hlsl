// Logical operators and the conditional operator evaluate what they must and nothing else.
// reference: no (it evaluates both sides of `&&`, `||` and `?:` in HLSL 2021 too)
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

static int Calls = 0;
int next(int by) { Calls += by; return Calls; }
bool yes(int n) { Calls += n; return true; }
bool no(int n) { Calls += n; return false; }
int pick(bool c) { return c ? next(1) : next(10); }
int nested(int a) { return a > 0 ? a > 5 ? next(1) : next(2) : a < -5 ? next(4) : next(8); }
bool guard(int n, int d) { return d != 0 && n / d > 1; }
[shader("raygeneration")]
void Main()
{
    int p = inS(0);
    bool up = p > 0;
    if (up && yes(100)) next(1);
    expect(Calls, up ? 101 : 0);
    Calls = 0;
    if (up || no(400)) next(1);
    expect(Calls, up ? 1 : 400);
    Calls = 0;
    bool m = (yes(1) || yes(2)) && (no(4) || no(8)) && yes(16);
    expect(m, 0); expect(Calls, 13);
    Calls = 0;
    int r = up ? next(1000) : next(2000);
    expect(r, up ? 1000 : 2000); expect(Calls, r);
    Calls = 0;
    pick(up);
    expect(Calls, up ? 1 : 10);
    Calls = 0;
    nested(7); nested(3); nested(-9); nested(-1);
    expect(Calls, 15);
    Calls = 0;
    expect(guard(9, 0), 0); expect(guard(9, 4), 1);
    int i = 0;
    while (i < 4 && yes(1)) ++i;
    expect(Calls, 4);
    for (i = 0; no(1) || i < 3; ++i) {}
    expect(Calls, 8);
    do { ++i; } while (i < 10 && (i < 6 || no(100)));
    expect(Calls, 108); expect(i, 6);
    Calls = 0;
    bool a = up ? yes(1) && no(2) : no(1) || yes(2);
    expect(a, up ? 0 : 1); expect(Calls, 3);
    Calls = 0;
    int x = 0;
    up ? x++ : x--;
    expect(x, up ? 1 : -1);
    bool3 v = and(bool3(true, up, false), bool3(true, true, true));
    expect(v.x, 1); expect(v.y, up); expect(v.z, 0);
    v = or(bool3(true, up, false), bool3(false, true, false));
    expect(v.y, 1); expect(v.z, 0);
    int3 s = select(bool3(up, !up, true), int3(1, 2, 3), int3(4, 5, 6));
    expect(s.x, up ? 1 : 4); expect(s.y, up ? 5 : 2); expect(s.z, 3);
}
