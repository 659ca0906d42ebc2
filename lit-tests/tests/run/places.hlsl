// Places and arithmetic in odd combinations: dynamic indices, out arguments, wide integers, NaN.
// reference DXIL: no, it computes fast, for which a number equals itself, as its listing says (newer ones too); its SPIR-V asks.
// options: -T lib_6_6
// RUN: %rtc -T lib_6_6 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_6 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_6 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_6 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"
struct S { float3 v; int n; float m[3]; };
void bump(inout float3 v) { v += 1; v.x *= 2; }
void both(inout float a, inout float b) { a += 1; b *= 3; a += b; }
void conv(inout int a, out float b) { a *= 3; b = a / 2; }
void outu(out float2 a, out int b) { a = float2(3, 4); b = 7; }
void outunread(out float a, float b) { if (b > 0) a = b; else a = 2; }

static int Cnt = 0;
int tick(int n) { Cnt = Cnt * 10 + n; return n; }
[shader("raygeneration")]
void Main()
{
    for (uint i = 0; i < 3; ++i)
    {
        int s = inS(i); uint u = inU(i); float f = inF(i); int d = u & 3;
        float4 v = float4(f, 1, 2, 3); int4 iv = int4(s, 1, 2, 3);
        bump(v.zxy); putF4(v); v[d] = 9; putF4(v); v[d] += f; putF4(v); bump(v.wyx); putF4(v);
        float4x4 m = { v, v * 2, v * 3, v * 4 }; m[d] = f; m[d][3 - d] = 5; m[d].zx += 2; m._m01_m22 *= 3; bump(m[d].xyz); m[(d + 1) & 3][d]++; putF4(m[0]); putF4(m[1]); putF4(m[2]); putF4(m[3]);
         both(v[d], v[3 - d]); putF4(v);
        float cf; conv(iv.x, cf); putI4(iv); putF(cf); float2 o2; int oi; outu(o2, oi); putF2(o2); putI(oi); float h = f; conv(iv[d], v.y); putF4(v); putI4(iv);
        int ci; int cn = 5; outu(v.wz, ci); putF4(v); putI(ci); float q; outunread(q, f); putF(q);
         iv[d] <<= 3; iv[d] >>= 1; putI4(iv); iv.yz %= 5; putI4(iv); iv ^= 0x55; putI4(iv);
        putI(s << (d * 16 + 5)); putI(s >> (d * 16 + 5)); putU(u >> (d * 16 + 5)); putI(1 << u); putU(1u << s); putI(-7 / (s)); putI(-7 % s); putI(s / 3); putI(s % 3); putU(u / 7u); putU(u % 7u); putI(s / -2);
        putI((int)(f * 1000)); putU((uint)(abs(f) * 1000)); putI(int(-f)); putB(f); putB(-0.0f); putI((bool)f + 3);
        float nan = f / 0.0 * 0.0; nan = sqrt(-abs(f) - 1); putB(nan < 1); putB(nan > 1); putB(nan == nan);  putB(!(nan >= 1)); putF(nan < 1 ? 2 : 3); putF(min(nan, 2.0f)); putF(max(nan, 2.0f)); putF(clamp(nan, 0, 1)); putF(saturate(nan)); putB(isnan(nan));
        double dd = f; dd = dd * 3 + 0.1L; putF((float)dd); putB(dd > 1); putI((int)(dd * 4)); double2 d2 = double2(dd, 2); d2 += 1; putF((float)(d2.x * d2.y)); 
        int64_t l = (int64_t)s * 0x100000001ll; l += u; l <<= (d + 1); putU((uint)l); putU((uint)(l >> 32)); putB(l > 0); putI((int)(l / 3)); putI((int)(l % 1000)); uint64_t ul = ((uint64_t)u << 32) | 5; ul >>= 3; putU((uint)ul); putU((uint)(ul / 7)); 
        
        int a = 1, b = 2; a = b = s; a += b -= 3; putI(a); putI(b); a = b++ + ++b; putI(b); int arr[4] = { 1, 2, 3, 4 }; arr[d] += arr[3 - d]++; putI(arr[0]); putI(arr[1]); putI(arr[2]); putI(arr[3]);
        S st = { v.xyz, s, f, 2, 3 }; S s2 = st; s2.m[d % 3] = 8; s2.v[d % 3] = 4; st.v.yx = s2.v.xy; putF3(st.v); putF3(s2.v); putF(s2.m[0]); putF(s2.m[1]); putF(st.m[d % 3]);
        bool4 bv = v > f; bv.y = !bv.y; bv[d] = true; putB4(bv); putI4(iv * bv); putI(any(bv) + all(bv));
        bool bs = s; bs |= u & 1; bs &= d; putB(bs); putI(-bs); putI(~bs); putI(bs + bs); 
        half hh = f; min16float mf = f; mf += 1; putF(mf * 2); min16int mi = s; mi *= 3; putI(mi); 
        precise float pf = f * 3 + 1; putF(pf); putU(asuint(f) ^ 0x80000000); putU(-u); putU(~u); putI(+s); putF(-v[d]);
    }
}
