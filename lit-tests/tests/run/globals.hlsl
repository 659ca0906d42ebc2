// Static globals, initialisers, defaults, overloads.
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

static int A = 3;
static int B = A * 2 + 1;
static const float Table[4] = { 0.5, 1.5, -2, 4 };
static const int3 V = { 1, 2, 3 };
static float3x3 M = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
static struct { int x; float y; } Anon = { 4, 2.5 };
static int Zero[3];
static const uint Mask = ~0u >> 4;
groupshared int unused;
void touch() { A += 1; B = A; M[1][1] += A; Zero[1]++; Anon.x--; }
int counter() { static int n = 5; n += 2; return n; }
int f(int x) { return 1; }
int f(uint x) { return 2; }
int f(float x) { return 3; }
int f(bool x) { return 4; }
int f(int2 x) { return 5; }
int f(float2 x) { return 6; }
int f(float3x3 x) { return 7; }
int g(float x, int y = 4, float z = 2.5) { return int(x * 100 + y * 10 + z * 2); }
int h(float a, int b) { return 1; }
int h(int a, float b) { return 2; }
namespace N { static int Q = 9; int f(int x) { return x + Q; } namespace O { int f(int x) { return N::f(x) * 2; } } }
[shader("raygeneration")]
void Main()
{
    touch(); touch();
    putI(A); putI(B); putF3(M[1]); putI(Zero[0]); putI(Zero[1]); putI(Anon.x); putF(Anon.y);
    putF(Table[inU(0) & 3]); putI3(V); putI(V[inU(1) % 3]); putU(Mask);
    counter(); counter();
    putI(counter());
    putI(f(1u)); putI(f(1.0)); putI(f(true)); putI(f(int2(1, 2))); putI(f(float2(1, 2))); putI(f(M));
    putI(f(A > 1)); putI(f(inU(0) + inI(0))); putI(f(inF(0) * 2)); putI(f(V.xy));
    putI(g(1)); putI(g(1, 2)); putI(g(1, 2, 3)); putI(g(true));
    putI(h(1.5, 2)); putI(h(2, 1.5));
    putI(N::f(1)); putI(N::O::f(1));
    N::Q = 1;
    putI(N::f(1));
    int A = 50;
    { int A = 60; putI(A); }
    putI(A);
    for (int A = 0; A < 1; ++A) putI(A);
    putI(A);
}
