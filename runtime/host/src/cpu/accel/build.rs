//! Builds trees: from the top down, by the surface area heuristic over bins of centres.
//!
//! A range of primitives is split where the areas of the two boxes, each times the blocks of triangles that are tested together, cost
//! least. Of the parts that a node has so far, the one of the largest area is split next, until there are eight or all fit a leaf. Each
//! split narrows the centres to at most one bin less, so the depth has a bound even where coordinates grow by powers; centres that
//! no bin separates are split in the middle.

use super::bvh::{Bvh, Child, MAX_LEAF, Node, WIDTH};
use super::math::{Bounds, V3, greater, three};

/// Build effort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    /// Fast build: bins along the longest axis alone.
    Fast,
    /// Fast trace.
    Good,
}

/// Bins along an axis.
const BINS: usize = 16;
/// Primitives that one test of the traversal covers.
const BLOCK: u32 = 4;

/// Builds a tree over boxes, with at most `leaf` of them per leaf. Returns it with its leaf order: primitive `i` in leaf order is
/// box `order[i]`.
pub(crate) fn build(boxes: &[Bounds], leaf: usize, effort: Effort) -> (Bvh, Vec<u32>) {
    if boxes.is_empty() {
        return (Bvh::default(), Vec::new());
    }
    let leaf = leaf.clamp(1, MAX_LEAF);
    let mut items: Vec<Item> = boxes.iter().zip(0..).map(|(b, index)| Item::new(b, index)).collect();
    let mut nodes = vec![Node::EMPTY];
    let mut work = vec![(0, Part::new(&items, 0, items.len()))];
    while let Some((to, from)) = work.pop() {
        let (parts, len) = open(&mut items, from, leaf, effort);
        for part in &parts[..len] {
            let child = if part.len() <= leaf {
                Child::leaf(part.from, part.len())
            } else {
                nodes.push(Node::EMPTY);
                work.push((nodes.len() - 1, *part));
                Child(nodes.len() as u32 - 1)
            };
            nodes[to].push(child, &Bounds::EMPTY);
        }
    }
    let order: Vec<u32> = items.iter().map(|i| i.index).collect();
    let mut bvh = Bvh { nodes, bounds: Bounds::EMPTY };
    bvh.refit(|i| boxes[order[i] as usize]);
    (bvh, order)
}

impl Bvh {
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
}

/// A primitive that is being sorted into the tree.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Item {
    lo: V3,
    index: u32,
    hi: V3,
}

impl Item {
    /// Coordinates are finite, so that areas and bins are numbers.
    fn new(bounds: &Bounds, index: u32) -> Item {
        let Bounds { lo, hi } = bounds.finite();
        Item { lo, index, hi }
    }
    /// Twice the centre.
    #[inline(always)]
    fn centre(&self) -> V3 {
        three(|a| self.lo[a] + self.hi[a])
    }
}

/// A range of primitives.
#[derive(Clone, Copy)]
struct Part {
    from: usize,
    to: usize,
    area: f32,
    /// Bounds of twice the centres.
    centres: Bounds,
}

impl Part {
    fn new(items: &[Item], from: usize, to: usize) -> Part {
        let (mut bounds, mut centres) = (Bounds::EMPTY, Bounds::EMPTY);
        for i in &items[from..to] {
            bounds = bounds.union(&Bounds { lo: i.lo, hi: i.hi });
            let c = i.centre();
            centres = centres.union(&Bounds { lo: c, hi: c });
        }
        Part { from, to, area: area(&bounds), centres }
    }
    fn len(&self) -> usize {
        self.to - self.from
    }
}

/// Half the surface area; 0 of the empty box.
fn area(b: &Bounds) -> f32 {
    let d = three(|a| greater(b.hi[a] - b.lo[a], 0.0));
    d[0] * d[1] + d[1] * d[2] + d[2] * d[0]
}

/// Up to eight parts that cover one: the largest that does not fit a leaf is split until there are eight.
fn open(items: &mut [Item], part: Part, leaf: usize, effort: Effort) -> ([Part; WIDTH], usize) {
    let mut parts = [part; WIDTH];
    let mut len = 1;
    while len < WIDTH {
        let large = (0..len).filter(|&i| parts[i].len() > leaf);
        let Some(i) = large.max_by(|&a, &b| parts[a].area.total_cmp(&parts[b].area)) else {
            break;
        };
        let (from, to) = (parts[i].from, parts[i].to);
        let middle = from + split(&mut items[from..to], &parts[i].centres, effort);
        parts[i] = Part::new(items, from, middle);
        parts[len] = Part::new(items, middle, to);
        len += 1;
    }
    (parts, len)
}

/// Where a primitive falls along an axis.
#[derive(Clone, Copy)]
struct Axis {
    axis: usize,
    least: f32,
    scale: f32,
}

impl Axis {
    /// None if all centres are equal.
    fn new(centres: &Bounds, axis: usize) -> Option<Axis> {
        let extent = centres.hi[axis] - centres.lo[axis];
        (extent > 0.0).then(|| Axis { axis, least: centres.lo[axis], scale: BINS as f32 / extent })
    }
    #[inline(always)]
    fn bin(&self, item: &Item) -> usize {
        let at = (item.lo[self.axis] + item.hi[self.axis] - self.least) * self.scale;
        (at as usize).min(BINS - 1)
    }
}

/// Partitions primitives, at least two of them, and returns how many come first: neither none nor all.
fn split(items: &mut [Item], centres: &Bounds, effort: Effort) -> usize {
    let mut axes = three(|a| Axis::new(centres, a));
    if effort == Effort::Fast {
        let extent = |a: &Axis| centres.hi[a.axis] - centres.lo[a.axis];
        let longest = axes.iter().flatten().max_by(|a, b| extent(a).total_cmp(&extent(b))).map(|a| a.axis);
        axes = three(|a| axes[a].filter(|_| Some(a) == longest));
    }
    let mut bins = [[(Bounds::EMPTY, 0u32); BINS]; 3];
    for axis in axes.iter().flatten() {
        for i in items.iter() {
            let (bounds, count) = &mut bins[axis.axis][axis.bin(i)];
            *bounds = bounds.union(&Bounds { lo: i.lo, hi: i.hi });
            *count += 1;
        }
    }
    let mut best: Option<(f32, Axis, usize)> = None;
    for axis in axes.iter().flatten() {
        for (cost, at) in costs(&bins[axis.axis]) {
            if best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, *axis, at));
            }
        }
    }
    let Some((_, axis, at)) = best else {
        return items.len() / 2;
    };
    let (mut first, mut end) = (0, items.len());
    while first < end {
        if axis.bin(&items[first]) < at {
            first += 1;
        } else {
            end -= 1;
            items.swap(first, end);
        }
    }
    first
}

/// The cost of each split that leaves primitives on both sides, with the first bin of the second side.
fn costs(bins: &[(Bounds, u32); BINS]) -> impl Iterator<Item = (f32, usize)> {
    let cost = |bounds: &Bounds, count: u32| area(bounds) * count.div_ceil(BLOCK) as f32;
    let mut second = [(0.0, 0); BINS];
    let (mut bounds, mut count) = (Bounds::EMPTY, 0);
    for at in (1..BINS).rev() {
        bounds = bounds.union(&bins[at].0);
        count += bins[at].1;
        second[at] = (cost(&bounds, count), count);
    }
    let (mut bounds, mut count) = (Bounds::EMPTY, 0);
    let mut all = [(f32::NAN, 0); BINS];
    for at in 1..BINS {
        bounds = bounds.union(&bins[at - 1].0);
        count += bins[at - 1].1;
        if count != 0 && second[at].1 != 0 {
            all[at] = (cost(&bounds, count) + second[at].0, at);
        }
    }
    all.into_iter().filter(|&(_, at)| at != 0)
}
