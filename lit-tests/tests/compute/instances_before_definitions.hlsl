// rtc -T cs_6_6 -E main -HV 2021
// A function is declared with a class template that is only declared yet; the definition, or a specialisation, comes later.
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
// CHECK-NEXT: {{^}}7,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

template<typename T> struct W;
template<typename A, uint N> struct Several;
template<typename> struct Chosen;
float get(W<float> w);
void set(inout W<int> w, int k);
uint count(Several<float2, 3> s, Several<int, 2> t);
float choose(Chosen<float> c);
namespace n { template<typename T> struct In; float of(In<float> x); template<typename T> struct In { T a; T twice() { return a * 2; } }; }
struct Uses { float read(W<float> w); };

template<typename T> struct W { T v; W<T> more(T k) { W<T> r; r.v = v + k; return r; } };
template<typename A, uint N> struct Several { A all[N]; static const uint Number = N; };
template<> struct Chosen<float> { float own; };
template<typename T> struct Chosen { T general; };

float get(W<float> w) { return w.v; }
void set(inout W<int> w, int k) { w.v = k; }
uint count(Several<float2, 3> s, Several<int, 2> t) { return s.Number * 10 + t.Number + (uint)(s.all[2].y + t.all[1]); }
float choose(Chosen<float> c) { return c.own; }
float n::of(In<float> x) { return x.twice(); }
float Uses::read(W<float> w) { return get(w.more(1)); }

[numthreads(1, 1, 1)] void main()
{
    W<float> w; w.v = f(3); IS(get(w), 3.0f);
    W<int> k; set(k, i(4)); IS(k.v, 4);
    Several<float2, 3> s; s.all[2] = float2(0, f(5)); Several<int, 2> t; t.all[1] = i(1); IS(count(s, t), 38u);
    Chosen<float> c; c.own = f(6); IS(choose(c), 6.0f); Chosen<int> d; d.general = i(7); IS(d.general, 7);
    n::In<float> x; x.a = f(2); IS(n::of(x), 4.0f);
    Uses u; IS(u.read(w), 4.0f);
    done();
}
