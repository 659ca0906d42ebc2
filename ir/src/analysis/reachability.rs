//! Reachability: which constructs control comes out of.

use rtc_base::EntitySet;

use super::exits::target_construct;
use super::walk::{Event, Walk};
use crate::{Function, Inst, InstData, Opcode};

/// What control can reach in a function, if every condition may hold and may fail. A loop's continuing region counts as
/// reachable, whether or not something continues.
pub struct Reachability {
    completes: EntitySet<Inst>,
}

impl Reachability {
    /// Computes it by one traversal: all exits of a construct are in it, so they are known when it ends.
    pub fn of(f: &Function) -> Reachability {
        let mut out = Reachability { completes: EntitySet::with_capacity(f.insts.len()) };
        let mut walk = Walk::new(f.body);
        // In how many constructs the traversal is that are in an unreachable tail; the outermost is counted.
        let mut reached = true;
        let mut dead_ends: Vec<bool> = Vec::new();
        while let Some(event) = walk.next(f) {
            match event {
                Event::Enter(_) => dead_ends.push(reached),
                Event::Leave(_) => reached = dead_ends.pop().unwrap_or(true),
                Event::End(_, i) => reached = reached && out.completes.contains(i),
                Event::Inst(r, i) => {
                    if reached
                        && matches!(f.insts[i], InstData::Exit { op, .. } if op != Opcode::continue_ && op != Opcode::next)
                        && let Some(construct) = target_construct(f, r, i)
                    {
                        out.completes.insert(construct);
                    }
                }
            }
        }
        out
    }

    /// Whether control may come to the end of construct `i`, so that what follows it is reachable: a reachable terminator in it
    /// leaves it with its results.
    pub fn completes(&self, i: Inst) -> bool {
        self.completes.contains(i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::test_functions::{f, nested};

    #[test]
    fn constructs_with_reachable_exits_complete() {
        let f = nested();
        let reach = Reachability::of(&f);
        f.for_each_inst(f.body, |_, i| assert_eq!(reach.completes(i), f.owns_regions(i)));
    }

    #[test]
    fn an_exit_after_an_endless_construct_does_not_count() {
        // The `break` of r1 is after a block that returns.
        let f = f("r0:\n block {\n r1:\n  block {\n  r2:\n   return\n  }\n  break r1\n }\n return");
        let reach = Reachability::of(&f);
        let mut constructs = Vec::new();
        f.for_each_inst(f.body, |_, i| constructs.extend(f.owns_regions(i).then(|| reach.completes(i))));
        assert_eq!(constructs, [false, false]);
    }
}
