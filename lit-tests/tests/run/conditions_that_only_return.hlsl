// Conditions of loops that call functions whose ends are never reached: what is between two iterations leads to the next one, whatever is unreachable in it.
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

// The first power of two that is no less.
int power(int x)
{
    int n = 1;
    [loop] while (true)
    {
        if (n >= x) return n;
        n *= 2;
    }
}

int2 either(int x)
{
    switch (x & 1)
    {
    case 0: return int2(x, 1);
    default: if (x > 7) return int2(2, x); else return 3;
    }
}

int2 count(int n)
{
    int i = 0, k = 0;
    do { ++i; } while (i < 20 && power(i) < n);
    do { ++k; } while (k < 20 && either(k).x + power(k) < n);
    return int2(i, k);
}

[shader("raygeneration")]
void Main()
{
    // 1, 2, 4, 4, 8, 8, 8, 8, 16, …: the first that is no less than n.
    expect(count(1).x, 1); expect(count(2).x, 2); expect(count(3).x, 3); expect(count(9).x, 9); expect(count(17).x, 17); expect(count(100).x, 20);
    // 3 + 1; 2 + 2; 3 + 4; 4 + 4; 3 + 8; 6 + 8; 3 + 8; 8 + 8; 2 + 16; 10 + 16.
    expect(count(4).y, 1); expect(count(5).y, 3); expect(count(8).y, 4); expect(count(12).y, 6); expect(count(18).y, 9); expect(count(20).y, 10);
    expect(power(33), 64);
}
