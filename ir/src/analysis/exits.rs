//! The exits of each construct: which terminators leave it, continue it or repeat it, from whatever depth.
//!
//! On a control-flow graph these would be the predecessors of the construct's end, of a loop's continuing region, and, besides
//! the entry, of a loop's body (its back edges).

use rustc_hash::FxHashMap;

use crate::{Function, Inst, InstData, Opcode, Region};

/// The terminators of a function by the construct that they leave or continue.
#[derive(Default)]
pub struct Exits {
    /// The exits that leave each construct with its results: `yield`, `break`, `next_if`.
    pub leave: Lists,
    /// The `continue`s of each loop.
    pub continues: Lists,
    /// The `next` and `next_if` of each loop: its back edges.
    pub nexts: Lists,
}

/// A list for some instructions, empty for all others.
#[derive(Default)]
pub struct Lists(FxHashMap<Inst, Vec<Inst>>);

impl Lists {
    fn add(&mut self, to: Inst, exit: Inst) {
        self.0.entry(to).or_default().push(exit);
    }
    /// The lists that are not empty, in any order.
    pub fn iter(&self) -> impl Iterator<Item = (Inst, &[Inst])> {
        self.0.iter().map(|(i, list)| (*i, list.as_slice()))
    }
}

impl std::ops::Index<Inst> for Lists {
    type Output = [Inst];
    fn index(&self, i: Inst) -> &[Inst] {
        self.0.get(&i).map_or(&[], Vec::as_slice)
    }
}

impl Exits {
    /// The exits of `f`, each list in the order of the text.
    pub fn of(f: &Function) -> Exits {
        let mut out = Exits::default();
        f.for_each_inst(f.body, |r, i| {
            let InstData::Exit { op, .. } = f.insts[i] else {
                return;
            };
            let Some(construct) = target_construct(f, r, i) else {
                return;
            };
            match op {
                Opcode::continue_ => out.continues.add(construct, i),
                Opcode::next => out.nexts.add(construct, i),
                Opcode::next_if => {
                    out.nexts.add(construct, i);
                    out.leave.add(construct, i);
                }
                Opcode::yield_ | Opcode::break_ => out.leave.add(construct, i),
                _ => {}
            }
        });
        out
    }
}

/// The construct that terminator `i` of region `r` leaves, or whose loop it continues or repeats. `None` for what leaves the
/// function.
pub fn target_construct(f: &Function, r: Region, i: Inst) -> Option<Inst> {
    match f.insts[i] {
        InstData::Exit { op, target, .. } => match op {
            Opcode::break_ | Opcode::continue_ => f.regions[target.expand()?].owner,
            Opcode::yield_ | Opcode::next | Opcode::next_if => f.regions[r].owner,
            _ => None,
        },
        _ => None,
    }
}

/// Index of the first operand of terminator `i` that is a result of the construct it leaves.
pub fn results_start(f: &Function, i: Inst) -> usize {
    match f.insts[i] {
        InstData::Exit { op: Opcode::next_if, imm, .. } => 1 + imm as usize,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{RegionTree, test_functions::nested};

    #[test]
    fn exits_lead_out_of_their_constructs() {
        let f = nested();
        let (exits, tree) = (Exits::of(&f), RegionTree::of(&f));
        let [inner, outer] = *tree.loops() else { panic!("two loops") };
        let ops = |list: &[Inst]| list.iter().map(|&i| f.op(i)).collect::<Vec<_>>();
        // One exit of the inner loop, at its continuing region; another leaves both loops from inside of it.
        assert_eq!(ops(&exits.leave[inner]), [Opcode::next_if]);
        assert_eq!(ops(&exits.leave[outer]), [Opcode::break_]);
        assert_eq!(ops(&exits.continues[inner]), [Opcode::continue_]);
        assert_eq!(ops(&exits.nexts[inner]), [Opcode::next_if]);
        assert_eq!(ops(&exits.nexts[outer]), [Opcode::next]);
        let all: usize = exits.leave.iter().map(|(_, list)| list.len()).sum();
        assert_eq!(all, 3, "the `yield` of the `if` too");
        let leaving = exits.leave[outer][0];
        let r = tree.region(leaving).expect("is in a region");
        assert!(f.regions_of(inner).into_iter().any(|body| tree.contains(body, r)));
        assert_eq!(target_construct(&f, r, leaving), Some(outer));
        assert_eq!(results_start(&f, exits.leave[inner][0]), 1);
    }
}
