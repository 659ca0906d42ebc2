//! `divide_traces`: makes each trace of a ray generation shader a traversal into a hit object, a reorder point, and the invocation of the hit object, which means the
//! same (DXR specification, shader execution reordering), so that the shaders of hits and misses run sorted.
//!
//! A trace that runs no closest-hit shader stays: most miss shaders are alike.

use rtc_ir::{Builder, Function, InstData, Module, Opcode, Region, SlotRole, Stage, Type};
use rtc_tables::ray_flags::SKIP_CLOSEST_HIT;

use crate::ranges::Ranges;
use crate::util::{all_regions, each_function};
use crate::{Changed, PassCtx, PassError};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(divide_traces(m, &|_| true).into())
}

/// Does that in the ray generation shaders that `wanted` says. Whether there were any traces.
pub fn divide_traces(m: &mut Module, wanted: &dyn Fn(&Function) -> bool) -> bool {
    each_function(m, |m, f| f.stage == Stage::RayGeneration && wanted(f) && function(m, f)) == Changed::Yes
}

/// The traces of `f` that may run closest-hit shaders, and whether each certainly does.
fn divided(m: &Module, f: &Function) -> Vec<(rtc_ir::Inst, bool)> {
    let mut all = Vec::new();
    f.for_each_inst(f.body, |_, i| {
        if let InstData::Slot { op: Opcode::trace_ray, slot, args } = f.insts[i]
            && f.slots[slot].role == SlotRole::PayloadOut
        {
            all.push((i, f.get(args)[1]));
        }
    });
    if all.is_empty() {
        return Vec::new();
    }
    let ranges = Ranges::of(&m.types, f);
    let runs = all.into_iter().filter_map(|(i, flags)| {
        let flags = ranges.at(flags, i);
        (flags.ones & SKIP_CLOSEST_HIT == 0).then_some((i, flags.zeros & SKIP_CLOSEST_HIT != 0))
    });
    runs.collect()
}

fn function(m: &mut Module, f: &mut Function) -> bool {
    let found = divided(m, f);
    for r in all_regions(f) {
        for i in std::mem::take(&mut f.regions[r].insts) {
            match found.iter().find(|d| d.0 == i) {
                Some(&(_, certain)) => divide(m, f, r, i, certain),
                None => f.regions[r].insts.push(i),
            }
        }
    }
    !found.is_empty()
}

fn divide(m: &mut Module, f: &mut Function, r: Region, i: rtc_ir::Inst, certain: bool) {
    let InstData::Slot { slot, args, .. } = f.insts[i] else { return };
    let span = f.spans[i];
    let args = f.get(args).to_vec();
    let mut b = Builder::at(&mut m.types, f, r);
    b.span = span;
    let trace = b.slot(Opcode::hit_trace, slot, &args);
    let hit = b.func.result(trace);
    let zero = b.func.const_u32(0);
    b.many(Opcode::reorder, 0, &[hit, zero, zero], &[]);
    if certain {
        b.slot(Opcode::hit_invoke, slot, &[hit]);
    } else {
        let skip = b.func.const_u32(SKIP_CLOSEST_HIT);
        let bits = b.binary(Opcode::and, args[1], skip);
        let (runs, missed) = (b.binary(Opcode::ieq, bits, zero), b.unary(Opcode::hit_is_miss, hit));
        let wanted = b.binary(Opcode::or, runs, missed);
        let (then_, else_) = (b.func.add_region(), b.func.add_region());
        b.if_(wanted, then_, else_, &[]);
        for region in [then_, else_] {
            b.region = region;
            if region == then_ {
                b.slot(Opcode::hit_invoke, slot, &[hit]);
            }
            b.exit(Opcode::yield_, &[]);
        }
    }
    b.func.inherit_own(trace, i);
    debug_assert_eq!(b.func.ty(hit), Type::HIT_OBJECT);
}
