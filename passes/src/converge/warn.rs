//! `-Wdivergent-trace`: traces, calls of shaders and reorder points that not all lanes of a wave come to together, for sources that are to be fast on devices
//! which leave a wave split after them.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{Module, Opcode};
use rtc_tables::diagnostics as codes;
use rustc_hash::FxHashSet;

use super::plan::{Divergence, divergences, of_module};

/// A warning for each place of the source with such an instruction, in the order of the source. `m` has its calls inlined: a place is reported once, with what
/// diverges around the first copy of it.
pub fn warnings(m: &Module) -> Vec<Diagnostic> {
    let refusal = of_module(m);
    let mut seen: FxHashSet<Span> = FxHashSet::default();
    let mut all = Vec::new();
    for f in m.funcs.values() {
        for d in divergences(m, f) {
            if seen.insert(d.span) {
                all.push(warning(f.op(d.trace), &d, refusal.as_deref()));
            }
        }
    }
    all.sort_by_key(|d| d.span().lo);
    all
}

/// What such an instruction is, and what to write in its place.
fn advice(op: Opcode) -> (&'static str, &'static str) {
    match op {
        Opcode::call_shader => ("call", "call in all threads: those without work name a record whose shader does nothing"),
        Opcode::hit_invoke => ("call", "invoke in all threads: the hit object of those without work is a nop"),
        Opcode::reorder => ("reorder", "reorder in all threads, whether they have work or not"),
        _ => ("trace", "trace in all threads: those without work have an instance mask of 0, and a miss shader that does nothing"),
    }
}

fn warning(op: Opcode, d: &Divergence, refusal: Option<&str>) -> Diagnostic {
    let (what, instead) = advice(op);
    let message = format!("some threads of a wave may come to this {what} and others not, which splits the wave on some devices");
    let mut out = Diagnostic::new(&codes::W0862, d.span, message);
    for c in &d.causes {
        out = match c.value.is_none() {
            true => out.label(c.span, format!("threads part in this `{}`", c.kind)),
            false => out.label(c.value, format!("this may differ between threads, and parts them (`{}`)", c.kind)),
        };
    }
    let plural = if d.work == 1 { "" } else { "s" };
    out = out.note(format!("about {} instruction{plural} follow, which each part of a split wave executes by itself", d.work));
    out = out.note(instead);
    match refusal.or(d.obstacle.as_deref()) {
        None => out.note("for SPIR-V, `-fspv-converge-traces` makes all threads execute it"),
        Some(why) => out.note(format!("`-fspv-converge-traces` leaves it as it is: {why}")),
    }
}
