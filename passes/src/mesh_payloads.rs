//! `mesh_payloads`: the member of a groupshared structure that `DispatchMesh` passes becomes a variable of its own.
//!
//! A payload is one piece of memory, in DXIL and in SPIR-V, whereas the fields of other groupshared structures are variables of their own. Every
//! access of the function to the member is one to the new variable then, so that no thread has to copy. Each function that the host can start
//! has its own groupshared memory: another one may pass another member of the same variable.

use rtc_ir::{Func, Function, Global, GlobalData, GlobalKind, InstData, Module, Opcode, PlaceData, Root, Step, Type};
use smallvec::SmallVec;

use crate::util::all_insts;
use crate::{Changed, PassCtx, PassError};

/// The pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    let found: Vec<(Func, PlaceData)> = m.funcs.iter().filter_map(|(id, f)| Some((id, passed_member(f)?))).collect();
    // The variables that were made, of which several functions may pass the same.
    let mut made = Vec::new();
    for (f, member) in &found {
        separate(m, *f, member, &mut made);
    }
    Ok(if found.is_empty() { Changed::No } else { Changed::Yes })
}

/// The member that the function passes, if nothing takes all of what it is in: `sroa` took such accesses apart, but functions of other libraries
/// may do so.
fn passed_member(f: &Function) -> Option<PlaceData> {
    let mut found = None;
    let mut used = Vec::new();
    for i in all_insts(f) {
        match f.insts[i] {
            InstData::Access { op: Opcode::dispatch_mesh, place, .. } => found = Some(&f.places[place]),
            _ => f.for_each_place(i, |p| used.push(p)),
        }
    }
    let member = found.filter(|p| !p.steps.is_empty())?;
    let is_around = |p: &PlaceData| p.root == member.root && p.steps.len() < member.steps.len() && member.steps.starts_with(&p.steps);
    (!used.into_iter().any(|p| is_around(&f.places[p]))).then(|| member.clone())
}

/// Makes a member of a groupshared variable a variable of its own.
fn separate(m: &mut Module, f: Func, member: &PlaceData, made: &mut Vec<(PlaceData, Global)>) {
    let new = match made.iter().find(|(of, _)| of == member) {
        Some(&(_, known)) => known,
        None => {
            let new = variable(m, member);
            made.push((member.clone(), new));
            new
        }
    };
    m.funcs[f].map_places(|_, p| {
        if p.root == member.root
            && let Some(rest) = p.steps.strip_prefix(&member.steps[..])
        {
            *p = PlaceData { root: Root::Global(new), steps: SmallVec::from_slice(rest) };
        }
    });
}

/// A new variable for a member. Its symbol is the path, as of the other fields of the variable that are variables in DXIL.
fn variable(m: &mut Module, member: &PlaceData) -> Global {
    let Root::Global(whole) = member.root else { rtc_base::bug!("a payload that is not groupshared") };
    let old = &m.globals[whole];
    let part = |t: Type, step: &Step| match step {
        Step::At(n) => m.part(t, Some(*n)),
        Step::Dyn => None,
    };
    let Some(ty) = member.steps.iter().try_fold(old.ty(), part) else { rtc_base::bug!("a payload that is no member") };
    let mut symbol = old.symbol.clone();
    for step in &member.steps {
        if let Step::At(n) = step {
            symbol += &format!(".{n}");
        }
    }
    let new = GlobalData { symbol, kind: GlobalKind::GroupShared(ty), ..old.clone() };
    m.globals.push(new)
}
