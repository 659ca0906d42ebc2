//! The bounding volume hierarchy: an 8-wide BVH, collapsed from the binary BVH that `obvhs` builds.
//!
//! `obvhs` clusters primitive bounds (PLOC) and reinserts subtrees where that lowers the cost. Its own wide BVH has quantised
//! 8-bit boxes and cannot be refitted, so the binary tree is collapsed here into nodes of eight full-precision boxes, which are
//! tested together, refitted in one sweep and joined under a common root (clusters, partitions).
//!
//! Every node is stored after its parent, so a reverse sweep visits children first. A child is one number: the index of a node,
//! or a range of primitives in *leaf order* (`order` of [`build`]), the order in which owners of a tree store their primitives.

use super::math::{Bounds, V3, greater, three};
use obvhs::Boundable;
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::reinsertion::ReinsertionOptimizer;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};

/// Children per node.
pub(crate) const WIDTH: usize = 8;
/// Maximum number of primitives in a tree: their index has 28 bits.
pub(crate) const MAX_PRIMITIVES: usize = 1 << 28;
/// Maximum number of primitives in a leaf.
pub(crate) const MAX_LEAF: usize = 8;
const LEAF: u32 = 1 << 31;

/// A child of a node: an inner node or a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Child(pub u32);

impl Child {
    /// A leaf of `count` primitives from `start` on, in leaf order.
    pub fn leaf(start: usize, count: usize) -> Child {
        debug_assert!((1..=MAX_LEAF).contains(&count) && start + count <= MAX_PRIMITIVES);
        Child(LEAF | (count as u32 - 1) << 28 | start as u32)
    }
    /// First primitive and count, if it is a leaf.
    #[inline(always)]
    pub fn primitives(self) -> Option<(u32, u32)> {
        if self.0 & LEAF == 0 {
            return None;
        }
        let start = self.0 & (MAX_PRIMITIVES as u32 - 1);
        Some((start, start + (self.0 >> 28 & 7) + 1))
    }
}

/// Up to eight boxes with their children; the first `len` are used.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Node {
    /// Minimum x, y, z, then maximum x, y, z, of each child.
    pub planes: [[f32; WIDTH]; 6],
    /// The children.
    pub child: [Child; WIDTH],
    /// Number of used children.
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
    /// The bounds of all children.
    pub fn bounds(&self) -> Bounds {
        (0..self.len as usize).fold(Bounds::EMPTY, |b, i| b.union(&self.slot(i)))
    }
    /// The used children.
    pub fn children(&self) -> &[Child] {
        &self.child[..(self.len as usize).min(WIDTH)]
    }
}

/// A tree; node 0 is the root. A tree without nodes is empty.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Bvh {
    /// Its nodes, each after its parent.
    pub nodes: Vec<Node>,
    /// The bounds of the whole tree.
    pub bounds: Bounds,
}

impl Default for Bvh {
    fn default() -> Self {
        Bvh { nodes: Vec::new(), bounds: Bounds::EMPTY }
    }
}

/// Build effort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    /// Fast build.
    Fast,
    /// Fast trace.
    Good,
}

/// Size of a node in bytes.
pub const NODE_BYTES: u64 = size_of::<Node>() as u64;

/// Maximum number of nodes that [`build`] creates for a number of primitives. A node with an inner child has eight children, and
/// one without has more primitives than fit a leaf, unless it is the only one.
pub(crate) fn max_nodes(primitives: u64, leaf: usize) -> u64 {
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

/// Builds a tree over boxes, with at most `leaf` of them per leaf. Returns it with its leaf order: primitive `i` in leaf order is
/// box `order[i]`.
pub(crate) fn build(boxes: &[Bounds], leaf: usize, effort: Effort) -> (Bvh, Vec<u32>) {
    if boxes.is_empty() {
        return (Bvh::default(), Vec::new());
    }
    let bounded = distinct(boxes);
    let binary = binary(&bounded, effort);
    drop(bounded);
    let mut fold = Fold::new(&binary, leaf.clamp(1, MAX_LEAF));
    fold.run();
    let mut bvh = Bvh { nodes: fold.nodes, bounds: Bounds::EMPTY };
    let order = fold.order;
    bvh.refit(|i| boxes[order[i] as usize]);
    (bvh, order)
}

/// The boxes as the clustering sees them: scaled to the unit cube, a little larger, and each moved by a little of its own.
///
/// In each iteration, two clusters are joined if each is the neighbour of the other whose union has the smallest area. Where areas are
/// equal (coincident boxes, boxes in a regular row, points on a line) an iteration joins few of them, and the build is quadratic.
/// The moves make areas differ. The tree is refitted to the true boxes afterwards.
fn distinct(boxes: &[Bounds]) -> Vec<Boxed> {
    /// The least move: what coordinates near 1 resolve well.
    const LEAST: f32 = 1.0 / (1 << 20) as f32;
    let all = boxes.iter().fold(Bounds::EMPTY, |all, b| all.union(&b.finite()));
    // Halves, since the sum of two large numbers may overflow.
    let half = |b: &Bounds, a: usize| b.hi[a] * 0.5 - b.lo[a] * 0.5;
    let extent = half(&all, 0).max(half(&all, 1)).max(half(&all, 2));
    let scale = if extent.recip().is_finite() { extent.recip() } else { 1.0 };
    let centre: V3 = std::array::from_fn(|a| all.lo[a] * 0.5 + all.hi[a] * 0.5);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let moved = |b: &Bounds| {
        let b = b.finite();
        let step = LEAST.max(half(&b, 0).max(half(&b, 1)).max(half(&b, 2)) * scale / 256.0);
        let (mut lo, mut hi) = ([0.0; 3], [0.0; 3]);
        for a in 0..3 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let by = step * ((state >> 40) as f32 / (1 << 24) as f32);
            lo[a] = (b.lo[a] - centre[a]) * scale + by - step;
            hi[a] = (b.hi[a] - centre[a]) * scale + by + step;
        }
        Boxed(Aabb::new(lo.into(), hi.into()))
    };
    boxes.iter().map(moved).collect()
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

/// Collapses a binary tree into a wide one.
struct Fold<'a> {
    binary: &'a Bvh2,
    /// Number of primitives in the subtree of each binary node.
    counts: Vec<u32>,
    leaf: u32,
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl<'a> Fold<'a> {
    fn new(binary: &'a Bvh2, leaf: usize) -> Self {
        let mut counts = vec![0u32; binary.nodes.len()];
        // Post-order: each node is visited again once both children are counted.
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

    /// Up to eight subtrees that cover `n`: the largest is expanded until there are eight.
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
    /// Refits the boxes; `primitive` returns the bounds of a primitive in leaf order.
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

    /// Joins several trees under one root. Their primitives follow each other in leaf order: those of part `i` begin at `starts[i]`.
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
        for (&(b, start), &root) in parts.iter().copied().zip(&roots) {
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

    /// Validates a deserialised tree: every child must be stored after its parent and have one parent; leaves must refer to
    /// primitives below `primitives`.
    ///
    /// # Errors
    /// The violated rule.
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

    /// Maximum distance along any axis from a point to the far side of the tree.
    #[inline(always)]
    pub fn reach(&self, from: V3) -> f32 {
        let [x, y, z] = three(|a| greater((from[a] - self.bounds.lo[a]).abs(), (self.bounds.hi[a] - from[a]).abs()));
        greater(x, greater(y, greater(z, 0.0)))
    }
}
