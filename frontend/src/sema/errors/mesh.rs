//! Diagnostics of mesh and amplification shaders.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;
use rtc_tables::limits::{MESH_GROUP_THREADS, MESH_OUTPUTS, MESH_PAYLOAD_BYTES};

/// No `[numthreads]`.
pub fn no_numthreads(span: Span, stage: &str) -> Diagnostic {
    Diagnostic::new(&c::E0680, span, format!("a shader of stage {stage} needs `[numthreads(x, y, z)]`"))
}

/// Too many threads.
pub fn numthreads(span: Span, stage: &str) -> Diagnostic {
    Diagnostic::new(&c::E0680, span, format!("a group of a shader of stage {stage} has 1 to {MESH_GROUP_THREADS} threads in all"))
}

/// No `[outputtopology]`.
pub fn no_topology(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0680, span, "a mesh shader needs `[outputtopology(\"triangle\")]` or `[outputtopology(\"line\")]`")
}

/// Another topology.
pub fn topology(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0680, span, "a mesh shader makes \"triangle\" or \"line\" primitives, or in Vulkan \"point\"")
}

/// Points in DXIL.
pub fn points(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0680, span, "mesh shaders make points in Vulkan alone: in DXIL they make \"triangle\" or \"line\" primitives")
}

/// A result.
pub fn result(span: Span, stage: &str) -> Diagnostic {
    Diagnostic::new(&c::E0680, span, format!("a shader of stage {stage} returns `void`")).fix(span, "void")
}

/// A specifier of mesh shaders at another stage's parameter.
pub fn other_stage(span: Span, word: &str, stage: &str) -> Diagnostic {
    Diagnostic::new(&c::E0681, span, format!("`{word}` is for parameters of mesh shaders, and this is a {stage} shader"))
}

/// `vertices` and its like without `out`.
pub fn not_out(span: Span, word: &str) -> Diagnostic {
    Diagnostic::new(&c::E0681, span, format!("a parameter that is `{word}` must be `out`"))
}

/// An `out` parameter without one of these specifiers.
pub fn plain_out(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0681, span, "an output of a mesh shader is `out vertices`, `out indices` or `out primitives`")
}

/// Not an array, or of a size that is impossible.
pub fn array(span: Span, word: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0681, span, format!("`{word}` must be an array of 1 to {MESH_OUTPUTS} members, not `{ty}`"))
}

/// The same array twice.
pub fn twice(span: Span, word: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0681, span, format!("a mesh shader has one array of {word}")).label(first, "the first is here")
}

/// Indices of another type than the topology has.
pub fn indices(span: Span, ty: &str, want: &str, topology: &str) -> Diagnostic {
    Diagnostic::new(&c::E0681, span, format!("the indices of a {topology} have type `{want}`, not `{ty}`"))
}

/// Arrays of indices and primitives of different sizes.
pub fn different_sizes(span: Span, primitives: u32, first: Span, indices: u32) -> Diagnostic {
    let text = format!("there are {primitives} primitives, but indices of {indices}");
    Diagnostic::new(&c::E0681, span, text).label(first, "the indices")
}

/// Outputs beyond the limit.
pub fn too_large(span: Span, bytes: u64, limit: u64) -> Diagnostic {
    Diagnostic::new(&c::E0681, span, format!("the outputs of the mesh shader take {bytes} bytes; {limit} is the limit"))
        .note("arrays are rounded up to multiples of 32 members; every component takes 4 bytes")
}

/// Outputs and payload beyond the limit.
pub fn too_large_with_payload(span: Span, bytes: u64, payload: u32, limit: u64) -> Diagnostic {
    let text = format!("the outputs of the mesh shader take {bytes} bytes and its payload {payload}; {limit} is the limit for both");
    Diagnostic::new(&c::E0681, span, text).note("arrays are rounded up to multiples of 32 members; every component takes 4 bytes")
}

/// A payload in the wrong place.
pub fn payload_passing(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0682, span, "the payload of a mesh shader is `in payload`")
}

/// A second payload.
pub fn second_payload(span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0682, span, "a mesh shader has one payload").label(first, "the first is here")
}

/// A payload beyond the limit.
pub fn payload_size(span: Span, ty: &str, bytes: u32) -> Diagnostic {
    Diagnostic::new(&c::E0682, span, format!("the payload `{ty}` has {bytes} bytes; {MESH_PAYLOAD_BYTES} is the limit"))
}

/// An output that is read.
pub fn read(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0683, span, "the outputs of a mesh shader can be written, not read")
        .note("keep the value in a variable, and assign that to the output")
}

/// An output as an argument, or another use of a whole array.
pub fn whole(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0683, span, "an array of outputs of a mesh shader can only be written member by member")
}

/// Part of the indices of a primitive.
pub fn part_of_indices(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0683, span, "the indices of a primitive must be written together").note("assign a whole vector")
}
