//! Jumps out of a loop to what is further out become results of the loop, so that the loop can be moved out of what is around it.
//!
//! ```text
//!  block r {                 block r {
//!    s = loop {                s, code, y = loop {
//!      …; break r(x)             …; break loop(undef, 1, x)
//!      …; break loop(z)          …; break loop(z, 0, undef)
//!    }                   →     }
//!    rest                      if code == 1 { break r(y) }
//!  }                           rest
//!                            }
//! ```
//!
//! That is done for the jumps that end in the region to which the loop is moved. A jump from there to further out stays, as does a `return`: its lanes are gone.

use rtc_ir::analysis::{Exits, RegionTree};
use rtc_ir::{Builder, Function, Inst, InstData, Opcode, Region, Type, TypeTable, Value};

use crate::util::set_args;

/// Jumps of a loop that do the same.
struct Group {
    op: Opcode,
    to: Region,
    exits: Vec<Inst>,
    types: Vec<Type>,
}

/// Changes loop `l`, which is going to be moved to region `target`.
///
/// # Errors
/// Why that cannot be; nothing is changed then.
pub(super) fn contain(types: &mut TypeTable, f: &mut Function, l: Inst, target: Region) -> Result<(), &'static str> {
    let InstData::Loop { body, continuing, .. } = f.insts[l] else { return Err("it is no loop") };
    let (tree, exits) = (RegionTree::of(f), Exits::of(f));
    let Some(here) = tree.region(l) else { return Err("it is not executed") };
    let groups = groups(f, &tree, [body, continuing], target);
    if groups.iter().flat_map(|g| &g.types).any(|&t| types.numeric(t).is_none()) {
        return Err("a loop around it is left with a hit object or a ray query by a jump to what is further out");
    }
    if groups.is_empty() {
        return Ok(());
    }
    let old: Vec<Type> = f.results(l).iter().map(|&v| f.ty(v)).collect();
    let code = f.add_result(l, Type::I32);
    let values: Vec<Vec<Value>> = groups.iter().map(|g| g.types.iter().map(|&t| f.add_result(l, t)).collect()).collect();
    // Of no group, or of one.
    let given = |f: &mut Function, which: Option<usize>, own: &[Value]| {
        let mut all = vec![f.const_u32(which.map_or(0, |n| n as u32 + 1))];
        for (n, g) in groups.iter().enumerate() {
            match which == Some(n) {
                true => all.extend(own),
                false => all.extend(g.types.iter().map(|&t| f.undef(t))),
            }
        }
        all
    };
    for &e in &exits.leave[l] {
        let more = given(f, None, &[]);
        let all = [f.operands(e).as_slice(), &more].concat();
        let again = if let InstData::Exit { imm, .. } = f.insts[e] { imm } else { 0 };
        set_args(f, e, &all, again);
    }
    for (n, g) in groups.iter().enumerate() {
        for &e in &g.exits {
            let own = f.operands(e).to_vec();
            let mut all: Vec<Value> = old.iter().map(|&t| f.undef(t)).collect();
            all.extend(given(f, Some(n), &own));
            let inside = |r: Region| tree.region(e).is_some_and(|of| tree.contains(r, of));
            let out = if inside(body) { body } else { continuing };
            let args = f.list(&all);
            f.insts[e] = InstData::Exit { op: Opcode::break_, imm: 0, target: Some(out).into(), args };
        }
    }
    let at = f.regions[here].insts.iter().position(|&i| i == l).map_or(0, |n| n + 1);
    let following = f.regions[here].insts.split_off(at);
    for (n, g) in groups.iter().enumerate() {
        let (leave, stay) = (f.add_region(), f.add_region());
        let mut b = Builder::at(types, f, here);
        b.span = b.func.spans[l];
        let number = b.func.const_u32(n as u32 + 1);
        let cond = b.binary(Opcode::ieq, code, number);
        b.if_(cond, leave, stay, &[]);
        b.region = leave;
        b.exit_to(g.op, g.to, &values[n]);
        b.region = stay;
        b.exit(Opcode::yield_, &[]);
    }
    f.regions[here].insts.extend(following);
    Ok(())
}

/// The jumps of a loop with these regions that end outside of it and in region `target`.
fn groups(f: &Function, tree: &RegionTree, own: [Region; 2], target: Region) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for r in own {
        f.for_each_inst(r, |_, e| {
            let InstData::Exit { op: op @ (Opcode::break_ | Opcode::continue_), target: to, args, .. } = f.insts[e] else { return };
            let Some(to) = to.expand() else { return };
            let inside = own.iter().any(|&r| tree.contains(r, to));
            let further_out = f.regions[to].owner.and_then(|c| tree.region(c)).is_none_or(|r| !tree.contains(target, r));
            if inside || further_out {
                return;
            }
            match groups.iter_mut().find(|g| (g.op, g.to) == (op, to)) {
                Some(g) => g.exits.push(e),
                None => {
                    let types = f.get(args).iter().map(|&v| f.ty(v)).collect();
                    groups.push(Group { op, to, exits: vec![e], types });
                }
            }
        });
    }
    groups
}
