//! Warnings: each with its group, and what turns it off.

// CASE assignment_as_condition
void f(int a) { if (a = 1) a = 2; }
//                  ^^^^^ W0664 an assignment is used as a condition
// = note: use `==` to compare, or parentheses around the assignment to silence this warning
// = note: fix: replace `=` with `==`
// CASE assignment_as_loop_condition
void f(int a) { while (a = 1) { a = 2; } }
//                     ^^^^^ W0664 an assignment is used as a condition
// = note: use `==` to compare, or parentheses around the assignment to silence this warning
// = note: fix: replace `=` with `==`
// CASE empty_if
void f(int a) { if (a > 1); }
//                        ^ W0663 this `if` has an empty body
// = note: put the semicolon on a line of its own to silence this warning
// CASE precedence_of_and
bool f(uint a) { return a & 1 == 0; }
//                          ^^^^^^ W0664 `==` binds tighter than `&`: it is evaluated first
// = note: use parentheses to silence this warning
// CASE precedence_of_or
bool f(uint a, uint b) { return a | b != 0; }
//                                  ^^^^^^ W0664 `!=` binds tighter than `|`: it is evaluated first
// = note: use parentheses to silence this warning
// CASE and_in_or
bool f(bool a, bool b, bool c) { return a || b && c; }
//                                           ^^^^^^ W0665 `&&` inside of `||` is evaluated first
// = note: use parentheses to silence this warning
// CASE comparison_unused
void f(int a) { a == 1; }
//              ^^^^^^ W0666 the result of this comparison is not used
// CASE value_unused
void f(int a) { a + 1; }
//              ^^^^^ W0304 the value of this expression is not used
// CASE vector_truncated
float2 f(float4 a) { return a; }
//                          ^ W0301 the conversion from `float4` to `float2` drops components
// CASE vector_truncated_in_call
float g(float2 a) { return a.x; }
float f(float4 a) { return g(a); }
//                           ^ W0301 the conversion from `float4` to `float2` drops components
// CASE scalar_from_vector
float f(float3 a) { float x = a; return x; }
//                            ^ W0301 the conversion from `float3` to `float` drops components
// CASE double_to_float
float f(double a) { return a; }
//                         ^ W0302 the conversion from `double` to `float` can lose information
// CASE int64_to_int
int f(int64_t a) { return a; }
//                        ^ W0302 the conversion from `int64_t` to `int` can lose information
// CASE uint64_to_float
float f(uint64_t a) { return a; }
//                           ^ W0302 the conversion from `uint64_t` to `float` can lose information
// CASE float_to_min16float
min16float f(float a) { return a; }
//                             ^ W0302 the conversion from `float` to `min16float` can lose information
// CASE literal_to_int
int f() { return 1.5; }
//               ^^^ W0303 1.5 becomes 1 as `int`
// CASE literal_too_large_for_float
float f() { return 1e40; }
//                 ^^^^ W0662 1e40 becomes inf as `float`
// CASE literal_too_large_for_half -enable-16bit-types
half f() { return 70000.0; }
//                ^^^^^^^ W0662 70000.0 becomes inf as `float16_t`
// CASE constant_too_large
uint f() { return 4294967296; }
//                ^^^^^^^^^^ W0667 4294967296 becomes 0 as `uint`
// CASE shift_too_large
int f() { return 1 << 40; }
//               ^^^^^^^ W0667 1099511627776 becomes 0 as `int`
// CASE loop_without_end
void f() { for (uint i = 4; i >= 0; --i) { } }
//                          ^^^^^^ W0669 this comparison of an unsigned number is always true and does not end the loop
// = note: count with an `int`, or down with `i-- > 0`
// CASE uninitialised
float f() { float a; return a + 1; }
//                          ^ W0305 `a` is used uninitialised
// = 1:19: note: declared here
// CASE uninitialised_compound
float f() { float a; a += 1; return a; }
//                   ^ W0305 `a` is used uninitialised
// = 1:19: note: declared here
// CASE uninitialised_vector
float f() { float3 a; return a.x; }
//                           ^ W0305 `a` is used uninitialised
// = 1:20: note: declared here
// CASE const_uninitialised
float f() { const float a; return 1; }
//                      ^ W0305 the constant `a` is not initialised
// CASE out_never_written
void f(out float a, out float b) { a = 1; }
//                            ^ W0306 the `out` parameter `b` is never written
// CASE missing_return
float f(float a) { if (a > 1) return a; }
//    ^ W0401 control can reach the end of `f` without returning a value
// CASE shadowed_local -Wshadow
float f(float a) { { float a = 2; a += 1; } return a; }
//                         ^ W0668 `a` shadows another variable
// = 1:15: note: the shadowed declaration
// CASE shadowed_global -Wshadow
static float depth = 1;
float f() { float depth = 2; return depth; }
//                ^^^^^ W0668 `depth` shadows another variable
// = 1:14: note: the shadowed declaration
// CASE uniform_with_value
float exposure = 2;
//               ^ W0307 this initialiser has no effect: the host sets the variable
// = note: a constant of the shader is declared `static const`
// CASE attribute_of_a_loop_on_an_if
void f(int a) { [unroll] if (a > 1) a = 2; }
//               ^^^^^^ W0660 the attribute `unroll` has no effect here; it applies to a loop
// CASE attribute_of_an_if_on_a_loop
void f(int a) { [flatten] while (a > 1) { a -= 1; } }
//               ^^^^^^^ W0660 the attribute `flatten` has no effect here; it applies to an `if` or `switch`
// CASE attribute_on_a_variable
[numthreads(8, 8, 1)] static float a;
// @2 W0660 the attribute `numthreads` has no effect here; it applies to a function
// CASE unroll_without_constant
void f(int n) { [unroll(n)] for (int i = 0; i < 4; ++i) { n += i; } }
//                      ^ W0661 the attribute `unroll` takes a constant number of iterations; this one is ignored
// CASE as_errors -Werror
float2 f(float4 a) { return a; }
//                          ^ W0301 the conversion from `float4` to `float2` drops components
// CASE one_group_as_error -Werror=conversion
float2 f(float4 a) { return a; }
//                          ^ W0301 the conversion from `float4` to `float2` drops components
// CASE pragma_makes_an_error
#pragma dxc diagnostic error "-Wconversion"
float2 f(float4 a) { return a; }
//                          ^ W0301 the conversion from `float4` to `float2` drops components
// CASE pragma_ignores_until_popped
#pragma dxc diagnostic push
#pragma dxc diagnostic ignored "-Wconversion"
float2 f(float4 a) { return a; }
#pragma dxc diagnostic pop
float2 g(float4 a) { return a; }
//                          ^ W0301 the conversion from `float4` to `float2` drops components
// CASE pragma_warning_number
#pragma warning(push)
#pragma warning(disable : 3206)
float2 f(float4 a) { return a; }
#pragma warning(pop)
float2 g(float4 a) { return a; }
//                          ^ W0301 the conversion from `float4` to `float2` drops components
// CASE pragma_warning_error
#pragma warning(error : 3206)
float2 f(float4 a) { return a; }
//                          ^ W0301 the conversion from `float4` to `float2` drops components
// CASE pragma_in_a_header
#include "quiet.hlsli"
float2 g(float4 a) { return a; }
//                          ^ W0301 the conversion from `float4` to `float2` drops components
// FILE quiet.hlsli
#pragma dxc diagnostic push
#pragma dxc diagnostic ignored "-Wconversion"
float2 f(float4 a) { return a; }
#pragma dxc diagnostic pop
// CASE pragma_around_an_include
#pragma warning(disable : 3206)
#include "loud.hlsli"
#pragma warning(default : 3206)
float2 g(float4 a) { return a; }
//                          ^ W0301 the conversion from `float4` to `float2` drops components
// FILE loud.hlsli
float2 f(float4 a) { return a; }
// CASE pragma_inside_a_macro_use
#define QUIET _Pragma("dxc diagnostic push") _Pragma("dxc diagnostic ignored \"-Wconversion\"")
#define LOUD _Pragma("dxc diagnostic pop")
QUIET
float2 f(float4 a) { return a; }
LOUD
float2 g(float4 a) { return a; }
//                          ^ W0301 the conversion from `float4` to `float2` drops components
// CASE child_of_a_group_is_off -Wno-conversion
int f() { return 1.5; }
float g() { float a; return a; }
//                          ^ W0305 `a` is used uninitialised
// = 2:19: note: declared here
// CASE statement_before_the_first_case
void f(int i) { switch (i) { i = 2; case 1: break; } }
//                           ^^^^^^ W0310 this is never executed: it precedes the first label of the `switch`
// CASE switch_on_float
void f(float a) { switch (a) { case 1: break; } }
//                        ^ W0311 the `switch` converts this `float` to `int`, rounded towards zero
// CASE intrinsic_hides_a_function
float3 normalize(float3 v) { return v; }
float3 f(float3 v) { return normalize(v); }
//                          ^^^^^^^^^ W0308 the call resolves to the intrinsic `normalize`, not to the user-defined function
// = 1:8: note: this function is not called
// = note: an intrinsic that matches the arguments is preferred; rename the function, or call it through its namespace
// CASE ray_flag_without_micromaps -T lib_6_9
[shader("raygeneration")] void Main() { RayQuery<RAY_FLAG_FORCE_OMM_2_STATE> q; }
//                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0652 `RAY_FLAG_FORCE_OMM_2_STATE` has no effect without `RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS`
// = note: DXR, opacity micromaps
// CASE unroll_without_bound -T lib_6_6
RWStructuredBuffer<uint> R; uint Count;
uint Sum(uint from) { uint s = 0; [unroll] for (uint i = 0; i < Count; ++i) s += R[from + i]; return s; }
//                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0320 this loop is not unrolled: its trip count is unknown, or its copies would be too large
// = note: loops of at most 1024 iterations are unrolled, if the trip count is known at compile time
// = note: give it such a bound, or write `[loop]`
[shader("raygeneration")] void Main() {
    R[0] = Sum(1) + Sum(2);
    [unroll] for (uint i = 0; i < 8; ++i) { if (R[i] == 3) break; R[i] = 1; }
    [unroll(4)] for (uint k = 0; k < Count; ++k) R[k] = 2;
    [loop] for (uint n = 0; n < Count; ++n) R[n] = 3;
}
// CASE unroll_too_many_rounds -T lib_6_6
RWStructuredBuffer<uint> R;
[shader("raygeneration")] void Main() {
    [unroll] for (uint i = 0; i < 2000; ++i) R[i] = 1;
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0320 this loop is not unrolled: its trip count is unknown, or its copies would be too large
// = note: loops of at most 1024 iterations are unrolled, if the trip count is known at compile time
// = note: give it such a bound, or write `[loop]`
}

// CASE older_spellings_of_reordering -T lib_6_10
[shader("raygeneration")] void R() { dx::HitObject h; dx::ReorderThread(h); ReorderThread(1, 2); uint c = h.GetClusterId(); }
//                                                        ^^^^^^^^^^^^^ W0330 `ReorderThread` is deprecated: it is named `MaybeReorderThread` now
// = note: fix: replace `ReorderThread` with `MaybeReorderThread`
//                                                                          ^^^^^^^^^^^^^ W0330 `ReorderThread` is deprecated: it is named `dx::MaybeReorderThread` now
// = note: fix: replace `ReorderThread` with `dx::MaybeReorderThread`
//                                                                                                          ^^^^^^^^^^^^ W0330 `GetClusterId` is deprecated: it is named `GetClusterID` now
// = note: fix: replace `GetClusterId` with `GetClusterID`
//                                                    ^^^^^^^^^^^^^^^^^^^^ W0858 there is nothing to reorder by: no hit, and no bits of a hint
// = note: the number of bits should be the lowest that represents all hints at this call, and the same for all threads (DXR 1.31, MaybeReorderThread)

// CASE statics_of_exported_functions -T lib_6_3
RWByteAddressBuffer First : register(u0), Second : register(u1);
static RWByteAddressBuffer Chosen = First, Fixed = Second;
//                         ^^^^^^ W0403 `Chosen` has its initial value in each call of `choose` from another library
// = 4:13: note: the exported function
// = note: what an earlier call stored is lost: pass it as a parameter
static uint Kept = 1;
export void choose() { Chosen = Second; Kept = Kept * 3; }
uint other() { return Chosen.Load(0); }
export uint constant() { return Fixed.Load(0) + Kept; }
export uint same() { return Chosen.Load(0); }
// CASE index_outside_in_2016 -HV 2016
float f(float2 v) { float a[2] = { v.x, v.y }; a[-1] = 3; return a[2] + a[1]; }
//                                               ^^ W0321 index -1 is out of range: valid indices are 0 to 1
// = note: what is read there is undefined, what is written there is lost; since HLSL 2017 it is an error
//                                                                 ^ W0321 index 2 is out of range: valid indices are 0 to 1
// = note: what is read there is undefined, what is written there is lost; since HLSL 2017 it is an error
// CASE index_outside_of_vector_in_2016 -HV 2016 errors=2
float f(float2 v, float2x2 m) { return v[2] + m[2][0]; }
//                                       ^ E0320 index 2 is out of range: valid indices are 0 to 1
//                                              ^ E0320 index 2 is out of range: valid indices are 0 to 1
// CASE index_outside_since_2017 -HV 2017
float f(float2 v) { float a[2] = { v.x, v.y }; return a[2]; }
//                                                      ^ E0320 index 2 is out of range: valid indices are 0 to 1
// CASE all_warnings_disabled
#pragma warning(disable: all)
float f(float4 v) { float2 x = v; return x.x; }
#pragma warning(default: all)
float g(float4 v) { float2 x = v; return x.x; }
//                             ^ W0301 the conversion from `float4` to `float2` drops components
// CASE constant_id_in_dxil
[[vk::constant_id(3)]] const int N = 7;
//                                   ^ W0307 this initialiser has no effect: the host sets the variable
// = note: a constant of the shader is declared `static const`
float f() { return N; }
// CASE semantic_named_as_a_variable
static const uint W = 5;
struct S { uint a : W; uint b : 27; };
//                  ^ W0313 `W` is a semantic here, not the variable of this name
// = note: the width of a bit-field is a number or an expression that begins with none, as in `(W)`
// CASE semantic_named_as_a_constant
cbuffer C { int W; };
uint f(uint a : W) { return a; }
//              ^ W0313 `W` is a semantic here, not the variable of this name
// = note: the width of a bit-field is a number or an expression that begins with none, as in `(W)`
// CASE semantic_named_as_another_declaration
static float A; static uint2 B; enum { E }; struct T { int a; }; void f() {} static bool I;
struct S { uint a : A; uint b : B; uint c : E; uint d : T; uint e : f; uint g : (E) + 3; bool h : I; };
//                                                                                                ^ W0313 `I` is a semantic here, not the variable of this name
// = note: the width of a bit-field is a number or an expression that begins with none, as in `(I)`
// CASE a_comparison_and_another_operand
bool f(uint a, uint b) { return a == 1 | b + 2; }
//                              ^^^^^^ W0664 `==` binds tighter than `|`: it is evaluated first
// = note: use parentheses to silence this warning
// CASE equality_in_two_pairs
float f(int a, int b) { if ((a == b)) return 1; return 0; }
//                           ^^^^^^ W0316 an equality comparison in a second pair of parentheses
// = note: one pair is enough; two say that an assignment is meant
// CASE equality_in_two_pairs_of_a_for
float f(int a) { for (; (a == 3); ) a++; return a; }
//                       ^^^^^^ W0316 an equality comparison in a second pair of parentheses
// = note: one pair is enough; two say that an assignment is meant
// CASE loop_variable_again -HV 2018
float f(int n) { float r = 0; for (int i = 0; i < n; i++) r += i; for (int i = 0; i < n; i++) r *= i; return r; }
//                                                                         ^ W0315 `i` hides a variable of this block from here on
// = 1:40: note: declared here
// = note: before HLSL 2021 the variable of a `for` belongs to the block around it
// CASE loop_variable_of_a_block -HV 2018
float f(int n) { int k = 2; for (float k = 0; k < n; k++) n--; return k; }
//                                     ^ W0315 `k` hides a variable of this block from here on
// = 1:22: note: declared here
// = note: before HLSL 2021 the variable of a `for` belongs to the block around it
// CASE result_of_a_load_unused
Buffer<float> b;
void f() { b.Load(1); }
//         ^^^^^^^^^ W0304 the result of `Load` is not used, and the call does nothing else
// CASE result_of_a_sample_unused -T ps_6_0 -E main
Texture2D t; SamplerState s;
float main(float2 v : V) : SV_Target { t.Sample(s, v); return 1; }
//                                     ^^^^^^^^^^^^^^ W0304 the result of `Sample` is not used, and the call does nothing else
// CASE result_of_mathematics_unused
void f(float a) { sin(a); }
//                ^^^^^^ W0304 the result of `sin` is not used, and the call does nothing else
// CASE result_of_an_expanded_function_unused
void f(float3 a, float3x3 m) { mul(a, m); }
//                             ^^^^^^^^^ W0304 the result of `mul` is not used, and the call does nothing else
// CASE literal_beyond_16_bits -T lib_6_6 -enable-16bit-types
half f() { return 70000.0h; }
//                ^^^^^^^^ W0323 this number is too large for 16 bits, whose largest is 65504
// CASE older_semantic_of_the_face -T ps_6_0 -E main
float main(float f : VFACE) : SV_Target { return f; }
//                   ^^^^^ W0317 `VFACE` is no system value
// = note: use `SV_IsFrontFace`
// CASE semantic_replaced -T vs_6_0 -E main
struct S { float4 a : AA; float4 b; };
//                ^ W0318 the semantic of `a` has no effect: its structure has one here
S main(float4 p : P) : QQ { S s; s.a = p; s.b = p; return s; }
// CASE target_written_in_part -T ps_6_0 -E main
void main(out float4 a : SV_Target0, out float4 b : SV_Target1, float4 p : P) { a = p; b.xz = p.xy; }
//                                   ^^^^^^^^^^^^^^^^^^^^^^^^^ W0688 the pixel shader never writes `yw` of `SV_Target1`
// CASE target_not_written -T ps_6_0 -E main -Wno-parameter-usage
void main(out float4 a : SV_Target0, out float2 b : SV_Target1, float4 p : P) { a = p; }
//                                   ^^^^^^^^^^^^^^^^^^^^^^^^^ W0688 the pixel shader never writes `SV_Target1`
// CASE promoted_types
float f(min12int a) { return a; }
//      ^^^^^^^^ W0322 `min12int` is promoted to `min16int`
// CASE promoted_vector
min10float3 f(float3 a) { return (min10float3)a; }
// @1 W0322 `min10float3` is promoted to `min16float3`
//                                ^^^^^^^^^^^ W0322 `min10float3` is promoted to `min16float3`
// CASE promoted_to_native -T lib_6_6 -enable-16bit-types
float f(min16uint2x2 a) { return a._m00; }
//      ^^^^^^^^^^^^ W0322 `min16uint2x2` is promoted to `uint16_t2x2`
