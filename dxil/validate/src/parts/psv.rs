//! Pipeline state validation data: well-formed for the validator version, equal to the module, without unused entries.
//!
//! [`shape`] goes through the part; [`elements`] compares what it says of signatures.
//!
//! Validators before 1.9 compared bytes instead, with whichever record was as long as the part: see [`is_older`].

mod elements;
mod shape;

use crate::Cx;
use rtc_dxil_container::metadata::signature::Signatures;
use rtc_dxil_container::psv::{Psv, PsvResource};
use rtc_dxil_container::recompute::dependencies::Dependencies;
use rtc_dxil_container::{Container, FourCc};
use rtc_tables::validation::rule;
use shape::{INFO, Shape};

/// Bytes of a signature element.
const ELEMENT: usize = 16;

/// Checks the part of a single shader.
pub(crate) fn pipeline(cx: &mut Cx<'_>, file: &Container) {
    let Some(part) = file.part(FourCc::PSV0) else { return };
    let Some(known) = cx.known() else { return };
    let Some(made) = &known.psv else { return };
    if !cx.info.since(9) && is_older(made, says_nothing(cx), &part.data) {
        return;
    }
    let shape = match Shape::read(&part.data) {
        Ok(shape) => shape,
        Err(e) => return cx.part(rule::CONTENT_INVALID, "PSV0", e.offset, e.reason),
    };
    let version = usize::from(Psv::record_for(cx.info.validator));
    let record = if version >= 2 { 24 } else { 16 };
    let mut differs = |at: usize, text: String| cx.part(rule::CONTENT_MATCHES, "PSV0", at, text);
    if shape.info != INFO[version] {
        let want = INFO[version];
        return differs(0, format!("has {} bytes of stage information, this validator version has {want}", shape.info));
    }
    if let Some(stride) = shape.stride.filter(|&s| s != record) {
        return differs(4 + shape.info + 4, format!("has {stride} bytes a resource, this validator version has {record}"));
    }
    if shape.element.is_some_and(|e| e != ELEMENT) {
        return differs(0, format!("has signature elements of another size than {ELEMENT} bytes"));
    }
    if shape.strings.last().is_some_and(|&b| b != 0) {
        let at = shape.strings_at + shape.strings.len() - 1;
        return cx.part(rule::CONTENT_INVALID, "PSV0", at, "has texts of which the last does not end");
    }
    let stored = match Psv::read(&part.data) {
        Ok(stored) => stored,
        Err(e) => return cx.part(rule::CONTENT_INVALID, "PSV0", e.offset, e.reason),
    };
    compare(&stored, made, shape.info, differs);
    let none = Signatures::default();
    let signatures = known.signatures.as_ref().map_or(&none, |s| &s.0);
    elements::check(cx, &shape, &made.write(), signatures, &stored);
}

/// Whether the module says no dependencies of outputs: it has none then, whatever its code does.
fn says_nothing(cx: &Cx<'_>) -> bool {
    cx.m.meta.named(Dependencies::METADATA).is_empty()
}

/// Whether the part is what a validator before 1.9 would have made of the module in some record: compilers that were older than the
/// validator wrote the record that they knew. Geometry shaders with several streams had tables of dependencies without entries.
fn is_older(made: &Psv, silent: bool, data: &[u8]) -> bool {
    (0..=made.version).rev().any(|version| {
        let made = made.in_record(version);
        let several = made.signature_counts[5..].iter().any(|&vectors| vectors > 0);
        let bytes = made.write();
        let without = || Shape::read(&bytes).is_ok_and(|s| without_dependencies(&bytes, &s) == data);
        !silent && bytes == data || (silent || several) && without()
    })
}

/// The part with tables of dependencies that have no entries.
fn without_dependencies(bytes: &[u8], shape: &Shape<'_>) -> Vec<u8> {
    let mut out = bytes[..shape.tables_at].to_vec();
    out.resize(bytes.len(), 0);
    out
}

/// Reports what differs of the stage and the resources: where, and how.
fn compare(stored: &Psv, made: &Psv, info: usize, mut differs: impl FnMut(usize, String)) {
    let resource =
        |r: &PsvResource| format!("type {} kind {} space {} registers {}..{} flags {}", r.ty, r.kind, r.space, r.lower, r.upper, r.flags);
    if stored.resources.len() != made.resources.len() {
        let (a, b) = (stored.resources.len(), made.resources.len());
        differs(4 + info, format!("has {a} resources, the module has {b}"));
    } else {
        for (n, (a, b)) in stored.resources.iter().zip(&made.resources).enumerate() {
            let long = made.version >= 2;
            let same = a == b || !long && (a.ty, a.space, a.lower, a.upper) == (b.ty, b.space, b.lower, b.upper);
            if !same {
                differs(4 + info, format!("says of resource {n}: {}; the module: {}", resource(a), resource(b)));
            }
        }
    }
    let mut number = |at: usize, what: &str, a: &dyn std::fmt::Debug, b: &dyn std::fmt::Debug, same: bool| {
        if !same {
            differs(at, format!("has {a:?} as {what}, the module has {b:?}"));
        }
    };
    let (a, b) = (stored, made);
    number(4, "data of the stage", &a.stage_words, &b.stage_words, a.stage_words == b.stage_words);
    let (x, y) = ((a.min_wave_lanes, a.max_wave_lanes), (b.min_wave_lanes, b.max_wave_lanes));
    number(20, "least and most lanes", &x, &y, x == y);
    if b.version >= 1 {
        number(28, "stage", &a.stage, &b.stage, a.stage == b.stage);
        number(29, "use of views", &a.uses_view_id, &b.uses_view_id, a.uses_view_id == b.uses_view_id);
        number(30, "data of the stage", &a.stage_half, &b.stage_half, a.stage_half == b.stage_half);
        let same = a.signature_counts == b.signature_counts;
        number(32, "counts of signatures", &a.signature_counts, &b.signature_counts, same);
    }
    if b.version >= 2 {
        number(40, "threads of a group", &a.threads, &b.threads, a.threads == b.threads);
    }
    if b.version >= 3 {
        number(52, "entry point", &a.entry, &b.entry, a.entry == b.entry);
    }
    if b.version >= 4 {
        number(56, "bytes of groupshared memory", &a.groupshared, &b.groupshared, a.groupshared == b.groupshared);
    }
}
