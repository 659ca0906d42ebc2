//! Directives, macros and includes.

// CASE unknown_directive
#defin A 1
// @2 E0120 invalid preprocessing directive `#defin`
float f() { return 1; }
// CASE directive_of_another_language
#version 450
// @2 E0120 invalid preprocessing directive `#version`
float f() { return 1; }
// CASE define_without_name
#define
// @1 E0126 a macro's name must be an identifier
// CASE define_of_a_number
#define 3D 1
//      ^^ E0126 a macro's name must be an identifier
// CASE define_of_defined
#define defined 1
//      ^^^^^^^ E0126 invalid macro name `defined`
// CASE parameter_list_not_closed
#define F(a, b
//           ^ E0126 the parameter list of macro `F` is malformed
// CASE parameter_twice
#define F(a, a) a
//           ^ E0126 the parameter list of macro `F` is malformed
// CASE hash_without_parameter
#define F(a) #b
//           ^ E0126 `#` must be followed by a parameter of the macro
// CASE paste_at_the_start
#define F(a) ##a
//           ^^ E0126 `##` cannot be at the start or end of a macro's body
// CASE va_args_outside
#define F(a) __VA_ARGS__
//           ^^^^^^^^^^^ E0126 `__VA_ARGS__` belongs in the body of a variadic macro
// CASE va_opt_outside
#define F(a) __VA_OPT__(a)
//           ^^^^^^^^^^ E0126 `__VA_OPT__` belongs in the body of a variadic macro
// CASE va_opt_not_closed
#define F(...) __VA_OPT__(a
//             ^^^^^^^^^^ E0126 the parenthesis of `__VA_OPT__` is not closed
// CASE macro_redefined
#define PI 3.14
#define PI 3.14159
//      ^^ W0101 macro `PI` redefined
// = 1:9: note: first defined here
float f() { return PI; }
// CASE builtin_macro_redefined
#define __HLSL_VERSION 2018
//      ^^^^^^^^^^^^^^ W0107 redefinition of the predefined macro `__HLSL_VERSION`
// CASE builtin_macro_undefined
#undef __LINE__
//     ^^^^^^^^ W0107 predefined macro `__LINE__` is undefined
// CASE undef_without_name
#undef
// @1 E0120 the name of a macro is missing
// CASE undef_with_more
#define A 1
#undef A B
//       ^ W0105 tokens after the macro's name are ignored
// CASE macro_with_few_arguments
#define MAD(a, b, c) (a * b + c)
float f(float x) { return MAD(x, 2); }
//                        ^^^^^^^^^ E0127 macro `MAD` expects 3 arguments, found 2
// = 1:9: note: defined here
// CASE macro_with_many_arguments
#define SQ(a) (a * a)
float f(float x) { return SQ(x, 2); }
//                        ^^^^^^^^ E0127 macro `SQ` expects 1 argument, found 2
// = 1:9: note: defined here
// CASE macro_call_not_closed
#define SQ(a) (a * a)
float f(float x) { return SQ(x; }
//                        ^^ E0127 unterminated argument list of macro `SQ`
// = 2:29: note: opened here
float g(float x) { return x; }
// CASE macro_without_arguments
#define SQ(a) (a * a)
float f(float x) { return SQ + 1; }
//                        ^^ E0301 use of undeclared identifier `SQ`
// CASE paste_to_no_token
#define JOIN(a, b) a ## b
float f() { return JOIN(+, *); }
//                      ^ E0129 `##` pastes `+` and `*` to `+*`, which is not a valid token
// CASE mistake_inside_a_macro
#define HALF(x) (x * half_of)
float f(float a) { return HALF(a); }
//                        ^^^^^^^ E0301 use of undeclared identifier `half_of`
// = 2:27: note: in the expansion of macro `HALF` used here
// CASE mistake_in_an_argument
#define HALF(x) (x * 0.5)
float f(float a) { return HALF(b); }
//                             ^ E0301 use of undeclared identifier `b`
// CASE mistake_inside_nested_macros
#define INNER(x) (x.missing)
#define OUTER(x) INNER(x)
float f(float3 a) { return OUTER(a); }
//                         ^^^^^^^^ E0321 invalid swizzle `missing` of `float3`
// = here: a swizzle has one to four letters
// = 3:28: note: in the expansion of macro `INNER` used here
// = 3:28: note: in the expansion of macro `OUTER` used here
// CASE type_error_inside_a_macro
#define ASSIGN(a, b) a = b
void f(float a, Texture2D<float4> t) { ASSIGN(a, t); }
//                                               ^ E0312 there is no implicit conversion from `Texture2D<float4>` to `float`
// CASE macro_bomb
#define A0 x x x x x x x x x x x x x x x x
#define A1 A0 A0 A0 A0 A0 A0 A0 A0 A0 A0 A0 A0 A0 A0 A0 A0
#define A2 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1
#define A3 A2 A2 A2 A2 A2 A2 A2 A2 A2 A2 A2 A2 A2 A2 A2 A2
#define A4 A3 A3 A3 A3 A3 A3 A3 A3 A3 A3 A3 A3 A3 A3 A3 A3
#define A5 A4 A4 A4 A4 A4 A4 A4 A4 A4 A4 A4 A4 A4 A4 A4 A4
A5
// @1 E0128 macro expansion produces too many tokens
// = 7:1: note: in the expansion of macro `A1` used here
// = 7:1: note: in the expansion of macro `A2` used here
// = 7:1: note: in the expansion of macro `A3` used here
// = 7:1: note: in the expansion of macro `A4` used here
// = 7:1: note: in the expansion of macro `A5` used here
// CASE if_without_endif
#if 1
// @1 E0121 this conditional has no `#endif`
float f() { return 1; }
// CASE endif_without_if
#endif
// @1 E0121 `#endif` without `#if`
// CASE else_without_if
#else
// @1 E0121 `#else` without `#if`
// CASE elif_without_if
#elif 1
// @1 E0121 `#elif` without `#if`
// CASE else_twice
#if 1
#else
#else
// @1 E0121 `#else` after `#else`
// = 2:1: note: the `#else`
#endif
// CASE elif_after_else
#if 0
#else
#elif 1
// @1 E0121 `#elif` after `#else`
// = 2:1: note: the `#else`
#endif
// CASE tokens_after_endif
#if 1
#endif A
//     ^ W0105 extra tokens after `#endif` are ignored
// CASE ifdef_without_name
#ifdef
// @1 E0120 the name of a macro is missing
#endif
// CASE ifdef_of_a_number
#ifdef 1
// @1 E0120 the name of a macro is missing
#endif
// CASE condition_missing
#if
// @1 E0122 the condition is missing
#endif
// CASE condition_with_float
#if 1.5 > 1
//  ^^^ E0122 a condition cannot use floating point numbers
#endif
// CASE condition_with_assignment
#if A = 1
//    ^ E0122 expected an operator in the condition, found `=`; equality is `==`
#endif
// CASE condition_incomplete
#if 1 +
//     ^ E0122 the condition ends where a value is needed
#endif
// CASE condition_with_string
#if "a" == "b"
//  ^^^ E0122 `"a"` is not allowed in a condition
#endif
// CASE condition_divides_by_zero
#if 1 / 0
//    ^ E0122 division by zero in a condition
#endif
// CASE condition_calls_undefined_macro
#if IS_ENABLED(SHADOWS)
//  ^^^^^^^^^^ E0122 function-like macro `IS_ENABLED` is not defined
#endif
// CASE condition_through_macro
#define LEVEL 2 +
#if LEVEL
//       ^ E0122 the condition ends where a value is needed
#endif
// CASE defined_without_name
#if defined
//  ^^^^^^^ E0122 `defined` must be followed by a name or a name in parentheses
#endif
// CASE condition_parenthesis
#if (1 + 2
//        ^ E0122 expected `)` in the condition
#endif
// CASE undefined_in_condition -Wundef
#if QUALITY > 2
//  ^^^^^^^ W0106 `QUALITY` is not defined and evaluates to 0
#endif
// CASE error_directive
#error "no platform chosen"
// @1 E0123 "no platform chosen"
// CASE error_in_header
#include "config.hlsli"
// FILE config.hlsli
#ifndef PLATFORM
#error PLATFORM must be defined
// @1 E0123 PLATFORM must be defined
// = 1:10: note: included from here
#endif
// CASE warning_directive
#warning old header
// @1 W0104 old header
// CASE include_not_found
#include "lighting.hlsli"
//       ^^^^^^^^^^^^^^^^ E0124 file `lighting.hlsli` not found
// = note: searched: lighting.hlsli
// CASE include_not_found_in_header
#include "a/a.hlsli"
// FILE a/a.hlsli
#include "b.hlsli"
//       ^^^^^^^^^ E0124 file `b.hlsli` not found
// = here: did you mean `a/a.hlsli`?
// = note: searched: a/b.hlsli, b.hlsli
// = 1:10: note: included from here
// CASE include_misspelled
#include "comon.hlsli"
//       ^^^^^^^^^^^^^ E0124 file `comon.hlsli` not found
// = here: did you mean `common.hlsli`?
// = note: searched: comon.hlsli
// FILE common.hlsli
static float a;
// CASE include_in_other_case
#include "Common.hlsli"
//       ^^^^^^^^^^^^^^ W0102 `Common.hlsli` is found as `common.hlsli`
// = note: the names differ in letter case, which matters on most systems
// FILE common.hlsli
static float a;
// CASE include_without_quotes
#include common.hlsli
//       ^^^^^^^^^^^^ E0120 `#include` needs a file name in quotes or angle brackets
// CASE include_of_nothing
#include
// @1 E0120 `#include` needs a file name in quotes or angle brackets
// CASE include_not_closed
#include "common.hlsli
//       ^^^^^^^^^^^^^ E0120 `#include` needs a file name in quotes or angle brackets
// CASE include_with_more
#include "common.hlsli" once
//                      ^^^^ W0105 tokens after the name of the file are ignored
// FILE common.hlsli
static float a;
// CASE include_cycle
#include "a.hlsli"
// FILE a.hlsli
#include "b.hlsli"
//       ^^^^^^^^^ E0125 includes are nested more than 200 deep
// = note: the cycle is a.hlsli -> b.hlsli -> a.hlsli
// = note: `#pragma once` in the header prevents it
// = b.hlsli:1:10: note: included from here
// = a.hlsli:1:10: note: included from here
// = b.hlsli:1:10: note: included from here
// = a.hlsli:1:10: note: included from here
// = b.hlsli:1:10: note: included from here
// = a.hlsli:1:10: note: included from here
// = b.hlsli:1:10: note: included from here
// = a.hlsli:1:10: note: included from here
// = b.hlsli:1:10: note: included from here
// = a.hlsli:1:10: note: included from here
// = b.hlsli:1:10: note: included from here
// = a.hlsli:1:10: note: included from here
// = b.hlsli:1:10: note: included from here
// = a.hlsli:1:10: note: included from here
// = b.hlsli:1:10: note: included from here
// = a.hlsli:1:10: note: included from here
// = b.hlsli:1:10: note: included from here
// = a.hlsli:1:10: note: included from here
// = b.hlsli:1:10: note: included from here
// = a.hlsli:1:10: note: included from here
// FILE b.hlsli
#include "a.hlsli"
// CASE mistake_in_an_included_file
#include "a.hlsli"
// FILE a.hlsli
#include "b.hlsli"
// FILE b.hlsli
float f() { return missing; }
//                 ^^^^^^^ E0301 use of undeclared identifier `missing`
// = a.hlsli:1:10: note: included from here
// = 1:10: note: included from here
// CASE missing_semicolon_at_end_of_header
#include "a.hlsli"
float f(S s) { return s.a; }
// FILE a.hlsli
struct S { float a; }
//                   ^ E0202 expected `;` after `}`
// = note: fix: insert `;`
// = 1:10: note: included from here
// CASE conditional_across_files errors=2
#include "a.hlsli"
#endif
// @1 E0121 `#endif` without `#if`
// FILE a.hlsli
#if 1
// @1 E0121 this conditional has no `#endif`
// = 1:10: note: included from here
// CASE line_without_number
#line
// @1 E0130 `#line` needs a line number
// CASE line_with_bad_number
#line abc
// @1 E0130 `#line` needs a line number
// CASE line_with_bad_name
#line 10 name
//       ^^^^ E0130 `#line` takes a number and a file name in quotes
// CASE line_renames
#line 100 "generated.hlsl"
float f() { return missing; }
//                 ^^^^^^^ E0301 use of undeclared identifier `missing`
// CASE unknown_pragma -Wunknown-pragmas
#pragma optimise(on)
//      ^^^^^^^^ W0103 unknown pragma `optimise` is ignored
// CASE pack_matrix_malformed
#pragma pack_matrix(rows)
// @1 E0131 `#pragma pack_matrix` takes `(row_major)` or `(column_major)`
// CASE diagnostic_pragma_malformed
#pragma dxc diagnostic silent "-Wconversion"
// @1 W0108 malformed diagnostic pragma is ignored
// = note: it is `push`, `pop`, or `ignored`, `warning` or `error` with a group in quotes: `"-Wconversion"`
// CASE diagnostic_pop_without_push
#pragma dxc diagnostic pop
// @1 W0108 diagnostic `pop` without a matching `push`
// CASE warning_pragma_malformed
#pragma warning disable 3206
// @1 W0108 this `#pragma warning` is not understood
// CASE pragma_operator_malformed
_Pragma(once)
// @1 E0131 `_Pragma` takes a string in parentheses
// CASE stray_hash
float f() { return # 1; }
//                 ^ E0201 expected an expression, `{` or `;`, found `#`
