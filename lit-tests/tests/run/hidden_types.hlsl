// Variables with the names of their structures, enumerators beyond the signed numbers, functions that return arrays.
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

struct Row { uint2 words; uint Sum() { return words.x + words.y; } };
StructuredBuffer<Row> Row : register(t5);
struct State { int a; float b; };
static struct State State = { 3, 0.5 };
int read(struct State s) { return s.a; }

enum Bits { High = 0x80000001, Next, Low = 1 };
uint plain(uint x) { return x; }

typedef int Three[3];
Three series(int from) { Three r = { from, from * 2, from * 3 }; return r; }
typedef float2 Grid[2][2];
Grid grid(float x) { Grid g; for (uint i = 0; i < 4; ++i) g[i / 2][i % 2] = float2(x, i); return g; }

[shader("raygeneration")]
void Main()
{
    int n = inS(0);
    putU(Row[Thread()].Sum());
    putI(read(State)); State.a += n; struct State copy = State; putI(copy.a); putF(copy.b);
    struct Local { int v; }; Local Local = { n }; putI(Local.v);
    putU(High); putU(Next); putU(plain(High)); putB(High > 2);putU(High | Low);
    Three t = series(n); putI(t[0] + t[2]); putI(series(2)[1]); putI(series(n)[inU(1) % 3]);
    Grid g = grid(inF(0)); putF2(g[1][0]); putF2(grid(2)[inU(2) & 1][1]);
}
