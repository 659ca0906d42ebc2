//! The control-flow graph of a function: successors, back edges, and edits of edges and phis.

use rtc_dxil_module::{Block, Body, Inst, Op, Value};

/// The successors of a block.
pub fn successors(body: &Body, block: Block) -> Vec<Block> {
    let Some(end) = body.terminator(block) else { return Vec::new() };
    match body.insts[end].op {
        Op::Br(to) => vec![to],
        Op::CondBr { then, other, .. } => vec![then, other],
        Op::Switch { default, cases, .. } => {
            let cases = body.values(cases).iter().filter_map(|v| if let Value::Block(b) = v { Some(*b) } else { None });
            std::iter::once(default).chain(cases).collect()
        }
        _ => Vec::new(),
    }
}

/// The retreating edges of a depth-first search from the entry; every cycle contains one.
pub fn back_edges(body: &Body) -> Vec<(Block, Block)> {
    let mut out = Vec::new();
    let Some(entry) = body.blocks.keys().next() else { return out };
    // 0 unvisited, 1 on the stack, 2 done
    let mut state: rtc_base::SecondaryMap<Block, u8> = rtc_base::SecondaryMap::new();
    let mut way = vec![(entry, successors(body, entry), 0)];
    state[entry] = 1;
    while let Some((block, next, at)) = way.last_mut() {
        let Some(&to) = next.get(*at) else {
            state[*block] = 2;
            way.pop();
            continue;
        };
        *at += 1;
        match state[to] {
            0 => {
                state[to] = 1;
                way.push((to, successors(body, to), 0));
            }
            1 => {
                // A terminator lists its edges in order, possibly with duplicates.
                let edge = (*block, to);
                if !out.iter().rev().take_while(|e| e.0 == *block).any(|e| *e == edge) {
                    out.push(edge);
                }
            }
            _ => {}
        }
    }
    out
}

/// Redirects the edges of a terminator from `old` to `new`.
pub fn redirect(body: &mut Body, end: Inst, old: Block, new: Block) {
    let turn = |b: Block| if b == old { new } else { b };
    let op = body.insts[end].op;
    body.insts[end].op = match op {
        Op::Br(to) => Op::Br(turn(to)),
        Op::CondBr { cond, then, other } => Op::CondBr { cond, then: turn(then), other: turn(other) },
        Op::Switch { value, default, cases } => {
            for v in body.values_mut(cases) {
                if let Value::Block(b) = v {
                    *b = turn(*b);
                }
            }
            Op::Switch { value, default: turn(default), cases }
        }
        op => op,
    };
}

/// Renames the predecessor `old` to `new` in the phis of a block, where `new` has as many edges to it: a phi has one entry per
/// edge, and a switch may have several edges.
pub fn rename_incoming(body: &mut Body, block: Block, old: Block, new: Block) {
    change_incoming(body, block, old, new, usize::MAX);
}

/// The same where `new` has one edge to the block, however many `old` had.
pub fn join_incoming(body: &mut Body, block: Block, old: Block, new: Block) {
    change_incoming(body, block, old, new, 1);
}

fn change_incoming(body: &mut Body, block: Block, old: Block, new: Block, most: usize) {
    for i in body.blocks[block].clone() {
        let Op::Phi(list) = body.insts[i].op else { continue };
        let (mut values, mut kept) = (Vec::new(), 0);
        for pair in body.values(list).chunks_exact(2) {
            if pair[1] != Value::Block(old) {
                values.extend_from_slice(pair);
            } else if kept < most {
                kept += 1;
                values.extend([pair[0], Value::Block(new)]);
            }
        }
        let list = body.list(&values);
        body.insts[i].op = Op::Phi(list);
    }
}
