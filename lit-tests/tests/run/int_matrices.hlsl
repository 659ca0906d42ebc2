// Integer and bool matrices: layouts in memory, comparisons, conditions.
// reference: no (it has neither integer column-major matrices in buffers nor comparisons of matrices)
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

struct M { int2x3 c; row_major int2x3 r; uint3x2 u; };
StructuredBuffer<M> Read : register(t3);
RWStructuredBuffer<M> Write : register(u4);
ByteAddressBuffer Raw : register(t5);
cbuffer C : register(b2) { int2x3 Z; row_major int2x3 Y; int3x2 X[2]; };
int raw(uint w) { return asint(Raw.Load(w * 4)); }
[shader("raygeneration")]
void Main()
{
    uint t = Thread() * 18;
    for (uint i = 0; i < 2; ++i)
        for (uint j = 0; j < 3; ++j)
        {
            expect(Read[Thread()].c[i][j], raw(t + j * 2 + i));
            expect(Read[Thread()].r[i][j], raw(t + 6 + i * 3 + j));
            expect(Read[Thread()].u[j][i], raw(t + 12 + i * 3 + j));
            expect(Z[i][j], raw(j * 4 + i));
            expect(Y[i][j], raw(12 + i * 4 + j));
            expect(X[0][j][i], raw(20 + i * 4 + j));
            expect(X[1][j][i], raw(28 + i * 4 + j));
        }
    int2x3 a = { 1, 2, 3, 4, 5, 6 }, b = { 6, 5, 4, 3, 2, 1 };
    bool2x3 less = a < b;
    expect(less[0][0], 1); expect(less[0][2], 1); expect(less[1][0], 0); expect(less[1][2], 0);
    expect(all(less), 0); expect(any(less), 1); expect(all(a == a), 1); expect(any(a != a), 0);
    int2x3 s = select(less, a, b);
    expect(s[0][1], 2); expect(s[1][1], 2); expect(s[1][0], 3);
    int2x3 n = -a + ~b * 2;
    expect(n[0][0], -15); expect(n[1][2], -10);
    n = a << 2;
    expect(n[1][1], 20);
    n %= 3;
    expect(n[1][2], 0); expect(n[0][1], 2);
    n++;
    expect(n[0][1], 3);
    M w;
    w.c = a; w.r = b; w.u = (uint3x2)transpose(a);
    Write[Thread()] = w;
    expect(Write[Thread()].c[1][0], 4); expect(Write[Thread()].r[1][0], 3); expect(Write[Thread()].u[2][1], 6);
    Write[Thread()].c[1] = int3(7, 8, 9);
    Write[Thread()].u._m10 = 77;
    expect(Write[Thread()].c[0][1], 2); expect(Write[Thread()].c[1][1], 8); expect(Write[Thread()].u[1][0], 77);
    int2 p = a._m02_m11;
    expect(p.x, 3); expect(p.y, 5);
    float2x3 f = a;
    expect(int(f[1][2] * 2), 12);
    bool2x2 bm = { true, false, 1, 0 };
    expect(bm[1][0], 1); expect(bm._m01, 0);
    expect(mul(a, int3(1, 1, 1)).y, 15);
    expect(mul(int2(1, 1), a).z, 9);
}
