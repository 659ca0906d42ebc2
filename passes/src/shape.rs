//! The shapes of computations: what tells whether two instructions compute the same from the same operands.

use std::hash::{Hash, Hasher};

use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, effects};

/// Everything about a computation but its operands and result types, which its instruction has.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
pub(crate) struct Shape {
    pub op: Opcode,
    precise: bool,
    imm: u32,
    /// Access path, slot or global.
    entity: u32,
}

impl Shape {
    /// That of an instruction that may be merged with an equal one.
    pub fn of(m: &Module, f: &Function, i: Inst) -> Option<Shape> {
        Self::with_effects(effects::of_inst(m, f, i), f, i)
    }

    /// That of an instruction that has the effects `e`.
    pub fn with_effects(e: Effects, f: &Function, i: Inst) -> Option<Shape> {
        if !e.may_drop() || e.intersects(Effects::CONVERGENT) || f.results(i).is_empty() || f.owns_regions(i) {
            return None;
        }
        let data = f.insts[i];
        let (imm, entity) = match data {
            InstData::Many { imm, .. } => (imm, 0),
            InstData::Access { imm, place, .. } => (imm, place.as_u32()),
            InstData::Resource { global, nonuniform, .. } => (nonuniform.into(), global.as_u32()),
            InstData::Nullary { .. } | InstData::Unary { .. } | InstData::Binary { .. } | InstData::Ternary { .. } => (0, 0),
            _ => return None,
        };
        Some(Shape { op: data.op(), precise: f.is_precise(i), imm, entity })
    }

    /// A hash of the computation that instruction `i` of this shape is.
    pub fn hash_with_operands(&self, f: &Function, i: Inst) -> u64 {
        hash_with_operands(self, f, i)
    }
}

/// A hash of this key with the operands of `i`.
pub(crate) fn hash_with_operands(key: &impl Hash, f: &Function, i: Inst) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    key.hash(&mut hasher);
    // Independent of the order, so that commuted operands have the same hash.
    let mut operands = 0u64;
    f.for_each_operand(i, |v| {
        operands = operands.wrapping_add(u64::from(v.as_u32() + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    });
    operands.hash(&mut hasher);
    hasher.finish()
}
