//! Decorations for reflection (`-fspv-reflect`): the HLSL type of each resource, the counter of each buffer, the semantic of each
//! system value.

use rtc_ir::{Global, ResourceDecl};
use rtc_tables::resources::ResourceClass;
use spirv::{BuiltIn, Decoration, Op};

use super::Emitter;
use crate::words::{Id, operands, put, with_text};

/// The semantics of system values that are parameters in HLSL.
const SEMANTICS: &[(BuiltIn, &str)] = &[
    (BuiltIn::GlobalInvocationId, "SV_DispatchThreadID"),
    (BuiltIn::WorkgroupId, "SV_GroupID"),
    (BuiltIn::LocalInvocationId, "SV_GroupThreadID"),
    (BuiltIn::LocalInvocationIndex, "SV_GroupIndex"),
];

impl Emitter<'_> {
    /// Says what HLSL type a resource's variable has.
    pub(crate) fn reflect_resource(&mut self, var: Id, decl: &ResourceDecl) {
        let r = self.m.types.as_resource(decl.ty);
        let name = match r.map(|r| r.class) {
            Some(ResourceClass::Sampler) | None => return,
            Some(ResourceClass::Srv) if decl.kind.is_block() => "tbuffer".to_string(),
            Some(_) => user_type(&decl.hlsl),
        };
        self.decorate_string(var, Decoration::UserTypeGOOGLE, &name);
        self.w.extension("SPV_GOOGLE_user_type", || "HLSL types for reflection".into());
    }

    /// The variable of a buffer's counter, if a decoration is to name it: what a decoration names comes before what it is of.
    pub(crate) fn counter_to_reflect(&mut self, g: Global) -> Option<Id> {
        let slot = self.bindings.counter(g).filter(|_| self.reflect)?;
        Some(self.counter_var(g, slot))
    }

    /// Says which variable holds the counter of a buffer.
    pub(crate) fn reflect_counter(&mut self, buffer: Id, counter: Id) {
        put(&mut self.w.reflection, Op::DecorateId, &operands![buffer, Decoration::HlslCounterBufferGOOGLE, counter]);
        self.w.extension("SPV_GOOGLE_hlsl_functionality1", || "HLSL types for reflection".into());
    }

    /// Says what semantic a system value has.
    pub(crate) fn reflect_builtin(&mut self, var: Id, b: BuiltIn) {
        if let (true, Some((_, semantic))) = (self.reflect, SEMANTICS.iter().find(|s| s.0 == b)) {
            self.decorate_string(var, Decoration::HlslSemanticGOOGLE, semantic);
        }
    }

    fn decorate_string(&mut self, id: Id, d: Decoration, text: &str) {
        put(&mut self.w.reflection, Op::DecorateString, &with_text(operands![id, d], text));
        self.w.extension("SPV_GOOGLE_decorate_string", || "HLSL types for reflection".into());
        self.w.extension("SPV_GOOGLE_hlsl_functionality1", || "HLSL types for reflection".into());
    }
}

/// The HLSL type as the decoration spells it: `structuredbuffer:<Light>`.
fn user_type(hlsl: &str) -> String {
    let plain = hlsl.replace("column_major ", "").replace("row_major ", "");
    match plain.split_once('<') {
        Some((object, inside)) => format!("{}:<{}", object.to_ascii_lowercase(), inside.replace(", ", ",")),
        None => plain.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_spelled_as_the_reference_does() {
        assert_eq!(user_type("RWStructuredBuffer<float>"), "rwstructuredbuffer:<float>");
        assert_eq!(user_type("Texture2DMSArray<float4, 64>"), "texture2dmsarray:<float4,64>");
        assert_eq!(user_type("StructuredBuffer<column_major float4x4>"), "structuredbuffer:<float4x4>");
        assert_eq!(user_type("RWByteAddressBuffer"), "rwbyteaddressbuffer");
    }
}
