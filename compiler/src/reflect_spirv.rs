//! Reflection of a SPIR-V module as JSON. It has the form of [`crate::reflect`]'s: what DXIL has is empty, and the part `vulkan` has
//! what the module says.

use rtc_spirv::reflect::{Reflection, Variable, reflect};
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
