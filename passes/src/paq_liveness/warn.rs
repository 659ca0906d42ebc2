//! The diagnostics of payload access qualifiers: one function each.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{Function, Module, Opcode, Paq, PaqStage, Place, Root, Step, TypeKind};
use rtc_tables::diagnostics as codes;
use rtc_tables::payload_access::trace_boundary;

use super::hit_kinds::Runs;
use super::types::Field;

const RULE: &str = "rule: DXR, payload access qualifiers, detailed semantics";
const HIT_OBJECT_RULE: &str = "rule: DXR, hit object interaction with payload access qualifiers";

/// Why a field is undefined.
#[derive(Clone, Copy)]
pub(super) enum Why<'a> {
    /// The shader does not receive it.
    Entry { field: &'a Field, stage: PaqStage },
    /// Nothing was written to the variable.
    Fresh,
    /// A trace did not return it, or no shader that writes it ran.
    Trace { field: &'a Field, at: Span, op: Opcode, runs: Runs },
}

/// Whether a field is written that is undefined at the end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// Nowhere.
    Never,
    /// On other paths.
    Elsewhere,
    /// On this path, but not all of it.
    InPart,
}

/// How a write is lost.
pub(super) enum Lost {
    /// When the shader ends.
    AtEnd { at: Span, stage: Option<PaqStage> },
    /// When a trace begins.
    InTrace { at: Span, op: Opcode },
}

/// The path to a source location.
pub(super) struct Path {
    /// Conditions with their values, in the order of the source.
    pub conditions: Vec<(Span, bool)>,
    /// Call sites with their callees, innermost first.
    pub calls: Vec<(Span, String)>,
    /// The entry point.
    pub root: String,
}

/// `read(caller) : write(miss)`.
fn qualifiers(paq: Option<Paq>) -> String {
    let list = |mask: u8| {
        let names = PaqStage::members(mask).map(PaqStage::name);
        names.collect::<Vec<_>>().join(", ")
    };
    let q = paq.unwrap_or_default();
    format!("`write({}) : read({})`", list(q.write), list(q.read))
}

/// An l-value as the source spells it.
pub(super) fn place(m: &Module, f: &Function, p: Place) -> String {
    let data = &f.places[p];
    let (name, mut ty) = match data.root {
        Root::Local(l) => (f.locals[l].name.clone(), f.locals[l].ty),
        Root::Slot(s) => (f.slots[s].name.clone(), f.slots[s].ty),
        Root::Global(g) => (m.globals[g].name.clone(), m.globals[g].ty()),
    };
    let mut out = if name.is_empty() { "a payload".to_string() } else { name };
    for step in &data.steps {
        let n = match *step {
            Step::At(n) => Some(n),
            Step::Dyn => None,
        };
        match (m.types.kind(ty), n) {
            (TypeKind::Struct(s), Some(n)) => {
                if let Some(field) = m.structs[s].fields.get(n as usize).filter(|f| !f.name.is_empty()) {
                    out = format!("{out}.{}", field.name);
                }
            }
            (TypeKind::Vector(..), Some(n)) if n < 4 => out = format!("{out}.{}", ["x", "y", "z", "w"][n as usize]),
            (_, Some(n)) => out = format!("{out}[{n}]"),
            (_, None) => out = format!("{out}[…]"),
        }
        let Some(next) = m.part(ty, n) else { break };
        ty = next;
    }
    out
}

/// Adds the cause.
fn because(d: Diagnostic, why: Why) -> Diagnostic {
    match why {
        Why::Entry { field, stage } => {
            d.note(format!("`{}` is {}: {} shaders do not receive it", field.name, qualifiers(field.paq), stage.name()))
        }
        Why::Fresh => d,
        Why::Trace { field, at, op, runs } => {
            let d = if d.span() == at { d } else { d.label(at, "the previous value is lost here") };
            let q = field.paq.unwrap_or_default();
            let what = match q.read & trace_boundary(op).readers {
                0 => "does not return it to its caller".to_owned(),
                _ if q.write & runs.stages != 0 => "runs no shader on this path, since its hit object names none".to_owned(),
                _ => match PaqStage::list(runs.stages, " and ") {
                    none if none.is_empty() => "runs no shader, since its hit object names none".to_owned(),
                    stages => format!("runs {stages} shaders only, which do not write it"),
                },
            };
            d.note(format!("`{}` is {}: {} {what}", field.name, qualifiers(field.paq), op.hlsl_name()))
        }
    }
}

/// Adds the path.
fn along(mut d: Diagnostic, path: &Path) -> Diagnostic {
    for &(at, holds) in path.conditions.iter().rev().take(3).rev() {
        d = d.label(at, if holds { "when this holds" } else { "when this does not hold" });
    }
    for (at, what) in path.calls.iter().take(4) {
        d = d.label(*at, format!("in `{what}`, called here"));
    }
    if !path.calls.is_empty() {
        d = d.note(format!("in the entry point `{}`", path.root));
    }
    d
}

/// A read of an undefined value; `None` if qualifiers are not the cause.
pub(super) fn read(at: Span, text: &str, why: Why, path: &Path) -> Option<Diagnostic> {
    let (code, hint) = match why {
        Why::Entry { .. } => (&codes::W0710, "it was not written since the shader began"),
        Why::Trace { .. } => (&codes::W0711, "undefined since the trace before"),
        Why::Fresh => return None,
    };
    let d = Diagnostic::new(code, at, format!("`{text}` is undefined when it is read")).here(hint);
    let rule = match why {
        Why::Trace { op: Opcode::hit_trace | Opcode::hit_invoke, .. } => HIT_OBJECT_RULE,
        _ => RULE,
    };
    Some(along(because(d, why), path).note(rule))
}

/// A field that is passed to a trace undefined.
pub(super) fn passed(at: Span, field: &Field, why: Why, again: bool, path: &Path) -> Diagnostic {
    let name = &field.name;
    let d = match why {
        Why::Fresh => Diagnostic::new(&codes::W0715, at, format!("`{name}` is passed to this trace uninitialised"))
            .note(format!("`{name}` is {}: the caller must initialise it", qualifiers(field.paq))),
        _ if again => {
            Diagnostic::new(&codes::W0714, at, format!("`{name}` is undefined when it is passed to this trace in the next iteration"))
                .here("the previous iteration loses it here")
                .note("assign it in each iteration, or add caller to its readers")
        }
        _ => Diagnostic::new(&codes::W0714, at, format!("`{name}` is undefined when it is passed to this trace")),
    };
    along(because(d, why), path).note(RULE)
}

/// A field that is undefined when the shader ends.
pub(super) fn leaves(at: Span, field: &Field, stage: PaqStage, written: Written, path: &Path) -> Diagnostic {
    // The fix: a stage that reads it received it, so it was overwritten; without a writer before there is no value to keep.
    let reads = field.paq.is_some_and(|q| q.reads(stage));
    let kept = !reads && field.paq.is_some_and(|q| q.write & stage.predecessors() != 0);
    let (name, stage) = (&field.name, stage.name());
    let how = match written {
        Written::Elsewhere => "this path does not write it",
        Written::InPart => "this path does not write all of it",
        Written::Never => "it is never written",
    };
    let d = Diagnostic::new(&codes::W0716, at, format!("`{name}` is undefined when `{}` ends: {how}", path.root));
    let written = written != Written::Never;
    let d = d.note(match (reads, kept, written) {
        (true, ..) => "it was received, but overwritten by an undefined value: an `out` parameter or an uninitialised variable".to_owned(),
        (_, true, true) => format!("write it on every path, or add {stage} to its readers, which keeps its value"),
        (_, true, false) => format!("add {stage} to its readers, which keeps its value, or remove it from its writers"),
        (_, false, true) => "write it on every path".to_owned(),
        (_, false, false) => format!("write it, or remove {stage} from its writers"),
    });
    let d = d.note(format!("`{name}` is {}: each {stage} shader overwrites it, whether it assigns a value or not", qualifiers(field.paq)));
    along(d, path).note(RULE)
}

/// A dead write.
pub(super) fn lost(at: Span, text: &str, lost: Lost, path: &Path) -> Diagnostic {
    let d = match lost {
        Lost::AtEnd { at: end, stage } => {
            let stage = stage.map_or("these", PaqStage::name);
            Diagnostic::new(&codes::W0712, at, format!("the value written to `{text}` is lost when `{}` ends", path.root))
                .label(end, "the shader ends here")
                .note(format!("its qualifiers do not have `write({stage})`, and it is not read before"))
        }
        Lost::InTrace { at: trace, op } => {
            Diagnostic::new(&codes::W0713, at, format!("the value written to `{text}` is lost in {}", op.hlsl_name()))
                .label(trace, "it is not passed to the trace, and is undefined afterwards")
                .note("its qualifiers do not have `write(caller)`, and it is not read before")
        }
    };
    along(d, path).note(RULE)
}
