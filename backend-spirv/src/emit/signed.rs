//! Signed types for signed operations.
//!
//! Integers of the IR have no sign, and emission gives all of them the unsigned type. SPIR-V permits that: the operation alone says how it takes
//! its operands. But translators of SPIR-V to other languages take the sign from the type, so that a signed division becomes an unsigned one.
//! One pass over the words of a function gives such operations the signed type, with `OpBitcast` where it meets the unsigned one; casts that
//! nothing uses go with other unused code ([`super::unused`]).
//!
//! Atomic operations stay: their type is that of the variable, which is signed where they are ([`super::variables::signed_globals`]).

use rustc_hash::FxHashMap;
use spirv::{GlslStd450Op as G, Op};

use crate::words::{Id, TypeId, Words, instructions, put_result};

/// What of an instruction is signed.
struct Signed {
    /// The words that are operands with the signed type: from one to another.
    operands: std::ops::Range<usize>,
    /// Whether the result is.
    result: bool,
}

/// What is signed of an instruction; none if it is no signed operation.
fn signed(inst: &[u32], glsl: Id) -> Option<Signed> {
    let all = |operands, result| Some(Signed { operands, result });
    let is = |o: Op| inst[0] & 0xffff == o as u32;
    let any = |of: &[Op]| of.iter().any(|&o| is(o));
    match () {
        () if any(&[Op::SDiv, Op::SRem, Op::SMod, Op::SNegate, Op::SConvert]) => all(3..inst.len(), true),
        // The amount, offset and width have types of their own.
        () if any(&[Op::ShiftRightArithmetic, Op::BitFieldSExtract]) => all(3..4, true),
        () if any(&[Op::SLessThan, Op::SLessThanEqual, Op::SGreaterThan, Op::SGreaterThanEqual, Op::ConvertSToF]) => {
            all(3..inst.len(), false)
        }
        () if is(Op::ConvertFToS) => all(0..0, true),
        // After the scope and the group operation; the size of a cluster follows.
        () if any(&[Op::GroupNonUniformSMin, Op::GroupNonUniformSMax]) => all(5..6, true),
        () if is(Op::ExtInst) && inst.get(3) == Some(&glsl.word()) => {
            const OPS: [G; 6] = [G::SAbs, G::SSign, G::SMin, G::SMax, G::SClamp, G::FindSMsb];
            let op = *inst.get(4)?;
            OPS.iter().any(|&g| g as u32 == op).then_some(Signed { operands: 5..inst.len(), result: true })
        }
        () => None,
    }
}

/// Gives the signed operations in the code of a function signed types.
pub fn give_types(code: &mut Vec<u32>, w: &mut Words) {
    let glsl = w.glsl;
    if !instructions(code).any(|i| signed(i, glsl).is_some()) {
        return;
    }
    let mut types = Types::of(w, code);
    let mut out = Vec::with_capacity(code.len() + code.len() / 8);
    // Values of the block with the signed type, by the ids that have the unsigned one; and casts to the signed type, by what they cast from.
    let mut known: FxHashMap<Id, Id> = FxHashMap::default();
    let mut casts: FxHashMap<Id, Id> = FxHashMap::default();
    for inst in instructions(code) {
        if inst[0] & 0xffff == Op::Label as u32 {
            known.clear();
            casts.clear();
        }
        let Some(what) = signed(inst, glsl) else {
            let start = out.len();
            out.extend_from_slice(inst);
            match inst[..] {
                [op, ty, id, of] if op & 0xffff == Op::Bitcast as u32 => {
                    let (ty, [id, of]) = (TypeId::from_word(ty), [id, of].map(Id::from_word));
                    match types.of_id.get(&of).copied() {
                        Some(from) if types.signed(ty, w) == Some(from) => _ = known.insert(id, of),
                        Some(from) if types.signed(from, w) == Some(ty) => _ = casts.insert(id, of),
                        _ => {}
                    }
                }
                // Memory of a signed type takes what is signed already.
                [op, _, value, ..] if op & 0xffff == Op::Store as u32 => {
                    if let Some(&id) = casts.get(&Id::from_word(value)).and_then(|of| known.get(of)) {
                        out[start + 2] = id.word();
                    }
                }
                _ => {}
            }
            continue;
        };
        let mut inst = inst.to_vec();
        for word in &mut inst[what.operands] {
            let of = Id::from_word(*word);
            let Some(ty) = types.of_id.get(&of).copied().and_then(|t| types.signed(t, w)) else { continue };
            let signed = *known.entry(of).or_insert_with(|| match types.constants.get(&of) {
                Some(value) => w.number(ty, value),
                None => {
                    let id = w.id();
                    put_result(&mut out, Op::Bitcast, ty, id, &[of]);
                    id
                }
            });
            *word = signed.word();
        }
        let unsigned = TypeId::from_word(inst[1]);
        match types.signed(unsigned, w).filter(|_| what.result) {
            None => out.extend(inst),
            Some(ty) => {
                let (given, id) = (Id::from_word(inst[2]), w.id());
                inst[1..3].copy_from_slice(&[ty.word(), id.word()]);
                out.extend(inst);
                put_result(&mut out, Op::Bitcast, unsigned, given, &[id]);
                known.insert(given, id);
            }
        }
    }
    *code = out;
}

/// The types that the pass asks for.
struct Types {
    /// The type of each integer.
    of_id: FxHashMap<Id, TypeId>,
    /// The integer types.
    integers: FxHashMap<TypeId, Integer>,
    /// The words of the scalar constants, as signed types have them.
    constants: FxHashMap<Id, Vec<u32>>,
}

/// The shape of an integer or of a vector of them.
#[derive(Clone, Copy)]
struct Integer {
    bits: u32,
    lanes: u32,
    signed: bool,
}

impl Types {
    fn of(w: &Words, code: &[u32]) -> Types {
        let mut types = Types { of_id: FxHashMap::default(), integers: FxHashMap::default(), constants: FxHashMap::default() };
        for inst in instructions(w.globals()) {
            match inst[..] {
                [op, id, bits, sign] if op & 0xffff == Op::TypeInt as u32 => {
                    types.integers.insert(TypeId::from_word(id), Integer { bits, lanes: 1, signed: sign == 1 });
                }
                [op, id, scalar, lanes] if op & 0xffff == Op::TypeVector as u32 => {
                    if let Some(&one) = types.integers.get(&TypeId::from_word(scalar)) {
                        types.integers.insert(TypeId::from_word(id), Integer { lanes, ..one });
                    }
                }
                [op, ty, id, ref value @ ..] => {
                    let ty = TypeId::from_word(ty);
                    let Some(&integer) = types.integers.get(&ty) else { continue };
                    let id = Id::from_word(id);
                    types.of_id.insert(id, ty);
                    if op & 0xffff == Op::Constant as u32 {
                        types.constants.insert(id, sign_extended(value, integer.bits));
                    }
                }
                _ => {}
            }
        }
        for inst in instructions(code) {
            // No other instruction has the id of a type there.
            if let [_, ty, id, ..] = inst[..]
                && ty != 0
                && types.integers.contains_key(&TypeId::from_word(ty))
            {
                types.of_id.insert(Id::from_word(id), TypeId::from_word(ty));
            }
        }
        types
    }

    /// The signed type of the shape of an unsigned one.
    fn signed(&mut self, ty: TypeId, w: &mut Words) -> Option<TypeId> {
        let integer = *self.integers.get(&ty).filter(|i| !i.signed)?;
        let scalar = w.int_ty(integer.bits, true);
        let signed = w.vector_ty(scalar, integer.lanes);
        self.integers.insert(signed, Integer { signed: true, ..integer });
        Some(signed)
    }
}

/// A constant's words in a signed type: bits above its width are copies of the sign.
fn sign_extended(value: &[u32], bits: u32) -> Vec<u32> {
    match value {
        &[word] if bits < 32 => vec![(word << (32 - bits)).cast_signed().wrapping_shr(32 - bits).cast_unsigned()],
        _ => value.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::put;

    /// The instructions after the pass, of which the operands are given by the test's ids.
    fn after(make: impl FnOnce(&mut Words) -> Vec<u32>) -> Vec<(u32, Vec<u32>)> {
        let mut w = Words::default();
        let mut code = make(&mut w);
        give_types(&mut code, &mut w);
        instructions(&code).map(|i| (i[0] & 0xffff, i[1..].to_vec())).collect()
    }

    /// An id that nothing defines.
    fn other(n: u32) -> Id {
        Id::from_word(n)
    }

    #[test]
    fn casts_are_shared_in_a_block() {
        let found = after(|w| {
            let (uint, [a, b, c]) = (w.u32_ty(), std::array::from_fn(|_| w.id()));
            let mut code = Vec::new();
            put_result(&mut code, Op::Load, uint, a, &[other(90)]);
            put_result(&mut code, Op::SNegate, uint, b, &[a]);
            put_result(&mut code, Op::SDiv, uint, c, &[b, a]);
            code
        });
        let ops: Vec<u32> = found.iter().map(|i| i.0).collect();
        let [load, cast, negate, divide] = [Op::Load, Op::Bitcast, Op::SNegate, Op::SDiv].map(|o| o as u32);
        assert_eq!(ops, [load, cast, negate, cast, divide, cast]);
        // The division takes what the negation gives, not a cast of it.
        assert_eq!(found[4].1[2..], [found[2].1[1], found[1].1[1]]);
        // Others see the ids of before.
        assert_eq!(found[5].1[1], found[4].1[1].min(found[5].1[1]));
    }

    #[test]
    fn what_memory_gives_and_takes_signed_is_not_cast_to_and_fro() {
        let found = after(|w| {
            let (uint, [a, b, c, d]) = (w.u32_ty(), std::array::from_fn(|_| w.id()));
            let int = w.int_ty(32, true);
            let mut code = Vec::new();
            put_result(&mut code, Op::Load, int, a, &[other(90)]);
            put_result(&mut code, Op::Bitcast, uint, b, &[a]);
            put_result(&mut code, Op::SNegate, uint, c, &[b]);
            put_result(&mut code, Op::Bitcast, int, d, &[c]);
            put(&mut code, Op::Store, &[other(90), d]);
            code
        });
        let [negate, store] = [&found[2].1, &found[5].1];
        assert_eq!((negate[2], store[1]), (found[0].1[1], negate[1]));
    }

    #[test]
    fn short_constants_are_extended_by_their_sign() {
        assert_eq!(sign_extended(&[0xfffd], 16), [0xffff_fffd]);
        assert_eq!(sign_extended(&[3], 16), [3]);
        assert_eq!(sign_extended(&[0xffff_fffd], 32), [0xffff_fffd]);
    }

    #[test]
    fn constants_are_made_signed_and_the_next_block_casts_again() {
        let found = after(|w| {
            let (uint, flag, float) = (w.u32_ty(), w.bool_ty(), w.f32_ty());
            let (three, [a, b, c]) = (w.u32(3), std::array::from_fn(|_| w.id()));
            let mut code = Vec::new();
            put(&mut code, Op::Label, &[other(80)]);
            put_result(&mut code, Op::Load, uint, a, &[other(90)]);
            put_result(&mut code, Op::SLessThan, flag, b, &[a, three]);
            put(&mut code, Op::Label, &[other(82)]);
            put_result(&mut code, Op::ConvertSToF, float, c, &[a]);
            code
        });
        let casts = found.iter().filter(|i| i.0 == Op::Bitcast as u32).count();
        assert_eq!(casts, 2);
    }
}
