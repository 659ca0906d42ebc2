//! The options of a compilation translated for the type checker.

use rtc_frontend::sema;

use crate::options::{Options, ProfileKind, Target};

/// The options of the type checker.
pub(crate) fn language(o: &Options) -> sema::SemaOptions {
    sema::SemaOptions {
        shader_model: o.profile.minor as u8,
        target: match o.profile.kind {
            ProfileKind::Shader(stage) => sema::Target::Shader(stage, o.entry.clone()),
            _ => sema::Target::Library,
        },
        hlsl_version: o.hlsl_version,
        older_semantics: o.older_semantics,
        native_16bit: o.native_16bit,
        flush_denormals: o.denormals == Some(rtc_ir::Denormals::Flush) || o.profile.minor < rtc_ir::DENORMAL_MODES,
        spirv: matches!(o.target, Target::Spirv | Target::Package),
        entries_by_stage: o.target == Target::Spirv,
        row_major: o.row_major,
        flatten_arrays: o.vulkan.flatten_arrays && o.target == Target::Spirv,
        payload_qualifiers: o.payload_qualifiers,
        export_all: o.export_all,
        export_named: o.exports.iter().map(|e| e.source_name().to_owned()).collect(),
        auto_space: o.auto_space,
        index: false,
    }
}
