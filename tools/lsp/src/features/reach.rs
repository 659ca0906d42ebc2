//! Which entry points reach a function, and at which signature points a structure is used.

use rtc_frontend::hir::{Body, ExprKind, FuncId, Module, Pass, RecordId, Ty, TyKind};
use rtc_tables::signature::SigPoint;
use rtc_tables::stages::{Stage, StageMask};
use rustc_hash::{FxHashMap, FxHashSet};

/// The functions that a body calls.
fn callees(body: &Body) -> impl Iterator<Item = FuncId> {
    body.exprs.values().filter_map(|e| match e.kind {
        ExprKind::Call { func, .. } => Some(func),
        _ => None,
    })
}

/// The functions that are reached from some function, itself included.
pub fn reached_from(m: &Module, from: FuncId) -> FxHashSet<FuncId> {
    let mut seen = FxHashSet::from_iter([from]);
    let mut open = vec![from];
    while let Some(f) = open.pop() {
        let Some(function) = m.funcs.get(f) else { continue };
        open.extend(callees(&function.body).filter(|g| seen.insert(*g)));
    }
    seen
}

/// The stages of the entry points that reach a function; none if no entry point does.
pub fn stages(m: &Module, f: FuncId) -> Vec<Stage> {
    let mut callers: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
    for (caller, function) in m.funcs.iter() {
        callees(&function.body).for_each(|callee| callers.entry(callee).or_default().push(caller));
    }
    let mut seen = FxHashSet::from_iter([f]);
    let mut open = vec![f];
    while let Some(g) = open.pop() {
        open.extend(callers.get(&g).into_iter().flatten().copied().filter(|c| seen.insert(*c)));
    }
    let reaching = m.shader_functions().filter(|(start, _)| seen.contains(start));
    let mut out: Vec<Stage> = reaching.filter_map(|(_, entry)| m.funcs.get(entry)).map(|e| e.stage).collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// Whether what is for some stages is legal in all of these.
pub fn legal(of: StageMask, stages: &[Stage]) -> bool {
    stages.iter().all(|s| of.has(*s))
}

/// Inputs or outputs of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The stage.
    pub stage: Stage,
    /// Whether they leave it.
    pub output: bool,
}

impl Signature {
    /// The signature points that they may be at.
    pub fn points(self) -> impl Iterator<Item = SigPoint> {
        let own = move |p: &SigPoint| p.stage() == self.stage || self.stage == Stage::Amplification && *p == SigPoint::MsIn;
        SigPoint::ALL.into_iter().map(|p| p.0).filter(move |p| own(p) && p.is_output() == self.output)
    }

    /// As text: `the outputs of a pixel shader`.
    pub fn show(self) -> String {
        format!("the {} of a {} shader", if self.output { "outputs" } else { "inputs" }, self.stage.info().attribute)
    }
}

/// What a parameter that is passed like this and has this type is, in an entry point of this stage.
pub fn of_parameter(m: &Module, stage: Stage, pass: Pass, ty: Ty) -> Vec<Signature> {
    let (input, output) = match (pass, m.types.kind(ty)) {
        // What goes to a stream is an output.
        (_, TyKind::Stream(..)) => (false, true),
        (Pass::Out, _) => (false, true),
        (Pass::InOut, _) => (true, true),
        _ => (true, false),
    };
    [input.then_some(false), output.then_some(true)].into_iter().flatten().map(|output| Signature { stage, output }).collect()
}

/// The inputs and outputs of entry points that a structure is in.
pub fn uses(m: &Module, r: RecordId) -> Vec<Signature> {
    let mut out: Vec<Signature> = Vec::new();
    let mut add = |s: Signature| {
        if !out.contains(&s) {
            out.push(s);
        }
    };
    for (f, entry) in m.shader_functions() {
        let (Some(function), Some(entry)) = (m.funcs.get(f), m.funcs.get(entry)) else { continue };
        for p in function.params.iter().filter(|p| contains(m, p.ty, r, 0)) {
            of_parameter(m, entry.stage, p.pass, p.ty).into_iter().for_each(&mut add);
        }
        if contains(m, function.ret, r, 0) {
            add(Signature { stage: entry.stage, output: true });
        }
    }
    out
}

/// How deeply structures are searched: those of programs with errors may contain themselves.
const DEEPEST: u32 = 16;

fn contains(m: &Module, ty: Ty, r: RecordId, depth: u32) -> bool {
    if depth > DEEPEST {
        return false;
    }
    match m.types.kind(m.types.strip_arrays(ty).0) {
        TyKind::Record(own) => {
            let record = &m.types.records[own];
            own == r || record.base == Some(r) || record.fields.iter().any(|f| contains(m, f.ty, r, depth + 1))
        }
        TyKind::Stream(_, inner) | TyKind::Patch(_, inner, _) => contains(m, inner, r, depth + 1),
        _ => false,
    }
}
