// rtc -T cs_6_6 -E main -HV 2021
// Members of instances of class templates: bodies that nothing calls may be invalid for the arguments, and calls find those that are defined later.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}16,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

struct Plain { int x; };
template<typename T, int N> struct List
{
    T of[N];
    T sum() { T all = (T)0; for (int k = 0; k < N; ++k) all += of[k]; return all; }
    T operator[](uint k) { return of[k]; }
    static int kind() { return T::kind; }
    int twice() { return once() * 2; }
    int once() { return N; }
    template<typename U> U as() { return (U)of[0].nothing; }
};
template<typename T> struct Later
{
    T value;
    T got();
    T never();
    static T made(T x);
};
struct Kinds { static const int kind = 5; int x; };
template<typename T> struct Base { T value; T plus(T x) { return value + x; } int fixed() { return 7; } };
struct Derived : Base<Plain> { int more() { return fixed() + value.x; } };

int early(Later<int> l) { return l.got() + Later<int>::made(4); }
template<typename T> T Later<T>::got() { return value * 3; }
template<typename T> T Later<T>::never() { return value.nothing; }
template<typename T> T Later<T>::made(T x) { return x + 100; }
template<> uint Later<uint>::got() { return 77; }

[numthreads(1, 1, 1)] void main()
{
    List<List<int, 2>, 2> nested; nested.of[0].of[0] = i(4); nested.of[0].of[1] = i(5); nested.of[1] = nested.of[0];
    IS(nested[i(1)][i(1)], 5); IS(nested[0].sum(), 9); IS(nested.twice(), 4); IS(nested.once(), 2);
    List<Plain, 3> plain; plain.of[0].x = i(7); plain.of[1] = plain.of[2] = plain.of[0];
    IS(plain[2].x, 7); IS(plain.twice(), 6);
    IS(List<Kinds, 1>::kind(), 5);
    List<float, 2> numbers; numbers.of[0] = f(1); numbers.of[1] = f(2);
    IS(numbers.sum(), 3.0f); IS(numbers[1], 2.0f);
    Later<int> later; later.value = i(2);
    IS(early(later), 110); IS(later.got(), 6);
    Later<Plain> other; other.value.x = i(3); IS(other.value.x, 3);
    Derived d; d.value.x = i(1); IS(d.more(), 8); IS(d.fixed(), 7);
    Base<float> b; b.value = f(2); IS(b.plus(f(3)), 5.0f);
    Later<uint> own; own.value = 1; IS(own.got(), 77u);
    done();
}
