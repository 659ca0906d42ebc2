// Without optimisation, resources that only dead code uses: they need no place in the root signature, may share a register, and may never be assigned.
// RUN: %rtc -T ps_6_0 -Od -validator-version 1.6 %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: not %rtc -T ps_6_0 -Od -DALIVE %s 2>&1 | FileCheck %s --check-prefix=ALIVE

// CHECK-NOT: two
// CHECK: one {{ *}}texture
// CHECK-NOT: unbound
// ALIVE: `one` and `two` both use register t0 of space 0
Texture2D one : register(t0);
Texture2D two : register(t0);
cbuffer unbound : register(b7) { float k; };
struct Pair { Texture2D a; Texture2D b; };
float4 choose(bool first, Pair p, int3 at) { if (first) return p.a.Load(at); return p.b.Load(at); }
float4 load(bool first, int3 at) { if (first) return one.Load(at); return two.Load(at); }

#ifdef ALIVE
[RootSignature("DescriptorTable(SRV(t0)), CBV(b7)")]
float4 main(int3 at : AT) : SV_Target { return load(at.z > 2, at); }
#else
[RootSignature("DescriptorTable(SRV(t0))")]
float4 main(int3 at : AT) : SV_Target
{
    Pair p;
    p.a = one;
    float4 r = choose(true, p, at) + load(true, at);
    bool never = false;
    if (never)
        r *= k;
    return r;
}
#endif
