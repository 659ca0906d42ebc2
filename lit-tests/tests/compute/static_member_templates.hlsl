// rtc -T cs_6_6 -E main -HV 2021
// Templates of functions that a class declares static are static where they are defined outside of it, specialised or not.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}10,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

struct Heap
{
    float k;
    template<typename T> static T get(uint n);
    template<typename T> T own(T x);
    struct Inner { template<typename T> static T next(T x); };
};
template<typename T> T Heap::get(uint n) { return (T)f(n); }
template<> float2 Heap::get<float2>(uint n) { return n + 5; }
template<typename T> T Heap::own(T x) { return x + (T)k; }
template<> float2 Heap::own<float2>(float2 x) { return x * k; }
template<typename T> T Heap::Inner::next(T x) { return x + 1; }

template<typename U> struct Box
{
    U u;
    template<typename T> static T get(uint n, U more = 3);
    template<typename T> T plain(uint n);
    template<int N> static U number();
};
template<typename U> template<typename T> T Box<U>::get(uint n, U more) { return (T)f(n) + (T)more; }
template<typename U> template<typename T> T Box<U>::plain(uint n) { return (T)f(n) + (T)u; }
template<typename U> template<int N> U Box<U>::number() { return N; }
namespace n { struct Deep { template<typename T> static T two(T x); }; template<typename T> T Deep::two(T x) { return Heap::Inner::next(x) + x; } }

[numthreads(1, 1, 1)] void main()
{
    Heap h; h.k = i(4);
    IS(Heap::get<float3>(2).z, 2.0f); IS(h.get<float>(3), 3.0f); IS(Heap::get<float2>(1).y, 6.0f);
    IS(h.own((float3)1).x, 5.0f); IS(h.own((float2)3).y, 12.0f);
    Box<int> b; b.u = i(7);
    IS(Box<int>::get<float3>(1).x, 4.0f); IS(b.get<float>(1, 2), 3.0f); IS(b.plain<float>(1), 8.0f); IS(Box<float>::number<4>(), 4.0f);
    IS(n::Deep::two(f(6)), 13.0f);
    done();
}
