// rtc -T cs_6_6 -E main -HV 2021
// The value of an assignment to a bit-field is the field afterwards.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}46,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

struct S { uint a : 4; int b : 4; uint c : 24; };
struct Wide { uint64_t low : 36; int64_t high : 20; };
struct Expressions { uint low : 3 + 4; uint high : 32 - 7; uint one : sizeof(uint) / 4; };
template<uint L> struct Rest { uint a : 32 - L; uint b : (L); };
struct Full { int x : 3; uint y : 29; int z : 32; uint64_t w : 64; };
struct Flags { bool a : 1; uint n : 3; bool b : 1; };
struct Chosen { uint a : true ? 5 : 4; uint b : sizeof(uint) == 4 ? 7 : 1 ? 3 : 2; };
struct Outer { S s[2]; uint end; };
groupshared S Shared;
static const S Constant = { 0x25, 31, 7 };

uint same(uint x) { return x; }
void set(inout uint x) { x += 20; }

[numthreads(1, 1, 1)] void main()
{
    S s = (S)0;
    uint q = s.a = i(5) + 0x20; IS(q, 5u); IS(s.a, 5u);
    s.a = 15; q = ++s.a; IS(q, 0u); IS(s.a, 0u);
    s.c = s.b = i(9) + 22; IS(s.c, 0xffffffu); IS(s.b, -1);
    IS((int)(s.b = 9), -7);
    IS(same(s.a += 17), 1u);
    IS(s.a++, 1u); IS(s.a, 2u);
    IS((s.a -= 3) > 14 ? 1u : 0u, 1u);
    q = 0; if (s.a = i(1) * 16) q = 1; IS(q, 0u);
    s.a = 1; (s.a = 16) += 3; IS(s.a, 3u);
    set(s.a); IS(s.a, 7u); IS(s.b, -7);
    Wide w = (Wide)0;
    int64_t h = w.high = ((int64_t)i(1) << 19); IS((uint)(h >> 32), 0xffffffffu);
    uint64_t l = w.low = ~(uint64_t)0; IS((uint)(l >> 32), 15u);
    Expressions e = (Expressions)0;
    q = e.low = 0xff; IS(q, 127u); e.high = ~0u; IS(e.high, 0x1ffffffu); IS(e.low, 127u); IS(e.one = 3, 1u);
    Rest<12> r = (Rest<12>)0; q = r.a = ~0u; IS(q, 0xfffffu); IS(r.b = 0x1234, 0x234u);
    Outer o = (Outer)0; q = o.s[i(1)].a = 18; IS(q, 2u); IS(o.s[1].a, 2u);
    Outer p = o; IS(p.s[1].a, 2u);
    q = Shared.a = 19; IS(q, 3u);
    IS(Constant.a, 5u); IS((int)Constant.b, -1);
    const S local = { 0x13, 8, 0 }; IS(local.a, 3u);
    Full f = (Full)0; f.z = i(15); IS((int)f.z, -6); f.z -= 1; IS((int)f.z, -7); f.w = ~(uint64_t)0; IS((uint)(f.w >> 32), 0xffffffffu);
    f.x = f.y = ~0u; IS((int)f.x, -1); IS((uint)f.y, 0x1fffffffu);
    Flags g = (Flags)0; g.a = i(6); IS(g.a ? 1u : 0u, 1u); g.n = 13; IS(g.n, 5u); g.b = g.n > 4; IS((uint)g.b, 1u);
    bool had = g.a = i(0); IS((uint)had, 0u); IS(g.n, 5u);
    g.a = !g.a; IS(g.a && g.b ? 1u : 0u, 1u); Out.Store<Flags>(56, g); IS(Out.Load(56), 27u); IS((uint)sizeof(Flags), 4u);
    const Flags h2 = { true, 9, false }; IS((uint)h2.a + h2.n + (uint)h2.b, 2u);
    Chosen c = (Chosen)0; IS(c.a = ~0u, 31u); IS(c.b = ~0u, 127u);
    done();
}
