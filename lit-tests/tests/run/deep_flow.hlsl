// Returns, breaks and continues at every depth of inlined helpers that change their arguments.
// reference DXIL: no, what falls into `default:` from a case is for it all that comes there, as its listing says (newer ones are right)
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

int walk(inout int a, int n, out int steps)
{
    steps = 0;
    [loop] for (int i = 0; i < 8; ++i)
    {
        steps++;
        int j = 0;
        do
        {
            if (++j > 5) break;
            if ((a + i) % 3 == 0) { a += 2; continue; }
            switch (a % 4)
            {
            case 0: a += 5; continue;
            case 1: { for (int k = 0; k < 3; ++k) { if (k == j) { a++; break; } if (a > 300) return -k; } break; }
            case 2: if (j == 2) break; a -= 1;
            default: a += n; if (a > 200) return a;
            }
            a += 1;
        } while (a < 150 && j < n);
        if (a % 11 == 0) return i * 1000;
        if (a < -20) { a = -a; i += 1; }
    }
    return 7;
}
int sieve(int n)
{
    bool off[40]; int count = 0;
    for (int i = 0; i < 40; ++i) off[i] = i < 2;
    for (int i = 2; i < 40; ++i) { if (off[i]) continue; if (i > n) return count * 100 + i; count++; for (int j = i * 2; j < 40; j += i) off[j] = true; }
    return count;
}
int collatz(uint n) { int s = 0; while (true) { if (n <= 1) return s; if (n & 1) { n = n * 3 + 1; s++; continue; } n >>= 1; if (++s > 90) break; } return -s; }
bool find(int key, inout int2 at) { for (int y = 0; y < 5; ++y) for (int x = 0; x < 5; ++x) { at = int2(x, y); if (x * y + x == key) return true; if (x > y + 1) break; } at.x = -1; return false; }
int both(int n) { if (n < 0) { if (n < -5) return 1; else if (n == -3) n = 4; else return 2; } else switch (n) { case 1: return 3; case 2: n = 8; default: if (n > 6) return n; } return n + 100; }
int nest(int n) { int r = 0; while (n > 0) { while (n > 4) { while (n > 8) { n -= 3; r++; if (n == 10) break; if (r > 6) return -r; } n -= 2; r += 10; if (n == 7) continue; if (n == 6) break; } n -= 1; r += 100; } return r; }
[shader("raygeneration")]
void Main()
{
    for (uint i = 0; i < 16; ++i)
    {
        int a = inS(i), s, n = inS(i + 16);
        putI(walk(a, abs(n), s)); putI(a); putI(s);
        putI(sieve(abs(n) * 2)); putI(collatz(abs(n) * 7 + 1));
        int2 at = 0; putB(find(abs(n), at)); putI2(at);
        putI(both(n)); putI(nest(abs(n) + abs(a & 15)));
    }
}
