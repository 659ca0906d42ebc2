//! Dataflow analysis: the fixpoint of an analysis over a control-flow graph, forward or backward.
//!
//! An analysis says what a block does to a state and how states are joined; the solver visits blocks in reverse post-order (forward) or post-order
//! (backward) until no state changes. States are whatever the analysis wants, as long as joining only ever raises them in a lattice of finite height.
//! A block is a number, as in [`crate::dominators`].

use std::borrow::Cow;

use crate::dominators::Edges;

/// The nodes that a path from `root` reaches in reverse post-order, then all others.
pub fn reverse_post_order(edges: &Edges, root: u32) -> Vec<u32> {
    let mut seen = vec![false; edges.count()];
    let mut order = Vec::with_capacity(edges.count());
    // Each node with how many of its edges were followed.
    let mut path: Vec<(u32, usize)> = Vec::new();
    if let Some(first) = seen.get_mut(root as usize) {
        *first = true;
        path.push((root, 0));
    }
    while let Some((node, followed)) = path.last_mut() {
        match edges.of(*node).get(*followed) {
            Some(&to) => {
                *followed += 1;
                if !std::mem::replace(&mut seen[to as usize], true) {
                    path.push((to, 0));
                }
            }
            None => {
                order.push(*node);
                path.pop();
            }
        }
    }
    order.reverse();
    order.extend((0..edges.count() as u32).filter(|&n| !seen[n as usize]));
    order
}

/// A forward analysis: the state where a block begins is the join over its incoming edges.
pub trait Forward {
    /// The facts at one point.
    type State: Clone;

    /// Turns the state where block `b` begins into that where it ends.
    fn block(&mut self, b: u32, state: &mut Self::State);

    /// How many edges leave block `b`.
    fn edges(&self, b: u32) -> usize;

    /// Where edge `n` of block `b` leads, and the state there if the block ends in `state`; `None` if that edge cannot be taken.
    fn edge<'s>(&mut self, b: u32, n: usize, state: &'s Self::State) -> Option<(u32, Cow<'s, Self::State>)>;

    /// Joins `from` into `to`. Whether that changed.
    fn join(&mut self, to: &mut Self::State, from: &Self::State) -> bool;
}

/// The states where the blocks of a graph begin, by block; none where no path leads. `order` has the reachable blocks in reverse post-order, `first` is
/// the state where block 0 begins. `None` if there is no fixpoint after so many visits of all blocks.
pub fn forward<A: Forward>(a: &mut A, blocks: usize, order: &[u32], first: A::State, visits: usize) -> Option<Vec<Option<A::State>>> {
    let mut at: Vec<Option<A::State>> = vec![None; blocks];
    if let Some(entry) = at.first_mut() {
        *entry = Some(first);
    }
    let mut todo = vec![true; blocks];
    for _ in 0..visits {
        let mut changed = false;
        for &b in order {
            if !std::mem::take(&mut todo[b as usize]) {
                continue;
            }
            let Some(mut state) = at[b as usize].clone() else { continue };
            a.block(b, &mut state);
            for n in 0..a.edges(b) {
                let Some((to, state)) = a.edge(b, n, &state) else { continue };
                let new = match &mut at[to as usize] {
                    Some(old) => a.join(old, &state),
                    none => {
                        *none = Some(state.into_owned());
                        true
                    }
                };
                todo[to as usize] |= new;
                changed |= new;
            }
        }
        if !changed {
            return Some(at);
        }
    }
    None
}

/// A backward analysis: the state where a block ends is the join over those where its successors begin.
pub trait Backward {
    /// The facts at one point.
    type State: Clone + PartialEq;

    /// The state where nothing follows.
    fn end(&self) -> Self::State;

    /// The successors of block `b`.
    fn successors(&self, b: u32) -> impl Iterator<Item = u32>;

    /// Turns the state where block `b` ends into that where it begins.
    fn block(&self, b: u32, state: &mut Self::State);

    /// What the state where the block begins that edge `n` of block `b` leads to is on the other side of the edge.
    fn edge<'s>(&self, _b: u32, _n: usize, start: &'s Self::State) -> Cow<'s, Self::State> {
        Cow::Borrowed(start)
    }

    /// Joins `from` into `to`.
    fn join(&self, to: &mut Self::State, from: &Self::State);
}

/// The states where the blocks of a graph begin.
pub struct Starts<S>(Vec<S>);

impl<S: Clone + PartialEq> Starts<S> {
    /// Those of an analysis. `order` has the reachable blocks in reverse post-order.
    pub fn solve<A: Backward<State = S>>(a: &A, blocks: usize, order: &[u32]) -> Starts<S> {
        let mut starts = Starts(vec![a.end(); blocks]);
        // Visits are counted. A block is visited again only if a block after it has changed since its last visit.
        let mut now = 0_u32;
        let mut visited = vec![0; blocks];
        let mut changed = vec![0; blocks];
        let mut again = true;
        while std::mem::take(&mut again) {
            for &b in order.iter().rev() {
                let last = visited[b as usize];
                if last != 0 && !a.successors(b).any(|s| changed[s as usize] >= last) {
                    continue;
                }
                now += 1;
                visited[b as usize] = now;
                let mut state = starts.end_of(a, b);
                a.block(b, &mut state);
                if state != starts.0[b as usize] {
                    starts.0[b as usize] = state;
                    changed[b as usize] = now;
                    again = true;
                }
            }
        }
        starts
    }

    /// The state where block `b` ends.
    pub fn end_of<A: Backward<State = S>>(&self, a: &A, b: u32) -> S {
        let mut state = a.end();
        for (n, to) in a.successors(b).enumerate() {
            a.join(&mut state, &a.edge(b, n, &self.0[to as usize]));
        }
        state
    }

    /// The state where block `b` begins.
    pub fn at(&self, b: u32) -> &S {
        &self.0[b as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BitSet;

    /// A loop, with a way past it: 0 -> 1 -> 2 -> 1, 1 -> 3, 0 -> 3; block 4 is not reached.
    const SUCCESSORS: [&[u32]; 5] = [&[1, 3], &[2, 3], &[1], &[], &[3]];
    const ORDER: [u32; 4] = [0, 1, 2, 3];

    #[test]
    fn a_node_comes_before_its_successors_but_for_back_edges() {
        let edges = Edges::new(5, |b, out| out.extend_from_slice(SUCCESSORS[b as usize]));
        assert_eq!(reverse_post_order(&edges, 0), [0, 1, 3, 2, 4]);
        assert_eq!(reverse_post_order(&Edges::default(), 0), [0; 0]);
    }

    /// Which blocks may have run, and which may run from here on.
    struct Blocks;

    impl Forward for Blocks {
        type State = BitSet;
        fn block(&mut self, b: u32, state: &mut BitSet) {
            state.insert(b);
        }
        fn edges(&self, b: u32) -> usize {
            SUCCESSORS[b as usize].len()
        }
        fn edge<'s>(&mut self, b: u32, n: usize, state: &'s BitSet) -> Option<(u32, Cow<'s, BitSet>)> {
            Some((SUCCESSORS[b as usize][n], Cow::Borrowed(state)))
        }
        fn join(&mut self, to: &mut BitSet, from: &BitSet) -> bool {
            to.union(from)
        }
    }

    impl Backward for Blocks {
        type State = BitSet;
        fn end(&self) -> BitSet {
            BitSet::new()
        }
        fn successors(&self, b: u32) -> impl Iterator<Item = u32> {
            SUCCESSORS[b as usize].iter().copied()
        }
        fn block(&self, b: u32, state: &mut BitSet) {
            state.insert(b);
        }
        fn join(&self, to: &mut BitSet, from: &BitSet) {
            to.union(from);
        }
    }

    #[test]
    fn states_go_around_loops_in_both_directions() {
        let members = |set: &BitSet| set.iter().collect::<Vec<_>>();
        let at = forward(&mut Blocks, 5, &ORDER, BitSet::new(), 10).expect("a fixpoint");
        let at: Vec<_> = at.iter().map(|s| s.as_ref().map(&members)).collect();
        assert_eq!(at, [Some(vec![]), Some(vec![0, 1, 2]), Some(vec![0, 1, 2]), Some(vec![0, 1, 2]), None]);
        assert!(forward(&mut Blocks, 5, &ORDER, BitSet::new(), 1).is_none(), "the back edge needs a second visit");
        let starts = Starts::solve(&Blocks, 5, &ORDER);
        let ends: Vec<_> = ORDER.iter().map(|&b| members(&starts.end_of(&Blocks, b))).collect();
        assert_eq!(ends, [vec![1, 2, 3], vec![1, 2, 3], vec![1, 2, 3], vec![]]);
    }
}
