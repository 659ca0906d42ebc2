//! Reports on memory across reorder points: within a shader, between shaders, and of incomplete coherence declarations.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{InstData, Module};
use rtc_tables::diagnostics as codes;
use rtc_tables::resources::ResourceFlags;
use rustc_hash::FxHashMap;

use super::uav::{Access, Address, CROSSED, Conflicts, GOOD, LATE, Shared, Uav, access};

const RULE: &str = "a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)";

/// How the UAV is called in a sentence.
pub(super) fn name(m: &Module, u: Uav) -> String {
    u.global.expand().map_or("a UAV".into(), |g| format!("`{}`", m.globals[g].name))
}

/// What makes it right, in this shader model.
pub(super) fn remedy(m: &Module) -> &'static str {
    match m.shader_model >= 9 {
        true => "declare it `reordercoherent`, and write `Barrier(UAV_MEMORY, REORDER_SCOPE)` between the write and the reorder point",
        false => "declare it `globallycoherent`, and write `DeviceMemoryBarrier()` between the write and the reorder point",
    }
}

/// A read after a point of memory that was written before it.
pub(super) fn across(m: &Module, u: Uav, state: u8, write: Span, point: Span, read: Span) -> Option<Diagnostic> {
    let name = name(m, u);
    let crossed = state & (CROSSED | LATE | GOOD) != 0;
    let d = if !crossed {
        return None;
    } else if !u.coherent {
        let what = format!("{name} is written before a reorder point and read after it, and is not coherent across it");
        Diagnostic::new(&codes::W0852, read, what).here("read here").note(remedy(m))
    } else if state & CROSSED != 0 {
        let what = format!("{name} is written before a reorder point and read after it, without a barrier in between");
        Diagnostic::new(&codes::W0853, read, what).here("read here").note("the barrier belongs between the write and the reorder point")
    } else if state & LATE != 0 {
        let what = format!("the barrier for {name} is after the reorder point");
        Diagnostic::new(&codes::W0855, read, what).here("read here").note("the barrier belongs between the write and the reorder point")
    } else {
        return None;
    };
    Some(d.label(write, "written here").label(point, "the thread may go on elsewhere here").note(RULE))
}

/// Writes and reads of two shaders that run for one thread.
pub(super) fn between_shaders(m: &Module, found: &mut Conflicts) {
    let mut writes: FxHashMap<&Address, Vec<&Shared>> = FxHashMap::default();
    for w in &found.writes {
        writes.entry(&w.address).or_default().push(w);
    }
    let mut out = Vec::new();
    for r in &found.reads {
        for w in writes.get(&r.address).into_iter().flatten() {
            // One of them starts the other one: the point is in one of them.
            let Some(point) = r.point.or(w.point).filter(|_| r.point.is_some() != w.point.is_some()) else { continue };
            if w.function == r.function {
                continue;
            }
            let name = name(m, r.uav);
            let d = if !r.uav.coherent {
                let what = format!(
                    "{name} is written by one shader and read by another one of the same thread, and is not coherent across the call"
                );
                Diagnostic::new(&codes::W0852, r.span, what).here("read here").note(remedy(m))
            } else if !w.barrier {
                let what = format!(
                    "{name} is written by one shader and read by another one of the same thread, without a barrier after the write"
                );
                Diagnostic::new(&codes::W0853, r.span, what)
                    .here("read here")
                    .note("the shader that writes has to issue the barrier, after the write and before it ends or calls")
            } else {
                continue;
            };
            out.push(d.label(w.span, "written here").label(point, "one runs during this call of the other").note(RULE));
            break;
        }
    }
    found.all.append(&mut out);
}

/// Incomplete coherence declarations.
pub(super) fn attributes(m: &Module, found: &mut Conflicts) {
    let flags = |g: &rtc_ir::GlobalData| g.resource().and_then(|r| m.types.as_resource(r.ty)).map_or(ResourceFlags::empty(), |t| t.flags);
    let coherent = ResourceFlags::COHERENT | ResourceFlags::REORDER_COHERENT;
    let declared = m.globals.values().any(|g| flags(g).intersects(coherent));
    let in_heap = m.types.iter().any(|(_, k)| matches!(k, rtc_ir::TypeKind::Resource(r) if r.flags.intersects(coherent)));
    if let Some(span) = found.reorder_barrier
        && !declared
        && !in_heap
    {
        let d = Diagnostic::new(&codes::W0854, span, "a barrier with REORDER_SCOPE, where no UAV that is used is `reordercoherent`")
            .note(
                "the barrier makes writes to UAVs visible across a reorder point that are declared `reordercoherent` or `globallycoherent`",
            )
            .note(RULE);
        found.all.push(d);
    }
    if found.any_barrier {
        return;
    }
    for (id, g) in &m.globals {
        if !flags(g).contains(ResourceFlags::REORDER_COHERENT) {
            continue;
        }
        // Only what is both written and read needs the barrier.
        let (mut reads, mut writes) = (false, false);
        for f in m.funcs.values() {
            f.for_each_inst(f.body, |_, i| {
                let Some((what, handle, ..)) = access(m, f, i) else { return };
                let own = f.def_inst(handle).is_some_and(|d| matches!(f.insts[d], InstData::Resource { global, .. } if global == id));
                reads |= own && matches!(what, Access::Read);
                writes |= own && !matches!(what, Access::Read);
            });
        }
        if reads && writes {
            let what = format!("`{}` is `reordercoherent`, but no barrier makes what is written to it visible", g.name);
            found.all.push(Diagnostic::new(&codes::W0853, g.span, what).note(remedy(m)).note(RULE));
        }
    }
}
