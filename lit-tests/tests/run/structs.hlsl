// Struct values: copies, nesting, dynamic indices, methods, inheritance.
// reference DXIL: no, for DXIL it cannot return `this` (newer ones neither)
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

struct Inner { int a; float2 f; int Sum() { return a + int(f.x); } void Add(int n) { a += n; f += n; } };
struct Outer { Inner list[3]; int n; Inner one; };
struct Base { int x; int y; int Both() { return x * 10 + y; } };
struct Derived : Base { int z; void Set(int v) { x = v; y = v + 1; z = v + 2; } int All() { return Both() * 10 + z; } };
struct Counter
{
    int count;
    static const int Step = 3;
    int Next() { count += Step; return count; }
    void Reset(int v = 1) { this.count = v; }
    Counter Copy() { return this; }
};
Outer make(int base)
{
    Outer o = (Outer)0;
    for (int i = 0; i < 3; ++i) { o.list[i].a = base + i; o.list[i].f = float2(base, i) * 0.5; }
    o.n = base;
    return o;
}
Inner pick(Outer o, int i) { o.list[i].a = 99; return o.list[(i + 1) % 3]; }
[shader("raygeneration")]
void Main()
{
    int d = inU(0) % 3;
    Outer o = make(inS(1));
    Outer copy = o;
    o.list[d].a = 1000;
    o.list[d].f.y = -4;
    o.list[(d + 1) % 3].Add(7);
    o.one = o.list[d];
    o.one.Add(1);
    for (int i = 0; i < 3; ++i)
    {
        putI(o.list[i].a); putF2(o.list[i].f); putI(copy.list[i].a); putF2(copy.list[i].f); putI(o.list[i].Sum());
    }
    putI(o.one.a); putF2(o.one.f); putI(o.n);
    Inner p = pick(copy, d);
    putI(p.a); putI(copy.list[d].a);
    Outer many[2];
    many[0] = o;
    many[1] = copy;
    many[d & 1].list[d] = many[1 - (d & 1)].list[2 - d];
    many[d & 1].n++;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j) { putI(many[i].list[j].a); putF2(many[i].list[j].f); }
    putI(many[0].n); putI(many[1].n);
    Derived v;
    v.Set(d);
    v.y = 5;
    putI(v.All()); putI(v.Both());
    Counter c;
    c.Reset();
    c.Next();
    Counter k = c.Copy();
    k.Next();
    putI(c.Next() * 100 + k.Next());
    c.Reset(inS(2));
    putI(c.count);
    putI(Counter::Step);
}
