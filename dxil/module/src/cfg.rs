//! The control-flow graph of a function: predecessors, successors and the dominator tree.

use crate::{Block, Body, Op, Value};
use rtc_base::dominators::{Dominators, Edges};
use rtc_base::entity::EntityRef;

/// The graph of one function.
#[derive(Debug, Clone)]
pub struct Cfg {
    succs: Edges,
    preds: Edges,
    tree: Dominators,
}

impl Cfg {
    /// The graph of a body. Blocks without a terminator have no successors.
    pub fn new(body: &Body) -> Cfg {
        let succs = Edges::new(body.blocks.len(), |block, out| successors(body, Block::from_u32(block), |to| out.push(to.as_u32())));
        let preds = succs.reversed();
        let tree = Dominators::new(&succs, &preds, 0);
        Cfg { succs, preds, tree }
    }

    /// The successors of `block`, one for each edge.
    pub fn succs(&self, block: Block) -> impl ExactSizeIterator<Item = Block> + '_ {
        self.succs.of(block.as_u32()).iter().map(|&b| Block::from_u32(b))
    }

    /// The predecessors of `block`, one for each edge.
    pub fn preds(&self, block: Block) -> impl ExactSizeIterator<Item = Block> + '_ {
        self.preds.of(block.as_u32()).iter().map(|&b| Block::from_u32(b))
    }

    /// Whether `block` is reachable from the entry block.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.tree.is_reachable(block.as_u32())
    }

    /// Whether every path from the entry block to `b` contains `a`. Every block dominates unreachable blocks, and an
    /// unreachable block dominates no reachable one.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        self.tree.dominates(a.as_u32(), b.as_u32())
    }

    /// The reachable blocks, each after its immediate dominator, with that dominator. The entry block has none.
    pub fn tree(&self) -> impl Iterator<Item = (Block, Option<Block>)> + '_ {
        self.tree.tree().map(|(block, dominator)| (Block::from_u32(block), dominator.map(Block::from_u32)))
    }
}

fn successors(body: &Body, block: Block, mut f: impl FnMut(Block)) {
    let Some(last) = body.terminator(block) else { return };
    body.operands(last, |value| {
        if let Value::Block(to) = value
            && !matches!(body.insts[last].op, Op::Ret(_))
            && to.index() < body.blocks.len()
        {
            f(to);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Module;

    /// Makes a function of these edges; a block with two is a branch.
    fn body(edges: &[&[u32]]) -> Body {
        let mut m = Module::new();
        let void = m.types.void();
        let ty = m.types.function(void, &[]);
        let f = m.add_function("f", ty);
        let cond = m.i1(true);
        let mut b = m.define(f);
        (1..edges.len()).for_each(|_| {
            b.new_block();
        });
        for (from, to) in edges.iter().enumerate() {
            b.switch_to(Block::new(from));
            match to {
                [] => b.ret(None),
                [to] => b.br(Block::from_u32(*to)),
                [one, two, ..] => b.cond_br(cond, Block::from_u32(*one), Block::from_u32(*two)),
            };
        }
        m.funcs[f].body.take().expect("a body")
    }

    /// What dominates what, by trying: `a` dominates `b` if there is no way to `b` without `a`.
    fn slow(edges: &[&[u32]], a: usize, b: usize) -> bool {
        let mut seen = vec![false; edges.len()];
        let mut todo = vec![0usize];
        while let Some(n) = todo.pop() {
            if n == a || std::mem::replace(&mut seen[n], true) {
                continue;
            }
            todo.extend(edges[n].iter().map(|&t| t as usize));
        }
        !seen[b]
    }

    fn reachable(edges: &[&[u32]], b: usize) -> bool {
        let mut seen = vec![false; edges.len()];
        let mut todo = vec![0usize];
        while let Some(n) = todo.pop() {
            if !std::mem::replace(&mut seen[n], true) {
                todo.extend(edges[n].iter().map(|&t| t as usize));
            }
        }
        seen[b]
    }

    #[test]
    fn dominators_of_random_graphs() {
        let mut state = 12345u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..400 {
            let count = 1 + random(14);
            let graph: Vec<Vec<u32>> = (0..count).map(|_| (0..random(3)).map(|_| random(count) as u32).collect()).collect();
            let edges: Vec<&[u32]> = graph.iter().map(Vec::as_slice).collect();
            let cfg = Cfg::new(&body(&edges));
            for a in 0..count {
                for b in 0..count {
                    let want = match (reachable(&edges, a), reachable(&edges, b)) {
                        (_, false) => true,
                        (false, true) => false,
                        _ => slow(&edges, a, b),
                    };
                    assert_eq!(cfg.dominates(Block::new(a), Block::new(b)), want, "{a} {b} in {edges:?}");
                }
            }
        }
    }

    #[test]
    fn a_long_ladder_takes_linear_time() {
        let count = 200_000u32;
        let graph: Vec<Vec<u32>> = (0..count)
            .map(|n| {
                if n + 2 < count {
                    vec![n + 1, n + 2]
                } else if n + 1 < count {
                    vec![n + 1]
                } else {
                    vec![]
                }
            })
            .collect();
        let edges: Vec<&[u32]> = graph.iter().map(Vec::as_slice).collect();
        let cfg = Cfg::new(&body(&edges));
        assert!(cfg.is_reachable(Block::new(count as usize - 1)));
        assert!(cfg.dominates(Block::new(0), Block::new(count as usize - 1)));
        assert!(!cfg.dominates(Block::new(1), Block::new(count as usize - 1)));
    }
}
