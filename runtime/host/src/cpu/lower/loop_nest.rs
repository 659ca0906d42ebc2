//! Loop nesting forest of a CFG, and a reverse post-order in which the blocks of each loop are contiguous.

use super::cfg::successors;
use rtc_base::EntityRef;
use rtc_dxil_module::{Block, Body};

/// The loop nesting forest. Nodes are blocks, by index, then loops, then the root.
pub struct LoopNest {
    blocks: usize,
    /// The header of each loop.
    pub headers: Vec<usize>,
    /// The innermost loop around a node, or the root.
    parent: Vec<usize>,
    depth: Vec<u32>,
    reached: Vec<bool>,
}

/// No block.
const NONE: usize = usize::MAX;

impl LoopNest {
    /// Computes the forest by one depth-first search, in which each block learns its innermost loop header (Wei, Mao, Zou, Chen:
    /// A New Algorithm for Identifying Loops in Decompilation, 2007).
    pub fn new(body: &Body) -> LoopNest {
        let blocks = body.blocks.len();
        let (mut header_of, mut on_stack, mut reached) = (vec![NONE; blocks], vec![0u32; blocks], vec![false; blocks]);
        let mut is_header = vec![false; blocks];
        let mut way: Vec<(usize, Vec<Block>, usize)> = Vec::new();
        if blocks > 0 {
            way.push((0, successors(body, Block::new(0)), 0));
            (reached[0], on_stack[0]) = (true, 1);
        }
        while let Some((at, next, n)) = way.last_mut() {
            let at = *at;
            let Some(&to) = next.get(*n) else {
                on_stack[at] = 0;
                way.pop();
                if let Some((before, ..)) = way.last() {
                    let inner = header_of[at];
                    tag(&mut header_of, &on_stack, *before, inner);
                }
                continue;
            };
            *n += 1;
            let to = to.index();
            if !reached[to] {
                reached[to] = true;
                on_stack[to] = way.len() as u32 + 1;
                way.push((to, successors(body, Block::new(to)), 0));
            } else if on_stack[to] > 0 {
                is_header[to] = true;
                tag(&mut header_of, &on_stack, at, to);
            } else {
                // The innermost header of that block that is still on the DFS stack.
                let mut h = header_of[to];
                while h != NONE && on_stack[h] == 0 {
                    h = header_of[h];
                }
                tag(&mut header_of, &on_stack, at, h);
            }
        }
        let headers: Vec<usize> = (0..blocks).filter(|&b| is_header[b]).collect();
        let whole = blocks + headers.len();
        let node_of = |h: usize| headers.binary_search(&h).map_or(whole, |l| blocks + l);
        let outer = |b: usize| if header_of[b] == NONE { whole } else { node_of(header_of[b]) };
        let mut parent: Vec<usize> = (0..blocks).map(|b| if is_header[b] { node_of(b) } else { outer(b) }).collect();
        parent.extend(headers.iter().map(|&h| outer(h)));
        parent.push(whole);
        let mut nest = LoopNest { blocks, depth: vec![0; whole + 1], headers, parent, reached };
        for node in (0..whole).rev() {
            nest.measure(node);
        }
        nest
    }

    /// Computes the depths of a node and its ancestors.
    fn measure(&mut self, node: usize) {
        let mut open = Vec::new();
        let mut at = node;
        while self.depth[at] == 0 && self.parent[at] != at {
            open.push(at);
            at = self.parent[at];
        }
        let mut depth = self.depth[at];
        for node in open.into_iter().rev() {
            depth += 1;
            self.depth[node] = depth;
        }
    }

    /// The loops around a block, outermost first.
    pub fn around(&self, block: Block) -> Vec<usize> {
        let mut out = Vec::new();
        let mut at = self.parent[block.index()];
        while self.parent[at] != at {
            out.push(at - self.blocks);
            at = self.parent[at];
        }
        out.reverse();
        out
    }

    /// The ancestors of two nodes that are children of their lowest common ancestor.
    fn below_common_ancestor(&self, mut a: usize, mut b: usize) -> (usize, usize) {
        while self.parent[a] != self.parent[b] {
            let (da, db) = (self.depth[self.parent[a]], self.depth[self.parent[b]]);
            if da >= db {
                a = self.parent[a];
            }
            if db >= da {
                b = self.parent[b];
            }
        }
        (a, b)
    }

    /// The reachable blocks, in reverse post-order with the blocks of each loop contiguous.
    pub fn order(&self, body: &Body) -> Vec<Block> {
        let whole = self.parent.len() - 1;
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); whole];
        for (block, _) in body.blocks.iter().filter(|b| self.reached[b.0.index()]) {
            for to in successors(body, block) {
                let (a, b) = self.below_common_ancestor(block.index(), to.index());
                // The back edge to the header leaves no child and enters the first.
                let back = self.headers.get(self.parent[b].wrapping_sub(self.blocks)).is_some_and(|&h| h == b);
                if a != b && !back {
                    next[a].push(b);
                }
            }
        }
        // The first block of a loop stands for the loop.
        let first = |node: usize| -> usize {
            let mut at = if node == whole { 0 } else { self.headers[node - self.blocks] };
            while self.parent[at] != node && self.parent[at] != at {
                at = self.parent[at];
            }
            at
        };
        let mut done = vec![false; whole];
        let mut out = Vec::new();
        let mut open: Vec<Vec<usize>> = vec![self.sorted(first(whole), &next, &mut done)];
        while let Some(list) = open.last_mut() {
            let Some(node) = list.pop() else {
                open.pop();
                continue;
            };
            if node < self.blocks {
                out.push(Block::new(node));
            } else {
                open.push(self.sorted(first(node), &next, &mut done));
            }
        }
        out
    }

    /// Post-order of the children from one on.
    fn sorted(&self, start: usize, next: &[Vec<usize>], done: &mut [bool]) -> Vec<usize> {
        let mut out = Vec::new();
        if self.blocks == 0 || std::mem::replace(&mut done[start], true) {
            return out;
        }
        let mut way = vec![(start, next[start].len())];
        while let Some((node, n)) = way.last_mut() {
            if *n == 0 {
                out.push(*node);
                way.pop();
                continue;
            }
            *n -= 1;
            let to = next[*node][*n];
            if !std::mem::replace(&mut done[to], true) {
                way.push((to, next[to].len()));
            }
        }
        out
    }
}

/// Records `header` as a loop header of `block`; the headers of a block are in the order of the DFS stack.
fn tag(header_of: &mut [usize], on_stack: &[u32], block: usize, header: usize) {
    if block == header || header == NONE {
        return;
    }
    let (mut at, mut new) = (block, header);
    while header_of[at] != NONE {
        let known = header_of[at];
        if known == new {
            return;
        }
        if on_stack[known] < on_stack[new] {
            header_of[at] = new;
            (at, new) = (new, known);
        } else {
            at = known;
        }
    }
    header_of[at] = new;
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtc_dxil_module::{Func, Module, Value};

    /// A body with the given edges between blocks.
    fn graph(edges: &[&[usize]]) -> (Module, Func) {
        let mut m = Module::new();
        let (void, i32_ty) = (m.types.void(), m.types.i32());
        let ty = m.types.function(void, &[i32_ty]);
        let func = m.add_function("f", ty);
        m.define(func);
        let cond = m.i1(true);
        let body = m.funcs[func].body.get_or_insert_default();
        while body.blocks.len() < edges.len() {
            body.new_block();
        }
        for (n, to) in edges.iter().enumerate() {
            let Some(mut b) = m.edit(func, Block::new(n)) else { panic!() };
            match to {
                [] => b.ret(None),
                [a] => b.br(Block::new(*a)),
                [a, c] => b.cond_br(cond, Block::new(*a), Block::new(*c)),
                [a, rest @ ..] => {
                    let cases: Vec<(Value, Block)> = rest.iter().map(|&r| (b.module.i32(r as i32), Block::new(r))).collect();
                    b.switch(Value::Arg(0), Block::new(*a), &cases)
                }
            };
        }
        (m, func)
    }

    fn order(edges: &[&[usize]]) -> Vec<usize> {
        let (m, func) = graph(edges);
        let body = m.funcs[func].body.as_ref().unwrap();
        let nest = LoopNest::new(body);
        nest.order(body).into_iter().map(EntityRef::index).collect()
    }

    fn around(edges: &[&[usize]], block: usize) -> Vec<usize> {
        let (m, func) = graph(edges);
        let nest = LoopNest::new(m.funcs[func].body.as_ref().unwrap());
        nest.around(Block::new(block)).into_iter().map(|l| nest.headers[l]).collect()
    }

    #[test]
    fn arms_come_before_the_join() {
        assert_eq!(order(&[&[1, 2], &[3], &[3], &[]]), [0, 1, 2, 3]);
        // A case that falls through into the next one.
        assert_eq!(order(&[&[4, 1, 2], &[2], &[4], &[], &[3]]), [0, 1, 2, 4, 3]);
    }

    #[test]
    fn a_loop_with_an_early_exit_is_contiguous() {
        // 1 is the header, 2 and 3 its arms, 4 the latch; 3 exits to 5, which must not come between.
        let edges: &[&[usize]] = &[&[1], &[2, 3], &[4], &[5, 4], &[1], &[]];
        let order = order(edges);
        assert_eq!(order[..2], [0, 1]);
        assert_eq!(order[4..], [4, 5]);
        assert_eq!((around(edges, 4), around(edges, 5), around(edges, 1)), (vec![1], vec![], vec![1]));
    }

    #[test]
    fn loops_in_loops() {
        // 1 outer, 2 inner; 3 continues either; 4 breaks out of both; 5 is the outer loop's latch.
        let edges: &[&[usize]] = &[&[1], &[2, 6], &[3, 5], &[2, 4], &[6], &[1], &[]];
        assert_eq!(around(edges, 3), [1, 2]);
        assert_eq!((around(edges, 2), around(edges, 5), around(edges, 4)), (vec![1, 2], vec![1], vec![]));
        let at = order(edges);
        let place = |b: usize| at.iter().position(|&x| x == b).unwrap();
        assert!(place(2) < place(3) && place(3) < place(5) && place(5) < place(4) && place(4) < place(6), "{at:?}");
    }

    #[test]
    fn unreachable_and_irreducible_code_is_ordered() {
        assert_eq!(order(&[&[], &[1], &[1]]), [0]);
        let mut all = order(&[&[1, 2], &[2], &[1, 3], &[]]);
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3]);
    }

    #[test]
    fn every_order_is_topological_except_for_back_edges() {
        let mut seed = 12345u32;
        let mut random = |n: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as usize % n
        };
        for _ in 0..2000 {
            let lists = structured(&mut random);
            let edges: Vec<&[usize]> = lists.iter().map(Vec::as_slice).collect();
            let (m, func) = graph(&edges);
            let body = m.funcs[func].body.as_ref().unwrap();
            let nest = LoopNest::new(body);
            let order: Vec<usize> = nest.order(body).into_iter().map(EntityRef::index).collect();
            let mut place = vec![usize::MAX; edges.len()];
            order.iter().enumerate().for_each(|(n, &b)| place[b] = n);
            for &b in &order {
                for &to in edges[b] {
                    let back = nest.around(Block::new(b)).iter().any(|&l| nest.headers[l] == to);
                    assert!(back || place[b] < place[to], "{b} -> {to} in {edges:?}: {order:?}");
                }
            }
            for (l, &header) in nest.headers.iter().enumerate() {
                let inside: Vec<usize> = order.iter().copied().filter(|&b| nest.around(Block::new(b)).contains(&l)).collect();
                let first = place[inside[0]];
                assert!(inside.iter().enumerate().all(|(n, &b)| place[b] == first + n), "loop {header} of {edges:?}: {order:?}");
                assert_eq!(inside[0], header);
            }
        }
    }

    /// Random edges of structured code: branches, loops, breaks, continues, returns.
    fn structured(random: &mut impl FnMut(usize) -> usize) -> Vec<Vec<usize>> {
        let mut edges = vec![Vec::new()];
        let end = part(&mut edges, 0, 4, None, random);
        if let Some(end) = end {
            edges.push(Vec::new());
            let last = edges.len() - 1;
            edges[end].push(last);
        }
        edges
    }

    /// Code from `at` on; returns its end block, if it has one. `around`: header and exit of the loop.
    fn part(
        edges: &mut Vec<Vec<usize>>,
        mut at: usize,
        depth: usize,
        around: Option<(usize, usize)>,
        random: &mut impl FnMut(usize) -> usize,
    ) -> Option<usize> {
        for _ in 0..1 + random(3) {
            let fresh = |edges: &mut Vec<Vec<usize>>| {
                edges.push(Vec::new());
                edges.len() - 1
            };
            match random(if depth == 0 { 2 } else { 5 }) {
                0 => {}
                1 if around.is_some() && random(2) == 0 => {
                    let (header, end) = around.unwrap();
                    edges[at].push(if random(2) == 0 { header } else { end });
                    return None;
                }
                1 if random(4) == 0 => return None,
                1 => {}
                2 | 3 => {
                    let (then, other, end) = (fresh(edges), fresh(edges), fresh(edges));
                    edges[at].extend([then, other]);
                    for arm in [then, other] {
                        if let Some(last) = part(edges, arm, depth - 1, around, random) {
                            edges[last].push(end);
                        }
                    }
                    at = end;
                }
                _ => {
                    let (header, inside, end) = (fresh(edges), fresh(edges), fresh(edges));
                    edges[at].push(header);
                    edges[header].extend([inside, end]);
                    if let Some(last) = part(edges, inside, depth - 1, Some((header, end)), random) {
                        edges[last].push(header);
                    }
                    at = end;
                }
            }
        }
        Some(at)
    }
}
