//! Rules about the parameters and results of ray-tracing entry points.

use crate::Cx;
use rtc_dxil_container::ShaderKind;
use rtc_dxil_module::{Func, TypeKind};
use rtc_tables::validation::rule;

/// All entry points.
pub(crate) fn entries(cx: &mut Cx<'_>) {
    let info = cx.info;
    for entry in &info.entries {
        let Some(func) = entry.func else { continue };
        let kind = if info.is_library() { entry.props.kind } else { Some(info.kind) };
        if let Some(kind) = kind {
            one(cx, func, kind);
        }
    }
}

fn one(cx: &mut Cx<'_>, func: Func, kind: ShaderKind) {
    let m = cx.m;
    let Some((ret, params, _)) = m.types.signature(m.funcs[func].ty) else { return };
    if m.types[ret] != TypeKind::Void {
        cx.function(rule::DECL_RETURN_VOID, func, "is an entry point and returns a value");
    }
    let wanted: &[&str] = match kind {
        ShaderKind::AnyHit | ShaderKind::ClosestHit => &["payload", "attributes"],
        ShaderKind::Miss => &["payload"],
        ShaderKind::Callable => &["parameter"],
        _ => return,
    };
    for (n, &param) in params.iter().enumerate() {
        let Some(what) = wanted.get(n) else {
            let text = format!("is a {} shader and takes parameter {n} besides {}", kind.name(), wanted.join(" and "));
            cx.function(rule::DECL_EXTRA_PARAMETERS, func, text);
            continue;
        };
        let ty = m.types.pointee(param).unwrap_or(param);
        if m.types.fields(ty).is_some() || matches!(m.types[ty], TypeKind::Named { .. }) {
            continue;
        }
        let rule = match (kind, n) {
            (ShaderKind::Callable, _) => rule::DECL_PARAMETER_STRUCT,
            (_, 0) => rule::DECL_PAYLOAD_STRUCT,
            _ => rule::DECL_ATTRIBUTES_STRUCT,
        };
        cx.function(rule, func, format!("is a {} shader whose {what} is no structure", kind.name()));
    }
    for what in wanted.iter().skip(params.len()) {
        cx.function(rule::DECL_MISSING_PARAMETER, func, format!("is a {} shader and takes no {what}", kind.name()));
    }
}
