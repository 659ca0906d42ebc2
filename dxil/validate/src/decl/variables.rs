//! Rules about global variables: internal ones are used, external ones are not.

use crate::Cx;
use rtc_dxil_module::{GROUPSHARED, Linkage, TypeKind};
use rtc_tables::validation::rule;

/// All variables.
pub(crate) fn variables(cx: &mut Cx<'_>) {
    let m = cx.m;
    let uses = cx.uses();
    let mut resources = rtc_base::EntitySet::new();
    if cx.info.is_library() {
        for g in cx.info.resources.iter().filter_map(|r| r.global) {
            resources.insert(g);
        }
    }
    for (g, global) in m.globals.iter() {
        let shared = global.space == GROUPSHARED;
        let own = global.space == 0 && global.linkage == Linkage::Internal;
        // Libraries say by it whether they run as helpers.
        let helper = cx.info.is_library() && &*global.name == "dx.ishelper" && m.types[m.types.scalar(global.ty)] == TypeKind::Int(32);
        let name = global.name.escape_debug();
        let used = uses.globals[g];
        if shared || own || helper || resources.contains(g) {
            if !used.any() {
                cx.module(rule::DECL_UNUSED_VARIABLE, format!("variable `{name}` is never used"));
            }
        } else if used.by_instruction {
            let text = format!("variable `{name}` is used and is neither the module's own nor a resource");
            cx.module(rule::DECL_EXTERNAL_VARIABLE, text);
        }
    }
}
