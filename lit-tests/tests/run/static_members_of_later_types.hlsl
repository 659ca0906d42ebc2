// Static members of types that are defined later, of the class itself and of instances of a class template, in arrays too.
// reference: no, its older versions cannot compile it
// options: -T cs_6_6 -E Main -D COMPUTE
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

struct Later;
struct Holder { static const Later constant; static Later variable; static const Later table[2]; int a; };
struct Later { int x; float2 y; };
static const Later Holder::constant = { 3, float2(1, 2) };
static Later Holder::variable = { 5, float2(3, 4) };
static const Later Holder::table[2] = { { 7, float2(5, 6) }, { 8, float2(7, 9) } };
struct Own { static const Own zero; int a; int b; int sum() { return a + b + zero.a; } };
static const Own Own::zero = { 30, 2 };
template<typename T> struct Of { static Of<T> one; T x; T twice() { return x * 2; } };
template<typename T> Of<T> Of<T>::one = { 4 };

[numthreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    ThreadNumber = t;
    expect(Holder::constant.x, 3);
    expect(int(Holder::constant.y.y), 2);
    Holder::variable.x += int(t);
    expect(Holder::variable.x, 5 + int(t));
    expect(Holder::table[t & 1].x, 7 + int(t & 1));
    expect(int(Holder::table[1].y.y), 9);
    Own own = { 1, 2 };
    expect(own.sum(), 33);
    expect(Own::zero.sum(), 62);
    Of<int> of = Of<int>::one;
    expect(of.twice(), 8);
    expect(int(Of<float>::one.x), 4);
}
