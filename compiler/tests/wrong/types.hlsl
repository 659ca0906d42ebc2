//! Types: conversions, casts, declarations that no type can have.

// CASE primitives_of_parameters errors=4 -T lib_6_6
struct V { float a; };
void f(triangle point V i) {}
//              ^^^^^ E0311 `triangle` and `point` are mutually exclusive
void g(uniform line V i) {}
//             ^^^^ E0311 `uniform` and `line` are mutually exclusive
void h(nointerpolation point V i) {}
//                     ^^^^^ E0311 `nointerpolation` and `point` are mutually exclusive
string text() { return "a"; }
// @1 E0307 a function cannot return `string`
// CASE lists_of_values -T cs_6_0 -E main
RWBuffer<float2> o;
float2 f() { return { 1, 2 }; }
//                  ^^^^^^^^ W0312 lists of values in assignments and after `return` are an extension: other compilers of HLSL refuse them
[numthreads(1, 1, 1)] void main() { float a[2]; a = { 3, 4 }; o[0] = f() + a[1]; }
//                                                  ^^^^^^^^ W0312 lists of values in assignments and after `return` are an extension: other compilers of HLSL refuse them
// CASE no_conversion
struct S { float a; };
float f(S s) { return s; }
//                    ^ E0312 there is no implicit conversion from `S` to `float`
// CASE struct_from_scalar
struct S { float a; };
void f() { S s = 1; }
//               ^ E0312 there is no implicit conversion from `literal int` to `S`
// CASE bad_cast
struct A { float a; }; struct B { float4 b[2]; };
B f(A a) { return (B)a; }
//                ^^^^ E0323 `A` cannot be cast to `B`
// CASE cast_of_a_texture
Texture2D<float4> T;
float f() { return (float)T; }
//                 ^^^^^^^^ E0323 `Texture2D<float4>` cannot be cast to `float`
// CASE wider_vector
float4 f(float3 a) { return a; }
//                          ^ E0312 there is no implicit conversion from `float3` to `float4`
// = note: a constructor such as `float4(…)` adds the missing components
// CASE matrix_shapes
float3x3 f(float2x4 a) { return a; }
//                              ^ E0312 there is no implicit conversion from `float2x4` to `float3x3`
// CASE vector_from_matrix
float3 f(float3x3 m) { return m; }
//                            ^ E0312 there is no implicit conversion from `float3x3` to `float3`
// CASE void_variable
void f() { void x; }
//              ^ E0307 a variable cannot be of type `void`
// CASE void_parameter
void f(void x) { }
//     ^^^^^^ E0307 a variable cannot be of type `void`
// CASE void_value
void g() { }
float f() { return g(); }
//                 ^^^ E0312 there is no implicit conversion from `void` to `float`
// CASE void_array
static void x[4];
//           ^^^ E0310 an array of `void` is not allowed
// CASE array_returned
float[4] f() { float a[4] = { 1, 2, 3, 4 }; return a; }
//   ^ E0201 expected a name or `;`, found `[`
// = note: the size of an array follows the name: `float a[4]`
// CASE array_sizes_differ
void f(float a[3]) { float b[4] = a; }
//                                ^ E0312 there is no implicit conversion from `float[3]` to `float[4]`
// CASE array_too_small
Texture2D<float> a[0];
//                 ^ E0310 invalid array size 0
// CASE array_of_nothing_in_a_constant_buffer
cbuffer C { float a[0]; float b; };
//                ^ E0310 invalid array size 0
// CASE array_size_negative
static float a[-3];
//             ^^ E0310 invalid array size -3
// CASE array_size_not_constant
void f(int n) { float a[n]; }
//                      ^ E0324 expected a constant expression
// CASE array_size_of_float
void f() { float a[2.5]; }
//                 ^^^ E0324 expected a constant integer, found `literal float`
// CASE array_size_missing
void f() { float a[]; }
//                ^^ E0310 missing array size
// = note: only the first dimension of resources and of variables with an initialiser can be unsized
// CASE inner_array_size_missing
void f(float a[2][]) { }
//               ^^ E0310 missing array size
// = note: only the first dimension of resources and of variables with an initialiser can be unsized
// CASE recursive_type
struct Node { float a; Node next; };
//                          ^^^^ E0307 incomplete type `Node`
// CASE mutually_recursive_types
struct B;
struct A { B b; };
//           ^ E0307 incomplete type `B`
struct B { A a; };
// CASE incomplete_type
struct A;
void f() { A a; }
//           ^ E0307 incomplete type `A`
// CASE pointer
void f(float* a) { }
//     ^^^^^ E0308 HLSL does not have pointers
// CASE pointer_variable errors=2
void f() { float a = 1; float *p = &a; }
//                      ^^^^^ E0308 HLSL does not have pointers
//                                 ^^ E0308 HLSL does not have addresses
// CASE address
float f(float a) { return &a; }
//                        ^^ E0308 HLSL does not have addresses
// CASE dereference
float f(float a) { return *a; }
//                        ^^ E0308 HLSL does not have dereferencing of pointers
// CASE reference
void f(float& a) { a = 1; }
//     ^^^^^ E0308 HLSL does not have references
// CASE rvalue_reference
void f(float&& a) { }
//          ^^ E0201 expected a name, `)`, `[` or others, found `&&`
// CASE union
union U { float f; uint u; };
// @1 E0308 HLSL does not have unions
// CASE auto
void f() { auto x = 1; }
//         ^^^^ W0312 `auto` is an extension before HLSL 202x
// = note: use -HV 202x
// CASE nullptr
void f() { int x = nullptr; }
//                 ^^^^^^^ E0301 use of undeclared identifier `nullptr`
// = note: HLSL has no pointers
// CASE new
void f() { float x = new float; }
//                   ^^^ E0338 HLSL does not have `new`: there is no memory to allocate
// CASE delete
void f(float x) { delete x; }
//                ^^^^^^ E0338 HLSL does not have `delete`: there is no memory to free
// CASE lambda
void f() { float x = [](float a) { return a; }(1); }
//                   ^ E0338 HLSL does not have lambdas
// CASE constructor
struct S { float a; S(float x) { a = x; } };
//                  ^ E0209 HLSL has no constructors and no destructors
// = note: initialise with `= { … }`, or write a function that returns the struct
// CASE destructor
struct S { float a; ~S() { } };
//                   ^ E0209 HLSL has no constructors and no destructors
// = note: initialise with `= { … }`, or write a function that returns the struct
// CASE constructor_called
struct S { float a; float b; };
S f() { return S(1, 2); }
//             ^ E0316 `S` has no constructor
// = note: structures and arrays are initialised by a list in braces
// CASE virtual_method
struct S { virtual float g() { return 1; } };
//         ^^^^^^^ E0338 HLSL does not have virtual methods: calls are resolved at compile time
// CASE friend_declaration
struct T { float a; };
struct S { friend T; };
//         ^^^^^^ E0338 HLSL does not have `friend`
// CASE try_catch errors=2
void f() { try { } catch (int e) { } }
//         ^^^ E0338 HLSL does not have exceptions
//                            ^ E0201 expected `(`, found `e`
// CASE throw
void f() { throw 1; }
//         ^^^^^ E0338 HLSL does not have exceptions
// CASE dynamic_cast
float f(float a) { return static_cast<float>(a); }
//                        ^^^^^^^^^^^ E0301 use of undeclared identifier `static_cast`
// = note: a cast is written `(T)x` or `T(x)`; `asuint`, `asfloat` and their like reinterpret bits
// CASE sizeof_of_a_resource
Texture2D<float4> T;
uint f() { return sizeof(T); }
//                ^^^^^^^^^ E0307 `Texture2D<float4>` has no size
// CASE typeid
int f() { return typeid(float); }
//                           ^ E0201 expected `(`, found `)`
// CASE member_initialiser
struct S { float a = 1; };
//                   ^ E0328 members of structures cannot have initialisers
// CASE string_variable
void f() { string s = "a"; float x = s; }
//                ^ E0307 a variable of type `string` is not allowed here
// CASE vector_too_long
typedef vector<float, 9> V;
//      ^^^^^^^^^^^^^^^^ E0309 a dimension of `vector` must be 1 to 4, found 9
// CASE too_long_vector -T lib_6_9
typedef vector<float, 1024> V;
typedef vector<float, 1025> W;
//      ^^^^^^^^^^^^^^^^^^^ E0309 a dimension of `vector` must be 1 to 1024, found 1025
// CASE empty_vector -T lib_6_9
typedef vector<float, 0> W;
//      ^^^^^^^^^^^^^^^^ E0309 a dimension of `vector` must be 1 to 1024, found 0
// CASE vector_of_struct
struct S { float a; };
typedef vector<S, 3> V;
//      ^^^^^^^^^^^^ E0309 the components of a `vector` must be scalars, found `S`
// CASE matrix_too_large
typedef matrix<float, 5, 4> M;
//      ^^^^^^^^^^^^^^^^^^^ E0309 a dimension of `matrix` must be 1 to 4, found 5
// CASE template_arguments_of_a_plain_type
typedef float<3> V;
//           ^ E0201 expected a name, found `<`
// CASE texture_of_struct
struct S { float4 a; float4 b; };
Texture2D<S> T;
// @1 E0503 `Texture2D` cannot hold `S`
// = note: a texel is a scalar or vector of numbers of at most 16 bytes
// CASE constant_buffer_of_scalar
ConstantBuffer<float> C;
// @1 E0503 `ConstantBuffer` requires a structure, found `float`
// CASE structured_buffer_of_texture
StructuredBuffer<Texture2D> B;
// @1 E0503 `StructuredBuffer` cannot hold `Texture2D<float4>`
// = note: elements consist of numbers
// CASE row_major_scalar
row_major float a;
// @1 E0311 row and column packing applies to matrices, found `float`
// CASE contradicting_specifiers
row_major column_major float4x4 a;
//        ^^^^^^^^^^^^ E0311 `row_major` and `column_major` are mutually exclusive
// CASE unsigned_float
unsigned float a;
//             ^ E0201 expected `(`, `[`, `;` or others, found `a`
// = note: `unsigned` is not a specifier, and no macro of that name is defined
// CASE inherited_from_scalar
struct S : float { float a; };
//         ^^^^^ E0331 `float` cannot be a base type
// = here: only structures, classes and interfaces can be base types
// CASE inherited_from_unknown
struct S : Base { float a; };
//         ^^^^ E0301 unknown type name `Base`
// CASE two_bases
struct A { float a; }; struct B { float b; };
struct S : A, B { float c; };
//            ^ E0331 `B` cannot be a base type
// = here: only one base type can be a structure; the others must be interfaces
// CASE interface_variable
interface I { float g(); };
void f() { I i; }
//           ^ E0307 a variable cannot have the interface type `I`
// CASE enum_of_float
enum E : float { A };
//       ^^^^^ E0332 the underlying type of an enumeration must be an integer type, found `float`
// CASE enum_value_too_large
enum E : uint { A = 4294967296 };
//              ^ E0332 the value 4294967296 of `A` does not fit in `uint`
// CASE enum_from_int
enum class E { A, B };
E f() { return 1; }
//             ^ E0312 there is no implicit conversion from `literal int` to `E`
// = note: a cast converts between enumerations and numbers
// CASE bit_field_of_float
struct S { float a : 4; };
//                   ^ E0337 a bit-field must have an integer type, found `float`
// CASE bit_field_too_wide
struct S { uint a : 33; };
//                  ^^ E0337 the width of this bit-field must be 1 to 32, found 33
// CASE bit_field_of_the_class
struct S { static uint a : 4; };
//                     ^ E0337 a static member cannot be a bit-field
// CASE bit_field_in_old_language -HV 2018
struct S { uint a : 3; };
//                  ^ E0337 bit-fields require HLSL 2021
// = note: use -HV 2021
// CASE operator_in_old_language -HV 2018
struct S { float a; S operator+(S o) { return o; } };
//                    ^^^^^^^^^ E0336 operator overloading requires HLSL 2021
// = note: use -HV 2021
// CASE operator_of_numbers
float operator+(float a, float b) { return a; }
//    ^^^^^^^^^ E0336 overloaded `operator+` requires an operand of structure type
// CASE operator_that_cannot_be
struct S { float a; float operator->() { return a; } };
//                                ^^ E0201 expected `,`, found `->`
// CASE operator_with_wrong_parameters
struct S { float a; S operator*(S a, S b, S c) { return a; } };
//                    ^^^^^^^^^ E0336 `operator*` has the wrong number of parameters
// CASE float_of_64_bits_in_old_model -T lib_6_3
half f() { float16_t a = 1; return a; }
//         ^^^^^^^^^ E0604 `float16_t` needs -enable-16bit-types and shader model 6.2
// = note: `min16float`, `min16int` and `min16uint` work without
// CASE native_16_bit_not_enabled
int16_t f() { return 1; }
// @1 E0604 `int16_t` needs -enable-16bit-types and shader model 6.2
// = note: `min16float`, `min16int` and `min16uint` work without
// CASE nested_too_deeply
typedef vector<vector<float, 2>, 2> V;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0309 the components of a `vector` must be scalars, found `float2`
// CASE struct_in_condition
struct S { float a; };
float f(S s) { if (s) return 1; return 0; }
//                 ^ E0319 a condition must be a scalar, found `S`
// CASE object_as_argument
Texture2D<float4> T;
float g(float a) { return a; }
float f() { return g(T); }
//                   ^ E0313 argument 1 of `g` is `Texture2D<float4>`, expected `float`
// = 2:7: note: candidate: float g(float)
// CASE bit_field_with_a_semantic
struct S { uint a : 8 : SV_GroupIndex; };
//                      ^^^^^^^^^^^^^ E0337 a bit-field has no semantic
// CASE anonymous_structure_outside_of_a_structure
struct { float a; };
// @1 E0338 a structure without a name and a variable must be a member of a structure
// CASE anonymous_structure_in_a_function
float f() { struct { float a; }; return 0; }
//          ^^^^^^^^^^^^^^^^^^^ E0338 a structure without a name and a variable must be a member of a structure
// CASE anonymous_structure_with_a_method errors=2
struct S { struct { float a; float f() { return a; } }; };
//                           ^^^^^^^^^^^^^^^^^^^^^^^ E0338 a structure without a name and a variable can only have member variables that are not static
float f(S s) { return s.f(); }
//                      ^ E0302 no member named `f` in `S`
// CASE anonymous_structure_with_a_static_member
struct S { struct { float a; static const float b = 1; }; };
//                           ^^^^^^^^^^^^^^^^^^^^^^^^ E0338 a structure without a name and a variable can only have member variables that are not static
// CASE anonymous_structure_with_types errors=2
struct S { struct { struct T { float a; }; typedef int U; }; };
//                  ^^^^^^^^^^^^^^^^^^^^^ E0338 a structure without a name and a variable can only have member variables that are not static
//                                         ^^^^^^^^^^^^^^ E0338 a structure without a name and a variable can only have member variables that are not static
//                                         ^^^^^^^^^^^^^^ W0312 typedefs in structures are an extension: other compilers of HLSL refuse them
// CASE member_of_an_anonymous_structure_declared_twice
struct S { float a; struct { float b; float a; }; };
//                                          ^ E0304 redeclaration of `a` in the same scope
// = 1:18: note: previously declared here
// CASE member_of_a_named_structure_inside
struct S { float a; struct T { float b; }; };
float f(S s) { return s.b; }
//                      ^ E0302 no member named `b` in `S`
// CASE static_variable_of_an_array_without_a_size
typedef float R[];
static R a;
//       ^ E0310 missing array size
// = note: only the first dimension of resources and of variables with an initialiser can be unsized
// CASE variable_of_an_array_without_a_size
typedef float R[];
float f() { R a; return 0; }
//            ^ E0310 missing array size
// = note: only the first dimension of resources and of variables with an initialiser can be unsized
// CASE member_of_an_array_without_a_size
typedef float R[];
struct S { R a; };
//           ^ E0310 missing array size
// = note: only the first dimension of resources and of variables with an initialiser can be unsized
// CASE array_of_arrays_without_a_size
typedef float R[];
static const R a[2] = { { 1 }, { 2 } };
//             ^ E0310 missing array size
// = note: only the first dimension of resources and of variables with an initialiser can be unsized
// CASE size_of_an_array_without_a_size
typedef float R[];
uint f() { return sizeof(R); }
//                ^^^^^^^^^ E0307 `float[]` has no size
// CASE result_that_is_an_array_without_a_size
typedef float R[];
R f();
// @1 E0307 a function cannot return such an array
// = note: its size must be known, and its elements must be numbers, structures of numbers or resources
// CASE called_with_an_array_without_a_size
uint second(uint u[]) { return u[1]; }
//          ^^^^^^^^ E0310 missing array size
// = note: only the first dimension of resources and of variables with an initialiser can be unsized
[shader("raygeneration")] void Main() { uint q[2] = { 1, 2 }; second(q); }
// CASE instance_that_is_never_defined
template<typename T> struct W;
float g(W<float> w);
float f() { W<float> w; return 0; }
//                   ^ E0307 incomplete type `W<float>`
// CASE base_that_is_an_instance_without_definition
template<typename T> struct W;
struct D : W<float> { float a; };
//         ^^^^^^^^ E0307 incomplete type `W<float>`
// CASE unsigned_of_a_float
unsigned float3 f() { return 1; }
//                  ^^^^^^^^^^^^^ W0201 state blocks of the effects framework are ignored
//              ^ E0201 expected `(`, `[`, `;` or others, found `f`
// = note: `unsigned` is not a specifier, and no macro of that name is defined
// CASE normalised_integers
RWBuffer<snorm int> b;
//       ^^^^^ E0311 `unorm` and `snorm` apply to floating-point types, found `int`
unorm float4 fine() { return 1; }
// CASE volatile_variable
float f() { volatile float v = 1; return v; }
//          ^^^^^^^^ E0338 HLSL does not have `volatile`
// CASE cast_of_two_rows_to_a_vector
float2 f(float2x2 m) { return (float2)m; }
//                            ^^^^^^^^^ E0323 `float2x2` cannot be cast to `float2`
float4 i(float2x2 m, float1x3 r) { return (float4)m + ((float2)r).xyxy + (float)m; }
// CASE cast_to_other_rows_and_columns
float3x2 g(float2x3 m) { return (float3x2)m; }
//                              ^^^^^^^^^^^ E0323 `float2x3` cannot be cast to `float3x2`
// CASE cast_of_a_vector_to_an_enumeration
enum E { First };
E h(float4 v) { return (E)v; }
//                     ^^^^ E0323 `float4` cannot be cast to `E`
// CASE scoped_enumeration_is_no_number errors=6
enum class E { A, B };
uint f(E e, float a[2]) { bool b = e < E::B; b = e && true; if (e) return 1; while (!e) {} return e ? 1 : a[e]; }
//                                 ^^^^^^^^ E0318 invalid operands of `<`: `E` and `E`
// = 2:36: note: this is `E`
// = 2:40: note: this is `E`
//                                               ^^^^^^^^^ E0318 invalid operands of `&&`: `E` and `bool`
// = 2:50: note: this is `E`
// = 2:55: note: this is `bool`
//                                                              ^ E0319 a condition must be a scalar, found `E`
//                                                                                  ^^ E0318 invalid operand of `!`: `E`
//                                                                                                          ^ E0320 an index must be an integer, found `E`
//                                                                                                ^ E0319 a condition must be a scalar, found `E`
// CASE scoped_enumerations_compare errors=0
enum class E { A, B }; enum U { C, D };
bool f(E e, U u, float a[2]) { return e == E::B || e != E::A || u < D || u && C || a[u] > 0 || (u ? true : false); }
//                                                                       ^^^^^^ W0665 `&&` inside of `||` is evaluated first
// = note: use parentheses to silence this warning
// CASE enumerator_after_the_last
enum Id : uint { None = -1, First };
//                          ^^^^^ E0332 the value 4294967296 of `First` does not fit in `uint`
// CASE enumeration_in_2016 -HV 2016
enum E { A };
//   ^ W0312 `enum` is an extension before HLSL 2017
// = note: use -HV 2017
float f() { return A; }
// CASE namespaces_of_several_names
namespace a::b { float x() { return 1; } }
//        ^ W0312 namespaces of several names are an extension: other compilers of HLSL refuse them
namespace a { namespace c { float y() { return 1; } } }
float f() { return a::b::x() + a::c::y(); }
// CASE static_members_with_initialisers
struct S { static float a = 1; static const float2 b = 2; static const int c[1] = { 3 }; static const float d = 4; static const uint e = 5; };
//                      ^ W0312 initialisers of static members, in the structure and of other types than constant numbers, are an extension: other compilers of HLSL refuse them
//                                                 ^ W0312 initialisers of static members, in the structure and of other types than constant numbers, are an extension: other compilers of HLSL refuse them
//                                                                         ^ W0312 initialisers of static members, in the structure and of other types than constant numbers, are an extension: other compilers of HLSL refuse them
float f() { return S::a + S::b.x + S::c[0] + S::d + S::e; }
// CASE const_and_inout errors=1
float f(const inout float a) { a = 3; return a; }
//                             ^ E0317 cannot assign to: this is a constant
// CASE remainder_of_doubles errors=3
double f(double d) { double2 v = double2(d, d) % 2; d %= 3; return 2 % d + v.x; }
//                               ^^^^^^^^^^^^^^^^^ E0318 `double` has no remainder
// = note: no device computes it: convert the operands to `float`
//                                                  ^^^^^^ E0318 `double` has no remainder
// = note: no device computes it: convert the operands to `float`
//                                                                 ^^^^^ E0318 `double` has no remainder
// = note: no device computes it: convert the operands to `float`
// CASE shift_by_fractions errors=3
int f(int i, float a, int2 v) { i <<= a; i >>= 1.0; v <<= float2(a, a); return i + v.x; }
//                              ^^^^^^^ E0318 invalid operands of `<<=`: `int` and `float`
// = 1:33: note: this is `int`
// = 1:39: note: this is `float`
//                                       ^^^^^^^^^ E0318 invalid operands of `>>=`: `int` and `literal float`
// = 1:42: note: this is `int`
// = 1:48: note: this is `literal float`
//                                                  ^^^^^^^^^^^^^^^^^^ E0318 invalid operands of `<<=`: `int2` and `float2`
// = 1:53: note: this is `int2`
// = 1:59: note: this is `float2`
// CASE constant_member
struct S { const float a; static const float b = 2; };
//         ^^^^^ E0311 `const` is not allowed on a member
float f(S s) { return s.a + S::b; }
// CASE specialisation_for_any_argument
template<typename T> struct A { T v; };
template<typename T> struct A<T> { T w; };
//                          ^ E0333 this partial specialisation of `A` is for any arguments
// = note: without arguments after its name it is the template itself
float f() { A<float> a; a.v = 1; return a.v; }
// CASE template_parameter_without_default
template<typename A, typename B = float, typename C> struct S { A a; };
//                                       ^^^^^^^^^^ E0335 missing default argument after a parameter with one
// CASE exports_that_nothing_can_name errors=3
export static float f() { return 1; }
// @1 E0311 `static` and `export` are mutually exclusive
template<typename T> export T g(T a) { return a; }
//                   ^^^^^^ E0311 `export` is not allowed on a template
struct S { export float h() { return 1; } };
//         ^^^^^^ E0311 `export` is not allowed on a method
export float i(S s) { return s.h() + f() + g(1.0f); }
// CASE access_specifier errors=2
class A {
public: int x;
// @1 E0338 HLSL has no access specifiers such as `public`
// = note: everything in a class is public: leave it out
private: int y;
// @1 E0338 HLSL has no access specifiers such as `private`
// = note: everything in a class is public: leave it out
};
// CASE access_specifier_of_a_base
struct B { int x; };
class A : public B { int y; };
//        ^^^^^^ E0338 HLSL has no access specifiers such as `public`
// = note: everything in a class is public: leave it out
// CASE interpolation_of_a_global_variable
linear float x;
// @1 E0311 `linear` is not allowed on a variable
// CASE interpolation_of_a_local_variable
void f() { nointerpolation float x = 1; }
//         ^^^^^^^^^^^^^^^ E0311 `nointerpolation` is not allowed on a local variable
// CASE passing_repeated errors=5
void f(in in int x) { }
//        ^^ E0311 `in` repeats how the parameter is passed
void g(inout inout int x) { x = 1; }
//           ^^^^^ E0311 `inout` repeats how the parameter is passed
void h(in inout int x) { }
//        ^^^^^ E0311 `inout` repeats how the parameter is passed
void i(out inout int x) { x = 1; }
//         ^^^^^ E0311 `inout` repeats how the parameter is passed
void j(in out int x) { }
void k(out out int x) { x = 1; }
//         ^^^ E0311 `out` repeats how the parameter is passed
// CASE passing_of_a_uniform
void f(uniform out int x) { x = 1; }
//             ^^^ E0311 `uniform` and `out` are mutually exclusive
// CASE contradicting_interpolation_of_a_member
struct S { linear nointerpolation float x; };
//                ^^^^^^^^^^^^^^^ E0674 `nointerpolation` excludes other interpolation modifiers
// CASE modifiers_of_functions errors=4
uniform int f() { return 1; }
// @1 E0311 `uniform` is not allowed on a function
in int g() { return 1; }
// @1 E0311 `in` is not allowed on a function
groupshared int h() { return 1; }
// @1 E0311 `groupshared` is not allowed on a function
struct S { uniform int f() { return 1; } };
//         ^^^^^^^ E0311 `uniform` is not allowed on a method
// CASE modifiers_of_static_members errors=2
struct S { static groupshared int x; static uniform int y; };
//                ^^^^^^^^^^^ E0311 `groupshared` is not allowed on a static member
//                                          ^^^^^^^ E0311 `uniform` is not allowed on a static member
// CASE members_of_interfaces errors=4
interface I {
int x;
// @1 E0311 interfaces have no variables: only methods that their classes define
static const int y = 1;
// @1 E0311 interfaces have no variables: only methods that their classes define
enum E { A };
struct T { int y; };
// @1 E0311 interfaces have no classes: only methods that their classes define
static int f();
// @1 E0311 interfaces have no static methods: only methods that their classes define
int g();
};
// CASE base_of_an_interface
interface I { int f(); };
interface J : I { int g(); };
//            ^ W0312 bases of interfaces are an extension: other compilers of HLSL refuse them
// CASE specialisation_twice
template<typename T> struct S { T a; };
template<> struct S<int> { int b; };
template<> struct S<int> { int c; };
//                ^ E0304 redefinition of `S`
// = 2:1: note: previously declared here
// CASE partial_specialisation_twice
template<typename T> struct S { T a; };
template<typename T> struct S<vector<T, 2> > { T b; };
template<typename U> struct S<vector<U, 2> > { U c; };
//                          ^ E0304 redefinition of `S`
// = 2:1: note: previously declared here
// CASE specialisation_for_a_computed_number
template<uint A, uint B> struct S { };
template<uint A> struct S<A, 2 * A> { };
//                           ^^^^^ E0333 an argument of a specialisation cannot be computed from its parameters
// = note: make it a parameter of its own, or a condition: `typename enable_if<…>::type`
// CASE function_template_twice
template<typename T> T f(T a) { return a; }
template<typename T> T f(T a, T b) { return b; }
template<uint N> uint f(uint a) { return N; }
template<typename U> U f(U b) { return b; }
//                     ^ E0304 redefinition of `f`
// = 1:24: note: previously declared here
// CASE template_parameter_twice
template<typename T, typename T> struct S { };
//                            ^ E0304 redefinition of `T`
// = 1:10: note: previously declared here
// CASE hidden_template_parameters errors=6
template<typename T> void f(T T) { }
//                            ^ E0304 `T` is a template parameter and cannot be declared again in the template
// = 1:10: note: the parameter is declared here
template<typename T> void g() { int T = 1; }
//                                  ^ E0304 `T` is a template parameter and cannot be declared again in the template
// = 2:10: note: the parameter is declared here
template<int N> void h() { for (int N = 0; N < 2; ++N) { } }
//                                  ^ E0304 `N` is a template parameter and cannot be declared again in the template
// = 3:10: note: the parameter is declared here
template<typename T> struct S { int T; };
//                                  ^ E0304 `T` is a template parameter and cannot be declared again in the template
// = 4:10: note: the parameter is declared here
template<typename T> struct R { T f(int T) { return 1; } };
//                                      ^ E0304 `T` is a template parameter and cannot be declared again in the template
// = 5:10: note: the parameter is declared here
template<typename T> struct T { };
//                          ^ E0304 `T` is a template parameter and cannot be declared again in the template
// = 6:10: note: the parameter is declared here
// CASE template_parameter_of_a_float
template<float F> struct S { };
//       ^^^^^ W0312 template parameters of type `float` are an extension: other compilers of HLSL refuse them
// CASE template_parameter_of_an_integer
template<uint64_t N, bool B, typename T, T V> struct S { };
uint f() { return u; }
//                ^ E0301 use of undeclared identifier `u`
// CASE pointers_in_templates errors=5
template<typename T> struct S { T* x; T& f(); };
//                              ^ E0308 HLSL does not have pointers
//                                    ^ E0308 HLSL does not have references
template<typename T> struct S<T*> { };
//                            ^ E0308 HLSL does not have pointers
template<typename T> void f(T& x) { }
//                          ^ E0308 HLSL does not have references
template<typename T> T* g();
//                   ^ E0308 HLSL does not have pointers
// CASE enumeration_of_a_vector_of_one_component
enum E { A };
E f(float1 v) { return (E)v; }
//                     ^^^^ E0323 `float1` cannot be cast to `E`
// CASE enumeration_of_a_structure
enum E { A };
struct S { int x; };
E f(S s) { return (E)s; }
//                ^^^^ E0323 `S` cannot be cast to `E`
// CASE scoped_enumeration_as_a_vector
enum class E { A };
float2 f(E e) { return (float2)e; }
//                     ^^^^^^^^^ E0323 `E` cannot be cast to `float2`
// CASE scoped_enumeration_as_a_structure
enum class E { A };
struct S { int x; };
S f(E e) { return (S)e; }
//                ^^^^ E0323 `E` cannot be cast to `S`
// CASE array_element_by_a_vector_of_one_component
int f(int1 n) { int a[3] = { 1, 2, 3 }; return a[n]; }
//                                               ^ E0320 an index must be an integer, found `int1`
// CASE specifier_of_an_alias
typedef nointerpolation float T;
//      ^^^^^^^^^^^^^^^ E0311 `nointerpolation` is not allowed on a type alias
float f() { T x = 1; return x; }
// CASE storage_of_an_alias
typedef static float T;
//      ^^^^^^ E0311 `static` is not allowed on a type alias
float f() { T x = 1; return x; }
// CASE storage_of_a_local_alias
float f() { typedef groupshared float T; T x = 1; return x; }
//                  ^^^^^^^^^^^ E0311 `groupshared` is not allowed on a type alias
// CASE primitive_of_a_variable
point float v;
// @1 E0311 `point` is not allowed on a variable
float f() { return v; }
// CASE primitive_of_a_member
struct S { lineadj float v; };
//         ^^^^^^^ E0311 `lineadj` is not allowed on a member
// CASE interpolation_of_a_buffer_member
cbuffer C { linear float v; }
//          ^^^^^^ E0311 `linear` is not allowed on a member of a constant buffer
float f() { return v; }
// CASE passing_of_a_buffer_member
cbuffer C { inout float v; }
//          ^^^^^ E0311 `inout` is not allowed on a member of a constant buffer
float f() { return v; }
// CASE inline_member_of_a_buffer
cbuffer C { inline float v; }
//          ^^^^^^ E0311 `inline` is not allowed on a member of a constant buffer
float f() { return v; }
// CASE static_buffer
static cbuffer C { float v; }
// @1 E0311 `static` is not allowed on a constant buffer
float f() { return v; }
// CASE interpolation_of_a_method
struct S { centroid float f() { return 1; } };
//         ^^^^^^^^ E0311 `centroid` is not allowed on a method
// CASE shared_parameter
float f(shared float v) { return v; }
//      ^^^^^^ E0311 `shared` is not allowed on a parameter
// CASE register_as_a_storage_class
float f() { register float v = 1; return v; }
//          ^^^^^^^^ E0311 `register` is not allowed on a local variable
// CASE coherence_of_a_number
float f(globallycoherent float v) { return v; }
//      ^^^^^^^^^^^^^^^^ E0311 `globallycoherent` is not allowed on what is not a writable resource
// CASE coherence_of_a_result
globallycoherent float f() { return 1; }
// @1 E0311 `globallycoherent` is not allowed on what is not a writable resource
// CASE constexpr_is_an_extension
constexpr float K = 2;
// @1 W0312 `constexpr` declarations are an extension: other compilers of HLSL refuse them
float f() { return K; }
// CASE choice_of_structures
struct P { float a, b; };
float f(bool c, P p, P q) { P r = c ? p : q; return r.a; }
//                                ^^^^^^^^^ W0312 choices between structures or arrays are an extension: other compilers of HLSL refuse them
// CASE choice_of_arrays
float f(bool c) { float p[2] = { 1, 2 }, q[2] = { 3, 4 }; float r[2] = c ? p : q; return r[0]; }
//                                                                     ^^^^^^^^^ W0312 choices between structures or arrays are an extension: other compilers of HLSL refuse them
// CASE compound_operator
struct P { float a; P operator+=(P o) { a += o.a; return o; } };
//                    ^^^^^^^^^^ W0312 overloaded compound assignments are an extension: other compilers of HLSL refuse them
// CASE base_of_the_language
struct R : RayDesc { float a; };
//         ^^^^^^^ E0331 `RayDesc` cannot be a base type
// = here: the language declares it, and nothing can be added
// CASE base_of_the_language_with_an_interface -T lib_6_6
interface I { float g(); };
struct R : I, BuiltInTriangleIntersectionAttributes { float g() { return 1; } };
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0331 `BuiltInTriangleIntersectionAttributes` cannot be a base type
// = here: the language declares it, and nothing can be added
// CASE size_of_an_incomplete_type
struct R;
uint f() { return sizeof(R); }
//                ^^^^^^^^^ E0307 incomplete type `R`
// CASE size_of_a_type_in_itself
struct R { float a[sizeof(R)]; };
//                 ^^^^^^^^^ E0307 incomplete type `R`
// CASE number_to_a_structure_with_a_texture
struct S { Texture2D t; float a; };
float f() { S s = (S)0; return s.a; }
//                ^^^^ W0312 casts of numbers to structures with objects are an extension: other compilers of HLSL refuse them
// CASE size_from_a_component
static const int2 n = int2(3, 2);
float f() { float b[n.x]; b[0] = 1; return b[0]; }
//                  ^^^ W0312 constants that are parts of vectors, structures or arrays are an extension: other compilers of HLSL refuse them
// CASE label_from_a_component
static const int2 n = int2(3, 2);
float f(int i) { switch (i) { case n.x: return 1; } return 0; }
//                                 ^^^ W0312 constants that are parts of vectors, structures or arrays are an extension: other compilers of HLSL refuse them
// CASE semantic_of_a_local
float f(float x) { float v : COLOR = x; return v; }
//                           ^^^^^ E0311 a local variable has no semantic
// CASE groupshared_extern
groupshared extern float a;
//          ^^^^^^ E0311 `groupshared` and `extern` are mutually exclusive
// CASE several_arguments_of_a_load
ByteAddressBuffer b;
float f() { return b.Load<float, float3>(0); }
//                 ^^^^^^^^^^^^^^^^^^^^^^^^ E0333 `Load` takes one template argument, found 2
// CASE texture_without_a_type
Texture2DMS t;
// @1 E0309 `Texture2DMS` expects 1 to 2 template arguments, found 0
// CASE coherence_lost -T cs_6_0 -E main
globallycoherent RWTexture2D<float> g; RWTexture2D<float> p;
[numthreads(1, 1, 1)] void main(uint2 at : SV_DispatchThreadID) { RWTexture2D<float> l = g; l[at] = 1; }
//                                                                                       ^ W0314 this resource is `globallycoherent`, and what it becomes is not
// = note: each access is as coherent as the variable, parameter or result that it is made through
// CASE coherence_added_to_an_argument -T cs_6_0 -E main
RWTexture2D<float> p;
float rd(globallycoherent RWTexture2D<float> t) { return t[uint2(0, 0)]; }
[numthreads(1, 1, 1)] void main(uint2 at : SV_DispatchThreadID) { p[at] = rd(p); }
//                                                                           ^ W0314 this resource is not `globallycoherent`, and what it becomes is
// = note: each access is as coherent as the variable, parameter or result that it is made through
// CASE coherence_lost_in_a_result -T lib_6_6
globallycoherent RWByteAddressBuffer g[2];
RWByteAddressBuffer get(uint i) { return g[i]; }
//                                       ^^^^ W0314 this resource is `globallycoherent`, and what it becomes is not
// = note: each access is as coherent as the variable, parameter or result that it is made through
// CASE coherence_of_an_array -T lib_6_6
RWByteAddressBuffer g[2];
static globallycoherent RWByteAddressBuffer s[2] = g;
//                                                 ^ W0314 this resource is not `globallycoherent`, and what it becomes is
// = note: each access is as coherent as the variable, parameter or result that it is made through
// CASE coherence_promoted -T lib_6_9
reordercoherent RWByteAddressBuffer g;
globallycoherent RWByteAddressBuffer get() { return g; }
//                                                  ^ W0314 this resource is `reordercoherent` and becomes `globallycoherent`
// = note: each access is as coherent as the variable, parameter or result that it is made through
// CASE narrower_numbers
min16int f(int a) { return a; }
//                         ^ W0302 the conversion from `int` to `min16int` can lose information
// CASE narrower_minimum
min16float f(min16float a) { min10float b = a; return b; }
//                           ^^^^^^^^^^ W0322 `min10float` is promoted to `min16float`
//                                          ^ W0302 the conversion from `min16float` to `min10float` can lose information
// CASE narrower_native -T lib_6_6 -enable-16bit-types
int16_t f(float a) { return a; }
//                          ^ W0302 the conversion from `float` to `int16_t` can lose information
// CASE function_type_as_a_member
template<typename T> struct S { T x; };
//                                ^ E0307 a variable of type `float(int)` is not allowed here
// = 2:13: note: in `S<float(int)>`, needed here
float f() { S<float(int)> s; return s.x(1); }
// CASE function_type_as_a_parameter
typedef float F(int);
float g(F f) { return f(1); }
//      ^^^ E0307 a variable of type `float(int)` is not allowed here
// CASE function_type_as_a_result
typedef float F(int);
F g();
// @1 E0307 a function cannot return `float(int)`
// CASE array_of_functions
typedef float F(int);
typedef F A[3];
//         ^^^ E0310 an array of `float(int)` is not allowed
// CASE size_of_a_function_type
typedef float F(int);
uint f() { return sizeof(F); }
//                ^^^^^^^^^ E0307 `float(int)` has no size
// CASE default_in_a_function_type
template<typename T> struct S { static const int k = 1; };
float f() { return S<float(int = 2)>::k; }
//                                  ^^ E0201 expected `(`, found `::`
// CASE initialiser_of_a_function
typedef float F(int);
F g = 1;
//    ^ E0307 a variable of type `float(int)` is not allowed here
// CASE typedef_in_a_structure
struct S { typedef float T; T v; };
//         ^^^^^^^^^^^^^^^^ W0312 typedefs in structures are an extension: other compilers of HLSL refuse them
float f() { S s; s.v = 1; S::T t = s.v; return t; }
// CASE groupshared_parameter_before_202x
float f(groupshared float a[4]) { return a[1]; }
//      ^^^^^^^^^^^ W0312 a `groupshared` parameter is an extension before HLSL 202x
// = note: use -HV 202x
