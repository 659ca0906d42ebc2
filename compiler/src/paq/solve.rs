//! Inference of the tightest qualifiers of payload fields from the accesses and the demand of the shaders of all libraries.
//!
//! A *field* here is a declaration: a member of a nested payload or base is one field wherever it occurs. A value of a field is
//! *needed* before a stage if a shader of that stage reads it, or leaves it in the payload and it is needed after. Demand
//! propagates backwards along the sequence of stages (DXR, shader stage sequence) and, where a shader passes the value that it received to a trace of its own
//! or a value that a trace returned to its own caller, from one payload to another, to a fixpoint.
//!
//! A stage writes a field if one of its shaders may write it and it is needed after. It reads a field if one of its shaders reads it, or if
//! it writes it but not on every path of every shader, because the old value would be lost otherwise. The caller writes a field that
//! it may have set and that is needed in the trace, or after it where no shader runs; it reads a field that it needs afterwards.

use rtc_ir::PaqStage;

use PaqStage::{AnyHit, Caller, ClosestHit, Miss};

/// A field, as a declaration.
pub type FieldId = usize;

/// A use of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// It is read.
    Read,
    /// It is passed to a trace as this field.
    Trace(FieldId, Course),
    /// It leaves the shader of this stage as this field.
    Leaves(PaqStage, FieldId),
    /// Its uses are unknown.
    Unknown,
}

/// A field in a shader that receives it.
#[derive(Clone, Debug)]
pub struct InShader {
    /// Which.
    pub field: FieldId,
    /// The uses of the received value.
    pub needs: Vec<Need>,
    /// It may be written.
    pub writes: bool,
    /// A store to it alone, which the shader itself does not read, may be what it leaves.
    pub stores: bool,
    /// It is written, all of it, on every path.
    pub always: bool,
    /// Where it is read.
    pub read_at: Option<String>,
    /// Where it is written.
    pub write_at: Option<String>,
}

/// A shader that receives a payload.
#[derive(Clone, Debug)]
pub struct Shader {
    /// Its name, with the library if there are several.
    pub name: String,
    /// Its stage.
    pub stage: PaqStage,
    /// Its payload's fields.
    pub fields: Vec<InShader>,
}

/// Which kind of trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `TraceRay`
    Ray,
    /// `HitObject::TraceRay`
    Hit,
    /// `HitObject::Invoke`
    Invoke,
}

/// What happens in a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Course {
    /// Its kind.
    pub kind: Kind,
    /// The stages of shaders that it may run.
    pub runs: u8,
    /// The payload may come back without a closest-hit or miss shader having run.
    pub nothing: bool,
}

/// A field in a trace.
#[derive(Clone, Debug)]
pub struct InTrace {
    /// Which.
    pub field: FieldId,
    /// The uses of the returned value.
    pub needs: Vec<Need>,
    /// The caller may have set it, or received it with its own payload.
    pub set: bool,
    /// It may have come back from a trace before.
    pub kept: bool,
    /// A store to it alone, which the caller itself does not read, may be what goes in.
    pub stores: bool,
    /// It has a value on every path, which the caller stored, received, or got back.
    pub defined: bool,
    /// Where it is read afterwards.
    pub read_at: Option<String>,
}

/// A trace.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The shader that traces.
    pub caller: String,
    /// Where.
    pub at: String,
    /// What happens in it.
    pub course: Course,
    /// Its payload's fields.
    pub fields: Vec<InTrace>,
}

/// Why a stage is in a qualifier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// In `write(…)`, not `read(…)`.
    pub write: bool,
    /// The stage.
    pub stage: PaqStage,
    /// A sentence.
    pub text: String,
}

impl Reason {
    /// The order in which reasons are shown: `read` first, stages as they run.
    pub fn order(&self) -> (bool, Option<usize>) {
        (self.write, [Caller, AnyHit, ClosestHit, Miss].iter().position(|&s| s == self.stage))
    }
}

/// The qualifiers of a field.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Solved {
    /// The stages that read.
    pub read: u8,
    /// The stages that write.
    pub write: u8,
    /// The reasons, one for each stage and qualifier.
    pub reasons: Vec<Reason>,
    /// Suspicious findings: reads of fields that are never written.
    pub remarks: Vec<String>,
}

/// The dataflow state of a field.
#[derive(Clone, Default)]
struct State {
    /// Stages before which the value is needed.
    live: u8,
    /// Stages in which it is read for itself, with the first shader.
    read: [Option<(usize, usize)>; 4],
    /// A caller needs it after `TraceRay` or `Invoke`, or after `HitObject::TraceRay`: the first.
    back: Option<(usize, usize)>,
    back_hit: Option<(usize, usize)>,
    /// Whether what any-hit shaders leave may come back from `TraceRay` as it is.
    passes: bool,
    /// Every trace with it is split: what any-hit shaders leave comes back to the caller before a closest-hit or miss shader gets it.
    split: bool,
}

impl State {
    fn lives(&self, stage: PaqStage) -> bool {
        self.live & stage.bit() != 0
    }
    /// Needed after a stage.
    fn after(&self, stage: PaqStage) -> bool {
        let back = self.back.is_some();
        match stage {
            AnyHit => {
                let next = if self.split { AnyHit.bit() } else { !Caller.bit() };
                self.live & next != 0 || self.passes && back || self.back_hit.is_some()
            }
            _ => back,
        }
    }
    /// Needed where such a trace begins.
    fn enters(&self, c: Course) -> bool {
        self.live & c.runs != 0
            || match c.kind {
                Kind::Hit => self.back_hit.is_some(),
                Kind::Ray | Kind::Invoke => c.nothing && self.back.is_some(),
            }
    }
}

/// Whether the value is needed in the current states.
fn active(states: &[State], need: Need) -> bool {
    match need {
        Need::Read | Need::Unknown => true,
        Need::Trace(f, course) => states[f].enters(course),
        Need::Leaves(stage, f) => states[f].after(stage),
    }
}

/// The tightest qualifiers of `fields` fields.
pub fn solve(fields: usize, shaders: &[Shader], traces: &[Trace]) -> Vec<Solved> {
    let mut states = vec![State::default(); fields];
    for t in traces.iter().filter(|t| t.course.kind == Kind::Ray && t.course.nothing) {
        t.fields.iter().for_each(|f| states[f.field].passes = true);
    }
    for (kind, split) in [(Kind::Hit, true), (Kind::Ray, false)] {
        for t in traces.iter().filter(|t| t.course.kind == kind) {
            t.fields.iter().for_each(|f| states[f.field].split = split);
        }
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (n, s) in shaders.iter().enumerate() {
            for (i, f) in s.fields.iter().enumerate() {
                for &need in &f.needs {
                    if !active(&states, need) {
                        continue;
                    }
                    let state = &mut states[f.field];
                    changed |= !state.lives(s.stage);
                    state.live |= s.stage.bit();
                    if need != Need::Leaves(s.stage, f.field) && state.read[s.stage as usize].is_none() {
                        state.read[s.stage as usize] = Some((n, i));
                        changed = true;
                    }
                }
            }
        }
        for (n, t) in traces.iter().enumerate() {
            for (i, f) in t.fields.iter().enumerate() {
                if !f.needs.iter().any(|&need| active(&states, need)) {
                    continue;
                }
                let state = &mut states[f.field];
                let slot = if t.course.kind == Kind::Hit { &mut state.back_hit } else { &mut state.back };
                if slot.is_none() {
                    *slot = Some((n, i));
                    changed = true;
                }
            }
        }
    }
    let mut occurrences = vec![Occurrences::default(); fields];
    for s in shaders {
        s.fields.iter().for_each(|f| occurrences[f.field].shaders.push((s, f)));
    }
    for t in traces {
        t.fields.iter().for_each(|f| occurrences[f.field].traces.push((t, f)));
    }
    let back = traces.iter().flat_map(|t| t.fields.iter().map(|f| (f.field, &f.needs)));
    let within = shaders.iter().flat_map(|s| s.fields.iter().map(|f| (f.field, &f.needs)));
    for (from, needs) in back.chain(within) {
        for need in needs {
            if let Need::Trace(to, _) | Need::Leaves(_, to) = *need {
                occurrences[to].moved_to |= to != from;
            }
        }
    }
    (0..fields).map(|f| qualifiers(&states[f], &occurrences[f], shaders, traces)).collect()
}

/// The occurrences of a field in shaders and traces.
#[derive(Clone, Default)]
struct Occurrences<'a> {
    shaders: Vec<(&'a Shader, &'a InShader)>,
    traces: Vec<(&'a Trace, &'a InTrace)>,
    /// Values of other fields may come into it between traces.
    moved_to: bool,
}

fn qualifiers(state: &State, occurrences: &Occurrences, shaders: &[Shader], traces: &[Trace]) -> Solved {
    let mut out = Solved::default();
    let mut because = |write: bool, stage: PaqStage, text: String| out.reasons.push(Reason { write, stage, text });
    let (mut read, mut write) = (0u8, 0u8);
    let at = |at: &Option<String>| at.as_ref().map_or(String::new(), |a| format!(" ({a})"));
    for stage in [AnyHit, ClosestHit, Miss] {
        let of_stage = || occurrences.shaders.iter().filter(move |p| p.0.stage == stage).copied();
        let writer = of_stage().find(|(_, f)| f.writes).filter(|_| state.after(stage));
        if let Some((s, f)) = writer {
            write |= stage.bit();
            because(true, stage, format!("`{}` writes it{}", s.name, at(&f.write_at)));
        }
        let keeper = writer.and_then(|_| of_stage().find(|(_, f)| !f.always));
        if let Some((s, f)) = state.read[stage as usize].map(|(n, i)| (&shaders[n], &shaders[n].fields[i])) {
            read |= stage.bit();
            because(
                false,
                stage,
                match f.read_at {
                    Some(_) => format!("`{}` reads it{}", s.name, at(&f.read_at)),
                    None => format!("`{}` passes it on", s.name),
                },
            );
        } else if let Some((s, f)) = keeper {
            read |= stage.bit();
            because(
                false,
                stage,
                match f.writes {
                    true => format!("`{}` does not write it on every path, so it keeps what was there", s.name),
                    false => format!("`{}` does not write it, so it keeps what was there", s.name),
                },
            );
        }
    }
    let back = state.back.or(state.back_hit.filter(|_| read & (ClosestHit.bit() | Miss.bit()) == 0));
    if let Some((n, i)) = back {
        let (t, f) = (&traces[n], &traces[n].fields[i]);
        read |= Caller.bit();
        because(
            false,
            Caller,
            match f.read_at {
                Some(_) => format!("`{}` reads it after the trace{}", t.caller, at(&f.read_at)),
                None => format!("`{}` keeps it after the trace ({})", t.caller, t.at),
            },
        );
    }
    // At `Invoke` what any-hit shaders write is the caller's.
    let enters = |t: &Trace| state.enters(t.course) && !(t.course.kind == Kind::Invoke && write & AnyHit.bit() != 0);
    // A value that a trace returned is defined only if the caller or a shader defined it.
    let born = occurrences.moved_to
        || occurrences.traces.iter().any(|(_, f)| f.set)
        || occurrences.shaders.iter().any(|(_, f)| f.writes && f.write_at.is_some());
    let setter = occurrences.traces.iter().find(|(t, f)| (f.set || f.kept && born) && enters(t));
    if let Some((t, _)) = setter {
        let used = state.live & !Caller.bit() != 0;
        write |= Caller.bit();
        because(
            true,
            Caller,
            match used {
                true => format!("`{}` sets it before the trace ({})", t.caller, t.at),
                false => format!("`{}` sets it before the trace ({}), and it comes back where no shader runs", t.caller, t.at),
            },
        );
    }
    // A read without a writer reads an undefined value; a write without a reader is not necessary.
    loop {
        let all = || PaqStage::ALL.into_iter();
        let unwritten = all().filter(|s| s.is_in(read) && s.predecessors() & write == 0).fold(0, |m, s| m | s.bit());
        let unread = all().filter(|s| s.is_in(write) && s.successors() & read == 0).fold(0, |m, s| m | s.bit());
        if unwritten | unread == 0 {
            break;
        }
        if unwritten != 0 {
            let readers: Vec<&str> =
                out.reasons.iter().filter(|r| !r.write && unwritten & r.stage.bit() != 0).map(|r| r.text.as_str()).collect();
            out.remarks.push(format!("it is not written before: {}", readers.join("; ")));
        }
        (read, write) = (read & !unwritten, write & !unread);
    }
    out.reasons.retain(|r| (if r.write { write } else { read }) & r.stage.bit() != 0);
    out.reasons.sort_by_key(Reason::order);
    (out.read, out.write) = (read, write);
    out
}
