// Long arrays that are passed by value: of tables, of variables that are written in between, copies of copies, in loops.
// options: -T cs_6_6 -E Main -D COMPUTE
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

#define R(n) n, n * 3 + 1, n ^ 5, 100 - n,
static const int Table[40] = { R(1) R(2) R(3) R(4) R(5) R(6) R(7) R(8) R(9) R(10) };
static const int Square[20][2] = { R(1) R(2) R(3) R(4) R(5) R(6) R(7) R(8) R(9) R(10) };
struct Holder { int v[40]; int n; };

int at(int v[40], int i) { return v[(uint)i % 40]; }
int twice(int v[40], int i) { int own[40] = v; return at(own, i) + own[(uint)(i + 1) % 40]; }
int changed(int v[40], int i) { v[(uint)i % 40] += 1000; return at(v, i) + at(v, i + 1); }
int square(int v[20][2], int i, int k) { return v[(uint)i % 20][k & 1]; }
int held(Holder h, int i) { return at(h.v, i) * h.n; }
int shifted(int i) { int own[40]; for (int k = 0; k < 39; k++) own[k + 1] = Table[k]; own[0] = 7; return own[(uint)i % 40]; }
int reversed(int i) { int own[40]; for (int k = 0; k < 40; k++) own[39 - k] = Table[k]; return own[(uint)i % 40]; }
int some(int i) { int own[40]; for (int k = 0; k < 40; k++) { own[k] = Table[k]; if (k == 5) own[k] = -1; } return own[(uint)i % 40]; }

[numthreads(THREADS, 1, 1)]
void Main(uint thread : SV_GroupIndex)
{
    ThreadNumber = thread;
    const int zero = inI(0) - inI(0);
    Holder h;
    h.v = Table;
    h.n = zero + 2;
    for (int i = zero; i < zero + 40; i += 7)
    {
        int value = Table[i], next = Table[(i + 1) % 40];
        expect(at(Table, i), value);
        expect(twice(Table, i), value + next);
        expect(changed(Table, i), value + 1000 + next);
        expect(held(h, i), value * 2);
        expect(reversed(i), Table[39 - i]);
        expect(some(i), i == 5 ? -1 : value);
    }
    expect(square(Square, zero + 7, 0), Table[14]);
    expect(square(Square, zero + 7, 1), Table[15]);
    expect(shifted(zero), 7);
    expect(shifted(zero + 9), Table[8]);
    expect(some(zero + 5), -1);
    h.v[zero + 3] = 5;
    expect(held(h, zero + 3), 10);
    expect(at(Table, zero + 3), 99);
}
