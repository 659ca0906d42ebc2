//! Warnings about what programs do around reorder points.
//!
//! They are computed on inlined functions in SSA form, before anything moves: so a warning is about what the author wrote, through
//! calls, and each is precise rather than complete. What follows only from compile-time constants is reported only for those.
//!
//! * [`waves`]: a fact about a wave is used in another wave ([`held`]: by way of a variable).
//! * [`memory`]: communication of a thread with itself through memory across a point, without the required coherence
//!   ([`uav`]: the accesses, [`coherence`]: the diagnostics).
//! * [`hits`]: reorders and hit objects that have no effect, or less than they seem to have.

mod coherence;
mod held;
mod hits;
mod memory;
mod uav;
mod value_numbering;
mod wave_values;
mod waves;

use rtc_base::{Diagnostic, Span};
use rtc_ir::{Effects, Module, Opcode};
use rtc_tables::resources::ResourceFlags;
use rustc_hash::{FxHashMap, FxHashSet};
pub use wave_values::is_wave;

/// All warnings about `m`, whose calls are inlined, in the order of the source.
pub fn warnings(m: &Module) -> Vec<Diagnostic> {
    let (mut moves, mut hit_objects, mut waves) = (false, false, false);
    let coherent = ResourceFlags::REORDER_COHERENT;
    let declared =
        |g: &rtc_ir::GlobalData| g.resource().and_then(|r| m.types.as_resource(r.ty)).is_some_and(|t| t.flags.contains(coherent));
    let mut barrier = m.globals.values().any(declared);
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, i| {
            let op = f.op(i);
            let e = op.effects();
            // What functions of other libraries do is not certain.
            moves |= e.contains(Effects::REORDERS) && op != Opcode::call;
            waves |= is_wave(op);
            hit_objects |= matches!(op, Opcode::reorder | Opcode::hit_make_nop | Opcode::hit_from_query | Opcode::hit_from_query_attrs);
            barrier |= matches!(op, Opcode::memory_barrier | Opcode::handle_barrier);
        });
    }
    let mut all = Vec::new();
    if moves && waves {
        m.funcs.values().for_each(|f| waves::find(m, f, &mut all));
    }
    if moves || barrier {
        memory::find(m, &mut all);
    }
    if hit_objects {
        // What was inlined several times is wrong only if it is wrong everywhere: helpers serve many.
        let mut copies: FxHashMap<Span, u32> = FxHashMap::default();
        let mut found = Vec::new();
        for f in m.funcs.values() {
            hits::find(m, f, &mut found);
            f.for_each_inst(f.body, |_, i| *copies.entry(f.spans[i]).or_default() += u32::from(hits::is_about(f, i)));
        }
        let mut wrong: FxHashMap<(&str, Span), u32> = FxHashMap::default();
        found.iter().for_each(|d| *wrong.entry((d.code.id, d.span())).or_default() += 1);
        found.retain(|d| d.span().is_none() || wrong[&(d.code.id, d.span())] >= copies[&d.span()]);
        all.append(&mut found);
    }
    // Each is reported once.
    let mut seen = FxHashSet::default();
    all.retain(|d| seen.insert((d.code.id, d.span())));
    all.sort_by_key(|d| (d.span().lo, d.code.id));
    all
}
