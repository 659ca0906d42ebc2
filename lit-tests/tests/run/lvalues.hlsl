// L-values of every shape with compound assignment and side effects in indices.
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

struct E { int n; float3 v; float2x3 m; int a[2]; };
RWStructuredBuffer<E> Rw : register(u4);
static int I = 0;
int step() { return I++; }
E make(int n) { E e; e.n = n; e.v = float3(n, n + 1, n + 2); e.m = float2x3(n, 2, 3, 4, 5, n); e.a[0] = n; e.a[1] = -n; return e; }
float3 vec(int n) { return float3(n, n * 2, n * 3); }
float2x3 mat(int n) { return float2x3(n, 1, 2, 3, 4, 5); }
void set(inout float2 a, out int b) { a = a.yx + 1; b = 33; }
[shader("raygeneration")]
void Main()
{
    uint t = Thread() * 3;
    int k = inU(0) & 1, n = inS(1);
    Rw[t] = make(n); Rw[t + 1] = make(2); Rw[t + 2] = make(3);
    Rw[t + step()].n += 5;
    Rw[t + step()].v *= 2;
    Rw[t + 1].v.zx *= float2(2, 3);
    Rw[t + step()].a[k] -= 7;
    putI(I);
    Rw[t].m[k].yz += Rw[t].m[1 - k].xy;
    Rw[t].m._m00_m12 = Rw[t].m._m12_m01;
    Rw[t + 1].m[k][k + 1]++;
    Rw[t + 1].v[k] = Rw[t + 1].v[k + 1] - 1;
    set(Rw[t + 2].v.xz, Rw[t + 2].a[k]);
    set(Rw[t + 2].m[1].zx, Rw[t + 2].n);
    for (uint i = 0; i < 3; ++i)
    {
        E e = Rw[t + i];
        putI(e.n); putF3(e.v); putF3(e.m[0]); putF3(e.m[1]); putI(e.a[0]); putI(e.a[1]);
    }
    putI(make(4).n); putF(make(5).v.y); putF(make(6).m[1][2]); putI(make(7).a[k]); putF2(vec(2).zy); putF(vec(3)[k]); putF3(mat(8)[k]); putF(mat(9)._m00);
    putF2((vec(1) + vec(2)).xz); putF((vec(1) * 2)[k]); putF(mul(mat(1), vec(1)).y);
    float3x3 m = 0;
    m._m00_m11_m22 = vec(1); m._12_23_31 = 7; m[k].xy = m[2].zz; m[2][k] += 0.5; m._m01_m10 += 1; m[k]++; m -= 1;
    for (int i = 0; i < 3; ++i) putF3(m[i]);
    E x = make(1), y;
    y = x; y.n = (x.n += 4) * 2; (x.v).y = 9; x.m[k] = x.v; x.a[x.a[0] & 1] = 12; y.v.xy = x.v.yx = float2(5, 6);
    putI(x.n); putI(y.n); putF3(x.v); putF3(y.v); putF3(x.m[k]); putI(x.a[0]); putI(x.a[1]);

    float4 c = 0; c.a = c.r = 2; c.gb = c.ar * 3; c[k + 1] /= 4; putF4(c);
    int4 q = int4(1, 2, 3, 4); q[q.x] = q[q.y] + 10; q.xy = q.yx; q.zw <<= q.xx & 3; q ^= 5; putI4(q);
    uint u = 5; u = -u; u >>= 28; u |= 1u << 31; u = ~u; putU(u);
    bool b = n > 0; b = !b; putB(b); b = b == false; putB(b); putI(b ? -1 : n < -5 ? 5 : 6);
    putF(k ? 1 : 2.5); putU(k ? n : 7u); putF3(k ? vec(1) : 0); putF2(b ? float2(n, 1) : vec(2).xy); putI(k ? true : 4);
}
