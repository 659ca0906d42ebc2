//! Results of wave operations that are live across a reorder point.
//!
//! A thread may be in another wave after a point, so facts about the wave before (which lanes are active, which lane the
//! thread is on, the values of lanes before it) do not hold there (DXR 1.31, wave intrinsics). A reduction of data by a wave
//! operation (a sum, a lane's value) is still that number; its use after a point is only reported on request.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{Function, Inst, InstData, Module, Opcode, Value, effects};
use rtc_tables::diagnostics as codes;
use rustc_hash::FxHashMap;

use crate::reorder::across;

/// Whether `op` says something of the wave.
pub(super) fn is_wave(op: Opcode) -> bool {
    about_lanes(op) || about_data(op) || op == Opcode::read_clock
}

/// Whether `i` reads the clock of the subgroup, which is another one in another wave.
fn is_clock(f: &Function, i: Inst) -> bool {
    const SUBGROUP: u32 = 3;
    matches!(f.insts[i], InstData::Many { op: Opcode::read_clock, imm: SUBGROUP, .. })
}

/// Whether the result says how the threads are placed.
fn about_lanes(op: Opcode) -> bool {
    use Opcode as O;
    matches!(
        op,
        O::wave_is_first_lane
            | O::wave_lane_index
            | O::wave_ballot
            | O::wave_match
            | O::wave_prefix_bit_count
            | O::wave_all_bit_count
            | O::wave_multi_prefix_bit_count
            | O::get_group_wave_index
    )
}

/// Whether the result is made of data of other lanes.
fn about_data(op: Opcode) -> bool {
    use Opcode as O;
    matches!(
        op,
        O::wave_any_true
            | O::wave_all_true
            | O::wave_all_equal
            | O::wave_read_lane_at
            | O::wave_read_lane_first
            | O::wave_active_op
            | O::wave_prefix_op
            | O::wave_multi_prefix_op
    )
}

fn is_source(f: &Function, i: Inst) -> bool {
    about_lanes(f.op(i)) || about_data(f.op(i)) || is_clock(f, i)
}

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
    // The wave operation that each value depends on, searched once.
    let mut sources: FxHashMap<Value, Option<Inst>> = FxHashMap::default();
    // That a function of another library moves the thread is not certain.
    for s in across(m, f).iter().filter(|s| f.op(s.point) != Opcode::call) {
        for v in &s.values {
            let Some(wave) = source(m, f, v.value, &mut sources, 32) else { continue };
            let used = use_after(f, v.value, s.point, &at);
            out.push(carried(f, wave, s.point, used));
        }
    }
}

/// The wave operation whose result `v` is, or from which and constants alone `v` is computed.
fn source(m: &Module, f: &Function, v: Value, known: &mut FxHashMap<Value, Option<Inst>>, depth: u32) -> Option<Inst> {
    if let Some(&known) = known.get(&v) {
        return known;
    }
    let d = f.def_inst(v)?;
    if is_source(f, d) {
        known.insert(v, Some(d));
        return Some(d);
    }
    let mut found = None;
    if depth > 0 && !f.owns_regions(d) && effects::of_inst(m, f, d).is_pure() {
        let operands = f.operands(d);
        let mut varying = operands.iter().filter(|&&o| f.as_const(o).is_none() && !f.is_undef(o));
        found = match varying.next() {
            Some(&o) => source(m, f, o, known, depth - 1),
            None => None,
        };
        let others = varying.copied().collect::<smallvec::SmallVec<[Value; 4]>>();
        for o in others {
            found = found.filter(|_| source(m, f, o, known, depth - 1).is_some());
        }
    }
    known.insert(v, found);
    found
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
