//! Diagnostics of entry points, stages, external functions and subobjects.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

use super::{any_of, chain};

/// An attribute of another stage.
pub fn attribute_of_stage(span: Span, name: &str, of: &str, stage: &str) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("`{name}` applies to {of} shaders, and this is a {stage} shader"))
}

/// `an anyhit shader`
fn shader(stage: &str) -> String {
    let article = if stage.starts_with(['a', 'i']) { "an" } else { "a" };
    format!("{article} {stage} shader")
}

/// A feature of a later shader model.
pub fn needs_model(span: Span, what: &str, need: u8, have: u8) -> Diagnostic {
    Diagnostic::new(&c::E0604, span, format!("`{what}` requires shader model 6.{need}, but the target is 6.{have}"))
}

/// An intrinsic of a later shader model; `instead`: an alternative for earlier ones.
pub fn method_needs_model(span: Span, what: &str, need: u8, have: u8, instead: Option<&str>) -> Diagnostic {
    let d = needs_model(span, what, need, have);
    match instead {
        Some(instead) => d.note(format!("before, use {instead}")),
        None => d,
    }
}

/// Parameters or result that the stage does not have.
pub fn entry_shape(span: Span, stage: &str, rule: &str, replacement: Option<&str>) -> Diagnostic {
    let d = Diagnostic::new(&c::E0601, span, format!("invalid {stage} shader: {rule}")).note("DXR, shader entry points");
    match replacement {
        Some(r) => d.fix(span, r),
        None => d,
    }
}

/// A payload that is not `inout`.
pub fn entry_passing(span: Span, stage: &str, what: &str, want: &str) -> Diagnostic {
    Diagnostic::new(&c::E0601, span, format!("the {what} of {} must be `{want}`", shader(stage)))
}

/// A payload that is not a structure.
pub fn not_a_structure(span: Span, what: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0601, span, format!("the {what} must be a structure, not `{ty}`"))
}

/// A resource in a payload.
pub fn object_in_structure(span: Span, what: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0601, span, format!("the {what} must consist of numbers; `{ty}` contains an object"))
}

/// Attributes beyond the limit.
pub fn attributes_too_large(span: Span, ty: &str, size: u32) -> Diagnostic {
    Diagnostic::new(&c::W0602, span, format!("`{ty}` has {size} bytes; attributes have at most 32 in Direct3D"))
        .note("DXR, D3D12_RAYTRACING_MAX_ATTRIBUTE_SIZE_IN_BYTES")
}

/// No function has the entry point's name.
pub fn no_entry(name: &str, file: &str, similar: Option<String>, candidates: &[(String, Span)]) -> Diagnostic {
    let mut d = Diagnostic::new(&c::E0605, Span::NONE, format!("entry point `{name}` not found in `{file}`"));
    for (candidate, span) in candidates.iter().take(4) {
        d = d.label(*span, format!("`-E {candidate}` is this function"));
    }
    match similar {
        _ if !candidates.is_empty() => {
            let names: Vec<String> = candidates.iter().take(4).map(|c| format!("`{}`", c.0)).collect();
            d.note(format!("attributes say that {} can be meant: name it with -E", names.join(", ")))
        }
        Some(s) => d.note(format!("there is a function `{s}`")),
        None => d,
    }
}

/// A function with `[numthreads]` as an entry point of a stage without thread groups.
pub fn threads_of_other_stage(span: Span, name: &str, stage: &str) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("`{name}` has `[numthreads]` and is no {stage} shader"))
        .note("the profile decides the stage: -T cs_6_0 and the like for compute shaders")
}

/// Two entry points of one name.
pub fn two_entries(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0605, span, format!("duplicate entry point `{name}`")).label(first, "first defined here")
}

/// `[shader(miss)]`
pub fn unquoted_stage(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, "the name of a stage must be in quotation marks").fix(span, format!("\"{name}\""))
}

/// A stage that does not exist.
pub fn unknown_stage(span: Span, name: &str, similar: Option<String>) -> Diagnostic {
    let d = Diagnostic::new(&c::E0405, span, format!("unknown stage `{name}`"));
    match similar {
        Some(s) => d.here(format!("did you mean `{s}`?")),
        None => d,
    }
}

/// A stage that is not supported.
pub fn other_stage(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0608, span, format!("{name} shaders are not compiled by this compiler"))
        .note("it compiles compute shaders, ray-tracing shaders and those of the graphics pipeline")
}

/// A compute shader without a size.
pub fn no_numthreads(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0610, span, "a compute shader needs `[numthreads(x, y, z)]`")
}

/// An intrinsic that the stage does not have.
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
        return d.note("it is only available in stages that this compiler does not support");
    }
    d.note(format!("it is only available in {} shaders", any_of(allowed)))
}

/// A derivative in a shader whose groups are no quads of threads.
pub fn group_without_quads(span: Span, what: &str, stage: &str, entry: &str, [x, y, z]: [u32; 3], calls: &[(String, Span)]) -> Diagnostic {
    let what = format!("`{what}` needs quads of threads, and the groups of the {stage} shader `{entry}` have {x} x {y} x {z}");
    chain(Diagnostic::new(&c::E0602, span, what), calls)
        .note("make the first two sizes of `numthreads` even, or the first one a multiple of four where the others are 1")
}

/// An intrinsic that ends the shader, in an exported function.
pub fn ends_shader_in_export(span: Span, what: &str, entry: &str, calls: &[(String, Span)]) -> Diagnostic {
    let message = format!(
        "`{what}` cannot be used in the exported function `{entry}`: it ends the shader, which only a function of the shader can do"
    );
    chain(Diagnostic::new(&c::E0602, span, message), calls).note("call it in the any-hit shader, or in a function that is not exported")
}

/// An intrinsic that depends on the partitioning of the hull shader, in a function of several, or of none.
pub fn unknown_partitioning(span: Span, what: &str, calls: &[(String, Span)]) -> Diagnostic {
    let message = format!("`{what}` depends on the `[partitioning]` of one hull shader, and it is called for several, or for none");
    chain(Diagnostic::new(&c::E0602, span, message), calls).note("call it in a function of each hull shader")
}

/// A cycle of calls.
pub fn recursion(span: Span, name: &str, calls: &[(String, Span)]) -> Diagnostic {
    let d = Diagnostic::new(&c::E0603, span, format!("recursive call of `{name}`: HLSL does not support recursion"));
    let d = chain(d, calls);
    d.note("shaders recurse by tracing rays")
}

/// Why no other library can define a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// `static`: internal linkage.
    Internal,
    /// An instance of a template, or a method of one.
    Instance,
    /// A single shader has no external functions.
    Shader,
    /// SPIR-V modules are not linked.
    Spirv,
}

/// A call of a function that is not defined and cannot be external.
pub fn undefined_function(span: Span, name: &str, declared: Span, why: Undefined, calls: &[(String, Span)]) -> Diagnostic {
    let d = Diagnostic::new(&c::E0609, span, format!("`{name}` is declared but never defined")).label(declared, "declared here");
    let d = chain(d, calls);
    match why {
        Undefined::Internal => d.note("it is `static`, so no other library can define it"),
        Undefined::Instance => d.note("another library cannot define an instance of a template"),
        Undefined::Shader => {
            d.note("a compute shader cannot call external functions; compile it as a library, and link it with `rtc link -T cs_6_x`")
        }
        Undefined::Spirv => d.note("SPIR-V modules for Vulkan are not linked; DXIL libraries are, with `rtc link`"),
    }
}

/// The initialiser of a static variable that reaches a function of another library.
pub fn static_of_another_library(span: Span, variable: &str, name: &str, declared: Span) -> Diagnostic {
    Diagnostic::new(
        &c::E0609,
        span,
        format!("the initialiser of the static variable `{variable}` calls `{name}`, which is not defined here"),
    )
    .label(declared, "declared here")
    .note("static variables have their values before functions of another library can run: define it here, or call it in a function")
}

/// An external function with an object in its signature.
pub fn object_of_another_library(span: Span, name: &str, what: &str, declared: Span, calls: &[(String, Span)]) -> Diagnostic {
    let d = Diagnostic::new(&c::E0611, span, format!("the external function `{name}` {what}, which cannot be passed between libraries"))
        .label(declared, "declared here");
    chain(d, calls).note("numbers, structures and arrays of them can be passed")
}

/// An exported function with an object in its signature.
pub fn exported_object(span: Span, name: &str, what: &str) -> Diagnostic {
    Diagnostic::new(&c::E0611, span, format!("the exported function `{name}` {what}, which cannot be passed between libraries"))
        .note("functions with such parameters or results can be called in their own library only: do not export it")
}

/// A payload that is passed to an external function.
pub fn payload_of_another_library(span: Span, name: &str, payload: &str) -> Diagnostic {
    Diagnostic::new(
        &c::W0718,
        span,
        format!("the external function `{name}` takes the payload `{payload}`, whose access qualifiers its library may declare otherwise"),
    )
    .note("its reads and writes are unknown, so all of the payload counts as read and written")
}

/// A subobject without initialiser.
pub fn subobject_without_values(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0607, span, format!("this `{ty}` has no initialiser")).note("write `= { … }` after its name")
}

/// `GlobalRootSignature g = "…";`
pub fn subobject_without_braces(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0607, span, format!("the values of a `{ty}` must be in braces")).note("write `= { … };`")
}

/// The wrong number of values. `joined`: two string literals are adjacent.
pub fn subobject_count(span: Span, ty: &str, expected: &[&str], got: usize, joined: bool) -> Diagnostic {
    let d = Diagnostic::new(
        &c::E0607,
        span,
        format!(
            "`{ty}` expects {} value{} ({}), found {got}",
            expected.len(),
            if expected.len() == 1 { "" } else { "s" },
            expected.join(", ")
        ),
    );
    if joined { d.note("adjacent string literals are concatenated") } else { d }
}

/// A value of the wrong kind.
pub fn subobject_value(span: Span, what: &str, expected: &str) -> Diagnostic {
    Diagnostic::new(&c::E0607, span, format!("the {what} must be {expected}"))
}

/// Unknown flags.
pub fn subobject_flags(span: Span, bits: u32) -> Diagnostic {
    Diagnostic::new(&c::E0607, span, format!("unknown flags {bits:#x} of this subobject"))
}

/// A number beyond its limit.
pub fn subobject_range(span: Span, what: &str, n: u32, most: u32) -> Diagnostic {
    Diagnostic::new(&c::W0602, span, format!("the {what} is at most {most} in Direct3D, found {n}"))
}

/// A hit group for procedural primitives without their shader.
pub fn no_intersection_shader(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0607, span, "a hit group for procedural primitives needs an intersection shader")
}

/// A root signature attribute on a ray-tracing shader, which uses subobjects.
pub fn root_signature_of_raytracing(span: Span, stage: &str) -> Diagnostic {
    let message = format!("a {stage} shader has no root signature of its own");
    Diagnostic::new(&c::E0648, span, message)
        .note("DXR, root signatures: global and local ones are subobjects, and a state object associates them with shaders")
}

/// An attribute `RootSignature` without a text.
pub fn root_signature_text(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0643, span, "`RootSignature` requires a root signature in a string literal")
}

/// A hit group that names a shader of another stage.
pub fn hit_group_stage(span: Span, name: &str, is: &str, want: &str, declared: Span) -> Diagnostic {
    Diagnostic::new(&c::E0607, span, format!("this hit group uses `{name}` as {want} shader, but it is {}", shader(is)))
        .label(declared, "declared here")
}
