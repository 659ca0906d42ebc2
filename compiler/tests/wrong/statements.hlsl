//! Statements, expressions, writes, control flow.

// CASE write_to_constant
void f() { const float a = 1; a = 2; }
//                            ^ E0317 cannot assign to: this is a constant
// CASE write_to_constant_by_alias errors=6
typedef const float A;
using B = const float2;
template <typename T> using C = const T;
namespace n { using D = C<float>; }
static A s = 1;
void f(A a) {
    a = 2; s = 2;
//  ^ E0317 cannot assign to: this is a constant
//         ^ E0317 cannot assign to: the expression is a value or a constant, not an l-value
    B b = 1; C<int> c = 1; n::D d = 1;
    b.x = 2; c = 2; d = 2;
//  ^^^ E0317 cannot assign to: this is a constant
//           ^ E0317 cannot assign to: this is a constant
//                  ^ E0317 cannot assign to: this is a constant
    typedef const int E; E e[2] = { 1, 2 }; e[1] = 2;
//                                          ^^^^ E0317 cannot assign to: this is a constant
}
// CASE write_to_global_constant
cbuffer C { float a; };
void f() { a = 2; }
//         ^ E0317 cannot assign to: this is a member of a constant buffer
// CASE write_to_static_const
static const float3 a = 1;
void f() { a.x = 2; }
//         ^^^ E0317 cannot assign to: this is a constant or resource
// CASE write_to_const_parameter
void f(const float a) { a = 2; }
//                      ^ E0317 cannot assign to: this is a constant
// CASE write_to_element_of_constant
static const float a[2] = { 1, 2 };
void f(int i) { a[i] = 2; }
//              ^^^^ E0317 cannot assign to: this is a constant or resource
// CASE write_to_structured_buffer
StructuredBuffer<float4> B;
void f() { B[0] = 1; }
//         ^^^^ E0317 cannot assign to: this is an element of a read-only resource
// CASE write_to_texture
Texture2D<float4> T;
void f() { T[uint2(0, 0)] = 1; }
//         ^^^^^^^^^^^^^^ E0317 cannot assign to: this is an element of a read-only resource
// CASE write_to_value
float g() { return 1; }
void f() { g() = 2; }
//         ^^^ E0317 cannot assign to: the expression is a value or a constant, not an l-value
// CASE write_to_expression
void f(float a, float b) { a + b = 1; }
//                         ^^^^^ E0317 cannot assign to: the expression is a value or a constant, not an l-value
// CASE write_to_literal
void f() { 1 = 2; }
//         ^ E0317 cannot assign to: the expression is a value or a constant, not an l-value
// CASE write_to_doubled_component
void f() { float4 a = 1; a.xx = 2; }
//                       ^^^^ E0317 cannot assign to: a component occurs twice
// CASE increment_of_constant
void f(const int i) { i++; }
//                    ^ E0317 cannot increment: this is a constant
// CASE increment_of_value
void f(int i) { (i + 1)++; }
//               ^^^^^ E0317 cannot increment: the expression is a value or a constant, not an l-value
// CASE increment_of_struct
struct S { float a; };
void f(S s) { s++; }
//            ^^^ E0318 invalid operand of `++`: `S`
// CASE compound_assignment_to_constant
static const float a = 1;
void f() { a += 1; }
//         ^ E0317 cannot assign to: the expression is a value or a constant, not an l-value
// CASE write_to_const_method
struct S { float a; void g() const { a = 1; } };
//                                   ^ E0317 cannot assign to: this is a member in a const method
// CASE swizzle_out_of_range
float f(float2 a) { return a.z; }
//                           ^ E0321 invalid swizzle `z` of `float2`
// = here: a component is out of range
// CASE swizzle_of_mixed_sets
float2 f(float4 a) { return a.xg; }
//                            ^^ E0321 invalid swizzle `xg` of `float4`
// = here: letters of `xyzw` and `rgba` cannot be mixed
// CASE swizzle_too_long
float4 f(float4 a) { return a.xyzwx; }
//                            ^^^^^ E0321 invalid swizzle `xyzwx` of `float4`
// = here: a swizzle has one to four letters
// CASE matrix_swizzle_out_of_range
float f(float3x3 m) { return m._m33; }
//                             ^^^^ E0321 invalid swizzle `_m33` of `float3x3`
// = here: a component is out of range
// CASE matrix_swizzle_mixed
float2 f(float3x3 m) { return m._m00_11; }
//                              ^^^^^^^ E0321 invalid swizzle `_m00_11` of `float3x3`
// = here: `_m00` and `_11` cannot be mixed
// CASE index_of_scalar
float f(float a) { return a[0]; }
//                        ^ E0320 a value of type `float` cannot be indexed
// CASE index_of_struct
struct S { float a; };
float f(S s) { return s[0]; }
//                    ^ E0320 a value of type `S` cannot be indexed
// CASE index_out_of_range
float f() { float a[3] = { 1, 2, 3 }; return a[3]; }
//                                             ^ E0320 index 3 is out of range: valid indices are 0 to 2
// CASE index_negative
float f(float a[3]) { return a[-1]; }
//                             ^^ E0320 index -1 is out of range: valid indices are 0 to 2
// CASE vector_index_out_of_range
float f(float3 a) { return a[3]; }
//                           ^ E0320 index 3 is out of range: valid indices are 0 to 2
// CASE index_of_vector_type
float f(float a[4], float2 i) { return a[i]; }
//                                       ^ E0320 an index must be an integer, found `float2`
// CASE coordinates_of_texel
RWTexture2D<float4> T;
float4 f() { return T[uint3(0, 0, 0)]; }
//                    ^^^^^^^^^^^^^^ E0320 expected 2 texel coordinates, found 3
// CASE operator_of_structs
struct S { float a; };
S f(S a, S b) { return a + b; }
//                     ^^^^^ E0318 invalid operands of `+`: `S` and `S`
// = 2:24: note: this is `S`
// = 2:28: note: this is `S`
// CASE operator_of_unlike_vectors
float3 f(float3x3 m, float4 v) { return m * v; }
//                                      ^^^^^ E0318 invalid operands of `*`: `float3x3` and `float4`
// = 1:41: note: this is `float3x3`
// = 1:45: note: this is `float4`
// CASE shift_of_float
float f(float a) { return a << 1; }
//                        ^^^^^^ E0318 invalid operands of `<<`: `float` and `literal int`
// = 1:27: note: this is `float`
// = 1:32: note: this is `literal int`
// CASE remainder_of_matrix_shapes
float2x2 f(float2x2 a, float3x3 b) { return a % b; }
//                                              ^ W0301 the conversion from `float3x3` to `float2x2` drops components
// CASE bitwise_of_float
float f(float a) { return a & 1; }
//                        ^^^^^ E0318 invalid operands of `&`: `float` and `literal int`
// = 1:27: note: this is `float`
// = 1:31: note: this is `literal int`
// CASE complement_of_float
float f(float a) { return ~a; }
//                        ^^ E0318 invalid operand of `~`: `float`
// CASE negated_texture
Texture2D<float4> T;
float4 f() { return -T; }
//                  ^^ E0318 invalid operand of `-`: `Texture2D<float4>`
// CASE division_of_minimum_precision
int f(min16int a, min16int b) { return a / b; }
//                                     ^^^^^ E0318 `min16int` has no signed division and remainder
// = note: its precision is at least 16 bits, and the quotient depends on it: convert the operands to `int`
// CASE remainder_of_minimum_precision_by_a_constant
min12int3 f(min12int3 v) { v %= 3; return v; }
// @1 W0322 `min12int3` is promoted to `min16int3`
//          ^^^^^^^^^ W0322 `min12int3` is promoted to `min16int3`
//                         ^^^^^^ E0318 `min12int` has no signed division and remainder
// = note: its precision is at least 16 bits, and the quotient depends on it: convert the operands to `int`
// CASE division_by_zero
static const int a = 1 / 0;
//                   ^^^^^ W0325 integer division by zero
// = note: the result is not defined: it is no constant expression, and at run time devices give all bits set
// CASE vector_condition
float f(float3 a) { if (a > 0) return 1; return 0; }
//                      ^^^^^ E0319 a condition must be a scalar, found `bool3`
// = note: `any(…)` and `all(…)` make one condition of many
// CASE vector_ternary
float3 f(float3 a) { return a > 0 ? a : 0; }
//                          ^^^^^ E0319 the condition of `?:` must be a scalar since HLSL 2021, found `bool3`
// = note: `select(c, a, b)` chooses component by component
// CASE logical_of_vectors
bool3 f(bool3 a, bool3 b) { return a && b; }
//                                 ^ E0319 operands of `&&` must be scalars since HLSL 2021, found `bool3`
// = note: `and(a, b)` works on vectors, component by component
// CASE ternary_of_unlike_types
struct S { float a; };
float f(S s, bool b) { return b ? s : 1; }
//                            ^^^^^^^^^ E0318 invalid operands of `?:`: `S` and `literal int`
// = 2:35: note: this is `S`
// = 2:39: note: this is `literal int`
// CASE condition_is_a_texture
Texture2D<float4> T;
float f() { while (T) { } return 1; }
//                 ^ E0319 a condition must be a scalar, found `Texture2D<float4>`
// CASE assignment_of_struct
struct A { float a; }; struct B { float3 b; Texture2D<float4> t; };
void f(A a, B b) { a = b; }
//                     ^ E0312 there is no implicit conversion from `B` to `A`
// CASE break_outside
void f() { break; }
//         ^^^^^^ E0401 `break` is only allowed in a loop or switch
// CASE continue_in_switch
void f(int i) { switch (i) { case 0: continue; } }
//                                   ^^^^^^^^^ E0401 `continue` is only allowed in a loop
// CASE continue_outside
void f() { if (true) continue; }
//                   ^^^^^^^^^ E0401 `continue` is only allowed in a loop
// CASE case_outside
void f() { case 1: return; }
//         ^^^^^^^ E0402 a label must be in the body of a `switch`: directly, in a block or in a branch
// CASE default_outside
void f() { default: return; }
//         ^^^^^^^^ E0402 a label must be in the body of a `switch`: directly, in a block or in a branch
// CASE labels_in_too_many_branches
void f(int i) { switch (i) { case 0: if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) if (i) case 1: f(i - 1); } }
//                                                                                                                                                                                                                                                                   ^^^^^^^^^^^^^^^^^^^^^^^^ E0402 a label of the `switch` is in more than 32 branches in each other
// = note: each `else if` is a branch in the one before; put what follows the label into a function
// CASE doubled_case
void f(int i) { switch (i) { case 1: break; case 1: break; } }
//                                               ^ E0402 duplicate label in the `switch`
// = 1:35: note: first used here
// CASE doubled_case_of_two_spellings
enum E { A = 2 };
void f(int i) { switch (i) { case 2: break; case A: break; } }
//                                               ^ E0402 duplicate label in the `switch`
// = 2:35: note: first used here
// CASE doubled_default
void f(int i) { switch (i) { default: break; default: break; } }
//                                           ^^^^^^^^ E0402 duplicate label in the `switch`
// = 1:30: note: first used here
// CASE case_not_constant
void f(int i, int j) { switch (i) { case j: break; } }
//                                       ^ E0324 expected a constant expression
// CASE case_of_float
void f(int i) { switch (i) { case 1.5: break; } }
//                                ^^^ E0324 expected a constant integer, found `literal float`
// CASE switch_on_vector
void f(int2 a) { switch (a) { case 1: break; } }
//                       ^ E0312 a `switch` requires an integer, found `int2`
// CASE missing_return_value
float f() { return; }
//          ^^^^^^^ E0403 `return` without a value in a function that returns `float`
// CASE value_returned_from_void
void f() { return 1; }
//                ^ E0403 `return` with a value in a function that returns `void`
// CASE missing_return
float f(float a) { if (a > 0) return 1; }
//    ^ W0401 control can reach the end of `f` without returning a value
// CASE no_return_at_all
float f(float a) { a = 1; }
//    ^ W0401 control can reach the end of `f` without returning a value
// CASE goto
void f() { goto end; end: return; }
//                   ^^^ E0338 HLSL does not have `goto` and labels
// CASE label
void f() { again: return; }
//         ^^^^^ E0338 HLSL does not have `goto` and labels
// CASE discard_in_compute -T cs_6_6 -E main
[numthreads(1, 1, 1)] void main() { discard; }
//                                  ^^^^^^^^ E0602 `discard` cannot be used in the compute shader `main`
// = note: it is only available in pixel shaders
// CASE const_without_value
void f() { const float a; }
//                     ^ W0305 the constant `a` is not initialised
// CASE static_assertion
_Static_assert(1 > 2, "one is not larger");
// @1 E0330 static assertion failed: one is not larger
// CASE static_assertion_not_constant
void f(int i) { _Static_assert(i > 2, "larger"); }
//                             ^^^^^ E0324 expected a constant expression
// CASE declaration_without_name
void f() { float; }
//         ^^^^^^ E0201 this declaration declares nothing
// = here: a name is missing
// CASE struct_method_declaration_in_function
void f() { cbuffer C { float a; } }
//         ^^^^^^^ E0404 this cannot be declared inside of a function
// = 1:10: note: the function begins here
// CASE namespace_in_function
void f() { namespace n { } }
//         ^^^^^^^^^ E0404 this cannot be declared inside of a function
// = 1:10: note: the function begins here
// CASE attribute_unknown
[fastpath] void f() { }
// @2 W0402 unknown attribute `fastpath` is ignored
// CASE attribute_misspelled
void f() { [unrol] for (int i = 0; i < 4; ++i) { } }
//          ^^^^^ W0402 unknown attribute `unrol` is ignored
// CASE attribute_on_wrong_statement
void f(int i) { [branch] for (int j = 0; j < i; ++j) { } }
//               ^^^^^^ W0660 the attribute `branch` has no effect here; it applies to an `if` or `switch`
// CASE attributes_contradict
void f(int i) { [unroll] [loop] for (int j = 0; j < 4; ++j) { } }
//                        ^^^^ E0405 the attributes `unroll` and `loop` are mutually exclusive
// CASE unroll_and_fastopt
void f(int i) { [fastopt] [unroll] for (int j = 0; j < 4; ++j) { } }
//                         ^^^^^^ E0405 the attributes `unroll` and `fastopt` are mutually exclusive
// CASE fastopt_after_unroll
void f(int i) { [unroll(2)] [allow_uav_condition] [fastopt] for (int j = 0; j < 4; ++j) { } }
//                                                 ^^^^^^^ E0405 the attributes `unroll` and `fastopt` are mutually exclusive
// CASE branch_and_flatten
void f(int i) { [branch] [flatten] if (i > 1) { i = 2; } }
//                        ^^^^^^^ E0405 the attributes `branch` and `flatten` are mutually exclusive
// CASE unroll_of_negative
void f() { [unroll(-1)] for (int j = 0; j < 4; ++j) { } }
//                 ^^ W0661 the attribute `unroll` takes a constant number of iterations; this one is ignored
// CASE unroll_of_float
void f() { [unroll(1.5)] for (int j = 0; j < 4; ++j) { } }
//                 ^^^ W0661 the attribute `unroll` takes a constant number of iterations; this one is ignored
// CASE numthreads_on_variable
[numthreads(1, 1, 1)] static float a;
// @2 W0660 the attribute `numthreads` has no effect here; it applies to a function
// CASE shader_without_argument
[shader] void f() { }
// @2 E0405 the attribute `shader` takes the name of a stage in quotation marks
// CASE shader_with_name
[shader(raygeneration)] void f() { }
//      ^^^^^^^^^^^^^ E0405 the name of a stage must be in quotation marks
// = note: fix: replace `raygeneration` with `"raygeneration"`
// CASE sizeof_as_statement
void f() { sizeof(float); }
//         ^^^^^^^^^^^^^ W0304 the value of this expression is not used
// CASE value_not_used
void f(float a) { a + 1; }
//                ^^^^^ W0304 the value of this expression is not used
// CASE comparison_not_used
void f(float a) { a == 1; }
//                ^^^^^^ W0666 the result of this comparison is not used
// CASE label_in_a_loop
void f(int a) { switch (a) { case 0: while (a > 3) { case 1: --a; } } }
//                                                   ^^^^^^^ E0402 a label must be in the body of a `switch`: directly, in a block or in a branch
// CASE label_after_an_initialiser
float f(int a) { float x = 0; switch (a) { case 0: float y = 3; x = y; break; case 1: x = 2; } return x; }
//                                                                            ^^^^^^^ E0402 the `switch` jumps to this label past the initialiser of `y`
// = 1:58: note: initialised here
// = note: put the statements of the other label in a block of their own, or declare the variable before the `switch`
// CASE label_after_an_initialised_constant
float f(int a) { float x = 0; switch (a) { case 0: x = 1; const int2 y = 3, z = 4; break; default: x = 2; } return x; }
//                                                                                        ^^^^^^^^ E0402 the `switch` jumps to this label past the initialiser of `y`
// = 1:70: note: initialised here
// = note: put the statements of the other label in a block of their own, or declare the variable before the `switch`
// CASE label_after_an_initialiser_in_a_block
float f(int a) { float x = 0; switch (a) { case 0: { float y = 1; x = y; case 1: x = 2; } break; case 2: x = 3; } return x; }
//                                                                       ^^^^^^^ E0402 the `switch` jumps to this label past the initialiser of `y`
// = 1:60: note: initialised here
// = note: put the statements of the other label in a block of their own, or declare the variable before the `switch`
// CASE first_label_after_an_initialiser
float f(int a) { float x = 0; switch (a) { float z = 4; case 1: x = 2; break; } return x; }
//                                         ^^^^^^^^^^^ W0310 this is never executed: it precedes the first label of the `switch`
//                                                      ^^^^^^^ E0402 the `switch` jumps to this label past the initialiser of `z`
// = 1:50: note: initialised here
// = note: put the statements of the other label in a block of their own, or declare the variable before the `switch`
// CASE label_after_a_resource
Texture2D<float4> t;
float f(int a) { float x = 0; switch (a) { case 0: Texture2D<float4> u = t; x = u[uint2(0, 0)].x; break; case 1: x = 2; } return x; }
//                                                                                                       ^^^^^^^ E0402 the `switch` jumps to this label past the initialiser of `u`
// = 2:70: note: initialised here
// = note: put the statements of the other label in a block of their own, or declare the variable before the `switch`
// CASE label_after_a_ray_query -T lib_6_5
float f(int a) { float x = 0; switch (a) { case 0: RayQuery<0> q; break; case 1: x = 2; } return x; }
//                                                                       ^^^^^^^ E0402 the `switch` jumps to this label past the initialiser of `q`
// = 1:64: note: initialised here
// = note: put the statements of the other label in a block of their own, or declare the variable before the `switch`
// CASE label_at_the_end
float f(int a) { float x = 0; switch (a) { case 1: x = 2; default: } return x; }
//                                                        ^^^^^^^^ W0312 labels at the end of a block are an extension: other compilers of HLSL refuse them
// CASE label_twice_in_blocks
void f(int a) { switch (a) { case 0: { case 1: break; } { case 1: break; } } }
//                                                             ^ E0402 duplicate label in the `switch`
// = 1:45: note: first used here
// CASE variable_of_for_again
int f() { int n = 0; for (int i = 0; i < 3; ++i) { int i = 4; n += i; } return n; }
//                                                     ^ E0304 redeclaration of `i` in the same scope
// = 1:31: note: previously declared here
// CASE type_named_as_a_variable_of_for
int f() { int n = 0; for (int i = 0, j = 1; i < 3; ++i) typedef float j; return n; }
//                                                                    ^ E0304 redeclaration of `j` in the same scope
// = 1:38: note: previously declared here
// CASE label_after_an_initialised_array_in_a_block
void f(int a) { switch (a) { case 0: { const int x[2] = { a, 3 }; case 2: break; } default: break; } }
//                                                                ^^^^^^^ E0402 the `switch` jumps to this label past the initialiser of `x`
// = 1:50: note: initialised here
// = note: put the statements of the other label in a block of their own, or declare the variable before the `switch`
// CASE function_of_a_class_in_a_function
struct S { void g(); }; void f() { void S::g(); }
//                                         ^ E0404 a function of another scope cannot be declared inside of a function
// CASE function_in_a_function_is_never_defined -T cs_6_0 -E main
[numthreads(1, 1, 1)] void main() { float f(float x); f(1); }
//                                                    ^^^^ E0609 `f` is declared but never defined
// = 1:43: note: declared here
// = note: a compute shader cannot call external functions; compile it as a library, and link it with `rtc link -T cs_6_x`
// CASE division_by_zero_that_is_executed
static const uint n = 0;
uint f(uint x) { if (!n) return x / n; return 0; }
//                              ^^^^^ W0325 integer division by zero
// = note: the result is not defined: it is no constant expression, and at run time devices give all bits set
// CASE division_by_zero_that_may_be_executed
uint f(uint x) { if (x) return 8 / 0; return x ? 1 : 8 % 0; }
//                             ^^^^^ W0325 integer division by zero
// = note: the result is not defined: it is no constant expression, and at run time devices give all bits set
//                                                   ^^^^^ W0325 integer division by zero
// = note: the result is not defined: it is no constant expression, and at run time devices give all bits set
// CASE vector_index_in_code_that_is_not_executed
uint f() { uint2 v = 1; return false ? v[5] : 0; }
//                                       ^ E0320 index 5 is out of range: valid indices are 0 to 1
// CASE label_that_is_no_enumerator
enum E { A };
int f(E e) { switch (e) { case 0: return 1; } return 2; }
//                             ^ E0312 there is no implicit conversion from `literal int` to `E`
// = note: a cast converts between enumerations and numbers
// CASE label_of_another_enumeration
enum E { A };
enum G { B };
int f(E e) { switch (e) { case B: return 1; } return 2; }
//                             ^ E0312 there is no implicit conversion from `G` to `E`
// = note: a cast converts between enumerations and numbers
// CASE scoped_label_of_a_number
enum class E { A };
int f(int n) { switch (n) { case E::A: return 1; } return 2; }
//                               ^^^^ E0312 there is no implicit conversion from `E` to `int`
// = note: a cast converts between enumerations and numbers
// CASE switch_over_a_vector_of_one_component
int f(int1 n) { switch (n) { case 0: return 1; } return 2; }
//                      ^ E0312 a `switch` requires an integer, found `int1`
// CASE condition_of_one_component
int f(bool1 b) { return b ? 1 : 2; }
//                      ^ E0319 the condition of `?:` must be a scalar since HLSL 2021, found `bool1`
// = note: `select(c, a, b)` chooses component by component
// CASE shift_of_a_literal
int f(uint n, int i, bool b) { return (1 << n) + (1 << i) + ((b ? 1 : 2) >> n) + (1u << n) + (1 << 3) + (n << 1); }
//                                     ^^^^^^ W0326 the type of this shift is that of a literal, which has none of its own
// = note: it is `uint` if the literal is shifted by a `uint`, else `int`: give the literal a suffix, as in `1u`, or a cast
//                                                ^^^^^^ W0326 the type of this shift is that of a literal, which has none of its own
// = note: it is `uint` if the literal is shifted by a `uint`, else `int`: give the literal a suffix, as in `1u`, or a cast
//                                                           ^^^^^^^^^^^^^^^^ W0326 the type of this shift is that of a literal, which has none of its own
// = note: it is `uint` if the literal is shifted by a `uint`, else `int`: give the literal a suffix, as in `1u`, or a cast
// CASE cross_product_of_one_component
float3 f(float1 x) { return cross(1, x); }
//                                ^ E0313 argument 1 of `cross` is `literal int`, expected `float3`
// = note: candidate: float3 cross(float3 a, float3 b)
