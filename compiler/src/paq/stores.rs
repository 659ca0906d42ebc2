//! Qualifiers that permit every store: what `rtc paq -fix` writes, so that its result compiles without warnings about lost values.
//!
//! The tightest qualifiers leave out a stage whose stores are never read; each such store is then W0712 or W0713. Here the stage stays in
//! `write`, and in `read` too where a path keeps what was there; the caller reads what nothing else does (E0701). A field is left alone if
//! that would only trade one warning for another: a caller would have to pass a value that it does not always have (W0715).

use rtc_ir::PaqStage;

use super::solve::{FieldId, Reason, Shader, Solved, Trace};

use PaqStage::{AnyHit, Caller, ClosestHit, Miss};

/// The tightest qualifiers of a field with what its stores need, or nothing if they need no more or cannot have it.
pub fn permit(field: FieldId, tight: &Solved, shaders: &[Shader], traces: &[Trace]) -> Option<Solved> {
    let in_shaders = || shaders.iter().flat_map(|s| s.fields.iter().filter(|f| f.field == field).map(move |f| (s, f)));
    let in_traces = || traces.iter().flat_map(|t| t.fields.iter().filter(|f| f.field == field).map(move |f| (t, f)));
    let mut out = tight.clone();
    let lost = |what: String, stage| Reason {
        write: true,
        stage,
        text: format!("{what}, and nothing reads it: without that store `write` can go"),
    };
    for stage in [AnyHit, ClosestHit, Miss] {
        let store = in_shaders().find(|(s, f)| s.stage == stage && f.stores);
        if let Some((s, f)) = store.filter(|_| !stage.is_in(out.write)) {
            let at = f.write_at.as_ref().map_or(String::new(), |a| format!(" ({a})"));
            out.write |= stage.bit();
            out.reasons.push(lost(format!("`{}` writes it{at}", s.name), stage));
            if !stage.is_in(out.read) && in_shaders().any(|(s, f)| s.stage == stage && !f.always) {
                out.read |= stage.bit();
                let text = "it is not written on every path, which keeps what was there".to_string();
                out.reasons.push(Reason { write: false, stage, text });
            }
        }
    }
    let store = in_traces().find(|(_, f)| f.stores);
    if let Some((t, _)) = store.filter(|_| !Caller.is_in(out.write)) {
        out.write |= Caller.bit();
        out.reasons.push(lost(format!("`{}` sets it before the trace ({})", t.caller, t.at), Caller));
    }
    if (out.read, out.write) == (tight.read, tight.write) {
        return None;
    }
    let unwritten = |out: &Solved| PaqStage::ALL.into_iter().any(|s| s.is_in(out.read) && s.predecessors() & out.write == 0);
    // What was there where a shader keeps it is the caller's.
    if unwritten(&out) && !Caller.is_in(out.write) {
        out.write |= Caller.bit();
        let text = "its value is kept where a shader does not write it".to_string();
        out.reasons.push(Reason { write: true, stage: Caller, text });
    }
    let all = || PaqStage::ALL.into_iter();
    if all().any(|s| s.is_in(out.write) && s.successors() & out.read == 0) {
        out.read |= Caller.bit();
        out.reasons.push(Reason { write: false, stage: Caller, text: "a field that is written has a reader".into() });
    }
    let undefined = Caller.is_in(out.write) && !Caller.is_in(tight.write) && in_traces().any(|(_, f)| !f.defined);
    (!unwritten(&out) && !undefined).then(|| {
        out.reasons.sort_by_key(Reason::order);
        out
    })
}
