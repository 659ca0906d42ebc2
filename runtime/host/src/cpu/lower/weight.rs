//! How much a shader executes, estimated: its instructions as it was compiled, those of loops several times.

use rtc_dxil_module::cfg::Cfg;
use rtc_dxil_module::{Block, Func, Module};
use rustc_hash::{FxHashMap, FxHashSet};

/// The assumed trip count of a loop. Loops with a small constant one were unrolled by the compiler.
const ITERATIONS: u64 = 8;
/// Loops around an instruction beyond which it counts no more.
const MAX_DEPTH: u32 = 3;

/// The instructions of a function, each as often as loops around it let it run.
pub(super) fn weight(m: &Module, func: Func) -> u64 {
    let Some(body) = &m.funcs[func].body else { return 0 };
    let cfg = Cfg::new(body);
    let mut depth: FxHashMap<Block, u32> = FxHashMap::default();
    for (head, members) in loops(&cfg, body.blocks.keys()) {
        debug_assert!(members.contains(&head));
        members.into_iter().for_each(|b| *depth.entry(b).or_default() += 1);
    }
    let of_block = |(b, list): (Block, &Vec<_>)| {
        let times = ITERATIONS.pow(depth.get(&b).copied().unwrap_or(0).min(MAX_DEPTH));
        times * list.len() as u64
    };
    body.blocks.iter().filter(|(b, _)| cfg.is_reachable(*b)).map(of_block).sum()
}

/// The natural loops: the head of each, and all its blocks. Edges back to one head are one loop.
fn loops(cfg: &Cfg, blocks: impl Iterator<Item = Block>) -> Vec<(Block, FxHashSet<Block>)> {
    let mut out: Vec<(Block, FxHashSet<Block>)> = Vec::new();
    for tail in blocks.filter(|b| cfg.is_reachable(*b)) {
        for head in cfg.succs(tail).filter(|&h| cfg.dominates(h, tail)) {
            let at = out.iter().position(|l| l.0 == head).unwrap_or_else(|| {
                out.push((head, FxHashSet::from_iter([head])));
                out.len() - 1
            });
            let mut open = vec![tail];
            while let Some(b) = open.pop() {
                if out[at].1.insert(b) {
                    open.extend(cfg.preds(b).filter(|p| cfg.is_reachable(*p)));
                }
            }
        }
    }
    out
}
