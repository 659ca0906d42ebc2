// Early returns of inlined functions at every depth of branches, with and without code after them.
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

int3 lobe(int kind, int a, inout int seen)
{
    switch (kind & 7)
    {
    case 0: return int3(a, 1, seen);
    case 1:
        seen++;
        if (a > 4) return int3(a, seen, 2);
        else if (a < -4) { seen += 2; return 3; }
        a += 5;
        return int3(4, a, a);
    case 2: if (a == seen) return 5;
    case 3: seen += 10; if (a & 1) { switch (a & 6) { case 0: return 6; case 2: seen--; return int3(7, a, 7); case 4: break; default: return 8; } seen += 100; } return int3(9, seen, a);
    case 4: { if (a > 0) { if (seen > 3) { if (a > seen) return 10; seen++; return 11; } a--; } else return 12; break; }
    case 5: if (a > 2) break; return 13;
    }
    seen += a;
    return int3(seen, 14, kind);
}
int twice(int kind, int a, inout int seen) { if (a == 7) return -1; int3 l = lobe(kind, a, seen); if (l.x == 9) return l.y; if (l.x > 9) { if (l.y == 14) return lobe(kind + 1, l.z, seen).z; return 15; } return lobe(l.x, l.y, seen).x; }
float weight(int kind, float x) { switch (kind) { case 0: if (x < 1) return sqrt(abs(x)); return 2; case 1: { float y = x * x; if (y > 3) { if (x > 0) return y; else return -y; } return x; } case 2: return 1 / (1 + x * x); } return 0; }
int loops(int n, inout int seen) { for (int i = 0; i < 6; ++i) { switch ((n + i) & 3) { case 0: if (i > 4) return i; continue; case 1: if (n > i * 3) break; seen += i; continue; case 2: if (seen > 40) return -i; } seen += lobe(n + i, i, seen).y & 15; } return 99; }

[shader("raygeneration")]
void Main()
{
    int seen = 0;
    for (uint i = 0; i < 24; ++i)
    {
        int a = inS(i), k = inS(i + 24);
        putI3(lobe(k, a, seen)); putI(seen); seen &= 7;
        putI(twice(k, a, seen)); putI(seen); seen &= 15;
        putF(weight(k & 3, inS(i + 48) * 0.25)); putF(weight(a & 3, inS(i + 49) * 0.25));
        putI(loops(a, seen)); putI(seen); seen &= 7;
    }
}
