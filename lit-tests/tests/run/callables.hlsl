// Parameters of callable shaders: every shape, written by nested calls.
// reference DXIL: no, it writes rows of `row_major` matrices of parameters where columns would be, as its listing says (newer ones too)
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

struct Part { bool flag; int2 n[2]; };
struct P { float3 v; Part in_; float2x3 m; row_major float3x2 r; bool3 b; uint depth; };
static int Count = 10;
void note(inout P p) { Count++; p.in_.n[p.depth & 1].y += Count; }
[shader("callable")]
void Ca(inout P p)
{
    p.v = p.v.zxy + 1;
    p.in_.flag = !p.in_.flag;
    p.b.xz = p.b.zx;
    p.m[1] = p.m[0] * 2;
    note(p); note(p);
    if (p.depth < 1) { p.depth++; P q = p; q.v = 5; CallShader(1, q); p.r = q.r + p.r; p.in_.n[0] = q.in_.n[1]; }
    if (p.v.x > 3) return;
    p.v.y = 77;
}
[shader("callable")]
void Cb(inout P p) { p.r[1] += p.v.xy; p.in_.n[1] = Count + p.depth; p.r._m20 = 4; note(p); }
[shader("raygeneration")]
void Main()
{
    P p;
    p.v = float3(inF(0), inF(1), inF(2)); p.in_.flag = inI(0) > 0; p.in_.n[0] = int2(1, 2); p.in_.n[1] = int2(3, inI(1));
    p.m = float2x3(1, 2, 3, 4, 5, 6); p.r = float3x2(1, 2, 3, 4, 5, 6); p.b = bool3(true, false, inI(2) > 0); p.depth = 0;
    note(p);
    CallShader(0, p);
    P copy = p;
    CallShader(Thread() & 1, p);
    for (int i = 0; i < 2; ++i)
    {
        P s; if (i == 0) s = p; else s = copy;
        putF3(s.v); putB(s.in_.flag); putI2(s.in_.n[0]); putI2(s.in_.n[1]); putF3(s.m[0]); putF3(s.m[1]);
        putF2(s.r[0]); putF2(s.r[1]); putF2(s.r[2]); putB(s.b.x); putB(s.b.y); putB(s.b.z); putU(s.depth);
    }
    putI(Count);
}
