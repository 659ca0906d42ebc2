//! The binding map: descriptor slots, entry points and requirements of a module, for the runtime.

use rtc_dxil_container::ShaderKind;
use rtc_ir::{BindPlace, ElementData, ElementPart, Function, Global, InstData, Module, Opcode, Scalar, SlotRole, Stage, Type, TypeKind};
use rtc_package::{
    Binding, BindingMap, DescriptorKind, EntryPoint, HitLowering, InterfaceElement, Payloads, Requirement, RequirementKind, TargetEnv,
    UNBOUNDED,
};
use rtc_tables::features::{SPIRV_CAPABILITIES, SPIRV_EXTENSIONS};
use rtc_tables::hit_lowering::{MISSED, RECORDER};
use rtc_tables::insts::HEAP_NONUNIFORM;
use rtc_tables::resources::{ResourceClass, ResourceFlags, ResourceKind};
use rustc_hash::FxHashMap;

use crate::bindings::{Bindings, Home};
use crate::emit::heap_name;
use crate::emit::stage::{StageOptions, is_output, located};
use crate::words::Words;

/// How a resource is used.
#[derive(Default, Clone, Copy)]
struct Use {
    stages: u32,
    nonuniform: bool,
    descriptor: bool,
}

/// Makes the binding map of a module whose words are written; `stage` says the order of locations.
pub fn binding_map(m: &Module, b: &Bindings, w: &Words, target: TargetEnv, stage: StageOptions) -> BindingMap {
    let uses = uses(m, b);
    let mut bindings = Vec::new();
    for (g, data) in &m.globals {
        let (Some(decl), Some(u)) = (data.resource(), uses.get(&g)) else { continue };
        let push = decl.binding.place == BindPlace::Push;
        if !u.descriptor && !push {
            continue;
        }
        let r = m.types.as_resource(decl.ty).expect("resources have resource types");
        // The block of push constants begins at its start.
        let (set, binding) = if push { (0, 0) } else { b.descriptor(g) };
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
            descriptor: if push { DescriptorKind::PushConstants } else { descriptor(r.class, r.kind) },
            stride_or_size: r.stride,
            component: r.comp,
            components: r.elem.map_or(0, |t| m.types.lanes(t) as u8),
            writable: r.class == ResourceClass::Uav,
            coherent: r.flags.intersects(coherent),
            non_uniform: u.nonuniform,
            counter: b.counter(g),
            heap: false,
            stages: u.stages,
        });
    }
    bindings.extend(heap_bindings(m, b));
    bindings.sort_by_key(|x| (x.set, x.binding));
    let lowering = lowering(m, b);
    let records = lowering.as_ref().is_some_and(HitLowering::records);
    let generated = |f: &&Function| records && f.stage == Stage::ClosestHit || f.name == MISSED;
    let own = m.funcs.values().filter(|f| f.is_started() && !generated(f));
    let entries = own.map(|f| entry(m, b, f, stage)).collect();
    let records = b.records.layouts.clone();
    let mut requirements = requirements(w);
    if bindings.iter().any(|x| x.heap && x.class != ResourceClass::Sampler) {
        let extension = "VK_EXT_mutable_descriptor_type";
        let reason = "the descriptor heap holds descriptors of every kind";
        for (kind, name, of) in
            [(RequirementKind::DeviceExtension, extension, ""), (RequirementKind::DeviceFeature, "mutableDescriptorType", extension)]
        {
            requirements.push(Requirement { kind, name: name.into(), extension: of.into(), reason: reason.into() });
        }
    }
    let payloads = Payloads::default();
    BindingMap { target, bindings, entries, records, requirements, lowering, null_misses: None, payloads, wavefront: Vec::new() }
}

/// How tables of a library with lowered hit objects are laid out. What closest-hit shaders it still has are recorders, unless it has the
/// miss shader that says whether something was hit.
fn lowering(m: &Module, b: &Bindings) -> Option<HitLowering> {
    if m.funcs.values().any(|f| f.name == MISSED) {
        return Some(HitLowering { missed: Some(MISSED.into()), ..HitLowering::default() });
    }
    let (tail_offset, tail_size) = b.tail?;
    let attributes = |f: &Function, role| f.slots.values().find(|s| s.role == role).map(|s| s.ty);
    let recorders = || m.funcs.values().filter(|f| f.stage == Stage::ClosestHit);
    let mut out: Vec<(String, String)> = Vec::new();
    if let Some(f) = recorders().find(|f| f.name == RECORDER) {
        out.push((String::new(), f.name.clone()));
    }
    for i in m.funcs.values().filter(|f| f.stage == Stage::Intersection) {
        let reported = attributes(i, SlotRole::AttrOut);
        let mut others = recorders().filter(|f| f.name != RECORDER);
        let fits = others.find(|f| reported.is_some() && attributes(f, SlotRole::AttrIn) == reported);
        // One that reports nothing has no hits to record.
        let name = fits.map_or(RECORDER, |f| &f.name);
        out.push((i.name.clone(), name.into()));
    }
    Some(HitLowering { tail_offset, tail_size, recorders: out, missed: None })
}

/// The descriptor heaps: one row for each kind of descriptor that is taken from them.
fn heap_bindings(m: &Module, b: &Bindings) -> Vec<Binding> {
    let mut out: Vec<Binding> = Vec::new();
    for f in m.funcs.values().filter(|f| f.is_entry()) {
        f.for_each_inst(f.body, |_, i| {
            let from_heap = match f.insts[i] {
                InstData::Many { op: Opcode::heap_resource, imm, .. } => Some(imm & HEAP_NONUNIFORM != 0),
                InstData::Resource { global, .. } => matches!(b.home(global, f, m), Home::RecordTable { .. }).then_some(true),
                _ => None,
            };
            let Some(nonuniform) = from_heap else { return };
            let Some(r) = m.types.as_resource(f.ty(f.result(i))) else { return };
            let kind = descriptor(r.class, r.kind);
            let stage = 1 << f.stage as u32;
            if let Some(known) = out.iter_mut().find(|x| x.descriptor == kind && x.class == r.class) {
                known.stages |= stage;
                known.non_uniform |= nonuniform;
                return;
            }
            let (set, binding) = b.heap(r.class == ResourceClass::Sampler);
            out.push(Binding {
                name: heap_name(r.class).into(),
                class: r.class,
                kind: r.kind,
                space: u32::MAX,
                register: u32::MAX,
                count: UNBOUNDED,
                set,
                binding,
                descriptor: kind,
                stride_or_size: 0,
                component: r.comp,
                components: r.elem.map_or(0, |t| m.types.lanes(t) as u8),
                writable: r.class == ResourceClass::Uav,
                coherent: false,
                non_uniform: nonuniform,
                counter: None,
                heap: true,
                stages: stage,
            });
        });
    }
    out
}

fn descriptor(class: ResourceClass, kind: ResourceKind) -> DescriptorKind {
    match (class, kind) {
        (_, ResourceKind::AccelerationStructure) => DescriptorKind::AccelerationStructure,
        (ResourceClass::Sampler, _) => DescriptorKind::Sampler,
        (ResourceClass::Cbv, _) => DescriptorKind::UniformBuffer,
        (ResourceClass::Srv, ResourceKind::TypedBuffer) => DescriptorKind::UniformTexelBuffer,
        (ResourceClass::Uav, ResourceKind::TypedBuffer) => DescriptorKind::StorageTexelBuffer,
        (_, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer | ResourceKind::TBuffer) => DescriptorKind::StorageBuffer,
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

fn entry(m: &Module, b: &Bindings, f: &Function, stage: StageOptions) -> EntryPoint {
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
        elements: interface(f, stage),
    }
}

/// The inputs and outputs of an entry point that have locations.
fn interface(f: &Function, stage: StageOptions) -> Vec<InterfaceElement> {
    let mut read = vec![false; f.elements.len()];
    f.for_each_inst(f.body, |_, i| {
        use Opcode::*;
        if let InstData::Many { op: load_input | eval_snapped | eval_sample_index | eval_centroid | attribute_at_vertex, imm, .. } =
            f.insts[i]
        {
            read[ElementPart::from_imm(imm).element as usize] = true;
        }
    });
    let located = located(f, stage);
    let element = |(location, n, e): (u32, usize, ElementData)| InterfaceElement {
        output: is_output(&e, f.stage),
        used: is_output(&e, f.stage) || read[n],
        semantic: e.name.clone(),
        index: e.index,
        location,
        locations: e.locations(),
        component: e.component,
        components: e.columns as u8,
    };
    located.map(element).collect()
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
            let end = m.structs[s].fields.iter().fold(0u32, |at, f| at.next_multiple_of(align(m, f.ty)).saturating_add(size_of(m, f.ty)));
            end.next_multiple_of(align(m, t))
        }
        _ => Scalar::I64.bytes(),
    }
}

fn requirements(w: &Words) -> Vec<Requirement> {
    let mut out: Vec<Requirement> = Vec::new();
    let mut add = |kind, name: &str, extension: &str, reason: &str| {
        if !name.is_empty() && !out.iter().any(|r| r.kind == kind && r.name == name) {
            out.push(Requirement { kind, name: name.into(), extension: extension.into(), reason: reason.into() });
        }
    };
    for (&number, reason) in &w.capabilities {
        let Some(row) = SPIRV_CAPABILITIES.iter().find(|r| r.number == number) else { continue };
        add(RequirementKind::Capability, row.name, "", reason);
        add(RequirementKind::DeviceExtension, row.vk_extension, "", reason);
        add(RequirementKind::DeviceFeature, row.vk_feature, row.vk_extension, reason);
    }
    for (name, reason) in &w.features {
        add(RequirementKind::DeviceFeature, name, "", reason);
    }
    for (name, reason) in &w.extensions {
        add(RequirementKind::SpirvExtension, name, "", reason);
        if let Some(row) = SPIRV_EXTENSIONS.iter().find(|r| r.name == *name) {
            add(RequirementKind::DeviceExtension, row.vk_extension, "", reason);
        }
    }
    out
}
