//! Names that nothing declares, names declared twice, and names that mean something else.

// CASE undeclared_variable
[shader("raygeneration")] void Main() { float3 colour = 1; float x = color.x; }
//                                                                   ^^^^^ E0301 use of undeclared identifier `color`
// = here: did you mean `colour`?
// = note: fix: replace `color` with `colour`
// CASE undeclared_and_used_again
float f() { float x = radius * 2; return radius + x; }
//                    ^^^^^^ E0301 use of undeclared identifier `radius`
// CASE undeclared_function
float luminance(float3 c) { return dot(c, 1); }
float f(float3 c) { return luminence(c); }
//                         ^^^^^^^^^ E0301 use of undeclared identifier `luminence`
// = here: did you mean `luminance`?
// = note: fix: replace `luminence` with `luminance`
// CASE misspelled_intrinsic
float f(float3 a) { return normalise(a).x; }
//                         ^^^^^^^^^ E0301 use of undeclared identifier `normalise`
// = here: did you mean `normalize`?
// = note: fix: replace `normalise` with `normalize`
// CASE intrinsic_of_glsl errors=2
float f(float a, float b) { return mix(a, b, 0.5) + fract(a); }
//                                 ^^^ E0301 use of undeclared identifier `mix`
// = here: did you mean `lerp`?
// = note: fix: replace `mix` with `lerp`
//                                                  ^^^^^ E0301 use of undeclared identifier `fract`
// = here: did you mean `frac`?
// = note: fix: replace `fract` with `frac`
// CASE intrinsic_in_wrong_case
float f(float3 a, float3 b) { return Dot(a, b); }
//                                   ^^^ E0301 use of undeclared identifier `Dot`
// = here: did you mean `dot`?
// = note: fix: replace `Dot` with `dot`
// CASE undeclared_type
flaot4 f() { return 0; }
// @1 E0301 unknown type name `flaot4`
// = here: did you mean `float`?
// = note: fix: replace `flaot4` with `float`
// CASE undeclared_type_of_parameter
float f(Materiel m) { return 0; }
//      ^^^^^^^^ E0301 unknown type name `Materiel`
struct Material { float a; };
// CASE type_of_glsl
vec3 f() { return 0; }
// @1 E0301 unknown type name `vec3`
// = here: did you mean `float3`?
// = note: fix: replace `vec3` with `float3`
// CASE type_used_before_its_declaration
Material g;
// @1 E0301 unknown type name `Material`
struct Material { float a; };
// CASE undeclared_member
struct Hit { float distance; float3 normal; };
float f(Hit h) { return h.distnace; }
//                        ^^^^^^^^ E0302 no member named `distnace` in `Hit`
// = here: did you mean `distance`?
// = note: fix: replace `distnace` with `distance`
// CASE undeclared_method
struct Rng { uint state; float next() { return state; } };
float f(Rng r) { return r.Next(); }
//                        ^^^^ E0302 no member named `Next` in `Rng`
// = here: did you mean `next`?
// = note: fix: replace `Next` with `next`
// CASE undeclared_method_of_a_texture
Texture2D<float4> T; SamplerState S;
float4 f() { return T.Samplelevel(S, 0.5, 0); }
//                    ^^^^^^^^^^^ E0302 no member named `Samplelevel` in `Texture2D<float4>`
// = here: did you mean `SampleLevel`?
// = note: fix: replace `Samplelevel` with `SampleLevel`
// CASE method_of_another_object
Texture2D<float4> T;
float4 f() { return T.Load4(0); }
//                    ^^^^^ E0302 no member named `Load4` in `Texture2D<float4>`
// = here: did you mean `Load`?
// = note: fix: replace `Load4` with `Load`
// CASE method_of_a_buffer
StructuredBuffer<float4> B;
void f() { B.Store(0, 1); }
//           ^^^^^ E0302 no member named `Store` in `StructuredBuffer<float4>`
// CASE member_of_a_scalar
float f(int i) { return i.length; }
//                        ^^^^^^ E0321 invalid swizzle `length` of `int`
// = here: a swizzle has one to four letters
// CASE member_through_arrow
struct S { float a; };
float f(S s) { return s->a; }
//                     ^^ E0308 HLSL does not have pointers, so there is no `->`
// = note: fix: replace `->` with `.`
// CASE unknown_namespace
namespace math { float sq(float x) { return x * x; } }
float f() { return maths::sq(2); }
//                 ^^^^^ E0301 use of undeclared identifier `maths`
// = here: did you mean `math`?
// = note: fix: replace `maths` with `math`
// CASE unknown_name_in_namespace
namespace math { float square(float x) { return x * x; } }
float f() { return math::sqaure(2); }
//                       ^^^^^^ E0301 no member named `sqaure` in namespace `math`
// = here: did you mean `square`?
// = note: fix: replace `sqaure` with `square`
// CASE namespace_forgotten
namespace math { float square(float x) { return x * x; } }
float f() { return square(2); }
//                 ^^^^^^ E0301 use of undeclared identifier `square`
// = here: did you mean `math::square`?
// = note: fix: replace `square` with `math::square`
// CASE standard_library
float f(float a) { return std::max(a, 0.0f); }
//                        ^^^ E0301 use of undeclared identifier `std`
// = note: HLSL has no standard library; `min`, `max`, `abs` and their like are intrinsics
// CASE enumerator_misspelled
enum class Mode { Fast, Slow };
int f() { return (int)Mode::Fats; }
//                          ^^^^ E0302 no member named `Fats` in `Mode`
// = here: did you mean `Fast`?
// = note: fix: replace `Fats` with `Fast`
// CASE enumerator_without_its_enumeration
enum class Mode { Fast, Slow };
Mode f() { return Fast; }
//                ^^^^ E0301 use of undeclared identifier `Fast`
// = here: did you mean `Mode::Fast`?
// = note: fix: replace `Fast` with `Mode::Fast`
// CASE redefined_variable
void f() { float a = 1; float a = 2; }
//                            ^ E0304 redeclaration of `a` in the same scope
// = 1:18: note: previously declared here
// CASE parameter_declared_again
void f(float a) { float a = 2; }
//                      ^ E0304 redeclaration of `a` in the same scope
// = 1:14: note: previously declared here
// CASE redefined_global
static float a = 1;
static int a = 2;
//         ^ E0304 redeclaration of `a` in the same scope
// = 1:14: note: previously declared here
// CASE redefined_function
float f(float a) { return a; }
float f(float b) { return b; }
//    ^ E0304 redefinition of `f`
// = 1:7: note: previously declared here
// CASE result_alone_differs
float f(float a) { return a; }
int f(float a) { return 1; }
//  ^ E0304 overloads of `f` differ only in their return type
// = 1:7: note: declared here
// CASE redefined_struct
struct S { float a; };
struct S { float b; };
//     ^ E0304 redefinition of `S`
// = 1:8: note: previously declared here
// CASE redefined_member
struct S { float a; int a; };
//                      ^ E0304 redeclaration of `a` in the same scope
// = 1:18: note: previously declared here
// CASE redefined_parameter
float f(float a, float a) { return a; }
//                     ^ E0304 redeclaration of `a` in the same scope
// = 1:15: note: previously declared here
// CASE redefined_enumerator
enum E { A, B, A };
//             ^ E0304 redeclaration of `A` in the same scope
// = 1:10: note: previously declared here
// CASE redefined_typedef
typedef float T;
typedef int T;
//          ^ E0304 redeclaration of `T` in the same scope
// = 1:15: note: previously declared here
// CASE redefined_resource
Texture2D<float4> T : register(t0);
Texture2D<float4> T : register(t1);
//                ^ E0304 redeclaration of `T` in the same scope
// = 1:19: note: previously declared here
// CASE function_as_value
float g() { return 1; }
float f() { return g + 1; }
//                 ^ E0305 reference to function `g` must be called
// CASE type_as_value
struct S { float a; };
float f() { return S + 1; }
//                   ^ E0201 expected `(`, found `+`
// CASE value_as_type
static float a;
void f() { a b; }
//         ^ E0303 `a` does not name a type
// CASE namespace_as_value
namespace n { float a() { return 1; } }
float f() { return n; }
//                 ^ E0305 `n` is a namespace, not a value
// CASE variable_called
float f(float a) { return a(1); }
//                        ^ E0316 called value of type `float` is not a function
// CASE method_without_call
struct S { float a; float g() { return a; } };
float f(S s) { return s.g; }
//                      ^ E0305 reference to method `g` must be called
// CASE static_call_without_object
struct S { float a; float g() { return a; } };
float f() { return S::g(); }
//                 ^^^^^^ E0327 use of the member `S::g` without an object
// CASE this_outside_of_a_method
float f() { return this.a; }
//                 ^^^^ E0326 invalid use of `this` outside of a method
// CASE qualified_value
float f(float a) { return a::b; }
//                        ^ E0306 `a` is not a namespace or a type
// CASE method_not_declared_in_its_class
struct S { float a; };
float S::g() { return a; }
//       ^ E0339 out-of-line definition of `g` does not match a declaration
// CASE undeclared_in_template
template <typename T> T f(T a) { return a + b; }
//                                          ^ E0301 use of undeclared identifier `b`
float g() { return f(1.0); }
// CASE variable_of_an_inner_scope
float f() { { float inner = 1; } return inner; }
//                                      ^^^^^ E0301 use of undeclared identifier `inner`
// CASE loop_variable_after_its_loop -HV 2021
float f() { for (int i = 0; i < 4; ++i) { } return i; }
//                                                 ^ E0301 use of undeclared identifier `i`
// CASE ambiguous_type -T lib_6_6
namespace a { struct S { int x; }; static const int n = 1; int f() { return 1; } }
namespace b { struct S { int x; }; static const int n = 2; int f(int y) { return 2; } }
using namespace a;
using namespace b;
struct T { S s; };
//         ^ E0341 `S` is ambiguous: it is declared in several namespaces that are used here
// = 1:22: note: declared here
// = 2:22: note: declared here
// = note: write the namespace, or `::S` for the global one
// CASE ambiguous_variable -T lib_6_6
namespace a { struct S { int x; }; static const int n = 1; int f() { return 1; } }
namespace b { struct S { int x; }; static const int n = 2; int f(int y) { return 2; } }
using namespace a;
using namespace b;
int g() { return n + a::n; }
//               ^ E0341 `n` is ambiguous: it is declared in several namespaces that are used here
// = 1:53: note: declared here
// = 2:53: note: declared here
// = note: write the namespace, or `::n` for the global one
// CASE hidden_name_of_dx -T lib_6_6
struct HitObject { int a; };
using namespace dx;
int f() { HitObject h; h.a = 1; ::HitObject i; i.a = 2; return h.a + i.a; }
//        ^^^^^^^^^ E0341 `HitObject` is ambiguous: it is declared in several namespaces that are used here
// = 1:8: note: declared here
// = note: write the namespace, or `::HitObject` for the global one
// CASE type_of_vulkan -T ps_6_0 -E main
SubpassInput s;
// @1 E0301 `SubpassInput` is a type of Vulkan's render passes, which DXIL has not; compile with `-spirv`
float4 main() : SV_Target { return s.SubpassLoad(); }
// CASE attachment_in_a_compute_shader -T cs_6_0 -E Main -spirv
[[vk::input_attachment_index(0)]] SubpassInput<float> s; RWBuffer<float> o;
[numthreads(1, 1, 1)] void Main() { o[0] = s.SubpassLoad(); }
//                                         ^^^^^^^^^^^^^^^ E0602 `SubpassLoad` cannot be used in the compute shader `Main`
// = note: it is only available in pixel shaders
// CASE descriptor_heap_declared_again -T ps_6_6 -E main
Texture2D<float4> ResourceDescriptorHeap[] : register(t0);
//                ^^^^^^^^^^^^^^^^^^^^^^ E0304 redeclaration of `ResourceDescriptorHeap`, which is a descriptor heap from shader model 6.6 on
// = note: give it another name, or declare it in a namespace
float4 main(uint i : I) : SV_Target { Texture2D<float4> t = ResourceDescriptorHeap[i]; return t.Load(0); }
// CASE function_with_the_name_of_a_descriptor_heap -T ps_6_6 -E main
float4 SamplerDescriptorHeap() { return 1; }
//     ^^^^^^^^^^^^^^^^^^^^^ E0304 redeclaration of `SamplerDescriptorHeap`, which is a descriptor heap from shader model 6.6 on
// = note: give it another name, or declare it in a namespace
float4 main() : SV_Target { return 1; }
// CASE member_of_a_block_with_the_name_of_a_descriptor_heap -T ps_6_6 -E main
cbuffer C { float4 ResourceDescriptorHeap; }
//                 ^^^^^^^^^^^^^^^^^^^^^^ E0304 redeclaration of `ResourceDescriptorHeap`, which is a descriptor heap from shader model 6.6 on
// = note: give it another name, or declare it in a namespace
float4 main() : SV_Target { return 1; }
// CASE unused_method_wrong_for_all_arguments errors=3
struct A { float x; };
template <typename T> struct H { T t; float f() { return undeclared + t.nope(); } float g() { A a; return a.nope + t.x; } float h(); };
//                                                       ^^^^^^^^^^ E0301 use of undeclared identifier `undeclared`
// = 4:41: note: in `H<A>`, needed here
//                                                                                                          ^^^^ E0302 no member named `nope` in `A`
// = 4:41: note: in `H<A>`, needed here
template <typename T> float H<T>::h() { return T::nope + missing; }
//                                                       ^^^^^^^ E0301 use of undeclared identifier `missing`
[shader("raygeneration")] void Main() { H<A> h; h.t.x = 1; }
// CASE used_method_wrong_for_this_argument errors=3
struct A { float x; };
template <typename T> struct H { T t; float f() { return t.nope(); } struct In { T v; float k() { return v.nope; } }; static float zero; };
//                                                                                                         ^^^^ E0302 no member named `nope` in `A`
// = 4:41: note: in `H<A>`, needed here
//                                                         ^^^^ E0302 no member named `nope` in `A`
// = 4:41: note: in `H<A>`, needed here
template <typename T> float H<T>::zero = T::nope;
//                                          ^^^^ E0302 no member named `nope` in `A`
[shader("raygeneration")] void Main() { H<A> h; h.t.x = h.f() + H<A>::zero; H<A>::In i; h.t.x = i.k(); }
// CASE declaration_wrong_for_this_argument errors=3
struct A { float x; };
template <typename T> struct H { T t; typename T::E f() { return 1; } static const float k = T::nope; enum { First = T::more }; };
//                                                ^ E0302 no member named `E` in `A`
// = 3:41: note: in `H<A>`, needed here
//                                                                                              ^^^^ E0302 no member named `nope` in `A`
// = 3:41: note: in `H<A>`, needed here
//                                                                                                                      ^^^^ E0302 no member named `more` in `A`
// = 3:41: note: in `H<A>`, needed here
[shader("raygeneration")] void Main() { H<A> h; h.t.x = 1; }
// CASE unused_class_wrong_for_all_arguments errors=2
template <typename T> struct H { T t; struct In { Missing m; T v; }; enum class Kind { First = missing, Second = T::nope }; };
//                                                ^^^^^^^ E0301 unknown type name `Missing`
// = 2:41: note: in `H<float>`, needed here
//                                                                                             ^^^^^^^ E0301 use of undeclared identifier `missing`
// = 2:41: note: in `H<float>`, needed here
[shader("raygeneration")] void Main() { H<float> h; h.t = 1; }
// CASE specialisation_of_no_type errors=2
struct A { float x; };
template <typename T> T made(uint a) { return (T)a; }
template <> A made(float a) { A r; r.x = a; return r; }
//            ^^^^ E0333 no function template `made` has an instance of this type
template <> float made(uint a) { return 1; }
template <> float made(uint a) { return 2; }
//                ^^^^ E0304 redefinition of `made`
// = 4:19: note: previously declared here
// CASE declared_never_defined
template <typename T> T twice(T v);
[shader("raygeneration")] void Main() { float a = twice(1.0); }
//                                                ^^^^^^^^^^ E0609 `twice<float>` is declared but never defined
// = 1:25: note: declared here
// = note: another library cannot define an instance of a template
// CASE alias_and_function errors=2
struct A { float x; };
typedef A D;
float D(float a) { return a; }
//    ^ E0304 redeclaration of `D` in the same scope
// = 2:11: note: previously declared here
struct B { float y; };
float B(float a) { return a * 2; }
float f(B b) { return B(1); }
//      ^ E0303 `B` does not name a type
// CASE namespaces_of_arguments errors=2
namespace a { struct S { int x; }; enum E { X }; int g(S s) { return 1; } int h(int n) { return n; } }
namespace b { struct S { int x; }; int g(S s) { return 2; } }
[shader("raygeneration")] void Main() { a::S s; int n = g(s) + h(1) + g(1); }
//                                                             ^ E0301 use of undeclared identifier `h`
// = here: did you mean `a::h`?
// = note: fix: replace `h` with `a::h`
//                                                                    ^ E0301 use of undeclared identifier `g`
// = here: did you mean `a::g`?
// = note: fix: replace `g` with `a::g`
// CASE no_template_as_argument errors=8
template <template <class> class C> struct H { C<int> c; };
template <class T> struct Box { T t; };
template <class T, class U> struct Two { T t; U u; };
template <int N> struct Number { int n; };
template <class T> T made(T t) { return t; }
[shader("raygeneration")] void Main() { H<int> a; H<Box<int> > b; H<Two> c; H<Number> d; H<made> e; H<3> f; H<> g; H<Missing> h; }
//                                        ^^^ E0333 this argument must be the name of a class template
//                                                  ^^^^^^^^ E0333 this argument must be the name of a class template
//                                                                  ^^^ E0333 `Two` has other template parameters than this argument must have
//                                                                            ^^^^^^ E0333 `Number` has other template parameters than this argument must have
//                                                                                         ^^^^ E0333 this argument must be the name of a class template
//                                                                                                    ^ E0333 this argument must be the name of a class template
//                                                                                                          ^^^ E0309 `H` expects 1 template argument, found 0
//                                                                                                                   ^^^^^^^ E0301 use of undeclared identifier `Missing`
// CASE too_many_instances
#define TEN(n) I(n##0) I(n##1) I(n##2) I(n##3) I(n##4) I(n##5) I(n##6) I(n##7) I(n##8) I(n##9)
#define TENS(n) TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
#define HUNDREDS(n) TENS(n##0) TENS(n##1) TENS(n##2) TENS(n##3) TENS(n##4) TENS(n##5) TENS(n##6) TENS(n##7) TENS(n##8) TENS(n##9)
template <int N> struct Many { static int get() { return N; } };
#define I(n) r = Many<n>::get();
[shader("raygeneration")] void Main() { int r; HUNDREDS(1) HUNDREDS(2) HUNDREDS(3) HUNDREDS(4) HUNDREDS(5) }
//                                                                                             ^^^^^^^^^^^ E0334 the template `Many` has more than 4096 instances
// = 6:96: note: in the expansion of macro `I` used here
// = 6:96: note: in the expansion of macro `TEN` used here
// = 6:96: note: in the expansion of macro `TENS` used here
// = 6:96: note: in the expansion of macro `HUNDREDS` used here
// CASE specialised_after_use
template <typename T> T f(T v) { return v + 1; }
float g(float x) { return f(x); }
template <> float f(float v) { return v + 100; }
//                ^ E0333 `f<float>` is specialised after its first use
// CASE names_in_templates_that_nothing_uses errors=5
static float known;
template<typename T> float f(T t, int n)
{
    float local = t.anything + known + n + sizeof(T) + RAY_FLAG_NONE;
    enum E { Inner };
    for (int k = 0; k < Inner; ++k) local += nope;
//                                           ^^^^ E0301 use of undeclared identifier `nope`
    if (later) return unknown[k];
//      ^^^^^ E0301 use of undeclared identifier `later`
//                    ^^^^^^^ E0301 use of undeclared identifier `unknown`
// = here: did you mean `known`?
// = note: fix: replace `unknown` with `known`
    switch (n) { case outside: local = any_call(t); }
//                    ^^^^^^^ E0301 use of undeclared identifier `outside`
    typedef T Own;
    return local + known_nowhere;
//                 ^^^^^^^^^^^^^ E0301 use of undeclared identifier `known_nowhere`
}
static float later;
// CASE names_of_templates_in_classes errors=0
template<typename B> struct D : B { float get() { return this.x; } template<typename T> float more(T t) { return inherited; } };
struct Base { float x; float inherited; };
float f(float4 v) { D<Base> d; d.x = 1; float2 w = v; return d.get() + w.x; }
//                                                 ^ W0301 the conversion from `float4` to `float2` drops components
// CASE default_argument_given_twice
float f(float a = 1);
float f(float a = 1) { return a; }
//                ^ E0304 this parameter has a default argument already
// = 1:19: note: first given here
// = note: one declaration gives a default argument, normally the first
// CASE default_argument_given_again_after_the_definition
float f(float a, float b = 1) { return a + b; }
float f(float a, float b = 1);
//                         ^ E0304 this parameter has a default argument already
// = 1:28: note: first given here
// = note: one declaration gives a default argument, normally the first
// CASE default_argument_of_a_method_given_twice
struct S { float f(float a = 1); };
float S::f(float a = 1) { return a; }
//                   ^ E0304 this parameter has a default argument already
// = 1:30: note: first given here
// = note: one declaration gives a default argument, normally the first
// CASE default_argument_of_a_template_given_twice -HV 2021
template<typename T> T f(T a, T b = 1);
template<typename T> T f(T a, T b = 2) { return a + b; }
//                                  ^ E0304 this parameter has a default argument already
// = 1:37: note: first given here
// = note: one declaration gives a default argument, normally the first
// CASE default_template_argument_given_twice -HV 2021
template<typename T = float> struct H;
template<typename T = float> struct H { T a; };
//       ^^^^^^^^^^^^^^^^^^ E0304 this parameter has a default argument already
// = 1:10: note: first given here
// = note: one declaration gives a default argument, normally the first
// CASE variable_template_without_arguments -HV 2021
template<typename T> static const T pi = T(3);
float f() { return pi; }
//                 ^^ E0333 the variable template `pi` is used without template arguments
// CASE variable_template_with_too_many_arguments -HV 2021
template<typename T> static const T pi = T(3);
float f() { return pi<float, int>; }
//                 ^^ E0309 `pi` expects 0 to 1 template argument, found 2
// CASE variable_template_that_is_not_static -HV 2021
template<typename T> T pi;
//                     ^^ E0333 a variable template must be `static`
// = note: a variable that the host sets, or that a group shares, is one variable of one type
// CASE variable_template_in_2018 -HV 2018
template<typename T> static const T pi = T(3);
//                                  ^^ E0333 templates require HLSL 2021
// = note: use -HV 2021
// CASE variable_template_twice -HV 2021
template<typename T> static const T pi = T(3);
template<typename T> static const T pi = T(4);
//                                  ^^ E0304 redeclaration of `pi` in the same scope
// = 1:37: note: previously declared here
// CASE variable_template_without_end -HV 2021
template<int N> static const int next = next<N + 1>;
//                                      ^^^^ E0334 recursive instantiation of the template `next` does not end
// = 1:41: note: in `next<63>`, needed here
// = 1:41: note: in `next<62>`, needed here
// = 1:41: note: in `next<61>`, needed here
// = 1:41: note: in `next<60>`, needed here
// = 1:41: note: in `next<59>`, needed here
// = 1:41: note: in `next<58>`, needed here
// = 1:41: note: in `next<57>`, needed here
// = 1:41: note: in `next<56>`, needed here
int f() { return next<0>; }
// CASE variable_template_specialised_after_use -HV 2021
template<typename T> static const int kind = 1;
int f() { return kind<float>; }
template<> static const int kind<float> = 2;
//                          ^^^^ E0333 `kind` is specialised after its first use
// CASE variable_template_specialised_twice -HV 2021
template<typename T> static const int kind = 1;
template<> static const int kind<float> = 2;
template<> static const int kind<float> = 3;
//                          ^^^^ E0304 redefinition of `kind`
// = 2:1: note: previously declared here
// CASE variable_template_specialised_by_its_parameters -HV 2021
template<typename T> static const int kind = 1;
template<typename T> static const int kind<T> = 2;
//                                    ^^^^ E0333 this partial specialisation of `kind` is for any arguments
// = note: without arguments after its name it is the template itself
// CASE variable_template_of_an_unknown_name -HV 2021
template<typename T> static const T pi = nothere;
//                                       ^^^^^^^ E0301 use of undeclared identifier `nothere`
// CASE specialisation_of_no_variable_template -HV 2021
static const int kind = 1;
template<> static const int kind = 2;
//                          ^^^^ E0333 specialisation of unknown template `kind`
// CASE variable_template_as_type -HV 2021
template<typename T> static const T pi = T(3);
float f() { return pi<float>(2); }
//                 ^^ E0303 `pi` does not name a type
// CASE variable_template_in_a_structure -HV 2021
struct S { template<typename T> static const T k = T(2); };
//         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0312 variable templates in structures are an extension: other compilers of HLSL refuse them
float f() { return S::k<float>; }
// CASE name_of_a_dependent_base -HV 2021
template<typename T> struct B { T x; };
template<typename T> struct D : B<T> { T f() { return x; } };
//                                                    ^ E0301 use of undeclared identifier `x`
// = 3:9: note: in `D<float>`, needed here
// = note: `x` is a member of a base that depends on template parameters, where names alone are not looked up: write `this.x`, or the base before `::`
float f(D<float> d) { return d.f(); }
// CASE method_of_a_dependent_base -HV 2021
template<typename T> struct B { T g() { return 1; } };
template<typename T> struct D : B<T> { T f() { return g(); } };
//                                                    ^ E0301 use of undeclared identifier `g`
// = 3:9: note: in `D<float>`, needed here
// = note: `g` is a member of a base that depends on template parameters, where names alone are not looked up: write `this.g`, or the base before `::`
float f(D<float> d) { return d.f(); }
// CASE constant_of_a_dependent_base -HV 2021
template<typename T> struct B { static const int k = 3; };
template<typename T> struct D : T { int f() { return k; } };
//                                                   ^ E0301 use of undeclared identifier `k`
// = 3:7: note: in `D<B<int>>`, needed here
// = note: `k` is a member of a base that depends on template parameters, where names alone are not looked up: write `this.k`, or the base before `::`
int f(D<B<int> > d) { return d.f(); }
// CASE type_of_a_dependent_base -HV 2021
template<typename T> struct B { struct In { T y; }; };
template<typename T> struct D : B<T> { T f() { In i; i.y = 1; return i.y; } };
//                                             ^^ E0301 unknown type name `In`
// = 3:9: note: in `D<float>`, needed here
float f(D<float> d) { return d.f(); }
// CASE name_of_a_base_of_a_base -HV 2021
template<typename T> struct B { T x; };
template<typename T> struct M : B<T> { T y; };
template<typename T> struct D : M<T> { T f() { return x + this.y; } };
//                                                    ^ E0301 use of undeclared identifier `x`
// = 4:9: note: in `D<float>`, needed here
// = note: `x` is a member of a base that depends on template parameters, where names alone are not looked up: write `this.x`, or the base before `::`
float f(D<float> d) { return d.f(); }
// CASE variable_declared_after_the_template -HV 2021
template<typename T> T f(T v) { return v + later; }
//                                         ^^^^^ E0301 use of undeclared identifier `later`
static const float later = 3;
float g() { return f(1.0f); }
// CASE function_declared_after_the_template -HV 2021
template<typename T> T f(T v) { return later(v); }
//                                     ^^^^^ E0301 use of undeclared identifier `later`
// = 3:20: note: in `f<float>`, needed here
// = note: `later` is declared after the template, which finds what is declared before it
float later(float x) { return x; }
float g() { return f(1.0f); }
// CASE structure_declared_after_the_template -HV 2021
template<typename T> T f(T v) { Later l; l.a = v; return l.a; }
//                              ^^^^^ E0301 unknown type name `Later`
// = 3:20: note: in `f<float>`, needed here
struct Later { float a; };
float g() { return f(1.0f); }
// CASE buffer_declared_after_the_class_template -HV 2021
template<typename T> struct H { T f() { return data[0]; } };
//                                             ^^^^ E0301 use of undeclared identifier `data`
// = 3:9: note: in `H<float>`, needed here
// = note: `data` is declared after the template, which finds what is declared before it
Buffer<float> data;
float g(H<float> h) { return h.f(); }
// CASE type_of_a_parameter_without_typename
struct A { struct N { float v; }; };
template<typename M> float use(M m, float v) { M::N n; n.v = v; return n.v; }
//                                             ^^^^ W0312 types of dependent classes without `typename` are an extension: other compilers of HLSL refuse them
// = 3:32: note: in `use<A>`, needed here
float f(float x) { A m; return use(m, x); }
// CASE template_of_a_parameter_without_template
struct Maker { template<typename T> T make(T v) { return v + 1; } };
template<typename M> float use(M m, float v) { return m.make<float>(v); }
//                                                      ^^^^ W0312 templates in dependent classes without `template` are an extension: other compilers of HLSL refuse them
// = 3:36: note: in `use<Maker>`, needed here
float f(float x) { Maker m; return use(m, x); }
// CASE namespace_without_a_name
namespace { float f() { return 2; } }
// @1 W0312 namespaces without a name are an extension: other compilers of HLSL refuse them
float g() { return f(); }
