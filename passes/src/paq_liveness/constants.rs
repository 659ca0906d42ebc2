//! Construction of the CFG: variables whose value is known where control comes by, and loops that such variables count. A loop whose
//! end is decided in every iteration is walked once for each.

use rtc_ir::{Inst, InstData, Local, Opcode, Place, Region, Root, Type, Value};
use rustc_hash::FxHashMap;

use super::build::{Call, Constants, Head, TooLarge, Walk};
use super::cfg::{Block, Kind};
use super::path_conditions::ExprId;

/// Loops of more iterations are not walked one by one.
const MAX_ITERATIONS: usize = 32;
/// No more blocks and events are made for the iterations of all loops of an entry point.
const MAX_MADE: usize = 4000;
/// So many loops inside of each other are tried.
const MAX_TRIALS: u32 = 3;

/// What is undone if a loop turns out to have no constant number of iterations.
struct Before {
    events: usize,
    blocks: usize,
    frames: usize,
    objects: usize,
    unrolled: usize,
    cur: Option<(u32, Block)>,
    calls: usize,
    call: Call,
    constants_at: FxHashMap<u32, Constants>,
    top: u32,
    depth: u32,
    looped: u32,
}

impl Walk<'_, '_> {
    /// The variable that is this place, if constants in it are followed.
    fn counts(&self, p: Place) -> Option<Local> {
        let data = &self.f().places[p];
        match data.root {
            Root::Local(l) if data.steps.is_empty() && self.function_facts().stores.contains_key(&l) => Some(l),
            _ => None,
        }
    }

    /// A load of a variable that is not a payload's.
    pub(super) fn load_constant(&mut self, i: Inst, p: Place) {
        let f = self.f();
        let v = f.result(i);
        self.call_mut().exprs.remove(&v);
        if let Some(&k) = self.counts(p).and_then(|l| self.call().constants.get(&l)) {
            self.call_mut().exprs.insert(v, k);
        }
    }

    /// A store to such a variable.
    pub(super) fn store_constant(&mut self, p: Place, v: Value) {
        let Some(l) = self.counts(p) else { return };
        let k = self.expr_of(v);
        match self.cfg.conds.constant_of(k) {
            Some(_) => self.call_mut().constants.insert(l, k),
            None => self.call_mut().constants.remove(&l),
        };
    }

    /// Forgets the variables that an instruction with regions stores to.
    pub(super) fn forget_stored(&mut self, i: Inst) {
        if self.call().constants.is_empty() {
            return;
        }
        let f = self.f();
        for r in f.regions_of(i) {
            f.for_each_inst(r, |_, i| {
                if let InstData::Access { op: Opcode::store, place, .. } = f.insts[i]
                    && let Root::Local(l) = f.places[place].root
                {
                    self.call_mut().constants.remove(&l);
                }
            });
        }
    }

    /// Control may come to a block with the constants that there are.
    pub(super) fn bring_constants(&mut self, to: u32) {
        let Some(here) = self.calls.last().map(|c| &c.constants) else { return };
        match self.constants_at.get_mut(&to) {
            Some(there) => there.retain(|l, k| here.get(l) == Some(&*k)),
            None => _ = self.constants_at.insert(to, here.clone()),
        }
    }

    /// The value of an operation on constants.
    pub(super) fn fold(&self, op: Opcode, from: Type, to: Type, args: &[ExprId]) -> Option<u64> {
        let m = self.facts.cells.m;
        let bits: Option<Vec<u64>> = args.iter().map(|&k| self.cfg.conds.constant_of(k)).collect();
        match (m.types.numeric(from)?, m.types.numeric(to)?) {
            ((from, 1), (to, 1)) => rtc_ir::eval::in_module(m, op, from, to, &bits?),
            _ => None,
        }
    }

    /// Walks a loop iteration by iteration. Whether that was possible: if not, nothing has changed.
    pub(super) fn unrolled(&mut self, i: Inst, body: Region, continuing: Region, join: u32) -> bool {
        let limit = MAX_MADE.min((1 << 22) / (self.cfg.cells as usize + 1));
        if self.trials >= MAX_TRIALS || self.unrolled > limit || self.call().constants.is_empty() {
            return false;
        }
        let before = self.before();
        self.trials += 1;
        let done = self.iterations(i, body, continuing, join, limit);
        self.trials -= 1;
        let made = self.cfg.events.len() + self.cfg.blocks.len() - before.events - before.blocks;
        // The warnings about a trace in a loop are about the loop.
        let traces = self.cfg.events[before.events..].iter().any(|e| matches!(e.kind, Kind::Trace { .. }));
        if matches!(done, Ok(true)) && !traces {
            self.unrolled += made;
            return true;
        }
        self.restore(before);
        false
    }

    /// The iterations. Whether each either goes on or ends.
    fn iterations(&mut self, i: Inst, body: Region, continuing: Region, join: u32, limit: usize) -> Result<bool, TooLarge> {
        let start = self.cfg.events.len() + self.cfg.blocks.len();
        let known = self.call().exprs.clone();
        let first = self.block(rtc_base::Span::NONE);
        self.jump(first, None);
        self.start(first);
        for _ in 0..MAX_ITERATIONS {
            let (next, head) = (self.block(rtc_base::Span::NONE), self.block(rtc_base::Span::NONE));
            self.call_mut().continues.insert(i, next);
            self.call_mut().heads.insert(i, Head { block: head, looped: None });
            self.region(body)?;
            if self.constants_at.contains_key(&next) {
                self.start(next);
                self.region(continuing)?;
            }
            match (self.constants_at.contains_key(&head), self.constants_at.contains_key(&join)) {
                (false, _) => return Ok(true),
                (true, true) => return Ok(false),
                (true, false) => {}
            }
            if self.unrolled + self.cfg.events.len() + self.cfg.blocks.len() - start > limit {
                return Ok(false);
            }
            self.start(head);
            // Each iteration computes its values anew.
            self.call_mut().exprs.clone_from(&known);
        }
        Ok(false)
    }

    fn before(&self) -> Before {
        Before {
            events: self.cfg.events.len(),
            blocks: self.cfg.blocks.len(),
            frames: self.cfg.frames.len(),
            objects: self.objects.len(),
            unrolled: self.unrolled,
            cur: self.cur.map(|b| (b, self.cfg.blocks[b as usize].clone())),
            calls: self.calls.len(),
            call: self.call().clone(),
            constants_at: self.constants_at.clone(),
            top: self.top,
            depth: self.depth,
            looped: self.looped,
        }
    }

    fn restore(&mut self, b: Before) {
        self.cfg.events.truncate(b.events);
        self.cfg.blocks.truncate(b.blocks);
        self.cfg.frames.truncate(b.frames);
        self.objects.truncate(b.objects);
        self.cur = b.cur.map(|(n, block)| {
            self.cfg.blocks[n as usize] = block;
            n
        });
        self.calls.truncate(b.calls);
        *self.call_mut() = b.call;
        self.constants_at = b.constants_at;
        (self.top, self.depth, self.looped, self.unrolled) = (b.top, b.depth, b.looped, b.unrolled);
    }
}
