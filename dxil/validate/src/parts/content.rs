//! Rules about parts derived from the module (features, runtime data, signatures): each is recomputed and compared.

use crate::Cx;
use rtc_dxil_container::{Container, FourCc, ShaderKind, signature};
use rtc_tables::validation::rule;

/// Where two texts of bytes differ first.
fn first_difference(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()))
}

fn compare(cx: &mut Cx<'_>, name: FourCc, stored: &[u8], made: &[u8]) {
    if stored != made {
        let text = if stored.len() == made.len() {
            "differs from what follows from the module".to_owned()
        } else {
            format!("has {} bytes, what follows from the module has {}", stored.len(), made.len())
        };
        cx.part(rule::PART_MATCHES, name.to_string(), first_difference(stored, made), text);
    }
}

/// The feature bits are those of the module.
pub(crate) fn features(cx: &mut Cx<'_>, file: &Container) {
    let (Some(part), Some(known)) = (file.part(FourCc::SFI0), cx.known()) else { return };
    let stored: Option<[u8; 8]> = part.data.as_slice().try_into().ok();
    let Some(stored) = stored else {
        return cx.part(rule::PART_MATCHES, "SFI0", 0, format!("has {} bytes, features have 8", part.data.len()));
    };
    let (stored, made) = (u64::from_le_bytes(stored), known.features());
    if stored != made {
        let text = format!("says features {stored:#x}, from the module follow {made:#x}");
        cx.part(rule::PART_MATCHES, "SFI0", 0, text);
    }
}

/// The kind of a shader whose runtime data is not described here: nodes have tables of their own.
pub(super) fn undescribed(cx: &Cx<'_>) -> Option<ShaderKind> {
    cx.has_entry(|k| k == ShaderKind::Node)
}

/// The runtime data of a library is that of the module.
pub(crate) fn runtime_data(cx: &mut Cx<'_>, file: &Container) {
    let Some(part) = file.part(FourCc::RDAT).filter(|_| cx.info.is_library()) else { return };
    if let Err(e) = rtc_dxil_container::rdat::Rdat::read(&part.data) {
        return cx.part(rule::PART_MATCHES, "RDAT", e.offset, e.reason);
    }
    if let Some(kind) = undescribed(cx) {
        return cx.leave_out(format!("its runtime data (RDAT) is not compared, since it has a {kind} shader"));
    }
    if let Some(made) = cx.known().and_then(|k| k.rdat_bytes()) {
        compare(cx, FourCc::RDAT, &part.data, &made);
    }
}

/// The signatures of a shader are those of the metadata; compute and amplification shaders have empty ones, and none for patches.
pub(crate) fn signatures(cx: &mut Cx<'_>, file: &Container) {
    let empty = matches!(cx.info.kind, ShaderKind::Compute | ShaderKind::Amplification);
    if !empty && cx.known().is_none_or(|k| k.signatures.is_none()) {
        return;
    }
    let made = cx.known().map(|k| k.signature_parts()).unwrap_or_default();
    for (name, made) in made {
        if let Some(part) = file.part(name) {
            let settled = signature::settled;
            if settled(&part.data) != settled(&made) {
                compare(cx, name, &part.data, &made);
            }
        }
    }
    if empty && file.part(FourCc::PSG1).is_some() {
        cx.part(rule::PART_MATCHES, "PSG1", 0, format!("is there, and {} shaders have no such signature", cx.info.kind));
    }
}
