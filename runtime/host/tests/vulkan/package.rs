//! The package around the module: RDAT and binding map as a compiler would write them.

use rtc_dxil_container::rdat::{Function, FunctionV2, MinTarget, Rdat, Resource, Subobject, SubobjectValue};
use rtc_dxil_container::{ComponentType, HitGroupType, ResourceClass, ResourceKind, ShaderKind, Version};
use rtc_package::{Binding, BindingMap, DescriptorKind, EntryPoint, Package, RecordLayout, Requirement, RequirementKind, UNBOUNDED};
use rtc_rootsig as rootsig;

fn sub(name: &str, value: SubobjectValue) -> Subobject {
    Subobject { name: name.into(), value }
}

fn signature(text: &str, scope: rootsig::Scope) -> Vec<u8> {
    let parsed = rootsig::parse(text, rootsig::RootVersion::V1_1, scope).expect("a root signature");
    rootsig::write(&parsed)
}

/// Name, stage, entry point, payload bytes, attribute bytes, whether it reads its record.
const SHADERS: [(&str, ShaderKind, &str, u32, u32, bool); 9] = [
    ("RayGen", ShaderKind::RayGeneration, "main_raygen", 0, 0, false),
    ("Fill", ShaderKind::RayGeneration, "main_fill", 0, 0, false),
    ("Sample", ShaderKind::RayGeneration, "main_sample", 0, 0, false),
    ("Miss", ShaderKind::Miss, "main_miss", 16, 0, false),
    ("Hit", ShaderKind::ClosestHit, "main_hit", 16, 8, true),
    ("Cut", ShaderKind::AnyHit, "main_cut", 16, 8, false),
    ("BoxTest", ShaderKind::Intersection, "main_box_test", 0, 0, false),
    ("BoxHit", ShaderKind::ClosestHit, "main_box_hit", 16, 8, true),
    ("Tint", ShaderKind::Callable, "main_tint", 16, 0, true),
];

/// Name, class, kind, register, space, count, set, binding, descriptor.
type Row = (&'static str, ResourceClass, ResourceKind, u32, u32, u32, Option<(u32, u32, DescriptorKind)>);

#[rustfmt::skip]
const RESOURCES: [Row; 11] = [
    ("Camera", ResourceClass::Cbv, ResourceKind::CBuffer, 0, 0, 1, Some((0, 2, DescriptorKind::UniformBuffer))),
    ("Material", ResourceClass::Cbv, ResourceKind::CBuffer, 0, 1, 1, None),
    ("Pushed", ResourceClass::Cbv, ResourceKind::CBuffer, 1, 0, 1, Some((0, 0, DescriptorKind::PushConstants))),
    ("Smooth", ResourceClass::Sampler, ResourceKind::Sampler, 0, 0, 1, Some((2, 5, DescriptorKind::Sampler))),
    ("Scene", ResourceClass::Srv, ResourceKind::AccelerationStructure, 0, 0, 1, Some((0, 0, DescriptorKind::AccelerationStructure))),
    ("Textures", ResourceClass::Srv, ResourceKind::Texture2D, 1, 0, 2, Some((2, 0, DescriptorKind::SampledImage))),
    ("Addends", ResourceClass::Srv, ResourceKind::TypedBuffer, 3, 0, 1, Some((1, 4, DescriptorKind::UniformTexelBuffer))),
    ("Many", ResourceClass::Srv, ResourceKind::StructuredBuffer, 0, 3, UNBOUNDED, Some((3, 0, DescriptorKind::StorageBuffer))),
    ("Output", ResourceClass::Uav, ResourceKind::Texture2D, 0, 0, 1, Some((0, 1, DescriptorKind::StorageImage))),
    ("Numbers", ResourceClass::Uav, ResourceKind::StructuredBuffer, 1, 0, 1, Some((0, 3, DescriptorKind::StorageBuffer))),
    ("Doubles", ResourceClass::Uav, ResourceKind::TypedBuffer, 2, 0, 1, Some((1, 5, DescriptorKind::StorageTexelBuffer))),
];

/// The package; `max_recursion` as its pipeline config declares it.
pub fn package(max_recursion: u32) -> Package {
    let functions = SHADERS.iter().map(|(name, kind, _, payload, attributes, _)| Function {
        name: format!("\u{1}?{name}@@YAXXZ"),
        unmangled: name.to_string(),
        resources: Vec::new(),
        dependencies: Vec::new(),
        kind: *kind,
        payload_size: *payload,
        attribute_size: *attributes,
        features: 0,
        stage_mask: kind.bit(),
        min_target: MinTarget { kind: ShaderKind::Library, model: Version::new(6, 3) },
        v2: FunctionV2::default(),
    });
    let resources = RESOURCES.iter().map(|(name, class, kind, register, space, count, _)| Resource {
        class: *class,
        kind: *kind,
        id: 0,
        space: *space,
        lower: *register,
        upper: register.saturating_add(count - 1),
        name: name.to_string(),
        flags: 0,
    });
    let group = |ty, any_hit: &str, closest_hit: &str, intersection: &str| SubobjectValue::HitGroup {
        ty,
        any_hit: any_hit.into(),
        closest_hit: closest_hit.into(),
        intersection: intersection.into(),
    };
    let local = "RootFlags(LOCAL_ROOT_SIGNATURE), RootConstants(num32BitConstants = 4, b0, space = 1)";
    let global =
        "StaticSampler(s0, filter = FILTER_MIN_MAG_MIP_LINEAR, addressU = TEXTURE_ADDRESS_CLAMP, addressV = TEXTURE_ADDRESS_CLAMP)";
    let subobjects = vec![
        sub("Global", SubobjectValue::GlobalRootSignature { data: signature(global, rootsig::Scope::Global) }),
        sub("Local", SubobjectValue::LocalRootSignature { data: signature(local, rootsig::Scope::Local) }),
        sub("LocalTo", SubobjectValue::Association { subobject: "Local".into(), exports: vec!["Tri".into(), "Box".into(), "Tint".into()] }),
        sub("Tri", group(HitGroupType::Triangle, "Cut", "Hit", "")),
        sub("Box", group(HitGroupType::Procedural, "", "BoxHit", "BoxTest")),
        sub("Shaders", SubobjectValue::ShaderConfig { max_payload: 16, max_attributes: 8 }),
        sub("Pipeline", SubobjectValue::PipelineConfig { max_recursion }),
    ];
    let parsed = rootsig::parse(local, rootsig::RootVersion::V1_1, rootsig::Scope::Local).expect("parses");
    let record = rootsig::record_layout(&parsed).expect("a layout");
    let all = SHADERS.iter().fold(0, |bits, s| bits | s.1.bit());
    Package {
        flags: 0,
        rdat: Rdat { resources: resources.collect(), functions: functions.collect(), subobjects, ..Rdat::default() },
        spirv: super::module::words(),
        forms: Vec::new(),
        layouts: Vec::new(),
        map: BindingMap {
            bindings: RESOURCES
                .iter()
                .filter_map(|(name, class, kind, register, space, count, place)| {
                    let (set, binding, descriptor) = (*place)?;
                    let buffer = matches!(kind, ResourceKind::StructuredBuffer | ResourceKind::CBuffer);
                    Some(Binding {
                        name: name.to_string(),
                        class: *class,
                        kind: *kind,
                        space: *space,
                        register: *register,
                        count: *count,
                        set,
                        binding,
                        descriptor,
                        stride_or_size: match kind {
                            ResourceKind::CBuffer if *name == "Pushed" => 4,
                            ResourceKind::CBuffer => 16,
                            ResourceKind::StructuredBuffer => 4,
                            _ => 0,
                        },
                        component: if buffer { ComponentType::Invalid } else { ComponentType::F32 },
                        components: 0,
                        writable: *class == ResourceClass::Uav,
                        coherent: false,
                        non_uniform: false,
                        counter: (*name == "Numbers").then_some((0, 9)),
                        heap: false,
                        stages: all,
                    })
                })
                .collect(),
            entries: SHADERS
                .iter()
                .map(|(name, kind, entry, payload, attributes, reads)| EntryPoint {
                    export: name.to_string(),
                    spirv_name: entry.to_string(),
                    stage: *kind,
                    record: reads.then_some(0),
                    payload_size: *payload,
                    attribute_size: *attributes,
                    elements: Vec::new(),
                })
                .collect(),
            records: vec![RecordLayout { root_signature: "Local".into(), params: record.params, size: record.size }],
            requirements: vec![Requirement {
                kind: RequirementKind::DeviceFeature,
                name: "rayTracingPipeline".into(),
                extension: "VK_KHR_ray_tracing_pipeline".into(),
                reason: "ray-tracing stages".into(),
            }],
            ..BindingMap::default()
        },
    }
}
