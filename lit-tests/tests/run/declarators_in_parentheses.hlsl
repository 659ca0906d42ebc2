// Declarators in parentheses, which change nothing, at every place of a declaration; and expressions that look like them.
// options: -T cs_6_6 -E Main -D COMPUTE
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2018 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

static const int (Three) = 3;
static int (Rows[2])[3] = { { 1, 2, 3 }, { 4, 5, 6 } };
typedef int (Number);
typedef int (Row)[3];
struct Inner
{
    int (plain);
    int (list)[2], ((twice));
    int (method)(int (by), int more = 1) { return plain * by + more; }
    int later(int x);
    static const int (Constant) = 11;
};
int (Inner::later)(int x) { return twice + x; }
int (prototype)(int);
int (prototype)(int x) { return x + 100; }
int (result(int x)) { return x + 200; }
Row (row)() { Row r = { 7, 8, 9 }; return r; }
int parameters(int (a), int (b)[2], inout int (c), const int (d) = 4) { c += d; return a + b[1]; }
void ((nothing))(out int (x)) { x = 5; }
cbuffer Unused { int (Unplaced); int (Placed)[2]; };
groupshared int (Shared)[2];

[numthreads(THREADS, 1, 1)]
void (Main)(uint (thread) : SV_GroupIndex)
{
    ThreadNumber = thread;
    int (x) = inI(0) - inI(0) + 2;
    int a = 1, (b) = x, ((c)), d[2], (e)[2] = { x, 6 }, (f[2]) = { 7, 8 };
    c = 3; d[0] = d[1] = 4;
    expect(a, 1); expect(b, 2); expect(c, 3); expect(d[1], 4); expect(e[1], 6); expect(f[1], 8);
    expect(Three, 3); expect(Rows[1][2], 6);
    Number (n) = 12; Row (r) = { 1, x, 3 };
    expect(n, 12); expect(r[1], 2);
    Inner (i);
    i.plain = x; i.list[1] = 9; i.twice = 10;
    expect(i.method(4), 9); expect(i.list[1] + i.twice, 19); expect(Inner::Constant, 11); expect(i.later(1), 11);
    expect(prototype(x), 102); expect(result(x), 202); expect((prototype)(x), 102); expect(row()[2], 9);
    int z = 1;
    expect(parameters(x, e, z), 8); expect(z, 5);
    nothing(z); expect(z, 5);
    int sum = 0;
    for (int (k) = 0; k < 3; ++k)
        sum += k;
    expect(sum, 3);
    if (int (found) = x)
        sum += found;
    expect(sum, 5);
    int4 (v) = int4(1, x, 3, 4);
    expect(v.y, 2);
    // The innermost declaration hides: a statement that may be a declaration is one.
    {
        int(x);
        x = 50;
        expect(x, 50);
    }
    expect(x, 2);
    // Expressions.
    int(x) + 1;
    int(x), 3;
    int2(x, 3).x;
    int(e[1] = 60);
    expect(e[1], 60);
    int (g)(int);
    Shared[0] = int(x) * int(3.5);
    expect(Shared[0], 6);
    expect(sizeof(int ([3])), 12);
    int copy[2] = (int ([2]))e;
    expect(copy[1], 60);
}
