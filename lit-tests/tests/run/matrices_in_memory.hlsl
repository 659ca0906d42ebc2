// Matrices, vectors and booleans in parameters, in local and static arrays: their memory layout, with components of every size.
// Compilers reach them through addresses of long vectors there, so that gaps between rows would show.
// reference SPIR-V: no, the pinned compiler crashes; its DXIL is used
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

struct Part { float3x3 f; double2x3 d; bool2x3 b; min16float3x3 h; min16int n; float end; };
struct P
{
    float3 v; min16float3 hv; bool3 bv; double3 dv;
    float3x3 m; double3x2 d; bool3x2 b; min16float2x3 h; min16int3x3 i;
    Part part[2]; float3 list[3]; bool flags[3]; min16float small[3]; uint end;
};
static const float3x3 TABLE[2] = { float3x3(1, 2, 3, 4, 5, 6, 7, 8, 9), float3x3(9, 8, 7, 6, 5, 4, 3, 2, 1) };
static bool2x3 Seen[2] = { bool2x3(1, 0, 1, 0, 1, 0), bool2x3(0, 0, 0, 1, 1, 1) };
static min16float3 Halves[3] = { min16float3(1, 2, 3), min16float3(4, 5, 6), min16float3(7, 8, 9) };

[shader("callable")]
void Ca(inout P p)
{
    uint x = p.end & 1, y = p.end >> 1 & 1;
    p.m[1][2] += 3; p.m = mul(p.m, TABLE[x]);
    p.d[2] = p.d[y] * 2; p.b[2][y] = !p.b[1][x]; p.h[1] = p.h[0] + Halves[y + 1]; p.i[x][2] = p.i[y][1] * 3;
    p.part[1] = p.part[x]; p.part[0].f = mul(p.part[1].f, p.m); p.part[x].b[1] = !p.part[y].b[0];
    p.part[y].d[x][2] += p.dv[y]; p.part[x].h[2][y] = p.hv[x + 1]; p.part[y].n += 5;
    p.list[2] = p.list[x] * 2; p.list[y].z = p.v.y; p.flags[x + 1] = !p.flags[y]; p.small[2] = p.small[x] * 2;
    min16float first = p.hv.x; p.hv.x = p.hv.y; p.hv.y = p.hv.z; p.hv.z = first; p.bv.x = !p.bv.x; p.dv.z = p.dv.x - 1;
    Seen[x][y][2] = p.bv[x]; Halves[x][y] += p.hv.z;
    for (uint n = 0; n < 6; ++n)
        p.bv[n % 3] = p.bv[n % 3] != Seen[n & 1][x][n % 3];
    p.hv += Halves[y];
    ++p.end;
}
void show(P p)
{
    putF3(p.v); putF3(p.hv); putB4(bool4(p.bv, 0)); putF3(float3(p.dv));
    for (uint r = 0; r < 3; ++r)
    {
        putF3(p.m[r]); putF2(float2(p.d[r])); putB(p.b[r].x); putB(p.b[r].y); putF3(p.h[r & 1]); putI3(p.i[r]);
        putF3(p.list[r]); putB(p.flags[r]); putF(p.small[r]);
        for (uint n = 0; n < 2; ++n)
        {
            putF3(p.part[n].f[r]); putF3(float3(p.part[n].d[r & 1])); putB4(bool4(p.part[n].b[r & 1], 0)); putF3(p.part[n].h[r]);
            putI(p.part[n].n); putF(p.part[n].end);
        }
    }
    putU(p.end);
}
[shader("raygeneration")]
void Main()
{
    P p = (P)0;
    uint x = inU(0) & 1, y = inU(1) & 1;
    for (uint n = 0; n < 9; ++n)
    {
        uint r = n / 3, c = n % 3;
        p.m[r][c] = n + inF(n); p.d[r][c & 1] = n * 2.0L + inF(n); p.b[r][c & 1] = inI(n) > 0; p.h[r & 1][c] = min16float(n); p.i[r][c] = min16int(n * 7);
        p.list[r][c] = inF(n + 9); p.flags[c] = inI(n + 3) > 0; p.small[c] = min16float(n + 1); p.v[c] = n; p.hv[c] = min16float(n + 3); p.bv[c] = inI(c) > 3; p.dv[c] = n + 0.5;
        Part part = p.part[n & 1];
        part.f[r][c] = n + 10; part.d[r & 1][c] = inF(n + 2); part.b[r & 1][c] = inI(n + 4) > 0; part.h[r][c] = min16float(n + 20); part.n = min16int(n); part.end = n + 30;
        p.part[n & 1] = part;
    }
    p.end = x + y * 2;
    CallShader(0, p);
    P copies[2] = { p, p };
    copies[x].m[y][x] += 100; copies[y].d[x] *= 3; copies[x].b[y] = !copies[y].b[x]; copies[y].part[x].h[y] += 4;
    CallShader(0, copies[x]);
    copies[y] = copies[x]; copies[y].v = copies[x].v * 3;
    show(copies[0]);
}
