//! Rules about entry points in metadata: functions with a body that have the properties of their stage.

use crate::Cx;
use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::{Entry, tag};
use rtc_tables::validation::rule;

/// Properties that only nodes of work graphs have.
const NODE_TAGS: std::ops::RangeInclusive<i64> = 13..=22;

/// All entry points.
pub(crate) fn entries(cx: &mut Cx<'_>) {
    let library = cx.info.is_library();
    let info = cx.info;
    for (n, entry) in info.entries.iter().enumerate() {
        let whole = library && n == 0;
        let name = entry.name.escape_debug();
        match entry.func {
            None if whole => {}
            None => {
                cx.module(rule::META_ENTRY_FUNCTION, format!("entry point `{name}` names no function"));
                continue;
            }
            Some(_) if whole => {
                cx.module(rule::META_ENTRY_FUNCTION, "the first record of a library names a function, it is the library itself");
                continue;
            }
            // A hull shader without code passes its control points on.
            Some(f) if cx.m.funcs[f].body.is_none() && info.stage(entry) != ShaderKind::Hull => {
                cx.function(rule::META_ENTRY_FUNCTION, f, format!("is entry point `{name}` and has no code"));
                continue;
            }
            Some(f) => {
                properties(cx, entry, f, library);
            }
        }
    }
    if info.entries.is_empty() && !info.malformed.iter().any(|f| f.name == "dx.entryPoints") {
        cx.module(rule::META_ENTRY_FUNCTION, "there is no entry point");
    }
}

fn properties(cx: &mut Cx<'_>, entry: &Entry, func: rtc_dxil_module::Func, library: bool) {
    let props = &entry.props;
    if !library && entry.resources != cx.m.meta.named("dx.resources").first().copied() {
        cx.function(rule::META_WELL_FORMED, func, "has other resources as an entry point than the module");
    }
    let kind = if library { props.kind } else { Some(cx.info.kind) };
    let Some(kind) = kind else {
        return cx.function(rule::META_NO_ENTRY_PROPS, func, "is an entry point of a library without a stage");
    };
    use ShaderKind as K;
    let lacks = match kind {
        K::Compute if props.threads.is_none() => "threads of a group",
        K::AnyHit | K::ClosestHit | K::Miss | K::Callable if props.payload.is_none() => "the size of its payload",
        K::Geometry if props.get(tag::GEOMETRY).is_none() => "the state of a geometry shader",
        K::Domain if props.get(tag::DOMAIN).is_none() => "the state of a domain shader",
        K::Hull if props.get(tag::HULL).is_none() => "the state of a hull shader",
        K::Mesh if props.get(tag::MESH).is_none() => "the state of a mesh shader",
        K::Amplification if props.get(tag::AMPLIFICATION).is_none() => "the state of an amplification shader",
        K::AnyHit | K::ClosestHit if props.attributes.is_none() => "the size of its attributes",
        _ => "",
    };
    if !lacks.is_empty() {
        let text = format!("is a {} shader whose properties lack {lacks}", kind.name());
        cx.function(rule::META_NO_ENTRY_PROPS, func, text);
    }
    if kind == K::Compute && props.all.iter().any(|(tag, _)| NODE_TAGS.contains(tag)) {
        cx.function(rule::META_COMPUTE_WITH_NODE, func, "is a compute shader and has properties of a node");
    }
}
