//! The tree that rays walk: eight boxes a node, made from the binary tree that `obvhs` builds.
//!
//! `obvhs` clusters the boxes of the primitives (PLOC) and moves subtrees where that pays. Its own wide tree has boxes
//! of eight bits and cannot be refitted, so the binary tree is folded here into nodes of eight boxes in full
//! precision, which are tested together, refitted in one sweep and joined under a common root (clusters, partitions).
//!
//! A node lies behind its parent, so a sweep from the end sees children first. What a slot of a node holds is one
//! number: the number of a node, or a run of primitives in *leaf order* (`order` of [`build`]), which is how
//! owners of a tree store their primitives.

use super::math::{Bounds, V3, greater, three};
use obvhs::Boundable;
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::reinsertion::ReinsertionOptimizer;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};

/// Boxes of a node.
pub(crate) const WIDTH: usize = 8;
/// Most primitives that a tree can hold: 28 bits number them.
pub(crate) const MAX_PRIMITIVES: usize = 1 << 28;
/// Most primitives of a leaf.
pub(crate) const MAX_LEAF: usize = 8;
const LEAF: u32 = 1 << 31;

/// What a slot of a node holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Child(pub u32);

impl Child {
    /// A run of `count` primitives from `start` on, in leaf order.
    pub fn leaf(start: usize, count: usize) -> Child {
        debug_assert!((1..=MAX_LEAF).contains(&count) && start + count <= MAX_PRIMITIVES);
        Child(LEAF | (count as u32 - 1) << 28 | start as u32)
    }
    /// The primitives, if it is a leaf.
    #[inline(always)]
    pub fn primitives(self) -> Option<(u32, u32)> {
        if self.0 & LEAF == 0 {
            return None;
        }
        let start = self.0 & (MAX_PRIMITIVES as u32 - 1);
        Some((start, start + (self.0 >> 28 & 7) + 1))
    }
}

/// Up to eight boxes and what is in them; the first `len` slots are used.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Node {
    /// Low x, y, z, then high x, y, z, of each slot.
    pub planes: [[f32; WIDTH]; 6],
    /// What the slots hold.
    pub child: [Child; WIDTH],
    /// Used slots.
    pub len: u32,
}

impl Node {
    const EMPTY: Node = Node {
        planes: [
            [f32::INFINITY; WIDTH],
            [f32::INFINITY; WIDTH],
            [f32::INFINITY; WIDTH],
            [f32::NEG_INFINITY; WIDTH],
            [f32::NEG_INFINITY; WIDTH],
            [f32::NEG_INFINITY; WIDTH],
        ],
        child: [Child(0); WIDTH],
        len: 0,
    };

    fn slot(&self, i: usize) -> Bounds {
        Bounds { lo: std::array::from_fn(|a| self.planes[a][i]), hi: std::array::from_fn(|a| self.planes[a + 3][i]) }
    }
    fn set(&mut self, i: usize, bounds: &Bounds) {
        for a in 0..3 {
            self.planes[a][i] = bounds.lo[a];
            self.planes[a + 3][i] = bounds.hi[a];
        }
    }
    fn push(&mut self, child: Child, bounds: &Bounds) {
        let i = self.len as usize;
        self.child[i] = child;
        self.set(i, bounds);
        self.len += 1;
    }
    /// The box around all of it.
    pub fn bounds(&self) -> Bounds {
        (0..self.len as usize).fold(Bounds::EMPTY, |b, i| b.union(&self.slot(i)))
    }
    /// The used slots.
    pub fn children(&self) -> &[Child] {
        &self.child[..(self.len as usize).min(WIDTH)]
    }
}

/// A tree; node 0 is the root. Without nodes it is empty.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Bvh {
    /// Its nodes, each behind its parent.
    pub nodes: Vec<Node>,
    /// The box around everything.
    pub bounds: Bounds,
}

impl Default for Bvh {
    fn default() -> Self {
        Bvh { nodes: Vec::new(), bounds: Bounds::EMPTY }
    }
}

/// How much work to spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    /// Build fast.
    Fast,
    /// Trace fast.
    Good,
}

/// Bytes of a node.
pub const NODE_BYTES: u64 = size_of::<Node>() as u64;

/// The most nodes that [`build`] makes of so many primitives. A node that has a node below it has eight children, and one that has
/// none has more primitives than fit a leaf, unless it is the only one.
pub(crate) fn most_nodes(primitives: u64, leaf: usize) -> u64 {
    match primitives {
        0 => 0,
        n => (8 * n).div_ceil(7 * (leaf as u64 + 1)) + 1,
    }
}

struct Boxed(Aabb);

impl Boundable for Boxed {
    fn aabb(&self) -> Aabb {
        self.0
    }
}

/// A tree over boxes, with at most `leaf` of them in a leaf. Returns it with the order of its leaves: primitive `i` in
/// leaf order is box `order[i]`.
pub(crate) fn build(boxes: &[Bounds], leaf: usize, effort: Effort) -> (Bvh, Vec<u32>) {
    if boxes.is_empty() {
        return (Bvh::default(), Vec::new());
    }
    let bounded: Vec<Boxed> = boxes
        .iter()
        .map(|b| {
            let b = b.finite();
            Boxed(Aabb::new(b.lo.into(), b.hi.into()))
        })
        .collect();
    let binary = binary(&bounded, effort);
    drop(bounded);
    let mut fold = Fold::new(&binary, leaf.clamp(1, MAX_LEAF));
    fold.run();
    let mut bvh = Bvh { nodes: fold.nodes, bounds: Bounds::EMPTY };
    let order = fold.order;
    bvh.refit(|i| boxes[order[i] as usize]);
    (bvh, order)
}

fn binary(boxes: &[Boxed], effort: Effort) -> Bvh2 {
    let (search, depth, reinsert) = match effort {
        Effort::Fast => (PlocSearchDistance::Minimum, 0, 0.0),
        Effort::Good => (PlocSearchDistance::Low, 2, 0.02),
    };
    let indices = (0..boxes.len() as u32).collect();
    let mut tree = PlocBuilder::with_capacity(boxes.len()).build(search, boxes, indices, SortPrecision::U64, depth);
    if reinsert > 0.0 {
        ReinsertionOptimizer::default().run(&mut tree, reinsert, None);
    }
    tree
}

/// Folds a binary tree into a wide one.
struct Fold<'a> {
    binary: &'a Bvh2,
    /// Primitives below each binary node.
    counts: Vec<u32>,
    leaf: u32,
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl<'a> Fold<'a> {
    fn new(binary: &'a Bvh2, leaf: usize) -> Self {
        let mut counts = vec![0u32; binary.nodes.len()];
        // Children first: every node is visited again once both are counted.
        let mut stack = vec![(0u32, false)];
        while let Some((n, counted)) = stack.pop() {
            let node = &binary.nodes[n as usize];
            if node.is_leaf() {
                counts[n as usize] = node.prim_count;
            } else if counted {
                let c = node.first_index as usize;
                counts[n as usize] = counts[c] + counts[c + 1];
            } else {
                stack.push((n, true));
                stack.push((node.first_index, false));
                stack.push((node.first_index + 1, false));
            }
        }
        let total = counts[0] as usize;
        Fold { binary, counts, leaf: leaf as u32, nodes: Vec::with_capacity(total / 6 + 1), order: Vec::with_capacity(total) }
    }

    fn run(&mut self) {
        self.nodes.push(Node::EMPTY);
        let mut work = vec![(0usize, 0u32)];
        while let Some((to, from)) = work.pop() {
            let (slots, len) = self.open(from);
            for &n in &slots[..len] {
                let child = if self.is_leaf(n) {
                    let start = self.order.len();
                    self.gather(n);
                    Child::leaf(start, self.order.len() - start)
                } else {
                    self.nodes.push(Node::EMPTY);
                    let at = self.nodes.len() - 1;
                    work.push((at, n));
                    Child(at as u32)
                };
                self.nodes[to].push(child, &Bounds::EMPTY);
            }
        }
    }

    fn is_leaf(&self, n: u32) -> bool {
        self.counts[n as usize] <= self.leaf || self.binary.nodes[n as usize].is_leaf()
    }

    /// Up to eight subtrees that make up `n`: the largest is opened until there are eight.
    fn open(&self, n: u32) -> ([u32; WIDTH], usize) {
        let mut slots = [n; WIDTH];
        let mut len = 1;
        while len < WIDTH {
            let area = |&n: &u32| self.binary.nodes[n as usize].aabb().half_area();
            let open = (0..len).filter(|&i| len == 1 || !self.is_leaf(slots[i]));
            let Some(i) = open.max_by(|&a, &b| area(&slots[a]).total_cmp(&area(&slots[b]))) else {
                break;
            };
            let node = &self.binary.nodes[slots[i] as usize];
            if node.is_leaf() || self.is_leaf(slots[i]) {
                break; // the whole tree is one leaf
            }
            slots[i] = node.first_index;
            slots[len] = node.first_index + 1;
            len += 1;
        }
        (slots, len)
    }

    fn gather(&mut self, n: u32) {
        let mut stack = vec![n];
        while let Some(n) = stack.pop() {
            let node = &self.binary.nodes[n as usize];
            let first = node.first_index;
            if node.is_leaf() {
                let run = first as usize..(first + node.prim_count) as usize;
                self.order.extend_from_slice(&self.binary.primitive_indices[run]);
            } else {
                stack.push(first + 1);
                stack.push(first);
            }
        }
    }
}

impl Bvh {
    /// Makes the boxes fit again; `primitive` is the box of a primitive in leaf order.
    pub fn refit(&mut self, primitive: impl Fn(usize) -> Bounds) {
        for n in (0..self.nodes.len()).rev() {
            let mut node = self.nodes[n];
            for i in 0..node.len as usize {
                let bounds = match node.child[i].primitives() {
                    Some((from, to)) => (from..to).fold(Bounds::EMPTY, |b, p| b.union(&primitive(p as usize))),
                    None => self.nodes[node.child[i].0 as usize].bounds(),
                };
                node.set(i, &bounds);
            }
            self.nodes[n] = node;
        }
        self.bounds = self.nodes.first().map_or(Bounds::EMPTY, Node::bounds);
    }

    /// One tree over several, whose primitives follow each other in leaf order: part `i`'s begin at `starts[i]`.
    pub fn join(parts: &[(&Bvh, usize)]) -> Bvh {
        let parts: Vec<_> = parts.iter().filter(|(b, _)| !b.nodes.is_empty()).collect();
        let boxes: Vec<Bounds> = parts.iter().map(|(b, _)| b.bounds).collect();
        let (mut out, order) = build(&boxes, 1, Effort::Good);
        // Leaves of the upper tree become links to the roots of the parts, which follow it.
        let upper = out.nodes.len();
        let mut roots = Vec::with_capacity(parts.len());
        let mut at = upper;
        for (b, _) in &parts {
            roots.push(at as u32);
            at += b.nodes.len();
        }
        for node in &mut out.nodes {
            for i in 0..node.len as usize {
                if let Some((p, _)) = node.child[i].primitives() {
                    node.child[i] = Child(roots[order[p as usize] as usize]);
                }
            }
        }
        out.nodes.reserve_exact(at - upper);
        for (&(b, start), &root) in parts.iter().map(|p| *p).zip(&roots) {
            out.nodes.extend(b.nodes.iter().map(|node| {
                let mut node = *node;
                for c in &mut node.child[..node.len as usize] {
                    c.0 += match c.primitives() {
                        Some(_) => start as u32,
                        None => root,
                    };
                }
                node
            }));
        }
        out
    }

    /// What is wrong with a tree that was read, if anything: every child must lie behind its parent, and have one
    /// parent; leaves must name primitives below `primitives`.
    pub fn check(&self, primitives: usize) -> Result<(), &'static str> {
        let mut seen = vec![false; self.nodes.len()];
        for (n, node) in self.nodes.iter().enumerate() {
            if node.len as usize > WIDTH {
                return Err("a node has too many children");
            }
            for c in node.children() {
                match c.primitives() {
                    Some((_, to)) if to as usize > primitives => return Err("a leaf is out of range"),
                    Some(_) => {}
                    None => {
                        let at = c.0 as usize;
                        if at <= n || at >= self.nodes.len() || std::mem::replace(&mut seen[at], true) {
                            return Err("a child is out of order");
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The largest distance along an axis from a point to the far side of the tree.
    #[inline(always)]
    pub fn reach(&self, from: V3) -> f32 {
        let [x, y, z] = three(|a| greater((from[a] - self.bounds.lo[a]).abs(), (self.bounds.hi[a] - from[a]).abs()));
        greater(x, greater(y, greater(z, 0.0)))
    }
}
