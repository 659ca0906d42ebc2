//! Wave operations stay in the loop iteration that they are written in, by conditional breaks on `dx.break.cond`.
//!
//! ```hlsl
//! while (true) { if (left-- == 0) { first = WaveReadLaneFirst(x); break; } }
//! ```
//!
//! Lanes that leave the loop in one iteration act together, lanes of different iterations do not. The CFG loses that: the
//! branch has no path to the loop's header, so it is not part of the loop and not distinct from the code after it. So
//! the exit edge of such a branch gets a condition that always holds, with a back edge to the header that is never taken. The
//! condition reads a constant variable, which optimisers of DXIL leave alone by its name; the reference compiler
//! does the same under that name.

use super::control::StatePhi;
use super::func::Writer;
use rtc_base::{EntitySet, SecondaryMap};
use rtc_dxil_module::{Block, CmpPred, ConstKind, Linkage, Value};
use rtc_ir::{self as ir, Effects, Inst, InstData, Region, effects};

/// The name of the variable.
const BREAK: &str = "dx.break.cond";

/// The regions of a function with wave operations.
#[derive(Default)]
pub struct WaveRegions {
    /// Regions that contain a wave operation, directly or in inner regions.
    with: EntitySet<Region>,
    /// The region of each control instruction.
    parents: SecondaryMap<Inst, Option<Region>>,
    /// The condition that always holds, once it is emitted.
    holds: Option<Value>,
}

impl WaveRegions {
    /// Finds them.
    pub fn new(m: &ir::Module, f: &ir::Function) -> WaveRegions {
        let mut out = WaveRegions::default();
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
    /// For an exit of a region, out of construct `target` or out of the function: a condition that always holds, and the source block of
    /// the back edge for when it does not. None where the exit leaves no loop, or no wave operation precedes it.
    pub fn break_condition(&mut self, region: Region, target: Option<Inst>) -> Option<(Value, Block)> {
        let around = self.left_with_operations(region, target)?;
        let (header, phis): (Block, Vec<StatePhi>) = self.joins.headers.get(&around)?.clone();
        let holds = self.holds();
        let from = self.block;
        let back = self.b().new_block();
        self.block = back;
        for (_, _, phi) in phis {
            // The loop state is unchanged.
            self.b().body().add_incoming(phi, Value::Inst(phi), back);
        }
        self.b().br(header);
        self.block = from;
        Some((holds, back))
    }

    /// The innermost loop that the exit leaves, if a wave operation precedes the exit from which no other path leads back to
    /// the header.
    pub fn left_with_operations(&self, region: Region, target: Option<Inst>) -> Option<Inst> {
        let f = self.f;
        let (mut at, mut alone, mut with) = (region, true, false);
        loop {
            with |= alone && self.wave_regions.with.contains(at);
            let owner = f.regions[at].owner?;
            if let InstData::Loop { body, .. } = f.insts[owner] {
                return Some(owner).filter(|_| with && self.facts.live.continues(body));
            }
            if target == Some(owner) {
                return None;
            }
            // Code around a construct without a normal exit has the exits of the construct.
            alone &= !self.facts.live.falls_out(owner);
            at = self.wave_regions.parents[owner]?;
        }
    }

    /// The condition, computed in the entry block.
    fn holds(&mut self) -> Value {
        if let Some(holds) = self.wave_regions.holds {
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
        self.wave_regions.holds = Some(holds);
        holds
    }
}
