//! The region tree: parents and depths, a pre-order numbering of the instructions, nearest common ancestors, the loop nest.

use rtc_base::{PackedOption, SecondaryMap};

use super::walk::{Event, Walk};
use crate::{Function, Inst, InstData, Region};

/// The region of each instruction.
pub fn parents(f: &Function) -> SecondaryMap<Inst, Region> {
    let mut out = SecondaryMap::with_default(f.body);
    out.resize(f.insts.len());
    f.for_each_inst(f.body, |r, i| out[i] = r);
    out
}

/// Where an instruction is.
#[derive(Clone, Copy, Default)]
struct Position {
    region: PackedOption<Region>,
    number: u32,
}

/// A region in the tree.
#[derive(Clone, Copy)]
struct Node {
    parent: PackedOption<Region>,
    depth: u32,
    /// The numbers of the instructions in it, nested ones included: from `first` to before `end`.
    first: u32,
    end: u32,
    /// The innermost loop that has the region in it.
    in_loop: PackedOption<Inst>,
}

impl Default for Node {
    /// A region that the traversal did not reach: contained in nothing.
    fn default() -> Self {
        Node { parent: None.into(), depth: 0, first: u32::MAX, end: 0, in_loop: None.into() }
    }
}

/// The region tree of a function, computed by one traversal.
///
/// Instructions are numbered in the order of the text (pre-order). All instructions of a region, with those nested in it, are
/// one interval of numbers, so that *is nested in* and *is after* are comparisons.
///
/// The function must be well formed. The tree stays valid while operands change; [`RegionTree::moved`] follows a pass that
/// moves instructions between regions, except that numbers stay what they were.
pub struct RegionTree {
    insts: SecondaryMap<Inst, Position>,
    regions: SecondaryMap<Region, Node>,
    /// Inner loops before outer ones.
    loops: Vec<Inst>,
}

impl RegionTree {
    /// The tree of `f`.
    pub fn of(f: &Function) -> RegionTree {
        let mut t = RegionTree { insts: SecondaryMap::new(), regions: SecondaryMap::new(), loops: Vec::new() };
        t.insts.resize(f.insts.len());
        t.regions.resize(f.regions.len());
        let mut next = 0;
        let mut walk = Walk::new(f.body);
        while let Some(event) = walk.next(f) {
            match event {
                Event::Inst(r, i) => {
                    t.insts[i] = Position { region: Some(r).into(), number: next };
                    next += 1;
                }
                Event::Enter(r) => {
                    let mut node = Node { first: next, ..Node::default() };
                    if let Some(owner) = f.regions[r].owner {
                        let parent = t.insts[owner].region;
                        let around = parent.map(|p| t.regions[p]).unwrap_or_default();
                        let is_loop = matches!(f.insts[owner], InstData::Loop { .. });
                        let in_loop = if is_loop { Some(owner).into() } else { around.in_loop };
                        node = Node { parent, depth: around.depth + 1, in_loop, ..node };
                    }
                    t.regions[r] = node;
                }
                Event::Leave(r) => t.regions[r].end = next,
                Event::End(_, i) => {
                    if matches!(f.insts[i], InstData::Loop { .. }) {
                        t.loops.push(i);
                    }
                }
            }
        }
        t
    }

    /// The region of `i`; `None` if it is in none.
    pub fn region(&self, i: Inst) -> Option<Region> {
        self.insts[i].region.expand()
    }
    /// The number of `i` in the order of the text.
    #[inline]
    pub fn number(&self, i: Inst) -> u32 {
        self.insts[i].number
    }
    /// The number after the last instruction in `r`, nested ones included.
    pub fn end(&self, r: Region) -> u32 {
        self.regions[r].end
    }
    /// The numbers of all instructions in `r`, nested ones included.
    pub fn interval(&self, r: Region) -> std::ops::Range<u32> {
        self.regions[r].first..self.regions[r].end
    }
    /// The number after the last instruction that control instruction `i` contains.
    pub fn end_of(&self, f: &Function, i: Inst) -> u32 {
        match f.insts[i] {
            InstData::If { else_: last, .. } | InstData::Loop { continuing: last, .. } | InstData::Block { body: last } => self.end(last),
            InstData::Switch { cases, .. } => self.end(f.cases[cases].default),
            _ => self.number(i) + 1,
        }
    }
    /// The region around `r`; `None` for the function's body.
    pub fn parent(&self, r: Region) -> Option<Region> {
        self.regions[r].parent.expand()
    }
    /// How many regions are around `r`.
    pub fn depth(&self, r: Region) -> u32 {
        self.regions[r].depth
    }
    /// Whether `inner` is `outer` or nested in it.
    #[inline]
    pub fn contains(&self, outer: Region, inner: Region) -> bool {
        let (o, i) = (&self.regions[outer], &self.regions[inner]);
        o.first <= i.first && i.end <= o.end
    }
    /// The innermost region that contains both: their nearest common ancestor.
    pub fn common(&self, mut a: Region, b: Region) -> Region {
        while !self.contains(a, b) {
            let Some(up) = self.parent(a) else { break };
            a = up;
        }
        a
    }
    /// The loops, inner ones before those around them.
    pub fn loops(&self) -> &[Inst] {
        &self.loops
    }
    /// The innermost loop around `r`, by its body or continuing region.
    pub fn innermost_loop(&self, r: Region) -> Option<Inst> {
        self.regions[r].in_loop.expand()
    }
    /// The innermost loop around instruction `i`; of a loop, the one around it.
    pub fn loop_around(&self, i: Inst) -> Option<Inst> {
        self.region(i).and_then(|r| self.innermost_loop(r))
    }
    /// How many loops are around `i`.
    pub fn loop_depth(&self, i: Inst) -> usize {
        std::iter::successors(self.loop_around(i), |&l| self.loop_around(l)).count()
    }
    /// `i` is now in `r`.
    pub fn moved(&mut self, i: Inst, r: Region) {
        self.insts[i].region = Some(r).into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::test_functions::nested;

    #[test]
    fn numbers_are_those_of_the_text() {
        let f = nested();
        let t = RegionTree::of(&f);
        let mut n = 0;
        let parents = parents(&f);
        f.for_each_inst(f.body, |r, i| {
            assert_eq!((t.number(i), t.region(i)), (n, Some(r)));
            assert_eq!(parents[i], r);
            n += 1;
        });
        assert_eq!(t.interval(f.body), 0..n);
    }

    #[test]
    fn nesting_is_that_of_owners() {
        let f = nested();
        let t = RegionTree::of(&f);
        let around = |r: Region| {
            let up = |r: &Region| f.regions[*r].owner.and_then(|o| t.region(o));
            std::iter::successors(Some(r), up).collect::<Vec<_>>()
        };
        for a in f.regions.keys() {
            let all = around(a);
            assert_eq!(t.depth(a) as usize, all.len() - 1);
            assert_eq!(t.parent(a), all.get(1).copied());
            for b in f.regions.keys() {
                assert_eq!(t.contains(b, a), all.contains(&b), "{a} in {b}");
                let common = all.iter().copied().find(|r| around(b).contains(r));
                assert_eq!(Some(t.common(a, b)), common, "{a} and {b}");
            }
        }
    }

    #[test]
    fn loops_come_from_inside() {
        let f = nested();
        let t = RegionTree::of(&f);
        let [inner, outer] = *t.loops() else { panic!("two loops, not {:?}", t.loops()) };
        assert_eq!((t.loop_around(inner), t.loop_around(outer)), (Some(outer), None));
        assert_eq!((t.loop_depth(inner), t.loop_depth(outer)), (1, 0));
        for l in [inner, outer] {
            for r in f.regions_of(l) {
                assert_eq!(t.innermost_loop(r), Some(l));
                assert!(t.end(r) <= t.end_of(&f, l) && t.interval(r).start > t.number(l));
            }
        }
    }
}
