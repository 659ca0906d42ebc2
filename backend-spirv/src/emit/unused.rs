//! Dead code elimination in the words of a function: instructions without effects whose results nothing uses.
//!
//! Emission leaves some behind: arithmetic of byte addresses that became members and indices, vectors of which only the components
//! are used. One backward pass over use counts finds them. Every word after the result counts as a use of the id with that number,
//! literals too, so a literal may keep an instruction; none is removed that is used.

use spirv::Op;

use crate::words::Words;

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

/// Removes what is not used from the code of a function. Ids with decorations stay.
pub fn remove(code: &mut Vec<u32>, w: &Words) {
    let mut starts: Vec<usize> = Vec::new();
    let mut uses: Vec<u32> = vec![0; w.bound() as usize];
    let mut at = 0;
    while at < code.len() {
        starts.push(at);
        let length = (code[at] >> 16).max(1) as usize;
        count(&code[at + 1..at + length], |n| n + 1, &mut uses);
        at += length;
    }
    let mut dead: Vec<usize> = Vec::new();
    for &at in starts.iter().rev() {
        let length = (code[at] >> 16) as usize;
        // The result's own word is one use.
        if length > 2 && is_pure(code[at] & 0xffff) && uses[code[at + 2] as usize] == 1 && !w.is_decorated(code[at + 2]) {
            count(&code[at + 1..at + length], |n| n - 1, &mut uses);
            dead.push(at);
        }
    }
    if dead.is_empty() {
        return;
    }
    let mut out = Vec::with_capacity(code.len());
    for &at in &starts {
        if dead.last() == Some(&at) {
            dead.pop();
            continue;
        }
        out.extend_from_slice(&code[at..at + (code[at] >> 16) as usize]);
    }
    *code = out;
}

fn count(words: &[u32], change: impl Fn(u32) -> u32, uses: &mut [u32]) {
    for &word in words {
        if let Some(n) = uses.get_mut(word as usize) {
            *n = change(*n);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::put;

    #[test]
    fn chains_of_unused_instructions_go() {
        let mut w = Words::default();
        let [ty, a, b, c, d] = std::array::from_fn(|_| w.id() + 100);
        // Ids below the bound of the module.
        (0..120).for_each(|_| _ = w.id());
        let mut code = Vec::new();
        put(&mut code, Op::IAdd, &[ty, b, a, a]);
        put(&mut code, Op::IMul, &[ty, c, b, b]);
        put(&mut code, Op::Load, &[ty, d, a]);
        let mut kept = Vec::new();
        put(&mut kept, Op::Load, &[ty, d, a]);
        remove(&mut code, &w);
        assert_eq!(code, kept);
    }

    #[test]
    fn what_is_used_later_or_decorated_stays() {
        let mut w = Words::default();
        (0..20).for_each(|_| _ = w.id());
        w.decorate(7, spirv::Decoration::NoContraction, &[]);
        let mut code = Vec::new();
        put(&mut code, Op::IAdd, &[15, 7, 16, 16]);
        put(&mut code, Op::IAdd, &[15, 8, 16, 16]);
        put(&mut code, Op::Store, &[17, 8]);
        let before = code.clone();
        remove(&mut code, &w);
        assert_eq!(code, before);
    }
}
