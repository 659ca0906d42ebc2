// Flags of an enumeration: what combines them stays of it; switches on other numbers; templates with bases that depend on
// their parameters; constants without initialisers.
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

enum Flags { None = 0, Red = 1, Green = 2, Blue = 4, All = Red | Green | Blue };
int kind(Flags f) { return 1000 + f; }
int kind(int i) { return i; }
bool has(Flags f, Flags what) { return (f & what) == what; }

template<typename T> struct Stack
{
    T items[4];
    uint count;
    void Push(T v) { items[count++] = v; }
    T Top() { return items[count - 1]; }
};
template<typename T> struct Summed : Stack<T>
{
    T Sum() { T s = (T)0; for (uint i = 0; i < this.count; ++i) s += this.items[i]; return s; }
};
template<typename T, uint N> struct Scaled : Summed<T>
{
    T Total() { return this.Sum() * N; }
};

struct Nothing { int Add(int a, int b) { return a + b; } };
static const Nothing Adder;
static const int Zero;

[shader("raygeneration")]
void Main()
{
    int n = inS(0);
    putI(kind(Red | Blue)); putI(kind(Red + Green)); putI(kind(Red | 2)); putI(kind(All - Red));
    Flags f = Red | Green;
    f |= Blue; putI(kind(f)); f &= Red | Blue; putI(f); f ^= All; putI(kind(f));
    if (n > 0) f = f | Red;
    putI(kind(f)); putB(has(f, Red | Green)); putI(n > 2 ? f : f | Blue);
    float x = inF(0);
    switch (x * 4) { case 0: putI(0); break; case 1: case 2: putI(12); break; case -1: putI(-1); break; default: putI(99); }
    Scaled<float2, 3> s; s.count = 0; s.Push(float2(1, n)); s.Push(float2(x, 2)); putF2(s.Top()); putF2(s.Total());
    Summed<int> t; t.count = 0; t.Push(n); t.Push(4); putI(t.Sum());
    putI(Adder.Add(n, 2)); putI(Zero);
}
