//! Diagnostics of resources, constant buffers, groupshared memory and semantics.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;
use rtc_tables::limits::CONSTANT_BUFFER_BYTES;

use super::chain;

/// An invalid texel type.
pub fn bad_texel(span: Span, object: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0503, span, format!("`{object}` cannot hold `{ty}`"))
        .note("a texel is a scalar or vector of numbers of at most 16 bytes")
}

/// `GatherRaw` of a texture whose texels are no single unsigned integers.
pub fn not_raw(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0503, span, format!("`GatherRaw` reads textures of single unsigned integers, this is one of `{ty}`"))
        .note("declare it as a texture of `uint16_t`, `uint` or `uint64_t`, whichever is as wide as its texels")
}

/// An invalid element type.
pub fn bad_element(span: Span, object: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0503, span, format!("`{object}` cannot hold `{ty}`")).note("elements consist of numbers")
}

/// `ConstantBuffer<float4>`
pub fn not_a_record(span: Span, object: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0503, span, format!("`{object}` requires a structure, found `{ty}`"))
}

/// A resource in a constant buffer.
pub fn object_in_block(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0504, span, format!("`{ty}` cannot be in a constant buffer: it is or contains an object"))
}

/// A global structure with objects in it that are no resources, or with too many parts.
pub fn mixed_struct(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0504, span, format!("`{ty}` has members that are neither resources nor numbers, or too many members"))
        .note("such a variable can be local or `static`")
}

/// `ConstantBuffer<S> b[2]`, where `S` holds resources.
pub fn objects_in_view(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0504, span, format!("`{ty}` cannot be in an array of constant buffers: it contains objects"))
        .note("one constant buffer can hold it; its resources are bound like those outside of buffers")
}

/// A register of the wrong class.
pub fn register_class(span: Span, got: char, want: char) -> Diagnostic {
    Diagnostic::new(&c::E0501, span, format!("wrong register class for this resource: expected `{want}`, found `{got}`"))
}

/// A second register.
pub fn two_registers(span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0501, span, "duplicate register").label(first, "first register")
}

/// An annotation that is not allowed there.
pub fn misplaced_annotation(span: Span, context: &str) -> Diagnostic {
    Diagnostic::new(&c::E0501, span, format!("this annotation is not allowed on {context}"))
}

/// `packoffset` outside of a constant buffer.
pub fn packoffset_outside(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0502, span, "`packoffset` is only allowed on members of constant buffers")
}

/// A misaligned `packoffset`.
pub fn packoffset_misaligned(span: Span, name: &str, at: u32) -> Diagnostic {
    Diagnostic::new(&c::E0502, span, format!("`{name}` cannot be at byte {at}"))
        .note("a number does not cross a row of 16 bytes; arrays, matrices and structures start one")
}

/// A misaligned `[[vk::offset]]`.
pub fn vk_offset_misaligned(span: Span, name: &str, at: u32, align: u32) -> Diagnostic {
    Diagnostic::new(&c::E0502, span, format!("`{name}` cannot be at byte {at}"))
        .note(format!("in Vulkan it is at a multiple of {align}, the size of its largest number"))
}

/// Overlapping members.
pub fn packoffset_overlap(span: Span, name: &str, other: Span, other_name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0502, span, format!("`{name}` overlaps `{other_name}`")).label(other, format!("`{other_name}`"))
}

/// More than a constant buffer can hold.
pub fn block_too_large(span: Span, name: &str, size: u32) -> Diagnostic {
    Diagnostic::new(&c::E0502, span, format!("`{name}` has {size} bytes; a constant buffer has at most {CONSTANT_BUFFER_BYTES}"))
}

/// An initialiser of a uniform variable.
pub fn uniform_initialiser(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0307, span, "this initialiser has no effect: the host sets the variable")
        .note("a constant of the shader is declared `static const`")
}

/// An element of a structured buffer beyond the limit.
pub fn element_too_large(span: Span, object: &str, ty: &str, size: u32, most: u32) -> Diagnostic {
    Diagnostic::new(&c::E0503, span, format!("`{ty}` has {size} bytes; an element of a `{object}` has at most {most}"))
}

/// More groupshared memory than a thread group has.
pub fn groupshared_too_large(span: Span, entry: &str, size: u64, most: u64) -> Diagnostic {
    Diagnostic::new(&c::E0505, span, format!("`{entry}` uses {size} bytes of groupshared memory; a thread group has at most {most}"))
}

/// `[[vk::push_constant]]` on a pointer instead of a structure.
pub fn pushed_pointer(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, "`[[vk::push_constant]]` applies to structures, and this is a buffer pointer")
        .note("a structure of push constants can have a pointer as its member")
}

/// `[[vk::binding(…)]]` on what is no descriptor.
pub fn binding_of_no_descriptor(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("`[[vk::binding]]` applies to descriptors, not to {what}"))
}

/// A second block of push constants.
pub fn push_constants_twice(span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, "a module has one block of push constants").label(first, "the first one is here")
}

/// `[[vk::binding(…)]]` on a variable that is a member of the constant buffer of all globals.
pub fn binding_of_number(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("`{name}` is a member of the constant buffer `$Globals`, and has no binding of its own"))
        .note("-fvk-bind-globals gives that buffer a binding; a cbuffer of its own has one too")
}

/// An initialiser of a resource.
pub fn resource_initialiser(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0328, span, "a resource cannot have an initialiser").note("`static` declares a name for another resource")
}

/// An initialiser of shared memory.
pub fn groupshared_initialiser(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0307, span, "this initialiser has no effect: groupshared memory is not initialised")
        .note("one thread assigns the value, and a barrier follows")
}

/// A resource in shared memory.
pub fn groupshared_object(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0505, span, format!("`{ty}` cannot be groupshared"))
}

/// Shared memory used by a stage without thread groups.
pub fn groupshared_in_stage(span: Span, name: &str, stage: &str, entry: &str, calls: &[(String, Span)]) -> Diagnostic {
    let d =
        Diagnostic::new(&c::E0505, span, format!("`{name}` is groupshared, but `{entry}` is a {stage} shader, which has no thread group"));
    chain(d, calls)
}

/// A parameter of a compute shader without semantic.
pub fn no_semantic(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0601, span, "a parameter of a compute shader needs a semantic such as `SV_DispatchThreadID`")
}

/// A semantic that compute shaders do not have.
pub fn unknown_semantic(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0601, span, format!("compute shaders do not have the system value `{name}`"))
        .note("they have SV_DispatchThreadID, SV_GroupID, SV_GroupThreadID and SV_GroupIndex")
}

/// A system value of another type.
pub fn semantic_type(span: Span, name: &str, ty: &str, n: u32) -> Diagnostic {
    let want = if n == 1 { "uint".to_string() } else { format!("uint{n}") };
    Diagnostic::new(&c::E0601, span, format!("`{name}` must have type `{want}`, found `{ty}`"))
}

/// `[[vk::image_format("…")]]` with a name that is none.
pub fn unknown_image_format(span: Span, name: &str) -> Diagnostic {
    let near = rtc_tables::resources::ImageFormat::ALL
        .iter()
        .map(|f| f.name())
        .filter(|f| !name.is_empty() && f.starts_with(name.get(..3).unwrap_or(name)))
        .collect::<Vec<_>>()
        .join(", ");
    let d = Diagnostic::new(&c::E0630, span, format!("unknown image format `{name}`"));
    if near.is_empty() {
        d.note("formats are written as in `[[vk::image_format(\"rgba16f\")]]`")
    } else {
        d.note(format!("similar formats: {near}"))
    }
}

/// `[[vk::image_format("…")]]` of other numbers than those of the texture.
pub fn other_image_format(span: Span, name: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0630, span, format!("texels of format `{name}` are no `{ty}`"))
        .note("formats that end with `ui` hold unsigned integers, those with `i` signed ones, and others floats; `r64i` and `r64ui` are 64 bits wide")
}

/// `[[vk::image_format("…")]]` of unsigned integers for signed ones, or the reverse.
pub fn image_format_of_other_sign(span: Span, name: &str, ty: &str) -> Diagnostic {
    let sign = if name.ends_with("ui") { "unsigned" } else { "signed" };
    Diagnostic::new(&c::W0631, span, format!("texels of format `{name}` are {sign} integers, those of `{ty}` are not"))
        .note("what is read of a format with fewer bits than the type is undefined in the others")
}

/// A rasterizer-ordered view outside of pixel shaders.
pub fn ordered_view_in_stage(span: Span, name: &str, ty: &str, stage: &str, entry: &str, calls: &[(String, Span)]) -> Diagnostic {
    let d = Diagnostic::new(&c::E0632, span, format!("`{name}` is a `{ty}`, but `{entry}` is a {stage} shader"));
    let plain = ty.replacen("RasterizerOrdered", "RW", 1);
    chain(d, calls).note(format!("rasterizer order exists only in pixel shaders; use `{plain}` and atomic operations or barriers"))
}

/// Half of a combined image sampler; `other`: what is missing.
pub fn combined_image_sampler(span: Span, name: &str, other: &str) -> Diagnostic {
    Diagnostic::new(&c::W0630, span, format!("no {other} with `vk::combinedImageSampler` has the binding of `{name}`"))
        .note("both write the same `[[vk::binding(binding, set)]]`, and are one descriptor")
}
