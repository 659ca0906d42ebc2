//! Reaching reorder points: which points may have been passed last before each access, and which may come next after it.
//!
//! A node of the control-flow graph is a run of instructions of one region that ends at a point, a call or a construct. Both are
//! dataflow problems over sets of points, forward and backward: the transfer function of a node that ends at a point gives that
//! point alone, any other gives its input. The boundary of the function is the element [`BOUNDARY`], which callers replace. Where the shader ends
//! within a function is [`ENDED`], which stays.
//!
//! The graph is built with a worklist of regions that carries the node at hand, which is why the shared traversal is not used.

use std::borrow::Cow;
use std::cell::RefCell;

use rtc_base::dataflow::{Backward, Forward, Starts, forward, reverse_post_order};
use rtc_base::dominators::Edges;
use rtc_base::{EntitySet, SecondaryMap};
use rtc_ir::{Effects, Func, Function, Inst, InstData, Module, Opcode, Region, effects};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::sets::{Set, Sets};

/// Where a function starts and where it returns.
pub(super) const BOUNDARY: u32 = 0;

/// The end of a shader at an exit that does not return to the caller, in whichever function it is: `ignore_hit`, `accept_hit`.
pub(super) const ENDED: u32 = 1;

/// What ends a node.
#[derive(Clone, Copy)]
enum End {
    Nothing,
    /// A point: the set of its origin alone.
    Point(Set),
    /// A call of a function that has points or may end the shader.
    Call(Func),
}

struct Node {
    end: End,
    next: SmallVec<[u32; 2]>,
    /// Control returns from the function here.
    returns: bool,
    /// The shader ends here.
    ends: bool,
}

/// What a function looks like from outside: the points that control passes first and last, with [`BOUNDARY`] if it
/// may come through without passing any, and [`ENDED`] if the shader may end before any.
#[derive(Clone, Copy)]
pub(super) struct Summary {
    pub first: Set,
    pub last: Set,
    /// It has points, or functions that it calls do.
    pub points: bool,
    /// The shader may end in it.
    pub ends: bool,
}

/// Something whose interval is known.
pub(super) struct Spot {
    pub inst: Inst,
    pub origin: u32,
    /// The function that is called, if it is a call.
    pub calls: Option<Func>,
    /// It is a reorder point.
    pub point: bool,
    /// The points that may come before and after.
    pub before: Set,
    pub after: Set,
    /// The origin of the innermost loop with points around it; 0 if there is none.
    pub inside: u32,
    node: u32,
    region: Region,
}

/// One function.
pub(super) struct Flow {
    pub spots: Vec<Spot>,
    pub summary: Summary,
    /// Loops with points and the next one around each (0: none), by origin.
    pub loops: Vec<(u32, u32)>,
    /// The origins that were given.
    pub origins: SecondaryMap<Inst, u32>,
}

/// Gives origins to what has to be found again, or takes those that are there.
pub(super) enum Naming<'a> {
    /// The next free number.
    Give(&'a mut u32),
    Keep,
}

impl Naming<'_> {
    fn origin(&mut self, f: &Function, i: Inst, given: &mut SecondaryMap<Inst, u32>) -> u32 {
        match self {
            Naming::Keep => f.origins[i],
            Naming::Give(next) => {
                let n = **next;
                **next += 1;
                given[i] = n;
                n
            }
        }
    }
}

struct Build<'a> {
    m: &'a Module,
    f: &'a Function,
    nodes: Vec<Node>,
    spots: Vec<Spot>,
    given: SecondaryMap<Inst, u32>,
    /// By region: the node after the construct that owns it, and those of its first two regions.
    targets: SecondaryMap<Region, [u32; 3]>,
    /// The regions in the order of the walk, with the one around each.
    around: Vec<(Region, Option<Region>)>,
    parent: SecondaryMap<Region, Option<Region>>,
    /// The origins of loops, by their regions; [`BOUNDARY`] for others.
    loops: SecondaryMap<Region, u32>,
    /// Regions with points in them.
    pointed: EntitySet<Region>,
}

/// The flow of `f`. `summaries` of the functions with points that it may call.
pub(super) fn build(m: &Module, f: &Function, summaries: &FxHashMap<Func, Summary>, sets: &mut Sets, naming: &mut Naming<'_>) -> Flow {
    let mut b = Build {
        m,
        f,
        nodes: Vec::new(),
        spots: Vec::new(),
        given: SecondaryMap::new(),
        targets: SecondaryMap::new(),
        around: vec![(f.body, None)],
        parent: SecondaryMap::new(),
        loops: SecondaryMap::new(),
        pointed: EntitySet::new(),
    };
    b.targets.resize(f.regions.len());
    b.parent.resize(f.regions.len());
    b.loops.resize(f.regions.len());
    if let Naming::Give(_) = naming {
        b.given.resize(f.insts.len());
    }
    let start = b.node();
    b.walk(start, summaries, sets, naming);
    let summary = b.solve(start, summaries, sets);
    b.finish(summary)
}

/// Whether an exit ends the shader, not the function alone.
pub(super) fn ends_shader(op: Opcode) -> bool {
    op.effects().contains(Effects::TERMINATES | Effects::OUTSIDE)
}

/// Whether instructions of this kind may read or move placement.
fn is_watched(op: Opcode) -> bool {
    op.effects().intersects(Effects::READS_PLACEMENT | Effects::REORDERS)
}

/// The accesses of a function without points and loops, and without calls of functions with points: all are between its boundaries.
pub(super) fn plain(m: &Module, f: &Function, sets: &mut Sets, naming: &mut Naming<'_>) -> Flow {
    let boundary = sets.one(BOUNDARY);
    let mut given = SecondaryMap::new();
    let mut spots = Vec::new();
    f.for_each_inst(f.body, |region, inst| {
        let calls = match f.insts[inst] {
            InstData::Call { func, .. } if !m.funcs[func].declared => Some(func),
            ref data if !is_watched(data.op()) => return,
            _ if !effects::of_inst(m, f, inst).contains(Effects::READS_PLACEMENT) => return,
            _ => None,
        };
        spots.push(Spot {
            inst,
            origin: naming.origin(f, inst, &mut given),
            calls,
            point: false,
            before: boundary,
            after: boundary,
            inside: BOUNDARY,
            node: 0,
            region,
        });
    });
    Flow { spots, summary: Summary { first: boundary, last: boundary, points: false, ends: false }, loops: Vec::new(), origins: given }
}

impl Build<'_> {
    fn node(&mut self) -> u32 {
        self.nodes.push(Node { end: End::Nothing, next: SmallVec::new(), returns: false, ends: false });
        self.nodes.len() as u32 - 1
    }

    fn edge(&mut self, from: u32, to: u32) {
        self.nodes[from as usize].next.push(to);
    }

    /// Ends node `at`; control goes on in a new one.
    fn end(&mut self, at: u32, end: End) -> u32 {
        self.nodes[at as usize].end = end;
        let next = self.node();
        self.edge(at, next);
        next
    }

    fn walk(&mut self, start: u32, summaries: &FxHashMap<Func, Summary>, sets: &mut Sets, naming: &mut Naming<'_>) {
        let mut todo = vec![(self.f.body, 0usize, start)];
        while let Some((r, from, mut at)) = todo.pop() {
            let insts = &self.f.regions[r].insts;
            for (n, &i) in insts.iter().enumerate().skip(from) {
                match self.f.insts[i] {
                    InstData::Exit { .. } => self.exit(r, i, at),
                    // One that is declared only is a point by itself, as may be in it.
                    InstData::Call { func, .. } if !self.m.funcs[func].declared => {
                        self.spot(r, i, at, Some(func), false, naming);
                        if let Some(summary) = summaries.get(&func) {
                            if summary.points {
                                self.has_point(r);
                            }
                            at = self.end(at, End::Call(func));
                        }
                    }
                    InstData::If { .. } | InstData::Switch { .. } | InstData::Block { .. } | InstData::Loop { .. } => {
                        let after = self.node();
                        todo.push((r, n + 1, after));
                        self.construct(r, i, at, after, &mut todo, naming);
                        break;
                    }
                    ref data if !is_watched(data.op()) => {}
                    _ => {
                        let e = effects::of_inst(self.m, self.f, i);
                        if e.contains(Effects::REORDERS) {
                            let origin = self.spot(r, i, at, None, true, naming);
                            self.has_point(r);
                            let set = sets.one(origin);
                            at = self.end(at, End::Point(set));
                        } else if e.contains(Effects::READS_PLACEMENT) {
                            self.spot(r, i, at, None, false, naming);
                        }
                    }
                }
            }
        }
    }

    fn construct(&mut self, r: Region, i: Inst, at: u32, after: u32, todo: &mut Vec<(Region, usize, u32)>, naming: &mut Naming<'_>) {
        let regions = self.f.regions_of(i);
        let mut nodes = [after; 3];
        for (n, &child) in regions.iter().enumerate() {
            let node = self.node();
            if n < 2 {
                nodes[n + 1] = node;
            }
            self.parent[child] = Some(r);
            self.around.push((child, Some(r)));
            todo.push((child, 0, node));
            // What continues is entered by `continue` alone.
            if n == 0 || !matches!(self.f.insts[i], InstData::Loop { .. }) {
                self.edge(at, node);
            }
        }
        if matches!(self.f.insts[i], InstData::Loop { .. }) {
            let origin = naming.origin(self.f, i, &mut self.given);
            regions.iter().for_each(|&c| self.loops[c] = origin);
        }
        regions.iter().for_each(|&c| self.targets[c] = nodes);
    }

    fn spot(&mut self, region: Region, inst: Inst, node: u32, calls: Option<Func>, point: bool, naming: &mut Naming<'_>) -> u32 {
        let origin = naming.origin(self.f, inst, &mut self.given);
        self.spots.push(Spot { inst, origin, calls, point, before: Set::EMPTY, after: Set::EMPTY, inside: 0, node, region });
        origin
    }

    fn has_point(&mut self, r: Region) {
        let mut at = Some(r);
        while let Some(r) = at
            && self.pointed.insert(r)
        {
            at = self.parent[r];
        }
    }

    fn exit(&mut self, r: Region, i: Inst, at: u32) {
        let InstData::Exit { op, target, .. } = self.f.insts[i] else {
            return;
        };
        // The body of the function has no construct around it.
        let of = |r: Region| self.f.regions[r].owner.map(|_| self.targets[r]);
        let (own, named) = (of(r), target.expand().and_then(of));
        match (op, own, named) {
            (Opcode::yield_, Some([after, ..]), _) => self.edge(at, after),
            (Opcode::next, Some([_, body, _]), _) => self.edge(at, body),
            (Opcode::next_if, Some([after, body, _]), _) => {
                self.edge(at, body);
                self.edge(at, after);
            }
            (Opcode::break_, _, Some([after, ..])) => self.edge(at, after),
            (Opcode::continue_, _, Some([_, _, continuing])) => self.edge(at, continuing),
            (Opcode::unreachable, ..) => {}
            _ if ends_shader(op) => self.nodes[at as usize].ends = true,
            _ => self.nodes[at as usize].returns = true,
        }
    }

    /// Finds the points around each spot.
    fn solve(&mut self, start: u32, summaries: &FxHashMap<Func, Summary>, sets: &mut Sets) -> Summary {
        let count = self.nodes.len();
        let edges = Edges::new(count, |n, out| out.extend_from_slice(&self.nodes[n as usize].next));
        let order = reverse_post_order(&edges, start);
        let (boundary, ended) = (sets.one(BOUNDARY), sets.one(ENDED));
        let reach = Reach { nodes: &self.nodes, summaries, boundary, ended, sets: RefCell::new(sets) };
        let mut last = Last { reach: &reach, last: Set::EMPTY };
        // Each join adds points, of which there are finitely many.
        let before = forward(&mut last, count, &order, boundary, usize::MAX).unwrap_or_default();
        let before = |n: u32| before[n as usize].unwrap_or(Set::EMPTY);
        let last = last.last;
        let starts = Starts::solve(&reach, count, &order);
        for s in &mut self.spots {
            s.before = before(s.node);
            let through = s.point || s.calls.is_some_and(|g| summaries.contains_key(&g));
            s.after = if through { reach.after(s.node, starts.end_of(&reach, s.node)) } else { *starts.at(s.node) };
        }
        let called = |s: &Spot| s.calls.and_then(|g| summaries.get(&g));
        Summary {
            first: *starts.at(start),
            last,
            points: self.spots.iter().any(|s| s.point || called(s).is_some_and(|g| g.points)),
            ends: self.nodes.iter().any(|n| n.ends) || self.spots.iter().any(|s| called(s).is_some_and(|g| g.ends)),
        }
    }

    fn finish(mut self, summary: Summary) -> Flow {
        // The innermost loop with points, region by region from outside.
        let mut inside: SecondaryMap<Region, u32> = SecondaryMap::new();
        inside.resize(self.f.regions.len());
        let mut loops = Vec::new();
        for &(r, around) in &self.around {
            let outer = around.map_or(BOUNDARY, |a| inside[a]);
            inside[r] = match self.loops[r] {
                origin if origin != BOUNDARY && self.has_points_in_loop(r) => {
                    loops.push((origin, outer));
                    origin
                }
                _ => outer,
            };
        }
        for s in &mut self.spots {
            s.inside = inside[s.region];
        }
        Flow { spots: self.spots, summary, loops, origins: self.given }
    }

    /// Whether the loop that has region `r` has points.
    fn has_points_in_loop(&self, r: Region) -> bool {
        let owner = self.f.regions[r].owner;
        owner.is_some_and(|i| {
            let mut all = self.f.regions_of(i).into_iter();
            all.any(|r| self.pointed.contains(r))
        })
    }
}

/// The points that may come next: a backward analysis.
struct Reach<'a> {
    nodes: &'a [Node],
    summaries: &'a FxHashMap<Func, Summary>,
    boundary: Set,
    ended: Set,
    sets: RefCell<&'a mut Sets>,
}

impl Reach<'_> {
    /// The points that may come next after the end of node `n`, whose successors begin with `next`.
    fn after(&self, n: u32, next: Set) -> Set {
        let node = &self.nodes[n as usize];
        let own = match (node.returns, node.ends) {
            (true, _) => self.boundary,
            (false, true) => self.ended,
            (false, false) => return next,
        };
        self.sets.borrow_mut().union(own, next)
    }
}

impl Backward for Reach<'_> {
    type State = Set;

    fn end(&self) -> Set {
        Set::EMPTY
    }

    fn successors(&self, n: u32) -> impl Iterator<Item = u32> {
        self.nodes[n as usize].next.iter().copied()
    }

    fn block(&self, n: u32, state: &mut Set) {
        *state = match self.nodes[n as usize].end {
            End::Nothing => self.after(n, *state),
            End::Point(set) => set,
            End::Call(g) => {
                let after = self.after(n, *state);
                self.sets.borrow_mut().replace(self.summaries[&g].first, BOUNDARY, after)
            }
        };
    }

    fn join(&self, to: &mut Set, from: &Set) {
        *to = self.sets.borrow_mut().union(*to, *from);
    }
}

/// The points that may have been passed last: a forward analysis.
struct Last<'r, 'a> {
    reach: &'r Reach<'a>,
    /// The points that may have been passed last where the function returns.
    last: Set,
}

impl Forward for Last<'_, '_> {
    type State = Set;

    fn block(&mut self, n: u32, state: &mut Set) {
        let node = &self.reach.nodes[n as usize];
        let mut sets = self.reach.sets.borrow_mut();
        *state = match node.end {
            End::Nothing => *state,
            End::Point(set) => set,
            End::Call(g) => sets.replace(self.reach.summaries[&g].last, BOUNDARY, *state),
        };
        if node.returns {
            self.last = sets.union(self.last, *state);
        }
    }

    fn edges(&self, n: u32) -> usize {
        self.reach.nodes[n as usize].next.len()
    }

    fn edge<'s>(&mut self, n: u32, edge: usize, state: &'s Set) -> Option<(u32, Cow<'s, Set>)> {
        Some((self.reach.nodes[n as usize].next[edge], Cow::Borrowed(state)))
    }

    fn join(&mut self, to: &mut Set, from: &Set) -> bool {
        let joined = self.reach.sets.borrow_mut().union(*to, *from);
        std::mem::replace(to, joined) != joined
    }
}
