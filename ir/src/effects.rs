//! Effects of a particular instruction: the table's row, narrowed by what is known of the operands. The
//! legality of every motion, merge and deletion is decided here and nowhere else.

use rtc_tables::insts::Effects;
use rtc_tables::resources::ResourceClass;

use crate::inst::Root;
use crate::module::GlobalKind;
use crate::{Function, Inst, InstData, Module, Region};

/// The effects of `inst`, without those of regions that it owns.
pub fn of_inst(m: &Module, f: &Function, inst: Inst) -> Effects {
    let mut e = f.op(inst).effects();
    match f.insts[inst] {
        InstData::Access { place, .. } => {
            if let Root::Global(g) = f.places[place].root
                && matches!(m.globals[g].kind, GlobalKind::Table(..))
            {
                e -= Effects::READS_VAR;
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
