//! Invalid programs with one error each: the code and the location of the diagnostic.

use super::*;

macro_rules! corpus {
    ($($name:ident: $source:literal => $($expected:literal),+;)*) => {
        $(#[test] fn $name() { fails($source, &[$($expected),+]); })*
    };
}

corpus! {
    // Names
    undeclared_variable: "float f() { return colour; }" => "1:20 E0301";
    did_you_mean_local: "float f(float weight) { return wieght; }" => "1:32 E0301 `wieght`";
    undeclared_function: "float f() { return nrmalize(1); }" => "1:20 E0301";
    undeclared_type: "floot3 a;" => "1:1 E0301 unknown type name";
    undeclared_in_namespace: "namespace n { float a; } float f() { return n::b; }" => "1:48 E0301 namespace `n`";
    undeclared_namespace: "float f() { return q::b; }" => "1:20 E0301";
    no_such_field: "struct S { float radius; }; float f(S s) { return s.radios; }" => "1:53 E0302";
    no_such_method: "Texture2D t; float4 f() { return t.Fetch(1); }" => "1:36 E0302";
    field_of_number: "float f(float x) { return x.length; }" => "1:29 E0321";
    variable_as_type: "float a; static a b;" => "1:17 E0303";
    function_as_value: "float g() { return 1; } float f() { return g; }" => "1:44 E0305";
    intrinsic_as_value: "float f() { return sin; }" => "1:20 E0305";
    method_as_value: "struct S { float g() { return 1; } }; float f(S s) { return s.g; }" => "1:63 E0305";
    namespace_as_value: "namespace n { } float f() { return n; }" => "1:36 E0305";
    variable_before_colons: "float a; float f() { return a::b; }" => "1:29 E0306";
    redeclared_local: "void f() { int a; float a; }" => "1:25 E0304";
    redeclared_parameter: "void f(int a) { float a; }" => "1:23 E0304";
    redeclared_global: "Texture2D a; SamplerState a;" => "1:27 E0304";
    redeclared_field: "struct S { int a; float a; };" => "1:25 E0304";
    redefined_function: "float f() { return 1; } float f() { return 2; }" => "1:31 E0304";
    redefined_struct: "struct S { int a; }; struct S { int b; };" => "1:29 E0304";
    other_result: "float f(int a); int f(int a);" => "1:21 E0304";
    shadowing_is_fine_but_scope_ends: "void f() { { int a = 1; } a = 2; }" => "1:27 E0301";
    use_before_declaration: "float f() { return g(); } float g() { return 1; }" => "1:20 E0301";
    outside_definition_of_nothing: "struct S { float a; }; float S::g() { return a; }" => "1:33 E0339";
    // Types
    void_variable: "void f() { void a; }" => "1:17 E0307";
    incomplete_variable: "struct S; void f() { S s; }" => "1:24 E0307";
    interface_without_its_method: "interface I { float f(); }; struct S : I { int a; }; void f() { S s; }" => "1:67 E0307";
    method_of_other_parameters: "interface I { float f(int a); }; struct S : I { float f(float a) { return a; } }; void f(S s) { }" => "1:90 E0307";
    method_that_a_derived_class_lacks: "interface I { float f(); }; struct S : I { int a; }; struct T : S { }; void f() { T t; }" => "1:85 E0307";
    opaque_enumeration: "enum E;" => "1:6 E0307";
    unknown_enumeration: "void f() { enum E e; }" => "1:17 E0307";
    field_of_own_type: "struct S { S s; };" => "1:14 E0307";
    array_result: "typedef RayQuery<0> Two[2]; Two f() { RayQuery<0> q[2]; return q; }" => "1:29 E0307";
    heap_as_argument: "template<typename T> void f(T t) { } [shader(\"raygeneration\")] void m() { f(ResourceDescriptorHeap); }" => "1:75 E0313";
    enumerator_beyond_32_bits: "enum E : uint { A = 0x100000000 };" => "1:17 E0332";
    enumerator_beyond_int: "enum class E { A = 0x100000000 };" => "1:16 E0332";
    pointer: "void f(float* p) { }" => "1:8 E0308 pointers";
    reference: "void f(float& p) { }" => "1:8 E0308 references";
    arrow: "struct S { float a; }; float f(S s) { return s->a; }" => "1:47 E0308";
    address_of: "float f(float a) { return &a; }" => "1:27 E0308";
    union_type: "union U { float a; int b; };" => "1:1 E0308 unions";
    vector_too_long: "vector<float, 5> v;" => "1:1 E0309";
    vector_of_struct: "struct S { int a; }; void f() { vector<S, 2> v; }" => "1:33 E0309";
    arguments_of_plain_type: "typedef float3 V; void f() { V<int> s; }" => "1:31 E0201";
    array_of_zero: "Texture2D<float> a[0];" => "1:20 E0310";
    array_of_negative: "void f() { int a[-3]; }" => "1:18 E0310";
    array_of_variable: "void f(int n) { int a[n]; }" => "1:23 E0324";
    array_of_float: "void f() { int a[2.5]; }" => "1:18 E0324";
    open_array: "void f() { int a[]; }" => "1:17 E0310";
    open_inner_dimension: "void f() { int a[2][] = { 1, 2 }; }" => "1:20 E0310";
    both_packings: "row_major column_major float4x4 m;" => "1:11 E0311";
    packing_of_vector: "row_major float4 m;" => "1:1 E0311";
    static_parameter: "void f(static float a) { }" => "1:8 E0311";
    local_groupshared: "void f() { groupshared float a; }" => "1:12 E0311";
    base_is_number: "struct S : float { };" => "1:12 E0331";
    two_bases: "struct A { int a; }; struct B { int b; }; struct C : A, B { };" => "1:57 E0331";
    enum_of_float: "enum E : float { A };" => "1:10 E0332";
    enumerator_too_large: "enum E : uint { A = 4294967296 };" => "1:17 E0332";
    bit_field_of_float: "struct S { float a : 3; };" => "1:22 E0337";
    bit_field_too_wide: "struct S { uint a : 33; };" => "1:21 E0337";
    member_initialiser: "struct S { float a = 1; };" => "1:22 E0328";
    // Conversions
    no_widening_of_vectors: "float4 f(float3 v) { return v; }" => "1:29 E0312";
    struct_to_number: "struct S { float a; }; float f(S s) { return s; }" => "1:46 E0312";
    number_to_struct: "struct S { float a; }; S f() { return 1; }" => "1:39 E0312";
    other_struct: "struct S { float a; }; struct T { float a; }; S f(T t) { return t; }" => "1:65 E0312";
    number_to_enum: "enum E { A }; E f() { return 0; }" => "1:30 E0312";
    scoped_enum_to_number: "enum class E { A }; int f() { return E::A; }" => "1:38 E0312";
    array_to_other_array: "void f(float a[2]) { float b[3] = a; }" => "1:35 E0312";
    resource_to_other: "Texture2D t; void f() { Texture3D u = t; }" => "1:39 E0312";
    void_as_value: "void g() { } float f() { return g(); }" => "1:33 E0312";
    truncation: "float2 f(float4 v) { return v; }" => "1:29 W0301";
    truncation_to_scalar: "float f(float4 v) { return v; }" => "1:28 W0301";
    narrowing: "float f(double d) { return d; }" => "1:28 W0302";
    narrowing_integer: "int f(int64_t d) { return d; }" => "1:27 W0302";
    literal_to_int: "int f() { return 1.5; }" => "1:18 W0303";
    literal_too_large: "uint f() { return 4294967296; }" => "1:19 W0667";
    impossible_cast: "struct S { float a[9]; }; S f(float2 v) { return (S)v; }" => "1:50 E0323";
    cast_of_resource: "Texture2D t; float f() { return (float)t; }" => "1:33 E0323";
    // Operators
    add_structs: "struct S { float a; }; S f(S s) { return s + s; }" => "1:42 E0318";
    shift_float: "float f(float a) { return a << 1; }" => "1:27 E0318";
    complement_float: "float f(float a) { return ~a; }" => "1:27 E0318";
    matrix_plus_vector: "float4 f(float4x4 m, float4 v) { return m + v; }" => "1:41 E0318";
    negate_texture: "Texture2D t; float f() { return -t; }" => "1:33 E0318";
    divide_by_zero: "int f(int a) { return a / 0; }" => "1:23 W0325";
    logical_vectors: "bool2 f(bool2 a) { return a || a; }" => "1:27 E0319";
    conditional_vector: "float2 f(bool2 a) { return a ? 1 : 0; }" => "1:28 E0319";
    condition_vector: "void f(float2 a) { if (a > 1) { } }" => "1:24 E0319";
    condition_struct: "struct S { int a; }; void f(S s) { while (s) { } }" => "1:43 E0319";
    // L-values
    assign_to_value: "float g() { return 1; } void f() { g() = 2; }" => "1:36 E0317 value";
    assign_to_literal: "void f() { 1 = 2; }" => "1:12 E0317";
    assign_to_constant: "static const float3 k = { 1, 2, 3 }; void f() { k.x = 2; }" => "1:49 E0317";
    assign_to_const_local: "void f() { const int a = 1; a = 2; }" => "1:29 E0317";
    assign_to_const_parameter: "void f(const int a) { a++; }" => "1:23 E0317";
    assign_in_const_method: "struct S { float a; void g() const { a = 1; } };" => "1:38 E0317";
    repeated_swizzle: "void f(float4 v) { v.xx = 1; }" => "1:20 E0317 twice";
    out_argument_value: "void g(out float a) { a = 1; } void f() { g(1.0); }" => "1:45 E0317";
    out_argument_constant: "cbuffer C { float k; } void g(inout float a) { a = 1; } void f() { g(k); }" => "1:70 E0317";
    atomic_on_local: "[shader(\"raygeneration\")] void f() { uint a = 0; InterlockedAdd(a, 1); }" => "1:65 E0317";
    // Indexing
    index_number: "float f(float a) { return a[0]; }" => "1:27 E0320";
    index_by_vector: "float f(float4 a, int2 i) { return a[i]; }" => "1:38 E0320";
    index_out_of_range: "float f(float4 a) { return a[4]; }" => "1:30 E0320";
    index_array_out_of_range: "float f(float a[3]) { return a[3]; }" => "1:32 E0320";
    index_negative: "float f(float a[3]) { return a[-1]; }" => "1:32 E0320 -1";
    index_sampler: "SamplerState s; void f() { s[0]; }" => "1:28 E0320";
    too_few_coordinates: "Texture3D<float> t; float f(uint2 p) { return t[p]; }" => "1:49 E0320";
    swizzle_mixed: "float2 f(float4 v) { return v.xg; }" => "1:31 E0321";
    swizzle_missing: "float f(float2 v) { return v.z; }" => "1:30 E0321";
    swizzle_too_long: "float4 f(float4 v) { return v.xyzwx; }" => "1:31 E0321";
    matrix_swizzle_missing: "float f(float2x2 m) { return m._m22; }" => "1:32 E0321";
    // Initialisers
    too_few_values: "void f() { float3 v = { 1, 2 }; }" => "1:23 E0322 too few";
    too_many_values: "struct S { int a, b; }; void f() { S s = { 1, 2, 3 }; }" => "1:42 E0322 too many";
    too_few_in_constructor: "float4 f() { return float4(1, 2, 3); }" => "1:21 E0322";
    too_many_in_constructor: "float2 f(float3 v) { return float2(v, 1); }" => "1:29 E0322";
    struct_constructor: "struct S { int a, b; }; void f() { S s = S(1, 2); }" => "1:42 E0316";
    constant_without_value: "void f() { const float a; }" => "1:24 W0305";
    resource_initialiser: "Texture2D a; Texture2D b = a;" => "1:28 E0328";
    uniform_initialiser: "float scale = 2;" => "1:15 W0307";
    list_as_value: "float f() { float a = 1 + { 2 }; return a; }" => "1:27 E0201";
    // Constants
    case_not_constant: "void f(int a, int b) { switch (a) { case b: break; } }" => "1:42 E0324";
    template_argument_not_constant: "void f(int n) { vector<float, n> v; }" => "1:31 E0324";
    failed_assertion: "_Static_assert(1 + 1 == 3, \"sums\");" => "1:1 E0330 sums";
    // Methods
    this_in_function: "void f() { this; }" => "1:12 E0326";
    this_in_static: "struct S { float a; static float g() { return this.a; } };" => "1:47 E0326";
    field_in_static: "struct S { float a; static float g() { return a; } };" => "1:47 E0327";
    method_without_object: "struct S { float g() { return 1; } }; float f() { return S::g(); }" => "1:58 E0327";
    call_of_number: "float f(float a) { return a(1); }" => "1:27 E0316";
    // Functions
    default_in_the_middle: "void f(int a = 1, int b) { }" => "1:19 E0335";
    default_of_out: "void f(out int a = 1) { a = 1; } void g() { f(); }" => "1:20 E0317";
    operator_of_numbers: "float operator+(float a, float b) { return a; }" => "1:7 E0336";
    operator_with_too_many: "struct S { float a; S operator*(S b, S c) { return b; } };" => "1:23 E0336";
    // Statements
    break_outside: "void f() { break; }" => "1:12 E0401";
    continue_in_switch: "void f(int a) { switch (a) { case 1: continue; } }" => "1:38 E0401";
    case_twice: "void f(int a) { switch (a) { case 1: break; case 0 + 1: break; } }" => "1:50 E0402";
    default_twice: "void f(int a) { switch (a) { default: break; default: break; } }" => "1:46 E0402";
    statement_before_case: "void f(int a) { switch (a) { a = 1; case 1: break; } }" => "1:30 W0310";
    case_outside: "void f(int a) { case 1: a = 2; }" => "1:17 E0402";
    switch_on_float: "void f(float a) { switch (a) { case 1: break; } }" => "1:27 W0311";
    return_value_in_void: "void f() { return 1; }" => "1:19 E0403";
    return_nothing: "float f() { return; }" => "1:13 E0403";
    missing_return: "float f(bool b) { if (b) return 1; }" => "1:7 W0401";
    enumerator_without_label: "enum class E { A, B }; float f(E e) { switch (e) { case E::A: return 1; } }" => "1:30 W0401";
    enumeration_as_number: "enum E { A, B }; float f(E e) { switch ((uint)e) { case A: return 1; case B: return 2; } }" => "1:24 W0401";
    enumerator_that_breaks: "enum E { A, B }; float f(E e) { switch (e) { case A: return 1; case B: break; } }" => "1:24 W0401";
    last_enumerator_may_end: "enum E { A, B }; float f(E e) { switch (e) { case A: return 1; case B: if (e) return 2; } }" => "1:24 W0401";
    subobject_in_function: "void f() { TriangleHitGroup g; }" => "1:29 E0404";
    unroll_of_if: "void f(bool b) { [unroll] if (b) { } }" => "1:19 W0660";
    unroll_and_loop: "void f(int n) { [unroll] [loop] while (n > 0) n--; }" => "1:27 E0405";
    unroll_by_less_than_nothing: "void f(int n) { [unroll(-1)] while (n > 0) n--; }" => "1:25 W0661";
    unknown_attribute: "void f(int n) { [unrol] while (n > 0) n--; }" => "1:18 W0402";
    unused_value: "void f(int n) { n + 1; }" => "1:17 W0304";
    uninitialised: "float f() { float a; float b = a + 1; return b; }" => "1:32 W0305";
    uninitialised_in_loop: "int f(int n) { int sum; sum += n; return sum; }" => "1:25 W0305";
}

#[test]
fn suggestions_come_as_fixits() {
    let r = run("float f(float weight) { return wieght + satrate(weight); }");
    let fixes: Vec<&str> = r.diagnostics.iter().flat_map(|d| &d.fixits).map(|f| f.replacement.as_str()).collect();
    assert_eq!(fixes, ["weight", "saturate"]);
}

#[test]
fn one_run_reports_all() {
    fails(
        "float a() { return x1; }\nfloat b(float2 v) { return v.z; }\nvoid c() { break; }\nfloat d() { return undefined_thing(1); }",
        &["1:20 E0301", "2:30 E0321", "3:12 E0401", "4:20 E0301"],
    );
}
