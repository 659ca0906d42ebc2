//! Attributes `[[vk::name]]`, and what each may be written on. Elsewhere one has no meaning, and a shader that has it there expects what
//! does not happen.

use crate::resources::{ResourceClass, ResourceKind as K};
use crate::vk_builtins::PIXEL_MODES;

/// A set of things that attributes are written on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct On(u32);

impl On {
    /// A function.
    pub const FUNCTION: On = On(1);
    /// A parameter.
    pub const PARAMETER: On = On(1 << 1);
    /// A member of a structure.
    pub const MEMBER: On = On(1 << 2);
    /// A number or structure in a cbuffer or tbuffer.
    pub const BLOCK_MEMBER: On = On(1 << 3);
    /// A cbuffer or tbuffer.
    pub const BLOCK: On = On(1 << 4);
    /// The definition of a structure or enumeration.
    pub const TYPE: On = On(1 << 5);
    /// The declaration of another name of a type.
    pub const ALIAS: On = On(1 << 6);
    /// A statement.
    pub const STATEMENT: On = On(1 << 7);
    /// A variable of a function.
    pub const LOCAL: On = On(1 << 8);
    /// A variable outside of functions that is a scalar. So are all that follow: variables outside of functions, by their type.
    pub const SCALAR: On = On(1 << 9);
    /// A structure.
    pub const STRUCTURE: On = On(1 << 10);
    /// A constant or texture buffer.
    pub const CONSTANTS: On = On(1 << 11);
    /// A texture that is only read.
    pub const TEXTURE: On = On(1 << 12);
    /// A sampler.
    pub const SAMPLER: On = On(1 << 13);
    /// A texture that is written, or a buffer of texels.
    pub const TEXELS: On = On(1 << 14);
    /// A structured buffer that may have a counter.
    pub const COUNTED: On = On(1 << 15);
    /// An input attachment.
    pub const ATTACHMENT: On = On(1 << 16);
    /// Anything else.
    pub const OTHER: On = On(1 << 17);

    /// Whether all of `one` are in the set.
    pub const fn has(self, one: On) -> bool {
        self.0 & one.0 == one.0
    }
    /// Whether the sets have anything in common.
    pub const fn meets(self, other: On) -> bool {
        self.0 & other.0 != 0
    }
    /// What is in one of the sets.
    pub const fn or(self, other: On) -> On {
        On(self.0 | other.0)
    }
}

/// Variables outside of functions, of any type.
pub const GLOBAL: On = On(On::OTHER.0 * 2 - On::SCALAR.0);
const STAGE: On = On::FUNCTION.or(On::PARAMETER).or(On::MEMBER);
const RECORD: On = On::STRUCTURE.or(On::CONSTANTS).or(On::BLOCK);
const VARIABLE: On = GLOBAL.or(On::LOCAL).or(On::PARAMETER);
const OBJECT: On = VARIABLE.or(On::MEMBER).or(On::BLOCK_MEMBER).or(On::ALIAS);
const DECLARED: On = OBJECT.or(On::FUNCTION);

/// An attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VkAttribute {
    /// Its name after `vk::`.
    pub name: &'static str,
    /// What it may be written on.
    pub on: On,
    /// The same in words.
    pub what: &'static str,
    /// What it says.
    pub about: &'static str,
}

const fn a(name: &'static str, on: On, what: &'static str, about: &'static str) -> VkAttribute {
    VkAttribute { name, on, what, about }
}

/// Every attribute but those that are execution modes of pixel shaders, which [`PIXEL_MODES`] has.
#[rustfmt::skip]
pub const VK_ATTRIBUTES: &[VkAttribute] = &[
    a("builtin",                STAGE,                              "functions, parameters and members",
        "The input or output is this built-in variable of Vulkan, whatever its semantic says."),
    a("location",               STAGE,                              "functions, parameters and members",
        "The location of the input or output."),
    a("index",                  STAGE,                              "functions, parameters and members",
        "The index of the output at its location, for dual-source blending."),
    a("offset",                 On::MEMBER.or(On::BLOCK_MEMBER),    "members",
        "The offset of the member in bytes."),
    a("binding",                GLOBAL.or(On::BLOCK),               "variables outside of functions, cbuffers and tbuffers",
        "Binding and descriptor set of the resource; without a set it is 0."),
    a("counter_binding",        On::COUNTED,                        "structured buffers that are appended to, consumed or written",
        "The binding of the buffer's counter, in the set of the buffer."),
    a("push_constant",          On::STRUCTURE.or(On::CONSTANTS),    "structures and constant buffers outside of functions",
        "The constants are pushed into the command buffer. A shader has one such block."),
    a("shader_record",          RECORD,                             "constant buffers and structures outside of functions",
        "The constants are in the shader record, after the group handle."),
    a("shader_record_ext",      RECORD,                             "constant buffers and structures outside of functions",
        "The constants are in the shader record, after the group handle."),
    a("shader_record_nv",       RECORD,                             "constant buffers and structures outside of functions",
        "The constants are in the shader record, after the group handle."),
    a("constant_id",            On::SCALAR,                         "scalars outside of functions",
        "A specialization constant with this number: the host may replace its value when it makes the pipeline."),
    a("input_attachment_index", On::ATTACHMENT,                     "`SubpassInput` and `SubpassInputMS`",
        "The index of the input attachment in the subpass."),
    a("image_format",           On::TEXELS,                         "textures that are written, and typed buffers",
        "The format of the texels, where the type leaves it open."),
    a("combinedImageSampler",   On::TEXTURE.or(On::SAMPLER),        "textures and samplers",
        "Texture and sampler of the same binding are one descriptor."),
    a("aliased_pointer",        VARIABLE.or(On::MEMBER).or(On::BLOCK_MEMBER), "variables, parameters and members",
        "The pointer may point to what another one points to."),
    a("spvexecutionmode",       On::FUNCTION,                       "functions",
        "Adds an execution mode with this number to the entry point."),
    a("ext_instruction",        On::FUNCTION,                       "functions",
        "Calls of the function are the instruction of SPIR-V with this number."),
    a("ext_type_def",           On::FUNCTION,                       "functions",
        "The function declares a type of SPIR-V."),
    a("ext_literal",            On::PARAMETER,                      "parameters",
        "The argument is a literal operand of the instruction."),
    a("ext_reference",          On::PARAMETER,                      "parameters",
        "The argument is passed by its pointer."),
    a("ext_builtin_input",      VARIABLE,                           "variables",
        "The variable is the built-in input of SPIR-V with this number."),
    a("ext_builtin_output",     VARIABLE,                           "variables",
        "The variable is the built-in output of SPIR-V with this number."),
    a("ext_storage_class",      VARIABLE,                           "variables and parameters",
        "The storage class of the variable, by number."),
    a("ext_decorate",           DECLARED,                           "functions, parameters, variables, members and names of types",
        "Adds a decoration of SPIR-V with literal operands."),
    a("ext_decorate_id",        OBJECT,                             "parameters, variables, members and names of types",
        "Adds a decoration of SPIR-V whose operands are constants."),
    a("ext_decorate_string",    OBJECT,                             "parameters, variables, members and names of types",
        "Adds a decoration of SPIR-V with a text."),
    a("ext_capability",         DECLARED.or(On::STATEMENT),         "functions, parameters, variables, members, names of types and statements",
        "The module declares the capability with this number."),
    a("ext_extension",          DECLARED.or(On::STATEMENT),         "functions, parameters, variables, members, names of types and statements",
        "The module declares the extension of this name."),
];

/// The attribute of this name.
pub fn vk_attribute(name: &str) -> Option<VkAttribute> {
    let mode =
        || PIXEL_MODES.iter().find(|m| m.name == name).map(|m| a(m.name, On::FUNCTION, "functions", "An execution mode of pixel shaders."));
    VK_ATTRIBUTES.iter().find(|r| r.name == name).copied().or_else(mode)
}

/// What a variable outside of functions is that is a resource of this class and shape.
pub fn resource_on(class: ResourceClass, kind: K) -> On {
    match (class, kind) {
        (ResourceClass::Sampler, _) => On::SAMPLER,
        (_, K::CBuffer | K::TBuffer) => On::CONSTANTS,
        (_, K::SubpassInput | K::SubpassInputMS) => On::ATTACHMENT,
        (_, K::TypedBuffer) => On::TEXELS,
        (ResourceClass::Uav, K::StructuredBuffer) => On::COUNTED,
        (class, kind) if kind.is_texture() => match class {
            ResourceClass::Uav => On::TEXELS,
            _ => On::TEXTURE,
        },
        _ => On::OTHER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_row() {
        for (n, r) in VK_ATTRIBUTES.iter().enumerate() {
            assert!(!VK_ATTRIBUTES[..n].iter().any(|o| o.name == r.name), "{}", r.name);
            assert!(!PIXEL_MODES.iter().any(|m| m.name == r.name), "{}", r.name);
        }
    }

    #[test]
    fn variables_are_those_outside_of_functions() {
        assert!(GLOBAL.has(On::SCALAR) && GLOBAL.has(On::ATTACHMENT) && GLOBAL.has(On::OTHER));
        assert!(!GLOBAL.has(On::LOCAL));
    }
}
