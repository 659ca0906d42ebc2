//! Effects of a particular instruction: the table's row, narrowed by its operands. The legality of every motion, merge and
//! deletion is decided here and nowhere else.

use rtc_tables::insts::Effects;
use rtc_tables::resources::ResourceClass;

use rtc_tables::insts::Opcode;
use rtc_tables::stages::Stage;

use crate::inst::Root;
use crate::module::{BindPlace, GlobalKind};
use crate::{Function, Inst, InstData, Module, Region, Value};

/// The effects of `inst`, without those of regions that it owns.
#[inline]
pub fn of_inst(m: &Module, f: &Function, inst: Inst) -> Effects {
    let row = f.op(inst).effects();
    if row.is_empty() { row } else { narrowed(m, f, inst, row) }
}

/// What is left of the effects `e` of the row of `inst`.
fn narrowed(m: &Module, f: &Function, inst: Inst, mut e: Effects) -> Effects {
    match f.insts[inst] {
        InstData::Access { place, .. } => {
            if let Root::Global(g) = f.places[place].root
                && matches!(m.globals[g].kind, GlobalKind::Table(..))
            {
                e -= Effects::READS_VAR;
            }
        }
        InstData::Call { func, .. } if m.funcs[func].inline.as_ref().is_some_and(|i| !i.runs_shaders()) => {
            e -= Effects::REORDERS | Effects::RUNS_SHADERS;
        }
        InstData::Many { op: Opcode::cbuf_load, args, .. } => {
            let args = f.get(args);
            if f.as_const(args[1]).is_some() && is_one_for_all(m, f, args[0]) {
                e -= Effects::READS_PLACEMENT;
            }
        }
        InstData::Many { args, .. } if e.contains(Effects::READS_MEM) => {
            // Only UAVs change under a shader's feet.
            let handle = f.get(args).first().map(|&v| f.ty(v));
            if let Some(r) = handle.and_then(|t| m.types.as_resource(t))
                && r.class != ResourceClass::Uav
            {
                e -= Effects::READS_MEM;
            }
        }
        _ => {}
    }
    e
}

/// Whether every thread of a dispatch that starts in `stage` finds the same bindings of the declared resources. In shaders that
/// rays and calls start, a local root signature may give each shader record its own (DXR specification, local root
/// signatures); of functions that any shader may call, nothing is known.
pub fn shares_bindings(stage: Stage) -> bool {
    stage == Stage::RayGeneration || !stage.is_raytracing() && stage != Stage::Library
}

/// Whether `handle` is one resource, the same for every thread of the dispatch.
fn is_one_for_all(m: &Module, f: &Function, handle: Value) -> bool {
    let Some(i) = f.def_inst(handle) else {
        return false;
    };
    let InstData::Resource { global, index, .. } = f.insts[i] else {
        return false;
    };
    let fixed = index.expand().is_none_or(|v| f.as_const(v).is_some());
    fixed && shares_bindings(f.stage) && is_bound_once(m, global)
}

/// Whether `global` is a resource that is not part of a shader record.
pub fn is_bound_once(m: &Module, global: crate::Global) -> bool {
    m.globals[global].resource().is_some_and(|r| r.binding.place != BindPlace::Record)
}

/// The effects of `inst` with those of everything inside it. Exits to inside the instruction do not
/// count as termination; `return` and the hit exits do.
pub fn of_inst_deep(m: &Module, f: &Function, inst: Inst) -> Effects {
    let mut e = of_inst(m, f, inst);
    for r in f.regions_of(inst) {
        e |= of_region(m, f, r, inst);
    }
    e
}

fn of_region(m: &Module, f: &Function, region: Region, outer: Inst) -> Effects {
    let mut e = Effects::empty();
    let mut inside = vec![outer];
    f.for_each_inst(region, |_, i| {
        if !f.regions_of(i).is_empty() {
            inside.push(i);
        }
        let mut one = of_inst(m, f, i);
        if let InstData::Exit { op, target, .. } = f.insts[i] {
            use rtc_tables::insts::Opcode as O;
            let leaves = match op {
                O::yield_ | O::next | O::next_if => false,
                O::break_ | O::continue_ => {
                    let owner = target.expand().and_then(|r| f.regions[r].owner);
                    !owner.is_some_and(|o| inside.contains(&o))
                }
                _ => true,
            };
            if !leaves {
                one -= Effects::TERMINATES;
            }
        }
        e |= one;
    });
    e
}

/// Whether two neighbouring instructions may change places, data dependences aside. Accesses to variables
/// conflict only if they touch the same variable.
pub fn may_swap(m: &Module, f: &Function, a: Inst, b: Inst) -> bool {
    let (mut ea, mut eb) = (of_inst_deep(m, f, a), of_inst_deep(m, f, b));
    if let (Some(ra), Some(rb)) = (f.access_root(a), f.access_root(b))
        && ra != rb
    {
        let var = Effects::READS_VAR | Effects::WRITES_VAR;
        ea -= var;
        eb -= var;
    }
    ea.may_swap(eb)
}
