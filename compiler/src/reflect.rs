//! Reflection of a compiled file: entry points, payload and attribute sizes, signatures and state of graphics stages, resources, subobjects.
//!
//! The source is RDAT, which DXIL libraries of any compiler and runtime packages have; other containers get the same from the metadata
//! of their module, which adds the properties of entry points and the layouts of buffers too. A package adds its Vulkan bindings.
//! Of a SPIR-V module there is what the module says ([`crate::reflect_spirv`]). `docs/reflection.schema.json` describes the output.

use rtc_dxil_container::metadata::{BufferLayouts, Info, Props, Variable, VariableType};
use rtc_dxil_container::pdb::{Pdb, is_pdb};
use rtc_dxil_container::program::Program;
use rtc_dxil_container::rdat::{Rdat, SubobjectValue};
use rtc_dxil_container::recompute::compat::Needs;
use rtc_dxil_container::recompute::rdat as rows;
use rtc_dxil_container::{Container, FormatError, FourCc, ResourceClass, ResourceKind, sfi0};
use rtc_dxil_module::{Module, bitcode};
use rtc_package::payloads;
use rtc_package::{InterfaceElement, Package, PayloadType};
use rtc_rootsig as rootsig;
use serde_json::{Value, json};

use crate::dis::words;
use crate::error::FileError;
use crate::reflection::Reflection;

/// The reflection of a container, PDB, package or SPIR-V module, as indented JSON.
///
/// # Errors
/// The file is damaged, or has neither RDAT nor a DXIL program.
pub fn reflect(data: &[u8]) -> Result<String, FileError> {
    let out = reflection(data)?;
    // Through a value, whose keys are sorted.
    let json = serde_json::to_value(out).and_then(|v| serde_json::to_string_pretty(&v));
    json.map(|text| text + "\n").map_err(|e| FileError::Damaged(e.to_string()))
}

/// The reflection of a container, PDB, package or SPIR-V module.
///
/// # Errors
/// The file is damaged, or has neither RDAT nor a DXIL program.
pub fn reflection(data: &[u8]) -> Result<Reflection, FileError> {
    serde_json::from_value(value(data)?).map_err(|e| FileError::Damaged(format!("the reflection is not complete: {e}")))
}

/// Everything that the file says.
fn value(data: &[u8]) -> Result<Value, FileError> {
    if data.starts_with(&[0x03, 0x02, 0x23, 0x07]) {
        return crate::reflect_spirv::spirv(&words(data)?);
    }
    let container = if is_pdb(data) { Pdb::read(data)?.parts()? } else { Container::parse(data)? };
    let module = program(&container)?;
    let mut out = match &module {
        Some((_, m)) if container.part(FourCc::RDAT).is_none() => library(&runtime_data(m)),
        _ => library(&Rdat::read(container.require(FourCc::RDAT)?)?),
    };
    if let Some((program, m)) = &module {
        out["stage"] = program.kind.name().into();
        out["shaderModel"] = program.model.to_string().into();
        add_counts(&mut out, m);
        add_layouts(&mut out, m);
        // The names are in one part, the code may be in another.
        let code = match container.part(FourCc::DXIL) {
            Some(_) => Some(self::module(&container, "DXIL", FourCc::DXIL)?.1),
            None => None,
        };
        crate::reflect_stage::add(&mut out, code.as_ref().unwrap_or(m));
    }
    if container.part(FourCc::SPRV).is_some() {
        out["vulkan"] = vulkan(&Package::read(data)?);
    }
    Ok(out)
}

/// The program with the most names: reflection data, debug information, or the code.
fn program(container: &Container) -> Result<Option<(Program<'_>, Module)>, FormatError> {
    for (name, part) in [("STAT", FourCc::STAT), ("ILDB", FourCc::ILDB), ("DXIL", FourCc::DXIL)] {
        if container.part(part).is_some() {
            return module(container, name, part).map(Some);
        }
    }
    Ok(None)
}

/// The program in a part; `name` is the part's in errors.
fn module<'c>(container: &'c Container, name: &'static str, part: FourCc) -> Result<(Program<'c>, Module), FormatError> {
    let program = Program::read(name, container.require(part)?)?;
    let module = bitcode::read(program.bitcode).map_err(|e| FormatError::new(name, 0, e.to_string()))?;
    Ok((program, module))
}

/// The runtime data of a container that has none: one entry point that uses all resources.
fn runtime_data(m: &Module) -> Rdat {
    let info = Info::read(m);
    let all: Vec<u32> = (0..info.resources.len() as u32).collect();
    let functions = info.entries.iter().map(|e| {
        let needs = Needs { flags: info.flags(), model: info.model, ..Needs::default() };
        rows::function(&info, &e.name, Some(e), needs, all.clone(), 0)
    });
    Rdat {
        functions: functions.collect(),
        resources: info.resources.iter().map(|r| rows::resource(&info, r)).collect(),
        externals: Vec::new(),
        subobjects: Vec::new(),
        other_tables: Vec::new(),
    }
}

/// Threads of a group and lanes of a wave, where the entry point declares them.
fn add_properties(f: &mut Value, props: &Props) {
    if let Some(threads) = props.threads {
        f["numthreads"] = json!(threads);
    }
    if let Some(sizes) = &props.wave_size {
        f["waveSize"] = json!(sizes);
    }
    if let Some(bytes) = props.groupshared_limit {
        f["groupSharedLimitBytes"] = bytes.into();
    }
}

/// Adds what RDAT does not have: properties of entry points, and the layouts of buffers.
fn add_layouts(out: &mut Value, m: &Module) {
    let info = Info::read(m);
    for f in out["functions"].as_array_mut().into_iter().flatten() {
        let entry = info.shaders().find(|(func, e)| f["symbol"] == *m.funcs[*func].name || f["symbol"] == *e.name);
        if let Some((_, entry)) = entry {
            add_properties(f, &entry.props);
        }
    }
    let mut layouts = BufferLayouts::new(m);
    for r in &info.resources {
        let layout = match (r.class, r.kind) {
            (ResourceClass::Cbv, _) | (_, ResourceKind::TBuffer) => layouts.constant_buffer(r),
            (_, ResourceKind::StructuredBuffer) => layouts.structured_buffer(r),
            _ => None,
        };
        let Some(layout) = layout else { continue };
        let same = |x: &Value| x["name"] == *r.name && x["space"] == r.space && x["register"] == r.lower && x["class"] == r.class.title();
        if let Some(x) = out["resources"].as_array_mut().into_iter().flatten().find(|x| same(x)) {
            x["bytes"] = layouts.bytes(r).into();
            x["layout"] = variable(&layout);
        }
    }
}

/// The members of a structure. Bit-fields are members with a first bit and a width.
fn members(all: &[Variable]) -> Vec<Value> {
    let mut out = Vec::new();
    for v in all {
        if v.bit_fields.is_empty() {
            out.push(variable(v));
        }
        let mut first = 0;
        for part in &v.bit_fields {
            let mut member = variable(&Variable { name: part.name.clone(), bit_fields: Vec::new(), ..v.clone() });
            member["firstBit"] = first.into();
            member["bits"] = part.width.into();
            first += part.width;
            out.push(member);
        }
    }
    out
}

/// A variable in a buffer, with its members.
fn variable(v: &Variable) -> Value {
    let mut out = json!({ "name": v.name, "type": v.ty.hlsl(), "offset": v.offset });
    if let Some(count) = v.count {
        out["elements"] = count.into();
    }
    match &v.ty {
        VariableType::Struct { members: Some(members), .. } => out["members"] = self::members(members).into(),
        VariableType::Numeric { matrix: Some([rows, columns, _]), .. } => {
            out["rows"] = (*rows).into();
            out["columns"] = (*columns).into();
        }
        _ => {}
    }
    out
}

/// The register of a resource of a library that has none yet: the linker gives it one.
const NO_REGISTER: u32 = u32::MAX;

/// How many registers a resource has.
fn count(n: u32) -> Value {
    if n == u32::MAX { Value::from("unbounded") } else { Value::from(n) }
}

/// Adds how many registers the resources without a register have, which runtime data does not say.
fn add_counts(out: &mut Value, m: &Module) {
    let info = Info::read(m);
    let Some(listed) = out["resources"].as_array_mut().filter(|l| l.len() == info.resources.len()) else { return };
    for (row, r) in listed.iter_mut().zip(&info.resources) {
        if r.lower == NO_REGISTER {
            row["count"] = count(r.count);
        }
    }
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
                "featureNames": sfi0::names(f.features).collect::<Vec<_>>(),
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
                "count": match x.lower {
                    // Without a register the last number says as little as the first: `add_counts` knows more.
                    NO_REGISTER => count(x.upper.wrapping_sub(x.lower).wrapping_add(1)),
                    _ if x.upper == u32::MAX => count(u32::MAX),
                    _ => count(x.upper.wrapping_sub(x.lower).wrapping_add(1)),
                },
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
        .map(|e| {
            let mut out = json!({ "export": e.export, "spirvName": e.spirv_name, "stage": e.stage.name(), "payloadBytes": e.payload_size });
            if e.stage.is_graphics() {
                out["interface"] = e.elements.iter().map(interface_element).collect();
            }
            out
        })
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
    let mut out = json!({
        "payloads": payloads,
        "spirv": format!("{}.{}", p.map.target.spirv.major, p.map.target.spirv.minor),
        "vulkan": format!("{}.{}", p.map.target.vulkan.major, p.map.target.vulkan.minor),
        "bindings": bindings,
        "entryPoints": entries,
        "shaderRecords": records,
        "requirements": requirements,
    });
    if !p.forms.is_empty() {
        out["forms"] = p.all_forms().iter().map(|f| f.name()).collect();
    }
    out
}

/// A stage input or output of a package.
fn interface_element(e: &InterfaceElement) -> Value {
    json!({
        "name": e.semantic,
        "index": e.index,
        "output": e.output,
        "location": e.location,
        "locations": e.locations,
        "componentType": e.component.title(),
        "columns": e.components,
        "used": e.used,
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
