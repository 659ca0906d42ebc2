//! The signatures of a shader: as the parts of the container store them, and with the interpolation modes that the metadata has.

use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::Info;
use rtc_dxil_container::metadata::signature::{SignatureElement, Signatures};
use rtc_dxil_container::signature::{self, Element};
use rtc_dxil_module::Module;
use rtc_tables::signature::{Semantic, system_value_name};
use std::fmt::Write;

/// Writes the table of a part. The reference compiler takes all but the inputs for outputs, also the patch constants that a domain
/// shader reads; so their last column shows what is not read.
pub fn stored(out: &mut String, title: &str, elements: &[Element], input: bool) {
    let _ = write!(out, ";\n; {title} signature:\n;\n");
    out.push_str("; Name                 Index   Mask Register SysValue  Format   Used\n");
    out.push_str("; -------------------- ----- ------ -------- -------- ------- ------\n");
    if elements.is_empty() {
        out.push_str("; no parameters\n");
        return;
    }
    let streams = elements.iter().any(|e| e.stream != 0);
    for e in elements {
        let _ = match streams {
            true => write!(out, "; m{}:{:<17}", e.stream, e.name),
            false => write!(out, "; {:<20}", e.name),
        };
        let used = if input { e.usage } else { !e.usage };
        let _ = write!(out, " {:>5}", e.index);
        let packed = e.register != u32::MAX;
        let _ = match packed {
            true => write!(out, "   {} {:>8}", letters(e.mask), e.register),
            false => write!(out, "    N/A {:>8}", register_name(e)),
        };
        let _ = write!(out, "{:>9}{:>8}", system_value_name(e.system_value), signature::component_name(e.component));
        let _ = match packed {
            true => writeln!(out, "   {}", letters(used)),
            false => writeln!(out, "{:>7}", if used != 0 { "YES" } else { "NO" }),
        };
    }
    out.push_str(";\n");
}

/// The components of a mask, each in its column.
fn letters(mask: u8) -> String {
    "xyzw".char_indices().map(|(i, letter)| if mask >> i & 1 != 0 { letter } else { ' ' }).collect()
}

/// What stands for the register of an element that has none.
fn register_name(e: &Element) -> &'static str {
    match Semantic::named(&e.name) {
        Some(Semantic::Depth) => "oDepth",
        Some(Semantic::DepthGreaterEqual) => "oDepthGE",
        Some(Semantic::DepthLessEqual) => "oDepthLE",
        Some(Semantic::Coverage) => "oMask",
        Some(Semantic::StencilRef) => "   oStencilRef",
        _ if e.system_value == Semantic::PrimitiveId.info().system_value => "primID",
        _ => "special",
    }
}

/// Writes the tables of interpolation modes, for the signatures that have elements. A library has no tables.
pub fn declared(out: &mut String, m: &Module) {
    let info = Info::read(m);
    let Some(entry) = info.entries.first().filter(|_| !info.is_library()) else { return };
    let Ok(signatures) = Signatures::read(m, entry.signatures) else { return };
    let [output, patch] = match info.kind {
        ShaderKind::Mesh => ["Vertex Output", "Primitive Output"],
        _ => ["Output", "Patch Constant"],
    };
    modes(out, "Input", &signatures.inputs);
    modes(out, output, &signatures.outputs);
    modes(out, patch, &signatures.patch);
}

fn modes(out: &mut String, title: &str, elements: &[SignatureElement]) {
    if elements.is_empty() {
        return;
    }
    let _ = write!(out, ";\n; {title} signature:\n;\n");
    out.push_str("; Name                 Index             InterpMode DynIdx\n");
    out.push_str("; -------------------- ----- ---------------------- ------\n");
    for e in elements {
        let index = e.indices.first().copied().unwrap_or(0);
        let dynamic: String = letters(e.dynamic).split_whitespace().collect();
        let _ = writeln!(out, "; {:<20} {index:>5} {:>22}   {dynamic:>4}", e.name, e.interpolation.words());
    }
}
