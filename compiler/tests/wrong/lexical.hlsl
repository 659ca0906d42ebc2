//! Characters, literals and numbers.

// CASE character_of_no_token
void f() { int a = 1 @ 2; }
//                   ^ E0101 character `@` (U+0040) is not allowed in HLSL
// CASE mark_at_the_start
static float ́x = 1;
//           ^ E0101 character `́` (U+0301) is not allowed in HLSL
// CASE sign_beyond_ascii
static float a× = 1;
//            ^ E0101 character `×` (U+00D7) is not allowed in HLSL
// = note: fix: replace `×` with `*`
// CASE name_with_text_direction
static float a‮b = 1;
//           ^^^ W0109 this name has a character that is not seen (U+202E)
// CASE name_with_lookalike
static float sсale = 1;
//           ^^^^^ W0109 the letter `с` (U+0441) of `sсale` looks like `c`
float f() { return sсale * sсale; }
// CASE typographic_quotes
[shader(“miss”)] void f() { }
//      ^^^^^^ E0102 typographic quotation marks do not delimit a string
// = here: use plain `"`
// = note: fix: replace `“miss”` with `"miss"`
// CASE typographic_apostrophe errors=2
static const int a = ‘a’;
//                   ^ E0101 character `‘` (U+2018) is not allowed in HLSL
// = note: fix: replace `‘` with `'`
//                     ^ E0101 character `’` (U+2019) is not allowed in HLSL
// = note: fix: replace `’` with `'`
// CASE en_dash
float f(float a) { return a – 1; }
//                          ^ E0101 character `–` (U+2013) is not allowed in HLSL
// = note: fix: replace `–` with `-`
// CASE greek_question_mark
static float a = 1;
//                ^ E0101 character `;` (U+037E) is not allowed in HLSL
// = note: fix: replace `;` with `;`
// CASE string_not_closed
[shader("miss)] void f() { }
//      ^^^^^^^^^^^^^^^^^^^^ E0103 this string does not end on its line
// CASE character_not_closed
static const int a = 'a;
//                   ^^^ E0104 this character literal does not end on its line
// CASE character_empty
static const int a = '';
//                   ^^ E0104 this character literal is empty
// CASE character_of_many
static const int a = 'ab';
//                   ^^^^ E0108 a character literal must have exactly one character
// CASE comment_not_closed
static float a = 1; /* and so on
//                  ^^ E0105 this comment does not end
// CASE comment_nested
/* a /* b */ c */
//           ^ E0201 expected a declaration, `[` or `;`, found `c`
// CASE number_with_bad_suffix
static float a = 1.0q;
//               ^^^^ E0106 invalid number `1.0q`
// CASE number_with_two_points
static float a = 1.2.3;
//               ^^^^^ E0106 invalid number `1.2.3`
// CASE hexadecimal_without_digits
static uint a = 0x;
//              ^^ E0106 invalid number `0x`
// CASE octal_with_a_nine
static uint a = 089;
//              ^^^ E0106 invalid number `089`
// CASE binary_with_a_two
static uint a = 0b102;
//              ^^^^^ E0106 invalid number `0b102`
// CASE exponent_without_digits
static float a = 1e;
//               ^^ E0106 invalid number `1e`
// CASE integer_too_large
static uint a = 18446744073709551616;
//              ^^^^^^^^^^^^^^^^^^^^ E0107 integer literal `18446744073709551616` does not fit in 64 bits
// CASE integer_of_33_bits
static uint a = 4294967296;
//              ^^^^^^^^^^ W0667 4294967296 becomes 0 as `uint`
// CASE integer_separators
static uint a = 1'000'000;
//               ^^^^^ E0201 expected `;` or `,`, found `'000'`
// CASE float_too_large
static float a = 1e40;
//               ^^^^ W0662 1e40 becomes inf as `float`
// CASE half_too_large -enable-16bit-types
static half a = 70000.0;
//              ^^^^^^^ W0662 70000.0 becomes inf as `float16_t`
// CASE unknown_escape
string s = "a\q";
//         ^^^^^ W0110 unknown escape sequence: the backslash has no effect
float f() { return '\c' + '\e' + '\x41'; }
//                 ^^^^ W0110 unknown escape sequence: the backslash has no effect
// CASE escape_without_number
string s = "a\x";
//         ^^^^^ E0108 invalid escape sequence in a string literal
// CASE fraction_to_int
static int a = 1.5;
//             ^^^ W0303 1.5 becomes 1 as `int`
// CASE float_of_24_bits
float f() { return 1.0f24; }
//                 ^^^^^^ E0106 invalid number `1.0f24`
// CASE suffix_of_16_bits -Whlsl-extension
float f() { return 1.0f16; }
//                 ^^^^^^ E0106 the suffix `f16` needs -enable-16bit-types
// = note: `h` is a suffix in any case
// CASE suffix_of_16_bits_202x -HV 2029 errors=2
float f() { return 1.0f16 + 2.F16; }
//                 ^^^^^^ E0106 the suffix `f16` needs -enable-16bit-types
// = note: `h` is a suffix in any case
//                          ^^^^^ E0106 the suffix `F16` needs -enable-16bit-types
// = note: `h` is a suffix in any case
// CASE suffixes_of_newer_versions -enable-16bit-types
float f() { return 1.0f16 + 2.F32 + 1e3f32 + 4.0f64; }
//                 ^^^^^^ W0312 the suffix `f16` is an extension before HLSL 202x
// = note: use -HV 202x
//                          ^^^^^ W0312 the suffix `F32` is an extension before HLSL 202x
// = note: use -HV 202x
//                                  ^^^^^^ W0312 the suffix `f32` is an extension before HLSL 202x
// = note: use -HV 202x
//                                           ^^^^^^ W0312 the suffix `f64` is an extension before HLSL 202x
// = note: use -HV 202x
// CASE numbers_and_members
float f() { return 1.xx.z + 1.5.xyz.x + 1.2.3; }
//                                      ^^^^^ E0106 invalid number `1.2.3`
// CASE infinity_of_another_digit
float f() { return 0.#INF; }
//                 ^^^^^^ E0106 invalid number `0.#INF`
