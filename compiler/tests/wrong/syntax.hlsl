//! Syntax: what is missing, what is too much, and how much is understood nevertheless.

// CASE missing_semicolon
void f() { int a = 1
//                  ^ E0202 expected `;` after number `1`
// = note: fix: insert `;`
int b = 2; }
// CASE missing_semicolon_after_return
float f() { return 1 }
//                  ^ E0202 expected `;` after number `1`
// = note: fix: insert `;`
float g() { return 2; }
// CASE missing_semicolon_after_struct
struct S { float a; }
//                   ^ E0202 expected `;` after `}`
// = note: fix: insert `;`
float f(S s) { return s.a; }
// CASE missing_semicolon_after_member
struct S { float a float b; };
//                ^ E0202 expected `;` after `a`
// = note: fix: insert `;`
// CASE missing_semicolon_after_global
static float a = 1
//                ^ E0202 expected `;` after number `1`
// = note: fix: insert `;`
static float b = 2;
// CASE missing_semicolon_after_call
void g(int a) { }
void f() { g(1) g(2); }
//             ^ E0202 expected `;` after `)`
// = note: fix: insert `;`
// CASE missing_semicolon_after_cbuffer_member
cbuffer C { float4 a float4 b; }
//                  ^ E0202 expected `;` after `a`
// = note: fix: insert `;`
// CASE missing_semicolon_after_do
void f() { do { } while (false) }
//                             ^ E0202 expected `;` after `)`
// = note: fix: insert `;`
// CASE missing_parenthesis
float f(float a) { return (a + 1; }
//                              ^ E0203 expected `)` after number `1`
// = 1:27: note: opened here
// = note: fix: insert `)`
float g() { return 2; }
// CASE missing_parenthesis_of_call
float f(float a) { return sin(a; }
//                             ^ E0203 expected `)` after `a`
// = 1:30: note: opened here
// = note: fix: insert `)`
float g() { return 2; }
// CASE missing_parenthesis_of_if
void f(int a) { if (a > 1 { a = 2; } }
//                       ^ E0203 expected `)` after number `1`
// = 1:20: note: opened here
// = note: fix: insert `)`
void g() { }
// CASE missing_open_parenthesis_of_if
void f(int a) { if a > 1) { a = 2; } }
//                 ^ E0201 expected `(`, found `a`
void g() { }
// CASE missing_parentheses_of_if
void f(int a) { if a > 1 { a = 2; } }
//                 ^ E0201 expected `(`, found `a`
void g() { }
// CASE missing_brace_at_end
void f() { int a = 1;
void g() { int b = 2; }
// @1 E0203 missing `}` before this declaration
// = 1:10: note: this `{` is not closed
// = note: fix: insert `}`
// CASE missing_brace_of_block
void f(int a) { if (a > 1) { a = 2; 
}
void g() { }
// @1 E0203 missing `}` before this declaration
// = 1:15: note: this `{` is not closed
// = note: fix: insert `}`
// CASE missing_brace_of_struct
struct S { float a;
//       ^ E0203 unterminated `{`
float f(S s) { return s.a; }
// CASE brace_too_much
void f() { int a = 1; } }
//                      ^ E0204 unmatched `}`
void g() { }
// CASE parenthesis_too_much
float f(float a) { return (a + 1)); }
//                               ^ E0204 unmatched `)`
// = note: fix: remove `)`
float g() { return 2; }
// CASE bracket_too_much
float f(float a[2]) { return a[1]]; }
//                               ^ E0204 unmatched `]`
// = note: fix: remove `]`
// CASE missing_bracket
float f(float a[2]) { return a[1; }
//                              ^ E0203 expected `]` after number `1`
// = 1:31: note: opened here
// = note: fix: insert `]`
float g() { return 2; }
// CASE wrong_closing_bracket
float f(float a[2]) { return a[1); }
//                              ^ E0203 mismatched bracket: `)`
// = 1:31: note: opened here
// = note: fix: replace `)` with `]`
float g() { return 2; }
// CASE missing_operand
float f(float a) { return a + ; }
//                            ^ E0201 expected an expression, found `;`
// CASE missing_operator
float f(float a) { return a 2; }
//                          ^ E0201 expected `;` or `,`, found number `2`
// CASE missing_comma
float g(float a, float b) { return a; }
float f(float a) { return g(a 2); }
//                            ^ E0201 expected `)` or `,`, found number `2`
// CASE trailing_comma
float g(float a, float b) { return a; }
float f(float a) { return g(a, ); }
//                             ^ E0201 expected an expression or `{`, found `)`
// CASE missing_parameter_type
float f(a) { return a; }
//      ^ E0301 unknown type name `a`
// CASE missing_parameter_comma
float f(float a float b) { return a; }
//              ^^^^^ E0201 expected `)`, `[`, `,` or others, found type `float`
// CASE missing_name
float = 1;
//    ^ E0201 expected a name or `;`, found `=`
// CASE missing_type
a = 1;
// @1 E0201 expected a declaration, `[` or `;`, found `a`
// CASE missing_initialiser
static float a = ;
//               ^ E0201 expected an expression or `{`, found `;`
// CASE missing_else_statement
void f(int a) { if (a > 1) a = 1; else }
//                                    ^ E0202 expected `;` after `else`
// = note: fix: insert `;`
void g() { }
// CASE else_without_if
void f(int a) { else a = 1; }
//              ^^^^ E0201 expected a statement or `while`, found `else`
// CASE semicolon_before_else
void f(int a) { if (a > 1) { a = 1; }; else { a = 2; } }
//                                     ^^^^ E0201 expected a statement or `while`, found `else`
// CASE semicolon_before_body
void f(); { }
//        ^ E0201 expected a declaration, `[` or `;`, found `{`
// CASE for_with_commas
void f() { for (int i = 0, i < 4, ++i) { } }
//                           ^ E0201 expected `[`, `;`, `,` or others, found `<`
// CASE for_with_two_parts
void f() { for (int i = 0; i < 4) { } }
//                              ^ E0201 expected `;` or `,`, found `)`
// CASE while_without_condition
void f() { while () { } }
//                ^ E0201 expected an expression, found `)`
// CASE do_without_while
void f() { do { int a; } }
//                       ^ E0201 expected `while`, found `}`
// CASE switch_without_labels
void f(int i) { switch (i) return; }
//                         ^^^^^^^ W0310 this is never executed: it precedes the first label of the `switch`
// CASE condition_in_front_of_the_first_label
void f(int i) { switch (i) if (i > 3) case 1: return; }
//                             ^^^^^ W0310 this is never executed: it precedes the first label of the `switch`
// CASE modifier_as_variable
float f() { float line = 1; return line; }
//                ^^^^ E0201 `line` is a modifier of declarations and cannot be a name
// = note: choose another name; `sample`, `center`, `precise`, `vertices`, `indices` and the like are names where no type follows
// CASE modifier_as_parameter
float f(float point) { return point; }
//            ^^^^^ E0201 `point` is a modifier of declarations and cannot be a name
// = note: choose another name; `sample`, `center`, `precise`, `vertices`, `indices` and the like are names where no type follows
// CASE modifier_as_structure
struct triangle { float a; };
//     ^^^^^^^^ E0201 `triangle` is a modifier of declarations and cannot be a name
// = note: choose another name; `sample`, `center`, `precise`, `vertices`, `indices` and the like are names where no type follows
// CASE modifier_as_semantic
float4 main(float a : linear) : SV_Target { return a; }
//                    ^^^^^^ E0201 `linear` is a modifier of declarations and cannot be a name
// = note: choose another name; `sample`, `center`, `precise`, `vertices`, `indices` and the like are names where no type follows
// CASE modifier_as_enumerator
enum Kind { uniform, other };
//          ^^^^^^^ E0201 `uniform` is a modifier of declarations and cannot be a name
// = note: choose another name; `sample`, `center`, `precise`, `vertices`, `indices` and the like are names where no type follows
// CASE modifier_as_namespace
namespace export { float f() { return 1; } }
//        ^^^^^^ E0201 `export` is a modifier of declarations and cannot be a name
// = note: choose another name; `sample`, `center`, `precise`, `vertices`, `indices` and the like are names where no type follows
// CASE modifier_as_buffer
cbuffer shared { float a; };
//      ^^^^^^ E0201 `shared` is a modifier of declarations and cannot be a name
// = note: choose another name; `sample`, `center`, `precise`, `vertices`, `indices` and the like are names where no type follows
// CASE modifier_as_template_parameter -HV 2021
template<typename snorm> float f();
//                ^^^^^ E0201 `snorm` is a modifier of declarations and cannot be a name
// = note: choose another name; `sample`, `center`, `precise`, `vertices`, `indices` and the like are names where no type follows
// CASE reserved_word_as_variable
float f() { float new = 1; return new; }
//                ^^^ E0201 `new` is a reserved word and cannot be a name
// CASE reserved_word_as_member
struct S { float private; };
//               ^^^^^^^ E0201 `private` is a reserved word and cannot be a name
// CASE reserved_word_as_structure
struct technique { float a; };
//     ^^^^^^^^^ E0201 `technique` is a reserved word and cannot be a name
// CASE reserved_word_as_function
float goto(float x) { return x; }
//    ^^^^ E0201 `goto` is a reserved word and cannot be a name
// CASE reserved_word_as_type -HV 2021
typedef int long;
//          ^^^^ E0201 `long` is a reserved word and cannot be a name
// CASE parentheses_around_nothing
float f() { float (); return 1; }
//          ^^^^^^^^ E0322 too few values for `float`: expected 1, found 0
// CASE parentheses_around_a_declarator_that_do_not_close
float f() { float (x; return 1; }
//                  ^ E0203 expected `)` after `x`
// = 1:19: note: opened here
// = note: fix: insert `)`
// CASE parentheses_around_an_initialiser
float f() { float (x = 1); return 1; }
//                 ^ E0301 use of undeclared identifier `x`
// CASE variable_with_arguments
void f() { float x(2); }
//                 ^ E0201 expected a type, `)` or `[`, found number `2`
// CASE two_variables_of_a_template errors=1 -HV 2021
template<typename T> static const T a = 1, b = 2;
//                                         ^^^^^ E0201 a template declares one variable only
// CASE typedef_with_template_arguments -HV 2021
template<typename T> T f(T x) { return x; }
typedef int f<int>;
//           ^ E0201 expected `[`, `;`, `,` or others, found `<`
// CASE case_without_colon
void f(int i) { switch (i) { case 1 return; } }
//                                  ^^^^^^ E0201 expected `:`, found `return`
// CASE keyword_as_name
float f() { float for = 1; return 1; }
//                ^^^ E0201 expected a name, `(` or `;`, found `for`
// CASE number_as_name
float f() { float 2x = 1; return 1; }
//                ^^ E0201 expected a name, `(` or `;`, found number `2x`
// CASE assignment_as_equality_of_literals
void f(int a) { if (1 = a) { } }
//                  ^^^^^ W0664 an assignment is used as a condition
// = note: use `==` to compare, or parentheses around the assignment to silence this warning
// = note: fix: replace `=` with `==`
//                  ^ E0317 cannot assign to: the expression is a value or a constant, not an l-value
// CASE statement_at_file_scope
return 1;
// @1 E0201 expected a declaration, `[` or `;`, found `return`
// CASE if_at_file_scope
if (true) { }
// @1 E0201 expected a declaration, `[` or `;`, found `if`
// CASE expression_at_file_scope
1 + 2;
// @1 E0201 expected a declaration, `[` or `;`, found number `1`
// CASE call_at_file_scope
void g() { }
g();
// @1 E0201 expected a declaration, `[` or `;`, found `g`
// CASE function_body_missing
float f() = 1;
//        ^ E0201 expected `[`, `{`, `;` or `:`, found `=`
// CASE double_colon_missing
namespace n { static float a; }
float f() { return n:a; }
//                  ^ E0201 expected `;` or `,`, found `:`
// CASE unterminated_attribute
[shader("miss") void f() { }
//              ^^^^ E0201 expected `]` or `,`, found `void`
// CASE attribute_in_wrong_place
void [unroll] f() { }
//   ^ E0201 expected a name or `;`, found `[`
// = note: the size of an array follows the name: `float a[4]`
// CASE register_without_parentheses
Texture2D<float4> T : register t0;
//                             ^^ E0201 expected `;`, `,`, `:` or `=`, found `t0`
// = note: if `register` is a type, it is not declared
// CASE register_malformed
Texture2D<float4> T : register(x);
//                    ^^^^^^^^^^^ E0501 wrong register class for this resource: expected `t`, found `x`
// CASE space_malformed
Texture2D<float4> T : register(t0, one);
//                                 ^^^ E0206 invalid register `one`: expected a letter and a number, like `t0`, or a space, like `space1`
// CASE packoffset_malformed
cbuffer C { float4 a : packoffset(t0); }
//                     ^^^^^^^^^^^^^^ E0206 a packoffset is a constant register and perhaps a component, like `c3.y`
// CASE template_bracket_missing
StructuredBuffer<float B;
//                     ^ E0201 expected `[` or `,`, found `B`
// CASE template_brackets_of_shift
vector<vector<float, 2>, 2 V;
//                         ^ E0201 expected `,`, found `V`
// CASE semantic_missing
float f() : { return 1; }
//          ^ E0201 expected an expression, found `{`
// CASE struct_with_commas
struct S { float a, int b };
//                      ^ E0201 expected `[`, `;`, `,` or others, found `b`
// = note: if `int` is a type, it is not declared
// CASE struct_without_body
struct S
float f() { return 1; }
//        ^^^^^^^^^^^^^ W0201 state blocks of the effects framework are ignored
//    ^ E0201 expected `(`, `[`, `;` or others, found `f`
// = note: `S` is not a specifier, and no macro of that name is defined
// CASE typedef_without_name
typedef float;
//           ^ E0201 expected a name, found `;`
// CASE end_of_file_in_function
float f() {
//        ^ E0203 unterminated `{`
// CASE end_of_file_in_expression
static float a = 1 +
//                  ^ E0207 expected an expression, found the end of the declaration
// CASE end_of_file_in_arguments
float f() { return sin(
//        ^ E0203 unterminated `{`
// CASE technique
technique T { pass P { VertexShader = compile vs_5_0 main(); } }
// @1 W0201 techniques of the effects framework are ignored
float f() { return 1; }
// CASE foreign_preamble
layout(binding = 0) uniform float a;
// @1 E0201 expected a declaration, `[` or `;`, found `layout`
// CASE precision_statement
precision highp float;
//              ^^^^^ E0201 expected `(`, `[`, `;` or others, found type `float`
// CASE python
def f(x): return x
//               ^ E0201 expected `{`, `;` or `:`, found `x`
// = note: if `return` is a type, it is not declared
// CASE several_mistakes errors=2
void f() { int a = 1 int b = 2; }
//                  ^ E0202 expected `;` after number `1`
// = note: fix: insert `;`
void g() { int c = ; }
//                 ^ E0201 expected an expression or `{`, found `;`
// CASE enum_with_a_semicolon
enum E { A; B };
//        ^ E0201 expected `}`, `,` or `=`, found `;`
float f() { return 1; }
// CASE parentheses_nested_too_deeply
static int a = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));
//                                                                                                                                                                                                                                                                             ^ E0205 brackets are nested more than 256 deep
// CASE hundreds_of_mistakes errors=101
void f0() { int a = ; }
//                  ^ E0201 expected an expression or `{`, found `;`
void f1() { int a = ; }
//                  ^ E0201 expected an expression or `{`, found `;`
void f2() { int a = ; }
//                  ^ E0201 expected an expression or `{`, found `;`
void f3() { int a = ; }
//                  ^ E0201 expected an expression or `{`, found `;`
void f4() { int a = ; }
//                  ^ E0201 expected an expression or `{`, found `;`
void f5() { int a = ; }
//                  ^ E0201 expected an expression or `{`, found `;`
void f6() { int a = ; }
//                  ^ E0201 expected an expression or `{`, found `;`
void f7() { int a = ; }
//                  ^ E0201 expected an expression or `{`, found `;`
void f8() { int a = ; }
//                  ^ E0201 expected an expression or `{`, found `;`
void f9() { int a = ; }
//                  ^ E0201 expected an expression or `{`, found `;`
void f10() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f11() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f12() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f13() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f14() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f15() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f16() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f17() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f18() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f19() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f20() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f21() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f22() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f23() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f24() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f25() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f26() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f27() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f28() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f29() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f30() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f31() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f32() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f33() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f34() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f35() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f36() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f37() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f38() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f39() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f40() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f41() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f42() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f43() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f44() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f45() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f46() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f47() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f48() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f49() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f50() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f51() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f52() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f53() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f54() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f55() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f56() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f57() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f58() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f59() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f60() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f61() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f62() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f63() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f64() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f65() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f66() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f67() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f68() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f69() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f70() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f71() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f72() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f73() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f74() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f75() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f76() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f77() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f78() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f79() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f80() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f81() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f82() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f83() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f84() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f85() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f86() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f87() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f88() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f89() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f90() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f91() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f92() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f93() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f94() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f95() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f96() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f97() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f98() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
void f99() { int a = ; }
//                   ^ E0201 expected an expression or `{`, found `;`
//                   ^ E0208 too many errors (100); stopping
void f100() { int a = ; }
void f101() { int a = ; }
// CASE types_are_checked_after_a_syntax_error errors=2
float f() { return 1 }
//                  ^ E0202 expected `;` after number `1`
// = note: fix: insert `;`
float g() { return colr; }
//                 ^^^^ E0301 use of undeclared identifier `colr`
// CASE names_that_a_syntax_error_may_have_declared
struct { float a; } float x y;
//                  ^^^^^ E0201 expected a name or `;`, found type `float`
float g() { return y + x; }
