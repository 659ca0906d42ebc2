//! Diagnostics of stage inputs and outputs: semantics, their types, interpolation.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;
use rtc_tables::signature::Semantic;

/// A parameter, result or member without a semantic.
pub fn no_semantic(span: Span, point: &str) -> Diagnostic {
    Diagnostic::new(&c::E0671, span, format!("{point} needs a semantic, such as `: TEXCOORD0`"))
}

/// A member with a semantic of a structure that has one.
pub fn overridden_semantic(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::W0318, span, format!("the semantic of `{name}` has no effect: its structure has one here"))
}

/// A name that is no system value, or none of this stage.
pub fn wrong_semantic(span: Span, name: &str, point: &str, elsewhere: Option<&[&str]>, near: Option<String>) -> Diagnostic {
    if let Some(points) = elsewhere {
        let d = Diagnostic::new(&c::E0670, span, format!("`{name}` cannot be {point}"));
        return if points.is_empty() { d } else { d.note(format!("it can be {}", super::any_of(points))) };
    }
    let d = Diagnostic::new(&c::E0670, span, format!("there is no system value `{name}`"))
        .note("names that begin with `SV_` are system values; others may be chosen freely");
    match near {
        Some(n) => d.here(format!("did you mean `{n}`?")),
        None => d,
    }
}

/// An index beyond those of the system value.
pub fn semantic_index(span: Span, text: &str, most: u32) -> Diagnostic {
    Diagnostic::new(&c::E0670, span, format!("`{text}` has an index that is too large: {most} is the largest"))
}

/// The same semantic twice.
pub fn overlapping_semantics(span: Span, text: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0672, span, format!("the semantic `{text}` occurs twice in one signature")).label(first, "first used here")
}

/// Two depths.
pub fn two_depths(span: Span, name: &str, first: Span, other: &str) -> Diagnostic {
    Diagnostic::new(&c::E0672, span, format!("a pixel shader has one depth: `{name}` comes after `{other}`"))
        .label(first, "first used here")
}

/// `SV_Coverage` with `SV_InnerCoverage`.
pub fn two_coverages(span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0672, span, "a pixel shader cannot have both `SV_Coverage` and `SV_InnerCoverage` as inputs")
        .label(first, "first used here")
}

/// A type that no element has.
pub fn element_type(span: Span, ty: &str, why: &str) -> Diagnostic {
    Diagnostic::new(&c::E0673, span, format!("`{ty}` cannot be a stage input or output: it is {why}"))
}

/// A clip plane that is no variable.
pub fn clip_plane(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, "a clip plane is a `float4` in a constant buffer: a variable, or a member of one")
}

/// Clip planes of another stage.
pub fn clip_planes_of_stage(span: Span, stage: &str) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("`clipplanes` applies to vertex shaders, and this is a {stage} shader"))
}

/// Clip planes of a shader without a position.
pub fn clip_planes_without_position(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, "`clipplanes` needs an output `SV_Position`, from which the distances follow")
}

/// A name that no built-in variable of Vulkan has.
pub fn unknown_builtin(span: Span, names: &[&str], near: Option<String>) -> Diagnostic {
    let d = Diagnostic::new(&c::E0670, span, format!("`vk::builtin` takes {}", super::any_of(names)));
    match near {
        Some(n) => d.here(format!("did you mean `{n}`?")),
        None => d,
    }
}

/// `[[vk::builtin]]` with `[[vk::location]]`.
pub fn builtin_with_location(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0670, span, "what is `vk::builtin` has no `vk::location`")
}

/// `[[vk::index]]` at another location than the first one.
pub fn blend_location(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0670, span, "`vk::index` is for the two colours that are blended at location 0; add `[[vk::location(0)]]`")
}

/// A system value of another type.
pub fn semantic_type(span: Span, name: &str, ty: &str, want: &str) -> Diagnostic {
    Diagnostic::new(&c::E0673, span, format!("`{name}` must have type `{want}`, found `{ty}`"))
}

/// An interpolation mode of an integer.
pub fn interpolated_integer(span: Span, text: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0674, span, format!("`{text}` is a `{ty}`, and integers are not interpolated; write `nointerpolation`"))
}

/// An interpolation mode of a primitive's value.
pub fn interpolated_primitive(span: Span, text: &str) -> Diagnostic {
    Diagnostic::new(&c::E0674, span, format!("`{text}` is one value for each primitive, which is not interpolated"))
}

/// A system value that must be interpolated and is not.
pub fn constant_system_value(span: Span, semantic: Semantic) -> Diagnostic {
    Diagnostic::new(&c::E0674, span, format!("`{}` cannot be `nointerpolation`", semantic.info().name))
}

/// A position in the middle of the pixel, where the depth has a bound.
pub fn position_in_the_middle(span: Span, depth: Span, name: &str) -> Diagnostic {
    let text = format!("with `{name}`, `SV_Position` must be `centroid` or `sample`");
    Diagnostic::new(&c::E0674, span, text)
        .label(depth, "the depth is written here")
        .note("a shader that runs for each sample, because it has `SV_SampleIndex` or a `sample` input, may have any position")
}

/// A name that is too long.
pub fn long_semantic(span: Span, most: usize) -> Diagnostic {
    Diagnostic::new(&c::E0670, span, format!("the name of a semantic has at most {most} characters"))
}

/// Barycentrics of the same kind.
pub fn two_barycentrics(span: Span, first: Span, noperspective: bool) -> Diagnostic {
    let with = if noperspective { "without" } else { "with" };
    Diagnostic::new(&c::E0672, span, format!("`SV_Barycentrics` occurs twice {with} perspective"))
        .label(first, "first used here")
        .note("a pixel shader has them once with perspective, and once as `noperspective`")
}

/// `nointerpolation` with another modifier.
pub fn contradicting_interpolation(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0674, span, "`nointerpolation` excludes other interpolation modifiers")
}

/// `[WaveSize]` of a shader of the graphics pipeline.
pub fn wave_size(span: Span, stage: &str) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("`WaveSize` applies to compute shaders, and this is a {stage} shader"))
}

/// A semantic of Direct3D 9 that stands for a system value.
pub fn older_semantic(span: Span, old: &str, new: &str) -> Diagnostic {
    Diagnostic::new(&c::W0682, span, format!("`{old}` is a semantic of Direct3D 9: with -Gec it stands for `{new}`"))
}
