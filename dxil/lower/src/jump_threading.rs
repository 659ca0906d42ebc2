//! Jump threading: where the condition of an `if` is the only result of the preceding construct and has no other use, as `a && b`
//! produces it, exits of that construct that carry a constant jump directly to an arm; only the others test the condition. No phi is
//! needed.

use rtc_ir::{Inst, InstData, Region};

use super::flow::{How, Jump, Mark, To};
use super::func::Writer;
use rtc_dxil_module::Block;

/// The target of a branch.
#[derive(Clone, Copy)]
enum Arm {
    /// In a block of its own.
    Block(Block, Region),
    /// The arm is only a jump.
    Jump(Region),
}

impl Writer<'_, '_> {
    /// Threads the exits of construct `i` through `next`, if that is an `if` on its result, which has no other use. Returns whether
    /// it did; then `next` is written.
    pub(super) fn thread_jumps(&mut self, i: Inst, next: Inst) -> bool {
        let f = self.f;
        let InstData::If { cond, then_, else_ } = f.insts[next] else {
            return false;
        };
        if !self.flow.has_single_use(cond) || f.results(i) != [cond] {
            return false;
        }
        let jumps = self.flow.take(To::After(i));
        // An undefined condition may be taken as false.
        let bits = |v| if f.is_undef(v) { Some(0) } else { f.as_const(v) };
        let known = |j: &Jump| j.values.first().map(|&v| bits(v));
        let all: Option<Vec<Option<u64>>> = jumps.iter().map(known).collect();
        let certain = |all: &[Option<u64>]| all.iter().any(Option::is_some);
        // Both arms must be reachable, and at least one exit must carry a constant.
        let reached = |all: &[Option<u64>], yes: bool| all.iter().any(|b| b.is_none_or(|b| (b != 0) == yes));
        let Some(all) = all.filter(|a| certain(a) && reached(a, true) && reached(a, false)) else {
            jumps.into_iter().for_each(|j| self.flow.wait(To::After(i), j));
            return false;
        };
        self.note(next);
        let mark = self.mark_of(next);
        let (yes, mut no) = (self.arm(then_), self.arm(else_));
        if let (Arm::Jump(_), Arm::Jump(_)) = (yes, no) {
            // A branch needs one block as its target.
            no = Arm::Block(self.e.b().new_block(), else_);
        }
        for (jump, bits) in jumps.into_iter().zip(all) {
            if let Some(bits) = bits {
                self.send(jump, if bits != 0 { yes } else { no });
                continue;
            }
            let from = match jump.how {
                How::Always => jump.from,
                _ => {
                    let here = self.e.b().new_block();
                    self.end(&jump, here);
                    here
                }
            };
            self.e.switch_to(from);
            self.e.at(Some(next));
            let cond = self.one(jump.values[0]);
            match (yes, no) {
                (Arm::Block(a, _), Arm::Block(b, _)) => {
                    let branch = self.e.b().cond_br(cond, a, b);
                    self.mark(branch, mark);
                }
                (Arm::Block(a, _), Arm::Jump(r)) => self.send_when(from, How::When(cond, false, a), mark, r),
                (Arm::Jump(r), Arm::Block(b, _)) => self.send_when(from, How::When(cond, true, b), mark, r),
                (Arm::Jump(_), Arm::Jump(_)) => {}
            }
        }
        for arm in [yes, no] {
            if let Arm::Block(block, region) = arm {
                self.e.switch_to(block);
                self.region(region);
            }
        }
        true
    }

    fn arm(&mut self, region: Region) -> Arm {
        match self.only_jumps(region) {
            Some(_) => Arm::Jump(region),
            None => Arm::Block(self.e.b().new_block(), region),
        }
    }

    /// Redirects a jump to the target of an arm.
    fn send(&mut self, jump: Jump, arm: Arm) {
        match arm {
            Arm::Block(block, _) => self.end(&jump, block),
            Arm::Jump(region) => {
                if let Some((to, values)) = self.only_jumps(region) {
                    self.flow.wait(to, Jump { values, ..jump });
                }
            }
        }
    }

    fn send_when(&mut self, from: Block, how: How, mark: Option<Mark>, region: Region) {
        if let Some((to, values)) = self.only_jumps(region) {
            let origin = self.e.origin();
            self.flow.wait(to, Jump { from, how, mark, values, origin });
        }
    }
}
