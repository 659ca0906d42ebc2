//! Structured control flow: regions to basic blocks.
//!
//! Every construct gets a merge block; its exits branch there, and its results are phis over the exits. A
//! `block` is an `OpSwitch` with a default only, since that is the only construct besides loops that nested
//! code may leave early. Loop state is phis in the header and in the continue block.
//!
//! Drivers know some forms better than others of the same meaning: with an empty block for an `else` that is not
//! there, or a test after the header of a loop, wave operations took up to 12 times as long. So the header of a loop
//! ends with the loop's test, and what would be an empty block is a branch to the merge block; but not in code that is not
//! optimised, where a debugger stops at each `return` and `break`.

use rtc_ir::effects::of_inst;
use rtc_ir::{Hint, Inst, InstData, Opcode, Region, Sides, Value};
use rtc_tables::insts::Effects;
use smallvec::SmallVec;
use spirv::Op;

use super::FuncEmitter;
use crate::words::{Id, Literal, NONE, operands, put};

/// Operands that arrive at a block, with the block they come from.
type Edges = Vec<(Id, Operands)>;

/// What a block passes to the next one; none of values that need no instruction.
type Operands = SmallVec<[Option<Id>; 4]>;

/// A construct around the current place.
pub struct Construct {
    owner: Inst,
    merge: Id,
    exits: Edges,
    /// Loops: the continue block and what arrives there.
    cont: Option<Id>,
    continues: Edges,
    /// Loops: what arrives at the header from the continuing region, and the condition for it.
    next: Option<(Operands, Option<Id>)>,
    /// Loops whose header ends with a test: that.
    test: Option<Test>,
    /// Loops: the current place is in the continuing region.
    continuing: bool,
}

/// An `if` at the start of a loop's body, one of whose arms does nothing but leave the loop.
#[derive(Clone, Copy)]
struct Test {
    inst: Inst,
    /// The arm that leaves the loop, and whether it is the first.
    leave: Region,
    leave_first: bool,
    /// The other one.
    stay: Region,
    /// The operand of `OpLoopMerge`.
    control: spirv::LoopControl,
    header: Id,
}

/// An id that is there: an operand that is no handle, the continue block of a loop, the block that is being filled.
fn known(id: Option<Id>) -> Id {
    id.unwrap_or_else(|| rtc_base::bug!("something without an id"))
}

impl FuncEmitter<'_, '_> {
    pub(crate) fn begin_block(&mut self, label: Id) {
        put(&mut self.code, Op::Label, &[label]);
        self.block = Some(label);
    }

    fn branch(&mut self, to: Id) {
        self.stmt(Op::Branch, &[to]);
        self.block = None;
    }

    pub(crate) fn region(&mut self, r: Region) {
        self.insts(r, &self.f.regions[r].insts);
    }

    /// The first instructions of a region, or all.
    fn insts(&mut self, r: Region, mut rest: &[Inst]) {
        // Nothing after a terminator is reached.
        while let ([i, ..], true) = (rest, self.block.is_some()) {
            self.debug_before(r, *i);
            let fused = self.hit_group(rest);
            if fused == 0 {
                self.before_ordered(*i);
                self.inst(*i);
                self.after_ordered(*i);
            } else {
                self.debug_after(r, &rest[1..fused]);
            }
            rest = &rest[fused.max(1)..];
        }
    }

    fn push_construct(&mut self, owner: Inst) -> Id {
        let merge = self.e.w.id();
        let c = Construct { owner, merge, exits: Vec::new(), cont: None, continues: Vec::new(), next: None, test: None, continuing: false };
        self.constructs.push(c);
        merge
    }

    /// Ends a construct: begins its merge block and makes phis of its results.
    fn merge(&mut self, i: Inst) {
        let c = self.constructs.pop().expect("pushed at its start");
        self.begin_block(c.merge);
        let results: SmallVec<[Value; 4]> = self.f.results(i).into();
        self.phis(&results, &c.exits);
    }

    fn phis(&mut self, values: &[Value], edges: &Edges) {
        for (n, &v) in values.iter().enumerate() {
            if self.m.types.numeric(self.f.ty(v)).is_none() {
                continue; // a handle: its use reports the error
            }
            let ty = self.ty_of(v);
            let id = match &edges[..] {
                [] => self.e.w.undef(ty),
                [(_, ids)] => known(ids[n]),
                _ => {
                    let operands: Vec<Id> = edges.iter().flat_map(|(block, ids)| [known(ids[n]), *block]).collect();
                    self.op(Op::Phi, ty, &operands)
                }
            };
            self.set(v, id);
        }
    }

    /// The ids of operands; handles have none.
    fn operand_ids(&mut self, args: &[Value]) -> Operands {
        args.iter().map(|&v| self.m.types.numeric(self.f.ty(v)).is_some().then(|| self.val(v))).collect()
    }

    pub(crate) fn control(&mut self, i: Inst) {
        match self.f.insts[i] {
            InstData::If { cond, .. } if let Some(test) = self.constructs.last().and_then(|c| c.test).filter(|t| t.inst == i) => {
                self.loop_test(test, cond);
            }
            InstData::If { cond, then_, else_ } => {
                let cond = self.val(cond);
                let merge = self.push_construct(i);
                // One of the edges may go from here to the merge block.
                let empty = [else_, then_].into_iter().find(|&arm| self.only_exit(arm, Opcode::yield_).is_some());
                let (a, b) = (self.arm(then_, merge, empty), self.arm(else_, merge, empty));
                let control = self.selection_control(i);
                self.stmt(Op::SelectionMerge, &operands![merge, control]);
                self.stmt(Op::BranchConditional, &[cond, a, b]);
                for (label, region) in [(a, then_), (b, else_)].into_iter().filter(|arm| arm.0 != merge) {
                    self.begin_block(label);
                    self.region(region);
                }
                self.merge(i);
            }
            InstData::Switch { on, cases } => {
                let on = self.val(on);
                let merge = self.push_construct(i);
                let f = self.f;
                let table = &f.cases[cases];
                let empty = self.only_exit(table.default, Opcode::yield_).map(|_| table.default);
                let default = self.arm(table.default, merge, empty);
                let labels: Vec<Id> = table.arms.iter().map(|_| self.e.w.id()).collect();
                let mut operands = operands![on, default].to_vec();
                for ((values, _), label) in table.arms.iter().zip(&labels) {
                    operands.extend(values.iter().flat_map(|&v| operands![Literal(v as u32), *label]));
                }
                let control = self.selection_control(i);
                self.stmt(Op::SelectionMerge, &operands![merge, control]);
                self.stmt(Op::Switch, &operands);
                let arms = table.arms.iter().map(|a| a.1).chain([table.default]);
                for (region, label) in arms.zip(labels.iter().copied().chain([default])).filter(|arm| arm.1 != merge) {
                    self.begin_block(label);
                    self.region(region);
                }
                self.merge(i);
            }
            InstData::Block { body } => {
                let merge = self.push_construct(i);
                let (zero, label) = (self.e.w.u32(0), self.e.w.id());
                self.stmt(Op::SelectionMerge, &operands![merge, spirv::SelectionControl::NONE]);
                self.stmt(Op::Switch, &[zero, label]);
                self.begin_block(label);
                self.region(body);
                self.merge(i);
            }
            InstData::Loop { init, body, continuing } => self.emit_loop(i, init, body, continuing),
            InstData::Exit { op, imm, target, args } => {
                let args: SmallVec<[Value; 8]> = self.f.get(args).into();
                self.exit(i, op, imm as usize, target.expand(), &args);
            }
            _ => rtc_base::bug!("not a control instruction"),
        }
    }

    /// The block that control goes to for `region`: its own one, or the merge block if it is the `empty` one.
    fn arm(&mut self, region: Region, merge: Id, empty: Option<Region>) -> Id {
        let Some(args) = self.only_exit(region, Opcode::yield_).filter(|_| empty == Some(region)) else {
            return self.e.w.id();
        };
        let ids = self.operand_ids(&args);
        let block = self.open_block();
        self.construct_mut().exits.push((block, ids));
        merge
    }

    /// The operands of the exit that is all there is in a region, if it is of this kind.
    fn only_exit(&self, region: Region, kind: Opcode) -> Option<SmallVec<[Value; 8]>> {
        if self.e.unoptimised {
            return None;
        }
        match self.f.regions[region].insts[..] {
            [i] if let InstData::Exit { op, args, .. } = self.f.insts[i]
                && op == kind =>
            {
                Some(self.f.get(args).into())
            }
            _ => None,
        }
    }

    /// The test that the body of a loop begins with, if what is before it can be in the header.
    fn test_of(&self, body: Region, control: spirv::LoopControl, header: Id) -> Option<Test> {
        let f = self.f;
        let leaves = |r: Region| {
            self.only_exit(r, Opcode::break_).is_some()
                && matches!(f.insts[f.regions[r].insts[0]], InstData::Exit { target, .. } if target.expand() == Some(body))
        };
        for &inst in &f.regions[body].insts {
            match f.insts[inst] {
                InstData::If { then_, else_, .. } => {
                    let (leave, stay, leave_first) = match (leaves(then_), leaves(else_)) {
                        (_, true) => (else_, then_, false),
                        (true, _) => (then_, else_, true),
                        _ => return None,
                    };
                    return Some(Test { inst, leave, leave_first, stay, control, header });
                }
                // These are lowered to several blocks, or end this one.
                _ if !f.regions_of(inst).is_empty() || of_inst(self.m, f, inst).intersects(Effects::OUTSIDE | Effects::TERMINATES) => {
                    return None;
                }
                _ => {}
            }
        }
        None
    }

    /// The test of a loop in the loop's header, and what is done if the loop goes on.
    fn loop_test(&mut self, test: Test, cond: Value) {
        if self.block != Some(test.header) {
            rtc_base::bug!("the header of a loop is one block");
        }
        let f = self.f;
        let cond = self.val(cond);
        let args = self.only_exit(test.leave, Opcode::break_).unwrap_or_default();
        let ids = self.operand_ids(&args);
        let inside = self.e.w.id();
        let c = self.construct_mut();
        c.exits.push((test.header, ids));
        let (merge, cont) = (c.merge, c.cont);
        let (first, second) = if test.leave_first { (merge, inside) } else { (inside, merge) };
        self.stmt(Op::LoopMerge, &operands![merge, known(cont), test.control]);
        self.stmt(Op::BranchConditional, &[cond, first, second]);
        self.begin_block(inside);
        let insts = &f.regions[test.stay].insts[..];
        match insts {
            // There is one way to what follows the test, and so no merge block.
            [before @ .., last] if let InstData::Exit { op: Opcode::yield_, args, .. } = f.insts[*last] => {
                self.insts(test.stay, before);
                if self.block.is_some() {
                    let args: SmallVec<[Value; 8]> = f.get(args).into();
                    let ids = self.operand_ids(&args);
                    for (n, &v) in f.results(test.inst).iter().enumerate() {
                        if let Some(id) = ids[n] {
                            self.set(v, id);
                        }
                    }
                }
            }
            _ => self.insts(test.stay, insts),
        }
    }

    fn selection_control(&self, i: Inst) -> spirv::SelectionControl {
        let hint = self.f.hints[i];
        match hint.sides() {
            Sides::Flatten => spirv::SelectionControl::FLATTEN,
            Sides::Branch => spirv::SelectionControl::DONT_FLATTEN,
            Sides::Any if matches!(hint, Hint::ForceCase(_)) => spirv::SelectionControl::DONT_FLATTEN,
            Sides::Any => spirv::SelectionControl::NONE,
        }
    }

    fn emit_loop(&mut self, i: Inst, init: rtc_ir::ValueList, body: Region, continuing: Region) {
        let init: SmallVec<[Value; 8]> = self.f.get(init).into();
        let init_ids = self.operand_ids(&init);
        let (before, header) = (self.open_block(), self.e.w.id());
        self.branch(header);
        self.begin_block(header);
        let merge = self.push_construct(i);
        let cont = self.e.w.id();
        self.constructs.last_mut().expect("just pushed").cont = Some(cont);
        // Phis with a hole for what comes round; filled in when it is known.
        let mut holes = Vec::new();
        let params: SmallVec<[Value; 8]> = self.f.regions[body].params.as_slice().into();
        for (n, &p) in params.iter().enumerate() {
            if self.m.types.numeric(self.f.ty(p)).is_none() {
                holes.push(None);
                continue;
            }
            let ty = self.ty_of(p);
            let first = known(init_ids[n]);
            let id = self.op(Op::Phi, ty, &[first, before, first, before]);
            holes.push(Some(self.code.len() - 2));
            self.set(p, id);
        }
        self.debug_again(i);
        let control = match self.f.hints[i] {
            Hint::Unroll(_) => spirv::LoopControl::UNROLL,
            Hint::Rolled => spirv::LoopControl::DONT_UNROLL,
            _ => spirv::LoopControl::NONE,
        };
        let test = self.test_of(body, control, header);
        self.construct_mut().test = test;
        if test.is_none() {
            let inside = self.e.w.id();
            self.stmt(Op::LoopMerge, &operands![merge, cont, control]);
            self.branch(inside);
            self.begin_block(inside);
        }
        self.region(body);
        self.begin_block(cont);
        let continues = std::mem::take(&mut self.construct_mut().continues);
        let params: SmallVec<[Value; 8]> = self.f.regions[continuing].params.as_slice().into();
        self.phis(&params, &continues);
        self.construct_mut().continuing = true;
        self.region(continuing);
        // `next` left the block open: its operands are known, its branch is made here.
        let back = self.open_block();
        let (next, cond) = self.construct_mut().next.take().expect("a continuing region ends with next");
        match cond {
            None => self.branch(header),
            Some(c) => {
                self.stmt(Op::BranchConditional, &[c, header, merge]);
                self.block = None;
            }
        }
        for (n, hole) in holes.into_iter().enumerate() {
            if let Some(hole) = hole {
                self.code[hole..hole + 2].copy_from_slice(&[known(next[n]), back].map(Id::word));
            }
        }
        self.merge(i);
    }

    /// Ends a block that is never reached. Between two iterations of a loop it goes to the next merge block: each block there must lead to the loop's header.
    fn unreachable(&mut self) {
        let inside = self.constructs.last().is_some_and(|c| !c.continuing);
        if !inside || !self.constructs.iter().any(|c| c.continuing) {
            self.stmt(Op::Unreachable, NONE);
            self.block = None;
            return;
        }
        let owner = self.construct_mut().owner;
        let results: SmallVec<[Value; 4]> = self.f.results(owner).into();
        let mut ids = SmallVec::new();
        for v in results {
            let ty = self.m.types.numeric(self.f.ty(v)).is_some().then(|| self.ty_of(v));
            ids.push(ty.map(|ty| self.e.w.undef(ty)));
        }
        let block = self.open_block();
        let c = self.construct_mut();
        c.exits.push((block, ids));
        let merge = c.merge;
        self.branch(merge);
    }

    /// The block that is being filled.
    pub(crate) fn open_block(&self) -> Id {
        known(self.block)
    }

    fn construct_mut(&mut self) -> &mut Construct {
        self.constructs.last_mut().expect("inside a construct")
    }

    fn construct_of(&mut self, region: Region) -> usize {
        let owner = self.f.regions[region].owner;
        let at = self.constructs.iter().rposition(|c| Some(c.owner) == owner);
        at.expect("exits name enclosing constructs")
    }

    fn exit(&mut self, _i: Inst, op: Opcode, imm: usize, target: Option<Region>, args: &[Value]) {
        match op {
            Opcode::yield_ => {
                let ids = self.operand_ids(args);
                let block = self.open_block();
                let c = self.construct_mut();
                c.exits.push((block, ids));
                let merge = c.merge;
                self.branch(merge);
            }
            Opcode::break_ => {
                let ids = self.operand_ids(args);
                let at = self.construct_of(target.expect("break names a region"));
                self.exit_ordered(Some(at));
                let block = self.open_block();
                self.constructs[at].exits.push((block, ids));
                let merge = self.constructs[at].merge;
                self.branch(merge);
            }
            Opcode::continue_ => {
                let ids = self.operand_ids(args);
                let at = self.construct_of(target.expect("continue names a region"));
                let block = self.open_block();
                self.constructs[at].continues.push((block, ids));
                let cont = self.constructs[at].cont;
                self.branch(known(cont));
            }
            Opcode::next => {
                let ids = self.operand_ids(args);
                self.construct_mut().next = Some((ids, None));
            }
            Opcode::next_if => {
                let cond = self.val(args[0]);
                let again = self.operand_ids(&args[1..1 + imm]);
                let results = self.operand_ids(&args[1 + imm..]);
                let block = self.open_block();
                let c = self.construct_mut();
                c.exits.push((block, results));
                c.next = Some((again, Some(cond)));
            }
            Opcode::return_ => {
                self.exit_ordered(None);
                self.return_or_start();
                self.block = None;
            }
            Opcode::ignore_hit => {
                self.stmt(Op::IgnoreIntersectionKHR, NONE);
                self.block = None;
            }
            Opcode::accept_hit => {
                self.stmt(Op::TerminateRayKHR, NONE);
                self.block = None;
            }
            Opcode::unreachable => self.unreachable(),
            _ => rtc_base::bug!("{op} is not an exit"),
        }
    }
}
