//! The control-flow graph of a function: predecessors, successors and the dominator tree.
//!
//! Dominators are computed by the algorithm of Lengauer and Tarjan with path compression, without recursion, so that the
//! time is close to linear in the edges for hostile graphs too. [`Cfg::dominates`] takes constant time: each block has an
//! interval of preorder numbers of the dominator tree, and dominates the blocks whose numbers are in its interval.

use crate::{Block, Body, Op, Value};
use rtc_base::entity::EntityRef;

const NONE: u32 = u32::MAX;

/// The graph of one function.
#[derive(Debug, Clone)]
pub struct Cfg {
    succs: Lists,
    preds: Lists,
    /// Reachable blocks by their depth-first number.
    order: Vec<u32>,
    /// The depth-first number of each block, [`NONE`] if it cannot be reached.
    number: Vec<u32>,
    /// Immediate dominators: numbers by number.
    idom: Vec<u32>,
    /// The interval of each number in the dominator tree: begin and length.
    interval: Vec<(u32, u32)>,
}

/// Lists of blocks, one after the other.
#[derive(Debug, Clone)]
struct Lists {
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn of(&self, at: u32) -> &[u32] {
        &self.items[self.start[at as usize] as usize..self.start[at as usize + 1] as usize]
    }
}

impl Cfg {
    /// The graph of a body. Blocks without a terminator have no successors.
    pub fn new(body: &Body) -> Cfg {
        let count = body.blocks.len();
        let mut start = Vec::with_capacity(count + 1);
        let mut items = Vec::new();
        for block in body.blocks.keys() {
            start.push(items.len() as u32);
            successors(body, block, |to| items.push(to.as_u32()));
        }
        start.push(items.len() as u32);
        let succs = Lists { start, items };
        let preds = reverse(&succs, count);
        let mut cfg = Cfg { succs, preds, order: Vec::new(), number: vec![NONE; count], idom: vec![], interval: vec![] };
        let parent = cfg.depth_first();
        cfg.dominators(&parent);
        cfg.intervals();
        cfg
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
        self.number[block.index()] != NONE
    }

    /// Whether every path from the entry block to `b` contains `a`. Every block dominates unreachable blocks, and an
    /// unreachable block dominates no reachable one.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let (a, b) = (self.number[a.index()], self.number[b.index()]);
        if b == NONE {
            return true;
        }
        if a == NONE {
            return false;
        }
        let (from, len) = self.interval[a as usize];
        (from..from + len).contains(&self.interval[b as usize].0)
    }

    /// The reachable blocks, each after its immediate dominator, with that dominator. The entry block has none.
    pub fn tree(&self) -> impl Iterator<Item = (Block, Option<Block>)> + '_ {
        self.order.iter().enumerate().map(|(n, &block)| {
            let parent = self.idom.get(n).filter(|_| n > 0).map(|&p| Block::from_u32(self.order[p as usize]));
            (Block::from_u32(block), parent)
        })
    }

    /// Numbers the reachable blocks in depth-first order; returns the parent of each number in the spanning tree.
    fn depth_first(&mut self) -> Vec<u32> {
        let mut parent = Vec::new();
        if self.number.is_empty() {
            return parent;
        }
        let mut stack = vec![(0u32, 0u32)];
        while let Some((block, from)) = stack.pop() {
            if self.number[block as usize] != NONE {
                continue;
            }
            let n = self.order.len() as u32;
            self.number[block as usize] = n;
            self.order.push(block);
            parent.push(from);
            stack.extend(self.succs.of(block).iter().rev().map(|&to| (to, n)));
        }
        parent
    }

    fn dominators(&mut self, parent: &[u32]) {
        let count = self.order.len();
        let mut forest =
            Forest { ancestor: vec![NONE; count], label: (0..count as u32).collect(), semi: (0..count as u32).collect(), path: Vec::new() };
        self.idom = vec![0; count];
        // Numbers with the same semidominator, as linked lists.
        let (mut first, mut next) = (vec![NONE; count], vec![NONE; count]);
        for w in (1..count as u32).rev() {
            for &pred in self.preds.of(self.order[w as usize]) {
                let v = self.number[pred as usize];
                if v != NONE {
                    let u = forest.eval(v);
                    let semi = forest.semi[u as usize].min(forest.semi[w as usize]);
                    forest.semi[w as usize] = semi;
                }
            }
            let semi = forest.semi[w as usize] as usize;
            next[w as usize] = first[semi];
            first[semi] = w;
            let up = parent[w as usize];
            forest.ancestor[w as usize] = up;
            let mut v = std::mem::replace(&mut first[up as usize], NONE);
            while v != NONE {
                let u = forest.eval(v);
                let earlier = forest.semi[u as usize] < forest.semi[v as usize];
                self.idom[v as usize] = if earlier { u } else { up };
                v = next[v as usize];
            }
        }
        for w in 1..count {
            if self.idom[w] != forest.semi[w] {
                self.idom[w] = self.idom[self.idom[w] as usize];
            }
        }
    }

    fn intervals(&mut self) {
        // A number is larger than that of its dominator.
        let mut size = vec![1u32; self.order.len()];
        for n in (1..size.len()).rev() {
            size[self.idom[n] as usize] += size[n];
        }
        let mut free = vec![0u32; size.len()];
        self.interval = vec![(0, 0); size.len()];
        for n in 0..size.len() {
            let from = if n == 0 { 0 } else { free[self.idom[n] as usize] };
            if n > 0 {
                free[self.idom[n] as usize] += size[n];
            }
            self.interval[n] = (from, size[n]);
            free[n] = from + 1;
        }
    }
}

/// The spanning forest that the algorithm of Lengauer and Tarjan grows.
struct Forest {
    ancestor: Vec<u32>,
    /// The number with the least semidominator on the compressed path to the root.
    label: Vec<u32>,
    semi: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn eval(&mut self, v: u32) -> u32 {
        if self.ancestor[v as usize] == NONE {
            return v;
        }
        let mut at = v;
        while self.ancestor[self.ancestor[at as usize] as usize] != NONE {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        while let Some(v) = self.path.pop() {
            let up = self.ancestor[v as usize] as usize;
            if self.semi[self.label[up] as usize] < self.semi[self.label[v as usize] as usize] {
                self.label[v as usize] = self.label[up];
            }
            self.ancestor[v as usize] = self.ancestor[up];
        }
        self.label[v as usize]
    }
}

fn reverse(succs: &Lists, count: usize) -> Lists {
    let mut start = vec![0u32; count + 1];
    for &to in &succs.items {
        start[to as usize + 1] += 1;
    }
    for at in 0..count {
        start[at + 1] += start[at];
    }
    let mut free = start.clone();
    let mut items = vec![0; succs.items.len()];
    for from in 0..count as u32 {
        for &to in succs.of(from) {
            items[free[to as usize] as usize] = from;
            free[to as usize] += 1;
        }
    }
    Lists { start, items }
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
