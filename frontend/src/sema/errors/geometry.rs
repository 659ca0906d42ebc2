//! Diagnostics of geometry shaders: their attributes, primitives and streams; and what they share with tessellation.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

use super::any_of;

/// An attribute that the stage requires.
pub fn missing_attribute(span: Span, stage: &str, example: &str) -> Diagnostic {
    Diagnostic::new(&c::E0610, span, format!("a {stage} shader needs `[{example}]`"))
}

/// More vertices than the outputs of one run hold.
pub fn too_many_scalars(span: Span, vertices: u32, scalars: u32, most: u32) -> Diagnostic {
    let total = u64::from(vertices) * u64::from(scalars);
    let message = format!("{vertices} vertices of {scalars} components are {total}, and a geometry shader makes at most {most}");
    let d = Diagnostic::new(&c::E0690, span, message);
    match most / scalars.max(1) {
        0 => d,
        n => d.note(format!("`[maxvertexcount({n})]` is the most for these outputs")),
    }
}

/// A parameter whose type has the wrong number of vertices for its primitive.
pub fn wrong_vertices(span: Span, word: &str, vertices: u32) -> Diagnostic {
    let array = if vertices == 1 { "an array of 1 vertex".into() } else { format!("an array of {vertices} vertices") };
    Diagnostic::new(&c::E0691, span, format!("an input declared `{word}` must be {array}"))
}

/// An array of vertices without the primitive that they belong to.
pub fn no_primitive(span: Span, words: &[&str]) -> Diagnostic {
    Diagnostic::new(&c::E0691, span, "the vertices of a geometry shader need the primitive that they belong to")
        .note(format!("write {} before the type", any_of(words)))
}

/// A shader that takes no vertices.
pub fn no_vertices(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0691, span, "a geometry shader needs the vertices of its primitive, such as `triangle Vertex v[3]`")
}

/// Inputs of two primitives.
pub fn two_primitives(span: Span, word: &str, first: Span, other: &str) -> Diagnostic {
    Diagnostic::new(&c::E0691, span, format!("a geometry shader runs for one kind of primitive, and `{word}` comes after `{other}`"))
        .label(first, "first declared here")
}

/// `triangle` and the like where there are no primitives.
pub fn misplaced_primitive(span: Span, word: &str, stage: &str) -> Diagnostic {
    Diagnostic::new(&c::E0691, span, format!("`{word}` declares inputs of geometry shaders, and this is a {stage} shader"))
}

/// An `InputPatch` of a geometry shader in SPIR-V.
pub fn patch_in_vulkan(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0691, span, "in Vulkan no geometry shader runs for patches")
        .note("take the vertices of a primitive, such as `triangle Vertex v[3]`")
}

/// A stream or patch in a stage that has none.
pub fn misplaced_object(span: Span, ty: &str, stage: &str) -> Diagnostic {
    Diagnostic::new(&c::E0691, span, format!("`{ty}` cannot be a parameter of a {stage} shader"))
}

/// A stream that is not `inout`.
pub fn stream_passing(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0691, span, format!("a `{ty}` must be passed as `inout`"))
}

/// A shader that makes nothing.
pub fn no_stream(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0691, span, "a geometry shader needs a stream for its vertices, such as `inout TriangleStream<Vertex> s`")
}

/// More streams than there are.
pub fn too_many_streams(span: Span, most: usize) -> Diagnostic {
    Diagnostic::new(&c::E0691, span, format!("a geometry shader has at most {most} streams"))
}

/// Several streams of which one has other primitives than points.
pub fn several_streams(span: Span, ty: &str, other: Span) -> Diagnostic {
    Diagnostic::new(&c::E0691, span, format!("of several streams all must be `PointStream`, and this is a `{ty}`"))
        .label(other, "another stream")
}

/// A result of a function that gives its outputs to streams.
pub fn geometry_result(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0691, span, "a geometry shader returns `void`: it appends its vertices to a stream").fix(span, "void")
}

/// An `out` parameter that is no stream.
pub fn geometry_output(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0691, span, "an output of a geometry shader must be a stream, such as `inout TriangleStream<Vertex> s`")
}

/// A semantic of vertices outside the vertices.
pub fn of_vertices_only(span: Span, name: &str, what: &str, example: &str) -> Diagnostic {
    Diagnostic::new(&c::E0670, span, format!("`{name}` is no system value of {what}"))
        .note(format!("inputs with other semantics belong to the vertices: `{example}`"))
}

/// A number of control points that no patch has.
pub fn patch_size(span: Span, object: &str, n: i128) -> Diagnostic {
    Diagnostic::new(&c::E0692, span, format!("an `{object}` has 1 to 32 control points, not {n}"))
}
