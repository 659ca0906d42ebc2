//! Operations among lanes stay in the round of the loop that they are written in.
//!
//! ```hlsl
//! while (true) { if (left-- == 0) { first = WaveReadLaneFirst(x); break; } }
//! ```
//!
//! Lanes that leave in one round act together, lanes of different rounds do not. As a graph of blocks that is lost: the
//! branch never comes back to the loop's header, so it is no part of the loop, and nothing tells it from what follows. So
//! the way out of such a branch gets a condition that always holds, with a way back to the header that nobody takes. The
//! condition is a word of a constant variable, which optimisers of DXIL leave alone by its name; the reference compiler
//! does the same under that name.

use super::control::StatePhi;
use super::func::Writer;
use rtc_base::{EntitySet, SecondaryMap};
use rtc_dxil_module::{Block, CmpPred, ConstKind, Linkage, Value};
use rtc_ir::{self as ir, Effects, Inst, InstData, Region, effects};

/// The name of the variable.
const BREAK: &str = "dx.break.cond";

/// Where a function has operations among lanes.
#[derive(Default)]
pub struct Rounds {
    /// Regions with one inside.
    with: EntitySet<Region>,
    /// The region of each control instruction.
    parents: SecondaryMap<Inst, Option<Region>>,
    /// What always holds.
    holds: Option<Value>,
}

impl Rounds {
    /// Those of a function.
    pub fn new(m: &ir::Module, f: &ir::Function) -> Rounds {
        let mut out = Rounds::default();
        let mut found = Vec::new();
        f.for_each_inst(f.body, |r, i| {
            if f.owns_regions(i) {
                out.parents[i] = Some(r);
            } else if effects::of_inst(m, f, i).contains(Effects::CONVERGENT) {
                found.push(r);
            }
        });
        for mut r in found {
            while out.with.insert(r)
                && let Some(outer) = f.regions[r].owner.and_then(|o| out.parents[o])
            {
                r = outer;
            }
        }
        out
    }
}

impl Writer<'_, '_> {
    /// For an exit of a region, out of construct `target` or out of the function: a condition that holds, and a block from
    /// which it goes on in the loop if it did not. None where the exit leaves no loop, or nothing before it needs one.
    pub fn stays(&mut self, region: Region, target: Option<Inst>) -> Option<(Value, Block)> {
        let around = self.left_with_operations(region, target)?;
        let (header, phis): (Block, Vec<StatePhi>) = self.joins.headers.get(&around)?.clone();
        let holds = self.holds();
        let from = self.block;
        let back = self.b().new_block();
        self.block = back;
        for (_, _, phi) in phis {
            // The state stays as it is.
            self.b().body().add_incoming(phi, Value::Inst(phi), back);
        }
        self.b().br(header);
        self.block = from;
        Some((holds, back))
    }

    /// The innermost loop that the exit leaves, if before the exit there is an operation among lanes from which no other
    /// way leads back.
    pub fn left_with_operations(&self, region: Region, target: Option<Inst>) -> Option<Inst> {
        let f = self.f;
        let (mut at, mut alone, mut with) = (region, true, false);
        loop {
            with |= alone && self.rounds.with.contains(at);
            let owner = f.regions[at].owner?;
            if let InstData::Loop { body, .. } = f.insts[owner] {
                return Some(owner).filter(|_| with && self.facts.live.continues(body));
            }
            if target == Some(owner) {
                return None;
            }
            // Code around a construct that is left only in other ways goes where they go.
            alone &= !self.facts.live.falls_out(owner);
            at = self.rounds.parents[owner]?;
        }
    }

    /// The condition, computed where the function begins.
    fn holds(&mut self) -> Value {
        if let Some(holds) = self.rounds.holds {
            return holds;
        }
        let out = &mut self.cx.out;
        let int = out.types.i32();
        let ty = out.types.array(int, 1);
        let known = out.globals.iter().find(|(_, g)| &*g.name == BREAK).map(|(v, _)| v);
        let var = known.unwrap_or_else(|| {
            let var = out.add_global(BREAK, ty, true);
            let zero = Value::Const(out.consts.intern(ty, ConstKind::Null));
            let data = &mut out.globals[var];
            (data.linkage, data.init, data.align) = (Linkage::Internal, Some(zero), 4);
            var
        });
        let zero = out.i32(0);
        let first = self.cx.out.funcs[self.func].body.as_ref().and_then(|b| b.blocks.keys().next());
        let entry = first.unwrap_or(self.block);
        let at = self.allocas;
        let mut holds = zero;
        if let Some(mut b) = self.cx.out.edit(self.func, entry) {
            let before = b.body().blocks[entry].len();
            let word = b.gep(true, Value::Global(var), &[zero, zero]);
            let word = b.load(word, 4);
            holds = b.cmp(CmpPred::IEq, word, zero, 0);
            let insts = &mut b.body().blocks[entry];
            let new = insts.split_off(before);
            insts.splice(at..at, new);
        }
        self.rounds.holds = Some(holds);
        holds
    }
}
