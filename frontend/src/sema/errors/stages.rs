//! Entry points, stages, payloads, subobjects.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

use super::{any_of, chain};

/// `an anyhit shader`
fn shader(stage: &str) -> String {
    let article = if stage.starts_with(['a', 'i']) { "an" } else { "a" };
    format!("{article} {stage} shader")
}

/// Something that came with a later shader model.
pub fn needs_model(span: Span, what: &str, need: u8, have: u8) -> Diagnostic {
    Diagnostic::new(&c::E0604, span, format!("`{what}` needs shader model 6.{need}; this is 6.{have}"))
}

/// An intrinsic of a later shader model; `instead` says what there is before.
pub fn method_needs_model(span: Span, what: &str, need: u8, have: u8, instead: Option<&str>) -> Diagnostic {
    let d = needs_model(span, what, need, have);
    match instead {
        Some(instead) => d.note(format!("before, use {instead}")),
        None => d,
    }
}

/// Parameters or result that the stage does not have.
pub fn entry_shape(span: Span, stage: &str, rule: &str, replacement: Option<&str>) -> Diagnostic {
    let d = Diagnostic::new(&c::E0601, span, format!("this is no {stage} shader: {rule}")).note("DXR, shader entry points");
    match replacement {
        Some(r) => d.fix(span, r),
        None => d,
    }
}

/// A payload that is not `inout`.
pub fn entry_passing(span: Span, stage: &str, what: &str, want: &str) -> Diagnostic {
    Diagnostic::new(&c::E0601, span, format!("the {what} of {} must be `{want}`", shader(stage)))
}

/// A payload that is no structure.
pub fn not_a_structure(span: Span, what: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0601, span, format!("the {what} must be a structure, not `{ty}`"))
}

/// A resource in a payload.
pub fn object_in_structure(span: Span, what: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0601, span, format!("the {what} must be made of numbers; `{ty}` holds an object"))
}

/// Attributes beyond the limit.
pub fn attributes_too_large(span: Span, ty: &str, size: u32) -> Diagnostic {
    Diagnostic::new(&c::E0601, span, format!("`{ty}` has {size} bytes; attributes have at most 32"))
        .note("DXR, D3D12_RAYTRACING_MAX_ATTRIBUTE_SIZE_IN_BYTES")
}

/// No function has the entry point's name.
pub fn no_entry(name: &str, similar: Option<String>) -> Diagnostic {
    let d = Diagnostic::new(&c::E0605, Span::NONE, format!("there is no function `{name}` that could be the entry point"));
    match similar {
        Some(s) => d.note(format!("there is a function `{s}`")),
        None => d,
    }
}

/// Two entry points of one name.
pub fn two_entries(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0605, span, format!("there are two entry points `{name}`")).label(first, "the first one")
}

/// `[shader(miss)]`
pub fn unquoted_stage(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, "the name of a stage stands in quotation marks").fix(span, format!("\"{name}\""))
}

/// A stage that does not exist.
pub fn unknown_stage(span: Span, name: &str, similar: Option<String>) -> Diagnostic {
    let d = Diagnostic::new(&c::E0405, span, format!("there is no stage `{name}`"));
    match similar {
        Some(s) => d.here(format!("did you mean `{s}`?")),
        None => d,
    }
}

/// A stage that is not compiled.
pub fn other_stage(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0608, span, format!("{name} shaders are not compiled by this compiler"))
        .note("it compiles ray-tracing and compute shaders")
}

/// A compute shader without a size.
pub fn no_numthreads(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0610, span, "a compute shader needs `[numthreads(x, y, z)]`")
}

/// An intrinsic in the wrong stage.
pub fn wrong_stage(
    span: Span,
    what: &str,
    stage: &str,
    allowed: &[&str],
    entry: &str,
    calls: &[(String, Span)],
    instead: Option<&str>,
) -> Diagnostic {
    let d = Diagnostic::new(&c::E0602, span, format!("`{what}` cannot be used in the {stage} shader `{entry}`"));
    let d = chain(d, calls);
    if let Some(instead) = instead {
        return d.note(format!("it takes derivatives between neighbouring threads, which this stage does not have; use {instead}"));
    }
    if allowed.is_empty() {
        return d.note("it is for stages that are not compiled here");
    }
    d.note(format!("it is for {} shaders", any_of(allowed)))
}

/// A cycle of calls.
pub fn recursion(span: Span, name: &str, calls: &[(String, Span)]) -> Diagnostic {
    let d = Diagnostic::new(&c::E0603, span, format!("`{name}` calls itself; HLSL has no recursion"));
    let d = chain(d, calls);
    d.note("shaders recurse by tracing rays")
}

/// Why no other library can define a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// `static`: nobody else sees it.
    Internal,
    /// An instance of a template, or a method of one.
    Instance,
    /// Compute shaders are complete.
    Compute,
    /// Vulkan links nothing.
    Spirv,
}

/// A call of what has no body and gets none elsewhere.
pub fn undefined_function(span: Span, name: &str, declared: Span, why: Undefined, calls: &[(String, Span)]) -> Diagnostic {
    let d = Diagnostic::new(&c::E0609, span, format!("`{name}` is declared but never defined")).label(declared, "declared here");
    let d = chain(d, calls);
    match why {
        Undefined::Internal => d.note("it is `static`, so no other library can define it"),
        Undefined::Instance => d.note("templates are not found in other libraries"),
        Undefined::Compute => {
            d.note("a compute shader is complete; compile it as a library, and `rtc link -T cs_6_x` takes functions from others")
        }
        Undefined::Spirv => d.note("SPIR-V modules for Vulkan are not linked; DXIL libraries are, with `rtc link`"),
    }
}

/// An object or array of arrays that a function of another library takes or gives.
pub fn object_of_another_library(span: Span, name: &str, what: &str, declared: Span, calls: &[(String, Span)]) -> Diagnostic {
    let d =
        Diagnostic::new(&c::E0611, span, format!("`{name}`, which is not defined here, {what}, which cannot go from library to library"))
            .label(declared, "declared here");
    chain(d, calls).note("numbers, structures and arrays of them can, but no arrays of arrays")
}

/// A payload that a function of another library gets.
pub fn payload_of_another_library(span: Span, name: &str, payload: &str) -> Diagnostic {
    Diagnostic::new(
        &c::W0718,
        span,
        format!("`{name}`, which is not defined here, gets a `{payload}`, whose access qualifiers its library may declare otherwise"),
    )
    .note("what it reads and writes is not known here, so all of the payload counts as read and written")
}

/// A subobject without initialiser.
pub fn subobject_without_values(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0607, span, format!("this `{ty}` has no values")).note("write `= { … }` after its name")
}

/// The wrong number of values. `joined`: two string literals stand side by side.
pub fn subobject_count(span: Span, ty: &str, wanted: &[&str], got: usize, joined: bool) -> Diagnostic {
    let d = Diagnostic::new(
        &c::E0607,
        span,
        format!("`{ty}` takes {} value{} ({}), not {got}", wanted.len(), if wanted.len() == 1 { "" } else { "s" }, wanted.join(", ")),
    );
    if joined { d.note("string literals without a comma between them are one") } else { d }
}

/// A value of the wrong sort.
pub fn subobject_value(span: Span, what: &str, wanted: &str) -> Diagnostic {
    Diagnostic::new(&c::E0607, span, format!("the {what} must be {wanted}"))
}

/// Bits that are no flags.
pub fn subobject_flags(span: Span, bits: u32) -> Diagnostic {
    Diagnostic::new(&c::E0607, span, format!("{bits:#x} is no flag of this subobject"))
}

/// A number beyond its limit.
pub fn subobject_range(span: Span, what: &str, n: u32, most: u32) -> Diagnostic {
    Diagnostic::new(&c::E0607, span, format!("the {what} can be at most {most}, not {n}"))
}

/// A hit group for procedural primitives without their shader.
pub fn no_intersection_shader(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0607, span, "a hit group for procedural primitives needs an intersection shader")
}

/// A root signature for a shader that takes those of subobjects.
pub fn root_signature_of_raytracing(span: Span, stage: &str) -> Diagnostic {
    let message = format!("a {stage} shader has no root signature of its own");
    Diagnostic::new(&c::E0648, span, message)
        .note("DXR, root signatures: global and local ones are subobjects, and a state object associates them with shaders")
}

/// An attribute `RootSignature` without a text.
pub fn root_signature_text(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0643, span, "`RootSignature` wants a root signature in a string literal")
}

/// A hit group that names a shader of another stage.
pub fn hit_group_stage(span: Span, name: &str, is: &str, want: &str, declared: Span) -> Diagnostic {
    Diagnostic::new(&c::E0607, span, format!("this hit group uses `{name}` as {want} shader, but it is {}", shader(is)))
        .label(declared, "declared here")
}
