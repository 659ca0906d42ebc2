//! Inline SPIR-V that is none: attributes, literals, references, operands, types, and its use where the target is DXIL.

// CASE instruction_twice -T cs_6_6 -E main -spirv
[[vk::ext_instruction(128)]] [[vk::ext_instruction(130)]] uint f(uint a, uint b);
//                             ^^^^^^^^^^^^^^^^^^^^^^^^ E0405 `vk::ext_instruction` is given twice
// = 1:3: note: first given here
[numthreads(1, 1, 1)] void main() {}
// CASE instruction_with_a_body -T cs_6_6 -E main -spirv
[[vk::ext_instruction(128)]] uint f(uint a, uint b) { return a; }
//                                ^ E0405 a function that is an instruction of SPIR-V cannot have a body
// = 1:3: note: the instruction
[numthreads(1, 1, 1)] void main() {}
// CASE instruction_without_an_opcode -T cs_6_6 -E main -spirv
[[vk::ext_instruction]] uint f(uint a, uint b);
// @3 E0405 the attribute `vk::ext_instruction` takes an opcode and optionally the name of an instruction set in quotation marks
[numthreads(1, 1, 1)] void main() {}
// CASE instruction_with_a_negative_opcode -T cs_6_6 -E main -spirv
[[vk::ext_instruction(-1)]] uint f(uint a, uint b);
//                    ^^ E0405 the attribute `vk::ext_instruction` takes an opcode and optionally the name of an instruction set in quotation marks
[numthreads(1, 1, 1)] void main() {}
// CASE instruction_set_that_is_no_text -T cs_6_6 -E main -spirv
[[vk::ext_instruction(1, 2)]] uint f(uint a, uint b);
// @3 E0405 the attribute `vk::ext_instruction` takes an opcode and optionally the name of an instruction set in quotation marks
[numthreads(1, 1, 1)] void main() {}
// CASE literal_and_reference -T cs_6_6 -E main -spirv
[[vk::ext_instruction(61)]] uint f([[vk::ext_literal, vk::ext_reference]] uint a);
//                                                    ^^^^^^^^^^^^^^^^^ E0405 a parameter cannot be both a literal and a reference
// = 1:38: note: a literal
[numthreads(1, 1, 1)] void main() {}
// CASE literal_that_is_no_constant -T cs_6_6 -E main -spirv
static uint Reduce;
[[vk::ext_instruction(342)]] uint f(uint scope, [[vk::ext_literal]] uint operation, uint4 ballot);
[numthreads(1, 1, 1)] void main() { f(3, Reduce, 0); }
//                                       ^^^^^^ E0324 a literal of a SPIR-V instruction must be a scalar that is known when compiling
// CASE reference_to_a_value -T cs_6_6 -E main -spirv
[[vk::ext_instruction(61)]] float4 f([[vk::ext_reference]] float4 p);
[numthreads(1, 1, 1)] void main() { f(float4(0, 0, 0, 1)); }
//                                    ^^^^^^^^^^^^^^^^^^ E0317 the argument of a parameter with `[[vk::ext_reference]]` must be a variable or a part of one
// CASE reference_of_another_type -T cs_6_6 -E main -spirv
[[vk::ext_instruction(61)]] float4 f([[vk::ext_reference]] float4 p);
[numthreads(1, 1, 1)] void main() { uint4 x = 0; f(x); }
//                                                 ^ E0312 a reference to `float4` is required here, and this is a `uint4`
// CASE result_in_a_void_function -T cs_6_6 -E main -spirv
[[vk::ext_instruction(/* OpIAdd */ 128)]] void f(uint a, uint b);
[numthreads(1, 1, 1)] void main() { f(1, 2); }
//                                  ^^^^^^^ E0923 `OpIAdd` has a result, and the function that stands for it returns nothing
// CASE no_result_in_a_function -T cs_6_6 -E main -spirv
[[vk::ext_instruction(/* OpNop */ 0)]] uint f();
[numthreads(1, 1, 1)] void main() { f(); }
//                                  ^^^ E0923 `OpNop` has no result, and the function that stands for it returns something
// CASE operands_missing -T cs_6_6 -E main -spirv
[[vk::ext_instruction(/* OpIAdd */ 128)]] uint f(uint a);
[numthreads(1, 1, 1)] void main() { f(1); }
//                                  ^^^^ E0923 `OpIAdd` takes at least 2 operands, and has 1
// CASE operands_too_many -T cs_6_6 -E main -spirv
[[vk::ext_instruction(/* Sin */ 13, "GLSL.std.450")]] float g(float a, float b);
[numthreads(1, 1, 1)] void main() { g(1, 2); }
//                                  ^^^^^^^ E0923 `Sin of GLSL.std.450` takes at most 1 operands, and has 2
// CASE operand_that_must_be_a_literal -T cs_6_6 -E main -spirv
[[vk::ext_instruction(342)]] uint f(uint scope, uint operation, uint4 ballot);
[numthreads(1, 1, 1)] void main() { f(3, 0, 0); }
//                                  ^^^^^^^^^^ E0923 operand 2 of `OpGroupNonUniformBallotBitCount` is a literal: mark the parameter `[[vk::ext_literal]]`
// CASE operand_that_must_not_be_a_literal -T cs_6_6 -E main -spirv
[[vk::ext_instruction(128)]] uint f(uint a, [[vk::ext_literal]] uint b);
[numthreads(1, 1, 1)] void main() { f(3, 0); }
//                                  ^^^^^^^ E0923 operand 2 of `OpIAdd` is a value, not a literal: leave `[[vk::ext_literal]]` out
// CASE control_flow -T cs_6_6 -E main -spirv
[[vk::ext_instruction(/* OpKill */ 252)]] void f();
[numthreads(1, 1, 1)] void main() { f(); }
//                                  ^^^ E0923 `OpKill` cannot be inline SPIR-V: control flow is the compiler's
// CASE type_as_an_instruction -T cs_6_6 -E main -spirv
[[vk::ext_instruction(/* OpTypeInt */ 21)]] uint g();
[numthreads(1, 1, 1)] void main() { g(); }
//                                  ^^^ E0923 `OpTypeInt` cannot be inline SPIR-V: it declares something of the module
// CASE unknown_instruction -T cs_6_6 -E main -spirv
[[vk::ext_instruction(65000)]] uint f(uint a);
[numthreads(1, 1, 1)] void main() { f(1); }
//                                  ^^^^ W0923 the instruction 65000 is unknown to this compiler: it is emitted as written
// CASE unknown_set -T cs_6_6 -E main -spirv
[[vk::ext_instruction(1, "No.such.set")]] float g(float a);
[numthreads(1, 1, 1)] void main() { g(1); }
//                                  ^^^^ W0923 the instruction set `No.such.set` is unknown to this compiler: it is emitted as written
// CASE no_instruction_of_the_set -T cs_6_6 -E main -spirv
[[vk::ext_instruction(4711, "GLSL.std.450")]] float f(float a);
[numthreads(1, 1, 1)] void main() { f(1); }
//                                  ^^^^ E0923 the instruction set `GLSL.std.450` has no instruction 4711
// CASE instructions_in_dxil -T cs_6_6 -E main
[[vk::ext_instruction(128)]] uint f(uint a, uint b);
[numthreads(1, 1, 1)] void main() { f(1, 2); }
//                                  ^^^^^^^ E0902 `f` is an instruction of SPIR-V: it cannot be compiled to DXIL
// CASE types_in_dxil -T cs_6_6 -E main
vk::BufferPointer<float> p;
// @1 E0902 `vk::BufferPointer` exists in SPIR-V only: it cannot be compiled to DXIL
[numthreads(1, 1, 1)] void main() {}
// CASE capability_that_is_no_number -T cs_6_6 -E main -spirv
[[vk::ext_capability("Int8")]] static uint a;
//                   ^^^^^^ E0324 expected a constant integer, found `string`
[numthreads(1, 1, 1)] void main() {}
// CASE extension_that_is_no_text -T cs_6_6 -E main -spirv
[[vk::ext_extension(4)]] static uint a;
// @3 E0405 the attribute `vk::ext_extension` takes the name of an extension in quotation marks
[numthreads(1, 1, 1)] void main() {}
// CASE two_capabilities -T cs_6_6 -E main -spirv
[[vk::ext_capability(1, 2)]] static uint a;
// @3 E0405 the attribute `vk::ext_capability` takes the number of a capability
[numthreads(1, 1, 1)] void main() {}
// CASE unknown_capability -T cs_6_6 -E main -spirv
[[vk::ext_capability(65000)]]
// @3 W0923 the capability 65000 is unknown to this compiler
[numthreads(1, 1, 1)] void main() {}
// CASE builtin_both -T cs_6_6 -E main -spirv
[[vk::ext_builtin_input(24)]] [[vk::ext_builtin_output(24)]] static const uint3 a;
//                              ^^^^^^^^^^^^^^^^^^^^^^^^^^ E0405 `vk::ext_builtin_output` cannot be used together with another attribute that gives the variable a storage class
// = 1:3: note: the other one
[numthreads(1, 1, 1)] void main() {}
// CASE builtin_that_is_not_const -T cs_6_6 -E main -spirv
[[vk::ext_builtin_input(24)]] static uint3 a;
// @3 E0405 `vk::ext_builtin_input` can only be applied to a `const` variable
[numthreads(1, 1, 1)] void main() {}
// CASE builtin_that_is_not_static -T cs_6_6 -E main -spirv
[[vk::ext_builtin_output(24)]] uint3 a;
// @3 E0405 `vk::ext_builtin_output` can only be applied to a `static` variable
[numthreads(1, 1, 1)] void main() {}
// CASE builtin_redefined -T cs_6_6 -E main -spirv
[[vk::ext_builtin_input(24)]] static const uint3 a;
[[vk::ext_builtin_output(24)]] static uint3 b;
// @3 E0405 built-in variable 24 cannot be declared again as an output
// = 1:50: note: declared here
[numthreads(1, 1, 1)] void main() {}
// CASE no_builtin -T cs_6_6 -E main -spirv
[[vk::ext_builtin_input(999999)]] static const uint3 a;
// @3 E0923 SPIR-V has no such built-in variable
RWByteAddressBuffer o;
[numthreads(1, 1, 1)] void main() { o.Store3(0, a); }
// CASE no_storage_class -T cs_6_6 -E main -spirv
[[vk::ext_storage_class(999999)]] uint3 a;
//                                      ^ E0923 999999 is no storage class that a variable can have here
RWByteAddressBuffer o;
[numthreads(1, 1, 1)] void main() { o.Store3(0, a); }
// CASE no_decoration -T cs_6_6 -E main -spirv
[[vk::ext_decorate(999999)]] groupshared uint a;
// @3 E0923 SPIR-V has no decoration 999999
RWByteAddressBuffer o;
[numthreads(1, 1, 1)] void main() { a = 1; o.Store(0, a); }
// CASE decorated_function -T cs_6_6 -E main -spirv
[[vk::ext_decorate_string(5636, "x")]] uint f(uint x) { return x; }
// @3 E0405 the attribute `vk::ext_decorate_string` applies only to parameters, variables, members and names of types
[numthreads(1, 1, 1)] void main() {}
// CASE no_execution_mode -T cs_6_6 -E main -spirv
[numthreads(1, 1, 1)] void main() { vk::ext_execution_mode(999999); }
//                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0923 SPIR-V has no execution mode 999999
// CASE execution_mode_left_out -T cs_6_6 -E main -spirv
[numthreads(1, 1, 1)] void main() { vk::ext_execution_mode(); }
//                                  ^^^^^^^^^^^^^^^^^^^^^^^^ E0315 the number of an execution mode is missing
// CASE literal_of_no_constant -T cs_6_6 -E main -spirv
typedef vk::SpirvOpaqueType<28, Texture2D, vk::Literal<bool> > Invalid;
//                                         ^^^^^^^^^^^^^^^^^ E0309 the template argument of `vk::Literal` must be a `vk::integral_constant`
[numthreads(1, 1, 1)] void main() {}
// CASE integral_constant_of_a_float -T cs_6_6 -E main -spirv
typedef vk::integral_constant<float, 2> Fraction;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0309 `vk::integral_constant` is of an integer, boolean or enumeration, not of `float`
[numthreads(1, 1, 1)] void main() {}
// CASE no_type -T cs_6_6 -E main -spirv
[[vk::ext_instruction(1)]] vk::SpirvOpaqueType</* OpIAdd */ 128> f();
//                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0923 `OpIAdd` is no type
[numthreads(1, 1, 1)] void main() { f(); }
// CASE type_with_an_odd_alignment -T cs_6_6 -E main -spirv
[[vk::ext_instruction(46)]] vk::SpirvType</* OpTypeInt */ 21, 4, 3> g();
//                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0309 an alignment must be a power of two
[numthreads(1, 1, 1)] void main() {}
// CASE type_without_operands -T cs_6_6 -E main -spirv
[[vk::ext_instruction(46)]] vk::SpirvType</* OpTypeInt */ 21, 4, 4> g();
//                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0923 `OpTypeInt` takes at least 2 operands, and has 0
[numthreads(1, 1, 1)] void main() { g(); }
// CASE type_without_a_place -T cs_6_6 -E main -spirv
vk::SpirvOpaqueType<5341> a;
//                        ^ E0405 a variable of this type requires a place: `[[vk::binding(binding, set)]]`, a register, `[[vk::ext_storage_class(n)]]` or `static`
[numthreads(1, 1, 1)] void main() {}
// CASE type_in_itself -T cs_6_6 -E main -spirv
[[vk::ext_type_def(1, 23)]] void create([[vk::ext_reference]] vk::ext_type<1> t, [[vk::ext_literal]] int n);
[numthreads(1, 1, 1)] void main() { vk::ext_type<1> t; create(t, 4); }
//                                                            ^ E0405 `vk::ext_type<1>` cannot be made of itself
// CASE type_never_defined -T cs_6_6 -E main -spirv
[[vk::ext_instruction(1)]] vk::ext_type<3> f();
//                         ^^^^^^^^^^^^^^^ E0904 a `vk::ext_type` without a function that defines it is not supported yet
[numthreads(1, 1, 1)] void main() { f(); }
// CASE pointer_to_greater_alignment -T cs_6_6 -E main -spirv
struct Base { float a; };
struct Derived : Base { int b; };
cbuffer C { vk::BufferPointer<Derived, 32> d; vk::BufferPointer<int> i; };
[numthreads(1, 1, 1)] void main() { vk::BufferPointer<Base, 64> a = vk::static_pointer_cast<Base, 64>(d); }
//                                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0323 a pointer to a buffer cannot be cast to one with greater alignment
// CASE pointer_to_no_base -T cs_6_6 -E main -spirv
struct Base { float a; };
struct Derived : Base { int b; };
cbuffer C { vk::BufferPointer<Derived, 32> d; vk::BufferPointer<int> i; };
[numthreads(1, 1, 1)] void main() { vk::BufferPointer<float> b = vk::static_pointer_cast<float>(i); }
//                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0323 `vk::static_pointer_cast` goes to a base, and `float` is no base of `int`
// CASE pointer_of_a_number -T cs_6_6 -E main -spirv
[numthreads(1, 1, 1)] void main() { vk::BufferPointer<float> c = vk::reinterpret_pointer_cast<float>(1); }
//                                                                                                   ^ E0323 a `vk::BufferPointer` is required here, found `literal int`
// CASE pointer_of_another_type -T cs_6_6 -E main -spirv
struct Base { float a; };
struct Derived : Base { int b; };
cbuffer C { vk::BufferPointer<Derived, 32> d; vk::BufferPointer<int> i; };
[numthreads(1, 1, 1)] void main() { vk::BufferPointer<float> e = i; }
//                                                               ^ E0312 there is no implicit conversion from `vk::BufferPointer<int>` to `vk::BufferPointer<float>`
// CASE pointer_member -T cs_6_6 -E main -spirv
struct Base { float a; };
struct Derived : Base { int b; };
cbuffer C { vk::BufferPointer<Derived, 32> d; vk::BufferPointer<int> i; };
[numthreads(1, 1, 1)] void main() { i.Set(4); }
//                                    ^^^ E0302 no member named `Set` in `vk::BufferPointer<int>`
// CASE pointer_to_a_texture -T cs_6_6 -E main -spirv
vk::BufferPointer<Texture2D<float4> > p;
// @1 E0309 a `Texture2D<float4>` cannot be in a buffer, so there are no pointers to it
[numthreads(1, 1, 1)] void main() {}
// CASE pointer_with_an_odd_alignment -T cs_6_6 -E main -spirv
vk::BufferPointer<float, 3> q;
// @1 E0309 an alignment must be a power of two
[numthreads(1, 1, 1)] void main() {}
// CASE constant_id_of_another_constant -T cs_6_6 -E main -spirv
[[vk::constant_id(0)]] const int a = 1;
[[vk::constant_id(1)]] const int b = a + 1;
//                                   ^^^^^ E0324 expected a constant expression
[numthreads(1, 1, 1)] void main() {}
// CASE constant_id_of_a_static_variable -T cs_6_6 -E main -spirv
[[vk::constant_id(0)]] static const int a = 1;
// @3 E0405 the attribute `vk::constant_id` takes a number, on a scalar outside of functions that has an initialiser and is not `static`
[numthreads(1, 1, 1)] void main() {}
// CASE constant_id_of_a_local_variable -T cs_6_6 -E main -spirv
[numthreads(1, 1, 1)] void main() { [[vk::constant_id(0)]] const int a = 1; }
//                                    ^^^^^^^^^^^^^^^^^^ E0405 the attribute `vk::constant_id` applies only to scalars outside of functions
// CASE group_operation_that_is_none -T cs_6_6 -E main -spirv
[[vk::ext_instruction(342)]] uint f(uint scope, [[vk::ext_literal]] uint operation, uint4 ballot);
[numthreads(1, 1, 1)] void main() { f(3, 777, 0); }
//                                  ^^^^^^^^^^^^ E0923 operand 2 of `OpGroupNonUniformBallotBitCount` is 777, which is no `GroupOperation`
// CASE function_without_a_body_in_spirv -T cs_6_6 -E main -spirv
[[vk::ext_capability(61)]] uint f(uint a);
[numthreads(1, 1, 1)] void main() { f(3); }
//                                  ^^^^ E0609 `f` is declared but never defined
// = 1:33: note: declared here
// = note: a compute shader cannot call external functions; compile it as a library, and link it with `rtc link -T cs_6_x`
// CASE texel_has_no_pointer -T cs_6_6 -E main -spirv
[[vk::ext_instruction(61)]] float4 f([[vk::ext_reference]] float4 p);
RWTexture2D<float4> t;
[numthreads(1, 1, 1)] void main() { f(t[uint2(0, 0)]); }
//                                    ^^^^^^^^^^^^^^ E0905 this has no pointer in SPIR-V: copy it to a variable first
// CASE buffer_is_no_value -T cs_6_6 -E main -spirv
[[vk::ext_instruction(83)]] uint f(RWStructuredBuffer<uint> p);
RWStructuredBuffer<uint> b;
[numthreads(1, 1, 1)] void main() { f(b); }
//                                  ^^^^ E0923 a buffer is no value of SPIR-V: pass what is in it
// CASE instruction_of_an_object -T cs_6_6 -E main -spirv
struct S { [[vk::ext_instruction(128)]] uint f(uint a, uint b); };
//                                           ^ E0405 a method that is an instruction of SPIR-V must be `static`
// = 1:14: note: the instruction
[numthreads(1, 1, 1)] void main() {}
// CASE reference_by_default -T cs_6_6 -E main -spirv
[[vk::ext_instruction(61)]] float f([[vk::ext_reference]] float p = 1);
//                                                                  ^ E0317 the argument of a parameter with `[[vk::ext_reference]]` must be a variable or a part of one
[numthreads(1, 1, 1)] void main() { f(); }
// CASE access_without_its_alignment -T cs_6_6 -E main -spirv
[[vk::ext_instruction(/* OpLoad */ 61)]] uint f([[vk::ext_reference]] uint p, [[vk::ext_literal]] uint access);
groupshared uint x;
[numthreads(1, 1, 1)] void main() { f(x, /* Aligned */ 2); }
//                                  ^^^^^^^^^^^^^^^^^^^^^ E0923 `OpLoad` takes at least 3 operands, and has 2
// CASE constant_of_another_size -T cs_6_6 -E main -spirv
[[vk::ext_instruction(/* OpConstant */ 43)]] uint64_t f([[vk::ext_literal]] uint n);
RWByteAddressBuffer b;
[numthreads(1, 1, 1)] void main() { b.Store<uint64_t>(0, f(4)); }
//                                                       ^^^^ E0923 the literal of `OpConstant` does not have the size of its type
// CASE payload_that_is_no_variable -T lib_6_6 -spirv
RaytracingAccelerationStructure Scene;
[[vk::ext_instruction(/* OpTraceRayKHR */ 4445)]]
void trace(RaytracingAccelerationStructure scene, uint flags, uint mask, uint offset, uint stride, uint miss, float3 origin,
    float tmin, float3 direction, float tmax, [[vk::ext_reference]] float4 payload);
[shader("raygeneration")] void Main() {
  float4 payload = 0;
  trace(Scene, 0, 0xff, 0, 1, 0, float3(0, 0, 0), 0, float3(0, 1, 0), 100, payload);
// @3 E0923 the last operand must be a whole variable of the storage class of a payload or callable parameter
}
// CASE no_such_scope -T cs_6_0 -E Main -spirv
[[vk::ext_instruction(/* OpAtomicIAdd */ 234)]] uint add([[vk::ext_reference]] uint memory, uint scope, uint semantics, uint value);
RWStructuredBuffer<uint> Out;
[numthreads(1, 1, 1)] void Main() { add(Out[0], 1, 0, 3); add(Out[0], 9, 0, 3); }
//                                                        ^^^^^^^^^^^^^^^^^^^^ E0923 operand 2 of `OpAtomicIAdd` is 9, which is no `Scope`
// CASE no_such_semantics -T cs_6_0 -E Main -spirv
[[vk::ext_instruction(/* OpAtomicIAdd */ 234)]] uint add([[vk::ext_reference]] uint memory, uint scope, uint semantics, uint value);
RWStructuredBuffer<uint> Out;
[numthreads(1, 1, 1)] void Main() { add(Out[0], 1, 1, 3); }
//                                  ^^^^^^^^^^^^^^^^^^^^ E0923 operand 3 of `OpAtomicIAdd` is 1, which is no `MemorySemantics`
// CASE scope_that_is_no_integer -T cs_6_0 -E Main -spirv
[[vk::ext_instruction(/* OpAtomicIAdd */ 234)]] uint add([[vk::ext_reference]] uint memory, float scope, uint semantics, uint value);
RWStructuredBuffer<uint> Out;
[numthreads(1, 1, 1)] void Main() { add(Out[0], 1, 0, 3); }
//                                  ^^^^^^^^^^^^^^^^^^^^ E0923 operand 2 of `OpAtomicIAdd` is a `Scope`, an integer of 32 bits
// CASE push_constant_that_is_a_pointer -T cs_6_6 -E main -spirv
[[vk::push_constant]] vk::BufferPointer<uint> p;
//                                            ^ E0405 `[[vk::push_constant]]` applies to structures, and this is a buffer pointer
// = note: a structure of push constants can have a pointer as its member
[numthreads(1, 1, 1)] void main() {}
// CASE alignment_of_a_load_that_is_no_power_of_two -T cs_6_6 -E main -spirv
struct A { uint64_t at; uint n; }; [[vk::push_constant]] A a; RWByteAddressBuffer o;
[numthreads(1, 1, 1)] void main() { o.Store(0, vk::RawBufferLoad<uint>(a.at, 12)); }
//                                                                           ^^ E0309 an alignment must be a power of two
// CASE alignment_of_a_store_that_is_no_constant -T cs_6_6 -E main -spirv
struct A { uint64_t at; uint n; }; [[vk::push_constant]] A a;
[numthreads(1, 1, 1)] void main() { vk::RawBufferStore<uint>(a.at, 1, a.n); }
//                                                                    ^^^ W0312 constants that are parts of vectors, structures or arrays are an extension: other compilers of HLSL refuse them
//                                                                    ^^^ E0324 expected a constant expression
// CASE atomic_operation_without_its_alignment -T cs_6_6 -E main -spirv
struct A { uint64_t at; }; [[vk::push_constant]] A a;
[numthreads(1, 1, 1)] void main() { uint was; InterlockedAdd(vk::BufferPointer<uint, 2>(a.at).Get(), 1, was); }
//                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0905 an atomic operation on memory that its pointer does not promise to be aligned: name a greater alignment
