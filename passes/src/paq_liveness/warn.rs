//! The warnings: one function each.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{Function, Module, Opcode, Paq, PaqStage, Place, Root, Step, TypeKind};
use rtc_tables::diagnostics as codes;

use super::types::Field;

const RULE: &str = "rule: DXR, payload access qualifiers, detailed semantics";
const HALVES: &str = "rule: DXR, hit object interaction with payload access qualifiers";

/// Why nothing is in a field.
#[derive(Clone, Copy)]
pub(super) enum Why<'a> {
    /// It does not come into the shader.
    Entry { field: &'a Field, stage: PaqStage },
    /// Nothing was written to the variable.
    Fresh,
    /// A trace did not give it back.
    Trace { field: &'a Field, at: Span, op: Opcode },
}

/// How a write is lost.
pub(super) enum Lost {
    /// It is there when the shader ends.
    AtEnd { at: Span, stage: Option<PaqStage> },
    /// It does not go into the trace.
    InTrace { at: Span, op: Opcode },
}

/// What leads to a place.
pub(super) struct Path {
    /// Conditions with what they are, in the order of the source.
    pub conditions: Vec<(Span, bool)>,
    /// Calls with what is called, innermost first.
    pub calls: Vec<(Span, String)>,
    /// The entry point.
    pub root: String,
}

fn stage_name(s: PaqStage) -> &'static str {
    PaqStage::ALL[s as usize].1
}

fn call_name(op: Opcode) -> &'static str {
    match op {
        Opcode::hit_trace => "HitObject::TraceRay",
        Opcode::hit_invoke => "HitObject::Invoke",
        _ => "TraceRay",
    }
}

/// `read(caller) : write(miss)`.
fn qualifiers(paq: Option<Paq>) -> String {
    let list = |mask: u8| {
        let names = PaqStage::ALL.iter().filter(|s| mask & 1 << s.0 as u8 != 0).map(|s| s.1);
        names.collect::<Vec<_>>().join(", ")
    };
    let q = paq.unwrap_or_default();
    format!("`write({}) : read({})`", list(q.write), list(q.read))
}

/// A place as the source spells it.
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

/// Adds where the value was lost.
fn because(d: Diagnostic, why: Why) -> Diagnostic {
    match why {
        Why::Entry { field, stage } => {
            d.note(format!("`{}` is {}: it does not come into {} shaders", field.name, qualifiers(field.paq), stage_name(stage)))
        }
        Why::Fresh => d,
        Why::Trace { field, at, op } => {
            let d = if d.span() == at { d } else { d.label(at, "what was there before is lost here") };
            d.note(format!("`{}` is {}: {} does not give it back to its caller", field.name, qualifiers(field.paq), call_name(op)))
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
        d = d.note(format!("so it is in `{}`", path.root));
    }
    d
}

/// A read of nothing. `None` where that is no matter of qualifiers.
pub(super) fn read(at: Span, text: &str, why: Why, path: &Path) -> Option<Diagnostic> {
    let (code, hint) = match why {
        Why::Entry { .. } => (&codes::W0710, "nothing was written to it since the shader began"),
        Why::Trace { .. } => (&codes::W0711, "undefined since the trace before"),
        Why::Fresh => return None,
    };
    let d = Diagnostic::new(code, at, format!("`{text}` is undefined when it is read")).here(hint);
    let rule = match why {
        Why::Trace { op: Opcode::hit_trace | Opcode::hit_invoke, .. } => HALVES,
        _ => RULE,
    };
    Some(along(because(d, why), path).note(rule))
}

/// A field that goes into a trace with nothing in it.
pub(super) fn passed(at: Span, field: &Field, why: Why, again: bool, path: &Path) -> Diagnostic {
    let name = &field.name;
    let d = match why {
        Why::Fresh => Diagnostic::new(&codes::W0715, at, format!("nothing was written to `{name}` when it goes into this trace"))
            .note(format!("`{name}` is {}: the caller gives it its value", qualifiers(field.paq))),
        _ if again => Diagnostic::new(&codes::W0714, at, format!("`{name}` is undefined when it goes into this trace for the second time"))
            .here("the first round loses it here")
            .note("give it its value anew in each round, or let the caller read it"),
        _ => Diagnostic::new(&codes::W0714, at, format!("`{name}` is undefined when it goes into this trace")),
    };
    along(because(d, why), path).note(RULE)
}

/// A field that leaves the shader with nothing in it.
pub(super) fn leaves(at: Span, field: &Field, stage: PaqStage, written: bool, path: &Path) -> Diagnostic {
    // What helps: a reader's payload came in, so something took its place; one that nobody wrote before has nothing to keep.
    let reads = field.paq.is_some_and(|q| q.read & stage.bit() != 0);
    let kept = !reads && field.paq.is_some_and(|q| q.write & stage.after() != 0);
    let (name, stage) = (&field.name, stage_name(stage));
    let d = match written {
        true => {
            Diagnostic::new(&codes::W0716, at, format!("`{name}` leaves `{}` undefined on this path, which does not write it", path.root))
        }
        false => Diagnostic::new(&codes::W0716, at, format!("`{name}` leaves `{}` undefined, which never writes it", path.root)),
    };
    let d = d.note(match (reads, kept, written) {
        (true, ..) => {
            "it came in, but something without a value took its place: an `out` parameter, or a variable that nothing was written to"
                .to_owned()
        }
        (_, true, true) => format!("write it on every path, or add {stage} to its readers: then it stays as it was"),
        (_, true, false) => format!("add {stage} to its readers: then it stays as it was; or take it from its writers"),
        (_, false, true) => "write it on every path".to_owned(),
        (_, false, false) => format!("write it, or take {stage} from its writers"),
    });
    let d = d.note(format!("`{name}` is {}: each {stage} shader overwrites it, whether it assigns a value or not", qualifiers(field.paq)));
    along(d, path).note(RULE)
}

/// A write that nobody sees.
pub(super) fn lost(at: Span, text: &str, lost: Lost, path: &Path) -> Diagnostic {
    let d = match lost {
        Lost::AtEnd { at: end, stage } => {
            let stage = stage.map_or("these", stage_name);
            Diagnostic::new(&codes::W0712, at, format!("what is written to `{text}` is lost when `{}` ends", path.root))
                .label(end, "the shader ends here")
                .note(format!("its qualifiers do not have `write({stage})`, and nothing reads it before"))
        }
        Lost::InTrace { at: trace, op } => {
            Diagnostic::new(&codes::W0713, at, format!("what is written to `{text}` is lost in {}", call_name(op)))
                .label(trace, "it does not go in, and is not there afterwards")
                .note("its qualifiers do not have `write(caller)`, and nothing reads it before")
        }
    };
    along(d, path).note(RULE)
}
