//! The binding map: what a runtime must know to use the module.

use rtc_dxil::container::ShaderKind;
use rtc_dxil::container::package::{
    Binding, BindingMap, DescriptorKind, EntryPoint, Requirement, RequirementKind, TargetEnv,
    UNBOUNDED,
};
use rtc_ir::{Function, Global, InstData, Module, Scalar, SlotRole, Type, TypeKind};
use rtc_tables::features::{SPIRV_CAPABILITIES, SPIRV_EXTENSIONS};
use rtc_tables::resources::{ResourceClass, ResourceFlags, ResourceKind};
use rustc_hash::FxHashMap;

use crate::bindings::{Bindings, Home};
use crate::words::Words;

/// What is known of a resource's uses.
#[derive(Default, Clone, Copy)]
struct Use {
    stages: u32,
    nonuniform: bool,
    descriptor: bool,
}

/// Makes the binding map of a module whose words are written.
pub fn binding_map(m: &Module, b: &Bindings, w: &Words, target: TargetEnv) -> BindingMap {
    let uses = uses(m, b);
    let mut bindings = Vec::new();
    for (g, data) in &m.globals {
        let (Some(decl), Some(u)) = (data.resource(), uses.get(&g)) else { continue };
        if !u.descriptor {
            continue;
        }
        let r = m.types.as_resource(decl.ty).expect("resources have resource types");
        let (set, binding) = b.descriptor(g);
        let coherent = ResourceFlags::COHERENT | ResourceFlags::REORDER_COHERENT;
        bindings.push(Binding {
            name: data.name.clone(),
            class: r.class,
            kind: r.kind,
            space: decl.binding.space,
            register: decl.binding.register.unwrap_or(u32::MAX),
            count: decl.count.unwrap_or(UNBOUNDED),
            set,
            binding,
            descriptor: descriptor(r.class, r.kind),
            stride_or_size: r.stride,
            component: r.comp,
            components: r.elem.map_or(0, |t| m.types.lanes(t) as u8),
            writable: r.class == ResourceClass::Uav,
            coherent: r.flags.intersects(coherent),
            non_uniform: u.nonuniform,
            counter: None,
            stages: u.stages,
        });
    }
    bindings.sort_by_key(|x| (x.set, x.binding));
    let entries = m.funcs.values().filter(|f| f.is_entry()).map(|f| entry(m, b, f)).collect();
    let records = b.records.layouts.clone();
    BindingMap { target, bindings, entries, records, requirements: requirements(w) }
}

fn descriptor(class: ResourceClass, kind: ResourceKind) -> DescriptorKind {
    match (class, kind) {
        (_, ResourceKind::AccelerationStructure) => DescriptorKind::AccelerationStructure,
        (ResourceClass::Sampler, _) => DescriptorKind::Sampler,
        (ResourceClass::Cbv, _) => DescriptorKind::UniformBuffer,
        (ResourceClass::Srv, ResourceKind::TypedBuffer) => DescriptorKind::UniformTexelBuffer,
        (ResourceClass::Uav, ResourceKind::TypedBuffer) => DescriptorKind::StorageTexelBuffer,
        (_, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer | ResourceKind::TBuffer) => {
            DescriptorKind::StorageBuffer
        }
        (ResourceClass::Uav, _) => DescriptorKind::StorageImage,
        (ResourceClass::Srv, _) => DescriptorKind::SampledImage,
    }
}

fn uses(m: &Module, b: &Bindings) -> FxHashMap<Global, Use> {
    let mut uses: FxHashMap<Global, Use> = FxHashMap::default();
    for f in m.funcs.values().filter(|f| f.is_entry()) {
        f.for_each_inst(f.body, |_, i| {
            if let InstData::Resource { global, nonuniform, .. } = f.insts[i] {
                let u = uses.entry(global).or_default();
                u.stages |= 1 << f.stage as u32;
                u.nonuniform |= nonuniform;
                u.descriptor |= matches!(b.home(global, f, m), Home::Descriptor { .. });
            }
        });
    }
    uses
}

fn entry(m: &Module, b: &Bindings, f: &Function) -> EntryPoint {
    let size = |roles: &[SlotRole]| {
        let slots = f.slots.values().filter(|s| roles.contains(&s.role));
        slots.map(|s| size_of(m, s.ty)).max().unwrap_or(0)
    };
    EntryPoint {
        export: f.name.clone(),
        spirv_name: f.name.clone(),
        stage: ShaderKind::from_u32(f.stage as u32).expect("one numbering"),
        record: b.records.of(&f.name),
        payload_size: size(&[SlotRole::PayloadIn, SlotRole::CallableIn]),
        attribute_size: size(&[SlotRole::AttrIn, SlotRole::AttrOut]),
    }
}

/// Bytes of a type in payloads and attributes: scalars side by side at their natural alignment.
pub fn size_of(m: &Module, t: Type) -> u32 {
    fn align(m: &Module, t: Type) -> u32 {
        match m.types.kind(t) {
            TypeKind::Scalar(s) | TypeKind::Vector(s, _) => s.bytes(),
            TypeKind::Array(e, _) => align(m, e),
            TypeKind::Struct(s) => m.structs[s].fields.iter().map(|f| align(m, f.ty)).max().unwrap_or(1),
            _ => Scalar::I64.bytes(),
        }
    }
    match m.types.kind(t) {
        TypeKind::Scalar(s) => s.bytes(),
        TypeKind::Vector(s, n) => s.bytes() * n,
        TypeKind::Array(e, n) => size_of(m, e).saturating_mul(n),
        TypeKind::Struct(s) => {
            let end = m.structs[s]
                .fields
                .iter()
                .fold(0u32, |at, f| at.next_multiple_of(align(m, f.ty)).saturating_add(size_of(m, f.ty)));
            end.next_multiple_of(align(m, t))
        }
        _ => Scalar::I64.bytes(),
    }
}

fn requirements(w: &Words) -> Vec<Requirement> {
    let mut out: Vec<Requirement> = Vec::new();
    let mut add = |kind, name: &str, extension: &str, reason: &str| {
        if !name.is_empty() && !out.iter().any(|r| r.kind == kind && r.name == name) {
            out.push(Requirement {
                kind,
                name: name.into(),
                extension: extension.into(),
                reason: reason.into(),
            });
        }
    };
    for (&number, reason) in &w.capabilities {
        let Some(row) = SPIRV_CAPABILITIES.iter().find(|r| r.number == number) else { continue };
        add(RequirementKind::Capability, row.name, "", reason);
        add(RequirementKind::DeviceExtension, row.vk_extension, "", reason);
        add(RequirementKind::DeviceFeature, row.vk_feature, row.vk_extension, reason);
    }
    for (name, reason) in &w.extensions {
        add(RequirementKind::SpirvExtension, name, "", reason);
        if let Some(row) = SPIRV_EXTENSIONS.iter().find(|r| r.name == *name) {
            add(RequirementKind::DeviceExtension, row.vk_extension, "", reason);
        }
    }
    out
}
