//! The dominator tree of a graph.
//!
//! The algorithm of Lengauer and Tarjan with path compression, without recursion, so that the time is close to linear in the edges for hostile graphs
//! too. [`Dominators::dominates`] takes constant time: each node has an interval of preorder numbers of the tree, and dominates the nodes whose
//! numbers are in its interval. Postdominators are the dominators of the reversed graph.

const NONE: u32 = u32::MAX;

/// The successors of each node, one list after the other.
#[derive(Debug, Clone, Default)]
pub struct Edges {
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Edges {
    /// Those of `count` nodes: `of` gives the successors of one, once for each edge.
    pub fn new(count: usize, mut of: impl FnMut(u32, &mut Vec<u32>)) -> Edges {
        let mut start = Vec::with_capacity(count + 1);
        let mut items = Vec::new();
        for node in 0..count as u32 {
            start.push(items.len() as u32);
            of(node, &mut items);
        }
        start.push(items.len() as u32);
        Edges { start, items }
    }

    /// How many nodes there are.
    pub fn count(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// The successors of a node.
    pub fn of(&self, node: u32) -> &[u32] {
        &self.items[self.start[node as usize] as usize..self.start[node as usize + 1] as usize]
    }

    /// All edges in the other direction.
    pub fn reversed(&self) -> Edges {
        let count = self.count();
        let mut start = vec![0u32; count + 1];
        for &to in &self.items {
            start[to as usize + 1] += 1;
        }
        for at in 0..count {
            start[at + 1] += start[at];
        }
        let mut free = start.clone();
        let mut items = vec![0; self.items.len()];
        for from in 0..count as u32 {
            for &to in self.of(from) {
                items[free[to as usize] as usize] = from;
                free[to as usize] += 1;
            }
        }
        Edges { start, items }
    }
}

/// The tree.
#[derive(Debug, Clone)]
pub struct Dominators {
    /// Reachable nodes by their depth-first number.
    order: Vec<u32>,
    /// The depth-first number of each node, [`NONE`] if it cannot be reached.
    number: Vec<u32>,
    /// Immediate dominators: numbers by number.
    idom: Vec<u32>,
    /// The interval of each number in the tree: begin and length.
    interval: Vec<(u32, u32)>,
}

impl Dominators {
    /// That of the nodes that are reachable from `root`. `preds` is `succs` reversed.
    pub fn new(succs: &Edges, preds: &Edges, root: u32) -> Dominators {
        let mut d = Dominators { order: Vec::new(), number: vec![NONE; succs.count()], idom: Vec::new(), interval: Vec::new() };
        let parent = d.depth_first(succs, root);
        d.immediate(preds, &parent);
        d.intervals();
        d
    }

    /// Whether `node` is reachable from the root.
    pub fn is_reachable(&self, node: u32) -> bool {
        self.number[node as usize] != NONE
    }

    /// Whether every path from the root to `b` contains `a`. Every node dominates unreachable ones, and an unreachable node dominates no reachable one.
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.number[a as usize], self.number[b as usize]);
        if b == NONE {
            return true;
        }
        if a == NONE {
            return false;
        }
        let (from, len) = self.interval[a as usize];
        (from..from + len).contains(&self.interval[b as usize].0)
    }

    /// The immediate dominator of a node; the root and unreachable nodes have none.
    pub fn immediate_of(&self, node: u32) -> Option<u32> {
        let n = self.number[node as usize];
        (n != NONE && n > 0).then(|| self.order[self.idom[n as usize] as usize])
    }

    /// The reachable nodes, each after its immediate dominator, with that dominator.
    pub fn tree(&self) -> impl Iterator<Item = (u32, Option<u32>)> + '_ {
        self.order.iter().map(|&node| (node, self.immediate_of(node)))
    }

    /// Numbers the reachable nodes in depth-first order; returns the parent of each number in the spanning tree.
    fn depth_first(&mut self, succs: &Edges, root: u32) -> Vec<u32> {
        let mut parent = Vec::new();
        if self.number.is_empty() {
            return parent;
        }
        let mut stack = vec![(root, 0u32)];
        while let Some((node, from)) = stack.pop() {
            if self.number[node as usize] != NONE {
                continue;
            }
            let n = self.order.len() as u32;
            self.number[node as usize] = n;
            self.order.push(node);
            parent.push(from);
            stack.extend(succs.of(node).iter().rev().map(|&to| (to, n)));
        }
        parent
    }

    fn immediate(&mut self, preds: &Edges, parent: &[u32]) {
        let count = self.order.len();
        let mut forest =
            Forest { ancestor: vec![NONE; count], label: (0..count as u32).collect(), semi: (0..count as u32).collect(), path: Vec::new() };
        self.idom = vec![0; count];
        // Numbers with the same semidominator, as linked lists.
        let (mut first, mut next) = (vec![NONE; count], vec![NONE; count]);
        for w in (1..count as u32).rev() {
            for &pred in preds.of(self.order[w as usize]) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes that a path from the root reaches without `without`.
    fn reached(edges: &Edges, root: u32, without: u32) -> Vec<bool> {
        let mut seen = vec![false; edges.count()];
        let mut stack = vec![root];
        while let Some(n) = stack.pop() {
            if n != without && !std::mem::replace(&mut seen[n as usize], true) {
                stack.extend(edges.of(n));
            }
        }
        seen
    }

    #[test]
    fn a_node_dominates_what_no_path_reaches_without_it() {
        let mut state = 1u64;
        let mut below = |n: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % n
        };
        for _ in 0..500 {
            let count = 1 + below(12);
            let edges = Edges::new(count as usize, |_, out| out.extend((0..below(4)).map(|_| below(count))));
            let root = below(count);
            let d = Dominators::new(&edges, &edges.reversed(), root);
            let reachable = reached(&edges, root, NONE);
            for a in 0..count {
                let without = reached(&edges, root, a);
                for b in (0..count).filter(|&b| reachable[b as usize]) {
                    assert_eq!(d.dominates(a, b), reachable[a as usize] && !without[b as usize], "{edges:?} {root} {a} {b}");
                }
                assert_eq!(d.is_reachable(a), reachable[a as usize]);
                if let Some(i) = d.immediate_of(a) {
                    // All that dominate it, but itself, dominate its immediate dominator.
                    assert!((0..count).filter(|&x| x != a && reachable[x as usize] && d.dominates(x, a)).all(|x| d.dominates(x, i)));
                }
            }
        }
    }
}
