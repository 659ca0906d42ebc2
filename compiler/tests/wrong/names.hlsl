//! Names that nothing declares, names declared twice, and names that mean something else.

// CASE undeclared_variable
[shader("raygeneration")] void Main() { float3 colour = 1; float x = color.x; }
//                                                                   ^^^^^ E0301 `color` is not declared
// = here: did you mean `colour`?
// = note: fix: replace `color` with `colour`
// CASE undeclared_and_used_again
float f() { float x = radius * 2; return radius + x; }
//                    ^^^^^^ E0301 `radius` is not declared
// = here: did you mean `radians`?
// = note: fix: replace `radius` with `radians`
// CASE undeclared_function
float luminance(float3 c) { return dot(c, 1); }
float f(float3 c) { return luminence(c); }
//                         ^^^^^^^^^ E0301 `luminence` is not declared
// = here: did you mean `luminance`?
// = note: fix: replace `luminence` with `luminance`
// CASE misspelled_intrinsic
float f(float3 a) { return normalise(a).x; }
//                         ^^^^^^^^^ E0301 `normalise` is not declared
// = here: did you mean `normalize`?
// = note: fix: replace `normalise` with `normalize`
// CASE intrinsic_of_glsl errors=2
float f(float a, float b) { return mix(a, b, 0.5) + fract(a); }
//                                 ^^^ E0301 `mix` is not declared
// = here: did you mean `lerp`?
// = note: fix: replace `mix` with `lerp`
//                                                  ^^^^^ E0301 `fract` is not declared
// = here: did you mean `frac`?
// = note: fix: replace `fract` with `frac`
// CASE intrinsic_in_wrong_case
float f(float3 a, float3 b) { return Dot(a, b); }
//                                   ^^^ E0301 `Dot` is not declared
// = here: did you mean `dot`?
// = note: fix: replace `Dot` with `dot`
// CASE undeclared_type
flaot4 f() { return 0; }
// @1 E0301 there is no type `flaot4`
// = here: did you mean `float`?
// = note: fix: replace `flaot4` with `float`
// CASE undeclared_type_of_parameter
float f(Materiel m) { return 0; }
//      ^^^^^^^^ E0301 there is no type `Materiel`
struct Material { float a; };
// CASE type_of_glsl
vec3 f() { return 0; }
// @1 E0301 there is no type `vec3`
// = here: did you mean `float3`?
// = note: fix: replace `vec3` with `float3`
// CASE type_used_before_its_declaration
Material g;
// @1 E0301 there is no type `Material`
struct Material { float a; };
// CASE undeclared_member
struct Hit { float distance; float3 normal; };
float f(Hit h) { return h.distnace; }
//                        ^^^^^^^^ E0302 `Hit` has no member `distnace`
// = here: did you mean `distance`?
// = note: fix: replace `distnace` with `distance`
// CASE undeclared_method
struct Rng { uint state; float next() { return state; } };
float f(Rng r) { return r.Next(); }
//                        ^^^^ E0302 `Rng` has no member `Next`
// = here: did you mean `next`?
// = note: fix: replace `Next` with `next`
// CASE undeclared_method_of_a_texture
Texture2D<float4> T; SamplerState S;
float4 f() { return T.Samplelevel(S, 0.5, 0); }
//                    ^^^^^^^^^^^ E0302 `Texture2D<float4>` has no member `Samplelevel`
// = here: did you mean `SampleLevel`?
// = note: fix: replace `Samplelevel` with `SampleLevel`
// CASE method_of_another_object
Texture2D<float4> T;
float4 f() { return T.Load4(0); }
//                    ^^^^^ E0302 `Texture2D<float4>` has no member `Load4`
// = here: did you mean `Load`?
// = note: fix: replace `Load4` with `Load`
// CASE method_of_a_buffer
StructuredBuffer<float4> B;
void f() { B.Store(0, 1); }
//           ^^^^^ E0302 `StructuredBuffer<float4>` has no member `Store`
// CASE member_of_a_scalar
float f(int i) { return i.length; }
//                        ^^^^^^ E0321 `length` names no components of `int`
// = here: a swizzle has one to four letters
// CASE member_through_arrow
struct S { float a; };
float f(S s) { return s->a; }
//                     ^^ E0308 HLSL does not have pointers, so there is no `->`
// = note: fix: replace `->` with `.`
// CASE unknown_namespace
namespace math { float sq(float x) { return x * x; } }
float f() { return maths::sq(2); }
//                 ^^^^^ E0301 `maths` is not declared
// = here: did you mean `math`?
// = note: fix: replace `maths` with `math`
// CASE unknown_name_in_namespace
namespace math { float square(float x) { return x * x; } }
float f() { return math::sqaure(2); }
//                       ^^^^^^ E0301 namespace `math` has no `sqaure`
// = here: did you mean `square`?
// = note: fix: replace `sqaure` with `square`
// CASE namespace_forgotten
namespace math { float square(float x) { return x * x; } }
float f() { return square(2); }
//                 ^^^^^^ E0301 `square` is not declared
// = here: did you mean `math::square`?
// = note: fix: replace `square` with `math::square`
// CASE standard_library
float f(float a) { return std::max(a, 0.0f); }
//                        ^^^ E0301 `std` is not declared
// = note: HLSL has no standard library; `min`, `max`, `abs` and their like are intrinsics
// CASE enumerator_misspelled
enum class Mode { Fast, Slow };
int f() { return (int)Mode::Fats; }
//                          ^^^^ E0302 `Mode` has no member `Fats`
// = here: did you mean `Fast`?
// = note: fix: replace `Fats` with `Fast`
// CASE enumerator_without_its_enumeration
enum class Mode { Fast, Slow };
Mode f() { return Fast; }
//                ^^^^ E0301 `Fast` is not declared
// = here: did you mean `sym53::Fast`?
// = note: fix: replace `Fast` with `sym53::Fast`
// CASE redefined_variable
void f() { float a = 1; float a = 2; }
//                            ^ E0304 `a` is declared twice in this scope
// = 1:18: note: first here
// CASE parameter_declared_again
void f(float a) { float a = 2; }
//                      ^ E0304 `a` is declared twice in this scope
// = 1:14: note: first here
// CASE redefined_global
static float a = 1;
static int a = 2;
//         ^ E0304 `a` is declared twice in this scope
// = 1:14: note: first here
// CASE redefined_function
float f(float a) { return a; }
float f(float b) { return b; }
//    ^ E0304 `f` is defined twice
// = 1:7: note: first here
// CASE result_alone_differs
float f(float a) { return a; }
int f(float a) { return 1; }
//  ^ E0304 `f` differs from an earlier declaration in its result alone
// = 1:7: note: declared here
// CASE redefined_struct
struct S { float a; };
struct S { float b; };
//     ^ E0304 `S` is defined twice
// = 1:8: note: first here
// CASE redefined_member
struct S { float a; int a; };
//                      ^ E0304 `a` is declared twice in this scope
// = 1:18: note: first here
// CASE redefined_parameter
float f(float a, float a) { return a; }
//                     ^ E0304 `a` is declared twice in this scope
// = 1:15: note: first here
// CASE redefined_enumerator
enum E { A, B, A };
//             ^ E0304 `A` is declared twice in this scope
// = 1:10: note: first here
// CASE redefined_typedef
typedef float T;
typedef int T;
//          ^ E0304 `T` is declared twice in this scope
// = 1:15: note: first here
// CASE redefined_resource
Texture2D<float4> T : register(t0);
Texture2D<float4> T : register(t1);
//                ^ E0304 `T` is declared twice in this scope
// = 1:19: note: first here
// CASE function_as_value
float g() { return 1; }
float f() { return g + 1; }
//                 ^ E0305 the function `g` can only be called
// CASE type_as_value
struct S { float a; };
float f() { return S + 1; }
//                   ^ E0201 expected `(`, found `+`
// CASE value_as_type
static float a;
void f() { a b; }
//         ^ E0303 `a` is no type
// CASE namespace_as_value
namespace n { float a() { return 1; } }
float f() { return n; }
//                 ^ E0305 `n` is a namespace, not a value
// CASE variable_called
float f(float a) { return a(1); }
//                        ^ E0316 a value of type `float` cannot be called
// CASE method_without_call
struct S { float a; float g() { return a; } };
float f(S s) { return s.g; }
//                      ^ E0305 the method `g` can only be called
// CASE static_call_without_object
struct S { float a; float g() { return a; } };
float f() { return S::g(); }
//                 ^^^^^^ E0327 `S::g` belongs to an object; there is none here
// CASE this_outside_of_a_method
float f() { return this.a; }
//                 ^^^^ E0326 there is no `this` outside of methods
// CASE qualified_value
float f(float a) { return a::b; }
//                        ^ E0306 `a` is no namespace and no type, so nothing can be named in it
// CASE method_not_declared_in_its_class
struct S { float a; };
float S::g() { return a; }
//       ^ E0339 `g` was not declared there, so it cannot be defined from outside
// CASE undeclared_in_template
template <typename T> T f(T a) { return a + b; }
//                                          ^ E0301 `b` is not declared
// = 2:20: note: in `f<float>`, needed here
float g() { return f(1.0); }
// CASE variable_of_an_inner_scope
float f() { { float inner = 1; } return inner; }
//                                      ^^^^^ E0301 `inner` is not declared
// CASE loop_variable_after_its_loop -HV 2021
float f() { for (int i = 0; i < 4; ++i) { } return i; }
//                                                 ^ E0301 `i` is not declared
