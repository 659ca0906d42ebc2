// Shadowing, hidden names, constants, enums, typedefs, macros.
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

#define MAX2(a, b) ((a) > (b) ? (a) : (b))
#define CAT(a, b) a##b
#define REPEAT(x) x; x; x
enum Kind { First, Second = 5, Third };

typedef float3 Colour;
static const int N = 3;
static const int Sizes[N] = { N, N * 2, N << 2 };
struct T { int x; static const int Many = 4; int Get() { int x = 100; return this.x + x; } int Other(int x) { return x + this.x + Get(); } };

static int y = N + Sizes[1];
int over(Kind k) { return k == Second ? 1 : 2; }
float area(const in float r, float pi = 3.0) { const float two = 2; return r * r * pi * two / 2; }
int forward(int n);
int twice(int n) { return forward(n) + forward(n + 1); }
int forward(int n) { return n * 3; }
[shader("raygeneration")]
void Main()
{
    int n = inS(0);
    int a[N + T::Many];
    for (int i = 0; i < 7; ++i) a[i] = i * n;
    putI(a[6]); putI(MAX2(n, 3)); putI(CAT(1, 2)); REPEAT(n++); putI(n);
    putI(First); putI(Third); putI(over(Second)); putI(over(Third));
    Kind k = (Kind)5; putI(k + 1); Colour c = float3(1, 2, n); putF3(c);
    T t = { n }; putI(t.Get()); putI(t.Other(1000)); putI(y);
    { int n = 5; { int n = 6; putI(n); } putI(n); } putI(n);
    for (int n = 0, e = 3; n < e; ++n) { putI(e - n); }
    if (int(n) > 0) { int y = 3; putI(y); } else putI(y);
    putF(area(2)); putF(area(2, 4)); putI(twice(n));
    putI(__LINE__ > 10 ? 1 : 0); putI(0x1F + 010 + 1e1); putF(.5f + 1.h + 2.e0); putU(4294967295u); putI(-2147483648);
    putI(sizeof(T)); putI('A');
    int r = 0; while (r < 100) { r += 7; if (r % 2) continue; if (r > 50) break; } putI(r);
    uint loops = 0; for (;;) { if (++loops > 5) break; } putU(loops);
}
