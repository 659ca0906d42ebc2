//! The bounding volume hierarchy: nodes of eight full-precision boxes, which are tested together, refitted in one sweep and joined
//! under a common root (clusters, partitions). [`super::build`] makes it.
//!
//! Every node is stored after its parent, so a reverse sweep visits children first. A child is one number: the index of a node,
//! or a range of primitives in *leaf order* (the second result of [`super::build::build`]), the order in which owners of a tree store their primitives.

use super::math::{Bounds, V3, greater, three};

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
    pub const EMPTY: Node = Node {
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
    /// Adds a child.
    pub fn push(&mut self, child: Child, bounds: &Bounds) {
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
