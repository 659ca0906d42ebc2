//! Reflection of a compiled file as JSON: entry points, payload and attribute sizes, resources, subobjects.
//!
//! The source is RDAT, which DXIL libraries of any compiler and runtime packages have; a package adds its Vulkan bindings.

use rtc_dxil_container::rdat::{Rdat, SubobjectValue};
use rtc_dxil_container::{Container, FormatError, FourCc};
use rtc_package::payloads;
use rtc_package::{Package, PayloadType};
use rtc_rootsig as rootsig;
use serde_json::{Value, json};

/// The reflection of a container or package, as indented JSON.
///
/// # Errors
/// The file is damaged or has no library.
pub fn reflect(data: &[u8]) -> Result<String, FormatError> {
    let container = Container::parse(data)?;
    let rdat = Rdat::read(container.require(FourCc::RDAT)?)?;
    let mut out = library(&rdat);
    if container.part(FourCc::SPRV).is_some() {
        out["vulkan"] = vulkan(&Package::read(data)?);
    }
    Ok(serde_json::to_string_pretty(&out).expect("JSON values print") + "\n")
}

fn library(r: &Rdat) -> Value {
    let entries: Vec<Value> = r
        .functions
        .iter()
        .map(|f| {
            json!({
                "name": f.unmangled,
                "symbol": f.name,
                "stage": f.kind.name(),
                "payloadBytes": f.payload_size,
                "attributeBytes": f.attribute_size,
                "resources": f.resources.iter().filter_map(|&i| r.resources.get(i as usize)).map(|x| x.name.as_str()).collect::<Vec<_>>(),
                "dependencies": f.dependencies,
                "features": format!("0x{:x}", f.features),
                "minimumShaderModel": format!("{}.{}", f.min_target.model.major, f.min_target.model.minor),
            })
        })
        .collect();
    let resources: Vec<Value> = r
        .resources
        .iter()
        .map(|x| {
            json!({
                "name": x.name,
                "class": x.class.title(),
                "kind": x.kind.title(),
                "space": x.space,
                "register": x.lower,
                "count": if x.upper == u32::MAX { Value::from("unbounded") } else { Value::from(x.upper.wrapping_sub(x.lower).wrapping_add(1)) },
                "flags": x.flags,
            })
        })
        .collect();
    let subobjects: Vec<Value> = r.subobjects.iter().map(|s| subobject(&s.name, &s.value)).collect();
    json!({ "functions": entries, "resources": resources, "subobjects": subobjects })
}

fn root_signature(data: &[u8]) -> Value {
    match rootsig::read(data) {
        Ok(signature) => Value::from(signature.to_string()),
        Err(e) => Value::from(format!("damaged: {e}")),
    }
}

fn subobject(name: &str, value: &SubobjectValue) -> Value {
    use SubobjectValue as S;
    let (kind, mut v) = match value {
        S::StateObjectConfig { flags } => ("StateObjectConfig", json!({ "flags": flags })),
        S::GlobalRootSignature { data } => ("GlobalRootSignature", json!({ "rootSignature": root_signature(data) })),
        S::LocalRootSignature { data } => ("LocalRootSignature", json!({ "rootSignature": root_signature(data) })),
        S::Association { subobject, exports } => ("SubobjectToExportsAssociation", json!({ "subobject": subobject, "exports": exports })),
        S::ShaderConfig { max_payload, max_attributes } => {
            ("RaytracingShaderConfig", json!({ "maxPayloadBytes": max_payload, "maxAttributeBytes": max_attributes }))
        }
        S::PipelineConfig { max_recursion } => ("RaytracingPipelineConfig", json!({ "maxTraceRecursionDepth": max_recursion })),
        S::PipelineConfig1 { max_recursion, flags } => {
            ("RaytracingPipelineConfig1", json!({ "maxTraceRecursionDepth": max_recursion, "flags": flags }))
        }
        S::HitGroup { ty, any_hit, closest_hit, intersection } => {
            ("HitGroup", json!({ "type": ty.name(), "anyHit": any_hit, "closestHit": closest_hit, "intersection": intersection }))
        }
    };
    v["name"] = name.into();
    v["kind"] = kind.into();
    v
}

fn vulkan(p: &Package) -> Value {
    let bindings: Vec<Value> = p
        .map
        .bindings
        .iter()
        .map(|b| {
            json!({
                "name": b.name,
                "set": b.set,
                "binding": b.binding,
                "descriptor": b.descriptor.name(),
                "count": if b.count == u32::MAX { Value::from("unbounded") } else { Value::from(b.count) },
                "strideOrSize": b.stride_or_size,
                "writable": b.writable,
            })
        })
        .collect();
    let entries: Vec<Value> = p
        .map
        .entries
        .iter()
        .map(|e| json!({ "export": e.export, "spirvName": e.spirv_name, "stage": e.stage.name(), "payloadBytes": e.payload_size }))
        .collect();
    let records: Vec<Value> = p
        .map
        .records
        .iter()
        .map(|r| {
            let params: Vec<Value> =
                r.params.iter().map(|x| json!({ "kind": x.kind.name(), "offset": x.offset, "bytes": x.size })).collect();
            json!({ "localRootSignature": r.root_signature, "bytes": r.size, "arguments": params })
        })
        .collect();
    let requirements: Vec<Value> =
        p.map.requirements.iter().map(|r| json!({ "kind": r.kind.name(), "name": r.name, "reason": r.reason })).collect();
    let payloads: Vec<Value> = p.map.payloads.types.iter().enumerate().map(|(n, t)| payload(p, n, t)).collect();
    json!({
        "payloads": payloads,
        "spirv": format!("{}.{}", p.map.target.spirv.major, p.map.target.spirv.minor),
        "vulkan": format!("{}.{}", p.map.target.vulkan.major, p.map.target.vulkan.minor),
        "bindings": bindings,
        "entryPoints": entries,
        "shaderRecords": records,
        "requirements": requirements,
    })
}

/// A payload type. Bit offsets are those of the variable that is passed between shaders.
fn payload(p: &Package, n: usize, t: &PayloadType) -> Value {
    let names = |set: u8| payloads::stages(set).collect::<Vec<_>>();
    let fields = t.fields.iter().map(|f| {
        let alive: Vec<String> = f.alive_on().map(|(a, b)| format!("{a} -> {b}")).collect();
        json!({
            "name": f.name,
            "type": f.ty,
            "word": f.offset.map(|o| o / 32),
            "bit": f.offset.map(|o| o % 32),
            "bits": f.bits,
            "read": names(f.read),
            "write": names(f.write),
            "alive": alive,
        })
    });
    let used = |traces: bool| {
        let of = p.map.payloads.uses.iter().filter(|u| u.payload as usize == n && u.traces == traces);
        of.filter_map(|u| Some(p.map.entries.get(u.entry as usize)?.export.as_str())).collect::<Vec<_>>()
    };
    json!({
        "name": t.name,
        "declaredBytes": t.declared_size,
        "bytes": t.size,
        "packed": t.packed,
        "fields": fields.collect::<Vec<_>>(),
        "tracedBy": used(true),
        "takenBy": used(false),
    })
}
