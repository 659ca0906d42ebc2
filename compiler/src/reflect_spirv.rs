//! Reflection of a SPIR-V module as JSON. It has the form of [`crate::reflect`]'s: what DXIL has is empty, and the part `vulkan` has
//! what the module says.

use rtc_spirv::reflect::{EntryPoint, Reflection, StageState, StageVariable, Variable, reflect};
use serde_json::{Value, json};

use crate::error::FileError;

/// The reflection of a module.
///
/// # Errors
/// The words are no module.
pub(crate) fn spirv(words: &[u32]) -> Result<Value, FileError> {
    let found = reflect(words).map_err(|e| FileError::Damaged(e.to_string()))?;
    Ok(json!({ "functions": [], "resources": [], "subobjects": [], "vulkan": vulkan(&found) }))
}

fn vulkan(r: &Reflection) -> Value {
    let bindings = r.bindings.iter().map(|b| {
        let mut out = json!({
            "name": b.name,
            "descriptor": b.descriptor,
            "count": b.count.map_or(Value::from("unbounded"), Value::from),
            "writable": b.writable,
        });
        if let Some((set, binding)) = b.slot {
            out["set"] = set.into();
            out["binding"] = binding.into();
        }
        if let Some(hlsl) = &b.hlsl {
            out["hlslType"] = hlsl.as_str().into();
        }
        if let Some(layout) = &b.layout {
            out["layout"] = variable(layout);
        }
        out
    });
    let entries = r.entries.iter().map(|e| {
        let mut out = json!({ "spirvName": e.name, "stage": e.model, "resources": e.resources });
        if let Some(threads) = e.local_size {
            out["numthreads"] = json!(threads);
        }
        if let Some(state) = &e.state {
            let list = |output| e.variables.iter().filter(|v| v.output == output).map(stage_variable).collect::<Vec<_>>();
            out["inputs"] = list(false).into();
            out["outputs"] = list(true).into();
            out["state"] = stage_state(e, state);
        }
        out
    });
    let constants = r.constants.iter().map(|c| json!({ "id": c.id, "name": c.name, "type": c.ty, "default": c.default }));
    json!({
        "spirv": format!("{}.{}", r.version.0, r.version.1),
        "capabilities": r.capabilities,
        "extensions": r.extensions,
        "bindings": bindings.collect::<Vec<_>>(),
        "entryPoints": entries.collect::<Vec<_>>(),
        "specializationConstants": constants.collect::<Vec<_>>(),
    })
}

/// A stage input or output.
fn stage_variable(v: &StageVariable) -> Value {
    let mut out = json!({ "name": v.variable.name, "type": v.variable.ty });
    let numbers = [
        ("elements", v.variable.elements),
        ("location", v.location),
        ("component", v.component),
        ("blendIndex", v.blend_index),
        ("stream", v.stream),
    ];
    for (name, n) in numbers.into_iter().filter_map(|(name, n)| Some((name, n?))) {
        out[name] = n.into();
    }
    if let Some((rows, columns, ..)) = v.variable.matrix {
        out["rows"] = rows.into();
        out["columns"] = columns.into();
    }
    if let Some(semantic) = &v.semantic {
        out["semantic"] = semantic.as_str().into();
    }
    if let Some(built_in) = v.built_in {
        out["builtIn"] = format!("{built_in:?}").into();
    }
    if !v.modifiers.is_empty() {
        out["interpolation"] = v.modifiers.join(" ").into();
    }
    for (name, _) in [("patch", v.patch), ("perPrimitive", v.per_primitive)].iter().filter(|f| f.1) {
        out[*name] = true.into();
    }
    out
}

/// The state of a stage, with the names that DXIL's has.
fn stage_state(e: &EntryPoint, s: &StageState) -> Value {
    let mut out = json!({ "usesViewId": e.variables.iter().any(|v| v.built_in == Some(rtc_spirv::reflect::VIEW)) });
    let words = [
        ("inputPrimitive", s.input_primitive.map(|p| p.word())),
        ("outputTopology", s.output_topology),
        ("domain", s.domain.map(|d| d.word())),
        ("partitioning", s.partitioning.map(|p| p.word())),
    ];
    for (name, word) in words.into_iter().filter_map(|(name, w)| Some((name, w?))) {
        out[name] = word.into();
    }
    let numbers = [
        ("outputControlPoints", s.output_control_points),
        ("maxVertices", s.max_vertices),
        ("maxPrimitives", s.max_primitives),
        ("instances", s.instances),
    ];
    for (name, n) in numbers.into_iter().filter_map(|(name, n)| Some((name, n?))) {
        out[name] = n.into();
    }
    if e.model == "Fragment" {
        out["earlyDepthStencil"] = s.early_depth_stencil.into();
        out["depth"] = s.depth.unwrap_or("unchanged").into();
    }
    out
}

/// A variable in a buffer, with its members.
fn variable(v: &Variable) -> Value {
    let mut out = json!({ "name": v.name, "type": v.ty, "offset": v.offset });
    match v.elements {
        Some(0) => out["elements"] = "unbounded".into(),
        Some(n) => out["elements"] = n.into(),
        None => {}
    }
    if let Some(stride) = v.stride {
        out["arrayStride"] = stride.into();
    }
    if let Some((rows, columns, stride, row_major)) = v.matrix {
        out["rows"] = rows.into();
        out["columns"] = columns.into();
        out["matrixStride"] = stride.into();
        out["rowMajor"] = row_major.into();
    }
    if !v.members.is_empty() {
        out["members"] = v.members.iter().map(variable).collect();
    }
    out
}
