//! Results of wave operations that are live across a reorder point, as values or in variables ([`held`]).
//!
//! A thread may be in another wave after a point, so facts about the wave before (which lanes are active, which lane the
//! thread is on, the values of lanes before it) do not hold there (DXR 1.31, wave intrinsics). A reduction of data by a wave
//! operation (a sum, a lane's value) is still that number; its use after a point is only reported on request.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{Function, Inst, Module, Opcode, Value};
use rtc_tables::diagnostics as codes;
use rustc_hash::FxHashMap;

use super::held;
use super::wave_values::{Waves, about_lanes, is_clock, is_source};
use crate::reorder::across;

/// Results that are carried across points in `f`.
pub(super) fn find(m: &Module, f: &Function, out: &mut Vec<Diagnostic>) {
    let mut any = false;
    let mut at: FxHashMap<Inst, u32> = FxHashMap::default();
    f.for_each_inst(f.body, |_, i| {
        any |= is_source(f, i);
        at.insert(i, at.len() as u32);
    });
    if !any {
        return;
    }
    let mut waves = Waves::new(m, f);
    let in_variables = held::find(m, f, &mut waves);
    out.extend(in_variables.iter().map(|c| carried(f, c.wave, c.point, c.used)));
    // That a function of another library moves the thread is not certain.
    for s in across(m, f).iter().filter(|s| f.op(s.point) != Opcode::call) {
        for v in &s.values {
            let Some(wave) = waves.source(v.value) else { continue };
            let used = use_after(f, v.value, s.point, &at);
            out.push(carried(f, wave, s.point, used));
        }
    }
}

/// A use of `v` after the point, for the message.
fn use_after(f: &Function, v: Value, point: Inst, at: &FxHashMap<Inst, u32>) -> Span {
    let mut found = Span::NONE;
    f.for_each_inst(f.body, |_, i| {
        if found.is_none() && at.get(&i) > at.get(&point) {
            f.for_each_operand(i, |o| {
                if o == v && found.is_none() {
                    found = f.spans[i];
                }
            });
        }
    });
    found
}

fn carried(f: &Function, wave: Inst, point: Inst, used: Span) -> Diagnostic {
    if is_clock(f, wave) {
        let what = "this time of the subgroup's clock is used after a reorder point, where the thread may be in another subgroup";
        return Diagnostic::new(&codes::W0850, f.spans[wave], what)
            .label(f.spans[point], "the thread may go to another subgroup here")
            .label(used, "used here")
            .note("clocks of different subgroups cannot be compared (Vulkan, ray tracing, repacking); the device's clock can");
    }
    let (code, what) = match about_lanes(f.op(wave)) {
        true => (
            &codes::W0850,
            "the state of the wave that this operation returns is used after a reorder point, where the thread may be in another wave",
        ),
        false => {
            (&codes::W0851, "the result of this wave operation is used after a reorder point, where the thread may be in another wave")
        }
    };
    Diagnostic::new(code, f.spans[wave], what)
        .here("of the wave that the thread is in here")
        .label(f.spans[point], "the thread may go to another wave here")
        .label(used, "used here")
        .note("results of wave operations hold up to the next reorder point (DXR 1.31, wave intrinsics)")
}
