//! Dead code elimination in the words of a function: instructions without effects whose results nothing uses.
//!
//! Emission leaves some: arithmetic of byte addresses that became members and indices, vectors of which only the components are
//! used. One backward pass over use counts finds them. Every word counts as a use of the id with that number, but for the
//! literals of common instructions; so a literal may keep an instruction, and none is removed that is used. Debug information is no
//! use: a variable that held what is removed is undefined.

use rustc_hash::FxHashSet;
use spirv::{NonsemanticShaderDebuginfo100Op as Info, Op};

use crate::words::{Id, Words};

/// Instructions that have no effect but their result.
fn is_pure(op: u32) -> bool {
    const OPS: &[Op] = &[
        Op::AccessChain,
        Op::CompositeConstruct,
        Op::CompositeExtract,
        Op::CompositeInsert,
        Op::VectorShuffle,
        Op::VectorExtractDynamic,
        Op::IAdd,
        Op::ISub,
        Op::IMul,
        Op::ShiftLeftLogical,
        Op::ShiftRightLogical,
        Op::ShiftRightArithmetic,
        Op::BitwiseAnd,
        Op::BitwiseOr,
        Op::BitwiseXor,
        Op::Not,
        Op::Bitcast,
        Op::UConvert,
        Op::SConvert,
        Op::Select,
        Op::IEqual,
        Op::INotEqual,
        Op::ULessThan,
        Op::SLessThan,
        Op::LogicalAnd,
        Op::LogicalOr,
        Op::LogicalNot,
    ];
    OPS.iter().any(|&o| o as u32 == op)
}

/// Whether an instruction is debug information, whose set has id `debug`.
fn describes(inst: &[u32], debug: Option<Id>) -> bool {
    match inst[0] & 0xffff {
        op if op == Op::Line as u32 || op == Op::NoLine as u32 => true,
        op => op == Op::ExtInst as u32 && debug.is_some_and(|set| inst.get(3) == Some(&set.word())),
    }
}

/// Where the value is in a `DebugValue`.
const VALUE: usize = 6;

/// Removes what is not used from the code of a function. Ids with decorations stay. `debug`: the set of debug instructions.
pub fn remove(code: &mut Vec<u32>, w: &mut Words, debug: Option<Id>) {
    let mut starts: Vec<usize> = Vec::new();
    let mut uses: Vec<u32> = vec![0; w.bound() as usize];
    let mut at = 0;
    while at < code.len() {
        starts.push(at);
        let length = (code[at] >> 16).max(1) as usize;
        if !describes(&code[at..at + length], debug) {
            count(&code[at..at + length], |n| n + 1, &mut uses);
        }
        at += length;
    }
    let mut dead: Vec<usize> = Vec::new();
    for &at in starts.iter().rev() {
        let length = (code[at] >> 16) as usize;
        // The result's own word is one use.
        if length > 2 && is_pure(code[at] & 0xffff) && uses[code[at + 2] as usize] == 1 && !w.is_decorated(Id::from_word(code[at + 2])) {
            count(&code[at..at + length], |n| n - 1, &mut uses);
            dead.push(at);
        }
    }
    if dead.is_empty() {
        return;
    }
    let removed: FxHashSet<u32> = dead.iter().map(|&at| code[at + 2]).collect();
    let mut out = Vec::with_capacity(code.len());
    for &at in &starts {
        if dead.last() == Some(&at) {
            dead.pop();
            continue;
        }
        let inst = &code[at..at + (code[at] >> 16) as usize];
        let start = out.len();
        out.extend_from_slice(inst);
        let is_value = debug.is_some() && describes(inst, debug) && inst.get(4) == Some(&(Info::DebugValue as u32));
        if is_value && removed.contains(&inst[VALUE]) {
            let word = w.u32_ty();
            out[start + VALUE] = w.undef(word).word();
        }
    }
    *code = out;
}

/// The literals of an instruction: the words from one to another. Of instructions that are not here all words count as ids.
fn literals(inst: &[u32]) -> std::ops::Range<usize> {
    match inst[0] & 0xffff {
        op if op == Op::ExtInst as u32 => 4..5,
        op if op == Op::CompositeExtract as u32 => 4..inst.len(),
        op if op == Op::CompositeInsert as u32 || op == Op::VectorShuffle as u32 => 5..inst.len(),
        _ => 0..1,
    }
}

/// Changes the use counts of the ids in an instruction.
fn count(inst: &[u32], change: impl Fn(u32) -> u32, uses: &mut [u32]) {
    let literals = literals(inst);
    for (_, &word) in inst.iter().enumerate().skip(1).filter(|(n, _)| !literals.contains(n)) {
        if let Some(n) = uses.get_mut(word as usize) {
            *n = change(*n);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{Literal, TypeId, operands, put, put_result};

    /// An id that nothing defines.
    fn id(n: u32) -> Id {
        Id::from_word(n)
    }

    /// Gives the module ids up to a bound.
    fn with_ids(bound: u32) -> Words {
        let mut w = Words::default();
        while w.bound() < bound {
            w.id();
        }
        w
    }

    #[test]
    fn chains_of_unused_instructions_go() {
        let mut w = with_ids(120);
        let (ty, [a, b, c, d]) = (TypeId::from_word(102), [103, 104, 105, 106].map(id));
        let mut code = Vec::new();
        put_result(&mut code, Op::IAdd, ty, b, &[a, a]);
        put_result(&mut code, Op::IMul, ty, c, &[b, b]);
        put_result(&mut code, Op::Load, ty, d, &[a]);
        let mut kept = Vec::new();
        put_result(&mut kept, Op::Load, ty, d, &[a]);
        remove(&mut code, &mut w, None);
        assert_eq!(code, kept);
    }

    #[test]
    fn debug_information_keeps_nothing() {
        let mut w = with_ids(42);
        let set = id(30);
        let ([void, ty], [a, b]) = ([31, 32].map(TypeId::from_word), [33, 34].map(id));
        let (line, first, last) = (operands![id(35), Literal(34), Literal(34)], operands![set, Info::DebugValue, id(37)], id(38));
        let mut code = Vec::new();
        put(&mut code, Op::Line, &line);
        put_result(&mut code, Op::IAdd, ty, b, &[a, a]);
        put_result(&mut code, Op::ExtInst, void, id(36), &[first.as_slice(), &operands![b, last]].concat());
        remove(&mut code, &mut w, Some(set));
        let mut kept = Vec::new();
        put(&mut kept, Op::Line, &line);
        let undefined = id(code[code.len() - 2]);
        assert_ne!(undefined, b);
        put_result(&mut kept, Op::ExtInst, void, id(36), &[first.as_slice(), &operands![undefined, last]].concat());
        assert_eq!(code, kept);
    }

    #[test]
    fn what_is_used_later_or_decorated_stays() {
        let mut w = with_ids(22);
        w.decorate(id(7), spirv::Decoration::NoContraction, &[]);
        let (ty, x) = (TypeId::from_word(15), id(16));
        let mut code = Vec::new();
        put_result(&mut code, Op::IAdd, ty, id(7), &[x, x]);
        put_result(&mut code, Op::IAdd, ty, id(8), &[x, x]);
        put(&mut code, Op::Store, &[id(17), id(8)]);
        let before = code.clone();
        remove(&mut code, &mut w, None);
        assert_eq!(code, before);
    }
}
