//! Templates: instances, deduction, specialisations.

use super::*;

#[test]
fn functions_are_deduced_or_told() {
    typed(
        "template<typename T> T big(T a, T b) { return a > b ? a : b; } template<typename R, typename A> R conv(A a) { return (R)a; } \
         template<typename T, int N> T last(T a[N]) { return a[N - 1]; } template<typename T, int N> vector<T, N> twice(vector<T, N> v) { return v * (T)2; } \
         void f(int i, float x, float3 v) { i = big(i, 3); x = big<float>(i, x); x = conv<float>(i); int a[3] = { 1, 2, 3 }; i = last(a); v = twice(v); }",
        "i = big<int>(i, 3);
         x = big<float>(float(i), x);
         x = conv<float, int>(i);
         int[3] a = {1, 2, 3} as int[3];
         i = last<int, 3>(a);
         v = twice<float, 3>(v);",
    );
}

#[test]
fn classes_have_members_and_specialisations() {
    let r = ok(
        "template<typename T, int N = 2> struct Box { T v[N]; T get(int i) { return v[i]; } static int size() { return N; } Box<T, N> copy() { return this; } }; \
        template<typename T> struct Kind { static const int k = 0; }; template<> struct Kind<float> { static const int k = 1; }; template<typename T> struct Kind<Box<T, 2> > { static const int k = 2; }; \
        template<typename T> using Pair = Box<T, 2>; _Static_assert(Kind<int>::k == 0 && Kind<float>::k == 1 && Kind<Pair<int> >::k == 2, \"\"); \
        float f() { Box<float> b; b.v[0] = 1; Pair<float> c = b.copy(); return c.get(1) + Box<int, 7>::size(); }",
    );
    let text = r.function("f");
    assert!(text.contains("Box<float, 2> b;") && text.contains("Box<int, 7>::size()"), "{text}");
    assert!(r.function("Box<int, 7>::size").contains("return 7;"));
}

#[test]
fn errors_in_instances_show_the_instantiation() {
    let r = run("template<typename T> float g(T t) { return t.missing; }\nstruct S { float a; };\nfloat f(S s) { return g(s); }");
    assert_eq!(r.lines(), ["1:46 E0302 no member named `missing` in `S`"]);
    assert!(r.diagnostics[0].labels.iter().any(|l| l.message.contains("in `g<S>`")), "{:?}", r.diagnostics[0].labels);
}

#[test]
fn failures() {
    fails("template<typename T> T g(T a, T b) { return a; } void f() { g(1, 2.0); }", &["1:61 E0313"]);
    fails("template<typename T> struct S { T t; }; void f() { S<float, int> s; S<3> t; }", &["1:52 E0309", "1:71 E0303"]);
    fails("template<int N> struct R { R<N + 1> next; }; void f() { R<0> r; }", &["1:28 E0334"]);
    fails_with(
        "template<typename T> T g(T a) { return a; }",
        &SemaOptions { hlsl_version: 2018, ..SemaOptions::default() },
        &["1:24 E0333 HLSL 2021"],
    );
}
