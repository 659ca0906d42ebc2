//! Random programs with traces in all kinds of control flow mean the same when all lanes of a wave execute these: what a lane with work does stays what it was, and
//! one without work does nothing, whatever the others do.

use rtc_ir::text::{parse, print};
use rtc_ir::verify::{print_with_errors, verify};
use rtc_ir::{Builder, InstData, Module, Opcode, Region, Type};
use rtc_passes::converge::{Choice, converge};
use rtc_passes::pipeline::{CONVERGED, CONVERGED_O0};
use rtc_passes::{Level, PassCtx, pipeline, run_passes};

use crate::generate::{self, Rng};
use crate::interp::run_with_null_row;
use crate::{FUEL, entry, for_a_while};

/// Nowhere: what the row before the first is, of which a trace takes 16 bits.
const NOWHERE: u64 = 0xffff;

/// Makes some traces of a module traces into hit objects, which are invoked at once, later in the region, or in some lanes only.
fn hit_objects(m: &mut Module, rng: &mut Rng) {
    for id in m.funcs.keys().collect::<Vec<_>>() {
        let f = &mut m.funcs[id];
        let mut traces = Vec::new();
        f.for_each_inst(f.body, |r, i| traces.extend((f.op(i) == Opcode::trace_ray).then_some((r, i))));
        for (r, i) in traces {
            if rng.chance(40) {
                continue;
            }
            let InstData::Slot { slot, args, .. } = f.insts[i] else { continue };
            f.insts[i] = InstData::Slot { op: Opcode::hit_trace, slot, args };
            let hit = f.add_result(i, Type::HIT_OBJECT);
            let at = f.regions[r].insts.iter().position(|&j| j == i).expect("it is in its region") + 1;
            let at = at + rng.below(f.regions[r].insts.len() - at);
            let following = f.regions[r].insts.split_off(at);
            let (mask, zero) = (f.get(args)[2], f.const_u32(0));
            let [some, others]: [Region; 2] = [f.add_region(), f.add_region()];
            let mut b = Builder::at(&mut m.types, f, r);
            if rng.chance(40) {
                let cond = b.binary(Opcode::ine, mask, zero);
                b.if_(cond, some, others, &[]);
                b.region = others;
                b.exit(Opcode::yield_, &[]);
                b.region = some;
            }
            b.slot(Opcode::hit_invoke, slot, &[hit]);
            if b.region == some {
                b.exit(Opcode::yield_, &[]);
            }
            f.regions[r].insts.extend(following);
        }
    }
}

#[test]
fn traces_by_all_lanes_do_what_traces_by_some_do() {
    let (mut moved, mut kept, mut of_loops, mut invoked) = (0, 0, 0, 0);
    for_a_while(1 << 56, |seed| {
        let mut rng = Rng(seed);
        let size = 10 + rng.below(120);
        let (mut m, _) = generate::module(&mut rng, size, false);
        if rng.chance(40) {
            hit_objects(&mut m, &mut rng);
        }
        let level = [Level::O0, Level::O1, Level::O2][rng.below(3)];
        run_passes(&mut m, &pipeline(level).passes(), &PassCtx { check: false })
            .unwrap_or_else(|e| panic!("seed {seed:#x}, {level:?}: {e}"));
        let Some(expected) = run_with_null_row(&m, entry(&m), FUEL, NOWHERE, 0) else {
            return false;
        };
        let before = print(&m);
        let outcomes = converge(&mut m, Choice::All);
        let done = outcomes.all.iter().filter(|o| o.kept.is_none()).count();
        (moved, kept) = (moved + done, kept + outcomes.all.len() - done);
        if done == 0 {
            assert_eq!(print(&m), before, "seed {seed:#x}: nothing was moved");
            return true;
        }
        if let Err(errors) = verify(&m) {
            panic!("seed {seed:#x}: {}\nbefore:\n{before}", print_with_errors(&m, &errors));
        }
        let text = print(&m);
        of_loops += usize::from(text.contains("wave_any_true"));
        invoked += usize::from(text.contains("hit_make_miss"));
        assert_eq!(print(&parse(&text).unwrap_or_else(|e| panic!("seed {seed:#x}: {e}"))), text);
        let mut check = |m: &rtc_ir::Module, what: &str| {
            for others in [0, 1 + rng.below(6) as u32] {
                let now = run_with_null_row(m, entry(m), 4 * FUEL, 0, others);
                let now = now.unwrap_or_else(|| panic!("seed {seed:#x}, {what}: it runs for ever\n{before}\nafter:\n{}", print(m)));
                assert_eq!(now, expected, "seed {seed:#x}, {what}, {others} iterations of others\n{before}\nafter:\n{}", print(m));
            }
        };
        check(&m, "moved");
        let tidy = if level == Level::O0 { &CONVERGED_O0 } else { &CONVERGED };
        tidy.run(&mut m, &PassCtx { check: true }).unwrap_or_else(|e| panic!("seed {seed:#x}, {level:?}: {e}"));
        check(&m, "tidied");
        true
    });
    assert!(
        moved > 0 && of_loops > 0 && invoked > 0,
        "{moved} traces were moved, {kept} were not, {of_loops} programs with loops, {invoked} with invocations"
    );
}
