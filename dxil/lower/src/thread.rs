//! Jumps through a branch on what they carry: where `if` asks for nothing but the only result of the construct before it, as `a && b`
//! makes them, what leaves that construct with a constant goes straight to the arm, and only the others ask. No phi is needed, and the
//! structure that the IR has for it costs nothing.

use rtc_base::EntitySet;
use rtc_ir::{self as ir, Function, Inst, InstData, Region};

use super::control::{How, Jump, To};
use super::func::Writer;
use rtc_dxil_module::Block;

/// The results of constructs that are used once, by an `if` that asks for them.
pub fn asked_once(f: &Function) -> EntitySet<ir::Value> {
    let mut asked = EntitySet::new();
    let mut any = false;
    f.for_each_inst(f.body, |_, i| {
        if let InstData::If { cond, .. } = f.insts[i]
            && f.def_inst(cond).is_some_and(|d| f.owns_regions(d) && f.results(d) == [cond])
        {
            any = true;
            asked.insert(cond);
        }
    });
    if any {
        let mut seen = EntitySet::new();
        f.for_each_inst(f.body, |_, i| {
            f.for_each_operand(i, |v| {
                if asked.contains(v) && !seen.insert(v) {
                    asked.remove(v);
                }
            });
        });
    }
    asked
}

/// Where an arm begins.
#[derive(Clone, Copy)]
enum Arm {
    /// In a block of its own.
    Block(Block, Region),
    /// It is nothing but a jump.
    Jump(Region),
}

impl Writer<'_, '_> {
    /// Sends what waits behind construct `i` through `next`, if that is an `if` that asks for its result and nobody else does. Whether
    /// it is; it is written then.
    pub fn thread(&mut self, i: Inst, next: Inst) -> bool {
        let f = self.f;
        let InstData::If { cond, then_, else_ } = f.insts[next] else {
            return false;
        };
        if !self.asked_once.contains(cond) || f.results(i) != [cond] {
            return false;
        }
        let jumps = self.joins.take(To::After(i));
        // What is undefined may be anything.
        let bits = |v| if f.is_undef(v) { Some(0) } else { f.as_const(v) };
        let known = |j: &Jump| j.values.first().map(|&v| bits(v));
        let all: Option<Vec<Option<u64>>> = jumps.iter().map(known).collect();
        let certain = |all: &[Option<u64>]| all.iter().any(Option::is_some);
        // Both arms must be reached, and somebody must gain.
        let reached = |all: &[Option<u64>], yes: bool| all.iter().any(|b| b.is_none_or(|b| (b != 0) == yes));
        let Some(all) = all.filter(|a| certain(a) && reached(a, true) && reached(a, false)) else {
            self.joins.give_back(To::After(i), jumps);
            return false;
        };
        self.note(next);
        let mark = self.mark_of(next);
        let (yes, mut no) = (self.arm(then_), self.arm(else_));
        if let (Arm::Jump(_), Arm::Jump(_)) = (yes, no) {
            // A branch needs one block to go to.
            no = Arm::Block(self.b().new_block(), else_);
        }
        for (jump, bits) in jumps.into_iter().zip(all) {
            if let Some(bits) = bits {
                self.send(jump, if bits != 0 { yes } else { no });
                continue;
            }
            let from = match jump.how {
                How::Always => jump.from,
                _ => {
                    let here = self.b().new_block();
                    self.end(&jump, here);
                    here
                }
            };
            self.block = from;
            self.at(Some(next));
            let asked = self.one(jump.values[0]);
            match (yes, no) {
                (Arm::Block(a, _), Arm::Block(b, _)) => {
                    let branch = self.b().cond_br(asked, a, b);
                    self.mark(branch, mark);
                }
                (Arm::Block(a, _), Arm::Jump(r)) => self.send_when(from, How::When(asked, false, a), mark, r),
                (Arm::Jump(r), Arm::Block(b, _)) => self.send_when(from, How::When(asked, true, b), mark, r),
                (Arm::Jump(_), Arm::Jump(_)) => {}
            }
        }
        for arm in [yes, no] {
            if let Arm::Block(block, region) = arm {
                self.block = block;
                self.region(region);
            }
        }
        true
    }

    fn arm(&mut self, region: Region) -> Arm {
        match self.only_jumps(region) {
            Some(_) => Arm::Jump(region),
            None => Arm::Block(self.b().new_block(), region),
        }
    }

    /// Lets a jump go where an arm goes.
    fn send(&mut self, jump: Jump, arm: Arm) {
        match arm {
            Arm::Block(block, _) => self.end(&jump, block),
            Arm::Jump(region) => {
                if let Some((to, values)) = self.only_jumps(region) {
                    self.joins.give_back(to, vec![Jump { values, ..jump }]);
                }
            }
        }
    }

    fn send_when(&mut self, from: Block, how: How, mark: Option<super::control::Mark>, region: Region) {
        if let Some((to, values)) = self.only_jumps(region) {
            self.joins.give_back(to, vec![Jump { from, how, mark, values, origin: self.origin() }]);
        }
    }
}
