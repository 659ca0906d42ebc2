// Arrays as values: copies, parameters, results, members, dynamic indices.
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

typedef int Row[4];
struct Box { Row rows[3]; float2 pts[2]; };
static Row Kept = { 9, 8, 7, 6 };
void reverse(inout Row r) { Row o; for (int i = 0; i < 4; ++i) o[i] = r[3 - i]; r = o; }
int sum(const Row r) { int s = 0; for (int i = 0; i < 4; ++i) s += r[i] * (i + 1); return s; }
void fill(out Row r, int from) { for (int i = 0; i < 4; ++i) r[i] = from + i; }
void shift(inout Box b, int k) { b.rows[k] = b.rows[(k + 1) % 3]; b.pts[k & 1] += b.pts[1 - (k & 1)]; }
int hist(uint n) { int h[8]; for (int i = 0; i < 8; ++i) h[i] = 0; for (uint j = 0; j < n; ++j) h[inU(j) & 7]++; int best = 0; for (int i = 1; i < 8; ++i) if (h[i] > h[best]) best = i; return best * 100 + h[best]; }
[shader("raygeneration")]
void Main()
{
    Row r;
    fill(r, inS(0));
    Row c = r;
    c[inU(0) & 3] = 100;
    putI(sum(r)); putI(sum(c)); reverse(c); putI(sum(c)); putI(sum(Kept));
    Kept = r; reverse(Kept);
    putI(Kept[0]); putI(sum(Kept));
    Box b;
    fill(b.rows[0], 1); fill(b.rows[1], 10); b.rows[2] = r;
    b.pts[0] = float2(inF(0), 1); b.pts[1] = float2(2, inF(1));
    int k = inU(2) % 3;
    Box copy = b;
    shift(b, k); shift(b, (k + 1) % 3);
    b.rows[k][k] = -1;
    for (int i = 0; i < 3; ++i) { putI(sum(b.rows[i])); putI(sum(copy.rows[i])); }
    putF2(b.pts[0]); putF2(b.pts[1]); putF2(copy.pts[k & 1]); putF(b.pts[k & 1][k & 1]);
    putI(hist(40));
    int sorted[8];
    for (int i = 0; i < 8; ++i) sorted[i] = inS(i);
    for (int i = 1; i < 8; ++i) { int v = sorted[i], j = i - 1; while (j >= 0 && sorted[max(j, 0)] > v) { sorted[j + 1] = sorted[j]; --j; } sorted[j + 1] = v; }
    for (int i = 0; i < 8; ++i) putI(sorted[i]);
    float3 vs[3] = { float3(1, 2, 3), float3(4, 5, 6), float3(7, 8, 9) };
    vs[k].zx = vs[(k + 1) % 3].xy;
    vs[k][k] *= 2;
    for (int i = 0; i < 3; ++i) putF3(vs[i]);
    float2x2 ms[2] = { float2x2(1, 2, 3, 4), float2x2(5, 6, 7, 8) };
    ms[k & 1][1][k & 1] = 50;
    ms[1 - (k & 1)] = mul(ms[0], ms[1]);
    putF2(ms[0][0]); putF2(ms[0][1]); putF2(ms[1][0]); putF2(ms[1][1]);
    int cube[2][3][2];
    for (int i = 0; i < 12; ++i) cube[i / 6][i / 2 % 3][i & 1] = i * i;
    putI(cube[k & 1][k][1]); putI(cube[1][2][k & 1]);
}
