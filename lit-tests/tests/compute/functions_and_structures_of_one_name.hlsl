// rtc -T cs_6_6 -E main -HV 2021
// A function or variable hides the structure or enumeration of its name, which `struct D` names still; calls look at the namespaces of arguments.
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}25,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

struct D { int d; static int s(int v) { return v + 5; } };
int D(int a) { return a * 2; }
int before(int a) { return a + 1; }
struct before { int b; };
enum E { One = 1, Two };
int E(int a) { return a + 10; }
template<typename T> T G(T a) { return a; }
struct G { int g; };
namespace n { struct D { int other; }; int D(int a) { return a * 3; } int use(int a) { struct D v; v.other = a; return v.other + D(a); } }
namespace m { struct D { int third; }; int use(int a) { D d; d.third = a; return d.third; } }
struct Holder { struct K { int k; }; int K(int a) { return a * 4; } int use(int a) { struct K v; v.k = a; return v.k + K(a); } };
int in_block(int a) { struct L { int l; }; int L = a; struct L v; v.l = L + 1; return v.l; }

namespace a
{
    struct S { int x; };
    namespace d { enum F { X, Y = 2 }; enum class C { P = 4 }; int get(uint v, F f) { return v + f; } int of(C c) { return (int)c; } }
    int size(S s) { return s.x; }
    int length(S s) { return s.x + 1; }
    int all(S s[2]) { return s[0].x + s[1].x; }
    S operator*(S s, int n) { s.x *= n; return s; }
    template<typename T> struct Box { T t; };
    struct Outer { struct Inner { int y; }; };
    int inner(Outer::Inner i) { return i.y; }
}
namespace b { struct T : a::S { int more; }; struct U { int z; }; int boxed(a::Box<U> u) { return u.t.z; } int boxed(U u) { return u.z * 2; } }
int size(int n) { return n * 100; }

[numthreads(1, 1, 1)] void main()
{
    IS(D(i(2)), 4); struct D d; d.d = i(3); IS(d.d, 3); IS(D::s(i(1)), 6);
    IS(before(i(1)), 2); struct before b; b.b = i(4); IS(b.b, 4);
    IS(E(i(1)), 11); enum E e = Two; IS((int)e, 2);
    IS(G(i(5)), 5); struct G g; g.g = i(6); IS(g.g, 6);
    IS(n::D(i(2)), 6); IS(n::use(i(1)), 4); IS(m::use(i(7)), 7); struct n::D nd; nd.other = i(8); IS(nd.other, 8);
    Holder h; IS(h.use(i(1)), 5); IS(in_block(i(2)), 3);
    a::S s; s.x = i(3); a::S two[2] = { s, s };
    IS(get(i(1), a::d::Y), 3); IS(of(a::d::C::P), 4); IS(size(s), 3); IS(size(i(2)), 200); IS(length(s), 4); IS(all(two), 6); IS(size(s * 2), 6);
    a::Outer::Inner inside; inside.y = i(9); IS(inner(inside), 9);
    b::T t; t.x = i(5); t.more = 0; IS(size((a::S)t) + length(t), 11);
    a::Box<b::U> box; box.t.z = i(6); IS(boxed(box), 6);
    done();
}
