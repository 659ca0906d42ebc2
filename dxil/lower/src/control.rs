//! Lowering of structured control flow: regions to basic blocks and phis.
//!
//! Blocks are in the order of the text. A forward jump waits in [`Flow`](super::flow::Flow) until its target begins; the values that it carries become
//! phis there. Leaving several levels at once is a jump like any other. The CFG is reducible: the only back edges are those of `next`
//! to the header of its own loop.

use rtc_ir::{self as ir, Hint, Inst, InstData, Opcode, Region, Sides};
use rtc_tables::diagnostics::{E0406, E0641};
use smallvec::SmallVec;

use super::flow::{How, Jump, Mark, To};
use super::func::Writer;
use super::live::has_lane;
use super::values::Components;
use rtc_dxil_module::{self, Block, Value};

/// The maximum number of instructions without code in an arm that is only a jump.
const MAX_SILENT: usize = 16;

impl Writer<'_, '_> {
    fn jump(&mut self, to: To, how: How, mark: Option<Mark>, values: &[ir::Value]) {
        let jump = Jump { from: self.e.block(), how, mark, values: SmallVec::from_slice(values), origin: self.e.origin() };
        self.flow.wait(to, jump);
    }

    /// Begins the block that `to` names: ends those that jump there, and takes over what they carry. If
    /// only one comes, its block goes on.
    fn land(&mut self, to: To, carried: &[ir::Value]) {
        let jumps = self.flow.take(to);
        if let [Jump { from, how: How::Always, mark: None, values, .. }] = &jumps[..] {
            self.e.switch_to(*from);
            let values = values.clone();
            self.take_over(carried, &values);
            return;
        }
        let here = self.e.b().new_block();
        for j in &jumps {
            self.end(j, here);
        }
        self.e.switch_to(here);
        if let [jump] = &jumps[..] {
            return self.take_over(carried, &jump.values);
        }
        for (n, &v) in carried.iter().enumerate() {
            let incoming: Vec<(ir::Value, Block)> = jumps.iter().filter_map(|j| Some((*j.values.get(n)?, j.from))).collect();
            self.joined(v, &incoming);
        }
    }

    /// Ends the block of a jump that goes to `here`.
    pub(super) fn end(&mut self, jump: &Jump, here: Block) {
        self.e.switch_to(jump.from);
        self.e.at(jump.origin);
        let branch = match jump.how {
            How::Always => self.e.b().br(here),
            How::When(cond, true, other) => self.e.b().cond_br(cond, here, other),
            How::When(cond, false, other) => self.e.b().cond_br(cond, other, here),
        };
        self.mark(branch, jump.mark);
    }

    /// Each value is the one that the only jump here brings for it.
    fn take_over(&mut self, carried: &[ir::Value], values: &[ir::Value]) {
        for (&v, &source) in carried.iter().zip(values) {
            if self.facts.live.uses(v) {
                let parts = self.parts(source);
                self.set(v, &parts);
            }
        }
    }

    /// Sends the jumps to what follows construct `i` on to where exit `next` goes, which is all that follows it. Whether that is a
    /// place that is not written yet.
    fn pass_on(&mut self, i: Inst, next: Inst, region: Region) -> bool {
        let f = self.f;
        let Some((to, args)) = self.jump_of(region, next) else {
            return false;
        };
        let results = f.results(i);
        for mut jump in self.flow.take(To::After(i)) {
            let brought = |v: &ir::Value| {
                let at = results.iter().position(|r| r == v);
                at.and_then(|n| jump.values.get(n)).copied().unwrap_or(*v)
            };
            jump.values = args.iter().map(brought).collect();
            self.flow.wait(to, jump);
        }
        true
    }

    /// Makes the phis of one value of which all that is incoming is known, as far as it needs some.
    fn joined(&mut self, v: ir::Value, incoming: &[(ir::Value, Block)]) {
        self.phis(v, incoming, true);
    }

    /// Makes the phis of one value; those are given back with component and instruction. `complete`: nothing more will be incoming.
    fn phis(&mut self, v: ir::Value, incoming: &[(ir::Value, Block)], complete: bool) -> Vec<(u32, rtc_dxil_module::Inst)> {
        let lanes = self.facts.live.lanes(v);
        let t = self.f.ty(v);
        let numeric = self.m.types.numeric(t);
        let (ty, count) = if let Some((scalar, count)) = numeric {
            (self.e.scalar(scalar), count)
        } else if t == ir::Type::HIT_OBJECT {
            (self.e.out.hit_object_type(), 1)
        } else if let Some(matrix) = self.m.types.as_linalg(t) {
            (self.e.out.linalg_type(matrix), 1)
        } else {
            if lanes != 0 {
                let at = match self.f.values[v].def {
                    ir::ValueDef::Result(i, _) => self.f.spans[i],
                    _ => self.f.span,
                };
                self.error(&E0641, at, "which resource is used must not depend on control flow");
            }
            return Vec::new();
        };
        let sources: Vec<(Components, Block)> = incoming.iter().map(|&(v, b)| (self.parts(v), b)).collect();
        let (mut parts, mut made) = (Components::new(), Vec::new());
        for c in 0..count as usize {
            if lanes == 0 || !has_lane(lanes, c) {
                let undef = self.e.out.undef(ty);
                parts.push(undef);
                continue;
            }
            let list: Vec<(Value, Block)> = sources.iter().map(|(p, b)| (p[c], *b)).collect();
            // A value that all edges carry needs no phi; nor does a copy of another component.
            let same = |k: usize| sources.iter().all(|(p, _)| p[k] == p[c]);
            let first = list.first().map(|l| l.0).filter(|&v| list.iter().all(|l| l.0 == v));
            let before = (0..c).find(|&k| lanes >> k.min(63) & 1 != 0 && same(k)).map(|k| parts[k]);
            if let Some(known) = first.or(before).filter(|_| complete) {
                parts.push(known);
                continue;
            }
            let phi = self.e.b().phi(ty, &list);
            parts.push(Value::Inst(phi));
            made.push((c as u32, phi));
        }
        self.set(v, &parts);
        made
    }

    /// Writes a region from the current block on. Afterwards no block is current, unless the caller
    /// begins one.
    pub(super) fn region(&mut self, region: Region) {
        let scope = self.e.enter_scope();
        self.region_in_scope(region);
        self.e.leave_scope(scope);
    }

    fn region_in_scope(&mut self, region: Region) {
        let f = self.f;
        let insts = &f.regions[region].insts;
        // Instructions that were written together with their predecessor.
        let mut written = None;
        for (at, &i) in insts.iter().enumerate() {
            if written == Some(i) {
                if self.after(i, &insts[at + 1..], region, &mut written) {
                    return;
                }
                continue;
            }
            self.note(i);
            match f.insts[i] {
                InstData::If { cond, then_, else_ } => self.if_(i, cond, then_, else_),
                InstData::Switch { on, cases } => self.switch(i, on, cases),
                InstData::Loop { .. } => self.loop_(i),
                InstData::Block { body } => self.region(body),
                InstData::Exit { .. } => return self.exit(region, i),
                _ => {
                    if self.facts.live.has(i) {
                        self.inst(i);
                    }
                    continue;
                }
            }
            if self.after(i, &insts[at + 1..], region, &mut written) {
                return;
            }
        }
    }

    /// Goes on after construct `i`, which `rest` follows in the region. Whether nothing is left to be done there; `written` is the
    /// instruction that was written already, which begins the rest or has only before it what is not written at all.
    fn after(&mut self, i: Inst, rest: &[Inst], region: Region, written: &mut Option<Inst>) -> bool {
        if !self.facts.live.falls_out(i) {
            return true;
        }
        // Dead instructions in between do not matter.
        if let Some(&next) = rest.iter().find(|&&n| self.facts.live.has(n)) {
            if self.pass_on(i, next, region) {
                return true;
            }
            if self.thread_jumps(i, next) {
                *written = Some(next);
                return false;
            }
        }
        self.land(To::After(i), self.f.results(i));
        false
    }

    /// Where a region goes that is nothing but a jump forward, and what it carries there.
    pub(super) fn only_jumps(&mut self, region: Region) -> Option<(To, SmallVec<[ir::Value; 4]>)> {
        let f = self.f;
        let (&last, others) = f.regions[region].insts.split_last()?;
        if others.len() > MAX_SILENT || others.iter().any(|&i| !self.is_silent(i)) {
            return None;
        }
        let jump = self.jump_of(region, last)?;
        for &i in others {
            if self.facts.live.has(i) {
                self.inst(i);
            }
        }
        Some(jump)
    }

    /// Whether no code is made of an instruction: it is not needed, or components just change places.
    fn is_silent(&self, i: Inst) -> bool {
        let moves = matches!(self.f.op(i), Opcode::construct | Opcode::extract | Opcode::insert);
        moves || !self.f.owns_regions(i) && !self.facts.live.has(i)
    }

    /// Target and arguments of exit `i` of a region; `None` if it is conditional or goes back to the start of a loop.
    fn jump_of(&self, region: Region, i: Inst) -> Option<(To, SmallVec<[ir::Value; 4]>)> {
        let f = self.f;
        let InstData::Exit { op, target, args, .. } = f.insts[i] else {
            return None;
        };
        let owner = |r: Region| f.regions[r].owner;
        let to = match op {
            Opcode::yield_ => To::After(owner(region)?),
            Opcode::break_ => {
                let target = owner(target.expand()?)?;
                if self.left_with_operations(region, Some(target)).is_some() {
                    return None;
                }
                To::After(target)
            }
            Opcode::continue_ => To::Continuing(owner(target.expand()?)?),
            _ => return None,
        };
        Some((to, SmallVec::from_slice(f.get(args))))
    }

    /// What the hint of a control instruction attaches to its branch: that of a loop to its back edge.
    pub(super) fn mark_of(&mut self, i: Inst) -> Option<Mark> {
        const FLOW: &str = "dx.controlflow.hints";
        let meta = |w: &mut Self, text: &str| w.e.out.meta.string(text);
        let number = |w: &mut Self, n| Some(w.e.out.meta_i32(n));
        let hint = self.f.hints[i];
        let sides = match hint.sides() {
            Sides::Any => None,
            Sides::Branch => number(self, 1),
            Sides::Flatten => number(self, 2),
        };
        let (kind, rest) = match hint {
            Hint::None => return None,
            Hint::Branch | Hint::Flatten => (FLOW, [Some(meta(self, FLOW)), sides, None]),
            Hint::ForceCase(_) => (FLOW, [Some(meta(self, FLOW)), number(self, 5), sides]),
            Hint::Unroll(n) => {
                let child = if n == 0 {
                    let full = meta(self, "llvm.loop.unroll.full");
                    self.e.out.meta.node(&[Some(full)])
                } else {
                    let count = meta(self, "llvm.loop.unroll.count");
                    let n = number(self, i32::try_from(n).unwrap_or(i32::MAX));
                    self.e.out.meta.node(&[Some(count), n])
                };
                ("llvm.loop", [Some(child), None, None])
            }
            Hint::Rolled => {
                let off = meta(self, "llvm.loop.unroll.disable");
                let child = self.e.out.meta.node(&[Some(off)]);
                ("llvm.loop", [Some(child), None, None])
            }
        };
        let kind = self.e.out.meta.kind(kind);
        let table = &mut self.e.out.meta;
        // The node refers to itself, so that it equals no other.
        let node = table.distinct(&[]);
        let mut elems = vec![Some(node)];
        elems.extend(rest.into_iter().flatten().map(Some));
        table.set_elems(node, &elems);
        Some((kind, node))
    }

    pub(super) fn mark(&mut self, branch: rtc_dxil_module::Inst, mark: Option<Mark>) {
        if let Some((kind, node)) = mark {
            self.e.b().body().attach(branch, kind, node);
        }
    }

    fn if_(&mut self, i: Inst, cond: ir::Value, then_: Region, else_: Region) {
        let cond = self.one(cond);
        let mark = self.mark_of(i);
        let before = self.e.block();
        // An arm that only jumps needs no block of its own; one of the two has one.
        let (short, value, long) = match (self.only_jumps(else_), self.only_jumps(then_)) {
            (Some(jump), _) => (Some(jump), false, then_),
            (None, Some(jump)) => (Some(jump), true, else_),
            (None, None) => (None, false, then_),
        };
        let first = self.e.b().new_block();
        self.e.switch_to(first);
        self.region(long);
        self.e.switch_to(before);
        self.e.at(Some(i));
        match short {
            Some((to, values)) => self.jump(to, How::When(cond, value, first), mark, &values),
            None => {
                let second = self.e.b().new_block();
                self.e.at(Some(i));
                let branch = self.e.b().cond_br(cond, first, second);
                self.mark(branch, mark);
                self.e.switch_to(second);
                self.region(else_);
            }
        }
    }

    fn switch(&mut self, i: Inst, on: ir::Value, cases: ir::Cases) {
        let f = self.f;
        let on = self.one(on);
        let before = self.e.block();
        let mut list: Vec<(Value, Block)> = Vec::new();
        for (values, region) in &f.cases[cases].arms {
            let block = self.e.b().new_block();
            for &v in values {
                let v = self.e.out.i32(v);
                list.push((v, block));
            }
            self.e.switch_to(block);
            self.region(*region);
        }
        let default = self.e.b().new_block();
        self.e.switch_to(before);
        self.e.at(Some(i));
        let branch = self.e.b().switch(on, default, &list);
        let mark = self.mark_of(i);
        self.mark(branch, mark);
        self.e.switch_to(default);
        self.region(f.cases[cases].default);
    }

    fn loop_(&mut self, i: Inst) {
        let f = self.f;
        let InstData::Loop { init, body, continuing } = f.insts[i] else {
            return;
        };
        if !self.facts.live.falls_out(i) && !self.ends_inside(i) {
            self.error(&E0406, f.spans[i], "this loop never ends");
        }
        let before = self.e.block();
        let header = self.e.b().new_block();
        self.e.b().br(header);
        self.e.switch_to(header);
        let mut phis = Vec::new();
        for (n, (&p, &v)) in f.regions[body].params.iter().zip(f.get(init)).enumerate() {
            let made = self.phis(p, &[(v, before)], false);
            phis.extend(made.into_iter().map(|(c, phi)| (n as u32, c, phi)));
        }
        self.flow.enter_loop(i, header, phis);
        if self.flow.reorders(i) {
            // The second iteration comes after the reorder points of the first.
            self.e.forget_available();
        }
        self.region(body);
        if self.facts.live.continues(body) {
            self.land(To::Continuing(i), &f.regions[continuing].params);
            self.region(continuing);
        }
        self.flow.leave_loop(i);
    }

    /// Whether something inside the loop leaves the function or an outer construct.
    fn ends_inside(&self, i: Inst) -> bool {
        let f = self.f;
        let (mut inside, mut ends) = (vec![i], false);
        for r in f.regions_of(i) {
            f.for_each_inst(r, |_, x| {
                if !f.regions_of(x).is_empty() {
                    inside.push(x);
                }
                let InstData::Exit { op, target, .. } = f.insts[x] else {
                    return;
                };
                let owner = target.expand().and_then(|t| f.regions[t].owner);
                ends |= match op {
                    Opcode::break_ | Opcode::continue_ => owner.is_some_and(|o| !inside.contains(&o)),
                    Opcode::return_ | Opcode::ignore_hit | Opcode::accept_hit | Opcode::unreachable => true,
                    _ => false,
                };
            });
        }
        ends
    }

    /// The back edge to the header of loop `i` with these values.
    fn back(&mut self, i: Inst, values: &[ir::Value]) -> Option<Block> {
        let (header, phis) = self.flow.header(i)?;
        let from = self.e.block();
        for (n, c, phi) in phis {
            if let Some(&v) = values.get(n as usize) {
                let value = self.parts(v)[c as usize];
                self.e.b().body().add_incoming(phi, value, from);
            }
        }
        Some(header)
    }

    fn exit(&mut self, region: Region, i: Inst) {
        let f = self.f;
        let InstData::Exit { op, imm, target, args } = f.insts[i] else {
            return;
        };
        let args = f.get(args);
        let owner = f.regions[region].owner;
        let target = target.expand().and_then(|t| f.regions[t].owner);
        match (op, owner, target) {
            (Opcode::yield_, Some(o), _) => self.jump(To::After(o), How::Always, None, args),
            (Opcode::break_, _, Some(o)) => {
                let how = self.break_condition(region, Some(o)).map_or(How::Always, |(cond, back)| How::When(cond, true, back));
                self.jump(To::After(o), how, None, args);
            }
            (Opcode::continue_, _, Some(o)) => self.jump(To::Continuing(o), How::Always, None, args),
            (Opcode::next, Some(o), _) => {
                if let Some(header) = self.back(o, args) {
                    let mark = self.mark_of(o);
                    let branch = self.e.b().br(header);
                    self.mark(branch, mark);
                }
            }
            (Opcode::next_if, Some(o), _) => {
                let cond = self.one(args[0]);
                let (again, results) = args[1..].split_at(imm as usize);
                if let Some(header) = self.back(o, again) {
                    let mark = self.mark_of(o);
                    self.jump(To::After(o), How::When(cond, false, header), mark, results);
                }
            }
            (Opcode::return_, ..) => {
                if let Some((cond, back)) = self.break_condition(region, None) {
                    let end = self.e.b().new_block();
                    self.e.b().cond_br(cond, end, back);
                    self.e.switch_to(end);
                }
                self.return_(args.first().copied());
            }
            (Opcode::ignore_hit | Opcode::accept_hit, ..) => {
                self.inst(i);
                self.e.b().unreachable();
            }
            // `unreachable` itself may only follow a call that does not return; any end will do here.
            _ => self.return_zero(),
        }
    }

    fn return_zero(&mut self) {
        let signature = self.e.function_type();
        let ret = self.e.out.types.signature(signature).map(|s| s.0);
        let void = self.e.out.types.void();
        let value = ret.filter(|&t| t != void).map(|t| self.e.out.null(t));
        self.e.b().ret(value);
    }

    fn return_(&mut self, value: Option<ir::Value>) {
        if let Some(result) = self.matrix_result() {
            self.e.b().ret(Some(result));
            return;
        }
        let value = value.map(|v| {
            let parts = self.defined(v);
            self.e.vector(&parts)
        });
        self.e.b().ret(value);
    }
}
