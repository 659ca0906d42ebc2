//! Calls: counts, kinds, overloads, templates, recursion.

// CASE too_few_arguments
float g(float a, float b) { return a + b; }
float f() { return g(1); }
//                 ^ E0315 `g` expects 2 arguments, found 1
// = 2:20: note: 1 argument passed here
// = 1:7: note: candidate: float g(float, float)
// CASE too_many_arguments
float g(float a) { return a; }
float f() { return g(1, 2); }
//                 ^ E0315 `g` expects 1 argument, found 2
// = 2:20: note: 2 arguments passed here
// = 1:7: note: candidate: float g(float)
// CASE too_many_for_defaults
float g(float a, float b = 1) { return a + b; }
float f() { return g(1, 2, 3); }
//                 ^ E0315 `g` expects 1 to 2 arguments, found 3
// = 2:20: note: 3 arguments passed here
// = 1:7: note: candidate: float g(float, float)
// CASE intrinsic_count
float f(float a) { return lerp(a, 1); }
//                        ^^^^ E0315 `lerp` expects 3 arguments, found 2
// = 1:27: note: 2 arguments passed here
// = note: candidate: floatNxM lerp(floatNxM a, floatNxM b, floatNxM s)
// CASE intrinsic_argument
Texture2D<float4> T;
float f() { return sin(T); }
//                     ^ E0313 argument 1 of `sin` is `Texture2D<float4>`, expected `floatNxM`
// = note: candidate: floatNxM sin(floatNxM x)
// CASE method_count
Texture2D<float4> T; SamplerState S;
float4 f() { return T.SampleLevel(S, 0.5); }
//                    ^^^^^^^^^^^ E0315 `SampleLevel` expects 3, 4 or 5 arguments, found 2
// = 2:21: note: 2 arguments passed here
// = note: candidate: T SampleLevel(SamplerState s, float2 x, float lod)
// = note: candidate: T SampleLevel(SamplerState s, float2 x, float lod, int2 o)
// = note: candidate: T SampleLevel(SamplerState s, float2 x, float lod, int2 o, out uint status)
// CASE method_argument
Texture2D<float4> T;
float4 f() { return T.SampleLevel(T, 0.5, 0); }
//                                ^ E0313 argument 1 of `SampleLevel` is `Texture2D<float4>`, expected `SamplerState`
// = note: candidate: T SampleLevel(SamplerState s, float2 x, float lod)
// CASE comparison_sampler_wanted
Texture2D<float> T; SamplerState S;
float f() { return T.SampleCmpLevelZero(S, 0.5, 0.5); }
//                                      ^ E0313 argument 1 of `SampleCmpLevelZero` is `SamplerState`, expected `SamplerComparisonState`
// = note: candidate: float SampleCmpLevelZero(SamplerComparisonState s, float2 x, float compareValue)
// CASE ambiguous
void g(int a, float b) { }
void g(float a, int b) { }
void f() { g(1, 2); }
//         ^ E0314 ambiguous call of `g` with arguments of types (literal int, literal int)
// = 1:6: note: candidate: void g(int, float)
// = 2:6: note: candidate: void g(float, int)
// CASE ambiguous_by_width
float g(float2 a) { return 1; }
float g(float3 a) { return 2; }
float f(float4 a) { return g(a); }
//                         ^ E0314 ambiguous call of `g` with arguments of types (float4)
// = 1:7: note: candidate: float g(float2)
// = 2:7: note: candidate: float g(float3)
// CASE no_overload_fits
struct S { float a; };
float g(float a) { return a; }
float g(float3 a) { return a.x; }
float f(S s) { return g(s); }
//                    ^ E0313 no matching function for call to `g` with arguments of types (S)
// = 2:7: note: candidate: float g(float): argument 1 is `S`, expected `float`
// = 3:7: note: candidate: float g(float3): argument 1 is `S`, expected `float3`
// CASE no_overload_of_this_count
float g(float a) { return a; }
float g(float a, float b, float c) { return a; }
float f() { return g(1, 2); }
//                 ^ E0315 `g` expects 1 or 3 arguments, found 2
// = 3:20: note: 2 arguments passed here
// = 1:7: note: candidate: float g(float)
// = 2:7: note: candidate: float g(float, float, float)
// CASE argument_is_no_place
void g(out float a) { a = 1; }
void f() { g(1); }
//           ^ E0317 cannot pass it to the out parameter `a`: the expression is a value or a constant, not an l-value
// CASE argument_is_an_expression
void g(inout float a) { a = 1; }
void f(float x) { g(x + 1); }
//                  ^^^^^ E0317 cannot pass it to the inout parameter `a`: the expression is a value or a constant, not an l-value
// CASE argument_is_constant
void g(inout float a) { a = 1; }
static const float c = 1;
void f() { g(c); }
//           ^ E0317 cannot pass it to the inout parameter `a`: the expression is a value or a constant, not an l-value
// CASE argument_of_wrong_kind
struct S { float a; };
float g(float a, float3 b) { return a; }
float f(S s) { return g(1, s); }
//                         ^ E0313 argument 2 of `g` is `S`, expected `float3`
// = 2:7: note: candidate: float g(float, float3)
// CASE array_argument_of_other_size
float g(float a[4]) { return a[0]; }
float f() { float a[3] = { 1, 2, 3 }; return g(a); }
//                                             ^ E0313 argument 1 of `g` is `float[3]`, expected `float[4]`
// = 1:7: note: candidate: float g(float[4])
// CASE default_before_required
float f(float a = 1, float b) { return a + b; }
//                   ^^^^^^^ E0335 missing default argument after a parameter with one
// CASE default_of_out
void f(out float a = 1) { a = 2; }
//                   ^ E0317 cannot pass it to the out parameter `a`: the expression is a value or a constant, not an l-value
void g() { f(); }
// CASE declared_never_defined
static float g(float a);
[shader("raygeneration")] void Main() { float x = g(1); }
//                                                ^^^^ E0609 `g` is declared but never defined
// = 1:14: note: declared here
// = note: it is `static`, so no other library can define it
// CASE recursion
float f(uint n) { return n == 0 ? 1 : n * f(n - 1); }
//    ^ E0603 recursive call of `f`: HLSL does not support recursion
// = 1:43: note: `f` is called here
// = note: shaders recurse by tracing rays
[shader("raygeneration")] void Main() { float x = f(4); }
// CASE mutual_recursion
float b(uint n);
float a(uint n) { if (n == 0) return 1; return b(n - 1); }
//    ^ E0603 recursive call of `a`: HLSL does not support recursion
// = 2:48: note: `b` is called here
// = 3:26: note: `a` is called here
// = note: shaders recurse by tracing rays
float b(uint n) { return a(n) + 1; }
[shader("raygeneration")] void Main() { float x = a(4); }
// CASE recursion_through_a_method
struct Tree { uint n; float walk() { n -= 1; return n == 0 ? 0 : walk(); } };
//                          ^^^^ E0603 recursive call of `Tree::walk`: HLSL does not support recursion
// = 1:66: note: `Tree::walk` is called here
// = note: shaders recurse by tracing rays
[shader("raygeneration")] void Main() { Tree t = { 4 }; float x = t.walk(); }
// CASE recursion_through_a_template
template <typename T> T sum(T a, uint n) { if (n == 0) return a; return sum<T>(a, n - 1); }
//                      ^^^ E0603 recursive call of `sum<float>`: HLSL does not support recursion
// = 1:73: note: `sum<float>` is called here
// = note: shaders recurse by tracing rays
[shader("raygeneration")] void Main() { float x = sum<float>(1, 4); }
// CASE template_not_deduced
template <typename T> T make() { return (T)0; }
float f() { return make(); }
//                 ^^^^ E0313 no matching function for call to `make` with arguments of types ()
// = 1:25: note: candidate: template <typename T> make(): nothing tells what `T` is
// CASE template_deduced_twice
template <typename T> T largest(T a, T b) { return a > b ? a : b; }
float f(int a, float b) { return largest(a, b); }
//                               ^^^^^^^ E0313 no matching function for call to `largest` with arguments of types (int, float)
// = 1:25: note: candidate: template <typename T> largest(T a, T b): argument 2 is `float`, which contradicts the arguments before it
// CASE template_argument_kind
template <int N> float first(float a[N]) { return a[0]; }
float f() { float a[2] = { 1, 2 }; return first<float>(a); }
//                                        ^^^^^ E0313 no matching function for call to `first` with arguments of types (float[2])
// = 1:24: note: candidate: template <int N> first(float a[N]): `N` must be a constant
// CASE template_argument_not_constant
template <int N> float times(float a) { return a * N; }
float f(int n) { return times<n>(1); }
//                      ^^^^^ E0313 no matching function for call to `times` with arguments of types (literal int)
// = 1:24: note: candidate: template <int N> times(float a): `N` must be a constant
// CASE too_many_template_arguments
template <typename T> T same(T a) { return a; }
float f() { return same<float, int>(1); }
//                 ^^^^ E0313 no matching function for call to `same` with arguments of types (literal int)
// = 1:25: note: candidate: template <typename T> same(T a): it has 1 template parameter, not 2
// CASE class_template_without_arguments
template <typename T> struct Pair { T a, b; };
Pair p;
// @1 E0309 `Pair` expects 1 template argument, found 0
// CASE class_template_with_too_few_arguments
template <typename T, int N> struct Array { T a[N]; };
static Array<float> p;
//     ^^^^^^^^^^^^ E0309 `Array` expects 2 template arguments, found 1
// CASE error_inside_an_instance
struct S { float a; };
template <typename T> T twice(T a) { return a * 2; }
//                                          ^^^^^ E0318 invalid operands of `*`: `S` and `literal int`
// = 2:45: note: this is `S`
// = 2:49: note: this is `literal int`
// = 3:19: note: in `twice<S>`, needed here
S f(S s) { return twice(s); }
// CASE error_inside_a_nested_instance
struct S { float a; };
template <typename T> T twice(T a) { return a.missing; }
//                                            ^^^^^^^ E0302 no member named `missing` in `S`
// = 3:44: note: in `twice<S>`, needed here
// = 4:19: note: in `four<S>`, needed here
template <typename T> T four(T a) { return twice(a); }
S f(S s) { return four(s); }
// CASE endless_instantiation
template <int N> struct Deep { Deep<N + 1> next; };
//                             ^^^^^^^^^^^ E0334 recursive instantiation of the template `Deep` does not end
// = 1:32: note: in `Deep<63>`, needed here
// = 1:32: note: in `Deep<62>`, needed here
// = 1:32: note: in `Deep<61>`, needed here
// = 1:32: note: in `Deep<60>`, needed here
// = 1:32: note: in `Deep<59>`, needed here
// = 1:32: note: in `Deep<58>`, needed here
// = 1:32: note: in `Deep<57>`, needed here
// = 1:32: note: in `Deep<56>`, needed here
static Deep<0> d;
// CASE endless_function_instantiation
template <int N> float deep() { return deep<N + 1>(); }
//                     ^^^^ E0334 recursive instantiation of the template `deep` does not end
// = 1:40: note: in `deep<63>`, needed here
// = 1:40: note: in `deep<62>`, needed here
// = 1:40: note: in `deep<61>`, needed here
// = 1:40: note: in `deep<60>`, needed here
// = 1:40: note: in `deep<59>`, needed here
// = 1:40: note: in `deep<58>`, needed here
// = 1:40: note: in `deep<57>`, needed here
// = 1:40: note: in `deep<56>`, needed here
[shader("raygeneration")] void Main() { float x = deep<0>(); }
// CASE specialised_without_template
template <> float f<int>(int a) { return a; }
//                ^ E0333 specialisation of unknown template `f`
// CASE template_in_old_language -HV 2018
template <typename T> T same(T a) { return a; }
//                      ^^^^ E0333 templates require HLSL 2021
// = note: use -HV 2021
// CASE lists_of_template_parameters
template <typename T> template <typename U> void g(U x) {}
//                                               ^ E0333 more lists of template parameters than the name has templates
// CASE lists_before_a_class
template <typename T> template <typename U> struct W { T a; };
// @1 E0333 more lists of template parameters than the name has templates
// CASE lists_before_a_member
template <typename T> struct S { T f(); };
template <typename T> template <typename U> template <typename V> T S<T>::f() { return 0; }
// @1 E0333 more lists of template parameters than the name has templates
void g() { S<int> s; }
// CASE member_of_template_without_arguments
template <typename T> struct S { T f(); };
template <typename T> T S::f() { return 0; }
//                      ^ E0333 no class template with that many parameters declares this member
// CASE member_that_is_not_declared
template <typename T> struct S { T f(); };
template <typename T> T S<T>::nope() { return 0; }
//                            ^^^^ E0339 out-of-line definition of `nope` does not match a declaration
void g() { S<int> s; }
// CASE static_member_that_is_not_declared
template <typename T> struct S { T f(); };
template <typename T> T S<T>::other = 0;
//                            ^^^^^ E0339 out-of-line definition of `other` does not match a declaration
void g() { S<int> s; }
// CASE member_with_other_parameters
template <typename T> struct S { T f(); };
template <typename T, int N> T S<T>::f() { return N; }
//                             ^ E0333 no class template with that many parameters declares this member
// CASE member_of_no_specialisation
template <typename T> struct S { T f(); };
template <typename T> T S<T[2]>::f() { return 0; }
//                      ^ E0333 no class template with that many parameters declares this member
// CASE static_member_defined_twice
template <typename T> struct S { static T z; };
template <typename T> T S<T>::z = 1;
template <typename T> T S<T>::z = 2;
//                            ^ E0304 redefinition of `z`
// = 1:43: note: previously declared here
void g() { S<int> s; }
// CASE member_class_that_is_not_declared
template <typename T> struct S { T f(); };
template <typename T> struct S<T>::Out { int a; };
//                                 ^^^ E0339 out-of-line definition of `Out` does not match a declaration
void g() { S<int> s; }
// CASE class_of_unknown_scope
struct Missing::In { int a; };
//     ^^^^^^^ E0301 use of undeclared identifier `Missing`
// CASE value_called
struct S { float a; };
float f(S s) { return s(1); }
//                    ^ E0316 called value of type `S` is not a function
// CASE printf
void f() { printf(1); }
//                ^ E0313 argument 1 of `printf` is `literal int`, expected `string`
// = note: candidate: void printf(string format, ... arguments)

// CASE intrinsic_of_others
void f() { uint n = GetRemainingRecursionLevels(); }
//                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0301 use of undeclared identifier `GetRemainingRecursionLevels`
// = note: an intrinsic of HLSL that this compiler does not support: work graphs
// CASE function_in_function
void f() { float g(float a) { return a; } }
//         ^^^^^ E0404 this cannot be declared inside of a function
// = 1:10: note: the function begins here
// CASE wrong_number_of_constructor_values
float3 f() { return float3(1, 2); }
//                  ^^^^^^^^^^^^ E0322 too few values for `float3`: expected 3, found 2
// CASE too_many_constructor_values
float3 f() { return float3(1, 2, 3, 4); }
//                  ^^^^^^^^^^^^^^^^^^ E0322 too many values for `float3`: expected 3, found 4
// CASE atomic_on_local
[shader("raygeneration")] void f() { uint a = 0; InterlockedAdd(a, 1); }
//                                                              ^ E0317 `InterlockedAdd` requires a groupshared variable or an element of a writable resource
// CASE atomic_on_float
RWStructuredBuffer<float> B;
void f() { InterlockedAdd(B[0], 1); }
//         ^^^^^^^^^^^^^^ E0313 no matching function for call to `InterlockedAdd` with arguments of types (float, literal int)
// = note: candidate: void InterlockedAdd(inout int64_t result, uint64_t value): argument 1 is `float`, expected `int64_t`
// = note: candidate: void InterlockedAdd(inout int64_t result, uint64_t value, out int64_t original): takes 3 arguments
// = note: candidate: void InterlockedAdd(inout int result, uint value): argument 1 is `float`, expected `int`
// = note: candidate: void InterlockedAdd(inout int result, uint value, out int original): takes 3 arguments
// CASE initialiser_too_short
static float a[4] = { 1, 2, 3 };
//                  ^^^^^^^^^^^ E0322 too few values for `float[4]`: expected 4, found 3
// CASE initialiser_too_long
static float3 a = { 1, 2, 3, 4 };
//                ^^^^^^^^^^^^^^ E0322 too many values for `float3`: expected 3, found 4
// CASE struct_initialiser_too_long
struct S { float a; float b; };
static S s = { 1, 2, 3 };
//           ^^^^^^^^^^^ E0322 too many values for `S`: expected 2, found 3
// CASE initialiser_of_texture
Texture2D<float4> T = { 1 };
//                    ^^^^^ E0328 a resource cannot have an initialiser
// = note: `static` declares a name for another resource
// CASE add_of_single_words
RWStructuredBuffer<uint3> O;
[shader("raygeneration")] void Main() { O[0] = AddUint64(O[1], O[2]); }
//                                             ^^^^^^^^^^^^^^^^^^^^^ E0905 `AddUint64` requires `uint2` or `uint4`
// CASE atomic_on_vector
RWStructuredBuffer<uint2> O;
[shader("raygeneration")] void Main() { InterlockedAdd(O[0], 1); }
//                                      ^^^^^^^^^^^^^^ E0313 no matching function for call to `InterlockedAdd` with arguments of types (uint2, literal int)
// = note: candidate: void InterlockedAdd(inout int64_t result, uint64_t value): argument 1 is `uint2`, expected `int64_t`
// = note: candidate: void InterlockedAdd(inout int64_t result, uint64_t value, out int64_t original): takes 3 arguments
// = note: candidate: void InterlockedAdd(inout int result, uint value): argument 1 is `uint2`, expected `int`
// = note: candidate: void InterlockedAdd(inout int result, uint value, out int original): takes 3 arguments
// CASE expression_nested_too_deeply
float f(float a) { return - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - a; }
//                                                                                                                                                                                                                                                                                                                                                                                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0205 expressions and statements are nested more than 512 deep
// CASE constant_to_inout_of_a_method
struct S { void f(inout int x) { x = 1; } };
int g() { const int c = 2; S s; s.f(c); return c; }
//                                  ^ W0309 a constant is passed to the inout parameter `x`, which may write it
// = note: other compilers accept this only where the function is named with a qualifier or is a method of an object
// CASE constant_to_inout_of_a_namespace
namespace N { void f(inout int x) { x = 1; } }
cbuffer C { int k; };
void g() { N::f(k); }
//              ^ W0309 a member of a constant buffer is passed to the inout parameter `x`, which may write it
// = note: other compilers accept this only where the function is named with a qualifier or is a method of an object
// CASE component_written_into_a_vector
void one(out float a) { a = 1; }
float4 f() { float4 v = 0; one(v); return v; }
//                             ^ E0313 argument 1 of `one` is `float4`, expected `float`
// = 1:6: note: candidate: void one(out float)
// CASE component_read_from_a_vector
void one(inout float a) { a += 1; }
float2x2 f() { float2x2 m = 0; one(m); return m; }
//                                 ^ E0313 argument 1 of `one` is `float2x2`, expected `float`
// = 1:6: note: candidate: void one(inout float)
// CASE operator_outside
struct S { float a; };
S operator*(float k, S s) { s.a *= k; return s; }
// @3 W0312 operators outside of structures are an extension: other compilers of HLSL refuse them
// CASE operator_that_converts
struct S { float a; operator float() { return a; } };
//                           ^^^^^ W0312 operators that convert are an extension: other compilers of HLSL refuse them
// CASE type_of_a_result
struct { float x; } f() { float a[1] = { 1 }; return a; }
// @1 W0312 types that the result of a function defines are an extension: other compilers of HLSL refuse them
enum E { A } g() { return A; }
// @1 W0312 types that the result of a function defines are an extension: other compilers of HLSL refuse them
// CASE auto_before_202x
void f() { auto x = 1; }
//         ^^^^ W0312 `auto` is an extension before HLSL 202x
// = note: use -HV 202x
// CASE auto_without_initialiser -HV 2029
void f() { auto x; }
//         ^^^^ E0308 `auto` is only allowed for a variable with an initialiser
// CASE auto_of_a_list -HV 2029
void f() { auto x = { 1, 2 }; }
//         ^^^^ E0308 `auto` is only allowed for a variable with an initialiser
// CASE auto_of_a_string -HV 2029
void f() { auto x = "text"; }
//         ^^^^ E0308 `auto` cannot stand for `string`
// CASE swizzle_of_a_long_vector -T lib_6_9
float f(vector<float, 6> v) { return v.x; }
//                                     ^ E0321 invalid swizzle `x` of `vector<float, 6>`
// = here: vectors of more than four components have no swizzles; index them
// CASE swizzle_of_a_long_vector_written -T lib_6_9
void f(inout vector<float, 6> v) { v.xy = 2; }
//                                   ^^ E0321 invalid swizzle `xy` of `vector<float, 6>`
// = here: vectors of more than four components have no swizzles; index them
// CASE vector_for_a_scalar
float3 f(float3 i, float3 n, float3 r) { return refract(i, n, r); }
//                                                            ^ E0313 argument 3 of `refract` is `float3`, expected `float`
// = note: candidate: floatN refract(floatN i, floatN n, float ri)
// CASE vector_of_one_component_for_a_scalar
float4 f(float l, float h, float1 m) { return lit(l, h, m); }
//                                                      ^ E0313 argument 3 of `lit` is `float1`, expected `float`
// = note: candidate: float4 lit(float l, float h, float m)
// CASE vector_for_a_lane -T cs_6_6 -E main
[numthreads(4, 1, 1)] void main(uint3 t : SV_DispatchThreadID) { WaveReadLaneAt(t.x, t); }
//                                                                                   ^ E0313 argument 2 of `WaveReadLaneAt` is `uint3`, expected `uint`
// = note: candidate: anyNxM WaveReadLaneAt(anyNxM value, uint lane)
// CASE bits_of_signed_numbers -T cs_6_6 -E main
RWByteAddressBuffer Out;
[numthreads(4, 1, 1)] void main(uint g : SV_GroupIndex) { Out.Store(g * 4, WaveActiveBitAnd(3) | WaveActiveBitOr(g) | (uint)WaveActiveBitXor((uint64_t)g)); Out.Store(0, WaveActiveBitXor((int)g)); }
//                                                                                                                                                                                        ^^^^^^ E0313 argument 1 of `WaveActiveBitXor` is `int`, expected `uintNxM`
// = note: candidate: uintNxM WaveActiveBitXor(uintNxM value)
// CASE bits_of_float_numbers -T cs_6_6 -E main
RWByteAddressBuffer Out;
[numthreads(4, 1, 1)] void main(uint g : SV_GroupIndex) { Out.Store2(g * 8, WaveActiveBitOr(float2(g, 1))); }
//                                                                                          ^^^^^^^^^^^^ E0313 argument 1 of `WaveActiveBitOr` is `float2`, expected `uintNxM`
// = note: candidate: uintNxM WaveActiveBitOr(uintNxM value)
// CASE bits_of_truth_values -T cs_6_6 -E main
RWByteAddressBuffer Out;
[numthreads(4, 1, 1)] void main(uint g : SV_GroupIndex) { Out.Store(g * 4, WaveActiveBitAnd(g == 1)); }
//                                                                                          ^^^^^^ E0313 argument 1 of `WaveActiveBitAnd` is `bool`, expected `uintNxM`
// = note: candidate: uintNxM WaveActiveBitAnd(uintNxM value)
// CASE bits_of_packed_words -T cs_6_6 -E main
RWByteAddressBuffer Out;
[numthreads(4, 1, 1)] void main(uint g : SV_GroupIndex) { Out.Store(g * 4, WaveActiveBitAnd((uint8_t4_packed)g)); }
//                                                                                          ^^^^^^^^^^^^^^^^^^ E0313 argument 1 of `WaveActiveBitAnd` is `uint8_t4_packed`, expected `uintNxM`
// = note: candidate: uintNxM WaveActiveBitAnd(uintNxM value)
// CASE vector_for_an_address
ByteAddressBuffer b;
uint f(uint2 a) { return b.Load(a); }
//                              ^ E0313 argument 1 of `Load` is `uint2`, expected `uint`
// = note: candidate: T Load(uint byteOffset)

// CASE export_of_a_hit_object -T lib_6_9
export void F(inout dx::HitObject h) { h = dx::HitObject::MakeNop(); }
//          ^ E0611 the exported function `F` takes a `dx::HitObject`, which cannot be passed between libraries
// = note: functions with such parameters or results can be called in their own library only: do not export it
// CASE export_of_a_hit_object_in_spirv -T lib_6_9 -spirv
export dx::HitObject F() { return dx::HitObject::MakeNop(); }
//                   ^ E0611 the exported function `F` returns a `dx::HitObject`, which cannot be passed between libraries
// = note: functions with such parameters or results can be called in their own library only: do not export it
// CASE export_of_hit_objects_in_a_structure -T lib_6_9
struct S { dx::HitObject h[2]; int a; };
export void F(inout S s) { s.a = s.h[0].IsHit(); }
//          ^ E0611 the exported function `F` takes a `S`, which cannot be passed between libraries
// = note: functions with such parameters or results can be called in their own library only: do not export it
// CASE export_of_a_texture_in_a_structure -T lib_6_3
struct S { Texture2D<float4> t; int a; };
export S F(S s) { s.a = 3; return s; }
//       ^ E0611 the exported function `F` returns a `S`, which cannot be passed between libraries
// = note: functions with such parameters or results can be called in their own library only: do not export it
// CASE cast_to_other_scalars_is_no_lvalue
void f(float2 q) { int2 v = 0; ((float2)v) = q; }
//                              ^^^^^^^^^ E0317 cannot assign to: the expression is a value or a constant, not an l-value
// CASE cast_to_a_structure_of_other_scalars_is_no_lvalue
struct A { float x; int y; };
struct B { float u, v; };
void f(A a) { ((B)a).u = 1; }
//            ^^^^^^^^ E0317 cannot assign to: the expression is a value or a constant, not an l-value
// CASE cast_to_bits_is_no_lvalue
struct A { uint x : 4; uint y : 28; };
struct B { uint u, v; };
void f(A a) { ((B)a).v = 1; }
//            ^^^^^^^^ E0317 cannot assign to: the expression is a value or a constant, not an l-value
// CASE cast_of_a_constant_is_constant
void f() { const float4 v = 0; ((float2)v).x = 1; }
//                             ^^^^^^^^^^^^^ E0317 cannot assign to: this is a constant
// CASE cast_of_a_value_is_no_lvalue
void g(inout float2 v) { v = 1; }
void f(float4 v) { g((float2)(v * 2)); }
//                   ^^^^^^^^^^^^^^^ E0317 cannot pass it to the inout parameter `v`: the expression is a value or a constant, not an l-value
// CASE cast_to_another_shape_is_no_lvalue
void f(float2x2 m) { ((float4)m) = 1; }
//                    ^^^^^^^^^ E0317 cannot assign to: the expression is a value or a constant, not an l-value
// CASE static_template_without_object
struct Heap { float k; template<typename T> static T get(T i); };
template<typename T> T Heap::get(T i) { return i + (T)k; }
//                                                    ^ E0327 use of the member `k` without an object
// = 3:20: note: in `Heap::get<float>`, needed here
float f() { return Heap::get(1.0f); }
// CASE packing_of_unsigned_numbers -T lib_6_6
uint f(uint4 v) { return (uint)pack_clamp_u8(v); }
//                                           ^ E0313 argument 1 of `pack_clamp_u8` is `uint4`, expected `int4`
// = note: candidate: uint8_t4_packed pack_clamp_u8(int4 v)
// CASE packing_of_fractions -T lib_6_6 errors=3
uint f(float4 v, int64_t4 w, bool4 b) { return (uint)pack_clamp_s8(v) + (uint)pack_clamp_u8(w) + (uint)pack_clamp_s8(b); }
//                                                                 ^ E0313 argument 1 of `pack_clamp_s8` is `float4`, expected `int4`
// = note: candidate: int8_t4_packed pack_clamp_s8(int4 v)
//                                                                                          ^ E0313 argument 1 of `pack_clamp_u8` is `int64_t4`, expected `int4`
// = note: candidate: uint8_t4_packed pack_clamp_u8(int4 v)
//                                                                                                                   ^ E0313 argument 1 of `pack_clamp_s8` is `bool4`, expected `int4`
// = note: candidate: int8_t4_packed pack_clamp_s8(int4 v)
// CASE size_of_literals errors=3
uint f(bool c) { return sizeof(1) + sizeof(c ? 1.0 : 2) + sizeof(max(1, 2)); }
//                      ^^^^^^^^^ E0307 `literal int` has no size
//                                  ^^^^^^^^^^^^^^^^^^^ E0307 `literal float` has no size
//                                                        ^^^^^^^^^^^^^^^^^ E0307 `literal int` has no size
// CASE constructors_of_one_value
float4 f(float a, float4 v, float4x4 m) { return float3(a).xyzx + float2(v).xyxy + float2x2(m)[0].xyxy + float(v) + float1(a) + float4(v); }
//                                               ^^^^^^^^^ W0312 constructors of one value with another number of components are an extension: other compilers of HLSL refuse them
//                                                                ^^^^^^^^^ W0312 constructors of one value with another number of components are an extension: other compilers of HLSL refuse them
//                                                                                 ^^^^^^^^^^^ W0312 constructors of one value with another number of components are an extension: other compilers of HLSL refuse them
//                                                                                                       ^^^^^^^^ W0312 constructors of one value with another number of components are an extension: other compilers of HLSL refuse them
// CASE fma_of_double_and_float
double f(double a, float b) { return fma(a, a, b); }
//                                             ^ E0313 argument 3 of `fma` is `float`, expected `doubleNxM`
// = note: candidate: doubleNxM fma(doubleNxM a, doubleNxM b, doubleNxM c)
// CASE fma_of_floats
float f(float a) { return fma(a, a, a); }
//                            ^ E0313 argument 1 of `fma` is `float`, expected `doubleNxM`
// = note: candidate: doubleNxM fma(doubleNxM a, doubleNxM b, doubleNxM c)
// CASE raw_texels_of_a_vector -T lib_6_7
Texture2D<uint4> t; SamplerState s;
uint4 f(float2 at) { return t.GatherRaw(s, at); }
//                          ^^^^^^^^^^^^^^^^^^ E0503 `GatherRaw` reads textures of single unsigned integers, this is one of `uint4`
// = note: declare it as a texture of `uint16_t`, `uint` or `uint64_t`, whichever is as wide as its texels
// CASE raw_texels_of_floats -T lib_6_7
Texture2DArray<float> t; SamplerState s;
uint4 f(float3 at) { return t.GatherRaw(s, at); }
//                          ^^^^^^^^^^^^^^^^^^ E0503 `GatherRaw` reads textures of single unsigned integers, this is one of `float`
// = note: declare it as a texture of `uint16_t`, `uint` or `uint64_t`, whichever is as wide as its texels
// CASE raw_texels_of_signed_integers -T lib_6_7
Texture2D<int> t; SamplerState s;
uint4 f(float2 at) { return t.GatherRaw(s, at); }
//                          ^^^^^^^^^^^^^^^^^^ E0503 `GatherRaw` reads textures of single unsigned integers, this is one of `int`
// = note: declare it as a texture of `uint16_t`, `uint` or `uint64_t`, whichever is as wide as its texels
// CASE bits_of_a_boolean -T ps_6_0 -E main
float4 main(bool b : B) : SV_Target { return asuint(b); }
//                                                  ^ E0313 argument 1 of `asuint` is `bool`, expected `numberNxM`
// = note: candidate: uintNxM asuint(numberNxM x)
// CASE three_components_written_into_two
void g(out int3 v) { v = 1; }
void f(int2 w, float2x2 m) { g(w); }
//                             ^ E0313 argument 1 of `g` is `int2`, expected `int3`
// = 1:6: note: candidate: void g(out int3)
// CASE matrix_written_into_a_smaller_one
void g(out float3x3 v) { v = 1; }
void f(float2x2 m) { g(m); }
//                     ^ E0313 argument 1 of `g` is `float2x2`, expected `float3x3`
// = 1:6: note: candidate: void g(out float3x3)
// CASE enumeration_written_into_a_number
enum E { A };
void g(out E e) { e = A; }
void f(int n) { g(n); }
//                ^ E0313 argument 1 of `g` is `int`, expected `E`
// = 2:6: note: candidate: void g(out E)
// CASE derived_argument_of_inout
struct B { int x; };
struct D : B { int y; };
void g(inout B b) { b.x++; }
int f(D d) { g(d); return d.x; }
//             ^ W0312 arguments of derived structures for `inout` parameters of the base are an extension: other compilers of HLSL refuse them
// CASE private_memory_through_a_function -T cs_6_6 -E main
groupshared uint g;
void add(inout uint x) { InterlockedAdd(x, 3); }
//                                      ^ E0317 `InterlockedAdd` requires a groupshared variable or an element of a writable resource
[numthreads(1, 1, 1)] void main() { add(g); }
// CASE constant_to_inout_by_a_qualified_name
namespace n { static const float k = 1; void f(inout float a) { a += 1; } }
float g() { n::f(n::k); return n::k; }
//               ^^^^ W0309 a constant is passed to the inout parameter `a`, which may write it
// = note: other compilers accept this only where the function is named with a qualifier or is a method of an object
// CASE overloaded_shift
struct S { float a; float operator<<(int o) { return a + o; } };
//                        ^^^^^^^^^^ W0312 overloaded shifts are an extension: other compilers of HLSL refuse them
// CASE overloaded_minus_of_one
struct S { float a; float operator-() { return -a; } };
float f() { S s; s.a = 1; return -s; }
//                               ^^ W0312 uses of overloaded operators with one operand are an extension: other compilers of HLSL refuse them
