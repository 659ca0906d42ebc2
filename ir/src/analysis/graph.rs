//! The control-flow graph of a function's regions, for [`rtc_base::dataflow`].
//!
//! A block is a run of instructions of one region that ends with a control instruction or an exit. The edges of an exit lead to where control goes
//! on, however many constructs it leaves, and say which values become results and parameters there.

use std::ops::Range;

use rtc_base::dataflow::reverse_post_order;
use rtc_base::dominators::Edges;
use rtc_base::{SecondaryMap, bug};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{Function, Inst, InstData, Opcode, Region, Value};

/// A control-flow graph. Block 0 is the entry.
#[derive(Debug)]
pub struct Graph {
    /// The blocks.
    pub blocks: Vec<GraphBlock>,
    /// All blocks: reachable ones in reverse post-order, then the others.
    pub order: Vec<u32>,
}

/// A block.
#[derive(Debug)]
pub struct GraphBlock {
    /// The region that has its instructions.
    pub region: Region,
    /// Which of the region's instructions it has.
    pub insts: Range<usize>,
    /// Where control goes at its end.
    pub edges: SmallVec<[GraphEdge; 2]>,
}

/// An edge.
#[derive(Debug)]
pub struct GraphEdge {
    /// The block that it leads to.
    pub to: u32,
    /// Values that it passes, and what they become there.
    pub passed: Passed,
}

/// Values that an exit or a loop passes, and the results or parameters that they become, of equal number.
#[derive(Clone, Default, Debug)]
pub struct Passed {
    /// What is passed.
    pub from: SmallVec<[Value; 4]>,
    /// What it becomes.
    pub to: SmallVec<[Value; 4]>,
}

impl Passed {
    fn new(from: &[Value], to: &[Value]) -> Passed {
        Passed { from: from.into(), to: to.into() }
    }

    /// What is passed with what it becomes.
    pub fn pairs(&self) -> impl Iterator<Item = (Value, Value)> {
        self.from.iter().copied().zip(self.to.iter().copied())
    }
}

/// Where control goes from an exit or a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Goes {
    /// After a construct.
    After(Inst),
    /// Into a region.
    Into(Region),
}

/// The transfers of control from exit or loop `i` of region `r`, with the values that it passes.
fn transfers(f: &Function, r: Region, i: Inst) -> SmallVec<[(Goes, Passed); 2]> {
    let mut out = SmallVec::new();
    let after = |i: Inst, values: &[Value]| (Goes::After(i), Passed::new(values, f.results(i)));
    let into = |r: Region, values: &[Value]| (Goes::Into(r), Passed::new(values, &f.regions[r].params));
    let (op, imm, target, args) = match f.insts[i] {
        InstData::Loop { init, body, .. } => {
            out.push(into(body, f.get(init)));
            return out;
        }
        InstData::Exit { op, imm, target, args } => (op, imm, target, f.get(args)),
        _ => return out,
    };
    let (own, other) = (f.regions[r].owner, target.expand().and_then(|t| f.regions[t].owner));
    let regions = |i: Option<Inst>| match i.map(|i| f.insts[i]) {
        Some(InstData::Loop { body, continuing, .. }) => Some((body, continuing)),
        _ => None,
    };
    match op {
        Opcode::yield_ => out.extend(own.map(|o| after(o, args))),
        Opcode::break_ => out.extend(other.map(|o| after(o, args))),
        Opcode::continue_ => out.extend(regions(other).map(|(_, continuing)| into(continuing, args))),
        Opcode::next => out.extend(regions(own).map(|(body, _)| into(body, args))),
        Opcode::next_if => {
            let (again, results) = args[1..].split_at(imm as usize);
            out.extend(regions(own).map(|(body, _)| into(body, again)));
            out.extend(own.map(|o| after(o, results)));
        }
        _ => {}
    }
    out
}

/// The values that exit or loop `i` of region `r` passes, a list for each edge from there.
pub fn passed(f: &Function, r: Region, i: Inst) -> impl Iterator<Item = Passed> {
    transfers(f, r, i).into_iter().map(|(_, passed)| passed)
}

impl Graph {
    /// The graph of `f`.
    pub fn of(f: &Function) -> Graph {
        let mut blocks: Vec<GraphBlock> = Vec::new();
        let mut first: SecondaryMap<Region, u32> = SecondaryMap::new();
        first.resize(f.regions.len());
        let mut after: FxHashMap<Inst, u32> = FxHashMap::default();
        f.for_each_region(f.body, |region| {
            first[region] = blocks.len() as u32;
            let insts = &f.regions[region].insts;
            let mut begin = 0;
            for (n, &i) in insts.iter().enumerate() {
                let last = n + 1 == insts.len();
                if last || f.owns_regions(i) {
                    blocks.push(GraphBlock { region, insts: begin..n + 1, edges: SmallVec::new() });
                    begin = n + 1;
                    after.insert(i, blocks.len() as u32);
                }
            }
        });
        for b in &mut blocks {
            let i = f.regions[b.region].insts[b.insts.end - 1];
            let found = transfers(f, b.region, i);
            if found.is_empty() && f.owns_regions(i) {
                let regions = f.regions_of(i);
                b.edges.extend(regions.into_iter().map(|r| GraphEdge { to: first[r], passed: Passed::default() }));
                continue;
            }
            b.edges.extend(found.into_iter().map(|(goes, passed)| {
                let to = match goes {
                    Goes::Into(region) => first[region],
                    Goes::After(i) => after.get(&i).copied().unwrap_or_else(|| bug!("a construct has a place in its region")),
                };
                GraphEdge { to, passed }
            }));
        }
        let edges = Edges::new(blocks.len(), |b, out| out.extend(blocks[b as usize].edges.iter().map(|e| e.to)));
        let order = reverse_post_order(&edges, 0);
        Graph { blocks, order }
    }

    /// The instructions of block `b`, in order.
    pub fn insts<'f>(&self, f: &'f Function, b: u32) -> &'f [Inst] {
        let block = &self.blocks[b as usize];
        &f.regions[block.region].insts[block.insts.clone()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::test_functions::nested;

    #[test]
    fn exits_lead_over_several_levels() {
        let f = nested();
        let graph = Graph::of(&f);
        let named = |b: u32| graph.blocks[b as usize].region.to_string();
        let edges: Vec<(String, Vec<String>)> = (0..graph.blocks.len() as u32)
            .map(|b| (named(b), graph.blocks[b as usize].edges.iter().map(|e| named(e.to)).collect()))
            .collect();
        let has = |from: &str, to: &[&str]| edges.iter().any(|(f, all)| f == from && all == to);
        // The loop, and what comes after it.
        assert!(has("r0", &["r1"]) && has("r0", &[]), "{edges:?}");
        assert!(has("r2", &["r3", "r4"]) && has("r3", &["r0"]) && has("r4", &["r2"]), "{edges:?}");
        assert!(has("r2", &["r5"]) && has("r5", &["r2", "r1"]) && has("r6", &["r1"]), "{edges:?}");
        assert_eq!((graph.order[0], graph.order.len()), (0, graph.blocks.len()));
        let insts: usize = graph.blocks.iter().map(|b| b.insts.len()).sum();
        let mut all = 0;
        f.for_each_inst(f.body, |_, _| all += 1);
        assert_eq!(insts, all);
    }

    #[test]
    fn exits_pass_values() {
        let f = crate::analysis::test_functions::f(
            "r0:
               v1 = loop (v0) : bool {
               r1(v2: bool):
                 continue r1(v2)
               } continuing {
               r2(v3: bool):
                 next_if v0 next(v3) break(v0)
               }
               return",
        );
        let graph = Graph::of(&f);
        let last = graph.blocks.iter().find(|b| b.edges.len() == 2).expect("a back edge and an end");
        let pairs: Vec<Vec<(String, String)>> =
            last.edges.iter().map(|e| e.passed.pairs().map(|(a, b)| (a.to_string(), b.to_string())).collect()).collect();
        assert_eq!(pairs, [[("v3".to_owned(), "v2".to_owned())], [("v0".to_owned(), "v1".to_owned())]]);
    }
}
