//! Wave operations, and what uses their results, stay in the loop iteration that they are written in, by conditional breaks on `dx.break.cond`.
//!
//! ```hlsl
//! while (true) { if (left-- == 0) { first = WaveReadLaneFirst(x); break; } }
//! while (true) { uint u = WaveReadLaneFirst(x); if (u == x) { sum += textures[u].Load(at); break; } }
//! ```
//!
//! Lanes that leave the loop in one iteration act together, lanes of different iterations do not. The CFG loses that: the
//! branch has no path to the loop's header, so it is not part of the loop and not distinct from the code after it. So
//! the exit edge of such a branch gets a condition that always holds, with a back edge to the header that is never taken. The
//! condition reads a constant variable, which optimisers of DXIL leave alone by its name; the reference compiler
//! does the same under that name.

use super::func::Writer;
use rtc_dxil_module::{Block, CmpPred, ConstKind, Linkage, Value};
use rtc_ir::{Inst, InstData, Region};
use smallvec::SmallVec;

/// The name of the variable.
const BREAK: &str = "dx.break.cond";

impl Writer<'_, '_> {
    /// For an exit of a region, out of construct `target` or out of the function: a condition that always holds, and the source block of
    /// the back edge for when it does not. None where the exit leaves no loop, or nothing that precedes it belongs to the iteration.
    pub(super) fn break_condition(&mut self, region: Region, target: Option<Inst>) -> Option<(Value, Block)> {
        let around = self.left_with_operations(region, target)?;
        let (header, phis) = self.flow.header(around)?;
        let holds = self.holds();
        let from = self.e.block();
        let back = self.e.b().new_block();
        self.e.switch_to(back);
        for (_, _, phi) in phis {
            // The loop state is unchanged.
            self.e.b().body().add_incoming(phi, Value::Inst(phi), back);
        }
        self.e.b().br(header);
        self.e.switch_to(from);
        Some((holds, back))
    }

    /// The innermost loop that the exit leaves where code that precedes the exit, and from which no other path leads back to the header, belongs to
    /// the iteration: it has wave operations, or depends on those of the loop.
    pub(super) fn left_with_operations(&self, region: Region, target: Option<Inst>) -> Option<Inst> {
        let f = self.f;
        let (mut at, mut alone) = (region, true);
        // The regions that only lead to the exit.
        let mut before: SmallVec<[Region; 4]> = SmallVec::new();
        loop {
            if alone {
                before.push(at);
            }
            let owner = f.regions[at].owner?;
            if let InstData::Loop { body, .. } = f.insts[owner]
                && self.facts.live.continues(body)
                && before.iter().any(|&r| self.flow.has_wave_operations(r) || self.flow.depends_on_lanes(owner, r))
            {
                return Some(owner);
            }
            if target == Some(owner) {
                return None;
            }
            // Code around a construct without a normal exit has the exits of the construct.
            alone &= !self.facts.live.falls_out(owner);
            at = self.flow.parent(owner)?;
        }
    }

    /// The condition, computed in the entry block.
    fn holds(&mut self) -> Value {
        if let Some(holds) = self.flow.holds() {
            return holds;
        }
        let out = &mut *self.e.out;
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
        let holds = self.e.after_allocas(|b| {
            let word = b.gep(true, Value::Global(var), &[zero, zero]);
            let word = b.load(word, 4);
            b.cmp(CmpPred::IEq, word, zero, 0)
        });
        self.flow.set_holds(holds);
        holds
    }
}
