//! Small RDAT tables for tests.

use rtc_dxil_container::rdat::{Function, FunctionV2, MinTarget, Rdat, Subobject, SubobjectValue};
use rtc_dxil_container::{HitGroupType, ShaderKind, Version};

pub(crate) fn function(name: &str, kind: ShaderKind) -> Function {
    let payload = !matches!(kind, ShaderKind::RayGeneration | ShaderKind::Intersection | ShaderKind::Library);
    Function {
        name: name.into(),
        unmangled: name.into(),
        resources: Vec::new(),
        dependencies: Vec::new(),
        kind,
        payload_size: if payload { 16 } else { 0 },
        attribute_size: 0,
        features: 0,
        stage_mask: kind.bit(),
        min_target: MinTarget { kind: ShaderKind::Library, model: Version::new(6, 3) },
        v2: FunctionV2::default(),
    }
}

pub(crate) fn sub(name: &str, value: SubobjectValue) -> Subobject {
    Subobject { name: name.into(), value }
}

pub(crate) fn associate(subobject: &str, exports: &[&str]) -> Subobject {
    let exports = exports.iter().map(|e| e.to_string()).collect();
    let name = format!("{subobject}_to");
    sub(&name, SubobjectValue::Association { subobject: subobject.into(), exports })
}

/// `Gen`, `Hit`, `Any`, `Sky`; configurations `SC` and `PC`, and the group `G` of `Any` and `Hit`.
pub(crate) fn library() -> Rdat {
    Rdat {
        functions: vec![
            function("Gen", ShaderKind::RayGeneration),
            function("Hit", ShaderKind::ClosestHit),
            function("Any", ShaderKind::AnyHit),
            function("Sky", ShaderKind::Miss),
        ],
        subobjects: vec![
            sub("SC", SubobjectValue::ShaderConfig { max_payload: 16, max_attributes: 8 }),
            sub("PC", SubobjectValue::PipelineConfig { max_recursion: 2 }),
            sub(
                "G",
                SubobjectValue::HitGroup {
                    ty: HitGroupType::Triangle,
                    any_hit: "Any".into(),
                    closest_hit: "Hit".into(),
                    intersection: String::new(),
                },
            ),
        ],
        ..Rdat::default()
    }
}
