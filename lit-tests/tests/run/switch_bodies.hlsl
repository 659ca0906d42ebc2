// Bodies of `switch` that are no blocks: a labelled statement, a statement that is never reached, another `switch`.
// reference: no, it takes the last label for every value where several labels have one statement, and its SPIR-V does not compile
// options: -T cs_6_6 -E Main -D COMPUTE
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

int one(int v) { int x = 10; switch (v) case 1: x = 20; return x; }
int other(int v) { int x = 10; switch (v) default: x += v; return x; }
int some(int v) { int x = 10; switch (v) case 1: case 2: case 5: x = 30; return x; }
int every(int v) { int x = 10; switch (v) case 1: default: case 3: x = 40; return x; }
int block(int v) { int x = 10; switch (v) case 2: { x = 50; if (v > 1) break; x = 60; } return x; }
int branch(int v) { int x = 10; switch (v) case 2: if (x > 20) x = 1; else x = 70; return x; }
int never(int v) { int x = 10; switch (v) x = 80; switch (v) ; switch (++x) { } return x; }
int inner(int v) { int x = 10; switch (v) case 1: switch (x) case 10: x = 90; return x; }
int looped(int v) { int x = 10; switch (v) case 3: for (int i = 0; i < 4; ++i) x += i; return x; }
int leaves(int v) { switch (v) case 1: return 100; return 10; }
int hangs(int v) { int x = 10; if (v > 1) switch (v) case 2: x = 110; else x = 120; return x; }
int last(int v) { int x = 10; switch (v) { case 1: x = 130; break; default: x = 140; { case 2: ++x; } } return x; }
int declares(int v) { int x = 10; switch (v) case 1: int y = 2; return x; }
int passes(int v) { int x = 10; switch (v) { case 1: { int y = 5; x += y; } break; case 2: int z; z = 7; x += z; break; case 3: static const int w = 9; x += w; break; default: x = 1; } return x; }

int condition(int v) { switch (int k = v + 1) { case 2: return k * 10; default: k += 5; return k; } }
int conditions(int v) { int k = 100; switch (int k = v) { case 1: switch (int k = v + 3) case 4: v += k; default: v += k; } return v + k; }

[numthreads(THREADS, 1, 1)]
void Main(uint thread : SV_GroupIndex)
{
    ThreadNumber = thread;
    const int zero = inI(0) - inI(0);
    const int o = zero + 1, t = zero + 2, h = zero + 3;
    expect(one(o), 20); expect(one(t), 10);
    expect(other(o), 11); expect(other(h), 13);
    expect(some(t), 30); expect(some(h), 10); expect(some(zero + 5), 30);
    expect(every(o), 40); expect(every(zero + 9), 40);
    expect(block(o), 10); expect(block(t), 50);
    expect(branch(t), 70); expect(branch(h), 10);
    expect(never(o), 11);
    expect(inner(o), 90); expect(inner(t), 10);
    expect(looped(h), 16); expect(looped(t), 10);
    expect(leaves(o), 100); expect(leaves(t), 10);
    expect(hangs(t), 110); expect(hangs(h), 10); expect(hangs(o), 120);
    expect(last(o), 130); expect(last(t), 11); expect(last(h), 141);
    expect(declares(o), 10);
    expect(condition(o), 20); expect(condition(t), 8);
    expect(conditions(o), 106); expect(conditions(t), 104);
    expect(passes(o), 15); expect(passes(t), 17); expect(passes(h), 19); expect(passes(zero), 1);
}
