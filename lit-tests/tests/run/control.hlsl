// Loops, nested switches, breaks and continues.
// reference DXIL: no, the pinned one crashes, newer ones do not
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

int classify(int n)
{
    switch (n & 7)
    {
    case 0: return 10;
    case 1: n += 1;
    case 2: n += 2; break;
    default: n *= 3;
    case 5: n -= 1; break;
    case 6: { if (n > 8) break; n = 60; }
    case 7: return n + 1000;
    }
    return n;
}
int search(int n)
{
    for (int i = 0; i < 6; ++i)
    {
        for (int j = 0; j < 6; ++j)
        {
            if (i * j == n) return i * 10 + j;
            if (j > i + 2) break;
            switch (j) { case 3: continue; case 4: return -4; }
            n += (i ^ j) & 1;
        }
    }
    return -1;
}
int weave(int n)
{
    int total = 0;
    int guard = 0;
    do
    {
        ++guard;
        switch (n % 5)
        {
        case 0: n += 3; continue;
        case 1:
            while (true) { n++; if (n % 4 == 0) break; if (n > 40) return total + 5000; }
            break;
        case 2: total += 2;
        default:
            for (;;) { total++; if (total % 3 == 0) break; n += 1; }
        }
        total += n;
        n += 1;
    } while (n < 30 && guard < 20);
    return total * 100 + guard;
}
int early(int n) { if (n > 0) { if (n > 5) return 1; n = 7; } else { n -= 1; while (n < -3) { n += 2; if (n == -4) return 2; } } return n; }
void nothing(int n, inout int x) { if (n > 2) return; x += 5; if (n < -2) return; x += 50; }
[shader("raygeneration")]
void Main()
{
    for (uint i = 0; i < 16; ++i)
    {
        int n = inS(i);
        putI(classify(n)); putI(search(abs(n))); putI(weave(abs(n))); putI(early(n));
        int x = 1;
        nothing(n, x);
        putI(x);
        int c = 0;
        [unroll] for (int u = 0; u < 4; ++u) { if (u == (n & 3)) continue; c = c * 10 + u; }
        putI(c);
        [loop] for (int u = 8; u--;) { if (u == (n & 7)) break; c += u; }
        putI(c);
        int w = n & 15;
        while (w) { w &= w - 1; c++; }
        putI(c);
        uint sel = inU(i);
        switch (sel) { case 0: putI(0); break; case 0xffffffff: putI(1); break; default: putI(2); }
    }
}
