//! Reflection of graphics stages in DXIL as JSON: the signatures of an entry point and the state of its stage.
//!
//! Both are in the metadata of the code. A library's has no masks of used components, so they are found in its code.

use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::pipeline::PipelineState;
use rtc_dxil_container::metadata::signature::{SignatureElement, Signatures, points, says_usage};
use rtc_dxil_container::metadata::{Entry, Info};
use rtc_dxil_container::rdat::unmangle;
use rtc_dxil_container::recompute::signatures::find_usage;
use rtc_dxil_container::shader_flags::bit;
use rtc_dxil_module::Module;
use rtc_tables::limits::GEOMETRY_STREAMS;
use rtc_tables::pipeline::MeshTopology;
use rtc_tables::signature::{Interpolation, Semantic};
use serde_json::{Value, json};

/// Adds signatures and state to the entry points of graphics stages in `m`, the module with the code if the container has it.
pub(crate) fn add(out: &mut Value, m: &Module) {
    let info = Info::read(m);
    for f in out["functions"].as_array_mut().into_iter().flatten() {
        let entry = info.shaders().find(|(func, e)| f["symbol"] == *m.funcs[*func].name || f["symbol"] == *e.name);
        let Some((_, entry)) = entry else { continue };
        let kind = info.stage(entry);
        if !kind.is_graphics() {
            continue;
        }
        let state = PipelineState::read(m, &entry.props);
        let (signatures, used) = signatures(m, &info, entry, state.as_ref());
        if let Some(signatures) = &signatures {
            add_signatures(f, kind, signatures, used, info.flags() & bit::NATIVE_LOW_PRECISION != 0);
        }
        f["state"] = self::state(m, kind, &info, entry, state.as_ref(), signatures.as_ref());
        let names = f["featureNames"].as_array();
        let view = names.is_some_and(|names| names.iter().any(|n| n == "View Instancing"));
        f["state"]["usesViewId"] = view.into();
    }
}

/// The signatures of an entry point, and whether the components that are used are known.
fn signatures(m: &Module, info: &Info, entry: &Entry, state: Option<&PipelineState>) -> (Option<Signatures>, bool) {
    if points(info.stage(entry)).is_none() {
        return (None, false);
    }
    let Ok(mut found) = Signatures::read(m, entry.signatures) else { return (None, false) };
    found.domain = state.and_then(PipelineState::domain);
    if !info.is_library() {
        return (Some(found), says_usage(info.validator));
    }
    let functions = [entry.func, entry.props.patch_constants(m)];
    let code: Vec<_> = functions.into_iter().flatten().filter_map(|f| m.funcs[f].body.as_ref()).collect();
    for body in &code {
        find_usage(m, body, &mut found);
    }
    (Some(found), !code.is_empty())
}

fn add_signatures(f: &mut Value, kind: ShaderKind, signatures: &Signatures, used: bool, native_16bit: bool) {
    let list = |elements: &[SignatureElement]| -> Value { elements.iter().map(|e| element(e, signatures, used, native_16bit)).collect() };
    f["inputs"] = list(&signatures.inputs);
    f["outputs"] = list(&signatures.outputs);
    match kind {
        ShaderKind::Hull | ShaderKind::Domain => f["patchConstants"] = list(&signatures.patch),
        ShaderKind::Mesh => f["primitiveOutputs"] = list(&signatures.patch),
        _ => {}
    }
}

fn letters(mask: u8) -> String {
    "xyzw".chars().enumerate().filter(|(n, _)| mask >> n & 1 != 0).map(|(_, c)| c).collect()
}

fn element(e: &SignatureElement, all: &Signatures, used: bool, native_16bit: bool) -> Value {
    let shift = if e.row.is_some() { e.column } else { 0 };
    let mut out = json!({
        "name": e.name,
        "index": e.indices.first().copied().unwrap_or(0),
        "indices": e.indices,
        "componentType": e.component.title(),
        "rows": e.rows(),
        "columns": e.columns,
        "mask": letters(e.mask()),
    });
    if let Some(row) = e.row {
        out["register"] = row.into();
    }
    if e.semantic != Semantic::Arbitrary {
        out["systemValue"] = e.semantic.info().name.into();
        let numbers = e.indices.iter().map(|&index| e.semantic.system_value(all.domain, index));
        out["systemValueNumbers"] = numbers.collect();
    }
    if used {
        out["usedMask"] = letters(e.usage << shift).into();
    }
    if e.dynamic != 0 {
        out["dynamicMask"] = letters(e.dynamic << shift).into();
    }
    if e.stream != 0 {
        out["stream"] = e.stream.into();
    }
    if e.interpolation != Interpolation::Undefined {
        out["interpolation"] = e.interpolation.words().into();
    }
    if e.is_small() && !native_16bit {
        out["minimumPrecision"] = true.into();
    }
    out
}

/// What attributes say of the stage, and what follows from its outputs.
fn state(
    m: &Module,
    kind: ShaderKind,
    info: &Info,
    entry: &Entry,
    state: Option<&PipelineState>,
    signatures: Option<&Signatures>,
) -> Value {
    let mut out = match state {
        Some(&PipelineState::Geometry { primitive, max_vertices, streams, topology, instances }) => json!({
            "inputPrimitive": primitive.map(|p| p.to_string()),
            "outputTopology": topology.primitive(),
            "maxVertices": max_vertices,
            "instances": instances,
            "streams": (0..GEOMETRY_STREAMS as u32).filter(|n| streams >> n & 1 != 0).collect::<Vec<_>>(),
        }),
        Some(&PipelineState::Hull { patch_constants, input_points, output_points, domain, partitioning, output, max_factor }) => json!({
            "domain": domain.word(),
            "partitioning": partitioning.word(),
            "outputTopology": output.word(),
            "inputControlPoints": input_points,
            "outputControlPoints": output_points,
            "maxTessFactor": f32::from_bits(max_factor),
            "patchConstantFunction": unmangle(&m.funcs[patch_constants].name),
        }),
        Some(&PipelineState::Domain { domain, input_points }) => json!({ "domain": domain.word(), "inputControlPoints": input_points }),
        Some(&PipelineState::Mesh { max_vertices, max_primitives, topology, payload, .. }) => json!({
            "outputTopology": topology.map(MeshTopology::word),
            "maxVertices": max_vertices,
            "maxPrimitives": max_primitives,
            "payloadBytes": payload,
        }),
        Some(&PipelineState::Amplification { payload, .. }) => json!({ "payloadBytes": payload }),
        None => json!({}),
    };
    if kind == ShaderKind::Pixel {
        let flags = if info.is_library() { entry.props.flags } else { info.flags() };
        out["earlyDepthStencil"] = (flags & bit::EARLY_DEPTH_STENCIL != 0).into();
        let outputs = signatures.map_or(&[][..], |s| &s.outputs);
        let has = |s: Semantic| outputs.iter().any(|e| e.semantic == s);
        let modes = [(Semantic::Depth, "any"), (Semantic::DepthGreaterEqual, "greaterEqual"), (Semantic::DepthLessEqual, "lessEqual")];
        out["depth"] = modes.iter().find(|m| has(m.0)).map_or("unchanged", |m| m.1).into();
        out["stencilReference"] = has(Semantic::StencilRef).into();
        let inputs = signatures.map_or(&[][..], |s| &s.inputs);
        let per_sample = inputs.iter().any(|e| e.semantic == Semantic::SampleIndex || e.interpolation.is_sample());
        out["sampleFrequency"] = per_sample.into();
    }
    out
}
