//! Verifier, phase 4: stages. Instructions occur only where the ray-tracing table allows them, as seen from the entry points that
//! reach them through calls; slots have roles that the stage has. Rules about what is left without dead code are checked by the compiler.

use rtc_base::EntitySet;
use rtc_tables::raytracing::RtInfo;
use rtc_tables::stages::StageMask;

use super::Errors;
use crate::text::Note;
use crate::{Func, InstData, SlotRole, Stage};

pub(super) fn check(e: &mut Errors) {
    let m = e.m;
    for (id, f) in &m.funcs {
        slots(e, id);
        if f.is_entry() {
            reach(e, id, f.stage);
        }
    }
}

/// The stages in which a function may have slots of a role.
fn stages(role: SlotRole) -> StageMask {
    use StageMask as S;
    let traces = S::RG.union(S::CH).union(S::MS);
    match role {
        SlotRole::PayloadIn => S::AH.union(S::CH).union(S::MS),
        SlotRole::AttrIn => S::AH.union(S::CH),
        SlotRole::CallableIn => S::CL,
        SlotRole::PayloadOut => traces.union(S::LIB),
        SlotRole::CallableOut => traces.union(S::CL).union(S::LIB),
        SlotRole::AttrOut => S::IS.union(S::LIB),
        SlotRole::AttrHit | SlotRole::HitObject => traces.union(S::LIB),
        SlotRole::MeshIn => S::MESH,
        SlotRole::RayQuery => S::ALL,
    }
}

fn slots(e: &mut Errors, id: Func) {
    let f = &e.m.funcs[id];
    let mut seen = Vec::new();
    for (s, data) in &f.slots {
        if !stages(data.role).has(f.stage) {
            let message = format!("slot role not available in stage {}", f.stage.name());
            e.add(Note::Slot(id, s), message);
        }
        if data.role.is_incoming() {
            if seen.contains(&data.role) {
                e.add(Note::Slot(id, s), "duplicate slot of this role");
            }
            seen.push(data.role);
        }
    }
}

/// Checks everything that entry point `entry` reaches through calls.
fn reach(e: &mut Errors, entry: Func, stage: Stage) {
    let m = e.m;
    let mut seen: EntitySet<Func> = EntitySet::new();
    let mut todo = vec![entry];
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        let f = &m.funcs[id];
        let mut bad = Vec::new();
        f.for_each_inst(f.body, |_, i| {
            if let InstData::Call { func, .. } = f.insts[i] {
                todo.push(func);
            }
            if RtInfo::of(f.op(i)).is_some_and(|r| !r.if_left && !r.allowed_in(stage)) {
                bad.push(i);
            }
        });
        for i in bad {
            let mut message = format!("not allowed in stage {}", stage.name());
            if id != entry {
                message += &format!(", but reached from entry point `{}`", m.funcs[entry].name);
            }
            e.inst(id, i, message);
        }
    }
}
