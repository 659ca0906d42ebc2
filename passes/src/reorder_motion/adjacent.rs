//! Code motion out of a traversal, reorder and invocation of one hit object, so that they are adjacent.
//!
//! A traversal followed immediately by the reorder of its hit object, and that by its invocation, is one reorder point (DXR
//! specification 1.31, reorder points), and SPIR-V has one instruction for them. Instructions between two of them sink below the
//! second if that does not use them, else they are hoisted above the first. All of them must be movable, or none moves. Only
//! instructions without effects move across a traversal: a payload that is filled after it need not be live across.

use rtc_ir::{Effects, Function, Inst, Module, Opcode, Root, effects};
use smallvec::SmallVec;

use super::layout::is_point;
use crate::hit_calls::{continues, is_hit_call};
use crate::uniformity::Uniformity;
use crate::util::all_regions;

/// Runs the motion over one function. Whether it changed something.
pub(crate) fn function(m: &Module, f: &mut Function) -> bool {
    let mut any = 0;
    f.for_each_inst(f.body, |_, i| any += usize::from(is_hit_call(f, i)));
    if any < 2 {
        return false;
    }
    let known = Uniformity::of(m, f);
    let mut changed = false;
    for r in all_regions(f) {
        let mut list = std::mem::take(&mut f.regions[r].insts);
        // From the end: what was brought together stays so, and is gone past as one.
        let mut second = list.len();
        while second > 0 {
            second -= 1;
            if !is_point(f, list[second]) {
                continue;
            }
            let Some(first) = (0..second).rev().find(|&n| is_barrier(f, list[n])) else { break };
            if first + 1 < second && continues(f, list[first], list[second]) {
                changed |= join(m, f, &known, &mut list, first, second);
            }
        }
        f.regions[r].insts = list;
    }
    changed
}

/// What nothing is moved past.
fn is_barrier(f: &Function, i: Inst) -> bool {
    is_point(f, i) || f.owns_regions(i)
}

/// Moves all instructions between `first` and `second` of `list` out of there, if possible.
fn join(m: &Module, f: &Function, known: &Uniformity, list: &mut Vec<Inst>, first: usize, second: usize) -> bool {
    // Those that go with `second` already.
    let mut end = second + 1;
    while end < list.len() && continues(f, list[end - 1], list[end]) {
        end += 1;
    }
    let between: SmallVec<[Inst; 8]> = list[first + 1..second].into();
    let swap = |a: Inst, b: Inst| may_swap(m, f, known, a, b);
    let uses = |user: Inst, of: Inst| f.results(of).iter().any(|v| f.operands(user).contains(v));
    // From the end: an instruction without uses by those that stay sinks.
    let (mut up, mut down): (Vec<Inst>, Vec<Inst>) = (Vec::new(), Vec::new());
    for &i in between.iter().rev() {
        let stays = || up.iter().chain(&list[second..end]).copied();
        if is_pure(m, f, known, i) && stays().all(|s| !uses(s, i) && swap(i, s)) {
            down.push(i);
        } else {
            up.push(i);
        }
    }
    up.reverse();
    down.reverse();
    let traverses = f.op(list[first]) == Opcode::hit_trace;
    for &i in &up {
        let fine = swap(list[first], i) && !uses(i, list[first]) && (!traverses || is_pure(m, f, known, i));
        // An instruction that is hoisted must commute with those before it that sink.
        let free = down.iter().all(|&d| !uses(i, d) && swap(d, i));
        if !fine || !free {
            return false;
        }
    }
    let points: SmallVec<[Inst; 4]> = list[second..end].into();
    let all = up.into_iter().chain([list[first]]).chain(points).chain(down);
    let all: Vec<Inst> = all.collect();
    list.splice(first..end, all);
    true
}

fn is_pure(m: &Module, f: &Function, known: &Uniformity, i: Inst) -> bool {
    known.effects(m, f, i).is_pure()
}

/// [`effects::may_swap`], given what is uniform.
fn may_swap(m: &Module, f: &Function, known: &Uniformity, a: Inst, b: Inst) -> bool {
    let of = |i: Inst| match f.owns_regions(i) {
        true => effects::of_inst_deep(m, f, i),
        false => known.effects(m, f, i),
    };
    let (mut ea, mut eb) = (of(a), of(b));
    let root = |i: Inst| -> Option<Root> { f.access_root(i) };
    if let (Some(ra), Some(rb)) = (root(a), root(b))
        && ra != rb
    {
        let var = Effects::READS_VAR | Effects::WRITES_VAR;
        ea -= var;
        eb -= var;
    }
    ea.may_swap(eb)
}
