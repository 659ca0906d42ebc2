// Instances of templates that a call tries and does not choose do not count: their bodies may make no sense. A cast of zero
// to a structure sets its numbers and leaves its resources to be set.
// reference: no, the pinned compiler takes overloaded templates for partial specialisations
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

struct Random { uint state; uint Next() { state = state * 3 + 1; return state; } };
struct Twice { uint operator()(uint x) { return x * 2; } };
struct Offset { uint by; uint operator()(uint x) { return x + by; } };

template<typename F> uint evaluate(uint a, F f, inout Random r) { return f(a) + r.Next(); }
template<typename F> uint evaluate(uint a, float unused, F f) { return f(a); }
template<typename A> uint which(A a, uint b) { return a - b; }
template<typename A> uint which(A a, Twice b) { return b(a.state); }

struct Table
{
    uint base;
    float2 scale;
    ByteAddressBuffer words;
    uint Get(uint i) { return words.Load(base + i * 4); }
};

[shader("raygeneration")]
void Main()
{
    Random r; r.state = 5;
    Twice twice;
    Offset offset; offset.by = 100;
    expect(evaluate(7, 2.5, twice), 14);
    expect(evaluate(7, twice, r), 14 + 16);
    expect(evaluate(evaluate(1, 1.0, offset), offset, r), 201 + 49);
    expect(which(9u, 4u), 5); expect(which(r, twice), 98);

    Table t = (Table)0;
    putB(t.scale.y == 0); putB(true);
    t.words = In;
    t.base += 8;
    expect(t.Get(1), In.Load(12));
}
