//! Rules about metadata: required and forbidden nodes, versions, agreement with the module.

mod annotations;
mod attached;
mod entries;
mod payloads;
mod resources;

pub(super) use annotations::types;
pub(super) use attached::attached;
pub(super) use entries::entries;
pub(super) use payloads::payloads;
pub(super) use resources::{identifiers, kinds};

use super::Cx;
use rtc_dxil_container::shader_flags::bit;
use rtc_dxil_module::TRIPLE;
use rtc_tables::limits::NEWEST_MODEL;
use rtc_tables::validation::rule;

/// Named metadata of every module.
const ALWAYS: &[&str] = &[
    "dx.version",
    "dx.valver",
    "dx.shaderModel",
    "dx.resources",
    "dx.entryPoints",
    "dx.typeAnnotations",
    "dx.viewIdState",
    rtc_tables::payload_access::METADATA,
    rtc_tables::linalg::TARGET_TYPES,
    "llvm.ident",
    "llvm.module.flags",
];
/// Named metadata of modules that have debug information.
const WITH_DEBUG: &[&str] = &["llvm.dbg.cu", "dx.source.contents", "dx.source.defines", "dx.source.mainFileName", "dx.source.args"];

/// What must be there is there, and has the shape that it must have.
pub(super) fn metadata(cx: &mut Cx<'_>) {
    for found in &cx.info.malformed {
        let rule = if found.missing { rule::META_REQUIRED } else { rule::META_WELL_FORMED };
        cx.module(rule, format!("`{}` {}", found.name, found.reason));
    }
}

/// Named metadata is known, and the target is DXIL.
pub(super) fn names(cx: &mut Cx<'_>) {
    let m = cx.m;
    for (name, _) in &m.meta.named {
        let known = ALWAYS.contains(&&**name) || cx.is_debug() && WITH_DEBUG.contains(&&**name);
        if !known {
            cx.module(rule::META_KNOWN, format!("named metadata `{}` is none that DXIL knows", name.escape_debug()));
        }
    }
    if &*m.triple != TRIPLE {
        cx.module(rule::META_TARGET, format!("the target is `{}`, that of DXIL is `{TRIPLE}`", m.triple.escape_debug()));
    }
}

/// The versions of DXIL and of the validator exist.
pub(super) fn versions(cx: &mut Cx<'_>) {
    let said = [("dx.version", "DXIL", cx.info.dxil), ("dx.valver", "validator", cx.info.validator)];
    for (name, what, version) in said {
        let there = cx.m.meta.named(name).len() == 1 && !cx.info.malformed.iter().any(|f| f.name == name);
        if there && (version.major != 1 || version.minor > NEWEST_MODEL) {
            let text = format!("{what} version {version} is not known, the newest is 1.{NEWEST_MODEL}");
            cx.module(rule::META_VERSION_SUPPORTED, text);
        }
    }
}

/// The shader flags are those that follow from the module.
pub(super) fn flags(cx: &mut Cx<'_>) {
    let known = match cx.known_or_why() {
        Ok(known) => known,
        Err(why) => {
            // Metadata that was refused already need not be refused again.
            if cx.report.is_valid() {
                cx.module(rule::META_WELL_FORMED, why);
            }
            return;
        }
    };
    let stored = cx.info.flags();
    let mut made = known.flags;
    // Before 1.8 subobjects could ask for the tier, and a module in memory does not have them.
    if cx.info.since(5) && !cx.info.since(8) {
        made |= stored & bit::RAYTRACING_TIER_1_1;
    }
    if stored != made {
        cx.module(rule::META_FLAGS_USAGE, format!("shader flags are {stored:#x}, from the module follow {made:#x}"));
    }
}
