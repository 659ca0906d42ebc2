//! Diagnostics of types and declarations.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

use super::count;

/// Nested too deeply.
pub fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0340, span, "this is nested too deeply")
}

/// A structure with too many nested members.
pub fn record_too_large(span: Span, ty: &str, with: &str, levels: u32, members: u32) -> Diagnostic {
    Diagnostic::new(&c::E0340, span, format!("`{ty}` is too large with this {with}"))
        .note(format!("structures nest up to {levels} levels and have up to {members} members, those inside counted"))
}

/// Pointers and the like.
pub fn not_in_hlsl(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&c::E0308, span, format!("HLSL does not have {what}"))
}

/// A 16-bit type without the option.
pub fn needs_native_16_bit(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0604, span, format!("`{name}` needs -enable-16bit-types and shader model 6.2"))
        .note("`min16float`, `min16int` and `min16uint` work without")
}

/// A C++ keyword in the position of a type.
pub fn cpp_only(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&c::E0338, span, format!("HLSL does not have {what}"))
}

/// An object type that this compiler does not have.
pub fn not_supported(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0608, span, format!("`{name}` belongs to a stage or target that this compiler does not support"))
}

/// An obsolete type.
pub fn obsolete(span: Span, name: &str, instead: &str) -> Diagnostic {
    Diagnostic::new(&c::E0303, span, format!("unknown type name `{name}`")).here(format!("use {instead}"))
}

/// An incomplete type.
pub fn incomplete(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0307, span, format!("incomplete type `{ty}`"))
}

/// A variable of type `void`.
pub fn void_variable(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0307, span, "a variable cannot be of type `void`")
}

/// An enumeration that is declared before it is defined.
pub fn opaque_enum(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0307, span, format!("enumeration `{name}` without enumerators"))
        .note("HLSL has no forward declarations of enumerations")
}

/// A variable of a class that does not declare a method of its interfaces.
pub fn abstract_class(span: Span, ty: &str, method: &str, at: Span) -> Diagnostic {
    let message = format!("a variable cannot have the type `{ty}`, which does not define the method `{method}` of its interface");
    Diagnostic::new(&c::E0307, span, message).label(at, "declared here")
}

/// A variable of an interface's type.
pub fn interface_object(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0307, span, format!("a variable cannot have the interface type `{ty}`"))
}

/// A vector of more than four components where there are none.
pub fn long_vector(span: Span, place: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0307, span, format!("{place} cannot contain vectors of more than four components, as `{ty}` does"))
        .note("long vectors are allowed in variables of functions, groupshared memory, structured and byte-address buffers")
}

/// Something of a later version of the language.
pub fn newer(span: Span, what: &str, version: &str) -> Diagnostic {
    Diagnostic::new(&c::W0312, span, format!("{what} is an extension before HLSL {version}")).note(format!("use -HV {version}"))
}

/// Something that this compiler alone compiles.
pub fn extension(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&c::W0312, span, format!("{what} are an extension: other compilers of HLSL refuse them"))
}

/// A resource becomes one with other coherence.
pub fn other_coherence(span: Span, have: Option<&str>, want: Option<&str>) -> Diagnostic {
    let text = match (have, want) {
        (Some(have), Some(want)) => format!("this resource is `{have}` and becomes `{want}`"),
        (Some(have), None) => format!("this resource is `{have}`, and what it becomes is not"),
        _ => format!("this resource is not `{}`, and what it becomes is", want.unwrap_or_default()),
    };
    Diagnostic::new(&c::W0314, span, text).note("each access is as coherent as the variable, parameter or result that it is made through")
}

/// A type that is another one with the options in force.
pub fn promoted(span: Span, name: &str, to: &str) -> Diagnostic {
    Diagnostic::new(&c::W0322, span, format!("`{name}` is promoted to `{to}`"))
}

/// `float x : COLOR;` in a function.
pub fn semantic_of_local(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0311, span, "a local variable has no semantic")
}

/// `buffer.Load<float, int>(0)`
pub fn one_argument(span: Span, name: &str, found: usize) -> Diagnostic {
    Diagnostic::new(&c::E0333, span, format!("`{name}` takes one template argument, found {found}"))
}

/// A semantic of Direct3D 9 that is one like any other now.
pub fn semantic_without_effect(span: Span, name: &str, newer: &str) -> Diagnostic {
    Diagnostic::new(&c::W0317, span, format!("`{name}` is no system value")).note(format!("use `{newer}`"))
}

/// `auto` for something else than a variable with an initialiser.
pub fn misplaced_auto(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0308, span, "`auto` is only allowed for a variable with an initialiser")
}

/// A variable whose type cannot be that of its initialiser.
pub fn auto_without_type(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0308, span, format!("`auto` cannot stand for `{ty}`"))
}

/// An object that lives in a function or a static variable.
pub fn not_a_uniform(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0307, span, format!("a variable of type `{ty}` outside of functions must be `static`"))
}

/// A hit object that is no local variable. `inside`: the type of the variable, if that is another one that holds hit objects.
pub fn hit_object_outside(span: Span, inside: Option<&str>) -> Diagnostic {
    let what = match inside {
        Some(ty) => format!("a static or global variable cannot hold hit objects, which `{ty}` does"),
        None => "a hit object cannot be a static or global variable".into(),
    };
    Diagnostic::new(&c::E0307, span, what).note("declare it in the function that uses it, and pass it to other functions")
}

/// Variables of this type cannot be here.
pub fn no_variable_of(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0307, span, format!("a variable of type `{ty}` is not allowed here"))
}

/// A function that returns what no value is.
pub fn no_result_of(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0307, span, format!("a function cannot return `{ty}`"))
}

/// A function that returns an array.
pub fn array_result(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0307, span, "a function cannot return such an array")
        .note("its size must be known, and its elements must be numbers, structures of numbers or resources")
}

/// `sizeof` of what has no size.
pub fn no_size(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0307, span, format!("`{ty}` has no size"))
}

/// A type without parameters got arguments.
pub fn takes_no_arguments(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0309, span, format!("`{ty}` does not take template arguments"))
}

/// The wrong number of arguments in angle brackets.
pub fn argument_count(span: Span, name: &str, least: usize, most: usize, got: usize) -> Diagnostic {
    let expected =
        if least == most { count(most, "template argument") } else { format!("{least} to {}", count(most, "template argument")) };
    Diagnostic::new(&c::E0309, span, format!("`{name}` expects {expected}, found {got}"))
}

/// `vector<S, 4>`
pub fn not_a_component(span: Span, name: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0309, span, format!("the components of a `{name}` must be scalars, found `{ty}`"))
}

/// `vector<float, 9>`
pub fn dimension(span: Span, name: &str, n: i128, most: i128) -> Diagnostic {
    Diagnostic::new(&c::E0309, span, format!("a dimension of `{name}` must be 1 to {most}, found {n}"))
}

/// `row_major float4`
pub fn packing_of_no_matrix(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0311, span, format!("row and column packing applies to matrices, found `{ty}`"))
}

/// `snorm int`
pub fn normalised_of_no_float(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0311, span, format!("`unorm` and `snorm` apply to floating-point types, found `{ty}`"))
}

/// Two specifiers that exclude each other.
pub fn contradiction(span: Span, a: &str, b: &str) -> Diagnostic {
    Diagnostic::new(&c::E0311, span, format!("`{a}` and `{b}` are mutually exclusive"))
}

/// `interface I { int x; };`
pub fn member_of_interface(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&c::E0311, span, format!("interfaces have no {what}: only methods that their classes define"))
}

/// `in inout`
pub fn repeated_specifier(span: Span, spec: &str) -> Diagnostic {
    Diagnostic::new(&c::E0311, span, format!("`{spec}` repeats how the parameter is passed"))
}

/// A specifier that is not allowed there.
pub fn misplaced_specifier(span: Span, spec: &str, context: &str) -> Diagnostic {
    Diagnostic::new(&c::E0311, span, format!("`{spec}` is not allowed on {context}"))
}

/// `float a[0]`
pub fn array_size(span: Span, n: i128) -> Diagnostic {
    Diagnostic::new(&c::E0310, span, format!("invalid array size {n}"))
}

/// `float a[]` where the size must be known.
pub fn open_dimension(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0310, span, "missing array size")
        .note("only the first dimension of resources and of variables with an initialiser can be unsized")
}

/// `void a[3]`
pub fn no_array_of(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0310, span, format!("an array of `{ty}` is not allowed"))
}

/// A parameter without default after one that has one.
pub fn missing_default(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0335, span, "missing default argument after a parameter with one")
}

/// `template <uint N> struct S<N, 2 * N> { … };`
pub fn computed_argument(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0333, span, "an argument of a specialisation cannot be computed from its parameters")
        .note("make it a parameter of its own, or a condition: `typename enable_if<…>::type`")
}

/// A name in a template that is one of its parameters.
pub fn hides_template_parameter(span: Span, name: &str, param: Span) -> Diagnostic {
    Diagnostic::new(&c::E0304, span, format!("`{name}` is a template parameter and cannot be declared again in the template"))
        .label(param, "the parameter is declared here")
}

/// A default argument that an earlier declaration gives as well.
pub fn default_again(span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0304, span, "this parameter has a default argument already")
        .label(first, "first given here")
        .note("one declaration gives a default argument, normally the first")
}

/// Operators before HLSL 2021.
pub fn operator_version(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0336, span, "operator overloading requires HLSL 2021").note("use -HV 2021")
}

/// Too many or too few operands.
pub fn operator_arity(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0336, span, format!("`{name}` has the wrong number of parameters"))
}

/// Operators that cannot be overloaded.
pub fn operator_forbidden(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0336, span, format!("`{name}` cannot be overloaded"))
}

/// `float operator+(float, float)`
pub fn operator_of_numbers(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0336, span, format!("overloaded `{name}` requires an operand of structure type"))
}

/// Templates before HLSL 2021.
pub fn template_version(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0333, span, "templates require HLSL 2021").note("use -HV 2021")
}

/// More instances of one template than can be.
pub fn too_many_instances(span: Span, name: &str, most: u32) -> Diagnostic {
    Diagnostic::new(&c::E0334, span, format!("the template `{name}` has more than {most} instances"))
}

/// A specialisation of an unknown template.
pub fn no_template(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0333, span, format!("specialisation of unknown template `{name}`"))
}

/// `template <typename T> T g;`
pub fn variable_template_not_static(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0333, span, "a variable template must be `static`")
        .note("a variable that the host sets, or that a group shares, is one variable of one type")
}

/// `pi` where `pi` is a variable template.
pub fn variable_without_arguments(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0333, span, format!("the variable template `{name}` is used without template arguments"))
}

/// `static const int pi<int> = 3;`
pub fn missing_template_header(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0333, span, "a specialisation begins with `template <>`")
}

/// `template <typename T> struct S<T> { … };`
pub fn specialises_nothing(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0333, span, format!("this partial specialisation of `{name}` is for any arguments"))
        .note("without arguments after its name it is the template itself")
}

/// No template called `name` has an instance of the specialisation's type.
pub fn no_template_of_type(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0333, span, format!("no function template `{name}` has an instance of this type"))
}

/// An argument of a template that must be a template itself.
pub fn not_a_template(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0333, span, "this argument must be the name of a class template")
}

/// A template as an argument that has other parameters than the one that is declared.
pub fn other_parameters(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0333, span, format!("`{name}` has other template parameters than this argument must have"))
}

/// A specialisation of what calls need already.
pub fn specialised_after_use(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0333, span, format!("`{name}` is specialised after its first use"))
}

/// A member of a class template defined outside.
pub fn template_outside(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0333, span, "no class template with that many parameters declares this member")
}

/// `template <…> template <…>` before a name that is not a template's member.
pub fn template_headers(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0333, span, "more lists of template parameters than the name has templates")
}

/// Endless recursive instantiation.
pub fn template_depth(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0334, span, format!("recursive instantiation of the template `{name}` does not end"))
}

/// `struct S : float`
pub fn bad_base(span: Span, ty: &str, why: &str) -> Diagnostic {
    Diagnostic::new(&c::E0331, span, format!("`{ty}` cannot be a base type")).here(why)
}

/// `struct S { cbuffer … }`
pub fn misplaced_member(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0338, span, "this cannot be declared inside of a structure")
}

/// `struct { int a; };` outside of a structure.
pub fn anonymous_outside(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0338, span, "a structure without a name and a variable must be a member of a structure")
}

/// `struct { int f(); };`
pub fn anonymous_member(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0338, span, "a structure without a name and a variable can only have member variables that are not static")
}

/// `struct S { int a = 3; }`
pub fn member_initialiser(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0328, span, "members of structures cannot have initialisers")
}

/// Bit-fields before HLSL 2021.
pub fn bit_field_version(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0337, span, "bit-fields require HLSL 2021").note("use -HV 2021")
}

/// `float f : 3`
pub fn bit_field_type(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0337, span, format!("a bit-field must have an integer type, found `{ty}`"))
}

/// `int n : 40`
pub fn bit_field_width(span: Span, n: i128, most: u32) -> Diagnostic {
    Diagnostic::new(&c::E0337, span, format!("the width of this bit-field must be 1 to {most}, found {n}"))
}

/// A bit-field in a cbuffer.
pub fn misplaced_bit_field(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0337, span, "bit-fields are only allowed in structures")
}

/// `static uint a : 3;`
pub fn static_bit_field(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0337, span, "a static member cannot be a bit-field")
}

/// `uint a : 8 : SV_GroupIndex`
pub fn bit_field_semantic(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0337, span, "a bit-field has no semantic")
}

/// `enum E : float`
pub fn enum_type(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0332, span, format!("the underlying type of an enumeration must be an integer type, found `{ty}`"))
}

/// An enumerator that its type cannot hold.
pub fn enumerator_range(span: Span, name: &str, n: i128, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0332, span, format!("the value {n} of `{name}` does not fit in `{ty}`"))
}
